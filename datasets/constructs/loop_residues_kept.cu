//--blockDim=64 --gridDim=1
// Construct: loop variables without a closed form, of which a residue is kept

// Steps of 64 and 128.
//~ race-free
__global__ void residue_steps_ok(const int *in, int *g)
{
    int t = threadIdx.x, j = t;
    while (j < 4096) {
        g[j] = t;
        if (in[j] > 0) j += 64;
        else j += 128;
    }
}

// [residue] Steps of 64 and 96.
//~ race
__global__ void residue_steps_bad(const int *in, int *g)
{
    int t = threadIdx.x, j = t;
    while (j < 4096) {
        g[j] = t; //~ here
        if (in[j] > 0) j += 64;
        else j += 96;
    }
}

// Back to where it started.
//~ race-free
__global__ void residue_reset_ok(int *g, int n)
{
    int t = threadIdx.x, j = t;
    for (int i = 0; i < n; i++) {
        g[j] = t;
        j += 64;
        if (j >= 4096) j = t;
    }
}

// [reset] All back to 0.
//~ race
__global__ void residue_reset_bad(int *g, int n)
{
    int t = threadIdx.x, j = t;
    for (int i = 0; i < n; i++) {
        g[j] = t; //~ here
        j += 64;
        if (j >= 4096) j = 0;
    }
}

// The modulus is a multiple of 64.
//~ race-free
__global__ void residue_modulo_ok(const int *in, int *g, int n)
{
    int t = threadIdx.x, j = t;
    for (int i = 0; i < n; i++) {
        g[j] = t;
        if (in[i] > t) j = (j + 64) % 4096;
    }
}

// [modulus] The modulus is not.
//~ race
__global__ void residue_modulo_bad(const int *in, int *g, int n)
{
    int t = threadIdx.x, j = t;
    for (int i = 0; i < n; i++) {
        g[j] = t; //~ here
        if (in[i] > t) j = (j + 64) % 4000;
    }
}

// [wrap] 8 bits: 256 is no multiple of 96.
//~ race
__global__ void residue_narrow_bad(const int *in, int *g, int n)
{
    int t = threadIdx.x;
    unsigned char j = t;
    for (int i = 0; i < n; i++) {
        g[j] = t; //~ here
        if (in[i] > t) j += 96;
    }
}
