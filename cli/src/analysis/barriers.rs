//! Which barriers are redundant: proved by rules and solver without them, and by nothing else.
//!
//! **Algorithm.** A barrier of the block is left out of the facts, and rules and solver are asked again about its launch. Only if the
//! launch was decided without a finding before, and is decided without one again, is the barrier redundant; all launches of the kernel
//! must agree. Most barriers order something, and of most of these two threads are found by computing the addresses of one block
//! ([`warplog_costs::ordered`]): they are not asked about. Launches know nothing of each other, so that one barrier of each is left
//! out at a time and the rules are applied once, in those launches alone. Of what they leave over, the pairs that only the barrier orders are asked
//! about first, and everything else only where none of them meets and none is open. Two atomic operations of a block on one element
//! are no race, and yet a barrier between them may be what makes the result: for this question they are taken for assignments. Where
//! threads wait for each other or tell others something (fences, volatile accesses, memory orders, atomic operations whose results
//! are used, loops that may wait for memory), or something happens that is no access (another grid is waited for, time is
//! measured, a text is printed), nothing is said: a barrier is part of that. Nor is anything said of a barrier between what the block stores in
//! global memory and an atomic operation there, by which other blocks may learn of it. The solver is asked short questions: what would be proved is proved soon, as it is with the
//! barrier. A file with many barriers that are not found to be needed is asked about the first
//! [`BARRIERS`] of them; the others are open.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_costs::ordered::Orders;
use warplog_costs::walk::Index;
use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::{AccessKind, BarrierKind, PairScope, PointKind, Scope, Space};
use warplog_facts::{
    AccessId, BarrierId, CType, Derived, Facts, KernelId, LaunchId, LoopId, Op, PointId, SpanId,
    TermId, UnknownId,
};
use warplog_report as report;
use warplog_report::{Outcome, Verdict};
use warplog_solver_bridge::{Decision, DivergenceAnswer, RaceAnswer};

use super::SESSION;
use super::derivation::{rules, solver_options};
use crate::options::AnalysisOptions;

/// Most barriers of a file that rules and solver are asked about.
const BARRIERS: usize = 12;

/// What was found out of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Redundant,
    Needed,
    Open,
}

/// A barrier of the block that is there for order alone.
struct Plain {
    barrier: BarrierId,
    launch: LaunchId,
    place: (KernelId, SpanId),
}

/// The barriers of the block by kernel and place, with what was found out of each.
pub(super) fn tried(
    facts: &Facts,
    derived: &Derived,
    (kernels, told): (&[KernelId], &[report::Kernel]),
    options: &AnalysisOptions,
) -> BTreeMap<KernelId, BTreeMap<SpanId, Tried>> {
    let proved: BTreeSet<KernelId> = kernels
        .iter()
        .zip(told)
        .filter(|(_, told)| is_proved(told))
        .map(|(&kernel, _)| kernel)
        .collect();
    // Lanes in lock-step meet where the barrier was, which would order them.
    let in_step: BTreeSet<LaunchId> = facts.lock_step.iter().map(|row| row.launch).collect();
    let meeting = meeting(facts);
    let plain = plain(facts);
    let mut state: BTreeMap<(KernelId, SpanId), Tried> = BTreeMap::new();
    let mut rows: BTreeMap<(KernelId, SpanId), Vec<&Plain>> = BTreeMap::new();
    for row in &plain {
        if kernels.contains(&row.place.0) {
            rows.entry(row.place).or_default().push(row);
        }
    }
    let index = Index::new(facts);
    let mut orders: BTreeMap<LaunchId, Orders<'_>> = BTreeMap::new();
    let mut waiting: Vec<&Plain> = Vec::new();
    for (&place, own) in &rows {
        let mut launches = own.iter().map(|row| row.launch);
        let stepping =
            launches.any(|launch| in_step.contains(&launch) || meeting.contains(&launch));
        if !proved.contains(&place.0) || stepping {
            state.insert(place, Tried::Open);
            continue;
        }
        let needed = own.iter().any(|row| {
            let orders = orders
                .entry(row.launch)
                .or_insert_with(|| Orders::new(facts, derived, &index, row.launch));
            orders
                .of(row.barrier)
                .iter()
                .any(|pair| pair.meeting.is_some())
        });
        let tells = own.iter().any(|row| tells(facts, row));
        // What stands in a function that is inlined twice would have to be left out twice.
        let launches: BTreeSet<LaunchId> = own.iter().map(|row| row.launch).collect();
        state.insert(
            place,
            match (needed, launches.len() == own.len() && !tells) {
                (true, _) => Tried::Needed,
                (false, false) => Tried::Open,
                (false, true) => {
                    waiting.extend(own);
                    Tried::Redundant
                }
            },
        );
    }
    for row in waiting.split_off(waiting.len().min(BARRIERS)) {
        state.insert(row.place, Tried::Open);
    }
    while !waiting.is_empty() {
        let (round, later) = one_of_each(waiting);
        waiting = later;
        let asked: Vec<&Plain> = round
            .into_iter()
            .filter(|row| state[&row.place] == Tried::Redundant)
            .collect();
        if asked.is_empty() {
            continue;
        }
        for (row, found) in asked.iter().zip(without((facts, derived), &asked, options)) {
            if found != Tried::Redundant {
                state.insert(row.place, found);
            }
        }
    }
    let mut all: BTreeMap<KernelId, BTreeMap<SpanId, Tried>> = BTreeMap::new();
    for ((kernel, span), tried) in state {
        all.entry(kernel).or_default().insert(span, tried);
    }
    all
}

