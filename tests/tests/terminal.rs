//! What people see: macro calls, barriers of the interval, loop variables, and many instances of one cause in one block.

use expect_test::expect;
use warplog_tests::command::Bench;

fn bench(text: &str) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", text);
    bench
}

#[test]
fn a_finding_names_macro_barriers_and_loop_variables() {
    let bench = bench(
        "\
//--blockDim=64 --gridDim=1
#define NEXT(a, t) a[((t) + 1) % 64]
__global__ void walk_bad(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int sum = 0;
    for (int i = 3; i < 9; i += 2) {
        sum += NEXT(s, t) * i;
        __syncthreads();
        s[t] = sum;
    }
    out[t] = sum;
}
",
    );
    expect![[r#"
        status 1
        --- stdout
        error[data-race]: confirmed data race in `walk_bad`: read and write of `s` by threads of the same warp [a2cf94e4efd7]
          --> k.cu:10:16
           |
        10 |         sum += NEXT(s, t) * i;
           |                ^^^^^^^^^^ (1) read by thread (0,0,0), in the expansion of macro `NEXT`
        11 |         __syncthreads();
           |         --------------- the last barrier before them
        12 |         s[t] = sum;
           |         ---- (2) write by thread (1,0,0)
           |
           = note: launch <<<1, 64>>> from header
           = note: thread (0,0,0) and thread (1,0,0) of block (0,0,0) meet at `s[1]`
           = note: in the loop at line 9, iterations counted from 0: (1) in iteration 1, where i = 5; (2) in iteration 0, where i = 3
           = note: no barrier orders them between `__syncthreads()` at k.cu:11 and `__syncthreads()` at k.cu:11 or the end of the kernel, round the
                   back edge of the loop
           = note: lock-step warps (before Volta; `--warp-sync=32`) would have hidden it
           = help: with this change the kernel is race-free, which was checked (`--fix` makes it)
        12           s[t] = sum;
           +         __syncthreads();
        13       }

        1 kernel in 1 file: 1 racy; 1 finding (1 confirmed, 0 conditional, 0 potential)
    "#]].assert_eq(&bench.run("check k.cu").shown());
}

#[test]
fn instances_of_one_cause_share_a_block() {
    let bench = bench(
        "\
template <typename T> __global__ void fold_bad(T *out) {
    __shared__ T s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) s[t] += s[t + 32];
    if (t < 16) s[t] += s[t + 16];
    if (t < 8) s[t] += s[t + 8];
    if (t == 0) *out = s[0];
}
void host(int *a, unsigned *b) {
    fold_bad<int><<<1, 64>>>(a);
    fold_bad<unsigned><<<1, 64>>>(b);
}
",
    );
    let run = bench.run("check k.cu");
    assert_eq!(run.status, 1);
    let blocks = run.out.matches("error[data-race]").count();
    let lines = bench.run("check k.cu --format concise");
    let findings = lines.out.matches("error[data-race]").count();
    assert!(blocks < findings / 2, "{blocks} of {findings}\n{}", run.out);
    assert!(
        run.out.contains("= note: the same cause in "),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("= note: the same in `fold_bad<unsigned int>`\n"),
        "{}",
        run.out
    );
}
