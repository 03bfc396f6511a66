// Construct: what host code makes sure of before it launches, and nodes of graphs

#include <cassert>

// A program that goes on behind an `assert` has it hold.
//~ race-free
__global__ void check_assert_ok(int *o, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i % w] = i;
}

// [assert-of-another] The `assert` is about another number.
//~ race
__global__ void check_assert_bad(int *o, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i % w] = i; //~ here
}

// [assert-too-late] It comes behind the launch.
//~ race
__global__ void check_assert_late_bad(int *o, int n, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i % w] = i; //~ here
}

// Blocks of the size with the best occupancy are whole warps.
//~ race-free
__global__ void check_occupancy_ok(int *o)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    o[blockIdx.x * blockDim.x + t] = s[t - t % 32 + (t + 1) % 32];
}

// [odd-limit] Where the program limits the size, the last warp need not be full: lanes read what another writes no more.
//~ race
__global__ void check_occupancy_bad(int *o)
{
    if (blockDim.x % 32 != 0) o[0] = threadIdx.x; //~ here
}

// [no-limit-on-blocks] As many blocks as fit share the elements.
//~ race
__global__ void check_occupancy_blocks_bad(int *o)
{
    o[threadIdx.x] = blockIdx.x; //~ here
}

// A node of a graph.
//~ race-free
__global__ void check_node_ok(int *o) { o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; }

// [node-changed] The parameters are changed between two nodes.
//~ race
__global__ void check_node_bad(int *o) { o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; } //~ here

// [node-updated] The node is given other parameters later.
//~ race
__global__ void check_node_update_bad(int *o) { o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; } //~ here

// [node-handed-out] Whoever has the parameters may launch it.
//~ race
__global__ void check_node_given_bad(int *o) { o[blockIdx.x * 256 + threadIdx.x] = threadIdx.x; } //~ here

// A type that two headers declare alike is one.
typedef unsigned int checked_size;
typedef unsigned int checked_size;

//~ race-free
__global__ void check_repeated_ok(int *o, checked_size n)
{
    checked_size i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) o[i] = i;
}

// [too-wide] Blocks are wider than the rows.
//~ race
__global__ void check_repeated_bad(int *o, checked_size n)
{
    checked_size i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) o[i] = threadIdx.x; //~ here
}

void check_asserts(int *o, int n, int w)
{
    assert(w >= n);
    check_assert_ok<<<(n + 63) / 64, 64>>>(o, n, w);
}

void check_other_asserts(int *o, int n, int w, int v)
{
    assert(v >= n && w > 0);
    check_assert_bad<<<(n + 63) / 64, 64>>>(o, n, w);
}

void check_late(int *o, int n, int w)
{
    check_assert_late_bad<<<(n + 63) / 64, 64>>>(o, n, w);
    assert(w >= n);
}

void check_occupancy(int *o, int limit)
{
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, check_occupancy_ok, 0, 0);
    check_occupancy_ok<<<blocks, threads>>>(o);
    check_occupancy_blocks_bad<<<blocks, threads>>>(o);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, check_occupancy_bad, 0, limit);
    check_occupancy_bad<<<1, threads>>>(o);
}

void check_nodes(cudaGraph_t graph, cudaGraphExec_t runs, int *o)
{
    cudaGraphNode_t node;
    void *args[] = {&o};
    cudaKernelNodeParams params = {0};
    params.func = (void *)check_node_ok;
    params.gridDim = dim3(64, 1, 1);
    params.blockDim = dim3(256, 1, 1);
    params.kernelParams = args;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    params.func = (void *)check_node_bad;
    params.blockDim.x = 257;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    params.func = (void *)check_node_update_bad;
    params.blockDim.x = 256;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    params.blockDim = dim3(512);
    cudaGraphExecKernelNodeSetParams(runs, node, &params);
    params.func = (void *)check_node_given_bad;
    params.blockDim = dim3(256);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    check_elsewhere(&params);
}

void check_types(int *o, checked_size n)
{
    checked_size blocks = (n + 511) / 512;
    check_repeated_ok<<<blocks, 512>>>(o, n);
    check_repeated_bad<<<blocks, 512>>>(o, n);
}

// [alias] Parameters of a node in one list: both arguments are one allocation.
//~ race
__global__ void check_node_list_bad(int *a, int *b) { a[threadIdx.x] = b[threadIdx.x + 1] + threadIdx.x; } //~ here

void check_node_list(cudaGraph_t graph, int *g)
{
    void *args[] = {&g, &g};
    cudaKernelNodeParams params = {(void *)check_node_list_bad, dim3(1), dim3(64), 0, args, nullptr};
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
}
