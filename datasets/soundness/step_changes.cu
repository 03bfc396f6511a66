//--blockDim=64 --gridDim=1
// Row: the step changes inside the loop

// [carried] The first step is 64, every later one is 2: threads t and t+2 meet.
// A closed form needs a step that the loop does not change.
//~ race
__global__ void step_changes_bad(int *s, int n)
{
    int i = threadIdx.x, c = 64;
    while (i < n) {
        i += c;
        c = 2;
        s[i] = threadIdx.x; //~ here
    }
}

// The step stays 64.
//~ race-free
__global__ void step_changes_ok(int *s, int n)
{
    int i = threadIdx.x, c = 64;
    while (i < n) {
        i += c;
        s[i] = threadIdx.x;
    }
}
