// Row: a launch that passes the same allocation twice

// [alias] Launched with p == q: thread 0 writes p[0], thread 63 reads q[0].
//~ race
__global__ void same_allocation_twice_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t]; //~ here
}

// Launched with two allocations.
//~ race-free
__global__ void same_allocation_twice_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

// [alias] The second argument points into the first allocation, one element further.
//~ race
__global__ void same_allocation_shifted_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[t]; //~ here
}

// The halves of one allocation do not overlap.
//~ race-free
__global__ void same_allocation_halves_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void same_allocation_host()
{
    int *d, *e;
    cudaMalloc((void **)&d, 128 * sizeof(int));
    cudaMalloc((void **)&e, 128 * sizeof(int));
    same_allocation_twice_bad<<<1, 64>>>(d, d);
    same_allocation_twice_ok<<<1, 64>>>(d, e);
    same_allocation_shifted_bad<<<1, 64>>>(d, d + 1);
    same_allocation_halves_ok<<<1, 64>>>(d, d + 64);
    cudaFree(d);
    cudaFree(e);
}
