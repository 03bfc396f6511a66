//! The built-in types, and the names of types that CUDA's and C's headers declare.

use super::ast::{Scalar, TypeKind};

/// Counts of the words of a built-in type.
#[derive(Default)]
pub(super) struct BuiltinWords {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    int: u8,
    other: Option<TypeKind>,
    others: u8,
}

impl BuiltinWords {
    pub fn any(&self) -> bool {
        self.signed + self.unsigned + self.short + self.long + self.int + self.others > 0
    }

    pub fn add(&mut self, word: &str) {
        let other = match word {
            "signed" | "__signed__" => return self.signed = self.signed.saturating_add(1).min(2),
            "unsigned" => return self.unsigned = self.unsigned.saturating_add(1).min(2),
            "short" => return self.short = self.short.saturating_add(1).min(3),
            "long" => return self.long = self.long.saturating_add(1).min(3),
            "int" => return self.int = self.int.saturating_add(1).min(2),
            "void" => Scalar::Void,
            "bool" | "_Bool" => Scalar::Bool,
            "char" => Scalar::Char,
            "float" => Scalar::Float,
            "double" => Scalar::Double,
            "wchar_t" => Scalar::WChar,
            "char8_t" => Scalar::Char8,
            "char16_t" => Scalar::Char16,
            "char32_t" => Scalar::Char32,
            "__int128" | "__int128_t" => Scalar::Int128,
            "__uint128_t" => Scalar::UInt128,
            _ => {
                self.other = Some(TypeKind::Auto);
                self.others = (self.others + 1).min(2);
                return;
            }
        };
        self.other = Some(TypeKind::Scalar(other));
        self.others = (self.others + 1).min(2);
    }

    pub fn scalar(self) -> Option<TypeKind> {
        let Self {
            signed,
            unsigned,
            short,
            long,
            int,
            other,
            others,
        } = self;
        if signed + unsigned > 1 || int > 1 || others > 1 || long > 2 || short > 1 {
            return None;
        }
        let scalar = match (other, short, long, int) {
            (Some(TypeKind::Scalar(Scalar::Char)), 0, 0, 0) => match (signed, unsigned) {
                (0, 0) => Scalar::Char,
                (1, _) => Scalar::SChar,
                _ => Scalar::UChar,
            },
            (Some(TypeKind::Scalar(Scalar::Int128)), 0, 0, 0) if unsigned == 1 => Scalar::UInt128,
            (Some(TypeKind::Scalar(Scalar::Int128)), 0, 0, 0) => Scalar::Int128,
            (Some(TypeKind::Scalar(Scalar::Double)), 0, 1, 0) if signed + unsigned == 0 => {
                Scalar::LongDouble
            }
            (Some(kind), 0, 0, 0) if signed + unsigned == 0 => return Some(kind),
            (None, 1, 0, _) => [Scalar::Short, Scalar::UShort][usize::from(unsigned)],
            (None, 0, 1, _) => [Scalar::Long, Scalar::ULong][usize::from(unsigned)],
            (None, 0, 2, _) => [Scalar::LongLong, Scalar::ULongLong][usize::from(unsigned)],
            (None, 0, 0, _) => [Scalar::Int, Scalar::UInt][usize::from(unsigned)],
            _ => return None,
        };
        Some(TypeKind::Scalar(scalar))
    }
}

/// Names of scalar types that the CUDA and C headers declare.
pub(super) fn library_scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "int8_t" | "int_least8_t" | "int_fast8_t" => Scalar::SChar,
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_char" => Scalar::UChar,
        "int16_t" | "int_least16_t" => Scalar::Short,
        "uint16_t" | "uint_least16_t" | "ushort" | "u_short" => Scalar::UShort,
        "int32_t" | "int_least32_t" => Scalar::Int,
        "uint32_t" | "uint_least32_t" | "uint" | "u_int" => Scalar::UInt,
        "int64_t" | "int_least64_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t"
        | "ptrdiff_t" | "ssize_t" | "intptr_t" | "intmax_t" | "clock_t" | "time_t" => Scalar::Long,
        "uint64_t" | "uint_least64_t" | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t"
        | "size_t" | "uintptr_t" | "uintmax_t" | "ulong" | "u_long" => Scalar::ULong,
        "CUdeviceptr" | "CUdeviceptr_v2" => Scalar::ULongLong,
        "half" | "__half" => Scalar::Half,
        "__nv_bfloat16" | "nv_bfloat16" => Scalar::BFloat16,
        "nullptr_t" => Scalar::NullptrT,
        _ => return None,
    })
}

/// Names of class types that CUDA declares in every unit.
pub(super) fn is_library_type(name: &str) -> bool {
    if library_scalar(name).is_some() {
        return true;
    }
    const VECTORS: [&str; 12] = [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ];
    if let Some(base) = name.strip_suffix(['1', '2', '3', '4'])
        && VECTORS.contains(&base)
    {
        return true;
    }
    matches!(
        name,
        "dim3"
            | "half2"
            | "__half2"
            | "__nv_bfloat162"
            | "nv_bfloat162"
            | "cudaStream_t"
            | "cudaEvent_t"
            | "cudaError_t"
            | "cudaTextureObject_t"
            | "cudaSurfaceObject_t"
            | "cudaDeviceProp"
            | "cudaArray_t"
            | "FILE"
    )
}
