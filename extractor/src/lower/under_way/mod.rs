//! Asynchronous copies that are under way: where they may still happen, and what the own thread does meanwhile.
//!
//! A copy (`cp.async`, `__pipeline_memcpy_async`, `memcpy_async`) reads and writes at some time between its call and the end of
//! the wait of the same thread that covers it. Copies are waited for in groups: `commit` ends a group, and `wait(n)` waits for all
//! groups but the last n that were ended on the way. Until then the copy is ordered with nothing that anybody does, its own
//! thread included; from then on it is what the thread has done itself, and a barrier orders it for the others.
//!
//! **Algorithm.** From each copy the ways that its thread may go are followed through the nest of loops: to the end of the body
//! and back to its head (what is counted by the loop is one more then), out of the loop, round loops behind it. On the way groups
//! are counted, where `commit` stands under conditions that hold with those of the wait. A wait that certainly covers the copy
//! ends the way, one under conditions adds the negation of these. Behind each barrier that is passed before, the copy is an access
//! again ([`emit`]): with the place that it had in the iteration in which it was begun, for those iterations. Each access of the
//! own thread on the way is asserted to touch other bytes. A loop in which nothing is ended, waited for or brought together is
//! passed once, and a copy in it is that of any iteration: the access stands in a loop of its own.
//!
//! **Accuracy.** Over-approximates. A wait of which it is not certain whether it covers the copy ends nothing, and what is found
//! then is potential; so is a condition that cannot be told in another iteration. A copy that is followed through more rounds than
//! [`MAX_ROUNDS`] is reported as not modelled.
//!
//! The same is done with what a thread does between its arrival at a barrier and its wait there: others may be past the wait
//! by then, so that it is an access behind it, too. Sources: PTX ISA, "Asynchronous copy" (`cp.async`, `cp.async.commit_group`,
//! `cp.async.wait_group`: "writes being made visible to the executing thread"); CUDA C++ programming guide, Asynchronous Data
//! Copies.

mod emit;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::library::block_barriers::Object;

/// Rounds of one loop through which a copy is followed.
const MAX_ROUNDS: i64 = 10;

/// Ways of one copy that are followed.
const MAX_WAYS: usize = 400;

/// Accesses and assertions that are made for the copies of a launch.
const MAX_MADE: usize = 300;

/// Stand-ins for numbers of loops, and for values of other iterations, while ways are followed.
const FIRST_STAND_IN: u32 = 0xc000_0000;

/// Who waits for a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    /// The thread itself, for groups of copies.
    Own,
    /// Who waits at a `cuda::barrier`.
    Barrier(Object),
    /// The thread itself, for groups of bulk copies: until they have read, or until all is done.
    BulkRead,
    BulkWrite,
    /// The thread itself, for groups of products of matrices.
    Products,
    /// No copy: an access that others do not wait for at this barrier.
    Nobody(PointId),
}

/// What a thread does about copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// It begins one, which has these accesses.
    Begin(Vec<AccessId>, Waiter),
    /// It ends a group.
    Commit,
    /// It waits for all of its copies, in groups or not.
    WaitAll,
    /// It waits for all groups but the last so many; none where the number is not known.
    WaitBut(Option<i128>),
    /// It ends a group of bulk copies.
    CommitBulk,
    /// It waits for all groups of bulk copies but the last so many, if that is known, and whether only until they have read.
    WaitBulk(Option<i128>, bool),
    /// It ends a group of products of matrices.
    CommitProducts,
    /// It waits for all groups of products but the last so many, if that is known.
    WaitProducts(Option<i128>),
    /// It waits at a `cuda::barrier`.
    WaitAt(Object),
    /// What it has done after it had arrived at a barrier, for which the others did not wait at this point.
    Outlast(AccessId, PointId),
}

/// The same, at a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub point: PointId,
    pub what: What,
}

type Literal = (TermId, bool);

