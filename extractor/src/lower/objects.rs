//! Objects of classes: their parts, construction, lambdas.
//!
//! A class of scalars is held as a [`Value::Struct`]. One with arrays, unions or members that share a name is held as
//! bytes, like a local array: [`Value::Local`], whose `known` has a value for each scalar at its byte offset.

mod behind;
mod closures;
mod construct;

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Lowerer, Names};
use super::call::Called;
use super::derived::derives;
use super::overload::Chosen;
use super::types::{Extent, StructTy, Ty, TypeScope};
use super::value::*;
use crate::syntax::ast::*;

/// Most scalars of an object whose values are followed one by one.
const MAX_LEAVES: usize = 256;

/// A lambda expression and what it captured.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub lambda: Rc<Lambda>,
    pub bindings: Names,
    /// It holds copies of objects that copy constructors make: so do those of copies of the closure.
    pub keeps_objects: bool,
    pub types: TypeScope,
    pub this: Option<Lvalue>,
    /// Whether that object is constant.
    pub constant_this: Option<bool>,
}

/// Whether a type is held as bytes rather than as separate values.
pub(crate) fn in_memory(ty: &Ty) -> bool {
    match ty {
        Ty::Array(..) => true,
        Ty::Struct(class) => class.layout().is_some_and(|layout| layout.in_memory),
        _ => false,
    }
}

/// The scalars of a type with their byte offsets; `None` where members share bytes or there are too many.
pub(crate) fn leaves(ty: &Ty) -> Option<Vec<(u64, Ty)>> {
    let mut found = Vec::new();
    collect(ty, 0, &mut found).then_some(found)
}

fn collect(ty: &Ty, at: u64, found: &mut Vec<(u64, Ty)>) -> bool {
    match ty {
        Ty::Array(element, Extent::Constant(count)) => {
            let Some(bytes) = element.bytes() else {
                return false;
            };
            *count <= MAX_LEAVES as u64
                && (0..*count).all(|index| collect(element, at + index * bytes, found))
        }
        Ty::Array(..) | Ty::Void => false,
        Ty::Struct(class) => {
            let Some(layout) = class.layout() else {
                return false;
            };
            let mut end = 0;
            let mut run = None;
            layout.fields.iter().all(|(_, field, start)| {
                // Bit fields next to each other are one number.
                if let Ty::Bits(bits) = field {
                    if run == Some(*start) {
                        return true;
                    }
                    run = Some(*start);
                    let apart = *start >= end;
                    end = start + field.bytes().unwrap_or(0);
                    return apart && collect(&Ty::Scalar(bits.unit), at + start, found);
                }
                let apart = *start >= end;
                end = start + field.bytes().unwrap_or(0);
                apart && collect(field, at + start, found)
            })
        }
        scalar => {
            found.push((at, scalar.clone()));
            found.len() <= MAX_LEAVES
        }
    }
}

/// How many variables and arrays there were at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    variables: usize,
    arrays: usize,
}

