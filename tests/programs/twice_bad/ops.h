void fold_rows(int *sums, int width);
int width_of_rows();
