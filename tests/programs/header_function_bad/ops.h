void fold_rows(int *sums);
