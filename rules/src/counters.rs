//! Results of atomic counters: `k = atomicAdd(&c, 1)` finds another number in every execution, as long as nothing else
//! changes the counter.
//!
//! **Algorithm.** The accesses that change a memory are its *adders*, atomics that add one constant, and the others, its
//! *spoilers*. Without spoilers two executions on one element always find different values. With spoilers, in shared
//! memory, they do if both are in one interval between barriers in which there is none; and where a spoiler gives the
//! counter a known value right before the interval, what is found is at least that, and less than it by as many steps as
//! there can be executions.
//!
//! **Accuracy.** Rests on two things that are told elsewhere: barriers are not divergent, and whatever is concurrent
//! with an adder or a spoiler on one element and not ordered is a race of its own (two adders are none, if their scopes
//! include each other's threads). Counters wrap after 2ⁿ steps: that they do not is an assumption that the
//! verdict lists. Memory that something unknown may change has no counters.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{CountedResultRow, DistinctResultsRow, InsideRow};
use warplog_facts::words::{AccessKind, Dimension, PointKind, Scope, Space};
use warplog_facts::{AccessId, ArrayId, LoopId, PointId, TermId};

use crate::context::Context;
use crate::forward::Between;
use crate::satisfied::executed_by_one;

/// Executions that are reckoned with in an interval, times the step: far below where 32 bits wrap.
const MAX_SPAN: i128 = 1 << 30;
/// Most threads that a block is reckoned with.
const MAX_THREADS: i128 = 1 << 12;

/// The intervals of block scope that hold an access: head, and whether a back edge around both was crossed.
type Heads = FxHashMap<PointId, Vec<(PointId, bool)>>;

/// Threads of a block, and blocks, of a launch whose size is not known.
const ORDINARY: i128 = 1 << 10;

/// What an adder adds: a constant, so many times.
type Step = (i128, Option<TermId>);

struct Counters<'c, 'a> {
    ctx: &'c Context<'a>,
    steps: FxHashMap<AccessId, Step>,
    heads: Heads,
    /// What changes each memory.
    changes: FxHashMap<ArrayId, Vec<AccessId>>,
    /// Loops in which a barrier of the block stands.
    waiting: FxHashSet<LoopId>,
}

/// The rows of `distinct_results` and `counted_result`.
pub(crate) fn counters(
    ctx: &Context<'_>,
    inside: &[InsideRow],
    between: &Between<'_>,
) -> (Vec<DistinctResultsRow>, Vec<CountedResultRow>) {
    let (mut distinct, mut counted) = (Vec::new(), Vec::new());
    if ctx.facts.atomic_step.is_empty() {
        return (distinct, counted);
    }
    let counters = Counters::new(ctx, inside);
    let mut memories: FxHashMap<ArrayId, Vec<AccessId>> = FxHashMap::default();
    for row in &ctx.facts.atomic_step {
        let launch = ctx.launch_of(ctx.access(row.access).point);
        if !ctx.has_opaque_memory(launch) {
            let memory = ctx.storage(row.access);
            memories.entry(memory).or_default().push(row.access);
        }
    }
    let mut memories: Vec<(ArrayId, Vec<AccessId>)> = memories.into_iter().collect();
    memories.sort_unstable();
    for (memory, adders) in &memories {
        for (position, &first) in adders.iter().enumerate() {
            for &second in &adders[position..] {
                distinct.extend(counters.distinct(*memory, first, second));
            }
            counted.extend(counters.counted(*memory, first, between));
        }
    }
    distinct.sort_unstable();
    counted.sort_unstable();
    (distinct, counted)
}

impl<'c, 'a> Counters<'c, 'a> {
    fn new(ctx: &'c Context<'a>, inside: &[InsideRow]) -> Self {
        let mut heads: Heads = FxHashMap::default();
        for row in inside
            .iter()
            .filter(|row| row.scope == Scope::Block && row.groups == 0)
        {
            let state = (row.head, row.carried.is_some() || row.repeated);
            heads.entry(row.point).or_default().push(state);
        }
        let mut changes: FxHashMap<ArrayId, Vec<AccessId>> = FxHashMap::default();
        for row in &ctx.facts.access {
            if row.kind != AccessKind::Read {
                let memory = ctx.storage(row.access);
                changes.entry(memory).or_default().push(row.access);
            }
        }
        let waiting = ctx
            .facts
            .barrier
            .iter()
            .filter(|row| ctx.separates(row.barrier, (Scope::Block, 0)))
            .flat_map(|row| ctx.loops(row.point).iter().copied())
            .collect();
        Counters {
            ctx,
            steps: ctx
                .facts
                .atomic_step
                .iter()
                .map(|row| (row.access, (row.step, row.times)))
                .collect(),
            heads,
            changes,
            waiting,
        }
    }

