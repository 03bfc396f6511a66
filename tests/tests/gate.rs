//! `warplog gate` on texts as language models write them: none that is racy, divergent or not understood passes.
//!
//! The texts are made here, each from a shape with other names, types, sizes and operations, so that no two are the same.

use serde_json::Value as Json;
use warplog_tests::command::Bench;

/// What a text is, which the gate is not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Correct,
    Racy,
    Divergent,
    NotUnderstood,
}

/// What changes from text to text.
struct Style {
    name: &'static str,
    ty: &'static str,
    block: usize,
    operation: &'static str,
}

fn style(number: usize) -> Style {
    let of = |list: [&'static str; 5], by: usize| list[(number / by) % 5];
    Style {
        name: of(
            [
                "fused_op",
                "custom_kernel",
                "my_cuda_op",
                "optimized",
                "v2_kernel",
            ],
            1,
        ),
        ty: of(["float", "double", "int", "float", "unsigned"], 2),
        block: [64, 128, 256, 512][number % 4],
        operation: of(["v * 2", "v + v", "v > 0 ? v : 0", "v * v - 1", "v / 3"], 3),
    }
}

/// A shape with the names of a style: `$K` the kernel, `$T` the type, `$B` the size of the block, `$O` what is computed from `v`.
fn written(shape: &str, style: &Style) -> String {
    shape
        .replace("$K", style.name)
        .replace("$T", style.ty)
        .replace("$B", &style.block.to_string())
        .replace("$H", &(style.block / 2).to_string())
        .replace("$O", style.operation)
}

const CORRECT: [&str; 10] = [
    "__global__ void $K(const $T* in, $T* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { $T v = in[i]; out[i] = $O; }
}
void run(const $T* in, $T* out, int n) { $K<<<(n + $B - 1) / $B, $B>>>(in, out, n); }",
    "__global__ void $K($T* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        $T v = data[i];
        data[i] = $O;
    }
}",
    "__global__ void $K(const $T* in, $T* out) {
    __shared__ $T s[$B];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * $B + t];
    __syncthreads();
    for (int k = $H; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) { $T v = s[0]; out[blockIdx.x] = $O; }
}
void run(const $T* in, $T* out, int blocks) { $K<<<blocks, $B>>>(in, out); }",
    "#define TILE 16
