//! Macro semantics: the examples of the C standard (6.10.3.5) and what GCC adds.

use super::{NoteKind, flat, kinds, run};

#[test]
fn object_macros_are_rescanned() {
    assert_eq!(flat("#define A B\n#define B 3\nint x = A;"), "int x = 3;");
}

#[test]
fn a_macro_is_not_expanded_in_itself() {
    assert_eq!(flat("#define A A + B\n#define B A\nA B"), "A + A A + B");
    assert_eq!(flat("#define f(x) f(x) + 1\nf(f(2))"), "f(f(2) + 1) + 1");
}

#[test]
fn standard_example_3() {
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
                #define str(x) # x\n\
                f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\n\
                g(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
                p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n\
                char c[2][6] = { str(hello), str() };\n";
    let expected = "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); \
                    f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1); \
                    int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };";
    assert_eq!(without_space(&flat(text)), without_space(expected));
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn standard_example_4_strings_and_pasting() {
    let text = "#define str(s) # s\n#define xstr(s) str(s)\n\
                #define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", x ## s, x ## t)\n\
                #define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
                #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
                debug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') == 0) str(: @\\n), s);\n\
                xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n";
    let expected = "printf(\"x\" \"1\" \"= %d, x\" \"2\" \"= %s\", x1, x2);\
                    fputs(\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\", s);\
                    \"vers2.h\" \"hello\"; \"hello\" \", world\"";
    assert_eq!(without_space(&flat(text)), without_space(expected));
}

#[test]
fn standard_example_5_empty_operands() {
    let text = "#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };";
    assert_eq!(flat(text), "int j[] = { 123, 45, 67, 89, 10, 11, 12, };");
}

#[test]
fn standard_example_hash_hash() {
    let text = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
                #define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);";
    assert_eq!(flat(text), "char p[] = \"x ## y\";");
}

#[test]
fn standard_example_7_variadic() {
    let text = "#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n\
                #define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n\
                debug(\"Flag\");\ndebug(\"X = %d\\n\", x);\nshowlist(The first, second, and third items.);\n\
                report(x>y, \"x is %d but y is %d\", x, y);";
    let expected = "fprintf(stderr, \"Flag\"); fprintf(stderr, \"X = %d\\n\", x); \
                    puts(\"The first, second, and third items.\"); \
                    ((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));";
    assert_eq!(flat(text), expected);
}

#[test]
fn gnu_comma_and_named_variadics() {
    let text = "#define e(f, ...) p(f, ## __VA_ARGS__)\n#define n(f, rest...) p(f, ## rest)\n#define ONE 1\n\
                e(a); e(a, ONE, 2); n(a); n(a, b, c);";
    assert_eq!(flat(text), "p(a); p(a, 1, 2); p(a); p(a, b, c);");
}

#[test]
fn va_opt() {
    let text = "#define F(a, ...) f(a __VA_OPT__(,) __VA_ARGS__)\nF(1); F(1, 2); F(1,);\n\
                #define G(X, ...) f(0, X __VA_OPT__(,) __VA_ARGS__)\n#define EMP\nG(a, b); G(a, EMP);";
    assert_eq!(
        without_space(&flat(text)),
        "f(1);f(1,2);f(1);f(0,a,b);f(0,a);"
    );
}

#[test]
fn a_call_may_reach_past_its_replacement() {
    assert_eq!(
        flat("#define f g\n#define g(x) [x]\nf(2) f\n(3)\nf"),
        "[2] [3] g"
    );
    assert_eq!(
        without_space(&flat("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)")),
        "2*9*g"
    );
}

#[test]
fn a_function_macro_without_parenthesis_stays() {
    assert_eq!(flat("#define f(x) x\nint f = 1; f"), "int f = 1; f");
    assert_eq!(flat("#define f (x)\nf"), "(x)");
}

#[test]
fn tokens_do_not_run_together() {
    let text = flat("#define M -1\n#define E\n#define P +\nx-M; y -E-z; a+P b; int E w; 1E 2");
    assert_eq!(text, "x- -1; y - -z; a+ + b; int w; 1E 2");
}

#[test]
fn directives_in_arguments_are_carried_out() {
    assert_eq!(
        flat("#define f(x) [x]\nf(1\n#if 0\n2\n#else\n3\n#endif\n)"),
        "[1 3]"
    );
}

#[test]
fn wrong_calls_stay_and_are_noted() {
    let wrong = run("#define f(x) x\nf(1, 2) after");
    assert_eq!(wrong.text, "f(1, 2) after\n");
    assert_eq!(kinds(&wrong), [NoteKind::MacroError]);
    let open = run("#define f(x) x\n#define ONE 1\nf(ONE, (2) after");
    assert_eq!(open.text, "f(ONE, (2) after\n");
    assert_eq!(kinds(&open), [NoteKind::MacroError]);
}

#[test]
fn bad_definitions_and_pastes_are_noted() {
    assert_eq!(kinds(&run("#define\n")), [NoteKind::MacroError]);
    assert_eq!(kinds(&run("#define f(x\n")), [NoteKind::MacroError]);
    assert_eq!(kinds(&run("#define f(1) x\n")), [NoteKind::MacroError]);
    let edge = run("#define f(x) x ##\n#define g ## y\nf(1) g");
    assert_eq!(kinds(&edge), [NoteKind::MacroError, NoteKind::MacroError]);
    let paste = run("#define f(x, y) x ## y\nf(+, a)");
    assert_eq!(
        (paste.text.trim(), kinds(&paste)),
        ("+ a", vec![NoteKind::BadPaste])
    );
}

#[test]
fn built_in_macros() {
    assert_eq!(
        flat("int a = __LINE__;\n#line 100\nint b = __LINE__;\n__FILE__ __COUNTER__ __COUNTER__"),
        "int a = 1; int b = 100; \"main.cu\" 0 1"
    );
    assert_eq!(flat("#define L __LINE__\n\nint a = L;"), "int a = 3;");
}

#[test]
fn launch_brackets_stay_together() {
    assert_eq!(
        flat("#define GO(k, g, b) k<<<g, b>>>\nGO(k, 1, 2)(x);"),
        "k<<<1, 2>>>(x);"
    );
}

#[test]
fn predefined_then_defines_then_undefines() {
    let config = super::Config {
        defines: vec![
            super::Define::parse("N=4"),
            super::Define::parse("ON"),
            super::Define::parse("SQ(x)=x*x"),
        ],
        undefines: vec!["__CUDACC__".to_owned()],
        ..super::Config::default()
    };
    let text = "N ON SQ(3) __CUDACC__ __CUDA_ARCH__ __NVCC__ __cplusplus";
    let found = super::run_with(text.as_bytes(), &[], &config).text;
    assert_eq!(found.trim(), "4 1 3*3 __CUDACC__ 700 1 201703L");
}
