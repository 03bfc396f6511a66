//--blockDim=64 --gridDim=1
// Extra: overloads told apart by places and temporaries, constant and changeable

__device__ int ref(int &) { return 1; }
__device__ int ref(const int &) { return 0; }
__device__ int bound(int &) { return 1; }
__device__ int bound(int &&) { return 0; }
__device__ int temporary(const int &) { return 0; }
__device__ int temporary(int &&) { return 1; }
template <class T> __device__ int forward(T &&) { return 0; }
__device__ int forward(const int &) { return 1; }
__device__ int pointee(int *) { return 1; }
__device__ int pointee(const int *) { return 0; }

struct Self {
    int v;
    __device__ int get() { return 1; }
    __device__ int get() const { return 0; }
};

struct Twice {
    int x;
    __device__ Twice(int a) : x(a) {}
    __device__ int at() { return x; }
    __device__ int at() const { return x * 2; }
};

struct Holds {
    Twice v;
    __device__ Holds(int a) : v(a) {}
    __device__ int get() const { return v.at(); }
    __device__ int get() { return v.at(); }
};

struct Mutable {
    mutable Twice v;
    __device__ Mutable(int a) : v(a) {}
    __device__ int get() const { return v.at(); }
};

// [overload] A sum is no place that can be changed.
//~ race
__global__ void category_sum_bad(int *g)
{
    int t = threadIdx.x;
    g[t * ref(t + 1)] = t; //~ here
}

//~ race-free
__global__ void category_sum_ok(int *g)
{
    int t = threadIdx.x;
    g[t * ref(t)] = t;
}

// [overload] A sum is a temporary.
//~ race
__global__ void category_bound_bad(int *g)
{
    int t = threadIdx.x;
    g[t * bound(t + 1)] = t; //~ here
}

//~ race-free
__global__ void category_bound_ok(int *g)
{
    int t = threadIdx.x;
    g[t * bound(t)] = t;
}

// [overload] What is cast is a temporary of its own.
//~ race
__global__ void category_cast_bad(int *g)
{
    int t = threadIdx.x;
    g[t * ref((int)t)] = t; //~ here
}

// [overload] So is what is negated.
//~ race
__global__ void category_negated_bad(int *g)
{
    int t = threadIdx.x;
    g[t * ref(-t)] = t; //~ here
}

// [overload] A constant is no place that can be changed.
//~ race
__global__ void category_constant_bad(int *g)
{
    const int t = threadIdx.x;
    g[t * ref(t)] = t; //~ here
}

// [overload] A constant reference is none either.
//~ race
__global__ void category_view_bad(int *g)
{
    int t = threadIdx.x;
    const auto &u = t;
    g[t * ref(u)] = t; //~ here
}

// The parameter of the lambda hides the constant.
//~ race-free
__global__ void category_lambda_ok(int *g)
{
    const int t = threadIdx.x;
    auto f = [&](int t) { return ref(t); };
    g[t * f(3)] = t;
}

// [overload] The copy in a lambda is constant.
//~ race
__global__ void category_captured_bad(int *g)
{
    int t = threadIdx.x;
    auto f = [=]() { return ref(t); };
    g[t * f()] = t; //~ here
}

// [overload] The inner pointer hides the outer one.
//~ race
__global__ void category_pointer_bad(int *g)
{
    int t = threadIdx.x;
    auto u = &t;
    {
        const int *u = &t;
        g[t * pointee(u)] = t; //~ here
    }
    *u = 0;
}

//~ race-free
__global__ void category_pointer_ok(int *g)
{
    int t = threadIdx.x;
    auto u = &t;
    g[t * pointee(u)] = t;
}

// `T &&` takes a temporary better than `const T &`.
//~ race-free
__global__ void category_temporary_ok(int *g)
{
    int t = threadIdx.x;
    g[t * temporary(t + 1)] = t;
}

// [overload] A variable is none.
//~ race
__global__ void category_temporary_bad(int *g)
{
    int t = threadIdx.x;
    g[t * temporary(t)] = t; //~ here
}

// A constant is taken by the function that is no template.
//~ race-free
__global__ void category_forward_ok(int *g)
{
    const int t = threadIdx.x;
    g[t * forward(t)] = t;
}

