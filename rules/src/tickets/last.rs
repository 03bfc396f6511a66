//! What only the block does that drew the last ticket, once it knows that it did.
//!
//! **Recognition.** A conjunct of the path condition says it: what the thread found compared with the number of blocks, or a word
//! of shared memory read outside of loops. Of that word, the writes that may give it the value are those of the thread that
//! drew, behind the drawing, of what it found or of a comparison of it. Such a write is on every way of that thread to the last
//! barriers of the block before the read.
//!
//! **Accuracy.** Numbers are compared as integers: tickets are as many as blocks, and those are fewer than 2³¹ along each axis.

use rustc_hash::FxHashSet;
use warplog_facts::words::{AccessKind, Scope, Space};
use warplog_facts::{AccessId, AccessRow, Op, PointId, TermId};

use super::{Blocks, Draw};
use crate::context::{Conjunct, Context};
use crate::locks::{are_apart, fences};
use crate::routes::{Constancy, Constants, Route, Routes};
use crate::satisfied::{executed_by_one, literals};

/// Terms looked through in one condition.
const MAX_DEPTH: u32 = 32;
/// Most that a ticket is counted up before it is compared.
const MAX_OFFSET: i128 = 1 << 16;

pub(super) struct Last<'s> {
    ctx: &'s Context<'s>,
    constants: &'s Constants,
    routes: &'s Routes<'s>,
    draw: &'s Draw,
    blocks: &'s Blocks<'s>,
    /// Fences that order among the threads of the grid.
    pub(super) fences: FxHashSet<PointId>,
}

/// By what a thread knows what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It found it itself.
    Own,
    /// It read it from shared memory.
    Told(AccessId),
}

/// What a word of shared memory tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    /// The ticket.
    Ticket,
    /// Whether it was the last one: not 0 only then.
    Whether,
}

