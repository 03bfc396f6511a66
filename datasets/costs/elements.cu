//--blockDim=128 --gridDim=4
// Lanes and the sectors of global memory, in blocks of four warps.
struct Point { float x; float y; float z; };

// Neighbours want neighbours.
//~ race-free
__global__ void cost_global_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i]; //: global 4 in 16, global 4 in 16
}

// Every second element.
//~ race-free
__global__ void cost_global2_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[2 * i]; //: global 4 in 16, global 8 in 16
}

// Every third element.
//~ race-free
__global__ void cost_global3_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[3 * i]; //: global 4 in 16, global 12 in 16
}

// Every fourth element.
//~ race-free
__global__ void cost_global4_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[4 * i]; //: global 4 in 16, global 16 in 16
}

// A sector a lane.
//~ race-free
__global__ void cost_global8_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[8 * i]; //: global 4 in 16, global 32 in 16
}

// A line a lane.
//~ race-free
__global__ void cost_global32_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[32 * i]; //: global 4 in 16, global 32 in 16
}

// Begins one element late: five sectors.
//~ race-free
__global__ void cost_global_shifted_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i + 1]; //: global 4 in 16, global 5 in 16
}

// Begins a sector late.
//~ race-free
__global__ void cost_global_sector_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i + 8]; //: global 4 in 16, global 4 in 16
}

// All want one element.
//~ race-free
__global__ void cost_global_same_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[blockIdx.x]; //: global 1 in 16, global 4 in 16
}

// Backwards, within the block.
//~ race-free
__global__ void cost_global_backwards_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[blockIdx.x * 128 + 127 - threadIdx.x]; //: global 4 in 16, global 4 in 16
}

// Two lanes to an element.
//~ race-free
__global__ void cost_global_pairs_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i / 2]; //: global 2 in 16, global 4 in 16
}

// Groups of eight, each in a sector, far apart.
//~ race-free
__global__ void cost_global_groups_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[threadIdx.x / 8 * 1024 + threadIdx.x % 8]; //: global 4 in 16, global 4 in 16
}

// Groups of four, each in a sector of its own.
//~ race-free
__global__ void cost_global_fours_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[threadIdx.x / 4 * 1024 + threadIdx.x % 4]; //: global 4 in 16, global 8 in 16
}

// Halves far apart, neither at a boundary.
//~ race-free
__global__ void cost_global_halves_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[threadIdx.x / 16 * 1024 + threadIdx.x % 16 + 4]; //: global 4 in 16, global 6 in 16
}

// Along a row of each thread.
//~ race-free
__global__ void cost_global_rows_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = 0;
    for (int k = 0; k < 8; k++) v += in[i * 8 + k]; //: global 32 in 128
    out[i] = v; //: global 4 in 16
}

// Down a column of each thread.
//~ race-free
__global__ void cost_global_columns_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float v = 0;
    for (int k = 0; k < 8; k++) v += in[k * 512 + i]; //: global 4 in 128
    out[i] = v; //: global 4 in 16
}

// A grid-stride loop.
//~ race-free
__global__ void cost_grid_stride_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    for (int k = i; k < 2000; k += 512) out[k] = in[k]; //: global 4 in 63, global 4 in 63
}

// The bound cuts a warp.
//~ race-free
__global__ void cost_bound_ok(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < 300) out[i] = in[i]; //: global 4 in 10, global 4 in 10
}

// Every second lane.
//~ race-free
__global__ void cost_global_even_bad(float *out, const float *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i % 2 == 0) out[i] = in[i]; //: global 4 in 16, global 4 in 16
}

// Bytes.
//~ race-free
__global__ void cost_global_bytes_ok(char *out, const char *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i]; //: global 1 in 16, global 1 in 16
}

// Bytes, every fourth.
//~ race-free
__global__ void cost_global_bytes_bad(char *out, const char *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[4 * i]; //: global 1 in 16, global 4 in 16
}

// Eight bytes a lane.
//~ race-free
__global__ void cost_global_doubles_ok(double *out, const double *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i]; //: global 8 in 16, global 8 in 16
}

// Eight bytes a lane, every second.
//~ race-free
__global__ void cost_global_doubles_bad(double *out, const double *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[2 * i]; //: global 8 in 16, global 16 in 16
}

// A field of a structure of three.
//~ race-free
__global__ void cost_fields_bad(float *out, const Point *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i].y; //: global 4 in 16, global 12 in 16
}

// All fields of a structure of three, one after the other.
//~ race-free
__global__ void cost_all_fields_bad(float *out, const Point *in)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    out[i] = in[i].x + in[i].y + in[i].z; //: global 4 in 16, global 12 in 16, global 12 in 16, global 12 in 16
}

// A counter of the block.
//~ race-free
__global__ void cost_global_atomic_ok(int *out)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    atomicAdd(&out[blockIdx.x], 1); //: global 1 in 16
}
