// Extra: members of host classes that are references: what is stored in them is stored elsewhere.

struct RefersToPointer {
    int *&r;
};

struct RefersByConstructor {
    int *&r;
    RefersByConstructor(int *&p) : r(p) {}
    void set(int *p) { r = p; }
};

struct RefersToNumber {
    int &r;
    void set(int n) { r = n; }
};

struct RefersByBase : RefersByConstructor {
    RefersByBase(int *&p) : RefersByConstructor(p) {}
    void put(int *p) { r = p; }
};

// [launch] The member is one of a base.
//~ race
__global__ void refers_base_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] And set by a method of the class.
//~ race
__global__ void refers_base_method_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] A store through a member makes a pointer point to the number that is passed.
//~ race
__global__ void refers_store_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] By a constructor.
//~ race
__global__ void refers_constructor_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] By a method.
//~ race
__global__ void refers_method_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] A number.
//~ race
__global__ void refers_number_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] A pointer to memory that is passed twice.
//~ assumed_race
__global__ void refers_twice_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void launch_references(int *out, int *a)
{
    int x = 1, y = 4;
    int *p = &x;
    RefersToPointer first{p};
    first.r = &y;
    *p = 64;
    refers_store_bad<<<1, 32>>>(out, y);

    int z = 4;
    int *q = &x;
    RefersByConstructor second(q);
    second.r = &z;
    *q = 64;
    refers_constructor_bad<<<1, 32>>>(out, z);

    int w = 4;
    int *s = &x;
    RefersByConstructor third(s);
    third.set(&w);
    *s = 64;
    refers_method_bad<<<1, 32>>>(out, w);

    int v = 4;
    RefersToNumber fourth{v};
    fourth.set(64);
    refers_number_bad<<<1, 32>>>(out, v);

    int *to;
    int *other;
    cudaMalloc(&to, 32 * sizeof(int));
    cudaMalloc(&other, 32 * sizeof(int));
    RefersToPointer fifth{to};
    fifth.r = other;
    refers_twice_bad<<<1, 32>>>(to, other);

    int u = 4;
    int *b = &x;
    RefersByBase sixth(b);
    sixth.r = &u;
    *b = 64;
    refers_base_bad<<<1, 32>>>(out, u);

    int c = 4;
    int *d = &x;
    RefersByBase seventh(d);
    seventh.put(&c);
    *d = 64;
    refers_base_method_bad<<<1, 32>>>(out, c);
}
