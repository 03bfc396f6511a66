//! Lvalues: what expressions denote, and reads, writes and atomic operations on them.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer};
use super::types::Ty;
use super::value::*;
use crate::syntax::ast::*;

/// What an access does besides its place.
#[derive(Clone, Debug)]
pub(crate) struct How {
    pub kind: AccessKind,
    pub operation: String,
    pub scope: Scope,
    pub volatile: bool,
}

impl How {
    pub(crate) fn plain(kind: AccessKind) -> How {
        How {
            kind,
            operation: String::new(),
            scope: Scope::System,
            volatile: false,
        }
    }
}

impl Lowerer<'_, '_> {
    /// The place that an lvalue expression denotes.
    pub(crate) fn place(&mut self, expr: &Expr) -> Lvalue {
        match &expr.kind {
            ExprKind::Name(name) => self.name_place(name),
            ExprKind::Index { base, index } => {
                let base = self.expr(base);
                let index_value = self.expr(index);
                let index_term = self.integer_of(&index_value, index.range);
                match base {
                    Value::Pointer(pointer) => {
                        let moved = self.advance(pointer, index_term, false, expr.range);
                        Lvalue::Memory {
                            targets: moved.targets,
                            ty: moved.element,
                        }
                    }
                    _ => {
                        self.lost_access(expr.range, "subscript of something that is no pointer");
                        Lvalue::Unknown
                    }
                }
            }
            ExprKind::Deref(inner) => match self.expr(inner) {
                Value::Pointer(pointer) => Lvalue::Memory {
                    targets: pointer.targets,
                    ty: pointer.element,
                },
                _ => {
                    self.lost_access(expr.range, "dereference of something that is no pointer");
                    Lvalue::Unknown
                }
            },
            ExprKind::Member { base, arrow, field } => {
                let place = if *arrow {
                    match self.expr(base) {
                        Value::Pointer(pointer) => Lvalue::Memory {
                            targets: pointer.targets,
                            ty: pointer.element,
                        },
                        _ => Lvalue::Unknown,
                    }
                } else {
                    self.place(base)
                };
                self.field_place(place, &field.base, expr.range)
            }
            ExprKind::Assign { lhs, .. } => {
                self.expr(expr);
                self.place(lhs)
            }
            ExprKind::IncDec {
                arg, prefix: true, ..
            } => {
                self.expr(expr);
                self.place(arg)
            }
            ExprKind::Comma(first, second) => {
                self.expr(first);
                self.place(second)
            }
            ExprKind::Cast { ty, arg, .. } => {
                let ty = self.resolve(ty);
                match self.place(arg) {
                    // `(int &)x` and the like reinterpret the bytes.
                    Lvalue::Memory { targets, .. } => Lvalue::Memory { targets, ty },
                    other => other,
                }
            }
            ExprKind::Conditional { cond, then, els } => {
                let value = self.expr(cond);
                let condition = self.condition_of(&value, cond.range);
                let (then, els) = (self.place(then), self.place(els));
                match (then, els) {
                    (Lvalue::Memory { targets: a, ty }, Lvalue::Memory { targets: b, .. }) => {
                        let then = Value::Pointer(Pointer {
                            targets: a,
                            element: ty.clone(),
                        });
                        let els = Value::Pointer(Pointer {
                            targets: b,
                            element: ty.clone(),
                        });
                        match self.merge(condition, &then, &els) {
                            Value::Pointer(pointer) => Lvalue::Memory {
                                targets: pointer.targets,
                                ty,
                            },
                            _ => Lvalue::Unknown,
                        }
                    }
                    _ => {
                        self.unsupported(
                            expr.range,
                            "conditional lvalue",
                            "its arms are no memory",
                            Effect::Access,
                        );
                        Lvalue::Unknown
                    }
                }
            }
            _ => {
                // A temporary: evaluate it for its effects; nobody else sees it.
                let value = self.expr(expr);
                let ty = self.type_of(&value);
                let var = self.variable("temporary", ty.clone(), value);
                Lvalue::Variable {
                    var,
                    path: Vec::new(),
                    ty,
                }
            }
        }
    }

    fn name_place(&mut self, name: &Name) -> Lvalue {
        match self.lookup(&name.base).cloned() {
            Some(Binding::Variable(var)) => {
                let ty = self.variables[var.0 as usize].1.clone();
                Lvalue::Variable {
                    var,
                    path: Vec::new(),
                    ty,
                }
            }
            Some(Binding::Reference(place)) => place,
            Some(Binding::Memory { array, ty }) => self.whole(array, ty),
            None => match self.global_array(&name.base) {
                Some((array, ty)) => self.whole(array, ty),
                None => {
                    let value = self.name(name);
                    let ty = self.type_of(&value);
                    let var = self.variable(&name.base, ty.clone(), value);
                    Lvalue::Variable {
                        var,
                        path: Vec::new(),
                        ty,
                    }
                }
            },
        }
    }

