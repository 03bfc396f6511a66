//! Which function a call means: candidates by name, deduction of template arguments, ranking of conversions.
//!
//! C++'s rules in short: each argument is matched exactly, by promotion or by conversion; a candidate is better when no
//! argument is worse and one is better; then a function that is no template beats one that is, a specialisation beats its
//! template, and the more special template wins. Code for the device is preferred over host code of the same
//! signature. Where types are not known or the rules leave several, the call is ambiguous and the caller reports it.

use std::cmp::Ordering;
use std::rc::Rc;

use warplog_facts::CType;

use super::body::Lowerer;
use super::classes::{bind, mentions, own_parameters};
use super::constness::{Argument, Category, Preference, Qualified, Takes};
use super::derived::{class_of, derives};
use super::order::{visible_at, with_scopes};
use super::packs;
use super::qualification::Written;
use super::special::Patterns;
use super::specialised::Special;
use super::types::{StructTy, TemplateValue, Ty, TypeScope};
use super::typing::{decayed, is_unknown, unknown_type};
use super::unit::{enclosing, last_component};
use super::value::Value;
use crate::syntax::ast::*;
use crate::syntax::dump::block_text;

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

/// How well an argument fits: smaller is better.
type Rank = u8;

const EXACT: Rank = 0;
const PROMOTION: Rank = 1;
/// An object as one of a base class, a pointer as one to that: better than `void *`; which of two bases is the nearer one, the
/// classes tell.
const DERIVED: Rank = 2;
const CONVERSION: Rank = 3;
/// A pointer as a truth value: worse than any other conversion of it.
const TRUTH: Rank = 4;
const USER_DEFINED: Rank = 5;
/// What `...` takes.
const ELLIPSIS: Rank = 6;
/// The type of the argument is not known: it may fit.
const GUESS: Rank = 7;

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
        if methods.is_empty() {
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
        // A specialisation of a class has the members that stand in it.
        let inside: Vec<&'u Function> = methods
            .iter()
            .copied()
            .filter(|method| record.range.contains(method.range))
            .collect();
        let in_other_class = |method: &Function| {
            self.index.classes.iter().any(|other| {
                other.name == record.name
                    && other.range != record.range
                    && other.range.contains(method.range)
            })
        };
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
        if self.index.functions(&name.base).iter().any(of_no_class) {
            return Found::Several;
        }
        // Of the specialisations, those for the arguments of this class.
        let Some(outside) = self.of_instance(outside, class) else {
            return Found::Several;
        };
        let scope = self.class_scope(class);
        let mut candidates: Vec<(&'u Function, TypeScope)> = inside
            .iter()
            .copied()
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
        // `auto f(T t) -> decltype(t.x)` is no candidate where there is no such member.
        let conditional = |one: &Viable<'_>| {
            one.is_template && matches!(one.chosen.function.ret.kind, TypeKind::Decltype(_))
        };
        if viable.len() > 1 && viable.iter().any(conditional) {
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
        let several = viable.len() > 1;
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
            // `template <class T, class = typename T::type>` is no candidate where there is no such type.
            1 if several && has_condition(best[0].chosen.function) => return Found::Several,
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

    /// Whether a candidate can take the arguments as places or temporaries, constant or not; where that is not known, it is
    /// doubtful.
    fn takes_all(
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
    fn takes(&mut self, one: &Viable<'u>, position: usize) -> (Takes, bool) {
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

    /// Which of two candidates is better, argument by argument.
    fn compared(
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
    fn best(
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
    fn may_be_special(
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

    /// Whether a function can take the arguments, and how well.
    fn viable(
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
            for param in &function.params {
                match self.can_be_formed(param, &parameters, &scope) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => undecided = true,
                }
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
            let rank = match self.rank(&arg.ty, &target, &param.ty) {
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
    fn can_be_formed(
        &mut self,
        param: &Param,
        parameters: &[TemplateParam],
        scope: &TypeScope,
    ) -> Option<bool> {
        let mut ty = &param.ty;
        while let TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) = &ty.kind
        {
            ty = to;
        }
        let is_computed = match &ty.kind {
            TypeKind::Decltype(_) => true,
            TypeKind::Named(name) => !name.qualifier.is_empty() && mentions(ty, parameters),
            _ => false,
        };
        if !is_computed || !self.names_one(param, parameters) {
            return Some(true);
        }
        if self.within(scope.clone(), |me| me.identity(ty)).is_some() {
            return Some(true);
        }
        self.within(scope.clone(), |me| me.is_valid_type(ty))
    }

    /// Template arguments of a call: those written, those deduced, defaults. `None`: they do not fit; false: whether they
    /// do is not decided here.
    fn deduce(
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
            values.push(self.template_value(arg, parameter, scope));
            bind(scope, parameters, &values);
        }
        for (param, arg) in function.params.iter().zip(args) {
            // A pack of types, or a pointer to a member, keeps what it is made of in its text alone.
            let opaque = !is_followed(&param.ty, parameters) && self.names_one(param, parameters);
            if is_unknown(&arg.ty) || param.pack || !(opaque || mentions(&param.ty, parameters)) {
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
    pub(super) fn names_one(&self, param: &Param, own: &[TemplateParam]) -> bool {
        let text = self.sources.text(param.range);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        mentions(&param.ty, own)
            || words.any(|word| own.iter().any(|one| one.name.as_deref() == Some(word)))
    }

    /// How well an argument fits a parameter; `None`: not at all.
    fn rank(&mut self, arg: &Ty, target: &Ty, written: &Type) -> Option<Rank> {
        if is_unknown(arg) || is_unknown(target) {
            return Some(GUESS);
        }
        let by_value = !matches!(
            written.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        );
        let arg = if by_value || !matches!(target, Ty::Array(..)) {
            decayed(arg.clone())
        } else {
            arg.clone()
        };
        let target = if by_value {
            decayed(target.clone())
        } else {
            target.clone()
        };
        if arg == target {
            return Some(EXACT);
        }
        if self.may_be_other(&arg, &target) {
            return Some(GUESS);
        }
        Some(match (&arg, &target) {
            (Ty::Scalar(from), Ty::Scalar(to)) => {
                let promoted = (from.is_integer() && *to == from.promoted())
                    || (*from == CType::F32 && *to == CType::F64);
                if promoted { PROMOTION } else { CONVERSION }
            }
            (Ty::Pointer(from), Ty::Pointer(to)) => match (&**from, &**to) {
                (_, Ty::Void) | (Ty::Void, _) => CONVERSION,
                (from, to) if is_unknown(from) || is_unknown(to) => GUESS,
                (Ty::Struct(from), Ty::Struct(to)) if derives(from, to) => DERIVED,
                _ if self.may_derive(&arg, &target) => GUESS,
                (Ty::Opaque { .. }, _) | (_, Ty::Opaque { .. }) => GUESS,
                _ => return None,
            },
            (Ty::Struct(from), Ty::Struct(to)) if derives(from, to) => DERIVED,
            (Ty::Struct(_), Ty::Struct(_)) if self.may_derive(&arg, &target) => GUESS,
            // `void f(thread_group g)` takes a block or a tile: which it is, the value says.
            (Ty::Struct(from), Ty::Struct(to)) if super::library::is_group_of(from, to) => {
                CONVERSION
            }
            // CUDA's `dim3` is made of a `uint3`, and gives one.
            (Ty::Struct(from), Ty::Struct(to))
                if matches!(
                    (from.name.as_str(), to.name.as_str()),
                    ("uint3", "dim3") | ("dim3", "uint3")
                ) =>
            {
                USER_DEFINED
            }
            (_, Ty::Struct(to)) => {
                // A constructor of one argument may convert.
                let record = self.record(to)?;
                let simple = last_component(&record.name);
                let converting = |constructor: &&Function| {
                    let params = constructor.params.iter();
                    let required = params.filter(|param| param.default.is_none() && !param.pack);
                    !constructor.quals.explicit
                        && !constructor.params.is_empty()
                        && required.count() <= 1
                };
                let constructors = self.index.methods(&record.name, simple);
                let converts = constructors.iter().any(converting);
                if !converts {
                    return None;
                }
                USER_DEFINED
            }
            (Ty::Struct(from), _) => {
                let record = self.record(from)?;
                let prefix = "operator ";
                let converts = self.index.unit.functions.iter().any(|function| {
                    function.owner.as_deref() == Some(&record.name)
                        && function.name.starts_with(prefix)
                        && !function.quals.explicit
                });
                if !converts {
                    return None;
                }
                USER_DEFINED
            }
            (Ty::Pointer(_), Ty::Scalar(CType::Bool)) => TRUTH,
            (Ty::Pointer(_), Ty::Scalar(_)) => return None,
            // `0` is a null pointer.
            (Ty::Scalar(from), Ty::Pointer(_)) if from.is_integer() => USER_DEFINED,
            (Ty::Scalar(_), Ty::Pointer(_)) => return None,
            (Ty::Opaque { name: one, .. }, Ty::Opaque { name: other, .. }) if one == other => EXACT,
            // A half type becomes a float before it becomes a double.
            (Ty::Opaque { name, .. }, Ty::Scalar(CType::F64))
                if name == "half" || name == "bfloat16" =>
            {
                USER_DEFINED
            }
            // Half types convert to and from numbers.
            (Ty::Opaque { .. }, Ty::Scalar(_)) | (Ty::Scalar(_), Ty::Opaque { .. }) => CONVERSION,
            (Ty::Opaque { .. }, Ty::Opaque { .. }) => USER_DEFINED,
            _ => GUESS,
        })
    }

    /// Whether two types that are not equal here may be one, for all that is known of them.
    fn may_be_other(&self, arg: &Ty, target: &Ty) -> bool {
        match (arg, target) {
            (Ty::Pointer(arg), Ty::Pointer(target)) => self.may_be_other(arg, target),
            (Ty::Struct(one), Ty::Struct(other)) if one.class.is_some() => {
                let record = |ty: &StructTy| ty.class.as_ref().map(|class| class.record);
                arg != target
                    && record(one) == record(other)
                    && !(arg.is_resolved() && target.is_resolved())
            }
            _ => self.may_be_any(arg) || self.may_be_any(target),
        }
    }

    /// Whether a type, or what it is a pointer to, may be any other: nothing declares its name.
    fn may_be_any(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Pointer(to) => self.may_be_any(to),
            Ty::Struct(_) => super::library::types::converts(ty),
            Ty::Opaque { name, bytes: None } => {
                name != "lambda"
                    && !self.untold.contains(name)
                    && !super::templates::stands_for_template(name)
            }
            _ => false,
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

/// Whether an argument of a type that is not known may exclude some of the candidates, and so say which is meant: those
/// that do the same do not count.
fn depends_on_unknown(viable: &[Viable<'_>], args: &[Argument<'_>]) -> bool {
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

/// How two candidates compare over all arguments.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    better: bool,
    worse: bool,
    undecided: bool,
}

impl Compared {
    fn count(&mut self, preference: Preference) {
        match preference {
            Preference::First => self.better = true,
            Preference::Second => self.worse = true,
            Preference::Undecided => self.undecided = true,
            Preference::Neither => {}
        }
    }
}

/// Whether the first of two candidates is the better one.
fn beats(one: &Viable<'_>, other: &Viable<'_>, compared: Compared) -> bool {
    let same = same_body(one.chosen.function, other.chosen.function);
    if compared.worse || compared.undecided && !same {
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
        _ if !same => false,
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
fn alike(mut viable: Vec<Viable<'_>>) -> Vec<Viable<'_>> {
    // `T &operator[](int)` and `T operator[](int) const`, which do the same: the one that gives a place.
    let same = viable
        .iter()
        .all(|one| same_body(one.chosen.function, viable[0].chosen.function));
    let members = viable.iter().all(|one| one.chosen.function.owner.is_some());
    if viable.len() > 1 && members && same {
        let references = viable
            .iter()
            .filter(|one| {
                super::call::is_reference(&one.chosen.function.ret)
                    && !returns_const(one.chosen.function)
            })
            .count();
        if references == 1 {
            viable.retain(|one| {
                super::call::is_reference(&one.chosen.function.ret)
                    && !returns_const(one.chosen.function)
            });
        }
    }
    // `T *data()` and `const T *data() const`, which do the same.
    if let [first, rest @ ..] = viable.as_slice()
        && members
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
fn equal_but_for_const(one: &Type, other: &Type) -> bool {
    match (&one.kind, &other.kind) {
        (TypeKind::Pointer(one), TypeKind::Pointer(other)) => equal_but_for_const(one, other),
        (TypeKind::Named(one), TypeKind::Named(other)) => {
            one.path() == other.path() && one.args.is_none() && other.args.is_none()
        }
        (TypeKind::Scalar(one), TypeKind::Scalar(other)) => one == other,
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

/// Whether a template has a parameter without a name whose default says for which types it is.
fn has_condition(function: &Function) -> bool {
    let parameters = function.template.as_deref().unwrap_or(&[]);
    parameters.iter().any(|parameter| {
        let default = match &parameter.kind {
            TemplateParamKind::Type { default } => default.is_some(),
            TemplateParamKind::Value { default, .. } => default.is_some(),
            _ => false,
        };
        parameter.name.is_none() && default
    })
}

/// Whether two functions do the same, as far as their text tells: with parameters of the same names, up to `const` and references.
fn same_body(one: &Function, other: &Function) -> bool {
    let names = |function: &Function| -> Vec<Option<String>> {
        let params = function.params.iter();
        params.map(|param| param.name.clone()).collect()
    };
    match (&one.body, &other.body) {
        (Some(body), Some(theirs)) => {
            names(one) == names(other) && block_text(body) == block_text(theirs)
        }
        (None, None) => true,
        _ => false,
    }
}

/// `T &`
fn takes_writable(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Reference(to) if !to.is_const)
}

/// Whether deduction looks into all of a type: not into functions, pointers to members, members of classes that depend on the
/// parameters, parameters that are templates, and packs.
fn is_followed(ty: &Type, own: &[TemplateParam]) -> bool {
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
fn bare_parameter(ty: &Type, parameters: &[TemplateParam]) -> bool {
    let is_own = |simple: &str| {
        let mut names = parameters.iter().map(|parameter| parameter.name.as_deref());
        names.any(|name| name == Some(simple))
    };
    matches!(&ty.kind, TypeKind::Named(name) if name.as_simple().is_some_and(is_own))
}

/// `const T &f()`
fn returns_const(function: &Function) -> bool {
    match &function.ret.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to.is_const,
        _ => false,
    }
}

/// Whether a type is, or points to, one of which nothing is known.
fn is_opaque(ty: &Ty) -> bool {
    let mut ty = ty;
    while let Ty::Pointer(to) = ty {
        ty = to;
    }
    matches!(ty.innermost(), Ty::Opaque { .. })
}
