//! Reading and writing host memory, and what unknown code may do to it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::history::{Snapshot, held};
use super::term::{self, MAX_NODES, Term};
use super::value::*;
use crate::lower::types::Ty;
use crate::lower::typing::is_unknown;
use crate::syntax::ast::Name;

/// Parts of a value that are kept; a longer list is a table, whose elements are not followed.
const MOST_PARTS: usize = 512;

/// Objects that code which is not followed may reach cost what a statement costs, this many at a time.
const FOUND_IN_STEP: u32 = 8;

impl<'u> Host<'_, 'u> {
    /// The version of what is in an object.
    pub(super) fn version_of(&self, state: &State<'u>, root: Root) -> Version {
        if let Some(version) = state.versions.get(&root) {
            return *version;
        }
        if self.objects.get(root).kind == Kind::Variable {
            Version(0)
        } else {
            state.heap
        }
    }

    /// What a place of a type holds.
    pub(super) fn read(&mut self, place: &Place, ty: &Ty) -> Value<'u> {
        let Some(state) = self.state.clone() else {
            return Value::unknown();
        };
        self.read_in(&state, place, ty)
    }

    pub(super) fn read_in(&mut self, state: &State<'u>, place: &Place, ty: &Ty) -> Value<'u> {
        let version = self.version_of(state, place.root);
        let own = state.entries(place.root);
        if own.is_empty() {
            self.observed(place.root, version);
        }
        let is_written = own.iter().any(|(path, _)| *path == place.path);
        if !is_written && let Some(value) = self.read_of_several(state, place, ty) {
            return value;
        }
        let entries = match self.constants.get(&place.root) {
            Some(constants) if own.is_empty() && version == Version(0) => constants,
            _ => own,
        };
        let below = |path: &[Step]| {
            path.strip_prefix(place.path.as_slice())
                .filter(|rest| matches!(rest.first(), Some(Step::Field(_))))
                .map(<[Step]>::to_vec)
        };
        if let Some((_, value)) = entries.iter().find(|(path, _)| *path == place.path) {
            let value = value.clone();
            // Members that were written since are entries of their own.
            if let Value::Initial(from, version) = &value {
                let members = entries.iter().filter_map(|(path, member)| {
                    let rest = below(path).filter(|rest| !rest.is_empty())?;
                    Some((rest, member.clone()))
                });
                let members: Vec<(Vec<Step>, Value<'u>)> = members.collect();
                if !members.is_empty() {
                    return Value::Tree(Rc::new(members), Some((from.clone(), *version)));
                }
            }
            return self.typed(value, ty);
        }
        let mut near = Vec::new();
        let mut parts = Vec::new();
        let mut above: Option<(&[Step], &Value<'u>)> = None;
        for (path, value) in entries {
            if let Some(rest) = below(path) {
                parts.push((rest, value.clone()));
            } else if let Some(rest) = place.path.strip_prefix(path.as_slice())
                && matches!(rest.first(), Some(Step::Field(_)))
            {
                if above.is_none_or(|(old, _)| old.len() < path.len()) {
                    above = Some((path, value));
                }
            } else if uncertain(path, &place.path) && paths(path, &place.path) == Relation::May {
                near.push((path.clone(), value.clone()));
            }
        }
        let base = match above {
            Some((path, Value::Initial(from, version))) => {
                let mut from = from.clone();
                for step in &place.path[path.len()..] {
                    from = match step {
                        Step::Field(field) => from.field(field),
                        Step::At(bytes) => from.at(bytes),
                    };
                }
                (from, *version)
            }
            Some((_, value)) => {
                let value = value.clone();
                let roots = self.roots_of(&value);
                if parts.is_empty() {
                    return Value::Unknown(Rc::new(roots));
                }
                (place.clone(), self.objects.version(roots))
            }
            None => (place.clone(), version),
        };
        if !near.is_empty() {
            if let Some(element) = self.element(&near, place, ty) {
                return element;
            }
            let mut roots = self.roots_of(&Value::Initial(base.0, base.1));
            for (_, value) in &near {
                roots.extend(self.roots_of(value));
            }
            return Value::Unknown(Rc::new(roots));
        }
        if !parts.is_empty() {
            return Value::Tree(Rc::new(parts), Some(base));
        }
        self.typed(Value::Initial(base.0, base.1), ty)
    }

    /// `table[i]` where all elements are known.
    fn element(
        &self,
        near: &[(Vec<Step>, Value<'u>)],
        place: &Place,
        ty: &Ty,
    ) -> Option<Value<'u>> {
        let (Step::At(offset), prefix) = place.path.split_last()? else {
            return None;
        };
        let Ty::Pointer(target) = ty else { return None };
        let bytes = 8i128;
        let mut items: Vec<Option<Pointer>> = Vec::new();
        for (path, value) in near {
            let position = match path.strip_prefix(prefix)? {
                [] => 0,
                [Step::At(at)] => at.as_constant()?,
                _ => return None,
            };
            let Value::Pointer(pointer, _) = value else {
                return None;
            };
            let position = usize::try_from(position / bytes)
                .ok()
                .filter(|at| *at < 16)?;
            if items.len() <= position {
                items.resize(position + 1, None);
            }
            items[position] = Some(pointer.clone());
        }
        let items: Vec<Pointer> = items.into_iter().collect::<Option<_>>()?;
        // No other elements: an index beyond these would be outside the array.
        let declared = match (&self.objects.get(place.root).ty, prefix) {
            (Ty::Array(_, crate::lower::types::Extent::Constant(count)), []) => *count,
            _ => return None,
        };
        (declared == items.len() as u64).then(|| {
            let index = offset.clone();
            Value::Pointer(Pointer::Element(Rc::new(items), index), (**target).clone())
        })
    }

    /// An initial value as one of a type.
    pub(super) fn typed(&mut self, value: Value<'u>, ty: &Ty) -> Value<'u> {
        let Value::Initial(place, version) = &value else {
            return value;
        };
        match ty {
            Ty::Pointer(element) => {
                let root = self.objects.pointee(place, *version);
                let pointer = Pointer::At(Place::of(root), Term::bytes(0));
                Value::Pointer(pointer, (**element).clone())
            }
            Ty::Scalar(ctype) if ctype.is_integer() => {
                self.numbers.insert(place.root);
                self.number_seen(place.root, *version);
                let symbol = self.objects.initial_symbol(place, *version);
                Value::Scalar(Term::Symbol(symbol, *ctype))
            }
            _ => value,
        }
    }

    /// A value as a variable of a type holds it.
    pub(super) fn converted(&mut self, value: Value<'u>, ty: &Ty, name: &str) -> Value<'u> {
        match (ty, value) {
            (Ty::Scalar(ctype), Value::Scalar(term)) if ctype.is_integer() => {
                self.fits(&term, *ctype);
                Value::Scalar(term::cast(*ctype, term))
            }
            // Exact below 2^53, and a larger grid could not be launched.
            (Ty::Scalar(CType::F64), Value::Scalar(term)) => {
                Value::Ratio(term, Term::int(1), Precision::Double)
            }
            (Ty::Scalar(CType::F64), Value::Ratio(over, under, _)) => {
                Value::Ratio(over, under, Precision::Double)
            }
            (Ty::Scalar(CType::F32), Value::Scalar(term)) => {
                let term = self.rounded(term, Precision::Single);
                Value::Ratio(term, Term::int(1), Precision::Single)
            }
            (Ty::Scalar(CType::F32), value @ Value::Ratio(_, _, Precision::Single)) => value,
            // A number with a part behind the point is rounded once more.
            (Ty::Scalar(CType::F32), Value::Ratio(over, under, Precision::Double))
                if under.as_constant() == Some(1) =>
            {
                let over = self.rounded(over, Precision::Single);
                Value::Ratio(over, under, Precision::Single)
            }
            (Ty::Scalar(ctype), Value::Ratio(over, under, _)) if ctype.is_integer() => {
                Value::Scalar(term::cast(*ctype, quotient(over, under)))
            }
            (Ty::Scalar(ctype), Value::Unknown(roots)) if ctype.is_integer() => {
                let symbol = match roots.contains(&self.outside) {
                    true => self.objects.input(name),
                    false => self.objects.computed(name),
                };
                Value::Scalar(Term::Symbol(symbol, *ctype))
            }
            (Ty::Scalar(ctype), _) if !ctype.is_integer() => Value::unknown(),
            (Ty::Pointer(element), Value::Pointer(pointer, _)) => {
                Value::Pointer(pointer, (**element).clone())
            }
            // As a number it counts bytes; of a narrower one nothing is known but where it came from.
            (Ty::Scalar(ctype), Value::Pointer(pointer, _))
                if ctype.is_integer() && *ctype != CType::Bool =>
            {
                match ctype.bits() == Some(64) {
                    true => Value::Pointer(pointer, Ty::Scalar(CType::I8)),
                    false => {
                        let mut roots = BTreeSet::new();
                        pointer.roots(&mut roots);
                        Value::Unknown(Rc::new(roots))
                    }
                }
            }
            (Ty::Pointer(element), Value::Unknown(roots)) => {
                Value::Pointer(Pointer::OneOf(roots), (**element).clone())
            }
            (Ty::Pointer(element), Value::Scalar(term)) if term.as_constant() == Some(0) => {
                Value::Pointer(Pointer::Null, (**element).clone())
            }
            // A conversion function of its class gives the number.
            (Ty::Scalar(ctype), Value::Initial(place, _))
                if place.path.is_empty()
                    && ctype.is_integer()
                    && matches!(
                        self.objects.get(place.root).ty,
                        Ty::Struct(_) | Ty::Opaque { .. }
                    )
                    && self.index.has_conversions() =>
            {
                let symbol = self.objects.computed(name);
                Value::Scalar(Term::Symbol(symbol, *ctype))
            }
            // What a bit field keeps of it is not followed.
            (Ty::Bits(_), _) => Value::unknown(),
            // Of which type the number is, and with it what comes of it, is not known.
            (Ty::Opaque { bytes: None, name }, Value::Scalar(_) | Value::Ratio(..))
                if is_named(name) =>
            {
                Value::unknown()
            }
            (_, value @ Value::Initial(..)) => self.typed(value, ty),
            (_, value) => value,
        }
    }

    /// Stores a value in a place of a type.
    pub(super) fn write(&mut self, place: &Place, ty: &Ty, value: Value<'u>) {
        let name = self.objects.describe(place);
        let value = self.converted(value, ty, &name);
        if let (Ty::Opaque { name, .. }, Value::Unknown(roots)) = (ty, &value)
            && !name.is_empty()
            && !roots.is_empty()
        {
            // A class that holds them somewhere, perhaps one of them twice.
            let roots = (**roots).clone();
            self.havoc_copied(place, roots);
            if self.holds_in_any_member(name) {
                self.write(place, &Ty::Void, value);
            }
            return;
        }
        // `std::vector<T> v = {a, b};`: the elements are not parts of it.
        if let (Ty::Opaque { name, .. }, Value::Tree(list, None)) = (ty, &value)
            && !name.is_empty()
            && !list.is_empty()
            && list
                .iter()
                .all(|(path, _)| matches!(path.first(), None | Some(Step::At(_))))
        {
            self.lost(&value);
            let roots = self.roots_of(&value);
            self.havoc_copied(place, roots);
            return;
        }
        // One of several objects, and the same one as long as it is not set again.
        if let (Ty::Pointer(_), Value::Pointer(Pointer::OneOf(roots), _)) = (ty, &value)
            && place.path.is_empty()
            && self.objects.get(place.root).kind == Kind::Variable
            && self.objects.get(place.root).is_local
        {
            let mut roots = (**roots).clone();
            if roots.is_empty() {
                roots.extend(self.objects.anything);
            }
            self.havoc(place, roots);
            return;
        }
        if self.objects.get(place.root).hidden_writers {
            let roots = self.roots_of(&value);
            self.havoc_copied(&Place::of(place.root), roots);
            return;
        }
        let parts = match &value {
            Value::Tree(parts, _) => flat(parts),
            _ => Vec::new(),
        };
        if parts.len() > MOST_PARTS {
            let roots = self.roots_of(&value);
            self.havoc(place, roots);
            return;
        }
        self.changed_through(place, ty, &value);
        self.others_changed(place.root, &value);
        let Some(state) = self.state.clone() else {
            return;
        };
        let mut entries = Vec::new();
        for (path, old) in state.entries(place.root) {
            let below = path
                .strip_prefix(place.path.as_slice())
                .is_some_and(|rest| {
                    rest.is_empty() || matches!(rest.first(), Some(Step::Field(_)))
                });
            if below {
                continue;
            }
            if uncertain(path, &place.path) && paths(path, &place.path) == Relation::May {
                let mut roots = self.roots_of(old);
                roots.extend(self.roots_of(&value));
                entries.push((path.clone(), Value::Unknown(Rc::new(roots))));
            } else {
                entries.push((path.clone(), old.clone()));
            }
        }
        match value {
            Value::Tree(_, base) => {
                if let Some((from, version)) = base {
                    entries.push((place.path.clone(), Value::Initial(from, version)));
                }
                // Lists in lists: a member that is written later stands for itself.
                for (rest, value) in &parts {
                    let mut target = place.clone();
                    for step in rest {
                        target = match step {
                            Step::Field(field) => target.field(field),
                            Step::At(bytes) => target.at(bytes),
                        };
                    }
                    entries.retain(|(path, _)| *path != target.path);
                    entries.push((target.path, value.clone()));
                }
            }
            value => entries.push((place.path.clone(), value)),
        }
        // While it is shared, a change copies the whole store.
        drop(state);
        if let Some(state) = &mut self.state {
            state.set_entries(place.root, entries);
        }
    }

    /// The objects that a value may point into.
    pub(super) fn roots_of(&mut self, value: &Value<'u>) -> BTreeSet<Root> {
        let mut roots = BTreeSet::new();
        match value {
            Value::Pointer(pointer, _) => pointer.roots(&mut roots),
            Value::Unknown(known) => roots.extend(known.iter()),
            Value::Initial(place, version) => {
                roots.insert(self.objects.pointee(place, *version));
            }
            Value::Tree(parts, base) => {
                for (_, value) in parts.iter() {
                    roots.extend(self.roots_of(value));
                }
                if let Some((place, version)) = base {
                    roots.insert(self.objects.pointee(place, *version));
                }
            }
            Value::Closure(closure) => {
                let seen: Vec<Root> = closure
                    .scopes
                    .iter()
                    .flat_map(|scope| scope.values().copied())
                    .collect();
                roots.extend(seen);
            }
            Value::Scalar(_) | Value::Ratio(..) | Value::Kernels(_) | Value::Function(_) => {}
        }
        roots
    }

    /// The objects that pointers are found in by code which is given these.
    pub(super) fn reachable(&mut self, roots: BTreeSet<Root>) -> BTreeSet<Root> {
        self.reached(roots, false)
    }

    /// The same; or, for code that changes what it finds, with all that a pointer which such code changed may be.
    pub(super) fn reached(&mut self, roots: BTreeSet<Root>, all: bool) -> BTreeSet<Root> {
        let mut found: Vec<Root> = Vec::new();
        // Roots are numbered from zero, and unknown code may reach thousands.
        let mut is_found: Vec<bool> = Vec::new();
        let mut versions = BTreeSet::new();
        let mut work: Vec<Root> = roots.into_iter().collect();
        let state = self.state.clone();
        while let Some(root) = work.pop() {
            let index = root.0 as usize;
            if index >= is_found.len() {
                is_found.resize(index + 1, false);
            }
            if std::mem::replace(&mut is_found[index], true) {
                continue;
            }
            found.push(root);
            if all {
                work.extend(self.rounds_of(root).into_iter().flatten());
            }
            if all
                && let Some(version) = self.objects.found_at(root)
                && versions.insert(version)
            {
                work.extend(self.objects.sources_of(version));
            }
            if all && let Some(state) = &state {
                let object = self.objects.get(root);
                // What code that is not followed had got before has escaped.
                if object.kind != Kind::World {
                    work.extend(object.sources.iter().copied());
                }
                if object.kind == Kind::Variable {
                    let version = self.version_of(state, root);
                    work.extend(self.objects.sources_of(version));
                }
            }
            for (_, value) in state.iter().flat_map(|state| state.entries(root)) {
                work.extend(self.roots_of(value));
            }
        }
        self.steps = self
            .steps
            .saturating_add(found.len() as u32 / FOUND_IN_STEP);
        found.into_iter().collect()
    }

    /// An object gets hold of a variable, whose member functions are not all followed: from now on nothing is known of it.
    pub(super) fn watch(&mut self, root: Root) {
        let object = self.objects.get_mut(root);
        if object.kind != Kind::Variable || object.is_const {
            return;
        }
        object.hidden_writers = true;
        if !object.is_global {
            self.watched.insert(root);
        }
        self.addressed(&Place::of(root));
        self.changed_out_of_sight(root, BTreeSet::new());
    }

    /// Code that is not followed may have changed a variable; what was put in several of its places may still be there.
    pub(super) fn changed_out_of_sight(&mut self, root: Root, mut sources: BTreeSet<Root>) {
        let Some(state) = &self.state else { return };
        let version = self.version_of(state, root);
        if self.objects.is_copied(version) {
            sources.extend(self.objects.sources_of(version));
            self.havoc_copied(&Place::of(root), sources);
        } else {
            self.havoc(&Place::of(root), sources);
        }
    }

    /// Unknown code got these values and may change what they reach.
    pub(super) fn havoc_reached(&mut self, values: &[Value<'u>]) {
        let mut roots = BTreeSet::new();
        for value in values {
            roots.extend(self.roots_of(value));
        }
        for root in &roots {
            // What unknown code has got it has got.
            if let Some(state) = &mut self.state
                && self.objects.get(*root).kind != Kind::World
            {
                state.escape(*root);
            }
        }
        let escaped: Vec<Root> = match &self.state {
            Some(state) => state.escaped.iter().copied().collect(),
            None => return,
        };
        roots.extend(escaped);
        // Variables that other files can name.
        let globals: Vec<Root> = self
            .globals
            .values()
            .filter(|global| global.changeable)
            .map(|global| global.root)
            .collect();
        roots.extend(globals);
        let sources = self.reached(roots, true);
        // Kernels that stand there may be launched.
        let held: Vec<Value<'u>> = match &self.state {
            Some(state) => sources
                .iter()
                .flat_map(|root| state.entries(*root))
                .filter(|(_, value)| matches!(value, Value::Kernels(_) | Value::Tree(..)))
                .map(|(_, value)| value.clone())
                .collect(),
            None => Vec::new(),
        };
        for value in &held {
            self.lost(value);
        }
        if let Some(state) = &mut self.state {
            for root in &sources {
                if self.objects.get(*root).kind == Kind::Variable {
                    state.escape(*root);
                }
            }
        }
        let given: BTreeSet<Root> = sources
            .iter()
            .filter(|root| self.objects.get(**root).kind != Kind::World)
            .copied()
            .collect();
        let version = self.objects.give_away(&given);
        let heap = self.heap();
        let forgotten: BTreeSet<Root> = sources.iter().copied().chain(heap).collect();
        self.remember(&forgotten, version, true);
        for root in &sources {
            // What is no variable has the version of the heap.
            if self.objects.get(*root).kind == Kind::Variable {
                self.forget(*root, version);
            }
        }
        self.forget_heap(version);
    }

    /// Objects written that are no variables.
    fn heap(&self) -> BTreeSet<Root> {
        let written = self.state.iter();
        let written = written.flat_map(|state| state.store.keys().chain(state.versions.keys()));
        written
            .copied()
            .filter(|root| self.objects.get(*root).kind != Kind::Variable)
            .collect()
    }

    /// Objects are about to get a version: what they hold may be what they hold then.
    fn remember(&mut self, roots: &BTreeSet<Root>, version: Version, heap: bool) {
        if self.objects.remembers(version, roots, heap) {
            return;
        }
        if let Some(state) = self.state.clone() {
            let before = self.snapshot(&state, roots, heap);
            self.objects.remember(version, before);
        }
    }

    /// What objects hold in a state.
    pub(super) fn snapshot(
        &self,
        state: &State<'u>,
        roots: &BTreeSet<Root>,
        heap: bool,
    ) -> Snapshot {
        let objects = roots.iter().map(|&root| {
            let entries = state.entries(root).iter();
            let entries = entries.map(|(path, value)| (path.clone(), held(value, &self.objects)));
            (root, self.version_of(state, root), entries.collect())
        });
        Snapshot::new(heap.then_some(state.heap), objects)
    }

    /// Ways that met in a state have given some of its objects a version.
    pub(super) fn remember_both(
        &mut self,
        met: &State<'u>,
        version: Version,
        ways: [&State<'u>; 2],
    ) {
        let versions = met.versions.iter();
        let roots: BTreeSet<Root> = versions
            .filter(|(_, of)| **of == version)
            .map(|(root, _)| *root)
            .collect();
        for way in ways {
            let before = self.snapshot(way, &roots, met.heap == version);
            self.objects.remember(version, before);
        }
    }

    /// What is no variable holds something else.
    pub(super) fn forget_heap(&mut self, version: Version) {
        let heap = self.heap();
        self.remember(&heap, version, true);
        // What was put in several places of an object may still be there.
        let mut filled: BTreeMap<Version, Vec<Root>> = BTreeMap::new();
        if let Some(state) = &mut self.state {
            for root in heap {
                state.set_entries(root, Vec::new());
            }
            let objects = &self.objects;
            Rc::make_mut(&mut state.versions).retain(|root, version| {
                let is_variable = objects.get(*root).kind == Kind::Variable;
                if !is_variable && objects.is_copied(*version) {
                    filled.entry(*version).or_default().push(*root);
                }
                is_variable
            });
            state.heap = version;
        }
        for (old, roots) in filled {
            let sources = [old, version].map(|version| self.objects.sources_of(version));
            let sources = sources.concat().into_iter().collect();
            let both = self.objects.copied(sources);
            if let Some(state) = &mut self.state {
                for root in roots {
                    state.set_version(root, both);
                }
            }
        }
    }

    /// A place may hold anything made of what took part.
    pub(super) fn havoc(&mut self, place: &Place, sources: BTreeSet<Root>) {
        let sources = self.reachable(sources);
        let held = Value::Unknown(Rc::new(sources.clone()));
        self.changed_through(place, &Ty::Void, &held);
        self.others_changed(place.root, &held);
        let version = self.objects.version(sources);
        self.havoc_to(place, version);
    }

    /// A place was filled with what took part: parts of it may hold the same.
    pub(super) fn havoc_copied(&mut self, place: &Place, sources: BTreeSet<Root>) {
        let sources = self.reachable(sources);
        let held = Value::Unknown(Rc::new(sources.clone()));
        self.changed_through(place, &Ty::Void, &held);
        self.others_changed(place.root, &held);
        let version = self.objects.copied(sources);
        self.havoc_to(place, version);
    }

    /// The same of several variables.
    pub(super) fn havoc_all(&mut self, roots: &BTreeSet<Root>, sources: BTreeSet<Root>) {
        let sources = self.reachable(sources);
        let version = self.objects.version(sources);
        self.remember(roots, version, false);
        for root in roots {
            self.forget(*root, version);
        }
    }

    /// An object may hold what was put in another one.
    pub(super) fn havoc_copied_alone(&mut self, root: Root, sources: BTreeSet<Root>) {
        let sources = self.reachable(sources);
        let version = self.objects.copied(sources);
        self.havoc_to(&Place::of(root), version);
    }

    fn havoc_to(&mut self, place: &Place, version: Version) {
        if place.path.is_empty() {
            self.forget(place.root, version);
            return;
        }
        self.remember(&BTreeSet::from([place.root]), version, false);
        let Some(state) = &self.state else { return };
        let mut entries: Vec<_> = state
            .entries(place.root)
            .iter()
            .filter(|(path, _)| paths(path, &place.path) == Relation::Distinct)
            .cloned()
            .collect();
        entries.push((place.path.clone(), Value::Initial(place.clone(), version)));
        if let Some(state) = &mut self.state {
            state.set_entries(place.root, entries);
        }
    }

    fn forget(&mut self, root: Root, version: Version) {
        let object = self.objects.get(root);
        if object.is_const && object.kind == Kind::Variable {
            return;
        }
        let functions: Vec<&'u Name> = match &self.state {
            Some(state) => state
                .entries(root)
                .iter()
                .filter_map(|(_, value)| match value {
                    Value::Function(name) => Some(*name),
                    _ => None,
                })
                .collect(),
            None => Vec::new(),
        };
        for name in functions {
            self.mentioned(&name.base, "it is stored where it is not followed");
        }
        self.remember(&BTreeSet::from([root]), version, false);
        if let Some(state) = &mut self.state {
            state.set_entries(root, Vec::new());
            state.set_version(root, version);
        }
    }

    /// One of two values, by a condition.
    pub(super) fn choice(&mut self, cond: &Term, then: Value<'u>, els: Value<'u>) -> Value<'u> {
        if then == els {
            return then;
        }
        match (&then, &els) {
            (Value::Initial(..), Value::Pointer(_, element)) => {
                let ty = element.clone().pointer_to();
                let then = self.typed(then, &ty);
                return self.choice_of(cond, then, els);
            }
            (Value::Pointer(_, element), Value::Initial(..)) => {
                let ty = element.clone().pointer_to();
                let els = self.typed(els, &ty);
                return self.choice_of(cond, then, els);
            }
            (Value::Initial(..), Value::Scalar(term)) => {
                let ty = Ty::Scalar(term.ty());
                let then = self.typed(then, &ty);
                return self.choice_of(cond, then, els);
            }
            (Value::Scalar(term), Value::Initial(..)) => {
                let ty = Ty::Scalar(term.ty());
                let els = self.typed(els, &ty);
                return self.choice_of(cond, then, els);
            }
            _ => {}
        }
        self.choice_of(cond, then, els)
    }

    fn choice_of(&mut self, cond: &Term, then: Value<'u>, els: Value<'u>) -> Value<'u> {
        match (&then, &els) {
            _ if then == els => then,
            (Value::Scalar(a), Value::Scalar(b)) => {
                let term = term::select(cond.clone(), a.clone(), b.clone());
                Value::Scalar(self.bounded(term))
            }
            (Value::Pointer(a, ty), Value::Pointer(b, _)) => {
                let pointer = Pointer::Select(cond.clone(), Rc::new(a.clone()), Rc::new(b.clone()));
                let pointer = if pointer.nodes() > 24 {
                    pointer.anywhere()
                } else {
                    pointer
                };
                Value::Pointer(pointer, ty.clone())
            }
            (Value::Kernels(a), Value::Kernels(b)) => Value::Kernels(either(a, b)),
            _ => {
                // A kernel among values of other kinds is lost sight of.
                self.lost(&then);
                self.lost(&els);
                let mut roots = self.roots_of(&then);
                roots.extend(self.roots_of(&els));
                Value::Unknown(Rc::new(roots))
            }
        }
    }

    /// The term, or a symbol for it when it is large.
    pub(super) fn bounded(&mut self, term: Term) -> Term {
        if term.nodes() <= MAX_NODES {
            return term;
        }
        let ty = term.ty();
        Term::Symbol(self.objects.computed("value"), ty)
    }

    /// The state after two ways have met.
    pub(super) fn joined(
        &mut self,
        one: Option<State<'u>>,
        other: Option<State<'u>>,
    ) -> Option<State<'u>> {
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) => (one, other),
            (one, other) => return one.or(other),
        };
        let common = one
            .path
            .iter()
            .zip(other.path.iter())
            .take_while(|(a, b)| a == b)
            .count();
        let cond = match (one.path.get(common), other.path.get(common)) {
            (Some((a, true)), Some((b, false))) if a == b => a.clone(),
            (Some((a, false)), Some((b, true))) if a == b => term::not(a.clone()),
            _ => Term::Symbol(self.objects.computed("way"), CType::Bool),
        };
        let mut joined = one.clone();
        joined.path = Rc::new(one.path[..common].to_vec());
        let escaped: BTreeSet<Root> = one.escaped.union(&other.escaped).copied().collect();
        joined.escaped = Rc::new(escaped);
        // What was copied somewhere on one of the ways is told apart from what was not.
        let mut versions: [Option<Version>; 2] = [None; 2];
        // Many variables share few versions.
        let mut merged: BTreeSet<(Version, Version)> = BTreeSet::new();
        let mut meet = |me: &mut Self, a: Version, b: Version| {
            if a == b {
                return a;
            }
            let copied = me.objects.is_copied(a) || me.objects.is_copied(b);
            let new =
                *versions[usize::from(copied)].get_or_insert_with(|| me.objects.merged(copied));
            if merged.insert((a, b)) {
                let mut sources = me.objects.sources_of(a).to_vec();
                sources.extend_from_slice(me.objects.sources_of(b));
                me.objects.more_sources(new, sources);
                if copied {
                    me.objects.copied_as(new, a);
                    me.objects.copied_as(new, b);
                }
            }
            new
        };
        joined.heap = meet(self, one.heap, other.heap);
        let mut roots: BTreeSet<Root> = one.versions.keys().copied().collect();
        roots.extend(other.versions.keys());
        for root in roots {
            let (a, b) = (self.version_of(&one, root), self.version_of(&other, root));
            let met = meet(self, a, b);
            joined.set_version(root, met);
        }
        for version in versions.into_iter().flatten() {
            self.remember_both(&joined, version, [&one, &other]);
        }
        let mut roots: BTreeSet<Root> = one.store.keys().copied().collect();
        roots.extend(other.store.keys());
        for root in roots {
            let same = match (one.store.get(&root), other.store.get(&root)) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                _ => false,
            };
            if same {
                continue;
            }
            let mut entries: Vec<(Vec<Step>, Value<'u>)> = Vec::new();
            let both = one.entries(root).iter().chain(other.entries(root));
            for (path, _) in both {
                if entries.iter().any(|(known, _)| known == path) {
                    continue;
                }
                let place = Place {
                    root,
                    path: path.clone(),
                };
                let any = Ty::Void;
                let a = self.read_in(&one, &place, &any);
                let b = self.read_in(&other, &place, &any);
                entries.push((path.clone(), self.choice(&cond, a, b)));
            }
            joined.set_entries(root, entries);
        }
        Some(joined)
    }
}

/// `over / under` as the conversion of an exact quotient to an integer gives it.
pub(super) fn quotient(over: Term, under: Term) -> Term {
    use crate::syntax::ast::BinaryOp;
    term::binary(BinaryOp::Div, over, under)
}

/// Whether two paths may be the same because of an offset that is not constant.
pub(super) fn uncertain(left: &[Step], right: &[Step]) -> bool {
    left.iter().chain(right).any(|step| match step {
        Step::At(bytes) => bytes.as_constant().is_none(),
        Step::Field(_) => false,
    })
}

/// Whether a type that is not known has a name: that of `auto` is the type of its value.
fn is_named(name: &str) -> bool {
    !name.is_empty()
        && !is_unknown(&Ty::Opaque {
            name: name.to_owned(),
            bytes: None,
        })
}
