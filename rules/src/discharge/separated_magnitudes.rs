//! D20 `separated-magnitudes`: an index taken apart by sizes of unknown sign, and put together in another order.
//!
//! `int b = i / (n * d), rest = i % (n * d), r = rest / d, e = rest % d; out[(r * m + b) * d + e]` where nothing says that the `int`
//! parameters `n`, `d` and `m` are positive. Mixed radix (D7) compares strides with what is below them, and needs to know
//! which is larger; of products of sizes it is enough to know by how much they are away from 0.
//!
//! **Argument.** Let the offsets of the two instances differ by Σ sₖ·δₖ + C, δₖ being the difference of the k-th digit. A digit
//! that is a quotient or remainder of what is not negative, by shared numbers, has the same sign in both instances, or is 0: C
//! rounds towards 0, so the sign of a quotient is that of its divisor, and a remainder is not negative. If besides |digit| < U in
//! both, then |δ| ≤ U − 1. Hence, if the digits can be ordered so that |sₖ| ≥ Σ |sⱼ|·(Uⱼ − 1) + bytes over all j below k, offsets that
//! overlap have δₖ = 0 for all of them, from the top down; and a C ≠ 0 that has its place in the order, as a digit whose δ is 1, contradicts
//! overlap.
//!
//! |x % m| < |m|; if |x| < U then |x / m| < U / |m| where that is whole; and 0 ≤ x < p gives |x| < |p|. A shared divisor is not 0, nor is
//! a factor of p. The absolute value of a product is the product of the absolute values, so all of this is about polynomials over
//! the absolute values of shared atoms. A sum among the strides is taken as it is if all of it is known not to be negative.
//!
//! Digits that a guard of both instances bounds together (`blockIdx.x * 256 + threadIdx.x < n`, `q` and `q + n` being parts of one
//! allocation) are one place below all others, and nothing is concluded of it: if they, and what is shared with them, are not negative
//! and at most p + u, their difference is at most |p| + u. In p, |m|·|x / m| is at most |x|.

use std::cell::RefCell;

use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;
use warplog_facts::{Op, TermId};

use super::rule::{Rule, Step};
use crate::offsets::bounds::{self, Digits};
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D20.
pub(super) const RULE: Rule = Rule {
    id: "D20",
    names: &["separated-magnitudes"],
    sentence: "What is left between two offsets made of quotients and remainders is larger than what the digits below it come to, by the absolute values of sizes whose sign is not known.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("separated_magnitudes.rs"),
    steps: &[Step::Offsets(prove)],
};

/// Most digits that are put in order, what is left beside them included.
const MOST_PLACES: usize = 6;

/// Quotients and remainders of one another that are looked through.
const MOST_STEPS: u32 = 6;

/// A digit in the difference of the two offsets, or what is left beside the digits.
struct Place {
    /// None for what is left.
    digit: Option<TermId>,
    /// Its stride, as an absolute value.
    stride: Polynomial,
    /// What its difference is at most, as an absolute value; none if that is not known.
    reach: Option<Polynomial>,
}

/// Digits that a guard bounds together.
#[derive(Default)]
struct Group {
    digits: Vec<TermId>,
    /// What their difference is at most, as an absolute value.
    reach: Polynomial,
}

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    two.compare_magnitudes()
}

