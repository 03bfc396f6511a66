//! Which function a call means: candidates by name, deduction of template arguments, ranking of conversions.
//!
//! C++'s rules in short: each argument is matched exactly, by promotion or by conversion; a candidate is better when no
//! argument is worse and one is better; then a function that is no template beats one that is, a specialisation beats its
//! template, and the more special template wins. Code for the device is preferred over host code of the same
//! signature. Where types are not known or the rules leave several, the call is ambiguous and the caller reports it.

mod best;
mod rank;
mod viable;

use std::rc::Rc;

use self::best::same_body;
use self::rank::{EXACT, GUESS, Rank, is_opaque};
use self::viable::depends_on_unknown;
use super::body::Lowerer;
use super::classes::own_parameters;
use super::constness::Argument;
use super::formed::arg_mentions;
use super::order::{visible_at, with_scopes};
use super::qualification::Written;
use super::special::Patterns;
use super::specialised::Special;
use super::types::{StructTy, TemplateValue, Ty, TypeScope};
use super::typing::unknown_type;
use super::unit::{enclosing, last_component};
use super::value::Value;
use crate::syntax::ast::*;

/// A function with the template arguments that a call gives it.
#[derive(Clone, Debug)]
pub(crate) struct Chosen<'u> {
    pub function: &'u Function,
    /// Names in force inside.
    pub scope: TypeScope,
}

/// The outcome of overload resolution.
#[derive(Clone, Debug)]
pub(crate) enum Found<'u> {
    One(Box<Chosen<'u>>),
    /// Only a prototype: its type is known, its body is not.
    Prototype(Box<Chosen<'u>>),
    Several,
    None,
}

/// What an argument must be and may not be, for all that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// A place, or behind a pointer one, that is not constant.
    Changeable,
    Temporary,
}

#[derive(Clone)]
struct Viable<'u> {
    chosen: Chosen<'u>,
    ranks: Vec<Rank>,
    /// The classes that arguments become whose rank is [`DERIVED`].
    bases: Vec<Option<Rc<StructTy>>>,
    is_template: bool,
    /// Whether it takes any number of arguments.
    is_variadic: bool,
    /// Whether an argument or the type of a parameter may be any type.
    unresolved: bool,
    /// Its template parameters, without those of its class.
    own: Vec<TemplateParam>,
    /// Whether what they are, and with it whether the call fits, is not decided here.
    undecided: bool,
    /// Whether it is a template whose parameters have names for references.
    hides_references: bool,
    /// What must hold for it to take the arguments and is not known, by the position of the argument (`None`: the object).
    doubts: Vec<(Option<usize>, Doubt)>,
}

