//! Loops in which a thread may wait for others.
//!
//! `while (true) { if (atomicAdd(flag, 0) != 0) break; }`
//!
//! Who passes such a loop knows that another thread has come to some place, and a fence on either side makes an order of that, for all
//! threads of the block behind a barrier. A run of two threads that do not come to the loop themselves cannot tell, so a race behind it
//! is not confirmed.
//!
//! **Recognition.** What decides whether the loop goes on, its condition, or that of a way out of it, rests on something that comes about
//! inside of the loop: the result of an atomic operation, a read of memory that the launch also changes, a variable without a closed form.
//! The launch has a fence, or an atomic object, whose operations may order.
//!
//! **Accuracy.** Too many loops cost certainty, too few would confirm what is no race. Reads of memory that the launch does not change do
//! not wait.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::MayWaitRow;
use warplog_facts::words::{AccessKind, Space};
use warplog_facts::{LaunchId, LoopId, LoopRow, Op, TermId, UnknownId};

use crate::context::Context;

/// The rows of `may_wait`.
pub(crate) fn waits(ctx: &Context<'_>) -> Vec<MayWaitRow> {
    let facts = ctx.facts;
    let mut ordering: FxHashSet<LaunchId> = FxHashSet::default();
    ordering.extend(facts.fence.iter().map(|row| ctx.launch_of(row.point)));
    let objects = facts
        .access
        .iter()
        .filter(|row| row.kind == AccessKind::Atomic && !row.operation.starts_with("atomic"));
    ordering.extend(objects.map(|row| ctx.launch_of(row.point)));
    if ordering.is_empty() {
        return Vec::new();
    }
    let mut rests: Rests = FxHashMap::default();
    for row in &facts.unknown_depends_on {
        rests.entry(row.unknown).or_default().push(row.term);
    }
    for row in &facts.unknown_controlled_by {
        rests.entry(row.unknown).or_default().push(row.term);
    }
    let loops = facts
        .loop_
        .iter()
        .filter(|row| ordering.contains(&row.launch));
    loops
        .filter(|row| may_wait(ctx, &rests, row))
        .map(|row| MayWaitRow {
            loop_id: row.loop_id,
        })
        .collect()
}

/// What unknown values are computed from, and under what control.
type Rests = FxHashMap<UnknownId, Vec<TermId>>;

fn may_wait(ctx: &Context<'_>, rests: &Rests, row: &LoopRow) -> bool {
    let facts = ctx.facts;
    let mut leavings = ctx.leavings(row.loop_id);
    leavings.extend(ctx.breaks(row.loop_id));
    let guards = leavings.iter().flat_map(|&point| ctx.guards(point));
    let mut open: Vec<TermId> = guards.map(|&(term, _)| term).collect();
    open.extend(row.condition);
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(root) = open.pop() {
        for id in facts.terms.reachable(&[root]) {
            if !seen.insert(id) {
                continue;
            }
            let term = facts.terms.get(id);
            if comes_about(ctx, row.launch, row.loop_id, id) {
                return true;
            }
            if let Some(unknown) = term.unknown().filter(|_| term.op == Op::Unknown) {
                open.extend(rests.get(&unknown).into_iter().flatten());
            }
        }
    }
    false
}

/// Whether a leaf gets its value inside of the loop, in a way that other threads have a part in.
fn comes_about(ctx: &Context<'_>, launch: LaunchId, inside: LoopId, id: TermId) -> bool {
    let term = ctx.facts.terms.get(id);
    match term.op {
        Op::Unknown => term.unknown().is_some_and(|unknown| {
            let point = ctx.facts.unknown[unknown.index()].point;
            ctx.in_loop(point, inside)
        }),
        Op::Load => term.access().is_some_and(|access| {
            let changed = |&&other: &&warplog_facts::AccessId| {
                ctx.access(other).kind != AccessKind::Read
                    && ctx.storage(other) == ctx.storage(access)
            };
            let shared = matches!(ctx.space(access), Space::Global | Space::Shared);
            shared
                && ctx.in_loop(ctx.access(access).point, inside)
                && ctx.accesses(launch).iter().any(|other| changed(&other))
        }),
        _ => false,
    }
}
