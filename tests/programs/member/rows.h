#pragma once
class Rows {
public:
    Rows();
    void run();

private:
    int *to;
    int *from;
};
