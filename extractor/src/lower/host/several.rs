//! What is found behind a pointer that may lead to one of several objects, in what a copy of a container holds, and behind
//! members that are references.
//!
//! The places of one object hold pointers to different objects as long as nothing tells otherwise. Of a place that stands for
//! those of several objects that would be wrong: one of them may hold one pointer twice, or what another variable holds. Pointers
//! that are found there may be any of those that these objects hold.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::eval::unknown_type;
use super::unknown;
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// Ends the names of members that are references, as steps of a path.
const REFERENCE: char = '&';

/// Most objects that one may be; with more, it may be any.
const MAX_MEANT: usize = 128;

/// Objects that may be others, as far as something is known of what is in them, in the function that was entered.
#[derive(Default)]
pub(super) struct Several {
    /// What each may be; `None`: any.
    meant: FxHashMap<Root, Option<BTreeSet<Root>>>,
    /// Those that an object may be named by.
    named_by: FxHashMap<Root, BTreeSet<Root>>,
    any: BTreeSet<Root>,
    /// The versions at which numbers were last read from objects.
    seen: FxHashMap<Root, Version>,
}

impl Several {
    fn meant(&mut self, root: Root, meant: Option<BTreeSet<Root>>) {
        if self.meant.get(&root) == Some(&meant) {
            return;
        }
        match &meant {
            Some(objects) => {
                for object in objects {
                    self.named_by.entry(*object).or_default().insert(root);
                }
            }
            None => {
                self.any.insert(root);
            }
        }
        self.meant.insert(root, meant);
    }

    /// A round of a loop begins: what it meets first is not seen yet.
    pub(super) fn round(&mut self, before: u32) {
        self.seen.retain(|root, _| root.0 < before);
    }

    /// The objects that one may be, and those that may be one of these.
    fn others(&self, root: Root) -> BTreeSet<Root> {
        let mut found = self.any.clone();
        match self.meant.get(&root) {
            Some(None) => found.extend(self.meant.keys().chain(self.seen.keys())),
            Some(Some(own)) => {
                found.extend(own);
                let names = own.iter().filter_map(|one| self.named_by.get(one));
                found.extend(names.flatten());
            }
            None => {}
        }
        found.extend(self.named_by.get(&root).into_iter().flatten());
        found.remove(&root);
        found
    }
}

