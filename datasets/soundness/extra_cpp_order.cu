//--blockDim=64 --gridDim=1
// Extra: what is evaluated, when, and how often: short circuit, static locals, members in order, returns, moves

struct Count {
    int n = 0;
    __device__ bool step() { n++; return n > 1; }
    __device__ int next() { return n++; }
};

struct Order {
    int second;
    int first;
    __device__ Order(int t) : first(0), second(first = t) {}
};

struct Delegates {
    int v;
    __device__ Delegates(int t) : v(t) {}
    __device__ Delegates() : Delegates(4) {}
};

struct From { int v; __device__ From(int t) : v(t / 2) {} };
struct Inherits : From { using From::From; };

struct Copies {
    int v;
    __device__ Copies(int t) : v(t) {}
    __device__ Copies(const Copies &o) : v(o.v / 2) {}
};

struct Assigns {
    int v;
    __device__ Assigns &operator=(const Assigns &o) { v = o.v & 1; return *this; }
};

struct Arrow { int *p; int i; struct At { int v; }; At at; __device__ At *operator->() { at.v = i / 2; return &at; } };

struct Logic {
    int v;
    __device__ Logic operator&&(Logic o) { return Logic{v + o.v}; }
    __device__ Logic operator,(Logic o) { return Logic{v}; }
    __device__ bool operator==(const Logic &) const { return true; }
};

struct Mutable { mutable int v; __device__ int next() const { return v = 0; } };

__device__ int place_of(From f) { return f.v; }
__device__ int taken(Copies c) { return c.v; }
__device__ int once(int v) { static int seen; seen = v; return v; } //~ here
__device__ Copies made(int t) { return Copies(t); }
__device__ int operator""_th(unsigned long long v) { return 0; }

template <class... A> __device__ int total(A... a) { return (0 + ... + a); }
template <class... A> __device__ int number(A...) { return sizeof...(A); }

template <class D> struct Self { __device__ int at(int t) { return static_cast<D *>(this)->own(t); } };
struct Halving : Self<Halving> { __device__ int own(int t) { return t / 2; } };
struct Keeping : Self<Keeping> { __device__ int own(int t) { return t; } };

template <class T> struct Stat { static __device__ int at(int t); };
template <class T> __device__ int Stat<T>::at(int t) { return t / sizeof(T); }
struct Outside { int v; __device__ int at(int t) const; };
__device__ int Outside::at(int t) const { return t * v; }

// [short-circuit] The right side runs only when the left is true: n is 1 afterwards.
//~ race
__global__ void order_short_bad(int *g)
{
    int t = threadIdx.x;
    Count c;
    bool both = c.step() && c.step();
    g[t * (c.n - 1) + both] = t; //~ here
}

// With || both run.
//~ race-free
__global__ void order_short_ok(int *g)
{
    int t = threadIdx.x;
    Count c;
    bool either = c.step() || c.step();
    g[t * (c.n - 1) + either] = t;
}

// [static] A static local is one for all threads.
//~ race
__global__ void order_static_bad(int *g)
{
    int t = threadIdx.x;
    g[t] = once(t);
}

// [initialiser] Members are initialised in the order of the class: first is 0 at last.
//~ race
__global__ void order_members_bad(int *g)
{
    int t = threadIdx.x;
    Order o(t);
    g[o.first] = t; //~ here
}

// And second is the number of the thread.
//~ race-free
__global__ void order_members_ok(int *g)
{
    int t = threadIdx.x;
    Order o(t);
    g[o.second] = t;
}

// [constructor] One constructor calls the other.
//~ race
__global__ void order_delegate_bad(int *g)
{
    int t = threadIdx.x;
    Delegates d;
    g[t * (d.v - 4)] = t; //~ here
}

// [constructor] The constructor of the base is used.
//~ race
__global__ void order_inherited_bad(int *g)
{
    int t = threadIdx.x;
    Inherits i(t);
    g[i.v] = t; //~ here
}

// [constructor] An argument is converted by a constructor, which halves.
//~ race
__global__ void order_converted_bad(int *g)
{
    int t = threadIdx.x;
    g[place_of(t)] = t; //~ here
}

// [constructor] The copy is not the same.
//~ race
__global__ void order_copy_bad(int *g)
{
    int t = threadIdx.x;
    Copies a(t);
    Copies b = a;
    g[b.v] = t; //~ here
}

// [constructor] Nor is the copy for a parameter.
//~ race
__global__ void order_copy_parameter_bad(int *g)
{
    int t = threadIdx.x;
    Copies a(t);
    g[taken(a)] = t; //~ here
}

// What a function returns is made in place.
//~ race-free
__global__ void order_copy_ok(int *g)
{
    int t = threadIdx.x;
    Copies a = made(t);
    Copies b(t);
    g[a.v] = t;
    g[64 + b.v] = t;
}

// [assignment] The assignment keeps one bit.
//~ race
__global__ void order_assign_bad(int *g)
{
    int t = threadIdx.x;
    Assigns a = {t}, b = {0};
    b = a;
    g[b.v] = t; //~ here
}

// The first is no assignment.
//~ race-free
__global__ void order_assign_ok(int *g)
{
    int t = threadIdx.x;
    Assigns a = {t};
    Assigns b = a;
    g[b.v] = t;
}

