//--blockDim=64 --gridDim=1
// Construct: classes in functions: methods, blocks with classes of the same name, names of the function around them

const int scale = 1;
__device__ int turn[64];

struct Same {
    int a;
    __device__ int place() const { return a; }
};

// A method that returns from several places.
//~ race-free
__global__ void local_class_ok(int *g)
{
    int t = threadIdx.x;
    struct Cell {
        int a;
        __device__ int place()
        {
            if (a > 30) return a + 64;
            for (int i = 0; i < 2; i++) a += 0;
            return a;
        }
    };
    Cell c{t};
    g[c.place()] = t;
}

// [method] What it returns at first is another cell's place.
//~ race
__global__ void local_class_bad(int *g)
{
    int t = threadIdx.x;
    struct Cell {
        int a;
        __device__ int place()
        {
            if (a > 30) return a - 1;
            return a;
        }
    };
    Cell c{t};
    g[c.place()] = t; //~ here
}

// The inner class has the name of the outer one.
//~ race-free
__global__ void local_class_inner_ok(int *g)
{
    int t = threadIdx.x;
    struct Same { int a; __device__ int place() const { return 0; } };
    Same zero{t};
    {
        struct Same { int b, c; __device__ int place() const { return b + c; } };
        Same s{t, zero.place()};
        g[s.place()] = t;
    }
}

// [shadow] Behind the block the outer one is meant again.
//~ race
__global__ void local_class_inner_bad(int *g)
{
    int t = threadIdx.x;
    struct Same { int a; __device__ int place() const { return 0; } };
    {
        struct Same { int b, c; __device__ int place() const { return b + c; } };
        Same s{t, 0};
        g[s.place() + 64] = t;
    }
    Same zero{t};
    g[zero.place()] = t; //~ here
}

// A member hides the constant of the function.
//~ race-free
__global__ void local_class_member_ok(int *g)
{
    int t = threadIdx.x;
    constexpr int scale = 0;
    struct Scaled { int a, scale; __device__ int place() const { return a * scale; } };
    Scaled s{t, 2};
    g[s.place() + scale] = t;
}

// [shadow] The constant of the function hides that of the unit.
//~ race
__global__ void local_class_member_bad(int *g)
{
    int t = threadIdx.x;
    constexpr int scale = 0;
    struct Scaled { int a; __device__ int place() const { return a * scale; } };
    Scaled s{t};
    g[s.place()] = t; //~ here
}

// [shadow] The method writes to the function's memory, not to the unit's.
//~ fn_race
__global__ void local_class_shared_bad(int *g)
{
    __shared__ int turn[64];
    int t = threadIdx.x;
    struct Writer { int a; __device__ void put() { turn[a] = a; } }; //~ here
    Writer w{t};
    w.put();
    g[t] = turn[63 - t]; //~ here
}
