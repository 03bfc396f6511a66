//! What happens before what by phases: chains of arrivals, waits and the order of each thread, with the iterations by which their ends are
//! apart.
//!
//! **Method.** A label of two points says from which distance of their iterations on the one happens before the other. Labels along a chain
//! are added; the shortest ones from a point to all waits are found by relaxation. Families that are not shown to be kept to are dropped, and all
//! is asked again without them.
//!
//! **Accuracy.** A chain through a point is used only where an execution of that point follows from one of the chain's last: who comes to the end has
//! passed the wait, for which those have arrived that the phase counts.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::{LoopId, PointId};

use super::steps::{Node, Position, Steps};
use crate::context::Context;

/// From when on one point happens before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    Always,
    /// Where the iteration of the second is at least so many ahead of that of the first; outside of loops it is 0.
    Ahead(i64),
}

/// Where a chain begins or passes.
#[derive(Clone, Copy)]
struct Place {
    loop_id: Option<LoopId>,
    trips: Option<i64>,
}

/// What a point happens before, for threads of one class.
pub(super) struct From {
    class: usize,
    place: Place,
    waits: Vec<Option<Label>>,
    /// Of a copy: its own thread is another one for it.
    is_copy: bool,
}

pub(super) struct Orders<'o> {
    ctx: &'o Context<'o>,
    steps: &'o Steps,
    kept: Vec<bool>,
    /// The classes of threads that may come to a point.
    classes: RefCell<FxHashMap<PointId, Rc<[usize]>>>,
}

impl<'o> Orders<'o> {
    pub(super) fn new(ctx: &'o Context<'o>, steps: &'o Steps) -> Self {
        let mut all = Orders {
            ctx,
            steps,
            kept: vec![true; steps.families.len()],
            classes: RefCell::default(),
        };
        loop {
            let lost = (0..all.kept.len()).find(|&family| {
                all.kept[family] && !steps.families[family].is_single && !all.never_early(family)
            });
            match lost {
                Some(family) => all.kept[family] = false,
                None => return all,
            }
        }
    }

    /// Whether nobody arrives at the family before all phases but its own last have ended.
    fn never_early(&self, family: usize) -> bool {
        let of = |nodes: &'o [Node]| nodes.iter().filter(move |node| node.family == family);
        let all = of(&self.steps.arrivals).chain(of(&self.steps.before_arrivals));
        let mut all = all;
        all.all(|arrival| {
            let size = self.steps.families[family].size;
            let Position { step, start } = arrival.at;
            let last = match (arrival.loop_id, arrival.trips) {
                (None, _) => Some(start),
                (Some(_), trips) => trips.map(|trips| start + step * (trips - 1)),
            };
            // Its first arrival at each object.
            last.is_some_and(|last| last < size)
                || of(&self.steps.waits).any(|wait| {
                    let reaches = wait.at.start - arrival.at.start + size - wait.less * size;
                    match self.between(wait, arrival) {
                        Some(Label::Always) => {
                            wait.loop_id.is_none() && arrival.loop_id.is_none() && reaches >= 0
                        }
                        Some(Label::Ahead(lag)) => {
                            let both = arrival.loop_id.is_some() && wait.loop_id.is_some();
                            let begins = wait.at.start < step + wait.less * size;
                            both && wait.at.step == step
                                && begins
                                && reaches.div_euclid(step) >= lag
                        }
                        None => false,
                    }
                })
        })
    }

    /// From when on a wait comes before an arrival, of the same thread or by a chain.
    fn between(&self, wait: &Node, arrival: &Node) -> Option<Label> {
        let own = (wait.class == arrival.class)
            .then(|| self.passed(wait, arrival.point))
            .flatten();
        let from = self.chains_of(wait.point, wait.class);
        let by_chain = self.to_class(&from, arrival.point, arrival.class);
        [own, by_chain].into_iter().flatten().min()
    }

    /// What a point happens before, for each class of threads that may come to it.
    pub(super) fn chains(&self, point: PointId) -> Vec<From> {
        let classes = self.classes(point);
        let classes = classes.iter();
        classes.map(|&class| self.chains_of(point, class)).collect()
    }

