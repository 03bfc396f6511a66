//! What was measured of accesses, branches and barriers, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::place::Place;

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
        /// Lines of 128 bytes that it touches.
        lines: u32,
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
