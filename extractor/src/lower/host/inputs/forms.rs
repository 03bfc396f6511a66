//! What elements are like that are computed from their positions: `i`, `n - 1 - i`, `3 * i + 2`, `i % 16`, `x > 0 ? 1 : 0`.
//!
//! An expression in the position is taken apart into a multiple of it and a rest that is the same for all. Signed arithmetic does
//! not overflow, unsigned wraps; elements are at least 32 bits wide, and there are fewer than 2³¹ of them.

use super::mentions::{Array, Followed};
use super::numbers::holds as fits;
use super::{Count, simple};
use crate::lower::contracts::{MOST, Property};
use crate::syntax::ast::*;

/// What an expression is made of.
pub(super) struct Scope<'f> {
    /// The position.
    pub var: &'f str,
    pub var_type: Scalar,
    /// The types of the other numbers, which are the same for all positions.
    pub type_of: &'f dyn Fn(&str) -> Option<Scalar>,
    /// Numbers that stay, with their types.
    pub constant: &'f dyn Fn(&Expr) -> Option<(i128, Scalar)>,
    /// Calls of a function of the library that gives a number of type `int`, which is not negative.
    pub is_random: &'f dyn Fn(&Expr) -> bool,
}

/// `scale * position + offset`
struct Linear {
    scale: i128,
    /// None: a number that is the same for all positions.
    offset: Option<i128>,
    /// Unsigned numbers take part: it may wrap.
    wraps: bool,
    /// Of more than 32 bits.
    wide: bool,
}

/// What the first `count` elements of this type are like, each of which is the value of an expression in its position.
pub(super) fn properties<'u>(
    expr: &Expr,
    scope: &Scope<'_>,
    element: Scalar,
    count: Count<'u>,
) -> Vec<(Property, Count<'u>)> {
    let Some(signed) = element.signedness() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let bounds = bounds(expr, scope);
    if let Some((least, most)) = bounds
        && holds(element, least)
        && holds(element, most)
    {
        found.push(Property::Bounded(least, most));
    }
    if element.bits() < 32 {
        return found.into_iter().map(|one| (one, count)).collect();
    }
    if let Some(linear) = linear(expr, scope)
        && linear.scale != 0
    {
        let unit = linear.scale.abs() == 1;
        // Sums with the offset stay below 2³¹, too.
        let near = linear.offset.is_some_and(|offset| match count {
            Count::Number(count) => offset >= 0 && offset + count <= 1 << 31,
            _ => (0..=1).contains(&offset),
        });
        let cut = linear.wide && element.bits() < 64;
        // Whether no value of the expression is changed on its way into the element, and none has wrapped.
        let exact = match (linear.wraps, cut) {
            (false, false) => signed || (linear.scale > 0 && near),
            _ => linear.scale == 1 && near,
        };
        if exact && linear.scale > 0 {
            found.push(Property::StrictlyIncreasing);
        } else if exact || unit {
            found.push(Property::Distinct);
        }
        if exact && linear.scale > 0 && near {
            let first = linear.offset.unwrap_or(0);
            let last = match count {
                Count::Number(count) if count > 0 => linear
                    .scale
                    .checked_mul(count - 1)
                    .and_then(|most| most.checked_add(first))
                    .filter(|most| holds(element, *most)),
                _ => None,
            };
            found.push(Property::Bounded(first, last.unwrap_or(MOST)));
        }
    } else if let ExprKind::Binary(BinaryOp::Div, over, under) = &widened(expr).kind
        && simple(widened(over)) == Some(scope.var)
        && (scope.constant)(under).is_some_and(|(under, _)| under > 0)
        && (scope.var_type.bits() <= 32 || element.bits() >= 64)
    {
        found.push(Property::Sorted);
    }
    found.into_iter().map(|one| (one, count)).collect()
}

pub(super) fn holds(element: Scalar, value: i128) -> bool {
    if value == MOST {
        return true;
    }
    fits(element, value)
}

