//! C types as lowering sees them: sizes, element types, and what is opaque.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use warplog_facts::{CType, TermId};

use super::identity::Identity;
use super::value::Value;
use super::virtuals::has_table;
use crate::syntax::ast::Scalar;

/// A resolved C type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    Void,
    Scalar(CType),
    Bits(Bits),
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

/// A class, whole or still without its layout (a pointer to a class may stand inside that class).
///
/// Two are the same type when they have the same name, template arguments included, come from the same text, and are members
/// of the same class, if of any.
pub(crate) struct StructTy {
    /// With template arguments: `S<float, 4>`.
    pub name: String,
    /// Which class of the unit; `None` for those of CUDA.
    pub class: Option<ClassTy>,
    /// `None`: not known (yet).
    layout: RefCell<Option<Rc<Layout>>>,
}

/// What a class of the unit is made from.
#[derive(Debug)]
pub(crate) struct ClassTy {
    /// Index into the classes of the unit.
    pub record: usize,
    /// Arguments of the class template.
    pub args: Vec<TemplateValue>,
    /// The names that are bound inside: template parameters of it and of the classes around it.
    pub scope: TypeScope,
    /// The class that it is a member of.
    pub around: Option<Rc<StructTy>>,
    /// Whether it stands for a class as well of which it is not known whether it has these arguments or others of the same
    /// layout: then their identities say nothing.
    pub doubtful: Cell<bool>,
}

/// A bit field: a part of a number in memory that its neighbours share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    /// As declared.
    pub ctype: CType,
    /// The unsigned number that holds all bit fields next to each other.
    pub unit: CType,
    /// The lowest bit in it.
    pub shift: u32,
    pub width: u32,
}

impl Bits {
    /// The type of its value in an expression: `int` where that holds all of them, else `unsigned` where that does, however long
    /// the declared type is (C++ 7.3.7).
    pub(crate) fn promoted(&self) -> CType {
        match self.ctype {
            CType::Bool => CType::Bool,
            ctype if !ctype.is_integer() || self.width > 32 => ctype,
            ctype if self.width == 32 && !ctype.is_signed() => CType::U32,
            _ => CType::I32,
        }
    }
}

/// Where the bytes of a class are.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Name, type and offset in bytes; those of base classes come first.
    pub fields: Vec<(String, Ty, u64)>,
    /// Base classes and their offsets.
    pub bases: Vec<(Ty, u64)>,
    pub bytes: u64,
    pub align: u64,
    /// Where the last member ends, before the padding.
    pub ends: u64,
    /// Members share their bytes, or some are no values of their own (arrays): kept as bytes, not as separate values.
    pub in_memory: bool,
}

impl Layout {
    /// The fields that the class declares itself.
    pub(crate) fn own_fields(&self) -> &[(String, Ty, u64)] {
        let of_base = |(base, _): &(Ty, u64)| match base {
            Ty::Struct(class) => class.layout().map_or(0, |layout| layout.fields.len()),
            _ => 0,
        };
        let inherited = self.bases.iter().map(of_base).sum();
        self.fields.get(inherited..).unwrap_or_default()
    }
}

/// An argument of a template.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TemplateValue {
    /// With its identity, if that is known.
    Type(Ty, Option<Identity>),
    Value(Value),
    /// Not understood.
    Unknown,
}

/// The names in force while a function or the inside of a class is lowered, besides variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TypeScope {
    /// Template parameters and local types.
    pub types: BTreeMap<String, Ty>,
    /// What the text tells of them besides.
    pub identities: BTreeMap<String, Identity>,
    /// Template parameters without an identity that `int &` may have been deduced for.
    pub unsure: BTreeSet<String>,
    /// Template parameters that are values.
    pub values: BTreeMap<String, Value>,
    /// Variables of the function around a local class that are no known numbers: they hide those at namespace scope.
    pub hidden: BTreeSet<String>,
    /// Namespaces and classes around, `n::S`: where unqualified names are looked up first.
    pub path: String,
    /// The class whose member this is.
    pub class: Option<Rc<StructTy>>,
}

impl TypeScope {
    /// Gives a name a type.
    pub(crate) fn bind_type(&mut self, name: &str, ty: Ty, identity: Option<Identity>) {
        self.types.insert(name.to_owned(), ty);
        self.unsure.remove(name);
        match identity {
            Some(identity) => self.identities.insert(name.to_owned(), identity),
            None => self.identities.remove(name),
        };
    }
}