    fn changes(&self, memory: ArrayId) -> &[AccessId] {
        self.changes.get(&memory).map_or(&[], Vec::as_slice)
    }

    fn heads(&self, access: AccessId) -> &[(PointId, bool)] {
        let point = self.ctx.access(access).point;
        self.heads.get(&point).map_or(&[], Vec::as_slice)
    }

    /// What changes the memory other than by the step of the adder, on places of its size, for all of the scope at once.
    fn spoilers(&self, memory: ArrayId, adder: AccessId, scope: Scope) -> Vec<AccessId> {
        let step = self.steps.get(&adder);
        let bytes = self.ctx.access(adder).bytes;
        let alike = |&&access: &&AccessId| {
            let row = self.ctx.access(access);
            self.steps.get(&access) == step && row.bytes == bytes && row.scope >= scope
        };
        let all = self.changes(memory).iter();
        all.filter(|access| !alike(access)).copied().collect()
    }

    /// Whether an access may be in an interval that holds the other.
    fn share_interval(&self, one: AccessId, other: AccessId) -> bool {
        let heads = self.heads(other);
        self.heads(one)
            .iter()
            .any(|(head, _)| heads.iter().any(|(second, _)| second == head))
    }

    /// The loops around an access in which a barrier stands: in one iteration of them it is in one interval.
    fn rounds(&self, access: AccessId) -> Vec<LoopId> {
        let loops = self.ctx.loops(self.ctx.access(access).point).iter();
        loops
            .filter(|id| self.waiting.contains(id))
            .copied()
            .collect()
    }

    /// When what two adders find differs.
    fn distinct(
        &self,
        memory: ArrayId,
        first: AccessId,
        second: AccessId,
    ) -> Option<DistinctResultsRow> {
        let ctx = self.ctx;
        let (step, times) = *self.steps.get(&first)?;
        if self.steps.get(&second) != Some(&(step, times))
            || ctx.access(first).bytes != ctx.access(second).bytes
        {
            return None;
        }
        if times.is_none() && self.comes_round(&[first, second], step) {
            return None;
        }
        let row = |scope, same_rounds| DistinctResultsRow {
            first,
            second,
            scope,
            same_rounds,
            apart: step.abs(),
            times,
        };
        let space = ctx.facts.array[memory.index()].space;
        // R30: what two adders find differs if nothing but adders of their step changes the memory.
        if space == Space::Global && self.spoilers(memory, first, Scope::Grid).is_empty() {
            return Some(row(Scope::Grid, false));
        }
        if !matches!(space, Space::Global | Space::Shared) {
            return None;
        }
        let spoilers = self.spoilers(memory, first, Scope::Block);
        if spoilers.is_empty() {
            return Some(row(Scope::Block, false));
        }
        // R31: or, in shared memory, nothing else in the intervals in which they are, and both are in one.
        let spoilt = |adder: AccessId| {
            let mut spoilers = spoilers.iter();
            spoilers.any(|&spoiler| self.share_interval(adder, spoiler))
        };
        let one_interval = first == second
            || match (self.heads(first), self.heads(second)) {
                ([(one, false)], [(other, false)]) => {
                    one == other && self.rounds(first) == self.rounds(second)
                }
                _ => false,
            };
        let clean = space == Space::Shared && one_interval && !spoilt(first) && !spoilt(second);
        clean.then(|| row(Scope::Block, true))
    }

    /// Whether the adders of a launch of ordinary size come round: the assumption that they do not would contradict it.
    fn comes_round(&self, adders: &[AccessId; 2], step: i128) -> bool {
        let bits = 8 * adders
            .iter()
            .map(|&adder| self.ctx.access(adder).bytes)
            .min()
            .unwrap_or(4);
        let distinct = if adders[0] == adders[1] { 1 } else { 2 };
        let draws: i128 = adders[..distinct]
            .iter()
            .map(|&adder| self.draws(adder))
            .sum();
        // Multiples of a power of two stay apart up to the last; of others the last may come close to the first.
        let room = if step.abs().count_ones() == 1 {
            bits.min(64)
        } else {
            bits.min(64) - 1
        };
        draws.saturating_mul(step.abs()) > 1i128 << room
    }

