//! How the accesses of a finding meet: what each does, the part that a place takes, how the threads lie to each other, and
//! between which barriers.

use serde::{Deserialize, Serialize};

use super::place::Place;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AccessKind {
    /// Plain or volatile read.
    Read,
    /// Plain or volatile write.
    Write,
    /// Atomic operation.
    Atomic,
}

/// How two threads lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Same warp.
    IntraWarp,
    /// Same block, different warps.
    InterWarp,
    /// Different blocks.
    InterBlock,
}

/// The part a place takes in a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Role {
    /// The first access of a race.
    First,
    /// The second access of a race.
    Second,
    /// The barrier.
    Barrier,
    /// The condition on which threads differ.
    Condition,
    /// The assertion.
    Assertion,
}

/// A barrier interval: what lies between its openings and its ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Where it may begin.
    pub from: Vec<Boundary>,
    /// Where it may end.
    pub to: Vec<Boundary>,
    /// Whether the accesses meet round the back edge of a loop.
    pub carried: bool,
}

/// A bound of a barrier interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boundary {
    /// The start of the kernel.
    Start,
    /// The end of the kernel.
    End,
    /// A barrier, `__syncthreads()`.
    Barrier {
        /// The barrier as written.
        what: String,
        /// Where it stands.
        place: Place,
    },
}

/// `by threads of the same warp`.
pub(crate) fn scope_words(scope: Scope) -> &'static str {
    match scope {
        Scope::IntraWarp => "by threads of the same warp",
        Scope::InterWarp => "by threads of different warps of a block",
        Scope::InterBlock => "by threads of different blocks",
    }
}
