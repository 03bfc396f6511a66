//! PyTorch on the device: accessors of tensors, its names for types, atomics and exchanges of a warp.
//!
//! An accessor is a class of the address of its first element and the sizes of its dimensions. A subscript of one with several
//! dimensions gives an accessor with one less, of one with a single dimension an element.
//!
//! Source: PyTorch's headers `ATen/core/TensorAccessor.h`, `ATen/AccumulateType.h`, `ATen/OpMathType.h`, `ATen/cuda/Atomic.cuh`,
//! `ATen/cuda/DeviceUtils.cuh`.
//!
//! **Accuracy.** The tensors behind accessors are taken to be contiguous, which is listed: an index that leaves its row meets the
//! next one, and an expanded tensor, whose elements are one, is not meant.

use std::rc::Rc;

use warplog_facts::words::Scope;
use warplog_facts::{CType, Op, TermId};

use super::super::body::Lowerer;
use super::super::types::{Ty, scalar};
use super::super::value::*;
use super::{Call, Family, Meaning, row, rows, types, warp};
use crate::syntax::ast::*;

const CLASS: &str = "torch::accessor<";
const CONTIGUOUS: &str = "tensors behind accessors are contiguous";

/// The namespaces of its types.
const SPACES: [&str; 3] = ["at", "torch", "c10"];

/// Most dimensions of an accessor.
const DIMENSIONS: usize = 8;

pub(super) const FAMILY: Family = Family {
    subject: "PyTorch on the device",
    source: "PyTorch: ATen/cuda/Atomic.cuh, ATen/cuda/DeviceUtils.cuh, ATen/native/cuda/KernelUtils.cuh",
    namespaces: &["at", "at::native"],
    global: true,
    rows: &[
        row(
            "gpuAtomic{Add,Mul,Max,Min} gpuAtomicAddNoReturn",
            2,
            Meaning::By(atomic),
        ),
        row("fastAtomicAdd", 5, Meaning::By(fast_atomic)),
        rows("WARP_SHFL{,_UP,_DOWN,_XOR}", 2, 4, Meaning::By(exchange)),
    ],
};

/// The type of the elements and the number of dimensions of an accessor.
fn accessor(ty: &Ty) -> Option<(Ty, usize)> {
    let Ty::Struct(class) = ty else {
        return None;
    };
    if class.class.is_some() || !class.name.starts_with(CLASS) {
        return None;
    }
    let fields = class.fields();
    match &fields.first()?.1 {
        Ty::Pointer(element) => Some((Ty::clone(element), fields.len() - 1)),
        _ => None,
    }
}

fn class_of(element: &Ty, dimensions: usize, index: CType) -> Ty {
    let name = format!("{CLASS}{}, {dimensions}>", element.describe());
    let size = u64::from(index.bytes().unwrap_or(8));
    let mut fields = vec![("data()".to_owned(), element.clone().pointer_to(), 0)];
    let mut at = 8;
    for dimension in 0..dimensions {
        fields.push((format!("size({dimension})"), Ty::Scalar(index), at));
        at += size;
    }
    types::record(&name, fields, at.next_multiple_of(8), 8)
}

/// The type that a subscript of an accessor gives.
pub(crate) fn element_type(ty: &Ty) -> Option<Ty> {
    let (element, dimensions) = accessor(ty)?;
    let Ty::Struct(class) = ty else {
        return None;
    };
    let index = class.fields().get(1)?.1.ctype();
    Some(match dimensions {
        1 => element,
        _ => class_of(&element, dimensions - 1, index),
    })
}

