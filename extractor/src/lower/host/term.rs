//! Scalar host values as terms over symbols, folded with the types that C gives them.
//!
//! **Contract.** A term has the value of the expression that it was made from whenever that value
//! is defined. A symbol stands for one value: what may have changed since gets another symbol.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::rc::Rc;
use warplog_facts::arith::gcd;

use warplog_facts::CType;

use crate::syntax::ast::BinaryOp;

/// A symbol: an index into the names of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SymbolId(pub u32);

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Term {
    Constant(i128, CType),
    Symbol(SymbolId, CType),
    Binary(BinaryOp, SubTerm, SubTerm),
    Cast(CType, SubTerm),
    Select(SubTerm, SubTerm, SubTerm),
}

/// A part of a term, which knows its type and its size: both are asked for wherever it is used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct SubTerm(Rc<Part>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Part {
    nodes: usize,
    ty: CType,
    term: Term,
}

impl SubTerm {
    pub(super) fn new(term: Term) -> Self {
        SubTerm(Rc::new(Part {
            nodes: term.nodes(),
            ty: term.ty(),
            term,
        }))
    }

    pub(super) fn nodes(&self) -> usize {
        self.0.nodes
    }

    pub(super) fn ty(&self) -> CType {
        self.0.ty
    }
}

impl Deref for SubTerm {
    type Target = Term;

    fn deref(&self) -> &Term {
        &self.0.term
    }
}

/// Terms of more nodes are replaced by a symbol.
pub(super) const MAX_NODES: usize = 96;

impl Term {
    pub(super) fn int(value: i128) -> Term {
        Term::Constant(value, CType::I32)
    }

