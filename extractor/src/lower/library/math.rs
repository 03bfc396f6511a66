//! Floating-point functions: pure, and opaque to the solver.

use warplog_facts::CType;

use super::{Call, Family, Meaning, Out, row, rows};
use crate::lower::body::Lowerer;
use crate::lower::types::Ty;
use crate::lower::value::Value;

const FLOAT: Meaning = Meaning::Pure(Out::Float);
const F32: Meaning = Meaning::Pure(Out::Is(CType::F32));
const F64: Meaning = Meaning::Pure(Out::Is(CType::F64));
const I32: Meaning = Meaning::Pure(Out::Is(CType::I32));
const BOOL: Meaning = Meaning::Pure(Out::Is(CType::Bool));

pub(super) const FAMILY: Family = Family {
    subject: "Floating point",
    source: "CUDA Math API: Single, Double Precision Mathematical Functions and Intrinsics, Type Casting Intrinsics",
    namespaces: &["std", "cuda::std", "cuda", "thrust"],
    global: true,
    rows: &[
        row(
            "sqrt rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan",
            1,
            FLOAT,
        ),
        row(
            "sinh cosh tanh asinh acosh atanh sinpi cospi tanpi erf erfc erfinv erfcinv erfcx tgamma lgamma",
            1,
            FLOAT,
        ),
        row(
            "floor ceil trunc round rint nearbyint fabs logb j0 j1 y0 y1 normcdf normcdfinv",
            1,
            FLOAT,
        ),
        row("cyl_bessel_i0 cyl_bessel_i1", 1, FLOAT),
        row(
            "pow powi atan2 fmod remainder fmin fmax fdim hypot rhypot copysign nextafter fdivide jn yn",
            2,
            FLOAT,
        ),
        row("fma norm3d rnorm3d", 3, FLOAT),
        row("hypot", 3, FLOAT),
        row("lerp", 3, FLOAT),
        row("norm4d rnorm4d", 4, FLOAT),
        row(
            "norm rnorm",
            2,
            Meaning::Refused(
                "reads an array of unknown length",
                warplog_facts::words::Effect::Access,
            ),
        ),
        row("ldexp scalbn scalbln", 2, Meaning::Pure(Out::FloatOfFirst)),
        row(
            "sqrtf rsqrtf cbrtf rcbrtf expf exp2f exp10f expm1f logf log2f log10f log1pf sinf cosf tanf asinf acosf atanf",
            1,
            F32,
        ),
        row(
            "sinhf coshf tanhf asinhf acoshf atanhf sinpif cospif tanpif erff erfcf erfinvf erfcinvf erfcxf tgammaf lgammaf",
            1,
            F32,
        ),
        row(
            "floorf ceilf truncf roundf rintf nearbyintf fabsf logbf j0f j1f y0f y1f normcdff normcdfinvf",
            1,
            F32,
        ),
        row("cyl_bessel_i0f cyl_bessel_i1f", 1, F32),
        row(
            "powf powif atan2f fmodf remainderf fminf fmaxf fdimf hypotf rhypotf copysignf nextafterf fdividef jnf ynf",
            2,
            F32,
        ),
        row("ldexpf scalbnf scalblnf", 2, F32),
        row("fmaf norm3df rnorm3df", 3, F32),
        row("norm4df rnorm4df", 4, F32),
        row("nanf", 1, F32),
        row("nan", 1, F64),
        // Intrinsics.
        row(
            "__expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __tanhf __saturatef __frsqrt_rn",
            1,
            F32,
        ),
        row("__fsqrt_{rn,rz,ru,rd} __frcp_{rn,rz,ru,rd}", 1, F32),
        row(
            "__powf __fdividef __f{add,sub,mul,div}_{rn,rz,ru,rd}",
            2,
            F32,
        ),
        row("__fmaf_{rn,rz,ru,rd} __fmaf_ieee_{rn,rz,ru,rd}", 3, F32),
        row("__dsqrt_{rn,rz,ru,rd} __drcp_{rn,rz,ru,rd}", 1, F64),
        row("__d{add,sub,mul,div}_{rn,rz,ru,rd}", 2, F64),
        row("__fma_{rn,rz,ru,rd}", 3, F64),
        // Classification.
        row("isnan isinf isfinite isnormal signbit", 1, BOOL),
        // Any number but 0 where it is so.
        row(
            "isnanf isinff __isnan __isinf __finite __finitef __isnanf __isinff __signbit __signbitf __signbitd __isnand __isinfd",
            1,
            I32,
        ),
        row(
            "isgreater isgreaterequal isless islessequal islessgreater isunordered",
            2,
            BOOL,
        ),
        row("fpclassify", 1, Meaning::Pure(Out::Is(CType::I32))),
        // To integers.
        row(
            "lrint lrintf llrint llrintf lround lroundf llround llroundf",
            1,
            Meaning::Pure(Out::Is(CType::I64)),
        ),
        row("ilogb ilogbf", 1, Meaning::Pure(Out::Is(CType::I32))),
        // Bit patterns.
        row(
            "__double2hiint __double2loint",
            1,
            Meaning::Pure(Out::Is(CType::I32)),
        ),
        row(
            "__float_as_int __float_as_uint __int_as_float __uint_as_float",
            1,
            Meaning::By(bits_of),
        ),
        row(
            "__double_as_longlong __double_as_ulonglong __longlong_as_double __ulonglong_as_double",
            1,
            Meaning::By(bits_of),
        ),
        row("__hiloint2double", 2, F64),
        // Results besides the returned one.
        row(
            "sincosf __sincosf sincospif",
            3,
            Meaning::Stores(
                Out::Nothing,
                &[(1, Out::Is(CType::F32)), (2, Out::Is(CType::F32))],
            ),
        ),
        row(
            "sincos sincospi",
            3,
            Meaning::Stores(Out::Nothing, &[(1, Out::Float), (2, Out::Float)]),
        ),
        row(
            "frexp",
            2,
            Meaning::Stores(Out::FloatOfFirst, &[(1, Out::Is(CType::I32))]),
        ),
        row(
            "modf",
            2,
            Meaning::Stores(Out::FloatOfFirst, &[(1, Out::FloatOfFirst)]),
        ),
        row(
            "frexpf",
            2,
            Meaning::Stores(Out::Is(CType::F32), &[(1, Out::Is(CType::I32))]),
        ),
        row(
            "modff",
            2,
            Meaning::Stores(Out::Is(CType::F32), &[(1, Out::Is(CType::F32))]),
        ),
        row(
            "remquo",
            3,
            Meaning::Stores(Out::Float, &[(2, Out::Is(CType::I32))]),
        ),
        row(
            "remquof",
            3,
            Meaning::Stores(Out::Is(CType::F32), &[(2, Out::Is(CType::I32))]),
        ),
        rows(
            "__builtin_{sqrt,exp,log,sin,cos,floor,ceil,fabs,pow,fmod,fma}",
            1,
            3,
            FLOAT,
        ),
        rows(
            "__builtin_{sqrt,exp,log,sin,cos,floor,ceil,fabs,pow,fmod,fma}f",
            1,
            3,
            F32,
        ),
        rows("__builtin_{huge_val,inf}", 0, 0, F64),
        rows("__builtin_{huge_valf,inff}", 0, 0, F32),
        rows("__builtin_{isnan,isinf,isfinite}", 1, 1, I32),
    ],
};

/// `__float_as_int(f)`: the bits of a number, as those that are read through a pointer to another type.
fn bits_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (from, to) = match call.name {
        "__float_as_int" => (CType::F32, CType::I32),
        "__float_as_uint" => (CType::F32, CType::U32),
        "__int_as_float" => (CType::I32, CType::F32),
        "__uint_as_float" => (CType::U32, CType::F32),
        "__double_as_longlong" => (CType::F64, CType::I64),
        "__double_as_ulonglong" => (CType::F64, CType::U64),
        "__longlong_as_double" => (CType::I64, CType::F64),
        _ => (CType::U64, CType::F64),
    };
    let value = me.expr(call.args.first()?);
    let value = me.convert(value, &Ty::Scalar(from), call.range);
    let term = me.term_of(&value, call.range);
    Some(Value::Term(me.bits_as(term, to)))
}
