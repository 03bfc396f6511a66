//! Which back edges a thread can cross after the head of an interval before the next barrier.
//!
//! `inside` says in which iteration of the loops around both head and access the access is. Of the
//! other loops, those whose back edge lies behind a barrier are still in their first iteration:
//! `for (…) { s[t] = …; __syncthreads(); … }` from the kernel's entry.
//!
//! **Accuracy.** Paths of the control-flow graph, whatever their conditions: the set of back edges
//! is an over-approximation, so the iterations that it allows are, too.

use std::sync::{Arc, PoisonError};

use facts::words::*;
use facts::*;
use rustc_hash::FxHashSet;
use warplog_facts as facts;

use super::walks::Region;
use crate::index::Index;
use crate::walks::Level;

/// Whether the barrier at a point surely separates two threads of the level that come to it.
pub(crate) fn separates(index: &Index, point: PointId, (scope, groups): Level) -> bool {
    let Some(barrier) = index.barrier_at(point) else {
        return false;
    };
    match (scope, barrier.kind) {
        (Scope::Warp, BarrierKind::Warp) if index.is_whole_warp(barrier) => true,
        (Scope::Warp, BarrierKind::Warp) | (Scope::Warp | Scope::Block, BarrierKind::Part) => index
            .group_of(barrier)
            .is_some_and(|group| groups >> group & 1 == 1),
        (Scope::Warp | Scope::Block, BarrierKind::Block | BarrierKind::Grid) => true,
        (Scope::Grid | Scope::System, BarrierKind::Grid) => true,
        // Blocks of one cluster.
        (Scope::Grid, _) if groups == 1 => index.is_of_cluster(barrier.barrier),
        _ => false,
    }
}

/// The back edges crossed by paths from `head` without a barrier of the scope, where the loops in
/// `fixed` stay in their iteration; with `carried`, after that loop's back edge was crossed.
pub(crate) fn from_head(
    index: &Index,
    level: Level,
    head: PointId,
    carried: Option<LoopId>,
    fixed: &[LoopId],
) -> Arc<Region> {
    let start = carried.map_or(head, |id| index.loop_row(id).head);
    walk(index, level, start, fixed)
}

/// Whether a whole iteration of the loop is possible without a barrier of the scope.
pub(crate) fn has_free_cycle(index: &Index, level: Level, id: LoopId) -> bool {
    let outer: Vec<LoopId> = index
        .loops(index.loop_row(id).head)
        .iter()
        .copied()
        .take_while(|&other| other != id)
        .collect();
    let head = index.loop_row(id).head;
    walk(index, level, head, &outer).may_repeat(id)
}

fn walk(index: &Index, level: Level, start: PointId, fixed: &[LoopId]) -> Arc<Region> {
    let mut known = index.walks.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (level, start, fixed.to_vec());
    let region = known
        .entry(key)
        .or_insert_with(|| Arc::new(walked(index, level, start, fixed)));
    Arc::clone(region)
}

fn walked(index: &Index, level: Level, start: PointId, fixed: &[LoopId]) -> Region {
    let mut crossed = FxHashSet::default();
    let mut seen: FxHashSet<PointId> = FxHashSet::default();
    let mut stack = vec![start];
    while let Some(from) = stack.pop() {
        for &to in index.successors(from) {
            if let Some(id) = index.back_edge(from, to) {
                if fixed.contains(&id) {
                    continue;
                }
                crossed.insert(id);
            }
            if !separates(index, to, level) && seen.insert(to) {
                stack.push(to);
            }
        }
    }
    Region { crossed }
}
