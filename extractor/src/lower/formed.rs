//! Whether a type or an expression can be formed once template parameters have their arguments: what C++ calls the immediate
//! context of a substitution (C++ 13.10.3.1).
//!
//! **Method.** The type is walked with everything in it: arguments, what stands in `decltype` and `sizeof`, what alias templates
//! stand for. One part that cannot be formed makes the whole a failure. What classes and functions are made of is no part of the
//! immediate context: a member that is found is one.
//!
//! **Contract.** `Some(true)` and `Some(false)` are certain; `None` means that the text does not tell, or that the rule is not known
//! here. Whoever asks must leave undecided what depends on it.

use super::body::Lowerer;
use super::call::is_reference;
use super::classes::{MAX_DEPTH, bind, mentions, mentions_in, own_parameters};
use super::constness::Argument;
use super::detection::Member;
use super::hidden::Refers;
use super::overload::{Chosen, Found};
use super::types::{Extent, StructTy, Ty};
use super::typing::{decayed, is_unknown, unary_name};
use super::unit::TypeEntry;
use super::value::Value;
use crate::syntax::ast::*;

/// What holds of several parts: one that fails decides.
pub(super) fn all(parts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut whole = Some(true);
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return Some(false),
            None => whole = None,
        }
    }
    whole
}

