//! Where the lanes of a lock-step warp are together: lanes that a branch parts execute on their own up to the branch's
//! immediate post-dominator, where they wait for each other.
//!
//! **Algorithm.** The region of a branch on which a warp may differ is what can be reached from it without passing its
//! immediate post-dominator (Cooper, Harvey and Kennedy, 2001, on the reversed graph), one part for each successor. A
//! point in no part is executed by the lanes together, as far as that branch is concerned, and so are two points that are
//! in one and the same part only. What is left early (`return`, `break`, `continue`, an inlined function, a `switch`) needs
//! no rule of its own: it moves the post-dominator.
//!
//! The facts write some control flow in more steps than a machine does. `a && b` is a branch that evaluates `b`, and a branch on both;
//! a machine goes from `a` straight to where the whole is false (*jump threading*, see [`Flow`]). A `switch` is a chain of
//! branches; a machine has one, which joins where the last of them does.
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
use warplog_facts::{LaunchId, LoopId, Op, PointId, TermId};

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
    flow: Flow,
    /// Immediate post-dominators, up to the node behind the ends of all kernels.
    joins: Dominators<NodeIndex>,
    /// By branch of a `switch`, that of its other branches whose arms join last.
    last_of_switch: FxHashMap<PointId, PointId>,
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

/// Control flow as a machine has it.
struct Flow {
    /// What each branch decides.
    conditions: FxHashMap<PointId, Vec<TermId>>,
    successors: Vec<Vec<PointId>>,
}

impl Flow {
    fn new(ctx: &Context<'_>) -> Self {
        let facts = ctx.facts;
        let causes = facts.guard_at.iter();
        let mut decided: Vec<(PointId, TermId)> =
            causes.map(|row| (row.cause_point, row.term)).collect();
        decided.sort_unstable();
        decided.dedup();
        let mut conditions: FxHashMap<PointId, Vec<TermId>> = FxHashMap::default();
        for (point, term) in decided {
            conditions.entry(point).or_default().push(term);
        }
        let points = (0..facts.point.len()).map(PointId::from_index);
        let mut flow = Flow {
            conditions,
            successors: points
                .map(|point| {
                    let all = ctx.successors(point).iter();
                    let mut all: Vec<PointId> = all.map(|&(to, _)| to).collect();
                    all.sort_unstable();
                    all.dedup();
                    all
                })
                .collect(),
        };
        flow.thread(ctx);
        flow
    }

    fn successors(&self, point: PointId) -> &[PointId] {
        &self.successors[point.index()]
    }

    /// Lets branches lead past those that are decided with them.
    fn thread(&mut self, ctx: &Context<'_>) {
        let before = self.successors.clone();
        for row in &ctx.facts.point {
            let from = row.point;
            if before[from.index()].len() < 2 {
                continue;
            }
            for (nth, &to) in before[from.index()].iter().enumerate() {
                let Some(known) = self.taken(ctx, &before, from, to) else {
                    continue;
                };
                // What holds at the branch holds behind it, in the same iterations.
                let mut all = ctx.guards(from).to_vec();
                all.push(known);
                let mut at = to;
                while let Some(next) = self.decided(ctx, &before, at, (from, &all)) {
                    at = next;
                }
                self.successors[from.index()][nth] = at;
            }
            let all = &mut self.successors[from.index()];
            all.sort_unstable();
            all.dedup();
        }
    }

    /// The condition that holds on the way from a branch to one of its two successors.
    fn taken(
        &self,
        ctx: &Context<'_>,
        successors: &[Vec<PointId>],
        from: PointId,
        to: PointId,
    ) -> Option<(TermId, bool)> {
        let &[term] = self.conditions.get(&from)?.as_slice() else {
            return None;
        };
        let &[one, other] = successors[from.index()].as_slice() else {
            return None;
        };
        let here = |point: PointId| {
            let guards = ctx.guards(point).iter().zip(ctx.causes(point));
            let mut of_branch = guards.filter(|(_, cause)| cause.2 == from && cause.0 == term);
            of_branch.next().map(|((_, polarity), _)| *polarity)
        };
        // The arm that is not entered is an empty one.
        let (there, beside) = if to == one {
            (one, other)
        } else {
            (other, one)
        };
        match (here(there), here(beside)) {
            (Some(polarity), _) => Some((term, polarity)),
            (None, Some(polarity)) => Some((term, !polarity)),
            (None, None) => None,
        }
    }

