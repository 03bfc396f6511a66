//! Byte offsets of two accesses, as polynomials over atoms, and what follows when they overlap.
//!
//! The machinery of the discharge rules ([`discharge`](crate::discharge)): [`form`] has the offsets and guards of one access,
//! [`question`] a pair of them, [`two`] what is known to be equal in both, [`comparison`] two polynomials against each other,
//! [`bounds`] and [`upper_bounds`] what they are at most.

pub(crate) mod affine;
pub(crate) mod align;
pub(crate) mod bounds;
pub(crate) mod common_rounds;
pub(crate) mod comparison;
pub(crate) mod division;
pub(crate) mod form;
pub(crate) mod judge;
pub(crate) mod order;
pub(crate) mod outcome;
pub(crate) mod parts;
pub(crate) mod paths;
pub(crate) mod places;
pub(crate) mod question;
pub(crate) mod radix;
pub(crate) mod remainders;
pub(crate) mod sizes;
pub(crate) mod sums;
pub(crate) mod triangle;
pub(crate) mod two;
pub(crate) mod upper_bounds;
