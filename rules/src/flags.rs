//! Flags: what a thread does before it raises a flag happens before what others do that have waited for it.
//!
//! `if (b == 0) { data[t] = x; __syncthreads(); if (t == 0) store_release(flag, 1); } else { if (t == 0) while (load_acquire(flag) == 0); __syncthreads(); … data[t] … }`
//!
//! The rule:
//! - D22 `raised-flag`: the one access comes before the flag is raised, in the thread that raises it or with a barrier of its block between,
//!   and the other behind a loop that goes on until it is raised, in the thread that waits or with a barrier of its block between.
//!
//! **What a flag is.** A word of global memory that one thread of the grid stores to, once, and nobody else changes. A loop waits for it if it goes on as
//! long as an atomic load in it finds 0, and is left in no other way.
//!
//! **Argument.** Who has left the loop has found something else than 0, so the one store. A release, or a fence before the store, and an
//! acquire, or a fence behind the loop, of a scope that has both threads, make the store synchronise with the load; barriers of blocks
//! carry that on to their threads (PTX ISA, "Memory Consistency Model": release and acquire patterns, causality order).
//!
//! **Accuracy.** That the word is 0 when the kernel begins is an assumption that the verdict lists. Launches with anything that may change memory in a
//! way that is not modelled, with lock-step warps, or with asynchronous copies, have no flags here. Whatever
//! differs orders nothing.

use rustc_hash::FxHashSet;
use warplog_facts::derived::FlagOrderRow;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::{AccessKind, Dimension, PairScope, Scope, Space};
use warplog_facts::{AccessId, AccessRow, LaunchId, LoopId, Op, PointId, Term, TermId};

use crate::context::{Conjunct, Context};
use crate::locks::{are_modelled, fences};
use crate::pair::Pair;
use crate::routes::{Constancy, Constants, Routes};
use crate::satisfied::{executed_by_one, literals, satisfied_by_one};

/// The flags of all launches.
#[derive(Default)]
pub(crate) struct Flags {
    flags: Vec<Flag>,
    launches: FxHashSet<LaunchId>,
}

/// A flag with what comes before it is raised, and behind a wait for it.
struct Flag {
    raised: AccessId,
    /// Whose threads the orders of store and load are for.
    scope: Scope,
    before: FxHashSet<AccessId>,
    behind: FxHashSet<AccessId>,
}

/// A loop that waits.
struct Wait {
    loop_id: LoopId,
    load: AccessId,
}

/// What is looked for has not been found.
struct Zero(TermId);

impl Environment for Zero {
    fn value(&self, id: TermId, _: &Term, _: &[i128]) -> Option<i128> {
        (id == self.0).then_some(0)
    }
}

