//! Conversion functions of classes: which of them C++ calls for an object ([over.match.conv]).

use std::rc::Rc;

use super::body::Lowerer;
use super::overload::Chosen;
use super::types::{StructTy, Ty};
use super::value::*;
use crate::syntax::ast::{Expr, Function, Type, TypeKind};
use warplog_facts::CType;
use warplog_facts::words::Effect;

/// A conversion function that gives what is asked for.
#[derive(Clone, Copy)]
struct Conversion<'u> {
    function: &'u Function,
    /// What becomes of its result.
    step: Step,
}

/// What makes what is asked for of the result of a conversion function; the first is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// It is of the very type, but for `const` behind pointers.
    Exact,
    /// It is promoted.
    Promotion,
    Conversion,
}

/// Whether conversion functions count that are only meant where a conversion is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// `int i = a;`
    No,
    /// `(int)a`, `if (a)`
    Yes,
}

impl<'u> Lowerer<'u, '_> {
    /// A user-defined conversion of an object to a scalar, pointer or other class.
    pub(crate) fn user_conversion(
        &mut self,
        class: &Rc<StructTy>,
        (expr, place): (&Expr, &Lvalue),
        to: &Ty,
        asked: Asked,
    ) -> Option<Value> {
        let record = self.record(class)?;
        let functions = self.index.named.of_class(&record.name).iter().copied();
        let all: Vec<&'u Function> = functions
            .filter(|function| {
                function.name.starts_with("operator ")
                    && function.body.is_some()
                    && (asked == Asked::Yes || !function.quals.explicit)
            })
            .collect();
        let scope = self.class_scope(class);
        let mut fitting = Vec::new();
        let mut is_open = false;
        for &function in &all {
            let ty = self.within(scope.clone(), |me| me.resolve(&function.ret));
            is_open |= matches!(ty, Ty::Opaque { .. });
            let step = match (&ty, to) {
                _ if ty == *to => Step::Exact,
                (Ty::Scalar(from), Ty::Scalar(to)) if promotes(*from, *to) => Step::Promotion,
                (Ty::Scalar(_), Ty::Scalar(_)) => Step::Conversion,
                _ => continue,
            };
            fitting.push(Conversion { function, step });
        }
        let meant = self.meant_by_const(&fitting, expr, to);
        let least = meant.iter().flatten().map(|one| one.step).min();
        let nearest = least.filter(|step| *step != Step::Conversion || fitting.len() == 1);
        let mut near = meant
            .iter()
            .flatten()
            .filter(|one| Some(one.step) == nearest);
        let (best, second) = (near.next(), near.next());
        if best.is_none() && fitting.len() > 1 {
            return None;
        }
        // A template may give anything; the result of another type may be nearer to what is asked for.
        let told = best.is_some() && second.is_none() && !is_open;
        let conversion = *best.or(fitting.first())?;
        if all.len() > 1 && !told {
            let why = "which of its conversions is meant is not told";
            self.unsupported(expr.range, "conversion of an object", why, Effect::Control);
        }
        let found = Chosen {
            function: conversion.function,
            scope,
        };
        let called = self.inline(&found, Some(place.clone()), &[], expr.range);
        Some(self.value_of(called, expr.range))
    }

    /// The conversions that are left when the object decides: those for constant objects if it is constant, else the others, which
    /// are better for it, if there are any. None where that is not known.
    fn meant_by_const(
        &mut self,
        fitting: &[Conversion<'u>],
        expr: &Expr,
        to: &Ty,
    ) -> Option<Vec<Conversion<'u>>> {
        let of = |constant: bool| -> Vec<Conversion<'u>> {
            let all = fitting.iter();
            all.filter(|one| one.function.quals.is_const == constant)
                .copied()
                .collect()
        };
        let (constant, changeable) = (of(true), of(false));
        if constant.is_empty() {
            return Some(changeable);
        }
        if changeable.is_empty() {
            return Some(constant);
        }
        match self.category(expr).1.object? {
            true => Some(constant),
            // `operator const T *()` does not give a `T *`, for which one for constant objects would be meant.
            false
                if !matches!(to, Ty::Scalar(_))
                    && changeable
                        .iter()
                        .any(|one| may_give_constants(&one.function.ret)) =>
            {
                None
            }
            false => Some(changeable),
        }
    }
}

/// Whether a scalar becomes another by promotion.
fn promotes(from: CType, to: CType) -> bool {
    from != to && (from.promoted() == to || (from, to) == (CType::F32, CType::F64))
}

/// Whether a type may be a pointer to constants.
fn may_give_constants(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => to.is_const,
        TypeKind::Scalar(_) => false,
        _ => true,
    }
}
