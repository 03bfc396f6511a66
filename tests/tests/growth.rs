//! Large headers and large programs: a file with twice as many declarations takes twice as long, not four times, and so do
//! twice as many kernels.
//!
//! **Method.** For each kind of declaration that headers of libraries have thousands of, a file with so many of them and one with
//! twice as many are checked. What is compared is the time of the processor, which other programs on the machine do not change, less
//! that of a file without any. All stands in one test, because the time of children is told for the whole process.

use std::fs;

use warplog_tests::command::Bench;

/// What all files end in.
const KERNEL: &str = "
__global__ void add_one(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[i] + 1.0f;
}
void run_add_one(float *a) { add_one<<<16, 256>>>(a); }
";

/// The processor's time of all children that came to their end, in hundredths of a second.
fn time_of_children() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("a process");
    // The name of the program may hold anything; the fields are counted from behind it.
    let (_, fields) = stat.rsplit_once(") ").expect("fields");
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks = |position: usize| fields[position].parse::<u64>().expect("a number");
    ticks(13) + ticks(14)
}

/// The time that a file takes, of whose kernels all must be race-free.
fn hundredths(text: &str) -> u64 {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("a.cu", text);
    let before = time_of_children();
    let run = bench.run("check a.cu --no-cache --format json --file-timeout 100");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let kernels = report["kernels"].as_array().expect("kernels");
    assert!(!kernels.is_empty(), "{run:?}");
    for kernel in kernels {
        assert_eq!(kernel["verdict"], "race_free", "{kernel}");
    }
    time_of_children() - before
}

/// So many lines, with `#` for the number of each.
fn lines(count: usize, line: &str) -> String {
    (0..count).fold(String::new(), |text, number| {
        text + &line.replace('#', &number.to_string()) + "\n"
    })
}

/// Aliases of which each instance of a class template asks whether its constructors mean it.
fn aliases(count: usize) -> String {
    "struct Other { float x; };
     struct More { float x; };
     template<class T, int N> struct Vec {
       T x[N];
       __device__ Vec() {}
       __device__ Vec(const Other &v) { x[0] = v.x; }
       __device__ Vec(const More &v) { x[0] = v.x; }
     };\n"
        .to_owned()
        + &lines(
            count,
            "typedef Vec<float, # + 1> vec#; struct Uses# { vec# *v; };",
        )
        + "__global__ void take(float *a) {\n"
        + &lines(count, "Uses# u#;")
        + "a[blockIdx.x * blockDim.x + threadIdx.x] = 0; }\n"
}

/// Traits of which all have members of the same names.
fn members(count: usize) -> String {
    lines(
        count,
        "struct Trait# { typedef float type; static const int value = #; enum { kind = # + 1 };
           __device__ float operator()(float x) const { return x + value; } };",
    ) + "__global__ void take(float *a) { float x = 0;\n"
        + &lines(
            count / 4,
            "{ Trait#::type y = Trait#::value + Trait#::kind; x = x + y + Trait#()(x); }",
        )
        + "a[blockIdx.x * blockDim.x + threadIdx.x] = x; }\n"
}

/// Host functions that mention the kernel by a word, and classes that are called without their names.
fn host(count: usize) -> String {
    lines(
        count,
        "struct Call# { int n; void operator()(float *add_one) const { n_(add_one); } void n_(float *) const; };
         void use#(float *add_one) { Call# c; c(add_one); }",
    )
}

/// Host functions each of which calls the one before four times, so many deep: four times as many launches with each, of which a bounded
/// number is followed.
fn calls(count: usize) -> String {
    "__global__ void reached(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
     void call0(float *a, int n) { for (int i = 0; i < n; i++) reached<<<4, 64>>>(a); }\n"
        .to_owned()
        + &(1..=count).fold(String::new(), |text, level| {
            let below = level - 1;
            text + &format!(
                "void call{level}(float *a, int n) {{
                   if (n > {level}) call{below}(a, n); else {{ call{below}(a, n + 1); call{below}(a, n - 1); }}
                   call{below}(a, {level});
                   call{below}(a + 64, n);
                 }}\n"
            )
        })
}

