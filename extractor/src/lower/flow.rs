//! Control flow: branches and joins, jumps, and what they leave in the path condition.
//!
//! **Invariant.** After every statement, `guards` is the exact path condition within the current
//! iteration: what an arm left by a jump adds is the negation of that arm's condition, with the
//! jump as its cause. An arm that is left for several targets adds a guard for each of them, as
//! each ends where its own target is reached.

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Guard, Jump, JumpTarget, Leaving, Lowerer};
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
    /// The jumps of the arm whose targets are outside it.
    leavings: Vec<Leaving>,
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
        self.contracts.inactive.push(first.env.clone());
        let second = self.arm(condition, false, point, els);
        self.contracts.inactive.pop();
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
                let base = self.guards.len();
                if dead
                    .leavings
                    .iter()
                    .any(|one| one.target != dead.leavings[0].target)
                {
                    self.not_left(base, &dead.leavings);
                } else {
                    let (cause, leaving) = dead.leaving;
                    self.guards.push(Guard {
                        term: condition,
                        polarity,
                        cause,
                        point: leaving,
                    });
                }
                self.guards.extend(live.extra.iter().copied());
                self.env = live.env.clone();
            }
            (false, false) => {
                self.last_leaving = second.leaving;
                self.env = second.env.clone();
            }
        }
        self.leavings.extend(first.leavings);
        self.leavings.extend(second.leavings);
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
        let leavings = self.leavings.len();
        self.frontier = vec![point];
        self.alive = true;
        self.guards.push(Guard {
            term: condition,
            polarity,
            cause: GuardCause::Branch,
            point,
        });
        self.contracts.inactive.push(self.env.clone());
        let living = self.living.len();
        act(self);
        self.end_branch(living);
        self.contracts.inactive.pop();
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
            leavings: self.leavings.split_off(leavings),
        }
    }

    /// Guards that say, relative to the first `base`, that none of these jumps was taken: one for each target. Those out
    /// of a loop that is over by now have no condition here; what follows is lowered without it, which hides no access.
    fn not_left(&mut self, base: usize, leavings: &[Leaving]) {
        let mut targets: Vec<(JumpTarget, GuardCause)> = Vec::new();
        for one in leavings {
            if !targets.contains(&(one.target, one.cause)) {
                targets.push((one.target, one.cause));
            }
        }
        for (target, cause) in targets {
            let of_target = leavings
                .iter()
                .filter(|one| (one.target, one.cause) == (target, cause));
            let mut taken = self.facts.terms.truth(false);
            let mut point = None;
            for one in of_target {
                if one.loops > self.loops.len() {
                    self.untold_ways += 1;
                    point = None;
                    break;
                }
                let mut condition = self.facts.terms.truth(true);
                for guard in one.guards.get(base..).unwrap_or_default() {
                    let term = self.guard_term(*guard);
                    condition = self.facts.terms.and(condition, term);
                }
                taken = self.facts.terms.or(taken, condition);
                point = Some(one.point);
            }
            if let Some(point) = point {
                self.guards.push(Guard {
                    term: taken,
                    polarity: false,
                    cause,
                    point,
                });
            }
        }
    }

    /// The end of what the innermost frame stands for, which is no loop: brings its jumps together with what falls
    /// through. What goes on to targets further out stays in the path condition.
    pub(crate) fn finish_frame(&mut self, leavings: usize, range: Range) {
        let frame = self.jumps.pop().unwrap_or_default();
        let own = JumpTarget::Frame(self.jumps.len());
        let mut further = self.leavings.split_off(leavings.min(self.leavings.len()));
        further.retain(|one| one.target != own);
        if !frame.breaks.is_empty() {
            self.guards.truncate(frame.guards);
            self.not_left(frame.guards, &further);
        }
        self.leavings.extend(further);
        self.land(frame.breaks);
        self.join(range);
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
        let tracked = self.tracked_values();
        let result = act(self);
        self.guards.pop();
        if !tracked.is_empty() {
            let happens = match polarity {
                true => condition,
                false => self.facts.terms.not(condition),
            };
            self.merge_tracked(tracked, happens);
        }
        if !self.frontier.contains(&point) {
            self.frontier.push(point);
        }
        self.join(range);
        result
    }

    /// Control does not go on from here: `cause` and `point` say where it went.
    pub(crate) fn leave(&mut self, cause: GuardCause, point: PointId, target: JumpTarget) {
        self.leavings.push(Leaving {
            cause,
            point,
            target,
            guards: self.guards.clone(),
            loops: self.loops.len(),
        });
        self.alive = false;
        self.frontier.clear();
        self.last_leaving = (cause, point);
    }

    /// The term as it is where the guards hold: behind `if (c)`, what is `c ? a : b` is `a`.
    pub(crate) fn under_guards(&mut self, id: TermId) -> TermId {
        let reachable = self.facts.terms.reachable(&[id]);
        let is_choice = |id: &TermId| self.facts.terms.get(*id).op == Op::Ite;
        if !reachable.iter().any(is_choice) {
            return id;
        }
        let mut known: FxHashMap<TermId, bool> = FxHashMap::default();
        let mut stack: Vec<(TermId, bool)> = self
            .guards
            .iter()
            .map(|guard| (guard.term, guard.polarity))
            .collect();
        while let Some((term, holds)) = stack.pop() {
            let node = self.facts.terms.get(term);
            match (node.op, holds) {
                (Op::Not, _) => stack.push((node.args[0], !holds)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(node.args.iter().map(|&arg| (arg, holds)));
                }
                _ => {}
            }
            known.insert(term, holds);
        }
        let images: FxHashMap<TermId, TermId> = reachable
            .into_iter()
            .filter_map(|term| Some((term, self.facts.terms.truth(*known.get(&term)?))))
            .collect();
        if images.is_empty() {
            return id;
        }
        self.facts.terms.replace(id, &images)
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
