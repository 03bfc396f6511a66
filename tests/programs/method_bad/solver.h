#pragma once
class Solver {
public:
    void init(int *sums, int width);
    void step();
private:
    int *sums;
    int width;
};
