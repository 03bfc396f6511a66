int width = 1;

void prepare() {
    width = 2;
}
