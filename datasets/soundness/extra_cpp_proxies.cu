//--blockDim=64 --gridDim=1
// Extra: operators of temporary objects that write

struct Place {
    int *p;
    int i;
    __device__ Place &operator=(int v) { p[i] = v; return *this; } //~ here
    __device__ Place &operator+=(int v) { p[i] += v; return *this; } //~ here
    __device__ Place &operator++() { p[i] = threadIdx.x; return *this; } //~ here
    __device__ Place &operator<<(int v) { p[i] = v; return *this; } //~ here
    __device__ void set(int v) { p[i] = v; } //~ here
};

struct Halves {
    int *p;
    __device__ Place operator[](int i) { return Place{p, i / 2}; }
    __device__ Place operator()(int i) { return Place{p, i / 2}; }
    __device__ Place operator*() { return Place{p, 0}; }
    __device__ Place at(int i) { return Place{p, i / 2}; }
};

struct Keeps {
    int *p;
    __device__ Place operator[](int i) { return Place{p, i}; }
    __device__ Place operator*() { return Place{p, (int)threadIdx.x}; }
};

__device__ Place made(int *p) { return Place{p, 0}; }

// [operator] The subscript halves.
//~ race
__global__ void proxy_assign_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v[t] = t;
}

// Here it does not.
//~ race-free
__global__ void proxy_assign_ok(int *g)
{
    Keeps v = {g};
    int t = threadIdx.x;
    v[t] = t;
}

// [operator] Compound assignment.
//~ race
__global__ void proxy_add_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v[t] += t;
}

// [operator] Increment.
//~ race
__global__ void proxy_increment_bad(int *g)
{
    Halves v = {g};
    ++v[threadIdx.x];
}

// Each its own.
//~ race-free
__global__ void proxy_increment_ok(int *g)
{
    Keeps v = {g};
    ++v[threadIdx.x];
}

// [operator] A shift that puts.
//~ race
__global__ void proxy_shift_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v[t] << t;
}

// Each its own.
//~ race-free
__global__ void proxy_shift_ok(int *g)
{
    Keeps v = {g};
    int t = threadIdx.x;
    v[t] << t;
}

// [operator] A star that gives a proxy.
//~ race
__global__ void proxy_star_bad(int *g)
{
    Halves v = {g};
    *v = threadIdx.x;
}

// Of the thread.
//~ race-free
__global__ void proxy_star_ok(int *g)
{
    Keeps v = {g};
    *v = threadIdx.x;
}

// [operator] A call.
//~ race
__global__ void proxy_call_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v(t) = t;
}

// [operator] A method.
//~ race
__global__ void proxy_method_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v.at(t) = t;
}

// [operator] A method of the proxy.
//~ race
__global__ void proxy_set_bad(int *g)
{
    Halves v = {g};
    int t = threadIdx.x;
    v[t].set(t);
}

// [operator] The result of a function.
//~ race
__global__ void proxy_made_bad(int *g)
{
    made(g) = threadIdx.x;
}

// [operator] The result of an assignment is assigned.
//~ race
__global__ void proxy_chain_bad(int *g)
{
    Place p = {g, 0};
    (p = 1) = threadIdx.x;
}

// [operator] One of two.
//~ race
__global__ void proxy_choice_bad(int *g)
{
    Place p = {g, 0}, q = {g, 1};
    (threadIdx.x & 1 ? p : q) = threadIdx.x;
}

// [operator] An element of a parameter.
//~ race
__global__ void proxy_parameter_bad(Place *p)
{
    p[1] += threadIdx.x;
}
