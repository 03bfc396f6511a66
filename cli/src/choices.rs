//! What a user chooses, one type a choice; [`crate::options`] has them all together.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// One of several parts of the inputs, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub number: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Whether a file is in this part: by a hash of its name (FNV-1a), which is the same on every machine.
    #[must_use]
    pub fn holds(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // The lowest bits of such a hash follow the lowest of the bytes.
        (hash ^ (hash >> 32)) % self.count == self.number - 1
    }
}

/// What the analysis of one file may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileBounds {
    /// Wall time or processor time, whichever is less; none for as long as it takes.
    pub time: Option<Duration>,
    /// Resident memory in bytes; none for as much as there is.
    pub memory: Option<u64>,
}

impl Default for FileBounds {
    fn default() -> Self {
        FileBounds {
            time: Some(Duration::from_secs(120)),
            memory: Some(4 << 30),
        }
    }
}

/// Which pairs of threads are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scopes {
    /// Within a block and between blocks.
    #[default]
    All,
    /// Within a block.
    IntraBlock,
    /// Between blocks.
    InterBlock,
}

/// Which files of a run are one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Link {
    /// Those of one folder or one target that refer to each other
    #[default]
    Programs,
    /// Each by itself
    Never,
    /// All of them
    All,
}

/// What is taken of two arrays that host code neither shows to be one nor to be two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Aliasing {
    /// They do not overlap, which is an assumption that names them
    #[default]
    Assumed,
    /// Nothing: the kernel stays undecided where one of them is written
    Strict,
}

/// How far mends are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mends {
    /// Not at all.
    No,
    /// A few changes for each kernel, the likeliest: for a check of many files.
    #[default]
    Few,
    /// More of them, and several together.
    Many,
}

/// Which configuration holds for which file.
#[derive(Clone, Debug, Default)]
pub enum Choice {
    /// The nearest one upwards.
    #[default]
    Nearest,
    /// This one for all files.
    Given(PathBuf),
    /// None.
    None,
}

/// A warp's number of lanes: a power of two up to 32.
pub(crate) fn parse_lanes(text: &str) -> Result<u32, String> {
    text.parse::<u32>()
        .ok()
        .filter(|lanes| lanes.is_power_of_two() && *lanes <= 32)
        .ok_or_else(|| "not a power of two up to 32".to_owned())
}
