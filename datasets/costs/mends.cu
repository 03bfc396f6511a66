//--blockDim=[32,32] --gridDim=2
// What helps, and the same kernel with it: behind each access stands what its worst request takes.

struct Three { float x; float y; float z; };

// A column of a tile whose rows are as long as there are banks.
//~ race-free
__global__ void cost_mend_column_bad(float *out)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x; //: shared 1 in 64
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x][y]; //: global 4 in 64, shared 32 in 64
}

// Padded by one element.
//~ race-free
__global__ void cost_mend_column_ok(float *out)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x; //: shared 1 in 64
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x][y]; //: global 4 in 64, shared 1 in 64
}

// A column of short numbers, two to a word.
//~ race-free
__global__ void cost_mend_short_column_bad(short *out)
{
    __shared__ short tile[32][64];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x; //: shared 1 in 64
    tile[y][x + 32] = x; //: shared 1 in 64
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x][2 * y]; //: global 2 in 64, shared 32 in 64
}

// Padded by two of them, a word.
//~ race-free
__global__ void cost_mend_short_column_ok(short *out)
{
    __shared__ short tile[32][66];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = x; //: shared 1 in 64
    tile[y][x + 32] = x; //: shared 1 in 64
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x][2 * y]; //: global 2 in 64, shared 1 in 64
}

// The first coordinate of the thread counts rows.
//~ race-free
__global__ void cost_mend_rows_bad(float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[blockIdx.x * 1024 + x * 32 + y] = 1; //: global 32 in 64
}

// The coordinates exchanged.
//~ race-free
__global__ void cost_mend_rows_ok(float *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[blockIdx.x * 1024 + y * 32 + x] = 1; //: global 4 in 64
}

// A transposition: one of its sides is a column.
//~ race-free
__global__ void cost_mend_transpose_bad(float *out, const float *in)
{
    int x = threadIdx.x, y = threadIdx.y;
    float v = in[blockIdx.x * 1024 + y * 32 + x]; //: global 4 in 64
    out[blockIdx.x * 1024 + x * 32 + y] = v; //: global 32 in 64
}

// Through a tile in shared memory.
//~ race-free
__global__ void cost_mend_transpose_ok(float *out, const float *in)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[blockIdx.x * 1024 + y * 32 + x]; //: global 4 in 64, shared 1 in 64
    __syncthreads();
    out[blockIdx.x * 1024 + y * 32 + x] = tile[x][y]; //: global 4 in 64, shared 1 in 64
}

// Two numbers of each lane, one after the other.
//~ race-free
__global__ void cost_mend_pairs_bad(float *out, const float *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    float re = in[2 * i]; //: global 8 in 64
    float im = in[2 * i + 1]; //: global 8 in 64
    out[i] = re + im; //: global 4 in 64
}

// Both in one access of eight bytes.
//~ race-free
__global__ void cost_mend_pairs_ok(float *out, const float2 *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    float2 both = in[i]; //: global 8 in 64
    out[i] = 1; //: global 4 in 64
}

// The first of each two numbers alone: to fetch both at once would not help.
//~ race-free
__global__ void cost_mend_first_bad(float *out, const float *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = in[2 * i]; //: global 4 in 64, global 8 in 64
}

// An array of first numbers.
//~ race-free
__global__ void cost_mend_first_ok(float *out, const float *first)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = first[i]; //: global 4 in 64, global 4 in 64
}

// The two in the middle of each four: no access of eight bytes begins there, and one of sixteen would fetch the others as well.
//~ race-free
__global__ void cost_mend_between_bad(float *out, const float *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = in[4 * i + 1] + in[4 * i + 2]; //: global 4 in 64, global 16 in 64, global 16 in 64
}

// Each of them in an array of its own.
//~ race-free
__global__ void cost_mend_between_ok(float *out, const float *second, const float *third)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = second[i] + third[i]; //: global 4 in 64, global 4 in 64, global 4 in 64
}

// Four numbers of each lane.
//~ race-free
__global__ void cost_mend_quads_bad(float *out, const float *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    float a = in[4 * i]; //: global 16 in 64
    float b = in[4 * i + 1]; //: global 16 in 64
    float c = in[4 * i + 2]; //: global 16 in 64
    float d = in[4 * i + 3]; //: global 16 in 64
    out[i] = a + b + c + d; //: global 4 in 64
}

// All in one access of sixteen bytes.
//~ race-free
__global__ void cost_mend_quads_ok(float *out, const float4 *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    float4 all = in[i]; //: global 16 in 64
    out[i] = 1; //: global 4 in 64
}

// Structures one after the other.
//~ race-free
__global__ void cost_mend_structures_bad(float *out, const Three *in)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = in[i].x + in[i].y + in[i].z; //: global 4 in 64, global 12 in 64, global 12 in 64, global 12 in 64
}

// Each field in an array of its own.
//~ race-free
__global__ void cost_mend_structures_ok(float *out, const float *x, const float *y, const float *z)
{
    int i = blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    out[i] = x[i] + y[i] + z[i]; //: global 4 in 64, global 4 in 64, global 4 in 64, global 4 in 64
}
