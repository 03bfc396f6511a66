//--blockDim=64 --gridDim=1
// Extra: objects that keep their own address, constructors that write to what they convert, operators that are seldom overloaded

struct SelfBody { int n; int *o; __device__ SelfBody() { o = &n; } __device__ void clear() { *o = 0; } };
struct SelfList { int n; int *o; __device__ SelfList() : o(&n) {} };
struct SelfDefault { int n; int *o = &n; };
struct SelfArray { int n[2]; int *o; __device__ SelfArray() { o = n + 1; } };
struct SelfNumber { int n; long o; __device__ SelfNumber() { o = (long)&n; } };
struct SelfSet { int n; int *o; __device__ void set() { o = &n; } };
struct Takes { __device__ Takes() {} __device__ Takes(int &x) { x = 0; } };
struct Looks { int v; __device__ Looks(const int &x) : v(x) {} };
struct Odd
{
    int *p;
    __device__ bool operator&&(int) { p[0] = threadIdx.x; return true; } //~ here
    __device__ bool operator||(int) { p[1] = threadIdx.x; return true; } //~ here
    __device__ Odd *operator&() { p[2] = threadIdx.x; return this; } //~ here
    __device__ bool operator==(int) const { p[3] = threadIdx.x; return true; } //~ here
};
__device__ void takes(Takes) {}
__device__ int looks(Looks l) { return l.v; }

// [own-address] Set in the constructor's body.
//~ fn_race
__global__ void self_body_bad(int *g)
{
    SelfBody s;
    s.n = threadIdx.x;
    s.clear();
    g[s.n] = threadIdx.x; //~ here
}

// [own-address] In its list.
//~ fn_race
__global__ void self_list_bad(int *g)
{
    SelfList s;
    s.n = threadIdx.x;
    *s.o = 0;
    g[s.n] = threadIdx.x; //~ here
}

// [own-address] By the initialiser of the member.
//~ fn_race
__global__ void self_default_bad(int *g)
{
    SelfDefault s;
    s.n = threadIdx.x;
    *s.o = 0;
    g[s.n] = threadIdx.x; //~ here
}

// [own-address] Of an element.
//~ fn_race
__global__ void self_array_bad(int *g)
{
    SelfArray s;
    s.n[1] = threadIdx.x;
    *s.o = 0;
    g[s.n[1]] = threadIdx.x; //~ here
}

// [own-address] As a number.
//~ fn_race
__global__ void self_number_bad(int *g)
{
    SelfNumber s;
    s.n = threadIdx.x;
    *(int *)s.o = 0;
    g[s.n] = threadIdx.x; //~ here
}

// [own-address] Later, by a member function.
//~ race
__global__ void self_set_bad(int *g)
{
    SelfSet s;
    s.set();
    s.n = threadIdx.x;
    *s.o = 0;
    g[s.n] = threadIdx.x; //~ here
}

// It is not written through.
//~ race-free
__global__ void self_set_ok(int *g)
{
    SelfSet s;
    s.set();
    s.n = threadIdx.x;
    g[*s.o] = threadIdx.x;
}

// [conversion] The constructor clears what it is made from.
//~ fn_race
__global__ void convert_equals_bad(int *g)
{
    int n = threadIdx.x;
    Takes q = n;
    g[n] = threadIdx.x; //~ here
}

// [conversion] For an argument.
//~ fn_race
__global__ void convert_argument_bad(int *g)
{
    int n = threadIdx.x;
    takes(n);
    g[n] = threadIdx.x; //~ here
}

// [conversion] By a cast.
//~ fn_race
__global__ void convert_cast_bad(int *g)
{
    int n = threadIdx.x;
    (Takes)n;
    g[n] = threadIdx.x; //~ here
}

// [conversion] With parentheses.
//~ race
__global__ void convert_call_bad(int *g)
{
    int n = threadIdx.x;
    Takes q(n);
    g[n] = threadIdx.x; //~ here
}

// This one only looks.
//~ race-free
__global__ void convert_looks_ok(int *g)
{
    int n = threadIdx.x;
    g[looks(n)] = threadIdx.x;
}

// [operator] `&&` of a class.
//~ race
__global__ void odd_and_bad(int *g)
{
    Odd b = {g};
    bool z = b && 1;
}

// [operator] `||`.
//~ race
__global__ void odd_or_bad(int *g)
{
    Odd b = {g};
    bool z = b || 1;
}

// [operator] The address of an object is what its class says.
//~ race
__global__ void odd_address_bad(int *g)
{
    Odd b = {g};
    Odd *z = &b;
}

// [operator] `!=` stands for `==`.
//~ race
__global__ void odd_unequal_bad(int *g)
{
    Odd b = {g};
    bool z = b != 1;
}

// Each has a row of its own.
//~ race-free
__global__ void odd_rows_ok(int *g)
{
    Odd b = {g + 4 * threadIdx.x};
    bool z = (b && 1) || b != 1;
}

struct Listed { int v; };
__device__ Listed operator,(Listed a, Listed b) { return a; }

// A comma that gives its first operand.
//~ race-free
__global__ void odd_comma_ok(int *g)
{
    Listed a = {(int)threadIdx.x}, z = {1};
    g[(a, z).v] = threadIdx.x;
}

// [operator] The other way round.
//~ race
__global__ void odd_comma_bad(int *g)
{
    Listed a = {(int)threadIdx.x}, z = {1};
    g[(z, a).v] = threadIdx.x; //~ here
}
