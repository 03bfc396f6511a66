//! The candidates of one launch, decided with what its kernel may spend.
//!
//! All candidates are searched for small models first, then asked the cheap questions; what these
//! leave open shares what is left of the budget. A pair of places in the source that has an exact race needs no other: the
//! copies of it that unrolling and other barrier intervals make are not asked.
//!
//! **Determinism.** The budget counts steps of Z3 and questions, and the launches of a kernel
//! draw on it in the order of their ids, so that neither the machine nor other kernels matter.

use std::sync::Arc;

use facts::derived::*;
use facts::range::NoWrap;
use facts::words::*;
use facts::*;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts as facts;

use crate::Options;
use crate::contract::Contracts;
use crate::decide::{Candidate, Decided, Known, Progress, Verdict, possible, satisfiable};
use crate::diverge::{Condition, condition, condition_query};
use crate::index::Index;
use crate::outcome::*;
use crate::query::LaunchRanges;
use crate::solve::{Backend, SPENT, STEP_LIMIT, Wanted};
use crate::stop::INTERRUPTED;

/// What a kernel, with all its launches and instances, may spend, and what they have in common.
#[derive(Default)]
pub(crate) struct Purse {
    left: u64,
    /// Launches that are still to draw on it.
    launches: u64,
    /// Launches, one after the other, that have spent all they had and are still open.
    in_vain: u32,
    /// Whether there are several launches.
    shared: bool,
    /// What was found out about formulas.
    known: FxHashMap<Arc<[u8]>, Known>,
    /// The least that a launch has, in any case.
    least: u64,
    /// What was taken out of it.
    pub(crate) spent: u64,
}

impl Purse {
    /// Adds what a launch brings.
    pub(crate) fn fill(&mut self, options: &Options, work: &Work) {
        let (least, most) = (options.kernel_steps, options.kernel_steps.saturating_mul(3));
        let candidates = (work.races.len() + work.divergences.len() + work.claims.len()) as u64;
        let more = options.candidate_steps.saturating_mul(candidates);
        self.left = self.left.max(least).saturating_add(more).min(most);
        self.shared |= self.launches > 0;
        self.launches += 1;
        self.least = options.launch_steps;
    }

    /// What a kernel gets once more, for so many of its launches.
    pub(crate) fn again(steps: u64, launches: u64) -> Self {
        Purse {
            left: steps,
            launches,
            shared: launches > 1,
            ..Purse::default()
        }
    }

    /// What is in it.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// Keeps what a decision tells of equal formulas.
    fn learn(&mut self, key: Option<Arc<[u8]>>, decided: &Decided) {
        if let Some(key) = key
            && let Some(known) = decided.lesson()
        {
            self.known.insert(key, known);
        }
    }
}

/// The candidates of a launch, as positions in their relations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) races: Vec<usize>,
    pub(crate) divergences: Vec<usize>,
    /// Assertions.
    pub(crate) claims: Vec<AssertId>,
}

impl Work {
    pub(crate) fn is_empty(&self) -> bool {
        self.races.is_empty() && self.divergences.is_empty() && self.claims.is_empty()
    }
}

/// What of a launch is undecided for want of steps.
#[derive(Clone, Debug, Default)]
pub(crate) enum Wanting {
    /// Nothing.
    #[default]
    Nothing,
    /// These candidates; everything else stands.
    Part(Work),
    /// So much that everything is asked anew: what is claimed of the launch, or whether it is possible at all.
    All,
}

/// A quarter of what cheap questions may cost is the most that one candidate of many takes of it, or
/// this if that is more.
const QUICK_SHARE: u64 = 120_000;

/// The least that a candidate gets for the questions that need effort, while there is any.
const EFFORT_SHARE: u64 = 200_000;

/// What a candidate that is open after the cheap questions takes at least.
const EFFORT_NEED: u64 = 50_000;

/// What is spent on open candidates when there is not enough for all of them.
const EFFORT_IN_VAIN: u64 = 250_000;

/// What is spent on open candidates when the kernel is known to be racy without them.
const EFFORT_BEYOND: u64 = 100_000;

/// Launches of a kernel that stay open one after the other until the next ones get half as much: it is likely for the same
/// reason.
const LAUNCHES_IN_VAIN: u32 = 6;

