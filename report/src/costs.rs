//! What is said of costs: findings of severity *performance*, which are part of no verdict.
//!
//! Their types ([`crate::cost`], [`crate::measure`]) are kept apart from [`crate::finding::Finding`], so that no count of defects, no certainty, no exit status and no verdict can come
//! to include them. What was measured of an access, a branch or a barrier is a [`Measured`]; [`Costs::ask`] lets every kind of
//! [`COST_KINDS`] say what it has to say of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::cost::{Answer, Cost, Costs};
use crate::finding::{Kernel, Report};
use crate::findings::kind::CostKind;
use crate::findings::{COST_KINDS, cost_kind};
use crate::fnv::Fnv;
use crate::measure::{Found, Measure, Measured};
use crate::place::Place;
use crate::printable::safe;

impl Answer {
    /// The answer as a word: `none` without anything to ask about.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match (self.asked, self.found, self.cannot_tell.is_empty()) {
            (0, _, _) => "none",
            (_, 0, true) => "free",
            (_, 0, false) => "cannot_tell",
            _ => "found",
        }
    }

    /// The answer in a few words.
    #[must_use]
    pub fn words(&self) -> String {
        let Some(kind) = cost_kind(&self.rule) else {
            return String::new();
        };
        let lines: Vec<String> = self
            .cannot_tell
            .iter()
            .take(3)
            .map(|(line, reason)| format!("line {line}: {}", safe(reason)))
            .collect();
        let more = match self.cannot_tell.len().saturating_sub(lines.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let open = match lines.as_slice() {
            [] => String::new(),
            lines => format!(
                "cannot tell of {} ({}{more})",
                lines.len() + more_of(self),
                lines.join("; ")
            ),
        };
        match self.word() {
            "none" => format!("no {}", kind.about),
            "free" => format!("{} {}, {}", self.asked, kind.about, kind.free),
            "cannot_tell" => open,
            _ if open.is_empty() => format!("{} of {} {}", self.found, self.asked, kind.about),
            _ => format!("{} of {} {}, {open}", self.found, self.asked, kind.about),
        }
    }
}

fn more_of(answer: &Answer) -> usize {
    answer.cannot_tell.len().saturating_sub(3)
}

impl Costs {
    /// What all kinds say of what was measured in a kernel.
    #[must_use]
    pub fn ask(all: Vec<Measured>) -> Self {
        let mut costs = Costs::default();
        for kind in COST_KINDS {
            let mut asked: BTreeSet<&Place> = BTreeSet::new();
            let mut open: BTreeSet<(u32, String)> = BTreeSet::new();
            for measured in all.iter().filter(|own| (kind.asks)(&own.measure)) {
                asked.insert(&measured.place);
                match measured.found {
                    Found::Yes => costs.add(measured.cost(kind)),
                    Found::No => {}
                    Found::CannotTell => {
                        open.insert((measured.place.line, (kind.open)(&measured.measure)));
                    }
                }
            }
            let found = costs.found.iter().filter(|cost| cost.rule == kind.id);
            costs.answers.push(Answer {
                rule: kind.id.to_owned(),
                asked: u64::try_from(asked.len()).unwrap_or(u64::MAX),
                found: u64::try_from(found.count()).unwrap_or(u64::MAX),
                cannot_tell: open.into_iter().collect(),
            });
        }
        costs.sort();
        costs
    }

    /// Adds what another unit found of the same kernel; `launch` gives the new index of a launch.
    ///
    /// A barrier is redundant if it is so in every unit, and a change helps if it was found to help in each.
    pub(crate) fn absorb(&mut self, mut other: Costs, launch: &dyn Fn(usize) -> usize) {
        self.keep_what_holds_in(&other);
        other.keep_what_holds_in(self);
        for mut cost in other.found {
            for index in &mut cost.launches {
                *index = launch(*index);
            }
            self.add(cost);
        }
        if self.answers.is_empty() {
            self.answers = other.answers;
        }
        for assumption in other.assumptions {
            if !self.assumptions.contains(&assumption) {
                self.assumptions.push(assumption);
            }
        }
    }

    /// Leaves out barriers that are not redundant there, and changes that are not shown to help there.
    fn keep_what_holds_in(&mut self, other: &Costs) {
        let same = |cost: &Cost| other.found.iter().find(|known| known.key() == cost.key());
        let is_barrier = |cost: &Cost| matches!(cost.measure, Measure::Barrier { .. });
        let (kept, lost): (Vec<Cost>, Vec<Cost>) = std::mem::take(&mut self.found)
            .into_iter()
            .partition(|cost| !is_barrier(cost) || same(cost).is_some());
        self.found = kept;
        for cost in lost {
            let asked = |rule: &str| cost_kind(rule).is_some_and(|kind| (kind.asks)(&cost.measure));
            let mut answers = self.answers.iter_mut();
            if let Some(answer) = answers.find(|answer| asked(&answer.rule)) {
                answer.found = answer.found.saturating_sub(1);
            }
        }
        for cost in &mut self.found {
            if same(cost).is_none_or(|known| known.mend != cost.mend) {
                cost.mend = None;
            }
        }
    }

