//! Findings from the solver's outcomes: one per cause, however many heads, scopes and launches show it.

use std::collections::BTreeMap;

use warplog_facts::derived::{CandidateDivergenceRow, CandidateRaceRow, EndlessWaitRow};
use warplog_facts::words::{
    AccessKind, AssertKind, BarrierKind, Dimension, Effect, GuardCause, LockStep, OF_EACH_THREAD,
    PairScope, PointKind, Scope, Space,
};
use warplog_facts::{
    AccessId, AccessRow, AssertId, BarrierRow, Derived, Facts, LaunchId, LoopId, PointId, SpanId,
};
use warplog_report as report;
use warplog_report::findings::assertion_failed::AssertionFailed;
use warplog_report::findings::barrier_divergence::BarrierDivergence;
use warplog_report::findings::data_race::{Between, DataRace};
use warplog_report::findings::endless_wait::EndlessWait;
use warplog_report::findings::invalid_mask::InvalidMask;
use warplog_report::findings::missing_proxy_fence::MissingProxyFence;
use warplog_report::{
    Boundary, Certainty, Defect, Finding, FindingKind, Interval, Location, LoopState, Role, Thread,
    Value,
};
use warplog_solver_bridge::{
    Abstraction, ClaimAnswer, ClaimOutcome, Divergence, DivergenceAnswer, DivergenceOutcome,
    Failure, Race, RaceAnswer, RaceOutcome, Witness,
};

use super::benign::{REPORTED, leave_the_same};
use super::hinges::{self, Hinge, Hinges};
use super::hints::{self, Cure};
use super::meet::meeting;
use super::places::{Places, element_words};
use super::rows::Rows;
use super::{by_design, warps};
use crate::options::AnalysisOptions;

/// What makes two findings the same defect: the kind, how the threads lie, the array, the places.
type Key = (
    FindingKind,
    Option<report::Scope>,
    Option<String>,
    Vec<(report::Place, Role)>,
);

