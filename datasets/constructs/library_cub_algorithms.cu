//--blockDim=64 --gridDim=4
// Construct: algorithms of CUB that a constant of the program stands for
#include <cub/cub.cuh>

// Chosen by the number of threads: the tile is handed round in the storage.
//~ race-free
template <int THREADS>
__global__ void algorithm_chosen_ok(const float *in, float *out, int n)
{
    constexpr auto load_by = THREADS >= 32 ? cub::BLOCK_LOAD_WARP_TRANSPOSE : cub::BLOCK_LOAD_DIRECT;
    constexpr auto store_by = THREADS >= 32 ? cub::BLOCK_STORE_WARP_TRANSPOSE : cub::BLOCK_STORE_DIRECT;
    typedef cub::BlockLoad<float, THREADS, 4, load_by> Load;
    typedef cub::BlockStore<float, THREADS, 4, store_by> Store;
    __shared__ typename Load::TempStorage for_load;
    __shared__ typename Store::TempStorage for_store;
    float v[4];
    int base = blockIdx.x * THREADS * 4;
    Load(for_load).Load(in + base, v, n - base, 0.f);
    for (int j = 0; j < 4; j++) v[j] = -v[j];
    Store(for_store).Store(out + base, v, n - base);
}
template __global__ void algorithm_chosen_ok<64>(const float *, float *, int);

// [storage reused] No barrier stands between the two tiles.
//~ race
template <int THREADS>
__global__ void algorithm_reused_bad(const float *in, float *out)
{
    constexpr auto load_by = THREADS >= 32 ? cub::BLOCK_LOAD_TRANSPOSE : cub::BLOCK_LOAD_DIRECT;
    typedef cub::BlockLoad<float, THREADS, 2, load_by> Load;
    __shared__ typename Load::TempStorage storage;
    float v[2], w[2];
    Load(storage).Load(in, v); //~ here
    Load(storage).Load(in + THREADS * 2, w); //~ here
    out[blockIdx.x * THREADS + threadIdx.x] = v[0] + w[1];
}
template __global__ void algorithm_reused_bad<64>(const float *, float *);

// The direct algorithm leaves the storage alone, so that it may be used again.
//~ race-free
template <int THREADS>
__global__ void algorithm_direct_ok(const float *in, float *out)
{
    constexpr auto load_by = THREADS >= 1024 ? cub::BLOCK_LOAD_TRANSPOSE : cub::BLOCK_LOAD_DIRECT;
    typedef cub::BlockLoad<float, THREADS, 2, load_by> Load;
    __shared__ typename Load::TempStorage storage;
    float v[2], w[2];
    Load(storage).Load(in, v);
    Load(storage).Load(in + THREADS * 2, w);
    out[blockIdx.x * THREADS + threadIdx.x] = v[0] + w[1];
}
template __global__ void algorithm_direct_ok<64>(const float *, float *);

// [tile too long] The tiles of two blocks overlap in their last items.
//~ race
template <int THREADS>
__global__ void algorithm_tile_bad(float *out)
{
    constexpr auto store_by = THREADS >= 32 ? cub::BLOCK_STORE_STRIPED : cub::BLOCK_STORE_DIRECT;
    typedef cub::BlockStore<float, THREADS, 4, store_by> Store;
    __shared__ typename Store::TempStorage storage;
    float v[4] = {1.f * threadIdx.x, 2.f * blockIdx.x, 3, 4};
    Store(storage).Store(out + blockIdx.x * THREADS * 3, v); //~ here
}
template __global__ void algorithm_tile_bad<64>(float *);
