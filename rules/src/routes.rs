//! Routes: the ways that a thread can go of which some conditions are known, because they have one value for the thread as
//! long as it runs.
//!
//! `if (t == 0) take(); …; if (t == 0) release();`: whoever releases has gone through the first arm, too.
//!
//! **Accuracy.** A route has every way that such a thread can go: an edge is left out only where the path condition behind it, or
//! that of the other arm, tells that the thread does not take it.

use rustc_hash::FxHashSet;
use warplog_facts::words::{GuardCause, PointKind, Scope};
use warplog_facts::{LaunchId, Op, PointId, TermId};

use crate::context::{Conjunct, Context};

/// For whom a term has one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Constancy {
    Grid,
    Block,
    Thread,
    /// It may have another one each time.
    Nobody,
}

/// How constant each term is.
pub(crate) struct Constants(Vec<Constancy>);

impl Constants {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all: Vec<Constancy> = Vec::new();
        // Arguments come before the terms that they are arguments of.
        for (_, term) in ctx.facts.terms.iter() {
            let own = match term.op {
                Op::BidX | Op::BidY | Op::BidZ => Constancy::Block,
                Op::TidX | Op::TidY | Op::TidZ => Constancy::Thread,
                Op::Iter | Op::Exit | Op::Load | Op::Unknown | Op::Other | Op::SameBlock => {
                    Constancy::Nobody
                }
                _ => Constancy::Grid,
            };
            let of_args = term.args.iter().map(|arg| all[arg.index()]);
            all.push(of_args.fold(own, Constancy::max));
        }
        Constants(all)
    }

    pub(crate) fn of(&self, term: TermId) -> Constancy {
        self.0[term.index()]
    }

    /// What holds, at all times, of a thread that comes to the point.
    pub(crate) fn literals(
        &self,
        ctx: &Context<'_>,
        point: PointId,
        constancy: Constancy,
    ) -> Vec<Literal> {
        let conjuncts = ctx.guards(point).iter();
        let mut known = Vec::new();
        for &conjunct in conjuncts.filter(|(term, _)| self.of(*term) <= constancy) {
            split(ctx, conjunct, &mut known);
        }
        known
    }
}

/// A comparison or another condition, with its value; negations and their operands are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Literal(Atom, bool);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    Equal(TermId, TermId),
    Less(TermId, TermId),
    Other(TermId),
}

fn literal(ctx: &Context<'_>, (term, value): Conjunct) -> Literal {
    let row = ctx.facts.terms.get(term);
    match (row.op, row.args.as_slice()) {
        (Op::Not, &[arg]) => literal(ctx, (arg, !value)),
        (Op::Eq | Op::Ne, &[one, other]) => {
            let atom = Atom::Equal(one.min(other), one.max(other));
            Literal(atom, value == (row.op == Op::Eq))
        }
        (Op::Lt, &[one, other]) => Literal(Atom::Less(one, other), value),
        (Op::Le, &[one, other]) => Literal(Atom::Less(other, one), !value),
        _ => Literal(Atom::Other(term), value),
    }
}

/// What must hold for the conjunct to hold, as literals.
fn split(ctx: &Context<'_>, (term, value): Conjunct, out: &mut Vec<Literal>) {
    let row = ctx.facts.terms.get(term);
    match (row.op, value) {
        (Op::And, true) | (Op::Or, false) => {
            for &arg in &row.args {
                split(ctx, (arg, value), out);
            }
        }
        (Op::Not, _) => split(ctx, (row.args[0], !value), out),
        _ => out.push(literal(ctx, (term, value))),
    }
}

/// The control-flow graph of a launch, both ways.
pub(crate) struct Routes<'c> {
    ctx: &'c Context<'c>,
    first: PointId,
    before: Vec<Vec<PointId>>,
    exit: PointId,
}

impl<'c> Routes<'c> {
    pub(crate) fn new(ctx: &'c Context<'c>, launch: LaunchId) -> Self {
        let own = ctx.points(launch);
        let first = own.first().copied().unwrap_or(PointId(0));
        let count = own
            .last()
            .map_or(0, |last| last.index() + 1 - first.index());
        let mut before = vec![Vec::new(); count];
        for &point in own {
            for &(to, _) in ctx.successors(point) {
                before[to.index() - first.index()].push(point);
            }
        }
        let exit = own.iter().copied().find(|&point| is_exit(ctx, point));
        Routes {
            ctx,
            first,
            before,
            exit: exit.unwrap_or(first),
        }
    }

