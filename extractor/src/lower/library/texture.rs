//! Textures and surfaces.
//!
//! A texture fetch is a pure function of the texture and the coordinates: what a kernel fetches it
//! must not write (a stated assumption; the manual leaves a fetch after a write undefined). A surface
//! is memory of its own, addressed by its coordinates.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::{Extent, Ty};
use super::super::value::*;
use super::{Call, Family, Meaning, rows, types};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "Textures and surfaces",
    source: "CUDA C++ programming guide: Texture Functions, Surface Functions",
    namespaces: &[],
    global: true,
    rows: &[
        rows("tex1Dfetch tex1D", 2, 3, Meaning::By(fetch)),
        rows(
            "tex2D tex1DLayered texCubemap tex3D tex2DLayered tex2Dgather texCubemapLayered",
            2,
            6,
            Meaning::By(fetch),
        ),
        rows(
            "tex1DLod tex2DLod tex3DLod tex1DLayeredLod tex2DLayeredLod texCubemapLod texCubemapLayeredLod",
            3,
            7,
            Meaning::By(fetch),
        ),
        rows(
            "tex1DGrad tex2DGrad tex3DGrad tex1DLayeredGrad tex2DLayeredGrad texCubemapGrad",
            4,
            8,
            Meaning::By(fetch),
        ),
        rows(
            "surf1Dread surf2Dread surf3Dread surf1DLayeredread surf2DLayeredread",
            2,
            7,
            Meaning::By(surface_read),
        ),
        rows(
            "surf1Dwrite surf2Dwrite surf3Dwrite surf1DLayeredwrite surf2DLayeredwrite",
            3,
            7,
            Meaning::By(surface_write),
        ),
        rows(
            "surfCubemapread surfCubemapLayeredread surfCubemapwrite surfCubemapLayeredwrite",
            3,
            8,
            Meaning::Refused("cube map surfaces are not modelled", Effect::Access),
        ),
    ],
};

/// `tex2D<float>(object, x, y)`, `tex2D(reference, x, y)`, `tex2D(&result, object, x, y)`
fn fetch(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.assumption("textures do not alias arrays that the kernel writes");
    let reference = me.texture_reference(call.args.first()?);
    let mut values = Vec::new();
    let mut name = call.name.to_owned();
    let mut ty = call
        .full
        .args
        .as_ref()
        .and_then(|args| args.first())
        .map(|arg| me.template_type(arg));
    let rest = match reference {
        Some((reference, element)) => {
            name = format!("{name} of {reference}");
            ty = Some(element);
            call.args.get(1..)?
        }
        None => call.args,
    };
    values.extend(me.values_of(rest));
    // The form that stores its result.
    let stored = match values.first() {
        Some(Value::Pointer(pointer)) => Some(pointer.clone()),
        _ => None,
    };
    if let Some(pointer) = stored {
        let coordinates: Vec<Value> = values.split_off(1);
        let result = me.texel(&pointer.element.clone(), &name, &coordinates, call.range);
        me.store_through(&Value::Pointer(pointer), result, call.range);
        return Some(Value::Void);
    }
    let ty = ty.unwrap_or_else(|| Ty::Opaque {
        name: "texel".to_owned(),
        bytes: None,
    });
    Some(me.texel(&ty, &name, &values, call.range))
}

/// The coordinates of a surface access: which argument is counted in bytes, which in elements.
fn surface_rank(name: &str) -> usize {
    match name {
        name if name.starts_with("surf1DLayered")
            || name.starts_with("surf2D") && !name.contains("Layered") =>
        {
            2
        }
        name if name.starts_with("surf1D") => 1,
        _ => 3,
    }
}

/// `T v = surf2Dread<T>(surface, x, y, mode)`, `surf2Dread(&v, surface, x, y, mode)`
fn surface_read(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let rank = surface_rank(call.name);
    let written = call.full.args.as_ref().and_then(|args| args.first());
    let by_result = written.is_some() && call.args.len() <= rank + 2;
    let (target, rest) = if by_result {
        (None, call.args)
    } else {
        let (target, rest) = call.args.split_first()?;
        (Some(me.expr(target)), rest)
    };
    let ty = match (&target, written) {
        (Some(Value::Pointer(pointer)), _) => pointer.element.clone(),
        (_, Some(arg)) => me.template_type(arg),
        _ => Ty::Void,
    };
    let access = me.surface_access(&ty, rest, rank, (AccessKind::Read, None), call);
    let value = match access {
        Some((access, offset)) => match &ty {
            Ty::Scalar(scalar) => Value::Term(me.facts.terms.load(access, offset, *scalar)),
            _ => me.unknown_value(&ty, "value read from a surface", call.range),
        },
        None => me.unknown_value(&ty, "value read from a surface", call.range),
    };
    Some(match target {
        Some(target) => {
            me.store_through(&target, value, call.range);
            Value::Void
        }
        None => value,
    })
}

/// `surf2Dwrite(value, surface, x, y, mode)`
fn surface_write(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (value, rest) = call.args.split_first()?;
    let value = me.expr(value);
    let ty = match call.full.args.as_ref().and_then(|args| args.first()) {
        Some(arg) => me.template_type(arg),
        None => me.type_of(&value),
    };
    let stored = match me.convert(value, &ty, call.range) {
        Value::Term(term) => Some(term),
        _ => None,
    };
    let rank = surface_rank(call.name);
    me.surface_access(&ty, rest, rank, (AccessKind::Write, stored), call);
    Some(Value::Void)
}