impl StructTy {
    /// A class whose layout will follow.
    pub(crate) fn incomplete(name: String, class: Option<ClassTy>) -> StructTy {
        StructTy {
            name,
            class,
            layout: RefCell::default(),
        }
    }

    pub(crate) fn layout(&self) -> Option<Rc<Layout>> {
        self.layout.borrow().clone()
    }

    /// Sets or forgets the layout. Forgetting breaks the cycles of classes that point to themselves.
    pub(crate) fn set_layout(&self, layout: Option<Layout>) {
        self.layout.replace(layout.map(Rc::new));
    }

    /// Whether it is made from a class template of the library: what its arguments are, its name tells only as far as they
    /// show in memory.
    pub(crate) fn is_of_library_template(&self) -> bool {
        self.class.is_none() && vector(&self.name).is_none() && self.name != "thread_block"
    }

    /// The fields, none when the layout is not known.
    pub(crate) fn fields(&self) -> Vec<(String, Ty, u64)> {
        self.layout()
            .map_or_else(Vec::new, |layout| layout.fields.clone())
    }

    /// The field of a name: the most derived one.
    pub(crate) fn field(&self, name: &str) -> Option<(Ty, u64)> {
        let layout = self.layout()?;
        let (_, ty, offset) = layout
            .fields
            .iter()
            .rev()
            .find(|(field, ..)| field == name)?;
        Some((ty.clone(), *offset))
    }
}

impl PartialEq for StructTy {
    fn eq(&self, other: &StructTy) -> bool {
        let record = |ty: &StructTy| ty.class.as_ref().map(|class| class.record);
        let around = |ty: &StructTy| ty.class.as_ref().and_then(|class| class.around.clone());
        self.name == other.name && record(self) == record(other) && around(self) == around(other)
    }
}

// Not derived: a class may point to itself.
impl fmt::Debug for StructTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Scalar(CType::I32);

    /// `sizeof`, when it is known.
    pub(crate) fn bytes(&self) -> Option<u64> {
        match self {
            Ty::Void => None,
            Ty::Scalar(ty) => ty.bytes().map(u64::from),
            Ty::Bits(bits) => bits.unit.bytes().map(u64::from),
            Ty::Pointer(_) => Some(8),
            Ty::Array(element, Extent::Constant(count)) => element.bytes()?.checked_mul(*count),
            Ty::Array(..) => None,
            Ty::Struct(class) => class.layout().map(|layout| layout.bytes),
            Ty::Opaque { bytes, .. } => *bytes,
        }
    }

    pub(crate) fn align(&self) -> u64 {
        match self {
            Ty::Array(element, _) => element.align(),
            Ty::Struct(class) => class.layout().map_or(1, |layout| layout.align),
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
            Ty::Bits(bits) => bits.promoted(),
            _ => CType::Opaque,
        }
    }

    /// Whether it is known which type this is: of two such types that are not equal here, it is certain that they are not the
    /// same. A name that nothing declares may stand for any type, and so may what a computation gives that is not followed.
    pub(crate) fn is_resolved(&self) -> bool {
        match self {
            Ty::Void | Ty::Scalar(_) | Ty::Bits(_) => true,
            Ty::Pointer(to) => to.is_resolved(),
            Ty::Array(of, extent) => of.is_resolved() && matches!(extent, Extent::Constant(_)),
            Ty::Struct(class) => match &class.class {
                Some(made) => {
                    !made.doubtful.get()
                        && made.args.iter().all(|arg| match arg {
                            TemplateValue::Type(ty, identity) => {
                                identity.is_some() || ty.is_resolved()
                            }
                            TemplateValue::Value(_) => true,
                            TemplateValue::Unknown => false,
                        })
                        && made
                            .around
                            .as_ref()
                            .is_none_or(|around| Ty::Struct(Rc::clone(around)).is_resolved())
                }
                None => !class.is_of_library_template() && class.name != NAMELESS,
            },
            Ty::Opaque { name, .. } => SIZED.contains(&name.as_str()),
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
            Ty::Bits(bits) => format!("{}:{}", bits.ctype.name(), bits.width),
            Ty::Pointer(element) => format!("{}*", element.describe()),
            Ty::Array(element, Extent::Constant(count)) => {
                format!("{}[{count}]", element.describe())
            }
            Ty::Array(element, _) => format!("{}[]", element.describe()),
            Ty::Struct(class) => class.name.clone(),
            Ty::Opaque { name, .. } => name.clone(),
        }
    }
}

