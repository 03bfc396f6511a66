//! Writes to places: variables, and stores to memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::library::types::{TUPLE_IN_MEMORY, is_tuple};
use super::super::pointers::{Storing, is_stored_in_parts};
use super::super::types::{Bits, Ty};
use super::super::value::*;
use super::{How, is_whole};
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Writes a value to a place.
    pub(crate) fn write(&mut self, place: &Lvalue, value: Value, range: Range) {
        match place {
            Lvalue::Variable { var, path, ty } => {
                if self.undefined.contains(var) {
                    let why = "nothing defines what is written to";
                    self.unsupported(range, "assignment", why, Effect::Access);
                }
                let value = self.convert(value, ty, range);
                if path.is_empty() {
                    let value = match (self.env.get(*var), value) {
                        // The bytes are copied, the object stays.
                        (Value::Local(own), Value::Local(given)) => {
                            let array = own.array;
                            self.trial_writes.insert(array);
                            Value::Local(LocalArray { array, ..given })
                        }
                        (_, value) => value,
                    };
                    self.env.set(*var, value);
                } else {
                    let whole = self.env.get(*var).clone();
                    let root = self.variables[var.0 as usize].1.clone();
                    let updated = with_field(whole, &root, path, value);
                    self.env.set(*var, updated);
                }
            }
            Lvalue::Memory { ty, .. } if is_tuple(ty) => self.lost_access(range, TUPLE_IN_MEMORY),
            Lvalue::Memory { targets, ty } => {
                let value = self.convert(value, ty, range);
                for target in targets {
                    self.with_target(target, range, |me| {
                        me.write_target(target, ty, &value, range)
                    });
                }
            }
            Lvalue::Unknown => {
                self.unsupported(
                    range,
                    "assignment",
                    "its target is not understood",
                    Effect::Access,
                );
            }
        }
    }

    /// The number that a bit field is a part of, with another value in that place. Of a number in memory the other bits are
    /// not known: that it is read before is a part of the write, as all its bits are one location.
    pub(super) fn with_bits(
        &mut self,
        target: &Target,
        bits: &Bits,
        value: &Value,
        range: Range,
    ) -> Value {
        let unit = bits.unit;
        let old = match target.base {
            Base::Variable(_) => self.read_target(target, &Ty::Scalar(unit), range, false),
            _ => self.unknown_value(&Ty::Scalar(unit), "the other bits of a bit field", range),
        };
        self.placed_bits(&old, bits, value, range)
    }

    /// A number with another value in the place of a bit field.
    pub(crate) fn placed_bits(
        &mut self,
        old: &Value,
        bits: &Bits,
        value: &Value,
        range: Range,
    ) -> Value {
        let unit = bits.unit;
        let old = self.term_of(old, range);
        let old = self.cast_term(old, CType::U64);
        let value = self.term_of(value, range);
        let value = self.cast_term(value, CType::U64);
        let ones = (1i128 << bits.width) - 1;
        let mask = ones << bits.shift;
        let keep = self
            .facts
            .terms
            .constant(i128::from(u64::MAX) & !mask, CType::U64);
        let ones = self.facts.terms.constant(ones, CType::U64);
        let shift = self
            .facts
            .terms
            .constant(i128::from(bits.shift), CType::I32);
        let terms = &mut self.facts.terms;
        let kept = terms.binary(Op::BitAnd, CType::U64, old, keep);
        let own = terms.binary(Op::BitAnd, CType::U64, value, ones);
        let own = terms.binary(Op::Shl, CType::U64, own, shift);
        let new = terms.binary(Op::BitOr, CType::U64, kept, own);
        Value::Term(self.cast_term(new, unit))
    }

    /// Writes an object with pointers in it member by member, where they are followed: at a fixed place.
    pub(super) fn writes_parts(
        &mut self,
        target: &Target,
        ty: &Ty,
        value: &Value,
        range: Range,
    ) -> bool {
        let (Ty::Struct(class), Value::Struct(parts), Base::Array(_)) = (ty, value, target.base)
        else {
            return false;
        };
        if !is_stored_in_parts(ty) || self.facts.terms.as_const(target.offset).is_none() {
            return false;
        }
        for (name, field, start) in class.fields() {
            let part = parts.iter().find(|(other, _)| *other == name);
            let part = part.map_or(Value::Unknown, |(_, part)| part.clone());
            let start = self.facts.terms.constant(i128::from(start), CType::I64);
            let terms = &mut self.facts.terms;
            let offset = terms.binary(Op::Add, CType::I64, target.offset, start);
            let target = Target {
                offset,
                ..target.clone()
            };
            self.write_target(&target, &field, &part, range);
        }
        true
    }

    pub(super) fn write_target(&mut self, target: &Target, ty: &Ty, value: &Value, range: Range) {
        if self.writes_parts(target, ty, value, range) {
            return;
        }
        if let Ty::Bits(bits) = ty {
            let number = self.with_bits(target, bits, value, range);
            self.write_target(target, &Ty::Scalar(bits.unit), &number, range);
            return;
        }
        match target.base {
            Base::Array(array) => {
                let term = match value {
                    Value::Term(term) => Some(*term),
                    _ => None,
                };
                if self.facts.array[array.index()].space == Space::Constant {
                    self.unsupported(
                        range,
                        "write to constant memory",
                        "kernels cannot do that",
                        Effect::Access,
                    );
                }
                let how = How::plain(AccessKind::Write);
                let at = (array, target.offset);
                let parts = self.stored_parts(ty, value, range);
                let access = match self.storing(at, ty, value, range) {
                    Storing::Pointer(number) => {
                        let term = number.or(term);
                        self.access_of_pointer(array, target.offset, ty, &how, term, range)
                    }
                    Storing::Later => {
                        self.access_of_pointer(array, target.offset, ty, &how, None, range)
                    }
                    Storing::Bytes => {
                        let term = match parts.is_empty() {
                            true => term.or_else(|| self.untold(ty, range)),
                            false => None,
                        };
                        self.access(array, target.offset, ty, &how, term, range)
                    }
                };
                self.note_parts(access, parts);
            }
            Base::Variable(var) => self.write_variable_at(
                var,
                target.offset,
                ty,
                value.clone(),
                target.condition,
                range,
            ),
            Base::Null => {}
            Base::Unknown => {
                self.lost_access(range, "the pointer is not understood");
                self.write_somewhere(range);
            }
        }
    }

    pub(super) fn write_variable_at(
        &mut self,
        var: VarId,
        offset: TermId,
        ty: &Ty,
        value: Value,
        condition: Option<TermId>,
        range: Range,
    ) {
        let constant = self.facts.terms.as_const(offset);
        let declared = self.variables[var.0 as usize].1.clone();
        if let Value::Local(mut local) = self.env.get(var).clone() {
            self.access(
                local.array,
                offset,
                ty,
                &How::plain(AccessKind::Write),
                None,
                range,
            );
            self.trial_writes.insert(local.array);
            let mut known = BTreeMap::clone(&local.known);
            match (constant, ty.bytes()) {
                (Some(start), Some(bytes)) => {
                    let end = start + i128::from(bytes);
                    let widths: Vec<(i128, i128)> = known
                        .iter()
                        .map(|(&at, value)| (at, i128::from(self.value_bytes(value))))
                        .collect();
                    for (at, width) in widths {
                        if at < end && start < at + width {
                            known.remove(&at);
                        }
                    }
                    if condition.is_none() {
                        self.spread(&value, ty, start, &mut known);
                    }
                }
                _ => known.clear(),
            }
            local.known = Rc::new(known);
            self.env.set(var, Value::Local(local));
            return;
        }
        let old = self.env.get(var).clone();
        let place = match constant {
            Some(0) if is_whole(&declared, ty) => Some((Vec::new(), declared.clone())),
            Some(offset) => self.path_at(&declared, offset, ty.bytes()),
            None => None,
        };
        let Some((path, own)) = place else {
            let new = self.unknown_value(
                &declared,
                "variable written in part through a pointer",
                range,
            );
            self.env.set(var, new);
            return;
        };
        let value = self.reinterpret(value, ty, &own, range);
        let new = with_field(old.clone(), &declared, &path, value);
        let new = match condition {
            Some(condition) => self.merge(condition, &new, &old),
            None => new,
        };
        self.env.set(var, new);
    }
}

/// A class value with one field replaced.
pub(super) fn with_field(whole: Value, ty: &Ty, path: &[String], value: Value) -> Value {
    let Some((first, rest)) = path.split_first() else {
        return value;
    };
    let Ty::Struct(class) = ty else {
        return Value::Unknown;
    };
    let mut fields = match whole {
        Value::Struct(fields) => Vec::clone(&fields),
        _ => class
            .fields()
            .into_iter()
            .map(|(name, ..)| (name, Value::Uninitialised))
            .collect(),
    };
    let Some((field_ty, _)) = class.field(first) else {
        return Value::Unknown;
    };
    if let Some((_, slot)) = fields.iter_mut().find(|(name, _)| name == first) {
        let old = std::mem::replace(slot, Value::Uninitialised);
        *slot = with_field(old, &field_ty, rest, value);
    }
    Value::Struct(Rc::new(fields))
}
