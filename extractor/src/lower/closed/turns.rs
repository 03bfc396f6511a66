//! Forms that come back: flips, rings, counters modulo a number.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::{Inside, Slot};

impl Lowerer<'_, '_> {
    /// `p = !p`: after the first flip the value is 0 or 1.
    pub(super) fn negating(&mut self, slot: Slot, iter: TermId, ty: CType) -> TermId {
        let not_zero = self.facts.terms.as_bool(slot.start);
        let is_zero = self.facts.terms.not(not_zero);
        let (odd, even) = (
            self.facts.terms.cast(is_zero, ty),
            self.facts.terms.cast(not_zero, ty),
        );
        let alternating = self.alternating(even, odd, iter);
        let zero = self.long(0);
        let at_start = self.facts.terms.binary(Op::Eq, CType::Bool, iter, zero);
        self.facts.terms.ite(at_start, slot.start, alternating)
    }

    /// `(φ + c) % m`, and `(φ + c) & (m − 1)` for a power of two m. `left` is the sum as it is written, under all conversions.
    pub(super) fn cyclic(
        &mut self,
        op: Op,
        slot: Slot,
        left: TermId,
        right: TermId,
        iter: TermId,
        inside: Inside,
    ) -> Option<TermId> {
        let ty = self.facts.terms.ty(slot.phi);
        let constant = self.facts.terms.as_const(right)?;
        let modulus = match op {
            Op::BitAnd if constant > 0 && (constant + 1) & constant == 0 => constant + 1,
            Op::Rem if constant > 0 => constant,
            _ => return None,
        };
        let (step, _) = self.step(left, slot.phi, ty, inside, 0)?;
        let step = self.facts.terms.as_const(step).filter(|step| *step >= 0)?;
        // What comes out is of the variable's type, and the sum must not wrap before the remainder is taken.
        let largest = modulus + step;
        if !ty.holds(modulus - 1)
            || op == Op::Rem && !(CType::I32.holds(largest) && self.is_summed_wide(left, slot.phi))
        {
            return None;
        }
        self.in_circle(slot, step, modulus, iter)
    }

    /// `(start + k·step) % m` of a start from 0 to m - 1.
    pub(super) fn in_circle(
        &mut self,
        slot: Slot,
        step: i128,
        modulus: i128,
        iter: TermId,
    ) -> Option<TermId> {
        if !self.is_below(slot.start, modulus) {
            return None;
        }
        let ty = self.facts.terms.ty(slot.phi);
        let step = self.facts.terms.constant(step, CType::I64);
        let start = self.facts.terms.cast(slot.start, CType::I64);
        let modulus = self.facts.terms.constant(modulus, CType::I64);
        let moved = self.facts.terms.binary(Op::Mul, CType::I64, iter, step);
        let sum = self.facts.terms.binary(Op::Add, CType::I64, start, moved);
        let rest = self.facts.terms.binary(Op::Rem, CType::I64, sum, modulus);
        Some(self.facts.terms.fit(rest, ty))
    }

    /// Whether a number is from 0 to m - 1: a constant, or a remainder.
    pub(super) fn is_below(&self, mut id: TermId, modulus: i128) -> bool {
        loop {
            if let Some(value) = self.facts.terms.as_const(id) {
                return (0..modulus).contains(&value);
            }
            let term = self.facts.terms.get(id);
            match (term.op, term.args.as_slice()) {
                // A small number stays what it is in all but the smallest types.
                (Op::Cast | Op::Fit, &[inner]) if term.ty.holds(modulus - 1) => id = inner,
                (Op::BitAnd, &[_, mask]) => {
                    let mask = self.facts.terms.as_const(mask);
                    return mask.is_some_and(|mask| (0..modulus).contains(&mask));
                }
                (Op::Rem, &[of, by]) => {
                    let by = self.facts.terms.as_const(by);
                    let small = by.is_some_and(|by| (1..=modulus).contains(&by));
                    return small && self.is_not_negative(of, 0);
                }
                _ => return false,
            }
        }
    }

