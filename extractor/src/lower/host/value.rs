//! Host memory: what variables, members and elements hold at a point of the host code.
//!
//! A store maps places to values. A place that nobody wrote holds what it held at first
//! ([`Value::Initial`]); a pointer found there points to an object named by the place. Two such
//! objects of one version are the same exactly when their places are: distinct variables and
//! members do not alias, which is a stated assumption. A change that cannot be followed gives the
//! places that it may reach a new version, whose objects may be any of those that took part.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::passed_closures::Constants;
use super::term::{self, Term};
use crate::lower::types::{Ty, TypeScope};
use crate::syntax::ast::*;

/// An object: an index into [`super::alias::Objects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Root(pub u32);

/// When a place was last changed in a way that cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Version(pub u32);

/// A step from an object to a part of it. Offsets of 0 are left out, and no two follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Field(String),
    /// Bytes further.
    At(Term),
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub root: Root,
    pub path: Vec<Step>,
}

impl Place {
    pub(super) fn of(root: Root) -> Place {
        Place {
            root,
            path: Vec::new(),
        }
    }

    pub(super) fn field(&self, name: &str) -> Place {
        let mut place = self.clone();
        place.path.push(Step::Field(name.to_owned()));
        place
    }

    pub(super) fn at(&self, bytes: &Term) -> Place {
        let mut place = self.clone();
        let sum = match place.path.last() {
            Some(Step::At(old)) => {
                let sum = term::binary(BinaryOp::Add, old.clone(), bytes.clone());
                place.path.pop();
                sum
            }
            _ => bytes.clone(),
        };
        if sum.as_constant() != Some(0) {
            place.path.push(Step::At(sum));
        }
        place
    }
}

/// How two places or objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Distinct,
    /// The same, overlapping, or not: it is not known.
    May,
}

/// How two paths from the same object lie; one that is part of the other may be the same.
pub(super) fn paths(left: &[Step], right: &[Step]) -> Relation {
    let zero = Term::bytes(0);
    let (mut left, mut right) = (left, right);
    let mut certain = true;
    loop {
        let offset = |path: &mut &[Step]| match path.split_first() {
            Some((Step::At(bytes), rest)) => {
                *path = rest;
                bytes.clone()
            }
            _ => zero.clone(),
        };
        let (a, b) = (offset(&mut left), offset(&mut right));
        if a != b {
            if term::differ(&a, &b) {
                return Relation::Distinct;
            }
            certain = false;
        }
        match (left.split_first(), right.split_first()) {
            (None, None) if certain => return Relation::Same,
            (Some((Step::Field(a), left_rest)), Some((Step::Field(b), right_rest))) => {
                if a != b {
                    return Relation::Distinct;
                }
                (left, right) = (left_rest, right_rest);
            }
            _ => return Relation::May,
        }
    }
}

/// A pointer value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pointer {
    Null,
    /// Some bytes behind a place.
    At(Place, Term),
    /// Somewhere in one of these objects.
    OneOf(Rc<BTreeSet<Root>>),
    Select(Term, Rc<Pointer>, Rc<Pointer>),
    /// One of several by its position.
    Element(Rc<Vec<Pointer>>, Term),
}

impl Pointer {
    /// The objects it may point into.
    pub(super) fn roots(&self, into: &mut BTreeSet<Root>) {
        match self {
            Pointer::Null => {}
            Pointer::At(place, _) => {
                into.insert(place.root);
            }
            Pointer::OneOf(roots) => into.extend(roots.iter()),
            Pointer::Select(_, then, els) => {
                then.roots(into);
                els.roots(into);
            }
            Pointer::Element(items, _) => items.iter().for_each(|item| item.roots(into)),
        }
    }

    pub(super) fn nodes(&self) -> usize {
        match self {
            Pointer::Null | Pointer::At(..) | Pointer::OneOf(_) => 1,
            Pointer::Select(_, then, els) => 1 + then.nodes() + els.nodes(),
            Pointer::Element(items, _) => items.iter().map(Pointer::nodes).sum(),
        }
    }

    /// Calls the visitor with every offset.
    pub(super) fn offsets(&self, visit: &mut dyn FnMut(&Term)) {
        match self {
            Pointer::Null | Pointer::OneOf(_) => {}
            Pointer::At(_, offset) => visit(offset),
            Pointer::Select(_, then, els) => {
                then.offsets(visit);
                els.offsets(visit);
            }
            Pointer::Element(items, index) => {
                visit(index);
                items.iter().for_each(|item| item.offsets(visit));
            }
        }
    }

    /// The pointer some bytes further.
    pub(super) fn moved(&self, bytes: &Term) -> Pointer {
        let add = |old: &Term| term::binary(BinaryOp::Add, old.clone(), bytes.clone());
        match self {
            _ if bytes.as_constant() == Some(0) => self.clone(),
            Pointer::At(place, offset) => Pointer::At(place.clone(), add(offset)),
            Pointer::Select(cond, then, els) => Pointer::Select(
                cond.clone(),
                Rc::new(then.moved(bytes)),
                Rc::new(els.moved(bytes)),
            ),
            other => other.anywhere(),
        }
    }

    /// A pointer somewhere into the same objects.
    pub(super) fn anywhere(&self) -> Pointer {
        let mut roots = BTreeSet::new();
        self.roots(&mut roots);
        Pointer::OneOf(Rc::new(roots))
    }
}