impl Flags {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all = Flags::default();
        let mut launches: Vec<LaunchId> = ctx.facts.launch.iter().map(|row| row.launch).collect();
        launches.retain(|&launch| are_modelled(ctx, launch) && !ctx.has_copies(launch));
        let mut constants = None;
        for launch in launches {
            for wait in waits(ctx, launch) {
                let constants = constants.get_or_insert_with(|| Constants::new(ctx));
                if let Some(flag) = flag(ctx, constants, launch, &wait) {
                    all.launches.insert(launch);
                    all.flags.push(flag);
                }
            }
        }
        all
    }

    /// Whether a flag orders accesses of the launch.
    pub(crate) fn has(&self, launch: LaunchId) -> bool {
        self.launches.contains(&launch)
    }

    /// The launches with flags.
    pub(crate) fn launches(&self) -> &FxHashSet<LaunchId> {
        &self.launches
    }

    /// D22: the store by which one of the accesses is ordered before the other.
    pub(crate) fn orders(&self, pair: &Pair) -> Option<AccessId> {
        let needed = match pair.scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        };
        let mut flags = self.flags.iter();
        let found = flags.find(|flag| {
            let both = |one, other| flag.before.contains(&one) && flag.behind.contains(&other);
            flag.scope >= needed && (both(pair.first, pair.second) || both(pair.second, pair.first))
        })?;
        Some(found.raised)
    }

    /// The rows of `flag_order`.
    pub(crate) fn rows(&self) -> Vec<FlagOrderRow> {
        let mut rows = Vec::new();
        for flag in &self.flags {
            for (accesses, is_before) in [(&flag.before, true), (&flag.behind, false)] {
                rows.extend(accesses.iter().map(|&access| FlagOrderRow {
                    access,
                    raised: flag.raised,
                    is_before,
                }));
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }
}

/// The loops of a launch that go on as long as an atomic load of global memory finds 0.
fn waits(ctx: &Context<'_>, launch: LaunchId) -> Vec<Wait> {
    let mut found = Vec::new();
    for row in ctx.loop_rows(launch) {
        let decides = ctx.repeats_while(row.loop_id).or(row.condition);
        let Some(decides) = decides.filter(|_| !row.has_break) else {
            continue;
        };
        if !ctx.leavings(row.loop_id).is_empty() {
            continue;
        }
        let terms = &ctx.facts.terms;
        let parts = terms.reachable(&[decides]);
        let leaves: Vec<TermId> = parts
            .into_iter()
            .filter(|&id| matches!(terms.get(id).op, Op::Unknown | Op::Load | Op::Iter))
            .collect();
        let [found_here] = leaves.as_slice() else {
            continue;
        };
        let zero = Zero(*found_here);
        let goes_on = Evaluator::new(terms, &zero).value(decides);
        if !goes_on.is_ok_and(|value| value != 0) {
            continue;
        }
        let Some(unknown) = terms.get(*found_here).unknown() else {
            continue;
        };
        let made = &ctx.facts.unknown[unknown.index()];
        let load = ctx.accesses(launch).iter().rev().find(|&&access| {
            let row = ctx.access(access);
            row.span == made.span && row.point < made.point
        });
        let Some(&load) = load else { continue };
        let access = ctx.access(load);
        let is_load = access.kind == AccessKind::Atomic && access.operation == "load";
        if is_load
            && ctx.space(load) == Space::Global
            && ctx.in_loop(access.point, row.loop_id)
            && ctx.in_loop(made.point, row.loop_id)
        {
            found.push(Wait {
                loop_id: row.loop_id,
                load,
            });
        }
    }
    found
}

/// The flag that a loop waits for.
fn flag(ctx: &Context<'_>, constants: &Constants, launch: LaunchId, wait: &Wait) -> Option<Flag> {
    let load = ctx.access(wait.load);
    let storage = ctx.storage(wait.load);
    let mut changes = ctx.accesses_of(storage).iter().filter(|&&access| {
        let row = ctx.access(access);
        let reads = row.kind == AccessKind::Read
            || row.kind == AccessKind::Atomic && row.operation == "load";
        ctx.launch_of(row.point) == launch && !reads
    });
    let raised = *changes.next()?;
    if changes.next().is_some() {
        return None;
    }
    let store = ctx.access(raised);
    let same = (store.index, store.bytes) == (load.index, load.bytes)
        && store.array == load.array
        && constants.of(store.index) <= Constancy::Grid;
    let stores = matches!(
        store.operation.as_str(),
        "store" | "atomicExch" | "exchange"
    );
    if !same || !stores || store.kind != AccessKind::Atomic || !ctx.loops(store.point).is_empty() {
        return None;
    }
    let (block, thread) = pins(ctx, constants, launch, store.point)?;
    let routes = Routes::new(ctx, launch);
    let scope = store.scope.min(load.scope);
    let around = Around {
        ctx,
        constants,
        routes: &routes,
        fences: fences(ctx, launch, scope),
        block,
        thread,
        store,
        releases: has_order(ctx, raised, |row| row.releases),
        acquires: has_order(ctx, wait.load, |row| row.acquires),
        loop_id: wait.loop_id,
    };
    let (mut before, mut behind) = (FxHashSet::default(), FxHashSet::default());
    for &access in ctx.accesses(launch) {
        if ctx.storage(access) == storage || ctx.space(access) != Space::Global {
            continue;
        }
        let point = ctx.access(access).point;
        if around.is_before(point) {
            before.insert(access);
        } else if around.is_behind(point) {
            behind.insert(access);
        }
    }
    Some(Flag {
        raised,
        scope,
        before,
        behind,
    })
}

fn has_order(
    ctx: &Context<'_>,
    access: AccessId,
    which: impl Fn(&warplog_facts::MemoryOrderRow) -> bool,
) -> bool {
    let mut rows = ctx.facts.memory_order.iter();
    rows.any(|row| row.access == access && which(row))
}

/// What lets one block of the grid through to a point, and one thread of it; none if others may come.
fn pins(
    ctx: &Context<'_>,
    constants: &Constants,
    launch: LaunchId,
    point: PointId,
) -> Option<(Vec<Conjunct>, Vec<Conjunct>)> {
    let all = literals(ctx, point);
    let terms = &ctx.facts.terms;
    let axes = [
        (Op::BidX, Dimension::GridX),
        (Op::BidY, Dimension::GridY),
        (Op::BidZ, Dimension::GridZ),
    ];
    let mut block = Vec::new();
    for (axis, dimension) in axes {
        let mut rows = ctx.dimensions(launch).iter();
        let (_, size) = rows.find(|(own, _)| *own == dimension)?;
        if terms.as_const(*size) == Some(1) {
            continue;
        }
        let pin = all.iter().find(|&&(term, polarity)| {
            let row = terms.get(term);
            let is = |side: usize, other: usize| {
                plain(ctx, row.args[side]).op == axis
                    && constants.of(row.args[other]) <= Constancy::Grid
            };
            match row.op {
                Op::Eq => polarity && (is(0, 1) || is(1, 0)),
                Op::Ne => !polarity && (is(0, 1) || is(1, 0)),
                _ => false,
            }
        })?;
        block.push(*pin);
    }
    let mut thread = all;
    thread.retain(|pin| {
        constants.of(pin.0) == Constancy::Thread && satisfied_by_one(ctx, launch, &[*pin]).is_some()
    });
    (satisfied_by_one(ctx, launch, &thread) == Some(true)).then_some((block, thread))
}

/// A term without conversions that keep an index.
fn plain<'c>(ctx: &'c Context<'_>, term: TermId) -> &'c Term {
    let mut row = ctx.facts.terms.get(term);
    while matches!(row.op, Op::Cast | Op::Fit) && row.ty.bits() >= Some(32) {
        row = ctx.facts.terms.get(row.args[0]);
    }
    row
}

/// What is needed to tell where an access stands to a flag.
struct Around<'s> {
    ctx: &'s Context<'s>,
    constants: &'s Constants,
    routes: &'s Routes<'s>,
    fences: FxHashSet<PointId>,
    /// What lets one block through to the store, and one thread of it.
    block: Vec<Conjunct>,
    thread: Vec<Conjunct>,
    store: &'s AccessRow,
    releases: bool,
    acquires: bool,
    loop_id: LoopId,
}

