//! Terms as linear sums modulo a number: by which multiples an iteration changes a variable.

use std::collections::BTreeMap;
pub(super) use warplog_facts::arith::gcd;

use warplog_facts::*;

/// How deep terms are looked into.
const MAX_DEPTH: u32 = 24;

/// Coefficients larger than this are not followed.
const MAX_COEFFICIENT: i128 = 1 << 64;

/// A term is this sum modulo `modulus`; exactly this sum where that is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Residue {
    modulus: i128,
    constant: i128,
    coefficients: BTreeMap<TermId, i128>,
}

impl Residue {
    fn atom(id: TermId) -> Residue {
        Residue {
            coefficients: [(id, 1)].into_iter().collect(),
            ..Residue::default()
        }
    }

    /// How many times the sum has a term.
    pub(super) fn coefficient(&self, id: TermId) -> i128 {
        self.coefficients.get(&id).copied().unwrap_or(0)
    }

    /// The sum with so many times another one; what is too large for that stays so, and is no sum for who asks.
    fn plus(mut self, other: &Residue, times: i128) -> Residue {
        let add = |to: i128, what: i128| to.saturating_add(what.saturating_mul(times));
        // Modulo 1 nothing is known.
        let modulus = other.modulus.checked_mul(times).unwrap_or(1);
        self.modulus = gcd(self.modulus, modulus);
        self.constant = add(self.constant, other.constant);
        for (&id, &coefficient) in &other.coefficients {
            let of = self.coefficients.entry(id).or_default();
            *of = add(*of, coefficient);
        }
        self
    }

    /// The difference.
    pub(super) fn minus(self, other: &Residue) -> Residue {
        self.plus(other, -1)
    }

    fn modulo(mut self, modulus: i128) -> Residue {
        self.modulus = gcd(self.modulus, modulus);
        self
    }

    /// The greatest number that divides the sum whatever the terms in it are.
    pub(super) fn content(&self) -> i128 {
        let all = self.coefficients.values().copied();
        all.chain([self.constant, self.modulus]).fold(0, gcd)
    }

    fn is_small(&self) -> bool {
        let mut all = self.coefficients.values().chain([&self.constant]);
        all.all(|one| one.saturating_abs() <= MAX_COEFFICIENT)
    }
}

/// A term as a sum.
pub(super) fn residue(terms: &TermStore, id: TermId, depth: u32) -> Residue {
    let sum = sum_of(terms, id, depth).filter(Residue::is_small);
    sum.unwrap_or_else(|| Residue::atom(id))
}

fn sum_of(terms: &TermStore, id: TermId, depth: u32) -> Option<Residue> {
    let term = terms.get(id);
    if let Some(value) = terms.as_const(id) {
        return Some(Residue {
            constant: value,
            ..Residue::default()
        });
    }
    if depth > MAX_DEPTH || !term.ty.is_integer() {
        return None;
    }
    let of = |arg: TermId| residue(terms, arg, depth + 1);
    let constant = |id: TermId| terms.as_const(id);
    let bits = term.ty.bits()?;
    // Signed arithmetic does not overflow; unsigned arithmetic is modulo 2ⁿ.
    let wrapped = |sum: Residue| match term.ty.is_signed() {
        true => sum,
        false => sum.modulo(1 << bits),
    };
    match (term.op, term.args.as_slice()) {
        (Op::Add, &[left, right]) => Some(wrapped(of(left).plus(&of(right), 1))),
        (Op::Sub, &[left, right]) => Some(wrapped(of(left).plus(&of(right), -1))),
        (Op::Neg, &[arg]) => Some(wrapped(Residue::default().plus(&of(arg), -1))),
        (Op::Mul, &[left, right]) => {
            let (factor, other) = match (constant(left), constant(right)) {
                (Some(factor), _) => (factor, right),
                (_, Some(factor)) => (factor, left),
                _ => return None,
            };
            let small = factor.abs() <= MAX_COEFFICIENT;
            small.then(|| wrapped(Residue::default().plus(&of(other), factor)))
        }
        // A shift may reach the sign bit.
        (Op::Shl, &[left, right]) => {
            let count = constant(right).filter(|count| (0..i128::from(bits)).contains(count))?;
            let product = Residue::default().plus(&of(left), 1 << count);
            Some(product.modulo(1 << bits))
        }
        (Op::Fit, &[arg]) if terms.ty(arg).is_integer() => Some(of(arg)),
        (Op::Cast, &[arg]) => {
            let from = terms.ty(arg);
            if !from.is_integer() || term.ty == CType::Bool {
                return None;
            }
            let keeps = term.ty.holds(from.min()?) && term.ty.holds(from.max()?);
            Some(match keeps {
                true => of(arg),
                false => of(arg).modulo(1 << bits),
            })
        }
        (Op::Rem, &[left, right]) => {
            let divisor = constant(right).filter(|divisor| *divisor != 0)?;
            Some(of(left).modulo(divisor))
        }
        (Op::BitAnd, &[left, right]) => {
            let (mask, other) = match (constant(left), constant(right)) {
                (_, Some(mask)) => (mask, left),
                (Some(mask), _) => (mask, right),
                _ => return None,
            };
            let is_low = mask > 0 && (mask + 1) & mask == 0;
            is_low.then(|| of(other).modulo(mask + 1))
        }
        _ => None,
    }
}