/// The points of a launch, by their place in it.
struct Flow {
    first: usize,
    loops: Vec<Vec<LoopId>>,
    guards: Vec<Vec<(TermId, bool, GuardCause, PointId)>>,
    events: FxHashMap<usize, What>,
    barriers: FxHashSet<usize>,
    accesses: FxHashMap<usize, AccessId>,
    /// From the head to behind the last point.
    ranges: FxHashMap<LoopId, (usize, usize)>,
    /// Loops in which groups are ended or waited for, by whose they are.
    eventful: FxHashSet<(LoopId, Of)>,
}

/// Whose groups something ends or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    /// Copies of the thread that are not bulk copies, or those with a barrier.
    Thread,
    /// Bulk copies.
    Bulk,
    /// Bulk copies, until they are done.
    BulkDone,
    /// Products of matrices.
    Products,
}

impl What {
    fn of(&self) -> Of {
        match self {
            What::CommitBulk | What::WaitBulk(_, true) => Of::Bulk,
            What::WaitBulk(_, false) => Of::BulkDone,
            What::CommitProducts | What::WaitProducts(_) => Of::Products,
            _ => Of::Thread,
        }
    }
}

impl Flow {
    /// What must hold at a point, besides that loops go on and nobody has left the kernel: whoever comes to any point behind it in
    /// the same loops has had that.
    fn conditions(&self, at: usize) -> Vec<Literal> {
        let told = self.guards[at]
            .iter()
            .filter(|(_, _, cause, _)| !matches!(cause, GuardCause::Loop | GuardCause::Return));
        told.map(|&(term, polarity, ..)| (term, polarity)).collect()
    }

    fn is_excluded(&self, at: usize, literals: &[Literal]) -> bool {
        let mut own = self.guards[at].iter();
        own.any(|&(term, polarity, ..)| literals.contains(&(term, !polarity)))
    }
}

/// A loop in some iteration of which the copy was begun, and that the way has left without counting: by a stand-in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bound {
    stand_in: LoopId,
    of: LoopId,
    condition: Option<TermId>,
}

/// A copy on its way.
#[derive(Clone)]
struct Way {
    at: usize,
    stack: Vec<LoopId>,
    access: AccessId,
    index: TermId,
    value: Option<TermId>,
    /// Under which conditions it was begun, and this way was gone.
    literals: Vec<Literal>,
    bound: Vec<Bound>,
    /// Loops around the copy that the way has not left.
    own: Vec<LoopId>,
    /// Loops that the way has entered, with the number of the iteration.
    entered: Vec<(LoopId, i64)>,
    rounds: BTreeMap<LoopId, i64>,
    /// Groups that have certainly been ended, and conditions under which others have.
    ended: i128,
    ended_if: Vec<Vec<Literal>>,
    /// Conditions under which it has been waited for.
    waited: Vec<Vec<Literal>>,
    doubtful: bool,
    /// A second look at a loop around the copy that counts nothing: only at iterations behind that of the copy.
    later: Option<(LoopId, LoopId)>,
}

/// What a copy that is under way adds behind a point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shadow {
    access: AccessId,
    index: TermId,
    value: Option<TermId>,
    /// The access of the same thread that must touch other bytes; none for an access behind a barrier.
    meets: Option<AccessId>,
    literals: Vec<Literal>,
    bound: Vec<Bound>,
    /// The iteration of this loop is before the own one of that.
    later: Option<(LoopId, LoopId)>,
    doubtful: bool,
}

impl Lowerer<'_, '_> {
    /// Takes down what the thread does about copies. A point of its own stands for it.
    pub(crate) fn copy_event(&mut self, what: What, range: crate::syntax::ast::Range) {
        let point = self.point(PointKind::Copy, range);
        self.copy_events.push(Event { point, what });
    }

