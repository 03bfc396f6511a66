//! Which kernels depend on text that may be other than it is here ([`Doubt`](crate::preprocess::Doubt)).
//!
//! **Algorithm.** A declaration is in doubt if text in doubt lies in it, or if it mentions a name that such text may declare, or
//! the name of a declaration in doubt, to a fixed point. Names are compared without their scopes. A kernel is in doubt if its
//! own declaration is, or one of a function that mentions it, directly or through others: its launches are found there.
//!
//! **Accuracy contract.** A kernel that is not in doubt, and the host code that tells its launches, are the same for all values
//! of the conditions from which the doubts come. Where text in doubt may change what it is not named in (operators,
//! `using namespace`, braces without a partner), every kernel is in doubt.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::Preprocessed;
use crate::syntax::ast::{Range, Unit};

/// What is in doubt of a unit.
pub(super) struct Doubts {
    everything: bool,
    /// Functions that are in doubt, and what their launches tell, by position.
    functions: BTreeSet<usize>,
}

/// A declaration.
struct Entity<'t> {
    range: (u32, u32),
    names: Vec<&'t str>,
    words: FxHashSet<&'t str>,
    /// Its position among the functions.
    function: Option<usize>,
    is_host_function: bool,
}

impl Doubts {
    /// Of a unit that was read from this text.
    pub(super) fn of(pre: &Preprocessed, unit: &Unit) -> Doubts {
        let none = Doubts {
            everything: false,
            functions: BTreeSet::new(),
        };
        let all = || Doubts {
            everything: true,
            functions: BTreeSet::new(),
        };
        if pre.doubts.is_empty() {
            return none;
        }
        // Most that is damaged is not confined: that needs no look at the declarations.
        if pre
            .doubts
            .iter()
            .any(|doubt| doubt.wild && doubt.ranges.is_empty())
        {
            return all();
        }
        let entities = entities(&pre.text, unit);
        match spread(pre, &entities) {
            Some(functions) => Doubts { functions, ..none },
            None => all(),
        }
    }

    /// Whether a function is in doubt, by its position.
    pub(super) fn holds(&self, function: usize) -> bool {
        self.everything || self.functions.contains(&function)
    }

    /// Whether a function of this name is in doubt in another reading of the file.
    pub(super) fn holds_named(&self, unit: &Unit, qualified: &str) -> bool {
        let mut functions = unit.functions.iter().enumerate();
        functions
            .any(|(position, function)| function.qualified == qualified && self.holds(position))
            || self.everything
    }
}

/// The functions that depend on what is in doubt; `None` if all may.
fn spread(pre: &Preprocessed, entities: &[Entity<'_>]) -> Option<BTreeSet<usize>> {
    let mut doubted = vec![false; entities.len()];
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for doubt in &pre.doubts {
        let mut confined = !doubt.ranges.is_empty();
        for &(start, end) in &doubt.ranges {
            let mut holds_it = false;
            for (entity, doubted) in entities.iter().zip(&mut doubted) {
                let (first, behind) = entity.range;
                let meets = match start == end {
                    true => first < start && start < behind,
                    false => start < behind && first < end,
                };
                if meets {
                    let inside = first <= start && end <= behind;
                    holds_it |= entity.function.is_some() && inside;
                    // Of a call without arguments host code does not depend: it changes nothing that a launch is told by.
                    let harmless = entity.is_host_function && inside && doubt.is_call;
                    *doubted |= !(harmless && doubt.names.is_empty());
                }
            }
            let meets_any = start == end || is_covered(entities, &pre.text, start, end);
            if !meets_any {
                return None;
            }
            confined &= holds_it;
        }
        // What a function holds declares nothing outside it.
        if confined {
            continue;
        }
        if doubt.wild {
            return None;
        }
        names.extend(doubt.names.iter().map(String::as_str));
    }
    // By the words that they mention.
    let mut mentioning: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (position, entity) in entities.iter().enumerate() {
        #[expect(
            clippy::iter_over_hash_type,
            reason = "each word has a list of its own, in the order of the entities"
        )]
        for &word in &entity.words {
            mentioning.entry(word).or_default().push(position);
        }
    }
    let own: Vec<usize> = (0..entities.len()).filter(|&at| doubted[at]).collect();
    let mut pending: Vec<&str> = names.into_iter().collect();
    pending.extend(
        own.iter()
            .flat_map(|&at| entities[at].names.iter().copied()),
    );
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    while let Some(name) = pending.pop() {
        if !seen.insert(name) {
            continue;
        }
        if name.starts_with("operator") {
            return None;
        }
        for &position in mentioning.get(name).map_or(&[][..], Vec::as_slice) {
            if !std::mem::replace(&mut doubted[position], true) {
                pending.extend(entities[position].names.iter().copied());
            }
        }
    }
    // Whoever launches a kernel, and whoever calls that one.
    let mut found = BTreeSet::new();
    for entity in entities {
        let Some(function) = entity.function else {
            continue;
        };
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut pending: Vec<&str> = entity.names.clone();
        let mut in_doubt = false;
        let own = entities.iter().zip(&doubted);
        in_doubt |= own
            .filter(|(other, _)| other.function == Some(function))
            .any(|(_, doubted)| *doubted);
        while let Some(name) = pending.pop()
            && !in_doubt
        {
            if !seen.insert(name) {
                continue;
            }
            for &position in mentioning.get(name).map_or(&[][..], Vec::as_slice) {
                in_doubt |= doubted[position];
                pending.extend(entities[position].names.iter().copied());
            }
        }
        if in_doubt {
            found.insert(function);
        }
    }
    Some(found)
}

