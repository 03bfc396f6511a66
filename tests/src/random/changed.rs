//! Changed kernels: mutants of race-free ones, which the analyser must tell from them, and rewritten ones, of which it must say
//! the same.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use warplog_report::{Certainty, FindingKind, Kernel, Outcome, Verdict};

use super::dice::Dice;
use super::grow::{grow, plain};
use super::judge::{analyse, assumes_no_wrap, judge, known, truth};
use super::mutate::{Operator, mutant, sites};
use super::print::print;
use super::rewrite::{Rewriting, rewritten};
use super::suite::on_all_cores;
use super::tree::Program;

/// How the mutants of an operator fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Mutants made.
    pub made: usize,
    /// Of these, those in which a run shows a race or a divergence.
    pub broken: usize,
    /// Of these, those in which the analyser finds one of that kind.
    pub caught: usize,
    /// Of the broken ones, those that it does not decide.
    pub undecided: usize,
}

/// The scores of all operators.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// By operator.
    pub scores: BTreeMap<Operator, Score>,
    /// Broken mutants that are taken for sound.
    pub missed: Vec<String>,
    /// Broken mutants of which nothing is said, with the reason.
    pub undecided: Vec<String>,
}

/// Makes mutants of the kernels of seeds that are race-free by verdict and by brute force.
#[must_use]
pub fn mutants(seeds: Range<u64>) -> Mutants {
    let made = on_all_cores(seeds, &|seed| {
        let mut dice = Dice::new(seed);
        let program = plain(&mut dice);
        let first = judge(&program);
        if first.verdict != Verdict::RaceFree || first.races || first.diverges || first.runs == 0 {
            return Vec::new();
        }
        let mut results = Vec::new();
        for operator in Operator::ALL {
            let sites = sites(&program, operator);
            if sites > 0
                && let Some(mutant) = mutant(&program, operator, dice.roll(sites))
            {
                results.push((operator, mutant_score(&mutant, seed, operator)));
            }
        }
        results
    });
    let mut mutants = Mutants::default();
    for (operator, (score, told)) in made.into_iter().flatten() {
        let total = mutants.scores.entry(operator).or_default();
        total.made += score.made;
        total.broken += score.broken;
        total.caught += score.caught;
        total.undecided += score.undecided;
        match told {
            Told::Missed(how) => mutants.missed.push(how),
            Told::Undecided(why) => mutants.undecided.push(why),
            Told::Right => {}
        }
    }
    mutants
}

/// What the analyser says of a mutant, held against brute force.
enum Told {
    /// Nothing that is wrong.
    Right,
    /// Nothing, though it is broken.
    Undecided(String),
    /// That it is sound, though it is broken.
    Missed(String),
}

fn mutant_score(mutant: &Program, seed: u64, operator: Operator) -> (Score, Told) {
    let mut score = Score {
        made: 1,
        ..Score::default()
    };
    let text = print(mutant);
    let kernel = analyse(&text);
    let assumes = kernel.as_ref().is_ok_and(assumes_no_wrap);
    let truth = truth(mutant, kernel.as_ref().map_or([None; 6], known), assumes);
    let told = |kind: FindingKind| {
        kernel
            .as_ref()
            .is_ok_and(|kernel| kernel.findings.iter().any(|finding| finding.kind() == kind))
    };
    score.broken = usize::from(truth.missed(false, false).is_some());
    let missed = truth.missed(
        told(FindingKind::DataRace),
        told(FindingKind::BarrierDivergence) || told(FindingKind::InvalidMask),
    );
    let decided = kernel.as_ref().is_ok_and(complete);
    if score.broken == 0 {
        return (score, Told::Right);
    }
    let shown = |how: &str| format!("seed {seed}, {operator:?}: {how}\n{text}");
    match (missed, kernel) {
        (None, _) => {
            score.caught = 1;
            (score, Told::Right)
        }
        (Some((_, how)), Ok(_)) if decided => (score, Told::Missed(shown(&how))),
        (Some((_, how)), kernel) => {
            score.undecided = 1;
            let why = kernel.map_or_else(|error| error, |kernel| reasons(&kernel));
            (score, Told::Undecided(shown(&format!("{how}; {why}"))))
        }
    }
}

