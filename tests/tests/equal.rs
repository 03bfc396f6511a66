//! Pairs of kernels that are said to leave equal contents, or not to: no answer is wrong, and nine in ten are given.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Instant;

use warplog_equivalence::answer::Verdict;
use warplog_tests::equal::{Expected, compare, files, judge};

/// Shown with `--nocapture`.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn pairs_are_decided_and_none_wrongly() {
    let (mut equal, mut different, mut decided) = (0, 0, 0);
    let (mut wrong, mut open) = (String::new(), String::new());
    let mut times = Vec::new();
    for file in files() {
        for pair in &file.pairs {
            match pair.expected {
                Expected::Different => different += 1,
                Expected::Equal | Expected::Reassociated => equal += 1,
            }
            let start = Instant::now();
            let reassociates = pair.expected == Expected::Reassociated;
            let answer = compare(&file.facts, &pair.sides, reassociates);
            let answer = answer.unwrap_or_else(|error| panic!("{pair:?}: {error}"));
            times.push(start.elapsed());
            let (is_wrong, is_decided) = judge(pair.expected, &answer.verdict);
            decided += u32::from(is_decided);
            if is_wrong {
                let _ = writeln!(wrong, "{pair:?}: {:?}", answer.verdict);
            }
            if let Verdict::Unknown(reasons) = &answer.verdict {
                let _ = writeln!(open, "{pair:?}: {reasons:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "wrong answers:\n{wrong}");
    let pairs = equal + different;
    times.sort();
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    tell(&format!(
        "{equal} equal, {different} different, {decided} decided, median {median:?}, most {most:?}, open:\n{open}"
    ));
    assert!(
        equal >= 60 && different >= 100,
        "{equal} equal, {different} different"
    );
    assert!(
        decided * 10 >= pairs * 9,
        "{decided} of {pairs}, open:\n{open}"
    );
}

#[test]
fn random_pairs_agree_with_brute_force() {
    let told = warplog_tests::random::equal::pairs(0..90);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(told.equal.0 > 0 && told.different.1 > 0, "{told}");
}

#[test]
fn launches_of_different_shapes_agree_with_their_runs() {
    let told = warplog_tests::random::launches::pairs(0..400);
    tell(&told.to_string());
    assert!(told.wrong.is_empty(), "{told}\n{}", told.wrong.join("\n"));
    assert!(
        told.equal.0 > 0 && told.different.1 > 0 && told.conditions > 0,
        "{told}"
    );
}
