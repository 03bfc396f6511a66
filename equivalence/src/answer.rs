//! What a comparison says.

use warplog_facts::AccessId;

use crate::told::Told;

/// Sizes of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launched {
    /// `blockDim`.
    pub block: [i128; 3],
    /// `gridDim`.
    pub grid: [i128; 3],
}

/// What one side leaves in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The value.
    pub value: String,
    /// Block and thread that wrote it last; none if nobody did.
    pub by: Option<([i128; 3], [i128; 3])>,
    /// The access.
    pub access: AccessId,
    /// Which launch of the sequence.
    pub step: usize,
    /// All that was stored in the element, in order; empty if that is not followed.
    pub history: Vec<Stored>,
}

/// Something stored in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The block.
    pub block: [i128; 3],
    /// The thread.
    pub thread: [i128; 3],
    /// The access.
    pub access: AccessId,
    /// Which launch of the sequence.
    pub step: usize,
    /// What it is made of: elements as they were before.
    pub formula: String,
}

/// Executions of both sides that leave different contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The launches of each side.
    pub launches: [Vec<Launched>; 2],
    /// Scalar arguments.
    pub scalars: Vec<(String, i128)>,
    /// The array.
    pub array: String,
    /// The element.
    pub element: i128,
    /// What it holds before.
    pub before: String,
    /// What it holds behind each side.
    pub sides: [Written; 2],
    /// What the contents of arrays follow from.
    pub seed: u64,
    /// The names of all arrays on the left side, by the number from which their contents follow.
    pub arrays: Vec<String>,
}

/// For which launches the two are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Blocks and grids of these sizes, where they are numbers, else of every size; and every scalar.
    Sizes([Option<i128>; 6]),
    /// Blocks of these sizes, each compared on its own.
    Blocks(Vec<[i128; 3]>),
    /// Launches of these sizes on the left and on the right, where they are numbers, else of every size; and every scalar.
    Shapes(Box<[[Option<i128>; 6]; 2]>),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They leave equal contents.
    Equal(Extent),
    /// They do not.
    Different(Box<Counterexample>),
    /// Neither is shown.
    Unknown(Vec<String>),
}

/// The answer with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was found.
    pub verdict: Verdict,
    /// What it rests on.
    pub assumptions: Vec<String>,
    /// Conditions on sizes and arguments under which the two are shown to be equal, if they are not in general.
    pub equal_if: Vec<String>,
    /// Which parameters were taken to be the same although their names differ, and what was not compared.
    pub notes: Vec<String>,
    /// Runs with numbers in which both left equal contents.
    pub runs: u32,
    /// What the last proof saw of assignments.
    pub told: Told,
    /// The names of arrays on the left side, by their numbers.
    pub arrays: Vec<String>,
}

/// The condition that a block is one of these.
#[must_use]
pub fn of_blocks(blocks: &[[i128; 3]]) -> String {
    if blocks == crate::prove::LINES {
        return "blockDim.x is a power of two".to_owned();
    }
    let sizes = blocks.iter().map(|[x, y, z]| format!("{x}x{y}x{z}"));
    format!("the block is {}", sizes.collect::<Vec<_>>().join(" or "))
}
