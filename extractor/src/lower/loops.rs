//! Loops: a trial lowering finds what an iteration changes, closed forms or unknowns stand for the
//! values at the head, then the body is lowered once for an arbitrary iteration.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Guard, JumpFrame, JumpTarget, Lowerer};
use super::closed::{is_of_ordinal, made_before};
use super::contracts::{HeadWord, Told};
use super::inductive::{Follows, Kept};
use super::trial::{Plan, flatten, targets_of};
use super::value::*;
use crate::syntax::ast::*;

/// The parts of a loop statement.
pub(super) struct Shape<'e> {
    pub cond: Option<&'e Expr>,
    pub update: Option<&'e Expr>,
    pub body: &'e Stmt,
    pub posttest: bool,
    pub range: Range,
    /// The label before it.
    pub label: Option<&'e str>,
}

/// When a loop with breaks is left.
#[derive(Clone, Copy)]
pub(super) struct LeftAt {
    /// The number of the iteration.
    pub iteration: TermId,
    /// The facts tell which one that is.
    pub is_told: bool,
}

/// What lowering one iteration gave.
pub(super) struct Iteration {
    /// Condition of a pre-test loop.
    pub condition: Option<TermId>,
    /// Whether evaluating it touches memory or branches.
    pub condition_has_points: bool,
    /// Whether evaluating it changes variables.
    pub condition_has_effects: bool,
    /// Where a failing condition leaves the loop.
    pub exit_frontier: Vec<PointId>,
    /// Condition of a post-test loop.
    pub again: Option<TermId>,
}

impl Lowerer<'_, '_> {
    /// `for` and `while`.
    pub(crate) fn pretest_loop(
        &mut self,
        cond: Option<&Expr>,
        update: Option<&Expr>,
        body: &Stmt,
        range: Range,
        label: Option<&str>,
    ) {
        let head = self.loop_head(cond, body, false);
        let shape = Shape {
            cond: head.condition,
            update,
            body,
            posttest: false,
            range,
            label,
        };
        self.loop_(&shape, &head.words);
    }

    /// `do … while`.
    pub(crate) fn posttest_loop(&mut self, body: &Stmt, cond: &Expr, range: Range) {
        let head = self.loop_head(Some(cond), body, true);
        let shape = Shape {
            cond: Some(cond),
            update: None,
            body,
            posttest: true,
            range,
            label: None,
        };
        self.loop_(&shape, &head.words);
    }

