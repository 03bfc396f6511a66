struct Holder {
    int n;
    void set(int m) { n = m; }
};

void fold_rows(int *sums);

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    Holder holder{3};
    holder.set(4);
    fold_rows(sums);
}