fn is_proved(kernel: &report::Kernel) -> bool {
    let mut launches = kernel.launches.iter();
    kernel.verdict() == Verdict::RaceFree
        && launches.all(|launch| launch.outcome == Outcome::Complete)
}

/// The barriers that are there for order: one that counts or votes is there for its value as well.
fn plain(facts: &Facts) -> Vec<Plain> {
    let own = facts.barrier.iter().filter(|row| {
        row.kind == BarrierKind::Block && matches!(row.operation.as_str(), "__syncthreads" | "sync")
    });
    own.map(|row| {
        let launch = facts.point[row.point.index()].launch;
        Plain {
            barrier: row.barrier,
            launch,
            place: (facts.launch[launch.index()].kernel, row.span),
        }
    })
    .collect()
}

/// Launches with a loop that may wait for what others do: `while (*flag == 0) { }`, `for (;;) if (*flag) break;`. What its conditions and
/// those of the ways out of it are made of, through the variables that it changes, comes from memory or from something that is not followed,
/// and no reading of memory is known to come to another element in each iteration.
fn waits(facts: &Facts) -> Vec<LaunchId> {
    let inside: FxHashSet<(PointId, LoopId)> = facts
        .loop_at
        .iter()
        .map(|row| (row.point, row.loop_id))
        .collect();
    let carried: FxHashMap<UnknownId, TermId> = facts
        .carried
        .iter()
        .map(|row| (row.unknown, row.next))
        .collect();
    let repeated: FxHashMap<LoopId, TermId> = facts
        .repeats_while
        .iter()
        .map(|row| (row.loop_id, row.term))
        .collect();
    // One element in each iteration: linear in its number, and in nothing else that changes.
    let goes_on = |place: TermId| {
        let parts = facts.terms.reachable(&[place]);
        let ops = parts.into_iter().map(|id| facts.terms.get(id).op);
        let ops: FxHashSet<Op> = ops.collect();
        let is_linear = |op: &Op| {
            let ends = [
                Op::Const,
                Op::Symbol,
                Op::Iter,
                Op::TidX,
                Op::TidY,
                Op::TidZ,
                Op::BidX,
                Op::BidY,
                Op::BidZ,
                Op::BdimX,
                Op::BdimY,
                Op::BdimZ,
                Op::GdimX,
                Op::GdimY,
                Op::GdimZ,
            ];
            ends.contains(op) || [Op::Add, Op::Sub, Op::Mul, Op::Cast, Op::Fit].contains(op)
        };
        ops.contains(&Op::Iter) && ops.iter().all(is_linear) && moves_on(facts, place)
    };
    let ways_out = ways_out(facts);
    let waits = |id: LoopId, condition: Option<TermId>| {
        let mut open: Vec<TermId> = condition
            .into_iter()
            .chain(repeated.get(&id).copied())
            .chain(ways_out.get(&id).into_iter().flatten().copied())
            .collect();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        while let Some(root) = open.pop() {
            for part in facts.terms.reachable(&[root]) {
                if !seen.insert(part) {
                    continue;
                }
                let term = facts.terms.get(part);
                if let Some(access) = term.access() {
                    let access = &facts.access[access.index()];
                    if inside.contains(&(access.point, id)) && !goes_on(access.index) {
                        return true;
                    }
                }
                if let Some(unknown) = term.unknown() {
                    match carried.get(&unknown) {
                        Some(&next) => open.push(next),
                        None if inside.contains(&(facts.unknown[unknown.index()].point, id)) => {
                            return true;
                        }
                        None => {}
                    }
                }
            }
        }
        false
    };
    let loops = facts.loop_.iter();
    loops
        .filter(|row| waits(row.loop_id, row.condition))
        .map(|row| row.launch)
        .collect()
}

