//--blockDim=64 --gridDim=1
// Row: benign for one pair, not for the array

// [same-value] All write 7 to s[0], and thread 0 writes 0 there.
// The excuse belongs to a pair of writes, never to an array.
//~ race
__global__ void benign_pair_only_bad()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[0] = 7; //~ here
    s[t] = t; //~ here
}

// The thread's own elements begin at 1.
//~ race-free
__global__ void benign_pair_only_ok()
{
    __shared__ int s[65];
    int t = threadIdx.x;
    s[0] = 7;
    s[t + 1] = t;
}
