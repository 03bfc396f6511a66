//! From stores to loads: what a read finds because it was written before, across barriers too.
//!
//! `s[t] = t; __syncthreads(); x = s[t];` reads back t; `if (t == 0) n = b * 64; __syncthreads(); x = n;` reads b·64 in all
//! threads of the block, and where `if (t == 0) { if (k) n = 1; else n = 2; }` stands in front, 1 if k and else 2.
//!
//! **Algorithm.** A plain write and a read that follows it in the same iteration of the loops around the write, with
//! the same offset as a term. No other access that changes the memory lies on a path from the one to the other, so what
//! happens in between the two, whoever does it, leaves the element alone: in the interval of the write and in
//! that of the read, anything that touches it is concurrent with one of the two. The write has been executed
//! for certain by the thread that reads (its path condition is among the read's), or, where offset and value are equal
//! in all threads of the block, by some thread of the block, from which a barrier separates the read. Conditions on which the
//! whole block agrees may remain: those under which the write is executed, and those under which another that would
//! change the element is not. They are a part of what is derived.
//!
//! **Accuracy.** Holds in executions up to their first race or divergent barrier: a write that is concurrent with the
//! write or the read and touches the element is a race of its own, unless it writes the same bytes or a lock is around
//! it; so nothing is said of a write or a read under a lock that is taken or released on the way between them. It says
//! nothing where the read is not executed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{DistinctResultsRow, ForwardedLoadRow, ForwardedWhenRow};
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
    let own = own_conjuncts(ctx, first, second);
    satisfied_by_one(ctx, ctx.launch_of(first), &own)
}

