//! Mixed radix (D7) where one digit stands in several places: the offsets are divided by a stride, and the quotients and the remainders
//! are compared by themselves.
//!
//! `out[(n * h * w + (i + y - half) * w + (j + x - half)) * h * w + y * w + x]`, where guards keep `i + y - half` below `h` and
//! `j + x - half` below `w`: y stands in two places, so that its stride is `w + h·w·w`, which fits nowhere.
//!
//! **Argument.** Let Pₖ = B·Qₖ + Rₖ with a product B of sizes. If the remainders differ by at most B less the access size, then overlap
//! of the offsets, |P₁ − P₂| < bytes, makes |B·(Q₁ − Q₂)| less than B: the quotients are equal, and the remainders overlap as the
//! offsets do. No sign of a quotient matters, and B is at least the access size where the bound holds.

use warplog_facts::Op;
use warplog_facts::poly::{Monomial, Polynomial};

use super::bounds::{self, Digits};
use super::comparison::Comparison;
use super::form::Instance;
use super::outcome::Outcome;
use super::two::Two;

/// Most strides by which two offsets are divided.
const MOST_DIVISORS: usize = 6;
/// Most numbers that one offset is rid of by their remainders.
const MOST_REMAINDERS: usize = 4;

impl Two<'_, '_> {
    /// What follows from quotients that are equal, and from remainders that overlap, by the first stride that divides the offsets so.
    pub(crate) fn by_division(&self, comparison: &Comparison<'_>) -> Outcome {
        let (left, right) = (comparison.left, comparison.right);
        if !comparison.by_guards || !bounds::is_small(left) || !bounds::is_small(right) {
            return Outcome::Nothing;
        }
        let shared = |atom| self.is_shared(atom);
        let divisors = divisors(&bounds::digits(left, &shared));
        for divisor in divisors.iter().take(MOST_DIVISORS) {
            let (ours, theirs) = (divided(left, divisor), divided(right, divisor));
            let has_digit = |polynomial: &Polynomial| {
                let mut atoms = polynomial.atoms().into_iter();
                atoms.any(|atom| !self.is_shared(atom))
            };
            let parts = [&ours.quotient, &ours.remainder];
            if !parts.into_iter().all(has_digit) {
                continue;
            }
            let margin = comparison.bytes.0.max(comparison.bytes.1);
            let limit = divisor.plus(&Polynomial::constant(-margin));
            if !self.differ_at_most(&ours.remainder, &theirs.remainder, &limit) {
                continue;
            }
            let quotients = self.compare(&ours.quotient, &theirs.quotient, (1, 1), true);
            let remainders =
                self.compare(&ours.remainder, &theirs.remainder, comparison.bytes, true);
            let mut equal = Vec::new();
            for outcome in [quotients, remainders] {
                match outcome {
                    Outcome::Apart(proof) => return Outcome::Apart(proof),
                    Outcome::Equal(more) => equal.extend(more),
                    Outcome::Nothing => {}
                }
            }
            if !equal.is_empty() {
                return Outcome::Equal(equal);
            }
        }
        Outcome::Nothing
    }

    /// What follows where numbers whose remainders are equal in both are written as quotients and remainders.
    pub(crate) fn by_equal_remainders(&self, comparison: &Comparison<'_>) -> Outcome {
        let (left, right) = (comparison.left, comparison.right);
        if !bounds::is_small(left) || !bounds::is_small(right) {
            return Outcome::Nothing;
        }
        let ours = self.taken_apart(left, &self.question.first);
        let theirs = self.taken_apart(right, &self.question.second);
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                self.compare(&ours, &theirs, comparison.bytes, comparison.by_guards)
            }
            _ => Outcome::Nothing,
        }
    }

    /// The polynomial in other words, by remainders that are equal in both instances.
    fn taken_apart(&self, polynomial: &Polynomial, instance: &Instance) -> Option<Polynomial> {
        let polynomials = &self.question.judge.polynomials[instance.region];
        let store = &self.question.judge.ctx.facts.terms;
        let mut whole = None;
        for _ in 0..MOST_REMAINDERS {
            let current = whole.as_ref().unwrap_or(polynomial);
            let next = self.equal.iter().find_map(|&rest| {
                let (of, _) = self.by_shared(rest, Op::Rem)?;
                let by = *store.get(rest).args.get(1)?;
                let quotient = self.question.judge.quotient(of, by)?;
                let dividend = polynomials.of(of);
                let parts = polynomials.of(by).times(&polynomials.of(quotient));
                let parts = parts.plus(&Polynomial::atom(rest));
                let multiple = self.multiple_of(current, &dividend)?;
                let next = current.plus(&multiple.times(&parts.minus(&dividend)));
                (bounds::is_small(&next) && next != *current).then_some(next)
            });
            match next {
                Some(next) => whole = Some(next),
                None => break,
            }
        }
        whole
    }

    /// How often a polynomial has all digits of a part: a product of sizes that is the stride of each by that of the part.
    fn multiple_of(&self, polynomial: &Polynomial, part: &Polynomial) -> Option<Polynomial> {
        if !bounds::is_small(part) {
            return None;
        }
        let shared = |atom| self.is_shared(atom);
        let own = bounds::digits(polynomial, &shared);
        let strides = bounds::digits(part, &shared);
        let mut strides = strides.iter().filter(|(digit, _)| !digit.is_empty());
        let of = |digit: &Monomial| own.iter().find(|(other, _)| other == digit);
        let (digit, stride) = strides.next()?;
        let multiple = of(digit)?.1.quotient(stride)?;
        strides
            .all(|(digit, stride)| {
                of(digit).is_some_and(|(_, whole)| *whole == stride.times(&multiple))
            })
            .then_some(multiple)
    }
}

/// The products of sizes that strides of digits are made of, the largest degree first.
fn divisors(digits: &Digits) -> Vec<Polynomial> {
    let strides = digits.iter().filter(|(monomial, _)| !monomial.is_empty());
    let mut found: Vec<Polynomial> = strides
        .flat_map(|(_, stride)| stride.monomials())
        .map(|(monomial, coefficient)| {
            let mut product = Polynomial::default();
            product.add_monomial(monomial.clone(), coefficient.abs());
            product
        })
        .collect();
    let degree = |product: &Polynomial| {
        let (monomial, coefficient) = product.monomials().next()?;
        Some((monomial.len(), coefficient))
    };
    found.sort_by(|a, b| degree(b).cmp(&degree(a)).then_with(|| a.cmp(b)));
    found.dedup();
    found
}

/// A polynomial as a multiple of a divisor and the rest.
struct Divided {
    quotient: Polynomial,
    remainder: Polynomial,
}

/// The monomials that the divisor, one product, is a part of, divided by it, and the others.
fn divided(polynomial: &Polynomial, divisor: &Polynomial) -> Divided {
    let mut parts = Divided {
        quotient: Polynomial::default(),
        remainder: Polynomial::default(),
    };
    for (monomial, coefficient) in polynomial.monomials() {
        let mut one = Polynomial::default();
        one.add_monomial(monomial.clone(), coefficient);
        match one.quotient(divisor) {
            Some(quotient) => parts.quotient = parts.quotient.plus(&quotient),
            None => parts.remainder = parts.remainder.plus(&one),
        }
    }
    parts
}
