//! Runs a block of a launch: all its threads together, point by point, over values that may be open.
//!
//! **Algorithm.** The points of the launch are visited in program order; at each point every thread whose path condition holds does
//! what stands there. That is one of the orders in which the block may run, and a kernel without races gives the same contents in
//! all of them. Loops are executed iteration by iteration as long as their conditions are known. A loop whose condition is open is
//! visited once, for an arbitrary iteration: variables that it carries become folds of what one iteration makes of them, shared
//! arrays that it writes hold nothing that is known at its head and behind it.
//!
//! Threads are numbers (`threadIdx` of a block of known size) or one thread whose `threadIdx` is open; then there is no shared
//! memory. Sizes, scalars, `blockIdx` and contents may be numbers or open. With numbers everywhere a run is an execution.
//!
//! **Accuracy.** A run that ends gives what the kernel writes, if it has no race: a thread that reads global memory which the launch
//! writes sees its own writes, and those of others from before a barrier. Whatever cannot be followed ends the run with a reason.

mod accesses;
mod values;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use crate::index::Index;
use crate::memory::{Inputs, Memory};
use crate::node::{Fold, Id, Leaf, Node, Pool, Undefined};

/// Why a run gives nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It is no execution: C leaves a result open, or a shared array is left.
    Undefined(String),
    /// Something is not followed.
    NotFollowed(String),
    /// It takes too long.
    TooLong,
}

impl From<Undefined> for Halt {
    fn from(undefined: Undefined) -> Self {
        Halt::Undefined(undefined.0.to_owned())
    }
}

fn not_followed<T>(what: impl Into<String>) -> Result<T, Halt> {
    Err(Halt::NotFollowed(what.into()))
}

/// What a run is made with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The threads of the block: numbers, or one that is open.
    pub threads: Vec<[Id; 3]>,
    /// `blockDim`.
    pub block: [Id; 3],
    /// `gridDim`.
    pub grid: [Id; 3],
    /// `blockIdx`.
    pub of_grid: [Id; 3],
    /// Scalars.
    pub symbols: FxHashMap<SymbolId, Id>,
    /// Arrays in global memory, by their storage.
    pub arrays: FxHashMap<ArrayId, u32>,
    /// Of these the ones that stand for what they held before the first launch.
    pub initial: FxHashSet<ArrayId>,
    /// What earlier launches wrote is read as their output, not looked for.
    pub reads_outputs: bool,
    /// Shared arrays by number, where one open thread runs from barrier to barrier: what they hold at a barrier is open.
    pub shared: FxHashMap<ArrayId, u32>,
    /// Arrays that the launches write, where a thread runs like that.
    pub written: FxHashSet<u32>,
    /// What is known of the launch and its arguments.
    pub known: Vec<Id>,
    /// Contents, if they are numbers.
    pub inputs: Option<Inputs>,
    /// Which launch of the sequence this is.
    pub step: usize,
    /// Which side it is of.
    pub side: usize,
}

/// What names of values begin with that nothing has set.
pub const UNINITIALISED: &str = "uninitialised";

/// Names of bound variables that belong to the loops of one launch.
const HEIGHTS_OF_LAUNCH: u32 = 1_000;
/// Most visits of a point by a thread.
const MAX_VISITS: u64 = 600_000;
/// Most iterations of a loop.
const MAX_ITERATIONS: i128 = 1 << 16;
/// Most iterations that are written out one by one where values are open: a longer loop is an arbitrary iteration of it.
const MAX_WRITTEN_OUT: i128 = 1_024;
/// Most values of a run.
const MAX_VALUES: usize = 2_000_000;

#[derive(Default)]
struct Thread {
    loads: FxHashMap<TermId, Id>,
    unknowns: FxHashMap<UnknownId, Id>,
    exits: FxHashMap<LoopId, Id>,
    lasting: FxHashMap<TermId, Id>,
    gone: bool,
}

/// The run of one block.
pub struct Machine<'a, 'f> {
    index: &'a Index<'f>,
    pool: &'a mut Pool,
    memory: &'a mut Memory,
    setup: &'a Setup,
    threads: Vec<Thread>,
    taking_part: Vec<bool>,
    iterations: FxHashMap<LoopId, Id>,
    /// Shared and local memory; the thread for local arrays.
    near: FxHashMap<(Option<usize>, ArrayId, i128), (CType, Id)>,
    /// By what values were combined into elements of shared and local memory last, and how many barriers were passed then.
    combined: FxHashMap<(Option<usize>, ArrayId, i128), (u32, Op)>,
    open: Vec<Open>,
    epoch: u32,
    visits: u64,
    fresh: u32,
    /// How many stretches between barriers are behind it, where it runs from barrier to barrier.
    pub interval: Option<u32>,
}

