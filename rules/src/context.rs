//! Look-ups over the input relations that several analyses need: the columns of dense relations by
//! their id, and the loops and guards of a point as slices.
//!
//! Nothing here is concluded; each function restates facts.

use rustc_hash::FxHashMap;
use warplog_facts::words::{
    AccessKind, BarrierKind, Dimension, GuardCause, PointKind, Scope, Space,
};
use warplog_facts::{
    AccessId, AccessRow, ArrayId, BarrierId, Facts, GuardAtRow, LaunchId, LoopId, PointId, TermId,
};

/// A conjunct of a path condition: its term has this value.
pub(crate) type Conjunct = (TermId, bool);

/// The facts with the look-ups over them.
pub(crate) struct Context<'a> {
    pub(crate) facts: &'a Facts,
    loops: Vec<Vec<LoopId>>,
    guards: Vec<Vec<Conjunct>>,
    causes: Vec<Vec<(TermId, GuardCause, PointId)>>,
    successors: Vec<Vec<(PointId, Option<LoopId>)>>,
    barrier_at: FxHashMap<PointId, BarrierId>,
    breaks: FxHashMap<LoopId, Vec<PointId>>,
    returns: FxHashMap<LaunchId, Vec<PointId>>,
    opaque_memory: Vec<bool>,
    warp_barriers: Vec<bool>,
    grid_barriers: Vec<bool>,
    accesses: Vec<Vec<AccessId>>,
    dimensions: Vec<Vec<(Dimension, TermId)>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(facts: &'a Facts) -> Self {
        let points = facts.point.len();
        let mut loops = vec![Vec::new(); points];
        for row in &facts.loop_at {
            loops[row.point.index()].push(row.loop_id);
        }
        for list in &mut loops {
            // The head of an outer loop comes first in program order.
            list.sort_unstable_by_key(|&id: &LoopId| (facts.loop_[id.index()].head, id));
        }
        let mut positioned = vec![Vec::new(); points];
        for row in &facts.guard_at {
            positioned[row.point.index()].push(row);
        }
        let mut guards = Vec::with_capacity(points);
        let mut causes = Vec::with_capacity(points);
        for mut list in positioned {
            list.sort_unstable_by_key(|row| row.position);
            guards.push(list.iter().map(|row| (row.term, row.polarity)).collect());
            let cause = |row: &&GuardAtRow| (row.term, row.cause, row.cause_point);
            causes.push(list.iter().map(cause).collect());
        }
        let back: FxHashMap<(PointId, PointId), LoopId> = facts
            .back_edge
            .iter()
            .map(|row| ((row.from, row.to), row.loop_id))
            .collect();
        let mut successors = vec![Vec::new(); points];
        for row in &facts.cfg_edge {
            successors[row.from.index()].push((row.to, back.get(&(row.from, row.to)).copied()));
        }
        let mut breaks: FxHashMap<LoopId, Vec<PointId>> = FxHashMap::default();
        for row in &facts.break_at {
            breaks.entry(row.loop_id).or_default().push(row.point);
        }
        let mut returns: FxHashMap<LaunchId, Vec<PointId>> = FxHashMap::default();
        for row in &facts.point {
            if row.kind == PointKind::Return {
                returns.entry(row.launch).or_default().push(row.point);
            }
        }
        let mut opaque_memory = vec![false; facts.launch.len()];
        for row in &facts.unsupported {
            if let Some(launch) = row.launch
                && row.effect != warplog_facts::words::Effect::Nothing
            {
                opaque_memory[launch.index()] = true;
            }
        }
        let mut warp_barriers = vec![false; facts.launch.len()];
        let mut grid_barriers = vec![false; facts.launch.len()];
        for row in &facts.barrier {
            let launch = facts.point[row.point.index()].launch.index();
            warp_barriers[launch] |= row.kind == BarrierKind::Warp;
            grid_barriers[launch] |= row.kind == BarrierKind::Grid;
        }
        let mut accesses = vec![Vec::new(); facts.launch.len()];
        for row in &facts.access {
            accesses[facts.point[row.point.index()].launch.index()].push(row.access);
        }
        let mut dimensions = vec![Vec::new(); facts.launch.len()];
        for row in &facts.launch_dimension {
            dimensions[row.launch.index()].push((row.dimension, row.term));
        }
        Context {
            facts,
            loops,
            guards,
            causes,
            successors,
            barrier_at: facts
                .barrier
                .iter()
                .map(|row| (row.point, row.barrier))
                .collect(),
            breaks,
            returns,
            opaque_memory,
            warp_barriers,
            grid_barriers,
            accesses,
            dimensions,
        }
    }

    /// The loops around a point, outermost first.
    pub(crate) fn loops(&self, point: PointId) -> &[LoopId] {
        &self.loops[point.index()]
    }

    pub(crate) fn in_loop(&self, point: PointId, loop_id: LoopId) -> bool {
        self.loops(point).contains(&loop_id)
    }

    /// Whether `outer` is a loop around `inner`, and another one.
    pub(crate) fn strictly_encloses(&self, outer: LoopId, inner: LoopId) -> bool {
        outer != inner && self.in_loop(self.loop_head(inner), outer)
    }

    pub(crate) fn loop_head(&self, loop_id: LoopId) -> PointId {
        self.facts.loop_[loop_id.index()].head
    }

    /// The conjuncts of the point's path condition, in program order.
    pub(crate) fn guards(&self, point: PointId) -> &[Conjunct] {
        &self.guards[point.index()]
    }

    /// The conjuncts' terms with their causes, in program order.
    pub(crate) fn causes(&self, point: PointId) -> &[(TermId, GuardCause, PointId)] {
        &self.causes[point.index()]
    }

    /// Successors, with the loop whose back edge the edge is.
    pub(crate) fn successors(&self, point: PointId) -> &[(PointId, Option<LoopId>)] {
        &self.successors[point.index()]
    }

    pub(crate) fn launch_of(&self, point: PointId) -> LaunchId {
        self.facts.point[point.index()].launch
    }

    pub(crate) fn access(&self, access: AccessId) -> &'a AccessRow {
        &self.facts.access[access.index()]
    }

    /// The memory that an access goes to.
    pub(crate) fn storage(&self, access: AccessId) -> ArrayId {
        self.facts.array[self.access(access).array.index()].storage
    }

    pub(crate) fn space(&self, access: AccessId) -> Space {
        self.facts.array[self.access(access).array.index()].space
    }

    pub(crate) fn writes(&self, access: AccessId) -> bool {
        self.access(access).kind != AccessKind::Read
    }

    /// Whether a barrier that separates blocks stands in the launch.
    pub(crate) fn has_grid_barrier(&self, launch: LaunchId) -> bool {
        self.grid_barriers[launch.index()]
    }

    /// The accesses of a launch.
    pub(crate) fn accesses(&self, launch: LaunchId) -> &[AccessId] {
        &self.accesses[launch.index()]
    }

    /// The dimensions of a launch.
    pub(crate) fn dimensions(&self, launch: LaunchId) -> &[(Dimension, TermId)] {
        &self.dimensions[launch.index()]
    }

    /// The break points that leave the loop.
    pub(crate) fn breaks(&self, loop_id: LoopId) -> &[PointId] {
        self.breaks.get(&loop_id).map_or(&[], Vec::as_slice)
    }

    /// The return points of a launch.
    pub(crate) fn returns(&self, launch: LaunchId) -> &[PointId] {
        self.returns.get(&launch).map_or(&[], Vec::as_slice)
    }

    /// The points by which a thread can leave the loop other than by its condition.
    pub(crate) fn leavings(&self, loop_id: LoopId) -> Vec<PointId> {
        let launch = self.launch_of(self.loop_head(loop_id));
        let returns = self.returns(launch).iter().copied();
        let inside = returns.filter(|&point| self.in_loop(point, loop_id));
        // A break out of an outer loop leaves the inner one, too.
        let outer = self
            .loops(self.loop_head(loop_id))
            .iter()
            .flat_map(|&outer| self.breaks(outer).iter().copied())
            .filter(|&point| self.in_loop(point, loop_id));
        let mut points: Vec<PointId> = inside.chain(outer).collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Whether something that lowering does not model may write memory in the launch.
    pub(crate) fn has_opaque_memory(&self, launch: LaunchId) -> bool {
        self.opaque_memory[launch.index()]
    }

    pub(crate) fn has_warp_barrier(&self, launch: LaunchId) -> bool {
        self.warp_barriers[launch.index()]
    }

    /// The barrier at a point.
    pub(crate) fn barrier_at(&self, point: PointId) -> Option<BarrierId> {
        self.barrier_at.get(&point).copied()
    }

    /// Whether the barrier surely separates any two threads of the scope.
    pub(crate) fn separates(&self, barrier: BarrierId, scope: Scope) -> bool {
        let row = &self.facts.barrier[barrier.index()];
        match (scope, row.kind) {
            (Scope::Warp, BarrierKind::Warp) => row.mask.is_none_or(|mask| {
                let mask = self.facts.terms.as_const(mask);
                mask.is_some_and(|mask| mask & 0xffff_ffff == 0xffff_ffff)
            }),
            (Scope::Warp | Scope::Block, BarrierKind::Block | BarrierKind::Grid) => true,
            (Scope::Grid | Scope::System, BarrierKind::Grid) => true,
            _ => false,
        }
    }

    /// The scopes whose intervals matter in a launch: those of warps only where a warp barrier stands.
    pub(crate) fn scopes(&self, launch: LaunchId) -> &'static [Scope] {
        if self.has_warp_barrier(launch) {
            &[Scope::Warp, Scope::Block, Scope::Grid]
        } else {
            &[Scope::Block, Scope::Grid]
        }
    }
}