/// The conditions under which loops are left from inside them, by `break` or `return`.
fn ways_out(facts: &Facts) -> FxHashMap<LoopId, Vec<TermId>> {
    let mut guards: FxHashMap<PointId, Vec<TermId>> = FxHashMap::default();
    for row in &facts.guard_at {
        guards.entry(row.point).or_default().push(row.term);
    }
    let breaks = facts.break_at.iter().map(|row| (row.loop_id, row.point));
    let returns = facts.loop_at.iter().filter(|row| {
        let kind = facts.point[row.point.index()].kind;
        matches!(kind, PointKind::Return | PointKind::Exit)
    });
    let mut all: FxHashMap<LoopId, Vec<TermId>> = FxHashMap::default();
    for (id, point) in breaks.chain(returns.map(|row| (row.loop_id, row.point))) {
        let own = guards.get(&point).into_iter().flatten();
        all.entry(id).or_default().extend(own);
    }
    all
}

/// Whether the number of the iteration is taken a constant number of times, not 0, in each product of a place, and whole.
fn moves_on(facts: &Facts, place: TermId) -> bool {
    let counts = |term: TermId| {
        let mut parts = facts.terms.reachable(&[term]).into_iter();
        parts.any(|part| facts.terms.get(part).op == Op::Iter)
    };
    let mut parts = facts.terms.reachable(&[place]).into_iter();
    parts.all(|part| {
        let term = facts.terms.get(part);
        let mut args = term.args.iter();
        match term.op {
            Op::Mul if counts(part) => {
                args.clone().filter(|arg| counts(**arg)).count() == 1
                    && args.all(|&arg| {
                        counts(arg) || facts.terms.as_const(arg).is_some_and(|value| value != 0)
                    })
            }
            Op::Cast | Op::Fit => !counts(part) || term.ty.bits().is_some_and(|bits| bits >= 32),
            _ => true,
        }
    })
}

/// Launches in which threads wait for what others do, or tell them that something is done, or in which something happens that is no
/// access.
fn meeting(facts: &Facts) -> BTreeSet<LaunchId> {
    let combined: FxHashSet<AccessId> = facts.atomic_operand.iter().map(|row| row.access).collect();
    let used: FxHashSet<PointId> = facts
        .terms
        .iter()
        .filter_map(|(_, term)| term.unknown())
        .map(|unknown| facts.unknown[unknown.index()].point)
        .collect();
    // The result of an operation is of its point, or of the one behind it.
    let is_used = |point: PointId| {
        used.contains(&point) || used.contains(&PointId::from_index(point.index() + 1))
    };
    let accesses = facts.access.iter().filter(|row| {
        let is_atomic = row.kind == AccessKind::Atomic;
        let is_told =
            !combined.contains(&row.access) || is_used(row.point) || row.scope == Scope::System;
        row.volatile || is_atomic && is_told
    });
    let waiting = waits(facts);
    let ordered = facts.memory_order.iter();
    let points = accesses.map(|row| row.point);
    let points = points.chain(facts.fence.iter().map(|row| row.point));
    let effects = facts.point.iter();
    let effects = effects.filter(|row| row.kind == PointKind::Effect);
    let points = points.chain(effects.map(|row| row.point));
    let points = points.chain(ordered.map(|row| facts.access[row.access.index()].point));
    points
        .map(|point| facts.point[point.index()].launch)
        .chain(waiting)
        .collect()
}

