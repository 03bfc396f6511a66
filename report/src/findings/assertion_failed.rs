//! The kind `assertion-failed`: an assertion, or an annotation that the proof leans on, that a thread can violate.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::Role;

pub(super) static KIND: DefectKind = DefectKind {
    id: "assertion-failed",
    key: "assertion_failed",
    name: "AssertionFailed",
    noun: "assertion failure",
    summary: "A thread can reach an assertion with values that violate it.",
    page: include_str!("../../../docs/findings/assertion-failed.md"),
    verdict: Verdict::AssertionFailed,
    absence: "holds",
    parts: &[],
    opposed: None,
    is_numbered: false,
    cause: Role::Assertion,
    parts_at_condition: false,
    takes_condition: false,
};

/// A violated assertion, which is the first location of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertionFailed;

impl Words for AssertionFailed {
    fn what(&self) -> String {
        "a thread can violate this assertion".to_owned()
    }

    fn label(&self, role: Role) -> String {
        let label = match role {
            Role::Condition => "this is where it is checked",
            _ => "this assertion",
        };
        label.to_owned()
    }

    fn does(&self, nth: usize) -> String {
        match nth {
            0 => "violates the assertion".to_owned(),
            _ => format!("({})", nth + 1),
        }
    }
}
