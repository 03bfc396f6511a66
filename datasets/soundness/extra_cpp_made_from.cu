//--blockDim=64 --gridDim=1
// Extra: objects that are made from objects of another class

struct From { int v; };
struct Made { int v; __device__ Made(From f) : v(f.v + 1) {} };
__device__ int of_made(Made m) { return m.v; }
__device__ Made made_of(From f) { return f; }
struct Where { int *p; };
struct Marks { int *p; __device__ Marks(Where w) : p(w.p) { p[0] = threadIdx.x; } }; //~ here
__device__ void marks(Marks m) {}
struct Waits { __device__ Waits(Where w) { __syncthreads(); } };

// [constructor] With an equals sign.
//~ race
__global__ void made_equals_bad(int *g)
{
    From f{3}
    ;
    Made m = f;
    g[threadIdx.x * (m.v != 4)] = threadIdx.x; //~ here
}

// The constructor has run.
//~ race-free
__global__ void made_equals_ok(int *g)
{
    From f{3}
    ;
    Made m = f;
    g[threadIdx.x * (m.v == 4)] = threadIdx.x;
}

// [constructor] For an argument.
//~ race
__global__ void made_argument_bad(int *g)
{
    From f{3}
    ;
    g[threadIdx.x * (of_made(f) != 4)] = threadIdx.x; //~ here
}

// [constructor] For a result.
//~ race
__global__ void made_result_bad(int *g)
{
    From f{3}
    ;
    g[threadIdx.x * (made_of(f).v != 4)] = threadIdx.x; //~ here
}

// [constructor] In a cast.
//~ race
__global__ void made_cast_bad(int *g)
{
    From f{3}
    ;
    Made m = (Made)f;
    g[threadIdx.x * (m.v != 4)] = threadIdx.x; //~ here
}

// [constructor] For a lambda.
//~ race
__global__ void made_lambda_bad(int *g)
{
    From f{3}
    ;
    auto l = [](Made m) { return m.v; };
    g[threadIdx.x * (l(f) != 4)] = threadIdx.x; //~ here
}

// [constructor] It writes.
//~ race
__global__ void made_marks_bad(int *g)
{
    Where w{g}
    ;
    Marks m = w;
}

// [constructor] It writes, for an argument.
//~ race
__global__ void made_marks_argument_bad(int *g)
{
    Where w{g}
    ;
    marks(w);
}

// It waits.
//~ race-free
__global__ void made_waits_ok(int *g)
{
    Where w{g}
    ;
    g[threadIdx.x] = 1;
    Waits b = w;
    g[threadIdx.x ^ 1] = 2;
}

// [barrier] Nothing waits.
//~ race
__global__ void made_waits_bad(int *g)
{
    Where w{g}
    ;
    g[threadIdx.x] = 1; //~ here
    Where b = w;
    g[threadIdx.x ^ 1] = 2; //~ here
}
