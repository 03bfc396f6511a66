//--blockDim=64 --gridDim=1
// Extra: sizes of classes that follow from less known rules: padding of a base that members of the derived class use, empty classes
// of one type, attributes, enumerations that need more than an int

struct Base { int a; char b; __device__ Base() {} };
struct Derived : Base { char c; __device__ Derived() {} };
class Hides { public: int a; private: char b; };
struct Seen : Hides { char c; };
struct Full { int a; int b; __device__ Full() {} };
struct More : Full { char c; __device__ More() {} };
struct Empty {};
struct Twice : Empty { Empty e; };
struct Once : Empty { int v; };
struct Away { [[no_unique_address]] Empty e; int v; };
struct Virtual : virtual Full { int v; };
enum Wide { wide = 0x1ffffffffLL };
struct Marked { Wide w; char c; };
enum Unsigned { top = 1u << 31 };

// [padding] c lies in the padding of Base: eight bytes.
//~ race
__global__ void rules_padding_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[8] = 1; //~ here
    if (t == 1) g[sizeof(Derived)] = 2; //~ here
}

//~ race
__global__ void rules_private_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[8] = 1; //~ here
    if (t == 1) g[sizeof(Seen)] = 2; //~ here
}

// There is no padding: twelve bytes.
//~ race-free
__global__ void rules_no_padding_ok(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[8] = 1;
    if (t == 1) g[sizeof(More)] = 2;
}

// [empty] Base and member of one class must not have one address: two bytes.
//~ race
__global__ void rules_empty_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[2] = 1; //~ here
    if (t == 1) g[sizeof(Twice)] = 2; //~ here
}

//~ race-free
__global__ void rules_empty_ok(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[5] = 1;
    if (t == 1) g[sizeof(Once)] = 2;
}

// [attribute] Four bytes, not eight.
//~ race
__global__ void rules_no_address_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[4] = 1; //~ here
    if (t == 1) g[sizeof(Away)] = 2; //~ here
}

// [virtual base] A pointer more: 24 bytes.
//~ race
__global__ void rules_virtual_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[24] = 1; //~ here
    if (t == 1) g[sizeof(Virtual)] = 2; //~ here
}

// [enumeration] Sixteen bytes.
//~ race
__global__ void rules_wide_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[16] = 1; //~ here
    if (t == 1) g[sizeof(Marked)] = 2; //~ here
}

// [enumeration] Above 0, for its type is unsigned.
//~ race
__global__ void rules_unsigned_bad(int *g)
{
    int t = threadIdx.x;
    enum Inside { inside = 1u << 31 };
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && top > 0 && inside > 0) g[0] = 2; //~ here
}

// [enumeration] One type for all enumerators, that holds both: they differ.
//~ race
__global__ void rules_signed_bad(int *g)
{
    int t = threadIdx.x;
    enum Mixed { most = 0xffffffff, least = -1 };
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && most != least) g[0] = 2; //~ here
}

enum Stated : unsigned { stated = 1 };

// [enumeration] 1 - 2 is large in the stated type.
//~ race
__global__ void rules_stated_bad(int *g)
{
    int t = threadIdx.x;
    if (t == 0) g[0] = 1; //~ here
    if (t == 1 && stated - 2 > 0) g[0] = 2; //~ here
}
