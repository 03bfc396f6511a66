//! What lock-step warps would make of a pair of accesses: the older machine, in which the threads
//! of a warp execute one instruction at a time, those of diverged arms one arm after the other, and
//! meet again where the arms join ([`crate::reconvergence`]).
//!
//! There two threads of a warp conflict only at one instruction (two writes, in the same iterations
//! of the loops around it), or in two arms of one branch, whose order nobody knows (in the same
//! iterations of the loops around the branch).
//!
//! **Accuracy.** `Ordered` is said only where no branch parts the lanes, and the source does not either: by arms of
//! operators and cases that the facts write as branches one after the other. Accesses to which diverged lanes may come
//! without having joined are `Loose`. Where a branch stands between two `Loose` accesses they have no order in the same
//! iterations of the loops around it, and may have one in others.

use warplog_facts::words::{GuardCause, LockStep, PairScope, PointKind, Scope};
use warplog_facts::{Op, PointId, TermId};

use crate::context::Context;
use crate::pair::Pair;
use crate::reconvergence::{Meeting, Reconvergence};
use crate::uniformity::Uniform;

/// An arm: its branch, and the conjunct that stands for it.
type Arm = (PointId, TermId, bool);

fn kind(ctx: &Context<'_>, point: PointId) -> PointKind {
    ctx.facts.point[point.index()].kind
}

/// The branches and conditions that part the lanes of a warp.
pub(crate) struct Arms<'u> {
    /// The path conditions of all points, and the arms that they stand in.
    conjuncts: Vec<Vec<Conjunct>>,
    arms: Vec<Vec<Arm>>,
    reconvergence: Reconvergence<'u>,
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
        Arms {
            conjuncts: (0..ctx.facts.point.len())
                .map(|point| conjuncts(ctx, PointId::from_index(point)))
                .collect(),
            arms: (0..ctx.facts.point.len())
                .map(|point| arms(ctx, PointId::from_index(point)).collect())
                .collect(),
            reconvergence: Reconvergence::new(ctx, uniform),
            uniform,
        }
    }

    /// What lock-step makes of the pair, and the point around which the loops must be in the same
    /// iterations.
    pub(crate) fn lock_step(&self, ctx: &Context<'_>, pair: &Pair) -> (LockStep, Option<PointId>) {
        if matches!(pair.scope, PairScope::Grid | PairScope::Own) {
            return (LockStep::Apart, None);
        }
        let (first, second) = (ctx.access(pair.first).point, ctx.access(pair.second).point);
        let (one, other) = (&self.arms[first.index()], &self.arms[second.index()]);
        let meeting = match self.never_joined(ctx, first, second) {
            true => Meeting::Loose,
            false => self.reconvergence.meeting(ctx, first, second),
        };
        match meeting {
            Meeting::Loose => (LockStep::Loose, parted(ctx, (one, first), (other, second))),
            Meeting::Parted(branch) => (LockStep::Diverged, Some(branch)),
            Meeting::InStep if pair.first == pair.second => (LockStep::Together, Some(first)),
            Meeting::InStep => (LockStep::Ordered, None),
        }
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
