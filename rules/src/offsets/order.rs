//! Mixed radix (D7) in any order of the strides: which order fits is not always that of their sizes.
//!
//! `int inner = 16 - 2 * h, x = blockIdx.x * inner + tx, y = blockIdx.y * inner + ty; if (tx >= h && tx < 16 - h && …
//! && x < pitch) g[y * pitch + x] = …;`: `inner` comes before `pitch`, since the guard keeps x below that; and both tx and ty take
//! `inner` values, which the ranges alone do not tell.
//!
//! **Method.** The argument of [`radix`](super::radix) holds for any order in which each stride is at least the largest size of
//! what is below it plus the access size. The orders are tried one digit after the other, with a limit; only one in which all
//! digits fit counts.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};

use super::bounds;
use super::comparison::Digit;
use super::two::Two;

/// Most digits whose orders are tried, and most digits that are placed for it.
const MOST_DIGITS: usize = 5;
const MOST_PLACED: u32 = 60;

/// Digits that have their place.
#[derive(Clone, Default)]
struct Placed {
    /// What the sum of them is at most in size, if that is known.
    below: Option<Polynomial>,
    sum: Polynomial,
    equal: Vec<TermId>,
}

impl Two<'_, '_> {
    /// The digits, if an order of their strides shows that they are all equal; nothing else may differ.
    pub(crate) fn equal_in_some_order(
        &self,
        digits: &[Digit],
        margin: i128,
    ) -> Option<Vec<TermId>> {
        if !(3..=MOST_DIGITS).contains(&digits.len()) {
            return None;
        }
        let start = Placed {
            below: Some(Polynomial::default()),
            ..Placed::default()
        };
        let mut left = MOST_PLACED;
        self.place_rest(start, digits, margin, &mut left)
    }

    fn place_rest(
        &self,
        placed: Placed,
        digits: &[Digit],
        margin: i128,
        left: &mut u32,
    ) -> Option<Vec<TermId>> {
        if digits.is_empty() {
            return Some(placed.equal);
        }
        for (at, digit) in digits.iter().enumerate() {
            *left = left.checked_sub(1)?;
            let Some(next) = self.place(&placed, digit, digits.len() == 1, margin) else {
                continue;
            };
            let mut rest = digits.to_vec();
            rest.remove(at);
            if let Some(found) = self.place_rest(next, &rest, margin, left) {
                return Some(found);
            }
        }
        None
    }

    /// With one more digit above those that are placed, if its stride is large enough.
    fn place(&self, placed: &Placed, digit: &Digit, last: bool, margin: i128) -> Option<Placed> {
        let &[atom] = digit.monomial.as_slice() else {
            return None;
        };
        let gap = Polynomial::constant(-margin);
        let negated = Polynomial::default().minus(&digit.stride);
        let fits = |stride: &Polynomial| {
            let below = placed.below.as_ref();
            below.is_some_and(|below| self.is_nonnegative(&stride.minus(below).plus(&gap)))
        };
        let (stride, below) = if fits(&digit.stride) {
            (&digit.stride, placed.below.clone())
        } else if fits(&negated) {
            (&negated, placed.below.clone())
        } else if self.fits_by_guard(&placed.sum, &digit.stride, margin) {
            (&digit.stride, Some(digit.stride.plus(&gap)))
        } else {
            return None;
        };
        let mut next = Placed {
            below: None,
            sum: placed
                .sum
                .plus(&digit.stride.times(&Polynomial::atom(atom))),
            equal: placed.equal.clone(),
        };
        next.equal.push(atom);
        if !last {
            let largest = self.largest_guarded_difference(&digit.monomial);
            next.below = below
                .zip(largest)
                .map(|(below, largest)| below.plus(&stride.times(&largest)))
                .filter(bounds::is_small);
        }
        bounds::is_small(&next.sum).then_some(next)
    }

    /// The largest size of the difference of a digit between the instances, by guards over shared atoms where they say more than
    /// the ranges: 15 − 2·h for `t >= h && t < 16 - h`.
    fn largest_guarded_difference(&self, monomial: &Monomial) -> Option<Polynomial> {
        let by_range = self.largest_difference(monomial);
        let &[atom] = monomial.as_slice() else {
            return by_range;
        };
        let digit = Polynomial::atom(atom);
        let negated = Polynomial::default().minus(&digit);
        let differences = |high_side, low_side| -> Vec<Polynomial> {
            let uppers = self.upper_bounds(&digit, high_side, 1);
            let lowers = self.upper_bounds(&negated, low_side, 1);
            let sums = uppers
                .iter()
                .flat_map(|upper| lowers.iter().map(|lower| upper.plus(lower)));
            sums.collect()
        };
        let one = differences(&*self.question.first, &*self.question.second);
        let other = differences(&*self.question.second, &*self.question.first);
        let mut best = by_range;
        for bound in one {
            let covers = |less: &Polynomial| self.is_nonnegative(&bound.minus(less));
            let is_less = best
                .as_ref()
                .is_none_or(|best| *best != bound && self.is_nonnegative(&best.minus(&bound)));
            if is_less && other.iter().any(covers) {
                best = Some(bound);
            }
        }
        best
    }
}
