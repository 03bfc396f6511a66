//! Which template is meant: shapes of substitution that may fail, against what a C++ compiler makes of them; templates that grow or
//! name themselves; launches of no threads.
//!
//! **Method.** Each shape says of two classes whether a member is there. A kernel waits at its barrier where the shape says so, and
//! races where it does not: the verdict tells which was meant. All shapes stand in one file, which a compiler evaluates as well
//! where one is installed.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// The report on a file, and the exit status.
fn report(text: &str) -> (Value, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.cu"), text).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"))
        .current_dir(folder.path())
        .args(["check", "a.cu", "--no-cache", "--format", "json"])
        .stdin(Stdio::null())
        .output()
        .expect("runs");
    let status = output.status.code().expect("no signal ends it");
    let report = serde_json::from_slice(&output.stdout).expect("a report");
    (report, status)
}

/// The verdict on a kernel with its certainty: `racy confirmed`.
fn verdict(report: &Value, kernel: &str) -> String {
    let kernels = report["kernels"].as_array().expect("kernels");
    let mut found = kernels.iter().filter(|one| one["name"] == kernel);
    let one = found.next().expect(kernel);
    assert!(found.next().is_none(), "{kernel}");
    let verdict = one["verdict"].as_str().expect("a verdict");
    match one["certainty"].as_str() {
        Some(certainty) => format!("{verdict} {certainty}"),
        None => verdict.to_owned(),
    }
}

/// What stands before all shapes. `Full` has what is asked for, `Bare` has nothing.
const BEFORE: &str = "
template<class...> using Void = void;
template<bool B, class T = void> struct EnableIf {};
template<class T> struct EnableIf<true, T> { typedef T type; };
template<class T> struct Id { typedef T type; };
template<int N> struct Number {};
template<class A, class B> struct Same { static const bool value = false; };
template<class A> struct Same<A, A> { static const bool value = true; };
template<class T> T &&make();
struct Full {
  int x;
  static const int n = 4;
  typedef double type;
  typedef int value_type;
  enum { mark = 1 };
  struct Inner { int a; };
  void init() {}
  void join(int) const {}
  int size() const { return 1; }
  int operator[](int i) const { return i; }
  int operator+(int o) const { return o; }
  template<class U> void general(U) {}
};
struct Bare {};
";

/// A condition on `F` by a partial specialisation for `void`, whose second argument may not be formed.
const BY_VOID: [&str; 29] = [
    "Void<decltype(&F::init)>",
    "typename EnableIf<(sizeof(&F::join) > 0)>::type",
    "Void<decltype(F::x)>",
    "Void<typename F::type>",
    "decltype((void)F::x)",
    "decltype(F::x, void())",
    "Void<decltype(make<F>().init())>",
    "Void<decltype(make<F>().size())>",
    "Void<decltype(make<const F &>().join(1))>",
    "Void<decltype(make<F>()[0])>",
    "Void<decltype(make<F>() + 1)>",
    "typename EnableIf<(F::n > 0)>::type",
    "typename EnableIf<(sizeof(typename F::type) == 8)>::type",
    "Void<typename F::Inner>",
    "typename Id<Void<typename F::type>>::type",
    "Void<typename Id<typename F::type>::type>",
    "Void<decltype(F::mark)>",
    "Void<typename F::type *>",
    "Void<int[F::n]>",
    "Void<decltype(sizeof(F::x))>",
    "Void<decltype(static_cast<int>(F::n))>",
    "Void<decltype(F().x)>",
    "Void<decltype(&F::n)>",
    "Void<decltype(&F::init), typename F::type>",
    "typename Id<typename EnableIf<Same<typename F::value_type, int>::value>::type>::type",
    "Void<Number<F::n>>",
    "Void<typename F::type(int)>",
    "Void<decltype(-F::n)>",
    "Void<decltype(F::n < 4 ? F::n : 1)>",
];

