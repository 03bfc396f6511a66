// After GKLEE_p: conditions that do not depend on the thread (TIC) need no flow of their own,
// conditions that do (TDC) split the threads. No launch is stated.

// The outer condition and the loop bound are equal in all threads; only the inner guard splits.
//~ race-free
__global__ void gkleep_tic_ok(const int *in, int *out, int n, int mode)
{
    extern __shared__ int hold[];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    hold[t] = in[g];
    __syncthreads();
    if (mode > 2) {
        for (int i = 0; i < n; i++) {
            int x = 0;
            if (t > 0) x = hold[t - 1];
            __syncthreads();
            hold[t] = x + i;
            __syncthreads();
        }
    }
    out[g] = hold[t];
}

// The loop bound takes the parity of the thread: odd threads meet one barrier fewer.
//~ divergence
__global__ void gkleep_tdc_bound_bad(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int bound = n - (t & 1);
    int x = 0;
    for (int i = 0; i < bound; i++) {
        x += in[g] * i;
        __syncthreads(); //~ here
    }
    out[g] = x;
}

// The two arms use one element each, the same one: flows t < 7 and t >= 7 conflict in hold3[7].
//~ race
__global__ void gkleep_tdc_arms_bad(const int *in, int *out)
{
    extern __shared__ int hold3[];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < 7) hold3[t + 1] = in[g]; //~ here
    else hold3[t] = in[g] + 1; //~ here
    out[g] = hold3[t < 7 ? t + 1 : t]; //~ here
}
