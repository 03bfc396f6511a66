// Soundness: unsigned numbers of 64 bits from 2^63 on

// [parameter] The count starts anywhere.
//~ race
__global__ void large_parameter_bad(int *o, unsigned long long k, int n)
{
    unsigned long long b = k;
    for (int i = 0; i < n; i++) b += 2;
    if (b > 1ull << 63) o[0] = threadIdx.x; //~ here
}

// [constant] It starts with the sign bit of the signed type.
//~ race
__global__ void large_constant_bad(int *o, int n)
{
    unsigned long long b = 1ull << 63;
    for (int i = 0; i < n; i++) b += 2;
    if (b >= 1ull << 63) o[0] = threadIdx.x; //~ here
}

// It cannot come back to zero in that many rounds.
//~ race-free
__global__ void large_constant_ok(int *o)
{
    unsigned long long b = 1ull << 63;
    for (int i = 0; i < 100; i++) b += 2;
    if (b < 1ull << 63) o[0] = threadIdx.x;
}

// [counted] A loop of four rounds.
//~ race
__global__ void large_counted_bad(int *o, unsigned long long k)
{
    unsigned long long b = k;
    for (int i = 0; i < 4; i++) b += 2;
    if (b > 1ull << 63) o[0] = threadIdx.x; //~ here
}

// [downwards] Down from the largest.
//~ race
__global__ void large_downwards_bad(int *o, int n)
{
    size_t b = ~(size_t)0;
    for (int i = 0; i < n; i++) b -= 4;
    if (b > (size_t)1 << 63) o[0] = threadIdx.x; //~ here
}

// [sentinel] What marks that nothing was found.
//~ race
__global__ void large_sentinel_bad(int *o, const size_t *x, const int *trim, int n)
{
    size_t s = ~(size_t)0;
    for (int i = 0; i < n; i++) {
        if (trim[i]) s = x[i];
    }
    if (s == ~(size_t)0) o[0] = threadIdx.x; //~ here
}

// [index] Each thread's own, as the range of elements says; the guard lets all through.
//~ race
__global__ void large_index_bad(int *o, unsigned long long from, unsigned long long to)
{
    for (unsigned long long i = from + threadIdx.x; i < to; i += blockDim.x) {
        o[threadIdx.x / 2] = i; //~ here
    }
}

// The same, with an element for each.
//~ race-free
__global__ void large_index_ok(int *o, unsigned long long from, unsigned long long to)
{
    for (unsigned long long i = from + threadIdx.x; i < to; i += blockDim.x) o[i] = i;
}