    /// Behind the whole kernel: what copies that are under way may do.
    pub(crate) fn follow_copies(&mut self) {
        let events = std::mem::take(&mut self.copy_events);
        if self.gave_up || events.is_empty() {
            return;
        }
        let Some(flow) = self.flow(&events) else {
            return;
        };
        let mut made: BTreeMap<usize, BTreeSet<Shadow>> = BTreeMap::new();
        let mut stand_ins = FIRST_STAND_IN;
        for event in &events {
            let (accesses, waiter, begun) = match &event.what {
                What::Begin(accesses, waiter) => (accesses.clone(), *waiter, event.point),
                What::Outlast(access, wait) => {
                    let point = self.facts.access[access.index()].point;
                    (vec![*access], Waiter::Nobody(*wait), point)
                }
                _ => continue,
            };
            for access in accesses {
                let mut walk = Walk {
                    flow: &flow,
                    waiter,
                    begun: begun.index() - flow.first,
                    made: &mut made,
                    stand_ins: &mut stand_ins,
                    lost: false,
                };
                if !walk.from(self, access) {
                    let row = &self.facts.access[access.index()];
                    let span = row.span;
                    let launch = Some(self.launch);
                    let unsupported = UnsupportedRow {
                        launch,
                        span,
                        what: "asynchronous copy".to_owned(),
                        why: "it may be under way through more rounds of loops than are followed"
                            .to_owned(),
                        effect: Effect::Control,
                    };
                    if !self.facts.unsupported.contains(&unsupported) {
                        self.facts.unsupported.push(unsupported);
                    }
                }
            }
        }
        self.emit_shadows(&flow, made);
    }

    fn flow(&self, events: &[Event]) -> Option<Flow> {
        let facts = &self.facts;
        let first = facts
            .point
            .iter()
            .position(|row| row.launch == self.launch)?;
        let count = facts.point.len() - first;
        let mut flow = Flow {
            first,
            loops: vec![Vec::new(); count],
            guards: vec![Vec::new(); count],
            events: FxHashMap::default(),
            barriers: FxHashSet::default(),
            accesses: FxHashMap::default(),
            ranges: FxHashMap::default(),
            eventful: FxHashSet::default(),
        };
        let place = |point: PointId| point.index().checked_sub(first);
        for row in &facts.loop_at {
            if let Some(at) = place(row.point) {
                flow.loops[at].push(row.loop_id);
            }
        }
        for loops in &mut flow.loops {
            loops.sort_unstable();
        }
        for row in &facts.guard_at {
            if let Some(at) = place(row.point) {
                flow.guards[at].push((row.term, row.polarity, row.cause, row.cause_point));
            }
        }
        for (at, loops) in flow.loops.iter().enumerate() {
            for &loop_id in loops {
                let range = flow.ranges.entry(loop_id).or_insert((at, at + 1));
                range.1 = at + 1;
            }
        }
        for row in &facts.barrier {
            if let Some(at) = place(row.point)
                && row.kind.orders()
            {
                flow.barriers.insert(at);
            }
        }
        for event in events {
            let at = place(event.point)?;
            if matches!(event.what, What::Outlast(..)) {
                continue;
            }
            if !matches!(event.what, What::Begin(..)) {
                let loops = flow.loops[at].iter();
                flow.eventful.extend(loops.map(|&id| (id, event.what.of())));
            }
            flow.events.insert(at, event.what.clone());
        }
        let unread: FxHashSet<AccessId> =
            facts.annotation_read.iter().map(|row| row.access).collect();
        for row in &facts.access {
            if let Some(at) = place(row.point)
                && !unread.contains(&row.access)
            {
                flow.accesses.insert(at, row.access);
            }
        }
        Some(flow)
    }
}

/// Follows one access of one copy.
struct Walk<'w> {
    flow: &'w Flow,
    waiter: Waiter,
    begun: usize,
    made: &'w mut BTreeMap<usize, BTreeSet<Shadow>>,
    stand_ins: &'w mut u32,
    lost: bool,
}

