//! `make soak`: random kernels against brute force, for as long as one likes.
//!
//! `soak [COUNT [FIRST]]` judges the kernels of COUNT seeds from FIRST on, prints what they came to, and every disagreement with
//! the smallest kernel that shows it. It fails if there is one. `soak show SEED` prints the kernel of a seed.

use std::io::Write as _;
use std::process::ExitCode;

use warplog_tests::random::{changed, grow::grow, print::print, suite};

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
    // Mutants and rewritings cost several analyses each.
    let mutants = changed::mutants(first..first + count / 10);
    tell(&mutants);
    let rewritings = changed::rewritings(first..first + count / 10);
    tell(&rewritings);
    if tally.faults.is_empty() && mutants.missed.is_empty() && rewritings.changed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn tell(what: &dyn std::fmt::Display) {
    let _ = std::io::stdout().write_all(format!("{what}\n").as_bytes());
}