    pub(super) fn bytes(value: i128) -> Term {
        Term::Constant(value, CType::I64)
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        match self {
            Term::Constant(value, _) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn nodes(&self) -> usize {
        1 + match self {
            Term::Constant(..) | Term::Symbol(..) => 0,
            Term::Binary(_, left, right) => left.nodes() + right.nodes(),
            Term::Cast(_, inner) => inner.nodes(),
            Term::Select(cond, then, els) => cond.nodes() + then.nodes() + els.nodes(),
        }
    }

    /// The type of the expression.
    pub(super) fn ty(&self) -> CType {
        use BinaryOp::*;
        match self {
            Term::Constant(_, ty) | Term::Symbol(_, ty) | Term::Cast(ty, _) => *ty,
            Term::Binary(Lt | Le | Gt | Ge | Eq | Ne | And | Or, ..) => CType::Bool,
            Term::Binary(Shl | Shr, left, _) => left.ty().promoted(),
            Term::Binary(_, left, right) => left.ty().common(right.ty()),
            Term::Select(_, then, els) => {
                let (then, els) = (then.ty(), els.ty());
                if then == els { then } else { then.common(els) }
            }
        }
    }

    /// The symbols in it.
    pub(super) fn symbols(&self, into: &mut BTreeSet<SymbolId>) {
        match self {
            Term::Constant(..) => {}
            Term::Symbol(symbol, _) => {
                into.insert(*symbol);
            }
            Term::Binary(_, left, right) => {
                left.symbols(into);
                right.symbols(into);
            }
            Term::Cast(_, inner) => inner.symbols(into),
            Term::Select(cond, then, els) => {
                cond.symbols(into);
                then.symbols(into);
                els.symbols(into);
            }
        }
    }

    /// The term with a symbol replaced by a term of its type.
    pub(super) fn replaced(&self, symbol: SymbolId, by: &Term) -> Term {
        let part = |term: &Term| term.replaced(symbol, by);
        match self {
            Term::Symbol(own, _) if *own == symbol => by.clone(),
            Term::Constant(..) | Term::Symbol(..) => self.clone(),
            Term::Binary(op, left, right) => binary(*op, part(left), part(right)),
            Term::Cast(ty, inner) => cast(*ty, part(inner)),
            Term::Select(cond, then, els) => select(part(cond), part(then), part(els)),
        }
    }

    /// The term with others that are known replaced by constants.
    pub(super) fn fixed(&self, known: &[(Term, i128)]) -> Term {
        if known.is_empty() {
            return self.clone();
        }
        if let Some((_, value)) = known.iter().find(|(term, _)| term == self) {
            return Term::Constant(*value, self.ty());
        }
        let part = |term: &Term| term.fixed(known);
        match self {
            Term::Constant(..) | Term::Symbol(..) => self.clone(),
            Term::Binary(op, left, right) => binary(*op, part(left), part(right)),
            Term::Cast(ty, inner) => cast(*ty, part(inner)),
            Term::Select(cond, then, els) => select(part(cond), part(then), part(els)),
        }
    }

    /// The term with symbols replaced by constants.
    pub(super) fn with(&self, known: &BTreeMap<SymbolId, i128>) -> Term {
        match self {
            Term::Constant(..) => self.clone(),
            Term::Symbol(symbol, ty) => match known.get(symbol) {
                Some(value) => Term::Constant(*value, *ty),
                None => self.clone(),
            },
            Term::Binary(op, left, right) => binary(*op, left.with(known), right.with(known)),
            Term::Cast(ty, inner) => cast(*ty, inner.with(known)),
            Term::Select(cond, then, els) => {
                select(cond.with(known), then.with(known), els.with(known))
            }
        }
    }
}

/// `(ty)inner`
pub(super) fn cast(ty: CType, inner: Term) -> Term {
    if !ty.is_integer() || inner.ty() == ty {
        return inner;
    }
    match inner {
        Term::Constant(value, _) if ty == CType::Bool => Term::Constant(i128::from(value != 0), ty),
        Term::Constant(value, _) => Term::Constant(ty.wrap(value), ty),
        inner => Term::Cast(ty, SubTerm::new(inner)),
    }
}

/// `left op right`
pub(super) fn binary(op: BinaryOp, left: Term, right: Term) -> Term {
    use BinaryOp::*;
    if let (Term::Constant(a, ta), Term::Constant(b, tb)) = (&left, &right)
        && let Some(value) = constant(op, *a, *ta, *b, *tb)
    {
        return value;
    }
    match (op, left.as_constant(), right.as_constant()) {
        (And, Some(0), _) | (And, _, Some(0)) => return Term::Constant(0, CType::Bool),
        (Or, Some(a), _) if a != 0 => return Term::Constant(1, CType::Bool),
        (Or, _, Some(b)) if b != 0 => return Term::Constant(1, CType::Bool),
        (And, Some(_), _) if right.ty() == CType::Bool => return right,
        (And, _, Some(_)) if left.ty() == CType::Bool => return left,
        (Or, Some(0), _) if right.ty() == CType::Bool => return right,
        (Or, _, Some(0)) if left.ty() == CType::Bool => return left,
        (Add, Some(0), _) if right.ty() == left.ty().common(right.ty()) => return right,
        (Add | Sub, _, Some(0)) if left.ty() == left.ty().common(right.ty()) => return left,
        (Mul | Div, _, Some(1)) if left.ty() == left.ty().common(right.ty()) => return left,
        (Mul, Some(1), _) if right.ty() == left.ty().common(right.ty()) => return right,
        _ => {}
    }
    if left == right {
        match op {
            Eq | Le | Ge => return Term::Constant(1, CType::Bool),
            Ne | Lt | Gt => return Term::Constant(0, CType::Bool),
            _ => {}
        }
    }
    Term::Binary(op, SubTerm::new(left), SubTerm::new(right))
}

/// `cond ? then : els`
pub(super) fn select(cond: Term, then: Term, els: Term) -> Term {
    match cond.as_constant() {
        Some(0) => els,
        Some(_) => then,
        None if then == els => then,
        None => Term::Select(SubTerm::new(cond), SubTerm::new(then), SubTerm::new(els)),
    }
}

/// `!arg`
pub(super) fn not(arg: Term) -> Term {
    match arg {
        Term::Binary(BinaryOp::Eq, left, right) => {
            binary(BinaryOp::Ne, (*left).clone(), (*right).clone())
        }
        Term::Binary(BinaryOp::Ne, left, right) => {
            binary(BinaryOp::Eq, (*left).clone(), (*right).clone())
        }
        arg => {
            let zero = Term::Constant(0, arg.ty());
            binary(BinaryOp::Eq, arg, zero)
        }
    }
}

fn constant(op: BinaryOp, a: i128, ta: CType, b: i128, tb: CType) -> Option<Term> {
    use BinaryOp::*;
    if !ta.is_integer() || !tb.is_integer() {
        return None;
    }
    let truth = |value: bool| Some(Term::Constant(i128::from(value), CType::Bool));
    match op {
        And => return truth(a != 0 && b != 0),
        Or => return truth(a != 0 || b != 0),
        Shl | Shr => {
            let ty = ta.promoted();
            if !(0..i128::from(ty.bits()?)).contains(&b) {
                return None;
            }
            let value = if op == Shl {
                a.checked_shl(b as u32)?
            } else {
                a >> b
            };
            return in_type(value, ty);
        }
        _ => {}
    }
    let ty = ta.common(tb);
    let (a, b) = (ty.wrap(a), ty.wrap(b));
    let value = match op {
        Add => a.checked_add(b)?,
        Sub => a.checked_sub(b)?,
        Mul => a.checked_mul(b)?,
        Div => a.checked_div(b)?,
        Rem => a.checked_rem(b)?,
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Lt => return truth(a < b),
        Le => return truth(a <= b),
        Gt => return truth(a > b),
        Ge => return truth(a >= b),
        Eq => return truth(a == b),
        Ne => return truth(a != b),
        And | Or | Shl | Shr => return None,
    };
    in_type(value, ty)
}

fn in_type(value: i128, ty: CType) -> Option<Term> {
    if ty.is_unsigned() {
        Some(Term::Constant(ty.wrap(value), ty))
    } else {
        ty.holds(value).then_some(Term::Constant(value, ty))
    }
}

/// A sum of multiples of terms, and a constant. Signed arithmetic does not overflow; an unsigned
/// sum or a narrowing conversion is a term of its own.
fn linear(
    term: &Term,
    factor: i128,
    into: &mut Vec<(Term, i128)>,
    constant: &mut i128,
) -> Option<()> {
    match term {
        Term::Constant(value, _) => *constant = constant.checked_add(value.checked_mul(factor)?)?,
        Term::Binary(BinaryOp::Add, left, right) if term.ty().is_signed() => {
            linear(left, factor, into, constant)?;
            linear(right, factor, into, constant)?;
        }
        Term::Binary(BinaryOp::Sub, left, right) if term.ty().is_signed() => {
            linear(left, factor, into, constant)?;
            linear(right, factor.checked_neg()?, into, constant)?;
        }
        Term::Binary(BinaryOp::Mul, left, right) if term.ty().is_signed() => {
            match (left.as_constant(), right.as_constant()) {
                (_, Some(by)) => linear(left, factor.checked_mul(by)?, into, constant)?,
                (Some(by), _) => linear(right, factor.checked_mul(by)?, into, constant)?,
                _ => push(term, factor, into)?,
            }
        }
        Term::Cast(ty, inner)
            if ty.is_signed()
                && ty.bits() >= inner.ty().bits()
                && (inner.ty().is_signed() || ty.bits() > inner.ty().bits()) =>
        {
            linear(inner, factor, into, constant)?;
        }
        term => push(term, factor, into)?,
    }
    Some(())
}

fn push(term: &Term, factor: i128, into: &mut Vec<(Term, i128)>) -> Option<()> {
    match into.iter_mut().find(|(known, _)| known == term) {
        Some((_, sum)) => *sum = sum.checked_add(factor)?,
        None => into.push((term.clone(), factor)),
    }
    Some(())
}

/// Whether two terms have different values in every state.
pub(super) fn differ(left: &Term, right: &Term) -> bool {
    use BinaryOp::*;
    let peeled = |term: &Term| -> Option<(Term, i128)> {
        // `x % m` and `x & (m - 1)`: equal remainders mean congruent values.
        match term {
            Term::Binary(Rem, inner, modulus) => {
                Some(((**inner).clone(), modulus.as_constant().filter(|m| *m > 0)?))
            }
            Term::Binary(BitAnd, inner, mask) => {
                let modulus = mask.as_constant()?.checked_add(1)?;
                (modulus > 0 && modulus & (modulus - 1) == 0).then(|| ((**inner).clone(), modulus))
            }
            _ => None,
        }
    };
    if let (Some((a, m)), Some((b, n))) = (peeled(left), peeled(right))
        && m == n
        && let Some((rest, by)) = difference(&a, &b)
        && rest.is_empty()
        && by % m != 0
    {
        return true;
    }
    // `x ^ c` with c not 0, and `!x`.
    let flips = |term: &Term, of: &Term| match term {
        Term::Binary(BitXor, inner, by) => {
            **inner == *of && by.as_constant().is_some_and(|by| by != 0)
        }
        Term::Binary(Eq, inner, zero) => **inner == *of && zero.as_constant() == Some(0),
        _ => false,
    };
    let without_cast = |term: &Term| match term {
        Term::Cast(CType::I32 | CType::I64, inner) if inner.ty() == CType::Bool => {
            (**inner).clone()
        }
        term => term.clone(),
    };
    let (a, b) = (without_cast(left), without_cast(right));
    if flips(&a, &b) || flips(&b, &a) {
        return true;
    }
    let Some((rest, by)) = difference(left, right) else {
        return false;
    };
    // `i` and `1 - i`: twice i is never odd. The multiples may share a larger divisor, as byte
    // offsets do.
    let divisor = rest
        .iter()
        .fold(0, |divisor, (_, factor)| gcd(divisor, *factor));
    if divisor == 0 {
        by != 0
    } else {
        by % divisor != 0
    }
}

fn difference(left: &Term, right: &Term) -> Option<(Vec<(Term, i128)>, i128)> {
    let (mut parts, mut constant) = (Vec::new(), 0);
    linear(left, 1, &mut parts, &mut constant)?;
    linear(right, -1, &mut parts, &mut constant)?;
    parts.retain(|(_, factor)| *factor != 0);
    Some((parts, constant))
}
