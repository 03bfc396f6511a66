//! Phases: what a thread does before it arrives at a barrier that counts arrivals happens before what another does behind its wait for the
//! phase.
//!
//! `if (warp == 0) { wait(empty[k % S], (k / S + 1) & 1); fill(k % S); arrive(full[k % S]); } else { wait(full[k % S], (k / S) & 1); … }`
//!
//! The rule:
//! - D21 `phases`: whichever iterations the two threads are in, the one access happens before the other by phases, or the iterations in
//!   which neither does are none.
//!
//! **What is looked at.** Objects (`mbarrier`) and named barriers of a block. Steps at objects that any of them share are a *family*: a ring of S
//! objects, which each thread takes in turn, from the first one on. The number of a step in the turn of its thread is its *position* q: it is at
//! object q mod S, for the (q / S + 1)-th time ([`steps`]). A wait for a parity knows that q / S + 1 phases of its object have ended, or one
//! less where the parity is the other one, as the waits of a thread at one object take their parities in turn.
//!
//! **Argument.** If n phases of an object have ended, at least n·N arrivals were counted, where N ends a phase. Where no thread ever arrives before all but
//! its own last phase have ended, none has arrived more than n + 1 times at any time; with at most N threads that arrive, each has
//! arrived n times when the n-th phase ends. So what comes before the arrival at position p happens before what comes behind a wait at position p' ≥ p
//! (or p' ≥ p + S, with the other parity). Such orders and the order of each thread make chains, with the number of iterations by which
//! their ends are apart ([`order`]); the shortest is kept.
//! That a thread does not arrive early is shown by such a chain, too, from a wait at the object: the first arrival of an execution that is early would
//! come behind orders of which none is broken yet.
//!
//! **Copies.** A bulk copy whose bytes a barrier counts is made after it was issued, and before the phase ends in which its thread expects them: the
//! thread arrives for the position of the copy, and expects then as many bytes as its copies for that position bring, all of them before it arrives. So a chain from
//! the copy begins with that phase, and nothing that the thread does later is behind the copy for another reason. Copies that the thread waits for itself begin no chain. That
//! copies by tensor maps bring what is expected is taken for granted.
//!
//! **Accuracy.** Anything not understood of a family, or of what orders in the launch, leaves it without order: a step under a condition, in a loop
//! in a loop, at an object that the thread does not take in turn, a count that differs. The number of threads must be known. Objects are
//! initialised before, which is a race of its own if it is not. Sources: PTX ISA, "Parallel Synchronization and Communication Instructions:
//! mbarrier" (phases, counts, parity, bytes of transactions) and "bar, barrier" (arrivals without waiting).

mod endless;
mod order;
mod periodic;
mod steps;
mod traces;

pub(crate) use endless::endless;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::PhaseOrderRow;
use warplog_facts::words::PairScope;
use warplog_facts::{AccessId, LaunchId, LoopId};

use crate::context::Context;
use crate::pair::Pair;
use order::{Label, Orders};
use steps::Steps;

/// The orders by phases of all launches.
#[derive(Default)]
pub(crate) struct Phases {
    orders: FxHashMap<(AccessId, AccessId), Label>,
    loops: FxHashMap<AccessId, Option<LoopId>>,
    /// The accesses to objects that are barriers.
    objects: FxHashSet<AccessId>,
    launches: FxHashSet<LaunchId>,
}

impl Phases {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all = Phases::default();
        for row in &ctx.facts.phase_step {
            all.launches.insert(ctx.launch_of(row.point));
            all.objects.extend(row.access);
        }
        let mut launches: Vec<LaunchId> = all.launches.iter().copied().collect();
        launches.sort_unstable();
        for launch in launches {
            if ctx.has_opaque_order(launch) {
                continue;
            }
            let Some(steps) = Steps::new(ctx, launch) else {
                continue;
            };
            let orders = Orders::new(ctx, &steps);
            let accesses: Vec<AccessId> = ctx
                .accesses(launch)
                .iter()
                .copied()
                .filter(|access| !all.objects.contains(access))
                .collect();
            for &access in &accesses {
                let point = ctx.access(access).point;
                all.loops.insert(access, ctx.loops(point).first().copied());
            }
            for &first in &accesses {
                let point = ctx.access(first).point;
                let from = match (ctx.completes(first), ctx.is_of_copy(first)) {
                    (Some(completes), _) => orders.chains_of_copy(point, completes),
                    // Others wait for it in another way.
                    (None, true) => continue,
                    (None, false) => orders.chains(point),
                };
                for &second in &accesses {
                    let conflict = ctx.storage(first) == ctx.storage(second)
                        && (ctx.writes(first) || ctx.writes(second));
                    if !conflict {
                        continue;
                    }
                    let label = orders.to(&from, ctx.access(second).point);
                    if let Some(label) = label {
                        all.orders.insert((first, second), label);
                    }
                }
            }
        }
        all
    }

    /// Whether threads of the launch take steps of phases.
    pub(crate) fn has(&self, launch: LaunchId) -> bool {
        self.launches.contains(&launch)
    }

    /// D21: whether one of the two accesses always happens before the other.
    pub(crate) fn orders(&self, ctx: &Context<'_>, pair: &Pair) -> bool {
        if pair.scope == PairScope::Grid || pair.crosses_proxies(ctx) {
            return false;
        }
        let label = |first, second| self.orders.get(&(first, second)).copied();
        let (forth, back) = (
            label(pair.first, pair.second),
            match pair.scope {
                PairScope::Own => issued_behind(ctx, pair),
                _ => label(pair.second, pair.first),
            },
        );
        match (forth, back) {
            (Some(Label::Always), _) | (_, Some(Label::Always)) => true,
            // Neither where -back < j - i < forth.
            (Some(Label::Ahead(forth)), Some(Label::Ahead(back))) => forth + back <= 1,
            _ => false,
        }
    }

    /// Whether in some iterations the first access happens before the second by phases.
    pub(crate) fn may_order(&self, first: AccessId, second: AccessId) -> bool {
        self.orders.contains_key(&(first, second))
    }

    /// The rows of `phase_order`.
    pub(crate) fn rows(&self) -> Vec<PhaseOrderRow> {
        let outermost = |access: &AccessId| self.loops.get(access).copied().flatten();
        let rows = self
            .orders
            .iter()
            .map(|((first, second), label)| PhaseOrderRow {
                first: *first,
                second: *second,
                first_loop: outermost(first),
                second_loop: outermost(second),
                always: *label == Label::Always,
                lag: match label {
                    Label::Always => 0,
                    Label::Ahead(lag) => i128::from(*lag),
                },
            });
        let mut rows: Vec<PhaseOrderRow> = rows.collect();
        rows.sort_unstable();
        rows
    }
}

/// From when on what a thread does comes before it issues the copy that is the first access of the pair.
fn issued_behind(ctx: &Context<'_>, pair: &Pair) -> Option<Label> {
    let (copy, other) = (ctx.access(pair.first).point, ctx.access(pair.second).point);
    let (of_copy, of_other) = (ctx.loops(copy), ctx.loops(other));
    match (of_copy.first(), of_other.first()) {
        (Some(one), Some(two)) if one == two => {
            let nested = of_copy.len().min(of_other.len()) > 1;
            Some(Label::Ahead(i64::from(nested || other >= copy)))
        }
        _ => (other < copy).then_some(Label::Always),
    }
}