/// A run between two barriers.
#[derive(Default)]
pub struct Suspended {
    threads: Vec<Thread>,
    taking_part: Vec<bool>,
    iterations: FxHashMap<LoopId, Id>,
    near: FxHashMap<(Option<usize>, ArrayId, i128), (CType, Id)>,
    epoch: u32,
    visits: u64,
    fresh: u32,
}

impl Suspended {
    /// A block at its entry.
    #[must_use]
    pub fn at_entry(setup: &Setup) -> Self {
        let threads = setup.threads.len();
        Suspended {
            threads: (0..threads).map(|_| Thread::default()).collect(),
            taking_part: vec![true; threads],
            // What only one run knows of has a name that no other side or launch gives.
            fresh: (u32::try_from(setup.step).unwrap_or(0) << 24)
                | (u32::try_from(setup.side).unwrap_or(0) << 23),
            ..Suspended::default()
        }
    }
}

/// Points that are being run through, from barrier to barrier.
#[derive(Clone, Debug)]
pub struct Frame {
    points: Vec<PointId>,
    position: usize,
    depth: usize,
    of: Option<Repeated>,
}

impl Frame {
    /// The whole of a launch.
    #[must_use]
    pub fn whole(index: &Index<'_>) -> Self {
        Frame {
            points: index.points.clone(),
            position: 0,
            depth: 0,
            of: None,
        }
    }

    /// The loop that the points are of.
    #[must_use]
    pub fn repeated(self) -> Option<Repeated> {
        self.of
    }
}

/// A loop with barriers in it that is being run through.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The loop.
    pub id: LoopId,
    /// The number of the iteration; none for an arbitrary one.
    number: Option<i128>,
    /// Which threads were there before.
    before: Vec<bool>,
}

/// Where a run from barrier to barrier stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Behind a barrier.
    Barrier,
    /// Before the first iteration of a loop that goes on for an open number of them.
    Loop(LoopId),
    /// At the end of an arbitrary iteration of it.
    EndOfIteration,
    /// At the end.
    End,
}

/// An open loop that is being visited.
struct Open {
    iteration: Id,
    /// By thread.
    conditions: Vec<Id>,
    /// Global arrays that it writes.
    writes: FxHashSet<u32>,
    /// Reads of these: array, address, thread.
    reads: Vec<(u32, Id, usize)>,
}

/// Runs the block.
///
/// # Errors
/// Why there is nothing to compare.
pub fn run(
    index: &Index<'_>,
    pool: &mut Pool,
    memory: &mut Memory,
    setup: &Setup,
) -> Result<(), Halt> {
    let entry = Suspended::at_entry(setup);
    let mut machine = Machine::resumed((index, setup), pool, memory, entry);
    let points = machine.index.points.clone();
    let ran = machine.sequence(&points, 0);
    machine.memory.visits += machine.visits;
    ran
}

impl<'a, 'f> Machine<'a, 'f> {
    /// Goes on with a run.
    pub fn resumed(
        (index, setup): (&'a Index<'f>, &'a Setup),
        pool: &'a mut Pool,
        memory: &'a mut Memory,
        suspended: Suspended,
    ) -> Self {
        Machine {
            index,
            pool,
            memory,
            setup,
            threads: suspended.threads,
            taking_part: suspended.taking_part,
            iterations: suspended.iterations,
            near: suspended.near,
            combined: FxHashMap::default(),
            open: Vec::new(),
            epoch: suspended.epoch,
            visits: suspended.visits,
            fresh: suspended.fresh,
            interval: None,
        }
    }

    /// Leaves the run as it is; no open loop is being visited.
    #[must_use]
    pub fn suspended(self) -> Suspended {
        Suspended {
            threads: self.threads,
            taking_part: self.taking_part,
            iterations: self.iterations,
            near: self.near,
            epoch: self.epoch,
            visits: self.visits,
            fresh: self.fresh,
        }
    }
}

impl Machine<'_, '_> {
    fn sequence(&mut self, points: &[PointId], depth: usize) -> Result<(), Halt> {
        let mut position = 0;
        while position < points.len() {
            let point = points[position];
            let loops = self.index.loops(point);
            if loops.len() > depth {
                let id = loops[depth];
                let inside = |other: &&PointId| self.index.loops(**other).get(depth) == Some(&id);
                let length = points[position..].iter().take_while(inside).count();
                self.repeat(id, &points[position..position + length], depth)?;
                position += length;
                continue;
            }
            self.visit(point)?;
            position += 1;
        }
        Ok(())
    }

    fn is_here(&self, thread: usize) -> bool {
        self.taking_part[thread] && !self.threads[thread].gone
    }