/// Candidates up to which a launch is asked the cheap questions at full length, and how many times
/// shorter they are when there are more.
const FEW: usize = 8;
const CROWDED: u32 = 4;

/// Open candidates after which the cheap questions about others get less.
const PATIENCE: usize = 4;

/// Replays that may take long, of those that one turn of a launch makes.
const LONG_REPLAYS: u32 = 2;

impl Options {
    /// Stops what is still to ask if something was found and no more is wanted.
    fn found(&self, decided: &Decided) {
        if self.first_only && matches!(decided.verdict, Verdict::Found(..)) {
            self.stop.request();
        }
    }

    /// The budget of a candidate when so many before it in its launch are open: that they can all
    /// be decided gets unlikely, and what is left is to find the races that are easy to find.
    fn after(&self, open: usize, all: usize) -> Options {
        let crowd = if all > FEW { CROWDED } else { 1 };
        Options {
            quick_steps: (self.quick_steps / crowd) >> (open / PATIENCE).min(4),
            search_work: self.search_work >> (open / PATIENCE / 4).min(4),
            cases_work: self.cases_work >> (open / PATIENCE).min(4),
            ..self.clone()
        }
    }
}

/// The two places of a pair, how the threads lie and the array: what makes findings one.
pub(crate) type Places = (PairScope, ArrayId, [(FileId, u32, u32, u32); 2]);

type Outcomes<T> = Vec<(usize, T)>;

/// What was found out about a launch.
pub(crate) struct Asked {
    pub(crate) outcome: LaunchOutcome,
    pub(crate) races: Outcomes<RaceOutcome>,
    pub(crate) divergences: Outcomes<DivergenceOutcome>,
    pub(crate) claims: Vec<ClaimOutcome>,
    pub(crate) unsatisfiable: Vec<PointId>,
    /// What more steps may decide.
    pub(crate) wanting: Wanting,
}

