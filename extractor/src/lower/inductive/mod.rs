//! What is kept of loop variables that have no closed form: bounds, how far they get in k iterations, and congruence.
//!
//! `if (in[i] > 0 && j < 8) j++;` changes j in a way that no term over the ordinal of the iteration says. But j never falls,
//! and never passes 8 where it starts at 0. Such a variable is an unknown that is told so by the term that stands for it:
//!
//! | kept of the variable v, at the head of iteration k | term, for an unknown u |
//! |---|---|
//! | v >= start | `max(u, start)` |
//! | v >= min(start, c) | `max(u, min(start, c))` |
//! | v <= start, v <= max(start, c) | the same with `min` |
//! | v <= start + k·c, v >= start − k·c | `min(u, start + k·c)`, `max(u, start − k·c)` |
//! | v ≡ start (mod g) | `start + g·u` |
//!
//! so that rules, solver and replay know it without being told. c is a constant, or a term that the loop does not change.
//!
//! **Algorithm.** Guess and check (Houdini; Flanagan and Leino, FME 2001), without a solver. The guesses come from a small
//! grammar: the start, and what the update and the conditions on its way compare with or clamp to. All hold at first, as each
//! includes the start. One is dropped unless every way through the body keeps it, taken that all others held at the head and
//! that the conditions on this way hold; until none has to be dropped. What remains holds by induction. How far an iteration
//! leads, and by which multiples, is read off the ways then ([`ways`], [`gaps`], [`residues`]).
//!
//! **Accuracy.** An execution in which signed arithmetic overflows is none, so that `j++` keeps `j >= 0`; unsigned arithmetic
//! wraps, unless it is bounded. Nothing here rests on an assumption that sizes do not wrap ([`Ranges::rests_on`]). What is
//! kept holds at the head, and at the end of each iteration; so behind the loop, where no `break` leaves the variable
//! otherwise than it was at the head.

mod gaps;
mod residues;
#[cfg(test)]
mod tests;
mod ways;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use warplog_facts::range::Ranges;
use warplog_facts::*;

use super::body::Lowerer;
use super::closed::{Inside, Slot, is_fixed_in};
use super::trial::Plan;
use super::value::VarId;
use crate::syntax::ast::Range;
use gaps::{Anchor, Gaps};
use residues::{gcd, residue};
use ways::{Way, ways};

/// Most variables of a loop that are looked at, ways through its body, nodes of an update, constants and terms compared with.
const MAX_SLOTS: usize = 24;
const MAX_NODES: usize = 400;
const MAX_CONSTANTS: usize = 24;
const MAX_TERMS: usize = 6;

/// The longest way of one iteration that is counted.
const MAX_STRIDE: i128 = 1 << 20;

/// One direction of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

/// What bounds a variable: its start, or the lower (upper) one of it and something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Start,
    Constant(i128),
    Term(TermId),
}

/// A guess, and the conjunct that says so where the types allow one.
#[derive(Clone, Copy, Debug)]
struct Guess {
    slot: usize,
    side: Side,
    bound: Bound,
    holds: Option<TermId>,
}

/// What is kept of one variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    low: Vec<Bound>,
    high: Vec<Bound>,
    /// At most this much less, and more, after each iteration.
    falls: Option<i128>,
    rises: Option<i128>,
    /// It differs from its start by a multiple of this.
    modulus: Option<i128>,
}

impl Kept {
    /// The type of the unknown that is left.
    pub(crate) fn ty(&self, ty: CType) -> CType {
        match self.modulus {
            Some(_) => CType::I64,
            None => ty,
        }
    }
}

/// The updates of a loop: its variables, and what holds at the end of an iteration that goes on.
pub(super) struct Updates<'a> {
    pub slots: &'a [Slot],
    pub stays: &'a [(TermId, bool)],
    pub inside: Inside,
    pub launch: LaunchId,
}

