//! Spin locks: critical sections of one lock exclude each other.
//!
//! `while (atomicCAS(&lock, 0, 1) != 0); __threadfence(); g[0] += 1; __threadfence(); atomicExch(&lock, 0);`
//!
//! The rule:
//! - D15 `same-lock`: both accesses are made under one lock, each held by the thread itself or (between blocks) for its
//!   block, with fences behind the taking and before the release.
//!
//! **What a lock is.** A word of memory of which every access that may change it is an atomic exchange with constants, for
//! all threads that share the word: a *taking* stores something else than the value *free* (a compare-and-swap only where it
//! finds free), a *release* stores free. Another word of the memory may be anything, if constant offsets keep it apart. Whoever
//! releases holds the lock on every way ([`held`]): it found free at its last taking, and has not released since.
//!
//! **Argument.** Atomic operations of sufficient scope on one word stand in one order. Between two takings that found free
//! stands a release; each release is of a holder, so releases are no more than takings that found free, at any time: exactly
//! one stands between two, and it is that of the former. Sections of different holders therefore come one after
//! the other. The word is changed by read-modify-write operations only, so the release is observed, through a chain of
//! them, by each later taking that finds free (PTX ISA, memory consistency model, *observation order*). A fence before the release
//! and one behind the taking make of the two a release pattern and an acquire pattern, which synchronise (*release and
//! acquire patterns*), and what a thread does before and behind them is in *causality order*. For a block:
//! - behind the taking: its thread fences, then a barrier of the block, then the access by any thread. Barriers synchronise
//!   their threads (*synchronizes-with*), and causality order is transitive;
//! - before the release: the access, a barrier of the block, a fence of the thread that releases. Or the thread of the access
//!   fences itself before that barrier: both fences are `fence.sc`, which stand in one order (*fence-SC order*); were the
//!   later holder's first, its taking would come before the release in causality order, against *coherence*.
//!
//! **Accuracy.** That the word is free when the kernel begins is an assumption that the verdict lists: a thread that finds
//! the lock not taken has it. Barriers are taken not to be divergent, which is asked for elsewhere. Threads in lock-step, which may
//! wait for each other forever, have no locks here, nor have kernels with anything that may change memory in a way that is
//! not modelled.

mod held;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::UnderLockRow;
use warplog_facts::words::{AccessKind, Holder, PairScope, Scope, Space};
use warplog_facts::{AccessId, AccessRow, ArrayId, LaunchId, PointId, TermId, UnknownId};

use crate::context::Context;
use crate::routes::{Constancy, Constants, Route, Routes};
use crate::satisfied::executed_by_one;
use held::Held;

/// Points of a launch beyond which its locks are not looked at.
const MAX_POINTS: usize = 6_000;
/// Most takings of one lock.
const MAX_TAKINGS: usize = 24;

/// A taking of a lock: an atomic operation that has it if it found the lock free.
#[derive(Clone, Copy, Debug)]
struct Taking {
    access: AccessId,
    point: PointId,
    found: UnknownId,
}

/// A word of memory that is a lock, as far as its accesses go.
#[derive(Clone, Debug)]
struct Lock {
    launch: LaunchId,
    storage: ArrayId,
    /// Its first byte, and how many there are.
    place: (TermId, u32),
    /// What it holds when nobody does, as an unsigned number of its size.
    free: i128,
    /// That as a number of the word's type.
    shown: i128,
    bits: u32,
    /// What it holds otherwise, if that is one value and the word is free at first, which is an assumption.
    taken: Option<i128>,
    /// Threads among which fences must order.
    scope: Scope,
    takings: Vec<Taking>,
    releases: FxHashSet<PointId>,
    /// Fences that order among the threads of the scope.
    fences: FxHashSet<PointId>,
}

/// The locks of all launches, and what is done under them.
#[derive(Default)]
pub(crate) struct Locks {
    locks: Vec<Lock>,
    under: FxHashMap<AccessId, Vec<(usize, Holder)>>,
    operations: FxHashSet<PointId>,
}

