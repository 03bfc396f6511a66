//! Asynchronous copies: `__pipeline_memcpy_async`, and `memcpy_async` of a group or with a `cuda::barrier`.
//!
//! A copy may happen at any time between its call and the wait for it. As long as no barrier stands
//! between the two, both are in one interval, and the copy is an access at its call. A thread's own
//! copy that a barrier finds under way is an access behind that barrier as well, if all that come to
//! the barrier have begun it; any other is reported.
//!
//! The bytes of a copy by a group are shared out among its threads, nobody says how: each thread may
//! read and write any of them, and what is written to a byte is the same whoever of the group does it. What another group
//! writes there, or another copy, is something else.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use super::block_barriers::{self, Object};
use super::{Call, Family, Meaning, memory, row, rows};
use crate::syntax::ast::{Expr, ExprKind, Range};

pub(super) const FAMILY: Family = Family {
    subject: "Barriers and copies as objects",
    source: "libcu++: cuda::barrier, cuda::memcpy_async; CUDA C++ programming guide: Asynchronous Barrier",
    namespaces: &["cuda"],
    global: true,
    rows: &[
        row("init", 2, Meaning::By(block_barriers::init)),
        rows("memcpy_async", 4, 5, Meaning::By(copy_with_barrier)),
    ],
};

/// Who waits for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiter {
    /// The thread itself, for batches: how many batches surely followed the one that it is in, if that is complete.
    Own(Option<i128>),
    /// The threads of a group.
    Group,
    /// Who waits at a `cuda::barrier`.
    Barrier(Object),
}

/// A copy that nobody has waited for yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The conditions under which it was begun.
    guards: Vec<(TermId, bool)>,
    loops: Vec<LoopId>,
    waiter: Waiter,
    /// Some of those who have begun it have waited for it.
    partly: bool,
    /// What it reads and writes.
    accesses: Vec<AccessId>,
}

/// `__pipeline_memcpy_async(to, from, size)`: the thread's own copy.
pub(super) fn own_copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let plain = Call {
        args: call.args.get(..3)?,
        ..*call
    };
    me.values_of(call.args.get(3..)?);
    me.copy_of_thread(&plain, Waiter::Own(None))
}

/// `__pipeline_commit()`: the copies since the last one are a batch.
pub(super) fn commit(me: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    let own = me.path();
    for begun in &mut me.copies {
        // Only what all commit that have begun the copy.
        if let Waiter::Own(later) = &mut begun.waiter
            && covers(&own, &begun.guards)
        {
            *later = Some(later.map_or(0, |later| later + 1));
        }
    }
    Some(Value::Void)
}

/// `__pipeline_wait_prior(n)`: the thread waits for all of its batches but the last `n`.
pub(super) fn wait_for_own(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = *me.terms_of(call.args).first()?;
    if let Some(left) = me.facts.terms.as_const(left) {
        me.end_copies(
            |waiter| matches!(waiter, Waiter::Own(Some(later)) if (0..=later).contains(&left)),
        );
    }
    Some(Value::Void)
}

/// `cuda::memcpy_async(group, to, from, size, barrier)`, `cuda::memcpy_async(to, from, size, barrier)`
fn copy_with_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (barrier, args) = call.args.split_last()?;
    if !me.is_block_barrier(barrier) {
        return None;
    }
    let Some(object) = me.block_barrier(barrier) else {
        me.values_of(args);
        me.unsupported(
            call.range,
            "asynchronous copy",
            "the barrier that it signals is not known",
            Effect::Control,
        );
        return Some(Value::Void);
    };
    let (size, rest) = args.split_last()?;
    let size = aligned(size);
    if let [group, to, from] = rest {
        let group = me.expr(group);
        let (to, from, size) = (me.expr(to), me.expr(from), me.expr(size));
        match super::groups::group_of(&group) {
            Some(group) => me.group_meets(group, call.name, call.range),
            None => me.unsupported(
                call.range,
                "asynchronous copy",
                "the group is not known",
                Effect::Control,
            ),
        }
        me.copy_of_group(&to, &from, &size, call.range, Waiter::Barrier(object));
        return Some(Value::Void);
    }
    let args = [rest, std::slice::from_ref(size)].concat();
    let plain = Call {
        args: &args,
        ..*call
    };
    me.copy_of_thread(&plain, Waiter::Barrier(object))
}

