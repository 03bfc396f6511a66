//! Candidates that a call fits: deduction of template arguments, what each argument must be.

use std::rc::Rc;

use super::super::body::Lowerer;
use super::super::classes::{bind, mentions, mentions_in, own_parameters};
use super::super::constness::{Argument, Category, Qualified, Takes};
use super::super::derived::class_of;
use super::super::formed::all;
use super::super::packs;
use super::super::types::{TemplateValue, Ty, TypeScope};
use super::super::typing::{decayed, is_unknown};
use super::best::same_body;
use super::rank::{CONVERSION, DERIVED, ELLIPSIS, EXACT, GUESS};
use super::{Chosen, Doubt, Viable};
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// Whether a candidate can take the arguments as places or temporaries, constant or not; where that is not known, it is
    /// doubtful.
    pub(super) fn takes_all(
        &mut self,
        one: &mut Viable<'u>,
        object: Option<bool>,
        args: &[Argument<'_>],
    ) -> bool {
        let of_object = Takes::of_object(one.chosen.function);
        let known = (
            Category::Place,
            Qualified {
                object,
                pointee: None,
            },
        );
        match of_object.fits(&Ty::Void, known, Some(true)) {
            Some(true) => {}
            Some(false) => return false,
            // Where no other is for constant objects, the program would not be valid for one.
            None if self.index.differ_in_const(&one.chosen.function.name) => {
                one.doubts.push((None, Doubt::Changeable));
            }
            None => {}
        }
        for (position, arg) in args.iter().enumerate() {
            let Some(param) = one.chosen.function.params.get(position) else {
                break;
            };
            if param.pack {
                break;
            }
            let (takes, told) = self.takes(one, position);
            // A value is converted into a temporary.
            let as_it_is = match one.ranks[position] {
                EXACT => Some(true),
                GUESS => None,
                DERIVED | CONVERSION if matches!(arg.ty, Ty::Struct(_)) => Some(true),
                _ => Some(false),
            };
            let matters = matches!(
                takes,
                Takes::Reference {
                    is_const: false,
                    ..
                } | Takes::Pointer {
                    is_const: false,
                    ..
                } | Takes::Temporary
            );
            if !matters {
                continue;
            }
            let known = self.known_of(arg);
            match takes.fits(&arg.ty, known, as_it_is) {
                Some(true) => {}
                Some(false) if told => return false,
                _ => {
                    let doubt = match takes {
                        Takes::Temporary => Doubt::Temporary,
                        _ => Doubt::Changeable,
                    };
                    one.doubts.push((Some(position), doubt));
                }
            }
        }
        true
    }

    /// What a parameter says of the place that it is bound to, and whether all of that is known: another name of a type may
    /// stand for what is constant.
    pub(super) fn takes(&mut self, one: &Viable<'u>, position: usize) -> (Takes, bool) {
        let Some((ty, scope, own)) = one.written_at(position) else {
            return (Takes::Value, true);
        };
        let mut takes = Takes::of(ty, &|ty| bare_parameter(ty, own));
        let (Takes::Reference { is_const, deduced } | Takes::Pointer { is_const, deduced }) =
            &mut takes
        else {
            return (takes, true);
        };
        let (TypeKind::Reference(to) | TypeKind::Pointer(to)) = &ty.kind else {
            return (takes, true);
        };
        if *is_const || *deduced || !matches!(to.kind, TypeKind::Named(_) | TypeKind::Decltype(_)) {
            return (takes, true);
        }
        let known = self.within(scope.clone(), |me| match me.is_const(to) {
            Some(known) => Some(known),
            None => me.identity(to).map(|identity| identity.is_const),
        });
        *is_const = known.unwrap_or(false);
        (takes, known.is_some())
    }

    /// Whether a function can take the arguments, and how well.
    pub(super) fn viable(
        &mut self,
        function: &'u Function,
        mut scope: TypeScope,
        written: Option<&[TemplateArg]>,
        args: &[Argument<'_>],
    ) -> Option<Viable<'u>> {
        let is_variadic = packs::is_variadic(function);
        let function = match is_variadic {
            true => {
                let template = function.template.as_deref().unwrap_or(&[]);
                let own = own_parameters(template, &scope);
                let written = written.map_or(0, <[TemplateArg]>::len);
                let written_out = self.index.written_out(function, own, args.len(), written);
                written_out.unwrap_or(function)
            }
            false => function,
        };
        let required = function
            .params
            .iter()
            .filter(|param| param.default.is_none() && !param.pack)
            .count();
        let pack = function.params.iter().any(|param| param.pack);
        if args.len() < required
            || (args.len() > function.params.len() && !function.variadic && !pack)
        {
            return None;
        }
        let template = function.template.as_deref().unwrap_or(&[]);
        let parameters: Vec<TemplateParam> = own_parameters(template, &scope).to_vec();
        // `f<>(1)` is of a template, too.
        if parameters.is_empty() && written.is_some() && function.template.is_none() {
            return None;
        }
        let is_template = !parameters.is_empty();
        let mut undecided = false;
        if is_template {
            let decided = self.deduce(
                function,
                &parameters,
                written.unwrap_or(&[]),
                args,
                &mut scope,
            )?;
            undecided = !decided;
            let mut parts = Vec::with_capacity(function.params.len() + 1);
            for param in &function.params {
                parts.push(self.can_be_formed(param, &parameters, &scope));
            }
            let count = written.map_or(0, <[TemplateArg]>::len);
            parts.push(self.can_be_declared(function, &parameters, count, &scope));
            match all(parts) {
                Some(true) => {}
                Some(false) => return None,
                None => undecided = true,
            }
        }
        if let Some(condition) = &function.requires {
            match self.holds(condition, &scope) {
                Some(true) if !undecided => {}
                Some(false) if !undecided => return None,
                _ => undecided = true,
            }
        }
        let as_written = function;
        let function = self.with_references(function, &parameters, &scope);
        let hides_references = is_template && !std::ptr::eq(function, as_written);
        let mut unresolved = false;
        let mut ranks = Vec::with_capacity(args.len());
        let mut bases = Vec::with_capacity(args.len());
        for (param, arg) in function.params.iter().zip(args) {
            if param.pack {
                break;
            }
            if undecided && !is_followed(&param.ty, &parameters) {
                ranks.push(GUESS);
                bases.push(None);
                continue;
            }
            // What mentions template parameters was matched by deduction.
            let target = self.within(scope.clone(), |me| me.resolve(&param.ty));
            let found = match becomes_pointer(arg, &param.ty, &target) {
                Some(true) => Some(CONVERSION),
                Some(false) => return None,
                None => self.rank(&arg.ty, &target, &param.ty),
            };
            let rank = match found {
                Some(rank) => rank,
                // What it would be deduced from is not known.
                None if undecided
                    && class_of(&arg.ty).is_some()
                    && mentions(&param.ty, &parameters) =>
                {
                    GUESS
                }
                None => return None,
            };
            undecided |= rank == GUESS && self.may_derive(&arg.ty, &target);
            ranks.push(rank);
            bases.push(class_of(&target).filter(|_| rank == DERIVED).cloned());
            unresolved |= arg.ty != target && self.may_be_other(&arg.ty, &target);
        }
        // The elements of a pack are of the types of their arguments.
        let further = if pack { EXACT } else { ELLIPSIS };
        ranks.resize(args.len().max(ranks.len()), further);
        Some(Viable {
            chosen: Chosen { function, scope },
            ranks,
            bases,
            is_template,
            is_variadic,
            unresolved,
            own: parameters,
            undecided,
            hides_references,
            doubts: Vec::new(),
        })
    }

    /// Whether the type of a parameter exists for the template arguments: `decltype(&T::f)`, `typename T::type *`.
    pub(super) fn can_be_formed(
        &mut self,
        param: &Param,
        parameters: &[TemplateParam],
        scope: &TypeScope,
    ) -> Option<bool> {
        if !self.names_one(param, parameters) {
            return Some(true);
        }
        self.within(scope.clone(), |me| {
            match me.depends(&param.ty, parameters) {
                true => me.is_valid_type(&param.ty),
                false => Some(true),
            }
        })
    }

    /// The same of the result, of the types of template parameters that are values, and of the defaults that a call takes.
    fn can_be_declared(
        &mut self,
        function: &'u Function,
        parameters: &[TemplateParam],
        written: usize,
        scope: &TypeScope,
    ) -> Option<bool> {
        let mut parts = vec![self.within_declaration(function, scope, |me| {
            match me.depends(&function.ret, parameters) {
                true => me.is_valid_type(&function.ret),
                false => Some(true),
            }
        })];
        for (position, parameter) in parameters.iter().enumerate() {
            let takes_default = position >= written && parameter.name.is_none();
            parts.push(self.within(scope.clone(), |me| {
                me.parameter_is_valid(parameter, parameters, takes_default)
            }));
        }
        all(parts)
    }

    fn parameter_is_valid(
        &mut self,
        parameter: &TemplateParam,
        all_of_them: &[TemplateParam],
        takes_default: bool,
    ) -> Option<bool> {
        match &parameter.kind {
            TemplateParamKind::Type {
                default: Some(default),
            } if takes_default && self.depends(default, all_of_them) => self.is_valid_type(default),
            TemplateParamKind::Value { ty, default } => {
                let of_type = match self.depends(ty, all_of_them) {
                    true => self.is_valid_type(ty),
                    false => Some(true),
                };
                let of_default = match default {
                    Some(default) if takes_default && mentions_in(default, all_of_them) => {
                        self.is_valid(default)
                    }
                    _ => Some(true),
                };
                all([of_type, of_default])
            }
            _ => Some(true),
        }
    }

    /// Whether a written template argument may convert to what a parameter takes: no number becomes an enumerator, nor an enumerator one
    /// of another enumeration, nor one of a scoped enumeration a number.
    fn may_be_argument(
        &self,
        arg: &TemplateArg,
        parameter: &TemplateParam,
        declared: &TypeScope,
    ) -> bool {
        let TemplateParamKind::Value { ty, .. } = &parameter.kind else {
            return true;
        };
        let (Some(taken), Some(given)) = (
            self.enumeration_taken(ty, declared),
            self.enumeration_given(arg),
        ) else {
            return true;
        };
        match (taken, given) {
            (Some(taken), Some(given)) => taken.name == given.name,
            (Some(_), None) => false,
            (None, Some(given)) => !given.scoped,
            (None, None) => true,
        }
    }

    /// The enumeration that a parameter is of, or none; where that is known.
    fn enumeration_taken(&self, ty: &Type, scope: &TypeScope) -> Option<Option<&'u Enum>> {
        match &ty.kind {
            TypeKind::Scalar(_) => Some(None),
            TypeKind::Named(name) if !scope.types.contains_key(&name.base) => {
                self.index.enumeration_of(ty, &scope.path).map(Some)
            }
            _ => None,
        }
    }

    /// The enumeration that a template argument is an enumerator of, or none; where that is known.
    fn enumeration_given(&self, arg: &TemplateArg) -> Option<Option<&'u Enum>> {
        let name = match arg {
            TemplateArg::Expr(expr) => match &expr.kind {
                ExprKind::Int { .. } | ExprKind::Bool(_) | ExprKind::Char { .. } => {
                    return Some(None);
                }
                ExprKind::Name(name) => name,
                _ => return None,
            },
            TemplateArg::Name(name) => name,
            TemplateArg::Type(Type {
                kind: TypeKind::Named(name),
                ..
            }) => name,
            TemplateArg::Type(_) => return None,
        };
        let scope = self.scope();
        let Some(simple) = name.as_simple() else {
            let first = name.qualifier.first()?;
            if first.args.is_some() || scope.types.contains_key(&first.name) {
                return None;
            }
            let path = name.lookup_path();
            let found = self.index.enumerator_at(&path, &scope.path, name.range)?;
            return Some(Some(found.0));
        };
        if !scope.values.contains_key(simple) {
            return None;
        }
        // A template parameter of the function that calls.
        let function = self.index.named.function_at(self.calls.last()?.function)?;
        let declared = packs::pack_of(simple).unwrap_or(simple);
        let mut own = function.template.iter().flatten();
        let parameter = own.find(|one| one.name.as_deref() == Some(declared))?;
        match &parameter.kind {
            TemplateParamKind::Value { ty, .. } => self.enumeration_taken(ty, &scope),
            _ => None,
        }
    }

    /// Template arguments of a call: those written, those deduced, defaults. `None`: they do not fit; false: whether they
    /// do is not decided here.
    pub(super) fn deduce(
        &mut self,
        function: &'u Function,
        parameters: &[TemplateParam],
        written: &[TemplateArg],
        args: &[Argument<'_>],
        scope: &mut TypeScope,
    ) -> Option<bool> {
        if written.len() > parameters.len() && !parameters.iter().any(|one| one.pack) {
            return None;
        }
        let mut decided = true;
        let mut values = Vec::new();
        for (parameter, arg) in parameters.iter().zip(written) {
            if parameter.pack {
                break;
            }
            if !self.may_be_argument(arg, parameter, scope) {
                return None;
            }
            values.push(self.template_value(arg, parameter, scope));
            bind(scope, parameters, &values);
        }
        for (param, arg) in function.params.iter().zip(args) {
            // A pack of types, or a pointer to a member, keeps what it is made of in its text alone.
            let opaque = !is_followed(&param.ty, parameters) && self.names_one(param, parameters);
            if is_unknown(&arg.ty)
                || param.pack
                || !(opaque || mentions(&param.ty, parameters))
                || is_not_deduced(&param.ty, parameters)
            {
                continue;
            }
            let by_reference = matches!(
                param.ty.kind,
                TypeKind::Reference(_) | TypeKind::RvalueReference(_)
            );
            let given = if by_reference {
                arg.ty.clone()
            } else {
                decayed(arg.ty.clone())
            };
            self.note_constant_deduction(&param.ty, parameters, arg);
            if let TypeKind::Named(name) = &param.ty.kind
                && bare_parameter(&param.ty, parameters)
                && !scope.types.contains_key(&name.base)
                && let Some(identity) = self.identity_of_value(arg)
            {
                scope.bind_type(&name.base, given, Some(Rc::new(identity)));
                continue;
            }
            if self.deduces_forwarded(&param.ty, &given, parameters, arg, scope)
                || self.deduces_identity(&param.ty, &given, parameters, arg, scope)
            {
                continue;
            }
            let before = scope.clone();
            if !self.unify(&param.ty, &given, parameters, scope) {
                if opaque || self.may_be_any(&given) {
                    decided = false;
                    continue;
                }
                // `f<float>(1)`: what was written may still convert.
                let deduced = parameters.get(written.len()..).unwrap_or_default();
                let fixed = !mentions(&param.ty, deduced)
                    || parameters.iter().take(written.len()).any(|parameter| {
                        parameter.name.as_ref().is_some_and(|name| {
                            mentions(&param.ty, std::slice::from_ref(parameter))
                                && scope.types.contains_key(name)
                        })
                    });
                if fixed {
                    continue;
                }
                // Nothing that was tried in vain is kept.
                *scope = before;
                match self.deduces_from_base(&param.ty, &given, parameters, scope) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => decided = false,
                }
            }
        }
        for parameter in parameters {
            let Some(name) = &parameter.name else {
                continue;
            };
            if scope.types.contains_key(name) || scope.values.contains_key(name) || parameter.pack {
                continue;
            }
            let valid = self.within(scope.clone(), |me| {
                me.parameter_is_valid(parameter, parameters, true)
            });
            match valid {
                Some(true) => {}
                Some(false) => return None,
                None => decided = false,
            }
            let value = match self.within(scope.clone(), |me| me.default_argument(parameter)) {
                TemplateValue::Unknown => {
                    let own = std::slice::from_ref(parameter);
                    // Nothing tells what it is.
                    if !function
                        .params
                        .iter()
                        .any(|param| self.names_one(param, own))
                    {
                        return None;
                    }
                    decided = false;
                    TemplateValue::Unknown
                }
                known => known,
            };
            bind(scope, std::slice::from_ref(parameter), &[value]);
        }
        Some(decided)
    }

    /// Whether one of the template parameters stands in a parameter, however it is written.
    pub(crate) fn names_one(&self, param: &Param, own: &[TemplateParam]) -> bool {
        let text = self.sources.text(param.range);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        mentions(&param.ty, own)
            || words.any(|word| own.iter().any(|one| one.name.as_deref() == Some(word)))
    }
}

