//! Classes with virtual methods: where their table is, which method a call means.
//!
//! **Contract.** A virtual method is followed only for an object whose class is the one that its variable was declared with; of
//! what a pointer or reference leads to, or of the part of an object that a base is, the class may be a derived one.

use std::rc::Rc;

use super::body::Lowerer;
use super::types::{StructTy, Ty};
use super::unit::last_component;
use super::value::Lvalue;
use crate::syntax::ast::*;

/// Why a call of a virtual method is not followed.
pub(crate) const UNKNOWN_CLASS: &str = "it is virtual, and the class of the object is not known";

/// The name of the field that leads to the virtual methods; no program can write it.
const TABLE: &str = "[virtual methods]";

/// The pointer that an object of a class with virtual methods begins with.
pub(super) fn table_field() -> (String, Ty, Option<u64>) {
    let pointer = Ty::Opaque {
        name: TABLE.to_owned(),
        bytes: Some(8),
    };
    (TABLE.to_owned(), pointer, None)
}

/// Whether objects of a class begin with such a pointer.
pub(super) fn has_table(ty: &Ty) -> bool {
    let begins = |class: &StructTy| {
        class.layout().is_some_and(
            |layout| matches!(layout.fields.first(), Some((name, ..)) if name == TABLE),
        )
    };
    matches!(ty, Ty::Struct(class) if begins(class))
}

/// Whether a class has such a pointer of its own, before its members. The one of its first base serves the class as well; where
/// another place has to be found for it, the layout is not known (`None`).
pub(super) fn begins_with_table(record: &Struct, bases: &[Ty]) -> Option<bool> {
    match bases {
        [] => Some(record.has_virtual),
        [first, ..] if has_table(first) => Some(false),
        bases => (!record.has_virtual && !bases.iter().any(has_table)).then_some(false),
    }
}

impl Lowerer<'_, '_> {
    /// Whether a call of a method on an object may mean that of a derived class.
    pub(crate) fn may_dispatch(&self, function: &Function, object: &Lvalue) -> bool {
        let is_exact = match object {
            Lvalue::Variable { var, path, .. } if path.is_empty() => {
                match self.variables.get(var.0 as usize) {
                    Some((_, Ty::Struct(declared))) => self.is_last(function, declared),
                    _ => false,
                }
            }
            _ => false,
        };
        !is_exact && !function.name.starts_with('~') && self.may_be_overridden(function)
    }

    /// Whether no class between the one of a method and one that derives from it declares another of its name.
    fn is_last(&self, function: &Function, class: &Rc<StructTy>) -> bool {
        let mut class = Rc::clone(class);
        loop {
            let Some(record) = self.record(&class) else {
                return false;
            };
            let own = self.index.methods(&record.name, &function.name);
            if !own.is_empty() {
                return own.iter().any(|one| one.range == function.range);
            }
            let bases = class.layout().map(|layout| layout.bases.clone());
            match bases.as_deref() {
                Some([(Ty::Struct(base), _)]) => class = Rc::clone(base),
                _ => return false,
            }
        }
    }

    /// Whether a class that derives from its own may have another function for it: it or one of its name is virtual, in its class
    /// or one that this derives from.
    pub(crate) fn may_be_overridden(&self, function: &Function) -> bool {
        let virtuals: Vec<&str> = self
            .index
            .functions(&function.name)
            .iter()
            .filter(|other| other.quals.is_virtual && other.params.len() == function.params.len())
            .filter_map(|other| other.owner.as_deref().map(last_component))
            .collect();
        let Some(owner) = function.owner.as_deref().filter(|_| !virtuals.is_empty()) else {
            return !virtuals.is_empty();
        };
        let mut classes = vec![last_component(owner)];
        let mut next = 0;
        while let Some(&class) = classes.get(next) {
            next += 1;
            if virtuals.contains(&class) {
                return true;
            }
            let records = self.index.unit.structs.iter();
            let mut named = records
                .filter(|record| last_component(&record.name) == class)
                .peekable();
            // A parameter of a template, or a class of another name.
            if named.peek().is_none() {
                return true;
            }
            for base in named.flat_map(|record| &record.bases) {
                let TypeKind::Named(name) = &base.kind else {
                    return true;
                };
                if !classes.contains(&name.base.as_str()) {
                    classes.push(&name.base);
                }
            }
        }
        false
    }
}
