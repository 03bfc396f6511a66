// Extra: constants of the host code that are declared behind their use

constexpr int threads = 128;

// [host] The block has the size of the outer constant.
//~ race
__global__ void host_later_bad()
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x; //~ here
}

// Behind its declaration, the inner constant is the size.
//~ race-free
__global__ void host_later_ok()
{
    __shared__ int s[64];
    s[threadIdx.x % 64] = threadIdx.x;
}

namespace inner {
void first() { host_later_bad<<<1, threads>>>(); }
constexpr int threads = 64;
void second() { host_later_ok<<<1, threads>>>(); }
}

int main()
{
    inner::first();
    inner::second();
}
