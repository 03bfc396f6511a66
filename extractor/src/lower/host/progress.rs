//! What is known of a variable at the head of an arbitrary iteration of a host loop, by how an iteration changes it.
//!
//! With B its value before the loop and S its value at the head, each of these holds at first and is kept by an iteration that
//! changes S in the way that is named, on each path through it:
//! - `S + c`, c >= 0: S >= B, (S - B) % g == 0 for g dividing all c; `S - c`: the same the other way round;
//! - `S * c`, `S << c`, for B >= 1: S >= B;
//! - `S / c`, `S >> c`: S <= max(B, 0), and S >= 0 for unsigned or constant B >= 0;
//! - multiplied and divided by powers of two, B one of them: S & (S - 1) == 0.
//!
//! Sums and products of signed numbers do not wrap in C++. Those of unsigned and of narrow types count only where the loop's
//! condition has a bound in the direction in which they go; such counters are taken not to wrap, as those of kernels are.

use warplog_facts::CType;

use super::term::{self, SubTerm, Term};
use crate::syntax::ast::BinaryOp;

/// Most paths through an iteration that are looked at.
const MOST_WAYS: usize = 8;

/// The largest constant by which a counter is changed.
const LARGEST_STEP: i128 = 1 << 30;

/// How one path through an iteration changes a variable.
enum Way {
    Same,
    Plus(i128),
    Times(i128),
    Over(i128),
}

/// What holds of a variable at the head of a loop, and whether it takes all values that satisfy this and the loop's condition.
pub(super) struct Progress {
    pub facts: Vec<Term>,
    pub complete: bool,
}

/// What follows from the value before the loop and that behind an iteration, which starts with `symbol` and in which
/// `conditions` hold.
pub(super) fn progress(
    symbol: &Term,
    before: &Term,
    after: &Term,
    conditions: &[(Term, bool)],
) -> Option<Progress> {
    let mut ways = Vec::new();
    collect(symbol, after, &mut ways)?;
    let ty = symbol.ty();
    if !ty.is_integer() || ty == CType::Bool || before.ty() != ty {
        return None;
    }
    let start = before.as_constant();
    let compare = |op, right: Term| term::binary(op, symbol.clone(), right);
    let zero = || Term::Constant(0, ty);
    let mut facts = Vec::new();
    let (mut grows, mut shrinks, mut by_sums, mut by_powers) = (true, true, true, true);
    let (mut quotients, mut products, mut common) = (false, false, 0);
    for way in &ways {
        match *way {
            Way::Same => {}
            Way::Plus(by) => {
                grows &= by > 0;
                shrinks &= by < 0;
                by_powers = false;
                common = gcd(common, by);
            }
            Way::Times(by) => {
                (shrinks, by_sums, products) = (false, false, true);
                by_powers &= is_power(by);
            }
            Way::Over(by) => {
                (grows, by_sums, quotients) = (false, false, true);
                by_powers &= is_power(by);
            }
        }
    }
    if ty.is_unsigned() || ty.bits().is_some_and(|bits| bits < 32) {
        let (less, more) = bounds(symbol, conditions);
        let wraps = |way: &Way| match *way {
            Way::Plus(by) if by > 0 => !less,
            // Down to a bound above zero, by ones.
            Way::Plus(by) => !(more && by == -1),
            Way::Times(_) => !less,
            Way::Same | Way::Over(_) => false,
        };
        if ways.iter().any(wraps) {
            return None;
        }
    }
    let positive = start.is_some_and(|start| start >= 1);
    if grows && (positive || !products) {
        facts.push(compare(BinaryOp::Ge, before.clone()));
    }
    if shrinks {
        let most = match start {
            _ if ty.is_unsigned() || !quotients => before.clone(),
            Some(start) => Term::Constant(start.max(0), ty),
            None => {
                let above = term::binary(BinaryOp::Gt, before.clone(), zero());
                term::select(above, before.clone(), zero())
            }
        };
        facts.push(compare(BinaryOp::Le, most));
        if quotients && start.is_some_and(|start| start >= 0) {
            facts.push(compare(BinaryOp::Ge, zero()));
        }
    }
    if by_sums && common > 1 && grows != shrinks {
        let (more, less) = if grows {
            (symbol, before)
        } else {
            (before, symbol)
        };
        let moved = term::binary(BinaryOp::Sub, more.clone(), less.clone());
        let rest = term::binary(BinaryOp::Rem, moved, Term::Constant(common, ty));
        facts.push(term::binary(BinaryOp::Eq, rest, zero()));
    }
    let from_power = start.is_some_and(is_power) || is_shifted_one(before);
    if by_powers && from_power && (quotients || products) {
        let less = term::binary(BinaryOp::Sub, symbol.clone(), Term::Constant(1, ty));
        let both = Term::Binary(
            BinaryOp::BitAnd,
            SubTerm::new(symbol.clone()),
            SubTerm::new(less),
        );
        facts.push(term::binary(BinaryOp::Eq, both, zero()));
    }
    let complete = match ways.as_slice() {
        [Way::Plus(1 | -1)] => true,
        [Way::Times(2) | Way::Over(2)] => from_power,
        _ => false,
    };
    Some(Progress { facts, complete })
}

