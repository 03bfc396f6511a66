//! Stores whose target is not determined, and calls of what is not determined. A pointer that was found behind a change
//! which is not followed, or that a loop carries, has an object of its own; what is stored through it may be in any variable
//! that took part.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::CType;

use super::alias::Kind;
use super::call::Operand;
use super::eval::unknown_type;
use super::value::*;
use super::{Host, unknown};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// Most objects that are looked at to find what one may stand for; beyond, it may stand for any variable.
const MAX_WALK: usize = 256;

/// Closures that are run where it is not determined which is called; beyond, all that they lead to may change.
const MAX_CLOSURES: usize = 6;

/// What undetermined stores may change, and undetermined calls may run, in the function that was entered.
#[derive(Default)]
pub(super) struct Exposed<'u> {
    /// Variables whose addresses were taken, or that closures refer to.
    addressed: Rc<BTreeSet<Root>>,
    /// Closures that were made and may be kept, as long as they are few.
    closures: Vec<Rc<Closure<'u>>>,
    /// Their bodies, and all that these name: of all closures.
    bodies: BTreeSet<Range>,
    captured: BTreeSet<Root>,
    /// They are being run.
    running: bool,
    /// What a pointer that a loop changes may come from.
    rounds: FxHashMap<Root, BTreeSet<Root>>,
    /// Variables that were read at a version: only then another change needs another version.
    observed: FxHashSet<(Root, Version)>,
    /// References to numbers that arrays and containers hold themselves.
    numbers: FxHashSet<Root>,
    /// What containers hold, by the objects that stand for their elements.
    elements: FxHashMap<Root, Ty>,
}

impl Exposed<'_> {
    /// Another function is entered, with variables of its own.
    pub(super) fn enter(&mut self) {
        self.addressed = Rc::default();
        self.closures.clear();
        self.bodies.clear();
        self.captured.clear();
        self.observed.clear();
    }

    /// What a pointer that a loop changes may come from.
    fn rounds_of(&self, root: Root) -> Option<&BTreeSet<Root>> {
        self.rounds.get(&root)
    }

    /// A variable is gone.
    pub(super) fn ended(&mut self, root: Root) {
        if self.addressed.contains(&root) {
            Rc::make_mut(&mut self.addressed).remove(&root);
        }
        self.captured.remove(&root);
    }
}