    /// All of an array object.
    pub(crate) fn whole(&mut self, array: ArrayId, ty: Ty) -> Lvalue {
        let pointer = self.pointer(Base::Array(array), ty);
        Lvalue::Memory {
            targets: pointer.targets,
            ty: pointer.element,
        }
    }

    /// The place of a member.
    pub(crate) fn member_place(&mut self, place: Lvalue, field: &str, range: Range) -> Lvalue {
        self.field_place(place, field, range)
    }

    fn field_place(&mut self, place: Lvalue, field: &str, range: Range) -> Lvalue {
        match place {
            Lvalue::Variable { var, mut path, ty } => {
                let field_ty = match &ty {
                    Ty::Struct(layout) => layout
                        .fields
                        .iter()
                        .find(|(name, ..)| name == field)
                        .map(|(_, ty, _)| ty.clone()),
                    _ => None,
                };
                match field_ty {
                    Some(ty) => {
                        path.push(field.to_owned());
                        Lvalue::Variable { var, path, ty }
                    }
                    None => {
                        self.unsupported(
                            range,
                            "member access",
                            "the class is not understood",
                            Effect::Access,
                        );
                        Lvalue::Unknown
                    }
                }
            }
            Lvalue::Memory {
                targets,
                ty: Ty::Struct(layout),
            } => {
                let Some((_, ty, offset)) = layout
                    .fields
                    .iter()
                    .find(|(name, ..)| name == field)
                    .cloned()
                else {
                    self.lost_access(range, "member that the class does not declare");
                    return Lvalue::Unknown;
                };
                let offset = self.facts.terms.constant(i128::from(offset), CType::I64);
                let targets = targets
                    .into_iter()
                    .map(|target| {
                        let offset =
                            self.facts
                                .terms
                                .binary(Op::Add, CType::I64, target.offset, offset);
                        Target { offset, ..target }
                    })
                    .collect();
                Lvalue::Memory { targets, ty }
            }
            Lvalue::Memory { .. } => {
                self.lost_access(range, "member of a class that is not understood");
                Lvalue::Unknown
            }
            Lvalue::Unknown => {
                self.unsupported(
                    range,
                    "member access",
                    "the object is not understood",
                    Effect::Access,
                );
                Lvalue::Unknown
            }
        }
    }

    /// A pointer moved by a number of elements.
    pub(crate) fn advance(
        &mut self,
        mut pointer: Pointer,
        count: TermId,
        backwards: bool,
        range: Range,
    ) -> Pointer {
        let Some(size) = self.size_term(&pointer.element) else {
            if pointer
                .targets
                .iter()
                .any(|target| target.base != Base::Unknown)
            {
                let why = format!("the size of `{}` is not known", pointer.element.describe());
                self.unsupported(range, "pointer arithmetic", &why, Effect::Access);
            }
            return self.pointer(Base::Unknown, pointer.element);
        };
        let wide = self.facts.terms.cast(count, CType::I64);
        let bytes = self.facts.terms.binary(Op::Mul, CType::I64, wide, size);
        let op = if backwards { Op::Sub } else { Op::Add };
        for target in &mut pointer.targets {
            target.offset = self
                .facts
                .terms
                .binary(op, CType::I64, target.offset, bytes);
        }
        pointer
    }

    /// The value of a place; arrays decay to pointers.
    pub(crate) fn read(&mut self, place: &Lvalue, range: Range) -> Value {
        self.read_as(place, range, false)
    }

