//! Running one thread over the facts, from the kernel's entry, with exact C arithmetic.
//!
//! **Algorithm.** The points of a launch are visited in program order, loops iteration by
//! iteration; a point is executed when all conjuncts of its path condition hold. A break ends its
//! loop, a return the thread, a false loop condition the loop after that iteration (whose points
//! outside the condition, like the reads of the condition itself, are executed). Undefined
//! behaviour in a condition ends the run: an execution that has it is no execution.
//!
//! **Accuracy.** Exact as long as every condition on the way is known. Values that the facts do not
//! determine come from the model, if the caller allows it; where even the model has none, the run
//! goes on as if a break, return or barrier were not executed, and says so.

use std::cell::RefCell;
use std::rc::Rc;

use facts::eval::{Environment, EvalError, Evaluator, Memo};
use facts::words::*;
use facts::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warplog_facts as facts;

use crate::index::{Index, is_patient, note_replayed};

/// Concrete iterations of loops, sorted by loop.
pub(crate) type Ordinals = SmallVec<[(LoopId, i128); 4]>;

/// The key of an uninterpreted function with its arguments.
pub(crate) type CallKey = (Op, i128, CType, SmallVec<[CType; 4]>, SmallVec<[i128; 4]>);

/// What a model says of leaves that the facts do not determine.
#[derive(Default)]
pub(crate) struct ModelLeaves {
    /// By thread (0 or 1).
    pub(crate) leaves: [FxHashMap<(TermId, Ordinals), i128>; 2],
    pub(crate) calls: FxHashMap<CallKey, i128>,
}

/// One thread of a launch.
#[derive(Clone)]
pub(crate) struct Who {
    pub(crate) side: usize,
    pub(crate) thread: [i128; 3],
    pub(crate) block: [i128; 3],
    pub(crate) block_dim: [i128; 3],
    pub(crate) grid_dim: [i128; 3],
    pub(crate) symbols: FxHashMap<SymbolId, i128>,
    /// Values that terms about the other thread have.
    pub(crate) others: FxHashMap<TermId, i128>,
    /// Operators that the formula takes to give the mathematical result, with the largest that it may be.
    pub(crate) assumed_exact: Rc<FxHashMap<TermId, i128>>,
}

struct Env<'a> {
    index: &'a Index<'a>,
    who: &'a Who,
    iterations: Ordinals,
    exits: FxHashMap<(LoopId, Ordinals), i128>,
    model: Option<&'a ModelLeaves>,
    /// Leaves whose value came from the model or was not to be had.
    asked: RefCell<Vec<TermId>>,
}

impl Env<'_> {
    fn within(&self, loops: &[LoopId]) -> Ordinals {
        self.iterations
            .iter()
            .filter(|(id, _)| loops.contains(id))
            .copied()
            .collect()
    }

    fn site(&self, term: &Term) -> Ordinals {
        let facts = self.index.facts;
        let point = match term.op {
            Op::Load => term
                .access()
                .and_then(|id| facts.access.get(id.index()))
                .map(|row| row.point),
            _ => term
                .unknown()
                .and_then(|id| facts.unknown.get(id.index()))
                .map(|row| row.point),
        };
        point.map_or_else(Ordinals::new, |point| self.within(self.index.loops(point)))
    }

    fn exit(&self, id: LoopId) -> Option<i128> {
        let head = self.index.facts.loop_.get(id.index())?.head;
        let outer: Vec<LoopId> = self
            .index
            .loops(head)
            .iter()
            .copied()
            .filter(|&other| other != id)
            .collect();
        self.exits.get(&(id, self.within(&outer))).copied()
    }
}

