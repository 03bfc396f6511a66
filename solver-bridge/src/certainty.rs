//! Whether a defect that was found is one of every sane launch, or only of some values of what the caller decides.
//!
//! **Algorithm.** A question names conditions on what the caller decides, weakest first. A condition is *refuted* for a defect when the
//! defect has a witness that is sane and satisfies it. The known witness refutes some; then the defect is looked for in a
//! few usual launches, whose sizes satisfy many conditions at once; what is left is assumed of the launch, one condition at a
//! time, and the candidate is decided anew. All of that is done first as far as no solver is needed, which refutes most conditions, and
//! what comes behind a condition that rules the defect out is not asked. A defect of which all conditions are refuted does not hang on what the caller decides
//! as far as the conditions can tell; one that is proved absent under a condition is that condition's; else it is open.
//!
//! **Accuracy.** That a condition rules a defect out is proved, together with what is taken as sane, and both can hold in the
//! launch. That all conditions are refuted rests on replayed witnesses. What is open is told as open.

use facts::derived::CandidateRaceRow;
use facts::eval::{EvalError, Evaluator};
use facts::words::{Dimension, SymbolKind};
use facts::*;
use rustc_hash::FxHashMap;
use warplog_facts as facts;

use crate::Options;
use crate::condition::Condition;
use crate::decide::{Candidate, Decided, Probing, Progress, Verdict, possible};
use crate::index::Index;
use crate::launch::{Places, places, uncovered_outcome};
use crate::outcome::*;
use crate::precondition::At;
use crate::query::{Fixing, LaunchRanges};
use crate::solve::{Backend, Wanted};

/// A condition, and which defects it says nothing about: it would leave no two threads of their kind.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The condition.
    pub condition: Condition,
    /// Not asked of races between blocks.
    pub not_between_blocks: bool,
    /// Not asked of races between warps of a block.
    pub not_between_warps: bool,
    /// Asked of races between blocks alone.
    pub only_between_blocks: bool,
    /// Not asked of races round the back edge of a loop: it would leave a single round.
    pub not_round_loops: bool,
    /// Of use only if it rules the defect out: where it is left open, nothing is.
    pub may_stay_open: bool,
}

/// What the defects of a launch are asked.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Launch.
    pub launch: LaunchId,
    /// The conditions, weakest first.
    pub conditions: Vec<Asked>,
    /// Positions of those that the code is likely made for: a solver is asked about those that it leaves open once more, with more steps.
    pub likely: Vec<usize>,
    /// What is true of a sane launch.
    pub sane: Vec<TermId>,
}

/// How a defect hangs on what the caller decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// No condition rules it out; with a sane witness, if the known one is not.
    Everywhere(Option<Box<Witness>>),
    /// What is taken as sane rules it out.
    Insane,
    /// The condition at this position rules it out.
    Without(usize),
    /// Not decided.
    Open,
}

/// The standings of what was found, by position in the decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// Of races.
    pub races: Vec<(usize, Standing)>,
    /// Of divergent barriers.
    pub divergences: Vec<(usize, Standing)>,
    /// Candidates that were not asked, for a race between the same two places that turned out to hang on what the caller decides: what
    /// a condition rules out in one interval, or in one call of a function, it need not rule out in another.
    pub uncovered: Vec<(usize, RaceOutcome)>,
    /// Races between whose two places such a candidate was left undecided: no condition is known to rule out all that they stand for.
    pub doubtful: Vec<usize>,
}

/// Block, grid and value of all symbols in usual launches.
const USUAL: [(i128, i128, i128); 5] = [
    (64, 4, 256),
    (256, 2, 1024),
    (128, 3, 96),
    (32, 2, 1000),
    (96, 5, 48),
];

/// Usual launches in which a smaller witness is looked for.
const FEW_USUAL: usize = 3;

/// Blocks along an axis of a grid that nobody launches, and values that nobody passes.
const MANY_BLOCKS: i128 = 65_535;
const LARGE_VALUE: i128 = 1 << 24;

