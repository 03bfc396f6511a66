// Races that only threads or rounds far out take part in: a bound on global ids that is too small makes these race-free.
// A witness in the first rounds of a large grid replays; one billions of rounds away would not.

//~ race
__global__ void far_wide_id_bad(unsigned long long *a, unsigned long long n) {
    unsigned long long step = (unsigned long long)blockDim.x * gridDim.x;
    for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        if (i > 5000000000ULL) a[0] = i; //~ here
}

//~ race
__global__ void far_unsigned_id_bad(unsigned *a, unsigned n) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (i > 3000000000U) a[0] = i; //~ here
}

//~ race
__global__ void far_signed_id_bad(long long *a, long long n) {
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (i > 3000000000LL) a[0] = i; //~ here
}

// One thread alone gets there.
//~ race-free
__global__ void far_round_ok(unsigned long long *a, unsigned long long n) {
    for (unsigned long long i = 0; i < n; i++)
        if (i > 5000000000ULL && threadIdx.x == 0 && blockIdx.x == 0) a[0] = i;
}

//~ race
__global__ void far_product_bad(unsigned long long *a) {
    unsigned long long threads = (unsigned long long)blockDim.x * gridDim.x;
    unsigned long long i = blockIdx.x * threads * blockDim.x + threadIdx.x;
    if (i > 5000000000ULL) a[0] = i; //~ here
}
