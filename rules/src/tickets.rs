//! Tickets: what the last block does comes after what all blocks did before they drew their tickets.
//!
//! `out[b] = s; __threadfence(); if (atomicInc(&done, gridDim.x) == gridDim.x - 1) … out[i] …`
//!
//! The rule:
//! - D17 `last-ticket`: of two blocks only the one that drew the last ticket makes the one access, and the other makes the
//!   other access before it draws; or both are made by the last block only.
//!
//! **What tickets are.** A word of global memory to which one atomic operation of the kernel adds 1, or counts up to a limit
//! that no block comes to before all have drawn. At most one thread of each block executes it, once. Anything else that
//! touches the word is done by the last block, behind its ticket. The word is 0 when the kernel begins.
//!
//! **Argument.** Atomic operations on one word stand in one order, so the tickets are 0, 1, 2 … in this order, as long as nobody else
//! changes the word. Blocks draw one ticket at most, so whoever finds the number of blocks less one knows that all have drawn,
//! each block once, and that no ticket is drawn any more. There is one such block.
//! - What comes *before* a ticket: the thread that draws it makes the access, then fences, then draws; or any thread of its
//!   block does, and a barrier of the block stands between, with the fence of either thread on the same side of it. The
//!   access is not made again once that barrier was passed.
//! - What comes *behind* the last ticket: the path condition says what was found, in the thread that drew; or what that thread told its
//!   block by shared memory, which it wrote before the last barrier in front of the read and nobody else sets.
//!
//! The fence and the drawing are a release pattern (PTX ISA, memory consistency model). A fence behind the drawing makes an
//! acquire pattern of it. CUDA's programming guide shows tickets without one (*Memory Fence Functions*); the verdict then
//! lists as an assumption that what follows the ticket is not done before it.
//!
//! **Accuracy.** That the word is 0 when the kernel begins is an assumption that the verdict lists. Barriers are taken not to be
//! divergent, which is asked for elsewhere. Launches with anything that may change memory in a way that is not modelled,
//! with lock-step warps, or with copies that outlast their call, have no tickets here.

mod last;

