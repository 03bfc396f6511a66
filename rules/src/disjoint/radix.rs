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
//! Equalities of quotient and remainder by one constant give equality of what was divided.

use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;
use warplog_facts::words::{PairScope, Scope};
use warplog_facts::{LoopId, Op, TermId};

use super::Judge;
use super::bounds::{self, HUGE};
use super::form::{Instance, LaunchForm};
use crate::candidates::Pair;

/// What overlap of two polynomials implies.
pub(crate) enum Outcome {
    /// They cannot overlap, by this rule.
    Apart(&'static str),
    /// These digits are equal in both instances.
    Equal(Vec<TermId>),
    /// Nothing that the method sees.
    Nothing,
}

/// A pair of instances with what is known to be equal in them.
pub(crate) struct Two<'p, 'r> {
    pub(crate) judge: &'p Judge<'r>,
    pub(crate) launch: &'p LaunchForm,
    pub(crate) pair: &'p Pair,
    /// Scope in which a shared atom must be uniform.
    pub(crate) scope: Scope,
    /// Loops in the same iteration for both.
    pub(crate) aligned: Vec<LoopId>,
    pub(crate) first: &'p Instance,
    pub(crate) second: &'p Instance,
    /// Atoms that are equal in both if the accesses overlap, sorted.
    pub(crate) equal: Vec<TermId>,
}

/// A digit: both instances have it with one stride.
#[derive(Clone)]
struct Digit {
    monomial: Monomial,
    stride: Polynomial,
}

impl Two<'_, '_> {
    /// Whether the term has one value in both instances.
    pub(crate) fn is_shared(&self, term: TermId) -> bool {
        self.equal.binary_search(&term).is_ok()
            || self.judge.is_shared(term, self.scope, &self.aligned)
    }

    pub(crate) fn add_equal(&mut self, atoms: &[TermId]) {
        self.equal.extend_from_slice(atoms);
        self.equal.sort_unstable();
        self.equal.dedup();
    }

    fn range_in(&self, instance: &Instance, atom: TermId) -> Interval {
        let range = self.judge.regions.ranges(instance.region).range(atom);
        match self.smallest_power(instance, atom) {
            Some(low) if range.low < low && low <= range.high => Interval::new(low, range.high),
            _ => range,
        }
    }

    /// The start of a closed form start·baseᵏ in a loop whose condition keeps it below a bound that
    /// does not change in the loop: then no earlier step wrapped, nor did this one, so the value
    /// is at least the start. `for (s = 1; s < blockDim.x; s *= 2)`
    fn smallest_power(&self, instance: &Instance, atom: TermId) -> Option<i128> {
        let facts = self.judge.ctx.facts;
        let store = &facts.terms;
        let term = store.get(atom);
        if term.op != Op::MulPow {
            return None;
        }
        let ranges = self.judge.regions.ranges(instance.region);
        let start = ranges.range(term.args[0]);
        let mut ordinal = store.get(term.args[1]);
        while matches!(ordinal.op, Op::Cast | Op::Fit) {
            ordinal = store.get(ordinal.args[0]);
        }
        let loop_id = (ordinal.op == Op::Iter).then(|| ordinal.loop_id())??;
        let condition = facts.loop_[loop_id.index()].condition?;
        let largest = term.ty.max()?;
        let mut literals = Vec::new();
        super::form::take_apart(store, (condition, true), &mut literals);
        let bounded = literals.into_iter().any(|(literal, polarity)| {
            let node = store.get(literal);
            let &[left, right] = node.args.as_slice() else {
                return false;
            };
            // value < bound, value <= bound, !(bound <= value), !(bound < value)
            let (value, bound) = match (node.op, polarity) {
                (Op::Lt | Op::Le, true) => (left, right),
                (Op::Lt | Op::Le, false) => (right, left),
                _ => return false,
            };
            let fixed = !self.judge.term_loops[bound.index()].contains(&loop_id);
            let high = ranges.range(bound).high;
            let next = high.checked_mul(term.payload);
            value == atom && fixed && next.is_some_and(|next| next <= largest)
        });
        // Signed arithmetic that overflows is no execution.
        ((bounded || term.ty.is_signed()) && start.low >= 1).then_some(start.low)
    }

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

    /// The range of a shared atom: its one value satisfies the guards of both.
    fn shared_range(&self, atom: TermId) -> Interval {
        let one = self.range_in(self.first, atom);
        one.meet(self.range_in(self.second, atom))
    }

