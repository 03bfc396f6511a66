//! The reader of expanded text: each construct, the shapes that grammars without names misread, recovery, hostile input.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use warplog_extractor::syntax::ast::{Function, Range, StmtKind, Unit};
use warplog_extractor::syntax::{dump, dump_expr, parse};

fn check(text: &str, expected: Expect) {
    let unit = parse(text);
    assert_inside(text, &unit);
    expected.assert_eq(&dump(&unit));
}

/// Statements in a kernel with parameters of the usual names.
fn body(text: &str, expected: Expect) {
    let head = "struct S { int f; float g[4]; };\n\
        template <int N> __device__ int tf(int a);\n\
        typedef float real;\n";
    let text = format!(
        "{head}__global__ void k(int *a, float *b, S *s, int n, int m, int i, int j, unsigned u) {{\n{text}\n}}\n"
    );
    let unit = parse(&text);
    assert_inside(&text, &unit);
    let shown = dump(&unit);
    let start = shown.find("(function k ").expect("the kernel is read");
    let shown: String = shown[start..]
        .lines()
        .skip(1)
        .map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line)))
        .collect();
    expected.assert_eq(&shown);
}

/// One expression over ints `a b c d n i j`, int pointers `p q`, and the type `T`.
fn expr(text: &str) -> String {
    let unit = parse(&format!(
        "typedef int T; void f(int a, int b, int c, int d, int n, int i, int j, int *p, int *q) {{ {text}; }}"
    ));
    let function = &unit.functions[0];
    assert_eq!(function.parse_errors, [], "{text}");
    match &function.body.as_ref().expect("a body").stmts[..] {
        [stmt] => match &stmt.kind {
            StmtKind::Expr(expr) => dump_expr(expr),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}

fn kernel(text: &str) -> Function {
    let unit = parse(text);
    unit.kernels().next().cloned().expect("a kernel")
}

/// Every range of every node lies in the text, on character boundaries. The nodes are found by their debug form, so that
/// no kind of node is forgotten.
fn assert_inside(text: &str, unit: &Unit) {
    let shown = format!("{unit:?}");
    for part in shown.split("Range { start: ").skip(1) {
        let (start, rest) = part.split_once(", end: ").expect("a range");
        let end = rest.split_once(" }").expect("a range").0;
        let (start, end): (usize, usize) = (
            start.parse().expect("a number"),
            end.parse().expect("a number"),
        );
        assert!(
            start <= end && end <= text.len(),
            "{start}..{end} in {}",
            text.len()
        );
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
    }
}

#[test]
fn operators_group_as_in_the_standard() {
    for (text, expected) in [
        ("a + b * c", "(+ a (* b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a = b = c", "(= a (= b c))"),
        ("a = b += c, d", "(, (= a (+= b c)) d)"),
        ("a << b + c", "(<< a (+ b c))"),
        ("a & b == c", "(& a (== b c))"),
        ("a | b ^ c & d", "(| a (^ b (& c d)))"),
        ("a || b && c | d", "(|| a (&& b (| c d)))"),
        ("a < b == c > d", "(== (< a b) (> c d))"),
        ("a ? b : c ? d : n", "(? a b (? c d n))"),
        ("a ? b, c : d = n", "(? a (, b c) (= d n))"),
        ("a = b ? c : d", "(= a (? b c d))"),
        ("-a * b", "(* (neg a) b)"),
        ("!a == b", "(== (! a) b)"),
        ("~a & b", "(& (~ a) b)"),
        ("*p++", "(deref (_++ p))"),
        ("(*p)++", "(_++ (deref p))"),
        ("~a++", "(~ (_++ a))"),
        ("++*p", "(++_ (deref p))"),
        ("-a[0]", "(neg ([] a 0))"),
        ("*p[1]", "(deref ([] p 1))"),
        ("&p[i + 1]", "(addr ([] p (+ i 1)))"),
        ("a - -b", "(- a (neg b))"),
        ("a--- b", "(- (_-- a) b)"),
        ("a >> b >> c", "(>> (>> a b) c)"),
        ("a >>= b", "(>>= a b)"),
        ("a <<= b", "(<<= a b)"),
        ("a >= b", "(>= a b)"),
        ("a > b", "(> a b)"),
        ("a % b / c", "(/ (% a b) c)"),
        ("a not_eq b and not c", "(&& (!= a b) (! c))"),
        ("p[i][j]", "([] ([] p i) j)"),
        ("p[i, j]", "([] p (, i j))"),
        ("p[(j = i + 1, i)]", "([] p (, (= j (+ i 1)) i))"),
        (
            "threadIdx.x + blockIdx.x * blockDim.x",
            "(+ (. threadIdx x) (* (. blockIdx x) (. blockDim x)))",
        ),
        ("p->x.y[3]", "([] (. (-> p x) y) 3)"),
        ("a = {1, 2}", "(= a {1 2})"),
        ("f(a, b)(c)", "(call (call f a b) c)"),
        ("sizeof a + b", "(+ (sizeof a) b)"),
        ("sizeof(int) * n", "(* (sizeof-type int) n)"),
        ("sizeof(a) * n", "(* (sizeof a) n)"),
        ("sizeof(T) - 1", "(- (sizeof-type T) 1)"),
        ("((((a))))", "a"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn casts_and_parentheses_are_told_apart_by_the_names() {
    for (text, expected) in [
        // n is a variable: an operand.
        ("(n) + i * d", "(+ n (* i d))"),
        ("(n) - 1", "(- n 1)"),
        ("(n) * i", "(* n i)"),
        ("(n) & i", "(& n i)"),
        ("(p[i]) + i * d", "(+ ([] p i) (* i d))"),
        ("(p)[i]", "([] p i)"),
        ("(f)(n)", "(call f n)"),
        ("(n)++", "(_++ n)"),
        // T is a type: a cast.
        ("(T) + i * d", "(* (cast T (plus i)) d)"),
        ("(T) - 1", "(cast T (neg 1))"),
        ("(T) * p", "(cast T (deref p))"),
        ("(T) & p", "(cast T (addr p))"),
        ("(T)(n)", "(cast T n)"),
        ("(T)n", "(cast T n)"),
        ("(T *)p", "(cast (ptr T) p)"),
        ("(T)p[i]", "(cast T ([] p i))"),
        ("(T)-1 + n", "(+ (cast T (neg 1)) n)"),
        ("(const float *)p", "(cast (ptr const float) p)"),
        (
            "(unsigned long long *)&p[i]",
            "(cast (ptr ulonglong) (addr ([] p i)))",
        ),
        ("(int (*)[4])p", "(cast (ptr (array 4 int)) p)"),
        ("(void **)&p", "(cast (ptr (ptr void)) (addr p))"),
        ("(float)(int)a", "(cast float (cast int a))"),
        ("(T){1}", "(construct-braces T 1)"),
        // Unknown: only one reading is C++.
        ("(unknown)n", "(cast unknown n)"),
        ("(unknown)(n)", "(call unknown n)"),
        ("(unknown)(n) - 1", "(- (call unknown n) 1)"),
        ("(unknown *)p", "(cast (ptr unknown) p)"),
        ("(unknown)0.5f", "(cast unknown 0.5float)"),
        // Written like a constant that nothing defines.
        ("(TILE) * n", "(* TILE n)"),
        // Other spellings.
        ("n = float(a)", "(= n (cast-fn float a))"),
        ("unsigned(a) + 1", "(+ (cast-fn uint a) 1)"),
        ("n = size_t(a)", "(= n (cast-fn ulong a))"),
        ("T(a, b)", "(construct T a b)"),
        ("static_cast<float>(a)", "(cast-static float a)"),
        (
            "reinterpret_cast<const int4 *>(p)[i]",
            "([] (cast-reinterpret (ptr const int4) p) i)",
        ),
        ("int4{1, 2, 3, 4}", "(construct-braces int4 1 2 3 4)"),
        ("dim3(a, b)", "(construct dim3 a b)"),
        ("make_int2(a, b)", "(call make_int2 a b)"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn a_declaration_that_looks_like_a_conversion_is_refused() {
    let function = kernel("__global__ void k(int *a, int n) { { int (n); n = 1; } a[n] = 1; }");
    assert_eq!(function.parse_errors.len(), 1);
    let function = kernel(
        "__attribute__((device)) int x; __global__ void k() { __attribute__((shared)) int s[4]; }",
    );
    assert_eq!(function.parse_errors.len(), 1);
}

#[test]
fn members_are_values_in_methods_inside_and_outside_of_the_class() {
    check(
        "struct B { int base; };
         struct S : B { void in() { int *p; x = (y) * base; } int f(); int x, y; };
         int S::f() { return (x) * y + (base) - 1; }",
        expect![[r#"
            (struct B (field base int))
            (struct S : B (field x int) (field y int))
            (function S::in (member-of S) (params) void
              (var p (ptr int))
              (= x (* y base))
            (function S::f (member-of S) (params) int)
            (function S::f (member-of S) (params) int
              (return (- (+ (* x y) base) 1))
        "#]],
    );
}

#[test]
fn unknown_names_in_parentheses_are_refused_where_they_decide() {
    for text in ["(unknown) * p", "(unknown) & n", "(unknown)(n)[0]"] {
        let function = kernel(&format!(
            "__global__ void k(int *p, int n) {{ n = {text}; p[0] = 1; }}"
        ));
        assert_eq!(function.parse_errors.len(), 1, "{text}");
        let stmts = &function.body.as_ref().expect("a body").stmts;
        assert_eq!(stmts.len(), 2);
        assert!(
            matches!(stmts[0].kind, StmtKind::Unsupported { .. }),
            "{text}"
        );
        assert!(matches!(stmts[1].kind, StmtKind::Expr(_)), "{text}");
    }
}

#[test]
fn template_arguments_and_comparisons_are_told_apart_by_the_names() {
    for (text, expected) in [
        ("i < n && j > (d)", "(&& (< i n) (> j d))"),
        ("i < n > (d)", "(> (< i n) d)"),
        ("f(i < n, j > (d))", "(call f (< i n) (> j d))"),
        ("g<4>(i)", "(call g<4> i)"),
        ("g<T>(i)", "(call g<T> i)"),
        ("g<n * 2, float>(i)", "(call g<(* n 2), float> i)"),
        ("g<(a > b)>(i)", "(call g<(> a b)> i)"),
        ("std::max<int>(a, b)", "(call std::max<int> a b)"),
        ("g<h<4>>(i)", "(call g<h<4>> i)"),
        ("g<h<4>>::v", "g<h<4>>::v"),
        ("::f(a)", "(call ::f a)"),
        ("p->template m<4>(i)", "(call (-> p m<4>) i)"),
        (
            "p->x < n && p->y > (d)",
            "(&& (< (-> p x) n) (> (-> p y) d))",
        ),
        (
            "unknown < n && other > (d)",
            "(&& (< unknown n) (> other d))",
        ),
        ("k<<<a, b>>>(p)", "(launch k (config a b) p)"),
        (
            "k<4><<<dim3(a, b), c >> 1, 0, s>>>(p, n > 2)",
            "(launch k<4> (config (construct dim3 a b) (>> c 1) 0 s) p (> n 2))",
        ),
        (
            "k<<<(n + 255) / 256, 256>>>()",
            "(launch k (config (/ (+ n 255) 256) 256))",
        ),
        (
            "n::k<T, 3><<<1, n > 3 ? 1 : 2>>>(p)",
            "(launch n::k<T, 3> (config 1 (? (> n 3) 1 2)) p)",
        ),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
}

#[test]
fn literals_have_the_types_of_the_standard() {
    for (text, expected) in [
        ("0", "0"),
        ("2147483647", "2147483647"),
        ("2147483648", "2147483648long"),
        ("0x7fffffff", "2147483647"),
        ("0x80000000", "2147483648uint"),
        ("0xffffffffffffffff", "18446744073709551615ulong"),
        ("010", "8"),
        ("0b101", "5"),
        ("1'000", "1000"),
        ("1u", "1uint"),
        ("4294967296u", "4294967296ulong"),
        ("1L", "1long"),
        ("1ull", "1ulonglong"),
        ("1LL", "1longlong"),
        ("0u", "0uint"),
        ("1.5", "1.5"),
        ("1.5f", "1.5float"),
        (".5F", ".5float"),
        ("1e-3", "1e-3"),
        ("1.f", "1.float"),
        ("0x1p3", "0x1p3"),
        ("'a'", "'97'"),
        ("'\\n'", "'10'"),
        ("'\\xff'", "'-1'"),
        ("'\\0'", "'0'"),
        ("L'a'", "'97wchar'"),
        ("true", "true"),
        ("nullptr", "nullptr"),
        ("f(\"a\" \"b\\n\")", "(call f \"ab\\\\n\")"),
    ] {
        assert_eq!(expr(text), expected, "{text}");
    }
    let huge = kernel("__global__ void k(int *a) { a[0] = 99999999999999999999; }");
    assert_eq!(huge.parse_errors.len(), 1);
}

#[test]
fn declarations() {
    body(
        "extern __shared__ float sm[];
         __shared__ int tile[16][16 + 1], flag;
         const unsigned long long int big = 1ull << 40;
         int *p = a, *const q = &a[1], x[3] = {1, 2, 3}, y{4}, z(n);
         float (*rows)[16] = (float (*)[16])b;
         S t = s[0];
         real r = (real)n - (n) + 1;
         volatile int *v = a;
         int (&ref)[4] = *(int (*)[4])a;
         auto w = a[i];
         static const int table[] = {1, 2};
         unsigned c;
         float4 f4 = make_float4(1, 2, 3, 4);
         unsigned char uc = 0;
         long int li;
         int8_t i8; size_t sz; uint ui;",
        expect![[r#"
            (var sm __shared__ extern (array - float))
            (var tile __shared__ (array 16 (array (+ 16 1) int)))
            (var flag __shared__ int)
            (var big const ulonglong = (<< 1ulonglong 40))
            (var p (ptr int) = a)
            (var q const (ptr int) = (addr ([] a 1)))
            (var x (array 3 int) {1 2 3})
            (var y int {4})
            (var z int (init n))
            (var rows (ptr (array 16 float)) = (cast (ptr (array 16 float)) b))
            (var t S = ([] s 0))
            (var r real = (+ (- (cast real n) n) 1))
            (var v (ptr volatile int) = a)
            (var ref (ref (array 4 int)) = (deref (cast (ptr (array 4 int)) a)))
            (var w auto = ([] a i))
            (var table static (array - const int) {1 2})
            (var c uint)
            (var f4 float4 = (call make_float4 1 2 3 4))
            (var uc uchar = 0)
            (var li long)
            (var i8 schar)
            (var sz ulong)
            (var ui uint)
        "#]],
    );
}

#[test]
fn initialisers_that_look_like_prototypes() {
    body(
        "float x(n), y(b[i]);
         real t(n * m);
         dim3 g(n), h(4, 4);
         float f(float, int);
         unknown_t v(n);",
        expect![[r#"
            (var x float (init n))
            (var y float (init ([] b i)))
            (var t real (init (* n m)))
            (var g dim3 (init n))
            (var h dim3 (init 4 4))
            (prototype f (params (- float) (- int)) float)
            (var v unknown_t (init n))
        "#]],
    );
    let unclear = kernel("__global__ void k(int *a) { float x(unclear); a[0] = 1; }");
    assert_eq!(unclear.parse_errors.len(), 1);
}

#[test]
fn statements() {
    body(
        "if (i >= n) return;
         if (int v = a[i]; v > 3) a[i] = v; else if (i) { } else a[0]--;
         for (int k = n / 2, l = 0; k > 0; k >>= 1, l++) { if (k == 3) continue; break; }
         for (;;) ;
         while (i--) a[i] = i;
         do { a[i] += 2; i = i + 1; } while (i < n);
         #pragma unroll
         for (int k = 0; k < 4; ++k) { __syncthreads(); }
         for (auto e : {1, 2, 3}) a[e] = 0;
         goto done;
         {
           int n = 3;
           (n) + i;
         }
         done: a[0] = 1;
         using T = float;
         T x = (T)n;
         if constexpr (sizeof(int) == 4) a[0] = 1;
         static_assert(sizeof(int) == 4, \"\");
         while (int v = a[i]) { a[i] = v - 1; }
         asm volatile (\"{ add.s32 %0, %1, %2; }\" : \"=r\"(a[0]) : \"r\"(i), \"r\"(n) : \"memory\");
         int total = ({ int t = a[0]; t + 1; });
         auto fun = [=] __device__ (int q) -> int { return q + n; };",
        expect![[r#"
            (if (>= i n)
              (return -)
            (block
              (var v int = ([] a i))
              (if (> v 3)
                (= ([] a i) v)
               else
                (if i
                  (block
                 else
                  (_-- ([] a 0))
            (for
                (var k int = (/ n 2))
                (var l int = 0)
                (> k 0) ; (, (>>= k 1) (_++ l))
              (block
                (if (== k 3)
                  (continue)
                (break)
            (for
                -
                - ; -
              (empty)
            (while (_-- i)
              (= ([] a i) i)
            (do
              (block
                (+= ([] a i) 2)
                (= i (+ i 1))
             while (< i n)
            (for
                (var k int = 0)
                (< k 4) ; (++_ k)
              (block
                (call __syncthreads)
            (range-for e auto in {1 2 3}
              (= ([] a e) 0)
            (goto done)
            (block
              (var n int = 3)
              (+ n i)
            (label done
              (= ([] a 0) 1)
            (typedef T float)
            (var x T = (cast T n))
            (if-constexpr (== (sizeof-type int) 4)
              (= ([] a 0) 1)
            (empty)
            (while true
              (block
                (var v int = ([] a i))
                (if (! v)
                  (break)
                (block
                  (= ([] a i) (- v 1))
            (asm-volatile "{ add.s32 %0, %1, %2; }" (out "=r" ([] a 0)) (in "r" i "r" n) (clobber "memory"))
            (var total int = (stmt-expr {(var t int = ([] a 0)) (+ t 1)}))
            (var fun auto = (lambda [=] (params (q int)) {(return (+ q n))}))
        "#]],
    );
}

#[test]
fn switch_is_flattened() {
    body(
        "switch (i & 3) { case 0: case 1 + 1: a[0] = 1; break; { a[1] = 2; } default: return; case 'x': ; }",
        expect![[r#"
            (switch (& i 3)
              case 0
              case (+ 1 1)
                (= ([] a 0) 1)
                (break)
                (block
                  (= ([] a 1) 2)
              default
                (return -)
              case '120'
                (empty)
        "#]],
    );
}

#[test]
fn understood_but_not_modelled_is_no_error() {
    body(
        "auto [x, y] = f(a); (x) * n;
         asm volatile(\"st.u8 [%1], %0;\" :: \"r\"(i) \"l\"(a));
         printf(\"%\" PRIu64 \"\\n\", a[i]); printf(PREFIX \"x\" SUFFIX, i);
         tuple<int, float> t = make<int...>(n);
         delete[] a;",
        expect![[r#"
            (binding x y [bound] auto = (call f a)
            (* x n)
            (asm-volatile "st.u8 [%1], %0;" (out) (in "r" i "l" a) (clobber))
            (call printf "%\\n" ([] a i))
            (call printf "x" i)
            (var t tuple<int, float> = (call make<(expand int)> n))
            (delete a)
        "#]],
    );
}

#[test]
fn what_is_not_understood_is_kept_and_local() {
    body(
        "LOOP(i, n) { a[i] = 1; }
         a[0] = 1;
         MACRO(x) a[1] = 2;
         a[2] = ;
         int p = 3 4;
         try { a[3] = 1; } catch (...) { }
         #if 1
         a[4] = new int[3] ? 1 : 0;
         throw 1;
         a[i] = 5;",
        expect![[r##"
            (unsupported "expected `;` at `{`")
            (= ([] a 0) 1)
            (unsupported "expected `;` at `a`")
            (unsupported "expected an expression at `;`")
            (unsupported "expected `;` at `4`")
            (unsupported "try")
            (unsupported "expected an expression at `#if 1`")
            (= ([] a 4) (? (new int 3) 1 0))
            (unsupported "throw")
            (= ([] a i) 5)
            (error "expected `;` at `{`")
            (error "expected `;` at `a`")
            (error "expected an expression at `;`")
            (error "expected `;` at `4`")
            (error "expected an expression at `#if 1`")
        "##]],
    );
}

#[test]
fn items() {
    check(
        "typedef struct { int x, y; } P;
         typedef float (*fn)(int);
         using V = float4;
         template <typename T> using Ptr = T *;
         enum { A = 1, B };
         enum class E : unsigned char { C = A + 1 };
         __constant__ float table[B * 2] = {1};
         __device__ int counter;
         static constexpr int TILE = 16;
         namespace n { namespace { int hidden; } inline namespace v1 { struct S; } using namespace std; }
         namespace m = n;
         extern \"C\" { __global__ void c1(int *a); void c2(); }
         extern \"C\" __device__ int c3(int) { return 1; }
         template <typename T, int N = 4, class... Rest> __global__ void __launch_bounds__(N * 32, 2) k(T (&a)[N], const T *__restrict__ b = nullptr);
         template <> __global__ void k<float, 3>(float (&a)[3], const float *b) { }
         template __global__ void k<int, 2>(int (&)[2], const int *);
         template <class T> struct Box : Base<T> {
           T v[4]; static int made;
           __host__ __device__ Box(int n) : v{} { v[0] = n; }
           __device__ T &operator[](int i) { return v[i]; }
           __device__ operator T() const { return (last) * v[0]; }
           virtual ~Box();
           int bits : 3, last;
         };
         template <class T> __device__ Box<T>::Box(int a, int b) { }
         template struct Box<int>;
         int n::f(int a, ...) { return a; }",
        expect![[r#"
            (typedef P {struct 8})
            (typedef fn (ptr (fn (- int) float)))
            (typedef V float4)
            (typedef Ptr (template (type T)) (ptr T))
            (enum {enum 151} (A 1) B)
            (enum-class E : uchar (C (+ A 1)))
            (struct {struct 8} (field x int) (field y int))
            (struct n::v1::S declared)
            (struct Box (template (type T)) : Base<T> virtual (field v (array 4 T)) (field bits int) (field last int) (bits 1 3))
            (using-namespace n::v1)
            (using-namespace std)
            (using-namespace m = n)
            (global table __constant__ (array (* B 2) float) {1})
            (global counter __device__ int)
            (global TILE static constexpr int = 16)
            (global n::hidden int)
            (global Box::made static int)
            (function c1 __global__ extern-C (params (a (ptr int))) void)
            (function c2 extern-C (params) void)
            (function c3 __device__ extern-C (params (- int)) int
              (return 1)
            (function k __global__ (template (type T) (value N int = 4) (type ...Rest)) (launch-bounds (* N 32) 2) (params (a (ref (array N T))) (b restrict (ptr const T) = nullptr)) void)
            (function k<float, 3> __global__ (template) (params (a (ref (array 3 float))) (b (ptr const float))) void
            (function Box::Box __device__ __host__ (template (type T)) (member-of Box) (params (n int)) void
              (member-init v {})
              (= ([] v 0) n)
            (function Box::operator[] __device__ (template (type T)) (member-of Box) (params (i int)) (ref T)
              (return ([] v i))
            (function Box::operator T __device__ const (template (type T)) (member-of Box) (params) T
              (return (* last ([] v 0)))
            (function Box::~Box virtual (template (type T)) (member-of Box) (params) void)
            (function Box::Box __device__ (template (type T)) (member-of Box) (params (a int) (b int)) void
            (function n::f (member-of n) (params (a int) ...) int
              (return a)
            (instantiation k<int, 2> __global__ (params (- (ref (array 2 int))) (- (ptr const int))) void)
            (instantiation Box<int>)
        "#]],
    );
}

#[test]
fn every_kernel_is_found_or_accounted_for() {
    check(
        "UNKNOWN_MACRO(x) __global__ void a() { }
         API __global__ void b() { }
         API(3) template <int N> __global__ void c() { }
         static inline void __global__ d() { }
         __launch_bounds__(64) __global__ void e() { }
         void __global__ f(), g();
         int broken = = 3;
         __global__ h(int x) { }
         __global__ void i(int x) { if (x { } }
         __global__ void j() { /* __global__ */ \"__global__\"; }
         __global__ void l() { { }
         __global__ void m() { }",
        expect![[r#"
            (function a __global__ (params) void
            (function b __global__ (params) void
            (function c __global__ (template (value N int)) (params) void
            (function d __global__ inline static (params) void
            (function e __global__ (launch-bounds 64) (params) void
            (function f __global__ (params) void)
            (function g __global__ (params) void)
            (function i __global__ (params (x int)) void
              (unsupported "a bracket without its partner at `x`")
              (error "a bracket without its partner at `x`")
            (function j __global__ (params) void
              "__global__"
            (function l __global__ (params) void
              (unsupported "a body without its closing brace")
              (error "a body without its closing brace")
            (function m __global__ (params) void
            (unparsed "the word `UNKNOWN_MACRO(x)`, which is no specifier")
            (unparsed "the word `API`, which is no specifier")
            (unparsed "expected a name at `(`")
            (unparsed "expected an expression at `=`")
            (unparsed "expected a name at `(`")
        "#]],
    );
}

#[test]
fn a_stray_brace_makes_the_function_before_it_untrusted() {
    let unit =
        parse("__global__ void k(int *a) { if (a[0]) { } } a[1] = 2; }\n__global__ void l() { }");
    assert!(!unit.functions[0].parse_errors.is_empty());
    assert_eq!(unit.kernels().count(), 2);
    assert!(!unit.unparsed.is_empty());
}

#[test]
fn ranges_cover_what_they_name() {
    let text = "__global__ void k(int *a, int n) {\n  a[(n) + 1] = ((n)) * 2 ; // c\n}\n";
    let function = kernel(text);
    let slice = |range: Range| &text[range.bytes()];
    assert_eq!(slice(function.name_range), "k");
    assert_eq!(slice(function.params[0].range), "int *a");
    let stmt = &function.body.as_ref().expect("a body").stmts[0];
    assert_eq!(slice(stmt.range), "a[(n) + 1] = ((n)) * 2 ;");
    let StmtKind::Expr(assign) = &stmt.kind else {
        panic!("{stmt:?}")
    };
    assert_eq!(slice(assign.range), "a[(n) + 1] = ((n)) * 2");
    let warplog_extractor::syntax::ast::ExprKind::Assign { lhs, rhs, .. } = &assign.kind else {
        panic!("{assign:?}")
    };
    assert_eq!(slice(lhs.range), "a[(n) + 1]");
    assert_eq!(slice(rhs.range), "((n)) * 2");
}

#[test]
fn deep_nesting_is_refused_and_the_rest_is_read() {
    let n = 10_000;
    let repeat = |text: &str| text.repeat(n);
    let hostile = [
        format!("a[0] = {}1{};", repeat("("), repeat(")")),
        format!("{}a[0] = 1;{}", repeat("{"), repeat("}")),
        format!("a[0] = {}1;", repeat("(")),
        format!("a[0] = {}1;", repeat("a[0] + ")),
        format!("a[0] = {}1;", repeat("- ")),
        format!("a[0] = {}1;", repeat("a[0] ? 1 : ")),
        format!("a[0] = {}1;", repeat("(int)")),
        format!("a[0] = a{};", repeat(".b")),
        format!("a[0] = {}1{};", repeat("a["), repeat("]")),
        format!("{} a[0] = 1;", repeat("if (a[0]) a[1] = 2; else ")),
        format!("{} a[0] = 1;", repeat("for (;;) ")),
        format!("{}1{};", repeat("f<"), repeat(">(0)")),
        format!("int {}x;", repeat("*")),
        format!("int x{};", repeat("[2]")),
        format!("int x{}{};", repeat("(int"), repeat(")")),
        format!(
            "auto f = {} 1; {};",
            repeat("[&]() { return "),
            repeat("; }")
        ),
        format!(
            "{} a[0] = 1; {}",
            repeat("switch (1) { case 1: "),
            repeat("}")
        ),
    ];
    for text in hostile {
        let text = format!(
            "__global__ void k(int *a) {{ a[7] = 7; {text} }}\n__global__ void ok(int *a) {{ a[0] = 1; }}\n"
        );
        let unit = parse(&text);
        let shown: String = text.chars().take(80).collect();
        assert_inside(&text, &unit);
        assert_eq!(unit.kernels().count(), 2, "{shown}");
        assert!(
            unit.functions
                .iter()
                .any(|function| function.name == "ok" && function.parse_errors.is_empty()),
            "{shown}"
        );
        assert!(
            unit.functions
                .iter()
                .any(|function| function.name == "k" && !function.parse_errors.is_empty()),
            "{shown}"
        );
    }
    for text in [
        format!(
            "{}__global__ void k() {{ }}{}",
            repeat("namespace n { "),
            repeat("}")
        ),
        format!("{}int x;{}", repeat("struct s { "), repeat("};")),
        format!(
            "{}__global__ void k() {{ }}",
            repeat("template <typename T> ")
        ),
        repeat("a<"),
        repeat("{[("),
        repeat("})]"),
    ] {
        assert_inside(&text, &parse(&text));
    }
}

/// Words that may stand in a kernel, braces apart.
const WORDS: [&str; 57] = [
    "__device__",
    "__shared__",
    "void",
    "int",
    "float",
    "unsigned",
    "const",
    "T",
    "S",
    "k",
    "f",
    "a",
    "b",
    "i",
    "n",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    ";",
    ",",
    ".",
    "->",
    "*",
    "&",
    "+",
    "-",
    "=",
    "+=",
    "==",
    "&&",
    "||",
    "!",
    "~",
    "?",
    ":",
    "::",
    "<<<",
    ">>>",
    "<<",
    "++",
    "--",
    "1",
    "0x2u",
    "1.5f",
    "'c'",
    "\"s\"",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn soup_in_a_kernel_stays_in_it(words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..60)) {
        let soup = words.join(" ");
        let text = format!("__global__ void k(int *a, int n) {{ {soup} ; }}\n__global__ void ok(int *a) {{ a[0] = 1; }}\n");
        let unit = parse(&text);
        assert_inside(&text, &unit);
        prop_assert!(unit.kernels().any(|function| function.name == "k"), "{}", text);
        prop_assert!(unit.kernels().any(|function| function.name == "ok"), "{}", text);
    }

    #[test]
    fn expressions_read_back_as_they_were_built(tree in tree()) {
        let (text, expected) = (tree.text(0), tree.dump());
        prop_assert_eq!(expr(&text), expected, "{}", text);
    }
}

/// An expression of the generator's own, which knows how it groups.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(&'static str),
    Unary(&'static str, &'static str, Box<Tree>),
    Binary(&'static str, u8, Box<Tree>, Box<Tree>),
    Index(Box<Tree>, Box<Tree>),
    Cast(Box<Tree>),
    Conditional(Box<Tree>, Box<Tree>, Box<Tree>),
}

const OPERATORS: [(&str, u8); 18] = [
    ("||", 4),
    ("&&", 5),
    ("|", 6),
    ("^", 7),
    ("&", 8),
    ("==", 9),
    ("!=", 9),
    ("<", 10),
    ("<=", 10),
    (">", 10),
    (">=", 10),
    ("<<", 11),
    (">>", 11),
    ("+", 12),
    ("-", 12),
    ("*", 13),
    ("/", 13),
    ("%", 13),
];

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop::sample::select(&["a", "b", "n", "i", "1"][..]).prop_map(Tree::Leaf);
    leaf.prop_recursive(5, 40, 3, |inner| {
        let unary = prop::sample::select(&[("-", "neg"), ("!", "!"), ("~", "~"), ("*", "deref"), ("&", "addr"), ("+", "plus")][..]);
        prop_oneof![
            4 => (prop::sample::select(&OPERATORS[..]), inner.clone(), inner.clone())
                .prop_map(|((op, level), left, right)| Tree::Binary(op, level, Box::new(left), Box::new(right))),
            1 => (unary, inner.clone()).prop_map(|((op, name), arg)| Tree::Unary(op, name, Box::new(arg))),
            1 => (inner.clone(), inner.clone()).prop_map(|(base, index)| Tree::Index(Box::new(base), Box::new(index))),
            1 => inner.clone().prop_map(|arg| Tree::Cast(Box::new(arg))),
            1 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(cond, then, els)| Tree::Conditional(Box::new(cond), Box::new(then), Box::new(els))),
        ]
    })
}

impl Tree {
    fn level(&self) -> u8 {
        match self {
            Tree::Leaf(_) | Tree::Index(..) => 15,
            Tree::Unary(..) | Tree::Cast(_) => 14,
            Tree::Binary(_, level, ..) => *level,
            Tree::Conditional(..) => 3,
        }
    }

    /// As text, in parentheses if it binds less tightly than `least`.
    fn text(&self, least: u8) -> String {
        let text = match self {
            Tree::Leaf(text) => (*text).to_owned(),
            Tree::Unary(op, _, arg) => format!("{op} {}", arg.text(14)),
            Tree::Binary(op, level, left, right) => {
                format!("{} {op} {}", left.text(*level), right.text(level + 1))
            }
            Tree::Index(base, index) => format!("{}[{}]", base.text(15), index.text(0)),
            Tree::Cast(arg) => format!("(T){}", arg.text(14)),
            Tree::Conditional(cond, then, els) => {
                format!("{} ? {} : {}", cond.text(4), then.text(0), els.text(3))
            }
        };
        // A leaf in parentheses now and then: `(n) + i`, `(n) * i`.
        if self.level() < least || matches!(self, Tree::Leaf("n")) {
            format!("({text})")
        } else {
            text
        }
    }

    fn dump(&self) -> String {
        match self {
            Tree::Leaf(text) => (*text).to_owned(),
            Tree::Unary(_, name, arg) => format!("({name} {})", arg.dump()),
            Tree::Binary(op, _, left, right) => format!("({op} {} {})", left.dump(), right.dump()),
            Tree::Index(base, index) => format!("([] {} {})", base.dump(), index.dump()),
            Tree::Cast(arg) => format!("(cast T {})", arg.dump()),
            Tree::Conditional(cond, then, els) => {
                format!("(? {} {} {})", cond.dump(), then.dump(), els.dump())
            }
        }
    }
}
