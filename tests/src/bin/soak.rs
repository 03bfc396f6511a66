//! `make soak`: random kernels against brute force for as long as one likes, their mutants and rewritings, and the data set under
//! the thread sanitizer.
//!
//! `soak [PART]… [COUNT [FIRST]]` judges the kernels of COUNT seeds from FIRST on, and of a tenth as many with barriers of lanes and
//! with lanes in lock-step, prints what they came to, and every disagreement with
//! the smallest kernel that shows it. It fails if there is one. Without a part it runs all of them. `soak show SEED` prints the kernel
//! of a seed, `soak show-shape SEED` the program in shapes of C++.

use std::fmt::Display;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_tests::datasets;
use warplog_tests::labels::{LabelledFile, read_folder};
use warplog_tests::random::lanes::{grow_in_step, grow_lanes};
use warplog_tests::random::{changed, grow::grow, print::print, rules, suite};
use warplog_tests::sanitizer::{Compiler, Runtime, compare};
use warplog_tests::shapes::judge_programs;

/// What can be run alone, in the order in which it is run: quick to tell before slow to tell.
const PARTS: &[(&str, Part)] = &[
    ("threads", threads),
    ("lanes", lanes),
    ("step", in_step),
    ("rules", rules_and_solver),
    ("scans", scans),
    ("handed", handed),
    ("fibers", fibers),
    ("shapes", shapes),
    ("sanitizer", sanitizer),
    ("mutants", mutants),
    ("rewritings", rewritings),
    ("pairs", pairs),
    ("launches", launches),
    ("counts", counts),
];

/// Judges the kernels of the seeds from the first on, as many as told; what it came to and whether nothing is wrong.
type Part = fn(u64, u64) -> (Box<dyn Display>, bool);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, seed] = words.as_slice()
        && first == "show"
        && let Ok(seed) = seed.parse()
    {
        let _ = std::io::stdout().write_all(print(&grow(seed)).as_bytes());
        return ExitCode::SUCCESS;
    }
    if let [first, seed] = words.as_slice()
        && first == "show-shape"
        && let Ok(seed) = seed.parse()
    {
        let _ = std::io::stdout().write_all(warplog_tests::shapes::program(seed).as_bytes());
        return ExitCode::SUCCESS;
    }
    let mut chosen = Vec::new();
    let mut numbers = Vec::new();
    for word in &words {
        if let Ok(number) = word.parse::<u64>() {
            numbers.push(number);
        } else if let Some(&part) = PARTS.iter().find(|(name, _)| name == word) {
            chosen.push(part);
        } else {
            let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            tell(&format!("soak: no part `{word}`; there are: {names}"));
            return ExitCode::from(2);
        }
    }
    if chosen.is_empty() {
        chosen.extend(PARTS);
    }
    let count = numbers.first().copied().unwrap_or(100_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    let mut good = true;
    for (name, part) in chosen {
        let begun = Instant::now();
        let (came_to, nothing_wrong) = part(first, count);
        good &= nothing_wrong;
        let seconds = begun.elapsed().as_secs();
        tell(&format!("{name}: {seconds} s\n{came_to}"));
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn threads(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = suite::judge_seeds(first..first + count, true);
    let good = tally.faults.is_empty();
    (Box::new(tally), good)
}

fn lanes(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = suite::judge_grown(first..first + count / 10, true, &grow_lanes);
    let good = tally.faults.is_empty();
    (Box::new(tally), good)
}

fn in_step(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = suite::judge_grown(first..first + count / 10, true, &grow_in_step);
    let good = tally.faults.is_empty();
    (Box::new(tally), good)
}

fn scans(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    match warplog_tests::scans::compare(first..first + count / 5) {
        Ok(tally) => (Box::new(format!("{tally:?}")), true),
        Err(fault) => (Box::new(fault), false),
    }
}

fn handed(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    match warplog_tests::handed::compare(first..first + count / 5) {
        Ok(tally) => (Box::new(format!("{tally:?}")), true),
        Err(fault) => (Box::new(fault), false),
    }
}

/// Mutants cost several analyses each.
fn mutants(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = changed::mutants(first..first + count / 10);
    let good = tally.missed.is_empty();
    (Box::new(tally), good)
}

/// Rewritings cost several analyses each.
fn rewritings(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = changed::rewritings(first..first + count / 10);
    let good = tally.changed.is_empty();
    (Box::new(tally), good)
}

/// Pairs are analysed three times.
fn pairs(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    pairs_told(warplog_tests::random::equal::pairs(
        first..first + count / 5,
    ))
}

fn launches(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    pairs_told(warplog_tests::random::launches::pairs(first..first + count))
}

/// Pairs of kernels that count by atomic operations.
fn counts(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    pairs_told(warplog_tests::random::counts::pairs(first..first + count))
}

fn pairs_told(told: warplog_tests::random::equal::Pairs) -> (Box<dyn Display>, bool) {
    let good = told.wrong.is_empty();
    let wrong = told.wrong.join("\n");
    (Box::new(format!("{told}\n{wrong}")), good)
}

fn rules_and_solver(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    let tally = rules::rules_and_solver(first..first + count / 100);
    let good = tally.contradicted.is_empty();
    (Box::new(tally), good)
}

/// Runs the whole data set under the thread sanitizer, if there is one.
fn sanitizer(_first: u64, _count: u64) -> (Box<dyn Display>, bool) {
    data_set(Runtime::Threads)
}

/// Programs in shapes of C++, half as many as kernels of threads.
fn shapes(first: u64, count: u64) -> (Box<dyn Display>, bool) {
    match Compiler::find(Runtime::Fibers) {
        Ok(compiler) => {
            let tally = judge_programs(&compiler, first..first + count / 2);
            let good = tally.faults.is_empty();
            (Box::new(tally), good)
        }
        Err(reason) => {
            let skipped = format!("skipped: no compiler that announces accesses: {reason}");
            (Box::new(skipped), true)
        }
    }
}

/// Runs the whole data set with fibers.
fn fibers(_first: u64, _count: u64) -> (Box<dyn Display>, bool) {
    data_set(Runtime::Fibers)
}

fn data_set(runtime: Runtime) -> (Box<dyn Display>, bool) {
    let compiler = match Compiler::find(runtime) {
        Ok(compiler) => compiler,
        Err(reason) => {
            let skipped = format!("skipped: no compiler that announces accesses: {reason}");
            return (Box::new(skipped), true);
        }
    };
    let files = match read_folder(&datasets()) {
        Ok(files) => files,
        Err(faults) => return (Box::new(faults), false),
    };
    let run = RunOptions {
        jobs: 0,
        progress: false,
        workers: false,
    };
    let report = driver::check(&Analysis, &[datasets()], &AnalysisOptions::default(), run);
    let all: Vec<&LabelledFile> = files.iter().collect();
    let tally = compare(&compiler, &all, &report);
    let good = tally.faults.is_empty();
    (Box::new(tally), good)
}

fn tell(what: &dyn Display) {
    let _ = std::io::stdout().write_all(format!("{what}\n").as_bytes());
}
