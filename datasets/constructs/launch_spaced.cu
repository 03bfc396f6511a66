// Construct: launches whose brackets are written with spaces between them, as formatters for C++ do

// The row of 64 is one thread's each.
//~ race-free
__global__ void spaced_launch_ok(int *out, const int *in)
{
    int t = threadIdx.x;
    out[t] = in[t] + 1;
}

// [missing barrier] Each reads what another one wrote.
//~ race
__global__ void spaced_launch_bad(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; //~ here
    out[t] = s[63 - t]; //~ here
}

// [launch] With two blocks every element is written twice.
//~ race
__global__ void spaced_blocks_bad(int *out)
{
    out[threadIdx.x] = blockIdx.x; //~ here
}

template <class T> struct Box { T inner; };
struct Shown { int count; };
template <class T> Shown &operator<<(Shown &to, T) { return to; }

void launch_spaced()
{
    // No launch, though the brackets look like one's.
    Shown shown = {0};
    operator<< <Box<Box<Box<int>>>>(shown, Box<Box<Box<int>>>());
    int *out, *in;
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&in, 64 * sizeof(int));
    spaced_launch_ok << <1, 64 >> >(out, in);
    spaced_launch_bad << < 1, dim3(64) >> > (out);
    spaced_blocks_bad << <(8 >> 2), 64, 0> >> (out);
}
