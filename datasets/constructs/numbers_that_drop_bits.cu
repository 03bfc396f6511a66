// Constants that are shifted out of an int, products of 24 bits, factors of 2^30

// [sign] The bit of the sign.
//~ race
__global__ void bits_sign_bad(int *out)
{
    if ((0x7fffffff << 4) < 0) out[0] = threadIdx.x; //~ here
}

// What is shifted out is gone.
//~ race-free
__global__ void bits_gone_ok(int *out)
{
    if ((4 << 30) != 0) out[0] = threadIdx.x;
}

// Three elements a thread, by a product of 24 bits of a global id.
//~ race-free
__global__ void bits_24_ok(int *out)
{
    int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    int at = __mul24(i, 3);
    out[at] = i;
    out[at + 1] = i;
    out[at + 2] = i;
}

// [extent] The fourth is another thread's.
//~ race
__global__ void bits_24_bad(int *out)
{
    int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
    int at = __mul24(i, 3);
    out[at] = i; //~ here
    out[at + 3] = i; //~ here
}

// [wrap] Four times 2^30 is 0.
//~ race
__global__ void bits_large_bad(int *out, unsigned n)
{
    if (n >= 0x40000000u)
        out[threadIdx.x * n] = threadIdx.x; //~ here
}

//~ race-free
__global__ void bits_small_ok(int *out, unsigned n)
{
    if (n >= 1 && n < 0x1000u)
        out[threadIdx.x * n] = threadIdx.x;
}

// A column of 64 bits goes on by as much as there are threads, told by a number of any sign.
//~ race-free
__global__ void bits_column_ok(int *out, long step, int n)
{
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (step == (long)gridDim.x * blockDim.x)
        for (int i = 0; i < n; i++) {
            out[at] = i;
            at += step;
        }
}

// [step] By any.
//~ race
__global__ void bits_column_bad(int *out, long step, int n)
{
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) {
        out[at] = i + threadIdx.x; //~ here
        at += step;
    }
}

// [known-launch] Where the launch is known, it is known that 16 times 2^20 has more bits.
//~ race
__global__ void bits_24_known_bad(int *out)
{
    out[__mul24(threadIdx.x * 1048576, 1)] = threadIdx.x; //~ here
}

// Here they fit.
//~ race-free
__global__ void bits_24_known_ok(int *out)
{
    out[__mul24(threadIdx.x * 4096, 1)] = threadIdx.x;
}

// [known-launch] The number of a thread of the last blocks.
//~ race
__global__ void bits_24_blocks_bad(int *out)
{
    out[__mul24(blockIdx.x * blockDim.x + threadIdx.x, 1)] = threadIdx.x + blockIdx.x; //~ here
}

void launch(int *out)
{
    bits_24_known_bad<<<1, 64>>>(out);
    bits_24_known_ok<<<1, 64>>>(out);
    bits_24_blocks_bad<<<65536, 1024>>>(out);
}