impl<'u> Host<'_, 'u> {
    /// A pointer to a place is a value from now on.
    pub(super) fn addressed(&mut self, place: &Place) {
        let object = self.objects.get(place.root);
        if object.kind == Kind::Variable
            && !object.is_const
            && !self.exposed.addressed.contains(&place.root)
        {
            Rc::make_mut(&mut self.exposed.addressed).insert(place.root);
        }
    }

    /// What a pointer that a loop changes may come from, of the objects that were there before the loop.
    pub(super) fn rounds_of(&self, root: Root) -> Option<&BTreeSet<Root>> {
        self.exposed.rounds_of(root)
    }

    /// Whether a pointer to a variable is a value.
    pub(super) fn is_addressed(&self, root: Root) -> bool {
        self.exposed.addressed.contains(&root)
    }

    /// Code that is not followed gets a reference, which it may keep.
    pub(super) fn kept(&mut self, place: &Place) {
        self.addressed(place);
        if let Some(state) = &mut self.state {
            state.escape(place.root);
        }
    }

    /// What is in a variable becomes a value.
    pub(super) fn observed(&mut self, root: Root, version: Version) {
        // At first everything counts as seen.
        if version != Version(0) && self.objects.get(root).kind == Kind::Variable {
            self.exposed.observed.insert((root, version));
        }
    }

    /// Whether a name is one of a reference that is bound to something which is not followed.
    pub(super) fn is_vague_reference(&self, name: &Name) -> bool {
        let root = self.local(name);
        root.is_some_and(|root| {
            matches!(self.references.get(&root), Some(None))
                && !self.exposed.numbers.contains(&root)
        })
    }

    /// Whether a name is one of a reference to some number of an array or container.
    pub(super) fn is_some_number(&self, name: &Name) -> bool {
        let root = self.local(name);
        root.is_some_and(|root| self.exposed.numbers.contains(&root))
    }

    pub(super) fn local(&self, name: &Name) -> Option<Root> {
        if name.global || !name.qualifier.is_empty() {
            return None;
        }
        let mut scopes = self.frame().scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name.base.as_str()).copied())
    }

    /// A reference to some element of a range.
    pub(super) fn refers_into(&mut self, reference: Root, range: Option<&(Place, Ty)>) {
        self.references.insert(reference, None);
        let element = match range {
            Some((_, Ty::Array(element, _))) => Some((**element).clone()),
            Some((place, _)) if place.path.is_empty() => {
                let written = self.written.get(&place.root);
                let element = written.and_then(unknown::element_of);
                element.map(|element| self.resolve(&element))
            }
            _ => None,
        };
        // Some object of an array.
        if let (Some((place, Ty::Array(..))), Some(ty @ Ty::Struct(_))) = (range, &element)
            && ty.bytes().is_some()
        {
            let index = self.fresh("index", CType::I64);
            let bytes = self.scaled(&index, ty);
            let place = self.within(place, &bytes);
            self.references.insert(reference, Some((place, ty.clone())));
            return;
        }
        if matches!(element, Some(Ty::Scalar(_))) {
            self.exposed.numbers.insert(reference);
        }
    }

    /// A pointer that may lead to any variable whose address was taken, and to anything else.
    pub(super) fn anywhere(&self) -> Value<'u> {
        let mut roots = (*self.exposed.addressed).clone();
        roots.extend(self.objects.anything);
        Value::Unknown(Rc::new(roots))
    }

    /// A store through some values: to all that they lead to; where that is not known, to all whose address was taken.
    pub(super) fn store_anywhere(&mut self, through: &[Value<'u>], stored: &[Value<'u>]) {
        let mut through = through.to_vec();
        if through.iter().any(|value| self.is_vague(value)) {
            through.push(Value::Unknown(Rc::clone(&self.exposed.addressed)));
        }
        let [targets, held] = [&through, stored].map(|values| -> BTreeSet<Root> {
            let roots = values.iter().flat_map(|value| self.roots_of(value));
            roots.collect()
        });
        self.havoc_reached(&[through, stored.to_vec()].concat());
        if held.is_empty() {
            return;
        }
        // A pointer that was stored is in one of them, and where it was.
        let is_carried = |root: &Root| self.objects.get(*root).kind == Kind::Carried;
        let targets = match targets.iter().any(is_carried) {
            true => self.reachable(targets),
            false => targets,
        };
        for root in targets {
            let object = self.objects.get(root);
            if object.kind == Kind::Variable && !matches!(object.ty, Ty::Scalar(_)) {
                let mut sources = held.clone();
                sources.insert(root);
                self.havoc_copied(&Place::of(root), sources);
            }
        }
    }

    /// A function of a library fills what a pointer leads to.
    pub(super) fn filled(&mut self, pointer: &Value<'u>, sources: &BTreeSet<Root>) {
        let mut places: Vec<Place> = match pointer {
            Value::Pointer(Pointer::At(place, _), _) => vec![place.clone()],
            Value::Pointer(..) | Value::Unknown(_) | Value::Initial(..) => {
                let roots = self.roots_of(pointer);
                roots.into_iter().map(Place::of).collect()
            }
            _ => return,
        };
        for place in &places {
            match sources.is_empty() {
                true => self.havoc(place, BTreeSet::new()),
                false => self.havoc_copied(place, sources.clone()),
            }
        }
        let is_place = matches!(pointer, Value::Pointer(Pointer::At(..), _));
        if is_place || !self.is_vague(pointer) {
            return;
        }
        // It may lead anywhere, but hardly to what is in use.
        let addressed = self.exposed.addressed.iter().copied().map(Place::of);
        let addressed: Vec<Place> = addressed.filter(|place| !places.contains(place)).collect();
        places.clear();
        for place in addressed {
            self.havoc(&place, sources.clone());
        }
    }

    /// An algorithm of the standard library copied pointers to where one of its arguments leads: `std::copy`, `std::fill`.
    pub(super) fn copied_among(&mut self, operands: &[Operand<'u>]) {
        let mut roots = BTreeSet::new();
        for (value, place) in operands {
            roots.extend(self.roots_of(value));
            roots.extend(place.as_ref().map(|(place, _)| place.root));
        }
        let holds_pointers = |root: &Root| {
            let object = self.objects.get(*root);
            object.kind == Kind::Variable
                && !object.is_const
                && !matches!(object.ty.innermost(), Ty::Scalar(_) | Ty::Void)
        };
        let filled: Vec<Root> = roots
            .iter()
            .filter(|root| holds_pointers(root))
            .copied()
            .collect();
        for root in filled {
            self.havoc_copied(&Place::of(root), roots.clone());
        }
        // The elements of containers.
        let holds_them = |root: &Root| {
            let Kind::Pointee(home, _) = &self.objects.get(*root).kind else {
                return false;
            };
            let written = self.written.get(&home.root);
            let element = written
                .filter(|_| home.path.is_empty())
                .and_then(unknown::element_of);
            element.is_some_and(|ty| !matches!(ty.kind, TypeKind::Scalar(_)))
        };
        if roots.iter().any(holds_them) {
            let sources = self.reachable(roots);
            let version = self.objects.copied(sources);
            self.forget_heap(version);
        }
    }

    /// An expression was evaluated for the objects that it leads to, which looking for its place may have done before.
    pub(super) fn ran_before(&mut self, expr: &Expr, before: Option<State<'u>>) {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::This => {}
            ExprKind::IncDec { .. } | ExprKind::Assign { .. } => self.state = before,
            _ => {
                let after = self.state.take();
                self.state = self.joined(after, before);
            }
        }
    }

    /// A call of something that is not determined: any closure may run.
    pub(super) fn undetermined_call(
        &mut self,
        name: &str,
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        self.run_closures();
        self.unknown_call(name, operands)
    }

    pub(super) fn run_closures(&mut self) {
        if self.exposed.running || self.exposed.closures.len() > MAX_CLOSURES {
            self.closures_ran();
            return;
        }
        self.exposed.running = true;
        for closure in self.exposed.closures.clone() {
            self.lost(&Value::Closure(closure));
        }
        self.exposed.running = false;
    }

    /// Closures ran, which are not followed: what they refer to may have changed, what they name may have been launched.
    fn closures_ran(&mut self) {
        for range in self.exposed.bodies.clone() {
            self.reaches(range);
        }
        let seen = Value::Unknown(Rc::new(self.exposed.captured.clone()));
        self.havoc_reached(&[seen]);
    }

    /// A closure may be kept, and called where that is not seen.
    pub(super) fn made(&mut self, closure: &Rc<Closure<'u>>) {
        if self.exposed.closures.contains(closure) {
            return;
        }
        if self.exposed.closures.len() <= MAX_CLOSURES {
            self.exposed.closures.push(Rc::clone(closure));
        }
        let body = closure.lambda.body.range;
        self.exposed.bodies.insert(body);
        let text = self.text.get(body.bytes()).unwrap_or("");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let words: BTreeSet<&str> = words.collect();
        let named = closure.scopes.iter().flatten();
        let named = named.filter(|(name, _)| words.contains(**name));
        let captured = named.map(|(_, root)| *root);
        self.exposed.captured.extend(captured);
        let this = closure.this.as_ref().map(|this| this.root);
        self.exposed.captured.extend(this);
    }

    /// Whether a call of a variable may run a closure: numbers are not called, and the library's sources of random numbers
    /// call nothing but each other.
    pub(super) fn may_hold_closure(&self, variable: Root) -> bool {
        let Some(written) = self.written.get(&variable) else {
            return true;
        };
        match &written.kind {
            TypeKind::Scalar(_) => false,
            TypeKind::Named(name) => {
                let first = name.qualifier.first().map(|first| first.name.as_str());
                let base = name.base.as_str();
                let is_random = base.ends_with("_distribution")
                    || base.ends_with("_engine")
                    || matches!(
                        base,
                        "mt19937" | "mt19937_64" | "minstd_rand" | "random_device"
                    );
                first != Some("std") || !is_random
            }
            _ => true,
        }
    }

    /// A place is about to change. Through a pointer whose object stands for others, those change.
    pub(super) fn changed_through(&mut self, place: &Place, ty: &Ty, value: &Value<'u>) {
        if self.objects.get(place.root).kind == Kind::Variable || self.state.is_none() {
            return;
        }
        let ty = match self.exposed.elements.get(&place.root) {
            Some(element) if is_unknown(ty) => element.clone(),
            _ => ty.clone(),
        };
        let mut candidates = self.may_be_changed(&ty, value);
        if candidates.is_empty() {
            return;
        }
        self.keep_meant(place.root, &mut candidates);
        if candidates.is_empty() {
            return;
        }
        let keeps_pointers = |root: &Root| !matches!(self.objects.get(*root).ty, Ty::Scalar(_));
        let mut sources: BTreeSet<Root> =
            candidates.iter().copied().filter(keeps_pointers).collect();
        if !sources.is_empty() {
            sources.extend(self.roots_of(value));
            // What is no pointer has no origin either.
            let is_pointer = matches!(ty, Ty::Pointer(_)) || matches!(value, Value::Pointer(..));
            if is_pointer && self.is_lost(value) {
                sources.extend(self.objects.anything);
            }
        }
        self.havoc_all(&candidates, sources);
    }

    /// The variables that a store of a type through some pointer may change, as far as that makes a difference.
    fn may_be_changed(&self, ty: &Ty, value: &Value<'u>) -> BTreeSet<Root> {
        let Some(state) = &self.state else {
            return BTreeSet::new();
        };
        let is_number = match value {
            Value::Scalar(term) => term.as_constant() != Some(0),
            Value::Ratio(..) => true,
            _ => false,
        };
        let escaped = state
            .escaped
            .iter()
            .filter(|root| self.objects.get(**root).is_global);
        let roots = self.exposed.addressed.iter().chain(escaped).copied();
        let changes = |root: &Root| {
            let object = self.objects.get(*root);
            let version = self.version_of(state, *root);
            // What nobody has seen since it was changed is not known anyway.
            let is_seen = !state.entries(*root).is_empty()
                || version == Version(0)
                || !matches!(object.ty, Ty::Scalar(_))
                || self.exposed.observed.contains(&(*root, version));
            object.kind == Kind::Variable
                && !object.is_const
                && is_seen
                && may_change(ty, &object.ty, is_number)
        };
        roots.filter(changes).collect()
    }

    /// What a container holds is some of what was put in it.
    pub(super) fn holds_what_took_part(&mut self, inside: Root, version: Version) {
        if self.objects.sources_of(version).is_empty() {
            return;
        }
        let Some(state) = &mut self.state else { return };
        if state.versions.contains_key(&inside) {
            return;
        }
        if state.heap < version {
            state.set_version(inside, version);
        } else if self.objects.is_copied(version) && state.entries(inside).is_empty() {
            // All memory has changed since, but what was put in several places is still there.
            let sources = [version, state.heap].map(|version| self.objects.sources_of(version));
            let sources = sources.concat().into_iter().collect();
            let both = self.objects.copied(sources);
            state.set_version(inside, both);
        }
    }

    /// Whether a member of a class has an initialiser in the class.
    pub(super) fn has_own_value(&self, class: &str, member: &str) -> bool {
        self.some_record(class, &|record| {
            let mut fields = record.fields.iter();
            fields.any(|field| field.name == member && !matches!(field.init, Init::None))
        })
    }

    /// Whether any member of a class may hold any pointer that it was made of: pairs, classes of functions.
    pub(super) fn holds_in_any_member(&self, class: &str) -> bool {
        let name = class.rsplit("::").next().unwrap_or_default();
        matches!(name, "pair" | "tuple" | "array") || self.some_local_record(class, &|_| true)
    }

    /// Keeps the variables that an object may be a name for.
    fn keep_meant(&mut self, start: Root, candidates: &mut BTreeSet<Root>) {
        let Some(state) = self.state.clone() else {
            return;
        };
        if let Some(met) = self.walk(&state, &[start], Some(candidates)) {
            candidates.retain(|root| met.contains(root));
        }
    }

    /// The objects that some are names for, and those that these lead to; `None`: any may be. It stops when all that are
    /// wanted were met.
    fn walk(
        &mut self,
        state: &State<'u>,
        start: &[Root],
        wanted: Option<&BTreeSet<Root>>,
    ) -> Option<FxHashSet<Root>> {
        let mut seen: FxHashSet<Root> = FxHashSet::default();
        let mut left = wanted.map_or(usize::MAX, BTreeSet::len);
        let mut work = start.to_vec();
        while let Some(root) = work.pop() {
            if !seen.insert(root) {
                continue;
            }
            left -= usize::from(wanted.is_some_and(|wanted| wanted.contains(&root)));
            if left == 0 {
                break;
            }
            if seen.len() > MAX_WALK {
                return None;
            }
            let object = self.objects.get(root);
            match &object.kind {
                Kind::Anything => return None,
                // What code that is not followed had got on this way.
                Kind::World => {
                    work.extend(state.escaped.iter());
                    continue;
                }
                Kind::Pointee(place, version) => {
                    if self.objects.get(place.root).kind != Kind::Variable {
                        work.push(place.root);
                    }
                    work.extend(self.objects.sources_of(*version));
                }
                _ => {}
            }
            work.extend(object.sources.iter());
            work.extend(self.exposed.rounds.get(&root).into_iter().flatten());
            if wanted.is_some() && start.contains(&root) {
                continue;
            }
            // What is found in it is found through the pointer.
            if self.objects.get(root).kind == Kind::Variable {
                let version = self.version_of(state, root);
                work.extend(self.objects.sources_of(version));
            }
            for (_, value) in state.entries(root) {
                work.extend(self.roots_of(value));
            }
        }
        Some(seen)
    }

    /// What a class of the library holds whose elements have a type.
    pub(super) fn has_elements(&mut self, inside: Root, container: Option<&Type>) {
        if self.exposed.elements.contains_key(&inside) {
            return;
        }
        // One that was not known at first stays so: all its elements are counted in one way.
        let element = match container.and_then(unknown::element_of) {
            Some(element) => self.resolve(&element),
            None => unknown_type(),
        };
        self.exposed.elements.insert(inside, element);
    }

    /// The type of the elements of a container that an object stands for, as far as that is known.
    pub(super) fn element_type(&self, inside: Root) -> Option<&Ty> {
        let element = self.exposed.elements.get(&inside)?;
        (!is_unknown(element)).then_some(element)
    }

    /// Whether nothing, or not all, is known of what a value leads to.
    fn is_vague(&self, value: &Value<'u>) -> bool {
        match value {
            Value::Initial(..) | Value::Tree(..) => true,
            value => self.is_lost(value),
        }
    }

    /// Whether a pointer made of a value may lead anywhere.
    fn is_lost(&self, value: &Value<'u>) -> bool {
        let is_open = |roots: &BTreeSet<Root>| {
            roots.is_empty()
                || self
                    .objects
                    .anything
                    .is_some_and(|any| roots.contains(&any))
        };
        fn any(pointer: &Pointer, is_open: &dyn Fn(&BTreeSet<Root>) -> bool) -> bool {
            match pointer {
                Pointer::Null | Pointer::At(..) => false,
                Pointer::OneOf(roots) => is_open(roots),
                Pointer::Select(_, then, els) => any(then, is_open) || any(els, is_open),
                Pointer::Element(items, _) => items.iter().any(|item| any(item, is_open)),
            }
        }
        match value {
            Value::Pointer(pointer, _) => any(pointer, &is_open),
            Value::Unknown(roots) => is_open(roots),
            _ => false,
        }
    }

    /// A value that a loop carries may come from another one, of objects that were there before the loop; whether that is new.
    /// What a round makes is new in each: it counts as what it stands for.
    pub(super) fn goes_round(
        &mut self,
        carried: &Value<'u>,
        from: &Value<'u>,
        (before, state): (u32, &State<'u>),
    ) -> bool {
        let carried = self.roots_of(carried);
        let carried: Vec<Root> = carried
            .into_iter()
            .filter(|root| self.objects.get(*root).kind == Kind::Carried)
            .collect();
        if carried.is_empty() {
            return false;
        }
        let from: Vec<Root> = self.roots_of(from).into_iter().collect();
        let (own, made): (Vec<Root>, Vec<Root>) = from.iter().partition(|root| root.0 < before);
        let mut sources: BTreeSet<Root> = own.into_iter().collect();
        let statics: BTreeSet<Root> = self.statics.values().copied().collect();
        let stays = |root: &&Root| root.0 < before || statics.contains(root);
        match self.walk(state, &made, None) {
            Some(met) => sources.extend(met.iter().filter(stays)),
            None => sources.extend(self.objects.anything),
        }
        let mut changed = false;
        for root in carried {
            let known = self.exposed.rounds.entry(root).or_default();
            let old = known.len();
            known.extend(sources.iter().filter(|one| **one != root));
            changed |= known.len() > old;
        }
        changed
    }

    /// What `new T(a, &b)` may keep.
    pub(super) fn given_to_new(&mut self, range: Range) -> BTreeSet<Root> {
        let text = self.text.get(range.bytes()).unwrap_or("");
        let Some((_, given)) = text.split_once(['(', '{']) else {
            return BTreeSet::new();
        };
        let takes_addresses = given.contains('&');
        let mut roots = BTreeSet::new();
        for word in given.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let name = Name::simple(word, range);
            let Some((place, ty)) = self.named(&name) else {
                continue;
            };
            let value = self.read(&place, &ty);
            if takes_addresses || matches!(ty, Ty::Array(..)) {
                self.addressed(&place);
                roots.insert(place.root);
            }
            if !matches!(value, Value::Scalar(_) | Value::Ratio(..)) {
                roots.extend(self.roots_of(&value));
            }
        }
        roots
    }
}

