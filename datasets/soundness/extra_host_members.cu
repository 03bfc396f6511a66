// Extra: static members of classes, tables and variables of the file, whose first values the program gives

extern int member_test(int);
struct MemberClass { static int first; static int second; };
int MemberClass::first = 1;
int MemberClass::second = 1;
static const int member_table[3] = {0, 1, 1};
static const int member_single[1] = {1};

// [launch] A static member, which is defined outside of its class.
//~ race-free
__global__ void member_first_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] Another file may have changed it.
//~ race
__global__ void member_second_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

// [launch] An element of a constant table.
//~ race-free
__global__ void member_single_ok(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x;
}

// [launch] Of one that is not that low.
//~ race
__global__ void member_table_bad(int *p, int n)
{
    if ((int)threadIdx.x < n)
        p[0] = threadIdx.x; //~ here
}

int main()
{
    int *p;
    cudaMalloc(&p, 400);
    member_first_ok<<<1, 32>>>(p, MemberClass::first);
    member_single_ok<<<1, 32>>>(p, member_single[0]);
    member_table_bad<<<1, 32>>>(p, member_table[1] + 1);
    member_test(1);
    member_second_bad<<<1, 32>>>(p, MemberClass::second);
}