    /// From when on what begins there happens before a point, whichever two threads it is.
    pub(super) fn to(&self, from: &[From], point: PointId) -> Option<Label> {
        let mut worst = None;
        for one in from {
            for &class in self.classes(point).iter() {
                // One thread has no other.
                if !one.is_copy && class == one.class && self.steps.classes[class].len() == 1 {
                    continue;
                }
                let label = self.to_class(one, point, class)?;
                worst = worst.max(Some(label));
            }
        }
        worst
    }

    /// What an access of a copy happens before: what waits for the phase that counts its bytes.
    pub(super) fn chains_of_copy(&self, point: PointId, completes: PointId) -> Vec<From> {
        let place = self.place(point);
        let mut all = Vec::new();
        for &class in self.classes(point).iter() {
            let mut waits: Vec<Option<Label>> = vec![None; self.steps.waits.len()];
            let mut completions = self.steps.completions.iter();
            let own = completions.find(|node| node.class == class && node.point == completes);
            if let Some(own) = own {
                let first = in_order((point, place.loop_id), (own.point, own.loop_id));
                self.signal(first, place, own, &mut waits);
            }
            self.pass_on(place, &mut waits);
            all.push(From {
                class,
                place,
                waits,
                is_copy: true,
            });
        }
        all
    }

    fn place(&self, point: PointId) -> Place {
        let loop_id = self.ctx.loops(point).first().copied();
        Place {
            loop_id,
            trips: loop_id.and_then(|id| super::steps::trips(self.ctx, id)),
        }
    }

    fn classes(&self, point: PointId) -> Rc<[usize]> {
        let known = self.classes.borrow().get(&point).cloned();
        known.unwrap_or_else(|| {
            let found: Rc<[usize]> = Rc::from(self.classes_of(point));
            self.classes.borrow_mut().insert(point, found.clone());
            found
        })
    }

    fn classes_of(&self, point: PointId) -> Vec<usize> {
        let all = 0..self.steps.classes.len();
        all.filter(|&class| {
            let mut threads = self.steps.classes[class].iter();
            threads.any(|&thread| self.steps.may_come(self.ctx, point, thread))
        })
        .collect()
    }

    fn chains_of(&self, point: PointId, class: usize) -> From {
        let place = self.place(point);
        let loop_id = place.loop_id;
        let mut waits: Vec<Option<Label>> = vec![None; self.steps.waits.len()];
        for arrival in self.arrivals_of(class) {
            let first = in_order((point, loop_id), (arrival.point, arrival.loop_id));
            self.signal(first, place, arrival, &mut waits);
        }
        self.pass_on(place, &mut waits);
        From {
            class,
            place,
            waits,
            is_copy: false,
        }
    }

    /// Goes on from the waits that are reached to those for which their threads arrive behind them.
    fn pass_on(&self, place: Place, waits: &mut Vec<Option<Label>>) {
        // Each round finds the shortest chains of one more part.
        for _ in 0..self.steps.waits.len() {
            let before = waits.clone();
            for (at, wait) in self.steps.waits.iter().enumerate() {
                let Some(label) = before[at] else { continue };
                for arrival in self.arrivals_of(wait.class) {
                    let next = self.passed(wait, arrival.point);
                    let through =
                        next.and_then(|next| chain(place, label, wait, next, arrival.loop_id));
                    self.signal(through, place, arrival, waits);
                }
            }
            if *waits == before {
                break;
            }
        }
    }

    fn to_class(&self, from: &From, point: PointId, class: usize) -> Option<Label> {
        let loop_id = self.ctx.loops(point).first().copied();
        let waits = self.steps.waits.iter().zip(&from.waits);
        let labels = waits.filter(|(wait, _)| wait.class == class);
        let labels = labels.filter_map(|(wait, label)| {
            let next = self.passed(wait, point)?;
            chain(from.place, (*label)?, wait, next, loop_id)
        });
        labels.min()
    }

