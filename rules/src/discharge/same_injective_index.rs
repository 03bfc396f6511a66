//! D7 `same-injective-index`: overlapping bytes force equality of all digits, and these make up the identity of the thread.
//!
//! `a[blockIdx.x * blockDim.x + threadIdx.x] = …;`: two threads with one place are one thread. Between blocks the digits
//! have to make up the identity of the block.
//!
//! **Argument.** By mixed radix, see `offsets/radix.rs`, in any order of the strides, see `offsets/order.rs`; with one
//! digit in several places, see `offsets/division.rs`; by rows of a triangle, see
//! `offsets/triangle.rs`; and part by part where the guards keep the parts of the offsets apart, see `offsets/parts.rs`. What is
//! equal is closed, see `offsets/two.rs`, and compared again until nothing new is known.

use super::rule::{Rule, Step};
use crate::offsets::comparison::Comparison;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D7.
pub(super) const RULE: Rule = Rule {
    id: "D7",
    names: &["same-injective-index"],
    sentence: "Overlapping bytes force equality of all digits, and these make up the identity of the thread (of the block, between blocks).",
    origin: "our own",
    module: module_path!(),
    text: include_str!("same_injective_index.rs"),
    steps: &[
        Step::Comparison(by_radix),
        Step::Comparison(by_division),
        Step::Comparison(by_equal_remainders),
        Step::Offsets(by_offsets),
        Step::Offsets(by_rows_of_triangles),
        Step::Parts(by_parts),
        Step::Identity(is_one_thread),
    ],
};

fn by_radix(two: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    two.by_radix(comparison)
}

fn by_division(two: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    two.by_division(comparison)
}

fn by_equal_remainders(two: &Two<'_, '_>, comparison: &Comparison<'_>) -> Outcome {
    two.by_equal_remainders(comparison)
}

/// The two offsets, compared by all rules that are asked of two polynomials.
fn by_offsets(two: &mut Two<'_, '_>) -> Outcome {
    let (first, second) = (&two.question.first, &two.question.second);
    two.compare(
        &first.index,
        &second.index,
        (first.bytes, second.bytes),
        true,
    )
}

fn by_rows_of_triangles(two: &mut Two<'_, '_>) -> Outcome {
    two.compare_rows_of_triangles()
}

fn by_parts(two: &mut Two<'_, '_>) -> Outcome {
    two.compare_parts()
}

fn is_one_thread(two: &mut Two<'_, '_>) -> Outcome {
    Outcome::apart_if(two.is_one_thread(), "same-injective-index")
}
