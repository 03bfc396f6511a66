//! The trial lowering of a loop: one iteration with placeholders for all variables shows what an iteration changes, and what it
//! changes on the way out. What is made in it is undone.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Jump, Lowerer};
use super::closed::{Inside, Slot};
use super::loops::Shape;
use super::types::Ty;
use super::value::*;
use crate::syntax::ast::Range;

/// Unknowns from here on are the placeholders of trial lowerings; they never reach the facts.
const FIRST_PLACEHOLDER: u32 = 1 << 31;

/// Whether a term stands for what a variable is at the head of a loop that is lowered on trial.
pub(super) fn is_placeholder(terms: &TermStore, term: TermId) -> bool {
    let unknown = terms.get(term).unknown();
    unknown.is_some_and(|unknown| unknown.0 >= FIRST_PLACEHOLDER)
}
/// What the trial found.
pub(super) struct Plan {
    pub slots: Vec<Slot>,
    /// For each changed variable: its slots, or none when its shape changes.
    pub changed: Vec<(VarId, Option<Vec<usize>>)>,
    /// Those whose shape changes, with what they are at the end.
    pub reshaped: Vec<(VarId, Value)>,
    /// Variables of which nobody has set a scalar before the loop, with what they are at the end.
    pub first_set: Vec<(VarId, Value)>,
    /// Those whose pointers lead elsewhere at the end, to what they may lead to at the head.
    pub redirected: BTreeSet<VarId>,
    /// Condition of a further iteration of a post-test loop, over the φ of changed slots.
    pub again: Option<TermId>,
    /// Condition of a pre-test loop, over the φ of changed slots.
    pub condition: Option<TermId>,
    /// What holds at the end of an iteration that goes on, over the φ of changed slots.
    pub stays: Vec<(TermId, bool)>,
    pub inside: Inside,
    pub away: Away,
    /// The loop may be left besides by its condition.
    pub broken: bool,
    /// The trial met what it does not understand, as it knows less of pointers: what it wrote there is not known.
    pub lost: bool,
}

/// How an iteration leads out of the loop besides by its condition.
#[derive(Default)]
pub(super) struct Away {
    /// Variables that are otherwise there than at the head, and whether only in their scalars.
    pub changed: Vec<(VarId, bool)>,
    /// What a function returns from inside.
    pub returns: Vec<Option<Value>>,
    /// Positions of the frames outside that it breaks and continues.
    pub breaks: Vec<usize>,
    pub continues: Vec<usize>,
}

impl Away {
    fn is_none(&self) -> bool {
        self.changed.is_empty()
            && self.returns.is_empty()
            && self.breaks.is_empty()
            && self.continues.is_empty()
    }
}

impl Lowerer<'_, '_> {
    /// Forgets the scalars of a variable but not its shape: what a pointer points into stays.
    pub(super) fn blur(&mut self, var: VarId, kept: &[bool], range: Range) {
        let reason = format!("{}, changed in a loop", self.variables[var.0 as usize].0);
        let value = self.env.get(var).clone();
        let mut kept = kept.iter().copied();
        let value = self.map_slots(&value, &mut |me, term| {
            if kept.next().unwrap_or(false) {
                return term;
            }
            let ty = me.facts.terms.ty(term);
            me.unknown(&reason, range, ty, true)
        });
        self.env.set(var, value);
    }

    /// On trial, the jumps out of a loop: after any number of iterations, with what these change.
    pub(super) fn lead_away(&mut self, away: Away, range: Range) {
        for (var, scalars) in away.changed {
            if scalars {
                self.blur(var, &[], range);
            } else {
                self.havoc(var, "changed on the way out of a loop", range);
            }
        }
        let point = self.frontier.first().copied().unwrap_or(PointId(0));
        for value in away.returns {
            let value = value.map(|value| {
                self.map_slots(&value, &mut |me, term| {
                    let ty = me.facts.terms.ty(term);
                    me.unknown("value returned from inside a loop", range, ty, true)
                })
            });
            let jump = self.some_jump(point, range);
            if let Some(call) = self.calls.last_mut() {
                call.returned_in_loop = true;
                call.returns.push((jump, value));
            }
        }
        for position in away.breaks {
            let jump = self.some_jump(point, range);
            self.jumps[position].breaks.push(jump);
        }
        for position in away.continues {
            let jump = self.some_jump(point, range);
            self.jumps[position].continues.push(jump);
        }
    }

    fn some_jump(&mut self, point: PointId, range: Range) -> Jump {
        Jump {
            condition: self.unknown("way out of a loop", range, CType::Bool, true),
            env: self.env.clone(),
            point,
        }
    }

