//! `warplog triage`: what is asked, what is written, and what it settles.

use warplog_tests::command::{Bench, Run};

const SCATTER: &str = "__global__ void scatter(float *out, const float *in, const int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] = in[i];
}
";
/// The same names, another kernel: no answer is about it.
const OTHER: &str = "__global__ void other(float *out, const float *in, const int *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[to[i]] += in[i];
}
";

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench
}

fn verdict_of<'r>(run: &'r Run, kernel: &str) -> &'r str {
    let at = run
        .out
        .find(&format!("\"name\": \"{kernel}\""))
        .unwrap_or_else(|| panic!("{run:?}"));
    let rest = &run.out[at..];
    rest.split("\"verdict\": \"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
}

#[test]
fn a_yes_is_assumed_of_the_kernel_it_is_about() {
    let both = format!("{SCATTER}{OTHER}");
    let bench = bench(&[("a.cu", SCATTER), ("b.cu", &both)]);
    let listed = bench.run("triage a.cu --list");
    assert!(
        listed
            .out
            .contains("are the elements of `to` pairwise different?"),
        "{listed:?}"
    );
    let run = bench.words(&[
        "triage",
        "a.cu",
        "--yes",
        "__distinct(to)",
        "--because",
        "to is a permutation",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let config = bench.read("warplog.toml");
    for line in [
        "assume = \"__distinct(to)\"",
        "holds = true",
        "because = \"to is a permutation\"",
        "kernel = \"scatter\"",
        "path = \"a.cu\"",
    ] {
        assert!(config.contains(line), "{line}: {config}");
    }
    assert_eq!(
        verdict_of(&bench.run("check a.cu --format json"), "scatter"),
        "race_free"
    );
    let other = bench.run("check b.cu --format json");
    assert_eq!(
        verdict_of(&other, "scatter"),
        "racy",
        "the answer is about another file"
    );
    // By hand for all files: still of that kernel only.
    bench.file("warplog.toml", &config.replace("path = \"a.cu\"\n", ""));
    let other = bench.run("check b.cu --format json");
    assert_eq!(verdict_of(&other, "scatter"), "race_free");
    assert_eq!(
        verdict_of(&other, "other"),
        "racy",
        "the answer is about another kernel"
    );
}

#[test]
fn a_no_is_not_asked_again_and_settles_nothing() {
    let bench = bench(&[("a.cu", SCATTER)]);
    let run = bench.words(&["triage", "a.cu", "--no", "1", "--because", "indices repeat"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(bench.read("warplog.toml").contains("holds = false"));
    let again = bench.run("triage a.cu --list");
    assert!(!again.out.contains("pairwise different"), "{again:?}");
    assert_eq!(
        verdict_of(&bench.run("check a.cu --format json"), "scatter"),
        "racy"
    );
}

#[test]
fn who_is_asked_answers_line_by_line() {
    let bench = bench(&[("a.cu", SCATTER)]);
    let run = bench.with_input(
        &["triage", "a.cu"],
        "perhaps\nyes\nthe host sorts them apart\nquit\n",
    );
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("question 1 of "), "{run:?}");
    assert!(
        bench
            .read("warplog.toml")
            .contains("because = \"the host sorts them apart\"")
    );
    let nothing = bench.with_input(&["triage", "a.cu"], "");
    assert_eq!(nothing.status, 0, "{nothing:?}");
}

#[test]
fn wrong_answers_are_refused() {
    let bench = bench(&[("a.cu", SCATTER)]);
    let unasked = bench.words(&["triage", "a.cu", "--yes", "n <= 77", "--because", "x"]);
    assert_eq!(unasked.status, 2, "{unasked:?}");
    let unfounded = bench.words(&["triage", "a.cu", "--yes", "1"]);
    assert_eq!(unfounded.status, 2, "{unfounded:?}");
    assert!(!bench.path().join("warplog.toml").exists());
}
