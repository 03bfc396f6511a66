//--blockDim=128 --gridDim=4
// After Sarkar et al. (ICSOFT 2018), program "MIN_MAX": least and greatest element per block, in
// rounds over the input.

// The scratch of a round is released by the barrier at its end.
//~ race-free
__global__ void icsoft_minmax_ok(const int *in, int *least, int *greatest, int rounds)
{
    __shared__ int lo[128];
    __shared__ int hi[128];
    int t = threadIdx.x;
    int a = 2147483647;
    int b = -2147483647;
    for (int r = 0; r < rounds; r++) {
        int x = in[(r * 4 + blockIdx.x) * 128 + t];
        lo[t] = x;
        hi[t] = x;
        __syncthreads();
        for (int s = 64; s > 0; s /= 2) {
            if (t < s) {
                lo[t] = min(lo[t], lo[t + s]);
                hi[t] = max(hi[t], hi[t + s]);
            }
            __syncthreads();
        }
        a = min(a, lo[0]);
        b = max(b, hi[0]);
        __syncthreads();
    }
    if (t == 0) {
        least[blockIdx.x] = a;
        greatest[blockIdx.x] = b;
    }
}

// Seed 2, write after read, carried: all threads read element 0, and thread 0 of the next round
// overwrites it.
//~ race
__global__ void icsoft_minmax_war_bad(const int *in, int *least, int rounds)
{
    __shared__ int lo2[128];
    int t = threadIdx.x;
    int a = 2147483647;
    for (int r = 0; r < rounds; r++) {
        lo2[t] = in[(r * 4 + blockIdx.x) * 128 + t]; //~ here
        __syncthreads();
        for (int s = 64; s > 0; s /= 2) {
            if (t < s) lo2[t] = min(lo2[t], lo2[t + s]);
            __syncthreads();
        }
        a = min(a, lo2[0]); //~ here
    }
    if (t == 0) least[blockIdx.x] = a;
}

// Seed 3, write after write: the winner is stored by every thread that sees a smaller element, not
// by one.
//~ race
__global__ void icsoft_minmax_waw_bad(const int *in, int *least)
{
    __shared__ int winner;
    int t = threadIdx.x;
    if (t == 0) winner = in[blockIdx.x * 128];
    __syncthreads();
    int bound = winner;
    __syncthreads();
    int x = in[blockIdx.x * 128 + t];
    if (x < bound) winner = x; //~ here
    __syncthreads();
    if (t == 0) least[blockIdx.x] = winner;
}

// Seed 4, false data locality: threads whose own element is out of bounds skip the step with its
// barrier.
//~ divergence
__global__ void icsoft_minmax_locality_bad(const int *in, int *clipped, int bound)
{
    __shared__ int seen[128];
    int t = threadIdx.x;
    int x = in[blockIdx.x * 128 + t];
    seen[t] = x;
    if (x < bound) {
        seen[t] = bound;
        __syncthreads(); //~ here
    }
    clipped[blockIdx.x * 128 + t] = seen[t];
}
