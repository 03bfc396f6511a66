//! Two instances of polynomials compared: what follows when they overlap.
//!
//! **Method.** Let D = P₁ − P₂ with |D| < bytes, written as Σ sₖ·δₖ + C, where δₖ is the difference
//! of one digit between the two threads, sₖ its stride and C what is left. If the strides can be
//! ordered so that each sₖ is at least the largest size of all that is below it (C included) plus
//! the access size, then, from the top down, each δₖ is 0: mixed radix. The size of what is below
//! is Σ sⱼ·Rⱼ with Rⱼ the largest |δⱼ|, or comes from a guard that bounds the partial sum as a whole
//! (`blockIdx.x * blockDim.x + threadIdx.x < width`). All of this is symbolic: strides and bounds
//! are polynomials over shared atoms.
//!
//! A remainder by a shared divisor m ≥ 1 is at most m − 1, and `x % (m·n) / n` too: so an index that was taken apart by sizes
//! (`x % w`, `x / w % h`, `x / (w·h)`) may be put together in any order. Quotient and remainder that are equal make equal
//! what was divided (see [`two`](super::two)).
//!
//! A digit whose stride is too small for its place is absorbed into what is below: nothing is
//! concluded of it, but those above may still be.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;

use super::bounds::{self, Digits, HUGE};
use super::form::Instance;
use super::two::Two;

/// Most guards that one bound is moved by, and most moves for one polynomial.
const MOST_GUARDS: u32 = 3;
const MOST_MOVES: u32 = 12;

/// What overlap of two polynomials implies.
pub(crate) enum Outcome {
    /// They cannot overlap, by this rule.
    Apart(&'static str),
    /// These digits are equal in both instances.
    Equal(Vec<TermId>),
    /// Nothing that the method sees.
    Nothing,
}

/// A digit: both instances have it with one stride.
#[derive(Clone)]
pub(crate) struct Digit {
    pub(crate) monomial: Monomial,
    pub(crate) stride: Polynomial,
}

/// Upper bounds of one polynomial, as far as they are found.
struct Bounding<'i> {
    instance: &'i Instance,
    /// The guards with their digits.
    guards: Vec<(&'i Polynomial, Digits)>,
    moves: u32,
    found: Vec<Polynomial>,
}

impl Two<'_, '_> {
    /// As [`Two::compare`], and when that does not separate the two, once for each value of a
    /// shared atom that has few: `s[p * n + t]` and `s[(1 - p) * n + t]` with p 0 or 1.
    pub(crate) fn compare_by_cases(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        bytes: (i128, i128),
    ) -> Outcome {
        let plain = self.compare(left, right, bytes, true);
        if matches!(plain, Outcome::Apart(_)) {
            return plain;
        }
        let difference = left.minus(right);
        for atom in difference.atoms() {
            let range = self.shared_range(atom);
            if !self.is_shared(atom)
                || !(1..4).contains(&(range.high - range.low))
                || range.low.abs() > 1024
            {
                continue;
            }
            let apart = (range.low..=range.high).all(|value| {
                let fix = |polynomial| with_value(polynomial, atom, value);
                let outcome = self.compare(&fix(left), &fix(right), bytes, true);
                matches!(outcome, Outcome::Apart(_))
            });
            if apart {
                return Outcome::Apart("disjoint-ranges");
            }
        }
        plain
    }

    /// What overlap of two polynomials implies: of `bytes.0` bytes from the first's value in the
    /// first instance, of `bytes.1` from the second's in the second.
    pub(crate) fn compare(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        bytes: (i128, i128),
        by_guards: bool,
    ) -> Outcome {
        let shared = |atom: TermId| self.is_shared(atom);
        let (ours, theirs) = (
            bounds::digits(left, &shared),
            bounds::digits(right, &shared),
        );
        let mut digits: Vec<Digit> = Vec::new();
        let mut rest = Interval::new(0, 0);
        let mut remainder = Polynomial::default();
        let mut divisor = 0;
        let mut offset = 0;
        // A digit that is m·q + r counts with m times its stride, and r strides of distance.
        let mut note =
            |monomial: &Monomial, polynomial: &Polynomial, sign: i128, side: &Instance| {
                let known = match monomial.as_slice() {
                    &[atom] if polynomial.as_constant().is_some() => side.residue_of(atom),
                    _ => None,
                };
                let (modulus, residue) = known.unwrap_or((1, 0));
                for (_, coefficient) in polynomial.monomials() {
                    divisor = bounds::gcd(divisor, coefficient * modulus);
                    offset += sign * coefficient * residue;
                }
            };
        for (sign, entries, others, instance) in [
            (1, &ours, &theirs, self.first),
            (-1, &theirs, &ours, self.second),
        ] {
            for (monomial, stride) in entries {
                if monomial.is_empty() {
                    remainder = remainder.plus_scaled(stride, sign);
                    continue;
                }
                note(monomial, stride, sign, instance);
                let twin = others.iter().find(|(other, _)| other == monomial);
                if twin.is_some_and(|(_, other)| other == stride) {
                    if sign == 1 {
                        digits.push(Digit {
                            monomial: monomial.clone(),
                            stride: stride.clone(),
                        });
                    }
                    continue;
                }
                // Without a twin of its stride, it is part of what is left, by its range.
                let range = |atom: TermId| self.range_in(instance, atom);
                let whole = stride
                    .as_constant()
                    .map_or(Interval::new(-HUGE, HUGE), |stride| {
                        let mut one = Polynomial::default();
                        one.add_monomial(monomial.clone(), sign * stride);
                        bounds::range_of(&one, &range)
                    });
                rest = bounds::add(rest, whole);
            }
        }
        let constant = remainder.constant_part() + offset;
        for (monomial, coefficient) in remainder.monomials() {
            if !monomial.is_empty() {
                divisor = bounds::gcd(divisor, coefficient);
            }
        }
        // D5, and distinct constants.
        let distance = if divisor == 0 {
            constant
        } else {
            constant.rem_euclid(divisor)
        };
        let above = if divisor == 0 && constant < 0 {
            -constant >= bytes.0
        } else {
            distance >= bytes.1 && (divisor == 0 || divisor - distance >= bytes.0)
        };
        if above {
            return Outcome::Apart("separated-residues");
        }
        if self.is_apart_by_factor(left, right, bytes) {
            return Outcome::Apart("factored-residues");
        }
        if by_guards && self.is_below_or_above(left, right, bytes) {
            return Outcome::Apart("disjoint-ranges");
        }
        self.by_radix(&digits, &remainder, rest, bytes)
    }

