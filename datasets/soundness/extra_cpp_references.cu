//--blockDim=64 --gridDim=1
// Extra: what is a reference and what a copy: casts, std::move, names of reference types, temporaries, bases

#include <utility>

typedef int &Reference;
struct First { int x; };
struct Second { int y; };
struct Both : First, Second { int z; };
template <class T> __device__ T &hand(T &&x) { return static_cast<T &>(std::forward<T>(x)); }
__device__ long late(const long &first, int &second) { second = 9; return first; }

// [reference] A cast to a reference is no copy.
//~ race
__global__ void reference_static_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int &r = static_cast<int &>(s[t / 2]);
    r = t; //~ here
    g[t] = t;
}

//~ race
__global__ void reference_moved_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int &&r = std::move(s[t / 2]);
    r = t; //~ here
    g[t] = t;
}

//~ race-free
__global__ void reference_moved_ok(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    int &&r = std::move(s[t]);
    r = t;
    g[t] = t;
}

// [reference] Through a function that forwards.
//~ race
__global__ void reference_forwarded_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    hand(s[t / 2]) = t; //~ here
    g[t] = t;
}

// [reference] A variable behind a cast.
//~ race
__global__ void reference_local_bad(int *g)
{
    int t = threadIdx.x;
    int x = 3;
    (int &)x = 50;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && x == 50) g[0] = 2; //~ here
}

// [temporary] The constant reference of another type is a copy, made before x changes.
//~ race
__global__ void reference_temporary_bad(int *g)
{
    int t = threadIdx.x;
    int x = 3;
    const long &r = x;
    x = 4;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && r == 3) g[0] = 2; //~ here
}

//~ race
__global__ void reference_argument_bad(int *g)
{
    int t = threadIdx.x;
    int x = 3;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && late(x, x) == 3) g[0] = 2; //~ here
}

// [name] The typedef is a reference.
//~ race
__global__ void reference_named_bad(int *g)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    Reference r = s[t / 2];
    r = t; //~ here
    g[0] = s[0]; //~ here
}

// [base] The second base lies behind the first.
//~ race
__global__ void reference_base_bad(Both *c)
{
    int t = threadIdx.x;
    Second *b = &c[t];
    b->y = t; //~ here
    c[t ^ 1].y = 5; //~ here
}

//~ race-free
__global__ void reference_base_ok(Both *c)
{
    int t = threadIdx.x;
    Second *b = &c[t];
    b->y = t;
    c[t ^ 1].x = 5;
}

// [type] The type of both arms is unsigned.
//~ race
__global__ void reference_conditional_bad(int *g)
{
    int t = threadIdx.x;
    long y = true ? -1 : 0u;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && y > 0) g[0] = 2; //~ here
}
