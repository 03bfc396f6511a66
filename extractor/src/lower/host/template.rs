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
            None => ty.kind.clone(),
        },
        TypeKind::Pointer(to) => TypeKind::Pointer(Box::new(substitute(to, args))),
        TypeKind::Reference(to) => TypeKind::Reference(Box::new(substitute(to, args))),
        TypeKind::RvalueReference(to) => TypeKind::RvalueReference(Box::new(substitute(to, args))),
        TypeKind::Array(of, size) => TypeKind::Array(Box::new(substitute(of, args)), size.clone()),
        other => other.clone(),
    };
    Type { kind, ..ty.clone() }
}

/// Binds the template parameters in the type of a function parameter to what an argument's type
/// has there.
pub(super) fn bind(
    param: &Type,
    arg: &Type,
    params: &[TemplateParam],
    found: &mut BTreeMap<String, Type>,
) {
    match (&param.kind, &arg.kind) {
        (TypeKind::Named(name), _) => {
            if let Some(simple) = name.as_simple()
                && params
                    .iter()
                    .any(|param| param.name.as_deref() == Some(simple))
            {
                let mut ty = arg.clone();
                ty.is_const = false;
                ty.restrict = false;
                if let TypeKind::Array(of, _) = ty.kind {
                    ty.kind = TypeKind::Pointer(of);
                }
                found.entry(simple.to_owned()).or_insert(ty);
            }
        }
        (TypeKind::Reference(to) | TypeKind::RvalueReference(to), _) => {
            bind(to, arg, params, found);
        }
        (
            TypeKind::Pointer(a) | TypeKind::Array(a, _),
            TypeKind::Pointer(b) | TypeKind::Array(b, _),
        ) => {
            bind(a, b, params, found);
        }
        _ => {}
    }
}

/// A template argument in words, without its place.
pub(crate) fn argument_text(arg: &TemplateArg) -> Option<String> {
    match arg {
        TemplateArg::Name(name) => Some(name.path()),
        TemplateArg::Type(ty) => type_text(ty),
        TemplateArg::Expr(Expr {
            kind: ExprKind::Int { value, .. },
            ..
        }) => Some(value.to_string()),
        TemplateArg::Expr(_) => None,
    }
}

fn type_text(ty: &Type) -> Option<String> {
    let text = match &ty.kind {
        TypeKind::Scalar(scalar) => scalar_text(*scalar).to_owned(),
        TypeKind::Named(name) if name.args.is_none() => name.path(),
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