/// Gathers the findings of a kernel.
pub(super) struct Collector<'a> {
    facts: &'a Facts,
    derived: &'a Derived,
    rows: &'a Rows<'a>,
    places: &'a Places<'a>,
    hinges: &'a Hinges,
    report_benign: bool,
    findings: BTreeMap<Key, (Finding, Option<Cure>)>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(
        (facts, derived, rows): (&'a Facts, &'a Derived, &'a Rows<'a>),
        places: &'a Places<'a>,
        hinges: &'a Hinges,
        options: &AnalysisOptions,
    ) -> Self {
        Collector {
            facts,
            derived,
            rows,
            places,
            hinges,
            report_benign: options.report_benign,
            findings: BTreeMap::new(),
        }
    }

    /// Adds what was found under a launch, the `index`th of its kernel.
    pub(super) fn add(&mut self, launch: LaunchId, index: usize) {
        let own = self.rows.of(launch);
        let divergent = warps::divergent_barriers(self.facts, own);
        for &(position, outcome) in &own.races {
            if let RaceAnswer::Race(race) = &outcome.answer {
                let hinge = self.hinge_of_race(position, outcome, race);
                let finding = self.race(outcome, race, hinge, index, &divergent);
                let candidate = &outcome.candidate;
                let rows = [candidate.first, candidate.second]
                    .map(|access| &self.facts.access[access.index()]);
                let scope = self.scope(candidate.scope, &race.witness);
                let cure = Cure {
                    atomics: hints::atomics(rows, scope),
                    asked: candidate.scope,
                    meeting: meeting((self.facts, self.rows), launch, rows, scope),
                    carried: is_carried(candidate),
                    exits: candidate.exit.is_some() && !self.lasts(candidate),
                    of_cluster: candidate.scope == PairScope::Grid && candidate.groups == 1,
                    is_copied: self.lasts(candidate),
                    same: candidate.first == candidate.second,
                    updates: self.updates(rows),
                };
                self.merge(finding, Some(cure));
            }
        }
        for &(position, outcome) in &own.divergences {
            if let DivergenceAnswer::Diverges(divergence) = &outcome.answer {
                let hinge = self.hinge_of_divergence(position, outcome, divergence);
                let finding = self.divergence(outcome, divergence, hinge, index);
                self.merge(finding, None);
            }
        }
        for outcome in &own.claims {
            if let ClaimAnswer::Fails(failure) = &outcome.answer {
                let finding = match self.copy_met(outcome.assert) {
                    Some(rows) => self.met_copy(outcome, failure, rows, index),
                    None => self.failure(outcome, failure, index),
                };
                self.merge(finding, None);
            }
        }
        let waits = self.derived.endless_wait.iter();
        for row in waits.filter(|row| self.facts.point[row.point.index()].launch == launch) {
            let finding = self.endless_wait(row, launch, index);
            self.merge(finding, None);
        }
    }

    /// The findings, each with what its remedy depends on.
    pub(super) fn finish(self) -> Vec<(Finding, Option<Cure>)> {
        self.findings.into_values().collect()
    }

    /// Adds a finding, or one more instance of a finding at the same places. The one that is told is the gravest of them: one that may do
    /// harm, the most certain. Of one launch it has no condition that the others do not have: what rules one of them out need not
    /// rule out the others.
    fn merge(&mut self, finding: Finding, cure: Option<Cure>) {
        let places = finding
            .locations
            .iter()
            .map(|location| (location.place.clone(), location.role))
            .collect();
        let array = finding.array().map(str::to_owned);
        let key = (finding.kind(), finding.scope(), array, places);
        match self.findings.get_mut(&key) {
            None => {
                self.findings.insert(key, (finding, cure));
            }
            Some((known, remedy)) => {
                *remedy = remedy.take().zip(cure).map(|(known, more)| known.and(more));
                let of_one_launch = known.launches.ends_with(&finding.launches);
                let mut launches = known.launches.clone();
                launches.extend(&finding.launches);
                launches.sort_unstable();
                launches.dedup();
                let instances = known.instances + 1;
                let grade = |one: &Finding| (one.harm != report::Harm::ByDesign, one.certainty);
                let differ = known.race_free_if != finding.race_free_if;
                let (chosen, other) = match grade(&finding) > grade(known) {
                    true => {
                        let other = std::mem::replace(known, finding);
                        (known, other)
                    }
                    false => (known, finding),
                };
                if of_one_launch && differ && chosen.certainty != Certainty::Confirmed {
                    chosen.race_free_if = None;
                    chosen.hinges_on.extend(other.hinges_on);
                    chosen.hinges_on.sort();
                    chosen.hinges_on.dedup();
                }
                chosen.launches = launches;
                chosen.instances = instances;
            }
        }
    }

    fn hinge_of_race(&self, position: usize, outcome: &RaceOutcome, race: &Race) -> Hinge {
        let candidate = &outcome.candidate;
        let points = [candidate.first, candidate.second]
            .map(|access| self.facts.access[access.index()].point);
        let inputs = hinges::inputs(self.facts, &race.abstractions);
        let found = (candidate.launch, points.as_slice());
        self.hinges.of_race(position, race.needs, found, inputs)
    }

    fn hinge_of_divergence(
        &self,
        position: usize,
        outcome: &DivergenceOutcome,
        divergence: &Divergence,
    ) -> Hinge {
        let candidate = &outcome.candidate;
        let point = self.facts.barrier[candidate.barrier.index()].point;
        let inputs = hinges::inputs(self.facts, &divergence.abstractions);
        let points = [point];
        let found = (candidate.launch, points.as_slice());
        self.hinges
            .of_divergence(position, divergence.needs, found, inputs)
    }

    fn race(
        &self,
        outcome: &RaceOutcome,
        race: &Race,
        mut hinge: Hinge,
        index: usize,
        divergent: &[PointId],
    ) -> Finding {
        let candidate = &outcome.candidate;
        let accesses = [candidate.first, candidate.second];
        let rows = accesses.map(|access| &self.facts.access[access.index()]);
        let roles = [Role::First, Role::Second];
        let locations = rows
            .iter()
            .zip(roles)
            .map(|(row, role)| self.reached((row.span, row.point), role))
            .collect();
        let scope = self.scope(candidate.scope, &race.witness);
        let mut reasons = self.unsupported(candidate.launch);
        let is_own = candidate.scope == PairScope::Own;
        let unfenced = self.crosses_proxies(candidate);
        if scope == report::Scope::IntraWarp && !is_own && !unfenced {
            reasons.extend(self.weaker_warps(candidate, &race.witness));
        }
        let array = &self.facts.array[rows[0].array.index()];
        if let Some(from) = array.name.strip_prefix(OF_EACH_THREAD) {
            reasons.push(format!(
                "whose memory of `{from}` a thread comes to, which is not told apart once one stores its address where others read it"
            ));
        }
        for barrier in warps::passed_before(self.rows, divergent, candidate.head) {
            let line = self
                .places
                .place(self.facts.point[barrier.index()].span)
                .line;
            reasons.push(format!(
                "all threads are taken to pass the barrier at line {line}, which some do not reach"
            ));
        }
        if !reasons.is_empty() {
            hinge.certainty = Certainty::Potential;
        }
        if hinge.certainty == Certainty::Potential {
            reasons.splice(0..0, self.reasons(&race.abstractions));
        }
        let other = hinge.witness.take();
        let witness = other.as_ref().unwrap_or(&race.witness);
        let element = witness.element.as_ref();
        let element = element.map(|element| element_words(self.facts, element));
        let interval = self.interval(candidate, is_carried(candidate));
        let mut finding = Finding {
            id: String::new(),
            defect: match (unfenced, is_own) {
                (true, _) => Defect::MissingProxyFence(MissingProxyFence {
                    copy: access_kind(rows[1].kind),
                    memory: self.facts.array[rows[0].array.index()].name.clone(),
                }),
                (false, true) => Defect::DataRace(self.data_race(rows, Between::OwnCopy)),
                (false, false) => {
                    let between = Between::Threads { scope, interval };
                    Defect::DataRace(self.data_race(rows, between))
                }
            },
            certainty: Certainty::Potential,
            harm: report::Harm::Possible,
            locations,
            witness: Some(report::Witness {
                touched: Self::touched(witness, rows),
                ..self.witness(witness, element)
            }),
            reasons: or_unnamed(reasons),
            assumptions: outcome.rests_on.sentences(),
            hint: match (unfenced, is_own) {
                (true, _) => Some(hints::OF_FENCE.to_owned()),
                (false, true) => Some(hints::OF_OWN_COPY.to_owned()),
                (false, false) => None,
            },
            race_free_if: None,
            hinges_on: Vec::new(),
            mend: None,
            notes: self
                .one_allocation(rows)
                .into_iter()
                .chain(self.notes(candidate, witness, scope))
                .collect(),
            launches: vec![index],
            instances: self.instances(candidate.first, candidate.second),
            suppressed: None,
            severity: None,
            fingerprint: String::new(),
        };
        hinge.put(&mut finding);
        if let Some(why) = by_design::told(self.facts, self.rows, rows)
            && self.is_alike(candidate, &|rows| {
                by_design::told(self.facts, self.rows, rows).is_some()
            })
        {
            finding.harm = report::Harm::ByDesign;
            finding.notes.push(why);
        }
        finding
    }

    /// Whether something holds of all pairs that a race between two places of the source stands for, but for those that are apart: other
    /// candidates between these places, and the accesses that those of a candidate stand for.
    fn is_alike(
        &self,
        candidate: &CandidateRaceRow,
        holds: &dyn Fn([&AccessRow; 2]) -> bool,
    ) -> bool {
        let row = |access: AccessId| &self.facts.access[access.index()];
        let place = |access: AccessId| {
            let span = &self.facts.span[row(access).span.index()];
            (span.file, span.line, span.column, span.end)
        };
        let places = |row: &CandidateRaceRow| [row.first, row.second].map(place);
        let all_of = |access: AccessId| {
            let rows = self.derived.same_access.iter();
            let others = rows.filter(move |row| row.representative == access);
            others.map(|row| row.access).chain([access])
        };
        let own = self.rows.of(candidate.launch);
        let mut meant = own.races.iter().filter(|(_, outcome)| {
            !matches!(outcome.answer, RaceAnswer::Disjoint { .. })
                && places(&outcome.candidate) == places(candidate)
        });
        meant.all(|(_, outcome)| {
            let [first, second] = [outcome.candidate.first, outcome.candidate.second];
            all_of(first).all(|one| all_of(second).all(|other| holds([row(one), row(other)])))
        })
    }

    /// Whether the first access lasts beyond its interval: a bulk copy that is under way, or a write that copies do not see.
    fn lasts(&self, candidate: &CandidateRaceRow) -> bool {
        candidate.exit == Some(self.facts.access[candidate.first.index()].point)
    }

    /// Whether the first access is a write of a thread that the bulk copy of the second does not see.
    fn crosses_proxies(&self, candidate: &CandidateRaceRow) -> bool {
        let mut copies = self.facts.copy_access.iter();
        self.lasts(candidate) && !copies.any(|row| row.bulk && row.access == candidate.first)
    }

    fn divergence(
        &self,
        outcome: &DivergenceOutcome,
        divergence: &Divergence,
        mut hinge: Hinge,
        index: usize,
    ) -> Finding {
        let candidate = &outcome.candidate;
        let barrier = &self.facts.barrier[candidate.barrier.index()];
        let cause = &self.facts.point[candidate.cause_point.index()];
        let locations = vec![
            self.reached((barrier.span, barrier.point), Role::Barrier),
            Location {
                calls: Vec::new(),
                ..self.reached((cause.span, candidate.cause_point), Role::Condition)
            },
        ];
        let mut reasons = self.unsupported(candidate.launch);
        let lanes = warps::is_of_lanes(barrier);
        if divergence.exits_early
            || candidate.cause == GuardCause::Return
            || warps::ends_apart(
                (self.facts, self.rows, self.places),
                barrier.point,
                candidate.cause_point,
            )
        {
            reasons.push(if lanes {
                "the other lane has exited: since Volta an operation of a warp waits only for lanes that have not".to_owned()
            } else {
                "the other thread has exited: since Volta a barrier waits only for threads that have not".to_owned()
            });
        }
        if !reasons.is_empty() {
            hinge.certainty = Certainty::Potential;
        }
        if hinge.certainty == Certainty::Potential {
            reasons.splice(0..0, self.reasons(&divergence.abstractions));
        }
        let other = hinge.witness.take();
        let found = other.as_ref().unwrap_or(&divergence.witness);
        let hint = match candidate.cause {
            GuardCause::Mask => {
                "name by the mask the lanes that come here, or keep the others away by the condition that the mask is made from"
            }
            GuardCause::Masks => {
                "let all lanes that a mask names bring that mask: compute it by `__ballot_sync` before the branch, or from the number of the group"
            }
            _ if lanes => {
                "the mask must name the lanes that come here and no others: compute it by `__ballot_sync` before the branch, from its condition, or move the operation out of the branch"
            }
            GuardCause::Branch => {
                "move the barrier out of the branch, or make the condition equal in all threads of the block"
            }
            GuardCause::Loop => {
                "let all threads of the block run the loop equally often, and guard the work inside instead"
            }
            GuardCause::Return => {
                "instead of returning, guard the work, so that all threads reach the barrier"
            }
            GuardCause::Break | GuardCause::Continue => {
                "leave the loop by a condition that is equal in all threads of the block"
            }
        };
        let mut witness = self.witness(found, None);
        if candidate.cause == GuardCause::Mask {
            witness.keep_first_thread();
        }
        let mut notes = found.notes.clone();
        if lanes {
            notes.extend(self.mask_notes(candidate, barrier, found));
        } else if !self.places.loops(barrier.point).is_empty() {
            notes.push(
                "the race analysis of what follows assumes convergence: that the threads pass this barrier equally often".to_owned(),
            );
        }
        let mut finding = Finding {
            id: String::new(),
            defect: if lanes {
                Defect::InvalidMask(InvalidMask)
            } else {
                Defect::BarrierDivergence(BarrierDivergence)
            },
            certainty: Certainty::Potential,
            harm: report::Harm::Possible,
            locations,
            witness: Some(witness),
            reasons: or_unnamed(reasons),
            assumptions: outcome.rests_on.sentences(),
            hint: Some(hint.to_owned()),
            race_free_if: None,
            hinges_on: Vec::new(),
            mend: None,
            notes,
            launches: vec![index],
            instances: 1,
            suppressed: None,
            severity: None,
            fingerprint: String::new(),
        };
        hinge.put(&mut finding);
        finding
    }

    /// What only a race has.
    fn data_race(&self, rows: [&AccessRow; 2], between: Between) -> DataRace {
        let array = &self.facts.array[rows[0].array.index()];
        DataRace {
            accesses: rows.map(|row| access_kind(row.kind)),
            array: array.name.clone(),
            shared_memory: array.space == Space::Shared,
            between,
        }
    }

    /// The copy and the access of an assertion that says that these do not meet.
    fn copy_met(&self, assert: AssertId) -> Option<[&AccessRow; 2]> {
        let row = self
            .facts
            .copy_met
            .iter()
            .find(|row| row.assert == assert)?;
        Some([row.copy, row.access].map(|access| &self.facts.access[access.index()]))
    }

    /// A thread and an asynchronous copy of its own that it has not waited for.
    fn met_copy(
        &self,
        outcome: &ClaimOutcome,
        failure: &Failure,
        rows: [&AccessRow; 2],
        index: usize,
    ) -> Finding {
        let mut finding = self.failure(outcome, failure, index);
        let roles = [Role::First, Role::Second];
        finding.defect = Defect::DataRace(self.data_race(rows, Between::OwnCopy));
        finding.locations = rows
            .iter()
            .zip(roles)
            .map(|(row, role)| self.reached((row.span, row.point), role))
            .collect();
        finding.hint = Some(
            "let the thread wait for its copy before: `__pipeline_wait_prior`, `cp.async.wait_group`, `wait` of the group or the barrier"
                .to_owned(),
        );
        // The thread is on both sides.
        if let Some(witness) = &mut finding.witness {
            witness.threads.extend(witness.threads.first().cloned());
            for state in &mut witness.loops {
                state.at.extend(state.at.first().cloned());
            }
        }
        finding
    }

    fn failure(&self, outcome: &ClaimOutcome, failure: &Failure, index: usize) -> Finding {
        let row = &self.facts.assert_[outcome.assert.index()];
        let point = &self.facts.point[row.point.index()];
        let is_lane = row.kind == AssertKind::Lane;
        let role = if is_lane {
            Role::Barrier
        } else {
            Role::Assertion
        };
        let mut locations = vec![self.location(row.span, role)];
        // What tells the two halves of an invariant apart is that one of them is about the iterations of the loop.
        if !is_lane
            && !matches!(
                row.kind,
                AssertKind::Assertion | AssertKind::Entry | AssertKind::Barrier
            )
        {
            locations.push(self.location(point.span, Role::Condition));
        }
        let (what, hint) = match row.kind {
            AssertKind::Assertion => (
                None,
                Some(
                    "if the launch or the inputs rule these values out, say so: by a launch, `--assume`, or `__requires(…)` in the kernel",
                ),
            ),
            AssertKind::Entry => (
                Some("the invariant does not hold when the loop is entered"),
                Some(
                    "it must hold before the first iteration, for the values that the loop starts with",
                ),
            ),
            AssertKind::Preservation => (
                Some("the invariant is not preserved by an iteration"),
                Some(
                    "an iteration that begins with it, and with the other invariants, must end with it: say more of the values that the loop changes",
                ),
            ),
            AssertKind::Precondition => (
                Some("the call does not meet what the function requires"),
                Some(
                    "guard the call by what the function requires, or let the kernel require it of its own arguments",
                ),
            ),
            AssertKind::Copy => (None, None),
            AssertKind::Lane => (
                None,
                Some(
                    "launch whole warps, or let the lanes that there are exchange values among themselves only",
                ),
            ),
            AssertKind::Barrier => (
                Some(
                    "the barrier invariant does not follow from what the thread (of two, both) stored or read since the barrier before",
                ),
                Some(
                    "an element that none of them accessed may hold anything: say less of it, or let each thread read or store the elements that it speaks of",
                ),
            ),
            AssertKind::Postcondition => (
                Some("the function returns without what it ensures"),
                Some("let it require what that takes, or ensure less"),
            ),
        };
        let mut reasons = self.reasons(&failure.abstractions);
        reasons.extend(self.unsupported(outcome.launch));
        let inputs = hinges::inputs(self.facts, &failure.abstractions);
        let mut hinge = self.hinges.of_other(failure.needs, inputs);
        if is_lane {
            reasons.push(
                "the lane that the value is taken from does not exist in the last warp, and whether the value is used is not followed"
                    .to_owned(),
            );
        }
        if is_lane || !self.unsupported(outcome.launch).is_empty() {
            hinge.certainty = Certainty::Potential;
        }
        let exact = hinge.certainty != Certainty::Potential;
        // No conditions are asked of a failure: one that is shown for numbers below 0 need not be one of a sane launch.
        let values = failure.witness.values.iter();
        let below: Vec<&String> = values
            .filter(|(name, value)| *value < 0 && !name.contains('['))
            .map(|(name, _)| name)
            .collect();
        if hinge.certainty == Certainty::Confirmed
            && !below.is_empty()
            && !self.hinges.is_paranoid()
        {
            hinge.certainty = Certainty::Conditional;
            hinge.hinges_on.extend(below.into_iter().cloned());
        }
        let mut witness = self.witness(&failure.witness, None);
        if !failure.of_two {
            witness.keep_first_thread();
        }
        Finding {
            id: String::new(),
            defect: if is_lane {
                Defect::InvalidMask(InvalidMask)
            } else {
                Defect::AssertionFailed(AssertionFailed)
            },
            certainty: hinge.certainty,
            harm: report::Harm::Possible,
            locations,
            witness: Some(witness),
            reasons: what
                .map(str::to_owned)
                .into_iter()
                .chain(if exact {
                    Vec::new()
                } else {
                    or_unnamed(reasons)
                })
                .collect(),
            assumptions: outcome.rests_on.sentences(),
            hint: hint.map(str::to_owned),
            race_free_if: None,
            hinges_on: hinge.hinges_on,
            mend: None,
            // A potential finding tells its reasons anyway.
            notes: what
                .filter(|_| exact)
                .map(str::to_owned)
                .into_iter()
                .collect(),
            launches: vec![index],
            instances: 1,
            suppressed: None,
            severity: None,
            fingerprint: String::new(),
        }
    }

    /// A wait for a phase that never ends, in block 0.
    fn endless_wait(&self, row: &EndlessWaitRow, launch: LaunchId, index: usize) -> Finding {
        let span = self.facts.point[row.point.index()].span;
        let barrier = match row.object {
            Some(object) => {
                let array = &self.facts.array[object.index()];
                match array.bytes {
                    Some(8) | None => array.name.clone(),
                    Some(_) => format!("{}[{}]", array.name, row.index / 8),
                }
            }
            None => row.index.to_string(),
        };
        let natural = |number: i128| u64::try_from(number).unwrap_or(0);
        let mut notes = vec![format!(
            "{} of {} arrivals of its phase number {} were counted, and nobody takes a step any more",
            row.arrived,
            row.counted,
            row.ended + 1
        )];
        if row.bytes != 0 {
            notes.push(format!(
                "{} of the bytes that are expected are missing",
                row.bytes
            ));
        }
        if let Some(parity) = row.parity {
            notes.push(format!(
                "the wait is for a phase of parity {parity}, and {} have ended: the first has parity 0",
                row.ended
            ));
        }
        let mut reasons = self.unsupported(launch);
        if !row.always {
            reasons.push(format!(
                "it hangs where all numbers that the caller decides are {}, and is not shown to hang with others",
                row.open
            ));
        }
        let certainty = match reasons.as_slice() {
            [] => Certainty::Confirmed,
            _ => Certainty::Potential,
        };
        Finding {
            id: String::new(),
            defect: Defect::EndlessWait(EndlessWait { barrier }),
            certainty,
            harm: report::Harm::Possible,
            locations: vec![self.reached((span, row.point), Role::Barrier)],
            witness: Some(report::Witness {
                block_dim: self.sizes(launch),
                grid_dim: [1; 3],
                threads: vec![Thread {
                    block: [0; 3],
                    thread: [row.x, row.y, row.z].map(natural),
                }],
                element: None,
                values: BTreeMap::new(),
                iterations: BTreeMap::new(),
                loops: Vec::new(),
                touched: Vec::new(),
            }),
            reasons,
            assumptions: Vec::new(),
            hint: Some(
                "let as many arrive as the barrier is initialised for, and wait for the parity of a phase that they end"
                    .to_owned(),
            ),
            race_free_if: None,
            hinges_on: Vec::new(),
            mend: None,
            notes,
            launches: vec![index],
            instances: 1,
            suppressed: None,
            severity: None,
            fingerprint: String::new(),
        }
    }

    /// The numbers of threads of a launch's block, 1 where they are open.
    fn sizes(&self, launch: LaunchId) -> [u64; 3] {
        [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ].map(|axis| {
            let rows = self.facts.launch_dimension.iter();
            let mut own = rows.filter(|row| row.launch == launch && row.dimension == axis);
            let size = own
                .next()
                .and_then(|row| self.facts.terms.as_const(row.term));
            size.and_then(|size| u64::try_from(size).ok()).unwrap_or(1)
        })
    }

    /// Copies of the two accesses that the representatives stand for.
    fn instances(&self, first: AccessId, second: AccessId) -> u32 {
        let copies = |access: AccessId| {
            1 + self
                .derived
                .same_access
                .iter()
                .filter(|row| row.representative == access && row.access != access)
                .count()
        };
        let count = if first == second {
            copies(first)
        } else {
            copies(first) * copies(second)
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn location(&self, span: SpanId, role: Role) -> Location {
        let place = self.places.place(span);
        Location {
            place,
            role,
            macro_name: self.places.macro_name(span).map(str::to_owned),
            calls: Vec::new(),
        }
    }

    /// The same of an access or a barrier, with the calls through which it is reached.
    fn reached(&self, (span, point): (SpanId, PointId), role: Role) -> Location {
        let (span, calls) = self.places.told(span, point);
        Location {
            calls,
            ..self.location(span, role)
        }
    }

    fn reasons(&self, abstractions: &[Abstraction]) -> Vec<String> {
        let mut reasons: Vec<String> = Vec::new();
        for abstraction in abstractions {
            let text = match abstraction.span {
                Some(span) => {
                    let place = self.places.place(span);
                    format!("{} at line {}", abstraction.text, place.line)
                }
                None => abstraction.text.clone(),
            };
            if !reasons.contains(&text) {
                reasons.push(text);
            }
        }
        reasons
    }

    /// Constructs of the launch that are not modelled and may order what seems unordered.
    fn unsupported(&self, launch: LaunchId) -> Vec<String> {
        let own = self.rows.of(launch);
        let doubts = own.doubts.iter();
        let mut reasons: Vec<String> = doubts.map(|row| row.reason.clone()).collect();
        for row in &own.unsupported {
            if row.effect >= Effect::Control {
                let text = format!(
                    "{} at line {} is not modelled",
                    row.what,
                    self.places.place(row.span).line
                );
                if !reasons.contains(&text) {
                    reasons.push(text);
                }
            }
        }
        reasons
    }

    /// What orders lanes of a warp and is not used: such a race may not be one.
    fn weaker_warps(&self, candidate: &CandidateRaceRow, witness: &Witness) -> Vec<String> {
        let launch = candidate.launch;
        let mut reasons: Vec<String> = Vec::new();
        let own = self.rows.of(launch);
        if warps::have_overlapping_masks(self.facts, &own.barriers) {
            reasons.push("barriers of overlapping masks may order two lanes by way of a third, which is not followed".to_owned());
        }
        for row in &own.barriers {
            let unknown = row.mask.is_some() && row.member.is_none();
            if unknown && row.kind == BarrierKind::Warp {
                let line = self.places.place(row.span).line;
                reasons.push(format!(
                    "the warp barrier at line {line} is taken to order nothing: which lanes its mask names is not known"
                ));
            }
        }
        let in_step = warps::in_lock_step(self.facts, launch);
        let loose = candidate.lock_step == LockStep::Loose;
        if in_step && loose && !warps::in_diverged_arms(self.places, candidate, witness) {
            reasons.push("lanes leave the branch on ways of their own: where lock-step warps join them is not followed".to_owned());
        }
        for row in &own.unsupported {
            if row.what.starts_with("lock-step") {
                reasons.push(format!("{} are not modelled: {}", row.what, row.why));
            }
        }
        reasons.dedup();
        reasons
    }

    /// That the accesses go by two names of the same memory, if they do.
    fn one_allocation(&self, rows: [&AccessRow; 2]) -> Option<String> {
        let [first, second] = rows.map(|row| &self.facts.array[row.array.index()]);
        if first.name == second.name {
            return None;
        }
        let passed = |name: &str| {
            let mut arguments = self.rows.of(first.launch).arguments.iter();
            arguments.any(|row| row.name == name)
        };
        let what = if passed(&first.name) && passed(&second.name) {
            "one allocation in this launch"
        } else {
            "the same memory"
        };
        Some(format!("`{}` and `{}` are {what}", first.name, second.name))
    }

    /// What else there is to say of a race.
    fn notes(
        &self,
        candidate: &CandidateRaceRow,
        witness: &Witness,
        scope: report::Scope,
    ) -> Vec<String> {
        let mut notes = witness.notes.clone();
        if self.report_benign && leave_the_same(self.facts, self.derived, candidate, witness) {
            notes.push(REPORTED.to_owned());
        }
        if scope != report::Scope::IntraWarp {
            return notes;
        }
        for barrier in warps::meetings_between(self.facts, self.rows, candidate) {
            let line = self.places.place(barrier.span).line;
            notes.push(format!(
                "the lanes meet at `{}` in line {line}, which orders no memory",
                barrier.operation
            ));
        }
        notes.extend(warps::lock_step_note(
            self.facts,
            self.places,
            candidate,
            witness,
        ));
        notes
    }

    /// What is wrong with a mask.
    fn mask_notes(
        &self,
        candidate: &CandidateDivergenceRow,
        barrier: &BarrierRow,
        witness: &Witness,
    ) -> Vec<String> {
        let [first, second] = [0, 1].map(|nth: usize| {
            let thread = witness.threads[nth].thread;
            let dims = witness.block_dim;
            (thread[0] + dims[0] * (thread[1] + dims[1] * thread[2])) % 32
        });
        if candidate.cause == GuardCause::Mask {
            return vec![format!(
                "lane {first} executes `{}` and is not named by the mask",
                barrier.operation
            )];
        }
        if candidate.cause == GuardCause::Masks {
            return vec![format!(
                "lane {first} comes to `{}` with a mask that names lane {second}, which comes with another mask",
                barrier.operation
            )];
        }
        let mut notes = vec![format!(
            "the mask names lane {second}, which does not come to `{}` with lane {first}",
            barrier.operation
        )];
        let own = &self.rows.of(candidate.launch).barriers;
        for other in warps::alternatives(own, self.places, barrier) {
            let line = self.places.place(other.span).line;
            notes.push(format!(
                "lanes of one mask must meet at one operation: those at `{}` in line {line} wait for others",
                other.operation
            ));
        }
        notes
    }

    fn scope(&self, asked: PairScope, witness: &Witness) -> report::Scope {
        let [a, b] = &witness.threads;
        if a.block != b.block {
            return report::Scope::InterBlock;
        }
        let linear = |thread: &[i128; 3]| {
            thread[0] + witness.block_dim[0] * (thread[1] + witness.block_dim[1] * thread[2])
        };
        match asked {
            PairScope::Grid => report::Scope::InterBlock,
            PairScope::Own | PairScope::Warp => report::Scope::IntraWarp,
            PairScope::InterWarp => report::Scope::InterWarp,
            PairScope::Block if linear(&a.thread) / 32 == linear(&b.thread) / 32 => {
                report::Scope::IntraWarp
            }
            PairScope::Block => report::Scope::InterWarp,
        }
    }

    fn interval(&self, candidate: &CandidateRaceRow, carried: bool) -> Interval {
        let head = candidate.head;
        let barriers = match candidate.scope {
            PairScope::Warp => Scope::Warp,
            PairScope::Own | PairScope::InterWarp | PairScope::Block => Scope::Block,
            PairScope::Grid => Scope::Grid,
        };
        let barriers = (barriers, candidate.groups);
        let mut to = Vec::new();
        let inside = self.rows.inside(head).iter();
        for row in inside.filter(|row| (row.scope, row.groups) == barriers) {
            let boundary = self.boundary(row.point, barriers);
            if let Some(boundary) = boundary
                && !to.contains(&boundary)
            {
                to.push(boundary);
            }
        }
        Interval {
            from: vec![self.boundary(head, barriers).unwrap_or(Boundary::Start)],
            to,
            carried,
        }
    }

    /// The point as a bound of intervals, if it is one.
    fn boundary(&self, point: PointId, (scope, groups): (Scope, u32)) -> Option<Boundary> {
        match self.facts.point[point.index()].kind {
            PointKind::Exit => Some(Boundary::End),
            PointKind::Barrier => {
                let barrier = self.rows.barrier(point)?;
                let counts = match scope {
                    Scope::Warp | Scope::Block => {
                        warps::counts(self.facts, self.derived, barrier, scope, groups)
                    }
                    Scope::Grid | Scope::System => {
                        let mut of_clusters = self.facts.cluster_barrier.iter();
                        barrier.kind == BarrierKind::Grid
                            || groups == 1 && of_clusters.any(|row| row.barrier == barrier.barrier)
                    }
                };
                let named = format!("{}()", barrier.operation);
                let what = match barrier.kind {
                    _ if barrier.operation.starts_with("__") => named.as_str(),
                    BarrierKind::Block => "__syncthreads()",
                    BarrierKind::Warp if barrier.key.is_some() => "barrier of the tile",
                    BarrierKind::Warp => "__syncwarp()",
                    BarrierKind::Part => "barrier of a part of the block",
                    BarrierKind::Meet | BarrierKind::Collective => return None,
                    BarrierKind::Grid => "grid barrier",
                };
                counts.then(|| Boundary::Barrier {
                    what: what.to_owned(),
                    place: self.places.place(barrier.span),
                })
            }
            _ => None,
        }
    }

    fn witness(&self, witness: &Witness, element: Option<String>) -> report::Witness {
        let natural = |sizes: [i128; 3]| sizes.map(|size| u64::try_from(size).unwrap_or(0));
        let threads: Vec<Thread> = witness
            .threads
            .iter()
            .map(|thread| Thread {
                block: natural(thread.block),
                thread: natural(thread.thread),
            })
            .collect();
        let mut values: BTreeMap<String, Value> = witness
            .values
            .iter()
            .map(|(name, value)| (name.clone(), Value::Int(*value)))
            .collect();
        for thread in &witness.threads {
            for load in &thread.loads {
                let row = &self.facts.access[load.access.index()];
                let array = &self.facts.array[row.array.index()];
                let size = i128::from(array.element_bytes.max(1));
                let name = if load.offset % size == 0 {
                    format!("{}[{}]", array.name, load.offset / size)
                } else {
                    format!("{} at byte {}", array.name, load.offset)
                };
                values.insert(name, Value::Int(load.value));
            }
        }
        report::Witness {
            block_dim: natural(witness.block_dim),
            grid_dim: natural(witness.grid_dim),
            threads,
            element,
            values,
            iterations: self.iterations(witness),
            loops: self.loops(witness),
            touched: Vec::new(),
        }
    }

    /// The bytes that the threads of a race touch, if the witness tells both.
    fn touched(witness: &Witness, rows: [&AccessRow; 2]) -> Vec<report::Touched> {
        let threads = witness.threads.iter().zip(rows);
        let touched: Option<Vec<report::Touched>> = threads
            .map(|(thread, row)| {
                Some(report::Touched {
                    first: thread.offset?,
                    bytes: u64::from(row.bytes),
                })
            })
            .collect();
        touched.unwrap_or_default()
    }

    /// The line of a loop; none of one in a text that stands in for a header, which nobody can look up.
    fn line_of_loop(&self, id: LoopId) -> Option<u32> {
        let head = self.facts.loop_[id.index()].head;
        let span = self.facts.point[head.index()].span;
        let is_shown = !self.places.is_stand_in(span);
        is_shown.then(|| self.places.place(span).line)
    }

    /// The loops that the threads are in, in program order.
    fn loops(&self, witness: &Witness) -> Vec<LoopState> {
        let mut all: BTreeMap<LoopId, LoopState> = BTreeMap::new();
        for (nth, thread) in witness.threads.iter().enumerate() {
            for iteration in &thread.iterations {
                let Some(line) = self.line_of_loop(iteration.loop_id) else {
                    continue;
                };
                let state = all.entry(iteration.loop_id).or_insert_with(|| LoopState {
                    line,
                    at: vec![None; witness.threads.len()],
                });
                state.at[nth] = Some(report::Iteration {
                    ordinal: iteration.ordinal,
                    variables: iteration.variables.clone(),
                });
            }
        }
        all.into_values().collect()
    }

    /// Whether one of two accesses stores what is computed from what the other, or itself before, reads from the same element.
    fn updates(&self, rows: [&AccessRow; 2]) -> bool {
        let terms = &self.facts.terms;
        rows.iter().any(|row| {
            let value = row.value.filter(|_| row.kind == AccessKind::Write);
            let mut parts = value
                .map_or_else(Vec::new, |value| terms.reachable(&[value]))
                .into_iter();
            parts.any(|id| {
                let read = terms
                    .get(id)
                    .access()
                    .and_then(|read| self.facts.access.get(read.index()));
                read.is_some_and(|read| {
                    let other = rows.iter().any(|other| other.access == read.access);
                    let own = rows[0].access == rows[1].access;
                    (other || own) && read.array == row.array && read.index == row.index
                })
            })
        })
    }

    /// Iterations by loop, named by its first variable and its line; one entry per thread.
    fn iterations(&self, witness: &Witness) -> BTreeMap<String, Vec<Option<i128>>> {
        let mut iterations: BTreeMap<String, Vec<Option<i128>>> = BTreeMap::new();
        for (nth, thread) in witness.threads.iter().enumerate() {
            for iteration in &thread.iterations {
                let Some(line) = self.line_of_loop(iteration.loop_id) else {
                    continue;
                };
                let name = match iteration.variables.first() {
                    Some((name, _)) => format!("{name} (line {line})"),
                    None => format!("loop (line {line})"),
                };
                let entries = iterations
                    .entry(name)
                    .or_insert_with(|| vec![None; witness.threads.len()]);
                entries[nth] = Some(iteration.ordinal);
            }
        }
        iterations
    }
}

/// Whether one of the accesses is in a later iteration of a loop.
fn is_carried(candidate: &CandidateRaceRow) -> bool {
    candidate.first_carried.is_some() || candidate.second_carried.is_some()
}

/// The kind of an access, as reports call it.
pub(crate) fn access_kind(kind: AccessKind) -> report::AccessKind {
    match kind {
        AccessKind::Read => report::AccessKind::Read,
        AccessKind::Write => report::AccessKind::Write,
        AccessKind::Atomic => report::AccessKind::Atomic,
    }
}

/// A finding that is only potential says why.
fn or_unnamed(reasons: Vec<String>) -> Vec<String> {
    if reasons.is_empty() {
        vec!["the witness could not be replayed".to_owned()]
    } else {
        reasons
    }
}
