extern int stride;

void configure() {
    stride = 2;
}
