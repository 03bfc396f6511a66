//! D16 `different-classes`: overlap would make the places of the two threads neighbours, and the guards keep both in one class.
//!
//! `if ((x + y) % 2 == color) a[y * w + x] = a[y * w + x - 1] + a[(y - 1) * w + x];`: red and black. With 0 < x < w - 1 the
//! element that one thread writes is the one that the other reads only if y = y' and x = x' - 1, or y = y' - 1 and x = x'.
//! Then x + y and x' + y' differ by one, but both are `color` modulo 2.
//!
//! **Argument.** Offsets that overlap are equal, as both are multiples of the common access size. Let their difference be
//! w·(Y₁ − Y₂) + (X₁ − X₂) + d = 0 with w shared, and d = w·q + r. If the guards bound |X₁ − X₂ + r| by w − 1, then
//! X₁ − X₂ = −r, and Y₁ − Y₂ = −q; so on for what Y is made of. Let a guard of both threads fix the remainder of E by m. If
//! E is the same combination Σ aₖ·Pₖ of these parts in both, but for what is shared, then E₁ − E₂ is known, and it has to be
//! a multiple of m.

use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::{Op, TermId};

use super::radix::Outcome;
use super::two::Two;

/// Most parts that an offset is split into.
const MAX_PARTS: usize = 4;
/// Splits that tell nothing, after which no more is split in a launch: it has thousands of pairs of one kind then, each of which costs
/// milliseconds.
const MOST_VAIN_SPLITS: u32 = 300;
/// Most guards that a bound is moved by.
const MAX_GUARDS: u32 = 3;

/// A part of both offsets, without its constants: first − second + apart = 0 if they overlap.
struct Part {
    first: Polynomial,
    second: Polynomial,
    apart: i128,
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

/// A remainder that guards of both threads fix: E₁ − E₂ is `difference` modulo `modulus`.
struct Class {
    guard: TermId,
    of: TermId,
    modulus: i128,
    difference: i128,
}

impl Two<'_, '_> {
    /// D16: the guard that keeps the two accesses apart.
    pub(crate) fn are_of_different_classes(&self) -> Option<TermId> {
        let classes = self.classes();
        if classes.is_empty() || !super::same_or_apart(self.first, self.second) {
            return None;
        }
        let parts = self.parts()?;
        let apart = |class: &&Class| {
            let difference = self.difference(class.of, &parts);
            difference.is_some_and(|known| (known - class.difference) % class.modulus != 0)
        };
        classes.iter().find(apart).map(|class| class.guard)
    }

    /// The remainders that guards of both threads fix to the same, or to the other one of two.
    fn classes(&self) -> Vec<Class> {
        let mut found = Vec::new();
        for &(guard, polarity) in &self.first.literals {
            let node = self.judge.ctx.facts.terms.get(guard);
            let &[left, right] = node.args.as_slice() else {
                continue;
            };
            let equal = match node.op {
                Op::Eq => polarity,
                Op::Ne => !polarity,
                _ => continue,
            };
            for (side, other) in [(left, right), (right, left)] {
                let Some((of, modulus)) = self.remainder_in(side) else {
                    continue;
                };
                let is_zero = self.judge.ctx.facts.terms.as_const(other) == Some(0);
                // Not divisible by 2 leaves one remainder.
                let is_one_of_two = modulus == 2 && is_zero;
                let same = self.second.literals.contains(&(guard, polarity));
                let opposite = self.second.literals.contains(&(guard, !polarity));
                let difference = match (same, opposite) {
                    (true, _) if is_one_of_two || equal && self.is_shared(other) => 0,
                    (false, true) if is_one_of_two => 1,
                    _ => continue,
                };
                found.push(Class {
                    guard,
                    of,
                    modulus,
                    difference,
                });
            }
        }
        found
    }

    /// What a term is the remainder of, and by which constant.
    fn remainder_in(&self, mut term: TermId) -> Option<(TermId, i128)> {
        let store = &self.judge.ctx.facts.terms;
        let exact = |term: TermId| {
            [self.first, self.second]
                .iter()
                .all(|one| self.judge.regions.ranges(one.region).is_exact(term))
        };
        while matches!(store.get(term).op, Op::Cast | Op::Fit) && exact(term) {
            term = store.get(term).args[0];
        }
        let node = store.get(term);
        let &[of, by] = node.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        match node.op {
            Op::Rem if by > 1 => Some((of, by)),
            Op::BitAnd if by > 0 && (by & (by + 1)) == 0 => Some((of, by + 1)),
            _ => None,
        }
    }

    /// What overlap implies of the parts of the offsets: they are equal in both, each by itself. `x + y * w`, written in two loops of
    /// their own bounds, with x below w, forces the same x, whatever the rows are.
    pub(crate) fn compare_parts(&self) -> Outcome {
        let vain = &self.launch.vain_splits;
        if vain.get() >= MOST_VAIN_SPLITS || !super::same_or_apart(self.first, self.second) {
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
        if equal.is_empty() {
            Outcome::Nothing
        } else {
            Outcome::Equal(equal)
        }
    }

    /// The parts of the offsets, the lowest first.
    fn parts(&self) -> Option<Vec<Part>> {
        let (first, second) = (&self.first.index, &self.second.index);
        let bytes = self.first.bytes;
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
        let (first, second) = (self.first, self.second);
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

    /// E₁ − E₂, if E is made of the parts and of what is shared.
    fn difference(&self, term: TermId, parts: &[Part]) -> Option<i128> {
        let of = |region: usize| self.judge.polynomials[region].of(term);
        let (one, other) = (of(self.first.region), of(self.second.region));
        let (mut one, mut other) = (Polynomial::clone(&one), Polynomial::clone(&other));
        let mut difference = 0;
        for part in parts {
            let Some((monomial, coefficient)) = part.first.monomials().next() else {
                continue;
            };
            let times = one.coefficient(monomial);
            if times % coefficient != 0 {
                return None;
            }
            let times = times / coefficient;
            one = one.plus_scaled(&part.first, -times);
            other = other.plus_scaled(&part.second, -times);
            difference -= times * part.apart;
        }
        let shared = one.atoms().into_iter().all(|atom| self.is_shared(atom));
        let rest = one.minus(&other).as_constant()?;
        shared.then_some(difference + rest)
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
