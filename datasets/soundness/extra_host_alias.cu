// Extra: pointers that host code makes one, in each way that it may move them about
//
// Each program is there twice: the kernel whose name ends in `bad` gets one array twice, its twin two. Where the way is followed the
// race is told; where it is not, the proof names the arrays, the launch and that it was not followed.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

struct ShiftFunctorBad {
    int *to; const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1]; //~ here
    }
};

// [alias] In an object that is called, which a kernel template takes.
//~ race
template <class F> __global__ void alias_functor_bad(F f)
{
    f(threadIdx.x);
}

void run_alias_functor_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_functor_bad<<<1, 64>>>(ShiftFunctorBad{a, a});
}

struct ShiftFunctorOk {
    int *to; const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] Two arrays: in an object that is called, which a kernel template takes.
//~ race-free
template <class F> __global__ void alias_functor_ok(F f)
{
    f(threadIdx.x);
}

void run_alias_functor_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_functor_ok<<<1, 64>>>(ShiftFunctorOk{a, b});
}

struct MovedFunctorNamedBad {
    int *to; const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1]; //~ here
    }
};

// [alias] In an object that is called, made before.
//~ race
template <class F> __global__ void alias_functor_named_bad(F f)
{
    f(threadIdx.x);
}

void run_alias_functor_named_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    MovedFunctorNamedBad moved;
    moved.to = a;
    moved.from = a;
    alias_functor_named_bad<<<1, 64>>>(moved);
}

struct MovedFunctorNamedOk {
    int *to; const int *from;
    __device__ void operator()(int i) const
    {
        to[i] = from[i ^ 1];
    }
};

// [alias] Two arrays: in an object that is called, made before.
//~ race-free
template <class F> __global__ void alias_functor_named_ok(F f)
{
    f(threadIdx.x);
}

void run_alias_functor_named_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    MovedFunctorNamedOk moved;
    moved.to = a;
    moved.from = b;
    alias_functor_named_ok<<<1, 64>>>(moved);
}

struct LowBaseBad { const int *in; };
struct HighBaseBad : LowBaseBad { int *out; };

// [alias] In a member of a base class.
//~ race
__global__ void alias_base_bad(HighBaseBad args)
{
    args.out[threadIdx.x] = args.in[threadIdx.x ^ 1]; //~ here
}

void run_alias_base_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    HighBaseBad args;
    args.in = a;
    args.out = a;
    alias_base_bad<<<1, 64>>>(args);
}

struct LowBaseOk { const int *in; };
struct HighBaseOk : LowBaseOk { int *out; };

// [alias] Two arrays: in a member of a base class.
//~ race-free
__global__ void alias_base_ok(HighBaseOk args)
{
    args.out[threadIdx.x] = args.in[threadIdx.x ^ 1];
}

void run_alias_base_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    HighBaseOk args;
    args.in = b;
    args.out = a;
    alias_base_ok<<<1, 64>>>(args);
}

struct FirstBaseOfBaseBad { const int *in; };
struct SecondBaseOfBaseBad : FirstBaseOfBaseBad {};
struct ThirdBaseOfBaseBad : SecondBaseOfBaseBad { int *out; };

// [alias] In a member of the base of a base.
//~ race
__global__ void alias_base_of_base_bad(ThirdBaseOfBaseBad args)
{
    args.out[threadIdx.x] = args.in[threadIdx.x ^ 1]; //~ here
}

void run_alias_base_of_base_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    ThirdBaseOfBaseBad args;
    args.out = a;
    args.in = a;
    alias_base_of_base_bad<<<1, 64>>>(args);
}

struct FirstBaseOfBaseOk { const int *in; };
struct SecondBaseOfBaseOk : FirstBaseOfBaseOk {};
struct ThirdBaseOfBaseOk : SecondBaseOfBaseOk { int *out; };

// [alias] Two arrays: in a member of the base of a base.
//~ race-free
__global__ void alias_base_of_base_ok(ThirdBaseOfBaseOk args)
{
    args.out[threadIdx.x] = args.in[threadIdx.x ^ 1];
}

