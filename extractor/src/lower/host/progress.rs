//! What is known of a variable at the head of an arbitrary iteration of a host loop, by how an iteration changes it.
//!
//! With B its value before the loop and S its value at the head, each of these holds at first and is kept by an iteration that
//! changes S in the way that is named, on each path through it:
//! - `S + c`, c >= 0: S >= B, (S - B) % g == 0 for g dividing all c; `S - c`: the same the other way round;
//! - `S * c`, `S << c`, for B >= 1: S >= B;
//! - `S / c`, `S >> c`: S <= max(B, 0), and S >= 0 for unsigned or constant B >= 0;
//! - multiplied and divided by powers of two, B one of them, or made of what is: S & (S - 1) == 0.
//!
//! Sums and products of signed numbers do not wrap in C++. Those of unsigned and of narrow types do, and so does what is computed
//! in another type than the variable's and converted back: they count only where the loop's condition has a bound in the
//! direction in which they go. A constant bound must leave room for a step; with another one such counters are taken not to
//! wrap, as those of kernels are, and this is assumed.

use warplog_facts::CType;
use warplog_facts::arith::gcd;

use super::term::{self, SubTerm, Term};
use crate::syntax::ast::BinaryOp;

/// Most paths through an iteration that are looked at.
const MOST_WAYS: usize = 8;

/// The largest constant by which a counter is changed.
const LARGEST_STEP: i128 = 1 << 30;

/// How one path through an iteration changes a variable.
#[derive(Clone, Copy)]
enum Way {
    Same,
    Plus(i128),
    Times(i128),
    Over(i128),
}

/// A way, and whether C++ lets its result wrap: what does so modulo a power of two, and not by undefined behaviour.
struct Step {
    way: Way,
    may_wrap: bool,
}

/// Whether a variable leaves the values of its type.
enum Wraps {
    Never,
    /// It does not as long as counters do not wrap.
    Assumed,
    Perhaps,
}

/// What holds of a variable at the head of a loop, and whether it takes all values that satisfy this and the loop's condition.
pub(super) struct Progress {
    pub facts: Vec<Term>,
    pub complete: bool,
    /// The facts rest on this, that the counter does not wrap.
    pub assumed: bool,
}

