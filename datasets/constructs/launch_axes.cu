// Sizes along an axis that a kernel never mentions, in launches that a caller chooses

// Nothing else depends on it: it is 1, as where nothing shows a launch.
//~ race-free
__global__ void axes_unused_ok(int *out, int n)
{
    out[threadIdx.x] += n;
}

// [condition] Launched only where it is more.
//~ race
__global__ void axes_condition_bad(int *out, int n)
{
    out[threadIdx.x] += n; //~ here
}

// [argument] The kernel is told.
//~ race
__global__ void axes_argument_bad(int *out, unsigned n)
{
    if (n > 1) out[threadIdx.x] += n; //~ here
}

// [product] The kernel is told how many threads there are.
//~ race
__global__ void axes_product_bad(int *out, unsigned n)
{
    if (n > blockDim.x) out[threadIdx.x] += n; //~ here
}

void launch(int *out, dim3 block)
{
    axes_unused_ok<<<1, block>>>(out, 1);
    if (block.y > 1)
        axes_condition_bad<<<1, block>>>(out, 1);
    axes_argument_bad<<<1, block>>>(out, block.y);
    axes_product_bad<<<1, block>>>(out, block.x * block.y * block.z);
}
