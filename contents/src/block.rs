//! A block of a launch, executed concretely in its threads and symbolically in its values.
//!
//! **Algorithm.** Points are gone through in program order, at each of them all threads, so that a barrier is a place that all come to.
//! A conjunct of a guard is decided for each thread; one that is open but uniform in the block is a *tag*: what is under it is done by
//! all or by none. One that is neither makes the thread's step a *maybe*: it may meet others, and what it stores is unknown. A loop
//! whose condition is decided for every thread is run iteration by iteration. Of any other one, two iterations are run with memory
//! unknown before them (the body meets itself round the back edge, what is before the loop, and what is behind it), and what it
//! writes is unknown behind it.
//!
//! A stored value that is no [`Word`] becomes an *input*: the next element of a source. Arrays in which threads may meet, or which are
//! written at places that depend on data, are found on the way; the block is then run again without them.
//!
//! **Accuracy.** What is said of a read holds for each execution of it by any thread of any block of the launch. A run that would take
//! more than [`WORK`] evaluations says nothing.

mod lanes;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::range::Ranges;
use warplog_facts::words::{
    AccessKind, BarrierKind, Dimension, Effect, GuardCause, PointKind, Scope, Space,
};
use warplog_facts::{
    AccessId, AccessRow, ArrayId, BarrierRow, CType, Derived, Facts, GuardAtRow, LaunchId, LoopId,
    Op, PointId, TermId, UnknownId,
};

use crate::fit::{Form, fit};
use crate::memory::{Memory, Ordered, Place};
use crate::plan::{Step, apply, fits, larger, plan};
use crate::word::{WARP_NUMBER, Word};

/// Most evaluations of terms of a launch.
pub const WORK: u64 = 6_000_000;
/// Most threads of a block.
const MOST_THREADS: i128 = 1024;
/// Threads that are run of a block of any size: two warps, which stand for all.
const WARPS: i128 = 64;
/// More warps than a block has.
const MOST_WARPS: i128 = 1 << 20;
/// Most times that a block is run anew without arrays in which threads may meet.
const MOST_DROPS: usize = 8;

/// Inputs: what threads stored in one array between two barriers, by element.
#[derive(Clone, Debug)]
pub struct Source {
    /// The array; none for what threads hand to others, with the rank in the block for an element.
    pub array: Option<ArrayId>,
    /// Size of an element.
    pub bytes: u32,
    /// Smallest input.
    pub least: i128,
    /// Largest input.
    pub most: i128,
    /// Of how many loops around the stores the iterations must be the same for the inputs to be.
    pub rounds: u32,
    /// The stores, if they are in no other loops than those.
    pub parts: BTreeSet<AccessId>,
    /// What is handed to other threads, and where, if that is in no other loops than those.
    pub handed: Option<(TermId, PointId)>,
}

/// What was found of a launch.
#[derive(Debug, Default)]
pub struct Found {
    /// Sources by number.
    pub sources: Vec<Source>,
    /// What reads find.
    pub forms: BTreeMap<AccessId, Form>,
    /// What terms are at a point, by rank in the block.
    pub terms: BTreeMap<(PointId, TermId), Form>,
    /// In how many lanes terms are one value at a point.
    pub same: BTreeMap<(PointId, TermId), i128>,
}

/// What is to be found out.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Reads of shared memory.
    pub loads: BTreeSet<AccessId>,
    /// Terms at points at which threads come by them.
    pub terms: BTreeMap<PointId, BTreeSet<TermId>>,
    /// Whether threads hand numbers to each other.
    pub hands: bool,
}

/// What reads of shared memory find in a launch with blocks of known size.
#[must_use]
pub fn simulate(
    facts: &Facts,
    derived: &Derived,
    launch: LaunchId,
    wanted: &Wanted,
) -> Option<Found> {
    let text = Text::new(facts, derived, launch, wanted)?;
    let mut dropped: FxHashSet<ArrayId> = FxHashSet::default();
    for _ in 0..MOST_DROPS {
        let mut block = Block::new(&text, dropped.clone());
        block.span(0, text.points.len(), None)?;
        if block.memory.overfull {
            return None;
        }
        if block.memory.dropped.len() == dropped.len() {
            return Some(block.found(&wanted.loads));
        }
        dropped = block.memory.dropped;
    }
    None
}

/// The launch, with what is looked up of it.
struct Text<'a> {
    facts: &'a Facts,
    threads: Vec<[i128; 3]>,
    sizes: [Option<i128>; 6],
    points: Vec<PointId>,
    guards: FxHashMap<PointId, Vec<&'a GuardAtRow>>,
    loops: FxHashMap<PointId, Vec<LoopId>>,
    /// By head, the loop and the place behind its last point.
    heads: FxHashMap<PointId, (LoopId, usize)>,
    accesses: FxHashMap<PointId, &'a AccessRow>,
    barriers: FxHashMap<PointId, &'a BarrierRow>,
    breaks: FxHashMap<PointId, LoopId>,
    uniform: FxHashSet<TermId>,
    loads: FxHashMap<AccessId, Vec<TermId>>,
    annotated: FxHashSet<AccessId>,
    /// Bounds of what is stored to shared memory.
    bounds: FxHashMap<AccessId, (i128, i128)>,
    grain: FxHashMap<ArrayId, i128>,
    widest: i128,
    ranges: Ranges<'a>,
    lanes: lanes::Handed<'a>,
    /// Whether the threads are two warps that stand for all of a block of any size. Of what they share nothing is known.
    any_warps: bool,
}

