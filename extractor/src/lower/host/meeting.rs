//! Members of one object, and variables of the program, that some function sets to one pointer: `C(int *p) : x(p), y(p) {}`.
//!
//! A function that is run by itself finds pointers to different objects in the members of its object and in global variables. That
//! would be wrong where another function of the unit makes two of them equal, whenever that was called.
//!
//! **Algorithm.** What a function does to these places is kept when it was run by itself: each is given what another held, or some
//! pointer. Functions that launch nothing are run for this only. A pair of places meets if one function gives both the same pointer, or
//! what two places held that meet. Pointers that lie in one allocation, apart from each other, do not meet.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::alias::Kind;
use super::term::Term;
use super::value::*;
use super::{Host, runs_on_host};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// Most places that are spoken of, and changes of one function; what is beyond is not looked at.
const MAX_PLACES: usize = 64;

/// Whose part a place is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Owner {
    /// Any object of the class.
    Class(String),
    Global(Root),
}

/// A place that outlives the functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lasting {
    owner: Owner,
    path: Vec<Step>,
}

/// What a function leaves in a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Given {
    /// What a place held when the function began.
    Held(Lasting),
    /// A pointer some bytes into an object.
    Pointer(Place, Term),
}

/// What is known of places that functions run by themselves begin with.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// The classes of the objects whose methods were run.
    classes: FxHashMap<Root, String>,
    /// What the running function stored in variables of the program, which code that is not followed may write too, so that nothing
    /// is known of them at its end.
    stored: Vec<(Lasting, Given)>,
    /// What functions leave where they do not leave all as it was.
    effects: Vec<Vec<(Lasting, Given)>>,
    /// Pairs that may hold one pointer, both ways round.
    pairs: FxHashSet<(Lasting, Lasting)>,
}

impl Meetings {
    /// A method is run for some object of a class.
    pub(super) fn object_of(&mut self, this: Root, class: &str) {
        self.classes.insert(this, class.to_owned());
    }

    /// Another function is run by itself.
    pub(super) fn begin(&mut self) {
        self.stored.clear();
    }

    fn note(&mut self, effect: Vec<(Lasting, Given)>) {
        if !self.effects.contains(&effect) {
            self.effects.push(effect);
        }
    }

    /// Whether two places, as they were when a function began, may hold one pointer.
    pub(super) fn meet(&self, left: &Lasting, right: &Lasting) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        // Objects that were copied whole: their parts meet, each with the one of its name.
        let shorter = |one: &Lasting, by: usize| {
            let kept = one.path.len().checked_sub(by)?;
            let (path, rest) = one.path.split_at(kept);
            let place = Lasting {
                owner: one.owner.clone(),
                path: path.to_vec(),
            };
            Some((place, rest.to_vec()))
        };
        let longest = left.path.len().min(right.path.len());
        (0..=longest).any(|by| match (shorter(left, by), shorter(right, by)) {
            (Some((a, rest)), Some((b, other))) => rest == other && self.pairs.contains(&(a, b)),
            _ => false,
        })
    }

    /// Finds the pairs, when all functions were run.
    fn close(&mut self) {
        let mut known: Vec<Lasting> = Vec::new();
        for (place, given) in self.effects.iter().flatten() {
            let held = match given {
                Given::Held(held) => Some(held),
                Given::Pointer(..) => None,
            };
            for one in [Some(place), held].into_iter().flatten() {
                if !known.contains(one) && known.len() < MAX_PLACES {
                    known.push(one.clone());
                }
            }
        }
        loop {
            let mut new = Vec::new();
            for effect in &self.effects {
                let mut given: BTreeMap<usize, Vec<&Given>> = BTreeMap::new();
                for (place, value) in effect {
                    if let Some(position) = known.iter().position(|one| one == place) {
                        given.entry(position).or_default().push(value);
                    }
                }
                for (&position, first) in &given {
                    for (other, place) in known.iter().enumerate() {
                        let kept = Given::Held(place.clone());
                        let second = given.get(&other).cloned().unwrap_or_else(|| vec![&kept]);
                        let meets = |a: &Given, b: &Given| {
                            a == b
                                || matches!((a, b), (Given::Held(a), Given::Held(b))
                                    if self.pairs.contains(&(a.clone(), b.clone())))
                        };
                        let meets = first.iter().any(|a| second.iter().any(|b| meets(a, b)));
                        let pair = (known[position].clone(), place.clone());
                        if other != position && meets && !self.pairs.contains(&pair) {
                            new.push((pair.1.clone(), pair.0.clone()));
                            new.push(pair);
                        }
                    }
                }
            }
            if new.is_empty() {
                return;
            }
            self.pairs.extend(new);
        }
    }
}

