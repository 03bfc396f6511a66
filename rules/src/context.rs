//! Look-ups over the input relations that several analyses need: the columns of dense relations by
//! their id, and the loops and guards of a point as slices.
//!
//! Nothing here is concluded; each function restates facts.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::range::{Bases, Ranges};
use warplog_facts::words::{
    AccessKind, BarrierKind, Dimension, Effect, GuardCause, PointKind, Scope, Space,
};
use warplog_facts::{
    AccessId, AccessRow, ArrayId, AtomicExchangeRow, BarrierId, BarrierRow, CopyAccessRow, Facts,
    FenceRow, GuardAtRow, LaunchId, LoopId, LoopRow, PointId, TermId, UnknownId,
};

use crate::counted::sets_of_groups;

/// A conjunct of a path condition: its term has this value.
pub(crate) type Conjunct = (TermId, bool);

/// Which barriers count between two threads: those of a scope that has both, and those of the
/// groups (as bits) that both are in.
pub(crate) type Level = (Scope, u32);

/// Threads that barriers are for, other than whole warps, blocks and grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) barrier: BarrierId,
    member: Option<TermId>,
    key: Option<TermId>,
    /// It may have threads of several warps.
    pub(crate) spans_warps: bool,
}

/// Most groups of a launch in which any two threads may be together; barriers of further ones are taken to order nothing.
const MOST_GROUPS: usize = 4;
/// Most groups of a launch whose threads are counted, and most sets of them that two threads can both be in.
const MOST_COUNTED: usize = 16;

/// The facts with the look-ups over them.
pub(crate) struct Context<'a> {
    pub(crate) facts: &'a Facts,
    loops: Vec<Vec<LoopId>>,
    guards: Vec<Vec<Conjunct>>,
    /// The positions of the conjuncts.
    positions: Vec<Vec<u32>>,
    causes: Vec<Vec<(TermId, GuardCause, PointId)>>,
    successors: Vec<Vec<(PointId, Option<LoopId>)>>,
    barrier_at: FxHashMap<PointId, BarrierId>,
    breaks: FxHashMap<LoopId, Vec<PointId>>,
    returns: FxHashMap<LaunchId, Vec<PointId>>,
    opaque_memory: Vec<bool>,
    opaque_order: Vec<bool>,
    warp_barriers: Vec<bool>,
    grid_barriers: Vec<bool>,
    accesses: Vec<Vec<AccessId>>,
    copies: FxHashMap<AccessId, &'a CopyAccessRow>,
    /// Barriers to which all blocks of a cluster come, and the storages that they share.
    of_clusters: FxHashSet<BarrierId>,
    cluster_arrays: FxHashSet<ArrayId>,
    /// Accesses of copies behind where they are begun, with those.
    under_way: FxHashMap<AccessId, AccessId>,
    /// By launch, in program order.
    points: Vec<Vec<PointId>>,
    /// By launch.
    loop_rows: Vec<Vec<&'a LoopRow>>,
    /// By launch.
    fences: Vec<Vec<&'a FenceRow>>,
    /// By the memory that they go to.
    accesses_of: Vec<Vec<AccessId>>,
    /// Positions of rows.
    exchanges: OnceCell<FxHashMap<AccessId, usize>>,
    unknown_terms: OnceCell<FxHashMap<UnknownId, TermId>>,
    repeats_while: OnceCell<FxHashMap<LoopId, TermId>>,
    bases: Bases<'a>,
    dimensions: Vec<Vec<(Dimension, TermId)>>,
    groups: Vec<Vec<Group>>,
    levels: Vec<Vec<Level>>,
    lock_step: Vec<bool>,
    /// Whether a launch has warps in lock-step, of however many lanes.
    any_lock_step: Vec<bool>,
    /// By write of an object.
    stored_parts: FxHashMap<AccessId, Vec<StoredPart>>,
}

