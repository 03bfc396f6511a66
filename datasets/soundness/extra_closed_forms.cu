//--blockDim=64 --gridDim=1
// Extra: loop variables that have no closed form, or another one than it seems

// [closed-form] The step depends on the data: 64 or 32.
//~ race
__global__ void conditional_step_bad(const int *q, int *g, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = t; i < n; k++) {
        g[i] = t; //~ here
        if (q[k] > 0) i += 64;
        else i += 32;
    }
}

// Both arms step by 64.
//~ race-free
__global__ void conditional_step_ok(const int *q, int *g, int n)
{
    int t = threadIdx.x, k = 0;
    for (int i = t; i < n; k++) {
        g[i] = t;
        if (q[k] > 0) i += 64;
        else i = 64 + i;
    }
}

// [closed-form] The body takes back half of the step.
//~ race
__global__ void step_in_body_bad(int *g, int n)
{
    int t = threadIdx.x;
    for (int i = t; i < n; i += 64) {
        g[i] = t; //~ here
        if (t & 32) i -= 32;
    }
}

// Body and header together step by 64.
//~ race-free
__global__ void step_in_body_ok(int *g, int n)
{
    int t = threadIdx.x;
    for (int i = t; i < n; i += 96) {
        g[i] = t;
        i -= 32;
    }
}

// [closed-form] A recurrence i -> 2i + 1 from t: 0 goes to 1, which is thread 1's start.
//~ race
__global__ void recurrence_bad()
{
    __shared__ int s[256];
    int i = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        s[i] = threadIdx.x; //~ here
        i = 2 * i + 1;
    }
}

// With a row per step the recurrence is injective.
//~ race-free
__global__ void recurrence_ok()
{
    __shared__ int s[512];
    int i = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        s[k * 256 + i] = threadIdx.x;
        i = 2 * i + 1;
    }
}

// [closed-form] i = t, t/2, t/4, …: the paths from the leaves to the root meet.
//~ race
__global__ void halved_id_bad()
{
    __shared__ int s[64];
    for (int i = threadIdx.x; i > 0; i /= 2) s[i] = threadIdx.x; //~ here
}

// Only the leaf is stored.
//~ race-free
__global__ void halved_id_ok()
{
    __shared__ int s[64];
    for (int i = threadIdx.x; i > 31; i /= 2) s[i] = threadIdx.x;
}

// [closed-form] The bound falls while the variable rises; the element is counted from the bound.
//~ race
__global__ void moving_bound_bad()
{
    __shared__ int s[128];
    int t = threadIdx.x, m = 8;
    for (int i = 0; i < m; i++) {
        m--;
        s[t + m] = i; //~ here
    }
}

// [closed-form] The inner variable starts anew in each outer iteration.
//~ race
__global__ void inner_restart_bad(int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++)
        for (int j = t; j < 256; j += 64) s[j ^ (i & 1)] = t; //~ here
}

// A barrier keeps the outer iterations together.
//~ race-free
__global__ void inner_restart_ok(int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        for (int j = t; j < 256; j += 64) s[j ^ (i & 1)] = t;
        __syncthreads();
    }
}

// [closed-form] offset and d move together, but d started at 32: offset * d is 32 from then on, not 64.
//~ race
__global__ void coupled_pair_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x, offset = 1;
    for (int d = 32; d > 0; d >>= 1) {
        s[t % d * offset + t / d % offset] = t; //~ here
        offset *= 2;
        __syncthreads();
    }
}
