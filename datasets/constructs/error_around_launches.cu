// Construct: `#error` that a launch depends on, or does not

#ifndef LAUNCHED_THREADS
#error "the build says how many threads"
#endif

#ifndef LAUNCHED_THREADS
#define LAUNCHED_THREADS 1
#endif

static const int launched_blocks = LAUNCHED_THREADS > 64 ? 2 : 1;

// The other launch does not depend on the build.
//~ race-free
__global__ void launched_apart_ok(int *g)
{
    g[threadIdx.x] = 1;
}

// With more than one thread they meet.
//~ race conditional
__global__ void launched_size_open(int *g)
{
    g[0] = threadIdx.x; //~ here
}

// With more than one block they meet.
//~ race conditional
__global__ void launched_constant_open(int *g)
{
    g[threadIdx.x] = blockIdx.x; //~ here
}

void launch_apart(int *g) { launched_apart_ok<<<1, 64>>>(g); }
void launch_sized(int *g) { launched_size_open<<<1, LAUNCHED_THREADS>>>(g); }
void launch_constant(int *g) { launched_constant_open<<<launched_blocks, 64>>>(g); }
