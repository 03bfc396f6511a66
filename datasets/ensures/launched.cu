// What host code passes is one argument of many: post-conditions speak of all of them.
//= fails passed_two_ok for i: i < blockDim.x => out[i] == 2
//= fails passed_size_ok for i: i < blockDim.x * gridDim.x => out[i] == 1
//= fails passed_twice_ok for i: i < blockDim.x * gridDim.x => out[i] == rows
//= fails passed_array_ok for i: i < blockDim.x * gridDim.x => out[i] == 2

// warplog: ensures for i: i < blockDim.x * gridDim.x => out[i] == k
//~ race-free
__global__ void passed_two_ok(int *out, int k)
{
    out[blockIdx.x * 64 + threadIdx.x] = k;
}

// warplog: ensures for i: i < n && i < blockDim.x * gridDim.x => out[i] == 1
//~ race-free
__global__ void passed_size_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 1;
}

// Host code passes one number for both.
// warplog: ensures for i: i < blockDim.x * gridDim.x => out[i] == columns
//~ race-free
__global__ void passed_twice_ok(int *out, int rows, int columns)
{
    out[blockIdx.x * 64 + threadIdx.x] = columns;
}

// Host code passes one array twice.
// warplog: ensures for i: i < blockDim.x * gridDim.x => out[i] == 1 + old(in[i])
//~ race-free
__global__ void passed_array_ok(int *out, const int *in)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = 1;
    out[i] = out[i] + in[i];
}

void host(int *p, int width)
{
    passed_two_ok<<<4, 64>>>(p, 2);
    passed_size_ok<<<4, 64>>>(p, 256);
    passed_twice_ok<<<4, 64>>>(p, width, width);
    passed_array_ok<<<4, 64>>>(p, p);
}
