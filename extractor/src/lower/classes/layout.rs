//! Layouts of classes: offsets of members and bases, sizes and alignments.

use std::rc::Rc;

use super::super::body::Lowerer;
use super::super::call::is_reference;
use super::super::hidden::Refers;
use super::super::types::{self, ClassTy, StructTy, Ty, TypeScope};
use super::super::value::*;
use super::MAX_DEPTH;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    pub(super) fn layout_of(
        &mut self,
        record: &'u Struct,
        class: &Rc<StructTy>,
        mut scope: TypeScope,
    ) -> Option<types::Layout> {
        if record.opaque_layout.is_some() {
            return None;
        }
        scope.class = Some(Rc::clone(class));
        let (bases, fields, align, widths) = self.within(scope, |me| {
            let fields = record.fields.iter();
            let refers: Vec<Refers> = fields.map(|field| me.refers_as(&field.ty)).collect();
            let is_unknown = |(field, refers): (&VarDecl, &Refers)| {
                *refers == Refers::Unknown && !is_reference(&field.ty)
            };
            if record.fields.iter().zip(&refers).any(is_unknown) {
                return None;
            }
            let bases: Vec<Ty> = record.bases.iter().map(|base| me.resolve(base)).collect();
            let widths: Vec<Value> = record
                .bits
                .iter()
                .map(|bits| me.expr(&bits.width))
                .collect();
            let mut fields: Vec<(String, Ty, Option<usize>)> = record
                .fields
                .iter()
                .enumerate()
                .map(|(position, field)| {
                    let ty = match refers[position] {
                        Refers::No => me.resolve(&field.ty),
                        _ => super::super::references::slot_type(),
                    };
                    let mut widths = record.bits.iter();
                    let width = widths.position(|bits| bits.named && bits.before == position);
                    (field.name.clone(), ty, width)
                })
                .collect();
            // Those without a name take room only; from the back, as positions count the others.
            for (number, bits) in record.bits.iter().enumerate().rev() {
                if !bits.named {
                    let ty = me.resolve(&bits.ty);
                    fields.insert(
                        bits.before.min(fields.len()),
                        (String::new(), ty, Some(number)),
                    );
                }
            }
            let align: Vec<Value> = record.align.iter().map(|align| me.expr(align)).collect();
            Some((bases, fields, align, widths))
        })?;
        let fields: Vec<(String, Ty, Option<u64>)> = fields
            .into_iter()
            .map(|(name, ty, width)| {
                let width = match width.map(|number| &widths[number]) {
                    None => None,
                    Some(Value::Term(term)) => {
                        Some(u64::try_from(self.facts.terms.as_const(*term)?).ok()?)
                    }
                    Some(_) => return None,
                };
                Some((name, ty, width))
            })
            .collect::<Option<_>>()?;
        let mut widest = 1;
        for value in align {
            let Value::Term(term) = value else {
                return None;
            };
            let align = u64::try_from(self.facts.terms.as_const(term)?).ok()?;
            if !align.is_power_of_two() {
                return None;
            }
            widest = widest.max(align);
        }
        let mut aligns = self.alignments(record, class, &fields)?;
        let special =
            |ty: &Ty| matches!(ty.innermost(), Ty::Struct(inner) if self.assigns_specially(inner));
        if fields.iter().any(|(_, ty, _)| special(ty)) || bases.iter().any(special) {
            let text = format!(
                "class `{}`: a member has an assignment of its own",
                class.name
            );
            self.doubts.insert(record.range, text);
        }
        let mut fields = fields;
        if super::super::virtuals::begins_with_table(record, &bases)? {
            fields.insert(0, super::super::virtuals::table_field());
            aligns.insert(0, None);
        }
        // The members of an anonymous struct or union are members of the class around it.
        let mut layout = types::layout(
            bases,
            fields,
            record.kind == StructKind::Union,
            widest,
            record.packed,
            &aligns,
        )?;
        let mut at = 0;
        while at < layout.fields.len() {
            let (name, ty, offset) = layout.fields[at].clone();
            if let (true, Ty::Struct(inner)) = (name.is_empty(), &ty) {
                let inner = inner.layout()?;
                layout.in_memory = true;
                let members = inner
                    .fields
                    .iter()
                    .map(|(name, ty, start)| (name.clone(), ty.clone(), offset + start));
                layout.fields.splice(at..=at, members);
            } else {
                at += 1;
            }
        }
        Some(layout)
    }

    /// The alignments of members that their types do not tell, in the order of `fields`: asked for at the member, or by a
    /// typedef. `None` where that is not known.
    pub(super) fn alignments(
        &mut self,
        record: &'u Struct,
        class: &Rc<StructTy>,
        fields: &[(String, Ty, Option<u64>)],
    ) -> Option<Vec<Option<u64>>> {
        let mut aligns = vec![None; fields.len()];
        let index = self.index;
        let bare = |ty: &'u Type| {
            let mut ty = ty;
            while let TypeKind::Array(of, _) = &ty.kind {
                ty = of;
            }
            ty
        };
        for (position, field) in record.fields.iter().enumerate() {
            let mut ty = bare(&field.ty);
            // `typedef int T __attribute__((aligned(16))); typedef T U;`
            let mut asked: Vec<(&'u Expr, bool)> = Vec::new();
            for _ in 0..MAX_DEPTH {
                let TypeKind::Named(name) = &ty.kind else {
                    break;
                };
                // Template arguments are types without attributes.
                let parameter = |class: &ClassTy| class.scope.types.contains_key(&name.base);
                if class.class.as_ref().is_some_and(parameter) {
                    break;
                }
                if let Some(typedef) = index.only_typedef(&name.base) {
                    asked.extend(typedef.align.iter().map(|align| (align, true)));
                    if !typedef.align.is_empty() {
                        break;
                    }
                    ty = bare(&typedef.ty);
                } else if index.aligns(&name.base) {
                    return None;
                } else {
                    break;
                }
            }
            let own = record.field_align.iter();
            let own = own.filter(|(of, _)| *of == position);
            asked.extend(own.map(|(_, align)| (align, false)));
            if asked.is_empty() {
                continue;
            }
            // Those without a name, among the fields here, are bit fields.
            let at = fields.iter().position(|(name, ..)| *name == field.name)?;
            if field.name.is_empty() || fields[at].2.is_some() {
                return None;
            }
            let mut align = None;
            for (written, by_type) in asked {
                let scope = self.class_scope(class);
                let Value::Term(term) = self.within(scope, |me| me.expr(written)) else {
                    return None;
                };
                let number = u64::try_from(self.facts.terms.as_const(term)?).ok()?;
                if !number.is_power_of_two() {
                    return None;
                }
                // A typedef may ask for less than the type has; at the member, less is no C++.
                let least = align.unwrap_or(if by_type { 1 } else { fields[at].1.align() });
                align = Some(number.max(least));
            }
            aligns[at] = align;
        }
        Some(aligns)
    }
}
