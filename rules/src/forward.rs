//! From stores to loads: what a read finds because it was written before, across barriers too.
//!
//! `s[t] = t; __syncthreads(); x = s[t];` reads back t; `if (t == 0) n = b * 64; __syncthreads(); x = n;` reads b·64 in all
//! threads of the block.
//!
//! **Algorithm.** A plain write and a read that follows it in the same iteration of the loops around the write, with
//! the same offset as a term. No other access that changes the memory lies on a path from the one to the other, so what
//! happens in between the two, whoever does it, leaves the element alone: in the interval of the write and in
//! that of the read, anything that touches it is concurrent with one of the two. The write has been executed
//! for certain by the thread that reads (its path condition is among the read's), or, where offset and value are equal
//! in all threads of the block, by some thread of the block, from which a barrier separates the read.
//!
//! **Accuracy.** Holds in executions up to their first race or divergent barrier: a write that is concurrent with the
//! write or the read and touches the element is a race of its own, unless it writes the same bytes or a lock is around
//! it; so nothing is said of a write or a read under a lock that is taken or released on the way between them. It says
//! nothing where the read is not executed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{DistinctResultsRow, ForwardedLoadRow};
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::{AccessKind, BarrierKind, Dimension, Scope, Space};
use warplog_facts::{AccessRow, ArrayId, Axis, LaunchId, LoopId, Op, PointId, Term, TermId};

use crate::context::{Conjunct, Context};
use crate::locks::Locks;
use crate::uniformity::Uniform;

/// Points of a launch beyond which paths are not followed, and pairs of a write and a read that are looked at in it.
const MAX_POINTS: usize = 6_000;
const MAX_PAIRS: usize = 400;
/// Threads of a block up to which those that satisfy a condition are counted.
const MAX_COUNTED: i128 = 2_048;

/// A way: from a point to a point.
type Way = (PointId, PointId);

/// The points on the ways from one point to another in the same iteration of the loops around the first.
pub(crate) struct Between<'c> {
    ctx: &'c Context<'c>,
    before: RefCell<Option<Vec<Vec<Step>>>>,
    known: RefCell<FxHashMap<Way, Rc<Vec<PointId>>>>,
}

/// A point before another, and the loop whose back edge leads from it.
type Step = (PointId, Option<LoopId>);

impl<'c> Between<'c> {
    pub(crate) fn new(ctx: &'c Context<'c>) -> Self {
        Between {
            ctx,
            before: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Points that can follow the one and lead to the other; sorted.
    pub(crate) fn points(&self, from: PointId, to: PointId) -> Rc<Vec<PointId>> {
        if let Some(points) = self.known.borrow().get(&(from, to)) {
            return Rc::clone(points);
        }
        let fixed = self.ctx.loops(from);
        let follows = self.reach(from, fixed, &|at| self.ctx.successors(at).to_vec());
        self.invert();
        let before = self.before.borrow();
        let leads = self.reach(to, fixed, &|at| {
            let all = before.as_ref().and_then(|before| before.get(at.index()));
            all.cloned().unwrap_or_default()
        });
        let mut points: Vec<PointId> = follows.intersection(&leads).copied().collect();
        points.sort_unstable();
        let points = Rc::new(points);
        let mut known = self.known.borrow_mut();
        known.insert((from, to), Rc::clone(&points));
        points
    }

    /// Whether a barrier that orders memory stands on every way from the one to the other.
    fn separated(&self, from: PointId, to: PointId) -> bool {
        let fixed = self.ctx.loops(from);
        let on_the_way = self.points(from, to);
        let mut seen = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            for &(next, back) in self.ctx.successors(at) {
                if back.is_some_and(|id| fixed.contains(&id)) {
                    continue;
                }
                if next == to {
                    return false;
                }
                let orders = self.ctx.barrier_at(next).is_some_and(|barrier| {
                    self.ctx.facts.barrier[barrier.index()].kind != BarrierKind::Meet
                });
                if !orders && on_the_way.binary_search(&next).is_ok() && seen.insert(next) {
                    stack.push(next);
                }
            }
        }
        true
    }

    fn reach(
        &self,
        start: PointId,
        fixed: &[LoopId],
        next: &dyn Fn(PointId) -> Vec<Step>,
    ) -> FxHashSet<PointId> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            for (other, back) in next(at) {
                let stays = back.is_none_or(|id| !fixed.contains(&id));
                if stays && seen.insert(other) {
                    stack.push(other);
                }
            }
        }
        seen
    }

    fn invert(&self) {
        let mut before = self.before.borrow_mut();
        if before.is_some() {
            return;
        }
        let mut all = vec![Vec::new(); self.ctx.facts.point.len()];
        for row in &self.ctx.facts.point {
            for &(to, back) in self.ctx.successors(row.point) {
                all[to.index()].push((row.point, back));
            }
        }
        *before = Some(all);
    }
}

