//! Which way a counter goes, and whether it may be taken not to wrap.
//!
//! Sums of unsigned numbers wrap, and so do those of signed numbers that are converted on the way (`int i; i += blockDim.x;`).
//! That a counter does not is assumed, and said with the verdict, only where it plainly goes one way and nothing waits for the
//! wrap: a step that is not negative as it is written (`k += h` with an `int h` falls where `h` does), towards a bound that the
//! condition names. Elsewhere its form is modulo 2ⁿ.

use rustc_hash::FxHashSet;
use warplog_facts::range::Ranges;
use warplog_facts::*;

use super::body::Lowerer;
use super::closed::Slot;

/// What becomes of the sums of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// It is taken to stay within its type.
    Stays,
    /// It is modulo 2ⁿ.
    Wraps,
    /// It is taken to stay where this number, its step, is not negative.
    StaysIfRising(TermId),
}

/// Which way a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
    /// Up or down, by a signed number.
    Either,
    /// So far, or in so odd a way, that the wrap may be meant.
    Leaps,
}

/// A step this large is meant to wrap.
const LEAP: i128 = 1 << 24;

impl Lowerer<'_, '_> {
    /// What is assumed of a counter that a step of 64 bits moves in arithmetic that wraps. `for (unsigned i = n - 1; i < n; i--)`
    /// ends by the wrap.
    pub(super) fn course(&self, slot: Slot, step: TermId, condition: Option<TermId>) -> Course {
        let is_signed = self.facts.terms.ty(slot.phi).is_signed();
        let wrapped = !is_signed && self.may_have_wrapped(slot.start, slot.phi);
        let goes = |rises: bool| match condition
            .and_then(|condition| self.stops(condition, slot, step, rises, wrapped))
        {
            Some(stops) => stops,
            // A signed number that falls has room below 0.
            None => is_signed || rises && !wrapped,
        };
        match self.direction(step, 0) {
            Direction::Up if goes(true) => Course::Stays,
            Direction::Down if goes(false) => Course::Stays,
            Direction::Either if goes(true) => Course::StaysIfRising(step),
            _ => Course::Wraps,
        }
    }

    /// Which way a signed number of 64 bits goes as a step.
    fn direction(&self, id: TermId, depth: u32) -> Direction {
        if let Some(value) = self.facts.terms.as_const(id) {
            return match value {
                _ if value.abs() >= LEAP => Direction::Leaps,
                0.. => Direction::Up,
                _ => Direction::Down,
            };
        }
        let term = self.facts.terms.get(id);
        if depth > 16 {
            return Direction::Leaps;
        }
        if self.is_dimension(id) {
            return Direction::Up;
        }
        let of = |arg: TermId| self.direction(arg, depth + 1);
        match (term.op, term.args.as_slice()) {
            (Op::Cast | Op::Fit, &[inner]) => {
                let from = self.facts.terms.ty(inner);
                if from.is_unsigned() || from == CType::Bool {
                    match self.is_plainly_positive(inner, 0) {
                        true => Direction::Up,
                        false => Direction::Leaps,
                    }
                } else if self.is_not_negative(inner, 0) {
                    Direction::Up
                } else {
                    Direction::Either
                }
            }
            (Op::Neg, &[arg]) => of(arg).reversed(),
            (Op::Add, &[left, right]) => of(left).and(of(right)),
            (Op::Sub, &[left, right]) => {
                let right = of(right).reversed();
                match self.facts.terms.as_const(left) {
                    Some(0) => right,
                    _ => of(left).and(right),
                }
            }
            (Op::Mul, &[left, right]) => match (of(left), of(right)) {
                (Direction::Up, other) | (other, Direction::Up) => other,
                (Direction::Down, other) | (other, Direction::Down) => other.reversed(),
                (one, other) => one.and(other),
            },
            _ if self.is_not_negative(id, 0) => Direction::Up,
            _ => Direction::Either,
        }
    }

    /// Whether an unsigned number is not below 0 as it is written: nothing in it is a difference, or a signed number that may
    /// be negative.
    fn is_plainly_positive(&self, id: TermId, depth: u32) -> bool {
        if let Some(value) = self.facts.terms.as_const(id) {
            return (0..LEAP).contains(&value);
        }
        let term = self.facts.terms.get(id);
        if depth > 16 {
            return false;
        }
        let args = |from: usize| {
            let mut args = term.args[from..].iter();
            args.all(|&arg| self.is_plainly_positive(arg, depth + 1))
        };
        match term.op {
            _ if term.ty == CType::Bool || self.is_dimension(id) => true,
            _ if term.ty.is_signed() => self.is_not_negative(id, 0),
            Op::Sub | Op::Neg | Op::BitNot | Op::BitXor => false,
            Op::Load | Op::Unknown | Op::Pure => true,
            Op::Ite => args(1),
            _ => args(0),
        }
    }

