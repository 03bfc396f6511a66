//! Half and bfloat16 numbers, their pairs, and conversions between all number types.
//!
//! A half number is an opaque value of two bytes; a pair is a class of two of them.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row};

/// A half or bfloat16 number.
const H: Out = Out::Is(CType::Opaque);
const HALF: Meaning = Meaning::Pure(H);
/// A pair: both kinds have members `x` and `y`.
const PAIR: Meaning = Meaning::Pure(Out::Class("half2"));
const BOOL: Meaning = Meaning::Pure(Out::Is(CType::Bool));
const F32: Meaning = Meaning::Pure(Out::Is(CType::F32));
const U32: Meaning = Meaning::Pure(Out::Is(CType::U32));

pub(super) const FAMILY: Family = Family {
    subject: "Half and bfloat16",
    source: "CUDA Math API: Half, Bfloat16 Precision Intrinsics; FP8 Intrinsics",
    namespaces: &[],
    global: true,
    rows: &[
        // `__hadd` is in the table of integers, which have a function of that name too.
        row(
            "__hadd_{rn,sat} __h{sub,mul,div,max,min,max_nan,min_nan}{,_rn,_sat} __hcopysign",
            2,
            HALF,
        ),
        row(
            "__hneg __habs hexp hexp2 hexp10 hlog hlog2 hlog10 hsqrt hrsqrt hrcp hsin hcos hfloor hceil htrunc hrint htanh htanh_approx",
            1,
            HALF,
        ),
        row("__hfma{,_rn,_sat,_relu}", 3, HALF),
        row(
            "__h{add,sub,mul,max,min,max_nan,min_nan}2{,_rn,_sat} __h2div",
            2,
            PAIR,
        ),
        row(
            "__hneg2 __habs2 h2exp h2exp2 h2exp10 h2log h2log2 h2log10 h2sqrt h2rsqrt h2rcp h2sin h2cos h2floor h2ceil h2trunc h2rint h2tanh h2tanh_approx",
            1,
            PAIR,
        ),
        row("__hfma2{,_rn,_sat,_relu} __hcmadd", 3, PAIR),
        row("__h{eq,ne,lt,gt,le,ge,equ,neu,ltu,gtu,leu,geu}", 2, BOOL),
        row("__hb{eq,ne,lt,gt,le,ge,equ,neu,ltu,gtu,leu,geu}2", 2, BOOL),
        row("__h{eq,ne,lt,gt,le,ge,equ,neu,ltu,gtu,leu,geu}2", 2, PAIR),
        row(
            "__h{eq,ne,lt,gt,le,ge,equ,neu,ltu,gtu,leu,geu}2_mask",
            2,
            U32,
        ),
        row("__hisnan", 1, BOOL),
        row("__hisinf", 1, Meaning::Pure(Out::Is(CType::I32))),
        row("__hisnan2", 1, PAIR),
        row("hpow", 2, HALF),
        // Pairs made and taken apart.
        row(
            "__halves2half2 __halves2bfloat162 make_half2 make_bfloat162",
            2,
            Meaning::By(pair),
        ),
        row("__half2half2 __bfloat162bfloat162", 1, Meaning::By(twice)),
        row("__low2half __low2bfloat16", 1, Meaning::By(low)),
        row("__high2half __high2bfloat16", 1, Meaning::By(high)),
        row("__low2float __high2float", 1, F32),
        row(
            "__low2half2 __high2half2 __lowhigh2highlow __low2bfloat162 __high2bfloat162",
            1,
            PAIR,
        ),
        row(
            "__lows2half2 __highs2half2 __lows2bfloat162 __highs2bfloat162",
            2,
            PAIR,
        ),
        row("__floats2half2_rn __floats2bfloat162_rn", 2, PAIR),
        row(
            "__float2half2_rn __float2bfloat162_rn __float22half2_rn __float22bfloat162_rn",
            1,
            PAIR,
        ),
        row(
            "__half22float2 __bfloat1622float2",
            1,
            Meaning::Pure(Out::Class("float2")),
        ),
        // Bit patterns.
        row(
            "__half_as_short __bfloat16_as_short",
            1,
            Meaning::Pure(Out::Is(CType::I16)),
        ),
        row(
            "__half_as_ushort __bfloat16_as_ushort",
            1,
            Meaning::Pure(Out::Is(CType::U16)),
        ),
        row(
            "__short_as_half __ushort_as_half __short_as_bfloat16 __ushort_as_bfloat16",
            1,
            HALF,
        ),
        // Eight bits.
        row(
            "__nv_cvt_{float,double,halfraw,bfloat16raw}_to_{fp8,fp6,fp4}",
            3,
            Meaning::Pure(Out::Is(CType::U8)),
        ),
        row(
            "__nv_cvt_{float2,double2,halfraw2,bfloat16raw2}_to_{fp8x2,fp6x2}",
            3,
            Meaning::Pure(Out::Is(CType::U16)),
        ),
        row(
            "__nv_cvt_{fp8,fp6,fp4}_to_halfraw",
            2,
            Meaning::Pure(Out::Class("__half_raw")),
        ),
        row(
            "__nv_cvt_{fp8x2,fp6x2,fp4x2}_to_halfraw2",
            2,
            Meaning::Pure(Out::Class("__half2_raw")),
        ),
        row(
            "__nv_cvt_float_to_e8m0 __nv_cvt_bfloat16raw_to_e8m0",
            3,
            Meaning::Pure(Out::Is(CType::U8)),
        ),
        row(
            "__nv_cvt_e8m0_to_bf16raw",
            1,
            Meaning::Pure(Out::Class("__nv_bfloat16_raw")),
        ),
    ],
};

