//--blockDim=64 --gridDim=1
// Construct: fields of array elements, arrays in structs, struct assignment and wide values as byte ranges

struct Pair { int a; int b; };
struct Mixed { char c; short s; int i; };
struct Box { int d[4]; int n; };
struct Outer { Pair p[2]; int last; };
struct __align__(16) Wide { int v; };

// Two fields of one element by two threads.
//~ race-free
__global__ void struct_fields_ok()
{
    __shared__ Pair s[32];
    int t = threadIdx.x;
    if (t & 1) s[t / 2].a = t;
    else s[t / 2].b = t;
}

// [field] The same field by two threads.
//~ race
__global__ void struct_fields_bad()
{
    __shared__ Pair s[32];
    int t = threadIdx.x;
    s[t / 2].a = t; //~ here
}

// A struct is assigned as a whole to the thread's own element.
//~ race-free
__global__ void struct_assign_ok(Pair *g, Pair *h)
{
    int t = threadIdx.x;
    g[t] = h[t];
}

// [bytes] The assignment writes the field that the neighbour writes.
//~ race
__global__ void struct_assign_bad(Pair *g)
{
    int t = threadIdx.x;
    Pair p = {t, t};
    g[t] = p; //~ here
    if (t < 63) g[t + 1].b = t; //~ here
}

// Arrays in structs.
//~ race-free
__global__ void struct_array_ok(Box *g)
{
    int t = threadIdx.x;
    g[t / 4].d[t % 4] = t;
}

// [extent] The element after the array is another field.
//~ race
__global__ void struct_array_bad(Box *g)
{
    int t = threadIdx.x;
    int *d = &g[t / 5].d[0];
    if (t < 40) d[t % 5] = t; //~ here
    if (t < 8) g[t].n = 1; //~ here
}

// Structs in arrays in structs.
//~ race-free
__global__ void struct_nested_ok(Outer *g)
{
    int t = threadIdx.x;
    g[t].p[0].a = t;
    g[t].p[1].b = t;
    g[t].last = t;
}

// [index] The outer index is halved.
//~ race
__global__ void struct_nested_bad(Outer *g)
{
    int t = threadIdx.x;
    g[t / 2].p[0].a = t; //~ here
    g[t].last = t;
}

// Padding: c in byte 0, s in bytes 2 and 3.
//~ race-free
__global__ void struct_padding_ok()
{
    __shared__ Mixed m[64];
    int t = threadIdx.x;
    short *p = (short *)m;
    m[t].c = 1;
    p[t * 4 + 1] = t;
    m[t].i = t;
}

// [width] The short of the element before is not where a packed layout has it.
//~ race
__global__ void struct_padding_bad()
{
    __shared__ Mixed m[64];
    int t = threadIdx.x;
    char *p = (char *)m;
    m[t].s = t; //~ here
    if (t < 63) p[t * 8 + 11] = t; //~ here
}

// The size of the struct is its alignment.
//~ race-free
__global__ void struct_aligned_ok(char *g)
{
    int t = threadIdx.x;
    Wide *w = (Wide *)g;
    w[t].v = t;
    *(int *)(g + t * sizeof(Wide) + 4) = t;
}

// [width] Sixteen bytes each, not four.
//~ race
__global__ void struct_aligned_bad(int *g)
{
    int t = threadIdx.x;
    Wide *w = (Wide *)g;
    w[t].v = t; //~ here
    g[t] = t; //~ here
}

// float4 as four floats.
//~ race-free
__global__ void wide_float_ok(float *g)
{
    int t = threadIdx.x;
    float4 *w = reinterpret_cast<float4 *>(g);
    w[t] = make_float4(t, t, t, t);
    g[256 + t] = t;
}

// [width] The last float of the vector is the neighbour's.
//~ race
__global__ void wide_float_bad(float *g)
{
    int t = threadIdx.x;
    float4 *w = reinterpret_cast<float4 *>(g);
    w[t] = make_float4(t, t, t, t); //~ here
    g[4 * t + 4] = t; //~ here
}

// One component each.
//~ race-free
__global__ void wide_component_ok(int2 *g)
{
    int t = threadIdx.x;
    if (t % 2) g[t / 2].x = t;
    else g[t / 2].y = t;
}

// [width] Three ints are twelve bytes: every fourth int of the array.
//~ race
__global__ void wide_three_bad(int3 *g)
{
    int t = threadIdx.x;
    int *p = (int *)g;
    g[t].y = t; //~ here
    p[4 * t] = t; //~ here
}

// Twelve bytes each.
//~ race-free
__global__ void wide_three_ok(int3 *g)
{
    int t = threadIdx.x;
    int *p = (int *)g;
    g[t].y = t;
    p[3 * t] = t;
    p[3 * t + 2] = t;
}
