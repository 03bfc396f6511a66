#pragma once
inline int width = 1;
void widen();
