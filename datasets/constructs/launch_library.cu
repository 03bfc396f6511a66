// Construct: host values that library functions are given and do not change

#include <utility>
#include <vector>

// Containers take them as they are.
//~ race-free
__global__ void lib_container_ok(int *o) { o[threadIdx.x % 32] = threadIdx.x; }

// [unknown-member] A member of a class that is not seen may change it.
//~ race
__global__ void lib_container_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// Makers of values.
//~ race-free
__global__ void lib_makers_ok(int *o) { o[threadIdx.x % 32] = threadIdx.x; }

// [unknown-maker] One that no library has.
//~ race
__global__ void lib_makers_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// [pair] A pair of pointers holds them: both arguments are one allocation.
//~ race
__global__ void lib_pair_bad(int *a, const int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i + 1] + i; //~ here
}

// Questions about the command line.
//~ race-free
__global__ void lib_command_ok(int *o) { o[threadIdx.x % 32] = threadIdx.x; }

// [command-line] A number from there.
//~ race
__global__ void lib_command_bad(int *o) { o[threadIdx.x % 32] = threadIdx.x; } //~ here

// An unsigned width is passed as `int` and used as unsigned again; as many blocks as fit.
//~ race-free
__global__ void lib_there_and_back_ok(float *o, int width)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[y * width + x] = x;
}

// [one-more] One more block than fits.
//~ race
__global__ void lib_there_and_back_bad(float *o, int width)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    o[y * width + x] = x; //~ here
}

struct LibUnseen;
LibUnseen &lib_unseen();

void lib_host(int argc, char **argv, int *o, float *f, unsigned width, unsigned height)
{
    int n = 32;
    std::vector<int> list;
    list.resize(n);
    list.push_back(n);
    lib_container_ok<<<1, n>>>(o);
    int changed = 32;
    lib_unseen().resize(changed);
    lib_container_bad<<<1, changed>>>(o);
    int m = 32;
    cudaExtent extent = make_cudaExtent(m, m, m);
    float2 pair = make_float2(m, m);
    lib_makers_ok<<<1, m>>>(o);
    int made = 32;
    make_whatever(made);
    lib_makers_bad<<<1, made>>>(o);
    int *d;
    cudaMalloc(&d, 4096);
    auto both = std::make_pair(d, d);
    lib_pair_bad<<<4, 64>>>(both.first, both.second);
    int size = 32;
    if (checkCmdLineFlag(argc, (const char **)argv, "size")) lib_command_bad<<<1, getCmdLineArgumentInt(argc, (const char **)argv, "size")>>>(o);
    lib_command_ok<<<1, size>>>(o);
    dim3 block(8, 8);
    dim3 grid(width / block.x, height / block.y);
    lib_there_and_back_ok<<<grid, block>>>(f, width);
    dim3 more(width / block.x + 1, height / block.y);
    lib_there_and_back_bad<<<more, block>>>(f, width);
}
