//! Polynomial normal forms of integer terms.
//!
//! A term is a sum of monomials with integer coefficients over *atoms*: leaves and terms whose
//! operator is not `+ − ×`, a shift by a constant, or a conversion, or which may wrap. Two terms
//! with equal polynomials are equal as mathematical integers in every execution without undefined
//! behaviour (under the contract of [`Ranges`], which decides what may wrap).

use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ids::TermId;
use crate::range::Ranges;
use crate::term::{Op, Term, TermStore};

mod basis;

pub use basis::Basis;

/// A product of atoms, sorted, with repetition; empty for the constant.
pub type Monomial = SmallVec<[TermId; 4]>;

/// Most monomials that a normal form may have; a larger term becomes an atom.
const MAX_MONOMIALS: usize = 64;
/// Largest coefficient; beyond it a term becomes an atom. The coefficients of a product of two
/// polynomials, and of one shifted by 62 bits, then fit in 128 bits.
const MAX_COEFFICIENT: i128 = 1 << 56;

/// Most remainders that are put together with their quotients in a sum.
const MAX_RECOMBINED: usize = 8;

/// A polynomial with integer coefficients over atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polynomial {
    /// Coefficients, none of them 0, sorted by their monomials, each of which is there once.
    monomials: Vec<(Monomial, i128)>,
}

impl Polynomial {
    /// A constant.
    pub fn constant(value: i128) -> Self {
        Polynomial::monomial(Monomial::new(), value)
    }

    /// One atom.
    pub fn atom(atom: TermId) -> Self {
        Polynomial::monomial(Monomial::from_slice(&[atom]), 1)
    }

    /// `coefficient · monomial`; the monomial must be sorted.
    fn monomial(monomial: Monomial, coefficient: i128) -> Self {
        let mut polynomial = Polynomial::default();
        polynomial.add_monomial(monomial, coefficient);
        polynomial
    }

    /// The monomials with their coefficients, in a fixed order.
    pub fn monomials(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.monomials
            .iter()
            .map(|(monomial, coefficient)| (monomial, *coefficient))
    }

    /// Where the monomial is, or would be.
    fn position(&self, monomial: &[TermId]) -> Result<usize, usize> {
        self.monomials
            .binary_search_by(|(other, _)| other.as_slice().cmp(monomial))
    }

    /// Number of monomials.
    pub fn len(&self) -> usize {
        self.monomials.len()
    }

    /// Whether it is 0.
    pub fn is_empty(&self) -> bool {
        self.monomials.is_empty()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &[TermId]) -> i128 {
        self.position(monomial)
            .map_or(0, |position| self.monomials[position].1)
    }

    /// The constant part.
    pub fn constant_part(&self) -> i128 {
        self.coefficient(&[])
    }

