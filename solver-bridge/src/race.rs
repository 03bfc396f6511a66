//! The formula of a race candidate: two threads, one interval, overlapping bytes.
//!
//! **Iterations.** The interval's head is executed by both threads in the same iterations `h` of
//! the loops around it. An access reached without crossing a back edge is in the same iteration of
//! the loops it shares with the head; one reached round the back edge of a loop (`carried`) is in
//! iteration `h + 1` of that loop (or any after that one, `repeated`), in the same iteration of the loops
//! outside it, and in any of those inside it. Loops that do not contain the head are in any
//! iteration, except that a loop whose back edge lies behind a barrier is in its first one.

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::encode::UNROLLED;
use crate::formula::Node;
use crate::index::{Index, barrier_level};
use crate::instances::{ContextId, Iterations, Side};
use crate::passed::{Way, first_barriers};
use crate::query::{Fixing, LaunchRanges, Pairing, Query, Refinement, launch_query};
use crate::walks::Level;
use crate::{region, stored};

/// The query of a race candidate.
pub(crate) fn race_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateRaceRow,
    fixing: &Fixing,
    refinements: &[Refinement],
) -> Query<'a> {
    let mut query = launch_query(
        index,
        ranges,
        candidate.launch,
        Pairing::Race(candidate.scope),
        fixing,
    );
    let scope = barrier_level(candidate);
    let head_loops = index.loops(candidate.head);
    for &id in head_loops {
        let outer = query.head.clone();
        let node = query.iteration(ranges, id, "", None, &outer);
        query.head.push((id, node));
    }
    let head = query.head.clone();
    let accesses = [candidate.first, candidate.second].map(|id| &index.facts.access[id.index()]);
    let carried = [
        (candidate.first_carried, candidate.first_repeated),
        (candidate.second_carried, candidate.second_repeated),
    ];
    let mut contexts = Vec::new();
    for side in Side::BOTH {
        let access = accesses[side.index()];
        let (carried, repeated) = carried[side.index()];
        let exited = candidate.exit.is_some() && side == Side::Second;
        let here = if exited {
            later_iterations(&mut query, ranges, access.point)
        } else {
            iterations(
                &mut query,
                ranges,
                scope,
                candidate.head,
                side,
                access.point,
                (carried, repeated),
            )
        };
        if !exited {
            query.reach(ranges, side, candidate.head, &head);
            leave_loops(&mut query, ranges, scope, side, access.point, carried);
        }
        let context = query.reach(ranges, side, access.point, &here);
        query.assume(ranges, candidate.launch, side, &here, access.point);
        if !exited {
            let mut way = Way {
                query: &mut query,
                ranges,
                scope,
                side,
                point: access.point,
                carried,
                repeated,
            };
            way.pass_loops(candidate, &here);
            way.skip_barriers(candidate.head, &here);
        }
        if let (Some(exit), Side::First) = (candidate.exit, side) {
            leave_kernel(&mut query, ranges, exit, &here);
        }
        let mut all = here.clone();
        for &(id, node) in &head {
            if !all.iter().any(|(other, _)| *other == id) {
                all.push((id, node));
            }
        }
        query.iterations[side.index()] = all;
        query.targets[side.index()] = Some(access.point);
        contexts.push(context);
    }
    if candidate.exit.is_none() {
        for side in Side::BOTH {
            let (carried, repeated) = carried[side.index()];
            let mut way = Way {
                query: &mut query,
                ranges,
                scope,
                side,
                point: accesses[side.index()].point,
                carried,
                repeated,
            };
            way.pass_others();
        }
    }
    query.assume_of_two(ranges, candidate.launch);
    not_in_phases(&mut query, candidate);
    behind_issue(&mut query, candidate);
    in_groups(&mut query, ranges, candidate);
    in_step(&mut query, candidate);
    conflict(
        &mut query,
        index,
        accesses,
        [contexts[0], contexts[1]],
        candidate.scope,
    );
    if let Some(place) = index.chosen_places(candidate) {
        let [one, other] = [contexts[0], contexts[1]].map(|at| query.encoder.value(at, place));
        let same = query.encoder.f.eq(one, other);
        let differ = query.encoder.f.not(same);
        query.asserts.push(differ);
    }
    query.refine(ranges, refinements);
    query.finish(ranges, fixing);
    query
}