// [arrow] The arrow of the class.
//~ race
__global__ void order_arrow_bad(int *g)
{
    int t = threadIdx.x;
    Arrow a = {g, t, {t}};
    g[a->v] = t; //~ here
}

// [operator] && of a class has no short circuit, and gives no bool.
//~ race
__global__ void order_logic_bad(int *g)
{
    int t = threadIdx.x;
    Logic l = Logic{t} && Logic{-t};
    g[l.v] = t; //~ here
}

// [operator] The comma of a class gives its left side.
//~ race
__global__ void order_comma_bad(int *g)
{
    int t = threadIdx.x;
    Logic l = (Logic{5}, Logic{t});
    g[l.v] = t; //~ here
}

// [operator] Everything is equal here.
//~ race
__global__ void order_equal_bad(int *g)
{
    int t = threadIdx.x;
    g[Logic{t} == Logic{1} ? 3 : t] = t; //~ here
}

// [mutable] A const method writes.
//~ race
__global__ void order_mutable_bad(int *g)
{
    int t = threadIdx.x;
    const Mutable m = {t};
    m.next();
    g[m.v] = t; //~ here
}

// [literal] The literal of the unit is 0.
//~ race
__global__ void order_literal_bad(int *g)
{
    int t = threadIdx.x;
    g[t * 1_th] = t; //~ here
}

// [pack] A sum over a pack.
//~ race
__global__ void order_fold_bad(int *g)
{
    int t = threadIdx.x;
    g[total(t, 2, -t)] = t; //~ here
}

// Each its own.
//~ race-free
__global__ void order_fold_ok(int *g)
{
    int t = threadIdx.x;
    g[total(t, 2, 3) + number(1, 2)] = t;
}

// [pack] The number of arguments.
//~ race
__global__ void order_number_bad(int *g)
{
    int t = threadIdx.x;
    g[t * (number(t, t) - 2)] = t; //~ here
}

// [base] The base calls the class that is derived from it.
//~ race
__global__ void order_self_bad(int *g)
{
    int t = threadIdx.x;
    Halving h;
    g[h.at(t)] = t; //~ here
}

// The other one.
//~ race-free
__global__ void order_self_ok(int *g)
{
    int t = threadIdx.x;
    Keeping k;
    g[k.at(t)] = t;
}

// [method] Defined outside of the class template.
//~ race
__global__ void order_outside_bad(int *g)
{
    int t = threadIdx.x;
    g[Stat<int>::at(t)] = t; //~ here
}

// And of the class.
//~ race-free
__global__ void order_outside_ok(int *g)
{
    int t = threadIdx.x;
    Outside o = {2};
    g[o.at(t)] = t;
    g[1 + Stat<char>::at(2 * t)] = t;
}

// [binding] The second name is the second member.
//~ race
__global__ void order_binding_bad(int *g)
{
    struct { int a, b; } pair = {(int)threadIdx.x, 3};
    auto [a, b] = pair;
    g[b] = a; //~ here
}

// [binding] By reference it changes the struct.
//~ race
__global__ void order_binding_reference_bad(int *g)
{
    struct { int a, b; } pair = {(int)threadIdx.x, 3};
    auto &[a, b] = pair;
    a = b;
    g[pair.a] = threadIdx.x; //~ here
}

// [cast] A cast to a reference is the same place.
//~ race
__global__ void order_reference_cast_bad(int *g)
{
    int t = threadIdx.x;
    float f = t;
    (int &)f = 0;
    g[(int)f] = t; //~ here
}

// [bytes] The bytes of a local are written through a pointer to another type.
//~ race
__global__ void order_local_bytes_bad(int *g)
{
    int i = threadIdx.x;
    char *p = (char *)&i;
    p[0] = 0;
    g[i] = threadIdx.x; //~ here
}

// [bytes] As an array of shorts.
//~ race
__global__ void order_local_shorts_bad(int *g)
{
    int i[2] = {(int)threadIdx.x, 0};
    *(short *)i = 9;
    g[i[0]] = threadIdx.x; //~ here
}

// [new] A constructor at a given place.
//~ race
__global__ void order_placed_bad(int *g)
{
    int t = threadIdx.x;
    alignas(4) char room[4];
    Copies *c = (Copies *)room;
    c->v = 0;
    g[c->v] = t; //~ here
}

// [member] A local array in a local struct, written behind the end of a row.
//~ race
__global__ void order_rows_bad(int *g)
{
    int t = threadIdx.x;
    struct { int r[2][2]; } m = {{{t, t}, {t, t}}};
    int *p = m.r[0];
    p[2] = 0;
    g[m.r[1][0]] = t; //~ here
}

// [exchange] Exchanged in one expression.
//~ race
__global__ void order_exchange_bad(int *g)
{
    int t = threadIdx.x;
    int a = t, b = 5;
    a ^= b; b ^= a; a ^= b;
    g[a] = b; //~ here
}

// [increment] The old value is used as the index, the variable is new.
//~ race
__global__ void order_postfix_bad(int *g)
{
    int i = 0;
    int j = i++ + i++;
    g[j * threadIdx.x + i] = threadIdx.x;
    g[(j - 1) * threadIdx.x + 200] = threadIdx.x; //~ here
}
