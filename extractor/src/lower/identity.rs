//! Types as C++ tells them apart.
//!
//! A [`Ty`] keeps what values and memory look like: `long` and `long long`, an enumeration and its underlying type, a type
//! and its `const` form are one. Which specialisation of a template is meant depends on more. An [`Identity`] is a type
//! as it is written with all names looked up: built-in types, pointers, references, arrays of known length, and names that
//! belong to one class or enumeration each.
//!
//! **Contract.** Two identities are equal if and only if the types are the same. Where the text does not tell, there is none.

use std::rc::Rc;

use warplog_facts::CType;

use super::body::Lowerer;
use super::classes::{MAX_DEPTH, own_parameters};
use super::constness::Argument;
use super::types::{self, Extent, StructTy, TemplateValue, Ty, TypeScope};
use super::unit::{TypeEntry, enclosing, last_component};
use crate::syntax::ast::*;

/// A type without ranges and typedefs, whose names nothing else has.
pub(crate) type Identity = Rc<Type>;

impl<'u> Lowerer<'u, '_> {
    /// The identity of a type that is written at this place.
    pub(crate) fn identity(&mut self, ty: &Type) -> Option<Type> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        let kind = match &ty.kind {
            TypeKind::Scalar(scalar) => TypeKind::Scalar(*scalar),
            TypeKind::Pointer(to) => TypeKind::Pointer(Box::new(self.identity(to)?)),
            // A reference to a reference is one.
            TypeKind::Reference(to) => {
                let to = self.identity(to)?;
                match to.kind {
                    TypeKind::Reference(inner) | TypeKind::RvalueReference(inner) => {
                        TypeKind::Reference(inner)
                    }
                    _ => TypeKind::Reference(Box::new(to)),
                }
            }
            TypeKind::RvalueReference(to) => {
                let to = self.identity(to)?;
                match to.kind {
                    TypeKind::Reference(_) | TypeKind::RvalueReference(_) => to.kind,
                    _ => TypeKind::RvalueReference(Box::new(to)),
                }
            }
            TypeKind::Array(of, size) => {
                let of = Box::new(self.identity(of)?);
                let Ty::Array(_, extent) = self.resolve(ty) else {
                    return None;
                };
                match (size, extent) {
                    (None, _) => TypeKind::Array(of, None),
                    (Some(_), Extent::Constant(count)) => {
                        TypeKind::Array(of, Some(Box::new(number(count))))
                    }
                    _ => return None,
                }
            }
            TypeKind::Named(name) => {
                let named = self.identity_of_name(name)?;
                return Some(qualified(named, ty.is_const, ty.is_volatile));
            }
            TypeKind::Function { .. } => self.function_identity(ty)?,
            TypeKind::Decltype(of) => self.decltype_identity(ty, of)?.kind,
            TypeKind::Auto
            | TypeKind::MemberPointer(_)
            | TypeKind::Expand(_)
            | TypeKind::Unsupported(_) => return None,
        };
        let plain = Type::new(kind, Range::default());
        Some(qualified(plain, ty.is_const, ty.is_volatile))
    }

    /// The identity of what a name means as a type.
    pub(crate) fn identity_of_name(&mut self, name: &Name) -> Option<Type> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        let scope = self.scope();
        let mut around = None;
        if name.qualifier.is_empty() && !name.global {
            if scope.types.contains_key(&name.base) {
                return match name.args {
                    None => scope.identities.get(&name.base).map(|one| Type::clone(one)),
                    Some(_) => None,
                };
            }
            around = scope.class.clone();
            if let Some(class) = &around
                && name.args.is_none()
                && let Some(record) = self.record(class)
                && last_component(&record.name) == name.base
            {
                return of_class(class);
            }
        } else if self.is_trait(name) {
            return self.trait_identity(name);
        } else if let Some(class) = self.qualifying_class(name) {
            let Ty::Struct(class) = class else {
                return None;
            };
            return self.identity_of_member(&class, name).flatten();
        } else if self.is_of_undecided(name) {
            return None;
        }
        while let Some(class) = around {
            if !self.is_of_dependent_base(&class, name)
                && let Some(found) = self.identity_of_member(&class, name)
            {
                return found;
            }
            around = class.class.as_ref().and_then(|class| class.around.clone());
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        if entries.is_empty() {
            if self.is_trait(name) {
                return self.trait_identity(name);
            }
            // `float4` of CUDA, which the unit does not declare.
            let builtin = types::vector(&name.base).filter(|_| name.args.is_none())?;
            // Several names of CUDA's may be one class: `half2` and `__half2`.
            return match &builtin {
                Ty::Struct(class) => of_class(class),
                _ => None,
            };
        }
        let outside = TypeScope {
            path: entries
                .first()
                .map_or("", |entry| enclosing(entry.qualified()))
                .to_owned(),
            ..TypeScope::default()
        };
        self.identity_of_entry(&entries, name, &outside)
    }

    /// The identity of a member type; the outer `None` if the class and its bases declare none of the name.
    fn identity_of_member(&mut self, class: &Rc<StructTy>, name: &Name) -> Option<Option<Type>> {
        let record = self.record(class)?;
        let entries = self.own_types(record, &name.base);
        if entries.is_empty() {
            let Some(layout) = class.layout() else {
                return Some(None);
            };
            let bases = layout.bases.clone();
            let mut found = bases.iter().filter_map(|(base, _)| match base {
                Ty::Struct(base) if self.record(base).is_some() => {
                    self.identity_of_member(base, name)
                }
                _ => Some(None),
            });
            let first = found.next()?;
            // Of several, which is meant is not decided.
            return Some(first.filter(|_| found.next().is_none()));
        }
        let inside = self.class_scope(class);
        Some(self.identity_of_entry(&entries, name, &inside))
    }

    fn identity_of_entry(
        &mut self,
        entries: &[TypeEntry<'u>],
        name: &Name,
        scope: &TypeScope,
    ) -> Option<Type> {
        match entries.first()? {
            TypeEntry::Enum(enumeration) => Some(of_enumeration(enumeration)),
            TypeEntry::Typedef(typedef) if entries.len() == 1 && !typedef.opaque => {
                if !own_parameters(&typedef.template, scope).is_empty() && name.args.is_none() {
                    return None;
                }
                let (inside, args) = self.alias_scope(typedef, name, scope);
                let Some(args) = args else {
                    return self.within(inside, |me| me.identity(&typedef.ty));
                };
                if let Some(known) = self.made.identity(scope, typedef.range, &args) {
                    return Some(Type::clone(&known));
                }
                let found = self.within(inside, |me| me.identity(&typedef.ty))?;
                let kept = Rc::new(found.clone());
                self.made
                    .keep_identity(scope, (typedef.range, &args), &kept);
                Some(found)
            }
            TypeEntry::Typedef(_) => None,
            TypeEntry::Class(..) => match self.named_type(name) {
                Ty::Struct(class) => of_class(&class),
                _ => None,
            },
        }
    }

    /// The type of a copy of an argument.
    pub(crate) fn identity_of_value(&mut self, arg: &Argument<'_>) -> Option<Type> {
        match &arg.ty {
            Ty::Scalar(CType::F32 | CType::F64) => return of_layout(&arg.ty),
            Ty::Scalar(_) => {}
            Ty::Struct(class) => return of_class(class),
            Ty::Pointer(_) | Ty::Array(..) => {
                let pointer = self.identity_of_object(arg.expr?)?;
                return Some(unqualified(decayed(pointer)));
            }
            _ => return None,
        }
        let expr = arg.expr?;
        let scalar = |scalar| Some(Type::new(TypeKind::Scalar(scalar), Range::default()));
        match &expr.kind {
            ExprKind::Int { ty, .. } | ExprKind::Char { ty, .. } => return scalar(*ty),
            ExprKind::Bool(_) => return scalar(Scalar::Bool),
            ExprKind::Cast { ty, .. } if !super::call::is_reference(ty) => {
                return self.identity(ty).map(referred).map(unqualified);
            }
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                if let Some(found) = self.identity_of_object(expr) {
                    return Some(unqualified(found));
                }
            }
            _ => {}
        }
        // Arithmetic promotes: these are the only types of their size that it gives.
        let operator = match &expr.kind {
            ExprKind::Binary(op, ..) => Some(op.text()),
            ExprKind::Unary(UnaryOp::Neg, _) => Some("-"),
            ExprKind::Unary(UnaryOp::Plus, _) => Some("+"),
            ExprKind::Unary(UnaryOp::BitNot, _) => Some("~"),
            _ => None,
        };
        if let Some(operator) = operator {
            let own = self.index.functions(&format!("operator{operator}"));
            let promoted = matches!(arg.ty, Ty::Scalar(CType::I32 | CType::U32));
            return (promoted && own.is_empty())
                .then(|| of_layout(&arg.ty))
                .flatten();
        }
        let path = self.scope().path;
        self.enumeration(expr, &path).map(of_enumeration)
    }

    /// The declared type of what an expression names, with its `const`, as far as declarations tell.
    pub(crate) fn identity_of_object(&mut self, expr: &Expr) -> Option<Type> {
        let pointed = |ty: Type| match ty.kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => Some(*to),
            _ => None,
        };
        match &expr.kind {
            ExprKind::Name(name) => match name.as_simple() {
                Some(simple) if self.lookup(simple).is_some() => self.identity_of_local(simple),
                Some(simple) if self.may_be_global(simple) => self.identity_of_global(name),
                _ => None,
            },
            ExprKind::Index { base, .. } => self.identity_of_object(base).and_then(pointed),
            ExprKind::Deref(inner) => self.identity_of_object(inner).and_then(pointed),
            ExprKind::Member { base, arrow, field } if field.args.is_none() => {
                let object = self.identity_of_object(base)?;
                let object = if *arrow { pointed(object)? } else { object };
                let class = self.object_type(base, *arrow)?;
                if of_class(&class)? != unqualified(object.clone()) {
                    return None;
                }
                let record = self.record(&class)?;
                let declared = record.fields.iter().find(|one| one.name == field.base)?;
                let inside = self.class_scope(&class);
                let member = self.within(inside, |me| me.identity(&declared.ty))?;
                // What a member refers to is no part of the object.
                if super::call::is_reference(&member) {
                    return Some(referred(member));
                }
                let is_const = object.is_const && !declared.storage.mutable;
                Some(qualified(member, is_const, object.is_volatile))
            }
            ExprKind::AddressOf(inner) => {
                let to = Box::new(self.identity_of_object(inner)?);
                Some(Type::new(TypeKind::Pointer(to), Range::default()))
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, _) => {
                let left = self.identity_of_object(left).map(decayed)?;
                matches!(left.kind, TypeKind::Pointer(_)).then(|| unqualified(left))
            }
            ExprKind::Cast { ty, .. } if !super::call::is_reference(ty) => {
                self.identity(ty).map(referred)
            }
            _ => None,
        }
    }

    /// Whether no member, template parameter or enumerator of a name hides a variable at namespace scope.
    fn may_be_global(&self, simple: &str) -> bool {
        let scope = self.scope();
        scope.class.is_none()
            && !scope.values.contains_key(simple)
            && self
                .index
                .enumerator_at(simple, &scope.path, Range::default())
                .is_none()
    }

    fn identity_of_global(&mut self, name: &Name) -> Option<Type> {
        let (global, inside) = self.global_meant(name)?;
        let found = self.within(inside, |me| me.identity(&global.ty))?;
        Some(qualified(referred(found), global.storage.constexpr, false))
    }

    /// The type of a local variable or parameter, if all that have its name in the function are of one.
    fn identity_of_local(&mut self, name: &str) -> Option<Type> {
        let mut found = None;
        for (ty, is_const) in self.declared_types(name)? {
            let ty = qualified(referred(self.identity(ty)?), is_const, false);
            if found.get_or_insert_with(|| ty.clone()) != &ty {
                return None;
            }
        }
        found
    }

    /// Deduces what a parameter says of template parameters from the declared type of an argument; false where that is not
    /// known, or not all there is to say.
    pub(crate) fn deduces_identity(
        &mut self,
        pattern: &Type,
        given: &Ty,
        parameters: &[TemplateParam],
        arg: &Argument<'_>,
        scope: &mut TypeScope,
    ) -> bool {
        let Some(mut identity) = arg.expr.and_then(|expr| self.identity_of_object(expr)) else {
            return false;
        };
        // `const T *` and `const T &` take what is not constant as well.
        let pattern = match &pattern.kind {
            TypeKind::Pointer(to) => {
                identity = unqualified(decayed(identity));
                if let TypeKind::Pointer(pointee) = &mut identity.kind {
                    pointee.is_const |= to.is_const;
                }
                pattern
            }
            TypeKind::Reference(to) => {
                let is_const = elements(to).is_const;
                identity = qualified(identity, is_const, false);
                to
            }
            _ => return false,
        };
        let mut bound = scope.clone();
        let fits = self.fits(pattern, given, &identity, parameters, &mut bound) == Some(true);
        if fits {
            *scope = bound;
        }
        fits
    }

    /// A template argument in words that tell it from others.
    pub(crate) fn describe_identity(&self, ty: &Ty, identity: Option<&Identity>) -> String {
        match identity {
            Some(identity) if of_layout(ty).as_ref() != Some(&**identity) => spelled(identity),
            _ => ty.describe(),
        }
    }

    /// A type as a template argument.
    pub(crate) fn type_value(&mut self, ty: &Type) -> TemplateValue {
        let identity = self.identity(ty).map(Rc::new);
        let value = TemplateValue::Type(self.resolve(ty), identity);
        self.told_value(ty, value)
    }

    /// The same of what a name means.
    pub(crate) fn named_value(&mut self, name: &Name) -> TemplateValue {
        let identity = self.identity_of_name(name).map(Rc::new);
        let value = TemplateValue::Type(self.named_type(name), identity);
        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
        self.told_value(&ty, value)
    }
}