/// Sizes of rows, planes and wholes.
const GRADES: [i128; 3] = [256, 1 << 14, 1 << 20];
const LARGEST: i128 = 1 << 22;

/// Defects of a launch that are asked all conditions; the others are asked those that helped.
const MOST: usize = 64;

/// The part of the steps that a condition gets.
const SHARE: u64 = 6;

/// The same of one that ruled another defect out.
const HELPED_SHARE: u64 = 2;

/// How many times less the next ones get when one is open: the defect is conditional then, and what is looked for is only how to say
/// under what condition; and the open ones after which that is not looked for any more.
const LATER_SHARE: u64 = 4;
const MANY_OPEN: u32 = 4;

/// Where the defects of a launch stand in the decision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defects {
    races: Vec<usize>,
    divergences: Vec<usize>,
}

/// What is asked about, by launch: what rests on an abstraction is told as potential whatever the caller decides, and so is a barrier
/// that others miss because they have left the kernel.
pub(crate) fn defects(decision: &Decision) -> FxHashMap<LaunchId, Defects> {
    let mut all: FxHashMap<LaunchId, Defects> = FxHashMap::default();
    for (position, outcome) in decision.races.iter().enumerate() {
        if let RaceAnswer::Race(race) = &outcome.answer
            && race.needs < Needs::Abstraction
        {
            let own = all.entry(outcome.candidate.launch).or_default();
            own.races.push(position);
        }
    }
    for (position, outcome) in decision.divergences.iter().enumerate() {
        if let DivergenceAnswer::Diverges(found) = &outcome.answer
            && found.needs < Needs::Abstraction
            && !found.exits_early
        {
            let own = all.entry(outcome.candidate.launch).or_default();
            own.divergences.push(position);
        }
    }
    all
}

/// Standings of the defects of one launch.
pub(crate) fn standings(
    index: &mut Index<'_>,
    decision: &Decision,
    (options, patient): (&Options, &Options),
    inquiry: &Inquiry,
    defects: &Defects,
) -> Standings {
    let mut standings = Standings::default();
    let mut judge = Judge {
        options,
        patient,
        inquiry,
        background: inquiry.sane.iter().copied().map(Condition::Holds).collect(),
        left: options.precondition_steps * 2,
        left_for_helped: options.precondition_steps * 2,
        share_of: SHARE,
        helped: Vec::new(),
        asked: 0,
    };
    let covered = covered(index, decision, inquiry.launch);
    for &position in &defects.races {
        let outcome = &decision.races[position];
        let RaceAnswer::Race(race) = &outcome.answer else {
            continue;
        };
        let candidate = Candidate::Race(&outcome.candidate);
        let standing = judge.judge(index, candidate, &race.witness);
        let is_certain = matches!(standing, Standing::Everywhere(_));
        standings.races.push((position, standing));
        let others = covered.get(&places(index, &outcome.candidate));
        let others = others.filter(|_| !is_certain).into_iter().flatten();
        for &other in others {
            if standings.uncovered.iter().any(|(known, _)| *known == other) {
                continue;
            }
            let outcome = judge.uncover(index, &decision.races[other].candidate);
            if matches!(outcome.answer, RaceAnswer::Unknown { .. }) {
                standings.doubtful.push(position);
            }
            if let RaceAnswer::Race(race) = &outcome.answer
                && race.needs < Needs::Abstraction
            {
                let candidate = Candidate::Race(&outcome.candidate);
                let standing = judge.judge(index, candidate, &race.witness);
                standings.races.push((other, standing));
            }
            standings.uncovered.push((other, outcome));
        }
    }
    for &position in &defects.divergences {
        let outcome = &decision.divergences[position];
        if let DivergenceAnswer::Diverges(found) = &outcome.answer {
            let candidate = Candidate::Divergence(&outcome.candidate);
            let standing = judge.judge(index, candidate, &found.witness);
            standings.divergences.push((position, standing));
        }
    }
    standings
}