impl Locks {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all = Locks::default();
        if ctx.facts.atomic_exchange.is_empty() {
            return all;
        }
        let constants = Constants::new(ctx);
        let mut routes: FxHashMap<LaunchId, Routes<'_>> = FxHashMap::default();
        for lock in words(ctx, &constants) {
            let routes = routes
                .entry(lock.launch)
                .or_insert_with(|| Routes::new(ctx, lock.launch));
            let held = Held::new(ctx, routes, &lock);
            let by_holder = |&release: &PointId| {
                let route = routes.of(constants.literals(ctx, release, Constancy::Thread));
                held.holds(&route, release)
            };
            if !initialised(ctx, routes, &lock) || !lock.releases.iter().all(by_holder) {
                continue;
            }
            let section = Section {
                ctx,
                constants: &constants,
                routes,
                lock: &lock,
                held,
            };
            let number = all.locks.len();
            for &access in ctx.accesses(lock.launch) {
                if let Some(holder) = section.holder(access) {
                    all.under.entry(access).or_default().push((number, holder));
                }
            }
            let takings = lock.takings.iter().map(|taking| taking.point);
            all.operations
                .extend(takings.chain(lock.releases.iter().copied()));
            all.locks.push(lock);
        }
        all
    }

    /// What an access is done under.
    pub(crate) fn around(&self, access: AccessId) -> &[(usize, Holder)] {
        self.under.get(&access).map_or(&[], Vec::as_slice)
    }

    /// Whether threads of one block may do the access one after the other, each under a lock of its own taking: other blocks
    /// may write in between, without a race.
    pub(crate) fn is_of_thread(&self, access: AccessId) -> bool {
        let mut around = self.around(access).iter();
        around.any(|(_, holder)| *holder == Holder::Thread)
    }

    /// Whether others may change, without a race, what a thread finds between two accesses of its own: a lock is around one of
    /// them and is taken or released on the way.
    pub(crate) fn lets_others_in(&self, accesses: [AccessId; 2], between: &[PointId]) -> bool {
        accesses
            .iter()
            .any(|&access| !self.around(access).is_empty())
            && between.iter().any(|point| self.operations.contains(point))
    }

    /// D15: a lock under which both accesses are done by any two threads of the scope; told by what its taking found.
    pub(crate) fn excludes(
        &self,
        ctx: &Context<'_>,
        scope: PairScope,
        pair: [AccessId; 2],
    ) -> Option<Option<TermId>> {
        let needed = match scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        };
        let suits = |&&(number, holder): &&(usize, Holder)| {
            self.locks[number].scope >= needed
                && (holder == Holder::Thread || scope == PairScope::Grid)
        };
        let of = |access: AccessId| self.around(access).iter().filter(suits);
        let [first, second] = pair;
        let (number, _) = of(first).find(|(one, _)| of(second).any(|(other, _)| one == other))?;
        let found = self.locks.get(*number)?.takings.first()?.found;
        Some(ctx.unknown_term(found))
    }

    /// The rows of `under_lock`.
    pub(crate) fn rows(&self, ctx: &Context<'_>) -> Vec<UnderLockRow> {
        let mut rows = Vec::new();
        for access in &ctx.facts.access {
            for &(number, holder) in self.around(access.access) {
                let lock = &self.locks[number];
                rows.extend(lock.takings.first().map(|taking| UnderLockRow {
                    access: access.access,
                    taking: taking.access,
                    free: lock.shown,
                    holder,
                }));
            }
        }
        rows
    }
}

/// A number as an unsigned one of so many bits.
fn unsigned(value: i128, bits: u32) -> i128 {
    value.rem_euclid(1 << bits)
}

/// Whether locks and tickets of the launch are looked at.
pub(crate) fn are_modelled(ctx: &Context<'_>, launch: LaunchId) -> bool {
    !ctx.has_opaque_memory(launch)
        && !ctx.has_lock_step(launch)
        && ctx.points(launch).len() <= MAX_POINTS
}

