//--blockDim=512 --gridDim=1
// Contracts: assumptions of more different values than a type has

// [vacuity] A byte has 256 values, and 512 of them are read.
//~ error
__global__ void bytes_differ_bad(const unsigned char *at, int *out)
{
    __distinct(at);
    out[at[threadIdx.x]] = threadIdx.x;
}

// Half of the threads read.
//~ race-free
__global__ void bytes_differ_ok(const unsigned char *at, int *out)
{
    __distinct(at);
    if (threadIdx.x < 256) out[at[threadIdx.x]] = threadIdx.x;
}

// [vacuity] One more.
//~ error
__global__ void one_more_byte_bad(const signed char *at, int *out)
{
    __distinct(at);
    if (threadIdx.x < 257) out[at[threadIdx.x] + 128] = threadIdx.x;
}

// Two bytes have room for all.
//~ race-free
__global__ void shorts_differ_ok(const unsigned short *at, int *out)
{
    __distinct(at);
    out[at[threadIdx.x]] = threadIdx.x;
}

// [vacuity] Read round by round.
// warplog: distinct at
//~ error
__global__ void bytes_in_rounds_bad(const unsigned char *at, int *out)
{
    for (int i = threadIdx.x; i < 700; i += blockDim.x) out[at[i]] = threadIdx.x;
}

// [index not one-to-one] Nothing is assumed of what a loop that may be left early reads.
// warplog: distinct at
//~ race-free
__global__ void bytes_until_ok(const unsigned char *at, int *out, int n)
{
    if (threadIdx.x > 9) return;
    for (int i = threadIdx.x; i < 700; i += blockDim.x) {
        if (i > n) break;
        out[at[i]] = threadIdx.x;
    }
}

// [vacuity] Two values, and no two alike of 512.
//~ error
__global__ void truths_differ_bad(const bool *flag, int *out)
{
    __requires(__distinct_int(flag[threadIdx.x]));
    out[flag[threadIdx.x]] = threadIdx.x;
}

// [vacuity] Any two may differ, but not all.
//~ error
__global__ void remainders_differ_bad(int *out)
{
    __requires(__distinct_int(threadIdx.x % 4));
    out[threadIdx.x % 4] = threadIdx.x;
}

// [vacuity] Any two bytes may differ, but not all.
//~ error
__global__ void bytes_of_threads_differ_bad(const unsigned char *at, int *out)
{
    __requires(__distinct_int(at[threadIdx.x]));
    out[at[threadIdx.x]] = threadIdx.x;
}

// Words have room for all.
//~ race-free
__global__ void words_of_threads_differ_ok(const int *at, int *out)
{
    __requires(__distinct_int(at[threadIdx.x]));
    out[at[threadIdx.x]] = threadIdx.x;
}

// [index not one-to-one] Without an assumption.
//~ race
__global__ void bytes_unsaid_bad(const unsigned char *at, int *out)
{
    out[at[threadIdx.x]] = threadIdx.x; //~ here
}

// [index not one-to-one] Different numbers have one half.
//~ race
__global__ void halves_of_different_bad(const unsigned short *at, int *out)
{
    __distinct(at);
    out[at[threadIdx.x] / 2] = threadIdx.x; //~ here
}
