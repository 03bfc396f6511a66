// Row: a host value whose address is taken is not known

extern void parse(int *n);

// [launch] parse() may store 2 or more in n: then several threads write s[0].
//~ race
__global__ void host_value_address_bad()
{
    __shared__ int s[1];
    s[0] = threadIdx.x; //~ here
}

// [launch] n grows in the loop round the launch.
//~ race
__global__ void host_value_loop_bad()
{
    __shared__ int s[1];
    s[0] = threadIdx.x; //~ here
}

// [launch] n is 64 on one of two paths.
//~ race
__global__ void host_value_branch_bad()
{
    __shared__ int s[1];
    s[0] = threadIdx.x; //~ here
}

// Nothing can change n: one thread in one block.
//~ race-free
__global__ void host_value_ok()
{
    __shared__ int s[1];
    s[0] = threadIdx.x;
}

void host_values(int argc)
{
    int n = 1;
    parse(&n);
    host_value_address_bad<<<1, n>>>();

    int m = 1;
    for (int i = 0; i < 3; i++) {
        host_value_loop_bad<<<1, m>>>();
        m *= 2;
    }

    int q = 1;
    if (argc > 1) q = 64;
    host_value_branch_bad<<<1, q>>>();

    int r = 1;
    host_value_ok<<<1, r>>>();
}
