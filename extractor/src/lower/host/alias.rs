//! Objects of host code, and whether two pointers may point into the same one.
//!
//! **Loops.** A pointer that a loop changes is, at the head of an arbitrary iteration, an object of
//! its own kind whose sources are what it held before the loop and at the end of an iteration. Two
//! of them are distinct if they were before the loop, and are at the end of an iteration provided
//! that all such pairs were at its start: the greatest set of pairs that holds itself up, over all
//! loops together. So pointers that a loop swaps stay distinct.
//!
//! **Accuracy.** `Distinct` is proved, up to the stated assumption that variables, members and
//! parameters which are not computed from each other do not alias. `Same` is certain.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Known;
use super::history::{Origin, Snapshot};
use super::meeting::Meetings;
use super::term::{SymbolId, Term, differ};
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::Range;

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A variable of the host, or a device variable.
    Variable,
    /// What the pointer in a place pointed to.
    Pointee(Place, Version),
    /// A new allocation, or the result of a function.
    Fresh,
    /// What a pointer that a loop changes points to, at its head.
    Carried,
    /// All that code which is not followed had got at some point.
    World,
    /// Any object at all.
    Anything,
    /// What one unknown function gives: the same for all its calls.
    Result(String),
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    pub kind: Kind,
    pub name: String,
    /// The type of a variable.
    pub ty: Ty,
    /// It may be any of these as well.
    pub sources: BTreeSet<Root>,
    /// A `__device__`, `__managed__` or `__constant__` variable.
    pub on_device: bool,
    pub is_const: bool,
    pub is_global: bool,
    /// A variable of a function, whose values the program computes unless they come from outside.
    pub is_local: bool,
    /// Code that is called where no call is written may change it: what is stored is not remembered.
    pub hidden_writers: bool,
    /// Memory that a call or `new` has just made.
    pub is_new: bool,
    /// The function of which it is a parameter, where that was run with arguments of which nothing is known.
    pub parameter_of: Option<Range>,
}

/// A pointer that a loop changes.
#[derive(Debug)]
struct Carried {
    group: u32,
    entry: Pointer,
    end: Pointer,
}

/// All objects, symbols and versions of an analysis.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// The world outside, among the sources of a change.
    pub outside: Option<Root>,
    /// Any object, among others that a pointer may lead to.
    pub anything: Option<Root>,
    objects: Vec<Object>,
    known: FxHashMap<Kind, Root>,
    versions: Vec<Change>,
    /// What unknown code had got, from call to call; each is all that the one before is.
    worlds: Vec<Root>,
    given: FxHashSet<Root>,
    symbols: Vec<(String, Known)>,
    /// Counters of loops of which more is known as long as they do not wrap.
    counters: BTreeSet<SymbolId>,
    initial_symbols: FxHashMap<(Place, Version), SymbolId>,
    carried: FxHashMap<Root, Carried>,
    /// Pairs of carried pointers of one loop that may be the same.
    overlapping: BTreeSet<(Root, Root)>,
    /// Places of which some function makes one hold what another does.
    pub meetings: Meetings,
    /// What was found out, when all code was run.
    known_relations: RefCell<Relations>,
}

/// A change that could not be followed.
#[derive(Debug, Default)]
struct Change {
    /// What took part in it, sorted: there are long ones, which are read more often than they grow.
    sources: Vec<Root>,
    /// What the objects held that it may have changed, for each way to come to it.
    before: Vec<Snapshot>,
    /// Several ways meet in it: nothing else changed anything.
    merged: bool,
    /// What took part was copied: two places may hold the same of it afterwards.
    copied: bool,
    /// Only in members of these names.
    copied_in: Option<BTreeSet<Vec<String>>>,
}

/// What an origin comes from; `None`: from anywhere.
type Ancestors = Option<Rc<BTreeSet<Root>>>;

/// Answers that are kept.
#[derive(Debug, Default)]
struct Relations {
    ancestors: FxHashMap<Origin, Ancestors>,
    pairs: FxHashMap<(Origin, Origin), Relation>,
    /// Pairs that are being looked at, taken for distinct meanwhile.
    active: Vec<(Origin, Origin)>,
    /// Pairs found distinct while others were being looked at.
    provisional: Vec<(Origin, Origin)>,
}

