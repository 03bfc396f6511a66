//! What each thread of a block does at barriers that count arrivals, one step after the other, where numbers alone decide that.
//!
//! **Method.** Steps and barriers of the block are gone through in program order, with the indices of the thread, the numbers of the iterations and one number
//! for all open parameters. Conditions, objects, counts and parities are evaluated exactly; what a variable without closed form is at the head of a
//! loop is followed from iteration to iteration. Threads that do the same are one class.
//!
//! **Accuracy.** Exact, or none: a condition that is not a number, a loop that is left in another way than by its condition, and too many steps give no trace.

use std::cell::Cell;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, EvalError, Evaluator, Memo};
use warplog_facts::words::{BarrierKind, Dimension, PhaseStep, SymbolKind};
use warplog_facts::{
    ArrayId, LaunchId, LoopId, Op, PhaseStepRow, PointId, Term, TermId, UnknownId,
};

use crate::context::Context;

/// Most steps of a thread, and most values that are evaluated for a launch.
const MOST_EVENTS: usize = 2_000;
const MOST_VALUES: u64 = 3_000_000;
const MOST_THREADS: i128 = 1024;

/// Where an object lies; a named barrier has no array.
pub(super) type Place = (Option<ArrayId>, i128);

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// It sets how many arrivals end a phase.
    Init { at: Place, count: i128 },
    /// It arrives so often.
    Arrive { at: Place, count: i128 },
    /// It arrives at a named barrier for so many threads.
    Join { at: Place, count: i128 },
    /// It goes on when the phase of this parity has ended, or the one in which it arrived last.
    Wait { at: Place, parity: Option<i128> },
    /// The phase waits for so many more bytes; none where that is not a number.
    Expect { at: Place, bytes: Option<i128> },
    /// Bytes are brought.
    Bring { at: Place, bytes: Option<i128> },
    /// It waits for all threads of the block.
    Meet,
}

/// Threads that do the same: the first of them, how many they are, and what they do, each with its point.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) first: [i128; 3],
    pub(super) threads: i128,
    pub(super) events: Events,
}

/// What threads do, each step with its point.
type Events = Vec<(PointId, Event)>;

/// The values of leaves for one thread.
struct Leaves<'l> {
    ctx: &'l Context<'l>,
    thread: [i128; 3],
    /// What all open parameters are.
    open: i128,
    /// Whether one of them was asked for.
    asks: Cell<bool>,
    iterations: FxHashMap<LoopId, i128>,
    carried: FxHashMap<UnknownId, i128>,
}

impl Environment for Leaves<'_> {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        match term.op {
            Op::TidX => Some(self.thread[0]),
            Op::TidY => Some(self.thread[1]),
            Op::TidZ => Some(self.thread[2]),
            Op::BidX | Op::BidY | Op::BidZ => Some(0),
            Op::Iter => self.iterations.get(&term.loop_id()?).copied(),
            Op::Unknown => self.carried.get(&term.unknown()?).copied(),
            Op::Symbol => {
                let row = &self.ctx.facts.symbol[term.symbol()?.index()];
                let is_given = matches!(row.kind, SymbolKind::Parameter | SymbolKind::Host);
                self.asks.set(true);
                (is_given && row.ty.is_integer()).then_some(self.open)
            }
            _ => None,
        }
    }
}

/// A step or a barrier of the block.
#[derive(Clone, Copy)]
enum Item<'r> {
    Step(&'r PhaseStepRow),
    Meet,
}

/// The steps of a launch in program order.
pub(super) struct Program<'p> {
    ctx: &'p Context<'p>,
    launch: LaunchId,
    size: [i128; 3],
    items: Vec<(PointId, Item<'p>)>,
}