void run_alias_base_of_base_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    ThirdBaseOfBaseOk args;
    args.out = a;
    args.in = b;
    alias_base_of_base_ok<<<1, 64>>>(args);
}

struct HeldBasePassedBad { int *in; };
struct BothBasePassedBad : HeldBasePassedBad { int *out; };

// [alias] In members of a base, passed one by one.
//~ race
__global__ void alias_base_passed_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_base_passed_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    BothBasePassedBad both;
    both.in = a;
    both.out = a;
    alias_base_passed_bad<<<1, 64>>>(both.out, both.in);
}

struct HeldBasePassedOk { int *in; };
struct BothBasePassedOk : HeldBasePassedOk { int *out; };

// [alias] Two arrays: in members of a base, passed one by one.
//~ race-free
__global__ void alias_base_passed_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_base_passed_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    BothBasePassedOk both;
    both.in = b;
    both.out = a;
    alias_base_passed_ok<<<1, 64>>>(both.out, both.in);
}

struct StateGlobalPointerBad { int *in, *out; } state_global_pointer_bad;
StateGlobalPointerBad *current_global_pointer_bad = &state_global_pointer_bad;

// [alias] Behind a pointer at namespace scope.
//~ assumed_race
__global__ void alias_global_pointer_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_global_pointer_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    state_global_pointer_bad.in = a;
    state_global_pointer_bad.out = a;
    alias_global_pointer_bad<<<1, 64>>>(current_global_pointer_bad->out, current_global_pointer_bad->in);
}

struct StateGlobalPointerOk { int *in, *out; } state_global_pointer_ok;
StateGlobalPointerOk *current_global_pointer_ok = &state_global_pointer_ok;

// [alias] Two arrays: behind a pointer at namespace scope.
//~ race-free
__global__ void alias_global_pointer_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_global_pointer_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    state_global_pointer_ok.in = b;
    state_global_pointer_ok.out = a;
    alias_global_pointer_ok<<<1, 64>>>(current_global_pointer_ok->out, current_global_pointer_ok->in);
}

struct PlaceGlobalReferenceBad { int *in, *out; } place_global_reference_bad;
PlaceGlobalReferenceBad &same_global_reference_bad = place_global_reference_bad;

// [alias] Behind a reference at namespace scope.
//~ assumed_race
__global__ void alias_global_reference_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_global_reference_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    place_global_reference_bad.in = a;
    place_global_reference_bad.out = a;
    alias_global_reference_bad<<<1, 64>>>(same_global_reference_bad.out, same_global_reference_bad.in);
}

struct PlaceGlobalReferenceOk { int *in, *out; } place_global_reference_ok;
PlaceGlobalReferenceOk &same_global_reference_ok = place_global_reference_ok;

// [alias] Two arrays: behind a reference at namespace scope.
//~ race-free
__global__ void alias_global_reference_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_global_reference_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    place_global_reference_ok.in = b;
    place_global_reference_ok.out = a;
    alias_global_reference_ok<<<1, 64>>>(same_global_reference_ok.out, same_global_reference_ok.in);
}

static int *source_global_set_there_bad, *target_global_set_there_bad;
void set_global_set_there_bad(int *p, int *q) { target_global_set_there_bad = p; source_global_set_there_bad = q; }

// [alias] Set by another function.
//~ assumed_race
__global__ void alias_global_set_there_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_global_set_there_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    set_global_set_there_bad(a, a);
    alias_global_set_there_bad<<<1, 64>>>(target_global_set_there_bad, source_global_set_there_bad);
}

static int *source_global_set_there_ok, *target_global_set_there_ok;
void set_global_set_there_ok(int *p, int *q) { target_global_set_there_ok = p; source_global_set_there_ok = q; }

// [alias] Two arrays: set by another function.
//~ race-free
__global__ void alias_global_set_there_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_global_set_there_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    set_global_set_there_ok(a, b);
    alias_global_set_there_ok<<<1, 64>>>(target_global_set_there_ok, source_global_set_there_ok);
}

struct MadeNoBodyBad { int *in; };
MadeNoBodyBad *made_no_body_bad();

