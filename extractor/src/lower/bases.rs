//! Bases of class templates that depend on template parameters, and names that mean other things by them.
//!
//! An unqualified name in a class template is looked up where the template is written: not in bases that depend on its
//! parameters, whatever they turn out to declare. The bases that do not depend on them come before the parameters
//! themselves: where that matters, the class is refused.

use super::body::Lowerer;
use super::classes::mentions;
use super::types::{StructTy, Ty};
use super::unit::enclosing;
use crate::syntax::ast::*;

/// CUDA's built-in variables.
pub(crate) fn is_builtin(name: &str) -> bool {
    matches!(
        name,
        "threadIdx" | "blockIdx" | "blockDim" | "gridDim" | "warpSize"
    )
}

impl<'u> Lowerer<'u, '_> {
    /// Whether a name that is written in the innermost class is not looked up there; see below.
    pub(crate) fn means_outer(&self, name: &Name) -> bool {
        let class = self.calls.last().and_then(|call| call.types.class.as_ref());
        class.is_some_and(|class| self.is_of_dependent_base(class, name))
    }

    /// Whether only dependent bases of a class have a member of an unqualified name that is declared around the class: that is
    /// meant.
    pub(crate) fn is_of_dependent_base(&self, class: &StructTy, name: &Name) -> bool {
        let Some(record) = self.record(class) else {
            return false;
        };
        let depends = |base: &Type| mentions(base, &record.template);
        record.bases.iter().any(depends)
            && name.qualifier.is_empty()
            && !name.global
            && self.only_dependent_bases_have(class, &name.base)
            && (is_builtin(&name.base)
                || self
                    .index
                    .is_declared_around(&name.base, enclosing(&record.name), name.range))
    }

    /// Whether an unqualified name is that of one of CUDA's built-in variables and means it: no variable, template parameter, member
    /// or variable of a namespace that is declared around the name hides it.
    pub(crate) fn means_builtin(&mut self, name: &Name) -> bool {
        if name.global && name.qualifier.is_empty() {
            return is_builtin(&name.base);
        }
        let Some(simple) = name.as_simple().filter(|simple| is_builtin(simple)) else {
            return false;
        };
        if self.is_local(name, simple) {
            return false;
        }
        if !self.index.declares_value(simple) {
            return true;
        }
        // CUDA's headers declare the variables themselves, outside all namespaces.
        let global = self.global_meant(name);
        let path = self.scope().path;
        global.is_none_or(|(global, _)| enclosing(&global.name).is_empty())
            && self
                .index
                .enumerator_at(simple, &path, name.range)
                .is_none()
    }

    /// Whether an unqualified name means something of the program by which a constant of a library is hidden.
    pub(crate) fn is_of_program(&mut self, name: &Name) -> bool {
        let Some(simple) = name.as_simple() else {
            return false;
        };
        let path = self.scope().path;
        self.is_local(name, simple)
            || self.global_meant(name).is_some()
            || self
                .index
                .enumerator_at(simple, &path, name.range)
                .is_some()
    }

    /// Whether a variable, a template parameter or a member of a class around it has the name.
    fn is_local(&mut self, name: &Name, simple: &str) -> bool {
        let scope = self.scope();
        if self.lookup(simple).is_some() || scope.values.contains_key(simple) {
            return true;
        }
        let mut around = scope.class;
        while let Some(class) = around {
            if self.has_member(&class, simple) && !self.is_of_dependent_base(&class, name) {
                return true;
            }
            around = class.class.as_ref().and_then(|class| class.around.clone());
        }
        false
    }

    /// Whether a member of a class is one of its dependent bases, into which an unqualified name does not look.
    pub(crate) fn only_dependent_bases_have(&self, class: &StructTy, name: &str) -> bool {
        self.record(class).is_some_and(|record| {
            !self.index.declares_member(&record.name, name)
                && !self.bases_have(class, name, false)
                && self.bases_have(class, name, true)
        })
    }

    /// Refuses a class template with a base of which a member has the name of a template parameter.
    pub(crate) fn doubt_hidden_parameter(&mut self, class: &StructTy) {
        let Some(record) = self.record(class) else {
            return;
        };
        let mut names = record.template.iter().filter_map(|one| one.name.as_deref());
        if let Some(hidden) = names.find(|name| self.bases_have(class, name, false)) {
            let text = format!(
                "class `{}`: a member of a base hides the template parameter `{hidden}`",
                class.name
            );
            self.doubts.insert(record.range, text);
        }
    }

    /// Whether some of the bases of a class, those that depend on its template parameters or the others, have a member.
    fn bases_have(&self, class: &StructTy, name: &str, dependent: bool) -> bool {
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            return false;
        };
        let written = record.bases.iter();
        let mut bases = written.zip(&layout.bases).filter_map(|(base, (ty, _))| {
            let depends = mentions(base, &record.template);
            match ty {
                Ty::Struct(ty) if depends == dependent => Some(ty),
                _ => None,
            }
        });
        bases.any(|base| self.has_member(base, name))
    }

    /// Whether a class or one of its bases has a member.
    pub(super) fn has_member(&self, class: &StructTy, name: &str) -> bool {
        if class.field(name).is_some() {
            return true;
        }
        let Some(record) = self.record(class) else {
            return false;
        };
        self.index.declares_member(&record.name, name)
            || self.bases_have(class, name, false)
            || self.bases_have(class, name, true)
    }
}
