//! Kernels of the data set under ThreadSanitizer, and with fibers ordered by vector clocks: a part of what `make soak` does.

use std::io::Write as _;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_tests::datasets;
use warplog_tests::labels::read_folder;
use warplog_tests::sanitizer::{Compiler, Runtime, compare};

/// One file of the data set in so many is run.
const ONE_IN: usize = 20;

/// And these: barriers of blocks, tiles and warps, and of masks; writes of equal bytes; races across blocks with barriers.
const ALWAYS: &[&str] = &[
    "constructs/shared_scalar.cu",
    "soundness/extra_same_objects.cu",
    "classics/reduction3_first_add.cu",
    "constructs/library_own_functions.cu",
    "barriers/kinds.cu",
    "groups/tiles.cu",
    "warps/masks_constant.cu",
    "atomics/winners.cu",
];

#[test]
fn the_sanitizer_agrees() {
    agrees(Runtime::Threads);
}

#[test]
fn the_fibers_agree() {
    agrees(Runtime::Fibers);
}

fn agrees(runtime: Runtime) {
    let tell = |text: &str| {
        let _ = std::io::stderr().write_all(text.as_bytes());
    };
    let compiler = match Compiler::find(runtime) {
        Ok(compiler) => compiler,
        Err(reason) => {
            return tell(&format!(
                "skipped: no compiler that announces accesses: {reason}\n"
            ));
        }
    };
    let files = read_folder(&datasets()).expect("labelled files");
    let some: Vec<_> = files
        .iter()
        .enumerate()
        .filter(|(number, file)| number % ONE_IN == 0 || ALWAYS.contains(&file.name.as_str()))
        .map(|(_, file)| file)
        .collect();
    for name in ALWAYS {
        assert!(some.iter().any(|file| file.name == *name), "{name}");
    }
    let paths: Vec<_> = some.iter().map(|file| file.path.clone()).collect();
    let run = RunOptions {
        jobs: 0,
        progress: false,
        workers: false,
    };
    let report = driver::check(&Analysis, &paths, &AnalysisOptions::default(), run);
    let tally = compare(&compiler, &some, &report);
    tell(&tally.to_string());
    assert!(tally.faults.is_empty(), "{tally}");
    assert!(tally.runs > 10 && tally.reproduced > 10, "{tally}");
}
