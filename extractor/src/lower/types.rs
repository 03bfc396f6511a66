//! C types as lowering sees them: sizes, element types, and what is opaque.

use std::rc::Rc;

use warplog_facts::{CType, TermId};

use crate::syntax::ast::Scalar;

/// A resolved C type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    Void,
    Scalar(CType),
    Pointer(Rc<Ty>),
    Array(Rc<Ty>, Extent),
    Struct(Rc<StructTy>),
    /// A type whose layout is not known, or known only by its size.
    Opaque {
        name: String,
        bytes: Option<u64>,
    },
}

/// The number of elements of an array type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    Constant(u64),
    /// A uniform `i64` term: `tile[N][N + 1]` with a template parameter N.
    Term(TermId),
    /// `T[]`, or not understood.
    Unknown,
}

/// A class with a plain layout.
#[derive(Debug, PartialEq)]
pub(crate) struct StructTy {
    pub name: String,
    /// Name, type and offset in bytes.
    pub fields: Vec<(String, Ty, u64)>,
    pub bytes: u64,
    pub align: u64,
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Scalar(CType::I32);

    /// `sizeof`, when it is known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self {
            Ty::Void => None,
            Ty::Scalar(ty) => ty.bytes().map(u64::from),
            Ty::Pointer(_) => Some(8),
            Ty::Array(element, Extent::Constant(count)) => element.bytes()?.checked_mul(*count),
            Ty::Array(..) => None,
            Ty::Struct(layout) => Some(layout.bytes),
            Ty::Opaque { bytes, .. } => *bytes,
        }
    }

    pub(crate) fn align(&self) -> u64 {
        match self {
            Ty::Array(element, _) => element.align(),
            Ty::Struct(layout) => layout.align,
            Ty::Opaque {
                bytes: Some(bytes), ..
            } => (*bytes).clamp(1, 16),
            other => other.bytes().unwrap_or(1).max(1),
        }
    }

    /// The type of a value of this type in terms.
    pub(crate) fn ctype(&self) -> CType {
        match self {
            Ty::Scalar(ty) => *ty,
            _ => CType::Opaque,
        }
    }

    pub(crate) fn pointer_to(self) -> Ty {
        Ty::Pointer(Rc::new(self))
    }

    /// The innermost element of nested arrays.
    pub(crate) fn innermost(&self) -> &Ty {
        match self {
            Ty::Array(element, _) => element.innermost(),
            other => other,
        }
    }

    /// Words for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Ty::Void => "void".to_owned(),
            Ty::Scalar(ty) => ty.name().to_owned(),
            Ty::Pointer(element) => format!("{}*", element.describe()),
            Ty::Array(element, Extent::Constant(count)) => {
                format!("{}[{count}]", element.describe())
            }
            Ty::Array(element, _) => format!("{}[]", element.describe()),
            Ty::Struct(layout) => layout.name.clone(),
            Ty::Opaque { name, .. } => name.clone(),
        }
    }
}

/// The C type of a built-in scalar; wide integers and half types are opaque values of known size.
pub(crate) fn scalar(scalar: Scalar) -> Ty {
    let ty = match scalar {
        Scalar::Void => return Ty::Void,
        Scalar::Bool => CType::Bool,
        Scalar::Char | Scalar::SChar => CType::I8,
        Scalar::UChar | Scalar::Char8 => CType::U8,
        Scalar::Short => CType::I16,
        Scalar::UShort | Scalar::Char16 => CType::U16,
        Scalar::Int | Scalar::WChar => CType::I32,
        Scalar::UInt | Scalar::Char32 => CType::U32,
        Scalar::Long | Scalar::LongLong => CType::I64,
        Scalar::ULong | Scalar::ULongLong => CType::U64,
        Scalar::Float => CType::F32,
        Scalar::Double => CType::F64,
        Scalar::NullptrT => return Ty::Void.pointer_to(),
        Scalar::Int128 | Scalar::UInt128 | Scalar::Half | Scalar::BFloat16 | Scalar::LongDouble => {
            return Ty::Opaque {
                name: format!("{scalar:?}").to_lowercase(),
                bytes: Some(u64::from(scalar.bits() / 8)),
            };
        }
    };
    Ty::Scalar(ty)
}

/// CUDA's vector types: `float4`, `uint2`, `dim3` … as plain classes.
pub(crate) fn vector(name: &str) -> Option<Ty> {
    if let Some(ty) = super::library::types::special(name) {
        return Some(ty);
    }
    if name == "dim3" {
        return Some(record(name, &["x", "y", "z"], CType::U32, 4));
    }
    let count = name.chars().last()?.to_digit(10)?;
    let element = match &name[..name.len() - 1] {
        "char" => CType::I8,
        "uchar" => CType::U8,
        "short" => CType::I16,
        "ushort" => CType::U16,
        "int" => CType::I32,
        "uint" => CType::U32,
        "long" | "longlong" => CType::I64,
        "ulong" | "ulonglong" => CType::U64,
        "float" => CType::F32,
        "double" => CType::F64,
        _ => return None,
    };
    let names = ["x", "y", "z", "w"]
        .get(..count as usize)
        .filter(|names| !names.is_empty())?;
    let bytes = u64::from(element.bytes().unwrap_or(1));
    // Three-component vectors are aligned as their elements, others as a whole up to 16 bytes.
    let align = if count == 3 {
        bytes
    } else {
        (bytes * u64::from(count)).min(16)
    };
    Some(record(name, names, element, align))
}

fn record(name: &str, names: &[&str], element: CType, align: u64) -> Ty {
    let bytes = u64::from(element.bytes().unwrap_or(1));
    let fields = names
        .iter()
        .zip(0u64..)
        .map(|(field, index)| ((*field).to_owned(), Ty::Scalar(element), index * bytes))
        .collect();
    Ty::Struct(Rc::new(StructTy {
        name: name.to_owned(),
        fields,
        bytes: bytes * names.len() as u64,
        align,
    }))
}

/// Lays fields out as C does.
pub(crate) fn layout(name: &str, fields: Vec<(String, Ty)>, union: bool) -> Option<StructTy> {
    let (mut offset, mut align, mut size) = (0u64, 1u64, 0u64);
    let mut placed = Vec::with_capacity(fields.len());
    for (field, ty) in fields {
        let bytes = ty.bytes()?;
        let step = ty.align();
        align = align.max(step);
        let start = if union {
            0
        } else {
            offset.checked_next_multiple_of(step)?
        };
        offset = start.checked_add(bytes)?;
        size = size.max(offset);
        placed.push((field, ty, start));
    }
    let bytes = size.max(1).checked_next_multiple_of(align)?;
    Some(StructTy {
        name: name.to_owned(),
        fields: placed,
        bytes,
        align,
    })
}
