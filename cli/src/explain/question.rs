//! What is to be explained, and how.

use warplog_report::text::options::TextOptions;

/// What is to be explained, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub(super) about: About,
    /// As SMT-LIB rather than in words.
    pub(super) smt: bool,
    pub(super) text: TextOptions,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// A line of a file.
    Line(String, u32),
    /// A finding, a pair or a kernel.
    Id(String),
}
