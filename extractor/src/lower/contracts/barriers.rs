//! Barrier invariants: what is said of shared memory at a barrier, checked there and used behind it.
//!
//! `__barrier_invariant_1(s[t] == t, 63 - t); __syncthreads();`
//!
//! **Algorithm.** The rules A-BAR-ERR and A-BAR-INV of Chong, Donaldson, Kelly, Ketema and Qadeer (OOPSLA 2013). *Check*: before the
//! barrier the condition must hold of an arbitrary thread (of two, `__other_int` being the second) for all contents of shared memory in
//! which the elements that it (that the two) accessed since the last barrier have the value that was left there. So each read of the
//! condition becomes a choice among those accesses, the latest first, and a read of which nothing is known. *Use*: behind the barrier
//! the condition holds of the thread itself, of any two, and of the threads that are named, for which it is said again with
//! `threadIdx.x` replaced, if they are threads of the block that come to the barrier.
//!
//! **Accuracy.** An element that a thread accessed in an interval is changed by no other in it, or that is a race of its own; so
//! what is concluded holds in executions up to their first race or divergent barrier. Where something else than a barrier may order
//! threads (an atomic operation, a fence, a barrier of a warp, lanes in step, a copy under way), or an element is accessed as another
//! type, or inside a loop that began since, nothing is known of what was accessed before. An invariant of two threads
//! is about two different ones, and is used of such only. A named thread that may have left the kernel in a loop is refused.

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::Ty;
use crate::syntax::ast::*;

/// Most accesses that one read of an invariant is compared with.
const MOST_ACCESSES: usize = 32;

/// An invariant that was said and checked, on its way to the barrier behind it.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    condition: Expr,
    /// The threads that it is used of, or both of each pair one behind the other.
    threads: Vec<Expr>,
    of_two: bool,
    invariant: InvariantId,
    range: Range,
    /// The points of its own, and how many conditions are around it.
    points: std::ops::Range<usize>,
    guards: usize,
}

/// The thread, and the other of two, of which a condition is said again (`i64`).
#[derive(Clone, Copy)]
struct Named {
    thread: TermId,
    other: Option<TermId>,
    /// Where it is named.
    range: Range,
}

impl Lowerer<'_, '_> {
    /// `__barrier_invariant_N(e, t1, …)`: checks it here, and keeps it for the barrier that follows.
    pub(crate) fn barrier_invariant(
        &mut self,
        condition: &Expr,
        threads: &[Expr],
        of_two: bool,
        range: Range,
    ) {
        let from = self.facts.access.len();
        let first = self.facts.point.len();
        let term = self.annotated(condition);
        let Some(term) = term else { return };
        if !of_two && self.speaks_of_two(term) {
            let text = "an invariant of one thread speaks of another: `__barrier_invariant_binary_1` is of two";
            self.contract_error(condition.range, text);
            return;
        }
        if !self.is_about_block(from, condition.range) {
            return;
        }
        let images = self.left_in_memory(term, from, of_two);
        let left = self.facts.terms.replace(term, &images);
        let claimed = self.of_one_block(left, of_two);
        let invariant = InvariantId::from_index(self.facts.invariant.len());
        let span = self.span(condition.range);
        let launch = self.launch;
        self.facts.invariant.push(InvariantRow {
            invariant,
            launch,
            loop_id: None,
            is_candidate: false,
            span,
        });
        let ranges = (condition.range, range);
        self.claim(claimed, AssertKind::Barrier, Some(invariant), ranges);
        let points = first..self.facts.point.len();
        self.contracts.pending.push(Pending {
            condition: condition.clone(),
            threads: threads.to_vec(),
            of_two,
            invariant,
            range,
            points,
            guards: self.guards.len(),
        });
    }

    fn speaks_of_two(&self, term: TermId) -> bool {
        let terms = &self.facts.terms;
        let mut all = terms.reachable(&[term]).into_iter();
        all.any(|id| matches!(terms.get(id).op, Op::Other | Op::SameBlock))
    }

    /// Threads of different blocks say nothing of each other.
    fn of_one_block(&mut self, term: TermId, of_two: bool) -> TermId {
        if !of_two {
            return term;
        }
        let together = self.facts.terms.same_block();
        let apart = self.facts.terms.not(together);
        self.facts.terms.or(apart, term)
    }