impl<'u> Lowerer<'u, '_> {
    /// The function that a call of a name means, for arguments of these types.
    pub(crate) fn resolve_call(&mut self, name: &Name, args: &[Argument<'_>]) -> Found<'u> {
        let scope = self.scope();
        if name.qualifier.is_empty() && !name.global {
            // Inside a class, its members come first.
            if let Some(class) = scope.class.clone() {
                let this = self.calls.last().and_then(|call| call.constant_this);
                let found = self.resolve_method(&class, name, this, args);
                if !matches!(found, Found::None) {
                    // A base that depends on template parameters is not looked into for a name without `this->`.
                    let of_base = |found: &Found<'u>| match found {
                        Found::One(chosen) | Found::Prototype(chosen) => {
                            let owner = chosen.function.owner.as_deref();
                            self.record(&class).is_some_and(|record| {
                                !record.template.is_empty() && owner != Some(&record.name)
                            })
                        }
                        _ => false,
                    };
                    let is_inherited = of_base(&found);
                    if !is_inherited || !self.only_dependent_bases_have(&class, &name.base) {
                        let outside = || {
                            let path = name.lookup_path();
                            self.index.functions_at(&path, &scope.path, name.range)
                        };
                        return match is_inherited && !outside().is_empty() {
                            true => Found::Several,
                            false => found,
                        };
                    }
                }
            }
        } else if let Some(class) = self.qualifying_class(name) {
            return match class {
                Ty::Struct(class) => {
                    let this = self.calls.last().and_then(|call| call.constant_this);
                    self.resolve_method(&class, name, this, args)
                }
                _ => Found::None,
            };
        }
        let mut functions = self
            .index
            .functions_at(&name.lookup_path(), &scope.path, name.range);
        let is_simple = name.qualifier.is_empty() && !name.global;
        if is_simple && !functions.is_empty() {
            for associated in self.associated(name, args) {
                if !functions.iter().any(|one| one.range == associated.range) {
                    functions.push(associated);
                }
            }
        }
        functions.retain(|function| !function.quals.global);
        let visible = visible_at(&functions, name.range);
        let found = self.choose(with_scopes(&visible), name.args.as_deref(), args);
        if visible.len() < functions.len()
            && args.iter().any(|arg| !matches!(arg.ty, Ty::Scalar(_)))
        {
            // Where a template is instantiated, what is declared behind it may be found by the types of the arguments.
            let all = self.choose(with_scopes(&functions), name.args.as_deref(), args);
            if place_of(&all) != place_of(&found) {
                return Found::Several;
            }
        }
        if !matches!(found, Found::None) || !name.qualifier.is_empty() {
            return found;
        }
        // A name in an inner scope hides others, but not those that the types of the arguments bring in.
        let mut others = self.associated(name, args);
        others.retain(|function| !function.quals.global);
        let found = self.choose(with_scopes(&others), name.args.as_deref(), args);
        let is_other =
            |one: &&Function| one.owner.is_none() && !one.quals.global || one.quals.friend;
        if matches!(found, Found::None)
            && self
                .index
                .functions(&name.base)
                .iter()
                .copied()
                .any(|one| is_other(&one))
            && args.iter().any(|arg| is_opaque(&arg.ty))
        {
            // A class of which nothing is known may bring it in.
            return Found::Several;
        }
        found
    }

    /// The functions of a name that the types of the arguments bring in: of the namespaces of classes, and their friends.
    fn associated(&self, name: &Name, args: &[Argument<'_>]) -> Vec<&'u Function> {
        let mut classes: Vec<&str> = Vec::new();
        for arg in args {
            let mut ty = &arg.ty;
            while let Ty::Pointer(to) = ty {
                ty = to;
            }
            if let Ty::Struct(class) = ty.innermost() {
                self.with_bases(class, &mut classes);
            }
        }
        let of_an_argument = |function: &&'u Function| match &function.owner {
            Some(owner) => function.quals.friend && classes.contains(&owner.as_str()),
            None => {
                let space = enclosing(&function.qualified);
                classes.iter().any(|class| enclosing(class) == space)
            }
        };
        let all = self.index.functions(&name.base).iter().copied();
        all.filter(of_an_argument).collect()
    }

    /// The names of a class, of its bases, and of the classes among its template arguments.
    fn with_bases(&self, class: &StructTy, into: &mut Vec<&'u str>) {
        if let Some(record) = self.record(class) {
            if into.contains(&record.name.as_str()) {
                return;
            }
            into.push(&record.name);
        }
        for (base, _) in class.layout().iter().flat_map(|layout| &layout.bases) {
            if let Ty::Struct(base) = base {
                self.with_bases(base, into);
            }
        }
        for arg in class.class.iter().flat_map(|instance| &instance.args) {
            if let TemplateValue::Type(Ty::Struct(arg), _) = arg {
                self.with_bases(arg, into);
            }
        }
    }

    /// The member templates of a class without those in whose place another one stands, for the arguments of this instance:
    /// `template <> template <typename T> T S<0>::f(T a) { … }`.
    fn not_specialised(
        &mut self,
        inside: Vec<&'u Function>,
        outside: &[&'u Function],
        class: &Rc<StructTy>,
    ) -> Vec<&'u Function> {
        let is_for_arguments = |one: &Function| {
            let own = one.template.as_deref().unwrap_or(&[]);
            let mut args = one
                .qualifier
                .iter()
                .filter_map(|segment| segment.args.as_ref());
            !own.is_empty() && args.clone().next().is_some() && {
                args.all(|args| !args.iter().any(|arg| arg_mentions(arg, own)))
            }
        };
        let mut instead: Vec<&'u Function> = Vec::new();
        for one in outside.iter().copied().filter(|one| is_for_arguments(one)) {
            if self.is_of_instance(one, class) == Some(true) {
                instead.push(one);
            }
        }
        let stands_in = |one: &&'u Function| {
            // Parameters of enclosing classes come first where the template is declared.
            let own = |function: &Function| function.template.as_ref().map_or(0, Vec::len);
            instead.iter().any(|other| {
                let mut params = one.params.iter().zip(&other.params);
                one.params.len() == other.params.len()
                    && own(one) >= own(other)
                    && params.all(|(one, other)| is_written_alike(&one.ty, &other.ty))
            })
        };
        inside.into_iter().filter(|one| !stands_in(one)).collect()
    }

    /// The member function that a call means on an object that is constant or not.
    pub(crate) fn resolve_method(
        &mut self,
        class: &Rc<StructTy>,
        name: &Name,
        object: Option<bool>,
        args: &[Argument<'_>],
    ) -> Found<'u> {
        let Some(record) = self.record(class) else {
            return Found::None;
        };
        let methods = self.index.methods(&record.name, &name.base);
        // A specialisation of a class has the members that stand in it.
        let inside: Vec<&'u Function> = methods
            .iter()
            .copied()
            .filter(|method| record.range.contains(method.range))
            .collect();
        let in_other_class =
            |method: &Function| self.index.named.is_in_other_class(record, method.range);
        let outside: Vec<&'u Function> = methods
            .iter()
            .copied()
            .filter(|method| !record.range.contains(method.range) && !in_other_class(method))
            .collect();
        // `template <> template <> void Alias::f<char>() {}`
        let of_no_class = |one: &&'u Function| {
            one.template.as_ref().is_some_and(Vec::is_empty)
                && one
                    .owner
                    .as_ref()
                    .is_some_and(|owner| !self.index.is_class(owner))
        };
        let is_hidden = self.index.functions(&name.base).iter().any(of_no_class);
        // Those of the name that there are may be of other specialisations of the class.
        if inside.is_empty() && outside.is_empty() && (methods.is_empty() || !is_hidden) {
            let bases = class.layout().map(|layout| layout.bases.clone());
            for (base, _) in bases.unwrap_or_default() {
                let Ty::Struct(base) = base else { continue };
                let found = self.resolve_method(&base, name, object, args);
                if !matches!(found, Found::None) {
                    return found;
                }
            }
            return Found::None;
        }
        if is_hidden {
            return Found::Several;
        }
        // Of the specialisations, those for the arguments of this class.
        let Some(outside) = self.of_instance(outside, class) else {
            return Found::Several;
        };
        let inside = self.not_specialised(inside, &outside, class);
        let scope = self.class_scope(class);
        let mut candidates: Vec<(&'u Function, TypeScope)> = inside
            .into_iter()
            .chain(outside)
            .map(|method| (method, scope.clone()))
            .collect();
        if !self.brings_in(class, record, &name.base, &mut candidates) {
            return Found::Several;
        }
        self.choose_on(candidates, name.args.as_deref(), object, args)
    }

    /// The function that an operator on these operands calls: a member of the first, or a free one.
    pub(crate) fn operator(
        &mut self,
        name: &str,
        operands: &[Argument<'_>],
        place: Range,
    ) -> Option<Box<Chosen<'u>>> {
        match self.operator_found(name, operands, place) {
            Found::One(found) => Some(found),
            _ => None,
        }
    }

    /// The same, with whether none or several are meant.
    pub(crate) fn operator_found(
        &mut self,
        name: &str,
        operands: &[Argument<'_>],
        place: Range,
    ) -> Found<'u> {
        if self.index.functions(name).is_empty() {
            return Found::None;
        }
        let simple = Name::simple(name, Range::default());
        if let Some((first, rest)) = operands.split_first()
            && let Ty::Struct(class) = &first.ty
        {
            let object = match self.index.differ_in_const(name) {
                true => self.known_of(first).1.object,
                false => None,
            };
            match self.resolve_method(class, &simple, object, rest) {
                Found::None => {}
                found => return found,
            }
        }
        let free: Vec<&'u Function> = self
            .index
            .functions(name)
            .iter()
            .copied()
            .filter(|function| function.owner.is_none() || function.quals.friend)
            .collect();
        let visible = visible_at(&free, place);
        let found = self.choose(with_scopes(&visible), None, operands);
        if visible.len() == free.len() {
            return found;
        }
        let all = self.choose(with_scopes(&free), None, operands);
        match found {
            Found::None => all,
            // What is declared behind a template may be found where that is instantiated.
            found if self.is_instance() && place_of(&all) != place_of(&found) => Found::Several,
            found => found,
        }
    }

    /// The best of the candidates.
    pub(crate) fn choose(
        &mut self,
        candidates: Vec<(&'u Function, TypeScope)>,
        written: Option<&[TemplateArg]>,
        args: &[Argument<'_>],
    ) -> Found<'u> {
        self.choose_on(candidates, written, None, args)
    }

    /// The same for member functions, on an object that is constant or not.
    fn choose_on(
        &mut self,
        candidates: Vec<(&'u Function, TypeScope)>,
        written: Option<&[TemplateArg]>,
        object: Option<bool>,
        args: &[Argument<'_>],
    ) -> Found<'u> {
        // Of several functions, deduction does not tell which take a reference that is written as an argument.
        if let Some(written) = written
            && written.iter().any(|arg| match candidates.len() {
                1 => self.is_untold_reference(arg),
                _ => self.refers(arg),
            })
        {
            return Found::Several;
        }
        // What the parser did not understand may be another of the name.
        let unparsed = &self.index.unit.unparsed_names;
        if !unparsed.is_empty()
            && candidates
                .iter()
                .any(|(function, _)| unparsed.contains(last_component(&function.name)))
        {
            return Found::Several;
        }
        // `template <> template <> void S<int>::f(char)`: for which of the arguments that are written, deduction says.
        let deduced = |function: &Function| {
            function.owner.is_some()
                && function.template.as_ref().is_some_and(Vec::is_empty)
                && function.template_args.is_empty()
        };
        if written.is_some() && candidates.iter().any(|(one, _)| deduced(one)) {
            return Found::Several;
        }
        let alone = candidates.len() == 1;
        let mut viable: Vec<Viable<'u>> = Vec::new();
        let mut specialisations: Vec<(&'u Function, TypeScope)> = Vec::new();
        for (function, scope) in candidates {
            if function
                .template
                .as_ref()
                .is_some_and(|params| own_parameters(params, &scope).is_empty())
                && (function.owner.is_none() || !function.template_args.is_empty())
                && function.template.as_ref().is_some_and(Vec::is_empty)
            {
                specialisations.push((function, scope));
                continue;
            }
            if let Some(one) = self.viable(function, scope, written, args) {
                viable.push(one);
            }
        }
        if !alone {
            viable.retain_mut(|one| self.takes_all(one, object, args));
            if viable.len() > 1
                && viable
                    .iter()
                    .any(|one| one.chosen.function.quals.of_reference)
            {
                return Found::Several;
            }
        }
        // Which of two templates is more special shows in types as they are written.
        if viable.len() > 1 && viable.iter().any(|one| one.hides_references) {
            return Found::Several;
        }
        // A function that is no template and takes the arguments as they are is the best in any case.
        let exact =
            |one: &Viable<'_>| !one.is_template && one.ranks.iter().all(|rank| *rank == EXACT);
        if viable.len() > 1 && viable.iter().any(|one| one.undecided) && !viable.iter().any(exact) {
            return Found::Several;
        }
        if depends_on_unknown(&viable, args) {
            return Found::Several;
        }
        let templates = viable.iter().filter(|one| one.is_template).count();
        let bodies = viable.iter().any(|one| one.chosen.function.body.is_some());
        if bodies {
            viable.retain(|one| one.chosen.function.body.is_some());
            // Code for the device is preferred over a host overload of the same name.
            let on_device = |one: &Viable<'_>| {
                let quals = one.chosen.function.quals;
                quals.device || quals.constexpr
            };
            if viable.iter().any(on_device) {
                viable.retain(on_device);
            }
        }
        // For a type that nothing tells, another function may be the better one.
        let untold = args.iter().any(|arg| self.is_untold(&arg.ty));
        let unresolved = viable.iter().any(|one| one.unresolved);
        let guessed = viable
            .iter()
            .filter(|one| one.ranks.contains(&GUESS))
            .map(|one| one.chosen.function.range)
            .collect::<Vec<_>>();
        let all = viable.clone();
        let mut best = self.best(viable, object, args);
        // Another may be the only one that takes the arguments, unless the same must hold for it.
        if let [one] = best.as_slice() {
            let instead = |other: &Viable<'_>| {
                let spared = |doubt: &&(Option<usize>, Doubt)| !other.doubts.contains(*doubt);
                one.doubts.iter().any(|doubt| spared(&doubt))
                    && !same_body(other.chosen.function, one.chosen.function)
            };
            if all.iter().any(instead) {
                return Found::Several;
            }
        }
        if (untold || unresolved)
            && let [one] = best.as_slice()
            && guessed
                .iter()
                .any(|range| *range != one.chosen.function.range)
        {
            return Found::Several;
        }
        let found = match best.len() {
            0 => {
                // `template <> f<float>(…)` of a template that is not in the unit.
                let only: Vec<Viable<'u>> = specialisations
                    .iter()
                    .filter_map(|(function, scope)| {
                        self.viable(function, scope.clone(), None, args)
                    })
                    .filter(|one| one.chosen.function.body.is_some())
                    .collect();
                return match self.best(only, object, args).pop() {
                    Some(one) if specialisations.len() == 1 => Found::One(Box::new(one.chosen)),
                    Some(_) => Found::Several,
                    None => Found::None,
                };
            }
            1 => best.remove(0),
            _ if !bodies => best.remove(0),
            _ => return Found::Several,
        };
        if self.may_be_special(&found, &specialisations) {
            return Found::Several;
        }
        let special = match self.specialisation(&found.chosen, &found.own, &specialisations) {
            Special::One(special) => Some(special),
            Special::None => None,
            Special::Undecided => return Found::Several,
        };
        // A specialisation is one of the templates that stand before it: this one may come later.
        if templates > 1
            && let Some(special) = &special
            && special.function.range.start < found.chosen.function.range.start
        {
            return Found::Several;
        }
        let chosen = Box::new(special.unwrap_or(found.chosen));
        if chosen.function.body.is_some() {
            Found::One(chosen)
        } else {
            Found::Prototype(chosen)
        }
    }

    /// What a function that was chosen returns.
    pub(crate) fn returned_type(&mut self, found: &Chosen<'u>) -> Ty {
        if super::call::is_auto(&found.function.ret) {
            return unknown_type();
        }
        self.within(found.scope.clone(), |me| me.resolve(&found.function.ret))
    }

    /// The template arguments of a name as values for diagnostics and keys.
    pub(crate) fn is_known_constant(&self, value: &Value) -> bool {
        matches!(value, Value::Term(term) if self.facts.terms.as_const(*term).is_some())
    }
}

impl Viable<'_> {
    fn is_more_special(&self, other: &Viable<'_>) -> bool {
        let (one, two) = (self.patterns(), other.patterns());
        one.is_more_special(&two)
    }

    /// A parameter that is no pack.
    fn written_at(&self, position: usize) -> Option<Written<'_>> {
        let params = &self.chosen.function.params;
        let param = params.get(position).filter(|param| !param.pack)?;
        Some((&param.ty, &self.chosen.scope, &self.own))
    }

    fn pattern_at(&self, position: usize) -> Patterns<'_> {
        Patterns::of_parameter(self.chosen.function, &self.own, position)
    }

    fn patterns(&self) -> Patterns<'_> {
        let count = self.ranks.len();
        Patterns::of_function(self.chosen.function, &self.own, count, self.is_variadic)
    }
}

/// Whether two types of parameters are written alike. Where that is not seen they may be those of two overloads.
fn is_written_alike(one: &Type, other: &Type) -> bool {
    one.is_const == other.is_const
        && match (&one.kind, &other.kind) {
            (TypeKind::Reference(one), TypeKind::Reference(other))
            | (TypeKind::RvalueReference(one), TypeKind::RvalueReference(other))
            | (TypeKind::Pointer(one), TypeKind::Pointer(other)) => is_written_alike(one, other),
            (TypeKind::Named(_), TypeKind::Named(_))
            | (TypeKind::Scalar(_), TypeKind::Scalar(_)) => best::equal_but_for_const(one, other),
            _ => false,
        }
}

/// The function that was found.
pub(crate) fn place_of(found: &Found<'_>) -> Option<Range> {
    match found {
        Found::One(chosen) | Found::Prototype(chosen) => Some(chosen.function.range),
        Found::Several | Found::None => None,
    }
}

/// `const T &f()`
fn returns_const(function: &Function) -> bool {
    match &function.ret.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to.is_const,
        _ => false,
    }
}
