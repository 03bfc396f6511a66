//--blockDim=64 --gridDim=4
// Construct: unnamed members of classes: enumerations, structs and unions

struct Cell {
    char kind;
    union {
        int whole;
        struct {
            short low, high;
        };
        unsigned char byte[4];
    };
    int next;
};

// The halves of a word are different bytes.
//~ race-free
__global__ void unnamed_union_halves_ok(Cell *cells) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 2 == 0)
        cells[t / 2].low = t;
    else
        cells[t / 2].high = t;
}

// One half is a part of the whole.
//~ race
__global__ void unnamed_union_halves_bad(Cell *cells) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 2 == 0)
        cells[t / 2].low = t; //~ here
    else
        cells[t / 2].whole = t; //~ here
}

// What stands before and after the union is not in it.
//~ race-free
__global__ void unnamed_union_neighbours_ok(Cell *cells) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 3 == 0)
        cells[t / 3].kind = t;
    else if (t % 3 == 1)
        cells[t / 3].whole = t;
    else
        cells[t / 3].next = t;
}

// The last byte of the union is that of the upper half.
//~ race
__global__ void unnamed_union_bytes_bad(Cell *cells, int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 2 == 0)
        cells[t / 2].byte[3] = t; //~ here
    else
        out[t] = cells[t / 2].high; //~ here
}

// A copy that a thread takes apart is its own.
//~ race-free
__global__ void unnamed_union_copy_ok(Cell *cells, int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Cell own = cells[t];
    own.low += own.high;
    out[t] = own.whole;
}

template <typename T, int N>
class Padded {
    enum { GAP = 2, STRIDE = N + GAP };
    T data[2 * STRIDE];

  public:
    __device__ T &operator[](int index) { return data[index]; }
    __device__ static int second() { return STRIDE; }
};

// The index is written in the brackets of an operator of the class.
//~ race-free
__global__ void unnamed_enum_rows_ok(int *out) {
    __shared__ Padded<int, 64> rows;
    rows[threadIdx.x] = threadIdx.x;
    rows[Padded<int, 64>::second() + threadIdx.x] = threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = rows[threadIdx.x];
}

// The second row begins two elements later than these think.
//~ race
__global__ void unnamed_enum_rows_bad(int *out) {
    __shared__ Padded<int, 64> rows;
    rows[threadIdx.x + 2] = threadIdx.x; //~ here
    rows[Padded<int, 64>::second() - 2 + threadIdx.x] = threadIdx.x; //~ here
    out[blockIdx.x * blockDim.x + threadIdx.x] = rows[threadIdx.x + 2]; //~ here
}
