//! Expressions to values, in C's order of evaluation where it is defined and left to right elsewhere.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer};
use super::types::{self, Extent, Ty};
use super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The value of an expression; its accesses and effects happen.
    pub(crate) fn expr(&mut self, expr: &Expr) -> Value {
        let range = expr.range;
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
                let left = self.expr(left);
                let right = self.expr(right);
                self.binary(*op, left, right, range)
            }
            ExprKind::Assign { op, lhs, rhs } => self.assign(*op, lhs, rhs, range),
            ExprKind::IncDec {
                increment,
                prefix,
                arg,
            } => self.increment(*increment, *prefix, arg, range),
            ExprKind::Conditional { cond, then, els } => self.conditional(cond, then, els, range),
            ExprKind::Cast { ty, arg, .. } => {
                let to = self.resolve(ty);
                let value = self.expr(arg);
                if to == Ty::Void {
                    Value::Void
                } else {
                    self.convert(value, &to, range)
                }
            }
            ExprKind::Construct { ty, args, .. } => self.construct(ty, args, range),
            ExprKind::Call { callee, args } => self.call(callee, args, range),
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
            ExprKind::SizeofExpr(arg) => {
                // The operand is not evaluated: what it does is undone.
                let mark = self.mark();
                let (frontier, env) = (self.frontier.clone(), self.env.clone());
                let ty = match self.place(arg) {
                    Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty,
                    Lvalue::Unknown => Ty::Opaque {
                        name: "unknown".to_owned(),
                        bytes: None,
                    },
                };
                self.undo(&mark);
                (self.frontier, self.env) = (frontier, env);
                self.size_value(&ty, range)
            }
            ExprKind::AlignofType(ty) => {
                let align = self.resolve(ty).align();
                Value::Term(self.facts.terms.constant(i128::from(align), CType::U64))
            }
            ExprKind::Comma(first, second) => {
                self.expr(first);
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
            ExprKind::StmtExpr(block) => {
                self.block(block);
                self.unsupported(
                    range,
                    "statement expression",
                    "its value is not modelled",
                    Effect::Nothing,
                );
                Value::Unknown
            }
            ExprKind::This => {
                self.opaque(range, "`this`", "methods are not modelled", Effect::Access)
            }
            ExprKind::Lambda(_) => {
                self.opaque(range, "lambda expression", "not modelled", Effect::Control)
            }
            ExprKind::Launch { .. } => self.opaque(
                range,
                "launch from device code",
                "not modelled",
                Effect::Control,
            ),
            ExprKind::Asm(_) => {
                self.opaque(range, "inline assembly", "not modelled", Effect::Control)
            }
            ExprKind::Unsupported { what } => {
                self.opaque(range, what, "not understood", Effect::Control)
            }
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

    /// The value of a name.
    pub(crate) fn name(&mut self, name: &Name) -> Value {
        let range = name.range;
        match self.lookup(&name.base).cloned() {
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
        if let Some((array, ty)) = self.global_array(&name.base) {
            let place = self.whole(array, ty);
            return self.read(&place, range);
        }
        if name.base == "warpSize" {
            return Value::Term(self.int(32));
        }
        if let Some(value) = self.constant_global(name) {
            return value;
        }
        if self.index.functions(&name.base).is_empty()
            && let Some(value) = self.library_constant(name)
        {
            return value;
        }
        let undefined = format!("`{}`, which nothing defines", name.path());
        if !self.index.functions(&name.base).is_empty() {
            return Value::Unknown;
        }
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
            text: format!("{}; define it with -D", undefined.replace('`', "")),
        };
        if self.trial == 0 && !self.facts.note.contains(&note) {
            self.facts.note.push(note);
        }
        Value::Term(self.unknown(&undefined, range, CType::I32, true))
    }

    /// `const int n = 4;`, enumerators, `constexpr` globals.
    fn constant_global(&mut self, name: &Name) -> Option<Value> {
        if let Some((enumeration, position)) = self.index.enumerator(&name.base) {
            let mut value = 0i64;
            for enumerator in &enumeration.values[..=position] {
                if let Some(expr) = &enumerator.value {
                    let Value::Term(term) = self.expr(expr) else {
                        return None;
                    };
                    value = i64::try_from(self.facts.terms.as_const(term)?).ok()?;
                } else if enumerator.range != enumeration.values[0].range {
                    value += 1;
                }
            }
            return Some(Value::Term(self.int(value)));
        }
        let global = self.index.global(&name.base)?;
        if !(global.ty.is_const || global.storage.constexpr) {
            return None;
        }
        let Init::Expr(init) = &global.init else {
            return None;
        };
        let ty = self.resolve(&global.ty);
        let value = self.expr(init);
        Some(self.convert(value, &ty, name.range))
    }

    /// `threadIdx.x` and its kin.
    fn builtin_member(&mut self, base: &Expr, field: &str) -> Option<TermId> {
        let ExprKind::Name(name) = &base.kind else {
            return None;
        };
        let builtin = name.as_simple()?;
        if self.lookup(builtin).is_some() {
            return None;
        }
        let axis = Axis::ALL.into_iter().find(|axis| axis.name() == field)?;
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
        match self.place(arg) {
            Lvalue::Memory { targets, ty } => Value::Pointer(Pointer {
                targets,
                element: ty,
            }),
            Lvalue::Variable { var, path, ty } => {
                let mut offset = 0;
                let mut at = self.variables[var.0 as usize].1.clone();
                for field in &path {
                    let Ty::Struct(layout) = &at else {
                        return Value::Unknown;
                    };
                    let Some((_, ty, start)) = layout
                        .fields
                        .iter()
                        .find(|(name, ..)| name == field)
                        .cloned()
                    else {
                        return Value::Unknown;
                    };
                    offset += start;
                    at = ty;
                }
                let offset = self.facts.terms.constant(i128::from(offset), CType::I64);
                let target = Target {
                    condition: None,
                    base: Base::Variable(var),
                    offset,
                };
                Value::Pointer(Pointer {
                    targets: vec![target],
                    element: ty,
                })
            }
            Lvalue::Unknown => {
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
        let value = self.expr(arg);
        if op == UnaryOp::Not {
            let condition = self.condition_of(&value, range);
            return Value::Term(self.facts.terms.not(condition));
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
        left: Value,
        right: Value,
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
                if let Some(value) = self.pointer_pair(op, a, b) {
                    return value;
                }
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
        if one.base != other.base || matches!(one.base, Base::Unknown) {
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
                let op = if op == B::Shl { Op::Shl } else { Op::Shr };
                return self.facts.terms.binary(op, ty, left, right);
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
        let result = if comparison { CType::Bool } else { ty };
        self.facts.terms.binary(term_op, result, left, right)
    }

    /// `a && b`, `a || b`: the right operand is evaluated under the left one.
    fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr, range: Range) -> Value {
        let value = self.expr(left);
        let first = self.condition_of(&value, left.range);
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
                    let value = me.expr(right);
                    second = Some(me.condition_of(&value, right.range));
                }
            },
            &mut |_| {},
        );
        if !and {
            self.branch(first, range, &mut |_| {}, &mut |me| {
                let value = me.expr(right);
                second = Some(me.condition_of(&value, right.range));
            });
        }
        let second = second.unwrap_or(first);
        Value::Term(if and {
            self.facts.terms.and(first, second)
        } else {
            self.facts.terms.or(first, second)
        })
    }

    fn conditional(&mut self, cond: &Expr, then: &Expr, els: &Expr, range: Range) -> Value {
        let value = self.expr(cond);
        let condition = self.condition_of(&value, cond.range);
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
            (Some(one), None) | (None, Some(one)) => one,
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
            other => other,
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, lhs: &Expr, rhs: &Expr, range: Range) -> Value {
        if let (None, ExprKind::InitList(items)) = (op, &rhs.kind) {
            let place = self.place(lhs);
            let ty = match &place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
                Lvalue::Unknown => Ty::Void,
            };
            let value = self.aggregate(&ty, items, range);
            self.write(&place, value.clone(), range);
            return value;
        }
        let right = self.expr(rhs);
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

    fn construct(&mut self, ty: &Type, args: &[Expr], range: Range) -> Value {
        let ty = self.resolve(ty);
        match &ty {
            Ty::Struct(_) => self.aggregate(&ty, args, range),
            Ty::Scalar(_) | Ty::Pointer(_) | Ty::Opaque { .. } => {
                let values: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
                match values.into_iter().next() {
                    Some(value) => self.convert(value, &ty, range),
                    None => {
                        let zero = Value::Term(self.int(0));
                        self.convert(zero, &ty, range)
                    }
                }
            }
            _ => {
                for arg in args {
                    self.expr(arg);
                }
                self.opaque(
                    range,
                    "constructor call",
                    "its class is not understood",
                    Effect::Control,
                )
            }
        }
    }

    /// `{a, b}` as a value of a class or scalar; `dim3`'s missing members are 1.
    pub(crate) fn aggregate(&mut self, ty: &Ty, items: &[Expr], range: Range) -> Value {
        match ty {
            Ty::Struct(layout) => {
                if let Some(reference) = self.atomic_reference(ty, items) {
                    return reference;
                }
                let layout = Rc::clone(layout);
                let mut fields = Vec::with_capacity(layout.fields.len());
                for (index, (name, field, _)) in layout.fields.iter().enumerate() {
                    let value = match items.get(index) {
                        Some(Expr {
                            kind: ExprKind::InitList(inner),
                            ..
                        }) => self.aggregate(field, inner, range),
                        Some(item) => {
                            let value = self.expr(item);
                            // `float4 v{w}` and the like copy the whole.
                            if items.len() == 1 && is_class_like(&value, &layout) {
                                return value;
                            }
                            self.convert(value, field, item.range)
                        }
                        None => {
                            let missing = Value::Term(self.int(i64::from(layout.name == "dim3")));
                            self.convert(missing, field, range)
                        }
                    };
                    fields.push((name.clone(), value));
                }
                Value::Struct(Rc::new(fields))
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
                    let value = self.aggregate(element, inner, range);
                    known.insert(*offset, value);
                }
                (Some(item), element) => {
                    let value = self.expr(item);
                    let value = self.convert(value, element, item.range);
                    known.insert(*offset, value);
                }
                (None, element) => {
                    let value = self.aggregate(element, &[], range);
                    known.insert(*offset, value);
                }
            }
        }
        *offset = start + i128::from(*count) * i128::from(bytes);
    }
}

/// Whether a class value has the members of a layout.
fn is_class_like(value: &Value, layout: &types::StructTy) -> bool {
    let Value::Struct(fields) = value else {
        return false;
    };
    let names = fields.iter().map(|(name, _)| name);
    names.eq(layout.fields.iter().map(|(name, ..)| name))
}

/// A plain assignment's write is the whole statement; a compound one's is its target.
fn range_of_write(lhs: &Expr, range: Range, op: Option<BinaryOp>) -> Range {
    if op.is_some() { range } else { lhs.range }
}
