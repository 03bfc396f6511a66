#ifndef WIDTH
#define WIDTH 1
#endif
static const int width = WIDTH;
