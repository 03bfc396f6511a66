// How often, where loops depend on each other, and of which blocks, where their size is open.

// Below the diagonal: n·(n − 1)/2 elements.
//~ race-free
__global__ void cost_below_diagonal_bad(float *out, const float *in, int n)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) v += in[(i * n + j) * 64 + threadIdx.x * 2];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// The diagonal and above: n·(n + 1)/2.
//~ race-free
__global__ void cost_above_diagonal_bad(float *out, const float *in, int n)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) v += in[(i * n + j) * 64 + threadIdx.x * 2];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A corner of a cube: n·(n − 1)·(n + 1)/6.
//~ race-free
__global__ void cost_corner_bad(float *out, const float *in, int n)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k <= j; k++) v += in[((i * n + j) * n + k) * 64 + threadIdx.x * 2];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Up to another bound, which may be the smaller one: no sum.
//~ race-free
__global__ void cost_other_bound_bad(float *out, const float *in, int n, int m)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++) v += in[(i * n + j) * 64 + threadIdx.x * 2];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// Each second element: more for blocks that begin anywhere, less for small ones.
//~ race-free
__global__ void cost_any_block_bad(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i];
}

// Each second word: sixteen threads have a bank each.
//~ race-free
__global__ void cost_any_block_shared_bad(float *out)
{
    __shared__ float s[2048];
    s[threadIdx.x * 2] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x * 2];
}

// The rest of a row that is read four elements at a time: of the lanes that have a rest, there is one.
//~ race-free
__global__ void cost_rest_of_row_ok(float *out, const float *in, int n)
{
    float v = 0;
    int first = threadIdx.x * 4;
    int rest = n - first;
    if (rest > 0 && rest < 4)
        for (int k = 0; k < 3; k++)
            if (k < rest) v += in[first + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A rest of up to eight elements: two lanes may have one, but they are told as if all had.
//~ race-free
__global__ void cost_longer_rest_bad(float *out, const float *in, int n)
{
    float v = 0;
    int first = threadIdx.x * 4;
    int rest = n - first;
    if (rest > 0 && rest < 8) v = in[first];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A block that nobody says the size of: only eight rows of eight threads fit the tile, whose columns are two banks wide.
//~ race
__global__ void cost_tile_of_eight_bad(double *out)
{
    __shared__ double tile[8][8];
    tile[threadIdx.y][threadIdx.x] = threadIdx.x; //~ here
    __syncthreads();
    out[8 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; //~ here
}

// The rows of a block add up: rows of one thread, of which nobody has 1024, are told in the condition alone.
//~ race-free
__global__ void cost_short_rows_bad(int *out)
{
    __shared__ int sum[64];
    atomicAdd(&sum[threadIdx.x], (int)threadIdx.y);
}

// A stride that is doubled, and one that is halved: as often as a logarithm says.
//~ race-free
__global__ void cost_doubled_bad(float *out, const float *in, int n)
{
    float v = 0;
    for (int d = 1; d < n; d *= 2) v += in[threadIdx.x * 8 + d];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

//~ race-free
__global__ void cost_halved_bad(float *out, const float *in)
{
    float v = 0;
    for (int d = blockDim.x / 2; d > 0; d >>= 1) v += in[threadIdx.x * 8 + d];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
