//! What a write of a whole object stores, scalar by scalar: `o[t] = make_int2(t, 0);` stores t and 0.
//!
//! So two threads that store equal objects are told from two that do not. An object whose bytes are not each one scalar (a
//! union, bit-fields, a table of virtual functions) has no parts: it is one unknown value.

use warplog_facts::*;

use super::body::Lowerer;
use super::objects::{in_memory, leaves};
use super::types::Ty;
use super::value::*;
use super::virtuals::has_table;
use crate::syntax::ast::Range;

/// Most scalars of an object that are told one by one.
const MAX_PARTS: usize = 32;

/// A scalar of an object: the byte that it begins at, its size and its value.
pub(crate) struct Part {
    start: u64,
    bytes: u64,
    value: TermId,
}

impl Lowerer<'_, '_> {
    /// The scalars of a value that is stored as one object; none for a scalar, and where they cannot be told.
    pub(crate) fn stored_parts(&mut self, ty: &Ty, value: &Value, range: Range) -> Vec<Part> {
        if !matches!(ty, Ty::Struct(_)) || !is_told(ty) {
            return Vec::new();
        }
        let mut found = Vec::new();
        if is_of_scalars(&leaves(ty))
            && self
                .collect_parts(ty, value, 0, &mut found, range)
                .is_some()
        {
            found
        } else {
            Vec::new()
        }
    }

    /// Remembers what a write stores.
    pub(crate) fn note_parts(&mut self, access: Option<AccessId>, parts: Vec<Part>) {
        let Some(access) = access else { return };
        for part in parts {
            let (Ok(start), Ok(bytes)) = (u32::try_from(part.start), u32::try_from(part.bytes))
            else {
                continue;
            };
            self.facts.relations.stored_part.push(StoredPartRow {
                access,
                start,
                bytes,
                value: part.value,
            });
        }
    }

    fn collect_parts(
        &mut self,
        ty: &Ty,
        value: &Value,
        at: u64,
        found: &mut Vec<Part>,
        range: Range,
    ) -> Option<()> {
        match (ty, value) {
            (Ty::Struct(class), Value::Struct(fields)) if !in_memory(ty) => {
                for (name, field, start) in class.fields() {
                    let (_, value) = fields.iter().find(|(other, _)| *other == name)?;
                    self.collect_parts(&field, value, at + start, found, range)?;
                }
                Some(())
            }
            (Ty::Struct(_) | Ty::Array(..), Value::Local(local)) => {
                for (start, leaf) in leaves(ty)? {
                    let value = local.known.get(&i128::from(start));
                    let value = value.unwrap_or(&Value::Uninitialised);
                    self.collect_parts(&leaf, value, at + start, found, range)?;
                }
                Some(())
            }
            (Ty::Struct(_) | Ty::Array(..) | Ty::Void | Ty::Bits(_), _) => None,
            (scalar, value) => {
                let value = match value {
                    Value::Term(term) if self.facts.terms.ty(*term) == scalar.ctype() => *term,
                    _ => self.untold_part(scalar, range),
                };
                let bytes = scalar.bytes()?;
                found.push(Part {
                    start: at,
                    bytes,
                    value,
                });
                Some(())
            }
        }
    }

    /// A value of which nothing is known, so that two stores of it may or may not be equal.
    pub(crate) fn untold(&mut self, ty: &Ty, range: Range) -> Option<TermId> {
        let reason = match ty {
            Ty::Pointer(_) => "pointer that is stored",
            Ty::Struct(_) => "stored object, whose members are not compared",
            _ => "stored bytes, which are not compared",
        };
        ty.bytes()?;
        Some(self.unknown(reason, range, CType::Opaque, true))
    }

    /// A member of which nothing is known: a pointer, or one that nothing was stored in.
    fn untold_part(&mut self, scalar: &Ty, range: Range) -> TermId {
        let reason = match scalar {
            Ty::Pointer(_) => "pointer in an object that is stored",
            _ => "member of an object that is stored",
        };
        self.unknown(reason, range, scalar.ctype(), true)
    }
}

/// Whether the scalars of an object are all that it has, each with bytes of its own.
fn is_of_scalars(leaves: &Option<Vec<(u64, Ty)>>) -> bool {
    leaves
        .as_ref()
        .is_some_and(|leaves| !leaves.is_empty() && leaves.len() <= MAX_PARTS)
}

/// Whether a type has no member that shares a number with others, and no table of functions.
fn is_told(ty: &Ty) -> bool {
    match ty {
        Ty::Struct(class) => {
            let fields = class.fields();
            class.layout().is_some()
                && !has_table(ty)
                && fields.iter().all(|(_, field, _)| is_told(field))
        }
        Ty::Array(element, _) => is_told(element),
        Ty::Bits(_) => false,
        _ => true,
    }
}
