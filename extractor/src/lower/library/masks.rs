//! Lanes that meet: masks and tiles as groups of threads, and values that all lanes of a group share.
//!
//! A group is a condition on the thread (`member`) and a number that tells several groups of one
//! kind apart (`key`): `0xffff` is `lane < 16`; `0xff << (lane & 24)` is `lane - (lane & 24) < 8`,
//! with the mask itself as number; a tile of 8 has no condition and the number `rank / 8`; the
//! result of `__ballot_sync` over all lanes is the condition that was voted on.
//!
//! **Accuracy.** A condition or number is given only if it is the same in all iterations and made
//! of the thread's indices, constants and parameters. Of any other mask nothing is said: its
//! barrier orders nothing.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use crate::syntax::ast::Range;

/// Runs of set bits up to which a constant mask is a union of ranges.
const MOST_RUNS: usize = 4;

/// What is taken of masks that depend on memory, on loops, or on what is not modelled.
const MASKS_FIT: &str = "masks that are not followed name the lanes that come to their operations";

/// Threads that meet at an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meeting {
    pub(crate) mask: Option<TermId>,
    pub(crate) member: Option<TermId>,
    pub(crate) key: Option<TermId>,
}

impl Lowerer<'_, '_> {
    /// A barrier, or an operation at which lanes meet.
    pub(crate) fn meeting(
        &mut self,
        kind: BarrierKind,
        operation: &str,
        meeting: Meeting,
        range: Range,
    ) {
        let stands = match kind {
            kind if kind.orders() => PointKind::Barrier,
            _ => PointKind::Meet,
        };
        if matches!(kind, BarrierKind::Block | BarrierKind::Grid) {
            self.forget_accesses();
        }
        let is_of_all = meeting.mask.is_none() && meeting.member.is_none() && meeting.key.is_none();
        let point = self.point(stands, range);
        let span = self.span(range);
        let barrier = BarrierId::from_index(self.facts.barrier.len());
        self.facts.barrier.push(BarrierRow {
            barrier,
            point,
            kind,
            operation: operation.to_owned(),
            mask: meeting.mask,
            member: meeting.member,
            key: meeting.key,
            span,
        });
        if matches!(kind, BarrierKind::Block | BarrierKind::Grid) && is_of_all {
            self.use_barrier_invariants();
        }
    }

    /// The lane of the thread in its warp (`u32`).
    pub(crate) fn lane_in_warp(&mut self) -> TermId {
        let rank = self.rank_in_block();
        let mask = self.facts.terms.constant(31, CType::U32);
        self.facts.terms.binary(Op::BitAnd, CType::U32, rank, mask)
    }

    /// One of the lanes that a mask names, which come together here: the own lane, and the elected one (`u32`), which is the same
    /// for all of them.
    pub(crate) fn elected(&mut self, mask: Option<TermId>, range: Range) -> (TermId, TermId) {
        let ty = Ty::Scalar(CType::U32);
        let own = self.lane_in_warp();
        let (operation, reason) = ("elect.sync", "the lane that elect.sync elects");
        let value = match mask {
            Some(mask) => {
                let named = self.named_by(mask);
                self.meeting(BarrierKind::Meet, operation, named, range);
                let size = self.facts.terms.constant(32, CType::U32);
                self.common_value(&ty, reason, (size, named.mask), &[], range)
            }
            None => {
                self.assumption(MASKS_FIT);
                self.meeting(BarrierKind::Meet, operation, Meeting::default(), range);
                self.unknown_value(&ty, reason, range)
            }
        };
        let leader = self.term_of(&value, range);
        let lanes = self.facts.terms.constant(31, CType::U32);
        let leader = self
            .facts
            .terms
            .binary(Op::BitAnd, CType::U32, leader, lanes);
        (own, leader)
    }

    /// The tile of this many threads that the thread is in (`u32`).
    pub(super) fn tile_of(&mut self, size: TermId) -> TermId {
        let rank = self.rank_in_block();
        self.facts.terms.binary(Op::Div, CType::U32, rank, size)
    }

    /// The lanes that a mask names.
    pub(in crate::lower) fn named_by(&mut self, mask: TermId) -> Meeting {
        let unknown = Meeting {
            mask: Some(mask),
            ..Meeting::default()
        };
        let mask = self.facts.terms.cast(mask, CType::U32);
        if let Some(bits) = self.facts.terms.as_const(mask) {
            if bits == 0xffff_ffff {
                return Meeting::default();
            }
            let member = self.has_constant_bit(bits);
            return Meeting {
                member: Some(member),
                ..unknown
            };
        }
        if let Some(&voted) = self.ballots.get(&self.uncast(mask)) {
            let member = self.is_of_thread(voted).then_some(voted);
            if member.is_none() {
                self.assumption(MASKS_FIT);
            }
            return Meeting { member, ..unknown };
        }
        if !self.is_of_thread(mask) {
            // The lanes that were there go on together under the same conditions only.
            if !self.is_active_mask(mask) || !self.is_where_made(mask) {
                self.assumption(MASKS_FIT);
            }
            return unknown;
        }
        let lane = self.lane_in_warp();
        let inner = self.uncast(mask);
        let terms = &mut self.facts.terms;
        let shape = terms.get(inner).clone();
        let mut key = mask;
        let member = match (shape.op, shape.args.as_slice()) {
            // A run of ones, shifted.
            (Op::Shl, &[ones, by])
                if terms
                    .as_const(ones)
                    .is_some_and(|ones| ones > 0 && ones & (ones + 1) == 0) =>
            {
                let length = terms.as_const(ones).map_or(0, i128::count_ones);
                let by = terms.cast(by, CType::U32);
                key = by;
                let past = terms.binary(Op::Sub, CType::U32, lane, by);
                let length = terms.constant(i128::from(length), CType::U32);
                terms.binary(Op::Lt, CType::Bool, past, length)
            }
            _ => {
                let shifted = terms.binary(Op::Shr, CType::U32, mask, lane);
                let one = terms.constant(1, CType::U32);
                let bit = terms.binary(Op::BitAnd, CType::U32, shifted, one);
                terms.binary(Op::Eq, CType::Bool, bit, one)
            }
        };
        Meeting {
            member: Some(member),
            key: Some(key),
            ..unknown
        }
    }

