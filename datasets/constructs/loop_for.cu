//--blockDim=64 --gridDim=1
// Construct: for loops, with two variables, without a condition, with an empty body

// Two induction variables that move together.
//~ race-free
__global__ void loop_for_two_variables_ok()
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0, base = 0; i < 4; i++, base += 64) s[base + t] = i;
}

// [carried] The second variable advances by 32 only.
//~ race
__global__ void loop_for_two_variables_bad()
{
    __shared__ int s[256];
    int t = threadIdx.x;
    for (int i = 0, base = 0; i < 4; i++, base += 32) s[base + t] = i; //~ here
}

// No condition: the loop ends by break.
//~ race-free
__global__ void loop_for_no_condition_ok(int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int i = 0;; i++) {
        if (i >= n) break;
        s[t] = i;
    }
}

// [carried] The body is empty, the work is in the step expression.
//~ race
__global__ void loop_for_empty_body_bad()
{
    __shared__ int s[128];
    int i = threadIdx.x;
    for (int k = 0; k < 2; s[i + k] = i, k++) //~ here
        ;
}