impl Relations {
    /// Pairs of carried pointers are taken for distinct that were not before. What an origin comes from stays.
    fn forget_pairs(&mut self) {
        let ancestors = std::mem::take(&mut self.ancestors);
        self.clear();
        self.ancestors = ancestors;
    }

    fn clear(&mut self) {
        *self = Relations::default();
    }
}

/// Pairs of carried pointers that are looked at; with more, all may be the same.
const MAX_PAIRS: usize = 20_000;

/// Places that are looked at to find what an object comes from; with more, it may be any.
const MAX_PLACES: usize = 2_000;

/// Changes that a place is followed back through.
const MAX_CHANGES: usize = 300;

impl Objects {
    pub(super) fn new() -> Self {
        let mut objects = Objects {
            versions: vec![Change::default()],
            ..Objects::default()
        };
        objects.next_world();
        objects.anything = Some(objects.interned(Kind::Anything, "anything"));
        objects
    }

    fn next_world(&mut self) -> Root {
        let unknown = Ty::Opaque {
            name: String::new(),
            bytes: None,
        };
        let world = self.object(Kind::World, "code that is not followed", unknown);
        let before = self.worlds.last().copied();
        self.get_mut(world).sources.extend(before);
        self.worlds.push(world);
        world
    }

    /// Unknown code got these, and may put them wherever it comes from now on.
    pub(super) fn give_away(&mut self, roots: &BTreeSet<Root>) -> Version {
        let is_new = |root: &&Root| !self.given.contains(root);
        let new: Vec<Root> = roots.iter().filter(is_new).copied().collect();
        let world = match self.worlds.last() {
            Some(world) if new.is_empty() => *world,
            _ => self.next_world(),
        };
        self.get_mut(world).sources.extend(&new);
        self.given.extend(new);
        self.version(BTreeSet::from([world]))
    }

    /// A loop begins: what it gives away is told apart from what was given before.
    pub(super) fn worlds(&mut self) -> usize {
        self.next_world();
        self.worlds.len() - 1
    }

