//--blockDim=64 --gridDim=2
// Contracts: functions that say what they need and what they give

__device__ int half_of(int x)
{
    __requires(x >= 0);
    __ensures(__return_val_int >= 0 && __return_val_int <= x);
    return x / 2;
}

// The contract holds, at the call and at the return.
//~ race-free
__global__ void call_ok(int *out)
{
    int t = threadIdx.x;
    int y = half_of(t);
    __assert(y <= t);
    out[blockIdx.x * 64 + t] = y;
}

__device__ int half_of_positive(int x)
{
    __requires(x > 0); //~ here
    return x / 2;
}

// Thread 0 calls it with 0.
//~ assertion
__global__ void call_without_precondition_bad(int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = half_of_positive(t);
}

// The others may.
//~ race-free
__global__ void call_with_precondition_ok(int *out)
{
    int t = threadIdx.x;
    if (t > 0) out[blockIdx.x * 64 + t] = half_of_positive(t);
}

__device__ int next_of(int x)
{
    __ensures(__return_val_int > __old_int(x)); //~ here
    if (x == 17) return x;
    return x + 1;
}

// One of the returns breaks the promise.
//~ assertion
__global__ void call_without_postcondition_bad(int *out)
{
    int t = threadIdx.x;
    out[blockIdx.x * 64 + t] = next_of(t);
}

__device__ void increase(int &x)
{
    __requires(x < 1000);
    __ensures(x == __old_int(x) + 1);
    x = x + 1;
}

// What the function changes, compared with what it was.
//~ race-free
__global__ void call_by_reference_ok(int *out)
{
    int t = threadIdx.x;
    increase(t);
    increase(t);
    __assert(t == threadIdx.x + 2);
    out[blockIdx.x * 64 + threadIdx.x] = t;
}

__device__ void increase_wrongly(int &x)
{
    __ensures(x > __old_int(x)); //~ here
    if (x != 3) x = x + 1;
}

// Thread 3 sees no increase.
//~ assertion
__global__ void call_by_reference_bad(int *out)
{
    int t = threadIdx.x;
    increase_wrongly(t);
    out[blockIdx.x * 64 + threadIdx.x] = t;
}

// [assumed] A precondition that is not met must not be used: all threads write one element.
__device__ void store_first(int *out, int t)
{
    __requires(t == 0); //~ here
    out[0] = t; //~ here
}

//~ race
__global__ void precondition_hides_nothing_bad(int *out)
{
    store_first(out, threadIdx.x);
}

// [assumed] Nor a promise that is not kept.
__device__ int own_place(int t)
{
    __ensures(__return_val_int == t); //~ here
    return t / 2;
}

//~ race
__global__ void postcondition_hides_nothing_bad(int *out)
{
    out[own_place(threadIdx.x)] = threadIdx.x; //~ here
}
