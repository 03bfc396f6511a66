//! How well an argument fits a parameter.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::derived::derives;
use super::super::types::{StructTy, Ty};
use super::super::typing::{decayed, is_unknown};
use super::super::unit::last_component;
use crate::syntax::ast::*;

/// How well an argument fits: smaller is better.
pub(super) type Rank = u8;

pub(super) const EXACT: Rank = 0;

pub(super) const PROMOTION: Rank = 1;

/// An object as one of a base class, a pointer as one to that: better than `void *`; which of two bases is the nearer one, the
/// classes tell.
pub(super) const DERIVED: Rank = 2;

pub(super) const CONVERSION: Rank = 3;

/// A pointer as a truth value: worse than any other conversion of it.
pub(super) const TRUTH: Rank = 4;

pub(super) const USER_DEFINED: Rank = 5;

/// What `...` takes.
pub(super) const ELLIPSIS: Rank = 6;

/// The type of the argument is not known: it may fit.
pub(super) const GUESS: Rank = 7;

impl<'u> Lowerer<'u, '_> {
    /// How well an argument fits a parameter; `None`: not at all.
    pub(super) fn rank(&mut self, arg: &Ty, target: &Ty, written: &Type) -> Option<Rank> {
        if is_unknown(arg) || is_unknown(target) {
            return Some(GUESS);
        }
        let by_value = !matches!(
            written.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        );
        let arg = if by_value || !matches!(target, Ty::Array(..)) {
            decayed(arg.clone())
        } else {
            arg.clone()
        };
        let target = if by_value {
            decayed(target.clone())
        } else {
            target.clone()
        };
        if arg == target {
            return Some(EXACT);
        }
        if self.may_be_other(&arg, &target) {
            return Some(GUESS);
        }
        Some(match (&arg, &target) {
            (Ty::Scalar(from), Ty::Scalar(to)) => {
                let promoted = (from.is_integer() && *to == from.promoted())
                    || (*from == CType::F32 && *to == CType::F64);
                if promoted { PROMOTION } else { CONVERSION }
            }
            (Ty::Pointer(from), Ty::Pointer(to)) => match (&**from, &**to) {
                (_, Ty::Void) | (Ty::Void, _) => CONVERSION,
                (from, to) if is_unknown(from) || is_unknown(to) => GUESS,
                (Ty::Struct(from), Ty::Struct(to)) if derives(from, to) => DERIVED,
                _ if self.may_derive(&arg, &target) => GUESS,
                (Ty::Opaque { .. }, _) | (_, Ty::Opaque { .. }) => GUESS,
                _ => return None,
            },
            (Ty::Struct(from), Ty::Struct(to)) if derives(from, to) => DERIVED,
            (Ty::Struct(_), Ty::Struct(_)) if self.may_derive(&arg, &target) => GUESS,
            // `void f(thread_group g)` takes a block or a tile: which it is, the value says.
            (Ty::Struct(from), Ty::Struct(to)) if super::super::library::is_group_of(from, to) => {
                CONVERSION
            }
            // CUDA's `dim3` is made of a `uint3`, and gives one.
            (Ty::Struct(from), Ty::Struct(to))
                if matches!(
                    (from.name.as_str(), to.name.as_str()),
                    ("uint3", "dim3") | ("dim3", "uint3")
                ) =>
            {
                USER_DEFINED
            }
            (_, Ty::Struct(to)) => {
                // A constructor of one argument may convert.
                let record = self.record(to)?;
                let simple = last_component(&record.name);
                let converting = |constructor: &&Function| {
                    let params = constructor.params.iter();
                    let required = params.filter(|param| param.default.is_none() && !param.pack);
                    !constructor.quals.explicit
                        && !constructor.params.is_empty()
                        && required.count() <= 1
                };
                let constructors = self.index.methods(&record.name, simple);
                let converts = constructors.iter().any(converting);
                if !converts {
                    return None;
                }
                USER_DEFINED
            }
            (Ty::Struct(from), _) => {
                let record = self.record(from)?;
                let prefix = "operator ";
                let functions = self.index.named.of_class(&record.name);
                let converts = functions
                    .iter()
                    .any(|function| function.name.starts_with(prefix) && !function.quals.explicit);
                if !converts {
                    return None;
                }
                USER_DEFINED
            }
            (Ty::Pointer(_), Ty::Scalar(CType::Bool)) => TRUTH,
            (Ty::Pointer(_), Ty::Scalar(_)) => return None,
            // `0` is a null pointer.
            (Ty::Scalar(from), Ty::Pointer(_)) if from.is_integer() => USER_DEFINED,
            (Ty::Scalar(_), Ty::Pointer(_)) => return None,
            (Ty::Opaque { name: one, .. }, Ty::Opaque { name: other, .. }) if one == other => EXACT,
            // A half type becomes a float before it becomes a double.
            (Ty::Opaque { name, .. }, Ty::Scalar(CType::F64))
                if name == "half" || name == "bfloat16" =>
            {
                USER_DEFINED
            }
            // A half type is a class that is made of a number.
            (Ty::Scalar(_), Ty::Opaque { name, .. }) if name == "half" || name == "bfloat16" => {
                USER_DEFINED
            }
            // Half types convert to and from numbers.
            (Ty::Opaque { .. }, Ty::Scalar(_)) | (Ty::Scalar(_), Ty::Opaque { .. }) => CONVERSION,
            (Ty::Opaque { .. }, Ty::Opaque { .. }) => USER_DEFINED,
            _ => GUESS,
        })
    }

    /// Whether two types that are not equal here may be one, for all that is known of them.
    pub(super) fn may_be_other(&self, arg: &Ty, target: &Ty) -> bool {
        match (arg, target) {
            (Ty::Pointer(arg), Ty::Pointer(target)) => self.may_be_other(arg, target),
            (Ty::Struct(one), Ty::Struct(other)) if one.class.is_some() => {
                let record = |ty: &StructTy| ty.class.as_ref().map(|class| class.record);
                arg != target
                    && record(one) == record(other)
                    && !(arg.is_resolved() && target.is_resolved())
            }
            _ => self.may_be_any(arg) || self.may_be_any(target),
        }
    }

    /// Whether a type, or what it is a pointer to, may be any other: nothing declares its name.
    pub(super) fn may_be_any(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Pointer(to) => self.may_be_any(to),
            Ty::Struct(_) => super::super::library::types::converts(ty),
            Ty::Opaque { name, bytes: None } => {
                name != "lambda"
                    && !self.untold.contains(name)
                    && !super::super::templates::stands_for_template(name)
            }
            _ => false,
        }
    }
}

/// Whether a type is, or points to, one of which nothing is known.
pub(super) fn is_opaque(ty: &Ty) -> bool {
    let mut ty = ty;
    while let Ty::Pointer(to) = ty {
        ty = to;
    }
    matches!(ty.innermost(), Ty::Opaque { .. })
}
