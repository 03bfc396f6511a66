//! Votes, shuffles, matches and reductions of a warp: values of other lanes, which order no memory.

use warplog_facts::words::{AssertKind, BarrierKind, PointKind};
use warplog_facts::{CType, CollectiveRow, LaneValueRow, Op, TermId};

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};

/// Lanes of a warp.
const WARP: i128 = 32;

pub(super) const FAMILY: Family = Family {
    subject: "Warps and clocks",
    source: "CUDA C++ programming guide: Warp Vote, Match, Reduce and Shuffle Functions; Time Function; __nanosleep",
    namespaces: &[],
    global: true,
    rows: &[
        row("__ballot", 1, Meaning::Fresh(Out::Is(CType::U32))),
        row("__any __all", 1, Meaning::Fresh(Out::Is(CType::I32))),
        row(
            "__ballot_sync __any_sync __all_sync __uni_sync __match_any_sync __reduce_{add,min,max,and,or,xor}_sync",
            2,
            Meaning::By(vote),
        ),
        row("__activemask", 0, Meaning::By(active)),
        row("__match_all_sync", 3, Meaning::By(match_all)),
        rows("__shfl __shfl_{up,down,xor}", 2, 3, Meaning::By(shuffle)),
        rows(
            "__shfl_sync __shfl_{up,down,xor}_sync",
            3,
            4,
            Meaning::By(shuffle),
        ),
        row("__lane_id __laneid", 0, Meaning::By(lane)),
        row(
            "clock clock64 __clock64 __clock wall_clock64 globaltimer __nvvm_read_ptx_sreg_globaltimer",
            0,
            Meaning::By(time),
        ),
        row(
            "__smid __nvvm_read_ptx_sreg_smid",
            0,
            Meaning::Fresh(Out::Is(CType::U32)),
        ),
        row("__nanosleep __prof_trigger", 1, Meaning::By(pause)),
    ],
};

/// What a clock shows.
fn time(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.point(PointKind::Effect, call.range);
    Some(me.fresh_result(Out::Is(CType::I64), call.name, &[], call.range))
}

/// Time passes, or a counter of the profiler goes on.
fn pause(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.values_of(call.args);
    me.point(PointKind::Effect, call.range);
    Some(Value::Void)
}

/// The value that a lane of the same warp has.
pub(super) fn shuffle(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    me.shuffled(call.name, values, call.range)
}

/// What the lanes of a mask make of their values together.
fn vote(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    me.voted(call.name, &values, call.range)
}

impl Lowerer<'_, '_> {
    /// A shuffle of this name with these arguments.
    pub(in crate::lower) fn shuffled(
        &mut self,
        name: &str,
        mut values: Vec<Value>,
        range: crate::syntax::ast::Range,
    ) -> Option<Value> {
        let me = self;
        let is_sync = name.ends_with("_sync");
        // There is no shuffle of anything smaller than an `int`.
        if let Some(Value::Term(term)) = values.get_mut(usize::from(is_sync)) {
            let ty = me.facts.terms.ty(*term);
            if ty.is_integer() {
                *term = me.facts.terms.cast(*term, ty.promoted());
            }
        }
        if !is_sync {
            let result = me.of_other_lane(values.first()?, range);
            me.tell_lanes(name, (&values, 0), &result, range);
            return Some(result);
        }
        let mask = me.term_of(values.first()?, range);
        let named = me.named_by(mask);
        me.meeting(BarrierKind::Meet, name, named, range);
        let value = values.get(1)?;
        // Lanes that ask for one lane get one value.
        if name == "__shfl_sync" {
            let from = me.term_of(values.get(2)?, range);
            let size = match values.get(3) {
                Some(width) => me.term_of(width, range),
                None => me.facts.terms.constant(32, CType::U32),
            };
            let size = me.facts.terms.cast(size, CType::U32);
            let width = me.facts.terms.as_const(size);
            if width.is_some_and(|width| [1, 2, 4, 8, 16, 32].contains(&width)) {
                let ty = me.type_of(value);
                let reason = "value of another lane";
                let group = (size, named.mask);
                let result = me.common_value(&ty, reason, group, &[from], range);
                me.tell_lanes(name, (&values, 1), &result, range);
                if let (Some(32), &Value::Term(value), &Value::Term(result)) =
                    (width, value, &result)
                {
                    me.hand_round(value, from, (result, Some(mask)), range);
                }
                // What is one number in the warp anyway: `__shfl_sync(m, threadIdx.x / 32, 0)`.
                if let (&Value::Term(value), &Value::Term(other)) = (value, &result)
                    && let Some(condition) = me.is_of_warp(value)
                {
                    let result = me.facts.terms.ite(condition, value, other);
                    return Some(Value::Term(result));
                }
                return Some(result);
            }
        }
        let result = me.of_other_lane(value, range);
        me.tell_lanes(name, (&values, 1), &result, range);
        Some(result)
    }