/// What a value of several members is called of which nothing else is known.
pub(crate) const NAMELESS: &str = "struct";

/// Scalars that are opaque values.
const SIZED: [&str; 5] = ["int128", "uint128", "half", "bfloat16", "longdouble"];

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
    let record = StructTy::incomplete(name.to_owned(), None);
    record.set_layout(Some(Layout {
        fields,
        bases: Vec::new(),
        bytes: bytes * names.len() as u64,
        align,
        ends: bytes * names.len() as u64,
        in_memory: false,
    }));
    Ty::Struct(Rc::new(record))
}

/// Lays fields out as C++ does: base classes first, an empty base takes no room. `align` is asked for on top; members are
/// aligned to `packed` bytes at most, or as `aligns` says of them. A field with a width is a bit field, which need not have a
/// name.
///
/// Bit fields next to each other are one memory location (C++ 6.7.1): an access to one is an access to the bytes of all.
pub(crate) fn layout(
    bases: Vec<Ty>,
    fields: Vec<(String, Ty, Option<u64>)>,
    union: bool,
    align: u64,
    packed: Option<u64>,
    aligns: &[Option<u64>],
) -> Option<Layout> {
    // Members of the derived class lie in the padding of a base, if that is no POD.
    let roomy = |ty: &Ty| matches!(ty, Ty::Struct(class) if class.layout().is_some_and(|base| base.ends < base.bytes));
    // A class with virtual methods is none.
    let open = bases.iter().filter(|base| roomy(base));
    if open.clone().count() > 0 && open.clone().all(has_table) {
        return place(&bases, &fields, union, align, packed, aligns, true);
    }
    if bases.iter().any(roomy) {
        let reused = place(&bases, &fields, union, align, packed, aligns, true)?;
        let padded = place(&bases, &fields, union, align, packed, aligns, false)?;
        let same = reused.bytes == padded.bytes
            && reused
                .fields
                .iter()
                .zip(&padded.fields)
                .all(|(one, other)| one.2 == other.2 && one.1 == other.1);
        return same.then_some(reused);
    }
    place(&bases, &fields, union, align, packed, aligns, false)
}

/// The classes without members at the start of a type: two of one class must not have one address.
fn empty_at_start(ty: &Ty, into: &mut Vec<Rc<StructTy>>) {
    let Ty::Struct(class) = ty.innermost() else {
        return;
    };
    let Some(layout) = class.layout() else {
        return;
    };
    if layout.fields.is_empty() {
        into.push(Rc::clone(class));
    }
    let members = layout.fields.iter().map(|(_, ty, at)| (ty, *at));
    let bases = layout.bases.iter().map(|(ty, at)| (ty, *at));
    for (ty, _) in bases.chain(members).filter(|(_, at)| *at == 0) {
        empty_at_start(ty, into);
    }
}

