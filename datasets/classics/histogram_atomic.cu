//--blockDim=256 --gridDim=4
// Histogram of 256 bins: a shared one per block by atomics, added to the global one by atomics.

// Atomics of one size on one array never race with each other; barriers separate them from the
// plain zeroing and the plain reads.
//~ race-free
__global__ void histogram_atomic_ok(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&local[data[i]], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// The increment is a plain read and write: two threads with equal bytes collide.
//~ race
__global__ void histogram_plain_bad(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local2[256];
    local2[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        local2[data[i]] += 1; //~ here
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local2[threadIdx.x]);
}

// No barrier after the zeroing: an atomic against a plain write is a race.
//~ race
__global__ void histogram_zeroing_bad(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local3[256];
    local3[threadIdx.x] = 0; //~ here
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&local3[data[i]], 1); //~ here
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local3[threadIdx.x]);
}

// Added to the global bins without an atomic: two blocks collide in every bin.
//~ race
__global__ void histogram_global_bad(const unsigned char *data, unsigned int *bins, int n)
{
    __shared__ unsigned int local4[256];
    local4[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        atomicAdd(&local4[data[i]], 1);
    }
    __syncthreads();
    bins[threadIdx.x] += local4[threadIdx.x]; //~ here
}
