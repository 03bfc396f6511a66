//! The rows of facts, of what is derived and of what was decided, by the launch or point that they are of.
//!
//! What is told of a launch is told from its own rows. To look for them among all rows would take time that grows with the square of
//! the number of kernels: a fact base has thousands. Rows keep the order that they have in their relation.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{
    DiscardedRaceRow, FlagOrderRow, InsideRow, TicketOrderRow, UnderLockRow,
};
use warplog_facts::range::Bases;
use warplog_facts::words::{Scope, Space};
use warplog_facts::{
    AccessId, AccessRow, ArrayExtentRow, ArrayId, ArrayRow, AssumptionRow, AtomicStepRow,
    BarrierRow, Derived, Facts, GuardAtRow, KernelId, LaunchArgumentRow, LaunchAssumeRow,
    LaunchDimensionRow, LaunchDoubtRow, LaunchId, Op, PointId, StoredPartRow, TermId, UnknownId,
    UnsupportedRow,
};
use warplog_solver_bridge::{
    ClaimOutcome, Decision, DivergenceOutcome, LaunchOutcome, RaceOutcome,
};

/// The rows of one launch.
#[derive(Default)]
pub(super) struct OfLaunch<'a> {
    pub(super) dimensions: Vec<&'a LaunchDimensionRow>,
    pub(super) arguments: Vec<&'a LaunchArgumentRow>,
    pub(super) assumptions: Vec<&'a AssumptionRow>,
    pub(super) assumes: Vec<&'a LaunchAssumeRow>,
    pub(super) doubts: Vec<&'a LaunchDoubtRow>,
    pub(super) unsupported: Vec<&'a UnsupportedRow>,
    pub(super) accesses: Vec<&'a AccessRow>,
    pub(super) barriers: Vec<&'a BarrierRow>,
    pub(super) arrays: Vec<&'a ArrayRow>,
    pub(super) extents: Vec<&'a ArrayExtentRow>,
    /// Accesses to shared and global memory, but for those of annotations.
    pub(super) counted_accesses: usize,
    pub(super) candidates: usize,
    pub(super) discarded: Vec<&'a DiscardedRaceRow>,
    /// What was decided, each with its position in the decision.
    pub(super) races: Vec<(usize, &'a RaceOutcome)>,
    pub(super) divergences: Vec<(usize, &'a DivergenceOutcome)>,
    pub(super) claims: Vec<&'a ClaimOutcome>,
    pub(super) unsatisfiable: Vec<PointId>,
    pub(super) outcome: Option<&'a LaunchOutcome>,
}

/// Rows by a key.
type By<'a, K, R> = FxHashMap<K, Vec<&'a R>>;

/// All rows, by launch and by what else they are looked for.
pub(super) struct Rows<'a> {
    pub(super) bases: Bases<'a>,
    of_kernel: Vec<Vec<LaunchId>>,
    of_launch: Vec<OfLaunch<'a>>,
    guards: Vec<Vec<&'a GuardAtRow>>,
    barriers: By<'a, PointId, BarrierRow>,
    inside: By<'a, PointId, InsideRow>,
    before: Vec<Vec<PointId>>,
    behind: Vec<Vec<PointId>>,
    steps: By<'a, ArrayId, AtomicStepRow>,
    locks: By<'a, AccessId, UnderLockRow>,
    tickets: By<'a, AccessId, TicketOrderRow>,
    flags: By<'a, AccessId, FlagOrderRow>,
    /// Reads that find one value in all threads of the grid.
    stable: FxHashSet<AccessId>,
    stored_parts: By<'a, AccessId, StoredPartRow>,
    facts: &'a Facts,
    values: OnceCell<Values>,
}

/// Where the values of reads and of unknowns are, and what unknowns depend on.
#[derive(Default)]
pub(super) struct Values {
    of_read: FxHashMap<AccessId, Vec<TermId>>,
    of_unknown: FxHashMap<UnknownId, Vec<TermId>>,
    at: FxHashMap<PointId, Vec<TermId>>,
    depends: Vec<Vec<(UnknownId, TermId)>>,
    exits: Vec<Vec<(TermId, TermId)>>,
}

