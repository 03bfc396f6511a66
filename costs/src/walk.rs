//! The requests that a launch makes at a point: which warps come there, in which iterations, with which lanes.
//!
//! Blocks, warps and iterations are gone through one by one, each lane with exact arithmetic. What makes no difference is gone
//! through once and counted as often as it happens: a loop whose iteration nothing mentions, blocks that nothing tells apart, warps
//! of full rows under addresses that are linear in the thread. Conditions that are open (`i < n`) are taken to let all lanes in:
//! fewer lanes never take more turns or sectors; but where two of them bound the lanes to a window that is narrower than they are apart
//! (the rest of a row that is read eight elements at a time), one lane at most is let in; and so where the lane is to be one of those that are
//! there together (`g.thread_rank() == 0`). What is to be equal to something open that a warp shares (`threadIdx.x / 16 == k`) lets lanes in
//! that have it equal among each other. A walk that would be longer than [`LIMIT`] is cut, and says so.
//!
//! **Accuracy.** Where [`Walk::complete`] is left true, the number of requests is exact.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::poly::Polynomial;
use warplog_facts::words::GuardCause;
use warplog_facts::{Facts, LoopId, Op, PointId, TermId, TermStore, UnknownId};

use crate::device::WARP;
use crate::form::{Dependence, unwrapped};
use crate::lanes::{Fault, Fixed, Lanes, Row};
use crate::shape::{Shape, Sizes};
use crate::weight::Went;

/// Most requests of one walk that are looked at.
pub const LIMIT: u64 = 4096;

/// Most iterations of a loop that are counted one by one.
const STEPS: u64 = 1 << 16;

/// Most iterations of a loop that are counted by halving.
const EVEN_STEPS: u64 = 1 << 30;

/// Iterations that are looked at where their number is open.
const OPEN: i128 = 11;

/// Blocks that are told apart.
const BLOCKS: u64 = 64;

/// What is the same for all lanes of a request.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// `blockIdx`.
    pub block: [i128; 3],
    /// Iterations of the loops around, outermost first.
    pub iterations: Vec<(LoopId, i128)>,
}

/// Whether a lane takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// It does not.
    No,
    /// It does for some values of what is open.
    Maybe,
    /// It does.
    Yes,
}

/// One request, or several that are alike.
pub struct Request<'a> {
    /// The warp.
    pub warp: u64,
    /// What its lanes share.
    pub site: &'a Site,
    /// The threads of its lanes.
    pub threads: [Option<[i128; 3]>; WARP],
    /// Which lanes take part.
    pub active: [Activity; WARP],
    /// How many requests are like this one.
    pub times: u64,
}

/// A loop around a point.
#[derive(Clone, Debug)]
struct Around {
    loop_id: LoopId,
    condition: Option<TermId>,
    /// Whether something else than its condition tells its iterations apart.
    matters: bool,
    has_break: bool,
    most: Option<u64>,
    /// Whether the iterations in which its condition holds follow each other, from the first on.
    is_even: bool,
}

/// What is known of a point before its requests are gone through.
#[derive(Clone, Debug)]
pub struct Path {
    loops: Vec<Around>,
    /// Conjuncts of its guard but for the conditions of loops around it.
    guards: Vec<(TermId, bool)>,
    /// Whether lanes are let in by what may be any value, or by what ties the thread to something open: all may never come at once.
    pub by_data: bool,
    /// Whether something open lets them in: fewer may come than are counted.
    pub by_open: bool,
    /// Whether no two lanes of a warp that lies in one row come there at once.
    one_lane: bool,
    /// Whether no two lanes that are together come there at once, whatever the shape of the block.
    alone: bool,
    /// Terms that lanes which come there at once have equal.
    ties: Vec<TermId>,
    /// Whether blocks are told apart: by what was named, or by which lanes come how often.
    blocks_matter: bool,
    /// Whether they are by which lanes come how often, so that blocks may make other numbers of requests.
    blocks_differ: bool,
    warps_are_alike: bool,
}

