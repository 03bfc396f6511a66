//! A file that crashes, does not end or takes all memory costs itself and no other; every way of failing is its result.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use warplog_tests::command::{Bench, Run};

const RACE_FREE: &str =
    "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n";

/// A folder of files of which the one in the middle fails in some way.
fn bench(fault: &str) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for name in ["a.cu", "b.cu", "y.cu", "z.cu"] {
        bench.file(&format!("src/{name}"), RACE_FREE);
    }
    bench.file(
        "src/m.cu",
        &format!("// fault: {fault}\n__global__ void lost(int *a) {{ a[0] = threadIdx.x; }}\n"),
    );
    bench
}

/// The run with one and with three workers, which say the same.
fn scan(bench: &Bench, more: &str) -> Run {
    let [one, three] =
        [1, 3].map(|jobs| bench.run(&format!("check src --format concise -j {jobs} {more}")));
    assert_eq!(one, three);
    one
}

/// The scan comes to its end, the four other files are checked, and this is said of the one.
fn costs_itself(fault: &str, more: &str, message: &str) {
    let bench = bench(fault);
    let run = scan(&bench, more);
    assert_eq!(run.status, 3, "{fault}: {run:?}");
    let expected = format!("src/m.cu: error: {message}");
    assert!(run.out.contains(&expected), "{fault}: {run:?}");
    let json = bench.run(&format!("check src --format json {more}"));
    let report: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let kernels = report["kernels"].as_array().expect("kernels");
    let checked = kernels
        .iter()
        .filter(|kernel| kernel["verdict"] == "race_free");
    assert_eq!(
        (checked.count(), kernels.len()),
        (4, 4),
        "{fault}: {}",
        json.out
    );
    assert_eq!(report["errors"].as_array().expect("errors").len(), 1);
}

#[test]
fn a_stack_overflow_costs_its_file() {
    costs_itself(
        "stack",
        "",
        "crashed: stack overflow while showing a fault; the file is not checked",
    );
}

#[test]
fn a_panic_costs_its_file() {
    costs_itself("panic", "", "internal error at ");
}

#[test]
fn an_abort_costs_its_file() {
    costs_itself(
        "abort",
        "",
        "crashed: the process ended by signal 6 while showing a fault",
    );
}

#[test]
fn an_endless_loop_costs_its_file() {
    costs_itself(
        "loop",
        "--file-timeout 1",
        "out of time: more than 1 s while showing a fault",
    );
}

#[test]
fn a_file_that_waits_for_nothing_costs_itself() {
    let start = Instant::now();
    let bench = bench("sleep");
    let run = bench.run("check src/m.cu --format concise --file-timeout 1");
    assert_eq!(run.status, 3);
    assert!(run.out.contains("out of time: more than 1 s"), "{run:?}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn memory_without_end_costs_its_file() {
    costs_itself(
        "memory",
        "--file-memory 300",
        "out of memory: more than 300 MiB while showing a fault",
    );
}

#[test]
fn an_allocation_that_fails_costs_its_file() {
    costs_itself(
        "allocation",
        "",
        "out of memory: the system gives no more while showing a fault",
    );
}

#[test]
fn what_a_worker_wrote_is_known_and_what_was_lost_is_not() {
    let bench = bench("stack");
    let scan = || {
        let mut command = bench.command();
        command
            .args(["check", "src", "--format", "json"])
            .env("WARPLOG_CACHE_DIR", bench.path().join("cache"));
        let output = command.output().expect("runs");
        (output.status.code(), output.stdout)
    };
    let first = scan();
    assert_eq!(first.0, Some(3));
    let entries = || {
        let shards = std::fs::read_dir(bench.path().join("cache"))
            .expect("a cache")
            .flatten();
        let shards = shards.filter(|shard| shard.file_name() != "last");
        let files = shards.flat_map(|shard| std::fs::read_dir(shard.path()).expect("a shard"));
        files.count()
    };
    assert_eq!(entries(), 4);
    assert_eq!(scan(), first);
    assert_eq!(entries(), 4);
}

/// A scan of which one file never ends, with a cache in which the others are known.
fn endless() -> (Bench, Child) {
    let bench = bench("loop");
    let child = bench
        .command()
        .args(["check", "src", "--format", "json", "-j", "2"])
        .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let start = Instant::now();
    while kept(&bench.path().join("cache")) < 4 {
        assert!(
            start.elapsed() < Duration::from_secs(120),
            "nothing is kept"
        );
        sleep(Duration::from_millis(10));
    }
    // A result is kept before it is told: the last one is on its way.
    sleep(Duration::from_millis(500));
    (bench, child)
}

/// Results in a cache.
fn kept(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let is_result = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name != "last" && !name.starts_with("tmp-")
    };
    paths
        .filter(is_result)
        .map(|path| if path.is_dir() { kept(&path) } else { 1 })
        .sum()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(status.success());
}