impl Values {
    fn new(facts: &Facts) -> Self {
        let mut values = Values {
            depends: vec![Vec::new(); facts.launch.len()],
            exits: vec![Vec::new(); facts.launch.len()],
            ..Values::default()
        };
        for (id, term) in facts.terms.iter() {
            if term.op == Op::Exit
                && let Some(loop_id) = term.loop_id()
                && let row = &facts.loop_[loop_id.index()]
                && let Some(condition) = row.condition
            {
                values.exits[row.launch.index()].push((id, condition));
            }
            if let Some(access) = term.access() {
                values.of_read.entry(access).or_default().push(id);
            }
            if let Some(unknown) = term.unknown() {
                values.of_unknown.entry(unknown).or_default().push(id);
                if let Some(row) = facts.unknown.get(unknown.index()) {
                    values.at.entry(row.point).or_default().push(id);
                }
            }
        }
        let depends = facts.unknown_depends_on.iter();
        let depends = depends.map(|row| (row.unknown, row.term));
        let controlled = facts.unknown_controlled_by.iter();
        let controlled = controlled.map(|row| (row.unknown, row.term));
        for (unknown, term) in depends.chain(controlled) {
            let launch = facts.unknown[unknown.index()].launch;
            values.depends[launch.index()].push((unknown, term));
        }
        values
    }

    /// The terms that are what a read finds.
    pub(super) fn of_read(&self, access: AccessId) -> &[TermId] {
        self.of_read.get(&access).map_or(&[], Vec::as_slice)
    }

    /// The terms of an unknown.
    pub(super) fn of_unknown(&self, unknown: UnknownId) -> &[TermId] {
        self.of_unknown.get(&unknown).map_or(&[], Vec::as_slice)
    }

    /// The terms of the unknowns that come up at a point.
    pub(super) fn at(&self, point: PointId) -> &[TermId] {
        self.at.get(&point).map_or(&[], Vec::as_slice)
    }

    /// The unknowns of a launch, each with a term that its value depends on, or that decides which value it has.
    pub(super) fn depends(&self, launch: LaunchId) -> &[(UnknownId, TermId)] {
        &self.depends[launch.index()]
    }

    /// How often the loops of a launch go round, each with the condition that decides it.
    pub(super) fn exits(&self, launch: LaunchId) -> &[(TermId, TermId)] {
        &self.exits[launch.index()]
    }
}

impl<'a> Rows<'a> {
    pub(super) fn new(facts: &'a Facts, derived: &'a Derived, decision: &'a Decision) -> Self {
        let mut rows = Rows {
            bases: Bases::new(facts),
            of_kernel: vec![Vec::new(); facts.kernel.len()],
            of_launch: facts.launch.iter().map(|_| OfLaunch::default()).collect(),
            guards: vec![Vec::new(); facts.point.len()],
            barriers: FxHashMap::default(),
            inside: FxHashMap::default(),
            before: vec![Vec::new(); facts.point.len()],
            behind: vec![Vec::new(); facts.point.len()],
            steps: FxHashMap::default(),
            locks: FxHashMap::default(),
            tickets: FxHashMap::default(),
            flags: FxHashMap::default(),
            stable: FxHashSet::default(),
            stored_parts: FxHashMap::default(),
            facts,
            values: OnceCell::new(),
        };
        for row in &facts.launch {
            rows.of_kernel[row.kernel.index()].push(row.launch);
        }
        rows.read_launches(facts);
        rows.read_points(facts);
        rows.read_derived(derived);
        rows.read_decision(facts, decision);
        rows
    }

    fn read_launches(&mut self, facts: &'a Facts) {
        for row in &facts.launch_dimension {
            self.own(row.launch).dimensions.push(row);
        }
        for row in &facts.launch_argument {
            self.own(row.launch).arguments.push(row);
        }
        for row in &facts.assumption {
            self.own(row.launch).assumptions.push(row);
        }
        for row in &facts.launch_assume {
            self.own(row.launch).assumes.push(row);
        }
        for row in &facts.launch_doubt {
            self.own(row.launch).doubts.push(row);
        }
        for row in &facts.array {
            self.own(row.launch).arrays.push(row);
        }
        for row in &facts.array_extent {
            let launch = facts.array[row.array.index()].launch;
            self.own(launch).extents.push(row);
        }
        for row in &facts.unsupported {
            if let Some(launch) = row.launch {
                self.own(launch).unsupported.push(row);
            }
        }
    }

    fn read_points(&mut self, facts: &'a Facts) {
        let annotations: FxHashSet<AccessId> =
            facts.annotation_read.iter().map(|row| row.access).collect();
        let launch_at = |point: PointId| facts.point[point.index()].launch;
        for row in &facts.access {
            self.own(launch_at(row.point)).accesses.push(row);
            let array = &facts.array[row.array.index()];
            if matches!(array.space, Space::Global | Space::Shared)
                && !annotations.contains(&row.access)
            {
                self.own(array.launch).counted_accesses += 1;
            }
        }
        for row in &facts.stored_part {
            self.stored_parts.entry(row.access).or_default().push(row);
        }
        for row in &facts.barrier {
            self.own(launch_at(row.point)).barriers.push(row);
            self.barriers.entry(row.point).or_default().push(row);
        }
        for row in &facts.guard_at {
            self.guards[row.point.index()].push(row);
        }
        for row in &facts.cfg_edge {
            self.before[row.to.index()].push(row.from);
            self.behind[row.from.index()].push(row.to);
        }
        for row in &facts.atomic_step {
            let array = facts.access[row.access.index()].array;
            self.steps.entry(array).or_default().push(row);
        }
    }