    /// What a trial that is about to be undone jumped to, besides the end of its iteration.
    fn away(
        &self,
        placeholders: &[(VarId, Value, Vec<TermId>)],
        frames: &[(usize, usize, bool)],
        returns: usize,
    ) -> Away {
        let mut away = Away::default();
        let mut envs: Vec<&Env> = Vec::new();
        for (position, frame) in self.jumps.iter().enumerate() {
            let &(breaks, continues, _) = frames.get(position).unwrap_or(&(0, 0, false));
            envs.extend(frame.breaks[breaks..].iter().map(|jump| &jump.env));
            envs.extend(frame.continues[continues..].iter().map(|jump| &jump.env));
            if position < frames.len() && frame.breaks.len() > breaks {
                away.breaks.push(position);
            }
            if position < frames.len() && frame.continues.len() > continues {
                away.continues.push(position);
            }
        }
        // A thread that leaves the kernel changes nothing any more.
        if let Some(call) = self.calls.last().filter(|call| !call.is_kernel) {
            for (jump, value) in &call.returns[returns..] {
                envs.push(&jump.env);
                away.returns.push(value.clone());
            }
        }
        for (var, at_head, _) in placeholders {
            let mut others = envs.iter().map(|env| env.get(*var));
            if others.clone().any(|value| value != at_head) {
                let shape = shape_of(at_head);
                let scalars = others.all(|value| shape_of(value) == shape);
                away.changed.push((*var, scalars));
            }
        }
        away
    }

    pub(super) fn havoc(&mut self, var: VarId, why: &str, range: Range) {
        let (name, ty) = self.variables[var.0 as usize].clone();
        let value = match self.env.get(var).clone() {
            Value::Local(local) => Value::Local(LocalArray {
                known: Rc::default(),
                ..local
            }),
            _ => self.unknown_value(&ty, &format!("{name}, {why}"), range),
        };
        self.env.set(var, value);
    }

    /// A number that no placeholder from now on has, and all until now have or are below.
    pub(super) fn last_placeholder(&self) -> u32 {
        FIRST_PLACEHOLDER.saturating_add(u32::try_from(self.facts.terms.len()).unwrap_or(u32::MAX))
    }

    /// Lowers one iteration on trial, with placeholders for all variables.
    pub(super) fn plan(&mut self, shape: &Shape) -> Plan {
        let mark = self.mark();
        let inside = self.inside_from_here();
        let saved = (
            self.env.clone(),
            self.frontier.clone(),
            self.guards.clone(),
            self.last_leaving,
        );
        let variables = self.variables.len();
        let returns = self.calls.last().map_or(0, |call| call.returns.len());
        let returned_in_loop = self.calls.last().is_some_and(|call| call.returned_in_loop);
        let jump_state: Vec<(usize, usize, bool)> = self
            .jumps
            .iter()
            .map(|frame| (frame.breaks.len(), frame.continues.len(), frame.left_early))
            .collect();
        self.trial += 1;

        // The placeholder row keeps the ids of inner loops apart from this one's.
        let head = self.point(PointKind::LoopHead, shape.range);
        self.facts
            .relations
            .loop_
            .push(self.loop_row(inside.loop_id, head));
        let mut placeholders: Vec<(VarId, Value, Vec<TermId>)> = Vec::new();
        let mut next = self.last_placeholder();
        for index in 0..variables {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            let mut phis = Vec::new();
            let start = self.env.get(var).clone();
            let value = match &start {
                Value::Local(local) => Value::Local(LocalArray {
                    known: Rc::default(),
                    ..local.clone()
                }),
                start => self.map_slots(start, &mut |me, term| {
                    next += 1;
                    let ty = me.facts.terms.ty(term);
                    let phi = me.facts.terms.unknown(UnknownId(next), ty);
                    phis.push(phi);
                    me.begins_as(phi, term);
                    phi
                }),
            };
            self.env.set(var, value.clone());
            placeholders.push((var, value, phis));
        }
        let trial_env = self.env.clone();
        let written_outside = std::mem::take(&mut self.trial_writes);
        let lost_outside = std::mem::take(&mut self.trial_lost);
        let not_understood = self.facts.unsupported.len();
        let run = self.iteration(shape, inside.loop_id, head, &[]);
        self.loops.pop();

        let end_env = if self.alive {
            self.env.clone()
        } else {
            trial_env
        };
        let stays = self.guards.get(saved.2.len()..).unwrap_or_default();
        let stays: Vec<(TermId, bool)> = stays
            .iter()
            .filter(|_| self.alive)
            .map(|guard| (guard.term, guard.polarity))
            .collect();
        let lost = self.trial_lost || self.facts.unsupported.len() > not_understood;
        self.trial_lost = lost_outside;
        let away = self.away(&placeholders, &jump_state, returns);
        let own = self.jumps.get(jump_state.len());
        let broken = own.is_some_and(|frame| !frame.breaks.is_empty() || frame.left_early);
        self.trial -= 1;
        self.undo(&mark);
        self.variables.truncate(variables);
        (self.env, self.frontier, self.guards, self.last_leaving) = saved;
        self.alive = true;
        self.jumps.truncate(jump_state.len());
        for (frame, &(breaks, continues, left_early)) in self.jumps.iter_mut().zip(&jump_state) {
            frame.breaks.truncate(breaks);
            frame.continues.truncate(continues);
            frame.left_early = left_early;
        }
        if let Some(call) = self.calls.last_mut() {
            call.returns.truncate(returns);
            call.returned_in_loop = returned_in_loop;
        }
        let mut plan = self.compare(
            placeholders,
            &end_env,
            (run.condition, run.again),
            stays,
            inside,
        );
        plan.broken = broken || !away.is_none();
        plan.away = away;
        if lost {
            plan.lost = true;
            for var in self.within_reach() {
                if !plan.changed.iter().any(|(changed, _)| *changed == var) {
                    plan.changed.push((var, None));
                }
            }
        }
        self.trial_writes.extend(written_outside);
        plan
    }

