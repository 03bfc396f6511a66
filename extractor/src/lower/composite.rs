//! What two pointers to classes become that meet: compared, subtracted, or the arms of `c ? p : q`.
//!
//! The pointer to the derived class becomes one to its base, which may lie elsewhere in the object (C++17 8 \[expr\]).

use super::body::Lowerer;
use super::objects::base_offset;
use super::types::Ty;
use super::value::{Base, Pointer, Value};
use crate::syntax::ast::Range;

impl Lowerer<'_, '_> {
    /// Two pointers as pointers to one class. Where neither is known to be a base of the other, the second is not known.
    pub(crate) fn composite(
        &mut self,
        first: Pointer,
        second: Pointer,
        range: Range,
    ) -> (Pointer, Pointer) {
        match is_derived(&first.element, &second.element) {
            Some(true) => {
                let first = self.pointer_to_base(first, &second.element, range);
                (first, second)
            }
            Some(false) => {
                let second = self.pointer_to_base(second, &first.element, range);
                (first, second)
            }
            None if are_classes(&first.element, &second.element)
                && first.element != second.element =>
            {
                let second = self.pointer(Base::Unknown, second.element);
                (first, second)
            }
            None => (first, second),
        }
    }

    fn pointer_to_base(&mut self, pointer: Pointer, base: &Ty, range: Range) -> Pointer {
        let ty = base.clone().pointer_to();
        match self.convert(Value::Pointer(pointer), &ty, range) {
            Value::Pointer(pointer) => pointer,
            _ => self.pointer(Base::Unknown, base.clone()),
        }
    }
}

fn are_classes(first: &Ty, second: &Ty) -> bool {
    matches!((first, second), (Ty::Struct(_), Ty::Struct(_)))
}

/// Whether the first of two different classes derives from the second, or the second from the first.
pub(crate) fn is_derived(first: &Ty, second: &Ty) -> Option<bool> {
    let (Ty::Struct(a), Ty::Struct(b)) = (first, second) else {
        return None;
    };
    if a == b {
        return None;
    }
    let derived = base_offset(a, b).is_some();
    (derived || base_offset(b, a).is_some()).then_some(derived)
}
