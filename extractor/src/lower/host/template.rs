//! Template arguments of host functions and launches, as they are written.

use std::collections::BTreeMap;

use crate::syntax::ast::*;

/// The type with template parameters replaced.
pub(super) fn substitute(ty: &Type, args: &BTreeMap<String, Type>) -> Type {
    if args.is_empty() {
        return ty.clone();
    }
    let kind = match &ty.kind {
        TypeKind::Named(name) => match name.as_simple().and_then(|name| args.get(name)) {
            Some(given) => {
                let mut given = given.clone();
                given.is_const |= ty.is_const;
                return given;
            }
            None => TypeKind::Named(substitute_name(name, args)),
        },
        TypeKind::Pointer(to) => TypeKind::Pointer(Box::new(substitute(to, args))),
        TypeKind::Reference(to) => TypeKind::Reference(Box::new(substitute(to, args))),
        TypeKind::RvalueReference(to) => TypeKind::RvalueReference(Box::new(substitute(to, args))),
        TypeKind::Array(of, size) => TypeKind::Array(Box::new(substitute(of, args)), size.clone()),
        other => other.clone(),
    };
    Type { kind, ..ty.clone() }
}

/// `Traits<T>::type` and `T::type` for what `T` is.
fn substitute_name(name: &Name, args: &BTreeMap<String, Type>) -> Name {
    let given = |given: &Option<Vec<TemplateArg>>| {
        given.as_ref().map(|given| {
            let each = given.iter().map(|arg| match arg {
                TemplateArg::Type(ty) => TemplateArg::Type(substitute(ty, args)),
                TemplateArg::Name(name) => match name.as_simple().and_then(|name| args.get(name)) {
                    Some(ty) => TemplateArg::Type(ty.clone()),
                    None => TemplateArg::Name(substitute_name(name, args)),
                },
                TemplateArg::Expr(_) => arg.clone(),
            });
            each.collect()
        })
    };
    let mut qualifier = Vec::new();
    for (position, segment) in name.qualifier.iter().enumerate() {
        if position == 0
            && segment.args.is_none()
            && let Some(Type {
                kind: TypeKind::Named(class),
                ..
            }) = args.get(&segment.name)
        {
            qualifier.extend(class.qualifier.iter().cloned());
            qualifier.push(Segment {
                name: class.base.clone(),
                args: class.args.clone(),
            });
        } else {
            qualifier.push(Segment {
                name: segment.name.clone(),
                args: given(&segment.args),
            });
        }
    }
    Name {
        qualifier,
        args: given(&name.args),
        ..name.clone()
    }
}

/// Whether a type, or an argument of it, is a name that `is_parameter` knows.
pub(super) fn names(ty: &Type, is_parameter: &dyn Fn(&str) -> bool) -> bool {
    let of_name = |name: &Name| {
        let given = name
            .qualifier
            .iter()
            .filter_map(|segment| segment.args.as_ref());
        let mut given = given.chain(&name.args).flatten();
        name.qualifier
            .first()
            .is_some_and(|first| is_parameter(&first.name))
            || (name.qualifier.is_empty() && is_parameter(&name.base))
            || given.any(|arg| match arg {
                TemplateArg::Type(ty) => names(ty, is_parameter),
                TemplateArg::Name(name) => names(
                    &Type::new(TypeKind::Named(name.clone()), name.range),
                    is_parameter,
                ),
                // What stands in it may be one.
                TemplateArg::Expr(expr) => {
                    !matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Bool(_))
                }
            })
    };
    match &ty.kind {
        TypeKind::Named(name) => of_name(name),
        TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) => names(to, is_parameter),
        TypeKind::Scalar(_) => false,
        _ => true,
    }
}

/// Binds the template parameters in the type of a function parameter to what an argument's type
/// has there.
pub(super) fn bind(
    param: &Type,
    arg: &Type,
    params: &[TemplateParam],
    found: &mut BTreeMap<String, Type>,
) {
    bind_at(param, arg, params, found, true);
}

/// The same, of a copy or of what a pointer or reference leads to: that is constant if what is passed is.
fn bind_at(
    param: &Type,
    arg: &Type,
    params: &[TemplateParam],
    found: &mut BTreeMap<String, Type>,
    is_copy: bool,
) {
    match (&param.kind, &arg.kind) {
        (TypeKind::Named(name), _) => {
            if let Some(simple) = name.as_simple()
                && params
                    .iter()
                    .any(|param| param.name.as_deref() == Some(simple))
            {
                let mut ty = arg.clone();
                ty.is_const &= !is_copy && !param.is_const;
                ty.restrict = false;
                if let TypeKind::Array(of, _) = ty.kind {
                    ty.kind = TypeKind::Pointer(of);
                }
                found.entry(simple.to_owned()).or_insert(ty);
            }
        }
        (TypeKind::Reference(to) | TypeKind::RvalueReference(to), _) => {
            bind_at(to, arg, params, found, false);
        }
        (
            TypeKind::Pointer(a) | TypeKind::Array(a, _),
            TypeKind::Pointer(b) | TypeKind::Array(b, _),
        ) => {
            bind_at(a, b, params, found, false);
        }
        _ => {}
    }
    // `Box<T>` of a `Box<float>`.
    for (pattern, given) in same_class(param, arg).into_iter().flatten() {
        if let (Some(pattern), Some(given)) = (type_of(pattern), type_of(given)) {
            bind_at(&pattern, &given, params, found, false);
        }
    }
}

