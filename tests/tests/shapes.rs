//! Programs in shapes of C++ against their runs: a part of what `make soak` does.

use std::io::Write as _;

use warplog_tests::sanitizer::{Compiler, Runtime};
use warplog_tests::shapes::judge_programs;

/// Programs that are judged.
const PROGRAMS: u64 = 400;

#[test]
fn runs_agree() {
    let tell = |text: &str| {
        let _ = std::io::stderr().write_all(text.as_bytes());
    };
    let compiler = match Compiler::find(Runtime::Fibers) {
        Ok(compiler) => compiler,
        Err(reason) => {
            return tell(&format!(
                "skipped: no compiler that announces accesses: {reason}\n"
            ));
        }
    };
    let tally = judge_programs(&compiler, 0..PROGRAMS);
    tell(&tally.to_string());
    assert!(tally.faults.is_empty(), "{tally}");
    let count = |said: &str, shown: &str| {
        let key = tally
            .answers
            .iter()
            .filter(|((a, b), _)| a.starts_with(said) && *b == shown);
        key.map(|(_, count)| count).sum::<u64>()
    };
    assert!(count("race_free", "nothing") > PROGRAMS / 8, "{tally}");
    assert!(count("confirmed racy", "race") > PROGRAMS / 20, "{tally}");
}
