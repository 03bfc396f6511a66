// Tables that the program gives values, and that nothing changes, hold these.
//= equal by_table_ok by_formula_ok
//= equal by_own_table_ok by_formula_ok
//= different by_table_ok by_other_formula_ok
//= equal weighted_ok halved_ok
//= different weighted_ok thirded_ok
//= equal by_matrix_ok by_products_ok
//= different by_changed_table_ok by_formula_ok
//= different by_copied_table_ok by_formula_ok

static __constant__ int steps[4] = {1, 2, 3, 4};
static __constant__ float weight = 0.5f;
static __device__ int matrix[2][2] = {{1, 2}, {2, 4}};
static __device__ int changed[4] = {1, 2, 3, 4};
static __constant__ int copied[4] = {1, 2, 3, 4};

// The elements of a constant table.
//~ race-free
__global__ void by_table_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = steps[i & 3];
}

// One of the kernel itself.
//~ race-free
__global__ void by_own_table_ok(int *out)
{
    static const int own[4] = {1, 2, 3, 4};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = own[i & 3];
}

// What they are.
//~ race-free
__global__ void by_formula_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int last = i & 3;
    out[i] = last == 0 ? 1 : last == 1 ? 2 : last == 2 ? 3 : 4;
}

// The last one is another.
//~ race-free
__global__ void by_other_formula_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int last = i & 3;
    out[i] = last == 0 ? 1 : last == 1 ? 2 : last == 2 ? 3 : 5;
}

// A constant weight.
//~ race-free
__global__ void weighted_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * weight;
}

// What it is.
//~ race-free
__global__ void halved_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 0.5f;
}

// Something else.
//~ race-free
__global__ void thirded_ok(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] * 0.25f;
}

// A table of two dimensions.
//~ race-free
__global__ void by_matrix_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = 3 * matrix[0][1];
    out[2 * i + 1] = 3 * matrix[1][1];
}

// What stands in it.
//~ race-free
__global__ void by_products_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = 6;
    out[2 * i + 1] = 12;
}

// A table that host code changes where it is.
//~ race-free
__global__ void by_changed_table_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = changed[i & 3];
}

// A table that host code copies to.
//~ race-free
__global__ void by_copied_table_ok(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = copied[i & 3];
}

void host(const int *values)
{
    void *place;
    cudaGetSymbolAddress(&place, changed);
    cudaMemcpy(place, values, 16, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(copied, values, 16);
}
