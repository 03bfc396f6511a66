extern int stride;

void configure() {
    stride = 0;
}
