// Extra: values of host code that a C++ compiler computes and that were read otherwise

namespace one { constexpr int width = 32; }
namespace two { constexpr int width = 64; }
template <class T> struct Shape { static constexpr int width = 32; };
template <> struct Shape<double> { static constexpr int width = 64; };
enum class Flag { a = 16, b = 32 };
Flag operator|(Flag a, Flag b) { return (Flag)((int)a + (int)b + 16); }
union Word { unsigned whole; unsigned char parts[4]; };
struct Bits { int a : 2; };
typedef int &Reference;
struct Row { int a[3]; int n; };

//~ race
__global__ void host_names_bad(int *g)
{
    if (blockDim.x == 64) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_special_bad(int *g)
{
    if (blockDim.x == 64) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_flags_bad(int *g)
{
    if (blockDim.x == 64) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_union_bad(int *g, int n)
{
    if (n == 9) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_bits_bad(int *g, int n)
{
    if (n == -2) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_alias_type_bad(int *g, int n)
{
    if (n == 5) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_copy_bad(int *g, int n)
{
    if (n == 3) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_range_bad(int *g, int n)
{
    if (n == 2) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_bytes_bad(int *g, int n)
{
    if (n == 256) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_type_bad(int *g, long n)
{
    if (n == 4294967295L) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_order_bad(int *g, int n)
{
    if (n == 6) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_result_bad(int *g, int n)
{
    if (n == 44) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_braces_bad(int *g, int n)
{
    if (n == 7) g[0] = threadIdx.x; //~ here
}

//~ race
__global__ void host_labels_bad(int *g, int n)
{
    if (n == 12) g[0] = threadIdx.x; //~ here
}

void launch(int *g)
{
    host_names_bad<<<1, two::width>>>(g);
    host_special_bad<<<1, Shape<double>::width>>>(g);
    host_flags_bad<<<1, (int)(Flag::a | Flag::b)>>>(g);
    Word word;
    word.whole = 0x01020304;
    word.parts[3] = 9;
    host_union_bad<<<1, 64>>>(g, word.whole >> 24);
    Bits bits;
    bits.a = 1;
    bits.a++;
    host_bits_bad<<<1, 64>>>(g, bits.a);
    int x = 1;
    Reference r = x;
    r = 5;
    host_alias_type_bad<<<1, 64>>>(g, x);
    int y = 3;
    const long &copy = y;
    y = 9;
    host_copy_bad<<<1, 64>>>(g, copy);
    int a[2] = {1, 2};
    for (int &v : a) v *= 2;
    host_range_bad<<<1, 64>>>(g, a[0]);
    int z = 0;
    char *p = (char *)&z;
    p[1] = 1;
    host_bytes_bad<<<1, 64>>>(g, z);
    host_type_bad<<<1, 64>>>(g, true ? -1 : 0u);
    int n = 1;
    n += n += 2;
    host_order_bad<<<1, 64>>>(g, n);
    auto f = [](int n) -> char { return n; };
    host_result_bad<<<1, 64>>>(g, f(300));
    Row row{4, 5, 6, 7};
    host_braces_bad<<<1, 64>>>(g, row.n);
    int s = 0;
    switch (2) {
    case 0:
        for (; s < 10;) {
        case 2: s += 3;
        }
    }
    host_labels_bad<<<1, 64>>>(g, s);
}