    /// Whether an unsigned number may be one below 0 as it is written: a difference, `-1`, `~0u`, an `int` that the kernel is given,
    /// or one to which something is added. `threadIdx.x - 1` may have wrapped, and does so again when it rises.
    fn may_have_wrapped(&self, root: TermId, of: TermId) -> bool {
        let half = match self.facts.terms.ty(of).bits() {
            Some(bits @ 1..=64) => 1 << (bits - 1),
            _ => return true,
        };
        let mut stack = vec![root];
        let mut seen = FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let term = self.facts.terms.get(id);
            let is_below = match (term.op, term.args.as_slice()) {
                (Op::Const, _) => !(0..half).contains(&term.payload),
                (Op::Symbol, _) => term.ty.is_signed() && !self.is_dimension(id),
                (Op::Sub | Op::Neg | Op::BitNot, _) => true,
                (Op::Add | Op::Cast | Op::Fit, args) => {
                    stack.extend_from_slice(args);
                    false
                }
                (Op::Ite, [_, either @ ..]) => {
                    stack.extend_from_slice(either);
                    false
                }
                _ => false,
            };
            if is_below {
                return true;
            }
        }
        false
    }

    /// Whether a value of which is assumed that it did not wrap on the way is made from an unsigned number that may have wrapped before.
    pub(super) fn rests_on_wrapped(&self, value: TermId) -> bool {
        let terms = &self.facts.terms;
        let mut inside = terms.reachable(&[value]).into_iter();
        inside.any(|id| {
            let term = terms.get(id);
            term.op == Op::Fit && term.ty.is_unsigned() && self.may_have_wrapped(term.args[0], id)
        })
    }

    /// Whether an unsigned number that falls by a known step from a known start gets below the bound without a round in which
    /// the condition `bound < i` (or `bound <= i`) fails: `for (unsigned i = 5; i > 0; i -= 2)`.
    fn jumps_over(&self, slot: Slot, step: TermId, bound: TermId, strict: bool) -> bool {
        let constant = |id: TermId| self.facts.terms.as_const(id);
        let (Some(start), Some(step), Some(bound)) =
            (constant(slot.start), constant(step), constant(bound))
        else {
            return false;
        };
        let first = if strict { bound } else { bound - 1 };
        if step >= 0 || start <= first {
            return false;
        }
        // The first value that is not above the bound.
        let rounds = (start - first + -step - 1) / -step;
        start + rounds * step < 0
    }

    /// The same where starts, steps or bounds differ, from thread to thread or round to round of a loop around: hardly all of them
    /// lead to where a counter stops short of 0. `for (unsigned i = threadIdx.x; i > 0; i -= 3)`
    fn some_jump_over(&self, slot: Slot, step: TermId, bound: TermId, strict: bool) -> bool {
        let constant = |id: TermId| self.facts.terms.as_const(id);
        let lowest = constant(bound).map(|bound| if strict { bound + 1 } else { bound });
        let stops_short = match (constant(step), lowest) {
            (Some(step), Some(lowest)) => lowest + step >= 0,
            (Some(-1), None) => strict,
            // `i >= stride; i -= stride`
            _ => self.is_reversed(step, bound),
        };
        !stops_short
            && [slot.start, step, bound]
                .into_iter()
                .any(|part| self.varies(part))
    }

    /// Whether a step is minus a number, through conversions.
    fn is_reversed(&self, step: TermId, of: TermId) -> bool {
        let bare = |mut id: TermId| {
            while let (Op::Cast | Op::Fit, Some(&inner)) = {
                let term = self.facts.terms.get(id);
                (term.op, term.args.first())
            } {
                id = inner;
            }
            id
        };
        let node = self.facts.terms.get(bare(step));
        match (node.op, node.args.as_slice()) {
            (Op::Neg, &[number]) => bare(number) == bare(of),
            (Op::Sub, &[zero, number]) => {
                self.facts.terms.as_const(zero) == Some(0) && bare(number) == bare(of)
            }
            _ => false,
        }
    }

    /// Whether of counters that start at different numbers some are never equal to a bound before they wrap, as their steps are
    /// larger than 1.
    fn some_miss(&self, slot: Slot, step: TermId, bound: TermId) -> bool {
        !matches!(self.facts.terms.as_const(step), Some(-1..=1))
            && [slot.start, step, bound]
                .into_iter()
                .any(|part| self.varies(part))
    }

    /// Whether a number is not the same for all threads and in all iterations, as it is written.
    pub(super) fn varies(&self, id: TermId) -> bool {
        let reachable = self.facts.terms.reachable(&[id]);
        reachable.into_iter().any(|id| {
            matches!(
                self.facts.terms.get(id).op,
                Op::TidX
                    | Op::TidY
                    | Op::TidZ
                    | Op::BidX
                    | Op::BidY
                    | Op::BidZ
                    | Op::Iter
                    | Op::Exit
                    | Op::Load
                    | Op::Unknown
                    | Op::Pure
            )
        })
    }

    /// Whether the first step takes a known start out of the type: `unsigned i = 0; while (--i > n)`.
    fn leaves_at_once(&self, slot: Slot, step: TermId) -> bool {
        let ty = self.facts.terms.ty(slot.phi);
        let constant = |id: TermId| self.facts.terms.as_const(id);
        match (constant(slot.start), constant(step), ty.min(), ty.max()) {
            (Some(start), Some(step), Some(low), Some(high)) => {
                !(low..=high).contains(&(start + step))
            }
            _ => false,
        }
    }

    /// Whether a number that rises towards a bound, `i < bound` (or `i <= bound`), gets above its type without a round in which the
    /// condition fails: certainly where start, step and bound are known, for some where they differ and the bound is so near to the
    /// end of the type that a step leads past it.
    fn jumps_above(&self, slot: Slot, step: TermId, bound: TermId, strict: bool) -> bool {
        let Some(most) = self.facts.terms.ty(slot.phi).max() else {
            return false;
        };
        let constant = |id: TermId| self.facts.terms.as_const(id);
        if let (Some(start), Some(step), Some(bound)) =
            (constant(slot.start), constant(step), constant(bound))
        {
            let last = if strict { bound - 1 } else { bound };
            // The first value that is above the last for which the condition holds.
            return step > 0 && start <= last && start + ((last - start) / step + 1) * step > most;
        }
        let mut parts = [slot.start, step, bound].into_iter();
        if !parts.any(|part| self.varies(part)) {
            return false;
        }
        let ranges = Ranges::new(self.facts, self.launch);
        let last = ranges.range(bound).low - i128::from(strict);
        last > 0 && last + ranges.range(step).high > most
    }

    /// Whether a number that goes by a known step from a known start is never equal to a bound before it wraps.
    fn misses(&self, slot: Slot, step: TermId, bound: TermId) -> bool {
        let constant = |id: TermId| self.facts.terms.as_const(id);
        match (constant(slot.start), constant(step), constant(bound)) {
            (Some(start), Some(step), Some(bound)) if step != 0 => (bound - start) % step != 0,
            _ => false,
        }
    }

    /// Whether a condition stops a variable that rises (falls) before it wraps; `None` if it does not compare the variable.
    /// Of one that may have wrapped before, only a test of its value at the head keeps it from going on.
    fn stops(
        &self,
        condition: TermId,
        slot: Slot,
        step: TermId,
        rises: bool,
        wrapped: bool,
    ) -> Option<bool> {
        let term = self.facts.terms.get(condition);
        let &[left, right] = term.args.as_slice() else {
            return None;
        };
        if term.op == Op::And {
            let sides = [left, right].map(|side| self.stops(side, slot, step, rises, wrapped));
            return match sides {
                [Some(one), Some(other)] => Some(one || other),
                [one, other] => one.or(other),
            };
        }
        if !matches!(term.op, Op::Lt | Op::Le | Op::Eq | Op::Ne) {
            return None;
        }
        let bits = self.facts.terms.ty(slot.phi).bits();
        let is_signed = self.facts.terms.ty(slot.phi).is_signed();
        let bare = |mut id: TermId| {
            loop {
                if id == slot.phi || id == slot.end && !(wrapped && rises) {
                    return true;
                }
                let term = self.facts.terms.get(id);
                match (term.op, term.args.first()) {
                    (Op::Cast | Op::Fit, Some(&inner))
                        if term.ty.bits() >= bits
                            && (!(wrapped && rises)
                                || term.ty.is_unsigned()
                                || term.ty.bits() > bits) =>
                    {
                        id = inner;
                    }
                    _ => return false,
                }
            }
        };
        let about = |id: TermId| {
            self.facts.terms.reachable(&[id]).contains(&slot.phi)
                && !matches!(self.facts.terms.get(id).op, Op::Load | Op::Unknown)
        };
        // Whether the value at which it stops lies on its way there.
        let ahead = |id: TermId| {
            let start = self.facts.terms.as_const(slot.start);
            match (self.facts.terms.as_const(id), start) {
                (Some(value), Some(start)) => (value >= start) == rises || value == start,
                (Some(value), None) => (value != 0) == rises || value < 1 << 31 && !rises,
                _ => true,
            }
        };
        let zero = |id: TermId| self.facts.terms.as_const(id) == Some(0);
        match term.op {
            Op::Lt | Op::Le if bare(left) => {
                let strict = term.op == Op::Lt;
                Some(rises && !self.jumps_above(slot, step, right, strict))
            }
            Op::Lt | Op::Le if bare(right) => {
                let always = term.op == Op::Le && zero(left) && !is_signed;
                let strict = term.op == Op::Lt;
                let jumped = !is_signed
                    && (self.jumps_over(slot, step, left, strict)
                        || self.some_jump_over(slot, step, left, strict)
                        || self.leaves_at_once(slot, step));
                Some(!(rises || always || jumped))
            }
            Op::Ne if wrapped && rises => Some(false),
            Op::Ne if (bare(left) || bare(right)) && self.leaves_at_once(slot, step) => Some(false),
            Op::Ne
                if !is_signed
                    && (bare(left) || bare(right))
                    && self.some_miss(slot, step, if bare(left) { right } else { left }) =>
            {
                Some(false)
            }
            Op::Ne if bare(left) => Some(ahead(right) && !self.misses(slot, step, right)),
            Op::Ne if bare(right) => Some(ahead(left) && !self.misses(slot, step, left)),
            _ if about(left) || about(right) => Some(false),
            _ => None,
        }
    }

    /// Whether it is what host code launches the kernel with: 1 or more, and no more than an `int` holds, for another launch is
    /// refused, however `(unsigned)blocks` is computed.
    pub(super) fn is_dimension(&self, id: TermId) -> bool {
        self.dimensions.contains(&id) && self.facts.terms.as_const(id).is_none()
    }

    /// Whether a number of 64 bits is certainly below 2⁶³.
    pub(super) fn is_below_sign(&self, id: TermId, depth: u32) -> bool {
        let term = self.facts.terms.get(id);
        if let Some(value) = self.facts.terms.as_const(id) {
            return value < 1 << 63;
        }
        let parts = || {
            let mut parts = term.args.iter();
            parts.all(|&arg| self.is_below_sign(arg, depth + 1))
        };
        match term.op {
            _ if depth > 16 => false,
            _ if term.ty.bits().is_some_and(|bits| bits < 64) => true,
            Op::Cast | Op::Fit => {
                let inner = self.facts.terms.ty(term.args[0]);
                let widens = inner.bits() < term.ty.bits();
                parts() && widens && (inner.is_unsigned() || self.is_not_negative(term.args[0], 0))
                    || inner == CType::I64 && self.is_not_negative(term.args[0], 0)
            }
            // The sizes of a launch and what is made of them.
            Op::Add | Op::Mul | Op::Min | Op::Max | Op::Div | Op::Rem | Op::Shr => parts(),
            Op::Iter | Op::Exit => true,
            _ => false,
        }
    }

    /// Whether a number is certainly not below 0.
    pub(super) fn is_not_negative(&self, id: TermId, depth: u32) -> bool {
        let term = self.facts.terms.get(id);
        if let Some(value) = self.facts.terms.as_const(id) {
            return value >= 0;
        }
        if term.ty.is_unsigned() || term.ty == CType::Bool {
            return true;
        }
        if depth > 16 {
            return false;
        }
        let args = |from: usize| {
            term.args[from..]
                .iter()
                .all(|&arg| self.is_not_negative(arg, depth + 1))
        };
        match term.op {
            Op::Add | Op::Mul | Op::Div | Op::Rem | Op::Shr | Op::Min => args(0),
            Op::Iter | Op::Exit => true,
            Op::Cast => {
                // A launch dimension fits an int.
                let inner = self.facts.terms.get(term.args[0]);
                let small = matches!(
                    inner.op,
                    Op::BdimX | Op::BdimY | Op::BdimZ | Op::TidX | Op::TidY | Op::TidZ
                ) || self.is_dimension(term.args[0]);
                let widened = inner.ty.bits() < term.ty.bits()
                    && self.is_not_negative(term.args[0], depth + 1);
                let kept = inner.ty == CType::U64
                    && term.ty == CType::I64
                    && self.is_below_sign(term.args[0], depth + 1);
                small && term.ty.bits() >= Some(32) || widened || kept
            }
            _ => false,
        }
    }
}

impl Direction {
    fn reversed(self) -> Self {
        match self {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Either | Direction::Leaps => self,
        }
    }

    /// Of a sum.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            _ if self == other => self,
            (Direction::Leaps, _) | (_, Direction::Leaps) => Direction::Leaps,
            _ => Direction::Either,
        }
    }
}
