//! The formula of an assertion: a thread gets to a point, and a condition is false there.
//!
//! The thread is in iterations `h` of the loops around the point and satisfies its path condition. A condition that
//! speaks of another thread is asked of two that get there in the same iterations, in one block and in two.

use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::index::Index;
use crate::instances::Side;
use crate::query::{Fixing, LaunchRanges, Pairing, Query, Refinement, launch_query};

/// Which threads an assertion is asked of.
pub(crate) fn pairings(index: &Index, claim: &AssertRow) -> &'static [Pairing] {
    if index.of_two(claim.term) {
        &[
            Pairing::Race(PairScope::Block),
            Pairing::Race(PairScope::Grid),
        ]
    } else {
        &[Pairing::One]
    }
}

/// The query of an assertion: its models violate it.
pub(crate) fn claim_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    claim: &AssertRow,
    pairing: Pairing,
    fixing: &Fixing,
    refinements: &[Refinement],
) -> Query<'a> {
    let mut query = passing_query(index, ranges, claim.point, pairing, fixing);
    let head = query.head.clone();
    let context = query
        .encoder
        .context(Side::First, head, &ranges.at(claim.point));
    let holds = query.encoder.truth(context, claim.term);
    let violated = query.encoder.f.not(holds);
    query.asserts.push(violated);
    query.refine(ranges, refinements);
    query.finish(ranges, fixing);
    query
}

/// Threads that get to a point, in the same iterations. Not finished yet.
pub(crate) fn passing_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    point: PointId,
    pairing: Pairing,
    fixing: &Fixing,
) -> Query<'a> {
    let launch = index.facts.point[point.index()].launch;
    let mut query = launch_query(index, ranges, launch, pairing, fixing);
    for &id in index.loops(point) {
        let outer = query.head.clone();
        let node = query.iteration(ranges, id, "", None, &outer);
        query.head.push((id, node));
    }
    let head = query.head.clone();
    let sides: &[Side] = match pairing {
        Pairing::One => &[Side::First],
        _ => &Side::BOTH,
    };
    for &side in sides {
        query.reach(ranges, side, point, &head);
        query.assume(ranges, launch, side, &head, point);
        query.targets[side.index()] = Some(point);
    }
    query.iterations = [head.clone(), head];
    query.assume_of_two(ranges, launch);
    query
}
