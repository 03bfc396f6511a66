// After PUG_para (IPDPSW 2012): two reductions, to be compared for any power-of-two block, and what
// goes wrong in them. No launch is stated.

// Neighbours first: thread 2 * k * i adds the element k further.
//~ race-free
__global__ void pugpara_reduce_modulo_ok(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// The same tree with the working threads packed together.
//~ race-free
__global__ void pugpara_reduce_packed_ok(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int p[];
    int t = threadIdx.x;
    p[t] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        int i = 2 * k * t;
        if (i < blockDim.x) p[i] += p[i + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = p[0];
}

// The test is for multiples of k, not of 2 * k: element t + k is a multiple of k as well.
//~ race
__global__ void pugpara_reduce_modulo_bad(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int s2[];
    int t = threadIdx.x;
    s2[t] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = 1; k < blockDim.x; k *= 2) {
        if (t % k == 0) s2[t] += s2[t + k]; //~ here
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s2[0];
}

// The threads that have nothing to add skip the barrier with `continue`. Those that meet again in a
// later level have passed all barriers before it, so this diverges without a race.
//~ divergence
__global__ void pugpara_reduce_continue_bad(const int *in, int *out)
{
    __requires(__is_pow2(blockDim.x));
    extern __shared__ int p2[];
    int t = threadIdx.x;
    p2[t] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t >= k) continue;
        p2[t] += p2[t + k];
        __syncthreads(); //~ here
    }
    if (t == 0) out[blockIdx.x] = p2[0];
}