impl Asked {
    /// Puts what was found out with more steps in the place of what was left undecided.
    pub(crate) fn improve(&mut self, more: Asked) {
        if matches!(self.wanting, Wanting::All) {
            if more.outcome.undecided <= self.outcome.undecided {
                *self = more;
            }
            return;
        }
        let outcome = &mut self.outcome;
        let redone = match &self.wanting {
            Wanting::Part(work) => work.races.len() + work.divergences.len(),
            Wanting::Nothing | Wanting::All => 0,
        };
        let redone = u32::try_from(redone).unwrap_or(u32::MAX);
        outcome.undecided = outcome.undecided.saturating_sub(redone) + more.outcome.undecided;
        let counts = [
            (&mut outcome.queries, more.outcome.queries),
            (&mut outcome.decided, more.outcome.decided),
        ];
        for (sums, more) in counts {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
        outcome.counters.extend(more.outcome.counters);
        outcome.counters.sort_unstable();
        outcome.counters.dedup();
        replace(&mut self.races, more.races);
        replace(&mut self.divergences, more.divergences);
        self.wanting = more.wanting;
    }

    /// Whether a race was found that is certain.
    pub(crate) fn is_racy(&self) -> bool {
        let mut races = self.races.iter();
        races.any(|(_, outcome)| matches!(&outcome.answer, RaceAnswer::Race(race) if race.exact))
    }

    /// The places of the races that were found, and whether they are certain.
    fn known(&self, index: &Index) -> FxHashMap<Places, bool> {
        let mut known: FxHashMap<Places, bool> = FxHashMap::default();
        for (_, outcome) in &self.races {
            if let RaceAnswer::Race(race) = &outcome.answer {
                let places = places(index, &outcome.candidate);
                *known.entry(places).or_insert(false) |= race.exact;
            }
        }
        known
    }
}

fn replace<T>(outcomes: &mut Outcomes<T>, more: Outcomes<T>) {
    let positions: FxHashSet<usize> = more.iter().map(|(position, _)| *position).collect();
    outcomes.retain(|(position, _)| !positions.contains(position));
    outcomes.extend(more);
}

/// Decides the candidates of a launch; what is known from an earlier round is not found out again.
pub(crate) fn decide<'a>(
    index: &'a Index<'a>,
    derived: &'a Derived,
    options: &Options,
    launch: LaunchId,
    (work, earlier): (&Work, Option<&Asked>),
    purse: &mut Purse,
) -> Asked {
    let effort = u64::from(options.effort);
    let least = purse.least >> (purse.in_vain / LAUNCHES_IN_VAIN).min(4);
    let allowance = (purse.left / purse.launches.max(1)).max(least);
    purse.launches = purse.launches.saturating_sub(1);
    let mut backend = Backend::with_steps(allowance);
    backend.meter.long_replays = LONG_REPLAYS;
    backend.keep_text = options.keep_smt;
    let ranges = LaunchRanges::new(index, launch);
    let earlier = earlier.filter(|earlier| matches!(earlier.wanting, Wanting::Part(_)));
    let (mut possible, mut asked) = match earlier {
        Some(_) => (Possibility::Possible, 0),
        None => possible(&mut backend, options, index, &ranges, launch),
    };
    let contracts = Contracts {
        index,
        options,
        launch,
        ranges: &ranges,
    };
    let mut unsatisfiable = Vec::new();
    if earlier.is_none()
        && possible != Possibility::Contradictory
        && !index.assumes(launch).is_empty()
    {
        let (can_hold, more) = contracts.can_hold(&mut backend);
        asked += more;
        if can_hold != Possibility::Possible {
            possible = can_hold;
        } else {
            let (points, more) = contracts.unsatisfiable(&mut backend);
            asked += more;
            unsatisfiable = points;
        }
    }
    let mut outcome = LaunchOutcome {
        launch,
        possible,
        queries: [0; Stage::ALL.len()],
        decided: [0; Stage::ALL.len()],
        undecided: 0,
        counters: Vec::new(),
    };
    outcome.queries[Stage::Int.position()] += asked;
    let reserve = backend.meter.hold(backend.meter.left / 2);
    let mut claims_want_more = false;
    let mut claims = contracts.decide(&mut backend, &work.claims, &mut |decided| {
        claims_want_more |= decided.wants_more;
        options.found(decided);
        account(&mut outcome, decided);
    });
    backend.meter.left += reserve;
    for claim in &mut claims {
        if let (ClaimAnswer::Holds { .. }, Some(reason)) =
            (&claim.answer, vacuous(&outcome.possible))
        {
            claim.answer = ClaimAnswer::Unknown { reason };
        }
    }
    let mut races = Vec::new();
    let mut divergences = Vec::new();
    // Races known between two places, and whether one of them is exact.
    let mut known: FxHashMap<Places, bool> =
        earlier.map_or_else(FxHashMap::default, |earlier| earlier.known(index));
    let mut wanting = Work::default();
    let mut open: Vec<(usize, Candidate<'a>, Box<Progress>)> = Vec::new();
    let mut settle = |position: usize,
                      candidate: Candidate<'a>,
                      decided: Option<Decided>,
                      known: &mut FxHashMap<Places, bool>| {
        if let Some(decided) = &decided {
            options.found(decided);
        }
        match candidate {
            Candidate::Race(row) => {
                if decided.as_ref().is_some_and(|decided| decided.wants_more) {
                    wanting.races.push(position);
                }
                if let Some(Decided {
                    verdict: Verdict::Found(_, found),
                    ..
                }) = &decided
                    && index.ordered_otherwise(row).is_none()
                {
                    let exact = found.exact && index.not_shown_ordered(row).is_none();
                    *known.entry(places(index, row)).or_insert(false) |= exact;
                }
                races.push((position, race_outcome(index, row, decided, &mut outcome)));
            }
            Candidate::Divergence(row) => {
                if let Some(decided) = decided {
                    if decided.wants_more {
                        wanting.divergences.push(position);
                    }
                    divergences.push((
                        position,
                        divergence_outcome(index, row, decided, &mut outcome),
                    ));
                }
            }
            // Those come first.
            Candidate::Claim(..) => {}
        }
    };
    let of_race = |position: &usize| {
        let row = &derived.candidate_race[*position];
        (*position, Candidate::Race(row))
    };
    let of_divergence = |position: &usize| {
        let row = &derived.candidate_divergence[*position];
        (*position, Candidate::Divergence(row))
    };
    let candidates = work
        .divergences
        .iter()
        .map(of_divergence)
        .chain(work.races.iter().map(of_race));
    let all = work.races.len() + work.divergences.len();
    let is_covered = |candidate: Candidate<'a>, known: &FxHashMap<Places, bool>| match candidate {
        Candidate::Race(row) if !options.every_pair => known.get(&places(index, row)).copied(),
        _ => None,
    };
    let remember = purse.shared && !options.keep_smt;
    // What needs no solver.
    let reserve = backend.meter.hold(backend.meter.left / 2);
    let mut waiting: Vec<(usize, Candidate<'a>, Box<Progress>)> = Vec::new();
    for (position, candidate) in candidates {
        let race = is_covered(candidate, &known);
        if race == Some(true) {
            settle(position, candidate, None, &mut known);
            continue;
        }
        let stopped = options.stop.is_requested();
        if stopped || backend.meter.left == 0 {
            let reason = if stopped { INTERRUPTED } else { SPENT };
            let decided = Decided::left(reason);
            settle(position, candidate, Some(decided), &mut known);
            continue;
        }
        let begun = match candidate.begin(&mut backend, index, &ranges, remember) {
            Err(progress) => match progress.key.as_ref().and_then(|key| purse.known.get(key)) {
                Some(known) => progress.recall(known),
                None => Err(progress),
            },
            decided => decided,
        };
        match begun {
            Ok(decided) => settle(position, candidate, Some(decided), &mut known),
            Err(mut progress) => {
                progress.wanted = wanted(race);
                let options = options.after(waiting.len(), all);
                match candidate.advance(&mut backend, &options, index, &ranges, &mut progress) {
                    Some(decided) => {
                        purse.learn(progress.key, &decided);
                        settle(position, candidate, Some(decided), &mut known);
                    }
                    None => waiting.push((position, candidate, progress)),
                }
            }
        }
    }
    backend.meter.left += reserve;
    let (agreed, more) = agreed(&mut backend, options, index, &ranges, &waiting);
    let mut unsettled = Vec::new();
    for (position, candidate, progress) in waiting {
        let rests_on = match candidate {
            Candidate::Divergence(row) => {
                condition(index, row).and_then(|condition| agreed.get(&condition).copied())
            }
            _ => None,
        };
        match rests_on {
            Some(rests_on) => {
                let decided = Decided::refuted(Stage::Int, rests_on);
                settle(position, candidate, Some(decided), &mut known);
            }
            None => unsettled.push((position, candidate, progress)),
        }
    }
    let waiting = unsettled;
    // Short questions.
    let reserve = backend.meter.hold(backend.meter.left / 3);
    let all = waiting.len();
    for (asked, (position, candidate, mut progress)) in waiting.into_iter().enumerate() {
        let to_come = (all - asked) as u64;
        let race = is_covered(candidate, &known);
        if race == Some(true) {
            settle(position, candidate, None, &mut known);
            continue;
        }
        if backend.meter.left == 0 {
            let in_vain = known.values().any(|&exact| exact)
                || open.len() as u64 * EFFORT_NEED * effort > reserve;
            if in_vain {
                let decided = progress.give_up(Some(SPENT));
                settle(position, candidate, Some(decided), &mut known);
            } else {
                open.push((position, candidate, progress));
            }
            continue;
        }
        progress.wanted = wanted(race);
        let share = (backend.meter.left / to_come.min(4)).max(QUICK_SHARE * effort);
        let held = backend.meter.hold(share);
        let options = options.after(open.len(), all);
        let decided = candidate.advance(&mut backend, &options, index, &ranges, &mut progress);
        backend.meter.left += held;
        match decided {
            Some(decided) => {
                purse.learn(progress.key, &decided);
                settle(position, candidate, Some(decided), &mut known);
            }
            None => open.push((position, candidate, progress)),
        }
    }
    backend.meter.left += reserve;
    let mut waiting = open.len() as u64;
    let racy = known.values().any(|&exact| exact);
    // Whatever is asked, the launch stays undecided or racy; but there may be more races.
    if waiting * EFFORT_NEED * effort > backend.meter.left || (!known.is_empty() && !racy) {
        backend.meter.hold(EFFORT_IN_VAIN * effort);
    } else if racy {
        backend.meter.hold(EFFORT_BEYOND * effort);
    }
    for (position, candidate, mut progress) in open {
        if let Candidate::Race(row) = candidate
            && !options.every_pair
            && known.get(&places(index, row)) == Some(&true)
        {
            settle(position, candidate, None, &mut known);
            waiting -= 1;
            continue;
        }
        let share = (backend.meter.left / waiting).max(EFFORT_SHARE * effort);
        let held = backend.meter.hold(share);
        let mut decided = None;
        while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
            decided = candidate.advance(&mut backend, options, index, &ranges, &mut progress);
        }
        let spent = (!progress.is_at_end()).then_some(SPENT);
        backend.meter.left += held;
        let key = progress.key.clone();
        let decided = decided.unwrap_or_else(|| progress.give_up(spent));
        purse.learn(key, &decided);
        settle(position, candidate, Some(decided), &mut known);
        waiting -= 1;
    }
    outcome.queries[Stage::Int.position()] += more;
    purse.left = purse.left.saturating_sub(backend.meter.spent);
    purse.spent += backend.meter.spent;
    purse.in_vain = match outcome.undecided {
        0 => 0,
        _ => purse.in_vain + u32::from(backend.meter.spent >= allowance / 2),
    };
    outcome.counters = ranges.counters.borrow().iter().copied().collect();
    let is_for_steps = |reason: &str| [SPENT, STEP_LIMIT].contains(&reason);
    let is_open =
        matches!(&outcome.possible, Possibility::Unknown { reason } if is_for_steps(reason));
    let wanting = if is_open || claims_want_more || !wanting.is_empty() && !claims.is_empty() {
        // What is claimed is taken to hold where it was proved.
        Wanting::All
    } else if wanting.is_empty() {
        Wanting::Nothing
    } else {
        Wanting::Part(wanting)
    };
    Asked {
        outcome,
        races,
        divergences,
        claims,
        unsatisfiable,
        wanting,
    }
}

