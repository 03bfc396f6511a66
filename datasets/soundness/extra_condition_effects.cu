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
