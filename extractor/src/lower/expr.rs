//! Expressions to values, in C's order of evaluation where it is defined and left to right elsewhere.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::NOT_PARSED;
use super::body::{Binding, Lowerer};
use super::call::Called;
use super::classes::MAX_DEPTH;
use super::constness::Argument;
use super::conversions::Asked;
use super::objects::in_memory;
use super::overload::Found;
use super::types::{self, Extent, StructTy, Ty};
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
            ExprKind::Str(_) => Value::Pointer(self.pointer(Base::Unknown, Ty::Scalar(CType::I8))),
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
                let left = self.scalar_expr(left);
                let right = self.scalar_expr(right);
                self.binary(*op, left, right, range)
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

    /// The value of a name.
    pub(crate) fn name(&mut self, name: &Name) -> Value {
        let range = name.range;
        let local = name.as_simple().and_then(|simple| self.lookup(simple));
        match local.cloned() {
            Some(Binding::Variable(var)) => {
                let ty = self.variables[var.0 as usize].1.clone();
                return self.read(
                    &Lvalue::Variable {
                        var,
                        path: Vec::new(),
                        ty,
                    },
                    range,
                );
            }
            Some(Binding::Reference(place)) => return self.read(&place, range),
            Some(Binding::Memory { array, ty }) => {
                let place = self.whole(array, ty);
                return self.read(&place, range);
            }
            None => {}
        }
        let scope = self.scope();
        if let Some(simple) = name.as_simple() {
            if let Some(value) = scope.values.get(simple) {
                return value.clone();
            }
            if !self.means_outer(name)
                && let Some(place) = self.own_field(simple, range)
            {
                return self.read(&place, range);
            }
            let mut around = scope.class.clone();
            while let Some(class) = around {
                if !self.is_of_dependent_base(&class, name)
                    && let Some(value) = self.static_member(&class, simple)
                {
                    return value;
                }
                around = class.class.as_ref().and_then(|class| class.around.clone());
            }
        } else if let Some(place) = self.own_qualified_field(name) {
            return self.read(&place, range);
        } else if !name.qualifier.is_empty()
            && let Some(Ty::Struct(class)) = self.qualifying_class(name)
            && let Some(value) = self.static_member(&class, &name.base)
        {
            return value;
        }
        if self.is_of_unknown_template(name) || self.is_of_undecided(name) {
            return Value::Unknown;
        }
        if let Some((array, ty)) = self.global_array(name) {
            let place = self.whole(array, ty);
            return self.read(&place, range);
        }
        if name.base == "warpSize" {
            return Value::Term(self.int(32));
        }
        if let Some(value) = self.constant_global(name) {
            return value;
        }
        if !self.index.functions(&name.base).is_empty() {
            return Value::Function(Rc::new(Callable::Named(name.clone(), scope)));
        }
        if let Some(value) = self.library_constant(name) {
            return value;
        }
        if let Some(value) = self.contract_name(name) {
            return value;
        }
        if let Some(value) = name.as_simple().and_then(|simple| self.builtin(simple)) {
            return value;
        }
        self.met_undefined = true;
        let undefined = format!("`{}`, which nothing defines", name.path());
        let span = self.span(range);
        let (file, line) = {
            let row = &self.facts.span[span.index()];
            (row.file, row.line)
        };
        let note = NoteRow {
            file: Some(file),
            path: self.facts.file[file.index()].path.clone(),
            line,
            kind: NoteKind::UndefinedName,
            text: match name.path() {
                path if path.contains("::") => format!("nothing defines {path}"),
                path => format!("nothing defines {path}; -D {path}=VALUE does"),
            },
        };
        if self.trial == 0 && !self.facts.note.contains(&note) {
            self.facts.note.push(note);
        }
        Value::Term(self.unknown(&undefined, range, CType::I32, true))
    }

    /// `const int n = 4;`, enumerators, `constexpr` globals.
    pub(crate) fn constant_global(&mut self, name: &Name) -> Option<Value> {
        // A constant may be defined by itself in a text that is wrong.
        if self.calls.len() > MAX_DEPTH || self.is_hidden(name) {
            return None;
        }
        let scope = self.scope();
        let path = name.lookup_path();
        let enumerator = self.index.enumerator_at(&path, &scope.path, name.range);
        if let Some((enumeration, position)) = enumerator {
            return self.enumerator_value(enumeration, position);
        }
        let (global, inside) = self.global_meant(name)?;
        if !(global.ty.is_const || global.storage.constexpr) {
            return None;
        }
        // `const int j = k; const int k = 1;` in a namespace: the k outside it is meant.
        let owner = super::unit::enclosing(&global.name);
        let of_class = self.index.classes.iter().any(|class| class.name == owner);
        let behind = global.range.start > name.range.start && name.range != Range::default();
        // A specialisation is one of the template, which stands before it.
        if behind && !of_class && global.special.is_none() {
            return None;
        }
        self.within(inside, |me| {
            let ty = me.resolve(&global.ty);
            let value = match &global.init {
                Init::Expr(init) => me.expr(init),
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) if !matches!(ty, Ty::Array(..)) => me.construct_value(&ty, items, name.range),
                Init::Call(args) => me.construct_value(&ty, args, name.range),
                // An array that never changes: its elements.
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) => {
                    let ty = sized(ty, items.len());
                    let var = me.local_array(&global.name, &ty, Some(items), name.range);
                    return Some(me.read(
                        &Lvalue::Variable {
                            var,
                            path: Vec::new(),
                            ty,
                        },
                        name.range,
                    ));
                }
                _ => return None,
            };
            Some(me.convert(value, &ty, name.range))
        })
    }

    /// `threadIdx.x` and its kin.
    pub(crate) fn builtin_member(&mut self, base: &Expr, field: &str) -> Option<TermId> {
        let ExprKind::Name(name) = &base.kind else {
            return None;
        };
        let builtin = name.as_simple()?;
        if self.lookup(builtin).is_some() {
            return None;
        }
        let axis = Axis::ALL.into_iter().find(|axis| axis.name() == field)?;
        self.builtin_axis(builtin, axis)
    }

    /// All of `threadIdx` and its kin: `const uint3 t = threadIdx;`.
    fn builtin(&mut self, name: &str) -> Option<Value> {
        let fields = Axis::ALL.into_iter().map(|axis| {
            let term = self.builtin_axis(name, axis)?;
            Some((axis.name().to_owned(), Value::Term(term)))
        });
        Some(Value::Struct(Rc::new(fields.collect::<Option<_>>()?)))
    }

    fn builtin_axis(&mut self, builtin: &str, axis: Axis) -> Option<TermId> {
        match builtin {
            "threadIdx" | "blockIdx" => {
                let dimension = if builtin == "threadIdx" {
                    axis as usize
                } else {
                    3 + axis as usize
                };
                if self.facts.terms.as_const(self.dimensions[dimension]) == Some(1) {
                    return Some(self.facts.terms.constant(0, CType::U32));
                }
                let op = if builtin == "threadIdx" {
                    axis.tid()
                } else {
                    axis.bid()
                };
                Some(self.facts.terms.builtin(op))
            }
            "blockDim" => Some(self.dimensions[axis as usize]),
            "gridDim" => Some(self.dimensions[3 + axis as usize]),
            _ => None,
        }
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

    fn unary(&mut self, op: UnaryOp, arg: &Expr, range: Range) -> Value {
        if let Some(value) = self.user_operator(super::typing::unary_name(op), &[arg], range) {
            return value;
        }
        if op == UnaryOp::Not {
            let condition = self.truth_of(arg);
            return Value::Term(self.facts.terms.not(condition));
        }
        let value = self.scalar_expr(arg);
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
    fn pointer_pair(&mut self, op: BinaryOp, a: &Pointer, b: &Pointer) -> Option<Value> {
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
    fn shift_dropping_bits(&mut self, ty: CType, value: TermId, count: TermId) -> TermId {
        let terms = &mut self.facts.terms;
        let Some(unsigned) = ty.unsigned() else {
            return terms.binary(Op::Shl, ty, value, count);
        };
        let value = terms.cast(value, unsigned);
        let left = terms.binary(Op::Shl, unsigned, value, count);
        terms.cast(left, ty)
    }

    /// What is shifted back to the right: in `x << 28 >> 28` the first shift is there to lose bits.
    fn sign_extended(&mut self, term: TermId) -> TermId {
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
    fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr, range: Range) -> Value {
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

    fn conditional(&mut self, whole: &Expr, cond: &Expr, then: &Expr, els: &Expr) -> Value {
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

    fn common_type(&mut self, first: Value, second: Value, range: Range) -> (Value, Value) {
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
                self.binary(op, old, right, range)
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

    /// Whether an item of a list in braces begins a member of a class or array type whose own braces are left out.
    fn goes_inside(&mut self, item: &Expr, field: &Ty) -> bool {
        match field {
            Ty::Array(..) => !matches!(item.kind, ExprKind::Str(_)),
            Ty::Struct(class) => {
                let plain = self.record(class).is_some_and(|record| {
                    let simple = super::unit::last_component(&record.name);
                    self.index.methods(&record.name, simple).is_empty()
                });
                plain && matches!(self.static_type(item), Ty::Scalar(_) | Ty::Pointer(_))
            }
            _ => false,
        }
    }

    /// `{a, b}` as a value of a class without constructors, or of a scalar; `dim3`'s missing members are 1.
    pub(crate) fn aggregate(&mut self, ty: &Ty, items: &[Expr], range: Range) -> Value {
        match ty {
            Ty::Struct(class) => {
                if let Some(reference) = self.atomic_reference(ty, items) {
                    return reference;
                }
                // `float4 v{w}` and the like copy the whole.
                if let [one] = items
                    && !matches!(one.kind, ExprKind::InitList(_))
                    && self.static_type(one) == *ty
                {
                    return self.kept(one, ty);
                }
                let class = Rc::clone(class);
                let declared = self.record(&class);
                let before = self.birth();
                let place = match declared {
                    Some(record) => self.made_in_order(&class, record, items, ty, range),
                    None => None,
                };
                let mut values = Vec::new();
                for (index, (name, field, start)) in class.fields().into_iter().enumerate() {
                    let referent = self.referent(&class, &name);
                    let value = match items.get(index) {
                        item if let Some(referent) = &referent => {
                            let init = item.map_or(Init::None, |item| Init::Expr(item.clone()));
                            self.bound_member(&init, referent, range)
                        }
                        Some(Expr {
                            kind: ExprKind::InitList(inner),
                            ..
                        }) => self.construct_value(&field, inner, range),
                        // `{1, 2, 3}` of a class with an array goes on inside it.
                        Some(item) if self.goes_inside(item, &field) => {
                            let why = "braces are left out";
                            self.unsupported(range, "initialiser", why, Effect::Control);
                            return self.unknown_value(
                                ty,
                                "object whose braces are left out",
                                range,
                            );
                        }
                        Some(item) => self.initialised(item, &field),
                        None => {
                            let own = declared.and_then(|record| {
                                record.fields.iter().find(|field| field.name == name)
                            });
                            match own {
                                Some(VarDecl { init, .. }) if *init != Init::None => {
                                    let scope = self.class_scope(&class);
                                    self.within(scope, |me| {
                                        if let Some(call) = me.calls.last_mut() {
                                            call.this = place.clone();
                                            call.constant_this = Some(false);
                                        }
                                        me.initial(&field, init, range)
                                    })
                                }
                                _ => {
                                    let missing =
                                        Value::Term(self.int(i64::from(class.name == "dim3")));
                                    match &field {
                                        Ty::Array(..) | Ty::Struct(_) => {
                                            self.construct_value(&field, &[], range)
                                        }
                                        _ => self.convert(missing, &field, range),
                                    }
                                }
                            }
                        }
                    };
                    if let Some(place) = &place
                        && value != Value::Uninitialised
                    {
                        let part = self.field_place(place.clone(), &name, range);
                        self.write(&part, value.clone(), range);
                    }
                    values.push((name, value, field, start));
                }
                if let Some(place) = place {
                    let value = self.read_object(&place, range);
                    self.keeps_nothing_since(before, &value, range);
                    return value;
                }
                if in_memory(ty) {
                    let mut known = std::collections::BTreeMap::new();
                    for (_, value, field, start) in &values {
                        let at = i128::from(*start);
                        if let Ty::Bits(bits) = field {
                            let zero = || Value::Term(self.facts.terms.constant(0, bits.unit));
                            let old = known.get(&at).cloned().unwrap_or_else(zero);
                            let number = self.placed_bits(&old, bits, value, range);
                            known.insert(at, number);
                        } else {
                            self.spread(value, field, at, &mut known);
                        }
                    }
                    return self.bytes_object(ty, known, range);
                }
                let fields = values.into_iter().map(|(name, value, ..)| (name, value));
                Value::Struct(Rc::new(fields.collect()))
            }
            _ => {
                let value = match items.first() {
                    Some(item) => self.expr(item),
                    None => Value::Term(self.int(0)),
                };
                self.convert(value, ty, range)
            }
        }
    }

    /// Where an object is made member by member: the initialiser of a member that the list leaves out may name members before it.
    fn made_in_order(
        &mut self,
        class: &Rc<StructTy>,
        record: &Struct,
        items: &[Expr],
        ty: &Ty,
        range: Range,
    ) -> Option<Lvalue> {
        let names = class.fields();
        let left_out = names.iter().skip(items.len()).filter_map(|(name, ..)| {
            let mut fields = record.fields.iter();
            fields.find(|field| field.name == *name)
        });
        let mut looks = false;
        for field in left_out {
            super::walk::in_init(&field.init, &mut |expr| {
                looks |= matches!(
                    expr.kind,
                    ExprKind::Name(_) | ExprKind::This | ExprKind::Lambda(_)
                );
            });
        }
        if !looks {
            return None;
        }
        if names
            .iter()
            .any(|(name, ..)| self.referent(class, name).is_some())
        {
            let why = "a member's own initialiser beside members that are references";
            self.unsupported(range, "initialiser", why, Effect::Control);
            return None;
        }
        Some(self.constructed(ty, Value::Uninitialised, range))
    }

    /// A local array with its initial values.
    pub(crate) fn local_array(
        &mut self,
        name: &str,
        ty: &Ty,
        init: Option<&[Expr]>,
        range: Range,
    ) -> VarId {
        let array = self.array(name, Space::Local, ty, range);
        let element = match ty {
            Ty::Array(element, _) => Ty::clone(element),
            other => other.clone(),
        };
        let local = LocalArray {
            array,
            element,
            bytes: ty.bytes(),
            known: Rc::default(),
        };
        let var = self.variable(name, ty.clone(), Value::Local(local));
        if let Some(items) = init {
            let mut known = std::collections::BTreeMap::new();
            let mut offset = 0;
            self.fill(ty, items, &mut offset, &mut known, range);
            if let Value::Local(mut local) = self.env.get(var).clone() {
                local.known = Rc::new(known);
                self.env.set(var, Value::Local(local));
            }
        }
        var
    }

    fn fill(
        &mut self,
        ty: &Ty,
        items: &[Expr],
        offset: &mut i128,
        known: &mut std::collections::BTreeMap<i128, Value>,
        range: Range,
    ) {
        let Ty::Array(element, Extent::Constant(count)) = ty else {
            return;
        };
        let Some(bytes) = element.bytes() else { return };
        let start = *offset;
        // Missing elements are zero; very long tails are left unknown.
        for index in 0..(*count).min(4096) {
            *offset = start + i128::from(index) * i128::from(bytes);
            match (
                items.get(usize::try_from(index).unwrap_or(usize::MAX)),
                &**element,
            ) {
                (
                    Some(Expr {
                        kind: ExprKind::InitList(inner),
                        ..
                    }),
                    Ty::Array(..),
                ) => {
                    self.fill(element, inner, offset, known, range);
                }
                (None, Ty::Array(..)) => self.fill(element, &[], offset, known, range),
                (Some(_), Ty::Array(..)) => return,
                (
                    Some(Expr {
                        kind: ExprKind::InitList(inner),
                        ..
                    }),
                    element,
                ) => {
                    let value = self.construct_value(element, inner, range);
                    self.spread(&value, element, *offset, known);
                }
                (Some(item), element) => {
                    let value = self.initialised(item, element);
                    self.spread(&value, element, *offset, known);
                }
                (None, element) => {
                    let value = self.construct_value(element, &[], range);
                    self.spread(&value, element, *offset, known);
                }
            }
        }
        *offset = start + i128::from(*count) * i128::from(bytes);
    }
}

/// `T a[] = { … }`
pub(crate) fn sized(ty: Ty, items: usize) -> Ty {
    match ty {
        Ty::Array(element, Extent::Unknown) => Ty::Array(element, Extent::Constant(items as u64)),
        ty => ty,
    }
}

/// A plain assignment's write is the whole statement; a compound one's is its target.
fn range_of_write(lhs: &Expr, range: Range, op: Option<BinaryOp>) -> Range {
    if op.is_some() { range } else { lhs.range }
}