/// Whether an argument of a type that is not known may exclude some of the candidates, and so say which is meant: those
/// that do the same do not count.
pub(super) fn depends_on_unknown(viable: &[Viable<'_>], args: &[Argument<'_>]) -> bool {
    let unknown = |position: &usize| {
        let ty = &args[*position].ty;
        is_unknown(ty) || matches!(ty, Ty::Opaque { name, bytes: None } if name.contains("::"))
    };
    (0..args.len()).filter(unknown).any(|position| {
        viable.split_first().is_some_and(|(first, rest)| {
            rest.iter().any(|one| {
                !one.pattern_at(position)
                    .takes_as_much(&first.pattern_at(position))
                    && !same_body(one.chosen.function, first.chosen.function)
            })
        })
    })
}

/// Whether a whole number is a null pointer for a parameter that is a pointer: `0` is one, no other number is. `None`: the argument is
/// none, or how it is written is not known.
fn becomes_pointer(arg: &Argument<'_>, written: &Type, target: &Ty) -> Option<bool> {
    let is_number = matches!(&arg.ty, Ty::Scalar(ty) if ty.is_integer());
    let is_pointer = matches!(written.kind, TypeKind::Pointer(_) | TypeKind::Array(..))
        || matches!(target, Ty::Pointer(_));
    let expr = arg.expr.filter(|_| is_number && is_pointer)?;
    Some(matches!(expr.kind, ExprKind::Int { value: 0, .. }))
}