// [overload] What may be changed is taken by `T &&` better than by `const int &`.
//~ race
__global__ void category_forward_bad(int *g)
{
    int t = threadIdx.x;
    g[t * forward(t)] = t; //~ here
}

// [overload] A constant object calls the constant function.
//~ race
__global__ void category_object_bad(int *g)
{
    int t = threadIdx.x;
    const Self s = {t};
    g[t * s.get()] = t; //~ here
}

// [overload] So does a constant parameter.
//~ race
__global__ void category_parameter_bad(int *g, const Self s)
{
    int t = threadIdx.x;
    g[t * s.get()] = t; //~ here
}

// [overload] And what is behind a pointer to a constant.
//~ race
__global__ void category_behind_bad(int *g, const Self *s)
{
    int t = threadIdx.x;
    g[t * s->get()] = t; //~ here
}

//~ race-free
__global__ void category_behind_ok(int *g, Self *s)
{
    int t = threadIdx.x;
    g[t * s->get()] = t;
}

//~ race-free
__global__ void category_twice_ok(int *g)
{
    const Twice v(threadIdx.x);
    g[v.at()] = 1;
    g[v.at() + 1] = 2;
}

// [overload] One object through two names.
//~ race
__global__ void category_twice_bad(int *g)
{
    Twice v(threadIdx.x);
    const Twice &w = v;
    g[v.at()] = 1; //~ here
    g[w.at()] = 2; //~ here
}

// The member of a constant object is constant.
//~ race-free
__global__ void category_member_ok(int *g)
{
    const Holds w(threadIdx.x);
    g[w.get()] = 1;
    g[w.get() + 1] = 2;
}

// [overload] That of another is not.
//~ race
__global__ void category_member_bad(int *g)
{
    Holds w(threadIdx.x);
    g[w.get()] = 1; //~ here
    g[w.get() + 1] = 2; //~ here
}

// [overload] Nor is a mutable one.
//~ race
__global__ void category_mutable_bad(int *g)
{
    const Mutable w(threadIdx.x);
    g[w.get()] = 1; //~ here
    g[w.get() + 1] = 2; //~ here
}

template <class T, class U = const T> __device__ int by_default(T x)
{
    U y = x;
    return ref(y);
}

template <class T, class U = const T> struct Defaulted {
    U y;
    __device__ int get() { return ref(y); }
};

__device__ int moved(int &) { return 0; }
__device__ int moved(int &&) { return 1; }
template <class T> __device__ int passed(T &&x) { return moved(static_cast<T &&>(x)); }
template <class T> __device__ int forwarded(T &&x) { return moved(std::forward<T>(x)); }

// [overload] Another name for a constant type.
//~ race
__global__ void category_local_name_bad(int *g)
{
    typedef const int Fixed;
    Fixed t = threadIdx.x;
    g[t * ref(t)] = t; //~ here
}

// A name without const.
//~ race-free
__global__ void category_local_name_ok(int *g)
{
    typedef int Free;
    Free t = threadIdx.x;
    g[t * ref(t)] = t;
}

// [overload] A trait that makes a type constant.
//~ race
__global__ void category_trait_bad(int *g)
{
    std::add_const<int>::type t = threadIdx.x;
    g[t * ref(t)] = t; //~ here
}

// [overload] A default that is constant.
//~ race
__global__ void category_default_bad(int *g)
{
    int t = threadIdx.x;
    g[t * by_default(t)] = t; //~ here
}

// [overload] That of a class.
//~ race
__global__ void category_default_class_bad(int *g)
{
    int t = threadIdx.x;
    Defaulted<int> d{t};
    g[t * d.get()] = t; //~ here
}

// [overload] `T &&` is a reference to the variable.
//~ race
__global__ void category_collapsed_bad(int *g)
{
    int t = threadIdx.x;
    g[t * passed(t)] = t; //~ here
}

// [overload] What is forwarded is what was passed.
//~ race
__global__ void category_forwarded_bad(int *g)
{
    int t = threadIdx.x;
    g[t * forwarded(t)] = t; //~ here
}
