//! Barriers of clusters: whether all blocks of a cluster come to them in step.
//!
//! `if (rank == 0) { cluster.sync(); other[t] = 1; cluster.sync(); } else { cluster.sync(); out[t] = s[t]; cluster.sync(); }`
//!
//! Which barrier of the text a block waits at does not matter to the others: here the first of the one arm meets the first of the other, and the
//! store meets the read. So barriers of a cluster part the accesses of two blocks into the same intervals only where each block comes to the
//! same ones, equally often and in the same order.
//!
//! **What is looked at.** The conditions of each such barrier, with those of the loops around it, and of the ways out of these loops and of the
//! kernel in front of it. None may differ from block to block. It may differ between the threads of a block: that one thread comes to the
//! barrier and another does not is asked for each block.
//!
//! **Argument.** What a condition is made of has one value in threads of equal indices of all blocks, at equal iterations. By induction over
//! what is executed, such threads come to the same points, and each block with all of its threads, or it is divergent.
//!
//! **Accuracy.** Sound. A condition that is the same in all blocks of a cluster and not in all of the grid (`blockIdx.x / 2`) is taken to differ. Source: PTX
//! ISA, "barrier.cluster": all threads of the cluster that have not exited arrive, at whichever instruction.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::Scope;
use warplog_facts::{LaunchId, Op, PointId, TermId};

use crate::context::Context;
use crate::uniformity::{Uniform, UniformTerms};

/// The launches in which blocks need not come to the barriers of their cluster in step.
pub(crate) fn out_of_step(ctx: &Context<'_>, uniform: &Uniform) -> FxHashSet<LaunchId> {
    let mut found = FxHashSet::default();
    for row in &ctx.facts.cluster_barrier {
        let point = ctx.facts.barrier[row.barrier.index()].point;
        let launch = ctx.launch_of(point);
        let mut same = Same {
            ctx,
            uniform: uniform.of(launch),
            known: FxHashMap::default(),
        };
        let in_step = same.hold_at(point) && same.leaves_together(point);
        if !in_step {
            found.insert(launch);
        }
    }
    found
}

/// What is the same in threads of equal indices of all blocks.
struct Same<'a> {
    ctx: &'a Context<'a>,
    uniform: &'a UniformTerms,
    known: FxHashMap<TermId, bool>,
}

impl Same<'_> {
    fn is(&mut self, term: TermId) -> bool {
        if self.uniform.is_uniform(term, Scope::Grid) {
            return true;
        }
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let row = self.ctx.facts.terms.get(term);
        let is = match row.op {
            Op::TidX | Op::TidY | Op::TidZ => true,
            Op::BidX | Op::BidY | Op::BidZ | Op::Load | Op::Unknown | Op::Exit => false,
            _ => !row.args.is_empty() && row.args.iter().all(|&arg| self.is(arg)),
        };
        self.known.insert(term, is);
        is
    }

    fn hold_at(&mut self, point: PointId) -> bool {
        let ctx = self.ctx;
        ctx.guards(point).iter().all(|&(term, _)| self.is(term))
    }

    /// Whether the loops around a point are left in the same iterations.
    fn leaves_together(&mut self, point: PointId) -> bool {
        let ctx = self.ctx;
        ctx.loops(point).iter().all(|&loop_id| {
            let row = &ctx.facts.loop_[loop_id.index()];
            let leavings = ctx.leavings(loop_id);
            // A way out that is no point is one of which nothing is known.
            let again = ctx.repeats_while(loop_id);
            row.condition.is_some_and(|condition| self.is(condition))
                && again.is_none_or(|again| self.is(again))
                && (!row.has_break || !leavings.is_empty())
                && leavings.into_iter().all(|leaving| self.hold_at(leaving))
        })
    }
}