impl Lowerer<'_, '_> {
    /// A type of PyTorch's namespaces: accessors, half numbers, types for sums.
    pub(in crate::lower) fn torch_class(&mut self, name: &Name) -> Option<Ty> {
        let is_of_torch = match name.qualifier.first() {
            Some(segment) => SPACES.contains(&segment.name.as_str()),
            None => self.is_brought_from_torch(name),
        };
        if !is_of_torch {
            return None;
        }
        let args = name.args.as_deref().unwrap_or_default();
        match name.base.as_str() {
            "Half" => return Some(scalar(Scalar::Half)),
            "BFloat16" => return Some(scalar(Scalar::BFloat16)),
            "acc_type" | "opmath_type" => return self.type_of_sums(args.first()?),
            "type" => {
                let of = name.qualifier.last()?;
                if let "AccumulateType" | "OpMathType" = of.name.as_str() {
                    let first = of.args.as_deref()?.first()?.clone();
                    return self.type_of_sums(&first);
                }
                return None;
            }
            _ => {}
        }
        let index = match name.base.as_str() {
            "PackedTensorAccessor32" => CType::I32,
            "PackedTensorAccessor64" | "PackedTensorAccessor" | "TensorAccessor" => CType::I64,
            "GenericPackedTensorAccessor" => match args.get(3) {
                Some(arg) => self.template_type(&arg.clone()).ctype(),
                None => CType::I64,
            },
            _ => return None,
        };
        let element = self.template_type(&args.first()?.clone());
        let value = match args.get(1)? {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name) => self.name(name),
            TemplateArg::Type(_) => return None,
        };
        let Value::Term(dimensions) = value else {
            return None;
        };
        let dimensions = usize::try_from(self.facts.terms.as_const(dimensions)?).ok()?;
        let fits = (1..=DIMENSIONS).contains(&dimensions) && index.is_integer();
        fits.then(|| class_of(&element, dimensions, index))
    }

    /// Whether the text before a name that it declares nowhere has a directive or a declaration that brings it from PyTorch.
    fn is_brought_from_torch(&self, name: &Name) -> bool {
        let mut usings = self.index.unit.usings.iter();
        usings.any(|using| {
            let target = using.target.trim_start_matches("::");
            let is_meant = match using.is_directive() {
                true => SPACES.contains(&target),
                false => target
                    .rsplit_once("::")
                    .is_some_and(|(space, base)| SPACES.contains(&space) && base == name.base),
            };
            is_meant && using.block.is_none() && using.range.start < name.range.start
        })
    }

    /// `at::acc_type<T, true>`: a wider type for the sum of many; of a type that the launch decides, as wide as that.
    fn type_of_sums(&mut self, arg: &TemplateArg) -> Option<Ty> {
        let of = self.template_type(arg);
        Some(match &of {
            Ty::Scalar(ty) if ty.is_integer() => Ty::Scalar(CType::I64),
            Ty::Opaque { name, .. } if name == "half" || name == "bfloat16" => {
                Ty::Scalar(CType::F32)
            }
            Ty::Scalar(_) | Ty::Opaque { bytes: Some(_), .. } => of,
            _ => return None,
        })
    }

    /// `a[i]` of an accessor.
    pub(in crate::lower) fn element_of_accessor(
        &mut self,
        base: &Expr,
        index: &Expr,
        range: Range,
    ) -> Option<Lvalue> {
        let ty = self.static_type(base);
        let (element, dimensions) = accessor(&ty)?;
        let place = self.place(base);
        let object = self.read(&place, range);
        let index = self.scalar_expr(index);
        let index = self.integer_of(&index, range);
        let (Value::Struct(fields), Some(inner)) = (&object, element_type(&ty)) else {
            self.lost_access(range, "an accessor that is not followed");
            return Some(Lvalue::Unknown);
        };
        let [(_, Value::Pointer(data)), sizes @ ..] = fields.as_slice() else {
            self.lost_access(range, "an accessor that is not followed");
            return Some(Lvalue::Unknown);
        };
        if dimensions > 1 {
            self.assumption(CONTIGUOUS);
        }
        let mut offset = self.facts.terms.cast(index, CType::I64);
        for (_, size) in sizes.iter().skip(1) {
            let size = self.integer_of(size, range);
            let size = self.facts.terms.cast(size, CType::I64);
            let size = self.step_over(size);
            offset = self.facts.terms.binary(Op::Mul, CType::I64, offset, size);
        }
        let moved = self.advance(data.clone(), offset, false, range);
        if dimensions == 1 {
            return Some(Lvalue::Memory {
                targets: moved.targets,
                ty: element,
            });
        }
        let names = types::fields(&inner)?.into_iter().map(|(name, _)| name);
        let values = std::iter::once(Value::Pointer(moved))
            .chain(sizes.iter().skip(1).map(|(_, size)| size.clone()));
        let rest = Value::Struct(Rc::new(names.zip(values).collect()));
        Some(self.temporary(inner, rest))
    }

    /// What a dimension of this size adds to the strides before it: PyTorch takes 1 for one without elements.
    fn step_over(&mut self, size: TermId) -> TermId {
        let ty = self.facts.terms.ty(size);
        let one = self.facts.terms.constant(1, ty);
        self.facts.terms.binary(Op::Max, ty, size, one)
    }

    /// `a.size(0)`, `a.stride(0)`, `a.data()` of an accessor.
    pub(super) fn accessor_method(
        &mut self,
        base: &Expr,
        arrow: bool,
        method: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        if !matches!(method, "size" | "stride" | "data") {
            return None;
        }
        let class = self.object_type(base, arrow)?;
        let (_, dimensions) = accessor(&Ty::Struct(class))?;
        let place = self.object_place(base, arrow, range);
        let Value::Struct(fields) = self.read(&place, range) else {
            return None;
        };
        if method == "data" && args.is_empty() {
            return Some(fields.first()?.1.clone());
        }
        let [dimension] = args else {
            return None;
        };
        let dimension = self.scalar_expr(dimension);
        let dimension = self.integer_of(&dimension, range);
        let at = self.facts.terms.as_const(dimension);
        let at = at.and_then(|at| usize::try_from(at).ok());
        let at = at.filter(|at| *at < dimensions);
        let index = match fields.get(1) {
            Some((_, Value::Term(term))) => self.facts.terms.ty(*term),
            _ => CType::I64,
        };
        let Some(at) = at else {
            let reason = "a size of a tensor";
            return Some(Value::Term(self.unknown(reason, range, index, true)));
        };
        if method == "size" {
            return Some(fields.get(at + 1)?.1.clone());
        }
        let mut stride = self.facts.terms.constant(1, index);
        for (_, size) in fields.iter().skip(at + 2) {
            let size = self.integer_of(size, range);
            let size = self.facts.terms.cast(size, index);
            let size = self.step_over(size);
            stride = self.facts.terms.binary(Op::Mul, index, stride, size);
        }
        if at + 1 < dimensions {
            self.assumption(CONTIGUOUS);
        }
        Some(Value::Term(stride))
    }
}

