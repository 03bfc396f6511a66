//! Patterns of types against types: what template parameters must be for one to be the other.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::identity::Identity;
use super::super::types::{Extent, TemplateValue, Ty, TypeScope};
use super::super::unit::last_component;
use super::super::value::*;
use super::mentions;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Whether a type argument fits a pattern with template parameters, which it may bind.
    pub(crate) fn unify_argument(
        &mut self,
        pattern: &TemplateArg,
        given: &TemplateValue,
        parameters: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> bool {
        match (pattern, given) {
            (TemplateArg::Type(pattern), TemplateValue::Type(given, identity)) => {
                self.unify_type(pattern, (given, identity.as_ref()), parameters, bound)
            }
            (TemplateArg::Name(name), TemplateValue::Type(given, identity)) => {
                let pattern = Type::new(TypeKind::Named(name.clone()), name.range);
                self.unify_type(&pattern, (given, identity.as_ref()), parameters, bound)
            }
            (TemplateArg::Name(name), TemplateValue::Value(given)) => {
                if let Some(simple) = name.as_simple()
                    && parameters
                        .iter()
                        .any(|parameter| parameter.name.as_deref() == Some(simple))
                {
                    return match bound.values.get(simple) {
                        Some(known) => known == given,
                        None => {
                            bound.values.insert(simple.to_owned(), given.clone());
                            true
                        }
                    };
                }
                let value = self.name(name);
                let value = self.as_entity(value);
                self.same_value(&value, given)
            }
            (
                TemplateArg::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }),
                TemplateValue::Value(_),
            ) => self.unify_argument(&TemplateArg::Name(name.clone()), given, parameters, bound),
            (TemplateArg::Expr(pattern), TemplateValue::Value(given)) => {
                let value = self.within(bound.clone(), |me| me.expr(pattern));
                self.same_value(&value, given)
            }
            _ => false,
        }
    }

    /// The same of a type as an argument. That it is a reference, its identity alone tells.
    pub(super) fn unify_type(
        &mut self,
        pattern: &Type,
        (given, identity): (&Ty, Option<&Identity>),
        parameters: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> bool {
        let Some(identity) = identity.filter(|one| super::super::call::is_reference(one)) else {
            return self.unify(pattern, given, parameters, bound);
        };
        self.fits(pattern, given, identity, parameters, bound) == Some(true)
    }

    pub(crate) fn same_value(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (&Value::Term(one), &Value::Term(other)) => {
                let value = |term| self.facts.terms.as_const(term);
                value(one).is_some() && value(one) == value(other)
            }
            _ => one == other,
        }
    }

    /// Whether a type fits a pattern with template parameters, which it may bind.
    pub(crate) fn unify(
        &mut self,
        pattern: &Type,
        given: &Ty,
        parameters: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> bool {
        let is_parameter = |name: &str| {
            parameters
                .iter()
                .any(|parameter| parameter.name.as_deref() == Some(name))
        };
        match (&pattern.kind, given) {
            (TypeKind::Named(name), given) if name.as_simple().is_some_and(is_parameter) => {
                match bound.types.get(&name.base) {
                    Some(known) => known == given,
                    None => {
                        bound.bind_type(&name.base, given.clone(), None);
                        true
                    }
                }
            }
            (TypeKind::Named(name), Ty::Struct(class)) if name.args.is_some() => {
                let Some(record) = self.record(class) else {
                    return false;
                };
                if last_component(&record.name) != name.base {
                    // A base class may be meant, or an alias.
                    return !mentions(pattern, parameters)
                        && self.within(bound.clone(), |me| me.resolve(pattern)) == *given;
                }
                let given = class
                    .class
                    .as_ref()
                    .map(|class| class.args.clone())
                    .unwrap_or_default();
                let patterns = name.args.clone().unwrap_or_default();
                patterns.len() <= given.len()
                    && patterns.iter().zip(&given).all(|(pattern, given)| {
                        self.unify_argument(pattern, given, parameters, bound)
                    })
            }
            (TypeKind::Pointer(pattern), Ty::Pointer(given) | Ty::Array(given, _)) => {
                self.unify(pattern, given, parameters, bound)
            }
            (TypeKind::Array(pattern, size), Ty::Array(given, extent)) => {
                if let (
                    Some(Expr {
                        kind: ExprKind::Name(name),
                        ..
                    }),
                    Extent::Constant(count),
                ) = (size.as_deref(), extent)
                    && let Some(simple) = name.as_simple()
                    && is_parameter(simple)
                {
                    let count = self.facts.terms.constant(i128::from(*count), CType::I32);
                    bound
                        .values
                        .entry(simple.to_owned())
                        .or_insert(Value::Term(count));
                }
                self.unify(pattern, given, parameters, bound)
            }
            (TypeKind::Array(pattern, _), Ty::Pointer(given)) => {
                self.unify(pattern, given, parameters, bound)
            }
            (TypeKind::Reference(pattern) | TypeKind::RvalueReference(pattern), given) => {
                self.unify(pattern, given, parameters, bound)
            }
            // `T::value_type`, functions and the like are no place to deduce from.
            (TypeKind::Named(name), _) if !name.qualifier.is_empty() => true,
            (TypeKind::Function { .. } | TypeKind::Decltype(_), _) => true,
            _ if mentions(pattern, parameters) => false,
            _ => {
                let resolved = self.within(bound.clone(), |me| me.resolve(pattern));
                resolved == *given
            }
        }
    }
}
