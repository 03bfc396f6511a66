//! Operators of host expressions: arithmetic, comparison, logic, those of enumerations.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::call::Operand;
use super::term::{self, Term};
use super::value::*;
use crate::lower::enumerations::enumeration_taken;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    pub(super) fn unary(&mut self, op: UnaryOp, arg: &'u Expr) -> Value<'u> {
        let operator = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
        };
        if self.enumeration_operator(operator, &[arg]) {
            let value = self.eval(arg);
            return self.made_of(&[value]);
        }
        if op == UnaryOp::Not {
            if self.is_surely_object(arg) {
                let operands = [self.operand(arg)];
                if self.class_operator(operator, &operands) {
                    return self.result_of(&operands);
                }
            }
            let condition = self.condition(arg);
            return Value::Scalar(term::not(condition));
        }
        let operands = [self.operand(arg)];
        if self.class_operator(operator, &operands) {
            return self.result_of(&operands);
        }
        let [(Value::Scalar(term), _)] = operands else {
            return Value::unknown();
        };
        Value::Scalar(match op {
            UnaryOp::Plus | UnaryOp::Not => term,
            UnaryOp::Neg => term::binary(BinaryOp::Sub, Term::int(0), term),
            UnaryOp::BitNot => term::binary(BinaryOp::BitXor, term, Term::int(-1)),
        })
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: &'u Expr, right: &'u Expr) -> Value<'u> {
        // `cin >> n`
        if op == BinaryOp::Shr {
            let value = self.eval(left);
            if !matches!(value, Value::Scalar(_)) {
                if let Some((place, _)) = self.place(right) {
                    self.havoc(&place, BTreeSet::new());
                }
                return Value::unknown();
            }
        }
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            if self.is_surely_object(left) || self.is_surely_object(right) {
                let operands = [self.operand(left), self.operand(right)];
                if self.class_operator(op.text(), &operands) {
                    return self.result_of(&operands);
                }
            }
            let left = self.condition(left);
            // What the right side changes happens or not.
            let before = self.state.clone();
            let depth = before.as_ref().map_or(0, |state| state.path.len());
            if let Some(state) = &mut self.state {
                state.assume(left.clone(), op == BinaryOp::And);
            }
            let right = self.condition(right);
            let without = before.map(|mut state| {
                state.assume(left.clone(), op != BinaryOp::And);
                state
            });
            let after = self.state.take();
            self.state = self.joined(after, without);
            if let Some(state) = &mut self.state
                && state.path.len() > depth
            {
                Rc::make_mut(&mut state.path).truncate(depth);
            }
            return Value::Scalar(self.bounded(term::binary(op, left, right)));
        }
        let own = self.enumeration_operator(op.text(), &[left, right]);
        let operands = [self.object_operand(left), self.object_operand(right)];
        let rewritten = match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Some("<=>"),
            BinaryOp::Ne => Some("=="),
            _ => None,
        };
        if self.class_operator(op.text(), &operands)
            || rewritten.is_some_and(|text| self.class_operator(text, &operands))
        {
            return self.result_of(&operands);
        }
        let [(left, _), (right, _)] = operands;
        if own {
            return self.made_of(&[left, right]);
        }
        // Kernels that are compared are not launched by that.
        let is_kernel = |value: &Value<'u>| matches!(value, Value::Kernels(_));
        let is_known = |value: &Value<'u>| is_kernel(value) || matches!(value, Value::Scalar(_));
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
            && (is_kernel(&left) || is_kernel(&right))
            && is_known(&left)
            && is_known(&right)
        {
            return Value::unknown();
        }
        self.operation(op, left, right)
    }

    /// An operand; one that is made here is an object, whether its class is followed or not.
    fn object_operand(&mut self, expr: &'u Expr) -> Operand<'u> {
        let (value, place) = self.operand(expr);
        let (Value::Unknown(_), None) = (&value, &place) else {
            return (value, place);
        };
        let ty = match &expr.kind {
            ExprKind::Construct { ty, .. } => self.resolve(ty),
            // `n::S()` may be a call as well.
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) if self.is_class_name(name) => Ty::Opaque {
                    name: name.path(),
                    bytes: None,
                },
                _ => return (value, place),
            },
            _ => return (value, place),
        };
        if matches!(ty, Ty::Opaque { .. }) {
            let root = self.objects.object(Kind::Variable, "temporary", ty.clone());
            return (value, Some((Place::of(root), ty)));
        }
        (value, place)
    }

    /// Whether an operator of the unit takes an enumeration that an operand may have.
    pub(super) fn enumeration_operator(&self, text: &str, operands: &[&Expr]) -> bool {
        let named = |name: &str| {
            let functions = self.index.functions(name).iter();
            functions
                .flat_map(|function| function.params.iter().map(move |param| (*function, param)))
                .any(|(function, param)| enumeration_taken(self.index, function, param).is_some())
        };
        (named(&format!("operator{text}")) || named(&format!("operator{text}=")))
            && operands
                .iter()
                .any(|operand| self.may_be_enumeration(operand))
    }

    /// Whether an expression may be of an enumeration.
    fn may_be_enumeration(&self, expr: &Expr) -> bool {
        let scope = &self.frame().types.path;
        match &expr.kind {
            ExprKind::Name(name) => {
                let variables = self.frame().scopes.iter().rev();
                let mut roots = variables.filter_map(|scope| scope.get(name.base.as_str()));
                match roots.next() {
                    Some(root) => self.written.get(root).is_none_or(|ty| {
                        matches!(ty.kind, TypeKind::Auto)
                            || self.index.enumeration_of(ty, scope).is_some()
                    }),
                    None => {
                        !self.globals.contains_key(name.base.as_str())
                            || self.index.unit.globals.iter().any(|global| {
                                global.name.ends_with(&name.base)
                                    && self.index.enumeration_of(&global.ty, scope).is_some()
                            })
                    }
                }
            }
            ExprKind::Int { .. }
            | ExprKind::Bool(_)
            | ExprKind::Char { .. }
            | ExprKind::Float { .. }
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_) => false,
            ExprKind::Cast { ty, .. } => self.index.enumeration_of(ty, scope).is_some(),
            ExprKind::Binary(_, left, right) => {
                self.may_be_enumeration(left) || self.may_be_enumeration(right)
            }
            ExprKind::Unary(_, arg) => self.may_be_enumeration(arg),
            ExprKind::Member { field, .. } => {
                let mut fields = self.index.named.fields(&field.base).iter();
                fields.any(|(_, one)| self.index.enumeration_of(&one.ty, scope).is_some())
            }
            _ => true,
        }
    }

    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        left: Value<'u>,
        right: Value<'u>,
    ) -> Value<'u> {
        match (left, right) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let term = term::binary(op, a, b);
                Value::Scalar(self.bounded(term))
            }
            (Value::Ratio(a, one, left), Value::Ratio(b, other, right))
                if op == BinaryOp::Div
                    && one.as_constant() == Some(1)
                    && other.as_constant() == Some(1) =>
            {
                Value::Ratio(a, b, left.common(right))
            }
            (Value::Ratio(a, one, precision), Value::Scalar(b))
                if op == BinaryOp::Div && one.as_constant() == Some(1) =>
            {
                Value::Ratio(a, self.rounded(b, precision), precision)
            }
            (Value::Scalar(a), Value::Ratio(b, one, precision))
                if op == BinaryOp::Div && one.as_constant() == Some(1) =>
            {
                Value::Ratio(self.rounded(a, precision), b, precision)
            }
            (Value::Scalar(a), Value::Ratio(b, one, precision))
            | (Value::Ratio(b, one, precision), Value::Scalar(a))
                if op == BinaryOp::Mul
                    && one.as_constant() == Some(1)
                    && b.as_constant() == Some(1) =>
            {
                Value::Ratio(self.rounded(a, precision), Term::int(1), precision)
            }
            (Value::Pointer(pointer, element), Value::Scalar(count))
                if matches!(op, BinaryOp::Add | BinaryOp::Sub) =>
            {
                let count = if op == BinaryOp::Sub {
                    term::binary(BinaryOp::Sub, Term::int(0), term::cast(CType::I64, count))
                } else {
                    count
                };
                let bytes = self.scaled(&count, &element);
                Value::Pointer(self.advanced(&pointer, &bytes), element)
            }
            (Value::Scalar(count), Value::Pointer(pointer, element)) if op == BinaryOp::Add => {
                let bytes = self.scaled(&count, &element);
                Value::Pointer(self.advanced(&pointer, &bytes), element)
            }
            (Value::Pointer(pointer, element), _)
                if matches!(op, BinaryOp::Add | BinaryOp::Sub) =>
            {
                let bytes = self.fresh("offset", CType::I64);
                Value::Pointer(self.advanced(&pointer, &bytes), element)
            }
            (Value::Pointer(Pointer::Null, _), Value::Pointer(Pointer::Null, _))
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
            {
                let is_null = self.null_check();
                Value::Scalar(match op {
                    BinaryOp::Eq => is_null,
                    _ => term::not(is_null),
                })
            }
            (Value::Pointer(a, _), Value::Pointer(b, _))
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                    && let Some(equal) = self.are_equal(&a, &b) =>
            {
                let holds = equal == (op == BinaryOp::Eq);
                Value::Scalar(Term::Constant(i128::from(holds), CType::Bool))
            }
            (left, right) => self.made_of(&[left, right]),
        }
    }

    /// An integer as a number in floating point: in `float`, one beyond 2²⁴ is another one, which is not followed.
    pub(super) fn rounded(&mut self, term: Term, precision: Precision) -> Term {
        if precision == Precision::Double {
            return term;
        }
        let exact = -EXACT_IN_SINGLE..=EXACT_IN_SINGLE;
        if term
            .as_constant()
            .is_some_and(|value| exact.contains(&value))
        {
            return term;
        }
        let wide = term::cast(CType::I64, term);
        let compared = |op, bound| term::binary(op, wide.clone(), Term::bytes(bound));
        let is_exact = term::binary(
            BinaryOp::And,
            compared(BinaryOp::Ge, -EXACT_IN_SINGLE),
            compared(BinaryOp::Le, EXACT_IN_SINGLE),
        );
        let other = self.fresh("rounded", CType::I64);
        term::select(is_exact, wide, other)
    }

    /// Whether a pointer is null that is null here. Callers that are not seen may give another one, so both ways are run.
    pub(super) fn null_check(&mut self) -> Term {
        let symbol = self.objects.computed("null");
        self.null_checks.insert(symbol);
        Term::Symbol(symbol, CType::Bool)
    }

    /// Whether two pointers are equal, where that is certain.
    fn are_equal(&self, left: &Pointer, right: &Pointer) -> Option<bool> {
        match (left, right) {
            (Pointer::At(a, here), Pointer::At(b, there)) if a == b => {
                let (here, there) = (here.as_constant()?, there.as_constant()?);
                Some(here == there)
            }
            (Pointer::At(a, here), Pointer::At(b, there)) => {
                let is_new =
                    |place: &Place| place.path.is_empty() && self.objects.get(place.root).is_new;
                let at_start = here.as_constant()? == 0 && there.as_constant()? == 0;
                (at_start && is_new(a) && is_new(b)).then_some(false)
            }
            _ => None,
        }
    }
}

/// Up to here a `float` holds each integer, and the quotient of two lies on no other side of an integer than the exact one:
/// that is further away from it than a rounding goes.
pub(super) const EXACT_IN_SINGLE: i128 = 1 << 24;

pub(super) fn quotient_u32(over: Term, under: Term) -> Term {
    term::cast(CType::U32, super::memory::quotient(over, under))
}