/// Conjuncts, those of a conjunction one by one.
fn flatten(terms: &TermStore, term: TermId, polarity: bool, into: &mut Vec<(TermId, bool)>) {
    let node = terms.get(term);
    match (node.op, polarity) {
        (Op::And, true) | (Op::Or, false) => {
            for &arg in &node.args {
                flatten(terms, arg, polarity, into);
            }
        }
        (Op::Not, _) => flatten(terms, node.args[0], !polarity, into),
        _ => into.push((term, polarity)),
    }
}

/// Whether a condition compares sums that an iteration changes by equal steps: if it holds in the first iteration, it holds up to one
/// from which on it does not, as far as nothing wraps.
fn is_even(facts: &Facts, condition: TermId, of: LoopId) -> bool {
    let node = facts.terms.get(condition);
    match node.op {
        Op::And => node.args.iter().all(|&arg| is_even(facts, arg, of)),
        Op::Lt | Op::Le => node
            .args
            .iter()
            .all(|&arg| degree(facts, arg, of).is_some_and(|degree| degree <= 1)),
        _ => false,
    }
}

/// The degree of a term in the iteration of a loop, if it is a polynomial in it.
fn degree(facts: &Facts, term: TermId, of: LoopId) -> Option<u32> {
    let node = facts.terms.get(term);
    let arg = |nth: usize| degree(facts, node.args[nth], of);
    match node.op {
        Op::Iter => Some(u32::from(node.loop_id() == Some(of))),
        Op::Add | Op::Sub => Some(arg(0)?.max(arg(1)?)),
        Op::Mul => Some(arg(0)? + arg(1)?),
        Op::Neg | Op::Fit => arg(0),
        Op::Cast if node.ty.bits().is_some_and(|bits| bits >= 32) => arg(0),
        Op::Shl if arg(1)? == 0 => arg(0),
        _ => {
            let parts = facts.terms.reachable(&[term]).into_iter();
            let mut iterations = parts.filter(|&part| {
                let part = facts.terms.get(part);
                part.op == Op::Iter && part.loop_id() == Some(of)
            });
            iterations.next().is_none().then_some(0)
        }
    }
}

/// Whether conditions on something open leave room for one lane of a warp only: `0 < n - 8·threadIdx.x` and `n - 8·threadIdx.x < 8`.
/// Two bounds whose sum is a number bound what they are about to a window; lanes that are further apart than it is wide are not both
/// in it.
fn is_for_one_lane(facts: &Facts, bounds: &[(TermId, bool)]) -> bool {
    // What is not negative where the condition holds: of an equality the difference, from both sides.
    let slack = |&(term, polarity): &(TermId, bool)| -> Vec<Polynomial> {
        let node = facts.terms.get(term);
        let sides = || [0, 1].map(|nth| unwrapped(facts, node.args[nth]));
        let less = match (node.op, polarity) {
            (Op::Eq, true) | (Op::Ne, false) => {
                let [left, right] = sides();
                return vec![left.minus(&right), right.minus(&left)];
            }
            (Op::Lt, _) => true,
            (Op::Le, _) => false,
            _ => return Vec::new(),
        };
        let [left, right] = sides();
        let (more, fewer) = if polarity {
            (right, left)
        } else {
            (left, right)
        };
        let strictly = i128::from(less == polarity);
        vec![more.minus(&fewer).plus(&Polynomial::constant(-strictly))]
    };
    let slacks: Vec<Polynomial> = bounds.iter().flat_map(slack).collect();
    let mut pairs = slacks.iter().enumerate().flat_map(|(nth, one)| {
        let others = slacks[nth + 1..].iter();
        others.map(move |other| (one, other))
    });
    pairs.any(|(one, other)| {
        let room = one.plus(other).as_constant();
        room.zip(step_of_lanes(facts, one))
            .is_some_and(|(room, step)| room < step)
    })
}

/// How far neighbouring lanes are apart in a sum, if they lie in one row and nothing but the thread tells them apart.
fn step_of_lanes(facts: &Facts, of: &Polynomial) -> Option<i128> {
    let mut step = None;
    for (monomial, coefficient) in of.monomials() {
        let op = |atom: &TermId| facts.terms.get(*atom).op;
        match monomial.as_slice() {
            [atom] if op(atom) == Op::TidX => step = Some(coefficient.abs()),
            atoms => {
                let parts = facts.terms.reachable(atoms).into_iter();
                let mut own = parts.map(|part| facts.terms.get(part).op);
                if own.any(|op| matches!(op, Op::TidX | Op::TidY | Op::TidZ | Op::Load)) {
                    return None;
                }
            }
        }
    }
    step
}

