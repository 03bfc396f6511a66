#pragma once
void move_left(float *to, const float *from, int n);
