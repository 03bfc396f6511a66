//! Mixed radix: the digits of two offsets that are equal if the offsets overlap.
//!
//! **Method.** Let D = P₁ − P₂ with |D| < bytes, written as Σ sₖ·δₖ + C, where δₖ is the difference
//! of one digit between the two threads, sₖ its stride and C what is left. If the strides can be
//! ordered so that each sₖ is at least the largest size of all that is below it (C included) plus
//! the access size, then, from the top down, each δₖ is 0. The size of what is below
//! is Σ sⱼ·Rⱼ with Rⱼ the largest |δⱼ|, or comes from a guard that bounds the partial sum as a whole
//! (`blockIdx.x * blockDim.x + threadIdx.x < width`). All of this is symbolic: strides and bounds
//! are polynomials over shared atoms.
//!
//! A digit whose stride is too small for its place is absorbed into what is below: nothing is
//! concluded of it, but those above may still be. Other orders than that of the sizes: see [`order`](super::order).

use warplog_facts::TermId;
use warplog_facts::poly::Polynomial;
use warplog_facts::range::Interval;

use super::bounds::{self, HUGE};
use super::comparison::{Comparison, Digit};
use super::outcome::Outcome;
use super::two::Two;

impl Two<'_, '_> {
    /// The digits that are equal if the difference is small: by strides in order, and with
    /// the next stride that fits taken first.
    pub(crate) fn by_radix(&self, comparison: &Comparison<'_>) -> Outcome {
        let digits = &comparison.digits;
        let mut equal = Vec::new();
        for ahead in [false, true] {
            let found = self.by_ordered_strides(comparison, ahead);
            let whole = found.len() == digits.len();
            equal.extend(found);
            if whole {
                return Outcome::Equal(equal);
            }
        }
        let margin = comparison.bytes.0.max(comparison.bytes.1);
        if comparison.remainder.is_empty()
            && comparison.rest == Interval::new(0, 0)
            && let Some(found) = self.equal_in_some_order(digits, margin)
        {
            return Outcome::Equal(found);
        }
        Outcome::from(equal)
    }

    fn by_ordered_strides(&self, comparison: &Comparison<'_>, ahead: bool) -> Vec<TermId> {
        let mut digits: Vec<Digit> = comparison.digits.clone();
        let (remainder, rest, bytes) = (&comparison.remainder, comparison.rest, comparison.bytes);
        if digits.is_empty() || rest.low <= -HUGE || rest.high >= HUGE {
            return Vec::new();
        }
        // A constant remainder moves the interval of the rest.
        let constant = Polynomial::constant(remainder.constant_part());
        let moved = remainder.minus(&constant);
        let (rest, remainder) = if moved.is_empty() {
            let by = remainder.constant_part();
            (Interval::new(rest.low + by, rest.high + by), &moved)
        } else {
            (rest, remainder)
        };
        let negated = Polynomial::default().minus(remainder);
        let size = if self.is_nonnegative(remainder) {
            remainder.clone()
        } else if self.is_nonnegative(&negated) {
            negated
        } else {
            return Vec::new();
        };
        let reach = rest.low.abs().max(rest.high.abs());
        let exact = remainder.is_empty() && reach == 0;
        let margin = bytes.0.max(bytes.1);
        let mut below = size.plus(&Polynomial::constant(reach));
        digits.sort_by_cached_key(|digit| weight(&digit.stride));
        let mut equal = Vec::new();
        let mut absorbed = false;
        // Whether `below` bounds what is below, or only a guard can.
        let mut bounded = true;
        let mut partial = Polynomial::default();
        while !digits.is_empty() {
            let fits = |digit: &Digit| {
                let up = digit
                    .stride
                    .minus(&below)
                    .plus(&Polynomial::constant(-margin));
                if self.is_nonnegative(&up) {
                    return Some(digit.stride.clone());
                }
                let negative = Polynomial::default().minus(&digit.stride);
                let up = negative.minus(&below).plus(&Polynomial::constant(-margin));
                self.is_nonnegative(&up).then_some(negative)
            };
            let mut limit = None;
            let tried = if ahead { digits.len() } else { 1 };
            let chosen = digits
                .iter()
                .take(tried)
                .enumerate()
                .find_map(|(at, digit)| {
                    if bounded && let Some(stride) = fits(digit) {
                        return Some((at, stride));
                    }
                    // Perhaps a guard bounds all that is below as a whole.
                    if exact && self.fits_by_guard(&partial, &digit.stride, margin) {
                        limit = Some(digit.stride.plus(&Polynomial::constant(-margin)));
                        return Some((at, digit.stride.clone()));
                    }
                    None
                });
            if let Some(limit) = limit {
                below = limit;
                bounded = true;
            }
            // A digit whose stride is too small is not concluded on, nor is any below it; those
            // above it may still be.
            let (at, stride) = match chosen {
                Some(chosen) => chosen,
                None => {
                    equal.clear();
                    absorbed = true;
                    let stride = &digits[0].stride;
                    let negated = Polynomial::default().minus(stride);
                    if self.is_nonnegative(stride) {
                        (0, stride.clone())
                    } else if self.is_nonnegative(&negated) {
                        (0, negated)
                    } else {
                        return Vec::new();
                    }
                }
            };
            let digit = digits.remove(at);
            let mut one = Polynomial::default();
            one.add_monomial(digit.monomial.clone(), 1);
            partial = partial.plus(&digit.stride.times(&one));
            let concluded = !std::mem::take(&mut absorbed);
            if let &[atom] = digit.monomial.as_slice()
                && concluded
            {
                equal.push(atom);
            }
            match self.largest_difference(&digit.monomial) {
                Some(largest) => below = below.plus(&stride.times(&largest)),
                None if digits.is_empty() => {}
                // Only a guard can bound it now.
                None if exact => bounded = false,
                None => return Vec::new(),
            }
            if !bounds::is_small(&partial) || below.len() > 24 {
                return Vec::new();
            }
        }
        equal
    }
}

/// The order in which strides are tried: constants by size, then by degree and coefficients.
fn weight(stride: &Polynomial) -> (usize, i128, Polynomial) {
    let degree = stride.monomials().map(|(monomial, _)| monomial.len()).max();
    let size = stride
        .monomials()
        .map(|(_, coefficient)| coefficient.abs())
        .max();
    (degree.unwrap_or(0), size.unwrap_or(0), stride.clone())
}
