#pragma once
namespace before {
void sweep(float *out, int threads);
}
