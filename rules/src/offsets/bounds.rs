//! Bounds of polynomials: when one over shared atoms is at least 0, and bounds over shared atoms of
//! one with digits, from ranges, extents and guards.
//!
//! **Method.** A polynomial is at least 0 when, with every atom written as its smallest value plus a
//! rest that is at least 0, no coefficient is negative (and otherwise when interval arithmetic says
//! so). The upper bound of `P` may first be moved by a guard `G ≥ 0`: `P ≤ P + m·G` for m ≥ 0.

use warplog_facts::TermId;
pub(crate) use warplog_facts::arith::gcd;
use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;

/// A lower bound of minus this, or an upper bound of this, is no bound.
pub(crate) const HUGE: i128 = 1 << 90;
/// Coefficients of the polynomials that the rules look at, and their degree, are at most this, so
/// that no product of them leaves 128 bits.
const MAX_COEFFICIENT: i128 = 1 << 40;
const MAX_DEGREE: usize = 6;

/// Whether the polynomial is small enough to reckon with.
pub(crate) fn is_small(polynomial: &Polynomial) -> bool {
    polynomial.len() <= 24
        && polynomial.monomials().all(|(monomial, coefficient)| {
            monomial.len() <= MAX_DEGREE && coefficient.abs() <= MAX_COEFFICIENT
        })
}

/// The interval of a product, capped at [`HUGE`].
fn product(a: Interval, b: Interval) -> Interval {
    let cap = |value: Option<i128>, negative: bool| {
        let value = value.unwrap_or(if negative { -HUGE } else { HUGE });
        value.clamp(-HUGE, HUGE)
    };
    let pairs = [
        (a.low, b.low),
        (a.low, b.high),
        (a.high, b.low),
        (a.high, b.high),
    ];
    let values = pairs.map(|(x, y)| cap(x.checked_mul(y), (x < 0) != (y < 0)));
    let low = values.iter().copied().min().unwrap_or(-HUGE);
    let high = values.iter().copied().max().unwrap_or(HUGE);
    Interval::new(low, high)
}

/// The interval of a sum; what is unbounded stays so.
pub(crate) fn add(a: Interval, b: Interval) -> Interval {
    let low = if a.low <= -HUGE || b.low <= -HUGE {
        -HUGE
    } else {
        (a.low + b.low).min(HUGE)
    };
    let high = if a.high >= HUGE || b.high >= HUGE {
        HUGE
    } else {
        (a.high + b.high).max(-HUGE)
    };
    Interval::new(low, high)
}

/// Interval arithmetic on a monomial.
pub(crate) fn monomial_range(monomial: &[TermId], range: &dyn Fn(TermId) -> Interval) -> Interval {
    let mut whole = Interval::new(1, 1);
    for &atom in monomial {
        whole = product(whole, range(atom));
    }
    whole
}

/// Interval arithmetic on a polynomial.
pub(crate) fn range_of(polynomial: &Polynomial, range: &dyn Fn(TermId) -> Interval) -> Interval {
    let mut sum = Interval::new(0, 0);
    for (monomial, coefficient) in polynomial.monomials() {
        let part = product(
            monomial_range(monomial, range),
            Interval::new(coefficient, coefficient),
        );
        sum = add(sum, part);
    }
    sum
}

/// Whether the polynomial is at least 0 for all values of its atoms in their ranges.
pub(crate) fn is_nonnegative(polynomial: &Polynomial, range: &dyn Fn(TermId) -> Interval) -> bool {
    if let Some(value) = polynomial.as_constant() {
        return value >= 0;
    }
    let low = range_of(polynomial, range).low;
    if low >= 0 {
        return true;
    }
    if polynomial.len() > 12 {
        return false;
    }
    // Where every atom has its smallest value: most that are not at least 0 are seen here.
    let mut corner: i128 = 0;
    for (monomial, coefficient) in polynomial.monomials() {
        let (mut value, mut size) = (coefficient, coefficient.abs());
        for &atom in monomial {
            let low = range(atom).low;
            size = match size.checked_mul(low.abs().max(1)) {
                Some(size) if size < 1 << 100 && monomial.len() <= 6 => size,
                _ => return false,
            };
            value *= low;
        }
        corner += value;
    }
    if corner < 0 {
        return false;
    }
    // Every atom as its smallest value plus a rest.
    let mut shifted = Polynomial::default();
    for (monomial, coefficient) in polynomial.monomials() {
        let mut part = Polynomial::constant(coefficient);
        for &atom in monomial {
            let low = range(atom).low;
            part = part.times(&Polynomial::atom(atom).plus(&Polynomial::constant(low)));
        }
        shifted = shifted.plus(&part);
        if shifted.len() > 64 {
            return false;
        }
    }
    shifted.monomials().all(|(_, coefficient)| coefficient >= 0)
}

/// What a sum has of each product of atoms that differ: the product and its stride.
pub(crate) type Digits = Vec<(Monomial, Polynomial)>;

/// A polynomial as digits with strides: the factors that are shared go to the stride.
/// The entry of the empty monomial is the shared remainder.
pub(crate) fn digits(polynomial: &Polynomial, is_shared: &dyn Fn(TermId) -> bool) -> Digits {
    let mut entries = Digits::new();
    for (monomial, coefficient) in polynomial.monomials() {
        let (mut digit, mut factor) = (Monomial::new(), Monomial::new());
        for &atom in monomial {
            if is_shared(atom) {
                factor.push(atom);
            } else {
                digit.push(atom);
            }
        }
        match entries.iter_mut().find(|(known, _)| *known == digit) {
            Some((_, stride)) => stride.add_monomial(factor, coefficient),
            None => {
                let mut stride = Polynomial::default();
                stride.add_monomial(factor, coefficient);
                entries.push((digit, stride));
            }
        }
    }
    entries.retain(|(_, stride)| !stride.is_empty());
    entries
}