/// What is kept of each slot.
pub(super) fn keep(facts: &mut Facts, updates: &Updates<'_>) -> Vec<Kept> {
    let mut kept = vec![Kept::default(); updates.slots.len()];
    if updates.slots.len() > MAX_SLOTS {
        return kept;
    }
    let of_slots: Vec<Vec<Way>> = updates
        .slots
        .iter()
        .map(|slot| match is_tracked(facts, slot) {
            true => ways(&facts.terms, slot.end, updates.stays),
            false => Vec::new(),
        })
        .collect();
    let mut guesses = Vec::new();
    for (index, slot) in updates.slots.iter().enumerate() {
        if !of_slots[index].is_empty() {
            guess(facts, updates, index, slot, &mut guesses);
        }
    }
    let base = Ranges::new(facts, updates.launch);
    let induction = Induction {
        facts,
        slots: updates.slots,
        ways: &of_slots,
        base: &base,
    };
    induction.drop_false(&mut guesses);
    for (index, slot) in updates.slots.iter().enumerate() {
        if !of_slots[index].is_empty() {
            kept[index] = induction.result(index, slot, &guesses);
        }
    }
    kept
}

/// Whether something can be kept of a variable: an integer that the loop changes, in not too long a way.
fn is_tracked(facts: &Facts, slot: &Slot) -> bool {
    let ty = facts.terms.ty(slot.phi);
    ty.is_integer()
        && ty != CType::Bool
        && slot.end != slot.phi
        && values_in(&facts.terms, &[slot.end]).len() <= MAX_NODES
}

/// What a term is computed from, itself included; not what only says where something was read.
fn values_in(terms: &TermStore, roots: &[TermId]) -> BTreeSet<TermId> {
    let mut seen = BTreeSet::new();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            let term = terms.get(id);
            if !matches!(term.op, Op::Load | Op::Pure) {
                stack.extend(term.args.iter().copied());
            }
        }
    }
    seen
}

/// The guesses about a variable.
fn guess(
    facts: &mut Facts,
    updates: &Updates<'_>,
    index: usize,
    slot: &Slot,
    guesses: &mut Vec<Guess>,
) {
    let ty = facts.terms.ty(slot.phi);
    let mut roots = vec![slot.end];
    roots.extend(updates.stays.iter().map(|(term, _)| *term));
    let (constants, others) = compared_with(facts, updates.inside, &roots);
    let start = facts.terms.as_const(slot.start);
    for side in [Side::Low, Side::High] {
        let mut bounds = vec![Bound::Start];
        let of_type = match side {
            Side::Low => ty.min(),
            Side::High => ty.max(),
        };
        let beyond = |c: i128| match (side, start) {
            (_, None) => true,
            (Side::Low, Some(start)) => c < start,
            (Side::High, Some(start)) => c > start,
        };
        let usable = constants
            .iter()
            .copied()
            .filter(|&c| ty.holds(c) && Some(c) != of_type && beyond(c));
        bounds.extend(usable.map(Bound::Constant));
        bounds.extend(others.iter().copied().map(Bound::Term));
        for bound in bounds {
            let limit = limit_of(&mut facts.terms, slot, side, bound);
            let holds = limit.map(|limit| match side {
                Side::Low => facts.terms.binary(Op::Le, CType::Bool, limit, slot.phi),
                Side::High => facts.terms.binary(Op::Le, CType::Bool, slot.phi, limit),
            });
            guesses.push(Guess {
                slot: index,
                side,
                bound,
                holds,
            });
        }
    }
}

/// The bound as a term of the variable's type.
fn limit_of(terms: &mut TermStore, slot: &Slot, side: Side, bound: Bound) -> Option<TermId> {
    let ty = terms.ty(slot.phi);
    let other = match bound {
        Bound::Start => return Some(slot.start),
        Bound::Constant(value) => terms.constant(value, ty),
        Bound::Term(term) if terms.ty(term) == ty => term,
        Bound::Term(_) => return None,
    };
    Some(terms.binary(nearer(side), ty, slot.start, other))
}

/// Which of the start and something else bounds a variable.
fn nearer(side: Side) -> Op {
    match side {
        Side::Low => Op::Min,
        Side::High => Op::Max,
    }
}

