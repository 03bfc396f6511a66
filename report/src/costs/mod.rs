//! What something costs, as plain data: findings of severity *performance*, which are part of no verdict.
//!
//! They are kept apart from [`crate::Finding`], so that no count of defects, no certainty, no exit status and no verdict can come
//! to include them. A kind is a file here and a line of [`COST_KINDS`]: its names, its sentence and its page; everything that prints
//! costs reads them from there.
//!
//! **Invariant**: every kind has a page in `docs/findings/`, whose first heading is the id of its rule.

mod bank_conflict;
mod divergent_branch;
mod redundant_barrier;
mod uncoalesced_access;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::{Kernel, Place, Report, Suppression};
use crate::id::Fnv;
use crate::words::safe;

/// All kinds of costs, in the order in which formats list them.
pub static COST_KINDS: [&CostKind; 4] = [
    &bank_conflict::KIND,
    &uncoalesced_access::KIND,
    &divergent_branch::KIND,
    &redundant_barrier::KIND,
];

/// What is told of a kind of cost.
#[derive(Debug, PartialEq, Eq)]
pub struct CostKind {
    /// The name of the rule, never renamed.
    pub id: &'static str,
    /// Its name in title case, one word.
    pub name: &'static str,
    /// What is asked about, in the plural.
    pub about: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What is said where everything was asked about and nothing found.
    pub free: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
}

/// The kind whose rule has this id.
#[must_use]
pub fn kind_of(id: &str) -> Option<&'static CostKind> {
    COST_KINDS.into_iter().find(|kind| kind.id == id)
}

/// What a kernel costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// What was found, the costliest first.
    pub found: Vec<Cost>,
    /// What is said of each kind, in the order of [`COST_KINDS`].
    pub answers: Vec<Answer>,
    /// What the counts rest on, in words.
    pub assumptions: Vec<String>,
}

/// Something that costs time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Stable id; empty until [`identify`] has run.
    pub id: String,
    /// The id of its kind.
    pub rule: String,
    /// Where.
    pub place: Place,
    /// The array, for an access.
    pub array: Option<String>,
    /// What, in words that stand alone but for the place: `32-way bank conflict by the read of tile`.
    pub headline: String,
    /// Turns of the fullest bank, sectors of a request, divergent warps; 0 for a barrier.
    pub degree: u64,
    /// What it would be at best, or out of how many.
    pub fewest: u64,
    /// Whether it is exact, conditional, or shown by one of several shapes.
    pub answer: String,
    /// On which sizes it depends.
    pub condition: Option<String>,
    /// How often, in words.
    pub weight: String,
    /// How often, where it is one number and exact.
    pub requests: Option<u64>,
    /// What it costs beyond the fewest, to sort by.
    pub excess: u64,
    /// Of the bytes that are fetched, those that are wanted.
    pub used: Option<(u32, u32)>,
    /// What would help, and what it would be then.
    pub hint: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// The warp that has it.
    pub warp: Option<Warp>,
    /// Indexes of the launches that show it.
    pub launches: Vec<usize>,
    /// Why it does not count, if it does not.
    pub suppressed: Option<Suppression>,
}

/// A warp and what its lanes want.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warp {
    /// `blockDim`.
    pub block_dim: [u64; 3],
    /// `blockIdx`.
    pub block: [u64; 3],
    /// Its number in the block.
    pub number: u64,
    /// Iterations of the loops around, by line.
    pub iterations: Vec<(u32, i64)>,
    /// The byte offset that each lane wants, none for one that does not take part.
    pub lanes: Vec<Option<i64>>,
    /// Bytes that each lane wants.
    pub bytes: u32,
}

/// What is said of one kind in a kernel. Nothing to ask about, nothing found and nothing known are three things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of the kind.
    pub rule: String,
    /// How many accesses, branches or barriers were asked about.
    pub asked: u64,
    /// How many were found to cost something.
    pub found: u64,
    /// Those of which nothing can be told: line and reason.
    pub cannot_tell: Vec<(u32, String)>,
}

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
        let Some(kind) = kind_of(&self.rule) else {
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

impl Cost {
    /// Everything on one line: degree, condition, weight, mend.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = safe(&self.headline);
        if let Some(condition) = &self.condition {
            line.push_str(&format!(" ({})", safe(condition)));
        }
        if !self.weight.is_empty() {
            line.push_str(&format!(", {}", safe(&self.weight)));
        }
        if let Some(hint) = &self.hint {
            line.push_str(&format!("; helps: {}", safe(hint)));
        }
        if let Some(suppressed) = &self.suppressed {
            line.push_str(&format!("; suppressed: {}", safe(&suppressed.reason)));
        }
        line
    }

    /// Lanes by bank, for a picture: of each of 32 banks the words that are wanted, each with its lanes, and how many bytes the
    /// whole begins behind the first.
    #[must_use]
    pub fn banks(&self) -> Vec<BTreeMap<i64, Vec<usize>>> {
        let mut banks = vec![BTreeMap::<i64, Vec<usize>>::new(); 32];
        let Some(warp) = &self.warp else {
            return banks;
        };
        for (lane, address) in warp.lanes.iter().enumerate() {
            let Some(address) = address else { continue };
            let last = address + i64::from(warp.bytes.max(1)) - 1;
            for word in address.div_euclid(4)..=last.div_euclid(4) {
                let bank = usize::try_from(word.rem_euclid(32)).unwrap_or(0);
                banks[bank].entry(word).or_default().push(lane);
            }
        }
        banks
    }
}

impl Costs {
    /// Adds what another unit found of the same kernel; `launch` gives the new index of a launch.
    pub(crate) fn absorb(&mut self, other: Costs, launch: &dyn Fn(usize) -> usize) {
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

    /// Adds a cost; of two at one place the larger one stays, for the launches of both.
    pub fn add(&mut self, cost: Cost) {
        let same = self.found.iter_mut().find(|known| {
            (&known.rule, &known.place, &known.array) == (&cost.rule, &cost.place, &cost.array)
        });
        let Some(known) = same else {
            self.found.push(cost);
            return;
        };
        let mut launches = known.launches.clone();
        launches.extend(&cost.launches);
        launches.sort_unstable();
        launches.dedup();
        if (cost.degree, cost.excess) > (known.degree, known.excess) {
            *known = cost;
        }
        known.launches = launches;
    }

    /// Puts the costliest first.
    pub fn sort(&mut self) {
        self.found.sort_by(|a, b| {
            let key = |cost: &Cost| {
                (
                    std::cmp::Reverse(cost.excess),
                    std::cmp::Reverse(cost.degree),
                )
            };
            (key(a), &a.place, &a.rule, &a.array).cmp(&(key(b), &b.place, &b.rule, &b.array))
        });
    }
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
                cost.array.as_ref().unwrap_or(&file),
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
        let key = |cost: &Cost| {
            (
                std::cmp::Reverse(cost.excess),
                std::cmp::Reverse(cost.degree),
            )
        };
        (key(a), &a.place, &a.rule).cmp(&(key(b), &b.place, &b.rule))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_page() {
        for kind in COST_KINDS {
            let heading = format!("# {}\n", kind.id);
            assert!(kind.page.starts_with(&heading), "{heading}");
            assert!(kind.page.contains("## What helps"), "{heading}");
            assert_eq!(kind_of(kind.id), Some(kind));
        }
    }

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
