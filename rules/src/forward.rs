//! From stores to loads: what a read finds because it was written before, across barriers too.
//!
//! `s[t] = t; __syncthreads(); x = s[t];` reads back t; `if (t == 0) n = b * 64; __syncthreads(); x = n;` reads b·64 in all
//! threads of the block, and where `if (t == 0) { if (k) n = 1; else n = 2; }` stands in front, 1 if k and else 2.
//!
//! **Algorithm.** A plain write and a read that follows it in the same iteration of the loops around the write, with
//! the same offset as a term. No other access that changes the memory lies on a path from the one to the other, so what
//! happens in between the two, whoever does it, leaves the element alone: in the interval of the write and in
//! that of the read, anything that touches it is concurrent with one of the two. The write has been executed
//! by the thread that reads, if its path condition holds there, or, where offset and value are equal
//! in all threads of the block or of the warp, by some thread of it, from which a barrier separates the read. Conditions may
//! remain, and are a part of what is derived: those under which the reader executes the write; those, equal in the
//! block or the warp, under which another thread does; and those under which another change on the way is not executed. That must
//! be one on which the whole block agrees, unless the reader itself wrote and from its write to the change, or from there to the
//! read, nothing orders threads: then the change of any other thread is concurrent with the one or the other, and only the
//! reader's own condition counts.
//!
//! **Accuracy.** Holds in executions up to their first race or divergent barrier: a write that is concurrent with the
//! write or the read and touches the element is a race of its own, unless it writes the same bytes or a lock is around
//! it; so nothing is said of a write or a read under a lock that is taken or released on the way between them. It says
//! nothing where the read is not executed.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{DistinctResultsRow, ForwardedLoadRow, ForwardedWhenRow};
use warplog_facts::words::{AccessKind, BarrierKind, PointKind, Scope, Space};
use warplog_facts::{AccessRow, ArrayId, LaunchId, LoopId, PointId, TermId};

use crate::context::{Conjunct, Context};
use crate::locks::Locks;
use crate::satisfied::{in_each_warp, literals, satisfied_by_one};
use crate::uniformity::Uniform;

/// Points of a launch beyond which paths are not followed, and pairs of a write and a read that are looked at in it.
const MAX_POINTS: usize = 6_000;
const MAX_PAIRS: usize = 400;

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

    /// Whether a point can follow another in the same iteration of the loops around that one.
    pub(crate) fn follows(&self, from: PointId, to: PointId) -> bool {
        let fixed = self.ctx.loops(from);
        let found = self.reach(from, fixed, &|at| self.ctx.successors(at).to_vec());
        found.contains(&to)
    }

    /// The points on the ways to a point from the last time that another was passed, in the same iteration of the loops around
    /// that one; none where some way leads there past it.
    pub(crate) fn since(&self, from: PointId, to: PointId) -> Option<FxHashSet<PointId>> {
        let fixed = self.ctx.loops(from);
        self.invert();
        let before = self.before.borrow();
        let found = self.reach(to, fixed, &|at| {
            let all = before.as_ref().and_then(|before| before.get(at.index()));
            let all = all.cloned().unwrap_or_default().into_iter();
            all.filter(|(other, _)| *other != from).collect()
        });
        let is_entry =
            |point: &PointId| self.ctx.facts.point[point.index()].kind == PointKind::Entry;
        (!found.iter().any(is_entry)).then_some(found)
    }

    /// Whether a barrier that orders memory stands on every way from the one to the other.
    pub(crate) fn separated(&self, from: PointId, to: PointId) -> bool {
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
                let orders = self
                    .ctx
                    .barrier_at(next)
                    .is_some_and(|barrier| self.ctx.facts.barrier[barrier.index()].kind.orders());
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

/// What is known of a launch when its stores are followed.
pub(crate) struct Known<'a> {
    pub ctx: &'a Context<'a>,
    pub locks: &'a Locks,
    pub uniform: &'a Uniform,
    /// The loops on whose iterations each term depends.
    pub term_loops: &'a [Vec<LoopId>],
    pub between: &'a Between<'a>,
    pub distinct: &'a [DistinctResultsRow],
    /// Points at which one thread may wait for another without a barrier.
    pub atomics: FxHashSet<PointId>,
}

/// The atomic accesses, and the reads and writes of volatile objects.
pub(crate) fn atomics(ctx: &Context<'_>) -> FxHashSet<PointId> {
    let rows = ctx.facts.access.iter();
    rows.filter(|row| row.kind == AccessKind::Atomic || row.volatile)
        .map(|row| row.point)
        .collect()
}

