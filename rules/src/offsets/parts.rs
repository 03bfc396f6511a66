//! The parts of two offsets that are equal each by itself if the offsets overlap.
//!
//! `y * w + x`, written in two loops of their own bounds, with x below w, forces the same x, whatever the rows are.
//!
//! **Argument.** Offsets that overlap are equal, as both are multiples of the common access size. Let their difference be
//! w·(Y₁ − Y₂) + (X₁ − X₂) + d = 0 with w shared, and d = w·q + r. If the guards bound |X₁ − X₂ + r| by w − 1, then
//! X₁ − X₂ = −r, and Y₁ − Y₂ = −q; so on for what Y is made of.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};

use super::form;
use super::outcome::Outcome;
use super::two::Two;

/// Most parts that an offset is split into.
const MAX_PARTS: usize = 4;
/// Splits that tell nothing, after which no more is split in a launch: it has thousands of pairs of one kind then, each of which costs
/// milliseconds.
const MOST_VAIN_SPLITS: u32 = 300;
/// Most guards that a bound is moved by.
const MAX_GUARDS: u32 = 3;

/// A part of both offsets, without its constants: first − second + apart = 0 if they overlap.
pub(crate) struct Part {
    pub(crate) first: Polynomial,
    pub(crate) second: Polynomial,
    pub(crate) apart: i128,
}

impl Part {
    fn new(first: &Polynomial, second: &Polynomial, apart: i128) -> Part {
        let without = |polynomial: &Polynomial| {
            polynomial.minus(&Polynomial::constant(polynomial.constant_part()))
        };
        Part {
            first: without(first),
            second: without(second),
            apart: apart + first.constant_part() - second.constant_part(),
        }
    }
}

/// What an offset is split by.
enum Stride {
    Atom(TermId),
    Constant(i128),
}

impl Two<'_, '_> {
    /// What overlap implies of the parts of the offsets: they are equal in both, each by itself. `x + y * w`, written in two loops of
    /// their own bounds, with x below w, forces the same x, whatever the rows are.
    pub(crate) fn compare_parts(&self) -> Outcome {
        let vain = &self.question.launch.vain_splits;
        if vain.get() >= MOST_VAIN_SPLITS
            || !form::same_or_apart(&self.question.first, &self.question.second)
        {
            return Outcome::Nothing;
        }
        let outcome = self
            .parts()
            .map_or(Outcome::Nothing, |parts| self.compare_each(&parts));
        if matches!(outcome, Outcome::Nothing) {
            vain.set(vain.get() + 1);
        }
        outcome
    }

    fn compare_each(&self, parts: &[Part]) -> Outcome {
        if parts.len() < 2 {
            return Outcome::Nothing;
        }
        let mut equal = Vec::new();
        for part in parts {
            let first = part.first.plus(&Polynomial::constant(part.apart));
            match self.compare(&first, &part.second, (1, 1), false) {
                Outcome::Apart(rule) => return Outcome::Apart(rule),
                Outcome::Equal(atoms) => equal.extend(atoms),
                Outcome::Nothing => {}
            }
        }
        Outcome::from(equal)
    }

    /// The parts of the offsets, the lowest first.
    pub(crate) fn parts(&self) -> Option<Vec<Part>> {
        let (first, second) = (&self.question.first.index, &self.question.second.index);
        let bytes = self.question.first.bytes;
        let mut whole = Part::new(&first.divided(bytes)?, &second.divided(bytes)?, 0);
        let mut parts = Vec::new();
        while parts.len() + 1 < MAX_PARTS {
            let mut strides = self.strides(&whole).into_iter();
            let Some((low, high)) = strides.find_map(|stride| self.split_by(&whole, &stride))
            else {
                break;
            };
            parts.push(low);
            whole = high;
        }
        parts.push(whole);
        Some(parts)
    }

    /// The strides that an offset may be split by: constants by size, then shared atoms.
    fn strides(&self, part: &Part) -> Vec<Stride> {
        let both = || part.first.monomials().chain(part.second.monomials());
        let mut sizes: Vec<i128> = both().map(|(_, size)| size.abs()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.retain(|size| *size > 1);
        let mut atoms: Vec<TermId> = both().flat_map(|(monomial, _)| monomial.clone()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms.retain(|&atom| self.is_shared(atom));
        let constants = sizes.into_iter().map(Stride::Constant);
        constants
            .chain(atoms.into_iter().map(Stride::Atom))
            .collect()
    }

    /// The part below a stride and the one above it, if the guards keep the one below it.
    fn split_by(&self, part: &Part, stride: &Stride) -> Option<(Part, Part)> {
        let (below, above) = (|p| divide(p, stride).0, |p| divide(p, stride).1);
        let (size, quotient) = match *stride {
            Stride::Atom(atom) => (Polynomial::atom(atom), 0),
            Stride::Constant(size) => {
                let quotient = (part.apart + size / 2).div_euclid(size);
                (Polynomial::constant(size), quotient)
            }
        };
        let rest = match *stride {
            Stride::Atom(_) => part.apart,
            Stride::Constant(size) => part.apart - size * quotient,
        };
        let low = Part::new(&below(&part.first), &below(&part.second), rest);
        let high = Part::new(&above(&part.first), &above(&part.second), quotient);
        if high.first.is_empty() && high.second.is_empty() {
            return None;
        }
        let limit = size.plus(&Polynomial::constant(-1));
        let least = Polynomial::default();
        let (first, second) = (&*self.question.first, &*self.question.second);
        // What is at least 0 and the same in both.
        let is_shared = |known: &&Polynomial| {
            let mut atoms = known.atoms().into_iter();
            atoms.all(|atom| self.is_shared(atom))
        };
        let shared: Vec<&Polynomial> = first.inequalities.iter().filter(is_shared).collect();
        // upper(X₁) + upper(−X₂) + r ≤ w − 1, and the same the other way round
        let fits = |one: &Polynomial, side, other: &Polynomial, other_side, by: i128| {
            let uppers = self.upper_bounds(one, side, MAX_GUARDS);
            let lowers = self.upper_bounds(&least.minus(other), other_side, MAX_GUARDS);
            let room = limit.plus(&Polynomial::constant(-by));
            let mut sums = uppers
                .iter()
                .flat_map(|upper| lowers.iter().map(move |lower| upper.plus(lower)));
            sums.any(|sum| {
                let left = room.minus(&sum);
                self.is_nonnegative(&left)
                    || shared
                        .iter()
                        .any(|known| self.is_nonnegative(&left.minus(known)))
            })
        };
        let bounded = fits(&low.first, first, &low.second, second, low.apart)
            && fits(&low.second, second, &low.first, first, -low.apart);
        bounded.then_some((low, high))
    }
}

/// What of a polynomial is below a stride, and what the rest is divided by it.
fn divide(polynomial: &Polynomial, stride: &Stride) -> (Polynomial, Polynomial) {
    let (mut below, mut above) = (Polynomial::default(), Polynomial::default());
    for (monomial, coefficient) in polynomial.monomials() {
        let position = match stride {
            Stride::Atom(atom) => monomial.iter().position(|other| other == atom),
            Stride::Constant(_) => None,
        };
        match (stride, position) {
            (Stride::Constant(size), _) if coefficient % size == 0 => {
                above.add_monomial(monomial.clone(), coefficient / size);
            }
            (Stride::Atom(_), Some(position)) => {
                let mut rest: Monomial = monomial.clone();
                rest.remove(position);
                above.add_monomial(rest, coefficient);
            }
            _ => below.add_monomial(monomial.clone(), coefficient),
        }
    }
    (below, above)
}
