//! What a thread passes on its way from the head of an interval to an access: barriers that it does not execute, and whole
//! iterations of loops in which it executes none.
//!
//! That no barrier was executed holds for each of the iterations between; it is asserted for some of them: the first ones, the
//! last one, and that in which the other thread is. The last is what tells that a thread that is further in
//! `for (…) { if (skip[i]) continue; s[t] = …; __syncthreads(); }` cannot have come by the barrier at which the other one waits.

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::encode::UNROLLED;
use crate::formula::Node;
use crate::instances::{Iterations, Side};
use crate::query::{LaunchRanges, Query};
use crate::region;
use crate::walks::Level;

/// The way of one of the two threads, of whose barriers those of the scope separate.
pub(crate) struct Way<'q, 'a> {
    pub(crate) query: &'q mut Query<'a>,
    pub(crate) ranges: &'q LaunchRanges<'a>,
    pub(crate) scope: Level,
    pub(crate) side: Side,
    /// Of the access.
    pub(crate) point: PointId,
    /// The loop whose back edge was crossed on the way, and whether more than once.
    pub(crate) carried: Option<LoopId>,
    pub(crate) repeated: bool,
}

/// For each separating barrier inside a loop, whether it is executed in the given iteration of the
/// loop (and of those around it) and the first one of those inside it.
pub(crate) fn first_barriers<'a>(
    query: &mut Query<'a>,
    ranges: &LaunchRanges<'a>,
    scope: Level,
    side: Side,
    id: LoopId,
    at: &Iterations,
) -> Vec<Node> {
    let index = query.encoder.index;
    let launch = index.loop_row(id).launch;
    let zero = query.encoder.f.constant(0);
    let mut result = Vec::new();
    query.encoder.hypothetical = true;
    for barrier in index.barriers(launch) {
        let loops = index.loops(barrier);
        if !loops.contains(&id) || !region::separates(index, barrier, scope) {
            continue;
        }
        // The path condition knows of leavings in the same iteration only.
        if loops.iter().any(|&inner| index.left_from_within(inner)) {
            continue;
        }
        let iterations = loops
            .iter()
            .map(|&id| {
                let node = at.iter().find(|(other, _)| *other == id);
                (id, node.map_or(zero, |found| found.1))
            })
            .collect();
        let context = query.encoder.context(side, iterations, &ranges.base);
        let guards = query.encoder.guards(context, barrier);
        result.push(query.encoder.f.and(&guards));
    }
    query.encoder.hypothetical = false;
    result
}

impl Way<'_, '_> {
    /// None of the barriers in this iteration of the loop was executed, so not in the first iteration of the loops inside
    /// either; under a condition, if there is one.
    fn pass(&mut self, id: LoopId, at: &Iterations, when: Option<Node>) {
        let barriers = first_barriers(self.query, self.ranges, self.scope, self.side, id, at);
        for executed in barriers {
            let f = &mut self.query.encoder.f;
            let mut skipped = f.not(executed);
            if let Some(when) = when {
                skipped = f.implies(when, skipped);
            }
            self.query.asserts.push(skipped);
        }
    }

    /// Iterations that the way passes as a whole: `for (…) __syncthreads();` between head and access was not entered.
    pub(crate) fn pass_loops(&mut self, candidate: &CandidateRaceRow, here: &Iterations) {
        self.pass_whole_loops(candidate, here);
        if self.repeated
            && let Some(carried) = self.carried
        {
            self.pass_rounds_of(carried, here);
        }
        self.pass_earlier_iterations(here);
    }

    /// Loops that end before the access in its iteration and began after the head.
    fn pass_whole_loops(&mut self, candidate: &CandidateRaceRow, here: &Iterations) {
        let index = self.query.encoder.index;
        let head = self.query.head.clone();
        let around = index.loops(self.point);
        for row in &index.facts.loop_ {
            let (id, outer) = (row.loop_id, index.loops(row.head));
            let Some((_, outer)) = outer.split_last() else {
                continue;
            };
            let in_head = |id: &LoopId| head.iter().any(|(other, _)| *other == *id);
            if row.launch != candidate.launch || around.contains(&id) {
                continue;
            }
            // In the head's iteration, after the head, when the way leaves that iteration.
            let left = outer
                .iter()
                .any(|outer| Some(*outer) == self.carried || !around.contains(outer));
            if row.head > candidate.head && left && outer.iter().all(in_head) && !in_head(&id) {
                self.pass(id, &head, None);
            }
            if row.head > self.point || !outer.iter().all(|outer| around.contains(outer)) {
                continue;
            }
            let begun_later = self.carried.is_some_and(|carried| outer.contains(&carried))
                || (candidate.head < row.head && !in_head(&id));
            if begun_later {
                self.pass(id, here, None);
            }
        }
    }

