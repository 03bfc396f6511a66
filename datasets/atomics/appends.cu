// Appends to a list for which one lane draws the places of all that are together with it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int of_group(int *count)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int first = 0;
    if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
    return g.shfl(first, 0) + g.thread_rank();
}

// The lanes that keep something draw together.
//~ race-free
__global__ void append_group_ok(int *list, int *count, const int *in, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (in[i] > 0) list[of_group(count)] = in[i];
}

// Each bucket has its counter, and its lanes draw together; the buckets have lists of their own.
//~ race-free
__global__ void append_label_ok(int *list, int *counts, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bucket = in[i] & 15;
    cg::coalesced_group active = cg::coalesced_threads();
    auto g = cg::labeled_partition(active, bucket);
    int first = 0;
    if (g.thread_rank() == 0) first = atomicAdd(&counts[bucket], g.num_threads());
    int place = g.shfl(first, 0) + g.thread_rank();
    if (place >= 0 && place < 1024) list[bucket * 1024 + place] = i;
}

// By a mask of the lanes that are there: the lowest draws.
//~ race-free
__global__ void append_active_ok(int *list, unsigned int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        unsigned int there = __activemask();
        unsigned int lane = threadIdx.x % 32;
        int leader = __ffs(there) - 1;
        unsigned int first = 0;
        if (lane == leader) first = atomicAdd(count, __popc(there));
        first = __shfl_sync(there, first, leader);
        list[first + __popc(there & ((1u << lane) - 1))] = i;
    }
}

// By a vote of the whole warp: lane 0 draws for those that voted.
//~ race-free
__global__ void append_vote_ok(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (keep) list[first + __popc(votes & ((1u << lane) - 1))] = in[i];
}

// Several elements for each number.
//~ race-free
__global__ void append_pairs_ok(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] != 0) {
        int place = of_group(count);
        list[2 * place] = i;
        list[2 * place + 1] = in[i];
    }
}

// [append] One is added for the whole group: the next group gets places of this one.
//~ race
__global__ void append_one_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(count, 1);
        list[g.shfl(first, 0) + g.thread_rank()] = in[i]; //~ here
    }
}

// [append] The place of the leader for all.
//~ race
__global__ void append_no_rank_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
        list[g.shfl(first, 0)] = in[i]; //~ here
    }
}

// [append] The rank is that in the block, not in the group.
//~ race
__global__ void append_other_rank_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
        list[g.shfl(first, 0) + threadIdx.x] = in[i]; //~ here
    }
}

// [append] Size and rank are those of two groups: those who are there, and those of them that go on.
//~ race
__global__ void append_two_groups_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cg::coalesced_group all = cg::coalesced_threads();
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
        list[g.shfl(first, 0) + all.thread_rank()] = in[i]; //~ here
    }
}

// [append] The second lane is asked, which has not drawn.
//~ race
__global__ void append_other_lane_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
        list[g.shfl(first, 1) + g.thread_rank()] = in[i]; //~ here
    }
}

// [append] Every other thread has another counter, but one list.
//~ race
__global__ void append_counters_bad(int *list, int *counts, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        int first = 0;
        if (g.thread_rank() == 0) first = atomicAdd(&counts[threadIdx.x & 1], g.size());
        list[g.shfl(first, 0) + g.thread_rank()] = in[i]; //~ here
    }
}

// [append] Not all lanes of the group go on, and the first one may not be there.
//~ race
__global__ void append_left_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        if (in[i] > 5) {
            int first = 0;
            if (g.thread_rank() == 0) first = atomicAdd(count, g.size());
            list[g.shfl(first, 0) + g.thread_rank()] = in[i]; //~ here
        }
    }
}

// [append] Buckets have counters of their own, but one list.
//~ race
__global__ void append_label_bad(int *list, int *counts, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bucket = in[i] & 15;
    cg::coalesced_group active = cg::coalesced_threads();
    auto g = cg::labeled_partition(active, bucket);
    int first = 0;
    if (g.thread_rank() == 0) first = atomicAdd(&counts[bucket], g.num_threads());
    list[g.shfl(first, 0) + g.thread_rank()] = i; //~ here
}

