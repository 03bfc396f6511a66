//! Polynomials over the atoms of a formula.

use smallvec::SmallVec;
pub(crate) use warplog_facts::arith::gcd;

use crate::formula::Node;

/// A product of atoms, sorted.
pub(crate) type Monomial = SmallVec<[Node; 2]>;

/// A polynomial over atoms: sorted monomials, none empty, no coefficient 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Poly {
    pub(crate) terms: Vec<(Monomial, i128)>,
    pub(crate) constant: i128,
}

/// left + factor · right
pub(crate) fn merge(left: &Poly, right: &Poly, factor: i128) -> Option<Poly> {
    let mut terms: Vec<(Monomial, i128)> = left.terms.clone();
    for (monomial, coefficient) in &right.terms {
        terms.push((monomial.clone(), coefficient.checked_mul(factor)?));
    }
    let constant = left
        .constant
        .checked_add(right.constant.checked_mul(factor)?)?;
    let mut poly = collect(terms)?;
    poly.constant = poly.constant.checked_add(constant)?;
    Some(poly)
}

/// Like monomials brought together; none when a coefficient leaves 128 bits.
pub(crate) fn collect(mut terms: Vec<(Monomial, i128)>) -> Option<Poly> {
    terms.sort_by(|a, b| a.0.cmp(&b.0));
    let mut poly = Poly::default();
    for (monomial, coefficient) in terms {
        if monomial.is_empty() {
            poly.constant = poly.constant.checked_add(coefficient)?;
            continue;
        }
        match poly.terms.last_mut() {
            Some((last, sum)) if *last == monomial => *sum = sum.checked_add(coefficient)?,
            _ => poly.terms.push((monomial, coefficient)),
        }
    }
    poly.terms.retain(|(_, coefficient)| *coefficient != 0);
    Some(poly)
}
