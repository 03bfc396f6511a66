//! What lock-step warps would make of a pair of accesses: the older machine, in which the threads
//! of a warp execute one instruction at a time, those of diverged arms one arm after the other, and
//! meet again where the arms join.
//!
//! There two threads of a warp conflict only at one instruction (two writes, in the same iterations
//! of the loops around it), or in two arms of one branch, whose order nobody knows (in the same
//! iterations of the loops around the branch).
//!
//! **Accuracy.** `Ordered` is said only where both accesses stand in structured code: an arm from
//! which threads may leave the loop or the kernel on a way of their own joins nowhere before the
//! end of what was left, so accesses in it are `Loose`; so are accesses to which diverged lanes may
//! come without having joined. Where a branch stands between two `Loose` accesses they have no order in the same
//! iterations of the loops around it, and may have one in others.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::{GuardCause, LockStep, PairScope, PointKind, Scope};
use warplog_facts::{Op, PointId, TermId};

use crate::candidates::Pair;
use crate::context::Context;
use crate::uniformity::Uniform;

/// An arm: its branch, and the conjunct that stands for it.
type Arm = (PointId, TermId, bool);

fn kind(ctx: &Context<'_>, point: PointId) -> PointKind {
    ctx.facts.point[point.index()].kind
}

/// The arms of branches that threads of a warp may leave on a way of their own.
pub(crate) struct Arms<'u> {
    left: FxHashSet<Arm>,
    /// Points by which threads leave arms or loops from inside others, with the conditions of those on which a warp may differ.
    deep: Vec<(PointId, Vec<Conjunct>)>,
    /// The path conditions of all points, and the arms that they stand in.
    conjuncts: Vec<Vec<Conjunct>>,
    arms: Vec<Vec<Arm>>,
    /// By point, what [`Arms::left_deep`] says.
    behind_deep: RefCell<FxHashMap<PointId, bool>>,
    uniform: &'u Uniform,
}

/// A conjunct of a path condition: its term and polarity, and where it comes from.
type Conjunct = (TermId, bool, GuardCause, PointId);

fn arms<'c>(ctx: &'c Context<'_>, point: PointId) -> impl Iterator<Item = Arm> + 'c {
    let polarities = ctx.guards(point).iter().map(|&(_, polarity)| polarity);
    ctx.causes(point)
        .iter()
        .zip(polarities)
        // Behind an early `return` of an inlined function the cause is the place where its arms join.
        .filter(|((_, cause, place), _)| {
            *cause == GuardCause::Branch && kind(ctx, *place) == PointKind::Branch
        })
        .map(|(&(term, _, branch), polarity)| (branch, term, polarity))
}

impl<'u> Arms<'u> {
    pub(crate) fn new(ctx: &Context<'_>, uniform: &'u Uniform) -> Self {
        let mut left = FxHashSet::default();
        let mut deep = Vec::new();
        for row in &ctx.facts.point {
            let leaves = matches!(
                row.kind,
                PointKind::Return | PointKind::Break | PointKind::Continue
            );
            if leaves {
                let mut around = conjuncts(ctx, row.point);
                around.pop();
                around.retain(|(term, ..)| !uniform.of(row.launch).is_uniform(*term, Scope::Warp));
                if !around.is_empty() {
                    deep.push((row.point, around));
                }
            }
            if leaves
                && !uniform
                    .of(row.launch)
                    .is_uniform_point(ctx, row.point, Scope::Warp)
            {
                left.extend(arms(ctx, row.point));
            }
        }
        Arms {
            left,
            deep,
            conjuncts: (0..ctx.facts.point.len())
                .map(|point| conjuncts(ctx, PointId::from_index(point)))
                .collect(),
            arms: (0..ctx.facts.point.len())
                .map(|point| arms(ctx, PointId::from_index(point)).collect())
                .collect(),
            behind_deep: RefCell::default(),
            uniform,
        }
    }