/// Whether nothing is deduced from a parameter: `typename T::type *`, `decltype(T::x)`, `char (*)[sizeof(T)]`.
fn is_not_deduced(ty: &Type, own: &[TemplateParam]) -> bool {
    match &ty.kind {
        TypeKind::Decltype(_) => true,
        TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
            is_not_deduced(to, own)
        }
        TypeKind::Array(of, size) => {
            let computed = |size: &Expr| !matches!(size.kind, ExprKind::Name(_));
            is_not_deduced(of, own) && size.as_deref().is_none_or(computed)
        }
        TypeKind::Named(name) => {
            let mut args = name.args.iter().flatten();
            let of_own = || own.iter().any(|one| one.name.as_ref() == Some(&name.base));
            let is_own = name.qualifier.is_empty() && of_own();
            let is_qualified = name.args.is_none() && !name.qualifier.is_empty();
            !mentions(ty, own)
                || !is_own
                    && (is_qualified
                        || name.args.is_some()
                            && args.all(|arg| match arg {
                                TemplateArg::Type(ty) => is_not_deduced(ty, own),
                                TemplateArg::Name(_) => false,
                                TemplateArg::Expr(expr) => !matches!(expr.kind, ExprKind::Name(_)),
                            }))
        }
        TypeKind::Scalar(_) => true,
        _ => false,
    }
}

