//! Pointers that a loop makes lead to other memory: double buffers.
//!
//! `t = p; p = q; q = t;` at the end of an iteration, with p and q of two arrays. The trial of a loop starts with what each
//! pointer leads to before it, so that p ends it in another shape than it began. Such a pointer is *widened* before the loop
//! to all the memory that those exchanged with each other lead to, one target for each, of which the condition of one is
//! true:
//!
//! ```text
//! p = { x if true,  y if false }        q = { x if false,  y if true }
//! ```
//!
//! and the trial is made again. Now the exchange is one of scalars, the conditions, which have closed forms (`closed.rs`): at
//! the head of iteration k, p is `{ x if k % 2 == 0, y if k % 2 != 0 }`.
//!
//! An exchange under a condition, `if (c[i]) swap(p, q);`, has no closed form, but all conditions are one unknown or its contrary
//! (`inductive/truths.rs`).
//!
//! **Invariant.** In the trial that counts, the shape of each variable at the head holds in every iteration: its shape at the
//! end is the same, or it is taken to be anything at the head. A trial in which it is not says nothing of the variables that
//! were set from it: in `q = p; p = y;`, with both x before, q is y in the third round.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::{CType, TermId};

use super::body::Lowerer;
use super::closed::{Inside, Slot};
use super::inductive::Follows;
use super::loops::Shape;
use super::trial::{Plan, flatten, shape_of, targets_of};
use super::value::*;
use crate::syntax::ast::Range;

/// Most arrays that pointers exchange.
const MAX_BASES: usize = 4;
/// Most trials of a loop.
const MAX_TRIALS: usize = 8;
/// Most values that go round.
const MAX_TURNS: usize = 8;

/// What the trials of a loop so far have shown of its pointers.
#[derive(Default)]
struct Redirected {
    /// Places between which pointers are exchanged.
    groups: Vec<Vec<Base>>,
    /// Variables that lead to one of these.
    widened: BTreeSet<VarId>,
    /// Variables of which nothing is known at the head.
    forgotten: BTreeSet<VarId>,
}

impl Redirected {
    /// Takes in that a variable begins with one value and ends with another; whether its pointers can be followed.
    fn include(&mut self, var: VarId, start: &Value, end: &Value) -> bool {
        let mut pairs = Vec::new();
        if !pointers_in_turn(start, end, &mut pairs) {
            return false;
        }
        for (start, end) in pairs {
            let targets = start.targets.iter().chain(&end.targets);
            let mut group: Vec<Base> = Vec::new();
            for target in targets {
                if target.base == Base::Unknown {
                    return false;
                }
                if !group.contains(&target.base) {
                    group.push(target.base);
                }
            }
            if !is_once_each(&start.targets) {
                return false;
            }
            let (joined, apart): (Vec<_>, Vec<_>) = std::mem::take(&mut self.groups)
                .into_iter()
                .partition(|other| other.iter().any(|base| group.contains(base)));
            let mut union: Vec<Base> = Vec::new();
            for base in joined.into_iter().flatten().chain(group) {
                if !union.contains(&base) {
                    union.push(base);
                }
            }
            let fits = union.len() <= MAX_BASES;
            self.groups = apart;
            self.groups.push(union);
            if !fits {
                return false;
            }
        }
        self.widened.insert(var);
        true
    }

    fn forget(&mut self, var: VarId) -> bool {
        self.widened.remove(&var);
        self.forgotten.insert(var)
    }

    /// The group of a pointer that leads to parts of it only.
    fn group_of(&self, pointer: &Pointer) -> Option<&[Base]> {
        let has_all = |group: &&Vec<Base>| {
            let mut targets = pointer.targets.iter();
            targets.all(|target| group.contains(&target.base))
        };
        let group = self.groups.iter().find(has_all)?;
        (group.len() <= MAX_BASES && is_once_each(&pointer.targets)).then_some(group)
    }
}

impl Lowerer<'_, '_> {
    /// What an iteration of a loop changes, by as many trials as its pointers need. Widens pointers in the environment.
    ///
    /// A variable that is set in the loop only begins as one that is not known: what it is at the end of an iteration may have a
    /// form then.
    pub(super) fn settled_plan(&mut self, shape: &Shape) -> Plan {
        let before = self.env.clone();
        let plan = self.plan_by_trials(shape);
        if plan.first_set.is_empty() {
            return plan;
        }
        self.env = before;
        for (var, end) in &plan.first_set {
            let name = self.variables[var.0 as usize].0.clone();
            let start = self.env.get(*var).clone();
            let begun = self.begun(&name, &start, end, shape.range);
            self.env.set(*var, begun);
        }
        self.plan_by_trials(shape)
    }

