//--blockDim=64 --gridDim=2
// A pointer to a base that is not the first of its class meets one to the class: it is the one to the class that moves.

struct Left { int a; };
struct Right { int b; };
struct Both : Left, Right { int c; };
struct Deeper : Both { int d; };

// [base] They are equal: each thread writes.
//~ race
__global__ void base_equal_bad(int *out)
{
    Both x;
    Right *base = &x;
    Both *whole = &x;
    if (base == whole) out[0] = threadIdx.x; //~ here
}

// [base] Nobody writes.
//~ race-free
__global__ void base_equal_ok(int *out)
{
    Both x;
    Right *base = &x;
    Both *whole = &x;
    if (base != whole) out[0] = threadIdx.x;
}

// [base] By an early return, two classes further.
//~ race
__global__ void base_return_bad(int *out)
{
    Deeper x;
    Right *base = &x;
    if (base != &x) return;
    out[0] = threadIdx.x; //~ here
}

// [base] Nobody comes past it.
//~ race-free
__global__ void base_return_ok(int *out)
{
    Deeper x;
    Right *base = &x;
    if (base == &x) return;
    out[0] = threadIdx.x;
}

// [base] Elements of an array in global memory.
//~ race
__global__ void base_element_bad(Both *all, int *out)
{
    Right *base = all + 1;
    if (base <= all + 1) out[0] = threadIdx.x; //~ here
}

// [base] The one before is less.
//~ race-free
__global__ void base_element_ok(Both *all, int *out)
{
    Right *base = all + 1;
    if (base <= all) out[0] = threadIdx.x;
}

// [base] One of two pointers: both lead to the second base.
//~ race
__global__ void base_chosen_bad(int *out, int n)
{
    Both x, y;
    x.b = 1;
    y.a = 2;
    y.b = 3;
    Right *base = &x;
    Both *whole = &y;
    Right *chosen = n > 0 ? base : whole;
    if (chosen->b == 3) out[0] = threadIdx.x; //~ here
}

// [base] Neither of the bases holds what the other base does.
//~ race-free
__global__ void base_chosen_ok(int *out, int n)
{
    Both x, y;
    x.b = 1;
    y.a = 2;
    y.b = 3;
    Right *base = &x;
    Both *whole = &y;
    Right *chosen = n > 0 ? base : whole;
    if (chosen->b == 2) out[0] = threadIdx.x;
}

// [base] One of two objects.
//~ race
__global__ void base_object_bad(int *out, int n)
{
    Right x;
    Both y;
    x.b = 1;
    y.a = 2;
    y.b = 3;
    if ((n > 0 ? x : y).b == 3) out[0] = threadIdx.x; //~ here
}

// [base] In shared memory: each thread has its own, whichever it is.
//~ race-free
__global__ void base_shared_ok(int n)
{
    __shared__ Both all[64];
    Both *whole = &all[threadIdx.x];
    Right *base = &all[threadIdx.x];
    (n > 0 ? base : whole)->b = n;
    (n > 0 ? whole : base)->b = n;
}

// [base] The second base of a neighbour.
//~ race
__global__ void base_shared_bad(int n)
{
    __shared__ Both all[65];
    Both *whole = &all[threadIdx.x + 1];
    Right *base = &all[threadIdx.x];
    base->b = threadIdx.x; //~ here
    (n > 0 ? base : whole)->b = threadIdx.x; //~ here
}

// [base] A reference to the base, in registers.
//~ race
__global__ void base_reference_bad(int *out)
{
    Both x;
    Right &base = x;
    if (&base == &x) out[0] = threadIdx.x; //~ here
}

// [base] In bytes.
//~ race
__global__ void base_bytes_bad(int *out)
{
    Both x;
    char *whole = (char *)&x;
    char *base = (char *)&static_cast<Right &>(x);
    if (base - whole == 4) out[0] = threadIdx.x; //~ here
}

//~ race-free
__global__ void base_bytes_ok(int *out)
{
    Both x;
    char *whole = (char *)&x;
    char *base = (char *)&static_cast<Right &>(x);
    if (base - whole < 4) out[0] = threadIdx.x;
}

__device__ bool is_part(Right &part, Both &whole)
{
    return &part == &whole;
}

// [base] By parameters that are references.
//~ race
__global__ void base_parameters_bad(int *out)
{
    Both x;
    if (is_part(x, x)) out[0] = threadIdx.x; //~ here
}
