// One thread an element, for every size of block and grid.
//= equal axpy_plain_ok axpy_return_ok axpy_pointer_ok axpy_locals_ok axpy_two_steps_ok axpy_doubled_guard_ok
//= different axpy_plain_ok axpy_short_ok axpy_long_ok axpy_next_ok axpy_swapped_ok axpy_minus_ok axpy_first_ok axpy_unsigned_ok
//= different axpy_return_ok axpy_short_ok axpy_long_ok axpy_next_ok axpy_swapped_ok axpy_minus_ok axpy_first_ok
//= different axpy_locals_ok axpy_short_ok axpy_long_ok axpy_next_ok axpy_swapped_ok axpy_minus_ok axpy_first_ok

// The specification.
//~ race-free
__global__ void axpy_plain_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// The thread returns early.
//~ race-free
__global__ void axpy_return_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = y[i] + x[i] * a;
}

// By a pointer.
//~ race-free
__global__ void axpy_pointer_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *place = y + i;
    if (!(i >= n)) {
        float old = *place;
        *place = x[i] * a + old;
    }
}

// By locals and a negated difference.
//~ race-free
__global__ void axpy_locals_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float before, more;
    if (n - i > 0) {
        before = y[i];
        more = a * x[i];
        y[i] = more + before;
    }
}

// Two steps.
//~ race-free
__global__ void axpy_two_steps_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += a * x[i];
    }
}

// Under a condition that always holds.
//~ race-free
__global__ void axpy_doubled_guard_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        if (i != n)
            y[i] = a * x[i] + y[i];
    }
}

// One element too few.
//~ race-free
__global__ void axpy_short_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        y[i] = a * x[i] + y[i];
}

// One element too many.
//~ race-free
__global__ void axpy_long_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a * x[i] + y[i];
}

// The neighbour of the element.
//~ race-free
__global__ void axpy_next_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i + 1] + y[i];
}

// The factor is the other one.
//~ race-free
__global__ void axpy_swapped_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * y[i] + x[i];
}

// A difference.
//~ race-free
__global__ void axpy_minus_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] - y[i];
}

// The first element is left alone.
//~ race-free
__global__ void axpy_first_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n)
        y[i] = a * x[i] + y[i];
}

// A comparison without signs leaves out the first element.
//~ race-free
__global__ void axpy_unsigned_ok(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((unsigned)(i - 1) < (unsigned)n - 1u && n > 0)
        y[i] = a * x[i] + y[i];
}
