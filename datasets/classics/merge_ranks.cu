//--blockDim=128 --gridDim=4
// Merging by ranks: each element computes where it goes, and goes there.

__device__ int merge_rank(const int *run, int n, int x)
{
    int lo = 0;
    int hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (run[mid] < x) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

// The rank is computed from data. The runs need not be sorted, nor their elements distinct, as far
// as the kernel can know: two threads may compute one rank (equal keys do).
//~ race
__global__ void merge_ranks_bad(const int *a, const int *b, int *out)
{
    __shared__ int run_a[64];
    __shared__ int run_b[64];
    int tid = threadIdx.x;
    int base = blockIdx.x * 64;
    if (tid < 64) run_a[tid] = a[base + tid];
    else run_b[tid - 64] = b[base + tid - 64];
    __syncthreads();
    if (tid < 64) {
        int x = run_a[tid];
        int rank = merge_rank(run_b, 64, x);
        out[2 * base + tid + rank] = x; //~ here
    } else {
        int x = run_b[tid - 64];
        int rank = merge_rank(run_a, 64, x);
        out[2 * base + tid - 64 + rank] = x; //~ here
    }
}

// The ranks come from an array that an earlier kernel filled; the contract says that its values
// are pairwise different, so the scatter hits different elements, in all blocks.
//~ race-free
__global__ void merge_scatter_distinct_ok(const int *key, const int *rank, int *out)
{
    // warplog: distinct rank
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[rank[i]] = key[i];
}

// The same scatter without the contract: two equal ranks make two threads write one element.
//~ race
__global__ void merge_scatter_bad(const int *key, const int *slot, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[slot[i]] = key[i]; //~ here
}

// Each thread finds its own element by the rank of its position, reading where the other scatters:
// a gather through data-dependent indices writes only out[i].
//~ race-free
__global__ void merge_gather_ok(const int *key, const int *from, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = key[from[i]];
}
