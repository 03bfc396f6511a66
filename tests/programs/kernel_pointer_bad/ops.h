void start(const void *kernel, int *sums, int width);