    /// What unknown code got since may go round a loop: it has it at the start of an iteration too.
    pub(super) fn round(&mut self, since: usize) {
        let Some(last) = self.worlds.last().copied() else {
            return;
        };
        for world in self.worlds.split_off(since) {
            self.get_mut(world).sources.insert(last);
            self.worlds.push(world);
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.objects.len() as u32
    }

    pub(super) fn get(&self, root: Root) -> &Object {
        &self.objects[root.0 as usize]
    }

    pub(super) fn get_mut(&mut self, root: Root) -> &mut Object {
        &mut self.objects[root.0 as usize]
    }

    pub(super) fn object(&mut self, kind: Kind, name: &str, ty: Ty) -> Root {
        let root = Root(self.objects.len() as u32);
        self.objects.push(Object {
            kind,
            name: name.to_owned(),
            ty,
            sources: BTreeSet::new(),
            hidden_writers: false,
            is_new: false,
            parameter_of: None,
            on_device: false,
            is_const: false,
            is_global: false,
            is_local: false,
        });
        root
    }

    /// The one object of a kind.
    pub(super) fn interned(&mut self, kind: Kind, name: &str) -> Root {
        if let Some(root) = self.known.get(&kind) {
            return *root;
        }
        let unknown = Ty::Opaque {
            name: String::new(),
            bytes: None,
        };
        let root = self.object(kind.clone(), name, unknown);
        self.known.insert(kind, root);
        root
    }

    pub(super) fn pointee(&mut self, place: &Place, version: Version) -> Root {
        let name = self.describe(place);
        self.interned(Kind::Pointee(place.clone(), version), &name)
    }

    pub(super) fn version(&mut self, sources: BTreeSet<Root>) -> Version {
        self.versions.push(Change {
            sources: sources.into_iter().collect(),
            before: Vec::new(),
            merged: false,
            copied: false,
            copied_in: None,
        });
        Version(self.versions.len() as u32 - 1)
    }

    /// The version that is made next.
    pub(super) fn next_version(&self) -> Version {
        Version(self.versions.len() as u32)
    }

    /// A version in which several ways meet.
    pub(super) fn merged(&mut self, copied: bool) -> Version {
        let version = self.version(BTreeSet::new());
        let change = &mut self.versions[version.0 as usize];
        change.merged = true;
        change.copied = copied;
        change.copied_in = Some(BTreeSet::new());
        version
    }

    /// A version whose places were filled with what took part.
    pub(super) fn copied(&mut self, sources: BTreeSet<Root>) -> Version {
        let version = self.version(sources);
        self.versions[version.0 as usize].copied = true;
        version
    }

    /// A version of which members of some names hold the same as others.
    pub(super) fn copied_in(&mut self) -> Version {
        let version = self.copied(BTreeSet::new());
        self.versions[version.0 as usize].copied_in = Some(BTreeSet::new());
        version
    }

    /// What is in a place may be in others.
    pub(super) fn copied_at(&mut self, version: Version, path: &[Step]) {
        if let Some(members) = &mut self.versions[version.0 as usize].copied_in {
            members.insert(member_names(path));
        }
    }

    /// What was copied at a version was so at another one.
    pub(super) fn copied_as(&mut self, version: Version, earlier: Version) {
        let earlier = self.change(earlier);
        if !earlier.copied {
            return;
        }
        let more = earlier.copied_in.clone();
        let change = &mut self.versions[version.0 as usize];
        match (&mut change.copied_in, more) {
            (Some(members), Some(more)) => members.extend(more),
            (members, _) => *members = None,
        }
    }

    fn is_copied_at(&self, version: Version, path: &[Step]) -> bool {
        let members = &self.change(version).copied_in;
        let is_one = |members: &BTreeSet<Vec<String>>| {
            let own = member_names(path);
            // A part of a member, or what it is a part of.
            members
                .iter()
                .any(|one| one.starts_with(&own) || own.starts_with(one))
        };
        self.is_copied(version) && members.as_ref().is_none_or(is_one)
    }

    /// Whether two places may hold the same of what took part in a change.
    pub(super) fn is_copied(&self, version: Version) -> bool {
        let change = self.change(version);
        change.copied && !change.sources.is_empty()
    }

    fn change(&self, version: Version) -> &Change {
        &self.versions[version.0 as usize]
    }

    pub(super) fn sources_of(&self, version: Version) -> &[Root] {
        &self.change(version).sources
    }

    pub(super) fn more_sources(
        &mut self,
        version: Version,
        sources: impl IntoIterator<Item = Root>,
    ) {
        let known = &mut self.versions[version.0 as usize].sources;
        known.extend(sources);
        known.sort_unstable();
        known.dedup();
    }

    /// What objects held before a change.
    pub(super) fn remember(&mut self, version: Version, before: Snapshot) {
        self.versions[version.0 as usize].before.push(before);
    }

    /// Whether it is known what all of these held before a change.
    pub(super) fn remembers(&self, version: Version, roots: &BTreeSet<Root>, heap: bool) -> bool {
        let before = &self.change(version).before;
        before.iter().any(|snapshot| snapshot.has(roots, heap))
    }

    /// What objects held before a change, for each way to come to it.
    pub(super) fn snapshots(&self, version: Version) -> &[Snapshot] {
        &self.change(version).before
    }

    /// The object of a kind, if it was met.
    pub(super) fn interned_as(&self, kind: &Kind) -> Option<Root> {
        self.known.get(kind).copied()
    }

    /// Where a pointer to an object comes from.
    pub(super) fn origin_of(&self, root: Root) -> Origin {
        match &self.get(root).kind {
            Kind::Pointee(place, version) => Origin::Found(place.clone(), *version),
            Kind::Anything => Origin::Lost,
            _ => Origin::Object(root),
        }
    }

    /// A symbol for a value that comes from outside.
    pub(super) fn input(&mut self, name: &str) -> SymbolId {
        self.symbols.push((name.to_owned(), Known::Input));
        SymbolId(self.symbols.len() as u32 - 1)
    }

    /// A symbol for a value that is computed in a way that is not followed.
    pub(super) fn computed(&mut self, name: &str) -> SymbolId {
        self.symbols.push((name.to_owned(), Known::Computed));
        SymbolId(self.symbols.len() as u32 - 1)
    }

    /// Whether all values that the conditions admit are taken by a symbol.
    pub(super) fn set_complete(&mut self, symbol: SymbolId, complete: bool) {
        self.symbols[symbol.0 as usize].1 = match complete {
            true => Known::Input,
            false => Known::Computed,
        };
    }

    /// What is known of a counter rests on this, that it does not wrap.
    pub(super) fn set_counter(&mut self, symbol: SymbolId, assumed: bool) {
        match assumed {
            true => self.counters.insert(symbol),
            false => self.counters.remove(&symbol),
        };
    }

    pub(super) fn is_assumed_counter(&self, symbol: SymbolId) -> bool {
        self.counters.contains(&symbol)
    }

    /// How many symbols there are.
    pub(super) fn symbol_count(&self) -> u32 {
        self.symbols.len() as u32
    }

    pub(super) fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols[symbol.0 as usize].0
    }