    /// Which variables the trial changed, and how.
    fn compare(
        &mut self,
        placeholders: Vec<(VarId, Value, Vec<TermId>)>,
        end_env: &Env,
        (condition, again): (Option<TermId>, Option<TermId>),
        stays: Vec<(TermId, bool)>,
        inside: Inside,
    ) -> Plan {
        let mut unchanged: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut slots = Vec::new();
        let mut changed = Vec::new();
        let mut reshaped = Vec::new();
        let mut first_set = Vec::new();
        let mut redirected = BTreeSet::new();
        for (var, placeholder, phis) in placeholders {
            let start = self.env.get(var).clone();
            let end = end_env.get(var).clone();
            let starts = flatten(&start);
            if let (Value::Local(before), Value::Local(after)) = (&start, &end) {
                // Elements that the body may have written are forgotten; a body that only reads
                // leaves the trial's empty knowledge as it is.
                let _ = before;
                if self.written_in_trial(after.array) || !after.known.is_empty() {
                    changed.push((var, None));
                }
                continue;
            }
            if end == placeholder && !matches!(start, Value::Uninitialised) {
                unchanged.extend(phis.iter().copied().zip(starts));
                continue;
            }
            if end == placeholder {
                continue;
            }
            if matches!(start, Value::Uninitialised) {
                let is_scalar = matches!(self.variables[var.0 as usize].1, Ty::Scalar(_));
                if is_scalar && matches!(end, Value::Term(_)) {
                    first_set.push((var, end));
                }
                changed.push((var, None));
                continue;
            }
            if sets_first(&start, &end) {
                first_set.push((var, end.clone()));
            }
            let Some(in_shape) = self.in_shape(&placeholder, &end) else {
                reshaped.push((var, end));
                changed.push((var, None));
                continue;
            };
            if shape_of(&end) != shape_of(&placeholder) {
                redirected.insert(var);
            }
            let ends = flatten(&in_shape);
            let mut indices = Vec::new();
            for ((phi, start), end) in phis.into_iter().zip(starts).zip(ends) {
                if phi == end {
                    unchanged.insert(phi, start);
                }
                indices.push(slots.len());
                slots.push(Slot { phi, start, end });
            }
            changed.push((var, Some(indices)));
        }
        for slot in &mut slots {
            slot.end = self.facts.terms.replace(slot.end, &unchanged);
            if unchanged.contains_key(&slot.phi) {
                slot.end = slot.start;
            }
        }
        let again = again.map(|again| self.facts.terms.replace(again, &unchanged));
        let condition = condition.map(|condition| self.facts.terms.replace(condition, &unchanged));
        let stays = stays
            .into_iter()
            .map(|(term, polarity)| (self.facts.terms.replace(term, &unchanged), polarity))
            .collect();
        Plan {
            broken: false,
            slots,
            changed,
            reshaped,
            first_set,
            redirected,
            again,
            condition,
            stays,
            inside,
            away: Away::default(),
            lost: false,
        }
    }

    /// A write through a pointer that is not understood: any variable that one leads to may have changed.
    pub(crate) fn write_somewhere(&mut self, range: Range) {
        for var in self.within_reach() {
            self.havoc(var, "written through a pointer", range);
        }
    }

