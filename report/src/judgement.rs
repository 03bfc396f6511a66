//! How sure, how serious and how harmful a finding is, and the verdict that follows.

use serde::{Deserialize, Serialize};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; no run fails for it.
    Note,
    /// What a conditional or a potential finding is.
    Warning,
    /// What a confirmed finding is.
    Error,
}

/// How sure a finding is, the surest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Certainty {
    /// An abstraction took part: an unknown call, a loop without closed form, the value of an atomic operation.
    Potential,
    /// Exact and replayed, but only for some values of what the caller decides: sizes, contents of inputs, the launch.
    Conditional,
    /// Exact and replayed, in a launch that the program makes or that any sane caller makes.
    Confirmed,
}

/// Whether a race does harm.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Harm {
    /// Nothing says that it does none.
    #[default]
    Possible,
    /// The code is made to stand it: what is read early is looked at again by an atomic operation, a flag is set to one value
    /// only. The reason is among the notes.
    ByDesign,
}

/// The verdict on a launch or a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Proved free of races and barrier divergence under the stated launch and assumptions.
    RaceFree,
    /// Undecided.
    Unknown,
    /// The launch and the assumptions contradict each other.
    Error,
    /// An assertion can fail.
    AssertionFailed,
    /// A barrier can be reached by some threads only.
    BarrierDivergence,
    /// There is a race.
    Racy,
}
