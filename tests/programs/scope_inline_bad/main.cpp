inline namespace hidden {
void adjust(long n) {}
}

void fold_rows(int *sums);

int main() {
    int *sums;
    cudaMalloc(&sums, 4096);
    fold_rows(sums);
}
