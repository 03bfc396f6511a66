//! Classes and scalar names that the headers of CUDA declare: half types, random states, complex
//! numbers, groups. Sizes matter; members only where kernels name them.

use std::rc::Rc;

use warplog_facts::CType;

use super::super::types::{self, Layout, StructTy, Ty, scalar};
use super::standard::Argument;
use crate::syntax::ast::{Name, Scalar};

/// A class by its simple name, vector types included.
pub(crate) fn class(name: &str) -> Option<Ty> {
    types::vector(name)
}

/// Plain scalars and handles: name, type.
const SCALARS: &[(&str, CType)] = &[
    // texture_types.h, surface_types.h: handles.
    ("cudaTextureObject_t", CType::U64),
    ("cudaSurfaceObject_t", CType::U64),
    // cuda_fp8.h, cuda_fp6.h, cuda_fp4.h
    ("__nv_fp8_storage_t", CType::U8),
    ("__nv_fp8x2_storage_t", CType::U16),
    ("__nv_fp8x4_storage_t", CType::U32),
    ("__nv_fp6_storage_t", CType::U8),
    ("__nv_fp6x2_storage_t", CType::U16),
    ("__nv_fp4_storage_t", CType::U8),
    ("__nv_fp4x2_storage_t", CType::U8),
    ("__nv_saturation_t", CType::I32),
    ("__nv_fp8_interpretation_t", CType::I32),
    ("cudaError_t", CType::I32),
    ("cudaError", CType::I32),
    ("cufftReal", CType::F32),
    ("cufftDoubleReal", CType::F64),
    // What projects and system headers call them, where nothing in the unit does.
    ("uchar", CType::U8),
    ("uint8", CType::U8),
    ("uint16", CType::U16),
    ("uint32", CType::U32),
    ("uint64", CType::U64),
    ("int8", CType::I8),
    ("int16", CType::I16),
    ("int32", CType::I32),
    ("int64", CType::I64),
    ("u_int8_t", CType::U8),
    ("u_int16_t", CType::U16),
    ("u_int32_t", CType::U32),
    ("u_int64_t", CType::U64),
    ("__int8_t", CType::I8),
    ("__uint8_t", CType::U8),
    ("__int16_t", CType::I16),
    ("__uint16_t", CType::U16),
    ("__int32_t", CType::I32),
    ("__uint32_t", CType::U32),
    ("__int64_t", CType::I64),
    ("__uint64_t", CType::U64),
    ("__int64", CType::I64),
];

/// Classes of equal members: name, members, the type of one, alignment of the whole.
const RECORDS: &[(&str, &[&str], CType, u64)] = &[
    ("__half_raw", &["x"], CType::U16, 2),
    ("__half2_raw", &["x", "y"], CType::U16, 4),
    ("__nv_bfloat16_raw", &["x"], CType::U16, 2),
    ("__nv_bfloat162_raw", &["x", "y"], CType::U16, 4),
    ("__nv_fp8_e4m3", &["__x"], CType::U8, 1),
    ("__nv_fp8_e5m2", &["__x"], CType::U8, 1),
    ("__nv_fp8_e8m0", &["__x"], CType::U8, 1),
    ("__nv_fp8x2_e4m3", &["__x"], CType::U16, 2),
    ("__nv_fp8x2_e5m2", &["__x"], CType::U16, 2),
    ("__nv_fp8x4_e4m3", &["__x"], CType::U32, 4),
    ("__nv_fp8x4_e5m2", &["__x"], CType::U32, 4),
    ("__nv_fp4_e2m1", &["__x"], CType::U8, 1),
    ("__nv_fp4x2_e2m1", &["__x"], CType::U8, 1),
    ("__nv_fp4x4_e2m1", &["__x"], CType::U16, 2),
    ("cudaExtent", &["width", "height", "depth"], CType::U64, 8),
    ("cudaPos", &["x", "y", "z"], CType::U64, 8),
];

/// Other names of the same classes: of the vector types, and of those below.
const SAME: &[(&str, &str)] = &[
    ("cuComplex", "float2"),
    ("cuFloatComplex", "float2"),
    ("cufftComplex", "float2"),
    ("cuDoubleComplex", "double2"),
    ("cufftDoubleComplex", "double2"),
    ("__half2", "half2"),
    ("__nv_bfloat162", "nv_bfloat162"),
    ("curandState_t", "curandState"),
    ("curandStateXORWOW", "curandState"),
    ("curandStateXORWOW_t", "curandState"),
    ("curandStateMRG32k3a_t", "curandStateMRG32k3a"),
    ("curandStatePhilox4_32_10", "curandStatePhilox4_32_10_t"),
    ("curandStateSobol32_t", "curandStateSobol32"),
    (
        "curandStateScrambledSobol32_t",
        "curandStateScrambledSobol32",
    ),
    ("curandStateSobol64_t", "curandStateSobol64"),
    (
        "curandStateScrambledSobol64_t",
        "curandStateScrambledSobol64",
    ),
    ("curandStateMtgp32_t", "curandStateMtgp32"),
];

