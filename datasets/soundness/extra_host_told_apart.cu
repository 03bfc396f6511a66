// Extra: what host code tells apart: members of one name, bytes and elements, operands that are not evaluated, copies of objects
//
// A kernel whose name ends in `bad` gets one array twice, its twin two.

#include <initializer_list>

struct NamedLow { int *p; };
struct NamedHigh : NamedLow { int *p; };

// [alias] The member of the base, not the one of its name in the class itself.
//~ assumed_race
__global__ void apart_base_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_base_bad()
{
    int *a, *b;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    NamedHigh x;
    x.NamedLow::p = a;
    x.p = b;
    apart_base_bad<<<1, 64>>>(a, x.NamedLow::p);
}

// [alias] The member of the class itself.
//~ race-free
__global__ void apart_base_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_base_ok()
{
    int *a, *b;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    NamedHigh x;
    x.NamedLow::p = a;
    x.p = b;
    apart_base_ok<<<1, 64>>>(a, x.p);
}

// [alias] Set by the name of the base, and read in a copy.
//~ assumed_race
__global__ void apart_copy_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_copy_bad()
{
    int *a, *b;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    NamedHigh x;
    NamedLow &low = x;
    low.p = a;
    x.p = b;
    NamedLow y = x;
    apart_copy_bad<<<1, 64>>>(a, y.p);
}

struct NamedLeft { int *q; };
struct NamedRight { int *q; };
struct NamedBoth : NamedLeft, NamedRight {};

// [alias] Members of two bases.
//~ assumed_race
__global__ void apart_bases_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_bases_bad()
{
    int *a, *b;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    NamedBoth x;
    x.NamedLeft::q = a;
    x.NamedRight::q = b;
    apart_bases_bad<<<1, 64>>>(a, x.NamedLeft::q);
}

// [alias] An object on the heap, whose constructor sets the member of the base.
struct NamedMade : NamedLow {
    int *p;
    NamedMade(int *x, int *y) : p(y) { NamedLow::p = x; }
    int *low() { return NamedLow::p; }
};

//~ assumed_race
__global__ void apart_made_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_made_bad()
{
    int *a, *b;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    NamedMade made(a, b);
    apart_made_bad<<<1, 64>>>(a, made.low());
}

// [alias] A pointer as a number counts bytes: 16 elements on.
//~ race
__global__ void apart_number_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x]; //~ here
}

void run_apart_number_bad()
{
    int *a;
    cudaMalloc(&a, 8192);
    apart_number_bad<<<1, 64>>>(a, (int *)((unsigned long long)a + 64));
}

// [alias] 64 elements on.
//~ race-free
__global__ void apart_number_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

void run_apart_number_ok()
{
    int *a;
    cudaMalloc(&a, 8192);
    apart_number_ok<<<1, 64>>>(a, (int *)((unsigned long long)a + 256));
}

// [alias] The number stands in a variable.
//~ race
__global__ void apart_variable_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x]; //~ here
}

void run_apart_variable_bad()
{
    int *a;
    cudaMalloc(&a, 8192);
    unsigned long place = reinterpret_cast<unsigned long>(a);
    place += 64;
    apart_variable_bad<<<1, 64>>>(a, reinterpret_cast<int *>(place));
}

// [alias] The operand of `sizeof` is not evaluated.
//~ race
__global__ void apart_sizeof_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1]; //~ here
}

void run_apart_sizeof_bad()
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&c, 512);
    b = a;
    (void)sizeof(b = c);
    apart_sizeof_bad<<<1, 64>>>(a, b);
}

// [alias] An assignment in parentheses is.
//~ race-free
__global__ void apart_sizeof_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void run_apart_sizeof_ok()
{
    int *a, *b, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&c, 512);
    b = a;
    (void)(b = c);
    apart_sizeof_ok<<<1, 64>>>(a, b);
}

struct ApartJob {
    int *a, *b, *c;
    void run();
    void set();
};

