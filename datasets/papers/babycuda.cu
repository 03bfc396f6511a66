// After Liew et al., "Provable GPU data-races" (BabyCUDA, PLACES 2024): an alarm is true when neither an
// index nor the control flow depends on data that is read from arrays. No launch is stated.

// Data-independent and race-free: a shift by one with a barrier between reading and writing.
//~ race-free
__global__ void babycuda_shift_ok(int *a)
{
    extern __shared__ int x[];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    x[t] = a[g];
    __syncthreads();
    int v = t > 0 ? x[t - 1] : 0;
    __syncthreads();
    x[t] = v;
    a[g] = x[t];
}

// Data-independent and racy: the alarm is certainly true, whatever the arrays hold.
//~ race
__global__ void babycuda_shift_bad(int *a)
{
    extern __shared__ int x2[];
    int t = threadIdx.x;
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    x2[t] = a[g]; //~ here
    int v = t > 0 ? x2[t - 1] : 0; //~ here
    __syncthreads();
    a[g] = v;
}

// A loop with a parametric bound, still data-independent: iteration i of one thread meets iteration
// i + 1 of the one below.
//~ race
__global__ void babycuda_window_bad(int *a, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) a[g + i] = g; //~ here
}

// The windows of the threads are n long and n apart.
//~ race-free
__global__ void babycuda_window_ok(int *a, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) a[g * n + i] = g;
}

// Data-dependent index: an alarm that may be false, since the contents decide. Here nothing is known
// of them.
//~ race
__global__ void babycuda_index_bad(const int *idx, int *a)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    a[idx[g]] = g; //~ here
}

// The same index, stated to be without repetition: the alarm would be false.
//~ race-free
__global__ void babycuda_index_ok(const int *perm, int *a)
{
    // warplog: distinct perm
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    a[perm[g]] = g;
}

// Data-dependent control: two threads may both find their flag set.
//~ race
__global__ void babycuda_control_bad(const int *flag, int *a)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (flag[g] > 0) a[0] = g; //~ here
}

// Data-dependent control over the thread's own element is harmless.
//~ race-free
__global__ void babycuda_control_ok(const int *flag, int *a)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (flag[g] > 0) a[g] = g;
    else a[g] = -g;
}

// A condition on data that both threads read alike: the arms exclude each other, because nobody
// writes the selector. Without that the arms would conflict.
//~ race-free
__global__ void babycuda_selector_ok(const int *selector, int *a)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (selector[0] > 0) a[g] = g;
    else a[g + 1] = g;
}

// Each thread has a selector of its own: the arms meet.
//~ race
__global__ void babycuda_selector_bad(const int *selector, int *a)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (selector[g] > 0) a[g] = g; //~ here
    else a[g + 1] = g + 1000; //~ here
}