fn linear(expr: &Expr, scope: &Scope<'_>) -> Option<Linear> {
    if let Some((value, ty)) = (scope.constant)(expr) {
        let signed = ty.signedness()?;
        return Some(Linear {
            scale: 0,
            offset: Some(value),
            wraps: !signed && ty.bits() >= 32,
            wide: ty.bits() > 32,
        });
    }
    match &expr.kind {
        ExprKind::Name(_) => {
            let name = simple(expr)?;
            let is_var = name == scope.var;
            let ty = match is_var {
                true => scope.var_type,
                false => (scope.type_of)(name)?,
            };
            let signed = ty.signedness()?;
            Some(Linear {
                scale: i128::from(is_var),
                offset: is_var.then_some(0),
                wraps: !signed && ty.bits() >= 32,
                wide: ty.bits() > 32,
            })
        }
        ExprKind::Cast { ty, arg, .. } => {
            let ty = ty.scalar()?;
            let signed = ty.signedness()?;
            let inner = linear(arg, scope)?;
            let wide = ty.bits() > 32;
            match (inner.wide, wide) {
                _ if ty.bits() < 32 => None,
                // What is cut off is not followed any more.
                (true, false) if inner.scale != 0 => None,
                (true, false) => Some(Linear {
                    offset: inner.offset.filter(|offset| fits(ty, *offset)),
                    wraps: !signed,
                    wide,
                    ..inner
                }),
                (false, true) => Some(Linear {
                    wraps: !signed,
                    ..widening(inner)?
                }),
                _ => Some(Linear {
                    wraps: inner.wraps || !signed,
                    ..inner
                }),
            }
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let (left, right) = together(linear(left, scope)?, linear(right, scope)?)?;
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            let offset = match (left.offset, right.offset) {
                (Some(left), Some(right)) => left.checked_add(sign * right),
                _ => None,
            };
            Some(Linear {
                scale: left.scale.checked_add(sign * right.scale)?,
                offset,
                wraps: left.wraps || right.wraps,
                wide: left.wide || right.wide,
            })
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            let (by, of) = match ((scope.constant)(left), (scope.constant)(right)) {
                (Some(_), None) => (left, right),
                (None, Some(_)) => (right, left),
                _ => return None,
            };
            let (factor, of) = together(linear(by, scope)?, linear(of, scope)?)?;
            let by = factor.offset?;
            Some(Linear {
                scale: of.scale.checked_mul(by)?,
                offset: match of.offset {
                    Some(offset) => Some(offset.checked_mul(by)?),
                    None => None,
                },
                wraps: factor.wraps || of.wraps,
                wide: of.wide,
            })
        }
        _ => None,
    }
}

/// A number of 32 bits as one of 64: followed if it has not wrapped before.
fn widening(linear: Linear) -> Option<Linear> {
    let is_small = |offset: i128| (0..=1).contains(&offset);
    let unwrapped = !linear.wraps
        || linear.scale == 0
        || linear.scale == 1 && linear.offset.is_some_and(is_small);
    let offset = match linear.wraps && linear.scale == 0 {
        true => linear.offset.filter(|offset| *offset >= 0),
        false => linear.offset,
    };
    unwrapped.then_some(Linear {
        offset,
        wraps: false,
        wide: true,
        ..linear
    })
}

/// Two operands, as numbers of one width.
fn together(one: Linear, other: Linear) -> Option<(Linear, Linear)> {
    match (one.wide, other.wide) {
        (true, false) => Some((one, widening(other)?)),
        (false, true) => Some((widening(one)?, other)),
        _ => Some((one, other)),
    }
}

/// A position, or a part of it, without the casts that keep it: to integers of at least 32 bits.
fn widened(expr: &Expr) -> &Expr {
    let mut inner = expr;
    while let ExprKind::Cast { ty, arg, .. } = &inner.kind
        && ty
            .scalar()
            .is_some_and(|ty| ty.bits() >= 32 && ty.signedness().is_some())
    {
        inner = arg;
    }
    inner
}