/// Whether a condition ties the thread to something open otherwise than a bound does that is the same in all iterations: `i < n` lets
/// all lanes in for a large `n`, `i < n >> k` may let fewer in the more the iterations say.
fn is_relation(facts: &Facts, term: TermId, dependence: &mut Dependence<'_>) -> bool {
    let needs = dependence.of(term);
    if !needs.open || !(needs.lane || needs.row) {
        return false;
    }
    let node = facts.terms.get(term);
    if node.op == Op::And {
        return node
            .args
            .iter()
            .any(|&arg| is_relation(facts, arg, dependence));
    }
    if !matches!(node.op, Op::Lt | Op::Le) {
        return true;
    }
    let mut is_bound = |one: TermId, other: TermId| {
        let bound = dependence.of(other);
        let own = dependence.of(one);
        let alike = !bound.lane && !bound.row && dependence.loops(&[other]).is_empty();
        alike && own.is_known()
    };
    !(is_bound(node.args[0], node.args[1]) || is_bound(node.args[1], node.args[0]))
}

/// What a condition says of the lanes that come at once.
enum Tie {
    /// There is one.
    Alone,
    /// They have this term equal.
    Equal(TermId),
}

/// Indexes over the facts that all walks share.
pub struct Index<'a> {
    facts: &'a Facts,
    /// Numbers of lanes among those that are together, each its own, with the condition under which they are; none if always.
    ranks: FxHashMap<UnknownId, Option<TermId>>,
    guards: FxHashMap<PointId, Vec<usize>>,
    loops: FxHashMap<PointId, Vec<LoopId>>,
}

impl<'a> Index<'a> {
    /// The indexes.
    #[must_use]
    pub fn new(facts: &'a Facts) -> Self {
        let together = facts.lanes_together.iter().map(|row| (row.rank, None));
        let voted = facts.vote_rank.iter();
        let voted = voted.map(|row| (row.unknown, Some(row.voted)));
        let mut index = Index {
            facts,
            ranks: together.chain(voted).collect(),
            guards: FxHashMap::default(),
            loops: FxHashMap::default(),
        };
        for (row, guard) in facts.guard_at.iter().enumerate() {
            index.guards.entry(guard.point).or_default().push(row);
        }
        for row in &facts.loop_at {
            index.loops.entry(row.point).or_default().push(row.loop_id);
        }
        index
    }

    /// The loops around a point, outermost first.
    #[must_use]
    pub fn loops(&self, point: PointId) -> Vec<LoopId> {
        let mut loops = self.loops.get(&point).cloned().unwrap_or_default();
        loops.sort_by_key(|id| self.facts.loop_[id.index()].head);
        loops
    }

    /// The conjuncts of the guard of a point, with the values that they have.
    #[must_use]
    pub fn guards(&self, point: PointId) -> Vec<(TermId, bool)> {
        let rows = self.guards.get(&point).map_or(&[][..], Vec::as_slice);
        let guards = rows.iter().map(|&row| &self.facts.guard_at[row]);
        guards.map(|row| (row.term, row.polarity)).collect()
    }

    /// What conditions say of the lanes that come at once: an equality of what differs between lanes with what they share.
    fn ties(&self, guards: &[(TermId, bool)], dependence: &mut Dependence<'_>) -> Vec<Tie> {
        let terms = &self.facts.terms;
        let mut ties = Vec::new();
        for &(term, polarity) in guards {
            let node = terms.get(term);
            if !matches!((node.op, polarity), (Op::Eq, true) | (Op::Ne, false)) {
                continue;
            }
            for (own, other) in
                [(0, 1), (1, 0)].map(|(own, other)| (node.args[own], node.args[other]))
            {
                let common = dependence.of(other);
                if common.lane || common.row || common.data {
                    continue;
                }
                let needs = dependence.of(own);
                if self.is_rank(own, guards) {
                    ties.push(Tie::Alone);
                } else if needs.lane && needs.is_known() && common.open {
                    ties.push(Tie::Equal(own));
                }
            }
        }
        ties
    }

