//! Which of some conditions on sizes and parameters would leave no race and no divergent barrier of a launch.
//!
//! **Algorithm.** Conditions come in the order of preference. One that holds for a known witness settles nothing and is not
//! asked about; each race that is found under a condition gives such a witness for those that follow. The others are
//! assumed of the launch, like a precondition that the source states, and every candidate that was not discharged is
//! decided anew. Conditions about single bits take many steps: when only one is found that leaves few launches, they are
//! asked about again with all that is left.
//!
//! **Accuracy.** A condition that is given settles all candidates of the launch and can hold together with what else is
//! assumed. That none is given says nothing: steps are few, so that a scan does not wait for advice.

use facts::eval::{Environment, Evaluator};
use facts::*;
use warplog_facts as facts;

use super::condition::{Ask, Condition};
use crate::Options;
use crate::decide::{Candidate, Verdict, possible};
use crate::index::Index;
use crate::outcome::*;
use crate::query::LaunchRanges;
use crate::solve::{Backend, Wanted};

/// The launch and the symbols of a witness.
pub(crate) struct At<'w> {
    pub(crate) facts: &'w Facts,
    pub(crate) witness: &'w Witness,
}

impl Environment for At<'_> {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let sizes = |sizes: &[i128; 3], axis: usize| Some(sizes[axis]);
        match term.op {
            Op::BdimX => sizes(&self.witness.block_dim, 0),
            Op::BdimY => sizes(&self.witness.block_dim, 1),
            Op::BdimZ => sizes(&self.witness.block_dim, 2),
            Op::GdimX => sizes(&self.witness.grid_dim, 0),
            Op::GdimY => sizes(&self.witness.grid_dim, 1),
            Op::GdimZ => sizes(&self.witness.grid_dim, 2),
            Op::Symbol => {
                let row = self.facts.symbol.get(term.symbol()?.index())?;
                let mut values = self.witness.values.iter();
                let (_, value) = values.find(|(name, _)| *name == row.name)?;
                Some(*value)
            }
            _ => None,
        }
    }
}

/// The part of the steps that a condition gets at first.
const FIRST_SHARE: u64 = 5;

/// Open conditions from which on it is taken not to be the conditions that are hard, but the launch: the next ones get a part of
/// the steps, and none is asked about again.
const MANY_OPEN: usize = 5;
const LATER_SHARE: u64 = 4;

/// The first condition of the question that is found to settle its launch.
pub(crate) fn settle(
    index: &mut Index<'_>,
    decision: &Decision,
    options: &Options,
    ask: &Ask,
) -> Option<usize> {
    let facts = index.facts;
    let mut witnesses: Vec<Witness> = witnesses(decision, ask.launch);
    let mut left = options.precondition_steps;
    let mut try_one = |position: usize, most: u64| -> Option<bool> {
        let condition = *ask.conditions.get(position)?;
        let refuted = |witness: &Witness| match condition {
            Condition::Holds(term) => {
                let at = At { facts, witness };
                Evaluator::new(&facts.terms, &at).value(term) == Ok(1)
            }
            Condition::Distinct(_) | Condition::Sorted(_) => false,
        };
        if left == 0 || witnesses.iter().any(refuted) {
            return None;
        }
        index.suppose(ask.launch, &[condition]);
        let most = left.min(most);
        let (settled, witness, spent) = if ask.by_rule.contains(&position) {
            is_possible(index, options, ask.launch, most)
        } else {
            is_settled(index, decision, options, ask.launch, most)
        };
        index.suppose(ask.launch, &[]);
        left = left.saturating_sub(spent);
        let open = !settled && witness.is_none();
        witnesses.extend(witness);
        (settled || open).then_some(settled)
    };
    // Few steps for each at first, so that a costly one does not stand before a cheap one.
    let steps = options.precondition_steps;
    let mut open: Vec<usize> = Vec::new();
    let mut found = None;
    // What the rules show is what the code is made for.
    let others = (0..ask.conditions.len()).filter(|position| !ask.by_rule.contains(position));
    for position in ask.by_rule.iter().copied().chain(others) {
        let most = match open.len() {
            0..MANY_OPEN => steps / FIRST_SHARE,
            _ => steps / FIRST_SHARE / LATER_SHARE,
        };
        match try_one(position, most) {
            Some(true) => {
                found = Some(position);
                break;
            }
            Some(false) => open.push(position),
            None => {}
        }
    }
    if found.is_some_and(|found| found < ask.narrow) {
        return found;
    }
    if open.len() > MANY_OPEN {
        return found;
    }
    let (again, most) = match found {
        Some(_) => (&ask.slow, steps),
        None => (&open, steps / 2),
    };
    let mut again = again.iter().filter(|again| open.contains(again));
    let better = again.find(|&&again| try_one(again, most) == Some(true));
    better.copied().or(found)
}