/// Classes of which only the size is known: name, bytes, alignment. curand_kernel.h.
const BLOCKS: &[(&str, u64, u64)] = &[
    ("curandState", 48, 8),
    ("curandStateMRG32k3a", 48, 8),
    ("curandStatePhilox4_32_10_t", 64, 16),
    ("curandStateSobol32", 140, 4),
    ("curandStateScrambledSobol32", 140, 4),
    ("curandStateSobol64", 536, 8),
    ("curandStateScrambledSobol64", 536, 8),
    ("curandStateMtgp32", 4112, 8),
    ("curandDirectionVectors32_t", 128, 4),
    ("curandDirectionVectors64_t", 512, 8),
];

/// The class, scalar or handle that a header declares under this name; vector types are elsewhere.
pub(crate) fn special(name: &str) -> Option<Ty> {
    if let Some(&(_, ty)) = SCALARS.iter().find(|(known, _)| *known == name) {
        return Some(Ty::Scalar(ty));
    }
    if let Some(&(_, same)) = SAME.iter().find(|(other, _)| *other == name) {
        return types::vector(same);
    }
    let element = match name {
        "half2" => Some(Scalar::Half),
        "nv_bfloat162" => Some(Scalar::BFloat16),
        _ => None,
    };
    if let Some(element) = element {
        return Some(members(name, &["x", "y"], &scalar(element), 4));
    }
    if let Some(&(_, names, ty, align)) = RECORDS.iter().find(|(known, ..)| *known == name) {
        return Some(members(name, names, &Ty::Scalar(ty), align));
    }
    if let Some(&(_, bytes, align)) = BLOCKS.iter().find(|(known, ..)| *known == name) {
        let state = Ty::Opaque {
            name: name.to_owned(),
            bytes: Some(bytes),
        };
        return Some(record(
            name,
            vec![("state".to_owned(), state, 0)],
            bytes,
            align,
        ));
    }
    if name == "cudaPitchedPtr" {
        let size = |name: &str, at| (name.to_owned(), Ty::Scalar(CType::U64), at);
        let pointer = ("ptr".to_owned(), Ty::Void.pointer_to(), 0);
        let fields = vec![
            pointer,
            size("pitch", 8),
            size("xsize", 16),
            size("ysize", 24),
        ];
        return Some(record(name, fields, 32, 8));
    }
    // driver_types.h: what a node of a graph launches.
    if let "cudaKernelNodeParams" | "hipKernelNodeParams" = name
        && let Some(dim3) = types::vector("dim3")
    {
        let field = |name: &str, ty: &Ty, at| (name.to_owned(), ty.clone(), at);
        let pointer = Ty::Void.pointer_to();
        let pointers = pointer.clone().pointer_to();
        let fields = vec![
            field("func", &pointer, 0),
            field("gridDim", &dim3, 8),
            field("blockDim", &dim3, 20),
            field("sharedMemBytes", &Ty::Scalar(CType::U32), 32),
            field("kernelParams", &pointers, 40),
            field("extra", &pointers, 48),
        ];
        return Some(record(name, fields, 56, 8));
    }
    if let "cudaStream_t" | "cudaEvent_t" | "cudaArray_t" | "cudaGraphExec_t" = name {
        return Some(Ty::Void.pointer_to());
    }
    None
}

/// A class of the library with template arguments, or in a namespace.
pub(crate) fn class_template(
    name: &Name,
    argument: &mut dyn FnMut(usize) -> Option<Argument>,
) -> Option<Ty> {
    let base = name.base.as_str();
    if let Some(ty) = super::groups::class(base, argument) {
        return Some(ty);
    }
    if let Some(ty) = super::block_barriers::class(name, argument) {
        return Some(ty);
    }
    if let Some(ty) = super::pipelines::class(name, argument) {
        return Some(ty);
    }
    if let Some(ty) = super::atomic_objects::class(name, argument) {
        return Some(ty);
    }
    if base == "complex" {
        let Some(Argument::Type(part)) = argument(0) else {
            return None;
        };
        let bytes = part.bytes()?;
        let name = format!("{COMPLEX}{}>", part.describe());
        return Some(members(&name, &["x", "y"], &part, 2 * bytes));
    }
    if base == "pair" {
        let (Some(Argument::Type(first)), Some(Argument::Type(second))) =
            (argument(0), argument(1))
        else {
            return None;
        };
        return pair([first, second]);
    }
    if base == "tuple" {
        let count = name.args.as_ref()?.len();
        let elements = (0..count).map(|position| match argument(position) {
            Some(Argument::Type(ty)) => Some(ty),
            _ => None,
        });
        return tuple(elements.collect::<Option<Vec<Ty>>>()?);
    }
    None
}