    /// Whether a term is the number of the lane among those that are together, or among those that voted where it voted.
    fn is_rank(&self, term: TermId, guards: &[(TermId, bool)]) -> bool {
        let terms = &self.facts.terms;
        let node = terms.get(term);
        if let Some(unknown) = node.unknown() {
            let condition = self.ranks.get(&unknown);
            return condition
                .is_some_and(|voted| voted.is_none_or(|voted| guards.contains(&(voted, true))));
        }
        let mut open = node
            .args
            .iter()
            .filter(|&&arg| terms.as_const(arg).is_none());
        match (node.op, open.next(), open.next()) {
            // Limits that it keeps to anyway.
            (Op::Cast | Op::Fit | Op::Min | Op::Max, Some(&arg), None) => self.is_rank(arg, guards),
            _ => false,
        }
    }

    /// What is known of a point. `terms` are those that are evaluated in its lanes; `linear` says that they are linear in the
    /// thread, so that full rows are alike.
    pub fn path(
        &self,
        point: PointId,
        terms: &[TermId],
        linear: bool,
        dependence: &mut Dependence<'_>,
    ) -> Path {
        let facts = self.facts;
        let loops = self.loops(point);
        let heads: FxHashSet<PointId> = loops
            .iter()
            .map(|id| facts.loop_[id.index()].head)
            .collect();
        let mut guards = Vec::new();
        for &row in self.guards.get(&point).map_or(&[][..], Vec::as_slice) {
            let row = &facts.guard_at[row];
            if row.cause == GuardCause::Loop && heads.contains(&row.cause_point) {
                continue;
            }
            flatten(&facts.terms, row.term, row.polarity, &mut guards);
        }
        let mut by_data = guards.iter().any(|&(term, _)| dependence.of(term).data);
        by_data |= guards
            .iter()
            .any(|&(term, _)| is_relation(facts, term, dependence));
        let mut bounds = guards.clone();
        for id in &loops {
            if let Some(condition) = facts.loop_[id.index()].condition {
                flatten(&facts.terms, condition, true, &mut bounds);
            }
        }
        let is_open = |&(term, _): &(TermId, bool)| {
            let needs = dependence.of(term);
            needs.open && needs.lane && !needs.data
        };
        bounds.retain(is_open);
        let one_lane = is_for_one_lane(facts, &bounds);
        let mut alone = false;
        let mut ties = Vec::new();
        for tie in self.ties(&guards, dependence) {
            match tie {
                Tie::Alone => alone = true,
                Tie::Equal(term) => ties.push(term),
            }
        }
        let all = guards.len();
        guards.retain(|&(term, _)| dependence.of(term).is_known());
        let by_open = guards.len() < all;
        let condition = |id: &LoopId| {
            let row = &facts.loop_[id.index()];
            row.condition
        };
        let mut mentioned: Vec<TermId> = terms.to_vec();
        mentioned.extend(guards.iter().map(|&(term, _)| term));
        mentioned.extend(&ties);
        let mut around = Vec::with_capacity(loops.len());
        let mut linear = linear && mentioned.iter().all(|&term| !dependence.of(term).row);
        let mut blocks_matter = mentioned.iter().any(|&term| dependence.of(term).block);
        let mut blocks_differ = guards.iter().any(|&(term, _)| dependence.of(term).block);
        for (nth, id) in loops.iter().enumerate() {
            let row = &facts.loop_[id.index()];
            let inner = loops[nth + 1..].iter().filter_map(condition);
            let others: Vec<TermId> = mentioned.iter().copied().chain(inner).collect();
            by_data |= condition(id).is_some_and(|term| is_relation(facts, term, dependence));
            let condition = condition(id).filter(|&term| dependence.of(term).is_known());
            let needs = condition
                .map(|term| dependence.of(term))
                .unwrap_or_default();
            linear &= !needs.lane && !needs.row;
            blocks_matter |= needs.block;
            blocks_differ |= needs.block;
            around.push(Around {
                loop_id: *id,
                condition,
                matters: needs.lane || dependence.loops(&others).contains(id),
                has_break: row.has_break,
                most: row.max_iterations,
                is_even: condition.is_some_and(|term| is_even(facts, term, *id)),
            });
        }
        let by_lane = !ties.is_empty() || guards.iter().any(|&(term, _)| dependence.of(term).lane);
        Path {
            loops: around,
            warps_are_alike: linear && !by_lane,
            guards,
            by_data,
            by_open,
            blocks_matter,
            blocks_differ,
            one_lane,
            alone,
            ties,
        }
    }
}