/// `cuda::aligned_size_t<16>(n)` is `n`.
fn aligned(size: &Expr) -> &Expr {
    let named = |callee: &Expr| matches!(&callee.kind, ExprKind::Name(name) if name.base == "aligned_size_t");
    match &size.kind {
        ExprKind::Call { callee, args } if named(callee) => args.first().unwrap_or(size),
        ExprKind::Construct { args, .. } => args.first().unwrap_or(size),
        ExprKind::Cast { arg, .. } => arg,
        _ => size,
    }
}

/// Whether whoever satisfies the second conditions satisfies the first.
fn covers(own: &[(TermId, bool)], begun: &[(TermId, bool)]) -> bool {
    own.iter().all(|conjunct| begun.contains(conjunct))
}

impl Lowerer<'_, '_> {
    /// Reports an access to what a copy of the same thread, which has not been waited for, writes or reads: the pair is one of
    /// a single thread, and no race is asked about. Other places of an array are taken to be other bytes.
    pub(crate) fn meets_own_copies(
        &mut self,
        array: ArrayId,
        index: TermId,
        kind: AccessKind,
        range: Range,
    ) {
        let facts = &self.facts;
        let meets = self.copies.iter().any(|begun| {
            let mut accesses = begun.accesses.iter();
            accesses.any(|access| {
                // Trial lowerings forget their accesses.
                facts.access.get(access.index()).is_some_and(|row| {
                    let writes = row.kind != AccessKind::Read || kind != AccessKind::Read;
                    row.array == array && row.index == index && writes
                })
            })
        });
        if meets {
            self.unsupported(
                range,
                "access",
                "an asynchronous copy of the thread to or from there has not been waited for",
                Effect::Access,
            );
        }
    }

    pub(super) fn path(&self) -> Vec<(TermId, bool)> {
        let guards = self.guards.iter();
        guards.map(|guard| (guard.term, guard.polarity)).collect()
    }

    fn copy_of_thread(&mut self, call: &Call<'_>, waiter: Waiter) -> Option<Value> {
        let before = self.facts.access.len();
        memory::copy(self, call)?;
        self.begin_copy(before, waiter);
        Some(Value::Void)
    }

    /// Takes down that a copy is under way, whose accesses begin here.
    fn begin_copy(&mut self, before: usize, waiter: Waiter) {
        self.forget_exchanges();
        let accesses = before..self.facts.access.len();
        self.copies.push(Begun {
            guards: self.path(),
            loops: self.loops.clone(),
            waiter,
            partly: false,
            accesses: accesses.map(AccessId::from_index).collect(),
        });
    }

    /// A copy is no access at its call alone: it may outlast what an exchange takes and another gives back, and what stands
    /// before a ticket is drawn.
    fn forget_exchanges(&mut self) {
        self.has_copies = true;
        let launch = self.launch;
        let relations = &mut self.facts.relations;
        let (points, accesses) = (&relations.point, &relations.access);
        let of_others = |access: AccessId| {
            let access = accesses.get(access.index());
            let point = access.and_then(|access| points.get(access.point.index()));
            point.is_some_and(|point| point.launch != launch)
        };
        relations
            .atomic_exchange
            .retain(|row| of_others(row.access));
        relations.atomic_ticket.retain(|row| of_others(row.access));
        relations.group_ticket.retain(|row| of_others(row.access));
    }

    /// The thread has waited for these copies, of those that were begun wherever it comes to this wait.
    fn end_copies(&mut self, waited_for: impl Fn(Waiter) -> bool) {
        let own = self.path();
        self.copies.retain_mut(|begun| {
            let waited = waited_for(begun.waiter);
            begun.partly |= waited;
            !(waited && covers(&own, &begun.guards))
        });
    }

    /// The threads of a group have waited for all copies of the group, and each for its own.
    pub(super) fn end_copies_of_group(&mut self) {
        self.end_copies(|waiter| !matches!(waiter, Waiter::Barrier(_)));
    }

