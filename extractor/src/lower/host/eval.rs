//! Host expressions: values, and the places that lvalues denote.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::term::{self, Term};
use super::value::*;
use crate::lower::enumerations::enumeration_taken;
use crate::lower::types::{self, Extent, Ty};
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// A type in the scope of the running function.
    pub(super) fn resolve(&mut self, ty: &Type) -> Ty {
        let resolved = self.resolve_plain(ty);
        self.laid_out(resolved, 0)
    }

    /// Classes of the unit that are plain get their layout.
    fn laid_out(&mut self, ty: Ty, depth: u32) -> Ty {
        if depth > 4 {
            return ty;
        }
        match ty {
            Ty::Pointer(to) => self.laid_out((*to).clone(), depth + 1).pointer_to(),
            Ty::Array(of, count) => {
                Ty::Array(Rc::new(self.laid_out((*of).clone(), depth + 1)), count)
            }
            Ty::Opaque { name, bytes: None } => self
                .class_of(&name, depth)
                .unwrap_or(Ty::Opaque { name, bytes: None }),
            ty => ty,
        }
    }

    fn class_of(&mut self, name: &str, depth: u32) -> Option<Ty> {
        if let Some(known) = self.classes.get(name) {
            return known.clone();
        }
        // Against classes that hold themselves.
        self.classes.insert(name.to_owned(), None);
        let last = |name: &'_ str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let unit = self.index.unit;
        let mut records = unit
            .structs
            .iter()
            .filter(|record| record.defined && last(&record.name) == last(name));
        let record = records.next()?;
        let plain = records.next().is_none()
            && record.kind != StructKind::Union
            && record.opaque_layout.is_none()
            && record.bits.is_empty()
            && record.align.is_empty()
            && record.field_align.is_empty()
            && !record
                .fields
                .iter()
                .any(|field| self.may_be_aligned(&field.ty))
            && record.bases.is_empty()
            && !record
                .fields
                .iter()
                .any(|field| depends_on(&field.ty, &record.template));
        if !plain {
            return None;
        }
        let mut fields = Vec::new();
        for field in &record.fields {
            // What a pointer of a template points to is told by arguments that are not known here.
            let ty = match &field.ty.kind {
                TypeKind::Pointer(_) if !record.template.is_empty() => unknown_type().pointer_to(),
                _ => self.resolve_plain(&field.ty),
            };
            fields.push((field.name.clone(), self.laid_out(ty, depth + 1), None));
        }
        let layout = types::layout(Vec::new(), fields, false, 1, record.packed, &[])?;
        let class = types::StructTy::incomplete(last(&record.name), None);
        class.set_layout(Some(layout));
        let ty = Ty::Struct(Rc::new(class));
        self.classes.insert(name.to_owned(), Some(ty.clone()));
        Some(ty)
    }

    /// Whether a typedef may say how a member of this type is aligned.
    fn may_be_aligned(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Array(of, _) => self.may_be_aligned(of),
            TypeKind::Named(name) => {
                let mut typedefs = self.index.unit.typedefs.iter();
                typedefs.any(|typedef| !typedef.align.is_empty())
                    && self.index.only_typedef(&name.base).is_none_or(|typedef| {
                        !typedef.align.is_empty() || self.may_be_aligned(&typedef.ty)
                    })
            }
            _ => false,
        }
    }

    fn resolve_plain(&mut self, ty: &Type) -> Ty {
        let index = self.index;
        let types = self.frame().types.clone();
        // Extents stand in the text of the type: they are evaluated with what is known here.
        let mut pending: Vec<Expr> = Vec::new();
        let resolved = index.resolve(ty, &types, &mut |expr| {
            pending.push(expr.clone());
            Extent::Unknown
        });
        if pending.is_empty() {
            return resolved;
        }
        let mut counts = pending.iter().map(|expr| self.extent(expr));
        let counts: Vec<Option<u64>> = counts.by_ref().collect();
        let mut counts = counts.into_iter();
        index.resolve(ty, &types, &mut |_| match counts.next() {
            Some(Some(count)) => Extent::Constant(count),
            _ => Extent::Unknown,
        })
    }

    fn extent(&mut self, expr: &Expr) -> Option<u64> {
        u64::try_from(self.constant_of(expr)?.as_constant()?).ok()
    }

    /// The value of an expression of constants.
    pub(super) fn constant_of(&mut self, expr: &Expr) -> Option<Term> {
        match &expr.kind {
            ExprKind::Int { value, ty } => Some(Term::Constant(
                i128::from(*value),
                types::scalar(*ty).ctype(),
            )),
            ExprKind::Bool(value) => Some(Term::Constant(i128::from(*value), CType::Bool)),
            ExprKind::Name(name) => self.constant_name(name),
            ExprKind::Unary(UnaryOp::Neg, arg) => {
                let arg = self.constant_of(arg)?;
                Some(term::binary(BinaryOp::Sub, Term::int(0), arg))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant_of(left)?, self.constant_of(right)?);
                Some(term::binary(*op, left, right))
            }
            ExprKind::Cast { ty, arg, .. } => {
                let arg = self.constant_of(arg)?;
                match self.resolve(ty) {
                    Ty::Scalar(ctype) if ctype.is_integer() => Some(term::cast(ctype, arg)),
                    _ => None,
                }
            }
            ExprKind::SizeofType(ty) => {
                let bytes = self.resolve(ty).bytes()?;
                Some(Term::Constant(i128::from(bytes), CType::U64))
            }
            _ => None,
        }
    }

    /// The constant that a name stands for.
    pub(super) fn constant_name(&mut self, name: &Name) -> Option<Term> {
        let value = match self.named(name) {
            Some((place, ty)) => self.read(&place, &ty),
            None => match self.frame().values.get(name.base.as_str()) {
                Some(value) => Value::Scalar(value.clone()),
                None => Value::Scalar(self.enumerator(&name.path())?),
            },
        };
        match value {
            Value::Scalar(term) => term.as_constant().map(|_| term),
            _ => None,
        }
    }

    pub(super) fn text_of(&self, range: Range) -> String {
        let text = self.text.get(range.bytes()).unwrap_or("");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A fresh scalar of a type.
    pub(super) fn fresh(&mut self, name: &str, ty: CType) -> Term {
        Term::Symbol(self.objects.computed(name), ty)
    }

    /// The variable of a name, with its type.
    pub(super) fn named(&mut self, name: &Name) -> Option<(Place, Ty)> {
        let base = name.base.as_str();
        if name.qualifier.is_empty() {
            let found = self
                .frame()
                .scopes
                .iter()
                .rev()
                .find_map(|scope| scope.get(base).copied());
            if let Some(root) = found {
                return self.variable_place(root);
            }
            // A member of the class that the running method belongs to.
            let frame = self.frame();
            if let (Some(this), Some(owner)) = (frame.this.clone(), frame.owner.clone())
                && let Some(ty) = self.field_type(&owner, base)
            {
                return Some((this.field(base), ty));
            }
        }
        if self.frame().values.contains_key(base) {
            return None;
        }
        let root = self.global(name)?;
        self.variable_place(root)
    }

    fn variable_place(&mut self, root: Root) -> Option<(Place, Ty)> {
        match self.references.get(&root) {
            Some(Some((place, ty))) => Some((place.clone(), ty.clone())),
            Some(None) => None,
            None => Some((Place::of(root), self.objects.get(root).ty.clone())),
        }
    }

    /// The type of a member by the class's name.
    pub(super) fn field_type(&mut self, class: &str, field: &str) -> Option<Ty> {
        let last = class.rsplit("::").next().unwrap_or(class);
        let unit = self.index.unit;
        let record = unit
            .structs
            .iter()
            .find(|record| record.defined && record.name.rsplit("::").next() == Some(last))?;
        if let Some(declared) = record.fields.iter().find(|declared| declared.name == field) {
            return Some(self.resolve(&declared.ty));
        }
        for base in &record.bases {
            if let TypeKind::Named(name) = &base.kind
                && name.base != last
                && let Some(ty) = self.field_type(&name.base, field)
            {
                return Some(ty);
            }
        }
        None
    }

    /// Whether a class is a union, or has unions or bit fields.
    fn shares_bytes(&self, ty: &Ty) -> bool {
        if let Ty::Struct(class) = ty {
            let fields = class.fields();
            let mut places: Vec<(u64, u64)> = fields
                .iter()
                .map(|(_, ty, start)| (*start, start + ty.bytes().unwrap_or(0)))
                .collect();
            places.sort_unstable();
            return places.windows(2).any(|pair| pair[1].0 < pair[0].1);
        }
        let Ty::Opaque { name, .. } = ty else {
            return false;
        };
        let last = |name: &'_ str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let wanted = last(name);
        self.index.unit.structs.iter().any(|record| {
            let own = last(&record.name) == wanted;
            own && (record.kind == StructKind::Union
                || !record.bits.is_empty()
                || self.is_word_of(record.range, "union"))
        })
    }

    fn member_type(&mut self, ty: &Ty, field: &str) -> Ty {
        match ty {
            Ty::Struct(class) => class.field(field).map_or_else(unknown_type, |(ty, _)| ty),
            Ty::Opaque { name, .. } => {
                let name = name.clone();
                self.field_type(&name, field).unwrap_or_else(unknown_type)
            }
            _ => unknown_type(),
        }
    }

    /// The place that a pointer points to, some elements on.
    fn target(&mut self, pointer: &Pointer, element: &Ty, index: Option<&Term>) -> Option<Place> {
        let Pointer::At(place, offset) = pointer else {
            return None;
        };
        let bytes = match index {
            None => offset.clone(),
            Some(index) if index.as_constant() == Some(0) => offset.clone(),
            Some(index) => {
                let moved = self.scaled(index, element);
                term::binary(BinaryOp::Add, offset.clone(), moved)
            }
        };
        Some(self.within(place, &bytes))
    }

    /// The part some bytes behind a place.
    fn within(&mut self, place: &Place, bytes: &Term) -> Place {
        let mut place = place.at(bytes);
        if let Some(Step::At(offset)) = place.path.last_mut() {
            *offset = self.bounded(offset.clone());
        }
        place
    }

    /// A pointer some bytes further.
    fn advanced(&mut self, pointer: &Pointer, bytes: &Term) -> Pointer {
        match pointer.moved(bytes) {
            Pointer::At(place, offset) => Pointer::At(place, self.bounded(offset)),
            moved => {
                let mut sizes = 0;
                moved.offsets(&mut |offset| sizes += offset.nodes());
                if sizes > 4 * term::MAX_NODES {
                    moved.anywhere()
                } else {
                    moved
                }
            }
        }
    }

    /// Elements as bytes.
    pub(super) fn scaled(&mut self, index: &Term, element: &Ty) -> Term {
        match element.bytes() {
            Some(size) => term::binary(
                BinaryOp::Mul,
                term::cast(CType::I64, index.clone()),
                Term::bytes(i128::from(size)),
            ),
            None if index.as_constant() == Some(0) => Term::bytes(0),
            None => self.fresh("offset", CType::I64),
        }
    }

    /// The place of an lvalue with its type; `None` when it is not known.
    pub(super) fn place(&mut self, expr: &'u Expr) -> Option<(Place, Ty)> {
        match &expr.kind {
            ExprKind::Name(name) => self.named(name),
            ExprKind::This => {
                let this = self.frame().this.clone()?;
                Some((this, unknown_type()))
            }
            ExprKind::Member { base, arrow, field } => {
                let (place, ty) = match (&base.kind, arrow) {
                    (ExprKind::This, _) => {
                        let frame = self.frame();
                        let owner = frame.owner.clone().unwrap_or_default();
                        let ty = Ty::Opaque {
                            name: owner,
                            bytes: None,
                        };
                        (frame.this.clone()?, ty)
                    }
                    (_, false) => self.place(base)?,
                    (_, true) => {
                        let value = self.eval(base);
                        self.pointed(value)?
                    }
                };
                if self.shares_bytes(&ty) {
                    self.shared_bytes(&place, &ty);
                }
                let ty = self.member_type(&ty, &field.base);
                Some((place.field(&field.base), ty))
            }
            ExprKind::Index { base, index } => {
                let position = self.scalar(index);
                let position = position.unwrap_or_else(|| self.fresh("index", CType::I64));
                let value = match self.place(base) {
                    Some((place, Ty::Array(element, _))) => {
                        let bytes = self.scaled(&position, &element);
                        return Some((self.within(&place, &bytes), (*element).clone()));
                    }
                    Some((place, ty @ Ty::Pointer(_))) => self.read(&place, &ty),
                    // A class with `operator[]`, as `std::vector`: what it holds is its own.
                    Some((place, ty)) => {
                        let value = self.read(&place, &ty);
                        self.object_called(
                            "operator[]",
                            &(value, Some((place.clone(), ty.clone()))),
                        );
                        match self.read(&place, &ty) {
                            value @ Value::Pointer(..) => return self.element_of(value, &position),
                            Value::Unknown(roots) if !roots.is_empty() => return None,
                            _ => {}
                        }
                        let state = self.state.clone()?;
                        let version = self.version_of(&state, place.root);
                        let inside = self.objects.pointee(&place, version);
                        let bytes = self.scaled(&position, &Ty::Scalar(CType::U64));
                        return Some((self.within(&Place::of(inside), &bytes), unknown_type()));
                    }
                    None => self.eval(base),
                };
                self.element_of(value, &position)
            }
            ExprKind::Deref(inner) => {
                let value = self.eval(inner);
                self.pointed(value)
            }
            ExprKind::Cast { ty, arg, .. } => match &ty.kind {
                TypeKind::Reference(_) | TypeKind::RvalueReference(_) => self.place(arg),
                _ => None,
            },
            ExprKind::Comma(left, right) => {
                self.eval(left);
                self.place(right)
            }
            ExprKind::Assign { lhs, .. } => {
                self.eval(expr);
                self.place(lhs)
            }
            ExprKind::IncDec {
                arg, prefix: true, ..
            } => {
                self.eval(expr);
                self.place(arg)
            }
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Name(name), [arg])
                    if matches!(name.base.as_str(), "move" | "forward" | "ref") =>
                {
                    let found = self.place(arg);
                    if let (Some((place, _)), "ref") = (&found, name.base.as_str()) {
                        self.watch(place.root);
                    }
                    found
                }
                _ => self.place_of_call(callee, expr),
            },
            ExprKind::MemberPointer { .. } => {
                self.not_understood(expr.range);
                None
            }
            _ => None,
        }
    }

    fn element_of(&mut self, value: Value<'u>, position: &Term) -> Option<(Place, Ty)> {
        let Value::Pointer(pointer, element) = value else {
            return None;
        };
        let place = self.target(&pointer, &element, Some(position))?;
        Some((place, element))
    }

    pub(super) fn pointed(&mut self, value: Value<'u>) -> Option<(Place, Ty)> {
        match value {
            Value::Pointer(pointer, element) => {
                let place = self.target(&pointer, &element, None)?;
                Some((place, element))
            }
            // A smart pointer: what it points to is its own.
            Value::Initial(place, version) => {
                let root = self.objects.pointee(&place, version);
                Some((Place::of(root), unknown_type()))
            }
            _ => None,
        }
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
                self.object_converted(&operand);
                operand.0
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
            _ => self.fresh("condition", CType::Bool),
        }
    }

    /// What is known of a value that was computed from these.
    pub(super) fn made_of(&mut self, values: &[Value<'u>]) -> Value<'u> {
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
                    Value::Ratio(Term::int(value as i128), Term::int(1))
                }
                _ => Value::unknown(),
            },
            ExprKind::Nullptr => Value::Pointer(Pointer::Null, Ty::Void),
            ExprKind::Name(name) => self.name(name),
            ExprKind::This => match self.frame().this.clone() {
                Some(this) => {
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
                let (old, target) = self.operand(arg);
                let operator = if *increment { "++" } else { "--" };
                let new = match &old {
                    old if self.enumeration_operator(operator, &[arg]) => {
                        let new = self.made_of(std::slice::from_ref(old));
                        self.store_at(arg, target, new.clone());
                        return new;
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
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                match self.place(expr) {
                    Some((place, ty)) => self.value_at(&place, &ty),
                    None => self.part(expr),
                }
            }
            ExprKind::Cast { ty, arg, .. } => {
                let value = self.eval(arg);
                self.cast(ty, value, expr.range)
            }
            ExprKind::Construct { ty, args, .. } => {
                let resolved = self.resolve(ty);
                self.construct(ty, &resolved, args)
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
                let ty = match self.place(inner) {
                    Some((_, ty)) => ty,
                    None => unknown_type(),
                };
                match ty.bytes() {
                    Some(bytes) => Value::Scalar(Term::Constant(i128::from(bytes), CType::U64)),
                    None => Value::unknown(),
                }
            }
            ExprKind::Lambda(lambda) => self.closure(lambda),
            ExprKind::StmtExpr(block) => self.statement_expression(block),
            ExprKind::Comma(left, right) => {
                let operands = [self.operand(left), self.operand(right)];
                self.class_operator(",", &operands);
                let [_, (value, _)] = operands;
                value
            }
            ExprKind::Unsupported { what } if what == "new" => {
                self.made_on_heap(expr.range);
                let name = self.text_of(expr.range);
                self.allocation(&name, BTreeSet::new())
            }
            ExprKind::Unsupported { what } if what == "delete" => Value::unknown(),
            ExprKind::Unsupported { .. }
            | ExprKind::Asm(_)
            | ExprKind::Expand(_)
            | ExprKind::Fold(_)
            | ExprKind::MemberPointer { .. }
            | ExprKind::SizeofPack(_) => self.not_understood(expr.range),
            ExprKind::Str(_) | ExprKind::AlignofType(_) => Value::unknown(),
        }
    }

    /// What a place holds; arrays decay to pointers.
    fn value_at(&mut self, place: &Place, ty: &Ty) -> Value<'u> {
        match ty {
            Ty::Array(element, _) => Value::Pointer(
                Pointer::At(place.clone(), Term::bytes(0)),
                (**element).clone(),
            ),
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
        if let Some(value) = self.frame().values.get(base) {
            return Value::Scalar(value.clone());
        }
        if let Some(kernel) = self.kernel(name) {
            self.as_values.extend(&kernel.kernels);
            return Value::Kernels(Rc::new(vec![kernel]));
        }
        if let Some(term) = self.enumerator(&name.path()) {
            return Value::Scalar(term);
        }
        for function in self.index.functions(base) {
            // Its address is taken: it may be called with anything.
            if !function.quals.global && function.body.is_some() {
                self.wants(function);
            }
        }
        match base {
            "warpSize" => Value::Scalar(Term::int(32)),
            _ => Value::unknown(),
        }
    }

    fn enumerator(&mut self, path: &str) -> Option<Term> {
        let scope = self.frame().types.path.clone();
        let (enumeration, position) = self.index.enumerator_at(path, &scope)?;
        let name = path.rsplit("::").next().unwrap_or(path);
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
        let value = self.eval(base);
        if let (Value::Tree(parts, None), Some(field)) = (&value, field)
            && let Some((_, value)) = parts
                .iter()
                .find(|(path, _)| matches!(path.as_slice(), [Step::Field(name)] if name == field))
        {
            return value.clone();
        }
        // Read through one of several pointers.
        let mut roots = self.roots_of(&value);
        roots = self.reachable(roots);
        Value::Unknown(Rc::new(roots))
    }

    fn unary(&mut self, op: UnaryOp, arg: &'u Expr) -> Value<'u> {
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

    fn binary(&mut self, op: BinaryOp, left: &'u Expr, right: &'u Expr) -> Value<'u> {
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
        let operands = [self.operand(left), self.operand(right)];
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
        self.operation(op, left, right)
    }

    /// Whether an operator of the unit takes an enumeration that an operand may have.
    fn enumeration_operator(&self, text: &str, operands: &[&Expr]) -> bool {
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
                let fields = self
                    .index
                    .unit
                    .structs
                    .iter()
                    .flat_map(|record| &record.fields);
                let mut named = fields.filter(|one| one.name == field.base);
                named.any(|one| self.index.enumeration_of(&one.ty, scope).is_some())
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
            (Value::Ratio(a, one), Value::Ratio(b, other))
                if op == BinaryOp::Div
                    && one.as_constant() == Some(1)
                    && other.as_constant() == Some(1) =>
            {
                Value::Ratio(a, b)
            }
            (Value::Ratio(a, one), Value::Scalar(b))
                if op == BinaryOp::Div && one.as_constant() == Some(1) =>
            {
                Value::Ratio(a, b)
            }
            (Value::Scalar(a), Value::Ratio(b, one))
                if op == BinaryOp::Div && one.as_constant() == Some(1) =>
            {
                Value::Ratio(a, b)
            }
            (Value::Scalar(a), Value::Ratio(b, one)) | (Value::Ratio(b, one), Value::Scalar(a))
                if op == BinaryOp::Mul
                    && one.as_constant() == Some(1)
                    && b.as_constant() == Some(1) =>
            {
                Value::Ratio(a, Term::int(1))
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
            (left, right) => self.made_of(&[left, right]),
        }
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
            if let Some((place, ty)) = &target {
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
                // Through one of several pointers, or not understood.
                let mut values = vec![value];
                let mut inner = lhs;
                while let ExprKind::Member { base, .. }
                | ExprKind::Index { base, .. }
                | ExprKind::Deref(base) = &inner.kind
                {
                    inner = base;
                }
                values.push(self.eval(inner));
                self.lost(&values[0].clone());
                self.havoc_reached(&values);
                // `(c ? a : b) = 1;`
                if let ExprKind::Conditional { then, els, .. } = &inner.kind {
                    for arm in [then, els] {
                        if let Some((place, _)) = self.place(arm) {
                            self.watch(place.root);
                        }
                    }
                }
            }
        }
    }

    fn address(&mut self, arg: &'u Expr) -> Value<'u> {
        if let ExprKind::Name(name) = &arg.kind
            && self.named(name).is_none()
        {
            return self.name(name);
        }
        match self.place(arg) {
            Some((place, ty)) => Value::Pointer(Pointer::At(place, Term::bytes(0)), ty),
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
            // A pointer as an integer.
            (Ty::Scalar(ctype), Value::Pointer(..)) if ctype.is_integer() => value,
            (Ty::Scalar(_), _) => {
                let name = self.text_of(range);
                self.converted(value, &ty, &name)
            }
            (Ty::Pointer(to), Value::Pointer(pointer, from)) => {
                // What is read through it is made of the bytes of something else.
                let object =
                    |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Struct(_) | Ty::Opaque { .. });
                if **to != *from
                    && object(to)
                    && object(from)
                    && let Pointer::At(place, _) = pointer
                    && self.objects.get(place.root).kind == Kind::Variable
                {
                    self.watch(place.root);
                    return Value::Unknown(Rc::new(BTreeSet::from([place.root])));
                }
                self.converted(value, &ty, "pointer")
            }
            (Ty::Pointer(_), _) => self.converted(value, &ty, "pointer"),
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
                if values.len() > fields.len() {
                    return self.made_of(&values);
                }
                let mut parts = Vec::new();
                for (position, (field, field_ty, _)) in fields.iter().enumerate() {
                    let value = match values.get(position) {
                        Some(value) => self.converted(value.clone(), field_ty, field),
                        None if is_dim3 => Value::Scalar(Term::Constant(1, CType::U32)),
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

    /// `T x = {a, b};`
    pub(super) fn list_as(&mut self, ty: &Ty, value: Value<'u>) -> Value<'u> {
        let Value::Tree(parts, None) = &value else {
            return value;
        };
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
            _ => self.made_of(&items),
        }
    }

    /// A new object.
    pub(super) fn allocation(&mut self, name: &str, sources: BTreeSet<Root>) -> Value<'u> {
        let root = self.objects.object(Kind::Fresh, name, unknown_type());
        self.objects.get_mut(root).sources = sources;
        Value::Pointer(Pointer::At(Place::of(root), Term::bytes(0)), Ty::Void)
    }

    /// A `dim3` or an integer as three sizes; `None` where they are not known.
    pub(super) fn sizes(&mut self, value: Value<'u>) -> [Option<Term>; 3] {
        let one = || Some(Term::Constant(1, CType::U32));
        match value {
            Value::Scalar(term) => [Some(term::cast(CType::U32, term)), one(), one()],
            Value::Ratio(over, under) => {
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
            _ => [None, None, None],
        }
    }
}

fn quotient_u32(over: Term, under: Term) -> Term {
    term::cast(CType::U32, super::memory::quotient(over, under))
}

pub(super) fn unknown_type() -> Ty {
    Ty::Opaque {
        name: String::new(),
        bytes: None,
    }
}

/// Whether the size of a type depends on template parameters: pointers are as large as each other.
fn depends_on(ty: &Type, template: &[TemplateParam]) -> bool {
    match &ty.kind {
        TypeKind::Scalar(_) | TypeKind::Pointer(_) => false,
        TypeKind::Named(name) => {
            let named = |parameter: &TemplateParam| parameter.name.as_deref() == Some(&*name.base);
            !template.is_empty()
                && (name.args.is_some() || !name.qualifier.is_empty() || template.iter().any(named))
        }
        TypeKind::Array(of, size) => {
            !template.is_empty() && size.is_some() || depends_on(of, template)
        }
        _ => !template.is_empty(),
    }
}
