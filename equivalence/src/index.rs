//! The facts of one launch, by point, loop and access.

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

/// The relations that a run needs.
#[derive(Debug)]
pub struct Index<'f> {
    /// The facts.
    pub facts: &'f Facts,
    /// The launch.
    pub launch: LaunchId,
    /// Its points in program order.
    pub points: Vec<PointId>,
    loops: FxHashMap<PointId, Vec<LoopId>>,
    guards: FxHashMap<PointId, Vec<&'f GuardAtRow>>,
    accesses: FxHashMap<PointId, Vec<&'f AccessRow>>,
    barriers: FxHashMap<PointId, &'f BarrierRow>,
    breaks: FxHashMap<PointId, LoopId>,
    lanes: FxHashMap<PointId, Vec<&'f LaneValueRow>>,
    carried: FxHashMap<LoopId, Vec<&'f CarriedRow>>,
    left: FxHashMap<LoopId, Vec<&'f LeftWithRow>>,
    repeats: FxHashMap<LoopId, TermId>,
    loads: FxHashMap<AccessId, Vec<TermId>>,
    parts: FxHashMap<AccessId, Vec<&'f StoredPartRow>>,
    operands: FxHashMap<AccessId, TermId>,
    unknowns: FxHashMap<UnknownId, TermId>,
    /// Whether a term may have another value at another time in one thread.
    pub varies: Vec<bool>,
}

impl<'f> Index<'f> {
    /// The index of a launch.
    #[must_use]
    pub fn new(facts: &'f Facts, launch: LaunchId) -> Self {
        let mut index = Index {
            facts,
            launch,
            points: Vec::new(),
            loops: FxHashMap::default(),
            guards: FxHashMap::default(),
            accesses: FxHashMap::default(),
            barriers: FxHashMap::default(),
            breaks: FxHashMap::default(),
            lanes: FxHashMap::default(),
            carried: FxHashMap::default(),
            left: FxHashMap::default(),
            repeats: FxHashMap::default(),
            loads: FxHashMap::default(),
            parts: FxHashMap::default(),
            operands: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            varies: Vec::new(),
        };
        let points = facts.point.iter().filter(|row| row.launch == launch);
        index.points = points.map(|row| row.point).collect();
        index.points.sort_unstable();
        for row in &facts.loop_at {
            index.loops.entry(row.point).or_default().push(row.loop_id);
        }
        // Each is sorted by itself.
        #[allow(clippy::iter_over_hash_type)]
        for loops in index.loops.values_mut() {
            // A loop around another one has the earlier head.
            loops.sort_by_key(|id| facts.loop_[id.index()].head);
        }
        for row in &facts.guard_at {
            index.guards.entry(row.point).or_default().push(row);
        }
        #[allow(clippy::iter_over_hash_type)]
        for guards in index.guards.values_mut() {
            guards.sort_by_key(|row| row.position);
        }
        for row in &facts.access {
            index.accesses.entry(row.point).or_default().push(row);
        }
        for row in &facts.barrier {
            index.barriers.insert(row.point, row);
        }
        for row in &facts.break_at {
            index.breaks.insert(row.point, row.loop_id);
        }
        for row in &facts.lane_value {
            let point = facts.unknown[row.unknown.index()].point;
            index.lanes.entry(point).or_default().push(row);
        }
        for row in &facts.carried {
            index.carried.entry(row.loop_id).or_default().push(row);
        }
        for row in &facts.left_with {
            index.left.entry(row.loop_id).or_default().push(row);
        }
        for row in &facts.repeats_while {
            index.repeats.insert(row.loop_id, row.term);
        }
        for row in &facts.stored_part {
            index.parts.entry(row.access).or_default().push(row);
        }
        for row in &facts.atomic_operand {
            index.operands.insert(row.access, row.term);
        }
        index.read_terms();
        index
    }

    fn read_terms(&mut self) {
        for (id, term) in self.facts.terms.iter() {
            let own = match term.op {
                Op::Load => {
                    if let Some(access) = term.access() {
                        self.loads.entry(access).or_default().push(id);
                    }
                    true
                }
                Op::Unknown => {
                    if let Some(unknown) = term.unknown() {
                        self.unknowns.insert(unknown, id);
                    }
                    true
                }
                Op::Iter | Op::Exit | Op::Other => true,
                _ => false,
            };
            let varies = own || term.args.iter().any(|arg| self.varies[arg.index()]);
            self.varies.push(varies);
        }
    }

