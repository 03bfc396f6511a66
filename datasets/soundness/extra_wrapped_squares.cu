//--blockDim=1024 --gridDim=1
// Powers of an index that wrap in 32 bits in this very launch.

// [power] 256 to the fourth is 2³².
//~ race
__global__ void fourth_power_bad(int *o)
{
    unsigned t = threadIdx.x;
    if (t * t * t * t == 0) {
        o[0] = t; //~ here
    }
}

// [power] 4 to the sixteenth, by squares.
//~ race
__global__ void squared_in_loop_bad(int *o)
{
    unsigned k = threadIdx.x;
    for (int j = 0; j < 4; j++) {
        k *= k;
    }
    if (k == 0) {
        o[0] = threadIdx.x; //~ here
    }
}

// The third power stays.
//~ race-free
__global__ void third_power_ok(int *o)
{
    unsigned t = threadIdx.x;
    if (t * t * t == 0) {
        o[0] = t;
    }
}
