//! The values of variables at the head of a loop: closed forms, or unknowns of which something is kept.

use warplog_facts::*;

use super::body::Lowerer;
use super::inductive::{Follows, Kept};
use super::trial::{Plan, flatten};
use super::value::Env;
use crate::syntax::ast::Range;

/// The value of a slot at the head of an iteration.
pub(super) struct HeadValue {
    pub term: TermId,
    /// What stands for the part of it that is not known.
    pub unknown: Option<UnknownId>,
    /// Whether that may be taken to be the value itself.
    pub is_whole: bool,
}

impl Lowerer<'_, '_> {
    /// Sets the changed variables to their values at the head; gives each slot's value there.
    pub(super) fn enter(
        &mut self,
        plan: &Plan,
        forms: &[Option<TermId>],
        kept: &[Kept],
        follows: &[Option<Follows>],
        range: Range,
    ) -> Vec<HeadValue> {
        let loop_id = plan.inside.loop_id;
        let iter = self.facts.terms.iter_of(loop_id);
        let mut values: Vec<HeadValue> = Vec::with_capacity(plan.slots.len());
        let mut named: Vec<Option<String>> = vec![None; plan.slots.len()];
        for (var, indices) in &plan.changed {
            if let Some(indices) = indices {
                for &index in indices {
                    named[index] = Some(self.variables[var.0 as usize].0.clone());
                }
            }
        }
        for (index, slot) in plan.slots.iter().enumerate() {
            let name = named[index].clone().unwrap_or_default();
            let value = match forms[index] {
                Some(form) => {
                    self.facts.loop_variable.push(LoopVariableRow {
                        loop_id,
                        name,
                        term: form,
                    });
                    HeadValue {
                        term: form,
                        unknown: None,
                        is_whole: false,
                    }
                }
                None if let Some(one) = follows[index] => HeadValue {
                    term: self.following(one, values[one.leader].term),
                    unknown: values[one.leader].unknown,
                    is_whole: false,
                },
                None => {
                    let ty = kept[index].ty(self.facts.terms.ty(slot.phi));
                    let reason =
                        format!("{name}, changed in a loop in a way that has no closed form");
                    let some = self.unknown_of(&reason, range, ty, false, &[slot.start], &[]);
                    HeadValue {
                        term: self.kept_value(slot, &kept[index], some, Some(iter)),
                        unknown: self.facts.terms.get(some).unknown(),
                        // Clamps by what is proved to hold do not change the value.
                        is_whole: kept[index].is_clamped_only(),
                    }
                }
            };
            values.push(value);
        }
        for (var, indices) in &plan.changed {
            match indices {
                Some(indices) => {
                    let mut next = indices.iter();
                    let start = self.env.get(*var).clone();
                    let value = self.map_slots(&start, &mut |_, term| {
                        next.next().map_or(term, |&index| values[index].term)
                    });
                    self.env.set(*var, value);
                }
                None => self.havoc(*var, "changed in a loop", range),
            }
        }
        values
    }

    /// A truth value that follows another one.
    pub(super) fn following(&mut self, one: Follows, leader: TermId) -> TermId {
        match one.contrary {
            true => self.facts.terms.not(leader),
            false => leader,
        }
    }

    /// An unknown at the head is a function of its values at the end of the iteration before.
    pub(super) fn depend_on_end(&mut self, plan: &Plan, head_values: &[HeadValue], start: &Env) {
        for (var, indices) in &plan.changed {
            let Some(indices) = indices else { continue };
            let (start, end) = (start.get(*var).clone(), self.env.get(*var).clone());
            let ends = self.in_shape(&start, &end);
            let ends = ends.map_or_else(Vec::new, |end| flatten(&end));
            for (position, &index) in indices.iter().enumerate() {
                let Some(unknown) = head_values[index].unknown else {
                    continue;
                };
                match ends.get(position) {
                    Some(&term) if ends.len() == indices.len() => {
                        if head_values[index].is_whole {
                            self.facts.carried.push(CarriedRow {
                                unknown,
                                loop_id: plan.inside.loop_id,
                                start: plan.slots[index].start,
                                next: term,
                            });
                        }
                        self.facts
                            .unknown_depends_on
                            .push(UnknownDependsOnRow { unknown, term });
                    }
                    _ => self.facts.relations.unknown[unknown.index()].opaque = true,
                }
            }
        }
    }
}
