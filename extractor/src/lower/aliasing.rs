//! Which arrays of a kernel are taken to be apart, and on whose word.
//!
//! A launch that passes one allocation twice binds both parameters to one array. For other pairs of which one is written there
//! are three cases:
//! - a parameter is `__restrict__`: the program says that they do not overlap, and this is written down;
//! - host code shows two objects: they are covered by "array parameters do not alias", as are the parameters of a host function
//!   of which this unit shows no other call;
//! - it does not: the values come from code that is not followed, from members and variables that other code sets, or they may
//!   be one. They are taken to be apart, and the assumption names the pair, the launch and what was not followed.
//!
//! **Contract.** A proof of a launch that host code shows rests on no alias but those that are named so, or that two objects shown
//! to be different are. With strict aliasing a pair of the third kind leaves the kernel undecided instead.

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::words::{AccessKind, Effect, LaunchSource, Space};
use warplog_facts::*;

use super::body::Lowerer;
use super::host::{Launch, Overlapped, Passed};
use super::kernel::Allocations;
use crate::syntax::ast::{Function, Range};

/// The longest text of an argument that is quoted.
const LONGEST: usize = 40;

/// Whether memory is read and whether it is written.
type Uses = (bool, bool);

impl<'u> Lowerer<'u, '_> {
    /// Writes down which pairs of arrays are taken to be apart though host code does not show it.
    pub(super) fn aliasing(
        &mut self,
        kernel: &'u Function,
        launch: &Launch,
        allocations: &Allocations,
    ) {
        let pairs = self.open_pairs(launch, allocations);
        // Of any arguments it is taken that they do not alias.
        if pairs.is_empty() || launch.is_open {
            return;
        }
        let uses = self.uses();
        let of = |array: ArrayId, me: &Self| {
            let storage = me.facts.array[array.index()].storage;
            uses.get(&storage).copied().unwrap_or_default()
        };
        let slots: BTreeMap<ArrayId, &Passed> = allocations
            .bound
            .iter()
            .map(|(slot, array)| (*array, slot))
            .collect();
        let is_restrict = |slot: &Passed| {
            let param = kernel.params.get(slot.0).filter(|_| slot.1.is_empty());
            param.is_some_and(|param| {
                let name = param.name.as_deref().unwrap_or_default();
                says_restrict(self.sources.written(param.range), name)
            })
        };
        let restrict: BTreeSet<ArrayId> = slots
            .iter()
            .filter(|(_, slot)| is_restrict(slot))
            .map(|(array, _)| *array)
            .collect();
        let mut apart: BTreeMap<ArrayId, BTreeSet<ArrayId>> = BTreeMap::new();
        let mut promised: BTreeMap<ArrayId, BTreeSet<ArrayId>> = BTreeMap::new();
        for (a, b) in pairs {
            let (first, second) = (of(a, self), of(b, self));
            if first == (false, false) || second == (false, false) || !(first.1 || second.1) {
                continue;
            }
            if restrict.contains(&a) || restrict.contains(&b) {
                promised.entry(a).or_default().insert(b);
            } else if self.index.strict_aliasing {
                let names = [a, b].map(|array| self.facts.array[array.index()].name.clone());
                self.unsupported(
                    kernel.name_range,
                    &format!("arguments `{}` and `{}`", names[0], names[1]),
                    "they may be the same allocation in a launch",
                    Effect::Alias,
                );
            } else {
                apart.entry(a).or_default().insert(b);
            }
        }
        for (array, others) in &promised {
            let text = self.do_not_overlap(*array, others);
            self.assumption(&format!("{text} (`__restrict__`)"));
        }
        let place = match (launch.source, launch.range) {
            (LaunchSource::Code, _) if let Some(spot) = &launch.elsewhere => {
                let file = spot.path.rsplit('/').next().unwrap_or(&spot.path);
                format!(" at the launch in line {} of {file}", spot.line)
            }
            (LaunchSource::Code, Some(range)) => {
                format!(" at the launch in line {}", self.line(range))
            }
            _ => String::new(),
        };
        for (array, others) in &apart {
            let text = self.do_not_overlap(*array, others);
            let mut texts: Vec<String> = Vec::new();
            for one in std::iter::once(array).chain(others) {
                let given = slots.get(one).and_then(|slot| launch.arguments.get(slot.0));
                let Some(given) = given else { continue };
                let quoted = format!("`{}`", short(&given.text));
                if !texts.contains(&quoted) {
                    texts.push(quoted);
                }
            }
            let why = match (texts.is_empty(), launch.doubts.as_slice()) {
                (false, _) => format!(
                    "host code that sets them was not followed: {}",
                    texts.join(", ")
                ),
                (true, []) => "host code that sets them was not followed".to_owned(),
                (true, doubts) => format!("a launch was not followed: {}", doubts.join("; ")),
            };
            self.assumption(&format!("{text}{place} ({why})"));
        }
    }

    /// Pairs of arrays, in order, that host code neither shows to be one nor to be two.
    fn open_pairs(
        &self,
        launch: &Launch,
        allocations: &Allocations,
    ) -> BTreeSet<(ArrayId, ArrayId)> {
        let storage = |array: ArrayId| self.facts.array[array.index()].storage;
        let mut pairs = BTreeSet::new();
        let mut add = |a: ArrayId, b: ArrayId| {
            if storage(a) != storage(b) {
                pairs.insert((a.min(b), a.max(b)));
            }
        };
        let array_of = |passed: &Passed| {
            let mut bound = allocations.bound.iter();
            bound
                .find(|(slot, _)| slot == passed)
                .map(|(_, array)| *array)
        };
        let is_parameter = |array: ArrayId| allocations.bound.iter().any(|(_, one)| *one == array);
        let rows = self.facts.array.iter().enumerate();
        let variables: Vec<(ArrayId, &str)> = rows
            .filter(|(_, row)| row.launch == self.launch && row.space == Space::Global)
            .map(|(index, row)| (ArrayId::from_index(index), row.name.as_str()))
            .filter(|(array, _)| !is_parameter(*array))
            .collect();
        for overlap in &launch.overlaps {
            let Some(array) = array_of(&overlap.passed) else {
                continue;
            };
            match &overlap.other {
                Overlapped::Argument(other) => {
                    if let Some(other) = array_of(other) {
                        add(array, other);
                    }
                }
                Overlapped::Global(name) => {
                    for (other, own) in &variables {
                        if own.rsplit("::").next() == Some(name) {
                            add(array, *other);
                        }
                    }
                }
            }
        }
        let is_shown = launch.source == LaunchSource::Code;
        if !is_shown && launch.doubts.is_empty() {
            return pairs;
        }
        for (position, (_, array)) in allocations.bound.iter().enumerate() {
            for (_, other) in &allocations.bound[..position] {
                let is_untold = |array| allocations.untold.contains(array);
                if !is_shown || is_untold(array) || is_untold(other) {
                    add(*array, *other);
                }
            }
            if launch.passes_variables && allocations.untold.contains(array) {
                for (other, _) in &variables {
                    add(*array, *other);
                }
            }
        }
        pairs
    }

    fn do_not_overlap(&self, array: ArrayId, others: &BTreeSet<ArrayId>) -> String {
        let name = |array: &ArrayId| format!("`{}`", self.facts.array[array.index()].name);
        let own = name(&array);
        let others: Vec<String> = others.iter().map(name).collect();
        match others.as_slice() {
            [other] => format!("{own} and {other} do not overlap"),
            others => format!("{own} overlaps none of {}", others.join(", ")),
        }
    }

    fn line(&mut self, range: Range) -> u32 {
        let span = self.span(range);
        self.facts.span[span.index()].line
    }

    /// Whether this launch reads and whether it writes memory, by the array that stands for it.
    fn uses(&self) -> BTreeMap<ArrayId, Uses> {
        let annotations: BTreeSet<AccessId> = self
            .facts
            .annotation_read
            .iter()
            .map(|row| row.access)
            .collect();
        let mut uses: BTreeMap<ArrayId, Uses> = BTreeMap::new();
        for access in &self.facts.access {
            let array = &self.facts.array[access.array.index()];
            if array.launch != self.launch || annotations.contains(&access.access) {
                continue;
            }
            let used = uses.entry(array.storage).or_default();
            match access.kind {
                AccessKind::Read => used.0 = true,
                _ => used.1 = true,
            }
        }
        uses
    }

    /// That allocations do not overlap is assumed where there are several. A launch that passes one twice is taken as it is.
    pub(super) fn apart(&mut self) {
        let launch = self.launch;
        let arrays = self.facts.array.iter();
        let arrays = arrays.filter(|row| row.launch == launch && row.space == Space::Global);
        let mut names: BTreeMap<ArrayId, Vec<String>> = BTreeMap::new();
        for row in arrays {
            let known = names.entry(row.storage).or_default();
            if !known.contains(&row.name) {
                known.push(row.name.clone());
            }
        }
        if names.len() < 2 {
            return;
        }
        let together = names.values().filter(|names| names.len() > 1);
        let together: Vec<String> = together
            .map(|names| format!("`{}` are one", names.join("` and `")))
            .collect();
        let except = match together.as_slice() {
            [] => String::new(),
            together => format!(" ({})", together.join("; ")),
        };
        self.assumption(&format!("array parameters do not alias{except}"));
    }
}

/// Whether a pointer parameter is `__restrict__`, by that name or that of a macro, as it is written in its file: `float *RESTRICT p`.
/// The word speaks of the pointer behind whose star it stands.
fn says_restrict(written: &str, name: &str) -> bool {
    let behind = written.rsplit(['*', '&']).next().unwrap_or_default();
    let mut words = behind.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_pointer = behind.len() < written.len();
    is_pointer && words.any(|word| word != name && word.to_lowercase().contains("restrict"))
}

/// The text of an argument as far as it is quoted.
fn short(text: &str) -> String {
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::says_restrict;

    #[test]
    fn restrict_is_told_behind_the_last_star() {
        for (written, name) in [
            ("float *__restrict__ a", "a"),
            ("const float * RESTRICT a", "a"),
            ("float **__restrict a", "a"),
            ("T *__restrict__", ""),
        ] {
            assert!(says_restrict(written, name), "{written}");
        }
        for (written, name) in [
            ("float *a", "a"),
            ("float *restricted", "restricted"),
            ("float *__restrict__ *a", "a"),
            ("restrict_t a", "a"),
        ] {
            assert!(!says_restrict(written, name), "{written}");
        }
    }
}