/// The words of memory that may be locks: nothing changes them but exchanges with constants.
fn words(ctx: &Context<'_>, constants: &Constants) -> Vec<Lock> {
    let facts = ctx.facts;
    let mut words: BTreeMap<(LaunchId, ArrayId, TermId, u32), Vec<_>> = BTreeMap::new();
    for row in &facts.atomic_exchange {
        let access = ctx.access(row.access);
        let launch = ctx.launch_of(access.point);
        let storage = ctx.storage(row.access);
        let key = (launch, storage, access.index, access.bytes);
        words.entry(key).or_default().push(row);
    }
    let mut found = Vec::new();
    for ((launch, storage, index, bytes), rows) in words {
        let scope = match facts.array[storage.index()].space {
            Space::Global => Scope::Grid,
            Space::Shared => Scope::Block,
            Space::Local | Space::Constant => continue,
        };
        if !are_modelled(ctx, launch) || constants.of(index) > Constancy::Grid {
            continue;
        }
        let bits = bytes * 8;
        let constant = |term: TermId| Some(unsigned(facts.terms.as_const(term)?, bits));
        let operands = rows
            .iter()
            .flat_map(|row| row.expected.into_iter().chain([row.value]));
        let values: BTreeMap<i128, i128> = operands
            .filter_map(|term| Some((constant(term)?, facts.terms.as_const(term)?)))
            .collect();
        for (free, shown) in values {
            let mut lock = Lock {
                launch,
                storage,
                place: (index, bytes),
                free,
                taken: None,
                shown,
                bits,
                scope,
                takings: Vec::new(),
                releases: FxHashSet::default(),
                fences: fences(ctx, launch, scope),
            };
            if lock.admits(ctx, &constant) && !lock.takings.is_empty() {
                found.push(lock);
            }
        }
    }
    found
}

/// Fences of a launch that order among the threads of the scope, in one order with each other.
pub(crate) fn fences(ctx: &Context<'_>, launch: LaunchId, scope: Scope) -> FxHashSet<PointId> {
    let rows = ctx.fences(launch).iter();
    rows.filter(|row| row.sequential && row.scope >= scope)
        .map(|row| row.point)
        .collect()
}

impl Lock {
    /// Sorts the accesses that may change the word into takings and releases; whether there are no others.
    fn admits(&mut self, ctx: &Context<'_>, constant: &dyn Fn(TermId) -> Option<i128>) -> bool {
        let mut stored = BTreeSet::new();
        for &access in ctx.accesses(self.launch) {
            let row = ctx.access(access);
            if row.kind == AccessKind::Read || ctx.storage(access) != self.storage {
                continue;
            }
            if are_apart(ctx, self.place, row) {
                continue;
            }
            if (row.index, row.bytes) != self.place {
                return false;
            }
            let stores_free = |value: Option<TermId>| {
                let value = value.and_then(constant);
                value == Some(self.free) && self.scope == Scope::Block
            };
            if row.kind == AccessKind::Write && stores_free(row.value) {
                // The word may be set before anybody takes it, see `initialised`.
                continue;
            }
            let exchange = ctx.exchange(access);
            let Some(exchange) = exchange.filter(|_| row.scope >= self.scope) else {
                return false;
            };
            let Some(value) = constant(exchange.value) else {
                return false;
            };
            if value == self.free {
                self.releases.insert(row.point);
                continue;
            }
            // A compare-and-swap that takes the lock from a holder is none that is understood.
            if exchange
                .expected
                .is_some_and(|term| constant(term) != Some(self.free))
            {
                return false;
            }
            stored.insert(value);
            self.takings.push(Taking {
                access,
                point: row.point,
                found: exchange.unknown,
            });
        }
        self.taken = match (self.scope, stored.len()) {
            (Scope::Grid, 1) => stored.first().copied(),
            _ => None,
        };
        self.takings.len() <= MAX_TAKINGS
    }
}

/// Whether constant offsets keep an access away from a word.
pub(crate) fn are_apart(ctx: &Context<'_>, (index, bytes): (TermId, u32), row: &AccessRow) -> bool {
    let constant = |term: TermId| ctx.facts.terms.as_const(term);
    let (Some(one), Some(other)) = (constant(index), constant(row.index)) else {
        return false;
    };
    one + i128::from(bytes) <= other || other + i128::from(row.bytes) <= one
}

/// Whether plain stores to the lock are done before anybody takes it: a barrier of the block, whose word it is, stands
/// between, and nothing leads back.
fn initialised(ctx: &Context<'_>, routes: &Routes<'_>, lock: &Lock) -> bool {
    let any = routes.of(Vec::new());
    let at_start = |point: PointId| {
        let heads = any.heads(point);
        (heads.contains(&routes.entry()), heads.len() == 1)
    };
    let used = lock.takings.iter().map(|taking| taking.point);
    let mut used = used.chain(lock.releases.iter().copied());
    let mut plain = ctx
        .accesses(lock.launch)
        .iter()
        .map(|&access| ctx.access(access))
        .filter(|row| row.kind == AccessKind::Write && ctx.storage(row.access) == lock.storage)
        .peekable();
    plain.peek().is_none()
        || lock.scope == Scope::Grid
        || plain.all(|row| at_start(row.point) == (true, true))
            && used.all(|point| !at_start(point).0)
}

