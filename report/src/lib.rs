//! Findings as plain data and one renderer a file.

pub mod finding;

pub use finding::{
    AccessKind, Boundary, Certainty, Dim, FileTimings, Finding, FindingKind, InputError, Interval,
    Kernel, Launch, LaunchSource, Location, Note, Outcome, Place, Report, Role, Scope, Sources,
    Stats, Thread, Unsupported, Value, Verdict, Witness,
};