// [append] Buckets by more bits than lanes have in common.
//~ race
__global__ void append_wide_label_bad(int *list, int *counts, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bucket = in[i] & 15;
    cg::coalesced_group active = cg::coalesced_threads();
    auto g = cg::labeled_partition(active, bucket & 7);
    int first = 0;
    if (g.thread_rank() == 0) first = atomicAdd(&counts[bucket], g.num_threads());
    int place = g.shfl(first, 0) + g.thread_rank();
    if (place >= 0 && place < 1024) list[bucket * 1024 + place] = i; //~ here
}

// [append] Others give places back.
//~ race
__global__ void append_given_back_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) list[of_group(count)] = in[i]; //~ here
    if (in[i] < 0) atomicSub(count, 1);
}

// [append] All lanes of the warp write, and only those that voted have places.
//~ race
__global__ void append_voters_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0);
    list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
}

// [append] Counted with the own lane: the last of one warp is the first of the next.
//~ race
__global__ void append_inclusive_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (keep) list[first + __popc(votes & ((2u << lane) - 1)) - (lane < 16)] = in[i]; //~ here
}

// [append] The lowest lane that voted draws, but lane 0 is asked.
//~ race
__global__ void append_asked_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == __ffs(votes) - 1) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (keep) list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
}

// [append] The vote is an earlier one.
//~ race
__global__ void append_stale_vote_bad(int *list, int *count, const int *in, int n)
{
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    bool later = in[i + n] > 0;
    unsigned int others = __ballot_sync(0xffffffffu, later);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (later) list[first + __popc(others & ((1u << lane) - 1))] = i; //~ here
}

// [append] Halves of the warp are asked apart, and only lane 0 has drawn.
//~ race
__global__ void append_width_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 0) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 0, 16);
    if (keep) list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
}

// [append] The counter is drawn from by others, too, who keep their number plus one.
//~ race
__global__ void append_mixed_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] > 0) list[of_group(count)] = in[i]; //~ here
    else list[atomicAdd(count, 1) + 1] = i; //~ here
}

// Only those that voted go on, and the lowest of them draws.
//~ race-free
__global__ void append_under_vote_ok(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int leader = __ffs(votes) - 1;
        int first;
        if (lane == leader) first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(votes, first, leader);
        list[first + __popc(votes & ((1u << lane) - 1))] = in[i];
    }
}

// The same; the others begin with 0.
//~ race-free
__global__ void append_under_vote_set_ok(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int leader = __ffs(votes) - 1;
        int first = 0;
        if (lane == leader) first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(votes, first, leader);
        list[first + __popc(votes & ((1u << lane) - 1))] = in[i];
    }
}

// [append] One place is drawn for all that voted.
//~ race
__global__ void append_under_vote_one_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int leader = __ffs(votes) - 1;
        int first;
        if (lane == leader) first = atomicAdd(count, 1);
        first = __shfl_sync(votes, first, leader);
        list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
    }
}

// [append] Those that did not vote write to the list, too.
//~ race
__global__ void append_under_vote_else_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int leader = __ffs(votes) - 1;
        int first;
        if (lane == leader) first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(votes, first, leader);
        list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
    } else {
        list[i] = 0; //~ here
    }
}

// [append] Lane 0 draws and is asked, if it voted.
//~ race
__global__ void append_under_vote_lane_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
        int first = 0;
        if (lane == 0) first = atomicAdd(count, __popc(votes));
        first = __shfl_sync(votes, first, 0);
        list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
    }
}

// [append] Lane 31 draws: the last warp of a block may have none.
//~ race
__global__ void append_last_lane_bad(int *list, int *count, const int *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool keep = in[i] > 0;
    unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int first = 0;
    if (lane == 31) first = atomicAdd(count, __popc(votes));
    first = __shfl_sync(0xffffffffu, first, 31);
    if (keep) list[first + __popc(votes & ((1u << lane) - 1))] = in[i]; //~ here
}