    pub(super) fn symbol_known(&self, symbol: SymbolId) -> Known {
        self.symbols[symbol.0 as usize].1
    }

    /// The scalar that a place held at first.
    pub(super) fn initial_symbol(&mut self, place: &Place, version: Version) -> SymbolId {
        let key = (place.clone(), version);
        if let Some(symbol) = self.initial_symbols.get(&key) {
            return *symbol;
        }
        let name = self.describe(place);
        let change = self.change(version);
        let is_outside = self
            .outside
            .is_some_and(|root| change.sources.contains(&root));
        let is_computed = change.merged
            || self.get(place.root).kind == Kind::Carried
            || (self.is_computed_in(place.root) && !is_outside);
        let symbol = match is_computed {
            true => self.computed(&name),
            false => self.input(&name),
        };
        self.initial_symbols.insert(key, symbol);
        symbol
    }

    /// Whether numbers in an object are those that the program computes, unless they come from outside: in a variable of a
    /// function, in memory of the program's own, in what a container holds.
    fn is_computed_in(&self, root: Root) -> bool {
        let mut root = root;
        loop {
            let object = self.get(root);
            match &object.kind {
                Kind::Variable => return object.is_local,
                Kind::Fresh => return true,
                Kind::Pointee(place, _) => root = place.root,
                _ => return false,
            }
        }
    }

