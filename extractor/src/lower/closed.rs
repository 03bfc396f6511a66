//! Closed forms of loop variables: from the effect of one iteration to the value at the head in
//! iteration k, anchored at the value on entry.
//!
//! One iteration is lowered on trial with every variable a placeholder φ. From the value e(φ) at
//! its end:
//!
//! | e(φ) | value at the head, iteration k |
//! |---|---|
//! | φ + c, φ − c; `b ? φ + c : c + φ` | start + k·c |
//! | φ · c, φ << c | start · cᵏ |
//! | φ / c, φ >> c | start / cᵏ |
//! | c − φ, φ ^ c, !φ | start, flipped when k is odd |
//! | (φ + c) % m | (start + k·c) % m, for 0 ≤ start < m |
//! | another variable's φ, and it this one's; also in a ring of several | the starts in turn |
//! | e without φ | start when k = 0, else e in iteration k − 1 |
//! | `b ? e₁ : e₂`, b unchanged in the loop | the form of e₁ if b, else that of e₂ |
//!
//! | any e without leaves of the loop, in a loop of at most 16 iterations | start, e(start), e(e(start)) … by k |
//!
//! where c and m are unchanged in the loop. What has no closed form
//! is an unknown that depends on its start and on e, of which bounds and residues are kept (`inductive/`).

mod linear;
mod turns;

use rustc_hash::FxHashMap;
use warplog_facts::range::Ranges;
use warplog_facts::*;

use super::body::Lowerer;
use super::redirect::turns;
use super::trial::is_placeholder;

/// What a trial lowering knows of the loop: leaves made inside it are not invariant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    pub unknowns: usize,
    /// The last placeholder of the trials of loops around this one: what stands for a variable at their heads.
    pub placeholders: usize,
    pub accesses: usize,
    pub loop_id: LoopId,
}

/// A scalar that the loop changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub phi: TermId,
    pub start: TermId,
    /// Value at the end of an iteration, over the φ of changed slots.
    pub end: TermId,
}

/// Whether a term has the same value in all iterations of a loop.
pub(crate) fn is_fixed_in(terms: &TermStore, term: TermId, inside: Inside) -> bool {
    let counts = |id: &TermId| {
        let term = terms.get(*id);
        term.loop_id().is_some_and(|id| id >= inside.loop_id)
    };
    made_before(terms, term, inside) && !terms.reachable(&[term]).iter().any(counts)
}

/// Whether a term has no value that is read, or that is not known, in the loop.
pub(crate) fn made_before(terms: &TermStore, term: TermId, inside: Inside) -> bool {
    terms.reachable(&[term]).into_iter().all(|id| {
        let term = terms.get(id);
        let raw = usize::try_from(term.payload).unwrap_or(usize::MAX);
        match term.op {
            Op::Unknown if is_placeholder(terms, id) => raw <= inside.placeholders,
            Op::Unknown => raw < inside.unknowns,
            Op::Load => raw < inside.accesses,
            _ => true,
        }
    })
}

/// Whether a value of one round is known from the number of the round: nothing in it is read, or not known, in the loop, and
/// only the ordinal of this very loop changes. A load that folds away in the first round counts: the form would read it in the
/// wrong one.
pub(crate) fn is_of_ordinal(terms: &TermStore, term: TermId, iter: TermId, inside: Inside) -> bool {
    let counts = |id: TermId| {
        let term = terms.get(id);
        id != iter && term.loop_id().is_some_and(|id| id >= inside.loop_id)
    };
    made_before(terms, term, inside) && !terms.reachable(&[term]).into_iter().any(counts)
}

/// What becomes of counters that may wrap.
struct Wraps {
    /// The number of iterations is known, so their forms can be exact.
    counted: bool,
    /// Some counter was taken not to wrap.
    assumed_not_to: bool,
    /// The condition of a further iteration, over the φ.
    condition: Option<TermId>,
}

/// What the condition of a loop keeps a variable to.
#[derive(Clone, Copy, Debug)]
struct Limit {
    /// The largest value for which it holds, if that is known.
    most: Option<i128>,
    /// It is not the same for all threads and in all iterations.
    varies: bool,
}