/// What follows from the value before the loop and that behind an iteration, which starts with `symbol` and in which
/// `conditions` hold.
pub(super) fn progress(
    symbol: &Term,
    before: &Term,
    after: &Term,
    conditions: &[(Term, bool)],
) -> Option<Progress> {
    let ty = symbol.ty();
    if !ty.is_integer() || ty == CType::Bool || before.ty() != ty {
        return None;
    }
    let mut steps = Vec::new();
    collect(symbol, after, &mut steps)?;
    let start = before.as_constant();
    let falls = |step: &Step| matches!(step.way, Way::Plus(by) if by < 0);
    let is_negative = start.is_none_or(|start| start < 0) || steps.iter().any(falls);
    let may_be_negative = !ty.is_unsigned() && is_negative;
    let mut assumed = false;
    for step in &steps {
        match wraps(symbol, step, may_be_negative, conditions) {
            Wraps::Never => {}
            Wraps::Assumed => assumed = true,
            Wraps::Perhaps => return None,
        }
    }
    let ways: Vec<Way> = steps.iter().map(|step| step.way).collect();
    let compare = |op, right: Term| term::binary(op, symbol.clone(), right);
    let zero = || Term::Constant(0, ty);
    let mut facts = Vec::new();
    let (mut grows, mut shrinks, mut by_sums, mut by_powers) = (true, true, true, true);
    let (mut quotients, mut products, mut less, mut common) = (false, false, false, 0);
    for way in &ways {
        match *way {
            Way::Same => {}
            Way::Plus(by) => {
                grows &= by > 0;
                shrinks &= by < 0;
                by_powers = false;
                less |= by < 0;
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
    }
    // What is not negative does not become so.
    if (quotients || products) && !less && start.is_some_and(|start| start >= 0) {
        facts.push(compare(BinaryOp::Ge, zero()));
    }
    if by_sums && common > 1 && grows != shrinks {
        let (more, less) = match grows {
            true => (symbol, before),
            false => (before, symbol),
        };
        facts.push(multiple(more, less, common));
    }
    let from_power = start.is_some_and(is_power) || is_made_of_powers(before, conditions);
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
    Some(Progress {
        facts,
        complete,
        assumed,
    })
}

/// What a variable was at the head of the iteration before this one, where each adds the same to it. A signed one must not wrap
/// on the way: the step back would be undefined where the step was not (`i = i + 8u`).
pub(super) fn previous(symbol: &Term, after: &Term) -> Option<Term> {
    let mut steps = Vec::new();
    collect(symbol, after, &mut steps)?;
    match steps.as_slice() {
        &[
            Step {
                way: Way::Plus(by),
                may_wrap,
            },
        ] if !may_wrap || symbol.ty().is_unsigned() => {
            let op = match by > 0 {
                true => BinaryOp::Sub,
                false => BinaryOp::Add,
            };
            let by = Term::Constant(by.abs(), symbol.ty());
            Some(term::cast(
                symbol.ty(),
                term::binary(op, symbol.clone(), by),
            ))
        }
        _ => None,
    }
}

/// `(more - less) % step == 0` of `more >= less`, whose difference may be larger than what a signed type holds.
fn multiple(more: &Term, less: &Term, step: i128) -> Term {
    let ty = more.ty();
    let is_small = ty.is_unsigned()
        || ty.bits().is_some_and(|bits| bits < 32)
        || less.as_constant().is_some_and(|least| least >= 0);
    let wide = match ty.unsigned() {
        Some(unsigned) if !is_small => unsigned,
        _ => ty,
    };
    let [more, less] = [more, less].map(|term| term::cast(wide, term.clone()));
    let moved = term::binary(BinaryOp::Sub, more, less);
    let rest = term::binary(BinaryOp::Rem, moved, Term::Constant(step, wide));
    term::binary(BinaryOp::Eq, rest, Term::Constant(0, wide))
}

/// Whether a step leads out of the values of a type.
fn wraps(symbol: &Term, step: &Step, may_be_negative: bool, conditions: &[(Term, bool)]) -> Wraps {
    let ty = symbol.ty();
    let (Some(min), Some(max)) = (ty.min(), ty.max()) else {
        return Wraps::Perhaps;
    };
    if !step.may_wrap {
        return Wraps::Never;
    }
    let (is_below, limits) = match step.way {
        Way::Same | Way::Over(_) => return Wraps::Never,
        Way::Plus(by) => (by > 0, limits(symbol, by > 0, conditions)),
        Way::Times(_) => (true, limits(symbol, true, conditions)),
    };
    let stays = |limit: &Limit| {
        let last = match step.way {
            Way::Plus(by) => limit.last + by,
            Way::Times(by) if !may_be_negative => limit.last.saturating_mul(by),
            _ => i128::MAX,
        };
        min <= last && last <= max
    };
    if limits.iter().any(stays) {
        return Wraps::Never;
    }
    // Counters that go down to zero do wrap.
    match is_below && limits.iter().any(|limit| !limit.is_constant) {
        true => Wraps::Assumed,
        false => Wraps::Perhaps,
    }
}

/// The last value that a condition lets a variable have in a direction.
struct Limit {
    last: i128,
    /// It is what the condition says, and not only what a type holds.
    is_constant: bool,
}

/// What keeps a variable below something, or above.
fn limits(symbol: &Term, below: bool, conditions: &[(Term, bool)]) -> Vec<Limit> {
    let mut found = Vec::new();
    for (condition, holds) in conditions {
        let Term::Binary(op, left, right) = condition else {
            continue;
        };
        let is_less = match op {
            BinaryOp::Lt | BinaryOp::Le => *holds,
            BinaryOp::Gt | BinaryOp::Ge => !holds,
            _ => continue,
        };
        // The comparison is one of these values if its type has them all.
        let ty = left.ty().common(right.ty());
        let is_own = |term: &Term| exact(term) == symbol && holds_all(ty, symbol.ty());
        let other = match (is_own(left), is_own(right)) {
            (true, false) if is_less == below => right,
            (false, true) if is_less != below => left,
            _ => continue,
        };
        let is_strict = i128::from(matches!(op, BinaryOp::Lt | BinaryOp::Gt) == *holds);
        found.extend(limit(symbol.ty(), other, ty, below, is_strict));
    }
    found
}

fn limit(own: CType, other: &Term, ty: CType, below: bool, strictly: i128) -> Option<Limit> {
    let (value, is_constant) = match other.as_constant() {
        Some(value) => (ty.wrap(value), true),
        None => {
            let inner = exact(other).ty();
            let of = match holds_all(ty, inner) {
                true => inner,
                false => ty,
            };
            (if below { of.max()? } else { of.min()? }, false)
        }
    };
    let last = match below {
        true => (value - strictly).min(own.max()?),
        false => (value + strictly).max(own.min()?),
    };
    Some(Limit { last, is_constant })
}

/// The ways in which a term is made of a symbol; `None`: there is another.
fn collect(symbol: &Term, after: &Term, steps: &mut Vec<Step>) -> Option<()> {
    let step = match after {
        after if after == symbol => Step {
            way: Way::Same,
            may_wrap: false,
        },
        Term::Select(_, then, els) => {
            collect(symbol, then, steps)?;
            return collect(symbol, els, steps);
        }
        Term::Cast(ty, inner) if *ty == symbol.ty() => return collect(symbol, inner, steps),
        Term::Binary(op, left, right) => step(symbol, *op, left, right, after.ty())?,
        _ => return None,
    };
    steps.push(step);
    (steps.len() <= MOST_WAYS).then_some(())
}

/// The step that an operation in a type makes.
fn step(symbol: &Term, op: BinaryOp, left: &Term, right: &Term, ty: CType) -> Option<Step> {
    let own = symbol.ty();
    // Sums and products modulo a power of two are the same in a type that is at least as wide.
    let is_own = |term: &Term| without_widening(term) == symbol;
    let (operand, by) = match op {
        BinaryOp::Add | BinaryOp::Mul if is_own(right) => (right, left.as_constant()?),
        _ if is_own(left) => (left, right.as_constant()?),
        _ => return None,
    };
    // A negative number in an unsigned type.
    if by.abs() > LARGEST_STEP {
        return None;
    }
    let is_exact = exact(operand) == symbol && holds_all(ty, own);
    let way = match op {
        BinaryOp::Add => Way::Plus(by),
        BinaryOp::Sub => Way::Plus(by.checked_neg()?),
        BinaryOp::Mul if by >= 1 => Way::Times(by),
        BinaryOp::Shl if (0..62).contains(&by) => Way::Times(1 << by),
        BinaryOp::Div if by >= 1 && is_exact => Way::Over(by),
        BinaryOp::Shr if (0..62).contains(&by) && is_exact => Way::Over(1 << by),
        _ => return None,
    };
    let is_undefined = is_exact && ty.is_signed() && ty.bits() == own.bits();
    Some(Step {
        way: match way {
            Way::Plus(0) | Way::Times(1) | Way::Over(1) => Way::Same,
            way => way,
        },
        // A signed shift may reach the sign.
        may_wrap: !is_undefined || op == BinaryOp::Shl,
    })
}

/// Without conversions that keep the low bits of a value.
fn without_widening(term: &Term) -> &Term {
    match term {
        Term::Cast(ty, inner) if ty.bits() >= inner.ty().bits() => without_widening(inner),
        term => term,
    }
}

/// Without conversions that keep a value.
fn exact(term: &Term) -> &Term {
    match term {
        Term::Cast(ty, inner) if holds_all(*ty, inner.ty()) => exact(inner),
        term => term,
    }
}

/// Whether a type has all the values of another one.
fn holds_all(ty: CType, other: CType) -> bool {
    match (other.min(), other.max()) {
        (Some(min), Some(max)) => ty.holds(min) && ty.holds(max),
        _ => false,
    }
}

/// `1 << n`, a number of which the conditions say that it is a power of two or 0, and quotients of these by powers of two.
fn is_made_of_powers(term: &Term, conditions: &[(Term, bool)]) -> bool {
    match term {
        Term::Constant(value, _) => is_power(*value),
        Term::Binary(BinaryOp::Shl, left, _) => left.as_constant().is_some_and(is_power),
        Term::Binary(BinaryOp::Div, left, by) => {
            by.as_constant().is_some_and(is_power) && is_made_of_powers(left, conditions)
        }
        Term::Binary(BinaryOp::Shr, left, _) => is_made_of_powers(left, conditions),
        Term::Cast(ty, inner) => {
            ty.bits() >= inner.ty().bits() && is_made_of_powers(inner, conditions)
        }
        Term::Symbol(..) => conditions
            .iter()
            .any(|(condition, holds)| *holds && is_test_for_powers(condition, term)),
        _ => false,
    }
}

/// `(s & (s - 1)) == 0`
fn is_test_for_powers(condition: &Term, of: &Term) -> bool {
    match condition {
        Term::Binary(BinaryOp::Eq, both, zero) if zero.as_constant() == Some(0) => {
            matches!(&**both, Term::Binary(BinaryOp::BitAnd, one, less) if **one == *of
                && matches!(&**less, Term::Binary(BinaryOp::Sub, from, by)
                    if **from == *of && by.as_constant() == Some(1)))
        }
        Term::Cast(_, inner) => is_test_for_powers(inner, of),
        _ => false,
    }
}

fn is_power(value: i128) -> bool {
    value >= 1 && value & (value - 1) == 0
}