/// The candidates of a launch that were not asked, by their places in the source.
fn covered(
    index: &Index<'_>,
    decision: &Decision,
    launch: LaunchId,
) -> FxHashMap<Places, Vec<usize>> {
    let mut all: FxHashMap<Places, Vec<usize>> = FxHashMap::default();
    for (position, outcome) in decision.races.iter().enumerate() {
        if outcome.answer == RaceAnswer::Covered && outcome.candidate.launch == launch {
            let places = places(index, &outcome.candidate);
            all.entry(places).or_default().push(position);
        }
    }
    all
}

/// What is left of the steps of a launch, and what was learned from its defects.
struct Judge<'j> {
    options: &'j Options,
    /// Those of queries about what the code is likely made for, which take longer.
    patient: &'j Options,
    inquiry: &'j Inquiry,
    /// What is taken as sane.
    background: Vec<Condition>,
    left: u64,
    /// The same for conditions that ruled another defect out.
    left_for_helped: u64,
    /// The part of the steps that one question gets.
    share_of: u64,
    /// Positions of conditions that ruled another defect out.
    helped: Vec<usize>,
    asked: usize,
}

/// An answer to one question.
enum Answered {
    Refuted,
    Found(Box<Witness>),
    Open,
    /// Nothing without a solver; how to go on.
    NotYet(Box<Progress>),
}

/// What is known of one defect.
struct Case<'c> {
    candidate: Candidate<'c>,
    /// By condition, whether there is a sane witness of it, or it is not asked.
    refuted: Vec<bool>,
    /// Whether a sane witness is known.
    sane: bool,
    /// The first sane witness that was found.
    witness: Option<Box<Witness>>,
    /// Conditions that have to be asked of a solver.
    waiting: Vec<(usize, Box<Progress>)>,
    /// Conditions of which nothing is known: how many, and their positions.
    open: u32,
    undecided: Vec<usize>,
    /// Whether there are such among those that the code is likely made for.
    is_open: bool,
}

impl Case<'_> {
    fn is_settled(&self) -> bool {
        self.sane && self.refuted.iter().all(|&refuted| refuted)
    }
}

