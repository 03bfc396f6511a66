void move(int *to, const int *from);
