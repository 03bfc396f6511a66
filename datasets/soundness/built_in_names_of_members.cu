//--blockDim=64 --gridDim=1
// Row: members and constants that have the name of a built-in variable

struct Shape {
    dim3 blockDim;
    __device__ void put(int *out) const { out[threadIdx.x % blockDim.x] = threadIdx.x; } //~ here
};

// [shadow] The member is smaller than the block.
//~ race
__global__ void named_as_block_bad(int *out)
{
    Shape shape;
    shape.blockDim.x = 8;
    shape.put(out);
}

// Outside the class the block is meant.
//~ race-free
__global__ void named_as_block_ok(int *out)
{
    Shape shape;
    shape.blockDim.x = 8;
    out[threadIdx.x % blockDim.x] = threadIdx.x;
}

struct Lanes { int warpSize; };
struct HasLanes : Lanes {
    __device__ int wrapped(int i) const { return i % warpSize; }
};

// [shadow] A member of a base.
//~ race
__global__ void named_as_warp_in_base_bad(int *out)
{
    HasLanes lanes;
    lanes.warpSize = 16;
    out[lanes.wrapped(threadIdx.x)] = threadIdx.x; //~ here
}

struct Traits {
    static constexpr int warpSize = 4;
    __device__ static int wrapped(int i) { return i % warpSize; }
};

// [shadow] A static member.
//~ race
__global__ void named_as_warp_static_bad(int *out)
{
    out[Traits::wrapped(threadIdx.x)] = threadIdx.x; //~ here
}

template <class Base> struct Derived : Base {
    __device__ void put(int *out) const { out[threadIdx.x % blockDim.x] = threadIdx.x; }
    __device__ void put_own(int *out) const { out[threadIdx.x % this->blockDim.x] = threadIdx.x; } //~ here
};

// An unqualified name does not look into a base that depends on a parameter.
//~ race-free
__global__ void named_in_dependent_base_ok(int *out)
{
    Derived<Shape> shape;
    shape.blockDim.x = 8;
    shape.Derived<Shape>::put(out);
}

// [shadow] Through `this` it does.
//~ race
__global__ void named_in_dependent_base_bad(int *out)
{
    Derived<Shape> shape;
    shape.blockDim.x = 8;
    shape.put_own(out);
}

namespace narrow {
enum { warpSize = 2 };
__device__ int wrapped(int i) { return i % warpSize; }
}

// [shadow] A constant of the namespace.
//~ race
__global__ void named_as_warp_in_namespace_bad(int *out)
{
    out[narrow::wrapped(threadIdx.x)] = threadIdx.x; //~ here
}

struct Fixed {
    dim3 threadIdx;
    __device__ int at() const { return threadIdx.x; }
};

// [shadow] One place for all.
//~ race
__global__ void named_as_thread_bad(int *out)
{
    Fixed fixed;
    fixed.threadIdx.x = 3;
    out[fixed.at()] = threadIdx.x; //~ here
}