impl<'s> Last<'s> {
    pub(super) fn new(
        ctx: &'s Context<'s>,
        constants: &'s Constants,
        routes: &'s Routes<'s>,
        (draw, blocks): (&'s Draw, &'s Blocks<'s>),
    ) -> Self {
        Last {
            ctx,
            constants,
            routes,
            draw,
            blocks,
            fences: fences(ctx, draw.launch, Scope::Grid),
        }
    }

    /// Whether only the last block comes to the point; and if so, whether a fence stands behind the drawing.
    pub(super) fn is_behind(&self, point: PointId) -> Option<bool> {
        let mut known = literals(self.ctx, point).into_iter();
        let source = known.find_map(|conjunct| self.says(conjunct, MAX_DEPTH))?;
        let is_fence = |at: PointId| self.fences.contains(&at);
        let route = self.routes.of(self.literals(point, Constancy::Thread));
        Some(match source {
            Source::Own => !route.reach(self.draw.point, &is_fence).contains(&point),
            Source::Told(read) => {
                let at = self.ctx.access(read).point;
                let own = !route.reach(at, &is_fence).contains(&point);
                let drawer = self
                    .routes
                    .of(self.literals(self.draw.point, Constancy::Thread));
                let unfenced = drawer.reach(self.draw.point, &is_fence);
                let mut heads = route.heads(at).into_iter();
                own || heads.all(|head| !unfenced.contains(&head))
            }
        })
    }

    fn literals(&self, point: PointId, constancy: Constancy) -> Vec<crate::routes::Literal> {
        self.constants.literals(self.ctx, point, constancy)
    }

    /// How it is known, if a condition with this value says that the last ticket was drawn.
    fn says(&self, (term, value): Conjunct, depth: u32) -> Option<Source> {
        let row = self.ctx.facts.terms.get(term);
        let depth = depth.checked_sub(1)?;
        match (row.op, value, row.args.as_slice()) {
            (Op::Not, _, &[arg]) => self.says((arg, !value), depth),
            (Op::And, true, args) | (Op::Or, false, args) => {
                args.iter().find_map(|&arg| self.says((arg, value), depth))
            }
            (Op::Eq | Op::Ne, _, &[one, other]) => {
                let equal = value == (row.op == Op::Eq);
                let number = || {
                    let found = self.is_last_number(one, other, depth);
                    found.or_else(|| self.is_last_number(other, one, depth))
                };
                let truth = |term: TermId, constant: TermId| {
                    let constant = self.ctx.facts.terms.as_const(constant)?;
                    (equal == (constant != 0)).then(|| self.is_true(term, depth))?
                };
                let number = equal.then(number).flatten();
                number
                    .or_else(|| truth(one, other))
                    .or_else(|| truth(other, one))
            }
            // Nobody finds more.
            (Op::Lt, false, &[ticket, bound]) | (Op::Le, true, &[bound, ticket]) => {
                self.is_last_number(ticket, bound, depth)
            }
            (_, true, _) => self.is_true(term, depth),
            _ => None,
        }
    }

    /// How it is known, if a term is not 0 only where the last ticket was drawn.
    fn is_true(&self, term: TermId, depth: u32) -> Option<Source> {
        let terms = &self.ctx.facts.terms;
        let row = terms.get(term);
        let depth = depth.checked_sub(1)?;
        let is_zero = |term: TermId| terms.as_const(term) == Some(0);
        match (row.op, row.args.as_slice()) {
            (Op::Cast | Op::Fit, &[arg]) => self.is_true(arg, depth),
            (Op::Ite, &[condition, one, other]) => {
                if is_zero(other) {
                    let found = self.says((condition, true), depth);
                    found.or_else(|| self.is_true(one, depth))
                } else if is_zero(one) {
                    let found = self.says((condition, false), depth);
                    found.or_else(|| self.is_true(other, depth))
                } else {
                    None
                }
            }
            (Op::Load, _) => self.told(row.access()?, Telling::Whether, depth),
            (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::And | Op::Or | Op::Not, _) => {
                self.says((term, true), depth)
            }
            _ => None,
        }
    }

    /// How it is known, if a ticket that is not less than the bound is the last one.
    fn is_last_number(&self, ticket: TermId, bound: TermId, depth: u32) -> Option<Source> {
        let (more, source) = self.ticket(ticket, depth)?;
        (self.blocks.surplus(bound)? == more - 1).then_some(source)
    }

    /// The term as a ticket that so much was added to, and how it is known.
    fn ticket(&self, term: TermId, depth: u32) -> Option<(i128, Source)> {
        let terms = &self.ctx.facts.terms;
        let row = terms.get(term);
        let depth = depth.checked_sub(1)?;
        let plus = |term: TermId, constant: TermId, sign: i128| {
            let constant = terms.as_const(constant)?;
            let (more, source) = self.ticket(term, depth)?;
            let sum = more + sign * constant;
            (sum.abs() <= MAX_OFFSET).then_some((sum, source))
        };
        match (row.op, row.args.as_slice()) {
            (Op::Unknown, _) => {
                (row.unknown() == Some(self.draw.found)).then_some((0, Source::Own))
            }
            (Op::Cast | Op::Fit, &[arg]) if row.ty.bits() >= Some(32) => self.ticket(arg, depth),
            (Op::Add, &[one, other]) => plus(one, other, 1).or_else(|| plus(other, one, 1)),
            (Op::Sub, &[one, other]) => plus(one, other, -1),
            (Op::Load, _) => Some((0, self.told(row.access()?, Telling::Ticket, depth)?)),
            _ => None,
        }
    }

    /// How it is known, if a read finds in shared memory what the thread that drew has told.
    fn told(&self, read: AccessId, telling: Telling, depth: u32) -> Option<Source> {
        let ctx = self.ctx;
        let row = ctx.access(read);
        let constant = ctx.facts.terms.as_const(row.index);
        if ctx.space(read) != Space::Shared
            || constant.is_none()
            || !ctx.loops(row.point).is_empty()
        {
            return None;
        }
        let mut tellers: Vec<PointId> = Vec::new();
        for &access in ctx.accesses(self.draw.launch) {
            let write = ctx.access(access);
            let apart = || are_apart(ctx, (row.index, row.bytes), write);
            if write.kind == AccessKind::Read || ctx.storage(access) != ctx.storage(read) || apart()
            {
                continue;
            }
            if !self.tells(write, row, telling, depth) {
                let clears = telling == Telling::Whether
                    && write.kind == AccessKind::Write
                    && (write.index, write.bytes) == (row.index, row.bytes)
                    && write
                        .value
                        .and_then(|value| ctx.facts.terms.as_const(value))
                        == Some(0);
                if clears {
                    continue;
                }
                return None;
            }
            tellers.push(write.point);
        }
        let reader = self.routes.of(self.literals(row.point, Constancy::Thread));
        let heads = reader.heads(row.point);
        let leader = self.leader(*tellers.first()?, row.point)?;
        let silent = leader.reach(self.routes.entry(), &|at| tellers.contains(&at));
        // Whoever leaves the kernel is not waited for.
        let waits = |at: PointId| heads.binary_search(&at).is_ok();
        let gone = leader.reach(self.routes.entry(), &waits);
        let is_told = |head: &PointId| self.routes.is_barrier(*head) && !silent.contains(head);
        (heads.iter().all(is_told) && !gone.contains(&self.routes.exit()))
            .then_some(Source::Told(read))
    }

    /// Whether a write stores what the thread that makes it found, or whether that was the last ticket.
    fn tells(&self, write: &AccessRow, read: &AccessRow, telling: Telling, depth: u32) -> bool {
        if write.kind != AccessKind::Write
            || (write.index, write.bytes) != (read.index, read.bytes)
            || !self.ctx.loops(write.point).is_empty()
        {
            return false;
        }
        let Some(value) = write.value else {
            return false;
        };
        match telling {
            Telling::Ticket => self.ticket(value, depth) == Some((0, Source::Own)),
            Telling::Whether => self.is_true(value, depth) == Some(Source::Own),
        }
    }

    /// The route of the thread that writes, if every block with a thread at the read has that one.
    fn leader(&self, write: PointId, read: PointId) -> Option<Route<'_>> {
        let ctx = self.ctx;
        let there = literals(ctx, read);
        let mut shared = literals(ctx, write);
        shared.retain(|conjunct| there.contains(conjunct));
        let of_block = |(term, _): &Conjunct| self.constants.of(*term) <= Constancy::Block;
        if !shared.iter().all(of_block) {
            return None;
        }
        executed_by_one(ctx, write, read)?;
        let mut known = self.literals(write, Constancy::Thread);
        known.extend(self.literals(read, Constancy::Block));
        Some(self.routes.of(known))
    }
}