    fn read_derived(&mut self, derived: &'a Derived) {
        for row in &derived.inside {
            self.inside.entry(row.head).or_default().push(row);
        }
        for row in &derived.candidate_race {
            self.own(row.launch).candidates += 1;
        }
        for row in &derived.discarded_race {
            self.own(row.launch).discarded.push(row);
        }
        for row in &derived.under_lock {
            self.locks.entry(row.access).or_default().push(row);
        }
        let stable = derived.stable_load.iter();
        let stable = stable.filter(|row| row.scope >= Scope::Grid);
        self.stable.extend(stable.map(|row| row.access));
        for row in &derived.ticket_order {
            self.tickets.entry(row.access).or_default().push(row);
        }
        for row in &derived.flag_order {
            self.flags.entry(row.access).or_default().push(row);
        }
    }

    fn read_decision(&mut self, facts: &Facts, decision: &'a Decision) {
        for (position, outcome) in decision.races.iter().enumerate() {
            let own = self.own(outcome.candidate.launch);
            own.races.push((position, outcome));
        }
        for (position, outcome) in decision.divergences.iter().enumerate() {
            let own = self.own(outcome.candidate.launch);
            own.divergences.push((position, outcome));
        }
        for outcome in &decision.claims {
            self.own(outcome.launch).claims.push(outcome);
        }
        for &point in &decision.unsatisfiable {
            let launch = facts.point[point.index()].launch;
            self.own(launch).unsatisfiable.push(point);
        }
        for outcome in &decision.launches {
            self.own(outcome.launch).outcome.get_or_insert(outcome);
        }
    }

    fn own(&mut self, launch: LaunchId) -> &mut OfLaunch<'a> {
        &mut self.of_launch[launch.index()]
    }

    /// The rows of a launch.
    pub(super) fn of(&self, launch: LaunchId) -> &OfLaunch<'a> {
        &self.of_launch[launch.index()]
    }

    /// The launches of a kernel.
    pub(super) fn launches(&self, kernel: KernelId) -> &[LaunchId] {
        &self.of_kernel[kernel.index()]
    }

    /// The conjuncts of the path condition of a point.
    pub(super) fn guards(&self, point: PointId) -> &[&'a GuardAtRow] {
        &self.guards[point.index()]
    }

    /// The barrier at a point.
    pub(super) fn barrier(&self, point: PointId) -> Option<&'a BarrierRow> {
        self.barriers.get(&point)?.first().copied()
    }

    /// What is in the intervals of a head.
    pub(super) fn inside(&self, head: PointId) -> &[&'a InsideRow] {
        self.inside.get(&head).map_or(&[], Vec::as_slice)
    }

    /// The points from which an edge leads to this one.
    pub(super) fn before(&self, point: PointId) -> &[PointId] {
        &self.before[point.index()]
    }

    /// The points to which an edge leads from this one.
    pub(super) fn behind(&self, point: PointId) -> &[PointId] {
        &self.behind[point.index()]
    }

    /// The steps of the counters in an array.
    pub(super) fn steps(&self, array: ArrayId) -> &[&'a AtomicStepRow] {
        self.steps.get(&array).map_or(&[], Vec::as_slice)
    }

    /// The locks under which an access is made.
    pub(super) fn locks(&self, access: AccessId) -> &[&'a UnderLockRow] {
        self.locks.get(&access).map_or(&[], Vec::as_slice)
    }

    /// Where values come from and go to, once somebody asks.
    pub(super) fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::new(self.facts))
    }

    /// The scalars of the object that a write stores.
    pub(super) fn stored_parts(&self, access: AccessId) -> &[&'a StoredPartRow] {
        self.stored_parts.get(&access).map_or(&[], Vec::as_slice)
    }

    /// Whether a read finds one value in all threads of the grid.
    pub(super) fn is_stable(&self, access: AccessId) -> bool {
        self.stable.contains(&access)
    }

    /// The tickets by which an access is ordered.
    pub(super) fn tickets(&self, access: AccessId) -> &[&'a TicketOrderRow] {
        self.tickets.get(&access).map_or(&[], Vec::as_slice)
    }

    /// The flags by which an access is ordered.
    pub(super) fn flags(&self, access: AccessId) -> &[&'a FlagOrderRow] {
        self.flags.get(&access).map_or(&[], Vec::as_slice)
    }
}
