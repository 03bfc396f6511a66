// Construct: launches in the same file, with constants, constexpr and macros

#define THREADS 64
constexpr int BLOCKS = 1;
static const int SIZE = THREADS * 2;

// One block of 64: the elements t are distinct.
//~ race-free
__global__ void launch_constants_ok(int *g)
{
    g[threadIdx.x] = threadIdx.x;
}

// [launch] Two blocks write the same elements.
//~ race
__global__ void launch_constants_bad(int *g)
{
    g[threadIdx.x] = blockIdx.x; //~ here
}

// [launch] The second launch is the racy one: the kernel's verdict is the worst.
//~ race
__global__ void launch_two_bad(int *g)
{
    g[threadIdx.x & 63] = threadIdx.x; //~ here
}

// Both launches are race-free.
//~ race-free
__global__ void launch_two_ok(int *g, int n)
{
    int i = blockIdx.x * n + threadIdx.x;
    g[i] = i;
}

// [launch] The stride of the rows is smaller than the block.
//~ race
__global__ void launch_argument_bad(int *g, int n)
{
    g[blockIdx.x * n + threadIdx.x] = blockIdx.x; //~ here
}

void launch_constants_host(int *d)
{
    launch_constants_ok<<<BLOCKS, THREADS>>>(d);
    launch_constants_bad<<<BLOCKS + 1, THREADS>>>(d);
    launch_two_bad<<<1, THREADS>>>(d);
    launch_two_bad<<<1, SIZE>>>(d);
    launch_two_ok<<<4, THREADS>>>(d, THREADS);
    launch_two_ok<<<4, 32>>>(d, SIZE);
    launch_argument_bad<<<4, THREADS>>>(d, THREADS - 1);
}
