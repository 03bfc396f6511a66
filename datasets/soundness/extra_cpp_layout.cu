//--blockDim=64 --gridDim=1
// Extra: where the bytes are: alignment, empty bases, padding, bit fields, bool and char, order of members

struct alignas(8) Eight { int v; };
struct Member { alignas(16) int v; int w; };
struct Empty {};
struct Light : Empty { int v; };
struct Heavy { Empty e; int v; };
struct Inner { short s; char c; };
struct Nest { char a; Inner in; char b; };
struct Odd { char c[3]; };
struct Tail { double d; char c; };
struct Bits { unsigned a : 4; unsigned b : 12; unsigned c; };
struct Flags { bool a, b; char c; };
struct Polymorphic { __device__ virtual int f() const { return 1; } int v; };
struct Deep { Eight e[2]; char last; };
struct Twice : Light { char c; };
struct Pair { int a; int b; };
struct Packed { char c; int i; } __attribute__((packed));
template <class T, int N> struct Row { T d[N]; };
struct Holder { static int count; int v; };
struct Sized { enum { n = sizeof(Tail) }; char d[n]; };

// [width] Eight bytes each, not four.
//~ race
__global__ void layout_alignas_bad(int *g)
{
    int t = threadIdx.x;
    Eight *p = (Eight *)g;
    p[t].v = t; //~ here
    g[t] = t; //~ here
}

// The other halves.
//~ race-free
__global__ void layout_alignas_ok(int *g)
{
    int t = threadIdx.x;
    Eight *p = (Eight *)g;
    p[t].v = t;
    g[2 * t + 1] = t;
}

// [width] A member with an alignment makes the struct as large.
//~ race
__global__ void layout_member_alignment_bad(int *g)
{
    int t = threadIdx.x;
    Member *p = (Member *)g;
    p[t].v = t; //~ here
    g[2 * t] = t; //~ here
}

// Sixteen bytes each.
//~ race-free
__global__ void layout_member_alignment_ok(int *g)
{
    int t = threadIdx.x;
    Member *p = (Member *)g;
    p[t].v = t;
    g[4 * t + 1] = t;
    g[4 * t + 2] = t;
}

// [width] An empty base takes no bytes.
//~ race
__global__ void layout_empty_base_bad(int *g)
{
    int t = threadIdx.x;
    Light *p = (Light *)g;
    p[t].v = t; //~ here
    if (t < 63) g[t + 1] = t; //~ here
}

// An empty member takes one, and the alignment three.
//~ race-free
__global__ void layout_empty_member_ok(int *g)
{
    int t = threadIdx.x;
    Heavy *p = (Heavy *)g;
    p[t].v = t;
    g[2 * t] = t;
}

// [width] The integer is the second one.
//~ race
__global__ void layout_empty_member_bad(int *g)
{
    int t = threadIdx.x;
    Heavy *p = (Heavy *)g;
    p[t].v = t; //~ here
    g[2 * t + 3] = t; //~ here
}

// [padding] b is at byte 6 of 8.
//~ race
__global__ void layout_nested_bad(char *g)
{
    int t = threadIdx.x;
    Nest *p = (Nest *)g;
    p[t].b = t; //~ here
    g[8 * t + 6] = 1 + t; //~ here
    if (t < 63) g[8 * t + 14] = t; //~ here
}

// Byte 7 is nobody's.
//~ race-free
__global__ void layout_nested_ok(char *g)
{
    int t = threadIdx.x;
    Nest *p = (Nest *)g;
    p[t].b = t;
    p[t].in.c = t;
    g[8 * t + 7] = t;
}

// [padding] Three bytes each: the fourth is the next one's.
//~ race
__global__ void layout_odd_bad(char *g)
{
    int t = threadIdx.x;
    Odd *p = (Odd *)g;
    p[t].c[0] = t; //~ here
    g[3 * t + 3] = t; //~ here
}

// [padding] The size is 16, so that the second double is padding, and the next element begins behind it.
//~ race
__global__ void layout_tail_bad(double *g)
{
    int t = threadIdx.x;
    Tail *p = (Tail *)g;
    p[t].d = t; //~ here
    g[2 * t + 2] = t; //~ here
}

// [bits] Two fields of one word are written as a word.
//~ race
__global__ void layout_bits_bad(Bits *g)
{
    int t = threadIdx.x;
    if (t & 1) g[t / 2].a = t; //~ here
    else g[t / 2].b = t; //~ here
}

