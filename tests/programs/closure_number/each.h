#pragma once

//~ race-free
template <class F> __global__ void each(F f) {
    f(threadIdx.x);
}
