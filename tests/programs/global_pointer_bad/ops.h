extern int *buffer;
void run(int *to);
