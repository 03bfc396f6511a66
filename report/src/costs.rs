//! What something costs, as plain data: findings of severity *performance*, which are part of no verdict.
//!
//! They are kept apart from [`crate::Finding`], so that no count of defects, no certainty, no exit status and no verdict can come
//! to include them. What was measured of an access, a branch or a barrier is a [`Measured`]; [`Costs::ask`] lets every kind of
//! [`COST_KINDS`] say what it has to say of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::finding::{Kernel, Place, Report, Suppression};
use crate::findings::{COST_KINDS, CostKind, cost_kind};
use crate::id::Fnv;
use crate::mend::Mend;
use crate::words::safe;

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

/// What was measured of an access, a branch or a barrier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Where.
    pub place: Place,
    /// What.
    pub measure: Measure,
    /// Whether it costs something.
    pub found: Found,
    /// What is known of the measure.
    pub answer: Exactness,
    /// On which sizes it depends.
    pub condition: Option<String>,
    /// How often, in words.
    pub weight: String,
    /// How often, where it is one number and exact.
    pub requests: Option<u64>,
    /// What it costs beyond the fewest, to sort by.
    pub excess: u64,
    /// A change with which it was measured once more.
    pub mend: Option<Mended>,
    /// Values of open strides with which it was measured, by name.
    pub strides: Vec<(String, i128)>,
    /// Indexes of the launches that show it.
    pub launches: Vec<usize>,
}

/// Whether something that was measured costs anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Nothing can be told.
    CannotTell,
}

/// A change that helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended {
    /// What to do, in words.
    pub text: String,
    /// Turns or sectors of the worst request then.
    pub then: u64,
    /// By how many elements the rows of the array are longer, if it is that.
    pub longer_by: Option<u64>,
}

/// What was counted, by what is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Measure {
    /// Turns of the fullest bank in the worst request of an access to shared memory.
    Turns {
        /// The access.
        access: Access,
        /// The turns.
        turns: u32,
    },
    /// Sectors that the worst request of an access to global memory touches.
    Sectors {
        /// The access.
        access: Access,
        /// How many.
        sectors: u32,
        /// The fewest that hold as many bytes.
        fewest: u32,
        /// Distinct bytes that are wanted.
        wanted: u32,
        /// Bytes of a sector.
        sector_bytes: u32,
    },
    /// Arrivals of warps at a branch.
    Warps {
        /// The condition.
        condition: String,
        /// Arrivals in which lanes differ.
        divergent: u64,
        /// All arrivals.
        arriving: u64,
        /// Accesses that are made one side after the other.
        serialised: u64,
        /// Accesses in which lanes are idle.
        idle: u64,
        /// Lines of the accesses where the condition holds, and where it does not.
        lines: [Vec<u32>; 2],
        /// A warp whose lanes differ.
        split: Option<Split>,
    },
    /// A barrier of the block.
    Barrier {
        /// Whether its kernel is proved race-free with it.
        race_free: bool,
    },
}

/// An access, and the warp whose request is its worst.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// The array.
    pub array: String,
    /// What is done to it.
    pub action: Action,
    /// The warp.
    pub warp: Option<Warp>,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// A plain or volatile read.
    Read,
    /// A plain or volatile write.
    Write,
    /// An atomic operation.
    Atomic,
}

impl Action {
    /// `atomic operation`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Write => "write",
            Action::Atomic => "atomic operation",
        }
    }
}

/// What is known of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exactness {
    /// A warp of the launch has it, and none has more.
    Exact,
    /// A warp has it under the condition that is told.
    Conditional,
    /// A warp has it; others were not counted.
    Shown,
    /// Nothing.
    CannotTell,
}

impl Exactness {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Exactness::Exact => "exact",
            Exactness::Conditional => "conditional",
            Exactness::Shown => "shown",
            Exactness::CannotTell => "cannot_tell",
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Exactness::Exact => "exact: a warp of the launch has it, and none has more",
            Exactness::Conditional => "conditional: a warp has it under the condition",
            Exactness::Shown => "shown: a warp has it; others were not counted",
            Exactness::CannotTell => "nothing can be told",
        }
    }
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
    /// What was counted.
    pub measure: Measure,
    /// What, in words that stand alone but for the place: `32-way bank conflict by the read of tile`.
    pub headline: String,
    /// What is known of the measure.
    pub answer: Exactness,
    /// On which sizes it depends.
    pub condition: Option<String>,
    /// How often, in words.
    pub weight: String,
    /// How often, where it is one number and exact.
    pub requests: Option<u64>,
    /// What it costs beyond the fewest, to sort by.
    pub excess: u64,
    /// What would help, and what it would be then.
    pub hint: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Indexes of the launches that show it.
    pub launches: Vec<usize>,
    /// Why it does not count, if it does not.
    pub suppressed: Option<Suppression>,
    /// By how many elements the rows of the array have to be longer, where that helps.
    pub longer_by: Option<u64>,
    /// A change of the source that was made and analysed again, if one was found.
    pub mend: Option<Mend>,
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

/// A warp whose lanes differ on a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// `blockDim`.
    pub block_dim: [u64; 3],
    /// `blockIdx`.
    pub block: [u64; 3],
    /// Its number in the block.
    pub number: u64,
    /// Whether the condition holds in each lane, none for one that does not come there.
    pub lanes: Vec<Option<bool>>,
}

