#pragma once
static inline int width_of_rows() {
#ifdef WIDE
    return 2;
#else
    return 1;
#endif
}