/// `gpuAtomicAdd(p, v)` is `atomicAdd`, for more types.
fn atomic(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let operation = call.name.strip_prefix("gpu")?.trim_end_matches("NoReturn");
    let operation = operation.replacen('A', "a", 1);
    let [address, operand] = call.args else {
        return None;
    };
    let pointer = me.expr(address);
    let operand = me.scalar_expr(operand);
    let change = me.step_of(&operation, Some(&operand));
    let found = me.atomic_access(&operation, Scope::Grid, &pointer, change, call.range);
    Some(match call.name.ends_with("NoReturn") {
        true => Value::Void,
        false => found,
    })
}

/// `fastAtomicAdd(p, i, n, v, fast)`: adds to `p[i]`.
fn fast_atomic(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [address, index, count, operand, fast] = call.args else {
        return None;
    };
    let pointer = me.expr(address);
    let index = me.scalar_expr(index);
    let index: TermId = me.integer_of(&index, call.range);
    let operand = me.scalar_expr(operand);
    me.values_of(&[count.clone(), fast.clone()]);
    let pointer = match pointer {
        Value::Pointer(pointer) => Value::Pointer(me.advance(pointer, index, false, call.range)),
        other => other,
    };
    let change = me.step_of("atomicAdd", Some(&operand));
    me.atomic_access("atomicAdd", Scope::Grid, &pointer, change, call.range);
    Some(Value::Void)
}

/// `WARP_SHFL_XOR(value, lane, width, mask)`: the exchange of all lanes, or of those of the mask.
fn exchange(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (value, rest) = call.args.split_first()?;
    let all = Expr {
        kind: ExprKind::Int {
            value: 0xffff_ffff,
            ty: Scalar::UInt,
        },
        range: call.range,
    };
    let mask = rest.get(2).cloned().unwrap_or(all);
    let mut args = vec![mask, value.clone()];
    args.extend(rest.iter().take(2).cloned());
    let name = match call.name.strip_prefix("WARP_SHFL")? {
        "_UP" => "__shfl_up_sync",
        "_DOWN" => "__shfl_down_sync",
        "_XOR" => "__shfl_xor_sync",
        _ => "__shfl_sync",
    };
    let name = Name::simple(name, call.range);
    let inner = Call {
        name: &name.base,
        full: &name,
        args: &args,
        range: call.range,
    };
    warp::shuffle(me, &inner)
}
