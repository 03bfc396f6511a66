//! Arrays whose elements are known: constant ones of the unit, and those of a thread.

use warplog_facts::*;

use super::body::Lowerer;
use super::objects::leaves;
use super::types::{Extent, Ty, TypeScope};
use super::value::{LocalArray, Value};
use crate::syntax::ast::*;

/// Most elements of an array that are kept, and most of those that are told apart at a place that varies.
const MAX_ELEMENTS: usize = 4096;
const MAX_CHOICES: usize = 16;

impl Lowerer<'_, '_> {
    /// The element at an offset of an array that nothing changes: one of its initialisers.
    pub(super) fn constant_element(
        &mut self,
        array: ArrayId,
        offset: TermId,
        ty: CType,
    ) -> Option<TermId> {
        let (element, values) = self.constants.get(&array)?.clone();
        let bytes = i128::from(element.bits()? / 8);
        if element != ty {
            return None;
        }
        if let Some(offset) = self.facts.terms.as_const(offset) {
            let index = usize::try_from(offset / bytes).ok()?;
            let value = *values.get(index).filter(|_| offset % bytes == 0)?;
            return Some(self.facts.terms.constant(value, ty));
        }
        if values.len() > MAX_CHOICES {
            return None;
        }
        let constants = values
            .iter()
            .map(|value| self.facts.terms.constant(*value, ty));
        let elements: Vec<TermId> = constants.collect();
        self.one_of(&elements, bytes, offset)
    }

    /// The number of a local array at a place that varies: one of those that it holds.
    pub(super) fn one_of_numbers(
        &mut self,
        declared: &Ty,
        local: &LocalArray,
        offset: TermId,
        ty: CType,
    ) -> Option<TermId> {
        let bytes = i128::from(ty.bits()? / 8);
        let slots = leaves(declared)?;
        if slots.is_empty() || slots.len() > MAX_CHOICES {
            return None;
        }
        let mut elements = Vec::with_capacity(slots.len());
        for (index, (at, leaf)) in slots.into_iter().enumerate() {
            let at = i128::from(at);
            if leaf != Ty::Scalar(ty) || at != index as i128 * bytes {
                return None;
            }
            match local.known.get(&at)? {
                Value::Term(term) if self.facts.terms.ty(*term) == ty => elements.push(*term),
                _ => return None,
            }
        }
        self.one_of(&elements, bytes, offset)
    }

    /// The element that stands at an offset.
    fn one_of(&mut self, elements: &[TermId], bytes: i128, offset: TermId) -> Option<TermId> {
        let (last, others) = elements.split_last()?;
        let mut found = *last;
        for (index, &value) in others.iter().enumerate().rev() {
            let at = self.facts.terms.constant(index as i128 * bytes, CType::I64);
            let here = self.facts.terms.binary(Op::Eq, CType::Bool, offset, at);
            found = self.facts.terms.ite(here, value, found);
        }
        Some(found)
    }

    /// The initialisers of a constant array of numbers.
    pub(super) fn initialisers(&mut self, global: &VarDecl, ty: &Ty) -> Option<(CType, Vec<i128>)> {
        let Ty::Array(element, extent) = ty else {
            return None;
        };
        let TypeKind::Array(written, _) = &global.ty.kind else {
            return None;
        };
        let is_const = global.ty.is_const || written.is_const || global.storage.constexpr;
        let (Ty::Scalar(ctype), true) = (&**element, is_const && global.template.is_empty()) else {
            return None;
        };
        let (Init::Expr(list) | Init::List(list)) = &global.init else {
            return None;
        };
        let ExprKind::InitList(items) = &list.kind else {
            return None;
        };
        let count = match extent {
            Extent::Constant(count) => usize::try_from(*count).ok()?,
            _ => items.len(),
        };
        if !ctype.is_integer()
            || global.ty.is_volatile
            || written.is_volatile
            || *ctype == CType::Bool
            || !(items.len()..=MAX_ELEMENTS).contains(&count)
        {
            return None;
        }
        let inside = TypeScope {
            path: super::unit::enclosing(&global.name).to_owned(),
            ..TypeScope::default()
        };
        let mut values = Vec::with_capacity(count);
        for item in items {
            let value = self.within(inside.clone(), |me| me.expr(item));
            let Value::Term(term) = value else {
                return None;
            };
            let value = self.facts.terms.as_const(term)?;
            values.push(ctype.wrap(value));
        }
        values.resize(count, 0);
        Some((*ctype, values))
    }
}
