//! What shared memory holds: relations that say what a read finds there, for any contents of the inputs.
//!
//! Most kernels whose places depend on data (prefix sums, compaction, sorting) have control that does not: which thread writes which
//! element in which interval is known from the launch alone. With the block's size known, a block is executed concretely in its
//! threads and symbolically in its values ([`block`]), one barrier interval after another. A value is a [`word::Word`]: a number plus
//! sums of runs of inputs, where an input is what a thread stored that is no such sum itself. What a read finds in all its executions
//! is fitted to a form of the element read, and the form is checked for each of them ([`fit`]): `S(u) − S(l)` plus a linear part,
//! with S the sums of the inputs before an element.
//!
//! **Accuracy.** A form holds in every execution of the launch, for each block on its own. It does not lean on what it is used for:
//! within the simulation, no two threads of a block may meet in an array without a barrier between ([`memory`]), however what is open
//! comes out, or nothing is said of the array. What is stored or skipped by the data makes an element unknown, and so does what is
//! read, stored or counted at a place that depends on it. An addition counts only where it cannot wrap: unsigned sums by the bounds of
//! what is summed, signed ones because an execution in which they overflow is none.
//!
//! **Sources.** N. Chong, A. Donaldson, P. Kelly, J. Ketema, S. Qadeer, *Barrier Invariants: A Shared State Abstraction for the Analysis of
//! Data-Dependent GPU Kernels*, OOPSLA 2013, for the problem, and for using contents only behind accesses that are free of races without
//! them; N. Chong, A. Donaldson, J. Ketema, *A Sound and Complete Abstraction for Reasoning About Parallel Prefix Sums*, POPL 2014,
//! for intervals of inputs as values.

pub mod block;
pub mod fit;
pub mod memory;
pub mod word;

mod plan;

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use warplog_facts::derived::{
    CandidateDivergenceRow, CandidateRaceRow, PrefixHandedRow, PrefixSumRow, PrefixSummandRow,
    SameInLanesRow, SumAtLoadRow, SumAtTermRow,
};
use warplog_facts::words::Space;
use warplog_facts::{
    AccessId, AssertRow, Derived, Facts, GuardAtRow, LaunchId, Op, PointId, TermId,
};

use block::Wanted;
use fit::Form;
use word::{Combination, inputs_of};

/// Fills the relations of contents: `prefix_sum`, `prefix_summand`, `prefix_handed`, `sum_at_load`, `sum_at_term` and `same_in_lanes`. Only
/// launches with a candidate whose place or path depends on what is read from shared memory, or on what threads hand to each other, or with an
/// assertion about shared memory, are looked at.
pub fn add(facts: &Facts, derived: &mut Derived) {
    let rows = Rows::new(facts, derived);
    let mut found = Vec::new();
    let launches: Vec<LaunchId> = facts.launch.iter().map(|row| row.launch).collect();
    for launch in launches {
        let wanted = wanted(facts, rows.of(launch));
        if wanted.loads.is_empty() && wanted.terms.is_empty() {
            continue;
        }
        found.extend(block::simulate(facts, derived, launch, &wanted).map(|found| (launch, found)));
    }
    for (launch, found) in found {
        of_launch(derived, launch, found);
    }
    derived.prefix_sum.sort_unstable();
    derived.prefix_summand.sort_unstable();
    derived.prefix_handed.sort_unstable();
    derived.sum_at_load.sort_unstable();
    derived.sum_at_term.sort_unstable();
    derived.same_in_lanes.sort_unstable();
}

/// The rows of one launch.
#[derive(Default)]
struct OfLaunch<'a> {
    races: Vec<&'a CandidateRaceRow>,
    divergences: Vec<&'a CandidateDivergenceRow>,
    assertions: Vec<&'a AssertRow>,
    /// The conjuncts of path conditions.
    guards: Vec<&'a GuardAtRow>,
    /// Whether threads hand values to each other.
    hands: bool,
}

/// The rows by launch: to look for those of each launch among all would take time that grows with the square of their number.
struct Rows<'a>(Vec<OfLaunch<'a>>);

impl<'a> Rows<'a> {
    fn new(facts: &'a Facts, derived: &'a Derived) -> Self {
        let launches = facts.launch.iter();
        let mut all: Vec<OfLaunch<'a>> = launches.map(|_| OfLaunch::default()).collect();
        for row in &derived.candidate_race {
            all[row.launch.index()].races.push(row);
        }
        for row in &derived.candidate_divergence {
            all[row.launch.index()].divergences.push(row);
        }
        let launch_at = |point: PointId| facts.point[point.index()].launch;
        for row in &facts.assert_ {
            all[launch_at(row.point).index()].assertions.push(row);
        }
        for row in &facts.guard_at {
            all[launch_at(row.point).index()].guards.push(row);
        }
        let handed = facts.lane_value.iter().map(|row| row.unknown);
        let ranks = facts.vote_rank.iter().map(|row| row.unknown);
        let sums = facts.collective.iter().map(|row| row.unknown);
        for unknown in handed.chain(ranks).chain(sums) {
            let launch = facts.unknown[unknown.index()].launch;
            all[launch.index()].hands = true;
        }
        Rows(all)
    }