/// Declarations with `@` for the name of the shape, and the condition, with `F` for the class.
const OTHERS: [(&str, &str); 15] = [
    (
        "template<class F, class E = int> struct @ { static const bool value = false; };
         template<class F> struct @<F, decltype(F::x)> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F> char @a(decltype(&F::init) *);
         template<class F> int @a(...);
         template<class F> struct @ { static const bool value = sizeof(@a<F>(0)) == 1; };",
        "@<F>::value",
    ),
    (
        "template<class F> struct @ {
           template<class U> static char test(typename U::type *);
           template<class U> static int test(...);
           static const bool value = sizeof(test<F>(0)) == 1;
         };",
        "@<F>::value",
    ),
    (
        "template<class F> struct @ {
           template<class U> static char test(Id<decltype(U::x)> *);
           template<class U> static int test(...);
           static const bool value = sizeof(test<F>(0)) == 1;
         };",
        "@<F>::value",
    ),
    (
        "template<class F, class = decltype(&F::init)> __device__ constexpr bool @(int) { return true; }
         template<class F> __device__ constexpr bool @(...) { return false; }",
        "@<F>(0)",
    ),
    (
        "template<class F> __device__ constexpr auto @(int) -> decltype(F::x, bool()) { return true; }
         template<class F> __device__ constexpr bool @(long) { return false; }",
        "@<F>(0)",
    ),
    (
        "template<class F, typename EnableIf<(F::n > 2), int>::type = 0>
         __device__ constexpr bool @(int) { return true; }
         template<class F> __device__ constexpr bool @(...) { return false; }",
        "@<F>(0)",
    ),
    (
        "template<class F, class = void> constexpr bool @ = false;
         template<class F> constexpr bool @<F, Void<decltype(&F::size)>> = true;",
        "@<F>",
    ),
    (
        "template<class F, bool B = true> struct @ { static const bool value = false; };
         template<class F> struct @<F, (sizeof(&F::init) > 0)> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F, int N = 4> struct @ { static const bool value = false; };
         template<class F> struct @<F, F::n> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F> typename EnableIf<Same<typename F::type, double>::value, char>::type @a(int);
         template<class F> int @a(...);",
        "(sizeof(@a<F>(0)) == 1)",
    ),
    (
        "template<class F> char @a(char (*)[sizeof(F::x)]);
         template<class F> int @a(...);",
        "(sizeof(@a<F>(0)) == 1)",
    ),
    (
        "template<class F> using @t = decltype(make<F>().init());
         template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, Void<@t<F>>> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, decltype(make<F>().init(), void())> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F> using @t = typename F::type;
         template<class F, class = @t<F>> __device__ constexpr bool @(int) { return true; }
         template<class F> __device__ constexpr bool @(long) { return false; }",
        "@<F>(0)",
    ),
];

/// Shapes that are not decided here: nothing is proved by them, and nothing is certain.
const UNDECIDED: [(&str, &str); 5] = [
    (
        "template<class V, template<class> class O, class F> struct @ { static const bool value = false; };
         template<template<class> class O, class F> struct @<Void<O<F>>, O, F> { static const bool value = true; };
         template<class F> using @o = typename F::type;",
        "@<void, @o, F>::value",
    ),
    (
        "template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, Void<decltype(make<F &>().x = 1)>> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, Void<decltype(noexcept(make<F>().init()))>> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, Void<decltype(new F(3))>> { static const bool value = true; };",
        "@<F>::value",
    ),
    (
        "template<class F, class E = void> struct @ { static const bool value = false; };
         template<class F> struct @<F, Void<int F::*>> { static const bool value = true; };",
        "@<typename Id<F>::type *>::value",
    ),
];

/// Declarations and condition of each shape, by its name.
fn shapes() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    let mut add = |text: String, condition: &str| {
        let name = format!("S{}", all.len());
        let text = text.replace('@', &name);
        let condition = condition.replace('@', &name);
        all.push((name, text, condition));
    };
    for pattern in BY_VOID {
        let text = format!(
            "template<class F, class E = void> struct @ {{ static const bool value = false; }};
             template<class F> struct @<F, {pattern}> {{ static const bool value = true; }};"
        );
        add(text, "@<F>::value");
    }
    for (text, condition) in OTHERS.into_iter().chain(UNDECIDED) {
        add(text.to_owned(), condition);
    }
    all
}

fn of(condition: &str, class: &str) -> String {
    let mut text = String::new();
    for part in condition.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        let rest = &part[word.len()..];
        text += if word == "F" { class } else { word };
        text += rest;
    }
    text
}

