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
