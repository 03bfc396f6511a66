//! Votes, shuffles, matches and reductions of a warp: values of other lanes, which order no memory.

use warplog_facts::CType;
use warplog_facts::words::BarrierKind;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};

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
        row("clock", 0, Meaning::Fresh(Out::Is(CType::I64))),
        row(
            "clock64 __clock64 __clock wall_clock64 globaltimer __nvvm_read_ptx_sreg_globaltimer",
            0,
            Meaning::Fresh(Out::Is(CType::I64)),
        ),
        row(
            "__smid __nvvm_read_ptx_sreg_smid",
            0,
            Meaning::Fresh(Out::Is(CType::U32)),
        ),
        row("__nanosleep __prof_trigger", 1, Meaning::Pure(Out::Nothing)),
    ],
};

/// The value that a lane of the same warp has.
fn shuffle(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    if !call.name.ends_with("_sync") {
        return Some(me.of_other_lane(values.first()?, call.range));
    }
    let mask = me.term_of(values.first()?, call.range);
    let named = me.named_by(mask);
    me.meeting(BarrierKind::Meet, call.name, named, call.range);
    let value = values.get(1)?;
    // Lanes that ask for one lane get one value.
    if call.name == "__shfl_sync" {
        let from = me.term_of(values.get(2)?, call.range);
        let size = match values.get(3) {
            Some(width) => me.term_of(width, call.range),
            None => me.facts.terms.constant(32, CType::U32),
        };
        let size = me.facts.terms.cast(size, CType::U32);
        let width = me.facts.terms.as_const(size);
        if width.is_some_and(|width| [1, 2, 4, 8, 16, 32].contains(&width)) {
            let ty = me.type_of(value);
            let reason = "value of another lane";
            let group = (size, named.mask);
            let result = me.common_value(&ty, reason, group, &[from], call.range);
            if let (Some(32), &Value::Term(value), &Value::Term(result)) = (width, value, &result) {
                me.hand_round(value, from, (result, Some(mask)), call.range);
            }
            return Some(result);
        }
    }
    Some(me.of_other_lane(value, call.range))
}

/// What the lanes of a mask make of their values together.
fn vote(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let mask = me.term_of(values.first()?, call.range);
    let named = me.named_by(mask);
    me.meeting(BarrierKind::Meet, call.name, named, call.range);
    let ty = match call.name {
        "__ballot_sync" | "__match_any_sync" => Ty::Scalar(CType::U32),
        "__any_sync" | "__all_sync" | "__uni_sync" => Ty::Scalar(CType::I32),
        "__reduce_and_sync" | "__reduce_or_sync" | "__reduce_xor_sync" => Ty::Scalar(CType::U32),
        _ => me.type_of(values.get(1)?),
    };
    let reason = format!("result of {}", call.name);
    if call.name == "__match_any_sync" {
        return Some(me.unknown_value(&ty, &reason, call.range));
    }
    let size = me.facts.terms.constant(32, CType::U32);
    let result = me.common_value(&ty, &reason, (size, named.mask), &[], call.range);
    if let ("__ballot_sync", None, Value::Term(ballot)) = (call.name, named.mask, &result) {
        let ballot = *ballot;
        // The condition is an `int`: of a wider one the lower half votes.
        let value = me.term_of(values.get(1)?, call.range);
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

/// The lanes that are there.
fn active(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let result = me.fresh_result(Out::Is(CType::U32), call.name, &[], call.range);
    if let Value::Term(mask) = result {
        me.lanes_together(None, Some(mask), call.range);
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
