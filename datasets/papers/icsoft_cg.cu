//--blockDim=128 --gridDim=1
// After Sarkar et al. (ICSOFT 2018), program "CG": one block, two dot products per step with one
// scratch array and a helper.

__device__ float icsoft_cg_dot(float *scratch, float product)
{
    int t = threadIdx.x;
    scratch[t] = product;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) scratch[t] += scratch[t + s];
        __syncthreads();
    }
    float total = scratch[0];
    __syncthreads();
    return total;
}

// The helper ends with a barrier after its last read: it may be called again at once.
//~ race-free
__global__ void icsoft_cg_ok(const float *diag, float *x, float *r, float *p, int steps)
{
    __shared__ float scratch[128];
    int t = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        float q = diag[t] * p[t];
        float rr = icsoft_cg_dot(scratch, r[t] * r[t]);
        float alpha = rr / icsoft_cg_dot(scratch, p[t] * q);
        x[t] += alpha * p[t];
        r[t] -= alpha * q;
        float beta = icsoft_cg_dot(scratch, r[t] * r[t]) / rr;
        p[t] = r[t] + beta * p[t];
    }
}

__device__ float icsoft_cg_dot_open(float *scratch, float product)
{
    int t = threadIdx.x;
    scratch[t] = product; //~ here
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) scratch[t] += scratch[t + s];
        __syncthreads();
    }
    return scratch[0]; //~ here
}

// The helper returns without it: thread 0's first store of the second call meets the last reads of
// the first.
//~ race
__global__ void icsoft_cg_scratch_bad(const float *diag, float *x, float *r, float *p, int steps)
{
    __shared__ float scratch2[128];
    int t = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        float q = diag[t] * p[t];
        float rr = icsoft_cg_dot_open(scratch2, r[t] * r[t]);
        float alpha = rr / icsoft_cg_dot_open(scratch2, p[t] * q);
        x[t] += alpha * p[t];
        r[t] -= alpha * q;
    }
}

// A sparse product reads p of other rows while those rows already update theirs.
//~ race
__global__ void icsoft_cg_sparse_bad(const int *start, const int *column, const float *value, float *p, int steps)
{
    int t = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        float q = 0.0f;
        for (int e = start[t]; e < start[t + 1]; e++) q += value[e] * p[column[e]]; //~ here
        p[t] = q; //~ here
        __syncthreads();
    }
}

// Barriers on both sides of the update. The columns may be anything, they are only read.
//~ race-free
__global__ void icsoft_cg_sparse_ok(const int *start, const int *column, const float *value, float *p, int steps)
{
    int t = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        float q = 0.0f;
        for (int e = start[t]; e < start[t + 1]; e++) q += value[e] * p[column[e]];
        __syncthreads();
        p[t] = q;
        __syncthreads();
    }
}