__global__ void $K(const $T* in, $T* out, int w, int h) {
    __shared__ $T tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < h && y < w) { $T v = tile[threadIdx.x][threadIdx.y]; out[y * h + x] = $O; }
}
void run(const $T* in, $T* out, int w, int h) {
    dim3 block(TILE, TILE), grid((w + 15) / 16, (h + 15) / 16);
    $K<<<grid, block>>>(in, out, w, h);
}",
    "__global__ void $K(const int* keys, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { int v = keys[i] & ($B - 1); atomicAdd(&bins[v], 1); }
}",
    "__global__ void $K(const $T* a, const $T* b, $T* c, int m, int n, int k) {
    __shared__ $T sa[16][16];
    __shared__ $T sb[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    $T v = 0;
    for (int t = 0; t < (k + 15) / 16; ++t) {
        sa[threadIdx.y][threadIdx.x] = row < m && t * 16 + threadIdx.x < k ? a[row * k + t * 16 + threadIdx.x] : 0;
        sb[threadIdx.y][threadIdx.x] = col < n && t * 16 + threadIdx.y < k ? b[(t * 16 + threadIdx.y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < 16; ++i) v += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = $O;
}
void run(const $T* a, const $T* b, $T* c, int m, int n, int k) {
    dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
    $K<<<grid, block>>>(a, b, c, m, n, k);
}",
    "__global__ void $K(const $T* in, $T* out, int n) {
    __shared__ $T s[$B + 2];
    int i = blockIdx.x * $B + threadIdx.x, t = threadIdx.x + 1;
    s[t] = i < n ? in[i] : 0;
    if (threadIdx.x == 0) s[0] = i > 0 && i - 1 < n ? in[i - 1] : 0;
    if (threadIdx.x == $B - 1) s[$B + 1] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n) { $T v = s[t - 1] + s[t] + s[t + 1]; out[i] = $O; }
}
void run(const $T* in, $T* out, int n) { $K<<<(n + $B - 1) / $B, $B>>>(in, out, n); }",
    "__global__ void $K(const float* in, float* out, int cols) {
    __shared__ float s[$B];
    int t = threadIdx.x;
    float v = -1e30f;
    for (int c = t; c < cols; c += $B) v = fmaxf(v, in[blockIdx.x * cols + c]);
    s[t] = v;
    __syncthreads();
    for (int k = $H; k > 0; k /= 2) {
        if (t < k) s[t] = fmaxf(s[t], s[t + k]);
        __syncthreads();
    }
    float top = s[0];
    for (int c = t; c < cols; c += $B) out[blockIdx.x * cols + c] = expf(in[blockIdx.x * cols + c] - top);
}
void run(const float* in, float* out, int rows, int cols) { $K<<<rows, $B>>>(in, out, cols); }",
    "__inline__ __device__ float warp_sum(float v) {
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffff, v, k);
    return v;
}
__global__ void $K(const float* in, float* out) {
    __shared__ float parts[32];
    float v = warp_sum(in[blockIdx.x * $B + threadIdx.x]);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < $B / 32; ++i) sum += parts[i];
        out[blockIdx.x] = sum;
    }
}
void run(const float* in, float* out, int blocks) { $K<<<blocks, $B>>>(in, out); }",
    "__global__ void $K(const $T* in, $T* out, int n) {
    __shared__ $T a[2][$B];
    int t = threadIdx.x, from = 0;
    a[0][t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int k = 1; k < $B; k *= 2) {
        int to = 1 - from;
        a[to][t] = t >= k ? a[from][t] + a[from][t - k] : a[from][t];
        from = to;
        __syncthreads();
    }
    if (t < n) { $T v = a[from][t]; out[t] = $O; }
}
void run(const $T* in, $T* out, int n) { $K<<<1, $B>>>(in, out, n); }",
];

/// What makes a correct shape racy: which text is replaced by which, in which shape.
const RACES: [(usize, &str, &str); 12] = [
    (0, "out[i] =", "out[i / 2] = threadIdx.x +"),
    (0, "out[i] = $O;", "out[0] += $O;"),
    (1, "data[i] = $O;", "data[i + 1] = $O;"),
    (2, "s[t + k];\n        __syncthreads();", "s[t + k];"),
    (2, "+ t];\n    __syncthreads();", "+ t];"),
    (3, "    __syncthreads();\n    x =", "    x ="),
    (4, "atomicAdd(&bins[v], 1);", "bins[v] += threadIdx.x + 1;"),
    (
        5,
        "        __syncthreads();\n    }\n    if (row",
        "    }\n    if (row",
    ),
    (6, "    __syncthreads();\n    if (i < n)", "    if (i < n)"),
    (7, "s[t + k]);\n        __syncthreads();", "s[t + k]);"),
    (
        8,
        "    __syncthreads();\n    if (threadIdx.x == 0)",
        "    if (threadIdx.x == 0)",
    ),
    (9, "a[to][t] =", "a[from][t] ="),
];

/// The same for divergence.
const DIVERGENCES: [(usize, &str, &str); 6] = [
    (
        2,
        "        if (t < k) s[t] += s[t + k];\n        __syncthreads();",
        "        if (t < k) { s[t] += s[t + k]; __syncthreads(); }",
    ),
    (
        2,
        "    int t = threadIdx.x;\n",
        "    int t = threadIdx.x;\n    if (t > $H) return;\n",
    ),
    (
        3,
        "    __syncthreads();\n    x =",
        "    if (x < w) __syncthreads();\n    x =",
    ),
    (
        6,
        "    __syncthreads();\n    if (i < n) {",
        "    if (i < n) { __syncthreads();",
    ),
    (
        7,
        "c += $B) v = fmaxf(v, in[blockIdx.x * cols + c]);",
        "c += $B) { v = fmaxf(v, in[blockIdx.x * cols + c]); __syncthreads(); }",
    ),
    (
        8,
        "float v = warp_sum(in[blockIdx.x * $B + threadIdx.x]);",
        "float v = in[blockIdx.x * $B + threadIdx.x];\n    if (threadIdx.x % 2 == 0) v = warp_sum(v);",
    ),
];