/// `std::pair<A, B>`
pub(super) fn pair(elements: [Ty; 2]) -> Option<Ty> {
    let names = ["first", "second"].map(str::to_owned);
    one_after_the_other(PAIR, names.into_iter().zip(elements).collect())
}

/// `std::tuple<A, B, C>`. In which order the elements stand in memory is left to the library, so that those of one in memory are not
/// followed.
pub(super) fn tuple(elements: Vec<Ty>) -> Option<Ty> {
    let numbered = elements.into_iter().enumerate();
    let elements = numbered.map(|(position, ty)| (format!("get<{position}>"), ty));
    one_after_the_other(TUPLE, elements.collect())
}

/// A class of named members of different types.
fn one_after_the_other(class: &str, members: Vec<(String, Ty)>) -> Option<Ty> {
    let types: Vec<String> = members.iter().map(|(_, ty)| ty.describe()).collect();
    let align = members.iter().map(|(_, ty)| ty.align()).max().unwrap_or(1);
    let (mut fields, mut end) = (Vec::new(), 0u64);
    for (name, ty) in members {
        let at = end.checked_next_multiple_of(ty.align())?;
        end = at.checked_add(ty.bytes()?)?;
        fields.push((name, ty, at));
    }
    let bytes = end.checked_next_multiple_of(align)?.max(1);
    Some(record(
        &format!("{class}{}>", types.join(", ")),
        fields,
        bytes,
        align,
    ))
}

/// What names of instances begin with, which no class without a declaration has otherwise.
const COMPLEX: &str = "complex<";
const PAIR: &str = "pair<";
const TUPLE: &str = "tuple<";

/// Whether a class of the library is made of others by conversion.
pub(crate) fn converts(ty: &Ty) -> bool {
    is_library_template(ty)
        && !ty.describe().starts_with("atomic_ref")
        && !super::linear::is_of_glm(ty)
}

/// Whether a class is one whose layout is left to the library.
pub(crate) fn is_tuple(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(class) if class.is_of_library_template() && class.name.starts_with(TUPLE))
}

/// What is said of an access to such an object in memory.
pub(crate) const TUPLE_IN_MEMORY: &str = "a tuple, whose layout is left to the library";

/// Whether a class comes from [`class_template`] and is made from its members.
pub(super) fn is_library_template(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(class) if class.is_of_library_template()) && {
        let name = ty.describe();
        [COMPLEX, PAIR, TUPLE, "atomic_ref<T> ", "glm::"]
            .iter()
            .any(|of| name.starts_with(of))
    }
}

/// A class of equal members one after the other.
fn members(name: &str, names: &[&str], element: &Ty, align: u64) -> Ty {
    let bytes = element.bytes().unwrap_or(1);
    let fields = names
        .iter()
        .zip(0u64..)
        .map(|(field, index)| ((*field).to_owned(), element.clone(), index * bytes))
        .collect();
    record(name, fields, bytes * names.len() as u64, align)
}

/// A class with this layout.
pub(super) fn record(name: &str, fields: Vec<(String, Ty, u64)>, bytes: u64, align: u64) -> Ty {
    let class = StructTy::incomplete(name.to_owned(), None);
    class.set_layout(Some(Layout {
        fields,
        bases: Vec::new(),
        bytes,
        align,
        ends: bytes,
        in_memory: false,
    }));
    Ty::Struct(Rc::new(class))
}

/// A class with this layout that is kept as bytes: some members are arrays.
pub(super) fn record_in_memory(
    name: &str,
    fields: Vec<(String, Ty, u64)>,
    bytes: u64,
    align: u64,
) -> Ty {
    let class = StructTy::incomplete(name.to_owned(), None);
    class.set_layout(Some(Layout {
        fields,
        bases: Vec::new(),
        bytes,
        align,
        ends: bytes,
        in_memory: true,
    }));
    Ty::Struct(Rc::new(class))
}

/// The members of a class: name and type.
pub(super) fn fields(ty: &Ty) -> Option<Vec<(String, Ty)>> {
    let Ty::Struct(class) = ty else {
        return None;
    };
    Some(
        class
            .fields()
            .into_iter()
            .map(|(name, ty, _)| (name, ty))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_headers() {
        let bytes = |name| class(name).and_then(|ty| ty.bytes());
        assert_eq!(bytes("half2"), Some(4));
        assert_eq!(bytes("__nv_bfloat162"), Some(4));
        assert_eq!(bytes("curandState"), Some(48));
        assert_eq!(bytes("curandStatePhilox4_32_10_t"), Some(64));
        assert_eq!(bytes("cuDoubleComplex"), Some(16));
        assert_eq!(bytes("__nv_fp8x4_e4m3"), Some(4));
        assert_eq!(bytes("float3"), Some(12));
        assert_eq!(bytes("nonsense"), None);
    }
}
