//! CUDA's and C++'s library on the device, by meaning.
//!
//! One table per subject, each a list of [`Row`]s: names, number of arguments, meaning. Adding a
//! function is a line in the table of its subject. The list is closed: what is in no table is a
//! call of an unknown function.
//!
//! **Accuracy.** A row may say less than the library does (a fresh value instead of a known one),
//! never more: a result is a function of the arguments only where the manual says so, and what a
//! call reads or writes is an access. What cannot be said is [`Meaning::Refused`], with the reason.
//!
//! A function of the unit wins over a table row of the same name, as overload resolution in C++
//! would have it: callers look there first.

pub(crate) mod appends;
mod apply;
mod atomic_objects;
pub(crate) mod atomics;
pub(crate) mod block_barriers;
pub(crate) mod bulk;
pub(crate) mod clusters;
mod complex;
mod constants;
mod contracts;
mod control;
mod converged;
pub(crate) mod copies;
pub(crate) mod cub;
mod groups;
mod half;
mod integer;
pub(crate) mod linear;
pub(crate) mod masks;
mod math;
mod memory;
pub(crate) mod named;
mod page;
mod pipelines;
mod random;
mod referring;
mod result;
mod simd;
mod standard;
mod texture;
mod threads;
pub(crate) mod torch;
pub(crate) mod types;
mod vectors;
mod votes;
mod warp;
mod wmma;

pub(crate) use groups::is_group_of;
pub(crate) use page::page;
pub(crate) use standard::argument;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::value::*;
use crate::LibraryRow;
use crate::syntax::ast::*;

/// A call of a library function.
#[derive(Clone, Copy)]
struct Call<'a> {
    /// The last component of the name.
    name: &'a str,
    /// The name as written, with template arguments.
    full: &'a Name,
    args: &'a [Expr],
    range: Range,
}