const NOT_UNDERSTOOD: [&str; 19] = [
    "",
    "Here is the optimized kernel. It uses shared memory to be $B times faster.",
    "#include <cuda_runtime.h>\nvoid run($T* data, int n) { for (int i = 0; i < n; ++i) data[i] = i; }",
    "__global__ void $K($T* data, int n) {\n    int i = threadIdx.x;\n    if (i < n) { data[i] = ",
    "__global__ void $K($T* data, int n);",
    "__global__ void $K($T* data, int n) { helper_from_elsewhere(data, n); }",
    "__global__ void $K($T* data) { asm volatile(\"made.up.instruction [%0], 1;\" :: \"l\"(data) : \"memory\"); }",
    "#if 0\n__global__ void $K($T* data) { data[0] = threadIdx.x; }\n#endif",
    "__global__ void good($T* data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = 1; }\n#ifdef FAST\n__global__ void $K($T* data) { data[0] = threadIdx.x; }\n#endif",
    "#include \"my_helpers.cuh\"\n__global__ void $K($T* data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = 1; }",
    "// warplog: allow data-race because the caller makes sure of it\n__global__ void $K($T* data) { data[0] = threadIdx.x; }",
    "__global__ void $K($T* data) { __requires(blockDim.x == 1 && gridDim.x == 1); data[0] = threadIdx.x; }",
    "__global__ void $K($T* data, int n) { assert(blockDim.x == 1 && gridDim.x == 1); data[0] = threadIdx.x; }",
    "__global__ void $K($T* data, const int* order, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[order[i]] = i; }",
    "import cupy\ndef build(body):\n    return cupy.RawKernel(f'__global__ void $K($T* data) {{ {body} }}', '$K')\n",
    "__global__ void $K($T* data) { if (threadIdx.x > 0 || blockIdx.x > 0) __builtin_unreachable(); data[0] = threadIdx.x; }",
    "__global__ void $K($T* data) { __builtin_assume(threadIdx.x == 0 && blockIdx.x == 0); data[0] = threadIdx.x; }",
    "__global__ void $K($T* data, $T by) { data[threadIdx.x] *= by; }",
    "__global__ void $K($T* data, $T* (*chosen)($T*)) { *chosen(data) = threadIdx.x; }",
];

/// 200 texts.
fn texts() -> Vec<(Kind, String)> {
    let mut all = Vec::new();
    let mutated = |mutations: &[(usize, &str, &str)], number: usize| {
        let (shape, from, to) = mutations[number % mutations.len()];
        let shape = CORRECT[shape];
        assert!(shape.contains(from), "{from}");
        written(&shape.replace(from, to), &style(number))
    };
    for number in 0..60 {
        all.push((Kind::Racy, mutated(&RACES, number)));
    }
    for number in 0..36 {
        all.push((Kind::Divergent, mutated(&DIVERGENCES, number)));
    }
    for number in 0..48 {
        let shape = NOT_UNDERSTOOD[number % NOT_UNDERSTOOD.len()];
        all.push((Kind::NotUnderstood, written(shape, &style(number))));
    }
    for number in 0..56 {
        let shape = CORRECT[number % CORRECT.len()];
        all.push((Kind::Correct, written(shape, &style(number))));
    }
    all
}

/// The answer about a text: the first line of what is printed, and the exit status.
fn answer(bench: &Bench, text: &str) -> (String, i32) {
    let name = match text.starts_with("import ") {
        true => "kernel.py",
        false => "kernel.cu",
    };
    let run = bench.with_input(&["gate", "-", "--stdin-name", name], text);
    let first = run.out.lines().next().unwrap_or_default();
    (first.to_owned(), run.status)
}

