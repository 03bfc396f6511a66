// Extra: members of one name in a class and its base are not told apart, and what they lead to is changed all the same

struct OneNameLow { int *p; };
struct OneNameHigh : OneNameLow { int *p; };

struct OneNameKept {
    int *p;
    void set(int);
};

// [hidden-change] A member function that is not here writes through a member.
//~ race
__global__ void one_name_written_bad(int *g, int n)
{
    if ((int)threadIdx.x < n) g[0] = threadIdx.x; //~ here
}

void run_one_name_written_bad(int *g)
{
    int n = 1;
    OneNameKept kept;
    kept.p = &n;
    kept.set(5);
    one_name_written_bad<<<1, 32>>>(g, n);
}

// [hidden-change] The member leads elsewhere.
//~ race-free
__global__ void one_name_written_ok(int *g, int n)
{
    if ((int)threadIdx.x < n) g[0] = threadIdx.x;
}

void run_one_name_written_ok(int *g)
{
    int n = 1, other = 1;
    OneNameKept kept;
    kept.p = &other;
    kept.set(5);
    one_name_written_ok<<<1, 32>>>(g, n);
}

// [hidden-change] By a pointer to the object.
//~ race
__global__ void one_name_pointed_bad(int *g, int n)
{
    if ((int)threadIdx.x < n) g[0] = threadIdx.x; //~ here
}

void run_one_name_pointed_bad(int *g)
{
    int n = 1;
    OneNameKept kept;
    kept.p = &n;
    OneNameKept *to = &kept;
    to->set(5);
    one_name_pointed_bad<<<1, 32>>>(g, n);
}
