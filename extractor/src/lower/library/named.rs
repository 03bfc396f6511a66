//! Named barriers: `bar.sync id, count`, for as many threads as `count` says.
//!
//! Who takes part is nowhere said: those that come. For a block of known size the threads that the
//! conditions let come are counted, one by one; if those of each id are as many as the barrier is
//! for, they are its group. Without a count the barrier is for the whole block.
//!
//! **Accuracy.** A barrier whose threads cannot be counted, or do not make up the count, or that
//! shares its id with another group, is reported as not modelled.

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::eval::Evaluator;
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::asm::phases::step;
use super::super::body::Lowerer;
use super::super::value::*;
use super::Call;
use super::masks::Meeting;
use super::threads::{MOST_THREADS, Thread};
use crate::syntax::ast::Range;

/// The threads of a named barrier: its ids, who takes part, which of several groups one is in.
pub(crate) type Named = (BTreeSet<i128>, Option<TermId>, Option<TermId>);

/// A place at which threads come to a named barrier that is counted by phases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedCall {
    id: i128,
    count: i128,
    /// How many come.
    come: i128,
    /// Position of its point.
    point: usize,
    range: Range,
}

/// `__barrier_sync(id)`, `__barrier_sync_count(id, count)`
pub(super) fn barrier_sync(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let id = *terms.first()?;
    me.named_barrier(call.name, id, terms.get(1).copied(), call.range);
    Some(Value::Void)
}

/// The condition on a thread for coming to a barrier, and how many come with each id.
type Participants = (Option<TermId>, BTreeMap<i128, i128>);

impl Lowerer<'_, '_> {
    /// A barrier by its id, for all threads of the block or for so many.
    pub(crate) fn named_barrier(
        &mut self,
        operation: &str,
        id: TermId,
        count: Option<TermId>,
        range: Range,
    ) {
        let fixed = self.facts.terms.as_const(id);
        let sizes = [0, 1, 2].map(|axis: usize| self.facts.terms.as_const(self.dimensions[axis]));
        let threads = sizes
            .iter()
            .try_fold(1i128, |all, size| Some(all * (*size)?));
        let count = count.map(|count| self.facts.terms.as_const(count).unwrap_or(-1));
        let whole = count.is_none() || count == threads;
        let Some(count) = count.filter(|_| !whole || fixed.is_none()) else {
            self.whole_block(operation, (id, fixed), count.zip(threads), range);
            return;
        };
        let participants = self.participants(id);
        if self.phased.contains(&None) || self.phased.contains(&fixed) {
            self.named_phase(PhaseStep::Sync, (id, fixed), Some(count), range);
            return;
        }
        let all = |(_, found): &Participants| {
            !found.is_empty() && found.values().all(|&threads| threads == count)
        };
        let Some((member, found)) = participants.filter(all) else {
            self.named_phase(PhaseStep::Sync, (id, fixed), Some(count), range);
            return;
        };
        let key = fixed.is_none().then_some(id);
        let group: Named = (found.into_keys().collect(), member, key);
        let other = |known: &&Named| {
            (known.1, known.2) != (group.1, group.2) && !known.0.is_disjoint(&group.0)
        };
        // 0 is the id of `__syncthreads()`.
        if group.0.contains(&0) || self.named.iter().any(|known| other(&known)) {
            self.not_counted(operation, "other threads use its id", range);
            return;
        }
        if !self.named.contains(&group) {
            self.named.push(group);
        }
        let meeting = Meeting {
            mask: None,
            member,
            key,
        };
        self.meeting(BarrierKind::Part, operation, meeting, range);
    }

    /// A barrier without a count, or for as many threads as the block has.
    fn whole_block(
        &mut self,
        operation: &str,
        (id, fixed): (TermId, Option<i128>),
        counted: Option<(i128, i128)>,
        range: Range,
    ) {
        if fixed.is_none() {
            self.not_counted(operation, "its id is not constant", range);
            return;
        }
        // With a count, others may arrive without waiting.
        let joined = self.phased.contains(&None) || self.phased.contains(&fixed);
        let (count, found) = (counted.map(|(count, _)| count), self.participants(id));
        let parts = found.zip(count).is_some_and(|((_, found), count)| {
            let mut all = found.values();
            all.any(|&threads| threads != count)
        });
        if joined || parts {
            self.named_phase(PhaseStep::Sync, (id, fixed), count, range);
            return;
        }
        // On trial, counters are not known.
        self.whole_ids.extend(fixed.filter(|_| self.trial == 0));
        self.barrier(BarrierKind::Block, operation, range);
    }

