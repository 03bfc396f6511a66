//! D14 `factored-residues`: a shared factor of the whole difference is taken out, then residues tell the two apart.
//!
//! `for (d = n / 2; d > 0; d /= 2) { … s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1]; o *= 2; }`: in one level all threads have
//! one `o`, and the elements are `o` times an even and an odd number, less 1.
//!
//! **Argument.** Let D be the difference of the two offsets, written as M·E with M a product of atoms that are shared and at
//! least 1, and E an integer. All strides of E are multiples of c, and E ≡ r modulo c with 0 < r < c: then E ≥ r or E ≤ r − c,
//! so D ≥ r or D ≤ r − c, since M ≥ 1. With r and c − r at least the access sizes the bytes do not overlap.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};

use super::rule::{Rule, Step};
use crate::offsets::bounds;
use crate::offsets::comparison::Comparison;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D14.
pub(super) const RULE: Rule = Rule {
    id: "D14",
    names: &["factored-residues"],
    sentence: "A shared factor of at least 1 taken out of the distance, all strides are multiples of a number, and the rest modulo it is at least the access size on both sides.",
    origin: "our own, after D5",
    module: module_path!(),
    text: include_str!("factored_residues.rs"),
    steps: &[Step::Comparison(prove)],
};

fn prove(two: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    Outcome::apart_if(two.is_apart_by_factor(comparison), "factored-residues")
}

impl Two<'_, '_> {
    /// Whether residues tell the two apart when a shared factor is taken out of the difference.
    fn is_apart_by_factor(&self, comparison: &Comparison<'_>) -> bool {
        let (left, right, bytes) = (comparison.left, comparison.right, comparison.bytes);
        let shared = |atom: TermId| self.is_shared(atom);
        let (ours, remainder) = left.split(|monomial| !monomial.iter().all(|&atom| shared(atom)));
        let (theirs, other) = right.split(|monomial| !monomial.iter().all(|&atom| shared(atom)));
        let remainder = remainder.minus(&other);
        // What is equal in both leaves nothing to tell them apart by.
        let Some(mut factor) = remainder.monomials().next().map(|(first, _)| first.clone()) else {
            return false;
        };
        factor.retain(|atom| shared(*atom) && self.shared_range(*atom).low >= 1);
        for (monomial, _) in [&ours, &theirs, &remainder]
            .into_iter()
            .flat_map(Polynomial::monomials)
        {
            factor = common(&factor, monomial);
        }
        if factor.is_empty() {
            return false;
        }
        // The coefficients of what is left: those of digits, which are any numbers, and the constant.
        let mut divisor = 0;
        let mut constant = 0;
        for (_, coefficient) in ours.monomials().chain(theirs.monomials()) {
            divisor = bounds::gcd(divisor, coefficient);
        }
        for (monomial, coefficient) in remainder.monomials() {
            if monomial.len() == factor.len() {
                constant = coefficient;
            } else {
                divisor = bounds::gcd(divisor, coefficient);
            }
        }
        if divisor == 0 {
            return constant >= bytes.1 || -constant >= bytes.0;
        }
        let residue = constant.rem_euclid(divisor);
        residue >= bytes.1 && divisor - residue >= bytes.0
    }
}

/// The factors that two products have in common; both are sorted.
fn common(one: &Monomial, other: &Monomial) -> Monomial {
    let mut rest = other.as_slice();
    let mut both = Monomial::new();
    for &atom in one {
        while let Some((&first, after)) = rest.split_first()
            && first <= atom
        {
            rest = after;
            if first == atom {
                both.push(atom);
                break;
            }
        }
    }
    both
}
