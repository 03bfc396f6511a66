void fold_rows(int *sums);
void prepare();
