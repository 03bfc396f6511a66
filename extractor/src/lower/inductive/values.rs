//! The terms of variables of which something is kept, at the head of a loop, behind it, and in trial lowerings.

use rustc_hash::FxHashMap;
use warplog_facts::range::{Interval, Ranges};
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::closed::Slot;
use super::super::trial::Plan;
use super::super::value::VarId;
use super::{Bound, Kept, Side, Updates, keep, limit_of, nearer, values_in};
use crate::syntax::ast::Range;

/// What a loop in a trial lowering of one around it leaves behind.
pub(crate) struct OnTrial {
    /// By slot, what is kept of it.
    kept: Vec<Kept>,
    /// The number of iterations, where it is known.
    trips: Option<u64>,
    /// By slot, the value behind a loop that is left by its condition only, after a number of iterations that is known, or that
    /// something before the loop gives; else empty.
    pub(crate) at_exit: Vec<Option<TermId>>,
}

impl Lowerer<'_, '_> {
    /// What is kept of the slots that have no closed form.
    pub(crate) fn kept_of_slots(&mut self, plan: &Plan, forms: &[Option<TermId>]) -> Vec<Kept> {
        let mut kept = vec![Kept::default(); plan.slots.len()];
        let mut images = FxHashMap::default();
        let mut open = Vec::new();
        for (index, (slot, form)) in plan.slots.iter().zip(forms).enumerate() {
            match *form {
                Some(form) => drop(images.insert(slot.phi, form)),
                None => open.push(index),
            }
        }
        if open.is_empty() || plan.lost {
            return kept;
        }
        let mut replaced = |term: TermId| self.facts.terms.replace(term, &images);
        let slots: Vec<Slot> = open
            .iter()
            .map(|&index| Slot {
                end: replaced(plan.slots[index].end),
                ..plan.slots[index]
            })
            .collect();
        let stays: Vec<(TermId, bool)> = plan
            .stays
            .iter()
            .map(|&(term, polarity)| (replaced(term), polarity))
            .collect();
        let updates = Updates {
            slots: &slots,
            stays: &stays,
            inside: plan.inside,
            launch: self.launch,
        };
        for (index, one) in open.into_iter().zip(keep(self.facts, &updates)) {
            kept[index] = one;
        }
        kept
    }

    /// The same of a loop in a trial lowering of one around it, where nothing has a closed form but in a loop of a known number
    /// of iterations, which is given.
    pub(crate) fn kept_on_trial(&mut self, plan: &Plan) -> OnTrial {
        let condition = plan.condition.or(plan.again);
        let (exact, _) = self.closed_forms(&plan.slots, plan.inside, condition, true);
        let trips = self.trips(plan, &exact);
        let forms = match trips {
            Some(_) => exact,
            None => vec![None; plan.slots.len()],
        };
        let kept = self.kept_of_slots(plan, &forms);
        let counted = match trips.and_then(|trips| i64::try_from(trips).ok()) {
            Some(trips) if !plan.broken && !plan.lost => Some((self.long(trips), forms)),
            Some(_) => None,
            // Behind the loop itself the same is assumed of its counters.
            None => self
                .trips_term(plan)
                .map(|trips| (trips, self.forms_of(plan).0)),
        };
        let at_exit = match counted {
            Some((last, forms)) => {
                let iter = self.facts.terms.iter_of(plan.inside.loop_id);
                let at_last = |form: Option<TermId>| Some(self.at_iteration(form?, iter, last));
                forms.into_iter().map(at_last).collect()
            }
            None => Vec::new(),
        };
        OnTrial {
            kept,
            trips,
            at_exit,
        }
    }

    /// Forgets what a loop in a trial lowering makes of a variable's scalars, but for what is kept of them, and for those of
    /// which the value behind the loop is known.
    pub(crate) fn blur_slots(
        &mut self,
        var: VarId,
        indices: &[usize],
        plan: &Plan,
        counted: &OnTrial,
        range: Range,
    ) {
        let reason = format!("{}, changed in a loop", self.variables[var.0 as usize].0);
        let ordinal = counted
            .trips
            .and_then(|trips| i64::try_from(trips).ok())
            .map(|trips| self.long(trips));
        let value = self.env.get(var).clone();
        let mut indices = indices.iter();
        let value = self.map_slots(&value, &mut |me, term| {
            let Some(&index) = indices.next() else {
                return term;
            };
            let slot = &plan.slots[index];
            if slot.end == slot.start {
                return term;
            }
            if let Some(Some(known)) = counted.at_exit.get(index) {
                return *known;
            }
            let kept = &counted.kept[index];
            let some = me.unknown(&reason, range, kept.ty(me.facts.terms.ty(term)), true);
            me.kept_value(slot, kept, some, ordinal)
        });
        self.env.set(var, value);
    }

