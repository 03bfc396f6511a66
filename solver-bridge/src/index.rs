//! Look-up tables over a fact set and its derived relations, made once per [`decide`](crate::decide).

use std::cell::Cell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use facts::derived::*;
use facts::eval::{Environment, Evaluator, Memo};
use facts::range::Bases;
use facts::words::*;
use facts::*;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts as facts;

use super::walks::Level;
use crate::condition::Condition;
use crate::outcome::Abstraction;
use crate::walks::Walks;

/// A way from a head to a point: the barriers that count, head, point, carried loop.
type Passage = (Level, PointId, PointId, Option<LoopId>);

/// Nodes of a stored value beyond which it is taken as arbitrary.
const LARGE: usize = 160;

/// Facts by the ids that queries start from.
pub(crate) struct Index<'a> {
    pub(crate) facts: &'a Facts,
    guards: Vec<Vec<&'a GuardAtRow>>,
    loops: Vec<Vec<LoopId>>,
    successors: Vec<Vec<PointId>>,
    back_edges: FxHashMap<(PointId, PointId), LoopId>,
    barriers: FxHashMap<PointId, BarrierId>,
    breaks: FxHashMap<PointId, LoopId>,
    /// Loops in which threads may wait for others.
    may_wait: Vec<LoopId>,
    phase_order: FxHashMap<(AccessId, AccessId), &'a PhaseOrderRow>,
    /// Pairs that keep to a protocol.
    protected: FxHashMap<(AccessId, AccessId, PairScope), &'a ProtectedRow>,
    /// What unknown values are functions of, where that is the same in all iterations.
    depends: FxHashMap<UnknownId, Vec<TermId>>,
    /// By launch, a barrier of each group, by number.
    groups: Vec<Vec<(u32, BarrierId)>>,
    uniform: FxHashMap<TermId, Scope>,
    stable_loads: FxHashMap<AccessId, Scope>,
    /// The counter that each unknown is a result of.
    counters: FxHashMap<UnknownId, AccessId>,
    steps: FxHashMap<AccessId, i128>,
    times: FxHashMap<AccessId, TermId>,
    ranks: FxHashMap<UnknownId, &'a VoteRankRow>,
    group_tickets: FxHashMap<UnknownId, &'a GroupTicketRow>,
    stored_parts: FxHashMap<AccessId, Vec<&'a StoredPartRow>>,
    distinct_results: FxHashMap<(AccessId, AccessId), &'a DistinctResultsRow>,
    exchanges: FxHashMap<UnknownId, AccessId>,
    taken_once: FxHashMap<(AccessId, AccessId), &'a TakenOnceRow>,
    counted_results: FxHashMap<AccessId, &'a CountedResultRow>,
    /// By read.
    totals: FxHashMap<AccessId, Vec<&'a CountedTotalRow>>,
    /// By the two reads, the smaller number first: the loops whose iterations must be equal.
    settled_loads: FxHashMap<(AccessId, AccessId), u32>,
    sums_at_loads: FxHashMap<AccessId, &'a SumAtLoadRow>,
    prefix_sums: FxHashMap<(LaunchId, u32), (&'a PrefixSumRow, Vec<AccessId>)>,
    handed: FxHashMap<(LaunchId, u32), Vec<(TermId, PointId)>>,
    sums_at_terms: FxHashMap<TermId, Vec<&'a SumAtTermRow>>,
    same_in_lanes: FxHashMap<TermId, Vec<&'a SameInLanesRow>>,
    forwarded_loads: FxHashMap<AccessId, Vec<&'a ForwardedLoadRow>>,
    forwarded_when: FxHashMap<(AccessId, AccessId), Vec<&'a ForwardedWhenRow>>,
    /// Loops in which a barrier of the block stands.
    waiting: rustc_hash::FxHashSet<LoopId>,
    skips: FxHashMap<Passage, Vec<(PointId, Place)>>,
    points: Vec<Vec<PointId>>,
    dimensions: FxHashMap<(LaunchId, Dimension), TermId>,
    exits: FxHashMap<LoopId, TermId>,
    assumes: Vec<Vec<(PointId, TermId)>>,
    /// Where no execution goes on.
    traps: rustc_hash::FxHashSet<PointId>,
    /// Points at which something true is said of unknowns.
    certain: rustc_hash::FxHashSet<PointId>,
    launch_assumes: Vec<Vec<TermId>>,
    /// By launch.
    launch_dimensions: Vec<Vec<&'a LaunchDimensionRow>>,
    /// By launch.
    symbols: Vec<Vec<&'a SymbolRow>>,
    /// What is supposed besides, for a while.
    supposed: Vec<(LaunchId, Condition)>,
    /// By term, whether it speaks of a second thread.
    of_two: Vec<bool>,
    /// Loops whose condition reads memory: once more than there are iterations.
    reading: rustc_hash::FxHashSet<LoopId>,
    /// Arrays whose elements are pairwise different.
    distinct: Vec<(ArrayId, Option<TermId>)>,
    /// Arrays whose elements are in order, and whether they grow with each.
    ordered: Vec<(ArrayId, bool, Option<TermId>)>,
    /// Arrays whose elements lie between bounds.
    bounded: FxHashMap<ArrayId, (i128, i128, Option<TermId>)>,
    large: Mutex<FxHashMap<TermId, bool>>,
    /// What the bounds of each launch begin with.
    pub(crate) bases: Bases<'a>,
    /// Back edges that can be crossed, as far as somebody has asked.
    pub(crate) walks: Walks,
    /// Writes that leave the same bytes are races, too.
    pub(crate) report_benign: bool,
    /// By term, whether it has one value per thread, whatever the iterations of loops.
    unvarying: Arc<[bool]>,
    /// What replays evaluate into, kept for its storage: it has a place for each term of all kernels, while each kernel is decided on
    /// a thread of its own.
    memos: Mutex<Vec<Memo>>,
    /// Launches of which an array is said to have elements that its type does not have, once somebody asks.
    without_value: OnceLock<FxHashSet<LaunchId>>,
}

thread_local! {
    /// Terms evaluated by replays on this thread since this was last read.
    static REPLAYED: Cell<u64> = const { Cell::new(0) };
    /// Whether replays on this thread may take long.
    static PATIENT: Cell<bool> = const { Cell::new(false) };
}

/// Does something in which replays may take long; what they take is counted for nobody.
pub(crate) fn patiently<R>(what: impl FnOnce() -> R) -> R {
    let counted = REPLAYED.get();
    PATIENT.set(true);
    let result = what();
    PATIENT.set(false);
    REPLAYED.set(counted);
    result
}