impl<'u> Host<'_, 'u> {
    /// A variable of the program is set.
    pub(super) fn note_stored(&mut self, place: &Place, value: &Value<'u>) {
        let given = match value {
            Value::Initial(held, _) => self.given_of(held),
            Value::Pointer(Pointer::At(to, offset), _) => match &self.objects.get(to.root).kind {
                Kind::Pointee(home, _) if to.path.is_empty() && offset.as_constant() == Some(0) => {
                    self.given_of(home)
                }
                _ => Some(Given::Pointer(to.clone(), offset.clone())),
            },
            _ => None,
        };
        if let (Some(lasting), Some(given)) = (self.objects.lasting(place), given)
            && given != Given::Held(lasting.clone())
        {
            self.objects.meetings.stored.push((lasting, given));
        }
    }

    /// A function that was run by itself is through, or leaves in one of several ways.
    pub(super) fn note_meetings(&mut self) {
        let states: Vec<State<'u>> = {
            let returned = self.frames.last().map(|frame| frame.returns.clone());
            let returned = returned.unwrap_or_default();
            returned.into_iter().chain(self.state.clone()).collect()
        };
        let stored = std::mem::take(&mut self.objects.meetings.stored);
        if !stored.is_empty() && stored.len() <= MAX_PLACES {
            self.objects.meetings.note(stored);
        }
        for state in states {
            let mut effect = Vec::new();
            let roots: Vec<Root> = state.store.keys().copied().collect();
            for root in roots {
                let Some(owner) = self.owner_of(root) else {
                    continue;
                };
                for (path, value) in state.entries(root) {
                    self.gather_given(&owner, path.clone(), value, &mut effect);
                }
            }
            if !effect.is_empty() && effect.len() <= MAX_PLACES {
                self.objects.meetings.note(effect);
            }
        }
    }

    fn gather_given(
        &self,
        owner: &Owner,
        path: Vec<Step>,
        value: &Value<'u>,
        into: &mut Vec<(Lasting, Given)>,
    ) {
        let given = match value {
            Value::Tree(parts, _) => {
                for (rest, value) in parts.iter() {
                    let path = path.iter().chain(rest).cloned().collect();
                    self.gather_given(owner, path, value, into);
                }
                return;
            }
            Value::Initial(place, Version(0)) => self.given_of(place),
            Value::Pointer(Pointer::At(place, offset), _) => {
                let found = match &self.objects.get(place.root).kind {
                    Kind::Pointee(home, Version(0))
                        if place.path.is_empty() && offset.as_constant() == Some(0) =>
                    {
                        self.given_of(home)
                    }
                    _ => None,
                };
                found.or_else(|| Some(Given::Pointer(place.clone(), offset.clone())))
            }
            _ => None,
        };
        let place = Lasting {
            owner: owner.clone(),
            path,
        };
        if let Some(given) = given
            && given != Given::Held(place.clone())
        {
            into.push((place, given));
        }
    }

    /// What a place held at first: of one that lasts, or a parameter's.
    fn given_of(&self, place: &Place) -> Option<Given> {
        Some(match self.objects.lasting(place) {
            Some(lasting) => Given::Held(lasting),
            None => Given::Pointer(place.clone(), Term::bytes(0)),
        })
    }

    fn owner_of(&self, root: Root) -> Option<Owner> {
        self.objects
            .lasting(&Place::of(root))
            .map(|lasting| lasting.owner)
    }

    /// Runs the functions that may make places meet and were not run by themselves: those of the classes whose methods were, and
    /// those that name a variable of the program. What they launch they launch elsewhere.
    pub(super) fn find_meetings(&mut self, most_steps: u32) {
        let unit = self.index.unit;
        let classes: BTreeSet<String> = self.objects.meetings.classes.values().cloned().collect();
        let globals: BTreeSet<&str> = unit
            .globals
            .iter()
            .filter(|global| may_hold_pointers(&global.ty) && !global.ty.is_const)
            .map(|global| super::inherit::last(&global.name))
            .collect();
        for function in &unit.functions {
            if self.steps > most_steps {
                break;
            }
            if function.body.is_none()
                || !runs_on_host(function)
                || function.template.is_some()
                || self.entered.contains(&function.range)
            {
                continue;
            }
            let owner = function.owner.as_deref().map(super::inherit::last);
            let is_of_class = owner.is_some_and(|owner| classes.contains(owner));
            let names_global = || {
                let text = self.text.get(function.range.bytes()).unwrap_or("");
                let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                !globals.is_empty() && words.any(|word| globals.contains(word))
            };
            if !is_of_class && !names_global() {
                continue;
            }
            let kept = (
                self.found.len(),
                self.arbitrary.clone(),
                self.as_values.clone(),
                self.wanted.clone(),
                self.shared.clone(),
                (self.shares_all, self.launches_unknown),
            );
            self.mentioned.clear();
            self.enter(function, None, None, None);
            self.found.truncate(kept.0);
            self.arbitrary = kept.1;
            self.as_values = kept.2;
            self.wanted = kept.3;
            self.mentioned.clear();
            self.shared = kept.4;
            (self.shares_all, self.launches_unknown) = kept.5;
        }
        self.objects.meetings.close();
        self.objects.forget_relations();
    }
}

/// Whether a variable of a type may hold a pointer.
fn may_hold_pointers(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Scalar(_) => false,
        TypeKind::Array(element, _) => may_hold_pointers(element),
        _ => true,
    }
}

impl super::alias::Objects {
    /// A place that outlives the functions.
    pub(super) fn lasting(&self, place: &Place) -> Option<Lasting> {
        let object = self.get(place.root);
        let class = match (self.meetings.classes.get(&place.root), &object.ty) {
            (Some(class), _) => Some(class.as_str()),
            (None, Ty::Struct(class)) => Some(class.name.as_str()),
            (None, Ty::Opaque { name, .. }) => Some(name.as_str()),
            _ => None,
        };
        let owner = match class.map(super::inherit::last) {
            Some(class) if !class.is_empty() && object.kind == Kind::Variable => {
                Owner::Class(class.to_owned())
            }
            _ => (object.is_global && !object.is_const).then_some(Owner::Global(place.root))?,
        };
        Some(Lasting {
            owner,
            path: place.path.clone(),
        })
    }
}