impl Walk<'_> {
    /// Whether something in the loop may end the copy, or count its groups.
    fn is_eventful(&self, id: LoopId) -> bool {
        let all: &[Of] = match self.waiter {
            Waiter::Own | Waiter::Barrier(_) => &[Of::Thread],
            Waiter::BulkRead => &[Of::Bulk, Of::BulkDone],
            // Groups that are ended in a loop without a wait are not counted.
            Waiter::BulkWrite => &[Of::BulkDone],
            Waiter::Products => &[Of::Products],
            Waiter::Nobody(_) => &[Of::Thread, Of::Bulk, Of::BulkDone, Of::Products],
        };
        let mut all = all.iter();
        all.any(|&of| self.flow.eventful.contains(&(id, of)))
    }

    /// Whether all ways were followed to their ends.
    fn from(&mut self, lowerer: &mut Lowerer<'_, '_>, access: AccessId) -> bool {
        let row = lowerer.facts.access[access.index()].clone();
        let at = row.point.index() - self.flow.first;
        let mut literals: Vec<Literal> = self.flow.guards[at]
            .iter()
            .map(|&(term, polarity, ..)| (term, polarity))
            .collect();
        let own = self.flow.loops[self.begun].clone();
        let zero = lowerer.long(0);
        for &loop_id in &own {
            if self.is_eventful(loop_id) {
                let terms = &mut lowerer.facts.terms;
                let iter = terms.iter_of(loop_id);
                literals.push((terms.binary(Op::Le, CType::Bool, zero, iter), true));
            }
        }
        let start = Way {
            at: self.begun + 1,
            stack: own.clone(),
            access,
            index: row.index,
            value: row.value,
            literals,
            bound: Vec::new(),
            own,
            entered: Vec::new(),
            rounds: BTreeMap::new(),
            ended: 0,
            ended_if: Vec::new(),
            waited: Vec::new(),
            doubtful: false,
            later: None,
        };
        let mut open = vec![start];
        let mut ways = 0;
        while let Some(way) = open.pop() {
            ways += 1;
            if ways > MAX_WAYS {
                return false;
            }
            self.go(lowerer, way, &mut open);
        }
        !self.lost
    }

    /// Goes on until the copy has been waited for, or the kernel ends; other ways are put aside.
    fn go(&mut self, lowerer: &mut Lowerer<'_, '_>, mut way: Way, open: &mut Vec<Way>) {
        loop {
            let end = match way.stack.last() {
                Some(last) => self.flow.ranges[last].1,
                None => self.flow.loops.len(),
            };
            if way.at >= end {
                let Some(last) = way.stack.pop() else { return };
                way.at = end;
                self.end_of(lowerer, &mut way, last, open);
                if is_impossible(&lowerer.facts.terms, &way.literals) {
                    return;
                }
                continue;
            }
            let loops = &self.flow.loops[way.at];
            if let Some(&inner) = loops.get(way.stack.len()) {
                if self.is_eventful(inner) {
                    let mut past = way.clone();
                    past.at = self.flow.ranges[&inner].1;
                    if self.leave(lowerer, &mut past, inner, Some(0)) {
                        open.push(past);
                    }
                    way.entered.push((inner, 0));
                }
                way.stack.push(inner);
                continue;
            }
            if self.visit(lowerer, &mut way) {
                return;
            }
            way.at += 1;
        }
    }

    /// What follows the end of the body of a loop.
    fn end_of(
        &mut self,
        lowerer: &mut Lowerer<'_, '_>,
        way: &mut Way,
        last: LoopId,
        open: &mut Vec<Way>,
    ) {
        if !self.is_eventful(last) {
            if way.own.contains(&last) {
                self.bind(lowerer, way, last);
                // Later iterations come by the whole body, and by the copy itself.
                let (head, end) = self.flow.ranges[&last];
                let stand_in = way.bound.last().map_or(last, |bound| bound.stand_in);
                let mut round = way.clone();
                round.later = Some((stand_in, last));
                for at in head..end {
                    round.at = at;
                    if !matches!(self.waiter, Waiter::Nobody(_)) {
                        self.meet(lowerer, &round);
                        self.cross(lowerer, &round);
                    }
                }
            }
            return;
        }
        let rounds = way.rounds.get(&last).copied().unwrap_or(0) + 1;
        let mut again = way.clone();
        again.rounds.insert(last, rounds);
        self.change(lowerer, &mut again, last, Change::Next);
        if let Some(entered) = again.entered.iter_mut().find(|(id, _)| *id == last) {
            entered.1 += 1;
        }
        let condition = lowerer.facts.loop_[last.index()].condition;
        let trips = condition.and_then(|condition| lowerer.count(condition, last));
        let is_over = trips.is_some_and(|trips| i128::from(rounds) >= i128::from(trips))
            || is_impossible(&lowerer.facts.terms, &again.literals);
        if rounds > MAX_ROUNDS {
            self.lost |= !is_over;
        } else if !is_over {
            again.stack.push(last);
            again.at = self.flow.ranges[&last].0;
            open.push(again);
        }
        let number = way.entered.iter().find(|(id, _)| *id == last);
        let number = number.map(|&(_, number)| number + 1);
        if !self.leave(lowerer, way, last, number) {
            // It cannot be left here.
            way.literals.push((lowerer.facts.terms.truth(false), true));
        }
    }

    /// Leaves a loop by its condition, after so many iterations if that is known. Whether that can be.
    fn leave(
        &mut self,
        lowerer: &mut Lowerer<'_, '_>,
        way: &mut Way,
        last: LoopId,
        number: Option<i64>,
    ) -> bool {
        let row = lowerer.facts.loop_[last.index()].clone();
        let exit = match row.condition {
            Some(condition) if !row.has_break => Some(match lowerer.count(condition, last) {
                Some(trips) => lowerer.long(i64::try_from(trips).unwrap_or(i64::MAX)),
                None => lowerer.facts.terms.exit_of(last),
            }),
            _ => None,
        };
        if number != Some(0) {
            self.change(lowerer, way, last, Change::Left(exit));
        }
        way.entered.retain(|(id, _)| *id != last);
        way.own.retain(|id| *id != last);
        way.rounds.remove(&last);
        match (number, exit) {
            (Some(number), Some(exit)) => {
                let number = lowerer.long(number);
                let terms = &mut lowerer.facts.terms;
                let after = terms.binary(Op::Eq, CType::Bool, exit, number);
                if terms.as_const(after) == Some(0) {
                    return false;
                }
                way.literals.push((after, true));
            }
            (Some(_), None) => way.doubtful = true,
            (None, _) => {}
        }
        true
    }

    /// A copy of any iteration of a loop that counts nothing, behind that loop.
    fn bind(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &mut Way, last: LoopId) {
        let stand_in = LoopId(self.stand_in());
        let row = lowerer.facts.loop_[last.index()].clone();
        way.doubtful |= row.has_break || row.condition.is_none();
        way.bound.push(Bound {
            stand_in,
            of: last,
            condition: row.condition,
        });
        self.change(lowerer, way, last, Change::Any(stand_in));
        way.own.retain(|id| *id != last);
    }

    fn stand_in(&mut self) -> u32 {
        *self.stand_ins += 1;
        *self.stand_ins
    }

    /// Tells all that is known of the copy in the terms of another iteration, or of the place behind a loop.
    fn change(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &mut Way, of: LoopId, change: Change) {
        let (start, end) = self.flow.ranges[&of];
        let inside = |point: PointId| {
            let at = point.index().checked_sub(self.flow.first);
            at.is_some_and(|at| (start..end).contains(&at))
        };
        let mut roots = vec![way.index];
        roots.extend(way.value);
        let of_way = [&way.waited, &way.ended_if];
        let listed = of_way.into_iter().flatten().flatten();
        roots.extend(way.literals.iter().chain(listed).map(|&(term, _)| term));
        roots.extend(way.bound.iter().filter_map(|bound| bound.condition));
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in lowerer.facts.terms.reachable(&roots) {
            let term = lowerer.facts.terms.get(id).clone();
            let facts = &lowerer.facts;
            let made_inside = match term.op {
                Op::Iter if term.loop_id() == Some(of) => {
                    let image = self.ordinal(lowerer, id, change);
                    images.insert(id, image);
                    continue;
                }
                Op::Iter | Op::Exit => term.loop_id().is_some_and(|id| {
                    let range = self.flow.ranges.get(&id);
                    id != of && range.is_some_and(|range| start <= range.0 && range.1 <= end)
                        || term.op == Op::Exit && id == of
                }),
                Op::Load => term.access().is_some_and(|access| {
                    let row = facts.access.get(access.index());
                    row.is_some_and(|row| inside(row.point))
                }),
                Op::Unknown => term.unknown().is_some_and(|unknown| {
                    let row = facts.unknown.get(unknown.index());
                    row.is_some_and(|row| inside(row.point))
                }),
                _ => false,
            };
            // What has a value in each iteration has some value in the one that is meant.
            if made_inside {
                let unknown = UnknownId(self.stand_in());
                let image = lowerer.facts.terms.unknown(unknown, term.ty);
                images.insert(id, image);
            }
        }
        if images.is_empty() {
            return;
        }
        let terms = &mut lowerer.facts.terms;
        way.index = terms.replace(way.index, &images);
        way.value = way.value.map(|value| terms.replace(value, &images));
        let lists = way.waited.iter_mut().chain(&mut way.ended_if).flatten();
        for literal in way.literals.iter_mut().chain(lists) {
            literal.0 = terms.replace(literal.0, &images);
        }
        for bound in &mut way.bound {
            bound.condition = bound.condition.map(|term| terms.replace(term, &images));
        }
    }

    /// The number of the iteration in which the copy was begun, seen from elsewhere.
    fn ordinal(&mut self, lowerer: &mut Lowerer<'_, '_>, iter: TermId, change: Change) -> TermId {
        let one = lowerer.long(1);
        let terms = &mut lowerer.facts.terms;
        match change {
            Change::Next => terms.binary(Op::Sub, CType::I64, iter, one),
            Change::Left(Some(exit)) => terms.binary(Op::Sub, CType::I64, exit, one),
            Change::Left(None) => {
                let unknown = UnknownId(self.stand_in());
                lowerer.facts.terms.unknown(unknown, CType::I64)
            }
            Change::Any(stand_in) => terms.iter_of(stand_in),
        }
    }

    /// What happens at a point; whether the copy has certainly been waited for.
    fn visit(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &mut Way) -> bool {
        let flow = self.flow;
        if flow.is_excluded(way.at, &way.literals) {
            return false;
        }
        if let Waiter::Nobody(wait) = self.waiter {
            let at_wait = wait.index() - flow.first == way.at;
            if at_wait {
                self.cross(lowerer, way);
            }
            return at_wait;
        }
        self.meet(lowerer, way);
        match flow.events.get(&way.at) {
            None | Some(What::Begin(..) | What::Outlast(..)) => {}
            Some(commit @ (What::Commit | What::CommitBulk | What::CommitProducts)) => {
                // A loop that is passed once may have no iteration.
                let mut loops = flow.loops[way.at].iter();
                let surely = loops.all(|id| self.is_eventful(*id) || way.own.contains(id));
                let own = match self.waiter {
                    Waiter::BulkRead | Waiter::BulkWrite => *commit == What::CommitBulk,
                    Waiter::Products => *commit == What::CommitProducts,
                    _ => *commit == What::Commit,
                };
                if !own || !surely {
                    self.cross(lowerer, way);
                    return false;
                }
                let mut own = flow.conditions(way.at);
                own.retain(|literal| !way.literals.contains(literal));
                match own.is_empty() {
                    true => way.ended += 1,
                    false => way.ended_if.push(own),
                }
            }
            Some(wait) => {
                if self.waits(way, wait) {
                    return true;
                }
            }
        }
        self.cross(lowerer, way);
        false
    }

    /// The thread comes to a barrier while its copy is under way.
    fn cross(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &Way) {
        let passes = self.flow.barriers.contains(&way.at);
        if passes && !self.flow.is_excluded(way.at, &way.literals) && !self.is_done(way) {
            self.shadow(lowerer, way, None);
        }
    }

    /// Whether a wait covers the copy for certain, on all ways that come here.
    fn waits(&self, way: &mut Way, wait: &What) -> bool {
        let mut own = self.flow.conditions(way.at);
        let known: Vec<Literal> = self.known(way);
        own.retain(|literal| !way.literals.contains(literal));
        let certain = way.ended_if.iter();
        let certain = certain.filter(|of| of.iter().all(|one| known.contains(one)));
        let certain = way.ended + certain.count() as i128;
        let possible = way.ended_if.iter();
        let possible = possible.filter(|of| !of.iter().any(|one| known.contains(&(one.0, !one.1))));
        let possible = way.ended + possible.count() as i128;
        let covers = match (wait, self.waiter) {
            (What::WaitAll, Waiter::Own) => true,
            (What::WaitBut(Some(left)), Waiter::Own) => {
                // Its own group is the first of those that were ended.
                way.doubtful |= certain <= *left && possible > *left;
                certain > *left
            }
            (What::WaitBut(None), Waiter::Own) => {
                way.doubtful |= possible > 0;
                false
            }
            (What::WaitBulk(_, true), Waiter::BulkWrite) => false,
            (What::WaitBulk(Some(left), _), Waiter::BulkRead | Waiter::BulkWrite) => {
                way.doubtful |= certain <= *left && possible > *left;
                certain > *left
            }
            (What::WaitBulk(None, _), Waiter::BulkRead | Waiter::BulkWrite) => {
                way.doubtful |= possible > 0;
                false
            }
            (What::WaitProducts(Some(left)), Waiter::Products) => {
                way.doubtful |= certain <= *left && possible > *left;
                certain > *left
            }
            (What::WaitProducts(None), Waiter::Products) => {
                way.doubtful |= possible > 0;
                false
            }
            (What::WaitAt(object), Waiter::Barrier(of)) => *object == of,
            _ => false,
        };
        if !covers {
            return false;
        }
        way.waited.push(own);
        covers_all(&way.waited, 0)
    }

    /// What holds for whoever comes to the point of the way.
    fn known(&self, way: &Way) -> Vec<Literal> {
        let guards = self.flow.guards[way.at].iter();
        let own = guards.map(|&(term, polarity, ..)| (term, polarity));
        own.chain(way.literals.iter().copied()).collect()
    }

    /// Whether the copy has been waited for by whoever comes to the point of the way.
    fn is_done(&self, way: &Way) -> bool {
        let known = self.known(way);
        let mut waited = way.waited.iter();
        waited.any(|of| of.iter().all(|one| known.contains(one)))
    }

    /// The thread touches memory while its copy is under way.
    fn meet(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &Way) {
        let Some(&met) = self.flow.accesses.get(&way.at) else {
            return;
        };
        let facts = &lowerer.facts;
        let (other, own) = (
            &facts.access[met.index()],
            &facts.access[way.access.index()],
        );
        let storage = |row: &AccessRow| facts.array[row.array.index()].storage;
        let both_read = other.kind == AccessKind::Read && own.kind == AccessKind::Read;
        if storage(other) != storage(own)
            || both_read
            || self.flow.is_excluded(way.at, &way.literals)
            || self.is_done(way)
        {
            return;
        }
        self.shadow(lowerer, way, Some(met));
    }

    fn shadow(&mut self, lowerer: &mut Lowerer<'_, '_>, way: &Way, meets: Option<AccessId>) {
        let row = &lowerer.facts.access[way.access.index()];
        if meets.is_none() && row.kind == AccessKind::Read && !is_written(lowerer, row) {
            return;
        }
        let mut literals = way.literals.clone();
        let doubtful = way.doubtful;
        for &(loop_id, number) in &way.entered {
            let number = lowerer.long(number);
            let terms = &mut lowerer.facts.terms;
            let iter = terms.iter_of(loop_id);
            literals.push((terms.binary(Op::Eq, CType::Bool, iter, number), true));
        }
        for waited in &way.waited {
            let terms = &mut lowerer.facts.terms;
            let mut all = terms.truth(true);
            for &(term, polarity) in waited {
                let one = if polarity { term } else { terms.not(term) };
                all = terms.and(all, one);
            }
            literals.push((all, false));
        }
        if is_impossible(&lowerer.facts.terms, &literals) {
            return;
        }
        literals.retain(|(term, _)| lowerer.facts.terms.as_const(*term).is_none());
        literals.sort_unstable();
        literals.dedup();
        let shadow = Shadow {
            access: way.access,
            index: way.index,
            value: way.value,
            meets,
            literals,
            bound: way.bound.clone(),
            later: way.later,
            doubtful,
        };
        let made: usize = self.made.values().map(BTreeSet::len).sum();
        if made >= MAX_MADE {
            self.lost = true;
            return;
        }
        self.made.entry(way.at).or_default().insert(shadow);
    }
}