fn pair(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let ty = super::types::class("half2")?;
    Some(me.class_of_values(&ty, values, call.range))
}

fn twice(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let value = me.values_of(call.args).pop()?;
    let ty = super::types::class("half2")?;
    Some(me.class_of_values(&ty, vec![value.clone(), value], call.range))
}

fn low(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    part(me, call, 0)
}

fn high(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    part(me, call, 1)
}

fn part(me: &mut Lowerer<'_, '_>, call: &Call<'_>, position: usize) -> Option<Value> {
    let values = me.values_of(call.args);
    if let Some(Value::Struct(fields)) = values.first()
        && let Some((_, part)) = fields.get(position)
    {
        return Some(part.clone());
    }
    Some(me.pure_result(H, call.name, &values, call.range))
}

/// The result of `__float2int_rn`, `__half2ushort_rz`, `__ll2bfloat16_ru`, `__float2half` …
pub(super) fn conversion(name: &str) -> Option<Out> {
    let words = name.strip_prefix("__")?;
    let (words, rounding) = match words.split_once('_') {
        Some((words, rounding)) => (words, rounding),
        None => (words, ""),
    };
    if !matches!(rounding, "" | "rn" | "rz" | "ru" | "rd" | "rna" | "sat") {
        return None;
    }
    // `__half2float`, and `__bfloat162float`: the number of the type and the word `2` run together.
    words.match_indices('2').find_map(|(at, _)| {
        let (from, to) = (&words[..at], &words[at + 1..]);
        number(from)?;
        number(to).map(Out::Is)
    })
}

fn number(word: &str) -> Option<CType> {
    Some(match word {
        "char" => CType::I8,
        "uchar" => CType::U8,
        "short" => CType::I16,
        "ushort" => CType::U16,
        "int" => CType::I32,
        "uint" => CType::U32,
        "ll" => CType::I64,
        "ull" => CType::U64,
        "float" => CType::F32,
        "double" => CType::F64,
        "half" | "bfloat16" => CType::Opaque,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_read_from_their_names() {
        let out = |name| match conversion(name) {
            Some(Out::Is(ty)) => Some(ty),
            _ => None,
        };
        assert_eq!(out("__float2int_rn"), Some(CType::I32));
        assert_eq!(out("__half2float"), Some(CType::F32));
        assert_eq!(out("__float2half"), Some(CType::Opaque));
        assert_eq!(out("__bfloat162float"), Some(CType::F32));
        assert_eq!(out("__ull2double_rd"), Some(CType::F64));
        assert_eq!(out("__float22half2_rn"), None);
        assert_eq!(out("__float2int_up"), None);
    }
}