impl<'a> Text<'a> {
    fn new(facts: &'a Facts, derived: &Derived, launch: LaunchId, wanted: &Wanted) -> Option<Self> {
        let mut unsupported = facts.unsupported.iter();
        if unsupported.any(|row| row.launch == Some(launch) && row.effect != Effect::Nothing) {
            return None;
        }
        let mut shared = facts.cluster_array.iter();
        if shared.any(|row| facts.array[row.array.index()].launch == launch) {
            return None;
        }
        // Who comes first by phases is not followed.
        let mut steps = facts.phase_step.iter();
        if steps.any(|row| facts.point[row.point.index()].launch == launch) {
            return None;
        }
        let mut sizes = [None; 6];
        for row in &facts.launch_dimension {
            if row.launch == launch {
                sizes[row.dimension as usize] = facts.terms.as_const(row.term);
            }
        }
        let size = |dimension: Dimension| sizes[dimension as usize].filter(|&size| size > 0);
        let hands = wanted.hands && size(Dimension::BlockX).is_none();
        let x = match size(Dimension::BlockX) {
            None if hands => WARPS,
            size => size?,
        };
        let [y, z] = [size(Dimension::BlockY)?, size(Dimension::BlockZ)?];
        // Warps of a block of any size are alike if they lie in its only row.
        if hands && (y, z) != (1, 1) {
            return None;
        }
        let count = x.checked_mul(y)?.checked_mul(z)?;
        if count > MOST_THREADS {
            return None;
        }
        let threads = (0..count)
            .map(|rank| [rank % x, rank / x % y, rank / (x * y)])
            .collect();
        let points: Vec<PointId> = facts
            .point
            .iter()
            .filter(|row| row.launch == launch)
            .map(|row| row.point)
            .collect();
        let of_launch = |point: PointId| facts.point[point.index()].launch == launch;
        let mut guards: FxHashMap<PointId, Vec<&GuardAtRow>> = FxHashMap::default();
        for row in &facts.guard_at {
            if of_launch(row.point) {
                guards.entry(row.point).or_default().push(row);
            }
        }
        let mut loops: FxHashMap<PointId, Vec<LoopId>> = FxHashMap::default();
        let mut last: FxHashMap<LoopId, usize> = FxHashMap::default();
        let place: FxHashMap<PointId, usize> = points.iter().copied().zip(0..).collect();
        let mut around: Vec<_> = facts.loop_at.iter().collect();
        around.sort_by_key(|row| (facts.loop_[row.loop_id.index()].head, row.loop_id));
        for row in around {
            if let Some(&at) = place.get(&row.point) {
                loops.entry(row.point).or_default().push(row.loop_id);
                let last = last.entry(row.loop_id).or_default();
                *last = (*last).max(at + 1);
            }
        }
        let heads = facts
            .loop_
            .iter()
            .filter(|row| row.launch == launch)
            .filter_map(|row| Some((row.head, (row.loop_id, *last.get(&row.loop_id)?))))
            .collect();
        let accesses: FxHashMap<PointId, &AccessRow> = facts
            .access
            .iter()
            .filter(|row| of_launch(row.point))
            .map(|row| (row.point, row))
            .collect();
        let mut loads: FxHashMap<AccessId, Vec<TermId>> = FxHashMap::default();
        for (id, term) in facts.terms.iter() {
            if let Some(access) = term.access() {
                loads.entry(access).or_default().push(id);
            }
        }
        let assumed = facts.launch_assume.iter();
        let assumed: Vec<(TermId, bool)> = assumed
            .filter(|row| row.launch == launch)
            .map(|row| (row.term, true))
            .collect();
        let mut text = Text {
            facts,
            ranges: Ranges::new(facts, launch).assuming(&assumed),
            lanes: lanes::Handed::new(facts, launch, &points, wanted),
            any_warps: hands,
            threads,
            sizes,
            points,
            guards,
            loops,
            heads,
            accesses,
            barriers: facts
                .barrier
                .iter()
                .filter(|row| of_launch(row.point))
                .map(|row| (row.point, row))
                .collect(),
            breaks: facts
                .break_at
                .iter()
                .map(|row| (row.point, row.loop_id))
                .collect(),
            uniform: derived
                .uniform
                .iter()
                .filter(|row| row.scope >= Scope::Block)
                .map(|row| row.term)
                .collect(),
            loads,
            annotated: facts.annotation_read.iter().map(|row| row.access).collect(),
            bounds: FxHashMap::default(),
            grain: FxHashMap::default(),
            widest: 1,
        };
        text.measure();
        Some(text)
    }

