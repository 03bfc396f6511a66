// Grids of sizes that the host makes unsigned: a negative number is no size

// Whole tiles of a row.
//~ race-free
__global__ void sizes_rows_ok(int *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    out[blockIdx.y * width + x] = x;
}

// [rounding] One tile more.
//~ race
__global__ void sizes_rounded_bad(int *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    out[blockIdx.y * width + x] = x; //~ here
}

// [argument] The width that the grid is made of is another.
//~ race
__global__ void sizes_other_bad(int *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    out[blockIdx.y * width + x] = x; //~ here
}

// [stays-signed] What the kernel is given besides may be negative: only sizes may not.
//~ race
__global__ void sizes_step_bad(int *out, int width, int step)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    out[x * step + width] = x; //~ here
}

// [remainder] A negative number makes a block as good as any.
//~ race
__global__ void sizes_remainder_bad(int *out, int n)
{
    if (n < 0) out[threadIdx.x & 31] = threadIdx.x; //~ here
}

// [bits] So do its bits.
//~ race
__global__ void sizes_bits_bad(int *out, int n)
{
    if (n < 0) out[threadIdx.x & 31] = threadIdx.x; //~ here
}

// [choice] And a comparison.
//~ race
__global__ void sizes_choice_bad(int *out, int n)
{
    out[threadIdx.x & 31] = threadIdx.x; //~ here
}

void launch(int *out, int width, int other, int step)
{
    sizes_remainder_bad<<<1, (unsigned)width % 64u + 1>>>(out, width);
    sizes_bits_bad<<<1, ((unsigned)width >> 31) * 32 + 32>>>(out, width);
    sizes_choice_bad<<<1, (unsigned)width > 0x7fffffffu ? 64 : 32>>>(out, width);
    sizes_rows_ok<<<dim3((unsigned)width / 32, 4), 32>>>(out, width);
    sizes_rounded_bad<<<dim3((unsigned)width / 32 + 1, 4), 32>>>(out, width);
    sizes_other_bad<<<dim3((unsigned)other / 32, 4), 32>>>(out, width);
    sizes_step_bad<<<dim3((unsigned)width / 32), 32>>>(out, width, step);
}
