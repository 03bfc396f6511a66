// Names of types that are declared twice, as two headers do that both bring one in: each means what it says once.
namespace folding {
enum class Way { Sum, Most };
template <Way W, typename T> __device__ inline T fold(const T one, const T other);
template <Way W, typename T = float> __device__ inline T first();
template <> __device__ inline float first<Way::Most>() { return -1.0f; }
template <> __device__ inline int first<Way::Most>() { return -1; }
template <> __device__ inline float fold<Way::Most>(const float one, const float other) { return one > other ? one : other; }
template <> __device__ inline int fold<Way::Most>(const int one, const int other) { return one > other ? one : other; }
template <Way W> struct Step;
template <> struct Step<Way::Sum> { __device__ static int at(int i) { return i; } };
template <> struct Step<Way::Most> { __device__ static int at(int i) { return i / 2; } };
struct Sizes { static const int pair = 2; };
}

using way = folding::Way;
typedef folding::Sizes sizes;

// Another header.
using way = folding::Way;
typedef folding::Sizes sizes;

template <typename T>
//~ race-free
__global__ void most_ok(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = folding::fold<way::Most>(folding::first<way::Most, T>(), in[i]);
}

//~ race-free
__global__ void step_ok(int *out) { out[folding::Step<way::Sum>::at(threadIdx.x)] = threadIdx.x; }

// [index] The step of the other way puts two threads on one element.
//~ race confirmed
__global__ void step_bad(int *out) { out[folding::Step<way::Most>::at(threadIdx.x)] = threadIdx.x; } //~ here

// [index] The number of a class that has two names of one spelling.
//~ race confirmed
__global__ void pair_bad(int *out) { out[threadIdx.x / sizes::pair] = threadIdx.x; } //~ here

void launch(const float *in, float *out, const int *counts, int *most)
{
    most_ok<<<4, 64>>>(in, out);
    most_ok<<<4, 64>>>(counts, most);
    step_ok<<<1, 64>>>(most);
    step_bad<<<1, 64>>>(most);
    pair_bad<<<1, 64>>>(most);
}