    /// Whether all that an annotation reads is shared memory of the block, or memory that no thread changes before.
    fn is_about_block(&mut self, from: usize, range: Range) -> bool {
        let facts = &self.facts;
        let rows = facts.access.get(from..).unwrap_or_default().iter();
        let foreign = rows.map(|row| &facts.array[row.array.index()]).find(|row| {
            let is_written = |other: &AccessRow| {
                let array = &facts.array[other.array.index()];
                array.storage == row.storage && other.kind != AccessKind::Read
            };
            row.space != Space::Shared && facts.access.iter().any(is_written)
        });
        let Some(name) = foreign.map(|row| row.name.clone()) else {
            return true;
        };
        let text = format!(
            "a barrier invariant is about shared memory of the block, and the kernel changes `{name}`, which is none"
        );
        self.contract_error(range, &text);
        false
    }

    /// For the reads of an annotation, from this access on: what they find if the thread, or the other of two, accessed the
    /// element since the last barrier.
    fn left_in_memory(
        &mut self,
        term: TermId,
        from: usize,
        of_two: bool,
    ) -> FxHashMap<TermId, TermId> {
        let mut images = FxHashMap::default();
        let loads = self.facts.terms.reachable(&[term]);
        // Arguments come before their terms: a place that is read from memory has its image already.
        for load in loads {
            let node = self.facts.terms.get(load).clone();
            let own = node.access().filter(|access| access.index() >= from);
            let (Some(access), [place]) = (own, node.args.as_slice()) else {
                continue;
            };
            let row = self.facts.access[access.index()].clone();
            let array = &self.facts.array[row.array.index()];
            if array.space != Space::Shared || *place != row.index {
                continue;
            }
            let place = self.facts.terms.replace(*place, &images);
            let mut found = load;
            // The earliest first, so that the latest decides.
            for (happens, at, value) in self.since_barrier(&row, node.ty, from) {
                let terms = &mut self.facts.terms;
                if of_two {
                    let (happens, at, value) =
                        (terms.other(happens), terms.other(at), terms.other(value));
                    let here = terms.binary(Op::Eq, CType::Bool, at, place);
                    let together = terms.same_block();
                    let takes = terms.and(happens, here);
                    let takes = terms.and(together, takes);
                    found = terms.ite(takes, value, found);
                }
            }
            for (happens, at, value) in self.since_barrier(&row, node.ty, from) {
                let terms = &mut self.facts.terms;
                let here = terms.binary(Op::Eq, CType::Bool, at, place);
                let takes = terms.and(happens, here);
                found = terms.ite(takes, value, found);
            }
            images.insert(load, found);
        }
        images
    }

    /// What the thread accessed of the memory of a read since the last barrier, the earliest first: under which condition, at
    /// which byte, and what it left or found there.
    fn since_barrier(
        &mut self,
        read: &AccessRow,
        ty: CType,
        from: usize,
    ) -> Vec<(TermId, TermId, TermId)> {
        let facts = &self.facts;
        let launch = self.launch;
        if facts.lock_step.iter().any(|row| row.launch == launch) || !self.copy_events.is_empty() {
            return Vec::new();
        }
        let loops = |point: PointId| {
            let rows = facts.loop_at.iter().rev();
            let rows = rows.filter(move |row| row.point == point);
            let mut loops: Vec<LoopId> = rows.map(|row| row.loop_id).collect();
            loops.sort_unstable();
            loops
        };
        let around = loops(read.point);
        let storage = facts.array[read.array.index()].storage;
        let is_boundary = |row: &&PointRow| {
            let kind = row.kind;
            let orders = matches!(
                kind,
                PointKind::Entry
                    | PointKind::Barrier
                    | PointKind::Meet
                    | PointKind::Fence
                    | PointKind::LoopHead
                    | PointKind::Copy
            );
            orders || loops(row.point) != around
        };
        let before = facts.point.get(..read.point.index()).unwrap_or_default();
        let boundary = before.iter().rev().find(is_boundary).map(|row| row.point);
        let mut found: Vec<(AccessRow, Option<TermId>)> = Vec::new();
        for row in facts.access.get(..from).unwrap_or_default().iter().rev() {
            let told = |other: &AnnotationReadRow| other.access == row.access;
            if boundary.is_some_and(|boundary| row.point <= boundary)
                || row.kind == AccessKind::Atomic
                || found.len() >= MOST_ACCESSES
            {
                break;
            }
            let of_memory = facts.array[row.array.index()].storage == storage;
            if !of_memory || facts.annotation_read.iter().any(told) {
                continue;
            }
            let is_alike = row.bytes == read.bytes && !row.volatile;
            let value = match row.kind {
                AccessKind::Write => row.value,
                _ => None,
            };
            let is_known = match value {
                Some(value) => facts.terms.ty(value) == ty,
                None => row.kind == AccessKind::Read,
            };
            if !is_alike || !is_known {
                break;
            }
            found.push((row.clone(), value));
        }
        let mut all = Vec::new();
        for (row, value) in found.into_iter().rev() {
            let happens = self.condition_of_point(row.point);
            let terms = &mut self.facts.terms;
            let value = value.unwrap_or_else(|| terms.load(row.access, row.index, ty));
            all.push((happens, row.index, value));
        }
        all
    }

