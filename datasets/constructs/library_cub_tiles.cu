//--blockDim=128 --gridDim=4
// Construct: tiles that CUB loads, stores, sorts and exchanges, storages in unions, collectives of warps, operators with bodies
#include <cub/cub.cuh>

// Rows of four items, read and written by their thread.
//~ race-free
__global__ void tile_in_place_ok(int *data)
{
    typedef cub::BlockLoad<int, 128, 4> Load;
    typedef cub::BlockStore<int, 128, 4> Store;
    __shared__ typename Load::TempStorage in;
    __shared__ typename Store::TempStorage out;
    int items[4];
    Load(in).Load(data + blockIdx.x * 512, items);
    for (int j = 0; j < 4; j++) items[j] += 1;
    Store(out).Store(data + blockIdx.x * 512, items);
}

// [missing barrier] Transposed: what a thread stores another one has loaded, and no barrier is promised.
//~ race
__global__ void tile_transposed_bad(int *data)
{
    typedef cub::BlockLoad<int, 128, 4> Load;
    typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ typename Load::TempStorage in;
    __shared__ typename Store::TempStorage out;
    int items[4];
    Load(in).Load(data + blockIdx.x * 512, items); //~ here
    Store(out).Store(data + blockIdx.x * 512, items); //~ here
}

// With a barrier between.
//~ race-free
__global__ void tile_transposed_ok(int *data)
{
    typedef cub::BlockLoad<int, 128, 4> Load;
    typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ typename Load::TempStorage in;
    __shared__ typename Store::TempStorage out;
    int items[4];
    Load(in).Load(data + blockIdx.x * 512, items);
    __syncthreads();
    Store(out).Store(data + blockIdx.x * 512, items);
}

// The last tile has fewer items.
//~ race-free
__global__ void tile_guarded_ok(const int *in, int *out, int n)
{
    typedef cub::BlockLoad<int, 128, 2, cub::BLOCK_LOAD_STRIPED> Load;
    typedef cub::BlockStore<int, 128, 2, cub::BLOCK_STORE_STRIPED> Store;
    __shared__ typename Load::TempStorage first;
    __shared__ typename Store::TempStorage second;
    int items[2], from = blockIdx.x * 256;
    Load(first).Load(in + from, items, n - from, 0);
    Store(second).Store(out + from, items, n - from);
}

// [index] Tiles of neighbouring blocks overlap by one thread's items.
//~ race
__global__ void tile_overlap_bad(const int *in, int *out)
{
    typedef cub::BlockStore<int, 128, 2, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ typename Store::TempStorage storage;
    int items[2] = {in[threadIdx.x], in[threadIdx.x + 128]};
    Store(storage).Store(out + blockIdx.x * 254, items); //~ here
}

// The same without the overlap.
//~ race-free
__global__ void tile_apart_ok(const int *in, int *out)
{
    typedef cub::BlockStore<int, 128, 2, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ typename Store::TempStorage storage;
    int items[2] = {in[threadIdx.x], in[threadIdx.x + 128]};
    Store(storage).Store(out + blockIdx.x * 256, items);
}

// One storage for loading, sorting and storing, with barriers between.
//~ race-free
__global__ void tile_sorted_ok(int *data)
{
    typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    typedef cub::BlockRadixSort<int, 128, 4> Sort;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
        typename Store::TempStorage store;
    } all;
    int items[4];
    Load(all.load).Load(data + blockIdx.x * 512, items);
    __syncthreads();
    Sort(all.sort).Sort(items);
    __syncthreads();
    Store(all.store).Store(data + blockIdx.x * 512, items);
}

// [missing barrier] The sort uses what the load still hands round.
//~ race
__global__ void tile_sorted_bad(int *data)
{
    typedef cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockRadixSort<int, 128, 4, int> Sort;
    __shared__ union {
        typename Load::TempStorage load;
        typename Sort::TempStorage sort;
    } all;
    int items[4], places[4] = {0, 1, 2, 3};
    Load(all.load).Load(data + blockIdx.x * 512, items); //~ here
    Sort(all.sort).SortDescending(items, places); //~ here
    data[2048 + (blockIdx.x * 128 + threadIdx.x)] = items[0] + places[0];
}

// [missing barrier] Another member of the union is written while the scan may still use it.
//~ race
__global__ void tile_union_member_bad(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ union {
        typename Scan::TempStorage scan;
        int list[128];
    } all;
    int i = blockIdx.x * 128 + threadIdx.x, before;
    Scan(all.scan).ExclusiveSum(in[i], before); //~ here
    all.list[threadIdx.x] = before; //~ here
    out[i] = before;
}

// A struct has room for both.
//~ race-free
__global__ void tile_struct_member_ok(const int *in, int *out)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ struct {
        typename Scan::TempStorage scan;
        int list[128];
    } all;
    int i = blockIdx.x * 128 + threadIdx.x, before;
    Scan(all.scan).ExclusiveSum(in[i], before);
    all.list[threadIdx.x] = before;
    out[i] = before;
}