/// What is needed to tell what is done under a lock.
struct Section<'s, 'c> {
    ctx: &'s Context<'c>,
    constants: &'s Constants,
    routes: &'s Routes<'s>,
    lock: &'s Lock,
    held: Held<'s>,
}

impl Section<'_, '_> {
    /// Who holds the lock whenever the access is done.
    fn holder(&self, access: AccessId) -> Option<Holder> {
        let point = self.ctx.access(access).point;
        let space = self.ctx.space(access);
        let own = self.ctx.storage(access) == self.lock.storage
            && !are_apart(self.ctx, self.lock.place, self.ctx.access(access));
        if own || !matches!(space, Space::Global | Space::Shared) {
            return None;
        }
        let known = self.constants.literals(self.ctx, point, Constancy::Thread);
        let route = self.routes.of(known);
        if self.held.holds_fenced(&route, point) && self.is_fenced_before_release(&route, point) {
            return Some(Holder::Thread);
        }
        let block = self.lock.scope == Scope::Grid
            && space == Space::Global
            && self
                .lock
                .takings
                .iter()
                .any(|taking| self.is_held_for_block(taking, &route, point));
        block.then_some(Holder::Block)
    }

    /// Whether a fence stands on every way from the point to a release.
    fn is_fenced_before_release(&self, route: &Route<'_>, from: PointId) -> bool {
        let reached = route.reach(from, &|at| self.lock.fences.contains(&at));
        reached.is_disjoint(&self.lock.releases)
    }

    /// Whether a thread of the block that takes the lock holds it while any thread of the block, on its route, is at the
    /// point, with barriers of the block and fences between.
    fn is_held_for_block(&self, taking: &Taking, route: &Route<'_>, point: PointId) -> bool {
        let Some(leader) = self.leader(taking, point) else {
            return false;
        };
        let heads = route.heads(point);
        let held = heads.iter().all(|&head| {
            self.routes.is_barrier(head)
                && self.held.holds_fenced(&leader, head)
                && leader
                    .reach(head, &|at| self.routes.is_barrier(at))
                    .is_disjoint(&self.lock.releases)
        });
        if !held {
            return false;
        }
        // Without a barrier behind it the access may come after the release.
        let behind = route.reach(point, &|at| self.routes.is_barrier(at));
        if behind.contains(&self.routes.exit()) && !self.lock.releases.is_empty() {
            return false;
        }
        let unfenced = route.reach(point, &|at| {
            self.routes.is_barrier(at) || self.lock.fences.contains(&at)
        });
        unfenced
            .into_iter()
            .filter(|&at| self.routes.is_barrier(at))
            .all(|barrier| self.is_fenced_before_release(&leader, barrier))
    }

    /// The route of a thread that takes the lock, if every block with a thread at the point has such a thread, and it comes to
    /// every barrier that others come to.
    fn leader(&self, taking: &Taking, point: PointId) -> Option<Route<'_>> {
        let ctx = self.ctx;
        let there = ctx.guards(point);
        let shared = ctx.guards(taking.point).iter();
        let mut shared = shared.filter(|conjunct| there.contains(conjunct));
        // What it has in common with the taking must be known of the leader, or is not used.
        if shared.any(|(term, _)| self.constants.of(*term) == Constancy::Thread) {
            return None;
        }
        executed_by_one(ctx, taking.point, point)?;
        let mut known = self
            .constants
            .literals(ctx, taking.point, Constancy::Thread);
        known.extend(self.constants.literals(ctx, point, Constancy::Block));
        let leader = self.routes.of(known);
        let leaves_alone = |&left: &PointId| {
            let together = ctx.loops(left).is_empty()
                && ctx
                    .guards(left)
                    .iter()
                    .all(|(term, _)| self.constants.of(*term) <= Constancy::Block);
            leader.passes(left) && !together
        };
        let mut returns = ctx.returns(self.lock.launch).iter();
        (!returns.any(leaves_alone)).then_some(leader)
    }
}
