static int doubled(int n) {
    return 2 * n;
}

extern const int width = doubled(1);
