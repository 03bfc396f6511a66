//! Methods that a class takes from a base by a using-declaration (C++ 9.9): they are looked up as its own, and one that takes the
//! same as a method of the class is hidden by that. Only direct bases that are no templates are followed.

use std::rc::Rc;

use super::body::Lowerer;
use super::identity::{decayed, unqualified};
use super::types::{StructTy, Ty, TypeScope};
use super::unit::last_component;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// `using B::f;`: methods of a base are overloads beside those of the class, unless one of these takes the same. Whether all that
    /// is brought in is understood.
    pub(super) fn brings_in(
        &mut self,
        class: &Rc<StructTy>,
        record: &'u Struct,
        name: &str,
        candidates: &mut Vec<(&'u Function, TypeScope)>,
    ) -> bool {
        let usings: Vec<&'u Using> = self
            .index
            .unit
            .usings
            .iter()
            .filter(|using| {
                record.range.contains(using.range)
                    && using.block.is_none()
                    && last_component(&using.target) == name
            })
            .collect();
        let own = candidates.len();
        for using in usings {
            let Some((of, _)) = using.target.rsplit_once("::") else {
                return false;
            };
            let bases = class.layout().map(|layout| layout.bases.clone());
            let mut meant = bases
                .unwrap_or_default()
                .into_iter()
                .filter_map(|(base, _)| {
                    let Ty::Struct(base) = base else { return None };
                    let record = self.record(&base)?;
                    let is_plain = record.template.is_empty() && base.name == record.name;
                    (is_plain && last_component(&record.name) == of).then_some((base, record))
                });
            let (Some((base, record)), None) = (meant.next(), meant.next()) else {
                return false;
            };
            let methods = self.index.methods(&record.name, name);
            // What it has from its own bases, or another class of the name, is not followed.
            let named = &self.index.named;
            let alone = named.classes(&record.name).len() == 1;
            let mut usings = named.usings(name).iter();
            let brings_more = usings.any(|using| record.range.contains(using.range));
            if methods.is_empty() || !alone || brings_more {
                return false;
            }
            let scope = self.class_scope(&base);
            for method in methods {
                let mut hidden = false;
                for (mine, within) in candidates[..own].iter().cloned() {
                    match self.take_the_same((mine, &within), (method, &scope)) {
                        Some(same) => hidden |= same,
                        None => return false,
                    }
                }
                if !hidden {
                    candidates.push((method, scope.clone()));
                }
            }
        }
        true
    }

    /// Whether two methods take the same arguments for the same objects; `None`: that is not told.
    fn take_the_same(
        &mut self,
        (one, inside): (&'u Function, &TypeScope),
        (other, within): (&'u Function, &TypeScope),
    ) -> Option<bool> {
        if one.params.len() != other.params.len() || one.quals.is_const != other.quals.is_const {
            return Some(false);
        }
        if one.template.is_some()
            || other.template.is_some()
            || one.quals.of_reference
            || other.quals.of_reference
        {
            return None;
        }
        for (mine, theirs) in one.params.iter().zip(&other.params) {
            if mine.pack || theirs.pack {
                return None;
            }
            let mine = self.within(inside.clone(), |me| me.identity(&mine.ty))?;
            let theirs = self.within(within.clone(), |me| me.identity(&theirs.ty))?;
            let parameter = |ty: Type| unqualified(decayed(ty));
            if parameter(mine) != parameter(theirs) {
                return Some(false);
            }
        }
        Some(true)
    }
}