    /// What lock-step makes of the pair, and the point around which the loops must be in the same
    /// iterations.
    pub(crate) fn lock_step(&self, ctx: &Context<'_>, pair: &Pair) -> (LockStep, Option<PointId>) {
        if pair.scope == PairScope::Grid {
            return (LockStep::Apart, None);
        }
        let (first, second) = (ctx.access(pair.first).point, ctx.access(pair.second).point);
        let (one, other) = (&self.arms[first.index()], &self.arms[second.index()]);
        let left = |arm: &Arm| self.left.contains(arm);
        if one.iter().chain(other).any(left)
            || self.left_deep(ctx, first)
            || self.left_deep(ctx, second)
            || joins_late(ctx, one, other, second)
            || joins_late(ctx, other, one, first)
            || self.never_joined(ctx, first, second)
        {
            return (LockStep::Loose, parted(ctx, (one, first), (other, second)));
        }
        if pair.first == pair.second {
            return (LockStep::Together, Some(first));
        }
        for &(branch, ..) in one {
            let at = |arms: &[Arm]| -> Vec<(TermId, bool)> {
                let here = arms.iter().filter(|arm| arm.0 == branch);
                let mut conjuncts: Vec<_> = here.map(|arm| (arm.1, arm.2)).collect();
                conjuncts.sort_unstable();
                conjuncts
            };
            let theirs = at(other);
            if !theirs.is_empty() && at(one) != theirs {
                return (LockStep::Diverged, Some(branch));
            }
        }
        (LockStep::Ordered, None)
    }
}

/// Whether a conjunct says that a thread has not left an arm by a jump at that point: a `return`, `break` or `continue`, or
/// the place to which one within an inlined function or a `switch` goes.
fn leaves_arm(ctx: &Context<'_>, cause: GuardCause, point: PointId) -> bool {
    match cause {
        GuardCause::Return | GuardCause::Break | GuardCause::Continue => true,
        GuardCause::Branch => kind(ctx, point) != PointKind::Branch,
        _ => false,
    }
}

/// The branch whose one arm the one access stands in, and that has kept the other access on its other side: in the other
/// arm, or behind a `return`, `break` or `continue` in the first arm.
fn parted(
    ctx: &Context<'_>,
    (one, first): (&[Arm], PointId),
    (other, second): (&[Arm], PointId),
) -> Option<PointId> {
    let across = |arms: &[Arm], there: &[Arm], point: PointId| -> Option<PointId> {
        let spared = conjuncts(ctx, point);
        let on_other_side = |&&(branch, term, polarity): &&Arm| {
            there.contains(&(branch, term, !polarity))
                || spared.iter().any(|&(own, side, cause, leaves)| {
                    (own, side) == (term, !polarity)
                        && leaves_arm(ctx, cause, leaves)
                        && self::arms(ctx, leaves).any(|arm| arm == (branch, term, polarity))
                })
        };
        arms.iter().find(on_other_side).map(|&(branch, ..)| branch)
    };
    across(one, other, second).or_else(|| across(other, one, first))
}

