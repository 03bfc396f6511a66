// Construct: sizes of tensors that become an int, and rows of heads of batches
#include <torch/extension.h>

inline __host__ int tiles_of(int a, int b) { return a % b != 0 ? a / b + 1 : a / b; }

// Each block writes the rows of its tile, of one head of one batch.
//~ race-free
__global__ void sizes_heads_ok(float *o, int rows, int heads)
{
    int batch = blockIdx.y / heads, head = blockIdx.y % heads;
    int start = batch * heads * rows * 512 + head * rows * 512;
    int row = blockIdx.x * 128 + threadIdx.x / 2;
    if (threadIdx.x % 2 == 0)
        for (int j = 0; j < 64; j++) o[start + row * 512 + j * 8] = batch + row;
}

// [batch] The heads of all batches are written to one place.
//~ race
__global__ void sizes_heads_bad(float *o, int rows, int heads)
{
    int batch = blockIdx.y / heads, head = blockIdx.y % heads;
    int start = head * rows * 512;
    int row = blockIdx.x * 128 + threadIdx.x / 2;
    if (threadIdx.x % 2 == 0)
        for (int j = 0; j < 64; j++) o[start + row * 512 + j * 8] = batch + row; //~ here
}

// No thread leaves early, as the rows fill their tiles: a question that every barrier asks.
//~ race-free
__global__ void sizes_left_ok(const float *in, float *o, int rows)
{
    __shared__ float s[128];
    int row = blockIdx.x * 128 + threadIdx.x / 2;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < rows; k++) {
        if (threadIdx.x % 2 == 0) s[threadIdx.x / 2] = in[k * 128 + threadIdx.x / 2];
        __syncthreads();
        sum += s[127 - threadIdx.x / 2];
        __syncthreads();
        sum = __shfl_xor_sync(0xffffffff, sum, 1);
        sum += __shfl_xor_sync(0xffffffff, sum, 2);
        for (int j = 0; j < 16; j++) {
            sum += __shfl_xor_sync(0xffffffff, sum, 4);
            __syncthreads();
        }
    }
    __syncthreads();
    o[blockIdx.x * 256 + threadIdx.x] = __shfl_sync(0xffffffff, sum, 0, 4);
}

// [partial tile] Nobody says that the rows fill their tiles.
//~ divergence
__global__ void sizes_left_bad(const float *in, float *o, int rows)
{
    __shared__ float s[128];
    int row = blockIdx.x * 128 + threadIdx.x / 2;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < rows; k++) {
        if (threadIdx.x % 2 == 0) s[threadIdx.x / 2] = 0;
        __syncthreads(); //~ here
        sum += s[127 - threadIdx.x / 2];
        __syncthreads(); //~ here
    }
    o[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(torch::Tensor q, torch::Tensor o)
{
    const int batches = q.size(0), heads = q.size(1), rows = q.size(2);
    TORCH_CHECK(rows % 128 == 0);
    dim3 grid(tiles_of(rows, 128), batches * heads);
    sizes_heads_ok<<<grid, 256>>>(o.data_ptr<float>(), rows, heads);
    sizes_heads_bad<<<grid, 256>>>(o.data_ptr<float>(), rows, heads);
    sizes_left_ok<<<tiles_of(rows, 128), 256>>>(q.data_ptr<float>(), o.data_ptr<float>(), rows);
}

void run_any(torch::Tensor q, torch::Tensor o)
{
    const int rows = q.size(2);
    sizes_left_bad<<<tiles_of(rows, 128), 256>>>(q.data_ptr<float>(), o.data_ptr<float>(), rows);
}
