//! Results of atomic counters: `k = atomicAdd(&c, 1)` finds another number in every execution, as long as nothing else
//! changes the counter.
//!
//! **Algorithm.** The accesses that change a memory are its *adders*, atomics that add one constant, and the others, its
//! *spoilers*. Without spoilers two executions on one element always find different values. With spoilers, in shared
//! memory, they do if both are in one interval between barriers in which there is none; and where a spoiler gives the
//! counter a known value right before the interval, what is found is at least that, and less than it by as many steps as
//! there can be executions. A read behind the barrier that ends the interval finds the sum: more than what any execution found.
//! Where the executions add numbers of their own that are never less than 0, what they find is apart by these. What an exchange
//! took away, and nothing brings back, no other one finds (`winners`).
//!
//! **Accuracy.** Rests on two things that are told elsewhere: barriers are not divergent, and whatever is concurrent
//! with an adder or a spoiler on one element and not ordered is a race of its own (two adders are none, if their scopes
//! include each other's threads). Counters wrap after 2ⁿ steps: that they do not is an assumption that the
//! verdict lists. Memory that something unknown may change has no counters.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{
    CountedResultRow, CountedTotalRow, DistinctResultsRow, InsideRow, TakenOnceRow,
};
use warplog_facts::range::Interval;
use warplog_facts::words::{AccessKind, Dimension, PointKind, Scope, Space};
use warplog_facts::{AccessId, ArrayId, LaunchId, LoopId, Op, PointId, TermId};

use crate::context::Context;
use crate::forward::Between;
use crate::satisfied::executed_by_one;

/// Executions that are reckoned with in an interval, times the step: far below where 32 bits wrap.
const MAX_SPAN: i128 = 1 << 30;
/// Most that a thread adds to a sum that is drawn at once, and that this begins with.
const MAX_STEP: i128 = 64;
/// Most threads that a block is reckoned with.
const MAX_THREADS: i128 = 1 << 12;

/// The intervals of block scope that hold an access: head, and whether a back edge around both was crossed.
type Heads = FxHashMap<PointId, Vec<(PointId, bool)>>;

/// Most that an execution adds of which nothing but its bounds is known.
const MAX_SUM: i128 = 1 << 10;

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

/// What is known of counters.
#[derive(Default)]
pub(crate) struct Found {
    pub distinct: Vec<DistinctResultsRow>,
    pub counted: Vec<CountedResultRow>,
    pub totals: Vec<CountedTotalRow>,
    pub taken: Vec<TakenOnceRow>,
}