    /// The sizes of accesses to shared memory, and bounds of what they store.
    fn measure(&mut self) {
        let facts = self.facts;
        for &point in &self.points {
            let Some(row) = self.accesses.get(&point) else {
                continue;
            };
            let Some(storage) = self.shared(row) else {
                continue;
            };
            let bytes = i128::from(row.bytes);
            self.widest = self.widest.max(bytes);
            let grain = self.grain.entry(storage).or_insert(bytes);
            *grain = divisor(*grain, bytes);
            if let Some(value) = row
                .value
                .filter(|&value| facts.terms.ty(value).is_integer())
            {
                self.bounds.insert(row.access, self.bounds_at(point, value));
            }
        }
    }

    /// Bounds of an integer in the threads that come to a point.
    fn bounds_at(&self, point: PointId, value: TermId) -> (i128, i128) {
        let guards = self.guards.get(&point).map_or(&[][..], Vec::as_slice);
        let conjuncts: Vec<(TermId, bool)> = guards
            .iter()
            .map(|guard| (guard.term, guard.polarity))
            .collect();
        let ranges = self.ranges.assuming(&conjuncts);
        let terms = &self.facts.terms;
        let ty = terms.ty(value);
        let range = ranges.range(value);
        // Bounds that rest on an assumption are left to who lists it; what a read finds has those of its type, wherever it reads.
        let below = plan(terms, value);
        let rests = below.iter().any(|step| ranges.rests_on(step.term).any());
        if rests {
            (ty.min().unwrap_or(0), ty.max().unwrap_or(0))
        } else {
            (range.low, range.high)
        }
    }

    /// The storage of an access to shared memory.
    fn shared(&self, row: &AccessRow) -> Option<ArrayId> {
        let array = &self.facts.array[row.array.index()];
        (array.space == Space::Shared).then_some(array.storage)
    }

    fn loops(&self, point: PointId) -> &[LoopId] {
        self.loops.get(&point).map_or(&[][..], Vec::as_slice)
    }
}

/// The bounds of the inputs of a source.
fn bounds_of(sources: &[Source], source: u32) -> (i128, i128) {
    if source == WARP_NUMBER {
        return (0, MOST_WARPS);
    }
    // What is only computed is any number.
    let any = (i128::from(i64::MIN), i128::from(u64::MAX));
    let source = sources.get(source as usize);
    source.map_or(any, |source| (source.least, source.most))
}

fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// How a loop is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// This iteration.
    Concrete(i128),
    /// Any iteration.
    Any,
}

/// A loop that is being run.
struct Frame {
    loop_id: LoopId,
    mode: Mode,
    /// Another number for each iteration that is run.
    serial: u64,
    /// Which threads have left it.
    left: Vec<bool>,
    /// Which threads may have left it in an earlier iteration.
    may_have_left: Vec<bool>,
    /// The same of this iteration.
    may_leave: Vec<bool>,
    /// Conditions without which there would be no next iteration.
    needed: Vec<u32>,
    /// Those of the iterations before.
    implied: Vec<u32>,
}

/// What a thread does at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// It does not come there.
    Absent,
    /// It does, under these conditions.
    Present(u32),
    /// Nobody knows.
    Maybe(u32),
}

/// The block as it is run.
struct Block<'t, 'a> {
    text: &'t Text<'a>,
    memory: Memory,
    frames: Vec<Frame>,
    serials: u64,
    work: u64,
    exited: Vec<bool>,
    may_have_exited: Vec<bool>,
    plans: FxHashMap<TermId, Rc<Vec<Step>>>,
    /// What a read found, in the iteration of this number.
    found: FxHashMap<(TermId, u32), (u64, Option<Word>)>,
    /// What was stored or handed as an input is that input wherever it is used in the iteration.
    inputs: FxHashMap<(TermId, u32), lanes::Held>,
    named: FxHashSet<TermId>,
    /// What is known of unknowns.
    known: FxHashMap<(UnknownId, u32), lanes::Held>,
    /// The conditions of all threads under which values are asked for.
    here: u32,
    computed: lanes::Computed,
    handed: FxHashMap<(TermId, PointId, Vec<i128>), u32>,
    votes: FxHashMap<UnknownId, lanes::Vote>,
    terms: FxHashMap<(PointId, TermId), lanes::Seen>,
    trips: FxHashMap<(LoopId, u32), Option<i128>>,
    conditions: FxHashMap<(TermId, bool, u64), u32>,
    sources: Vec<Source>,
    source_of: FxHashMap<(ArrayId, u32, AccessId, Vec<i128>, u32), u32>,
    /// In this interval, the first store of inputs to each array, and how often each element was given one.
    begun: FxHashMap<(ArrayId, u32), (AccessId, Vec<i128>)>,
    given: FxHashMap<(ArrayId, u32, i128), u32>,
    observed: FxHashMap<AccessId, Observed>,
    /// The source that a store gives inputs to; none where it is several.
    feeds: FxHashMap<AccessId, Option<u32>>,
}