/// The thread with these indices; nothing else is known.
struct ThreadAt([i128; 3]);

impl Environment for ThreadAt {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let [x, y, z] = self.0;
        match term.op {
            Op::TidX => Some(x),
            Op::TidY => Some(y),
            Op::TidZ => Some(z),
            _ => None,
        }
    }
}

fn holds(ctx: &Context<'_>, thread: [i128; 3], conjuncts: &[Conjunct]) -> Option<bool> {
    let environment = ThreadAt(thread);
    let mut evaluator = Evaluator::new(&ctx.facts.terms, &environment);
    for &(term, polarity) in conjuncts {
        if (evaluator.value(term).ok()? != 0) != polarity {
            return Some(false);
        }
    }
    Some(true)
}

/// Sizes of the block, where they are constant.
fn block(ctx: &Context<'_>, launch: LaunchId) -> [Option<i128>; 3] {
    let axes = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ];
    axes.map(|axis| {
        let mut rows = ctx.dimensions(launch).iter();
        let (_, term) = rows.find(|(dimension, _)| *dimension == axis)?;
        ctx.facts.terms.as_const(*term)
    })
}

/// Whether some thread of every block executes the first point in any iteration in which a thread of it gets to the
/// second: its path condition has but conjuncts of the second's and such as a thread satisfies whatever else
/// holds. Tells whether that thread is the only one that does.
pub(crate) fn executed_by_one(ctx: &Context<'_>, first: PointId, second: PointId) -> Option<bool> {
    let own: Vec<Conjunct> = own_conjuncts(ctx, first, second);
    let launch = ctx.launch_of(first);
    let sizes = block(ctx, launch);
    if let [Some(x), Some(y), Some(z)] = sizes
        && x.saturating_mul(y).saturating_mul(z) <= MAX_COUNTED
    {
        let mut count = 0;
        for tz in 0..z {
            for ty in 0..y {
                for tx in 0..x {
                    count += u32::from(holds(ctx, [tx, ty, tz], &own)?);
                }
            }
        }
        return (count > 0).then_some(count == 1);
    }
    if holds(ctx, [0; 3], &own) != Some(true) {
        return None;
    }
    let one_row = sizes[1..] == [Some(1), Some(1)];
    let pins = |&(term, polarity): &Conjunct| {
        let row = ctx.facts.terms.get(term);
        let is = |side: usize, other: usize| {
            plain(ctx, row.args[side]).op == Axis::X.tid()
                && ctx.facts.terms.as_const(row.args[other]).is_some()
        };
        row.op == Op::Eq && polarity && (is(0, 1) || is(1, 0))
    };
    Some(one_row && own.iter().any(pins))
}

/// A term without conversions of an index, which is small and not negative.
fn plain<'c>(ctx: &'c Context<'_>, term: TermId) -> &'c Term {
    let mut row = ctx.facts.terms.get(term);
    while matches!(row.op, Op::Cast | Op::Fit) && row.ty.bits() >= Some(32) {
        row = ctx.facts.terms.get(row.args[0]);
    }
    row
}

/// The conjuncts of the first point that the second lacks.
fn own_conjuncts(ctx: &Context<'_>, first: PointId, second: PointId) -> Vec<Conjunct> {
    let shared = ctx.guards(second);
    let own = ctx.guards(first).iter();
    own.filter(|conjunct| !shared.contains(conjunct))
        .copied()
        .collect()
}