/// Most iterations of which the values are listed one by one, and nodes of the last of them.
const MAX_LISTED: u64 = 16;
const MAX_NODES: usize = 300;

/// Most conditions, one in an arm of the other, by which the form of a counter is taken apart.
const MAX_CASES: u32 = 4;

impl Lowerer<'_, '_> {
    /// The values of slots without a closed form in a loop of few iterations, each from the one before:
    /// `i = 2 * i + 1;` has start, 2·start + 1, 4·start + 3 … The form is exact, also where the arithmetic wraps.
    pub(crate) fn list_values(
        &mut self,
        slots: &[Slot],
        forms: &mut [Option<TermId>],
        inside: Inside,
        trips: u64,
    ) {
        if trips == 0 || trips > MAX_LISTED || forms.iter().all(Option::is_some) {
            return;
        }
        let iter = self.facts.terms.iter_of(inside.loop_id);
        // By iteration, the value at the head of each slot.
        let mut values: Vec<Vec<Option<TermId>>> = vec![Vec::new()];
        for (slot, form) in slots.iter().zip(forms.iter()) {
            let zero = self.long(0);
            let first = match form {
                Some(form) => self.at_iteration(*form, iter, zero),
                None => slot.start,
            };
            values[0].push(Some(first));
        }
        for k in 1..=trips {
            let ordinal = self.long(i64::try_from(k).unwrap_or(i64::MAX));
            let before = values.last().cloned().unwrap_or_default();
            let images: FxHashMap<TermId, TermId> = slots
                .iter()
                .zip(&before)
                .filter_map(|(slot, value)| Some((slot.phi, (*value)?)))
                .collect();
            let mut now = Vec::with_capacity(slots.len());
            for (index, slot) in slots.iter().enumerate() {
                now.push(match forms[index] {
                    Some(form) => Some(self.at_iteration(form, iter, ordinal)),
                    None => {
                        let value = self.facts.terms.replace(slot.end, &images);
                        let open = slots.iter().any(|other| self.mentions(value, other.phi));
                        let small = self.facts.terms.reachable(&[value]).len() <= MAX_NODES;
                        let known = !open && small && self.is_invariant(value, inside);
                        (known && !self.rests_on_wrapped(value)).then_some(value)
                    }
                });
            }
            values.push(now);
        }
        for (index, form) in forms.iter_mut().enumerate() {
            if form.is_some() {
                continue;
            }
            let mut listed = values
                .iter()
                .rev()
                .map(|values| values.get(index)?.as_ref());
            let Some(Some(&last)) = listed.next() else {
                continue;
            };
            let mut term = last;
            let all: Option<Vec<TermId>> = listed.map(|value| value.copied()).collect();
            let Some(all) = all else { continue };
            for (value, k) in all.into_iter().zip((0..trips).rev()) {
                let ordinal = self.long(i64::try_from(k).unwrap_or(i64::MAX));
                let here = self.facts.terms.binary(Op::Eq, CType::Bool, iter, ordinal);
                term = self.facts.terms.ite(here, value, term);
            }
            *form = Some(term);
        }
    }

    /// What a form over the ordinal of a loop is at one iteration.
    pub(crate) fn at_iteration(&mut self, form: TermId, iter: TermId, ordinal: TermId) -> TermId {
        let images = [(iter, ordinal)].into_iter().collect();
        self.facts.terms.replace(form, &images)
    }

    /// Whether a term has the same value in all iterations.
    pub(crate) fn is_invariant(&self, term: TermId, inside: Inside) -> bool {
        is_fixed_in(&self.facts.terms, term, inside)
    }

    /// The closed forms of the slots, as terms over `iter(loop)`; `None` for those without.
    ///
    /// A counter that steps in unsigned arithmetic wraps. With `counted` (the loop is known to end
    /// after few iterations) its form is exact modulo 2ⁿ; else it is taken not to wrap, and the
    /// second result says so.
    pub(crate) fn closed_forms(
        &mut self,
        slots: &[Slot],
        inside: Inside,
        condition: Option<TermId>,
        counted: bool,
    ) -> (Vec<Option<TermId>>, bool) {
        let mut wraps = Wraps {
            counted,
            assumed_not_to: false,
            condition,
        };
        let forms = self.forms(slots, inside, &mut wraps);
        (forms, wraps.assumed_not_to)
    }

