void move(int *a, int *b, int n);
