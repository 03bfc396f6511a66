//! Arithmetic types: what a conversion keeps, and what type an expression has.
//!
//! One notion of a conversion that changes no value serves all that is found: casts, declared types, arguments. What is not known
//! to keep every value changes it.

use crate::syntax::ast::*;

/// The type in which arithmetic on a number of this type is done.
pub(super) fn promoted(ty: Scalar) -> Option<Scalar> {
    ty.signedness()?;
    Some(match ty.bits() < 32 {
        true => Scalar::Int,
        false => ty,
    })
}

/// The type in which arithmetic on two numbers is done; none if one is no integer.
pub(super) fn common(one: Scalar, other: Scalar) -> Option<Scalar> {
    let (one, other) = (promoted(one)?, promoted(other)?);
    let (wide, narrow) = match one.bits() >= other.bits() {
        true => (one, other),
        false => (other, one),
    };
    let is_unsigned = |ty: Scalar| ty.signedness() == Some(false);
    Some(match wide.bits() == narrow.bits() && is_unsigned(narrow) {
        true => narrow,
        false => wide,
    })
}

/// Whether a conversion keeps every value.
pub(super) fn keeps(from: Scalar, to: Scalar) -> bool {
    if to == Scalar::Bool || from == Scalar::Bool {
        return from == Scalar::Bool && to.signedness().is_some();
    }
    match (from.signedness(), to.signedness()) {
        (Some(true), Some(true)) | (Some(false), Some(false)) => to.bits() >= from.bits(),
        (Some(false), Some(true)) => to.bits() > from.bits(),
        _ => false,
    }
}

/// Whether a conversion keeps a count: all values, but for negative ones, which are of no elements.
pub(super) fn keeps_count(from: Scalar, to: Scalar) -> bool {
    let of_negative = from.signedness() == Some(true)
        && to.signedness() == Some(false)
        && to != Scalar::Bool
        && to.bits() >= from.bits().max(32);
    keeps(from, to) || of_negative
}

/// Whether a type has a value.
pub(super) fn holds(ty: Scalar, value: i128) -> bool {
    let Some(signed) = ty.signedness() else {
        return false;
    };
    let bits = match ty {
        Scalar::Bool => 1,
        _ => ty.bits().min(64),
    };
    let (least, most) = match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    (least..=most).contains(&value)
}