fn is_unknown(ty: &Ty) -> bool {
    matches!(ty, Ty::Opaque { name, .. } if name.is_empty())
}

/// Whether a store of one type can change what is known of an object of another. Numbers change those of their kind, bytes
/// change anything; of numbers with a fraction nothing is known but of those of double precision.
fn may_change(stored: &Ty, held: &Ty, is_number: bool) -> bool {
    match held {
        Ty::Array(element, _) => return may_change(stored, element, is_number),
        Ty::Struct(class) => {
            return matches!(stored, Ty::Struct(_))
                || class
                    .fields()
                    .iter()
                    .any(|(_, ty, _)| may_change(stored, ty, is_number));
        }
        Ty::Scalar(held) if !held.is_integer() && *held != CType::F64 => return false,
        _ => {}
    }
    match (stored, held) {
        (Ty::Scalar(CType::I8 | CType::U8 | CType::Bool), _) => true,
        (Ty::Scalar(stored), Ty::Scalar(held)) => {
            stored.bytes() == held.bytes() && stored.is_integer() == held.is_integer()
        }
        (Ty::Scalar(_), Ty::Pointer(_)) | (Ty::Pointer(_) | Ty::Struct(_), Ty::Scalar(_)) => false,
        (Ty::Struct(_), Ty::Pointer(_)) => false,
        (_, Ty::Pointer(_)) => !is_number,
        _ => true,
    }
}