    fn forms(&mut self, slots: &[Slot], inside: Inside, wraps: &mut Wraps) -> Vec<Option<TermId>> {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let mut forms: Vec<Option<TermId>> = slots
            .iter()
            .map(|slot| {
                self.by_cases(*slot, inside, MAX_CASES, &mut |me, slot| {
                    me.direct(slot, iter, inside, wraps)
                })
            })
            .collect();
        // `swap(a, b)`: each has the other's start in odd iterations.
        for (one, form) in forms.iter_mut().enumerate() {
            if form.is_none()
                && let Some(starts) = turns(slots, one)
            {
                *form = Some(self.in_turn(&starts, iter));
            }
        }
        // Values computed from others' closed forms in the iteration before.
        let zero = self.long(0);
        let one = self.long(1);
        let before = self.facts.terms.binary(Op::Sub, CType::I64, iter, one);
        for _ in 0..slots.len().min(8) {
            let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
            let back: FxHashMap<TermId, TermId> = [(iter, before)].into_iter().collect();
            for (slot, form) in slots.iter().zip(&forms) {
                if let Some(form) = *form {
                    images.insert(slot.phi, self.facts.terms.replace(form, &back));
                }
            }
            let mut found = false;
            for (index, slot) in slots.iter().enumerate() {
                if forms[index].is_some() {
                    continue;
                }
                forms[index] = self.by_cases(*slot, inside, MAX_CASES, &mut |me, slot| {
                    if slot.end == slot.phi {
                        return Some(slot.start);
                    }
                    let value = me.facts.terms.replace(slot.end, &images);
                    // In the first iteration a value may not depend on what it does depend on in others.
                    let open = slots.iter().any(|other| me.mentions(value, other.phi));
                    let own = me.mentions(slot.end, iter);
                    let known =
                        !open && !own && is_of_ordinal(&me.facts.terms, value, iter, inside);
                    known.then(|| {
                        let first = me.facts.terms.binary(Op::Eq, CType::Bool, iter, zero);
                        me.facts.terms.ite(first, slot.start, value)
                    })
                });
                found |= forms[index].is_some();
            }
            if !found {
                break;
            }
        }
        forms
    }

    /// The form of a slot; where it has none and its end is one of two by a condition that the loop leaves alone
    /// (`if (active) i += stride;`), one of the forms of the two: every iteration goes the same way.
    fn by_cases(
        &mut self,
        slot: Slot,
        inside: Inside,
        depth: u32,
        form: &mut dyn FnMut(&mut Self, Slot) -> Option<TermId>,
    ) -> Option<TermId> {
        if let Some(whole) = form(self, slot) {
            return Some(whole);
        }
        let node = self.facts.terms.get(slot.end).clone();
        let (Op::Ite, &[condition, then, els]) = (node.op, node.args.as_slice()) else {
            return None;
        };
        if depth == 0 || !self.is_invariant(condition, inside) {
            return None;
        }
        let then = self.by_cases(Slot { end: then, ..slot }, inside, depth - 1, form)?;
        let els = self.by_cases(Slot { end: els, ..slot }, inside, depth - 1, form)?;
        Some(self.facts.terms.ite(condition, then, els))
    }

