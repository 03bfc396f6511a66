//! Whether a defect that was found is one of every sane launch, or only of some values of what the caller decides.
//!
//! **Algorithm.** A question names conditions on what the caller decides, weakest first. A condition is *refuted* for a defect when the
//! defect has a witness that is sane and satisfies it. The known witness refutes some; then the defect is looked for in a
//! few usual launches, whose sizes satisfy many conditions at once; what is left is assumed of the launch, one condition at a
//! time, and the candidate is decided anew. A defect of which all conditions are refuted does not hang on what the caller decides
//! as far as the conditions can tell; one that is proved absent under a condition is that condition's; else it is open.
//!
//! **Accuracy.** That a condition rules a defect out is proved, together with what is taken as sane, and both can hold in the
//! launch. That all conditions are refuted rests on replayed witnesses. What is open is told as open.

use facts::derived::CandidateRaceRow;
use facts::eval::{EvalError, Evaluator};
use facts::words::{Dimension, SymbolKind};
use facts::*;
use warplog_facts as facts;

use crate::Options;
use crate::decide::{Candidate, Verdict, possible};
use crate::index::Index;
use crate::outcome::*;
use crate::precondition::{At, Condition};
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
}

/// What the defects of a launch are asked.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Launch.
    pub launch: LaunchId,
    /// The conditions, weakest first.
    pub conditions: Vec<Asked>,
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
}

/// Block, grid and value of all symbols in usual launches.
const USUAL: [(i128, i128, i128); 5] = [
    (64, 4, 256),
    (256, 2, 1024),
    (128, 3, 96),
    (32, 2, 1000),
    (96, 5, 48),
];

/// Defects of a launch that are asked about.
const MOST: usize = 24;

/// The part of the steps that a condition gets.
const SHARE: u64 = 6;

/// Standings of the defects of one launch.
pub(crate) fn standings(
    index: &mut Index<'_>,
    decision: &Decision,
    options: &Options,
    inquiry: &Inquiry,
) -> Standings {
    let mut standings = Standings::default();
    let mut judge = Judge {
        options,
        inquiry,
        left: options.precondition_steps * 2,
        helped: Vec::new(),
        asked: 0,
    };
    for (position, outcome) in decision.races.iter().enumerate() {
        if outcome.candidate.launch == inquiry.launch
            && let RaceAnswer::Race(race) = &outcome.answer
            && race.needs < Needs::Abstraction
        {
            let candidate = Candidate::Race(&outcome.candidate);
            let scope = Some(&outcome.candidate);
            let standing = judge.judge(index, candidate, scope, &race.witness);
            standings.races.push((position, standing));
        }
    }
    for (position, outcome) in decision.divergences.iter().enumerate() {
        if outcome.candidate.launch == inquiry.launch
            && let DivergenceAnswer::Diverges(found) = &outcome.answer
            && found.needs < Needs::Abstraction
        {
            let candidate = Candidate::Divergence(&outcome.candidate);
            let standing = judge.judge(index, candidate, None, &found.witness);
            standings.divergences.push((position, standing));
        }
    }
    standings
}

/// What is left of the steps of a launch, and what was learned from its defects.
struct Judge<'j> {
    options: &'j Options,
    inquiry: &'j Inquiry,
    left: u64,
    /// Positions of conditions that ruled another defect out.
    helped: Vec<usize>,
    asked: usize,
}

/// An answer to one question.
enum Answered {
    Refuted,
    Found(Box<Witness>),
    Open,
}

