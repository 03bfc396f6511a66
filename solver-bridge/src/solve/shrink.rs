//! Making a model satisfy wishes and have small numbers, one after the other.
//!
//! What the model satisfies already is not asked; what it does not is asked of the solver, which then keeps to it.

use z3::ast::Bool;
use z3::{SatResult, Solver};

use super::{Budget, Judge, Meter, Model, Problem, Wanted, limits};
use crate::formula::Node;

/// Steps for making a model small enough to be replayed that any model is worth, and how many times the steps that it
/// took to find.
const SMALLER: (u64, u64) = (30_000, 4);

/// The same, for making it the smallest.
const SMALLEST: (u64, u64) = (20_000, 1);

/// How to speak of nodes in the terms of a solver.
pub(super) struct Speech<'s> {
    /// A condition.
    pub(super) truth: &'s dyn Fn(Node) -> Option<Bool>,
    /// That a number lies between bounds.
    pub(super) compare: &'s dyn Fn(Node, Option<i128>, Option<i128>) -> Option<Bool>,
    /// The model of the last check.
    pub(super) read: &'s dyn Fn() -> Option<Model>,
}

/// What a model should satisfy.
enum Wish {
    Holds(Node),
    /// The numbers lie between their bounds.
    Between(Vec<(Node, Option<i128>, Option<i128>)>),
}

impl Wish {
    fn least(node: Node, low: i128) -> Self {
        Wish::Between(vec![(node, Some(low), None)])
    }

    fn most(node: Node, high: i128) -> Self {
        Wish::Between(vec![(node, None, Some(high))])
    }
}

/// A model on its way down.
struct Ladder<'a> {
    solver: &'a Solver,
    problem: &'a Problem<'a>,
    speech: &'a Speech<'a>,
    budget: Budget,
    meter: &'a mut Meter,
    /// Questions left.
    left: u32,
    /// Steps left.
    allowance: u64,
    best: Model,
}