/// Why a kernel is not decided.
fn reasons(kernel: &Kernel) -> String {
    let mut why: Vec<&str> = Vec::new();
    for launch in &kernel.launches {
        why.extend(
            launch
                .outcome
                .reasons()
                .iter()
                .map(|note| note.text.as_str()),
        );
    }
    why.sort_unstable();
    why.dedup();
    why.join("; ")
}

fn complete(kernel: &Kernel) -> bool {
    let complete = |launch: &warplog_report::Launch| launch.outcome == Outcome::Complete;
    kernel.stats.undecided == 0 && kernel.launches.iter().all(complete)
}

impl fmt::Display for Mutants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = |part: fn(&Score) -> usize| self.scores.values().map(part).sum::<usize>();
        writeln!(
            f,
            "mutants: {} made, {} broken by brute force, {} caught, {} not decided, {} missed",
            total(|score| score.made),
            total(|score| score.broken),
            total(|score| score.caught),
            total(|score| score.undecided),
            self.missed.len()
        )?;
        for (operator, score) in &self.scores {
            writeln!(
                f,
                "  {:15} {:5} made {:5} broken {:5} caught {:3} not decided",
                format!("{operator:?}"),
                score.made,
                score.broken,
                score.caught,
                score.undecided
            )?;
        }
        for missed in &self.missed {
            writeln!(f, "\nmissed: {missed}")?;
        }
        for undecided in &self.undecided {
            writeln!(f, "\nnot decided: {undecided}")?;
        }
        Ok(())
    }
}

/// What rewriting did to verdicts.
#[derive(Clone, Debug, Default)]
pub struct Rewritings {
    /// Pairs compared, by rewriting.
    pub compared: BTreeMap<Rewriting, usize>,
    /// Pairs of which one has no verdict or only a potential one, and the other another.
    pub weaker: Vec<String>,
    /// Pairs of which the verdicts differ.
    pub changed: Vec<String>,
}

/// Rewrites the kernels of seeds and compares the verdicts.
#[must_use]
pub fn rewritings(seeds: Range<u64>) -> Rewritings {
    let compared = on_all_cores(seeds, &|seed| {
        let program = grow(seed);
        let text = print(&program);
        let Ok(first) = analyse(&text) else {
            return Vec::new();
        };
        let mut dice = Dice::new(seed);
        let mut results = Vec::new();
        for how in Rewriting::ALL {
            let Some(program) = rewritten(&program, how, &mut dice) else {
                continue;
            };
            let other = print(&program);
            let second = analyse(&other);
            let said = |kernel: &Kernel| (kernel.verdict(), kernel.certainty());
            let difference = match second.as_ref().map(said) {
                Ok(second) if second.0 == first.verdict() => None,
                Ok(second) => {
                    let firm = |(verdict, certainty): (Verdict, Option<Certainty>)| {
                        verdict == Verdict::RaceFree || certainty == Some(Certainty::Confirmed)
                    };
                    let told = format!("{:?} / {second:?}", said(&first));
                    // Two defects do not exclude each other: which of them is told depends on what is decided.
                    let free = |said: (Verdict, Option<Certainty>)| said.0 == Verdict::RaceFree;
                    let one_is_free = free(said(&first)) || free(second);
                    let contradict = one_is_free && firm(said(&first)) && firm(second);
                    Some((contradict, told))
                }
                Err(message) => Some((true, (*message).clone())),
            };
            let difference = difference.map(|(firm, told)| {
                (
                    firm,
                    format!("seed {seed}, {how:?}: {told}\n{text}\n{other}"),
                )
            });
            results.push((how, difference));
        }
        results
    });
    let mut rewritings = Rewritings::default();
    for (how, difference) in compared.into_iter().flatten() {
        *rewritings.compared.entry(how).or_default() += 1;
        match difference {
            Some((true, told)) => rewritings.changed.push(told),
            Some((false, told)) => rewritings.weaker.push(told),
            None => {}
        }
    }
    rewritings
}

impl fmt::Display for Rewritings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "rewritings: {} compared, {} verdicts contradict each other, {} differ in that one is not firm",
            self.compared.values().sum::<usize>(),
            self.changed.len(),
            self.weaker.len()
        )?;
        for (how, count) in &self.compared {
            writeln!(f, "  {:15} {count:5}", format!("{how:?}"))?;
        }
        for told in self.changed.iter().chain(&self.weaker) {
            writeln!(f, "\n{told}")?;
        }
        Ok(())
    }
}