/// Whether replays on this thread may take long.
pub(crate) fn is_patient() -> bool {
    PATIENT.get()
}

/// How many elements something is said of, for each of two reads: of all if empty.
pub(crate) type Counts = [Option<TermId>; 2];

/// What is said of the most elements: of all, if that is said.
fn widest(mut counts: impl Iterator<Item = Option<TermId>>) -> Option<Option<TermId>> {
    let first = counts.next()?;
    match counts.any(|count| count.is_none()) {
        true => Some(None),
        false => Some(first),
    }
}

/// Counts terms that a replay evaluated.
pub(crate) fn note_replayed(terms: u64) {
    REPLAYED.set(REPLAYED.get() + terms);
}

/// Terms evaluated by replays on this thread since this was last asked.
pub(crate) fn take_replayed() -> u64 {
    REPLAYED.take()
}

impl<'a> Index<'a> {
    pub(crate) fn new(facts: &'a Facts, derived: &'a Derived) -> Self {
        let points = facts.point.len();
        let launches = facts.launch.len();
        let mut index = Index {
            facts,
            report_benign: false,
            guards: vec![Vec::new(); points],
            loops: vec![Vec::new(); points],
            successors: vec![Vec::new(); points],
            back_edges: FxHashMap::default(),
            barriers: FxHashMap::default(),
            breaks: FxHashMap::default(),
            phase_order: derived
                .phase_order
                .iter()
                .map(|row| ((row.first, row.second), row))
                .collect(),
            may_wait: derived.may_wait.iter().map(|row| row.loop_id).collect(),
            protected: FxHashMap::default(),
            depends: FxHashMap::default(),
            groups: vec![Vec::new(); launches],
            uniform: FxHashMap::default(),
            stable_loads: FxHashMap::default(),
            counters: facts
                .atomic_step
                .iter()
                .map(|row| (row.unknown, row.access))
                .collect(),
            steps: facts
                .atomic_step
                .iter()
                .filter(|row| {
                    row.times
                        .is_none_or(|times| is_defined(&facts.terms, times))
                })
                .map(|row| (row.access, row.step))
                .collect(),
            times: facts
                .atomic_step
                .iter()
                .filter_map(|row| Some((row.access, row.times?)))
                .filter(|&(_, times)| is_defined(&facts.terms, times))
                .collect(),
            ranks: facts
                .vote_rank
                .iter()
                .map(|row| (row.unknown, row))
                .collect(),
            group_tickets: facts
                .group_ticket
                .iter()
                .map(|row| (row.base, row))
                .collect(),
            stored_parts: FxHashMap::default(),
            exchanges: facts
                .atomic_exchange
                .iter()
                .map(|row| (row.unknown, row.access))
                .collect(),
            taken_once: derived
                .taken_once
                .iter()
                .map(|row| ((row.first, row.second), row))
                .collect(),
            distinct_results: derived
                .distinct_results
                .iter()
                .map(|row| ((row.first, row.second), row))
                .collect(),
            totals: {
                let mut totals: FxHashMap<AccessId, Vec<&CountedTotalRow>> = FxHashMap::default();
                for row in &derived.counted_total {
                    totals.entry(row.access).or_default().push(row);
                }
                totals
            },
            settled_loads: derived
                .settled_loads
                .iter()
                .map(|row| {
                    let pair = (row.first.min(row.second), row.first.max(row.second));
                    (pair, row.rounds)
                })
                .collect(),
            sums_at_loads: derived
                .sum_at_load
                .iter()
                .map(|row| (row.access, row))
                .collect(),
            prefix_sums: derived
                .prefix_sum
                .iter()
                .map(|row| ((row.launch, row.sum), (row, Vec::new())))
                .collect(),
            handed: FxHashMap::default(),
            sums_at_terms: FxHashMap::default(),
            same_in_lanes: FxHashMap::default(),
            counted_results: derived
                .counted_result
                .iter()
                .map(|row| (row.access, row))
                .collect(),
            forwarded_loads: FxHashMap::default(),
            forwarded_when: FxHashMap::default(),
            waiting: rustc_hash::FxHashSet::default(),
            skips: FxHashMap::default(),
            points: vec![Vec::new(); launches],
            dimensions: FxHashMap::default(),
            exits: FxHashMap::default(),
            assumes: vec![Vec::new(); launches],
            traps: rustc_hash::FxHashSet::default(),
            certain: rustc_hash::FxHashSet::default(),
            launch_assumes: vec![Vec::new(); launches],
            launch_dimensions: vec![Vec::new(); launches],
            symbols: vec![Vec::new(); launches],
            supposed: Vec::new(),
            of_two: of_two(&facts.terms),
            reading: rustc_hash::FxHashSet::default(),
            distinct: facts
                .distinct_elements
                .iter()
                .map(|row| (row.array, row.elements))
                .collect(),
            ordered: facts
                .ordered_elements
                .iter()
                .map(|row| (row.array, row.strictly, row.elements))
                .collect(),
            bounded: facts
                .bounded_elements
                .iter()
                .map(|row| (row.array, (row.least, row.most, row.elements)))
                .collect(),
            large: Mutex::default(),
            bases: Bases::new(facts),
            walks: Walks::default(),
            unvarying: unvarying(&facts.terms),
            memos: Mutex::default(),
            without_value: OnceLock::new(),
        };
        for row in &facts.stored_part {
            let rows = index.stored_parts.entry(row.access).or_default();
            rows.push(row);
        }
        for row in &derived.prefix_summand {
            if let Some((_, writes)) = index.prefix_sums.get_mut(&(row.launch, row.sum)) {
                writes.push(row.access);
            }
        }
        for row in &derived.prefix_handed {
            let handed = index.handed.entry((row.launch, row.sum)).or_default();
            handed.push((row.term, row.point));
        }
        for row in &derived.sum_at_term {
            index.sums_at_terms.entry(row.term).or_default().push(row);
        }
        for row in &derived.same_in_lanes {
            index.same_in_lanes.entry(row.term).or_default().push(row);
        }
        for row in &derived.forwarded_load {
            let rows = index.forwarded_loads.entry(row.access).or_default();
            rows.push(row);
        }
        for row in &derived.forwarded_when {
            let key = (row.access, row.write);
            index.forwarded_when.entry(key).or_default().push(row);
        }
        for (id, term) in facts.terms.iter() {
            if let (Op::Exit, Some(loop_id)) = (term.op, term.loop_id()) {
                index.exits.entry(loop_id).or_insert(id);
            }
        }
        for row in &facts.guard_at {
            index.guards[row.point.index()].push(row);
        }
        for guards in &mut index.guards {
            guards.sort_by_key(|row| row.position);
        }
        let mut depth = vec![0u32; facts.loop_.len()];
        for row in &facts.loop_ {
            let mut parent = row.parent;
            // A damaged fact set may hold a cycle of parents.
            while let Some(up) = parent
                && depth[row.loop_id.index()] <= facts.loop_.len() as u32
            {
                depth[row.loop_id.index()] += 1;
                parent = facts.loop_.get(up.index()).and_then(|row| row.parent);
            }
        }
        for row in &facts.loop_at {
            index.loops[row.point.index()].push(row.loop_id);
        }
        for loops in &mut index.loops {
            loops.sort_by_key(|id| (depth[id.index()], *id));
            loops.dedup();
        }
        for row in &facts.access {
            for &id in &index.loops[row.point.index()] {
                let head = facts.loop_[id.index()].head;
                let mut guards = index.guards[row.point.index()].iter();
                let in_body = guards
                    .any(|guard| guard.cause == GuardCause::Loop && guard.cause_point == head);
                if !in_body {
                    index.reading.insert(id);
                }
            }
        }
        for row in &facts.cfg_edge {
            index.successors[row.from.index()].push(row.to);
        }
        for row in &facts.back_edge {
            index.back_edges.insert((row.from, row.to), row.loop_id);
        }
        for row in &facts.barrier {
            index.barriers.insert(row.point, row.barrier);
            if matches!(row.kind, BarrierKind::Block | BarrierKind::Grid) {
                let around = index.loops[row.point.index()].iter();
                index.waiting.extend(around);
            }
        }
        for row in &facts.break_at {
            index.breaks.insert(row.point, row.loop_id);
        }
        for row in &facts.point {
            index.points[row.launch.index()].push(row.point);
        }
        for row in &facts.symbol {
            index.symbols[row.launch.index()].push(row);
        }
        for row in &facts.launch_dimension {
            index.launch_dimensions[row.launch.index()].push(row);
            index
                .dimensions
                .insert((row.launch, row.dimension), row.term);
        }
        for row in &facts.assume {
            let launch = facts.point[row.point.index()].launch;
            index.assumes[launch.index()].push((row.point, row.term));
            if row.ends {
                index.traps.insert(row.point);
            }
            if row.certain {
                index.certain.insert(row.point);
            }
        }
        for row in &facts.launch_assume {
            index.launch_assumes[row.launch.index()].push(row.term);
        }
        for row in &derived.uniform {
            let scope = index.uniform.entry(row.term).or_insert(row.scope);
            *scope = (*scope).max(row.scope);
        }
        for row in &derived.stable_load {
            let scope = index.stable_loads.entry(row.access).or_insert(row.scope);
            *scope = (*scope).max(row.scope);
        }
        for row in &derived.skips {
            index
                .skips
                .entry(((row.scope, row.groups), row.head, row.point, row.carried))
                .or_default()
                .push((row.barrier, row.place));
        }
        for row in &derived.protected {
            let pair = (row.first, row.second, row.scope);
            index.protected.insert(pair, row);
        }
        for row in &facts.unknown_depends_on {
            index.depends.entry(row.unknown).or_default().push(row.term);
        }
        for row in &facts.unknown_controlled_by {
            index.depends.entry(row.unknown).or_default().push(row.term);
        }
        let unvarying = Arc::clone(&index.unvarying);
        index.depends.retain(|unknown, terms| {
            let fixed = |term: &TermId| unvarying.get(term.index()) == Some(&true);
            !facts.unknown[unknown.index()].opaque && terms.iter().all(fixed)
        });
        for row in &derived.group_of {
            index.groups[row.launch.index()].push((row.group, row.barrier));
        }
        index
    }