    fn read_as(&mut self, place: &Lvalue, range: Range, volatile: bool) -> Value {
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
                    Value::Local(local) => {
                        let pointer = self.pointer(Base::Variable(*var), local.element);
                        Value::Pointer(pointer)
                    }
                    Value::Uninitialised => match ty {
                        Ty::Struct(layout) => {
                            let fields = layout
                                .fields
                                .iter()
                                .map(|(name, ..)| (name.clone(), Value::Uninitialised));
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

    fn read_memory(&mut self, targets: &[Target], ty: &Ty, range: Range, volatile: bool) -> Value {
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
    fn with_target<T>(
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

    fn read_target(&mut self, target: &Target, ty: &Ty, range: Range, volatile: bool) -> Value {
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
                    Some(access) => self.loaded(access, target.offset, ty, range),
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
    fn loaded(&mut self, access: AccessId, offset: TermId, ty: &Ty, range: Range) -> Value {
        match ty {
            Ty::Struct(layout) => {
                let mut fields = Vec::with_capacity(layout.fields.len());
                for (name, field, start) in &layout.fields {
                    let start = self.facts.terms.constant(i128::from(*start), CType::I64);
                    let at = self.facts.terms.binary(Op::Add, CType::I64, offset, start);
                    fields.push((name.clone(), self.loaded(access, at, field, range)));
                }
                Value::Struct(Rc::new(fields))
            }
            Ty::Pointer(element) => Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element))),
            Ty::Array(..) | Ty::Void => self.unknown_value(ty, "aggregate value", range),
            ty => Value::Term(self.facts.terms.load(access, offset, ty.ctype())),
        }
    }

    /// A value of a type of which nothing is known.
    pub(crate) fn unknown_value(&mut self, ty: &Ty, reason: &str, range: Range) -> Value {
        match ty {
            Ty::Scalar(_) | Ty::Opaque { .. } => {
                Value::Term(self.unknown(reason, range, ty.ctype(), true))
            }
            Ty::Pointer(element) => Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element))),
            Ty::Struct(layout) => {
                let mut fields = Vec::new();
                for (name, field, _) in &layout.fields {
                    fields.push((name.clone(), self.unknown_value(field, reason, range)));
                }
                Value::Struct(Rc::new(fields))
            }
            Ty::Array(..) => Value::Unknown,
            Ty::Void => Value::Void,
        }
    }

    /// Emits an access; `None` when its size is not known, which is reported.
    pub(crate) fn access(
        &mut self,
        array: ArrayId,
        index: TermId,
        ty: &Ty,
        how: &How,
        value: Option<TermId>,
        range: Range,
    ) -> Option<AccessId> {
        let Some(bytes) = ty.bytes().and_then(|bytes| u32::try_from(bytes).ok()) else {
            let why = format!("the size of `{}` is not known", ty.describe());
            self.lost_access(range, &why);
            return None;
        };
        let point = self.point(PointKind::Access, range);
        let span = self.span(range);
        let access = AccessId::from_index(self.facts.access.len());
        self.facts.access.push(AccessRow {
            access,
            point,
            array,
            kind: how.kind,
            operation: how.operation.clone(),
            scope: how.scope,
            index,
            bytes,
            value,
            volatile: how.volatile,
            span,
        });
        Some(access)
    }

