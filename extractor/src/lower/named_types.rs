//! The declarations that the name of a type means: at namespace scope, in the classes around, in a class and its bases.
//!
//! **Contract.** Of a class and its specialisations, each has member types of its own. A member of one instance that is defined
//! outside of all of them is not told from those of the others: the class is doubted.

use std::rc::Rc;

use super::body::Lowerer;
use super::classes::range_of;
use super::types::{StructTy, Ty, TypeScope};
use super::unit::{TypeEntry, enclosing};
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// The declarations that the name of a type means, and where they stand.
    pub(super) fn types_meant(&mut self, name: &Name) -> Option<(Vec<TypeEntry<'u>>, TypeScope)> {
        let scope = self.scope();
        let mut around = None;
        if name.qualifier.is_empty() && !name.global {
            around = scope.class.clone();
        } else if let Some(class) = self.qualifying_class(name) {
            let Ty::Struct(class) = class else {
                return None;
            };
            return self.member_types_meant(&class, &name.base);
        }
        while let Some(class) = around {
            if !self.is_of_dependent_base(&class, name)
                && let Some(found) = self.member_types_meant(&class, &name.base)
            {
                return Some(found);
            }
            around = class.class.as_ref().and_then(|class| class.around.clone());
        }
        // A member of a class of which nothing is known but its name.
        if name.qualifier.iter().any(|segment| segment.args.is_some()) {
            return None;
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        let path = enclosing(entries.first()?.qualified());
        let around = self.index.types_at(path, "", Range::default());
        let outside = TypeScope {
            path: path.to_owned(),
            ..TypeScope::default()
        };
        around.is_empty().then_some((entries, outside))
    }

    pub(super) fn member_types_meant(
        &mut self,
        class: &Rc<StructTy>,
        name: &str,
    ) -> Option<(Vec<TypeEntry<'u>>, TypeScope)> {
        let record = self.record(class)?;
        let entries = self.own_types(record, name);
        if entries.is_empty() {
            let bases = class.layout()?.bases.clone();
            return bases.iter().find_map(|(base, _)| match base {
                Ty::Struct(base) => self.member_types_meant(base, name),
                _ => None,
            });
        }
        Some((entries, self.class_scope(class)))
    }

    /// The member types of a name that a class declares itself.
    pub(super) fn own_types(&mut self, record: &'u Struct, name: &str) -> Vec<TypeEntry<'u>> {
        let entries = self.index.member_types(&record.name, name);
        let (own, others): (Vec<TypeEntry<'u>>, Vec<TypeEntry<'u>>) = entries
            .iter()
            .partition(|entry| record.range.contains(range_of(entry)));
        let defines =
            |entry: &TypeEntry<'_>| matches!(entry, TypeEntry::Class(_, record) if record.defined);
        let is_outside = |entry: &TypeEntry<'_>| {
            let mut classes = self.index.named.classes(&record.name).iter();
            !classes.any(|one| one.range.contains(range_of(entry)))
        };
        let is_template = !record.template.is_empty() || !record.template_args.is_empty();
        let outside = others
            .iter()
            .filter(|entry| defines(entry) && is_outside(entry))
            .count();
        // `template <> struct S<int>::I { … };`: one of several may be that of this instance.
        let several = match own.is_empty() {
            true => outside > 1,
            false => outside != 0 && own.iter().any(defines),
        };
        if is_template && several {
            let text = format!("class `{}`: `{name}` is defined outside of it", record.name);
            self.doubts.insert(record.range, text);
        }
        if own.is_empty() {
            return entries;
        }
        own
    }
}