impl Environment for Env<'_> {
    fn assumed_most(&self, id: TermId) -> Option<i128> {
        self.who.assumed_exact.get(&id).copied()
    }

    fn value(&self, id: TermId, term: &Term, args: &[i128]) -> Option<i128> {
        let who = self.who;
        match term.op {
            Op::TidX => Some(who.thread[0]),
            Op::TidY => Some(who.thread[1]),
            Op::TidZ => Some(who.thread[2]),
            Op::BidX => Some(who.block[0]),
            Op::BidY => Some(who.block[1]),
            Op::BidZ => Some(who.block[2]),
            Op::BdimX => Some(who.block_dim[0]),
            Op::BdimY => Some(who.block_dim[1]),
            Op::BdimZ => Some(who.block_dim[2]),
            Op::GdimX => Some(who.grid_dim[0]),
            Op::GdimY => Some(who.grid_dim[1]),
            Op::GdimZ => Some(who.grid_dim[2]),
            Op::Symbol => {
                let symbol = term.symbol()?;
                if self.index.is_computed(symbol) {
                    self.asked.borrow_mut().push(id);
                }
                who.symbols.get(&symbol).copied()
            }
            Op::Iter => term
                .loop_id()
                .and_then(|id| self.iterations.iter().find(|(other, _)| *other == id))
                .map(|&(_, ordinal)| ordinal),
            Op::Exit => term.loop_id().and_then(|id| self.exit(id)),
            Op::Other | Op::SameBlock => who.others.get(&id).copied(),
            Op::Load | Op::Unknown => {
                self.asked.borrow_mut().push(id);
                let key = (id, self.site(term));
                self.model?.leaves[who.side].get(&key).copied()
            }
            _ => {
                self.asked.borrow_mut().push(id);
                let types = term
                    .args
                    .iter()
                    .map(|&arg| self.index.facts.terms.ty(arg))
                    .collect();
                let key = (
                    term.op,
                    term.payload,
                    term.ty,
                    types,
                    SmallVec::from_slice(args),
                );
                self.model?.calls.get(&key).copied()
            }
        }
    }
}

/// An executed point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) point: PointId,
    pub(crate) at: Ordinals,
}

/// How a loop or the kernel was left before the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// The condition of the loop was false.
    Condition(LoopId),
    /// A break or return was taken.
    Taken(PointId),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The target was executed.
    Target,
    /// The kernel was left or finished without the target.
    Finished,
    /// The thread ended the launch: `__trap()`.
    Trapped,
    /// Undefined behaviour.
    Undefined(EvalError),
    /// Too many steps.
    TooLong,
}

/// The run of one thread.
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    pub(crate) left: Vec<(Left, Ordinals)>,
    pub(crate) end: End,
    /// Leaves that were asked for on the way.
    pub(crate) asked: Vec<TermId>,
    /// Conditions that could not be decided on the way.
    pub(crate) undecided: Vec<TermId>,
    /// Values of the wanted terms at the target.
    pub(crate) values: Vec<Result<i128, EvalError>>,
}

/// Where a run is to get, and what is to be evaluated there.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) point: PointId,
    pub(crate) at: Ordinals,
    pub(crate) wanted: Vec<TermId>,
    /// Run on after the target, to the end of the thread.
    pub(crate) to_the_end: bool,
}

/// Most points visited by one run.
const MAX_STEPS: u32 = 30_000;

/// Most terms evaluated in one run.
const MAX_EVALUATED: u64 = 300_000;

/// How many times more of both a run may take that is worth it.
const PATIENCE: u32 = 12;

/// What stops the visit of a sequence of points.
enum Stop {
    /// A break out of this loop.
    Break(LoopId),
    /// The run is over.
    Over,
}

struct Runner<'a> {
    index: &'a Index<'a>,
    env: Env<'a>,
    target: &'a Target,
    run: Run,
    steps: u32,
    memo: Memo,
}

/// Whether the sizes of the launch are those that its terms give, and its assumptions hold, for
/// these sizes and symbols. What cannot be evaluated does not hold.
pub(crate) fn launch_holds<'a>(
    index: &'a Index<'a>,
    launch: LaunchId,
    who: &'a Who,
) -> Result<bool, EvalError> {
    let env = Env {
        index,
        who,
        iterations: Ordinals::new(),
        exits: FxHashMap::default(),
        model: None,
        asked: RefCell::default(),
    };
    let mut memo = index.memo();
    memo.start_run(index.unvarying());
    let mut evaluator = Evaluator::reusing(&index.facts.terms, &env, memo);
    let sizes = who.block_dim.iter().chain(&who.grid_dim);
    let given = Dimension::ALL
        .iter()
        .zip(sizes)
        .filter_map(|(&dimension, &size)| {
            let term = index.dimension(launch, dimension)?;
            Some((term, Some(size)))
        });
    let assumed = index.launch_assumes(launch).iter();
    let mut holds = Ok(true);
    for (term, wanted) in given.chain(assumed.map(|&term| (term, None))) {
        let held = evaluator
            .value(term)
            .map(|value| wanted.map_or(value != 0, |wanted| value == wanted));
        if held != Ok(true) {
            holds = held;
            break;
        }
    }
    index.keep_memo(evaluator.into_memo());
    holds
}

