//! Calls that are not followed and pass one pointer twice.
//!
//! A function that may be called with anything is run by itself, and its pointers are taken for pointers to different objects, as
//! those of any function are whose callers are not seen. Where the unit itself calls it in a way that is not followed and hands
//! one pointer over twice, that would be wrong: its parameters, and the members of its object, may then lead to one object.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::alias::Kind;
use super::call::Operand;
use super::eval::unknown_type;
use super::value::*;
use super::{Host, unknown};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// Values go where they are not followed, perhaps to a function among them: `std::bind(go, p, p)`.
    pub(super) fn handed_on(&mut self, values: &[Value<'u>]) {
        let functions = values.iter().filter_map(|value| match value {
            Value::Function(name) => Some(*name),
            _ => None,
        });
        let functions: Vec<&'u Name> = functions.collect();
        if functions.is_empty() || !self.pass_one_twice(values, None) {
            return;
        }
        for name in functions {
            self.share(&name.base);
        }
    }

    /// A call of an object or through a pointer, which may be one of any function whose address was taken.
    pub(super) fn called_undetermined(&mut self, object: &Operand<'u>, operands: &[Operand<'u>]) {
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        let place = object.1.as_ref().map(|(place, _)| place.clone());
        if !self.pass_one_twice(&values, place) {
            return;
        }
        self.share("operator()");
        let is_class = matches!(&object.1, Some((_, Ty::Struct(_))));
        if !is_class && !self.shares_all {
            self.shares_all = true;
            for range in &self.wanted {
                self.entered.remove(range);
            }
        }
    }

    /// A call of a function of the unit by its name, of which it is not known which one it is.
    pub(super) fn called_elsewhere(
        &mut self,
        name: &str,
        object: Option<Place>,
        operands: &[Operand<'u>],
    ) {
        if self.index.functions(name).is_empty() {
            return;
        }
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        let some_object = operands
            .iter()
            .enumerate()
            .any(|(position, (value, place))| {
                let place = place.as_ref().map(|(place, _)| place);
                self.may_take_object(name, position) && self.holds_some_of_several(place, value)
            });
        let is_some_object = match &object {
            Some(place) => {
                let held = self.read(place, &Ty::Void);
                self.holds_some_of_several(Some(place), &held)
            }
            None => false,
        };
        if some_object || is_some_object || self.pass_one_twice(&values, object) {
            self.share(name);
        }
    }

    /// A member function that is not followed changed its object: what it was given, and what the object held, may be in several
    /// members now.
    pub(super) fn changed_by_member(&mut self, object: &Place, operands: &[Operand<'u>]) {
        let held = self.read(object, &Ty::Void);
        let mut sources = BTreeSet::new();
        if let Value::Tree(parts, _) = &held {
            for (_, value) in parts.iter() {
                sources.extend(self.roots_of(value));
            }
        }
        for (value, _) in operands {
            sources.extend(self.roots_of(value));
        }
        self.havoc_copied(object, sources);
    }

    /// Whether a parameter of a function of a name may be an object with several members, or lead to one.
    fn may_take_object(&self, name: &str, position: usize) -> bool {
        fn is_number(ty: &Type) -> bool {
            match &ty.kind {
                TypeKind::Scalar(_) => true,
                TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                    is_number(to)
                }
                _ => false,
            }
        }
        let functions = self.index.functions(name).iter();
        let mut params = functions.filter_map(|function| function.params.get(position));
        params.any(|param| !is_number(&param.ty))
    }

    /// A member function is called for an object of which it is not known where it is: an element of a container, what one of
    /// several pointers leads to. Some object of the class may hold one pointer twice.
    pub(super) fn called_for_some_object(&mut self, functions: &[&'u Function]) {
        self.share_all(functions);
    }

    /// Functions of a name may be called so that their pointers lead to one object.
    pub(super) fn share(&mut self, name: &str) {
        let functions = self.index.functions(name).to_vec();
        self.share_all(&functions);
    }

    fn share_all(&mut self, functions: &[&'u Function]) {
        for function in functions {
            if !function.quals.global && self.shared.insert(function.range) {
                self.entered.remove(&function.range);
                for instance in self.instances.entry(function.range).or_default() {
                    instance.entered = false;
                }
            }
        }
    }

    /// Whether two of some values, or the members of an object with them, lead to one object.
    pub(super) fn pass_one_twice(&mut self, values: &[Value<'u>], object: Option<Place>) -> bool {
        let mut seen: BTreeSet<Root> = BTreeSet::new();
        let mut pass = |me: &mut Self, value: &Value<'u>| {
            let parts: Vec<Value<'u>> = match value {
                Value::Tree(parts, _) => parts.iter().map(|(_, value)| value.clone()).collect(),
                value => vec![value.clone()],
            };
            parts.iter().any(|part| {
                let roots = me.roots_of(part);
                let mut roots = me.reachable(roots);
                // What a part of an object that was changed since may be.
                let versions: BTreeSet<Version> = roots
                    .iter()
                    .filter_map(|root| me.objects.found_at(*root))
                    .collect();
                for version in versions {
                    roots.extend(me.objects.sources_of(version));
                }
                if roots.iter().any(|root| me.holds_one_twice(*root)) {
                    return true;
                }
                let new: Vec<Root> = roots
                    .into_iter()
                    .filter(|root| me.objects.get(*root).kind != Kind::World)
                    .collect();
                // What is not known may be anything.
                let is_open = matches!(part, Value::Unknown(roots) if roots.is_empty());
                !is_open && new.into_iter().any(|root| !seen.insert(root))
            })
        };
        if let Some(place) = object {
            let value = self.read(&place, &Ty::Void);
            if pass(self, &value) {
                return true;
            }
        }
        values.iter().any(|value| pass(self, value))
    }

    /// Whether two parts of an object lead to one object.
    fn holds_one_twice(&mut self, root: Root) -> bool {
        let Some(state) = &self.state else {
            return false;
        };
        if self.objects.is_copied(self.version_of(state, root)) {
            return true;
        }
        let entries = state.entries(root).to_vec();
        let mut seen: BTreeSet<Root> = BTreeSet::new();
        let parts = entries.iter().flat_map(|(_, value)| self.roots_of(value));
        parts.into_iter().any(|root| !seen.insert(root))
    }

    /// The parameters of a function that is run by itself, and its object, may lead to one object if some call has it so.
    pub(super) fn share_parameters(&mut self, function: &'u Function) {
        let is_any = self.shares_all && self.wanted.contains(&function.range);
        if !is_any && !self.shared.contains(&function.range) {
            return;
        }
        let one = self.objects.object(Kind::Fresh, "argument", unknown_type());
        let sources = BTreeSet::from([one]);
        let mut places: Vec<Place> = self.frame().this.iter().cloned().collect();
        let params = function.params.iter().filter_map(|param| {
            let scope = self.frame().scopes.last()?;
            scope.get(param.name.as_deref()?).copied()
        });
        places.extend(params.map(Place::of));
        for place in places {
            match self.objects.get(place.root).ty.clone() {
                Ty::Scalar(_) => {}
                ty @ Ty::Pointer(_) => {
                    self.write(&place, &ty, Value::Unknown(Rc::new(sources.clone())));
                }
                _ => self.havoc_copied(&place, sources.clone()),
            }
        }
    }

    /// A variable is some element of a range.
    pub(super) fn element_in(
        &mut self,
        variable: Root,
        range: Option<&(Place, Ty)>,
        sources: BTreeSet<Root>,
    ) {
        let is_local = range.is_none_or(|(place, _)| self.objects.get(place.root).is_local);
        self.objects.get_mut(variable).is_local = is_local;
        if let Some((place, Ty::Array(element, _))) = range
            && matches!(**element, Ty::Struct(_))
            && element.bytes().is_some()
        {
            let index = self.fresh("index", warplog_facts::CType::I64);
            let bytes = self.scaled(&index, element);
            let place = self.within(place, &bytes);
            let value = self.read(&place, element);
            let object = self.objects.get_mut(variable);
            if matches!(object.ty, Ty::Opaque { .. }) {
                object.ty = (**element).clone();
            }
            let ty = object.ty.clone();
            self.write(&Place::of(variable), &ty, value);
            return;
        }
        let version = self.objects.copied(sources);
        if let Some(state) = &mut self.state {
            state.set_version(variable, version);
        }
    }

    /// `it->second` of an iterator of a map: the value of some element, as `m[k]` is.
    pub(super) fn element_by_iterator(
        &mut self,
        place: &Place,
        field: &str,
    ) -> Option<(Place, Ty)> {
        let Kind::Pointee(home, _) = &self.objects.get(place.root).kind else {
            return None;
        };
        let home = home.root;
        let written = self.written.get(&home)?;
        let is_map = matches!(&written.kind, TypeKind::Named(name) if name.base.ends_with("map"));
        if field != "second" || !is_map || !unknown::is_container(written) {
            return None;
        }
        let offset = self.fresh("element", warplog_facts::CType::I64);
        let place = self.within(&Place::of(place.root), &offset);
        Some((place, unknown_type()))
    }
}
