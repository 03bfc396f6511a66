void fold_rows(int *sums, int width);
