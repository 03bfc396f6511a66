//! Which specialisation of a class or variable template a list of arguments means.
//!
//! **Method.** A specialisation fits if its patterns are the arguments for some values of its parameters. The patterns that
//! parameters can be deduced from are matched first, by the identities of the arguments; those that depend on what was found
//! (`decltype(…)`, `void_t<…>`, `typename T::type`) are then substituted, and a substitution that C++ does not allow means that
//! the specialisation does not fit. Of those that fit, the most special one is meant, of none the template itself.
//!
//! **Contract.** Where an answer is not certain the choice is undecided: no argument of a known layout but unknown identity
//! is taken for what it may be, except where all types of the layout that the pattern tells apart are alike.

use std::rc::Rc;

use super::body::Lowerer;
use super::call::is_reference;
use super::classes::{bind, mentions};
use super::detection::Substituted;
use super::special::Patterns;
use super::specialised::is_doubtful;
use super::types::{self, Extent, StructTy, TemplateValue, Ty, TypeScope};
use super::unit::TypeEntry;
use super::value::Value;
use crate::syntax::ast::*;

/// A template, of which there are no arguments, or a specialisation of it.
#[derive(Clone, Copy)]
pub(crate) struct Specialisation<'u> {
    pub template: &'u [TemplateParam],
    pub args: &'u [TemplateArg],
    /// What must hold besides.
    pub requires: Option<&'u Expr>,
}

/// What is meant.
pub(crate) enum Choice {
    Primary,
    /// A specialisation, by its position, with its parameters bound.
    One(usize, TypeScope),
    Undecided,
}

