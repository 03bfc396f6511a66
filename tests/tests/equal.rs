//! Pairs of kernels that are said to leave equal contents, or not to: no answer is wrong, and nine in ten are given.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use warplog::equal::ask::Ask;
use warplog::equal::of_facts;
use warplog::naming::Named;
use warplog_equivalence::answer::Verdict;
use warplog_report::equal::{self as told, Comparison};
use warplog_tests::equal::{Expected, compare, files, judge};

/// Shown with `--nocapture`.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn pairs_are_decided_and_none_wrongly() {
    let (mut equal, mut different, mut decided) = (0, 0, 0);
    let (mut wrong, mut open) = (String::new(), String::new());
    let mut times = Vec::new();
    for file in files() {
        for pair in &file.pairs {
            match pair.expected {
                Expected::Different => different += 1,
                Expected::Equal | Expected::Reassociated => equal += 1,
            }
            let start = Instant::now();
            let reassociates = pair.expected == Expected::Reassociated;
            let answer = compare(&file.facts, &pair.sides, reassociates);
            let answer = answer.unwrap_or_else(|error| panic!("{pair:?}: {error}"));
            times.push(start.elapsed());
            let (is_wrong, is_decided) = judge(pair.expected, &answer.verdict);
            decided += u32::from(is_decided);
            if is_wrong {
                let _ = writeln!(wrong, "{pair:?}: {:?}", answer.verdict);
            }
            if let Verdict::Unknown(reasons) = &answer.verdict {
                let _ = writeln!(open, "{pair:?}: {reasons:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "wrong answers:\n{wrong}");
    let pairs = equal + different;
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    tell(&format!(
        "{equal} equal, {different} different, {decided} decided, median {median:?}, most {most:?}, open:\n{open}"
    ));
    assert!(
        equal >= 60 && different >= 100,
        "{equal} equal, {different} different"
    );
    assert!(
        decided * 10 >= pairs * 9,
        "{decided} of {pairs}, open:\n{open}"
    );
}

/// The rows of a relation.
fn rows<'c>(comparison: &'c Comparison, name: &str) -> &'c [Vec<String>] {
    let mut relations = comparison.derivation.iter();
    let found = relations.find(|relation| relation.relation == name);
    found.map_or(&[][..], |relation| relation.rows.as_slice())
}

#[test]
fn the_derivation_says_what_the_answer_says() {
    let mut seen = [0, 0, 0];
    let told = ["pug_para.cu", "blocks.cu", "shapes.cu"];
    for file in files()
        .into_iter()
        .filter(|file| told.contains(&file.name.as_str()))
    {
        for pair in &file.pairs {
            let sides = [0, 1].map(|side| Named {
                path: file.name.clone().into(),
                kernels: pair.sides[side].split(',').map(str::to_owned).collect(),
            });
            let ask = Ask {
                sides,
                reassociates: pair.expected == Expected::Reassociated,
                map: Vec::new(),
                assumed: Vec::new(),
            };
            let all = [&file.facts];
            let answer = of_facts([&all, &all], &ask);
            let answer = answer.unwrap_or_else(|error| panic!("{pair:?}: {error}"));
            match answer.verdict {
                told::Verdict::Equal => {
                    seen[0] += 1;
                    assert!(rows(&answer, "unmatched").is_empty(), "{pair:?}");
                    let agree: Vec<&String> =
                        rows(&answer, "agrees").iter().map(|row| &row[0]).collect();
                    assert!(!agree.is_empty(), "{pair:?}");
                    for row in rows(&answer, "writes_element") {
                        assert!(agree.contains(&&row[2]), "{pair:?}: {row:?}");
                    }
                }
                told::Verdict::Different => {
                    seen[1] += 1;
                    let found = answer.counterexample.as_ref().expect("a counterexample");
                    let row = [
                        found.array.clone(),
                        found.element.to_string(),
                        found.left.value.clone(),
                        found.right.value.clone(),
                    ];
                    assert_eq!(rows(&answer, "differs"), [row], "{pair:?}");
                }
                told::Verdict::Unknown => seen[2] += 1,
            }
        }
    }
    assert!(seen[0] > 30 && seen[1] > 30, "{seen:?}");
}

#[test]
fn random_pairs_agree_with_brute_force() {
    let told = warplog_tests::random::equal::pairs(0..90);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(told.equal.0 > 0 && told.different.1 > 0, "{told}");
}

#[test]
fn launches_of_different_shapes_agree_with_their_runs() {
    let told = warplog_tests::random::launches::pairs(0..400);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(
        told.equal.0 > 0 && told.different.1 > 0 && told.conditions > 0,
        "{told}"
    );
}

#[test]
fn kernels_that_count_agree_with_their_runs() {
    let told = warplog_tests::random::counts::pairs(0..400);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(told.equal.0 > 0 && told.different.1 > 0, "{told}");
}

/// What orders threads besides barriers of the block is not followed, and an answer that takes it for nothing would be wrong.
#[test]
fn threads_that_are_ordered_otherwise_are_not_compared() {
    let flag = "#include <cuda/atomic>
        __global__ void one(int *out, int *data, cuda::atomic<int, cuda::thread_scope_device> *flag) {
            if (blockIdx.x == 0) {
                if (threadIdx.x == 0) { data[0] = 1; flag->store(1, cuda::memory_order_release); }
            } else if (threadIdx.x == 0) {
                while (flag->load(cuda::memory_order_acquire) == 0) {}
                out[blockIdx.x] = data[0];
            }
        }";
    let lanes = "//--warp-sync=32
        __global__ void one(int *out, const int *in) {
            __shared__ volatile int s[32];
            s[threadIdx.x] = in[threadIdx.x];
            if (threadIdx.x < 16) s[threadIdx.x] += s[threadIdx.x + 16];
            out[threadIdx.x] = s[threadIdx.x];
        }";
    for (what, text) in [("a flag", flag), ("lock-step", lanes)] {
        let facts = warplog_tests::equal::facts("ordered.cu", text);
        let sides = ["one".to_owned(), "one".to_owned()];
        let answer = compare(&facts, &sides, false);
        let answer = answer.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(
            matches!(answer.verdict, Verdict::Unknown(_)),
            "{what}: {:?}",
            answer.verdict
        );
    }
}

/// Each thread of a block may store into one element. Whatever is answered, it is answered: the time grows with a power of the number of threads.
#[test]
fn stores_of_many_threads_end() {
    let kernels = |threads: u32| {
        format!(
            "//--blockDim={threads} --gridDim=1
            __global__ void flag(int *out, const int *in) {{
                __shared__ int any;
                int i = threadIdx.x;
                if (i == 0) any = 0;
                __syncthreads();
                if (in[i] > 0) any = 1;
                __syncthreads();
                out[i] = any;
            }}
            __global__ void vote(int *out, const int *in) {{
                int i = threadIdx.x;
                out[i] = __syncthreads_or(in[i] > 0);
            }}
            __global__ void missing(int *out, const int *in) {{
                __shared__ int any;
                int i = threadIdx.x;
                if (i == 0) any = 0;
                __syncthreads();
                if (in[i] > 0 && i != {threads} - 1) any = 1;
                __syncthreads();
                out[i] = any;
            }}
            __global__ void kinds(int *out, const int *in) {{
                __shared__ int kind;
                int i = threadIdx.x;
                if (i == 0) kind = 0;
                __syncthreads();
                for (int k = 0; k < 3; k++) {{
                    if (in[i] == k) kind = in[i] < 2 ? 1 : kind;
                    __syncthreads();
                }}
                out[i] = kind;
            }}"
        )
    };
    let mut times = Vec::new();
    for threads in [16, 64, 256] {
        let facts = warplog_tests::equal::facts("many.cu", &kernels(threads));
        let start = Instant::now();
        for [left, right] in [["flag", "vote"], ["flag", "missing"], ["flag", "kinds"]] {
            let sides = [left.to_owned(), right.to_owned()];
            let answer = compare(&facts, &sides, false);
            let answer = answer.unwrap_or_else(|error| panic!("{left}, {right}: {error}"));
            let is_equal = matches!(answer.verdict, Verdict::Equal(_));
            let is_different = matches!(answer.verdict, Verdict::Different(_));
            match right {
                "vote" => assert!(!is_different, "{threads}: {:?}", answer.verdict),
                _ => assert!(!is_equal, "{threads}: {:?}", answer.verdict),
            }
        }
        times.push(start.elapsed().as_secs_f64());
    }
    tell(&format!("{times:?}"));
    // Four times as many threads: a cube is 64 times as long, and what doubles with each thread does not end.
    assert!(times[2] < 256.0 * times[1].max(0.05), "{times:?}");
}
