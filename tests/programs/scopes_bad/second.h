#pragma once
namespace after {
void sweep(float *out, int threads);
}