// [alias] The closure changes its copy of the object.
//~ assumed_race
__global__ void apart_object_bad(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void ApartJob::run()
{
    b = a;
    auto change = [*this]() mutable { b = c; };
    change();
    apart_object_bad<<<1, 64>>>(a, b);
}

// [alias] The closure changes the object.
//~ race-free
__global__ void apart_object_ok(int *to, const int *from)
{
    to[threadIdx.x] = from[threadIdx.x ^ 1];
}

void ApartJob::set()
{
    b = a;
    auto change = [this] { b = c; };
    change();
    apart_object_ok<<<1, 64>>>(a, b);
}

void run_apart_objects()
{
    int *a, *c;
    cudaMalloc(&a, 512);
    cudaMalloc(&c, 512);
    ApartJob job{a, a, c};
    job.run();
    job.set();
}

template <class T> struct ApartRows {
    static constexpr int LENGTH = sizeof(T) / 4;
    static void go(int *a);
};

// [template] A static member function of a class for `double`: two threads store to one element.
//~ race
template <class T> __global__ void apart_static_bad(int *o)
{
    o[threadIdx.x / ApartRows<T>::LENGTH] = threadIdx.x; //~ here
}

template <class T> void ApartRows<T>::go(int *a)
{
    apart_static_bad<T><<<1, 64>>>(a);
}

template <class T> struct ApartColumns {
    static constexpr int LENGTH = sizeof(T) / 4;
    static void go(int *a);
};

// [template] The same for `float`.
//~ race-free
template <class T> __global__ void apart_static_ok(int *o)
{
    o[threadIdx.x / ApartColumns<T>::LENGTH] = threadIdx.x;
}

template <class T> void ApartColumns<T>::go(int *a)
{
    apart_static_ok<T><<<1, 64>>>(a);
}

void run_apart_static(int *a)
{
    ApartRows<double>::go(a);
    ApartColumns<float>::go(a);
}

#if __has_include(<vector>)
#define APART_ROW 2
#else
#define APART_ROW 1
#endif

#if __has_include(<nowhere_to_be_found>)
#define APART_COLUMN 2
#else
#define APART_COLUMN 1
#endif

// [preprocessor] A header of C++ is there, whether it is on the path or not.
//~ race
__global__ void apart_header_bad(int *o)
{
    o[threadIdx.x / APART_ROW] = threadIdx.x; //~ here
}

// [preprocessor] One that nobody knows is not.
//~ race-free
__global__ void apart_header_ok(int *o)
{
    o[threadIdx.x / APART_COLUMN] = threadIdx.x;
}

void run_apart_header(int *o)
{
    apart_header_bad<<<1, 64>>>(o);
    apart_header_ok<<<1, 64>>>(o);
}

static unsigned odd_part(unsigned n)
{
    while (n != 0 && n % 2 == 0) n /= 2;
    return n;
}

// [launch] A function of the host makes sure that the size is a power of two: the condition is named, and not found there.
//~ fp_race-free
__global__ void apart_power_ok(int *o, unsigned size)
{
    o[(threadIdx.x & (size - 1)) + threadIdx.x / size * size] = threadIdx.x;
}

void run_apart_power(int *o, unsigned size)
{
    if (odd_part(size) != 1) return;
    apart_power_ok<<<1, 64>>>(o, size);
}

unsigned apart_size;

struct ApartEnds {
    ~ApartEnds() { apart_size = 0; }
};

// [launch] The end of an object changes what the condition was about.
//~ race
__global__ void apart_ended_bad(int *o, unsigned stride)
{
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [launch] The condition stands behind it.
//~ race-free
__global__ void apart_ended_ok(int *o, unsigned stride)
{
    o[threadIdx.x * stride] = threadIdx.x;
}

void run_apart_ended(int *o, unsigned n)
{
    apart_size = n;
    if (apart_size == 1) {
        {
            ApartEnds ends;
        }
        apart_ended_bad<<<1, 64>>>(o, apart_size);
    }
    {
        ApartEnds ends;
    }
    if (apart_size == 1) apart_ended_ok<<<1, 64>>>(o, apart_size);
}

static int apart_caught()
{
    try {
        throw 1;
    } catch (int) {
        return 0;
    }
    return 5;
}

// [launch] The function returns where the exception is caught.
//~ race
__global__ void apart_caught_bad(int *o, int stride)
{
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

void run_apart_caught(int *o)
{
    apart_caught_bad<<<1, 64>>>(o, apart_caught());
}

struct ApartList {
    int stride;
    ApartList(int, int) : stride(3) {}
    ApartList(std::initializer_list<int>) : stride(0) {}
};

// [launch] Braces prefer the constructor that takes a list.
//~ race
__global__ void apart_list_bad(int *o, int stride)
{
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

// [launch] Parentheses do not.
//~ fp_race-free
__global__ void apart_list_ok(int *o, int stride)
{
    o[threadIdx.x * stride] = threadIdx.x;
}

void run_apart_list(int *o)
{
    ApartList listed{5, 6};
    apart_list_bad<<<1, 64>>>(o, listed.stride);
    ApartList made(5, 6);
    apart_list_ok<<<1, 64>>>(o, made.stride);
}

struct ApartPart { int left[2]; int right[2]; };

// [alias] Two members of the elements of one array: a stride comes from the one to the other.
//~ assumed_race
__global__ void apart_parts_bad(int *to, const int *from)
{
    to[threadIdx.x * 4] = from[threadIdx.x * 4 + 2];
}

// [alias] Without a stride it stays within the first.
//~ race-free
__global__ void apart_parts_ok(int *to, const int *from)
{
    if (threadIdx.x < 2) to[threadIdx.x] = from[threadIdx.x];
}

void run_apart_parts()
{
    ApartPart *parts;
    cudaMalloc(&parts, 8192);
    apart_parts_bad<<<1, 64>>>(parts->left, parts->right);
    apart_parts_ok<<<1, 64>>>(parts->left, parts->right);
}

// [launch] A handle of the kernel is launched elsewhere, with any numbers.
//~ race
__global__ void apart_handle_bad(int *o, int stride)
{
    o[threadIdx.x * stride] = threadIdx.x; //~ here
}

void run_apart_handle(int *o, int stride)
{
    void *args[] = {&o, &stride};
    CUfunction handle;
    apart_handle_bad<<<1, 64>>>(o, 1);
    cudaGetFuncBySymbol(&handle, (const void *)apart_handle_bad);
    cuLaunchKernel(handle, 1, 1, 1, 64, 1, 1, 0, 0, args, 0);
}
