//! Writes of rounds that a thread behind a loop leaves no thread to run.
//!
//! `for (k = 0; k < 3; k++) { if (t == k) s[t] = 1; __syncthreads(); } if (s[0] > 3) …`: what follows the last barrier of the loop
//! is in one interval with a round that comes after it, and yet is not. Where the condition of the loop is the same for all threads
//! of the block, none is in a round that another does not run.
//!
//! **Algorithm.** That of D9 `same-trip-count` (`discharge/same_trip_count.rs`), for a read and a write instead of a pair that may race: all
//! ways from the head to the write lead through the loop's condition, found true, and all to the read through the same, found false.
//!
//! **Accuracy.** Barriers are not divergent, which is told elsewhere, and the loop is left by its condition only.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use warplog_facts::derived::{InsideRow, StableLoadRow};
use warplog_facts::words::{AccessKind, Scope, Space};
use warplog_facts::{AccessId, PointId};

use crate::context::Context;
use crate::intervals::crossed_back_edges;
use crate::uniformity::Uniform;

/// A write that no thread of the block does in an interval of this head in which the read stands.
pub(crate) type LaterRound = (PointId, AccessId, AccessId);

/// How a point is reached from a head, see [`InsideRow`].
type State = (Option<warplog_facts::LoopId>, bool);

/// The writes of later rounds, for reads that are not known to be stable.
pub(crate) fn later_rounds(
    ctx: &Context<'_>,
    inside: &[InsideRow],
    uniform: &Uniform,
    stable: &[StableLoadRow],
    access_at: &dyn Fn(PointId) -> Option<AccessId>,
) -> FxHashSet<LaterRound> {
    let is_stable: FxHashSet<AccessId> = stable.iter().map(|row| row.access).collect();
    let mut heads: BTreeMap<PointId, BTreeMap<AccessId, Vec<State>>> = BTreeMap::new();
    for row in inside {
        if row.scope != Scope::Block || row.groups != 0 {
            continue;
        }
        if let Some(access) = access_at(row.point)
            && ctx.space(access) != Space::Local
        {
            let points = heads.entry(row.head).or_default();
            points
                .entry(access)
                .or_default()
                .push((row.carried, row.repeated));
        }
    }
    let mut found = FxHashSet::default();
    for (head, points) in heads {
        let is_read = |access: &AccessId| {
            ctx.access(*access).kind == AccessKind::Read && !is_stable.contains(access)
        };
        for (&read, to_read) in points.iter().filter(|(access, _)| is_read(access)) {
            let storage = ctx.storage(read);
            for (&write, to_write) in &points {
                let changes = ctx.access(write).kind != AccessKind::Read;
                if changes
                    && ctx.storage(write) == storage
                    && is_of_a_later_round(ctx, uniform, head, (read, to_read), (write, to_write))
                {
                    found.insert((head, read, write));
                }
            }
        }
    }
    found
}

fn is_of_a_later_round(
    ctx: &Context<'_>,
    uniform: &Uniform,
    head: PointId,
    (read, to_read): (AccessId, &[State]),
    (write, to_write): (AccessId, &[State]),
) -> bool {
    let (after, inside) = (ctx.access(read).point, ctx.access(write).point);
    let mut loops = ctx.loops(inside).iter();
    let Some(&loop_id) = loops.find(|&&id| !ctx.in_loop(after, id)) else {
        return false;
    };
    let row = &ctx.facts.loop_[loop_id.index()];
    let terms = uniform.of(ctx.launch_of(head));
    let is_uniform = |term| terms.is_uniform(term, Scope::Block);
    let Some(condition) = row.condition else {
        return false;
    };
    let goes_on = (condition, true);
    if row.head >= after
        || row.has_break
        || !ctx.leavings(loop_id).is_empty()
        || !ctx.guards(inside).contains(&goes_on)
        || !is_uniform(condition)
    {
        return false;
    }
    // R50: a write in a round of a loop that all threads run is not in one interval with a read behind the loop.
    let level = (Scope::Block, 0);
    let crossed = crossed_back_edges(ctx, level, head);
    // The loops around both that begin behind the head are in their first round.
    let mut around = ctx.loops(inside).iter().take_while(|&&id| id != loop_id);
    if around.any(|&id| !ctx.in_loop(head, id) && crossed.contains(&id)) {
        return false;
    }
    // The loops around are in one iteration for both: that of the head.
    let stays = |states: &[State]| states.iter().all(|&state| state == (None, false));
    if ctx.in_loop(head, loop_id) {
        let next = |&state: &State| state == (Some(loop_id), false);
        to_write.iter().all(next)
            && stays(to_read)
            && !crossed_back_edges(ctx, level, row.head).contains(&loop_id)
    } else {
        stays(to_write)
            && stays(to_read)
            && !crossed.contains(&loop_id)
            && ctx
                .guards(row.head)
                .iter()
                .all(|&(term, _)| is_uniform(term))
    }
}