/// The constants near what the terms compare with, and the terms that they compare with and that the loop leaves alone.
fn compared_with(facts: &Facts, inside: Inside, roots: &[TermId]) -> (Vec<i128>, Vec<TermId>) {
    let mut constants = BTreeSet::from([0]);
    let mut others = Vec::new();
    for id in values_in(&facts.terms, roots) {
        let term = facts.terms.get(id);
        if let Some(value) = facts.terms.as_const(id) {
            constants.extend([value - 1, value, value + 1]);
        }
        let compares = matches!(
            term.op,
            Op::Lt | Op::Le | Op::Eq | Op::Ne | Op::Min | Op::Max
        );
        if !compares {
            continue;
        }
        for &arg in &term.args {
            let is_number = facts.terms.ty(arg).is_integer() && facts.terms.ty(arg) != CType::Bool;
            if is_number
                && facts.terms.as_const(arg).is_none()
                && is_fixed_in(&facts.terms, arg, inside)
                && !others.contains(&arg)
            {
                others.push(arg);
            }
        }
    }
    others.truncate(MAX_TERMS);
    let constants: Vec<i128> = constants.into_iter().collect();
    match constants.len() > MAX_CONSTANTS {
        true => (Vec::new(), others),
        false => (constants, others),
    }
}

/// The proof by induction over the iterations.
struct Induction<'a> {
    facts: &'a Facts,
    slots: &'a [Slot],
    /// By slot.
    ways: &'a [Vec<Way>],
    base: &'a Ranges<'a>,
}

impl<'a> Induction<'a> {
    /// Drops guesses until an iteration keeps all that are left.
    fn drop_false(&self, guesses: &mut Vec<Guess>) {
        loop {
            let before = guesses.len();
            let mut kept = vec![true; before];
            for (index, ways) in self.ways.iter().enumerate() {
                for way in ways {
                    let gaps = self.along(way, guesses);
                    for (guess, kept) in guesses.iter().zip(&mut kept) {
                        if guess.slot == index && *kept {
                            *kept = gaps
                                .as_ref()
                                .is_some_and(|gaps| self.keeps(gaps, way, guess));
                        }
                    }
                }
            }
            let mut kept = kept.into_iter();
            guesses.retain(|_| kept.next().unwrap_or(false));
            if guesses.len() == before {
                return;
            }
        }
    }