    fn direct(
        &mut self,
        slot: Slot,
        iter: TermId,
        inside: Inside,
        wraps: &mut Wraps,
    ) -> Option<TermId> {
        let ty = self.facts.terms.ty(slot.phi);
        if !ty.is_integer() {
            return None;
        }
        if let Some((step, modular)) = self.step(slot.end, slot.phi, ty, inside, 0) {
            return self.linear(slot, step, iter, ty, modular.then_some(wraps));
        }
        let core = self.stripped(slot.end, ty);
        let node = self.facts.terms.get(core).clone();
        if node.op == Op::Not && self.is_truth_of(node.args[0], slot.phi) {
            return Some(self.negating(slot, iter, ty));
        }
        if node.op == Op::Ite {
            return self.turning(&node, slot, iter, inside);
        }
        let [left, right] = node.args.as_slice() else {
            return None;
        };
        let (left, right) = (self.stripped(*left, ty), self.stripped(*right, ty));
        match node.op {
            Op::Mul | Op::Shl | Op::Div | Op::Shr => self.scaled(core, slot, iter, wraps),
            // Modulo 2ⁿ, twice is once and back, through conversions too.
            Op::Sub if right == slot.phi && self.is_invariant(left, inside) => {
                let flipped = self.after_one(slot);
                Some(self.alternating(slot.start, flipped, iter))
            }
            Op::BitXor if left == slot.phi && self.is_invariant(right, inside) => {
                let flipped = self.after_one(slot);
                Some(self.alternating(slot.start, flipped, iter))
            }
            Op::Rem | Op::BitAnd => self.cyclic(node.op, slot, node.args[0], right, iter, inside),
            _ => None,
        }
    }

    /// The value after the first iteration.
    fn after_one(&mut self, slot: Slot) -> TermId {
        self.facts
            .terms
            .replace(slot.end, &[(slot.phi, slot.start)].into_iter().collect())
    }

    /// `φ · c`, `φ << c`, `φ / c`, `φ >> c`. A product must be of the variable's own type: through
    /// a conversion it wraps where the variable does not (`short c; c *= 2;`, `c = c * 2u;`). A
    /// quotient may be of another type that holds all values of the variable.
    ///
    /// A shift may reach the sign bit, which a product may not: a signed variable that nothing keeps below a limit is one of
    /// the unsigned type, converted.
    fn scaled(
        &mut self,
        core: TermId,
        slot: Slot,
        iter: TermId,
        wraps: &mut Wraps,
    ) -> Option<TermId> {
        let ty = self.facts.terms.ty(slot.phi);
        let node = self.facts.terms.get(core).clone();
        let (left, right) = (node.args[0], node.args[1]);
        let constant = |id: TermId| self.facts.terms.as_const(id);
        if matches!(node.op, Op::Mul | Op::Shl) {
            if core != slot.end || node.ty != ty {
                return None;
            }
            let base = match node.op {
                Op::Mul if left == slot.phi => constant(right)?,
                Op::Mul if right == slot.phi => constant(left)?,
                Op::Shl if left == slot.phi => {
                    1i128 << constant(right).filter(|count| (1..=20).contains(count))?
                }
                _ => return None,
            };
            if !(2..=1 << 20).contains(&base) {
                return None;
            }
            let mut bounded = node.op == Op::Mul || ty.is_unsigned();
            if !bounded && !wraps.counted {
                let limit = wraps
                    .condition
                    .and_then(|condition| self.limit_of(condition, slot.phi));
                // The last value for which the condition holds is shifted, too.
                let fits = |most: i128| ty.max().is_some_and(|max| most * base <= max);
                let starts_above = self.is_not_negative(slot.start, 0);
                // A parameter may be below 0; of numbers that differ some may well be.
                let may_start_above =
                    starts_above || constant(slot.start).is_none() && !self.varies(slot.start);
                let may_fit = |limit: &Limit| limit.most.map_or(!limit.varies, fits);
                if let Some(limit) = limit.filter(|limit| may_start_above && may_fit(limit)) {
                    bounded = true;
                    wraps.assumed_not_to |= limit.most.is_none() || !starts_above;
                }
            }
            let terms = &mut self.facts.terms;
            if bounded {
                return Some(terms.power(Op::MulPow, ty, base, slot.start, iter));
            }
            let unsigned = ty.unsigned()?;
            let start = terms.cast(slot.start, unsigned);
            let power = terms.power(Op::MulPow, unsigned, base, start, iter);
            return Some(terms.cast(power, ty));
        }
        let holds_all = |outer: CType| match (ty.min(), ty.max()) {
            (Some(low), Some(high)) => outer.holds(low) && outer.holds(high),
            _ => false,
        };
        // Looks through conversions that keep every value.
        let mut operand = left;
        while operand != slot.phi {
            let term = self.facts.terms.get(operand);
            match (term.op, term.args.first()) {
                (Op::Cast | Op::Fit, Some(&inner)) if holds_all(term.ty) => operand = inner,
                _ => return None,
            }
        }
        if !holds_all(node.ty) {
            return None;
        }
        if node.op == Op::Div {
            let divisor = constant(right).filter(|divisor| *divisor >= 2)?;
            return Some(
                self.facts
                    .terms
                    .power(Op::DivPow, ty, divisor, slot.start, iter),
            );
        }
        let count = constant(right).filter(|count| (1..=30).contains(count))?;
        Some(self.shifted(slot.start, 1 << count, iter, ty))
    }

