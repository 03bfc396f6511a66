//! What keeps a finding from counting: comments, the configuration, the baseline.

use serde::{Deserialize, Serialize};

use crate::findings::FindingKind;

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppression {
    /// Who says so.
    pub by: SuppressedBy,
    /// The reason, in words.
    pub reason: String,
}

/// Who suppresses a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SuppressedBy {
    /// A comment in the source.
    Comment,
    /// The configuration.
    Configuration,
    /// The baseline: it was known before.
    Baseline,
}

/// A comment that suppresses findings, or means to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Allow {
    /// File, under its name in reports.
    pub file: String,
    /// Line of the comment.
    pub line: u32,
    /// First line that it speaks of.
    pub from: u32,
    /// Last line that it speaks of.
    pub to: u32,
    /// The rule as written.
    pub rule: String,
    /// What is suppressed; none if the rule is that of a cost.
    pub kind: Option<FindingKind>,
    /// Whether only races on shared memory (or, if false, only those on other memory) are.
    pub shared_memory: Option<bool>,
    /// Why.
    pub reason: String,
}
