//! Comparison of launches of one shape from barrier to barrier, for blocks of every size: loops by alignment and induction.
//!
//! **Algorithm.** An arbitrary thread of each side runs from one barrier to the next. What shared and global memory holds at the
//! barrier is open, and the same on both sides: that is what was shown of the stretch before. What the threads of the two write up to
//! the next barrier is then matched by the digits of addresses ([`crate::threads`]), so that memory is the same there as well.
//! Where both come to a loop with barriers in it, their conditions have to be equal in an arbitrary iteration, and memory and the
//! variables that the loops carry are the same at its head: at first, because their starts are equal and memory is; in each further
//! iteration, because the stretches in the loop leave equal memory and the next values of the variables are equal. A variable that
//! depends on the thread is a function of the thread's number, the same on both sides.
//!
//! **Source.** PUG_para (IPDPSW 2012), section on loops: aligned headers and induction over one iteration.
//!
//! **Accuracy.** Threads run in one of the orders that the barriers admit; without races the contents are the same in all of them.
//! Blocks are compared with those of the same number. What shared memory holds at first is taken to be the same on both sides: that no
//! element is used before something is stored in it is an assumption, and told. Whatever is not seen to be equal leaves the answer open.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use crate::compare;
use crate::folds;
use crate::index::Index;
use crate::launches::{Choice, setup};
use crate::machine::{Frame, Halt, Machine, Repeated, Setup, Stop, Suspended};
use crate::memory::Memory;
use crate::node::{Id, Leaf, Node, Pool};
use crate::prove::{DIFFERENT_SHAPES, assumptions, told, within};
use crate::sides::Matching;
use crate::threads::{Matcher, Threads};
use crate::told::Told;

/// The iterations of aligned loops, and how many there are in all, by their number.
const FIRST_ITERATION: u32 = 1 << 24;
const FIRST_COUNT: u32 = 1 << 25;
/// What names of variables of aligned loops begin with.
const VARIABLE: &str = "variable";
/// Why threads are not run from barrier to barrier.
pub(crate) const IN_LOCK_STEP: &str = "threads that run in lock-step";
/// Most stretches between barriers, those of iterations that are written out included.
const MAX_INTERVALS: u32 = 4_096;

/// One side in one launch.
struct Run<'a, 'f> {
    index: &'a Index<'f>,
    setup: Setup,
    memory: Memory,
    suspended: Suspended,
    frames: Vec<Frame>,
}

/// Two loops that go on together.
struct Together {
    number: u32,
    loops: [LoopId; 2],
    /// Places of variables on both sides that are the same, and whether each is the same in all threads.
    pairs: Vec<(usize, usize, bool)>,
}

struct Aligned<'a, 'f> {
    pool: &'a mut Pool,
    matching: &'a Matching,
    threads: [Threads; 2],
    runs: Vec<Run<'a, 'f>>,
    /// Names of all arrays, shared ones last.
    arrays: Vec<[String; 2]>,
    interval: u32,
    loops: u32,
    together: Vec<Together>,
    seen: &'a mut Told,
}

/// Shows that launches of one shape leave equal contents.
///
/// # Errors
/// Why that is not shown.
pub fn prove(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    (reassociates, sizes): (bool, [Option<i128>; 6]),
    seen: &mut Told,
) -> Result<Vec<String>, String> {
    *seen = Told::default();
    let [left, right] = sides;
    if left.len() != right.len() {
        return Err("sequences of different lengths".to_owned());
    }
    if sides.iter().flatten().any(Index::is_in_lock_step) {
        return Err(IN_LOCK_STEP.to_owned());
    }
    let mut pool = Pool::new(reassociates, [None; 6]);
    for side in 0..2 {
        pool.block[3 * side..3 * side + 3].copy_from_slice(&sizes[..3]);
    }
    pool.is_sane = true;
    pool.bounds_by_sums = true;
    let names = matching.arrays.iter().map(|array| array.names.clone());
    let mut aligned = Aligned {
        pool: &mut pool,
        matching,
        threads: [Threads::default(), Threads::default()],
        runs: Vec::new(),
        arrays: names.collect(),
        interval: 0,
        loops: 0,
        together: Vec::new(),
        seen,
    };
    for (step, both) in left.iter().zip(right).enumerate() {
        aligned.launch([both.0, both.1], step, sides, sizes)?;
    }
    let has_shared = aligned.arrays.len() > matching.arrays.len();
    let mut assumptions = assumptions(&pool, matching);
    if has_shared {
        assumptions.push(
            "no element of shared memory is used before something is stored in it".to_owned(),
        );
    }
    Ok(assumptions)
}