// [alias] In an object that a function without a body gives.
//~ race
__global__ void alias_no_body_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_no_body_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    MadeNoBodyBad *one = made_no_body_bad();
    one->in = a;
    alias_no_body_bad<<<1, 64>>>(a, one->in);
}

struct MadeNoBodyOk { int *in; };
MadeNoBodyOk *made_no_body_ok();

// [alias] Two arrays: in an object that a function without a body gives.
//~ race-free
__global__ void alias_no_body_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_no_body_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    MadeNoBodyOk *one = made_no_body_ok();
    one->in = b;
    alias_no_body_ok<<<1, 64>>>(a, one->in);
}

struct KeptNoBodyReferenceBad { int *in; };
KeptNoBodyReferenceBad &kept_no_body_reference_bad();

// [alias] In an object to which a function without a body refers.
//~ assumed_race
__global__ void alias_no_body_reference_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_no_body_reference_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    kept_no_body_reference_bad().in = a;
    alias_no_body_reference_bad<<<1, 64>>>(a, kept_no_body_reference_bad().in);
}

struct KeptNoBodyReferenceOk { int *in; };
KeptNoBodyReferenceOk &kept_no_body_reference_ok();

// [alias] Two arrays: in an object to which a function without a body refers.
//~ race-free
__global__ void alias_no_body_reference_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_no_body_reference_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    kept_no_body_reference_ok().in = b;
    alias_no_body_reference_ok<<<1, 64>>>(a, kept_no_body_reference_ok().in);
}

struct TwoClosureBad { int *out, *in; };

// [alias] In an object that a closure has by reference.
//~ assumed_race
__global__ void alias_closure_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_closure_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    TwoClosureBad *two = new TwoClosureBad{a, a};
    int n = 0;
    std::function<void()> count = [&] { n++; };
    alias_closure_bad<<<1, 64>>>(two->out, two->in);
}

struct TwoClosureOk { int *out, *in; };

// [alias] Two arrays: in an object that a closure has by reference.
//~ race-free
__global__ void alias_closure_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_closure_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    TwoClosureOk *two = new TwoClosureOk{a, b};
    int n = 0;
    std::function<void()> count = [&] { n++; };
    alias_closure_ok<<<1, 64>>>(two->out, two->in);
}


// [alias] Set in a `std::function`.
//~ assumed_race
__global__ void alias_function_object_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_function_object_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    std::function<void(int *)> take = [&](int *given) { p = given; };
    take(a);
    alias_function_object_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: set in a `std::function`.
//~ race-free
__global__ void alias_function_object_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_function_object_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    std::function<void(int *)> take = [&](int *given) { p = given; };
    take(b);
    alias_function_object_ok<<<1, 64>>>(a, p);
}


// [alias] Set in an algorithm that runs a closure.
//~ assumed_race
__global__ void alias_algorithm_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_algorithm_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    int *all[2] = {b, a};
    std::for_each(all, all + 2, [&](int *one) { p = one; });
    alias_algorithm_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: set in an algorithm that runs a closure.
//~ race-free
__global__ void alias_algorithm_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_algorithm_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    int *all[2] = {b, b};
    std::for_each(all, all + 2, [&](int *one) { p = one; });
    alias_algorithm_ok<<<1, 64>>>(a, p);
}


// [alias] In a pair that is a parameter.
//~ race
__global__ void alias_pair_bad(std::pair<int *, int *> both)
{
    both.first[threadIdx.x] = both.second[threadIdx.x ^ 1]; //~ here
}

void run_alias_pair_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_pair_bad<<<1, 64>>>(std::make_pair(a, a));
}


// [alias] Two arrays: in a pair that is a parameter.
//~ race-free
__global__ void alias_pair_ok(std::pair<int *, int *> both)
{
    both.first[threadIdx.x] = both.second[threadIdx.x ^ 1];
}

void run_alias_pair_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_pair_ok<<<1, 64>>>(std::make_pair(a, b));
}


// [alias] In a pair.
//~ race
__global__ void alias_pair_members_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_pair_members_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::pair<int *, int *> both(a, a);
    alias_pair_members_bad<<<1, 64>>>(both.first, both.second);
}


