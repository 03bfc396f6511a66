// Device functions of CUDA that C++ does not have, for a compiler on the host: written from what the CUDA Math API says of each.
// Only the compiler that computes what snippets come to reads this; the analyser has its own tables, which are compared with it.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <numeric>
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long long longlong;
typedef unsigned long long ulonglong;

// Integer Mathematical Functions.
using std::abs;
inline int min(int a, int b) { return a < b ? a : b; }
inline uint min(uint a, uint b) { return a < b ? a : b; }
inline uint min(int a, uint b) { return min((uint)a, b); }
inline uint min(uint a, int b) { return min(a, (uint)b); }
inline long min(long a, long b) { return a < b ? a : b; }
inline ulong min(ulong a, ulong b) { return a < b ? a : b; }
inline longlong min(longlong a, longlong b) { return a < b ? a : b; }
inline ulonglong min(ulonglong a, ulonglong b) { return a < b ? a : b; }
inline ulonglong min(longlong a, ulonglong b) { return min((ulonglong)a, b); }
inline ulonglong min(ulonglong a, longlong b) { return min(a, (ulonglong)b); }
inline int max(int a, int b) { return a > b ? a : b; }
inline uint max(uint a, uint b) { return a > b ? a : b; }
inline uint max(int a, uint b) { return max((uint)a, b); }
inline uint max(uint a, int b) { return max(a, (uint)b); }
inline long max(long a, long b) { return a > b ? a : b; }
inline ulong max(ulong a, ulong b) { return a > b ? a : b; }
inline longlong max(longlong a, longlong b) { return a > b ? a : b; }
inline ulonglong max(ulonglong a, ulonglong b) { return a > b ? a : b; }
inline ulonglong max(longlong a, ulonglong b) { return max((ulonglong)a, b); }
inline ulonglong max(ulonglong a, longlong b) { return max(a, (ulonglong)b); }
inline uint umin(uint a, uint b) { return a < b ? a : b; }
inline uint umax(uint a, uint b) { return a > b ? a : b; }
inline longlong llmin(longlong a, longlong b) { return a < b ? a : b; }
inline longlong llmax(longlong a, longlong b) { return a > b ? a : b; }
inline ulonglong ullmin(ulonglong a, ulonglong b) { return a < b ? a : b; }
inline ulonglong ullmax(ulonglong a, ulonglong b) { return a > b ? a : b; }

