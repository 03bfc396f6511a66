//! Upper bounds of the digits of a polynomial in an instance: by ranges and extents, and by guards.
//!
//! **Method.** `P` is at most `P + m·G` for a guard `G ≥ 0` and m ≥ 0, which rids it of a digit where m is chosen so that the digit
//! vanishes. A remainder by a shared divisor m ≥ 1 is at most m − 1, and `x % (m·n) / n` too: so an index that was taken apart by
//! sizes (`x % w`, `x / w % h`, `x / (w·h)`) may be put together in any order.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;

use super::bounds::{self, Digits, HUGE};
use super::form::Instance;
use super::two::Two;

/// Most guards that one bound is moved by, and most moves for one polynomial.
pub(crate) const MOST_GUARDS: u32 = 3;
const MOST_MOVES: u32 = 12;

/// Upper bounds of one polynomial, as far as they are found.
struct Bounding<'i> {
    instance: &'i Instance,
    /// The guards with their digits.
    guards: Vec<(&'i Polynomial, Digits)>,
    moves: u32,
    found: Vec<Polynomial>,
}

impl Two<'_, '_> {
    /// Upper bounds over shared atoms of a polynomial in an instance: by ranges and extents, and
    /// after moving it by guards, one for each digit that they rid it of.
    pub(crate) fn upper_bounds(
        &self,
        polynomial: &Polynomial,
        instance: &Instance,
        guards: u32,
    ) -> Vec<Polynomial> {
        let known = match guards {
            0 => Vec::new(),
            _ => {
                let digits = |guard| bounds::digits(guard, &|atom| self.is_known(atom));
                let guards = instance.inequalities.iter();
                guards.map(|guard| (guard, digits(guard))).collect()
            }
        };
        let mut search = Bounding {
            instance,
            guards: known,
            moves: MOST_MOVES,
            found: Vec::new(),
        };
        self.add_upper_bounds(polynomial, None, guards, &mut search);
        let mut found: Vec<Polynomial> = Vec::new();
        for bound in search.found {
            if !found.contains(&bound) {
                found.push(bound);
            }
        }
        found
    }

    /// Digits are taken in the order of their monomials: guards that rid a sum of two digits do so in any order.
    fn add_upper_bounds(
        &self,
        polynomial: &Polynomial,
        after: Option<&Monomial>,
        guards: u32,
        search: &mut Bounding<'_>,
    ) {
        let known = |atom: TermId| self.is_known(atom);
        let entries = bounds::digits(polynomial, &known);
        search
            .found
            .extend(self.upper_bound(&entries, search.instance));
        if guards == 0 {
            return;
        }
        for position in 0..search.guards.len() {
            for (monomial, stride) in &entries {
                if monomial.is_empty() || after.is_some_and(|after| monomial <= after) {
                    continue;
                }
                let guard = &search.guards[position];
                let Some(moved) = self.moved_by(polynomial, monomial, stride, guard) else {
                    continue;
                };
                let Some(rest) = search.moves.checked_sub(1) else {
                    return;
                };
                search.moves = rest;
                self.add_upper_bounds(&moved, Some(monomial), guards - 1, search);
            }
        }
    }

    /// `polynomial + m·guard` with m ≥ 0 such that the digit vanishes, if there is such an m; it may be a product of sizes.
    fn moved_by(
        &self,
        polynomial: &Polynomial,
        digit: &Monomial,
        stride: &Polynomial,
        (guard, digits): &(&Polynomial, Digits),
    ) -> Option<Polynomial> {
        let (_, factor) = digits.iter().find(|(monomial, _)| monomial == digit)?;
        let multiple = stride.divided(-factor.as_constant()?)?;
        let moved = match multiple.as_constant() {
            Some(multiple) => {
                let positive = multiple > 0;
                positive.then(|| polynomial.plus_scaled(guard, multiple))?
            }
            None if bounds::is_small(guard) && self.is_nonnegative(&multiple) => {
                polynomial.plus(&guard.times(&multiple))
            }
            None => return None,
        };
        bounds::is_small(&moved).then_some(moved)
    }

