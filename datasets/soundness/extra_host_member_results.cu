// Extra: an object holds an allocation, and one of several member functions of a name gives it to a launch that has it already.

struct HeldTwice {
    int *q;
    int *data() { return q; }
    const int *data() const { return q; }
    void give(int *&p) { p = q; }
    void give(int *&p) const { p = q; }
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

struct View {
    int *q;
    int *ptr() { return q; }
};
View view_of(int *p)
{
    return View{p};
}

struct Owner {
    View v;
    View *operator->() { return &v; }
};

struct Called {
    int *q;
    int *operator()() { return q; }
};

struct Addressed {
    int *q;
    int *operator&() { return q; }
};

// [overload] For constants and for others.
//~ assumed_race
__global__ void member_overload_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [overload] The address of an element.
//~ assumed_race
__global__ void member_subscript_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [name] Two classes of a name.
//~ assumed_race
__global__ void member_namesake_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [template] A class template with a specialisation.
//~ assumed_race
__global__ void member_specialised_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [overload] By reference.
//~ assumed_race
__global__ void member_given_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [temporary] Of what a function gives.
//~ assumed_race
__global__ void member_result_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [temporary] Of an object without a name.
//~ assumed_race
__global__ void member_temporary_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [temporary] Of one of two objects.
//~ assumed_race
__global__ void member_chosen_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [operator] Behind an operator.
//~ assumed_race
__global__ void member_arrow_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [operator] The object is called.
//~ assumed_race
__global__ void member_called_bad(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t]; //~ here
}

// [operator] Its address is what it says.
//~ assumed_race
__global__ void member_addressed_bad(int *o, const int *q)
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

// The temporary holds another one.
//~ race-free
__global__ void member_result_ok(int *o, const int *q)
{
    int t = threadIdx.x;
    o[t] = q[63 - t];
}

void member_results(int w)
{
    int *a, *b, *n = nullptr;
    cudaMalloc(&a, 4096);
    cudaMalloc(&b, 4096);
    HeldTwice held{a}, apart{b};
    member_overload_bad<<<1, 64>>>(held.data(), a);
    member_overload_ok<<<1, 64>>>(apart.data(), a);
    held.give(n);
    member_given_bad<<<1, 64>>>(n, a);
    IndexedTwice indexed{a};
    member_subscript_bad<<<1, 64>>>(&indexed[0], a);
    one::Namesake namesake{a};
    member_namesake_bad<<<1, 64>>>(namesake.get(), a);
    Specialised<int> specialised{a};
    member_specialised_bad<<<1, 64>>>(specialised.get(), a);
    member_result_bad<<<1, 64>>>(view_of(a).ptr(), a);
    member_result_ok<<<1, 64>>>(view_of(b).ptr(), a);
    member_temporary_bad<<<1, 64>>>(View{a}.ptr(), a);
    View v{a}, u{b};
    member_chosen_bad<<<1, 64>>>((w ? v : u).ptr(), a);
    Owner owner{{a}};
    member_arrow_bad<<<1, 64>>>(owner->ptr(), a);
    Called called{a};
    member_called_bad<<<1, 64>>>(called(), a);
    Addressed addressed{a};
    member_addressed_bad<<<1, 64>>>(&addressed, a);
}
