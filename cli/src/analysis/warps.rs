//! What findings say about warps: which barriers count, where lanes meet, and what lock-step warps
//! would have made of a race.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::term::Op;
use warplog_facts::words::{BarrierKind, Dimension, GuardCause, LockStep, Scope};
use warplog_facts::{AccessRow, BarrierRow, Derived, Facts, LaunchId, PointId, TermId};
use warplog_solver_bridge::{DivergenceAnswer, Witness};

use super::places::Places;
use super::rows::{OfLaunch, Rows};

/// Whether a barrier is one of lanes that a mask names (all of them, if there is none).
pub(super) fn is_of_lanes(barrier: &BarrierRow) -> bool {
    let tile = barrier.key.is_some() && barrier.mask.is_none();
    matches!(barrier.kind, BarrierKind::Warp | BarrierKind::Meet)
        && !tile
        && barrier.operation.starts_with("__")
}

/// Whether guards let threads of one warp only come to two accesses, in a block that has more: the same warp, of a block with one axis.
pub(super) fn is_one_warp(
    (facts, known): (&Facts, &Rows<'_>),
    launch: LaunchId,
    rows: [&AccessRow; 2],
) -> bool {
    let ranges = known.bases.ranges(launch);
    let is_flat = [Dimension::BlockY, Dimension::BlockZ]
        .into_iter()
        .all(|dimension| ranges.dimension(dimension).single() == Some(1));
    let is_wide = ranges.dimension(Dimension::BlockX).high > LANES;
    let warp = |row: &AccessRow| {
        let guards = known.guards(row.point).iter();
        let guards: Vec<_> = guards.map(|guard| (guard.term, guard.polarity)).collect();
        // Facts of several files have the term several times: it is the one that the guards are about.
        let roots: Vec<TermId> = guards.iter().map(|(term, _)| *term).collect();
        let mut terms = facts.terms.reachable(&roots).into_iter();
        let tid = terms.find(|id| facts.terms.get(*id).op == Op::TidX)?;
        let range = ranges.assuming(&guards).range(tid);
        let first = range.low / LANES;
        (range.low >= 0 && first == range.high / LANES).then_some(first)
    };
    let [first, second] = rows.map(warp);
    is_flat && is_wide && first.is_some() && first == second
}

/// Lanes of a warp.
pub(super) const LANES: i128 = 32;

/// Whether a thread that goes another way than to a barrier, at the branch or loop that keeps it from there, meets no barrier until
/// it exits.
pub(super) fn ends_apart(
    (facts, rows, places): (&Facts, &Rows<'_>, &Places<'_>),
    barrier: PointId,
    cause: PointId,
) -> bool {
    let mut around = places.loops(cause).iter();
    if around.any(|loop_id| facts.loop_[loop_id.index()].head != cause) {
        return false;
    }
    let guards_of = |point: PointId| {
        let guards = rows.guards(point).iter();
        let guards = guards.filter(move |row| row.cause_point == cause);
        guards.map(|row| (row.term, row.polarity))
    };
    let own: Vec<(TermId, bool)> = guards_of(barrier).collect();
    let mut seen = FxHashSet::default();
    let mut work = vec![cause];
    while let Some(point) = work.pop() {
        if seen.insert(point) {
            work.extend(rows.behind(point));
        }
    }
    let launch = facts.point[barrier.index()].launch;
    !own.is_empty()
        && rows.of(launch).barriers.iter().all(|row| {
            !seen.contains(&row.point) || guards_of(row.point).any(|guard| own.contains(&guard))
        })
}

/// Whether a barrier counts between two threads of a warp or block that are in these groups.
pub(super) fn counts(
    facts: &Facts,
    derived: &Derived,
    barrier: &BarrierRow,
    scope: Scope,
    groups: u32,
) -> bool {
    if matches!(barrier.kind, BarrierKind::Block | BarrierKind::Grid) {
        return true;
    }
    if barrier.kind == BarrierKind::Meet
        || barrier.kind == BarrierKind::Warp && scope != Scope::Warp
    {
        return false;
    }
    let launch = facts.point[barrier.point.index()].launch;
    let own = derived.group_of.iter().find(|row| {
        let of = &facts.barrier[row.barrier.index()];
        row.launch == launch
            && (of.kind, of.member, of.key) == (barrier.kind, barrier.member, barrier.key)
    });
    match own {
        Some(row) => groups >> row.group & 1 == 1,
        None => barrier.mask.is_none() && barrier.member.is_none() && barrier.key.is_none(),
    }
}

/// The barriers of a launch that order memory and that some threads do not reach, though they go on.
pub(super) fn divergent_barriers(facts: &Facts, own: &OfLaunch<'_>) -> Vec<PointId> {
    let mut points = BTreeSet::new();
    for (_, outcome) in &own.divergences {
        let candidate = &outcome.candidate;
        let barrier = &facts.barrier[candidate.barrier.index()];
        let diverges = matches!(outcome.answer, DivergenceAnswer::Diverges(_));
        let stays = !matches!(
            candidate.cause,
            GuardCause::Return | GuardCause::Mask | GuardCause::Masks
        );
        if diverges && stays && barrier.kind != BarrierKind::Meet {
            points.insert(barrier.point);
        }
    }
    points.into_iter().collect()
}

/// Those of the barriers that are the head of an interval, or come before it.
pub(super) fn passed_before(rows: &Rows<'_>, barriers: &[PointId], head: PointId) -> Vec<PointId> {
    if barriers.is_empty() {
        return Vec::new();
    }
    let mut before = BTreeSet::from([head]);
    let mut stack = vec![head];
    while let Some(to) = stack.pop() {
        for &from in rows.before(to) {
            if before.insert(from) {
                stack.push(from);
            }
        }
    }
    let passed = barriers.iter().copied();
    passed.filter(|point| before.contains(point)).collect()
}

/// The operations between the two accesses of a race, in program order, at which the lanes meet.
pub(super) fn meetings_between<'a>(
    facts: &Facts,
    rows: &Rows<'a>,
    candidate: &CandidateRaceRow,
) -> Vec<&'a BarrierRow> {
    let [one, other] =
        [candidate.first, candidate.second].map(|access| facts.access[access.index()].point);
    let (from, to) = (one.min(other), one.max(other));
    let between =
        |row: &&BarrierRow| row.kind == BarrierKind::Meet && from < row.point && row.point < to;
    let own = rows.of(candidate.launch).barriers.iter();
    let mut found: Vec<&BarrierRow> = own.copied().filter(between).collect();
    found.dedup_by_key(|row| row.span);
    found.truncate(2);
    found
}

