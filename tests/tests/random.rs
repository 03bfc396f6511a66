//! Random kernels against brute force: a bounded part of what `make soak` does.

use std::io::Write as _;

use warplog_tests::random::suite;

/// Shows what the kernels came to also where the test passes.
fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[test]
fn verdicts_agree_with_brute_force() {
    let tally = suite::judge_seeds(0..2_000, true);
    tell(&tally.to_string());
    assert!(tally.faults.is_empty(), "{tally}");
    assert_eq!(tally.kernels, 2_000);
    // The comparison means something only as long as there is something of each kind to compare.
    for (said, seen) in [
        ("race_free", "nothing"),
        ("confirmed racy", "race"),
        ("confirmed barrier_divergence", "divergence"),
    ] {
        let count = tally.answers.get(&(said.to_owned(), seen));
        assert!(count.is_some_and(|count| *count > 0), "no kernel is {said}");
    }
    assert!(tally.replayed > 500, "{}", tally.replayed);
}