impl Split {
    /// The lanes in which the condition has a value.
    #[must_use]
    pub fn with(&self, value: bool) -> Vec<usize> {
        let lanes = self.lanes.iter().enumerate();
        lanes
            .filter(|(_, own)| **own == Some(value))
            .map(|(lane, _)| lane)
            .collect()
    }
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

impl Cost {
    /// What two launches show as one cost.
    fn key(&self) -> (&str, &Place, Option<&str>) {
        (&self.rule, &self.place, self.measure.array())
    }

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
        if self.mend.is_some() {
            line.push_str("; `--fix` makes that change, which was analysed");
        }
        if let Some(suppressed) = &self.suppressed {
            line.push_str(&format!("; suppressed: {}", safe(&suppressed.reason)));
        }
        line
    }
}

impl Measure {
    /// Turns, sectors, divergent warps; 0 for a barrier.
    #[must_use]
    pub fn degree(&self) -> u64 {
        match *self {
            Measure::Turns { turns, .. } => turns.into(),
            Measure::Sectors { sectors, .. } => sectors.into(),
            Measure::Warps { divergent, .. } => divergent,
            Measure::Barrier { .. } => 0,
        }
    }

    /// What the degree would be at best, or out of how many it is.
    #[must_use]
    pub fn fewest(&self) -> u64 {
        match *self {
            Measure::Turns { .. } => 1,
            Measure::Sectors { fewest, .. } => fewest.into(),
            Measure::Warps { arriving, .. } => arriving,
            Measure::Barrier { .. } => 0,
        }
    }

    /// Of the bytes that are fetched, those that are wanted.
    #[must_use]
    pub fn used(&self) -> Option<(u32, u32)> {
        match *self {
            Measure::Sectors {
                sectors,
                wanted,
                sector_bytes,
                ..
            } => Some((wanted, sectors.saturating_mul(sector_bytes))),
            _ => None,
        }
    }

    /// The access, if it is one that was measured.
    #[must_use]
    pub fn access(&self) -> Option<&Access> {
        match self {
            Measure::Turns { access, .. } | Measure::Sectors { access, .. } => Some(access),
            Measure::Warps { .. } | Measure::Barrier { .. } => None,
        }
    }

    /// The array of an access.
    #[must_use]
    pub fn array(&self) -> Option<&str> {
        self.access().map(|access| access.array.as_str())
    }

    /// The warp whose request is the worst of an access.
    #[must_use]
    pub fn warp(&self) -> Option<&Warp> {
        self.access()?.warp.as_ref()
    }

    /// The warp whose lanes differ on a condition.
    #[must_use]
    pub fn split(&self) -> Option<&Split> {
        match self {
            Measure::Warps { split, .. } => split.as_ref(),
            _ => None,
        }
    }

    /// The warp that shows the measure, in words: `warp 0 of block (0, 0, 0), blockDim = (64, 1, 1)`.
    #[must_use]
    pub fn shown_by(&self) -> Option<String> {
        let (number, block, block_dim) = match (self.warp(), self.split()) {
            (Some(warp), _) => (warp.number, warp.block, warp.block_dim),
            (None, Some(split)) => (split.number, split.block, split.block_dim),
            (None, None) => return None,
        };
        let triple = |[x, y, z]: [u64; 3]| format!("({x}, {y}, {z})");
        Some(format!(
            "warp {number} of block {}, blockDim = {}",
            triple(block),
            triple(block_dim)
        ))
    }

    /// The bytes that each lane of the worst request wants, by lane.
    #[must_use]
    pub fn wanted(&self) -> Vec<(usize, std::ops::RangeInclusive<i64>)> {
        let lanes = self.warp().into_iter().flat_map(|warp| {
            let bytes = i64::from(warp.bytes.max(1));
            let own = warp.lanes.iter().enumerate();
            own.filter_map(move |(lane, first)| Some((lane, (*first)?..=(*first)? + bytes - 1)))
        });
        lanes.collect()
    }

    /// Lanes by bank, for a picture: of each of 32 banks the words that are wanted, each with its lanes. Empty for what is no request
    /// to shared memory.
    #[must_use]
    pub fn banks(&self) -> Vec<BTreeMap<i64, Vec<usize>>> {
        if !matches!(self, Measure::Turns { .. }) || self.warp().is_none() {
            return Vec::new();
        }
        let mut banks = vec![BTreeMap::<i64, Vec<usize>>::new(); 32];
        for (lane, bytes) in self.wanted() {
            for word in bytes.start().div_euclid(4)..=bytes.end().div_euclid(4) {
                let bank = usize::try_from(word.rem_euclid(32)).unwrap_or(0);
                banks[bank].entry(word).or_default().push(lane);
            }
        }
        banks
    }

    /// Why nothing can be told of an access whose address comes from memory.
    pub(crate) fn unknown_address(&self) -> String {
        let array = self.array().unwrap_or_default();
        format!("where in `{array}` a lane goes is not known")
    }
}

impl Measured {
    /// What a kind says of it.
    fn cost(&self, kind: &CostKind) -> Cost {
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
