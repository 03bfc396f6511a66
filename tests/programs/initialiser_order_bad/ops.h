extern int stride;
