//--blockDim=2 --gridDim=1
// Loops that some threads never leave: what others do behind them happens, and that is no contradiction.

//~ race-free
__global__ void left_by_one_ok(int *out)
{
    int t = threadIdx.x;
    while (1) {
        if (t) break;
    }
    out[0] = t;
}

//~ race
__global__ void left_by_one_bad(int *out)
{
    int t = threadIdx.x;
    out[0] = t; //~ here
    while (1) {
        if (t) break;
    }
    out[1] = t;
}

// Who leaves writes what who stays writes again and again.
//~ race
__global__ void stays_bad(int *out)
{
    int t = threadIdx.x;
    while (1) {
        if (t) break;
        out[0] = 2; //~ here
    }
    out[0] = t; //~ here
}

// All leave in their second iteration.
//~ race
__global__ void left_by_all_bad(int *out)
{
    int t = threadIdx.x, i = 0;
    while (1) {
        if (t == t + i - 1) break;
        i++;
    }
    out[i] = t; //~ here
}