/// The value of a term that is the same in all iterations, and needs no model.
pub(crate) fn of_thread(index: &Index, who: &Who, term: TermId) -> Result<i128, EvalError> {
    let env = Env {
        index,
        who,
        iterations: Ordinals::new(),
        exits: FxHashMap::default(),
        model: None,
        asked: RefCell::default(),
    };
    let mut memo = index.memo();
    memo.start_run(index.unvarying());
    let mut evaluator = Evaluator::reusing(&index.facts.terms, &env, memo);
    let value = evaluator.value(term);
    index.keep_memo(evaluator.into_memo());
    value
}

/// Runs a thread until it executes the target.
pub(crate) fn run<'a>(
    index: &'a Index<'a>,
    launch: LaunchId,
    who: &'a Who,
    model: Option<&'a ModelLeaves>,
    target: &'a Target,
) -> Run {
    let mut memo = index.memo();
    memo.start_run(index.unvarying());
    let mut runner = Runner {
        index,
        env: Env {
            index,
            who,
            iterations: Ordinals::new(),
            exits: FxHashMap::default(),
            model,
            asked: RefCell::default(),
        },
        target,
        run: Run {
            events: Vec::new(),
            left: Vec::new(),
            end: End::Finished,
            asked: Vec::new(),
            undecided: Vec::new(),
            values: Vec::new(),
        },
        steps: 0,
        memo,
    };
    let _ = runner.sequence(index.points(launch), 0);
    let mut run = runner.run;
    note_replayed(runner.memo.evaluated());
    index.keep_memo(runner.memo);
    run.asked = runner.env.asked.into_inner();
    run.asked.sort_unstable();
    run.asked.dedup();
    run.undecided.sort_unstable();
    run.undecided.dedup();
    run
}

impl<'a> Runner<'a> {
    /// Visits points in order; `depth` is the number of loops around them.
    fn sequence(&mut self, points: &[PointId], depth: usize) -> Result<(), Stop> {
        let mut position = 0;
        while position < points.len() {
            let point = points[position];
            let loops = self.index.loops(point);
            if loops.len() > depth {
                let id = loops[depth];
                let length = points[position..]
                    .iter()
                    .take_while(|&&other| self.index.loops(other).get(depth) == Some(&id))
                    .count();
                let body = &points[position..position + length];
                match self.repeat(id, body, depth) {
                    Err(Stop::Break(other)) if other == id => {}
                    other => other?,
                }
                position += length;
                continue;
            }
            self.visit(point)?;
            position += 1;
        }
        Ok(())
    }

    fn over(&mut self, end: End) -> Stop {
        self.run.end = end;
        Stop::Over
    }

    fn evaluate(&mut self, term: TermId) -> Result<i128, EvalError> {
        let memo = std::mem::take(&mut self.memo);
        let mut evaluator = Evaluator::reusing(&self.index.facts.terms, &self.env, memo);
        let value = evaluator.value(term);
        self.memo = evaluator.into_memo();
        value
    }

    /// Whether all conjuncts hold; none when one is not known and no other is false.
    fn holds(&mut self, point: PointId) -> Result<Option<bool>, Stop> {
        let mut known = true;
        let index = self.index;
        let memo = std::mem::take(&mut self.memo);
        let mut evaluator = Evaluator::reusing(&index.facts.terms, &self.env, memo);
        let mut end = None;
        for row in index.guards(point) {
            match evaluator.value(row.term) {
                Ok(value) if (value != 0) == row.polarity => {}
                Ok(_) => {
                    end = Some(Ok(Some(false)));
                    break;
                }
                Err(EvalError::NotKnown(_)) => {
                    known = false;
                    self.run.undecided.push(row.term);
                }
                // After an undecided conjunct the thread may not be here at all.
                Err(_) if !known => {}
                Err(error) => {
                    end = Some(Err(error));
                    break;
                }
            }
        }
        self.memo = evaluator.into_memo();
        match end {
            Some(Ok(holds)) => Ok(holds),
            Some(Err(error)) => Err(self.over(End::Undefined(error))),
            None => Ok(known.then_some(true)),
        }
    }

