int pick(double n) {
    return 1;
}
