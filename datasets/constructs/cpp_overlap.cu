//--blockDim=64 --gridDim=1
// Construct: casts between element types, with overlap to the byte

// Four bytes each.
//~ race-free
__global__ void overlap_float_chars_ok()
{
    __shared__ char s[256];
    int t = threadIdx.x;
    float *f = (float *)s;
    f[t] = t;
    s[4 * t + 3] = 1;
}

// [width] The byte after the float is the neighbour's.
//~ race
__global__ void overlap_float_chars_bad()
{
    __shared__ char s[260];
    int t = threadIdx.x;
    float *f = (float *)s;
    f[t] = t; //~ here
    s[4 * t + 4] = 1; //~ here
}

// Shorts in the upper half, integers in the lower.
//~ race-free
__global__ void overlap_short_int_ok()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    short *h = (short *)s;
    s[t] = t;
    h[128 + t] = t;
}

// [width] The shorts begin one too early.
//~ race
__global__ void overlap_short_int_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x;
    short *h = (short *)s;
    s[t] = t; //~ here
    h[127 + t] = t + 1; //~ here
}

// Every other short of two views.
//~ race-free
__global__ void overlap_interleaved_ok()
{
    __shared__ short s[128];
    int t = threadIdx.x;
    unsigned char *b = reinterpret_cast<unsigned char *>(s + 1);
    s[2 * t] = t;
    b[4 * t] = t;
    b[4 * t + 1] = t;
}

// [width] The third byte is the next short.
//~ race
__global__ void overlap_interleaved_bad()
{
    __shared__ short s[130];
    int t = threadIdx.x;
    unsigned char *b = reinterpret_cast<unsigned char *>(s + 1);
    s[2 * t] = t; //~ here
    b[4 * t + 2] = t; //~ here
}

// A static_cast through void.
//~ race-free
__global__ void overlap_void_ok()
{
    __shared__ double s[64];
    int t = threadIdx.x;
    void *v = s;
    int *i = static_cast<int *>(v);
    i[2 * t] = t;
    i[2 * t + 1] = t;
}

// [width] A double for every integer.
//~ race
__global__ void overlap_void_bad()
{
    __shared__ __align__(8) int s[66];
    int t = threadIdx.x;
    void *v = s;
    double *d = static_cast<double *>(v);
    if (t < 32) d[t] = t; //~ here
    s[t + 1] = t; //~ here
}

// Bytes of a global struct, by offset.
struct Record { int key; short low; short high; };

//~ race-free
__global__ void overlap_record_ok(Record *g)
{
    int t = threadIdx.x;
    char *b = (char *)g;
    g[t].key = t;
    *(short *)(b + 8 * t + 4) = t;
    g[t].high = t;
}

// [width] The low half is at byte 4, where the integer of four bytes goes.
//~ race
__global__ void overlap_record_bad(Record *g)
{
    int t = threadIdx.x;
    char *b = (char *)g;
    if (t & 1) g[t / 2].high = t; //~ here
    else *(int *)(b + 8 * (t / 2) + 4) = t; //~ here
}

// The halves hold what the whole holds.
//~ race-free
__global__ void overlap_equal_halves_ok(int n)
{
    __shared__ int s[1];
    int t = threadIdx.x;
    short *h = (short *)s;
    if (t == 0) s[0] = (n & 255) * 65537;
    if (t == 1) h[1] = n & 255;
    if (t == 2) h[0] = n & 255;
}

// [width] The upper half does not.
//~ race
__global__ void overlap_equal_halves_bad(int n)
{
    __shared__ int s[1];
    int t = threadIdx.x;
    short *h = (short *)s;
    if (t == 0) s[0] = (n & 255) * 65537; //~ here
    if (t == 1) h[1] = n & 511;           //~ here
    if (t == 2) h[0] = n & 255;
}