    fn loop_(&mut self, shape: &Shape, words: &[HeadWord<'_>]) {
        let plan = self.settled_plan(shape);
        if self.trial > 0 {
            // Only what the loop changes matters to the trial around it.
            let counted = self.kept_on_trial(&plan);
            for (var, slots) in &plan.changed {
                if let Some(slots) = slots {
                    self.blur_slots(*var, slots, &plan, &counted, shape.range);
                } else {
                    self.havoc(*var, "changed in a loop", shape.range);
                }
            }
            if !counted.at_exit.is_empty()
                && let Some(cond) = shape.cond
            {
                self.fail_condition(cond, shape.range);
            }
            self.trial_lost |= plan.lost;
            self.lead_away(plan.away, shape.range);
            return;
        }
        let wide = self.wide_invariants();
        let of_function = wide
            .iter()
            .map(|(condition, guess)| HeadWord::wide(condition, *guess, shape.posttest));
        let words: Vec<HeadWord<'_>> = words.iter().copied().chain(of_function).collect();
        self.emit_loop(shape, &plan, &words);
    }

    /// The condition of a pre-test loop, the body, the jumps that end an iteration, the update and
    /// the condition of a post-test loop. Leaves the loop and its jump frame for the caller to pop.
    pub(super) fn iteration(
        &mut self,
        shape: &Shape,
        loop_id: LoopId,
        head: PointId,
        told: &[Told<'_>],
    ) -> Iteration {
        self.loops.push(loop_id);
        self.use_invariants(told, false);
        let points = self.facts.point.len();
        let at_head = self.env.clone();
        let mut condition = None;
        if !shape.posttest {
            condition = Some(match shape.cond {
                Some(cond) => self.full_condition(cond),
                // `for (;;)`
                None => self.facts.terms.truth(true),
            });
        }
        let condition_has_points = self.facts.point.len() > points;
        let condition_has_effects = !self.env.same(&at_head);
        drop(at_head);
        let exit_frontier = self.frontier.clone();
        if let Some(term) = condition {
            self.guards.push(Guard {
                term,
                polarity: true,
                cause: GuardCause::Loop,
                point: head,
            });
        }
        let guards = self.guards.len();
        self.jumps.push(JumpFrame {
            loop_id: Some(loop_id),
            label: shape.label.map(str::to_owned),
            guards,
            living: self.living.len(),
            ..JumpFrame::default()
        });
        self.use_invariants(told, true);
        self.scoped(shape.body);
        let continues = match self.jumps.last_mut() {
            Some(frame) => std::mem::take(&mut frame.continues),
            None => Vec::new(),
        };
        self.settle(guards, |guard| guard.cause == GuardCause::Continue);
        self.land(continues);
        let mut again = None;
        if self.alive {
            if let Some(update) = shape.update {
                self.full_expression(Some(update.range), |me| me.discard(update));
            }
            if let (true, Some(cond)) = (shape.posttest, shape.cond) {
                again = Some(self.full_condition(cond));
            }
            self.preserve_invariants(told, shape.cond, again, shape.range);
        }
        Iteration {
            condition,
            condition_has_points,
            condition_has_effects,
            exit_frontier,
            again,
        }
    }

    /// Removes guards whose target has been reached, and weakens those behind them: they were
    /// decided only by runs that had not jumped.
    pub(crate) fn settle(&mut self, from: usize, reached: impl Fn(&Guard) -> bool) {
        let tail = self.guards.split_off(from.min(self.guards.len()));
        let mut passed = self.facts.terms.truth(true);
        for guard in tail {
            if reached(&guard) {
                let term = self.guard_term(guard);
                passed = self.facts.terms.and(passed, term);
            } else if self.facts.terms.as_const(passed) == Some(1) {
                self.guards.push(guard);
            } else {
                self.survived(passed, guard);
            }
        }
    }

    pub(super) fn loop_row(&self, loop_id: LoopId, head: PointId) -> LoopRow {
        LoopRow {
            loop_id,
            launch: self.launch,
            parent: self.loops.last().copied(),
            head,
            condition: None,
            has_break: false,
            max_iterations: None,
        }
    }

    fn emit_loop(&mut self, shape: &Shape, plan: &Plan, words: &[HeadWord<'_>]) {
        let loop_id = plan.inside.loop_id;
        let told = self.tell_invariants(words, shape.cond, shape.posttest, loop_id, shape.range);
        let outer_guards = self.guards.len();
        let start_env = self.env.clone();
        let (forms, assumed) = self.forms_of(plan);
        if assumed {
            self.assumption("loop counters do not wrap");
        }

        let row = self.facts.loop_.len();
        let placeholder = self.loop_row(loop_id, PointId(0));
        self.facts.relations.loop_.push(placeholder);
        self.loops.push(loop_id);
        let head = self.point(PointKind::LoopHead, shape.range);
        self.facts.relations.loop_[row].head = head;
        let kept = self.kept_of_slots(plan, &forms);
        let follows = self.followers(plan, &forms);
        let head_values = self.enter(plan, &forms, &kept, &follows, shape.range);
        let head_terms: Vec<TermId> = head_values.iter().map(|value| value.term).collect();
        let condition = if shape.posttest {
            self.posttest_condition(plan, &head_terms, shape)
        } else {
            (None, None)
        };
        if let Some(term) = condition.0 {
            self.guards.push(Guard {
                term,
                polarity: true,
                cause: GuardCause::Loop,
                point: head,
            });
        }
        self.loops.pop();

        let returns = self.calls.last().map_or(0, |call| call.returns.len());
        let (leavings, untold_ways) = (self.leavings.len(), self.untold_ways);
        let run = self.iteration(shape, loop_id, head, &told);
        let all_told = self.untold_ways == untold_ways;
        let term = if shape.posttest {
            condition.0
        } else {
            run.condition
        };
        if let Some(term) = run.again {
            self.facts
                .repeats_while
                .push(RepeatsWhileRow { loop_id, term });
        }
        if let (Some(unknown), Some(term)) = (condition.1, run.again) {
            self.facts
                .unknown_depends_on
                .push(UnknownDependsOnRow { unknown, term });
        }
        if self.alive {
            self.join(shape.range);
        }
        let latch = if self.alive {
            self.frontier.clone()
        } else {
            Vec::new()
        };
        for &from in &latch {
            self.facts.cfg_edge.push(CfgEdgeRow { from, to: head });
            self.facts.back_edge.push(BackEdgeRow {
                from,
                to: head,
                loop_id,
            });
        }
        self.depend_on_end(plan, &head_values, &start_env);
        let frame = self.jumps.pop().unwrap_or_default();
        let own = JumpTarget::Frame(self.jumps.len());
        self.leavings.retain(|one| one.target != own);
        let further = self.leavings.get(leavings..).unwrap_or_default();
        let ways_out: Vec<JumpTarget> = further.iter().map(|one| one.target).collect();
        if ways_out
            .iter()
            .any(|target| matches!(target, JumpTarget::Frame(_)))
        {
            self.untold_ways += 1;
        }
        self.loops.pop();
        self.guards.truncate(outer_guards);

        let has_break = !frame.breaks.is_empty() || frame.left_early;
        let trips = term.and_then(|term| self.count(term, loop_id));
        let bound = trips.or_else(|| self.bound(&forms, plan, term));
        let loop_row = &mut self.facts.relations.loop_[row];
        loop_row.condition = term;
        loop_row.has_break = has_break;
        // What the condition reads, it reads once more than there are iterations.
        let once_more = u64::from(!shape.posttest && run.condition_has_points);
        loop_row.max_iterations = bound.map(|bound| bound.saturating_add(once_more));

        // Where the loop is known to run, it is left from its end only.
        let certain = trips.is_some_and(|trips| trips > 0) && !run.condition_has_points;
        let decides = if shape.posttest {
            run.again
        } else {
            run.condition
        };
        let exits_by_condition =
            decides.is_some_and(|term| self.facts.terms.as_const(term) != Some(1));
        let mut frontier = Vec::new();
        if exits_by_condition {
            frontier = if shape.posttest || (certain && !latch.is_empty()) {
                latch
            } else {
                run.exit_frontier
            };
        }
        self.alive = exits_by_condition || !frame.breaks.is_empty();
        let breaks: Vec<(TermId, Env)> = frame
            .breaks
            .iter()
            .map(|jump| (jump.condition, jump.env.clone()))
            .collect();
        frontier.extend(frame.breaks.iter().map(|jump| jump.point));
        self.frontier = frontier;
        if !self.alive {
            self.leave_endless(head, &ways_out);
            return;
        }
        self.join(shape.range);
        if frame.left_early {
            self.doubt_after_return(returns, shape.range);
        }
        let exit = match trips {
            Some(trips) if !has_break => self.long(i64::try_from(trips).unwrap_or(i64::MAX)),
            _ => self.facts.terms.exit_of(loop_id),
        };
        let usable = term.is_some() && !has_break;
        let left_at = (!shape.posttest && !frame.left_early && !breaks.is_empty()).then(|| {
            let goes_on = self.goes_on(term, &breaks, plan.inside);
            // The evaluation of the condition that ends a loop has its effects besides.
            // A counter that is taken not to wrap may end the loop as it does.
            let is_exact = all_told && !assumed && !run.condition_has_effects;
            let goes_on = goes_on.filter(|_| is_exact);
            let counted = goes_on.and_then(|goes_on| self.count(goes_on, loop_id));
            let iteration = match counted {
                Some(number) => self.long(i64::try_from(number).unwrap_or(i64::MAX)),
                None => self.left_at(trips, term, &breaks, shape.range),
            };
            if let Some(goes_on) = goes_on.filter(|_| counted.is_none()) {
                self.tell_when_left(iteration, goes_on, (plan.inside, shape.range));
            }
            let is_told = goes_on.is_some();
            LeftAt { iteration, is_told }
        });
        self.leave_loop(
            plan,
            &forms,
            &kept,
            &follows,
            &head_terms,
            &start_env,
            usable.then_some(exit),
            left_at,
            term,
            &breaks,
            shape.range,
        );
        self.narrow(&plan.redirected);
        if let Some(goes_on) = decides.filter(|_| !has_break && exits_by_condition) {
            self.wait_by_loop(loop_id, goes_on, shape.range);
        }
        if !shape.posttest && !has_break && exits_by_condition {
            self.leave_invariants(&told, shape.cond);
            if let Some(cond) = shape.cond {
                self.fail_condition(cond, shape.range);
            }
        }
    }

    /// Nothing goes on behind a loop: whoever comes to it stays in it, or has jumped out of it to a target further out. Where all
    /// jumps have one target, that is where all of them are on their way to, and behind it they are back; where they have
    /// several, nothing is said of the ways behind them.
    fn leave_endless(&mut self, head: PointId, ways_out: &[JumpTarget]) {
        let target = ways_out.first().copied().unwrap_or(JumpTarget::Nowhere);
        self.leave(GuardCause::Loop, head, target);
        if ways_out.iter().any(|other| *other != target)
            && let Some(last) = self.leavings.last_mut()
        {
            last.loops = usize::MAX;
        }
    }

    /// `while (i++ < n)`: the last evaluation of the condition, which ends the loop, has its effects on variables as well.
    /// Its accesses have been told in the loop.
    fn fail_condition(&mut self, cond: &Expr, range: Range) {
        let mark = self.mark();
        let (accesses, unknowns) = (self.facts.access.len(), self.facts.unknown.len());
        let saved = (
            self.env.clone(),
            self.frontier.clone(),
            self.guards.clone(),
            self.alive,
            self.last_leaving,
        );
        let variables = saved.0.len();
        self.trial += 1;
        self.full_condition(cond);
        self.trial -= 1;
        self.undo(&mark);
        let after = self.env.clone();
        (
            self.env,
            self.frontier,
            self.guards,
            self.alive,
            self.last_leaving,
        ) = saved;
        for index in 0..variables {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            if after.get(var) == self.env.get(var) {
                continue;
            }
            let value = after.get(var).clone();
            let reachable = self.facts.terms.reachable(&flatten(&value));
            let lasts = reachable.into_iter().all(|id| {
                let term = self.facts.terms.get(id);
                let of_trial = term
                    .access()
                    .is_some_and(|access| access.index() >= accesses)
                    || term
                        .unknown()
                        .is_some_and(|unknown| unknown.index() >= unknowns);
                !of_trial
            });
            if lasts && !matches!(value, Value::Local(_)) {
                self.env.set(var, value);
            } else {
                self.havoc(var, "changed by the condition of a loop", range);
            }
        }
    }

    /// What follows a loop in an inlined function runs only if no iteration returned, which no
    /// term of this place can say: an unknown stands for it.
    fn doubt_after_return(&mut self, returns: usize, range: Range) {
        let Some(call) = self.calls.last().filter(|call| !call.is_kernel) else {
            return;
        };
        let conditions: Vec<TermId> = call.returns[returns.min(call.returns.len())..]
            .iter()
            .map(|(jump, _)| jump.condition)
            .collect();
        let reason = "whether a function returned inside its loop";
        let term = self.unknown_of(reason, range, CType::Bool, false, &conditions, &[]);
        if let Some(&point) = self.frontier.first() {
            self.guards.push(Guard {
                term,
                polarity: false,
                cause: GuardCause::Branch,
                point,
            });
        }
    }

    /// The condition of being in iteration k of a post-test loop, and the unknown that stands for
    /// it when it has no closed form.
    fn posttest_condition(
        &mut self,
        plan: &Plan,
        head_terms: &[TermId],
        shape: &Shape,
    ) -> (Option<TermId>, Option<UnknownId>) {
        let Some(again) = plan.again else {
            return (None, None);
        };
        let iter = self.facts.terms.iter_of(plan.inside.loop_id);
        let (zero, one) = (self.long(0), self.long(1));
        let before = self.facts.terms.binary(Op::Sub, CType::I64, iter, one);
        let back: FxHashMap<TermId, TermId> = [(iter, before)].into_iter().collect();
        let first = self.facts.terms.binary(Op::Eq, CType::Bool, iter, zero);
        let mut images = FxHashMap::default();
        for (slot, &term) in plan.slots.iter().zip(head_terms) {
            images.insert(slot.phi, self.facts.terms.replace(term, &back));
        }
        let again = self.facts.terms.replace(again, &images);
        let own = plan.again.is_some_and(|again| self.mentions(again, iter));
        if !own && is_of_ordinal(&self.facts.terms, again, iter, plan.inside) {
            return (Some(self.facts.terms.or(first, again)), None);
        }
        let reason = "condition of a do loop that has no closed form";
        let term = self.unknown_of(reason, shape.range, CType::Bool, false, &[], &[]);
        let unknown = self.facts.terms.get(term).unknown();
        (Some(self.facts.terms.or(first, term)), unknown)
    }

    /// The iteration in which a loop is left by `break` or by its condition: which one that is, is not known, but never
    /// one after that in which the condition fails.
    fn left_at(
        &mut self,
        trips: Option<u64>,
        condition: Option<TermId>,
        breaks: &[(TermId, Env)],
        range: Range,
    ) -> TermId {
        let mut controls: Vec<TermId> = condition.into_iter().collect();
        controls.extend(breaks.iter().map(|(condition, _)| *condition));
        let reason = "the iteration in which a loop is left";
        let some = self.unknown_of(reason, range, CType::I64, false, &[], &controls);
        let zero = self.long(0);
        let not_before = self.facts.terms.binary(Op::Max, CType::I64, some, zero);
        match trips.and_then(|trips| i64::try_from(trips).ok()) {
            Some(trips) => {
                let last = self.long(trips);
                let terms = &mut self.facts.terms;
                terms.binary(Op::Min, CType::I64, not_before, last)
            }
            None => not_before,
        }
    }

    /// The values after the loop: closed forms at the exit, or unknowns.
    #[expect(
        clippy::too_many_arguments,
        reason = "the state of one loop, used once"
    )]
    fn leave_loop(
        &mut self,
        plan: &Plan,
        forms: &[Option<TermId>],
        kept: &[Kept],
        follows: &[Option<Follows>],
        head_terms: &[TermId],
        start: &Env,
        exit: Option<TermId>,
        left_at: Option<LeftAt>,
        condition: Option<TermId>,
        breaks: &[(TermId, Env)],
        range: Range,
    ) {
        let iter = self.facts.terms.iter_of(plan.inside.loop_id);
        let never_ran = exit.is_some_and(|exit| self.facts.terms.as_const(exit) == Some(0));
        self.env = start.clone();
        if never_ran {
            return;
        }
        let mut controls: Vec<TermId> = condition.into_iter().collect();
        controls.extend(breaks.iter().map(|(condition, _)| *condition));
        // What the body reads does not tell the number of iterations.
        let counted = condition
            .is_some_and(|condition| made_before(&self.facts.terms, condition, plan.inside));
        // By slot, what is not known of it behind the loop, where it is as at the head.
        let mut as_at_head: Vec<Option<TermId>> = vec![None; plan.slots.len()];
        for (var, indices) in &plan.changed {
            let Some(indices) = indices else {
                // Where its pointers lead at a break, they may lead behind the loop.
                for env in breaks.iter().map(|(_, env)| env).chain([start]) {
                    targets_of(env.get(*var), &mut self.escaped);
                }
                self.havoc(*var, "changed in a loop", range);
                continue;
            };
            let (mut at_breaks, mut elsewhere) = (Vec::new(), Vec::new());
            for (_, env) in breaks {
                match self.in_shape(start.get(*var), env.get(*var)) {
                    Some(value) => at_breaks.push(flatten(&value)),
                    None => elsewhere.push(env.get(*var).clone()),
                }
            }
            let mut after = Vec::with_capacity(indices.len());
            for (position, &index) in indices.iter().enumerate() {
                // A break leaves what the variable was at the head of that iteration, if the body has not changed it.
                let unchanged = at_breaks
                    .iter()
                    .all(|terms| terms.get(position) == Some(&head_terms[index]));
                let exit = exit.or(left_at.filter(|_| unchanged).map(|left| left.iteration));
                let term = match (exit, forms[index]) {
                    (Some(exit), Some(form)) => self
                        .facts
                        .terms
                        .replace(form, &[(iter, exit)].into_iter().collect()),
                    _ if let Some(one) =
                        follows[index].filter(|_| unchanged && elsewhere.is_empty())
                        && let Some(leader) = as_at_head[one.leader] =>
                    {
                        self.following(one, leader)
                    }
                    _ => {
                        let name = self.variables[var.0 as usize].0.clone();
                        let nothing = Kept::default();
                        let kept = if unchanged { &kept[index] } else { &nothing };
                        let ty = kept.ty(self.facts.terms.ty(plan.slots[index].phi));
                        let mut depends = vec![head_terms[index]];
                        for terms in &at_breaks {
                            depends.extend(terms.get(position).copied());
                        }
                        let reason = format!("{name} after a loop");
                        let some = self.unknown_of(&reason, range, ty, false, &depends, &controls);
                        if breaks.is_empty()
                            && left_at.is_none()
                            && kept.is_clamped_only()
                            && let Some(unknown) = self.facts.terms.get(some).unknown()
                        {
                            self.facts.left_with.push(LeftWithRow {
                                unknown,
                                loop_id: plan.inside.loop_id,
                                value: head_terms[index],
                            });
                        }
                        let ordinal = exit.filter(|_| counted);
                        let value = self.kept_value(&plan.slots[index], kept, some, ordinal);
                        as_at_head[index] =
                            Some(value).filter(|_| unchanged && elsewhere.is_empty());
                        value
                    }
                };
                let told =
                    left_at.filter(|left| left.is_told && !unchanged && elsewhere.is_empty());
                let ways: Option<Vec<(TermId, TermId)>> = told.and_then(|_| {
                    let at = breaks.iter().zip(&at_breaks);
                    at.map(|((met, _), terms)| Some((*met, *terms.get(position)?)))
                        .collect()
                });
                let exact = told.zip(ways).and_then(|(left, ways)| {
                    let slot = (&plan.slots[index], forms[index], term);
                    self.left_exactly(slot, &ways, (left.iteration, condition), plan.inside)
                });
                after.push(exact.unwrap_or(term));
            }
            let mut next = after.into_iter();
            let value = start.get(*var).clone();
            let mut value = self.map_slots(&value, &mut |_, term| next.next().unwrap_or(term));
            for other in &elsewhere {
                value = self.or_left_with(other, value, plan.inside, &controls, range);
            }
            self.env.set(*var, value);
        }
        // What changes only on the way to a break.
        for index in 0..start.len() {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            if plan.changed.iter().any(|(changed, _)| *changed == var) {
                continue;
            }
            let before = start.get(var).clone();
            if breaks.iter().all(|(_, env)| *env.get(var) == before) {
                continue;
            }
            let (name, ty) = self.variables[index].clone();
            let mut depends = flatten(&before);
            for (_, env) in breaks {
                depends.extend(flatten(env.get(var)));
            }
            let value = match &before {
                Value::Term(before) => {
                    let place = (plan.inside, controls.as_slice(), range);
                    let at_breaks = breaks.iter().map(|(condition, env)| match env.get(var) {
                        Value::Term(value) => Some((*condition, *value)),
                        _ => None,
                    });
                    let at_breaks: Option<Vec<(TermId, TermId)>> = at_breaks.collect();
                    let known = left_at.zip(at_breaks).and_then(|(left_at, at_breaks)| {
                        self.left_by_breaks(*before, &at_breaks, (left_at, condition), place)
                    });
                    let reason = format!("{name} after a loop");
                    Value::Term(match known {
                        Some(value) => value,
                        None => {
                            self.unknown_of(&reason, range, ty.ctype(), false, &depends, &controls)
                        }
                    })
                }
                Value::Local(local) => Value::Local(LocalArray {
                    known: Rc::default(),
                    ..local.clone()
                }),
                _ => {
                    let place = (plan.inside, controls.as_slice(), range);
                    let mut value = before.clone();
                    for (met, env) in breaks {
                        let at_break = env.get(var);
                        if *at_break != before {
                            let way = (*met, condition);
                            value = self.or_left_by(at_break, value, way, left_at, place);
                        }
                    }
                    value
                }
            };
            self.env.set(var, value);
        }
    }
}