/// Whether one of the conditions keeps a variable below, and whether one keeps it above something.
fn bounds(symbol: &Term, conditions: &[(Term, bool)]) -> (bool, bool) {
    let (mut less, mut more) = (false, false);
    for (condition, holds) in conditions {
        let Term::Binary(op, left, right) = condition else {
            continue;
        };
        let is_less = match op {
            BinaryOp::Lt | BinaryOp::Le => *holds,
            BinaryOp::Gt | BinaryOp::Ge => !holds,
            _ => continue,
        };
        let (is_left, is_right) = (
            without_widening(left) == symbol,
            without_widening(right) == symbol,
        );
        less |= (is_left && is_less) || (is_right && !is_less);
        // `i >= n` for unsigned numbers holds whatever i is if n is zero.
        let is_strict = matches!(op, BinaryOp::Lt | BinaryOp::Gt) == *holds;
        let other = if is_left { right } else { left };
        let is_above = (is_left && !is_less) || (is_right && is_less);
        more |= is_above && (is_strict || other.as_constant().is_some_and(|least| least >= 1));
    }
    (less, more)
}

/// The ways in which a term is made of a symbol; `None`: there is another.
fn collect(symbol: &Term, after: &Term, ways: &mut Vec<Way>) -> Option<()> {
    if after == symbol {
        ways.push(Way::Same);
        return (ways.len() <= MOST_WAYS).then_some(());
    }
    let way = match after {
        Term::Select(_, then, els) => {
            collect(symbol, then, ways)?;
            return collect(symbol, els, ways);
        }
        Term::Cast(ty, inner) if *ty == symbol.ty() => return collect(symbol, inner, ways),
        Term::Binary(op, left, right) => {
            let is_own = |term: &Term| without_widening(term) == symbol;
            let by = match op {
                BinaryOp::Add | BinaryOp::Mul if is_own(right) => left.as_constant()?,
                _ if is_own(left) => right.as_constant()?,
                _ => return None,
            };
            // A negative number in an unsigned type.
            if by.abs() > LARGEST_STEP {
                return None;
            }
            match op {
                BinaryOp::Add => Way::Plus(by),
                BinaryOp::Sub => Way::Plus(by.checked_neg()?),
                BinaryOp::Mul if by >= 1 => Way::Times(by),
                BinaryOp::Shl if (0..62).contains(&by) => Way::Times(1 << by),
                BinaryOp::Div if by >= 1 => Way::Over(by),
                BinaryOp::Shr if (0..62).contains(&by) => Way::Over(1 << by),
                _ => return None,
            }
        }
        _ => return None,
    };
    ways.push(match way {
        Way::Plus(0) | Way::Times(1) | Way::Over(1) => Way::Same,
        way => way,
    });
    (ways.len() <= MOST_WAYS).then_some(())
}

fn without_widening(term: &Term) -> &Term {
    match term {
        Term::Cast(ty, inner) if ty.bits() >= inner.ty().bits() => without_widening(inner),
        term => term,
    }
}

/// `1 << n`
fn is_shifted_one(term: &Term) -> bool {
    match term {
        Term::Binary(BinaryOp::Shl, left, _) => left.as_constant().is_some_and(is_power),
        Term::Cast(_, inner) => is_shifted_one(inner),
        _ => false,
    }
}

fn is_power(value: i128) -> bool {
    value >= 1 && value & (value - 1) == 0
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