/// The type of a result.
#[derive(Clone, Copy, Debug)]
enum Out {
    Is(CType),
    /// `float` if all arguments are, else `double` (or opaque, when an argument is a half type).
    Float,
    /// The same, by the first argument alone.
    FloatOfFirst,
    /// As the argument at this position.
    Like(usize),
    /// As a scalar in the argument at this position.
    Element(usize),
    /// As the first argument that is a class, or as the first.
    Widest,
    /// A class of [`types::class`]: `float2`, `half2` …
    Class(&'static str),
    Nothing,
}

/// What a call does.
#[derive(Clone, Copy)]
enum Meaning {
    /// Equal arguments give an equal result; nothing is read or written.
    Pure(Out),
    /// A value that another thread, a clock or a state decides; nothing is read or written.
    Fresh(Out),
    /// A pure function that also stores results through pointer arguments (position, type).
    Stores(Out, &'static [(usize, Out)]),
    /// Lowered by a function of its own; `None` when these arguments are not those of the row.
    By(fn(&mut Lowerer<'_, '_>, &Call<'_>) -> Option<Value>),
    /// Known, and not modelled: the reason.
    Refused(&'static str, Effect),
}

/// Functions that share a meaning.
struct Row {
    /// Names, separated by blanks; `{a,b}` stands for both spellings: `__fadd_{rn,rz}`.
    names: &'static str,
    /// Fewest and most arguments.
    args: (usize, usize),
    meaning: Meaning,
}

const fn row(names: &'static str, args: usize, meaning: Meaning) -> Row {
    Row {
        names,
        args: (args, args),
        meaning,
    }
}

const fn rows(names: &'static str, least: usize, most: usize, meaning: Meaning) -> Row {
    Row {
        names,
        args: (least, most),
        meaning,
    }
}

/// The table of a subject.
struct Family {
    /// What its functions are about.
    subject: &'static str,
    /// Where the meaning is written down.
    source: &'static str,
    /// Namespaces in which the functions may be named.
    namespaces: &'static [&'static str],
    /// Whether the names stand in the global namespace too.
    global: bool,
    rows: &'static [Row],
}

const FAMILIES: &[&Family] = &[
    &math::FAMILY,
    &integer::FAMILY,
    &simd::FAMILY,
    &half::FAMILY,
    &vectors::FAMILY,
    &complex::FAMILY,
    &complex::CLASS_FAMILY,
    &linear::FAMILY,
    &torch::FAMILY,
    &atomics::FAMILY,
    &memory::FAMILY,
    // Before the warps: `__all` in an annotation is no vote.
    &contracts::FAMILY,
    &warp::FAMILY,
    &texture::FAMILY,
    &random::FAMILY,
    &standard::FAMILY,
    // Before the groups: with a barrier a copy is one of the barrier's.
    &copies::FAMILY,
    &bulk::FAMILY,
    &pipelines::FAMILY,
    &groups::FAMILY,
    &control::FAMILY,
    &wmma::FAMILY,
];

/// A row with its family.
#[derive(Clone, Copy)]
struct Entry {
    family: &'static Family,
    row: &'static Row,
}

static INDEX: LazyLock<FxHashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut index: FxHashMap<String, Vec<Entry>> = FxHashMap::default();
    for family in FAMILIES {
        for row in family.rows {
            for name in row.names.split_whitespace().flat_map(spellings) {
                index.entry(name).or_default().push(Entry { family, row });
            }
        }
    }
    index
});

/// Fewest and most arguments of a word of the annotation language.
pub(crate) fn arguments_of_word(name: &str) -> Option<(usize, usize)> {
    let mut rows = INDEX.get(name)?.iter();
    let found = rows.find(|entry| entry.family.subject == contracts::FAMILY.subject)?;
    Some(found.row.args)
}

/// Whether some row is about a name.
pub(crate) fn has_row(name: &str) -> bool {
    INDEX.contains_key(name)
}

/// All rows, in the order of the page.
pub(crate) fn rows_of_tables() -> Vec<LibraryRow> {
    let mut all = Vec::new();
    for family in FAMILIES {
        for row in family.rows {
            all.push(LibraryRow {
                subject: family.subject,
                names: row.names.split_whitespace().flat_map(spellings).collect(),
            });
        }
    }
    all
}

/// `a{b,c}d` as `abd` and `acd`.
fn spellings(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let Some((choices, tail)) = rest.split_once('}') else {
        return vec![pattern.to_owned()];
    };
    let tails = spellings(tail);
    choices
        .split(',')
        .flat_map(|choice| {
            tails
                .iter()
                .map(move |tail| format!("{head}{choice}{tail}"))
        })
        .collect()
}

/// The most names for namespaces that stand for one another.
const MOST_ALIASES: usize = 8;

impl Lowerer<'_, '_> {
    /// The value of a call of a library function; `None` when the name is none, or when a function
    /// of the unit is meant.
    pub(crate) fn library_call(
        &mut self,
        name: &Name,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let call = Call {
            name: &name.base,
            full: name,
            args,
            range,
        };
        if let Some(value) = self.limits(&call) {
            return Some(value);
        }
        let namespace = self.namespace_of(name);
        let entries: Vec<Entry> = INDEX
            .get(call.name)
            .into_iter()
            .flatten()
            .filter(|entry| {
                let (least, most) = entry.row.args;
                (least..=most).contains(&args.len()) && self.names(entry.family, &namespace)
            })
            .copied()
            .collect();
        let converts =
            half::conversion(call.name).filter(|_| namespace.is_empty() && args.len() == 1);
        let class = || types::class(call.name).is_some() || !namespace.is_empty();
        if entries.is_empty() && converts.is_none() && !class() {
            return None;
        }
        for entry in entries {
            if let Some(value) = self.meaning(entry.row.meaning, &call) {
                return Some(value);
            }
        }
        if let Some(out) = converts {
            return self.meaning(Meaning::Pure(out), &call);
        }
        self.library_constructor(&call)
    }

