// Construct: template kernels instantiated by launches in the same file

// Launched with N = 64 in blocks of 64.
//~ race-free
template <int N>
__global__ void template_launch_ok()
{
    __shared__ int s[N];
    s[threadIdx.x % N] = threadIdx.x;
}

// [launch] Launched with N = 32 in blocks of 64.
//~ race
template <int N>
__global__ void template_launch_bad()
{
    __shared__ int s[N];
    s[threadIdx.x % N] = threadIdx.x; //~ here
}

void template_launch_host()
{
    template_launch_ok<64><<<1, 64>>>();
    template_launch_bad<32><<<1, 64>>>();
}
