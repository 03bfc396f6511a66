//--blockDim=64 --gridDim=1
// Construct: unions: local, shared, anonymous, in structs

union Word { int i; short h[2]; unsigned char b[4]; float f; };
struct Tagged { int tag; union { int i; float f; }; };
struct Both { union { int all; struct { short lo, hi; }; }; };

enum Kind { FIRST, SECOND };
__device__ int step(int) { return 1; }
__device__ int step(Kind) { return 0; }

// A local union: the low half of t.
//~ race-free
__global__ void union_local_ok(int *g)
{
    Word w;
    w.i = threadIdx.x;
    g[w.i] = threadIdx.x;
}

// [alias] The second assignment replaces the first member.
//~ race
__global__ void union_local_bad(int *g)
{
    Word w;
    w.i = threadIdx.x;
    w.h[0] = 0;
    g[w.i] = threadIdx.x; //~ here
}

// Two halves of one word by two threads.
//~ race-free
__global__ void union_shared_ok()
{
    __shared__ Word s[32];
    int t = threadIdx.x;
    s[t / 2].h[t % 2] = t;
}

// [alias] The integer and its second half.
//~ race
__global__ void union_shared_bad()
{
    __shared__ Word s[64];
    int t = threadIdx.x;
    s[t].i = t; //~ here
    if (t < 63) s[t + 1].h[1] = t; //~ here
}

// The storage is used again after a barrier.
//~ race-free
__global__ void union_reuse_ok(float *out)
{
    __shared__ union { int i[64]; float f[64]; } u;
    int t = threadIdx.x;
    u.i[t] = t;
    int v = u.i[t];
    __syncthreads();
    u.f[63 - t] = v;
    __syncthreads();
    out[t] = u.f[t];
}

// [missing-barrier] Both members are the same bytes.
//~ race
__global__ void union_reuse_bad(float *out)
{
    __shared__ union { int i[64]; float f[64]; } u;
    int t = threadIdx.x;
    u.i[t] = t; //~ here
    u.f[63 - t] = 1.0f + t; //~ here
    out[t] = t;
}

// The members of an anonymous union in a struct.
//~ race-free
__global__ void union_anonymous_ok(Tagged *g)
{
    int t = threadIdx.x;
    g[t].tag = t;
    g[t].i = t;
    g[t].f = 1.0f;
}

// [alias] i of one element by two threads, as f and as i.
//~ race
__global__ void union_anonymous_bad(Tagged *g)
{
    int t = threadIdx.x;
    g[t].i = t; //~ here
    if (t < 63) g[t + 1].f = 2.0f * t; //~ here
}

// Halves in an anonymous struct.
//~ race-free
__global__ void union_halves_ok(Both *g)
{
    int t = threadIdx.x;
    if (t & 1) g[t / 2].lo = t;
    else g[t / 2].hi = t;
}

// [alias] The whole is written where the neighbour writes a half.
//~ race
__global__ void union_halves_bad(Both *g)
{
    int t = threadIdx.x;
    if (t & 1) g[t / 2].all = t; //~ here
    else g[t / 2].hi = t; //~ here
}

// Anonymous unions of locals.
//~ race-free
__global__ void union_block_ok(int *g)
{
    union { int i; unsigned u; };
    u = threadIdx.x;
    g[i] = threadIdx.x;
}

// [alias] u and i are one.
//~ race
__global__ void union_block_bad(int *g)
{
    union { int i; unsigned u; };
    i = threadIdx.x;
    u = 5;
    g[i] = threadIdx.x; //~ here
}

// [alias] A pointer to one, a write to a part of the other.
//~ race
__global__ void union_block_pointer_bad(int *g)
{
    union { int i; short h[2]; };
    i = threadIdx.x;
    int *p = &i;
    h[0] = 1;
    g[*p] = threadIdx.x; //~ here
}

// [alias] The member hides the variable.
//~ race
__global__ void union_block_hides_bad(int *g)
{
    int i = threadIdx.x;
    {
        union { int i; unsigned u; };
        u = 5;
        g[i] = threadIdx.x; //~ here
    }
    g[64 + i] = threadIdx.x;
}

// Not behind its block.
//~ race-free
__global__ void union_block_hides_ok(int *g)
{
    int i = threadIdx.x;
    {
        union { int i; unsigned u; };
        u = 5;
    }
    g[i] = threadIdx.x;
}

// [initialiser] It begins with 3.
//~ race
__global__ void union_block_initial_bad(int *g)
{
    union { int i = 3; unsigned u; };
    u -= 3;
    g[i * threadIdx.x] = threadIdx.x; //~ here
}

// [alias] A closure writes the other member.
//~ race
__global__ void union_block_closure_bad(int *g)
{
    union { int i; unsigned u; };
    i = threadIdx.x;
    auto f = [&] { u = 3; };
    f();
    g[i] = threadIdx.x; //~ here
}

// [alias] 0 in the first round.
//~ race
__global__ void union_block_rounds_bad(int *g)
{
    for (int n = 0; n < 2; n++) {
        union { int i; unsigned u; };
        u = threadIdx.x * n;
        g[i] = threadIdx.x; //~ here
    }
}

// Elements of its own in each round.
//~ race-free
__global__ void union_block_rounds_ok(int *g)
{
    for (int n = 0; n < 2; n++) {
        union { int i; unsigned u; };
        u = threadIdx.x + 64 * n;
        g[i] = threadIdx.x;
    }
}

// [overload] The member is an enumeration.
//~ race
__global__ void union_block_enum_bad(int *g)
{
    union { int i; Kind k; };
    k = FIRST;
    g[threadIdx.x * step(k)] = threadIdx.x; //~ here
}