    /// How often an adder is executed, if all threads that may share its memory are.
    fn draws(&self, adder: AccessId) -> i128 {
        let ctx = self.ctx;
        let point = ctx.access(adder).point;
        let in_block = ctx.space(adder) == Space::Shared;
        let threads = ctx.dimensions(ctx.launch_of(point)).iter();
        let of_grid = |dimension: Dimension| {
            use Dimension::{GridX, GridY, GridZ};
            matches!(dimension, GridX | GridY | GridZ)
        };
        let threads = threads
            .filter(|(dimension, _)| !(in_block && of_grid(*dimension)))
            .map(|&(dimension, term)| match ctx.facts.terms.as_const(term) {
                Some(size) => size.max(1),
                None if matches!(dimension, Dimension::BlockX | Dimension::GridX) => ORDINARY,
                None => 1,
            });
        let rounds = ctx.loops(point).iter().map(|&id| {
            let row = ctx.facts.loop_.get(id.index());
            row.and_then(|row| row.max_iterations)
                .map_or(1, |most| i128::from(most.max(1)))
        });
        threads.chain(rounds).fold(1, i128::saturating_mul)
    }

    /// From where an adder counts, and how far.
    fn counted(
        &self,
        memory: ArrayId,
        adder: AccessId,
        between: &Between<'_>,
    ) -> Option<CountedResultRow> {
        let ctx = self.ctx;
        let access = ctx.access(adder);
        let &(step, None) = self.steps.get(&adder)? else {
            return None;
        };
        let space = ctx.facts.array[memory.index()].space;
        ctx.facts.terms.as_const(access.index)?;
        let &[(head, false)] = self.heads(adder) else {
            return None;
        };
        let is_barrier = ctx.facts.point[head.index()].kind == PointKind::Barrier;
        if space != Space::Shared || step <= 0 || !is_barrier {
            return None;
        }
        // One element, of which all changes are known.
        let here = |access: &AccessId| {
            let row = ctx.access(*access);
            (row.index, row.bytes)
        };
        let changes = self.changes(memory);
        if changes.iter().any(|other| here(other) != here(&adder)) {
            return None;
        }
        let spoilers = self.spoilers(memory, adder, Scope::Block);
        let mut start = None;
        for &spoiler in &spoilers {
            let row = ctx.access(spoiler);
            let value = row.value.filter(|_| row.kind == AccessKind::Write)?;
            let value = ctx.facts.terms.as_const(value)?;
            if *start.get_or_insert(value) != value
                || self.heads(spoiler).iter().any(|(at, _)| *at == head)
            {
                return None;
            }
        }
        let start = start?;
        let mut sites = 0;
        let adders = changes.iter().filter(|access| !spoilers.contains(access));
        let adders: Vec<AccessId> = adders.copied().collect();
        for &other in &adders {
            match self.heads(other) {
                heads if heads.iter().all(|(at, _)| *at != head) => {}
                // Once by each thread: every loop around it begins anew at the barrier.
                [(_, false)] => {
                    let loops = ctx.loops(ctx.access(other).point);
                    if !loops.iter().all(|&id| ctx.in_loop(head, id)) {
                        return None;
                    }
                    sites += 1;
                }
                _ => return None,
            }
        }
        // R32: a counter of the block that is set right before the barrier that begins the interval counts from there.
        let set_before = |&spoiler: &AccessId| {
            let point = ctx.access(spoiler).point;
            point < head
                && ctx.loops(point) == ctx.loops(head)
                && executed_by_one(ctx, point, head).is_some()
                && !between
                    .points(point, head)
                    .iter()
                    .any(|at| adders.iter().any(|&adder| ctx.access(adder).point == *at))
        };
        let below = step.checked_mul(sites)?;
        let span = below.checked_mul(MAX_THREADS)?.checked_add(start.abs())?;
        (spoilers.iter().any(set_before) && span < MAX_SPAN).then_some(CountedResultRow {
            access: adder,
            least: start,
            step: below,
        })
    }
}