    /// The value, when there is nothing but the constant part.
    pub fn as_constant(&self) -> Option<i128> {
        match self.monomials.as_slice() {
            [] => Some(0),
            [(monomial, value)] if monomial.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The atom, when there is nothing else.
    pub fn as_atom(&self) -> Option<TermId> {
        let mut parts = self.monomials();
        let ((monomial, 1), None) = (parts.next()?, parts.next()) else {
            return None;
        };
        match monomial.as_slice() {
            [atom] => Some(*atom),
            _ => None,
        }
    }

    /// All atoms, sorted, each once.
    pub fn atoms(&self) -> Vec<TermId> {
        let mut atoms: Vec<TermId> = self
            .monomials()
            .flat_map(|(monomial, _)| monomial)
            .copied()
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Adds `coefficient · monomial`; the monomial must be sorted.
    pub fn add_monomial(&mut self, monomial: Monomial, coefficient: i128) {
        if coefficient == 0 {
            return;
        }
        match self.position(&monomial) {
            Ok(position) => {
                let sum = &mut self.monomials[position].1;
                *sum += coefficient;
                if *sum == 0 {
                    self.monomials.remove(position);
                }
            }
            Err(position) => self.monomials.insert(position, (monomial, coefficient)),
        }
    }

    /// Sum.
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        self.plus_scaled(other, 1)
    }

    /// Difference.
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus_scaled(other, -1)
    }

    /// `self + factor · other`.
    pub fn plus_scaled(&self, other: &Polynomial, factor: i128) -> Polynomial {
        let mut monomials = Vec::with_capacity(self.len() + other.len());
        let mut own = self.monomials.iter().peekable();
        for (monomial, coefficient) in other.monomials() {
            let mut coefficient = coefficient * factor;
            while let Some((before, value)) = own.peek() {
                match before.cmp(monomial) {
                    Ordering::Less => monomials.push((before.clone(), *value)),
                    Ordering::Equal => coefficient += value,
                    Ordering::Greater => break,
                }
                own.next();
            }
            if coefficient != 0 {
                monomials.push((monomial.clone(), coefficient));
            }
        }
        monomials.extend(own.cloned());
        Polynomial { monomials }
    }

    /// Product.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, a) in self.monomials() {
            for (right, b) in other.monomials() {
                let mut monomial = left.clone();
                monomial.extend_from_slice(right);
                monomial.sort_unstable();
                product.add_monomial(monomial, a * b);
            }
        }
        product
    }

    /// The polynomial with every coefficient divided, if all are divisible.
    pub fn divided(&self, divisor: i128) -> Option<Polynomial> {
        if divisor == 0
            || self
                .monomials()
                .any(|(_, coefficient)| coefficient % divisor != 0)
        {
            return None;
        }
        let monomials = self
            .monomials()
            .map(|(monomial, coefficient)| (monomial.clone(), coefficient / divisor))
            .collect();
        Some(Polynomial { monomials })
    }

    /// The polynomial divided by one product of atoms, if that is a part of each monomial.
    pub fn quotient(&self, divisor: &Polynomial) -> Option<Polynomial> {
        let mut parts = divisor.monomials();
        let ((factors, coefficient), None) = (parts.next()?, parts.next()) else {
            return None;
        };
        let mut result = Polynomial::default();
        for (monomial, of) in self.monomials() {
            let mut rest = monomial.clone();
            for factor in factors {
                let position = rest.iter().position(|atom| atom == factor)?;
                rest.remove(position);
            }
            if of % coefficient != 0 {
                return None;
            }
            result.add_monomial(rest, of / coefficient);
        }
        Some(result)
    }

    /// The parts whose monomials satisfy the predicate, and the rest.
    pub fn split(&self, mut predicate: impl FnMut(&Monomial) -> bool) -> (Polynomial, Polynomial) {
        let (mut chosen, mut rest) = (Polynomial::default(), Polynomial::default());
        for (monomial, coefficient) in self.monomials() {
            let part = if predicate(monomial) {
                &mut chosen
            } else {
                &mut rest
            };
            part.monomials.push((monomial.clone(), coefficient));
        }
        (chosen, rest)
    }

    /// With a polynomial in place of an atom; none if a product has the atom twice.
    pub fn with(&self, atom: TermId, value: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (monomial, coefficient) in self.monomials() {
            let Some(position) = monomial.iter().position(|&other| other == atom) else {
                result.add_monomial(monomial.clone(), coefficient);
                continue;
            };
            let mut rest = monomial.clone();
            rest.remove(position);
            if rest.contains(&atom) || value.is_too_large() {
                return None;
            }
            let part = Polynomial::monomial(rest, coefficient);
            result = result.plus(&part.times(value));
        }
        Some(result)
    }

    fn is_too_large(&self) -> bool {
        self.monomials.len() > MAX_MONOMIALS
            || self.monomials.iter().any(|(monomial, coefficient)| {
                monomial.len() > 8 || coefficient.unsigned_abs() > MAX_COEFFICIENT.unsigned_abs()
            })
    }
}

/// The polynomials of the terms of one launch, computed on demand and kept.
pub struct Polynomials<'a> {
    store: &'a TermStore,
    ranges: &'a Ranges<'a>,
    known: RefCell<FxHashMap<TermId, Rc<Polynomial>>>,
    /// The terms `1 << count`, by their counts.
    powers: OnceCell<FxHashMap<TermId, Vec<TermId>>>,
    /// What stands in place of atoms.
    basis: Rc<Basis>,
}

impl<'a> Polynomials<'a> {
    /// Nothing computed yet.
    pub fn new(store: &'a TermStore, ranges: &'a Ranges<'a>) -> Self {
        Polynomials::over(Rc::default(), store, ranges)
    }

    /// The same over another basis.
    pub fn over(basis: Rc<Basis>, store: &'a TermStore, ranges: &'a Ranges<'a>) -> Self {
        Polynomials {
            store,
            ranges,
            known: RefCell::default(),
            powers: OnceCell::new(),
            basis,
        }
    }

