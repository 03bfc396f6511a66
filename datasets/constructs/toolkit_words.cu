//--blockDim=64 --gridDim=1
// Constructs: the words of CUDA as its own headers define them, in classes; attributes between `struct` and the name
#define __annotate__(word) __attribute__((word))
#define __location__(word) __annotate__(word)
#define __device__ __location__(device)
#define __shared__ __location__(shared)

struct __attribute__((visibility("default"))) ToolkitAt
{
    int place;
    __device__ ToolkitAt(int place) : place(place) {}
    __device__ int mirrored() const { return 63 - place; }
    static __device__ int halved(int place) { return place / 2; }
};

//~ race-free
__global__ void toolkit_words_ok(int *g)
{
    __shared__ int s[64];
    ToolkitAt at(threadIdx.x);
    s[at.place] = threadIdx.x;
    __syncthreads();
    g[at.place] = s[at.mirrored()];
}

// [missing-barrier] The array is shared.
//~ race
__global__ void toolkit_words_bad(int *g)
{
    __shared__ int s[64];
    ToolkitAt at(threadIdx.x);
    s[at.place] = threadIdx.x; //~ here
    g[at.place] = s[at.mirrored()]; //~ here
}

// [index] A static member is one of the device, too.
//~ race
__global__ void toolkit_words_static_bad(int *g)
{
    g[ToolkitAt::halved(threadIdx.x)] = threadIdx.x; //~ here
}
