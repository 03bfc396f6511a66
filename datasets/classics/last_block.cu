//--blockDim=128 --gridDim=8
// Reduction in one launch: every block stores a partial sum, the block that finishes last adds them.
__device__ unsigned int ticket = 0;

// Race-free within each block. Between blocks the fence and the ticket order the partial sums before
// the last block's reads.
//~ race-free
__global__ void last_block_ticket_ok(const float *in, float *partial, float *out)
{
    __shared__ float sum[128];
    __shared__ bool last;
    int tid = threadIdx.x;
    sum[tid] = in[blockIdx.x * 128 + tid];
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (tid < s) sum[tid] += sum[tid + s];
        __syncthreads();
    }
    if (tid == 0) {
        partial[blockIdx.x] = sum[0];
        __threadfence();
        unsigned int mine = atomicInc(&ticket, gridDim.x);
        last = (mine == gridDim.x - 1);
    }
    __syncthreads();
    if (last) {
        float total = 0.0f;
        for (int i = tid; i < gridDim.x; i += 128) total += partial[i];
        sum[tid] = total;
        __syncthreads();
        for (int s = 64; s > 0; s >>= 1) {
            if (tid < s) sum[tid] += sum[tid + s];
            __syncthreads();
        }
        if (tid == 0) out[0] = sum[0];
    }
}

// No ticket: block 0 adds the partial sums without knowing that the other blocks have stored them. A
// fence orders one thread's own accesses and waits for nobody.
//~ race
__global__ void last_block_no_ticket_bad(const float *in, float *partial, float *out)
{
    __shared__ float sum2[128];
    int tid = threadIdx.x;
    sum2[tid] = in[blockIdx.x * 128 + tid];
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (tid < s) sum2[tid] += sum2[tid + s];
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = sum2[0]; //~ here
    __threadfence();
    __syncthreads();
    if (blockIdx.x == 0 && tid == 0) {
        float total = 0.0f;
        for (int i = 0; i < gridDim.x; i++) total += partial[i]; //~ here
        out[0] = total;
    }
}

// The ticket is right, but thread 0 tells its block through shared memory without a barrier after it.
//~ race
__global__ void last_block_flag_bad(const float *in, float *partial, float *out)
{
    __shared__ bool last2;
    int tid = threadIdx.x;
    if (tid == 0) {
        partial[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        unsigned int mine = atomicInc(&ticket, gridDim.x);
        last2 = (mine == gridDim.x - 1); //~ here
    }
    if (last2) { //~ here
        if (tid == 1) out[0] = 1.0f;
    }
}