/// What the executions of a read found.
#[derive(Default)]
struct Observed {
    /// By element; none where it is not known of each execution.
    words: Option<Vec<(i128, Word)>>,
    /// Of how many elements each execution might have read one, if the place is open.
    open: Option<usize>,
}

impl<'t, 'a> Block<'t, 'a> {
    fn new(text: &'t Text<'a>, dropped: FxHashSet<ArrayId>) -> Self {
        let threads = text.threads.len();
        Block {
            text,
            memory: Memory::new(text.grain.clone(), text.widest, dropped),
            frames: Vec::new(),
            serials: 0,
            work: 0,
            exited: vec![false; threads],
            may_have_exited: vec![false; threads],
            plans: FxHashMap::default(),
            found: FxHashMap::default(),
            inputs: FxHashMap::default(),
            named: FxHashSet::default(),
            known: FxHashMap::default(),
            here: 0,
            computed: lanes::Computed::new(text.facts),
            handed: FxHashMap::default(),
            votes: FxHashMap::default(),
            terms: FxHashMap::default(),
            trips: FxHashMap::default(),
            conditions: FxHashMap::default(),
            sources: Vec::new(),
            source_of: FxHashMap::default(),
            begun: FxHashMap::default(),
            given: FxHashMap::default(),
            observed: FxHashMap::default(),
            feeds: FxHashMap::default(),
        }
    }

    /// The forms of what the reads found, where they have one.
    fn found(&self, wanted: &BTreeSet<AccessId>) -> Found {
        let mut forms = BTreeMap::new();
        for &access in wanted {
            let observed = self.observed.get(&access);
            let words = observed.and_then(|observed| observed.words.as_ref());
            if let Some(form) = words.and_then(|words| fit(words)) {
                forms.insert(access, form);
            }
        }
        let mut sources = self.sources.clone();
        for (source, number) in sources.iter_mut().zip(0..) {
            let rounds = source.rounds as usize;
            source.parts.retain(|access| {
                let point = self.text.facts.access[access.index()].point;
                let alone = self.feeds.get(access) == Some(&Some(number));
                alone && self.text.loops(point).len() == rounds
            });
        }
        let (terms, same) = self.found_of_terms();
        Found {
            sources,
            forms,
            terms,
            same,
        }
    }

    fn next_serial(&mut self) -> u64 {
        self.serials += 1;
        self.serials
    }

