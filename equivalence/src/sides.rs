//! The two sides of a comparison: their launches, and which parameters of the two are the same.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use crate::index::Index;
use crate::node::{Id, Node, Pool};

/// How deep a formula is shown, and how long.
const MAX_DEPTH: u32 = 24;
const MAX_FORMULA: usize = 300;

/// A sequence of launches.
#[derive(Clone, Debug)]
pub struct Side<'f> {
    /// Facts and launch of each, in their order.
    pub launches: Vec<(&'f Facts, LaunchId)>,
}

/// A scalar that both sides are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its names.
    pub names: [String; 2],
    /// Its type: of two types the one with fewer values.
    pub ty: CType,
    /// Both sides have it.
    pub shared: bool,
}

/// An array of both sides, or scratch memory of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its names; one is empty for scratch memory.
    pub names: [String; 2],
}

/// The parameters of both.
#[derive(Clone, Debug, Default)]
pub struct Matching {
    /// Scalars by their number.
    pub scalars: Vec<Scalar>,
    /// Arrays by their number.
    pub arrays: Vec<Array>,
    symbols: [BTreeMap<(usize, SymbolId), u32>; 2],
    storages: [BTreeMap<(usize, ArrayId), u32>; 2],
}

/// What a kernel is given, in the order of its parameters.
struct Given {
    step: usize,
    name: String,
    kind: Kind,
}

enum Kind {
    Scalar(SymbolId, CType),
    Array(ArrayId, u32),
}

fn given(index: &Index<'_>, step: usize) -> Vec<Given> {
    let facts = index.facts;
    let mut all = Vec::new();
    let symbols = facts.symbol.iter().filter(|row| row.launch == index.launch);
    for row in symbols {
        all.push(Given {
            step,
            name: row.name.clone(),
            kind: Kind::Scalar(row.symbol, row.ty),
        });
    }
    let arrays = facts.array.iter().filter(|row| row.launch == index.launch);
    for row in arrays.filter(|row| !matches!(row.space, Space::Shared | Space::Local)) {
        if row.storage == row.array {
            all.push(Given {
                step,
                name: row.name.clone(),
                kind: Kind::Array(row.array, row.element_bytes),
            });
        }
    }
    all
}

/// Matches the parameters of two sides: as told, else by name, else by position.
///
/// # Errors
/// What cannot be matched, for the user.
pub fn matching(
    sides: &[Vec<Index<'_>>; 2],
    told: &[(String, String)],
) -> Result<Matching, String> {
    let all: [Vec<Given>; 2] = [0, 1].map(|side| {
        let steps = sides[side].iter().enumerate();
        steps.flat_map(|(step, index)| given(index, step)).collect()
    });
    for (left, right) in told {
        for (side, name) in [left, right].into_iter().enumerate() {
            if !all[side].iter().any(|given| given.name == *name) {
                let which = ["left", "right"][side];
                return Err(format!(
                    "--map {left}={right}: the {which} side has no parameter {name}"
                ));
            }
        }
    }
    let names = |side: usize, arrays: bool| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for given in &all[side] {
            if matches!(given.kind, Kind::Array(..)) == arrays && !names.contains(&given.name) {
                names.push(given.name.clone());
            }
        }
        names
    };
    let mut matching = Matching::default();
    for arrays in [true, false] {
        let [left, right] = [0, 1].map(|side| names(side, arrays));
        let mut partner: FxHashMap<String, String> = FxHashMap::default();
        for (one, other) in told {
            if left.contains(one) && right.contains(other) {
                partner.insert(one.clone(), other.clone());
            }
        }
        for name in &left {
            let taken = partner.values().any(|other| other == name);
            if right.contains(name) && !partner.contains_key(name) && !taken {
                partner.insert(name.clone(), name.clone());
            }
        }
        let rest_left: Vec<&String> = left
            .iter()
            .filter(|name| !partner.contains_key(*name))
            .collect();
        let rest_right: Vec<&String> = right
            .iter()
            .filter(|name| !partner.values().any(|other| other == *name))
            .collect();
        if rest_left.len() == rest_right.len() {
            for (one, other) in rest_left.iter().zip(&rest_right) {
                partner.insert((*one).clone(), (*other).clone());
            }
        }
        let pairs = left
            .iter()
            .map(|name| (name.clone(), partner.get(name).cloned()));
        let mut pairs: Vec<(String, Option<String>)> = pairs.collect();
        for name in &right {
            if !partner.values().any(|other| other == name) {
                pairs.push((String::new(), Some(name.clone())));
            }
        }
        for (one, other) in pairs {
            matching.add(&all, [one, other.unwrap_or_default()])?;
        }
    }
    Ok(matching)
}

