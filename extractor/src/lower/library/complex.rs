//! Complex numbers: a class of two floats, `x` and `y`.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, types};

const F32: Meaning = Meaning::Pure(Out::Is(CType::F32));
const F64: Meaning = Meaning::Pure(Out::Is(CType::F64));
const C32: Meaning = Meaning::Pure(Out::Class("float2"));
const C64: Meaning = Meaning::Pure(Out::Class("double2"));

pub(super) const FAMILY: Family = Family {
    subject: "Complex numbers of cuComplex.h",
    source: "cuComplex.h",
    namespaces: &[],
    global: true,
    rows: &[
        row("make_cuFloatComplex make_cuComplex", 2, Meaning::By(single)),
        row("make_cuDoubleComplex", 2, Meaning::By(double)),
        row("cuCaddf cuCsubf cuCmulf cuCdivf", 2, C32),
        row("cuCadd cuCsub cuCmul cuCdiv", 2, C64),
        row("cuCfmaf", 3, C32),
        row("cuCfma", 3, C64),
        row("cuConjf cuComplexDoubleToFloat", 1, C32),
        row("cuConj cuComplexFloatToDouble", 1, C64),
        row("cuCabsf", 1, F32),
        row("cuCabs", 1, F64),
        row("cuCrealf cuCreal", 1, Meaning::By(real)),
        row("cuCimagf cuCimag", 1, Meaning::By(imaginary)),
    ],
};

pub(super) const CLASS_FAMILY: Family = Family {
    subject: "Complex numbers of C++",
    source: "Thrust and libcu++: `complex<T>`; C++ standard, complex.value.ops, complex.transcendentals",
    namespaces: &["thrust", "std", "cuda::std"],
    global: false,
    rows: &[
        row("norm arg", 1, Meaning::By(magnitude)),
        row("real", 1, Meaning::By(real)),
        row("imag", 1, Meaning::By(imaginary)),
        // `exp`, `sqrt` and the like are in the table of floats: their result is as their argument.
        row("conj proj", 1, Meaning::Pure(Out::Float)),
        row("polar", 2, Meaning::By(polar)),
    ],
};

fn single(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    Some(me.class_of_values(&types::class("float2")?, values, call.range))
}

fn double(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    Some(me.class_of_values(&types::class("double2")?, values, call.range))
}

fn real(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    part(me, call, 0)
}

fn imaginary(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    part(me, call, 1)
}

fn part(me: &mut Lowerer<'_, '_>, call: &Call<'_>, position: usize) -> Option<Value> {
    let values = me.values_of(call.args);
    Some(match values.first()? {
        Value::Struct(fields) => fields.get(position)?.1.clone(),
        _ => me.pure_result(Out::Float, call.name, &values, call.range),
    })
}

/// A real number from a complex one.
fn magnitude(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let Value::Struct(fields) = values.first()? else {
        return Some(me.pure_result(Out::Float, call.name, &values, call.range));
    };
    let part = fields.first()?.1.clone();
    let ty = match part {
        Value::Term(term) => me.facts.terms.ty(term),
        _ => CType::Opaque,
    };
    Some(me.pure_result(Out::Is(ty), call.name, &values, call.range))
}

fn polar(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let wide = values
        .iter()
        .any(|value| matches!(value, Value::Term(term) if me.facts.terms.ty(*term) == CType::F64));
    let class = if wide { "double2" } else { "float2" };
    Some(me.pure_result(Out::Class(class), call.name, &values, call.range))
}
