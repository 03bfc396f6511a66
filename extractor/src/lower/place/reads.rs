//! Reads of places: variables, and loads from memory.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::library::types::{TUPLE_IN_MEMORY, is_tuple};
use super::super::objects::{in_memory, leaves};
use super::super::types::Ty;
use super::super::value::*;
use super::{How, MAX_POINTERS, is_whole};
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The value of a place; arrays decay to pointers.
    pub(crate) fn read(&mut self, place: &Lvalue, range: Range) -> Value {
        let value = self.read_object(place, range);
        self.is_copy_of_bytes(place, &value, range);
        value
    }

    /// The same where no copy of an object is made: it is looked at, or its value goes where the object will be.
    pub(crate) fn read_object(&mut self, place: &Lvalue, range: Range) -> Value {
        self.read_as(place, range, false)
    }

    pub(super) fn read_as(&mut self, place: &Lvalue, range: Range, volatile: bool) -> Value {
        if let Some(value) = self.atomic_conversion(place, range) {
            return value;
        }
        match place {
            Lvalue::Variable { var, path, ty } => {
                let mut value = self.env.get(*var).clone();
                for field in path {
                    value = match &value {
                        Value::Struct(fields) => fields
                            .iter()
                            .find(|(name, _)| name == field)
                            .map_or(Value::Unknown, |(_, value)| value.clone()),
                        _ => Value::Unknown,
                    };
                }
                match value {
                    Value::Local(local) => match ty {
                        Ty::Struct(_) => Value::Local(local),
                        _ => {
                            let pointer = self.pointer(Base::Variable(*var), local.element);
                            Value::Pointer(pointer)
                        }
                    },
                    Value::Uninitialised => match ty {
                        Ty::Struct(class) => {
                            let fields = class
                                .fields()
                                .into_iter()
                                .map(|(name, ..)| (name, Value::Uninitialised));
                            Value::Struct(Rc::new(fields.collect()))
                        }
                        Ty::Pointer(element) => {
                            Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element)))
                        }
                        ty => {
                            let reason = format!(
                                "uninitialised variable {}",
                                self.variables[var.0 as usize].0
                            );
                            Value::Term(self.unknown(&reason, range, ty.ctype(), true))
                        }
                    },
                    other => other,
                }
            }
            Lvalue::Memory { ty, .. } if is_tuple(ty) => {
                self.lost_access(range, TUPLE_IN_MEMORY);
                self.unknown_value(ty, TUPLE_IN_MEMORY, range)
            }
            Lvalue::Memory {
                targets,
                ty: Ty::Array(element, _),
            } => Value::Pointer(Pointer {
                targets: targets.clone(),
                element: Ty::clone(element),
            }),
            Lvalue::Memory { targets, ty } => self.read_memory(targets, ty, range, volatile),
            Lvalue::Unknown => Value::Unknown,
        }
    }

    pub(super) fn read_memory(
        &mut self,
        targets: &[Target],
        ty: &Ty,
        range: Range,
        volatile: bool,
    ) -> Value {
        let mut result: Option<Value> = None;
        for target in targets.iter().rev() {
            let value = self.with_target(target, range, |me| {
                me.read_target(target, ty, range, volatile)
            });
            result = Some(match (result, target.condition) {
                (Some(rest), Some(condition)) => self.merge(condition, &value, &rest),
                _ => value,
            });
        }
        result.unwrap_or(Value::Unknown)
    }

    /// Does something under the condition of a pointer target.
    pub(super) fn with_target<T>(
        &mut self,
        target: &Target,
        range: Range,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        match target.condition {
            None => act(self),
            Some(condition) => self.guarded(condition, true, range, act),
        }
    }

    pub(super) fn read_target(
        &mut self,
        target: &Target,
        ty: &Ty,
        range: Range,
        volatile: bool,
    ) -> Value {
        if let Ty::Bits(bits) = ty {
            let number = self.read_target(target, &Ty::Scalar(bits.unit), range, volatile);
            let number = self.term_of(&number, range);
            let shift = self
                .facts
                .terms
                .constant(i128::from(bits.shift), CType::I32);
            let unit = bits.unit;
            let number = self.cast_term(number, unit);
            let number = self.facts.terms.binary(Op::Shr, unit, number, shift);
            return Value::Term(self.cut(number, bits));
        }
        match target.base {
            Base::Array(array) => {
                let how = How {
                    volatile,
                    ..How::plain(AccessKind::Read)
                };
                let of_thread = self.facts.array[array.index()].space == Space::Local;
                match self.access(array, target.offset, ty, &how, None, range) {
                    // Two threads that read one place of it read two objects.
                    Some(_) if of_thread => {
                        self.unknown_value(ty, "value read from memory of the thread", range)
                    }
                    Some(access) => self.loaded(access, array, target.offset, ty, range),
                    None => self.unknown_value(ty, "value of unknown size", range),
                }
            }
            Base::Variable(var) => self.read_variable_at(var, target.offset, ty, range),
            Base::Null => self.unknown_value(ty, "value behind a null pointer", range),
            Base::Unknown => {
                self.lost_access(range, "the pointer is not understood");
                self.unknown_value(ty, "value behind a pointer that is not understood", range)
            }
        }
    }

    /// The value that an access at an offset reads: one load term for each scalar in it.
    pub(super) fn loaded(
        &mut self,
        access: AccessId,
        array: ArrayId,
        offset: TermId,
        ty: &Ty,
        range: Range,
    ) -> Value {
        let at = |me: &mut Self, start: u64| {
            let start = me.facts.terms.constant(i128::from(start), CType::I64);
            me.facts.terms.binary(Op::Add, CType::I64, offset, start)
        };
        match ty {
            Ty::Struct(_) if in_memory(ty) => {
                let mut known = std::collections::BTreeMap::new();
                for (start, leaf) in leaves(ty).unwrap_or_default() {
                    let offset = at(self, start);
                    let value = self.loaded(access, array, offset, &leaf, range);
                    known.insert(i128::from(start), value);
                }
                self.bytes_object(ty, known, range)
            }
            Ty::Struct(class) => {
                let mut fields = Vec::new();
                for (name, field, start) in class.fields() {
                    let offset = at(self, start);
                    fields.push((name, self.loaded(access, array, offset, &field, range)));
                }
                Value::Struct(Rc::new(fields))
            }
            Ty::Pointer(element) => self.followed(access, array, offset, element, range),
            Ty::Array(..) | Ty::Void => self.unknown_value(ty, "aggregate value", range),
            ty => match self.constant_element(array, offset, ty.ctype()) {
                Some(value) => Value::Term(value),
                None => {
                    self.note_number(array, offset, ty.ctype(), range);
                    Value::Term(self.facts.terms.load(access, offset, ty.ctype()))
                }
            },
        }
    }

    /// A pointer of a local array at a place that varies: one of those that it holds.
    pub(super) fn one_of_pointers(
        &mut self,
        declared: &Ty,
        local: &LocalArray,
        offset: TermId,
    ) -> Option<Value> {
        let slots: Vec<i128> = leaves(declared)?
            .into_iter()
            .filter(|(_, leaf)| matches!(leaf, Ty::Pointer(_)))
            .map(|(at, _)| i128::from(at))
            .collect();
        if slots.is_empty() || slots.len() > MAX_POINTERS {
            return None;
        }
        let mut found: Option<Value> = None;
        for at in slots.into_iter().rev() {
            let value = match local.known.get(&at)? {
                Value::Pointer(pointer)
                    if pointer
                        .targets
                        .iter()
                        .all(|target| target.base != Base::Unknown) =>
                {
                    Value::Pointer(pointer.clone())
                }
                _ => return None,
            };
            found = Some(match found {
                None => value,
                Some(rest) => {
                    let at = self.facts.terms.constant(at, CType::I64);
                    let here = self.facts.terms.binary(Op::Eq, CType::Bool, offset, at);
                    self.merge(here, &value, &rest)
                }
            });
        }
        found
    }

    /// Reads a variable or local array through a pointer.
    pub(super) fn read_variable_at(
        &mut self,
        var: VarId,
        offset: TermId,
        ty: &Ty,
        range: Range,
    ) -> Value {
        let constant = self.facts.terms.as_const(offset);
        let declared = self.variables[var.0 as usize].1.clone();
        if let Value::Local(local) = self.env.get(var).clone() {
            self.access(
                local.array,
                offset,
                ty,
                &How::plain(AccessKind::Read),
                None,
                range,
            );
            if let Some(value) =
                constant.and_then(|offset| self.gather(ty, offset, &local.known, range))
            {
                return value;
            }
            if let (None, Ty::Pointer(_)) = (constant, ty)
                && let Some(value) = self.one_of_pointers(&declared, &local, offset)
            {
                return self.convert(value, ty, range);
            }
            if let (None, Ty::Scalar(scalar)) = (constant, ty)
                && let Some(value) = self.one_of_numbers(&declared, &local, offset, *scalar)
            {
                return Value::Term(value);
            }
            let name = self.facts.array[local.array.index()].name.clone();
            return self.unknown_value(ty, &format!("value read from local array {name}"), range);
        }
        let place = match constant {
            Some(0) if is_whole(&declared, ty) => Some((Vec::new(), declared)),
            Some(offset) => self.path_at(&declared, offset, ty.bytes()),
            None => None,
        };
        match place {
            Some((path, own)) => {
                let place = Lvalue::Variable {
                    var,
                    path,
                    ty: own.clone(),
                };
                let value = self.read(&place, range);
                self.reinterpret(value, &own, ty, range)
            }
            None => self.unknown_value(ty, "part of a local variable", range),
        }
    }
}
