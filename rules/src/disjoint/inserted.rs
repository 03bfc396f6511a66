//! D19 `inserted-digit`: offsets that a number makes room in itself for, a power of two at a time, as butterflies do.
//!
//! `pos = 2 * t - (t & (stride - 1)); s[pos], s[pos + stride]` with `stride` a power of two: the bits of `t` from that of the
//! stride on are moved up by one, and the free bit tells the two elements apart. `4 * (t - lo) + lo` with `lo = t & (stride - 1)`
//! makes room for four.
//!
//! **Argument.** Let r be the remainder of x ≥ 0 by a shared m ≥ 1, so x = m·q + r with 0 ≤ r < m. The offsets are
//! k·x + d·r + A in the first instance and k·x' + d·r' + B in the second, so their difference is
//! k·m·(q − q') + (k + d)·(r − r') + A − B. If |k|·m ≥ |k + d|·(m − 1) + |A − B| + bytes, then offsets that overlap have q = q'.
//! What is left is (k + d)·r + A and (k + d)·r' + B, which are compared as other offsets are; if they make r = r', then x = x'.
//! A and B are shared, but for digits that both have with one stride (`i` in `pos + i * stride`).
//!
//! `x & (m - 1)` is such a remainder where m is a power of two; see
//! [`Ranges::is_power_of_two`](warplog_facts::range::Ranges::is_power_of_two). Where m may be 0, the mask may have
//! all bits, so r = x: the offsets are (k + d)·x + A then, and must make x = x' in that case, too.

use warplog_facts::poly::Polynomial;
use warplog_facts::{Op, TermId};

use super::bounds;
use super::form::Instance;
use super::radix::{Outcome, with_value};
use super::two::Two;

/// The remainder of a number by one that is shared.
struct Remainder {
    whole: TermId,
    modulus: Polynomial,
    /// The number by which it is taken is this atom, or a multiple of it, and may be 0: then the remainder is the whole number.
    may_be_zero: Option<TermId>,
}

/// An offset k·x + d·r + A.
struct Inserted {
    factor: i128,
    /// k + d
    inner: i128,
    /// A
    others: Polynomial,
}

impl Two<'_, '_> {
    /// D19: what overlap of the two offsets implies.
    pub(crate) fn compare_inserted(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        bytes: i128,
    ) -> Outcome {
        for rest in left.atoms() {
            let Some(Remainder {
                whole,
                modulus,
                may_be_zero,
            }) = self.remainder_by_shared(rest)
            else {
                continue;
            };
            let both = [self.first, self.second];
            if !both.iter().all(|side| self.range_in(side, whole).low >= 0) {
                continue;
            }
            let (Some(ours), Some(theirs)) = (
                self.inserted(left, self.first, whole, rest),
                self.inserted(right, self.second, whole, rest),
            ) else {
                continue;
            };
            if ours.factor != theirs.factor || ours.inner != theirs.inner {
                continue;
            }
            let positive = Two {
                positive: may_be_zero,
                ..self.clone()
            };
            let Some(others) = positive.others(&ours.others, &theirs.others) else {
                continue;
            };
            let below = modulus.plus(&Polynomial::constant(-1));
            let reach = Polynomial::constant(bytes).plus_scaled(&below, ours.inner.abs());
            let room = Polynomial::default().plus_scaled(&modulus, ours.factor.abs());
            let left_of_it = room.minus(&reach).minus(&others);
            if !bounds::is_small(&left_of_it) || !positive.is_nonnegative(&left_of_it) {
                continue;
            }
            // The quotients are equal.
            let with_rest =
                |side: &Inserted| side.others.plus_scaled(&Polynomial::atom(rest), side.inner);
            let implied =
                positive.compare(&with_rest(&ours), &with_rest(&theirs), (bytes, bytes), true);
            let is_one_place = may_be_zero.map(|atom| {
                let [one, other] = [&ours, &theirs].map(|side| with_value(&side.others, atom, 0));
                one == other
                    && one.atoms().iter().all(|&atom| self.is_shared(atom))
                    && ours.inner.abs() >= bytes
            });
            let alike = || {
                let mut equal = self.equal_parts(whole);
                equal.push(rest);
                equal
            };
            match (implied, is_one_place) {
                (_, Some(false)) => {}
                (Outcome::Apart(_), None) => return Outcome::Apart("inserted-digit"),
                (Outcome::Apart(_), Some(true)) => return Outcome::Equal(alike()),
                (Outcome::Equal(atoms), zero) if atoms.contains(&rest) => {
                    let mut equal = alike();
                    if zero.is_none() {
                        equal.extend(atoms);
                    }
                    return Outcome::Equal(equal);
                }
                _ => {}
            }
        }
        Outcome::Nothing
    }

