//! `warplog explain`: pages of findings, pairs, kernels and lines, formulas that another solver reads, and the last scan.

use expect_test::expect;
use warplog_solver_bridge::solve_text;
use warplog_tests::command::{Bench, Run};

const KERNELS: &str = "\
//--blockDim=64 --gridDim=2
__global__ void shift_bad(int *out, const int *in) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t < 32) tile[t] += 1;
    out[64 * blockIdx.x + t] = tile[(t + 1) % 64];
}

__global__ void sum_bad(int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < n) __syncthreads();
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void spread_ok(int *out, int n, int m) {
    int t = threadIdx.x;
    if (n > 0 && m > n && t * n + 1 < m) out[blockIdx.x * m + t * n] = 1;
    assert(n < 1000);
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", KERNELS);
    bench
}

/// Runs a command line with kept results.
fn cached(bench: &Bench, line: &str) -> Run {
    let output = bench
        .command()
        .args(line.split_whitespace())
        .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
        .output()
        .expect("runs");
    Run {
        status: output.status.code().expect("a status"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The ids of findings, in the order of the report.
fn findings(bench: &Bench, line: &str) -> Vec<String> {
    let lines = bench.run(line).out;
    let ids = lines.lines().filter_map(|line| line.rsplit_once('['));
    ids.map(|(_, id)| id.trim_end_matches(']').to_owned())
        .collect()
}

/// The ids in brackets on a page.
fn ids(page: &str) -> Vec<String> {
    let mut ids: Vec<String> = page
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split(']').next())
        .filter(|id| id.len() == 11 && id.starts_with(['p', 'd']))
        .map(str::to_owned)
        .collect();
    ids.sort();
    ids.dedup();
    ids
}

#[test]
fn the_page_of_a_finding() {
    let bench = bench();
    let id = &findings(&bench, "check k.cu --format concise")[0];
    let page = bench.run(&format!("explain {id} k.cu"));
    assert_eq!((page.status, page.err.as_str()), (0, ""));
    let how = page.out.split_once("\nFacts\n").expect("facts").1;
    expect![[r#"
          (1) k.cu:5: tile[t] = in[t];
              write of `tile[threadIdx.x]` at line 5, 4 bytes from byte threadIdx.x * 4
          (2) k.cu:7: out[64 * blockIdx.x + t] = tile[(t + 1) % 64];
              read of `tile[(threadIdx.x + 1) % 64]` at line 7, 4 bytes from byte (threadIdx.x + 1) % 64 * 4

        Derivation
          R1: What follows a head is in its interval.
              the interval of the block from the start of the kernel: k.cu:2: __global__ void shift_bad(int *out, const int *in) {
          R2: So is what follows a point of the interval that is no barrier of the scope.
              no barrier of these threads is crossed on the way to (1), nor on the way to (2)
          R26: A write and another access to the memory in one interval are a pair.
              of `tile`: the write of `tile[threadIdx.x]` at line 5 and the read of `tile[(threadIdx.x + 1) % 64]` at line 7

        No rule discharges it: the solver is asked (`candidate_race`)
          a race: trying small launches and values gives an example, without Z3; no question put to Z3
          the formula: `warplog explain p05b2423b0e --smt`

        Model
          blockDim = (64,1,1), gridDim = (2,1,1)

        Replay, from the start of the kernel with the arithmetic of C
          (1) thread (0,0,0) of block (0,0,0): write of `tile[threadIdx.x]` at line 5, bytes 0..=3
          (2) thread (63,0,0) of block (0,0,0): read of `tile[(threadIdx.x + 1) % 64]` at line 7, bytes 0..=3
          both touch tile[0] (byte 0)
          nothing was abstracted: the replay is exact
    "#]]
    .assert_eq(how);
    // The block is that of the report, but for what it says of others of the same cause.
    let block = bench.run("check k.cu -v").out;
    let block = block.split(" = help").next().expect("a block");
    let block = block.split("\n  = note: the same").next().expect("a block");
    assert!(page.out.starts_with(block.trim_end()), "{}", page.out);
}

#[test]
fn the_page_of_a_line() {
    let bench = bench();
    expect![[r#"
        status 0
        --- stdout
        k.cu:5: tile[t] = in[t];

        read of global `in[threadIdx.x]` in `shift_bad`, launch <<<2, 64>>> from header
          bytes     4 from byte threadIdx.x * 4 (0..=252)
          affine    4·threadIdx.x
          flow      0: all threads
          interval  of the block: from the start of the kernel (R1, R2)
          interval  of the grid: from the start of the kernel (R1, R2)
          stable    threads of a grid that read here at equal offsets read equal values (R9)
          pair      none: no other access to this memory conflicts in an interval

        write of shared `tile[threadIdx.x]` in `shift_bad`, launch <<<2, 64>>> from header
          bytes     4 from byte threadIdx.x * 4 (0..=252)
          affine    4·threadIdx.x
          flow      0: all threads
          interval  of the block: from the start of the kernel (R1, R2)
          interval  of the grid: from the start of the kernel (R1, R2)
          pair      [p05b7cc3f60] with itself, two threads of a block, from the start of the kernel: discharged by D7 same-injective-index, by `threadIdx.x * 4`
          pair      [p053332acfc] with the read of `tile[threadIdx.x]` at line 6, two threads of a block, from the start of the kernel: discharged by D7 same-injective-index, by `threadIdx.x * 4`
          pair      [p051427c7da] with the write of `tile[threadIdx.x]` at line 6, two threads of a block, from the start of the kernel: discharged by D7 same-injective-index, by `threadIdx.x * 4`
          pair      [p05b2423b0e] with the read of `tile[(threadIdx.x + 1) % 64]` at line 7, two threads of a block, from the start of the kernel: a race: trying small launches and values gives an example, without Z3 -> finding 364f60b87fd2
    "#]]
    .assert_eq(&bench.run("explain k.cu:5").shown());
    expect![[r#"
        status 0
        --- stdout
        k.cu:17: __syncthreads();

        block barrier in `sum_bad`, launch <<<2, 64>>> from header
          guard     `k > 0` (loop at line 15): the same in all threads of a grid (R19)
          loop      the loop over k at line 15
          interval  of the block: from the barrier at line 14 (R1, R2)
          interval  of the block: from the barrier at line 17, round the loop over k at line 15 (R1, R2)
          interval  of the grid: from the start of the kernel (R1, R2)
          orders    the write of `s[threadIdx.x]` at line 16 before it and the read of `s[threadIdx.x + k]` at line 16 behind it: threads (16, 0, 0) and (0, 0, 0) of a block of (64, 1, 1) meet at byte 64
          cause     [d0503241889] trip count of the loop at line 15: discharged by R23 tid-independent-condition, by `k > 0`
    "#]]
    .assert_eq(&bench.run("explain k.cu:17").shown());
}

#[test]
fn the_page_of_a_kernel_and_of_a_discharged_pair() {
    let bench = bench();
    let page = bench.run("explain sum_bad k.cu");
    expect![[r#"
        status 0
        --- stdout
        barrier_divergence  k.cu:10 sum_bad
            finding 794786a95b62: potential barrier divergence in `sum_bad`: only some of the threads reach this barrier

        launch <<<2, 64>>> from header
          2 pairs: D6 disjoint-ranges: The largest offset of one, by ranges and guards, lies below the other's smallest.
            [p05968e5300] read of `s[threadIdx.x + k]` at line 16 with write of `s[threadIdx.x]` at line 16, two threads of a block, from the barrier at line 14
            [p05728907b6] read of `s[threadIdx.x + k]` at line 16 with write of `s[threadIdx.x]` at line 16, two threads of a block, from the barrier at line 17, both round the loop over k at line 15
          6 pairs: D7 same-injective-index: Overlapping bytes force equality of all digits, and these make up the identity of the thread (of the block, between blocks).
            [p056dba3ac8] write of `s[threadIdx.x]` at line 13 with itself, two threads of a block, from the start of the kernel
            [p0557bc3a84] read of `s[threadIdx.x]` at line 16 with write of `s[threadIdx.x]` at line 16, two threads of a block, from the barrier at line 14
            [p05e0c4e3ec] read of `s[threadIdx.x]` at line 16 with write of `s[threadIdx.x]` at line 16, two threads of a block, from the barrier at line 17, both round the loop over k at line 15
            [p05eb31b011] write of `s[threadIdx.x]` at line 16 with itself, two threads of a block, from the barrier at line 14
            [p05d86d182c] write of `s[threadIdx.x]` at line 16 with itself, two threads of a block, from the barrier at line 17, both round the loop over k at line 15
            [p05310e0bf6] write of `out[blockIdx.x]` at line 20 with itself, two threads of different blocks, from the start of the kernel
          2 pairs: D8 one-thread-only: The guards let one thread through only.
            [p055bccbbd3] write of `out[blockIdx.x]` at line 20 with itself, two threads of a block, from the barrier at line 17
            [p055cce359f] write of `out[blockIdx.x]` at line 20 with itself, two threads of a block, from the barrier at line 19
          1 pair: D9 same-trip-count: One thread is in an iteration of a loop that the other left before it, though they share its condition.
            [p0510fc9758] write of `s[threadIdx.x]` at line 16 with read of `s[0]` at line 20, two threads of a block, from the barrier at line 17, the first round the loop over k at line 15
          barrier at line 17: [d0503241889] trip count of the loop at line 15: discharged by R23 tid-independent-condition, by `k > 0`
          barrier at line 19: [d05aa56e8bc] branch at line 19: threads disagree: trying small launches and values gives an example, without Z3 -> finding 794786a95b62
    "#]]
    .assert_eq(&page.shown());
    let line = page
        .out
        .lines()
        .find(|line| line.contains("line 16 with itself"));
    let id = &ids(line.expect("a pair"))[0];
    expect![[r#"
        status 0
        --- stdout
        pair p05eb31b011 of `sum_bad`, launch <<<2, 64>>> from header: two threads of a block

        Facts
          (1) k.cu:16: if (t < k) s[t] += s[t + k];
              write of `s[threadIdx.x]` at line 16, 4 bytes from byte threadIdx.x * 4
              guard     `k > 0` (loop at line 15): the same in all threads of a grid (R19)
              guard     `threadIdx.x < k` (branch at line 16): may differ between threads (R20)
              loop      the loop over k at line 15
          (2) the same access in another thread

        Derivation
          R1: What follows a head is in its interval.
              the interval of the block from the barrier at line 14: k.cu:14: __syncthreads();
          R2: So is what follows a point of the interval that is no barrier of the scope.
              no barrier of these threads is crossed on the way to (1), nor on the way to (2)
          R26: A write and another access to the memory in one interval are a pair.
              of `s`: the write of `s[threadIdx.x]` at line 16, against itself
          D7 same-injective-index: Overlapping bytes force equality of all digits, and these make up the identity of the thread (of the block, between blocks).
              shown by `threadIdx.x * 4`

        Discharged: the solver was not asked.
    "#]]
    .assert_eq(&bench.run(&format!("explain {id} k.cu")).shown());
}

/// Solvers other than Z3 want to hear of the logic before anything else, and of models before they are asked for one.
fn follows_the_standard(formula: &str) {
    let commands: Vec<&str> = formula
        .lines()
        .filter(|line| line.starts_with('('))
        .collect();
    let at = |command: &str| commands.iter().position(|line| *line == command);
    let model = at("(set-option :produce-models true)");
    assert_eq!(model, at("(get-model)").map(|_| 0), "{formula}");
    let logic = at("(set-logic ALL)");
    assert_eq!(logic, Some(usize::from(model.is_some())), "{formula}");
    let logics = formula.matches("(set-logic").count();
    let states = formula.matches("(set-info :status").count();
    assert_eq!((logics, states), (1, 1), "{formula}");
}

/// Each pair and condition that a kernel's page lists has a page, and its formula has the answer that it says it has.
#[test]
fn formulas_are_whole_and_have_the_answer_that_is_told() {
    let bench = bench();
    bench.file(
        "m.cu",
        "\
__global__ void bits_bad(int *out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[(t ^ n) & 255] = t;
    if ((t & 3) == n) __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[t % 256];
}
__global__ void gap_ok(int *out, int n, int gap) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (gap >= 0) out[i + (i > n ? gap : 0)] = i;
}
",
    );
    let mut seen = [0; 3];
    for (kernel, file, all) in [
        ("shift_bad", "k.cu", true),
        ("sum_bad", "k.cu", false),
        ("spread_ok", "k.cu", false),
        ("bits_bad", "m.cu", false),
        ("gap_ok", "m.cu", false),
    ] {
        let list = bench.run(&format!("explain {kernel} {file}"));
        assert_eq!(list.status, 0, "{}", list.err);
        // Most pairs are discharged by rule, and each page takes a run.
        let mut solved = false;
        let lines = list.out.lines().filter(|line| {
            if line.starts_with("  ") && !line.starts_with("    ") {
                solved = line.contains("solver");
            }
            all || solved
        });
        for id in ids(&lines.collect::<Vec<_>>().join("\n")) {
            let page = bench.run(&format!("explain {id} {file}"));
            assert_eq!((page.status, page.err.as_str()), (0, ""), "{id}");
            let formula = bench.run(&format!("explain {id} {file} --smt"));
            if page.out.contains("Discharged: the solver was not asked.") {
                assert_eq!((formula.status, formula.out.as_str()), (2, ""), "{id}");
                continue;
            }
            if page
                .out
                .contains("an exact race between the same places is known")
            {
                continue;
            }
            assert_eq!(formula.status, 0, "{kernel} {id}: {}", formula.err);
            follows_the_standard(&formula.out);
            let told = formula
                .out
                .lines()
                .find_map(|line| line.strip_prefix("; The answer of warplog: "))
                .expect("an answer");
            let found = solve_text(&formula.out);
            if told != "unknown" {
                assert_eq!(told, found, "{kernel} {id}\n{}", formula.out);
            }
            let nth = ["sat", "unsat", "unknown"]
                .iter()
                .position(|word| *word == told);
            seen[nth.expect("a word")] += 1;
            let open = formula.out.matches('(').count();
            assert_eq!(open, formula.out.matches(')').count(), "{}", formula.out);
        }
    }
    assert!(seen[0] >= 3 && seen[1] >= 2, "{seen:?}");
    for id in findings(&bench, "check . --format concise --fail-on confirmed") {
        let formula = bench.run(&format!("explain {id} . --smt"));
        assert_eq!(formula.status, 0, "{id}: {}", formula.err);
        assert_eq!(solve_text(&formula.out), "sat", "{}", formula.out);
    }
}

#[test]
fn divergences_and_assertions_are_explained() {
    let bench = bench();
    let all = findings(
        &bench,
        "check k.cu --format concise --kernel sum_bad --kernel spread_ok --check-assertions",
    );
    let pages: Vec<String> = all
        .iter()
        .map(|id| {
            let line = format!("explain {id} k.cu --check-assertions");
            bench.run(&line).out
        })
        .collect();
    let divergence = pages
        .iter()
        .find(|page| page.contains("barrier-divergence"))
        .expect("one");
    for words in [
        "\nFacts\n  (1) k.cu:19: ",
        "\n  R21: ",
        "\nModel\n",
        "(1) reaches the barrier, (2) does not",
    ] {
        assert!(divergence.contains(words), "{words}\n{divergence}");
    }
    let assertion = pages
        .iter()
        .find(|page| page.contains("assertion-failed"))
        .expect("one");
    for words in [
        "`n < 1000` is to hold (assertion)",
        "\nModel\n",
        "  n = ",
        "\nReplay",
    ] {
        assert!(assertion.contains(words), "{words}\n{assertion}");
    }
}

#[test]
fn the_last_scan_knows_files_and_flags() {
    let bench = bench();
    bench.file("src/index.cuh", "#define AT(t) ((t) / STEP)\n__global__ void shared_bad(int *a) { a[AT(threadIdx.x)] = threadIdx.x; }\n");
    bench.file("src/use.cu", "//--blockDim=64 --gridDim=1\n#include \"index.cuh\"\nint main() { shared_bad<<<1, 64>>>(0); }\n");
    bench.file(
        "src/other.cu",
        "__global__ void other_ok(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n",
    );
    let nothing = cached(&bench, "explain 0123456789ab");
    expect![[r#"
        status 2
        --- stderr
        error: nothing is kept of a scan from this folder: `warplog explain 0123456789ab PATH` analyses PATH
    "#]]
    .assert_eq(&nothing.shown());
    let scan = cached(&bench, "check src -DSTEP=2 --format concise");
    assert_eq!(scan.status, 1, "{}", scan.shown());
    let id = scan
        .out
        .trim_end()
        .rsplit_once('[')
        .expect("an id")
        .1
        .trim_end_matches(']');
    // From the record alone, from the whole of it, and by a part of the id.
    let short = cached(&bench, &format!("explain {id}"));
    assert_eq!(short.status, 0, "{}", short.err);
    assert!(short.out.contains("src/index.cuh:2"), "{}", short.out);
    assert_eq!(short, cached(&bench, &format!("explain {id} src -DSTEP=2")));
    assert_eq!(short, cached(&bench, &format!("explain {}", &id[..8])));
    let kernel = cached(&bench, "explain shared_bad");
    assert!(
        kernel.out.starts_with("racy  src/index.cuh:2 shared_bad\n"),
        "{}",
        kernel.shown()
    );
    let pair = &ids(&kernel.out)[0];
    assert_eq!(cached(&bench, &format!("explain {pair}")).status, 0);
    let line = cached(&bench, "explain src/index.cuh:2");
    assert_eq!(line.status, 0, "{}", line.err);
    assert!(line.out.contains("/ 2"), "{}", line.out);
    // What the scan did not find.
    expect![[r#"
        status 2
        --- stderr
        error: no finding, pair or kernel `nobody` is in the last scan from this folder; `warplog explain nobody PATH` analyses PATH
    "#]]
    .assert_eq(&cached(&bench, "explain nobody").shown());
    // A damaged record is as good as none.
    let last = bench.path().join("cache/last");
    for entry in std::fs::read_dir(last).expect("a folder").flatten() {
        std::fs::write(entry.path(), "{").expect("writes");
    }
    assert_eq!(
        cached(&bench, &format!("explain {id}")),
        nothing_of(&nothing, id)
    );
}

fn nothing_of(run: &Run, id: &str) -> Run {
    Run {
        err: run.err.replace("0123456789ab", id),
        ..run.clone()
    }
}

#[test]
fn what_is_not_there_is_wrong_use() {
    let bench = bench();
    for (line, message) in [
        (
            "explain k.cu:3",
            "no access and no barrier of a kernel is known at k.cu:3",
        ),
        (
            "explain k.cu:999",
            "no access and no barrier of a kernel is known at k.cu:999",
        ),
        (
            "explain k.cu:5 --smt",
            "a line has no formula: --smt is for a finding or a pair",
        ),
        (
            "explain nobody k.cu",
            "no finding, pair or kernel `nobody` is in these files",
        ),
        (
            "explain sum_bad k.cu --smt",
            "a kernel has many formulas: --smt is for a finding or a pair",
        ),
    ] {
        let run = bench.run(line);
        assert_eq!(run.status, 2, "{line}");
        assert_eq!(run.err, format!("error: {message}\n"), "{line}");
        assert_eq!(run.out, "", "{line}");
    }
    let gone = bench.run("explain sum_bad gone.cu");
    assert_eq!(gone.status, 3);
    assert!(gone.err.contains("error: gone.cu: "), "{}", gone.err);
    let both = bench.run("explain sum_bad k.cu gone.cu");
    assert_eq!(both.status, 3);
    assert!(
        both.out
            .starts_with("barrier_divergence  k.cu:10 sum_bad\n"),
        "{}",
        both.out
    );
}

#[test]
fn an_invalid_mask_is_explained() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file(
        "k.cu",
        "\
//--blockDim=64 --gridDim=1
__global__ void left_out_bad(int *out) {
    out[threadIdx.x] = 1;
    __syncwarp(0x0000ffff);
}
__global__ void some_bad(int *out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = __shfl_down_sync(0xffffffffu, n, 1);
}
",
    );
    let mut pages = String::new();
    for id in findings(&bench, "check k.cu --format concise") {
        let page = bench.run(&format!("explain {id} k.cu"));
        assert_eq!(page.status, 0, "{}", page.err);
        let (_, how) = page.out.split_once("\n\nFacts\n").expect("facts");
        pages.push_str(how);
        let formula = bench.run(&format!("explain {id} k.cu --smt"));
        assert_eq!(formula.status, 0, "{}", formula.err);
        follows_the_standard(&formula.out);
    }
    expect![[r#"
          (1) k.cu:4: __syncwarp(0x0000ffff);
          (2) k.cu:4: __syncwarp(0x0000ffff); (not named by the mask)

        Derivation
          R37: A lane comes to an operation whose mask does not name it.

        No rule discharges it: the solver is asked (`candidate_divergence`)
          not named by the mask at line 4: threads disagree: trying small launches and values gives an example, without Z3 -> finding c6ec70575694; no question put to Z3
          the formula: `warplog explain d056e86bc3e --smt`

        Model
          blockDim = (64,1,1), gridDim = (1,1,1)

        Replay, from the start of the kernel with the arithmetic of C
          (1) thread (16,0,0) of block (0,0,0)
          (1) comes to the operation, and the mask does not name it
          nothing was abstracted: the replay is exact
          (1) k.cu:7: if (threadIdx.x < n) out[threadIdx.x] = __shfl_down_sync(0xffffffffu, n, 1);
              guard     `threadIdx.x < n` (branch at line 7): may differ between threads (R20)
          (2) k.cu:7: if (threadIdx.x < n) out[threadIdx.x] = __shfl_down_sync(0xffffffffu, n, 1); (branch)

        Derivation
          R21: Threads may disagree about a barrier at each conjunct of its guard.

        No rule discharges it: the solver is asked (`candidate_divergence`)
          branch at line 7: threads disagree: trying small launches and values gives an example, without Z3 -> finding 0bcaedaa72ca; no question put to Z3
          the formula: `warplog explain d05ce8762c1 --smt`

        Model
          blockDim = (64,1,1), gridDim = (1,1,1)
          n = 1

        Replay, from the start of the kernel with the arithmetic of C
          (1) thread (0,0,0) of block (0,0,0)
          (2) thread (1,0,0) of block (0,0,0)
          (1) reaches the barrier, (2) does not
          nothing was abstracted: the replay is exact
    "#]].assert_eq(&pages);
}

#[test]
fn an_assertion_of_one_thread_has_one_in_its_replay() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file(
        "k.cu",
        "//--blockDim=64 --gridDim=1\n__global__ void k(int n) { for (int i = 0; i < 4; i++) assert(threadIdx.x + i < 60); }\n",
    );
    let ids = findings(&bench, "check k.cu --format concise");
    let page = bench.run(&format!("explain {} k.cu", ids[0])).out;
    assert!(
        page.contains("\n  (1) thread (") && !page.contains("\n  (2) thread ("),
        "{page}"
    );
    assert!(
        page.contains("iterations counted from 0: thread ("),
        "{page}"
    );
}
