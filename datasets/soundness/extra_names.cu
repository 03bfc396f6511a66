//--blockDim=64 --gridDim=1
// Extra: names that are not what they seem

#define NEXT t + 1
#define HALF t / 2
#define HALF_SAFE (t / 2)

// [shadow] The inner t is 0 in all threads.
//~ race
__global__ void shadowed_id_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        int t = 0;
        s[t] = threadIdx.x; //~ here
    }
    s[0 * t + 1] = 7;
}

// The inner name ends with its block.
//~ race-free
__global__ void shadowed_id_ok()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    {
        int t = 0;
        t++;
    }
    s[t] = t;
}

// [shadow] The loop variable hides the thread id.
//~ race
__global__ void shadowed_by_loop_bad()
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int t = 0; t < 4; t++) s[t] = threadIdx.x; //~ here
    s[t | 60] = 7;
}

// 2 * NEXT is 2*t + 1: every element once.
//~ race-free
__global__ void macro_text_ok()
{
    __shared__ int s[130];
    int t = threadIdx.x;
    s[2 * NEXT] = t;
    s[2 * HALF * 2] = t;
}

// [macro] With parentheses two threads share a half.
//~ race
__global__ void macro_text_bad()
{
    __shared__ int s[130];
    int t = threadIdx.x;
    s[2 * HALF_SAFE] = t; //~ here
}

// [shadow] A member called x of a struct of our own is not threadIdx.x or blockDim.x.
//~ race
__global__ void own_member_x_bad(int *g)
{
    struct { int x; } width;
    width.x = 0;
    int t = threadIdx.x;
    g[t * width.x] = t; //~ here
}
