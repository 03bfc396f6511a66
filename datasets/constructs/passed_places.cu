// Construct: numbers that host code makes of addresses in an allocation that the kernel reaches otherwise, too

// [pointer behind] The pointer that is passed behind the number leads to the same elements.
//~ race
__global__ void passed_place_pointer_bad(long long address, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((int *)address)[i] = from[i + 1]; //~ here
}

void place_pointer()
{
    int *p;
    cudaMalloc(&p, 4096);
    passed_place_pointer_bad<<<2, 64>>>((long long)p, p, 100);
}

// [bytes] The host adds to the number.
//~ race
__global__ void passed_place_bytes_bad(long long to, const int *from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((int *)to)[i] = from[i]; //~ here
}

void place_bytes()
{
    int *p;
    cudaMalloc(&p, 4096);
    passed_place_bytes_bad<<<2, 64>>>((long long)p + 4, p, 100);
}

// [two numbers] Both lead into one allocation, an element apart.
//~ race
__global__ void passed_place_next_bad(long long to, long long from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((int *)to)[i] = ((const int *)from)[i]; //~ here
}

void place_next()
{
    int *p;
    cudaMalloc(&p, 4096);
    passed_place_next_bad<<<2, 64>>>((long long)p, (long long)(p + 1), 100);
}

// [two halves] They lead to the two halves of it.
//~ race-free
__global__ void passed_place_halves_ok(unsigned long long to, unsigned long long from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((int *)to)[i] = ((const int *)from)[i + 1];
}

void place_halves()
{
    int *p;
    cudaMalloc(&p, 4096);
    passed_place_halves_ok<<<2, 64>>>((unsigned long long)p, (unsigned long long)(p + 512), 100);
}

// [two allocations] They lead to two of them.
//~ race-free
__global__ void passed_places_of_two_ok(long long to, long long from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((int *)to)[i] = ((const int *)from)[i + 1];
}

void places_of_two()
{
    int *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    passed_places_of_two_ok<<<2, 64>>>((long long)p, (long long)q, 100);
}