/// A kernel with the template arguments of its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KernelUse {
    /// The functions that the name may mean, by index in the unit.
    pub kernels: Vec<usize>,
    pub template_args: Vec<TemplateArg>,
    /// More arguments are written, which are not known: they are not those that the template has by default.
    pub rest_is_open: bool,
    /// The others as they are written, if all of them are types that only an instance of a host template would tell.
    pub open: Vec<TemplateArg>,
}

/// What is one or the other of some kernels.
pub(super) fn either(one: &Rc<Vec<KernelUse>>, other: &Rc<Vec<KernelUse>>) -> Rc<Vec<KernelUse>> {
    let mut all = Vec::clone(one);
    for kernel in other.iter() {
        if !all.contains(kernel) {
            all.push(kernel.clone());
        }
    }
    Rc::new(all)
}

/// A lambda with the names that it sees.
#[derive(Clone, Debug)]
pub(super) struct Closure<'u> {
    pub lambda: &'u Lambda,
    pub scopes: Vec<BTreeMap<&'u str, Root>>,
    pub this: Option<Place>,
    /// What names of types mean where it stands, and template parameters that are numbers.
    pub types: TypeScope,
    pub values: Constants,
}

impl PartialEq for Closure<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.lambda, other.lambda) && self.scopes == other.scopes
    }
}

/// The type of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    /// `float`: of integers up to 2²⁴ alone the quotient rounds as the exact one does.
    Single,
    Double,
}

impl Precision {
    /// That of the result of an operator.
    pub(super) fn common(self, other: Precision) -> Precision {
        match (self, other) {
            (Precision::Single, Precision::Single) => Precision::Single,
            _ => Precision::Double,
        }
    }
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'u> {
    Scalar(Term),
    /// A quotient of integers, as `(double)n / 256` is: what it rounds to up or down is what the exact one rounds to.
    Ratio(Term, Term, Precision),
    /// A pointer with what it points to.
    Pointer(Pointer, Ty),
    Kernels(Rc<Vec<KernelUse>>),
    Closure(Rc<Closure<'u>>),
    /// A function of the unit that was passed to another one.
    Function(&'u Name),
    /// A class or array: parts that are known, by their paths; the others are as at first in a
    /// place, where there is one.
    Tree(Rc<Vec<(Vec<Step>, Value<'u>)>>, Option<(Place, Version)>),
    /// What a place held at first.
    Initial(Place, Version),
    /// Not known; a pointer made of it points into one of the objects.
    Unknown(Rc<BTreeSet<Root>>),
}

impl Value<'_> {
    pub(super) fn unknown() -> Self {
        Value::Unknown(Rc::default())
    }
}

type Entries<'u> = Rc<Vec<(Vec<Step>, Value<'u>)>>;

/// What is in memory at a point of the host code, and how the point was reached.
#[derive(Clone, Debug)]
pub(super) struct State<'u> {
    pub store: Rc<BTreeMap<Root, Entries<'u>>>,
    /// Versions of objects; those without one have that of the heap or the first.
    pub versions: Rc<BTreeMap<Root, Version>>,
    /// The version of all that is no variable.
    pub heap: Version,
    /// Variables that unknown code may change.
    pub escaped: Rc<BTreeSet<Root>>,
    /// Conditions that hold, and those that do not.
    pub path: Rc<Vec<(Term, bool)>>,
}

impl<'u> State<'u> {
    pub(super) fn new() -> Self {
        State {
            store: Rc::default(),
            versions: Rc::default(),
            heap: Version(0),
            escaped: Rc::default(),
            path: Rc::default(),
        }
    }

    pub(super) fn entries(&self, root: Root) -> &[(Vec<Step>, Value<'u>)] {
        self.store.get(&root).map_or(&[], |entries| entries)
    }

    pub(super) fn set_entries(&mut self, root: Root, entries: Vec<(Vec<Step>, Value<'u>)>) {
        let store = Rc::make_mut(&mut self.store);
        if entries.is_empty() {
            store.remove(&root);
        } else {
            store.insert(root, Rc::new(entries));
        }
    }

    pub(super) fn set_version(&mut self, root: Root, version: Version) {
        Rc::make_mut(&mut self.versions).insert(root, version);
    }

    pub(super) fn escape(&mut self, root: Root) {
        if !self.escaped.contains(&root) {
            Rc::make_mut(&mut self.escaped).insert(root);
        }
    }

    pub(super) fn assume(&mut self, condition: Term, holds: bool) {
        if condition.as_constant().is_none() && self.path.len() < 64 {
            Rc::make_mut(&mut self.path).push((condition, holds));
        }
    }
}

/// Parts with those of their own parts in their place.
pub(super) fn flat<'u>(parts: &[(Vec<Step>, Value<'u>)]) -> Vec<(Vec<Step>, Value<'u>)> {
    let mut found = Vec::new();
    for (path, value) in parts {
        match value {
            Value::Tree(inner, base) => {
                if let Some((place, version)) = base {
                    found.push((path.clone(), Value::Initial(place.clone(), *version)));
                }
                for (rest, value) in flat(inner) {
                    found.push((path.iter().cloned().chain(rest).collect(), value));
                }
            }
            value => found.push((path.clone(), value.clone())),
        }
    }
    found
}