impl<'u> Lowerer<'u, '_> {
    /// The specialisation that is meant, seen from the scope of the template.
    pub(crate) fn chosen_specialisation(
        &mut self,
        primary: &[TemplateParam],
        candidates: &[Specialisation<'u>],
        args: &[TemplateValue],
        scope: &TypeScope,
    ) -> Choice {
        let mut fitting: Vec<(usize, TypeScope)> = Vec::new();
        for (position, candidate) in candidates.iter().enumerate() {
            if candidate.args.is_empty() {
                continue;
            }
            let mut inside = scope.clone();
            // Where fewer are written, the rest are the defaults of the template.
            let (written, rest) = args.split_at(candidate.args.len().min(args.len()));
            let fits = self.fits_all(candidate, written, &mut inside);
            let fits = match fits {
                Some(true) if !rest.is_empty() => {
                    self.are_defaults(primary, args, rest.len(), scope)
                }
                fits => fits,
            };
            let fits = match (fits, candidate.requires) {
                (Some(true), Some(condition)) => self.holds(condition, &inside),
                (fits, _) => fits,
            };
            match fits {
                Some(true) => fitting.push((position, inside)),
                Some(false) if !self.may_fit(candidate.args, written) => {}
                _ => return Choice::Undecided,
            }
        }
        if fitting.is_empty() {
            return Choice::Primary;
        }
        // Of some patterns neither is told to be the more special.
        let patterns = |at: usize| {
            let one = candidates[at];
            Patterns::of_specialisation(one.template, one.args)
        };
        let best = fitting.iter().position(|&(one, _)| {
            let mut others = fitting.iter().filter(|&&(other, _)| other != one);
            others.all(|&(other, _)| patterns(one).is_more_special(&patterns(other)))
        });
        match best {
            Some(best) => {
                let (position, inside) = fitting.swap_remove(best);
                Choice::One(position, inside)
            }
            None => Choice::Undecided,
        }
    }

    /// Whether two template arguments are one.
    pub(super) fn same_argument(&self, one: &TemplateValue, other: &TemplateValue) -> Option<bool> {
        match (one, other) {
            (TemplateValue::Type(_, Some(one)), TemplateValue::Type(_, Some(other))) => {
                Some(one == other)
            }
            (TemplateValue::Type(one, _), TemplateValue::Type(other, _)) => {
                (one != other).then_some(false)
            }
            (TemplateValue::Value(one), TemplateValue::Value(other)) => self.are_same(one, other),
            _ => None,
        }
    }

    /// Whether a condition on template arguments holds.
    pub(super) fn holds(&mut self, condition: &Expr, scope: &TypeScope) -> Option<bool> {
        match self.within(scope.clone(), |me| me.expr(condition)) {
            Value::Term(term) => self.facts.terms.as_const(term).map(|value| value != 0),
            _ => None,
        }
    }

    /// Whether the last arguments of a template are what they would be if none were written.
    fn are_defaults(
        &mut self,
        primary: &[TemplateParam],
        args: &[TemplateValue],
        last: usize,
        scope: &TypeScope,
    ) -> Option<bool> {
        if primary.len() != args.len() || primary.iter().any(|parameter| parameter.pack) {
            return None;
        }
        let mut inside = scope.clone();
        bind(&mut inside, primary, args);
        let mut undecided = false;
        for (parameter, given) in primary.iter().zip(args).skip(args.len() - last) {
            let default = self.within(inside.clone(), |me| me.default_argument(parameter));
            let same = self.same_argument(&default, given);
            match same {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        (!undecided).then_some(true)
    }

    /// Whether the patterns of a specialisation are the arguments for some values of its parameters, which it binds.
    pub(crate) fn fits_all(
        &mut self,
        candidate: &Specialisation<'u>,
        args: &[TemplateValue],
        inside: &mut TypeScope,
    ) -> Option<bool> {
        let own = candidate.template;
        if own.iter().any(|parameter| parameter.pack) || candidate.args.iter().any(is_expansion) {
            return None;
        }
        if candidate.args.len() != args.len() {
            return Some(false);
        }
        let mut undecided = false;
        let mut computed = Vec::new();
        for (pattern, given) in candidate.args.iter().zip(args) {
            if self.is_computed(pattern, own, inside) {
                computed.push((pattern, given));
                continue;
            }
            match self.fits_argument(pattern, given, own, inside) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        // What they depend on is not known.
        if undecided {
            return None;
        }
        for (pattern, given) in computed {
            match self.is_substituted(pattern, given, inside) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        (!undecided).then_some(true)
    }

    /// Whether a pattern depends on parameters in a way that they cannot be deduced from: `decltype(…)`, `typename T::type`,
    /// `Void<…>`, `(N > 4)`.
    fn is_computed(
        &mut self,
        pattern: &TemplateArg,
        own: &[TemplateParam],
        bound: &TypeScope,
    ) -> bool {
        self.within(bound.clone(), |me| me.argument_depends(pattern, own))
    }

    /// Whether one pattern is an argument, for values of the parameters in it that are bound or that it binds.
    fn fits_argument(
        &mut self,
        pattern: &TemplateArg,
        given: &TemplateValue,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        match given {
            TemplateValue::Type(ty, Some(identity)) => {
                let pattern = as_type(pattern)?;
                self.fits(&pattern, ty, identity, own, bound)
            }
            TemplateValue::Type(given_type, None) => {
                let written = as_type(pattern)?;
                if is_untold(&written, own) {
                    return None;
                }
                // Two mentions of a function may make two classes of one.
                if names_function(given_type) {
                    return is_bare(&written, own)
                        .then(|| self.unify_argument(pattern, given, own, bound));
                }
                // What it is not known to be, it may be.
                if !(is_bare(&written, own)
                    || given_type.is_resolved() && self.is_resolved(&written, own, bound))
                {
                    return None;
                }
                if let TypeKind::Named(name) = &written.kind
                    && is_bare(&written, own)
                    && let Some(known) = bound.types.get(&name.base)
                {
                    return differ(known, given_type).then_some(false);
                }
                // Of another layout it is another type, of the same one it may be.
                let fits = self.unify_argument(pattern, given, own, bound);
                (!fits || is_bare(&written, own)).then_some(fits)
            }
            TemplateValue::Value(given) => self.fits_value(pattern, given, own, bound),
            TemplateValue::Unknown => None,
        }
    }

    /// The same of a value.
    fn fits_value(
        &mut self,
        pattern: &TemplateArg,
        given: &Value,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        let name = match pattern {
            TemplateArg::Type(_) => return Some(false),
            TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            })
            | TemplateArg::Name(name) => Some(name),
            TemplateArg::Expr(_) => None,
        };
        if let Some(name) = name
            && parameter(name, own).is_some()
        {
            return match bound.values.get(&name.base) {
                Some(known) => self.are_same(known, given),
                None => {
                    bound.values.insert(name.base.clone(), given.clone());
                    Some(true)
                }
            };
        }
        let meant = self.within(bound.clone(), |me| match (pattern, name) {
            (_, Some(name)) => me.name(name),
            (TemplateArg::Expr(expr), None) => me.expr(expr),
            _ => Value::Unknown,
        });
        let meant = self.as_entity(meant);
        self.are_same(&meant, given)
    }

    /// Whether it is known which types a pattern takes.
    fn is_resolved(&mut self, pattern: &Type, own: &[TemplateParam], bound: &TypeScope) -> bool {
        match &pattern.kind {
            _ if !mentions(pattern, own) => {
                let ty = self.within(bound.clone(), |me| me.resolve(pattern));
                ty.is_resolved()
            }
            TypeKind::Pointer(to) => self.is_resolved(to, own, bound),
            // An instance of a class template of the unit.
            TypeKind::Named(name) if name.args.is_some() => {
                let entries = self
                    .index
                    .types_at(&name.lookup_path(), &bound.path, name.range);
                let is_class = |entry: &TypeEntry<'_>| matches!(entry, TypeEntry::Class(..));
                !entries.is_empty() && entries.iter().all(is_class)
            }
            TypeKind::Named(name) => parameter(name, own).is_some(),
            _ => false,
        }
    }

    pub(crate) fn fits(
        &mut self,
        pattern: &Type,
        ty: &Ty,
        identity: &Type,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        let same_qualifiers =
            (pattern.is_const, pattern.is_volatile) == (identity.is_const, identity.is_volatile);
        if super::templates::is_template(identity) {
            return self.fits_template(pattern, ty, identity, own, bound);
        }
        match (&pattern.kind, &identity.kind) {
            (TypeKind::Named(name), _) if parameter(name, own).is_some() => {
                let parameter = parameter(name, own)?;
                if !matches!(parameter.kind, TemplateParamKind::Type { .. }) {
                    return None;
                }
                let qualifies = pattern.is_const || pattern.is_volatile;
                if qualifies && matches!(identity.kind, TypeKind::Array(..)) {
                    return None;
                }
                if pattern.is_const && !identity.is_const
                    || pattern.is_volatile && !identity.is_volatile
                {
                    return Some(false);
                }
                let mut rest = identity.clone();
                rest.is_const &= !pattern.is_const;
                rest.is_volatile &= !pattern.is_volatile;
                bind_or_compare(bound, &name.base, ty, rest)
            }
            (TypeKind::Named(name), _) if mentions(pattern, own) => {
                if !same_qualifiers {
                    return Some(false);
                }
                self.fits_class(name, ty, own, bound)
            }
            (TypeKind::Named(_), _) => {
                let meant = self.within(bound.clone(), |me| me.identity(pattern))?;
                Some(meant == *identity)
            }
            (TypeKind::Scalar(one), TypeKind::Scalar(other)) => {
                Some(one == other && same_qualifiers)
            }
            (TypeKind::Pointer(pattern), TypeKind::Pointer(identity)) => {
                let Ty::Pointer(ty) = ty else { return None };
                if !same_qualifiers {
                    return Some(false);
                }
                self.fits(pattern, ty, identity, own, bound)
            }
            (TypeKind::Reference(pattern), TypeKind::Reference(identity))
            | (TypeKind::RvalueReference(pattern), TypeKind::RvalueReference(identity)) => {
                self.fits(pattern, ty, identity, own, bound)
            }
            (TypeKind::Function { .. }, TypeKind::Function { ret, params }) => {
                self.fits_function(pattern, (ret, params), own, bound)
            }
            (TypeKind::Function { .. }, _) => Some(false),
            (TypeKind::Array(pattern, size), TypeKind::Array(identity, count)) => {
                let Ty::Array(ty, extent) = ty else {
                    return None;
                };
                let sizes = match (size, count) {
                    (None, None) => Some(true),
                    (Some(size), Some(_)) => self.fits_extent(size, *extent, own, bound),
                    _ => Some(false),
                };
                match sizes {
                    Some(true) => self.fits(pattern, ty, identity, own, bound),
                    other => other,
                }
            }
            (
                TypeKind::Scalar(_)
                | TypeKind::Pointer(_)
                | TypeKind::Reference(_)
                | TypeKind::RvalueReference(_)
                | TypeKind::Array(..),
                _,
            ) => Some(false),
            _ => None,
        }
    }

    /// A template as an argument: a parameter that is a template, or the name of one.
    fn fits_template(
        &mut self,
        pattern: &Type,
        ty: &Ty,
        identity: &Type,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        let TypeKind::Named(name) = &pattern.kind else {
            return None;
        };
        match parameter(name, own) {
            Some(parameter) if matches!(parameter.kind, TemplateParamKind::Template { .. }) => {
                bind_or_compare(bound, &name.base, ty, identity.clone())
            }
            Some(_) => None,
            None => match self.within(bound.clone(), |me| me.template_template(name)) {
                TemplateValue::Type(_, Some(meant)) => Some(*meant == *identity),
                _ => None,
            },
        }
    }

    /// `S<T, 4>`
    fn fits_class(
        &mut self,
        name: &Name,
        ty: &Ty,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        if name.qualifier.iter().any(|segment| segment.args.is_some()) {
            return None;
        }
        let patterns = name.args.as_deref()?;
        let entries = self
            .index
            .types_at(&name.lookup_path(), &bound.path, name.range);
        // No number and no pointer is an instance of a class template of the library.
        if entries.is_empty() && is_class_of_library(name) {
            return matches!(ty, Ty::Scalar(_) | Ty::Pointer(_) | Ty::Array(..)).then_some(false);
        }
        let mut classes = entries.iter().map(|entry| match entry {
            TypeEntry::Class(_, record) => Some(record.name.as_str()),
            _ => None,
        });
        let template = classes.next()??;
        if classes.any(|other| other != Some(template)) {
            return None;
        }
        let Ty::Struct(class) = ty else {
            return matches!(ty, Ty::Scalar(_) | Ty::Pointer(_) | Ty::Array(..)).then_some(false);
        };
        if self
            .record(class)
            .is_none_or(|record| record.name != template)
        {
            return Some(false);
        }
        let given = told_arguments(class);
        if patterns.len() != given.len() || patterns.iter().any(is_expansion) {
            return None;
        }
        let mut undecided = false;
        for (pattern, given) in patterns.iter().zip(&given) {
            match self.fits_argument(pattern, given, own, bound) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        (!undecided).then_some(true)
    }

    /// `[N]`, `[4]`
    fn fits_extent(
        &mut self,
        size: &Expr,
        extent: Extent,
        own: &[TemplateParam],
        bound: &mut TypeScope,
    ) -> Option<bool> {
        let Extent::Constant(count) = extent else {
            return None;
        };
        let count = i128::from(count);
        if let ExprKind::Name(name) = &size.kind
            && let Some(TemplateParam {
                kind: TemplateParamKind::Value { ty, .. },
                ..
            }) = parameter(name, own)
            && !bound.values.contains_key(&name.base)
        {
            let Ty::Scalar(ctype) = self.within(bound.clone(), |me| me.resolve(ty)) else {
                return None;
            };
            let count = self.facts.terms.constant(count, ctype);
            bound.values.insert(name.base.clone(), Value::Term(count));
            return Some(true);
        }
        match self.within(bound.clone(), |me| me.expr(size)) {
            Value::Term(size) => Some(self.facts.terms.as_const(size)? == count),
            _ => None,
        }
    }

    /// Whether a pattern that depends on parameters which are bound now is an argument.
    fn is_substituted(
        &mut self,
        pattern: &TemplateArg,
        given: &TemplateValue,
        bound: &TypeScope,
    ) -> Option<bool> {
        if let TemplateValue::Value(given) = given {
            return self.is_computed_value(pattern, given, bound);
        }
        let (pattern, TemplateValue::Type(_, identity)) = (as_type(pattern)?, given) else {
            return None;
        };
        match self.within(bound.clone(), |me| me.substituted(&pattern)) {
            Substituted::Nothing => Some(false),
            Substituted::Type(ty) => Some(ty == **identity.as_ref()?),
            Substituted::Undecided => None,
        }
    }

    /// The same of a value: `(sizeof(T) > 4)`, `T::size`.
    fn is_computed_value(
        &mut self,
        pattern: &TemplateArg,
        given: &Value,
        bound: &TypeScope,
    ) -> Option<bool> {
        let expr = match pattern {
            TemplateArg::Expr(expr) => expr.clone(),
            TemplateArg::Name(name) => Expr {
                kind: ExprKind::Name(name.clone()),
                range: name.range,
            },
            TemplateArg::Type(_) => return None,
        };
        let (valid, meant) = self.within(bound.clone(), |me| {
            let valid = me.is_valid(&expr);
            let meant = match valid {
                Some(true) => me.expr(&expr),
                _ => Value::Unknown,
            };
            (valid, meant)
        });
        match valid {
            Some(true) => {
                let meant = self.as_entity(meant);
                self.are_same(&meant, given)
            }
            valid => valid,
        }
    }

    /// Whether a specialisation that does not fit would for some values of what is not known.
    fn may_fit(&self, patterns: &[TemplateArg], args: &[TemplateValue]) -> bool {
        args.len() == patterns.len()
            && args.iter().any(|arg| !self.is_told(arg))
            && patterns
                .iter()
                .zip(args)
                .all(|(pattern, given)| !self.is_told(given) || self.may_be(pattern, given))
    }

    /// Whether an argument that is known may be what a pattern asks for.
    fn may_be(&self, pattern: &TemplateArg, given: &TemplateValue) -> bool {
        match (pattern, given) {
            (
                TemplateArg::Type(Type {
                    kind: TypeKind::Scalar(scalar),
                    ..
                }),
                TemplateValue::Type(given, _),
            ) => types::scalar(*scalar) == *given,
            (
                TemplateArg::Expr(Expr {
                    kind: ExprKind::Int { value, .. },
                    ..
                }),
                TemplateValue::Value(Value::Term(given)),
            ) => self.facts.terms.as_const(*given) == Some(i128::from(*value)),
            (
                TemplateArg::Expr(Expr {
                    kind: ExprKind::Bool(value),
                    ..
                }),
                TemplateValue::Value(Value::Term(given)),
            ) => self.facts.terms.as_const(*given) == Some(i128::from(*value)),
            _ => true,
        }
    }
}

/// Binds a parameter, or says whether it is what it was bound to before.
fn bind_or_compare(bound: &mut TypeScope, name: &str, ty: &Ty, identity: Type) -> Option<bool> {
    match (bound.types.get(name), bound.identities.get(name)) {
        (None, _) => {
            bound.bind_type(name, ty.clone(), Some(Rc::new(identity)));
            Some(true)
        }
        (Some(_), Some(known)) => Some(**known == identity),
        (Some(known), None) => differ(known, ty).then_some(false),
    }
}

/// `std::pair<A, B>`
fn is_class_of_library(name: &Name) -> bool {
    const CLASSES: &[&str] = &[
        "array",
        "basic_string",
        "complex",
        "function",
        "integral_constant",
        "optional",
        "pair",
        "shared_ptr",
        "span",
        "tuple",
        "unique_ptr",
        "variant",
        "vector",
    ];
    let is_std = match name.qualifier.as_slice() {
        [one] => one.name == "std",
        [one, two] => one.name == "cuda" && two.name == "std",
        _ => false,
    };
    is_std && CLASSES.contains(&name.base.as_str())
}

/// Whether two types are not one, whatever they are called.
fn differ(one: &Ty, other: &Ty) -> bool {
    one != other && one.is_resolved() && other.is_resolved()
}

/// The arguments of a class, with identities only where these are certain.
pub(crate) fn told_arguments(class: &StructTy) -> Vec<TemplateValue> {
    let Some(made) = &class.class else {
        return Vec::new();
    };
    let args = made.args.iter().cloned();
    args.map(|arg| match arg {
        TemplateValue::Type(ty, identity) if made.doubtful.get() => {
            TemplateValue::Type(ty, identity.filter(|one| is_reference(one)))
        }
        arg => arg,
    })
    .collect()
}

/// Whether a type depends on a function that is not told from others of its name.
fn names_function(ty: &Ty) -> bool {
    match ty {
        Ty::Pointer(to) | Ty::Array(to, _) => names_function(to),
        Ty::Struct(class) => class.class.as_ref().is_some_and(|made| {
            made.args.iter().any(|arg| match arg {
                TemplateValue::Type(ty, _) => names_function(ty),
                TemplateValue::Value(value) => is_doubtful(value),
                TemplateValue::Unknown => false,
            })
        }),
        _ => false,
    }
}

/// The parameter that a name is.
fn parameter<'t>(name: &Name, own: &'t [TemplateParam]) -> Option<&'t TemplateParam> {
    let simple = name.as_simple()?;
    own.iter()
        .find(|parameter| parameter.name.as_deref() == Some(simple))
}

/// A pattern as a type, if it is none of a value.
fn as_type(pattern: &TemplateArg) -> Option<Type> {
    match pattern {
        TemplateArg::Type(ty) => Some(ty.clone()),
        TemplateArg::Name(name)
        | TemplateArg::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => Some(Type::new(TypeKind::Named(name.clone()), name.range)),
        TemplateArg::Expr(_) => None,
    }
}

fn is_expansion(pattern: &TemplateArg) -> bool {
    matches!(
        pattern,
        TemplateArg::Type(Type {
            kind: TypeKind::Expand(_),
            ..
        }) | TemplateArg::Expr(Expr {
            kind: ExprKind::Expand(_),
            ..
        })
    )
}

/// Whether a pattern is nothing but a parameter, which anything is.
fn is_bare(pattern: &Type, own: &[TemplateParam]) -> bool {
    matches!(&pattern.kind, TypeKind::Named(name)
        if parameter(name, own).is_some() && !pattern.is_const && !pattern.is_volatile)
}

/// Whether a pattern asks for what types do not keep here: `const T`, `T &`, `T[]`, `R(A)`, `V<T>` of any template V.
fn is_untold(pattern: &Type, parameters: &[TemplateParam]) -> bool {
    let named = |name: &Name| {
        parameters.iter().any(|parameter| {
            !matches!(
                parameter.kind,
                TemplateParamKind::Type { .. } | TemplateParamKind::Value { .. }
            ) && parameter.name.as_deref() == Some(&*name.base)
        })
    };
    pattern.is_const
        || pattern.is_volatile
        || match &pattern.kind {
            TypeKind::Reference(_)
            | TypeKind::RvalueReference(_)
            | TypeKind::Array(..)
            | TypeKind::Function { .. } => true,
            TypeKind::Pointer(to) => is_untold(to, parameters),
            TypeKind::Named(name) => {
                let own = |arg: &TemplateArg| matches!(arg, TemplateArg::Type(ty) if is_untold(ty, parameters));
                named(name) || name.args.iter().flatten().any(own)
            }
            _ => false,
        }
}
