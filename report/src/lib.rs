//! Findings as plain data and one renderer a file.
//!
//! [`finding`] holds the data, [`verdict`] what follows from it, [`id`] its order and identity; [`json`] and [`text`] render.

pub mod coverage;
pub mod finding;
pub mod id;
pub mod json;
pub mod lines;
pub mod merge;
#[cfg(test)]
mod sample;
pub mod text;
pub mod verdict;

pub use finding::{
    AccessKind, Boundary, Certainty, Dim, Extent, FileTimings, Finding, FindingKind, Gap, GapKind,
    GuessedAs, InputError, Interval, Inventory, Kernel, Launch, LaunchSource, Location, Note,
    Outcome, Place, Report, Role, Scope, Sources, Stats, Thread, Unsupported, Value, Verdict,
    Witness,
};
pub use lines::LineIndex;
pub use verdict::{FailOn, exit_status};
