//--blockDim=64 --gridDim=1
// Extra: conversion operators that write, wherever a conversion may stand

struct Writes { int *p; __device__ operator int() const { p[0] = threadIdx.x; return 1; } }; //~ here
struct Own { int *p; __device__ operator int() const { p[threadIdx.x] = 1; return 1; } };
struct Takes { int v; __device__ Takes(int i) : v(i) {} };

__device__ int same(int i) { return i; }
__device__ int returned(Writes c) { return c; }

// [conversion] For an argument.
//~ race
__global__ void convert_argument_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = same(c);
}

// Each its own element.
//~ race-free
__global__ void convert_argument_ok(int *g, int *out)
{
    Own c = {g};
    out[threadIdx.x] = same(c);
}

// [conversion] For a result.
//~ race
__global__ void convert_return_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = returned(c);
}

// [conversion] For a variable, with an equals sign.
//~ race
__global__ void convert_initialise_bad(int *g, int *out)
{
    Writes c = {g};
    int i = c;
    out[threadIdx.x] = i;
}

// [conversion] With parentheses.
//~ race
__global__ void convert_parenthesis_bad(int *g, int *out)
{
    Writes c = {g};
    int i(c);
    out[threadIdx.x] = i;
}

// [conversion] With braces.
//~ race
__global__ void convert_brace_bad(int *g, int *out)
{
    Writes c = {g};
    int i{c};
    out[threadIdx.x] = i;
}

// [conversion] For an operand.
//~ race
__global__ void convert_operand_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = c + 1;
}

// [conversion] For an operand whose result nobody needs.
//~ race
__global__ void convert_discarded_bad(int *g)
{
    Writes c = {g};
    c + 0;
}

// [conversion] For a cast.
//~ race
__global__ void convert_cast_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = static_cast<int>(c);
}

// [conversion] For one side of a choice.
//~ race
__global__ void convert_choice_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = threadIdx.x > 3 ? c : 7;
}

// [conversion] For a switch.
//~ race
__global__ void convert_switch_bad(int *g, int *out)
{
    Writes c = {g};
    switch (c) {
    case 1: out[threadIdx.x] = 1;
    }
}

// [conversion] For the bound of a loop.
//~ race
__global__ void convert_loop_bad(int *g, int *out)
{
    Writes c = {g};
    for (int i = 0; i < c; i++) out[threadIdx.x] = 1;
}

// [conversion] For the right side of &&.
//~ race
__global__ void convert_logic_bad(int *g, int *out)
{
    Writes c = {g};
    out[threadIdx.x] = out[threadIdx.x + 64] == 0 && c;
}

// [conversion] For the argument of a constructor.
//~ race
__global__ void convert_constructor_bad(int *g, int *out)
{
    Takes k(Writes{g});
    out[threadIdx.x] = k.v;
}

// Each its own element.
//~ race-free
__global__ void convert_constructor_ok(int *g, int *out)
{
    Takes k(Own{g});
    out[threadIdx.x] = k.v;
}

// [conversion] For the argument of an atomic.
//~ race
__global__ void convert_atomic_bad(int *g, int *out)
{
    Writes c = {g};
    atomicAdd(out, c);
}

// [conversion] For an index.
//~ race
__global__ void convert_index_bad(int *g, int *out)
{
    Writes c = {g};
    out[64 * c + threadIdx.x] = 7;
}
