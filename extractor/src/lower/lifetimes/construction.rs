//! Construction of objects: their bases and members before the body of a constructor, and the elements of arrays.

use std::rc::Rc;

use super::super::body::Lowerer;
use super::super::types::{Extent, StructTy, Ty};
use super::super::value::*;
use super::MAX_ELEMENTS;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// What a constructor does before its body; gives the statements of that.
    pub(crate) fn construct_before<'b>(&mut self, body: &'b Block, range: Range) -> &'b [Stmt] {
        let written = body
            .stmts
            .iter()
            .take_while(|stmt| matches!(stmt.kind, StmtKind::MemberInit { .. }))
            .count();
        let (written, rest) = body.stmts.split_at(written);
        match (self.scope().class, self.this_place()) {
            (Some(class), Some(place)) => self.construct_parts(&place, &class, written, range),
            _ => written.iter().for_each(|stmt| self.stmt(stmt)),
        }
        rest
    }

    /// Constructs the bases and members of an object in the order of their declaration, in whatever order their
    /// initialisers are written; those that have none by what the class says.
    pub(crate) fn construct_parts(
        &mut self,
        place: &Lvalue,
        class: &Rc<StructTy>,
        written: &[Stmt],
        range: Range,
    ) {
        enum Part<'a> {
            Written(&'a Stmt),
            Base(&'a Ty),
            Field(&'a VarDecl, Ty),
        }
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            return written.iter().for_each(|stmt| self.stmt(stmt));
        };
        let mut listed: Vec<&str> = Vec::new();
        let mut listed_bases: Vec<Ty> = Vec::new();
        let mut parts: Vec<((usize, usize), Part<'_>)> = Vec::new();
        for stmt in written {
            let StmtKind::MemberInit { member, .. } = &stmt.kind else {
                continue;
            };
            let position = layout
                .fields
                .iter()
                .rposition(|(name, ..)| *name == member.base);
            if let (Some(position), Some(simple)) = (position, member.as_simple()) {
                listed.push(simple);
                parts.push(((position + 1, 0), Part::Written(stmt)));
                continue;
            }
            let base = self.named_type(member);
            if matches!(&base, Ty::Struct(base) if base == class) {
                // Another constructor does all of it.
                return written.iter().for_each(|stmt| self.stmt(stmt));
            }
            let position = layout.bases.iter().position(|(known, _)| *known == base);
            parts.push(((0, position.map_or(0, |at| at + 1)), Part::Written(stmt)));
            listed_bases.push(base);
        }
        for (position, (base, _)) in layout.bases.iter().enumerate() {
            if !listed_bases.contains(base) {
                parts.push(((0, position + 1), Part::Base(base)));
            }
        }
        for field in &record.fields {
            let position = layout
                .fields
                .iter()
                .rposition(|(name, ..)| *name == field.name);
            if let Some(position) = position
                && !listed.contains(&field.name.as_str())
            {
                let ty = layout.fields[position].1.clone();
                parts.push(((position + 1, 0), Part::Field(field, ty)));
            }
        }
        parts.sort_by_key(|(key, _)| *key);
        for (_, part) in parts {
            match part {
                Part::Written(stmt) => self.stmt(stmt),
                Part::Base(base) => {
                    let Ty::Struct(inner) = base else { continue };
                    let value = self.full_expression(None, |me| me.default_value(base, range));
                    if value != Value::Uninitialised {
                        let part = self.as_base(place.clone(), inner);
                        self.assign_parts(&part, &value, inner, range);
                    }
                }
                Part::Field(field, ty) => self.construct_field(place, class, field, &ty, range),
            }
        }
    }

    /// A member that its class initialises, or that a constructor without arguments makes.
    fn construct_field(
        &mut self,
        place: &Lvalue,
        class: &Rc<StructTy>,
        field: &VarDecl,
        ty: &Ty,
        range: Range,
    ) {
        if let (Init::None, Ty::Array(..), Ty::Struct(inner)) = (&field.init, ty, ty.innermost()) {
            if self.constructs(inner) {
                let part = self.field_place(place.clone(), &field.name, range);
                if !self.construct_elements(&part, ty, range) {
                    self.lost_object(range, "it has too many elements to construct");
                }
            }
            return;
        }
        if field.init != Init::None && self.refuses_reference(ty, range) {
            return;
        }
        let value = match &field.init {
            Init::None => self.full_expression(None, |me| me.default_value(ty, range)),
            init => {
                let scope = self.class_scope(class);
                self.within(scope, |me| {
                    if let Some(call) = me.calls.last_mut() {
                        call.this = Some(place.clone());
                        call.constant_this = Some(false);
                    }
                    me.full_expression(None, |me| me.initial(ty, init, range))
                })
            }
        };
        if value != Value::Uninitialised {
            let part = self.field_place(place.clone(), &field.name, range);
            self.write(&part, value, range);
        }
    }

    /// Makes the elements of an array by the constructor that takes nothing; whether they are few enough.
    pub(crate) fn construct_elements(&mut self, place: &Lvalue, ty: &Ty, range: Range) -> bool {
        let Ty::Array(element, Extent::Constant(count)) = ty else {
            let value = self.full_expression(None, |me| me.default_value(ty, range));
            if value != Value::Uninitialised {
                self.write(place, value, range);
            }
            return true;
        };
        *count <= MAX_ELEMENTS
            && (0..*count).all(|index| {
                let place = self.element_place(place.clone(), element, index);
                self.construct_elements(&place, element, range)
            })
    }

    /// An element of an array object.
    pub(super) fn element_place(&mut self, place: Lvalue, element: &Ty, index: u64) -> Lvalue {
        let Some(bytes) = element.bytes() else {
            return Lvalue::Unknown;
        };
        let Lvalue::Memory { targets, .. } = self.in_bytes(place) else {
            return Lvalue::Unknown;
        };
        Lvalue::Memory {
            targets: self.moved_by(targets, i128::from(index * bytes)),
            ty: element.clone(),
        }
    }
}