/// The type that values of a layout most often have: what tells others from it is written out in the names of instances.
pub(super) fn of_layout(ty: &Ty) -> Option<Type> {
    let scalar = |scalar| Some(Type::new(TypeKind::Scalar(scalar), Range::default()));
    match ty {
        Ty::Void => scalar(Scalar::Void),
        Ty::Scalar(ctype) => scalar(match ctype {
            CType::Bool => Scalar::Bool,
            CType::I8 => Scalar::Char,
            CType::U8 => Scalar::UChar,
            CType::I16 => Scalar::Short,
            CType::U16 => Scalar::UShort,
            CType::I32 => Scalar::Int,
            CType::U32 => Scalar::UInt,
            CType::I64 => Scalar::Long,
            CType::U64 => Scalar::ULong,
            CType::F32 => Scalar::Float,
            CType::F64 => Scalar::Double,
            _ => return None,
        }),
        Ty::Pointer(to) => {
            let to = Box::new(of_layout(to)?);
            Some(Type::new(TypeKind::Pointer(to), Range::default()))
        }
        Ty::Array(of, Extent::Constant(count)) => {
            let of = Box::new(of_layout(of)?);
            let count = Some(Box::new(number(*count)));
            Some(Type::new(TypeKind::Array(of, count), Range::default()))
        }
        Ty::Struct(class) => Some(of_instance(class)),
        _ => None,
    }
}