/// The rows of `forwarded_load`.
pub(crate) fn forwarded(
    (ctx, locks): (&Context<'_>, &Locks),
    uniform: &Uniform,
    between: &Between<'_>,
    distinct: &[DistinctResultsRow],
) -> Vec<ForwardedLoadRow> {
    let facts = ctx.facts;
    let mut points: FxHashMap<LaunchId, usize> = FxHashMap::default();
    for row in &facts.point {
        *points.entry(row.launch).or_default() += 1;
    }
    let mut changes: FxHashMap<ArrayId, Vec<&AccessRow>> = FxHashMap::default();
    for row in &facts.access {
        let memory = ctx.storage(row.access);
        let space = facts.array[memory.index()].space;
        if row.kind != AccessKind::Read && matches!(space, Space::Shared | Space::Global) {
            changes.entry(memory).or_default().push(row);
        }
    }
    let mut pairs: FxHashMap<LaunchId, usize> = FxHashMap::default();
    let mut rows = Vec::new();
    for (_, term) in facts.terms.iter() {
        let Some(access) = term.access() else {
            continue;
        };
        let read = ctx.access(access);
        let launch = ctx.launch_of(read.point);
        let whole = term.args.as_slice() == [read.index] && term.ty.bytes() == Some(read.bytes);
        if !whole
            || !term.ty.is_integer()
            || read.volatile
            || ctx.has_opaque_memory(launch)
            || points.get(&launch).is_some_and(|&count| count > MAX_POINTS)
        {
            continue;
        }
        let all = changes.get(&ctx.storage(access));
        let mut found: Option<ForwardedLoadRow> = None;
        for write in all.into_iter().flatten() {
            let value = write.value.filter(|_| write.kind == AccessKind::Write);
            let Some(value) = value else { continue };
            let comparable = write.point < read.point
                && write.index == read.index
                && write.bytes == read.bytes
                && facts.terms.ty(value) == term.ty
                && !write.volatile
                && ctx.loops(read.point).starts_with(ctx.loops(write.point));
            if !comparable {
                continue;
            }
            let tried = pairs.entry(launch).or_default();
            *tried += 1;
            if *tried > MAX_PAIRS {
                continue;
            }
            let how = how(ctx, uniform, between, distinct, (write, read), value);
            let Some(across_blocks) = how else { continue };
            let on_the_way = between.points(write.point, read.point);
            let is_changed = all.into_iter().flatten().any(|other| {
                on_the_way.binary_search(&other.point).is_ok() && other.access != write.access
            });
            let lets_in = locks.lets_others_in([write.access, access], &on_the_way);
            if !is_changed && !lets_in {
                found = Some(ForwardedLoadRow {
                    access,
                    write: write.access,
                    value,
                    across_blocks,
                });
            }
        }
        rows.extend(found);
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Whether the reader finds the value of the write, as a term of its own; with `true` only where blocks are
/// compared.
fn how(
    ctx: &Context<'_>,
    uniform: &Uniform,
    between: &Between<'_>,
    distinct: &[DistinctResultsRow],
    (write, read): (&AccessRow, &AccessRow),
    value: TermId,
) -> Option<bool> {
    // R33: a thread reads back what it wrote itself.
    if own_conjuncts(ctx, write.point, read.point).is_empty() {
        return Some(false);
    }
    let memory = ctx.storage(write.access);
    if ctx.facts.array[memory.index()].space != Space::Shared
        || !uniform.everywhere().is_uniform(write.index, Scope::Block)
    {
        return None;
    }
    // What another thread wrote is there for certain behind a barrier, or where lanes are in step.
    let in_step = ctx.in_lock_step(ctx.launch_of(read.point));
    if !in_step && !between.separated(write.point, read.point) {
        return None;
    }
    let agreed = ctx.guards(write.point).iter().all(|conjunct| {
        !ctx.guards(read.point).contains(conjunct)
            || uniform.everywhere().is_uniform(conjunct.0, Scope::Block)
    });
    let alone = executed_by_one(ctx, write.point, read.point)?;
    // R34: all read the value that some thread wrote, if all threads of the block have the same one.
    if agreed && uniform.everywhere().is_uniform(value, Scope::Block) {
        return Some(false);
    }
    // R35: what one thread drew from a counter of the grid stands for its block: no other thread of it has drawn there.
    let unknown = ctx.facts.terms.get(value).unknown()?;
    let drawn = ctx.facts.atomic_step.iter();
    let mut drawn = drawn.filter(|row| row.unknown == unknown);
    let counter = ctx.access(drawn.next()?.access);
    let of_grid = distinct.iter().any(|row| {
        row.first == counter.access && row.second == counter.access && row.scope >= Scope::Grid
    });
    let same_thread = ctx.guards(counter.point) == ctx.guards(write.point)
        && ctx.loops(counter.point) == ctx.loops(write.point);
    (agreed
        && alone
        && of_grid
        && same_thread
        && uniform.everywhere().is_uniform(counter.index, Scope::Block))
    .then_some(true)
}
