void fold_rows(int *sums, int width);
void each_width(void (*run)(int *, int), int *sums);