/// The identity of a class: none if that of a template argument is not known.
pub(crate) fn of_class(class: &StructTy) -> Option<Type> {
    let Some(made) = &class.class else {
        let told = !class.is_of_library_template() && class.name != types::NAMELESS;
        return told.then(|| of_instance(class));
    };
    let is_told = |arg: &TemplateValue| match arg {
        TemplateValue::Type(_, identity) => identity.is_some(),
        TemplateValue::Value(value) => !super::specialised::is_doubtful(value),
        TemplateValue::Unknown => false,
    };
    let told = !made.doubtful.get() && made.args.iter().all(is_told);
    // Members of class templates depend on the arguments of these.
    let around = made.around.as_deref();
    let told = told && around.is_none_or(|around| of_class(around).is_some());
    told.then(|| of_instance(class))
}

fn of_instance(class: &StructTy) -> Type {
    leaf(name_of_instance(class))
}

/// The name of a class that no other has, whatever they are members of.
pub(super) fn name_of_instance(class: &StructTy) -> String {
    let Some(made) = &class.class else {
        return class.name.clone();
    };
    let own = format!("{}#{}", class.name, made.record);
    match &made.around {
        Some(around) => format!("{}::{own}", name_of_instance(around)),
        None => own,
    }
}

fn of_enumeration(enumeration: &Enum) -> Type {
    leaf(format!(
        "enum {}#{}",
        enumeration.name, enumeration.range.start
    ))
}