impl Judge<'_> {
    fn judge(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        known: &Witness,
    ) -> Standing {
        let facts = index.facts;
        let known_is_sane = self.is_sane(facts, known);
        let mut case = Case {
            candidate,
            refuted: self.not_asked(candidate, known),
            sane: known_is_sane,
            witness: None,
            waiting: Vec::new(),
            open: 0,
            undecided: Vec::new(),
            is_open: false,
        };
        if case.sane {
            self.refute(facts, known, &mut case.refuted);
        }
        let is_told_as_it_is = known_is_sane && !is_outsized(known);
        if case.is_settled() {
            let small = || self.look_for_small(index, candidate);
            return Standing::Everywhere((!is_told_as_it_is).then(small).flatten());
        }
        self.asked += 1;
        if self.asked > MOST {
            return self.as_others(index, &mut case);
        }
        let mut graded = usual(index, self.inquiry.launch, true);
        let mut usual = usual(index, self.inquiry.launch, false);
        self.probe_all(index, &mut case, &mut usual, Probing::Search);
        self.probe_all(index, &mut case, &mut graded, Probing::Search);
        if !case.sane
            && let Some(standing) = self.look_for_sane(index, &mut case, &mut usual)
        {
            return standing;
        }
        // What ruled another defect out is asked first.
        if let Some(position) = self.as_before(index, &mut case) {
            return self.without(position);
        }
        // The first of the others that rules it out is the weakest; those behind it are not asked.
        let all = 0..self.inquiry.conditions.len();
        let first = self.ask_all(index, &mut case, all);
        if let Some(first) = first {
            for refuted in &mut case.refuted[first..] {
                *refuted = true;
            }
        }
        self.probe_all(index, &mut case, &mut usual, Probing::Solver);
        let usual = self.prove_waiting(index, &mut case).or(first);
        let proved = usual.or_else(|| self.prove_likely(index, &mut case));
        if let Some(position) = proved {
            return self.without(position);
        }
        if case.open > 0 || case.is_open {
            Standing::Open
        } else {
            let small = case
                .witness
                .filter(|found| !known_is_sane || !is_told_as_it_is && !is_outsized(found));
            Standing::Everywhere(small)
        }
    }

    /// Decides a candidate that was not asked, under nothing but what the launch has.
    fn uncover(&mut self, index: &mut Index<'_>, row: &CandidateRaceRow) -> RaceOutcome {
        let options = self.patient;
        let ranges = LaunchRanges::new(index, row.launch);
        let mut backend = Backend::with_steps(self.share());
        let candidate = Candidate::Race(row);
        let decided = match candidate.begin(&mut backend, index, &ranges, false) {
            Ok(decided) => decided,
            Err(mut progress) => {
                let mut decided = None;
                while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
                    decided =
                        candidate.advance(&mut backend, options, index, &ranges, &mut progress);
                }
                decided.unwrap_or_else(|| progress.give_up(None))
            }
        };
        self.left = self.left.saturating_sub(backend.meter.spent);
        uncovered_outcome(index, row, decided)
    }

    /// One defect of many: asked only what ruled another of them out.
    fn as_others(&mut self, index: &mut Index<'_>, case: &mut Case<'_>) -> Standing {
        let first = self.as_before(index, case);
        first.map_or(Standing::Open, Standing::Without)
    }

    /// Asks what ruled another defect out: likely enough to be worth more steps, from a purse of its own.
    fn as_before(&mut self, index: &mut Index<'_>, case: &mut Case<'_>) -> Option<usize> {
        if self.helped.is_empty() {
            return None;
        }
        let rest = std::mem::replace(&mut self.left, self.left_for_helped);
        self.share_of = HELPED_SHARE;
        let helped = self.helped.clone();
        let first = self.ask_all(index, case, helped.into_iter());
        let first = self.prove_waiting(index, case).or(first);
        self.share_of = SHARE;
        self.left_for_helped = std::mem::replace(&mut self.left, rest);
        first
    }

    /// Asks once more what the code is likely made for, with more steps from the other purse.
    fn prove_likely(&mut self, index: &mut Index<'_>, case: &mut Case<'_>) -> Option<usize> {
        // That these are open says nothing of the others.
        let open = std::mem::take(&mut case.open);
        let rest = std::mem::replace(&mut self.left, self.left_for_helped);
        self.share_of = HELPED_SHARE;
        let short = std::mem::replace(&mut self.options, self.patient);
        let mut likely = self.inquiry.likely.clone();
        likely.retain(|position| case.undecided.contains(position));
        for &position in &likely {
            case.refuted[position] = false;
        }
        let first = self.ask_all(index, case, likely.into_iter());
        let first = self.prove_waiting(index, case).or(first);
        self.options = short;
        case.is_open |= std::mem::replace(&mut case.open, open) > 0;
        self.share_of = SHARE;
        self.left_for_helped = std::mem::replace(&mut self.left, rest);
        first
    }

    /// The condition at this position rules a defect out.
    fn without(&mut self, position: usize) -> Standing {
        if !self.helped.contains(&position) {
            self.helped.push(position);
        }
        Standing::Without(position)
    }

    /// The conditions that would leave no two threads of the kind that the witness shows.
    fn not_asked(&self, candidate: Candidate<'_>, known: &Witness) -> Vec<bool> {
        let between_blocks = known.threads[0].block != known.threads[1].block;
        let is_race = matches!(candidate, Candidate::Race(_));
        let between_warps = !between_blocks && is_race && warp(known, 0) != warp(known, 1);
        let round_loop = match candidate {
            Candidate::Race(row) => row.first_carried.or(row.second_carried).is_some(),
            _ => false,
        };
        let skip = |asked: &Asked| {
            between_blocks && asked.not_between_blocks
                || between_warps && asked.not_between_warps
                || !between_blocks && asked.only_between_blocks
                || round_loop && asked.not_round_loops
        };
        self.inquiry.conditions.iter().map(skip).collect()
    }

    /// Looks for witnesses in usual launches that would refute something; those that are of no use, or have one, are dropped.
    fn probe_all(
        &mut self,
        index: &mut Index<'_>,
        case: &mut Case<'_>,
        usual: &mut Vec<Fixing>,
        how: Probing,
    ) {
        let facts = index.facts;
        usual.retain(|fixing| {
            let pretended = pretended(index, self.inquiry.launch, fixing);
            let mut helps = case.refuted.clone();
            self.refute(facts, &pretended, &mut helps);
            if helps == case.refuted && case.sane || self.left == 0 {
                return false;
            }
            match self.probe(index, case.candidate, fixing, how) {
                Some(found) => {
                    self.learn(facts, case, found);
                    false
                }
                None => true,
            }
        });
    }

    /// A witness in a usual launch, for a finding whose own is one of billions of threads.
    fn look_for_small(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
    ) -> Option<Box<Witness>> {
        let usual = usual(index, self.inquiry.launch, false);
        let mut usual = usual.iter().take(FEW_USUAL);
        usual.find_map(|fixing| self.probe(index, candidate, fixing, Probing::Solver))
    }

    /// Keeps what a sane witness tells.
    fn learn(&self, facts: &Facts, case: &mut Case<'_>, found: Box<Witness>) {
        self.refute(facts, &found, &mut case.refuted);
        case.sane = true;
        case.witness.get_or_insert(found);
    }

    /// A first sane witness, unless there is none, or none is found.
    fn look_for_sane(
        &mut self,
        index: &mut Index<'_>,
        case: &mut Case<'_>,
        usual: &mut Vec<Fixing>,
    ) -> Option<Standing> {
        let facts = index.facts;
        let mut answered = self.ask(index, case.candidate, None);
        if let Answered::NotYet(progress) = answered {
            self.probe_all(index, case, usual, Probing::Solver);
            if case.sane {
                return None;
            }
            let supposed = (None, self.share());
            answered = self.go_on(index, case.candidate, supposed, progress);
        }
        match answered {
            Answered::Refuted => Some(Standing::Insane),
            Answered::Found(found) => {
                self.learn(facts, case, found);
                None
            }
            Answered::Open | Answered::NotYet(_) => Some(Standing::Open),
        }
    }

    /// Asks conditions as far as no solver is needed, up to the first one that rules the defect out.
    fn ask_all(
        &mut self,
        index: &mut Index<'_>,
        case: &mut Case<'_>,
        positions: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let facts = index.facts;
        for position in positions {
            if case.refuted[position] {
                continue;
            }
            if self.left == 0 {
                case.open += 1;
                return None;
            }
            let condition = self.inquiry.conditions[position].condition;
            match self.ask(index, case.candidate, Some(condition)) {
                Answered::Refuted => return Some(position),
                Answered::Found(found) => self.learn(facts, case, found),
                Answered::Open if self.inquiry.conditions[position].may_stay_open => {}
                Answered::Open => {
                    case.open += 1;
                    case.undecided.push(position);
                }
                Answered::NotYet(progress) => {
                    case.waiting.push((position, progress));
                    continue;
                }
            }
            // Asked no second time, whatever came of it.
            case.refuted[position] = true;
        }
        None
    }

    /// Asks a solver about the conditions that wait for it, up to the first one that rules the defect out.
    fn prove_waiting(&mut self, index: &mut Index<'_>, case: &mut Case<'_>) -> Option<usize> {
        let facts = index.facts;
        let conditions = &self.inquiry.conditions;
        let mut waiting = std::mem::take(&mut case.waiting);
        waiting.sort_by_key(|(position, _)| conditions[*position].may_stay_open);
        for (position, progress) in waiting {
            if std::mem::replace(&mut case.refuted[position], true) {
                continue;
            }
            let asked = self.inquiry.conditions[position];
            if self.left == 0 || case.open >= MANY_OPEN {
                if !asked.may_stay_open {
                    case.open += 1;
                    case.undecided.push(position);
                }
                continue;
            }
            let condition = asked.condition;
            let most = match case.open {
                0 => self.share(),
                _ => self.share().div_ceil(LATER_SHARE),
            };
            let supposed = (Some(condition), most);
            match self.go_on(index, case.candidate, supposed, progress) {
                Answered::Refuted => return Some(position),
                Answered::Found(found) => self.learn(facts, case, found),
                Answered::Open | Answered::NotYet(_) if asked.may_stay_open => {}
                Answered::Open | Answered::NotYet(_) => {
                    case.open += 1;
                    case.undecided.push(position);
                }
            }
        }
        None
    }

    /// Whether what is taken as sane holds in a witness. What the witness does not name may have any value.
    fn is_sane(&self, facts: &Facts, witness: &Witness) -> bool {
        let at = At { facts, witness };
        let mut evaluator = Evaluator::new(&facts.terms, &at);
        self.inquiry.sane.iter().all(|&term| {
            let value = evaluator.value(term);
            matches!(value, Ok(1) | Err(EvalError::NotKnown(_)))
        })
    }

    /// Marks the conditions that a sane witness satisfies.
    fn refute(&self, facts: &Facts, witness: &Witness, refuted: &mut [bool]) {
        let at = At { facts, witness };
        let mut evaluator = Evaluator::new(&facts.terms, &at);
        for (asked, refuted) in self.inquiry.conditions.iter().zip(refuted) {
            *refuted |= match asked.condition {
                Condition::Holds(term) => {
                    matches!(evaluator.value(term), Ok(1) | Err(EvalError::NotKnown(_)))
                }
                Condition::Distinct(array) => has_distinct(facts, witness, array),
                Condition::Sorted(array) => has_sorted(facts, witness, array),
            };
        }
    }

    /// A sane witness in a launch of given sizes.
    fn probe(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        fixing: &Fixing,
        how: Probing,
    ) -> Option<Box<Witness>> {
        let options = self.options;
        let most = (self.left / SHARE).max(1);
        let supposed = (None, most);
        let found = self.supposing(index, candidate, supposed, |backend, asked| {
            let Asking {
                index,
                ranges,
                candidate,
            } = asked;
            candidate.probe(backend, options, index, ranges, fixing, how)
        });
        let found = found.filter(|found| found.needs < Needs::Abstraction)?;
        Some(Box::new(found.witness))
    }

    /// Decides a candidate under what is sane and a condition, as far as no solver is needed.
    fn ask(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        condition: Option<Condition>,
    ) -> Answered {
        let options = self.options;
        let supposed = (condition, self.share());
        self.supposing(index, candidate, supposed, |backend, asked| {
            let Asking {
                index,
                ranges,
                candidate,
            } = asked;
            let decided = match candidate.begin(backend, index, ranges, false) {
                Ok(decided) => Some(decided),
                Err(mut progress) => {
                    progress.wanted = Wanted::Any;
                    let decided = candidate.advance(backend, options, index, ranges, &mut progress);
                    if decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
                        return Answered::NotYet(progress);
                    }
                    decided
                }
            };
            asked.answered(decided, backend, options)
        })
    }

    /// The same with a solver, which may take so many steps.
    fn go_on(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        supposed: (Option<Condition>, u64),
        mut progress: Box<Progress>,
    ) -> Answered {
        let options = self.options;
        self.supposing(index, candidate, supposed, |backend, asked| {
            let Asking {
                index,
                ranges,
                candidate,
            } = asked;
            let mut decided = None;
            while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
                decided = candidate.advance(backend, options, index, ranges, &mut progress);
            }
            asked.answered(decided, backend, options)
        })
    }

    /// What one question may cost.
    fn share(&self) -> u64 {
        let share = self.options.precondition_steps / self.share_of;
        share.min(self.left).max(1)
    }

    /// Asks something while what is sane is supposed of the launch, and a condition; it may cost so many steps.
    fn supposing<R>(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        (condition, most): (Option<Condition>, u64),
        work: impl for<'w> FnOnce(&mut Backend, Asking<'w, '_>) -> R,
    ) -> R {
        let launch = self.inquiry.launch;
        let supposed: Vec<Condition> = self.background.iter().copied().chain(condition).collect();
        index.suppose(launch, &supposed);
        let mut backend = Backend::with_steps(most);
        let result = {
            let index: &Index<'_> = index;
            let asking = Asking {
                index,
                ranges: &LaunchRanges::new(index, launch),
                candidate,
            };
            work(&mut backend, asking)
        };
        index.suppose(launch, &[]);
        self.left = self.left.saturating_sub(backend.meter.spent);
        result
    }
}

