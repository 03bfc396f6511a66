int pick(int n) {
    return 2 * n;
}
