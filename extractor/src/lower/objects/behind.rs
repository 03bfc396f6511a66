//! Whether a value leads to objects that are gone when a call or a full expression has ended.

use warplog_facts::words::*;

use super::super::body::{Binding, Lowerer};
use super::super::value::*;
use super::Birth;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// What there is now of variables and objects: what comes later has larger numbers.
    pub(crate) fn birth(&self) -> Birth {
        Birth {
            variables: self.variables.len(),
            arrays: self.facts.array.len(),
        }
    }

    /// An object is made beside the place where it will be, and so are the variables of a function that ends: addresses of
    /// them must not stay, in the value that goes there or in what there was before.
    pub(crate) fn keeps_nothing_since(&mut self, before: Birth, value: &Value, range: Range) {
        let old = (0..before.variables).map(|index| {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            self.env.get(var)
        });
        let mut kept = std::iter::once(value).chain(old);
        if kept.any(|value| self.leads_behind(before, value)) || self.numbers_behind(before, value)
        {
            let what = "object that is made";
            let why = "its address, or that of a part of it, is kept: by itself or elsewhere";
            self.unsupported(range, what, why, Effect::Control);
        }
    }

    /// Whether a value holds the address of something younger as a number.
    pub(super) fn numbers_behind(&self, before: Birth, value: &Value) -> bool {
        match value {
            _ if self.addresses.is_empty() => false,
            Value::Term(term) => self.facts.terms.reachable(&[*term]).iter().any(|part| {
                let pointer = self.addresses.get(part).cloned().flatten();
                pointer.is_some_and(|one| self.leads_behind(before, &Value::Pointer(one)))
            }),
            Value::Struct(fields) => {
                let mut parts = fields.iter().map(|(_, part)| part);
                parts.any(|part| self.numbers_behind(before, part))
            }
            Value::Local(local) => {
                let mut parts = local.known.values();
                parts.any(|part| self.numbers_behind(before, part))
            }
            _ => false,
        }
    }

    /// Whether a value holds an address of something younger.
    pub(crate) fn leads_behind(&self, before: Birth, value: &Value) -> bool {
        let is_young = |base: Base| match base {
            Base::Variable(var) => var.0 as usize >= before.variables,
            Base::Array(array) => {
                let row = &self.facts.array[array.index()];
                array.index() >= before.arrays && row.space == Space::Local
            }
            Base::Null | Base::Unknown => false,
        };
        let is_young_place = |place: &Lvalue| match place {
            Lvalue::Variable { var, .. } => is_young(Base::Variable(*var)),
            Lvalue::Memory { targets, .. } => targets.iter().any(|target| is_young(target.base)),
            Lvalue::Unknown => false,
        };
        match value {
            Value::Pointer(pointer) => pointer.targets.iter().any(|target| is_young(target.base)),
            Value::Struct(fields) => fields
                .iter()
                .any(|(_, part)| self.leads_behind(before, part)),
            Value::Local(local) => local
                .known
                .values()
                .any(|part| self.leads_behind(before, part)),
            Value::Function(callable) => callable.any(|one| match one {
                Callable::Lambda(index) => self.closures.get(*index).is_some_and(|closure| {
                    // The order does not show: only whether there is one.
                    #[allow(clippy::iter_over_hash_type)]
                    let bound = closure.bindings.bindings().any(|binding| match binding {
                        Binding::Reference(place) => is_young_place(place),
                        Binding::Variable(_) | Binding::Memory { .. } => false,
                    });
                    bound || closure.this.as_ref().is_some_and(is_young_place)
                }),
                _ => false,
            }),
            _ => false,
        }
    }
}