/// How the requests of a path are gone through.
pub struct Walk<'a> {
    path: &'a Path,
    shape: Shape,
    lanes: Lanes<'a>,
    site: Site,
    /// Whether all requests were looked at or counted; of one block, where their number is open.
    pub complete: bool,
    /// Whether all requests that differ were looked at.
    pub whole: bool,
    /// Number of requests, as far as they were counted; those of one block, where the number of blocks is open.
    pub requests: u64,
    /// Whether no more requests than these are made in an iteration of the loops that are open.
    pub bounded: bool,
    /// Loops whose number of iterations is open and whose iterations are alike.
    pub open: Vec<LoopId>,
    looked: u64,
    limit: u64,
}

/// Who is shown each request, with what its lanes have for the terms that were named.
pub type Visit<'v, 'a> = dyn FnMut(&Request<'_>, &mut Lanes<'a>) + 'v;

impl Path {
    /// The loops around the point, outermost first.
    #[must_use]
    pub fn loops(&self) -> Vec<LoopId> {
        self.loops.iter().map(|around| around.loop_id).collect()
    }

    /// Whether the lanes that it lets in do come: nothing that is open, or comes from memory, or leaves a loop, keeps them away.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        let mut loops = self.loops.iter();
        !self.by_open
            && !self.by_data
            && loops.all(|around| around.condition.is_some() && !around.has_break)
    }
}

impl<'a> Walk<'a> {
    /// A walk that has not begun, on which these terms can be evaluated.
    #[must_use]
    pub fn new(
        store: &'a TermStore,
        path: &'a Path,
        (terms, given): (&[TermId], FxHashMap<TermId, i128>),
        (sizes, shape): (&Sizes, Shape),
        limit: u64,
    ) -> Self {
        let mut roots: Vec<TermId> = terms.to_vec();
        roots.extend(path.guards.iter().map(|&(term, _)| term));
        roots.extend(&path.ties);
        roots.extend(path.loops.iter().filter_map(|around| around.condition));
        let fixed = Fixed::new(sizes, shape, given);
        Walk {
            path,
            shape,
            lanes: Lanes::new(store, &roots, &path.loops(), &fixed),
            site: Site::default(),
            complete: !path.by_open,
            whole: true,
            requests: 0,
            bounded: true,
            open: Vec::new(),
            looked: 0,
            limit,
        }
    }

    /// How many requests and iterations were gone through one by one.
    #[must_use]
    pub fn looked(&self) -> u64 {
        self.looked
    }

    /// What was counted.
    #[must_use]
    pub fn went(&self) -> Went {
        Went {
            complete: self.complete,
            whole: self.whole,
            requests: self.requests,
            bounded: self.bounded,
            open: self.open.clone(),
        }
    }

    /// Goes through all requests.
    pub fn all(&mut self, sizes: &Sizes, visit: &mut Visit<'_, 'a>) {
        let blocks = sizes.blocks();
        let count = blocks.unwrap_or(1);
        let looked = if self.path.blocks_matter {
            count.min(BLOCKS)
        } else {
            1
        };
        let times = if self.path.blocks_matter { 1 } else { count };
        let all = looked == count && blocks.is_some();
        self.complete &= !self.path.blocks_differ || all;
        self.bounded = !self.path.blocks_differ || all;
        self.whole = !self.path.blocks_matter || all;
        // Blocks that differ in addresses alone make as many requests as the first one.
        let alike = self.path.blocks_matter && !self.path.blocks_differ;
        let mut of_first = None;
        let x = i128::from(sizes.known[3].unwrap_or(1).max(1));
        let y = i128::from(sizes.known[4].unwrap_or(1).max(1));
        for nth in 0..looked {
            // Of more blocks than are looked at, the last one is among them: it may be the one that a bound cuts.
            let nth = if nth + 1 == looked { count - 1 } else { nth };
            let nth = i128::from(if self.path.blocks_matter { nth } else { 0 });
            self.site.block = [nth % x, nth / x % y, nth / (x * y)];
            self.lanes.set_block(self.site.block);
            let counted = (self.complete, self.bounded);
            self.block(times, visit);
            match of_first {
                None => of_first = Some(self.requests),
                Some(_) if alike => (self.complete, self.bounded) = counted,
                Some(_) => {}
            }
        }
        if alike {
            self.requests = of_first.unwrap_or(0).saturating_mul(count);
        }
    }

