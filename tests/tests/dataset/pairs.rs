//! Pairs before and after a fix, `datasets/pairs/`: is the one flagged where it is broken, and the other left alone?
//!
//! A pair is two kernels of one file, `X_bad` as it was before the fix of a bug and `X_ok` after it. It scores only if the
//! first has its verdict at every marked line (in a helper: at some) and nothing confirmed at others, and the second is
//! race-free: a tool that flags both, or neither, has told nothing about the fix.

use std::collections::BTreeMap;
use std::io::Write as _;

use warplog_report::Certainty;
use warplog_tests::labels::{LabelledFile, LabelledKernel};

use crate::labels::lines;
use crate::{CHECKED, FILES, instances, none};

/// Least number of pairs.
const PAIRS: usize = 40;

struct Pair {
    file: &'static LabelledFile,
    before: &'static LabelledKernel,
    after: &'static LabelledKernel,
}

impl Pair {
    /// Why the pair does not score.
    fn fault(&self) -> Option<String> {
        let Pair {
            file,
            before,
            after,
        } = self;
        for kernel in instances(&CHECKED, &file.name, &after.name) {
            let verdict = kernel.verdict().as_str();
            if verdict != "race_free" {
                return Some(format!("{verdict} after the fix"));
            }
        }
        for kernel in instances(&CHECKED, &file.name, &before.name) {
            let verdict = kernel.verdict().as_str();
            if verdict != before.truth.verdict() {
                return Some(format!("{verdict} before the fix"));
            }
            let found = lines(kernel, |_| true);
            let missed = before.here.iter().find(|line| !found.contains(line));
            if let Some(line) = missed {
                return Some(format!("line {line} is not told"));
            }
            let in_helper = |line: &u32| file.labels.helpers.contains(line);
            if before.here.is_empty() && !found.iter().any(in_helper) {
                return Some("no line of a helper is told".to_owned());
            }
            let sure = lines(kernel, |certainty| certainty == Certainty::Confirmed);
            let elsewhere = sure
                .iter()
                .find(|line| !before.here.contains(line) && !in_helper(line));
            if let Some(line) = elsewhere {
                return Some(format!("line {line} is told, and is not broken"));
            }
        }
        None
    }
}

/// The pairs, in order; and the kernels of the folder that have no partner.
fn pairs() -> (Vec<Pair>, Vec<String>) {
    let mut pairs = Vec::new();
    let mut alone = Vec::new();
    for file in FILES.iter().filter(|file| file.name.starts_with("pairs/")) {
        let mut stems: BTreeMap<&str, [Option<&LabelledKernel>; 2]> = BTreeMap::new();
        for kernel in &file.labels.kernels {
            let side = [("_bad", 0), ("_ok", 1)]
                .iter()
                .find_map(|(end, side)| Some((kernel.name.strip_suffix(end)?, *side)));
            match side {
                Some((stem, side)) => stems.entry(stem).or_default()[side] = Some(kernel),
                None => alone.push(format!("{}: {}", file.name, kernel.name)),
            }
        }
        for (stem, sides) in stems {
            match sides {
                [Some(before), Some(after)]
                    if before.truth.is_defect() && !after.truth.is_defect() =>
                {
                    pairs.push(Pair {
                        file,
                        before,
                        after,
                    });
                }
                _ => alone.push(format!("{}: {stem}", file.name)),
            }
        }
    }
    (pairs, alone)
}

#[test]
fn fixes_are_told_apart() {
    let (pairs, alone) = pairs();
    none("kernels that are no pair", &alone);
    assert!(pairs.len() >= PAIRS, "{} pairs only", pairs.len());
    let mut shapes: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for pair in &pairs {
        let score = shapes.entry(&pair.file.name).or_default();
        score[1] += 1;
        let known = pair.before.wrong || pair.after.wrong;
        match pair.fault() {
            None => {
                score[0] += 1;
                if known {
                    wrong.push(format!("{}: scores now", pair.before.name));
                }
            }
            Some(fault) if !known => wrong.push(format!("{}: {fault}", pair.before.name)),
            Some(_) => {}
        }
    }
    let mut told = std::io::stderr().lock();
    let scored: usize = shapes.values().map(|score| score[0]).sum();
    let _ = writeln!(told, "pairs told apart: {scored} of {}", pairs.len());
    for (shape, [scored, all]) in shapes {
        let _ = writeln!(told, "  {shape}: {scored} of {all}");
    }
    none("pairs with another result than their labels say", &wrong);
}