/// The arrays that launches write.
pub(crate) fn written(sides: &[Vec<Index<'_>>; 2], matching: &Matching) -> FxHashSet<u32> {
    let mut written = FxHashSet::default();
    for (side, indices) in sides.iter().enumerate() {
        for (step, index) in indices.iter().enumerate() {
            let arrays = matching.arrays_of(side, step);
            let accesses = index.points.iter().flat_map(|&point| index.accesses(point));
            for access in accesses.filter(|access| access.kind != AccessKind::Read) {
                let storage = index.storage(access.array);
                written.extend(arrays.get(&storage.array).copied());
            }
        }
    }
    written
}

/// The shared arrays of a launch that it accesses.
pub(crate) fn shared<'f>(index: &Index<'f>) -> Vec<&'f ArrayRow> {
    let accesses = index.points.iter().flat_map(|&point| index.accesses(point));
    let mut arrays: Vec<&ArrayRow> = accesses
        .map(|access| index.storage(access.array))
        .filter(|storage| storage.space == Space::Shared)
        .collect();
    arrays.sort_by_key(|row| row.array);
    arrays.dedup_by_key(|row| row.array);
    arrays
}

impl<'a, 'f> Aligned<'a, 'f> {
    fn launch(
        &mut self,
        both: [&'a Index<'f>; 2],
        step: usize,
        sides: &[Vec<Index<'_>>; 2],
        sizes: [Option<i128>; 6],
    ) -> Result<(), String> {
        let choice = Choice {
            sizes,
            scalars: None,
            inputs: None,
            apart: true,
        };
        let numbers = self.shared_of(both);
        let mut written = written(sides, self.matching);
        self.threads = [Threads::default(), Threads::default()];
        self.runs.clear();
        for (side, (index, shared)) in both.into_iter().zip(numbers).enumerate() {
            let mut setup = setup(index, self.pool, self.matching, (side, step), &choice)
                .map_err(|halt| told(&halt))?;
            written.extend(shared.values());
            setup.shared = shared;
            setup.written.clone_from(&written);
            // Only threads are coordinates: blocks are those of the same number.
            for (axis, (&thread, &size)) in setup.threads[0].iter().zip(&setup.block).enumerate() {
                if matches!(self.pool.node(thread), Node::Leaf(_)) {
                    self.threads[side].coordinates.push((thread, size));
                } else if self.pool.as_int(size) != Some(1) {
                    return Err(format!("axis {axis} of the block"));
                }
            }
            self.runs.push(Run {
                index,
                suspended: Suspended::at_entry(&setup),
                setup,
                memory: Memory::default(),
                frames: vec![Frame::whole(index)],
            });
        }
        let [left, right] = [&self.runs[0].setup, &self.runs[1].setup];
        if left.block != right.block || left.grid != right.grid {
            return Err(DIFFERENT_SHAPES.to_owned());
        }
        self.runs[1].setup.of_grid = self.runs[0].setup.of_grid;
        let within = [0, 1].map(|side| within(self.pool, &self.threads[side]));
        let known = self.runs.iter().flat_map(|run| run.setup.known.clone());
        let known: Vec<Id> = known.chain(within).collect();
        let known = self.pool.all(known);
        self.pool.enter(known);
        let shown = self.compared_to_the_end();
        self.pool.contexts().clear();
        self.together.clear();
        shown
    }

    /// Numbers for the shared arrays of both: they are the same in their order.
    fn shared_of(&mut self, both: [&Index<'f>; 2]) -> [FxHashMap<ArrayId, u32>; 2] {
        let [left, right] = both.map(|index| shared(index));
        let mut numbers = [FxHashMap::default(), FxHashMap::default()];
        for at in 0..left.len().max(right.len()) {
            let number = u32::try_from(self.arrays.len()).unwrap_or(u32::MAX);
            let mut names = [String::new(), String::new()];
            for (side, arrays) in [&left, &right].into_iter().enumerate() {
                if let Some(row) = arrays.get(at) {
                    numbers[side].insert(row.array, number);
                    names[side].clone_from(&row.name);
                }
            }
            self.arrays.push(names);
        }
        numbers
    }

    /// Something done by the machine of a side.
    fn by<T>(
        &mut self,
        side: usize,
        act: impl FnOnce(&mut Machine<'_, 'f>, &mut Vec<Frame>) -> Result<T, Halt>,
    ) -> Result<T, String> {
        let run = &mut self.runs[side];
        let suspended = std::mem::take(&mut run.suspended);
        let mut machine = Machine::resumed(
            (run.index, &run.setup),
            self.pool,
            &mut run.memory,
            suspended,
        );
        machine.interval = Some(self.interval);
        let done = act(&mut machine, &mut run.frames);
        run.suspended = machine.suspended();
        done.map_err(|halt| told(&halt))
    }

    fn compared_to_the_end(&mut self) -> Result<(), String> {
        loop {
            let stops = [
                self.by(0, |machine, frames| machine.to_next_stop(frames))?,
                self.by(1, |machine, frames| machine.to_next_stop(frames))?,
            ];
            self.same_interval()?;
            self.interval += 1;
            if self.interval > MAX_INTERVALS {
                return Err("a block takes too long".to_owned());
            }
            match stops {
                [Stop::Barrier, Stop::Barrier] => {}
                [Stop::Loop(left), Stop::Loop(right)] => self.go_on_together([left, right])?,
                [Stop::EndOfIteration, Stop::EndOfIteration] => self.close()?,
                [Stop::End, Stop::End] => return Ok(()),
                _ => {
                    return Err(
                        "barriers and loops of the two do not follow each other in the same order"
                            .to_owned(),
                    );
                }
            }
        }
    }

    /// Shows that what the two have written since the last stop is the same.
    fn same_interval(&mut self) -> Result<(), String> {
        let both = [0, 1].map(|side| std::mem::take(&mut self.runs[side].memory.writes));
        for (number, names) in self.arrays.iter().enumerate() {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            if names.iter().any(String::is_empty) {
                continue;
            }
            let own = both.each_ref().map(|writes| {
                let own = writes.iter().filter(|write| write.array == number);
                own.cloned().collect::<Vec<_>>()
            });
            if own.iter().all(Vec::is_empty) {
                continue;
            }
            let [left, right] = own;
            let mut matcher = Matcher::new(self.pool, self.threads.clone());
            matcher.told = std::mem::take(self.seen);
            matcher.told.interval = self.interval;
            let shown = matcher.same_array(left, right);
            *self.seen = matcher.told;
            shown.map_err(|reason| format!("{}: {reason}", names[0]))?;
        }
        Ok(())
    }

    /// The number of a thread as the left side names it.
    fn as_left(&mut self, value: Id) -> Id {
        let [left, right] = [0, 1].map(|side| self.runs[side].setup.threads[0]);
        let images = right.into_iter().zip(left).collect();
        self.pool.rebuilt(value, &images)
    }

    /// Starts an arbitrary iteration of two loops.
    fn go_on_together(&mut self, loops: [LoopId; 2]) -> Result<(), String> {
        let number = self.loops;
        self.loops += 1;
        let iteration = self.pool.leaf(Leaf::Bound(FIRST_ITERATION + number));
        let together = Together {
            number,
            loops,
            pairs: self.pairs(loops)?,
        };
        for (side, id) in loops.into_iter().enumerate() {
            let heads = self.variables("at the head of", &together, side);
            self.by(side, |machine, _| {
                machine.start(id, iteration, &heads);
                Ok(())
            })?;
        }
        let mut conditions = Vec::new();
        for (side, id) in loops.into_iter().enumerate() {
            conditions.push(self.by(side, |machine, _| machine.condition(id))?);
        }
        for condition in &mut conditions {
            *condition = self.without_wrapping(*condition, iteration);
            let is_open = |part: &Id| match self.pool.node(*part) {
                Node::Leaf(Leaf::Tid(_)) | Node::Output(..) | Node::Input(..) => true,
                Node::Call(_, _, args) => !args.is_empty() && self.is_variable(*part),
                _ => false,
            };
            if self.pool.parts(&[*condition]).iter().any(is_open) {
                return Err(
                    "a loop with barriers whose length is not known to be the same in all threads"
                        .to_owned(),
                );
            }
        }
        let [left, right] = [conditions[0], conditions[1]];
        if !compare::equal(self.pool, left, right) && !folds::same_condition(self.pool, left, right)
        {
            return Err(format!(
                "the two loops are not seen to go on together: {} and {}",
                self.pool.shown(conditions[0]),
                self.pool.shown(conditions[1])
            ));
        }
        // What follows for the one is as good as for the other.
        let both = self.pool.all(vec![left, right]);
        self.pool.enter(both);
        self.together.push(together);
        Ok(())
    }

    fn is_variable(&self, id: Id) -> bool {
        match self.pool.node(id) {
            Node::Call(name, ..) => self.pool.name_of(*name).starts_with(VARIABLE),
            _ => false,
        }
    }

    /// The variables that two loops carry, which start equal, in pairs.
    fn pairs(&mut self, loops: [LoopId; 2]) -> Result<Vec<(usize, usize, bool)>, String> {
        let mut starts = Vec::new();
        for (side, id) in loops.into_iter().enumerate() {
            let of_side = self.by(side, |machine, _| Ok(machine.starts(id)))?;
            starts.push(of_side);
        }
        let right: Vec<Option<Id>> = starts[1]
            .clone()
            .into_iter()
            .map(|start| start.map(|start| self.as_left(start)))
            .collect();
        let uniform = [0, 1].map(|side| {
            let index = self.runs[side].index;
            same_in_all_threads(index, loops[side])
        });
        let mut pairs: Vec<(usize, usize, bool)> = Vec::new();
        for (slot, start) in starts[0].clone().into_iter().enumerate() {
            let Some(start) = start else { continue };
            let is_free = |other: usize, pairs: &[(usize, usize, bool)]| {
                pairs.iter().all(|(_, taken, _)| *taken != other)
            };
            let others: Vec<usize> = (0..right.len())
                .filter(|&other| is_free(other, &pairs))
                .collect();
            let mut others = others.into_iter();
            let found = others.find(|&other| {
                uniform[0][slot] == uniform[1][other]
                    && right[other].is_some_and(|other| compare::equal(self.pool, start, other))
            });
            if let Some(other) = found {
                pairs.push((slot, other, uniform[0][slot]));
            }
        }
        Ok(pairs)
    }

    /// What the variables of a loop are called on one side, by their places.
    fn variables(&mut self, when: &str, together: &Together, side: usize) -> Vec<(usize, Id)> {
        let run = &self.runs[side];
        let carried = run.index.carried(together.loops[side]);
        let mut all = Vec::new();
        for &(left, right, uniform) in &together.pairs {
            let place = [left, right][side];
            let ty = run.index.unknown_type(carried[place].unknown);
            let ty = ty.unwrap_or(CType::Opaque);
            let args = match uniform {
                true => Vec::new(),
                false => run.setup.threads[0].to_vec(),
            };
            let name = format!("{VARIABLE} {left} {when} loop {}", together.number);
            all.push((place, self.pool.call(&name, ty, args)));
        }
        all
    }

    /// A condition with unsigned powers as they are in mathematics, if they cannot wrap as long as the condition held before: the
    /// first is in range, and each next one is the base times one that the condition bounds.
    fn without_wrapping(&mut self, condition: Id, iteration: Id) -> Id {
        let mut images = FxHashMap::default();
        for part in self.pool.parts(&[condition]) {
            let Node::Mod(bits, inner) = *self.pool.node(part) else {
                continue;
            };
            let Node::Call(name, _, args) = self.pool.node(inner).clone() else {
                continue;
            };
            let base = self.pool.name_of(name).strip_prefix("mul_pow ");
            let base: Option<i128> = base.and_then(|base| base.parse().ok());
            if let (Some(base), true) = (base, args.get(1) == Some(&iteration)) {
                images.insert(part, (inner, base, 1i128 << bits));
            }
        }
        // Each is replaced by itself.
        #[allow(clippy::iter_over_hash_type)]
        let plain: FxHashMap<Id, Id> = images.iter().map(|(&id, one)| (id, one.0)).collect();
        if plain.is_empty() {
            return condition;
        }
        let without = self.pool.rebuilt(condition, &plain);
        self.pool.enter(without);
        let fits = images.values().all(|&(power, base, modulus)| {
            let (low, high) = self.pool.interval(power);
            low >= 0 && high.saturating_mul(base) < modulus
        });
        self.pool.leave();
        match fits {
            true => without,
            false => condition,
        }
    }

    /// Ends the arbitrary iteration: the variables are equal behind it, and so they are behind the loop.
    fn close(&mut self) -> Result<(), String> {
        let Some(together) = self.together.pop() else {
            return Err("a loop that is left before it is come to".to_owned());
        };
        for &(left, right, _) in &together.pairs {
            let mut nexts = Vec::new();
            for (side, place) in [left, right].into_iter().enumerate() {
                let id = together.loops[side];
                nexts.push(self.by(side, |machine, _| machine.next(id, place))?);
            }
            let other = self.as_left(nexts[1]);
            if !compare::equal(self.pool, nexts[0], other) {
                return Err(format!(
                    "a variable that is not seen to be the same in the next iteration: {} and {}",
                    self.pool.shown(nexts[0]),
                    self.pool.shown(other)
                ));
            }
        }
        self.pool.leave();
        let exit = self.pool.leaf(Leaf::Bound(FIRST_COUNT + together.number));
        for side in 0..2 {
            let left = self.variables("behind", &together, side);
            self.by(side, |machine, frames| {
                let repeated: Option<Repeated> = frames.pop().and_then(Frame::repeated);
                match repeated {
                    Some(repeated) => machine.finish(repeated, exit, &left),
                    None => Ok(()),
                }
            })?;
        }
        Ok(())
    }
}

/// Which variables of a loop have the same value in all threads of a block, as far as their next values show it.
fn same_in_all_threads(index: &Index<'_>, id: LoopId) -> Vec<bool> {
    let carried = index.carried(id);
    let mut uniform = vec![true; carried.len()];
    loop {
        let before = uniform.clone();
        for (place, row) in carried.iter().enumerate() {
            uniform[place] &= is_uniform(index, row.start, carried, &uniform)
                && is_uniform(index, row.next, carried, &uniform);
        }
        if uniform == before {
            return uniform;
        }
    }
}

fn is_uniform(index: &Index<'_>, term: TermId, carried: &[&CarriedRow], uniform: &[bool]) -> bool {
    let terms = &index.facts.terms;
    let (mut stack, mut seen) = (vec![term], FxHashSet::default());
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let term = terms.get(id);
        match term.op {
            Op::TidX | Op::TidY | Op::TidZ | Op::Load | Op::Exit | Op::Other => return false,
            Op::Unknown => {
                let place = carried
                    .iter()
                    .position(|row| Some(row.unknown) == term.unknown());
                if !place.is_some_and(|place| uniform[place]) {
                    return false;
                }
            }
            _ => stack.extend(term.args.iter().copied()),
        }
    }
    true
}
