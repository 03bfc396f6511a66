//! Asynchronous copies: `__pipeline_memcpy_async`, and `memcpy_async` of a group or with a `cuda::barrier`.
//!
//! A copy is an access at its call; where it may still happen later is followed when the kernel has been lowered
//! ([`under_way`](super::super::under_way)).
//!
//! The bytes of a copy by a group are shared out among its threads, nobody says how: each thread may
//! read and write any of them, and what is written to a byte is the same whoever of the group does it. What another group
//! writes there, or another copy, is something else. Each copy of a group is a group of copies of its threads.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::under_way::{Waiter, What};
use super::super::value::*;
use super::block_barriers;
use super::{Call, Family, Meaning, memory, row, rows};
use crate::syntax::ast::{Expr, ExprKind, Range};

pub(super) const FAMILY: Family = Family {
    subject: "Barriers and copies as objects",
    source: "libcu++: cuda::barrier, cuda::pipeline, cuda::memcpy_async; CUDA C++ programming guide: Asynchronous Barrier",
    namespaces: &["cuda"],
    global: true,
    rows: &[
        row("init", 2, Meaning::By(block_barriers::init)),
        rows("memcpy_async", 4, 5, Meaning::By(copy_with_barrier)),
    ],
};

/// `__pipeline_memcpy_async(to, from, size)`: the thread's own copy.
pub(super) fn own_copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let plain = Call {
        args: call.args.get(..3)?,
        ..*call
    };
    me.values_of(call.args.get(3..)?);
    me.copy_of_thread(&plain, Waiter::Own)
}

/// `__pipeline_commit()`: the copies since the last one are a group.
pub(super) fn commit(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.copy_event(What::Commit, call.range);
    Some(Value::Void)
}

/// `__pipeline_wait_prior(n)`: the thread waits for all of its groups but the last `n`.
pub(super) fn wait_for_own(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = *me.terms_of(call.args).first()?;
    me.wait_for_all_but(Some(left), call.range);
    Some(Value::Void)
}

/// `cuda::memcpy_async(group, to, from, size, barrier)`, `cuda::memcpy_async(to, from, size, barrier)`; with a pipeline of the
/// thread in place of the barrier it is a copy of its own.
fn copy_with_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (barrier, args) = call.args.split_last()?;
    if me.pipeline(barrier).is_some() {
        return copy_of(me, call, args, Waiter::Own);
    }
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
    copy_of(me, call, args, Waiter::Barrier(object))
}

/// The same without the last argument, which says who waits.
fn copy_of(
    me: &mut Lowerer<'_, '_>,
    call: &Call<'_>,
    args: &[Expr],
    waiter: Waiter,
) -> Option<Value> {
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
        me.copy_of_group(&to, &from, &size, call.range, waiter);
        return Some(Value::Void);
    }
    let args = [rest, std::slice::from_ref(size)].concat();
    let plain = Call {
        args: &args,
        ..*call
    };
    me.copy_of_thread(&plain, waiter)
}

/// `cuda::aligned_size_t<16>(n)` is `n`.
pub(super) fn aligned(size: &Expr) -> &Expr {
    let named = |callee: &Expr| matches!(&callee.kind, ExprKind::Name(name) if name.base == "aligned_size_t");
    match &size.kind {
        ExprKind::Call { callee, args } if named(callee) => args.first().unwrap_or(size),
        ExprKind::Construct { args, .. } => args.first().unwrap_or(size),
        ExprKind::Cast { arg, .. } => arg,
        _ => size,
    }
}

impl Lowerer<'_, '_> {
    pub(super) fn path(&self) -> Vec<(TermId, bool)> {
        let guards = self.guards.iter();
        guards.map(|guard| (guard.term, guard.polarity)).collect()
    }

    /// The thread waits for all groups of its copies but so many.
    pub(crate) fn wait_for_all_but(&mut self, left: Option<TermId>, range: Range) {
        let left = left.and_then(|left| self.facts.terms.as_const(left));
        self.copy_event(What::WaitBut(left), range);
    }

    fn copy_of_thread(&mut self, call: &Call<'_>, waiter: Waiter) -> Option<Value> {
        let before = self.facts.access.len();
        memory::copy(self, call)?;
        self.begin_copy(before, waiter, call.range);
        Some(Value::Void)
    }

    /// Takes down that a copy is under way, whose accesses begin here.
    pub(crate) fn begin_copy(&mut self, before: usize, waiter: Waiter, range: Range) {
        self.forget_exchanges();
        let accesses = before..self.facts.access.len();
        let accesses: Vec<AccessId> = accesses.map(AccessId::from_index).collect();
        let bulk = matches!(
            waiter,
            Waiter::BulkRead | Waiter::BulkWrite | Waiter::Products
        );
        for &access in &accesses {
            self.facts.copy_access.push(CopyAccessRow {
                access,
                bulk,
                completes: None,
            });
        }
        self.copy_event(What::Begin(accesses, waiter), range);
    }

    /// A copy is no access at its call alone: it may outlast what an exchange takes and another gives back, and what stands
    /// before a ticket is drawn.
    pub(super) fn forget_exchanges(&mut self) {
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

    /// A copy by the threads of a group together.
    pub(super) fn shared_copy(&mut self, to: &Value, from: &Value, size: &Value, range: Range) {
        self.copy_of_group(to, from, size, range, Waiter::Own);
        self.copy_event(What::Commit, range);
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
        self.begin_copy(before, waiter, range);
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
