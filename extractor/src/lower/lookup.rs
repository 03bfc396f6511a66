//! Which declarations a written path may mean, scope by scope, with what using declarations, using directives and namespace
//! aliases bring in.
//!
//! **Lookup.** A path `a::b` seen from inside `n::m` is looked for as `n::m::a::b`, `n::a::b` and `a::b`, in this order: the levels.
//! `using x::a;` in a scope puts what is called `x::a` on its level, `namespace a = x;` does so for what stands behind `a::`, and
//! `using namespace x;` puts the names of `x` on the level of the innermost namespace around both. Those in a block stand before
//! all levels, a directive excepted. In the middle of a path, what a namespace brings in belongs to it.
//!
//! **Contract.** The first level with a declaration that is seen from the place of the name decides; declarations of another kind
//! decide too, for they hide. A level may hold more than C++ finds there: what a namespace declares does not hide what its
//! directives bring in. What is then ambiguous is not resolved by those who ask.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::unit::{UnitIndex, enclosing, last_component};
use crate::syntax::ast::*;

/// The most names of a level; using declarations may bring in each other.
const MAX_NAMES: usize = 64;
/// The most namespaces whose names are looked up to look up others.
const MAX_DEPTH: usize = 6;

/// The most answers that are kept.
const MAX_KEPT: usize = 100_000;

/// What paths stand for, kept: it depends on the place of a name only by what using declarations hold there.
#[derive(Default)]
pub(super) struct Levels {
    /// Where they begin to hold, and where their blocks end, in order.
    starts: Vec<u32>,
    ends: Vec<u32>,
    known: RefCell<FxHashMap<Asked, Rc<Vec<Vec<String>>>>>,
}

/// Scope and path, what holds there, and how deep the question is.
type Asked = (String, (usize, usize), usize);

impl Levels {
    pub(super) fn new(unit: &Unit) -> Levels {
        let mut starts: Vec<u32> = unit.usings.iter().map(|one| one.range.start).collect();
        let blocks = unit.usings.iter().filter_map(|one| one.block);
        let mut ends: Vec<u32> = blocks.map(|block| block.end).collect();
        starts.sort_unstable();
        ends.sort_unstable();
        Levels {
            starts,
            ends,
            known: RefCell::default(),
        }
    }

    /// Two places with one answer have the same using declarations.
    fn holding(&self, at: Range) -> (usize, usize) {
        match at == Range::default() {
            true => (usize::MAX, usize::MAX),
            false => (
                self.starts.partition_point(|start| *start < at.start),
                self.ends.partition_point(|end| *end <= at.start),
            ),
        }
    }
}

/// What is called alike, and where.
pub(crate) struct Sought<'a> {
    pub path: &'a str,
    pub scope: &'a str,
    /// Where the name is written; a name without a place sees everything, but no block.
    pub at: Range,
}

/// How far a lookup came.
pub(crate) struct Level<T> {
    pub found: Vec<T>,
    /// Whether something of another kind hides what scopes further outside have.
    pub hidden: bool,
}

impl<'u> UnitIndex<'u> {
    /// Those of the entities that a path means; see the head of the file.
    pub(crate) fn visible<T: Copy>(
        &self,
        all: &[T],
        sought: &Sought<'_>,
        means: impl Fn(T, &str) -> bool,
        is_seen: impl Fn(T) -> bool,
        hides: impl Fn(&str) -> bool,
    ) -> Level<T> {
        let mut behind = Vec::new();
        for names in self.levels(sought, 0).iter() {
            let is_meant = |entity: &T| names.iter().any(|name| means(*entity, name));
            let found: Vec<T> = all.iter().copied().filter(is_meant).collect();
            if found.iter().any(|entity| is_seen(*entity)) {
                return Level {
                    found,
                    hidden: false,
                };
            }
            if names.iter().any(|name| hides(name)) {
                return Level {
                    found: Vec::new(),
                    hidden: true,
                };
            }
            if behind.is_empty() {
                behind = found;
            }
        }
        // Where the place of a declaration is not told rightly, it is the best there is.
        Level {
            found: behind,
            hidden: false,
        }
    }

    /// The names that a path may stand for, level by level.
    fn levels(&self, sought: &Sought<'_>, depth: usize) -> Rc<Vec<Vec<String>>> {
        let Sought { path, scope, at } = *sought;
        let asked = (format!("{scope}\0{path}"), self.levels.holding(at), depth);
        if let Some(known) = self.levels.known.borrow().get(&asked) {
            return Rc::clone(known);
        }
        let levels = Rc::new(self.levels_anew(sought, depth));
        let mut known = self.levels.known.borrow_mut();
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        known.insert(asked, Rc::clone(&levels));
        levels
    }

    fn levels_anew(&self, sought: &Sought<'_>, depth: usize) -> Vec<Vec<String>> {
        let Sought { path, scope, at } = *sought;
        if let Some(path) = path.strip_prefix("::") {
            return vec![self.brought_in("", path, at, depth)];
        }
        if self.unit.usings.is_empty() {
            return around(scope)
                .map(|around| vec![join(around, path)])
                .collect();
        }
        let mut levels = Vec::new();
        let mut blocks: Vec<&'u Using> = self
            .usings_at(at)
            .filter(|one| one.block.is_some())
            .collect();
        blocks.sort_by_key(|using| std::cmp::Reverse(using.range.start));
        for using in blocks {
            if let Some((space, path)) = self.through(using, path, depth) {
                levels.push(self.brought_in(&space, &path, at, depth));
            }
        }
        let directives = self.directives(scope, at, depth);
        for around in around(scope) {
            let mut names = self.brought_in(around, path, at, depth);
            let here = directives.iter().filter(|(_, level)| level == around);
            for (space, _) in here {
                add(&mut names, self.brought_in(space, path, at, depth));
            }
            levels.push(names);
        }
        levels
    }

