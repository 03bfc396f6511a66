//--blockDim=2048 --gridDim=1
// After Li et al., "Parametric Flows" (GKLEE_p, SC 2012): two conditions on the thread id make four
// flows of threads; one race is between two classes of the first, one between two of the second.

// First pair: thread 1024 reads the element that thread 1023 writes. (Thread 1025 and up read
// elements that nobody writes.) Second pair: each even thread reads its odd neighbour's element, in
// the same warp.
//~ race
__global__ void gkleep_flows_bad(const int *in, int *out)
{
    __shared__ int low[2048];
    __shared__ int odd[2048];
    int t = threadIdx.x;
    if (t < 1024) low[t] = in[t]; //~ here
    else out[t] = low[t - 1]; //~ here
    __syncthreads();
    if (t % 2 == 1) odd[t] = in[t] + 1; //~ here
    else out[t] = odd[t + 1]; //~ here
}

// A barrier between the arms of each pair: the flows are the same, the intervals are not.
//~ race-free
__global__ void gkleep_flows_ok(const int *in, int *out)
{
    __shared__ int low2[2048];
    __shared__ int odd2[2048];
    int t = threadIdx.x;
    if (t < 1024) low2[t] = in[t];
    __syncthreads();
    if (t >= 1024) out[t] = low2[t - 1];
    __syncthreads();
    if (t % 2 == 1) odd2[t] = in[t] + 1;
    __syncthreads();
    if (t % 2 == 0) out[t] = odd2[t + 1];
}

// The four flows with elements of their own: below 1024 neighbours are swapped, above it the odd
// threads take the even places from the top down and the even ones the odd places.
//~ race-free
__global__ void gkleep_classes_ok(const int *in, int *out)
{
    __shared__ int part[2048];
    int t = threadIdx.x;
    if (t < 1024) {
        if (t % 2 == 1) part[t - 1] = in[t];
        else part[t + 1] = in[t];
    } else {
        if (t % 2 == 1) part[3071 - t] = in[t];
        else part[t + 1] = in[t];
    }
    out[t] = in[t];
}

// One of the four flows is shifted by one: thread 1024 and thread 2047 both take place 1024.
//~ race
__global__ void gkleep_classes_bad(const int *in, int *out)
{
    __shared__ int part2[2048];
    int t = threadIdx.x;
    if (t < 1024) {
        if (t % 2 == 1) part2[t - 1] = in[t];
        else part2[t + 1] = in[t];
    } else {
        if (t % 2 == 1) part2[3071 - t] = in[t]; //~ here
        else part2[t] = in[t]; //~ here
    }
    out[t] = in[t];
}
