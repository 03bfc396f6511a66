//! Which of two templates is the more special (partial ordering of function templates and of partial specialisations).
//!
//! **Method.** One is at least as special as another if the patterns of the other can be deduced from its own, where its
//! template parameters count as types that nothing else is. It is more special if the other is not as special as it. What is
//! not looked into (functions, arrays, computed types, values that are no literals) is deduced from nothing: then neither is
//! the more special one, which is asked about as any overload that is not decided.

use crate::syntax::ast::*;

/// The parameters of a template and what it takes.
pub(super) struct Patterns<'a> {
    own: &'a [TemplateParam],
    args: Vec<Pattern<'a>>,
    /// Whether it takes any number of arguments.
    pack: bool,
    /// Whether what is passed may become constant on the way, `int *` a `const int *`: then which of two is meant depends on
    /// that first, and neither is the more special.
    converts: bool,
}

/// A type, or what stands for a type or value.
#[derive(Clone, Copy)]
enum Pattern<'a> {
    Type(&'a Type),
    Arg(&'a TemplateArg),
}

impl<'a> Patterns<'a> {
    /// Of as many parameters of a function as a call has arguments: references and their constness do not count.
    pub(super) fn of_function(
        function: &'a Function,
        own: &'a [TemplateParam],
        count: usize,
        pack: bool,
    ) -> Self {
        let params = function.params.iter().take(count);
        Patterns {
            own,
            args: params
                .map(|param| Pattern::Type(referred(&param.ty)))
                .collect(),
            pack,
            converts: true,
        }
    }

    /// Of one parameter of a function alone.
    pub(super) fn of_parameter(
        function: &'a Function,
        own: &'a [TemplateParam],
        position: usize,
    ) -> Self {
        let param = function.params.get(position);
        Patterns {
            own,
            args: param
                .map(|param| Pattern::Type(referred(&param.ty)))
                .into_iter()
                .collect(),
            pack: false,
            converts: true,
        }
    }

    /// Whether both take the same, whatever it is.
    pub(super) fn takes_as_much(&self, other: &Patterns<'_>) -> bool {
        self.is_as_special(other) && other.is_as_special(self)
    }

    /// Of a partial specialisation of a class or variable.
    pub(super) fn of_specialisation(own: &'a [TemplateParam], args: &'a [TemplateArg]) -> Self {
        Patterns {
            own,
            args: args.iter().map(inner).collect(),
            pack: own.iter().any(|parameter| parameter.pack),
            converts: false,
        }
    }

    /// Whether this one is chosen before the other.
    pub(super) fn is_more_special(&self, other: &Patterns<'_>) -> bool {
        match (self.is_as_special(other), other.is_as_special(self)) {
            (true, true) => other.pack && !self.pack,
            (as_special, _) => as_special,
        }
    }

    fn is_as_special(&self, other: &Patterns<'_>) -> bool {
        let mut deduction = Deduction {
            own: other.own,
            of_given: self.own,
            converts: self.converts,
            bound: Vec::new(),
        };
        self.args.len() == other.args.len()
            && other
                .args
                .iter()
                .zip(&self.args)
                .all(|(pattern, given)| deduction.deduces(*pattern, *given, true))
    }
}

/// What the parameters of a pattern were found to be.
struct Deduction<'p, 'g> {
    own: &'p [TemplateParam],
    /// The parameters of the other template, which are types that nothing else is.
    of_given: &'g [TemplateParam],
    converts: bool,
    bound: Vec<(&'p str, Given<'g>)>,
}

/// What a parameter stands for, and whether a `const` of it was taken off.
#[derive(Clone, Copy)]
struct Given<'g> {
    what: Pattern<'g>,
    without_const: bool,
}

