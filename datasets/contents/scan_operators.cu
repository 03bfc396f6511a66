//--blockDim=64 --gridDim=1
// Contents: the largest so far, and all bits so far

// An element above all before it is the largest so far, and no other such element has its value: it may be its place.
//~ race-free
__global__ void records_ok(const unsigned *in, unsigned *out)
{
    __shared__ unsigned top[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    top[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned below = t >= d ? top[t - d] : 0;
        __syncthreads();
        top[t] = max(top[t], below);
        __syncthreads();
    }
    unsigned before = t > 0 ? top[t - 1] : 0;
    if (own > before) out[top[t]] = t;
}

// [off by one] One that is only as large shares its place with the one before.
//~ race
__global__ void records_bad(const unsigned *in, unsigned *out)
{
    __shared__ unsigned top[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    top[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned below = t >= d ? top[t - d] : 0;
        __syncthreads();
        top[t] = max(top[t], below);
        __syncthreads();
    }
    unsigned before = t > 0 ? top[t - 1] : 0;
    if (own >= before) out[top[t]] = t; //~ here
}

// [off by one] The last step is left out: it is the largest of half of those before.
//~ race
__global__ void records_of_half_bad(const unsigned *in, unsigned *out)
{
    __shared__ unsigned top[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    top[t] = own;
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        unsigned below = t >= d ? top[t - d] : 0;
        __syncthreads();
        top[t] = max(top[t], below);
        __syncthreads();
    }
    unsigned before = t > 0 ? top[t - 1] : 0;
    if (own > before) out[top[t]] = t; //~ here
}

// Written as a choice, by one thread after the other.
//~ race-free
__global__ void records_chosen_ok(const unsigned *in, unsigned *out)
{
    __shared__ unsigned top[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    top[t] = own;
    __syncthreads();
    if (t == 0)
        for (int i = 1; i < 64; i++) top[i] = top[i - 1] > top[i] ? top[i - 1] : top[i];
    __syncthreads();
    unsigned before = t > 0 ? top[t - 1] : 0;
    if (own > before) out[top[t]] = t;
}

// [data-dependent index] The smaller is kept: places are those of the smallest so far.
//~ race
__global__ void records_chosen_bad(const unsigned *in, unsigned *out)
{
    __shared__ unsigned top[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    top[t] = own;
    __syncthreads();
    if (t == 0)
        for (int i = 1; i < 64; i++) top[i] = top[i - 1] > top[i] ? top[i] : top[i - 1];
    __syncthreads();
    unsigned before = t > 0 ? top[t - 1] : 0;
    if (own >= before) out[top[t]] = t; //~ here
}

// Bits that are set stay set: with a bit that is new they grow.
//~ race-free
__global__ void new_bits_ok(const unsigned *in, unsigned *out)
{
    __shared__ unsigned seen[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    seen[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned below = t >= d ? seen[t - d] : 0;
        __syncthreads();
        seen[t] |= below;
        __syncthreads();
    }
    unsigned before = t > 0 ? seen[t - 1] : 0;
    if (seen[t] > before) out[seen[t]] = t;
}

// [data-dependent index] A number that is above the bits of one neighbour need not be new.
//~ race
__global__ void new_bits_bad(const unsigned *in, unsigned *out)
{
    __shared__ unsigned seen[64];
    int t = threadIdx.x;
    unsigned own = in[t] & 255;
    seen[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned below = t >= d ? seen[t - d] : 0;
        __syncthreads();
        seen[t] |= below;
        __syncthreads();
    }
    unsigned before = t > 0 ? seen[t - 1] : 0;
    if (seen[t] >= before) out[seen[t]] = t; //~ here
}

// [an assertion that can fail] Bits are no sum: they need not grow.
//~ assertion
__global__ void bits_are_no_sum_bad(const unsigned *in, unsigned *out)
{
    __shared__ unsigned seen[64];
    int t = threadIdx.x;
    seen[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        unsigned below = t >= d ? seen[t - d] : 0;
        __syncthreads();
        seen[t] |= below;
        __syncthreads();
    }
    __assert(__implies(__same_group && t < __other_int(t), seen[t] < seen[__other_int(t)])); //~ here
    out[t] = seen[t];
}

// [an assertion that can fail] With negative numbers, 0 is not below all: the first element may not be what was stored.
//~ assertion
__global__ void negative_numbers_bad(const int *in, int *out)
{
    __shared__ int top[64];
    int t = threadIdx.x;
    int own = in[t];
    top[t] = own;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int below = t >= d ? top[t - d] : 0;
        __syncthreads();
        top[t] = max(top[t], below);
        __syncthreads();
    }
    __assert(t > 0 || top[t] == own); //~ here
    out[t] = top[t];
}
