//! What places held before a change that could not be followed.
//!
//! Code that is not followed need not change what it got. So two places of one version hold
//! different pointers only if they did before the change that gave the version, and what a place
//! of a version holds may be what it held before. A version keeps what its objects held then: one
//! [`Snapshot`] for each way to come to it (one for a call, two where branches meet, the entry and the ends of
//! the rounds for a loop).
//!
//! **Accuracy.** The questions are answered when all code was run, from place to place and back
//! through the versions. A pair of places that leads back to itself round a loop is distinct unless
//! something else makes it meet: aliases have a first time.

use std::collections::BTreeSet;

use super::alias::{Kind, Objects};
use super::value::*;

/// Earlier names of an object that are looked at; with more, nothing is known of it.
const MAX_NAMES: usize = 48;

/// Where a pointer comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Origin {
    Object(Root),
    /// What was found in a place.
    Found(Place, Version),
    /// Nothing is known of it.
    Lost,
}

/// What a place was known to hold.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// What another place held at first.
    Copy(Place, Version),
    Origins(Vec<Origin>),
    /// An integer; as a pointer it may be anything.
    Number,
}

/// A part of an object, and what it held.
pub(super) type Part = (Vec<Step>, Held);

/// What the parts of an object held, by their paths.
pub(super) type Contents = Vec<Part>;

/// What objects held at a point of the host code.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// By object. There may be thousands, of which few hold anything, in each of thousands of snapshots.
    objects: Vec<Remembered>,
    /// The version of all else that is no variable, if that is part of it.
    heap: Option<Version>,
}

/// What one object held; nothing where it is not known to have held anything.
#[derive(Clone, Debug)]
struct Remembered {
    root: Root,
    version: Version,
    contents: Option<Box<Contents>>,
}

impl Snapshot {
    /// Of objects in the order of their numbers.
    pub(super) fn new(
        heap: Option<Version>,
        objects: impl Iterator<Item = (Root, Version, Contents)>,
    ) -> Self {
        let objects = objects.map(|(root, version, contents)| Remembered {
            root,
            version,
            contents: (!contents.is_empty()).then(|| Box::new(contents)),
        });
        Snapshot {
            objects: objects.collect(),
            heap,
        }
    }

    fn get(&self, root: Root) -> Option<(Version, &[Part])> {
        let found = self
            .objects
            .binary_search_by_key(&root, |object| object.root);
        let object = &self.objects[found.ok()?];
        let contents = object.contents.as_deref().map_or(&[][..], Vec::as_slice);
        Some((object.version, contents))
    }

    /// Whether it has all of these.
    pub(super) fn has(&self, roots: &BTreeSet<Root>, heap: bool) -> bool {
        (!heap || self.heap.is_some()) && roots.iter().all(|root| self.contains(*root))
    }

    pub(super) fn contains(&self, root: Root) -> bool {
        self.get(root).is_some()
    }

    /// What a place held; `None` when its object is not part of it.
    pub(super) fn held(&self, place: &Place) -> Option<Vec<Origin>> {
        let (version, entries) = self.get(place.root)?;
        let mut found: Vec<Origin> = Vec::new();
        // The entry that tells most of the place.
        let mut best: Option<(&[Step], &Held)> = None;
        for (path, held) in entries {
            let rest = place.path.strip_prefix(path.as_slice());
            if rest.is_some_and(|rest| matches!(rest.first(), None | Some(Step::Field(_)))) {
                if best.is_none_or(|(old, _)| old.len() < path.len()) {
                    best = Some((path, held));
                }
            } else if paths(path, &place.path) != Relation::Distinct {
                held.origins(&mut found);
            }
        }
        match best {
            Some((path, Held::Copy(from, version))) => {
                let mut from = from.clone();
                for step in &place.path[path.len()..] {
                    from = match step {
                        Step::Field(field) => from.field(field),
                        Step::At(bytes) => from.at(bytes),
                    };
                }
                found.push(Origin::Found(from, *version));
            }
            Some((_, Held::Number)) => found.push(Origin::Lost),
            Some((_, held)) => held.origins(&mut found),
            None => found.push(Origin::Found(place.clone(), version)),
        }
        Some(found)
    }

    /// What any place of an object held.
    fn anything(&self, root: Root, into: &mut Vec<Origin>) {
        if let Some((version, entries)) = self.get(root) {
            into.push(Origin::Found(Place::of(root), version));
            for (_, held) in entries {
                held.origins(into);
            }
        }
    }
}