impl Around<'_> {
    fn known(&self, point: PointId, constancy: Constancy) -> Vec<crate::routes::Literal> {
        self.constants.literals(self.ctx, point, constancy)
    }

    /// Whether only the block that raises the flag comes to the point, and before that.
    fn is_before(&self, point: PointId) -> bool {
        let there = literals(self.ctx, point);
        let of_block = self.block.iter().all(|pin| there.contains(pin));
        let again = self.routes.of(Vec::new());
        let after = again.reach(self.store.point, &|_| false);
        if !of_block || after.contains(&point) {
            return false;
        }
        let is_fence = |at: PointId| self.fences.contains(&at);
        let route = self.routes.of(self.known(point, Constancy::Thread));
        // The thread itself.
        if self.thread.iter().all(|pin| there.contains(pin)) {
            let unfenced = route.reach(point, &is_fence);
            if self.releases || !unfenced.contains(&self.store.point) {
                return true;
            }
        }
        // Another one, with a barrier between.
        let mut of_storing = self.known(self.store.point, Constancy::Thread);
        of_storing.extend(self.known(point, Constancy::Block));
        let storing = self.routes.of(of_storing);
        let heads = storing.heads(self.store.point);
        let once = heads.iter().all(|&head| {
            self.routes.is_barrier(head) && !again.reach(head, &|_| false).contains(&point)
        });
        let is_head = |at: PointId| heads.binary_search(&at).is_ok();
        if !once || route.reach(point, &is_head).contains(&self.routes.exit()) {
            return false;
        }
        let unfenced = route.reach(point, &is_fence);
        self.releases
            || heads.iter().all(|head| !unfenced.contains(head))
            || heads
                .iter()
                .all(|&head| !storing.reach(head, &is_fence).contains(&self.store.point))
    }

    /// Whether whoever comes to the point has waited for the flag, or a thread of its block has, with a barrier between.
    fn is_behind(&self, point: PointId) -> bool {
        let ctx = self.ctx;
        let head = ctx.loop_head(self.loop_id);
        if ctx.in_loop(point, self.loop_id) || point <= head {
            return false;
        }
        let is_wait = |at: PointId| at == head;
        let is_fence = |at: PointId| self.fences.contains(&at);
        let entry = self.routes.entry();
        let route = self.routes.of(self.known(point, Constancy::Thread));
        if !route.reach(entry, &is_wait).contains(&point)
            && (self.acquires || !route.reach(head, &is_fence).contains(&point))
        {
            return true;
        }
        // Some thread of the block waits, whichever block comes to the point.
        if executed_by_one(ctx, head, point).is_none() {
            return false;
        }
        let mut of_waiting = self.known(head, Constancy::Thread);
        of_waiting.extend(self.known(point, Constancy::Block));
        let waiting = self.routes.of(of_waiting);
        let unwaited = waiting.reach(entry, &is_wait);
        let unfenced = waiting.reach(head, &is_fence);
        let heads = route.heads(point);
        heads.iter().all(|&barrier| {
            self.routes.is_barrier(barrier)
                && ctx.loops(barrier).is_empty()
                && !unwaited.contains(&barrier)
                && (self.acquires
                    || !unfenced.contains(&barrier)
                    || !route.reach(barrier, &is_fence).contains(&point))
        })
    }
}
