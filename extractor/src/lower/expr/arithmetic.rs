//! Operators on scalars and pointers, with C's conversions.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, arg: &Expr, range: Range) -> Value {
        if let Some(value) = self.user_operator(super::super::typing::unary_name(op), &[arg], range)
        {
            return value;
        }
        if op == UnaryOp::Not {
            let condition = self.truth_of(arg);
            return Value::Term(self.facts.terms.not(condition));
        }
        let value = self.scalar_expr(arg);
        if let Value::Struct(_) = value {
            let ty = self.static_type(arg);
            if let Some(value) = self.vector_negated(&value, &ty, range) {
                return value;
            }
        }
        let term = self.term_of(&value, range);
        let ty = self.facts.terms.ty(term);
        if !ty.is_integer() {
            let name = if op == UnaryOp::Plus {
                return Value::Term(term);
            } else {
                "float negation"
            };
            return Value::Term(self.pure(name, ty, &[term]));
        }
        let promoted = ty.promoted();
        let term = self.facts.terms.cast(term, promoted);
        Value::Term(match op {
            UnaryOp::Neg => self.facts.terms.unary(Op::Neg, promoted, term),
            UnaryOp::BitNot => self.facts.terms.unary(Op::BitNot, promoted, term),
            UnaryOp::Plus | UnaryOp::Not => term,
        })
    }

    /// A binary operator on values.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        mut left: Value,
        mut right: Value,
        range: Range,
    ) -> Value {
        match (&left, &right, op) {
            (Value::Pointer(pointer), Value::Term(count), BinaryOp::Add | BinaryOp::Sub)
                if self.facts.terms.ty(*count).is_integer() =>
            {
                let moved = self.advance(pointer.clone(), *count, op == BinaryOp::Sub, range);
                return Value::Pointer(moved);
            }
            (Value::Term(count), Value::Pointer(pointer), BinaryOp::Add)
                if self.facts.terms.ty(*count).is_integer() =>
            {
                let moved = self.advance(pointer.clone(), *count, false, range);
                return Value::Pointer(moved);
            }
            (Value::Pointer(a), Value::Pointer(b), _) => {
                let (a, b) = self.composite(a.clone(), b.clone(), range);
                if let Some(value) = self.pointer_pair(op, &a, &b) {
                    return value;
                }
                (left, right) = (Value::Pointer(a), Value::Pointer(b));
            }
            (Value::Struct(_), _, _) | (_, Value::Struct(_), _) => {
                if let Some(value) = self.library_operator(op, &left, &right, range) {
                    return value;
                }
            }
            _ => {}
        }
        let left = self.term_of(&left, range);
        let right = self.term_of(&right, range);
        Value::Term(self.arithmetic(op, left, right))
    }

    /// Difference and comparison of pointers into one array.
    pub(super) fn pointer_pair(&mut self, op: BinaryOp, a: &Pointer, b: &Pointer) -> Option<Value> {
        let ([one], [other]) = (a.targets.as_slice(), b.targets.as_slice()) else {
            return None;
        };
        let same = match (one.base, other.base) {
            (Base::Unknown, _) | (_, Base::Unknown) => return None,
            (Base::Array(a), Base::Array(b)) => {
                let rows = &self.facts.array;
                rows[a.index()].storage == rows[b.index()].storage
            }
            (one, other) => one == other,
        };
        if !same {
            return None;
        }
        let (left, right) = (one.offset, other.offset);
        if op == BinaryOp::Sub {
            let size = self.size_term(&a.element)?;
            let bytes = self.facts.terms.binary(Op::Sub, CType::I64, left, right);
            return Some(Value::Term(self.facts.terms.binary(
                Op::Div,
                CType::I64,
                bytes,
                size,
            )));
        }
        Some(Value::Term(self.arithmetic(op, left, right)))
    }

    /// A binary operator on scalar terms, with C's usual conversions.
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        use BinaryOp as B;
        if matches!(op, B::Shl | B::Shr) {
            let ty = self.facts.terms.ty(left).promoted();
            if ty.is_integer() && self.facts.terms.ty(right).is_integer() {
                let left = self.facts.terms.cast(left, ty);
                let count = self.facts.terms.as_const(right);
                let half = ty.bits().map(|bits| i128::from(bits) / 2);
                // Who shifts an `int` by half its width or more wants the bits that stay: `x << 16 | y`. Of a constant it is known
                // which these are.
                let drops = count >= half || self.facts.terms.as_const(left).is_some();
                return match op {
                    B::Shl if ty.is_signed() && count.is_some() && drops => {
                        self.shift_dropping_bits(ty, left, right)
                    }
                    B::Shl => self.facts.terms.binary(Op::Shl, ty, left, right),
                    _ => {
                        let left = self.sign_extended(left);
                        self.facts.terms.binary(Op::Shr, ty, left, right)
                    }
                };
            }
        }
        let (left, right, ty) = self.usual(left, right);
        let (op, left, right) = match op {
            B::Gt => (B::Lt, right, left),
            B::Ge => (B::Le, right, left),
            op => (op, left, right),
        };
        let comparison = matches!(op, B::Lt | B::Le | B::Eq | B::Ne);
        if !ty.is_integer() {
            let result = if comparison { CType::Bool } else { ty };
            let name = if comparison {
                "floating-point comparison"
            } else {
                "floating-point operator"
            };
            return self.pure(&format!("{name} {}", op.text()), result, &[left, right]);
        }
        let term_op = match op {
            B::Add => Op::Add,
            B::Sub => Op::Sub,
            B::Mul => Op::Mul,
            B::Div => Op::Div,
            B::Rem => Op::Rem,
            B::BitAnd => Op::BitAnd,
            B::BitOr => Op::BitOr,
            B::BitXor => Op::BitXor,
            B::Lt => Op::Lt,
            B::Le => Op::Le,
            B::Eq => Op::Eq,
            B::Ne => Op::Ne,
            B::And => Op::And,
            B::Or => Op::Or,
            B::Gt | B::Ge | B::Shl | B::Shr => Op::Shl,
        };
        if op == B::BitAnd
            && let Some(bit) = self.own_bit(ty, left, right)
        {
            return bit;
        }
        let result = if comparison { CType::Bool } else { ty };
        self.facts.terms.binary(term_op, result, left, right)
    }

    /// A shift of a signed value that may lose bits, as C++20 and all compilers have it: the rest modulo 2^N.
    pub(super) fn shift_dropping_bits(
        &mut self,
        ty: CType,
        value: TermId,
        count: TermId,
    ) -> TermId {
        let terms = &mut self.facts.terms;
        let Some(unsigned) = ty.unsigned() else {
            return terms.binary(Op::Shl, ty, value, count);
        };
        let value = terms.cast(value, unsigned);
        let left = terms.binary(Op::Shl, unsigned, value, count);
        terms.cast(left, ty)
    }

    /// What is shifted back to the right: in `x << 28 >> 28` the first shift is there to lose bits.
    pub(super) fn sign_extended(&mut self, term: TermId) -> TermId {
        let node = self.facts.terms.get(term);
        match (node.op, node.args.as_slice()) {
            (Op::Shl, &[value, count]) if node.ty.is_signed() => {
                let ty = node.ty;
                self.shift_dropping_bits(ty, value, count)
            }
            _ => term,
        }
    }

    /// `a && b`, `a || b`: the right operand is evaluated under the left one.
    pub(super) fn logical(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        range: Range,
    ) -> Value {
        // One of a class evaluates both operands.
        let name = format!("operator{}", op.text());
        if let Some(value) = self.user_operator(&name, &[left, right], range) {
            return value;
        }
        let first = self.truth_of(left);
        let and = op == BinaryOp::And;
        if let Some(known) = self.facts.terms.as_const(first)
            && (known != 0) != and
        {
            return Value::Term(self.facts.terms.truth(!and));
        }
        let mut second = None;
        self.branch(
            first,
            range,
            &mut |me| {
                if and {
                    second = Some(me.truth_of(right));
                }
            },
            &mut |_| {},
        );
        if !and {
            self.branch(first, range, &mut |_| {}, &mut |me| {
                second = Some(me.truth_of(right));
            });
        }
        let second = second.unwrap_or(first);
        Value::Term(if and {
            self.facts.terms.and(first, second)
        } else {
            self.facts.terms.or(first, second)
        })
    }

    pub(super) fn conditional(
        &mut self,
        whole: &Expr,
        cond: &Expr,
        then: &Expr,
        els: &Expr,
    ) -> Value {
        let range = whole.range;
        let condition = self.truth_of(cond);
        let (mut first, mut second) = (None, None);
        self.branch(
            condition,
            range,
            &mut |me| first = Some(me.expr(then)),
            &mut |me| second = Some(me.expr(els)),
        );
        match (first, second) {
            (Some(first), Some(second)) => {
                let (first, second) = self.common_type(first, second, range);
                self.merge(condition, &first, &second)
            }
            // `true ? -1 : 0u` is unsigned.
            (Some(one), None) | (None, Some(one)) => match (&one, self.static_type(whole)) {
                (Value::Term(term), ty @ Ty::Scalar(_))
                    if ty != Ty::Scalar(self.facts.terms.ty(*term)) =>
                {
                    self.convert(one, &ty, range)
                }
                _ => one,
            },
            (None, None) => Value::Unknown,
        }
    }

    pub(super) fn common_type(
        &mut self,
        first: Value,
        second: Value,
        range: Range,
    ) -> (Value, Value) {
        match (first, second) {
            (Value::Term(a), Value::Term(b)) => {
                let (a, b, _) = if self.facts.terms.ty(a) == self.facts.terms.ty(b) {
                    (a, b, CType::I32)
                } else {
                    self.usual(a, b)
                };
                (Value::Term(a), Value::Term(b))
            }
            // `c ? p : 0`
            (Value::Pointer(pointer), other @ Value::Term(_)) => {
                let ty = pointer.element.clone().pointer_to();
                (Value::Pointer(pointer), self.convert(other, &ty, range))
            }
            (other @ Value::Term(_), Value::Pointer(pointer)) => {
                let ty = pointer.element.clone().pointer_to();
                (self.convert(other, &ty, range), Value::Pointer(pointer))
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                let (a, b) = self.composite(a, b, range);
                (Value::Pointer(a), Value::Pointer(b))
            }
            other => other,
        }
    }
}
