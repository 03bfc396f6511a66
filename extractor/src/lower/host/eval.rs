//! Host expressions: their values. Places that they denote are in [`super::places`], operators in [`super::operators`].

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::bound::Made;
use super::operators::{EXACT_IN_SINGLE, quotient_u32};
use super::term::{self, Term};
use super::value::*;
use crate::lower::types::{self, Ty};
use crate::syntax::ast::*;

/// The class of what `cudaGetDeviceProperties` tells.
const PROPERTIES: &str = "cudaDeviceProp";

impl<'u> Host<'_, 'u> {
    pub(super) fn text_of(&self, range: Range) -> String {
        let text = self.text.get(range.bytes()).unwrap_or("");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The beginning of a text, to be quoted.
    pub(super) fn snippet(&self, range: Range) -> String {
        const LONGEST: usize = 40;
        let text = self.text_of(range);
        match text.chars().count() > LONGEST {
            true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
            false => text,
        }
    }

    /// A fresh scalar of a type.
    pub(super) fn fresh(&mut self, name: &str, ty: CType) -> Term {
        Term::Symbol(self.objects.computed(name), ty)
    }

    /// An integer.
    pub(super) fn scalar(&mut self, expr: &'u Expr) -> Option<Term> {
        match self.eval(expr) {
            Value::Scalar(term) => Some(term),
            _ => None,
        }
    }

    /// A condition; one that is not understood is a fresh symbol.
    pub(super) fn condition(&mut self, expr: &'u Expr) -> Term {
        let value = match self.index.has_conversions() {
            true => {
                let operand = self.operand(expr);
                self.object_converted(&operand).unwrap_or(operand.0)
            }
            false => self.eval(expr),
        };
        match value {
            Value::Scalar(term) => {
                if term.ty() == CType::Bool {
                    term
                } else {
                    let zero = Term::Constant(0, term.ty());
                    term::binary(BinaryOp::Ne, term, zero)
                }
            }
            Value::Pointer(Pointer::Null, _) => term::not(self.null_check()),
            _ => self.fresh("condition", CType::Bool),
        }
    }

    /// What is known of a value that was computed from these.
    pub(super) fn made_of(&mut self, values: &[Value<'u>]) -> Value<'u> {
        self.handed_on(values);
        let mut roots = BTreeSet::new();
        for value in values {
            self.lost(value);
            roots.extend(self.roots_of(value));
        }
        roots.remove(&self.outside);
        Value::Unknown(Rc::new(roots))
    }

    pub(super) fn eval(&mut self, expr: &'u Expr) -> Value<'u> {
        self.steps += 1;
        if self.is_spent() {
            return Value::unknown();
        }
        match &expr.kind {
            ExprKind::Int { value, ty } => Value::Scalar(Term::Constant(
                i128::from(*value),
                types::scalar(*ty).ctype(),
            )),
            ExprKind::Bool(value) => Value::Scalar(Term::Constant(i128::from(*value), CType::Bool)),
            ExprKind::Char { value, .. } => {
                Value::Scalar(Term::Constant(i128::from(*value), CType::I8))
            }
            ExprKind::Float { text, ty } => match text.parse::<f64>() {
                Ok(value) if *ty == Scalar::Double && value.fract() == 0.0 && value.abs() < 1e9 => {
                    Value::Ratio(Term::int(value as i128), Term::int(1), Precision::Double)
                }
                Ok(value)
                    if *ty == Scalar::Float
                        && value.fract() == 0.0
                        && value.abs() <= EXACT_IN_SINGLE as f64 =>
                {
                    Value::Ratio(Term::int(value as i128), Term::int(1), Precision::Single)
                }
                _ => Value::unknown(),
            },
            ExprKind::Nullptr => Value::Pointer(Pointer::Null, Ty::Void),
            ExprKind::Name(name) => self.name(name),
            ExprKind::This => match self.frame().this.clone() {
                Some(this) => {
                    self.addressed(&this);
                    let ty = Ty::Opaque {
                        name: self.frame().owner.clone().unwrap_or_default(),
                        bytes: None,
                    };
                    Value::Pointer(Pointer::At(this, Term::bytes(0)), ty)
                }
                None => Value::unknown(),
            },
            ExprKind::Unary(op, arg) => self.unary(*op, arg),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional { cond, then, els } => {
                let cond = self.condition(cond);
                if let Some(chosen) = cond.as_constant() {
                    let (taken, other) = if chosen == 0 {
                        (els, then)
                    } else {
                        (then, els)
                    };
                    let value = self.eval(taken);
                    // `true ? -1 : 0u` is of the type that both come to.
                    let Value::Scalar(term) = value else {
                        return value;
                    };
                    let state = self.state.clone();
                    let other = self.eval(other);
                    self.state = state;
                    return match other {
                        Value::Scalar(other) => {
                            Value::Scalar(term::cast(term.ty().common(other.ty()), term))
                        }
                        _ => Value::Scalar(term),
                    };
                }
                let then = self.eval(then);
                let els = self.eval(els);
                let (then, els) = match (then, els) {
                    (Value::Scalar(a), Value::Scalar(b)) if a.ty() != b.ty() => {
                        let ty = a.ty().common(b.ty());
                        (
                            Value::Scalar(term::cast(ty, a)),
                            Value::Scalar(term::cast(ty, b)),
                        )
                    }
                    arms => arms,
                };
                let els = match (&then, els) {
                    (Value::Pointer(_, ty), els) => {
                        let ty = ty.clone().pointer_to();
                        self.converted(els, &ty, "pointer")
                    }
                    (_, els) => els,
                };
                self.choice(&cond, then, els)
            }
            ExprKind::Assign { op, lhs, rhs } => self.assign(*op, lhs, rhs),
            ExprKind::IncDec {
                increment,
                prefix,
                arg,
            } => {
                let operand = self.operand(arg);
                let (old, target) = operand.clone();
                let operator = if *increment { "++" } else { "--" };
                let new = match &old {
                    old if self.enumeration_operator(operator, &[arg]) => {
                        let new = self.made_of(std::slice::from_ref(old));
                        self.store_at(arg, target, new.clone());
                        return new;
                    }
                    _ if self.class_operator(operator, std::slice::from_ref(&operand)) => {
                        return self.result_of(std::slice::from_ref(&operand));
                    }
                    Value::Scalar(term) => {
                        let op = if *increment {
                            BinaryOp::Add
                        } else {
                            BinaryOp::Sub
                        };
                        let sum = term::binary(op, term.clone(), Term::int(1));
                        Value::Scalar(self.bounded(sum))
                    }
                    Value::Pointer(pointer, element) => {
                        let step = Term::int(if *increment { 1 } else { -1 });
                        let bytes = self.scaled(&step, element);
                        Value::Pointer(self.advanced(pointer, &bytes), element.clone())
                    }
                    other => self.made_of(std::slice::from_ref(other)),
                };
                self.store_at(arg, target.clone(), new.clone());
                if *prefix {
                    self.stored(target, new)
                } else {
                    old
                }
            }
            ExprKind::AddressOf(arg) => self.address(arg),
            ExprKind::Member { base, field, .. }
                if field.base == "warpSize" && self.is_of_device(base) =>
            {
                self.eval(base);
                Value::Scalar(Term::int(32))
            }
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                match self.place(expr) {
                    Some((place, ty)) => self.value_at(&place, &ty),
                    None => self.part(expr),
                }
            }
            ExprKind::Cast { ty, arg, .. } => {
                let to_number =
                    self.index.has_conversions() && matches!(self.resolve(ty), Ty::Scalar(_));
                let value = match to_number {
                    true => {
                        let operand = self.operand(arg);
                        self.object_converted(&operand).unwrap_or(operand.0)
                    }
                    false => self.eval(arg),
                };
                self.bound_by_items(ty, std::slice::from_ref(arg), Made::Converted, false);
                self.cast(ty, value, expr.range)
            }
            ExprKind::Construct { ty, args, braces } => {
                let resolved = self.resolve(ty);
                let value = match *braces && self.takes_list(&resolved) {
                    true => {
                        let values: Vec<Value<'u>> =
                            args.iter().map(|arg| self.eval(arg)).collect();
                        let list = self.list(values);
                        self.list_as(&resolved, list)
                    }
                    false => self.construct(ty, &resolved, args),
                };
                self.bound_by_items(ty, args, Made::Directly, *braces);
                value
            }
            ExprKind::InitList(items)
                if items
                    .iter()
                    .any(|item| matches!(item.kind, ExprKind::Designated { .. })) =>
            {
                self.designated(items)
            }
            ExprKind::InitList(items) => {
                let values: Vec<Value<'u>> = items.iter().map(|arg| self.eval(arg)).collect();
                self.list(values)
            }
            ExprKind::Call { callee, args } => {
                let value = self.call(callee, args, expr);
                self.stir();
                value
            }
            ExprKind::Launch {
                kernel,
                config,
                args,
            } => {
                self.launch_expression(kernel, config, args, expr.range);
                Value::unknown()
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve(ty);
                match ty.bytes() {
                    Some(bytes) => Value::Scalar(Term::Constant(i128::from(bytes), CType::U64)),
                    None => Value::unknown(),
                }
            }
            ExprKind::SizeofExpr(inner) => {
                // The operand is not evaluated.
                let before = self.state.clone();
                let ty = match self.place(inner) {
                    Some((_, ty)) => ty,
                    None => unknown_type(),
                };
                self.state = before;
                match ty.bytes() {
                    Some(bytes) => Value::Scalar(Term::Constant(i128::from(bytes), CType::U64)),
                    None => Value::unknown(),
                }
            }
            ExprKind::Lambda(lambda) => self.closure(lambda),
            ExprKind::StmtExpr(block) => self.statement_expression(block),
            ExprKind::Comma(left, right) => {
                let operands = [self.operand(left), self.operand(right)];
                self.comma_operator(&operands);
                let [_, (value, _)] = operands;
                value
            }
            ExprKind::New { ty, operands } => self.made_new(ty, operands, expr.range),
            ExprKind::Delete(deleted) => self.deleted(deleted),
            ExprKind::Unsupported { .. }
            | ExprKind::Designated { .. }
            | ExprKind::Asm(_)
            | ExprKind::Expand(_)
            | ExprKind::Fold(_)
            | ExprKind::MemberPointer { .. }
            | ExprKind::SizeofPack(_) => self.not_understood(expr.range),
            ExprKind::Str(_) | ExprKind::AlignofType(_) => Value::unknown(),
        }
    }

    /// Whether an expression gives properties of a device, of CUDA's class: `p.warpSize`, `at::cuda::getCurrentDeviceProperties()`.
    fn is_of_device(&mut self, base: &'u Expr) -> bool {
        if self.index.declares_type(PROPERTIES) {
            return false;
        }
        if let ExprKind::Call { callee, .. } = &base.kind {
            return matches!(&callee.kind, ExprKind::Name(name) if name.base == "getCurrentDeviceProperties" && name.qualifier.first().is_some_and(|outer| outer.name == "at"));
        }
        let mut ty = self.written_type(base);
        while let Some(Type {
            kind: TypeKind::Pointer(to),
            ..
        }) = ty
        {
            ty = Some(*to);
        }
        ty.is_some_and(|ty| matches!(&ty.kind, TypeKind::Named(name) if name.base == PROPERTIES))
    }

    /// What a place holds; arrays decay to pointers.
    fn value_at(&mut self, place: &Place, ty: &Ty) -> Value<'u> {
        match ty {
            Ty::Array(element, _) => {
                self.addressed(place);
                let pointer = Pointer::At(place.clone(), Term::bytes(0));
                Value::Pointer(pointer, (**element).clone())
            }
            ty => self.read(place, ty),
        }
    }

    fn name(&mut self, name: &'u Name) -> Value<'u> {
        if let Some((place, ty)) = self.named(name) {
            let value = self.value_at(&place, &ty);
            if matches!(value, Value::Function(_)) {
                // Where it goes from here is not followed.
                self.lost(&value);
            }
            return value;
        }
        let base = name.base.as_str();
        if self.is_vague_reference(name) {
            return self.anywhere();
        }
        if let Some(object) = self.referring_object(name) {
            return Value::Unknown(Rc::new(self.held_by(&object)));
        }
        if let Some(value) = self.frame().values.get(base).filter(|_| !name.global) {
            return Value::Scalar(value.clone());
        }
        if let Some(kernel) = self.kernel(name) {
            self.as_values.extend(&kernel.kernels);
            return Value::Kernels(Rc::new(vec![kernel]));
        }
        if let Some(term) = self.enumerator(name) {
            return Value::Scalar(term);
        }
        if let Some(term) = self.constant_of_instance(name) {
            return Value::Scalar(term);
        }
        for function in self.index.functions(base) {
            // Its address is taken: it may be called with anything.
            if !function.quals.global && function.body.is_some() {
                self.wants(function);
            }
        }
        match base {
            "warpSize" if name.qualifier.is_empty() => Value::Scalar(Term::int(32)),
            _ => Value::unknown(),
        }
    }

    pub(super) fn enumerator(&mut self, written: &Name) -> Option<Term> {
        let scope = self.frame().types.path.clone();
        let path = written.path();
        let (enumeration, position) = self.index.enumerator_at(&path, &scope, written.range)?;
        let name = written.base.as_str();
        let mut value = 0i128;
        for enumerator in enumeration.values.get(..=position)? {
            if let Some(written) = &enumerator.value {
                match self.eval(written) {
                    Value::Scalar(term) => value = term.as_constant()?,
                    _ => return None,
                }
            }
            if enumerator.name == name {
                return match &enumeration.underlying {
                    Some(ty) => match self.resolve(ty) {
                        Ty::Scalar(ty) => Some(Term::Constant(ty.wrap(value), ty)),
                        _ => None,
                    },
                    // Beyond `int` the type depends on all the values.
                    None if enumeration.wide || !CType::I32.holds(value) => None,
                    None => Some(Term::int(value)),
                };
            }
            value += 1;
        }
        None
    }

    /// A part of something that is no place: `make_dim3(8).x`.
    fn part(&mut self, expr: &'u Expr) -> Value<'u> {
        let (base, field) = match &expr.kind {
            ExprKind::Member { base, field, .. } => (base, Some(field.base.as_str())),
            ExprKind::Index { base, .. } => (base, None),
            ExprKind::Deref(inner) => (inner, None),
            _ => return Value::unknown(),
        };
        // Looking for the place has changed it before.
        let changes = matches!(base.kind, ExprKind::IncDec { .. } | ExprKind::Assign { .. });
        let before = changes.then(|| self.state.clone());
        let value = self.eval(base);
        if let Some(before) = before {
            self.state = before;
        }
        if let (Value::Tree(parts, None), Some(field)) = (&value, field)
            && let Some((_, value)) = parts
                .iter()
                .find(|(path, _)| matches!(path.as_slice(), [Step::Field(name)] if name == field))
        {
            return value.clone();
        }
        // Read through one of several pointers.
        let roots = self.roots_of(&value);
        let roots = self.found_behind(roots);
        Value::Unknown(Rc::new(roots))
    }

    /// The value of an expression, and the place when it is an lvalue.
    pub(super) fn operand(&mut self, expr: &'u Expr) -> (Value<'u>, Option<(Place, Ty)>) {
        if let Some(object) = self.forwarded(expr) {
            return self.operand(object);
        }
        let is_lvalue = matches!(
            &expr.kind,
            ExprKind::Name(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
                | ExprKind::Deref(_)
                | ExprKind::Assign { .. }
                | ExprKind::IncDec { prefix: true, .. }
                | ExprKind::Call { .. }
        );
        if is_lvalue && let Some((place, ty)) = self.place(expr) {
            return (self.value_at(&place, &ty), Some((place, ty)));
        }
        let value = match &expr.kind {
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                self.part(expr)
            }
            _ => self.eval(expr),
        };
        // `c ? a : b` is one of the two.
        if let ExprKind::Conditional { then, els, .. } = &expr.kind
            && self.some_constructor_may_write()
        {
            for arm in [then, els] {
                if let Some((place, ty)) = self.place(arm)
                    && matches!(ty, Ty::Struct(_) | Ty::Opaque { .. })
                {
                    self.watch(place.root);
                }
            }
        }
        (value, None)
    }

    /// What `std::move(a)`, `static_cast<T &&>(t)` and the like give: the object itself.
    fn forwarded(&mut self, expr: &'u Expr) -> Option<&'u Expr> {
        match &expr.kind {
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Name(name), [one])
                    if matches!(name.base.as_str(), "move" | "forward" | "as_const")
                        && matches!(&name.qualifier[..], [std] if std.name == "std") =>
                {
                    Some(one)
                }
                _ => None,
            },
            ExprKind::Cast { ty, arg, .. } => {
                let to = match &ty.kind {
                    TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
                    _ => return None,
                };
                let ExprKind::Name(name) = &arg.kind else {
                    return None;
                };
                let (_, own) = self.named(name)?;
                let is_its_class = matches!(own, Ty::Struct(_)) && self.resolve(to) == own;
                is_its_class.then_some(arg)
            }
            _ => None,
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, lhs: &'u Expr, rhs: &'u Expr) -> Value<'u> {
        let Some(op) = op else {
            let operand = self.operand(rhs);
            let target = self.place(lhs);
            if let Some(target) = &target {
                self.bound_by_assignment(target, rhs);
            }
            if let Some((place, ty)) = &target {
                self.made_of_other(ty, &operand);
                let written = self.written.get(&place.root).cloned();
                let written = written.filter(|_| place.path.is_empty());
                if let Some(value) = self.container_copied(ty, written.as_ref(), rhs, &operand.0) {
                    let held = self.roots_of(&value);
                    self.havoc_copied(place, held);
                    return self.stored(target, value);
                }
                let object = (Value::unknown(), Some((place.clone(), ty.clone())));
                let operands = [object, operand.clone()];
                // What the assignment of its class does is not followed.
                if self.class_assignment(&operands) {
                    return self.result_of(&operands);
                }
            }
            let value = operand.0;
            self.store_at(lhs, target.clone(), value.clone());
            return self.stored(target, value);
        };
        // The right side comes first.
        let by = self.eval(rhs);
        let (old, target) = self.operand(lhs);
        let operands = [(old.clone(), target.clone()), (by.clone(), None)];
        if self.class_operator(&format!("{}=", op.text()), &operands) {
            return self.result_of(&operands);
        }
        let value = match self.enumeration_operator(op.text(), &[lhs, rhs]) {
            true => self.made_of(&[old, by]),
            false => self.operation(op, old, by),
        };
        self.store_at(lhs, target.clone(), value.clone());
        self.stored(target, value)
    }

    /// What an assignment gives: a number as it is in the variable.
    fn stored(&mut self, target: Option<(Place, Ty)>, value: Value<'u>) -> Value<'u> {
        match (target, value) {
            (Some((_, Ty::Scalar(ty))), Value::Scalar(term)) if ty.is_integer() => {
                Value::Scalar(term::cast(ty, term))
            }
            (_, value) => value,
        }
    }

    /// Stores in an lvalue.
    pub(super) fn store_at(
        &mut self,
        lhs: &'u Expr,
        target: Option<(Place, Ty)>,
        value: Value<'u>,
    ) {
        match target {
            Some((place, ty)) => {
                if self.objects.get(place.root).is_global {
                    // Other functions may launch what they find there.
                    self.lost(&value);
                    self.note_stored(&place, &value);
                }
                let value = match (&ty, value) {
                    (Ty::Struct(_), Value::Tree(parts, None))
                        if parts
                            .iter()
                            .any(|(path, _)| !matches!(path.first(), Some(Step::Field(_)))) =>
                    {
                        let items = parts.iter().map(|(_, value)| value.clone()).collect();
                        self.constructed(&ty, items)
                    }
                    (_, value) => value,
                };
                self.write(&place, &ty, value);
            }
            None => {
                if let ExprKind::Name(name) = &lhs.kind
                    && self.is_some_number(name)
                {
                    self.havoc_reached(&[value]);
                    return;
                }
                // Through one of several pointers, or not understood.
                let mut values = vec![value];
                let mut inner = lhs;
                let mut before = None;
                loop {
                    inner = match &inner.kind {
                        ExprKind::Member { base, .. } | ExprKind::Deref(base) => base,
                        ExprKind::Index { base, index } => {
                            before.get_or_insert_with(|| self.state.clone());
                            values.push(self.eval(index));
                            base
                        }
                        _ => break,
                    };
                }
                let is_name = matches!(inner.kind, ExprKind::Name(_) | ExprKind::This);
                if !is_name {
                    before.get_or_insert_with(|| self.state.clone());
                }
                values.push(self.eval(inner));
                if let Some(before) = before
                    && !is_name
                    && !std::ptr::eq(inner, lhs)
                {
                    self.ran_before(inner, before);
                }
                // `(c ? a : b) = 1;`, `f() = 1;`
                if matches!(
                    inner.kind,
                    ExprKind::Conditional { .. } | ExprKind::Call { .. }
                ) {
                    self.may_refer(inner);
                    values.push(Value::unknown());
                }
                self.lost(&values[0].clone());
                self.store_anywhere(&values[1..], &values[..1]);
            }
        }
    }

    pub(super) fn address(&mut self, arg: &'u Expr) -> Value<'u> {
        if let ExprKind::Name(name) = &arg.kind
            && self.named(name).is_none()
        {
            return self.name(name);
        }
        match self.place(arg) {
            Some((place, ty)) if self.defines_member(&ty, "operator&") => {
                self.addressed(&place);
                Value::Unknown(Rc::new(self.held_by(&place)))
            }
            Some((place, ty)) => {
                self.addressed(&place);
                Value::Pointer(Pointer::At(place, Term::bytes(0)), ty)
            }
            None => {
                let value = self.part(arg);
                self.made_of(&[value])
            }
        }
    }

    fn cast(&mut self, ty: &Type, value: Value<'u>, range: Range) -> Value<'u> {
        let ty = self.resolve(ty);
        match (&ty, &value) {
            (Ty::Struct(_), Value::Scalar(_)) => self.constructed(&ty, vec![value]),
            (_, Value::Kernels(_) | Value::Closure(_)) => value,
            // A pointer as an integer: it counts bytes.
            (Ty::Scalar(ctype), Value::Pointer(..)) if ctype.is_integer() => {
                self.converted(value, &ty, "number")
            }
            (Ty::Scalar(_), _) => {
                let name = self.text_of(range);
                self.converted(value, &ty, &name)
            }
            (Ty::Pointer(to), Value::Pointer(pointer, from)) => {
                // What is read through it is made of the bytes of something else.
                let object =
                    |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Struct(_) | Ty::Opaque { .. });
                let is_member = matches!((&**to, from), (Ty::Pointer(_), Ty::Struct(_)));
                if **to != *from
                    && (object(to) && object(from) || is_member)
                    && let Pointer::At(place, _) = pointer
                    && self.objects.get(place.root).kind == Kind::Variable
                {
                    let root = place.root;
                    self.watch(root);
                    return Value::Unknown(Rc::new(BTreeSet::from([root])));
                }
                self.converted(value, &ty, "pointer")
            }
            (Ty::Pointer(_), _) => self.converted(value, &ty, "pointer"),
            (Ty::Opaque { .. }, Value::Scalar(_)) => {
                let text = self.text_of(range);
                self.converted(value, &ty, &text)
            }
            _ => value,
        }
    }

    /// `std::forward<T>(x)`: what is no `T` is converted to one first.
    pub(super) fn converted_forward(&mut self, callee: &Name, arg: &'u Expr) -> Value<'u> {
        let value = self.eval(arg);
        let to = match callee.args.as_deref() {
            Some([TemplateArg::Type(ty)]) => self.resolve(ty),
            _ => return value,
        };
        match (&to, &value) {
            (Ty::Scalar(_) | Ty::Opaque { .. }, Value::Scalar(_)) => {
                self.converted(value, &to, "forward")
            }
            _ => value,
        }
    }

    /// `T(a, b)` and `T{a, b}` of a class with a plain layout.
    pub(super) fn constructed(&mut self, ty: &Ty, values: Vec<Value<'u>>) -> Value<'u> {
        match ty {
            Ty::Struct(layout) => {
                let is_dim3 = layout.name == "dim3";
                let fields = layout.fields();
                // A copy, and not the first member in braces.
                let is_member = |(path, _): &(Vec<Step>, Value<'u>)| {
                    let of = |name: &String| fields.iter().any(|(field, ..)| field == name);
                    matches!(path.first(), Some(Step::Field(name)) if of(name))
                };
                match values.as_slice() {
                    [one @ Value::Initial(..)] => return one.clone(),
                    [one @ Value::Tree(parts, base)]
                        if base.is_some() || is_dim3 || parts.iter().all(is_member) =>
                    {
                        return one.clone();
                    }
                    _ => {}
                }
                if !is_dim3 {
                    self.parts_made(&layout.name);
                }
                if values.len() > fields.len() {
                    return self.made_of(&values);
                }
                let mut parts = Vec::new();
                for (position, (field, field_ty, _)) in fields.iter().enumerate() {
                    let value = match values.get(position) {
                        Some(value) => self.converted(value.clone(), field_ty, field),
                        None if is_dim3 => Value::Scalar(Term::Constant(1, CType::U32)),
                        // `int *b = a;` may be made of the others.
                        None if self.has_own_value(&layout.name, field) => {
                            let value = self.made_of(&values);
                            self.converted(value, field_ty, field)
                        }
                        None => continue,
                    };
                    parts.push((vec![Step::Field(field.clone())], value));
                }
                Value::Tree(Rc::new(parts), None)
            }
            Ty::Scalar(_) | Ty::Pointer(_) => match <[Value<'u>; 1]>::try_from(values) {
                Ok([one]) => self.converted(one, ty, "value"),
                Err(values) => self.made_of(&values),
            },
            _ => self.made_of(&values),
        }
    }

    /// `{a, b}` of a type that is not known yet: its parts by position.
    fn list(&mut self, values: Vec<Value<'u>>) -> Value<'u> {
        let parts = values.into_iter().enumerate().map(|(position, value)| {
            let at = Step::At(Term::bytes(position as i128));
            (vec![at], value)
        });
        Value::Tree(Rc::new(parts.collect()), None)
    }

    /// Whether a class of the unit has a constructor that takes a `std::initializer_list`.
    pub(super) fn takes_list(&self, ty: &Ty) -> bool {
        let Some(class) = super::inherit::class_of(ty) else {
            return false;
        };
        let is_list = |param: &Param| match &param.ty.kind {
            TypeKind::Named(name) => name.base == "initializer_list",
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                matches!(&to.kind, TypeKind::Named(name) if name.base == "initializer_list")
            }
            _ => false,
        };
        let functions = self.index.functions(super::inherit::last(&class)).iter();
        functions
            .into_iter()
            .any(|one| one.owner.is_some() && one.params.iter().any(is_list))
    }

    /// `{.in = a, .out = b}` of a type that is not known yet: its parts by name.
    fn designated(&mut self, items: &'u [Expr]) -> Value<'u> {
        let mut parts = Vec::new();
        for item in items {
            let ExprKind::Designated { field, value } = &item.kind else {
                return self.not_understood(item.range);
            };
            parts.push((vec![Step::Field(field.clone())], self.eval(value)));
        }
        Value::Tree(Rc::new(parts), None)
    }

    /// The members of a plain class that a list gives by name; `None` if it gives others, or leaves one out that has a value of its
    /// own.
    fn named_members(&mut self, ty: &Ty, parts: &[(Vec<Step>, Value<'u>)]) -> Option<Value<'u>> {
        let Ty::Struct(layout) = ty else { return None };
        let of_class = self.index.functions(&layout.name);
        if of_class.iter().any(|function| function.owner.is_some()) {
            return None;
        }
        let mut found = Vec::new();
        for (field, field_ty, _) in layout.fields() {
            let path = vec![Step::Field(field.clone())];
            match parts.iter().find(|(known, _)| *known == path) {
                Some((_, value)) => {
                    let value = self.list_as(&field_ty, value.clone());
                    found.push((path, self.converted(value, &field_ty, &field)));
                }
                None if self.has_own_value(&layout.name, &field) => return None,
                None => {}
            }
        }
        (found.len() == parts.len()).then(|| Value::Tree(Rc::new(found), None))
    }

    /// Members by name of what is no plain class. One that is left out and has a value of its own may hold any of them.
    fn members_somehow(&mut self, ty: &Ty, value: Value<'u>) -> Value<'u> {
        let (class, fields): (String, Vec<String>) = match ty {
            Ty::Struct(layout) => {
                let fields = layout.fields().into_iter().map(|(field, ..)| field);
                (layout.name.clone(), fields.collect())
            }
            Ty::Opaque { name, .. } => {
                let fields = self.hierarchy.inherited_fields(name);
                let names = fields.into_iter().flatten().map(|field| field.name.clone());
                (name.clone(), names.collect())
            }
            _ => return value,
        };
        let Value::Tree(parts, None) = &value else {
            return value;
        };
        let is_given = |field: &String| {
            let mut parts = parts.iter();
            parts.any(|(path, _)| matches!(path.first(), Some(Step::Field(name)) if name == field))
        };
        let is_left_out = |field: &&String| !is_given(field) && self.has_own_value(&class, field);
        if fields.iter().any(|field| is_left_out(&field)) {
            let values: Vec<Value<'u>> = parts.iter().map(|(_, value)| value.clone()).collect();
            return self.made_of(&values);
        }
        value
    }

    /// `T x = {a, b};`
    pub(super) fn list_as(&mut self, ty: &Ty, value: Value<'u>) -> Value<'u> {
        let Value::Tree(parts, None) = &value else {
            return value;
        };
        let is_named =
            |(path, _): &(Vec<Step>, Value<'u>)| matches!(path.as_slice(), [Step::Field(_)]);
        if !parts.is_empty() && parts.iter().all(is_named) {
            return match self.named_members(ty, parts) {
                Some(value) => value,
                None => self.members_somehow(ty, value),
            };
        }
        if parts
            .iter()
            .any(|(path, _)| !matches!(path.as_slice(), [Step::At(_)]))
        {
            return value;
        }
        let items: Vec<Value<'u>> = parts.iter().map(|(_, value)| value.clone()).collect();
        match ty {
            // Elements of a class that is not known lie anywhere.
            Ty::Array(element, _) if element.bytes().is_none() => {
                for item in &items {
                    self.lost(item);
                }
                let roots = items.iter().flat_map(|item| self.roots_of(item));
                Value::Unknown(Rc::new(roots.collect()))
            }
            Ty::Array(element, _) => {
                let mut found = Vec::new();
                for (position, item) in items.into_iter().enumerate() {
                    let item = self.list_as(element, item);
                    let item = self.converted(item, element, "element");
                    let Some(size) = element.bytes() else {
                        self.lost(&item);
                        continue;
                    };
                    let at = Step::At(Term::bytes(position as i128 * i128::from(size)));
                    let path = if position == 0 { Vec::new() } else { vec![at] };
                    match item {
                        Value::Tree(inner, _) => {
                            for (rest, value) in inner.iter() {
                                let mut path = path.clone();
                                path.extend(rest.iter().cloned());
                                found.push((path, value.clone()));
                            }
                        }
                        item => found.push((path, item)),
                    }
                }
                Value::Tree(Rc::new(found), None)
            }
            // Braces prefer the constructor that takes a list, which is not followed.
            ty if self.takes_list(ty) => {
                if let Some(class) = super::inherit::class_of(ty) {
                    self.made_somehow(&class);
                }
                self.made_of(&items)
            }
            Ty::Struct(layout)
                if self
                    .index
                    .functions(&layout.name)
                    .iter()
                    .any(|function| function.owner.is_some()) =>
            {
                let operands = items.into_iter().map(|item| (item, None)).collect();
                self.initialised(ty, operands, &[])
            }
            Ty::Struct(layout) => {
                let fields: Vec<Ty> = layout.fields().into_iter().map(|(_, ty, _)| ty).collect();
                let goes_inside = |(item, ty): (&Value<'u>, &Ty)| {
                    matches!(item, Value::Scalar(_)) && matches!(ty, Ty::Array(..) | Ty::Struct(_))
                };
                if items.iter().zip(&fields).any(goes_inside) {
                    return self.made_of(&items);
                }
                let items = items
                    .into_iter()
                    .zip(fields)
                    .map(|(item, ty)| self.list_as(&ty, item))
                    .collect();
                self.constructed(ty, items)
            }
            Ty::Scalar(_) | Ty::Pointer(_) => self.constructed(ty, items),
            Ty::Opaque { name, .. } if !name.is_empty() => {
                self.made_somehow(&name.clone());
                self.made_of(&items)
            }
            _ => self.made_of(&items),
        }
    }

    /// A new object.
    pub(super) fn allocation(&mut self, name: &str, sources: BTreeSet<Root>) -> Value<'u> {
        let root = self.objects.object(Kind::Fresh, name, unknown_type());
        self.objects.get_mut(root).sources = sources;
        Value::Pointer(Pointer::At(Place::of(root), Term::bytes(0)), Ty::Void)
    }

    /// The same of memory that certainly nothing else leads to.
    pub(super) fn new_memory(&mut self, name: &str, sources: BTreeSet<Root>) -> Value<'u> {
        let made = self.allocation(name, sources);
        if let Value::Pointer(Pointer::At(place, _), _) = &made {
            self.objects.get_mut(place.root).is_new = true;
        }
        made
    }

    /// A `dim3` or an integer as three sizes; `None` where they are not known.
    pub(super) fn sizes(&mut self, value: Value<'u>) -> [Option<Term>; 3] {
        let one = || Some(Term::Constant(1, CType::U32));
        match value {
            Value::Scalar(term) => [Some(term::cast(CType::U32, term)), one(), one()],
            Value::Ratio(over, under, _) => {
                let term = quotient_u32(over, under);
                [Some(term), one(), one()]
            }
            // Some class converts to `dim3`: its members are not the sizes.
            Value::Tree(..) | Value::Initial(..)
                if !self.index.functions("operator dim3").is_empty() =>
            {
                [None, None, None]
            }
            // A class that converts to a number.
            Value::Tree(parts, _)
                if parts.iter().any(|(path, _)| {
                    matches!(path.first(), Some(Step::Field(name))
                        if !matches!(name.as_str(), "x" | "y" | "z"))
                }) =>
            {
                [None, None, None]
            }
            Value::Tree(parts, base) => {
                let mut sizes = [None, None, None];
                for (position, axis) in ["x", "y", "z"].iter().enumerate() {
                    let known = parts.iter().find(
                        |(path, _)| matches!(path.as_slice(), [Step::Field(name)] if name == axis),
                    );
                    let listed = parts.iter().find(|(path, _)| {
                        matches!(path.as_slice(), [Step::At(at)] if at.as_constant() == Some(position as i128))
                    });
                    sizes[position] = match (known.or(listed), &base) {
                        (Some((_, Value::Scalar(term))), _) => {
                            Some(term::cast(CType::U32, term.clone()))
                        }
                        (Some(_), _) => None,
                        (None, Some((place, version))) => {
                            let symbol = self.objects.initial_symbol(&place.field(axis), *version);
                            Some(Term::Symbol(symbol, CType::U32))
                        }
                        // `{8, 8}` leaves z at 1.
                        (None, None) => one(),
                    };
                }
                sizes
            }
            Value::Initial(place, version) => ["x", "y", "z"].map(|axis| {
                let symbol = self.objects.initial_symbol(&place.field(axis), version);
                Some(Term::Symbol(symbol, CType::U32))
            }),
            // What host code computes and is not followed: not every size may be possible.
            Value::Unknown(roots) if !roots.contains(&self.outside) => {
                ["x", "y", "z"].map(|axis| Some(self.fresh(axis, CType::U32)))
            }
            _ => [None, None, None],
        }
    }
}

pub(super) fn unknown_type() -> Ty {
    Ty::Opaque {
        name: String::new(),
        bytes: None,
    }
}
