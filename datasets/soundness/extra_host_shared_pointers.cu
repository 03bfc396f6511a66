// Extra: pointers that host code passes twice to a function whose address it took

struct HostPair { int *x; int *y; int n; };
typedef void (*HostFunction)(int *, int *);
typedef void (*HostTaker)(HostPair *);

// [launch] A function pointer.
//~ assumed_race
__global__ void shared_pointer_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] One object has it twice.
//~ assumed_race
__global__ void shared_behind_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

// [launch] A pointer into the same allocation.
//~ assumed_race
__global__ void shared_offset_bad(int *p, int *q)
{
    p[threadIdx.x] = q[threadIdx.x + 1]; //~ here
}

void shared_pointer_bad_go(int *x, int *y)
{
    shared_pointer_bad<<<1, 32>>>(x, y);
}

void shared_pointer_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostFunction f = shared_pointer_bad_go;
    f(p, p);
}

void shared_behind_bad_go(HostPair *s)
{
    shared_behind_bad<<<1, 32>>>(s->x, s->y);
}

void shared_behind_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostPair s{p, p, 0};
    HostTaker f = shared_behind_bad_go;
    f(&s);
}

void shared_offset_bad_go(int *x, int *y)
{
    shared_offset_bad<<<1, 32>>>(x, y);
}

void shared_offset_bad_run()
{
    int *p, *q;
    cudaMalloc(&p, 400);
    cudaMalloc(&q, 400);
    HostFunction f = shared_offset_bad_go;
    f(p, p + 1);
}
