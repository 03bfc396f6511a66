//! Sums as atoms of their own.
//!
//! An index over a matrix of `columns - 1` columns has strides `rows * columns - rows`, of which the ranges of rows and columns do
//! not even tell the sign; of the sum itself a guard may say that it is at least 1. A basis makes such sums atoms: in each of them one
//! atom is replaced by the sum less the rest, everywhere, so that polynomials stay equal to what they were.

use crate::ids::TermId;

use super::{Monomial, Polynomial, Polynomials};

/// What stands in place of atoms, for sums to be atoms.
#[derive(Debug, Default)]
pub struct Basis {
    /// The atoms that are replaced, and by what; none of them is in what replaces another.
    values: Vec<(TermId, Polynomial)>,
}

impl Basis {
    /// A basis with as many of these sums as atoms as can be, those in front first. The polynomials are over the plain atoms, and
    /// the sums must not wrap. Atoms that are to be `kept` are replaced only where no other is there.
    pub fn of_sums(
        polynomials: &Polynomials<'_>,
        sums: &[TermId],
        kept: &dyn Fn(TermId) -> bool,
    ) -> Basis {
        let mut basis = Basis::default();
        for &sum in sums {
            if let Some(values) = basis.with_sum(sum, &polynomials.of(sum), sums, kept) {
                basis.values = values;
            }
        }
        basis
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// What stands in place of an atom.
    pub(super) fn value(&self, atom: TermId) -> Option<&Polynomial> {
        let mut values = self.values.iter();
        values.find(|(of, _)| *of == atom).map(|(_, value)| value)
    }

    /// The values with one more sum as an atom: `sum = a + rest` gives `a = sum - rest`.
    fn with_sum(
        &self,
        sum: TermId,
        polynomial: &Polynomial,
        sums: &[TermId],
        kept: &dyn Fn(TermId) -> bool,
    ) -> Option<Vec<(TermId, Polynomial)>> {
        let mut whole = polynomial.clone();
        for (atom, value) in &self.values {
            whole = whole.with(*atom, value)?;
        }
        let alone = |atom: TermId| {
            let mut with = whole
                .monomials()
                .filter(|(monomial, _)| monomial.contains(&atom));
            with.next().is_some() && with.next().is_none()
        };
        let candidates =
            whole
                .monomials()
                .filter_map(|(monomial, coefficient)| match monomial.as_slice() {
                    &[atom] if coefficient.abs() == 1 && !sums.contains(&atom) && alone(atom) => {
                        Some((kept(atom), -coefficient, atom))
                    }
                    _ => None,
                });
        let (_, negated, atom) = candidates.min()?;
        if whole.len() < 2 {
            return None;
        }
        let mut rest = whole.clone();
        rest.add_monomial(Monomial::from_slice(&[atom]), negated);
        let value =
            Polynomial::default().plus_scaled(&Polynomial::atom(sum).minus(&rest), -negated);
        let replaced = self.values.iter().map(|(of, other)| {
            let other = other.with(atom, &value)?;
            Some((*of, other))
        });
        let mut values: Vec<(TermId, Polynomial)> = replaced.collect::<Option<_>>()?;
        values.push((atom, value));
        let small = values.iter().all(|(_, value)| !value.is_too_large());
        small.then_some(values)
    }
}
