// Groups for the thread sanitizer: the block, and tiles of at most a warp. Tiles order the memory of their own threads.
#pragma once
#include "simt.h"

namespace cooperative_groups {

struct thread_block {
    void sync() const { __syncthreads(); }
    unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
};
static inline thread_block this_thread_block() { return {}; }

template <unsigned N> struct thread_block_tile {
    static_assert(N <= 32, "tiles of several warps have no barrier here");
    unsigned mask() const { return (N == 32 ? ~0u : (1u << N % 32) - 1) << (unsigned)simt_lane() / N * N; }
    // One thread waits for nobody; the barriers of the runtime share a lock, which would order it.
    void sync() const { if (N > 1) __syncwarp(mask()); }
    unsigned thread_rank() const { return this_thread_block().thread_rank() % N; }
    unsigned meta_group_rank() const { return this_thread_block().thread_rank() / N; }
    unsigned size() const { return N; }
    unsigned num_threads() const { return N; }
    template <class T> T shfl(T v, int lane) const { return __shfl_sync(mask(), v, lane, N); }
    template <class T> T shfl_down(T v, unsigned by) const { return __shfl_down_sync(mask(), v, by, N); }
    template <class T> T shfl_up(T v, unsigned by) const { return __shfl_up_sync(mask(), v, by, N); }
    template <class T> T shfl_xor(T v, int by) const { return __shfl_xor_sync(mask(), v, by, N); }
    int any(int p) const { return __any_sync(mask(), p); }
    int all(int p) const { return __all_sync(mask(), p); }
};
template <unsigned N, class Group> thread_block_tile<N> tiled_partition(const Group &) { return {}; }
template <class Group> void sync(const Group &group) { group.sync(); }

} // namespace cooperative_groups
