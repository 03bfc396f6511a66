//--blockDim=64 --gridDim=2
// Variables at namespace scope that a function declares once more, and parameters that are references: one object for all threads.

__device__ int counted;
__device__ int table[64];

// [declaration] It is no variable of the thread.
//~ race
__global__ void extern_scalar_bad()
{
    extern __device__ int counted;
    counted = threadIdx.x; //~ here
}

// [declaration] An array.
//~ race
__global__ void extern_array_bad()
{
    extern __device__ int table[64];
    table[threadIdx.x / 2] = threadIdx.x; //~ here
}

// [declaration] In one block of a branch, and atomic beside plain.
//~ race
__global__ void extern_atomic_bad()
{
    if (threadIdx.x < 32) {
        extern __device__ int counted;
        atomicAdd(&counted, 1); //~ here
        if (threadIdx.x == 0) {
            counted = 0; //~ here
        }
    }
}

__device__ void set_counted(int v)
{
    extern __device__ int counted;
    counted = v; //~ here
}

// [declaration] In a function that is called.
//~ race
__global__ void extern_called_bad()
{
    set_counted(threadIdx.x);
}

// Each thread has an element of its own.
//~ race-free
__global__ void extern_array_ok()
{
    extern __device__ int table[64];
    if (blockIdx.x == 0) {
        table[threadIdx.x] = threadIdx.x;
    }
}

// What it points to is not told.
//~ unknown
__global__ void extern_elsewhere_unknown()
{
    extern __device__ int *elsewhere;
    elsewhere[threadIdx.x] = threadIdx.x;
}

// [reference] All threads have the one object.
//~ race
__global__ void reference_scalar_bad(int &o)
{
    o = threadIdx.x; //~ here
}

struct Sums {
    int a, b;
};

// [reference] A member of it.
//~ race
__global__ void reference_struct_bad(Sums &o)
{
    o.a = threadIdx.x; //~ here
}

// [reference] By its address.
//~ race
__global__ void reference_address_bad(int &o)
{
    int *p = &o;
    p[threadIdx.x / 2] = threadIdx.x; //~ here
}

// They only read it.
//~ race-free
__global__ void reference_read_ok(const int &o, int *out)
{
    out[64 * blockIdx.x + threadIdx.x] = o;
}

// They add to it.
//~ race-free
__global__ void reference_atomic_ok(int &o)
{
    atomicAdd(&o, 1);
}

struct Hiding {
    int counted;
    __device__ void count()
    {
        extern __device__ int counted;
        counted = threadIdx.x;
    }
};

// [declaration] In a member function, where a member has the name.
//~ fn_race
__global__ void extern_member_bad()
{
    Hiding hiding;
    hiding.count();
}

namespace held {
__device__ void write_ours();

// [declaration] It is the variable of this namespace, which comes later.
//~ fn_race
__global__ void extern_namespace_bad()
{
    extern __device__ int table[64];
    table[threadIdx.x] = 1; //~ here
    write_ours();
}

__device__ int table[64];
__device__ void write_ours()
{
    held::table[63 - threadIdx.x] = 2;
}
}
