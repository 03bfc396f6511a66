//! What contracts say of a launch: whether its assumptions can hold, which invariants are inductive, which assertions hold.
//!
//! **Algorithm.** Invariants are proved together (Houdini; Flanagan and Leino, FME 2001): all are taken to hold, those
//! with an assertion that cannot be proved under the others are taken away, until none has to be. What remains holds, by
//! induction over the steps of an execution: each assertion was proved from invariants at places before its own.
//! Assertions come after them, and races after these; an assertion is used by nothing.
//!
//! **Accuracy.** An invariant that is not proved, for whatever reason, is not used. An assumption that no thread can
//! satisfy where it stands leaves no execution to prove anything about, and is told.

use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::Options;
use crate::claim::{pairings, passing_query};
use crate::decide::{Candidate, Decided, Verdict, satisfiable};
use crate::index::Index;
use crate::instances::{Iterations, Side};
use crate::outcome::*;
use crate::query::{Fixing, LaunchRanges, Pairing, launch_query};
use crate::solve::{Backend, SPENT};

/// The least that one assertion may cost.
const CLAIM_SHARE: u64 = 120_000;

/// The contracts of one launch.
pub(crate) struct Contracts<'c, 'a> {
    pub(crate) index: &'a Index<'a>,
    pub(crate) options: &'c Options,
    pub(crate) launch: LaunchId,
    pub(crate) ranges: &'c LaunchRanges<'a>,
}

