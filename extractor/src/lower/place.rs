//! Lvalues: what expressions denote, and reads, writes and atomic operations on them.

mod reads;
mod writes;

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer};
use super::call::Called;
use super::derived::derives;
use super::objects::in_memory;
use super::types::{StructTy, Ty};
use super::typing::{is_unknown, unknown_type};
use super::value::*;
use crate::syntax::ast::*;

/// Most pointers of a local array that are told apart at a place that varies.
const MAX_POINTERS: usize = 32;

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
        if let Some(cast) = self.cast_written_out(expr) {
            return self.place(&cast);
        }
        if let Some(place) = self.place_of_object(expr) {
            return place;
        }
        match &expr.kind {
            ExprKind::Name(name) => self.name_place(name),
            ExprKind::MemberPointer {
                base,
                arrow,
                pointer,
            } => self.place_through_member(base, *arrow, pointer, expr.range),
            ExprKind::Index { base, index } if matches!(self.static_type(base), Ty::Struct(_)) => {
                if let Some(element) = self.subscripted(base, index, expr.range) {
                    return element;
                }
                let places = [self.place(base), self.place(index)];
                match self.call_operator("operator[]", &places, expr.range) {
                    Some(called) => self.place_of(called, expr),
                    None => {
                        self.lost_access(expr.range, "subscript of an object");
                        Lvalue::Unknown
                    }
                }
            }
            ExprKind::Index { base, index } => {
                let base = self.expr(base);
                let index_value = self.scalar_expr(index);
                match base {
                    Value::Pointer(pointer) => {
                        let index_term = self.integer_of(&index_value, index.range);
                        let moved = self.advance(pointer, index_term, false, expr.range);
                        Lvalue::Memory {
                            targets: moved.targets,
                            ty: moved.element,
                        }
                    }
                    // `2[p]`
                    Value::Term(count) if matches!(index_value, Value::Pointer(_)) => {
                        let Value::Pointer(pointer) = index_value else {
                            return Lvalue::Unknown;
                        };
                        let moved = self.advance(pointer, count, false, expr.range);
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
            ExprKind::Deref(inner) if inner.kind == ExprKind::This => {
                self.this_place().unwrap_or(Lvalue::Unknown)
            }
            ExprKind::Deref(inner) if matches!(self.static_type(inner), Ty::Struct(_)) => {
                let place = self.place(inner);
                match self.call_operator("operator*", &[place], expr.range) {
                    Some(called) => self.place_of(called, expr),
                    None => {
                        self.lost_access(expr.range, "dereference of an object");
                        Lvalue::Unknown
                    }
                }
            }
            ExprKind::Call { callee, args } if args.len() == 1 && self.forwards(callee) => {
                let place = self.place(&args[0]);
                match self.forwarded_type(callee, args) {
                    // What is no `T` is converted to one first.
                    Some(to)
                        if place_type(&place).is_some_and(|ty| matches!(ty, Ty::Scalar(_))) =>
                    {
                        let to = self.resolve(&to);
                        self.bound_to(place, &to, expr.range)
                    }
                    _ => place,
                }
            }
            ExprKind::Call { callee, args } => {
                if let Some(place) = self.referred_by_library(callee, args, expr.range) {
                    return place;
                }
                let called = self.call(callee, args, expr.range);
                match called {
                    Called::Place(place) => place,
                    Called::Value(value) => {
                        let ty = self.static_type(expr);
                        self.temporary(ty, value)
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
            // `threadIdx.x` is no object: a temporary.
            ExprKind::Member { base, field, .. }
                if self.builtin_member(base, &field.base).is_some() =>
            {
                let value = self.expr(expr);
                let ty = self.type_of(&value);
                self.temporary(ty, value)
            }
            ExprKind::Member { base, arrow, field } => {
                let place = self.object_place(base, *arrow, expr.range);
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
                if let Some(value) = self.user_operator("operator,", &[first, second], expr.range) {
                    let ty = self.type_of(&value);
                    return self.temporary(ty, value);
                }
                self.discard(first);
                self.place(second)
            }
            ExprKind::Cast {
                style: CastStyle::Part,
                ty,
                arg,
            } => self.part_place(arg, ty, expr.range),
            ExprKind::Cast { ty, arg, style } => {
                self.refuse_hidden_reference(ty, expr.range);
                let to = self.resolve(ty);
                if !super::call::is_reference(ty) && matches!(to, Ty::Struct(_)) {
                    let own = self.static_type(arg);
                    if let Some(value) = self.made_from_object(arg, &own, &to) {
                        return self.temporary(to, value);
                    }
                }
                let place = self.place(arg);
                let reinterpreted = match &ty.kind {
                    // To a constant of another type, and to a temporary, the value is converted.
                    TypeKind::Reference(inner) => {
                        *style == CastStyle::Reinterpret || !inner.is_const
                    }
                    TypeKind::RvalueReference(_) => *style == CastStyle::Reinterpret,
                    _ => {
                        return match (&place, &to) {
                            (Lvalue::Unknown, _) => place,
                            // `std::pair<long, int>(p)` of a pair of other types.
                            _ if place_type(&place)
                                .is_some_and(|from| are_other_instances(from, &to)) =>
                            {
                                let value = self.read(&place, expr.range);
                                let value = self.convert(value, &to, expr.range);
                                self.temporary(to, value)
                            }
                            (
                                Lvalue::Memory {
                                    ty: Ty::Struct(_), ..
                                }
                                | Lvalue::Variable {
                                    ty: Ty::Struct(_), ..
                                },
                                Ty::Struct(class),
                            ) => self.as_base(place, class),
                            // `(int)x`: a value of its own.
                            _ => {
                                let value = self.read(&place, expr.range);
                                let value = self.convert(value, &to, expr.range);
                                self.temporary(to, value)
                            }
                        };
                    }
                };
                match (place, to) {
                    (
                        place @ (Lvalue::Memory {
                            ty: Ty::Struct(_), ..
                        }
                        | Lvalue::Variable {
                            ty: Ty::Struct(_), ..
                        }),
                        Ty::Struct(class),
                    ) => self.as_base(place, &class),
                    (Lvalue::Unknown, _) => Lvalue::Unknown,
                    (place, to) if place_type(&place) == Some(&to) || is_unknown(&to) => place,
                    // `(int &)x` and the like reinterpret the bytes.
                    (place, to) if reinterpreted => match self.in_bytes(place) {
                        Lvalue::Memory { targets, .. } => Lvalue::Memory { targets, ty: to },
                        _ => {
                            self.lost_access(expr.range, "a cast to a reference");
                            Lvalue::Unknown
                        }
                    },
                    (place, to) => self.bound_to(place, &to, expr.range),
                }
            }
            // Of two types: a value of its own.
            ExprKind::Conditional { then, els, .. }
                if matches!(
                    (self.static_type(then), self.static_type(els)),
                    (Ty::Scalar(a), Ty::Scalar(b)) if a != b
                ) =>
            {
                let ty = self.static_type(expr);
                let value = self.expr(expr);
                self.temporary(ty, value)
            }
            ExprKind::Conditional { cond, then, els } => {
                let condition = self.truth_of(cond);
                let (then, els) = (self.place(then), self.place(els));
                self.one_of_places(condition, then, els, expr.range)
            }
            _ => {
                // A temporary: evaluate it for its effects; nobody else sees it.
                let ty = self.static_type(expr);
                let value = self.expr(expr);
                self.temporary(ty, value)
            }
        }
    }

    /// One of two places, by a condition.
    pub(crate) fn one_of_places(
        &mut self,
        condition: TermId,
        then: Lvalue,
        els: Lvalue,
        range: Range,
    ) -> Lvalue {
        let (then, els) = (self.in_bytes(then), self.in_bytes(els));
        let (
            Lvalue::Memory { targets: a, ty },
            Lvalue::Memory {
                targets: b,
                ty: other,
            },
        ) = (then, els)
        else {
            self.unsupported(
                range,
                "conditional lvalue",
                "its arms are no memory",
                Effect::Access,
            );
            return Lvalue::Unknown;
        };
        let then = Pointer {
            targets: a,
            element: ty,
        };
        let els = Pointer {
            targets: b,
            element: other,
        };
        let (then, els) = self.composite(then, els, range);
        let ty = then.element.clone();
        match self.merge(condition, &Value::Pointer(then), &Value::Pointer(els)) {
            Value::Pointer(pointer) => Lvalue::Memory {
                targets: pointer.targets,
                ty,
            },
            _ => Lvalue::Unknown,
        }
    }

    /// Whether a function of the library gives its argument itself: `std::move`, `std::forward`.
    pub(crate) fn forwards(&self, callee: &Expr) -> bool {
        self.is_of_library(callee, &["move", "forward", "as_const"])
    }

    /// `std::move`
    pub(crate) fn moves(&self, callee: &Expr) -> bool {
        self.is_of_library(callee, &["move"])
    }

    fn is_of_library(&self, callee: &Expr, names: &[&str]) -> bool {
        let ExprKind::Name(name) = &callee.kind else {
            return false;
        };
        if !names.contains(&name.base.as_str()) {
            return false;
        }
        match name.qualifier.as_slice() {
            [] => self.index.functions(&name.base).is_empty(),
            _ => {
                let namespace = self.namespace_of(name);
                let first = namespace.split("::").next();
                matches!(first, Some("std" | "cuda" | "thrust"))
            }
        }
    }

    /// The place that a call gives.
    fn place_of(&mut self, called: Called, expr: &Expr) -> Lvalue {
        match called {
            Called::Place(place) => place,
            Called::Value(value) => {
                let ty = self.static_type(expr);
                self.temporary(ty, value)
            }
        }
    }

    /// The field of the object of the member function that is being lowered.
    pub(crate) fn own_field(&mut self, name: &str, range: Range) -> Option<Lvalue> {
        let this = self.this_place()?;
        let (Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) = &this else {
            return None;
        };
        let Ty::Struct(class) = ty else { return None };
        class.field(name)?;
        Some(self.field_place(this, name, range))
    }

    /// `B::x` in a member function: the field of the part of the object that is a `B`.
    pub(crate) fn own_qualified_field(&mut self, name: &Name) -> Option<Lvalue> {
        if name.qualifier.is_empty() {
            return None;
        }
        let this = self.this_place()?;
        let (Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) = &this else {
            return None;
        };
        let Ty::Struct(whole) = ty.clone() else {
            return None;
        };
        let Some(Ty::Struct(part)) = self.qualifying_class(name) else {
            return None;
        };
        if part != whole && !derives(&whole, &part) {
            return None;
        }
        part.field(&name.base)?;
        let place = self.as_base(this, &part);
        Some(self.field_place(place, &name.base, name.range))
    }

    pub(crate) fn name_place(&mut self, name: &Name) -> Lvalue {
        let local = name.as_simple().and_then(|simple| self.lookup(simple));
        match local.cloned() {
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
            None => {
                if let Some(simple) = name.as_simple()
                    && !self.scope().values.contains_key(simple)
                    && !self.means_outer(name)
                    && let Some(place) = self.own_field(simple, name.range)
                {
                    return place;
                }
                if let Some(place) = self.own_qualified_field(name) {
                    return place;
                }
                if let Some((array, ty)) = self.global_array(name) {
                    return self.whole(array, ty);
                }
                let ty = self.static_type(&Expr {
                    kind: ExprKind::Name(name.clone()),
                    range: name.range,
                });
                self.never_ends(&ty, name.range);
                self.met_undefined = false;
                let value = self.name(name);
                let place = self.temporary(ty, value);
                if let (true, Lvalue::Variable { var, .. }) = (self.met_undefined, &place) {
                    self.undefined.insert(*var);
                }
                place
            }
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

    /// A member of an object; for one that is a reference, what it refers to.
    pub(crate) fn field_place(&mut self, place: Lvalue, field: &str, range: Range) -> Lvalue {
        let slot = self.slot_place(place, field, range);
        self.referred(slot, range)
    }

    /// A member of an object; for one that is a reference, itself.
    pub(crate) fn slot_place(&mut self, place: Lvalue, field: &str, range: Range) -> Lvalue {
        let place = match &place {
            // Members of an object that is held as bytes are bytes of it.
            Lvalue::Variable { ty, .. } if in_memory(ty) => self.in_bytes(place),
            _ => place,
        };
        let ty = match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => {
                self.unsupported(
                    range,
                    "member access",
                    "the object is not understood",
                    Effect::Access,
                );
                return Lvalue::Unknown;
            }
        };
        let Ty::Struct(class) = &ty else {
            let why = match &ty {
                Ty::Opaque { name, .. } if !is_unknown(&ty) => {
                    format!("the class `{name}` is not understood")
                }
                _ => "the class is not understood".to_owned(),
            };
            self.unsupported(range, "member access", &why, Effect::Access);
            return Lvalue::Unknown;
        };
        let Some((field_ty, offset)) = class.field(field) else {
            if let Some(value) = self.static_member(class, field) {
                let ty = self.type_of(&value);
                return self.temporary(ty, value);
            }
            let why = if class.layout().is_none() {
                format!("the class `{}` is not understood", class.name)
            } else {
                format!("`{}` does not declare `{field}`", class.name)
            };
            self.unsupported(range, "member access", &why, Effect::Access);
            return Lvalue::Unknown;
        };
        match place {
            Lvalue::Variable { var, mut path, .. } => {
                path.push(field.to_owned());
                Lvalue::Variable {
                    var,
                    path,
                    ty: field_ty,
                }
            }
            Lvalue::Memory { targets, .. } => {
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
                Lvalue::Memory {
                    targets,
                    ty: field_ty,
                }
            }
            Lvalue::Unknown => Lvalue::Unknown,
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

    /// A value of a type of which nothing is known.
    pub(crate) fn unknown_value(&mut self, ty: &Ty, reason: &str, range: Range) -> Value {
        match ty {
            Ty::Scalar(_) | Ty::Bits(_) | Ty::Opaque { .. } => {
                Value::Term(self.unknown(reason, range, ty.ctype(), true))
            }
            Ty::Pointer(element) => Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element))),
            Ty::Struct(_) if in_memory(ty) => {
                self.bytes_object(ty, std::collections::BTreeMap::new(), range)
            }
            Ty::Struct(class) => {
                let mut fields = Vec::new();
                for (name, field, _) in class.fields() {
                    fields.push((name, self.unknown_value(&field, reason, range)));
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
        if how.kind != AccessKind::Read {
            self.note_written(array, index, ty);
        }
        self.access_of_pointer(array, index, ty, how, value, range)
    }

    /// The same for one of which it is known what it does to pointers in memory.
    pub(crate) fn access_of_pointer(
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
        let index = self.under_guards(index);
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
        self.track_access(array, how.kind, index, range);
        Some(access)
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
            Value::Local(local) => match &local.element {
                class @ Ty::Struct(_) if class.bytes() == local.bytes => class.clone(),
                element => element.clone().pointer_to(),
            },
            Value::Function(_) => Ty::Opaque {
                name: "function".to_owned(),
                bytes: Some(8),
            },
            Value::Struct(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), self.type_of(value), None))
                    .collect();
                match super::types::layout(Vec::new(), fields, false, 1, None, &[]) {
                    Some(layout) => {
                        let class = StructTy::incomplete(super::types::NAMELESS.to_owned(), None);
                        class.set_layout(Some(layout));
                        Ty::Struct(Rc::new(class))
                    }
                    None => unknown_type(),
                }
            }
            Value::Uninitialised | Value::Unknown => unknown_type(),
        }
    }

    /// The array of a `__device__`, `__constant__` or `__managed__` variable, made when first used.
    pub(crate) fn global_array(&mut self, written: &Name) -> Option<(ArrayId, Ty)> {
        let (global, inside) = self.global_meant(written)?;
        let name = global.name.as_str();
        let storage = global.storage;
        if !(storage.device || storage.constant || storage.managed || storage.shared) {
            return None;
        }
        self.refuse_global_reference(global, &inside, written.range);
        // `template <typename T> __constant__ T mask[9];`: an array for each list of arguments.
        let mut described = name.to_owned();
        if let Some(values) = self.arguments_of(written) {
            let args: Vec<String> = values
                .iter()
                .map(|value| self.describe_argument(value))
                .collect();
            described = format!("{name}<{}>", args.join(", "));
        }
        let name = described.as_str();
        let ty = self.within(inside, |me| me.resolve(&global.ty));
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
        if space == Space::Global && !self.begins_with_zeros(global, &ty) {
            self.initialised.insert(array);
        }
        if let Some((element, values)) = self.initialisers(global, &ty) {
            self.constants.insert(array, (element, Rc::new(values)));
        }
        Some((array, ty))
    }

    /// All `extern __shared__` arrays start at the same address.
    pub(crate) fn share_dynamic(&mut self, array: ArrayId) {
        let storage = *self.dynamic_shared.get_or_insert(array);
        self.facts.relations.array[array.index()].storage = storage;
        self.facts.relations.array[array.index()].bytes = None;
    }
}

/// Whether both are classes of the library that are made from their members, and not the same: one is converted to the other, as
/// `std::pair<int, int>` to `std::pair<long, int>`.
pub(crate) fn are_other_instances(from: &Ty, to: &Ty) -> bool {
    use super::library::types::converts;
    from != to && converts(from) && converts(to)
}

/// The type of what lies at a place.
fn place_type(place: &Lvalue) -> Option<&Ty> {
    match place {
        Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => Some(ty),
        Lvalue::Unknown => None,
    }
}

/// Whether an access of a type at the beginning of a variable is one to all of it: not to the only member of an object.
fn is_whole(declared: &Ty, ty: &Ty) -> bool {
    let is_object = |ty: &Ty| matches!(ty, Ty::Struct(_));
    declared.bytes() == ty.bytes() && (is_object(ty) || !is_object(declared))
}
