//! Which of two parameters takes a pointer as it is, and which one adds `const` or `volatile` to what it points to.
//!
//! **Method.** Of `f(T)`, `f(T *)` and `f(const T *)` all take an `int *` by identity or by a conversion of qualifiers, which is the worse
//! one (C++ 12.2.4.3). Where the types of the argument and of both parameters are known with their qualifiers, these are compared;
//! else what is written of each level of the pointers is. What is not known leaves the choice open.

use super::body::Lowerer;
use super::call::is_reference;
use super::constness::{Argument, Preference};
use super::identity::{self, referred, unqualified};
use super::types::{Ty, TypeScope};
use super::typing::decayed;
use crate::syntax::ast::*;

/// A parameter of a candidate: its type, the names in force, the template parameters of its function.
pub(super) type Written<'a> = (&'a Type, &'a TypeScope, &'a [TemplateParam]);

impl Lowerer<'_, '_> {
    /// Which of two parameters an argument that is a pointer fits better; `None`: their qualifiers do not say it, or are those that
    /// [`super::constness::Takes`] compares.
    pub(super) fn better_qualified(
        &mut self,
        one: Written<'_>,
        other: Written<'_>,
        arg: &Argument<'_>,
    ) -> Option<Preference> {
        if !matches!(decayed(arg.ty.clone()), Ty::Pointer(_)) {
            return None;
        }
        let levels = (self.levels(one), self.levels(other));
        if let (Some(a), Some(b)) = &levels
            && a == b
        {
            return None;
        }
        let mut whole = |(ty, scope, _): Written<'_>| {
            // The elements of an array that a reference is bound to are not converted.
            if is_reference(ty) && matches!(referent(ty).kind, TypeKind::Array(..)) {
                return None;
            }
            let identity = self.within(scope.clone(), |me| me.identity(ty))?;
            Some(unqualified(identity::decayed(referred(identity))))
        };
        if let (Some(a), Some(b)) = (whole(one), whole(other))
            && let Some(given) = self.identity_of_value(arg)
        {
            return match (a == given, b == given) {
                (true, false) => Some(Preference::First),
                (false, true) => Some(Preference::Second),
                _ => None,
            };
        }
        let (Some(a), Some(b)) = levels else {
            return Some(Preference::Undecided);
        };
        let pointers = is_pointer(one.0) && is_pointer(other.0);
        let only_const = |levels: &[Level]| {
            let mut inner = levels.iter().skip(1);
            inner.all(|level| *level == Level::default())
                && levels.first().is_none_or(|level| !level.is_volatile)
        };
        if !(only_const(&a) && only_const(&b)) {
            return Some(Preference::Undecided);
        }
        if pointers {
            return None;
        }
        let adds = |levels: &[Level]| levels.first().is_some_and(|level| level.is_const);
        match (adds(&a), adds(&b), self.known_of(arg).1.pointee) {
            (false, true, Some(false)) => Some(Preference::First),
            (true, false, Some(false)) => Some(Preference::Second),
            (false, false, _) | (true, true, _) | (_, _, Some(true)) => None,
            (_, _, None) => Some(Preference::Undecided),
        }
    }

    /// What a parameter adds to the levels of a pointer, from the outermost; `None`: its text does not say.
    fn levels(&mut self, (written, scope, own): Written<'_>) -> Option<Vec<Level>> {
        let mut levels = Vec::new();
        let mut ty = referent(written);
        if is_reference(written) && matches!(ty.kind, TypeKind::Array(..)) {
            return Some(levels);
        }
        while let TypeKind::Pointer(to) | TypeKind::Array(to, _) = &ty.kind {
            levels.push(Level {
                is_const: to.is_const,
                is_volatile: to.is_volatile,
            });
            ty = to;
        }
        if let TypeKind::Named(name) = &ty.kind {
            let simple = name.as_simple();
            let is_own = own.iter().any(|one| one.name.as_deref() == simple);
            // Another name of a pointer, or of what is constant.
            if !(simple.is_some() && is_own)
                && self.within(scope.clone(), |me| me.is_const(ty)).is_none()
            {
                return None;
            }
        }
        while levels.last() == Some(&Level::default()) {
            levels.pop();
        }
        Some(levels)
    }
}

/// The qualifiers of what a pointer points to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    is_const: bool,
    is_volatile: bool,
}

/// What a reference refers to.
fn referent(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
        _ => ty,
    }
}

fn is_pointer(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..))
}
