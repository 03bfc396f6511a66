// Construct: host code that calls and launches functions which have namesakes in other namespaces

#include <algorithm>

namespace sums {
int max(int a, int b)
{
    return a + b;
}
}

// [launch] The larger one, not the sum.
//~ race
__global__ void launch_sight_library_bad(int *g, int n)
{
    if (n == 2) {
        g[0] = threadIdx.x; //~ here
    }
}

//~ race-free
__global__ void launch_sight_library_ok(int *g, int n)
{
    if (n == 3) {
        g[0] = threadIdx.x;
    }
}

// [launch] The sum.
//~ race
__global__ void launch_sight_own_bad(int *g, int n)
{
    if (n == 3) {
        g[0] = threadIdx.x; //~ here
    }
}

namespace first {
// [launch] Launched by its whole name.
//~ race
__global__ void launch_sight_kernel_bad(int *g, int n)
{
    if (n == 1) {
        g[0] = threadIdx.x; //~ here
    }
}
}

namespace second {
// The directive brings in this one.
//~ race-free
__global__ void launch_sight_kernel_ok(int *g, int n)
{
    if (n == 1) {
        g[0] = threadIdx.x;
    }
}
}

void launch_names_in_sight(int *g)
{
    using std::max;
    launch_sight_library_bad<<<1, 64>>>(g, max(1, 2));
    launch_sight_library_ok<<<1, 64>>>(g, std::max(1, 2));
    launch_sight_own_bad<<<1, 64>>>(g, sums::max(1, 2));
    first::launch_sight_kernel_bad<<<1, 64>>>(g, 1);
    using namespace second;
    launch_sight_kernel_ok<<<1, 64>>>(g, 0);
}
