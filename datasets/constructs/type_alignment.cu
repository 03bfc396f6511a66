//--blockDim=64 --gridDim=1
// Alignments that a name of a type or a member asks for: they move members, and change no size of the type itself

typedef __align__(16) float Wide;
typedef float Behind __attribute__((aligned(16)));
typedef Wide Again;
typedef int Odd __attribute__((aligned(1)));
typedef struct { int a; int b; } __align__(16) Whole;

struct Front { char c; Wide f; };
struct Back { char c; Behind f; };
struct Chain { char c; Again f; };
struct Close { char c; Odd i; };
struct Wholes { char c; Whole w; };
struct Member { char c; __align__(8) short s; };
struct MemberBehind { char c; short s __attribute__((aligned(8))); };
template <class T> struct Cell { char c; T v; };

// [layout] 32 bytes each, the member at 16: not 8 bytes each, where it would be at 4.
//~ race
__global__ void align_front_bad(char *g)
{
    int t = threadIdx.x;
    ((Front *)g)[t].f = t;       //~ here
    if (t > 0) g[32 * t - 16] = t; //~ here
}

// Bytes 16 to 19 of 32.
//~ race-free
__global__ void align_front_ok(char *g)
{
    int t = threadIdx.x;
    ((Front *)g)[t].f = t;
    g[32 * t + 4] = t;
}

//~ race
__global__ void align_back_bad(char *g)
{
    int t = threadIdx.x;
    ((Back *)g)[t].f = t;         //~ here
    if (t > 0) g[32 * t - 16] = t; //~ here
}

//~ race-free
__global__ void align_back_ok(char *g)
{
    int t = threadIdx.x;
    ((Back *)g)[t].f = t;
    g[32 * t + 4] = t;
}

// The name of a name.
//~ race
__global__ void align_chain_bad(char *g)
{
    int t = threadIdx.x;
    ((Chain *)g)[t].f = t;        //~ here
    if (t > 0) g[32 * t - 16] = t; //~ here
}

// [layout] The name alone keeps the size of the type: four bytes each.
//~ race
__global__ void align_size_bad(char *g)
{
    int t = threadIdx.x;
    ((Wide *)g)[t] = t;         //~ here
    if (t > 0) g[4 * t - 4] = t; //~ here
}

//~ race-free
__global__ void align_size_ok(char *g)
{
    int t = threadIdx.x;
    ((Wide *)g)[t] = t;
    g[256 + 4 * t] = t;
}

// [layout] Less than the type asks for: five bytes each, not eight.
//~ race
__global__ void align_less_bad(char *g)
{
    int t = threadIdx.x;
    ((Close *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;  //~ here
}

//~ race-free
__global__ void align_less_ok(char *g)
{
    int t = threadIdx.x;
    ((Close *)g)[t].i = t;
    g[5 * t] = t;
}

// [layout] Behind a class the class is meant: 16 bytes, and 32 with a member in front.
//~ race
__global__ void align_whole_bad(char *g)
{
    int t = threadIdx.x;
    ((Wholes *)g)[t].w.b = t;       //~ here
    if (t > 0) g[32 * t - 12] = t;  //~ here
}

//~ race-free
__global__ void align_whole_ok(char *g)
{
    int t = threadIdx.x;
    ((Whole *)g)[t].b = t;
    g[16 * t + 8] = t;
}

// [layout] Asked for at the member.
//~ race
__global__ void align_member_bad(char *g)
{
    int t = threadIdx.x;
    ((Member *)g)[t].s = t;       //~ here
    if (t > 0) g[16 * t - 8] = t; //~ here
}

//~ race-free
__global__ void align_member_ok(char *g)
{
    int t = threadIdx.x;
    ((Member *)g)[t].s = t;
    g[16 * t + 2] = t;
}

//~ race
__global__ void align_member_behind_bad(char *g)
{
    int t = threadIdx.x;
    ((MemberBehind *)g)[t].s = t; //~ here
    if (t > 0) g[16 * t - 8] = t; //~ here
}

// [layout] An argument of a template is the type without what its name asks for: eight bytes each.
//~ race
__global__ void align_argument_bad(char *g)
{
    int t = threadIdx.x;
    ((Cell<Wide> *)g)[t].v = t;  //~ here
    if (t > 0) g[8 * t - 4] = t; //~ here
}