/// How a read comes to find the value of a write.
struct Found {
    across_blocks: bool,
    /// Whether the thread that reads is the one that wrote.
    own: bool,
    /// What must hold besides, in the thread that reads.
    conditions: Vec<Conjunct>,
}

impl Found {
    fn by_other(across_blocks: bool, conditions: Vec<Conjunct>) -> Self {
        Found {
            across_blocks,
            own: false,
            conditions,
        }
    }
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
            let Some(found) = known.found(write, read, value, all) else {
                continue;
            };
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
    /// Whether the reader finds the value of the write, as a term of its own, and under which conditions; with `across_blocks`
    /// only where blocks are compared.
    fn found(
        &self,
        write: &AccessRow,
        read: &AccessRow,
        value: TermId,
        changes: &[&AccessRow],
    ) -> Option<Found> {
        let theirs = literals(self.ctx, read.point);
        let (shared, own): (Vec<Conjunct>, Vec<Conjunct>) = literals(self.ctx, write.point)
            .into_iter()
            .partition(|literal| theirs.contains(literal));
        let unchanged = |mut found: Found| {
            self.stays(write, read, changes, &mut found)?;
            Some(found)
        };
        let by_other = if own.is_empty() {
            None
        } else {
            self.by_other(write, read, value, (&shared, &own))
        };
        // R33: a thread reads back what it wrote itself, where the conditions hold under which it wrote.
        let within = |literal: &Conjunct| self.is_within(literal, write.point);
        by_other.and_then(unchanged).or_else(|| {
            own.iter().all(within).then_some(())?;
            unchanged(Found {
                across_blocks: false,
                own: true,
                conditions: own,
            })
        })
    }

    /// The same where another thread may have written, under conditions of which some are not the reader's.
    fn by_other(
        &self,
        write: &AccessRow,
        read: &AccessRow,
        value: TermId,
        (shared, own): (&[Conjunct], &[Conjunct]),
    ) -> Option<Found> {
        let ctx = self.ctx;
        // What another thread wrote is there for certain behind a barrier, or where lanes are in step.
        let launch = ctx.launch_of(read.point);
        let in_order =
            || ctx.in_lock_step(launch) || self.between.separated(write.point, read.point);
        if !self.is_shared(write) || !in_order() {
            return None;
        }
        let agree = |scope: Scope, more: Option<TermId>| {
            let conditions = shared.iter().map(|&(term, _)| term);
            let mut terms = conditions.chain([write.index]).chain(more);
            terms.all(|term| self.agree(launch, term, scope))
        };
        // R45: the lanes of a warp read the value that some lane of it wrote, if they have the same one.
        let of_warp = || {
            let (conditions, of_lane): (Vec<Conjunct>, Vec<Conjunct>) =
                own.iter().partition(|(term, _)| {
                    self.agree(launch, *term, Scope::Warp)
                        && self.is_within(&(*term, true), write.point)
                });
            let uniform = self.uniform.of(launch);
            (agree(Scope::Warp, Some(value))
                && in_each_warp(ctx, launch, &of_lane)
                && uniform.leave_together(ctx, write.point, Scope::Warp))
            .then(|| Found::by_other(false, conditions))
        };
        if !agree(Scope::Block, None) {
            return of_warp();
        }
        // R34: all read the value that some thread wrote, if all threads of the block have the same one. It is written
        // where the block's conditions of the write hold.
        if self.agree(launch, value, Scope::Block) {
            let (conditions, of_thread): (Vec<Conjunct>, Vec<Conjunct>) = own
                .iter()
                .partition(|conjunct| self.is_condition(conjunct, write.point));
            satisfied_by_one(ctx, launch, &of_thread)?;
            return Some(Found::by_other(false, conditions));
        }
        // R35: what one thread drew from a counter of the grid stands for its block: no other thread of it has drawn there.
        let alone = satisfied_by_one(ctx, launch, own)?;
        let unknown = ctx.facts.terms.get(value).unknown()?;
        let drawn = ctx.facts.atomic_step.iter();
        let mut drawn = drawn.filter(|row| row.unknown == unknown);
        let counter = ctx.access(drawn.next()?.access);
        let of_grid = self.distinct.iter().any(|row| {
            row.first == counter.access && row.second == counter.access && row.scope >= Scope::Grid
        });
        let same_thread = ctx.guards(counter.point) == ctx.guards(write.point)
            && ctx.loops(counter.point) == ctx.loops(write.point);
        (alone && of_grid && same_thread && self.agrees(counter.index))
            .then(|| Found::by_other(true, Vec::new()))
    }

