//! The result cache: it changes nothing but the time, and gives way as soon as anything that counts has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use warplog_tests::command::Bench;

const MAIN: &str = "\
//--blockDim=64 --gridDim=1
#include \"size.h\"
__global__ void k(int *p) {
    p[threadIdx.x % SIZE] = threadIdx.x;
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("src/k.cu", MAIN);
    bench.file("inc/size.h", "#define SIZE 64\n");
    bench
}

/// Runs with the cache of the bench.
fn cached(bench: &Bench, line: &str) -> Output {
    bench
        .command()
        .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
        .args(line.split_whitespace())
        .output()
        .expect("runs")
}

/// The kept results; the record of the last scan lies beside them.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() == "last" {
            continue;
        }
        if entry.path().is_dir() {
            all.extend(entries(&entry.path()));
        } else {
            all.push(entry.path());
        }
    }
    all.sort();
    all
}

const LINE: &str = "check src -I inc";

#[test]
fn a_known_result_is_the_same_to_the_byte() {
    let bench = bench();
    let folder = bench.path().join("cache");
    for format in ["text", "json", "sarif", "junit", "csv", "concise"] {
        let line = format!("{LINE} --coverage --format {format}");
        let plain = cached(&bench, &format!("{line} --no-cache"));
        let cold = cached(&bench, &line);
        assert_eq!(entries(&folder).len(), 1, "{format}");
        let warm = cached(&bench, &line);
        assert_eq!(plain, cold, "{format}");
        assert_eq!(cold, warm, "{format}");
    }
    assert_eq!(
        cached(&bench, &format!("{LINE} --timings")).status.code(),
        Some(0)
    );
    assert_eq!(entries(&folder).len(), 1, "times are kept");
}

#[test]
fn whatever_changes_is_analysed_anew() {
    let bench = bench();
    let status = |line: &str| cached(&bench, line).status.code();
    assert_eq!(status(LINE), Some(0));
    // A header.
    bench.file("inc/size.h", "#define SIZE 32\n");
    assert_eq!(status(LINE), Some(1));
    bench.file("inc/size.h", "#define SIZE 64\n");
    assert_eq!(status(LINE), Some(0));
    // A header that hides it.
    bench.file("src/size.h", "#define SIZE 16\n");
    assert_eq!(status(LINE), Some(1));
    fs::remove_file(bench.path().join("src/size.h")).expect("removed");
    assert_eq!(status(LINE), Some(0));
    // A header that is gone: its name is taken from elsewhere, or unknown.
    fs::rename(
        bench.path().join("inc/size.h"),
        bench.path().join("inc/gone.h"),
    )
    .expect("renamed");
    assert_ne!(
        cached(&bench, LINE).stdout,
        cached(&bench, "check src -I inc -DSIZE=64").stdout
    );
    fs::rename(
        bench.path().join("inc/gone.h"),
        bench.path().join("inc/size.h"),
    )
    .expect("renamed");
    // The file, its flags, its configuration.
    bench.file("src/k.cu", &MAIN.replace("% SIZE", "/ 2"));
    assert_eq!(status(LINE), Some(1));
    bench.file(
        "src/k.cu",
        &MAIN.replace("//--blockDim=64 --gridDim=1\n", ""),
    );
    assert_eq!(
        status(&format!("{LINE} --block-dim 64 --grid-dim 1")),
        Some(0)
    );
    assert_eq!(
        status(&format!("{LINE} --block-dim 65 --grid-dim 1")),
        Some(1)
    );
    bench.file("warplog.toml", "block-dim = 64\ngrid-dim = 1\n");
    assert_eq!(status(LINE), Some(0));
    bench.file("warplog.toml", "block-dim = 128\ngrid-dim = 1\n");
    assert_eq!(status(LINE), Some(1));
}

#[test]
fn a_new_header_that_may_be_guessed_counts() {
    let bench = bench();
    let verdict = || String::from_utf8(cached(&bench, "check .").stdout).expect("UTF-8");
    assert!(verdict().contains("race_free"));
    // Nearer to the source, so that it is the better guess.
    bench.file("src/sub/size.h", "#define SIZE 16\n");
    assert!(verdict().contains("racy"), "{}", verdict());
}

