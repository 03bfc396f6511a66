//--blockDim=[16,8] --gridDim=4
// Construct: collectives of CUB that are told the shape of the block, or another one
#include <cub/cub.cuh>

// The block has 16 by 8 threads, and the collective is told so.
//~ race-free
__global__ void collective_of_rows_ok(int *out, const int *in)
{
    typedef cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 8> Scan;
    __shared__ typename Scan::TempStorage storage;
    int t = threadIdx.y * 16 + threadIdx.x, sum;
    Scan(storage).ExclusiveSum(in[blockIdx.x * 128 + t], sum);
    out[blockIdx.x * 128 + t] = sum;
}

// [wrong-shape] It is told a row of 128 threads, numbers them by x alone, and eight threads have one number.
//~ race potential
__global__ void collective_of_one_row_bad(int *out, const int *in)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage storage;
    int t = threadIdx.y * 16 + threadIdx.x, rank, kept = in[blockIdx.x * 128 + t] != 0;
    Scan(storage).ExclusiveSum(kept, rank);
    if (kept)
        out[blockIdx.x * 128 + rank] = t; //~ here
}

// [wrong-shape] A store numbers the threads likewise: eight of them move one row of four items.
//~ fn_race
__global__ void store_of_one_row_bad(int *out)
{
    typedef cub::BlockStore<int, 128, 4> Store;
    __shared__ typename Store::TempStorage storage;
    int t = threadIdx.y * 16 + threadIdx.x, own[4] = {t, t, t, t};
    Store(storage).Store(out + blockIdx.x * 512, own); //~ here
}
