//--blockDim=64 --gridDim=1
// Construct: overload resolution: exact, promotion, conversion, templates against functions

__device__ int pick(int) { return 1; }
__device__ int pick(double) { return 0; }
__device__ int pick(const char *) { return 2; }

__device__ int wide(long long) { return 0; }
__device__ int wide(int) { return 1; }

__device__ int ref(int &) { return 0; }
__device__ int ref(const int &) { return 1; }

template <class T> __device__ int any(T) { return 0; }
__device__ int any(int) { return 1; }

template <class T> __device__ int deref(T) { return 0; }
template <class T> __device__ int deref(T *) { return 1; }

__device__ int count(int a, int b = 1) { return a * b; }
__device__ int count(int a, int b, int c) { return a * b * c; }

struct Self {
    int v;
    __device__ int get() { return 0; }
    __device__ int get() const { return 1; }
};

// An exact match.
//~ race-free
__global__ void overload_exact_ok(int *g)
{
    int t = threadIdx.x;
    g[t * pick(3)] = t;
}

// [overload] A float is promoted to double.
//~ race
__global__ void overload_exact_bad(int *g)
{
    int t = threadIdx.x;
    g[t * pick(3.0f)] = t; //~ here
}

// A char is promoted to int.
//~ race-free
__global__ void overload_promotion_ok(int *g)
{
    int t = threadIdx.x;
    g[t * pick('a')] = t;
    short h = 1;
    g[t * wide(h)] = t;
}

// [overload] long long is exact.
//~ race
__global__ void overload_promotion_bad(int *g)
{
    int t = threadIdx.x;
    g[t * wide(1LL)] = t; //~ here
}

// A constant is no changeable lvalue.
//~ race-free
__global__ void overload_reference_ok(int *g)
{
    int t = threadIdx.x;
    g[t * ref(t + 1)] = t;
}

// [overload] A variable is.
//~ race
__global__ void overload_reference_bad(int *g)
{
    int t = threadIdx.x;
    g[t * ref(t)] = t; //~ here
}

// A function goes before a template that fits as well.
//~ race-free
__global__ void overload_template_ok(int *g)
{
    int t = threadIdx.x;
    g[t * any(2)] = t;
}

// [overload] The template fits unsigned better.
//~ race
__global__ void overload_template_bad(int *g)
{
    int t = threadIdx.x;
    g[t * any(2u)] = t; //~ here
}

// The more special template.
//~ race-free
__global__ void overload_special_ok(int *g)
{
    int t = threadIdx.x;
    g[t * deref(g)] = t;
}

// [overload] An integer is no pointer.
//~ race
__global__ void overload_special_bad(int *g)
{
    int t = threadIdx.x;
    g[t * deref(t)] = t; //~ here
}

// The default argument.
//~ race-free
__global__ void overload_default_ok(int *g)
{
    int t = threadIdx.x;
    g[count(t)] = t;
}

// [overload] Three arguments.
//~ race
__global__ void overload_default_bad(int *g)
{
    int t = threadIdx.x;
    g[count(t, 2, 0)] = t; //~ here
}

// A const object calls the const method.
//~ race-free
__global__ void overload_const_ok(int *g)
{
    int t = threadIdx.x;
    const Self s = {t};
    g[t * s.get()] = t;
}

// [overload] This one is not const.
//~ race
__global__ void overload_const_bad(int *g)
{
    int t = threadIdx.x;
    Self s = {t};
    g[t * s.get()] = t; //~ here
}

#include <cuda_fp16.h>

__device__ int chosen(unsigned short) { return 1; }
__device__ int chosen(half) { return 0; }

// Sixteen bits, as a number or as half of one.
union Sixteen {
    unsigned short bits;
    half number;
    __device__ Sixteen(unsigned short value) : bits(value) {}
    __device__ Sixteen(half value) : number(value) {}
};

// An int becomes another number rather than a half, which is a class.
//~ race-free
__global__ void overload_half_ok(int *g, int z)
{
    int t = threadIdx.x;
    g[t * chosen(t | z)] = t;
}

// [overload] A half stays one.
//~ race
__global__ void overload_half_bad(int *g)
{
    int t = threadIdx.x;
    g[t * chosen(__int2half_rn(t))] = t; //~ here
}

// The same of a constructor.
//~ race-free
__global__ void overload_half_made_ok(int *g)
{
    int t = threadIdx.x;
    Sixteen made(t & 63);
    g[made.bits] = t;
}

// [overload] Its two threads are made one number.
//~ race
__global__ void overload_half_made_bad(int *g)
{
    int t = threadIdx.x;
    Sixteen made(t & 31);
    g[made.bits] = t; //~ here
}
