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
                | "remove_volatile"
                | "add_const"
                | "type_identity"
                | "add_lvalue_reference"
                | "add_rvalue_reference",
                [one],
            ) => self.type_argument(one),
            ("decay", [one]) => Some(super::typing::decayed(self.type_argument(one)?)),
            ("add_pointer", [one]) => Some(self.type_argument(one)?.pointer_to()),
            ("remove_extent", [one]) => match self.type_argument(one)? {
                Ty::Array(element, _) => Some(Ty::clone(&element)),
                ty => Some(ty),
            },
            ("remove_all_extents", [one]) => Some(self.type_argument(one)?.innermost().clone()),
            // An enumeration is kept as what it is made of.
            ("underlying_type", [one]) => match self.type_argument(one)? {
                ty @ Ty::Scalar(_) => Some(ty),
                _ => None,
            },
            ("void", args) => {
                for arg in args {
                    self.type_argument(arg)?;
                }
                Some(Ty::Void)
            }
            ("common_type", [first, rest @ ..]) => {
                let mut common = super::typing::decayed(self.type_argument(first)?);
                let own = self.identity_of_copy(first);
                for arg in rest {
                    let other = super::typing::decayed(self.type_argument(arg)?);
                    common = match (common, other) {
                        // `char` and `signed char` are kept as one type, and give an `int`; so do enumerations.
                        (Ty::Scalar(one), Ty::Scalar(other))
                            if one == other && one.promoted() != one =>
                        {
                            match own == Some(self.identity_of_copy(arg)?) {
                                true => Ty::Scalar(one),
                                false if own.is_some() => Ty::Scalar(one.promoted()),
                                false => return None,
                            }
                        }
                        (one, other) if one == other && one.is_resolved() => one,
                        (Ty::Scalar(one), Ty::Scalar(other)) => Ty::Scalar(one.common(other)),
                        _ => return None,
                    };
                }
                Some(common)
            }
            ("=element", [one]) => match self.type_argument(one)? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                _ => None,
            },
            ("=first", [one, ..]) | ("=second", [_, one]) => self.type_argument(one),
            ("=difference", [one]) => match self.type_argument(one)? {
                Ty::Pointer(_) => Some(Ty::Scalar(CType::I64)),
                _ => None,
            },
            ("=size", _) => Some(Ty::Scalar(CType::U64)),
            ("=bool", _) => Some(Ty::Scalar(CType::Bool)),
            ("tuple_element", [position, tuple]) => {
                let position = usize::try_from(self.constant(position)?).ok()?;
                let arg = tuple_of(tuple)?.get(position)?;
                self.type_argument(arg)
            }
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
            ("type", Some(segment)) => (segment.name.as_str(), segment.args.as_deref()?),
            (member, Some(segment)) if member_of_library(member, segment).is_some() => {
                if self.declares_class(&segment.name) {
                    return None;
                }
                let means = member_of_library(member, segment)?;
                (means, segment.args.as_deref().unwrap_or_default())
            }
            (base, _) => (base.strip_suffix("_t")?, name.args.as_deref()?),
        };
        let path = self.scope().path;
        let own = self.index.types_at(&name.lookup_path(), &path, name.range);
        (own.is_empty() && !self.declares_class(base)).then_some((base, args))
    }

    /// Whether a name asks for a trait of the library that is followed.
    pub(crate) fn is_trait(&mut self, name: &Name) -> bool {
        self.type_trait(name).is_some()
    }

    /// The identity of the type that a trait means.
    pub(crate) fn trait_identity(&mut self, name: &Name) -> Option<Type> {
        let (base, args) = self.trait_named(name)?;
        match base {
            "common_type" | "underlying_type" | "=difference" | "=size" | "=bool" | "void" => {
                return self.computed_identity(name, base, args);
            }
            "tuple_element" => {
                let position = usize::try_from(self.constant(args.first()?)?).ok()?;
                return self.identity_of_argument(tuple_of(args.get(1)?)?.get(position)?);
            }
            _ => {}
        }
        let first = args.first()?;
        let identity = match (base, args) {
            ("=second", [_, second]) => return self.identity_of_argument(second),
            ("=first", [first, ..]) => return self.identity_of_argument(first),
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
            "add_pointer" => {
                let to = Box::new(identity::referred(identity));
                if matches!(to.kind, TypeKind::Function { .. }) {
                    return None;
                }
                Type::new(TypeKind::Pointer(to), Range::default())
            }
            "make_unsigned" | "make_signed" => Type {
                kind: TypeKind::Scalar(with_sign(identity.scalar()?, base == "make_signed")?),
                ..identity
            },
            "remove_extent" => match identity.kind {
                TypeKind::Array(of, _) => *of,
                _ => identity,
            },
            "remove_all_extents" => identity::elements(&identity).clone(),
            "=element" => match identity.kind {
                TypeKind::Pointer(to) if name.base == "value_type" => identity::unqualified(*to),
                TypeKind::Pointer(to) => *to,
                _ => return None,
            },
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

    /// The identity of the type of a copy of what a template argument names.
    fn identity_of_copy(&mut self, arg: &TemplateArg) -> Option<Type> {
        let value = identity::referred(self.identity_of_argument(arg)?);
        Some(identity::unqualified(identity::decayed(value)))
    }

    /// The identity of a type that a trait computes.
    fn computed_identity(&mut self, name: &Name, base: &str, args: &[TemplateArg]) -> Option<Type> {
        let scalar = |scalar| Some(Type::new(TypeKind::Scalar(scalar), Range::default()));
        let ty = self.type_trait(name)?;
        match (base, &ty) {
            ("void", _) => return scalar(Scalar::Void),
            ("=difference", _) => return scalar(Scalar::Long),
            ("=size", _) => return scalar(Scalar::ULong),
            ("=bool", _) => return scalar(Scalar::Bool),
            _ => {}
        }
        if base == "common_type" {
            let all: Vec<Option<Type>> =
                args.iter().map(|arg| self.identity_of_copy(arg)).collect();
            let first = all.first()?.clone();
            if all.iter().all(|one| *one == first) {
                return first;
            }
            // Of two types of one size the longer name is meant.
            let is_long = |one: &Option<Type>| {
                let scalar = one.as_ref().and_then(Type::scalar);
                scalar.map(|scalar| matches!(scalar, Scalar::LongLong | Scalar::ULongLong))
            };
            let is_long = all.iter().map(is_long).collect::<Option<Vec<bool>>>();
            let is_long = is_long.map(|all| all.contains(&true));
            return match (&ty, is_long) {
                (Ty::Scalar(CType::I64), Some(false)) => scalar(Scalar::Long),
                (Ty::Scalar(CType::I64), Some(true)) => scalar(Scalar::LongLong),
                (Ty::Scalar(CType::U64), Some(false)) => scalar(Scalar::ULong),
                (Ty::Scalar(CType::U64), Some(true)) => scalar(Scalar::ULongLong),
                (Ty::Scalar(CType::I32 | CType::U32 | CType::F32 | CType::F64), _) => {
                    identity::of_layout(&ty)
                }
                _ => None,
            };
        }
        // What an enumeration is made of: `char` or `signed char`, `long` or `long long`.
        match ty {
            Ty::Scalar(CType::I8 | CType::I64 | CType::U64) => None,
            ty => identity::of_layout(&ty),
        }
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

/// The integer type of the same size that is signed or unsigned, as its own or as the smallest rank of that size.
fn with_sign(scalar: Scalar, signed: bool) -> Option<Scalar> {
    let [one, other] = match scalar {
        Scalar::Char | Scalar::SChar | Scalar::UChar => [Scalar::SChar, Scalar::UChar],
        Scalar::Short | Scalar::UShort | Scalar::Char16 => [Scalar::Short, Scalar::UShort],
        Scalar::Int | Scalar::UInt | Scalar::Char32 | Scalar::WChar => [Scalar::Int, Scalar::UInt],
        Scalar::Long | Scalar::ULong => [Scalar::Long, Scalar::ULong],
        Scalar::LongLong | Scalar::ULongLong => [Scalar::LongLong, Scalar::ULongLong],
        _ => return None,
    };
    Some(if signed { one } else { other })
}

/// What a member type of a class of the library says of its arguments: by the words that [`Lowerer::type_trait`] knows.
fn member_of_library(member: &str, class: &Segment) -> Option<&'static str> {
    const CONTAINERS: [&str; 11] = [
        "vector",
        "array",
        "deque",
        "list",
        "set",
        "device_vector",
        "host_vector",
        "device_ptr",
        "valarray",
        "complex",
        "initializer_list",
    ];
    Some(match (class.name.as_str(), member) {
        ("iterator_traits" | "pointer_traits", _) if class.args.as_ref()?.len() != 1 => {
            return None;
        }
        ("iterator_traits", "reference") => "reference",
        ("iterator_traits", "pointer") | ("pointer_traits", "pointer") => "type_identity",
        ("iterator_traits", "value_type") => "=element",
        ("pointer_traits", "element_type") => "=element",
        ("iterator_traits" | "pointer_traits", "difference_type") => "=difference",
        ("pair", "first_type") => "=first",
        ("pair", "second_type") => "=second",
        ("integral_constant", "value_type") => "=first",
        ("true_type" | "false_type" | "bool_constant", "value_type") => "=bool",
        (class, "value_type") if CONTAINERS.contains(&class) => "=first",
        (class, "size_type") if CONTAINERS.contains(&class) && class != "complex" => "=size",
        _ => return None,
    })
}

/// The arguments of `std::pair<A, B>` or `std::tuple<A, B>`.
fn tuple_of(arg: &TemplateArg) -> Option<&[TemplateArg]> {
    let name = match arg {
        TemplateArg::Name(name)
        | TemplateArg::Type(Type {
            kind: TypeKind::Named(name),
            ..
        }) => name,
        _ => return None,
    };
    matches!(name.base.as_str(), "pair" | "tuple")
        .then_some(name.args.as_deref())
        .flatten()
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
