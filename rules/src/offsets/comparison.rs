//! Two polynomials compared, one in each instance: their digits, their strides, and what is left beside them.
//!
//! The difference is written as Σ sₖ·δₖ + C: δₖ is the difference of a digit that both instances have with one stride sₖ, and C
//! what is left, which is a polynomial over shared atoms and an interval. The rules that are asked of it are handed in by
//! [`Given`](super::judge::Given).

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;

use super::bounds::{self, Digits, HUGE};
use super::form::Instance;
use super::outcome::Outcome;
use super::two::Two;

/// A rule that is asked of two polynomials.
pub(crate) type Compare = fn(&Two<'_, '_>, &Comparison<'_>) -> Outcome;

/// A digit: both instances have it with one stride.
#[derive(Clone)]
pub(crate) struct Digit {
    pub(crate) monomial: Monomial,
    pub(crate) stride: Polynomial,
}

/// Two polynomials: one in the first instance, one in the second.
pub(crate) struct Comparison<'c> {
    pub(crate) left: &'c Polynomial,
    pub(crate) right: &'c Polynomial,
    /// How many bytes the first's value stands for in the first instance, and the second's in the second.
    pub(crate) bytes: (i128, i128),
    /// Whether bounds by guards are to be looked at.
    pub(crate) by_guards: bool,
    pub(crate) digits: Vec<Digit>,
    /// What is left over shared atoms, and what is left by its range.
    pub(crate) remainder: Polynomial,
    pub(crate) rest: Interval,
    /// The difference is `apart` modulo `divisor`; exactly that where the divisor is 0.
    pub(crate) divisor: i128,
    pub(crate) apart: i128,
}

impl<'c> Comparison<'c> {
    fn new(
        two: &Two<'_, '_>,
        left: &'c Polynomial,
        right: &'c Polynomial,
        bytes: (i128, i128),
        by_guards: bool,
    ) -> Self {
        let mut comparison = Comparison {
            left,
            right,
            bytes,
            by_guards,
            digits: Vec::new(),
            remainder: Polynomial::default(),
            rest: Interval::new(0, 0),
            divisor: 0,
            apart: 0,
        };
        let shared = |atom: TermId| two.is_shared(atom);
        let ours = bounds::digits(left, &shared);
        let theirs = bounds::digits(right, &shared);
        let question = two.question;
        comparison.add(two, 1, (&ours, &theirs), &question.first);
        comparison.add(two, -1, (&theirs, &ours), &question.second);
        comparison.apart += comparison.remainder.constant_part();
        for (monomial, coefficient) in comparison.remainder.monomials() {
            if !monomial.is_empty() {
                comparison.divisor = bounds::gcd(comparison.divisor, coefficient);
            }
        }
        comparison
    }

    /// Adds the digits of one side, and looks for their twins on the other.
    fn add(
        &mut self,
        two: &Two<'_, '_>,
        sign: i128,
        (entries, others): (&Digits, &Digits),
        instance: &Instance,
    ) {
        for (monomial, stride) in entries {
            if monomial.is_empty() {
                self.remainder = self.remainder.plus_scaled(stride, sign);
                continue;
            }
            self.note_residue(monomial, stride, sign, instance);
            let twin = others.iter().find(|(other, _)| other == monomial);
            if twin.is_some_and(|(_, other)| other == stride) {
                if sign == 1 {
                    self.digits.push(Digit {
                        monomial: monomial.clone(),
                        stride: stride.clone(),
                    });
                }
                continue;
            }
            // Without a twin of its stride, it is part of what is left, by its range.
            let range = |atom: TermId| two.range_in(instance, atom);
            let whole = stride
                .as_constant()
                .map_or(Interval::new(-HUGE, HUGE), |stride| {
                    let mut one = Polynomial::default();
                    one.add_monomial(monomial.clone(), sign * stride);
                    bounds::range_of(&one, &range)
                });
            self.rest = bounds::add(self.rest, whole);
        }
    }

    /// A digit that is m·q + r counts with m times its stride, and r strides of distance.
    fn note_residue(
        &mut self,
        monomial: &Monomial,
        stride: &Polynomial,
        sign: i128,
        instance: &Instance,
    ) {
        let known = match monomial.as_slice() {
            &[atom] if stride.as_constant().is_some() => instance.residue_of(atom),
            _ => None,
        };
        let (modulus, residue) = known.unwrap_or((1, 0));
        for (_, coefficient) in stride.monomials() {
            self.divisor = bounds::gcd(self.divisor, coefficient * modulus);
            self.apart += sign * coefficient * residue;
        }
    }
}

impl Two<'_, '_> {
    /// What overlap of two polynomials implies: of `bytes.0` bytes from the first's value in the
    /// first instance, of `bytes.1` from the second's in the second.
    pub(crate) fn compare(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        bytes: (i128, i128),
        by_guards: bool,
    ) -> Outcome {
        let comparison = Comparison::new(self, left, right, bytes, by_guards);
        for rule in self.question.judge.given.comparisons {
            match rule(self, &comparison) {
                Outcome::Nothing => {}
                outcome => return outcome,
            }
        }
        Outcome::Nothing
    }
}

/// The polynomial with an atom replaced by a value of few digits.
pub(crate) fn with_value(polynomial: &Polynomial, atom: TermId, value: i128) -> Polynomial {
    let mut fixed = Polynomial::default();
    for (monomial, coefficient) in polynomial.monomials() {
        let mut factor = coefficient;
        let mut rest = Monomial::new();
        for &other in monomial {
            if other == atom {
                factor = factor.saturating_mul(value);
            } else {
                rest.push(other);
            }
        }
        fixed.add_monomial(rest, factor);
    }
    fixed
}
