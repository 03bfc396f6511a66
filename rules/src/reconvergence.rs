//! Where the lanes of a lock-step warp are together: lanes that a branch parts execute on their own up to the branch's
//! immediate post-dominator, where they wait for each other.
//!
//! **Algorithm.** The region of a branch on which a warp may differ is what can be reached from it without passing its
//! immediate post-dominator (Cooper, Harvey and Kennedy, 2001, on the reversed graph), one part for each successor. A
//! point in no part is executed by the lanes together, as far as that branch is concerned, and so are two points that are
//! in one and the same part only. What is left early (`return`, `break`, `continue`, an inlined function, a `switch`) needs
//! no rule of its own: it moves the post-dominator.
//!
//! **Accuracy.** The reconvergence of the machines before Volta as it is published; compilers and machines may join earlier
//! or later where control flow is not structured. A `return` of the kernel leads to its end, so that a branch with one
//! in an arm joins there.

use std::cell::OnceCell;

use petgraph::algo::dominators::{self, Dominators};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::{PointKind, Scope};
use warplog_facts::{LaunchId, PointId, TermId};

use crate::context::Context;
use crate::uniformity::{Uniform, UniformTerms};

/// How the lanes that come to two points are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// No branch parts them, in the same iterations of the loops around both.
    InStep,
    /// They are in two arms of a branch, which join behind it.
    Parted(PointId),
    /// Lanes may come to one of the points by both arms of a branch without having joined.
    Loose,
}

/// The regions of the branches of all launches.
pub(crate) struct Reconvergence<'u> {
    /// Immediate post-dominators, up to the node behind the ends of all kernels.
    joins: Dominators<NodeIndex>,
    /// What each branch decides.
    conditions: FxHashMap<PointId, Vec<TermId>>,
    launches: Vec<OnceCell<Regions>>,
    uniform: &'u Uniform,
}

/// Of one launch: the branches on which a warp may differ, and the points that are in their parts.
#[derive(Default)]
struct Regions {
    branches: Vec<PointId>,
    /// By point, one bit a branch: in the part of its one successor, and in that of the others.
    parts: FxHashMap<PointId, [Vec<u64>; 2]>,
}

fn node(point: PointId) -> NodeIndex {
    NodeIndex::new(point.index())
}

impl<'u> Reconvergence<'u> {
    pub(crate) fn new(ctx: &Context<'_>, uniform: &'u Uniform) -> Self {
        let facts = ctx.facts;
        let mut graph =
            DiGraph::<(), ()>::with_capacity(facts.point.len() + 1, facts.cfg_edge.len());
        for _ in &facts.point {
            graph.add_node(());
        }
        let end = graph.add_node(());
        for row in &facts.cfg_edge {
            graph.add_edge(node(row.from), node(row.to), ());
        }
        let ends = facts.point.iter().filter(|row| row.kind == PointKind::Exit);
        for row in ends {
            graph.add_edge(node(row.point), end, ());
        }
        let causes = facts.guard_at.iter();
        let mut decided: Vec<(PointId, TermId)> =
            causes.map(|row| (row.cause_point, row.term)).collect();
        decided.sort_unstable();
        decided.dedup();
        let mut conditions: FxHashMap<PointId, Vec<TermId>> = FxHashMap::default();
        for (point, term) in decided {
            conditions.entry(point).or_default().push(term);
        }
        Reconvergence {
            joins: dominators::simple_fast(Reversed(&graph), end),
            conditions,
            launches: facts.launch.iter().map(|_| OnceCell::new()).collect(),
            uniform,
        }
    }