    /// What the lanes of a mask make of their values together, by a vote, match or reduction of this name.
    pub(in crate::lower) fn voted(
        &mut self,
        name: &str,
        values: &[Value],
        range: crate::syntax::ast::Range,
    ) -> Option<Value> {
        let me = self;
        let mask = me.term_of(values.first()?, range);
        let named = me.named_by(mask);
        me.meeting(BarrierKind::Meet, name, named, range);
        let ty = match name {
            "__ballot_sync" | "__match_any_sync" => Ty::Scalar(CType::U32),
            "__any_sync" | "__all_sync" | "__uni_sync" => Ty::Scalar(CType::I32),
            "__reduce_and_sync" | "__reduce_or_sync" | "__reduce_xor_sync" => {
                Ty::Scalar(CType::U32)
            }
            // `__reduce_add_sync(mask, x)` of an `int` or an `unsigned`.
            _ => match me.type_of(values.get(1)?) {
                Ty::Scalar(CType::U32 | CType::U64) => Ty::Scalar(CType::U32),
                _ => Ty::INT,
            },
        };
        let reason = format!("result of {}", name);
        if name == "__match_any_sync" {
            return Some(me.unknown_value(&ty, &reason, range));
        }
        let size = me.facts.terms.constant(32, CType::U32);
        let result = me.common_value(&ty, &reason, (size, named.mask), &[], range);
        if let ("__reduce_add_sync", None, &Value::Term(sum)) = (name, named.mask, &result) {
            let value = me.term_of(values.get(1)?, range);
            let lanes = me.facts.terms.constant(WARP, CType::U32);
            me.tell_collective("sum", (value, sum), Some(lanes));
        }
        if let ("__ballot_sync", None, Value::Term(ballot)) = (name, named.mask, &result) {
            let ballot = *ballot;
            // The condition is an `int`: of a wider one the lower half votes.
            let value = me.term_of(values.get(1)?, range);
            let narrow = me.facts.terms.ty(value).bits() <= Some(32);
            let value = match narrow && me.facts.terms.ty(value).is_integer() {
                true => value,
                false => me.cast_term(value, CType::I32),
            };
            let voted = me.facts.terms.as_bool(value);
            me.ballots.insert(ballot, voted);
        }
        Some(result)
    }
}

/// The lanes that are there.
fn active(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let result = me.fresh_result(Out::Is(CType::U32), call.name, &[], call.range);
    if let Value::Term(mask) = result {
        me.all_lanes_together(Some(mask), call.range);
    }
    Some(result)
}

fn match_all(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let mask = me.term_of(values.first()?, call.range);
    let named = me.named_by(mask);
    me.meeting(BarrierKind::Meet, call.name, named, call.range);
    let all = me.fresh_result(Out::Is(CType::I32), call.name, &[], call.range);
    me.store_through(values.get(2)?, all, call.range);
    Some(me.fresh_result(Out::Is(CType::U32), call.name, &[], call.range))
}

fn lane(me: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(Value::Term(me.lane_in_warp()))
}

impl Lowerer<'_, '_> {
    /// When a number is the same in all lanes of a warp, by how it is made of the thread's; `None`: never, as far as is known.
    fn is_of_warp(&mut self, value: TermId) -> Option<TermId> {
        let rank = self.rank_in_block();
        let rank = self.uncast(rank);
        let mut along_x = false;
        let mut work = vec![value];
        while let Some(id) = work.pop() {
            let term = self.facts.terms.get(id).clone();
            let divisor = |me: &Self| me.facts.terms.as_const(*term.args.get(1)?);
            let whole_warps = match term.op {
                Op::Div => divisor(self).is_some_and(|by| by > 0 && by % WARP == 0),
                Op::Shr => divisor(self).is_some_and(|by| (5..32).contains(&by)),
                _ => false,
            };
            match term.op {
                Op::Const | Op::Symbol => {}
                Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ => {}
                Op::BidX | Op::BidY | Op::BidZ => {}
                Op::Div | Op::Shr if whole_warps => {
                    let divided = self.uncast(term.args[0]);
                    if self.facts.terms.get(divided).op == Op::TidX {
                        along_x = true;
                    } else if divided != rank {
                        work.extend(term.args.iter().copied());
                    }
                }
                Op::Load | Op::Other | Op::Iter => return None,
                _ if term.args.is_empty() => return None,
                _ => work.extend(term.args.iter().copied()),
            }
        }
        if !along_x {
            return Some(self.facts.terms.truth(true));
        }
        // Warps are lanes in the order of x, then y, then z: with several rows only whole warps lie in one.
        let [x, y, z] = [0, 1, 2].map(|axis| self.dimensions[axis]);
        let one = self.facts.terms.constant(1, CType::U32);
        let warp = self.facts.terms.constant(WARP, CType::U32);
        let zero = self.facts.terms.constant(0, CType::U32);
        let terms = &mut self.facts.terms;
        let rest = terms.binary(Op::Rem, CType::U32, x, warp);
        let whole = terms.binary(Op::Eq, CType::Bool, rest, zero);
        let row = terms.binary(Op::Eq, CType::Bool, y, one);
        let flat = terms.binary(Op::Eq, CType::Bool, z, one);
        let flat = terms.and(row, flat);
        Some(terms.or(whole, flat))
    }