/// Whether the warps of a launch are in lock-step.
pub(super) fn in_lock_step(facts: &Facts, launch: LaunchId) -> bool {
    let mut rows = facts.lock_step.iter();
    rows.any(|row| row.launch == launch && row.lanes == 32)
}

/// Whether lock-step warps would have hidden a race between two lanes of a warp.
pub(super) fn lock_step_note(
    facts: &Facts,
    places: &Places<'_>,
    candidate: &CandidateRaceRow,
    witness: &Witness,
) -> Option<String> {
    let same_iterations = in_same_iterations(places, candidate, witness);
    if in_lock_step(facts, candidate.launch) {
        return in_diverged_arms(places, candidate, witness).then(|| PORTING.to_owned());
    }
    let note = match candidate.lock_step {
        LockStep::Apart => return None,
        LockStep::Ordered => HIDDEN,
        LockStep::Together | LockStep::Diverged if !same_iterations => HIDDEN,
        LockStep::Together => {
            "both lanes execute the instruction at once: a race in lock-step warps, too"
        }
        LockStep::Diverged => PORTING,
        LockStep::Loose if in_diverged_arms(places, candidate, witness) => PORTING,
        LockStep::Loose => {
            "lanes leave the branch on ways of their own: lock-step warps may not order the two either"
        }
    };
    Some(note.to_owned())
}

/// Whether the lanes of a witness are in diverged arms of one branch, at one time that it was reached.
pub(super) fn in_diverged_arms(
    places: &Places<'_>,
    candidate: &CandidateRaceRow,
    witness: &Witness,
) -> bool {
    match candidate.lock_step {
        LockStep::Diverged => in_same_iterations(places, candidate, witness),
        LockStep::Loose => {
            candidate.around.is_some() && in_same_iterations(places, candidate, witness)
        }
        LockStep::Apart | LockStep::Ordered | LockStep::Together => false,
    }
}

/// Whether the threads of a witness are in the same iterations of the loops that a candidate names for lock-step warps.
fn in_same_iterations(
    places: &Places<'_>,
    candidate: &CandidateRaceRow,
    witness: &Witness,
) -> bool {
    candidate.around.is_none_or(|around| {
        places.loops(around).iter().all(|loop_id| {
            let [one, other] = [0, 1].map(|nth: usize| {
                let mut iterations = witness.threads[nth].iterations.iter();
                iterations
                    .find(|iteration| iteration.loop_id == *loop_id)
                    .map(|iteration| iteration.ordinal)
            });
            one == other
        })
    })
}

const HIDDEN: &str = "lock-step warps (before Volta; `--warp-sync=32`) would have hidden it";
const PORTING: &str = "porting race: the lanes are in diverged arms of one branch, whose order lock-step warps leave open, too";

/// Whether two of the barriers of a launch have masks that overlap, neither within the other; so for all
/// that is known, where one of them is not a constant.
pub(super) fn have_overlapping_masks(facts: &Facts, barriers: &[&BarrierRow]) -> bool {
    let rows = barriers.iter().copied();
    let rows: Vec<&BarrierRow> = rows
        .filter(|row| row.kind == BarrierKind::Warp && row.member.is_some())
        .collect();
    let constant = |row: &&BarrierRow| -> Option<i128> {
        let mask = facts.terms.as_const(row.mask?)?;
        Some(mask & 0xffff_ffff)
    };
    let masks: Option<Vec<i128>> = rows.iter().map(constant).collect();
    match masks {
        Some(masks) => masks.iter().any(|a| {
            let overlaps = |b: &i128| a & b != 0 && a & b != *a && a & b != *b;
            masks.iter().any(overlaps)
        }),
        None => {
            let groups: BTreeSet<_> = rows.iter().map(|row| (row.member, row.key)).collect();
            groups.len() > 1
        }
    }
}

/// Operations of the same kind in other arms, at which the lanes that are missed may be.
pub(super) fn alternatives<'a>(
    barriers: &[&'a BarrierRow],
    places: &Places<'_>,
    barrier: &BarrierRow,
) -> Vec<&'a BarrierRow> {
    let own = places.arms(barrier.point);
    let mut found = Vec::new();
    for &row in barriers {
        let other_arm = || {
            let theirs = places.arms(row.point);
            own.iter()
                .any(|&(branch, term, polarity)| theirs.contains(&(branch, term, !polarity)))
        };
        if is_of_lanes(row) && row.point != barrier.point && other_arm() {
            found.push(row);
        }
    }
    found.truncate(2);
    found
}
