//! The rewrites for the grammar.

use super::{NoteKind, flat, kinds, run};

#[test]
fn words_without_meaning_are_dropped() {
    let text = "void k(float *__restrict__ a, const int *__restrict b) __attribute__((noinline)) ;\n\
                __global__ void __cluster_dims__(2, 1, 1) __maxnreg__(64) f();\n\
                __shared__ __align__(16) float s[4]; alignas(2 * (8)) int x; _Pragma(\"unroll\") for (;;) ;";
    let expected = "void k(float * a, const int * b) ; __global__ void f(); __shared__ float s[4]; int x; for (;;) ;";
    assert_eq!(flat(text), expected);
}

#[test]
fn words_are_spelled_as_the_grammar_knows_them() {
    assert_eq!(
        flat("__inline__ int f(__const__ int a) { __typeof__(a + (1)) b; __volatile__ int c; }"),
        "inline int f(const int a) { __typeof__(a + (1)) b; volatile int c; }"
    );
}

#[test]
fn attributes_that_are_words_of_cuda_are_spelled_so() {
    assert_eq!(
        flat(
            "#define __global__ __attribute__((global))\n__global__ void k() { __attribute__((shared, aligned(16))) int s[4]; }"
        ),
        "__global__ void k() { __shared__ int s[4]; }"
    );
    assert_eq!(
        flat("__attribute__((host)) __attribute__((device)) int f();"),
        "__host__ __device__ int f();"
    );
    assert_eq!(
        flat("int global __attribute__((unused)), device;"),
        "int global , device;"
    );
}

#[test]
fn the_third_launch_bound_goes() {
    assert_eq!(
        flat("__launch_bounds__(f(1, 2, 3), 2, 4) void k();"),
        "__launch_bounds__(f(1, 2, 3), 2) void k();"
    );
    assert_eq!(
        flat("__launch_bounds__(1, 2) void k();"),
        "__launch_bounds__(1, 2) void k();"
    );
}

#[test]
fn targets_after_a_lambda_introducer_go() {
    assert_eq!(
        flat("f([=] __device__ (int i) {}); g([&] __host__ __device__ (int i) {});"),
        "f([=] (int i) {}); g([&] (int i) {});"
    );
    assert_eq!(
        flat("[[nodiscard]] __device__ int f();"),
        "[[nodiscard]] __device__ int f();"
    );
}

#[test]
fn lone_postfix_expressions_are_doubled() {
    let variables = "int n, m, *p, a[4]; S q; ";
    for (text, expected) in [
        ("x = (n) + m * d;", "x = ((n)) + m * d;"),
        ("x = (n) - 1;", "x = ((n)) - 1;"),
        ("x = (n) * m;", "x = ((n)) * m;"),
        ("x = (n) & m;", "x = ((n)) & m;"),
        ("x = (a[n + (1)]) + m;", "x = ((a[n + (1)])) + m;"),
        ("x = (q.y->z[1]) * m;", "x = ((q.y->z[1])) * m;"),
        ("x = (f(n, m)) - m;", "x = ((f(n, m))) - m;"),
        ("return (n) + m;", "return ((n)) + m;"),
        ("x = ((n) * m);", "x = (((n)) * m);"),
        ("x = (float)(n) * m;", "x = (float)((n)) * m;"),
        ("x = (n) && m;", "x = (n) && m;"),
        ("x = (n) += m;", "x = (n) += m;"),
        ("x = (n + m) * m;", "x = (n + m) * m;"),
        ("x = f(n) + m;", "x = f(n) + m;"),
        ("if (n) *p = 1;", "if (n) *p = 1;"),
        ("x = sizeof (n) * m;", "x = sizeof (n) * m;"),
    ] {
        assert_eq!(
            flat(&format!("{variables}{text}")),
            format!("{variables}{expected}")
        );
    }
}

#[test]
fn casts_are_left_alone() {
    let types = "typedef unsigned word; typedef struct { float n; } pair; typedef void (*fn)(int); struct node {}; \
                 using real = float; template <typename T, class U> void k(Unseen v);";
    for cast in [
        "int", "unsigned", "float", "size_t", "uint32_t", "float4", "word", "pair", "fn", "node",
        "real", "T", "U", "Unseen", "dim3",
    ] {
        for operator in ["+", "-", "*", "&"] {
            let text = format!("x = ({cast}) {operator}y;");
            assert_eq!(flat(&format!("{types} {text}")), format!("{types} {text}"));
        }
    }
    // Nothing says what the name is: a cast stays possible where the operand would be read in another way.
    assert_eq!(
        flat("x = (WHAT) * p; x = (WHAT) & p; x = (WHAT) + p;"),
        "x = (WHAT) * p; x = (WHAT) & p; x = ((WHAT)) + p;"
    );
    // The members of a structure in a typedef are no types.
    assert_eq!(
        flat(&format!("{types} x = (n) * y;")),
        format!("{types} x = ((n)) * y;")
    );
}