impl Ladder<'_> {
    fn value(&self, node: Node) -> Option<i128> {
        self.problem.f.evaluate(node, &self.best)
    }

    /// Whether the model satisfies the wish as it is.
    fn is_satisfied(&self, wish: &Wish) -> bool {
        match wish {
            Wish::Holds(node) => self.problem.f.satisfies(&[*node], &self.best),
            Wish::Between(all) => all.iter().all(|&(node, low, high)| {
                self.value(node).is_some_and(|value| {
                    low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high)
                })
            }),
        }
    }

    /// Keeps the wish for good if a model satisfies it.
    fn attempt(&mut self, wish: Wish) -> bool {
        if self.left == 0 || self.allowance == 0 {
            return false;
        }
        let Some(condition) = self.render(&wish) else {
            return false;
        };
        if !self.is_satisfied(&wish) {
            let Some(model) = self.ask(&condition) else {
                return false;
            };
            self.best = model;
        }
        self.solver.assert(&condition);
        true
    }

    fn render(&self, wish: &Wish) -> Option<Bool> {
        match wish {
            Wish::Holds(node) => (self.speech.truth)(*node),
            Wish::Between(all) => {
                let parts = all
                    .iter()
                    .map(|&(node, low, high)| (self.speech.compare)(node, low, high));
                let parts: Vec<Bool> = parts.collect::<Option<_>>()?;
                Some(Bool::and(&parts))
            }
        }
    }

    fn ask(&mut self, condition: &Bool) -> Option<Model> {
        self.left -= 1;
        self.solver.push();
        self.solver.assert(condition);
        let before = self.meter.spent;
        let result = self.meter.check(self.solver);
        self.allowance = self.allowance.saturating_sub(self.meter.spent - before);
        let found = match result {
            SatResult::Sat => (self.speech.read)(),
            SatResult::Unsat => None,
            SatResult::Unknown => {
                // A few hard questions tell that more will be hard, too.
                self.left = self.left.saturating_sub(self.budget.smaller / 6);
                None
            }
        };
        self.solver.pop(1);
        found
    }

    /// All numbers at once below a limit.
    fn lower_together(&mut self) {
        for limit in [6, 64, 1024] {
            let f = self.problem.f;
            let together: Vec<_> = self
                .problem
                .small
                .iter()
                .filter(|&&node| {
                    let bounds = f.bounds(node);
                    bounds.low.is_none_or(|low| low <= limit)
                        && bounds.high.is_none_or(|high| high > limit)
                })
                .map(|&node| (node, Some(-limit), Some(limit)))
                .collect();
            if !together.is_empty() && self.attempt(Wish::Between(together)) {
                break;
            }
        }
    }

    /// Brings one number as near to 0 as it gets and keeps it there.
    fn lower(&mut self, node: Node) {
        let Some(value) = self.value(node) else {
            return;
        };
        let low = self.problem.f.bounds(node).low.unwrap_or(i128::MIN);
        if low < 0 && value < 0 && !self.attempt(Wish::least(node, 0)) {
            self.raise(node, value);
            return;
        }
        let value = self.value(node).unwrap_or(value);
        self.lower_positive(node, value, low.max(0));
        if let Some(value) = self.value(node)
            && let Some(fixed) = (self.speech.compare)(node, Some(value), Some(value))
        {
            self.solver.assert(&fixed);
        }
    }

    /// A number that must be negative, as near to 0 as possible.
    fn raise(&mut self, node: Node, value: i128) {
        let mut high = -1;
        if self.attempt(Wish::least(node, high)) {
            return;
        }
        let mut reached = value;
        while reached < high - 1 {
            let middle = reached + (high - reached) / 2;
            if self.attempt(Wish::least(node, middle)) {
                reached = self.value(node).unwrap_or(middle);
            } else {
                high = middle;
            }
            if high - reached > 1 << 40 {
                break;
            }
        }
    }

    /// A number that is at least this, as small as possible.
    fn lower_positive(&mut self, node: Node, mut value: i128, low: i128) {
        if value <= low || self.attempt(Wish::most(node, low)) {
            return;
        }
        // Not the smallest: between.
        let mut refuted = low;
        let mut step = 1;
        while refuted + 1 < value {
            // Small steps first: the minimum is usually near.
            let middle = (refuted + step)
                .min(refuted + (value - refuted) / 2)
                .max(refuted + 1);
            if middle >= value {
                break;
            }
            if self.attempt(Wish::most(node, middle)) {
                value = self.value(node).unwrap_or(middle);
            } else {
                refuted = middle;
                step *= 2;
            }
        }
    }
}

/// Makes a model satisfy the wishes and have small numbers, as far as the cost of finding it makes that worth while.
pub(super) fn shrink(
    solver: &Solver,
    problem: &Problem<'_>,
    first: Model,
    (budget, cost, judge): (Budget, u64, Option<Judge<'_>>),
    meter: &mut Meter,
    speech: &Speech<'_>,
) -> Model {
    limits(
        solver,
        Budget {
            steps: budget.smaller_steps,
            ..budget
        },
    );
    let worth = |(least, times): (u64, u64)| least.saturating_add(times.saturating_mul(cost));
    let mut ladder = Ladder {
        solver,
        problem,
        speech,
        budget,
        allowance: worth(SMALLER).min(meter.left),
        meter,
        left: budget.smaller,
        best: first,
    };
    for &wish in &problem.wishes {
        ladder.attempt(Wish::Holds(wish));
    }
    ladder.lower_together();
    if budget.model != Wanted::Smallest || judge.is_some_and(|judge| !judge(&ladder.best)) {
        return ladder.best;
    }
    ladder.allowance = ladder.allowance.min(worth(SMALLEST));
    for &node in &problem.small {
        ladder.lower(node);
    }
    ladder.best
}