impl Two<'_, '_> {
    /// What overlap of the two offsets implies.
    fn compare_magnitudes(&self) -> Outcome {
        let question = self.question;
        let (left, right) = (&*question.first.index, &*question.second.index);
        let bytes = question.first.bytes.max(question.second.bytes);
        let shared = |atom: TermId| self.is_shared(atom);
        let (ours, theirs) = (
            bounds::digits(left, &shared),
            bounds::digits(right, &shared),
        );
        let digits = |entries: &Digits| -> Digits {
            let own = entries.iter().filter(|(monomial, _)| !monomial.is_empty());
            own.cloned().collect()
        };
        let both = digits(&ours);
        if both.is_empty() || both.len() >= MOST_PLACES || both != digits(&theirs) {
            return Outcome::Nothing;
        }
        let magnitudes = Magnitudes {
            two: self,
            nonzero: RefCell::default(),
        };
        let left_over = |entries: &Digits| {
            let rest = entries.iter().find(|(monomial, _)| monomial.is_empty());
            rest.map(|(_, rest)| rest.clone()).unwrap_or_default()
        };
        let apart = left_over(&ours).minus(&left_over(&theirs));
        let mut places = Vec::new();
        for (monomial, stride) in &both {
            let &[digit] = monomial.as_slice() else {
                return Outcome::Nothing;
            };
            let Some(stride) = magnitudes.of(stride) else {
                return Outcome::Nothing;
            };
            places.push(Place {
                digit: Some(digit),
                stride,
                reach: magnitudes.reach(digit),
            });
        }
        if !apart.is_empty() {
            let Some(stride) = magnitudes.of(&apart) else {
                return Outcome::Nothing;
            };
            places.push(Place {
                digit: None,
                stride,
                reach: Some(Polynomial::constant(1)),
            });
        }
        let groups = magnitudes.groups(&both);
        // What is known without looking at signs is known by now.
        if magnitudes.nonzero.borrow().is_empty() {
            return Outcome::Nothing;
        }
        let alone = Group::default();
        let below = Polynomial::constant(bytes);
        let ordered = std::iter::once(&alone).chain(&groups).find(|group| {
            let is_free = |place: &&Place| {
                let digit = place.digit;
                digit.is_none_or(|digit| !group.digits.contains(&digit))
            };
            let mut free: Vec<&Place> = places.iter().filter(is_free).collect();
            let below = below.plus(&group.reach);
            !free.is_empty() && magnitudes.have_order(&mut free, &below)
        });
        let Some(group) = ordered else {
            return Outcome::Nothing;
        };
        if apart.is_empty() {
            let digits = places.iter().filter_map(|place| place.digit);
            Outcome::Equal(
                digits
                    .filter(|digit| !group.digits.contains(digit))
                    .collect(),
            )
        } else {
            Outcome::apart("separated-magnitudes")
        }
    }
}

/// Absolute values of shared numbers. In a polynomial that comes from here each atom stands for its absolute value.
struct Magnitudes<'t, 'p, 'r> {
    two: &'t Two<'p, 'r>,
    /// Atoms that divide, or are factors of what something not negative is less than: they are not 0.
    nonzero: RefCell<Vec<TermId>>,
}

