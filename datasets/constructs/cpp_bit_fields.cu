//--blockDim=64 --gridDim=1
// Construct: bit fields: those next to each other are one memory location, a field without a name of width 0 parts them

struct Pair { unsigned low : 4; unsigned high : 12; unsigned other; };
struct Parted { unsigned a : 8; unsigned : 0; unsigned b : 8; };
struct Apart { unsigned a : 8; unsigned char between; unsigned b : 8; };
struct Tail { unsigned mode : 20; unsigned char flag; };
struct Straddling { unsigned a : 20; unsigned b : 20; unsigned c; };
struct Signed { int s : 3; unsigned u : 5; };
struct Packet { unsigned short kind : 6; unsigned short size : 10; unsigned char data[2]; };
union Word { unsigned all; struct { unsigned low : 16; unsigned high : 16; } half; };

// Each thread has a number of its own.
//~ race-free
__global__ void bits_own_ok(Pair *g)
{
    g[threadIdx.x].low = threadIdx.x;
    g[threadIdx.x].high = threadIdx.x;
}

// [index] Two threads write neighbours in one number.
//~ race
__global__ void bits_neighbours_bad(Pair *g)
{
    if (threadIdx.x == 0) g[0].low = 1; //~ here
    if (threadIdx.x == 1) g[0].high = 1; //~ here
}

// [index] One reads the neighbour of what the other writes.
//~ race
__global__ void bits_read_bad(Pair *g, int *out)
{
    if (threadIdx.x == 0) g[0].low = 1; //~ here
    if (threadIdx.x == 1) out[0] = g[0].high; //~ here
}

// The member behind them is another location.
//~ race-free
__global__ void bits_other_member_ok(Pair *g)
{
    if (threadIdx.x == 0) g[0].low = 1;
    if (threadIdx.x == 1) g[0].other = 1;
}

// A width of 0 parts them.
//~ race-free
__global__ void bits_parted_ok(Parted *g)
{
    if (threadIdx.x == 0) g[0].a = 1;
    if (threadIdx.x == 1) g[0].b = 1;
}

// [width] The second is at byte 4, and the next object at byte 8.
//~ race
__global__ void bits_parted_bad(Parted *g, int *same)
{
    int *bytes = (int *)g;
    if (threadIdx.x == 0) g[1].b = 1; //~ here
    if (threadIdx.x == 1) bytes[3] = 2; //~ here
}

// A member that is no bit field parts them too.
//~ race-free
__global__ void bits_between_ok(Apart *g)
{
    if (threadIdx.x == 0) g[0].a = 1;
    if (threadIdx.x == 1) g[0].b = 1;
    if (threadIdx.x == 2) g[0].between = 1;
}

// [width] The byte between them is at byte 1.
//~ race
__global__ void bits_between_bad(Apart *g)
{
    char *bytes = (char *)g;
    if (threadIdx.x == 0) g[0].between = 1; //~ here
    if (threadIdx.x == 1) bytes[1] = 2; //~ here
}

// [width] The second does not fit into the first four bytes; they are one location still.
//~ race
__global__ void bits_straddling_bad(Straddling *g)
{
    if (threadIdx.x == 0) g[0].a = 1; //~ here
    if (threadIdx.x == 1) g[0].b = 1; //~ here
}

// What stands behind them is at byte 8.
//~ race-free
__global__ void bits_straddling_ok(Straddling *g)
{
    int *words = (int *)g;
    g[threadIdx.x].c = 1;
    if (threadIdx.x < 32) words[3 * threadIdx.x] = 2;
}

// The value of a field keeps its width, and its sign.
//~ race-free
__global__ void bits_value_ok(int *g)
{
    Signed s;
    s.s = 7;
    s.u = 33;
    g[threadIdx.x + s.s + s.u] = 1;
}

// [index] A value that is cut off is another index.
//~ race
__global__ void bits_value_bad(int *g)
{
    Signed s;
    s.u = 32;
    g[threadIdx.x * s.u] = threadIdx.x; //~ here
}

// Initialised member by member.
//~ race-free
__global__ void bits_list_ok(int *g)
{
    Pair p = {1, 2, 3};
    g[threadIdx.x * p.low + p.high] = p.other;
}

// [index] The other member has another value.
//~ race
__global__ void bits_list_bad(int *g)
{
    Pair p = {0, 2, 3};
    g[threadIdx.x * p.low + p.high] = threadIdx.x; //~ here
}

// Writing one keeps the other.
//~ race-free
__global__ void bits_kept_ok(int *g)
{
    Pair p = {1, 2, 3};
    p.high = 0;
    p.low++;
    g[threadIdx.x * p.low] = p.other;
}

// [index] The sum does not fit any more.
//~ race
__global__ void bits_wraps_bad(int *g)
{
    Pair p = {15, 2, 3};
    p.low++;
    g[threadIdx.x * p.low] = threadIdx.x; //~ here
}

// [index] The halves of a number in a union.
//~ race
__global__ void bits_union_bad(Word *g)
{
    if (threadIdx.x == 0) g[0].half.low = 1; //~ here
    if (threadIdx.x == 1) g[0].all = 2; //~ here
}

// Copies are copies of the bytes.
//~ race-free
__global__ void bits_copy_ok(Packet *g)
{
    Packet p = g[threadIdx.x];
    p.kind = 3;
    g[threadIdx.x] = p;
}

// [index] The neighbour's bytes.
//~ race
__global__ void bits_copy_bad(Packet *g)
{
    Packet p = g[(threadIdx.x + 1) % 64]; //~ here
    p.kind = 3;
    g[threadIdx.x] = p; //~ here
}

// [index] Through a parameter by value: its field is the same in all threads.
//~ race
__global__ void bits_parameter_bad(Pair p, int *g)
{
    g[p.low] = threadIdx.x; //~ here
}

// A block of what the field says.
//~ race-free
__global__ void bits_parameter_ok(Pair p, int *g)
{
    g[threadIdx.x + p.low + p.high] = 1;
}

// `Tail` has its flag in the fourth byte, behind the twenty bits.
//~ race-free
__global__ void bits_tail_ok(Tail *g)
{
    g[threadIdx.x].flag = 1;
    g[threadIdx.x].mode = 2;
}

// [width] The flag is the fourth byte.
//~ race
__global__ void bits_tail_bad(Tail *g)
{
    char *bytes = (char *)g;
    if (threadIdx.x == 0) g[0].flag = 1; //~ here
    if (threadIdx.x == 1) bytes[3] = 2; //~ here
}