    /// The variables that a pointer or a reference leads to, or led to before it was given up.
    fn within_reach(&self) -> BTreeSet<VarId> {
        let mut found = self.escaped.clone();
        for index in 0..self.env.len() {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            targets_of(self.env.get(var), &mut found);
        }
        for closure in &self.closures {
            for place in closure.bindings.bindings() {
                match place {
                    Binding::Variable(var) => {
                        found.insert(*var);
                    }
                    Binding::Reference(place) => targets_of_place(place, &mut found),
                    Binding::Memory { .. } => {}
                }
            }
            if let Some(place) = &closure.this {
                targets_of_place(place, &mut found);
            }
        }
        // Lambdas that were made in a trial have variables of its own.
        found.retain(|var| (var.0 as usize) < self.variables.len());
        found
    }

    /// Whether the trial wrote the local array: its accesses tell.
    fn written_in_trial(&self, array: ArrayId) -> bool {
        self.trial_writes.contains(&array)
    }

    /// The value with every scalar in it replaced.
    pub(super) fn map_slots(
        &mut self,
        value: &Value,
        image: &mut dyn FnMut(&mut Self, TermId) -> TermId,
    ) -> Value {
        match value {
            Value::Term(term) => Value::Term(image(self, *term)),
            Value::Pointer(pointer) => {
                let mut targets = pointer.targets.clone();
                for target in &mut targets {
                    target.offset = image(self, target.offset);
                    if let Some(condition) = target.condition {
                        target.condition = Some(image(self, condition));
                    }
                }
                Value::Pointer(Pointer {
                    targets,
                    element: pointer.element.clone(),
                })
            }
            Value::Struct(fields) => {
                let mut mapped = Vec::with_capacity(fields.len());
                for (name, field) in fields.iter() {
                    mapped.push((name.clone(), self.map_slots(field, image)));
                }
                Value::Struct(Rc::new(mapped))
            }
            other => other.clone(),
        }
    }
}

/// Whether the second value has a scalar where a member of the first one was never set.
fn sets_first(start: &Value, end: &Value) -> bool {
    match (start, end) {
        (Value::Uninitialised, Value::Term(_)) => true,
        (Value::Struct(before), Value::Struct(after)) if before.len() == after.len() => {
            let mut members = before.iter().zip(after.iter());
            members.any(|((_, before), (_, after))| sets_first(before, after))
        }
        _ => false,
    }
}

/// The scalars of a value, in the order of `map_slots`.
pub(super) fn flatten(value: &Value) -> Vec<TermId> {
    match value {
        Value::Term(term) => vec![*term],
        Value::Pointer(pointer) => pointer
            .targets
            .iter()
            .flat_map(|target| std::iter::once(target.offset).chain(target.condition))
            .collect(),
        Value::Struct(fields) => fields
            .iter()
            .flat_map(|(_, field)| flatten(field))
            .collect(),
        _ => Vec::new(),
    }
}

/// What of a value is no scalar: two values of one shape differ in their scalars only.
pub(super) fn shape_of(value: &Value) -> String {
    match value {
        Value::Term(_) => "t".to_owned(),
        Value::Pointer(pointer) => {
            let bases: Vec<String> = pointer
                .targets
                .iter()
                .map(|target| format!("{:?}{}", target.base, target.condition.is_some()))
                .collect();
            format!("p{}{:?}", bases.join(","), pointer.element)
        }
        Value::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|(_, field)| shape_of(field)).collect();
            format!("s({})", fields.join(","))
        }
        Value::Local(local) => format!("l{:?}", local.array),
        Value::Function(function) => format!("f{function:?}"),
        Value::Void => "v".to_owned(),
        Value::Uninitialised => "u".to_owned(),
        Value::Unknown => "?".to_owned(),
    }
}

/// The variables that the pointers in a value point to.
pub(super) fn targets_of(value: &Value, found: &mut BTreeSet<VarId>) {
    match value {
        Value::Pointer(pointer) => found.extend(pointer.targets.iter().filter_map(variable_of)),
        Value::Struct(fields) => fields
            .iter()
            .for_each(|(_, field)| targets_of(field, found)),
        Value::Local(local) => local
            .known
            .values()
            .for_each(|part| targets_of(part, found)),
        _ => {}
    }
}

fn targets_of_place(place: &Lvalue, found: &mut BTreeSet<VarId>) {
    match place {
        Lvalue::Variable { var, .. } => {
            found.insert(*var);
        }
        Lvalue::Memory { targets, .. } => found.extend(targets.iter().filter_map(variable_of)),
        Lvalue::Unknown => {}
    }
}

fn variable_of(target: &Target) -> Option<VarId> {
    match target.base {
        Base::Variable(var) => Some(var),
        _ => None,
    }
}
