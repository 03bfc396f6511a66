//! What is known of values by which loops are left: `found = k; break;`, `return k;`.
//!
//! **Where the iteration is told.** If the conditions of a loop and of its breaks are known of every iteration, it is left in the first
//! in which it does not go on. That is counted, or an unknown stands for its number, of which an `assume` that is certain says that the
//! loop goes on before it and not in it; values behind the loop are those of that iteration. It rests on conditions of breaks that are
//! exact: where a jump has passed by and no guard tells (`untold_ways`), where the condition of the loop has effects, or where a counter
//! is taken not to wrap, nothing is told.
//!
//! **Else** it depends on what the loop reads in which iteration that happens, and whether it does. So the value behind it is what it is
//! in *some* iteration, if the loop goes on to that one, or else what it is without: unknowns stand for which iteration, and for
//! whether. The truth is among the choices that these leave.

use rustc_hash::FxHashMap;
use warplog_facts::words::PointKind;
use warplog_facts::{AssumeRow, CType, LoopId, Op, TermId};

use crate::syntax::ast::Range;

use super::body::Lowerer;
use super::closed::{Inside, Slot, is_of_ordinal, made_before};
use super::loops::LeftAt;
use super::trial::flatten;
use super::value::{Env, Value};

/// Most iterations of which it is said that a loop is not left there.
const MAX_ENDS: usize = 6;

impl Lowerer<'_, '_> {
    /// The place from which on something is inside.
    pub(crate) fn inside_from_here(&self) -> Inside {
        Inside {
            unknowns: self.facts.unknown.len(),
            placeholders: self.last_placeholder() as usize,
            accesses: self.facts.access.len(),
            loop_id: LoopId::from_index(self.facts.loop_.len()),
        }
    }

    /// Numbers for the iterations of the loops inside that terms mention; none where one of these mentions what is read, or not
    /// known, inside.
    fn some_iterations(
        &mut self,
        mentioned: &[TermId],
        inside: Inside,
        controls: &[TermId],
        range: Range,
    ) -> Option<FxHashMap<TermId, TermId>> {
        let mut counts: Vec<(TermId, LoopId)> = Vec::new();
        for &term in mentioned {
            if !made_before(&self.facts.terms, term, inside) {
                return None;
            }
            for id in self.facts.terms.reachable(&[term]) {
                let part = self.facts.terms.get(id);
                let Some(of) = part.loop_id().filter(|of| *of >= inside.loop_id) else {
                    continue;
                };
                if part.op != Op::Iter {
                    return None;
                }
                if !counts.contains(&(id, of)) {
                    counts.push((id, of));
                }
            }
        }
        let mut images = FxHashMap::default();
        for (iter, _) in counts {
            let reason = "the iteration in which a loop is left";
            let some = self.unknown_of(reason, range, CType::I64, false, &[], controls);
            let zero = self.long(0);
            let some = self.facts.terms.binary(Op::Max, CType::I64, some, zero);
            images.insert(iter, some);
        }
        Some(images)
    }

    /// The value of what is one thing where a loop is left, under a condition over its iterations of which some conjuncts may not
    /// be known, and else another; none where that is not a term of the iterations.
    fn one_or_other(
        &mut self,
        (value, condition): (TermId, TermId),
        other: TermId,
        images: Option<&FxHashMap<TermId, TermId>>,
        (inside, controls, range): (Inside, &[TermId], Range),
    ) -> Option<TermId> {
        let mut known = self.known_conjuncts(condition, inside);
        let own;
        let images = match images {
            Some(images) => {
                let terms = &self.facts.terms;
                let is_told = |id: TermId| {
                    let of = terms.get(id).loop_id();
                    of.is_none_or(|of| of < inside.loop_id) || images.contains_key(&id)
                };
                known.retain(|&one| terms.reachable(&[one]).into_iter().all(is_told));
                images
            }
            None => {
                let mut mentioned = known.clone();
                mentioned.push(value);
                own = self.some_iterations(&mentioned, inside, controls, range)?;
                &own
            }
        };
        let reason = "whether a loop is left";
        let mut whether = self.unknown_of(reason, range, CType::Bool, false, &[], controls);
        for conjunct in known {
            let conjunct = self.facts.terms.replace(conjunct, images);
            whether = self.facts.terms.and(whether, conjunct);
        }
        let value = self.facts.terms.replace(value, images);
        let ty = self.facts.terms.ty(other);
        let value = self.facts.terms.cast(value, ty);
        Some(self.facts.terms.ite(whether, value, other))
    }

