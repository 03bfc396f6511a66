//! Deep nesting of every kind: a file is never lost to it, and never the file beside it.
//!
//! **Method.** For each kind of construct that may stand in itself, or lead to another of its kind by name, a file nests it thousands
//! of times. All are checked in one scan, beside a file that is race-free: nothing crashes, that file is found race-free, and each of
//! the others is decided or doubted in words.

use std::fmt::Write as _;

use warplog_tests::command::Bench;

/// How deep: far deeper than any stack would bear that is not bounded by a count.
const DEPTH: usize = 4000;

const FINE: &str =
    "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";

/// `open` so many times, `inner`, and `close` as often.
fn nested(open: &str, inner: &str, close: &str) -> String {
    open.repeat(DEPTH) + inner + &close.repeat(DEPTH)
}

/// A line for each number from 1, with `#` for the number and `@` for the one before.
fn chain(line: &str) -> String {
    (1..=DEPTH).fold(String::new(), |text, number| {
        let line = line.replace('@', &(number - 1).to_string());
        text + &line.replace('#', &number.to_string()) + "\n"
    })
}

/// A kernel with these statements.
fn kernel(body: &str) -> String {
    format!(
        "__global__ void k(int *a, int n) {{ int x = n;\n{body}\na[blockIdx.x * blockDim.x + threadIdx.x] = x; }}\n"
    )
}

/// Declarations, and a kernel that uses `value`.
fn with(declarations: &str, value: &str) -> String {
    declarations.to_owned() + &kernel(&format!("x = {value};"))
}

fn expressions() -> Vec<(&'static str, String)> {
    let assigned = |value: String| kernel(&format!("x = {value};"));
    let function = "__device__ int f(int i) { return i; }\n";
    vec![
        ("parentheses", assigned(nested("(", "n", ")"))),
        ("unary", assigned(nested("- ", "n", ""))),
        ("sums", assigned(nested("n + ", "n", ""))),
        ("right_sums", assigned(nested("n + (", "n", ")"))),
        ("conditionals", assigned(nested("n ? 1 : ", "n", ""))),
        ("casts", assigned(nested("(int)", "n", ""))),
        (
            "named_casts",
            assigned(nested("static_cast<int>(", "n", ")")),
        ),
        ("indices", assigned(nested("a[", "n", "]"))),
        ("commas", assigned(nested("(n, ", "n", ")"))),
        ("assignments", assigned(nested("x = ", "n", ""))),
        ("sizes", assigned(nested("sizeof(", "n", ")"))),
        (
            "calls",
            function.to_owned() + &assigned(nested("f(", "n", ")")),
        ),
        ("lambdas", assigned(nested("[&] { return ", "n", "; }()"))),
        (
            "computed_types",
            kernel(&format!("{} y;", nested("decltype(", "n", ")"))),
        ),
        (
            "initialisers",
            kernel(&format!("int y[1] = {};", nested("{", "n", "}"))),
        ),
        (
            "global_initialisers",
            with(
                &format!("__constant__ int c[1] = {};\n", nested("{", "1", "}")),
                "c[0]",
            ),
        ),
        (
            "logic",
            kernel(&format!("if ({}) x = 1;", nested("n && (", "n", ")"))),
        ),
    ]
}

fn statements() -> Vec<(&'static str, String)> {
    vec![
        ("blocks", kernel(&nested("{", "x = 1;", "}"))),
        ("ifs", kernel(&nested("if (n) ", "x = 1;", ""))),
        (
            "else_ifs",
            kernel(&nested("if (n == 3) x = 2; else ", "x = 1;", "")),
        ),
        (
            "loops",
            kernel(&nested("for (int i = 0; i < n; i++) ", "x++;", "")),
        ),
        ("whiles", kernel(&nested("while (x < n) ", "x++;", ""))),
        ("dos", kernel(&nested("do ", "x++;", " while (x < n);"))),
        (
            "switches",
            kernel(&nested("switch (n) { case 1: ", "x = 1;", "}")),
        ),
        ("labels", kernel(&chain("l#: x = x + 1;"))),
        ("updates", kernel(&chain("x = x * 3 + #;"))),
        ("branches", kernel(&chain("if (n == #) x = x + @;"))),
        (
            "locals",
            kernel(&("int v0 = n;\n".to_owned() + &chain("int v# = v@ * v@;") + "x = v9;")),
        ),
    ]
}