    fn of(&self, launch: LaunchId) -> &OfLaunch<'a> {
        &self.0[launch.index()]
    }
}

/// The reads of shared memory, and the terms made of what threads hand to each other, on which a place or a path of a candidate depends.
fn wanted(facts: &Facts, own: &OfLaunch<'_>) -> Wanted {
    let mut wanted = Wanted::default();
    let mut points: FxHashSet<PointId> = FxHashSet::default();
    let mut roots: Vec<(PointId, TermId)> = Vec::new();
    for row in &own.races {
        for access in [row.first, row.second] {
            let access = &facts.access[access.index()];
            points.insert(access.point);
            roots.push((access.point, access.index));
        }
    }
    for row in &own.divergences {
        points.insert(facts.barrier[row.barrier.index()].point);
    }
    let is_shared = |access: &AccessId| {
        let array = facts.access[access.index()].array;
        facts.array[array.index()].space == Space::Shared
    };
    let reads = |root: TermId| {
        let terms = facts.terms.reachable(&[root]).into_iter();
        terms.filter_map(|id| facts.terms.get(id).access())
    };
    // What is asserted of shared memory is about what it holds, too.
    for row in &own.assertions {
        if reads(row.term).any(|access| is_shared(&access)) {
            points.insert(row.point);
            roots.push((row.point, row.term));
        }
    }
    if points.is_empty() {
        return wanted;
    }
    let guards = own.guards.iter();
    let guards = guards.filter(|row| points.contains(&row.point));
    // A condition is looked at where it is decided.
    roots.extend(guards.map(|row| (row.cause_point, row.term)));
    roots.sort_unstable();
    roots.dedup();
    let terms: Vec<TermId> = roots.iter().map(|(_, term)| *term).collect();
    let terms = facts.terms.reachable(&terms).into_iter();
    let loads = terms.filter_map(|id| facts.terms.get(id).access());
    wanted.loads = loads.filter(is_shared).collect();
    if !own.hands {
        return wanted;
    }
    wanted.hands = true;
    for (point, root) in roots {
        let terms = facts.terms.reachable(&[root]).into_iter();
        let mut terms = terms.map(|id| facts.terms.get(id));
        if terms.any(|term| matches!(term.op, Op::Unknown | Op::Load)) {
            wanted.terms.entry(point).or_default().insert(root);
        }
    }
    wanted
}

/// The rows of a launch.
fn of_launch(derived: &mut Derived, launch: LaunchId, found: block::Found) {
    let mut used: BTreeSet<u32> = BTreeSet::new();
    // Of sums that may become smaller again nothing is concluded.
    let grows = |form: &Form| {
        let sum = form.sum.as_ref();
        sum.is_none_or(|sum| found.sources[inputs_of(sum.source) as usize].least >= 0)
    };
    for (access, form) in found.forms.iter().filter(|(_, form)| grows(form)) {
        let sum = form.sum.as_ref();
        used.extend(sum.map(|sum| sum.source));
        derived.sum_at_load.push(SumAtLoadRow {
            access: *access,
            launch,
            sum: sum.map(|sum| sum.source),
            upper_step: sum.map_or(0, |sum| sum.upper_step),
            upper: sum.map_or(0, |sum| sum.upper),
            segment: sum.map_or(0, |sum| sum.segment),
            lower: sum.map_or(0, |sum| sum.lower),
            slope: form.slope,
            plus: form.plus,
            first: form.first,
            end: form.end,
        });
    }
    for (&(point, term), form) in found.terms.iter().filter(|(_, form)| grows(form)) {
        let sum = form.sum.as_ref();
        used.extend(sum.map(|sum| sum.source));
        derived.sum_at_term.push(SumAtTermRow {
            launch,
            term,
            point,
            sum: sum.map(|sum| sum.source),
            upper_step: sum.map_or(0, |sum| sum.upper_step),
            upper: sum.map_or(0, |sum| sum.upper),
            segment: sum.map_or(0, |sum| sum.segment),
            lower: sum.map_or(0, |sum| sum.lower),
            slope: form.slope,
            plus: form.plus,
            first: form.first,
            end: form.end,
        });
    }
    for (&(point, term), &lanes) in &found.same {
        derived.same_in_lanes.push(SameInLanesRow {
            launch,
            term,
            point,
            lanes,
        });
    }
    for source in used {
        let source_of = &found.sources[inputs_of(source) as usize];
        derived.prefix_sum.push(PrefixSumRow {
            launch,
            sum: source,
            operation: Combination::of(source).name().to_owned(),
            array: source_of.array,
            bytes: source_of.bytes,
            least: source_of.least,
            most: source_of.most,
            rounds: source_of.rounds,
        });
        for &access in &source_of.parts {
            derived.prefix_summand.push(PrefixSummandRow {
                launch,
                sum: source,
                access,
            });
        }
        if let Some((term, point)) = source_of.handed {
            derived.prefix_handed.push(PrefixHandedRow {
                launch,
                sum: source,
                term,
                point,
            });
        }
    }
}

/// Whether a term of a leaf that is one value for a whole run: its node is looked at and nothing below it.
fn is_leaf(op: Op) -> bool {
    matches!(op, Op::Load | Op::Unknown | Op::Exit | Op::Other | Op::Iter)
}
