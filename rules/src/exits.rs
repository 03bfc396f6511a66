//! Early exits: returns that some threads of a scope take while others go on, and the points from
//! which they are reached without a barrier.
//!
//! A thread that has left the kernel is waited for by no barrier, so what it did in its last
//! interval stays concurrent with all that the others do later: `s[t] = 1; if (t > n) return;
//! __syncthreads(); x = s[63 - t];`. Falling off the end is no early exit: whoever does so while
//! others still have a barrier before them makes that barrier divergent.

use ascent::ascent_run;
use rustc_hash::FxHashMap;
use warplog_facts::PointId;
use warplog_facts::words::Scope;

use crate::context::{Context, Level};
use crate::uniformity::Uniform;

/// For each access point, the non-uniform returns that can follow it without a barrier of the
/// scope, sorted.
pub(crate) fn exits(
    ctx: &Context<'_>,
    uniform: &Uniform,
) -> FxHashMap<PointId, Vec<(Level, PointId)>> {
    let mut leaving = Vec::new();
    for launch in &ctx.facts.launch {
        for &point in ctx.returns(launch.launch) {
            for &level in ctx.levels(launch.launch) {
                // Agreement of the block is agreement of each of its warps.
                if !uniform
                    .everywhere()
                    .is_uniform_point(ctx, point, level.0.max(Scope::Block))
                {
                    leaving.push((level, point));
                }
            }
        }
    }
    if leaving.is_empty() {
        return FxHashMap::default();
    }
    let mut cuts = Vec::new();
    for row in &ctx.facts.barrier {
        for &level in ctx.levels(ctx.launch_of(row.point)) {
            if ctx.separates(row.barrier, level) {
                cuts.push((level, row.point));
            }
        }
    }
    let steps = ctx.facts.cfg_edge.iter().map(|row| (row.from, row.to));
    let program = ascent_run! {
        relation leaving(Level, PointId) = leaving;
        relation cuts(Level, PointId) = cuts;
        relation step(PointId, PointId) = steps.collect();
        relation leads_to(Level, PointId, PointId);

        // R24: the return follows what stands before it,
        leads_to(level, from, exit) <-- leaving(level, exit), step(from, exit);
        // R25: and what stands before that, if that is no barrier of the scope.
        leads_to(level, from, exit) <--
            leads_to(level, to, exit), !cuts(level, to), step(from, to);
    };
    let mut exits: FxHashMap<PointId, Vec<(Level, PointId)>> = FxHashMap::default();
    for (level, from, exit) in program.leads_to {
        exits.entry(from).or_default().push((level, exit));
    }
    for row in &ctx.facts.access {
        if let Some(list) = exits.get_mut(&row.point) {
            list.sort_unstable();
        }
    }
    exits
}
