// Construct: launches in functions, templates and lambdas that get the sizes from their callers

// The wrapper is called with blocks of 64.
//~ race-free
__global__ void launch_wrapper_ok(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
}

// [launch] One of its two calls asks for 128.
//~ race
__global__ void launch_wrapper_bad(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; //~ here
}

// The block size is a template argument of kernel and wrapper.
//~ race-free
template <int BLOCK>
__global__ void launch_dispatch_ok(int *g)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    g[blockIdx.x * BLOCK + threadIdx.x] = s[BLOCK - 1 - threadIdx.x];
}

// [launch] The wrapper launches twice as many threads as the kernel expects.
//~ race
template <int BLOCK>
__global__ void launch_dispatch_bad(int *g)
{
    __shared__ int s[BLOCK];
    s[threadIdx.x % BLOCK] = threadIdx.x; //~ here
}

// The switch says what the block size is.
//~ race-free
template <int BLOCK>
__global__ void launch_switch_ok(int *g)
{
    g[blockIdx.x * BLOCK + threadIdx.x] = blockIdx.x;
}

// [launch] One case falls through into the next.
//~ race
template <int BLOCK>
__global__ void launch_switch_bad(int *g)
{
    g[blockIdx.x * BLOCK + threadIdx.x] = blockIdx.x; //~ here
}

// A lambda launches it.
//~ race-free
__global__ void launch_lambda_ok(int *g)
{
    g[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
}

// [launch] The lambda sees the width as it is when it is called.
//~ race
__global__ void launch_lambda_bad(int *g)
{
    g[blockIdx.x * 32 + threadIdx.x] = blockIdx.x; //~ here
}

// The kernel is an argument of the wrapper.
//~ race-free
__global__ void launch_passed_ok(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x;
}

// [launch] So here, with a width that is not the block.
//~ race
__global__ void launch_passed_bad(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x; //~ here
}

// One of two kernels, each with its own block.
//~ race-free
__global__ void launch_chosen_ok(int *g)
{
    g[threadIdx.x] = blockIdx.x;
}

// [launch] The other one of the two gets the same launch.
//~ race
__global__ void launch_chosen_bad(int *g)
{
    g[threadIdx.x / 2] = threadIdx.x; //~ here
}

// [launch] The kernel is handed to a function of another file.
//~ race
__global__ void launch_elsewhere_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
}

static void launch_wrapper_run(int *d, int blocks, int threads)
{
    launch_wrapper_ok<<<blocks, 64>>>(d);
    launch_wrapper_bad<<<blocks, threads>>>(d);
}

template <int BLOCK>
static void launch_dispatch_run(int *d, int blocks)
{
    launch_dispatch_ok<BLOCK><<<blocks, BLOCK>>>(d);
    launch_dispatch_bad<BLOCK><<<blocks, 2 * BLOCK>>>(d);
}

static void launch_switch_run(int *d, int blocks, int threads)
{
    switch (threads) {
    case 64:
        launch_switch_ok<64><<<blocks, threads>>>(d);
        break;
    case 128:
        launch_switch_ok<128><<<blocks, threads>>>(d);
        break;
    }
    switch (threads) {
    case 128:
        threads = 128;
    case 64:
        launch_switch_bad<64><<<blocks, threads>>>(d);
        break;
    }
}

static void launch_passed_run(void (*kernel)(int *, int), int *d, int width)
{
    kernel<<<4, 64>>>(d, width);
}

void launch_tuner(void (*kernel)(int *));

int main(int argc, char **argv)
{
    int *d;
    cudaMalloc(&d, 1 << 20);
    int blocks = argc + 1;
    launch_wrapper_run(d, blocks, 64);
    launch_wrapper_run(d, 4, 128);

    launch_dispatch_run<32>(d, blocks);
    launch_dispatch_run<64>(d, blocks);
    launch_switch_run(d, blocks, atoi(argv[1]));

    int width = 32;
    auto run = [&](int count) {
        launch_lambda_ok<<<count, 32>>>(d);
        launch_lambda_bad<<<count, width>>>(d);
    };
    width = 64;
    run(3);

    launch_passed_run(launch_passed_ok, d, 64);
    launch_passed_run(launch_passed_bad, d, 63);

    void (*chosen)(int *) = argc > 2 ? launch_chosen_ok : launch_chosen_bad;
    chosen<<<1, 64>>>(d);

    launch_elsewhere_bad<<<1, 1>>>(d);
    launch_tuner(launch_elsewhere_bad);
    return 0;
}

// A function that times another one hands its arguments on.
//~ race-free
__global__ void launch_pack_ok(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i + 1];
}

// [overlap] One of the two calls passes the same array twice.
//~ race
__global__ void launch_pack_bad(int *to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i + 1]; //~ here
}

int *launch_pack_buffer;

void launch_pack_one(int block, const int *from, int n)
{
    launch_pack_ok<<<(n + block - 1) / block, block>>>(launch_pack_buffer, from, n);
}

void launch_pack_two(int block, int *to, const int *from, int n)
{
    launch_pack_bad<<<(n + block - 1) / block, block>>>(to, from, n);
}

template <class Function, class... Args>
float launch_pack_timed(int repeats, Function function, Args &&...args)
{
    for (int i = 0; i < repeats; i++) function(std::forward<Args>(args)...);
    return 0;
}

// The kernel itself is what a function gets, with its arguments.
//~ race-free
template <int BLOCK>
__global__ void launch_pack_kernel_ok(int *g)
{
    g[threadIdx.x % BLOCK] = threadIdx.x;
}

// [launch] The block is larger than the kernel expects.
//~ race
template <int BLOCK>
__global__ void launch_pack_kernel_bad(int *g)
{
    g[threadIdx.x % BLOCK] = threadIdx.x; //~ here
}

template <typename Kernel, typename... Args>
void launch_pack_with(Kernel kernel, int block, Args... args)
{
    kernel<<<1, block>>>(args...);
}

int main()
{
    int *a, *b;
    cudaMalloc((void **)&a, 4000);
    cudaMalloc((void **)&b, 4000);
    cudaMalloc((void **)&launch_pack_buffer, 4000);
    launch_pack_timed(100, launch_pack_one, 128, a, 900);
    launch_pack_timed(100, launch_pack_two, 128, a, b, 900);
    launch_pack_timed(100, &launch_pack_two, 128, b, b, 900);
    launch_pack_with(launch_pack_kernel_ok<64>, 64, a);
    launch_pack_with(launch_pack_kernel_bad<64>, 128, a);
}