/// `T &`
pub(super) fn takes_writable(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Reference(to) if !to.is_const)
}

/// Whether deduction looks into all of a type: not into functions, pointers to members, members of classes that depend on the
/// parameters, parameters that are templates, and packs.
pub(super) fn is_followed(ty: &Type, own: &[TemplateParam]) -> bool {
    let named = |name: &str| own.iter().find(|one| one.name.as_deref() == Some(name));
    let plain = |name: &Name, is_type: bool| {
        let parameter = named(&name.base);
        let is_value = |one: &&TemplateParam| {
            !one.pack && !matches!(one.kind, TemplateParamKind::Template { .. })
        };
        parameter.as_ref().is_none_or(is_value)
            && (is_type || parameter.is_none() || name.args.is_none())
            && name
                .qualifier
                .iter()
                .all(|segment| segment.args.is_none() && named(&segment.name).is_none())
    };
    match &ty.kind {
        TypeKind::Scalar(_) => true,
        TypeKind::Named(name) => {
            plain(name, true)
                && name.args.iter().flatten().all(|arg| match arg {
                    TemplateArg::Type(ty) => is_followed(ty, own),
                    TemplateArg::Name(name) => plain(name, false),
                    TemplateArg::Expr(expr) => {
                        matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Bool(_))
                    }
                })
        }
        TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) => is_followed(to, own),
        _ => false,
    }
}

/// Whether a parameter's type is nothing but a template parameter.
pub(super) fn bare_parameter(ty: &Type, parameters: &[TemplateParam]) -> bool {
    let is_own = |simple: &str| {
        let mut names = parameters.iter().map(|parameter| parameter.name.as_deref());
        names.any(|name| name == Some(simple))
    };
    matches!(&ty.kind, TypeKind::Named(name) if name.as_simple().is_some_and(is_own))
}
