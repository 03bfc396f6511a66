//--blockDim=64 --gridDim=1
// Trap: *= 2 and /= 2 loops that do not start at a power of two

// [not-power-of-two] k is 3, 6, 12, 24, 48: t & (k-1) is not t % k, so t/k*k + (t & (k-1)) is not t
// (k = 3: threads 0 and 1 both get 0).
//~ race
__global__ void doubling_from_three_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int k = 3; k < 64; k *= 2) {
        s[t / k * k + (t & (k - 1))] = t; //~ here
        __syncthreads();
    }
}

// From 1 the mask is the remainder.
//~ race-free
__global__ void doubling_from_one_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int k = 1; k < 64; k *= 2) {
        s[t / k * k + (t & (k - 1))] = t;
        __syncthreads();
    }
}

// The true remainder is right for any start.
//~ race-free
__global__ void doubling_from_three_remainder_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int k = 3; k < 64; k *= 2) {
        s[t / k * k + t % k] = t;
        __syncthreads();
    }
}

// [not-power-of-two] (t & k) != k with k = 3: thread 1 pairs with 4, and thread 4 with 7.
//~ race
__global__ void doubling_pairs_from_three_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    s[64 + t] = t;
    __syncthreads();
    for (int k = 3; k < 64; k *= 2) {
        if ((t & k) != k) {
            int a = s[t]; //~ here
            s[t] = s[t + k]; //~ here
            s[t + k] = a; //~ here
        }
        __syncthreads();
    }
}

// From 1 the pairs (t, t + k) are disjoint.
//~ race-free
__global__ void doubling_pairs_from_one_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    s[64 + t] = t;
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        if ((t & k) != k) {
            int a = s[t];
            s[t] = s[t + k];
            s[t + k] = a;
        }
        __syncthreads();
    }
}