    /// What a collective operation gives of numbers that a group hands in: its threads, or all of the block.
    pub(super) fn tell_collective(
        &mut self,
        operation: &str,
        (value, result): (TermId, TermId),
        lanes: Option<TermId>,
    ) {
        let ty = self.facts.terms.ty(result);
        let is_number = ty.is_integer() && ty != CType::Bool;
        let from = self.facts.terms.ty(value);
        let (Some(unknown), true) = (
            self.facts.terms.get(result).unknown(),
            is_number && from.is_integer(),
        ) else {
            return;
        };
        let value = self.facts.terms.cast(value, ty);
        let row = CollectiveRow {
            unknown,
            operation: operation.to_owned(),
            value,
            lanes,
        };
        self.facts.collective.push(row);
    }

    /// Asserts that the first lane of a segment gets the value of a lane that there is: in a block that does not fill its last
    /// segment, others may be asked for. What further lanes get is often not used, so that of them nothing is said.
    fn lane_is_there(
        &mut self,
        operation: &str,
        (from, width): (TermId, Option<TermId>),
        range: crate::syntax::ast::Range,
    ) {
        let width = match width {
            Some(width) => self.facts.terms.as_const(width),
            None => Some(WARP),
        };
        let threads = self.volume(0);
        let (Some(width @ (2 | 4 | 8 | 16 | 32)), Some(threads)) =
            (width, self.facts.terms.as_const(threads))
        else {
            return;
        };
        let asks = ["down", "xor"].iter().any(|way| operation.contains(way));
        let is_of_lane = operation.contains("up");
        if threads % width == 0 || is_of_lane {
            return;
        }
        let rank = self.rank_in_block();
        let terms = &mut self.facts.terms;
        let ty = CType::U32;
        let [width, last, threads, zero] =
            [width, width - 1, threads, 0].map(|number| terms.constant(number, ty));
        let from = terms.cast(from, ty);
        // Lanes outside of the segment: `__shfl_sync` counts on from its start, the others give the own value.
        let (other, own) = match asks {
            true => (from, terms.binary(Op::Le, CType::Bool, width, from)),
            false => (terms.binary(Op::BitAnd, ty, from, last), terms.truth(false)),
        };
        let place = terms.binary(Op::BitAnd, ty, rank, last);
        let first = terms.binary(Op::Eq, CType::Bool, place, zero);
        let asked = terms.binary(Op::Add, ty, rank, other);
        let there = terms.binary(Op::Lt, CType::Bool, asked, threads);
        let further = terms.not(first);
        let holds = terms.or(there, own);
        let holds = terms.or(further, holds);
        self.claim(holds, AssertKind::Lane, None, (range, range));
    }

    /// What a shuffle of a scalar gives: its arguments are the value, which lane, and the width, from this position on.
    pub(super) fn tell_lanes(
        &mut self,
        operation: &str,
        (values, first): (&[Value], usize),
        result: &Value,
        range: crate::syntax::ast::Range,
    ) {
        if let Some(from) = values.get(first + 1) {
            let from = self.term_of(from, range);
            let width = values
                .get(first + 2)
                .map(|width| self.term_of(width, range));
            self.lane_is_there(operation, (from, width), range);
        }
        let (Some(&Value::Term(value)), Some(from), &Value::Term(result)) =
            (values.get(first), values.get(first + 1), result)
        else {
            return;
        };
        let Some(unknown) = self.facts.terms.get(result).unknown() else {
            return;
        };
        let from = self.term_of(from, range);
        let width = values
            .get(first + 2)
            .map(|width| self.term_of(width, range));
        let row = LaneValueRow {
            unknown,
            operation: operation.to_owned(),
            value,
            from,
            width,
        };
        if self.facts.terms.ty(value) == self.facts.terms.ty(result) {
            self.facts.lane_value.push(row);
        }
    }

    /// A value of the type of this one, of which nothing else is known.
    pub(super) fn of_other_lane(
        &mut self,
        value: &Value,
        range: crate::syntax::ast::Range,
    ) -> Value {
        let ty = match value {
            Value::Term(term) if self.facts.terms.ty(*term) == CType::Opaque => {
                super::super::types::Ty::Scalar(CType::Opaque)
            }
            value => self.type_of(value),
        };
        self.unknown_value(&ty, "value of another lane", range)
    }
}