/// Matches what a specification is given with what the launches are given, by name. `initial` says which array an array of the
/// specification stands for as it was before.
///
/// # Errors
/// What cannot be matched, for the user.
pub fn specified(
    sides: &[Vec<Index<'_>>; 2],
    initial: &dyn Fn(&str) -> Option<String>,
    renamed: &dyn Fn(&str) -> String,
) -> Result<Matching, String> {
    let all: [Vec<Given>; 2] = [0, 1].map(|side| {
        let steps = sides[side].iter().enumerate();
        steps.flat_map(|(step, index)| given(index, step)).collect()
    });
    let mut matching = Matching::default();
    let mut done: Vec<String> = Vec::new();
    for given in &all[0] {
        if done.contains(&given.name) {
            continue;
        }
        done.push(given.name.clone());
        let wanted = renamed(&given.name);
        let partner = all[1].iter().find(|other| other.name == wanted);
        let partner = partner.map_or(String::new(), |partner| partner.name.clone());
        matching.add(&all, [given.name.clone(), partner])?;
    }
    for given in &all[1] {
        if let (Some(of), Kind::Array(array, _)) = (initial(&given.name), &given.kind) {
            let number = matching
                .arrays
                .iter()
                .position(|array| array.names[1] == of);
            if let Some(number) = number {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                matching.storages[1].insert((given.step, *array), number);
            }
        } else if !done.iter().any(|name| renamed(name) == given.name) {
            matching.add(&all, [String::new(), given.name.clone()])?;
        }
    }
    Ok(matching)
}

impl Matching {
    fn add(&mut self, all: &[Vec<Given>; 2], names: [String; 2]) -> Result<(), String> {
        let mut scalar: Option<CType> = None;
        let mut bytes: Option<u32> = None;
        let (scalars, arrays) = (self.scalars.len(), self.arrays.len());
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        for (side, name) in names.iter().enumerate() {
            let own = all[side].iter().filter(|given| given.name == *name);
            for given in own.filter(|_| !name.is_empty()) {
                match given.kind {
                    Kind::Scalar(symbol, ty) => {
                        if let Some(other) = scalar
                            && other.is_integer() != ty.is_integer()
                        {
                            return Err(different(&names, other.name(), ty.name()));
                        }
                        let narrower = |other: CType| match (other.max(), ty.max()) {
                            (Some(one), Some(two)) if one <= two => other,
                            _ => ty,
                        };
                        scalar = Some(scalar.map_or(ty, narrower));
                        self.symbols[side].insert((given.step, symbol), number(scalars));
                    }
                    Kind::Array(array, size) => {
                        if bytes.is_some_and(|other| other != size) {
                            let sizes =
                                [bytes.unwrap_or(0), size].map(|size| format!("{size} bytes"));
                            return Err(different(&names, &sizes[0], &sizes[1]));
                        }
                        bytes = Some(size);
                        self.storages[side].insert((given.step, array), number(arrays));
                    }
                }
            }
        }
        let both = names.iter().all(|name| !name.is_empty());
        if let Some(ty) = scalar {
            self.scalars.push(Scalar {
                names: names.clone(),
                ty,
                shared: both,
            });
        }
        if bytes.is_some() {
            self.arrays.push(Array { names });
        }
        Ok(())
    }

    /// A value for people, with elements by the names of their arrays and their numbers; a long one is cut off.
    #[must_use]
    pub fn formula(&self, pool: &Pool, value: Id, side: usize) -> String {
        let mut text = self.part_of_formula(pool, value, side, MAX_DEPTH);
        if let Some((end, _)) = text.char_indices().nth(MAX_FORMULA) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn part_of_formula(&self, pool: &Pool, value: Id, side: usize, depth: u32) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let part = |id: Id| self.part_of_formula(pool, id, side, depth - 1);
        match pool.node(value) {
            Node::Int(_) | Node::Float(..) => crate::refute::shown(pool, value),
            Node::Input(array, ty, at) => {
                let array = self.arrays.get(*array as usize);
                match (array, pool.as_int(*at), ty.bytes()) {
                    (Some(array), Some(at), Some(bytes)) => {
                        format!("{}[{}]", array.names[side], at / i128::from(bytes))
                    }
                    _ => pool.shown(value),
                }
            }
            Node::Poly(sum) => {
                let parts = sum.iter().map(|(monomial, factor)| {
                    let mut factors: Vec<String> = monomial.iter().map(|&id| part(id)).collect();
                    if *factor != 1 || factors.is_empty() {
                        factors.insert(0, factor.to_string());
                    }
                    factors.join(" * ")
                });
                format!("({})", parts.collect::<Vec<_>>().join(" + "))
            }
            Node::Call(name, _, args) => {
                let operator = pool.name_of(*name).strip_prefix("floating-point operator ");
                let args: Vec<String> = args.iter().map(|&id| part(id)).collect();
                match (operator, args.as_slice()) {
                    (Some(operator), [one, other]) => format!("({one} {operator} {other})"),
                    _ => format!("{}({})", pool.name_of(*name), args.join(", ")),
                }
            }
            Node::Mod(_, inner) | Node::SignedMod(_, inner) => part(*inner),
            _ => pool.shown(value),
        }
    }

    /// The arrays of one launch.
    #[must_use]
    pub fn arrays_of(&self, side: usize, step: usize) -> FxHashMap<ArrayId, u32> {
        let own = self.storages[side]
            .iter()
            .filter(|((of, _), _)| *of == step);
        own.map(|((_, array), number)| (*array, *number)).collect()
    }

    /// The scalars of one launch.
    #[must_use]
    pub fn scalars_of(&self, side: usize, step: usize) -> Vec<(SymbolId, u32)> {
        let own = self.symbols[side].iter().filter(|((of, _), _)| *of == step);
        own.map(|((_, symbol), number)| (*symbol, *number))
            .collect()
    }
}

fn different(names: &[String; 2], one: &str, other: &str) -> String {
    if names.iter().any(String::is_empty) {
        let name = names.concat();
        return format!("{name} is not of one type in the launches of a side: {one} and {other}");
    }
    format!(
        "{} of the left side and {} of the right are not of one type: {one} and {other}",
        names[0], names[1]
    )
}
