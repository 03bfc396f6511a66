//! Types of functions as arguments of templates: `R(A, B)`.
//!
//! **Contract.** One that may be more than its result and its parameters tell, as `void() const` or `void(...)`, has no identity.

use super::body::Lowerer;
use super::identity::{decayed, unqualified};
use super::types::{Ty, TypeScope};
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The identity of the type of a function that is written at this place.
    pub(super) fn function_identity(&mut self, ty: &Type) -> Option<TypeKind> {
        let TypeKind::Function { ret, params } = &ty.kind else {
            return None;
        };
        if !self.is_plain_function(ty) {
            return None;
        }
        let ret = Box::new(self.identity(ret)?);
        let mut own = Vec::new();
        for param in params {
            let ty = unqualified(decayed(self.identity(&param.ty)?));
            if param.pack || matches!(ty.kind, TypeKind::Function { .. }) {
                return None;
            }
            own.push(Param {
                name: None,
                ty,
                default: None,
                pack: false,
                range: Range::default(),
            });
        }
        Some(TypeKind::Function { ret, params: own })
    }

    /// Whether the type of a function is written with its result and its parameters alone.
    fn is_plain_function(&self, ty: &Type) -> bool {
        let text = self.sources.text(ty.range).trim_end();
        let odd = ["...", "->", "noexcept", "__attribute__", "(*", "[["];
        text.ends_with(')') && !odd.iter().any(|word| text.contains(word))
    }

    /// Whether the type of a function is of a form, of whose parameters it binds those in it.
    pub(super) fn fits_function(
        &mut self,
        form: &Type,
        (ret, params): (&Type, &[Param]),
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        let TypeKind::Function {
            ret: pattern,
            params: taken,
        } = &form.kind
        else {
            return None;
        };
        if !self.is_plain_function(form) || taken.iter().any(|param| param.pack) {
            return None;
        }
        if taken.len() != params.len() {
            return Some(false);
        }
        let taken = taken.iter().map(|param| &param.ty);
        let given = params.iter().map(|param| &param.ty);
        let pairs = std::iter::once((&**pattern, ret)).chain(taken.zip(given));
        for (pattern, identity) in pairs {
            // Of arrays and constant parameters as they are written, the type is another.
            if pattern.is_const || matches!(pattern.kind, TypeKind::Array(..)) {
                return None;
            }
            let ty = self.layout_of_identity(identity)?;
            match self.fits(pattern, &ty, identity, own, bound) {
                Some(true) => {}
                other => return other,
            }
        }
        Some(true)
    }

    /// The layout of a type by its identity, if no name is in it.
    fn layout_of_identity(&mut self, identity: &Type) -> Option<Ty> {
        let mut inner = identity;
        while let TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) = &inner.kind
        {
            inner = to;
        }
        matches!(inner.kind, TypeKind::Scalar(_)).then(|| self.resolve(identity))
    }
}