// Integer Intrinsics.
inline int __mul24(int x, int y)
{
    // The least significant 32 bits of the product of the least significant 24 bits.
    long long a = (int)((uint)x << 8) >> 8, b = (int)((uint)y << 8) >> 8;
    return (int)(uint)(unsigned long long)(a * b);
}
inline uint __umul24(uint x, uint y) { return (uint)((ulonglong)(x & 0xffffff) * (y & 0xffffff)); }
inline int __mulhi(int x, int y) { return (int)(((long long)x * y) >> 32); }
inline uint __umulhi(uint x, uint y) { return (uint)(((ulonglong)x * y) >> 32); }
inline longlong __mul64hi(longlong x, longlong y) { return (longlong)(((__int128)x * y) >> 64); }
inline ulonglong __umul64hi(ulonglong x, ulonglong y) { return (ulonglong)(((unsigned __int128)x * y) >> 64); }
inline int __popc(uint x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
inline int __popcll(ulonglong x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
inline int __clz(int x) { int n = 0; for (uint bit = 1u << 31; bit && !((uint)x & bit); bit >>= 1) n++; return n; }
inline int __clzll(longlong x) { int n = 0; for (ulonglong bit = 1ull << 63; bit && !((ulonglong)x & bit); bit >>= 1) n++; return n; }
// The position of the least significant bit that is set, from 1; 0 for 0.
inline int __ffs(int x) { for (int n = 0; n < 32; n++) if ((uint)x >> n & 1) return n + 1; return 0; }
inline int __ffsll(longlong x) { for (int n = 0; n < 64; n++) if ((ulonglong)x >> n & 1) return n + 1; return 0; }
inline uint __brev(uint x) { uint r = 0; for (int n = 0; n < 32; n++) r |= (x >> n & 1) << (31 - n); return r; }
inline ulonglong __brevll(ulonglong x) { ulonglong r = 0; for (int n = 0; n < 64; n++) r |= (x >> n & 1) << (63 - n); return r; }
// |x - y| + z
inline uint __sad(int x, int y, uint z) { return (uint)(x > y ? (longlong)x - y : (longlong)y - x) + z; }
inline uint __usad(uint x, uint y, uint z) { return (x > y ? x - y : y - x) + z; }
inline int __hadd(int x, int y) { return (int)(((longlong)x + y) >> 1); }
inline int __rhadd(int x, int y) { return (int)(((longlong)x + y + 1) >> 1); }
inline uint __uhadd(uint x, uint y) { return (uint)(((ulonglong)x + y) >> 1); }
inline uint __urhadd(uint x, uint y) { return (uint)(((ulonglong)x + y + 1) >> 1); }
inline uint __funnelshift_l(uint lo, uint hi, uint shift)
{
    uint s = shift & 31;
    return s == 0 ? hi : hi << s | lo >> (32 - s);
}
inline uint __funnelshift_lc(uint lo, uint hi, uint shift)
{
    uint s = shift < 32 ? shift : 32;
    return s == 0 ? hi : s == 32 ? lo : hi << s | lo >> (32 - s);
}
inline uint __funnelshift_r(uint lo, uint hi, uint shift)
{
    uint s = shift & 31;
    return s == 0 ? lo : lo >> s | hi << (32 - s);
}
inline uint __funnelshift_rc(uint lo, uint hi, uint shift)
{
    uint s = shift < 32 ? shift : 32;
    return s == 0 ? lo : s == 32 ? hi : lo >> s | hi << (32 - s);
}
inline uint __byte_perm(uint x, uint y, uint s)
{
    uint r = 0;
    for (int i = 0; i < 4; i++) {
        uint pick = s >> (4 * i) & 7;
        uint byte = (pick < 4 ? x >> (8 * pick) : y >> (8 * (pick - 4))) & 255;
        r |= byte << (8 * i);
    }
    return r;
}
// The position of the n-th set bit of the mask from a base bit on; 0xffffffff if there is none.
inline uint __fns(uint mask, uint base, int offset)
{
    if (offset == 0) return mask >> (base & 31) & 1 ? base & 31 : 0xffffffffu;
    int step = offset > 0 ? 1 : -1;
    longlong left = offset > 0 ? (longlong)offset : -(longlong)offset;
    for (int at = (int)(base & 31); at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && --left == 0) return (uint)at;
    return 0xffffffffu;
}
inline int __dp4a(int a, int b, int c)
{
    for (int i = 0; i < 4; i++) c = (int)((uint)c + (uint)((signed char)(a >> 8 * i) * (signed char)(b >> 8 * i)));
    return c;
}
inline uint __dp4a(uint a, uint b, uint c)
{
    for (int i = 0; i < 4; i++) c += (a >> 8 * i & 255) * (b >> 8 * i & 255);
    return c;
}
inline int __dp2a_lo(int a, int b, int c)
{
    for (int i = 0; i < 2; i++) c = (int)((uint)c + (uint)((short)(a >> 16 * i) * (signed char)(b >> 8 * i)));
    return c;
}
inline uint __dp2a_lo(uint a, uint b, uint c)
{
    for (int i = 0; i < 2; i++) c += (a >> 16 * i & 65535) * (b >> 8 * i & 255);
    return c;
}
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
inline uint __dp2a_hi(uint a, uint b, uint c) { return __dp2a_lo(a, b >> 16, c); }
inline ushort __nv_bswap16(ushort x) { return (ushort)(x << 8 | x >> 8); }
inline uint __umad24(uint a, uint b, uint c) { return __umul24(a, b) + c; }
inline uint __umulmad24(uint a, uint b, uint c) { return __umul24(a, b) + c; }
namespace cuda {
namespace std { using namespace ::std; }
// (a + b - 1) / b without overflow, of the common type.
template <class A, class B> ::std::common_type_t<A, B> ceil_div(A a, B b)
{
    typedef ::std::common_type_t<A, B> T;
    T x = (T)a, y = (T)b;
    return (T)(x / y + (x % y != 0));
}
}

// SIMD Intrinsics: of the 16-bit or 8-bit parts of a word, one by one.
template <int BITS> inline int signed_part(uint x, int i)
{
    return (int)(x >> (BITS * i) << (32 - BITS)) >> (32 - BITS);
}
template <int BITS> inline uint part(uint x, int i) { return x >> (BITS * i) & ((1u << BITS) - 1); }
template <int BITS, class F> inline uint each(F f)
{
    uint r = 0;
    for (int i = 0; i < 32 / BITS; i++) r |= ((uint)f(i) & ((1u << BITS) - 1)) << (BITS * i);
    return r;
}
template <int BITS> inline int saturated(int x)
{
    int most = (1 << (BITS - 1)) - 1;
    return x > most ? most : x < -most - 1 ? -most - 1 : x;
}
template <int BITS> inline int saturated_unsigned(int x)
{
    int most = (1 << BITS) - 1;
    return x > most ? most : x < 0 ? 0 : x;
}
#define S(x) signed_part<B>(x, i)
#define U(x) ((int)part<B>(x, i))
#define UNARY(name, value) \
    inline uint name##2(uint a) { const int B = 16; return each<B>([=](int i) { return value; }); } \
    inline uint name##4(uint a) { const int B = 8; return each<B>([=](int i) { return value; }); }
#define BINARY(name, value) \
    inline uint name##2(uint a, uint b) { const int B = 16; return each<B>([=](int i) { return value; }); } \
    inline uint name##4(uint a, uint b) { const int B = 8; return each<B>([=](int i) { return value; }); }
UNARY(__vabs, S(a) < 0 ? -S(a) : S(a))
UNARY(__vabsss, saturated<B>(S(a) < 0 ? -S(a) : S(a)))
UNARY(__vneg, -S(a))
UNARY(__vnegss, saturated<B>(-S(a)))
BINARY(__vadd, U(a) + U(b))
BINARY(__vaddss, saturated<B>(S(a) + S(b)))
BINARY(__vaddus, saturated_unsigned<B>(U(a) + U(b)))
BINARY(__vsub, U(a) - U(b))
BINARY(__vsubss, saturated<B>(S(a) - S(b)))
BINARY(__vsubus, saturated_unsigned<B>(U(a) - U(b)))
// Rounded up, away from zero for signed parts.
BINARY(__vavgs, (S(a) + S(b) + (S(a) + S(b) >= 0)) >> 1)
BINARY(__vavgu, (U(a) + U(b) + 1) >> 1)
BINARY(__vhaddu, (U(a) + U(b)) >> 1)
BINARY(__vmins, S(a) < S(b) ? S(a) : S(b))
BINARY(__vminu, U(a) < U(b) ? U(a) : U(b))
BINARY(__vmaxs, S(a) > S(b) ? S(a) : S(b))
BINARY(__vmaxu, U(a) > U(b) ? U(a) : U(b))
BINARY(__vabsdiffs, S(a) > S(b) ? S(a) - S(b) : S(b) - S(a))
BINARY(__vabsdiffu, U(a) > U(b) ? U(a) - U(b) : U(b) - U(a))
#define SUM(name, PART) \
    inline uint name##2(uint a, uint b) { const int B = 16; uint r = 0; for (int i = 0; i < 2; i++) r += (uint)(PART(a) > PART(b) ? PART(a) - PART(b) : PART(b) - PART(a)); return r; } \
    inline uint name##4(uint a, uint b) { const int B = 8; uint r = 0; for (int i = 0; i < 4; i++) r += (uint)(PART(a) > PART(b) ? PART(a) - PART(b) : PART(b) - PART(a)); return r; }
SUM(__vsads, S)
SUM(__vsadu, U)
#define COMPARES(name, PART, op) BINARY(__vcmp##name, PART(a) op PART(b) ? -1 : 0) BINARY(__vset##name, PART(a) op PART(b) ? 1 : 0)
COMPARES(eq, U, ==)
COMPARES(ne, U, !=)
COMPARES(ges, S, >=)
COMPARES(geu, U, >=)
COMPARES(gts, S, >)
COMPARES(gtu, U, >)
COMPARES(les, S, <=)
COMPARES(leu, U, <=)
COMPARES(lts, S, <)
COMPARES(ltu, U, <)
// DPX: max(a + b, c) and its kin; `relu` is the larger of that and 0.
inline int wrapped(longlong x) { return (int)(uint)(ulonglong)x; }
#define DPX(word, op) \
    inline int __viadd##word##_s32(int a, int b, int c) { int s = wrapped((longlong)a + b); return s op c ? s : c; } \
    inline int __viadd##word##_s32_relu(int a, int b, int c) { int r = __viadd##word##_s32(a, b, c); return r > 0 ? r : 0; } \
    inline uint __viadd##word##_u32(uint a, uint b, uint c) { uint s = a + b; return s op c ? s : c; } \
    inline uint __viadd##word##_u16x2(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int s = (U(a) + U(b)) & 65535; return s op U(c) ? s : U(c); }); } \
    inline uint __viadd##word##_s16x2(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int s = (short)(S(a) + S(b)); return s op S(c) ? s : S(c); }); } \
    inline uint __viadd##word##_s16x2_relu(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int s = (short)(S(a) + S(b)); int r = s op S(c) ? s : S(c); return r > 0 ? r : 0; }); } \
    inline int __vi##word##3_s32(int a, int b, int c) { int r = a op b ? a : b; return r op c ? r : c; } \
    inline int __vi##word##3_s32_relu(int a, int b, int c) { int r = __vi##word##3_s32(a, b, c); return r > 0 ? r : 0; } \
    inline uint __vi##word##3_u32(uint a, uint b, uint c) { uint r = a op b ? a : b; return r op c ? r : c; } \
    inline uint __vi##word##3_u16x2(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int r = U(a) op U(b) ? U(a) : U(b); return r op U(c) ? r : U(c); }); } \
    inline uint __vi##word##3_s16x2(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int r = S(a) op S(b) ? S(a) : S(b); return r op S(c) ? r : S(c); }); } \
    inline uint __vi##word##3_s16x2_relu(uint a, uint b, uint c) { const int B = 16; return each<B>([=](int i) { int r = S(a) op S(b) ? S(a) : S(b); r = r op S(c) ? r : S(c); return r > 0 ? r : 0; }); } \
    inline int __vi##word##_s32_relu(int a, int b) { int r = a op b ? a : b; return r > 0 ? r : 0; } \
    inline uint __vi##word##_s16x2_relu(uint a, uint b) { const int B = 16; return each<B>([=](int i) { int r = S(a) op S(b) ? S(a) : S(b); return r > 0 ? r : 0; }); } \
    inline int __vib##word##_s32(int a, int b, bool *pred) { *pred = a op##= b; return a op b ? a : b; } \
    inline uint __vib##word##_u32(uint a, uint b, bool *pred) { *pred = a op##= b; return a op b ? a : b; } \
    inline uint __vib##word##_s16x2(uint a, uint b, bool *hi, bool *lo) { const int B = 16; { int i = 1; *hi = S(a) op##= S(b); } { int i = 0; *lo = S(a) op##= S(b); } return each<B>([=](int i) { return S(a) op S(b) ? S(a) : S(b); }); } \
    inline uint __vib##word##_u16x2(uint a, uint b, bool *hi, bool *lo) { const int B = 16; { int i = 1; *hi = U(a) op##= U(b); } { int i = 0; *lo = U(a) op##= U(b); } return each<B>([=](int i) { return U(a) op U(b) ? U(a) : U(b); }); }
DPX(max, >)
DPX(min, <)
#undef S
#undef U

// Single and Double Precision Mathematical Functions that C++ does not have, and those with a suffix.
using std::sqrt; using std::cbrt; using std::exp; using std::exp2; using std::expm1; using std::log; using std::log2; using std::log10; using std::log1p;
using std::sin; using std::cos; using std::tan; using std::asin; using std::acos; using std::atan; using std::sinh; using std::cosh; using std::tanh;
using std::asinh; using std::acosh; using std::atanh; using std::erf; using std::erfc; using std::tgamma; using std::lgamma; using std::floor; using std::ceil;
using std::trunc; using std::round; using std::rint; using std::nearbyint; using std::fabs; using std::logb;
#define OF_ONE(name, value) \
    inline double name(double x) { return value; } \
    inline float name(float x) { return (float)name((double)x); } \
    inline float name##f(float x) { return (float)name((double)x); } \
    template <class T, class = std::enable_if_t<std::is_integral_v<T>>> inline double name(T x) { return name((double)x); }
OF_ONE(rsqrt, 1 / std::sqrt(x))
OF_ONE(rcbrt, 1 / std::cbrt(x))
OF_ONE(exp10, std::pow(10.0, x))
OF_ONE(sinpi, std::sin(3.14159265358979323846 * x))
OF_ONE(cospi, std::cos(3.14159265358979323846 * x))
OF_ONE(tanpi, std::tan(3.14159265358979323846 * x))
OF_ONE(erfinv, x)
OF_ONE(erfcinv, x)
OF_ONE(erfcx, std::exp(x * x) * std::erfc(x))
OF_ONE(normcdf, std::erfc(-x / std::sqrt(2.0)) / 2)
OF_ONE(normcdfinv, x)
OF_ONE(cyl_bessel_i0, std::cyl_bessel_i(0, x < 0 ? -x : x))
OF_ONE(cyl_bessel_i1, std::cyl_bessel_i(1, x < 0 ? -x : x))
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
inline double fdivide(double x, double y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline double powi(double x, int n) { return std::pow(x, n); }
inline float powif(float x, int n) { return powf(x, (float)n); }
inline double norm3d(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }
inline double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
inline double norm4d(double x, double y, double z, double w) { return std::sqrt(x * x + y * y + z * z + w * w); }
inline double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }
inline float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
inline float rnorm3df(float x, float y, float z) { return (float)rnorm3d(x, y, z); }
inline float norm4df(float x, float y, float z, float w) { return (float)norm4d(x, y, z, w); }
inline float rnorm4df(float x, float y, float z, float w) { return (float)rnorm4d(x, y, z, w); }
inline float __expf(float x) { return expf(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return logf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __tanf(float x) { return tanf(x); }
inline float __tanhf(float x) { return tanhf(x); }
inline float __saturatef(float x) { return x >= 1 ? 1 : x > 0 ? x : 0; }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
// To the nearest; the other directions differ in the last place.
#define ROUNDED(type, name, params, value) \
    inline type name##_rn params { return value; } \
    inline type name##_rz params { return value; } \
    inline type name##_ru params { return value; } \
    inline type name##_rd params { return value; }
ROUNDED(float, __fsqrt, (float x), sqrtf(x))
ROUNDED(float, __frcp, (float x), 1 / x)
ROUNDED(float, __fadd, (float x, float y), x + y)
ROUNDED(float, __fsub, (float x, float y), x - y)
ROUNDED(float, __fmul, (float x, float y), x * y)
ROUNDED(float, __fdiv, (float x, float y), x / y)
ROUNDED(float, __fmaf, (float x, float y, float z), fmaf(x, y, z))
ROUNDED(float, __fmaf_ieee, (float x, float y, float z), fmaf(x, y, z))
ROUNDED(double, __dsqrt, (double x), std::sqrt(x))
ROUNDED(double, __drcp, (double x), 1 / x)
ROUNDED(double, __dadd, (double x, double y), x + y)
ROUNDED(double, __dsub, (double x, double y), x - y)
ROUNDED(double, __dmul, (double x, double y), x * y)
ROUNDED(double, __ddiv, (double x, double y), x / y)
ROUNDED(double, __fma, (double x, double y, double z), std::fma(x, y, z))
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline void __sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x); *c = cospif(x); }
inline void sincospi(double x, double *s, double *c) { *s = sinpi(x); *c = cospi(x); }

// Any number but 0 where it is so.
inline int __signbitd(double x) { return std::signbit(x); }
inline int __isnand(double x) { return std::isnan(x); }
inline int __isinfd(double x) { return std::isinf(x); }

// Type Casting Intrinsics.
template <class To, class From> inline To bits_of(From from) { To to; static_assert(sizeof to == sizeof from); memcpy(&to, &from, sizeof to); return to; }
inline int __float_as_int(float x) { return bits_of<int>(x); }
inline uint __float_as_uint(float x) { return bits_of<uint>(x); }
inline float __int_as_float(int x) { return bits_of<float>(x); }
inline float __uint_as_float(uint x) { return bits_of<float>(x); }
inline longlong __double_as_longlong(double x) { return bits_of<longlong>(x); }
inline ulonglong __double_as_ulonglong(double x) { return bits_of<ulonglong>(x); }
inline double __longlong_as_double(longlong x) { return bits_of<double>(x); }
inline double __ulonglong_as_double(ulonglong x) { return bits_of<double>(x); }
inline int __double2hiint(double x) { return (int)(bits_of<longlong>(x) >> 32); }
inline int __double2loint(double x) { return (int)bits_of<longlong>(x); }
inline double __hiloint2double(int hi, int lo) { return bits_of<double>((longlong)((ulonglong)(uint)hi << 32 | (uint)lo)); }

// Half and bfloat16 numbers: their sizes and the types of what is made of them.
struct __half { ushort bits; };
struct __nv_bfloat16 { ushort bits; };
struct alignas(4) __half2 { __half x, y; };
struct alignas(4) __nv_bfloat162 { __nv_bfloat16 x, y; };
struct __half_raw { ushort x; };
struct alignas(4) __half2_raw { ushort x, y; };
struct __nv_bfloat16_raw { ushort x; };
struct alignas(8) float2 { float x, y; };
struct alignas(16) double2 { double x, y; };
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
inline half __float2half(float) { return half(); }
inline float __half2float(half) { return 0; }
inline __nv_bfloat16 __float2bfloat16(float) { return __nv_bfloat16(); }
inline float __bfloat162float(__nv_bfloat16) { return 0; }
#define OF_FIRST(name) template <class A, class... Rest> inline A name(A a, Rest...) { return a; }
#define OF(type, name) template <class... All> inline type name(All...) { return type(); }
OF_FIRST(__hadd_rn)
OF_FIRST(__hadd_sat)
OF_FIRST(__hsub)
OF_FIRST(__hsub_rn)
OF_FIRST(__hsub_sat)
OF_FIRST(__hmul)
OF_FIRST(__hmul_rn)
OF_FIRST(__hmul_sat)
OF_FIRST(__hdiv)
OF_FIRST(__hdiv_rn)
OF_FIRST(__hdiv_sat)
OF_FIRST(__hmax)
OF_FIRST(__hmax_rn)
OF_FIRST(__hmax_sat)
OF_FIRST(__hmin)
OF_FIRST(__hmin_rn)
OF_FIRST(__hmin_sat)
OF_FIRST(__hmax_nan)
OF_FIRST(__hmax_nan_rn)
OF_FIRST(__hmax_nan_sat)
OF_FIRST(__hmin_nan)
OF_FIRST(__hmin_nan_rn)
OF_FIRST(__hmin_nan_sat)
OF_FIRST(__hcopysign)
OF_FIRST(__hneg)
OF_FIRST(__habs)
OF_FIRST(hexp)
OF_FIRST(hexp2)
OF_FIRST(hexp10)
OF_FIRST(hlog)
OF_FIRST(hlog2)
OF_FIRST(hlog10)
OF_FIRST(hsqrt)
OF_FIRST(hrsqrt)
OF_FIRST(hrcp)
OF_FIRST(hsin)
OF_FIRST(hcos)
OF_FIRST(hfloor)
OF_FIRST(hceil)
OF_FIRST(htrunc)
OF_FIRST(hrint)
OF_FIRST(htanh)
OF_FIRST(htanh_approx)
OF_FIRST(__hfma)
OF_FIRST(__hfma_rn)
OF_FIRST(__hfma_sat)
OF_FIRST(__hfma_relu)
OF_FIRST(hpow)
OF_FIRST(__hadd2)
OF_FIRST(__hadd2_rn)
OF_FIRST(__hadd2_sat)
OF_FIRST(__hsub2)
OF_FIRST(__hsub2_rn)
OF_FIRST(__hsub2_sat)
OF_FIRST(__hmul2)
OF_FIRST(__hmul2_rn)
OF_FIRST(__hmul2_sat)
OF_FIRST(__hmax2)
OF_FIRST(__hmax2_rn)
OF_FIRST(__hmax2_sat)
OF_FIRST(__hmin2)
OF_FIRST(__hmin2_rn)
OF_FIRST(__hmin2_sat)
OF_FIRST(__hmax_nan2)
OF_FIRST(__hmax_nan2_rn)
OF_FIRST(__hmax_nan2_sat)
OF_FIRST(__hmin_nan2)
OF_FIRST(__hmin_nan2_rn)
OF_FIRST(__hmin_nan2_sat)
OF_FIRST(__h2div)
OF_FIRST(__hneg2)
OF_FIRST(__habs2)
OF_FIRST(h2exp)
OF_FIRST(h2exp2)
OF_FIRST(h2exp10)
OF_FIRST(h2log)
OF_FIRST(h2log2)
OF_FIRST(h2log10)
OF_FIRST(h2sqrt)
OF_FIRST(h2rsqrt)
OF_FIRST(h2rcp)
OF_FIRST(h2sin)
OF_FIRST(h2cos)
OF_FIRST(h2floor)
OF_FIRST(h2ceil)
OF_FIRST(h2trunc)
OF_FIRST(h2rint)
OF_FIRST(h2tanh)
OF_FIRST(h2tanh_approx)
OF_FIRST(__hfma2)
OF_FIRST(__hfma2_rn)
OF_FIRST(__hfma2_sat)
OF_FIRST(__hfma2_relu)
OF_FIRST(__hcmadd)
OF_FIRST(__heq2)
OF_FIRST(__hne2)
OF_FIRST(__hlt2)
OF_FIRST(__hgt2)
OF_FIRST(__hle2)
OF_FIRST(__hge2)
OF_FIRST(__hequ2)
OF_FIRST(__hneu2)
OF_FIRST(__hltu2)
OF_FIRST(__hgtu2)
OF_FIRST(__hleu2)
OF_FIRST(__hgeu2)
OF_FIRST(__hisnan2)
OF_FIRST(__low2half2)
OF_FIRST(__high2half2)
OF_FIRST(__lowhigh2highlow)
OF_FIRST(__low2bfloat162)
OF_FIRST(__high2bfloat162)
OF_FIRST(__lows2half2)
OF_FIRST(__highs2half2)
OF_FIRST(__lows2bfloat162)
OF_FIRST(__highs2bfloat162)
OF(bool, __heq)
OF(bool, __hne)
OF(bool, __hlt)
OF(bool, __hgt)
OF(bool, __hle)
OF(bool, __hge)
OF(bool, __hequ)
OF(bool, __hneu)
OF(bool, __hltu)
OF(bool, __hgtu)
OF(bool, __hleu)
OF(bool, __hgeu)
OF(bool, __hbeq2)
OF(bool, __hbne2)
OF(bool, __hblt2)
OF(bool, __hbgt2)
OF(bool, __hble2)
OF(bool, __hbge2)
OF(bool, __hbequ2)
OF(bool, __hbneu2)
OF(bool, __hbltu2)
OF(bool, __hbgtu2)
OF(bool, __hbleu2)
OF(bool, __hbgeu2)
OF(bool, __hisnan)
OF(uint, __heq2_mask)
OF(uint, __hne2_mask)
OF(uint, __hlt2_mask)
OF(uint, __hgt2_mask)
OF(uint, __hle2_mask)
OF(uint, __hge2_mask)
OF(uint, __hequ2_mask)
OF(uint, __hneu2_mask)
OF(uint, __hltu2_mask)
OF(uint, __hgtu2_mask)
OF(uint, __hleu2_mask)
OF(uint, __hgeu2_mask)
OF(int, __hisinf)
OF(__half2, __halves2half2)
OF(__half2, make_half2)
OF(__half2, __half2half2)
OF(__half2, __floats2half2_rn)
OF(__half2, __float2half2_rn)
OF(__half2, __float22half2_rn)
OF(__nv_bfloat162, __halves2bfloat162)
OF(__nv_bfloat162, make_bfloat162)
OF(__nv_bfloat162, __bfloat162bfloat162)
OF(__nv_bfloat162, __floats2bfloat162_rn)
OF(__nv_bfloat162, __float2bfloat162_rn)
OF(__nv_bfloat162, __float22bfloat162_rn)
OF(half, __low2half)
OF(half, __high2half)
OF(__nv_bfloat16, __low2bfloat16)
OF(__nv_bfloat16, __high2bfloat16)
OF(float, __low2float)
OF(float, __high2float)
OF(float2, __half22float2)
OF(float2, __bfloat1622float2)
OF(short, __half_as_short)
OF(short, __bfloat16_as_short)
OF(ushort, __half_as_ushort)
OF(ushort, __bfloat16_as_ushort)
OF(half, __short_as_half)
OF(half, __ushort_as_half)
OF(__nv_bfloat16, __short_as_bfloat16)
OF(__nv_bfloat16, __ushort_as_bfloat16)
OF(uchar, __nv_cvt_float_to_fp8)
OF(uchar, __nv_cvt_float_to_fp6)
OF(uchar, __nv_cvt_float_to_fp4)
OF(uchar, __nv_cvt_double_to_fp8)
OF(uchar, __nv_cvt_double_to_fp6)
OF(uchar, __nv_cvt_double_to_fp4)
OF(uchar, __nv_cvt_halfraw_to_fp8)
OF(uchar, __nv_cvt_halfraw_to_fp6)
OF(uchar, __nv_cvt_halfraw_to_fp4)
OF(uchar, __nv_cvt_bfloat16raw_to_fp8)
OF(uchar, __nv_cvt_bfloat16raw_to_fp6)
OF(uchar, __nv_cvt_bfloat16raw_to_fp4)
OF(uchar, __nv_cvt_float_to_e8m0)
OF(uchar, __nv_cvt_bfloat16raw_to_e8m0)
OF(ushort, __nv_cvt_float2_to_fp8x2)
OF(ushort, __nv_cvt_float2_to_fp6x2)
OF(ushort, __nv_cvt_double2_to_fp8x2)
OF(ushort, __nv_cvt_double2_to_fp6x2)
OF(ushort, __nv_cvt_halfraw2_to_fp8x2)
OF(ushort, __nv_cvt_halfraw2_to_fp6x2)
OF(ushort, __nv_cvt_bfloat16raw2_to_fp8x2)
OF(ushort, __nv_cvt_bfloat16raw2_to_fp6x2)
OF(__half_raw, __nv_cvt_fp8_to_halfraw)
OF(__half_raw, __nv_cvt_fp6_to_halfraw)
OF(__half_raw, __nv_cvt_fp4_to_halfraw)
OF(__half2_raw, __nv_cvt_fp8x2_to_halfraw2)
OF(__half2_raw, __nv_cvt_fp6x2_to_halfraw2)
OF(__half2_raw, __nv_cvt_fp4x2_to_halfraw2)
OF(__nv_bfloat16_raw, __nv_cvt_e8m0_to_bf16raw)

// Vectors and the complex numbers of cuComplex.h: classes of equal members.
struct alignas(1) char1 { signed char x; };
inline char1 make_char1(signed char x) { return {x}; }
struct alignas(2) char2 { signed char x, y; };
inline char2 make_char2(signed char x, signed char y) { return {x, y}; }
struct alignas(1) char3 { signed char x, y, z; };
inline char3 make_char3(signed char x, signed char y, signed char z) { return {x, y, z}; }
struct alignas(4) char4 { signed char x, y, z, w; };
inline char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
struct alignas(1) uchar1 { uchar x; };
inline uchar1 make_uchar1(uchar x) { return {x}; }
struct alignas(2) uchar2 { uchar x, y; };
inline uchar2 make_uchar2(uchar x, uchar y) { return {x, y}; }
struct alignas(1) uchar3 { uchar x, y, z; };
inline uchar3 make_uchar3(uchar x, uchar y, uchar z) { return {x, y, z}; }
struct alignas(4) uchar4 { uchar x, y, z, w; };
inline uchar4 make_uchar4(uchar x, uchar y, uchar z, uchar w) { return {x, y, z, w}; }
struct alignas(2) short1 { short x; };
inline short1 make_short1(short x) { return {x}; }
struct alignas(4) short2 { short x, y; };
inline short2 make_short2(short x, short y) { return {x, y}; }
struct alignas(2) short3 { short x, y, z; };
inline short3 make_short3(short x, short y, short z) { return {x, y, z}; }
struct alignas(8) short4 { short x, y, z, w; };
inline short4 make_short4(short x, short y, short z, short w) { return {x, y, z, w}; }
struct alignas(2) ushort1 { ushort x; };
inline ushort1 make_ushort1(ushort x) { return {x}; }
struct alignas(4) ushort2 { ushort x, y; };
inline ushort2 make_ushort2(ushort x, ushort y) { return {x, y}; }
struct alignas(2) ushort3 { ushort x, y, z; };
inline ushort3 make_ushort3(ushort x, ushort y, ushort z) { return {x, y, z}; }
struct alignas(8) ushort4 { ushort x, y, z, w; };
inline ushort4 make_ushort4(ushort x, ushort y, ushort z, ushort w) { return {x, y, z, w}; }
struct alignas(4) int1 { int x; };
inline int1 make_int1(int x) { return {x}; }
struct alignas(8) int2 { int x, y; };
inline int2 make_int2(int x, int y) { return {x, y}; }
struct alignas(4) int3 { int x, y, z; };
inline int3 make_int3(int x, int y, int z) { return {x, y, z}; }
struct alignas(16) int4 { int x, y, z, w; };
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
struct alignas(4) uint1 { uint x; };
inline uint1 make_uint1(uint x) { return {x}; }
struct alignas(8) uint2 { uint x, y; };
inline uint2 make_uint2(uint x, uint y) { return {x, y}; }
struct alignas(4) uint3 { uint x, y, z; };
inline uint3 make_uint3(uint x, uint y, uint z) { return {x, y, z}; }
struct alignas(16) uint4 { uint x, y, z, w; };
inline uint4 make_uint4(uint x, uint y, uint z, uint w) { return {x, y, z, w}; }
struct alignas(8) long1 { long x; };
inline long1 make_long1(long x) { return {x}; }
struct alignas(16) long2 { long x, y; };
inline long2 make_long2(long x, long y) { return {x, y}; }
struct alignas(8) long3 { long x, y, z; };
inline long3 make_long3(long x, long y, long z) { return {x, y, z}; }
struct alignas(16) long4 { long x, y, z, w; };
inline long4 make_long4(long x, long y, long z, long w) { return {x, y, z, w}; }
struct alignas(8) ulong1 { ulong x; };
inline ulong1 make_ulong1(ulong x) { return {x}; }
struct alignas(16) ulong2 { ulong x, y; };
inline ulong2 make_ulong2(ulong x, ulong y) { return {x, y}; }
struct alignas(8) ulong3 { ulong x, y, z; };
inline ulong3 make_ulong3(ulong x, ulong y, ulong z) { return {x, y, z}; }
struct alignas(16) ulong4 { ulong x, y, z, w; };
inline ulong4 make_ulong4(ulong x, ulong y, ulong z, ulong w) { return {x, y, z, w}; }
struct alignas(8) longlong1 { longlong x; };
inline longlong1 make_longlong1(longlong x) { return {x}; }
struct alignas(16) longlong2 { longlong x, y; };
inline longlong2 make_longlong2(longlong x, longlong y) { return {x, y}; }
struct alignas(8) longlong3 { longlong x, y, z; };
inline longlong3 make_longlong3(longlong x, longlong y, longlong z) { return {x, y, z}; }
struct alignas(16) longlong4 { longlong x, y, z, w; };
inline longlong4 make_longlong4(longlong x, longlong y, longlong z, longlong w) { return {x, y, z, w}; }
struct alignas(8) ulonglong1 { ulonglong x; };
inline ulonglong1 make_ulonglong1(ulonglong x) { return {x}; }
struct alignas(16) ulonglong2 { ulonglong x, y; };
inline ulonglong2 make_ulonglong2(ulonglong x, ulonglong y) { return {x, y}; }
struct alignas(8) ulonglong3 { ulonglong x, y, z; };
inline ulonglong3 make_ulonglong3(ulonglong x, ulonglong y, ulonglong z) { return {x, y, z}; }
struct alignas(16) ulonglong4 { ulonglong x, y, z, w; };
inline ulonglong4 make_ulonglong4(ulonglong x, ulonglong y, ulonglong z, ulonglong w) { return {x, y, z, w}; }
struct alignas(4) float1 { float x; };
inline float1 make_float1(float x) { return {x}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
struct alignas(4) float3 { float x, y, z; };
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
struct alignas(16) float4 { float x, y, z, w; };
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct alignas(8) double1 { double x; };
inline double1 make_double1(double x) { return {x}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
struct alignas(8) double3 { double x, y, z; };
inline double3 make_double3(double x, double y, double z) { return {x, y, z}; }
struct alignas(16) double4 { double x, y, z, w; };
inline double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
inline float2 make_cuFloatComplex(float x, float y) { return {x, y}; }
inline float2 make_cuComplex(float x, float y) { return {x, y}; }
inline double2 make_cuDoubleComplex(double x, double y) { return {x, y}; }
inline float2 cuCaddf(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
inline float2 cuCsubf(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
inline float2 cuCmulf(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
inline float2 cuCdivf(float2 a, float2 b) { float n = b.x * b.x + b.y * b.y; return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n}; }
inline double2 cuCadd(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
inline double2 cuCsub(double2 a, double2 b) { return {a.x - b.x, a.y - b.y}; }
inline double2 cuCmul(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
inline double2 cuCdiv(double2 a, double2 b) { double n = b.x * b.x + b.y * b.y; return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n}; }
inline float2 cuCfmaf(float2 a, float2 b, float2 c) { return cuCaddf(cuCmulf(a, b), c); }
inline double2 cuCfma(double2 a, double2 b, double2 c) { return cuCadd(cuCmul(a, b), c); }
inline float2 cuConjf(float2 a) { return {a.x, -a.y}; }
inline double2 cuConj(double2 a) { return {a.x, -a.y}; }
inline float2 cuComplexDoubleToFloat(double2 a) { return {(float)a.x, (float)a.y}; }
inline double2 cuComplexFloatToDouble(float2 a) { return {a.x, a.y}; }
inline float cuCabsf(float2 a) { return std::hypot(a.x, a.y); }
inline double cuCabs(double2 a) { return std::hypot(a.x, a.y); }
inline float cuCrealf(float2 a) { return a.x; }
inline float cuCimagf(float2 a) { return a.y; }
inline double cuCreal(double2 a) { return a.x; }
inline double cuCimag(double2 a) { return a.y; }