/// What was found of the launch.
fn witnesses(decision: &Decision, launch: LaunchId) -> Vec<Witness> {
    let races = decision.races.iter().filter_map(|outcome| {
        let of_launch = outcome.candidate.launch == launch;
        match &outcome.answer {
            RaceAnswer::Race(race) if of_launch => Some(race.witness.clone()),
            _ => None,
        }
    });
    let divergences = decision.divergences.iter().filter_map(|outcome| {
        let of_launch = outcome.candidate.launch == launch;
        match &outcome.answer {
            DivergenceAnswer::Diverges(found) if of_launch => Some(found.witness.clone()),
            _ => None,
        }
    });
    races.chain(divergences).collect()
}

/// Whether nothing of the launch is open under what is supposed; else a witness, if one was found; and the steps spent.
fn is_settled(
    index: &Index<'_>,
    decision: &Decision,
    options: &Options,
    launch: LaunchId,
    steps: u64,
) -> (bool, Option<Witness>, u64) {
    let mut backend = Backend::with_steps(steps.max(1));
    let ranges = LaunchRanges::new(index, launch);
    let races = decision.races.iter().filter_map(|outcome| {
        let settled = matches!(outcome.answer, RaceAnswer::Disjoint { .. });
        let found = matches!(outcome.answer, RaceAnswer::Race(_));
        (!settled && outcome.candidate.launch == launch)
            .then_some((!found, Candidate::Race(&outcome.candidate)))
    });
    let divergences = decision.divergences.iter().filter_map(|outcome| {
        let settled = matches!(outcome.answer, DivergenceAnswer::Uniform { .. });
        let found = matches!(outcome.answer, DivergenceAnswer::Diverges(_));
        (!settled && outcome.candidate.launch == launch)
            .then_some((!found, Candidate::Divergence(&outcome.candidate)))
    });
    // What was found before is likely to be found again.
    let mut open: Vec<(bool, Candidate<'_>)> = races.chain(divergences).collect();
    open.sort_by_key(|&(other, _)| other);
    let mut waiting = Vec::new();
    // First what needs no solver: a witness settles that nothing is settled.
    for (_, candidate) in open {
        let decided = match candidate.begin(&mut backend, index, &ranges, false) {
            Ok(decided) => decided,
            Err(mut progress) => {
                progress.wanted = Wanted::Any;
                match candidate.advance(&mut backend, options, index, &ranges, &mut progress) {
                    Some(decided) => decided,
                    None => {
                        waiting.push((candidate, progress));
                        continue;
                    }
                }
            }
        };
        if let Some(witness) = unsettled(Some(decided.verdict)) {
            return (false, witness, backend.meter.spent);
        }
    }
    let (can_be, _) = possible(&mut backend, options, index, &ranges, launch);
    if can_be != Possibility::Possible {
        return (false, None, backend.meter.spent);
    }
    for (candidate, mut progress) in waiting {
        let mut decided = None;
        while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
            decided = candidate.advance(&mut backend, options, index, &ranges, &mut progress);
        }
        if let Some(witness) = unsettled(decided.map(|decided| decided.verdict)) {
            return (false, witness, backend.meter.spent);
        }
    }
    (true, None, backend.meter.spent)
}

/// Whether what is supposed can hold in the launch, in the form of [`is_settled`].
pub(crate) fn is_possible(
    index: &Index<'_>,
    options: &Options,
    launch: LaunchId,
    steps: u64,
) -> (bool, Option<Witness>, u64) {
    let mut backend = Backend::with_steps(steps.max(1));
    let ranges = LaunchRanges::new(index, launch);
    let (can_be, _) = possible(&mut backend, options, index, &ranges, launch);
    let settled = can_be == Possibility::Possible;
    (settled, None, backend.meter.spent)
}

/// Unless the verdict is that there is nothing: the witness that goes with it, if there is one.
fn unsettled(verdict: Option<Verdict>) -> Option<Option<Witness>> {
    match verdict {
        Some(Verdict::None(_)) => None,
        Some(Verdict::Found(_, found)) => Some(Some(found.witness)),
        Some(Verdict::Unknown(_)) | None => Some(None),
    }
}