impl Lowerer<'_, '_> {
    fn texel(&mut self, ty: &Ty, name: &str, values: &[Value], range: Range) -> Value {
        let terms = self.flat(values, range);
        self.built(ty, name, &mut |me, part, ty| me.pure(part, ty, &terms))
    }

    /// `texture<float4, 2, cudaReadModeElementType> t;` at namespace scope: its name and element.
    fn texture_reference(&mut self, arg: &Expr) -> Option<(String, Ty)> {
        let ExprKind::Name(name) = &arg.kind else {
            return None;
        };
        if self.lookup(&name.base).is_some() {
            return None;
        }
        let global = self.index.global(&name.base)?;
        let TypeKind::Named(class) = &global.ty.kind else {
            return None;
        };
        if class.base != "texture" {
            return None;
        }
        let args = class.args.as_ref()?;
        let element = self.template_type(args.first()?);
        let normalised = args.iter().any(
            |arg| matches!(arg, TemplateArg::Name(name) if name.base == "cudaReadModeNormalizedFloat"),
        );
        let element = match (&element, normalised) {
            (Ty::Scalar(_), true) => Ty::Scalar(CType::F32),
            (Ty::Struct(_), true) => {
                let count = types::fields(&element).map_or(0, |fields| fields.len());
                types::class(&format!("float{count}"))?
            }
            _ => element,
        };
        Some((name.base.clone(), element))
    }

    /// An access to a surface; `None` when it is not modelled, which is reported.
    ///
    /// Coordinates are laid out in an address space of their own: x in bytes below 2²⁰ (65536
    /// elements of 16 bytes), y below 2¹⁶, layers and z above. Coordinates outside are trapped by
    /// default, so that they are inside may be assumed.
    fn surface_access(
        &mut self,
        ty: &Ty,
        args: &[Expr],
        rank: usize,
        (kind, stored): (AccessKind, Option<TermId>),
        call: &Call<'_>,
    ) -> Option<(AccessId, TermId)> {
        let range = call.range;
        let refuse = |me: &mut Self, why: &str| {
            me.unsupported(
                range,
                &format!("call of `{}`", call.name),
                why,
                Effect::Access,
            );
        };
        let (surface, rest) = args.split_first()?;
        let (coordinates, modes) = rest.split_at_checked(rank)?;
        let name = self.surface_name(surface);
        let clamps = modes.iter().any(
            |mode| !matches!(&mode.kind, ExprKind::Name(name) if name.base == "cudaBoundaryModeTrap" || name.base == "cudaBoundaryModeZero"),
        );
        let coordinates: Vec<TermId> = self
            .terms_of(coordinates)
            .into_iter()
            .map(|term| self.cast_term(term, CType::I64))
            .collect();
        let Some(name) = name else {
            refuse(self, "the surface is not known");
            return None;
        };
        if clamps {
            refuse(
                self,
                "coordinates that are clamped to the edge are not modelled",
            );
            return None;
        }
        if ty.bytes().is_none() {
            refuse(self, "the size of the element is not known");
            return None;
        }
        let array = match self.globals.get(&name) {
            Some(&array) => array,
            None => {
                let object = Ty::Array(std::rc::Rc::new(Ty::Scalar(CType::U8)), Extent::Unknown);
                let array = self.array(&name, Space::Global, &object, range);
                self.globals.insert(name, array);
                array
            }
        };
        let mut offset = self.long(0);
        let mut inside = self.facts.terms.truth(true);
        for (&coordinate, shift) in coordinates.iter().zip([0u32, 20, 36]) {
            let zero = self.long(0);
            let end = self.long(if shift == 0 { 1 << 20 } else { 1 << 16 });
            let step = self.long(1 << shift);
            let terms = &mut self.facts.terms;
            let low = terms.binary(Op::Le, CType::Bool, zero, coordinate);
            let high = terms.binary(Op::Lt, CType::Bool, coordinate, end);
            inside = terms.and(inside, low);
            inside = terms.and(inside, high);
            let scaled = terms.binary(Op::Mul, CType::I64, coordinate, step);
            offset = terms.binary(Op::Add, CType::I64, offset, scaled);
        }
        self.assumption("coordinates of surface accesses are inside the surface");
        let how = How::plain(kind);
        let access = self.guarded(inside, true, range, |me| {
            me.access(array, offset, ty, &how, stored, range)
        })?;
        Some((access, offset))
    }

    /// A name for the surface: of its reference, or of the parameter that holds its handle. Two
    /// handles are two surfaces, as two array parameters are two arrays.
    fn surface_name(&mut self, surface: &Expr) -> Option<String> {
        if let ExprKind::Name(name) = &surface.kind
            && self.lookup(&name.base).is_none()
        {
            let global = self.index.global(&name.base)?;
            let TypeKind::Named(class) = &global.ty.kind else {
                return None;
            };
            return (class.base == "surface").then(|| format!("surface {}", name.base));
        }
        let value = self.expr(surface);
        let Value::Term(term) = value else {
            return None;
        };
        let symbol = self.facts.terms.get(term).symbol()?;
        let row = &self.facts.symbol[symbol.index()];
        Some(format!("surface {}", row.name))
    }
}