#[test]
fn what_cannot_be_formed_is_no_candidate() {
    let shapes = shapes();
    let decided = shapes.len() - UNDECIDED.len();
    assert!(decided >= 40, "{decided}");
    let mut text = BEFORE.to_owned();
    for (name, declarations, condition) in &shapes {
        text += declarations;
        for class in ["Full", "Bare"] {
            let condition = of(condition, class);
            let kernel = format!("{name}_{class}");
            write!(
                text,
                "
__global__ void {kernel}(int *a) {{
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  if ({condition}) __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}}
void go_{kernel}(int *a) {{ {kernel}<<<1, 64>>>(a); }}
"
            )
            .expect("a text");
        }
    }
    let (report, _) = report(&text);
    let mut wrong = Vec::new();
    for (position, (name, _, condition)) in shapes.iter().enumerate() {
        for (class, expected) in [("Full", "race_free"), ("Bare", "racy confirmed")] {
            let said = verdict(&report, &format!("{name}_{class}"));
            let is_right = match position < decided {
                true => said == expected,
                false => said != "race_free" && !said.ends_with("confirmed"),
            };
            if !is_right {
                wrong.push(format!("{condition} of {class}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A compiler says of the shapes what is expected of them here.
#[test]
fn a_compiler_chooses_the_same() {
    let mut text = String::from("#define __device__\n");
    text += BEFORE;
    let shapes = shapes();
    let decided = shapes.len() - UNDECIDED.len();
    for (_, declarations, condition) in &shapes[..decided] {
        let (full, bare) = (of(condition, "Full"), of(condition, "Bare"));
        writeln!(text, "{declarations}").expect("a text");
        writeln!(text, "static_assert({full}, \"\");").expect("a text");
        writeln!(text, "static_assert(!({bare}), \"\");").expect("a text");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.cpp");
    fs::write(&file, text).expect("a file");
    let output = Command::new("g++")
        .args(["-std=c++17", "-fsyntax-only", "-w"])
        .arg(&file)
        .output();
    let Ok(output) = output else {
        eprintln!("g++ is not installed: the shapes are not compared");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// The constant of a class may name the constant of what it is made of, without end.
#[test]
fn constants_that_name_themselves_are_not_followed() {
    let text = "
template<int N> struct Wrap { static const int n = N; };
__global__ void k(int *a) { a[threadIdx.x] = 1; }
template<class T> void inner(int *a) { k<<<1, T::n>>>(a); }
template<class T> void outer(int *a) { inner<Wrap<T::n> >(a); }
";
    let (report, _) = report(text);
    assert_eq!(verdict(&report, "k"), "race_free");
}

/// CUDA refuses a launch of no threads: it proves nothing, and other launches stand.
#[test]
fn a_launch_of_no_threads_proves_nothing() {
    let text = "
__global__ void only(int *a) { a[0] = threadIdx.x; }
__global__ void both(int *a) { a[0] = threadIdx.x; }
template<int N> void run(int *a) { dim3 block(32, N / 64, 1); only<<<4, block>>>(a); }
void go(int *a) { run<32>(a); both<<<0, 32>>>(a); both<<<1, 32>>>(a); }
";
    let (report, _) = report(text);
    assert_eq!(verdict(&report, "only"), "error");
    assert_eq!(verdict(&report, "both"), "racy confirmed");
}

/// The names of the kernels with their verdicts.
fn verdicts(text: &str) -> Vec<String> {
    let (report, _) = report(text);
    let kernels = report["kernels"].as_array().expect("kernels");
    let name = |one: &Value| one["name"].as_str().expect("a name").to_owned();
    let mut all: Vec<String> = kernels
        .iter()
        .map(|one| {
            let certainty = one["certainty"].as_str();
            let verdict = one["verdict"].as_str().expect("a verdict");
            match certainty {
                Some(certainty) => format!("{} {verdict} {certainty}", name(one)),
                None => format!("{} {verdict}", name(one)),
            }
        })
        .collect();
    all.sort();
    all
}

/// What the class of an argument tells of a template's parameters, numbers among them, and what it does not tell.
#[test]
fn numbers_are_deduced_from_classes() {
    let kernel = "
template<int K> struct Tag { static const int n = K; };
template<class T, int N> struct Box { T *p; };
template<int K> __global__ void tagged(float *a, Tag<K> t) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  if (K != 1) __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
template<class T, int N> __global__ void boxed(Box<T, N> b) { b.p[threadIdx.x / N] = sizeof(T); }
";
    let launches = |text: &str| verdicts(&format!("{kernel}{text}"));
    assert_eq!(
        launches(
            "void go(float *a, Box<double, 1> b, Box<double, 2> c) {
               tagged<<<1, 64>>>(a, Tag<2>());
               boxed<<<1, 64>>>(b);
             }"
        ),
        ["boxed<double, 1> race_free", "tagged<2> race_free"]
    );
    assert_eq!(
        launches(
            "void go(float *a, Box<short, 2> c) {
               tagged<<<1, 64>>>(a, Tag<1>());
               boxed<<<1, 64>>>(c);
             }"
        ),
        ["boxed<short, 2> race_free", "tagged<1> racy confirmed",]
    );
    // Which number the type is made with is not followed: that it is 1 is not certain.
    assert_eq!(
        launches(
            "template<class T> struct Chosen { typedef Tag<sizeof(T)> type; };
             void go(float *a, Chosen<double>::type t) {
               tagged<<<1, 64>>>(a, t);
             }
             __global__ void boxed();"
        )
        .iter()
        .filter(|line| line.starts_with("tagged"))
        .filter(|line| line.ends_with("confirmed"))
        .count(),
        0
    );
}

/// A launch means one of a template and its explicit specialisations; the other is not read for it.
#[test]
fn a_specialisation_is_read_for_its_own_arguments() {
    let text = "
template<typename T> __global__ void spoiled(T *a, int n) { a[threadIdx.x] = T(n); }
template<> __global__ void spoiled(float *a, int n) { a[0] = threadIdx.x; }
template<typename T> __global__ void mended(T *a, int n) { a[threadIdx.x / 2] = T(threadIdx.x); }
template<> __global__ void mended<float>(float *a, int n) { a[threadIdx.x] = n; }
template<int N> __global__ void counted(int *a) { a[threadIdx.x] = N; }
template<> __global__ void counted<3>(int *a) { a[0] = threadIdx.x; }
void go(float *a, int *b, int n) {
  spoiled<<<1, 64>>>(a, n);
  spoiled<<<1, 64>>>(b, n);
  mended<float><<<1, 64>>>(a, n);
  mended<int><<<1, 64>>>(b, n);
  counted<2><<<1, 64>>>(b);
  counted<3><<<1, 64>>>(b);
}
";
    assert_eq!(
        verdicts(text),
        [
            "counted<2> race_free",
            "counted<3> racy confirmed",
            "mended<float> race_free",
            "mended<int> racy confirmed",
            "spoiled<float> racy confirmed",
            "spoiled<int> race_free",
        ]
    );
    // A template of which only a specialisation is launched is checked for any launch; the one of the other is no launch of it that
    // host code does not come to.
    let (report, _) = report(
        "template<typename T> __global__ void kept(T *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = T(1); }
         template<> __global__ void kept<float>(float *a) { a[threadIdx.x] = 1; }
         void go(float *a) { kept<float><<<1, 64>>>(a); }",
    );
    assert_eq!(verdict(&report, "kept"), "race_free");
    assert_eq!(verdict(&report, "kept<float>"), "race_free");
    assert!(!report.to_string().contains("never reached"), "{report}");
}

/// `extern template` makes no instance.
#[test]
fn announced_instances_are_made_elsewhere() {
    let text = "
template<int K> __global__ void scale(int *a) { a[blockIdx.x * 256 + threadIdx.x] *= K; }
template<int K> void run(int *a, int n) { scale<K><<<n, 256>>>(a); }
extern template void run<2>(int *a, int n);
extern template void run<3>(int *a, int n);
extern template __global__ void scale<5>(int *a);
template void run<2>(int *a, int n);
";
    assert_eq!(verdicts(text), ["scale<2> race_free"]);
}

/// That a branch for types which nobody gives is taken, is not certain.
#[test]
fn types_that_nobody_chose_confirm_nothing() {
    let text = "
template<class A, class B> struct Same { static const bool value = false; };
template<class A> struct Same<A, A> { static const bool value = true; };
__device__ float one(float v) { return v; }
__device__ double one(double v) { return v; }
template<class T> __global__ void k(T *a, T *o) {
  if (!Same<T, float>::value && !Same<T, double>::value) { o[0] = threadIdx.x; return; }
  o[threadIdx.x] = one(a[threadIdx.x]);
}
";
    let said = verdicts(text);
    assert_eq!(said.len(), 1);
    assert!(
        !said[0].ends_with("confirmed") && !said[0].ends_with("race_free"),
        "{said:?}"
    );
}

/// How long a file takes.
fn seconds(text: &str) -> f64 {
    let start = Instant::now();
    let (report, _) = report(text);
    let kernels = report["kernels"].as_array().expect("kernels");
    assert!(!kernels.is_empty());
    for kernel in kernels {
        assert_eq!(kernel["verdict"], "race_free", "{kernel}");
    }
    start.elapsed().as_secs_f64()
}

/// That a text of twice the size takes three times as long at most; what any run takes is left out.
fn grows_with_its_size(of_size: impl Fn(usize) -> String, size: usize) {
    let (once, twice) = (seconds(&of_size(size)), seconds(&of_size(2 * size)));
    assert!(
        twice < 3.0 * once + 2.0,
        "{once} s, and {twice} s for twice the size"
    );
}

/// `size` classes of which each is made of the one before, named twice.
const PAIRS: &str = "
template<class A, class B> struct Pair { static const int size = A::size + B::size; };
struct Leaf { static const int size = 1; };
";

#[test]
fn instances_are_made_once() {
    grows_with_its_size(
        |count| {
            let mut members = String::from("using A0 = Pair<T, T>;");
            for level in 1..count {
                let before = level - 1;
                write!(members, " using A{level} = Pair<A{before}, A{before}>;").expect("a text");
            }
            let last = count - 1;
            format!(
                "{PAIRS}
template<class T> struct Chain {{ {members} }};
template<class C> __global__ void k(int *a) {{ typename C::A{last} e; a[threadIdx.x] = C::A{last}::size; }}
void go(int *a) {{ k<Chain<Leaf>><<<1, 64>>>(a); }}
"
            )
        },
        13,
    );
}

#[test]
fn aliases_are_followed_once() {
    grows_with_its_size(
        |count| {
            let mut text = format!("{PAIRS}template<class T> using A0 = Pair<T, T>;\n");
            for level in 1..count {
                let before = level - 1;
                writeln!(
                    text,
                    "template<class T> using A{level} = Pair<A{before}<T>, A{before}<T>>;"
                )
                .expect("a text");
            }
            let last = count - 1;
            text + &format!(
                "template<class C> __global__ void k(int *a) {{ a[threadIdx.x] = C::size; }}
void go(int *a) {{ k<A{last}<Leaf>><<<1, 64>>>(a); }}
"
            )
        },
        13,
    );
}

/// The sizes of instances are those that a compiler finds, however deep they nest: the twin races.
#[test]
fn what_is_kept_of_instances_is_their_own() {
    let text = format!(
        "{PAIRS}
struct Other {{ static const int size = 0; }};
template<class T> struct Chain {{ using A = Pair<T, T>; using B = Pair<A, A>; static const int n = B::size; }};
template<class C> __global__ void k(int *a) {{ a[threadIdx.x * C::n / 4] = threadIdx.x; }}
void go(int *a) {{ k<Chain<Leaf>><<<1, 64>>>(a); k<Chain<Other>><<<1, 64>>>(a); }}
"
    );
    assert_eq!(
        verdicts(&text),
        ["k<Chain<Leaf>> race_free", "k<Chain<Other>> racy confirmed"]
    );
}

/// Types that are made of each other without end are refused in time.
#[test]
fn endless_types_are_refused() {
    let text = "
template<class A, class B> struct Both { typedef typename Both<Both<A, B>, A>::type type; };
template<class A> struct Deep { static const int n = Deep<Deep<A>>::n + Deep<A *>::n; };
__global__ void k(int *a) { Both<int, int>::type x; a[threadIdx.x] = Deep<int>::n; }
void go(int *a) { k<<<1, 64>>>(a); }
";
    let start = Instant::now();
    let (report, _) = report(text);
    assert_ne!(verdict(&report, "k"), "race_free");
    assert!(start.elapsed().as_secs() < 300);
}

#[test]
fn many_kernels_take_as_many_times_as_long() {
    grows_with_its_size(
        |count| {
            (0..count).fold(String::new(), |text, number| {
                text + &format!(
                    "__global__ void k{number}(int *a) {{ a[blockIdx.x * 64 + threadIdx.x] = {number}; }}
void go{number}(int *a, int n) {{ k{number}<<<n, 64>>>(a); }}
"
                )
            })
        },
        300,
    );
}

#[test]
fn the_name_of_an_instance_stays_short() {
    // A thousand words from five definitions.
    let mut text =
        String::from("template<class... A> struct Pack {};\n#define A0 int\n#define B0 long\n");
    for level in 1..=5 {
        for letter in ["A", "B"] {
            let inner = format!("{letter}{}", level - 1);
            text += &format!("#define {letter}{level} Pack<{inner}, {inner}, {inner}, {inner}>\n");
        }
    }
    text += "template<class T> __global__ void k(int *a) { a[0] = threadIdx.x; }
void go(int *a) { k<A5><<<1, 64>>>(a); k<B5><<<1, 64>>>(a); }\n";
    let (report, _) = report(&text);
    let kernels = report["kernels"].as_array().expect("kernels");
    let mut names: Vec<&str> = kernels
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    names.dedup();
    assert!(names.iter().all(|name| name.len() < 1200), "{names:?}");
    assert_eq!(names.len(), 2, "both instances are there: {names:?}");
}
