//! `make soak`: random kernels against brute force, for as long as one likes.
//!
//! `soak [COUNT [FIRST]]` judges the kernels of COUNT seeds from FIRST on, prints what they came to, and every disagreement with
//! the smallest kernel that shows it. It fails if there is one.

use std::io::Write as _;
use std::process::ExitCode;

use warplog_tests::random::suite;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let count = numbers.next().and_then(Result::ok).unwrap_or(100_000);
    let first = numbers.next().and_then(Result::ok).unwrap_or(0);
    let tally = suite::judge_seeds(first..first + count, true);
    let _ = std::io::stdout().write_all(tally.to_string().as_bytes());
    if tally.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
