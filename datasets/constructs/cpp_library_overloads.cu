//--blockDim=[8,8] --gridDim=1
// Construct: overloads that a program adds to functions of CUDA, and their results as arguments

inline __host__ __device__ int3 make_int3(int s) { return make_int3(s, s, s); }
inline __host__ __device__ int3 make_int3(int2 a, int s) { return make_int3(a.x, a.y, s); }

__device__ int cell(int3 c) { return c.x + 8 * c.y; }

__device__ float far(float4 a, float4 b) { return (a.x - b.x) * (a.x - b.x); }

// The function of CUDA takes three numbers.
//~ race-free
__global__ void added_three_ok(int *p)
{
    p[cell(make_int3(threadIdx.x, threadIdx.y, 0))] = 1;
}

// [overload] The added function takes one number: all of x alike.
//~ race
__global__ void added_one_bad(int *p)
{
    p[cell(make_int3(threadIdx.x))] = threadIdx.y; //~ here
}

// The added function takes a pair.
//~ race-free
__global__ void added_pair_ok(int *p)
{
    p[cell(make_int3(make_int2(threadIdx.x, threadIdx.y), 0))] = 1;
}

// [overload] A pair in which the row is the same for two threads.
//~ race
__global__ void added_pair_bad(int *p)
{
    p[cell(make_int3(make_int2(threadIdx.x, threadIdx.y / 2), 0))] = threadIdx.y; //~ here
}

// What a texture gives is an argument of a function of the program.
//~ race-free
__global__ void fetched_argument_ok(float *p, cudaTextureObject_t t)
{
    int i = threadIdx.x + 8 * threadIdx.y;
    p[i] = far(tex2D<float4>(t, i, 0), tex2D<float4>(t, i, 1));
}

// [neighbour] The same, with a neighbour's element.
//~ race
__global__ void fetched_argument_bad(float *p, cudaTextureObject_t t)
{
    int i = threadIdx.x + 8 * threadIdx.y;
    p[(i + 1) % 64] = p[i] + far(tex2D<float4>(t, i, 0), tex2D<float4>(t, i, 1)); //~ here
}
