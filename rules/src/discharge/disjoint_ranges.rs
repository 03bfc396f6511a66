//! D6 `disjoint-ranges`: the largest offset of one access, by ranges and guards, lies below the other's smallest.
//!
//! `if (t < n) s[t] = …; x = s[n + t];`.
//!
//! **Argument.** Of U an upper bound of one offset and L a lower bound of the other, both over shared atoms, L − U is at least the size
//! of the lower access. Where that does not separate the two, it is asked once for each value of a
//! shared atom that has few: `s[p * n + t]` and `s[(1 - p) * n + t]` with p 0 or 1.

use warplog_facts::poly::Polynomial;

use super::rule::{Rule, Step};
use crate::offsets::bounds;
use crate::offsets::comparison::{Comparison, with_value};
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;
use crate::offsets::upper_bounds::MOST_GUARDS;

const NAME: &str = "disjoint-ranges";

/// D6.
pub(super) const RULE: Rule = Rule {
    id: "D6",
    names: &["disjoint-ranges"],
    sentence: "The largest offset of one, by ranges and guards, lies below the other's smallest.",
    origin: "the bounds test of dependence analysis (U. Banerjee, \"Dependence Analysis for Supercomputing\", 1988), with \
             symbolic bounds from guards, which are ours",
    module: module_path!(),
    text: include_str!("disjoint_ranges.rs"),
    steps: &[Step::Comparison(prove), Step::Exhausted(by_cases)],
};

fn prove(two: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    Outcome::apart_if(
        comparison.by_guards && two.is_below_or_above(comparison),
        NAME,
    )
}

/// The most values of a shared atom that are taken one by one, less 1, and the largest of them in size.
const MOST_CASES: i128 = 3;
const LARGEST_CASE: i128 = 1024;

/// The offsets are apart for each value of a shared atom.
fn by_cases(two: &mut Two<'_, '_>) -> Outcome {
    let question = two.question;
    let (first, second) = (&question.first, &question.second);
    let bytes = (first.bytes, second.bytes);
    for atom in first.index.minus(&second.index).atoms() {
        let range = two.shared_range(atom);
        if !two.is_shared(atom)
            || !(1..=MOST_CASES).contains(&(range.high - range.low))
            || range.low.abs() > LARGEST_CASE
        {
            continue;
        }
        let apart = (range.low..=range.high).all(|value| {
            let fix = |polynomial| with_value(polynomial, atom, value);
            two.compare(&fix(&first.index), &fix(&second.index), bytes, true)
                .is_apart()
        });
        if apart {
            return Outcome::apart(NAME);
        }
    }
    Outcome::Nothing
}

impl Two<'_, '_> {
    /// Whether the bounds of the two, by ranges and guards, do not meet.
    fn is_below_or_above(&self, comparison: &Comparison<'_>) -> bool {
        let (left, right, bytes) = (comparison.left, comparison.right, comparison.bytes);
        let below = |low: &Polynomial,
                     low_side: &Instance,
                     low_bytes: i128,
                     high: &Polynomial,
                     high_side: &Instance| {
            let guards = self.useful_guards(low).max(self.useful_guards(high));
            let uppers = self.upper_bounds(low, low_side, guards);
            if uppers.is_empty() {
                return false;
            }
            let negated = Polynomial::default().minus(high);
            let lowers = self.upper_bounds(&negated, high_side, guards);
            uppers.iter().any(|upper| {
                lowers.iter().any(|lower| {
                    // lower is an upper bound of -high: high - low >= -(lower + upper)
                    let gap = Polynomial::constant(-low_bytes).minus(lower).minus(upper);
                    self.is_nonnegative(&gap)
                })
            })
        };
        let (first, second) = (&*self.question.first, &*self.question.second);
        below(left, first, bytes.0, right, second) || below(right, second, bytes.1, left, first)
    }

    /// How many guards are worth a look for D6, to which many pairs come: ranges bound what has constant strides; a row, a column and
    /// the end of a loop may be bounded by guards alone.
    fn useful_guards(&self, polynomial: &Polynomial) -> u32 {
        let entries = bounds::digits(polynomial, &|atom| self.is_shared(atom));
        let symbolic = entries
            .iter()
            .filter(|(digit, stride)| !digit.is_empty() && stride.as_constant().is_none());
        let symbolic = u32::try_from(symbolic.count()).unwrap_or(MOST_GUARDS);
        (1 + symbolic).min(MOST_GUARDS)
    }
}