/// Whether a barrier stands between what the block stores in global memory and an operation there by which other blocks may learn that
/// it is stored: `o[i] = x; __syncthreads(); if (t == 0) atomicExch(&flag, 1);`. Operations on one array are no news of each other.
fn tells(facts: &Facts, barrier: &Plain) -> bool {
    let point = facts.barrier[barrier.barrier.index()].point;
    let mut next: FxHashMap<PointId, Vec<PointId>> = FxHashMap::default();
    let mut before: FxHashMap<PointId, Vec<PointId>> = FxHashMap::default();
    let of_launch = |point: PointId| facts.point[point.index()].launch == barrier.launch;
    for row in facts.cfg_edge.iter().filter(|row| of_launch(row.from)) {
        next.entry(row.from).or_default().push(row.to);
        before.entry(row.to).or_default().push(row.from);
    }
    let (later, earlier) = (reached(&next, point), reached(&before, point));
    let global = |points: &FxHashSet<PointId>, is_wanted: &dyn Fn(AccessKind) -> bool| {
        let own = facts.access.iter().filter(|row| {
            let space = facts.array[row.array.index()].space;
            points.contains(&row.point) && space == Space::Global && is_wanted(row.kind)
        });
        own.map(|row| (facts.array[row.array.index()].storage, row.kind))
            .collect::<Vec<_>>()
    };
    let stored = global(&earlier, &|kind| kind != AccessKind::Read);
    let told = global(&later, &|kind| kind == AccessKind::Atomic);
    told.iter().any(|(flag, _)| {
        let mut stored = stored.iter();
        stored.any(|(array, kind)| array != flag || *kind != AccessKind::Atomic)
    })
}