/// The numbers that the arguments of a class tell of a template's parameters: `Tag<K>` of a `Tag<2>`.
pub(super) fn bind_numbers(
    param: &Type,
    arg: &Type,
    params: &[TemplateParam],
    found: &mut BTreeMap<String, TemplateArg>,
) {
    match (&param.kind, &arg.kind) {
        (TypeKind::Reference(to) | TypeKind::RvalueReference(to), _) => {
            bind_numbers(to, arg, params, found);
        }
        (
            TypeKind::Pointer(a) | TypeKind::Array(a, _),
            TypeKind::Pointer(b) | TypeKind::Array(b, _),
        ) => bind_numbers(a, b, params, found),
        _ => {}
    }
    let is_number = |name: &str| {
        params.iter().any(|param| {
            matches!(param.kind, TemplateParamKind::Value { .. })
                && param.name.as_deref() == Some(name)
        })
    };
    for (pattern, given) in same_class(param, arg).into_iter().flatten() {
        let simple = match pattern {
            TemplateArg::Name(name)
            | TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => name.as_simple(),
            _ => None,
        };
        match (simple.filter(|simple| is_number(simple)), given) {
            (Some(simple), TemplateArg::Expr(expr))
                if matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Bool(_)) =>
            {
                found
                    .entry(simple.to_owned())
                    .or_insert_with(|| given.clone());
            }
            (Some(_), _) => {}
            (None, _) => {
                if let (Some(pattern), Some(given)) = (type_of(pattern), type_of(given)) {
                    bind_numbers(&pattern, &given, params, found);
                }
            }
        }
    }
}

/// The arguments of two types that are made from one class template, next to each other.
fn same_class<'t>(
    param: &'t Type,
    arg: &'t Type,
) -> Option<impl Iterator<Item = (&'t TemplateArg, &'t TemplateArg)>> {
    let (TypeKind::Named(pattern), TypeKind::Named(given)) = (&param.kind, &arg.kind) else {
        return None;
    };
    let (patterns, args) = (pattern.args.as_deref()?, given.args.as_deref()?);
    (pattern.base == given.base && patterns.len() == args.len()).then(|| patterns.iter().zip(args))
}

fn type_of(arg: &TemplateArg) -> Option<Type> {
    match arg {
        TemplateArg::Type(ty) => Some(ty.clone()),
        TemplateArg::Name(name) => Some(Type::new(TypeKind::Named(name.clone()), name.range)),
        TemplateArg::Expr(_) => None,
    }
}

/// A template argument in words, without its place.
pub(crate) fn argument_text(arg: &TemplateArg) -> Option<String> {
    match arg {
        TemplateArg::Name(name) => name_text(name),
        TemplateArg::Type(ty) => type_text(ty),
        TemplateArg::Expr(Expr {
            kind: ExprKind::Int { value, .. },
            ..
        }) => Some(value.to_string()),
        TemplateArg::Expr(_) => None,
    }
}

/// A name with all template arguments in it: two instances have two texts.
fn name_text(name: &Name) -> Option<String> {
    let with = |base: &str, args: &Option<Vec<TemplateArg>>| -> Option<String> {
        let Some(args) = args else {
            return Some(base.to_owned());
        };
        let args: Option<Vec<String>> = args.iter().map(argument_text).collect();
        Some(format!("{base}<{}>", args?.join(", ")))
    };
    let mut parts = Vec::with_capacity(name.qualifier.len() + 1);
    for segment in &name.qualifier {
        parts.push(with(&segment.name, &segment.args)?);
    }
    parts.push(with(&name.base, &name.args)?);
    Some(parts.join("::"))
}

fn type_text(ty: &Type) -> Option<String> {
    let text = match &ty.kind {
        TypeKind::Scalar(scalar) => scalar_text(*scalar).to_owned(),
        TypeKind::Named(name) => name_text(name)?,
        TypeKind::Pointer(to) => format!("{} *", type_text(to)?),
        _ => return None,
    };
    Some(if ty.is_const {
        format!("const {text}")
    } else {
        text
    })
}

fn scalar_text(scalar: Scalar) -> &'static str {
    use Scalar::*;
    match scalar {
        Void => "void",
        Bool => "bool",
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned int",
        Long => "long",
        ULong => "unsigned long",
        LongLong => "long long",
        ULongLong => "unsigned long long",
        Int128 => "__int128",
        UInt128 => "unsigned __int128",
        WChar => "wchar_t",
        Char8 => "char8_t",
        Char16 => "char16_t",
        Char32 => "char32_t",
        Half => "half",
        BFloat16 => "__nv_bfloat16",
        Float => "float",
        Double => "double",
        LongDouble => "long double",
        NullptrT => "nullptr_t",
    }
}