// [alias] Two arrays: in a pair.
//~ race-free
__global__ void alias_pair_members_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_pair_members_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::pair<int *, int *> both(a, b);
    alias_pair_members_ok<<<1, 64>>>(both.first, both.second);
}


// [alias] In a pair whose members are set.
//~ race
__global__ void alias_pair_set_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_pair_set_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::pair<int *, int *> both;
    both.first = a;
    both.second = a;
    alias_pair_set_bad<<<1, 64>>>(both.first, both.second);
}


// [alias] Two arrays: in a pair whose members are set.
//~ race-free
__global__ void alias_pair_set_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_pair_set_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::pair<int *, int *> both;
    both.first = a;
    both.second = b;
    alias_pair_set_ok<<<1, 64>>>(both.first, both.second);
}


// [alias] In a tuple.
//~ assumed_race
__global__ void alias_tuple_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_tuple_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::tuple<int *, int *> both(a, a);
    alias_tuple_bad<<<1, 64>>>(std::get<0>(both), std::get<1>(both));
}


// [alias] Two arrays: in a tuple.
//~ race-free
__global__ void alias_tuple_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_tuple_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::tuple<int *, int *> both(a, b);
    alias_tuple_ok<<<1, 64>>>(std::get<0>(both), std::get<1>(both));
}


// [alias] In elements of a `std::array`.
//~ assumed_race
__global__ void alias_array_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_array_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::array<int *, 2> both = {a, a};
    alias_array_bad<<<1, 64>>>(both[0], both[1]);
}


// [alias] Two arrays: in elements of a `std::array`.
//~ race-free
__global__ void alias_array_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_array_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::array<int *, 2> both = {a, b};
    alias_array_ok<<<1, 64>>>(both[0], both[1]);
}


// [alias] In elements of a `std::array` that are set.
//~ race
__global__ void alias_array_set_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_array_set_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::array<int *, 2> both;
    both[0] = a;
    both[1] = a;
    alias_array_set_bad<<<1, 64>>>(both[0], both[1]);
}


// [alias] Two arrays: in elements of a `std::array` that are set.
//~ race-free
__global__ void alias_array_set_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_array_set_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::array<int *, 2> both;
    both[0] = a;
    both[1] = b;
    alias_array_set_ok<<<1, 64>>>(both[0], both[1]);
}


// [alias] Converted to a number and back.
//~ race
__global__ void alias_converted_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_converted_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    unsigned long number = (unsigned long)a;
    alias_converted_bad<<<1, 64>>>(a, (const int *)number);
}


// [alias] Two arrays: converted to a number and back.
//~ race-free
__global__ void alias_converted_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_converted_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    unsigned long number = (unsigned long)b;
    alias_converted_ok<<<1, 64>>>(a, (const int *)number);
}

struct BufferConvertedClassBad { int *p; operator int *() const { return p; } };

// [alias] By the conversion of an object.
//~ assumed_race
__global__ void alias_converted_class_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_converted_class_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    BufferConvertedClassBad out{a}, in{a};
    alias_converted_class_bad<<<1, 64>>>(out, in);
}

struct BufferConvertedClassOk { int *p; operator int *() const { return p; } };

// [alias] Two arrays: by the conversion of an object.
//~ race-free
__global__ void alias_converted_class_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_converted_class_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    BufferConvertedClassOk out{a}, in{b};
    alias_converted_class_ok<<<1, 64>>>(out, in);
}


// [alias] Through another type of pointer.
//~ race
__global__ void alias_converted_type_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_converted_type_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    char *bytes = reinterpret_cast<char *>(a);
    alias_converted_type_bad<<<1, 64>>>(a, reinterpret_cast<int *>(bytes));
}


// [alias] Two arrays: through another type of pointer.
//~ race-free
__global__ void alias_converted_type_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_converted_type_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    char *bytes = reinterpret_cast<char *>(b);
    alias_converted_type_ok<<<1, 64>>>(a, reinterpret_cast<int *>(bytes));
}