/// What a reference refers to.
pub(super) fn referred(ty: Type) -> Type {
    match ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => *to,
        _ => ty,
    }
}

/// A copy of an array is a pointer to its elements.
pub(super) fn decayed(ty: Type) -> Type {
    match ty.kind {
        TypeKind::Array(of, _) => Type::new(TypeKind::Pointer(of), Range::default()),
        _ => ty,
    }
}

/// What is constant where a type is: the elements of an array.
pub(super) fn elements(mut ty: &Type) -> &Type {
    while let TypeKind::Array(of, _) = &ty.kind {
        ty = of;
    }
    ty
}

pub(super) fn unqualified(mut ty: Type) -> Type {
    ty.is_const = false;
    ty.is_volatile = false;
    ty
}

/// A name that nothing else has.
pub(crate) fn leaf(name: String) -> Type {
    let name = Name::simple(name, Range::default());
    Type::new(TypeKind::Named(name), Range::default())
}

fn number(count: u64) -> Expr {
    Expr {
        kind: ExprKind::Int {
            value: count,
            ty: Scalar::ULong,
        },
        range: Range::default(),
    }
}

/// A type with `const` and `volatile` added: to the elements of an array, and to a reference not at all.
pub(super) fn qualified(mut ty: Type, is_const: bool, is_volatile: bool) -> Type {
    match &mut ty.kind {
        TypeKind::Reference(_) | TypeKind::RvalueReference(_) => {}
        TypeKind::Array(of, _) => {
            let elements = Type::clone(of);
            **of = qualified(elements, is_const, is_volatile);
        }
        _ => {
            ty.is_const |= is_const;
            ty.is_volatile |= is_volatile;
        }
    }
    ty
}

