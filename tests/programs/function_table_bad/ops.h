extern int (*widths[2])(int);