// A member behind the bit fields is another word.
//~ race-free
__global__ void layout_bits_ok(Bits *g)
{
    int t = threadIdx.x;
    if (t & 1) g[t / 2].a = t;
    else g[t / 2].c = t;
}

// bools and chars of one word.
//~ race-free
__global__ void layout_bool_ok(Flags *g)
{
    int t = threadIdx.x;
    if (t % 3 == 0) g[t / 3].a = t;
    if (t % 3 == 1) g[t / 3].b = t;
    if (t % 3 == 2) g[t / 3].c = t;
}

// [width] Three bytes each.
//~ race
__global__ void layout_bool_bad(Flags *g)
{
    int t = threadIdx.x;
    char *p = (char *)g;
    g[t].c = t; //~ here
    p[4 * t + 2] = t; //~ here
}

// [virtual] A table pointer comes first.
//~ race
__global__ void layout_virtual_bad(char *g)
{
    int t = threadIdx.x;
    Polymorphic *p = (Polymorphic *)g;
    p[t].v = t; //~ here
    if (t < 63) *(int *)(g + 16 * t + 24) = t; //~ here
}

// [padding] Structs in arrays in a struct: 24 bytes.
//~ race
__global__ void layout_deep_bad(char *g)
{
    int t = threadIdx.x;
    Deep *p = (Deep *)g;
    p[t].last = t; //~ here
    if (t < 63) g[24 * t + 40] = t; //~ here
}

// Bytes behind the last.
//~ race-free
__global__ void layout_deep_ok(char *g)
{
    int t = threadIdx.x;
    Deep *p = (Deep *)g;
    p[t].last = t;
    p[t].e[1].v = t;
    g[24 * t + 20] = t;
    g[24 * t + 17] = t;
}

// [base] The member of the derived class follows those of the base.
//~ race
__global__ void layout_derived_bad(char *g)
{
    int t = threadIdx.x;
    Twice *p = (Twice *)g;
    p[t].c = t; //~ here
    if (t < 63) g[8 * t + 12] = t; //~ here
}

// [partial] A pair that is written from the middle of one to the middle of the next.
//~ race
__global__ void layout_boundary_bad(Pair *g)
{
    int t = threadIdx.x;
    int *p = &g[0].b;
    g[t].a = t; //~ here
    if (t < 63) *(Pair *)(p + 2 * t) = Pair{t, t}; //~ here
}

// [packed] Five bytes each.
//~ race
__global__ void layout_packed_bad(char *g)
{
    int t = threadIdx.x;
    Packed *p = (Packed *)g;
    p[t].c = t; //~ here
    if (t < 63) g[5 * t + 5] = t; //~ here
}

// [width] The size of an instance of a template.
//~ race
__global__ void layout_template_bad(char *g)
{
    int t = threadIdx.x;
    Row<short, 3> *p = (Row<short, 3> *)g;
    p[t].d[2] = t; //~ here
    *(short *)(g + 6 * t + 4 + 6 * (t < 63)) = t; //~ here
}

// A static member takes no room.
//~ race-free
__global__ void layout_static_ok(int *g)
{
    int t = threadIdx.x;
    Holder *p = (Holder *)g;
    p[t].v = t;
    g[64 + t] = t;
}

// [width] Four bytes each.
//~ race
__global__ void layout_static_bad(int *g)
{
    int t = threadIdx.x;
    Holder *p = (Holder *)g;
    p[t].v = t; //~ here
    if (t < 63) g[t + 1] = t; //~ here
}

// [width] The size of another struct as the extent of a member: 16.
//~ race
__global__ void layout_sizeof_bad(char *g)
{
    int t = threadIdx.x;
    Sized *p = (Sized *)g;
    p[t].d[0] = t; //~ here
    if (t < 63) g[16 * t + 16] = t; //~ here
}

// [width] sizeof an array and of an element.
//~ race
__global__ void layout_sizeof_array_bad(char *g)
{
    short a[3];
    int t = threadIdx.x;
    g[t * (sizeof(a) / sizeof(a[0]))] = t; //~ here
    g[t * (sizeof(a) / sizeof(a[0])) + 3] = t; //~ here
}

// [width] sizeof a reference is the size of what it refers to, sizeof a parameter array that of a pointer.
__device__ int extent(char a[64], short &r) { return sizeof(a) / 2 * sizeof(r); }

//~ race
__global__ void layout_sizeof_parameter_bad(char *g)
{
    int t = threadIdx.x;
    char a[64];
    short r = 0;
    *(double *)(g + t * extent(a, r)) = t; //~ here
    *(int *)(g + t * extent(a, r) + 8) = t; //~ here
}