/// A name, the text of a size, and the size.
type Kind = (&'static str, fn(usize) -> String, usize);

/// Overloads that take enumerations.
fn overloads(count: usize) -> String {
    lines(
        count,
        "enum Kind# { none# };
         __device__ inline int pick(Kind#, int i) { return i; }
         inline int operator|(Kind# a, int b) { return b; }
         inline int use#(int flags) { return flags | add_one_more(flags); }",
    )
}

/// So many kernels with a launch each, two of five racy.
fn kernels(count: usize) -> String {
    let fifths = lines(
        count / 5,
        "__global__ void add#(float *a, int n) {
           int i = blockIdx.x * blockDim.x + threadIdx.x;
           if (i < n) a[i] += #;
         }
         __global__ void copy#(float *a, const float *b) { a[blockIdx.x * 64 + threadIdx.x] = b[threadIdx.x]; }
         __global__ void fill#(float *a, int w) { if (threadIdx.x < w) a[blockIdx.x * blockDim.x + threadIdx.x] = #; }
         __global__ void turn#(float *a) {
           __shared__ float s[64];
           s[threadIdx.x] = a[threadIdx.x];
           __syncthreads();
           if (blockIdx.x == 0) a[threadIdx.x] = s[63 - threadIdx.x];
         }
         __global__ void next#(float *a) { if (blockIdx.x == 0) a[threadIdx.x] = a[threadIdx.x + 1]; }",
    );
    let calls = lines(
        count / 5,
        "add#<<<16, 64>>>(a, n); copy#<<<16, 64>>>(a, b); fill#<<<16, 64>>>(a, n); turn#<<<16, 64>>>(b); next#<<<16, 64>>>(b);",
    );
    format!("{fifths} void run(float *a, float *b, int n) {{ {calls} }}")
}

/// The time that `solve` takes for the facts of so many kernels.
fn hundredths_of_solve(count: usize) -> u64 {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("a.cu", &kernels(count));
    let run = bench.run("facts a.cu --out facts");
    assert_eq!(run.status, 0, "{run:?}");
    let before = time_of_children();
    let run = bench.run("solve facts --format json --jobs 1");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let kernels = report["kernels"].as_array().expect("kernels");
    let racy = kernels.iter().filter(|kernel| kernel["verdict"] == "racy");
    assert_eq!((kernels.len(), racy.count()), (count, count / 5 * 2));
    time_of_children() - before
}

/// The time that `check` takes for so many kernels in one file, two of five racy: each of these is asked for a mend.
fn hundredths_of_check(count: usize) -> u64 {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("a.cu", &kernels(count));
    let before = time_of_children();
    let run = bench.run("check a.cu --no-cache --format json --file-timeout 100");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["kernels"].as_array().expect("kernels").len(), count);
    time_of_children() - before
}

/// A function that calls three instances of itself, for numbers that nothing tells: no reading of them all comes to an end.
const UNKNOWN_INSTANCES: &str = "
template <int N> __device__ int fold(const int *p) {
  if constexpr (N == 1) return p[0];
  else if constexpr (N % 2 == 1) return p[0] + fold<N - 1>(p + 1);
  else return fold<N / 2>(p) + fold<N / 2>(p + N / 2);
}
template <class Policy> __global__ void tail(const int *in, int *out) { out[threadIdx.x] = fold<Policy::items>(in); }
";

#[test]
fn instances_for_unknown_numbers_are_not_followed_one_after_the_other() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("a.cu", UNKNOWN_INSTANCES);
    let run = bench.run("check a.cu --no-cache --format json");
    let report: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["kernels"][0]["verdict"], "unknown", "{run:?}");
    let told = report["unsupported"].to_string();
    assert!(
        told.contains("recursive") && !told.contains("too large"),
        "{told}"
    );
}

#[test]
fn twice_as_much_takes_twice_as_long() {
    let least = hundredths(KERNEL);
    let kinds: [Kind; 5] = [
        ("aliases", aliases, 1500),
        ("members", members, 1500),
        ("host", host, 600),
        ("overloads", overloads, 1500),
        ("calls", calls, 8),
    ];
    for (kind, of_size, size) in kinds {
        let time = |size| hundredths(&(of_size(size) + KERNEL)).saturating_sub(least);
        let (once, twice) = (time(size), time(2 * size));
        // Half a second for what does not grow.
        assert!(
            twice < 3 * once + 50,
            "{kind}: {once} hundredths of a second, and {twice} for twice as many"
        );
    }
    let (once, twice) = (hundredths_of_check(300), hundredths_of_check(600));
    assert!(
        2 * twice < 5 * once + 100,
        "check: {once} hundredths of a second, and {twice} for twice as many kernels"
    );
    let (once, twice) = (hundredths_of_solve(500), hundredths_of_solve(1000));
    assert!(
        2 * twice < 5 * once + 100,
        "solve: {once} hundredths of a second, and {twice} for twice as many kernels"
    );
}