impl<'u> Lowerer<'u, '_> {
    /// A new variable of any type, without a value.
    pub(crate) fn object(&mut self, name: &str, ty: &Ty, range: Range) -> VarId {
        if in_memory(ty) {
            self.local_array(name, ty, None, range)
        } else {
            self.variable(name, ty.clone(), Value::Uninitialised)
        }
    }

    /// Writes the scalars of a value at their offsets.
    pub(crate) fn spread(
        &self,
        value: &Value,
        ty: &Ty,
        at: i128,
        known: &mut BTreeMap<i128, Value>,
    ) {
        match (value, ty) {
            (Value::Struct(fields), Ty::Struct(class)) => {
                for (name, field, start) in class.fields() {
                    if let Some((_, value)) = fields.iter().find(|(field, _)| *field == name) {
                        self.spread(value, &field, at + i128::from(start), known);
                    }
                }
            }
            (Value::Local(local), _) => {
                for (offset, value) in local.known.iter() {
                    known.insert(at + offset, value.clone());
                }
            }
            (Value::Uninitialised | Value::Unknown | Value::Void, _) => {}
            // A part of the number there.
            (_, Ty::Bits(_)) => {
                known.remove(&at);
            }
            (value, _) => {
                known.insert(at, value.clone());
            }
        }
    }

    /// The value of a type whose scalars are at an offset; those that are not known are `None` where any is missing.
    pub(crate) fn gather(
        &mut self,
        ty: &Ty,
        at: i128,
        known: &BTreeMap<i128, Value>,
        range: Range,
    ) -> Option<Value> {
        match ty {
            Ty::Struct(class) if !in_memory(ty) => {
                let mut fields = Vec::new();
                for (name, field, start) in class.fields() {
                    let value = match self.gather(&field, at + i128::from(start), known, range) {
                        Some(value) => value,
                        None => self.unknown_value(&field, "part of a local object", range),
                    };
                    fields.push((name, value));
                }
                Some(Value::Struct(Rc::new(fields)))
            }
            Ty::Struct(_) | Ty::Array(..) => {
                let bytes = i128::from(ty.bytes()?);
                let part = known
                    .range(at..at + bytes)
                    .map(|(offset, value)| (offset - at, value.clone()))
                    .collect();
                Some(self.bytes_object(ty, part, range))
            }
            scalar => {
                let value = known.get(&at)?;
                let written = self.type_of(value);
                // What was written with another size is not what is read.
                (written.bytes() == scalar.bytes())
                    .then(|| self.reinterpret(value.clone(), &written, scalar, range))
            }
        }
    }

    /// An object held as bytes.
    pub(crate) fn bytes_object(
        &mut self,
        ty: &Ty,
        known: BTreeMap<i128, Value>,
        range: Range,
    ) -> Value {
        let array = self.array("temporary", Space::Local, ty, range);
        let element = match ty {
            Ty::Array(element, _) => Ty::clone(element),
            other => other.clone(),
        };
        Value::Local(LocalArray {
            array,
            element,
            bytes: ty.bytes(),
            known: Rc::new(known),
        })
    }

    /// The field of a register object that begins at an offset and has a size, as names from the outside in.
    pub(crate) fn path_at(
        &self,
        ty: &Ty,
        offset: i128,
        bytes: Option<u64>,
    ) -> Option<(Vec<String>, Ty)> {
        if offset == 0 && ty.bytes() == bytes && !matches!(ty, Ty::Struct(_)) {
            return Some((Vec::new(), ty.clone()));
        }
        let Ty::Struct(class) = ty else {
            return None;
        };
        for (name, field, start) in class.fields() {
            let (start, size) = (i128::from(start), i128::from(field.bytes()?));
            if start <= offset && offset < start + size {
                let (mut path, ty) = self.path_at(&field, offset - start, bytes)?;
                path.insert(0, name);
                return Some((path, ty));
            }
        }
        None
    }

    /// The part of an object that is its base class.
    pub(crate) fn as_base(&mut self, place: Lvalue, base: &Rc<StructTy>) -> Lvalue {
        let from = match &place {
            Lvalue::Variable {
                ty: Ty::Struct(from),
                ..
            }
            | Lvalue::Memory {
                ty: Ty::Struct(from),
                ..
            } => Rc::clone(from),
            _ => return place,
        };
        let Some(offset) = base_offset(&from, base) else {
            return place;
        };
        match place {
            Lvalue::Variable { var, path, .. } if !in_memory(&Ty::Struct(Rc::clone(&from))) => {
                Lvalue::Variable {
                    var,
                    path,
                    ty: Ty::Struct(Rc::clone(base)),
                }
            }
            place => {
                let Lvalue::Memory { targets, .. } = self.in_bytes(place) else {
                    return Lvalue::Unknown;
                };
                Lvalue::Memory {
                    targets: self.moved_by(targets, i128::from(offset)),
                    ty: Ty::Struct(Rc::clone(base)),
                }
            }
        }
    }

    /// The object as the class whose member function was found sees it.
    pub(crate) fn as_owner(&mut self, place: Lvalue, found: &Chosen<'u>) -> Lvalue {
        match found.scope.class.clone() {
            Some(owner) => self.as_base(place, &owner),
            None => place,
        }
    }

    pub(crate) fn moved_by(&mut self, targets: Vec<Target>, bytes: i128) -> Vec<Target> {
        let bytes = self.facts.terms.constant(bytes, CType::I64);
        targets
            .into_iter()
            .map(|target| {
                let offset = self
                    .facts
                    .terms
                    .binary(Op::Add, CType::I64, target.offset, bytes);
                Target { offset, ..target }
            })
            .collect()
    }

    /// A place as bytes: of a variable, a target that is counted from it.
    pub(crate) fn in_bytes(&mut self, place: Lvalue) -> Lvalue {
        let Lvalue::Variable { var, path, ty } = place else {
            return place;
        };
        let mut offset = 0;
        let mut at = self.variables[var.0 as usize].1.clone();
        for field in &path {
            let Ty::Struct(class) = &at else {
                return Lvalue::Unknown;
            };
            let Some((field, start)) = class.field(field) else {
                return Lvalue::Unknown;
            };
            offset += start;
            at = field;
        }
        // The part that is a base.
        if let (Ty::Struct(whole), Ty::Struct(base)) = (&at, &ty) {
            offset += base_offset(whole, base).unwrap_or(0);
        }
        let offset = self.facts.terms.constant(i128::from(offset), CType::I64);
        Lvalue::Memory {
            targets: vec![Target {
                condition: None,
                base: Base::Variable(var),
                offset,
            }],
            ty,
        }
    }

    /// What a call gives, as a value.
    pub(crate) fn value_of(&mut self, called: Called, range: Range) -> Value {
        match called {
            Called::Value(value) => value,
            Called::Place(place) => self.read(&place, range),
        }
    }

    /// The class that is meant by `B` in `o.B::m`: the object's own or a base of it. The name is looked up in the class of the object
    /// first, then where it stands.
    pub(crate) fn part_class(&mut self, object: &Ty, ty: &Type) -> Option<Rc<StructTy>> {
        let (Ty::Struct(whole), TypeKind::Reference(named)) = (object, &ty.kind) else {
            return None;
        };
        let inside = self.class_scope(whole);
        let found = [
            self.within(inside, |me| me.resolve(named)),
            self.resolve(named),
        ];
        found.into_iter().find_map(|found| match found {
            Ty::Struct(part) if part == *whole || derives(whole, &part) => Some(part),
            _ => None,
        })
    }

    /// The part of an object that is a class.
    pub(crate) fn part_place(&mut self, object: &Expr, ty: &Type, range: Range) -> Lvalue {
        let whole = self.static_type(object);
        let is_pointed_to = match &object.kind {
            ExprKind::Deref(pointer) => {
                let pointer = super::typing::decayed(self.static_type(pointer));
                matches!(pointer, Ty::Pointer(_))
            }
            _ => true,
        };
        let place = self.place(object);
        match self.part_class(&whole, ty).filter(|_| is_pointed_to) {
            Some(part) => self.as_base(place, &part),
            None => {
                let what = "a qualified member";
                self.unsupported(range, what, "its class is not known", Effect::Control);
                Lvalue::Unknown
            }
        }
    }
}

/// Where the part of a class that is a base class begins.
pub(crate) fn base_offset(from: &StructTy, base: &StructTy) -> Option<u64> {
    if from == base {
        return Some(0);
    }
    from.layout()?.bases.iter().find_map(|(ty, at)| match ty {
        Ty::Struct(inner) => base_offset(inner, base).map(|offset| at + offset),
        _ => None,
    })
}
