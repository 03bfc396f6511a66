// Iterative solvers that ask whether anything still moves. No launch is stated.

// Whoever has not converged clears the flag: many writers, one value.
//~ race-free
__global__ void converged_flag_ok(const float *x, float *y, int *all_converged, float eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float v = 0.5f * (x[i - 1] + x[i + 1]);
        y[i] = v;
        if (fabsf(v - x[i]) > eps) *all_converged = 0;
    }
}

// The flag also records where: the values differ from thread to thread.
//~ race
__global__ void converged_where_bad(const float *x, float *y, int *moving, float eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float v = 0.5f * (x[i - 1] + x[i + 1]);
        y[i] = v;
        if (fabsf(v - x[i]) > eps) *moving = i; //~ here
    }
}

// Those who have converged look at the flag in the same kernel: same-value writes are benign among
// each other, not against a read.
//~ race
__global__ void converged_read_bad(const float *x, float *y, int *all_done, float eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float v = 0.5f * (x[i - 1] + x[i + 1]);
        if (fabsf(v - x[i]) > eps) *all_done = 0; //~ here
        else y[i] = (float)*all_done; //~ here
    }
}

// One writer sets the flag, others clear it, in the same launch.
//~ race
__global__ void converged_reset_bad(const float *x, int *all_quiet, float eps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *all_quiet = 1; //~ here
    if (i > 0 && i < n) {
        if (fabsf(x[i] - x[i - 1]) > eps) *all_quiet = 0; //~ here
    }
}
