//! What is kept of loop variables that have no closed form: bounds, how far they get in k iterations, congruence, and which
//! truth values are each other's ([`truths`]).
//!
//! `if (in[i] > 0 && j < 8) j++;` changes j in a way that no term over the ordinal of the iteration says. But j never falls,
//! and never passes 8 where it starts at 0. Such a variable is an unknown that is told so by the term that stands for it:
//!
//! | kept of the variable v, at the head of iteration k | term, for an unknown u |
//! |---|---|
//! | v >= start | `max(u, start)` |
//! | v >= min(start, c) | `max(u, min(start, c))` |
//! | v <= start, v <= max(start, c), v <= max(start, c − 1) | the same with `min` |
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
mod truths;
mod values;
mod ways;

use std::collections::BTreeSet;

use warplog_facts::range::Ranges;
use warplog_facts::*;

use super::closed::{Inside, Slot, is_fixed_in};
use gaps::{Anchor, Gaps};
use residues::{gcd, residue};
pub(crate) use truths::Follows;
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
    /// A term that it stays off: it is below it (above it).
    Strict(TermId),
}

impl Bound {
    /// Whether it is by a term of which no number is known.
    fn is_open(&self) -> bool {
        matches!(self, Bound::Term(_) | Bound::Strict(_))
    }
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

    /// Whether the unknown that is left stands for the whole value, which at most is clamped to what holds of it anyway.
    pub(crate) fn is_clamped_only(&self) -> bool {
        self.modulus.is_none()
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
    let starts = updates.slots.iter().map(|slot| slot.start);
    let (constants, others) = compared_with(facts, updates.inside, &roots, starts);
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
        bounds.extend(others.iter().copied().map(Bound::Strict));
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
        Bound::Term(_) | Bound::Strict(_) => return None,
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

/// The constants near what the terms compare with, and the terms that they compare with and that the loop leaves alone;
/// and where variables start, as others are compared with these.
fn compared_with(
    facts: &Facts,
    inside: Inside,
    roots: &[TermId],
    starts: impl Iterator<Item = TermId>,
) -> (Vec<i128>, Vec<TermId>) {
    let mut constants = BTreeSet::from([0]);
    let mut others = Vec::new();
    for start in starts {
        match facts.terms.as_const(start) {
            Some(value) => constants.extend([value - 1, value, value + 1]),
            None if facts.terms.ty(start).is_integer() => others.push(start),
            None => {}
        }
    }
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
            {
                others.push(arg);
            }
        }
    }
    others.sort_unstable();
    others.dedup();
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
        let held = guesses
            .iter()
            .filter_map(|guess| Some((guess.holds?, true)));
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
        let mut anchors = vec![(Anchor::Term(slot.phi), 0), (Anchor::Term(slot.start), 0)];
        match guess.bound {
            Bound::Start => {}
            Bound::Constant(value) => anchors.push((Anchor::Constant(value), 0)),
            Bound::Term(term) => anchors.push((Anchor::Term(term), 0)),
            Bound::Strict(term) => anchors.push((Anchor::Term(term), 1)),
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
        let is_bounded = |bounds: &[Bound]| bounds.iter().any(|bound| !bound.is_open());
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
    let term = bounds.iter().copied().find(Bound::is_open);
    constant
        .map(Bound::Constant)
        .into_iter()
        .chain(term)
        .collect()
}

/// How far one iteration leads at most, in one direction.
fn stride(along: &[(&Way, Gaps<'_>)], slot: &Slot, side: Side) -> Option<i128> {
    let mut most = 0;
    for (way, gaps) in along {
        let start = [(Anchor::Term(slot.start), 0)];
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
