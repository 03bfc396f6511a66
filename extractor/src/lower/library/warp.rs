//! Votes, shuffles, matches and reductions of a warp: values of other lanes, which order no memory.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};

pub(super) const FAMILY: Family = Family {
    subject: "Warps and clocks",
    source: "CUDA C++ programming guide: Warp Vote, Match, Reduce and Shuffle Functions; Time Function; __nanosleep",
    namespaces: &[],
    global: true,
    rows: &[
        row("__ballot", 1, Meaning::Fresh(Out::Is(CType::U32))),
        row("__ballot_sync", 2, Meaning::Fresh(Out::Is(CType::U32))),
        row("__any __all", 1, Meaning::Fresh(Out::Is(CType::I32))),
        row(
            "__any_sync __all_sync __uni_sync",
            2,
            Meaning::Fresh(Out::Is(CType::I32)),
        ),
        row("__activemask", 0, Meaning::Fresh(Out::Is(CType::U32))),
        row("__match_any_sync", 2, Meaning::Fresh(Out::Is(CType::U32))),
        row("__match_all_sync", 3, Meaning::By(match_all)),
        row(
            "__reduce_{add,min,max}_sync",
            2,
            Meaning::Fresh(Out::Like(1)),
        ),
        row(
            "__reduce_{and,or,xor}_sync",
            2,
            Meaning::Fresh(Out::Is(CType::U32)),
        ),
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
    let position = usize::from(call.name.ends_with("_sync"));
    Some(me.of_other_lane(values.get(position)?, call.range))
}

fn match_all(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let all = me.fresh_result(Out::Is(CType::I32), call.name, &[], call.range);
    me.store_through(values.get(2)?, all, call.range);
    Some(me.fresh_result(Out::Is(CType::U32), call.name, &[], call.range))
}

fn lane(me: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    let rank = me.rank_in_block();
    let mask = me.facts.terms.constant(31, CType::U32);
    Some(Value::Term(me.facts.terms.binary(
        warplog_facts::Op::BitAnd,
        CType::U32,
        rank,
        mask,
    )))
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