/// A candidate under what is supposed of its launch.
#[derive(Clone, Copy)]
struct Asking<'w, 'r> {
    index: &'w Index<'w>,
    ranges: &'r LaunchRanges<'w>,
    candidate: Candidate<'w>,
}

impl Asking<'_, '_> {
    /// What a decision tells: that conditions rule a defect out counts only where they can hold.
    fn answered(
        self,
        decided: Option<Decided>,
        backend: &mut Backend,
        options: &Options,
    ) -> Answered {
        match decided.map(|decided| decided.verdict) {
            Some(Verdict::None(_)) => {
                let launch = self.candidate.launch(self.index);
                match possible(backend, options, self.index, self.ranges, launch).0 {
                    Possibility::Possible => Answered::Refuted,
                    Possibility::Contradictory | Possibility::Unknown { .. } => Answered::Open,
                }
            }
            Some(Verdict::Found(_, found)) if found.needs < Needs::Abstraction => {
                Answered::Found(Box::new(found.witness))
            }
            Some(Verdict::Found(..) | Verdict::Unknown(_)) | None => Answered::Open,
        }
    }
}

/// Whether a witness is of sizes that a reader stumbles over.
fn is_outsized(witness: &Witness) -> bool {
    witness.grid_dim.iter().any(|&blocks| blocks > MANY_BLOCKS)
        || witness
            .values
            .iter()
            .any(|(_, value)| value.abs() > LARGE_VALUE)
}