    /// Whether nothing changes on the way what was written, which may take conditions more.
    fn stays(
        &self,
        write: &AccessRow,
        read: &AccessRow,
        changes: &[&AccessRow],
        found: &mut Found,
    ) -> Option<()> {
        let on_the_way = self.between.points(write.point, read.point);
        let others = changes.iter().filter(|other| {
            other.access != write.access
                && on_the_way.binary_search(&other.point).is_ok()
                && !self.is_apart(write, other)
        });
        let mut given = literals(self.ctx, write.point);
        given.extend(literals(self.ctx, read.point));
        given.extend(self.ctx.guards(write.point));
        given.extend(self.ctx.guards(read.point));
        for other in others {
            let changed = if found.own && self.is_of_reader(write, other, read) {
                self.own_change(write, other, &given)?
            } else {
                self.change_of_block(write, other, &given)?
            };
            // It is not executed either where the one condition that it has besides does not hold.
            if let Some((term, polarity)) = changed {
                found.conditions.push((term, !polarity));
                given.push((term, !polarity));
            }
        }
        Some(())
    }

    /// The condition without which no thread of the block executes another change on the way; `Some(None)` if none does.
    fn change_of_block(
        &self,
        write: &AccessRow,
        other: &AccessRow,
        given: &[Conjunct],
    ) -> Option<Option<Conjunct>> {
        // A condition of a block says nothing of what the others do.
        if !self.is_shared(write) {
            return None;
        }
        let mut more = literals(self.ctx, other.point);
        more.retain(|literal| self.is_condition(literal, write.point) && !given.contains(literal));
        if is_excluded(&more, given) {
            return Some(None);
        }
        match more.as_slice() {
            &[condition] => Some(Some(condition)),
            _ => None,
        }
    }

    /// The condition without which the thread that wrote and reads does not execute another change on the way itself.
    fn own_change(
        &self,
        write: &AccessRow,
        other: &AccessRow,
        given: &[Conjunct],
    ) -> Option<Option<Conjunct>> {
        if self.ctx.loops(other.point) != self.ctx.loops(write.point) {
            return None;
        }
        if is_excluded(&literals(self.ctx, other.point), given) {
            return Some(None);
        }
        let mut more = self.ctx.guards(other.point).to_vec();
        more.retain(|conjunct| !given.contains(conjunct));
        more.sort_unstable();
        more.dedup();
        match more.as_slice() {
            &[condition] if self.is_within(&condition, write.point) => Some(Some(condition)),
            _ => None,
        }
    }

    /// Whether of all threads that may execute another change on the way only the one that wrote and reads matters: from the
    /// write to the change, or from there to the read, nothing orders threads, so that any other thread's is concurrent with
    /// the one or the other.
    fn is_of_reader(&self, write: &AccessRow, other: &AccessRow, read: &AccessRow) -> bool {
        let orders = |&point: &PointId| {
            let barrier = self.ctx.barrier_at(point);
            let kind = barrier.map(|id| self.ctx.facts.barrier[id.index()].kind);
            kind.is_some_and(BarrierKind::orders) || self.atomics.contains(&point)
        };
        let unordered = |from: &AccessRow, to: &AccessRow| {
            let points = self.between.points(from.point, to.point);
            !points.iter().any(orders) && !orders(&from.point) && !orders(&to.point)
        };
        unordered(write, other) || unordered(other, read)
    }

    fn is_shared(&self, row: &AccessRow) -> bool {
        let memory = self.ctx.storage(row.access);
        self.ctx.facts.array[memory.index()].space == Space::Shared
    }

    /// Whether all threads of a block have one value of the term.
    fn agrees(&self, term: TermId) -> bool {
        self.uniform.everywhere().is_uniform(term, Scope::Block)
    }

    /// Whether all threads of a block, or of a warp, have one value of the term.
    fn agree(&self, launch: LaunchId, term: TermId, scope: Scope) -> bool {
        match scope {
            Scope::Warp => self.uniform.of(launch).is_uniform(term, scope),
            _ => self.uniform.everywhere().is_uniform(term, scope),
        }
    }

    /// Whether a conjunct is a condition of the whole block, with one value in an iteration of the loops around a point.
    fn is_condition(&self, conjunct: &Conjunct, at: PointId) -> bool {
        self.agrees(conjunct.0) && self.is_within(conjunct, at)
    }

    /// Whether a thread has one value of a conjunct in an iteration of the loops around a point.
    fn is_within(&self, &(term, _): &Conjunct, at: PointId) -> bool {
        let around = self.ctx.loops(at);
        let loops = &self.term_loops[term.index()];
        loops.iter().all(|id| around.contains(id))
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

/// Whether some of these conditions is known not to hold.
fn is_excluded(conditions: &[Conjunct], given: &[Conjunct]) -> bool {
    conditions
        .iter()
        .any(|&(term, polarity)| given.contains(&(term, !polarity)))
}