    /// The upper bound by ranges and extents alone.
    pub(crate) fn upper_bound(&self, entries: &Digits, instance: &Instance) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, stride) in entries {
            if monomial.is_empty() {
                sum = sum.plus(stride);
                continue;
            }
            let range = bounds::monomial_range(monomial, &|atom| self.range_in(instance, atom));
            if self.is_nonnegative(stride) {
                let largest = self.largest(monomial, range)?;
                sum = sum.plus(&stride.times(&largest));
            } else if self.is_nonnegative(&Polynomial::default().minus(stride)) {
                if range.low <= -HUGE {
                    return None;
                }
                sum = sum.plus(&stride.times(&Polynomial::constant(range.low)));
            } else {
                return None;
            }
        }
        bounds::is_small(&sum).then_some(sum)
    }

    /// The largest value of a digit: its symbolic extent less 1, unless its range says less.
    fn largest(&self, monomial: &Monomial, range: Interval) -> Option<Polynomial> {
        if let &[leaf] = monomial.as_slice() {
            let op = self.op(leaf);
            if let Some(extent) = self.question.launch.symbolic_extent(op)
                && range.high >= self.question.launch.range_without_guards(op)
                && extent.atoms().into_iter().all(|atom| self.is_shared(atom))
            {
                return Some(extent.plus(&Polynomial::constant(-1)));
            }
            if let Some(divisor) = self.divisor_of(leaf)
                && divisor.as_constant().is_none()
                && range.low >= 0
            {
                return Some(divisor.plus(&Polynomial::constant(-1)));
            }
            if range.low >= 0
                && let Some(most) = self.largest_quotient(leaf)
            {
                return Some(most);
            }
        }
        (range.high < 1 << 60).then(|| Polynomial::constant(range.high))
    }

    /// Whether guards and ranges bound the partial sum in each instance so that its two values
    /// differ by at most the stride less the margin.
    pub(crate) fn fits_by_guard(
        &self,
        partial: &Polynomial,
        stride: &Polynomial,
        margin: i128,
    ) -> bool {
        if partial.is_empty() {
            return false;
        }
        let limit = stride.plus(&Polynomial::constant(-margin));
        self.differ_at_most(partial, partial, &limit)
    }

    /// Whether the first polynomial in the first instance and the second in the second differ by at most the limit, by guards and
    /// ranges.
    pub(crate) fn differ_at_most(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        limit: &Polynomial,
    ) -> bool {
        let exceeds_at_most = |(more, of): (&Polynomial, &Instance),
                               (less, than): (_, &Instance)| {
            let negated = Polynomial::default().minus(less);
            let uppers = self.upper_bounds(more, of, MOST_GUARDS);
            let lowers = match uppers.is_empty() {
                true => Vec::new(),
                false => self.upper_bounds(&negated, than, MOST_GUARDS),
            };
            uppers.iter().any(|upper| {
                lowers
                    .iter()
                    .any(|lower| self.is_nonnegative(&limit.minus(upper).minus(lower)))
            })
        };
        let first = (left, &*self.question.first);
        let second = (right, &*self.question.second);
        exceeds_at_most(first, second) && exceeds_at_most(second, first)
    }

    /// The largest size of the difference of a digit between the instances.
    pub(crate) fn largest_difference(&self, monomial: &Monomial) -> Option<Polynomial> {
        let range = |side| bounds::monomial_range(monomial, &|atom| self.range_in(side, atom));
        let (one, other) = (range(&*self.question.first), range(&*self.question.second));
        let unguarded = one.low == 0 && other.low == 0;
        if unguarded {
            let (a, b) = (self.largest(monomial, one)?, self.largest(monomial, other)?);
            if a == b {
                return Some(a);
            }
        }
        let size = (one.high - other.low).max(other.high - one.low);
        (size < 1 << 60).then(|| Polynomial::constant(size.max(0)))
    }
}
