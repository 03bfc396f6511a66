//! Control flow: branches and joins, jumps, and what they leave in the path condition.
//!
//! **Invariant.** After every statement, `guards` is the exact path condition within the current
//! iteration: what an arm left by a jump adds is the negation of that arm's condition, with the
//! jump as its cause.

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Guard, Jump, Lowerer};
use super::value::*;
use crate::syntax::ast::Range;

/// What one arm of a branch leaves.
struct Arm {
    env: Env,
    frontier: Vec<PointId>,
    alive: bool,
    /// Conjuncts added inside by jumps that were not taken.
    extra: Vec<Guard>,
    leaving: (GuardCause, PointId),
}

impl Lowerer<'_, '_> {
    /// Lowers both arms of a branch and joins them. A constant condition lowers one arm only.
    pub(crate) fn branch(
        &mut self,
        condition: TermId,
        range: Range,
        then: &mut dyn FnMut(&mut Self),
        els: &mut dyn FnMut(&mut Self),
    ) {
        if let Some(value) = self.facts.terms.as_const(condition) {
            if value != 0 {
                then(self)
            } else {
                els(self)
            }
            return;
        }
        let point = self.point(PointKind::Branch, range);
        let env = self.env.clone();
        let first = self.arm(condition, true, point, then);
        let after_first = std::mem::replace(&mut self.env, env);
        let second = self.arm(condition, false, point, els);
        debug_assert!(after_first.same(&first.env));
        let negated = self.facts.terms.not(condition);
        match (first.alive, second.alive) {
            (true, true) => {
                for (arm, other) in [(&first, condition), (&second, negated)] {
                    for guard in &arm.extra {
                        self.survived(other, *guard);
                    }
                }
                self.env = self.merge_env(condition, &first.env, &second.env);
            }
            (true, false) | (false, true) => {
                let (live, dead, polarity) = if first.alive {
                    (&first, &second, true)
                } else {
                    (&second, &first, false)
                };
                let (cause, leaving) = dead.leaving;
                self.guards.push(Guard {
                    term: condition,
                    polarity,
                    cause,
                    point: leaving,
                });
                self.guards.extend(live.extra.iter().copied());
                self.env = live.env.clone();
            }
            (false, false) => {
                self.last_leaving = second.leaving;
                self.env = second.env.clone();
            }
        }
        self.alive = first.alive || second.alive;
        self.frontier = first.frontier;
        self.frontier.extend(second.frontier);
        self.join(range);
    }

    fn arm(
        &mut self,
        condition: TermId,
        polarity: bool,
        point: PointId,
        act: &mut dyn FnMut(&mut Self),
    ) -> Arm {
        let base = self.guards.len();
        self.frontier = vec![point];
        self.alive = true;
        self.guards.push(Guard {
            term: condition,
            polarity,
            cause: GuardCause::Branch,
            point,
        });
        act(self);
        let extra = self.guards.split_off(base + 1);
        self.guards.truncate(base);
        Arm {
            env: self.env.clone(),
            frontier: if self.alive {
                std::mem::take(&mut self.frontier)
            } else {
                Vec::new()
            },
            alive: self.alive,
            extra,
            leaving: self.last_leaving,
        }
    }

    /// After a join: a run that took this arm passed the jump of the guard without taking it.
    pub(crate) fn survived(&mut self, arm: TermId, guard: Guard) {
        let taken = if guard.polarity {
            self.facts.terms.not(guard.term)
        } else {
            guard.term
        };
        let left = self.facts.terms.and(arm, taken);
        self.guards.push(Guard {
            term: left,
            polarity: false,
            ..guard
        });
    }

    /// Does something under a condition that cannot jump and assigns no variable but through
    /// values that it merges itself.
    pub(crate) fn guarded<T>(
        &mut self,
        condition: TermId,
        polarity: bool,
        range: Range,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let point = self.point(PointKind::Branch, range);
        self.guards.push(Guard {
            term: condition,
            polarity,
            cause: GuardCause::Branch,
            point,
        });
        let result = act(self);
        self.guards.pop();
        if !self.frontier.contains(&point) {
            self.frontier.push(point);
        }
        self.join(range);
        result
    }

    /// Control does not go on from here: `cause` and `point` say where it went.
    pub(crate) fn leave(&mut self, cause: GuardCause, point: PointId) {
        self.alive = false;
        self.frontier.clear();
        self.last_leaving = (cause, point);
    }

    /// A jump out of what began when there were `guards` guards.
    pub(crate) fn jump(&mut self, guards: usize, point: PointId) -> Jump {
        Jump {
            condition: self.conjunction(guards),
            env: self.env.clone(),
            point,
        }
    }

    /// Joins jumps with what falls through, at their common target. Guards are the caller's.
    pub(crate) fn land(&mut self, jumps: Vec<Jump>) {
        for jump in jumps {
            if self.alive {
                let env = self.env.clone();
                self.env = self.merge_env(jump.condition, &jump.env, &env);
            } else {
                self.env = jump.env;
                self.alive = true;
            }
            self.frontier.push(jump.point);
        }
    }
}
