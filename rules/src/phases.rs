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
//! **Accuracy.** Anything not understood of a family, or of what orders in the launch, leaves it without order: a step under a condition, in a loop
//! in a loop, at an object that the thread does not take in turn, a count that differs, an asynchronous copy. The number of threads must be known. Objects are
//! initialised before, which is a race of its own if it is not. Sources: PTX ISA, "Parallel Synchronization and Communication Instructions:
//! mbarrier" (phases, counts, parity) and "bar, barrier" (arrivals without waiting).

mod order;
mod periodic;
mod steps;

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
            if ctx.has_opaque_order(launch) || ctx.has_copies(launch) {
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
                let from = orders.chains(ctx.access(first).point);
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
    pub(crate) fn orders(&self, pair: &Pair) -> bool {
        if pair.scope == PairScope::Grid {
            return false;
        }
        let label = |first, second| self.orders.get(&(first, second)).copied();
        let (forth, back) = (
            label(pair.first, pair.second),
            label(pair.second, pair.first),
        );
        match (forth, back) {
            (Some(Label::Always), _) | (_, Some(Label::Always)) => true,
            // Neither where -back < j - i < forth.
            (Some(Label::Ahead(forth)), Some(Label::Ahead(back))) => forth + back <= 1,
            _ => false,
        }
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
