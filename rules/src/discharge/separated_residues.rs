//! D5 `separated-residues`: offsets that differ modulo a number by at least the sizes of the accesses.
//!
//! `s[2 * t] = 1; x = s[2 * t + 1];`: one place is even, the other odd.
//!
//! **Argument.** Let all strides of the difference be multiples of c, and what is left be r modulo c with 0 ≤ r < c. Then the
//! difference is at least r or at most r − c. With r at least the size of the second access and c − r at least that of the first the
//! bytes do not overlap. Where nothing differs but constants, their distance is the difference. A digit whose remainder by m a
//! guard fixes counts with m times its stride.

use super::rule::{Rule, Step};
use crate::offsets::comparison::Comparison;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D5.
pub(super) const RULE: Rule = Rule {
    id: "D5",
    names: &["separated-residues"],
    sentence: "All strides are multiples of a number, and the offsets' distance modulo it is at least the access size on both sides.",
    origin: "the GCD test of dependence analysis (U. Banerjee, \"Dependence Analysis for Supercomputing\", 1988), asked of \
             two threads instead of two iterations and with the width of an access; that extension is ours",
    module: module_path!(),
    text: include_str!("separated_residues.rs"),
    steps: &[Step::Comparison(prove)],
};

fn prove(_: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    let (bytes, divisor, apart) = (comparison.bytes, comparison.divisor, comparison.apart);
    let is_apart = match divisor {
        0 if apart < 0 => -apart >= bytes.0,
        0 => apart >= bytes.1,
        _ => {
            let residue = apart.rem_euclid(divisor);
            residue >= bytes.1 && divisor - residue >= bytes.0
        }
    };
    Outcome::apart_if(is_apart, "separated-residues")
}
