// Extra: pointers that host code makes one, in members and by functions of classes
//
// Each program is there twice: the kernel whose name ends in `bad` gets one array twice, its twin two. Where the way is followed the
// race is told; where it is not, the proof names the arrays, the launch and that it was not followed.

#include <utility>

class DeviceMovedClassCopiedBad {
    int *p;

public:
    DeviceMovedClassCopiedBad(int *q) : p(q) {}
    int *get() const { return p; }
};

// [alias] A copy of a buffer.
//~ assumed_race
__global__ void moved_class_copied_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_copied_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    DeviceMovedClassCopiedBad to(a);
    DeviceMovedClassCopiedBad from = to;
    from = DeviceMovedClassCopiedBad(a);
    moved_class_copied_bad<<<1, 64>>>(to.get(), from.get());
}

class DeviceMovedClassCopiedOk {
    int *p;

public:
    DeviceMovedClassCopiedOk(int *q) : p(q) {}
    int *get() const { return p; }
};

// [alias] Two arrays: a copy of a buffer.
//~ race-free
__global__ void moved_class_copied_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_copied_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    DeviceMovedClassCopiedOk to(a);
    DeviceMovedClassCopiedOk from = to;
    from = DeviceMovedClassCopiedOk(b);
    moved_class_copied_ok<<<1, 64>>>(to.get(), from.get());
}

template <class T> struct DeviceMovedClassTemplateBad {
    T *p;
    T *data() { return p; }
};

// [alias] A class template.
//~ assumed_race
__global__ void moved_class_template_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_template_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    DeviceMovedClassTemplateBad<int> to{a}, from{a};
    moved_class_template_bad<<<1, 64>>>(to.data(), from.data());
}

template <class T> struct DeviceMovedClassTemplateOk {
    T *p;
    T *data() { return p; }
};

// [alias] Two arrays: a class template.
//~ race-free
__global__ void moved_class_template_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_template_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    DeviceMovedClassTemplateOk<int> to{a}, from{b};
    moved_class_template_ok<<<1, 64>>>(to.data(), from.data());
}

struct JobMovedClassLaunchesBad {
    int *to;
    const int *from;
    void run();
};

// [alias] A member function launches with its members.
//~ race
__global__ void moved_class_launches_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}
void JobMovedClassLaunchesBad::run() { moved_class_launches_bad<<<1, 64>>>(to, from); }

void run_moved_class_launches_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedClassLaunchesBad job{a, a};
    job.run();
}

struct JobMovedClassLaunchesOk {
    int *to;
    const int *from;
    void run();
};

// [alias] Two arrays: a member function launches with its members.
//~ race-free
__global__ void moved_class_launches_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
void JobMovedClassLaunchesOk::run() { moved_class_launches_ok<<<1, 64>>>(to, from); }

void run_moved_class_launches_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    JobMovedClassLaunchesOk job{a, b};
    job.run();
}

struct LowMovedClassBaseLaunchesBad {
    int *to;
    const int *from;
    void run();
};
struct HighMovedClassBaseLaunchesBad : LowMovedClassBaseLaunchesBad {
    HighMovedClassBaseLaunchesBad(int *t, const int *f) { to = t; from = f; }
};

// [alias] A member function of the base launches.
//~ assumed_race
__global__ void moved_class_base_launches_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
void LowMovedClassBaseLaunchesBad::run() { moved_class_base_launches_bad<<<1, 64>>>(to, from); }

void run_moved_class_base_launches_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassBaseLaunchesBad job(a, a);
    job.run();
}

struct LowMovedClassBaseLaunchesOk {
    int *to;
    const int *from;
    void run();
};
struct HighMovedClassBaseLaunchesOk : LowMovedClassBaseLaunchesOk {
    HighMovedClassBaseLaunchesOk(int *t, const int *f) { to = t; from = f; }
};

// [alias] Two arrays: a member function of the base launches.
//~ race-free
__global__ void moved_class_base_launches_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}
void LowMovedClassBaseLaunchesOk::run() { moved_class_base_launches_ok<<<1, 64>>>(to, from); }

void run_moved_class_base_launches_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassBaseLaunchesOk job(a, b);
    job.run();
}

struct LowMovedClassVirtualBad {
    int *p = nullptr;
    virtual int *get() { return p; }
};
struct HighMovedClassVirtualBad : LowMovedClassVirtualBad {
    int *q = nullptr;
    int *get() override { return q; }
};

// [alias] A virtual function gives one.
//~ race
__global__ void moved_class_virtual_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_class_virtual_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassVirtualBad job;
    job.q = a;
    LowMovedClassVirtualBad &low = job;
    moved_class_virtual_bad<<<1, 64>>>(a, low.get());
}

