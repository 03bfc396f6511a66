//--blockDim=64 --gridDim=1
// Construct: if constexpr, range-for, comma, goto, switch with fall-through, statement expressions

template <bool SPLIT>
__device__ int either(int t)
{
    if constexpr (SPLIT) return t;
    else return t / 2;
}

template <int N>
__device__ int reduced(int t)
{
    if constexpr (N > 1) return reduced<N / 2>(t);
    else return t * N;
}

// The arm that is compiled.
//~ race-free
__global__ void if_constexpr_ok(int *g)
{
    int t = threadIdx.x;
    g[either<true>(t)] = t;
    g[reduced<16>(t)] = t;
}

// [index] The other arm.
//~ race
__global__ void if_constexpr_bad(int *g)
{
    int t = threadIdx.x;
    g[either<false>(t)] = t; //~ here
}

// Over a local array and over constants.
//~ race-free
__global__ void range_for_ok(int *g)
{
    int t = threadIdx.x;
    int places[3] = {0, 64, 128};
    for (int p : places) g[p + t] = t;
    for (int j : {3, 4}) g[64 * j + t] = t;
}

// [index] Two of the places are nearer than 64.
//~ race
__global__ void range_for_bad(int *g)
{
    int t = threadIdx.x;
    int places[3] = {0, 64, 127};
    for (int p : places) g[p + t] = t; //~ here
}

// By reference the array itself is changed.
//~ race
__global__ void range_for_reference_bad(int *g)
{
    int t = threadIdx.x;
    int factor[2] = {1, 1};
    for (int &f : factor) f = 0;
    g[t * factor[1]] = t; //~ here
}

// By value it is not.
//~ race-free
__global__ void range_for_value_ok(int *g)
{
    int t = threadIdx.x;
    int factor[2] = {1, 1};
    for (int f : factor) f = 0;
    g[t * factor[1]] = t;
}

// The value of a comma is the right one.
//~ race-free
__global__ void comma_ok(int *g)
{
    int t = threadIdx.x, i = 0;
    g[(i += 64, i + t)] = t;
    for (int a = t, b = 0; b < 1; a++, b++) g[a] = t;
}

// [index] Not the left one.
//~ race
__global__ void comma_bad(int *g)
{
    int t = threadIdx.x, i = 0;
    i = (t, 5);
    g[i] = t; //~ here
}

// A jump forward past a store.
//~ race-free
__global__ void goto_forward_ok(int *g, int n)
{
    int t = threadIdx.x;
    if (n < 0) goto end;
    g[t] = t;
end:
    g[64 + t] = t;
}

// [goto] Every thread comes to the label.
//~ race
__global__ void goto_forward_bad(int *g, int n)
{
    int t = threadIdx.x;
    if (n < 0) goto end;
    g[t] = t;
end:
    g[64] = t; //~ here
}

// Fall-through adds both.
//~ race-free
__global__ void switch_fall_ok(int *g)
{
    int t = threadIdx.x, i = 0;
    switch (t & 1) {
    case 0: i++;
    case 1: i++;
    }
    g[2 * t + i] = t;
    g[2 * t + 3 - i] = t;
}

// [index] Case 1 writes once, case 0 falls through to the same element.
//~ race
__global__ void switch_fall_bad(int *g)
{
    int t = threadIdx.x, i = t;
    switch (t & 1) {
    case 0: i++;
    case 1: i |= 1; break;
    default: i = t;
    }
    g[i] = t; //~ here
}

// A label in the middle of the cases, and a default that stands first.
//~ race-free
__global__ void switch_default_ok(int *g, int n)
{
    int t = threadIdx.x, step;
    switch (n) {
    default: step = 1; break;
    case 3:
    case 4: step = n; break;
    }
    g[t * step] = t;
}

// [index] For 5 the step is 0.
//~ race
__global__ void switch_default_bad(int *g, int n)
{
    int t = threadIdx.x, step = 0;
    switch (n) {
    default: step = 1; break;
    case 3: step++;
    case 4: step += 2;
    case 5: break;
    }
    g[t * step] = t; //~ here
}

// The value of a statement expression is its last statement's.
//~ race-free
__global__ void statement_expression_ok(int *g)
{
    int t = threadIdx.x;
    int i = ({ int a = t; a += 3; a; });
    g[i] = t;
}

// [index] Here it is a constant.
//~ race
__global__ void statement_expression_bad(int *g)
{
    int t = threadIdx.x;
    int i = ({ int a = t; t = 4; a; 9; });
    g[i] = threadIdx.x; //~ here
    g[t + 60] = threadIdx.x; //~ here
}
