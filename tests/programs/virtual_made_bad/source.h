#pragma once
struct Shape {
    virtual int width() { return 1; }
};
Shape *make();