    /// A value with one that is not known wherever it was never set and the end of an iteration has a scalar.
    fn begun(&mut self, name: &str, start: &Value, end: &Value, range: Range) -> Value {
        match (start, end) {
            (Value::Uninitialised, Value::Term(end)) => {
                let ty = self.facts.terms.ty(*end);
                let reason = format!("uninitialised variable {name}");
                let unset = self.unknown(&reason, range, ty, true);
                self.unset.insert(unset);
                Value::Term(unset)
            }
            (Value::Struct(before), Value::Struct(after)) if before.len() == after.len() => {
                let members = before.iter().zip(after.iter());
                let members = members.map(|((member, before), (_, after))| {
                    let name = format!("{name}.{member}");
                    (member.clone(), self.begun(&name, before, after, range))
                });
                Value::Struct(Rc::new(members.collect()))
            }
            (start, _) => start.clone(),
        }
    }

    fn plan_by_trials(&mut self, shape: &Shape) -> Plan {
        let before = self.env.clone();
        let mut known = Redirected::default();
        for _ in 0..MAX_TRIALS {
            self.env = before.clone();
            self.widen(&known);
            for &var in &known.forgotten {
                let value = forgotten(before.get(var));
                self.env.set(var, value);
            }
            let mut plan = self.plan(shape);
            for (var, end) in &plan.reshaped {
                targets_of(before.get(*var), &mut self.escaped);
                targets_of(end, &mut self.escaped);
            }
            if self.learn(&plan, &before, &mut known) {
                continue;
            }
            for &var in &known.forgotten {
                self.env.set(var, before.get(var).clone());
                plan.changed.retain(|(changed, _)| *changed != var);
                plan.changed.push((var, None));
            }
            plan.redirected.extend(&known.widened);
            return plan;
        }
        self.env = before;
        let mut plan = self.plan(shape);
        for (var, slots) in &mut plan.changed {
            if has_pointers(self.env.get(*var)) {
                *slots = None;
            }
        }
        plan
    }

    /// Whether a trial shows more than those before, so that another one is needed.
    fn learn(&mut self, plan: &Plan, before: &Env, known: &mut Redirected) -> bool {
        let mut more = false;
        for (var, end) in &plan.reshaped {
            if known.forgotten.contains(var) {
                continue;
            }
            let start = before.get(*var);
            if known.include(*var, start, end) {
                more = true;
            } else {
                more |= known.forget(*var) && has_pointers(start);
            }
        }
        if more {
            return true;
        }
        for var in self.unsteady(plan, known) {
            more |= known.forget(var);
        }
        more
    }

    /// The variables whose pointers lead now here, now there in a way that has no closed form.
    fn unsteady(&mut self, plan: &Plan, known: &Redirected) -> Vec<VarId> {
        let leads_elsewhere =
            |var: &VarId| known.widened.contains(var) || plan.redirected.contains(var);
        if !plan.changed.iter().any(|(var, _)| leads_elsewhere(var)) {
            return Vec::new();
        }
        let (forms, _) = self.forms_of(plan);
        let follows = self.followers(plan, &forms);
        // Those that are known together: one unknown tells where all of them lead.
        let together = |index: usize| {
            let leads = |one: &Option<Follows>| one.is_some_and(|one| one.leader == index);
            follows[index].is_some() || follows.iter().any(leads)
        };
        let mut found = Vec::new();
        for (var, indices) in &plan.changed {
            let Some(indices) = indices else { continue };
            if !leads_elsewhere(var) {
                continue;
            }
            let mut conditions = Vec::new();
            slots_of_conditions(self.env.get(*var), &mut conditions);
            let mut decisive = indices.iter().zip(conditions);
            if decisive.any(|(&index, is_condition)| {
                is_condition && forms[index].is_none() && !together(index)
            }) {
                found.push(*var);
            }
        }
        found
    }

    /// Gives the variables that are exchanged all the targets of their groups.
    fn widen(&mut self, known: &Redirected) {
        let values: Vec<(VarId, Value)> = known
            .widened
            .iter()
            .map(|&var| (var, self.env.get(var).clone()))
            .collect();
        for (var, value) in &values {
            let wide = map_pointers(value, &mut |pointer| match known.group_of(pointer) {
                Some(group) => self.widened(pointer, group, &values),
                None => pointer.clone(),
            });
            self.env.set(*var, wide);
        }
    }