    /// The number of the iteration of the innermost loop that is run.
    fn serial(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.serial)
    }

    /// Whether the iteration of this number is being run.
    fn is_current(&self, serial: u64) -> bool {
        serial == 0 || self.frames.iter().any(|frame| frame.serial == serial)
    }

    /// The value of a term in a thread, if it is a word.
    fn value(&mut self, thread: u32, root: TermId) -> Option<Word> {
        self.values(thread, root).1.pop().flatten()
    }

    /// The values of a term, which is the last, and of those that it is computed from.
    fn values(&mut self, thread: u32, root: TermId) -> (Rc<Vec<Step>>, Vec<Option<Word>>) {
        let text = self.text;
        let terms = &text.facts.terms;
        let plan = match self.plans.get(&root) {
            Some(plan) => Rc::clone(plan),
            None => {
                let made = Rc::new(plan(terms, root));
                self.plans.insert(root, Rc::clone(&made));
                made
            }
        };
        self.work += plan.len() as u64;
        let mut values: Vec<Option<Word>> = Vec::with_capacity(plan.len());
        for step in plan.iter() {
            let input = self.named.contains(&step.term).then(|| {
                let known = self.inputs.get(&(step.term, thread));
                known.filter(|held| self.is_held(held))
            });
            let value = match input.flatten() {
                Some(held) => held.word.clone(),
                None if step.args.is_empty() && terms.get(step.term).op != Op::Const => {
                    self.leaf(thread, step.term)
                }
                None => {
                    let args: smallvec::SmallVec<[Option<&Word>; 3]> =
                        step.args.iter().map(|&at| values[at].as_ref()).collect();
                    let sources = &self.sources;
                    apply(terms, step.term, &args, &|source| {
                        bounds_of(sources, source)
                    })
                    .or_else(|| {
                        let of = |source| bounds_of(sources, source);
                        larger(terms, (&plan, &values), step, &of)
                    })
                    .or_else(|| self.computed(step.term, &args))
                }
            };
            values.push(value);
        }
        (plan, values)
    }

    fn leaf(&self, thread: u32, id: TermId) -> Option<Word> {
        let term = self.text.facts.terms.get(id);
        let at = self.text.threads[thread as usize];
        let size = |dimension: Dimension| self.text.sizes[dimension as usize];
        // In a grid of one block along an axis, its number is 0.
        let block = |dimension: Dimension| (size(dimension) == Some(1)).then_some(0);
        let number = match term.op {
            Op::TidX if self.text.any_warps => return lanes::number_in_warp(at[0]),
            Op::TidX => Some(at[0]),
            Op::TidY => Some(at[1]),
            Op::TidZ => Some(at[2]),
            Op::BidX => block(Dimension::GridX),
            Op::BidY => block(Dimension::GridY),
            Op::BidZ => block(Dimension::GridZ),
            Op::BdimX => size(Dimension::BlockX),
            Op::BdimY => size(Dimension::BlockY),
            Op::BdimZ => size(Dimension::BlockZ),
            Op::GdimX => size(Dimension::GridX),
            Op::GdimY => size(Dimension::GridY),
            Op::GdimZ => size(Dimension::GridZ),
            Op::Iter => {
                let of = term.loop_id()?;
                let frame = self.frames.iter().find(|frame| frame.loop_id == of)?;
                match frame.mode {
                    Mode::Concrete(at) => Some(at),
                    Mode::Any => None,
                }
            }
            Op::Exit => *self.trips.get(&(term.loop_id()?, thread))?,
            Op::Load => {
                let (serial, word) = self.found.get(&(id, thread))?;
                return word.clone().filter(|_| self.is_current(*serial));
            }
            Op::Unknown => {
                let held = self.known.get(&(term.unknown()?, thread))?;
                return held.word.clone().filter(|_| self.is_held(held));
            }
            _ => None,
        };
        number.map(Word::number).or_else(|| self.of_all(id))
    }

    /// The number of a condition, as it is decided in the iteration that its cause is in.
    fn condition(&mut self, row: &GuardAtRow) -> u32 {
        let around = self.text.loops(row.cause_point);
        let mut frames = self.frames.iter().rev();
        let frame = frames.find(|frame| around.contains(&frame.loop_id));
        let serial = frame.map_or(0, |frame| frame.serial);
        let next = u32::try_from(self.conditions.len()).unwrap_or(u32::MAX);
        let key = (row.term, row.polarity, serial);
        *self.conditions.entry(key).or_insert(next)
    }

    /// Whether a thread comes to a point.
    fn presence(&mut self, thread: u32, point: PointId) -> Presence {
        let at = thread as usize;
        self.here = 0;
        if self.exited[at] || self.frames.iter().any(|frame| frame.left[at]) {
            return Presence::Absent;
        }
        let mut maybe =
            self.may_have_exited[at] || self.frames.iter().any(|frame| frame.may_have_left[at]);
        let mut conditions: Vec<u32> = Vec::new();
        for frame in &self.frames {
            conditions.extend(&frame.implied);
        }
        let text = self.text;
        for row in text.guards.get(&point).map_or(&[][..], Vec::as_slice) {
            let value = self.value(thread, row.term);
            match value.as_ref().and_then(Word::as_number) {
                Some(truth) if (truth != 0) == row.polarity => {}
                Some(_) => {
                    self.here = 0;
                    return Presence::Absent;
                }
                None if text.uniform.contains(&row.term) => {
                    let condition = self.condition(row);
                    conditions.push(condition);
                    self.note_needed(row, condition);
                    // What is asked next is asked under it.
                    self.here = self.memory.tags.set(conditions.clone());
                }
                None => maybe = true,
            }
        }
        let tags = self.memory.tags.set(conditions);
        self.here = 0;
        if maybe {
            Presence::Maybe(tags)
        } else {
            Presence::Present(tags)
        }
    }

    /// A condition of a loop, or of not leaving it, without which there is no next iteration.
    fn note_needed(&mut self, row: &GuardAtRow, condition: u32) {
        let of = match row.cause {
            GuardCause::Loop => self.text.heads.get(&row.cause_point).map(|(id, _)| *id),
            GuardCause::Break => self.text.breaks.get(&row.cause_point).copied(),
            _ => None,
        };
        let frame = self
            .frames
            .iter_mut()
            .find(|frame| Some(frame.loop_id) == of);
        if let Some(frame) = frame
            && !frame.needed.contains(&condition)
        {
            frame.needed.push(condition);
        }
    }

    /// Runs the points from one place up to another.
    fn span(&mut self, from: usize, to: usize, current: Option<LoopId>) -> Option<()> {
        let mut at = from;
        while at < to {
            if self.work > WORK || self.memory.overfull {
                return None;
            }
            let point = self.text.points[at];
            match self.text.heads.get(&point) {
                Some(&(id, end)) if Some(id) != current && end > at => {
                    self.run_loop(id, at, end)?;
                    at = end;
                }
                _ => {
                    self.point(point);
                    at += 1;
                }
            }
        }
        Some(())
    }

    fn run_loop(&mut self, id: LoopId, from: usize, end: usize) -> Option<()> {
        let threads = self.text.threads.len();
        let head = self.text.points[from];
        let absent: Vec<bool> = (0..threads)
            .map(|thread| self.presence(thread as u32, head) == Presence::Absent)
            .collect();
        for thread in 0..threads as u32 {
            self.trips.insert((id, thread), None);
        }
        if absent.iter().all(|&absent| absent) {
            return Some(());
        }
        let begins = self.begin_carried(id, head);
        let serial = self.next_serial();
        self.frames.push(Frame {
            loop_id: id,
            mode: Mode::Concrete(0),
            serial,
            left: absent,
            may_have_left: vec![false; threads],
            may_leave: vec![false; threads],
            needed: Vec::new(),
            implied: Vec::new(),
        });
        let condition = self.text.facts.loop_[id.index()].condition;
        let decided = condition.is_some_and(|condition| self.decided(condition).is_some());
        let outcome = match condition.filter(|_| decided) {
            Some(condition) => self.run_concrete(condition, (from, end), begins),
            None => self.run_any(id, from, end),
        };
        self.frames.pop();
        self.settle_left(id);
        outcome
    }

    /// The value of a condition in each thread that is in the innermost loop; none where it is open in one.
    fn decided(&mut self, condition: TermId) -> Option<Vec<bool>> {
        let left = self.frames.last()?.left.clone();
        let mut values = Vec::with_capacity(left.len());
        for (thread, left) in (0..).zip(left) {
            let gone = left || self.exited[thread as usize];
            let value = if gone {
                0
            } else {
                self.value(thread, condition)?.as_number()?
            };
            values.push(value != 0);
        }
        Some(values)
    }

    fn run_concrete(
        &mut self,
        condition: TermId,
        (from, end): (usize, usize),
        mut carried: lanes::Carried,
    ) -> Option<()> {
        for iteration in 0.. {
            let serial = self.next_serial();
            let frame = self.frames.last_mut()?;
            frame.mode = Mode::Concrete(iteration);
            frame.serial = serial;
            let id = frame.loop_id;
            self.carry(carried);
            let goes_on = self.decided(condition)?;
            self.work += goes_on.len() as u64;
            self.leave_with(id, &goes_on);
            self.span(from, end, Some(id))?;
            carried = self.next_carried(id, from);
            let exited = &self.exited;
            let frame = self.frames.last_mut()?;
            for (thread, goes_on) in goes_on.into_iter().enumerate() {
                if !frame.left[thread] && !goes_on {
                    let may_leave = frame.may_have_left[thread] || frame.may_leave[thread];
                    let known = !exited[thread] && !may_leave;
                    let trips = known.then_some(iteration);
                    self.trips.insert((id, thread as u32), trips);
                    frame.left[thread] = true;
                }
                frame.may_have_left[thread] |= frame.may_leave[thread];
            }
            self.end_iteration();
            let frame = self.frames.last()?;
            let mut threads = frame.left.iter().zip(&self.exited);
            if threads.all(|(left, exited)| *left || *exited) {
                break;
            }
        }
        Some(())
    }

    /// What a next iteration needs was so in this one.
    fn end_iteration(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            let mut needed = std::mem::take(&mut frame.needed);
            frame.implied.append(&mut needed);
        }
    }

    fn run_any(&mut self, id: LoopId, from: usize, end: usize) -> Option<()> {
        let points = &self.text.points[from..end];
        let written: BTreeSet<ArrayId> = points
            .iter()
            .filter_map(|point| self.text.accesses.get(point))
            .filter(|row| row.kind != AccessKind::Read)
            .filter_map(|row| self.text.shared(row))
            .collect();
        // The loop may be left before its first iteration.
        let before = self.memory.so_far();
        for _ in 0..2 {
            for &array in &written {
                self.memory.forget_all(array);
            }
            self.memory.split();
            self.begun.clear();
            self.given.clear();
            let serial = self.next_serial();
            let frame = self.frames.last_mut()?;
            frame.mode = Mode::Any;
            frame.serial = serial;
            self.span(from, end, Some(id))?;
            let frame = self.frames.last_mut()?;
            let flags = frame.may_have_left.iter_mut().zip(&frame.may_leave);
            for (before, now) in flags {
                *before |= now;
            }
            self.end_iteration();
        }
        for &array in &written {
            self.memory.forget_all(array);
        }
        self.memory.or(before);
        self.memory.split();
        self.begun.clear();
        self.given.clear();
        Some(())
    }

    fn point(&mut self, point: PointId) {
        let text = self.text;
        let kind = text.facts.point[point.index()].kind;
        self.observe(point);
        match kind {
            PointKind::Havoc => self.collect(point),
            PointKind::Access => {
                if let Some(row) = text.accesses.get(&point) {
                    self.access(row);
                }
            }
            PointKind::Barrier => {
                if let Some(row) = text.barriers.get(&point) {
                    self.barrier(row);
                }
            }
            PointKind::Return | PointKind::Break => self.leave(point, kind),
            _ => {}
        }
    }

    fn threads(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.text.threads.len()).unwrap_or(0)
    }

    /// Threads leave the kernel, or a loop.
    fn leave(&mut self, point: PointId, kind: PointKind) {
        let of = match kind {
            PointKind::Break => self.text.breaks.get(&point).copied(),
            _ => None,
        };
        let position = self
            .frames
            .iter()
            .position(|frame| Some(frame.loop_id) == of);
        let presences: Vec<Presence> = self
            .threads()
            .map(|thread| self.presence(thread, point))
            .collect();
        // All that are still there leave, or none of them do: what follows is done by all, or by none.
        let is_there = |thread: usize| {
            let gone = self.frames.iter().any(|frame| frame.left[thread]);
            !self.exited[thread] && (kind == PointKind::Return || !gone)
        };
        let mut there = (0..presences.len()).filter(|&thread| is_there(thread));
        let first = there.next().map(|thread| presences[thread]);
        let together = match first {
            Some(Presence::Present(tags)) if tags != 0 => {
                there.all(|thread| presences[thread] == Presence::Present(tags))
            }
            _ => false,
        };
        let innermost = position.is_some() && position == self.frames.len().checked_sub(1);
        let any = position.is_some_and(|at| self.frames[at].mode == Mode::Any);
        if together && (kind == PointKind::Return || (innermost && any)) {
            return;
        }
        for (at, presence) in presences.into_iter().enumerate() {
            let frame = position.map(|position| &mut self.frames[position]);
            match (presence, kind) {
                (Presence::Absent, _) => {}
                (Presence::Present(0), PointKind::Return) => self.exited[at] = true,
                (_, PointKind::Return) => self.may_have_exited[at] = true,
                (Presence::Present(0), _) => {
                    if let Some(frame) = frame {
                        frame.left[at] = true;
                    }
                }
                _ => {
                    if let Some(frame) = frame {
                        frame.may_leave[at] = true;
                    }
                }
            }
        }
    }

    fn barrier(&mut self, row: &BarrierRow) {
        let ordered = match row.kind {
            BarrierKind::Block | BarrierKind::Grid => Ordered::Block,
            BarrierKind::Warp => Ordered::Warp,
            BarrierKind::Part | BarrierKind::Meet | BarrierKind::Collective => return,
        };
        if row.member.is_some() || row.key.is_some() || row.mask.is_some() {
            return;
        }
        let mut under: Option<u32> = None;
        for thread in self.threads() {
            match self.presence(thread, row.point) {
                Presence::Present(tags) if under.is_none_or(|under| under == tags) => {
                    under = Some(tags);
                }
                // Who is gone, or does not come, is ordered with nobody.
                _ => return,
            }
        }
        let Some(tags) = under else { return };
        self.memory.barrier(ordered, tags);
        if ordered == Ordered::Block {
            self.begun.clear();
            self.given.clear();
        }
    }

    fn access(&mut self, row: &AccessRow) {
        let Some(array) = self.text.shared(row).filter(|_| !self.text.any_warps) else {
            return;
        };
        let opens = row.kind == AccessKind::Write && self.stores_inputs(row);
        for thread in self.threads() {
            let presence = self.presence(thread, row.point);
            let tags = match presence {
                Presence::Absent => continue,
                Presence::Present(tags) | Presence::Maybe(tags) => tags,
            };
            self.here = tags;
            let offset = self.value(thread, row.index);
            let place = Place {
                array,
                offset: offset.as_ref().and_then(Word::as_number),
                bytes: row.bytes,
            };
            if !self.text.annotated.contains(&row.access) {
                self.memory.meet(place, row.kind, thread, tags);
            }
            match row.kind {
                AccessKind::Read => self.read(row, place, thread, tags),
                AccessKind::Atomic => self.memory.forget(place),
                AccessKind::Write => match presence {
                    Presence::Present(_) => self.write(row, place, (thread, tags), opens),
                    _ => self.memory.forget(place),
                },
            }
        }
        self.here = 0;
    }

    /// Whether what some thread stores is no sum: then what each of them stores is an input, so that elements are alike.
    fn stores_inputs(&mut self, row: &AccessRow) -> bool {
        let terms = &self.text.facts.terms;
        let value = row.value.filter(|&value| terms.ty(value).is_integer());
        let Some(value) = value else { return false };
        self.threads().any(|thread| {
            let Presence::Present(tags) = self.presence(thread, row.point) else {
                return false;
            };
            self.here = tags;
            let word = self.value(thread, value);
            word.is_none_or(|word| word.is_opaque())
        })
    }

    /// What a read finds, for those who use it and for its form.
    fn read(&mut self, row: &AccessRow, place: Place, thread: u32, tags: u32) {
        let text = self.text;
        let terms = text.loads.get(&row.access).map_or(&[][..], Vec::as_slice);
        let serial = self.serial();
        let mut types: BTreeSet<CType> = BTreeSet::new();
        for &id in terms {
            let term = text.facts.terms.get(id);
            let is_whole = term.args.first() == Some(&row.index)
                && term.ty.is_integer()
                && term.ty.bytes() == Some(row.bytes);
            let mut word = None;
            if is_whole {
                types.insert(term.ty);
                let found = self.memory.load(place, tags);
                word = found.and_then(|(word, ty)| self.as_type(word, ty, term.ty));
            }
            self.found.insert((id, thread), (serial, word));
        }
        let mut types = types.into_iter();
        let (Some(ty), None) = (types.next(), types.next()) else {
            return;
        };
        let bytes = i128::from(row.bytes);
        let found = match place.offset {
            Some(offset) => {
                let found = self.memory.load(place, tags);
                found.map(|found| vec![(offset, found.0, found.1)])
            }
            // Wherever it is read: what is there from the first element on.
            None => Some(self.memory.all(place.array, row.bytes, tags)),
        };
        let found = found.filter(|found| !found.is_empty());
        self.work += found.as_ref().map_or(0, Vec::len) as u64;
        let typed = |(offset, word, stored): (i128, Word, CType)| {
            let word = self.as_type(word, stored, ty)?;
            (offset % bytes == 0).then_some((offset / bytes, word))
        };
        let found = found.and_then(|found| found.into_iter().map(typed).collect());
        let found: Option<Vec<(i128, Word)>> = found;
        let open = place
            .offset
            .is_none()
            .then_some(found.as_ref().map_or(0, Vec::len));
        let is_first = !self.observed.contains_key(&row.access);
        let observed = self.observed.entry(row.access).or_default();
        if is_first {
            observed.open = open;
            observed.words = found;
            return;
        }
        let (Some(words), Some(mut found)) = (observed.words.as_mut(), found) else {
            observed.words = None;
            return;
        };
        if observed.open != open {
            // Of open places, each execution must know the same elements.
            observed.words = None;
        } else if !words.ends_with(&found) {
            words.append(&mut found);
        }
    }

    /// A word that was stored as one type, read as another of the same size.
    fn as_type(&self, word: Word, stored: CType, ty: CType) -> Option<Word> {
        if stored == ty {
            return Some(word);
        }
        if ty == CType::Bool || stored == CType::Bool || !ty.is_integer() || !stored.is_integer() {
            return None;
        }
        let of = |source: u32| bounds_of(&self.sources, source);
        (fits(stored, &word, &of) && fits(ty, &word, &of)).then_some(word)
    }

    fn write(&mut self, row: &AccessRow, place: Place, (thread, tags): (u32, u32), opens: bool) {
        let terms = &self.text.facts.terms;
        let value = row.value.filter(|&value| {
            let ty = terms.ty(value);
            ty.is_integer() && ty.bytes() == Some(row.bytes)
        });
        let (Some(value), Some(offset)) = (value, place.offset) else {
            self.memory.forget(place);
            return;
        };
        let ty = terms.ty(value);
        let bytes = i128::from(row.bytes);
        // Of what is only computed alike no sums are made: it is an input of its own.
        let word = self.value(thread, value);
        let word = match word.filter(|word| !opens && !word.is_opaque()) {
            Some(word) => Some(word),
            None if offset % bytes == 0 && !self.memory.dropped.contains(&place.array) => {
                let input = self.input(row, (place.array, offset / bytes));
                // Under a condition of all threads, the term means something where nothing is stored.
                if let Some(word) = input.as_ref().filter(|_| tags == 0) {
                    let serial = self.serial();
                    let held = lanes::Held {
                        serial,
                        tags,
                        word: Some(word.clone()),
                    };
                    self.named.insert(value);
                    self.inputs.insert((value, thread), held);
                }
                input
            }
            None => None,
        };
        match word {
            Some(word) => self.memory.store(place, ty, word, tags),
            None => self.memory.forget(place),
        }
    }

    /// The iterations of the loops that are run.
    fn rounds(&self) -> Vec<i128> {
        let frames = self.frames.iter();
        frames
            .map(|frame| match frame.mode {
                Mode::Concrete(at) => at,
                Mode::Any => -1,
            })
            .collect()
    }

    /// What is stored to an element becomes an input.
    fn input(&mut self, row: &AccessRow, (array, element): (ArrayId, i128)) -> Option<Word> {
        let position = u32::try_from(element).ok().filter(|&at| at < 1 << 24)?;
        let bounds = self.text.bounds.get(&row.access).copied()?;
        let place = (array, row.bytes, element);
        let version = self.given.entry(place).or_insert(0);
        let nth = *version;
        *version += 1;
        let rounds = self.rounds();
        let begun = self.begun.entry((array, row.bytes));
        let (first, of) = begun.or_insert((row.access, rounds)).clone();
        let key = (array, row.bytes, first, of, nth);
        let next = u32::try_from(self.sources.len()).ok()?;
        let source = *self.source_of.entry(key).or_insert(next);
        // The iterations of loops that are run in any order must agree.
        let any = self
            .frames
            .iter()
            .rposition(|frame| frame.mode == Mode::Any);
        let around = any.map_or(0, |at| u32::try_from(at + 1).unwrap_or(u32::MAX));
        if source == next {
            self.sources.push(Source {
                array: Some(array),
                handed: None,
                bytes: row.bytes,
                least: bounds.0,
                most: bounds.1,
                rounds: around,
                parts: BTreeSet::new(),
            });
        }
        let feeds = self.feeds.entry(row.access).or_insert(Some(source));
        if *feeds != Some(source) {
            *feeds = None;
        }
        let source_of = &mut self.sources[source as usize];
        source_of.least = source_of.least.min(bounds.0);
        source_of.most = source_of.most.max(bounds.1);
        source_of.rounds = source_of.rounds.max(around);
        source_of.parts.insert(row.access);
        Some(Word::input(source, position))
    }
}
