//--blockDim=64 --gridDim=1
// Construct: enums, constexpr variables and functions, static members

enum { LOW = 1, HIGH, TOP = HIGH + 4 };
enum class Mode { Keep, Half, Zero };
enum class Letter : unsigned char { A = 250, Z = 255 };

struct Layout {
    enum Kind { Rows = 1, Columns = 8 };
    static constexpr int pitch = 2;
    static const int none = 0;
    enum { size = pitch * 64 };
};

constexpr int square(int v) { return v * v; }
constexpr int width = square(8);
constexpr int steps(int v) { return v <= 1 ? 0 : 1 + steps(v / 2); }
constexpr int table[4] = {0, 1, 2, 3};

__device__ int place(Mode mode, int t)
{
    switch (mode) {
    case Mode::Keep: return t;
    case Mode::Half: return t / 2;
    default: return 0;
    }
}

// The values count on from the last one given.
//~ race-free
__global__ void enum_plain_ok(int *g)
{
    int t = threadIdx.x;
    g[t * HIGH] = t;
    g[t * HIGH + LOW] = t;
}

// [index] TOP is 6, and seven elements are written.
//~ race
__global__ void enum_plain_bad(int *g)
{
    int t = threadIdx.x;
    for (int j = 0; j <= TOP; j++) g[t * TOP + j] = t; //~ here
}

// A scoped enum.
//~ race-free
__global__ void enum_scoped_ok(int *g)
{
    int t = threadIdx.x;
    g[place(Mode::Keep, t)] = t;
}

// [index] The second one is 1.
//~ race
__global__ void enum_scoped_bad(int *g)
{
    int t = threadIdx.x;
    g[place(static_cast<Mode>(1), t)] = t; //~ here
}

// The underlying type: 250 + 5 fits.
//~ race-free
__global__ void enum_underlying_ok(int *g)
{
    int t = threadIdx.x;
    g[t * (static_cast<int>(Letter::Z) - static_cast<int>(Letter::A) - 4)] = t;
}

// [wrap] 256 in an unsigned char is 0.
//~ race
__global__ void enum_underlying_bad(int *g)
{
    int t = threadIdx.x;
    Letter letter = static_cast<Letter>(static_cast<int>(Letter::Z) + 1);
    g[t * static_cast<int>(letter)] = t; //~ here
}

// Enumerators of a class.
//~ race-free
__global__ void enum_member_ok(int *g)
{
    int t = threadIdx.x;
    g[t / 8 * Layout::Columns + t % 8 * Layout::Rows] = t;
}

// [index] Rows for columns.
//~ race
__global__ void enum_member_bad(int *g)
{
    int t = threadIdx.x;
    g[t / 8 * Layout::Rows + t % 8 * Layout::Rows] = t; //~ here
}

// A constexpr variable as the extent, and a function of constants.
//~ race-free
__global__ void constexpr_ok(int *out)
{
    __shared__ int s[width];
    int t = threadIdx.x;
    s[width - 1 - t] = t;
    __syncthreads();
    out[t * (steps(64) - 5)] = s[t];
}

// [index] steps(32) is 5.
//~ race
__global__ void constexpr_bad(int *out)
{
    int t = threadIdx.x;
    out[t * (steps(32) - 5)] = t; //~ here
}

// A constant table.
//~ race-free
__global__ void constexpr_table_ok(int *out)
{
    int t = threadIdx.x;
    out[t * table[1]] = t;
}

// [index] Its first entry is 0.
//~ race
__global__ void constexpr_table_bad(int *out)
{
    int t = threadIdx.x;
    out[t * table[0]] = t; //~ here
}

// Static members.
//~ race-free
__global__ void static_member_ok(int *out)
{
    int t = threadIdx.x;
    for (int i = t; i < Layout::size; i += 64) out[i * Layout::pitch] = i;
}

// [index] This one is 0.
//~ race
__global__ void static_member_bad(int *out)
{
    int t = threadIdx.x;
    out[t * Layout::none] = t; //~ here
}
