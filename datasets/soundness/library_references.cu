//--blockDim=64 --gridDim=1
// Row: functions of the library that give references to their arguments
#include <algorithm>
#include <utility>
namespace kept = cuda::std;

// [reference] Two threads have one element between them.
//~ race
__global__ void element_written_bad(std::pair<int, float> *p)
{
    std::get<0>(p[threadIdx.x / 2]) = threadIdx.x; //~ here
}

// Each thread has a pair of its own.
//~ race-free
__global__ void element_written_ok(std::pair<int, float> *p)
{
    std::get<0>(p[threadIdx.x]) = threadIdx.x;
    std::get<1>(p[threadIdx.x]) = 1.0f;
}

// [reference] By the name of another namespace.
//~ race
__global__ void element_of_alias_bad(cuda::std::pair<int, int> *p)
{
    kept::get<1>(p[threadIdx.x % 16]) = threadIdx.x; //~ here
}

// [reference] By its type.
//~ race
__global__ void element_by_type_bad(thrust::pair<int, float> *p)
{
    thrust::get<float>(p[threadIdx.x & 7]) = threadIdx.x; //~ here
}

// One thread writes one member, the others read the other.
//~ race-free
__global__ void element_beside_ok(std::pair<int, int> *p, int *out)
{
    if (threadIdx.x == 0) std::get<0>(p[0]) = 5;
    else out[threadIdx.x] = std::get<1>(p[0]);
}

// [reference] They read the member that is written.
//~ race
__global__ void element_beside_bad(std::pair<int, int> *p, int *out)
{
    if (threadIdx.x == 0) std::get<0>(p[0]) = 5; //~ here
    else out[threadIdx.x] = std::get<0>(p[0]); //~ here
}

// [reference] What is stored in the pair is the index of all.
//~ race
__global__ void element_of_local_bad(int *out)
{
    std::pair<int, int> place(threadIdx.x, 7);
    auto &first = std::get<0>(place);
    first = 11;
    out[place.first] = threadIdx.x; //~ here
}

// An atomic operation on the element.
//~ race-free
__global__ void element_counted_ok(std::pair<int, int> *p)
{
    atomicAdd(&std::get<1>(p[0]), 1);
}

// Nothing is known of the layout of a tuple.
//~ fp_race-free
__global__ void element_of_tuple_ok(std::tuple<int, int> *p)
{
    std::get<0>(p[threadIdx.x]) = threadIdx.x;
}

// [reference] The smaller of both is the variable that changes.
//~ race
__global__ void smaller_changes_bad(int *out)
{
    int mine = threadIdx.x, most = 500;
    const int &least = std::min(mine, most);
    mine = 6;
    out[least] = threadIdx.x; //~ here
}

// The other one changes.
//~ race-free
__global__ void smaller_stays_ok(int *out)
{
    int mine = threadIdx.x, most = 500;
    const int &least = std::min(mine, most);
    most = 6;
    out[least] = threadIdx.x;
}

// A copy is not changed.
//~ race-free
__global__ void smaller_copied_ok(int *out)
{
    int mine = threadIdx.x, most = 500;
    int least = std::min(mine, most);
    mine = 6;
    out[least] = threadIdx.x;
}

// CUDA's own function gives a value.
//~ race-free
__global__ void smaller_of_cuda_ok(int *out)
{
    int mine = threadIdx.x, most = 500;
    const int &least = min(mine, most);
    mine = 6;
    out[least] = threadIdx.x;
}

__device__ void changes(const int &at, int &changed, int *out)
{
    changed = 9;
    out[at] = threadIdx.x; //~ here
}

// [reference] Handed to a function that changes what it refers to.
//~ race
__global__ void larger_handed_on_bad(int *out)
{
    int mine = threadIdx.x, none = 0;
    changes(std::max(mine, none), mine, out);
}

// [reference] Between its bounds it is the variable itself.
//~ race
__global__ void clamped_changes_bad(int *out)
{
    int mine = threadIdx.x, low = 0, high = 63;
    const int &within = std::clamp(mine, low, high);
    mine = 1;
    out[within] = threadIdx.x; //~ here
}

// [reference] Through a function that returns it.
template <class T> __device__ const T &least_of(const T &a, const T &b) { return cuda::std::min(a, b); }

//~ race
__global__ void smaller_returned_bad(int *out)
{
    short mine = threadIdx.x, most = 500;
    const short &least = least_of(mine, most);
    mine = 2;
    out[least] = threadIdx.x; //~ here
}

// [reference] What moves from a variable refers to it, whatever the namespace is called.
//~ race
__global__ void moved_changes_bad(int *out)
{
    int mine = threadIdx.x;
    int &&same = kept::move(mine);
    mine = 3;
    out[same] = threadIdx.x; //~ here
}

// [reference] Where the smaller one lies is where all write.
//~ race
__global__ void smaller_pointed_to_bad(int *a, int *b)
{
    int *least = (int *)&std::min(a[0], b[0]); //~ here
    *least = threadIdx.x; //~ here
}
