//! Waits that never end: threads that wait for a phase for which nobody arrives any more.
//!
//! `if (t < 32) wait(empty, 0);` where nobody has arrived at `empty` before the wait: the first phase does not end by itself.
//!
//! **Method.** One block is run with numbers ([`traces`](super::traces)), step by step, for several numbers of iterations: whoever waits for
//! what has ended goes on before anybody else takes a step, so that no phase is missed for want of speed; among the others those with low numbers come first,
//! and in a second run those with high ones. If in both runs the same threads wait and nobody can take a step, the wait never ends.
//!
//! **Accuracy.** A run is one that the block may have, so that a wait that is told does hang there. Copies bring their bytes at once. Where some
//! step is not understood nothing is told. Where a step hangs on what the caller decides, other numbers than those that are tried may rule the hang out. Numbers of iterations are tried up to [`OPEN`]: a wait that hangs in later ones only is not found. Source: PTX ISA, "Parallel Synchronization
//! and Communication Instructions: mbarrier" (phase, pending count, tx-count) and "bar, barrier".

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::derived::EndlessWaitRow;
use warplog_facts::{LaunchId, PointId};

use super::traces::{Class, Event, Place, Program};
use crate::context::Context;

/// What open parameters are taken to be, one after the other.
const OPEN: [i128; 6] = [1, 2, 3, 5, 9, 17];
/// Most classes of threads, and most steps of a run.
const MOST_CLASSES: usize = 64;
const MOST_STEPS: usize = 20_000;

/// An object.
#[derive(Clone, Copy, Debug, Default)]
struct Object {
    /// How many arrivals end a phase.
    count: i128,
    /// How many are still to come.
    pending: i128,
    /// Bytes that are expected and not brought yet.
    bytes: i128,
    /// Whether numbers of bytes are not all known: copies bring what is expected.
    is_open: bool,
    /// Phases that have ended.
    ended: i128,
}

impl Object {
    fn new(count: i128) -> Self {
        Object {
            count,
            pending: count,
            ..Object::default()
        }
    }

    /// Ends the phase if nothing is missing.
    fn settle(&mut self) {
        if self.pending == 0 && (self.bytes == 0 || self.is_open) {
            self.ended += 1;
            self.pending = self.count;
            self.bytes = 0;
            self.is_open = false;
        }
    }
}

/// Where a class is, and the phases in which it arrived last.
#[derive(Clone, Debug, Default)]
struct At {
    next: usize,
    arrived: BTreeMap<Place, i128>,
}

/// A block that is run.
struct Run<'r> {
    classes: &'r [Class],
    at: Vec<At>,
    objects: BTreeMap<Place, Object>,
}

/// What a class that waits for ever lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stuck {
    class: usize,
    next: usize,
}

impl Run<'_> {
    fn event(&self, class: usize) -> Option<Event> {
        let event = self.classes[class].events.get(self.at[class].next)?;
        Some(event.1)
    }

    /// Whether the class waits for something that has happened; none if it does not wait.
    fn has_ended(&self, class: usize) -> Option<bool> {
        match self.event(class)? {
            Event::Wait { at, parity } => {
                let ended = self.objects.get(&at).map_or(0, |object| object.ended);
                Some(match parity {
                    Some(parity) => ended % 2 != parity,
                    None => (self.at[class].arrived.get(&at)).is_some_and(|&phase| ended > phase),
                })
            }
            Event::Meet => Some((0..self.classes.len()).all(|other| {
                self.event(other)
                    .is_none_or(|event| matches!(event, Event::Meet))
            })),
            _ => None,
        }
    }

    /// Takes the step of a class that is no wait; none if it means nothing.
    fn step(&mut self, class: usize) -> Option<()> {
        let threads = self.classes[class].threads;
        match self.event(class)? {
            Event::Init { at, count } => {
                // Set twice, by many or while it is used: a race of its own.
                if threads != 1 || count <= 0 || self.objects.contains_key(&at) {
                    return None;
                }
                self.objects.insert(at, Object::new(count));
            }
            Event::Join { at, count } => {
                if count <= 0 || count % 32 != 0 || threads % 32 != 0 {
                    return None;
                }
                let object = self.objects.entry(at).or_insert(Object::new(count));
                if object.count != count {
                    return None;
                }
                self.arrive(class, at, 1)?;
            }
            Event::Arrive { at, count } => self.arrive(class, at, count)?,
            Event::Expect { at, bytes } => {
                let object = self.objects.get_mut(&at)?;
                match bytes {
                    Some(bytes) => object.bytes += bytes * threads,
                    None => object.is_open = true,
                }
            }
            Event::Bring { at, bytes } => {
                let object = self.objects.get_mut(&at)?;
                match bytes {
                    Some(bytes) => object.bytes -= bytes * threads,
                    None => object.is_open = true,
                }
                object.settle();
            }
            Event::Wait { .. } | Event::Meet => return None,
        }
        self.at[class].next += 1;
        Some(())
    }

    fn arrive(&mut self, class: usize, at: Place, count: i128) -> Option<()> {
        let object = self.objects.get_mut(&at)?;
        for _ in 0..self.classes[class].threads {
            // More than a phase counts.
            if count > object.pending {
                return None;
            }
            self.at[class].arrived.insert(at, object.ended);
            object.pending -= count;
            object.settle();
        }
        Some(())
    }

    /// Runs to the end; who waits then. None if something is not understood.
    fn finish(&mut self, backwards: bool) -> Option<BTreeSet<Stuck>> {
        let count = self.classes.len();
        let mut order: Vec<usize> = (0..count).collect();
        if backwards {
            order.reverse();
        }
        for _ in 0..MOST_STEPS {
            if let Some(&free) = order.iter().find(|&&at| self.has_ended(at) == Some(true)) {
                if self.event(free) == Some(Event::Meet) {
                    let meet: Vec<usize> = order
                        .iter()
                        .copied()
                        .filter(|&at| self.event(at).is_some())
                        .collect();
                    for class in meet {
                        self.at[class].next += 1;
                    }
                } else {
                    self.at[free].next += 1;
                }
                continue;
            }
            let next = order
                .iter()
                .find(|&&at| self.event(at).is_some() && self.has_ended(at).is_none());
            match next {
                Some(&class) => self.step(class)?,
                None => {
                    let stuck = (0..count)
                        .filter(|&class| matches!(self.event(class), Some(Event::Wait { .. })));
                    return Some(
                        stuck
                            .map(|class| Stuck {
                                class,
                                next: self.at[class].next,
                            })
                            .collect(),
                    );
                }
            }
        }
        None
    }

    /// Whether some class would still arrive at an object if it could go on.
    fn arrives_later(&self, place: Place) -> bool {
        (0..self.classes.len()).any(|class| {
            let rest = &self.classes[class].events[self.at[class].next..];
            rest.iter().any(|(_, event)| {
                matches!(event, Event::Arrive { at, .. } | Event::Join { at, .. } | Event::Bring { at, .. } if *at == place)
            })
        })
    }
}

