// What differs only for sizes and elements that no run with numbers comes to: the proof has to see it.
//= different raised_in_loop_ok raised_sooner_ok
//= different doubled_far_ok doubled_farther_ok
//= different summed_ok summed_to_bound_ok
//= different left_by_loop_ok left_at_bound_ok
//= different in_turn_ok in_turn_but_one_ok

// What the loop stores holds behind it only where the loop is gone through.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void raised_in_loop_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 100; k < n; k++) {
        if (n > 50)
            s[t] += k;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = n > 50 ? s[t] : 5;
}

// Between 46 and 50 another value is stored, and the loop is not gone through.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void raised_sooner_ok(int *out, const int *in, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 100; k < n; k++) {
        if (n > 45)
            s[t] += k;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = n > 45 ? s[t] : 5;
}

// Doubled behind an element.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_far_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i > 70000 ? 2 * i : i;
}

// Doubled behind the next one.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void doubled_farther_ok(int *out, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = i > 70001 ? 2 * i : i;
}

// A sum of all.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void summed_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
}

// Of as many as there are, up to 90000.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void summed_to_bound_ok(int *out, const int *in, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n && k < 90000; k++)
        sum += in[k];
    if (i < n)
        out[i] = sum;
}

// A variable keeps what the last iteration gave it.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void left_by_loop_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, last = 7;
    s[t] = t;
    __syncthreads();
    for (int k = 80000; k < n; k++) {
        last = s[63 - t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = last;
}

// The first iteration gives it another value than the later ones, and is the last one of 80001.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void left_at_bound_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x, last = 7;
    s[t] = t;
    __syncthreads();
    for (int k = 80000; k < n; k++) {
        last = k > 80000 ? s[63 - t] : s[t];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = last;
}

// Turned by one at each iteration.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void in_turn_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int next = s[(t + 1) % 64];
        __syncthreads();
        s[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}

// At one iteration not.
// warplog: launch block=64 grid=(n+63)/64
//~ race-free
__global__ void in_turn_but_one_ok(int *out, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int next = s[(t + 1) % 64];
        __syncthreads();
        if (k != 60000)
            s[t] = next;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = s[t];
}
