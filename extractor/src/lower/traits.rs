//! The type traits of the C++ library that device code uses.

use warplog_facts::CType;

use super::body::Lowerer;
use super::hidden::Refers;
use super::identity;
use super::types::Ty;
use super::value::Value;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// `std::conditional_t<c, A, B>`, `typename std::enable_if<c, T>::type` …: the type that a trait means.
    pub(crate) fn type_trait(&mut self, name: &Name) -> Option<Ty> {
        let (base, args) = self.trait_named(name)?;
        match (base, args) {
            ("conditional", [condition, then, otherwise]) => {
                if self.constant(condition)? != 0 {
                    self.type_argument(then)
                } else {
                    self.type_argument(otherwise)
                }
            }
            ("enable_if", [condition]) => (self.constant(condition)? != 0).then_some(Ty::Void),
            ("enable_if", [condition, then]) => {
                if self.constant(condition)? != 0 {
                    self.type_argument(then)
                } else {
                    None
                }
            }
            (
                "remove_reference"
                | "remove_const"
                | "remove_cv"
                | "remove_cvref"
                | "decay"
                | "remove_volatile"
                | "add_const"
                | "type_identity"
                | "add_lvalue_reference"
                | "add_rvalue_reference",
                [one],
            ) => self.type_argument(one),
            ("reference", [one]) => match self.type_argument(one)? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                _ => None,
            },
            ("remove_pointer", [one]) => match self.type_argument(one)? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                ty => Some(ty),
            },
            ("make_unsigned", [one]) => match self.type_argument(one)? {
                Ty::Scalar(ty) => Some(Ty::Scalar(match ty {
                    CType::I8 => CType::U8,
                    CType::I16 => CType::U16,
                    CType::I32 => CType::U32,
                    CType::I64 => CType::U64,
                    other => other,
                })),
                _ => None,
            },
            ("make_signed", [one]) => match self.type_argument(one)? {
                Ty::Scalar(ty) => Some(Ty::Scalar(match ty {
                    CType::U8 => CType::I8,
                    CType::U16 => CType::I16,
                    CType::U32 => CType::I32,
                    CType::U64 => CType::I64,
                    other => other,
                })),
                _ => None,
            },
            _ => None,
        }
    }

    /// The trait that a name asks for, and its arguments: `reference` is that of `std::iterator_traits`.
    fn trait_named<'n>(&self, name: &'n Name) -> Option<(&'n str, &'n [TemplateArg])> {
        let (base, args) = match (name.base.as_str(), name.qualifier.last()) {
            ("type", Some(segment)) => (segment.name.as_str(), segment.args.as_ref()?),
            ("reference", Some(segment)) if segment.name == "iterator_traits" => {
                if self.declares_class("iterator_traits") {
                    return None;
                }
                ("reference", segment.args.as_ref()?)
            }
            (base, _) => (base.strip_suffix("_t")?, name.args.as_ref()?),
        };
        let path = self.scope().path;
        let own = self.index.types_at(&name.lookup_path(), &path, name.range);
        (own.is_empty() && !self.declares_class(base)).then_some((base, args.as_slice()))
    }

    /// Whether a name asks for a trait of the library that is followed.
    pub(crate) fn is_trait(&mut self, name: &Name) -> bool {
        self.type_trait(name).is_some()
    }

    /// The identity of the type that a trait means.
    pub(crate) fn trait_identity(&mut self, name: &Name) -> Option<Type> {
        let (base, args) = self.trait_named(name)?;
        let first = args.first()?;
        let identity = match (base, args) {
            ("conditional", [condition, then, otherwise]) => {
                let chosen = match self.constant(condition)? {
                    0 => otherwise,
                    _ => then,
                };
                return self.identity_of_argument(chosen);
            }
            ("enable_if", [condition]) if self.constant(condition)? != 0 => {
                return Some(Type::new(TypeKind::Scalar(Scalar::Void), Range::default()));
            }
            ("enable_if", [condition, then]) if self.constant(condition)? != 0 => {
                return self.identity_of_argument(then);
            }
            (_, [_]) => self.identity_of_argument(first)?,
            _ => return None,
        };
        let is_array = |ty: &Type| matches!(ty.kind, TypeKind::Array(..));
        let is_void = identity.scalar() == Some(Scalar::Void);
        Some(match base {
            "type_identity" => identity,
            "remove_reference" => identity::referred(identity),
            "add_lvalue_reference" | "add_rvalue_reference" if is_void => identity,
            "add_lvalue_reference" => referring(identity, TypeKind::Reference),
            "add_rvalue_reference" => referring(identity, TypeKind::RvalueReference),
            "add_const" => identity::qualified(identity, true, false),
            "decay" => {
                let mut value = identity::referred(identity);
                if is_array(&value) {
                    value = identity::decayed(value);
                }
                identity::unqualified(value)
            }
            "remove_pointer" => match identity.kind {
                TypeKind::Pointer(to) => *to,
                _ => identity,
            },
            "reference" => match identity.kind {
                TypeKind::Pointer(to) => referring(*to, TypeKind::Reference),
                _ => return None,
            },
            // Of an array the elements are constant.
            _ if is_array(referent(&identity)) => return None,
            "remove_cvref" => identity::unqualified(identity::referred(identity)),
            "remove_cv" => identity::unqualified(identity),
            "remove_const" => Type {
                is_const: false,
                ..identity
            },
            "remove_volatile" => Type {
                is_volatile: false,
                ..identity
            },
            _ => return None,
        })
    }

    /// What a trait says where that shows in identities, or in a type being a reference.
    pub(crate) fn trait_of_references(&mut self, of: &str, args: &[TemplateArg]) -> Option<bool> {
        match (of, args) {
            ("is_same", [one, other]) => {
                let one = self.identity_of_argument(one)?;
                Some(one == self.identity_of_argument(other)?)
            }
            (_, [one]) => match (of, self.argument_refers_as(one)) {
                (_, Refers::Unknown) => None,
                ("is_reference", refers) => Some(refers != Refers::No),
                ("is_lvalue_reference", refers) => Some(refers == Refers::Lvalue),
                ("is_rvalue_reference", refers) => Some(refers == Refers::Rvalue),
                (_, Refers::No) => None,
                (
                    "is_floating_point" | "is_integral" | "is_arithmetic" | "is_signed"
                    | "is_unsigned" | "is_pointer" | "is_void" | "is_class",
                    _,
                ) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// What type a template argument names, as it was declared.
    pub(super) fn identity_of_argument(&mut self, arg: &TemplateArg) -> Option<Type> {
        match arg {
            TemplateArg::Type(ty) => self.identity(ty),
            TemplateArg::Name(name)
            | TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => self.identity_of_name(name),
            TemplateArg::Expr(_) => None,
        }
    }

    fn type_argument(&mut self, arg: &TemplateArg) -> Option<Ty> {
        let ty = match arg {
            TemplateArg::Type(ty) => self.resolve(ty),
            TemplateArg::Name(name) => self.named_type(name),
            TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => self.named_type(name),
            TemplateArg::Expr(_) => return None,
        };
        (!super::typing::is_unknown(&ty)).then_some(ty)
    }

    fn constant(&mut self, arg: &TemplateArg) -> Option<i128> {
        let value = match arg {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name) => self.name(name),
            TemplateArg::Type(_) => return None,
        };
        match value {
            Value::Term(term) => self.facts.terms.as_const(term),
            _ => None,
        }
    }
}

/// `T &` or `T &&` of a type that may be a reference itself.
fn referring(to: Type, kind: fn(Box<Type>) -> TypeKind) -> Type {
    let outer = kind(Box::new(to.clone()));
    let kind = match (to.kind, outer) {
        (TypeKind::Reference(inner), _) => TypeKind::Reference(inner),
        (TypeKind::RvalueReference(inner), TypeKind::Reference(_)) => TypeKind::Reference(inner),
        (TypeKind::RvalueReference(inner), _) => TypeKind::RvalueReference(inner),
        (_, outer) => outer,
    };
    Type::new(kind, Range::default())
}

/// What a type refers to, or itself.
fn referent(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
        _ => ty,
    }
}