struct LowMovedClassVirtualOk {
    int *p = nullptr;
    virtual int *get() { return p; }
};
struct HighMovedClassVirtualOk : LowMovedClassVirtualOk {
    int *q = nullptr;
    int *get() override { return q; }
};

// [alias] Two arrays: a virtual function gives one.
//~ race-free
__global__ void moved_class_virtual_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_virtual_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassVirtualOk job;
    job.q = b;
    LowMovedClassVirtualOk &low = job;
    moved_class_virtual_ok<<<1, 64>>>(a, low.get());
}

template <class D> struct LowMovedClassCrtpBad {
    int *get() { return static_cast<D *>(this)->p; }
};
struct HighMovedClassCrtpBad : LowMovedClassCrtpBad<HighMovedClassCrtpBad> { int *p; };

// [alias] A base that knows what derives from it.
//~ assumed_race
__global__ void moved_class_crtp_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_crtp_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassCrtpBad job;
    job.p = a;
    moved_class_crtp_bad<<<1, 64>>>(a, job.get());
}

template <class D> struct LowMovedClassCrtpOk {
    int *get() { return static_cast<D *>(this)->p; }
};
struct HighMovedClassCrtpOk : LowMovedClassCrtpOk<HighMovedClassCrtpOk> { int *p; };

// [alias] Two arrays: a base that knows what derives from it.
//~ race-free
__global__ void moved_class_crtp_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_crtp_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    HighMovedClassCrtpOk job;
    job.p = b;
    moved_class_crtp_ok<<<1, 64>>>(a, job.get());
}

struct KeptMovedClassStaticBad { static int *p; };
int *KeptMovedClassStaticBad::p = nullptr;

// [alias] A static member.
//~ assumed_race
__global__ void moved_class_static_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_static_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    KeptMovedClassStaticBad::p = a;
    moved_class_static_bad<<<1, 64>>>(a, KeptMovedClassStaticBad::p);
}

struct KeptMovedClassStaticOk { static int *p; };
int *KeptMovedClassStaticOk::p = nullptr;

// [alias] Two arrays: a static member.
//~ race-free
__global__ void moved_class_static_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_static_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    KeptMovedClassStaticOk::p = b;
    moved_class_static_ok<<<1, 64>>>(a, KeptMovedClassStaticOk::p);
}

struct TwoMovedClassDelegatesBad {
    int *to;
    const int *from;
    TwoMovedClassDelegatesBad(int *t, const int *f) : to(t), from(f) {}
    explicit TwoMovedClassDelegatesBad(std::pair<int *, int *> p) : TwoMovedClassDelegatesBad(p.first, p.second) {}
};

// [alias] A constructor that delegates.
//~ assumed_race
__global__ void moved_class_delegates_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_delegates_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedClassDelegatesBad two(std::make_pair(a, a));
    moved_class_delegates_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedClassDelegatesOk {
    int *to;
    const int *from;
    TwoMovedClassDelegatesOk(int *t, const int *f) : to(t), from(f) {}
    explicit TwoMovedClassDelegatesOk(std::pair<int *, int *> p) : TwoMovedClassDelegatesOk(p.first, p.second) {}
};

// [alias] Two arrays: a constructor that delegates.
//~ race-free
__global__ void moved_class_delegates_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_delegates_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedClassDelegatesOk two(std::make_pair(a, b));
    moved_class_delegates_ok<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedClassSetterChainBad {
    int *to = nullptr;
    const int *from = nullptr;
    TwoMovedClassSetterChainBad &out(int *p) { to = p; return *this; }
    TwoMovedClassSetterChainBad &in(const int *p) { from = p; return *this; }
};

// [alias] Setters that return their object.
//~ assumed_race
__global__ void moved_class_setter_chain_bad(TwoMovedClassSetterChainBad args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_class_setter_chain_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_class_setter_chain_bad<<<1, 64>>>(TwoMovedClassSetterChainBad().out(a).in(a));
}

struct TwoMovedClassSetterChainOk {
    int *to = nullptr;
    const int *from = nullptr;
    TwoMovedClassSetterChainOk &out(int *p) { to = p; return *this; }
    TwoMovedClassSetterChainOk &in(const int *p) { from = p; return *this; }
};

// [alias] Two arrays: setters that return their object.
//~ race-free
__global__ void moved_class_setter_chain_ok(TwoMovedClassSetterChainOk args)
{
    args.to[threadIdx.x] = args.from[threadIdx.x ^ 1];
}

void run_moved_class_setter_chain_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_class_setter_chain_ok<<<1, 64>>>(TwoMovedClassSetterChainOk().out(a).in(b));
}