use rustc_hash::FxHashMap;
use warplog_facts::derived::TicketOrderRow;
use warplog_facts::poly::{Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::words::{Dimension, PairScope, Scope, Space, TicketSide};
use warplog_facts::{AccessId, ArrayId, AtomicTicketRow, LaunchId, PointId, TermId, UnknownId};

use crate::context::{Conjunct, Context};
use crate::locks::{are_apart, are_modelled};
use crate::routes::{Constancy, Constants, Routes};
use crate::satisfied::{literals, satisfied_by_one};
use last::Last;

/// Where an access stands to a ticket, and whether a fence stands between.
pub(crate) type Order = (TicketSide, bool);

/// The tickets of all launches.
#[derive(Default)]
pub(crate) struct Tickets {
    draws: Vec<Draw>,
    orders: FxHashMap<AccessId, Vec<(usize, Order)>>,
}

/// The drawing of tickets.
#[derive(Clone, Debug)]
struct Draw {
    launch: LaunchId,
    access: AccessId,
    point: PointId,
    /// The word: its memory, its first byte and how many there are.
    storage: ArrayId,
    place: (TermId, u32),
    found: UnknownId,
    /// What lets only one thread of the block through.
    pins: Vec<Conjunct>,
}

impl Tickets {
    pub(crate) fn new(ctx: &Context<'_>) -> Self {
        let mut all = Tickets::default();
        if ctx.facts.atomic_ticket.is_empty() {
            return all;
        }
        let constants = Constants::new(ctx);
        for row in &ctx.facts.atomic_ticket {
            let Some(draw) = drawing(ctx, &constants, row) else {
                continue;
            };
            let ranges = ctx.ranges(draw.launch);
            let blocks = Blocks::new(ctx, draw.launch, &ranges);
            if !row.limit.is_none_or(|limit| blocks.fit_below(limit)) {
                continue;
            }
            let routes = Routes::new(ctx, draw.launch);
            let around = Around {
                ctx,
                constants: &constants,
                routes: &routes,
                last: Last::new(ctx, &constants, &routes, (&draw, &blocks)),
                draw: &draw,
            };
            let mut orders = Vec::new();
            let is_sound = ctx.accesses(draw.launch).iter().all(|&access| {
                let order = around.order(access);
                orders.extend(order.map(|order| (access, order)));
                let touches = access != draw.access
                    && ctx.storage(access) == draw.storage
                    && !are_apart(ctx, draw.place, ctx.access(access));
                !touches || order.is_some_and(|(side, _)| side == TicketSide::Behind)
            });
            if !is_sound {
                continue;
            }
            let number = all.draws.len();
            for (access, order) in orders {
                all.orders.entry(access).or_default().push((number, order));
            }
            all.draws.push(draw);
        }
        all
    }

    /// Where an access stands to the tickets.
    pub(crate) fn around(&self, access: AccessId) -> &[(usize, Order)] {
        self.orders.get(&access).map_or(&[], Vec::as_slice)
    }

    /// D17: a ticket that orders the accesses of two blocks, told by what its drawing found.
    pub(crate) fn orders(
        &self,
        ctx: &Context<'_>,
        scope: PairScope,
        pair: [AccessId; 2],
    ) -> Option<Option<TermId>> {
        if scope != PairScope::Grid {
            return None;
        }
        let side = |number: usize, access: AccessId| {
            let mut around = self.around(access).iter();
            around
                .find(|(other, _)| *other == number)
                .map(|(_, (side, _))| *side)
        };
        let mut draws = self.draws.iter().enumerate();
        let (_, draw) = draws.find(|&(number, draw)| {
            let sides = pair.map(|access| side(number, access));
            let is_ordered = |at: usize| sides[at].is_some() || pair[at] == draw.access;
            sides.contains(&Some(TicketSide::Behind)) && is_ordered(0) && is_ordered(1)
        })?;
        Some(ctx.unknown_term(draw.found))
    }

    /// The rows of `ticket_order`.
    pub(crate) fn rows(&self, ctx: &Context<'_>) -> Vec<TicketOrderRow> {
        let mut rows = Vec::new();
        for access in &ctx.facts.access {
            let around = self.around(access.access).iter();
            rows.extend(around.map(|&(number, (side, fenced))| TicketOrderRow {
                access: access.access,
                draw: self.draws[number].access,
                side,
                fenced,
            }));
        }
        rows.sort_unstable();
        rows
    }
}

/// The drawing, if at most one thread of each block does it, once, and all blocks at one word.
fn drawing(ctx: &Context<'_>, constants: &Constants, row: &AtomicTicketRow) -> Option<Draw> {
    let access = ctx.access(row.access);
    let launch = ctx.launch_of(access.point);
    if access.scope < Scope::Grid
        || ctx.space(row.access) != Space::Global
        || constants.of(access.index) > Constancy::Grid
        || !ctx.loops(access.point).is_empty()
        || !are_modelled(ctx, launch)
    {
        return None;
    }
    // What else is asked of the thread lets no more of them through.
    let mut pins = literals(ctx, access.point);
    pins.retain(|pin| {
        constants.of(pin.0) == Constancy::Thread && satisfied_by_one(ctx, launch, &[*pin]).is_some()
    });
    (satisfied_by_one(ctx, launch, &pins) == Some(true)).then_some(Draw {
        launch,
        access: row.access,
        point: access.point,
        storage: ctx.storage(row.access),
        place: (access.index, access.bytes),
        found: row.unknown,
        pins,
    })
}

/// How many blocks a launch has.
struct Blocks<'r> {
    ctx: &'r Context<'r>,
    ranges: &'r Ranges<'r>,
    polynomials: Polynomials<'r>,
    count: Polynomial,
}