// [alias] In an object of a class of the function.
//~ assumed_race
__global__ void alias_local_class_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_local_class_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    struct Local { int *in; int *get() { return in; } };
    Local local{a};
    alias_local_class_bad<<<1, 64>>>(a, local.get());
}


// [alias] Two arrays: in an object of a class of the function.
//~ race-free
__global__ void alias_local_class_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_local_class_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    struct Local { int *in; int *get() { return in; } };
    Local local{b};
    alias_local_class_ok<<<1, 64>>>(a, local.get());
}


// [alias] In a member of an object of a class of the function.
//~ assumed_race
__global__ void alias_local_class_kept_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_local_class_kept_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    struct Local { int *out, *in; };
    Local local{a, a};
    alias_local_class_kept_bad<<<1, 64>>>(local.out, local.in);
}


// [alias] Two arrays: in a member of an object of a class of the function.
//~ race-free
__global__ void alias_local_class_kept_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_local_class_kept_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    struct Local { int *out, *in; };
    Local local{a, b};
    alias_local_class_kept_ok<<<1, 64>>>(local.out, local.in);
}


// [alias] Set before a jump.
//~ assumed_race
__global__ void alias_jump_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_jump_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    int round = 0;
again:
    if (round == 1) {
        alias_jump_bad<<<1, 64>>>(a, p);
        return;
    }
    p = a;
    round = 1;
    goto again;
}


// [alias] Two arrays: set before a jump.
//~ race-free
__global__ void alias_jump_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_jump_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    int round = 0;
again:
    if (round == 1) {
        alias_jump_ok<<<1, 64>>>(a, p);
        return;
    }
    p = b;
    round = 1;
    goto again;
}


// [alias] Set, and a jump over what would set it again.
//~ assumed_race
__global__ void alias_jump_forward_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_jump_forward_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = a;
    if (n > 0) goto launch;
    p = b;
launch:
    alias_jump_forward_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: set, and a jump over what would set it again.
//~ race-free
__global__ void alias_jump_forward_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_jump_forward_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    if (n > 0) goto launch;
    p = b;
launch:
    alias_jump_forward_ok<<<1, 64>>>(a, p);
}


// [alias] Chosen by an argument.
//~ race
__global__ void alias_condition_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_condition_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = n > 4 ? a : b;
    alias_condition_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: chosen by an argument.
//~ race-free
__global__ void alias_condition_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_condition_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = n > 4 ? b : b;
    alias_condition_ok<<<1, 64>>>(a, p);
}


// [alias] Set in a branch.
//~ race
__global__ void alias_branch_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_branch_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    if (n == 7) p = a;
    alias_branch_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: set in a branch.
//~ race-free
__global__ void alias_branch_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_branch_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    if (n == 7) p = b;
    alias_branch_ok<<<1, 64>>>(a, p);
}


// [alias] Set in one case of several.
//~ race
__global__ void alias_cases_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_cases_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    switch (n) {
    case 1: p = b; break;
    case 2: p = a; break;
    default: break;
    }
    alias_cases_bad<<<1, 64>>>(a, p);
}


// [alias] Two arrays: set in one case of several.
//~ race-free
__global__ void alias_cases_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_cases_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b;
    switch (n) {
    case 1: p = b; break;
    case 2: p = b; break;
    default: break;
    }
    alias_cases_ok<<<1, 64>>>(a, p);
}

class RunnerMethodBad {
    int *out, *in;
public:
    void use(int *p, int *q) { out = p; in = q; }
    void run();
};

// [alias] By a member function that sets two members.
//~ race
__global__ void alias_method_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void RunnerMethodBad::run() { alias_method_bad<<<1, 64>>>(out, in); }

void run_alias_method_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    RunnerMethodBad runner;
    runner.use(a, a);
    runner.run();
}

class RunnerMethodOk {
    int *out, *in;
public:
    void use(int *p, int *q) { out = p; in = q; }
    void run();
};

// [alias] Two arrays: by a member function that sets two members.
//~ race-free
__global__ void alias_method_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void RunnerMethodOk::run() { alias_method_ok<<<1, 64>>>(out, in); }