    /// The conjuncts of a condition that mention nothing inside but the numbers of iterations.
    fn known_conjuncts(&self, condition: TermId, inside: Inside) -> Vec<TermId> {
        let terms = &self.facts.terms;
        let (mut work, mut known) = (vec![condition], Vec::new());
        while let Some(id) = work.pop() {
            let term = terms.get(id);
            if term.op == Op::And {
                work.extend(term.args.iter().copied());
                continue;
            }
            let is_count = |part: TermId| {
                let part = terms.get(part);
                part.op == Op::Iter || part.loop_id().is_none_or(|of| of < inside.loop_id)
            };
            let parts = terms.reachable(&[id]);
            if made_before(terms, id, inside) && parts.into_iter().all(is_count) {
                known.push(id);
            }
        }
        known
    }

    /// What a variable is behind a loop that changes it only on the way to breaks.
    pub(crate) fn left_by_breaks(
        &mut self,
        before: TermId,
        breaks: &[(TermId, TermId)],
        (left_at, begun): (LeftAt, Option<TermId>),
        (inside, controls, range): (Inside, &[TermId], Range),
    ) -> Option<TermId> {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let images: FxHashMap<TermId, TermId> = [(iter, left_at.iteration)].into_iter().collect();
        let mut after = before;
        for &(condition, value) in breaks {
            if value == before {
                continue;
            }
            // The breaks of one loop leave it in one iteration of it, and none of another.
            let is_other = |part: TermId| {
                let of = self.facts.terms.get(part).loop_id();
                part != iter && of.is_some_and(|of| of >= inside.loop_id)
            };
            let made = made_before(&self.facts.terms, value, inside);
            let parts = self.facts.terms.reachable(&[value]);
            if !made || parts.into_iter().any(is_other) {
                return None;
            }
            // A break is met in an iteration that is begun.
            let condition = match begun {
                Some(begun) => self.facts.terms.and(condition, begun),
                None => condition,
            };
            if left_at.is_told && is_of_ordinal(&self.facts.terms, value, iter, inside) {
                let met = self.facts.terms.replace(condition, &images);
                let value = self.facts.terms.replace(value, &images);
                let value = self.facts.terms.cast(value, self.facts.terms.ty(before));
                after = self.facts.terms.ite(met, value, after);
                continue;
            }
            let place = (inside, controls, range);
            after = self.one_or_other((value, condition), after, Some(&images), place)?;
        }
        Some(after)
    }

    /// The condition under which an iteration is begun and goes on to the next, where that is known of every iteration: the
    /// condition of the loop holds, and no break is met.
    ///
    /// The conditions of breaks must be those under which they are met, no weaker ones.
    pub(super) fn goes_on(
        &mut self,
        condition: Option<TermId>,
        breaks: &[(TermId, Env)],
        inside: Inside,
    ) -> Option<TermId> {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let mut goes_on = condition.unwrap_or_else(|| self.facts.terms.truth(true));
        for &(met, _) in breaks {
            let passed = self.facts.terms.not(met);
            goes_on = self.facts.terms.and(goes_on, passed);
        }
        is_of_ordinal(&self.facts.terms, goes_on, iter, inside).then_some(goes_on)
    }

    /// Says in which iteration a loop is left: there it does not go on, and before it does, which is said of the iteration before
    /// it and of those in which a counter is what it is compared with.
    pub(super) fn tell_when_left(
        &mut self,
        left_at: TermId,
        goes_on: TermId,
        (inside, range): (Inside, Range),
    ) {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let (zero, one) = (self.long(0), self.long(1));
        let here = self.at_iteration(goes_on, iter, left_at);
        let here = self.facts.terms.not(here);
        let before = self.facts.terms.binary(Op::Sub, CType::I64, left_at, one);
        let before = self.at_iteration(goes_on, iter, before);
        let first = self.facts.terms.binary(Op::Eq, CType::Bool, left_at, zero);
        let not_earlier = self.facts.terms.or(first, before);
        let mut term = self.facts.terms.and(here, not_earlier);
        for ordinal in self.likely_ends(goes_on, iter) {
            let begun = self.facts.terms.binary(Op::Le, CType::Bool, zero, ordinal);
            let earlier = self
                .facts
                .terms
                .binary(Op::Lt, CType::Bool, ordinal, left_at);
            let earlier = self.facts.terms.and(begun, earlier);
            let later = self.facts.terms.not(earlier);
            let passed = self.at_iteration(goes_on, iter, ordinal);
            let passed = self.facts.terms.or(later, passed);
            term = self.facts.terms.and(term, passed);
        }
        let point = self.point(PointKind::Condition, range);
        self.facts.assume.push(AssumeRow {
            point,
            term,
            ends: false,
            certain: true,
        });
    }