/// The layout where members may, or may not, lie in the padding of base classes.
fn place(
    bases: &[Ty],
    fields: &[(String, Ty, Option<u64>)],
    union: bool,
    align: u64,
    packed: Option<u64>,
    aligns: &[Option<u64>],
    reuse: bool,
) -> Option<Layout> {
    // Compilers differ in whether a base or a member of class type is packed.
    let whole = |ty: &Ty| matches!(ty.innermost(), Ty::Struct(_)) && ty.align() > 1;
    if packed.is_some()
        && (!bases.is_empty()
            || aligns.iter().any(Option::is_some)
            || fields
                .iter()
                .any(|(_, ty, bits)| whole(ty) || bits.is_some()))
    {
        return None;
    }
    let (mut offset, mut align, mut size) = (0u64, align.max(1), 0u64);
    let mut in_memory = union;
    let mut placed: Vec<(String, Ty, u64)> = Vec::with_capacity(fields.len());
    let mut base_places = Vec::new();
    for base in bases {
        let Ty::Struct(class) = base else {
            return None;
        };
        let inner = class.layout()?;
        align = align.max(inner.align);
        in_memory |= inner.in_memory;
        if inner.fields.is_empty() {
            base_places.push((base.clone(), 0));
            continue;
        }
        let start = offset.checked_next_multiple_of(inner.align)?;
        for (name, ty, at) in &inner.fields {
            // Two members of one name cannot be told apart by it.
            in_memory |= placed.iter().any(|(other, ..)| other == name);
            placed.push((name.clone(), ty.clone(), start + at));
        }
        let taken = if reuse { inner.ends } else { inner.bytes };
        offset = start.checked_add(taken)?;
        size = size.max(offset);
        base_places.push((base.clone(), start));
    }
    let mut run = Run::default();
    // What the unsigned numbers that hold runs of bit fields end at.
    let mut units_end = 0;
    for (position, (field, ty, width)) in fields.iter().enumerate() {
        let bytes = ty.bytes()?;
        if let Some(width) = *width {
            let Ty::Scalar(ctype) = *ty else {
                return None;
            };
            let unit = bytes.checked_mul(8)?;
            if union {
                units_end = units_end.max(run.close(&mut placed)?);
                run.end = 0;
            } else if run.end == 0 {
                // Behind a member that is no bit field.
                run.end = offset.checked_mul(8)?;
            }
            if width == 0 {
                units_end = units_end.max(run.close(&mut placed)?);
                run.end = run.end.checked_next_multiple_of(unit)?;
                offset = run.end / 8;
                continue;
            }
            if width > u64::from(ctype.bits()?) {
                return None;
            }
            if run.end % unit + width > unit {
                run.end = run.end.checked_next_multiple_of(unit)?;
            }
            if run.fields.is_empty() {
                run.start = run.end;
            }
            let start = run.end;
            run.end = start.checked_add(width)?;
            offset = run.end.div_ceil(8);
            size = size.max(offset);
            if !field.is_empty() {
                align = align.max(bytes);
                in_memory = true;
                run.fields.push((placed.len(), start));
                let bits = Bits {
                    ctype,
                    unit: ctype,
                    shift: 0,
                    width: u32::try_from(width).ok()?,
                };
                placed.push((field.clone(), Ty::Bits(bits), 0));
            }
            continue;
        }
        units_end = units_end.max(run.close(&mut placed)?);
        run.end = 0;
        let step = match aligns.get(position) {
            Some(Some(asked)) => *asked,
            _ => packed.map_or(ty.align(), |limit| ty.align().min(limit)),
        };
        align = align.max(step);
        let start = if union {
            0
        } else {
            offset.checked_next_multiple_of(step)?
        };
        offset = start.checked_add(bytes)?;
        size = size.max(offset);
        in_memory |= placed.iter().any(|(other, ..)| other == field);
        in_memory |= match ty {
            Ty::Array(..) => true,
            Ty::Struct(class) => class.layout().is_none_or(|layout| layout.in_memory),
            _ => false,
        };
        placed.push((field.clone(), ty.clone(), start));
    }
    if !bases.is_empty() {
        let members = placed.iter().map(|(_, ty, at)| (ty, *at));
        let bases = base_places.iter().map(|(ty, at)| (ty, *at));
        let mut empty = Vec::new();
        for (ty, _) in bases.chain(members).filter(|(_, at)| *at == 0) {
            empty_at_start(ty, &mut empty);
        }
        if (1..empty.len()).any(|at| empty[..at].contains(&empty[at])) {
            return None;
        }
    }
    units_end = units_end.max(run.close(&mut placed)?);
    let bytes = size.max(1).checked_next_multiple_of(align)?;
    if units_end > bytes {
        return None;
    }
    Some(Layout {
        fields: placed,
        bases: base_places,
        bytes,
        align,
        ends: size,
        in_memory,
    })
}

/// Bit fields next to each other.
#[derive(Default)]
struct Run {
    /// The first bit of it, counted from the start of the class.
    start: u64,
    /// Behind its last bit; where no bit field stands, a bit from which the next may start.
    end: u64,
    /// Positions of its fields among those that are placed, with their first bits.
    fields: Vec<(usize, u64)>,
}

impl Run {
    /// Ends the run: its fields become parts of one number. The byte behind the number.
    fn close(&mut self, placed: &mut [(String, Ty, u64)]) -> Option<u64> {
        let fields = std::mem::take(&mut self.fields);
        if fields.is_empty() {
            return Some(0);
        }
        let first = self.start / 8;
        let bytes = (self.end.div_ceil(8) - first).next_power_of_two();
        let number = match bytes {
            1 => CType::U8,
            2 => CType::U16,
            4 => CType::U32,
            8 => CType::U64,
            _ => return None,
        };
        for (position, start) in fields {
            let (_, ty, offset) = placed.get_mut(position)?;
            if let Ty::Bits(bits) = ty {
                bits.unit = number;
                bits.shift = u32::try_from(start - first * 8).ok()?;
            }
            *offset = first;
        }
        first.checked_add(bytes)
    }
}
