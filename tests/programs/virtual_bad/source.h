#pragma once
struct Source {
    int *own;
    virtual int *get() { return own; }
};
void run(int *to, Source &source);
