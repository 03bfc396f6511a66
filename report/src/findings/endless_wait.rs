//! The kind `endless-wait`: a thread that waits for a phase of a barrier for which too few arrive.
//!
//! The block hangs there, and nothing behind the wait is done.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::Role;
use crate::printable::safe;

pub(super) static KIND: DefectKind = DefectKind {
    id: "endless-wait",
    key: "endless_wait",
    name: "EndlessWait",
    noun: "endless wait",
    summary: "A thread waits for a phase of a barrier for which too few threads arrive, or too few bytes come.",
    page: include_str!("../../../docs/findings/endless-wait.md"),
    verdict: Verdict::BarrierDivergence,
    absence: "no endless wait",
    parts: &[],
    opposed: None,
    is_numbered: false,
    cause: Role::Barrier,
    parts_at_condition: false,
    takes_condition: false,
};

/// A wait for what never ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndlessWait {
    /// The barrier as written in the source, or its number.
    pub barrier: String,
}

impl Words for EndlessWait {
    fn what(&self) -> String {
        format!(
            "the phase of `{}` that is waited for never ends",
            safe(&self.barrier)
        )
    }

    fn label(&self, _: Role) -> String {
        "this wait".to_owned()
    }

    fn does(&self, _: usize) -> String {
        "waits for ever".to_owned()
    }
}