impl Arms<'_> {
    /// Whether lanes may have left an arm, or a loop, by a jump from inside another arm on the way to the point: `if (c) { if (d) return; }`.
    /// Where those of the outer branch join behind it then depends on the machine.
    fn left_deep(&self, ctx: &Context<'_>, point: PointId) -> bool {
        // In other launches it is told in a note only, which is not worth the time.
        if self.deep.is_empty() || !ctx.in_lock_step(ctx.launch_of(point)) {
            return false;
        }
        let known = self.behind_deep.borrow().get(&point).copied();
        known.unwrap_or_else(|| {
            let found = self.is_behind_deep(ctx, point);
            self.behind_deep.borrow_mut().insert(point, found);
            found
        })
    }

    fn is_behind_deep(&self, ctx: &Context<'_>, point: PointId) -> bool {
        let own = &self.conjuncts[point.index()];
        self.deep.iter().any(|(leaves, around)| {
            let within = ctx.loops(*leaves).last();
            let in_its_loop = within.is_some_and(|id| ctx.loops(point).contains(id));
            let behind = kind(ctx, *leaves) == PointKind::Return && *leaves < point;
            ctx.launch_of(*leaves) == ctx.launch_of(point)
                && (in_its_loop || behind)
                && around.iter().any(|conjunct| !own.contains(conjunct))
        })
    }

    /// Whether lanes that have diverged may come to the two points without having joined: by ways that jump round each
    /// other (`goto`), by the arms of an operator that evaluates only one side and of the condition that it stands in, by
    /// cases of a `switch` that fall through.
    fn never_joined(&self, ctx: &Context<'_>, first: PointId, second: PointId) -> bool {
        let (one, other) = (
            &self.conjuncts[first.index()],
            &self.conjuncts[second.index()],
        );
        if one == other {
            return false;
        }
        let uniform = self.uniform.of(ctx.facts.point[first.index()].launch);
        let alone = |own: &[Conjunct], theirs: &[Conjunct]| -> Vec<Conjunct> {
            let own = own.iter().filter(|conjunct| !theirs.contains(conjunct));
            own.filter(|(term, ..)| !uniform.is_uniform(*term, Scope::Warp))
                .copied()
                .collect()
        };
        let (one, other) = (alone(one, other), alone(other, one));
        let terms = &ctx.facts.terms;
        let contains = |term: TermId, part: TermId| {
            let part = match (terms.get(part).op, terms.get(part).args.as_slice()) {
                (Op::Not, &[of]) => of,
                _ => part,
            };
            terms.reachable(&[term]).contains(&part)
        };
        let span = |point: PointId| &ctx.facts.span[ctx.facts.point[point.index()].span.index()];
        let within = |inner: PointId, outer: PointId| {
            let (inner, outer) = (span(inner), span(outer));
            inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
        };
        one.iter().any(|&(own, _, own_cause, at)| {
            other.iter().any(|&(theirs, _, cause, there)| {
                let is_arm = |cause: GuardCause, point: PointId| {
                    cause == GuardCause::Branch && kind(ctx, point) == PointKind::Branch
                };
                match (is_arm(own_cause, at), is_arm(cause, there)) {
                    (true, true) => at != there && (within(at, there) || within(there, at)),
                    (false, false) => contains(own, theirs) || contains(theirs, own),
                    _ => false,
                }
            })
        })
    }
}

fn conjuncts(ctx: &Context<'_>, point: PointId) -> Vec<Conjunct> {
    let guards = ctx.guards(point).iter().zip(ctx.causes(point));
    guards
        .map(|(&(term, polarity), &(_, cause, at))| (term, polarity, cause, at))
        .collect()
}

/// Whether the point is one that a thread comes to by not leaving an arm that the other access
/// stands in: `if (c) { a; return; } b;`, also where the `return` is one of an inlined function.
fn joins_late(ctx: &Context<'_>, theirs: &[Arm], own: &[Arm], point: PointId) -> bool {
    let polarities = ctx.guards(point).iter().map(|&(_, polarity)| polarity);
    let mut causes = ctx.causes(point).iter().zip(polarities);
    causes.any(|(&(term, cause, cause_point), polarity)| {
        let leaving = matches!(
            cause,
            GuardCause::Return | GuardCause::Break | GuardCause::Continue
        );
        let joins = cause == GuardCause::Branch && kind(ctx, cause_point) != PointKind::Branch;
        (leaving || joins)
            && theirs.iter().any(|arm| {
                let opposite = arm.1 == term && arm.2 != polarity;
                // Which arm was left is not told by a place where arms join.
                let inside = if joins {
                    arm.0 < cause_point
                } else {
                    arms(ctx, cause_point).any(|other| other == *arm)
                };
                opposite || (inside && !own.contains(arm))
            })
    })
}