    /// A place in words.
    pub(super) fn describe(&self, place: &Place) -> String {
        let mut text = self.get(place.root).name.clone();
        for step in &place.path {
            match step {
                Step::Field(field) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(field);
                }
                Step::At(Term::Constant(bytes, _)) => text.push_str(&format!("+{bytes}")),
                Step::At(_) => text.push_str("[…]"),
            }
        }
        text
    }

    pub(super) fn carry(&mut self, root: Root, group: u32, entry: Pointer, end: Pointer) {
        let mut sources = BTreeSet::new();
        entry.roots(&mut sources);
        end.roots(&mut sources);
        sources.remove(&root);
        self.get_mut(root).sources = sources;
        self.carried.insert(root, Carried { group, entry, end });
    }

    /// Forgets the loops that were run inside a round of a loop that is run again.
    pub(super) fn drop_groups_after(&mut self, group: u32) {
        self.carried.retain(|_, carried| carried.group <= group);
    }

    /// Finds the pairs of carried pointers that stay distinct.
    pub(super) fn settle(&mut self) {
        let mut roots: Vec<Root> = self.carried.keys().copied().collect();
        roots.sort_unstable();
        let mut pairs: Vec<(Root, Root)> = Vec::new();
        for (position, &a) in roots.iter().enumerate() {
            for &b in &roots[position + 1..] {
                if self.carried[&a].group == self.carried[&b].group {
                    pairs.push((a, b));
                }
            }
        }
        self.known_relations.borrow_mut().clear();
        if pairs.len() > MAX_PAIRS {
            self.overlapping.extend(pairs);
            return;
        }
        loop {
            self.known_relations.borrow_mut().forget_pairs();
            let before = self.overlapping.len();
            for &(a, b) in &pairs {
                if self.overlapping.contains(&(a, b)) {
                    continue;
                }
                let (x, y) = (&self.carried[&a], &self.carried[&b]);
                if self.pointers(&x.entry, &y.entry) != Relation::Distinct
                    || self.pointers(&x.end, &y.end) != Relation::Distinct
                {
                    self.overlapping.insert((a, b));
                }
            }
            if self.overlapping.len() == before {
                return;
            }
        }
    }

    /// Whether host code shows where a pointer comes from: memory that it made, a variable of its own, or the parameter of a
    /// function that is not called in ways that were not followed. What a member or a variable of the program holds that other
    /// code set, and what code gives that is not followed, is not shown.
    pub(super) fn is_shown(&self, pointer: &Pointer, wanted: &BTreeSet<Range>) -> bool {
        match pointer {
            Pointer::Null => true,
            Pointer::Select(_, then, els) => {
                self.is_shown(then, wanted) && self.is_shown(els, wanted)
            }
            Pointer::Element(items, _) => items.iter().all(|item| self.is_shown(item, wanted)),
            Pointer::At(place, _) => self.shows(place.root, wanted, &mut BTreeSet::new()),
            Pointer::OneOf(_) => false,
        }
    }

    fn shows(&self, root: Root, wanted: &BTreeSet<Range>, seen: &mut BTreeSet<Root>) -> bool {
        let object = self.get(root);
        match &object.kind {
            Kind::Fresh => object.is_new,
            Kind::Variable => object.on_device || object.is_local || object.is_global,
            Kind::Pointee(place, version) => {
                *version == Version(0)
                    && place.path.is_empty()
                    && self
                        .get(place.root)
                        .parameter_of
                        .is_some_and(|function| !wanted.contains(&function))
            }
            // What it held before the loop, and what an iteration makes it.
            Kind::Carried => {
                !seen.insert(root)
                    || object
                        .sources
                        .iter()
                        .all(|one| self.shows(*one, wanted, seen))
            }
            Kind::World | Kind::Anything | Kind::Result(_) => false,
        }
    }

    /// How what two pointers point to lies.
    pub(super) fn pointers(&self, left: &Pointer, right: &Pointer) -> Relation {
        self.under(left, right, &mut Vec::new(), 0)
    }

    fn under(
        &self,
        left: &Pointer,
        right: &Pointer,
        conditions: &mut Vec<(Term, bool)>,
        depth: u32,
    ) -> Relation {
        if depth > 12 {
            return self.roots_of(left, right);
        }
        match (left, right) {
            (Pointer::Null, _) | (_, Pointer::Null) => Relation::Distinct,
            (Pointer::Select(cond, then, els), other)
            | (other, Pointer::Select(cond, then, els)) => {
                let known = conditions.iter().find(|(known, _)| known == cond);
                match known {
                    Some((_, true)) => self.under(then, other, conditions, depth + 1),
                    Some((_, false)) => self.under(els, other, conditions, depth + 1),
                    None => {
                        let mut arm = |holds: bool, arm: &Pointer| {
                            conditions.push((cond.clone(), holds));
                            let relation = self.under(arm, other, conditions, depth + 1);
                            conditions.pop();
                            relation
                        };
                        let (a, b) = (arm(true, then), arm(false, els));
                        if a == b { a } else { Relation::May }
                    }
                }
            }
            (Pointer::Element(items, index), Pointer::Element(others, other))
                if items == others && (index == other || differ(index, other)) =>
            {
                if index == other {
                    return Relation::Same;
                }
                for (position, a) in items.iter().enumerate() {
                    for b in &items[position + 1..] {
                        if self.under(a, b, conditions, depth + 1) != Relation::Distinct {
                            return Relation::May;
                        }
                    }
                }
                Relation::Distinct
            }
            (Pointer::Element(items, _), other) | (other, Pointer::Element(items, _)) => {
                let distinct = items.iter().all(|item| {
                    self.under(item, other, conditions, depth + 1) == Relation::Distinct
                });
                if distinct {
                    Relation::Distinct
                } else {
                    Relation::May
                }
            }
            (Pointer::At(a, _), Pointer::At(b, _)) => self.places(a, b),
            _ => self.roots_of(left, right),
        }
    }

    fn roots_of(&self, left: &Pointer, right: &Pointer) -> Relation {
        // Of an unknown origin.
        let lost = |pointer: &Pointer| matches!(pointer, Pointer::OneOf(roots) if roots.is_empty());
        if lost(left) || lost(right) {
            return Relation::May;
        }
        let (mut a, mut b) = (BTreeSet::new(), BTreeSet::new());
        left.roots(&mut a);
        right.roots(&mut b);
        let distinct = a
            .iter()
            .all(|x| b.iter().all(|y| self.roots(*x, *y) == Relation::Distinct));
        if distinct {
            Relation::Distinct
        } else {
            Relation::May
        }
    }

    pub(super) fn places(&self, left: &Place, right: &Place) -> Relation {
        if left.root == right.root {
            return paths(&left.path, &right.path);
        }
        match self.roots(left.root, right.root) {
            // One object under two names.
            Relation::Same => paths(&left.path, &right.path),
            other => other,
        }
    }

    /// How two objects lie.
    pub(super) fn roots(&self, left: Root, right: Root) -> Relation {
        self.roots_at(left, right, 0)
    }

    fn roots_at(&self, left: Root, right: Root, depth: u32) -> Relation {
        if left == right {
            return Relation::Same;
        }
        if let (Some(a), Some(b)) = (self.carried.get(&left), self.carried.get(&right))
            && a.group == b.group
        {
            let pair = (left.min(right), left.max(right));
            return if self.overlapping.contains(&pair) {
                Relation::May
            } else {
                Relation::Distinct
            };
        }
        // A list that is walked along: `p = p->next`.
        if depth > 4 {
            return Relation::May;
        }
        self.origins(&self.origin_of(left), &self.origin_of(right), depth)
    }

    /// How what two pointers point to lies, by where they come from.
    fn origins(&self, left: &Origin, right: &Origin, depth: u32) -> Relation {
        if *left == Origin::Lost || *right == Origin::Lost {
            return Relation::May;
        }
        if left == right {
            return Relation::Same;
        }
        match (left, right) {
            (Origin::Object(a), Origin::Object(b)) if self.in_one_loop(*a, *b) => {
                return self.roots_at(*a, *b, depth);
            }
            (Origin::Found(..), Origin::Found(..)) => {}
            _ => return self.apart(left, right),
        }
        let key = (left.clone(), right.clone());
        {
            let relations = self.known_relations.borrow();
            if let Some(known) = relations.pairs.get(&key) {
                return *known;
            }
            if relations.active.contains(&key) {
                return Relation::Distinct;
            }
            if relations.active.len() > MAX_CHANGES {
                return Relation::May;
            }
        }
        let start = {
            let mut relations = self.known_relations.borrow_mut();
            relations.active.push(key.clone());
            relations.provisional.len()
        };
        let apart = match (left, right) {
            (Origin::Found(a, version), Origin::Found(b, other)) if version == other => {
                self.found_apart(a, b, *version, depth)
            }
            (Origin::Found(_, older), Origin::Found(place, newer)) if older < newer => {
                self.was_apart(place, *newer, left, depth)
            }
            (Origin::Found(place, newer), older) => self.was_apart(place, *newer, older, depth),
            _ => false,
        };
        let relation = if apart {
            Relation::Distinct
        } else {
            Relation::May
        };
        let mut relations = self.known_relations.borrow_mut();
        relations.active.pop();
        if relation == Relation::Distinct {
            relations.provisional.push(key.clone());
        } else {
            // What was distinct because this pair was taken for distinct.
            for pair in relations.provisional.split_off(start) {
                relations.pairs.remove(&pair);
            }
        }
        if relations.active.is_empty() {
            relations.provisional.clear();
        }
        relations.pairs.insert(key, relation);
        relation
    }

    /// Whether a place of a version holds a pointer to another object than an older one.
    fn was_apart(&self, place: &Place, version: Version, older: &Origin, depth: u32) -> bool {
        let change = self.change(version);
        let before: Option<Vec<Vec<Origin>>> = change
            .before
            .iter()
            .map(|snapshot| self.before(snapshot, place))
            .collect();
        let newer = Origin::Found(place.clone(), version);
        match before {
            Some(before) if !before.is_empty() => {
                before
                    .iter()
                    .flatten()
                    .all(|held| self.origins(held, older, depth) == Relation::Distinct)
                    && change.sources.iter().all(|source| {
                        self.apart(&self.origin_of(*source), older) == Relation::Distinct
                    })
            }
            _ => self.apart(&newer, older) == Relation::Distinct,
        }
    }

    /// Whether two places of one version hold pointers to different objects.
    fn found_apart(&self, left: &Place, right: &Place, version: Version, depth: u32) -> bool {
        let places = if left.root == right.root {
            paths(&left.path, &right.path)
        } else {
            self.roots_at(left.root, right.root, depth + 1)
        };
        if places != Relation::Distinct {
            return false;
        }
        if version == Version(0)
            && let (Some(a), Some(b)) = (self.lasting(left), self.lasting(right))
            && self.meetings.meet(&a, &b)
        {
            return false;
        }
        if self.is_copied_at(version, &left.path) && self.is_copied_at(version, &right.path) {
            return false;
        }
        let before = &self.change(version).before;
        let mut compared = before.is_empty();
        for snapshot in before {
            let (Some(a), Some(b)) = (self.before(snapshot, left), self.before(snapshot, right))
            else {
                continue;
            };
            compared = true;
            let apart = a.iter().all(|x| {
                b.iter()
                    .all(|y| self.origins(x, y, depth) == Relation::Distinct)
            });
            if !apart {
                return false;
            }
        }
        // They came to the version at different times.
        compared
            || self.apart(
                &Origin::Found(left.clone(), version),
                &Origin::Found(right.clone(), version),
            ) == Relation::Distinct
    }

    /// More was found out of what places hold at first.
    pub(super) fn forget_relations(&mut self) {
        self.known_relations = RefCell::default();
    }

    fn in_one_loop(&self, left: Root, right: Root) -> bool {
        match (self.carried.get(&left), self.carried.get(&right)) {
            (Some(a), Some(b)) => a.group == b.group,
            _ => false,
        }
    }

    /// Whether two pointers come from nothing in common.
    fn apart(&self, left: &Origin, right: &Origin) -> Relation {
        match (self.ancestors(left), self.ancestors(right)) {
            (Some(a), Some(b)) if a.is_disjoint(&b) => Relation::Distinct,
            _ => Relation::May,
        }
    }

    /// The version of the place in which an object was found: it may be another one that took part in the change.
    pub(super) fn found_at(&self, root: Root) -> Option<Version> {
        match &self.get(root).kind {
            Kind::Pointee(_, version) => Some(*version),
            _ => None,
        }
    }

    /// All that a pointer may be or come from; `None` when it may be anything.
    fn ancestors(&self, origin: &Origin) -> Ancestors {
        if let Some(known) = self.known_relations.borrow().ancestors.get(origin) {
            return known.clone();
        }
        let found = self.gather(origin);
        let mut relations = self.known_relations.borrow_mut();
        relations.ancestors.insert(origin.clone(), found.clone());
        found
    }

    fn gather(&self, origin: &Origin) -> Ancestors {
        let mut found = BTreeSet::new();
        let mut places: FxHashSet<(Place, Version)> = FxHashSet::default();
        // Many places share few versions.
        let mut versions: FxHashSet<Version> = FxHashSet::default();
        let mut work = vec![origin.clone()];
        let relations = self.known_relations.borrow();
        while let Some(next) = work.pop() {
            if let Some(known) = relations.ancestors.get(&next) {
                found.extend(known.as_ref()?.iter());
                continue;
            }
            match next {
                Origin::Lost => return None,
                Origin::Object(root) => {
                    if found.insert(root) {
                        let sources = self.get(root).sources.iter();
                        work.extend(sources.map(|source| self.origin_of(*source)));
                    }
                }
                Origin::Found(place, version) => {
                    if !places.insert((place.clone(), version)) {
                        continue;
                    }
                    if places.len() > MAX_PLACES {
                        return None;
                    }
                    work.push(self.origin_of(place.root));
                    let change = self.change(version);
                    if versions.insert(version) {
                        let sources = change.sources.iter();
                        work.extend(sources.map(|source| self.origin_of(*source)));
                    }
                    for snapshot in &change.before {
                        work.extend(self.before(snapshot, &place).into_iter().flatten());
                    }
                }
            }
        }
        Some(Rc::new(found))
    }
}

/// The names of the members on a path.
fn member_names(path: &[Step]) -> Vec<String> {
    let names = path.iter().filter_map(|step| match step {
        Step::Field(name) => Some(name.clone()),
        Step::At(_) => None,
    });
    names.collect()
}
