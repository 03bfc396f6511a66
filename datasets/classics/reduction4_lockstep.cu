//--blockDim=256 --gridDim=4 --warp-sync=32
// The last warp unrolled, read under the older meaning: the lanes of a warp run in lock-step.

// In lock-step all lanes have read before any lane writes, statement by statement, and volatile
// keeps the compiler from holding values in registers.
//~ race-free
__global__ void reduce4_lockstep_ok(const float *in, float *out)
{
    __shared__ float sum4l[256];
    unsigned int tid = threadIdx.x;
    sum4l[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    for (unsigned int s = 128; s > 32; s >>= 1) {
        if (tid < s) sum4l[tid] += sum4l[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float *v = sum4l;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0) out[blockIdx.x] = sum4l[0];
}

// Unrolled one step too early: two warps take part in the first unrolled steps, and lock-step
// orders nothing between them. Thread 0 reads element 32 in the second step, which warp 1
// writes in the first and in the second.
//~ race
__global__ void reduce4_lockstep_two_warps_bad(const float *in, float *out)
{
    __shared__ float sum4t[256];
    unsigned int tid = threadIdx.x;
    sum4t[tid] = in[blockIdx.x * 256 + tid];
    __syncthreads();
    if (tid < 128) sum4t[tid] += sum4t[tid + 128];
    __syncthreads();
    if (tid < 64) {
        volatile float *v = sum4t;
        v[tid] += v[tid + 64]; //~ here
        v[tid] += v[tid + 32]; //~ here
    }
    __syncthreads();
    if (tid == 0) out[blockIdx.x] = sum4t[0] + sum4t[1];
}