#[test]
fn damaged_entries_are_rebuilt() {
    let bench = bench();
    let folder = bench.path().join("cache");
    let good = cached(&bench, LINE);
    let entry = entries(&folder).remove(0);
    let bytes = fs::read(&entry).expect("reads");
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [
        &b""[..],
        b"x",
        &bytes[..bytes.len() - 1],
        &bytes[..40],
        &flipped,
    ] {
        fs::write(&entry, damaged).expect("a file");
        assert_eq!(cached(&bench, LINE), good);
        assert_eq!(fs::read(&entry).expect("reads"), bytes, "not rebuilt");
    }
    // What an interrupted run may leave does not matter.
    let shard = entry.parent().expect("a folder");
    fs::write(shard.join("tmp-1-0"), "half").expect("a file");
    assert_eq!(cached(&bench, LINE), good);
}

#[test]
fn a_cache_that_cannot_be_used_is_done_without() {
    let bench = bench();
    let good = cached(&bench, &format!("{LINE} --no-cache"));
    bench.file("cache", "a file, where a folder should be");
    assert_eq!(cached(&bench, LINE), good);
}

#[test]
fn runs_at_the_same_time_share_a_cache() {
    let bench = bench();
    for nth in 0..6 {
        bench.file(
            &format!("src/k{nth}.cu"),
            &MAIN.replace("void k", &format!("void k{nth}")),
        );
    }
    let good = cached(&bench, &format!("{LINE} --no-cache"));
    let runs: Vec<_> = (0..4)
        .map(|_| {
            bench
                .command()
                .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
                .args(LINE.split_whitespace())
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .expect("runs")
        })
        .collect();
    for run in runs {
        assert_eq!(run.wait_with_output().expect("ends"), good);
    }
    assert_eq!(entries(&bench.path().join("cache")).len(), 7);
    assert_eq!(cached(&bench, LINE), good);
}

#[test]
fn an_interrupted_run_leaves_a_cache_that_works() {
    let bench = bench();
    for nth in 0..12 {
        bench.file(
            &format!("src/k{nth}.cu"),
            &MAIN.replace("void k", &format!("void k{nth}")),
        );
    }
    let good = cached(&bench, &format!("{LINE} --no-cache"));
    let deadline = Instant::now() + Duration::from_secs(20);
    for wait in [5, 20, 60, 150] {
        let mut run = bench
            .command()
            .env("WARPLOG_CACHE_DIR", bench.path().join("cache"))
            .args(LINE.split_whitespace())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("runs");
        std::thread::sleep(Duration::from_millis(wait));
        run.kill().expect("kills");
        run.wait().expect("ends");
        assert_eq!(cached(&bench, LINE), good);
        assert!(Instant::now() < deadline, "too slow to be of use");
        fs::remove_dir_all(bench.path().join("cache")).expect("removed");
    }
}

#[test]
fn one_result_serves_every_format() {
    let bench = bench();
    let folder = bench.path().join("cache");
    let page = cached(&bench, &format!("{LINE} --format html --no-cache"));
    let text = cached(&bench, &format!("{LINE} --no-cache"));
    assert_eq!(cached(&bench, &format!("{LINE} --format html")), page);
    let kept = entries(&folder);
    assert_eq!(kept.len(), 1);
    assert_eq!(cached(&bench, LINE), text);
    assert_eq!(
        entries(&folder),
        kept,
        "the result for the page serves the text"
    );

    fs::remove_file(&kept[0]).expect("a file");
    assert_eq!(cached(&bench, LINE), text);
    let short = fs::metadata(&kept[0]).expect("the same entry").len();
    assert_eq!(cached(&bench, &format!("{LINE} --format html")), page);
    assert_eq!(entries(&folder), kept, "what only the page shows is added");
    assert!(fs::metadata(&kept[0]).expect("the entry").len() > short);
    assert_eq!(cached(&bench, &format!("{LINE} --format html")), page);
    assert_eq!(cached(&bench, LINE), text);
}
