//! Barrier intervals: which points a thread can be at after a head (the kernel's entry or a
//! barrier) without another barrier of the scope, and in which iteration relative to the head's.
//!
//! **Algorithm.** Reachability over the control-flow graph. A state is a point together with the
//! outermost loop around head and point whose back edge was crossed since the head (`carried`) and
//! whether it may have been crossed more than once. Two threads in one dynamic interval have
//! crossed the same last barrier instance, so the head's iterations are common to both.
//!
//! **Accuracy.** Over-approximates: conditions are ignored, so each run of a thread from the head
//! to a point that crosses no barrier of the scope has a row, and that row describes it:
//! - loops around head and point outside `carried` (all of them without one) are in the same
//!   iteration, since crossing their back edge would have made them the carried loop, and leaving
//!   them for good would mean that they are not around the point;
//! - `carried` is in the next iteration, or in any later one when `repeated`;
//! - nothing is said of other loops around the point.
//!
//! The carried loop is forgotten where it is left: then the loops around both head and point are
//! those outside it, and they are in the same iteration.

use ascent::ascent_run;
use warplog_facts::derived::InsideRow;
use warplog_facts::words::PointKind;
use warplog_facts::{LoopId, PointId};

use crate::context::{Context, Level};

/// The state after an edge: `back` is the loop whose back edge it is.
pub(crate) fn advance(
    ctx: &Context<'_>,
    head: PointId,
    (carried, repeated): (Option<LoopId>, bool),
    to: PointId,
    back: Option<LoopId>,
) -> (Option<LoopId>, bool) {
    let crossed = match (back, carried) {
        (Some(crossed), _) if !ctx.in_loop(head, crossed) => (carried, repeated),
        (Some(crossed), None) => (Some(crossed), false),
        (Some(crossed), Some(loop_id)) if crossed == loop_id => (carried, true),
        (Some(crossed), Some(loop_id)) if ctx.strictly_encloses(crossed, loop_id) => {
            (Some(crossed), false)
        }
        _ => (carried, repeated),
    };
    match crossed.0 {
        Some(loop_id) if !ctx.in_loop(to, loop_id) => (None, false),
        _ => crossed,
    }
}

/// The `inside` rows of all launches, for points where something happens.
pub(crate) fn inside(ctx: &Context<'_>) -> Vec<InsideRow> {
    let mut heads = Vec::new();
    let mut cuts = Vec::new();
    for row in &ctx.facts.point {
        for &level in ctx.levels(row.launch) {
            let barrier = ctx.barrier_at(row.point);
            if barrier.is_some_and(|barrier| ctx.separates(barrier, level)) {
                heads.push((level, row.point));
                cuts.push((level, row.point));
            } else if row.kind == PointKind::Entry {
                heads.push((level, row.point));
            }
        }
    }
    let mut steps = Vec::new();
    for row in &ctx.facts.point {
        for &(to, back) in ctx.successors(row.point) {
            steps.push((row.point, to, back));
        }
    }
    let program = ascent_run! {
        relation head(Level, PointId) = heads;
        relation cuts(Level, PointId) = cuts;
        relation step(PointId, PointId, Option<LoopId>) = steps;
        relation reach(Level, PointId, PointId, Option<LoopId>, bool);

        // R1: what follows a head is in its interval.
        reach(level, head, to, after.0, after.1) <--
            head(level, head),
            step(head, to, back),
            let after = advance(ctx, *head, (None, false), *to, *back);
        // R2: so is what follows a point of the interval that is no barrier of the scope.
        reach(level, head, to, after.0, after.1) <--
            reach(level, head, from, carried, repeated),
            step(from, to, back),
            !cuts(level, from),
            let after = advance(ctx, *head, (*carried, *repeated), *to, *back);
    };
    let eventful = |point: PointId| {
        matches!(
            ctx.facts.point[point.index()].kind,
            PointKind::Access
                | PointKind::Barrier
                | PointKind::Return
                | PointKind::Condition
                | PointKind::Exit
        )
    };
    let mut rows: Vec<InsideRow> = program
        .reach
        .into_iter()
        .filter(|row| eventful(row.2))
        .map(
            |((scope, groups), head, point, carried, repeated)| InsideRow {
                scope,
                groups,
                head,
                point,
                carried,
                repeated,
            },
        )
        .collect();
    rows.sort_unstable();
    rows
}

/// The back edges that paths from a point can cross without a barrier of the scope. A loop that is
/// entered after the point and whose back edge is not among them is in its first iteration.
pub(crate) fn crossed_back_edges(ctx: &Context<'_>, level: Level, start: PointId) -> Vec<LoopId> {
    let mut crossed = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![start];
    while let Some(from) = stack.pop() {
        for &(to, back) in ctx.successors(from) {
            crossed.extend(back);
            let cut = ctx
                .barrier_at(to)
                .is_some_and(|barrier| ctx.separates(barrier, level));
            if !cut && seen.insert(to) {
                stack.push(to);
            }
        }
    }
    crossed.sort_unstable();
    crossed.dedup();
    crossed
}