    /// Whether a mask is the result of `__activemask()`, which names those that are there.
    fn is_active_mask(&self, mask: TermId) -> bool {
        let term = self.facts.terms.get(self.uncast(mask));
        term.op == Op::Unknown
            && usize::try_from(term.payload)
                .ok()
                .and_then(|unknown| self.facts.unknown.get(unknown))
                .is_some_and(|row| row.reason.contains("__activemask"))
    }

    /// A mask without conversions between integers of its 32 bits or more.
    pub(in crate::lower) fn uncast(&self, mut mask: TermId) -> TermId {
        let terms = &self.facts.terms;
        loop {
            let term = terms.get(mask);
            let wide = term.ty.bits() >= Some(32);
            match term.args.as_slice() {
                &[arg] if term.op == Op::Cast && wide && terms.ty(arg).bits() >= Some(32) => {
                    mask = arg;
                }
                _ => return mask,
            }
        }
    }

    /// Whether the bit of the thread's lane is set in a constant.
    fn has_constant_bit(&mut self, bits: i128) -> TermId {
        let lane = self.lane_in_warp();
        let set = |lane: u32| bits >> lane & 1 == 1;
        // One pattern over and over: every second lane.
        let period = (0..6)
            .map(|power| 1u32 << power)
            .find(|&period| (0..32).all(|lane| set(lane) == set(lane % period)));
        let period = period.unwrap_or(32);
        let terms = &mut self.facts.terms;
        let low = terms.constant(i128::from(period - 1), CType::U32);
        let lane = terms.binary(Op::BitAnd, CType::U32, lane, low);
        let mut runs = Vec::new();
        let mut from = 0;
        while from < period {
            let to = (from..period).find(|&lane| !set(lane)).unwrap_or(period);
            if from < to {
                runs.push((from, to));
            }
            from = to + 1;
        }
        if runs.len() > MOST_RUNS {
            let mask = terms.constant(bits, CType::U32);
            let shifted = terms.binary(Op::Shr, CType::U32, mask, lane);
            let one = terms.constant(1, CType::U32);
            let bit = terms.binary(Op::BitAnd, CType::U32, shifted, one);
            return terms.binary(Op::Eq, CType::Bool, bit, one);
        }
        let mut member = terms.truth(false);
        for (from, to) in runs {
            let first = terms.constant(i128::from(from), CType::U32);
            let end = terms.constant(i128::from(to), CType::U32);
            let above = terms.binary(Op::Le, CType::Bool, first, lane);
            let below = terms.binary(Op::Lt, CType::Bool, lane, end);
            let inside = terms.and(above, below);
            member = terms.or(member, inside);
        }
        member
    }

    /// Whether a term is the same in all iterations, and nothing that memory or lowering hides
    /// takes part in it.
    pub(super) fn is_of_thread(&self, term: TermId) -> bool {
        let parts = self.facts.terms.reachable(&[term]);
        parts.into_iter().all(|part| {
            let op = self.facts.terms.get(part).op;
            !matches!(
                op,
                Op::Iter | Op::Exit | Op::Load | Op::Unknown | Op::Other | Op::SameBlock
            )
        })
    }

    /// A value that all lanes of one meeting have in common which agree on the given terms: it is a
    /// function of these, of the warp or tile (of `size` threads), of the mask and of the iteration.
    pub(super) fn common_value(
        &mut self,
        ty: &Ty,
        reason: &str,
        (size, mask): (TermId, Option<TermId>),
        given: &[TermId],
        range: Range,
    ) -> Value {
        let scalar = matches!(ty, Ty::Scalar(_)) && ty.ctype() != CType::Opaque;
        // Lanes that agree on a mask which is not known may have met in two groups with one mask.
        let known = mask.is_none_or(|mask| self.is_of_thread(mask));
        if !scalar || !known {
            return self.unknown_value(ty, reason, range);
        }
        let mut depends = vec![self.tile_of(size)];
        depends.extend(mask);
        depends.extend_from_slice(given);
        depends.extend(Axis::ALL.map(|axis| self.facts.terms.builtin(axis.bid())));
        let value = self.unknown_of(reason, range, ty.ctype(), false, &depends, &[]);
        Value::Term(value)
    }
}
