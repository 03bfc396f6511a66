//! cuRAND's device functions: each reads and writes the whole state that it is given.

use warplog_facts::CType;
use warplog_facts::words::Effect;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};
use crate::syntax::ast::Range;

pub(super) const FAMILY: Family = Family {
    subject: "Random numbers",
    source: "cuRAND documentation: Device API; curand_kernel.h",
    namespaces: &[],
    global: true,
    rows: &[
        rows("curand_init", 3, 4, Meaning::By(init)),
        row("curand", 1, Meaning::By(u32_of)),
        row("curand4", 1, Meaning::By(uint4_of)),
        row("curand_uniform curand_normal", 1, Meaning::By(f32_of)),
        row(
            "curand_uniform_double curand_normal_double",
            1,
            Meaning::By(f64_of),
        ),
        row("curand_normal2", 1, Meaning::By(float2_of)),
        row("curand_uniform4 curand_normal4", 1, Meaning::By(float4_of)),
        row(
            "curand_uniform2_double curand_normal2_double",
            1,
            Meaning::By(double2_of),
        ),
        row(
            "curand_uniform4_double curand_normal4_double",
            1,
            Meaning::By(double4_of),
        ),
        row("curand_log_normal", 3, Meaning::By(f32_of)),
        row("curand_log_normal_double", 3, Meaning::By(f64_of)),
        row("curand_log_normal2", 3, Meaning::By(float2_of)),
        row("curand_log_normal4", 3, Meaning::By(float4_of)),
        row("curand_log_normal2_double", 3, Meaning::By(double2_of)),
        row("curand_poisson curand_discrete", 2, Meaning::By(u32_of)),
        row("curand_poisson4 curand_discrete4", 2, Meaning::By(uint4_of)),
        row(
            "skipahead skipahead_sequence skipahead_subsequence",
            2,
            Meaning::By(skip),
        ),
        row(
            "curand_Philox4x32_10",
            2,
            Meaning::Pure(Out::Class("uint4")),
        ),
        rows(
            "curand_mtgp32_specific curand_mtgp32_single curand_mtgp32_single_specific",
            1,
            4,
            Meaning::Refused(
                "the state is the block's, and the call holds barriers",
                Effect::Control,
            ),
        ),
    ],
};

/// `curand_init(seed, sequence, offset, &state)`: the state is the last argument.
fn init(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let state = values.last()?;
    // The Sobol generators copy their direction vectors, the first argument, from memory.
    if let Some(vectors @ Value::Pointer(_)) = values.first() {
        me.load_through(vectors, call.range);
    }
    overwrite(me, state, call.range);
    Some(Value::Void)
}

/// `skipahead(n, &state)`
fn skip(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    step(me, values.get(1)?, call)?;
    Some(Value::Void)
}

fn drawn(me: &mut Lowerer<'_, '_>, call: &Call<'_>, out: Out) -> Option<Value> {
    let values = me.values_of(call.args);
    step(me, values.first()?, call)?;
    Some(me.fresh_result(out, call.name, &[], call.range))
}

/// Reads and writes the state. That of the MTGP32 generator belongs to the whole block.
fn step(me: &mut Lowerer<'_, '_>, state: &Value, call: &Call<'_>) -> Option<()> {
    let of_block = match state {
        Value::Pointer(pointer) => pointer.element.describe().to_lowercase().contains("mtgp32"),
        _ => false,
    };
    if of_block {
        me.unsupported(
            call.range,
            &format!("call of `{}`", call.name),
            "the state of MTGP32 is the block's, and the call holds barriers",
            Effect::Control,
        );
        return Some(());
    }
    me.load_through(state, call.range);
    overwrite(me, state, call.range);
    Some(())
}

fn overwrite(me: &mut Lowerer<'_, '_>, state: &Value, range: Range) {
    if let Some(place) = me.pointee(state, range) {
        let ty = match &place {
            Lvalue::Memory { ty, .. } | Lvalue::Variable { ty, .. } => ty.clone(),
            Lvalue::Unknown => return,
        };
        let value = me.unknown_value(&ty, "state of a random number generator", range);
        me.write(&place, value, range);
    }
}

fn u32_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Is(CType::U32))
}

fn f32_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Is(CType::F32))
}

fn f64_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Is(CType::F64))
}

fn uint4_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Class("uint4"))
}

fn float2_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Class("float2"))
}

fn float4_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Class("float4"))
}

fn double2_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Class("double2"))
}

fn double4_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    drawn(me, call, Out::Class("double4"))
}
