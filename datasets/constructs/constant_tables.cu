// Construct: tables of constants, read at places that vary

__constant__ const int TableSteps[4] = {0, 64, 128, 192};
constexpr int TableOrder[] = {3, 1, 2, 0};
__device__ const unsigned char TableTwice[4] = {0, 1, 1, 2};
__constant__ int TableGiven[4] = {0, 1, 2, 3};
__constant__ const int TableShort[8] = {7, 6, 5, 4};
__constant__ const short TableOfParts[4] = {1, 2, 3, 4};

struct TableOwner
{
    static constexpr int rows[4] = {0, 1, 2, 3};
    static constexpr int same[4] = {0, 1, 0, 1};
};

// All elements differ, each by a row.
//~ race-free
__global__ void table_steps_ok(int *o) { o[TableSteps[threadIdx.x / 64] + threadIdx.x % 64] = threadIdx.x; }

// [rows-meet] Rows are shorter than what is written to each.
//~ race
__global__ void table_steps_bad(int *o) { o[TableSteps[threadIdx.x / 64] / 2 + threadIdx.x % 64] = threadIdx.x; } //~ here

// A permutation.
//~ race-free
__global__ void table_order_ok(int *o)
{
    if (threadIdx.x < 4) o[TableOrder[threadIdx.x]] = threadIdx.x;
}

// [wraps-round] Every fifth has the first one's.
//~ race
__global__ void table_order_bad(int *o) { o[TableOrder[threadIdx.x % 4]] = threadIdx.x; } //~ here

// One number stands in it twice; the even ones do not.
//~ race-free
__global__ void table_twice_ok(int *o)
{
    if (threadIdx.x < 2) o[TableTwice[2 * threadIdx.x + 1]] = threadIdx.x;
}

// [twice] Two threads have it.
//~ race
__global__ void table_twice_bad(int *o)
{
    if (threadIdx.x < 4) o[TableTwice[threadIdx.x]] = threadIdx.x; //~ here
}

// [not-constant] The host may copy others there.
//~ race
__global__ void table_given_bad(int *o)
{
    if (threadIdx.x < 4) o[TableGiven[threadIdx.x]] = threadIdx.x; //~ here
}

// The rest of it is 0.
//~ race-free
__global__ void table_short_ok(int *o)
{
    if (threadIdx.x < 5) o[TableShort[threadIdx.x]] = threadIdx.x;
}

// [rest-is-zero] Two of the rest.
//~ race
__global__ void table_short_bad(int *o)
{
    if (threadIdx.x < 6) o[TableShort[threadIdx.x]] = threadIdx.x; //~ here
}

// [other-element-type] Its bytes as another type are not its numbers: 0x20001 and 0x40003, both odd.
//~ race
__global__ void table_parts_bad(int *o)
{
    const int *wide = (const int *)TableOfParts;
    if (threadIdx.x < 2) o[wide[threadIdx.x] & 1 ? 0 : 1] = threadIdx.x; //~ here
}

// Tables of classes.
//~ race-free
__global__ void table_class_ok(int *o)
{
    if (threadIdx.x < 4) o[TableOwner::rows[threadIdx.x]] = threadIdx.x;
}

// [class-twice] Two alike.
//~ race
__global__ void table_class_bad(int *o)
{
    if (threadIdx.x < 4) o[TableOwner::same[threadIdx.x]] = threadIdx.x; //~ here
}

// Tables that a thread makes, with its own numbers.
//~ race-free
__global__ void table_local_ok(int *o)
{
    int t = threadIdx.x, own[3] = {t, t + 64, t + 128};
    for (int i = 0; i < 3; i++) o[own[i]] = t;
}

// [overlap] They meet those of others.
//~ race
__global__ void table_local_bad(int *o)
{
    int t = threadIdx.x, own[3] = {t, t + 64, t + 32};
    for (int i = 0; i < 3; i++) o[own[i]] = t; //~ here
}

// [changed-in-loop] One of them changes while it is read.
//~ race
__global__ void table_changed_bad(int *o)
{
    int t = threadIdx.x, own[3] = {t, t + 64, t + 128};
    for (int i = 0; i < 3; i++) {
        o[own[i]] = t; //~ here
        own[2] = 0;
    }
}

// [changed-by-pointer] Through a pointer.
//~ race
__global__ void table_pointer_bad(int *o, int which)
{
    int t = threadIdx.x, own[3] = {t, t + 64, t + 128};
    int *p = own;
    p[which % 3] = 7;
    for (int i = 0; i < 3; i++) o[own[i]] = t; //~ here
}

void table_host(int *o, int which, const int *given)
{
    cudaMemcpyToSymbol(TableGiven, given, sizeof(TableGiven));
    table_steps_ok<<<1, 256>>>(o);
    table_steps_bad<<<1, 256>>>(o);
    table_order_ok<<<1, 64>>>(o);
    table_order_bad<<<1, 64>>>(o);
    table_twice_ok<<<1, 64>>>(o);
    table_twice_bad<<<1, 64>>>(o);
    table_given_bad<<<1, 64>>>(o);
    table_short_ok<<<1, 64>>>(o);
    table_short_bad<<<1, 64>>>(o);
    table_parts_bad<<<1, 64>>>(o);
    table_class_ok<<<1, 64>>>(o);
    table_class_bad<<<1, 64>>>(o);
    table_local_ok<<<1, 64>>>(o);
    table_local_bad<<<1, 64>>>(o);
    table_changed_bad<<<1, 64>>>(o);
    table_pointer_bad<<<1, 64>>>(o, which);
}
