//! No kernel is lost without a word: what a count of words finds and the report lacks is an error of the run.

use warplog_tests::command::{Bench, Run};

const FINE: &str =
    "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";
const RACY: &str = "__global__ void racy(int *a) { a[0] = threadIdx.x; }\n";

fn check(files: &[(&str, &str)], line: &str) -> Run {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench.run(line)
}

#[test]
fn a_file_that_is_cut_off_is_an_error() {
    for (end, message) in [
        ("/* not closed", "comment `/*` without its `*/`"),
        ("#if 1\n", "`#if` without its `#endif`"),
        (
            "#ifdef NEVER\n__global__ void l(int *a) { a[0] = threadIdx.x; }\n",
            "`#if` without its `#endif`",
        ),
        (
            "void run(int *a) { fine<<<1, 2",
            "the text ends before this brace is closed",
        ),
        (
            "namespace n {\n",
            "the text ends before this brace is closed",
        ),
        (
            "__global__ void cut(int *a",
            "1 of 2 mentions of __global__ were not understood",
        ),
        (
            "__global__ void cut(int *a) { a[0] = 1;",
            "the text ends before this brace is closed",
        ),
    ] {
        let run = check(
            &[("k.cu", &format!("{FINE}{end}"))],
            "check k.cu --format concise",
        );
        assert_eq!(run.status, 3, "{end}: {run:?}");
        assert!(run.out.contains(message), "{end}: {run:?}");
    }
    // What only looks like a cut is none.
    for end in [
        "// {\n",
        "const char *s = \"{\";\n",
        "const char c = '{';\n",
        "#if 0\n{\n#endif\n",
    ] {
        let run = check(
            &[("k.cu", &format!("{FINE}{end}"))],
            "check k.cu --format concise",
        );
        assert_eq!(run.status, 0, "{end}: {run:?}");
    }
}

#[test]
fn a_kernel_behind_macros_without_end_is_an_error() {
    let mut text = String::from("#define M0 0 +\n");
    for level in 1..24 {
        text += &format!("#define M{level} M{0} M{0}\n", level - 1);
    }
    text += "const int sums[] = { M23 0, M23 0 };\n";
    text += RACY;
    let run = check(&[("k.cu", &text)], "check k.cu --format concise");
    assert_eq!(run.status, 3, "{run:?}");
    assert!(
        run.out
            .contains("the macros expand to too much text: the file is read up to here only"),
        "{run:?}"
    );
}

#[test]
fn kernels_in_other_sources_of_a_folder_are_checked() {
    let files = [
        ("src/a.cu", FINE),
        ("src/b.cpp", RACY),
        ("src/c.cc", "// not a `__global__` function\nint c;\n"),
        (
            "src/d.cxx",
            "const char *text = \"__global__ void d() {}\";\n",
        ),
    ];
    let run = check(&files, "check src --format concise");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.out.contains("src/b.cpp:1"), "{run:?}");
    let run = check(&files, "check src --coverage");
    assert!(run.out.contains("in 2 files"), "{run:?}");
}

#[test]
fn a_scan_that_checked_no_kernel_is_not_clean() {
    let run = check(&[("src/a.cu", "int a;\n")], "check src --format concise");
    assert_eq!(run.status, 3, "{run:?}");
    assert!(run.out.contains("error: no kernel was checked"), "{run:?}");
    let files = [("src/a.cu", "int a;\n"), ("src/b.cu", FINE)];
    let run = check(&files, "check src --format concise");
    assert_eq!(run.status, 0, "{run:?}");
}

#[test]
fn a_body_that_conditionals_leave_out_is_not_proved() {
    let text = "__global__ void shifted(int *a) {\n\
                #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n\
                a[threadIdx.x + 1] = a[threadIdx.x];\n\
                #endif\n}\n\
                __global__ void nothing(int *a) {}\n\
                void go(int *a) { shifted<<<1, 64>>>(a); nothing<<<1, 64>>>(a); }\n";
    let run = check(&[("k.cu", text)], "check k.cu --arch sm_70");
    assert!(run.out.contains("unknown  k.cu:1 shifted"), "{run:?}");
    assert!(
        run.out
            .contains("its conditionals leave nothing of it for `__CUDA_ARCH__` = 700"),
        "{run:?}"
    );
    assert!(run.out.contains("race_free  k.cu:6 nothing"), "{run:?}");
    for flags in ["-D __CUDA_ARCH__=900", "--arch sm_90", ""] {
        let run = check(&[("k.cu", text)], &format!("check k.cu --verbose {flags}"));
        assert!(run.out.contains("racy  k.cu:1 shifted"), "{run:?}");
        let told = format!("{}{}", run.out, run.err);
        let is_told = told.contains("read for __CUDA_ARCH__ = 900");
        assert_eq!(is_told, flags.is_empty(), "{run:?}");
    }
    // What it is said to be it is.
    let run = check(&[("k.cu", text)], "check k.cu -D __CUDA_ARCH__=700");
    assert!(run.out.contains("unknown  k.cu:1 shifted"), "{run:?}");
}

