// Extra: members of an object, and variables of the program, that another function than the one that launches makes equal.

class SetEqual {
    int *x, *y;

public:
    SetEqual(int *p) : x(p), y(p) {}
    void run();
};

class SetApart {
    int *x, *y;

public:
    SetApart(int *p, int *q) : x(p), y(q) {}
    void run();
};

class SetLater {
    int *x, *y;

public:
    SetLater(int *p, int *q) : x(p), y(q) {}
    void run();
    void forget() { y = x; }
};

// Two buffers, and two names that change places.
class Flips {
    int *a, *b, *from, *to;

public:
    Flips(int n)
    {
        cudaMalloc(&a, n);
        cudaMalloc(&b, n);
        from = a;
        to = b;
    }
    void step();
    void flip()
    {
        int *t = from;
        from = to;
        to = t;
    }
};

static int *one, *other;
static int *left, *right;

void set_both(int *p)
{
    one = p;
    other = p;
}

void set_each(int *p, int *q)
{
    left = p;
    right = q;
}

void swap_each()
{
    int *t = left;
    left = right;
    right = t;
}

// [alias] The constructor sets both members.
//~ assumed_race
__global__ void meet_constructor_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

//~ race-free
__global__ void meet_constructor_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [alias] Another method makes them equal.
//~ assumed_race
__global__ void meet_method_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

//~ race-free
__global__ void meet_flip_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

// [alias] A buffer, and the name that is sometimes its own.
//~ assumed_race
__global__ void meet_flip_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

// [alias] Variables of the program.
//~ assumed_race
__global__ void meet_global_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

//~ race-free
__global__ void meet_global_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void SetEqual::run() { meet_constructor_bad<<<1, 32>>>(x, y); }
void SetApart::run() { meet_constructor_ok<<<1, 32>>>(x, y); }
void SetLater::run() { meet_method_bad<<<1, 32>>>(x, y); }
void Flips::step()
{
    meet_flip_ok<<<1, 32>>>(to, from);
    meet_flip_bad<<<1, 32>>>(to, a);
}
void launch_one() { meet_global_bad<<<1, 32>>>(one, other); }
void launch_each() { meet_global_ok<<<1, 32>>>(left, right); }