    /// Where a point leads if it does nothing but to join or to branch on what is known.
    fn decided(
        &self,
        ctx: &Context<'_>,
        successors: &[Vec<PointId>],
        at: PointId,
        (from, known): (PointId, &[(TermId, bool)]),
    ) -> Option<PointId> {
        let row = &ctx.facts.point[at.index()];
        // Another branch of the source is decided on its own, even if its condition is the same.
        let is_part = stands_within(ctx, from, at);
        let value = |term| is_part.then(|| value_under(ctx, term, known)).flatten();
        match (row.kind, successors[at.index()].as_slice()) {
            // A place where arms join may be left by a jump; the first point behind it is looked at.
            (PointKind::Join, &[next]) if next > at => {
                let is_used = self.decided(ctx, successors, next, (from, known));
                is_used.map(|_| next)
            }
            // The end of a loop's condition.
            (PointKind::Join, all @ &[_, _]) => {
                let stays = |id: &LoopId, to: &PointId| ctx.in_loop(*to, *id);
                let mut around = ctx.loops(at).iter().rev();
                let left = around.find(|id| !all.iter().all(|to| stays(id, to)))?;
                let condition = ctx.facts.loop_[left.index()].condition?;
                let goes_on = value(condition)?;
                let mut all = all.iter().copied();
                all.find(|to| stays(left, to) == goes_on)
            }
            (PointKind::Branch, &[_, _]) => {
                let &[term] = self.conditions.get(&at)?.as_slice() else {
                    return None;
                };
                let value = value(term)?;
                let all = successors[at.index()].iter();
                let mut all = all.copied();
                all.find(|&to| self.taken(ctx, successors, at, to) == Some((term, value)))
            }
            _ => None,
        }
    }
}

/// Whether a point is part of what another one is.
fn stands_within(ctx: &Context<'_>, inner: PointId, outer: PointId) -> bool {
    let facts = ctx.facts;
    let [inner, outer] =
        [inner, outer].map(|point| &facts.span[facts.point[point.index()].span.index()]);
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}

/// The value of a condition where others are known.
fn value_under(ctx: &Context<'_>, term: TermId, known: &[(TermId, bool)]) -> Option<bool> {
    let terms = &ctx.facts.terms;
    if let Some(value) = terms.as_const(term) {
        return Some(value != 0);
    }
    for &(condition, value) in known.iter().rev() {
        let row = terms.get(condition);
        match (row.op, row.args.as_slice()) {
            _ if condition == term => return Some(value),
            (Op::Not, &[of]) if of == term => return Some(!value),
            _ => {}
        }
    }
    let row = terms.get(term);
    match (row.op, row.args.as_slice()) {
        (Op::Not, &[of]) => value_under(ctx, of, known).map(|value| !value),
        (Op::And | Op::Or, args) => {
            let absorbing = row.op == Op::Or;
            let values = args.iter().map(|&arg| value_under(ctx, arg, known));
            let values: Vec<Option<bool>> = values.collect();
            if values.contains(&Some(absorbing)) {
                Some(absorbing)
            } else {
                let all = values.iter().all(Option::is_some);
                all.then_some(!absorbing)
            }
        }
        _ => None,
    }
}

fn node(point: PointId) -> NodeIndex {
    NodeIndex::new(point.index())
}

