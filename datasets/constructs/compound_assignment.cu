//--blockDim=64 --gridDim=1
// Construct: compound assignment, on locals and on memory

// Locals only, and one element a thread.
//~ race-free
__global__ void compound_assignment_ok(int *g)
{
    int t = threadIdx.x, i = t;
    i *= 4;
    i |= 3;
    i ^= 1;
    i -= 2;
    g[i] += t;
    g[i] <<= 1;
}

// [index] i /= 2 makes pairs of threads share an element.
//~ race
__global__ void compound_assignment_bad(int *g)
{
    int t = threadIdx.x, i = t;
    i *= 4;
    i /= 8;
    g[i] += t; //~ here
}

// [missing-atomic] A compound assignment is a read and a write.
//~ race
__global__ void compound_accumulate_bad(int *g)
{
    g[0] += 1; //~ here
}

// The masks keep the residue.
//~ race-free
__global__ void compound_mask_ok(int *g)
{
    int t = threadIdx.x, i = t;
    i &= 63;
    i %= 64;
    i >>= 0;
    i += 64;
    g[i] -= t;
}
