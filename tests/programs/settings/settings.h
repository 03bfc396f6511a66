#pragma once
static int width = 1;
static inline void set_width(int to) {
    width = to;
}
