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

use warplog_facts::TermId;
use warplog_facts::poly::Polynomial;

use super::rule::{Rule, Step};
use crate::offsets::bounds;
use crate::offsets::comparison::with_value;
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::remainders::Remainder;
use crate::offsets::two::Two;

/// D19.
pub(super) const RULE: Rule = Rule {
    id: "D19",
    names: &["inserted-digit"],
    sentence: "Both offsets make room in one number, a power of two at a time, for the digit that tells them apart.",
    origin: "our own; the positions are those of bitonic merges and of radix-2 transforms",
    module: module_path!(),
    text: include_str!("inserted_digit.rs"),
    steps: &[Step::Offsets(prove)],
};

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    two.compare_inserted()
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
    /// What overlap of the two offsets implies.
    fn compare_inserted(&self) -> Outcome {
        let question = self.question;
        let (left, right) = (&*question.first.index, &*question.second.index);
        let bytes = question.first.bytes.max(question.second.bytes);
        for rest in left.atoms() {
            let Some(Remainder {
                whole,
                modulus,
                may_be_zero,
            }) = self.remainder_by_shared(rest)
            else {
                continue;
            };
            let both = [&*question.first, &*question.second];
            if !both.iter().all(|side| self.range_in(side, whole).low >= 0) {
                continue;
            }
            let (Some(ours), Some(theirs)) = (
                self.inserted(left, &question.first, whole, rest),
                self.inserted(right, &question.second, whole, rest),
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
                (Outcome::Apart(_), None) => return Outcome::apart("inserted-digit"),
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
        let whole = self.question.judge.polynomials[side.region].of(whole);
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
}