    /// How lanes of a warp that come to the two points are together.
    pub(crate) fn meeting(&self, ctx: &Context<'_>, first: PointId, second: PointId) -> Meeting {
        let launch = ctx.launch_of(first);
        let regions = self.launches[launch.index()].get_or_init(|| self.regions(ctx, launch));
        let (Some(one), Some(other)) = (regions.parts.get(&first), regions.parts.get(&second))
        else {
            return Meeting::InStep;
        };
        let mut parting: Option<PointId> = None;
        for (word, branches) in regions.branches.chunks(64).enumerate() {
            let [one, other] = [one, other].map(|parts| [parts[0][word], parts[1][word]]);
            let both_in = (one[0] | one[1]) & (other[0] | other[1]);
            if both_in & ((one[0] & one[1]) | (other[0] & other[1])) != 0 {
                return Meeting::Loose;
            }
            let mut apart = (one[0] & other[1]) | (one[1] & other[0]);
            while apart != 0 {
                let branch = branches[apart.trailing_zeros() as usize];
                apart &= apart - 1;
                // Fewer loops must be in the same iteration round the outer of two.
                parting = Some(match parting {
                    None => branch,
                    Some(known) => {
                        let (short, long) = match ctx.loops(branch).len() < ctx.loops(known).len() {
                            true => (branch, known),
                            false => (known, branch),
                        };
                        if !ctx.loops(long).starts_with(ctx.loops(short)) {
                            return Meeting::Loose;
                        }
                        short
                    }
                });
            }
        }
        parting.map_or(Meeting::InStep, Meeting::Parted)
    }

    fn regions(&self, ctx: &Context<'_>, launch: LaunchId) -> Regions {
        let uniform = self.uniform.of(launch);
        let mut parts: Vec<(PointId, Vec<PointId>, Vec<PointId>)> = Vec::new();
        let own = ctx.facts.point.iter().filter(|row| row.launch == launch);
        for row in own {
            let mut successors: Vec<PointId> = ctx
                .successors(row.point)
                .iter()
                .map(|&(to, _)| to)
                .collect();
            successors.sort_unstable();
            successors.dedup();
            if successors.len() < 2 || self.agrees(ctx, uniform, row.point) {
                continue;
            }
            let join = self.joins.immediate_dominator(node(row.point));
            let reached = |from: &[PointId]| reached(ctx, from, join);
            // One against the others; two need one question.
            let asked = if successors.len() == 2 {
                1
            } else {
                successors.len()
            };
            for nth in 0..asked {
                let mut others = successors.clone();
                let one = others.remove(nth);
                parts.push((row.point, reached(&[one]), reached(&others)));
            }
        }
        let words = parts.len().div_ceil(64);
        let mut regions = Regions::default();
        for (nth, (branch, one, others)) in parts.into_iter().enumerate() {
            regions.branches.push(branch);
            for (side, points) in [one, others].into_iter().enumerate() {
                for point in points {
                    let bits = regions.parts.entry(point);
                    let bits = bits.or_insert_with(|| [vec![0; words], vec![0; words]]);
                    bits[side][nth / 64] |= 1 << (nth % 64);
                }
            }
        }
        regions
    }

    /// Whether the lanes that are at a branch, in the same iterations of the loops around it, all go the same way.
    fn agrees(&self, ctx: &Context<'_>, uniform: &UniformTerms, point: PointId) -> bool {
        let is_uniform = |term: TermId| uniform.is_uniform(term, Scope::Warp);
        let facts = ctx.facts;
        // The last point of a loop's condition leads out of it.
        let left = ctx.loops(point).iter().rev().find(|id| {
            let mut successors = ctx.successors(point).iter();
            successors.any(|&(to, _)| !ctx.in_loop(to, **id))
        });
        let stays = left.is_none_or(|id| facts.loop_[id.index()].condition.is_some_and(is_uniform));
        let is_branch = facts.point[point.index()].kind == PointKind::Branch;
        let decided = self.conditions.get(&point);
        stays
            && decided.map_or(left.is_some() && !is_branch, |terms| {
                terms.iter().all(|&term| is_uniform(term))
            })
    }
}

/// What can be reached from the points, themselves included, without passing the join.
fn reached(ctx: &Context<'_>, from: &[PointId], join: Option<NodeIndex>) -> Vec<PointId> {
    let passes = |point: &PointId| join != Some(node(*point));
    let mut stack: Vec<PointId> = from.iter().copied().filter(passes).collect();
    let mut seen: FxHashSet<PointId> = stack.iter().copied().collect();
    while let Some(point) = stack.pop() {
        for &(to, _) in ctx.successors(point) {
            if passes(&to) && seen.insert(to) {
                stack.push(to);
            }
        }
    }
    seen.into_iter().collect()
}
