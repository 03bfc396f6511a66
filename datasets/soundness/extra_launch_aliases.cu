// Extra: launches whose pointer arguments may be the same allocation

// [alias] On one of two paths q is the allocation of p.
//~ race
__global__ void launch_alias_branch_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t]; //~ here
}

// [alias] The conditional operator chooses between p's allocation and another.
//~ race
__global__ void launch_alias_choice_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t]; //~ here
}

// [alias] Two elements of an array of pointers hold the same pointer.
//~ race
__global__ void launch_alias_table_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t]; //~ here
}

// [alias] A copy of the pointer.
//~ race
__global__ void launch_alias_copy_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t]; //~ here
}

// [alias] Ten elements apart, 64 elements each.
//~ race
__global__ void launch_alias_offset_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[t]; //~ here
}

// Two allocations, chosen in a branch, but never the same twice.
//~ race-free
__global__ void launch_alias_branch_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void launch_alias_host(int argc)
{
    int *d, *e, *f;
    cudaMalloc((void **)&d, 128 * sizeof(int));
    cudaMalloc((void **)&e, 128 * sizeof(int));
    cudaMalloc((void **)&f, 128 * sizeof(int));

    int *h = e;
    if (argc > 1) h = d;
    launch_alias_branch_bad<<<1, 64>>>(d, h);

    launch_alias_choice_bad<<<1, 64>>>(d, argc > 1 ? d : e);

    int *table[2] = {d, d};
    launch_alias_table_bad<<<1, 64>>>(table[0], table[1]);

    int *copy = d;
    launch_alias_copy_bad<<<1, 64>>>(d, copy);

    launch_alias_offset_bad<<<1, 64>>>(d + 20, d + 10);

    int *other = e;
    if (argc > 1) other = f;
    launch_alias_branch_ok<<<1, 64>>>(d, other);
}
