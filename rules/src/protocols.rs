//! Protocols: locks and tickets by which threads order accesses without a barrier.
//!
//! That a spin lock excludes, and that the block with the last ticket comes after all others, is no
//! matter of intervals. The rules D15 and D17 show it; pairs that look like it and are left over are named here, so that the
//! protocol is told with them: where its rule was asked, a race of theirs is potential; where it was not, and of waits, for
//! which there is no rule, it is undecided. Where each thread chooses its lock, or its counter, no rule is asked: two threads with
//! different ones race, and of two with one nothing is decided.
//!
//! **Recognition**, by program order and path conditions:
//! - *lock*: an `atomicCAS` or `atomicExch` whose result decides a loop around it, or the access itself, takes the lock; a
//!   later write to the same memory behind a fence releases it. An access between the two belongs to
//!   the lock if its thread took it, or if block barriers stand between the taking, the access and
//!   the release.
//! - *counter*: an atomic operation behind a fence draws a ticket. What stands before the fence comes
//!   first; what is executed under a condition on the ticket, also by way of a flag in shared memory,
//!   comes last.
//! - *wait*: a loop goes on as long as an atomic operation on global memory, or a read of it that is the same in every round, does not
//!   find what is waited for. What stands behind it, in the thread that waits or behind a barrier of its block, comes after what other blocks did before a fence.
//!
//! Which terms rest on what an operation found is derived by the rules of `results.rs`, for all launches at once.
//!
//! **Accuracy.** None is needed for soundness: a pair that is named is never called free of races, nor a race of it confirmed.
//! Without the fence nothing is named, as nothing then orders the accesses.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{CandidateRaceRow, ProtectedRow};
use warplog_facts::words::{AccessKind, BarrierKind, PairScope, Protocol, Scope, Space};
use warplog_facts::{AccessId, AccessRow, LaunchId, LoopId, Op, PointId, TermId};

use crate::context::Context;
use crate::locks::are_modelled;
use crate::results::results;
use crate::routes::{Constancy, Constants};

/// What a launch has for protocols.
struct Parts {
    /// Whether locks and tickets are looked at.
    modelled: bool,
    fences: Vec<(PointId, Scope)>,
    barriers: Vec<PointId>,
    /// Atomic operations and reads of what is waited for, with the terms that depend on their results.
    draws: Vec<(AccessId, FxHashSet<TermId>)>,
}

