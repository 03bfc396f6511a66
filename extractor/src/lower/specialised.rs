//! Explicit specialisations of function templates and of members of class templates; functions as template arguments.
//!
//! **Contract.** A specialisation is passed over only where its arguments are known to be others than those that were found.

use std::rc::Rc;

use super::body::Lowerer;
use super::choice::{Specialisation, told_arguments};
use super::classes::mentions;
use super::identity::unqualified;
use super::overload::Chosen;
use super::types::{StructTy, TemplateValue, Ty, TypeScope};
use super::typing::{decayed, is_unknown};
use super::unit::enclosing;
use super::value::{Base, Callable, Pointer, Value};
use crate::syntax::ast::*;

/// What is meant instead of a template.
pub(super) enum Special<'u> {
    None,
    One(Chosen<'u>),
    Undecided,
}

impl<'u> Lowerer<'u, '_> {
    /// The explicit specialisation of a template for the arguments that were found, of parameters of its own.
    pub(super) fn specialisation(
        &mut self,
        primary: &Chosen<'u>,
        own: &[TemplateParam],
        specialisations: &[(&'u Function, TypeScope)],
    ) -> Special<'u> {
        let mut announced = None;
        let mut undecided = false;
        for (function, scope) in specialisations {
            if function.params.len() != primary.function.params.len() {
                continue;
            }
            match self.is_special(function, scope, primary, own) {
                Some(true) => {
                    let chosen = Chosen {
                        function: self.with_references(function, &[], scope),
                        scope: scope.clone(),
                    };
                    if function.body.is_some() {
                        return Special::One(chosen);
                    }
                    announced = Some(chosen);
                }
                Some(false) => {}
                None => undecided = true,
            }
        }
        match announced {
            _ if undecided => Special::Undecided,
            Some(chosen) => Special::One(chosen),
            None => Special::None,
        }
    }

    /// Whether a specialisation is that of a template for the arguments that were found.
    pub(super) fn is_special(
        &mut self,
        function: &'u Function,
        scope: &TypeScope,
        primary: &Chosen<'u>,
        own: &[TemplateParam],
    ) -> Option<bool> {
        let written = &function.template_args;
        let pack = own.iter().any(|parameter| parameter.pack);
        if written.len() > own.len() && !pack {
            return Some(false);
        }
        let mut undecided = false;
        for (parameter, arg) in own.iter().zip(written) {
            if parameter.pack {
                undecided = true;
                break;
            }
            match self.is_found(parameter, arg, scope, &primary.scope) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        // What is not written is told by the parameters and the result, or a default.
        let told = written.len() == own.len();
        let result = (&function.ret, &primary.function.ret);
        if mentions(result.1, own) && !told {
            match self.same_type((result.0, scope), (result.1, &primary.scope)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        for parameter in own.iter().skip(written.len()) {
            let alone = std::slice::from_ref(parameter);
            let mut params = primary.function.params.iter();
            if mentions(result.1, alone) || params.any(|param| self.names_one(param, alone)) {
                continue;
            }
            match self.is_default_argument(parameter, &primary.scope) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        for (own, theirs) in function.params.iter().zip(&primary.function.params) {
            match self.same_type((&own.ty, scope), (&theirs.ty, &primary.scope)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided |= !told,
            }
        }
        (!undecided).then_some(true)
    }

    /// Whether an argument of a specialisation is what was found for a parameter.
    fn is_found(
        &mut self,
        parameter: &TemplateParam,
        arg: &TemplateArg,
        scope: &TypeScope,
        found: &TypeScope,
    ) -> Option<bool> {
        // Of another kind, as for another template of the name.
        match (&parameter.kind, arg) {
            (TemplateParamKind::Type { .. }, TemplateArg::Expr(expr))
                if !matches!(expr.kind, ExprKind::Name(_)) =>
            {
                return Some(false);
            }
            (TemplateParamKind::Value { .. }, TemplateArg::Type(_)) => return Some(false),
            _ => {}
        }
        let name = parameter.name.as_ref()?;
        let given = self.within(scope.clone(), |me| me.template_value(arg, parameter, scope));
        match given {
            TemplateValue::Type(ty, identity) => {
                let known = found.types.get(name)?;
                if known != &ty {
                    return (!is_unknown(known) && !is_unknown(&ty)).then_some(false);
                }
                let told = (identity, found.identities.get(name));
                Some(!matches!(&told, (Some(one), Some(other)) if one != *other))
            }
            TemplateValue::Value(value) => self.are_same(found.values.get(name)?, &value),
            TemplateValue::Unknown => None,
        }
    }

    /// Whether what was found for a parameter is its default.
    fn is_default_argument(
        &mut self,
        parameter: &TemplateParam,
        found: &TypeScope,
    ) -> Option<bool> {
        let name = parameter.name.as_ref()?;
        let given = match &parameter.kind {
            TemplateParamKind::Value { .. } => {
                TemplateValue::Value(found.values.get(name)?.clone())
            }
            _ => TemplateValue::Type(
                found.types.get(name)?.clone(),
                found.identities.get(name).cloned(),
            ),
        };
        let default = self.within(found.clone(), |me| me.default_argument(parameter));
        self.same_argument(&given, &default)
    }

    /// Whether two parameters of functions, or what they return, are of one type; what decays is not told from what it becomes.
    fn same_type(
        &mut self,
        (one, scope): (&Type, &TypeScope),
        (other, inside): (&Type, &TypeScope),
    ) -> Option<bool> {
        let mut meant = |ty: &Type, scope: &TypeScope| {
            self.within(scope.clone(), |me| {
                let identity = match ty.kind {
                    TypeKind::Array(..) | TypeKind::Function { .. } => None,
                    _ => me.identity(ty).map(unqualified),
                };
                (decayed(me.resolve(ty)), identity)
            })
        };
        let (one, other) = (meant(one, scope), meant(other, inside));
        match (&one, &other) {
            ((_, Some(one)), (_, Some(other))) if one != other => Some(false),
            ((one, _), (other, _)) if is_unknown(one) || is_unknown(other) => None,
            ((one, _), (other, _)) => Some(one == other),
        }
    }

    /// Those of the member functions that are defined outside of their classes which may be of an instance; `None` where that is not
    /// known of one: `template <> template <> void S<int>::f<char>() {}`.
    pub(super) fn of_instance(
        &mut self,
        methods: Vec<&'u Function>,
        class: &Rc<StructTy>,
    ) -> Option<Vec<&'u Function>> {
        let mut found = Vec::with_capacity(methods.len());
        for method in methods {
            let is_explicit = method.template.as_ref().is_none_or(Vec::is_empty);
            match self.is_of_instance(method, class) {
                Some(false) => {}
                None if is_explicit => return None,
                _ => found.push(method),
            }
        }
        Some(found)
    }

    /// Whether the arguments of the classes in front of a member function are those of an instance, for some values of its parameters.
    pub(super) fn is_of_instance(
        &mut self,
        method: &'u Function,
        class: &Rc<StructTy>,
    ) -> Option<bool> {
        let mut instance = Some(Rc::clone(class));
        let mut undecided = false;
        let mut inside = TypeScope {
            path: enclosing(method.owner.as_deref()?).to_owned(),
            ..TypeScope::default()
        };
        for segment in method.qualifier.iter().rev() {
            let Some(current) = instance else { break };
            if let Some(args) = &segment.args {
                let given = told_arguments(&current);
                let candidate = Specialisation {
                    template: method.template.as_deref().unwrap_or(&[]),
                    args,
                    requires: None,
                };
                match self.fits_all(&candidate, &given, &mut inside) {
                    // Defaults that are not written.
                    Some(false) if args.len() != given.len() => undecided = true,
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => undecided = true,
                }
            }
            instance = current.class.as_ref().and_then(|made| made.around.clone());
        }
        (!undecided).then_some(true)
    }

    /// Whether two template arguments that are values are the same.
    pub(super) fn are_same(&self, one: &Value, other: &Value) -> Option<bool> {
        match (one, other) {
            (&Value::Term(one), &Value::Term(other)) => {
                let value = |term| self.facts.terms.as_const(term);
                match (value(one), value(other)) {
                    (Some(one), Some(other)) => Some(one == other),
                    _ => (one == other).then_some(true),
                }
            }
            (Value::Function(one), Value::Function(other)) => match (&**one, &**other) {
                (one, other) if one == other => Some(true),
                (Callable::Named(one, _), Callable::Named(other, _)) => {
                    (one.base != other.base || is_entity(one) && is_entity(other)).then_some(false)
                }
                _ => None,
            },
            (Value::Function(_), Value::Term(term)) | (Value::Term(term), Value::Function(_)) => {
                self.facts.terms.as_const(*term).map(|_| false)
            }
            (Value::Function(_), Value::Pointer(pointer))
            | (Value::Pointer(pointer), Value::Function(_)) => is_null(pointer).then_some(false),
            (Value::Pointer(one), Value::Pointer(other)) => {
                if is_null(one) != is_null(other) {
                    return None;
                }
                (one == other).then_some(true)
            }
            _ => None,
        }
    }

    /// A value as a template argument: a function that has no other of its name is named in full, wherever it was named.
    pub(super) fn as_entity(&mut self, value: Value) -> Value {
        let Value::Function(callable) = &value else {
            return value;
        };
        let Callable::Named(name, scope) = &**callable else {
            return value;
        };
        match self.entity(name, scope) {
            Some(name) => Value::Function(Rc::new(Callable::Named(name, TypeScope::default()))),
            None => value,
        }
    }

    /// The only function that a name means, named in full.
    fn entity(&mut self, name: &Name, scope: &TypeScope) -> Option<Name> {
        if name.args.is_some() {
            return None;
        }
        let class = match name.qualifier.is_empty() {
            true => scope.class.clone().filter(|class| {
                let record = self.record(class);
                record.is_none_or(|record| !self.index.methods(&record.name, &name.base).is_empty())
            }),
            false => match self.within(scope.clone(), |me| me.qualifying_class(name)) {
                Some(Ty::Struct(class)) => Some(class),
                Some(_) => return None,
                None => None,
            },
        };
        let functions = match &class {
            Some(class) => {
                let record = self.record(class)?;
                self.index.methods(&record.name, &name.base)
            }
            None => {
                let path = name.lookup_path();
                self.index.functions_at(&path, &scope.path, name.range)
            }
        };
        let (first, rest) = functions.split_first()?;
        let same = |other: &&Function| {
            other.qualified == first.qualified && other.params.len() == first.params.len()
        };
        let bodies = functions.iter().filter(|one| one.body.is_some()).count();
        let is_plain = |one: &&Function| one.template.is_none() && !one.quals.friend;
        if bodies > 1 || !rest.iter().all(same) || !functions.iter().all(is_plain) {
            return None;
        }
        // A prototype of the same parameters is of the same function.
        for other in rest {
            let inside = TypeScope {
                path: enclosing(&first.qualified).to_owned(),
                class: class.clone(),
                ..TypeScope::default()
            };
            for (one, other) in first.params.iter().zip(&other.params) {
                if self.same_type((&one.ty, &inside), (&other.ty, &inside)) != Some(true) {
                    return None;
                }
            }
        }
        let qualifier = enclosing(&first.qualified);
        let segments = qualifier.split("::").filter(|segment| !segment.is_empty());
        let entity = Name {
            global: true,
            qualifier: segments
                .map(|segment| Segment {
                    name: segment.to_owned(),
                    args: None,
                })
                .collect(),
            base: first.name.clone(),
            args: None,
            range: Range::default(),
        };
        // Read anywhere, the name means the same.
        let meant = match &class {
            Some(class) => {
                let outside = TypeScope::default();
                self.within(outside, |me| me.qualifying_class(&entity))
                    == Some(Ty::Struct(Rc::clone(class)))
            }
            None => {
                let path = entity.lookup_path();
                let all = self.index.functions_at(&path, "", Range::default());
                all.len() == functions.len()
            }
        };
        meant.then_some(entity)
    }
}

/// Whether a name is that of one function, in full.
fn is_entity(name: &Name) -> bool {
    name.global && name.args.is_none() && name.range == Range::default()
}

/// Whether a value is a function that is not told from others of its name, so that two mentions of it are two values.
pub(super) fn is_doubtful(value: &Value) -> bool {
    match value {
        Value::Function(callable) => {
            !matches!(&**callable, Callable::Named(name, _) if is_entity(name))
        }
        _ => false,
    }
}

fn is_null(pointer: &Pointer) -> bool {
    let mut targets = pointer.targets.iter();
    targets.all(|target| matches!(target.base, Base::Null))
}
