//! How often a loop runs: counted by its condition, or bounded by a variable that doubles or halves.

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::range::Ranges;
use warplog_facts::*;

use super::body::Lowerer;
use super::closed::{Inside, Slot};
use super::trial::Plan;

/// Most iterations that are counted by running the condition.
const MAX_COUNTED: i128 = 1 << 14;

struct IterationIs(LoopId, i128);

impl Environment for IterationIs {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        (term.op == Op::Iter && term.loop_id() == Some(self.0)).then_some(self.1)
    }
}

impl Lowerer<'_, '_> {
    /// The closed forms of what the loop changes, and whether they rest on counters that do not wrap.
    pub(super) fn forms_of(&mut self, plan: &Plan) -> (Vec<Option<TermId>>, bool) {
        let again = plan.condition.or(plan.again);
        let (mut forms, mut assumed) = self.closed_forms(&plan.slots, plan.inside, again, false);
        if assumed {
            let (exact, _) = self.closed_forms(&plan.slots, plan.inside, again, true);
            if self.is_counted(plan, &exact) {
                (forms, assumed) = (exact, false);
            }
        }
        if let Some(trips) = self.trips(plan, &forms) {
            self.list_values(&plan.slots, &mut forms, plan.inside, trips);
        }
        for (slot, form) in plan.slots.iter().zip(&mut forms) {
            if let Some(known) = *form
                && self.unset.contains(&slot.start)
            {
                *form = Some(self.as_if_set(known, slot.start, plan.inside));
            }
        }
        (forms, assumed)
    }

    /// The form of a variable that the first iteration sets: what nobody has set nobody may read, so that it may begin as what it
    /// is after that one.
    fn as_if_set(&mut self, form: TermId, start: TermId, inside: Inside) -> TermId {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let one = self.long(1);
        let set = self.at_iteration(form, iter, one);
        if self.mentions(set, start) {
            return form;
        }
        let images = [(start, set)].into_iter().collect();
        self.facts.terms.replace(form, &images)
    }

    /// Whether the loop is known to end after few iterations, by these closed forms.
    fn is_counted(&mut self, plan: &Plan, forms: &[Option<TermId>]) -> bool {
        self.trips(plan, forms).is_some()
    }

    /// The number of iterations of a pre-test loop that is left by its condition at last.
    pub(super) fn trips(&mut self, plan: &Plan, forms: &[Option<TermId>]) -> Option<u64> {
        let condition = plan.condition?;
        let mut images = FxHashMap::default();
        for (slot, form) in plan.slots.iter().zip(forms) {
            if let Some(form) = *form {
                images.insert(slot.phi, form);
            }
        }
        let condition = self.facts.terms.replace(condition, &images);
        self.count(condition, plan.inside.loop_id)
    }

    /// The number of iterations, as a term, of a pre-test loop that is left by its condition only: one that compares a counter, which
    /// steps by a constant, with what does not change in the loop. `for (i = a; i < n; i += c)` has `max(0, (n - a + c - 1) / c)`.
    pub(super) fn trips_term(&mut self, plan: &Plan) -> Option<TermId> {
        if plan.broken || plan.lost {
            return None;
        }
        let condition = self.facts.terms.get(plan.condition?);
        let (op, &[left, right]) = (condition.op, condition.args.as_slice()) else {
            return None;
        };
        if !matches!(op, Op::Lt | Op::Le) {
            return None;
        }
        let counter = |term: TermId| plan.slots.iter().find(|slot| slot.phi == term);
        let (slot, bound, rises) = match (counter(left), counter(right)) {
            (Some(slot), None) => (*slot, right, true),
            (None, Some(slot)) => (*slot, left, false),
            _ => return None,
        };
        let step = self.constant_step(&slot)?;
        let step = if rises { step } else { -step };
        let open = |me: &Self, term: TermId| !me.is_invariant(term, plan.inside);
        if step < 1 || open(self, bound) || open(self, slot.start) {
            return None;
        }
        // Differences of the others may not fit in 64 bits.
        let ty = self.facts.terms.ty(slot.phi);
        if !ty.is_integer() || ty.bits().is_none_or(|bits| bits > 32) {
            return None;
        }
        let (zero, step_less, step) = (
            self.long(0),
            self.long(step - i64::from(op == Op::Lt)),
            self.long(step),
        );
        let terms = &mut self.facts.terms;
        let [bound, start] = [bound, slot.start].map(|term| terms.cast(term, CType::I64));
        let (high, low) = if rises {
            (bound, start)
        } else {
            (start, bound)
        };
        let apart = terms.binary(Op::Sub, CType::I64, high, low);
        let apart = terms.binary(Op::Add, CType::I64, apart, step_less);
        let trips = terms.binary(Op::Div, CType::I64, apart, step);
        Some(terms.binary(Op::Max, CType::I64, trips, zero))
    }