    fn widened(&mut self, pointer: &Pointer, group: &[Base], all: &[(VarId, Value)]) -> Pointer {
        let mut targets = Vec::with_capacity(group.len());
        for &base in group {
            let own = pointer.targets.iter().find(|target| target.base == base);
            // Where it does not lead, what it would be counted from is that of another, so that the two need not be told apart.
            let offset = match own {
                Some(target) => target.offset,
                None => offset_from(base, all).unwrap_or_else(|| self.long(0)),
            };
            let condition = match own {
                Some(target) => target.condition,
                None => Some(self.facts.terms.truth(false)),
            };
            let condition = condition.unwrap_or_else(|| self.facts.terms.truth(true));
            targets.push(Target {
                condition: Some(condition),
                base,
                offset,
            });
        }
        Pointer {
            targets,
            element: pointer.element.clone(),
        }
    }

    /// A value with its pointers over the targets of a model's, in their order: the same value in another shape.
    pub(super) fn in_shape(&mut self, model: &Value, value: &Value) -> Option<Value> {
        if shape_of(model) == shape_of(value) {
            let same = flatten(model).len() == flatten(value).len();
            return same.then(|| value.clone());
        }
        match (model, value) {
            (Value::Pointer(model), Value::Pointer(pointer)) => {
                self.over_targets_of(model, pointer).map(Value::Pointer)
            }
            (Value::Struct(models), Value::Struct(fields)) if models.len() == fields.len() => {
                let mut mapped = Vec::with_capacity(fields.len());
                for ((name, model), (other, field)) in models.iter().zip(fields.iter()) {
                    if name != other {
                        return None;
                    }
                    mapped.push((name.clone(), self.in_shape(model, field)?));
                }
                Some(Value::Struct(Rc::new(mapped)))
            }
            _ => None,
        }
    }

    fn over_targets_of(&mut self, model: &Pointer, pointer: &Pointer) -> Option<Pointer> {
        let is_of_model = |target: &Target| {
            let mut bases = model.targets.iter().map(|one| one.base);
            target.base != Base::Unknown && bases.any(|base| base == target.base)
        };
        let is_told = |target: &Target| target.condition.is_some() || model.targets.len() == 1;
        if model.element != pointer.element
            || !is_once_each(&model.targets)
            || !model.targets.iter().all(is_told)
            || !pointer.targets.iter().all(is_of_model)
        {
            return None;
        }
        let mut targets = Vec::with_capacity(model.targets.len());
        for one in &model.targets {
            let own = pointer.targets.iter().filter(|own| own.base == one.base);
            let mut offset = None;
            let mut when = self.facts.terms.truth(false);
            for target in own.rev() {
                let condition = match target.condition {
                    Some(condition) => condition,
                    None => self.facts.terms.truth(true),
                };
                let terms = &mut self.facts.terms;
                when = terms.or(when, condition);
                offset = Some(match offset {
                    Some(rest) => terms.ite(condition, target.offset, rest),
                    None => target.offset,
                });
            }
            targets.push(Target {
                condition: one.condition.map(|_| when),
                base: one.base,
                // Where it does not lead, the model's stays.
                offset: offset.unwrap_or(one.offset),
            });
        }
        Some(Pointer {
            targets,
            element: pointer.element.clone(),
        })
    }

    /// The value after a loop of a variable that a break may have made lead elsewhere than it does in the loop.
    pub(super) fn or_left_with(
        &mut self,
        at_break: &Value,
        otherwise: Value,
        inside: Inside,
        controls: &[TermId],
        range: Range,
    ) -> Value {
        let at_break = self.map_slots(at_break, &mut |me, term| {
            if me.is_invariant(term, inside) {
                return term;
            }
            let ty = me.facts.terms.ty(term);
            me.unknown_of(
                "what a loop was left with",
                range,
                ty,
                false,
                &[term],
                controls,
            )
        });
        let reason = "the way out of a loop";
        let taken = self.unknown_of(reason, range, CType::Bool, false, &[], controls);
        self.merge(taken, &at_break, &otherwise)
    }

    /// After the loop: targets that are certainly meant, or certainly not, are so without condition.
    pub(super) fn narrow(&mut self, vars: &BTreeSet<VarId>) {
        for &var in vars {
            let value = map_pointers(self.env.get(var), &mut |pointer| self.narrowed(pointer));
            self.env.set(var, value);
        }
    }