    /// The iterations after the head's, when the way goes round more than once.
    fn pass_rounds_of(&mut self, carried: LoopId, here: &Iterations) {
        let index = self.query.encoder.index;
        let head = self.query.head.clone();
        let find = |all: &Iterations| all.iter().find(|(id, _)| *id == carried).map(|x| x.1);
        let Some(target) = find(here) else { return };
        let outer = index.loops(index.loop_row(carried).head);
        let position = outer.len().saturating_sub(1);
        let mut between = Vec::new();
        if let Some(at_head) = find(&head) {
            for further in 1..=UNROLLED {
                between.push(self.query.encoder.f.offset(at_head, further));
            }
        }
        between.push(self.query.encoder.f.offset(target, -1));
        for ordinal in between {
            let before = self.query.encoder.f.lt(ordinal, target);
            let mut at: Iterations = head
                .iter()
                .filter(|(id, _)| outer[..position].contains(id))
                .copied()
                .collect();
            at.push((carried, ordinal));
            self.pass(carried, &at, Some(before));
        }
    }

    /// Earlier iterations of loops that were entered after the head.
    fn pass_earlier_iterations(&mut self, here: &Iterations) {
        let index = self.query.encoder.index;
        let head = self.query.head.clone();
        for (position, &(id, node)) in here.iter().enumerate() {
            let inside_carried = self.carried.is_some_and(|carried| {
                carried != id && index.loops(index.loop_row(id).head).contains(&carried)
            });
            let entered_later = inside_carried || !head.iter().any(|(other, _)| *other == id);
            let f = &mut self.query.encoder.f;
            if !entered_later || f.as_constant(node) == Some(0) {
                continue;
            }
            let mut earlier: Vec<(Node, Node)> = Vec::new();
            for ordinal in 0..UNROLLED {
                earlier.push((f.ge_const(node, ordinal + 1), f.constant(ordinal)));
            }
            earlier.push((f.ge_const(node, 1), f.offset(node, -1)));
            for (later, ordinal) in earlier {
                let mut at: Iterations = here[..position].iter().copied().collect();
                at.push((id, ordinal));
                self.pass(id, &at, Some(later));
            }
        }
    }

    /// The iteration in which the other thread is, if this one is further in the loop, was passed as a whole.
    pub(crate) fn pass_others(&mut self) {
        let index = self.query.encoder.index;
        let [one, other] = &self.query.iterations;
        let (own, theirs) = match self.side {
            Side::First => (one.clone(), other.clone()),
            Side::Second => (other.clone(), one.clone()),
        };
        let head = self.query.head.clone();
        let mut outer = Iterations::new();
        for &id in index.loops(self.point) {
            let find = |all: &Iterations| all.iter().find(|(other, _)| *other == id).map(|x| x.1);
            let Some(here) = find(&own) else { return };
            let around = outer.clone();
            outer.push((id, here));
            let began = find(&head);
            // Of a loop around the head, those after the head's are passed if its back edge was crossed more than once.
            if began.is_some() && !(Some(id) == self.carried && self.repeated) {
                continue;
            }
            let Some(there) = find(&theirs).filter(|there| *there != here) else {
                continue;
            };
            let f = &mut self.query.encoder.f;
            let mut between = vec![f.lt(there, here)];
            between.extend(began.map(|began| f.lt(began, there)));
            let between = f.and(&between);
            let mut at = around;
            at.push((id, there));
            self.pass(id, &at, Some(between));
        }
    }

    /// A barrier passed by without being executed has a false path condition.
    pub(crate) fn skip_barriers(&mut self, head_point: PointId, here: &Iterations) {
        let index = self.query.encoder.index;
        let head = self.query.head.clone();
        for &(barrier, place) in index.skips(self.scope, head_point, self.point, self.carried) {
            let from = match place {
                Place::Head => &head,
                Place::Access => here,
            };
            let Some(iterations) = self.query.restrict(from, barrier) else {
                continue;
            };
            let encoder = &mut self.query.encoder;
            let context = encoder.context(self.side, iterations, &self.ranges.base);
            let guards = encoder.guards(context, barrier);
            let executed = encoder.f.and(&guards);
            let skipped = encoder.f.not(executed);
            self.query.asserts.push(skipped);
        }
    }
}