    /// The using declarations, directives and aliases that hold at a place.
    fn usings_at(&self, at: Range) -> impl Iterator<Item = &'u Using> {
        self.unit.usings.iter().filter(move |using| {
            let nowhere = at == Range::default();
            match using.block {
                Some(block) => !nowhere && using.range.start < at.start && at.start < block.end,
                None => nowhere || using.range.start < at.start || self.is_class(&using.scope),
            }
        })
    }

    /// The namespaces that directives bring in, seen from a scope, with the level on which their names are.
    fn directives(&self, scope: &str, at: Range, depth: usize) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut scopes: Vec<String> = around(scope).map(str::to_owned).collect();
        let mut next = 0;
        while next < scopes.len() && found.len() < MAX_NAMES {
            let from = scopes[next].clone();
            next += 1;
            for using in self.usings_at(at).filter(|one| one.is_directive()) {
                if using.scope != from {
                    continue;
                }
                let Some(space) = self.space(&using.target, &using.scope, using.range, depth)
                else {
                    continue;
                };
                let level = common(common(&space, &from), scope).to_owned();
                if !found.iter().any(|(known, _)| *known == space) {
                    found.push((space.clone(), level));
                    scopes.push(space);
                }
            }
        }
        found
    }

    /// What a path stands for on the level of a scope by itself, and by what the scopes along it bring in.
    fn brought_in(&self, scope: &str, path: &str, at: Range, depth: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut open = vec![(scope.to_owned(), path.to_owned(), true)];
        let mut done: Vec<(String, String)> = Vec::new();
        while let Some((scope, path, is_level)) = open.pop() {
            let one = (scope, path);
            if done.contains(&one) || done.len() > MAX_NAMES {
                continue;
            }
            let (scope, path) = (one.0.as_str(), one.1.as_str());
            add(&mut names, vec![join(scope, path)]);
            if let Some((first, rest)) = path.split_once("::") {
                open.push((join(scope, first), rest.to_owned(), false));
            }
            let usings = self.usings_at(at).filter(|one| one.block.is_none());
            for using in usings.filter(|using| using.scope == scope) {
                if using.is_directive() {
                    // On the level itself, it has a level of its own, but for a namespace inside.
                    if let Some(space) = self.space(&using.target, scope, using.range, depth)
                        && (!is_level || common(&space, scope) == scope)
                    {
                        open.push((space, path.to_owned(), false));
                    }
                } else if let Some((space, path)) = self.through(using, path, depth) {
                    open.push((space, path, false));
                }
            }
            done.push(one);
        }
        names
    }

    /// The namespace and the path in it for which a path stands that begins where a declaration or an alias holds.
    fn through(&self, using: &'u Using, path: &str, depth: usize) -> Option<(String, String)> {
        let first = path.split("::").next().unwrap_or(path);
        let space = |target: &str| self.space(target, &using.scope, using.range, depth);
        match &using.alias {
            Some(alias) if alias == first => {
                let rest = path.strip_prefix(first)?.strip_prefix("::")?;
                Some((space(&using.target)?, rest.to_owned()))
            }
            None if !using.namespace && last_component(&using.target) == first => {
                let outer = enclosing(&using.target);
                let space = if outer.is_empty() {
                    String::new()
                } else {
                    space(outer)?
                };
                Some((space, path.to_owned()))
            }
            _ => None,
        }
    }

    /// The namespace or class that a path means; where nothing in the unit tells, as it is written.
    fn space(&self, path: &str, scope: &str, at: Range, depth: usize) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let sought = Sought { path, scope, at };
        let levels = self.levels(&sought, depth + 1);
        let known = |name: &&String| self.spaces.contains(name.as_str());
        let found = levels.iter().flatten().find(known);
        Some(match found {
            Some(found) => found.clone(),
            None => path.trim_start_matches("::").to_owned(),
        })
    }
}

/// The scopes of a unit that declare something: namespaces and classes, with those around them.
pub(crate) fn spaces(unit: &Unit) -> BTreeSet<&str> {
    let functions = unit.functions.iter().map(|one| one.qualified.as_str());
    let globals = unit.globals.iter().map(|one| one.name.as_str());
    let typedefs = unit.typedefs.iter().map(|one| one.name.as_str());
    let classes = unit.structs.iter().map(|one| one.name.as_str());
    let enums = unit.enums.iter().map(|one| one.name.as_str());
    let usings = unit.usings.iter().map(|one| one.scope.as_str());
    let within = functions
        .chain(globals)
        .chain(typedefs)
        .chain(classes.clone())
        .chain(enums);
    let within = within.map(enclosing);
    let mut spaces = BTreeSet::new();
    for space in within.chain(usings).chain(classes) {
        spaces.extend(around(space).filter(|space| !space.is_empty()));
    }
    spaces
}

fn add(names: &mut Vec<String>, more: Vec<String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

fn join(scope: &str, path: &str) -> String {
    if scope.is_empty() {
        path.to_owned()
    } else {
        format!("{scope}::{path}")
    }
}

/// A scope and those around it, the innermost first; the last is that of the unit.
fn around(scope: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(scope), |inner| {
        (!inner.is_empty()).then(|| enclosing(inner))
    })
}

/// The innermost scope around both.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let is_around = |space: &&str| {
        space.is_empty()
            || other
                .strip_prefix(space)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    around(one).find(is_around).unwrap_or("")
}
