// Soundness: writes to local variables that the first look at a loop cannot follow

struct TrialCell {
    int *p;
};

// [array] The pointers stand in an array: the loop sets the stride to zero.
//~ race
__global__ void trial_array_bad(int *o)
{
    int stride = 1, base = 0;
    int *e[2] = {&stride, &base};
    for (int i = 0; i < 2; i++) *e[i] = 0;
    o[threadIdx.x * stride + base] = threadIdx.x; //~ here
}

// The array holds other variables.
//~ race-free
__global__ void trial_array_ok(int *o)
{
    int stride = 1, base = 0, spare = 3;
    int *e[2] = {&spare, &base};
    for (int i = 0; i < 2; i++) *e[i] = 0;
    o[threadIdx.x * stride] = threadIdx.x + base;
}

// [inner-loop] The same in a loop inside a loop.
//~ race
__global__ void trial_nested_bad(int *o, int n)
{
    int stride = 1, base = 0;
    int *e[2] = {&stride, &base};
    for (int w = 0; w < n; w++) {
        o[threadIdx.x * stride] = threadIdx.x + w; //~ here
        for (int i = 0; i < 2; i++) *e[i] = 0;
    }
}

// [member] The pointer is a member of an element.
//~ race
__global__ void trial_member_bad(int *o)
{
    int stride = 1, base = 0;
    TrialCell e[2] = {{&stride}, {&base}};
    for (int i = 0; i < 2; i++) *e[i].p = 0;
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

__device__ void trial_clear(int *p) { *p = 0; }

// [callee] A function writes it.
//~ race
__global__ void trial_callee_bad(int *o)
{
    int stride = 1, base = 0;
    int *e[2] = {&stride, &base};
    for (int i = 0; i < 2; i++) trial_clear(e[i]);
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [reference] A reference is bound to the element's target.
//~ race
__global__ void trial_reference_bad(int *o)
{
    int stride = 1, base = 0;
    int *e[2] = {&stride, &base};
    for (int i = 0; i < 2; i++) {
        int &r = *e[i];
        r -= 1;
    }
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [pointer] A pointer to the pointer.
//~ race
__global__ void trial_pointer_bad(int *o, int n)
{
    int stride = 1;
    int *p = &stride;
    int **q = &p;
    for (int i = 0; i < 2; i++) **q = 0;
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [counted] Each is counted down twice.
//~ race
__global__ void trial_large_steps_bad(int *o)
{
    int stride = 2, base = 0;
    int *e[2] = {&base, &stride};
    for (int i = 0; i < 4; i++) *e[i & 1] -= 1;
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [lambda] A lambda of the loop has a variable of the loop's own; the pointer leads to the stride.
//~ race
__global__ void trial_lambda_bad(int *o, int n)
{
    int stride = 1, base = 0;
    int *e[2] = {&stride, &base};
    for (int i = 0; i < 2; i++) {
        int a = i, b = a + 1, sum = b;
        auto add = [&sum](int x) { sum += x; };
        add(n);
        *e[i] = sum - sum;
    }
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}
