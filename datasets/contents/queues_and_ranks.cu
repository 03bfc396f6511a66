//--blockDim=256 --gridDim=4
// Contents: queues and ranks whose places come from counters, votes and scans

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// A queue of the block, in the order in which its threads come, is handed on behind a barrier.
//~ race-free
__global__ void queue_handed_on_ok(const int *in, int *out, int *many)
{
    __shared__ int queue[256], length, from;
    int t = threadIdx.x;
    if (t == 0) length = 0;
    __syncthreads();
    int v = in[blockIdx.x * 256 + t];
    if (v > 0) queue[atomicAdd(&length, 1)] = v;
    __syncthreads();
    if (t == 0) from = atomicAdd(many, length);
    __syncthreads();
    if (t < length) out[from + t] = queue[t];
}

// [room] A place is taken once more for the next element.
//~ race
__global__ void queue_room_bad(const int *in, int *out, int *many)
{
    __shared__ int queue[257], length, from;
    int t = threadIdx.x;
    if (t == 0) length = 0;
    __syncthreads();
    int v = in[blockIdx.x * 256 + t];
    if (v > 0) {
        int at = atomicAdd(&length, 1);
        queue[at] = v;     //~ here
        queue[at + 1] = 0; //~ here
    }
    __syncthreads();
    if (t == 0) from = atomicAdd(many, length);
    __syncthreads();
    if (t < length) out[from + t] = queue[t];
}

// [barrier] The length is read while others still count.
//~ race
__global__ void queue_no_barrier_bad(const int *in, int *out, int *many)
{
    __shared__ int queue[256], length, from;
    int t = threadIdx.x;
    if (t == 0) length = 0;
    __syncthreads();
    int v = in[blockIdx.x * 256 + t];
    if (v > 0) queue[atomicAdd(&length, 1)] = v;
    if (t == 0) from = atomicAdd(many, length); //~ here
    __syncthreads();
    if (t < length) out[from + t] = queue[t];
}

// The smallest of a warp decides for all its lanes who comes to the barrier of the warp's part.
//~ race-free
__global__ void least_decides_ok(const int *in, int *out)
{
    __shared__ int part[256];
    int t = threadIdx.x, w = t / 32, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    int least = __reduce_min_sync(0xffffffff, v);
    if (least > 0) {
        part[t] = v;
        __syncwarp();
        if (lane == 0) out[blockIdx.x * 8 + w] = part[t + least % 32];
    }
}

// [own number] Each lane decides by its own number.
//~ divergence
__global__ void own_decides_bad(const int *in, int *out)
{
    __shared__ int part[256];
    int t = threadIdx.x, w = t / 32, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    int least = __reduce_min_sync(0xffffffff, v);
    if (v > least) {
        part[t] = v;
        __syncwarp(); //~ here
        if (lane == 0) out[blockIdx.x * 8 + w] = part[t];
    }
}

// Bits that all lanes have: one number in all lanes.
//~ race-free
__global__ void common_bits_ok(const unsigned *in, unsigned *out)
{
    unsigned v = in[blockIdx.x * 256 + threadIdx.x];
    unsigned all = __reduce_and_sync(0xffffffff, v);
    if (all & 1) __syncwarp();
    if ((threadIdx.x & 31) == 0) out[blockIdx.x * 8 + threadIdx.x / 32] = all;
}

// Places in a tile by a scan of how many each thread has.
//~ race-free
__global__ void tile_places_ok(const unsigned *in, unsigned *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned many = in[blockIdx.x * 256 + threadIdx.x] & 3;
    unsigned at = cg::exclusive_scan(tile, many, cg::plus<unsigned>());
    for (unsigned k = 0; k < many; k++) out[blockIdx.x * 1024 + threadIdx.x / 32 * 128 + at + k] = k;
}

// [inclusive] The sum with its own begins behind its own.
//~ race
__global__ void tile_places_close_bad(const unsigned *in, unsigned *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned many = in[blockIdx.x * 256 + threadIdx.x] & 3;
    unsigned at = cg::exclusive_scan(tile, many, cg::plus<unsigned>());
    for (unsigned k = 0; k <= many; k++) out[blockIdx.x * 1024 + threadIdx.x / 32 * 128 + at + k] = k; //~ here
}

// The largest of a tile is one number in it: all its threads take the same way to its barrier.
//~ race-free
__global__ void tile_largest_ok(const int *in, int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int v = in[blockIdx.x * 256 + threadIdx.x];
    int most = cg::reduce(tile, v, cg::greater<int>());
    if (most > 7) tile.sync();
    if (tile.thread_rank() == 0) out[blockIdx.x * 16 + threadIdx.x / 16] = most;
}

// Ranks among the lanes that have an element, by a vote: places are apart within the warp, and each warp has its own part.
//~ race-free
__global__ void ranked_by_vote_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    unsigned who = __ballot_sync(0xffffffff, v > 0);
    if (v > 0) out[blockIdx.x * 256 + (t & ~31) + __popc(who & ((1u << lane) - 1))] = v;
}

// [mask] Lanes up to its own: lane 31 counts none of them.
//~ race
__global__ void ranked_by_short_mask_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    unsigned who = __ballot_sync(0xffffffff, v > 0);
    if (v > 0) out[blockIdx.x * 256 + (t & ~31) + __popc(who & ((1u << (lane & 15)) - 1))] = v; //~ here
}

// Both halves of a partition by one vote: those that have none go behind the others.
//~ race-free
__global__ void parted_by_vote_ok(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    unsigned who = __ballot_sync(0xffffffff, v > 0), below = (1u << lane) - 1;
    int at = v > 0 ? __popc(who & below) : __popc(who) + __popc(~who & below);
    out[blockIdx.x * 256 + (t & ~31) + at] = v;
}

// [behind] Those that have none go to the end of as many as there are lanes that have none.
//~ race
__global__ void parted_by_vote_bad(const int *in, int *out)
{
    int t = threadIdx.x, lane = t & 31;
    int v = in[blockIdx.x * 256 + t];
    unsigned who = __ballot_sync(0xffffffff, v > 0), below = (1u << lane) - 1;
    int at = v > 0 ? __popc(who & below) : __popc(~who) + __popc(~who & below);
    out[blockIdx.x * 512 + (t & ~31) * 2 + at] = v; //~ here
}