impl Magnitudes<'_, '_, '_> {
    fn range(&self, atom: TermId) -> Interval {
        let known = self.two.shared_range(atom);
        let least = if known.low >= 0 {
            known.low
        } else if known.high <= 0 {
            -known.high
        } else {
            0
        };
        let nonzero = self.nonzero.borrow().contains(&atom);
        let largest = known.low.abs().max(known.high.abs());
        Interval::new(least.max(i128::from(nonzero)), largest.max(1))
    }

    /// The absolute value of a polynomial over shared atoms: of a product; of a sum only if none of it is negative.
    fn of(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        if !bounds::is_small(polynomial) {
            return None;
        }
        if polynomial.len() == 1 {
            let mut product = Polynomial::default();
            for (monomial, coefficient) in polynomial.monomials() {
                product.add_monomial(monomial.clone(), coefficient.abs());
            }
            return Some(product);
        }
        let unsigned = |atom: TermId| self.two.shared_range(atom).low >= 0;
        let same = polynomial.atoms().into_iter().all(unsigned);
        (same && self.two.is_nonnegative(polynomial)).then(|| polynomial.clone())
    }

    /// The absolute value of a product that is not 0.
    fn of_nonzero(&self, product: &Polynomial) -> Option<Polynomial> {
        let atoms = product.atoms();
        if product.len() != 1 || !atoms.iter().all(|&atom| self.two.is_shared(atom)) {
            return None;
        }
        self.nonzero.borrow_mut().extend(atoms);
        self.of(product)
    }

    /// What the difference of a digit is at most.
    fn reach(&self, digit: TermId) -> Option<Polynomial> {
        if let Some(limit) = self.limit(digit, MOST_STEPS) {
            return Some(limit.minus(&Polynomial::constant(1)));
        }
        let known = self
            .two
            .largest_difference(&Monomial::from_slice(&[digit]))?;
        let unsigned = |atom: TermId| self.two.shared_range(atom).low >= 0;
        known.atoms().into_iter().all(unsigned).then_some(known)
    }

    /// A number that the absolute value of the term is less than, if the term has one sign in both instances.
    fn limit(&self, term: TermId, steps: u32) -> Option<Polynomial> {
        if self.is_nonnegative(term)
            && let Some(limit) = self.limit_by_guards(term)
        {
            return Some(limit);
        }
        let steps = steps.checked_sub(1)?;
        let term = self.unconverted(term);
        let (of, divisor) = match self.two.op(term) {
            op @ (Op::Div | Op::Rem) => self.two.by_shared(term, op)?,
            _ => return None,
        };
        let divisor = self.of_nonzero(&divisor)?;
        if self.two.op(term) == Op::Rem {
            return self.has_one_sign(of, steps).then_some(divisor);
        }
        self.limit(of, steps)?.quotient(&divisor)
    }

    /// The term is a quotient or a remainder, by shared numbers, of what is not negative; or it is not negative itself.
    fn has_one_sign(&self, term: TermId, steps: u32) -> bool {
        if self.is_nonnegative(term) {
            return true;
        }
        let term = self.unconverted(term);
        let op = self.two.op(term);
        matches!(op, Op::Div | Op::Rem)
            && steps > 0
            && self
                .two
                .by_shared(term, op)
                .is_some_and(|(of, _)| self.has_one_sign(of, steps - 1))
    }

    /// The term without conversions that leave its value as it is in both instances.
    fn unconverted(&self, term: TermId) -> TermId {
        let [one, other] = [&*self.two.question.first, &*self.two.question.second].map(|side| {
            let value = self.two.question.judge.polynomials[side.region].of(term);
            value.as_atom()
        });
        one.filter(|_| one == other).unwrap_or(term)
    }

    fn is_nonnegative(&self, term: TermId) -> bool {
        let both = [&*self.two.question.first, &*self.two.question.second];
        both.iter()
            .all(|side| self.two.range_in(side, term).low >= 0)
    }

    /// p, if a guard of both instances says that the term is less than p, a product of shared numbers.
    fn limit_by_guards(&self, term: TermId) -> Option<Polynomial> {
        let limits = |side: &Instance| -> Vec<Polynomial> {
            let value = self.two.question.judge.polynomials[side.region].of(term);
            if value.as_constant().is_some() || !bounds::is_small(&value) {
                return Vec::new();
            }
            let above = value.plus(&Polynomial::constant(1));
            let guards = side.inequalities.iter();
            let limits = guards.map(|guard| guard.plus(&above));
            let shared = |atom: TermId| self.two.is_shared(atom);
            limits
                .filter(|limit| limit.len() == 1 && limit.atoms().into_iter().all(shared))
                .collect()
        };
        let second = limits(&self.two.question.second);
        let mut both = limits(&self.two.question.first);
        both.retain(|limit| second.contains(limit));
        self.of_nonzero(both.first()?)
    }

    /// The digits that a guard of both instances bounds together.
    fn groups(&self, digits: &Digits) -> Vec<Group> {
        let guards = self.two.question.first.inequalities.iter();
        let both = guards.filter(|guard| self.two.question.second.inequalities.contains(guard));
        both.filter_map(|guard| self.group(digits, guard)).collect()
    }

    /// The digits, times a number of bytes, that a guard bounds together.
    fn group(&self, digits: &Digits, guard: &Polynomial) -> Option<Group> {
        if !bounds::is_small(guard) {
            return None;
        }
        let shared = |atom: TermId| self.two.is_shared(atom);
        let mut group = Group::default();
        let mut bytes = None;
        // The guard without its digits: p + u - y.
        let mut most = guard.clone();
        for (digit, factor) in bounds::digits(guard, &shared) {
            let &[atom] = digit.as_slice() else {
                if digit.is_empty() {
                    continue;
                }
                return None;
            };
            let (_, stride) = digits.iter().find(|(other, _)| *other == digit)?;
            let (monomial, least) = factor.monomials().next()?;
            let times = stride.coefficient(monomial) / -least;
            if times < 1 || bytes.is_some_and(|bytes| bytes != times) {
                return None;
            }
            let scaled = Polynomial::default().plus_scaled(&factor, -times);
            if scaled != *stride {
                return None;
            }
            bytes = Some(times);
            most = most.minus(&factor.times(&Polynomial::atom(atom)));
            group.digits.push(atom);
        }
        let mut positive = most
            .monomials()
            .filter(|(monomial, factor)| !monomial.is_empty() && *factor > 0);
        let (product, factor) = positive.next()?;
        if positive.next().is_some() {
            return None;
        }
        let mut limit = Polynomial::default();
        limit.add_monomial(product.clone(), factor);
        // y and the digits are not negative together.
        let beyond = most.constant_part();
        let together = limit.plus(&Polynomial::constant(beyond)).minus(guard);
        let is_nonnegative = |side: &Instance| {
            let range = |atom| self.two.range_in(side, atom);
            bounds::range_of(&together, &range).low >= 0
        };
        if !is_nonnegative(&self.two.question.first) || !is_nonnegative(&self.two.question.second) {
            return None;
        }
        let limit = match beyond < 0 {
            true => self.of_nonzero(&limit)?,
            false => self.of(&limit)?,
        };
        let limit = self.without_quotients(limit);
        let reach = limit.plus(&Polynomial::constant(beyond));
        group.reach = Polynomial::default().plus_scaled(&reach, bytes?);
        Some(group)
    }

    /// Something that a product is at most: |m|·|x / m| is at most |x|.
    fn without_quotients(&self, mut product: Polynomial) -> Polynomial {
        for atom in product.atoms() {
            let Some((of, divisor)) = self.two.by_shared(atom, Op::Div) else {
                continue;
            };
            let dividend =
                self.two.question.judge.polynomials[self.two.question.first.region].of(of);
            let shared = |atom: TermId| self.two.is_shared(atom);
            if !dividend.atoms().into_iter().all(shared) {
                continue;
            }
            let (Some(dividend), Some(divisor)) = (self.of(&dividend), self.of_nonzero(&divisor))
            else {
                continue;
            };
            if let Some(multiple) = product.quotient(&divisor.times(&Polynomial::atom(atom))) {
                product = multiple.times(&dividend);
            }
        }
        product
    }

    /// Whether the places can be ordered so that each stride is at least what is below it.
    fn have_order(&self, places: &mut Vec<&Place>, below: &Polynomial) -> bool {
        if places.is_empty() {
            return true;
        }
        if !bounds::is_small(below) {
            return false;
        }
        for position in 0..places.len() {
            let place = places[position];
            let above = place.stride.minus(below);
            if !bounds::is_nonnegative(&above, &|atom| self.range(atom)) {
                continue;
            }
            let next = match &place.reach {
                Some(reach) => below.plus(&place.stride.times(reach)),
                None if places.len() == 1 => return true,
                None => continue,
            };
            let place = places.remove(position);
            let ordered = self.have_order(places, &next);
            places.insert(position, place);
            if ordered {
                return true;
            }
        }
        false
    }
}
