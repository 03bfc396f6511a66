//! What the program says of small kernels, as printed: one of each verdict, and what the flags change.
//!
//! Snapshots are renewed with `UPDATE_EXPECT=1`. Commands run inside of the folder of the kernels, so that names are relative.

use std::fs;
use std::process::{Command, Stdio};

use expect_test::expect;
use tempfile::TempDir;

/// The program, away from whatever terminal and settings the suite runs under.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    command
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR");
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Writes a file into the folder and runs a command line inside of it, so that names are relative.
fn run_inside(files: &[(&str, &str)], line: &str) -> String {
    let folder = folder();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = program()
        .current_dir(folder.path())
        .args(line.split_whitespace())
        .output()
        .expect("runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    format!("status {}\n{text}", output.status.code().expect("a status"))
}

/// The first word of each kernel's line, its name, and the status: `0 a race_free`.
fn verdicts(files: &[(&str, &str)], line: &str) -> String {
    let text = run_inside(files, &format!("{line} -v"));
    let mut words = vec![text.lines().next().expect("a status")[7..].to_owned()];
    for line in text.lines() {
        let mut parts = line.split_whitespace();
        if let (Some(verdict), Some(place), Some(name)) = (parts.next(), parts.next(), parts.next())
            && place.contains(".cu:")
            && !verdict.contains(':')
            && !verdict.contains('-')
        {
            words.push(format!("{name} {verdict}"));
        }
    }
    words.join(", ")
}

const RACE: &str = "\
//--blockDim=64 --gridDim=1
__global__ void shift(int *out)
{
    __shared__ int tile[65];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[threadIdx.x + 1];
}
";

const FIXED: &str = "\
//--blockDim=64 --gridDim=1
__global__ void shift(int *out)
{
    __shared__ int tile[65];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x + 1];
}
";

const DIVERGENCE: &str = "\
//--blockDim=64 --gridDim=1
__global__ void half(int *out)
{
    if (threadIdx.x < 32)
        __syncthreads();
    out[threadIdx.x] = 1;
}
";

const UNKNOWN: &str = "\
//--blockDim=64 --gridDim=1
__device__ void elsewhere(int *p);
__global__ void calls(int *out)
{
    elsewhere(out);
}
";

const POTENTIAL: &str = "\
//--blockDim=64 --gridDim=1
__global__ void scatter(int *out, const int *where)
{
    out[where[threadIdx.x]] = threadIdx.x;
}
";

const CONTRADICTION: &str = "\
//--blockDim=64 --gridDim=1
__global__ void never(int *out, int n)
{
    __requires(n < 0 && n > 0);
    out[0] = threadIdx.x;
}
";

