// Extra: launches after host code that nobody can follow has had the structure with their arguments

struct Buffers {
    int *in;
    int *out;
    int *spare;
};

void touch(Buffers *b);

// [alias] `touch` need not change what it got: both members may still be one allocation.
//~ assumed_race
__global__ void forgotten_copy_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void forgotten_copy_host()
{
    Buffers b;
    cudaMalloc((void **)&b.in, 64 * sizeof(int));
    b.out = b.in;
    touch(&b);
    forgotten_copy_bad<<<1, 64>>>(b.out, b.in);
}

// [alias] The same for members of a parameter, one of which is set from the other.
//~ assumed_race
__global__ void forgotten_member_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void forgotten_member_host(Buffers *b)
{
    b->out = b->spare;
    touch(b);
    forgotten_member_bad<<<1, 64>>>(b->out, b->spare);
}

// [alias] Forgotten twice.
//~ assumed_race
__global__ void forgotten_twice_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void forgotten_twice_host(Buffers *b, int n)
{
    b->out = b->spare;
    touch(b);
    if (n > 3) touch(b);
    forgotten_twice_bad<<<1, 64>>>(b->out, b->spare);
}

// Two allocations that nothing mixes before they are given away.
//~ race-free
__global__ void forgotten_apart_ok(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t] = q[63 - t];
}

void forgotten_apart_host()
{
    Buffers b;
    cudaMalloc((void **)&b.in, 64 * sizeof(int));
    cudaMalloc((void **)&b.out, 64 * sizeof(int));
    touch(&b);
    forgotten_apart_ok<<<1, 64>>>(b.out, b.in);
}

// The same launch, with a kernel that needs no aliases to race.
//~ race
__global__ void forgotten_apart_bad(int *p, const int *q)
{
    int t = threadIdx.x;
    p[t / 2] = q[t]; //~ here
}

void forgotten_race_host()
{
    Buffers b;
    cudaMalloc((void **)&b.in, 64 * sizeof(int));
    cudaMalloc((void **)&b.out, 64 * sizeof(int));
    touch(&b);
    forgotten_apart_bad<<<1, 64>>>(b.out, b.in);
}
