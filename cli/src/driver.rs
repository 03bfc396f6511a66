//! Runs a pipeline over many files: worker threads, panics, headers, progress, and one report in one order.
//!
//! Files are analysed by rayon in any order; what they gave is put together in the order of their paths, so that the
//! report does not depend on the number of threads.

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;
use rayon::prelude::*;

use warplog_report::id::finish;
use warplog_report::{InputError, Note, Report};

use crate::collect::{Collection, Input, collect, read, shown};
use crate::guard::{STACK_SIZE, guarded};
use crate::header::parse_header;
use crate::options::{AnalysisOptions, UnitOptions, names};
use crate::pipeline::{Pipeline, Unit};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Number of threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// Whether to show a progress bar on standard error.
    pub progress: bool,
}

/// Analyses files and folders.
pub fn check<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    let collection = collect(paths);
    let analyse = |unit: &Unit<'_>| ((), pipeline.check(unit, options));
    let (units, mut report) = for_each_unit(&collection.inputs, options, run, analyse);
    absorb_collection(&mut report, &collection);
    report.notes.extend(without_kernels(paths, &units, options));
    missing_kernels(&mut report, options);
    complete(report, options)
}

/// Extracts the facts of files and folders and writes them to a folder.
pub fn facts<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    out: &Path,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    let collection = collect(paths);
    let extract = |unit: &Unit<'_>| {
        let (facts, report) = pipeline.extract(unit, options);
        (Some(facts), report)
    };
    let (units, mut report) = for_each_unit(&collection.inputs, options, run, extract);
    absorb_collection(&mut report, &collection);
    let facts = units.into_iter().filter_map(|unit| unit.result).collect();
    match guarded(|| pipeline.export(facts, out)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => report.errors.push(error),
        Err(message) => report.errors.push(failure(&shown(out), message)),
    }
    complete(report, options)
}

/// Analyses a folder of facts.
pub fn solve<P: Pipeline>(
    pipeline: &P,
    folder: &Path,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    let solved = workers(run.jobs)
        .and_then(|pool| pool.install(|| guarded(|| pipeline.solve(folder, options))));
    let mut report = solved.unwrap_or_else(|message| Report {
        errors: vec![failure(&shown(folder), message)],
        ..Report::default()
    });
    missing_kernels(&mut report, options);
    complete(report, options)
}

/// What a file gave.
struct Done<T> {
    root: usize,
    kernels: usize,
    failed: bool,
    result: T,
}

/// Calls the function for every file on the worker threads. Reports are put together in the order of the files.
fn for_each_unit<T: Send + Default>(
    inputs: &[Input],
    options: &AnalysisOptions,
    run: RunOptions,
    function: impl Fn(&Unit<'_>) -> (T, Report) + Sync,
) -> (Vec<Done<T>>, Report) {
    let bar = progress_bar(inputs.len(), run.progress);
    let one = |input: &Input| {
        let (result, report) = unit(input, options, &function)
            .unwrap_or_else(|error| (T::default(), from_error(error)));
        bar.inc(1);
        (result, report)
    };
    let done: Vec<(T, Report)> = match workers(run.jobs) {
        Ok(pool) => pool.install(|| inputs.par_iter().with_max_len(1).map(one).collect()),
        // The system has no threads to give: this one will do.
        Err(_) => inputs.iter().map(one).collect(),
    };
    bar.finish_and_clear();
    let mut all = Report {
        files: inputs.len(),
        ..Report::default()
    };
    let mut units = Vec::with_capacity(done.len());
    for (input, (result, report)) in inputs.iter().zip(done) {
        units.push(Done {
            root: input.root,
            kernels: report.kernels.len(),
            failed: !report.errors.is_empty(),
            result,
        });
        absorb(&mut all, report);
    }
    (units, all)
}

/// Reads a file and its header and calls the function for it.
fn unit<T>(
    input: &Input,
    options: &AnalysisOptions,
    function: &(impl Fn(&Unit<'_>) -> (T, Report) + Sync),
) -> Result<(T, Report), InputError> {
    let bytes = read(&input.path).map_err(|message| failure(&input.shown, message))?;
    let header = parse_header(&leading_comments(&bytes)).map_err(|error| InputError {
        file: input.shown.clone(),
        line: Some(error.line),
        message: error.message,
    })?;
    let unit_options = UnitOptions::new(options, &header, &input.path);
    let unit = Unit {
        path: &input.path,
        shown: &input.shown,
        bytes: &bytes,
        options: &unit_options,
    };
    let (result, mut report) =
        guarded(|| function(&unit)).map_err(|message| failure(&input.shown, message))?;
    for (line, option) in &header.ignored {
        report.notes.push(Note {
            place: None,
            text: format!("{}:{line}: header option `{option}` ignored", input.shown),
        });
    }
    Ok((result, report))
}

/// The text up to the first line that is neither empty nor a `//` comment.
fn leading_comments(bytes: &[u8]) -> String {
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(line)
            .trim_ascii();
        if !text.is_empty() && !text.starts_with(b"//") {
            break;
        }
        end += line.len();
    }
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn workers(jobs: usize) -> Result<ThreadPool, String> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(STACK_SIZE)
        .thread_name(|index| format!("worker-{index}"))
        .build()
        .map_err(|error| format!("cannot start threads: {error}"))
}

fn progress_bar(files: usize, shown: bool) -> ProgressBar {
    if !shown {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(u64::try_from(files).unwrap_or(u64::MAX)), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Adds one report to another.
fn absorb(all: &mut Report, one: Report) {
    all.kernels.extend(one.kernels);
    all.unsupported.extend(one.unsupported);
    all.errors.extend(one.errors);
    all.notes.extend(one.notes);
    all.sources.extend(one.sources);
    all.timings.extend(one.timings);
}

fn absorb_collection(report: &mut Report, collection: &Collection) {
    report.errors.extend(collection.errors.iter().cloned());
    report.notes.extend(collection.notes.iter().cloned());
}

/// A note for each path given whose files, all of them analysed, have no kernel.
fn without_kernels<T>(
    paths: &[PathBuf],
    units: &[Done<T>],
    options: &AnalysisOptions,
) -> Vec<Note> {
    if !options.kernels.is_empty() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    for (root, path) in paths.iter().enumerate() {
        let mut of_root = units.iter().filter(|unit| unit.root == root).peekable();
        if of_root.peek().is_some() && of_root.all(|unit| unit.kernels == 0 && !unit.failed) {
            notes.push(Note {
                place: None,
                text: format!("no kernels in `{}`", shown(path)),
            });
        }
    }
    notes
}

/// An error for each `--kernel` that names none: a name with a slip in it must not pass for a clean result.
fn missing_kernels(report: &mut Report, options: &AnalysisOptions) {
    for name in &options.kernels {
        if !report
            .kernels
            .iter()
            .any(|kernel| names(name, &kernel.name))
        {
            report
                .errors
                .push(failure("", format!("no kernel is named `{name}`")));
        }
    }
}

/// Order, identity, and nothing that was not asked for.
fn complete(mut report: Report, options: &AnalysisOptions) -> Report {
    report.kernels.retain(|kernel| options.wants(&kernel.name));
    if !options.timings {
        report.timings.clear();
    }
    finish(&mut report);
    report
}

fn failure(file: &str, message: String) -> InputError {
    InputError {
        file: file.to_owned(),
        line: None,
        message,
    }
}

fn from_error(error: InputError) -> Report {
    Report {
        errors: vec![error],
        ..Report::default()
    }
}

#[cfg(test)]
mod tests;