impl<'a> Contracts<'_, 'a> {
    /// Proves invariants and assertions. Leaves the invariants that hold in the ranges of the launch, for all that comes.
    pub(crate) fn decide(
        &self,
        backend: &mut Backend,
        claims: &[AssertId],
        account: &mut dyn FnMut(&Decided),
    ) -> Vec<ClaimOutcome> {
        let facts = self.index.facts;
        let row = |id: AssertId| &facts.assert_[id.index()];
        let mut outcomes: Vec<ClaimOutcome> = Vec::new();
        let mut alive: Vec<&InvariantRow> = facts
            .invariant
            .iter()
            .filter(|row| row.launch == self.launch)
            .collect();
        // A required invariant was taken away: what fails without it is no news.
        let mut lost = false;
        loop {
            self.use_only(&alive);
            let mut failed = Vec::new();
            let mut round = Vec::new();
            for invariant in &alive {
                let own = claims
                    .iter()
                    .copied()
                    .filter(|&id| row(id).invariant == Some(invariant.invariant));
                for id in own {
                    let decided = self.claim(backend, row(id));
                    account(&decided);
                    let outcome = self.outcome(id, decided);
                    if !matches!(outcome.answer, ClaimAnswer::Holds { .. }) {
                        failed.push(invariant.invariant);
                    }
                    round.push((invariant, outcome));
                }
            }
            if failed.is_empty() {
                outcomes.extend(round.into_iter().map(|(_, outcome)| outcome));
                break;
            }
            let was_lost = lost;
            for (invariant, mut outcome) in round {
                if !failed.contains(&invariant.invariant) {
                    continue;
                }
                let holds = matches!(outcome.answer, ClaimAnswer::Holds { .. });
                if (invariant.is_candidate || was_lost) && !holds {
                    outcome.answer = ClaimAnswer::Dropped;
                }
                lost |= !invariant.is_candidate;
                outcomes.push(outcome);
            }
            alive.retain(|row| !failed.contains(&row.invariant));
        }
        self.use_only(&alive);
        for &id in claims {
            if row(id).invariant.is_none() {
                let decided = self.claim(backend, row(id));
                account(&decided);
                outcomes.push(self.outcome(id, decided));
            }
        }
        outcomes.sort_by_key(|outcome| outcome.assert);
        outcomes
    }

    /// Takes these invariants to hold, and no others.
    fn use_only(&self, alive: &[&InvariantRow]) {
        let rows = self.index.facts.invariant_at.iter();
        *self.ranges.invariants.borrow_mut() = rows
            .filter(|at| alive.iter().any(|row| row.invariant == at.invariant))
            .map(|at| (at.point, at.term))
            .collect();
    }

    fn outcome(&self, assert: AssertId, decided: Decided) -> ClaimOutcome {
        let row = &self.index.facts.assert_[assert.index()];
        ClaimOutcome {
            launch: self.launch,
            assert,
            answer: match decided.verdict {
                Verdict::None(stage) => ClaimAnswer::Holds { stage },
                Verdict::Found(stage, found) => ClaimAnswer::Fails(Box::new(Failure {
                    stage,
                    witness: found.witness,
                    of_two: self.index.of_two(row.term),
                    exact: found.exact,
                    needs: found.needs,
                    abstractions: found.abstractions,
                })),
                Verdict::Unknown(reason) => ClaimAnswer::Unknown { reason },
            },
            rests_on: decided.rests_on,
            queries: decided.queries.iter().sum(),
            smt: decided.smt,
        }
    }

    /// Decides an assertion for all threads that it is about.
    fn claim(&self, backend: &mut Backend, row: &'a AssertRow) -> Decided {
        let mut sum: Option<Decided> = None;
        for &pairing in pairings(self.index, row) {
            let decided = self.ask(backend, Candidate::Claim(row, pairing));
            let mut decided = match sum.take() {
                None => decided,
                Some(before) => before.joined(decided),
            };
            if matches!(decided.verdict, Verdict::Found(..)) {
                return decided;
            }
            decided.smt = None;
            sum = Some(decided);
        }
        sum.unwrap_or_else(|| Decided::left(SPENT))
    }

    fn ask(&self, backend: &mut Backend, candidate: Candidate<'a>) -> Decided {
        let mut progress = match candidate.begin(backend, self.index, self.ranges, false) {
            Ok(decided) => return decided,
            Err(progress) => progress,
        };
        let share = (backend.meter.left / 4).max(CLAIM_SHARE * u64::from(self.options.effort));
        let held = backend.meter.hold(share);
        let mut decided = None;
        while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
            decided = candidate.advance(
                backend,
                self.options,
                self.index,
                self.ranges,
                &mut progress,
            );
        }
        let spent = (!progress.is_at_end()).then_some(SPENT);
        backend.meter.left += held;
        decided.unwrap_or_else(|| progress.give_up(spent))
    }

    /// Whether two threads can satisfy the assumptions that all of them must.
    pub(crate) fn can_hold(&self, backend: &mut Backend) -> (Possibility, u32) {
        let mut asked = 0;
        let everywhere: Vec<(PointId, TermId)> = self
            .index
            .assumes(self.launch)
            .iter()
            .copied()
            .filter(|&(point, _)| {
                let always =
                    self.index.loops(point).is_empty() && self.index.guards(point).is_empty();
                always && self.index.may_contradict(point)
            })
            .collect();
        if everywhere.is_empty() {
            return (Possibility::Possible, 0);
        }
        let too_few = |&(_, term): &(PointId, TermId)| {
            crate::few_values::are_too_few(self.index, self.launch, term)
        };
        if everywhere.iter().any(too_few) {
            return (Possibility::Contradictory, 0);
        }
        for scope in [PairScope::Block, PairScope::Grid] {
            let mut ask = |assumed: &[(PointId, TermId)]| {
                let fixing = Fixing::default();
                let pairing = Pairing::Race(scope);
                let mut query =
                    launch_query(self.index, self.ranges, self.launch, pairing, &fixing);
                for &(_, term) in assumed {
                    for side in Side::BOTH {
                        let base = &self.ranges.base;
                        let context = query.encoder.context(side, Iterations::new(), base);
                        let holds = query.encoder.truth(context, term);
                        query.asserts.push(holds);
                    }
                }
                query.finish(self.ranges, &fixing);
                let (answer, more) = satisfiable(backend, self.options, &mut query);
                asked += more;
                answer
            };
            match ask(&everywhere) {
                Possibility::Possible => {}
                // There may be no two such threads anyway.
                Possibility::Contradictory if ask(&[]) == Possibility::Contradictory => {}
                other => return (other, asked),
            }
        }
        (Possibility::Possible, asked)
    }

    /// The assumptions that no thread satisfies that gets to them.
    pub(crate) fn unsatisfiable(&self, backend: &mut Backend) -> (Vec<PointId>, u32) {
        let mut found = Vec::new();
        let mut asked = 0;
        for &(point, term) in self.index.assumes(self.launch) {
            if !self.index.may_contradict(point) {
                continue;
            }
            let mut ask = |with: bool| {
                let fixing = Fixing::default();
                let pairing = match self.index.of_two(term) {
                    true => Pairing::AnyOfGrid,
                    false => Pairing::One,
                };
                let mut query = passing_query(self.index, self.ranges, point, pairing, &fixing);
                if with {
                    let head = query.head.clone();
                    let base = &self.ranges.base;
                    let context = query.encoder.context(Side::First, head, base);
                    let holds = query.encoder.truth(context, term);
                    query.asserts.push(holds);
                }
                query.finish(self.ranges, &fixing);
                let (answer, more) = satisfiable(backend, self.options, &mut query);
                asked += more;
                answer
            };
            // A place that no thread gets to may say anything.
            if ask(true) == Possibility::Contradictory && ask(false) != Possibility::Contradictory {
                found.push(point);
            }
        }
        (found, asked)
    }
}
