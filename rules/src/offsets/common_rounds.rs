//! Loops that the one path of uniform control keeps in the same iteration for two accesses.
//!
//! The *gate* of an access is the entry of the outermost region around it whose condition differs between threads, or the access
//! itself: all threads of the scope come to it together. See `discharge/not_on_one_path.rs` for the argument.

use warplog_facts::words::{GuardCause, PairScope, Scope};
use warplog_facts::{AccessId, LoopId, PointId};

use super::judge::Judge;
use crate::pair::{Pair, State};

/// The gate of an access, if it is known.
pub(crate) fn gate(judge: &Judge<'_>, scope: Scope, access: AccessId) -> Option<PointId> {
    let ctx = judge.ctx;
    let point = ctx.access(access).point;
    let uniform = judge.given.uniform.of(ctx.launch_of(point));
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