/// The points that edges lead to from one.
fn reached(edges: &FxHashMap<PointId, Vec<PointId>>, from: PointId) -> FxHashSet<PointId> {
    let mut found = FxHashSet::default();
    let mut open = vec![from];
    while let Some(point) = open.pop() {
        for &to in edges.get(&point).into_iter().flatten() {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

/// The first of each launch, and the others.
fn one_of_each(rows: Vec<&Plain>) -> (Vec<&Plain>, Vec<&Plain>) {
    let mut seen = BTreeSet::new();
    rows.into_iter().partition(|row| seen.insert(row.launch))
}

/// Facts in which these barriers order nothing, and in which nothing is reached in launches that are not asked about: the rules then have
/// nothing to do there.
fn without_barriers(facts: &Facts, barriers: &[&Plain]) -> Facts {
    let launches: BTreeSet<LaunchId> = barriers.iter().map(|row| row.launch).collect();
    let mut less = facts.clone();
    let is_asked = |point: PointId| launches.contains(&facts.point[point.index()].launch);
    less.cfg_edge.retain(|row| is_asked(row.from));
    less.guard_at.retain(|row| is_asked(row.point));
    less.loop_at.retain(|row| is_asked(row.point));
    for row in &mut less.access {
        if row.kind == AccessKind::Atomic && is_asked(row.point) {
            row.kind = AccessKind::Write;
        }
    }
    for row in barriers {
        let point = less.barrier[row.barrier.index()].point;
        // Ids of barriers are dense: the row stays, as one at which lanes of the warp meet without any order.
        less.barrier[row.barrier.index()].kind = BarrierKind::Meet;
        less.point[point.index()].kind = PointKind::Meet;
    }
    less
}

/// What is found out of each of these barriers, of which no two are of one launch, by analysis without them. The pairs that only they
/// order are asked about first: most barriers that are needed, or are not decided, are so for one of them.
fn without(
    (facts, derived): (&Facts, &Derived),
    barriers: &[&Plain],
    options: &AnalysisOptions,
) -> Vec<Tried> {
    let less = without_barriers(facts, barriers);
    let mut rest = rules(&less, options);
    let mut alike: FxHashMap<AccessId, Vec<AccessId>> = FxHashMap::default();
    for row in &rest.same_access {
        alike
            .entry(row.representative)
            .or_default()
            .push(row.access);
    }
    // Of those that one stands for, each may be of another type.
    let all_of = |access: AccessId| {
        let others = alike.get(&access).into_iter().flatten().copied();
        others.chain([access])
    };
    let commute = |first: AccessId, second: AccessId| {
        all_of(first).all(|one| all_of(second).all(|other| commute(facts, one, other)))
    };
    // A barrier of the block orders no threads of other blocks, and what combines by one operation needs none.
    rest.candidate_race.retain(|row| {
        let [first, second] = [row.first, row.second].map(|access| &facts.access[access.index()]);
        let are_atomic = [first, second]
            .iter()
            .all(|row| row.kind == AccessKind::Atomic);
        !are_atomic || row.scope != PairScope::Grid && !commute(row.first, row.second)
    });
    let removed: BTreeSet<BarrierId> = barriers.iter().map(|row| row.barrier).collect();
    rest.candidate_divergence
        .retain(|row| !removed.contains(&row.barrier));
    // What shared memory holds matters to pairs that the rules leave over.
    if !rest.candidate_race.is_empty() || !rest.candidate_divergence.is_empty() {
        warplog_contents::add(&less, &mut rest);
    }
    let pair = |row: &CandidateRaceRow| {
        let (first, second) = (row.first.min(row.second), row.first.max(row.second));
        (first, second, row.scope)
    };
    let known: FxHashSet<_> = derived.candidate_race.iter().map(pair).collect();
    let (own, others) = std::mem::take(&mut rest.candidate_race)
        .into_iter()
        .partition(|row| !known.contains(&pair(row)));
    let divergences = std::mem::take(&mut rest.candidate_divergence);
    let solver = solver_options(options).short();
    let mut found = vec![Tried::Redundant; barriers.len()];
    for (races, divergences) in [(own, Vec::new()), (others, divergences)] {
        rest.candidate_race = races;
        rest.candidate_divergence = divergences;
        let open = barriers.iter().zip(&found);
        let asked: BTreeSet<LaunchId> = open
            .filter(|(_, found)| **found == Tried::Redundant)
            .map(|(row, _)| row.launch)
            .collect();
        rest.candidate_race
            .retain(|row| asked.contains(&row.launch));
        rest.candidate_divergence
            .retain(|row| asked.contains(&row.launch));
        if asked.is_empty() {
            break;
        }
        let decision = SESSION.with_borrow_mut(|session| session.decide(&less, &rest, &solver));
        for (row, found) in barriers.iter().zip(&mut found) {
            if *found == Tried::Redundant {
                *found = of_launch(facts, &decision, row.launch);
            }
        }
    }
    found
}

/// Whether two atomic operations leave the same in either order: of one kind that commutes, on integers of one type. Sums of floats
/// round.
fn commute(facts: &Facts, first: AccessId, second: AccessId) -> bool {
    let kind = |access: AccessId| {
        let name = facts.access[access.index()].operation.as_str();
        let name = ["atomic", "fetch_"]
            .iter()
            .find_map(|start| name.strip_prefix(start))
            .unwrap_or(name);
        let name = name.trim_end_matches("_block").to_ascii_lowercase();
        ["add", "sub", "min", "max", "and", "or", "xor"]
            .contains(&name.as_str())
            .then_some(name)
    };
    let ty = |access: AccessId| {
        let mut operands = facts.atomic_operand.iter();
        let operand = operands.find(|row| row.access == access);
        operand.map(|row| facts.terms.ty(row.term))
    };
    kind(first).is_some()
        && kind(first) == kind(second)
        && ty(first).is_some_and(CType::is_integer)
        && ty(first) == ty(second)
}

/// What a decision says of one launch.
fn of_launch(facts: &Facts, decision: &Decision, launch: LaunchId) -> Tried {
    let mut dead = decision.unsatisfiable.iter();
    let mut open = dead.any(|point| facts.point[point.index()].launch == launch);
    let races = decision.races.iter();
    for race in races.filter(|race| race.candidate.launch == launch) {
        let accesses = [race.candidate.first, race.candidate.second];
        let mut accesses = accesses.map(|id| facts.access[id.index()].kind).into_iter();
        match race.answer {
            // No race, and yet what comes first decides.
            RaceAnswer::Race(_) if accesses.all(|kind| kind == AccessKind::Atomic) => open = true,
            RaceAnswer::Race(_) => return Tried::Needed,
            RaceAnswer::Unknown { .. } => open = true,
            _ => {}
        }
    }
    let divergences = decision.divergences.iter();
    for divergence in divergences.filter(|found| found.candidate.launch == launch) {
        match divergence.answer {
            DivergenceAnswer::Diverges(_) => return Tried::Needed,
            DivergenceAnswer::Unknown { .. } => open = true,
            DivergenceAnswer::Uniform { .. } => {}
        }
    }
    if open { Tried::Open } else { Tried::Redundant }
}