    /// The path condition of a point in a thread.
    fn guard(&mut self, thread: usize, point: PointId) -> Result<Id, Halt> {
        let index = self.index;
        let mut parts = Vec::new();
        let mut memo = FxHashMap::default();
        for row in index.guards(point) {
            // Whether a loop that is decided at its end goes on was decided there.
            if row.cause == GuardCause::Loop
                && let Some(&id) = index.loops(row.cause_point).last()
                && index.repeats(id).is_some()
                && index.facts.loop_[id.index()].head == row.cause_point
            {
                continue;
            }
            let value = self.evaluate(thread, row.term, &mut memo)?;
            let value = match row.polarity {
                true => value,
                false => self.pool.not(value),
            };
            match self.pool.as_int(value) {
                Some(0) => return Ok(value),
                Some(_) => {}
                None => parts.push(value),
            }
        }
        Ok(self.pool.all(parts))
    }

    fn visit(&mut self, point: PointId) -> Result<(), Halt> {
        let index = self.index;
        let kind = index.facts.point[point.index()].kind;
        let accesses = index.accesses(point);
        let lanes = index.lanes(point);
        let matters = !accesses.is_empty()
            || !lanes.is_empty()
            || matches!(
                kind,
                PointKind::Barrier | PointKind::Return | PointKind::Break
            );
        if !matters {
            return Ok(());
        }
        let mut present = Vec::new();
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                continue;
            }
            self.visits += 1;
            if self.visits > MAX_VISITS || self.pool.len() > MAX_VALUES {
                return Err(Halt::TooLong);
            }
            let guard = self.guard(thread, point)?;
            if self.pool.as_int(guard) != Some(0) {
                present.push((thread, guard));
            }
        }
        if present.is_empty() {
            return Ok(());
        }
        match kind {
            PointKind::Barrier => {
                if index
                    .barrier(point)
                    .is_some_and(|row| row.kind == BarrierKind::Grid)
                {
                    return not_followed("a barrier for the grid");
                }
                self.epoch += 1;
            }
            PointKind::Return | PointKind::Break => self.leave(point, &present)?,
            _ => {}
        }
        for row in lanes {
            self.exchange(row, &present)?;
        }
        for access in accesses {
            for &(thread, guard) in &present {
                self.access(thread, guard, access)?;
            }
        }
        Ok(())
    }

    fn leave(&mut self, point: PointId, present: &[(usize, Id)]) -> Result<(), Halt> {
        let left = self.index.leaves(point);
        let in_loop = !self.index.loops(point).is_empty();
        for &(thread, guard) in present {
            let is_known = self.pool.as_int(guard).is_some();
            match left {
                // What follows outside of loops has the condition of not having returned.
                None if !is_known && !in_loop => {}
                _ if !is_known || !self.open.is_empty() => {
                    return not_followed("a way out of a loop whose condition is open");
                }
                None => self.threads[thread].gone = true,
                Some(id) if self.index.loops(point).last() != Some(&id) => {
                    return not_followed("a way out of several loops");
                }
                Some(_) => self.taking_part[thread] = false,
            }
        }
        Ok(())
    }

    // Loops.

    fn repeat(&mut self, id: LoopId, body: &[PointId], depth: usize) -> Result<(), Halt> {
        let before = self.taking_part.clone();
        self.come_to(id, body)?;
        if self.is_open(id)? || self.is_long(id, body)? {
            self.visit_once(id, body, depth)?;
        } else {
            self.iterate(id, body, depth)?;
        }
        self.iterations.remove(&id);
        self.taking_part = before;
        Ok(())
    }

    /// Comes to a loop, before its first iteration.
    fn come_to(&mut self, id: LoopId, body: &[PointId]) -> Result<(), Halt> {
        let index = self.index;
        let row = &index.facts.loop_[id.index()];
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                self.taking_part[thread] = false;
                continue;
            }
            let guard = self.guard(thread, row.head)?;
            if self.pool.as_int(guard) == Some(0) {
                self.taking_part[thread] = false;
                continue;
            }
            for carried in index.carried(id) {
                let start = self.value(thread, carried.start);
                self.set(thread, carried.unknown, start)?;
            }
        }
        // What an earlier execution of the loop read is not what its condition is about.
        for access in body.iter().flat_map(|&point| index.accesses(point)) {
            for term in index.loads(access.access) {
                for thread in &mut self.threads {
                    thread.loads.remove(term);
                }
            }
        }
        let zero = self.pool.int(0);
        self.iterations.insert(id, zero);
        Ok(())
    }

    /// Whether the condition is not known before the first iteration, in some thread.
    fn is_open(&mut self, id: LoopId) -> Result<bool, Halt> {
        let Some(condition) = self.index.facts.loop_[id.index()].condition else {
            return Ok(false);
        };
        if self.index.repeats(id).is_some() {
            return Ok(false);
        }
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                continue;
            }
            match self.value(thread, condition) {
                Ok(value) if self.pool.as_int(value).is_none() => return Ok(true),
                Ok(value) if self.pool.as_int(value) == Some(0) => {}
                Ok(_) if self.ends_openly(thread, id, condition)? => return Ok(true),
                Ok(_) | Err(Halt::NotFollowed(_)) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(false)
    }

    /// Whether a loop that only its condition ends has more iterations than are written out where values are open.
    fn is_long(&mut self, id: LoopId, body: &[PointId]) -> Result<bool, Halt> {
        if self.setup.inputs.is_some() || self.index.repeats(id).is_some() {
            return Ok(false);
        }
        let Ok(condition) = self.only_condition(id, body) else {
            return Ok(false);
        };
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                continue;
            }
            let mut goes_on = true;
            // A number that is doubled wraps: not only the last iteration is asked about.
            let mut number = 1;
            while goes_on && number <= MAX_WRITTEN_OUT {
                let iteration = self.pool.int(number);
                goes_on = match self.condition_in(thread, id, condition, iteration) {
                    Ok(value) => self.pool.as_int(value).is_some_and(|value| value != 0),
                    Err(Halt::NotFollowed(_) | Halt::Undefined(_)) => false,
                    Err(halt) => return Err(halt),
                };
                number *= 2;
            }
            if goes_on {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether how long a loop goes on depends on what is open, as `k < n + 1` does, which holds at first.
    fn ends_openly(&mut self, thread: usize, id: LoopId, condition: TermId) -> Result<bool, Halt> {
        self.fresh += 1;
        let any = self.pool.leaf(Leaf::Iter(self.fresh));
        match self.condition_in(thread, id, condition, any) {
            Ok(value) => Ok(self.pool.parts(&[value]).into_iter().any(|part| {
                part != any
                    && matches!(
                        self.pool.node(part),
                        Node::Leaf(_) | Node::Input(..) | Node::Output(..)
                    )
            })),
            Err(Halt::NotFollowed(_) | Halt::Undefined(_)) => Ok(false),
            Err(halt) => Err(halt),
        }
    }

    /// The condition of a loop in an iteration, as far as it does not depend on the variables that the loop changes.
    fn condition_in(
        &mut self,
        thread: usize,
        id: LoopId,
        condition: TermId,
        iteration: Id,
    ) -> Result<Id, Halt> {
        let first = self.iterations.get(&id).copied();
        self.iterations.insert(id, iteration);
        let carried: Vec<UnknownId> = self
            .index
            .carried(id)
            .iter()
            .map(|row| row.unknown)
            .collect();
        let known = &mut self.threads[thread].unknowns;
        let before: Vec<(UnknownId, Option<Id>)> = carried
            .into_iter()
            .map(|unknown| (unknown, known.remove(&unknown)))
            .collect();
        let value = self.value(thread, condition);
        for (unknown, value) in before {
            if let Some(value) = value {
                self.threads[thread].unknowns.insert(unknown, value);
            }
        }
        if let Some(first) = first {
            self.iterations.insert(id, first);
        }
        value
    }

    fn set(
        &mut self,
        thread: usize,
        unknown: UnknownId,
        value: Result<Id, Halt>,
    ) -> Result<(), Halt> {
        match value {
            Ok(value) => {
                self.threads[thread].unknowns.insert(unknown, value);
            }
            Err(Halt::NotFollowed(_)) => {
                self.threads[thread].unknowns.remove(&unknown);
            }
            Err(halt) => return Err(halt),
        }
        Ok(())
    }

    fn iterate(&mut self, id: LoopId, body: &[PointId], depth: usize) -> Result<(), Halt> {
        for number in 0i128.. {
            if !(0..self.threads.len()).any(|thread| self.is_here(thread)) {
                return Ok(());
            }
            if number > MAX_ITERATIONS {
                return Err(Halt::TooLong);
            }
            let iteration = self.pool.int(number);
            self.iterations.insert(id, iteration);
            self.sequence(body, depth + 1)?;
            self.end_iteration(id, number)?;
        }
        Ok(())
    }

    /// Ends an iteration of this number: threads go on to the next one or leave the loop.
    fn end_iteration(&mut self, id: LoopId, number: i128) -> Result<(), Halt> {
        let index = self.index;
        let condition = index.facts.loop_[id.index()].condition;
        let iteration = self.pool.int(number);
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                continue;
            }
            self.visits += 1;
            if index.repeats(id).is_none()
                && let Some(condition) = condition
            {
                let goes_on = self.value(thread, condition)?;
                match self.pool.as_int(goes_on) {
                    Some(0) => {
                        self.leave_loop(thread, id, iteration)?;
                        continue;
                    }
                    Some(_) => {}
                    None => return not_followed("a loop whose condition is open later only"),
                }
            }
            let again = match index.repeats(id) {
                Some(term) => {
                    let again = self.value(thread, term)?;
                    match self.pool.as_int(again) {
                        Some(value) => value != 0,
                        None => return not_followed("the open condition of a do loop"),
                    }
                }
                None => true,
            };
            let next: Vec<Result<Id, Halt>> = index
                .carried(id)
                .iter()
                .map(|carried| self.value(thread, carried.next))
                .collect();
            for (carried, next) in index.carried(id).iter().zip(next) {
                self.set(thread, carried.unknown, next)?;
            }
            if !again {
                let after = self.pool.int(number + 1);
                self.iterations.insert(id, after);
                self.leave_loop(thread, id, after)?;
                self.iterations.insert(id, iteration);
            }
        }
        if self.visits > MAX_VISITS {
            return Err(Halt::TooLong);
        }
        Ok(())
    }

    fn leave_loop(&mut self, thread: usize, id: LoopId, exit: Id) -> Result<(), Halt> {
        self.threads[thread].exits.insert(id, exit);
        for left in self.index.left(id) {
            let value = self.value(thread, left.value);
            self.set(thread, left.unknown, value)?;
        }
        self.taking_part[thread] = false;
        Ok(())
    }

    /// Visits a loop for an arbitrary iteration.
    fn visit_once(&mut self, id: LoopId, body: &[PointId], depth: usize) -> Result<(), Halt> {
        let index = self.index;
        let condition = self.only_condition(id, body)?;
        let (near, far) = self.written_in(body)?;
        self.fresh += 1;
        let iteration = self.pool.leaf(Leaf::Iter(self.fresh));
        self.iterations.insert(id, iteration);
        // Before: what each variable starts as; inside: some value of its type.
        let mut starts: Vec<Vec<Option<Id>>> = Vec::new();
        let mut heads: Vec<Vec<Id>> = Vec::new();
        let mut conditions = Vec::new();
        for thread in 0..self.threads.len() {
            let (mut of_thread, mut at_head) = (Vec::new(), Vec::new());
            for carried in index.carried(id) {
                let ty = index.unknown_type(carried.unknown).unwrap_or(CType::Opaque);
                self.fresh += 1;
                let head = self.pool.leaf(Leaf::Carry(self.fresh, ty));
                at_head.push(head);
                let known = &mut self.threads[thread].unknowns;
                of_thread.push(known.insert(carried.unknown, head));
            }
            starts.push(of_thread);
            heads.push(at_head);
            let holds = match self.is_here(thread) {
                true => self.value(thread, condition)?,
                false => self.pool.truth(false),
            };
            conditions.push(holds);
        }
        self.near.retain(|(_, array, _), _| !near.contains(array));
        self.open.push(Open {
            iteration,
            conditions: conditions.clone(),
            writes: far,
            reads: Vec::new(),
        });
        let (epoch, writes) = (self.epoch, self.memory.writes.len());
        self.sequence(body, depth + 1)?;
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        self.check_reads(&open, epoch, writes)?;
        self.near.retain(|(_, array, _), _| !near.contains(array));
        for thread in 0..self.threads.len() {
            if !self.is_here(thread) {
                continue;
            }
            let nexts: Vec<Option<Id>> = index
                .carried(id)
                .iter()
                .map(|carried| self.value(thread, carried.next).ok())
                .collect();
            let state = (starts[thread].as_slice(), heads[thread].as_slice(), nexts);
            self.close(thread, id, (iteration, conditions[thread]), &state)?;
        }
        Ok(())
    }

    /// The condition of a loop that is left by it alone.
    fn only_condition(&self, id: LoopId, body: &[PointId]) -> Result<TermId, Halt> {
        let index = self.index;
        let row = &index.facts.loop_[id.index()];
        let is_return =
            |point: &PointId| index.facts.point[point.index()].kind == PointKind::Return;
        match row.condition {
            Some(condition) if !row.has_break && !body.iter().any(is_return) => Ok(condition),
            _ => not_followed("an open loop that is left other than by its condition"),
        }
    }

    /// What variables of a thread are behind an open loop.
    fn close(
        &mut self,
        thread: usize,
        id: LoopId,
        (iteration, condition): (Id, Id),
        state: &(&[Option<Id>], &[Id], Vec<Option<Id>>),
    ) -> Result<(), Halt> {
        let index = self.index;
        let exit = match self.folded(&[], (iteration, condition), state) {
            Some((fold, _)) => Some(self.pool.trips(fold)),
            None => None,
        };
        let slots = index.carried(id).len();
        let values: Vec<Option<Id>> = (0..slots)
            .map(|slot| {
                let (fold, place) = self.folded(&[slot], (iteration, condition), state)?;
                Some(self.pool.fold(fold, place))
            })
            .collect();
        for (carried, value) in index.carried(id).iter().zip(values) {
            let unknowns = &mut self.threads[thread].unknowns;
            match value {
                Some(value) => unknowns.insert(carried.unknown, value),
                None => unknowns.remove(&carried.unknown),
            };
        }
        let Some(exit) = exit else { return Ok(()) };
        self.iterations.insert(id, exit);
        self.leave_loop(thread, id, exit)?;
        self.iterations.insert(id, iteration);
        self.taking_part[thread] = true;
        Ok(())
    }

    /// The fold of these variables with all that they and the condition depend on, and the place of the first.
    fn folded(
        &mut self,
        wanted: &[usize],
        (iteration, condition): (Id, Id),
        (starts, heads, nexts): &(&[Option<Id>], &[Id], Vec<Option<Id>>),
    ) -> Option<(Fold, u32)> {
        let mut slots: Vec<usize> = wanted.to_vec();
        let mut checked = 0;
        let mut roots = vec![condition];
        loop {
            for &slot in &slots[checked..] {
                roots.push(nexts[slot]?);
            }
            checked = slots.len();
            for part in self.pool.parts(&roots) {
                if let Some(slot) = heads.iter().position(|&head| head == part)
                    && !slots.contains(&slot)
                {
                    slots.push(slot);
                }
            }
            if slots.len() == checked {
                break;
            }
        }
        let others = self.pool.parts(&roots).into_iter().any(|part| {
            let own = heads.contains(&part);
            matches!(self.pool.node(part), Node::Leaf(Leaf::Carry(..)))
                && !own
                && self.open.is_empty()
        });
        if others {
            return None;
        }
        // What an earlier launch left may be a loop of its own, and will stand in this one.
        let least = match self.setup.reads_outputs {
            true => u32::try_from(self.setup.step).unwrap_or(0) * HEIGHTS_OF_LAUNCH,
            false => 0,
        };
        let height = self.pool.height(&roots).max(least);
        let mut images = FxHashMap::default();
        images.insert(iteration, self.pool.leaf(Leaf::Bound(height)));
        for (place, &slot) in slots.iter().enumerate() {
            let place = u32::try_from(place).ok()?;
            let bound = self.pool.leaf(Leaf::BoundCarry(height, place));
            images.insert(heads[slot], bound);
        }
        let start: Option<Vec<Id>> = slots.iter().map(|&slot| starts[slot]).collect();
        let mut next = Vec::with_capacity(slots.len());
        for &slot in &slots {
            next.push(self.pool.rebuilt(nexts[slot]?, &images));
        }
        let fold = Fold {
            height,
            condition: self.pool.rebuilt(condition, &images),
            start: start?,
            next,
        };
        Some((fold, 0))
    }

    /// The near and the far arrays that are written at these points.
    fn written_in(&self, body: &[PointId]) -> Result<(FxHashSet<ArrayId>, FxHashSet<u32>), Halt> {
        let (mut near, mut far) = (FxHashSet::default(), FxHashSet::default());
        for access in body.iter().flat_map(|&point| self.index.accesses(point)) {
            if access.kind == AccessKind::Read {
                continue;
            }
            let storage = self.index.storage(access.array);
            if self.is_near(storage) {
                near.insert(storage.array);
            } else {
                far.insert(self.far(storage)?);
            }
        }
        Ok((near, far))
    }

    /// Reads in an open loop of what it writes: each thread must read only the element that it writes in the same iteration, and
    /// write another one in every other.
    fn check_reads(&mut self, open: &Open, epoch: u32, first: usize) -> Result<(), Halt> {
        if open.reads.is_empty() {
            return Ok(());
        }
        let reason = "a loop that reads what its other iterations may have written";
        if self.epoch != epoch {
            return not_followed(reason);
        }
        for &(array, address, thread) in &open.reads {
            for position in first..self.memory.writes.len() {
                let write = &self.memory.writes[position];
                if write.array != array || write.thread != thread {
                    continue;
                }
                let at = write.address;
                let combines = write.combines.is_some();
                if combines || at != address || !self.is_injective(at, open.iteration) {
                    return not_followed(reason);
                }
            }
        }
        Ok(())
    }

    /// Whether an address is another one in every iteration: linear in it, by a factor that is positive.
    fn is_injective(&mut self, address: Id, iteration: Id) -> bool {
        let zero = self.pool.int(0);
        let one = self.pool.int(1);
        let at = |me: &mut Self, value: Id| {
            me.pool
                .rebuilt(address, &FxHashMap::from_iter([(iteration, value)]))
        };
        let (first, second) = (at(self, zero), at(self, one));
        let step = self.pool.plus(second, first, -1);
        let moved = self.pool.times(step, iteration);
        let linear = self.pool.plus(first, moved, 1);
        let (low, high) = self.pool.interval(step);
        linear == address && (low > 0 || high < 0)
    }

    // From barrier to barrier.

    /// Runs to the next barrier, to a loop with barriers in it whose length is open, to the end of an iteration of it, or to the end.
    ///
    /// # Errors
    /// What is not followed.
    pub fn to_next_stop(&mut self, frames: &mut Vec<Frame>) -> Result<Stop, Halt> {
        let index = self.index;
        loop {
            let Some(frame) = frames.last_mut() else {
                return Ok(Stop::End);
            };
            if frame.position >= frame.points.len() {
                let Some(repeated) = &mut frame.of else {
                    frames.pop();
                    return Ok(Stop::End);
                };
                let Some(number) = repeated.number else {
                    return Ok(Stop::EndOfIteration);
                };
                self.end_iteration(repeated.id, number)?;
                if number >= MAX_ITERATIONS {
                    return Err(Halt::TooLong);
                }
                if (0..self.threads.len()).any(|thread| self.is_here(thread)) {
                    repeated.number = Some(number + 1);
                    let iteration = self.pool.int(number + 1);
                    self.iterations.insert(repeated.id, iteration);
                    frame.position = 0;
                } else {
                    self.iterations.remove(&repeated.id);
                    self.taking_part.clone_from(&repeated.before);
                    frames.pop();
                }
                continue;
            }
            let (point, depth) = (frame.points[frame.position], frame.depth);
            let Some(&id) = index.loops(point).get(depth) else {
                frame.position += 1;
                let epoch = self.epoch;
                self.visit(point)?;
                if self.epoch != epoch {
                    return Ok(Stop::Barrier);
                }
                continue;
            };
            let inside = |other: &&PointId| index.loops(**other).get(depth) == Some(&id);
            let body: Vec<PointId> = frame.points[frame.position..]
                .iter()
                .take_while(inside)
                .copied()
                .collect();
            frame.position += body.len();
            let mut kinds = body
                .iter()
                .map(|point| index.facts.point[point.index()].kind);
            if !kinds.any(|kind| kind == PointKind::Barrier) {
                self.repeat(id, &body, depth)?;
                continue;
            }
            let before = self.taking_part.clone();
            self.come_to(id, &body)?;
            if !(0..self.threads.len()).any(|thread| self.is_here(thread)) {
                self.iterations.remove(&id);
                self.taking_part = before;
                continue;
            }
            let is_open = self.is_open(id)?;
            if is_open {
                self.only_condition(id, &body)?;
            }
            frames.push(Frame {
                points: body,
                position: 0,
                depth: depth + 1,
                of: Some(Repeated {
                    id,
                    number: (!is_open).then_some(0),
                    before,
                }),
            });
            if is_open {
                return Ok(Stop::Loop(id));
            }
        }
    }

    /// What the variables of a loop are before it, where that is known.
    pub fn starts(&self, id: LoopId) -> Vec<Option<Id>> {
        let carried = self.index.carried(id).iter();
        let known = &self.threads[0].unknowns;
        carried
            .map(|row| known.get(&row.unknown).copied())
            .collect()
    }

    /// Starts an arbitrary iteration with variables that are given by their places; nothing is known of the others.
    pub fn start(&mut self, id: LoopId, iteration: Id, heads: &[(usize, Id)]) {
        self.iterations.insert(id, iteration);
        self.set_all(id, heads);
    }

    fn set_all(&mut self, id: LoopId, values: &[(usize, Id)]) {
        let known = &mut self.threads[0].unknowns;
        for (place, row) in self.index.carried(id).iter().enumerate() {
            match values.iter().find(|(other, _)| *other == place) {
                Some(&(_, value)) => known.insert(row.unknown, value),
                None => known.remove(&row.unknown),
            };
        }
    }

    /// Whether a loop goes on in the iteration that it is in.
    ///
    /// # Errors
    /// The condition is not followed.
    pub fn condition(&mut self, id: LoopId) -> Result<Id, Halt> {
        match self.index.facts.loop_[id.index()].condition {
            Some(condition) => self.value(0, condition),
            None => Ok(self.pool.truth(true)),
        }
    }

    /// What a variable of a loop is in the next iteration.
    ///
    /// # Errors
    /// It is not followed.
    pub fn next(&mut self, id: LoopId, place: usize) -> Result<Id, Halt> {
        let next = self.index.carried(id)[place].next;
        self.value(0, next)
    }

    /// Leaves a loop behind so many iterations, with what its variables are then.
    ///
    /// # Errors
    /// What is left behind it is not followed.
    pub fn finish(
        &mut self,
        repeated: Repeated,
        exit: Id,
        left: &[(usize, Id)],
    ) -> Result<(), Halt> {
        // Values that were kept were made under what is known while the loop goes on, and is not known behind it.
        for thread in &mut self.threads {
            thread.lasting.clear();
        }
        self.set_all(repeated.id, left);
        self.iterations.insert(repeated.id, exit);
        self.leave_loop(0, repeated.id, exit)?;
        self.iterations.remove(&repeated.id);
        self.taking_part = repeated.before;
        Ok(())
    }

    // Other lanes.

    fn exchange(&mut self, row: &LaneValueRow, present: &[(usize, Id)]) -> Result<(), Halt> {
        let sizes: Option<Vec<i128>> = self
            .setup
            .block
            .iter()
            .map(|&size| self.pool.as_int(size))
            .collect();
        let mut numbers = self.setup.threads.iter().flatten();
        let are_open = numbers.any(|&id| self.pool.as_int(id).is_none());
        let (Some(sizes), true) = (sizes, self.open.is_empty() && !are_open) else {
            return not_followed("a value of another lane");
        };
        if present
            .iter()
            .any(|(_, guard)| self.pool.as_int(*guard).is_none())
        {
            return not_followed("a shuffle under an open condition");
        }
        let rank = |me: &Self, thread: usize| {
            let [x, y, z] = me.setup.threads[thread].map(|id| me.pool.as_int(id).unwrap_or(0));
            x + sizes[0] * (y + sizes[1] * z)
        };
        let mut given = FxHashMap::default();
        for &(thread, _) in present {
            if let Ok(value) = self.value(thread, row.value) {
                given.insert(rank(self, thread), value);
            }
        }
        let mut results = Vec::new();
        for &(thread, _) in present {
            let own = rank(self, thread);
            let from = self.value(thread, row.from)?;
            let width = match row.width {
                Some(width) => self.value(thread, width)?,
                None => self.pool.int(32),
            };
            let (Some(from), Some(width)) = (self.pool.as_int(from), self.pool.as_int(width))
            else {
                return not_followed("a shuffle from an open lane");
            };
            if ![1, 2, 4, 8, 16, 32].contains(&width) {
                return Err(Halt::Undefined("the width of a shuffle".to_owned()));
            }
            let lane = own % 32;
            let segment = lane - lane % width;
            let name = row.operation.trim_end_matches("_sync");
            let source = match name {
                "__shfl" => segment + from.rem_euclid(width),
                "__shfl_up" if lane - from >= segment => lane - from,
                "__shfl_down" if lane + from < segment + width => lane + from,
                "__shfl_xor" if (lane ^ from) < segment + width => lane ^ from,
                _ => lane,
            };
            results.push((thread, given.get(&(own - lane + source)).copied()));
        }
        for (thread, value) in results {
            let value = value.ok_or_else(|| Halt::NotFollowed("a lane that is not there".into()));
            self.set(thread, row.unknown, value)?;
        }
        Ok(())
    }
}