/// Bounds of an expression, whatever its variables hold.
fn bounds(expr: &Expr, scope: &Scope<'_>) -> Option<(i128, i128)> {
    if let Some((value, _)) = (scope.constant)(expr) {
        return Some((value, value));
    }
    match &expr.kind {
        ExprKind::Bool(value) => Some((i128::from(*value), i128::from(*value))),
        ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::Binary(
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or,
            ..,
        ) => Some((0, 1)),
        ExprKind::Cast { ty, arg, .. } => {
            let (least, most) = bounds(arg, scope)?;
            let ty = ty.scalar()?;
            (holds(ty, least) && holds(ty, most)).then_some((least, most))
        }
        ExprKind::Conditional { then, els, .. } => {
            let (one, other) = (bounds(then, scope)?, bounds(els, scope)?);
            let (least, most) = (one.0.min(other.0), one.1.max(other.1));
            // What is negative is not if the other side is unsigned.
            let signed =
                |expr| (scope.constant)(expr).is_some_and(|(_, ty)| ty.signedness() == Some(true));
            (least >= 0 || signed(then) && signed(els)).then_some((least, most))
        }
        ExprKind::Binary(BinaryOp::Rem, of, by) => {
            let (by, _) = (scope.constant)(by)?;
            (by > 0 && is_not_negative(of, scope)).then_some((0, by - 1))
        }
        ExprKind::Binary(BinaryOp::BitAnd, left, right) => {
            let (mask, _) = (scope.constant)(left).or_else(|| (scope.constant)(right))?;
            (mask >= 0).then_some((0, mask))
        }
        _ => None,
    }
}

/// Whether a value is never negative: of an unsigned type, the position, or made of such without a difference.
pub(super) fn is_not_negative(expr: &Expr, scope: &Scope<'_>) -> bool {
    if let Some((value, _)) = (scope.constant)(expr) {
        return value >= 0;
    }
    match &expr.kind {
        ExprKind::Name(_) => simple(expr).is_some_and(|name| {
            name == scope.var || (scope.type_of)(name).and_then(Scalar::signedness) == Some(false)
        }),
        ExprKind::Call { .. } => (scope.is_random)(expr),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul, left, right) => {
            is_not_negative(left, scope) && is_not_negative(right, scope)
        }
        ExprKind::Binary(BinaryOp::Rem, left, _) => is_not_negative(left, scope),
        ExprKind::Binary(BinaryOp::Div, left, right) => {
            is_not_negative(left, scope) && (scope.constant)(right).is_some_and(|(by, _)| by > 0)
        }
        _ => bounds(expr, scope).is_some_and(|(least, _)| least >= 0),
    }
}

/// What a table of constants is like.
pub(super) fn of_list<'u>(
    items: &'u [Expr],
    array: &Array<'u>,
    followed: &Followed<'u>,
) -> Option<Vec<(Property, Count<'u>)>> {
    const MOST_ITEMS: usize = 4096;
    let count = i128::try_from(items.len()).ok()?;
    if items.is_empty() || items.len() > MOST_ITEMS {
        return None;
    }
    let mut values = Vec::new();
    for item in items {
        let value = followed.constant(item)?;
        if !holds(array.element, value) {
            return None;
        }
        values.push(value);
    }
    let mut found = Vec::new();
    let mut sorted = values.clone();
    sorted.sort_unstable();
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    if array.element.bits() >= 32 && array.element.signedness().is_some() {
        let mut pairs = values.windows(2);
        if pairs.all(|pair| pair[0] < pair[1]) {
            found.push(Property::StrictlyIncreasing);
        } else if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
            found.push(Property::Distinct);
        } else if values == sorted {
            found.push(Property::Sorted);
        }
    }
    found.push(Property::Bounded(least, most));
    let count = Count::Number(count);
    Some(found.into_iter().map(|one| (one, count)).collect())
}
