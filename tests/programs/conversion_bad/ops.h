void spread(int *p, unsigned char step);
