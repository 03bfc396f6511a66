//! The same input gives the same output: whatever the number of threads, whatever else is analysed, run after run. And all
//! of it is as the schema of the JSON says.

use std::path::PathBuf;
use std::process::{Command, Output};

use warplog_report::Kernel;
use warplog_report::json::JSON_SCHEMA;

use crate::{CHECKED, FILES, check, difference, none, rendered, short};

/// Files whose analysis takes seconds; the others do for what is run again and again.
const SLOW: [&str; 12] = [
    "classics/bitonic_sort.cu",
    "classics/bitonic_sort_grid.cu",
    "classics/bitonic_sort_single.cu",
    "classics/hotspot.cu",
    "classics/histogram_bytes.cu",
    "classics/pathfinder.cu",
    "classics/scan_work_efficient.cu",
    "classics/scan_work_efficient_symbolic.cu",
    "classics/walsh.cu",
    "constructs/block_partition.cu",
    "papers/pug_para_reduction.cu",
    "traps/real_ballot_compaction.cu",
];

/// Files that are followed together with others of their folder where the folder is given, and not where files are.
const LINKED: [&str; 1] = ["soundness/extra_host_moved_classes.cu"];

fn quick() -> Vec<PathBuf> {
    let quick = FILES
        .iter()
        .filter(|file| !SLOW.contains(&file.name.as_str()));
    quick.map(|file| file.path.clone()).collect()
}

#[test]
fn slow_files_are_files() {
    assert_eq!(quick().len() + SLOW.len(), FILES.len());
}

/// One thread over some of the files, against four over all of them: neither the threads nor what a solver was asked before
/// show.
#[test]
fn threads_and_neighbours_do_not_show() {
    let alone = check(&quick(), 1);
    let among: Vec<_> = CHECKED
        .kernels
        .iter()
        .filter(|kernel| !SLOW.contains(&short(&kernel.file).as_str()))
        .collect();
    assert_eq!(alone.kernels.len(), among.len());
    let by_itself = |kernel: &Kernel| !LINKED.contains(&short(&kernel.file).as_str());
    let differing: Vec<String> = alone
        .kernels
        .iter()
        .zip(among)
        .filter(|(alone, _)| by_itself(alone))
        .filter(|(alone, among)| alone != among)
        .map(|(alone, among)| {
            let difference = difference(&format!("{alone:#?}"), &format!("{among:#?}"));
            format!(
                "{}: {}:
{difference}",
                short(&alone.file),
                alone.name
            )
        })
        .collect();
    none("kernels differ", &differing);
    assert!(
        alone
            .sources
            .iter()
            .all(|(line, text)| CHECKED.sources.get(line) == Some(text)),
        "source lines differ"
    );
}

/// Whole processes, so that no table of this one can make the runs alike.
#[test]
fn processes_write_the_same_bytes() {
    let files: Vec<PathBuf> = quick().into_iter().step_by(8).collect();
    let run = |jobs: &str, format: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"))
            .arg("check")
            .args(&files)
            .args(["--jobs", jobs, "--format", format])
            .output()
            .expect("runs");
        // 3 when a launch with contradicting assumptions is among the files.
        let status = output.status.code();
        assert!(matches!(status, Some(1 | 3)), "{status:?}");
        assert!(
            output.stdout.len() > 10_000,
            "{} bytes",
            output.stdout.len()
        );
        output
    };
    for format in ["json", "text"] {
        let first = run("1", format);
        for (jobs, what) in [("4", "four threads"), ("1", "a second run")] {
            let other = run(jobs, format);
            let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(
                other == first,
                "{format}: {what} give other bytes than one thread:\n{}",
                difference(&text(&other), &text(&first))
            );
        }
    }
}

#[test]
fn json_is_as_the_schema_says() {
    let schema = serde_json::from_str(JSON_SCHEMA).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let [json, _] = rendered(&CHECKED);
    let document = serde_json::from_str(&json).expect("JSON");
    let faults: Vec<String> = validator
        .iter_errors(&document)
        .take(20)
        .map(|error| format!("{}: {error}", error.instance_path))
        .collect();
    none("faults in the JSON", &faults);
}