#[test]
fn attributes_that_change_a_structure_are_kept_or_noted() {
    let read = run(
        "struct __align__(16) A { float x; __align__(8) int y; };\nstruct B { char c; int i; } __attribute__((packed));\n__shared__ __align__(8) int s[2];",
    );
    assert_eq!(
        read.text.trim_end(),
        "struct alignas(16) A { float x; alignas(8) int y; };\nstruct B { char c; int i; } __attribute__((packed));\n__shared__ int s[2];"
    );
    assert_eq!(kinds(&read), []);
    // Behind a member, and at a type: dropped, and said.
    for (text, line, dropped) in [
        (
            "\nstruct A { char c; int i __attribute__((packed)); };",
            2,
            "__attribute__((packed))",
        ),
        (
            "typedef int odd __attribute__((vector_size(16)));",
            1,
            "__attribute__((vector_size(16)))",
        ),
        (
            "_Pragma(\"pack(1)\") struct A { char c; int i; };",
            1,
            "_Pragma(\"pack(1)\")",
        ),
    ] {
        let read = run(text);
        assert_eq!(kinds(&read), [NoteKind::LayoutAttribute], "{text}");
        assert_eq!((read.notes[0].line, &*read.notes[0].text), (line, dropped));
    }
    // The alignment that a name of a type, or a member, asks for.
    for (text, expected) in [
        (
            "typedef __align__(16) float A;",
            "typedef alignas(16) float A;",
        ),
        (
            "typedef __attribute__((aligned(16))) float A;",
            "typedef alignas(16) float A;",
        ),
        (
            "typedef float A __align__(16), B;",
            "typedef float A __attribute__((aligned(16))), B;",
        ),
        (
            "typedef float A __attribute__((aligned(16)));",
            "typedef float A __attribute__((aligned(16)));",
        ),
        (
            "typedef struct { int i; } __align__(16) A;",
            "typedef struct { int i; } alignas(16) A;",
        ),
        (
            "struct A { int i __align__(16); };",
            "struct A { int i __attribute__((aligned(16))); };",
        ),
    ] {
        let read = run(text);
        assert_eq!(read.text.trim_end(), expected);
        assert_eq!(kinds(&read), [], "{text}");
    }
    // What has nothing to do with a layout needs no note.
    let read = run(
        "void f(int a __attribute__((unused)));\nint g __attribute__((aligned(16)));\n_Pragma(\"unroll\")",
    );
    assert_eq!(kinds(&read), []);
}

#[test]
fn pragma_pack_marks_the_classes_that_follow() {
    let packed = |limit: u8| format!("struct __attribute__((packed({limit}))) A {{ }};");
    for (text, expected) in [
        ("#pragma pack(1)\nstruct A { };", packed(1)),
        ("#pragma pack(push, 2)\nstruct A { };", packed(2)),
        ("#pragma pack(push, name, 4)\nstruct A { };", String::new()),
        (
            "#pragma pack(4)\n#pragma pack(push, 1)\n#pragma pack(pop)\nstruct A { };",
            packed(4),
        ),
        (
            "#pragma pack(4)\n#pragma pack()\nstruct A { };",
            "struct A { };".to_owned(),
        ),
        (
            "#pragma pack(1)\ntemplate <class T> enum class A { };",
            "template <class T> enum class A { };".to_owned(),
        ),
        ("#pragma pack(3)\nstruct A { };", String::new()),
        ("#pragma pack(N)\nstruct A { };", String::new()),
        ("#pragma pack 1\nstruct A { };", String::new()),
    ] {
        let read = run(text);
        if expected.is_empty() {
            assert_eq!(kinds(&read), [NoteKind::LayoutAttribute], "{text}");
        } else {
            assert_eq!(kinds(&read), [], "{text}");
            assert_eq!(read.text.trim(), expected, "{text}");
        }
    }
}