impl Judge<'_> {
    fn judge(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        race: Option<&CandidateRaceRow>,
        known: &Witness,
    ) -> Standing {
        let inquiry = self.inquiry;
        let between_blocks = known.threads[0].block != known.threads[1].block;
        let between_warps = !between_blocks && race.is_some() && warp(known, 0) != warp(known, 1);
        let skip = |asked: &Asked| {
            between_blocks && asked.not_between_blocks
                || between_warps && asked.not_between_warps
                || !between_blocks && asked.only_between_blocks
        };
        let mut refuted: Vec<bool> = inquiry.conditions.iter().map(skip).collect();
        let facts = index.facts;
        let mut sane = self.is_sane(facts, known);
        let known_is_sane = sane;
        let mut witness: Option<Box<Witness>> = None;
        if sane {
            self.refute(facts, known, &mut refuted);
        }
        if sane && refuted.iter().all(|&refuted| refuted) {
            return Standing::Everywhere(None);
        }
        self.asked += 1;
        if self.asked > MOST {
            return Standing::Open;
        }
        let background: Vec<Condition> =
            inquiry.sane.iter().copied().map(Condition::Holds).collect();
        for fixing in usual(facts, inquiry.launch) {
            let pretended = pretended(facts, inquiry.launch, &fixing);
            let mut helps = refuted.clone();
            self.refute(facts, &pretended, &mut helps);
            if helps == refuted && sane || self.left == 0 {
                continue;
            }
            if let Some(found) = self.probe(index, candidate, &background, &fixing) {
                self.refute(facts, &found, &mut refuted);
                sane = true;
                witness.get_or_insert(found);
            }
        }
        if !sane {
            match self.ask(index, candidate, &background) {
                Answered::Refuted => return Standing::Insane,
                Answered::Found(found) => {
                    self.refute(facts, &found, &mut refuted);
                    witness.get_or_insert(found);
                }
                Answered::Open => return Standing::Open,
            }
        }
        let mut open = false;
        let first = self.helped.clone();
        let all = 0..inquiry.conditions.len();
        for position in first.into_iter().chain(all) {
            if refuted[position] {
                continue;
            }
            if self.left == 0 {
                open = true;
                break;
            }
            let mut supposed = background.clone();
            supposed.push(inquiry.conditions[position].condition);
            match self.ask(index, candidate, &supposed) {
                Answered::Refuted => {
                    if !self.helped.contains(&position) {
                        self.helped.push(position);
                    }
                    return Standing::Without(position);
                }
                Answered::Found(found) => {
                    self.refute(facts, &found, &mut refuted);
                    refuted[position] = true;
                }
                // Asked no second time, and not known to be refuted either.
                Answered::Open => {
                    open = true;
                    refuted[position] = true;
                }
            }
        }
        if open {
            Standing::Open
        } else {
            Standing::Everywhere(witness.filter(|_| !known_is_sane))
        }
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
        background: &[Condition],
        fixing: &Fixing,
    ) -> Option<Box<Witness>> {
        let launch = self.inquiry.launch;
        index.suppose(launch, background);
        let mut backend = Backend::with_steps((self.left / SHARE).max(1));
        let found = {
            let index: &Index<'_> = index;
            let ranges = LaunchRanges::new(index, launch);
            candidate.probe(&mut backend, self.options, index, &ranges, fixing)
        };
        index.suppose(launch, &[]);
        self.left = self.left.saturating_sub(backend.meter.spent);
        let found = found.filter(|found| found.needs < Needs::Abstraction)?;
        Some(Box::new(found.witness))
    }

    /// Decides a candidate under conditions.
    fn ask(
        &mut self,
        index: &mut Index<'_>,
        candidate: Candidate<'_>,
        supposed: &[Condition],
    ) -> Answered {
        let launch = self.inquiry.launch;
        index.suppose(launch, supposed);
        let share = (self.options.precondition_steps / SHARE)
            .min(self.left)
            .max(1);
        let mut backend = Backend::with_steps(share);
        let answered = decided(index, candidate, self.options, launch, &mut backend);
        index.suppose(launch, &[]);
        self.left = self.left.saturating_sub(backend.meter.spent);
        answered
    }
}

fn decided(
    index: &Index<'_>,
    candidate: Candidate<'_>,
    options: &Options,
    launch: LaunchId,
    backend: &mut Backend,
) -> Answered {
    let ranges = LaunchRanges::new(index, launch);
    let verdict = match candidate.begin(backend, index, &ranges, false) {
        Ok(decided) => Some(decided.verdict),
        Err(mut progress) => {
            progress.wanted = Wanted::Any;
            let mut decided = None;
            while decided.is_none() && !progress.is_at_end() && backend.meter.left > 0 {
                decided = candidate.advance(backend, options, index, &ranges, &mut progress);
            }
            decided.map(|decided| decided.verdict)
        }
    };
    match verdict {
        Some(Verdict::None(_)) => {
            let (can_be, _) = possible(backend, options, index, &ranges, launch);
            match can_be {
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

/// The integers that the caller of a launch decides.
fn decided_by_caller(facts: &Facts, launch: LaunchId) -> impl Iterator<Item = &SymbolRow> {
    facts.symbol.iter().filter(move |row| {
        row.launch == launch
            && matches!(row.kind, SymbolKind::Parameter | SymbolKind::Host)
            && row.ty.is_integer()
            && row.ty != CType::Bool
    })
}

/// The dimensions of a launch that are open, with their terms.
fn open_dimensions(facts: &Facts, launch: LaunchId) -> Vec<Dimension> {
    let rows = facts.launch_dimension.iter();
    rows.filter(|row| row.launch == launch)
        .filter(|row| {
            let term = facts.terms.get(row.term);
            term.args.is_empty() && !matches!(term.op, Op::Const | Op::Symbol)
        })
        .map(|row| row.dimension)
        .collect()
}

/// Usual launches: all integers of the caller have one value, a multiple of the block, then others.
fn usual(facts: &Facts, launch: LaunchId) -> Vec<Fixing> {
    let open = open_dimensions(facts, launch);
    let flat = !open.contains(&Dimension::BlockY);
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
            symbols: decided_by_caller(facts, launch)
                .map(|row| (row.symbol, value))
                .collect(),
            ..Fixing::default()
        }
    };
    USUAL.iter().map(fixing).collect()
}

/// What conditions see of a launch with given sizes.
fn pretended(facts: &Facts, launch: LaunchId, fixing: &Fixing) -> Witness {
    let mut sizes = [1_i128; 6];
    for row in facts
        .launch_dimension
        .iter()
        .filter(|row| row.launch == launch)
    {
        if let Some(value) = facts.terms.as_const(row.term) {
            sizes[row.dimension as usize] = value;
        }
    }
    for &(dimension, value) in &fixing.dimensions {
        sizes[dimension as usize] = value;
    }
    let name = |symbol: SymbolId| facts.symbol[symbol.index()].name.clone();
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
