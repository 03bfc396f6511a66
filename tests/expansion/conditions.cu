// #if, by the value of its expression: each line that is right is kept.
#define T(n) right_ ## n
#if -1 > 0u
T(1)
#endif
#if (2 || 1 / 0) && !(0 && 1 / 0) && (1 ? 1 : 1 / 0)
T(2)
#endif
#if 'A' == 65 && '\n' == 10 && '\x41' == 'A' && '\101' == 'A' && L'b' == 98 && '\0' == 0
T(3)
#endif
#if 0x7fffffffffffffff + 0 > 0 && 0xffffffffffffffffu == -1 && 18446744073709551615u > 1
T(4)
#endif
#if -7 / 2 == -3 && -7 % 2 == -1 && 7 >> 1 == 3 && -8 >> 1 == -4 && 1 << 3 == 8 && ~0 == -1
T(5)
#endif
#if 1 ? 2 : (3, 4) && 0
T(6)
#endif
#if 0 ? 0 : 1 ? 0 : 1
wrong_7
#elif 2 ? 1 : 0 ? 0 : 0
T(7)
#elif wrong (
wrong
#else
wrong_7
#endif
#define YES 1
#define NAMES defined
#define ZERO
#if defined YES && defined(YES) && !defined NO && !defined ( NO ) && defined(YES)+defined(NO) == 1
T(8)
#endif
#if UNKNOWN == 0 && UNKNOWN_CALL == 0 && true && !false && (true == 1)
T(9)
#endif
#if ZERO + 1 == 1 && (YES ZERO) && +YES - -YES == 2
T(10)
#endif
#define VERSION(a, b) ((a) * 100 + (b))
#define CURRENT VERSION(12, 4)
#if CURRENT >= VERSION(12, 0) && CURRENT < VERSION(12, 5) && VERSION (1, 1) == 101
T(11)
#endif
#if 1 and not 0 or 0 and 5 bitand 4 and (1 bitor 2) == 3 and 5 xor 4 and compl 0 == -1 and 3 not_eq 4
T(12)
#endif
#if 1'000 == 1000 && 0b101 == 5 && 010 == 8 && 0XfFuLL == 255 && 1LU == 1
T(13)
#endif
#if 0
#if nonsense ( ' "
#error not here
#elif more nonsense
#else junk behind it
#endif junk
#bogus
"not closed
' nor this
/* but this is a comment
#endif
*/
#else
T(14)
#endif
#ifdef YES // a comment
T(15)
#endif /* another */
#ifndef YES
#elif defined(YES) && YES == 1
T(16)
#endif
#if defined(__has_include)
#if __has_include("conditions.cu") && !__has_include("no_such_file.h") && !__has_include(<no/such/file>)
T(17)
#endif
#endif
#ifdef NO
#elifdef YES
T(18)
#endif
#if (1 == 1) == (2 > 1) && 3 - 2 - 1 == 0 && 1 + 2 * 3 == 7 && (1 | 2 ^ 3 & 4) == 3 && 1 << 1 + 1 == 4 && 8 >> 1 << 1 == 8
T(19)
#endif
#if -1 >> 63 == -1 && (-1 ? 2u : -1) > 0 && (1 ? -1 : 0u) > 0
T(20)
#endif
#if __cplusplus >= 201103L && __CUDA_ARCH__ >= 600 && defined __CUDACC__
T(21)
#endif