    fn is_nonnegative(&self, polynomial: &Polynomial) -> bool {
        bounds::is_nonnegative(polynomial, &|atom| self.shared_range(atom))
    }

    /// Components of the thread index that the guards fix to one value, and those that two threads
    /// of a warp have in common.
    pub(crate) fn add_known_equalities(&mut self) {
        let mut equal = Vec::new();
        for op in [Op::TidX, Op::TidY, Op::TidZ, Op::BidX, Op::BidY, Op::BidZ] {
            let Some(leaf) = self.launch.leaf(op) else {
                continue;
            };
            let one = self.range_in(self.first, leaf).single();
            let rows = self.pair.scope == PairScope::Warp
                && self.launch.has_whole_rows()
                && matches!(op, Op::TidY | Op::TidZ);
            if rows || (one.is_some() && one == self.range_in(self.second, leaf).single()) {
                equal.push(leaf);
            }
        }
        let mut atoms = self.first.index.atoms();
        atoms.extend(self.second.index.atoms());
        for atom in atoms {
            let divisor = self.warp_divisor(atom);
            let warp = self.pair.scope == PairScope::Warp && divisor.is_some_and(|c| c % 32 == 0);
            let one = self.range_in(self.first, atom).single();
            if warp || (one.is_some() && one == self.range_in(self.second, atom).single()) {
                equal.push(atom);
            }
        }
        self.add_equal(&equal);
    }

    /// D12: what the ranges of `threadIdx.x` in a one-dimensional block say of the warps.
    pub(crate) fn by_warps(&self) -> Option<&'static str> {
        let leaf = self.launch.leaf(Op::TidX)?;
        if !self.launch.is_one_dimensional() {
            return None;
        }
        let (one, other) = (
            self.range_in(self.first, leaf),
            self.range_in(self.second, leaf),
        );
        let warp = |value: i128| value.div_euclid(32);
        match self.pair.scope {
            PairScope::InterWarp => (warp(one.low) == warp(one.high)
                && warp(other.low) == warp(other.high)
                && warp(one.low) == warp(other.low))
            .then_some("one-warp-only"),
            PairScope::Warp => (warp(one.high) < warp(other.low)
                || warp(other.high) < warp(one.low))
            .then_some("different-warps"),
            _ => None,
        }
    }

    /// D10: the offsets are c·a in one instance and c·(a ^ j) in the other, with j shared and |c| at
    /// least the access size, so overlap means that each thread's a is the other's a ^ j; and both
    /// instances have the guard a < a ^ j, or both the guard a > a ^ j.
    pub(crate) fn are_exchanged(&self) -> bool {
        self.is_exchanged(self.first, self.second) || self.is_exchanged(self.second, self.first)
    }

    fn is_exchanged(&self, plain: &Instance, partner: &Instance) -> bool {
        let margin = plain.bytes.max(partner.bytes);
        for (monomial, coefficient) in partner.index.monomials() {
            let &[xor] = monomial.as_slice() else {
                continue;
            };
            let term = self.judge.ctx.facts.terms.get(xor);
            if term.op != Op::BitXor || coefficient.abs() < margin {
                continue;
            }
            for (own, other) in [(0, 1), (1, 0)] {
                if !self.is_shared(term.args[other]) {
                    continue;
                }
                let value =
                    |side: &Instance| self.judge.polynomials[side.region].of(term.args[own]);
                let (own_value, partner_value) = (value(plain), value(partner));
                if own_value != partner_value || !bounds::is_small(&own_value) {
                    continue;
                }
                // What is left beside c·a and c·(a ^ j) must be one shared value.
                let rest = plain.index.plus_scaled(&own_value, -coefficient);
                let mut other_rest = Polynomial::clone(&partner.index);
                other_rest.add_monomial(monomial.clone(), -coefficient);
                let shared = rest.atoms().into_iter().all(|atom| self.is_shared(atom));
                if rest != other_rest || !shared {
                    continue;
                }
                let mut above = Polynomial::atom(xor).minus(&own_value);
                above.add_monomial(Monomial::new(), -1);
                let mut below = own_value.minus(&Polynomial::atom(xor));
                below.add_monomial(Monomial::new(), -1);
                let both = |guard: &Polynomial| {
                    plain.inequalities.contains(guard) && partner.inequalities.contains(guard)
                };
                if both(&above) || both(&below) {
                    return true;
                }
            }
        }
        false
    }