impl<'u> Reconvergence<'u> {
    pub(crate) fn new(ctx: &Context<'_>, uniform: &'u Uniform) -> Self {
        let facts = ctx.facts;
        let flow = Flow::new(ctx);
        let mut graph =
            DiGraph::<(), ()>::with_capacity(facts.point.len() + 1, facts.cfg_edge.len());
        for _ in &facts.point {
            graph.add_node(());
        }
        let end = graph.add_node(());
        for row in &facts.point {
            for &to in flow.successors(row.point) {
                graph.add_edge(node(row.point), node(to), ());
            }
            if row.kind == PointKind::Exit {
                graph.add_edge(node(row.point), end, ());
            }
        }
        let joins = dominators::simple_fast(Reversed(&graph), end);
        Reconvergence {
            last_of_switch: last_of_switches(ctx, &flow, &joins),
            flow,
            joins,
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
        let own = ctx.points(launch).iter();
        for row in own.map(|point| &ctx.facts.point[point.index()]) {
            let successors = self.flow.successors(row.point);
            if successors.len() < 2 || self.agrees(ctx, uniform, row.point) {
                continue;
            }
            let last = self.last_of_switch.get(&row.point).unwrap_or(&row.point);
            let join = self.joins.immediate_dominator(node(*last));
            let reached = |from: &[PointId]| self.flow.reached(from, join);
            // One against the others; two need one question.
            let asked = if successors.len() == 2 {
                1
            } else {
                successors.len()
            };
            for nth in 0..asked {
                let mut others = successors.to_vec();
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
        let decided = self.flow.conditions.get(&point);
        stays
            && decided.map_or(left.is_some() && !is_branch, |terms| {
                terms.iter().all(|&term| is_uniform(term))
            })
    }
}

impl Flow {
    /// What can be reached from the points, themselves included, without passing the join.
    fn reached(&self, from: &[PointId], join: Option<NodeIndex>) -> Vec<PointId> {
        let passes = |point: &PointId| join != Some(node(*point));
        let mut stack: Vec<PointId> = from.iter().copied().filter(passes).collect();
        let mut seen: FxHashSet<PointId> = stack.iter().copied().collect();
        while let Some(point) = stack.pop() {
            for &to in self.successors(point) {
                if passes(&to) && seen.insert(to) {
                    stack.push(to);
                }
            }
        }
        seen.into_iter().collect()
    }
}

/// The branches of a `switch` follow each other and stand at one place; of each, the one among them that joins last.
fn last_of_switches(
    ctx: &Context<'_>,
    flow: &Flow,
    joins: &Dominators<NodeIndex>,
) -> FxHashMap<PointId, PointId> {
    let facts = ctx.facts;
    let branch = |point: PointId| {
        let row = &facts.point[point.index()];
        (row.kind == PointKind::Branch).then_some(row.span)
    };
    // The branch that a point leads to through places where arms join.
    let next_branch = |mut at: PointId| loop {
        if branch(at).is_some() {
            return Some(at);
        }
        match (facts.point[at.index()].kind, flow.successors(at)) {
            (PointKind::Join, &[next]) if next > at => at = next,
            _ => return None,
        }
    };
    let mut first_of: FxHashMap<PointId, PointId> = FxHashMap::default();
    let mut chains: Vec<Vec<PointId>> = Vec::new();
    let mut chain_of: FxHashMap<PointId, usize> = FxHashMap::default();
    for row in &facts.point {
        let Some(span) = branch(row.point) else {
            continue;
        };
        let chain = *chain_of.entry(row.point).or_insert_with(|| {
            chains.push(vec![row.point]);
            chains.len() - 1
        });
        for &to in flow.successors(row.point) {
            let following = next_branch(to).filter(|&next| {
                next > row.point && branch(next) == Some(span) && !chain_of.contains_key(&next)
            });
            if let Some(next) = following {
                chain_of.insert(next, chain);
                chains[chain].push(next);
            }
        }
    }
    for chain in chains.iter().filter(|chain| chain.len() > 1) {
        // Of two joins, one post-dominates the other: the later one is nearer to the end.
        let depth = |&point: &PointId| {
            joins
                .strict_dominators(node(point))
                .map_or(0, Iterator::count)
        };
        if let Some(last) = chain.iter().copied().min_by_key(depth) {
            first_of.extend(chain.iter().map(|&point| (point, last)));
        }
    }
    first_of
}