impl<'p> Program<'p> {
    /// None if the block has no known size, or something may order that is not followed.
    pub(super) fn new(ctx: &'p Context<'p>, launch: LaunchId) -> Option<Self> {
        let steps = ctx.facts.phase_step.iter();
        let steps: Vec<&PhaseStepRow> = steps
            .filter(|row| ctx.launch_of(row.point) == launch)
            .collect();
        let waits = |row: &&PhaseStepRow| matches!(row.step, PhaseStep::Wait | PhaseStep::Sync);
        if !steps.iter().any(waits)
            || steps.iter().any(|row| row.step == PhaseStep::Lost)
            || ctx.has_opaque_order(launch)
        {
            return None;
        }
        let mut size = [1; 3];
        let sizes = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ];
        for (size, axis) in size.iter_mut().zip(sizes) {
            let mut rows = ctx.dimensions(launch).iter();
            let (_, term) = rows.find(|(dimension, _)| *dimension == axis)?;
            *size = ctx.facts.terms.as_const(*term)?;
        }
        if size.iter().product::<i128>() > MOST_THREADS {
            return None;
        }
        let mut items: Vec<(PointId, Item<'_>)> = steps
            .into_iter()
            .map(|row| (row.point, Item::Step(row)))
            .collect();
        for row in &ctx.facts.barrier {
            if ctx.launch_of(row.point) != launch {
                continue;
            }
            match row.kind {
                BarrierKind::Block | BarrierKind::Collective => {
                    items.push((row.point, Item::Meet));
                }
                // Lanes that wait for each other come no sooner to anything.
                BarrierKind::Warp | BarrierKind::Meet => {}
                BarrierKind::Part | BarrierKind::Grid => return None,
            }
        }
        items.sort_by_key(|(point, _)| *point);
        Some(Program {
            ctx,
            launch,
            size,
            items,
        })
    }

    /// What the threads do if all open parameters are this number, and whether that hangs on it; none if numbers alone do not tell, or the
    /// launch is assumed to have others.
    pub(super) fn classes(&self, open: i128) -> Option<(Vec<Class>, bool)> {
        let mut asks = false;
        let mut classes: BTreeMap<Events, ([i128; 3], i128)> = BTreeMap::new();
        let [x, y, z] = self.size;
        let mut left = MOST_VALUES;
        let mut memo = Memo::default();
        for rank in 0..x * y * z {
            let thread = [rank % x, rank / x % y, rank / x / y];
            let mut walk = Walk {
                program: self,
                leaves: Leaves {
                    ctx: self.ctx,
                    thread,
                    open,
                    asks: Cell::new(false),
                    iterations: FxHashMap::default(),
                    carried: FxHashMap::default(),
                },
                memo: Some(memo),
                left,
                events: Vec::new(),
            };
            if rank == 0 && !walk.is_assumed()? {
                return None;
            }
            // The evaluator keeps values: what the assumptions asked for is not asked for again.
            let of_assumptions = walk.leaves.asks.take();
            walk.run(&self.items, 0)?;
            asks |= of_assumptions || walk.leaves.asks.get();
            classes.entry(walk.events).or_insert((thread, 0)).1 += 1;
            left = walk.left;
            memo = walk.memo?;
        }
        let classes = classes.into_iter();
        let classes = classes.map(|(events, (first, threads))| Class {
            first,
            threads,
            events,
        });
        Some((classes.collect(), asks))
    }
}

/// One thread on its way.
struct Walk<'w> {
    program: &'w Program<'w>,
    leaves: Leaves<'w>,
    memo: Option<Memo>,
    left: u64,
    events: Events,
}

impl<'w> Walk<'w> {
    /// The number that a term is; an error is told apart from what is no number.
    fn value(&mut self, term: TermId) -> Option<Result<i128, EvalError>> {
        self.left = self.left.checked_sub(1)?;
        let memo = self.memo.take()?;
        let before = memo.evaluated();
        let terms = &self.program.ctx.facts.terms;
        let mut evaluator = Evaluator::reusing(terms, &self.leaves, memo);
        let value = evaluator.value(term);
        let memo = evaluator.into_memo();
        self.left = self.left.checked_sub(memo.evaluated() - before)?;
        self.memo = Some(memo);
        Some(value)
    }

    fn number(&mut self, term: TermId) -> Option<i128> {
        self.value(term)?.ok()
    }

