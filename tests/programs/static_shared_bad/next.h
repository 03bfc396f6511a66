#pragma once
inline int next() {
    static int width = 0;
    return ++width;
}