    /// Goes no further: too much was looked at.
    fn cut(&mut self) {
        (self.complete, self.bounded, self.whole) = (false, false, false);
    }

    fn block(&mut self, times: u64, visit: &mut Visit<'_, 'a>) {
        let warps = self.shape.warps();
        let alike = self.path.warps_are_alike && self.shape.rows_are_warps();
        let (looked, times) = match alike {
            true => (1, times.saturating_mul(warps)),
            false => (warps, times),
        };
        for warp in 0..looked {
            if self.looked >= self.limit {
                self.cut();
                return;
            }
            let threads = std::array::from_fn(|lane| self.shape.thread(warp, lane));
            self.lanes.set_warp(&threads);
            let active = threads.map(|thread| match thread {
                Some(_) => Activity::Yes,
                None => Activity::No,
            });
            let arrival = Arrival {
                warp,
                threads: &threads,
                active,
                times,
            };
            self.descend(0, arrival, visit);
        }
    }

    /// The lanes for which a condition has a value.
    fn narrowed(
        &mut self,
        active: [Activity; WARP],
        term: TermId,
        polarity: bool,
    ) -> [Activity; WARP] {
        let row = self.lanes.row(term);
        if let Row::Same(Ok(value)) = row
            && (value != 0) == polarity
        {
            return active;
        }
        std::array::from_fn(|lane| match (active[lane], row.at(lane)) {
            (Activity::No, _) => Activity::No,
            (before, Ok(value)) if (value != 0) == polarity => before,
            (_, Err(Fault::Open)) => Activity::Maybe,
            _ => Activity::No,
        })
    }

    fn descend(&mut self, level: usize, arrival: Arrival<'_>, visit: &mut Visit<'_, 'a>) {
        if self.looked >= self.limit {
            self.cut();
            return;
        }
        let path = self.path;
        let Some(around) = path.loops.get(level) else {
            self.arrive(arrival, visit);
            return;
        };
        self.complete &= !around.has_break;
        let Some(condition) = around.condition else {
            self.complete = false;
            self.bounded &= !around.matters;
            if !around.matters && !self.open.contains(&around.loop_id) {
                self.open.push(around.loop_id);
            }
            let most = around.most.map_or(OPEN, i128::from).min(OPEN);
            for at in 0..if around.matters { most } else { 1 } {
                self.lanes.set_iteration(level, at);
                self.within(level, at, arrival, visit);
            }
            return;
        };
        if !around.matters {
            // Its condition is the same in all lanes.
            let is_active = |active: &Activity| *active != Activity::No;
            let Some(lane) = arrival.active.iter().position(is_active) else {
                return;
            };
            let counted = match around.is_even {
                true => self.even_trips(condition, level, lane),
                false => self.trips(condition, level, lane),
            };
            self.complete &= counted.is_some();
            self.bounded &= counted.is_some();
            let trips = counted.unwrap_or(STEPS);
            if trips > 0 {
                let times = arrival.times.saturating_mul(trips);
                self.lanes.set_iteration(level, 0);
                self.within(level, 0, Arrival { times, ..arrival }, visit);
            }
            return;
        }
        let mut active = arrival.active;
        for at in 0.. {
            self.lanes.set_iteration(level, at);
            active = self.narrowed(active, condition, true);
            if active.iter().all(|active| *active == Activity::No) {
                break;
            }
            self.within(level, at, Arrival { active, ..arrival }, visit);
            // An iteration in which nothing is requested counts too, so that every loop comes to its end.
            self.looked += 1;
            if self.looked >= self.limit {
                self.cut();
                break;
            }
        }
    }

