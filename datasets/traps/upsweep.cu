//--blockDim=64 --gridDim=1
// Trap: false alarm on the work-efficient upsweep

// offset*d stays 64: offset*(2t+2)-1 is distinct per thread, and the left partners are not right ones.
//~ race-free
__global__ void upsweep_trap_ok(int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = g[2 * t];
    s[2 * t + 1] = g[2 * t + 1];
    int offset = 1;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            s[right] += s[left];
        }
        offset *= 2;
    }
    __syncthreads();
    g[2 * t] = s[2 * t];
    g[2 * t + 1] = s[2 * t + 1];
}

// [missing-barrier] The barrier at the head of the loop body is gone: levels of the tree run into each other.
//~ race
__global__ void upsweep_trap_bad(int *g)
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[2 * t] = g[2 * t];
    s[2 * t + 1] = g[2 * t + 1]; //~ here
    int offset = 1;
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d) {
            int left = offset * (2 * t + 1) - 1;
            int right = offset * (2 * t + 2) - 1;
            s[right] += s[left]; //~ here
        }
        offset *= 2;
    }
    __syncthreads();
    g[2 * t] = s[2 * t];
    g[2 * t + 1] = s[2 * t + 1];
}