    /// The ways of a thread of which this is known.
    pub(crate) fn of(&self, mut known: Vec<Literal>) -> Route<'_> {
        known.sort_unstable();
        known.dedup();
        Route {
            routes: self,
            known,
        }
    }

    pub(crate) fn entry(&self) -> PointId {
        self.first
    }

    pub(crate) fn exit(&self) -> PointId {
        self.exit
    }

    /// Whether a barrier for all threads of the block stands there.
    pub(crate) fn is_barrier(&self, point: PointId) -> bool {
        let barrier = self.ctx.barrier_at(point);
        barrier.is_some_and(|barrier| self.ctx.separates(barrier, (Scope::Block, 0)))
    }
}

/// The ways of a thread of which something is known.
pub(crate) struct Route<'r> {
    routes: &'r Routes<'r>,
    known: Vec<Literal>,
}

impl Route<'_> {
    pub(crate) fn known(&self) -> &[Literal] {
        &self.known
    }

    fn has(&self, literal: Literal) -> bool {
        self.known.binary_search(&literal).is_ok()
    }

    /// Whether the thread may come to the point, as far as the point's path condition tells.
    pub(crate) fn passes(&self, point: PointId) -> bool {
        let ctx = self.routes.ctx;
        let mut needed = Vec::new();
        for &conjunct in ctx.guards(point) {
            split(ctx, conjunct, &mut needed);
        }
        let denied = |&Literal(atom, value): &Literal| self.has(Literal(atom, !value));
        !needed.iter().any(denied)
    }

    /// Whether the thread may go from the one point to the other, which follows it.
    pub(crate) fn goes(&self, from: PointId, to: PointId) -> bool {
        self.passes(to) && !self.takes_other_arm(from, to)
    }

    /// Whether all that leads into the other arm of a branch is known to hold.
    fn takes_other_arm(&self, from: PointId, to: PointId) -> bool {
        let ctx = self.routes.ctx;
        if ctx.facts.point[from.index()].kind != PointKind::Branch {
            return false;
        }
        let mut ways: Vec<PointId> = ctx.successors(from).iter().map(|&(to, _)| to).collect();
        ways.sort_unstable();
        ways.dedup();
        let &[one, other] = ways.as_slice() else {
            return false;
        };
        let arm = if one == to { other } else { one };
        if decided(ctx, from, to).next().is_some() {
            return false;
        }
        let around = ctx.guards(from);
        let mut rest = ctx.guards(arm).iter().zip(ctx.causes(arm));
        let only_here = rest.all(|(conjunct, &(_, cause, point))| {
            (cause, point) == (GuardCause::Branch, from) || around.contains(conjunct)
        });
        let mut needed = Vec::new();
        for conjunct in decided(ctx, from, arm) {
            split(ctx, conjunct, &mut needed);
        }
        only_here && !needed.is_empty() && needed.iter().all(|&literal| self.has(literal))
    }

    /// What can be reached from the point without going on from where it stops; the point itself only round a loop.
    pub(crate) fn reach(
        &self,
        from: PointId,
        stops: &dyn Fn(PointId) -> bool,
    ) -> FxHashSet<PointId> {
        let ctx = self.routes.ctx;
        let mut seen = FxHashSet::default();
        let mut stack = vec![from];
        while let Some(at) = stack.pop() {
            for &(to, _) in ctx.successors(at) {
                if self.goes(at, to) && seen.insert(to) && !stops(to) {
                    stack.push(to);
                }
            }
        }
        seen
    }

    /// The last barriers of the block, or the entry, before the point.
    pub(crate) fn heads(&self, point: PointId) -> Vec<PointId> {
        let routes = self.routes;
        let mut heads = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![point];
        while let Some(at) = stack.pop() {
            if at == routes.first {
                heads.push(at);
            }
            for &from in &routes.before[at.index() - routes.first.index()] {
                if !self.goes(from, at) || !seen.insert(from) {
                    continue;
                }
                if routes.is_barrier(from) {
                    heads.push(from);
                } else {
                    stack.push(from);
                }
            }
        }
        heads.sort_unstable();
        heads.dedup();
        heads
    }
}

/// Whether the point is the end of a kernel.
fn is_exit(ctx: &Context<'_>, point: PointId) -> bool {
    ctx.facts.point[point.index()].kind == PointKind::Exit
}

/// What a branch decides for one of the points behind it.
fn decided<'c>(
    ctx: &'c Context<'_>,
    branch: PointId,
    point: PointId,
) -> impl Iterator<Item = Conjunct> + 'c {
    let guards = ctx.guards(point).iter().zip(ctx.causes(point));
    guards
        .filter(move |(_, (_, cause, at))| *cause == GuardCause::Branch && *at == branch)
        .map(|(&conjunct, _)| conjunct)
}
