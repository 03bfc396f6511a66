//! Initialiser lists: objects and arrays made of their elements.

use std::rc::Rc;

use warplog_facts::words::*;

use super::super::body::Lowerer;
use super::super::objects::in_memory;
use super::super::types::{Extent, StructTy, Ty};
use super::super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Whether an item of a list in braces begins a member of a class or array type whose own braces are left out.
    pub(super) fn goes_inside(&mut self, item: &Expr, field: &Ty) -> bool {
        match field {
            Ty::Array(..) => !matches!(item.kind, ExprKind::Str(_)),
            Ty::Struct(class) => {
                let plain = self.record(class).is_some_and(|record| {
                    let simple = super::super::unit::last_component(&record.name);
                    self.index.methods(&record.name, simple).is_empty()
                });
                plain && matches!(self.static_type(item), Ty::Scalar(_) | Ty::Pointer(_))
            }
            _ => false,
        }
    }

    /// The items with the braces that were left out around those of members which are arrays or classes of scalars: `{1, 2, 3}` of
    /// a class with an array. None where none were, or where it is not this plain.
    fn with_braces(&mut self, class: &StructTy, items: &[Expr], range: Range) -> Option<Vec<Expr>> {
        let mut rest = items.iter();
        let mut all = Vec::new();
        let mut left_out = false;
        for (_, field, _) in class.fields() {
            let Some(first) = rest.as_slice().first() else {
                break;
            };
            let goes_inside =
                !matches!(first.kind, ExprKind::InitList(_)) && self.goes_inside(first, &field);
            if !goes_inside {
                all.extend(rest.next().cloned());
                continue;
            }
            let is_scalar = |ty: &Ty| matches!(ty, Ty::Scalar(_) | Ty::Pointer(_));
            let count = match &field {
                Ty::Array(element, Extent::Constant(count))
                    if is_scalar(element) || self.static_type(first) == **element =>
                {
                    usize::try_from(*count).ok()?
                }
                Ty::Struct(inner) => {
                    let members = inner.fields();
                    let plain = members.iter().all(|(_, ty, _)| is_scalar(ty));
                    plain.then_some(members.len())?
                }
                _ => return None,
            };
            let inner: Vec<Expr> = rest.by_ref().take(count).cloned().collect();
            if inner
                .iter()
                .any(|one| matches!(one.kind, ExprKind::InitList(_)))
            {
                return None;
            }
            let kind = ExprKind::InitList(inner);
            all.push(Expr { kind, range });
            left_out = true;
        }
        (left_out && rest.next().is_none()).then_some(all)
    }

    /// `{a, b}` as a value of a class without constructors, or of a scalar; `dim3`'s missing members are 1.
    pub(crate) fn aggregate(&mut self, ty: &Ty, items: &[Expr], range: Range) -> Value {
        match ty {
            Ty::Struct(class) => {
                if let Some(reference) = self.atomic_reference(ty, items) {
                    return reference;
                }
                if let Some(object) = self.collective_object(ty, items) {
                    return object;
                }
                // `float4 v{w}` and the like copy the whole.
                if let [one] = items
                    && !matches!(one.kind, ExprKind::InitList(_))
                    && self.static_type(one) == *ty
                {
                    return self.kept(one, ty);
                }
                if let Some(value) = self.glm_value(ty, items, range) {
                    return value;
                }
                let class = Rc::clone(class);
                if items.iter().any(is_designated) {
                    return match self.in_order(&class, items) {
                        Some(items) => self.aggregate(ty, &items, range),
                        None => {
                            let why = "its members are not understood";
                            let what = "a designated initialiser";
                            self.unsupported(range, what, why, Effect::Control);
                            self.unknown_value(ty, "object with named members", range)
                        }
                    };
                }
                if let Some(items) = self.with_braces(&class, items, range) {
                    return self.aggregate(ty, &items, range);
                }
                let declared = self.record(&class);
                let before = self.birth();
                let place = match declared {
                    Some(record) => self.made_in_order(&class, record, items, ty, range),
                    None => None,
                };
                let mut values = Vec::new();
                for (index, (name, field, start)) in class.fields().into_iter().enumerate() {
                    let referent = self.referent(&class, &name);
                    let value = match items.get(index) {
                        item if let Some(referent) = &referent => {
                            let init = item.map_or(Init::None, |item| Init::Expr(item.clone()));
                            self.bound_member(&init, referent, range)
                        }
                        Some(Expr {
                            kind: ExprKind::InitList(inner),
                            ..
                        }) => self.construct_value(&field, inner, range),
                        // `{1, 2, 3}` of a class with an array goes on inside it.
                        Some(item) if self.goes_inside(item, &field) => {
                            let why = "braces are left out";
                            self.unsupported(range, "initialiser", why, Effect::Control);
                            return self.unknown_value(
                                ty,
                                "object whose braces are left out",
                                range,
                            );
                        }
                        Some(item) => self.initialised(item, &field),
                        None => {
                            let own = declared.and_then(|record| {
                                record.fields.iter().find(|field| field.name == name)
                            });
                            match own {
                                Some(VarDecl { init, .. }) if *init != Init::None => {
                                    let scope = self.class_scope(&class);
                                    self.within(scope, |me| {
                                        if let Some(call) = me.calls.last_mut() {
                                            call.this = place.clone();
                                            call.constant_this = Some(false);
                                        }
                                        me.initial(&field, init, range)
                                    })
                                }
                                _ => {
                                    let missing =
                                        Value::Term(self.int(i64::from(class.name == "dim3")));
                                    match &field {
                                        Ty::Array(..) | Ty::Struct(_) => {
                                            self.construct_value(&field, &[], range)
                                        }
                                        _ => self.convert(missing, &field, range),
                                    }
                                }
                            }
                        }
                    };
                    if let Some(place) = &place
                        && value != Value::Uninitialised
                    {
                        let part = self.field_place(place.clone(), &name, range);
                        self.write(&part, value.clone(), range);
                    }
                    values.push((name, value, field, start));
                }
                if let Some(place) = place {
                    let value = self.read_object(&place, range);
                    self.keeps_nothing_since(before, &value, range);
                    return value;
                }
                if in_memory(ty) {
                    let mut known = std::collections::BTreeMap::new();
                    for (_, value, field, start) in &values {
                        let at = i128::from(*start);
                        if let Ty::Bits(bits) = field {
                            let zero = || Value::Term(self.facts.terms.constant(0, bits.unit));
                            let old = known.get(&at).cloned().unwrap_or_else(zero);
                            let number = self.placed_bits(&old, bits, value, range);
                            known.insert(at, number);
                        } else {
                            self.spread(value, field, at, &mut known);
                        }
                    }
                    return self.bytes_object(ty, known, range);
                }
                let fields = values.into_iter().map(|(name, value, ..)| (name, value));
                Value::Struct(Rc::new(fields.collect()))
            }
            _ => {
                let value = match items.first() {
                    Some(item) => self.expr(item),
                    None => Value::Term(self.int(0)),
                };
                self.convert(value, ty, range)
            }
        }
    }

    /// `{.a = 1, .c = 2}` as a list without names: a member that is left out between others is empty, if it has no initialiser
    /// of its own.
    fn in_order(&mut self, class: &Rc<StructTy>, items: &[Expr]) -> Option<Vec<Expr>> {
        let record = self.record(class)?;
        if record.kind == StructKind::Union || !record.bases.is_empty() {
            return None;
        }
        let mut items = items.iter();
        let mut next = items.next();
        let mut found = Vec::new();
        for (name, ..) in class.fields() {
            let Some(item) = next else { break };
            let ExprKind::Designated { field, value } = &item.kind else {
                return None;
            };
            if *field == name {
                found.push(Expr::clone(value));
                next = items.next();
                continue;
            }
            let mut own = record.fields.iter().filter(|field| field.name == name);
            if own.next()?.init != Init::None || self.referent(class, &name).is_some() {
                return None;
            }
            found.push(Expr {
                kind: ExprKind::InitList(Vec::new()),
                range: item.range,
            });
        }
        next.is_none().then_some(found)
    }

    /// Where an object is made member by member: the initialiser of a member that the list leaves out may name members before it.
    pub(super) fn made_in_order(
        &mut self,
        class: &Rc<StructTy>,
        record: &Struct,
        items: &[Expr],
        ty: &Ty,
        range: Range,
    ) -> Option<Lvalue> {
        let names = class.fields();
        let left_out = names.iter().skip(items.len()).filter_map(|(name, ..)| {
            let mut fields = record.fields.iter();
            fields.find(|field| field.name == *name)
        });
        let mut looks = false;
        for field in left_out {
            super::super::walk::in_init(&field.init, &mut |expr| {
                looks |= matches!(
                    expr.kind,
                    ExprKind::Name(_) | ExprKind::This | ExprKind::Lambda(_)
                );
            });
        }
        if !looks {
            return None;
        }
        if names
            .iter()
            .any(|(name, ..)| self.referent(class, name).is_some())
        {
            let why = "a member's own initialiser beside members that are references";
            self.unsupported(range, "initialiser", why, Effect::Control);
            return None;
        }
        Some(self.constructed(ty, Value::Uninitialised, range))
    }

    /// A local array with its initial values.
    pub(crate) fn local_array(
        &mut self,
        name: &str,
        ty: &Ty,
        init: Option<&[Expr]>,
        range: Range,
    ) -> VarId {
        let array = self.array(name, Space::Local, ty, range);
        let element = match ty {
            Ty::Array(element, _) => Ty::clone(element),
            other => other.clone(),
        };
        let local = LocalArray {
            array,
            element,
            bytes: ty.bytes(),
            known: Rc::default(),
        };
        let var = self.variable(name, ty.clone(), Value::Local(local));
        if let Some(items) = init {
            let mut known = std::collections::BTreeMap::new();
            let mut offset = 0;
            self.fill(ty, items, &mut offset, &mut known, range);
            if let Value::Local(mut local) = self.env.get(var).clone() {
                local.known = Rc::new(known);
                self.env.set(var, Value::Local(local));
            }
        }
        var
    }

    pub(super) fn fill(
        &mut self,
        ty: &Ty,
        items: &[Expr],
        offset: &mut i128,
        known: &mut std::collections::BTreeMap<i128, Value>,
        range: Range,
    ) {
        let Ty::Array(element, Extent::Constant(count)) = ty else {
            return;
        };
        let Some(bytes) = element.bytes() else { return };
        let start = *offset;
        // Missing elements are zero; very long tails are left unknown.
        for index in 0..(*count).min(4096) {
            *offset = start + i128::from(index) * i128::from(bytes);
            match (
                items.get(usize::try_from(index).unwrap_or(usize::MAX)),
                &**element,
            ) {
                (
                    Some(Expr {
                        kind: ExprKind::InitList(inner),
                        ..
                    }),
                    Ty::Array(..),
                ) => {
                    self.fill(element, inner, offset, known, range);
                }
                (None, Ty::Array(..)) => self.fill(element, &[], offset, known, range),
                (Some(_), Ty::Array(..)) => return,
                (
                    Some(Expr {
                        kind: ExprKind::InitList(inner),
                        ..
                    }),
                    element,
                ) => {
                    let value = self.construct_value(element, inner, range);
                    self.spread(&value, element, *offset, known);
                }
                (Some(item), element) => {
                    let value = self.initialised(item, element);
                    self.spread(&value, element, *offset, known);
                }
                (None, element) => {
                    let value = self.construct_value(element, &[], range);
                    self.spread(&value, element, *offset, known);
                }
            }
        }
        *offset = start + i128::from(*count) * i128::from(bytes);
    }
}

fn is_designated(item: &Expr) -> bool {
    matches!(item.kind, ExprKind::Designated { .. })
}

/// `T a[] = { … }`
pub(crate) fn sized(ty: Ty, items: usize) -> Ty {
    match ty {
        Ty::Array(element, Extent::Unknown) => Ty::Array(element, Extent::Constant(items as u64)),
        ty => ty,
    }
}