    /// What a condition keeps φ to: `φ < limit`, `φ <= limit`, alone or with others.
    fn limit_of(&self, condition: TermId, phi: TermId) -> Option<Limit> {
        let term = self.facts.terms.get(condition);
        match (term.op, term.args.as_slice()) {
            (Op::And, &[left, right]) => {
                let (one, other) = (self.limit_of(left, phi), self.limit_of(right, phi));
                match (one, other) {
                    (Some(one), Some(other)) => match (one.most, other.most) {
                        (Some(a), Some(b)) if b < a => Some(other),
                        (None, Some(_)) => Some(other),
                        _ => Some(one),
                    },
                    _ => one.or(other),
                }
            }
            (Op::Lt | Op::Le, &[left, right]) => {
                let ty = self.facts.terms.ty(phi);
                let mut left = left;
                // `s < blockDim.x` converts s to unsigned: a negative one is above every small limit.
                while let (Op::Cast | Op::Fit, Some(&inner)) = {
                    let term = self.facts.terms.get(left);
                    (term.op, term.args.first())
                } {
                    if self.facts.terms.ty(left).bits() < ty.bits() {
                        return None;
                    }
                    left = inner;
                }
                if left != phi {
                    return None;
                }
                let most = self.most_of_limit(right);
                let strict = i128::from(term.op == Op::Lt);
                Some(Limit {
                    most: most.map(|most| most - strict),
                    varies: self.varies(right),
                })
            }
            _ => None,
        }
    }

    /// The largest value of a limit of which more is known than its type.
    fn most_of_limit(&self, id: TermId) -> Option<i128> {
        let high = Ranges::new(self.facts, self.launch).range(id).high;
        Some(high).filter(|high| Some(*high) != self.facts.terms.ty(id).max())
    }

    /// Whether a `bool` term is φ, or whether φ is not 0.
    fn is_truth_of(&self, id: TermId, phi: TermId) -> bool {
        let term = self.facts.terms.get(id);
        id == phi
            || term.op == Op::Ne
                && term.args[0] == phi
                && self.facts.terms.as_const(term.args[1]) == Some(0)
    }

    pub(super) fn mentions(&self, id: TermId, leaf: TermId) -> bool {
        self.facts
            .terms
            .reachable(&[id])
            .binary_search(&leaf)
            .is_ok()
    }

    /// start >> (k·count): a division for what is not negative, and rounding down below.
    fn shifted(&mut self, start: TermId, base: i128, iter: TermId, ty: CType) -> TermId {
        let quotient = self.facts.terms.power(Op::DivPow, ty, base, start, iter);
        if ty.is_unsigned() || self.is_not_negative(start, 0) {
            return quotient;
        }
        let minus_one = self.facts.terms.constant(-1, ty);
        let mirrored = self.facts.terms.binary(Op::Sub, ty, minus_one, start);
        let below = self.facts.terms.power(Op::DivPow, ty, base, mirrored, iter);
        let below = self.facts.terms.binary(Op::Sub, ty, minus_one, below);
        let zero = self.facts.terms.constant(0, ty);
        let negative = self.facts.terms.binary(Op::Lt, CType::Bool, start, zero);
        self.facts.terms.ite(negative, below, quotient)
    }
}