    /// The normal form of an integer term.
    pub fn of(&self, root: TermId) -> Rc<Polynomial> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.borrow().contains_key(&id) {
                stack.pop();
                continue;
            }
            let missing: Vec<TermId> = if self.is_transparent(id) {
                let args = &self.store.get(id).args;
                args.iter()
                    .copied()
                    .filter(|arg| !self.known.borrow().contains_key(arg))
                    .collect()
            } else {
                Vec::new()
            };
            if missing.is_empty() {
                let polynomial = self.compute(id);
                self.known.borrow_mut().insert(id, Rc::new(polynomial));
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        Rc::clone(&self.known.borrow()[&root])
    }

    /// Whether the operator is looked through: arithmetic that cannot wrap.
    fn is_transparent(&self, id: TermId) -> bool {
        let term = self.store.get(id);
        let integers =
            term.ty.is_integer() && term.args.iter().all(|&arg| self.store.ty(arg).is_integer());
        let arithmetic = match term.op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Cast | Op::Fit => true,
            Op::Shl => match self.store.as_const(term.args[1]) {
                Some(count) => (0..63).contains(&count),
                None => self.power(term.args[1]).is_some_and(|power| power != id),
            },
            Op::Min | Op::Max => self.chosen(term).is_some(),
            _ => false,
        };
        integers && arithmetic && self.ranges.is_exact(id)
    }

    fn compute(&self, id: TermId) -> Polynomial {
        let term = self.store.get(id);
        if let Some(value) = self.store.as_const(id) {
            let polynomial = Polynomial::constant(value);
            return if polynomial.is_too_large() {
                Polynomial::atom(id)
            } else {
                polynomial
            };
        }
        if !self.is_transparent(id) {
            let value = self.basis.value(id);
            return value.cloned().unwrap_or_else(|| Polynomial::atom(id));
        }
        let known = self.known.borrow();
        let arg = |index: usize| &known[&term.args[index]];
        let polynomial = match term.op {
            Op::Add => arg(0).plus(arg(1)),
            Op::Sub => arg(0).minus(arg(1)),
            Op::Neg => Polynomial::default().minus(arg(0)),
            Op::Mul => arg(0).times(arg(1)),
            Op::Shl => match self.store.as_const(term.args[1]) {
                Some(count) => Polynomial::default().plus_scaled(arg(0), 1 << count),
                None => match self.power(term.args[1]) {
                    Some(power) => arg(0).times(&Polynomial::atom(power)),
                    None => Polynomial::atom(id),
                },
            },
            Op::Min | Op::Max => Polynomial::clone(arg(self.chosen(term).unwrap_or_default())),
            _ => Polynomial::clone(arg(0)),
        };
        drop(known);
        if polynomial.is_too_large() {
            return Polynomial::atom(id);
        }
        match term.op {
            Op::Add | Op::Sub => self.recombined(polynomial),
            _ => polynomial,
        }
    }

    /// Which of the two a smallest or largest is, where their ranges tell.
    fn chosen(&self, term: &Term) -> Option<usize> {
        let &[left, right] = term.args.as_slice() else {
            return None;
        };
        let [left, right] = [left, right].map(|arg| self.ranges.range(arg));
        let (is_left, is_right) = match term.op {
            Op::Max => (left.low >= right.high, left.high <= right.low),
            _ => (left.high <= right.low, left.low >= right.high),
        };
        match (is_left, is_right) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }

    /// The term `1 << count`, if there is one that does not wrap: `x << count` is a multiple of it.
    fn power(&self, count: TermId) -> Option<TermId> {
        let find = || {
            let mut powers: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
            for (id, term) in self.store.iter() {
                if let (Op::Shl, &[one, count]) = (term.op, term.args.as_slice())
                    && self.store.as_const(one) == Some(1)
                    && self.store.as_const(count).is_none()
                {
                    powers.entry(count).or_default().push(id);
                }
            }
            powers
        };
        let powers = self.powers.get_or_init(find).get(&count)?;
        powers
            .iter()
            .copied()
            .find(|&power| self.ranges.is_exact(power))
    }

    /// What an atom is the quotient of, and by what: `x / m`, `x >> k`.
    fn quotient(&self, atom: TermId) -> Option<(TermId, Polynomial)> {
        let term = self.store.get(atom);
        let &[x, by] = term.args.as_slice() else {
            return None;
        };
        match term.op {
            Op::Div if term.ty.is_integer() => Some((x, self.of(by).as_ref().clone())),
            Op::Shr => {
                let count = self.store.as_const(by).filter(|k| (0..56).contains(k))?;
                Some((x, Polynomial::constant(1 << count)))
            }
            _ => None,
        }
    }

    /// The number that is divided, and all by which it is: `x / a / b` is `x / (a * b)`, of whatever signs, as quotients are rounded
    /// towards 0.
    fn chain(&self, x: TermId) -> (Rc<Polynomial>, Polynomial) {
        let (mut root, mut divisor) = (self.of(x), Polynomial::constant(1));
        for _ in 0..MAX_RECOMBINED {
            let Some(atom) = root.as_atom() else { break };
            let Some((inner, by)) = self.quotient(atom) else {
                break;
            };
            let rounds_down = self.store.get(atom).op == Op::Shr;
            if divisor.is_too_large() || (rounds_down && self.ranges.range(inner).low < 0) {
                break;
            }
            divisor = divisor.times(&by);
            root = self.of(inner);
        }
        (root, divisor)
    }

    /// Whether `x % m` is also the remainder of what a quotient by m is of: of x, of what leaves the same remainder, `x % (m * n)`,
    /// or both of a number that more divides.
    fn is_of(&self, x: TermId, of: TermId, by: &Polynomial) -> bool {
        if x == of {
            return true;
        }
        let of = self.of(of);
        if self.of(x) == of {
            return true;
        }
        let Some(atom) = of.as_atom() else {
            return false;
        };
        self.store.get(atom).op == Op::Rem
            && self.remainder(atom).is_some_and(|(whole, modulus)| {
                self.of(whole) == self.of(x) && modulus.quotient(by).is_some()
            })
    }

    /// What an atom is the remainder of, and by what: `x % m`, `x & (2ᵏ - 1)`.
    fn remainder(&self, atom: TermId) -> Option<(TermId, Polynomial)> {
        let term = self.store.get(atom);
        let &[x, by] = term.args.as_slice() else {
            return None;
        };
        match term.op {
            Op::Rem if term.ty.is_integer() => Some((x, self.of(by).as_ref().clone())),
            Op::BitAnd => {
                let mask = self.store.as_const(by)?;
                let is_mask = mask > 0 && mask < 1 << 56 && mask & (mask + 1) == 0;
                is_mask.then(|| (x, Polynomial::constant(mask + 1)))
            }
            _ => None,
        }
    }

    /// `m * (x / m) + x % m` is x: a sum without the remainders that stand beside their quotients, where that rids it of both.
    /// A divisor is not 0 where it divides.
    fn recombined(&self, mut polynomial: Polynomial) -> Polynomial {
        let mut taken = 0;
        'next: while polynomial.len() > 1 && taken < MAX_RECOMBINED {
            taken += 1;
            let atoms = polynomial.atoms();
            let quotients: Vec<(TermId, TermId, Polynomial)> = atoms
                .iter()
                .filter_map(|&atom| {
                    let (x, by) = self.quotient(atom)?;
                    Some((atom, x, by))
                })
                .collect();
            if quotients.is_empty() {
                break;
            }
            for &rest in &atoms {
                let Some((x, by)) = self.remainder(rest) else {
                    continue;
                };
                for (quotient, of, divisor) in &quotients {
                    let value = if *divisor == by
                        && self.truncate_alike(x, rest, *quotient)
                        && self.is_of(x, *of, &by)
                    {
                        // x % m = x - m * (x / m)
                        self.of(*of)
                    } else if (self.store.get(rest).op == Op::Rem || self.ranges.range(x).low >= 0)
                        && self.divides_further(x, &by, *quotient)
                    {
                        self.of(x)
                    } else {
                        continue;
                    };
                    if by.is_too_large() {
                        continue;
                    }
                    let value = value.minus(&by.times(&Polynomial::atom(*quotient)));
                    let Some(whole) = polynomial.with(rest, &value) else {
                        continue;
                    };
                    if !whole.is_too_large() && !whole.atoms().contains(quotient) {
                        polynomial = whole;
                        continue 'next;
                    }
                }
            }
            break;
        }
        polynomial
    }

    /// Whether a quotient is that of x by a number, written otherwise: `x` is `y / a`, and the quotient `y / (a * m)` or `y / m / a`.
    fn divides_further(&self, x: TermId, by: &Polynomial, quotient: TermId) -> bool {
        let (root, divisor) = self.chain(x);
        let (of, all) = self.chain(quotient);
        root == of && !divisor.is_too_large() && divisor.times(by) == all
    }

    /// Whether a remainder is what the quotient leaves: both round towards 0, or both down, or the number is not negative.
    fn truncate_alike(&self, x: TermId, remainder: TermId, quotient: TermId) -> bool {
        let ops = (self.store.get(remainder).op, self.store.get(quotient).op);
        matches!(ops, (Op::Rem, Op::Div) | (Op::BitAnd, Op::Shr)) || self.ranges.range(x).low >= 0
    }
}
