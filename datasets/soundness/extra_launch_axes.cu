// Soundness: sizes that host code has and that are not followed

#include <functional>
#include <utility>

struct AxesShape {
    dim3 grid, block;
};

// [global] A constant of the file.
//~ race
__global__ void axes_global_bad(int *o)
{
    if (blockIdx.x == 0) o[threadIdx.x] = clock(); //~ here
}

// [choice] One of two shapes, out of a structure.
//~ race
__global__ void axes_choice_bad(int *o)
{
    if (blockIdx.x == 0) o[threadIdx.x] = clock(); //~ here
}

// [pair] A pair of the standard library.
//~ race
__global__ void axes_pair_bad(int *o)
{
    o[threadIdx.x] = clock(); //~ here
}

// [table] A table of kernels and one of shapes.
//~ race
__global__ void axes_table_bad(int *o)
{
    o[threadIdx.x] = clock(); //~ here
}

// [also-plain] One that is launched as such as well.
//~ race
__global__ void axes_table_plain_bad(int *o)
{
    o[threadIdx.x % 32] = clock(); //~ here
}

// [single] No thread index at all, and a block of whatever size.
//~ race
__global__ void axes_single_bad(int *o)
{
    o[0] = clock(); //~ here
}

// One thread.
//~ race-free
__global__ void axes_single_ok(int *o)
{
    o[0] = clock();
}

// [address] Its address is given away.
//~ race
__global__ void axes_address_bad(int *o)
{
    o[threadIdx.x] = clock(); //~ here
}

const dim3 axes_block(16, 16);
void axes_register(void *kernel, dim3 block);

AxesShape axes_make(bool wide)
{
    AxesShape s;
    s.grid = dim3(1);
    s.block = wide ? dim3(16, 16) : dim3(8, 8);
    return s;
}

void axes_host(int *o, bool wide, int i)
{
    axes_global_bad<<<1, axes_block>>>(o);
    AxesShape s = axes_make(wide);
    axes_choice_bad<<<s.grid, s.block>>>(o);
    std::pair<dim3, dim3> p(dim3(1), dim3(16, 16));
    axes_pair_bad<<<p.first, p.second>>>(o);
    typedef void (*Kernel)(int *);
    Kernel kernels[2] = {axes_table_bad, axes_table_plain_bad};
    dim3 blocks[2] = {dim3(16, 16), dim3(64)};
    kernels[i]<<<1, blocks[i]>>>(o);
    axes_table_plain_bad<<<1, 32>>>(o);
    axes_single_bad<<<1, p.second>>>(o);
    axes_single_ok<<<1, 1>>>(o);
    axes_register((void *)axes_address_bad, axes_block);
}

// [registers] Assembly knows of the other axes, too.
//~ race
__global__ void axes_registers_bad(unsigned *o)
{
    unsigned row;
    asm("mov.u32 %0, %%tid.y;" : "=r"(row));
    o[blockIdx.x * blockDim.x + threadIdx.x] = row; //~ here
}

// The lane says nothing of rows: there is one, as nobody mentions another.
//~ race-free
__global__ void axes_lane_ok(unsigned *o)
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    o[blockIdx.x * blockDim.x + threadIdx.x] = lane;
}