/// Whether the words of a range are parts of declarations, or say nothing that would be declared otherwise.
fn is_covered(entities: &[Entity<'_>], text: &str, start: u32, end: u32) -> bool {
    let is_inside = entities
        .iter()
        .any(|entity| entity.range.0 < end && start < entity.range.1);
    let bytes = start as usize..(end as usize).min(text.len());
    let words = text.get(bytes).unwrap_or("").split_whitespace();
    is_inside
        || words.into_iter().all(|word| {
            matches!(word, ";" | "{" | "}" | "extern" | "\"C\"" | "namespace") || word.len() == 1
        })
}

/// The declarations of a unit, each with all of its text.
fn entities<'t>(text: &'t str, unit: &'t Unit) -> Vec<Entity<'t>> {
    let last = |name: &'t str| name.rsplit("::").next().unwrap_or(name);
    let mut found = Vec::new();
    for (position, function) in unit.functions.iter().enumerate() {
        let mut names = vec![function.name.as_str()];
        // Constructors, operators of a class and what it converts to are used without their names.
        if function.owner.is_some() && is_silent(&function.name) {
            names = vec![last(function.owner.as_deref().unwrap_or_default())];
        }
        let quals = &function.quals;
        found.push(Entity {
            is_host_function: !(quals.global || quals.device || quals.constexpr),
            ..entity(text, function.range, names, Some(position))
        });
    }
    for global in &unit.globals {
        found.push(entity(text, global.range, vec![last(&global.name)], None));
    }
    for typedef in &unit.typedefs {
        found.push(entity(text, typedef.range, vec![last(&typedef.name)], None));
    }
    for enumeration in &unit.enums {
        let mut names = vec![last(&enumeration.name)];
        names.extend(enumeration.values.iter().map(|value| value.name.as_str()));
        found.push(entity(text, enumeration.range, names, None));
    }
    for class in &unit.structs {
        found.push(entity(text, class.range, vec![last(&class.name)], None));
    }
    for using in &unit.usings {
        // A directive may bring any name.
        let name = match using.is_directive() {
            true => "operator",
            false => last(using.alias.as_deref().unwrap_or(&using.target)),
        };
        found.push(entity(text, using.range, vec![name], None));
    }
    for instance in &unit.instantiations {
        found.push(entity(text, instance.range, vec![&instance.name], None));
    }
    for problem in &unit.unparsed {
        found.push(entity(text, problem.range, vec!["operator"], None));
    }
    found
}

/// Whether a member is used without its name being written.
fn is_silent(name: &str) -> bool {
    name.starts_with("operator") || name.starts_with('~')
}

fn entity<'t>(
    text: &'t str,
    range: Range,
    mut names: Vec<&'t str>,
    function: Option<usize>,
) -> Entity<'t> {
    let bytes = text.as_bytes();
    let ends = |byte: &u8| matches!(byte, b';' | b'{' | b'}');
    let (mut start, mut end) = (range.start as usize, (range.end as usize).min(bytes.len()));
    // What stands in front of a declarator is part of the declaration, and so is what stands behind a class.
    while start > 0 && !ends(&bytes[start - 1]) {
        start -= 1;
    }
    while start < range.start as usize && bytes[start].is_ascii_whitespace() {
        start += 1;
    }
    if function.is_none() {
        while end < bytes.len() && !ends(&bytes[end]) {
            end += 1;
        }
        let behind = text.get(range.end as usize..end).unwrap_or("");
        names.extend(words(behind));
    }
    Entity {
        range: (start as u32, end as u32),
        names,
        words: words(text.get(start..end).unwrap_or("")).collect(),
        function,
        is_host_function: false,
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|next: char| !(next.is_alphanumeric() || next == '_'))
        .filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}