    /// The term of a variable of which something is kept, for the unknown that stands for the rest; `ordinal` is the number
    /// of iterations that it has gone through, where that is known.
    pub(crate) fn kept_value(
        &mut self,
        slot: &Slot,
        kept: &Kept,
        unknown: TermId,
        ordinal: Option<TermId>,
    ) -> TermId {
        let ty = self.facts.terms.ty(slot.phi);
        let mut value = match kept.modulus {
            Some(modulus) => {
                let multiple = self.bounded_multiple(slot, kept, modulus, unknown, ordinal);
                let terms = &mut self.facts.terms;
                let modulus = terms.constant(modulus, CType::I64);
                let moved = terms.binary(Op::Mul, CType::I64, modulus, multiple);
                let start = terms.cast(slot.start, CType::I64);
                let sum = terms.binary(Op::Add, CType::I64, start, moved);
                terms.fit(sum, ty)
            }
            None => unknown,
        };
        for (side, bounds) in [(Side::Low, &kept.low), (Side::High, &kept.high)] {
            for &bound in bounds {
                let absorbed = kept.modulus.is_some() && !bound.is_open();
                if !absorbed {
                    value = self.bounded_value(slot, value, side, bound);
                }
            }
        }
        let Some(ordinal) = ordinal.filter(|_| kept.modulus.is_none()) else {
            return value;
        };
        // What an iteration adds stays within 64 bits for smaller types only.
        if ty.bits().is_none_or(|bits| bits > 32) {
            return value;
        }
        for (side, stride) in [(Side::Low, kept.falls), (Side::High, kept.rises)] {
            let Some(stride) = stride else { continue };
            let terms = &mut self.facts.terms;
            let stride = terms.constant(stride, CType::I64);
            let moved = terms.binary(Op::Mul, CType::I64, ordinal, stride);
            let start = terms.cast(slot.start, CType::I64);
            let (step, clamp) = match side {
                Side::Low => (Op::Sub, Op::Max),
                Side::High => (Op::Add, Op::Min),
            };
            let reached = terms.binary(step, CType::I64, start, moved);
            let wide = terms.cast(value, CType::I64);
            let clamped = terms.binary(clamp, CType::I64, wide, reached);
            value = terms.fit(clamped, ty);
        }
        value
    }

    /// `max(value, bound)`, or `min`.
    fn bounded_value(&mut self, slot: &Slot, value: TermId, side: Side, bound: Bound) -> TermId {
        let ty = self.facts.terms.ty(slot.phi);
        let clamp = match side {
            Side::Low => Op::Max,
            Side::High => Op::Min,
        };
        if let Bound::Constant(limit) = bound {
            let start = self.start_bounds(slot);
            let beyond = match side {
                Side::Low => start.low >= limit,
                Side::High => start.high <= limit,
            };
            if beyond {
                let limit = self.facts.terms.constant(limit, ty);
                return self.facts.terms.binary(clamp, ty, value, limit);
            }
        }
        let terms = &mut self.facts.terms;
        if let Some(limit) = limit_of(terms, slot, side, bound) {
            return terms.binary(clamp, ty, value, limit);
        }
        // 64 bits hold the bound and the variable, where both are smaller; a bound of 64 bits has no next number.
        let (Bound::Term(other) | Bound::Strict(other)) = bound else {
            return value;
        };
        let narrow = |ty: CType| ty.bits().is_some_and(|bits| bits <= 32);
        let is_strict = matches!(bound, Bound::Strict(_));
        let fits = |ty: CType| narrow(ty) || ty == CType::I64;
        if !fits(ty) || !fits(terms.ty(other)) || is_strict && !narrow(terms.ty(other)) {
            return value;
        }
        let [value, start, mut other] =
            [value, slot.start, other].map(|id| terms.cast(id, CType::I64));
        if is_strict {
            let one = terms.constant(1, CType::I64);
            let next = match side {
                Side::Low => Op::Add,
                Side::High => Op::Sub,
            };
            other = terms.binary(next, CType::I64, other, one);
        }
        let limit = terms.binary(nearer(side), CType::I64, start, other);
        let clamped = terms.binary(clamp, CType::I64, value, limit);
        terms.fit(clamped, ty)
    }

    /// The bounds of a variable's start that rest on nothing.
    fn start_bounds(&self, slot: &Slot) -> Interval {
        let ranges = Ranges::new(self.facts, self.launch);
        let assumes = values_in(&self.facts.terms, &[slot.start])
            .into_iter()
            .any(|id| ranges.rests_on(id).any());
        match assumes {
            true => Interval::of_type(self.facts.terms.ty(slot.start)),
            false => ranges.range(slot.start),
        }
    }

    /// u of `start + g·u`, within what the bounds on the variable say of it.
    fn bounded_multiple(
        &mut self,
        slot: &Slot,
        kept: &Kept,
        modulus: i128,
        unknown: TermId,
        ordinal: Option<TermId>,
    ) -> TermId {
        let start = self.start_bounds(slot);
        let mut multiple = unknown;
        for (side, bounds) in [(Side::Low, &kept.low), (Side::High, &kept.high)] {
            for &bound in bounds {
                let limit = match (side, bound) {
                    (_, Bound::Start) => 0,
                    (Side::Low, Bound::Constant(limit)) => {
                        -(start.high - start.low.min(limit)).div_euclid(modulus)
                    }
                    (Side::High, Bound::Constant(limit)) => {
                        (start.high.max(limit) - start.low).div_euclid(modulus)
                    }
                    (_, Bound::Term(_) | Bound::Strict(_)) => continue,
                };
                let clamp = match side {
                    Side::Low => Op::Max,
                    Side::High => Op::Min,
                };
                let terms = &mut self.facts.terms;
                let limit = terms.constant(limit, CType::I64);
                multiple = terms.binary(clamp, CType::I64, multiple, limit);
            }
        }
        let Some(ordinal) = ordinal else {
            return multiple;
        };
        for (stride, clamp, sign) in [(kept.falls, Op::Max, -1), (kept.rises, Op::Min, 1)] {
            let Some(stride) = stride else { continue };
            let terms = &mut self.facts.terms;
            let stride = terms.constant(sign * (stride / modulus), CType::I64);
            let limit = terms.binary(Op::Mul, CType::I64, ordinal, stride);
            multiple = terms.binary(clamp, CType::I64, multiple, limit);
        }
        multiple
    }
}