/// Both threads are in the groups of the candidate, and not both in the others.
fn in_groups<'a>(query: &mut Query<'a>, ranges: &LaunchRanges<'a>, candidate: &CandidateRaceRow) {
    let index = query.encoder.index;
    for (group, barrier) in index.groups(candidate.launch) {
        // Lanes of different warps are never both in a group of lanes.
        let lanes = barrier.kind == BarrierKind::Warp && candidate.scope == PairScope::InterWarp;
        if matches!(candidate.scope, PairScope::Grid | PairScope::Own) || lanes {
            continue;
        }
        let both = query.both_in(ranges, barrier);
        let holds = if candidate.groups >> group & 1 == 1 {
            both
        } else {
            query.encoder.f.not(both)
        };
        query.asserts.push(holds);
    }
}

/// Neither access comes before the other by phases.
fn not_in_phases(query: &mut Query<'_>, candidate: &CandidateRaceRow) {
    let index = query.encoder.index;
    if candidate.scope == PairScope::Grid || index.crosses_proxies(candidate) {
        return;
    }
    let is_own = candidate.scope == PairScope::Own;
    for (from, to) in [(Side::First, Side::Second), (Side::Second, Side::First)] {
        let access = |side: Side| match side {
            Side::First => candidate.first,
            Side::Second => candidate.second,
        };
        let row = index.phase_order(access(from), access(to));
        // What the own thread does before it issues a copy is told by the order of the text.
        let Some(row) = row.filter(|_| !is_own || from == Side::First) else {
            continue;
        };
        let iteration = |query: &mut Query<'_>, side: Side, id: Option<LoopId>| match id {
            None => Some(query.encoder.f.constant(0)),
            Some(id) => {
                let mut all = query.iterations[side.index()].iter();
                all.find(|(own, _)| *own == id).map(|(_, node)| *node)
            }
        };
        let first = iteration(query, from, row.first_loop);
        let second = iteration(query, to, row.second_loop);
        let (Some(first), Some(second)) = (first, second) else {
            continue;
        };
        // What always comes first is no candidate.
        let ahead = query.encoder.f.sub(second, first);
        let behind = query.encoder.f.lt_const(ahead, row.lag);
        query.asserts.push(behind);
    }
}

/// What meets something that lasts beyond its interval comes in a later one: whoever is there has passed a barrier that the first thread comes to
/// behind its access. What the thread itself does comes behind where it issues the copy.
fn behind_issue(query: &mut Query<'_>, candidate: &CandidateRaceRow) {
    let index = query.encoder.index;
    if !index.lasts(candidate) {
        return;
    }
    let is_own = candidate.scope == PairScope::Own;
    let points = [candidate.first, candidate.second].map(|id| index.facts.access[id.index()].point);
    let [first, second] = points.map(|point| index.loops(point));
    let Some((one, other)) = first.first().zip(second.first()) else {
        return;
    };
    if one != other {
        return;
    }
    let nodes = [0, 1].map(|side: usize| {
        let mut all = query.iterations[side].iter();
        all.find(|(own, _)| own == one).map(|(_, node)| *node)
    });
    let [Some(issued), Some(later)] = nodes else {
        return;
    };
    // In an inner loop it may come behind in the same iteration of the outer one, wherever it stands.
    let nested = first.len() > 1 && second.len() > 1;
    let least = i128::from(is_own && !nested && points[1] <= points[0]);
    let ahead = query.encoder.f.sub(later, issued);
    let comes = query.encoder.f.ge_const(ahead, least);
    query.asserts.push(comes);
}

/// In lock-step warps both are in the same iterations of the loops around the instruction that
/// they execute together, or the branch at which they diverged.
fn in_step(query: &mut Query<'_>, candidate: &CandidateRaceRow) {
    let index = query.encoder.index;
    let asked = candidate.scope == PairScope::Warp
        && candidate.lock_step != LockStep::Loose
        && index.in_lock_step(candidate.launch);
    let Some(around) = candidate.around.filter(|_| asked) else {
        return;
    };
    for id in index.loops(around) {
        let [one, other] = [0, 1].map(|side: usize| {
            let mut iterations = query.iterations[side].iter().copied();
            iterations.find(|(own, _)| own == id)
        });
        if let (Some((_, one)), Some((_, other))) = (one, other) {
            let same = query.encoder.f.eq(one, other);
            query.asserts.push(same);
        }
    }
}

