// One kernel against two that hand on an array.
//= equal fused_ok first_ok,second_ok
//= equal fused_ok first_in_place_ok,second_in_place_ok
//= different fused_ok first_ok,second_other_ok
//= different fused_ok first_in_place_ok
//= different first_ok,second_ok first_ok,second_other_ok

// Both steps at once.
//~ race-free
__global__ void fused_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (in[i] * 2.0f + 1.0f) * in[i];
}

// The first step.
//~ race-free
__global__ void first_ok(float *out, const float *in, float *part, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        part[i] = in[i] * 2.0f + 1.0f;
}

// The second.
//~ race-free
__global__ void second_ok(float *out, const float *in, float *part, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = part[i] * in[i];
}

// The second, in place.
//~ race-free
__global__ void second_in_place_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = out[i] * in[i];
}

// The first, into the result.
//~ race-free
__global__ void first_in_place_ok(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 2.0f + 1.0f;
}

// The second with another factor.
//~ race-free
__global__ void second_other_ok(float *out, const float *in, float *part, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = part[i] * part[i];
}
