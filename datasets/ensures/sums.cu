// Sums and prefix sums. Every comment at a kernel holds; what fails stands here.
//= fails block_sum_ok for b: b < gridDim.x => out[b] == sum(k in 0..blockDim.x - 1: old(in[b * blockDim.x + k]))
//= fails block_sum_ok for b: b < gridDim.x => out[b] == sum(k in 0..blockDim.x: old(in[k]))
//= fails naive_scan_ok for i: i < n => out[i] == sum(k in 0..i + 1: old(in[k]))
//= fails naive_scan_ok out[0] == 1
//= fails naive_scan_ok for i: 0 < i && i < n => out[i] == out[i - 1] + old(in[i])
//= fails block_scan_ok for b, t: b < gridDim.x && t < blockDim.x => out[b * blockDim.x + t] == sum(k in 0..t: old(in[b * blockDim.x + k]))
//= fails differences_ok for i: i < n => out[i] == old(in[i])
//= holds shifted_ok,tripled_ok for i: i < n => out[i] == 3 * old(in[n - 1 - i]) + 3
//= fails shifted_ok,tripled_ok for i: i < n => out[i] == 3 * old(in[i]) + 3
//= fails shifted_ok,tripled_ok for i: i < n => out[i] == 3 * old(in[n - 1 - i]) + 1

// A tree in shared memory.
// warplog: launch block=128
// warplog: ensures for b: b < gridDim.x => out[b] == sum(k in 0..blockDim.x: old(in[b * blockDim.x + k]))
//~ race-free
__global__ void block_sum_ok(int *out, const int *in)
{
    __shared__ int s[128];
    s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    for (int o = 64; o > 0; o /= 2) {
        if (threadIdx.x < o)
            s[threadIdx.x] += s[threadIdx.x + o];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

// Each thread adds all before its own element.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures n > 0 => out[0] == 0
// warplog: ensures for i: 0 < i && i < n => out[i] == out[i - 1] + old(in[i - 1])
// warplog: ensures for i: i < n => out[i] == sum(k in 0..i: old(in[k]))
//~ race-free
__global__ void naive_scan_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        int s = 0;
        for (int k = 0; k < i; k++)
            s += in[k];
        out[i] = s;
    }
}

// Prefix sums of each block by doubling distances.
// warplog: launch block=64
// warplog: ensures for b, t: b < gridDim.x && t < blockDim.x => out[b * blockDim.x + t] == sum(k in 0..t + 1: old(in[b * blockDim.x + k]))
//~ race-free
__global__ void block_scan_ok(int *out, const int *in)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int o = 1; o < 64; o *= 2) {
        int before = t >= o ? s[t - o] : 0;
        __syncthreads();
        s[t] += before;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// From each element the one before it.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: 0 < i && i < n => out[i] == old(in[i]) - old(in[i - 1])
// warplog: ensures n > 0 => out[0] == old(in[0])
//~ race-free
__global__ void differences_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i > 0 ? in[i] - in[i - 1] : in[0];
}

// The first of two launches: one more, from the last to the first.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => part[i] == old(in[n - 1 - i]) + 1
//~ race-free
__global__ void shifted_ok(int *part, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        part[n - 1 - i] = in[i] + 1;
}

// The second: three times that.
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => out[i] == 3 * old(part[i])
//~ race-free
__global__ void tripled_ok(int *out, const int *part, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = part[i] + part[i] + part[i];
}