/// A scalar of an object that a write stores: its first byte, its size and its value.
pub(crate) type StoredPart = (u32, u32, TermId);

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
        let mut positions = Vec::with_capacity(points);
        for mut list in positioned {
            list.sort_unstable_by_key(|row| row.position);
            guards.push(list.iter().map(|row| (row.term, row.polarity)).collect());
            let cause = |row: &&GuardAtRow| (row.term, row.cause, row.cause_point);
            causes.push(list.iter().map(cause).collect());
            positions.push(list.iter().map(|row| row.position).collect());
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
                && row.effect != Effect::Nothing
            {
                opaque_memory[launch.index()] = true;
            }
        }
        let mut opaque_order = vec![false; facts.launch.len()];
        for row in &facts.unsupported {
            let orders = !matches!(row.effect, Effect::Nothing | Effect::Alias);
            if let Some(launch) = row.launch.filter(|_| orders) {
                opaque_order[launch.index()] = true;
            }
        }
        for row in &facts.phase_step {
            // What others write is seen behind a wait.
            opaque_memory[facts.point[row.point.index()].launch.index()] = true;
        }
        let mut warp_barriers = vec![false; facts.launch.len()];
        let mut grid_barriers = vec![false; facts.launch.len()];
        for row in &facts.barrier {
            let launch = facts.point[row.point.index()].launch.index();
            warp_barriers[launch] |= matches!(row.kind, BarrierKind::Warp | BarrierKind::Part);
            grid_barriers[launch] |= row.kind == BarrierKind::Grid;
        }
        let mut accesses = vec![Vec::new(); facts.launch.len()];
        for row in &facts.access {
            accesses[facts.point[row.point.index()].launch.index()].push(row.access);
        }
        let mut points_of = vec![Vec::new(); facts.launch.len()];
        for row in &facts.point {
            points_of[row.launch.index()].push(row.point);
        }
        let mut loop_rows = vec![Vec::new(); facts.launch.len()];
        for row in &facts.loop_ {
            loop_rows[row.launch.index()].push(row);
        }
        let mut fences = vec![Vec::new(); facts.launch.len()];
        for row in &facts.fence {
            fences[facts.point[row.point.index()].launch.index()].push(row);
        }
        let mut accesses_of = vec![Vec::new(); facts.array.len()];
        for row in &facts.access {
            let storage = facts.array[row.array.index()].storage;
            accesses_of[storage.index()].push(row.access);
        }
        let mut dimensions = vec![Vec::new(); facts.launch.len()];
        for row in &facts.launch_dimension {
            dimensions[row.launch.index()].push((row.dimension, row.term));
        }
        let mut lock_step = vec![false; facts.launch.len()];
        let mut any_lock_step = vec![false; facts.launch.len()];
        for row in &facts.lock_step {
            any_lock_step[row.launch.index()] = true;
        }
        for row in facts.lock_step.iter().filter(|row| row.lanes == 32) {
            lock_step[row.launch.index()] = true;
            // Pairs within warps and between them are asked for apart.
            warp_barriers[row.launch.index()] = true;
        }
        let mut stored_parts: FxHashMap<AccessId, Vec<StoredPart>> = FxHashMap::default();
        for row in &facts.stored_part {
            let parts = stored_parts.entry(row.access).or_default();
            parts.push((row.start, row.bytes, row.value));
        }
        let mut groups = groups(facts);
        let levels = groups
            .iter_mut()
            .enumerate()
            .map(|(launch, groups)| {
                levels(facts, &dimensions[launch], groups, warp_barriers[launch])
            })
            .collect();
        Context {
            facts,
            loops,
            guards,
            positions,
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
            opaque_order,
            of_clusters: facts
                .cluster_barrier
                .iter()
                .map(|row| row.barrier)
                .collect(),
            cluster_arrays: facts
                .cluster_array
                .iter()
                .map(|row| facts.array[row.array.index()].storage)
                .collect(),
            copies: facts
                .copy_access
                .iter()
                .map(|row| (row.access, row))
                .collect(),
            under_way: facts
                .copy_under_way
                .iter()
                .map(|row| (row.access, row.begun))
                .collect(),
            warp_barriers,
            grid_barriers,
            accesses,
            points: points_of,
            loop_rows,
            fences,
            accesses_of,
            exchanges: OnceCell::new(),
            unknown_terms: OnceCell::new(),
            repeats_while: OnceCell::new(),
            bases: Bases::new(facts),
            dimensions,
            groups,
            levels,
            lock_step,
            any_lock_step,
            stored_parts,
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

    /// The conjuncts before the one at this position.
    pub(crate) fn guards_before(&self, point: PointId, position: u32) -> &[Conjunct] {
        let count = self.positions[point.index()].partition_point(|&other| other < position);
        self.guards(point).get(..count).unwrap_or(&[])
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

    /// The scalars that a write stores; none where they are not told.
    pub(crate) fn stored(&self, row: &AccessRow) -> Vec<StoredPart> {
        match (row.value, self.stored_parts.get(&row.access)) {
            (Some(value), _) => vec![(0, row.bytes, value)],
            (None, Some(parts)) => parts.clone(),
            (None, None) => Vec::new(),
        }
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

    /// The points of a launch, in program order.
    pub(crate) fn points(&self, launch: LaunchId) -> &[PointId] {
        &self.points[launch.index()]
    }

    /// The loops of a launch.
    pub(crate) fn loop_rows(&self, launch: LaunchId) -> &[&'a LoopRow] {
        &self.loop_rows[launch.index()]
    }

    /// The fences of a launch.
    pub(crate) fn fences(&self, launch: LaunchId) -> &[&'a FenceRow] {
        &self.fences[launch.index()]
    }

    /// The accesses that go to this memory, of all arrays that lie in it.
    pub(crate) fn accesses_of(&self, storage: ArrayId) -> &[AccessId] {
        &self.accesses_of[storage.index()]
    }

    /// What the access exchanges, if that is what it does.
    pub(crate) fn exchange(&self, access: AccessId) -> Option<&'a AtomicExchangeRow> {
        let rows = &self.facts.atomic_exchange;
        let positions = self.exchanges.get_or_init(|| {
            let mut positions = FxHashMap::default();
            for (position, row) in rows.iter().enumerate() {
                positions.entry(row.access).or_insert(position);
            }
            positions
        });
        rows.get(*positions.get(&access)?)
    }

    /// The first term that is this unknown value.
    pub(crate) fn unknown_term(&self, unknown: UnknownId) -> Option<TermId> {
        let terms = self.unknown_terms.get_or_init(|| {
            let mut terms = FxHashMap::default();
            for (id, term) in self.facts.terms.iter() {
                if let Some(unknown) = term.unknown() {
                    terms.entry(unknown).or_insert(id);
                }
            }
            terms
        });
        terms.get(&unknown).copied()
    }

    /// What is decided at the end of each iteration of the loop, if that is where it goes on or ends.
    pub(crate) fn repeats_while(&self, loop_id: LoopId) -> Option<TermId> {
        let terms = self.repeats_while.get_or_init(|| {
            let rows = self.facts.repeats_while.iter().rev();
            rows.map(|row| (row.loop_id, row.term)).collect()
        });
        terms.get(&loop_id).copied()
    }

    /// Bounds under the dimensions of a launch.
    pub(crate) fn ranges(&self, launch: LaunchId) -> Ranges<'a> {
        self.bases.ranges(launch)
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

    /// Whether asynchronous copies are begun in the launch, or waited for: what is begun may outlast what orders its call.
    pub(crate) fn has_copies(&self, launch: LaunchId) -> bool {
        let mut points = self.points(launch).iter();
        points.any(|point| self.facts.point[point.index()].kind == PointKind::Copy)
            || self
                .accesses(launch)
                .iter()
                .any(|access| self.copies.contains_key(access))
    }

    /// Whether blocks of a cluster share the memory.
    pub(crate) fn is_of_cluster(&self, storage: ArrayId) -> bool {
        self.cluster_arrays.contains(&storage)
    }

    /// Whether the access is one of an asynchronous copy where that is begun, or where it is still under way.
    pub(crate) fn is_of_copy(&self, access: AccessId) -> bool {
        self.copies.contains_key(&access) || self.under_way.contains_key(&access)
    }

    /// Whether a bulk copy makes the access, where it is begun or behind that.
    pub(crate) fn is_bulk(&self, access: AccessId) -> bool {
        let begun = self.under_way.get(&access).unwrap_or(&access);
        self.copies.get(begun).is_some_and(|row| row.bulk)
    }

    /// The step at a barrier by which the bytes of a copy are counted, of which the access is part.
    pub(crate) fn completes(&self, access: AccessId) -> Option<PointId> {
        self.copies.get(&access)?.completes
    }

    /// Memory may change in these launches in ways that barriers do not tell.
    pub(crate) fn forget_memory(&mut self, launches: &FxHashSet<LaunchId>) {
        for (launch, opaque) in self.opaque_memory.iter_mut().enumerate() {
            *opaque |= launches.contains(&LaunchId::from_index(launch));
        }
    }

    /// Whether something that lowering does not model may order threads in the launch.
    pub(crate) fn has_opaque_order(&self, launch: LaunchId) -> bool {
        self.opaque_order[launch.index()]
    }

    /// Whether pairs of threads within warps are told from those between them: a warp barrier
    /// stands in the launch, or its warps are in lock-step.
    pub(crate) fn has_warp_barrier(&self, launch: LaunchId) -> bool {
        self.warp_barriers[launch.index()]
    }

    /// The barrier at a point.
    pub(crate) fn barrier_at(&self, point: PointId) -> Option<BarrierId> {
        self.barrier_at.get(&point).copied()
    }

    /// The groups of a launch, by number.
    pub(crate) fn groups(&self, launch: LaunchId) -> &[Group] {
        &self.groups[launch.index()]
    }

    /// The number of the group that the barrier is for.
    fn group_of(&self, row: &BarrierRow) -> Option<usize> {
        let launch = self.launch_of(row.point);
        let mut groups = self.groups(launch).iter();
        groups.position(|group| group.fits(row))
    }

    /// Whether the threads of a warp run in lock-step.
    pub(crate) fn in_lock_step(&self, launch: LaunchId) -> bool {
        self.lock_step[launch.index()]
    }

    /// Whether warps of the launch run in lock-step, of however many lanes.
    pub(crate) fn has_lock_step(&self, launch: LaunchId) -> bool {
        self.any_lock_step[launch.index()]
    }

    /// Whether the barrier surely separates any two threads of the level that come to it.
    pub(crate) fn separates(&self, barrier: BarrierId, (scope, groups): Level) -> bool {
        let row = &self.facts.barrier[barrier.index()];
        match (scope, row.kind) {
            (Scope::Warp, BarrierKind::Warp) if is_whole_warp(self.facts, row) => true,
            (Scope::Warp, BarrierKind::Warp) | (Scope::Warp | Scope::Block, BarrierKind::Part) => {
                let group = self.group_of(row);
                group.is_some_and(|group| groups >> group & 1 == 1)
            }
            (Scope::Warp | Scope::Block, BarrierKind::Block | BarrierKind::Grid) => true,
            (Scope::Grid | Scope::System, BarrierKind::Grid) => true,
            // Blocks of a cluster, see [`OF_CLUSTERS`].
            (Scope::Grid, _) => groups == OF_CLUSTERS.1 && self.of_clusters.contains(&barrier),
            _ => false,
        }
    }

    /// The levels whose intervals matter in a launch: those of warps only where a warp barrier stands.
    pub(crate) fn levels(&self, launch: LaunchId) -> &[Level] {
        &self.levels[launch.index()]
    }
}

impl Group {
    fn fits(&self, row: &BarrierRow) -> bool {
        self.member == row.member
            && self.key == row.key
            && self.spans_warps == (row.kind == BarrierKind::Part)
    }
}

/// Whether a warp barrier is for all lanes.
pub(crate) fn is_whole_warp(facts: &Facts, row: &BarrierRow) -> bool {
    let full = |mask: TermId| {
        let mask = facts.terms.as_const(mask);
        mask.is_some_and(|mask| mask & 0xffff_ffff == 0xffff_ffff)
    };
    row.member.is_none() && row.key.is_none() && row.mask.is_none_or(full)
}

/// The groups of each launch.
fn groups(facts: &Facts) -> Vec<Vec<Group>> {
    let mut groups: Vec<Vec<Group>> = vec![Vec::new(); facts.launch.len()];
    for row in &facts.barrier {
        let known = row.member.is_some() || row.key.is_some();
        if !known || !matches!(row.kind, BarrierKind::Warp | BarrierKind::Part) {
            continue;
        }
        let list = &mut groups[facts.point[row.point.index()].launch.index()];
        if list.len() < MOST_COUNTED && !list.iter().any(|group| group.fits(row)) {
            list.push(Group {
                barrier: row.barrier,
                member: row.member,
                key: row.key,
                spans_warps: row.kind == BarrierKind::Part,
            });
        }
    }
    groups
}

/// The level of two blocks of one cluster, which meet in the shared memory of one of them.
pub(crate) const OF_CLUSTERS: Level = (Scope::Grid, 1);

/// The sets of groups for which pairs of threads are asked for, and the groups that are kept.
fn levels(
    facts: &Facts,
    dimensions: &[(Dimension, TermId)],
    groups: &mut Vec<Group>,
    warps: bool,
) -> Vec<Level> {
    let parts: Vec<_> = groups
        .iter()
        .map(|group| (group.member, group.key))
        .collect();
    // One or two groups are as good with all of their sets.
    let sets = (groups.len() > 2)
        .then(|| sets_of_groups(facts, dimensions, &parts))
        .flatten()
        .filter(|sets| sets.within.len().max(sets.between.len()) <= MOST_COUNTED);
    if sets.is_none() {
        groups.truncate(MOST_GROUPS);
    }
    let spanning: u32 = groups
        .iter()
        .enumerate()
        .filter(|(_, group)| group.spans_warps)
        .map(|(number, _)| 1 << number)
        .sum();
    let all: BTreeSet<u32> = (0..1u32 << groups.len().min(MOST_GROUPS)).collect();
    let (within, between) = match sets {
        Some(sets) => (sets.within, sets.between),
        None => (all.clone(), all),
    };
    let mut levels: Vec<Level> = Vec::new();
    let mut blocks: BTreeSet<u32> = between.iter().map(|set| set & spanning).collect();
    if warps {
        let within: BTreeSet<u32> = within.into_iter().chain([0]).collect();
        levels.extend(within.into_iter().map(|set| (Scope::Warp, set)));
    } else {
        blocks.extend(within.into_iter().map(|set| set & spanning));
    }
    // Also for what is asked of the block as a whole.
    blocks.insert(0);
    levels.extend(blocks.into_iter().map(|set| (Scope::Block, set)));
    levels.push((Scope::Grid, 0));
    if !facts.cluster_array.is_empty() {
        levels.push(OF_CLUSTERS);
    }
    levels
}
