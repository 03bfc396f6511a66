void fold_pairs(int *sums);
void fold_ones(int *sums);
