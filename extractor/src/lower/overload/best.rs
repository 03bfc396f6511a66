//! The best of several candidates, and candidates that mean the same.

use std::cmp::Ordering;

use super::super::body::Lowerer;
use super::super::constness::{Argument, Category, Preference, Qualified, Takes};
use super::super::derived::derives;
use super::super::types::{TemplateValue, Ty, TypeScope};
use super::super::value::Value;
use super::rank::EXACT;
use super::viable::takes_writable;
use super::{Viable, returns_const};
use crate::syntax::ast::*;
use crate::syntax::dump::block_text;

/// How two candidates compare over all arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    better: bool,
    worse: bool,
    undecided: bool,
}

impl<'u> Lowerer<'u, '_> {
    /// Which of two candidates is better, argument by argument.
    pub(super) fn compared(
        &mut self,
        one: &Viable<'u>,
        other: &Viable<'u>,
        object: Option<bool>,
        args: &[Argument<'_>],
    ) -> Compared {
        let mut compared = Compared::default();
        let of_object = |one: &Viable<'_>| Takes::of_object(one.chosen.function);
        let known = (
            Category::Place,
            Qualified {
                object,
                pointee: None,
            },
        );
        compared.count(of_object(one).preferred(of_object(other), known));
        for (position, (a, b)) in one.ranks.iter().zip(&other.ranks).enumerate() {
            match a.cmp(b) {
                Ordering::Less => compared.count(Preference::First),
                Ordering::Greater => compared.count(Preference::Second),
                Ordering::Equal => {
                    if let (Some(Some(a)), Some(Some(b))) =
                        (one.bases.get(position), other.bases.get(position))
                        && a != b
                    {
                        compared.count(match (derives(a, b), derives(b, a)) {
                            (true, _) => Preference::First,
                            (_, true) => Preference::Second,
                            _ => Preference::Neither,
                        });
                        continue;
                    }
                    let Some(arg) = args.get(position) else {
                        continue;
                    };
                    if let (EXACT, Some(one), Some(other)) =
                        (*a, one.written_at(position), other.written_at(position))
                        && let Some(preference) = self.better_qualified(one, other, arg)
                    {
                        compared.count(preference);
                        continue;
                    }
                    let (a, b) = (self.takes(one, position), self.takes(other, position));
                    if a.0 != b.0 {
                        let known = self.known_of(arg);
                        compared.count(match a.0.preferred(b.0, known) {
                            _ if !(a.1 && b.1) => Preference::Undecided,
                            preference => preference,
                        });
                    }
                }
            }
        }
        compared
    }

    /// Those that no other beats.
    pub(super) fn best(
        &mut self,
        viable: Vec<Viable<'u>>,
        object: Option<bool>,
        args: &[Argument<'_>],
    ) -> Vec<Viable<'u>> {
        let mut lost = vec![false; viable.len()];
        for (position, other) in viable.iter().enumerate() {
            lost[position] = viable.iter().enumerate().any(|(at, one)| {
                at != position && {
                    let compared = self.compared(one, other, object, args);
                    beats(one, other, compared)
                }
            });
        }
        let mut lost = lost.into_iter();
        let mut viable = viable;
        viable.retain(|_| !lost.next().unwrap_or(false));
        alike(viable)
    }

    /// Whether a specialisation is meant for some values of template arguments that are not known.
    pub(super) fn may_be_special(
        &mut self,
        found: &Viable<'u>,
        specialisations: &[(&'u Function, TypeScope)],
    ) -> bool {
        let parameters = found.chosen.function.template.as_deref().unwrap_or(&[]);
        let count = found.chosen.function.params.len();
        let scope = &found.chosen.scope;
        let untold = parameters.iter().any(|parameter| {
            let Some(name) = &parameter.name else {
                return false;
            };
            let is_open = |ty: &Ty| self.is_untold(ty) || self.may_be_any(ty.innermost());
            let ty = scope.types.get(name).map(is_open);
            let value = scope.values.get(name).map(|value| {
                matches!(value, Value::Term(term) if self.facts.terms.as_const(*term).is_none())
            });
            ty.unwrap_or(false) || value.unwrap_or(false)
        });
        let of_any = |me: &mut Self, function: &'u Function, scope: &TypeScope| {
            let written = parameters.iter().zip(&function.template_args);
            written.into_iter().any(|(parameter, arg)| {
                let given = me.within(scope.clone(), |me| me.template_value(arg, parameter, scope));
                matches!(given, TemplateValue::Type(ty, _) if me.may_be_any(ty.innermost()))
            })
        };
        specialisations.iter().any(|(function, scope)| {
            function.body.is_some()
                && function.params.len() == count
                && (untold || of_any(self, function, scope))
        })
    }
}

impl Compared {
    pub(super) fn count(&mut self, preference: Preference) {
        match preference {
            Preference::First => self.better = true,
            Preference::Second => self.worse = true,
            Preference::Undecided => self.undecided = true,
            Preference::Neither => {}
        }
    }
}

/// Whether the first of two candidates is the better one.
pub(super) fn beats(one: &Viable<'_>, other: &Viable<'_>, compared: Compared) -> bool {
    let same = || same_body(one.chosen.function, other.chosen.function);
    if compared.worse || compared.undecided && !same() {
        return false;
    }
    if compared.better {
        return true;
    }
    match (one.is_template, other.is_template) {
        (false, true) => true,
        (true, true) if one.is_more_special(other) => true,
        (true, true) if other.is_more_special(one) => false,
        // Of two that take the same, the one with a condition.
        (true, true)
            if one.chosen.function.requires.is_some()
                != other.chosen.function.requires.is_some() =>
        {
            one.chosen.function.requires.is_some()
                && one.patterns().takes_as_much(&other.patterns())
        }
        // `f(T &)` and `f(const T &)`: which is meant does not matter where both do the same.
        _ if !same() => false,
        _ => {
            let writable = |one: &Viable<'_>| {
                let params = &one.chosen.function.params;
                params
                    .iter()
                    .filter(|param| takes_writable(&param.ty))
                    .count()
            };
            let owner = |one: &Viable<'_>| one.chosen.function.owner.clone();
            owner(one) == owner(other) && writable(one) > writable(other)
        }
    }
}

