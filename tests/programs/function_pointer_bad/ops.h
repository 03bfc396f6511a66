typedef int *(*Chooser)(int *, int *);
void run(int *a, int *b, Chooser choose);
