// __VA_OPT__, GNU's comma and named rests.
#define OPT(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)
OPT(1); OPT(1, 2); OPT(1, 2, 3); OPT(1,); OPT(, 2); OPT();
#define EMPTY
OPT(1, EMPTY); OPT(1, EMPTY EMPTY); OPT(1, EMPTY 2);
#define GNU(x, ...) f(x, ## __VA_ARGS__)
GNU(1); GNU(1, 2); GNU(1, 2, 3);
#define REST(x, more...) f(x, ## more)
REST(1); REST(1, 2, 3);
#define ALL(...) f(0, ## __VA_ARGS__)
ALL(1, 2); ALL(1);
#define SDEF(name, ...) S name __VA_OPT__(= { __VA_ARGS__ })
SDEF(foo); SDEF(bar, 1, 2);
#define H2(X, Y, ...) __VA_OPT__(X ## Y,) __VA_ARGS__
H2(a, b, c, d);
#define H4(X, ...) __VA_OPT__(a X ## X) ## b
H4(, 1);
#define NESTED(a, ...) __VA_OPT__((a, (__VA_ARGS__)) [x])
NESTED(1); NESTED(1, 2, 3);
#define COUNT(...) COUNT_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define COUNT_(a, b, c, d, e, n, ...) n
COUNT(x); COUNT(x, y); COUNT(x, y, z, u, v);
#define FIRST(a, ...) a
#define TAIL(a, ...) __VA_ARGS__
FIRST(1, 2, 3); TAIL(1, 2, 3); FIRST(TAIL(1, 2, 3)); TAIL(FIRST((1, 2), 3), 4);
// A launch in a macro: the rest are the arguments of the kernel.
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
LAUNCH(k, dim3(1, 2), (64), a, b + 1); LAUNCH(k<int COMMA 4>, 1, 64);
#define COMMA ,
LAUNCH(k<int COMMA 4>, n >> 1, n << 2, x);
#define CHECK(call) do { cudaError_t e = call; if (e) exit(__LINE__); } while (0)
CHECK((k<<<1, 64>>>(a, b))); CHECK(cudaMalloc(&p, n));