impl Held {
    fn origins(&self, into: &mut Vec<Origin>) {
        match self {
            Held::Copy(from, version) => into.push(Origin::Found(from.clone(), *version)),
            Held::Origins(origins) => into.extend(origins.iter().cloned()),
            Held::Number => {}
        }
    }
}

impl Objects {
    /// What a place held before a change; `None` when that is not known of its object.
    pub(super) fn before(&self, snapshot: &Snapshot, place: &Place) -> Option<Vec<Origin>> {
        if let Some(found) = snapshot.held(place) {
            return Some(found);
        }
        let heap = snapshot.heap?;
        let Origin::Found(home, version) = self.origin_of(place.root) else {
            return (self.get(place.root).kind != Kind::Variable)
                .then(|| vec![Origin::Found(place.clone(), heap)]);
        };
        // The object may have been written under the name that it had when the pointer to it had not changed: `b->out` after
        // `b->out = q; change(&b);`.
        let mut found = Vec::new();
        let mut seen = vec![(home.clone(), version)];
        let mut at = 0;
        let mut exactly = true;
        while let Some((from, version)) = seen.get(at).cloned() {
            at += 1;
            if at > MAX_NAMES {
                return Some(vec![Origin::Lost]);
            }
            for earlier in self.snapshots(version) {
                for origin in earlier.held(&from).into_iter().flatten() {
                    match origin {
                        Origin::Lost => return Some(vec![Origin::Lost]),
                        Origin::Object(root) => {
                            exactly = false;
                            snapshot.anything(root, &mut found);
                        }
                        Origin::Found(place_before, version) => {
                            let kind = Kind::Pointee(place_before.clone(), version);
                            let named = self.interned_as(&kind);
                            match named.filter(|root| snapshot.contains(*root)) {
                                Some(root) if place_before == home => {
                                    let path = place.path.clone();
                                    let named = Place { root, path };
                                    found.extend(snapshot.held(&named).into_iter().flatten());
                                }
                                Some(root) => {
                                    exactly = false;
                                    snapshot.anything(root, &mut found);
                                }
                                None if seen.contains(&(place_before.clone(), version)) => {}
                                None => seen.push((place_before, version)),
                            }
                        }
                    }
                }
            }
        }
        if found.is_empty() || !exactly {
            found.push(Origin::Found(place.clone(), heap));
        }
        Some(found)
    }
}

/// How a value is kept.
pub(super) fn held(value: &Value<'_>, objects: &Objects) -> Held {
    let mut origins = Vec::new();
    match value {
        Value::Initial(place, version) => return Held::Copy(place.clone(), *version),
        Value::Scalar(term) if term.as_constant() != Some(0) => return Held::Number,
        value => gather(value, objects, &mut origins),
    }
    Held::Origins(origins)
}

fn gather(value: &Value<'_>, objects: &Objects, into: &mut Vec<Origin>) {
    match value {
        Value::Pointer(pointer, _) => of_pointer(pointer, objects, into),
        Value::Unknown(roots) if roots.is_empty() => into.push(Origin::Lost),
        Value::Unknown(roots) => into.extend(roots.iter().map(|root| objects.origin_of(*root))),
        Value::Initial(place, version) => into.push(Origin::Found(place.clone(), *version)),
        Value::Tree(parts, base) => {
            for (_, value) in parts.iter() {
                gather(value, objects, into);
            }
            if let Some((place, version)) = base {
                into.push(Origin::Found(place.clone(), *version));
            }
        }
        Value::Scalar(_)
        | Value::Ratio(..)
        | Value::Kernels(_)
        | Value::Function(_)
        | Value::Closure(_) => {}
    }
}

fn of_pointer(pointer: &Pointer, objects: &Objects, into: &mut Vec<Origin>) {
    match pointer {
        Pointer::Null => {}
        Pointer::At(place, _) => into.push(objects.origin_of(place.root)),
        Pointer::OneOf(roots) if roots.is_empty() => into.push(Origin::Lost),
        Pointer::OneOf(roots) => into.extend(roots.iter().map(|root| objects.origin_of(*root))),
        Pointer::Select(_, then, els) => {
            of_pointer(then, objects, into);
            of_pointer(els, objects, into);
        }
        Pointer::Element(items, _) => items
            .iter()
            .for_each(|item| of_pointer(item, objects, into)),
    }
}