    /// The bounds on a way through the body; `None` if they rest on an assumption.
    fn along(&self, way: &'a Way, guesses: &[Guess]) -> Option<Gaps<'a>> {
        let held = guesses.iter().filter_map(|guess| Some((guess.holds?, true)));
        let conjuncts: Vec<(TermId, bool)> = held.chain(way.conjuncts.iter().copied()).collect();
        let ranges = self.base.assuming(&conjuncts);
        let mut roots: Vec<TermId> = conjuncts.iter().map(|(term, _)| *term).collect();
        roots.extend(&way.values);
        let assumes = values_in(&self.facts.terms, &roots)
            .into_iter()
            .any(|id| ranges.rests_on(id).any());
        (!assumes).then(|| Gaps::new(&self.facts.terms, ranges, way))
    }

    /// Whether the value at the end of the way satisfies the guess.
    fn keeps(&self, gaps: &Gaps<'_>, way: &Way, guess: &Guess) -> bool {
        let slot = &self.slots[guess.slot];
        let mut anchors = vec![Anchor::Term(slot.phi), Anchor::Term(slot.start)];
        match guess.bound {
            Bound::Start => {}
            Bound::Constant(value) => anchors.push(Anchor::Constant(value)),
            Bound::Term(term) => anchors.push(Anchor::Term(term)),
        }
        way.values
            .iter()
            .any(|&value| gaps.is_within(value, &anchors, guess.side, 0))
    }

    /// What is kept of a variable, by the guesses that are left.
    fn result(&self, index: usize, slot: &Slot, guesses: &[Guess]) -> Kept {
        let of_side = |side: Side| {
            let own: Vec<Bound> = guesses
                .iter()
                .filter(|guess| guess.slot == index && guess.side == side)
                .map(|guess| guess.bound)
                .collect();
            tightest(&own, side)
        };
        let mut kept = Kept {
            low: of_side(Side::Low),
            high: of_side(Side::High),
            ..Kept::default()
        };
        let along: Option<Vec<(&Way, Gaps<'_>)>> = self.ways[index]
            .iter()
            .map(|way| Some((way, self.along(way, guesses)?)))
            .collect();
        let Some(along) = along else { return kept };
        let is_bounded = |bounds: &[Bound]| {
            bounds
                .iter()
                .any(|bound| !matches!(bound, Bound::Term(_)))
        };
        if !is_bounded(&kept.high) {
            kept.rises = stride(&along, slot, Side::High);
        }
        if !is_bounded(&kept.low) {
            kept.falls = stride(&along, slot, Side::Low);
        }
        kept.modulus = modulus(&self.facts.terms, &along, slot);
        kept
    }
}

/// The bounds that say most: the start, or a constant and a term.
fn tightest(bounds: &[Bound], side: Side) -> Vec<Bound> {
    if bounds.contains(&Bound::Start) {
        return vec![Bound::Start];
    }
    let constants = bounds.iter().filter_map(|bound| match bound {
        Bound::Constant(value) => Some(*value),
        _ => None,
    });
    let constant = match side {
        Side::Low => constants.max(),
        Side::High => constants.min(),
    };
    let term = bounds
        .iter()
        .copied()
        .find(|bound| matches!(bound, Bound::Term(_)));
    constant.map(Bound::Constant).into_iter().chain(term).collect()
}

/// How far one iteration leads at most, in one direction.
fn stride(along: &[(&Way, Gaps<'_>)], slot: &Slot, side: Side) -> Option<i128> {
    let mut most = 0;
    for (way, gaps) in along {
        let start = [Anchor::Term(slot.start)];
        if way
            .values
            .iter()
            .any(|&value| gaps.is_within(value, &start, side, 0))
        {
            continue;
        }
        let steps = way.values.iter().filter_map(|&value| {
            let gap = gaps.gap(value, Anchor::Term(slot.phi), 0);
            match side {
                Side::Low => gap.low.map(|low| -low),
                Side::High => gap.high,
            }
        });
        most = most.max(steps.min()?);
    }
    (1..=MAX_STRIDE).contains(&most).then_some(most)
}

/// The greatest number of which all ways change the variable by a multiple.
fn modulus(terms: &TermStore, along: &[(&Way, Gaps<'_>)], slot: &Slot) -> Option<i128> {
    let ty = terms.ty(slot.phi);
    // Its values are sums of 64 bits with a sign.
    if ty == CType::U64 {
        return None;
    }
    let mut greatest = 0;
    for (way, _) in along {
        let end = residue(terms, *way.values.last()?, 0);
        let from = match end.coefficient(slot.phi) {
            0 => slot.start,
            _ => slot.phi,
        };
        greatest = gcd(greatest, end.minus(&residue(terms, from, 0)).content());
    }
    (2..=MAX_STRIDE).contains(&greatest).then_some(greatest)
}

impl Lowerer<'_, '_> {
    /// What is kept of the slots that have no closed form.
    pub(super) fn kept_of_slots(&mut self, plan: &Plan, forms: &[Option<TermId>]) -> Vec<Kept> {
        let mut kept = vec![Kept::default(); plan.slots.len()];
        let mut images = FxHashMap::default();
        let mut open = Vec::new();
        for (index, (slot, form)) in plan.slots.iter().zip(forms).enumerate() {
            match *form {
                Some(form) => drop(images.insert(slot.phi, form)),
                None => open.push(index),
            }
        }
        if open.is_empty() || plan.lost {
            return kept;
        }
        let mut replaced = |term: TermId| self.facts.terms.replace(term, &images);
        let slots: Vec<Slot> = open
            .iter()
            .map(|&index| Slot {
                end: replaced(plan.slots[index].end),
                ..plan.slots[index]
            })
            .collect();
        let stays: Vec<(TermId, bool)> = plan
            .stays
            .iter()
            .map(|&(term, polarity)| (replaced(term), polarity))
            .collect();
        let updates = Updates {
            slots: &slots,
            stays: &stays,
            inside: plan.inside,
            launch: self.launch,
        };
        for (index, one) in open.into_iter().zip(keep(self.facts, &updates)) {
            kept[index] = one;
        }
        kept
    }

    /// The same of a loop in a trial lowering of one around it, where nothing has a closed form but in a loop of a known number
    /// of iterations, which is given.
    pub(super) fn kept_on_trial(&mut self, plan: &Plan) -> (Vec<Kept>, Option<u64>) {
        let condition = plan.condition.or(plan.again);
        let (exact, _) = self.closed_forms(&plan.slots, plan.inside, condition, true);
        let trips = self.trips(plan, &exact);
        let forms = match trips {
            Some(_) => exact,
            None => vec![None; plan.slots.len()],
        };
        let mut all = self.kept_of_slots(plan, &vec![None; plan.slots.len()]);
        // Those with a form are forgotten as well, but what the others do is known better by it.
        for ((kept, better), form) in all.iter_mut().zip(self.kept_of_slots(plan, &forms)).zip(&forms) {
            if form.is_none() {
                *kept = better;
            }
        }
        (all, trips)
    }

    /// Forgets what a loop in a trial lowering makes of a variable's scalars, but for what is kept of them.
    pub(super) fn blur_slots(
        &mut self,
        var: VarId,
        indices: &[usize],
        plan: &Plan,
        kept: &[Kept],
        trips: Option<u64>,
        range: Range,
    ) {
        let reason = format!("{}, changed in a loop", self.variables[var.0 as usize].0);
        let ordinal = trips
            .and_then(|trips| i64::try_from(trips).ok())
            .map(|trips| self.long(trips));
        let value = self.env.get(var).clone();
        let mut indices = indices.iter();
        let value = self.map_slots(&value, &mut |me, term| {
            let Some(&index) = indices.next() else {
                return term;
            };
            let slot = &plan.slots[index];
            if slot.end == slot.start {
                return term;
            }
            let kept = &kept[index];
            let some = me.unknown(&reason, range, kept.ty(me.facts.terms.ty(term)), true);
            me.kept_value(slot, kept, some, ordinal)
        });
        self.env.set(var, value);
    }

    /// The term of a variable of which something is kept, for the unknown that stands for the rest; `ordinal` is the number
    /// of iterations that it has gone through, where that is known.
    pub(super) fn kept_value(
        &mut self,
        slot: &Slot,
        kept: &Kept,
        unknown: TermId,
        ordinal: Option<TermId>,
    ) -> TermId {
        let ty = self.facts.terms.ty(slot.phi);
        let mut value = match kept.modulus {
            Some(modulus) => {
                let multiple = self.bounded_multiple(slot, kept, modulus, unknown, ordinal);
                let terms = &mut self.facts.terms;
                let modulus = terms.constant(modulus, CType::I64);
                let moved = terms.binary(Op::Mul, CType::I64, modulus, multiple);
                let start = terms.cast(slot.start, CType::I64);
                let sum = terms.binary(Op::Add, CType::I64, start, moved);
                terms.fit(sum, ty)
            }
            None => unknown,
        };
        for (side, bounds) in [(Side::Low, &kept.low), (Side::High, &kept.high)] {
            for &bound in bounds {
                let absorbed = kept.modulus.is_some() && !matches!(bound, Bound::Term(_));
                if !absorbed {
                    value = self.bounded_value(slot, value, side, bound);
                }
            }
        }
        let Some(ordinal) = ordinal.filter(|_| kept.modulus.is_none()) else {
            return value;
        };
        // What an iteration adds stays within 64 bits for smaller types only.
        if ty.bits().is_none_or(|bits| bits > 32) {
            return value;
        }
        for (side, stride) in [(Side::Low, kept.falls), (Side::High, kept.rises)] {
            let Some(stride) = stride else { continue };
            let terms = &mut self.facts.terms;
            let stride = terms.constant(stride, CType::I64);
            let moved = terms.binary(Op::Mul, CType::I64, ordinal, stride);
            let start = terms.cast(slot.start, CType::I64);
            let (step, clamp) = match side {
                Side::Low => (Op::Sub, Op::Max),
                Side::High => (Op::Add, Op::Min),
            };
            let reached = terms.binary(step, CType::I64, start, moved);
            let wide = terms.cast(value, CType::I64);
            let clamped = terms.binary(clamp, CType::I64, wide, reached);
            value = terms.fit(clamped, ty);
        }
        value
    }

    /// `max(value, bound)`, or `min`.
    fn bounded_value(&mut self, slot: &Slot, value: TermId, side: Side, bound: Bound) -> TermId {
        let ty = self.facts.terms.ty(slot.phi);
        let clamp = match side {
            Side::Low => Op::Max,
            Side::High => Op::Min,
        };
        if let Bound::Constant(limit) = bound {
            let start = self.start_bounds(slot);
            let beyond = match side {
                Side::Low => start.low >= limit,
                Side::High => start.high <= limit,
            };
            if beyond {
                let limit = self.facts.terms.constant(limit, ty);
                return self.facts.terms.binary(clamp, ty, value, limit);
            }
        }
        let terms = &mut self.facts.terms;
        if let Some(limit) = limit_of(terms, slot, side, bound) {
            return terms.binary(clamp, ty, value, limit);
        }
        // The bound is of another type: 64 bits hold both, if they hold it.
        let Bound::Term(other) = bound else { return value };
        let narrow = |ty: CType| ty.bits().is_some_and(|bits| bits <= 32) || ty == CType::I64;
        if !narrow(ty) || !narrow(terms.ty(other)) {
            return value;
        }
        let [value, start, other] = [value, slot.start, other].map(|id| terms.cast(id, CType::I64));
        let limit = terms.binary(nearer(side), CType::I64, start, other);
        let clamped = terms.binary(clamp, CType::I64, value, limit);
        terms.fit(clamped, ty)
    }

    /// The bounds of a variable's start that rest on nothing.
    fn start_bounds(&self, slot: &Slot) -> range::Interval {
        let ranges = Ranges::new(self.facts, self.launch);
        let assumes = values_in(&self.facts.terms, &[slot.start])
            .into_iter()
            .any(|id| ranges.rests_on(id).any());
        match assumes {
            true => range::Interval::of_type(self.facts.terms.ty(slot.start)),
            false => ranges.range(slot.start),
        }
    }

    /// u of `start + g·u`, within what the bounds on the variable say of it.
    fn bounded_multiple(
        &mut self,
        slot: &Slot,
        kept: &Kept,
        modulus: i128,
        unknown: TermId,
        ordinal: Option<TermId>,
    ) -> TermId {
        let start = self.start_bounds(slot);
        let mut multiple = unknown;
        for (side, bounds) in [(Side::Low, &kept.low), (Side::High, &kept.high)] {
            for &bound in bounds {
                let limit = match (side, bound) {
                    (_, Bound::Start) => 0,
                    (Side::Low, Bound::Constant(limit)) => {
                        -(start.high - start.low.min(limit)).div_euclid(modulus)
                    }
                    (Side::High, Bound::Constant(limit)) => {
                        (start.high.max(limit) - start.low).div_euclid(modulus)
                    }
                    (_, Bound::Term(_)) => continue,
                };
                let clamp = match side {
                    Side::Low => Op::Max,
                    Side::High => Op::Min,
                };
                let terms = &mut self.facts.terms;
                let limit = terms.constant(limit, CType::I64);
                multiple = terms.binary(clamp, CType::I64, multiple, limit);
            }
        }
        let Some(ordinal) = ordinal else {
            return multiple;
        };
        for (stride, clamp, sign) in [(kept.falls, Op::Max, -1), (kept.rises, Op::Min, 1)] {
            let Some(stride) = stride else { continue };
            let terms = &mut self.facts.terms;
            let stride = terms.constant(sign * (stride / modulus), CType::I64);
            let limit = terms.binary(Op::Mul, CType::I64, ordinal, stride);
            multiple = terms.binary(clamp, CType::I64, multiple, limit);
        }
        multiple
    }
}
