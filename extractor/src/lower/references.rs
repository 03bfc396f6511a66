//! Members that are references.
//!
//! The slot of such a member has a type of its own, of which values are not read as numbers or pointers. What a constructor or a
//! list in braces binds to it is kept there as the pointer to the place; any other use of the member means that place.
//!
//! **Contract.** A slot whose value is not such a pointer, as what came from memory, is refused.

use std::rc::Rc;

use warplog_facts::words::*;

use super::body::Lowerer;
use super::types::{StructTy, Ty};
use super::value::*;
use crate::syntax::ast::*;

const SLOT: &str = "reference member";

/// The type of the slot: as wide as a pointer, which nobody sees.
pub(super) fn slot_type() -> Ty {
    Ty::Opaque {
        name: SLOT.to_owned(),
        bytes: Some(8),
    }
}

pub(super) fn is_slot(ty: &Ty) -> bool {
    matches!(ty, Ty::Opaque { name, .. } if name == SLOT)
}

impl Lowerer<'_, '_> {
    /// What a member refers to, if it is a reference: its type.
    pub(super) fn referent(&mut self, class: &Rc<StructTy>, field: &str) -> Option<Ty> {
        let (ty, _) = class.field(field)?;
        if !is_slot(&ty) {
            return None;
        }
        let record = self.record(class)?;
        let declared = record.fields.iter().find(|one| one.name == field);
        if let Some(declared) = declared {
            let scope = self.class_scope(class);
            return Some(self.within(scope, |me| me.resolve(&declared.ty)));
        }
        let bases = class.layout()?.bases.clone();
        bases.iter().rev().find_map(|(base, _)| match base {
            Ty::Struct(base) => self.referent(base, field),
            _ => None,
        })
    }

    /// What stands in the slot of a member of this type that is initialised.
    pub(super) fn bound_member(&mut self, init: &Init, referent: &Ty, range: Range) -> Value {
        let expr = match init {
            Init::Expr(expr) => Some(expr),
            Init::Call(args) => match &args[..] {
                [one] => Some(one),
                _ => None,
            },
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) => match &items[..] {
                [one] => Some(one),
                _ => None,
            },
            Init::List(_) | Init::None => None,
        };
        let Some(expr) = expr.filter(|expr| !matches!(expr.kind, ExprKind::InitList(_))) else {
            self.refuse_reference(range);
            return Value::Unknown;
        };
        let place = self.place(expr);
        let place = self.bound_to(place, referent, range);
        match self.address_of_place(place, expr.range) {
            pointer @ Value::Pointer(_) => pointer,
            _ => {
                self.refuse_reference(range);
                Value::Unknown
            }
        }
    }

    /// What a member refers to, of which the slot is given; any other member itself.
    pub(super) fn referred(&mut self, slot: Lvalue, range: Range) -> Lvalue {
        let (Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) = &slot else {
            return slot;
        };
        if !is_slot(ty) {
            return slot;
        }
        if matches!(slot, Lvalue::Variable { .. })
            && let Value::Pointer(pointer) = self.read(&slot, range)
        {
            return Lvalue::Memory {
                targets: pointer.targets,
                ty: pointer.element,
            };
        }
        self.refuse_reference(range);
        Lvalue::Unknown
    }

    /// Whether a member is a reference that something initialises which is not followed, which is reported.
    pub(super) fn refuses_reference(&mut self, ty: &Ty, range: Range) -> bool {
        let refuses = is_slot(ty);
        if refuses {
            self.refuse_reference(range);
        }
        refuses
    }

    fn refuse_reference(&mut self, range: Range) {
        let why = "what a member refers to is not known";
        self.unsupported(range, "member access", why, Effect::Control);
    }
}
