//! The kind `invalid-mask`: a mask of a warp operation that is not the lanes that take part.
//!
//! A wrong mask is undefined behaviour of a warp barrier, so that it counts as barrier divergence.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::Role;

pub(super) static KIND: DefectKind = DefectKind {
    id: "invalid-mask",
    key: "invalid_mask",
    name: "InvalidMask",
    noun: "invalid mask",
    summary: "The mask of a warp operation names a lane that does not take part, or leaves out one that does.",
    page: include_str!("../../../docs/findings/invalid-mask.md"),
    verdict: Verdict::BarrierDivergence,
    absence: "no divergence",
    parts: &[],
    opposed: None,
    is_numbered: false,
    cause: Role::Condition,
    parts_at_condition: true,
    takes_condition: false,
};

/// A wrong mask; its operation and its condition are among the locations of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidMask;

impl Words for InvalidMask {
    fn what(&self) -> String {
        "the mask does not name the lanes that take part".to_owned()
    }

    fn label(&self, role: Role) -> String {
        let label = match role {
            Role::Condition => "threads differ on this",
            _ => "this operation",
        };
        label.to_owned()
    }
}