impl<'u> Lowerer<'u, '_> {
    /// Whether a type depends on template parameters in a way that they cannot be deduced from and that may fail:
    /// `decltype(…)`, `typename T::type`, `Void<…>`.
    pub(super) fn depends(&self, pattern: &Type, own: &[TemplateParam]) -> bool {
        match &pattern.kind {
            TypeKind::Decltype(_) => true,
            TypeKind::Named(name) => self.name_depends(name, own),
            TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.depends(to, own)
            }
            TypeKind::Array(of, size) => {
                let computed =
                    |size: &Expr| !matches!(size.kind, ExprKind::Name(_)) && mentions_in(size, own);
                self.depends(of, own) || size.as_deref().is_some_and(computed)
            }
            TypeKind::Function { ret, params } => {
                self.depends(ret, own) || params.iter().any(|param| self.depends(&param.ty, own))
            }
            _ => false,
        }
    }

    fn name_depends(&self, name: &Name, own: &[TemplateParam]) -> bool {
        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
        if !mentions(&ty, own) {
            return false;
        }
        let names_own = |args: &Option<Vec<TemplateArg>>| {
            args.iter().flatten().any(|arg| arg_mentions(arg, own))
        };
        let of_own = |segment: &Segment| {
            own.iter()
                .any(|one| one.name.as_deref() == Some(&*segment.name))
                || names_own(&segment.args)
        };
        if name.qualifier.iter().any(of_own) {
            return true;
        }
        let Some(args) = &name.args else { return false };
        let path = self.calls.last().map_or("", |call| &*call.types.path);
        let entries = self.index.types_at(&name.lookup_path(), path, name.range);
        let is_alias = entries
            .iter()
            .any(|entry| matches!(entry, TypeEntry::Typedef(_)));
        // Traits of the library are computed, its classes are not.
        let is_trait = entries.is_empty() && name.base.ends_with("_t");
        is_alias
            || is_trait
            || super::detection::is_condition(name)
            || args.iter().any(|arg| self.argument_depends(arg, own))
    }

    /// The same of a template argument.
    pub(super) fn argument_depends(&self, arg: &TemplateArg, own: &[TemplateParam]) -> bool {
        match arg {
            TemplateArg::Type(ty) => self.depends(ty, own),
            TemplateArg::Name(name) => self.name_depends(name, own),
            TemplateArg::Expr(expr) => match &expr.kind {
                ExprKind::Name(name) => self.name_depends(name, own),
                _ => mentions_in(expr, own),
            },
        }
    }

    /// Whether a type can be formed here, where its template parameters are bound.
    pub(super) fn is_valid_type(&mut self, ty: &Type) -> Option<bool> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        match &ty.kind {
            TypeKind::Scalar(_) => Some(true),
            TypeKind::Pointer(to) => all([self.is_valid_type(to), self.is_no_reference(to)]),
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                let valid = self.is_valid_type(to);
                match valid {
                    Some(true) if self.resolve(to) == Ty::Void => Some(false),
                    valid => valid,
                }
            }
            TypeKind::Array(of, size) => {
                let valid = all([self.is_valid_type(of), self.is_no_reference(of)]);
                if valid != Some(true) {
                    return valid;
                }
                if matches!(self.resolve(of), Ty::Void) {
                    return Some(false);
                }
                let Some(size) = size else { return Some(true) };
                let valid = self.is_valid(size);
                if valid != Some(true) {
                    return valid;
                }
                if matches!(
                    size.kind,
                    ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) | ExprKind::AlignofType(_)
                ) {
                    return Some(true);
                }
                // An array of no elements is an extension, but no failure with every compiler.
                match self.constant_value(size)? {
                    0 => None,
                    count => Some(count > 0),
                }
            }
            TypeKind::Function { ret, params } => {
                let ret = self.is_valid_type(ret);
                let mut parts = vec![ret];
                for param in params {
                    parts.push(self.is_valid_type(&param.ty));
                }
                all(parts)
            }
            TypeKind::Decltype(expr) => self.is_valid(expr),
            TypeKind::Named(name) => self.is_valid_name_of_type(name),
            TypeKind::Auto
            | TypeKind::MemberPointer(_)
            | TypeKind::Expand(_)
            | TypeKind::Unsupported(_) => None,
        }
    }

    fn is_no_reference(&mut self, ty: &Type) -> Option<bool> {
        match self.refers_as(ty) {
            Refers::Unknown => None,
            Refers::No => Some(true),
            _ => Some(false),
        }
    }

    /// Whether the arguments of a template can be formed.
    fn are_valid_arguments(&mut self, args: &[TemplateArg]) -> Option<bool> {
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            parts.push(match arg {
                TemplateArg::Type(ty) => self.is_valid_type(ty),
                TemplateArg::Name(name)
                | TemplateArg::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }) => self.is_valid_argument(name),
                TemplateArg::Expr(expr) => self.is_valid(expr),
            });
        }
        all(parts)
    }

    /// A name that may be that of a type or of a value.
    fn is_valid_argument(&mut self, name: &Name) -> Option<bool> {
        if name.qualifier.is_empty() {
            let scope = self.scope();
            if let Some(simple) = name.as_simple()
                && scope.values.contains_key(simple)
            {
                return Some(true);
            }
            // A template as an argument, too.
            return match self.is_valid_name_of_type(name) {
                None => self.is_valid_value(name),
                valid => valid,
            };
        }
        let parts = self.are_valid_segments(name);
        if parts != Some(true) {
            return parts;
        }
        // Without `typename` a member of what depends on parameters is a value.
        match self.member_named(name) {
            Some(Member::None) => Some(false),
            Some(Member::Value | Member::Enumerator) => Some(true),
            Some(Member::Type) if self.says_typename(name.range) => Some(true),
            Some(_) => None,
            None => match self.is_valid_value(name) {
                None => self.is_valid_name_of_type(name),
                valid => valid,
            },
        }
    }

    fn says_typename(&self, range: Range) -> bool {
        self.sources.text(range).contains("typename")
    }

    /// The arguments of the classes in front of a name.
    fn are_valid_segments(&mut self, name: &Name) -> Option<bool> {
        let mut parts = Vec::new();
        for segment in &name.qualifier {
            if let Some(args) = &segment.args {
                parts.push(self.are_valid_arguments(args));
            }
        }
        all(parts)
    }

    fn is_valid_name_of_type(&mut self, name: &Name) -> Option<bool> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        let mut parts = vec![self.are_valid_segments(name)];
        if let Some(args) = &name.args {
            parts.push(self.are_valid_arguments(args));
        }
        // `void_t` is as valid as what is given to it.
        let is_void_t = self.is_void_t(name);
        let valid = all(parts);
        if is_void_t || valid == Some(false) {
            return valid;
        }
        if let Some((condition, then)) = self.enable_if(name) {
            return match (condition, then) {
                (Some(true), Some(then)) => all([valid, self.is_valid_type(&then)]),
                (Some(true), None) => valid,
                (condition, _) => condition,
            };
        }
        valid?;
        if let Some(simple) = name.as_simple()
            && let Some(bound) = self.scope().types.get(simple)
        {
            return (!is_unknown(bound)).then_some(true);
        }
        if let Some((entries, inside)) = self.types_meant(name)
            && let [TypeEntry::Typedef(typedef)] = entries.as_slice()
        {
            let typedef: &'u Typedef = typedef;
            let own = own_parameters(&typedef.template, &inside);
            // What a typedef stands for was formed where it stands.
            if own.is_empty() {
                return (!typedef.opaque).then_some(true);
            }
            if own.iter().any(|one| one.pack) {
                // The elements of a pack are not followed: a mere `void` names none.
                return matches!(typedef.ty.kind, TypeKind::Scalar(_)).then_some(true);
            }
            let args = self.template_values(own, name.args.as_deref()?, &inside);
            let mut within = inside;
            bind(&mut within, own, &args);
            return self.within(within, |me| me.is_valid_type(&typedef.ty));
        }
        if !name.qualifier.is_empty() {
            match self.member_named(name) {
                Some(Member::None) => return Some(false),
                Some(Member::Type) => return Some(true),
                Some(_) => return None,
                None => {}
            }
        }
        self.identity_of_name(name).map(|_| true)
    }

    /// The value of a constant expression.
    fn constant_value(&mut self, expr: &Expr) -> Option<i128> {
        match self.expr(expr) {
            Value::Term(term) => self.facts.terms.as_const(term),
            _ => None,
        }
    }

    /// Whether an expression that is not evaluated is one of C++.
    pub(super) fn is_valid(&mut self, expr: &Expr) -> Option<bool> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        match &expr.kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Char { .. }
            | ExprKind::Str(_)
            | ExprKind::Nullptr
            | ExprKind::SizeofPack(_) => Some(true),
            ExprKind::Name(name) => self.is_valid_value(name),
            ExprKind::AddressOf(of) => self.has_address(of),
            ExprKind::SizeofType(ty) | ExprKind::AlignofType(ty) => self.has_size(ty, expr.range),
            ExprKind::SizeofExpr(of) => {
                let valid = self.is_valid(of);
                // Bit fields have no size, functions and classes that are not complete have none either.
                match self.static_type(of).bytes() {
                    Some(_) if !self.may_be_bits(of) => valid,
                    _ if matches!(of.kind, ExprKind::AddressOf(_)) => valid,
                    _ if self.is_call_of_array(of) => valid,
                    _ => valid.filter(|valid| !valid),
                }
            }
            ExprKind::Cast { style, ty, arg } => {
                let parts = all([self.is_valid_type(ty), self.is_valid(arg)]);
                let to = self.resolve(ty);
                let from = decayed(self.static_type(arg));
                let is_void = ty.scalar() == Some(Scalar::Void);
                let converts = match (&to, &from) {
                    _ if is_void || to == Ty::Void => !is_reference(ty),
                    (Ty::Scalar(_), Ty::Scalar(_)) => {
                        !is_reference(ty)
                            && matches!(
                                style,
                                CastStyle::C | CastStyle::Functional | CastStyle::Static
                            )
                    }
                    _ => false,
                };
                match converts {
                    true => parts,
                    false => parts.filter(|valid| !valid),
                }
            }
            ExprKind::Comma(first, second) => {
                let parts = all([self.is_valid(first), self.is_valid(second)]);
                match self.index.functions("operator,").is_empty() {
                    true => parts,
                    false => parts.filter(|valid| !valid),
                }
            }
            ExprKind::Construct { ty, args, .. } => self.can_construct(ty, args),
            ExprKind::Unary(op, arg) => {
                let name = unary_name(*op);
                self.is_valid_operator(name, &[arg], |operands| match operands {
                    [Ty::Scalar(ty)] => Some(*op != UnaryOp::BitNot || ty.is_integer()),
                    _ => None,
                })
            }
            ExprKind::Binary(op, left, right) => {
                let name = format!("operator{}", op.text());
                self.is_valid_operator(&name, &[left, right], |operands| match operands {
                    [Ty::Scalar(left), Ty::Scalar(right)] => {
                        let integers = left.is_integer() && right.is_integer();
                        Some(integers || is_of_floats(*op))
                    }
                    _ => None,
                })
            }
            ExprKind::Deref(arg) => {
                self.is_valid_operator("operator*", &[arg], |operands| match operands {
                    [Ty::Scalar(_)] => Some(false),
                    [Ty::Pointer(to)] => (**to != Ty::Void).then_some(true),
                    _ => None,
                })
            }
            ExprKind::Index { base, index } => {
                self.is_valid_operator("operator[]", &[base, index], |operands| match operands {
                    [Ty::Pointer(to), Ty::Scalar(index)] if index.is_integer() => {
                        (**to != Ty::Void).then_some(true)
                    }
                    [Ty::Scalar(_), Ty::Scalar(_)] => Some(false),
                    _ => None,
                })
            }
            ExprKind::Conditional { cond, then, els } => {
                let parts = all([self.is_valid(cond), self.is_valid(then), self.is_valid(els)]);
                let mut is_scalar = |one: &Expr| matches!(self.static_type(one), Ty::Scalar(_));
                match is_scalar(cond) && is_scalar(then) && is_scalar(els) {
                    true => parts,
                    false => parts.filter(|valid| !valid),
                }
            }
            ExprKind::Member { base, arrow, field } => self.is_valid_member(base, *arrow, field),
            ExprKind::Call { callee, args } => self.is_valid_call(callee, args),
            _ => None,
        }
    }

    /// A name as a value: of a parameter, a variable, an enumerator, a member of a class.
    fn is_valid_value(&mut self, name: &Name) -> Option<bool> {
        let parts = self.are_valid_segments(name);
        let own = match &name.args {
            Some(args) => self.are_valid_arguments(args),
            None => Some(true),
        };
        if all([parts, own]) == Some(false) {
            return Some(false);
        }
        if let Some(simple) = name.as_simple() {
            let scope = self.scope();
            if self.lookup(simple).is_some()
                || scope.values.contains_key(simple)
                || scope.class.as_ref().is_some_and(|class| {
                    matches!(
                        self.member(class, simple),
                        Some(Member::Value | Member::Enumerator)
                    )
                })
            {
                return Some(true);
            }
        }
        if !name.qualifier.is_empty() && name.args.is_none() {
            match self.member_named(name) {
                Some(Member::Value | Member::Enumerator) => return all([parts]),
                Some(Member::None) => return Some(false),
                Some(_) => return None,
                None => {}
            }
        }
        all([parts, own])?;
        // What the library computes for arguments that can be formed: `std::is_same<A, B>::value`.
        match self.name(name) {
            Value::Term(term) if self.facts.terms.as_const(term).is_some() => Some(true),
            _ => None,
        }
    }

    /// `&C::member`, `&object`
    fn has_address(&mut self, of: &Expr) -> Option<bool> {
        let ExprKind::Name(name) = &of.kind else {
            // A temporary has no address, nor has a bit field: only failures are certain.
            return self.is_valid(of).filter(|valid| !valid);
        };
        if name.qualifier.is_empty() {
            return self.is_valid(of).filter(|valid| !valid);
        }
        let parts = self.are_valid_segments(name);
        if parts == Some(false) {
            return parts;
        }
        match self.member_named(name)? {
            Member::None => Some(false),
            Member::Value if !self.may_be_bits(of) => parts,
            Member::Function { only: true } if name.args.is_none() => parts,
            _ => None,
        }
    }

    /// Whether an expression may name a bit field, of which no address and no size can be taken.
    fn may_be_bits(&self, of: &Expr) -> bool {
        let named = match &of.kind {
            ExprKind::Name(name) => &name.base,
            ExprKind::Member { field, .. } => &field.base,
            _ => return false,
        };
        let mut fields = self.index.named.fields(named).iter();
        fields.any(|(record, _)| !record.bits.is_empty())
    }

    /// `sizeof(T)`: whether the type is complete. A member that is written without `typename` is a value.
    fn has_size(&mut self, ty: &Type, range: Range) -> Option<bool> {
        if let TypeKind::Named(name) = &ty.kind
            && !name.qualifier.is_empty()
            && !self.says_typename(range)
        {
            let parts = self.are_valid_segments(name);
            if parts != Some(true) {
                return parts;
            }
            return match self.member_named(name)? {
                Member::None => Some(false),
                Member::Value | Member::Enumerator => {
                    let of = Expr {
                        kind: ExprKind::Name(name.clone()),
                        range: name.range,
                    };
                    (!self.may_be_bits(&of)).then_some(true)
                }
                _ => None,
            };
        }
        let valid = self.is_valid_type(ty);
        match self.resolve(ty) {
            Ty::Array(_, Extent::Unknown) | Ty::Void => valid.filter(|valid| !valid),
            ty if ty.bytes().is_some() => valid,
            _ => valid.filter(|valid| !valid),
        }
    }

    /// `T()`, `T(x)`, `T{}`
    fn can_construct(&mut self, ty: &Type, args: &[Expr]) -> Option<bool> {
        let mut parts = vec![self.is_valid_type(ty)];
        for arg in args {
            parts.push(self.is_valid(arg));
        }
        let parts = all(parts);
        let fits = match (self.resolve(ty), args) {
            (Ty::Void | Ty::Scalar(_) | Ty::Pointer(_), []) => !is_reference(ty),
            (Ty::Scalar(_), [arg]) => {
                !is_reference(ty) && matches!(self.static_type(arg), Ty::Scalar(_))
            }
            (Ty::Struct(class), []) => self.is_plain_class(&class),
            _ => false,
        };
        match fits {
            true => parts,
            false => parts.filter(|valid| !valid),
        }
    }

    /// Whether a class of the unit is made of numbers and pointers, without a constructor, a base or a conversion of its own.
    fn is_plain_class(&self, class: &StructTy) -> bool {
        let Some(record) = self.record(class) else {
            return false;
        };
        let simple = super::unit::last_component(&record.name);
        let is_number = |(_, ty, _): &(String, Ty, u64)| matches!(ty, Ty::Scalar(_) | Ty::Bits(_));
        record.bases.is_empty()
            && !record.has_virtual
            && record.opaque_layout.is_none()
            && self.index.methods(&record.name, simple).is_empty()
            && self
                .index
                .methods(&record.name, &format!("~{simple}"))
                .is_empty()
            && record.fields.iter().all(|field| !is_reference(&field.ty))
            && class
                .layout()
                .is_some_and(|layout| layout.own_fields().iter().all(is_number))
    }

    /// An operator: what the language has for numbers and pointers, or a function of the unit.
    fn is_valid_operator(
        &mut self,
        name: &str,
        operands: &[&Expr],
        built_in: impl Fn(&[Ty]) -> Option<bool>,
    ) -> Option<bool> {
        let mut parts = Vec::with_capacity(operands.len());
        for operand in operands {
            parts.push(self.is_valid(operand));
        }
        let parts = all(parts);
        if parts == Some(false) {
            return parts;
        }
        let types: Vec<Ty> = operands
            .iter()
            .map(|operand| decayed(self.static_type(operand)))
            .collect();
        let is_enum_or_class = types
            .iter()
            .any(|ty| !matches!(ty, Ty::Scalar(_) | Ty::Pointer(_)));
        if !is_enum_or_class {
            // An enumeration is kept as a number and may have operators of its own.
            let found = built_in(&types);
            let is_plain = self.index.functions(name).is_empty()
                && !self.index.unit.enums.iter().any(|one| one.scoped);
            return match is_plain {
                true => all([parts, found]),
                false => None,
            };
        }
        // Neither the class, which converts to nothing else, nor anything outside has such an operator.
        let is_free = |one: &&Function| one.owner.is_none() || one.quals.friend;
        let mut functions = self.index.functions(name).iter().copied();
        let lacks = !functions.any(|one| is_free(&one))
            && match types.first() {
                Some(Ty::Struct(class)) => {
                    self.converts_to_nothing(class)
                        && self.member(class, name) == Some(Member::None)
                }
                _ => false,
            };
        if lacks {
            return Some(false);
        }
        let args: Vec<Argument<'_>> = operands
            .iter()
            .zip(types)
            .map(|(operand, ty)| Argument::of(ty, operand))
            .collect();
        let place = operands.first().map_or(Range::default(), |one| one.range);
        match self.operator_found(name, &args, place) {
            Found::One(found) => {
                let rest = match found.function.owner {
                    Some(_) if !found.function.quals.friend => args.get(1..)?,
                    _ => &args,
                };
                all([parts, self.surely_takes(&found, rest)])
            }
            _ => None,
        }
    }

    /// Whether a class of the unit has no bases and no conversions.
    fn converts_to_nothing(&self, class: &StructTy) -> bool {
        let Some(record) = self.record(class) else {
            return false;
        };
        let mut functions = self.index.named.of_class(&record.name).iter();
        record.bases.is_empty()
            && record.opaque_layout.is_none()
            && !functions.any(|one| one.name.starts_with("operator") && one.params.is_empty())
    }

    /// `a.f`, `a->f`
    fn is_valid_member(&mut self, base: &Expr, arrow: bool, field: &Name) -> Option<bool> {
        let parts = self.is_valid(base);
        if parts == Some(false) {
            return parts;
        }
        if !arrow && matches!(self.static_type(base), Ty::Scalar(_) | Ty::Pointer(_)) {
            return Some(false);
        }
        let class = self.object_type(base, arrow)?;
        match self.member(&class, &field.base)? {
            Member::None => Some(false),
            Member::Value | Member::Enumerator if field.args.is_none() => parts,
            _ => None,
        }
    }

    fn is_valid_call(&mut self, callee: &Expr, args: &[Expr]) -> Option<bool> {
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            parts.push(self.is_valid(arg));
        }
        let parts = all(parts);
        if parts == Some(false) {
            return parts;
        }
        match &callee.kind {
            ExprKind::Name(name) => {
                if self.is_declval(name) {
                    let valid = self.are_valid_arguments(name.args.as_deref()?);
                    return all([parts, valid]);
                }
                let own = match &name.args {
                    Some(args) => self.are_valid_arguments(args),
                    None => Some(true),
                };
                let segments = self.are_valid_segments(name);
                if all([segments, own]) == Some(false) {
                    return Some(false);
                }
                if !name.qualifier.is_empty()
                    && name.args.is_none()
                    && self.member_named(name) == Some(Member::None)
                {
                    return Some(false);
                }
            }
            ExprKind::Member { base, arrow, field } => {
                let valid = self.is_valid(base);
                if valid == Some(false) {
                    return valid;
                }
                if !arrow && matches!(self.static_type(base), Ty::Scalar(_) | Ty::Pointer(_)) {
                    return Some(false);
                }
                let class = self.object_type(base, *arrow)?;
                if self.member(&class, &field.base)? == Member::None {
                    return Some(false);
                }
                valid?;
                if self.is_constant_object(base, *arrow) != Some(false) {
                    return self.is_valid_on_constant(&class, field, args);
                }
            }
            _ => return None,
        }
        let given: Vec<Argument<'_>> = args.iter().map(|arg| self.argument(arg)).collect();
        let super::typing::Callee::Function(found) = self.called(callee, args) else {
            return None;
        };
        match found {
            // A member function is called on an object.
            Found::One(found) | Found::Prototype(found)
                if matches!(callee.kind, ExprKind::Member { .. })
                    || found.function.owner.is_none()
                    || found.function.quals.is_static =>
            {
                all([parts, self.surely_takes(&found, &given)])
            }
            _ => None,
        }
    }

    /// Whether an object is constant, as far as declarations tell.
    fn is_constant_object(&mut self, base: &Expr, arrow: bool) -> Option<bool> {
        if let ExprKind::Call { callee, .. } = &base.kind
            && let ExprKind::Name(name) = &callee.kind
            && self.is_declval(name)
        {
            let given = self.identity_of_argument(name.args.as_deref()?.first()?)?;
            let object = super::identity::referred(given);
            return match (arrow, &object.kind) {
                (false, _) => Some(object.is_const),
                (true, TypeKind::Pointer(to)) => Some(to.is_const),
                (true, _) => None,
            };
        }
        let (_, of) = self.category(base);
        match (arrow, decayed(self.static_type(base))) {
            (true, Ty::Pointer(_)) => of.pointee,
            (true, _) => None,
            (false, _) => of.object,
        }
    }

    /// A call on an object that is or may be constant: every function of the name must be for constant objects.
    fn is_valid_on_constant(
        &mut self,
        class: &std::rc::Rc<StructTy>,
        field: &Name,
        args: &[Expr],
    ) -> Option<bool> {
        let record = self.record(class)?;
        let methods = self.index.methods(&record.name, &field.base);
        let for_constant = |one: &&Function| one.quals.is_const || one.quals.is_static;
        if methods.is_empty() || !methods.iter().all(for_constant) {
            return None;
        }
        let given: Vec<Argument<'_>> = args.iter().map(|arg| self.argument(arg)).collect();
        match self.resolve_method(class, field, None, &given) {
            Found::One(found) | Found::Prototype(found) => self.surely_takes(&found, &given),
            _ => None,
        }
    }

    /// Whether a function that was chosen surely takes the arguments: numbers by value or by a constant reference. It may be
    /// deleted, or private.
    fn surely_takes(&mut self, found: &Chosen<'u>, args: &[Argument<'_>]) -> Option<bool> {
        let function = found.function;
        let is_template = function.template.as_ref().is_some_and(|all| {
            let bound = |one: &TemplateParam| {
                let name = one.name.as_deref().unwrap_or_default();
                found.scope.types.contains_key(name) || found.scope.values.contains_key(name)
            };
            !all.iter().all(bound)
        });
        let text = self.sources.text(function.range);
        let is_deleted = function.body.is_none() && text.contains("delete");
        let hides = function.owner.is_some() && !function.quals.friend && {
            let owner = function.owner.as_deref().unwrap_or_default();
            let mut classes = self.index.named.classes(owner).iter();
            !classes.any(|record| {
                record.range.contains(function.range) && record.is_public(function.name_range)
            })
        };
        if is_template || is_deleted || hides || function.params.iter().any(|one| one.pack) {
            return None;
        }
        let mut parts = Vec::with_capacity(args.len());
        for (position, arg) in args.iter().enumerate() {
            let Some(param) = function.params.get(position) else {
                // What `...` takes, classes excepted.
                parts.push(matches!(arg.ty, Ty::Scalar(_)).then_some(true));
                continue;
            };
            let by_value = match &param.ty.kind {
                TypeKind::Reference(to) => to.is_const,
                TypeKind::RvalueReference(_) => false,
                _ => !is_unknown(&arg.ty),
            };
            let target = self.within(found.scope.clone(), |me| me.resolve(&param.ty));
            let fits = match (&arg.ty, &target) {
                (Ty::Scalar(_), Ty::Scalar(_)) => by_value,
                (Ty::Struct(one), Ty::Struct(other)) => by_value && one == other,
                _ => false,
            };
            parts.push(fits.then_some(true));
        }
        all(parts)
    }

    /// `sizeof(f())` of a function that returns a reference to an array, whose size its type tells.
    fn is_call_of_array(&mut self, of: &Expr) -> bool {
        matches!(of.kind, ExprKind::Call { .. })
            && matches!(self.static_type(of), Ty::Array(_, Extent::Constant(_)))
    }
}

pub(super) fn arg_mentions(arg: &TemplateArg, own: &[TemplateParam]) -> bool {
    match arg {
        TemplateArg::Type(ty) => mentions(ty, own),
        TemplateArg::Name(name) => {
            mentions(&Type::new(TypeKind::Named(name.clone()), name.range), own)
        }
        TemplateArg::Expr(expr) => mentions_in(expr, own),
    }
}

/// Whether the language has an operator for numbers that are not whole.
fn is_of_floats(op: BinaryOp) -> bool {
    use BinaryOp as B;
    !matches!(
        op,
        B::Rem | B::Shl | B::Shr | B::BitAnd | B::BitOr | B::BitXor
    )
}
