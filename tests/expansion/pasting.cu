// ## and its operands.
#define CAT(a, b) a ## b
#define XCAT(a, b) CAT(a, b)
#define CAT3(a, b, c) a ## b ## c
#define N 4
#define CAT_N CAT
CAT(x, y); CAT(N, N); XCAT(N, N); XCAT(k_, XCAT(N, _t)); CAT(, x); CAT(x, ); CAT(,); CAT3(, mid, ); CAT3(a, , c);
CAT(1, e5); CAT(1., f); CAT(0x, ff); CAT(1e, 3)+1; CAT(-, =); CAT(<, <=); CAT(-, >); CAT(:, :); CAT(<<, =);
CAT(CA, T)(l, r); CAT(XC, AT)(N, N);
CAT(CAT_, N)(p, q); XCAT(CAT, _N)(p, q);
CAT(L, "wide"); CAT(u8, "text"); CAT(L, 'c');
#define KERNEL(name, type) __global__ void name ## _ ## type(type *data, int n_ ## type)
KERNEL(scale, float) { data[n_float] = 2; }
#define hash_hash # ## #
#define IN(x) #x
#define BETWEEN(x) IN(x)
BETWEEN(a hash_hash b);
#define LEFT(x) x ## x x
LEFT(N); LEFT(); LEFT(a b);
#define OBJECT a ## N ## b
OBJECT;
#define VA(...) call_ ## __VA_ARGS__
VA(a, b); VA(); VA(N);
#define VB(...) __VA_ARGS__ ## _t
VB(a, b); VB(N);
// A pasted name is looked up; one that is being expanded is not.
#define xx XX
#define X2(a) a ## x + X2(a)
X2(x);
#define PLUS(a) + a
CAT(PL, US)(1);
#define PREFIX_float 1
#define PREFIX_int 2
#define SELECT(type) CAT(PREFIX_, type)
SELECT(float) SELECT(int) SELECT(double);