    fn arrivals_of(&self, class: usize) -> impl Iterator<Item = &'o Node> {
        let arrivals = self.steps.arrivals.iter();
        arrivals.filter(move |arrival| arrival.class == class)
    }

    /// Goes on from an arrival to all that wait for its phase.
    fn signal(
        &self,
        first: Option<Label>,
        place: Place,
        arrival: &Node,
        waits: &mut [Option<Label>],
    ) {
        let Some(first) = first.filter(|_| self.kept[arrival.family]) else {
            return;
        };
        for (at, wait) in self.steps.waits.iter().enumerate() {
            if wait.family != arrival.family {
                continue;
            }
            let size = self.steps.families[wait.family].size;
            let next = awaited(arrival, wait, size);
            let found = next.and_then(|next| chain(place, first, arrival, next, wait.loop_id));
            let shortest = [waits[at], found].into_iter().flatten().min();
            waits[at] = shortest;
        }
    }

    /// From when on the same thread has passed a wait where it comes to a point.
    fn passed(&self, wait: &Node, point: PointId) -> Option<Label> {
        let loop_id = self.ctx.loops(point).first().copied();
        let label = in_order((wait.point, wait.loop_id), (point, loop_id))?;
        // Left without an iteration, a loop had no wait.
        let leaves = wait.loop_id.is_some() && wait.loop_id != loop_id;
        if leaves && wait.trips.is_none_or(|trips| trips < 1) {
            return None;
        }
        let pair = (wait.point, point);
        self.steps
            .passes(self.ctx, pair, wait.class)
            .then_some(label)
    }
}

/// From when on the same thread comes to the second point behind the first.
fn in_order(
    (first, first_loop): (PointId, Option<LoopId>),
    (second, second_loop): (PointId, Option<LoopId>),
) -> Option<Label> {
    if first_loop.is_some() && first_loop == second_loop {
        return Some(Label::Ahead(i64::from(first >= second)));
    }
    (first < second).then_some(Label::Always)
}

/// From when on a wait is for a phase that the arrival is part of.
fn awaited(arrival: &Node, wait: &Node, size: i64) -> Option<Label> {
    // The position of the wait must be ahead of that of the arrival by so much.
    let ahead = arrival.at.start + wait.less * size - wait.at.start;
    let step = match (arrival.loop_id, wait.loop_id) {
        (None, None) => return (ahead <= 0).then_some(Label::Always),
        (Some(_), Some(_)) if arrival.at.step != wait.at.step => return None,
        (Some(_), _) => arrival.at.step,
        (None, Some(_)) => wait.at.step,
    };
    let lag = -(-ahead).div_euclid(step);
    let all = match (arrival.trips, wait.loop_id) {
        (Some(trips), None) => trips - 1 + lag <= 0,
        _ => false,
    };
    Some(if all {
        Label::Always
    } else {
        Label::Ahead(lag)
    })
}

/// The label of a chain of two parts that meet at a node.
fn chain(
    from: Place,
    first: Label,
    node: &Node,
    second: Label,
    to: Option<LoopId>,
) -> Option<Label> {
    match (first, second) {
        (Label::Always, Label::Always) => Some(Label::Always),
        (Label::Always, Label::Ahead(lag)) if lag <= 0 => Some(Label::Always),
        (Label::Always, Label::Ahead(lag)) => {
            // The chain is from iteration 0 of the node.
            (from.loop_id.is_none() && to.is_some()).then_some(Label::Ahead(lag))
        }
        (Label::Ahead(lag), Label::Always) if node.loop_id.is_none() => {
            (to.is_none() && from.loop_id.is_some()).then_some(Label::Ahead(lag))
        }
        (Label::Ahead(lag), Label::Always) => {
            // Each iteration of the first has one of the node behind it.
            let last = match from.loop_id {
                Some(_) => from.trips? - 1,
                None => 0,
            };
            (last + lag < node.trips?).then_some(Label::Always)
        }
        (Label::Ahead(one), Label::Ahead(other)) if node.loop_id.is_some() => {
            Some(Label::Ahead(one.max(0) + other))
        }
        (Label::Ahead(_), Label::Ahead(_)) => None,
    }
}
