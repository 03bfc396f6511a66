//! The Datalog programs of warplog, one analysis a file.
//!
//! [`derive`] turns the input relations into the derived ones: intervals between barriers,
//! skipped barriers, stability, uniformity, conditions and flows, candidate conflicting pairs and
//! candidate divergent barriers, and all that was discharged by rule. Ids of launches are columns,
//! so the same programs run for one kernel and for ten thousand.
//!
//! Each rule has a number (`R1` …) and a sentence; evidence ids are columns. Relational work is
//! Datalog; arithmetic on terms is ordinary functions that the rules call (`offsets`).
//! Nothing here sees source text or a solver.

mod bytes;
mod candidates;
mod clusters;
pub mod compared;
mod conditions;
mod context;
mod counted;
mod counters;
mod dependence;
mod discharge;
mod divergence;
mod exits;
mod flags;
mod forward;
mod grouping;
mod intervals;
mod locks;
mod offsets;
pub mod pages;
mod pair;
mod phases;
mod protocols;
mod proxies;
mod reconvergence;
mod results;
mod rounds;
mod routes;
mod satisfied;
mod settled;
mod skips;
mod stability;
mod thread_private;
mod tickets;
mod uniformity;
mod waits;
mod warps;

use offsets::judge::{Given, Judge};
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::GroupOfRow;
use warplog_facts::{AccessId, Derived, Facts, PointId};

/// What to derive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Ask for pairs of threads of one block only.
    pub only_intra_block: bool,
    /// Ask for pairs of threads of different blocks only.
    pub only_inter_block: bool,
    /// Writes of one value to the same bytes are candidates, too: D4 does not discharge them.
    pub report_benign: bool,
}

/// All derived relations of a fact set, each sorted.
pub fn derive(facts: &Facts, options: &Options) -> Derived {
    let mut ctx = context::Context::new(facts);
    let flags = flags::Flags::new(&ctx);
    // What others have stored is read behind a wait for them.
    ctx.forget_memory(flags.launches());
    let ctx = ctx;
    let access_at: FxHashMap<PointId, AccessId> = facts
        .access
        .iter()
        .map(|row| (row.point, row.access))
        .collect();
    let inside = intervals::inside(&ctx);
    let skips = skips::skips(&ctx, &inside);
    let locks = locks::Locks::new(&ctx);
    let tickets = tickets::Tickets::new(&ctx);
    let phases = phases::Phases::new(&ctx);
    let proxies = proxies::Proxies::new(&ctx);
    let access_at = |point: PointId| access_at.get(&point).copied();
    let regions = offsets::form::Regions::new(&ctx);
    let stability = |later_rounds: &FxHashSet<rounds::LaterRound>| {
        stability::stability(&ctx, &inside, (&locks, &regions), later_rounds, &access_at)
    };
    let (mut stable, mut stable_load) = stability(&FxHashSet::default());
    let (mut uniform, mut uniform_rows) = uniformity::uniformity(&ctx, &stable_load);
    // Which rounds threads share is known of uniform conditions only; then more is stable, and uniform.
    let later = rounds::later_rounds(&ctx, &inside, &uniform, &stable_load, &access_at);
    if !later.is_empty() {
        (stable, stable_load) = stability(&later);
        (uniform, uniform_rows) = uniformity::uniformity(&ctx, &stable_load);
    }
    let term_loops = uniformity::loops_of_terms(&ctx, &stable_load);
    let conditions = conditions::conditions(&ctx, &uniform);
    let exits = exits::exits(&ctx, &uniform);
    let same_access = grouping::same_accesses(
        &ctx,
        &inside,
        &skips,
        &exits,
        (&locks, &tickets, (&phases, &flags), &proxies),
    );
    let out_of_step = clusters::out_of_step(&ctx, &uniform);
    let (candidate_divergence, discarded_divergence) = divergence::divergence(&ctx, &uniform);
    let given = Given {
        regions: &regions,
        uniform: &uniform,
        term_loops: &term_loops,
        locks: &locks,
        tickets: &tickets,
        phases: &phases,
        flags: &flags,
        report_benign: options.report_benign,
        comparisons: discharge::comparisons(),
    };
    let judge = Judge::new(&ctx, given);
    let arms = warps::Arms::new(&ctx, &uniform);
    let (candidate_race, discarded_race) = candidates::candidates(
        &ctx,
        options,
        (&inside, &exits, &proxies, &out_of_step),
        &same_access,
        &judge,
        &arms,
    );
    let protected = protocols::protocols(&ctx, &candidate_race);
    let affine = offsets::affine::affine(&judge);
    let between = forward::Between::new(&ctx);
    let counters = counters::counters(&ctx, &inside, &between);
    let (forwarded_load, forwarded_when) = forward::forwarded(&forward::Known {
        ctx: &ctx,
        locks: &locks,
        uniform: &uniform,
        term_loops: &term_loops,
        between: &between,
        distinct: &counters.distinct,
        atomics: forward::atomics(&ctx),
    });
    let settled_loads = settled::settled(&ctx, &inside, &between);
    let mut group_of = Vec::new();
    for row in &facts.launch {
        for (group, of) in (0..).zip(ctx.groups(row.launch)) {
            group_of.push(GroupOfRow {
                launch: row.launch,
                group,
                barrier: of.barrier,
            });
        }
    }
    Derived {
        depends_on: dependence::dependence(&ctx),
        uniform: uniform_rows,
        tid_independent_condition: conditions.independent,
        tid_dependent_condition: conditions.dependent,
        flow_of: conditions.flows,
        inside,
        skips,
        stable,
        stable_load,
        distinct_results: counters.distinct,
        counted_result: counters.counted,
        counted_total: counters.totals,
        taken_once: counters.taken,
        settled_loads,
        forwarded_load,
        forwarded_when,
        thread_private: thread_private::thread_private(&ctx),
        affine,
        candidate_race,
        discarded_race,
        under_lock: locks.rows(&ctx),
        ticket_order: tickets.rows(&ctx),
        protected,
        phase_order: phases.rows(),
        endless_wait: phases::endless(&ctx),
        flag_order: flags.rows(),
        may_wait: waits::waits(&ctx),
        group_of,
        same_access,
        candidate_divergence,
        discarded_divergence,
        // What costs is not derived here.
        ..Derived::default()
    }
}