    /// D6: whether the bounds of the two, by ranges and guards, do not meet.
    fn is_below_or_above(
        &self,
        left: &Polynomial,
        right: &Polynomial,
        bytes: (i128, i128),
    ) -> bool {
        let below = |low: &Polynomial,
                     low_side: &Instance,
                     low_bytes: i128,
                     high: &Polynomial,
                     high_side: &Instance| {
            let guards = self.useful_guards(low).max(self.useful_guards(high));
            let uppers = self.upper_bounds(low, low_side, guards);
            if uppers.is_empty() {
                return false;
            }
            let negated = Polynomial::default().minus(high);
            let lowers = self.upper_bounds(&negated, high_side, guards);
            uppers.iter().any(|upper| {
                lowers.iter().any(|lower| {
                    // lower is an upper bound of -high: high - low >= -(lower + upper)
                    let gap = Polynomial::constant(-low_bytes).minus(lower).minus(upper);
                    self.is_nonnegative(&gap)
                })
            })
        };
        below(left, self.first, bytes.0, right, self.second)
            || below(right, self.second, bytes.1, left, self.first)
    }

    /// How many guards are worth a look for D6, to which many pairs come: ranges bound what has constant strides; a row, a column and
    /// the end of a loop may be bounded by guards alone.
    fn useful_guards(&self, polynomial: &Polynomial) -> u32 {
        let entries = bounds::digits(polynomial, &|atom| self.is_shared(atom));
        let symbolic = entries
            .iter()
            .filter(|(digit, stride)| !digit.is_empty() && stride.as_constant().is_none());
        let symbolic = u32::try_from(symbolic.count()).unwrap_or(MOST_GUARDS);
        (1 + symbolic).min(MOST_GUARDS)
    }

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
                let digits = |guard| bounds::digits(guard, &|atom| self.is_shared(atom));
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
        let shared = |atom: TermId| self.is_shared(atom);
        let entries = bounds::digits(polynomial, &shared);
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
            if let Some(extent) = self.launch.symbolic_extent(op)
                && range.high >= self.launch.range_without_guards(op)
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

    /// D7: the digits that are equal if the difference is small: by strides in order, and with
    /// the next stride that fits taken first.
    fn by_radix(
        &self,
        digits: &[Digit],
        remainder: &Polynomial,
        rest: Interval,
        bytes: (i128, i128),
    ) -> Outcome {
        let mut equal = Vec::new();
        for ahead in [false, true] {
            let found = self.by_ordered_strides(digits.to_vec(), ahead, remainder, rest, bytes);
            let whole = found.len() == digits.len();
            equal.extend(found);
            if whole {
                return Outcome::Equal(equal);
            }
        }
        if remainder.is_empty()
            && rest == Interval::new(0, 0)
            && let Some(found) = self.equal_in_some_order(digits, bytes.0.max(bytes.1))
        {
            return Outcome::Equal(found);
        }
        if equal.is_empty() {
            Outcome::Nothing
        } else {
            Outcome::Equal(equal)
        }
    }

    fn by_ordered_strides(
        &self,
        mut digits: Vec<Digit>,
        ahead: bool,
        remainder: &Polynomial,
        rest: Interval,
        bytes: (i128, i128),
    ) -> Vec<TermId> {
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
        let negated = Polynomial::default().minus(partial);
        let limit = stride.plus(&Polynomial::constant(-margin));
        let within = |upper_side: &Instance, lower_side: &Instance| {
            let uppers = self.upper_bounds(partial, upper_side, MOST_GUARDS);
            let lowers = self.upper_bounds(&negated, lower_side, MOST_GUARDS);
            uppers.iter().any(|upper| {
                lowers
                    .iter()
                    .any(|lower| self.is_nonnegative(&limit.minus(upper).minus(lower)))
            })
        };
        within(self.first, self.second) && within(self.second, self.first)
    }

    /// The largest size of the difference of a digit between the instances.
    pub(crate) fn largest_difference(&self, monomial: &Monomial) -> Option<Polynomial> {
        let range = |side| bounds::monomial_range(monomial, &|atom| self.range_in(side, atom));
        let (one, other) = (range(self.first), range(self.second));
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

/// The order in which strides are tried: constants by size, then by degree and coefficients.
fn weight(stride: &Polynomial) -> (usize, i128, Polynomial) {
    let degree = stride.monomials().map(|(monomial, _)| monomial.len()).max();
    let size = stride
        .monomials()
        .map(|(_, coefficient)| coefficient.abs())
        .max();
    (degree.unwrap_or(0), size.unwrap_or(0), stride.clone())
}
