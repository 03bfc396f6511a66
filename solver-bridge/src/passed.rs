//! What a thread passes on its way from the head of an interval to an access: barriers that it does not execute, and whole
//! iterations of loops in which it executes none.
//!
//! That no barrier was executed holds for each of the iterations between; it is asserted for some of them: the first ones, the
//! last one, and that in which the other thread is. The last is what tells that a thread that is further in
//! `for (…) { if (skip[i]) continue; s[t] = …; __syncthreads(); }` cannot have come by the barrier at which the other one waits.

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::encode::{Iterations, Side, UNROLLED};
use crate::formula::Node;
use crate::index::Level;
use crate::query::{LaunchRanges, Query};
use crate::region;

/// For each separating barrier inside a loop, whether it is executed in the given iteration of the
/// loop (and of those around it) and the first one of those inside it.
pub(crate) fn first_barriers<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    side: Side,
    id: LoopId,
    at: &Iterations,
) -> Vec<Node> {
    let index = query.encoder.index;
    let launch = index.loop_row(id).launch;
    let zero = query.encoder.f.constant(0);
    let mut result = Vec::new();
    query.encoder.hypothetical = true;
    for barrier in index.barriers(launch) {
        let loops = index.loops(barrier);
        if !loops.contains(&id) || !region::separates(index, barrier, scope) {
            continue;
        }
        // The path condition knows of leavings in the same iteration only.
        if loops.iter().any(|&inner| index.left_from_within(inner)) {
            continue;
        }
        let iterations = loops
            .iter()
            .map(|&id| {
                let node = at.iter().find(|(other, _)| *other == id);
                (id, node.map_or(zero, |found| found.1))
            })
            .collect();
        let context = query.encoder.context(side, iterations, &ranges.base);
        let guards = query.encoder.guards(context, barrier);
        result.push(query.encoder.f.and(&guards));
    }
    query.encoder.hypothetical = false;
    result
}

/// Iterations that the way passes as a whole: none of the barriers in them was executed, so not
/// in the first iteration of the loops inside either. `for (…) __syncthreads();` between head and
/// access was not entered.
#[expect(
    clippy::too_many_arguments,
    reason = "the columns of `inside` and the query"
)]
pub(crate) fn pass_loops<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    candidate: &CandidateRaceRow,
    side: Side,
    point: PointId,
    (carried, repeated): (Option<LoopId>, bool),
    here: &Iterations,
) {
    let index = query.encoder.index;
    let head = query.head.clone();
    let around = index.loops(point);
    // Loops that end before the access in its iteration and began after the head.
    for row in &index.facts.loop_ {
        let (id, outer) = (row.loop_id, index.loops(row.head));
        let Some((_, outer)) = outer.split_last() else {
            continue;
        };
        let in_head = |id: &LoopId| head.iter().any(|(other, _)| other == id);
        if row.launch != candidate.launch || around.contains(&id) {
            continue;
        }
        // In the head's iteration, after the head, when the way leaves that iteration.
        let left = outer
            .iter()
            .any(|outer| Some(*outer) == carried || !around.contains(outer));
        if row.head > candidate.head && left && outer.iter().all(in_head) && !in_head(&id) {
            for executed in first_barriers(query, ranges, scope, side, id, &head) {
                let skipped = query.encoder.f.not(executed);
                query.asserts.push(skipped);
            }
        }
        if row.head > point || !outer.iter().all(|outer| around.contains(outer)) {
            continue;
        }
        let begun_later = carried.is_some_and(|carried| outer.contains(&carried))
            || (candidate.head < row.head && !in_head(&id));
        if begun_later {
            for executed in first_barriers(query, ranges, scope, side, id, here) {
                let skipped = query.encoder.f.not(executed);
                query.asserts.push(skipped);
            }
        }
    }
    // The iterations after the head's, when the way goes round more than once.
    if let (Some(carried), true) = (carried, repeated)
        && let Some(&(_, target)) = here.iter().find(|(id, _)| *id == carried)
    {
        let outer = index.loops(index.loop_row(carried).head);
        let position = outer.len().saturating_sub(1);
        let at_head = head.iter().find(|(id, _)| *id == carried).map(|x| x.1);
        let mut between = Vec::new();
        for further in 1..=UNROLLED {
            if let Some(at_head) = at_head {
                between.push(query.encoder.f.offset(at_head, further));
            }
        }
        between.push(query.encoder.f.offset(target, -1));
        for ordinal in between {
            let before = query.encoder.f.lt(ordinal, target);
            let mut at: Iterations = head
                .iter()
                .filter(|(id, _)| outer[..position].contains(id))
                .copied()
                .collect();
            at.push((carried, ordinal));
            for executed in first_barriers(query, ranges, scope, side, carried, &at) {
                let skipped = query.encoder.f.not(executed);
                let skipped = query.encoder.f.implies(before, skipped);
                query.asserts.push(skipped);
            }
        }
    }
    // Earlier iterations of loops that were entered after the head.
    for (position, &(id, node)) in here.iter().enumerate() {
        let inside_carried = carried.is_some_and(|carried| {
            carried != id && index.loops(index.loop_row(id).head).contains(&carried)
        });
        let entered_later = inside_carried || !head.iter().any(|(other, _)| *other == id);
        if !entered_later || query.encoder.f.as_constant(node) == Some(0) {
            continue;
        }
        let mut earlier: Vec<(Node, Node)> = Vec::new();
        for ordinal in 0..UNROLLED {
            let later = query.encoder.f.ge_const(node, ordinal + 1);
            let ordinal = query.encoder.f.constant(ordinal);
            earlier.push((later, ordinal));
        }
        let later = query.encoder.f.ge_const(node, 1);
        let last = query.encoder.f.offset(node, -1);
        earlier.push((later, last));
        for (later, ordinal) in earlier {
            let mut at: Iterations = here[..position].iter().copied().collect();
            at.push((id, ordinal));
            for executed in first_barriers(query, ranges, scope, side, id, &at) {
                let skipped = query.encoder.f.not(executed);
                let skipped = query.encoder.f.implies(later, skipped);
                query.asserts.push(skipped);
            }
        }
    }
}