struct NameMovedClassReferenceBad {
    int *&p;
    void set(int *q) { p = q; }
};

// [alias] A member that is a reference.
//~ assumed_race
__global__ void moved_class_reference_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_reference_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    NameMovedClassReferenceBad name{in};
    name.set(a);
    moved_class_reference_bad<<<1, 64>>>(a, in);
}

struct NameMovedClassReferenceOk {
    int *&p;
    void set(int *q) { p = q; }
};

// [alias] Two arrays: a member that is a reference.
//~ race-free
__global__ void moved_class_reference_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_reference_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    NameMovedClassReferenceOk name{in};
    name.set(b);
    moved_class_reference_ok<<<1, 64>>>(a, in);
}

struct LateMovedClassDestructorBad {
    int **to;
    int *value;
    ~LateMovedClassDestructorBad() { *to = value; }
};

// [alias] A destructor sets a variable.
//~ assumed_race
__global__ void moved_class_destructor_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_destructor_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    {
        LateMovedClassDestructorBad late{&in, a};
    }
    moved_class_destructor_bad<<<1, 64>>>(a, in);
}

struct LateMovedClassDestructorOk {
    int **to;
    int *value;
    ~LateMovedClassDestructorOk() { *to = value; }
};

// [alias] Two arrays: a destructor sets a variable.
//~ race-free
__global__ void moved_class_destructor_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_destructor_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    int *in = nullptr;
    {
        LateMovedClassDestructorOk late{&in, b};
    }
    moved_class_destructor_ok<<<1, 64>>>(a, in);
}

struct NameMovedClassAssignsBad {
    int *p = nullptr;
    NameMovedClassAssignsBad &operator=(int *q) { p = q; return *this; }
};

// [alias] An assignment operator.
//~ assumed_race
__global__ void moved_class_assigns_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_assigns_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    NameMovedClassAssignsBad name;
    name = a;
    moved_class_assigns_bad<<<1, 64>>>(a, name.p);
}

struct NameMovedClassAssignsOk {
    int *p = nullptr;
    NameMovedClassAssignsOk &operator=(int *q) { p = q; return *this; }
};

// [alias] Two arrays: an assignment operator.
//~ race-free
__global__ void moved_class_assigns_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_assigns_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    NameMovedClassAssignsOk name;
    name = b;
    moved_class_assigns_ok<<<1, 64>>>(a, name.p);
}

struct TableMovedClassSubscriptBad {
    int *p[2];
    int *&operator[](int i) { return p[i]; }
};

// [alias] A subscript operator.
//~ assumed_race
__global__ void moved_class_subscript_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_subscript_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TableMovedClassSubscriptBad table;
    table[0] = a;
    table[1] = a;
    moved_class_subscript_bad<<<1, 64>>>(table[0], table[1]);
}

struct TableMovedClassSubscriptOk {
    int *p[2];
    int *&operator[](int i) { return p[i]; }
};

// [alias] Two arrays: a subscript operator.
//~ race-free
__global__ void moved_class_subscript_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_subscript_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TableMovedClassSubscriptOk table;
    table[0] = a;
    table[1] = b;
    moved_class_subscript_ok<<<1, 64>>>(table[0], table[1]);
}

struct TwoMovedClassArrowBad { int *to; const int *from; };
struct HandleMovedClassArrowBad {
    TwoMovedClassArrowBad *two;
    TwoMovedClassArrowBad *operator->() { return two; }
};

// [alias] An arrow operator.
//~ assumed_race
__global__ void moved_class_arrow_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_arrow_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedClassArrowBad two{a, nullptr};
    HandleMovedClassArrowBad handle{&two};
    handle->from = a;
    moved_class_arrow_bad<<<1, 64>>>(two.to, handle->from);
}

struct TwoMovedClassArrowOk { int *to; const int *from; };
struct HandleMovedClassArrowOk {
    TwoMovedClassArrowOk *two;
    TwoMovedClassArrowOk *operator->() { return two; }
};

// [alias] Two arrays: an arrow operator.
//~ race-free
__global__ void moved_class_arrow_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_arrow_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedClassArrowOk two{a, nullptr};
    HandleMovedClassArrowOk handle{&two};
    handle->from = b;
    moved_class_arrow_ok<<<1, 64>>>(two.to, handle->from);
}

struct GetMovedClassCalledBad {
    int *p;
    int *operator()() const { return p; }
};

// [alias] A class that is called.
//~ assumed_race
__global__ void moved_class_called_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_called_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    GetMovedClassCalledBad get{a};
    moved_class_called_bad<<<1, 64>>>(a, get());
}

