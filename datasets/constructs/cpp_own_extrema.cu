// Functions of the file named as CUDA's: which of them a call means is told by how its arguments fit.
struct Level {
    short steps;
};

__device__ Level max(Level a, Level b)
{
    return a.steps > b.steps ? a : b;
}

__device__ unsigned char max(unsigned char a, unsigned char b)
{
    return a > b ? a : b;
}

__device__ short min(short a, short b)
{
    return a < b ? a : b;
}

// The number of a thread is no byte: CUDA's own function takes it as it is.
//~ race-free
__global__ void number_beside_bytes_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[max(i, 0)] = in[i];
}

//~ race-free
__global__ void number_beside_shorts_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[min(i, n - 1)] = in[i];
}

// [narrowed] Bytes go to the function for bytes: a thread has the place of the one 256 before it.
//~ race
__global__ void bytes_bad(int *out, const int *in, int n)
{
    __requires(n > 256);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char low = i;
    if (i < n)
        out[max(low, (unsigned char)0)] = in[i]; //~ here
}
