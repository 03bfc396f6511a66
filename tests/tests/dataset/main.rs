//! The labelled kernels of `datasets/`, through the library.
//!
//! [`labels`] holds what the tool says of each kernel against its label, the manifest and the page of limitations;
//! [`gpu`] holds the labels against what a GPU showed; [`pairs`] counts the fixes that are told from what was broken; [`round_trip`] holds the facts, written as CSV and read back, against the source; [`determinism`] holds one run against
//! another, and all against the schema of the JSON. They share one run over the whole data set, which is what takes time.

mod determinism;
mod gpu;
mod labels;
mod pairs;
mod round_trip;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_report::{Kernel, Report, json, text};
use warplog_tests::datasets;
use warplog_tests::labels::{LabelledFile, read_folder};

/// The labelled files.
static FILES: LazyLock<Vec<LabelledFile>> =
    LazyLock::new(|| read_folder(&datasets()).unwrap_or_else(|faults| panic!("{faults}")));

/// The report on all of them, by four threads.
static CHECKED: LazyLock<Report> = LazyLock::new(|| check(&[datasets()], 4));

fn check(paths: &[PathBuf], jobs: usize) -> Report {
    let run = RunOptions {
        jobs,
        progress: false,
        workers: false,
    };
    driver::check(&Analysis, paths, &AnalysisOptions::default(), run)
}

/// A report as JSON and as text.
fn rendered(report: &Report) -> [String; 2] {
    let options = warplog_report::text::options::TextOptions {
        color: false,
        width: 120,
        fit: false,
        ..warplog_report::text::options::TextOptions::default()
    };
    [
        json::render(report).expect("renders"),
        text::render(report, options),
    ]
}

/// The name of a file in the data set, from its name in a report.
fn short(file: &str) -> String {
    let path = Path::new(file);
    let inside = path.strip_prefix(datasets()).unwrap_or(path);
    inside.to_string_lossy().into_owned()
}

/// The kernels that a report has of a labelled one: one for each instantiation of a template.
fn instances<'r>(report: &'r Report, file: &str, name: &str) -> Vec<&'r Kernel> {
    report
        .kernels
        .iter()
        .filter(|kernel| short(&kernel.file) == file && base(&kernel.name) == name)
        .collect()
}

/// The name of a kernel without namespaces and template arguments.
fn base(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// The first lines in which two texts differ, for people.
fn difference(left: &str, right: &str) -> String {
    let lines = left.lines().zip(right.lines());
    let differing: Vec<String> = lines
        .zip(1..)
        .filter(|((left, right), _)| left != right)
        .take(4)
        .map(|((left, right), line)| format!("  {line}: {} / {}", left.trim(), right.trim()))
        .collect();
    if differing.is_empty() {
        return format!("  {} bytes / {} bytes", left.len(), right.len());
    }
    differing.join("\n")
}

/// Fails with all lines, if there are any.
fn none(what: &str, lines: &[String]) {
    assert!(
        lines.is_empty(),
        "{} {what}:\n{}",
        lines.len(),
        lines.join("\n")
    );
}