    /// For a quotient of the position in rows of whole warps (or in a one-dimensional block) by a
    /// constant: that constant.
    fn warp_divisor(&self, atom: TermId) -> Option<i128> {
        if !self.launch.is_one_dimensional() && !self.launch.has_whole_rows() {
            return None;
        }
        let (arg, divisor) = self.quotient(atom)?;
        let polynomial = self.judge.polynomials[self.first.region].of(arg);
        let mut monomials = polynomial.monomials();
        match (monomials.next(), monomials.next()) {
            (Some((monomial, 1)), None) => match monomial.as_slice() {
                &[leaf] if self.op(leaf) == Op::TidX => Some(divisor),
                _ => None,
            },
            _ => None,
        }
    }

    fn op(&self, term: TermId) -> Op {
        self.judge.ctx.facts.terms.get(term).op
    }

    /// The argument and the constant of a quotient of something that is not negative.
    fn quotient(&self, atom: TermId) -> Option<(TermId, i128)> {
        let store = &self.judge.ctx.facts.terms;
        let term = store.get(atom);
        let &[arg, by] = term.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        let divisor = match term.op {
            Op::Div if by > 0 => by,
            Op::Shr if (0..62).contains(&by) => 1 << by,
            _ => return None,
        };
        let both = [self.first, self.second];
        both.iter()
            .all(|side| self.range_in(side, arg).low >= 0)
            .then_some((arg, divisor))
    }

    /// The argument and the constant of a remainder of something that is not negative.
    fn remainder(&self, atom: TermId) -> Option<(TermId, i128)> {
        let store = &self.judge.ctx.facts.terms;
        let term = store.get(atom);
        let &[arg, by] = term.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        let divisor = match term.op {
            Op::Rem if by > 0 => by,
            Op::BitAnd if by > 0 && (by & (by + 1)) == 0 => by + 1,
            _ => return None,
        };
        let both = [self.first, self.second];
        both.iter()
            .all(|side| self.range_in(side, arg).low >= 0)
            .then_some((arg, divisor))
    }

    /// Whether what is known to be equal makes the two one thread (one block, between blocks).
    pub(crate) fn is_one_thread(&self) -> bool {
        let known = |op: Op| {
            let leaf = self.launch.leaf(op);
            leaf.is_some_and(|leaf| self.equal.binary_search(&leaf).is_ok())
        };
        if self.launch.identity(self.pair.scope).into_iter().all(known) {
            return true;
        }
        // Threads of different warps differ in the warp.
        self.pair.scope == PairScope::InterWarp
            && self.launch.is_one_dimensional()
            && self.equal.iter().any(|&atom| {
                self.warp_divisor(atom)
                    .is_some_and(|c| c > 0 && 32 % c == 0)
            })
    }

    /// What follows from equal quotients and remainders.
    pub(crate) fn close(&mut self) {
        let mut found = Vec::new();
        for &xor in &self.equal {
            // a ^ j with j shared gives a.
            let term = self.judge.ctx.facts.terms.get(xor);
            if term.op != Op::BitXor {
                continue;
            }
            for (own, other) in [(0, 1), (1, 0)] {
                if self.is_shared(term.args[other]) {
                    found.extend(self.equal_parts(term.args[own]));
                }
            }
        }
        for &rest in &self.equal {
            // Equal modulo c and less than c apart is equal: `(t + i) & 63` in a block of 64.
            if let Some((arg, divisor)) = self.remainder(rest)
                && self.is_within(arg, divisor)
            {
                found.extend(self.equal_parts(arg));
            }
        }
        for &quotient in &self.equal {
            let Some((arg, divisor)) = self.quotient(quotient) else {
                continue;
            };
            let paired = |&&atom: &&TermId| self.remainder(atom) == Some((arg, divisor));
            if self.equal.iter().any(|atom| paired(&atom)) {
                found.extend(self.equal_parts(arg));
            }
        }
        self.add_equal(&found);
    }

