//--blockDim=64 --gridDim=1
// Row: an exited thread's accesses still race with later ones

// [early-exit] Thread 63 reads s[0] and leaves; thread 0 writes s[0] after a barrier that does not wait for it.
// The accesses of exited threads stay concurrent with later intervals.
//~ race
__global__ void exited_thread_accesses_bad(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) {
        out[t] = s[63 - t]; //~ here
        return;
    }
    __syncthreads(); //~ here
    s[t] = t; //~ here
}

// All threads meet at the barrier.
//~ race-free
__global__ void exited_thread_accesses_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) out[t] = s[63 - t];
    __syncthreads();
    if (t < n) s[t] = t;
}