    /// The path condition of a point, within the iteration of its loops.
    fn condition_of_point(&mut self, point: PointId) -> TermId {
        let rows = self.facts.guard_at.iter().rev();
        let mut rows: Vec<GuardAtRow> = rows.filter(|row| row.point == point).cloned().collect();
        rows.reverse();
        let terms = &mut self.facts.terms;
        let mut all = terms.truth(true);
        for row in rows {
            let one = match row.polarity {
                true => row.term,
                false => terms.not(row.term),
            };
            all = terms.and(all, one);
        }
        all
    }

    /// A barrier of the whole block: what was said before it holds behind it.
    pub(crate) fn use_barrier_invariants(&mut self) {
        if self.contracts.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.contracts.pending);
        // Of several in a row, each stands next to the one behind it, and the last to the barrier.
        let mut next = self.facts.point.len().saturating_sub(1);
        let mut follows = Vec::new();
        for one in pending.into_iter().rev() {
            if one.guards != self.guards.len() || one.points.end != next {
                self.stray_barrier_invariant(&one);
                continue;
            }
            next = one.points.start;
            follows.push(one);
        }
        for one in follows.into_iter().rev() {
            self.instances_of(&one);
        }
    }

    /// Those that no barrier followed.
    pub(crate) fn stray_barrier_invariants(&mut self) {
        for one in std::mem::take(&mut self.contracts.pending) {
            self.stray_barrier_invariant(&one);
        }
    }

    /// Those whose places are given to others.
    pub(crate) fn undo_barrier_invariants(&mut self, points: usize) {
        let pending = &mut self.contracts.pending;
        pending.retain(|one| one.points.end <= points);
    }

    fn stray_barrier_invariant(&mut self, one: &Pending) {
        let text = "a barrier invariant means nothing here: a barrier of the block stands behind it, with nothing between";
        self.contract_error(one.range, text);
    }

    /// What holds behind the barrier.
    fn instances_of(&mut self, one: &Pending) {
        let parts: Vec<&Expr> = std::iter::once(&one.condition)
            .chain(&one.threads)
            .collect();
        let from = self.facts.access.len();
        let terms = self.in_annotation(one.range, &parts, |me| {
            let value = me.expr(&one.condition);
            let itself = me.condition_of(&value, one.condition.range);
            let mut threads = Vec::new();
            for thread in &one.threads {
                let value = me.expr(thread);
                let term = me.integer_of(&value, thread.range);
                threads.push(me.facts.terms.cast(term, CType::I64));
            }
            let mut all = vec![me.of_one_block(itself, one.of_two)];
            let size = if one.of_two { 2 } else { 1 };
            for (nth, named) in threads.chunks(size).enumerate() {
                let named = Named {
                    thread: *named.first()?,
                    other: named.get(1).copied().filter(|_| one.of_two),
                    range: one.range,
                };
                match me.said_of(itself, named, from) {
                    Ok(term) => all.push(term),
                    Err(reason) => {
                        let range = one.threads.get(nth * size).map_or(one.range, |at| at.range);
                        let text = format!("it cannot be said of this thread: {reason}");
                        me.contract_error(range, &text);
                        return None;
                    }
                }
            }
            Some(all)
        });
        for term in terms.into_iter().flatten() {
            let point = self.point(PointKind::Condition, one.range);
            self.facts.invariant_at.push(InvariantAtRow {
                invariant: one.invariant,
                point,
                term,
            });
        }
    }

    /// The condition of the named threads, if they are threads that come here, and two.
    fn said_of(&mut self, term: TermId, named: Named, from: usize) -> Result<TermId, String> {
        let left_in_loop = self.facts.point.iter().any(|row| {
            let of_loop = |at: &LoopAtRow| at.point == row.point;
            row.launch == self.launch
                && row.kind == PointKind::Return
                && self.facts.loop_at.iter().any(of_loop)
        });
        if left_in_loop {
            return Err("it may have left the kernel in a loop".to_owned());
        }
        let [size, ..] = self.dimensions;
        let mut premises = Vec::new();
        let guards: Vec<TermId> = (0..self.guards.len())
            .map(|nth| self.guard_term(self.guards[nth]))
            .collect();
        for thread in [Some(named.thread), named.other].into_iter().flatten() {
            let terms = &mut self.facts.terms;
            let zero = terms.constant(0, CType::I64);
            let size = terms.cast(size, CType::I64);
            premises.push(terms.binary(Op::Le, CType::Bool, zero, thread));
            premises.push(terms.binary(Op::Lt, CType::Bool, thread, size));
            let itself = Named {
                thread,
                other: None,
                range: named.range,
            };
            for &guard in &guards {
                premises.push(self.as_thread(guard, itself, from)?);
            }
        }
        if let Some(other) = named.other {
            let terms = &mut self.facts.terms;
            premises.push(terms.binary(Op::Ne, CType::Bool, named.thread, other));
        }
        let mut said = self.as_thread(term, named, from)?;
        let terms = &mut self.facts.terms;
        for premise in premises.into_iter().rev() {
            let not = terms.not(premise);
            said = terms.or(not, said);
        }
        Ok(said)
    }

    /// A term with `threadIdx.x` of the named thread, and what it reads of memory as an annotation read again at the other place.
    fn as_thread(&mut self, root: TermId, named: Named, from: usize) -> Result<TermId, String> {
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in self.facts.terms.reachable(&[root]) {
            let node = self.facts.terms.get(id).clone();
            let args: Vec<TermId> = node.args.iter().map(|arg| images[arg]).collect();
            let image = match node.op {
                Op::TidX => self.facts.terms.cast(named.thread, node.ty),
                Op::Other => {
                    let inner = node.args.first().copied().unwrap_or(id);
                    let Some(other) = named.other else {
                        return Err("it speaks of a second one".to_owned());
                    };
                    let swapped = Named {
                        thread: other,
                        other: Some(named.thread),
                        range: named.range,
                    };
                    self.as_thread(inner, swapped, from)?
                }
                // Both are in the block of the thread that knows it.
                Op::SameBlock => self.facts.terms.truth(true),
                Op::Unknown | Op::Exit => {
                    return Err("it speaks of a value that only the thread itself knows".to_owned());
                }
                Op::Load => {
                    let access = node.access().filter(|access| access.index() >= from);
                    let (Some(access), &[place]) = (access, args.as_slice()) else {
                        return Err(
                            "it speaks of what the thread itself has read before; read it in the invariant"
                                .to_owned(),
                        );
                    };
                    self.read_again(access, id, place, named)?
                }
                _ if args == node.args.as_slice() => id,
                _ => self.facts.terms.make(node.op, node.ty, node.payload, &args),
            };
            images.insert(id, image);
        }
        Ok(images[&root])
    }

    /// A read of an annotation, at another place of its array.
    fn read_again(
        &mut self,
        access: AccessId,
        load: TermId,
        place: TermId,
        named: Named,
    ) -> Result<TermId, String> {
        let row = self.facts.access[access.index()].clone();
        let ty = self.facts.terms.ty(load);
        let of_whole = ty.bytes() == Some(row.bytes);
        if !of_whole {
            return Err("it reads a part of an object".to_owned());
        }
        let how = How::plain(AccessKind::Read);
        let again =
            self.access_of_pointer(row.array, place, &Ty::Scalar(ty), &how, None, named.range);
        let Some(again) = again else {
            return Err("its size is not known".to_owned());
        };
        let place = self.facts.access[again.index()].index;
        Ok(self.facts.terms.load(again, place, ty))
    }
}
