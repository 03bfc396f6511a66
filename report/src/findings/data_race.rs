//! The kind `data-race`: two accesses to the same bytes, at least one of them a write, that nothing orders.

use serde::{Deserialize, Serialize};

use super::kind::{DefectKind, Words};
use crate::judgement::Verdict;
use crate::meeting::{AccessKind, Interval, Role, Scope, scope_words};
use crate::printable::safe;

pub(super) static KIND: DefectKind = DefectKind {
    id: "data-race",
    key: "data_race",
    name: "DataRace",
    noun: "data race",
    summary: "Two threads access the same bytes, at least one of them writes, and nothing orders the two.",
    page: include_str!("../../../docs/findings/data-race.md"),
    verdict: Verdict::Racy,
    absence: "race-free",
    parts: &[("shared-memory-race", true), ("global-memory-race", false)],
    opposed: None,
    is_numbered: true,
    cause: Role::Condition,
    parts_at_condition: true,
    takes_condition: true,
};

/// A race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRace {
    /// Kinds of the first and the second access.
    pub accesses: [AccessKind; 2],
    /// The array as written in the source.
    pub array: String,
    /// Whether it is in shared memory.
    pub shared_memory: bool,
    /// Who meets.
    pub between: Between,
}

/// Who meets in a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Between {
    /// Two threads.
    Threads {
        /// How they lie to each other.
        scope: Scope,
        /// The barrier interval in which the accesses meet.
        interval: Interval,
    },
    /// A thread and an asynchronous copy that it has not waited for.
    OwnCopy,
}

impl Words for DataRace {
    fn what(&self) -> String {
        let [first, second] = self.accesses;
        let what = match (first == second, first) {
            (true, AccessKind::Write) => "two writes".to_owned(),
            (true, AccessKind::Read) => "two reads".to_owned(),
            (true, AccessKind::Atomic) => "two atomic accesses".to_owned(),
            (false, _) => format!("{} and {}", first.as_str(), second.as_str()),
        };
        let threads = match &self.between {
            Between::Threads { scope, .. } => scope_words(*scope),
            Between::OwnCopy => "by a thread and an asynchronous copy of its own",
        };
        format!("{what} of `{}` {threads}", safe(&self.array))
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
        let access = self
            .accesses
            .get(nth)
            .map_or("access", |access| access.as_str());
        format!("({}) {access}", nth + 1)
    }
}