    /// Writes a value to a place.
    pub(crate) fn write(&mut self, place: &Lvalue, value: Value, range: Range) {
        match place {
            Lvalue::Variable { var, path, ty } => {
                let value = self.convert(value, ty, range);
                if path.is_empty() {
                    self.env.set(*var, value);
                } else {
                    let whole = self.env.get(*var).clone();
                    let root = self.variables[var.0 as usize].1.clone();
                    let updated = with_field(whole, &root, path, value);
                    self.env.set(*var, updated);
                }
            }
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

    fn write_target(&mut self, target: &Target, ty: &Ty, value: &Value, range: Range) {
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
                self.access(
                    array,
                    target.offset,
                    ty,
                    &How::plain(AccessKind::Write),
                    term,
                    range,
                );
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
            Base::Unknown => self.lost_access(range, "the pointer is not understood"),
        }
    }

    /// Reads a variable or local array through a pointer.
    fn read_variable_at(&mut self, var: VarId, offset: TermId, ty: &Ty, range: Range) -> Value {
        let constant = self.facts.terms.as_const(offset);
        match self.env.get(var).clone() {
            Value::Local(local) => {
                self.access(
                    local.array,
                    offset,
                    ty,
                    &How::plain(AccessKind::Read),
                    None,
                    range,
                );
                if let Some(value) = constant.and_then(|offset| local.known.get(&offset))
                    && self.type_of(value).bytes() == ty.bytes()
                {
                    return self.convert(value.clone(), ty, range);
                }
                let name = self.facts.array[local.array.index()].name.clone();
                self.unknown_value(ty, &format!("value read from local array {name}"), range)
            }
            value
                if constant == Some(0)
                    && self.variables[var.0 as usize].1.bytes() == ty.bytes() =>
            {
                let place = Lvalue::Variable {
                    var,
                    path: Vec::new(),
                    ty: self.variables[var.0 as usize].1.clone(),
                };
                let value = if value == Value::Uninitialised {
                    self.read(&place, range)
                } else {
                    value
                };
                self.convert(value, ty, range)
            }
            _ => self.unknown_value(ty, "part of a local variable", range),
        }
    }

    fn write_variable_at(
        &mut self,
        var: VarId,
        offset: TermId,
        ty: &Ty,
        value: Value,
        condition: Option<TermId>,
        range: Range,
    ) {
        let constant = self.facts.terms.as_const(offset);
        match self.env.get(var).clone() {
            Value::Local(mut local) => {
                self.access(
                    local.array,
                    offset,
                    ty,
                    &How::plain(AccessKind::Write),
                    None,
                    range,
                );
                self.trial_writes.insert(local.array);
                let known = Rc::make_mut(&mut local.known);
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
                            known.insert(start, value);
                        }
                    }
                    _ => known.clear(),
                }
                self.env.set(var, Value::Local(local));
            }
            old => {
                let whole =
                    constant == Some(0) && self.variables[var.0 as usize].1.bytes() == ty.bytes();
                let declared = self.variables[var.0 as usize].1.clone();
                let new = if whole {
                    let value = self.convert(value, &declared, range);
                    match condition {
                        Some(condition) => self.merge(condition, &value, &old),
                        None => value,
                    }
                } else {
                    self.unknown_value(
                        &declared,
                        "variable written in part through a pointer",
                        range,
                    )
                };
                self.env.set(var, new);
            }
        }
    }

    fn value_bytes(&self, value: &Value) -> u64 {
        self.type_of(value).bytes().unwrap_or(16)
    }

    /// The type of a value, as far as the value shows it.
    pub(crate) fn type_of(&self, value: &Value) -> Ty {
        match value {
            Value::Term(term) => match self.facts.terms.ty(*term) {
                CType::Opaque => Ty::Opaque {
                    name: "opaque".to_owned(),
                    bytes: None,
                },
                ty => Ty::Scalar(ty),
            },
            Value::Pointer(pointer) => pointer.element.clone().pointer_to(),
            Value::Void => Ty::Void,
            Value::Struct(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.type_of(value)))
                    .collect();
                match super::types::layout("struct", fields, false) {
                    Some(layout) => Ty::Struct(Rc::new(layout)),
                    None => Ty::Opaque {
                        name: "struct".to_owned(),
                        bytes: None,
                    },
                }
            }
            _ => Ty::Opaque {
                name: "unknown".to_owned(),
                bytes: None,
            },
        }
    }

    /// The array of a `__device__`, `__constant__` or `__managed__` variable, made when first used.
    pub(crate) fn global_array(&mut self, name: &str) -> Option<(ArrayId, Ty)> {
        let global = self.index.global(name)?;
        let storage = global.storage;
        if !(storage.device || storage.constant || storage.managed || storage.shared) {
            return None;
        }
        let ty = self.resolve(&global.ty);
        if let Some(&array) = self.globals.get(name) {
            return Some((array, ty));
        }
        let space = if storage.constant {
            Space::Constant
        } else if storage.shared {
            Space::Shared
        } else {
            Space::Global
        };
        let array = self.array(name, space, &ty, global.name_range);
        if storage.shared && storage.is_extern {
            self.share_dynamic(array);
        }
        self.globals.insert(name.to_owned(), array);
        Some((array, ty))
    }

    /// All `extern __shared__` arrays start at the same address.
    pub(crate) fn share_dynamic(&mut self, array: ArrayId) {
        let storage = *self.dynamic_shared.get_or_insert(array);
        self.facts.relations.array[array.index()].storage = storage;
        self.facts.relations.array[array.index()].bytes = None;
    }
}

/// A class value with one field replaced.
fn with_field(whole: Value, ty: &Ty, path: &[String], value: Value) -> Value {
    let Some((first, rest)) = path.split_first() else {
        return value;
    };
    let Ty::Struct(layout) = ty else {
        return Value::Unknown;
    };
    let mut fields = match whole {
        Value::Struct(fields) => Vec::clone(&fields),
        _ => layout
            .fields
            .iter()
            .map(|(name, ..)| (name.clone(), Value::Uninitialised))
            .collect(),
    };
    let Some((_, field_ty, _)) = layout.fields.iter().find(|(name, ..)| name == first) else {
        return Value::Unknown;
    };
    if let Some((_, slot)) = fields.iter_mut().find(|(name, _)| name == first) {
        let old = std::mem::replace(slot, Value::Uninitialised);
        *slot = with_field(old, field_ty, rest, value);
    }
    Value::Struct(Rc::new(fields))
}
