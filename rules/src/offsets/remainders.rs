//! Remainders by a number that both threads share: `x % m`, and `x & (m - 1)` with m a power of two.

use warplog_facts::poly::Polynomial;
use warplog_facts::{Op, TermId};

use super::bounds;
use super::two::Two;

/// The remainder of a number by one that is shared.
pub(crate) struct Remainder {
    pub(crate) whole: TermId,
    pub(crate) modulus: Polynomial,
    /// The number by which it is taken is this atom, or a multiple of it, and may be 0: then the remainder is the whole number.
    pub(crate) may_be_zero: Option<TermId>,
}

impl Two<'_, '_> {
    /// What a mask leaves less than: a shared power of two that is at least 1.
    pub(crate) fn power_above_masked(&self, atom: TermId) -> Option<Polynomial> {
        if self.op(atom) != Op::BitAnd {
            return None;
        }
        let remainder = self.remainder_by_shared(atom)?;
        let known = [&*self.question.first, &*self.question.second]
            .iter()
            .all(|side| self.range_in(side, remainder.whole).low >= 0);
        (known && remainder.may_be_zero.is_none()).then_some(remainder.modulus)
    }

    /// The remainder by a shared number: `x % m`, and `x & (m - 1)` with m a power of two.
    pub(crate) fn remainder_by_shared(&self, atom: TermId) -> Option<Remainder> {
        let store = &self.question.judge.ctx.facts.terms;
        let node = store.get(atom);
        let &[of, by] = node.args.as_slice() else {
            return None;
        };
        if !node.ty.is_integer() {
            return None;
        }
        let (whole, modulus, may_be_zero) = match node.op {
            // Nothing is divided by 0.
            Op::Rem => {
                let unsigned = !store.ty(by).is_signed();
                (unsigned || self.shared_range(by).low >= 1).then_some((of, by, false))?
            }
            Op::BitAnd => {
                let (whole, mask) = if self.is_shared(of) {
                    (by, of)
                } else {
                    (of, by)
                };
                let (power, may_be_zero) = self.power_above(mask)?;
                (whole, power, may_be_zero)
            }
            _ => return None,
        };
        let polynomial = self.question.judge.polynomials[self.question.first.region].of(modulus);
        let atoms = polynomial.atoms();
        let known = self.is_shared(modulus)
            && bounds::is_small(&polynomial)
            && atoms.iter().all(|&atom| self.is_shared(atom));
        let is_multiple = polynomial.len() == 1 && polynomial.coefficient(&atoms) != 0;
        if !known || (may_be_zero && !is_multiple) {
            return None;
        }
        Some(Remainder {
            whole,
            modulus: Polynomial::clone(&polynomial),
            may_be_zero: (may_be_zero && self.positive != Some(atoms[0])).then(|| atoms[0]),
        })
    }

    /// The power of two that a mask is one less than, and whether it may be 0, so that the mask has all bits.
    fn power_above(&self, mask: TermId) -> Option<(TermId, bool)> {
        let store = &self.question.judge.ctx.facts.terms;
        let mut inner = mask;
        while matches!(store.get(inner).op, Op::Cast | Op::Fit) && self.is_exact_in_both(inner) {
            inner = store.get(inner).args[0];
        }
        let power = store.one_less(inner)?;
        let least = self.shared_range(power).low;
        let known = least >= 1 || (least == 0 && inner == mask);
        (known && self.is_power_of_two(power)).then_some((power, least == 0))
    }

    fn is_exact_in_both(&self, term: TermId) -> bool {
        [&*self.question.first, &*self.question.second]
            .iter()
            .all(|side| {
                self.question
                    .judge
                    .given
                    .regions
                    .ranges(side.region)
                    .is_exact(term)
            })
    }

    /// Of one value that both have, what either knows.
    fn is_power_of_two(&self, term: TermId) -> bool {
        [&*self.question.first, &*self.question.second]
            .iter()
            .any(|side| {
                self.question
                    .judge
                    .given
                    .regions
                    .ranges(side.region)
                    .is_power_of_two(term)
            })
    }
}