/// Each verdict as people read it.
#[test]
fn race_free_in_words() {
    expect![[r#"
        status 0
        race_free  k.cu:2 shift  (launch <<<1, 64>>> from header)

        1 kernel in 1 file: 1 race_free; 0 findings
    "#]]
    .assert_eq(&run_inside(&[("k.cu", FIXED)], "check k.cu"));
}

#[test]
fn a_confirmed_race_in_words() {
    expect![[r#"
        status 1
        error[data-race]: confirmed data race in `shift`: write and read of `tile` by threads of the same warp [f1b7adaddc32]
         --> k.cu:5:5
          |
        5 |     tile[threadIdx.x] = threadIdx.x;
          |     ^^^^^^^^^^^^^^^^^ (1) write by thread (1,0,0)
        6 |     out[threadIdx.x] = tile[threadIdx.x + 1];
          |                        --------------------- (2) read by thread (0,0,0)
          |
          = note: launch <<<1, 64>>> from header
          = note: thread (1,0,0) and thread (0,0,0) of block (0,0,0) meet at `tile[1]`
          = note: no barrier orders them between the start of the kernel and the end of the kernel
          = note: lock-step warps (before Volta; `--warp-sync=32`) would have hidden it
          = help: with this change the kernel is race-free, which was checked (`--fix` makes it)
        5       tile[threadIdx.x] = threadIdx.x;
          +     __syncthreads();
        6       out[threadIdx.x] = tile[threadIdx.x + 1];

        1 kernel in 1 file: 1 racy; 1 finding (1 confirmed, 0 conditional, 0 potential)
    "#]].assert_eq(&run_inside(&[("k.cu", RACE)], "check k.cu"));
}

#[test]
fn a_potential_race_in_words() {
    expect![[r#"
        status 0
        warning[data-race]: conditional data race in `scatter`: two writes of `out` by threads of the same warp [985782cfdf08]
         --> k.cu:4:5
          |
        4 |     out[where[threadIdx.x]] = threadIdx.x;
          |     ^^^^^^^^^^^^^^^^^^^^^^^ (1) write by thread (0,0,0); (2) write by thread (1,0,0)
          |
          = note: launch <<<1, 64>>> from header
          = note: thread (0,0,0) and thread (1,0,0) of block (0,0,0) meet at `out[0]`, with where[0] = 0, where[1] = 0
          = note: no barrier orders them between the start of the kernel and the end of the kernel
          = note: race-free if `__distinct(where)`, for this launch (--assume "__distinct(where)" checks it)
          = note: both lanes execute the instruction at once: a race in lock-step warps, too
          = help (not proved): both threads are at the same access: let one thread do it, give each an element of its own, or use an atomic
                               operation

        questions: a yes rules out the findings that are counted (pass the flag, or put it into warplog.toml)
            1 finding in `scatter`: are the elements of `where` pairwise different? (--assume '__distinct(where)')

        assumes: array parameters do not alias

        1 kernel in 1 file: 1 racy; 1 finding (0 confirmed, 1 conditional, 0 potential)
    "#]].assert_eq(&run_inside(&[("k.cu", POTENTIAL)], "check k.cu"));
}

#[test]
fn barrier_divergence_in_words() {
    expect![[r#"
        status 0
        potential: 1 finding in `half` (`--show potential` shows them); whether they happen depends on
           1  threads that have left the kernel, for which a barrier does not wait since Volta

        1 kernel in 1 file: 1 barrier_divergence; 1 finding (0 confirmed, 0 conditional, 1 potential)
    "#]].assert_eq(&run_inside(&[("k.cu", DIVERGENCE)], "check k.cu"));
}

#[test]
fn unknown_in_words() {
    expect![[r#"
        status 0
        unknown  k.cu:3 calls: calls of functions that are not followed: `elsewhere`

        unsupported: k.cu:5: call of `elsewhere`: its body is not known: it may touch any array and wait at a barrier

        1 kernel in 1 file: 1 unknown; 0 findings; 1 unsupported construct
    "#]].assert_eq(&run_inside(&[("k.cu", UNKNOWN)], "check k.cu"));
}

#[test]
fn a_contradiction_in_words() {
    expect![[r#"
        status 3
        error  k.cu:2 never  (launch <<<1, 64>>> from header; assumes: __requires(n < 0 && n > 0))
            contradictory: the launch and its assumptions contradict each other
            assumes: __requires(n < 0 && n > 0)

        1 kernel in 1 file: 1 error; 0 findings
    "#]]
    .assert_eq(&run_inside(&[("k.cu", CONTRADICTION)], "check k.cu"));
}

#[test]
fn a_race_as_json() {
    expect![[r#"
        status 1
        {
          "schema": "warplog/2",
          "kernels": [
            {
              "name": "shift",
              "file": "k.cu",
              "line": 2,
              "verdict": "racy",
              "certainty": "confirmed",
              "launches": [
                {
                  "source": "header",
                  "block": [
                    64,
                    1,
                    1
                  ],
                  "grid": [
                    1,
                    1,
                    1
                  ],
                  "arguments": {},
                  "verdict": "racy"
                }
              ],
              "assumptions": [],
              "findings": [
                {
                  "id": "f1b7adaddc32",
                  "cause": "f1b7adaddc32",
                  "kind": "data_race",
                  "severity": "error",
                  "certainty": "confirmed",
                  "harm": "possible",
                  "question": null,
                  "message": "confirmed data race in `shift`: write and read of `tile` by threads of the same warp",
                  "access": "rw",
                  "scope": "intra_warp",
                  "array": "tile",
                  "locations": [
                    {
                      "file": "k.cu",
                      "line": 5,
                      "column": 5,
                      "end_line": 5,
                      "end_column": 22,
                      "role": "first"
                    },
                    {
                      "file": "k.cu",
                      "line": 6,
                      "column": 24,
                      "end_line": 6,
                      "end_column": 45,
                      "role": "second"
                    }
                  ],
                  "interval": {
                    "from": [
                      {
                        "kind": "start"
                      }
                    ],
                    "to": [
                      {
                        "kind": "end"
                      }
                    ],
                    "carried": false
                  },
                  "witness": {
                    "block_dim": [
                      64,
                      1,
                      1
                    ],
                    "grid_dim": [
                      1,
                      1,
                      1
                    ],
                    "threads": [
                      {
                        "block": [
                          0,
                          0,
                          0
                        ],
                        "thread": [
                          1,
                          0,
                          0
                        ]
                      },
                      {
                        "block": [
                          0,
                          0,
                          0
                        ],
                        "thread": [
                          0,
                          0,
                          0
                        ]
                      }
                    ],
                    "element": "tile[1]",
                    "values": {},
                    "iterations": {},
                    "touched": [
                      {
                        "first_byte": 4,
                        "bytes": 4
                      },
                      {
                        "first_byte": 4,
                        "bytes": 4
                      }
                    ]
                  },
                  "reasons": [],
                  "assumptions": [],
                  "hint": "a barrier is missing between line 5 and line 6: `__syncthreads()`, where all these threads reach it, would order them",
                  "mend": {
                    "edits": [
                      {
                        "file": "k.cu",
                        "line": 6,
                        "column": 1,
                        "end_line": 6,
                        "end_column": 1,
                        "was": "",
                        "text": "    __syncthreads();\n"
                      }
                    ],
                    "diff": "--- a/k.cu\n+++ b/k.cu\n@@ -5,2 +5,3 @@\n     tile[threadIdx.x] = threadIdx.x;\n+    __syncthreads();\n     out[threadIdx.x] = tile[threadIdx.x + 1];\n"
                  },
                  "race_free_if": null,
                  "hinges_on": [],
                  "notes": [
                    "lock-step warps (before Volta; `--warp-sync=32`) would have hidden it"
                  ],
                  "launches": [
                    0
                  ],
                  "instances": 1,
                  "suppressed": null
                }
              ],
              "stats": {
                "accesses": 3,
                "pairs": 4,
                "discharged_by_rule": 3,
                "queries": 0,
                "undecided": 0
              }
            }
          ],
          "unsupported": [],
          "errors": []
        }
    "#]]
    .assert_eq(&run_inside(&[("k.cu", RACE)], "check k.cu --format json"));
}

/// What fails a run, for each kind of result.
#[test]
fn the_status_follows_fail_on() {
    let cases = [
        (FIXED, "race_free", [0, 0, 0]),
        (RACE, "racy", [1, 1, 1]),
        (POTENTIAL, "racy", [0, 1, 1]),
        (DIVERGENCE, "barrier_divergence", [0, 1, 1]),
        (UNKNOWN, "unknown", [0, 0, 1]),
        (CONTRADICTION, "error", [3, 3, 3]),
    ];
    for (text, verdict, statuses) in cases {
        for (fail_on, status) in ["confirmed", "potential", "unknown"]
            .into_iter()
            .zip(statuses)
        {
            let told = verdicts(
                &[("k.cu", text)],
                &format!("check k.cu --fail-on {fail_on}"),
            );
            assert!(
                told.starts_with(&format!("{status}, ")) && told.ends_with(&format!(" {verdict}")),
                "{told} with {fail_on}, not {status} and {verdict}"
            );
        }
    }
}

#[test]
fn scopes_can_be_left_out() {
    // Within a block the threads write elements of their own, and every block the same ones.
    let between =
        "//--blockDim=64 --gridDim=2\n__global__ void k(int *g) { g[threadIdx.x] = blockIdx.x; }\n";
    let within =
        "//--blockDim=64 --gridDim=2\n__global__ void k(int *g) { g[blockIdx.x] = threadIdx.x; }\n";
    for (text, all, intra, inter) in [
        (between, "1, k racy", "0, k race_free", "1, k racy"),
        (within, "1, k racy", "1, k racy", "0, k race_free"),
    ] {
        let files = [("k.cu", text)];
        assert_eq!(verdicts(&files, "check k.cu"), all);
        assert_eq!(verdicts(&files, "check k.cu --only-intra-block"), intra);
        assert_eq!(verdicts(&files, "check k.cu --only-inter-block"), inter);
    }
    // What is left out becomes an assumption.
    let text = run_inside(&[("k.cu", between)], "check k.cu --only-intra-block");
    assert!(
        text.contains("blocks do not interfere (--only-intra-block)"),
        "{text}"
    );
}

#[test]
fn kernels_can_be_chosen() {
    let two = "__global__ void one(int *g) { g[0] = threadIdx.x; }\n\
               __global__ void two(int *g) { g[threadIdx.x] = 1; }\n\
               template <int N> __global__ void three(int *g) { g[threadIdx.x / N] = threadIdx.x; }\n\
               void host(int *g) { three<1><<<1, 64>>>(g); three<2><<<1, 64>>>(g); }\n";
    let files = [("k.cu", two)];
    let all = "1, one racy, two race_free, three<1> race_free, three<2> racy";
    assert_eq!(verdicts(&files, "check k.cu"), all);
    assert_eq!(
        verdicts(&files, "check k.cu --kernel two"),
        "0, two race_free"
    );
    assert_eq!(
        verdicts(&files, "check k.cu --kernel three"),
        "1, three<1> race_free, three<2> racy"
    );
    assert_eq!(
        verdicts(&files, "check k.cu --kernel three<1> --kernel two"),
        "0, two race_free, three<1> race_free"
    );
    assert_eq!(
        run_inside(&files, "check k.cu --kernel twoo"),
        "status 3\nerror: no kernel is named `twoo`\n\n0 kernels in 1 file; 0 findings; 1 error\n"
    );
}

#[test]
fn macros_of_the_command_line() {
    let text = "//--blockDim=64 --gridDim=1 -DSTEP=1\n\
                __global__ void k(int *g)\n{\n    for (int i = 0; i < 2; i++) g[threadIdx.x + i * STEP] = i;\n}\n";
    let files = [("k.cu", text)];
    assert_eq!(verdicts(&files, "check k.cu"), "1, k racy");
    assert_eq!(verdicts(&files, "check k.cu -DSTEP=64"), "0, k race_free");
    assert_eq!(
        verdicts(&files, "check k.cu -D STEP=64 -U STEP -D STEP=63"),
        "1, k racy"
    );
}

#[test]
fn sizes_of_the_command_line_come_before_the_header() {
    // Threads 0 and 32 meet, rows of threads meet, and rows of blocks.
    let text = "//--blockDim=64 --gridDim=1\n__global__ void k(int *g) { g[threadIdx.x % 32 + 64 * blockIdx.x] = threadIdx.x + 64 * threadIdx.y + 128 * blockIdx.y; }\n";
    let files = [("k.cu", text)];
    assert_eq!(verdicts(&files, "check k.cu"), "1, k racy");
    assert_eq!(
        verdicts(&files, "check k.cu --block-dim 32"),
        "0, k race_free"
    );
    assert_eq!(verdicts(&files, "check k.cu --block-dim 32,2"), "1, k racy");
    assert_eq!(
        verdicts(&files, "check k.cu --block-dim 32 --grid-dim 4"),
        "0, k race_free"
    );
    assert_eq!(
        verdicts(&files, "check k.cu --block-dim 32 --grid-dim 2,2"),
        "1, k racy"
    );
    let text = run_inside(&files, "check k.cu --block-dim 32");
    assert!(text.contains("<<<1, 32>>>"), "{text}");
}

#[test]
fn facts_then_solve_say_what_check_says() {
    let folder = folder();
    for (name, text) in [
        ("a.cu", RACE),
        ("b.cu", UNKNOWN),
        ("c.cu", DIVERGENCE),
        ("d.cu", POTENTIAL),
    ] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let run = |line: &str| {
        let output = program()
            .current_dir(folder.path())
            .args(line.split_whitespace())
            .output()
            .expect("runs");
        (output.status.code(), output.stdout, output.stderr)
    };
    assert_eq!(
        run("facts . --out facts"),
        (Some(0), Vec::new(), Vec::new())
    );
    for format in ["text", "json"] {
        for flags in [
            "",
            "--fail-on unknown",
            "--kernel calls",
            "--only-inter-block",
            "--jobs 3",
        ] {
            let checked = run(&format!("check . --no-mends --format {format} {flags}"));
            let solved = run(&format!("solve facts --format {format} {flags}"));
            assert!(
                checked == solved,
                "{format} {flags}: {checked:?} and {solved:?}"
            );
        }
    }
}

/// A folder that someone has edited badly is refused with file and line, and nothing is solved from it.
#[test]
fn damaged_facts_are_refused() {
    let folder = folder();
    fs::write(folder.path().join("k.cu"), RACE).expect("a file");
    let run = |line: &str| {
        let mut command = program();
        command
            .current_dir(folder.path())
            .args(line.split_whitespace());
        let output = command.output().expect("runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        format!("status {}\n{text}", output.status.code().expect("a status"))
    };
    let edit = |name: &str, edit: &dyn Fn(String) -> String| {
        run("facts k.cu --out facts");
        let path = folder.path().join("facts").join(name);
        let text = fs::read_to_string(&path).expect("a relation");
        let edited = edit(text.clone());
        assert_ne!(edited, text, "{name} is not damaged");
        fs::write(&path, edited).expect("a relation");
        run("solve facts")
    };
    let line = |text: &str, number: usize, new: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[number - 1] = new;
        lines.join("\n") + "\n"
    };
    let mut told = String::new();
    told += &edit("kernel.csv", &|text| {
        text.replacen("kernel,", "colonel,", 1)
    });
    told += &edit("access.csv", &|text| {
        let row = text.lines().nth(1).expect("a row").to_owned();
        text + &row + "\n"
    });
    told += &edit("access.csv", &|text| line(&text, 3, "1,2"));
    told += &edit("barrier.csv", &|text| text + "0,9999,block,,,,,0\n");
    told += &edit("term.csv", &|text| text.replacen("\n1,", "\n1x,", 1));
    told += &edit("version.csv", &|_| "version\n999\n".to_owned());
    run("facts k.cu --out facts");
    fs::remove_file(folder.path().join("facts/point.csv")).expect("removed");
    told += &run("solve facts");
    told += &run("solve nowhere");
    expect![[r#"
        status 3
        error: facts/kernel.csv:1: expected column `kernel`, found `colonel`

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/access.csv:5: column `access`: expected 3 (row n has id n), found 0

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/access.csv:3: expected 11 cells, found 2

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/barrier.csv:2: column `point`: `point` has no row with id 9999

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/term.csv:3: column `term`: expected an id (a number), found `1x`

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/version.csv:2: expected version 1 and nothing after it, found `999`

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: facts/point.csv: reading failed: no such file or folder

        0 kernels in 0 files; 0 findings; 1 error
        status 3
        error: nowhere/version.csv: reading failed: no such file or folder

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&told);
}

#[test]
fn more_effort_decides_more() {
    let file = "classics/scan_work_efficient_symbolic.cu";
    let source =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/").to_owned() + file);
    let source = source.expect("the data set");
    let with = |flags: &str| {
        let line = format!("check . --kernel scan_efficient_symbolic_ok {flags}");
        let other = "__global__ void other(int *p) { p[threadIdx.x] = 1; }\n";
        verdicts(&[("a.cu", &source), ("b.cu", other)], &line)
    };
    assert_eq!(with(""), "0, scan_efficient_symbolic_ok unknown");
    assert_eq!(
        with("--effort 5"),
        "0, scan_efficient_symbolic_ok race_free"
    );
    // Whoever gives one file waits for it: more rounds decide what a scan leaves open.
    let alone = "check a.cu --kernel scan_efficient_symbolic_ok";
    assert_eq!(
        verdicts(&[("a.cu", &source)], alone),
        "0, scan_efficient_symbolic_ok race_free"
    );
}

/// Lines of a report that contain one of some words.
fn lines(files: &[(&str, &str)], words: &[&str]) -> String {
    let shown = run_inside(files, "check k.cu");
    let lines = shown
        .lines()
        .filter(|line| words.iter().any(|word| line.contains(word)));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[test]
fn each_thread_of_a_divergence_has_its_own_values() {
    let text = "\
__global__ void steps(int *p, int n) {
    for (int i = threadIdx.x * 3 + 7; i < n; i += blockDim.x) {
        p[i] = 1;
        __syncthreads();
    }
}
__global__ void inner(int *p, int n) {
    for (int r = 0; r < 3; r++)
        for (int i = threadIdx.x + r; i < 2; i += 2) {
            p[i] = r;
            __syncthreads();
        }
}
";
    expect![[r#"
        9 |         for (int i = threadIdx.x + r; i < 2; i += 2) {
        = note: in the loop at line 8, iterations counted from 0: thread (0,0,0) in iteration 1, where r = 1; thread (1,0,0) in iteration 1,
        = note: in the loop at line 9, iterations counted from 0: thread (0,0,0) in iteration 0, where i = 1; thread (1,0,0) in iteration 0,
        where i = 2
    "#]].assert_eq(&lines(&[("k.cu", text)], &["in the loop at", "i = "]));
}

#[test]
fn atomics_that_race_are_told_why() {
    let text = "\
//--blockDim=64 --gridDim=2
__global__ void narrow(int *bins) { atomicAdd_block(&bins[0], 1); }
__global__ void halves(unsigned *a) {
    if (threadIdx.x == 0) atomicAdd(a, 1u);
    else atomicAdd((unsigned long long *)a, 1ull);
}
__global__ void member(int *bins) {
    cuda::atomic_ref<int, cuda::thread_scope_block> first(bins[0]);
    first.fetch_add(1);
}
";
    expect![[r#"
        = help (not proved): `atomicAdd_block` is atomic among the threads of one block only: use `atomicAdd`
        = help (not proved): the two atomic operations are of 4 and of 8 bytes: only operations on the same bytes are atomic towards each other
        = help (not proved): `fetch_add` is atomic among the threads of one block only: give the object the scope of the device
    "#]].assert_eq(&lines(&[("k.cu", text)], &["help (not proved):"]));
}

#[test]
fn one_allocation_passed_twice_is_told() {
    let text = "\
__global__ void next(int *o, const int *b, int *c) {
    int t = threadIdx.x;
    o[t] = b[t + 1];
    c[t] = t;
}
int main() {
    int *a, *d;
    cudaMalloc(&a, 4096);
    cudaMalloc(&d, 4096);
    next<<<1, 64>>>(a, a, d);
}
";
    expect![[r#"
        error[data-race]: confirmed data race in `next`: read and write of `b` by threads of the same warp [990d36fe96ca]
        = note: `b` and `o` are one allocation in this launch
        assumes: array parameters do not alias (`o` and `b` are one)
    "#]].assert_eq(&lines(
        &[("k.cu", text)],
        &["alias", "allocation", "data race"],
    ));
    let two = text
        .replace("    c[t] = t;\n", "")
        .replace("(a, a, d)", "(a, a, a)");
    let two = lines(&[("k.cu", &two)], &["alias", "allocation"]);
    expect![[r#"
        = note: `b` and `o` are one allocation in this launch
    "#]]
    .assert_eq(&two);
}

#[test]
fn sizes_that_are_not_mentioned_are_not_any_sizes() {
    let text = "\
__global__ void one(int *p) { p[0] += 1; }
__global__ void threads(int *p) { p[threadIdx.x] = 1; }
__global__ void blocks(int *p) { p[blockIdx.x] = 1; }
__global__ void both(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
";
    expect![[r#"
        assumes: launches stay within hardware limits (3 kernels), blockDim.x = 1, blockDim.y = 1, blockDim.z = 1 (never mentioned) (2
    "#]].assert_eq(&lines(&[("k.cu", text)], &["launch"]));
}

const BUCKETS: &str = "\
//--blockDim=64 --gridDim=4
__global__ void bucket(int *locks, int *table, const int *keys)
{
    if (threadIdx.x == 0) {
        int b = keys[blockIdx.x] & 15;
        while (atomicCAS(&locks[b], 0, 1) != 0) { }
        __threadfence();
        table[b] += 1;
        __threadfence();
        atomicExch(&locks[b], 0);
    }
}
__global__ void shared_by_two(int *locks, int *table, const int *keys)
{
    if (threadIdx.x == 0) {
        int b = keys[blockIdx.x] & 15;
        while (atomicCAS(&locks[b], 0, 1) != 0) { }
        __threadfence();
        table[b / 2] += 1;
        __threadfence();
        atomicExch(&locks[b], 0);
    }
}
__global__ void first_half(int *locks, int *table, const int *keys)
{
    if (threadIdx.x == 0) {
        int b = keys[blockIdx.x] & 15;
        while (atomicCAS(&locks[b & 7], 0, 1) != 0) { }
        __threadfence();
        table[b] += 1;
        __threadfence();
        atomicExch(&locks[b & 7], 0);
    }
}
";

#[test]
fn chosen_locks_are_asked_of_threads_that_choose_different_ones() {
    // Of those that choose the same one nothing is shown, but no alarm is given either.
    expect!["0, bucket unknown, shared_by_two racy, first_half unknown"]
        .assert_eq(&verdicts(&[("buckets.cu", BUCKETS)], "check buckets.cu"));
}

const WAITS: &str = "\
//--blockDim=64 --gridDim=2
__global__ void waits(int *flag, int *data, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 5;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (true) {
                if (atomicAdd(flag, 0) != 0) break;
            }
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == 1) out[blockIdx.x] = data[0];
    }
}
__global__ void turns(unsigned *turn, int *data)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) { }
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 1) data[0] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(turn, 1);
    }
}
__global__ void nothing_fenced(int *flag, int *data)
{
    if (threadIdx.x == 0) {
        while (true) {
            if (atomicAdd(flag, 0) != 0) break;
        }
    }
    __syncthreads();
    if (threadIdx.x == 1) data[0] = blockIdx.x;
}
__global__ void before_it_waits(unsigned *turn, int *data)
{
    data[threadIdx.x] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) { }
        __threadfence();
    }
}
";

#[test]
fn what_a_block_waits_for_may_order() {
    // The two threads of the witness do not come to the loop, but wait for the one that does.
    let text = run_inside(&[("waits.cu", WAITS)], "check waits.cu --format json");
    let report: serde_json::Value =
        serde_json::from_str(text.split_once('\n').expect("a status").1).expect("JSON");
    let told = report["kernels"].as_array().expect("kernels").iter();
    let told: Vec<String> = told
        .map(|kernel| {
            let findings = kernel["findings"].as_array().expect("findings").iter();
            let certainty = findings.map(|finding| finding["certainty"].as_str().expect("a word"));
            let certainty: Vec<&str> = certainty.collect();
            format!(
                "{}: {}",
                kernel["name"].as_str().expect("a name"),
                certainty.join(" ")
            )
        })
        .collect();
    expect![[r#"
        waits: potential
        turns: potential
        nothing_fenced: confirmed
        before_it_waits: confirmed"#]]
    .assert_eq(&told.join("\n"));
}

/// Of templates of one name, a launch means the one that its template arguments fit.
#[test]
fn a_launch_means_the_template_that_its_arguments_fit() {
    let text = |shift: &str| {
        format!(
            "template <typename T> struct Prefix {{ T *data; int length; }};\n\
             template <typename T> __global__ void spread(T *to, T *from, int rows, int columns) {{\n\
             \x20   for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < rows * columns; i += gridDim.x * blockDim.x) to[i] += from[i];\n}}\n\
             template <typename T, bool MORE> __global__ void spread(T *to, Prefix<T> prefix, T *from, int rows) {{\n\
             \x20   int i = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x{shift};\n\
             \x20   to[i] = from[i] + threadIdx.x + MORE;\n}}\n\
             template <typename T> void go(T *to, Prefix<T> prefix, T *from, int rows, int columns) {{\n\
             \x20   if (columns == 0) spread<<<rows, 128>>>(to, from, rows, columns);\n\
             \x20   else spread<T, false><<<dim3(columns, rows), 128>>>(to, prefix, from, rows);\n}}\n\
             template void go(float *to, Prefix<float> prefix, float *from, int rows, int columns);\n"
        )
    };
    let all = |shift: &str| verdicts(&[("k.cu", &text(shift))], "check k.cu");
    assert_eq!(
        all(""),
        "0, spread<float> race_free, spread<float, race_free"
    );
    assert_eq!(
        all(" / 2"),
        "1, spread<float> race_free, spread<float, racy"
    );
}

/// What each thread allocates is its own, also where its address is stored: no race of it is confirmed.
#[test]
fn what_each_thread_allocates_is_not_confirmed_to_be_one() {
    let text = "struct Node { int value; Node *next; };\n\
        __device__ Node *first;\n\
        __global__ void push() {\n\
        \x20   Node *own = (Node *)malloc(sizeof(Node));\n\
        \x20   own->value = threadIdx.x;\n\
        \x20   first = own;\n}\n\
        void go() { push<<<1, 64>>>(); }\n";
    let told = run_inside(&[("k.cu", text)], "check k.cu --format concise --show all");
    let of = |line: &str| told.lines().filter(|told| told.contains(line)).count();
    assert_eq!(of("k.cu:6:5: error[data-race]: confirmed"), 1, "{told}");
    assert_eq!(of("confirmed"), 1, "{told}");
    assert!(
        of("potential data race in `push`: two writes of `memory of each thread") > 0,
        "{told}"
    );
}
