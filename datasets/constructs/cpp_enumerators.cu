//--blockDim=64 --gridDim=1
// Construct: enumerators behind other names of their enumeration, and as arguments of templates that differ in what they take
namespace fold {
enum class Kind { sum, largest };
template <Kind K, typename T> __device__ T two(const T a, const T b);
template <Kind K, typename T = int> __device__ T start();
template <> __device__ int two<Kind::sum>(const int a, const int b) { return a + b; }
template <> __device__ int two<Kind::largest>(const int a, const int b) { return a > b ? a : b; }
template <> __device__ unsigned two<Kind::sum>(const unsigned a, const unsigned b) { return a + b + 1; }
template <> __device__ int start<Kind::sum>() { return 0; }
template <> __device__ int start<Kind::largest>() { return 63; }
template <> __device__ unsigned start<Kind::sum>() { return 1; }

template <typename T, Kind K, int step = 1> __device__ void at(T *place) { place[0] += step; }
template <typename T, Kind K, Kind L, int step = 1> __device__ void at(T *place) { place[0] /= 2 * step; }
template <typename T, Kind... K> __device__ void at_all(T *place) { at<T, K...>(place); }
template <typename T, int step, Kind... K> __device__ void at_each(T *place) { at<T, K..., step>(place); }
}
using Op = fold::Kind;
typedef Op Again;

enum Plain { few = 2, many = 8 };
template <int n> __device__ int spread() { return n; }
template <Plain p> __device__ int spread() { return 0; }

// The number of the thread and nothing.
//~ race-free
__global__ void sum_by_alias_ok(int *o)
{
    o[fold::two<Op::sum>((int)threadIdx.x, fold::start<Op::sum>())] = threadIdx.x;
}

// [enumerator] The larger of the number and 63 is 63 for all.
//~ race
__global__ void largest_by_alias_bad(int *o)
{
    o[fold::two<Op::largest>((int)threadIdx.x, fold::start<Again::largest>())] = threadIdx.x; //~ here
}

// [enumerator] The same by a name for the name.
//~ race
__global__ void largest_by_typedef_bad(int *o)
{
    o[fold::two<Again::largest>((int)threadIdx.x, 63)] = threadIdx.x; //~ here
}

// [enumerator] A parameter of a template hides the name: its enumerator is 1, and all come to the first element.
template <class Op> __device__ int scaled() { return threadIdx.x * (1 - (int)Op::sum); }
enum class Other { largest, sum };

//~ race
__global__ void hidden_alias_bad(int *o)
{
    o[scaled<Other>()] = threadIdx.x; //~ here
}

// One enumerator: the next argument is the step.
//~ race-free
__global__ void one_and_step_ok(int *o)
{
    int place[1] = {(int)threadIdx.x};
    fold::at<int, Op::sum, 4>(place);
    o[place[0]] = threadIdx.x;
}

// [overload] Two enumerators: the function with two is meant, which halves.
//~ race
__global__ void two_enumerators_bad(int *o)
{
    int place[1] = {(int)threadIdx.x};
    fold::at<int, Op::sum, Op::largest>(place);
    o[place[0]] = threadIdx.x; //~ here
}

// A pack of one, and the step behind it.
//~ race-free
__global__ void pack_and_step_ok(int *o)
{
    int place[1] = {(int)threadIdx.x};
    fold::at_each<int, 3, Op::sum>(place);
    fold::at_all<int, Op::sum>(place);
    o[place[0]] = threadIdx.x;
}

// [overload] A pack of two.
//~ race
__global__ void pack_of_two_bad(int *o)
{
    int place[1] = {(int)threadIdx.x};
    fold::at_all<int, Op::sum, Op::largest>(place);
    o[place[0]] = threadIdx.x; //~ here
}

// [overload] A pack of two, and the step behind it.
//~ race
__global__ void pack_of_two_and_step_bad(int *o)
{
    int place[1] = {(int)threadIdx.x};
    fold::at_each<int, 3, Op::sum, Op::largest>(place);
    o[place[0]] = threadIdx.x; //~ here
}

// A number is no enumerator.
//~ race-free
__global__ void number_for_enumerator_ok(int *o)
{
    o[threadIdx.x * spread<2>()] = threadIdx.x;
}
