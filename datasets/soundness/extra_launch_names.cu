// Names that begin with `::`, and subscripts the wrong way round, in host code

int shown = 8;

// [host] `::shown` is not the local variable.
//~ race
__global__ void host_name_global_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

void global_bad(int *p)
{
    int shown = 1;
    host_name_global_bad<<<1, 32>>>(p, ::shown - 7 - shown);
}

// The local variable.
//~ race-free
__global__ void host_name_local_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

void local_ok(int *p)
{
    int shown = 1;
    ::shown = 0;
    host_name_local_ok<<<1, 32>>>(p, shown);
}

// [host] The subscript and the array change places.
//~ race
__global__ void host_name_subscript_bad(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x; //~ here
}

void subscript_bad(int *p)
{
    int a[3] = {1, 2, 3};
    2[a] = 9;
    host_name_subscript_bad<<<1, 32>>>(p, a[2] - 9);
}

// It has what was stored.
//~ race-free
__global__ void host_name_subscript_ok(int *p, int n)
{
    p[threadIdx.x * n] = threadIdx.x;
}

void subscript_ok(int *p)
{
    int a[3] = {0, 0, 0};
    2[a] = 9;
    host_name_subscript_ok<<<1, 32>>>(p, a[2] - 8);
}