#[test]
fn no_text_passes_that_is_not_shown_to_be_right() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    let texts = texts();
    assert_eq!(texts.len(), 200);
    let (mut passed, mut wrongly) = (0, Vec::new());
    let mut refused = Vec::new();
    for (kind, text) in &texts {
        let (answer, status) = answer(&bench, text);
        let expected = match answer.as_str() {
            "pass" => 0,
            "warn" => 4,
            "fail" => 1,
            other => panic!("{other:?} about {text}"),
        };
        assert_eq!(status, expected, "{text}");
        match (kind, answer.as_str()) {
            (Kind::Correct, "pass") => passed += 1,
            (Kind::Correct, _) => refused.push(text),
            (_, "pass") => wrongly.push((kind, text)),
            _ => {}
        }
    }
    assert!(wrongly.is_empty(), "passed: {wrongly:#?}");
    assert_eq!((passed, refused.len()), (56, 0), "refused: {refused:#?}");
}

/// What stands before the text of a kernel that is racy if `RACY` is defined.
const RACY_BY_OPTION: &str = "#ifdef RACY
#define AT(i) ((i) / 2)
#else
#define AT(i) (i)
#endif
__global__ void k(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[AT(i)] = i;
}";

/// Options decide what is compiled: those that are followed count, and nothing passes under others.
#[test]
fn options_of_the_compiler_are_part_of_the_text() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    let with = |before: &str, options: &str| {
        let text = format!(
            "import cupy\n{before}\nk = cupy.RawKernel('''{RACY_BY_OPTION}''', 'k', options={options})\n"
        );
        answer(&bench, &text).0
    };
    assert_eq!(with("o = ['-std=c++17']", "o"), "pass");
    assert_eq!(with("", "('-DCALM',)"), "pass");
    assert_eq!(with("o = ['-DRACY']", "o"), "fail");
    assert_eq!(with("o = []\no.append('-DRACY')", "o"), "fail");
    for (before, options) in [
        ("from flags import o", "o"),
        ("o = []\nif fast:\n    o.append('-DRACY')", "o"),
        ("o = []\nchange(o)", "o"),
        ("o = []\nglobals()['o'] = ['-DRACY']", "o"),
        ("o = []\nexec(code)", "o"),
    ] {
        assert_eq!(with(before, options), "warn", "{before}");
    }
    // Nothing in it asks for a name, and yet it is another text if the options define one.
    let plain = "import cupy\nk = cupy.RawKernel('__global__ void k(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; \
         if (i < n) x[i] = i; }', 'k', options=o())\n";
    assert_eq!(answer(&bench, plain).0, "warn");
}

#[test]
fn reasons_say_what_is_wrong_and_where() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    let text = written(
        &CORRECT[2].replace("+ t];\n    __syncthreads();", "+ t];"),
        &style(0),
    );
    let run = bench.with_input(
        &["gate", "-", "--stdin-name", "k.cu", "--format", "json"],
        &text,
    );
    let judgement: Json = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(judgement["schema"], "warplog-gate/1");
    assert_eq!(judgement["answer"], "fail");
    let reason = &judgement["reasons"][0];
    assert_eq!(reason["kernel"], "fused_op");
    let text = reason["text"].as_str().expect("text");
    for part in ["data race", "`s`", "for example", "__syncthreads()"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let empty = bench.with_input(&["gate", "-", "--stdin-name", "k.cu"], "int x;\n");
    assert_eq!(empty.status, 1, "{empty:?}");
    assert!(empty.out.starts_with("fail\n"), "{empty:?}");
}

#[test]
fn a_configuration_beside_the_text_counts_for_nothing() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file(
        "k.cu",
        "__global__ void k(int *p) { p[0] = threadIdx.x; }\n",
    );
    bench.file("warplog.toml", "block-dim = [1]\ngrid-dim = [1]\n");
    assert_eq!(bench.run("check k.cu --no-cache").status, 0);
    assert_eq!(bench.run("gate k.cu").status, 1);
}
