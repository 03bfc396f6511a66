void move(int *to, int *from);