/// Whether some thread of every block satisfies the conjuncts whatever else holds, and whether but one does.
fn satisfied_by_one(ctx: &Context<'_>, launch: LaunchId, own: &[Conjunct]) -> Option<bool> {
    let sizes = block(ctx, launch);
    if let [Some(x), Some(y), Some(z)] = sizes
        && x.saturating_mul(y).saturating_mul(z) <= MAX_COUNTED
    {
        let mut count = 0;
        for tz in 0..z {
            for ty in 0..y {
                for tx in 0..x {
                    count += u32::from(holds(ctx, [tx, ty, tz], own)?);
                }
            }
        }
        return (count > 0).then_some(count == 1);
    }
    if holds(ctx, [0; 3], own) != Some(true) {
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

/// The conditions that must hold where a point is reached, those joined by `&&` one by one.
fn literals(ctx: &Context<'_>, point: PointId) -> Vec<Conjunct> {
    let mut literals: Vec<Conjunct> = Vec::new();
    let mut seen: FxHashSet<Conjunct> = FxHashSet::default();
    let mut stack: Vec<Conjunct> = ctx.guards(point).iter().rev().copied().collect();
    while let Some((term, polarity)) = stack.pop() {
        if !seen.insert((term, polarity)) {
            continue;
        }
        let row = ctx.facts.terms.get(term);
        match (row.op, polarity, row.args.as_slice()) {
            (Op::Not, _, &[arg]) => stack.push((arg, !polarity)),
            (Op::And, true, args) | (Op::Or, false, args) => {
                stack.extend(args.iter().map(|&arg| (arg, polarity)));
            }
            _ => literals.push((term, polarity)),
        }
    }
    literals
}

/// The conditions of the first point that the second lacks.
fn own_conjuncts(ctx: &Context<'_>, first: PointId, second: PointId) -> Vec<Conjunct> {
    let shared = literals(ctx, second);
    let mut own = literals(ctx, first);
    own.retain(|literal| !shared.contains(literal));
    own
}

/// What is known of a launch when its stores are followed.
pub(crate) struct Known<'a> {
    pub ctx: &'a Context<'a>,
    pub locks: &'a Locks,
    pub uniform: &'a Uniform,
    /// The loops on whose iterations each term depends.
    pub term_loops: &'a [Vec<LoopId>],
    pub between: &'a Between<'a>,
    pub distinct: &'a [DistinctResultsRow],
}

/// How a read comes to find the value of a write.
struct Found {
    across_blocks: bool,
    /// What must hold besides: equal in all threads of the block.
    conditions: Vec<Conjunct>,
}

/// The rows of `forwarded_load` and of `forwarded_when`.
pub(crate) fn forwarded(known: &Known<'_>) -> (Vec<ForwardedLoadRow>, Vec<ForwardedWhenRow>) {
    let ctx = known.ctx;
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
    let (mut rows, mut when) = (Vec::new(), Vec::new());
    for (_, term) in facts.terms.iter() {
        let (Some(access), &[index]) = (term.access(), term.args.as_slice()) else {
            continue;
        };
        let read = ctx.access(access);
        let launch = ctx.launch_of(read.point);
        if !term.ty.is_integer()
            || read.volatile
            || ctx.has_opaque_memory(launch)
            || points.get(&launch).is_some_and(|&count| count > MAX_POINTS)
        {
            continue;
        }
        let all = changes
            .get(&ctx.storage(access))
            .map_or(&[][..], Vec::as_slice);
        for write in all {
            let value = write.value.filter(|_| write.kind == AccessKind::Write);
            let Some(value) = value else { continue };
            let comparable = write.point < read.point
                && write.index == index
                && term.ty.bytes() == Some(write.bytes)
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
            let Some(mut found) = known.how(write, read, value) else {
                continue;
            };
            if known.stays(write, read, all, &mut found.conditions) != Some(()) {
                continue;
            }
            let on_the_way = known.between.points(write.point, read.point);
            if known
                .locks
                .lets_others_in([write.access, access], &on_the_way)
            {
                continue;
            }
            rows.push(ForwardedLoadRow {
                access,
                write: write.access,
                value,
                across_blocks: found.across_blocks,
            });
            when.extend(
                found
                    .conditions
                    .into_iter()
                    .map(|(term, polarity)| ForwardedWhenRow {
                        access,
                        write: write.access,
                        term,
                        polarity,
                    }),
            );
        }
    }
    rows.sort_unstable();
    rows.dedup();
    when.sort_unstable();
    when.dedup();
    (rows, when)
}

impl Known<'_> {
    /// Whether the reader finds the value of the write, as a term of its own; with `across_blocks` only where blocks are
    /// compared.
    fn how(&self, write: &AccessRow, read: &AccessRow, value: TermId) -> Option<Found> {
        let ctx = self.ctx;
        let always = |across_blocks| Found {
            across_blocks,
            conditions: Vec::new(),
        };
        // R33: a thread reads back what it wrote itself.
        let (theirs, all) = (literals(ctx, read.point), literals(ctx, write.point));
        let (shared, own): (Vec<Conjunct>, Vec<Conjunct>) = all
            .into_iter()
            .partition(|literal| theirs.contains(literal));
        if own.is_empty() {
            return Some(always(false));
        }
        if !self.is_shared(write) || !self.agrees(write.index) {
            return None;
        }
        // What another thread wrote is there for certain behind a barrier, or where lanes are in step.
        let launch = ctx.launch_of(read.point);
        if !ctx.in_lock_step(launch) && !self.between.separated(write.point, read.point) {
            return None;
        }
        if !shared.iter().all(|&(term, _)| self.agrees(term)) {
            return None;
        }
        // R34: all read the value that some thread wrote, if all threads of the block have the same one. It is written
        // where the block's conditions of the write hold.
        if self.agrees(value) {
            let (conditions, of_thread): (Vec<Conjunct>, Vec<Conjunct>) = own
                .into_iter()
                .partition(|conjunct| self.is_condition(conjunct, write.point));
            satisfied_by_one(ctx, launch, &of_thread)?;
            return Some(Found {
                across_blocks: false,
                conditions,
            });
        }
        // R35: what one thread drew from a counter of the grid stands for its block: no other thread of it has drawn there.
        let alone = satisfied_by_one(ctx, launch, &own)?;
        let unknown = ctx.facts.terms.get(value).unknown()?;
        let drawn = ctx.facts.atomic_step.iter();
        let mut drawn = drawn.filter(|row| row.unknown == unknown);
        let counter = ctx.access(drawn.next()?.access);
        let of_grid = self.distinct.iter().any(|row| {
            row.first == counter.access && row.second == counter.access && row.scope >= Scope::Grid
        });
        let same_thread = ctx.guards(counter.point) == ctx.guards(write.point)
            && ctx.loops(counter.point) == ctx.loops(write.point);
        (alone && of_grid && same_thread && self.agrees(counter.index)).then(|| always(true))
    }

    /// Whether nothing changes on the way what was written, which may take conditions more.
    fn stays(
        &self,
        write: &AccessRow,
        read: &AccessRow,
        changes: &[&AccessRow],
        conditions: &mut Vec<Conjunct>,
    ) -> Option<()> {
        let on_the_way = self.between.points(write.point, read.point);
        let others = changes.iter().filter(|other| {
            other.access != write.access
                && on_the_way.binary_search(&other.point).is_ok()
                && !self.is_apart(write, other)
        });
        let mut given = literals(self.ctx, write.point);
        given.extend(literals(self.ctx, read.point));
        for other in others {
            // A condition of a block says nothing of what the others do.
            if !self.is_shared(write) {
                return None;
            }
            let mut more = literals(self.ctx, other.point);
            more.retain(|literal| {
                self.is_condition(literal, write.point) && !given.contains(literal)
            });
            if more
                .iter()
                .any(|&(term, polarity)| given.contains(&(term, !polarity)))
            {
                continue;
            }
            // It is not executed either where the one condition that it has besides does not hold.
            let &[(term, polarity)] = more.as_slice() else {
                return None;
            };
            conditions.push((term, !polarity));
        }
        Some(())
    }

    fn is_shared(&self, row: &AccessRow) -> bool {
        let memory = self.ctx.storage(row.access);
        self.ctx.facts.array[memory.index()].space == Space::Shared
    }

    /// Whether all threads of a block have one value of the term.
    fn agrees(&self, term: TermId) -> bool {
        self.uniform.everywhere().is_uniform(term, Scope::Block)
    }

    /// Whether a conjunct is a condition of the whole block, with one value in an iteration of the loops around a point.
    fn is_condition(&self, &(term, _): &Conjunct, at: PointId) -> bool {
        let around = self.ctx.loops(at);
        let loops = &self.term_loops[term.index()];
        self.agrees(term) && loops.iter().all(|id| around.contains(id))
    }

    /// Whether two accesses to one memory touch different bytes: at fixed places.
    fn is_apart(&self, one: &AccessRow, other: &AccessRow) -> bool {
        let place = |row: &AccessRow| {
            let start = self.ctx.facts.terms.as_const(row.index)?;
            Some((start, start + i128::from(row.bytes)))
        };
        match (place(one), place(other)) {
            (Some((start, end)), Some((from, to))) => end <= from || to <= start,
            _ => false,
        }
    }
}