    /// The loops around a point, outermost first.
    #[must_use]
    pub fn loops(&self, point: PointId) -> &[LoopId] {
        self.loops.get(&point).map_or(&[], Vec::as_slice)
    }
    /// The conjuncts of a point.
    #[must_use]
    pub fn guards(&self, point: PointId) -> &[&'f GuardAtRow] {
        self.guards.get(&point).map_or(&[], Vec::as_slice)
    }
    /// The accesses of a point.
    #[must_use]
    pub fn accesses(&self, point: PointId) -> &[&'f AccessRow] {
        self.accesses.get(&point).map_or(&[], Vec::as_slice)
    }
    /// The barrier of a point.
    #[must_use]
    pub fn barrier(&self, point: PointId) -> Option<&'f BarrierRow> {
        self.barriers.get(&point).copied()
    }
    /// The loop that a break leaves.
    #[must_use]
    pub fn leaves(&self, point: PointId) -> Option<LoopId> {
        self.breaks.get(&point).copied()
    }
    /// The shuffles whose values are made at a point.
    #[must_use]
    pub fn lanes(&self, point: PointId) -> &[&'f LaneValueRow] {
        self.lanes.get(&point).map_or(&[], Vec::as_slice)
    }
    /// The variables that a loop carries.
    #[must_use]
    pub fn carried(&self, id: LoopId) -> &[&'f CarriedRow] {
        self.carried.get(&id).map_or(&[], Vec::as_slice)
    }
    /// What is left behind a loop.
    #[must_use]
    pub fn left(&self, id: LoopId) -> &[&'f LeftWithRow] {
        self.left.get(&id).map_or(&[], Vec::as_slice)
    }
    /// The condition at the end of a loop.
    #[must_use]
    pub fn repeats(&self, id: LoopId) -> Option<TermId> {
        self.repeats.get(&id).copied()
    }
    /// The values that a read gives.
    #[must_use]
    pub fn loads(&self, access: AccessId) -> &[TermId] {
        self.loads.get(&access).map_or(&[], Vec::as_slice)
    }
    /// The scalars that a write stores.
    #[must_use]
    pub fn parts(&self, access: AccessId) -> &[&'f StoredPartRow] {
        self.parts.get(&access).map_or(&[], Vec::as_slice)
    }
    /// What an atomic operation combines.
    #[must_use]
    pub fn operand(&self, access: AccessId) -> Option<TermId> {
        self.operands.get(&access).copied()
    }
    /// The type of an unknown, if any term has it.
    #[must_use]
    pub fn unknown_type(&self, unknown: UnknownId) -> Option<CType> {
        let term = self.unknowns.get(&unknown)?;
        Some(self.facts.terms.ty(*term))
    }
    /// The array that stands for the memory of an array.
    #[must_use]
    pub fn storage(&self, array: ArrayId) -> &'f ArrayRow {
        let row = &self.facts.array[array.index()];
        &self.facts.array[row.storage.index()]
    }
    /// The term of a dimension.
    #[must_use]
    pub fn dimension(&self, dimension: Dimension) -> Option<TermId> {
        let mut rows = self.facts.launch_dimension.iter();
        let row = rows.find(|row| row.launch == self.launch && row.dimension == dimension)?;
        Some(row.term)
    }
    /// Whether an annotation leaves executions out that a run with numbers may be.
    #[must_use]
    pub fn restricts(&self) -> bool {
        let facts = self.facts;
        let here = |point: PointId| facts.point[point.index()].launch == self.launch;
        let of_launch = |array: ArrayId| facts.array[array.index()].launch == self.launch;
        facts
            .assume
            .iter()
            .any(|row| !row.certain && here(row.point))
            || facts.assert_.iter().any(|row| here(row.point))
            || facts
                .distinct_elements
                .iter()
                .any(|row| of_launch(row.array))
    }

    /// Whether threads wait for phases of barriers, or blocks of a cluster for each other, in an order that is not followed.
    #[must_use]
    pub fn has_phases(&self) -> bool {
        let mut shared = self.facts.cluster_array.iter();
        if shared.any(|row| self.facts.array[row.array.index()].launch == self.launch) {
            return true;
        }
        let mut steps = self.facts.phase_step.iter();
        steps.any(|row| self.facts.point[row.point.index()].launch == self.launch)
    }

    /// Whether threads are ordered by what they read, as by a flag that is released and acquired.
    #[must_use]
    pub fn has_flags(&self) -> bool {
        let facts = self.facts;
        let mut orders = facts.memory_order.iter();
        orders.any(|row| {
            let point = facts.access[row.access.index()].point;
            facts.point[point.index()].launch == self.launch
        })
    }

    /// Whether blocks reach the shared memory of each other.
    #[must_use]
    pub fn has_clusters(&self) -> bool {
        let facts = self.facts;
        let mut arrays = facts.cluster_array.iter();
        let of_launch = arrays.any(|row| facts.array[row.array.index()].launch == self.launch);
        let mut barriers = facts.cluster_barrier.iter();
        of_launch
            || barriers.any(|row| {
                let point = facts.barrier[row.barrier.index()].point;
                facts.point[point.index()].launch == self.launch
            })
    }

    /// What orders threads besides barriers of the block, and is not followed.
    #[must_use]
    pub fn has_other_orders(&self) -> Option<&'static str> {
        if self.has_phases() {
            return Some("a barrier that counts arrivals");
        }
        if self.has_flags() {
            return Some("threads that wait for a flag");
        }
        self.has_clusters().then_some("blocks of a cluster")
    }

    /// Whether the threads of a warp run in lock-step, so that they see each other's stores without a barrier.
    #[must_use]
    pub fn is_in_lock_step(&self) -> bool {
        let mut rows = self.facts.lock_step.iter();
        rows.any(|row| row.launch == self.launch)
    }

    /// Whether anything of the launch was not modelled that may change what memory holds.
    #[must_use]
    pub fn not_modelled(&self) -> Option<&'f UnsupportedRow> {
        self.facts.unsupported.iter().find(|row| {
            row.launch.is_none_or(|launch| launch == self.launch) && row.effect != Effect::Nothing
        })
    }
}
