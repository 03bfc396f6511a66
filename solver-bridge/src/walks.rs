//! Which barriers count between two threads, and the walks that are known by them: what [`crate::index`] keeps and
//! [`crate::region`] finds.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::Scope;
use warplog_facts::{LoopId, PointId};

/// Which barriers count between two threads: those of a scope, and those of the groups (as bits)
/// that both are in.
pub(crate) type Level = (Scope, u32);

/// What was walked: by the scope, where it began and the loops that stay in their iteration. Most pairs of an interval ask the same.
pub(crate) type Walks = Mutex<FxHashMap<(Level, PointId, Vec<LoopId>), Arc<Region>>>;

/// Back edges that can be crossed between a head and an access.
#[derive(Debug)]
pub(crate) struct Region {
    pub(crate) crossed: FxHashSet<LoopId>,
}

impl Region {
    /// Whether the loop may be in an iteration after its first.
    pub(crate) fn may_repeat(&self, id: LoopId) -> bool {
        self.crossed.contains(&id)
    }
}