// Each warp has a storage.
//~ race-free
__global__ void warp_storages_ok(const float *in, float *out)
{
    typedef cub::WarpReduce<float> Reduce;
    __shared__ typename Reduce::TempStorage storage[4];
    int warp = threadIdx.x / 32;
    float sum = Reduce(storage[warp]).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = sum;
}

// [index] Warps 0 and 2 share a storage.
//~ race
__global__ void warp_storages_bad(const float *in, float *out)
{
    typedef cub::WarpReduce<float> Reduce;
    __shared__ typename Reduce::TempStorage storage[4];
    int warp = threadIdx.x / 32;
    float sum = Reduce(storage[warp & 1]).Sum(in[blockIdx.x * 128 + threadIdx.x]); //~ here
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = sum;
}

// [missing barrier] The warp uses its storage again.
//~ race
__global__ void warp_reuse_bad(const float *in, float *out)
{
    typedef cub::WarpScan<float> Scan;
    __shared__ typename Scan::TempStorage storage[4];
    int i = blockIdx.x * 128 + threadIdx.x, warp = threadIdx.x / 32;
    float sum, most;
    Scan(storage[warp]).InclusiveSum(in[i], sum); //~ here
    Scan(storage[warp]).InclusiveScan(in[i], most, cub::Max()); //~ here
    out[i] = sum + most;
}

// A barrier of the warp is enough.
//~ race-free
__global__ void warp_reuse_ok(const float *in, float *out)
{
    typedef cub::WarpScan<float> Scan;
    __shared__ typename Scan::TempStorage storage[4];
    int i = blockIdx.x * 128 + threadIdx.x, warp = threadIdx.x / 32;
    float sum, most;
    Scan(storage[warp]).InclusiveSum(in[i], sum);
    __syncwarp();
    Scan(storage[warp]).InclusiveScan(in[i], most, cub::Max());
    out[i] = sum + most;
}

// [mask] A collective of the warp that half of its lanes come to.
//~ divergence
__global__ void warp_half_bad(const float *in, float *out)
{
    typedef cub::WarpReduce<float> Reduce;
    __shared__ typename Reduce::TempStorage storage[4];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 < 16) {
        float sum = Reduce(storage[warp]).Sum(in[threadIdx.x]); //~ here
        if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + warp] = sum;
    }
}

struct Weighted {
    const float *weights;
    __device__ float operator()(float a, float b) const { return a * weights[0] + b; } //~ here
};

// [missing barrier] The operator reads what a thread has just written.
//~ race
__global__ void operator_reads_bad(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ float weight;
    if (threadIdx.x == 0) weight = in[0]; //~ here
    Weighted add{&weight};
    float sum = Reduce(storage).Reduce(in[blockIdx.x * 128 + threadIdx.x], add);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// With a barrier before.
//~ race-free
__global__ void operator_reads_ok(const float *in, float *out)
{
    typedef cub::BlockReduce<float, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ float weight;
    if (threadIdx.x == 0) weight = in[0];
    __syncthreads();
    Weighted add{&weight};
    float sum = Reduce(storage).Reduce(in[blockIdx.x * 128 + threadIdx.x], add);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

struct Running {
    int total;
    __device__ int operator()(int aggregate)
    {
        int before = total;
        total += aggregate;
        return before;
    }
};

// A callback carries the sum from tile to tile; the aggregate is one number for the block.
//~ race-free
__global__ void running_sums_ok(const int *in, int *out, int tiles)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage storage;
    Running running{0};
    for (int k = 0; k < tiles; k++) {
        int value = in[k * 128 + threadIdx.x];
        Scan(storage).ExclusiveSum(value, value, running);
        __syncthreads();
        out[(blockIdx.x * tiles + k) * 128 + threadIdx.x] = value;
        int all;
        Scan(storage).InclusiveSum(value, value, all);
        __syncthreads();
        if (all > 1000) break;
    }
}

// [missing barrier] No barrier at the end of a round.
//~ race
__global__ void running_sums_bad(const int *in, int *out, int tiles)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage storage;
    Running running{0};
    for (int k = 0; k < tiles; k++) {
        int value = in[k * 128 + threadIdx.x];
        Scan(storage).ExclusiveSum(value, value, running); //~ here
        out[(blockIdx.x * tiles + k) * 128 + threadIdx.x] = value;
    }
}

// An object that is declared with its storage, and an operator that is a lambda.
//~ race-free
__global__ void declared_object_ok(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ Reduce::TempStorage storage;
    Reduce reduce(storage);
    int most = reduce.Reduce(in[blockIdx.x * 128 + threadIdx.x], [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x == 0) out[blockIdx.x] = most;
}

// [missing barrier] Two calls on such an object.
//~ race
__global__ void declared_object_bad(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ Reduce::TempStorage storage;
    Reduce reduce(storage);
    int sum = reduce.Sum(in[blockIdx.x * 128 + threadIdx.x]); //~ here
    int valid = reduce.Sum(in[threadIdx.x], 100); //~ here
    if (threadIdx.x == 0) out[blockIdx.x] = sum + valid;
}