impl<'r> Blocks<'r> {
    fn new(ctx: &'r Context<'r>, launch: LaunchId, ranges: &'r Ranges<'r>) -> Self {
        let polynomials = Polynomials::new(&ctx.facts.terms, ranges);
        let mut count = Polynomial::constant(1);
        for &(dimension, term) in ctx.dimensions(launch) {
            if dimension >= Dimension::GridX {
                count = count.times(&polynomials.of(term));
            }
        }
        Blocks {
            ctx,
            ranges,
            polynomials,
            count,
        }
    }

    /// By how much a number is more than that of the blocks, if that is a constant and nothing has to be assumed for it.
    fn surplus(&self, term: TermId) -> Option<i128> {
        let parts = self.ctx.facts.terms.reachable(&[term]);
        if parts.iter().any(|&part| self.ranges.rests_on(part).any()) {
            return None;
        }
        self.polynomials.of(term).minus(&self.count).as_constant()
    }

    /// Whether each block finds a number of its own by counting up to the limit.
    fn fit_below(&self, limit: TermId) -> bool {
        self.surplus(limit).is_some_and(|surplus| surplus >= -1)
    }
}

/// What is needed to tell where an access stands to a ticket.
struct Around<'s> {
    ctx: &'s Context<'s>,
    constants: &'s Constants,
    routes: &'s Routes<'s>,
    last: Last<'s>,
    draw: &'s Draw,
}

impl Around<'_> {
    fn order(&self, access: AccessId) -> Option<Order> {
        if self.ctx.space(access) != Space::Global || access == self.draw.access {
            return None;
        }
        let point = self.ctx.access(access).point;
        if let Some(fenced) = self.last.is_behind(point) {
            return Some((TicketSide::Behind, fenced));
        }
        (self.is_before_own(point) || self.is_before_barrier(point))
            .then_some((TicketSide::Before, true))
    }

    /// Whether the thread that draws is the one at the point, and fences on its way to the drawing.
    fn is_before_own(&self, point: PointId) -> bool {
        let there = literals(self.ctx, point);
        if !self.draw.pins.iter().all(|pin| there.contains(pin)) {
            return false;
        }
        let known = self.constants.literals(self.ctx, point, Constancy::Thread);
        let unfenced = self
            .routes
            .of(known)
            .reach(point, &|at| self.last.fences.contains(&at));
        let after = self
            .routes
            .of(Vec::new())
            .reach(self.draw.point, &|_| false);
        !unfenced.contains(&self.draw.point) && !after.contains(&point)
    }

    /// Whether a barrier of the block stands between the point and the drawing, and a fence of the one thread or of the other.
    fn is_before_barrier(&self, point: PointId) -> bool {
        let (ctx, routes) = (self.ctx, self.routes);
        let known = |at: PointId, constancy| self.constants.literals(ctx, at, constancy);
        let mut of_drawer = known(self.draw.point, Constancy::Thread);
        of_drawer.extend(known(point, Constancy::Block));
        let drawer = routes.of(of_drawer);
        let heads = drawer.heads(self.draw.point);
        let any = routes.of(Vec::new());
        let once = heads
            .iter()
            .all(|&head| routes.is_barrier(head) && !any.reach(head, &|_| false).contains(&point));
        let route = routes.of(known(point, Constancy::Thread));
        let is_head = |at: PointId| heads.binary_search(&at).is_ok();
        if !once || route.reach(point, &is_head).contains(&routes.exit()) {
            return false;
        }
        let is_fence = |at: PointId| self.last.fences.contains(&at);
        let unfenced = route.reach(point, &is_fence);
        heads.iter().all(|head| !unfenced.contains(head))
            || heads
                .iter()
                .all(|&head| !drawer.reach(head, &is_fence).contains(&self.draw.point))
    }
}