/// The conditions of several candidates about which no two threads disagree, with what that rests on, and the number of questions asked.
fn agreed<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    waiting: &[(usize, Candidate<'a>, Box<Progress>)],
) -> (FxHashMap<Condition, NoWrap>, u32) {
    let mut met: Vec<(Condition, &CandidateDivergenceRow, u64)> = Vec::new();
    for (_, candidate, _) in waiting {
        let Candidate::Divergence(row) = candidate else {
            continue;
        };
        let Some(own) = condition(index, row) else {
            continue;
        };
        match met.iter_mut().find(|(known, ..)| *known == own) {
            Some((.., count)) => *count += 1,
            None => met.push((own, row, 1)),
        }
    }
    let (mut agreed, mut asked) = (FxHashMap::default(), 0);
    for (own, row, count) in met {
        if count < 2 || options.stop.is_requested() {
            continue;
        }
        // No more than its candidates would get.
        let all = waiting.len() as u64;
        let share = (backend.meter.left / 2 * count / all.max(1)).max(QUICK_SHARE);
        let held = backend.meter.hold(share);
        let mut query = condition_query(index, ranges, row, &own);
        let (possible, more) = satisfiable(backend, options, &mut query);
        backend.meter.left += held;
        asked += more;
        if possible == Possibility::Contradictory {
            agreed.insert(own, query.encoder.rests_on);
        }
    }
    (agreed, asked)
}

/// How small the witness of a race is to be when another is known between the same places.
fn wanted(known: Option<bool>) -> Wanted {
    match known {
        Some(_) => Wanted::Rough,
        None => Wanted::Smallest,
    }
}

pub(crate) fn places(index: &Index, row: &CandidateRaceRow) -> Places {
    let place = |access: AccessId| {
        let span = index.facts.access[access.index()].span;
        let span = &index.facts.span[span.index()];
        (span.file, span.line, span.column, span.end)
    };
    let array = index.facts.access[row.first.index()].array;
    (row.scope, array, [place(row.first), place(row.second)])
}

fn vacuous(possible: &Possibility) -> Option<String> {
    match possible {
        Possibility::Possible => None,
        Possibility::Contradictory => {
            Some("the launch and its assumptions contradict each other".to_owned())
        }
        Possibility::Unknown { reason } => Some(format!(
            "whether the launch and its assumptions can hold together is not known: {reason}"
        )),
    }
}

fn account(outcome: &mut LaunchOutcome, decided: &Decided) {
    for (sum, more) in outcome.queries.iter_mut().zip(decided.queries) {
        *sum += more;
    }
    let stage = match &decided.verdict {
        Verdict::None(stage) | Verdict::Found(stage, _) => Some(*stage),
        Verdict::Unknown(_) => None,
    };
    match stage {
        Some(stage) => outcome.decided[stage.position()] += 1,
        None => outcome.undecided += 1,
    }
}

/// The outcome of a candidate that was decided behind the others of its launch.
pub(crate) fn uncovered_outcome(
    index: &Index,
    row: &CandidateRaceRow,
    decided: Decided,
) -> RaceOutcome {
    let mut counts = LaunchOutcome {
        launch: row.launch,
        possible: Possibility::Possible,
        queries: [0; Stage::ALL.len()],
        decided: [0; Stage::ALL.len()],
        undecided: 0,
        counters: Vec::new(),
    };
    race_outcome(index, row, Some(decided), &mut counts)
}

fn race_outcome(
    index: &Index,
    candidate: &CandidateRaceRow,
    decided: Option<Decided>,
    outcome: &mut LaunchOutcome,
) -> RaceOutcome {
    let Some(decided) = decided else {
        return RaceOutcome {
            candidate: candidate.clone(),
            answer: RaceAnswer::Covered,
            rests_on: NoWrap::default(),
            queries: 0,
            smt: None,
        };
    };
    account(outcome, &decided);
    let answer = match decided.verdict {
        Verdict::None(stage) => match vacuous(&outcome.possible) {
            Some(reason) => RaceAnswer::Unknown { reason },
            None => RaceAnswer::Disjoint { stage },
        },
        Verdict::Found(..) if index.ordered_otherwise(candidate).is_some() => RaceAnswer::Unknown {
            reason: index.ordered_otherwise(candidate).unwrap_or_default(),
        },
        Verdict::Found(stage, mut found) => {
            let order = index.not_shown_ordered(candidate);
            let exact = found.exact && order.is_none();
            let needs = match order {
                None => found.needs,
                Some(_) => Needs::Abstraction,
            };
            found.abstractions.extend(order);
            RaceAnswer::Race(Box::new(Race {
                stage,
                witness: found.witness,
                exact,
                needs,
                abstractions: found.abstractions,
            }))
        }
        Verdict::Unknown(reason) => RaceAnswer::Unknown { reason },
    };
    RaceOutcome {
        candidate: candidate.clone(),
        answer,
        rests_on: decided.rests_on,
        queries: decided.queries.iter().sum(),
        smt: decided.smt,
    }
}

fn divergence_outcome(
    index: &Index,
    candidate: &CandidateDivergenceRow,
    decided: Decided,
    outcome: &mut LaunchOutcome,
) -> DivergenceOutcome {
    account(outcome, &decided);
    let answer = match decided.verdict {
        Verdict::None(stage) => match vacuous(&outcome.possible) {
            Some(reason) => DivergenceAnswer::Unknown { reason },
            None => DivergenceAnswer::Uniform { stage },
        },
        Verdict::Found(..) if index.met_otherwise(candidate).is_some() => {
            DivergenceAnswer::Unknown {
                reason: index.met_otherwise(candidate).unwrap_or_default(),
            }
        }
        Verdict::Found(stage, found) => DivergenceAnswer::Diverges(Box::new(Divergence {
            stage,
            witness: found.witness,
            exact: found.exact,
            needs: found.needs,
            abstractions: found.abstractions,
            exits_early: candidate.cause == GuardCause::Return,
        })),
        Verdict::Unknown(reason) => DivergenceAnswer::Unknown { reason },
    };
    DivergenceOutcome {
        candidate: candidate.clone(),
        answer,
        rests_on: decided.rests_on,
        queries: decided.queries.iter().sum(),
        smt: decided.smt,
    }
}