struct GetMovedClassCalledOk {
    int *p;
    int *operator()() const { return p; }
};

// [alias] Two arrays: a class that is called.
//~ race-free
__global__ void moved_class_called_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_called_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    GetMovedClassCalledOk get{b};
    moved_class_called_ok<<<1, 64>>>(a, get());
}

struct GetMovedClassStaticFunctionBad { static int *same(int *p) { return p; } };

// [alias] A static member function.
//~ race
__global__ void moved_class_static_function_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_moved_class_static_function_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_class_static_function_bad<<<1, 64>>>(a, GetMovedClassStaticFunctionBad::same(a));
}

struct GetMovedClassStaticFunctionOk { static int *same(int *p) { return p; } };

// [alias] Two arrays: a static member function.
//~ race-free
__global__ void moved_class_static_function_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_static_function_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    moved_class_static_function_ok<<<1, 64>>>(a, GetMovedClassStaticFunctionOk::same(b));
}

// [alias] A member function of a class of the function.
//~ assumed_race
__global__ void moved_class_local_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        int *to, *from;
        void set(int *t, int *f) { to = t; from = f; }
    };
    Job job;
    job.set(a, a);
    moved_class_local_bad<<<1, 64>>>(job.to, job.from);
}

// [alias] Two arrays: a member function of a class of the function.
//~ race-free
__global__ void moved_class_local_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        int *to, *from;
        void set(int *t, int *f) { to = t; from = f; }
    };
    Job job;
    job.set(a, b);
    moved_class_local_ok<<<1, 64>>>(job.to, job.from);
}

// [alias] A class of the function launches.
//~ assumed_race
__global__ void moved_class_local_launches_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_launches_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        static void run(int *to, const int *from) { moved_class_local_launches_bad<<<1, 64>>>(to, from); }
    };
    Job::run(a, a);
}

// [alias] Two arrays: a class of the function launches.
//~ race-free
__global__ void moved_class_local_launches_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_launches_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        static void run(int *to, const int *from) { moved_class_local_launches_ok<<<1, 64>>>(to, from); }
    };
    Job::run(a, b);
}

// [alias] A class of the function is called.
//~ assumed_race
__global__ void moved_class_local_functor_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_functor_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        int *to;
        const int *from;
        void operator()() const { moved_class_local_functor_bad<<<1, 64>>>(to, from); }
    };
    Job{a, a}();
}

// [alias] Two arrays: a class of the function is called.
//~ race-free
__global__ void moved_class_local_functor_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_class_local_functor_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    struct Job {
        int *to;
        const int *from;
        void operator()() const { moved_class_local_functor_ok<<<1, 64>>>(to, from); }
    };
    Job{a, b}();
}

struct TwoMovedMemberPointerBad { int *to; int *from; };

// [alias] A pointer to a member.
//~ assumed_race
__global__ void moved_member_pointer_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_member_pointer_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMemberPointerBad two{a, nullptr};
    int *TwoMovedMemberPointerBad::*which = &TwoMovedMemberPointerBad::from;
    two.*which = a;
    moved_member_pointer_bad<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedMemberPointerOk { int *to; int *from; };

// [alias] Two arrays: a pointer to a member.
//~ race-free
__global__ void moved_member_pointer_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_member_pointer_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMemberPointerOk two{a, nullptr};
    int *TwoMovedMemberPointerOk::*which = &TwoMovedMemberPointerOk::from;
    two.*which = b;
    moved_member_pointer_ok<<<1, 64>>>(two.to, two.from);
}

struct TwoMovedMemberFunctionPointerBad {
    int *from;
    void set(int *p) { from = p; }
};

// [alias] A pointer to a member function.
//~ assumed_race
__global__ void moved_member_function_pointer_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_member_function_pointer_bad(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMemberFunctionPointerBad two{nullptr};
    void (TwoMovedMemberFunctionPointerBad::*set)(int *) = &TwoMovedMemberFunctionPointerBad::set;
    (two.*set)(a);
    moved_member_function_pointer_bad<<<1, 64>>>(a, two.from);
}

struct TwoMovedMemberFunctionPointerOk {
    int *from;
    void set(int *p) { from = p; }
};

// [alias] Two arrays: a pointer to a member function.
//~ race-free
__global__ void moved_member_function_pointer_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_moved_member_function_pointer_ok(int n)
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 512);
    TwoMovedMemberFunctionPointerOk two{nullptr};
    void (TwoMovedMemberFunctionPointerOk::*set)(int *) = &TwoMovedMemberFunctionPointerOk::set;
    (two.*set)(b);
    moved_member_function_pointer_ok<<<1, 64>>>(a, two.from);
}
