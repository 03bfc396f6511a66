//--blockDim=64 --gridDim=1
// Extra: classes whose members are packed closer than their types ask for: by an attribute before or behind, by a pragma

struct __attribute__((packed)) Before { char c; int i; };
struct Behind { char c; int i; } __attribute__((packed));
typedef struct { char c; int i; } __attribute__((__packed__)) Named;
#pragma pack(push, 1)
struct Pragma { char c; int i; };
#pragma pack(push)
#pragma pack(2)
struct Two { char c; int i; };
#pragma pack(pop)
enum class Kind { first };
template <class T> struct Pair { char c; T v; };
#pragma pack(pop)
struct Plain { char c; int i; };
struct __attribute__((packed)) Raised { char c; alignas(4) int i; };
struct __attribute__((packed, aligned(4))) Both { char c; short s; char d; };

// [packed] Five bytes each, not eight: byte 8 t + 5 is the first of some other.
//~ race
__global__ void packed_before_bad(char *g)
{
    int t = threadIdx.x;
    ((Before *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;   //~ here
}

// Bytes 1 to 4 of five.
//~ race-free
__global__ void packed_before_ok(char *g)
{
    int t = threadIdx.x;
    ((Before *)g)[t].i = t;
    g[5 * t] = t + 1;
}

//~ race
__global__ void packed_behind_bad(char *g)
{
    int t = threadIdx.x;
    ((Behind *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;   //~ here
}

//~ race-free
__global__ void packed_behind_ok(char *g)
{
    int t = threadIdx.x;
    ((Behind *)g)[t].i = t;
    g[5 * t] = t + 1;
}

//~ race
__global__ void packed_named_bad(char *g)
{
    int t = threadIdx.x;
    ((Named *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;  //~ here
}

//~ race
__global__ void packed_pragma_bad(char *g)
{
    int t = threadIdx.x;
    ((Pragma *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;   //~ here
}

//~ race-free
__global__ void packed_pragma_ok(char *g)
{
    int t = threadIdx.x;
    ((Pragma *)g)[t].i = t;
    g[5 * t] = t + 1;
}

// [packed] Six bytes each: byte 8 t + 6.
//~ race
__global__ void packed_two_bad(char *g)
{
    int t = threadIdx.x;
    ((Two *)g)[t].c = t;  //~ here
    g[8 * t + 6] = t + 1; //~ here
}

// Byte 1 is padding.
//~ race-free
__global__ void packed_two_ok(char *g)
{
    int t = threadIdx.x;
    ((Two *)g)[t].c = t;
    ((Two *)g)[t].i = t;
    g[6 * t + 1] = t + 1;
}

// [packed] The pragma before the last one holds again.
//~ race
__global__ void packed_popped_bad(char *g)
{
    int t = threadIdx.x;
    ((Pair<int> *)g)[t].c = t; //~ here
    g[8 * t + 5] = t + 1;      //~ here
}

// None holds any more: eight bytes each.
//~ race-free
__global__ void packed_ended_ok(char *g)
{
    int t = threadIdx.x;
    ((Plain *)g)[t].c = t;
    g[8 * t + 5] = 0;
}

// [packed] A member that asks for its alignment has it: eight bytes each.
//~ fn_race
__global__ void packed_raised_bad(char *g)
{
    int t = threadIdx.x;
    ((Raised *)g)[t].c = t; //~ here
    if (t < 63) g[8 * t + 8] = t; //~ here
}

// [packed] Both: four bytes each.
//~ race
__global__ void packed_both_bad(char *g)
{
    int t = threadIdx.x;
    ((Both *)g)[t].c = t;   //~ here
    if (t < 63) g[4 * t + 4] = t; //~ here
}

// Four bytes each, the last of which is the second character.
//~ race-free
__global__ void packed_both_ok(char *g)
{
    int t = threadIdx.x;
    ((Both *)g)[t].c = t;
    g[4 * t + 3] = t;
}
