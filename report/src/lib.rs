//! Findings as plain data and one renderer a file.
//!
//! [`finding`] holds the data, [`verdict`] what follows from it, [`id`] its order and identity, [`findings`] the kinds, a file each,
//! [`groups`] and [`causes`] which findings are one, [`questions`] what to ask a person, [`mend`] what was shown to help,
//! [`words`] the sentences that several formats share; [`text`], [`concise`], [`json`], [`sarif`], [`junit`], [`csv`]
//! [`gitlab`] and [`html`] render.

pub mod allow;
pub mod anatomy;
mod brief;
pub mod causes;
pub mod concise;
pub mod cost;
pub mod costs;
pub mod coverage;
pub mod csv;
pub mod ensures;
pub mod equal;
pub mod finding;
pub mod findings;
mod fnv;
pub mod gitlab;
pub mod groups;
pub mod html;
pub mod id;
mod indented;
pub mod json;
pub mod judgement;
pub mod junit;
pub mod lines;
pub mod measure;
pub mod meeting;
pub mod mend;
pub mod merge;
pub mod place;
pub mod printable;
pub mod questions;
pub mod reasons;
pub mod rows;
#[cfg(test)]
mod sample;
pub mod sarif;
pub mod suppression;
pub mod text;
pub mod verdict;
pub mod words;

pub use finding::{
    Dim, Extent, FileTimings, Finding, Gap, GapKind, GuessedAs, Incomplete, InputError, Inventory,
    Iteration, Kernel, Launch, LaunchSource, Location, LoopState, Outcome, Report, Sources, Stats,
    Thread, Touched, Unsupported, Value, Witness,
};
pub use findings::{Defect, FindingKind};
pub use judgement::{Certainty, Harm, Severity, Verdict};
pub use lines::LineIndex;
pub use meeting::{AccessKind, Boundary, Interval, Role, Scope};
pub use place::{Note, Place};
pub use suppression::{SuppressedBy, Suppression};
pub use verdict::{FailOn, exit_status};