    /// The constant that an iteration adds to a counter.
    fn constant_step(&self, slot: &Slot) -> Option<i64> {
        let terms = &self.facts.terms;
        let end = terms.get(slot.end);
        let &[left, right] = end.args.as_slice() else {
            return None;
        };
        let step = match end.op {
            Op::Add if left == slot.phi => terms.as_const(right)?,
            Op::Add if right == slot.phi => terms.as_const(left)?,
            Op::Sub if left == slot.phi => -terms.as_const(right)?,
            _ => return None,
        };
        i64::try_from(step).ok().filter(|step| step.abs() < 1 << 31)
    }

    /// The number of iterations, when the condition depends on nothing but the ordinal.
    pub(super) fn count(&self, condition: TermId, loop_id: LoopId) -> Option<u64> {
        let inside = self.facts.terms.reachable(&[condition]);
        let counts = |id: &TermId| {
            let term = self.facts.terms.get(*id);
            term.op == Op::Iter && term.loop_id() == Some(loop_id)
        };
        // What the iteration does not change holds in all of them, or in none.
        let most = if inside.iter().any(counts) {
            MAX_COUNTED
        } else {
            1
        };
        for k in 0..most {
            let environment = IterationIs(loop_id, k);
            match Evaluator::new(&self.facts.terms, &environment).value(condition) {
                Ok(0) => return u64::try_from(k).ok(),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// A bound on the number of iterations from a variable that doubles or halves.
    pub(super) fn bound(
        &self,
        forms: &[Option<TermId>],
        plan: &Plan,
        condition: Option<TermId>,
    ) -> Option<u64> {
        let mut bound = None;
        for (form, slot) in forms.iter().zip(&plan.slots) {
            let Some(form) = *form else { continue };
            let term = self.facts.terms.get(form);
            let bits = u64::from(term.ty.bits().unwrap_or(64));
            let found = match term.op {
                // Past this the variable has overflowed, which is undefined.
                Op::MulPow
                    if term.ty.is_signed()
                        && self
                            .facts
                            .terms
                            .as_const(slot.start)
                            .is_some_and(|start| start != 0) =>
                {
                    Some(bits)
                }
                Op::MulPow => condition.and_then(|condition| self.steps_below(condition, form)),
                Op::DivPow
                    if condition
                        .is_some_and(|condition| self.demands_positive(condition, form)) =>
                {
                    Some(bits)
                }
                _ => None,
            };
            bound = match (bound, found) {
                (Some(a), Some(b)) => Some(std::cmp::min::<u64>(a, b)),
                (one, other) => one.or(other),
            };
        }
        bound
    }

    /// Iterations after which an unsigned variable start·baseᵏ, start a constant above 0, is no
    /// longer below the limit that the condition sets it, when it cannot wrap before.
    fn steps_below(&self, condition: TermId, form: TermId) -> Option<u64> {
        let term = self.facts.terms.get(condition);
        match (term.op, term.args.as_slice()) {
            (Op::And, &[left, right]) => self
                .steps_below(left, form)
                .or_else(|| self.steps_below(right, form)),
            (Op::Lt | Op::Le, &[left, right]) if left == form => {
                let limit = Ranges::new(self.facts, self.launch).range(right).high;
                let power = self.facts.terms.get(form);
                let start = self
                    .facts
                    .terms
                    .as_const(power.args[0])
                    .filter(|start| *start > 0)?;
                let largest = power.ty.max()?;
                if limit
                    .checked_mul(power.payload)
                    .is_none_or(|next| next > largest)
                {
                    return None;
                }
                let (mut value, mut steps) = (start, 0);
                while value <= limit {
                    value = value.checked_mul(power.payload)?;
                    steps += 1;
                }
                Some(steps)
            }
            _ => None,
        }
    }

    /// Whether the condition implies that the term is not 0.
    fn demands_positive(&self, condition: TermId, value: TermId) -> bool {
        let term = self.facts.terms.get(condition);
        let constant = |id: TermId| self.facts.terms.as_const(id);
        match (term.op, term.args.as_slice()) {
            (Op::And, &[left, right]) => {
                self.demands_positive(left, value) || self.demands_positive(right, value)
            }
            (Op::Lt, &[left, right]) => {
                right == value && constant(left).is_some_and(|low| low >= 0)
            }
            (Op::Le, &[left, right]) => {
                right == value && constant(left).is_some_and(|low| low >= 1)
            }
            (Op::Ne, &[left, right]) => left == value && constant(right) == Some(0),
            _ => false,
        }
    }
}