void run_alias_method_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    RunnerMethodOk runner;
    runner.use(a, b);
    runner.run();
}

struct JobConstructorBad {
    int *out, *in;
    JobConstructorBad(int *p, int *q) : out(p), in(q) {}
};

// [alias] By a constructor.
//~ race
__global__ void alias_constructor_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_constructor_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    JobConstructorBad job(a, a);
    alias_constructor_bad<<<1, 64>>>(job.out, job.in);
}

struct JobConstructorOk {
    int *out, *in;
    JobConstructorOk(int *p, int *q) : out(p), in(q) {}
};

// [alias] Two arrays: by a constructor.
//~ race-free
__global__ void alias_constructor_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_constructor_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    JobConstructorOk job(a, b);
    alias_constructor_ok<<<1, 64>>>(job.out, job.in);
}


// [alias] By two pointers of one owner.
//~ assumed_race
__global__ void alias_owned_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_owned_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::shared_ptr<int> one(a), two(a);
    alias_owned_bad<<<1, 64>>>(one.get(), two.get());
}


// [alias] Two arrays: by two pointers of one owner.
//~ race-free
__global__ void alias_owned_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_owned_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::shared_ptr<int> one(a), two(b);
    alias_owned_ok<<<1, 64>>>(one.get(), two.get());
}

struct ArgsCopiedStructBad { int *out, *in; };

// [alias] In a copy of an object.
//~ race
__global__ void alias_copied_struct_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_copied_struct_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    ArgsCopiedStructBad first{b, a};
    ArgsCopiedStructBad second = first;
    second.out = a;
    alias_copied_struct_bad<<<1, 64>>>(second.out, second.in);
}

struct ArgsCopiedStructOk { int *out, *in; };

// [alias] Two arrays: in a copy of an object.
//~ race-free
__global__ void alias_copied_struct_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_copied_struct_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    ArgsCopiedStructOk first{b, b};
    ArgsCopiedStructOk second = first;
    second.out = a;
    alias_copied_struct_ok<<<1, 64>>>(second.out, second.in);
}


// [alias] From a table by a computed place.
//~ assumed_race
__global__ void alias_table_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_table_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *table[2] = {b, a};
    int which = n & 1;
    alias_table_bad<<<1, 64>>>(a, table[which]);
}


// [alias] Two arrays: from a table by a computed place.
//~ race-free
__global__ void alias_table_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_table_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *table[2] = {b, b};
    int which = n & 1;
    alias_table_ok<<<1, 64>>>(a, table[which]);
}


// [alias] From a vector.
//~ assumed_race
__global__ void alias_vector_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_vector_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::vector<int *> all;
    all.push_back(a);
    all.push_back(a);
    alias_vector_bad<<<1, 64>>>(all[0], all[1]);
}


// [alias] Two arrays: from a vector.
//~ race-free
__global__ void alias_vector_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_vector_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::vector<int *> all;
    all.push_back(a);
    all.push_back(b);
    alias_vector_ok<<<1, 64>>>(all[0], all[1]);
}


// [alias] From a map.
//~ race
__global__ void alias_map_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_map_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::map<int, int *> all;
    all[0] = a;
    all[1] = a;
    alias_map_bad<<<1, 64>>>(all[0], all[1]);
}


// [alias] Two arrays: from a map.
//~ race-free
__global__ void alias_map_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_map_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    std::map<int, int *> all;
    all[0] = a;
    all[1] = b;
    alias_map_ok<<<1, 64>>>(all[0], all[1]);
}

static int *same_returned_bad(int *p) { return p; }

// [alias] Given back by a function.
//~ race
__global__ void alias_returned_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_returned_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_returned_bad<<<1, 64>>>(a, same_returned_bad(a));
}

static int *same_returned_ok(int *p) { return p; }

// [alias] Two arrays: given back by a function.
//~ race-free
__global__ void alias_returned_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_returned_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    alias_returned_ok<<<1, 64>>>(a, same_returned_ok(b));
}

static void give_out_parameter_bad(int **to, int *p) { *to = p; }