    /// An offset taken apart: k·x + d·r and what is left.
    fn inserted(
        &self,
        offset: &Polynomial,
        side: &Instance,
        whole: TermId,
        rest: TermId,
    ) -> Option<Inserted> {
        let whole = self.judge.polynomials[side.region].of(whole);
        if !bounds::is_small(&whole) {
            return None;
        }
        let own = |monomial: &[TermId]| !monomial.iter().all(|&atom| self.is_shared(atom));
        let (lead, coefficient) = whole
            .monomials()
            .find(|(monomial, _)| own(monomial) && monomial.as_slice() != [rest])?;
        let of = offset.coefficient(lead);
        if of == 0 || of % coefficient != 0 {
            return None;
        }
        let factor = of / coefficient;
        let others = offset.plus_scaled(&whole, -factor);
        let inner = others.coefficient(&[rest]);
        Some(Inserted {
            factor,
            inner: factor + inner,
            others: others.plus_scaled(&Polynomial::atom(rest), -inner),
        })
    }

    /// How far apart what the number is no part of may be: the same digits in both, and what is shared.
    fn others(&self, ours: &Polynomial, theirs: &Polynomial) -> Option<Polynomial> {
        let shared = |atom: TermId| self.is_shared(atom);
        let (ours, mut theirs) = (
            bounds::digits(ours, &shared),
            bounds::digits(theirs, &shared),
        );
        let mut apart = Polynomial::default();
        let mut sum = Polynomial::default();
        for (digit, stride) in ours {
            let twin = theirs.iter().position(|(other, _)| *other == digit);
            let twin = twin.map(|place| theirs.swap_remove(place).1);
            if digit.is_empty() {
                apart = stride.minus(&twin.unwrap_or_default());
                continue;
            }
            if twin.as_ref() != Some(&stride) {
                return None;
            }
            let largest = self.largest_difference(&digit)?;
            sum = sum.plus(&self.size_of(&stride)?.times(&largest));
        }
        for (digit, stride) in theirs {
            if !digit.is_empty() {
                return None;
            }
            apart = Polynomial::default().minus(&stride);
        }
        Some(sum.plus(&self.size_of(&apart)?))
    }

    /// The size of a shared number whose sign is known.
    fn size_of(&self, number: &Polynomial) -> Option<Polynomial> {
        let negated = Polynomial::default().minus(number);
        if self.is_nonnegative(number) {
            Some(number.clone())
        } else {
            self.is_nonnegative(&negated).then_some(negated)
        }
    }

    /// What a mask leaves less than: a shared power of two that is at least 1.
    pub(crate) fn power_above_masked(&self, atom: TermId) -> Option<Polynomial> {
        if self.op(atom) != Op::BitAnd {
            return None;
        }
        let remainder = self.remainder_by_shared(atom)?;
        let known = [self.first, self.second]
            .iter()
            .all(|side| self.range_in(side, remainder.whole).low >= 0);
        (known && remainder.may_be_zero.is_none()).then_some(remainder.modulus)
    }

    /// The remainder by a shared number: `x % m`, and `x & (m - 1)` with m a power of two.
    fn remainder_by_shared(&self, atom: TermId) -> Option<Remainder> {
        let store = &self.judge.ctx.facts.terms;
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
        let polynomial = self.judge.polynomials[self.first.region].of(modulus);
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
        let store = &self.judge.ctx.facts.terms;
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
        [self.first, self.second]
            .iter()
            .all(|side| self.judge.regions.ranges(side.region).is_exact(term))
    }

    /// Of one value that both have, what either knows.
    fn is_power_of_two(&self, term: TermId) -> bool {
        [self.first, self.second]
            .iter()
            .any(|side| self.judge.regions.ranges(side.region).is_power_of_two(term))
    }
}