/// The warp of a thread of a witness.
fn warp(witness: &Witness, side: usize) -> i128 {
    let [x, y, z] = witness.threads[side].thread;
    (x + witness.block_dim[0] * (y + witness.block_dim[1] * z)) / 32
}

/// Whether what the threads of a witness read from an array may be elements that are pairwise different.
fn has_distinct(facts: &Facts, witness: &Witness, array: ArrayId) -> bool {
    let loads = witness.threads.iter().flat_map(|thread| &thread.loads);
    let of_array = |load: &&WitnessLoad| facts.access[load.access.index()].array == array;
    let loads: Vec<&WitnessLoad> = loads.filter(of_array).collect();
    loads.iter().enumerate().all(|(nth, one)| {
        let others = &loads[nth + 1..];
        let mut equal = others.iter().filter(|other| other.value == one.value);
        equal.all(|other| other.offset == one.offset)
    })
}

/// Whether what the threads of a witness read from an array may be elements in order.
fn has_sorted(facts: &Facts, witness: &Witness, array: ArrayId) -> bool {
    let loads = witness.threads.iter().flat_map(|thread| &thread.loads);
    let of_array = |load: &&WitnessLoad| facts.access[load.access.index()].array == array;
    let mut loads: Vec<&WitnessLoad> = loads.filter(of_array).collect();
    loads.sort_by_key(|load| load.offset);
    loads.is_sorted_by_key(|load| load.value)
}