fn types() -> Vec<(&'static str, String)> {
    let id = "template<class T> struct Id { typedef T type; };\n";
    vec![
        ("pointers", kernel(&format!("int {} p;", "*".repeat(DEPTH)))),
        ("arrays", kernel(&format!("int p{};", "[1]".repeat(DEPTH)))),
        (
            "declarators",
            kernel(&format!("int {};", nested("(", "p", ")"))),
        ),
        (
            "function_types",
            kernel(&format!("int {};", nested("(*", "p", ")(int)"))),
        ),
        (
            "arguments",
            id.to_owned() + &kernel(&format!("{} y;", nested("Id<", "int", ">"))),
        ),
        (
            "member_types",
            id.to_owned()
                + &kernel(&format!(
                    "{} y = n; x = y;",
                    nested("typename Id<", "int", ">::type")
                )),
        ),
        (
            "aliases",
            with(
                &("typedef int T0;\n".to_owned() + &chain("typedef T@ T#;")),
                "T4000(n)",
            ),
        ),
        (
            "pointer_aliases",
            with(
                &("typedef int T0;\n".to_owned() + &chain("typedef T@ *T#;")),
                "sizeof(T4000)",
            ),
        ),
        (
            "bases",
            with(
                &("struct S0 { int m; };\n".to_owned() + &chain("struct S# : S@ {};")),
                "S4000().m",
            ),
        ),
        (
            "members",
            with(
                &("struct S0 { int m; };\n".to_owned() + &chain("struct S# { S@ s; };")),
                "sizeof(S4000)",
            ),
        ),
        (
            "constants",
            with(
                &("const int c0 = 1;\n".to_owned() + &chain("const int c# = c@ + 1;")),
                "c4000",
            ),
        ),
        (
            "recursive_numbers",
            with(
                "template<int N> struct R { static const int v = R<N - 1>::v + 1; };\ntemplate<> struct R<0> { static const int v = 0; };\n",
                "R<4000>::v",
            ),
        ),
        (
            "recursive_bases",
            with(
                "template<int N> struct R : R<N - 1> {};\ntemplate<> struct R<0> { static const int v = 0; };\n",
                "R<4000>::v",
            ),
        ),
        (
            "recursive_types",
            with(
                "template<int N> struct R { typedef typename R<N - 1>::type *type; };\ntemplate<> struct R<0> { typedef int type; };\n",
                "sizeof(R<4000>::type)",
            ),
        ),
        (
            "recursive_functions",
            with(
                "template<int N> __device__ int r(int n) { return r<N - 1>(n + 1); }\ntemplate<> __device__ int r<0>(int n) { return n; }\n",
                "r<4000>(n)",
            ),
        ),
        (
            "constant_functions",
            with(
                "constexpr int r(int n) { return n == 0 ? 0 : r(n - 1) + 1; }\n",
                "r(4000)",
            ),
        ),
        (
            "enumerations",
            with(
                &("enum { e0 = 1 };\n".to_owned() + &chain("enum { e# = e@ + 1 };")),
                "e4000",
            ),
        ),
    ]
}

fn declarations() -> Vec<(&'static str, String)> {
    let launch = "void launch(int *a, int n) { k<<<n, 64>>>(a, n); }\n";
    let calls = "__device__ int f0(int i) { return i; }\n".to_owned()
        + &chain("__device__ int f#(int i) { return f@(i + 1); }");
    let host = "void h0(int *a, int n) { k<<<n, 64>>>(a, n); }\n".to_owned()
        + &chain("void h#(int *a, int n) { h@(a, n + 1); }");
    vec![
        ("namespaces", nested("namespace n { ", FINE, "}")),
        ("classes", with(&nested("struct S { ", "int m;", "};"), "1")),
        ("linkage", nested("extern \"C\" { ", FINE, "}")),
        ("device_calls", with(&calls, "f4000(n)")),
        ("host_calls", kernel("") + &host),
        (
            "host_blocks",
            kernel("")
                + &format!(
                    "void h(int *a, int n) {{ {} }}\n",
                    nested("if (n) {", "k<<<n, 64>>>(a, n);", "}")
                ),
        ),
        (
            "host_values",
            kernel("")
                + &format!(
                    "void h(int *a, int n) {{ k<<<{}, 64>>>(a, n); }}\n",
                    nested("n + (", "n", ")")
                ),
        ),
        (
            "host_lambdas",
            kernel("")
                + &format!(
                    "void h(int *a, int n) {{ {} }}\n",
                    nested("[&] { ", "k<<<n, 64>>>(a, n);", "}();")
                ),
        ),
        (
            "template_headers",
            "template<template<class> ".to_owned()
                + &nested("class A, template<class> ", "class T", "")
                + "> struct S {};\n"
                + &kernel("")
                + launch,
        ),
        (
            "macros",
            "#define F(x) x + 1\n".to_owned()
                + &kernel(&format!("x = {};", nested("F(", "n", ")"))),
        ),
        (
            "macro_names",
            "#define M0 1\n".to_owned() + &chain("#define M# M@") + &kernel("x = M4000;"),
        ),
        ("conditions", nested("#if 1\n", FINE, "#endif\n")),
        (
            "condition_values",
            format!("#if {}\nint declared;\n#endif\n", nested("(", "1", ")")) + &kernel(""),
        ),
    ]
}

#[test]
fn what_is_nested_deeply_is_doubted_and_costs_nothing_else() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    let kinds = [expressions(), statements(), types(), declarations()].concat();
    for (name, text) in &kinds {
        bench.file(&format!("src/{name}.cu"), text);
    }
    bench.file("src/_first.cu", FINE);
    bench.file("src/zz_last.cu", FINE);
    // Headers that include each other by name.
    for level in 0..120 {
        let text = format!("#include \"h{}.h\"\n", level + 1);
        bench.file(&format!("src/h{level}.h"), &text);
    }
    bench.file("src/h120.h", FINE);
    bench.file("src/includes.cu", "#include \"h0.h\"\n");
    let run = bench.run("check src --format json --file-timeout 100");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let mut wrong = String::new();
    for error in report["errors"].as_array().expect("errors") {
        let message = error["message"].as_str().unwrap_or_default();
        if ["crashed", "internal error", "out of "]
            .iter()
            .any(|word| message.contains(word))
        {
            writeln!(wrong, "{error}").expect("a string");
        }
    }
    let kernels = report["kernels"].as_array().expect("kernels");
    for file in ["src/_first.cu", "src/zz_last.cu"] {
        let free = kernels
            .iter()
            .filter(|one| one["file"] == file && one["verdict"] == "race_free");
        assert_eq!(free.count(), 1, "{file}");
    }
    // Each is decided, or told.
    for (name, _) in &kinds {
        let file = format!("src/{name}.cu");
        let is_told = |all: &str| {
            let all = report[all].as_array().expect("a list");
            all.iter().any(|one| one["file"] == file.as_str())
        };
        if !is_told("kernels") && !is_told("errors") {
            writeln!(wrong, "nothing is said of {file}").expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
