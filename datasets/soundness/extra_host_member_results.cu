// Extra: an object holds an allocation, and one of several member functions of a name gives it to a launch that has it already.

struct HeldTwice {
    int *q;
    int *data() { return q; }
    const int *data() const { return q; }
};

struct IndexedTwice {
    int *q;
    int &operator[](int i) { return q[i]; }
    const int &operator[](int i) const { return q[i]; }
};

namespace one {
struct Namesake {
    int *q;
    int *get() { return q; }
};
}
namespace other {
struct Namesake {
    int *q;
    int *get() { return q; }
};
}

template <class T> struct Specialised {
    T *q;
    T *get() { return q; }
};
template <> struct Specialised<float> {
    float *q;
    float *get() { return q; }
};

// [overload] For constants and for others.
//~ fn_race
__global__ void member_overload_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [overload] The address of an element.
//~ fn_race
__global__ void member_subscript_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [name] Two classes of a name.
//~ fn_race
__global__ void member_namesake_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [template] A class template with a specialisation.
//~ fn_race
__global__ void member_specialised_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// The object holds another allocation.
//~ race-free
__global__ void member_overload_ok(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t];
}

void member_results()
{
    int *a, *b;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    HeldTwice held{a}, apart{b};
    member_overload_bad<<<1, 64>>>(held.data(), a);
    member_overload_ok<<<1, 64>>>(apart.data(), a);
    IndexedTwice indexed{a};
    member_subscript_bad<<<1, 64>>>(&indexed[0], a);
    one::Namesake namesake{a};
    member_namesake_bad<<<1, 64>>>(namesake.get(), a);
    Specialised<int> specialised{a};
    member_specialised_bad<<<1, 64>>>(specialised.get(), a);
}
