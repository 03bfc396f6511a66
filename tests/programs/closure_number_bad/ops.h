void spread(int *a, int stride);
