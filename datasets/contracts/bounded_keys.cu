//--blockDim=64 --gridDim=1
// Contracts: an array whose elements lie between two constants

// Each thread has sixteen places, and its key is one of them.
//~ race-free
__global__ void bounded_key_ok(int *mark, const int *key)
{
    __bounded(key, 0, 15);
    int t = threadIdx.x;
    mark[16 * t + key[t]] = t;
}

// [bound] A key of sixteen is the first place of the next thread.
//~ race
__global__ void bounded_key_bad(int *mark, const int *key)
{
    __bounded(key, 0, 16);
    int t = threadIdx.x;
    mark[16 * t + key[t]] = t; //~ here
}