impl<'u> Host<'_, 'u> {
    /// What a place holds that stands for those of several objects, if a pointer may be in it and the objects are known.
    pub(super) fn read_of_several(
        &mut self,
        state: &State<'u>,
        place: &Place,
        ty: &Ty,
    ) -> Option<Value<'u>> {
        if !may_hold_pointers(ty) {
            return None;
        }
        let behind = |step: &Step| matches!(step, Step::Field(name) if name.ends_with(REFERENCE));
        if place.path.iter().any(behind) {
            // The object that a function is run for which nobody calls here was made elsewhere.
            let is_own = self.version_of(state, place.root) != Version(0)
                || !state.entries(place.root).is_empty();
            return is_own.then(|| self.anywhere());
        }
        let is_object = place.path.iter().any(|step| matches!(step, Step::Field(_)))
            || match self.element_type(place.root) {
                Some(element) => is_class(element),
                None => matches!(ty, Ty::Struct(_) | Ty::Opaque { .. }),
            };
        let mut sources = match &self.objects.get(place.root).kind {
            Kind::Carried => match self.may_be(place.root) {
                Some(meant) => meant,
                None => self.objects.anything.into_iter().collect(),
            },
            Kind::Pointee(_, version) if is_object => self.took_part(*version),
            Kind::Fresh if is_object => self.objects.get(place.root).sources.clone(),
            _ => return None,
        };
        if sources.is_empty() {
            return None;
        }
        sources.insert(place.root);
        let found = self.reachable(sources);
        // Of objects that come from outside members are taken for distinct.
        let is_own = |root: &Root| {
            let object = self.objects.get(*root);
            !state.entries(*root).is_empty()
                || matches!(object.kind, Kind::Variable | Kind::Fresh)
                || self
                    .objects
                    .found_at(*root)
                    .is_some_and(|version| self.some_took_part(version))
        };
        if !found.iter().any(is_own) {
            return None;
        }
        let unknown = Value::Unknown(Rc::new(found));
        Some(match ty {
            Ty::Pointer(_) => self.converted(unknown, ty, "pointer"),
            _ => unknown,
        })
    }

    /// The objects that one may be which pointers that are not followed lead to; `None`: there are too many to tell.
    fn may_be(&self, root: Root) -> Option<BTreeSet<Root>> {
        let mut found = BTreeSet::new();
        let mut work = vec![root];
        while let Some(next) = work.pop() {
            let object = self.objects.get(next);
            let mut add = |source: &Root| {
                if *source != root && found.insert(*source) {
                    work.push(*source);
                }
            };
            match &object.kind {
                Kind::Carried => {
                    self.rounds_of(next)
                        .into_iter()
                        .flatten()
                        .for_each(&mut add);
                    object.sources.iter().for_each(add);
                }
                Kind::Fresh => object.sources.iter().for_each(add),
                Kind::Pointee(_, version) => {
                    let sources = self.objects.sources_of(*version).iter();
                    sources
                        .filter(|source| self.is_told(**source))
                        .for_each(add);
                }
                _ => {}
            }
            if found.len() > MAX_MEANT {
                return None;
            }
        }
        Some(found)
    }

    /// What pointers are found in objects, or in those that they may be.
    pub(super) fn found_behind(&mut self, mut roots: BTreeSet<Root>) -> BTreeSet<Root> {
        for root in roots.clone() {
            if self.objects.get(root).kind == Kind::Carried {
                match self.may_be(root) {
                    Some(meant) => roots.extend(meant),
                    None => roots.extend(self.objects.anything),
                }
            }
        }
        self.reachable(roots)
    }

    /// What is in an object becomes known: it is forgotten again where one changes that it may be.
    fn means(&mut self, root: Root) {
        if self.objects.get(root).kind == Kind::Variable {
            return;
        }
        let meant = self.may_be(root);
        if meant.as_ref().is_some_and(BTreeSet::is_empty) {
            return;
        }
        self.several.meant(root, meant);
    }

    /// A number was read that was in an object at a version.
    pub(super) fn number_seen(&mut self, root: Root, version: Version) {
        self.means(root);
        if self.objects.get(root).kind != Kind::Variable {
            self.several.seen.insert(root, version);
        }
    }

    /// A part of an object changed. Objects that may be the same hold something else.
    pub(super) fn others_changed(&mut self, root: Root, value: &Value<'u>) {
        let is_variable = self.objects.get(root).kind == Kind::Variable;
        if self.state.is_none() || (is_variable && !self.is_addressed(root)) {
            return;
        }
        self.means(root);
        let candidates = self.several.others(root);
        let Some(state) = &self.state else { return };
        let changed: Vec<Root> = candidates
            .into_iter()
            .filter(|other| {
                // Variables that a pointer may lead to are told apart by what is stored.
                let is_object = matches!(
                    self.objects.get(*other).kind,
                    Kind::Carried | Kind::Fresh | Kind::Pointee(..)
                );
                let seen = self.several.seen.get(other);
                let is_seen = seen == Some(&self.version_of(state, *other));
                is_object && (is_seen || !state.entries(*other).is_empty())
            })
            .collect();
        if changed.is_empty() {
            return;
        }
        let mut sources = self.roots_of(value);
        sources.insert(root);
        for other in changed {
            self.havoc_copied_alone(other, sources.clone());
        }
    }

    /// What took part in a change, besides what comes from outside and what unknown code has got.
    fn took_part(&self, version: Version) -> BTreeSet<Root> {
        let sources = self.objects.sources_of(version).iter().copied();
        sources.filter(|root| self.is_told(*root)).collect()
    }

    fn is_told(&self, root: Root) -> bool {
        self.objects.get(root).kind != Kind::World && root != self.outside
    }

    fn some_took_part(&self, version: Version) -> bool {
        let mut sources = self.objects.sources_of(version).iter();
        sources.any(|root| self.is_told(*root))
    }

    /// Whether an object holds some of what took part in a change that is not followed: an element of a container, what a
    /// pointer leads to that a loop changes. Two of its members may hold the same.
    pub(super) fn holds_some_of_several(&self, place: Option<&Place>, value: &Value<'u>) -> bool {
        let is_one_of_several = |place: &Place| {
            let found_at = self.objects.found_at(place.root);
            let object = self.objects.get(place.root);
            object.kind == Kind::Carried
                || (object.kind == Kind::Fresh && !object.sources.is_empty())
                || found_at.is_some_and(|version| self.some_took_part(version))
        };
        match value {
            Value::Initial(_, version) | Value::Tree(_, Some((_, version))) => {
                place.is_some_and(is_one_of_several) || self.some_took_part(*version)
            }
            Value::Unknown(roots) => roots.iter().any(|root| *root != self.outside),
            _ => false,
        }
    }

    /// A container that is a copy of another one gets elements of its own, which may be those of the other.
    pub(super) fn own_elements(&mut self, place: &Place, ty: &Ty) {
        let (from, version) = match self.read(place, ty) {
            Value::Initial(from, version) | Value::Tree(_, Some((from, version))) => {
                (from, version)
            }
            _ => return,
        };
        if from == *place {
            return;
        }
        let holds_numbers = [place, &from].into_iter().any(|container| {
            let written = self.written.get(&container.root);
            let element = written
                .filter(|_| container.path.is_empty())
                .and_then(unknown::element_of);
            element.is_some_and(|element| matches!(element.kind, TypeKind::Scalar(_)))
        });
        if holds_numbers {
            return;
        }
        let inside = self.objects.pointee(&from, version);
        let sources = BTreeSet::from([inside]);
        self.havoc_copied(place, sources);
    }

    /// What the elements of a container lie in, if its elements are followed, with their type where that is a class.
    pub(super) fn elements(
        &mut self,
        place: &Place,
        ty: &Ty,
        written: Option<&Type>,
    ) -> Option<(Root, Ty)> {
        // A member has changed by itself.
        let version = match self.read(place, ty) {
            Value::Initial(from, version) | Value::Tree(_, Some((from, version)))
                if from == *place =>
            {
                version
            }
            _ => {
                let state = self.state.clone()?;
                self.version_of(&state, place.root)
            }
        };
        let inside = self.objects.pointee(place, version);
        self.holds_what_took_part(inside, version);
        self.has_elements(inside, written);
        let element = match self.element_type(inside) {
            Some(ty @ Ty::Pointer(_)) => ty.clone(),
            Some(ty) if is_class(ty) => ty.clone(),
            _ => unknown_type(),
        };
        Some((inside, element))
    }

    /// The place of some element of a container whose elements are of a class.
    pub(super) fn some_element(
        &mut self,
        place: &Place,
        ty: &Ty,
        written: &Type,
    ) -> Option<(Place, Ty)> {
        if !unknown::is_container(written) || !matches!(ty, Ty::Opaque { .. }) {
            return None;
        }
        self.own_elements(place, ty);
        match self.read(place, ty) {
            Value::Pointer(..) => return None,
            Value::Unknown(roots) if !roots.is_empty() => return None,
            _ => {}
        }
        let (inside, element) = self.elements(place, ty, Some(written))?;
        if !is_class(&element) {
            return None;
        }
        let index = self.fresh("index", CType::I64);
        let bytes = self.scaled(&index, &element);
        Some((self.within(&Place::of(inside), &bytes), element))
    }

    /// The step to a member of a class; to one that is a reference it has a name of its own.
    pub(super) fn member_place(
        &mut self,
        place: &Place,
        class: Option<&str>,
        member: &str,
    ) -> Place {
        self.told_by_name_alone(place, member);
        match class {
            Some(class) if self.is_reference_member(class, member, 0) => {
                place.field(&format!("{member}{REFERENCE}"))
            }
            _ => place.field(member),
        }
    }

    /// Members of one name in a class and its bases are not told apart: what is in one of them may be in the other.
    pub(super) fn told_by_name_alone(&mut self, place: &Place, member: &str) {
        if !self.of_one_name.contains(member) {
            return;
        }
        self.watch(place.root);
        let held = self.held_by(&Place::of(place.root));
        self.havoc_copied(&Place::of(place.root), held);
    }

    fn is_reference_member(&self, class: &str, member: &str, depth: u32) -> bool {
        let records = self.hierarchy.records(class);
        records.iter().any(|record| {
            let declared = record.fields.iter().find(|field| field.name == member);
            match declared {
                Some(field) => matches!(
                    field.ty.kind,
                    TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                ),
                None => record.bases.iter().any(|base| match &base.kind {
                    TypeKind::Named(name) if depth < 8 => {
                        self.is_reference_member(&name.base, member, depth + 1)
                    }
                    _ => false,
                }),
            }
        })
    }
}

fn is_class(ty: &Ty) -> bool {
    match ty {
        Ty::Struct(_) => true,
        Ty::Opaque { name, .. } => !name.is_empty(),
        _ => false,
    }
}

/// Whether a value of a type may hold a pointer.
fn may_hold_pointers(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) | Ty::Bits(_) => false,
        Ty::Array(element, _) => may_hold_pointers(element),
        Ty::Struct(class) => class
            .fields()
            .iter()
            .any(|(_, field, _)| may_hold_pointers(field)),
        Ty::Void | Ty::Pointer(_) | Ty::Opaque { .. } => true,
    }
}
