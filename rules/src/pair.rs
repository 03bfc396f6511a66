//! Two accesses in question, in one barrier interval or, after an early exit, in two.

use warplog_facts::words::{PairScope, Scope};
use warplog_facts::{AccessId, LoopId, PointId};

use crate::context::{Context, Level};

/// Carried loop and whether it is repeated, as in `inside`.
pub(crate) type State = (Option<LoopId>, bool);

/// Two accesses in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pair {
    pub(crate) scope: PairScope,
    /// Which groups both threads are in, as bits.
    pub(crate) groups: u32,
    pub(crate) head: PointId,
    pub(crate) first: AccessId,
    pub(crate) first_state: State,
    pub(crate) second: AccessId,
    pub(crate) second_state: State,
    pub(crate) exit: Option<PointId>,
}

impl Pair {
    /// A pair with its accesses in order.
    pub(crate) fn ordered(
        (scope, groups): (PairScope, u32),
        head: PointId,
        one: (AccessId, State),
        other: (AccessId, State),
    ) -> Pair {
        let (first, second) = if one <= other {
            (one, other)
        } else {
            (other, one)
        };
        Pair {
            scope,
            groups,
            head,
            first: first.0,
            first_state: first.1,
            second: second.0,
            second_state: second.1,
            exit: None,
        }
    }

    /// Whether the first access lasts beyond the interval that begins with the head: a bulk copy that is under way, or a write that copies
    /// do not see.
    pub(crate) fn lasts(&self, ctx: &Context<'_>) -> bool {
        self.exit == Some(ctx.access(self.first).point)
    }

    /// Whether the first is a write of a thread that the copy does not see, by whatever threads are ordered.
    pub(crate) fn crosses_proxies(&self, ctx: &Context<'_>) -> bool {
        self.lasts(ctx) && !ctx.is_bulk(self.first)
    }

    /// The barriers that separate the two threads.
    pub(crate) fn level(&self) -> Level {
        (interval_scope(self.scope), self.groups)
    }
}

/// The scope whose barriers separate the two threads of a pair.
pub(crate) fn interval_scope(scope: PairScope) -> Scope {
    match scope {
        PairScope::Warp => Scope::Warp,
        PairScope::Own | PairScope::InterWarp | PairScope::Block => Scope::Block,
        PairScope::Grid => Scope::Grid,
    }
}