    fn takes_too_long(&self) -> bool {
        let times = if is_patient() { PATIENCE } else { 1 };
        self.steps > MAX_STEPS * times || self.memo.evaluated() > MAX_EVALUATED * u64::from(times)
    }

    fn is_target(&self, point: PointId) -> bool {
        point == self.target.point && self.env.within(self.index.loops(point)) == self.target.at
    }

    fn visit(&mut self, point: PointId) -> Result<(), Stop> {
        self.steps += 1;
        if self.takes_too_long() {
            return Err(self.over(End::TooLong));
        }
        let is_target = self.is_target(point);
        let row = &self.index.facts.point[point.index()];
        let traps = self.index.traps(point);
        let matters = is_target
            || traps
            || matches!(
                row.kind,
                PointKind::Entry | PointKind::Barrier | PointKind::Return | PointKind::Break
            );
        if !matters {
            return Ok(());
        }
        let undecided = self.run.undecided.len();
        let executed = match self.holds(point)? {
            Some(executed) => {
                self.run.undecided.truncate(undecided);
                executed
            }
            // What is not known is taken as the model needs it.
            None => is_target,
        };
        if !executed {
            return Ok(());
        }
        let at = self.env.within(self.index.loops(point));
        self.run.events.push(Event {
            point,
            at: at.clone(),
        });
        if is_target {
            let wanted = self.target.wanted.clone();
            self.run.values = wanted.into_iter().map(|term| self.evaluate(term)).collect();
            self.run.end = End::Target;
            if !self.target.to_the_end {
                return Err(Stop::Over);
            }
        }
        match row.kind {
            _ if traps => {
                self.run.left.push((Left::Taken(point), at));
                Err(self.over(End::Trapped))
            }
            PointKind::Break => match self.index.break_of(point) {
                Some(id) => {
                    self.run.left.push((Left::Taken(point), at));
                    Err(Stop::Break(id))
                }
                None => Ok(()),
            },
            PointKind::Return => {
                self.run.left.push((Left::Taken(point), at));
                Err(Stop::Over)
            }
            _ => Ok(()),
        }
    }

    fn repeat(&mut self, id: LoopId, body: &[PointId], depth: usize) -> Result<(), Stop> {
        let row = self.index.loop_row(id);
        let outer = self.env.iterations.clone();
        self.env.exits.remove(&(id, outer.clone()));
        let mut ordinal = 0;
        let result = loop {
            self.env.iterations.clone_from(&outer);
            self.env.iterations.push((id, ordinal));
            self.env.iterations.sort_unstable();
            if ordinal == 0 {
                // The path to the loop, with the part of it that belongs to the first iteration.
                match self.holds(row.head) {
                    Ok(Some(false)) => break Ok(()),
                    Ok(_) => {}
                    Err(stop) => break Err(stop),
                }
            }
            self.steps += 1;
            if self.takes_too_long() {
                break Err(self.over(End::TooLong));
            }
            let goes_on = match row
                .condition
                .map(|condition| (condition, self.evaluate(condition)))
            {
                None => true,
                Some((_, Ok(value))) => value != 0,
                Some((term, Err(EvalError::NotKnown(_)))) => {
                    self.run.undecided.push(term);
                    // As far as the target needs it.
                    let needed = self.target.at.iter().find(|(other, _)| *other == id);
                    needed.is_some_and(|&(_, needed)| ordinal <= needed)
                }
                Some((_, Err(error))) => break Err(self.over(End::Undefined(error))),
            };
            if !goes_on {
                let at = self.env.iterations.clone();
                self.run.left.push((Left::Condition(id), at));
            }
            if let Err(stop) = self.sequence(body, depth + 1) {
                break Err(stop);
            }
            if !goes_on {
                self.env.exits.insert((id, outer.clone()), ordinal);
                break Ok(());
            }
            ordinal += 1;
        };
        self.env.iterations = outer;
        result
    }
}
