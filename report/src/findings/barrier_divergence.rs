//! The kind `barrier-divergence`: a barrier that some threads of a block reach and others do not.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::Role;

pub(super) static KIND: DefectKind = DefectKind {
    id: "barrier-divergence",
    key: "barrier_divergence",
    name: "BarrierDivergence",
    noun: "barrier divergence",
    summary: "Some threads of a block reach a barrier that other threads of the block do not reach.",
    page: include_str!("../../../docs/findings/barrier-divergence.md"),
    verdict: Verdict::BarrierDivergence,
    absence: "no divergence",
    parts: &[],
    opposed: Some([REACHES, MISSES]),
    is_numbered: false,
    cause: Role::Condition,
    parts_at_condition: true,
    takes_condition: true,
};

const REACHES: &str = "reaches the barrier";
const MISSES: &str = "does not";

/// A divergence; its barrier and its condition are among the locations of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BarrierDivergence;

impl Words for BarrierDivergence {
    fn what(&self) -> String {
        "only some of the threads reach this barrier".to_owned()
    }

    fn label(&self, role: Role) -> String {
        let label = match role {
            Role::Condition => "threads differ on this",
            _ => "this barrier",
        };
        label.to_owned()
    }

    fn does(&self, nth: usize) -> String {
        let does = if nth == 0 { REACHES } else { MISSES };
        does.to_owned()
    }
}