    /// The threads have waited at a `cuda::barrier`.
    pub(super) fn end_copies_of_barrier(&mut self, object: Object) {
        self.end_copies(|waiter| waiter == Waiter::Barrier(object));
    }

    /// Reports a barrier at which copies are under way, but for those that are followed behind it.
    pub(super) fn copies_meet_barrier(&mut self, operation: &str, range: Range) {
        if !self.copies.iter().all(|begun| self.is_followed(begun)) {
            self.unsupported(
                range,
                operation,
                "an asynchronous copy is under way that has not been waited for",
                Effect::Control,
            );
        }
    }

    /// Whether a copy is one of the thread's own that all have under way who come here.
    fn is_followed(&self, begun: &Begun) -> bool {
        let own = self.path();
        !matches!(begun.waiter, Waiter::Group)
            && !begun.partly
            && self.trial == 0
            && begun.loops.is_empty()
            && self.loops.is_empty()
            && covers(&begun.guards, &own)
            && covers(&own, &begun.guards)
            && self.stand_alone(&begun.accesses)
    }

    /// Whether accesses have the conditions of what they were made by, and no others.
    fn stand_alone(&self, accesses: &[AccessId]) -> bool {
        let guards = self.guards.len();
        accesses.iter().all(|access| {
            self.facts.access.get(access.index()).is_some_and(|row| {
                let own = self.facts.guard_at.iter();
                own.filter(|guard| guard.point == row.point).count() == guards
            })
        })
    }

    /// Behind a barrier, the copies that are under way there may still happen.
    pub(super) fn copies_go_on(&mut self, range: Range) {
        let own: Vec<AccessId> = self
            .copies
            .iter()
            .filter(|begun| self.is_followed(begun))
            .flat_map(|begun| begun.accesses.clone())
            .collect();
        for access in own {
            let Some(row) = self.facts.access.get(access.index()).cloned() else {
                continue;
            };
            let point = self.point(PointKind::Access, range);
            let access = AccessId::from_index(self.facts.access.len());
            self.facts.access.push(AccessRow {
                access,
                point,
                ..row
            });
        }
    }

    /// A copy by the threads of a group together.
    pub(super) fn shared_copy(&mut self, to: &Value, from: &Value, size: &Value, range: Range) {
        self.copy_of_group(to, from, size, range, Waiter::Group);
    }

    fn copy_of_group(
        &mut self,
        to: &Value,
        from: &Value,
        size: &Value,
        range: Range,
        waiter: Waiter,
    ) {
        let before = self.facts.access.len();
        let count = self.integer_of(size, range);
        let count = self.facts.terms.cast(count, CType::I64);
        let source = self.source_of_copy(to, from);
        for (pointer, kind) in [(from, AccessKind::Read), (to, AccessKind::Write)] {
            match pointer {
                Value::Pointer(pointer) => {
                    self.some_byte(pointer, count, kind, source.as_deref(), range);
                }
                _ => self.lost_access(range, "source or target of a copy is not understood"),
            }
        }
        self.begin_copy(before, waiter);
    }

    /// What tells the bytes of one copy by a group from those of another, besides where they are written: its call, where it
    /// reads and where it begins to write, and the block if it reads memory of the block. None if each thread reads memory of its own.
    fn source_of_copy(&mut self, to: &Value, from: &Value) -> Option<Vec<TermId>> {
        let (Value::Pointer(to), Value::Pointer(from)) = (to, from) else {
            return None;
        };
        let call = self.facts.point.len();
        let mut source = vec![self.long(i64::try_from(call).ok()?)];
        let mut of_block = false;
        for target in to.targets.iter().chain(&from.targets) {
            let Base::Array(array) = target.base else {
                return None;
            };
            of_block |= match self.facts.array[array.index()].space {
                Space::Local => return None,
                Space::Shared => true,
                Space::Global | Space::Constant => false,
            };
            source.extend(target.condition);
            source.push(target.offset);
        }
        if of_block {
            source.push(self.rank_of_block());
        }
        Some(source)
    }
}
