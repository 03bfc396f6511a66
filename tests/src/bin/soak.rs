//! `make soak`: random kernels against brute force for as long as one likes, their mutants and rewritings, and the data set under
//! the thread sanitizer.
//!
//! `soak [COUNT [FIRST]]` judges the kernels of COUNT seeds from FIRST on, and of a tenth as many with barriers of lanes and with
//! lanes in lock-step, prints what they came to, and every disagreement with
//! the smallest kernel that shows it. It fails if there is one. `soak show SEED` prints the kernel of a seed.

use std::io::Write as _;
use std::process::ExitCode;

use warplog::driver::{self, RunOptions};
use warplog::options::AnalysisOptions;
use warplog::pipeline::Analysis;
use warplog_tests::datasets;
use warplog_tests::labels::{LabelledFile, read_folder};
use warplog_tests::random::lanes::{grow_in_step, grow_lanes};
use warplog_tests::random::{changed, grow::grow, print::print, rules, suite};
use warplog_tests::sanitizer::{Compiler, compare};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, seed] = words.as_slice()
        && first == "show"
        && let Ok(seed) = seed.parse()
    {
        let _ = std::io::stdout().write_all(print(&grow(seed)).as_bytes());
        return ExitCode::SUCCESS;
    }
    let mut numbers = words.iter().map(|word| word.parse::<u64>());
    let count = numbers.next().and_then(Result::ok).unwrap_or(100_000);
    let first = numbers.next().and_then(Result::ok).unwrap_or(0);
    let tally = suite::judge_seeds(first..first + count, true);
    tell(&tally);
    let some = first..first + count / 10;
    let lanes = suite::judge_grown(some.clone(), true, &grow_lanes);
    tell(&lanes);
    let in_step = suite::judge_grown(some, true, &grow_in_step);
    tell(&in_step);
    // Mutants and rewritings cost several analyses each.
    let mutants = changed::mutants(first..first + count / 10);
    tell(&mutants);
    let rewritings = changed::rewritings(first..first + count / 10);
    tell(&rewritings);
    let rules = rules::rules_and_solver(first..first + count / 100);
    tell(&rules);
    let sanitized = sanitized();
    if [&tally, &lanes, &in_step]
        .iter()
        .all(|tally| tally.faults.is_empty())
        && mutants.missed.is_empty()
        && rewritings.changed.is_empty()
        && rules.contradicted.is_empty()
        && sanitized
    {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the whole data set under the thread sanitizer, if there is one; whether nothing contradicts a verdict.
fn sanitized() -> bool {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(reason) => {
            tell(&format!("skipped: no thread sanitizer here: {reason}"));
            return true;
        }
    };
    let files = match read_folder(&datasets()) {
        Ok(files) => files,
        Err(faults) => {
            tell(&faults);
            return false;
        }
    };
    let run = RunOptions {
        jobs: 0,
        progress: false,
    };
    let report = driver::check(&Analysis, &[datasets()], &AnalysisOptions::default(), run);
    let all: Vec<&LabelledFile> = files.iter().collect();
    let tally = compare(&compiler, &all, &report);
    tell(&tally);
    tally.faults.is_empty()
}

fn tell(what: &dyn std::fmt::Display) {
    let _ = std::io::stdout().write_all(format!("{what}\n").as_bytes());
}
