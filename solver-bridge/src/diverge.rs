//! The formula of a divergence candidate: one thread reaches a barrier, another one does not.
//!
//! Both threads are in the same iteration `h` of the loops around the barrier. The first satisfies
//! the barrier's path condition. The second satisfies the conjuncts before the one in question and
//! violates that one; or, when the disagreement is a leaving in an earlier iteration (no
//! position), it takes the break or return in an iteration before `h`.
//!
//! Behind an early `return` every barrier has its own question about the same condition. They differ by what lies between, which seldom
//! matters: so it is first asked, once for all of them, whether two threads can disagree about that condition at all
//! ([`condition_query`]). Its constraints are among those of each, so that where it has no model none of them has.

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::index::Index;
use crate::instances::{Iterations, Side};
use crate::query::{Fixing, LaunchRanges, Pairing, Query, Refinement, launch_query};

/// Which threads a barrier brings together.
pub(crate) fn pairing(candidate: &CandidateDivergenceRow, barrier: &BarrierRow) -> Pairing {
    if candidate.cause == GuardCause::Mask {
        return Pairing::One;
    }
    match barrier.kind {
        BarrierKind::Block | BarrierKind::Part | BarrierKind::Collective => {
            Pairing::Race(PairScope::Block)
        }
        BarrierKind::Warp | BarrierKind::Meet => Pairing::Race(PairScope::Warp),
        BarrierKind::Grid => Pairing::AnyOfGrid,
    }
}

/// The query of a divergence candidate.
pub(crate) fn divergence_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateDivergenceRow,
    fixing: &Fixing,
    refinements: &[Refinement],
) -> Query<'a> {
    let barrier = &index.facts.barrier[candidate.barrier.index()];
    let mut query = launch_query(
        index,
        ranges,
        candidate.launch,
        pairing(candidate, barrier),
        fixing,
    );
    for &id in index.loops(barrier.point) {
        let outer = query.head.clone();
        let node = query.iteration(ranges, id, "", None, &outer);
        query.head.push((id, node));
    }
    let head = query.head.clone();
    query.reach(ranges, Side::First, barrier.point, &head);
    query.assume(ranges, candidate.launch, Side::First, &head, barrier.point);
    // A barrier of named lanes concerns only these.
    if candidate.cause == GuardCause::Mask {
        left_out(&mut query, ranges, barrier);
    } else if candidate.cause == GuardCause::Masks {
        different_masks(&mut query, ranges, barrier, &head);
    } else if barrier.member.is_some() || barrier.key.is_some() {
        let both = query.both_in(ranges, barrier);
        query.asserts.push(both);
    } else if let Some(mask) = barrier.mask {
        named_lanes(&mut query, ranges, mask, &head, &Side::BOTH);
    }
    match candidate.position {
        // Both come to it in the same iterations.
        None if candidate.cause == GuardCause::Masks => {
            query.reach(ranges, Side::Second, barrier.point, &head);
            query.assume(ranges, candidate.launch, Side::Second, &head, barrier.point);
            query.iterations = [head.clone(), head];
            query.targets = [Some(barrier.point); 2];
            query.assume_of_two(ranges, candidate.launch);
        }
        // The second thread takes no part.
        None if candidate.cause == GuardCause::Mask => {
            query.iterations = [head, Iterations::new()];
        }
        Some(position) => {
            let context = query
                .encoder
                .context(Side::Second, head.clone(), &ranges.base);
            let mut found = false;
            for row in index.guards(barrier.point) {
                if row.position > position {
                    break;
                }
                let holds = query.encoder.conjunct(context, row);
                if row.position == position {
                    let violated = query.encoder.f.not(holds);
                    query.asserts.push(violated);
                    found = true;
                } else {
                    query.asserts.push(holds);
                }
            }
            if !found {
                let never = query.encoder.f.truth(false);
                query.asserts.push(never);
            }
            let cause = candidate.cause_point.min(barrier.point);
            query.assume(ranges, candidate.launch, Side::Second, &head, cause);
            query.iterations = [head.clone(), head];
            query.targets = [Some(barrier.point), Some(cause)];
            query.assume_of_two(ranges, candidate.launch);
            query.targets[1] = None;
        }
        None => leave_earlier(&mut query, ranges, candidate, barrier.point),
    }
    query.targets[0] = Some(barrier.point);
    query.refine(ranges, refinements);
    query.finish(ranges, fixing);
    query
}

/// What questions about one condition have in common: which threads, the loops around it, and the way to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Condition {
    warp: bool,
    loops: Vec<LoopId>,
    /// Terms, whether they hold, and where they are decided; the last is the condition.
    way: Vec<(TermId, bool, PointId)>,
}

/// The condition of a candidate, if it can be asked about by itself.
pub(crate) fn condition(index: &Index, candidate: &CandidateDivergenceRow) -> Option<Condition> {
    let barrier = &index.facts.barrier[candidate.barrier.index()];
    let position = candidate.position?;
    if matches!(candidate.cause, GuardCause::Mask | GuardCause::Masks) {
        return None;
    }
    let warp = match pairing(candidate, barrier) {
        Pairing::Race(PairScope::Block) => false,
        Pairing::Race(PairScope::Warp) => true,
        _ => return None,
    };
    let cause = candidate.cause_point;
    let (around, own) = (index.loops(barrier.point), index.loops(cause));
    let loops: Vec<LoopId> = around
        .iter()
        .copied()
        .filter(|id| own.contains(id))
        .collect();
    let rows = index.guards(barrier.point).iter();
    let rows = rows.take_while(|row| row.position <= position);
    let rows: Vec<&GuardAtRow> = rows.copied().collect();
    let inside = |row: &&GuardAtRow| -> bool {
        let of_row = index.loops(row.cause_point);
        row.cause_point <= barrier.point && of_row.iter().all(|id| loops.contains(id))
    };
    let ends = rows.last().is_some_and(|row| row.position == position);
    if !ends || cause >= barrier.point || !rows.iter().all(inside) {
        return None;
    }
    let way = rows
        .into_iter()
        .map(|row| (row.term, row.polarity, row.cause_point))
        .collect();
    Some(Condition { warp, loops, way })
}

