// Extra: what `operator=` of a host class writes through the object that it assigns to.

struct Writes {
    int *p;
    Writes &operator=(int v)
    {
        *p = v;
        return *this;
    }
    Writes &operator+=(int v)
    {
        *p += v;
        return *this;
    }
};

struct Redirects {
    int **p;
    Redirects &operator=(int *q)
    {
        *p = q;
        return *this;
    }
};

struct Holds {
    Writes each[2];
};

template <class T> struct WritesAny {
    T *p;
    WritesAny &operator=(T v)
    {
        *p = v;
        return *this;
    }
};

// [launch] A number.
//~ race
__global__ void assigned_number_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] A number that is added.
//~ race
__global__ void assigned_sum_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] Where a pointer points to, through which the number is set.
//~ race
__global__ void assigned_pointer_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] To an element of a member.
//~ race
__global__ void assigned_element_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] Of a class template.
//~ race
__global__ void assigned_template_bad(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x; //~ here
}

// [launch] Not the number that is passed.
//~ race-free
__global__ void assigned_other_ok(int *out, int n)
{
    if (n == 64) out[0] = threadIdx.x;
}

void launch_assignments(int *out)
{
    int x = 4, y = 4, z = 4, w = 4;
    assigned_other_ok<<<1, 32>>>(out, w);

    Writes first;
    first.p = &x;
    first = 64;
    assigned_number_bad<<<1, 32>>>(out, x);

    Writes second;
    second.p = &y;
    second += 60;
    assigned_sum_bad<<<1, 32>>>(out, y);

    int *q = &w;
    Redirects third;
    third.p = &q;
    third = &z;
    *q = 64;
    assigned_pointer_bad<<<1, 32>>>(out, z);

    int u = 4, v = 4;
    Holds fourth;
    fourth.each[1].p = &u;
    fourth.each[1] = 64;
    assigned_element_bad<<<1, 32>>>(out, u);

    WritesAny<int> fifth;
    fifth.p = &v;
    fifth = 64;
    assigned_template_bad<<<1, 32>>>(out, v);
}