/// The report has the four files that came to their end, and says that it is not whole.
fn assert_interrupted(output: &Output) {
    assert_eq!(output.status.code(), Some(130));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["incomplete"]["files_done"], 4);
    assert_eq!(report["incomplete"]["files"], 5);
    assert_eq!(report["kernels"].as_array().expect("kernels").len(), 4);
}

#[test]
fn a_signal_ends_a_file_that_listens_to_nobody() {
    for name in ["TERM", "INT"] {
        let (_bench, child) = endless();
        let start = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().expect("ends");
        // Two seconds, on a machine that does other things as well.
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "{:?}",
            start.elapsed()
        );
        assert_interrupted(&output);
    }
}

/// A kernel that comes through every phase.
const RACY: &str = "__global__ void racy(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x % 7] = threadIdx.x; }\n";

#[test]
fn a_signal_ends_every_phase_of_a_file() {
    for phase in [
        "preprocessing",
        "parsing",
        "following the host code",
        "reading kernel",
        "applying the rules",
        "deciding kernel",
        "looking for conditions",
    ] {
        let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
        bench.file("k.cu", &format!("// fault: loop while {phase}\n{RACY}"));
        let child = bench
            .command()
            .args(["check", "k.cu", "--format", "json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        sleep(Duration::from_millis(1500));
        let start = Instant::now();
        signal(&child, "TERM");
        let output = child.wait_with_output().expect("ends");
        let took = start.elapsed();
        // Two seconds, on a machine that does other things as well.
        assert!(took < Duration::from_secs(6), "{phase}: {took:?}");
        assert_eq!(output.status.code(), Some(130), "{phase}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["incomplete"]["files"], 1, "{phase}");
        // It was in that phase: what ends it for want of time says so.
        let told = bench.run("check k.cu --format concise --file-timeout 1");
        let says = format!("out of time: more than 1 s while {phase}");
        assert!(
            told.err.contains(&says) || told.out.contains(&says),
            "{told:?}"
        );
    }
}

/// A report that nobody reads does not keep the program.
#[test]
fn a_signal_ends_a_report_that_nobody_reads() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    let kernels: Vec<String> = (0..60)
        .map(|nth| RACY.replace("racy", &format!("racy{nth}")))
        .collect();
    bench.file("k.cu", &kernels.concat());
    let mut child = bench
        .command()
        .args(["check", ".", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    // The first byte comes when the analysis is at its end; the pipe takes less than the report.
    let mut out = child.stdout.take().expect("its output");
    std::io::Read::read_exact(&mut out, &mut [0]).expect("a byte");
    sleep(Duration::from_millis(200));
    let start = Instant::now();
    signal(&child, "TERM");
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    assert!(
        start.elapsed() < Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
}

/// A file system that is full leaves no half folder of facts.
#[cfg(unix)]
#[test]
fn facts_that_cannot_be_written_leave_nothing() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", RACY);
    assert_eq!(bench.run("facts k.cu --out facts").status, 0);
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(bench.path().join(folder))
            .into_iter()
            .flatten();
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let whole = names("facts");
    let version = bench.read("facts/version.csv");
    let schema = bench.read("facts/schema.md");
    // A limit on the size of files fails like a disk that is full, without a disk.
    for folder in ["facts", "new"] {
        let output = Command::new("sh")
            .args([
                "-c",
                "trap '' XFSZ; ulimit -f 8; exec \"$0\" facts k.cu --out \"$1\"",
            ])
            .args([env!("CARGO_BIN_EXE_warplog-under-test"), folder])
            .current_dir(bench.path())
            .output()
            .expect("runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.contains("writing"), "{error}");
    }
    assert_eq!(names("facts"), whole);
    assert_eq!(
        (
            bench.read("facts/version.csv"),
            bench.read("facts/schema.md")
        ),
        (version, schema)
    );
    assert!(!bench.path().join("new").exists());
}

#[test]
fn a_signal_that_comes_twice_at_once_is_one() {
    let (_bench, child) = endless();
    signal(&child, "INT");
    sleep(Duration::from_millis(50));
    signal(&child, "TERM");
    assert_interrupted(&child.wait_with_output().expect("ends"));
}

#[test]
fn what_was_finished_is_known_after_the_end_of_the_program_itself() {
    let (bench, mut child) = endless();
    child.kill().expect("is killed");
    child.wait().expect("ends");
    assert_eq!(kept(&bench.path().join("cache")), 4);
    // Its workers are gone as well: one of them would go on for ever.
    let folder = bench.path().join("src").display().to_string();
    let start = Instant::now();
    let is_left = || {
        let processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let links = processes.filter_map(|entry| std::fs::read_link(entry.path().join("cwd")).ok());
        let here = std::fs::canonicalize(bench.path()).expect("a folder");
        links.into_iter().any(|link| link == here)
    };
    while is_left() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{folder} is still in work"
        );
        sleep(Duration::from_millis(50));
    }
}