fn iterations<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    head_point: PointId,
    side: Side,
    point: PointId,
    (carried, repeated): (Option<LoopId>, bool),
) -> Iterations {
    let index = query.encoder.index;
    let head = query.head.clone();
    let around = index.loops(point);
    let in_head = |id: LoopId| head.iter().find(|(other, _)| *other == id).map(|x| x.1);
    // Loops that stay in their iteration on the way, and those after the carried one.
    let mut fixed: Vec<LoopId> = Vec::new();
    for &id in around {
        if in_head(id).is_some() {
            fixed.push(id);
            if Some(id) == carried {
                break;
            }
        }
    }
    let region = region::from_head(index, scope, head_point, carried, &fixed);
    let mut result = Iterations::new();
    for &id in around {
        let node = match in_head(id) {
            Some(at_head) if Some(id) == carried => {
                let next = query.encoder.f.offset(at_head, 1);
                let next = if repeated {
                    let later = query.iteration(ranges, id, "_later", Some(side), &result);
                    let next = query.encoder.f.offset(next, 1);
                    query.encoder.f.add(next, later)
                } else {
                    next
                };
                if let Some(most) = index.loop_row(id).max_iterations {
                    let inside = query.encoder.f.lt_const(next, i128::from(most));
                    query.asserts.push(inside);
                }
                next
            }
            Some(at_head) if fixed.contains(&id) => at_head,
            _ if region.may_repeat(id) => query.iteration(ranges, id, "", Some(side), &result),
            _ => query.encoder.f.constant(0),
        };
        result.push((id, node));
    }
    result
}

/// Iterations of an access that comes in a later interval than the head.
fn later_iterations<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    point: PointId,
) -> Iterations {
    let index = query.encoder.index;
    let head = query.head.clone();
    let mut result = Iterations::new();
    for (position, &id) in index.loops(point).iter().enumerate() {
        let node = query.iteration(ranges, id, "", Some(Side::Second), &result);
        if position == 0
            && let Some(&(_, at_head)) = head.iter().find(|(other, _)| *other == id)
        {
            let not_before = query.encoder.f.le(at_head, node);
            query.asserts.push(not_before);
        }
        result.push((id, node));
    }
    result
}

/// Loops around the head that the way to the access leaves, were left after the head's iteration:
/// those that do not contain the access, and those inside the carried loop.
fn leave_loops<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    side: Side,
    point: PointId,
    carried: Option<LoopId>,
) {
    let index = query.encoder.index;
    let around = index.loops(point);
    let head = query.head.clone();
    let stays = |id: LoopId| match carried {
        Some(carried) => index.loops(index.loop_row(carried).head).contains(&id),
        None => around.contains(&id),
    };
    for (position, &(id, at_head)) in head.iter().enumerate() {
        let row = index.loop_row(id);
        if stays(id) {
            continue;
        }
        let outer: Iterations = head[..position].iter().copied().collect();
        let Some(breaks) = own_breaks(index, id) else {
            continue;
        };
        let free = region::has_free_cycle(index, scope, id);
        let next = query.encoder.f.offset(at_head, 1);
        let at = |ordinal: Node| -> Iterations {
            let mut at = outer.clone();
            at.push((id, ordinal));
            at
        };
        // Left by a break, or by the condition, or, where that is possible, an iteration passed
        // without its barriers.
        let mut left = Vec::new();
        for &point in &breaks {
            left.push(executed_at(query, ranges, side, point, &at(at_head)));
        }
        let most = if free { UNROLLED } else { 1 };
        let widest = most.unsigned_abs() as u64;
        for further in 0..most {
            let ordinal = query.encoder.f.offset(next, further);
            let at_exit = at(ordinal);
            if let Some(condition) = row.condition {
                let at = at_exit.clone();
                query.encoder.hypothetical = free || row.has_break;
                let context = query
                    .encoder
                    .context_at_exit(side, at, &ranges.base, (id, widest));
                let holds = query.encoder.truth(context, condition);
                query.encoder.hypothetical = false;
                left.push(query.encoder.f.not(holds));
            }
            for &point in &breaks {
                left.push(executed_at(query, ranges, side, point, &at_exit));
            }
            if free {
                for executed in first_barriers(query, ranges, scope, side, id, &at_exit) {
                    let mut either = left.clone();
                    either.push(query.encoder.f.not(executed));
                    let either = query.encoder.f.or(&either);
                    query.asserts.push(either);
                }
            } else {
                let left = query.encoder.f.or(&left);
                query.asserts.push(left);
            }
        }
        if row.has_break {
            continue;
        }
        if let Some(term) = index.exit_term(id) {
            let context = query.encoder.context(side, outer, &ranges.base);
            let exit = query.encoder.value(context, term);
            let f = &mut query.encoder.f;
            let related = if free {
                f.le(next, exit)
            } else {
                f.eq(next, exit)
            };
            query.asserts.push(related);
        }
    }
}

