#pragma once
class Solver {
public:
    Solver(int *sums, int width);
    void step();
private:
    int *sums;
    int width;
};