/// How the iteration of a copy is told elsewhere.
#[derive(Clone, Copy)]
enum Change {
    /// In the next iteration.
    Next,
    /// Behind the loop, which has completed so many iterations.
    Left(Option<TermId>),
    /// As the iteration of a loop of its own.
    Any(LoopId),
}

/// Whether some condition is known not to hold.
fn is_impossible(terms: &TermStore, literals: &[Literal]) -> bool {
    literals.iter().any(|&(term, polarity)| {
        let known = terms.as_const(term).map(|value| (value != 0) != polarity);
        known == Some(true) || literals.contains(&(term, !polarity))
    })
}

/// Whether some access of the launch changes the memory of another.
fn is_written(lowerer: &Lowerer<'_, '_>, row: &AccessRow) -> bool {
    let facts = &lowerer.facts;
    let storage = facts.array[row.array.index()].storage;
    let mut all = facts.access.iter().filter(|other| {
        let point = facts.point.get(other.point.index());
        point.is_some_and(|point| point.launch == lowerer.launch)
    });
    all.any(|other| {
        other.kind != AccessKind::Read && facts.array[other.array.index()].storage == storage
    })
}

/// Whether one of these conjunctions holds whatever the conditions are, by trying both values of one after the other.
fn covers_all(all: &[Vec<Literal>], depth: usize) -> bool {
    if all.iter().any(Vec::is_empty) {
        return true;
    }
    let Some(&(term, _)) = all.first().and_then(|of| of.first()) else {
        return false;
    };
    let under = |value: bool| -> Vec<Vec<Literal>> {
        let possible = all.iter().filter(|of| !of.contains(&(term, !value)));
        let rest = |of: &Vec<Literal>| of.iter().copied().filter(|one| one.0 != term).collect();
        possible.map(rest).collect()
    };
    depth < 8 && covers_all(&under(true), depth + 1) && covers_all(&under(false), depth + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_in_all_arms_are_a_wait() {
        let (a, b) = (TermId(1), TermId(2));
        assert!(covers_all(&[vec![(a, true)], vec![(a, false)]], 0));
        assert!(covers_all(
            &[
                vec![(a, true), (b, true)],
                vec![(a, false)],
                vec![(b, false)]
            ],
            0
        ));
        assert!(!covers_all(&[vec![(a, true)], vec![(b, false)]], 0));
        assert!(!covers_all(&[], 0));
    }
}
