//! `check --diff REV` on repositories that the tests make.

use std::process::Command;

use serde_json::Value;
use warplog_tests::command::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");

/// A kernel that is racy where `barrier` is nothing.
fn kernel(name: &str, barrier: &str) -> String {
    format!(
        "__global__ void {name}(int *v) {{\n  __shared__ int s[64];\n  int t = threadIdx.x;\n  s[t] = v[t];\n{barrier}  v[t] = s[63 - t];\n}}\n"
    )
}

const BARRIER: &str = "  __syncthreads();\n";
const HEADER: &str = "//--blockDim=64 --gridDim=1\n";

struct Repository(Bench);

impl Repository {
    fn new() -> Self {
        let repository = Repository(Bench::new(PROGRAM));
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository
    }

    fn git(&self, words: &[&str]) {
        let status = Command::new("git")
            .args([
                "-c",
                "user.name=n",
                "-c",
                "user.email=e@example.org",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(words)
            .current_dir(self.0.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .status()
            .expect("git runs");
        assert!(status.success(), "{words:?}");
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "m"]);
    }

    /// The kernels with findings that count, and the exit status.
    fn counting(&self, line: &str) -> (Vec<String>, i32) {
        let run = self.0.run(&format!("check --format json {line}"));
        let report: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        let mut names = Vec::new();
        for kernel in report["kernels"].as_array().expect("kernels") {
            let findings = kernel["findings"].as_array().expect("findings").iter();
            let counting = findings
                .filter(|finding| finding["suppressed"].is_null())
                .count();
            if counting > 0 {
                names.push(kernel["name"].as_str().expect("a name").to_owned());
            }
        }
        (names, run.status)
    }
}

fn names(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn findings_of_the_change_count_and_others_are_suppressed() {
    let repository = Repository::new();
    let bench = &repository.0;
    let both =
        |old: &str, new: &str| format!("{HEADER}{}{}", kernel("old", old), kernel("other", new));
    bench.file("k.cu", &both("", BARRIER));
    repository.commit();
    assert_eq!(repository.counting("k.cu"), (names(&["old"]), 1));
    // Nothing changed.
    assert_eq!(repository.counting("--diff HEAD k.cu"), (Vec::new(), 0));
    // A line before it changes no finding of it; a lost barrier brings one, though no line of it is written.
    bench.file(
        "k.cu",
        &format!("{HEADER}\n\n{}{}", kernel("old", ""), kernel("other", "")),
    );
    assert_eq!(repository.counting("--diff HEAD ."), (names(&["other"]), 1));
    // A finding whose line is written is of the change, though it was there.
    let touched =
        both("", BARRIER).replacen("v[t] = s[63 - t];", "v[t] = s[63 - t]; // as before", 1);
    bench.file("k.cu", &touched);
    assert_eq!(repository.counting("--diff HEAD ."), (names(&["old"]), 1));
    // What is committed is compared with what was before.
    repository.commit();
    assert_eq!(repository.counting("--diff HEAD ."), (Vec::new(), 0));
    assert_eq!(repository.counting("--diff HEAD~1 ."), (names(&["old"]), 1));
    let run = bench.run("check --diff HEAD . --show suppressed");
    assert!(run.out.contains("not of the change"), "{}", run.out);
}

#[test]
fn headers_renames_and_new_files_are_compared_with_what_they_were() {
    let repository = Repository::new();
    let bench = &repository.0;
    bench.file("src/sync.cuh", "#define SYNC __syncthreads();\n");
    let user = format!(
        "{HEADER}#include \"sync.cuh\"\n{}",
        kernel("user", "  SYNC\n")
    );
    bench.file("src/user.cu", &user);
    bench.file("src/racy.cu", &format!("{HEADER}{}", kernel("racy", "")));
    repository.commit();
    // The header takes the barrier away: no line of the source changed.
    bench.file("src/sync.cuh", "#define SYNC\n");
    assert_eq!(
        repository.counting("--diff HEAD src"),
        (names(&["user"]), 1)
    );
    bench.file("src/sync.cuh", "#define SYNC __syncthreads();\n");
    // Another name is no change of a finding, whether git knows of it or not.
    repository.git(&["mv", "src/racy.cu", "src/named.cu"]);
    assert_eq!(repository.counting("--diff HEAD src"), (Vec::new(), 0));
    // What git does not know is new, unless it is ignored.
    bench.file("src/new.cu", &format!("{HEADER}{}", kernel("fresh", "")));
    assert_eq!(
        repository.counting("--diff HEAD src"),
        (names(&["fresh"]), 1)
    );
    // From another folder, and with a header that is gone.
    repository.commit();
    bench.file("src/user.cu", &format!("{HEADER}{}", kernel("user", "")));
    std::fs::remove_file(bench.path().join("src/sync.cuh")).expect("is there");
    assert_eq!(
        repository.counting("--diff HEAD @/src/user.cu"),
        (names(&["user"]), 1)
    );
}

#[test]
fn what_cannot_be_compared_is_told() {
    let repository = Repository::new();
    let bench = &repository.0;
    bench.file("k.cu", HEADER);
    repository.commit();
    for revision in ["no-such", "--fix", "HEAD:k.cu", ""] {
        let run = bench.words(&["check", &format!("--diff={revision}"), "k.cu"]);
        assert_eq!(run.status, 2, "{}", run.err);
        let says = format!("--diff: `{revision}` is no revision of the repository in ");
        assert!(run.err.contains(&says), "{}", run.err);
    }
    let outside = Bench::new(PROGRAM);
    outside.file("k.cu", HEADER);
    let mut command = outside.command();
    command.args(["check", "--diff", "HEAD", "k.cu"]);
    command.env(
        "GIT_CEILING_DIRECTORIES",
        outside.path().parent().expect("a parent"),
    );
    let output = command.output().expect("runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("--diff needs a git repository: k.cu: not a git repository"),
        "{error}"
    );
    let output = outside
        .command()
        .args(["check", "--diff", "HEAD", "k.cu"])
        .env("PATH", "")
        .output();
    let error = String::from_utf8_lossy(&output.expect("runs").stderr).into_owned();
    assert!(error.contains("cannot run git: no such file"), "{error}");
}
