//! Asynchronous copies: `__pipeline_memcpy_async`, and `memcpy_async` of a group.
//!
//! A copy may happen at any time between its call and the wait for it. As long as no barrier stands
//! between the two, both are in one interval, and the copy is an access at its call. A barrier in
//! between is reported: what it orders of the copy is not modelled.
//!
//! The bytes of a copy by a group are shared out among its threads, nobody says how: each thread may
//! read and write any of them, and what is written to a byte is the same whoever does it.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, memory};
use crate::syntax::ast::Range;

/// The conditions under which a copy was begun that nobody has waited for yet.
pub(crate) type Begun = Vec<(TermId, bool)>;

/// `__pipeline_memcpy_async(to, from, size)`: the thread's own copy.
pub(super) fn own_copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let plain = Call {
        args: call.args.get(..3)?,
        ..*call
    };
    me.values_of(call.args.get(3..)?);
    memory::copy(me, &plain)?;
    me.begin_copy();
    Some(Value::Void)
}

/// `__pipeline_commit()`
pub(super) fn commit(_: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(Value::Void)
}

/// `__pipeline_wait_prior(0)`: the thread waits for all of its copies.
pub(super) fn wait_for_own(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = *me.terms_of(call.args).first()?;
    if me.facts.terms.as_const(left) == Some(0) {
        me.end_copies();
    }
    Some(Value::Void)
}

impl Lowerer<'_, '_> {
    /// Takes down that a copy is under way.
    pub(super) fn begin_copy(&mut self) {
        let guards = self.guards.iter();
        let begun: Begun = guards.map(|guard| (guard.term, guard.polarity)).collect();
        if !self.copies.contains(&begun) {
            self.copies.push(begun);
        }
    }

    /// The thread has waited for the copies that were begun wherever it comes to this wait.
    pub(super) fn end_copies(&mut self) {
        let guards = self.guards.iter();
        let own: Begun = guards.map(|guard| (guard.term, guard.polarity)).collect();
        let waited = |begun: &Begun| own.iter().all(|conjunct| begun.contains(conjunct));
        self.copies.retain(|begun| !waited(begun));
    }

    /// Reports a barrier while copies are under way.
    pub(super) fn copies_meet_barrier(&mut self, operation: &str, range: Range) {
        if !self.copies.is_empty() {
            self.unsupported(
                range,
                operation,
                "an asynchronous copy is under way that has not been waited for",
                Effect::Control,
            );
        }
    }

    /// A copy by the threads of a group together.
    pub(super) fn shared_copy(&mut self, to: &Value, from: &Value, size: &Value, range: Range) {
        let count = self.integer_of(size, range);
        let count = self.facts.terms.cast(count, CType::I64);
        for (pointer, kind) in [(from, AccessKind::Read), (to, AccessKind::Write)] {
            match pointer {
                Value::Pointer(pointer) => {
                    self.some_byte(pointer, count, kind, Some("byte of a copy"), range);
                }
                _ => self.lost_access(range, "source or target of a copy is not understood"),
            }
        }
        self.begin_copy();
    }
}