    /// Whether the number for the open parameters is one that the launch may have.
    fn is_assumed(&mut self) -> Option<bool> {
        let rows = self.program.ctx.facts.launch_assume.iter();
        for row in rows.filter(|row| row.launch == self.program.launch) {
            if self.number(row.term)? == 0 {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the thread comes to a point where it is now.
    fn comes(&mut self, point: PointId) -> Option<bool> {
        let ctx: &'w Context<'w> = self.program.ctx;
        let mut comes = Some(true);
        for &(term, polarity) in ctx.guards(point) {
            match self.value(term)? {
                Ok(value) if (value != 0) != polarity => return Some(false),
                Ok(_) => {}
                Err(_) => comes = None,
            }
        }
        comes
    }

    /// Goes through items that have the first `depth` loops around them in common.
    fn run(&mut self, items: &[(PointId, Item<'w>)], depth: usize) -> Option<()> {
        let ctx: &'w Context<'w> = self.program.ctx;
        let mut at = 0;
        while let Some(&(point, item)) = items.get(at) {
            let Some(&own) = ctx.loops(point).get(depth) else {
                if self.comes(point)? {
                    self.step(point, item)?;
                }
                at += 1;
                continue;
            };
            let rest = items[at..].iter();
            let inside = rest.take_while(|(point, _)| ctx.loops(*point).get(depth) == Some(&own));
            let end = at + inside.count();
            self.repeat(own, &items[at..end], depth + 1)?;
            at = end;
        }
        Some(())
    }

    /// Goes through a loop, until its condition is false.
    fn repeat(&mut self, own: LoopId, items: &[(PointId, Item<'w>)], depth: usize) -> Option<()> {
        let ctx: &'w Context<'w> = self.program.ctx;
        if !self.comes(ctx.loop_head(own))? {
            return Some(());
        }
        let row = &ctx.facts.loop_[own.index()];
        let condition = row.condition?;
        if row.has_break || !ctx.leavings(own).is_empty() {
            return None;
        }
        let carried = ctx.facts.carried.iter().filter(|row| row.loop_id == own);
        let carried: Vec<_> = carried.collect();
        self.carry(carried.iter().map(|row| (row.unknown, row.start)))?;
        for iteration in 0.. {
            self.leaves.iterations.insert(own, iteration);
            if self.number(condition)? == 0 {
                break;
            }
            self.run(items, depth)?;
            if self.events.len() > MOST_EVENTS {
                return None;
            }
            self.carry(carried.iter().map(|row| (row.unknown, row.next)))?;
        }
        let left = ctx.facts.left_with.iter().filter(|row| row.loop_id == own);
        self.carry(left.map(|row| (row.unknown, row.value)))?;
        self.leaves.iterations.remove(&own);
        for row in carried {
            self.leaves.carried.remove(&row.unknown);
        }
        Some(())
    }

    /// Gives unknowns, together, the values of terms; those without one are not known any more.
    fn carry(&mut self, rows: impl Iterator<Item = (UnknownId, TermId)>) -> Option<()> {
        let mut found = Vec::new();
        for (unknown, term) in rows {
            found.push((unknown, self.value(term)?.ok()));
        }
        for (unknown, value) in found {
            match value {
                Some(value) => self.leaves.carried.insert(unknown, value),
                None => self.leaves.carried.remove(&unknown),
            };
        }
        Some(())
    }

    fn step(&mut self, point: PointId, item: Item<'w>) -> Option<()> {
        let Item::Step(row) = item else {
            self.events.push((point, Event::Meet));
            return Some(());
        };
        let at = (row.object, self.number(row.index)?);
        let amount = match row.amount {
            Some(term) => Some(self.value(term)?.ok()),
            None => None,
        };
        let [x, y, z] = self.program.size;
        // A named barrier tells for how many threads it is wherever it stands.
        let joined = || amount.unwrap_or(Some(x * y * z));
        let is_named = row.object.is_none();
        let event = match row.step {
            PhaseStep::Init => Event::Init {
                at,
                count: amount??,
            },
            PhaseStep::Arrive | PhaseStep::Sync if is_named => Event::Join {
                at,
                count: joined()?,
            },
            PhaseStep::Arrive | PhaseStep::Sync => Event::Arrive {
                at,
                count: amount.unwrap_or(Some(1))?,
            },
            PhaseStep::Wait => {
                let parity = match row.parity {
                    Some(term) => Some(self.number(term)?),
                    None => None,
                };
                Event::Wait { at, parity }
            }
            PhaseStep::Expect => Event::Expect {
                at,
                bytes: amount.flatten(),
            },
            PhaseStep::Complete => Event::Bring {
                at,
                bytes: amount.flatten(),
            },
            PhaseStep::Lost => return None,
        };
        self.events.push((point, event));
        if row.step == PhaseStep::Sync {
            self.events.push((point, Event::Wait { at, parity: None }));
        }
        Some(())
    }
}
