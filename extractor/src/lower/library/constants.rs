//! Names of constants that the headers of C, C++ and CUDA define, for what the unit leaves undefined.
//!
//! They are looked up last: a macro, variable or enumerator of the unit comes first.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::value::*;
use crate::syntax::ast::Name;

/// limits.h, stdint.h, CUDA's driver_types.h, mma.h, cuda/atomic.
const INTEGERS: &[(&str, CType, i128)] = &[
    ("CHAR_BIT", CType::I32, 8),
    ("SCHAR_MIN", CType::I32, -128),
    ("SCHAR_MAX", CType::I32, 127),
    ("CHAR_MIN", CType::I32, -128),
    ("CHAR_MAX", CType::I32, 127),
    ("UCHAR_MAX", CType::I32, 255),
    ("SHRT_MIN", CType::I32, -32768),
    ("SHRT_MAX", CType::I32, 32767),
    ("USHRT_MAX", CType::I32, 65535),
    ("INT_MIN", CType::I32, -(1 << 31)),
    ("INT_MAX", CType::I32, (1 << 31) - 1),
    ("UINT_MAX", CType::U32, (1 << 32) - 1),
    ("LONG_MIN", CType::I64, -(1 << 63)),
    ("LONG_MAX", CType::I64, (1 << 63) - 1),
    ("ULONG_MAX", CType::U64, (1 << 64) - 1),
    ("LLONG_MIN", CType::I64, -(1 << 63)),
    ("LLONG_MAX", CType::I64, (1 << 63) - 1),
    ("ULLONG_MAX", CType::U64, (1 << 64) - 1),
    ("LONG_LONG_MAX", CType::I64, (1 << 63) - 1),
    ("INT8_MIN", CType::I32, -128),
    ("INT8_MAX", CType::I32, 127),
    ("UINT8_MAX", CType::I32, 255),
    ("INT16_MIN", CType::I32, -32768),
    ("INT16_MAX", CType::I32, 32767),
    ("UINT16_MAX", CType::I32, 65535),
    ("INT32_MIN", CType::I32, -(1 << 31)),
    ("INT32_MAX", CType::I32, (1 << 31) - 1),
    ("UINT32_MAX", CType::U32, (1 << 32) - 1),
    ("INT64_MIN", CType::I64, -(1 << 63)),
    ("INT64_MAX", CType::I64, (1 << 63) - 1),
    ("UINT64_MAX", CType::U64, (1 << 64) - 1),
    ("SIZE_MAX", CType::U64, (1 << 64) - 1),
    ("RAND_MAX", CType::I32, (1 << 31) - 1),
    ("FLT_DIG", CType::I32, 6),
    ("DBL_DIG", CType::I32, 15),
    ("FLT_MANT_DIG", CType::I32, 24),
    ("DBL_MANT_DIG", CType::I32, 53),
    ("EXIT_SUCCESS", CType::I32, 0),
    ("EXIT_FAILURE", CType::I32, 1),
    ("cudaSuccess", CType::I32, 0),
    ("cudaBoundaryModeZero", CType::I32, 0),
    ("cudaBoundaryModeClamp", CType::I32, 1),
    ("cudaBoundaryModeTrap", CType::I32, 2),
    ("cudaReadModeElementType", CType::I32, 0),
    ("cudaReadModeNormalizedFloat", CType::I32, 1),
    ("mem_row_major", CType::I32, 0),
    ("mem_col_major", CType::I32, 1),
    ("__NV_NOSAT", CType::I32, 0),
    ("__NV_SATFINITE", CType::I32, 1),
    ("__NV_E4M3", CType::I32, 0),
    ("__NV_E5M2", CType::I32, 1),
    ("cudaRoundNearest", CType::I32, 0),
];

