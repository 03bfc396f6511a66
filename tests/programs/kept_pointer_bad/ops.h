void keep(int *n);
void change();