    /// `bar.arrive id, count`
    pub(crate) fn named_arrival(
        &mut self,
        operation: &str,
        id: TermId,
        count: TermId,
        range: Range,
    ) {
        let fixed = self.facts.terms.as_const(id);
        match self.facts.terms.as_const(count) {
            Some(count) => self.named_phase(PhaseStep::Arrive, (id, fixed), Some(count), range),
            None => self.lost_phase(operation, "for how many threads it is, is not known", range),
        }
    }

    /// A step at a named barrier whose arrivals are counted by phases, as not all threads that it is for come to one place.
    fn named_phase(
        &mut self,
        kind: PhaseStep,
        (id, fixed): (TermId, Option<i128>),
        count: Option<i128>,
        range: Range,
    ) {
        let mut groups = self.named.iter();
        let meets = match fixed {
            Some(id) => {
                groups.any(|(ids, ..)| ids.contains(&id)) || self.whole_ids.contains(&id) || id == 0
            }
            None => groups.next().is_some() || !self.whole_ids.is_empty(),
        };
        if self.trial == 0 {
            self.phased.insert(fixed);
        }
        if meets || count == Some(-1) {
            self.lost_phase("a named barrier", "other threads use its id", range);
            return;
        }
        let come = self.participants(id).map(|(_, found)| found);
        if let (Some(id), Some(count), Some(come)) = (fixed, count, come) {
            self.named_calls.push(NamedCall {
                id,
                count,
                come: come.values().sum(),
                point: self.facts.point.len(),
                range,
            });
        } else {
            self.uncounted_ids.insert(fixed);
        }
        let amount = count.map(|count| self.facts.terms.constant(count, CType::I64));
        let row = PhaseStepRow {
            amount,
            ..step(kind, None, id)
        };
        self.phase_step(row, range);
    }

    /// Behind the whole kernel: named barriers that nobody gets through, as too few threads ever come.
    pub(crate) fn too_few_come(&mut self) {
        let calls = std::mem::take(&mut self.named_calls);
        let points: BTreeSet<usize> = self
            .facts
            .phase_step
            .iter()
            .map(|row| row.point.index())
            .collect();
        let calls: Vec<NamedCall> = calls
            .into_iter()
            .filter(|call| points.contains(&call.point))
            .collect();
        for call in &calls {
            let same = calls.iter().filter(|other| other.id == call.id);
            let come: i128 = same.map(|other| other.come).sum();
            let counted =
                !self.uncounted_ids.contains(&Some(call.id)) && !self.uncounted_ids.contains(&None);
            if counted && come < call.count {
                let why = "fewer threads come to it than it is for: it lets nobody through";
                self.not_counted("a named barrier", why, call.range);
            }
        }
    }

    fn not_counted(&mut self, operation: &str, why: &str, range: Range) {
        self.unsupported(range, operation, why, Effect::Order);
    }

    /// The condition on a thread for coming here, and how many come with each id, in a block of
    /// known size.
    fn participants(&mut self, id: TermId) -> Option<Participants> {
        let mut size = [1; 3];
        for (size, &dimension) in size.iter_mut().zip(&self.dimensions) {
            *size = self.facts.terms.as_const(dimension)?;
        }
        if size.iter().product::<i128>() > MOST_THREADS {
            return None;
        }
        let mut conjuncts: Vec<(TermId, bool)> = Vec::new();
        for guard in &self.guards {
            let parts = self.facts.terms.reachable(&[guard.term]);
            let has = |ops: &[Op]| {
                let mut ops_of = parts.iter().map(|&part| self.facts.terms.get(part).op);
                ops_of.any(|op| ops.contains(&op))
            };
            if has(&[Op::Load, Op::Unknown, Op::Exit, Op::Other]) {
                return None;
            }
            // The same in all threads of the block, else.
            if has(&[Op::TidX, Op::TidY, Op::TidZ]) {
                if has(&[Op::Iter]) {
                    return None;
                }
                conjuncts.push((guard.term, guard.polarity));
            }
        }
        if !self.is_of_thread(id) {
            return None;
        }
        let mut found: BTreeMap<i128, i128> = BTreeMap::new();
        for rank in 0..size.iter().product() {
            let thread = Thread::at(rank, size, size.map(Some));
            let mut evaluator = Evaluator::new(&self.facts.terms, &thread);
            let mut comes = true;
            for &(term, polarity) in &conjuncts {
                comes = comes && (evaluator.value(term).ok()? != 0) == polarity;
            }
            if comes {
                *found.entry(evaluator.value(id).ok()?).or_default() += 1;
            }
        }
        let terms = &mut self.facts.terms;
        let mut member: Option<TermId> = None;
        for (term, polarity) in conjuncts {
            let holds = if polarity { term } else { terms.not(term) };
            member = Some(match member {
                Some(all) => terms.and(all, holds),
                None => holds,
            });
        }
        Some((member, found))
    }
}
