//! Meanings applied: from a row and the arguments of a call to a value.

use std::rc::Rc;

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Meaning, Out, linear, types};
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// What a call does and gives; `None` when the row is not for these arguments.
    pub(super) fn meaning(&mut self, meaning: Meaning, call: &Call<'_>) -> Option<Value> {
        match meaning {
            Meaning::By(lower) => lower(self, call),
            Meaning::Pure(out) => {
                let values = self.values_of(call.args);
                Some(self.pure_result(out, call.name, &values, call.range))
            }
            Meaning::Fresh(out) => {
                let values = self.values_of(call.args);
                Some(self.fresh_result(out, call.name, &values, call.range))
            }
            Meaning::Stores(out, stored) => {
                let values = self.values_of(call.args);
                let inputs: Vec<Value> = values
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !stored.iter().any(|(position, _)| position == at))
                    .map(|(_, value)| value.clone())
                    .collect();
                for &(position, out) in stored {
                    let part = format!("{} stored by argument {position}", call.name);
                    let result = self.pure_result(out, &part, &inputs, call.range);
                    if let Some(pointer) = values.get(position) {
                        self.store_through(pointer, result, call.range);
                    }
                }
                Some(self.pure_result(out, call.name, &inputs, call.range))
            }
            Meaning::Refused(why, effect) => {
                let values = self.values_of(call.args);
                self.unsupported(
                    call.range,
                    &format!("call of `{}`", call.full.path()),
                    why,
                    effect,
                );
                let first = values.first().cloned();
                Some(match first {
                    Some(Value::Term(term)) => {
                        let ty = self.facts.terms.ty(term);
                        Value::Term(self.unknown(
                            "result of a call that is not modelled",
                            call.range,
                            ty,
                            true,
                        ))
                    }
                    _ => Value::Unknown,
                })
            }
        }
    }

    pub(super) fn values_of(&mut self, args: &[Expr]) -> Vec<Value> {
        args.iter().map(|arg| self.expr(arg)).collect()
    }

    /// The arguments of a call as scalar terms.
    pub(super) fn terms_of(&mut self, args: &[Expr]) -> Vec<TermId> {
        args.iter()
            .map(|arg| {
                let value = self.expr(arg);
                self.term_of(&value, arg.range)
            })
            .collect()
    }

    /// The scalars in values, those in classes member by member.
    pub(super) fn flat(&mut self, values: &[Value], range: Range) -> Vec<TermId> {
        let mut terms = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Struct(fields) => {
                    let inner: Vec<Value> = fields.iter().map(|(_, field)| field.clone()).collect();
                    terms.extend(self.flat(&inner, range));
                }
                Value::Void => {}
                value => terms.push(self.term_of(value, range)),
            }
        }
        terms
    }

    /// The result of a pure function of these arguments.
    pub(super) fn pure_result(
        &mut self,
        out: Out,
        name: &str,
        values: &[Value],
        range: Range,
    ) -> Value {
        let Some(ty) = self.out_type(out, values) else {
            return Value::Void;
        };
        let terms = self.flat(values, range);
        self.built(&ty, name, &mut |me, part, ty| me.pure(part, ty, &terms))
    }

    /// A result of which nothing is known.
    pub(super) fn fresh_result(
        &mut self,
        out: Out,
        name: &str,
        values: &[Value],
        range: Range,
    ) -> Value {
        let Some(ty) = self.out_type(out, values) else {
            return Value::Void;
        };
        self.unknown_value(&ty, &format!("result of {name}"), range)
    }

    /// The type of a result; `None` for `void`.
    fn out_type(&mut self, out: Out, values: &[Value]) -> Option<Ty> {
        Some(match out {
            Out::Nothing => return None,
            Out::Is(ty) => Ty::Scalar(ty),
            Out::Class(name) => types::class(name)?,
            Out::Like(position) => match values.get(position) {
                Some(Value::Term(term)) if self.facts.terms.ty(*term) == CType::Opaque => {
                    Ty::Scalar(CType::Opaque)
                }
                Some(value) => self.type_of(value),
                None => Ty::INT,
            },
            Out::Element(position) => {
                let ty = self.type_of(values.get(position)?);
                linear::innermost(&ty)?
            }
            Out::Widest => {
                let of_class = |value: &&Value| matches!(value, Value::Struct(_));
                let position = values.iter().position(|value| of_class(&value));
                return self.out_type(Out::Like(position.unwrap_or(0)), values);
            }
            Out::FloatOfFirst => {
                let first = values.get(..1).unwrap_or_default();
                return self.out_type(Out::Float, first);
            }
            Out::Float => {
                // Of a complex number: a complex number.
                if let Some(class) = values
                    .iter()
                    .find(|value| matches!(value, Value::Struct(_)))
                {
                    return Some(self.type_of(class));
                }
                let mut ty = CType::F32;
                for value in values {
                    let one = match value {
                        Value::Term(term) => self.facts.terms.ty(*term),
                        _ => CType::Opaque,
                    };
                    ty = match (ty, one) {
                        (CType::Opaque, _) | (_, CType::Opaque) => CType::Opaque,
                        (CType::F32, CType::F32) => CType::F32,
                        _ => CType::F64,
                    };
                }
                Ty::Scalar(ty)
            }
        })
    }

    /// A value of a type, each scalar in it made by `leaf` from a name for that part.
    pub(super) fn built(
        &mut self,
        ty: &Ty,
        name: &str,
        leaf: &mut dyn FnMut(&mut Self, &str, CType) -> TermId,
    ) -> Value {
        match ty {
            Ty::Struct(_) => {
                let mut fields = Vec::new();
                for (field, ty) in types::fields(ty).unwrap_or_default() {
                    let value = self.built(&ty, &format!("{name}.{field}"), leaf);
                    fields.push((field, value));
                }
                Value::Struct(Rc::new(fields))
            }
            Ty::Pointer(element) => Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element))),
            Ty::Void => Value::Void,
            Ty::Array(..) => Value::Unknown,
            Ty::Scalar(_) | Ty::Bits(_) | Ty::Opaque { .. } => {
                Value::Term(leaf(self, name, ty.ctype()))
            }
        }
    }

    /// The nearest value within bounds. Of an uninterpreted term: any value within them.
    pub(super) fn clamped(&mut self, term: TermId, low: i64, high: i64) -> TermId {
        let ty = self.facts.terms.ty(term);
        let low = self.facts.terms.constant(i128::from(low), ty);
        let high = self.facts.terms.constant(i128::from(high), ty);
        let term = self.facts.terms.binary(Op::Max, ty, term, low);
        self.facts.terms.binary(Op::Min, ty, term, high)
    }

    /// The place that a pointer value points to; reported when it is not understood.
    pub(super) fn pointee(&mut self, pointer: &Value, range: Range) -> Option<Lvalue> {
        match pointer {
            Value::Pointer(pointer) => Some(Lvalue::Memory {
                targets: pointer.targets.clone(),
                ty: pointer.element.clone(),
            }),
            _ => {
                self.lost_access(range, "the address is not understood");
                None
            }
        }
    }

    pub(super) fn store_through(&mut self, pointer: &Value, value: Value, range: Range) {
        if let Some(place) = self.pointee(pointer, range) {
            self.write(&place, value, range);
        }
    }

    pub(super) fn load_through(&mut self, pointer: &Value, range: Range) -> Value {
        match self.pointee(pointer, range) {
            Some(place) => self.read(&place, range),
            None => Value::Unknown,
        }
    }

    /// A value of a class of the library from the arguments of its constructor.
    pub(crate) fn library_class_value(
        &mut self,
        ty: &Ty,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        match ty {
            Ty::Struct(_) => {
                if let Some(reference) = self.atomic_reference(ty, args) {
                    return Some(reference);
                }
                if let Some(value) = self.glm_value(ty, args, range) {
                    return Some(value);
                }
                let mut values = self.values_of(args);
                if let [Value::Struct(_)] = values.as_slice() {
                    let value = values.pop()?;
                    return Some(self.convert(value, ty, range));
                }
                Some(self.class_of_values(ty, values, range))
            }
            Ty::Scalar(_) | Ty::Opaque { bytes: Some(_), .. } if args.len() <= 1 => {
                let value = match args.first() {
                    Some(arg) => self.expr(arg),
                    None => Value::Term(self.int(0)),
                };
                Some(self.convert(value, ty, range))
            }
            _ => None,
        }
    }

    /// A class value from values of its first members; the others are zero.
    pub(super) fn class_of_values(&mut self, ty: &Ty, values: Vec<Value>, range: Range) -> Value {
        let missing = i64::from(ty.describe() == "dim3");
        let mut values = values.into_iter();
        let mut fields = Vec::new();
        for (name, field) in types::fields(ty).unwrap_or_default() {
            let value = match values.next() {
                Some(value) => value,
                None => Value::Term(self.int(missing)),
            };
            fields.push((name, self.convert(value, &field, range)));
        }
        Value::Struct(Rc::new(fields))
    }

    /// An operator on half pairs or complex numbers: pure, and of the class of its operands. `None`
    /// for classes of the unit, which have operators of their own.
    pub(crate) fn library_operator(
        &mut self,
        op: BinaryOp,
        left: &Value,
        right: &Value,
        range: Range,
    ) -> Option<Value> {
        let own = format!("operator{}", op.text());
        if !self.index.functions(&own).is_empty() {
            return None;
        }
        let of_two = |value: &Value| match value {
            Value::Struct(fields) => {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                names == ["x", "y"]
            }
            Value::Term(_) => true,
            _ => false,
        };
        if !of_two(left) || !of_two(right) {
            return None;
        }
        let comparison = matches!(
            op,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
        );
        let class = usize::from(!matches!(left, Value::Struct(_)));
        let out = if comparison {
            Out::Is(CType::Bool)
        } else {
            Out::Like(class)
        };
        Some(self.pure_result(out, &own, &[left.clone(), right.clone()], range))
    }

    /// The linear index of the thread in its block (`u32`).
    pub(crate) fn rank_in_block(&mut self) -> TermId {
        let ids = Axis::ALL.map(|axis| {
            let alone = self.facts.terms.as_const(self.dimensions[axis as usize]) == Some(1);
            if alone {
                self.facts.terms.constant(0, CType::U32)
            } else {
                self.facts.terms.builtin(axis.tid())
            }
        });
        let sizes = [self.dimensions[0], self.dimensions[1]];
        self.row_major(ids, sizes)
    }

    /// The linear index of the block in its grid (`u32`).
    pub(super) fn rank_of_block(&mut self) -> TermId {
        let ids = Axis::ALL.map(|axis| {
            let alone = self
                .facts
                .terms
                .as_const(self.dimensions[3 + axis as usize])
                == Some(1);
            if alone {
                self.facts.terms.constant(0, CType::U32)
            } else {
                self.facts.terms.builtin(axis.bid())
            }
        });
        let sizes = [self.dimensions[3], self.dimensions[4]];
        self.row_major(ids, sizes)
    }

    fn row_major(&mut self, [x, y, z]: [TermId; 3], [width, height]: [TermId; 2]) -> TermId {
        let terms = &mut self.facts.terms;
        let rows = terms.binary(Op::Mul, CType::U32, z, height);
        let rows = terms.binary(Op::Add, CType::U32, rows, y);
        let before = terms.binary(Op::Mul, CType::U32, rows, width);
        terms.binary(Op::Add, CType::U32, before, x)
    }

    /// Product of three dimensions (`u32`): of the block (0) or of the grid (3).
    pub(super) fn volume(&mut self, from: usize) -> TermId {
        let [x, y, z] = [0, 1, 2].map(|axis| self.dimensions[from + axis]);
        let terms = &mut self.facts.terms;
        let plane = terms.binary(Op::Mul, CType::U32, x, y);
        terms.binary(Op::Mul, CType::U32, plane, z)
    }

    /// A fresh integer in `[0, count)` as an `i64` term, and the condition that there is one.
    pub(super) fn any_below(
        &mut self,
        count: TermId,
        reason: &str,
        range: Range,
    ) -> (TermId, TermId) {
        let index = self.unknown(reason, range, CType::I64, true);
        let zero = self.long(0);
        let count = self.facts.terms.cast(count, CType::I64);
        let terms = &mut self.facts.terms;
        let low = terms.binary(Op::Le, CType::Bool, zero, index);
        let high = terms.binary(Op::Lt, CType::Bool, index, count);
        (index, terms.and(low, high))
    }
}
