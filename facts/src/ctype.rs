//! C types of terms: what decides wrap-around, truncation and the meaning of shifts.

use std::fmt;
use std::str::FromStr;

/// The C type of a term. `long` is 64 bits wide, as on every platform CUDA supports but Windows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum CType {
    /// `bool`, and the result of comparisons and logical operators: 0 or 1.
    Bool,
    /// `signed char`, `int8_t`, `char`
    I8,
    /// `unsigned char`, `uint8_t`
    U8,
    /// `short`
    I16,
    /// `unsigned short`
    U16,
    /// `int`
    I32,
    /// `unsigned int`
    U32,
    /// `long`, `long long`, `ptrdiff_t`
    I64,
    /// `unsigned long`, `size_t`
    U64,
    /// `float`: an opaque value, compared by uninterpreted functions only.
    F32,
    /// `double`: opaque likewise.
    F64,
    /// Anything else (half types, structures, pointers as values): opaque.
    Opaque,
}

impl CType {
    /// All types, in the order of their declaration.
    pub const ALL: [CType; 12] = [
        CType::Bool,
        CType::I8,
        CType::U8,
        CType::I16,
        CType::U16,
        CType::I32,
        CType::U32,
        CType::I64,
        CType::U64,
        CType::F32,
        CType::F64,
        CType::Opaque,
    ];

    /// The spelling in fact files: `bool`, `i8`, `u8` … `f64`, `opaque`.
    pub fn name(self) -> &'static str {
        match self {
            CType::Bool => "bool",
            CType::I8 => "i8",
            CType::U8 => "u8",
            CType::I16 => "i16",
            CType::U16 => "u16",
            CType::I32 => "i32",
            CType::U32 => "u32",
            CType::I64 => "i64",
            CType::U64 => "u64",
            CType::F32 => "f32",
            CType::F64 => "f64",
            CType::Opaque => "opaque",
        }
    }

    /// Width in bits of an integer type (1 for `bool`), `None` for opaque values.
    pub fn bits(self) -> Option<u32> {
        match self {
            CType::Bool => Some(1),
            CType::I8 | CType::U8 => Some(8),
            CType::I16 | CType::U16 => Some(16),
            CType::I32 | CType::U32 => Some(32),
            CType::I64 | CType::U64 => Some(64),
            CType::F32 | CType::F64 | CType::Opaque => None,
        }
    }

    /// Size in bytes of an object of this type, `None` when not known from the type alone.
    pub fn bytes(self) -> Option<u32> {
        match self {
            CType::Bool | CType::I8 | CType::U8 => Some(1),
            CType::I16 | CType::U16 => Some(2),
            CType::I32 | CType::U32 | CType::F32 => Some(4),
            CType::I64 | CType::U64 | CType::F64 => Some(8),
            CType::Opaque => None,
        }
    }

    /// Whether this is an integer type (`bool` included).
    pub fn is_integer(self) -> bool {
        self.bits().is_some()
    }

    /// Whether this is a signed integer type: its arithmetic must not overflow.
    pub fn is_signed(self) -> bool {
        matches!(self, CType::I8 | CType::I16 | CType::I32 | CType::I64)
    }

    /// Whether this is an unsigned integer type (`bool` not included): its arithmetic wraps.
    pub fn is_unsigned(self) -> bool {
        matches!(self, CType::U8 | CType::U16 | CType::U32 | CType::U64)
    }

    /// Smallest value of an integer type.
    pub fn min(self) -> Option<i128> {
        let bits = self.bits()?;
        Some(if self.is_signed() {
            -(1i128 << (bits - 1))
        } else {
            0
        })
    }

    /// Largest value of an integer type.
    pub fn max(self) -> Option<i128> {
        let bits = self.bits()?;
        Some(if self.is_signed() {
            (1i128 << (bits - 1)) - 1
        } else {
            (1i128 << bits) - 1
        })
    }

    /// The largest product of a value and a power of two that a left shift may give: what the unsigned type of the width holds.
    /// In a signed type it may so reach the sign bit (`1 << 31` is the smallest `int`: CWG 1457, and C++20); what loses bits is
    /// undefined until C++20.
    pub fn shifted(self) -> Option<i128> {
        Some((1i128 << self.bits()?) - 1)
    }

    /// The unsigned integer type of the same width.
    pub fn unsigned(self) -> Option<CType> {
        match self.bits()? {
            8 => Some(CType::U8),
            16 => Some(CType::U16),
            32 => Some(CType::U32),
            64 => Some(CType::U64),
            _ => None,
        }
    }

    /// Whether `value` is a value of this integer type (false for opaque types).
    pub fn holds(self, value: i128) -> bool {
        matches!((self.min(), self.max()), (Some(low), Some(high)) if low <= value && value <= high)
    }

    /// The value that a C conversion of `value` to this integer type gives: modulo 2ⁿ, in two's
    /// complement; for `bool`, whether it is not 0. Opaque types leave it alone.
    pub fn wrap(self, value: i128) -> i128 {
        match self.bits() {
            None => value,
            Some(1) => i128::from(value != 0),
            Some(bits) => {
                let low = value & ((1i128 << bits) - 1);
                if self.is_signed() && low >> (bits - 1) != 0 {
                    low - (1i128 << bits)
                } else {
                    low
                }
            }
        }
    }

    /// The type after C's integer promotion: what is narrower than `int` becomes `int`.
    pub fn promoted(self) -> CType {
        match self {
            CType::Bool | CType::I8 | CType::U8 | CType::I16 | CType::U16 => CType::I32,
            other => other,
        }
    }

    /// The common type of C's usual arithmetic conversions.
    pub fn common(self, other: CType) -> CType {
        if self == CType::Opaque || other == CType::Opaque {
            return CType::Opaque;
        }
        if self == CType::F64 || other == CType::F64 {
            return CType::F64;
        }
        if self == CType::F32 || other == CType::F32 {
            return CType::F32;
        }
        let (left, right) = (self.promoted(), other.promoted());
        let bits = left.bits().max(right.bits());
        let unsigned = [left, right]
            .iter()
            .any(|ty| ty.is_unsigned() && ty.bits() == bits);
        match (bits, unsigned) {
            (Some(64), true) => CType::U64,
            (Some(64), false) => CType::I64,
            (_, true) => CType::U32,
            (_, false) => CType::I32,
        }
    }
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CType {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        CType::ALL
            .into_iter()
            .find(|ty| ty.name() == text)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_wraps_in_twos_complement() {
        assert_eq!(CType::U32.wrap(-1), 4_294_967_295);
        assert_eq!(CType::U8.wrap(256 + 7), 7);
        assert_eq!(CType::I8.wrap(200), -56);
        assert_eq!(CType::Bool.wrap(2), 1);
        assert_eq!(CType::I64.wrap(i128::from(u64::MAX)), -1);
    }

    #[test]
    fn usual_conversions_are_those_of_c() {
        assert_eq!(CType::I32.common(CType::U32), CType::U32);
        assert_eq!(CType::U8.common(CType::I8), CType::I32);
        assert_eq!(CType::U32.common(CType::I64), CType::I64);
        assert_eq!(CType::I64.common(CType::U64), CType::U64);
        assert_eq!(CType::F32.common(CType::I64), CType::F32);
    }
}