    /// `if (++φ == m) φ = 0;` and the like, which is `(φ + 1) % m`.
    pub(super) fn turning(
        &mut self,
        node: &Term,
        slot: Slot,
        iter: TermId,
        inside: Inside,
    ) -> Option<TermId> {
        let ty = self.facts.terms.ty(slot.phi);
        let &[condition, then, els] = node.args.as_slice() else {
            return None;
        };
        let test = self.facts.terms.get(condition).clone();
        let &[left, right] = test.args.as_slice() else {
            return None;
        };
        let is_zero = |id: TermId| self.facts.terms.as_const(id) == Some(0);
        // Whether it begins again where the test is true.
        let (next, when) = if is_zero(then) {
            (els, true)
        } else if is_zero(els) {
            (then, false)
        } else {
            return None;
        };
        let (step, _) = self.step(next, slot.phi, ty, inside, 0)?;
        if self.facts.terms.as_const(step) != Some(1) {
            return None;
        }
        let constant = |id: TermId| self.facts.terms.as_const(id);
        // At which number it begins again, among those from 0 to it; and what is compared.
        let (last, compared) = match (test.op, when, constant(left), constant(right)) {
            (Op::Eq, true, _, Some(last)) | (Op::Ne, false, _, Some(last)) => (last, left),
            (Op::Le, true, Some(last), _) | (Op::Lt, false, _, Some(last)) => {
                (last, if when { right } else { left })
            }
            (Op::Lt, true, Some(last), _) => (last + 1, right),
            (Op::Le, false, _, Some(last)) => (last + 1, left),
            _ => return None,
        };
        let (moved, _) = self.step(compared, slot.phi, ty, inside, 0)?;
        let modulus = match self.facts.terms.as_const(moved)? {
            0 => last + 1,
            1 => last,
            _ => return None,
        };
        if !(1..1 << 16).contains(&modulus) || !ty.holds(modulus) {
            return None;
        }
        self.in_circle(slot, 1, modulus, iter)
    }

    /// Whether a sum over φ is made of numbers of 32 bits, or all of it of 64: none of its parts wraps earlier than the sum.
    pub(super) fn is_summed_wide(&self, sum: TermId, phi: TermId) -> bool {
        let reachable = self.facts.terms.reachable(&[sum]).into_iter();
        let mut widths: Vec<Option<u32>> = reachable
            .filter(|&id| id != phi)
            .map(|id| self.facts.terms.ty(id).bits())
            .collect();
        widths.dedup();
        matches!(widths.as_slice(), [Some(32)] | [Some(64)] | [])
    }

    /// The values by the ordinal modulo their number.
    pub(super) fn in_turn(&mut self, values: &[TermId], iter: TermId) -> TermId {
        if let [even, odd] = *values {
            return self.alternating(even, odd, iter);
        }
        let count = self.long(i64::try_from(values.len()).unwrap_or(i64::MAX));
        let rest = self.facts.terms.binary(Op::Rem, CType::I64, iter, count);
        let mut listed = values.iter().enumerate().rev();
        let mut term = listed.next().map_or(iter, |(_, &last)| last);
        for (turn, &value) in listed {
            let turn = self.long(i64::try_from(turn).unwrap_or(i64::MAX));
            let is_turn = self.facts.terms.binary(Op::Eq, CType::Bool, rest, turn);
            term = self.facts.terms.ite(is_turn, value, term);
        }
        term
    }

    pub(super) fn alternating(&mut self, even: TermId, odd: TermId, iter: TermId) -> TermId {
        let two = self.long(2);
        let zero = self.long(0);
        let rest = self.facts.terms.binary(Op::Rem, CType::I64, iter, two);
        let is_even = self.facts.terms.binary(Op::Eq, CType::Bool, rest, zero);
        self.facts.terms.ite(is_even, even, odd)
    }
}