/// The iteration in which the other thread is, if this one is further in the loop, was passed as a whole.
pub(crate) fn pass_others<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    side: Side,
    point: PointId,
    (carried, repeated): (Option<LoopId>, bool),
) {
    let index = query.encoder.index;
    let [one, other] = &query.iterations;
    let (own, theirs) = match side {
        Side::First => (one.clone(), other.clone()),
        Side::Second => (other.clone(), one.clone()),
    };
    let head = query.head.clone();
    let mut outer = Iterations::new();
    for &id in index.loops(point) {
        let find = |all: &Iterations| all.iter().find(|(other, _)| *other == id).map(|x| x.1);
        let Some(here) = find(&own) else { return };
        let around = outer.clone();
        outer.push((id, here));
        let began = find(&head);
        // Of a loop around the head, those after the head's are passed if its back edge was crossed more than once.
        if began.is_some() && !(Some(id) == carried && repeated) {
            continue;
        }
        let Some(there) = find(&theirs).filter(|there| *there != here) else {
            continue;
        };
        let f = &mut query.encoder.f;
        let mut between = vec![f.lt(there, here)];
        between.extend(began.map(|began| f.lt(began, there)));
        let between = f.and(&between);
        let mut at = around;
        at.push((id, there));
        for executed in first_barriers(query, ranges, scope, side, id, &at) {
            let skipped = query.encoder.f.not(executed);
            let skipped = query.encoder.f.implies(between, skipped);
            query.asserts.push(skipped);
        }
    }
}

/// A barrier passed by without being executed has a false path condition.
#[expect(
    clippy::too_many_arguments,
    reason = "the columns of `skips` and the query"
)]
pub(crate) fn skip_barriers<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    head_point: PointId,
    side: Side,
    point: PointId,
    carried: Option<LoopId>,
    here: &Iterations,
) {
    let index = query.encoder.index;
    let head = query.head.clone();
    for &(barrier, place) in index.skips(scope, head_point, point, carried) {
        let from = match place {
            Place::Head => &head,
            Place::Access => here,
        };
        let Some(iterations) = query.restrict(from, barrier) else {
            continue;
        };
        let context = query.encoder.context(side, iterations, &ranges.base);
        let guards = query.encoder.guards(context, barrier);
        let executed = query.encoder.f.and(&guards);
        let skipped = query.encoder.f.not(executed);
        query.asserts.push(skipped);
    }
}