/// The integers that the caller of a launch decides, or who instantiates its kernel, or host code in a way that is not followed.
fn decided_outside<'i>(
    index: &'i Index<'_>,
    launch: LaunchId,
) -> impl Iterator<Item = &'i SymbolRow> {
    let rows = index.symbols(launch).iter().copied();
    rows.filter(|row| {
        matches!(
            row.kind,
            SymbolKind::Parameter | SymbolKind::Template | SymbolKind::Host | SymbolKind::Computed
        ) && row.ty.is_integer()
            && row.ty != CType::Bool
    })
}

/// The dimensions of a launch that are open, with their terms.
fn open_dimensions(index: &Index<'_>, launch: LaunchId) -> Vec<Dimension> {
    let rows = index.launch_dimensions(launch).iter();
    rows.filter(|row| {
        let term = index.facts.terms.get(row.term);
        term.args.is_empty() && !matches!(term.op, Op::Const | Op::Symbol)
    })
    .map(|row| row.dimension)
    .collect()
}

/// Usual launches: all integers of the caller have one value, a multiple of the block, then others; or they are graded.
fn usual(index: &Index<'_>, launch: LaunchId, graded: bool) -> Vec<Fixing> {
    let open = open_dimensions(index, launch);
    let flat = !open.contains(&Dimension::BlockY);
    let symbols: Vec<SymbolId> = decided_outside(index, launch)
        .map(|row| row.symbol)
        .collect();
    let fixing = |&(block, grid, value): &(i128, i128, i128)| {
        let size = |dimension: &Dimension| match dimension {
            Dimension::BlockX if flat => block,
            Dimension::BlockX | Dimension::BlockY => block / 8,
            Dimension::GridX => grid,
            Dimension::GridY => 2,
            Dimension::BlockZ | Dimension::GridZ => 1,
        };
        Fixing {
            dimensions: open
                .iter()
                .map(|dimension| (*dimension, size(dimension)))
                .collect(),
            symbols: symbols.iter().map(|&symbol| (symbol, value)).collect(),
            ..Fixing::default()
        }
    };
    let mut all: Vec<Fixing> = USUAL.iter().map(fixing).collect();
    if graded {
        // Each is many times the one before, or the one behind: the sizes of rows, planes and wholes.
        let first = all.swap_remove(0);
        let numbers = || GRADES.iter().copied().chain(std::iter::repeat(LARGEST));
        let upwards = symbols.iter().copied().zip(numbers()).collect();
        let downwards = symbols.iter().rev().copied().zip(numbers()).collect();
        all = [upwards, downwards]
            .map(|symbols| Fixing {
                symbols,
                ..first.clone()
            })
            .into();
    }
    all
}

/// What conditions see of a launch with given sizes.
fn pretended(index: &Index<'_>, launch: LaunchId, fixing: &Fixing) -> Witness {
    let mut sizes = [1_i128; 6];
    for row in index.launch_dimensions(launch) {
        if let Some(value) = index.facts.terms.as_const(row.term) {
            sizes[row.dimension as usize] = value;
        }
    }
    for &(dimension, value) in &fixing.dimensions {
        sizes[dimension as usize] = value;
    }
    let name = |symbol: SymbolId| index.facts.symbol[symbol.index()].name.clone();
    let thread = || WitnessThread {
        block: [0; 3],
        thread: [0; 3],
        offset: None,
        iterations: Vec::new(),
        loads: Vec::new(),
        written: None,
    };
    let [bx, by, bz, gx, gy, gz] = sizes;
    Witness {
        block_dim: [bx, by, bz],
        grid_dim: [gx, gy, gz],
        threads: [thread(), thread()],
        element: None,
        values: fixing
            .symbols
            .iter()
            .map(|&(symbol, value)| (name(symbol), value))
            .collect(),
        notes: Vec::new(),
    }
}