/// The rows of `endless_wait`.
pub(crate) fn endless(ctx: &Context<'_>) -> Vec<EndlessWaitRow> {
    let rows = ctx.facts.phase_step.iter();
    let launches: BTreeSet<LaunchId> = rows.map(|row| ctx.launch_of(row.point)).collect();
    let launches = launches.into_iter();
    launches
        .flat_map(|launch| of_launch(ctx, launch).unwrap_or_default())
        .collect()
}

fn of_launch(ctx: &Context<'_>, launch: LaunchId) -> Option<Vec<EndlessWaitRow>> {
    let program = Program::new(ctx, launch)?;
    let mut told: Option<Vec<EndlessWaitRow>> = None;
    let mut always = true;
    for open in OPEN {
        let Some((classes, hangs_on_open)) = program.classes(open) else {
            always = false;
            continue;
        };
        if classes.len() > MOST_CLASSES {
            return None;
        }
        let found = of_classes(&classes, open)?;
        // What the caller decides may be another number than those that are tried.
        always &= !found.is_empty() && !hangs_on_open;
        if told.is_none() && !found.is_empty() {
            told = Some(found);
        }
        if told.is_some() && !always {
            break;
        }
    }
    let mut told = told?;
    for row in &mut told {
        row.always = always;
    }
    Some(told)
}

fn of_classes(classes: &[Class], open: i128) -> Option<Vec<EndlessWaitRow>> {
    let run = |backwards| {
        let mut run = Run {
            classes,
            at: vec![At::default(); classes.len()],
            objects: BTreeMap::new(),
        };
        let stuck = run.finish(backwards)?;
        Some((run, stuck))
    };
    let (_, other) = run(true)?;
    let (run, stuck) = run(false)?;
    if stuck.is_empty() || stuck != other {
        return Some(Vec::new());
    }
    let mut found: BTreeMap<PointId, EndlessWaitRow> = BTreeMap::new();
    let mut causes: BTreeMap<PointId, EndlessWaitRow> = BTreeMap::new();
    for Stuck { class, next } in stuck {
        let (point, event) = classes[class].events[next];
        let Event::Wait { at, parity } = event else {
            continue;
        };
        let object = run.objects.get(&at).copied().unwrap_or_default();
        let [x, y, z] = classes[class].first;
        let row = EndlessWaitRow {
            point,
            object: at.0,
            index: at.1,
            parity: parity.and_then(|parity| u64::try_from(parity).ok()),
            x,
            y,
            z,
            ended: object.ended,
            arrived: object.count - object.pending,
            counted: object.count,
            bytes: object.bytes,
            open,
            always: false,
        };
        if !run.arrives_later(at) {
            causes.entry(point).or_insert_with(|| row.clone());
        }
        found.entry(point).or_insert(row);
    }
    let told = if causes.is_empty() { found } else { causes };
    Some(told.into_values().collect())
}
