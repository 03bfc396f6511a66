//--blockDim=64 --gridDim=1
// Construct: shifts, masks, exclusive or

// x ^ constant permutes the elements.
//~ race-free
__global__ void bit_operations_xor_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t ^ 21] = t;
}

// [index] x & ~1 joins neighbours.
//~ race
__global__ void bit_operations_mask_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t & ~1] = t; //~ here
}

// High and low half of the bits exchanged.
//~ race-free
__global__ void bit_operations_rotate_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[((t << 3) | (t >> 3)) & 63] = t;
}

// [index] One bit is lost: t << 3 keeps three bits below 64, t >> 4 only two.
//~ race
__global__ void bit_operations_rotate_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[((t << 3) | (t >> 4)) & 63] = t; //~ here
}

// An odd factor permutes modulo a power of two.
//~ race-free
__global__ void bit_operations_odd_factor_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[(t * 5) & 63] = t;
}

// [index] An even one does not.
//~ race
__global__ void bit_operations_even_factor_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[(t * 6) & 63] = t; //~ here
}

// [index] Squares modulo 64 repeat.
//~ race
__global__ void bit_operations_square_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[(t * t) & 63] = t; //~ here
}

// Exchange with the partner t ^ k, by the lower one of the pair.
//~ race-free
__global__ void bit_operations_partner_ok(int *g)
{
    int t = threadIdx.x;
    for (int k = 1; k < 64; k *= 2) {
        int p = t ^ k;
        if (p > t) {
            int a = g[t];
            g[t] = g[p];
            g[p] = a;
        }
        __syncthreads();
    }
}

// [guard] Both partners exchange.
//~ race
__global__ void bit_operations_partner_bad(int *g)
{
    int t = threadIdx.x;
    for (int k = 1; k < 64; k *= 2) {
        int p = t ^ k;
        int a = g[t]; //~ here
        g[t] = g[p]; //~ here
        g[p] = a; //~ here
        __syncthreads();
    }
}