    fn narrowed(&self, pointer: &Pointer) -> Pointer {
        let value = |target: &Target| {
            let condition = target.condition?;
            self.facts.terms.as_const(condition)
        };
        let mut pointer = pointer.clone();
        if let Some(meant) = pointer.targets.iter().find(|one| value(one) == Some(1)) {
            pointer.targets = vec![Target {
                condition: None,
                ..meant.clone()
            }];
        } else if pointer.targets.iter().any(|one| value(one) != Some(0)) {
            pointer.targets.retain(|one| value(one) != Some(0));
        }
        pointer
    }
}

/// `t = a; a = b; b = c; c = t;`: the values before the loop that a variable of these has in turn.
pub(super) fn turns(slots: &[Slot], one: usize) -> Option<Vec<TermId>> {
    let mut starts = vec![slots[one].start];
    let mut at = one;
    loop {
        at = slots.iter().position(|other| other.phi == slots[at].end)?;
        if at == one {
            return (starts.len() > 1).then_some(starts);
        }
        if starts.len() == MAX_TURNS {
            return None;
        }
        starts.push(slots[at].start);
    }
}

/// Whether each place is the target of one condition only.
fn is_once_each(targets: &[Target]) -> bool {
    let mut rest = targets;
    while let Some((first, others)) = rest.split_first() {
        if first.base == Base::Unknown || others.iter().any(|other| other.base == first.base) {
            return false;
        }
        rest = others;
    }
    true
}

/// The pointers at the same positions of two values that differ in their targets; false if the values differ in more.
fn pointers_in_turn<'v>(
    one: &'v Value,
    other: &'v Value,
    found: &mut Vec<(&'v Pointer, &'v Pointer)>,
) -> bool {
    if shape_of(one) == shape_of(other) {
        return true;
    }
    match (one, other) {
        (Value::Pointer(one), Value::Pointer(other)) => {
            found.push((one, other));
            one.element == other.element
        }
        (Value::Struct(one), Value::Struct(other)) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|(one, other)| {
                    one.0 == other.0 && pointers_in_turn(&one.1, &other.1, found)
                })
        }
        _ => false,
    }
}

/// The first offset from a place that one of the values has.
fn offset_from(base: Base, values: &[(VarId, Value)]) -> Option<TermId> {
    let mut found = None;
    for (_, value) in values {
        map_pointers(value, &mut |pointer| {
            let mut targets = pointer.targets.iter();
            let own = targets.find(|target| target.base == base);
            found = found.or(own.map(|target| target.offset));
            pointer.clone()
        });
    }
    found
}

/// A value with every pointer in it replaced.
fn map_pointers(value: &Value, image: &mut dyn FnMut(&Pointer) -> Pointer) -> Value {
    match value {
        Value::Pointer(pointer) => Value::Pointer(image(pointer)),
        Value::Struct(fields) => {
            let mapped = fields
                .iter()
                .map(|(name, field)| (name.clone(), map_pointers(field, image)));
            Value::Struct(Rc::new(mapped.collect()))
        }
        other => other.clone(),
    }
}

/// Whether there is anything to forget of where a value leads.
fn has_pointers(value: &Value) -> bool {
    match value {
        Value::Pointer(_) | Value::Function(_) => true,
        Value::Struct(fields) => fields.iter().any(|(_, field)| has_pointers(field)),
        _ => false,
    }
}

/// A value of which it is not known where it leads.
fn forgotten(value: &Value) -> Value {
    match value {
        Value::Function(_) => Value::Unknown,
        Value::Struct(fields) => {
            let mapped = fields
                .iter()
                .map(|(name, field)| (name.clone(), forgotten(field)));
            Value::Struct(Rc::new(mapped.collect()))
        }
        Value::Pointer(pointer) => Value::Pointer(Pointer {
            targets: pointer
                .targets
                .iter()
                .take(1)
                .map(|target| Target {
                    condition: None,
                    base: Base::Unknown,
                    offset: target.offset,
                })
                .collect(),
            element: pointer.element.clone(),
        }),
        other => other.clone(),
    }
}

/// For each scalar of a value, in the order of `flatten`, whether it decides where a pointer leads.
fn slots_of_conditions(value: &Value, found: &mut Vec<bool>) {
    match value {
        Value::Term(_) => found.push(false),
        Value::Pointer(pointer) => {
            for target in &pointer.targets {
                found.push(false);
                found.extend(target.condition.map(|_| true));
            }
        }
        Value::Struct(fields) => fields
            .iter()
            .for_each(|(_, field)| slots_of_conditions(field, found)),
        _ => {}
    }
}