    /// Adds a cost; of two at one place the larger one stays, for the launches of both.
    pub fn add(&mut self, cost: Cost) {
        let same = self
            .found
            .iter_mut()
            .find(|known| known.key() == cost.key());
        let Some(known) = same else {
            self.found.push(cost);
            return;
        };
        let mut launches = known.launches.clone();
        launches.extend(&cost.launches);
        launches.sort_unstable();
        launches.dedup();
        let rank = |cost: &Cost| (cost.measure.degree(), cost.excess);
        if rank(&cost) > rank(known) {
            *known = cost;
        }
        known.launches = launches;
    }

    /// Puts the costliest first.
    pub fn sort(&mut self) {
        self.found.sort_by(|a, b| {
            (costliest(a), &a.place, &a.rule, a.measure.array()).cmp(&(
                costliest(b),
                &b.place,
                &b.rule,
                b.measure.array(),
            ))
        });
    }
}

/// A key by which the costliest come first.
fn costliest(cost: &Cost) -> (Reverse<u64>, Reverse<u64>) {
    (Reverse(cost.excess), Reverse(cost.measure.degree()))
}

/// Gives every cost its id: a hash over the file, the kernel, the kind, the array and the text of its line.
pub(crate) fn identify(report: &mut Report) {
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    for kernel in &mut report.kernels {
        let (file, name) = (kernel.file.clone(), kernel.name.clone());
        let Some(costs) = &mut kernel.costs else {
            continue;
        };
        costs.sort();
        for cost in &mut costs.found {
            let line = report
                .sources
                .get(&(cost.place.file.clone(), cost.place.line));
            let mut hash = Fnv::new();
            let shown = report.identities.get(&file).unwrap_or(&file);
            for text in [
                shown,
                &name,
                &cost.rule,
                cost.measure.array().unwrap_or(&file),
            ] {
                hash.text(text);
            }
            for word in line.map_or("", String::as_str).split_whitespace() {
                hash.text(word);
            }
            let id: String = format!("{:016x}", hash.0).chars().take(12).collect();
            let copy = taken.entry(id.clone()).or_default();
            *copy += 1;
            cost.id = match *copy {
                1 => id,
                copy => format!("{id}-{copy}"),
            };
        }
    }
}

/// All costs of a report with their kernels, the costliest first.
#[must_use]
pub fn ranked(report: &Report) -> Vec<(&Kernel, &Cost)> {
    let mut all: Vec<(&Kernel, &Cost)> = report
        .kernels
        .iter()
        .flat_map(|kernel| {
            let found = kernel.costs.iter().flat_map(|costs| &costs.found);
            found.map(move |cost| (kernel, cost))
        })
        .collect();
    all.sort_by(|(_, a), (_, b)| {
        (costliest(a), &a.place, &a.rule).cmp(&(costliest(b), &b.place, &b.rule))
    });
    all
}

impl Measured {
    /// What a kind says of it.
    pub(crate) fn cost(&self, kind: &CostKind) -> Cost {
        let told = (kind.tell)(self);
        Cost {
            id: String::new(),
            rule: kind.id.to_owned(),
            place: self.place.clone(),
            measure: self.measure.clone(),
            headline: told.headline,
            answer: self.answer,
            condition: self.condition.clone(),
            weight: self.weight.clone(),
            requests: self.requests,
            excess: self.excess,
            hint: told.hint,
            notes: told.notes,
            launches: self.launches.clone(),
            suppressed: None,
            longer_by: self.mend.as_ref().and_then(|mend| mend.longer_by),
            mend: None,
        }
    }

    /// The values of open strides with which it was measured, a remark each.
    pub(crate) fn counted_with(&self) -> Vec<String> {
        let strides = self.strides.iter();
        strides
            .map(|(name, value)| format!("counted with `{name}` = {value}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_ask_nothing_found_and_nothing_known_are_told_apart() {
        let answer = |asked, found, open: &[(u32, &str)]| Answer {
            rule: "bank-conflict".to_owned(),
            asked,
            found,
            cannot_tell: open
                .iter()
                .map(|(line, why)| (*line, (*why).to_owned()))
                .collect(),
        };
        let words = [
            answer(0, 0, &[]).words(),
            answer(3, 0, &[]).words(),
            answer(3, 0, &[(7, "index from memory")]).words(),
            answer(3, 1, &[]).words(),
        ];
        assert_eq!(
            words,
            [
                "no accesses to shared memory",
                "3 accesses to shared memory, conflict-free",
                "cannot tell of 1 (line 7: index from memory)",
                "1 of 3 accesses to shared memory",
            ]
        );
    }
}
