// Extra: a function that was run with what its caller gives, and that is found to be called in another way later on

// [launch] `late_start` comes first, was run for `main`, and is called through a pointer in what a pointer calls.
//~ race
__global__ void late_bad(int *a)
{
    if (threadIdx.x < 32) a[threadIdx.x] = 1; //~ here
    else a[threadIdx.x - 32] = 2; //~ here
}

// [launch] The same way round, and right for any size.
//~ race-free
__global__ void late_ok(int *a)
{
    a[threadIdx.x] = 1;
}

static void late_start(int *a, int n)
{
    late_bad<<<1, n>>>(a);
    late_ok<<<1, n>>>(a);
}

static void late_second(int *a)
{
    void (*start)(int *, int) = late_start;
    start(a, 64);
}

int main()
{
    int *a;
    cudaMalloc(&a, 4096);
    late_start(a, 32);
    void (*second)(int *) = late_second;
    second(a);
}
