//! Proxies: what a thread writes and a bulk copy touches later needs a fence between the two proxies, besides the order of threads.
//!
//! `s[t] = v; fence.proxy.async; __syncthreads(); if (t == 0) cp.async.bulk.global.shared::cta.bulk_group [out], [s], …;`
//!
//! **What is looked at.** A write by a thread, and an access of a bulk copy of the same memory. A fence lies between them if every way that the writing thread
//! can go comes to one before it comes to a barrier, an arrival or the copy itself, or if every way of the issuing thread from
//! a barrier, a wait or the write to the copy leads through one.
//!
//! **Argument.** Accesses of two proxies are ordered only where a proxy fence lies along the chain that orders them (PTX ISA, "Memory Consistency Model":
//! proxy-preserved base causality order). Either fence does.
//!
//! **Accuracy.** A fence in a third thread is not looked for. That a thread reads what a copy then overwrites needs no fence: a read that has given its value is over. What a
//! copy has written is seen by those who have waited for it, as the end of a copy is a fence (PTX ISA, "Async proxy").

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::{PhaseStep, Space};
use warplog_facts::{AccessId, LaunchId, PointId};

use crate::context::Context;
use crate::routes::{Constancy, Constants, Routes};

/// Writes of threads, and accesses of bulk copies of the same memory, with no fence of proxies between.
#[derive(Default)]
pub(crate) struct Proxies {
    unfenced: FxHashMap<AccessId, Vec<AccessId>>,
}

impl Proxies {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all = Proxies::default();
        let mut launches: FxHashMap<LaunchId, Vec<AccessId>> = FxHashMap::default();
        for row in &ctx.facts.copy_access {
            if row.bulk {
                let launch = ctx.launch_of(ctx.access(row.access).point);
                launches.entry(launch).or_default().push(row.access);
            }
        }
        let mut launches: Vec<(LaunchId, Vec<AccessId>)> = launches.into_iter().collect();
        launches.sort_unstable();
        if launches.is_empty() {
            return all;
        }
        let constants = Constants::new(ctx);
        for (launch, copies) in launches {
            let around = Around::new(ctx, &constants, launch);
            for &write in ctx.accesses(launch) {
                if !ctx.writes(write) || ctx.is_bulk(write) {
                    continue;
                }
                let same = copies.iter().copied();
                let same = same.filter(|&copy| ctx.storage(copy) == ctx.storage(write));
                let unfenced: Vec<AccessId> = same
                    .filter(|&copy| !around.is_fenced(write, copy))
                    .collect();
                if !unfenced.is_empty() {
                    all.unfenced.insert(write, unfenced);
                }
            }
        }
        all
    }

    /// The writes of threads that copies may not see.
    pub(crate) fn writes(&self) -> impl Iterator<Item = AccessId> {
        self.unfenced.keys().copied()
    }

    /// The accesses of copies that may not see a write of a thread.
    pub(crate) fn unfenced(&self, write: AccessId) -> &[AccessId] {
        self.unfenced.get(&write).map_or(&[], Vec::as_slice)
    }

    /// Whether no fence of proxies lies between a write of a thread and an access of a copy.
    pub(crate) fn are_unfenced(&self, write: AccessId, copy: AccessId) -> bool {
        self.unfenced(write).contains(&copy)
    }
}

struct Around<'a> {
    ctx: &'a Context<'a>,
    constants: &'a Constants,
    routes: Routes<'a>,
    /// Where threads are ordered with others.
    orders: FxHashSet<PointId>,
    shared: FxHashSet<PointId>,
    global: FxHashSet<PointId>,
}

impl<'a> Around<'a> {
    fn new(ctx: &'a Context<'a>, constants: &'a Constants, launch: LaunchId) -> Self {
        let here = |point: PointId| ctx.launch_of(point) == launch;
        let barriers = ctx.facts.barrier.iter().filter(|row| row.kind.orders());
        let steps = ctx.facts.phase_step.iter();
        let steps =
            steps.filter(|row| !matches!(row.step, PhaseStep::Expect | PhaseStep::Complete));
        let released = ctx.facts.memory_order.iter();
        let released = released.map(|row| ctx.access(row.access).point);
        let fences = ctx.facts.fence.iter().map(|row| row.point);
        let orders = barriers.map(|row| row.point);
        let orders = orders.chain(steps.map(|row| row.point));
        let orders = orders.chain(released).chain(fences);
        let of = |is_for: fn(&warplog_facts::ProxyFenceRow) -> bool| {
            let rows = ctx.facts.proxy_fence.iter();
            let points = rows.filter(|row| is_for(row)).map(|row| row.point);
            points.filter(|&point| here(point)).collect()
        };
        Around {
            ctx,
            constants,
            routes: Routes::new(ctx, launch),
            orders: orders.filter(|&point| here(point)).collect(),
            shared: of(|row| row.shared),
            global: of(|row| row.global),
        }
    }

    fn is_fenced(&self, write: AccessId, copy: AccessId) -> bool {
        let ctx = self.ctx;
        let fences = match ctx.space(write) {
            Space::Shared => &self.shared,
            _ => &self.global,
        };
        let is_fence = |point: PointId| fences.contains(&point);
        let known = |point: PointId| self.constants.literals(ctx, point, Constancy::Thread);
        let (from, to) = (ctx.access(write).point, ctx.access(copy).point);
        let writing = self.routes.of(known(from));
        let unfenced = writing.reach(from, &is_fence);
        let by_writer =
            !unfenced.contains(&to) && !unfenced.iter().any(|point| self.orders.contains(point));
        if by_writer {
            return true;
        }
        let issuing = self.routes.of(known(to));
        let mut starts = self.orders.iter().copied().chain([from]);
        starts.all(|start| !issuing.reach(start, &is_fence).contains(&to))
    }
}
