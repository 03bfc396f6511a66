//! Ways through the control-flow graph: where control is uniform, and what can follow a point within its interval.

use rustc_hash::FxHashSet;
use warplog_facts::words::{PointKind, Scope};
use warplog_facts::{LaunchId, PointId};

use crate::context::{Context, Level};
use crate::intervals::advance;
use crate::pair::State;
use crate::uniformity::Uniform;

/// A point in an interval with the state in which it is reached.
pub(crate) type Node = (PointId, State);

/// Whether control of a launch is uniform in the scope as far as barriers and leavings go.
pub(crate) fn has_uniform_paths(
    ctx: &Context<'_>,
    uniform: &Uniform,
    launch: LaunchId,
    scope: Scope,
) -> bool {
    let loops_known = ctx.loop_rows(launch).iter().all(|row| {
        row.condition.is_some() && (!row.has_break || !ctx.leavings(row.loop_id).is_empty())
    });
    loops_known
        && ctx.points(launch).iter().all(|&point| {
            let decides = matches!(
                ctx.facts.point[point.index()].kind,
                PointKind::Barrier | PointKind::Return | PointKind::Break | PointKind::Continue
            );
            !decides || uniform.of(launch).is_uniform_point(ctx, point, scope)
        })
}

/// What can follow a node within the interval of a head.
pub(crate) fn following(
    ctx: &Context<'_>,
    level: Level,
    head: PointId,
    from: Node,
) -> FxHashSet<Node> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![from];
    while let Some((point, state)) = stack.pop() {
        for &(to, back) in ctx.successors(point) {
            let next = (to, advance(ctx, head, state, to, back));
            let cut = ctx
                .barrier_at(to)
                .is_some_and(|barrier| ctx.separates(barrier, level));
            if !cut && seen.insert(next) {
                stack.push(next);
            }
        }
    }
    seen
}