/// An identity in words.
fn spelled(ty: &Type) -> String {
    let word = |is: bool, word: &str| {
        if is {
            format!("{word} ")
        } else {
            String::new()
        }
    };
    let qualifiers = format!(
        "{}{}",
        word(ty.is_const, "const"),
        word(ty.is_volatile, "volatile")
    );
    if let TypeKind::Pointer(to) = &ty.kind {
        return format!("{} *{qualifiers}", spelled(to));
    }
    let text = match &ty.kind {
        TypeKind::Scalar(scalar) => format!("{scalar:?}").to_lowercase(),
        TypeKind::Named(name) => name.base.clone(),
        TypeKind::Reference(to) => format!("{} &", spelled(to)),
        TypeKind::RvalueReference(to) => format!("{} &&", spelled(to)),
        TypeKind::Array(of, Some(size)) => match size.kind {
            ExprKind::Int { value, .. } => format!("{} [{value}]", spelled(of)),
            _ => format!("{} [?]", spelled(of)),
        },
        TypeKind::Array(of, None) => format!("{} []", spelled(of)),
        TypeKind::Function { ret, params } => {
            let params: Vec<String> = params.iter().map(|param| spelled(&param.ty)).collect();
            format!("{}({})", spelled(ret), params.join(", "))
        }
        _ => "?".to_owned(),
    };
    format!("{qualifiers}{text}")
}