    /// The iterations, as terms that may be negative, in which one side of an equation may be the other: `i == e` where `i` is
    /// counted up or down from where it is in the first.
    fn likely_ends(&mut self, condition: TermId, iter: TermId) -> Vec<TermId> {
        let zero = self.long(0);
        let mut ends = Vec::new();
        for id in self.facts.terms.reachable(&[condition]) {
            let (op, args) = (
                self.facts.terms.get(id).op,
                self.facts.terms.get(id).args.clone(),
            );
            let (Op::Eq, &[left, right]) = (op, args.as_slice()) else {
                continue;
            };
            let (counter, end) = match (self.mentions(left, iter), self.mentions(right, iter)) {
                (true, false) => (left, right),
                (false, true) => (right, left),
                _ => continue,
            };
            let is_integer = |term: TermId| self.facts.terms.ty(term).is_integer();
            if !is_integer(counter) || !is_integer(end) {
                continue;
            }
            let begin = self.at_iteration(counter, iter, zero);
            let [begin, end] = [begin, end].map(|term| self.facts.terms.cast(term, CType::I64));
            for (from, to) in [(begin, end), (end, begin)] {
                let ordinal = self.facts.terms.binary(Op::Sub, CType::I64, to, from);
                let never = self
                    .facts
                    .terms
                    .as_const(ordinal)
                    .is_some_and(|ordinal| ordinal < 0);
                if !never && !ends.contains(&ordinal) && ends.len() < MAX_ENDS {
                    ends.push(ordinal);
                }
            }
        }
        ends
    }

    /// What a variable is behind a loop: one value if that break was met, else another.
    pub(super) fn or_left_by(
        &mut self,
        at_break: &Value,
        otherwise: Value,
        (met, begun): (TermId, Option<TermId>),
        left_at: Option<LeftAt>,
        (inside, controls, range): (Inside, &[TermId], Range),
    ) -> Value {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let terms = &self.facts.terms;
        let mut parts = flatten(at_break).into_iter();
        let is_known = parts.all(|part| is_of_ordinal(terms, part, iter, inside));
        let Some(left_at) = left_at.filter(|left| left.is_told && is_known) else {
            return self.or_left_with(at_break, otherwise, inside, controls, range);
        };
        let met = match begun {
            Some(begun) => self.facts.terms.and(begun, met),
            None => met,
        };
        let met = self.at_iteration(met, iter, left_at.iteration);
        let at_break = self.map_slots(at_break, &mut |me, part| {
            me.at_iteration(part, iter, left_at.iteration)
        });
        self.merge(met, &at_break, &otherwise)
    }

    /// What a slot is behind a loop of which it is told when it is left: what it is at the break that is met in that iteration,
    /// else what it is at the head. None where it is not known at a break.
    pub(super) fn left_exactly(
        &mut self,
        (slot, form, unknown): (&Slot, Option<TermId>, TermId),
        breaks: &[(TermId, TermId)],
        (left_at, condition): (TermId, Option<TermId>),
        inside: Inside,
    ) -> Option<TermId> {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let terms = &self.facts.terms;
        let mut values = breaks.iter().map(|(_, value)| *value);
        if !values.all(|value| is_of_ordinal(terms, value, iter, inside)) {
            return None;
        }
        let ty = self.facts.terms.ty(slot.phi);
        let begun = condition.unwrap_or_else(|| self.facts.terms.truth(true));
        let mut after = match form {
            Some(form) => self.at_iteration(form, iter, left_at),
            None => {
                let zero = self.long(0);
                let first = self.facts.terms.binary(Op::Eq, CType::Bool, left_at, zero);
                // What nobody has set nobody may read, so it may be what it would be had the loop run.
                let start = match breaks.first().filter(|_| self.unset.contains(&slot.start)) {
                    Some(&(_, value)) => self.at_iteration(value, iter, zero),
                    None => slot.start,
                };
                self.facts.terms.ite(first, start, unknown)
            }
        };
        for &(met, value) in breaks {
            let met = self.facts.terms.and(begun, met);
            let met = self.at_iteration(met, iter, left_at);
            let value = self.at_iteration(value, iter, left_at);
            let value = self.facts.terms.cast(value, ty);
            after = self.facts.terms.ite(met, value, after);
        }
        Some(after)
    }

    /// What a function returns of whose returns some stand in loops.
    pub(crate) fn returned_in_loops(
        &mut self,
        returns: &[(TermId, TermId)],
        inside: Inside,
        (controls, range): (&[TermId], Range),
    ) -> Option<TermId> {
        let (&(_, last), others) = returns.split_last()?;
        let images = self.some_iterations(&[last], inside, controls, range)?;
        let mut result = self.facts.terms.replace(last, &images);
        for &(condition, value) in others.iter().rev() {
            let one = (value, condition);
            result = self.one_or_other(one, result, None, (inside, controls, range))?;
        }
        Some(result)
    }
}