/// float.h, math.h, CUDA's math_constants.h.
const FLOATS: &[(&str, CType, f64)] = &[
    ("FLT_MAX", CType::F32, f32::MAX as f64),
    ("FLT_MIN", CType::F32, f32::MIN_POSITIVE as f64),
    ("FLT_EPSILON", CType::F32, f32::EPSILON as f64),
    ("DBL_MAX", CType::F64, f64::MAX),
    ("DBL_MIN", CType::F64, f64::MIN_POSITIVE),
    ("DBL_EPSILON", CType::F64, f64::EPSILON),
    ("INFINITY", CType::F32, f64::INFINITY),
    ("NAN", CType::F32, f64::NAN),
    ("HUGE_VAL", CType::F64, f64::INFINITY),
    ("HUGE_VALF", CType::F32, f64::INFINITY),
    ("MAXFLOAT", CType::F32, f32::MAX as f64),
    ("M_E", CType::F64, std::f64::consts::E),
    ("M_LOG2E", CType::F64, std::f64::consts::LOG2_E),
    ("M_LOG10E", CType::F64, std::f64::consts::LOG10_E),
    ("M_LN2", CType::F64, std::f64::consts::LN_2),
    ("M_LN10", CType::F64, std::f64::consts::LN_10),
    ("M_PI", CType::F64, std::f64::consts::PI),
    ("M_PI_2", CType::F64, std::f64::consts::FRAC_PI_2),
    ("M_PI_4", CType::F64, std::f64::consts::FRAC_PI_4),
    ("M_1_PI", CType::F64, std::f64::consts::FRAC_1_PI),
    ("M_2_PI", CType::F64, std::f64::consts::FRAC_2_PI),
    ("M_2_SQRTPI", CType::F64, std::f64::consts::FRAC_2_SQRT_PI),
    ("M_SQRT2", CType::F64, std::f64::consts::SQRT_2),
    ("M_SQRT1_2", CType::F64, std::f64::consts::FRAC_1_SQRT_2),
    ("CUDART_INF_F", CType::F32, f64::INFINITY),
    ("CUDART_NAN_F", CType::F32, f64::NAN),
    ("CUDART_MIN_DENORM_F", CType::F32, 1.401_298_464_324_817e-45),
    ("CUDART_MAX_NORMAL_F", CType::F32, f32::MAX as f64),
    ("CUDART_NEG_ZERO_F", CType::F32, -0.0),
    ("CUDART_ZERO_F", CType::F32, 0.0),
    ("CUDART_ONE_F", CType::F32, 1.0),
    (
        "CUDART_SQRT_HALF_F",
        CType::F32,
        std::f64::consts::FRAC_1_SQRT_2,
    ),
    ("CUDART_SQRT_TWO_F", CType::F32, std::f64::consts::SQRT_2),
    ("CUDART_PIO4_F", CType::F32, std::f64::consts::FRAC_PI_4),
    ("CUDART_PIO2_F", CType::F32, std::f64::consts::FRAC_PI_2),
    ("CUDART_PI_F", CType::F32, std::f64::consts::PI),
    (
        "CUDART_2_OVER_PI_F",
        CType::F32,
        std::f64::consts::FRAC_2_PI,
    ),
    ("CUDART_L2E_F", CType::F32, std::f64::consts::LOG2_E),
    ("CUDART_LN2_F", CType::F32, std::f64::consts::LN_2),
    ("CUDART_INF", CType::F64, f64::INFINITY),
    ("CUDART_NAN", CType::F64, f64::NAN),
    ("CUDART_NEG_ZERO", CType::F64, -0.0),
    ("CUDART_ZERO", CType::F64, 0.0),
    ("CUDART_ONE", CType::F64, 1.0),
    ("CUDART_SQRT_TWO", CType::F64, std::f64::consts::SQRT_2),
    (
        "CUDART_SQRT_HALF",
        CType::F64,
        std::f64::consts::FRAC_1_SQRT_2,
    ),
    ("CUDART_PI", CType::F64, std::f64::consts::PI),
    ("CUDART_PIO2", CType::F64, std::f64::consts::FRAC_PI_2),
    ("CUDART_PIO4", CType::F64, std::f64::consts::FRAC_PI_4),
    ("CUDART_L2E", CType::F64, std::f64::consts::LOG2_E),
    ("CUDART_LN2", CType::F64, std::f64::consts::LN_2),
];

/// cuda_fp16.h, cuda_bf16.h: numbers of half types.
const HALVES: &[&str] = &[
    "CUDART_INF_FP16",
    "CUDART_NAN_FP16",
    "CUDART_MIN_DENORM_FP16",
    "CUDART_MAX_NORMAL_FP16",
    "CUDART_NEG_ZERO_FP16",
    "CUDART_ZERO_FP16",
    "CUDART_ONE_FP16",
    "CUDART_INF_BF16",
    "CUDART_NAN_BF16",
    "CUDART_MIN_DENORM_BF16",
    "CUDART_MAX_NORMAL_BF16",
    "CUDART_NEG_ZERO_BF16",
    "CUDART_ZERO_BF16",
    "CUDART_ONE_BF16",
];

impl Lowerer<'_, '_> {
    /// The value of a name that the unit does not define and a header does.
    pub(crate) fn library_constant(&mut self, name: &Name) -> Option<Value> {
        if let Some(value) = self.algorithm_constant(name) {
            return Some(value);
        }
        let outer = name.qualifier.first().map(|segment| segment.name.as_str());
        let of_library = match outer {
            None => true,
            Some(outer) => {
                let known = ["std", "cuda", "thrust", "nvcuda", "wmma"].contains(&outer);
                known || self.uses_namespace("std")
            }
        };
        if !of_library {
            return None;
        }
        if let Some(value) = self.trait_value(name) {
            return Some(value);
        }
        let base = name.base.as_str();
        if let Some(&(_, ty, value)) = INTEGERS.iter().find(|(known, ..)| *known == base) {
            return Some(Value::Term(self.facts.terms.constant(value, ty)));
        }
        if let Some(&(_, ty, value)) = FLOATS.iter().find(|(known, ..)| *known == base) {
            return Some(Value::Term(self.float_constant(value, ty)));
        }
        HALVES
            .contains(&base)
            .then(|| Value::Term(self.pure(base, CType::Opaque, &[])))
    }
}