    /// By term, whether it has one value per thread, whatever the iterations of loops.
    pub(crate) fn unvarying(&self) -> Arc<[bool]> {
        Arc::clone(&self.unvarying)
    }

    /// The conjuncts of a point's path condition, in program order.
    pub(crate) fn guards(&self, point: PointId) -> &[&'a GuardAtRow] {
        &self.guards[point.index()]
    }

    /// The loops around a point, outermost first.
    pub(crate) fn loops(&self, point: PointId) -> &[LoopId] {
        &self.loops[point.index()]
    }

    pub(crate) fn loop_row(&self, id: LoopId) -> &'a LoopRow {
        &self.facts.loop_[id.index()]
    }

    pub(crate) fn successors(&self, point: PointId) -> &[PointId] {
        &self.successors[point.index()]
    }

    pub(crate) fn back_edge(&self, from: PointId, to: PointId) -> Option<LoopId> {
        self.back_edges.get(&(from, to)).copied()
    }

    pub(crate) fn barrier_at(&self, point: PointId) -> Option<&'a BarrierRow> {
        let id = self.barriers.get(&point)?;
        Some(&self.facts.barrier[id.index()])
    }

    /// What an unknown value is a function of, at equal iterations of the loops around it.
    pub(crate) fn depends(&self, term: &Term) -> Option<&[TermId]> {
        let known = self.depends.get(&term.unknown()?)?;
        Some(known.as_slice())
    }

    /// Why a race of this candidate would be none if what it keeps to does what it is for: a barrier that is not modelled, a
    /// protocol.
    pub(crate) fn ordered_otherwise(&self, row: &CandidateRaceRow) -> Option<String> {
        let between_blocks = row.scope == PairScope::Grid;
        let barrier = self.facts.unsupported.iter().find(|one| {
            one.launch == Some(row.launch)
                && match one.effect {
                    Effect::Order => !between_blocks,
                    Effect::OrderBlocks => true,
                    _ => false,
                }
        });
        if let Some(barrier) = barrier {
            let line = self.facts.span[barrier.span.index()].line;
            return Some(format!(
                "{} in line {line} may order the two accesses: it is not modelled",
                barrier.what
            ));
        }
        if let Some(why) = self.counted_otherwise(row) {
            return Some(why);
        }
        let (protocol, operation) = self.protocol(row, false)?;
        Some(self.not_modelled(protocol, operation))
    }

    /// Why a race with a bulk copy whose bytes a barrier counts would be none: beside what is not modelled no phases are followed.
    fn counted_otherwise(&self, row: &CandidateRaceRow) -> Option<String> {
        if row.scope == PairScope::Grid || self.crosses_proxies(row) {
            return None;
        }
        let mut copies = self.facts.copy_access.iter();
        let is_counted = copies.any(|copy| {
            copy.completes.is_some() && (copy.access == row.first || copy.access == row.second)
        });
        let mut rows = self.facts.unsupported.iter();
        let found = rows.find(|one| {
            one.launch == Some(row.launch) && !matches!(one.effect, Effect::Nothing | Effect::Alias)
        });
        let found = found.filter(|_| is_counted)?;
        let line = self.facts.span[found.span.index()].line;
        Some(format!(
            "{} in line {line} is not modelled, and beside it phases of barriers, which may order the copy, are not followed",
            found.what
        ))
    }

    fn not_modelled(&self, protocol: Protocol, operation: &AccessRow) -> String {
        let line = self.facts.span[operation.span.index()].line;
        let name = operation_name(operation);
        match protocol {
            Protocol::Wait => format!(
                "protocol: the loop around {name} in line {line} waits for other blocks; that the other access comes before that is not modelled"
            ),
            Protocol::Lock => format!(
                "protocol: both accesses are made under the lock that {name} takes in line {line}; that it excludes the other thread is not modelled"
            ),
            Protocol::Counter => format!(
                "protocol: {name} in line {line} draws a ticket behind a fence; that the other thread comes before the last ticket is not modelled"
            ),
        }
    }

    /// What a race of this candidate rests on besides values: that a protocol which it looks to keep to, and which is modelled, does not
    /// order the accesses, as it is not shown to; that nothing follows from it that threads wait for others on the way.
    pub(crate) fn not_shown_ordered(&self, row: &CandidateRaceRow) -> Option<Abstraction> {
        let Some((protocol, operation)) = self.protocol(row, true) else {
            let waited = self.waited_for(row).or_else(|| self.phase_waited_for(row));
            let waited = waited.or_else(|| self.cluster_waited_for(row));
            return waited.or_else(|| self.may_be_fenced(row));
        };
        let name = operation_name(operation);
        let text = match protocol {
            Protocol::Lock => {
                format!("a lock that is not shown to exclude the other thread, taken by {name}")
            }
            Protocol::Counter => {
                format!("tickets that are not shown to order the accesses, drawn by {name}")
            }
            Protocol::Wait => return None,
        };
        Some(Abstraction {
            text,
            span: Some(operation.span),
            input: None,
        })
    }

    /// Whether all blocks of a cluster come to the barrier.
    pub(crate) fn is_of_cluster(&self, barrier: BarrierId) -> bool {
        let mut rows = self.facts.cluster_barrier.iter();
        rows.any(|row| row.barrier == barrier)
    }

    /// Whether the first access lasts beyond its interval: a bulk copy that is under way, or a write that copies do not see.
    pub(crate) fn lasts(&self, row: &CandidateRaceRow) -> bool {
        row.exit == Some(self.facts.access[row.first.index()].point)
    }

    /// Whether the first is a write of a thread that the copy does not see, by whatever threads are ordered.
    pub(crate) fn crosses_proxies(&self, row: &CandidateRaceRow) -> bool {
        let mut copies = self.facts.copy_access.iter();
        self.lasts(row) && !copies.any(|copy| copy.bulk && copy.access == row.first)
    }

    /// From which distance of their iterations on one access comes before another by phases.
    pub(crate) fn phase_order(
        &self,
        first: AccessId,
        second: AccessId,
    ) -> Option<&'a PhaseOrderRow> {
        self.phase_order.get(&(first, second)).copied()
    }

    /// A wait for a phase in front of one of the accesses, or in a loop around it, that is not shown to order them.
    fn phase_waited_for(&self, row: &CandidateRaceRow) -> Option<Abstraction> {
        if row.scope == PairScope::Grid {
            return None;
        }
        let ordered = self.phase_order(row.first, row.second);
        let crosses = ordered.filter(|_| self.crosses_proxies(row));
        if crosses.is_some_and(|order| order.always) {
            return None;
        }
        let points = [row.first, row.second].map(|id| self.facts.access[id.index()].point);
        let mut waits = self.facts.phase_step.iter();
        let found = waits.find(|wait| {
            let around = self.loops(wait.point);
            self.facts.point[wait.point.index()].launch == row.launch
                && matches!(wait.step, PhaseStep::Sync | PhaseStep::Wait)
                && points.iter().any(|&point| {
                    wait.point < point || self.loops(point).iter().any(|id| around.contains(id))
                })
        })?;
        Some(Abstraction {
            text: match crosses {
                Some(_) => {
                    "phases of a barrier, which order the write before the copy in some rounds"
                }
                None => "phases of a barrier that are not shown to order the accesses",
            }
            .to_owned(),
            span: Some(self.facts.point[found.point.index()].span),
            input: None,
        })
    }

    /// A fence of proxies that may lie between a write and the copy that does not see it, and is not shown to.
    fn may_be_fenced(&self, row: &CandidateRaceRow) -> Option<Abstraction> {
        if !self.crosses_proxies(row) {
            return None;
        }
        let [write, copy] = [row.first, row.second].map(|id| &self.facts.access[id.index()]);
        let is_shared = self.facts.array[write.array.index()].space == Space::Shared;
        let follows = |first: PointId, second: PointId| {
            let around = self.loops(second);
            first < second || self.loops(first).iter().any(|id| around.contains(id))
        };
        let mut fences = self.facts.proxy_fence.iter();
        let found = fences.find(|fence| {
            let is_for = if is_shared {
                fence.shared
            } else {
                fence.global
            };
            self.facts.point[fence.point.index()].launch == row.launch
                && is_for
                && follows(write.point, fence.point)
                && follows(fence.point, copy.point)
        })?;
        Some(Abstraction {
            text: "a fence of proxies that is not shown to lie between the two".to_owned(),
            span: Some(self.facts.point[found.point.index()].span),
            input: None,
        })
    }

    /// A barrier of the cluster in front of one of the accesses, or in a loop around it: the two blocks may be of one cluster.
    fn cluster_waited_for(&self, row: &CandidateRaceRow) -> Option<Abstraction> {
        if row.scope != PairScope::Grid || row.groups == 1 {
            return None;
        }
        let points = [row.first, row.second].map(|id| self.facts.access[id.index()].point);
        let barriers = self.facts.cluster_barrier.iter();
        let mut barriers = barriers.map(|one| &self.facts.barrier[one.barrier.index()]);
        let found = barriers.find(|barrier| {
            let around = self.loops(barrier.point);
            self.facts.point[barrier.point.index()].launch == row.launch
                && points.iter().any(|&point| {
                    barrier.point < point || self.loops(point).iter().any(|id| around.contains(id))
                })
        })?;
        let mut shared = self.facts.cluster_array.iter();
        let array = self.facts.access[row.first.index()].array;
        let text = match shared.any(|one| one.array == array) {
            true => "a barrier of the cluster, to which its blocks need not come in step",
            false => "a barrier of the cluster, which is followed for shared memory only",
        };
        Some(Abstraction {
            text: text.to_owned(),
            span: Some(found.span),
            input: None,
        })
    }

    /// A loop in front of one of the accesses, or around it, in which threads may wait for others: in these two or in others of their blocks.
    fn waited_for(&self, row: &CandidateRaceRow) -> Option<Abstraction> {
        let points = [row.first, row.second].map(|id| self.facts.access[id.index()].point);
        let mut loops = self.may_wait.iter().map(|&id| self.loop_row(id));
        let found = loops.find(|waits| {
            let around = self.loops(waits.head);
            waits.launch == row.launch
                && points.iter().any(|&point| {
                    waits.head < point || self.loops(point).iter().any(|id| around.contains(id))
                })
        })?;
        Some(Abstraction {
            text: "what threads wait for in the loop".to_owned(),
            span: Some(self.facts.point[found.head.index()].span),
            input: None,
        })
    }

    /// Why threads that miss a barrier may meet the others all the same: it is an object at which threads arrive elsewhere, too, and
    /// how the places belong together is not modelled.
    pub(crate) fn met_otherwise(&self, row: &CandidateDivergenceRow) -> Option<String> {
        let facts = self.facts;
        let own = facts.barrier[row.barrier.index()].span;
        let mut arrivals = facts.access.iter().filter(|access| {
            access.operation == ARRIVE && facts.point[access.point.index()].launch == row.launch
        });
        let arrival = arrivals.clone().find(|access| access.span == own)?;
        let not_modelled = |span: SpanId| {
            facts.unsupported.iter().any(|one| {
                one.launch == Some(row.launch) && one.effect == Effect::Order && one.span == span
            })
        };
        let other = arrivals.find(|access| {
            (access.array, access.index) == (arrival.array, arrival.index)
                && access.span != own
                && (not_modelled(access.span) || not_modelled(own))
        })?;
        let line = facts.span[other.span.index()].line;
        Some(format!(
            "threads may arrive at the same barrier in line {line}: it is not modelled"
        ))
    }

    /// The place of the lock or the counter, if each thread of the candidate chooses its own: a race is looked for where they differ.
    pub(crate) fn chosen_places(&self, row: &CandidateRaceRow) -> Option<TermId> {
        let found = self.protected.get(&(row.first, row.second, row.scope))?;
        let index = self.facts.access[found.operation.index()].index;
        (found.modelled && found.several).then_some(index)
    }

    /// Why nothing follows for a candidate of which no two threads with different locks or counters race.
    pub(crate) fn not_shown_of_one(&self, row: &CandidateRaceRow) -> Option<String> {
        self.chosen_places(row)?;
        let (protocol, operation) = self.protocol(row, true)?;
        Some(self.not_modelled(protocol, operation))
    }

    /// The protocol that a candidate looks to keep to and its atomic operation, if it is one that is modelled, or that is not.
    fn protocol(
        &self,
        row: &CandidateRaceRow,
        modelled: bool,
    ) -> Option<(Protocol, &'a AccessRow)> {
        let found = *self.protected.get(&(row.first, row.second, row.scope))?;
        let operation = &self.facts.access[found.operation.index()];
        (found.modelled == modelled).then_some((found.protocol, operation))
    }

    /// The groups of a launch: number, and a barrier that is for them.
    pub(crate) fn groups(&self, launch: LaunchId) -> impl Iterator<Item = (u32, &'a BarrierRow)> {
        let groups = self.groups[launch.index()].iter();
        groups.map(|&(group, barrier)| (group, &self.facts.barrier[barrier.index()]))
    }

    /// The number of the group that a barrier is for.
    pub(crate) fn group_of(&self, row: &BarrierRow) -> Option<u32> {
        let launch = self.facts.point[row.point.index()].launch;
        let mut groups = self.groups(launch);
        let found =
            groups.find(|(_, of)| (of.member, of.key, of.kind) == (row.member, row.key, row.kind));
        found.map(|(group, _)| group)
    }

    /// Whether a warp barrier is for all lanes.
    pub(crate) fn is_whole_warp(&self, row: &BarrierRow) -> bool {
        let full = |mask: TermId| {
            let mask = self.facts.terms.as_const(mask);
            mask.is_some_and(|mask| mask & 0xffff_ffff == 0xffff_ffff)
        };
        row.member.is_none() && row.key.is_none() && row.mask.is_none_or(full)
    }

    /// Whether the warps of a launch are in lock-step.
    pub(crate) fn in_lock_step(&self, launch: LaunchId) -> bool {
        let mut rows = self.facts.lock_step.iter();
        rows.any(|row| row.launch == launch && row.lanes == 32)
    }

    /// Whether a break leaves the loop from inside another loop in it.
    pub(crate) fn left_from_within(&self, id: LoopId) -> bool {
        self.facts
            .break_at
            .iter()
            .any(|row| row.loop_id == id && self.loops(row.point).last() != Some(&id))
    }

    /// The points of all barriers of a launch, in order.
    pub(crate) fn barriers(&self, launch: LaunchId) -> Vec<PointId> {
        self.facts
            .barrier
            .iter()
            .map(|row| row.point)
            .filter(|point| self.facts.point[point.index()].launch == launch)
            .collect()
    }

    /// The loop that a break point leaves.
    pub(crate) fn break_of(&self, point: PointId) -> Option<LoopId> {
        self.breaks.get(&point).copied()
    }

    /// Largest scope in which the term is uniform.
    pub(crate) fn uniform(&self, term: TermId) -> Option<Scope> {
        self.uniform.get(&term).copied()
    }

    /// Scope in which equal reads of the access give equal values.
    pub(crate) fn stable_load(&self, access: AccessId) -> Option<Scope> {
        self.stable_loads.get(&access).copied()
    }

    /// The counter whose result the unknown is.
    pub(crate) fn counter(&self, unknown: UnknownId) -> Option<AccessId> {
        self.counters.get(&unknown).copied()
    }

    /// The drawing for a group of lanes that an unknown is the result of.
    pub(crate) fn group_ticket(&self, base: UnknownId) -> Option<&'a GroupTicketRow> {
        self.group_tickets.get(&base).copied()
    }

    /// What an unknown is a rank of.
    pub(crate) fn vote_rank(&self, unknown: UnknownId) -> Option<&'a VoteRankRow> {
        self.ranks.get(&unknown).copied()
    }

    /// What is known of the results of two counters.
    pub(crate) fn distinct_results(
        &self,
        one: AccessId,
        other: AccessId,
    ) -> Option<&'a DistinctResultsRow> {
        let pair = (one.min(other), one.max(other));
        self.distinct_results.get(&pair).copied()
    }

    /// The exchange whose result the unknown is, if it takes a value that no other execution of it takes.
    pub(crate) fn winner(&self, unknown: UnknownId) -> Option<AccessId> {
        let access = *self.exchanges.get(&unknown)?;
        self.taken_once(access, access).map(|_| access)
    }

    /// What is known of the results of two exchanges.
    pub(crate) fn taken_once(&self, one: AccessId, other: AccessId) -> Option<&'a TakenOnceRow> {
        let pair = (one.min(other), one.max(other));
        self.taken_once.get(&pair).copied()
    }

    /// The counters whose sum a read finds.
    pub(crate) fn totals(&self, read: AccessId) -> &[&'a CountedTotalRow] {
        self.totals.get(&read).map_or(&[], Vec::as_slice)
    }

    /// Whether something is known of what a read finds, whatever that is.
    pub(crate) fn is_settled(&self, read: AccessId) -> bool {
        // What is settled with another read is so with itself.
        self.totals.contains_key(&read) || self.settled_loads.contains_key(&(read, read))
    }

    /// Where nothing changes an element between two reads: in equal iterations of so many loops around them.
    pub(crate) fn settled(&self, one: AccessId, other: AccessId) -> Option<u32> {
        let pair = (one.min(other), one.max(other));
        self.settled_loads.get(&pair).copied()
    }

    /// What a read of shared memory finds, if it is known.
    pub(crate) fn sum_at_load(&self, access: AccessId) -> Option<&'a SumAtLoadRow> {
        self.sums_at_loads.get(&access).copied()
    }

    /// What a term is in threads of each rank, where that is known.
    pub(crate) fn sums_at_term(&self, term: TermId) -> &[&'a SumAtTermRow] {
        self.sums_at_terms.get(&term).map_or(&[][..], Vec::as_slice)
    }

    /// In which lanes a term is one value.
    pub(crate) fn same_in_lanes(&self, term: TermId) -> &[&'a SameInLanesRow] {
        self.same_in_lanes.get(&term).map_or(&[][..], Vec::as_slice)
    }

    /// Whether something is known of a term by what threads hand to each other.
    pub(crate) fn is_fitted(&self, term: TermId) -> bool {
        self.sums_at_terms.contains_key(&term) || self.same_in_lanes.contains_key(&term)
    }

    /// A prefix sum.
    pub(crate) fn prefix_sum(&self, key: (LaunchId, u32)) -> Option<&'a PrefixSumRow> {
        self.prefix_sums.get(&key).map(|(row, _)| *row)
    }

    /// What threads hand in as summands of a prefix sum, and where.
    pub(crate) fn handed(&self, row: &PrefixSumRow) -> &[(TermId, PointId)] {
        let handed = self.handed.get(&(row.launch, row.sum));
        handed.map_or(&[][..], Vec::as_slice)
    }

    /// The writes that store the summands of a prefix sum.
    pub(crate) fn summands(&self, row: &PrefixSumRow) -> &[AccessId] {
        let key = (row.launch, row.sum);
        self.prefix_sums
            .get(&key)
            .map_or(&[][..], |(_, writes)| writes.as_slice())
    }

    /// Bounds of what a counter gives.
    pub(crate) fn counted_result(&self, access: AccessId) -> Option<&'a CountedResultRow> {
        self.counted_results.get(&access).copied()
    }

    /// How many times a counter adds its step, where that is no constant.
    pub(crate) fn times(&self, counter: AccessId) -> Option<TermId> {
        self.times.get(&counter).copied()
    }

    /// What a counter adds each time; none where the number of times is not told.
    pub(crate) fn step(&self, counter: AccessId) -> Option<i128> {
        self.steps.get(&counter).copied()
    }

    /// The scalars of an object that a write stores.
    pub(crate) fn stored_parts(&self, access: AccessId) -> &[&'a StoredPartRow] {
        let rows = self.stored_parts.get(&access);
        rows.map_or(&[], Vec::as_slice)
    }

    /// The stored values that a read may find.
    pub(crate) fn forwarded_loads(&self, access: AccessId) -> &[&'a ForwardedLoadRow] {
        let rows = self.forwarded_loads.get(&access);
        rows.map_or(&[], Vec::as_slice)
    }

    /// The conditions under which it finds that one.
    pub(crate) fn forwarded_when(&self, row: &ForwardedLoadRow) -> &[&'a ForwardedWhenRow] {
        let rows = self.forwarded_when.get(&(row.access, row.write));
        rows.map_or(&[], Vec::as_slice)
    }

    /// Whether a barrier of the block stands in the loop.
    pub(crate) fn is_waiting(&self, id: LoopId) -> bool {
        self.waiting.contains(&id)
    }

    /// Barriers passed by without being executed on the way from head to point.
    pub(crate) fn skips(
        &self,
        level: Level,
        head: PointId,
        point: PointId,
        carried: Option<LoopId>,
    ) -> &[(PointId, Place)] {
        self.skips
            .get(&(level, head, point, carried))
            .map_or(&[], Vec::as_slice)
    }

    /// The points of a launch in program order.
    pub(crate) fn points(&self, launch: LaunchId) -> &[PointId] {
        &self.points[launch.index()]
    }

    pub(crate) fn dimension(&self, launch: LaunchId, dimension: Dimension) -> Option<TermId> {
        self.dimensions.get(&(launch, dimension)).copied()
    }

    /// Whether a launch has a size of 0, and so no threads.
    pub(crate) fn is_empty(&self, launch: LaunchId) -> bool {
        let constant = |term: TermId| self.facts.terms.as_const(term);
        let mut sizes = Dimension::ALL
            .iter()
            .filter_map(|&d| self.dimension(launch, d));
        sizes.any(|term| constant(term).is_some_and(|size| size < 1))
    }

    /// The leaf for the iterations that a loop completed, if any term mentions it.
    pub(crate) fn exit_term(&self, id: LoopId) -> Option<TermId> {
        self.exits.get(&id).copied()
    }

    pub(crate) fn assumes(&self, launch: LaunchId) -> &[(PointId, TermId)] {
        &self.assumes[launch.index()]
    }

    /// Whether a thread that comes here ends the launch: `__trap()`.
    pub(crate) fn traps(&self, point: PointId) -> bool {
        self.traps.contains(&point)
    }

    /// Whether what is assumed here may turn out to contradict the launch: a thread that goes no further is meant to, and what
    /// is true of every execution leaves none out.
    pub(crate) fn may_contradict(&self, point: PointId) -> bool {
        !self.traps(point) && !self.certain.contains(&point)
    }

    /// Whether host code computes the value of a symbol in a way that is not followed.
    pub(crate) fn is_computed(&self, symbol: SymbolId) -> bool {
        let row = self.facts.symbol.get(symbol.index());
        row.is_some_and(|row| row.kind == SymbolKind::Computed)
    }

    /// The symbols that host code computes and that are sizes of a launch along y or z, of which most kernels do not ask.
    pub(crate) fn computed_dimensions(
        &self,
        launch: LaunchId,
    ) -> impl Iterator<Item = SymbolId> + '_ {
        use Dimension::{BlockY, BlockZ, GridY, GridZ};
        const LATER: [Dimension; 4] = [BlockY, BlockZ, GridY, GridZ];
        LATER
            .iter()
            .filter_map(move |&dimension| self.dimension(launch, dimension))
            .filter_map(|term| self.facts.terms.get(term).symbol())
            .filter(|symbol| self.is_computed(*symbol))
    }

    /// The symbols that host code computes, in the sizes of a launch along which there is more than one: those without which
    /// the size has no value. `n <= k ? ceil(n / 64) : computed` has one for a small `n`.
    pub(crate) fn computed_sizes(
        &self,
        launch: LaunchId,
        sizes: &[[i128; 3]; 2],
        inputs: &impl Environment,
    ) -> Vec<TermId> {
        let is_computed = |id: TermId| {
            let symbol = self.facts.terms.get(id).symbol();
            symbol.is_some_and(|symbol| self.is_computed(symbol))
        };
        let mut found = Vec::new();
        for (&dimension, &size) in Dimension::ALL.iter().zip(sizes.as_flattened()) {
            let Some(term) = self.dimension(launch, dimension) else {
                continue;
            };
            if is_computed(term) && size <= 1 {
                continue;
            }
            let is_block = matches!(
                dimension,
                Dimension::BlockX | Dimension::BlockY | Dimension::BlockZ
            );
            if size <= 1 && !is_block {
                continue;
            }
            let terms = self.facts.terms.reachable(&[term]);
            let computed: Vec<TermId> = terms.into_iter().filter(|id| is_computed(*id)).collect();
            if !computed.is_empty()
                && Evaluator::new(&self.facts.terms, inputs)
                    .value(term)
                    .is_err()
            {
                found.extend(computed);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The sizes of a launch.
    pub(crate) fn launch_dimensions(&self, launch: LaunchId) -> &[&'a LaunchDimensionRow] {
        &self.launch_dimensions[launch.index()]
    }

    /// The symbols of a launch.
    pub(crate) fn symbols(&self, launch: LaunchId) -> &[&'a SymbolRow] {
        &self.symbols[launch.index()]
    }

    /// Whether nobody but host code says what holds of a launch.
    pub(crate) fn assumes_by_host_alone(&self, launch: LaunchId) -> bool {
        let rows = self.facts.launch_assume.iter();
        let mut own = rows.filter(|row| row.launch == launch);
        own.all(|row| row.by_host)
    }

    /// Whether host code makes sure of an assumption.
    pub(crate) fn is_by_host(&self, launch: LaunchId, term: TermId) -> bool {
        let mut rows = self.facts.launch_assume.iter();
        rows.any(|row| row.launch == launch && row.term == term && row.by_host)
    }

    /// Whether a term has remainders or operators on bits.
    pub(crate) fn has_bits(&self, term: TermId) -> bool {
        let terms = &self.facts.terms;
        let on_bits = |id: TermId| {
            matches!(
                terms.get(id).op,
                Op::Rem | Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr
            )
        };
        terms.reachable(&[term]).into_iter().any(on_bits)
    }

    pub(crate) fn launch_assumes(&self, launch: LaunchId) -> &[TermId] {
        &self.launch_assumes[launch.index()]
    }

    /// Supposes conditions of a launch, in place of what was supposed before.
    pub(crate) fn suppose(&mut self, launch: LaunchId, conditions: &[Condition]) {
        for (launch, condition) in std::mem::take(&mut self.supposed) {
            match condition {
                Condition::Holds(_) => {
                    self.launch_assumes[launch.index()].pop();
                }
                Condition::Distinct(_) => {
                    self.distinct.pop();
                }
                Condition::Sorted(_) => {
                    self.ordered.pop();
                }
            }
        }
        for &condition in conditions {
            match condition {
                Condition::Holds(term) => self.launch_assumes[launch.index()].push(term),
                Condition::Distinct(array) => self.distinct.push((array, None)),
                Condition::Sorted(array) => self.ordered.push((array, false, None)),
            }
            self.supposed.push((launch, condition));
        }
    }

    /// The arrays all of whose elements are said to be pairwise different when the kernel begins.
    pub(crate) fn distinct_arrays(&self) -> impl Iterator<Item = ArrayId> {
        let all = self.distinct.iter().filter(|(_, count)| count.is_none());
        all.map(|(array, _)| *array)
    }

    /// Whether the condition of a loop reads memory.
    pub(crate) fn condition_reads(&self, id: LoopId) -> bool {
        self.reading.contains(&id)
    }

    /// Whether the term speaks of a second thread.
    pub(crate) fn of_two(&self, term: TermId) -> bool {
        self.of_two.get(term.index()) == Some(&true)
    }

    /// The size of the elements that two reads are of, if the elements of their memory are pairwise different, and of how many
    /// elements that is said.
    pub(crate) fn distinct_elements(&self, accesses: [AccessId; 2]) -> Option<(u32, Counts)> {
        let rows = |array: ArrayId| {
            let own = self.distinct.iter().filter(move |row| row.0 == array);
            own.map(|row| row.1)
        };
        self.counted(accesses, &|array| widest(rows(array)))
    }

    /// The size of the elements that two reads are of, if those of their memory are in order, whether they grow with each, and of
    /// how many elements that is said.
    pub(crate) fn ordered_elements(&self, accesses: [AccessId; 2]) -> Option<(u32, bool, Counts)> {
        let rows = |array: ArrayId, strictly: bool| {
            let own = self.ordered.iter();
            let own = own.filter(move |row| row.0 == array && (row.1 || !strictly));
            own.map(|row| row.2)
        };
        let (size, counts) = self.counted(accesses, &|array| widest(rows(array, false)))?;
        match self.counted(accesses, &|array| widest(rows(array, true))) {
            Some((size, strictly)) if strictly == counts => Some((size, true, counts)),
            _ => Some((size, false, counts)),
        }
    }

    fn counted(
        &self,
        accesses: [AccessId; 2],
        said: &dyn Fn(ArrayId) -> Option<Option<TermId>>,
    ) -> Option<(u32, Counts)> {
        let size = self.whole_elements(accesses, &|array| said(array).is_some())?;
        let count = |access: AccessId| said(self.facts.access[access.index()].array).flatten();
        Some((size, accesses.map(count)))
    }

    /// The bounds of the elements of which a read is one, the size of an element, and of how many they are said.
    pub(crate) fn bounded_element(
        &self,
        access: AccessId,
    ) -> Option<(i128, i128, u32, Option<TermId>)> {
        let array = self.facts.access[access.index()].array;
        let size = self.whole_elements([access; 2], &|_| true)?;
        let (least, most, count) = *self.bounded.get(&array)?;
        Some((least, most, size, count))
    }

    /// Storage for a replay, which gives it back.
    pub(crate) fn memo(&self) -> Memo {
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        memos.pop().unwrap_or_default()
    }

    /// Takes storage back.
    pub(crate) fn keep_memo(&self, memo: Memo) {
        let mut memos = self.memos.lock().unwrap_or_else(PoisonError::into_inner);
        memos.push(memo);
    }

    /// Whether the elements of an array of the launch are said to lie between bounds between which their type has no value.
    pub(crate) fn has_no_value(&self, launch: LaunchId) -> bool {
        let launches = self.without_value.get_or_init(|| {
            let facts = self.facts;
            let loads = facts.terms.iter().filter(|(_, term)| term.op == Op::Load);
            let impossible = loads.filter_map(|(_, term)| {
                let access = term.access()?;
                let (low, high) = (term.ty.min()?, term.ty.max()?);
                let (least, most, ..) = self.bounded_element(access)?;
                let array = facts.access[access.index()].array;
                (most < low || least > high).then_some(facts.array[array.index()].launch)
            });
            impossible.collect()
        });
        launches.contains(&launch)
    }

    /// The bounds of all elements of an array.
    pub(crate) fn bounds_of(&self, array: ArrayId) -> Option<(i128, i128)> {
        let (least, most, count) = *self.bounded.get(&array)?;
        count.is_none().then_some((least, most))
    }

    /// The size of the elements that two reads are of, if they are of one array of which something is said.
    fn whole_elements(
        &self,
        accesses: [AccessId; 2],
        is_said: &dyn Fn(ArrayId) -> bool,
    ) -> Option<u32> {
        let storage = self.storage(accesses[0]);
        let rows = accesses.map(|access| &self.facts.access[access.index()]);
        let size = self.facts.array[storage.index()].element_bytes;
        let whole = rows.iter().all(|row| row.bytes == size);
        // Said of an array, not of what else lies in the same memory.
        let said = rows.iter().all(|row| is_said(row.array));
        (whole && said && storage == self.storage(accesses[1])).then_some(size)
    }

    /// Whether the term has so many nodes that a formula about its value is not worth it.
    pub(crate) fn is_large(&self, term: TermId) -> bool {
        let large = || self.facts.terms.reachable(&[term]).len() > LARGE;
        match self.large.lock() {
            Ok(mut known) => *known.entry(term).or_insert_with(large),
            Err(_) => large(),
        }
    }

    /// The storage of the array of an access.
    pub(crate) fn storage(&self, access: AccessId) -> ArrayId {
        let array = self.facts.access[access.index()].array;
        self.facts.array[array.index()].storage
    }
}

/// The barriers that order the two threads of a candidate.
pub(crate) fn barrier_level(row: &CandidateRaceRow) -> Level {
    let scope = match row.scope {
        PairScope::Warp => Scope::Warp,
        PairScope::Own | PairScope::InterWarp | PairScope::Block => Scope::Block,
        PairScope::Grid => Scope::Grid,
    };
    (scope, row.groups)
}

/// Whether a term has a value wherever it is asked for: no quotients, no shifts.
fn is_defined(terms: &TermStore, root: TermId) -> bool {
    let mut parts = terms.reachable(&[root]).into_iter();
    parts.all(|part| {
        let op = terms.get(part).op;
        let undefined = matches!(op, Op::Div | Op::Rem | Op::Shl | Op::Shr);
        !undefined && !matches!(op, Op::MulPow | Op::DivPow)
    })
}

fn of_two(terms: &TermStore) -> Vec<bool> {
    let mut result: Vec<bool> = Vec::with_capacity(terms.len());
    // Arguments come before the terms that they are arguments of.
    for (_, term) in terms.iter() {
        let itself = matches!(term.op, Op::Other | Op::SameBlock);
        let args = term.args.iter();
        let inside = args
            .copied()
            .any(|arg| result.get(arg.index()) == Some(&true));
        result.push(itself || inside);
    }
    result
}

fn unvarying(terms: &TermStore) -> Arc<[bool]> {
    let mut result = Vec::with_capacity(terms.len());
    // Arguments come before the terms that they are arguments of.
    for (_, term) in terms.iter() {
        let varies = matches!(term.op, Op::Iter | Op::Exit | Op::Load | Op::Unknown);
        let args = term.args.iter();
        let fixed = !varies
            && args
                .copied()
                .all(|arg| result.get(arg.index()) == Some(&true));
        result.push(fixed);
    }
    result.into()
}

/// An operation on memory in words.
fn operation_name(access: &AccessRow) -> String {
    match access.operation.as_str() {
        "" => "a read".to_owned(),
        name => format!("`{name}`"),
    }
}