/// The query whether two threads that come to a condition can disagree about it: part of the queries of all candidates with it.
pub(crate) fn condition_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateDivergenceRow,
    condition: &Condition,
) -> Query<'a> {
    let barrier = &index.facts.barrier[candidate.barrier.index()];
    let fixing = Fixing::default();
    let pairing = pairing(candidate, barrier);
    let mut query = launch_query(index, ranges, candidate.launch, pairing, &fixing);
    for &id in &condition.loops {
        let outer = query.head.clone();
        let node = query.iteration(ranges, id, "", None, &outer);
        query.head.push((id, node));
    }
    let head = query.head.clone();
    let rows: Vec<&GuardAtRow> = index.guards(barrier.point)[..condition.way.len()].to_vec();
    for side in Side::BOTH {
        let context = query.encoder.context(side, head.clone(), &ranges.base);
        for (at, row) in rows.iter().enumerate() {
            let holds = query.encoder.conjunct(context, row);
            let last = at + 1 == rows.len();
            let wanted = match last && side == Side::Second {
                true => query.encoder.f.not(holds),
                false => holds,
            };
            query.asserts.push(wanted);
        }
        query.assume(ranges, candidate.launch, side, &head, candidate.cause_point);
    }
    query.iterations = [head.clone(), head];
    query.finish(ranges, &fixing);
    query
}

/// The first thread is not among those that the barrier is for.
fn left_out<'a>(query: &mut Query<'a>, ranges: &LaunchRanges<'a>, barrier: &BarrierRow) {
    let context = query
        .encoder
        .context(Side::First, Iterations::new(), &ranges.base);
    let named = match barrier.member {
        Some(member) => query.encoder.truth(context, member),
        None => query.encoder.f.truth(true),
    };
    let left_out = query.encoder.f.not(named);
    query.asserts.push(left_out);
}

/// The mask of the first thread names the second, which brings another one.
fn different_masks<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    barrier: &BarrierRow,
    head: &Iterations,
) {
    let Some(mask) = barrier.mask else {
        let never = query.encoder.f.truth(false);
        query.asserts.push(never);
        return;
    };
    named_lanes(query, ranges, mask, head, &[Side::Second]);
    let [own, theirs] = Side::BOTH.map(|side| {
        let context = query.encoder.context(side, head.clone(), &ranges.base);
        query.encoder.value(context, mask)
    });
    let same = query.encoder.f.eq(own, theirs);
    let different = query.encoder.f.not(same);
    query.asserts.push(different);
}

/// The lanes of threads are named by the mask of the first.
fn named_lanes<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    mask: TermId,
    head: &Iterations,
    sides: &[Side],
) {
    let context = query
        .encoder
        .context(Side::First, head.clone(), &ranges.base);
    let mask = query.encoder.value(context, mask);
    let (dims, tids) = (query.dims, query.tid);
    for tid in sides.iter().map(|side| tids[side.index()]) {
        let f = &mut query.encoder.f;
        let row = f.mul(dims[1], tid[2]);
        let row = f.add(row, tid[1]);
        let row = f.mul(row, dims[0]);
        let linear = f.add(row, tid[0]);
        let lane = f.floor_mod(linear, 32);
        // The bit of the lane is set.
        let mut named = Vec::new();
        for bit in 0..32 {
            let here = f.eq_const(lane, bit);
            let shifted = f.floor_div(mask, 1i128 << bit);
            let low = f.floor_mod(shifted, 2);
            let set = f.eq_const(low, 1);
            named.push(f.implies(here, set));
        }
        let named = f.and(&named);
        query.asserts.push(named);
    }
}

/// The second thread takes the break or return before it gets to the barrier in iteration `h`.
fn leave_earlier<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateDivergenceRow,
    barrier: PointId,
) {
    let index = query.encoder.index;
    let head = query.head.clone();
    let cause = candidate.cause_point;
    let mut iterations = Iterations::new();
    // Lexicographically earlier in the common loops, or the same when the leaving comes first.
    let mut earlier = Vec::new();
    let mut same = Vec::new();
    let mut own_loops = false;
    for &id in index.loops(cause) {
        let node = query.iteration(ranges, id, "_left", Some(Side::Second), &iterations);
        if let Some(&(_, at_head)) = head.iter().find(|(other, _)| *other == id) {
            let f = &mut query.encoder.f;
            let before = f.lt(node, at_head);
            let mut parts = same.clone();
            parts.push(before);
            let before = f.and(&parts);
            earlier.push(before);
            let equal = f.eq(node, at_head);
            same.push(equal);
        } else {
            own_loops = true;
        }
        iterations.push((id, node));
    }
    if own_loops && cause < barrier {
        let all = query.encoder.f.and(&same);
        earlier.push(all);
    }
    let earlier = query.encoder.f.or(&earlier);
    query.asserts.push(earlier);
    // A break leaves its own loop only: loops outside it stay in the barrier's iteration.
    if let Some(left) = index.break_of(cause) {
        for (position, &id) in index.loops(cause).iter().enumerate() {
            if id == left {
                break;
            }
            if let Some(&equal) = same.get(position) {
                query.asserts.push(equal);
            }
        }
    }
    query.reach(ranges, Side::Second, cause, &iterations);
    query.assume(ranges, candidate.launch, Side::Second, &iterations, cause);
    query.iterations = [head, iterations];
}
