//! Types in host code: names resolved in their scope, the layout of classes, constants.

use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::eval::unknown_type;
use super::term::{self, Term};
use super::value::*;
use crate::lower::types::{self, Bits, Extent, Ty};
use crate::syntax::ast::*;

/// How far bases of bases are followed for a member.
const MAX_BASES: u32 = 64;

impl<'u> Host<'_, 'u> {
    /// A type in the scope of the running function.
    pub(super) fn resolve(&mut self, ty: &Type) -> Ty {
        let resolved = self.resolve_plain(ty);
        self.laid_out(resolved, 0)
    }

    /// Classes of the unit that are plain get their layout.
    fn laid_out(&mut self, ty: Ty, depth: u32) -> Ty {
        if depth > 4 {
            return ty;
        }
        match ty {
            Ty::Pointer(to) => self.laid_out((*to).clone(), depth + 1).pointer_to(),
            Ty::Array(of, count) => {
                Ty::Array(Rc::new(self.laid_out((*of).clone(), depth + 1)), count)
            }
            Ty::Opaque { name, bytes: None } => self
                .class_of(&name, depth)
                .unwrap_or(Ty::Opaque { name, bytes: None }),
            ty => ty,
        }
    }

    fn class_of(&mut self, name: &str, depth: u32) -> Option<Ty> {
        if let Some(known) = self.classes.get(name) {
            return known.clone();
        }
        // Against classes that hold themselves.
        self.classes.insert(name.to_owned(), None);
        let last = |name: &'_ str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let unit = self.index.unit;
        let mut records = unit
            .structs
            .iter()
            .filter(|record| record.defined && may_name(name, &record.name));
        let record = records.next()?;
        let plain = records.next().is_none()
            && record.kind != StructKind::Union
            && record.opaque_layout.is_none()
            && !record.has_virtual
            && !record
                .fields
                .iter()
                .any(|field| crate::lower::call::is_reference(&field.ty))
            && record.bits.is_empty()
            && record.align.is_empty()
            && record.field_align.is_empty()
            && !record
                .fields
                .iter()
                .any(|field| self.may_be_aligned(&field.ty))
            && record.bases.is_empty()
            && !record
                .fields
                .iter()
                .any(|field| depends_on(&field.ty, &record.template));
        if !plain {
            return None;
        }
        let mut fields = Vec::new();
        for field in &record.fields {
            // What a pointer of a template points to is told by arguments that are not known here.
            let ty = match &field.ty.kind {
                TypeKind::Pointer(_) if !record.template.is_empty() => unknown_type().pointer_to(),
                _ => self.resolve_plain(&field.ty),
            };
            fields.push((field.name.clone(), self.laid_out(ty, depth + 1), None));
        }
        let layout = types::layout(Vec::new(), fields, false, 1, record.packed, &[])?;
        let class = types::StructTy::incomplete(last(&record.name), None);
        class.set_layout(Some(layout));
        let ty = Ty::Struct(Rc::new(class));
        self.classes.insert(name.to_owned(), Some(ty.clone()));
        Some(ty)
    }

    /// Whether a typedef may say how a member of this type is aligned.
    fn may_be_aligned(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Array(of, _) => self.may_be_aligned(of),
            TypeKind::Named(name) => {
                let mut typedefs = self.index.unit.typedefs.iter();
                typedefs.any(|typedef| !typedef.align.is_empty())
                    && self.index.only_typedef(&name.base).is_none_or(|typedef| {
                        !typedef.align.is_empty() || self.may_be_aligned(&typedef.ty)
                    })
            }
            _ => false,
        }
    }

    fn resolve_plain(&mut self, ty: &Type) -> Ty {
        let index = self.index;
        let types = self.frame().types.clone();
        // Extents stand in the text of the type: they are evaluated with what is known here.
        let mut pending: Vec<Expr> = Vec::new();
        let resolved = index.resolve(ty, &types, &mut |expr| {
            pending.push(expr.clone());
            Extent::Unknown
        });
        if pending.is_empty() {
            return resolved;
        }
        let mut counts = pending.iter().map(|expr| self.extent(expr));
        let counts: Vec<Option<u64>> = counts.by_ref().collect();
        let mut counts = counts.into_iter();
        index.resolve(ty, &types, &mut |_| match counts.next() {
            Some(Some(count)) => Extent::Constant(count),
            _ => Extent::Unknown,
        })
    }

    fn extent(&mut self, expr: &Expr) -> Option<u64> {
        u64::try_from(self.constant_of(expr)?.as_constant()?).ok()
    }

    /// The value of an expression of constants.
    pub(super) fn constant_of(&mut self, expr: &Expr) -> Option<Term> {
        match &expr.kind {
            ExprKind::Int { value, ty } => Some(Term::Constant(
                i128::from(*value),
                types::scalar(*ty).ctype(),
            )),
            ExprKind::Bool(value) => Some(Term::Constant(i128::from(*value), CType::Bool)),
            ExprKind::Name(name) => self.constant_name(name),
            ExprKind::Unary(UnaryOp::Neg, arg) => {
                let arg = self.constant_of(arg)?;
                Some(term::binary(BinaryOp::Sub, Term::int(0), arg))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant_of(left)?, self.constant_of(right)?);
                Some(term::binary(*op, left, right))
            }
            ExprKind::Cast { ty, arg, .. } => {
                let arg = self.constant_of(arg)?;
                match self.resolve(ty) {
                    Ty::Scalar(ctype) if ctype.is_integer() => Some(term::cast(ctype, arg)),
                    _ => None,
                }
            }
            ExprKind::SizeofType(ty) => {
                let bytes = self.resolve(ty).bytes()?;
                Some(Term::Constant(i128::from(bytes), CType::U64))
            }
            _ => None,
        }
    }

    /// The constant that a name stands for.
    pub(super) fn constant_name(&mut self, name: &Name) -> Option<Term> {
        let value = match self.named(name) {
            Some((place, ty)) => self.read(&place, &ty),
            None => match self.frame().values.get(name.base.as_str()) {
                Some(value) => Value::Scalar(value.clone()),
                None => Value::Scalar(match self.enumerator(name) {
                    Some(term) => term,
                    None => self.constant_of_instance(name)?,
                }),
            },
        };
        match value {
            Value::Scalar(term) => term.as_constant().map(|_| term),
            _ => None,
        }
    }

    /// The type of a member by the class's name.
    pub(super) fn field_type(&mut self, class: &str, field: &str) -> Option<Ty> {
        self.field_type_at(class, field, 0)
    }

    fn field_type_at(&mut self, class: &str, field: &str, depth: u32) -> Option<Ty> {
        // Classes of one name may be each other's bases.
        if depth > MAX_BASES {
            return None;
        }
        let index = self.index;
        let mut found: Option<Ty> = None;
        // Of several classes that may be meant, all must agree.
        for &record in index.named.structs_called(last(class)) {
            if !record.defined || !may_name(class, &record.name) {
                continue;
            }
            let ty = self.field_type_in(record, field, depth)?;
            if found.as_ref().is_some_and(|known| *known != ty) {
                return None;
            }
            found = Some(ty);
        }
        found
    }

    fn field_type_in(&mut self, record: &Struct, field: &str, depth: u32) -> Option<Ty> {
        let place = |declared: &VarDecl| declared.name == field;
        if let Some(position) = record.fields.iter().position(place) {
            let ty = self.resolve(&record.fields[position].ty);
            let is_bits = |bits: &BitWidth| bits.named && bits.before == position;
            return Some(match (record.bits.iter().any(is_bits), ty) {
                (true, Ty::Scalar(ctype)) => Ty::Bits(Bits {
                    ctype,
                    unit: ctype,
                    shift: 0,
                    width: 0,
                }),
                (_, ty) => ty,
            });
        }
        for base in &record.bases {
            if let TypeKind::Named(name) = &base.kind
                && name.base != last(&record.name)
                && let Some(ty) = self.field_type_at(&name.base, field, depth + 1)
            {
                return Some(ty);
            }
        }
        None
    }

    /// Whether a class is a union, or has unions or bit fields.
    pub(super) fn shares_bytes(&self, ty: &Ty) -> bool {
        if let Ty::Struct(class) = ty {
            let fields = class.fields();
            let mut places: Vec<(u64, u64)> = fields
                .iter()
                .map(|(_, ty, start)| (*start, start + ty.bytes().unwrap_or(0)))
                .collect();
            places.sort_unstable();
            return places.windows(2).any(|pair| pair[1].0 < pair[0].1);
        }
        let Ty::Opaque { name, .. } = ty else {
            return false;
        };
        self.some_record(name, &|record| {
            record.kind == StructKind::Union
                || !record.bits.is_empty()
                || self.is_word_of(record.range, "union")
        })
    }

    /// Whether something holds of a class of a name, of the unit or of the running function.
    pub(super) fn some_record(&self, name: &str, holds: &dyn Fn(&Struct) -> bool) -> bool {
        let mut units = self.index.named.structs_called(last(name)).iter();
        units.any(|record| holds(record)) || self.some_local_record(name, holds)
    }

    /// The same of one of the running function only.
    pub(super) fn some_local_record(&self, name: &str, holds: &dyn Fn(&Struct) -> bool) -> bool {
        let here = self.frames.last().map(|frame| frame.function);
        let function = here.and_then(|range| self.function_at(range));
        let body = function.and_then(|function| function.body.as_ref());
        let mut found = false;
        for stmt in body.iter().flat_map(|body| &body.stmts) {
            crate::lower::walk::each_stmt(stmt, &mut |stmt| {
                found |= matches!(&stmt.kind, StmtKind::Struct(record)
                    if last(&record.name) == last(name) && holds(record));
            });
        }
        found
    }

    /// Whether a member of a class that may be meant is a reference: what it names lies elsewhere.
    pub(super) fn refers_by_member(&self, class: &str, field: &str) -> bool {
        let refers = |record: &Struct| {
            let mut fields = record.fields.iter();
            fields.any(|one| one.name == field && crate::lower::call::is_reference(&one.ty))
        };
        let has = |record: &Struct| record.fields.iter().any(|one| one.name == field);
        // One of a base, or of a class that is not known, may be any of the name.
        match !class.is_empty() && self.some_record(class, &has) {
            true => self.some_record(class, &refers),
            false => {
                let mut fields = self.index.named.fields(field).iter();
                fields.any(|(record, _)| refers(record))
            }
        }
    }

    pub(super) fn member_type(&mut self, ty: &Ty, field: &str) -> Ty {
        match ty {
            Ty::Struct(class) => class.field(field).map_or_else(unknown_type, |(ty, _)| ty),
            Ty::Opaque { name, .. } => {
                let name = name.clone();
                self.field_type(&name, field).unwrap_or_else(unknown_type)
            }
            _ => unknown_type(),
        }
    }
}

/// Whether the size of a type depends on template parameters: pointers are as large as each other.
fn depends_on(ty: &Type, template: &[TemplateParam]) -> bool {
    match &ty.kind {
        TypeKind::Scalar(_) | TypeKind::Pointer(_) => false,
        TypeKind::Named(name) => {
            let named = |parameter: &TemplateParam| parameter.name.as_deref() == Some(&*name.base);
            !template.is_empty()
                && (name.args.is_some() || !name.qualifier.is_empty() || template.iter().any(named))
        }
        TypeKind::Array(of, size) => {
            !template.is_empty() && size.is_some() || depends_on(of, template)
        }
        _ => !template.is_empty(),
    }
}

/// Whether a name as it is written may mean a class: the scopes that are written are those around it.
fn may_name(written: &str, class: &str) -> bool {
    let written = written.strip_prefix("::").unwrap_or(written);
    let rest = class.strip_suffix(written);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
}

/// The last part of a qualified name.
fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or_default()
}
