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
//! end of what was left, so accesses in it are `Loose`.

use rustc_hash::FxHashSet;
use warplog_facts::words::{GuardCause, LockStep, PairScope, PointKind, Scope};
use warplog_facts::{PointId, TermId};

use crate::candidates::Pair;
use crate::context::Context;
use crate::uniformity::Uniform;

/// An arm: its branch, and the conjunct that stands for it.
type Arm = (PointId, TermId, bool);

fn kind(ctx: &Context<'_>, point: PointId) -> PointKind {
    ctx.facts.point[point.index()].kind
}

/// The arms of branches that threads of a warp may leave on a way of their own.
pub(crate) struct Arms {
    left: FxHashSet<Arm>,
}

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

impl Arms {
    pub(crate) fn new(ctx: &Context<'_>, uniform: &Uniform) -> Self {
        let mut left = FxHashSet::default();
        for row in &ctx.facts.point {
            let leaves = matches!(
                row.kind,
                PointKind::Return | PointKind::Break | PointKind::Continue
            );
            if leaves
                && !uniform
                    .of(row.launch)
                    .is_uniform_point(ctx, row.point, Scope::Warp)
            {
                left.extend(arms(ctx, row.point));
            }
        }
        Arms { left }
    }

    /// What lock-step makes of the pair, and the point around which the loops must be in the same
    /// iterations.
    pub(crate) fn lock_step(&self, ctx: &Context<'_>, pair: &Pair) -> (LockStep, Option<PointId>) {
        if pair.scope == PairScope::Grid {
            return (LockStep::Apart, None);
        }
        let (first, second) = (ctx.access(pair.first).point, ctx.access(pair.second).point);
        let (one, other): (Vec<Arm>, Vec<Arm>) =
            (arms(ctx, first).collect(), arms(ctx, second).collect());
        let left = |arm: &Arm| self.left.contains(arm);
        if one.iter().chain(&other).any(left)
            || joins_late(ctx, &one, &other, second)
            || joins_late(ctx, &other, &one, first)
        {
            return (LockStep::Loose, None);
        }
        if pair.first == pair.second {
            return (LockStep::Together, Some(first));
        }
        for &(branch, ..) in &one {
            let at = |arms: &[Arm]| -> Vec<(TermId, bool)> {
                let here = arms.iter().filter(|arm| arm.0 == branch);
                let mut conjuncts: Vec<_> = here.map(|arm| (arm.1, arm.2)).collect();
                conjuncts.sort_unstable();
                conjuncts
            };
            let theirs = at(&other);
            if !theirs.is_empty() && at(&one) != theirs {
                return (LockStep::Diverged, Some(branch));
            }
        }
        (LockStep::Ordered, None)
    }
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
