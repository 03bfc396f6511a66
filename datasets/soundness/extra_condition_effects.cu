//--blockDim=64 --gridDim=2
// Extra: the evaluation of a loop's condition that ends the loop has its effects, too

// [exit value] Behind the loop i is n + 1, not n.
//~ race
__global__ void effect_of_last_condition_bad(int n)
{
    __requires(n >= 0 && n < 100);
    __shared__ int s[128];
    int i = 0;
    while (i++ < n) { }
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[n + 1] = 2; //~ here
}

// The element that it would be without the effect is another one.
//~ race-free
__global__ void effect_of_last_condition_ok(int n)
{
    __requires(n >= 0 && n < 100);
    __shared__ int s[128];
    int i = 0;
    while (i++ < n) { }
    if (threadIdx.x == 0) s[i] = 1;
    if (threadIdx.x == 1) s[n] = 2;
}

__device__ bool more(int &i, int n) { i = i + 1; return i <= n; }

// [exit value] The condition is a function that changes the variable.
//~ race
__global__ void effect_of_called_condition_bad(int n)
{
    __requires(n >= 0 && n < 100);
    __shared__ int s[128];
    int i = 0;
    while (more(i, n)) { }
    if (threadIdx.x == 0) s[i] = 1; //~ here
    if (threadIdx.x == 1) s[n + 1] = 2; //~ here
}

// [exit value] What the condition reads into a variable is not what it was.
//~ race
__global__ void effect_of_read_in_condition_bad(const int *in)
{
    __shared__ int s[128];
    int v = 1;
    while ((v = in[0]) > 5) { }
    if (threadIdx.x == 0) s[v & 127] = 1; //~ here
    if (threadIdx.x == 1) s[2] = 2; //~ here
}

// [last evaluation] The condition reads s[4] when it fails.
//~ race
__global__ void last_read_of_condition_bad(int *out)
{
    __shared__ int s[64];
    int x = 0, i = 0;
    if (threadIdx.x == 0) {
        while (x += s[i], i < 4) i++; //~ here
    }
    if (threadIdx.x == 1) s[4] = 1; //~ here
    out[blockIdx.x * 64 + threadIdx.x] = x;
}

// It does not read s[5].
//~ race-free
__global__ void last_read_of_condition_ok(int *out)
{
    __shared__ int s[64];
    int x = 0, i = 0;
    if (threadIdx.x == 0) {
        while (x += s[i], i < 4) i++;
    }
    if (threadIdx.x == 1) s[5] = 1;
    out[blockIdx.x * 64 + threadIdx.x] = x;
}

// [last evaluation] The same of a variable that doubles: s[16] is read.
//~ race
__global__ void last_read_of_doubling_condition_bad(int *out, int n)
{
    __requires(n <= 16);
    __shared__ int s[64];
    int x = 0;
    if (threadIdx.x == 0) {
        for (int i = 1; x += s[i], i < n; i *= 2) { } //~ here
    }
    if (threadIdx.x == 1) s[16] = 1; //~ here
    out[blockIdx.x * 64 + threadIdx.x] = x;
}

// It does not read s[32].
//~ race-free
__global__ void last_read_of_doubling_condition_ok(int *out, int n)
{
    __requires(n <= 16);
    __shared__ int s[64];
    int x = 0;
    if (threadIdx.x == 0) {
        for (int i = 1; x += s[i], i < n; i *= 2) { }
    }
    if (threadIdx.x == 1) s[32] = 1;
    out[blockIdx.x * 64 + threadIdx.x] = x;
}
