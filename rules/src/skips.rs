//! Skipped barriers: barriers whose place a thread passes on its way from the head of an interval
//! to a point without executing them.
//!
//! Guards are complete within an iteration, so a barrier that stands between head and point in an
//! iteration that is known (the head's or the point's) and was not executed had a false guard
//! there. Each row is a necessary condition of not having executed that instance. Instances in
//! iterations between are not described.

use rustc_hash::FxHashMap;
use warplog_facts::derived::{InsideRow, SkipsRow};
use warplog_facts::words::{Place, PointKind};
use warplog_facts::{LaunchId, LoopId, PointId};

use crate::context::{Context, Level};

/// Where a run from head to point, in this state, surely passes the barrier's place, if anywhere.
pub(crate) fn passed_at(
    ctx: &Context<'_>,
    head: PointId,
    point: PointId,
    carried: Option<LoopId>,
    barrier: PointId,
) -> Vec<Place> {
    let around = |outer: PointId| {
        let loops = ctx.loops(outer);
        ctx.loops(barrier).iter().all(|id| loops.contains(id))
    };
    let (around_head, around_point) = (around(head), around(point));
    let carried_around = carried.is_some_and(|id| ctx.in_loop(barrier, id));
    let mut places = Vec::new();
    // R3: in the point's iteration the barrier stands before the point, and that iteration began
    // after the head, or is the head's and the barrier comes after the head.
    let begun_later = !around_head || carried_around;
    let same_iteration = carried.is_none() && head < barrier;
    if around_point && barrier < point && (begun_later || same_iteration) {
        places.push(Place::Access);
    }
    // R4: in the head's iteration the barrier stands after the head, and that iteration ended
    // before the point, or is the point's and the barrier comes before the point.
    let ended_before = !around_point || carried_around;
    if around_head && head < barrier && (ended_before || (carried.is_none() && barrier < point)) {
        places.push(Place::Head);
    }
    // In one and the same iteration the two say the same.
    if places.len() == 2 && around_head && around_point && !carried_around {
        places.pop();
    }
    places
}

/// The `skips` rows of all intervals, for points at which something happens.
pub(crate) fn skips(ctx: &Context<'_>, inside: &[InsideRow]) -> Vec<SkipsRow> {
    let mut barriers: FxHashMap<(LaunchId, Level), Vec<PointId>> = FxHashMap::default();
    for row in &ctx.facts.barrier {
        let launch = ctx.launch_of(row.point);
        for &level in ctx.levels(launch) {
            if ctx.separates(row.barrier, level) {
                barriers.entry((launch, level)).or_default().push(row.point);
            }
        }
    }
    let mut rows = Vec::new();
    for row in inside {
        if ctx.facts.point[row.point.index()].kind == PointKind::Exit {
            continue;
        }
        let launch = ctx.launch_of(row.point);
        let Some(candidates) = barriers.get(&(launch, (row.scope, row.groups))) else {
            continue;
        };
        for &barrier in candidates {
            for place in passed_at(ctx, row.head, row.point, row.carried, barrier) {
                rows.push(SkipsRow {
                    scope: row.scope,
                    groups: row.groups,
                    head: row.head,
                    point: row.point,
                    carried: row.carried,
                    barrier,
                    place,
                });
            }
        }
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}
