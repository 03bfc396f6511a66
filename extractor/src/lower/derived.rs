//! What is passed to a function as an object of a base class: deduction of template arguments from bases.
//!
//! **Method.** `Ex<D>` takes an object of a class that derives from `Ex<A>`, and `Ex<D> *` a pointer to one. Only where the class
//! itself does not fit its bases are looked at, all of them. If several fit, or not all bases are known, deduction is undecided.

use std::rc::Rc;

use super::body::Lowerer;
use super::classes::mentions;
use super::identity::of_class;
use super::types::{StructTy, Ty, TypeScope};
use super::unit::TypeEntry;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Deduces template arguments from a base of an argument's class, after the class itself did not fit; `None`: whether it fits is
    /// not decided.
    pub(super) fn deduces_from_base(
        &mut self,
        pattern: &Type,
        given: &Ty,
        parameters: &[TemplateParam],
        scope: &mut TypeScope,
    ) -> Option<bool> {
        let mut pattern = pattern;
        while let TypeKind::Reference(to) | TypeKind::RvalueReference(to) = &pattern.kind {
            pattern = to;
        }
        let class = match (&pattern.kind, given) {
            (TypeKind::Pointer(to), Ty::Pointer(given)) => {
                pattern = to;
                match &**given {
                    Ty::Struct(class) => class,
                    _ => return Some(false),
                }
            }
            (_, Ty::Struct(class)) => class,
            _ => return Some(false),
        };
        let TypeKind::Named(name) = &pattern.kind else {
            // No pointer, function or array is a class.
            return match pattern.kind {
                TypeKind::Pointer(_) | TypeKind::Array(..) => Some(false),
                _ => None,
            };
        };
        // A parameter alone is the class itself.
        let simple = name.as_simple();
        if simple.is_some() && parameters.iter().any(|one| one.name.as_deref() == simple) {
            return Some(false);
        }
        let template = self.template_of_unit(name, parameters, scope)?;
        self.record(class)?;
        let mut bases = Vec::new();
        all_bases(class, &mut bases)?;
        let mut fitting: Option<(Rc<StructTy>, TypeScope)> = None;
        for base in bases {
            match self.record(&base) {
                Some(record) if record.name == template => {}
                Some(_) => continue,
                None => return None,
            }
            let mut bound = scope.clone();
            let ty = Ty::Struct(Rc::clone(&base));
            let fits = match of_class(&base) {
                Some(mut identity) => {
                    // That the object is constant is no matter of the class.
                    (identity.is_const, identity.is_volatile) =
                        (pattern.is_const, pattern.is_volatile);
                    self.fits(pattern, &ty, &identity, parameters, &mut bound)
                }
                None => None,
            };
            let fits = match fits {
                Some(fits) => fits,
                None => {
                    bound = scope.clone();
                    if !self.unify(pattern, &ty, parameters, &mut bound) {
                        return None;
                    }
                    true
                }
            };
            if fits && fitting.replace((base, bound)).is_some() {
                return None;
            }
        }
        match fitting {
            Some((_, bound)) => {
                *scope = bound;
                Some(true)
            }
            None => Some(false),
        }
    }

    /// The name of the class template of the unit that `S<T>` means where `T` is to be deduced.
    fn template_of_unit(
        &self,
        name: &Name,
        parameters: &[TemplateParam],
        scope: &TypeScope,
    ) -> Option<String> {
        let pattern = Type::new(TypeKind::Named(name.clone()), name.range);
        let plain = name.qualifier.iter().all(|segment| segment.args.is_none());
        if name.args.is_none() || !plain || !mentions(&pattern, parameters) {
            return None;
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        let mut found = None;
        for entry in entries {
            let TypeEntry::Class(_, record) = entry else {
                return None;
            };
            if found.get_or_insert(&record.name) != &&record.name {
                return None;
            }
        }
        found.cloned()
    }

    /// Whether not all bases are known of the class that an argument is of or points to, so that it may have the other among them.
    pub(super) fn may_derive(&self, from: &Ty, to: &Ty) -> bool {
        let is_pointer = |ty: &Ty| matches!(ty, Ty::Pointer(_));
        if is_pointer(from) != is_pointer(to) || class_of(to).is_none() {
            return false;
        }
        class_of(from).is_some_and(|from| {
            let has_bases = |record: &Struct| !record.bases.is_empty();
            self.record(from).is_some_and(has_bases) && all_bases(from, &mut Vec::new()).is_none()
        })
    }
}

/// The class that a type is or points to.
pub(super) fn class_of(ty: &Ty) -> Option<&Rc<StructTy>> {
    match ty {
        Ty::Struct(class) => Some(class),
        Ty::Pointer(to) => match &**to {
            Ty::Struct(class) => Some(class),
            _ => None,
        },
        _ => None,
    }
}

/// All bases of a class, through any number of steps, each once; `None` if not all are known.
fn all_bases(class: &StructTy, found: &mut Vec<Rc<StructTy>>) -> Option<()> {
    for (base, _) in &class.layout()?.bases {
        let Ty::Struct(base) = base else {
            return None;
        };
        if !found.iter().any(|known| known == base) {
            found.push(Rc::clone(base));
            all_bases(base, found)?;
        }
    }
    Some(())
}

/// Whether a class is another's base, through any number of steps.
pub(crate) fn derives(from: &StructTy, to: &StructTy) -> bool {
    from.layout().is_some_and(|layout| {
        layout.bases.iter().any(|(base, _)| match base {
            Ty::Struct(base) => **base == *to || derives(base, to),
            _ => false,
        })
    })
}
