//! Forms of counters that step by what the loop leaves alone.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::course::Course;
use super::{Inside, Slot, Wraps};

impl Lowerer<'_, '_> {
    /// The term under conversions that keep the low bits that `ty` has.
    pub(super) fn stripped(&self, mut id: TermId, ty: CType) -> TermId {
        let bits = ty.bits().unwrap_or(64);
        loop {
            let term = self.facts.terms.get(id);
            let inner = match (term.op, term.args.first()) {
                (Op::Cast | Op::Fit, Some(&inner)) => inner,
                _ => return id,
            };
            let wide = |ty: CType| ty.bits().is_some_and(|width| width >= bits);
            if !(wide(term.ty) && wide(self.facts.terms.ty(inner)))
                && self.facts.terms.ty(inner) != CType::Bool
            {
                return id;
            }
            id = inner;
        }
    }

    /// c of `φ + c` modulo the width of φ, as an `i64` term, when c is invariant; and whether the
    /// sum may wrap rather than overflow: it is unsigned, or of another width.
    pub(super) fn step(
        &mut self,
        id: TermId,
        phi: TermId,
        ty: CType,
        inside: Inside,
        depth: u32,
    ) -> Option<(TermId, bool)> {
        if id == phi {
            return Some((self.long(0), false));
        }
        if depth > 64 {
            return None;
        }
        let term = self.facts.terms.get(id).clone();
        let bits = ty.bits()?;
        if term.ty.bits().is_none_or(|width| width < bits) {
            return None;
        }
        let wraps = term.ty != ty || !ty.is_signed();
        match (term.op, term.args.as_slice()) {
            (Op::Cast | Op::Fit, &[inner]) => self.step(inner, phi, ty, inside, depth + 1),
            // Both arms step alike: whatever decides between them does not matter.
            (Op::Ite, &[_, one, other]) => {
                let (step, wraps) = self.step(one, phi, ty, inside, depth + 1)?;
                let (same, too) = self.step(other, phi, ty, inside, depth + 1)?;
                (step == same).then_some((step, wraps || too))
            }
            (Op::Add, &[left, right]) => {
                let (moving, fixed) = if self.mentions(left, phi) {
                    (left, right)
                } else {
                    (right, left)
                };
                if !self.is_invariant(fixed, inside) {
                    return None;
                }
                let (before, modular) = self.step(moving, phi, ty, inside, depth + 1)?;
                let fixed = self.signed_step(fixed);
                let sum = self.facts.terms.binary(Op::Add, CType::I64, before, fixed);
                Some((sum, modular || wraps))
            }
            (Op::Sub, &[left, right]) if self.is_invariant(right, inside) => {
                let (before, modular) = self.step(left, phi, ty, inside, depth + 1)?;
                let right = self.signed_step(right);
                let difference = self.facts.terms.binary(Op::Sub, CType::I64, before, right);
                Some((difference, modular || wraps))
            }
            _ => None,
        }
    }

    /// An addend as a signed number: an unsigned constant with its top bit set counts down, and so does a negative number that
    /// was converted.
    pub(super) fn signed_step(&mut self, id: TermId) -> TermId {
        let term = self.facts.terms.get(id);
        let ty = term.ty;
        if let Some(value) = self.facts.terms.as_const(id) {
            let value = match ty {
                CType::U32 => CType::I32.wrap(value),
                _ => value,
            };
            return self.facts.terms.constant(value, CType::I64);
        }
        let inner = match (term.op, term.args.first()) {
            (Op::Cast | Op::Fit, Some(&inner)) => inner,
            _ => id,
        };
        let from = self.facts.terms.ty(inner);
        let signed = from.is_signed()
            && ty.is_unsigned()
            && from.bits() <= ty.bits()
            && !self.is_dimension(id);
        let number = if signed { inner } else { id };
        self.facts.terms.cast(number, CType::I64)
    }

    /// start + k·step in the type of the variable; `wraps` when the sum is modulo 2ⁿ.
    pub(super) fn linear(
        &mut self,
        slot: Slot,
        step: TermId,
        iter: TermId,
        ty: CType,
        wraps: Option<&mut Wraps>,
    ) -> Option<TermId> {
        let constant = self.facts.terms.as_const(step);
        // 64 bits hold the sums of smaller steps.
        let small = |step: i128| step.abs() < 1 << 31;
        if wraps.is_some() && ty.bits() == Some(64) && !constant.is_none_or(small) {
            return None;
        }
        if ty == CType::U64 && wraps.is_some() && !self.is_below_sign(slot.start, 0) {
            return self.linear_u64(slot, step, iter, wraps);
        }
        let wide = self.facts.terms.cast(slot.start, CType::I64);
        let moved = self.facts.terms.binary(Op::Mul, CType::I64, iter, step);
        let sum = self.facts.terms.binary(Op::Add, CType::I64, wide, moved);
        let narrow = ty.bits().is_none_or(|bits| bits < 32);
        let course = match wraps {
            _ if narrow => Course::Wraps,
            None => Course::Stays,
            Some(wraps) if wraps.counted => Course::Wraps,
            Some(wraps) => {
                let course = self.course(slot, step, wraps.condition);
                wraps.assumed_not_to |= course != Course::Wraps;
                course
            }
        };
        Some(match course {
            Course::Stays => self.facts.terms.fit(sum, ty),
            Course::Wraps => self.facts.terms.cast(sum, ty),
            Course::StaysIfRising(number) => {
                let zero = self.facts.terms.constant(0, self.facts.terms.ty(number));
                let terms = &mut self.facts.terms;
                let falls = terms.binary(Op::Lt, CType::Bool, number, zero);
                let (exact, modular) = (terms.fit(sum, ty), terms.cast(sum, ty));
                terms.ite(falls, modular, exact)
            }
        })
    }

    /// The form of a counter that starts anywhere in 64 bits: no type holds its sums, so that they are taken in its own.
    pub(super) fn linear_u64(
        &mut self,
        slot: Slot,
        step: TermId,
        iter: TermId,
        wraps: Option<&mut Wraps>,
    ) -> Option<TermId> {
        let falls = match self.facts.terms.as_const(step) {
            Some(step) => step < 0,
            None if self.is_not_negative(step, 0) => false,
            // Modulo 2⁶⁴ it may go either way.
            None => {
                let terms = &mut self.facts.terms;
                let (rounds, step) = (terms.cast(iter, CType::U64), terms.cast(step, CType::U64));
                let moved = terms.binary(Op::Mul, CType::U64, rounds, step);
                return Some(terms.binary(Op::Add, CType::U64, slot.start, moved));
            }
        };
        if let Some(wraps) = wraps
            && !wraps.counted
        {
            wraps.assumed_not_to |= self.course(slot, step, wraps.condition) == Course::Stays;
        }
        let moved = self.facts.terms.binary(Op::Mul, CType::I64, iter, step);
        let (op, moved) = if falls {
            (Op::Sub, self.facts.terms.unary(Op::Neg, CType::I64, moved))
        } else {
            (Op::Add, moved)
        };
        let moved = self.facts.terms.cast(moved, CType::U64);
        Some(self.facts.terms.binary(op, CType::U64, slot.start, moved))
    }
}
