//--blockDim=[16,16] --gridDim=1
// Extra: affine forms that are almost injective

// [index] Rows of 15 for 16 columns.
//~ race
__global__ void mixed_radix_short_bad()
{
    __shared__ int s[256];
    s[threadIdx.y * 15 + threadIdx.x] = threadIdx.y; //~ here
}

// Rows of 17 are long enough.
//~ race-free
__global__ void mixed_radix_padded_ok()
{
    __shared__ int s[272];
    s[threadIdx.y * 17 + threadIdx.x] = threadIdx.y;
}

// [index] 2x + 3y: (3, 0) and (0, 2) meet although 2 and 3 have no common factor.
//~ race
__global__ void mixed_radix_coprime_bad()
{
    __shared__ int s[128];
    s[2 * threadIdx.x + 3 * threadIdx.y] = threadIdx.x; //~ here
}

// 2x stays below 33, so 2x + 33y is a mixed radix number.
//~ race-free
__global__ void mixed_radix_coprime_ok()
{
    __shared__ int s[528];
    s[2 * threadIdx.x + 33 * threadIdx.y] = threadIdx.x;
}

// [index] A third digit whose weight is too small: j reaches 3, and rows of 32 hold 16 * 2 numbers.
//~ race
__global__ void mixed_radix_digit_bad()
{
    __shared__ int s[576];
    for (int j = 0; j < 3; j++) s[threadIdx.y * 32 + threadIdx.x * 2 + j] = threadIdx.x; //~ here
}

// Two values of j fill the gap exactly.
//~ race-free
__global__ void mixed_radix_digit_ok()
{
    __shared__ int s[576];
    for (int j = 0; j < 2; j++) s[threadIdx.y * 32 + threadIdx.x * 2 + j] = threadIdx.x;
}

// [index] Read and write are residues 0 and 1 modulo 2, plus an odd multiple of y.
//~ race
__global__ void mixed_radix_residue_bad(int *out)
{
    __shared__ int s[1024];
    int x = threadIdx.x, y = threadIdx.y;
    s[2 * x + 17 * y] = x; //~ here
    out[y * 16 + x] = s[2 * x + 17 * y + 1]; //~ here
}

// An even multiple of y keeps the residues apart.
//~ race-free
__global__ void mixed_radix_residue_ok(int *out)
{
    __shared__ int s[1024];
    int x = threadIdx.x, y = threadIdx.y;
    s[2 * x + 34 * y] = x;
    out[y * 16 + x] = s[2 * x + 34 * y + 1];
}

// [identity] A warp is 32 consecutive ranks: in a 16 x 16 block two rows, so x == 0 holds for two lanes of it.
//~ race
__global__ void mixed_radix_warp_leader_bad()
{
    __shared__ int s[8];
    int rank = threadIdx.y * 16 + threadIdx.x;
    if (threadIdx.x == 0) s[rank / 32] = rank; //~ here
}

// The leader is rank 0 of the warp.
//~ race-free
__global__ void mixed_radix_warp_leader_ok()
{
    __shared__ int s[8];
    int rank = threadIdx.y * 16 + threadIdx.x;
    if (rank % 32 == 0) s[rank / 32] = rank;
}