#[test]
fn several_architectures_are_read_in_one_run() {
    let text = "__global__ void each(int *a) {\n\
                #if __CUDA_ARCH__ >= 900\n\
                a[threadIdx.x / 2] = threadIdx.x;\n\
                #elif __CUDA_ARCH__ >= 800\n\
                a[threadIdx.x] = threadIdx.x;\n\
                #else\n\
                a[threadIdx.x / 4] = threadIdx.x;\n\
                #endif\n}\n\
                void go(int *a) { each<<<1, 64>>>(a); }\n";
    let run = check(
        &[("k.cu", text)],
        "check k.cu --arch sm_70,sm_80,sm_90a --format json",
    );
    for said in [
        "found for __CUDA_ARCH__ = 900, not for 700, 800",
        "found for __CUDA_ARCH__ = 700, not for 800, 900",
    ] {
        assert!(run.out.contains(said), "{run:?}");
    }
    let run = check(&[("k.cu", text)], "check k.cu --arch sm_70,sm_80,sm_90a");
    assert!(run.out.contains("1 kernel in 1 file: 1 racy"), "{run:?}");
    let run = check(&[("k.cu", text)], "check k.cu --arch compute_80");
    assert!(run.out.contains("race_free  k.cu:1 each"), "{run:?}");
    let run = check(&[("k.cu", text)], "check k.cu --arch gfx90a");
    assert_eq!(run.status, 2, "{run:?}");
}

/// The threads run millions of iterations: no replay gets to their end, and the finding says so.
#[test]
fn a_witness_that_takes_too_long_to_replay_is_a_finding() {
    let text = "__global__ void relax(float *grid, const float *limit) {\n\
                __shared__ float tile[8 * 50];\n\
                int base = threadIdx.y * 50;\n\
                for (int at = threadIdx.x; at < 50; at += 8) tile[base + at] = grid[base + at];\n\
                __syncthreads();\n\
                for (int sweep = 0; sweep < 40000; sweep++)\n\
                for (int lower = 0; lower < 9; lower++)\n\
                for (int upper = lower + 1; upper < 10; upper++) {\n\
                float sum = 0;\n\
                for (int k = 0; k < 5; k++) sum += tile[base + lower * 5 + k] * tile[base + upper * 5 + k];\n\
                if (sum < limit[threadIdx.y]) continue;\n\
                __syncthreads();\n\
                if (threadIdx.x < 5) tile[base + lower * 5 + threadIdx.x] += sum;\n\
                __syncthreads();\n\
                }\n}\n\
                void go(float *grid, const float *limit) { relax<<<1, dim3(8, 8)>>>(grid, limit); }\n";
    let run = check(
        &[("k.cu", text)],
        "check k.cu --fail-on potential --show potential",
    );
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.out.contains("potential barrier divergence in `relax`"),
        "{run:?}"
    );
    assert!(
        run.out
            .contains("potential, because of the replay of the witness, which is too long"),
        "{run:?}"
    );
}

/// What is met only after many iterations is replayed to there, as no smaller witness exists.
#[test]
fn a_long_replay_takes_no_confirmed_race_away() {
    for rounds in [50, 20_000] {
        let text = format!(
            "__global__ void last(int *out, int rounds) {{\n\
             __shared__ int seen[64];\n\
             for (int round = 0; round < rounds; round++) {{\n\
             seen[threadIdx.x] = round;\n\
             __syncthreads();\n\
             if (round == rounds - 1) out[0] = threadIdx.x;\n\
             }}\n}}\n\
             void go(int *out) {{ last<<<1, 64>>>(out, {rounds}); }}\n"
        );
        let run = check(&[("k.cu", &text)], "check k.cu");
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.out.contains("confirmed data race in `last`"), "{run:?}");
    }
}

/// What a function of the library does is told where it is called, as its text is ours.
#[test]
fn what_stands_in_for_a_header_is_told_at_its_call() {
    let text = "#include <thrust/fill.h>\n\
                #include <thrust/execution_policy.h>\n\
                __global__ void clear(int *out) {\n\
                __shared__ int seen[32];\n\
                seen[threadIdx.x] = out[threadIdx.x];\n\
                __syncthreads();\n\
                out[threadIdx.x] = seen[31 - threadIdx.x];\n\
                if (threadIdx.x == 0)\n\
                thrust::fill(thrust::seq, seen, seen + 32, 0);\n\
                }\n\
                void go(int *out) { clear<<<1, 32>>>(out); }\n";
    let run = check(&[("k.cu", text)], "check k.cu --show all");
    assert!(run.out.contains("k.cu:7"), "{run:?}");
    assert!(run.out.contains("(2) write by thread (0,0,0)"), "{run:?}");
    assert!(!run.out.contains("in place of"), "{run:?}");
    assert!(!run.out.contains("through the call"), "{run:?}");
}