    /// Whether the values of the term in the two instances surely differ by less than the bound.
    fn is_within(&self, term: TermId, bound: i128) -> bool {
        let left = self.judge.polynomials[self.first.region].of(term);
        let right = self.judge.polynomials[self.second.region].of(term);
        if !bounds::is_small(&left) || !bounds::is_small(&right) {
            return false;
        }
        let shared = |atom: TermId| self.is_shared(atom);
        let limit = Polynomial::constant(bound - 1);
        let below = |a: &Polynomial, a_side: &Instance, b: &Polynomial, b_side: &Instance| {
            let negated = Polynomial::default().minus(b);
            let upper = self.upper_bound(&bounds::digits(a, &shared), a_side);
            let lower = self.upper_bound(&bounds::digits(&negated, &shared), b_side);
            matches!((upper, lower), (Some(upper), Some(lower))
                if self.is_nonnegative(&limit.minus(&upper).minus(&lower)))
        };
        below(&left, self.first, &right, self.second)
            && below(&right, self.second, &left, self.first)
    }

    /// The atoms that are equal if the term is.
    fn equal_parts(&self, term: TermId) -> Vec<TermId> {
        let left = self.judge.polynomials[self.first.region].of(term);
        let right = self.judge.polynomials[self.second.region].of(term);
        if bounds::is_small(&left)
            && bounds::is_small(&right)
            && let Outcome::Equal(atoms) = self.compare(&left, &right, (1, 1), false)
        {
            return atoms;
        }
        Vec::new()
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
            let uppers = self.upper_bounds(low, low_side);
            if uppers.is_empty() {
                return false;
            }
            let negated = Polynomial::default().minus(high);
            let lowers = self.upper_bounds(&negated, high_side);
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

    /// Upper bounds over shared atoms of a polynomial in an instance: by ranges and extents, and
    /// after moving it by one guard.
    fn upper_bounds(&self, polynomial: &Polynomial, instance: &Instance) -> Vec<Polynomial> {
        let shared = |atom: TermId| self.is_shared(atom);
        let entries = bounds::digits(polynomial, &shared);
        let mut found = Vec::new();
        found.extend(self.upper_bound(&entries, instance));
        if entries.iter().all(|(monomial, _)| monomial.is_empty()) {
            return found;
        }
        for guard in &instance.inequalities {
            for (monomial, stride) in &entries {
                if monomial.is_empty() {
                    continue;
                }
                if let Some(moved) = moved_by(polynomial, monomial, stride, guard, &shared) {
                    found.extend(self.upper_bound(&bounds::digits(&moved, &shared), instance));
                }
            }
        }
        found.dedup();
        found
    }

    /// The upper bound by ranges and extents alone.
    fn upper_bound(
        &self,
        entries: &[(Monomial, Polynomial)],
        instance: &Instance,
    ) -> Option<Polynomial> {
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
                break;
            }
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
    fn fits_by_guard(&self, partial: &Polynomial, stride: &Polynomial, margin: i128) -> bool {
        if partial.is_empty() {
            return false;
        }
        let negated = Polynomial::default().minus(partial);
        let limit = stride.plus(&Polynomial::constant(-margin));
        let within = |upper_side: &Instance, lower_side: &Instance| {
            let uppers = self.upper_bounds(partial, upper_side);
            let lowers = self.upper_bounds(&negated, lower_side);
            uppers.iter().any(|upper| {
                lowers
                    .iter()
                    .any(|lower| self.is_nonnegative(&limit.minus(upper).minus(lower)))
            })
        };
        within(self.first, self.second) && within(self.second, self.first)
    }

    /// The largest size of the difference of a digit between the instances.
    fn largest_difference(&self, monomial: &Monomial) -> Option<Polynomial> {
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
fn with_value(polynomial: &Polynomial, atom: TermId, value: i128) -> Polynomial {
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

/// `polynomial + m·guard` with m > 0 such that the digit vanishes, if there is such an m.
fn moved_by(
    polynomial: &Polynomial,
    digit: &Monomial,
    stride: &Polynomial,
    guard: &Polynomial,
    is_shared: &dyn Fn(TermId) -> bool,
) -> Option<Polynomial> {
    let entries = bounds::digits(guard, is_shared);
    let (_, factor) = entries.iter().find(|(monomial, _)| monomial == digit)?;
    let (numerator, denominator) = (stride.as_constant()?, -factor.as_constant()?);
    if denominator == 0 || numerator % denominator != 0 || numerator / denominator <= 0 {
        return None;
    }
    let moved = polynomial.plus_scaled(guard, numerator / denominator);
    bounds::is_small(&moved).then_some(moved)
}