/// The pairs of candidates that keep to a protocol.
pub(crate) fn protocols(ctx: &Context<'_>, candidates: &[CandidateRaceRow]) -> Vec<ProtectedRow> {
    let parts = parts(ctx, candidates);
    let mut rows = Vec::new();
    let constants = std::cell::LazyCell::new(|| Constants::new(ctx));
    for candidate in candidates {
        let Some(parts) = parts.get(&candidate.launch) else {
            continue;
        };
        let pair = [candidate.first, candidate.second].map(|access| ctx.access(access));
        let mut kept = parts.draws.iter().filter_map(|(draw, results)| {
            let draw = ctx.access(*draw);
            let protocol = parts.protocol(ctx, draw, results, pair, candidate.scope)?;
            Some((draw, protocol, constants.of(draw.index) > Constancy::Grid))
        });
        let Some((draw, protocol, several)) = kept.next() else {
            continue;
        };
        // Which of several chosen locks the two threads have in common is not followed.
        let and_more = kept.any(|(other, kind, chosen)| {
            kind == protocol && other.index != draw.index && (several || chosen)
        });
        rows.push(ProtectedRow {
            first: candidate.first,
            second: candidate.second,
            scope: candidate.scope,
            protocol,
            operation: draw.access,
            modelled: parts.modelled && protocol != Protocol::Wait && !and_more,
            several,
        });
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The parts of the launches that have candidates, fences, and operations on whose results something rests.
fn parts(ctx: &Context<'_>, candidates: &[CandidateRaceRow]) -> FxHashMap<LaunchId, Parts> {
    let mut launches: Vec<LaunchId> = candidates.iter().map(|row| row.launch).collect();
    launches.sort_unstable();
    launches.dedup();
    launches.retain(|&launch| !ctx.fences(launch).is_empty());
    let accesses = launches.iter().flat_map(|&launch| ctx.accesses(launch));
    let draws = accesses.copied().filter(|&access| {
        let row = ctx.access(access);
        row.kind == AccessKind::Atomic || is_waited_for(ctx, row)
    });
    let mut parts: FxHashMap<LaunchId, Parts> = FxHashMap::default();
    for (draw, results) in results(ctx, &draws.collect::<Vec<_>>()) {
        let launch = ctx.launch_of(ctx.access(draw).point);
        let parts = parts
            .entry(launch)
            .or_insert_with(|| Parts::new(ctx, launch));
        parts.draws.push((draw, results));
    }
    parts
}

impl Parts {
    fn new(ctx: &Context<'_>, launch: LaunchId) -> Self {
        let fences = ctx.fences(launch).iter();
        let points = ctx.points(launch).iter().copied();
        let is_barrier = |point: &PointId| {
            ctx.barrier_at(*point).is_some_and(|barrier| {
                let kind = ctx.facts.barrier[barrier.index()].kind;
                matches!(kind, BarrierKind::Block | BarrierKind::Grid)
            })
        };
        Parts {
            modelled: are_modelled(ctx, launch),
            fences: fences.map(|row| (row.point, row.scope)).collect(),
            barriers: points.filter(is_barrier).collect(),
            draws: Vec::new(),
        }
    }

    /// The protocol of this operation that a pair keeps to.
    fn protocol(
        &self,
        ctx: &Context<'_>,
        draw: &AccessRow,
        results: &FxHashSet<TermId>,
        pair: [&AccessRow; 2],
        scope: PairScope,
    ) -> Option<Protocol> {
        let is_atomic = draw.kind == AccessKind::Atomic;
        if is_atomic && self.is_locked(ctx, draw, results, pair, scope) {
            Some(Protocol::Lock)
        } else if self.is_awaited(ctx, draw, results, pair, scope) {
            Some(Protocol::Wait)
        } else if is_atomic && self.is_counted(ctx, draw, results, pair, scope) {
            Some(Protocol::Counter)
        } else {
            None
        }
    }

    fn has_fence(&self, from: PointId, to: PointId, scope: PairScope) -> bool {
        let needed = match scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        };
        let mut fences = self.fences.iter();
        fences.any(|&(point, of)| from < point && point < to && of >= needed)
    }

    /// Whether a fence stands on the way from one point to another that its thread comes to, or its block behind a barrier.
    fn is_fenced(&self, ctx: &Context<'_>, from: PointId, to: PointId, scope: PairScope) -> bool {
        from < to
            && self.has_fence(from, to, scope)
            && (executes(ctx, from, to) || self.has_barrier(from, to))
    }

    fn has_barrier(&self, from: PointId, to: PointId) -> bool {
        self.barriers.iter().any(|&at| from < at && at < to)
    }

    /// Whether both accesses stand between the taking of one lock and its release.
    fn is_locked(
        &self,
        ctx: &Context<'_>,
        draw: &AccessRow,
        results: &FxHashSet<TermId>,
        pair: [&AccessRow; 2],
        scope: PairScope,
    ) -> bool {
        let takes = ["CAS", "Exch", "exchange", "test_and_set"]
            .iter()
            .any(|part| draw.operation.contains(part));
        let spins = ctx.loops(draw.point).iter().copied().find(|&id| {
            let row = &ctx.facts.loop_[id.index()];
            let decided = row.condition.is_some_and(|term| results.contains(&term));
            let mut leavings = ctx.breaks(id).iter();
            decided
                || leavings.any(|&point| {
                    let mut guards = ctx.guards(point).iter();
                    guards.any(|(term, _)| results.contains(term))
                })
                || row.condition.is_none()
        });
        if !takes {
            return false;
        }
        let lock = ctx.storage(draw.access);
        let is_lock =
            |access: &AccessRow| (ctx.storage(access.access), access.index) == (lock, draw.index);
        pair.iter().all(|access| {
            let point = access.point;
            let decided = ctx
                .guards(point)
                .iter()
                .any(|(term, _)| results.contains(term));
            let waited = spins.is_some_and(|spins| !ctx.in_loop(point, spins));
            let behind = point > draw.point && (decided || waited);
            let own =
                decided || spins.is_some_and(|spins| executes(ctx, point, ctx.loop_head(spins)));
            let released = ctx.accesses(ctx.launch_of(point)).iter().any(|&release| {
                let row = ctx.access(release);
                ctx.storage(release) == lock
                    && row.kind != AccessKind::Read
                    && row.point > point
                    && self.has_fence(point, row.point, scope)
                    && (own || self.has_barrier(point, row.point))
            });
            let taken = own || scope == PairScope::Grid && self.has_barrier(draw.point, point);
            behind && taken && released && !is_lock(access)
        })
    }

    /// Whether one access comes before the drawing of a ticket and the other behind it, or both
    /// behind.
    fn is_counted(
        &self,
        ctx: &Context<'_>,
        draw: &AccessRow,
        results: &FxHashSet<TermId>,
        pair: [&AccessRow; 2],
        scope: PairScope,
    ) -> bool {
        if scope != PairScope::Grid || draw.operation.contains("CAS") {
            return false;
        }
        let behind = |access: &AccessRow| {
            let mut guards = ctx.guards(access.point).iter();
            access.point > draw.point && guards.any(|(term, _)| results.contains(term))
        };
        let before = |access: &AccessRow| {
            access.access == draw.access || self.is_fenced(ctx, access.point, draw.point, scope)
        };
        let fenced = self.has_fence(PointId(0), draw.point, scope);
        let [one, other] = pair;
        fenced && (behind(one) && (before(other) || behind(other)) || behind(other) && before(one))
    }
}

impl Parts {
    /// Whether one access stands behind a loop that waits for other blocks, and the other before a fence.
    fn is_awaited(
        &self,
        ctx: &Context<'_>,
        draw: &AccessRow,
        results: &FxHashSet<TermId>,
        pair: [&AccessRow; 2],
        scope: PairScope,
    ) -> bool {
        if scope != PairScope::Grid || ctx.space(draw.access) != Space::Global {
            return false;
        }
        let Some(waits) = waits(ctx, draw, results) else {
            return false;
        };
        let head = ctx.loop_head(waits);
        let behind = |access: &AccessRow| {
            access.point > draw.point
                && !ctx.in_loop(access.point, waits)
                && (executes(ctx, access.point, head) || self.has_barrier(draw.point, access.point))
        };
        let before = |access: &AccessRow| self.is_fenced(ctx, access.point, head, scope);
        let [one, other] = pair;
        behind(one) && before(other) || behind(other) && before(one)
    }
}

/// The loop that goes on as long as an access that changes nothing finds one and the same place unchanged.
fn waits(ctx: &Context<'_>, draw: &AccessRow, results: &FxHashSet<TermId>) -> Option<LoopId> {
    let facts = ctx.facts;
    let terms = &facts.terms;
    let id = *ctx.loops(draw.point).last()?;
    let row = &facts.loop_[id.index()];
    let condition = row.condition.filter(|_| !row.has_break)?;
    // What decides besides may end it at once.
    let alone =
        results.contains(&condition) && !matches!(terms.get(condition).op, Op::And | Op::Or);
    let moves = |&id: &TermId| matches!(terms.get(id).op, Op::Iter | Op::Unknown);
    let stays = !terms.reachable(&[draw.index]).iter().any(moves);
    let changes = match draw.kind {
        AccessKind::Read => false,
        AccessKind::Write => true,
        AccessKind::Atomic => {
            let adds = ["atomicAdd", "atomicSub", "atomicOr", "atomicXor"];
            let by_nothing = adds.iter().any(|name| draw.operation.starts_with(name))
                && !facts
                    .atomic_step
                    .iter()
                    .any(|row| row.access == draw.access);
            let compares = ctx.exchange(draw.access);
            let by_itself = compares.is_some_and(|row| row.expected == Some(row.value));
            !by_nothing && !by_itself
        }
    };
    (alone && stays && !changes).then_some(id)
}

/// Whether a read decides by itself how long the loop around it goes on, in which nothing changes: `while (*flag == 0);`
fn is_waited_for(ctx: &Context<'_>, row: &AccessRow) -> bool {
    let Some(&id) = ctx.loops(row.point).last() else {
        return false;
    };
    let condition = ctx.facts.loop_[id.index()].condition;
    let Some(condition) = condition.filter(|_| row.kind == AccessKind::Read) else {
        return false;
    };
    let terms = &ctx.facts.terms;
    let reachable = terms.reachable(&[condition]);
    let reads = |id: &TermId| terms.get(*id).access() == Some(row.access);
    let varies = |id: &TermId| matches!(terms.get(*id).op, Op::Iter | Op::Unknown);
    let own = ctx.accesses(ctx.launch_of(row.point)).iter();
    let mut others = own.filter(|&&other| {
        ctx.access(other).kind != AccessKind::Read && ctx.in_loop(ctx.access(other).point, id)
    });
    ctx.space(row.access) == Space::Global
        && reachable.iter().any(reads)
        && !reachable.iter().any(varies)
        && others.next().is_none()
}

/// Whether a thread that comes to the first point comes to the second one, too, as far as the
/// conditions tell that stand around both.
fn executes(ctx: &Context<'_>, first: PointId, second: PointId) -> bool {
    let own = ctx.guards(first);
    let mut needed = ctx.guards(second).iter();
    needed.all(|conjunct| own.contains(conjunct))
}