/// One of several candidates that do the same.
pub(super) fn alike(mut viable: Vec<Viable<'_>>) -> Vec<Viable<'_>> {
    if viable.len() < 2 {
        return viable;
    }
    // `T &operator[](int)` and `T operator[](int) const`, which do the same: the one that gives a place.
    let members = viable.iter().all(|one| one.chosen.function.owner.is_some());
    let same = members
        && viable
            .iter()
            .all(|one| same_body(one.chosen.function, viable[0].chosen.function));
    if same {
        let references = viable
            .iter()
            .filter(|one| {
                super::super::call::is_reference(&one.chosen.function.ret)
                    && !returns_const(one.chosen.function)
            })
            .count();
        if references == 1 {
            viable.retain(|one| {
                super::super::call::is_reference(&one.chosen.function.ret)
                    && !returns_const(one.chosen.function)
            });
        }
    }
    // `T *data()` and `const T *data() const`, which do the same.
    if let [first, rest @ ..] = viable.as_slice()
        && same
        && rest.iter().all(|one| {
            let (one, first) = (one.chosen.function, first.chosen.function);
            one.owner == first.owner
                && one.params == first.params
                && equal_but_for_const(&one.ret, &first.ret)
        })
    {
        viable.truncate(1);
    }
    // The same function twice: declared in a header that is included again.
    viable.dedup_by(|a, b| a.chosen.function.range == b.chosen.function.range);
    viable
}

/// Whether two types are written the same, apart from `const`.
pub(super) fn equal_but_for_const(one: &Type, other: &Type) -> bool {
    match (&one.kind, &other.kind) {
        (TypeKind::Pointer(one), TypeKind::Pointer(other)) => equal_but_for_const(one, other),
        (TypeKind::Named(one), TypeKind::Named(other)) => {
            one.path() == other.path() && one.args.is_none() && other.args.is_none()
        }
        (TypeKind::Scalar(one), TypeKind::Scalar(other)) => one == other,
        _ => false,
    }
}

/// Whether two functions do the same, as far as their text tells: with parameters of the same names, up to `const` and references.
pub(super) fn same_body(one: &Function, other: &Function) -> bool {
    let names = |function: &Function| -> Vec<Option<String>> {
        let params = function.params.iter();
        params.map(|param| param.name.clone()).collect()
    };
    match (&one.body, &other.body) {
        // A text is made of a body only where nothing cheaper tells: most functions are compared with themselves or have other
        // parameters.
        (Some(body), Some(theirs)) => {
            std::ptr::eq(one, other)
                || names(one) == names(other)
                    && body.stmts.len() == theirs.stmts.len()
                    && block_text(body) == block_text(theirs)
        }
        (None, None) => true,
        _ => false,
    }
}