// [alias] Given back through a parameter.
//~ race
__global__ void alias_out_parameter_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_out_parameter_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p;
    give_out_parameter_bad(&p, a);
    alias_out_parameter_bad<<<1, 64>>>(a, p);
}

static void give_out_parameter_ok(int **to, int *p) { *to = p; }

// [alias] Two arrays: given back through a parameter.
//~ race-free
__global__ void alias_out_parameter_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_out_parameter_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p;
    give_out_parameter_ok(&p, b);
    alias_out_parameter_ok<<<1, 64>>>(a, p);
}

static int *last_static_kept_bad(int *p) {
    static int *kept;
    if (p) kept = p;
    return kept;
}

// [alias] Kept in a static variable of a function.
//~ race
__global__ void alias_static_kept_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_static_kept_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    last_static_kept_bad(a);
    alias_static_kept_bad<<<1, 64>>>(a, last_static_kept_bad(nullptr));
}

static int *last_static_kept_ok(int *p) {
    static int *kept;
    if (p) kept = p;
    return kept;
}

// [alias] Two arrays: kept in a static variable of a function.
//~ race-free
__global__ void alias_static_kept_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_static_kept_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    last_static_kept_ok(b);
    alias_static_kept_ok<<<1, 64>>>(a, last_static_kept_ok(nullptr));
}


// [alias] Through a variadic template.
//~ race
__global__ void alias_template_wrapper_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

template <class... A> void go_template_wrapper_bad(A... args) { alias_template_wrapper_bad<<<1, 64>>>(args...); }

void run_alias_template_wrapper_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    go_template_wrapper_bad(a, a);
}


// [alias] Two arrays: through a variadic template.
//~ race-free
__global__ void alias_template_wrapper_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

template <class... A> void go_template_wrapper_ok(A... args) { alias_template_wrapper_ok<<<1, 64>>>(args...); }

void run_alias_template_wrapper_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    go_template_wrapper_ok(a, b);
}

struct EndsPointerToMemberBad { int *out, *in; };

// [alias] Through a pointer to a member.
//~ assumed_race
__global__ void alias_pointer_to_member_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_pointer_to_member_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    EndsPointerToMemberBad ends{a, b};
    int *EndsPointerToMemberBad::*which = &EndsPointerToMemberBad::in;
    ends.*which = a;
    alias_pointer_to_member_bad<<<1, 64>>>(ends.out, ends.in);
}

struct EndsPointerToMemberOk { int *out, *in; };

// [alias] Two arrays: through a pointer to a member.
//~ race-free
__global__ void alias_pointer_to_member_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_pointer_to_member_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    EndsPointerToMemberOk ends{a, b};
    int *EndsPointerToMemberOk::*which = &EndsPointerToMemberOk::in;
    ends.*which = b;
    alias_pointer_to_member_ok<<<1, 64>>>(ends.out, ends.in);
}

union WordUnionBad { int *p; unsigned long n; };

// [alias] Through a union.
//~ assumed_race
__global__ void alias_union_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_union_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    WordUnionBad word;
    word.p = a;
    alias_union_bad<<<1, 64>>>(a, word.p);
}

union WordUnionOk { int *p; unsigned long n; };

// [alias] Two arrays: through a union.
//~ race-free
__global__ void alias_union_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_union_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    WordUnionOk word;
    word.p = b;
    alias_union_ok<<<1, 64>>>(a, word.p);
}

__managed__ int shared_managed_bad[64];

// [alias] With an array that the host shares with the device.
//~ race
__global__ void alias_managed_bad(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1]; //~ here
}

void run_alias_managed_bad(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = a == a ? shared_managed_bad : b;
    alias_managed_bad<<<1, 64>>>(shared_managed_bad, p);
}

__managed__ int shared_managed_ok[64];

// [alias] Two arrays: with an array that the host shares with the device.
//~ race-free
__global__ void alias_managed_ok(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x ^ 1];
}

void run_alias_managed_ok(int n)
{
    int *a, *b;
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    int *p = b == a ? shared_managed_ok : b;
    alias_managed_ok<<<1, 64>>>(shared_managed_ok, p);
}
