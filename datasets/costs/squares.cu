//--blockDim=[16,16] --gridDim=2
// Blocks of 16 by 16, whose warps span two rows.

// A row and a half to a warp.
//~ race-free
__global__ void cost_square_ok(float *out)
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[y][x]; //: shared 1 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Columns: two rows of threads in a warp.
//~ race-free
__global__ void cost_square_column_bad(float *out)
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[x][y]; //: shared 8 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Columns with rows of 17: the two rows of threads of a warp meet in one bank.
//~ race-free
__global__ void cost_square_column17_bad(float *out)
{
    __shared__ float s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[x][y]; //: shared 2 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// One word a row of threads.
//~ race-free
__global__ void cost_square_row_ok(float *out)
{
    __shared__ float s[16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[y]; //: shared 1 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Products of tiles: a word for each row and a row of words.
//~ race-free
__global__ void cost_square_product_ok(float *out)
{
    __shared__ float a[16][16];
    __shared__ float b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = 0;
    for (int k = 0; k < 16; k++) v += a[y][k] * b[k][x]; //: shared 1 in 256, shared 1 in 256
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Products of tiles, the second one transposed.
//~ race-free
__global__ void cost_square_product_bad(float *out)
{
    __shared__ float a[16][16];
    __shared__ float b[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = 0;
    for (int k = 0; k < 16; k++) v += a[y][k] * b[x][k]; //: shared 1 in 256, shared 8 in 256
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Rows of 32 in a block of 16 by 16.
//~ race-free
__global__ void cost_square_wide_bad(float *out)
{
    __shared__ float s[16][32];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[y][x]; //: shared 2 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// A transposition without a tile.
//~ race-free
__global__ void cost_transpose_bad(float *out, const float *in)
{
    int x = threadIdx.x, y = threadIdx.y;
    int c = blockIdx.x * 16 + x;
    out[c * 16 + y] = in[y * 32 + c]; //: global 4 in 16, global 16 in 16
}

// A transposition through a tile.
//~ race-free
__global__ void cost_transpose_tile_bad(float *out, const float *in)
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int c = blockIdx.x * 16 + x;
    s[y][x] = in[y * 32 + c]; //: global 4 in 16, shared 1 in 16
    __syncthreads();
    out[(blockIdx.x * 16 + y) * 16 + x] = s[x][y]; //: global 4 in 16, shared 8 in 16
}

// A transposition through a tile with rows of 17.
//~ race-free
__global__ void cost_transpose_tile17_bad(float *out, const float *in)
{
    __shared__ float s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    int c = blockIdx.x * 16 + x;
    s[y][x] = in[y * 32 + c]; //: global 4 in 16, shared 2 in 16
    __syncthreads();
    out[(blockIdx.x * 16 + y) * 16 + x] = s[x][y]; //: global 4 in 16, shared 2 in 16
}

// The border of a tile.
//~ race-free
__global__ void cost_square_border_bad(float *out)
{
    __shared__ float s[18][18];
    int x = threadIdx.x, y = threadIdx.y;
    float v = s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2]; //: shared 2 in 16, shared 2 in 16, shared 2 in 16, shared 2 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}

// Threads on and below the diagonal.
//~ race-free
__global__ void cost_square_triangle_ok(float *out)
{
    __shared__ float s[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float v = 0;
    if (x <= y) v = s[y][x]; //: shared 1 in 16
    out[blockIdx.x * 256 + y * 16 + x] = v; //: global 4 in 16
}
