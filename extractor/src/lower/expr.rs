//! Expressions to values, in C's order of evaluation where it is defined and left to right elsewhere.

mod aggregate;
mod arithmetic;
mod names;

pub(crate) use self::aggregate::sized;

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::NOT_PARSED;
use super::body::Lowerer;
use super::call::Called;
use super::constness::Argument;
use super::conversions::Asked;
use super::overload::Found;
use super::types::{self, Ty};
use super::typing::is_unknown;
use super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The value of an expression; its accesses and effects happen.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Value {
        let value = self.evaluated(expr);
        self.has_no_owner(expr, &value);
        value
    }

    fn evaluated(&mut self, expr: &Expr) -> Value {
        let range = expr.range;
        self.count_work();
        if self.gave_up {
            return Value::Uninitialised;
        }
        match &expr.kind {
            ExprKind::Int { value, ty } => {
                let ty = types::scalar(*ty).ctype();
                Value::Term(self.facts.terms.constant(i128::from(*value), ty))
            }
            ExprKind::Char { value, ty } => {
                let ty = types::scalar(*ty).ctype();
                Value::Term(self.facts.terms.constant(i128::from(*value), ty))
            }
            ExprKind::Bool(value) => Value::Term(self.facts.terms.truth(*value)),
            ExprKind::Float { text, ty } => Value::Term(self.float(text, *ty)),
            ExprKind::Str(text) => self.literal(text, range),
            ExprKind::Nullptr => Value::Pointer(self.pointer(Base::Null, Ty::Void)),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Unary(op, arg) => self.unary(*op, arg, range),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*op, left, right, range)
            }
            ExprKind::Binary(op, left, right) => {
                let name = format!("operator{}", op.text());
                if let Some(value) = self.user_operator(&name, &[left, right], range) {
                    return value;
                }
                // `a != b` may stand for `!(a == b)`.
                if *op == BinaryOp::Ne
                    && let Some(value) = self.user_operator("operator==", &[left, right], range)
                {
                    let equal = self.condition_of(&value, range);
                    return Value::Term(self.facts.terms.not(equal));
                }
                let values = (self.scalar_expr(left), self.scalar_expr(right));
                if matches!(values, (Value::Struct(_), _) | (_, Value::Struct(_))) {
                    let types = (self.static_type(left), self.static_type(right));
                    let operands = (&values.0, &values.1);
                    let types = (&types.0, &types.1);
                    if let Some(value) = self.vector_operation(*op, operands, types, range) {
                        return value;
                    }
                }
                self.binary(*op, values.0, values.1, range)
            }
            ExprKind::Assign { op, lhs, rhs } => self.assign(*op, lhs, rhs, range),
            ExprKind::IncDec {
                increment,
                prefix,
                arg,
            } => self.increment(*increment, *prefix, arg, range),
            ExprKind::Conditional { cond, then, els } => self.conditional(expr, cond, then, els),
            ExprKind::Cast { ty, arg, style } => {
                if let Some(cast) = self.cast_written_out(expr) {
                    return self.evaluated(&cast);
                }
                self.refuse_hidden_reference(ty, range);
                let to = self.resolve(ty);
                if !super::call::is_reference(ty) && matches!(to, Ty::Struct(_)) {
                    let own = self.static_type(arg);
                    if let Some(value) = self.made_from_object(arg, &own, &to) {
                        return value;
                    }
                }
                match (&to, &ty.kind) {
                    (Ty::Void, _) => {
                        self.expr(arg);
                        Value::Void
                    }
                    (_, TypeKind::Reference(_) | TypeKind::RvalueReference(_)) => {
                        let place = self.place(expr);
                        self.read(&place, range)
                    }
                    // The address stays, whatever lies there.
                    (Ty::Pointer(element), _) if *style == CastStyle::Reinterpret => {
                        match self.expr(arg) {
                            Value::Pointer(pointer) => Value::Pointer(Pointer {
                                element: Ty::clone(element),
                                ..pointer
                            }),
                            value => self.convert(value, &to, range),
                        }
                    }
                    (Ty::Opaque { bytes: None, .. }, _) => {
                        let value = self.expr(arg);
                        self.convert_to_any(value, &to, range)
                    }
                    _ => self.expr_as_asked(arg, &to, Asked::Yes),
                }
            }
            ExprKind::Construct { ty, args, .. } => {
                if let Some(cast) = self.cast_written_out(expr) {
                    return self.evaluated(&cast);
                }
                self.refuse_hidden_reference(ty, range);
                let ty = self.resolve(ty);
                self.construct_value(&ty, args, range)
            }
            ExprKind::Call { callee, args } => {
                let called = self.call(callee, args, range);
                self.value_of(called, range)
            }
            ExprKind::Deref(_) | ExprKind::Index { .. } => {
                let place = self.place(expr);
                self.read(&place, range)
            }
            ExprKind::Member { base, field, .. } => match self.builtin_member(base, &field.base) {
                Some(term) => Value::Term(term),
                None => {
                    let place = self.place(expr);
                    self.read(&place, range)
                }
            },
            ExprKind::AddressOf(arg) => self.address_of(arg, range),
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty);
                self.size_value(&ty, range)
            }
            ExprKind::SizeofExpr(arg) if matches!(arg.kind, ExprKind::Str(_)) => self.opaque(
                range,
                "`sizeof` of a string",
                "not counted",
                Effect::Nothing,
            ),
            ExprKind::SizeofExpr(arg) => {
                let ty = match self.static_type(arg) {
                    ty if is_unknown(&ty) => self.tried_type(arg),
                    ty => ty,
                };
                self.size_value(&ty, range)
            }
            ExprKind::AlignofType(ty) => {
                if matches!(&ty.kind, TypeKind::Named(name) if self.index.aligns(&name.base)) {
                    self.unsupported(
                        range,
                        "`alignof` of a name that asks for an alignment",
                        "not counted",
                        Effect::Control,
                    );
                }
                let ty = self.resolve(ty);
                if ty.innermost().bytes().is_none() {
                    return self.size_value(&ty, range);
                }
                let align = ty.align();
                Value::Term(self.facts.terms.constant(i128::from(align), CType::U64))
            }
            ExprKind::Comma(first, second) => {
                if let Some(value) = self.user_operator("operator,", &[first, second], range) {
                    return value;
                }
                self.discard(first);
                self.expr(second)
            }
            ExprKind::InitList(items) => {
                for item in items {
                    self.expr(item);
                }
                self.unsupported(
                    range,
                    "initialiser list",
                    "its type is not known here",
                    Effect::Nothing,
                );
                Value::Unknown
            }
            ExprKind::StmtExpr(block) => self.statement_expression(block),
            ExprKind::This => match self.this_place() {
                Some(place) => self.address_of_place(place, range),
                None => self.opaque(range, "`this`", "its object is not known", Effect::Access),
            },
            ExprKind::Lambda(lambda) => self.lambda(lambda, range),
            ExprKind::Launch { .. } => self.opaque(
                range,
                "launch from device code",
                "not modelled",
                Effect::Control,
            ),
            ExprKind::Asm(asm) => {
                self.asm(asm, range);
                Value::Void
            }
            ExprKind::MemberPointer { .. } => {
                let place = self.place(expr);
                self.read(&place, range)
            }
            ExprKind::Expand(_) | ExprKind::Fold(_) | ExprKind::SizeofPack(_) => {
                self.opaque(range, "a pack expansion", "not understood", Effect::Control)
            }
            ExprKind::New { .. } => self.opaque(range, "new", NOT_PARSED, Effect::Control),
            ExprKind::Delete(_) => self.opaque(range, "delete", NOT_PARSED, Effect::Control),
            ExprKind::Designated { .. } => self.opaque(
                range,
                "a designated initialiser",
                NOT_PARSED,
                Effect::Control,
            ),
            ExprKind::Unsupported { what } => self.opaque(range, what, NOT_PARSED, Effect::Control),
        }
    }

    fn opaque(&mut self, range: Range, what: &str, why: &str, effect: Effect) -> Value {
        self.unsupported(range, what, why, effect);
        Value::Unknown
    }

    fn size_value(&mut self, ty: &Ty, range: Range) -> Value {
        match self.size_term(ty) {
            Some(size) => Value::Term(self.facts.terms.cast(size, CType::U64)),
            None => {
                let reason = format!("size of `{}`", ty.describe());
                Value::Term(self.unknown(&reason, range, CType::U64, true))
            }
        }
    }

    fn float(&mut self, text: &str, ty: Scalar) -> TermId {
        let ctype = types::scalar(ty).ctype();
        let bits = match (text.parse::<f64>(), ctype) {
            (Ok(value), CType::F32) => i128::from((value as f32).to_bits()),
            (Ok(value), _) => i128::from(value.to_bits()),
            // A form that Rust does not read: any fixed function of the text will do.
            (Err(_), _) => return self.pure(&format!("literal {text}"), ctype, &[]),
        };
        self.facts.terms.intern(Op::Const, ctype, bits, &[])
    }

    /// `({ …; e; })`: the value of the last statement.
    fn statement_expression(&mut self, block: &Block) -> Value {
        let living = self.open_scope();
        let mut value = Value::Void;
        for (position, stmt) in block.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Expr(last) if position + 1 == block.stmts.len() && self.alive => {
                    value = self.expr(last);
                }
                _ => self.stmt(stmt),
            }
        }
        if self.living.len() > living {
            self.lost_object(block.range, "it ends inside an expression");
        }
        self.close_scope(living);
        value
    }

    /// The value of an expression as a type, by a user-defined conversion if there must be one.
    pub(crate) fn expr_as(&mut self, expr: &Expr, ty: &Ty) -> Value {
        self.expr_as_asked(expr, ty, Asked::No)
    }

    /// The same where a conversion may be asked for: `(int)a`.
    pub(crate) fn expr_as_asked(&mut self, expr: &Expr, ty: &Ty, asked: Asked) -> Value {
        let own = self.static_type(expr);
        if let Some(value) = self.made_from_object(expr, &own, ty) {
            return value;
        }
        if let (Ty::Struct(class), false) = (&own, own == *ty)
            && self.record(class).is_some()
        {
            let place = self.place(expr);
            if let Some(value) = self.user_conversion(class, (expr, &place), ty, asked) {
                return self.convert(value, ty, expr.range);
            }
            let place = match ty {
                Ty::Struct(base) => self.as_base(place, base),
                _ => place,
            };
            let value = self.read(&place, expr.range);
            return self.convert(value, ty, expr.range);
        }
        let value = self.expr(expr);
        self.convert(value, ty, expr.range)
    }

    /// The value of an expression where a number or pointer is needed: objects are converted.
    pub(crate) fn scalar_expr(&mut self, expr: &Expr) -> Value {
        match self.static_type(expr) {
            Ty::Struct(class) if self.record(&class).is_some() => {
                let place = self.place(expr);
                for ty in [Ty::INT, Ty::Scalar(CType::F32)] {
                    if let Some(value) =
                        self.user_conversion(&class, (expr, &place), &ty, Asked::No)
                    {
                        return value;
                    }
                }
                let why = "no operator or conversion of its class was found";
                self.unsupported(
                    expr.range,
                    "object where a number is needed",
                    why,
                    Effect::Control,
                );
                Value::Unknown
            }
            _ => self.expr(expr),
        }
    }

    /// Whether an expression is true where its truth is asked for: objects are converted, explicitly too.
    pub(crate) fn truth_of(&mut self, expr: &Expr) -> TermId {
        let value = match self.static_type(expr) {
            Ty::Struct(class) if self.record(&class).is_some() => {
                let place = self.place(expr);
                let truth = Ty::Scalar(CType::Bool);
                match self.user_conversion(&class, (expr, &place), &truth, Asked::Yes) {
                    Some(value) => value,
                    None => self.scalar_expr(expr),
                }
            }
            _ => self.expr(expr),
        };
        self.condition_of(&value, expr.range)
    }

    /// An operator that the unit declares for these operands, as a value.
    pub(crate) fn user_operator(
        &mut self,
        name: &str,
        operands: &[&Expr],
        range: Range,
    ) -> Option<Value> {
        let called = self.user_operator_called(name, operands, range)?;
        Some(self.value_of(called, range))
    }

    /// An operator that the unit declares for these operands.
    pub(crate) fn user_operator_called(
        &mut self,
        name: &str,
        operands: &[&Expr],
        range: Range,
    ) -> Option<Called> {
        if self.index.functions(name).is_empty() {
            return None;
        }
        let given: Vec<Argument<'_>> = operands
            .iter()
            .map(|operand| self.argument(operand))
            .collect();
        let of_class = given.iter().any(|one| matches!(one.ty, Ty::Struct(_)));
        if !of_class && !self.of_enumeration(name, operands) {
            return None;
        }
        let found = self.operator_found(name, &given, range);
        if matches!(found, Found::None) {
            return None;
        }
        if let Found::One(found) = &found
            && let Some(called) = self.call_operator_by_value(found, operands, range)
        {
            return Some(called);
        }
        let places: Vec<Lvalue> = operands.iter().map(|operand| self.place(operand)).collect();
        let called = match found {
            Found::One(found) => self.call_operator_found(&found, &places, range),
            _ => None,
        };
        called.or_else(|| {
            self.unsupported(
                range,
                &format!("`{name}`"),
                "which operator is meant is not known",
                Effect::Control,
            );
            Some(Called::Value(Value::Unknown))
        })
    }

    fn address_of(&mut self, arg: &Expr, range: Range) -> Value {
        // In parentheses, the name would mean a member of `this`.
        if let ExprKind::Name(name) = &arg.kind
            && arg.range.start == range.start + 1
            && let Some(member) = self.pointer_to_member(name)
        {
            return member;
        }
        if let ExprKind::Name(name) = &arg.kind
            && name
                .as_simple()
                .is_none_or(|simple| self.lookup(simple).is_none())
            && !self.index.functions(&name.base).is_empty()
            && self.index.global(&name.base).is_none()
            && self.this_place().is_none()
        {
            let scope = self.scope();
            return Value::Function(Rc::new(Callable::Named(name.clone(), scope)));
        }
        if let Some(value) = self.user_operator("operator&", &[arg], range) {
            return value;
        }
        let place = self.place(arg);
        self.address_of_place(place, range)
    }

    /// A pointer to a place.
    pub(crate) fn address_of_place(&mut self, place: Lvalue, range: Range) -> Value {
        if let Lvalue::Variable { var, .. } = &place
            && self.undefined.contains(var)
        {
            let why = "of something that nothing defines";
            self.unsupported(range, "address", why, Effect::Access);
        }
        match self.in_bytes(place) {
            Lvalue::Memory { targets, ty } => Value::Pointer(Pointer {
                targets,
                element: ty,
            }),
            _ => {
                self.unsupported(
                    range,
                    "address",
                    "of something that is not understood",
                    Effect::Access,
                );
                Value::Unknown
            }
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, lhs: &Expr, rhs: &Expr, range: Range) -> Value {
        let name = format!("operator{}=", op.map_or("", BinaryOp::text));
        if let Some(value) = self.user_operator(&name, &[lhs, rhs], range) {
            return value;
        }
        if let (None, ExprKind::InitList(items)) = (op, &rhs.kind) {
            let place = self.place(lhs);
            let ty = match &place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
                Lvalue::Unknown => Ty::Void,
            };
            let value = self.construct_value(&ty, items, range);
            self.write(&place, value.clone(), range);
            return value;
        }
        // `v += w` by `operator+` alone is no C++; without either it is the operator on bytes.
        let target = self.static_type(lhs);
        let right = match (&target, op) {
            (Ty::Opaque { .. }, _) | (_, Some(_)) => self.scalar_expr(rhs),
            (ty, None) => self.expr_as(rhs, ty),
        };
        let place = self.place(lhs);
        let operation = op.map_or("store", |op| op.text());
        if let Some(value) = self.atomic_operator(&place, operation, range) {
            return value;
        }
        let value = match op {
            None => right,
            Some(op) => {
                let old = self.read(&place, lhs.range);
                let by_members = match &old {
                    Value::Struct(_) => {
                        let types = (&target, &self.static_type(rhs));
                        self.vector_operation(op, (&old, &right), types, range)
                    }
                    _ => None,
                };
                match by_members {
                    Some(value) => value,
                    None => self.binary(op, old, right, range),
                }
            }
        };
        self.write(&place, value.clone(), range_of_write(lhs, range, op));
        // The value of an assignment is that of the variable after it, without another access.
        match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => {
                self.convert(value, ty, range)
            }
            Lvalue::Unknown => value,
        }
    }

    fn increment(&mut self, increment: bool, prefix: bool, arg: &Expr, range: Range) -> Value {
        let name = if increment {
            "operator++"
        } else {
            "operator--"
        };
        // `x++` is `operator++(x, 0)`.
        let zero = Expr {
            kind: ExprKind::Int {
                value: 0,
                ty: Scalar::Int,
            },
            range,
        };
        let operands = if prefix { vec![arg] } else { vec![arg, &zero] };
        if let Some(value) = self.user_operator(name, &operands, range) {
            return value;
        }
        let place = self.place(arg);
        if let Some(value) = self.atomic_operator(&place, "increment", range) {
            return value;
        }
        let old = self.read(&place, range);
        let one = Value::Term(self.int(1));
        let op = if increment {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        let new = self.binary(op, old.clone(), one, range);
        self.write(&place, new.clone(), range);
        if prefix {
            match &place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => {
                    self.convert(new, ty, range)
                }
                Lvalue::Unknown => new,
            }
        } else {
            old
        }
    }
}

/// A plain assignment's write is the whole statement; a compound one's is its target.
fn range_of_write(lhs: &Expr, range: Range, op: Option<BinaryOp>) -> Range {
    if op.is_some() { range } else { lhs.range }
}