    /// The namespace before a name, aliases resolved; empty for the global one.
    pub(crate) fn namespace_of(&self, name: &Name) -> String {
        let Some((first, rest)) = name.qualifier.split_first() else {
            return String::new();
        };
        let aliased = self
            .index
            .unit
            .usings
            .iter()
            .find(|using| using.alias.as_deref() == Some(first.name.as_str()));
        let mut path = aliased.map_or(first.name.as_str(), |using| using.target.as_str());
        // By convention, where the alias stands in a header that was not found.
        if aliased.is_none() && first.name == "cg" {
            path = "cooperative_groups";
        }
        let mut path = path.trim_start_matches("::").to_owned();
        for segment in rest {
            path.push_str("::");
            path.push_str(&segment.name);
        }
        path
    }

    /// A path of which the first name may be another one for a namespace: `namespace blocks = cub;` makes `blocks::BlockScan`
    /// `cub::BlockScan`.
    pub(crate) fn behind_aliases(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..MOST_ALIASES {
            let Some((first, rest)) = path.split_once("::") else {
                break;
            };
            let mut usings = self.index.unit.usings.iter();
            let alias = usings.find(|using| using.alias.as_deref() == Some(first));
            let Some(alias) = alias else {
                break;
            };
            path = format!("{}::{rest}", alias.target.trim_start_matches("::"));
        }
        path
    }

    /// Whether a name written in this namespace can be one of the family.
    fn names(&self, family: &Family, namespace: &str) -> bool {
        if namespace.is_empty() {
            return family.global
                || family
                    .namespaces
                    .iter()
                    .any(|namespace| self.uses_namespace(namespace));
        }
        family.namespaces.contains(&namespace)
    }

    /// Whether names of a namespace are visible without it: `using namespace std;`, `using std::swap;`.
    pub(crate) fn uses_namespace(&self, namespace: &str) -> bool {
        self.index.unit.usings.iter().any(|using| {
            let target = using.target.trim_start_matches("::");
            using.alias.is_none()
                && if using.namespace {
                    target == namespace
                        || (target == "cg" && namespace == "cooperative_groups")
                        || namespace
                            .strip_prefix("nvcuda::")
                            .is_some_and(|inner| target == inner)
                } else {
                    target
                        .rsplit_once("::")
                        .is_some_and(|(of, _)| of == namespace)
                }
        })
    }

    /// `T(a, b)` of a class of the library, where the reader could not tell that `T` is a type.
    fn library_constructor(&mut self, call: &Call<'_>) -> Option<Value> {
        let ty = Type::new(TypeKind::Named(call.full.clone()), call.full.range);
        let ty = self.resolve(&ty);
        // A class of the unit has a constructor of its own.
        let of_library = types::is_library_template(&ty)
            || call.full.args.is_none() && types::class(call.name).as_ref() == Some(&ty);
        if !of_library {
            return None;
        }
        self.library_class_value(&ty, call.args, call.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_for_every_choice() {
        assert_eq!(spellings("sin"), ["sin"]);
        assert_eq!(spellings("__fadd_{rn,rz}"), ["__fadd_rn", "__fadd_rz"]);
        assert_eq!(spellings("a{b,c}d{,e}"), ["abd", "abde", "acd", "acde"]);
    }

    #[test]
    fn every_table_names_its_source_and_every_row_something() {
        for family in FAMILIES {
            assert!(family.source.len() > 10);
            for row in family.rows {
                assert!(row.args.0 <= row.args.1, "{}", row.names);
                assert!(!row.names.trim().is_empty());
            }
        }
    }

    #[test]
    fn no_name_has_two_rows_for_the_same_arguments_in_one_table() {
        for family in FAMILIES {
            let mut seen: Vec<(String, usize)> = Vec::new();
            for row in family.rows {
                if matches!(row.meaning, Meaning::By(_)) {
                    continue;
                }
                for name in row.names.split_whitespace().flat_map(spellings) {
                    for count in row.args.0..=row.args.1 {
                        let key = (name.clone(), count);
                        assert!(!seen.contains(&key), "{key:?} twice");
                        seen.push(key);
                    }
                }
            }
        }
    }
}