    /// Whether the condition of a loop holds for a lane in an iteration.
    fn holds(&mut self, condition: TermId, level: usize, lane: usize, at: u64) -> bool {
        self.lanes.set_iteration(level, i128::from(at));
        matches!(self.lanes.value(condition, lane), Ok(value) if value != 0)
    }

    /// The iterations of a loop, gone through one by one; none if there are too many.
    fn trips(&mut self, condition: TermId, level: usize, lane: usize) -> Option<u64> {
        (0..STEPS).find(|&at| !self.holds(condition, level, lane, at))
    }

    /// The same where the iterations in which the condition holds follow each other: the first in which it does not is looked for by
    /// doubling and halving.
    fn even_trips(&mut self, condition: TermId, level: usize, lane: usize) -> Option<u64> {
        if !self.holds(condition, level, lane, 0) {
            return Some(0);
        }
        let (mut low, mut high) = (0, 1);
        while self.holds(condition, level, lane, high) {
            (low, high) = (high, high * 2);
            if high > EVEN_STEPS {
                return None;
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.holds(condition, level, lane, middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(high)
    }

    /// Goes on in the iteration of a loop that its lanes have gone to.
    fn within(&mut self, level: usize, at: i128, arrival: Arrival<'_>, visit: &mut Visit<'_, 'a>) {
        self.site.iterations.truncate(level);
        let around = &self.path.loops[level];
        self.site.iterations.push((around.loop_id, at));
        self.descend(level + 1, arrival, visit);
        self.site.iterations.truncate(level);
    }

    fn arrive(&mut self, arrival: Arrival<'_>, visit: &mut Visit<'_, 'a>) {
        let path = self.path;
        let mut active = arrival.active;
        for &(term, polarity) in &path.guards {
            active = self.narrowed(active, term, polarity);
        }
        let Some(first) = active.iter().position(|active| *active != Activity::No) else {
            return;
        };
        if path.alone || path.one_lane && self.shape.warps_lie_in_rows() {
            active[first + 1..].fill(Activity::No);
        }
        self.requests = self.requests.saturating_add(arrival.times);
        let mut times = arrival.times;
        for active in self.at_once(active) {
            self.looked += 1;
            let request = Request {
                warp: arrival.warp,
                site: &self.site,
                threads: *arrival.threads,
                active,
                times,
            };
            visit(&request, &mut self.lanes);
            // The others come instead of the first.
            times = 0;
        }
    }

    /// The lanes that come at once, the most of them first: those that have equal what is to be equal to something that they share. Of
    /// lanes that come one at a time the first stands for all.
    fn at_once(&mut self, active: [Activity; WARP]) -> Vec<[Activity; WARP]> {
        let path = self.path;
        let mut parts = vec![active];
        for &term in &path.ties {
            let row = self.lanes.row(term);
            let values: [Option<i128>; WARP] = std::array::from_fn(|lane| row.at(lane).ok());
            let mut split = Vec::new();
            for part in parts {
                let is_active = |lane: &usize| part[*lane] != Activity::No;
                let own: BTreeSet<Option<i128>> = (0..WARP)
                    .filter(is_active)
                    .map(|lane| values[lane])
                    .collect();
                if own.contains(&None) {
                    split.push(part);
                    continue;
                }
                split.extend(own.into_iter().map(|value| {
                    std::array::from_fn(|lane| match values[lane] == value {
                        true => part[lane],
                        false => Activity::No,
                    })
                }));
            }
            parts = split;
        }
        let lanes =
            |part: &[Activity; WARP]| part.iter().filter(|lane| **lane != Activity::No).count();
        parts.sort_by_key(|part| std::cmp::Reverse(lanes(part)));
        let single = parts.iter().position(|part| lanes(part) == 1);
        parts.truncate(single.map_or(parts.len(), |first| first + 1));
        parts
    }
}

/// A warp on its way to a point.
#[derive(Clone, Copy)]
struct Arrival<'a> {
    warp: u64,
    threads: &'a [Option<[i128; 3]>; WARP],
    active: [Activity; WARP],
    times: u64,
}
