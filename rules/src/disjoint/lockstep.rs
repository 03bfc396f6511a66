//! D11 `not-on-one-path`: where control is uniform, the threads of a scope take one path, so two
//! accesses of one interval lie on one path from the head without a barrier between them.
//!
//! `for (k…) { for (j…) { s[t] = …; __syncthreads(); } }`: in the interval after the barrier, one
//! thread cannot be in the next round of `j` while another has skipped the inner loop.
//!
//! **Argument.** Let all barriers, and all points by which a loop or the kernel is left, be
//! uniform in the scope: threads agree at equal iterations on reaching them. Then conditions that
//! differ between threads decide only over regions without barriers and leavings, which all
//! threads enter and leave at the same places. Call the entry of the outermost such region around
//! an access its *gate* (the access itself without one): any thread that is at the gate's place in
//! its path has company by all threads of the scope, since all conditions up to it are uniform. So
//! two accesses of one interval have their gates on one path, in one order or the other, and no
//! barrier is between the gates, as the threads are in one interval.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use warplog_facts::words::{GuardCause, PairScope, PointKind, Scope};
use warplog_facts::{AccessId, LaunchId, LoopId, PointId};

use super::Judge;
use crate::candidates::{Pair, State};
use crate::context::{Context, Level};
use crate::intervals::advance;
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
    let facts = ctx.facts;
    let loops_known = facts
        .loop_
        .iter()
        .filter(|row| row.launch == launch)
        .all(|row| {
            row.condition.is_some() && (!row.has_break || !ctx.leavings(row.loop_id).is_empty())
        });
    loops_known
        && facts
            .point
            .iter()
            .filter(|row| row.launch == launch)
            .all(|row| {
                let decides = matches!(
                    row.kind,
                    PointKind::Barrier | PointKind::Return | PointKind::Break | PointKind::Continue
                );
                !decides || uniform.of(launch).is_uniform_point(ctx, row.point, scope)
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

/// The gate of an access, if it is known.
fn gate(judge: &Judge<'_>, scope: Scope, access: AccessId) -> Option<PointId> {
    let ctx = judge.ctx;
    let point = ctx.access(access).point;
    let uniform = judge.uniform.of(ctx.launch_of(point));
    for &(term, cause, cause_point) in ctx.causes(point) {
        if !uniform.is_uniform(term, scope) {
            let entered = matches!(cause, GuardCause::Branch | GuardCause::Loop);
            return (entered && cause_point < point).then_some(cause_point);
        }
    }
    Some(point)
}

/// The aligned loops, with those that the one path of uniform control keeps in the same iteration:
/// no way from one access's gate to the other's within the interval crosses their back edge, or
/// that of a loop around them.
pub(crate) fn with_common_rounds(
    judge: &Judge<'_>,
    pair: &Pair,
    mut aligned: Vec<LoopId>,
) -> Vec<LoopId> {
    let ctx = judge.ctx;
    let (first, second) = (ctx.access(pair.first).point, ctx.access(pair.second).point);
    let common: Vec<LoopId> = ctx
        .loops(first)
        .iter()
        .copied()
        .filter(|&id| ctx.in_loop(second, id))
        .collect();
    let scope = match pair.scope {
        PairScope::Grid => Scope::Grid,
        _ => Scope::Block,
    };
    let launch = ctx.launch_of(first);
    // Without a barrier between blocks every loop may go round between the two.
    let apart = pair.scope == PairScope::Grid && !ctx.has_grid_barrier(launch);
    if apart || common.len() == aligned.len() || !judge.has_uniform_paths(launch, scope) {
        return aligned;
    }
    let (Some(one), Some(other)) = (
        gate(judge, scope, pair.first),
        gate(judge, scope, pair.second),
    ) else {
        return aligned;
    };
    let intervals = pair.level();
    // The gates must be what they are taken for: on the way to the accesses.
    let leads = |gate: PointId, state: State, point: PointId| {
        gate == point
            || judge
                .following(intervals, pair.head, (gate, state))
                .contains(&(point, state))
    };
    if !leads(one, pair.first_state, first) || !leads(other, pair.second_state, second) {
        return aligned;
    }
    let (ours, theirs) = (
        judge.crossed(intervals, one),
        judge.crossed(intervals, other),
    );
    for loop_id in common {
        if aligned.binary_search(&loop_id).is_ok() {
            continue;
        }
        let crossed = [&ours, &theirs];
        let stays = crossed
            .iter()
            .all(|list| list.binary_search(&loop_id).is_err());
        if !stays || !ctx.in_loop(one, loop_id) || !ctx.in_loop(other, loop_id) {
            break;
        }
        aligned.push(loop_id);
        aligned.sort_unstable();
    }
    aligned
}

/// Whether the two accesses cannot be on one path of their interval.
pub(crate) fn is_on_no_path(judge: &Judge<'_>, pair: &Pair, scope: Scope) -> bool {
    let ctx = judge.ctx;
    if pair.exit.is_some() || !judge.has_uniform_paths(ctx.launch_of(pair.head), scope) {
        return false;
    }
    let (Some(one), Some(other)) = (
        gate(judge, scope, pair.first),
        gate(judge, scope, pair.second),
    ) else {
        return false;
    };
    let (one, other) = ((one, pair.first_state), (other, pair.second_state));
    let intervals = pair.level();
    let follows =
        |from: Node| -> Rc<FxHashSet<Node>> { judge.following(intervals, pair.head, from) };
    let interval = follows((pair.head, (None, false)));
    // The gates must be what they are taken for: passed in the interval on the way to the accesses.
    let leads = |node: Node, access: AccessId| {
        let target = (ctx.access(access).point, node.1);
        interval.contains(&node) && (node == target || follows(node).contains(&target))
    };
    leads(one, pair.first)
        && leads(other, pair.second)
        && one != other
        && !follows(one).contains(&other)
        && !follows(other).contains(&one)
}