/// The breaks by which a loop is left; none when one of them stands in a loop inside it, whose
/// iteration would have to be known.
fn own_breaks(index: &Index, id: LoopId) -> Option<Vec<PointId>> {
    let around = index.loops(index.loop_row(id).head);
    let mut points = Vec::new();
    for row in &index.facts.break_at {
        let loops = index.loops(row.point);
        if loops.contains(&id) && around.contains(&row.loop_id) {
            if loops.last() != Some(&id) {
                return None;
            }
            points.push(row.point);
        }
    }
    Some(points)
}

/// Whether the point is executed in these iterations, if the thread gets to them.
fn executed_at<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    side: Side,
    point: PointId,
    at: &Iterations,
) -> Node {
    query.encoder.hypothetical = true;
    let context = query.encoder.context(side, at.clone(), &ranges.base);
    let guards = query.encoder.guards(context, point);
    query.encoder.hypothetical = false;
    query.encoder.f.and(&guards)
}

/// The first thread leaves the kernel at the return, in the iteration of its access.
fn leave_kernel<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    exit: PointId,
    here: &Iterations,
) {
    let index = query.encoder.index;
    let mut iterations = Iterations::new();
    for &id in index.loops(exit) {
        let node = match here.iter().find(|(other, _)| *other == id) {
            Some(&(_, node)) => node,
            None => query.iteration(ranges, id, "_exit", Some(Side::First), &iterations),
        };
        iterations.push((id, node));
    }
    let context = query.encoder.context(Side::First, iterations, &ranges.base);
    let guards = query.encoder.guards(context, exit);
    query.asserts.extend(guards);
}

/// Whether atomic operations of a scope are atomic for the pair.
fn includes(scope: Scope, pair: PairScope) -> bool {
    match pair {
        PairScope::Grid => scope >= Scope::Grid,
        _ => scope >= Scope::Block,
    }
}

/// The bytes overlap, and not harmlessly.
fn conflict<'a>(
    query: &mut Query<'a>,
    index: &'a Index<'a>,
    accesses: [&AccessRow; 2],
    contexts: [ContextId; 2],
    pair: PairScope,
) {
    let [first, second] = accesses;
    let offsets = [0, 1].map(|i| query.encoder.value(contexts[i], accesses[i].index));
    query.offsets = Some(offsets);
    for (context, access) in contexts.into_iter().zip(accesses) {
        query.encoder.evaluates(context, access.index);
        for part in stored::parts(index, access) {
            query.encoder.evaluates(context, part.value);
        }
    }
    let difference = query.encoder.f.sub(offsets[0], offsets[1]);
    // off1 < off2 + bytes2 and off2 < off1 + bytes1
    let overlap = query.encoder.f.between(
        difference,
        1 - i128::from(first.bytes),
        i128::from(second.bytes) - 1,
    );
    query.asserts.push(overlap);
    if query.encoder.f.as_truth(overlap) == Some(false) {
        return;
    }
    let same_place = (first.bytes == second.bytes).then(|| query.encoder.f.is_zero(difference));
    if first.kind == AccessKind::Atomic && second.kind == AccessKind::Atomic {
        if includes(first.scope, pair)
            && includes(second.scope, pair)
            && let Some(same) = same_place
        {
            let not = query.encoder.f.not(same);
            query.asserts.push(not);
        }
    } else if first.kind == AccessKind::Write
        && second.kind == AccessKind::Write
        && !index.report_benign
    {
        let harmless = stored::harmless(query, index, accesses, contexts, difference);
        let harmful = query.encoder.f.not(harmless);
        query.asserts.push(harmful);
    }
    for (access, offset) in accesses.into_iter().zip(offsets) {
        let f = &mut query.encoder.f;
        let above = f.ge_const(offset, 0);
        query.wishes.push(above);
        if let Some(bytes) = index.facts.array[access.array.index()].bytes {
            let below = f.le_const(offset, i128::from(bytes) - i128::from(access.bytes));
            query.wishes.push(below);
        }
    }
}