pub(crate) fn counters(ctx: &Context<'_>, inside: &[InsideRow], between: &Between<'_>) -> Found {
    let mut found = Found::default();
    if ctx.facts.atomic_step.is_empty() && ctx.facts.atomic_exchange.is_empty() {
        return found;
    }
    let counters = Counters::new(ctx, inside);
    found.taken = counters.taken();
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
        for &adder in adders {
            let counted = counters.counted(*memory, adder, between);
            if let Some(row) = &counted {
                let reads = ctx.accesses_of(*memory).iter();
                let reads = reads.filter(|&&access| ctx.access(access).kind == AccessKind::Read);
                let totals = reads.filter_map(|&read| counters.total(*memory, row, read, between));
                found.totals.extend(totals);
            }
            found.counted.extend(counted);
        }
    }
    for (memory, adders) in &memories {
        for (position, &first) in adders.iter().enumerate() {
            for &second in &adders[position..] {
                let row = counters.distinct(*memory, first, second);
                let row = row.or_else(|| counters.drawn(*memory, [first, second], &found.totals));
                found.distinct.extend(row);
            }
        }
    }
    found.distinct.sort_unstable();
    found.counted.sort_unstable();
    found.totals.sort_unstable();
    found
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

    /// What changes a memory where an access may be.
    fn changes(&self, memory: ArrayId, access: AccessId) -> impl Iterator<Item = AccessId> + '_ {
        let all = self.changes.get(&memory).map_or(&[][..], Vec::as_slice);
        let is_beside = move |other: AccessId| {
            let rows = [self.ctx.access(access), self.ctx.access(other)];
            crate::settled::are_beside(self.ctx, rows)
        };
        all.iter().copied().filter(move |&other| !is_beside(other))
    }

    fn heads(&self, access: AccessId) -> &[(PointId, bool)] {
        let point = self.ctx.access(access).point;
        self.heads.get(&point).map_or(&[], Vec::as_slice)
    }

    /// What changes the memory other than by the step of the adder, on places of its size, for all of the scope at once.
    fn spoilers(&self, memory: ArrayId, adder: AccessId, scope: Scope) -> Vec<AccessId> {
        let step = self.steps.get(&adder);
        let bytes = self.ctx.access(adder).bytes;
        let alike = |&access: &AccessId| {
            let row = self.ctx.access(access);
            self.steps.get(&access) == step && row.bytes == bytes && row.scope >= scope
        };
        let all = self.changes(memory, adder);
        all.filter(|access| !alike(access)).collect()
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
        if times.is_none() && self.comes_round(&[first, second], step)
            || times.is_some_and(|times| !ctx.facts.terms.is_of_launch(times))
        {
            return None;
        }
        let spoilers = |scope| self.spoilers(memory, first, scope);
        let (scope, same_rounds) = self.unspoilt(memory, [first, second], &spoilers)?;
        Some(DistinctResultsRow {
            first,
            second,
            scope,
            same_rounds,
            apart: step.abs(),
            times,
            own: false,
        })
    }

    /// For which threads, and whether only in one round of the barriers, nothing else changes a memory than accesses like
    /// these, given what does.
    fn unspoilt(
        &self,
        memory: ArrayId,
        [first, second]: [AccessId; 2],
        spoilers: &dyn Fn(Scope) -> Vec<AccessId>,
    ) -> Option<(Scope, bool)> {
        let space = self.ctx.facts.array[memory.index()].space;
        // R30: what two adders find differs if nothing but adders of their step changes the memory.
        if space == Space::Global && spoilers(Scope::Grid).is_empty() {
            return Some((Scope::Grid, false));
        }
        if !matches!(space, Space::Global | Space::Shared) {
            return None;
        }
        let spoilers = spoilers(Scope::Block);
        if spoilers.is_empty() {
            return Some((Scope::Block, false));
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
        clean.then_some((Scope::Block, true))
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
        let changes: Vec<AccessId> = self.changes(memory, adder).collect();
        if changes.iter().any(|other| here(other) != here(&adder)) {
            return None;
        }
        let spoilers = self.spoilers(memory, adder, Scope::Block);
        let mut start = None;
        for &spoiler in &spoilers {
            let row = ctx.access(spoiler);
            let value = row.value.filter(|_| row.kind == AccessKind::Write)?;
            let whole = ctx.facts.terms.ty(value).is_integer();
            let value = ctx.facts.terms.as_const(value).filter(|_| whole)?;
            if *start.get_or_insert(value) != value
                || self.heads(spoiler).iter().any(|(at, _)| *at == head)
            {
                return None;
            }
        }
        // What is less than 0 in the type that it is stored in may be much in the one that it is counted in.
        let start = start.filter(|start| *start >= 0)?;
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

    /// Whether a read finds all that a counter counts in an interval, and how much at least.
    fn total(
        &self,
        memory: ArrayId,
        counted: &CountedResultRow,
        read: AccessId,
        between: &Between<'_>,
    ) -> Option<CountedTotalRow> {
        let ctx = self.ctx;
        let (counter, access) = (ctx.access(counted.access), ctx.access(read));
        let &[(head, false)] = self.heads(counted.access) else {
            return None;
        };
        let same_place = counter.index == access.index && counter.bytes == access.bytes;
        let rounds = ctx.loops(head);
        if !same_place
            || !ctx.loops(access.point).starts_with(rounds)
            || self
                .changes(memory, read)
                .any(|one| self.share_interval(read, one))
        {
            return None;
        }
        let since = between.since(head, access.point)?;
        let spoilers = self.spoilers(memory, counted.access, Scope::Block);
        if spoilers
            .iter()
            .any(|&one| since.contains(&ctx.access(one).point))
        {
            return None;
        }
        // R46: a read behind a barrier behind a counter, since it was set, finds more than any execution of it.
        (since.contains(&counter.point) && between.separated(counter.point, access.point))
            .then_some(CountedTotalRow {
                access: read,
                counter: counted.access,
                least: counted.least,
            })
    }

    /// When executions that add numbers of their own find what is apart by these.
    fn drawn(
        &self,
        memory: ArrayId,
        [first, second]: [AccessId; 2],
        totals: &[CountedTotalRow],
    ) -> Option<DistinctResultsRow> {
        let ctx = self.ctx;
        let bytes = ctx.access(first).bytes;
        let mut adders: Vec<AccessId> = self.changes(memory, first).collect();
        adders.extend(self.changes(memory, second));
        adders.sort_unstable();
        adders.dedup();
        // What the constants alone add in a launch of ordinary size must not come round, nor half way: a great unsigned number is
        // a negative one.
        let mut constants: i128 = 0;
        for &adder in &adders {
            let row = ctx.access(adder);
            let &(step, times) = self.steps.get(&adder)?;
            if row.bytes != bytes || row.scope < Scope::Grid || step <= 0 {
                return None;
            }
            match times {
                Some(times) if self.is_small_sum(times, totals) => {}
                Some(times) if self.is_small_by_bounds(times, ctx.launch_of(row.point)) => {}
                Some(_) => return None,
                None => {
                    constants = constants.saturating_add(step.saturating_mul(self.draws(adder)))
                }
            }
        }
        let room = 1i128 << (8 * bytes.min(8) - 1);
        // R48: nothing but atomics changes the memory that never add less than 0.
        let is_global = ctx.facts.array[memory.index()].space == Space::Global;
        (is_global && constants < room).then_some(DistinctResultsRow {
            first,
            second,
            scope: Scope::Grid,
            same_rounds: false,
            apart: 1,
            times: None,
            own: true,
        })
    }

    /// Whether a number is certainly not less than 0, nor great: what a counter of the block has counted, how many lanes voted so.
    fn is_small_sum(&self, term: TermId, totals: &[CountedTotalRow]) -> bool {
        let facts = self.ctx.facts;
        let row = facts.terms.get(term);
        let mut groups = facts.group_ticket.iter();
        if groups.any(|group| group.size == term) {
            return true;
        }
        let is_wide = |term: TermId| facts.terms.ty(term).bits() >= Some(32);
        match row.op {
            Op::Cast => {
                is_wide(term) && is_wide(row.args[0]) && self.is_small_sum(row.args[0], totals)
            }
            Op::Load => {
                let is_small = |total: &CountedTotalRow| {
                    let step = self.steps.get(&total.counter);
                    let is_whole = row.args.as_slice() == [self.ctx.access(total.access).index];
                    let is_low = (0..=MAX_STEP).contains(&total.least);
                    is_whole && is_low && step.is_some_and(|&(step, _)| step <= MAX_STEP)
                };
                let mut of_read = totals
                    .iter()
                    .filter(|total| Some(total.access) == row.access());
                of_read.any(is_small)
            }
            Op::Popc => true,
            Op::Unknown => {
                let mut ranks = facts.vote_rank.iter();
                ranks.any(|rank| Some(rank.unknown) == row.unknown())
            }
            _ => false,
        }
    }

    /// The same by the bounds of the operations that it is made of: `degree[t] & 15`.
    fn is_small_by_bounds(&self, term: TermId, launch: LaunchId) -> bool {
        let facts = self.ctx.facts;
        let ranges = self.ctx.ranges(launch);
        if !Interval::new(0, MAX_SUM).covers(ranges.range(term)) {
            return false;
        }
        // What is read may be anything, wherever it is read.
        let (mut work, mut seen) = (vec![term], FxHashSet::default());
        while let Some(part) = work.pop() {
            if !seen.insert(part) {
                continue;
            }
            if ranges.rests_on(part).any() {
                return false;
            }
            let row = facts.terms.get(part);
            if row.op != Op::Load {
                work.extend(&row.args);
            }
        }
        true
    }
}

mod winners;
