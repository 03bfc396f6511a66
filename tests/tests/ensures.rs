//! Post-conditions that hold and that do not: no answer is wrong, and nine in ten are given.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use serde_json::Value as Json;
use warplog_report::ensures::{ENSURES_SCHEMA, Verdict};
use warplog_report::equal::EQUAL_SCHEMA;
use warplog_tests::command::Bench;
use warplog_tests::ensures::{ask, examined, files};

/// Shown with `--nocapture`.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn post_conditions_are_decided_and_none_wrongly() {
    let (mut held, mut failed, mut decided) = (0, 0, 0);
    let (mut wrong, mut open) = (String::new(), String::new());
    let mut times = Vec::new();
    for (file, text, all) in files() {
        let facts = examined(&file, &text);
        for said in all {
            match said.holds {
                true => held += 1,
                false => failed += 1,
            }
            let start = Instant::now();
            let outcome = ask(&facts, &said.kernels, &said.text, false);
            let outcome = outcome.unwrap_or_else(|error| panic!("{said:?}: {error}"));
            times.push(start.elapsed());
            match (outcome.verdict, said.holds) {
                (Verdict::Holds, true) | (Verdict::Fails, false) => decided += 1,
                (Verdict::Unknown, _) => {
                    let _ = writeln!(open, "{said:?}: {:?}", outcome.reasons);
                }
                _ => {
                    let _ = writeln!(wrong, "{said:?}: {outcome:?}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "wrong answers:\n{wrong}");
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    tell(&format!(
        "{held} hold, {failed} fail, {decided} decided, median {median:?}, most {most:?}, open:\n{open}"
    ));
    assert!(held >= 25 && failed >= 30, "{held} hold, {failed} fail");
    assert!(
        decided * 10 >= (held + failed) * 9,
        "{decided} of {}, open:\n{open}",
        held + failed
    );
}

#[test]
fn random_post_conditions_agree_with_brute_force() {
    let told = warplog_tests::random::claims::claims(0..300);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(
        told.held > 0 && told.failed > 0 && told.conditions > 0,
        "{told}"
    );
}

const KERNELS: &str = "\
// warplog: launch block=64 grid=(n+63)/64
// warplog: ensures for i: i < n => out[i] == 2 * old(in[i])
__global__ void twice(int *out, const int *in, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i] = in[i] + in[i];
}

// warplog: launch block=64 grid=1
__global__ void racy(int *out, const int *in) {
    out[0] = in[threadIdx.x];
}

// warplog: launch block=64 grid=1
// warplog: ensures for i: out[i] == m
__global__ void foreign(int *out) {
    out[threadIdx.x] = 0;
}

struct Sizes { int n; };
// warplog: launch block=64 grid=16
// warplog: ensures for i: i < s.n && i < 1024 => out[i] == 5
__global__ void of_struct(int *out, Sizes s) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < s.n) out[i] = 5;
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", KERNELS);
    bench
}

#[test]
fn the_exit_status_says_whether_all_hold() {
    let bench = bench();
    let run = |words: &[&str]| bench.words(words);
    assert_eq!(run(&["ensures", "k.cu:twice"]).status, 0);
    assert_eq!(run(&["ensures", "k.cu:of_struct"]).status, 0);
    let fails = run(&[
        "ensures",
        "k.cu:twice",
        "--that",
        "for i: i < n => out[i] == old(in[i])",
    ]);
    assert_eq!(fails.status, 1, "{}", fails.shown());
    assert!(fails.out.contains("holds  k.cu:twice"), "{}", fails.out);
    assert!(
        fails.out.contains("was written last by thread"),
        "{}",
        fails.out
    );
    assert!(fails.out.contains("k.cu:5\n"), "{}", fails.out);
    // A race is the answer.
    let racy = run(&["ensures", "k.cu:racy", "--that", "out[0] == 0"]);
    assert_eq!(racy.status, 4, "{}", racy.shown());
    assert!(racy.out.contains("data race in `racy`"), "{}", racy.out);
}

#[test]
fn what_is_wrong_with_the_question_is_said() {
    let bench = bench();
    for (words, status, part) in [
        (
            &["ensures", "k.cu:foreign"][..],
            2,
            "the kernel has no parameter `m`; there are out",
        ),
        (&["ensures", "k.cu:racy"], 2, "racy has no post-condition"),
        (
            &["ensures", "k.cu:none", "--that", "out[0] == 0"],
            2,
            "none",
        ),
        (&["ensures", "k.cu"], 2, "expected FILE:KERNEL"),
        (&["ensures", "gone.cu:twice"], 3, "gone.cu"),
        (
            &["ensures", "k.cu:twice", "--that", "for i: out[i"],
            2,
            "`[` is not closed",
        ),
        (
            &["ensures", "k.cu:twice", "--that", ""],
            2,
            "a condition is missing",
        ),
        (
            &[
                "ensures",
                "k.cu:twice,racy",
                "--that",
                "for i: i < n => out[i] == x",
            ],
            2,
            "no parameter `x`",
        ),
    ] {
        let run = bench.words(words);
        assert_eq!(run.status, status, "{words:?}: {}", run.shown());
        assert!(run.err.contains(part), "{words:?}: {}", run.shown());
    }
    bench.file(
        "empty.cu",
        "// warplog: ensures\n__global__ void nothing(int *out) { out[threadIdx.x] = 0; }\n",
    );
    let told = bench.words(&["check", "empty.cu"]);
    assert!(
        told.shown().contains("`ensures` takes a condition"),
        "{}",
        told.shown()
    );
}

#[test]
fn json_follows_the_schemas() {
    let bench = bench();
    let valid = |schema: &str, words: &[&str]| -> Json {
        let schema: Json = serde_json::from_str(schema).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let run = bench.words(words);
        let answer: Json = serde_json::from_str(&run.out).expect("JSON");
        let errors: Vec<String> = validator
            .iter_errors(&answer)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}: {}", run.out);
        answer
    };
    let answer = valid(
        ENSURES_SCHEMA,
        &[
            "ensures",
            "k.cu:twice",
            "--format",
            "json",
            "--that",
            "for i: i < n => out[i] == old(in[i])",
            "--that",
            "for i: out[i] == 2 * old(in[i])",
        ],
    );
    let verdicts: Vec<&str> = answer["post_conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, ["holds", "fails", "fails"], "{answer}");
    for right in ["twice", "of_struct", "racy"] {
        valid(
            EQUAL_SCHEMA,
            &[
                "equal",
                "k.cu:twice",
                &format!("k.cu:{right}"),
                "--format",
                "json",
                "--map",
                "out=out",
            ],
        );
    }
}
