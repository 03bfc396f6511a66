//! Barrier divergence: at which conditions threads of a barrier's group may disagree about
//! reaching it.
//!
//! **Accuracy.** Two threads disagree about an instance of a barrier (at equal iterations of the
//! loops around it) only if a conjunct of its guard differs between them, or one of them left a
//! loop around the barrier, or the kernel, in an earlier iteration while the other did not. Each of
//! these causes has a row here: discarded when the condition is uniform in the group, else a
//! candidate. The groups of warp barriers, and of operations at which lanes meet, are lanes of one
//! warp; where a mask names some lanes only, a lane that comes there without being named is a cause
//! of its own. Of a mask that is not known nothing is asked, and its barrier orders nothing.

use ascent::ascent_run;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{CandidateDivergenceRow, DiscardedDivergenceRow};
use warplog_facts::words::{BarrierKind, GuardCause, Scope};
use warplog_facts::{BarrierId, BarrierRow, LaunchId, Op, PointId, TermId};

use crate::context::Context;
use crate::counted::Groups;
use crate::uniformity::Uniform;

/// A cause of disagreement: kind, place, position in the guard, and the terms that decide it
/// (`None` stands for a condition that is not known).
type Cause = (GuardCause, PointId, Option<u32>, Option<TermId>);

/// The candidates and the discarded causes of all barriers of blocks and grids.
pub(crate) fn divergence(
    ctx: &Context<'_>,
    uniform: &Uniform,
) -> (Vec<CandidateDivergenceRow>, Vec<DiscardedDivergenceRow>) {
    let checked = checked(ctx);
    let mut groups = Groups::new(ctx, uniform);
    let mut conjuncts = Vec::new();
    // The places of conditions that may let an iteration pass the barrier by.
    let mut inner: FxHashMap<BarrierId, Vec<PointId>> = FxHashMap::default();
    for row in &ctx.facts.guard_at {
        let Some(barrier) = ctx.barrier_at(row.point) else {
            continue;
        };
        let Some(scope) = checked_in(ctx, &checked, barrier) else {
            continue;
        };
        let cause = (
            row.cause,
            row.cause_point,
            Some(row.position),
            Some(row.term),
        );
        let at = &ctx.facts.barrier[barrier.index()];
        let rule = if Groups::named(at, ctx.facts, (row.term, row.polarity)) {
            Some("named-threads")
        } else {
            agreed(ctx, &mut groups, (at, scope), cause, uniform)
        };
        conjuncts.push((barrier, cause, rule));
        if matches!(
            row.cause,
            GuardCause::Branch | GuardCause::Continue | GuardCause::Loop
        ) {
            inner.entry(barrier).or_default().push(row.cause_point);
        }
    }
    let mut causes: Vec<(BarrierId, Cause, Option<&'static str>)> = Vec::new();
    for barrier in &ctx.facts.barrier {
        let Some(scope) = checked_in(ctx, &checked, barrier.barrier) else {
            continue;
        };
        // R37: a lane comes there that the mask does not name.
        if let Some(member) = barrier.member
            && ctx
                .facts
                .terms
                .as_const(member)
                .is_none_or(|value| value == 0)
            && !ctx.guards(barrier.point).contains(&(member, true))
        {
            let cause = (GuardCause::Mask, barrier.point, None, Some(member));
            let rule = groups.all_are_named(barrier, member);
            causes.push((barrier.barrier, cause, rule.then_some("counted-members")));
        }
        // R43: two lanes come there with different masks.
        if let (Some(mask), Some(_)) = (barrier.mask, barrier.key) {
            let cause = (GuardCause::Masks, barrier.point, None, Some(mask));
            let rule = agreed_on_mask(ctx, &mut groups, barrier, mask, uniform);
            causes.push((barrier.barrier, cause, rule));
        }
        let inner = inner.get(&barrier.barrier).map_or(&[][..], Vec::as_slice);
        for cause in earlier_leavings(ctx, barrier.point, inner) {
            let rule = agreed(ctx, &mut groups, (barrier, scope), cause, uniform);
            causes.push((barrier.barrier, cause, rule));
        }
    }
    let program = ascent_run! {
        relation conjunct(BarrierId, Cause, Option<&'static str>) = conjuncts;
        relation leaving(BarrierId, Cause, Option<&'static str>) = causes;
        relation cause(BarrierId, Cause, Option<&'static str>);
        relation disputed(BarrierId, GuardCause, PointId, Option<u32>);
        relation agreed_on(BarrierId, GuardCause, PointId, Option<u32>, Option<TermId>, &'static str);

        // R21: threads may disagree about a barrier at each conjunct of its guard,
        cause(barrier, cause, rule) <-- conjunct(barrier, cause, rule);
        // R22: and by leaving a loop around it, or the kernel, in an earlier iteration.
        cause(barrier, cause, rule) <-- leaving(barrier, cause, rule);
        // They do not where a rule says so of all terms that decide it.
        disputed(barrier, cause.0, cause.1, cause.2) <--
            cause(barrier, cause, rule), if rule.is_none();
        agreed_on(barrier, cause.0, cause.1, cause.2, cause.3, rule) <--
            cause(barrier, cause, decided), if let Some(rule) = *decided,
            !disputed(barrier, cause.0, cause.1, cause.2);
    };
    let launch_of = |barrier: BarrierId| -> LaunchId {
        ctx.launch_of(ctx.facts.barrier[barrier.index()].point)
    };
    let mut candidates: Vec<CandidateDivergenceRow> = program
        .disputed
        .into_iter()
        .map(
            |(barrier, cause, cause_point, position)| CandidateDivergenceRow {
                launch: launch_of(barrier),
                barrier,
                cause,
                cause_point,
                position,
            },
        )
        .collect();
    candidates.sort_unstable();
    let mut discarded: Vec<DiscardedDivergenceRow> = program
        .agreed_on
        .into_iter()
        .map(
            |(barrier, cause, cause_point, _, evidence, rule)| DiscardedDivergenceRow {
                launch: launch_of(barrier),
                barrier,
                cause,
                cause_point,
                rule: rule.to_owned(),
                evidence,
            },
        )
        .collect();
    discarded.sort_unstable();
    discarded.dedup();
    (candidates, discarded)
}

/// The rule by which the threads of a barrier's group agree on the term of a cause, if one says so.
fn agreed(
    ctx: &Context<'_>,
    groups: &mut Groups<'_>,
    (barrier, scope): (&BarrierRow, Scope),
    cause: Cause,
    uniform: &Uniform,
) -> Option<&'static str> {
    let (_, point, position, term) = cause;
    let term = term?;
    // R23: they agree where the condition is uniform in the barrier's group.
    if uniform.of(ctx.launch_of(point)).is_uniform(term, scope) {
        return Some("tid-independent-condition");
    }
    // Whoever disagrees at a conjunct satisfies those before it.
    let before = position.map_or(&[][..], |position| {
        ctx.guards_before(barrier.point, position)
    });
    groups.agree(barrier, scope, term, before)
}

/// The rule by which lanes that name each other bring one mask.
fn agreed_on_mask(
    ctx: &Context<'_>,
    groups: &mut Groups<'_>,
    barrier: &BarrierRow,
    mask: TermId,
    uniform: &Uniform,
) -> Option<&'static str> {
    let launch = ctx.launch_of(barrier.point);
    if uniform.of(launch).is_uniform(mask, Scope::Warp) {
        return Some("tid-independent-condition");
    }
    groups
        .bring_one_mask(barrier, mask)
        .then_some("counted-masks")
}

/// The barriers that are asked about: of operations that are alike in all that decides who comes to
/// them, the first.
fn checked(ctx: &Context<'_>) -> FxHashSet<BarrierId> {
    let mut seen = FxHashSet::default();
    let mut checked = FxHashSet::default();
    for row in &ctx.facts.barrier {
        let known = match (row.kind, row.mask) {
            (BarrierKind::Warp | BarrierKind::Meet, Some(mask)) => {
                row.member.is_some() || is_known(ctx, mask)
            }
            _ => true,
        };
        let alike = (
            ctx.launch_of(row.point),
            row.kind,
            (row.mask, row.member, row.key),
            ctx.loops(row.point),
            ctx.guards(row.point),
        );
        if known && (row.kind != BarrierKind::Meet || seen.insert(alike)) {
            checked.insert(row.barrier);
        }
    }
    checked
}

/// Whether nothing that memory or lowering hides takes part in the term.
fn is_known(ctx: &Context<'_>, term: TermId) -> bool {
    let parts = ctx.facts.terms.reachable(&[term]);
    let known = |part: &TermId| {
        let op = ctx.facts.terms.get(*part).op;
        !matches!(op, Op::Load | Op::Unknown | Op::Exit)
    };
    parts.iter().all(known)
}

/// The scope in which threads must agree on coming to the barrier, if that is asked.
fn checked_in(
    ctx: &Context<'_>,
    checked: &FxHashSet<BarrierId>,
    barrier: BarrierId,
) -> Option<Scope> {
    let scope = match ctx.facts.barrier[barrier.index()].kind {
        BarrierKind::Block | BarrierKind::Part | BarrierKind::Collective => Scope::Block,
        BarrierKind::Grid => Scope::Grid,
        BarrierKind::Warp | BarrierKind::Meet => Scope::Warp,
    };
    checked.contains(&barrier).then_some(scope)
}

/// The ways in which a thread may have left before it comes to this iteration of the barrier: one
/// entry for each term that decides it, and one without a term where nothing is known.
fn earlier_leavings(ctx: &Context<'_>, barrier: PointId, inner: &[PointId]) -> Vec<Cause> {
    let mut leavings: Vec<(GuardCause, PointId)> = Vec::new();
    for &loop_id in ctx.loops(barrier) {
        for &point in ctx.breaks(loop_id) {
            leavings.push((GuardCause::Break, point));
        }
    }
    for &point in ctx.returns(ctx.launch_of(barrier)) {
        let common = ctx.loops(point).iter().any(|&id| ctx.in_loop(barrier, id));
        let looped = !ctx.loops(point).is_empty();
        // A return before the barrier in no loop is a conjunct of the barrier's guard.
        if common || (looped && point < barrier) {
            leavings.push((GuardCause::Return, point));
        }
    }
    let mut causes = Vec::new();
    for (cause, point) in leavings {
        for term in deciding_terms(ctx, point) {
            causes.push((cause, point, None, term));
        }
    }
    for &loop_id in ctx.loops(barrier) {
        let row = &ctx.facts.loop_[loop_id.index()];
        if row.has_break && ctx.leavings(loop_id).is_empty() {
            causes.push((GuardCause::Loop, row.head, None, None));
        }
        match row.condition {
            // A loop of which nothing is known may be left by any thread at any time.
            None => causes.push((GuardCause::Loop, row.head, None, None)),
            // Where the barrier is skipped in some iterations, a thread may leave in one of them:
            // `for (i = 0; i < t; i++) if (i & 1) __syncthreads();`
            Some(condition) if inner.iter().any(|&point| point > row.head) => {
                causes.push((GuardCause::Loop, row.head, None, Some(condition)));
            }
            Some(_) => {}
        }
    }
    causes
}

/// The terms that decide whether a thread comes to the point: its conjuncts, and those of the ways
/// out of the loops around it in earlier iterations.
fn deciding_terms(ctx: &Context<'_>, point: PointId) -> Vec<Option<TermId>> {
    let mut points = vec![point];
    let mut terms = Vec::new();
    for &loop_id in ctx.loops(point) {
        points.extend(ctx.leavings(loop_id));
        if ctx.facts.loop_[loop_id.index()].condition.is_none() {
            terms.push(None);
        }
    }
    for point in points {
        terms.extend(ctx.guards(point).iter().map(|&(term, _)| Some(term)));
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}