/// Runs one open thread of a block from barrier to barrier. What it reads of shared memory is what threads of the block have left
/// there before the last barrier; the stretches are counted on from a number.
///
/// # Errors
/// Why there is nothing to compare.
pub fn run_by_intervals(
    index: &Index<'_>,
    pool: &mut Pool,
    memory: &mut Memory,
    setup: &Setup,
    interval: &mut u32,
) -> Result<(), Halt> {
    let entry = Suspended::at_entry(setup);
    let mut machine = Machine::resumed((index, setup), pool, memory, entry);
    let mut frames = vec![Frame::whole(index)];
    loop {
        machine.interval = Some(*interval);
        let stop = machine.to_next_stop(&mut frames)?;
        *interval += 1;
        match stop {
            Stop::Barrier => {}
            Stop::Loop(_) | Stop::EndOfIteration => {
                return not_followed("an open loop with barriers in it");
            }
            Stop::End => return Ok(()),
        }
    }
}

/// The value of a term of the launch alone.
///
/// # Errors
/// It is not followed.
pub fn value_in(
    index: &Index<'_>,
    pool: &mut Pool,
    memory: &mut Memory,
    setup: &Setup,
    term: TermId,
) -> Result<Id, Halt> {
    let entry = Suspended {
        threads: vec![Thread::default()],
        taking_part: vec![true],
        ..Suspended::default()
    };
    let mut machine = Machine::resumed((index, setup), pool, memory, entry);
    machine.value(0, term)
}