impl<'p, 'g> Deduction<'p, 'g> {
    fn deduces(&mut self, pattern: Pattern<'p>, given: Pattern<'g>, outermost: bool) -> bool {
        if let Some(parameter) = self.parameter(pattern) {
            // `const T` takes what is constant, less that; `T` takes it as it is.
            let is_const = |one: &Pattern<'_>| matches!(one, Pattern::Type(ty) if ty.is_const);
            let wants = is_const(&pattern) && !outermost;
            if wants && !is_const(&given)
                || self.converts && !outermost && wants != is_const(&given)
            {
                return false;
            }
            let given = Given {
                what: given,
                without_const: wants || outermost,
            };
            return match self.bound.iter().find(|(name, _)| *name == parameter) {
                Some((_, known)) => same(*known, given),
                None => {
                    self.bound.push((parameter, given));
                    true
                }
            };
        }
        match (kind_of(pattern), kind_of(given)) {
            (Some(Kind::Named(one)), Some(Kind::Named(other))) => {
                self.consts_agree(pattern, given, outermost) && self.named(one, other)
            }
            (Some(Kind::Of(one)), Some(Kind::Of(other))) => {
                self.consts_agree(pattern, given, outermost)
                    && match (&one.kind, &other.kind) {
                        (TypeKind::Scalar(one), TypeKind::Scalar(other)) => one == other,
                        (TypeKind::Pointer(one), TypeKind::Pointer(other))
                        | (TypeKind::Reference(one), TypeKind::Reference(other)) => {
                            self.deduces(Pattern::Type(one), Pattern::Type(other), false)
                        }
                        _ => false,
                    }
            }
            (Some(Kind::Value(one)), Some(Kind::Value(other))) => one == other,
            _ => false,
        }
    }

    fn consts_agree(&self, pattern: Pattern<'_>, given: Pattern<'_>, outermost: bool) -> bool {
        match (pattern, given) {
            (Pattern::Type(one), Pattern::Type(other)) => {
                outermost || (one.is_const, one.is_volatile) == (other.is_const, other.is_volatile)
            }
            _ => true,
        }
    }

    fn named(&mut self, one: &'p Name, other: &'g Name) -> bool {
        let path = |name: &Name| -> Option<Vec<String>> {
            let plain = |segment: &Segment| segment.args.is_none().then(|| segment.name.clone());
            let mut path: Vec<String> = name.qualifier.iter().map(plain).collect::<Option<_>>()?;
            path.push(name.base.clone());
            Some(path)
        };
        let is_unique = self.of_given.iter().any(|parameter| {
            parameter.name.is_some() && parameter.name.as_deref() == other.as_simple()
        });
        if is_unique || path(one).is_none() || path(one) != path(other) {
            return false;
        }
        match (&one.args, &other.args) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                one.len() == other.len()
                    && one
                        .iter()
                        .zip(other)
                        .all(|(one, other)| self.deduces(inner(one), inner(other), false))
            }
            _ => false,
        }
    }

    /// The parameter of the template that a pattern is, if it is one and nothing else.
    fn parameter(&self, pattern: Pattern<'p>) -> Option<&'p str> {
        let Some(Kind::Named(name)) = kind_of(pattern) else {
            return None;
        };
        let simple = name.as_simple()?;
        let is_own = |parameter: &&TemplateParam| parameter.name.as_deref() == Some(simple);
        self.own.iter().find(is_own)?.name.as_deref()
    }
}

enum Kind<'a> {
    Named(&'a Name),
    Value(i128),
    Of(&'a Type),
}

fn kind_of(pattern: Pattern<'_>) -> Option<Kind<'_>> {
    match pattern {
        Pattern::Type(ty) | Pattern::Arg(TemplateArg::Type(ty)) => match &ty.kind {
            TypeKind::Named(name) => Some(Kind::Named(name)),
            _ => Some(Kind::Of(ty)),
        },
        Pattern::Arg(TemplateArg::Name(name)) => Some(Kind::Named(name)),
        Pattern::Arg(TemplateArg::Expr(expr)) => match &expr.kind {
            ExprKind::Int { value, .. } => Some(Kind::Value(i128::from(*value))),
            ExprKind::Bool(value) => Some(Kind::Value(i128::from(*value))),
            _ => None,
        },
    }
}

fn inner(arg: &TemplateArg) -> Pattern<'_> {
    match arg {
        TemplateArg::Type(ty) => Pattern::Type(ty),
        _ => Pattern::Arg(arg),
    }
}

/// Whether a parameter may stand for both: they are written the same.
fn same(one: Given<'_>, other: Given<'_>) -> bool {
    // Nothing is a parameter here, so that only what is equal is deduced.
    let mut equal = Deduction {
        own: &[],
        of_given: &[],
        converts: false,
        bound: Vec::new(),
    };
    equal.deduces(
        one.what,
        other.what,
        one.without_const && other.without_const,
    )
}

/// What a reference refers to.
fn referred(ty: &Type) -> &Type {
    match &ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
        _ => ty,
    }
}
