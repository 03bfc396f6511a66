//! Copies of objects: initialisation, results, assignment, and operators that take objects by value.
//!
//! A copy is made by the constructor that C++ chooses, or by the one that C++ declares itself: bases and members one by one.
//! Whether it copies or moves depends on what is known of the object ([`Category`], [`Qualified`]).

use std::rc::Rc;

use super::super::body::{Binding, Lowerer};
use super::super::call::{Called, Passed, is_reference};
use super::super::constness::{Argument, Category, Qualified};
use super::super::derived::derives;
use super::super::overload::{Chosen, Found};
use super::super::types::{Extent, StructTy, Ty};
use super::super::typing::is_unknown;
use super::super::unit::last_component;
use super::super::value::*;
use super::{MAX_ELEMENTS, may_take_anything};
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// The value of an object that an expression initialises: copied, moved, converted, or made in place.
    pub(crate) fn initialised(&mut self, expr: &Expr, ty: &Ty) -> Value {
        let class = match ty {
            Ty::Struct(class) if self.special(ty).any() => Rc::clone(class),
            _ => return self.expr_as(expr, ty),
        };
        if let ExprKind::InitList(items) = &expr.kind {
            return self.construct_value(ty, items, expr.range);
        }
        let mut own = self.static_type(expr);
        if is_unknown(&own) {
            own = self.tried_type(expr);
        }
        match &own {
            Ty::Struct(from) if own == *ty || derives(from, &class) => {
                let known = self.category(expr);
                match self.object_operand(expr) {
                    Called::Value(value) if own == *ty => value,
                    Called::Value(value) => {
                        let whole = self.temporary(own, value);
                        let part = self.as_base(whole, &class);
                        self.copied(&class, part, known, expr.range)
                    }
                    Called::Place(place) => {
                        let part = self.as_base(place, &class);
                        self.copied(&class, part, known, expr.range)
                    }
                }
            }
            Ty::Struct(from) => {
                if self.has_conversions(from) {
                    self.lost_object(expr.range, "how it is converted is not known");
                    return self.unknown_value(ty, "object that is converted", expr.range);
                }
                self.construct_value(ty, std::slice::from_ref(expr), expr.range)
            }
            _ if is_unknown(&own) => {
                self.lost_object(expr.range, "what initialises it is not known");
                self.unknown_value(ty, "object whose initialiser is not known", expr.range)
            }
            _ => self.expr_as(expr, ty),
        }
    }

    /// A new object that is made from one at a place, by the constructor that C++ chooses.
    pub(crate) fn copied(
        &mut self,
        class: &Rc<StructTy>,
        from: Lvalue,
        known: (Category, Qualified),
        range: Range,
    ) -> Value {
        let ty = Ty::Struct(Rc::clone(class));
        if !self.special_class(class).copies {
            return self.read_object(&from, range);
        }
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            self.lost_object(range, "its class is not understood");
            return Value::Unknown;
        };
        let simple = last_component(&record.name);
        let constructors = self.index.methods(&record.name, simple);
        let own: Vec<&Function> = constructors
            .iter()
            .copied()
            .filter(|one| self.takes_itself(one, simple))
            .collect();
        let (bodies, others): (Vec<&Function>, Vec<&Function>) =
            own.iter().partition(|one| one.body.is_some());
        // One without a body is defined elsewhere, is that of C++, or there is none.
        let is_mixed = !bodies.is_empty() && others.iter().any(|one| self.is_default(one));
        let is_open = record.kind == StructKind::Union
            || constructors.iter().any(|one| may_take_anything(one))
            || is_mixed && known.0 != Category::Place;
        if is_open {
            self.lost_object(range, "which constructor copies it is not known");
            return self.unknown_value(&ty, "copy of an object", range);
        }
        let before = self.birth();
        if !own.is_empty() {
            let given = [Argument::known(ty.clone(), known)];
            let name = Name::simple(simple, range);
            match self.resolve_method(class, &name, Some(false), &given) {
                Found::One(found) => {
                    let place = self.constructed(&ty, Value::Uninitialised, range);
                    let passed = match found.function.params.first() {
                        Some(param) if is_reference(&param.ty) => Passed::Place(from),
                        _ => {
                            self.lost_object(range, "which constructor copies it is not known");
                            return self.unknown_value(&ty, "copy of an object", range);
                        }
                    };
                    self.inline_passed(&found, Some(place.clone()), vec![passed], range);
                    let value = self.read_object(&place, range);
                    self.keeps_nothing_since(before, &value, range);
                    return value;
                }
                Found::Prototype(found) if self.is_default(found.function) => {}
                _ => {
                    self.lost_object(range, "which constructor copies it is not known");
                    return self.unknown_value(&ty, "copy of an object", range);
                }
            }
        }
        // The constructor of C++: bases and members one by one. It moves them if it is one that moves, which a class has that
        // declares no copy, no assignment and no destructor.
        let declares = |name: &str| !self.index.methods(&record.name, name).is_empty();
        let moves = own.is_empty() && !declares("operator=") && !declares(&format!("~{simple}"));
        let part_known = match known {
            (Category::Temporary, qualified) if moves && qualified.object == Some(false) => known,
            (Category::Place, _) => (
                Category::Place,
                Qualified {
                    object: Some(true),
                    pointee: None,
                },
            ),
            _ => (Category::Unknown, Qualified::default()),
        };
        let place = self.constructed(&ty, Value::Uninitialised, range);
        // Members of references and bits, and what has no name, are copied with the rest.
        let bytes = self.read_object(&from, range);
        self.write(&place, bytes, range);
        for (base, _) in &layout.bases {
            if let Ty::Struct(inner) = base
                && self.special(base).copies
            {
                let part = self.as_base(from.clone(), inner);
                let value = self.copied(inner, part, part_known, range);
                let to = self.as_base(place.clone(), inner);
                self.assign_parts(&to, &value, inner, range);
            }
        }
        let scope = self.class_scope(class);
        for (name, field, _) in layout.own_fields() {
            if !self.special(field).copies {
                continue;
            }
            let declared = record.fields.iter().find(|one| one.name == *name);
            if name.is_empty() || declared.is_none_or(|one| one.storage.mutable) {
                self.lost_object(range, "a member that is no plain object is copied");
                continue;
            }
            let constant =
                declared.map(|one| self.within(scope.clone(), |me| me.qualified(&one.ty)));
            let mut part_known = part_known;
            if part_known.0 == Category::Temporary
                && constant.is_none_or(|qualified| qualified.object != Some(false))
            {
                part_known = (Category::Unknown, Qualified::default());
            }
            let part = self.field_place(from.clone(), name, range);
            let to = self.field_place(place.clone(), name, range);
            self.copy_part(part, to, field, part_known, range);
        }
        let value = self.read_object(&place, range);
        self.keeps_nothing_since(before, &value, range);
        value
    }

    /// Copies a member, or the elements of one.
    fn copy_part(
        &mut self,
        from: Lvalue,
        to: Lvalue,
        ty: &Ty,
        known: (Category, Qualified),
        range: Range,
    ) {
        match ty {
            Ty::Struct(class) => {
                let value = self.copied(class, from, known, range);
                self.write(&to, value, range);
            }
            Ty::Array(element, Extent::Constant(count)) if *count <= MAX_ELEMENTS => {
                for index in 0..*count {
                    let one = self.element_place(from.clone(), element, index);
                    let other = self.element_place(to.clone(), element, index);
                    self.copy_part(one, other, element, known, range);
                }
            }
            _ => self.lost_object(range, "it has too many elements to copy"),
        }
    }

    /// `a = b` by the assignment that C++ declares itself: what it copies are bytes, as classes whose members have an
    /// assignment of their own are refused.
    pub(super) fn assign_object(&mut self, lhs: &Expr, rhs: &Expr, range: Range) -> Lvalue {
        let ty = self.static_type(lhs);
        let declares = match &ty {
            Ty::Struct(class) => self.assigns_specially(class),
            _ => true,
        };
        if declares {
            self.lost_object(range, "which assignment is meant is not known");
            return Lvalue::Unknown;
        }
        let from = if self.static_type(rhs) == ty {
            self.place(rhs)
        } else {
            let value = self.initialised(rhs, &ty);
            self.temporary(ty, value)
        };
        let value = self.read_object(&from, range);
        let place = self.place(lhs);
        self.write(&place, value, range);
        place
    }

    /// A call of an operator that takes objects by value: they are copied, or made in place.
    pub(crate) fn call_operator_by_value(
        &mut self,
        found: &Chosen<'u>,
        operands: &[&Expr],
        range: Range,
    ) -> Option<Called> {
        let function = found.function;
        let is_member = function.owner.is_some() && !function.quals.friend;
        let of_operands = operands.get(usize::from(is_member)..)?;
        let types: Vec<Ty> = self.within(found.scope.clone(), |me| {
            let params = function.params.iter();
            params.map(|param| me.resolve(&param.ty)).collect()
        });
        let takes_object =
            |(param, ty): (&Param, &Ty)| !is_reference(&param.ty) && self.special(ty).any();
        if !function.params.iter().zip(&types).any(takes_object) {
            return None;
        }
        let this = match operands.first() {
            Some(first) if is_member => {
                let place = self.place(first);
                Some(self.as_owner(place, found))
            }
            _ => None,
        };
        let mut passed = Vec::new();
        for ((param, ty), operand) in function.params.iter().zip(&types).zip(of_operands) {
            passed.push(if is_reference(&param.ty) {
                Passed::Place(self.place(operand))
            } else if self.special(ty).any() {
                Passed::Value(self.initialised(operand, ty))
            } else {
                let place = self.place(operand);
                Passed::Value(self.read(&place, range))
            });
        }
        Some(self.inline_passed(found, this, passed, range))
    }

    /// What `return` of an object gives: a copy, or what is made in place.
    pub(crate) fn returned(&mut self, expr: &Expr, ty: &Ty) -> Value {
        let name = match &expr.kind {
            ExprKind::Name(name) => name.as_simple(),
            _ => None,
        };
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        let local = name.and_then(|name| {
            (bottom..self.scopes.len())
                .rev()
                .find_map(|at| Some((at, self.scopes[at].get(name)?.clone())))
        });
        if let (Some((at, Binding::Variable(_))), true) = (local, self.special(ty).any())
            && at > bottom
            && matches!(self.static_type(expr), Ty::Struct(_))
        {
            // Of a parameter it would be a move; whether that of a local is left out is up to the compiler.
            let why = "whether the copy of a local variable for a result is left out is up to the compiler";
            self.lost_object(expr.range, why);
            let place = self.place(expr);
            return self.read_object(&place, expr.range);
        }
        self.initialised(expr, ty)
    }
}
