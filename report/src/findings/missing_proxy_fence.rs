//! The kind `missing-proxy-fence`: what a thread writes and a bulk copy touches later, with no fence between the two proxies.
//!
//! It is a race: order among threads does not reach the asynchronous proxy.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::{AccessKind, Role};
use crate::printable::safe;

pub(super) static KIND: DefectKind = DefectKind {
    id: "missing-proxy-fence",
    key: "missing_proxy_fence",
    name: "MissingProxyFence",
    noun: "missing proxy fence",
    summary: "A bulk copy touches what a thread has written, and no fence between the proxies makes it see that.",
    page: include_str!("../../../docs/findings/missing-proxy-fence.md"),
    verdict: Verdict::Racy,
    absence: "race-free",
    parts: &[],
    opposed: None,
    is_numbered: true,
    cause: Role::Condition,
    parts_at_condition: false,
    takes_condition: true,
};

/// A write of a thread and an access of a bulk copy that does not see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingProxyFence {
    /// What the copy does.
    pub copy: AccessKind,
    /// The array as written in the source.
    pub memory: String,
}

impl Words for MissingProxyFence {
    fn what(&self) -> String {
        let does = match self.copy {
            AccessKind::Read => "reads",
            _ => "writes",
        };
        format!(
            "a bulk copy {does} `{}` without a proxy fence behind what a thread wrote there",
            safe(&self.memory)
        )
    }

    fn label(&self, role: Role) -> String {
        match role {
            Role::First => self.does(0),
            Role::Second => self.does(1),
            Role::Barrier => "this barrier".to_owned(),
            Role::Condition => "threads differ on this".to_owned(),
            Role::Assertion => "this assertion".to_owned(),
        }
    }

    fn does(&self, nth: usize) -> String {
        match nth {
            0 => "(1) write".to_owned(),
            _ => format!("(2) copy's {}", self.copy.as_str()),
        }
    }
}
