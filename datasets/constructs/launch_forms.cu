// Construct: launches by calls of the runtime, in the spelling of CUDA and of HIP

// cudaLaunchKernel takes the addresses of the arguments: the width is the block.
//~ race-free
__global__ void launch_form_array_ok(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x;
}

// [launch] The width is one less than the block.
//~ race
__global__ void launch_form_array_bad(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x; //~ here
}

// A cooperative launch of 64 threads in one block.
//~ race-free
__global__ void launch_form_cooperative_ok(int *g)
{
    g[threadIdx.x] = blockIdx.x;
}

// [launch] Two blocks write the same elements.
//~ race
__global__ void launch_form_cooperative_bad(int *g)
{
    g[threadIdx.x] = blockIdx.x; //~ here
}

// The configuration is a class.
//~ race-free
__global__ void launch_form_configuration_ok(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x;
}

// [launch] The block of the configuration is twice the width.
//~ race
__global__ void launch_form_configuration_bad(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x; //~ here
}

// HIP's macro, which takes the kernel first.
//~ race-free
__global__ void launch_form_hip_ok(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x;
}

// [launch] Blocks of 64, rows of 32.
//~ race
__global__ void launch_form_hip_bad(int *g, int width)
{
    g[blockIdx.x * width + threadIdx.x] = blockIdx.x; //~ here
}

// HIP's macro with a template.
//~ race-free
template <int WIDTH>
__global__ void launch_form_hip_template_ok(int *g)
{
    g[blockIdx.x * WIDTH + threadIdx.x] = blockIdx.x;
}

// [launch] The same, with a block that is wider than the rows.
//~ race
template <int WIDTH>
__global__ void launch_form_hip_template_bad(int *g)
{
    g[blockIdx.x * WIDTH + threadIdx.x] = blockIdx.x; //~ here
}

// Launched through a macro of the file.
//~ race-free
__global__ void launch_form_macro_ok(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
}

// [launch] The macro doubles the block.
//~ race
__global__ void launch_form_macro_bad(int *g)
{
    g[blockIdx.x * 64 + threadIdx.x] = blockIdx.x; //~ here
}

#define LAUNCH_FORM(kernel, blocks, threads, ...) kernel<<<(blocks), (threads)>>>(__VA_ARGS__)
#define LAUNCH_FORM_DOUBLE(kernel, blocks, threads, ...) LAUNCH_FORM(kernel, blocks, 2 * (threads), __VA_ARGS__)

void launch_forms_host(int *d, cudaStream_t stream)
{
    int width = 64;
    void *args[] = {&d, &width};
    cudaLaunchKernel((void *)launch_form_array_ok, dim3(4), dim3(64), args, 0, stream);
    width = 63;
    cudaLaunchKernel((const void *)&launch_form_array_bad, dim3(4), dim3(64), args, 0, stream);

    void *one[1] = {(void *)&d};
    dim3 block(64);
    cudaLaunchCooperativeKernel((void *)launch_form_cooperative_ok, dim3(1), block, one, 0, stream);
    cudaLaunchCooperativeKernel((void *)launch_form_cooperative_bad, dim3(2), block, one, 0, stream);

    cudaLaunchConfig_t config = {};
    config.gridDim = 4;
    config.blockDim = dim3(64, 1, 1);
    cudaLaunchKernelEx(&config, launch_form_configuration_ok, d, 64);
    config.blockDim.x = 128;
    cudaLaunchKernelEx(&config, launch_form_configuration_bad, d, 64);

    hipLaunchKernelGGL(launch_form_hip_ok, dim3(4), dim3(64), 0, stream, d, 64);
    hipLaunchKernelGGL(launch_form_hip_bad, dim3(4), dim3(64), 0, stream, d, 32);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(launch_form_hip_template_ok<64>), dim3(4), dim3(64), 0, 0, d);
    hipLaunchKernelGGL((launch_form_hip_template_bad<64>), dim3(4), dim3(128), 0, 0, d);

    LAUNCH_FORM(launch_form_macro_ok, 4, 64, d);
    LAUNCH_FORM_DOUBLE(launch_form_macro_bad, 4, 64, d);
}
