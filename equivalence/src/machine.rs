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

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use crate::index::Index;
use crate::memory::{Cell, Inputs, Memory, Who, Write, distance};
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
    machine.sequence(&points, 0)
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
            if self.visits > MAX_VISITS {
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
        if self.is_open(id)? {
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

    /// Whether how long a loop goes on depends on what is open, as `k < n + 1` does, which holds at first.
    fn ends_openly(&mut self, thread: usize, id: LoopId, condition: TermId) -> Result<bool, Halt> {
        let first = self.iterations.get(&id).copied();
        self.fresh += 1;
        let any = self.pool.leaf(Leaf::Iter(self.fresh));
        self.iterations.insert(id, any);
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
        match value {
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

    // Memory.

    /// Whether contents of an array are kept element by element.
    fn is_near(&self, storage: &ArrayRow) -> bool {
        match storage.space {
            Space::Local => true,
            Space::Shared => !self.setup.shared.contains_key(&storage.array),
            _ => false,
        }
    }

    fn far(&self, storage: &ArrayRow) -> Result<u32, Halt> {
        let shared = self.setup.shared.get(&storage.array);
        match shared.or_else(|| self.setup.arrays.get(&storage.array)) {
            Some(&number) => Ok(number),
            None => not_followed(format!("the array {}", storage.name)),
        }
    }

    fn access(&mut self, thread: usize, guard: Id, access: &AccessRow) -> Result<(), Halt> {
        let facts = self.index.facts;
        let storage = self.index.storage(access.array);
        match access.kind {
            AccessKind::Read => {
                for &term in self.index.loads(access.access) {
                    let node = facts.terms.get(term);
                    let (Some(&at), true) = (node.args.first(), node.ty.bytes().is_some()) else {
                        continue;
                    };
                    let at = self.value(thread, at)?;
                    let at = self.pool.offset(at);
                    match self.read(thread, storage, at, node.ty, guard) {
                        Ok(value) => self.threads[thread].loads.insert(term, value),
                        Err(Halt::NotFollowed(_)) if storage.space != Space::Global => {
                            self.threads[thread].loads.remove(&term)
                        }
                        Err(halt) => return Err(halt),
                    };
                }
            }
            AccessKind::Write => {
                let parts = self.index.parts(access.access);
                let mut stored: Vec<(u32, TermId)> =
                    parts.iter().map(|part| (part.start, part.value)).collect();
                if stored.is_empty() {
                    let Some(value) = access.value else {
                        return not_followed("a value that is stored and not known");
                    };
                    stored.push((0, value));
                }
                for (start, term) in stored {
                    let ty = facts.terms.ty(term);
                    let value = self.value(thread, term)?;
                    let at = self.value(thread, access.index)?;
                    let at = self.pool.offset(at);
                    let start = self.pool.int(i128::from(start));
                    let at = self.pool.plus(at, start, 1);
                    self.write(thread, (storage, at), (ty, value), (guard, access.access))?;
                }
            }
            AccessKind::Atomic => self.atomic(thread, guard, access, storage)?,
        }
        Ok(())
    }

    fn near_key(
        &self,
        thread: usize,
        storage: &ArrayRow,
        at: i128,
    ) -> (Option<usize>, ArrayId, i128) {
        let own = (storage.space == Space::Local).then_some(thread);
        (own, storage.array, at)
    }

    /// Whether threads are numbers, so that what another one left in shared memory is known.
    fn check_threads(&self, storage: &ArrayRow) -> Result<(), Halt> {
        let mut numbers = self.setup.threads.iter().flatten();
        if storage.space == Space::Shared && numbers.any(|&id| self.pool.as_int(id).is_none()) {
            return not_followed("shared memory of threads that are open");
        }
        Ok(())
    }

    fn check_bounds(&self, storage: &ArrayRow, at: i128) -> Result<(), Halt> {
        if at < 0 || storage.bytes.is_some_and(|bytes| at >= i128::from(bytes)) {
            return Err(Halt::Undefined(format!("{} is left", storage.name)));
        }
        Ok(())
    }

    fn read(
        &mut self,
        thread: usize,
        storage: &ArrayRow,
        at: Id,
        ty: CType,
        guard: Id,
    ) -> Result<Id, Halt> {
        if self.is_near(storage) {
            self.check_threads(storage)?;
            let Some(at) = self.pool.as_int(at) else {
                return not_followed("an open address in shared memory");
            };
            if self.pool.as_int(guard).is_some() {
                self.check_bounds(storage, at)?;
            }
            let key = self.near_key(thread, storage, at);
            return match self.near.get(&key) {
                Some(&(of, value)) if of == ty => Ok(value),
                Some(&(of, value)) if of.bits() == ty.bits() && of.is_integer() => {
                    Ok(self.pool.converted(value, ty))
                }
                _ => not_followed(format!("contents of {}", storage.name)),
            };
        }
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        if let (Some(inputs), Some(address)) = (self.setup.inputs, self.pool.as_int(at)) {
            if address < 0 {
                return Err(Halt::Undefined(format!("{} is left", storage.name)));
            }
            let cell = self.memory.cells.get(&(array, address));
            let is_initial = self.setup.initial.contains(&storage.array);
            return Ok(match cell.filter(|_| !is_initial) {
                Some(cell) if cell.ty == ty => cell.value,
                Some(cell) => self.pool.converted(cell.value, ty),
                None => inputs.at(self.pool, array, ty, address),
            });
        }
        if self.setup.inputs.is_some() {
            return not_followed("an address that is no number");
        }
        if self.setup.initial.contains(&storage.array) {
            return Ok(self.pool.input(array, ty, at));
        }
        for open in &mut self.open {
            if open.writes.contains(&array) {
                open.reads.push((array, at, thread));
            }
        }
        let of_array = self.memory.writes.iter();
        let mut steps = of_array
            .filter(|write| write.array == array)
            .map(|write| write.step);
        let first = steps.next();
        if self.setup.reads_outputs
            && first.is_some_and(|first| first != self.setup.step)
            && steps.all(|step| step != self.setup.step)
        {
            let step = u32::try_from(self.setup.step).unwrap_or(u32::MAX);
            return Ok(self.pool.output(array, step, ty, at));
        }
        let bytes = i128::from(ty.bytes().unwrap_or(8));
        let own_step = self.step_of(storage);
        for position in (0..self.memory.writes.len()).rev() {
            let write = &self.memory.writes[position];
            if write.array != array {
                continue;
            }
            // What shared memory holds at a barrier is looked for by who reads the value.
            if storage.space == Space::Shared && write.step != own_step {
                break;
            }
            let (address, value, held) = (write.address, write.value, write.guard);
            let (of, epoch, step, of_type) = (write.thread, write.epoch, write.step, write.ty);
            let combines = write.combines.is_some();
            let in_loop = write
                .loops
                .iter()
                .any(|(one, _)| !self.open.iter().any(|open| open.iteration == *one));
            if address == at && !in_loop && of_type == ty && !combines {
                self.pool.enter(guard);
                let implied = self.pool.rebuilt(held, &FxHashMap::default());
                let implied = self.pool.as_int(implied) == Some(1);
                self.pool.leave();
                if implied {
                    return Ok(value);
                }
            }
            // Others write what this thread reads only with a barrier or a launch between.
            if of != thread && epoch == self.epoch && step == own_step {
                continue;
            }
            // Who the others are is known only of the threads of this block, where they are numbers.
            let one = self.pool.as_int(self.setup.block[0]).is_none() || self.threads.len() == 1;
            if step != own_step || one && epoch != self.epoch {
                return not_followed("a read of what other threads have written before");
            }
            match distance(self.pool, address, at) {
                Some(apart) if apart.abs() >= bytes => {}
                // Where this is read, that was not written.
                _ if self.excludes(guard, held) => {}
                _ => return not_followed("a read of what may have been written before"),
            }
        }
        if let Some(interval) = self.interval
            && self.setup.written.contains(&array)
        {
            return Ok(self.pool.output(array, interval, ty, at));
        }
        Ok(self.pool.input(array, ty, at))
    }

    fn excludes(&mut self, condition: Id, other: Id) -> bool {
        self.pool.enter(condition);
        self.pool.enter(other);
        let excludes = self.pool.is_contradictory();
        self.pool.leave();
        self.pool.leave();
        excludes
    }

    fn who(&self, thread: usize) -> Who {
        let number = |id: Id| self.pool.as_int(id).unwrap_or(-1);
        Who {
            block: self.setup.of_grid.map(number),
            thread: self.setup.threads[thread].map(number),
        }
    }

    fn write(
        &mut self,
        thread: usize,
        (storage, at): (&ArrayRow, Id),
        (ty, value): (CType, Id),
        (guard, access): (Id, AccessId),
    ) -> Result<(), Halt> {
        if ty.bytes().is_none() {
            return not_followed("an object of a type that is not followed");
        }
        if self.is_near(storage) {
            self.check_threads(storage)?;
            let Some(at) = self.pool.as_int(at) else {
                return not_followed("an open address in shared memory");
            };
            let key = self.near_key(thread, storage, at);
            let value = if self.pool.as_int(guard).is_some() {
                self.check_bounds(storage, at)?;
                value
            } else {
                let old = self
                    .near
                    .get(&key)
                    .filter(|(of, _)| *of == ty)
                    .map(|(_, old)| *old);
                // Nothing that is known was there before: what it was matters only where the guard did not hold.
                let old = old.unwrap_or_else(|| {
                    self.fresh += 1;
                    let name = format!("{UNINITIALISED} {}", self.fresh);
                    self.pool.call(&name, ty, Vec::new())
                });
                self.pool.ite(guard, value, old)
            };
            // Parts of what stood there stand there no more.
            let bytes = i128::from(ty.bytes().unwrap_or(8));
            for other in at - 7..at + bytes {
                let other_key = self.near_key(thread, storage, other);
                if other != at
                    && let Some((of, _)) = self.near.get(&other_key)
                    && other + i128::from(of.bytes().unwrap_or(8)) > at
                {
                    self.near.remove(&other_key);
                }
            }
            self.near.insert(key, (ty, value));
            return Ok(());
        }
        if self.setup.inputs.is_none() {
            return self.assign(thread, (storage, at), (ty, value), (guard, access), None);
        }
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        let (Some(at), Some(_)) = (self.pool.as_int(at), self.pool.as_int(guard)) else {
            return not_followed("an address that is no number");
        };
        if at < 0 {
            return Err(Halt::Undefined(format!("{} is left", storage.name)));
        }
        let writer = (self.who(thread), access, self.setup.step);
        self.memory
            .cells
            .insert((array, at), Cell { ty, value, writer });
        Ok(())
    }

    /// Notes what a thread assigns to open memory, or combines with what stands there.
    fn assign(
        &mut self,
        thread: usize,
        (storage, address): (&ArrayRow, Id),
        (ty, value): (CType, Id),
        (guard, access): (Id, AccessId),
        combines: Option<Op>,
    ) -> Result<(), Halt> {
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        let loops = self.open.iter();
        let loops = loops
            .map(|open| (open.iteration, open.conditions[thread]))
            .collect();
        self.memory.writes.push(Write {
            array,
            address,
            ty,
            value,
            guard,
            loops,
            thread,
            epoch: self.epoch,
            access,
            step: self.step_of(storage),
            combines,
        });
        Ok(())
    }

    /// By what writes to an array are told apart: the launch, or the stretch between barriers for shared memory.
    fn step_of(&self, storage: &ArrayRow) -> usize {
        match (storage.space, self.interval) {
            (Space::Shared, Some(interval)) => usize::try_from(interval).unwrap_or(usize::MAX),
            _ => self.setup.step,
        }
    }

    fn atomic(
        &mut self,
        thread: usize,
        guard: Id,
        access: &AccessRow,
        storage: &ArrayRow,
    ) -> Result<(), Halt> {
        let reason = format!("the order of {}", access.operation);
        let Some(operand) = self.index.operand(access.access) else {
            return not_followed(reason);
        };
        let ty = self.index.facts.terms.ty(operand);
        let operation = access
            .operation
            .trim_end_matches("_block")
            .trim_end_matches("_system");
        let combines = match (operation, ty.is_integer()) {
            ("atomicAdd" | "atomicSub", true) => Op::Add,
            ("atomicAdd", false) if self.pool.reassociates => Op::Add,
            ("atomicMin", true) => Op::Min,
            ("atomicMax", true) => Op::Max,
            ("atomicAnd", true) => Op::BitAnd,
            ("atomicOr", true) => Op::BitOr,
            ("atomicXor", true) => Op::BitXor,
            _ => return not_followed(reason),
        };
        let at = self.value(thread, access.index)?;
        let mut value = self.value(thread, operand)?;
        if operation == "atomicSub" {
            let zero = self.pool.int(0);
            value = self.pool.plus(zero, value, -1);
            value = self.pool.converted(value, unsigned_of(ty));
        }
        if !self.is_near(storage) && self.setup.inputs.is_none() {
            let at = self.pool.offset(at);
            let of_type = (ty, value);
            return self.assign(
                thread,
                (storage, at),
                of_type,
                (guard, access.access),
                Some(combines),
            );
        }
        if !self.open.is_empty() {
            return not_followed("an atomic operation on open contents");
        }
        self.check_operations(thread, storage, at, combines)?;
        let (mut guard, every) = (guard, self.pool.truth(true));
        // Where it is not made, nothing is added.
        let is_inside = self
            .pool
            .as_int(at)
            .is_some_and(|at| self.check_bounds(storage, at).is_ok());
        if matches!(combines, Op::Add | Op::BitOr | Op::BitXor) && is_inside {
            let zero = self.pool.int(0);
            value = self.pool.ite(guard, value, zero);
            guard = every;
        }
        let old = self.read(thread, storage, at, ty, every)?;
        let new = match (combines, ty.is_integer()) {
            (Op::Add, false) => self.pool.plus(old, value, 1),
            (Op::Add, true) => self.binary(Op::Add, unsigned_of(ty), old, value)?,
            _ => self.binary(combines, ty, old, value)?,
        };
        let new = match ty.is_integer() {
            true => self.pool.converted(new, ty),
            false => new,
        };
        self.write(thread, (storage, at), (ty, new), (guard, access.access))
    }

    /// Values are combined into an element by one operation between two barriers, or by all blocks of a launch: in what order
    /// threads come to it does not matter then.
    fn check_operations(
        &mut self,
        thread: usize,
        storage: &ArrayRow,
        at: Id,
        combines: Op,
    ) -> Result<(), Halt> {
        let Some(at) = self.pool.as_int(at) else {
            return Ok(());
        };
        let is_other = if self.is_near(storage) {
            let key = self.near_key(thread, storage, at);
            let before = self.combined.insert(key, (self.epoch, combines));
            before.is_some_and(|(epoch, other)| epoch == self.epoch && other != combines)
        } else {
            let key = (self.setup.step, self.far(storage)?, at);
            let before = self.memory.combined.insert(key, combines);
            before.is_some_and(|other| other != combines)
        };
        match is_other {
            true => not_followed("atomic operations of two kinds on one element"),
            false => Ok(()),
        }
    }

    // Terms.

    fn value(&mut self, thread: usize, term: TermId) -> Result<Id, Halt> {
        self.evaluate(thread, term, &mut FxHashMap::default())
    }

    fn evaluate(
        &mut self,
        thread: usize,
        id: TermId,
        memo: &mut FxHashMap<TermId, Id>,
    ) -> Result<Id, Halt> {
        let lasts = !self.index.varies[id.index()];
        let known = match lasts {
            true => self.threads[thread].lasting.get(&id),
            false => memo.get(&id),
        };
        if let Some(&known) = known {
            return Ok(known);
        }
        let value = self.step(thread, id, memo)?;
        if lasts {
            self.threads[thread].lasting.insert(id, value);
        } else {
            memo.insert(id, value);
        }
        Ok(value)
    }

    fn step(
        &mut self,
        thread: usize,
        id: TermId,
        memo: &mut FxHashMap<TermId, Id>,
    ) -> Result<Id, Halt> {
        let facts = self.index.facts;
        let term = facts.terms.get(id);
        match term.op {
            Op::Ite => {
                let condition = self.evaluate(thread, term.args[0], memo)?;
                return match self.pool.as_int(condition) {
                    Some(0) => self.evaluate(thread, term.args[2], memo),
                    Some(_) => self.evaluate(thread, term.args[1], memo),
                    None => {
                        let then = self.evaluate(thread, term.args[1], memo)?;
                        let otherwise = self.evaluate(thread, term.args[2], memo)?;
                        Ok(self.pool.ite(condition, then, otherwise))
                    }
                };
            }
            Op::And | Op::Or => {
                let left = self.evaluate(thread, term.args[0], memo)?;
                let decides = i128::from(term.op == Op::Or);
                if let Some(value) = self.pool.as_int(left) {
                    if (value != 0) == (decides != 0) {
                        return Ok(self.pool.truth(decides != 0));
                    }
                    return self.evaluate(thread, term.args[1], memo);
                }
                let right = self.evaluate(thread, term.args[1], memo)?;
                return Ok(match term.op {
                    Op::And => self.pool.all(vec![left, right]),
                    _ => self.pool.any(vec![left, right]),
                });
            }
            Op::Load => {
                let found = self.threads[thread].loads.get(&id).copied();
                return found.ok_or_else(|| {
                    let access = term.access().map(|access| &facts.access[access.index()]);
                    let name = access.map_or("memory", |access| {
                        facts.array[access.array.index()].name.as_str()
                    });
                    Halt::NotFollowed(format!("a value read from {name}"))
                });
            }
            Op::Unknown => {
                let found = term
                    .unknown()
                    .and_then(|unknown| self.threads[thread].unknowns.get(&unknown).copied());
                return found.ok_or_else(|| {
                    let row = term
                        .unknown()
                        .map(|unknown| &facts.unknown[unknown.index()]);
                    Halt::NotFollowed(row.map_or(String::new(), |row| row.reason.clone()))
                });
            }
            _ => {}
        }
        let mut args = Vec::with_capacity(term.args.len());
        for &arg in &term.args {
            args.push(self.evaluate(thread, arg, memo)?);
        }
        self.apply(thread, id, &args)
    }

    fn apply(&mut self, thread: usize, id: TermId, args: &[Id]) -> Result<Id, Halt> {
        let facts = self.index.facts;
        let term = facts.terms.get(id);
        let setup = self.setup;
        let tid = setup.threads[thread];
        Ok(match (term.op, args) {
            (Op::Const, _) if term.ty.is_integer() => self.pool.int(term.payload),
            (Op::Const, _) if self.pool.reassociates => {
                self.pool.ring_constant(term.ty, term.payload)
            }
            (Op::Const, _) => self.pool.float(term.ty, term.payload),
            (Op::TidX, _) => tid[0],
            (Op::TidY, _) => tid[1],
            (Op::TidZ, _) => tid[2],
            (Op::BidX, _) => setup.of_grid[0],
            (Op::BidY, _) => setup.of_grid[1],
            (Op::BidZ, _) => setup.of_grid[2],
            (Op::BdimX, _) => setup.block[0],
            (Op::BdimY, _) => setup.block[1],
            (Op::BdimZ, _) => setup.block[2],
            (Op::GdimX, _) => setup.grid[0],
            (Op::GdimY, _) => setup.grid[1],
            (Op::GdimZ, _) => setup.grid[2],
            (Op::Symbol, _) => {
                let known = term.symbol().and_then(|symbol| setup.symbols.get(&symbol));
                match known {
                    Some(&value) => value,
                    None => return not_followed("a value of the host"),
                }
            }
            (Op::Iter, _) => {
                let known = term.loop_id().and_then(|id| self.iterations.get(&id));
                match known {
                    Some(&value) => value,
                    None => return not_followed("an iteration"),
                }
            }
            (Op::Exit, _) => {
                let exits = &self.threads[thread].exits;
                match term.loop_id().and_then(|id| exits.get(&id)) {
                    Some(&value) => value,
                    None => return not_followed("the number of iterations of a loop"),
                }
            }
            (Op::Pure, _) => {
                let function = term.function().map_or(0, |function| function.index());
                let name = &facts.pure_function[function].name;
                self.pool.float_call(name, term.ty, args.to_vec())
            }
            (Op::Cast | Op::Fit, &[arg]) => {
                let from = facts.terms.ty(term.args[0]);
                match (from.is_integer(), term.ty.is_integer()) {
                    (true, true) if term.op == Op::Cast => self.pool.cast(arg, from, term.ty),
                    (true, true) => self.pool.in_type(arg, term.ty)?,
                    _ if from == term.ty => arg,
                    _ => {
                        let known = self.pool.float_call("conversion", term.ty, vec![arg]);
                        if self.pool.is_constant(known) {
                            known
                        } else {
                            let name = format!("conversion from {from} to {}", term.ty);
                            self.pool.call(&name, term.ty, vec![arg])
                        }
                    }
                }
            }
            (Op::MulPow | Op::DivPow, &[start, k]) => {
                self.power(term.op, (term.ty, term.payload), start, k)?
            }
            (op, &[arg]) => self.unary(op, (term.ty, facts.terms.ty(term.args[0])), arg)?,
            (op, &[left, right]) => {
                let all_integers =
                    term.ty.is_integer() && facts.terms.ty(term.args[0]).is_integer();
                if !all_integers {
                    return not_followed(format!("{op} of no integers"));
                }
                self.binary(op, term.ty, left, right)?
            }
            (op, _) => return not_followed(format!("the operator {op}")),
        })
    }

    fn power(&mut self, op: Op, (ty, base): (CType, i128), start: Id, k: Id) -> Result<Id, Halt> {
        let Some(count) = self.pool.as_int(k) else {
            // As a mathematical integer it is the same for every type.
            let name = format!("{op} {base}");
            let power = self.pool.call(&name, CType::I64, vec![start, k]);
            return match self.pool.interval(start).0 >= 0 {
                true => Ok(self.pool.in_type(power, ty)?),
                false => Ok(self.pool.call(&format!("{name} {ty}"), ty, vec![start, k])),
            };
        };
        let by = self.pool.int(base);
        let mut value = start;
        for _ in 0..count.clamp(0, 128) {
            value = match op {
                Op::MulPow => self.binary(Op::Mul, ty, value, by)?,
                _ => self.pool.quotient(value, by)?,
            };
        }
        Ok(value)
    }

    fn unary(&mut self, op: Op, (ty, from): (CType, CType), arg: Id) -> Result<Id, Halt> {
        Ok(match op {
            Op::Neg => {
                let zero = self.pool.int(0);
                let negative = self.pool.plus(zero, arg, -1);
                self.pool.in_type(negative, ty)?
            }
            Op::Not => self.pool.not(arg),
            Op::BitNot => {
                let minus_one = self.pool.int(-1);
                let value = self.pool.plus(minus_one, arg, -1);
                self.pool.converted(value, ty)
            }
            Op::Popc | Op::Clz | Op::Ffs | Op::Brev => {
                if let Some(value) = self.pool.as_int(arg) {
                    let mut terms = TermStore::default();
                    let inner = terms.constant(value, from);
                    let outer = terms.unary(op, ty, inner);
                    if let Some(value) = terms.as_const(outer) {
                        return Ok(self.pool.int(value));
                    }
                }
                self.pool.call(op.name(), ty, vec![arg])
            }
            _ => return not_followed(format!("the operator {op}")),
        })
    }

    fn binary(&mut self, op: Op, ty: CType, a: Id, b: Id) -> Result<Id, Halt> {
        let pool = &mut *self.pool;
        let value = match op {
            Op::Add => pool.plus(a, b, 1),
            Op::Sub => pool.plus(a, b, -1),
            Op::Mul => pool.times(a, b),
            Op::Div => pool.quotient(a, b)?,
            Op::Rem => pool.remainder(a, b)?,
            Op::Lt => {
                let less = pool.plus(b, a, -1);
                let minus_one = pool.int(-1);
                let less = pool.plus(less, minus_one, 1);
                return Ok(pool.not_negative(less));
            }
            Op::Le => {
                let less = pool.plus(b, a, -1);
                return Ok(pool.not_negative(less));
            }
            Op::Eq | Op::Ne => {
                let difference = pool.plus(a, b, -1);
                let equal = pool.zero(difference);
                return Ok(if op == Op::Eq { equal } else { pool.not(equal) });
            }
            Op::Min | Op::Max => {
                let difference = pool.plus(b, a, -1);
                let first = pool.not_negative(difference);
                return Ok(match op {
                    Op::Min => pool.ite(first, a, b),
                    _ => pool.ite(first, b, a),
                });
            }
            _ => return self.bits(op, ty, a, b),
        };
        Ok(self.pool.in_type(value, ty)?)
    }

    fn bits(&mut self, op: Op, ty: CType, a: Id, b: Id) -> Result<Id, Halt> {
        let pool = &mut *self.pool;
        let (left, right) = (pool.as_int(a), pool.as_int(b));
        if let (Some(x), Some(y)) = (left, right) {
            let mut terms = TermStore::default();
            let one = terms.constant(x, ty);
            let other_type = if matches!(op, Op::Shl | Op::Shr) {
                CType::I64
            } else {
                ty
            };
            let other = terms.constant(y, other_type);
            let result = terms.binary(op, ty, one, other);
            return match terms.as_const(result) {
                Some(value) => Ok(pool.int(value)),
                None => Err(Halt::Undefined(format!("{op}"))),
            };
        }
        let (low, _) = pool.interval(a);
        match (op, right) {
            (Op::Shl, Some(count @ 0..=62)) => {
                let by = pool.int(1 << count);
                let value = pool.times(a, by);
                Ok(pool.in_type(value, ty)?)
            }
            (Op::Shr, Some(count @ 0..=62)) if low >= 0 => {
                let by = pool.int(1 << count);
                Ok(pool.quotient(a, by)?)
            }
            (Op::BitAnd, Some(mask)) if low >= 0 && mask >= 0 && (mask & (mask + 1)) == 0 => {
                let by = pool.int(mask + 1);
                Ok(pool.remainder(a, by)?)
            }
            _ => {
                let name = format!("{op} {ty}");
                Ok(pool.call(&name, ty, vec![a, b]))
            }
        }
    }
}

fn unsigned_of(ty: CType) -> CType {
    ty.unsigned().unwrap_or(ty)
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
