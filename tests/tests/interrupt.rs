//! Ctrl-C: a real signal to the program in the middle of a scan, what it writes then, and how the next run goes on.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use warplog_tests::command::Bench;

/// So many files that no machine is through with them before the signal arrives.
const FILES: usize = 150;

/// A scan that takes seconds: no two kernels are alike.
fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for nth in 0..FILES {
        let text = format!(
            "//--blockDim=256 --gridDim=4\n\
             __global__ void sweep_{nth}(int *out, const int *in, int n) {{\n\
             __shared__ int s[512];\n\
             int t = threadIdx.x;\n\
             for (int i = {nth}; i < n; i += 3) {{\n\
             s[t] = in[i + t]; s[t + 256] = i;\n\
             __syncthreads();\n\
             out[blockIdx.x * 256 + t] += s[(t + {nth}) % 512];\n\
             }}\n}}\n"
        );
        bench.file(&format!("src/k{nth:03}.cu"), &text);
    }
    bench
}

fn scan(bench: &Bench, format: &str) -> Command {
    let mut command = bench.command();
    command
        .args(["check", "src", "--format", format, "-j", "2"])
        .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Results that are kept.
fn kept(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    // Not the record of the scan.
    let entries = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| !path.ends_with("last"));
    entries
        .map(|path| if path.is_dir() { kept(&path) } else { 1 })
        .sum()
}

/// Waits until something is kept.
fn wait_for_results(bench: &Bench) {
    let start = Instant::now();
    while kept(&bench.path().join("cache")) < 3 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing is kept"
        );
        sleep(Duration::from_millis(3));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(status.success());
}

#[test]
fn an_interrupted_scan_writes_what_it_has_and_goes_on_from_there() {
    let bench = bench();
    let mut command = scan(&bench, "json");
    let root = bench.path().display();
    for output in ["text", "sarif", "junit", "csv", "html"] {
        command
            .arg("--output")
            .arg(format!("{output}={root}/out.{output}"));
    }
    let child = command.spawn().expect("runs");
    wait_for_results(&bench);
    signal(&child, "INT");
    let output = child.wait_with_output().expect("ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("error: interrupted: "), "{error}");
    let report: Json = serde_json::from_slice(&output.stdout).expect("whole JSON");
    let done = report["incomplete"]["files_done"]
        .as_u64()
        .expect("a count");
    assert_eq!(report["incomplete"]["files"], FILES);
    // What was kept right before the signal is not counted yet.
    let running = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    assert!(done + running >= 3 && done < FILES as u64, "{done}");
    assert!(report["kernels"].as_array().expect("kernels").len() as u64 >= done);
    let text = bench.read("out.text");
    assert!(text.contains(&format!("; incomplete: {done} of {FILES} files\n")));
    assert!(text.contains("the same command goes on from there"));
    let sarif: Json = serde_json::from_str(&bench.read("out.sarif")).expect("whole JSON");
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        false
    );
    assert!(bench.read("out.junit").ends_with("</testsuites>\n"));
    assert!(bench.read("out.csv").contains(",incomplete,"));
    let page = bench.read("out.html");
    assert!(page.contains(&format!("interrupted: {done} of {FILES} files")));
    assert!(page.trim_end().ends_with("</html>"));
    // Only what is whole is kept: what is done, and files that came to their end behind the signal.
    assert!(kept(&bench.path().join("cache")) as u64 <= done + running);

    // The next run uses it, and says what a run says that nobody interrupted.
    let resumed = scan(&bench, "json")
        .arg("--output")
        .arg(format!("html={root}/out.html"))
        .output()
        .expect("runs");
    let fresh = scan(&bench, "json")
        .arg("--no-cache")
        .output()
        .expect("runs");
    assert_eq!(resumed.status.code(), fresh.status.code());
    assert!(
        resumed.stdout == fresh.stdout,
        "the resumed run says something else"
    );
    assert_eq!(kept(&bench.path().join("cache")), FILES);
}

#[test]
fn the_end_of_a_job_is_an_interruption_too() {
    let bench = bench();
    let child = scan(&bench, "concise").spawn().expect("runs");
    wait_for_results(&bench);
    signal(&child, "TERM");
    // Whoever is in a hurry asks twice.
    signal(&child, "INT");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(130));
}

/// Ctrl-C while Z3 works on one question for seconds: it must come to us, whatever Z3 does with signals of its own.
#[test]
fn an_interruption_comes_through_while_the_solver_works() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file(
        "k.cu",
        "__global__ void mixed(unsigned *p, unsigned n) {\n\
         unsigned t = blockIdx.x * blockDim.x + threadIdx.x;\n\
         unsigned h = t * 2654435761u;\n\
         h ^= h >> 15;\n\
         h *= n | 1u;\n\
         h ^= h >> 13;\n\
         p[h] = t;\n\
         }\n",
    );
    let mut command = bench.command();
    command
        .args(["check", "k.cu", "--effort", "200", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let child = command.spawn().expect("runs");
    sleep(Duration::from_secs(3));
    signal(&child, "INT");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(130), "{:?}", start.elapsed());
    let report: Json = serde_json::from_slice(&output.stdout).expect("whole JSON");
    assert_eq!(report["incomplete"]["files"], 1);
}
