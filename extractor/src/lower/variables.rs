//! Which variable a name means: variable templates and their specialisations, static members and their definitions outside
//! of the class.

use std::rc::Rc;

use super::body::Lowerer;
use super::choice::{Choice, Specialisation, told_arguments};
use super::classes::{MAX_DEPTH, bind};
use super::special::Patterns;
use super::types::{StructTy, TemplateValue, Ty, TypeScope};
use super::unit::enclosing;
use super::value::Value;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// The variable at namespace scope that a name means, and the names in force in its declaration.
    pub(crate) fn global_meant(&mut self, name: &Name) -> Option<(&'u VarDecl, TypeScope)> {
        let unparsed = &self.index.unit.unparsed_templates;
        if self.is_hidden(name)
            || self.is_of_undecided(name)
            || name.args.is_some() && unparsed.contains(&name.base)
        {
            return None;
        }
        let path = self.scope().path;
        let written = name.lookup_path();
        let all = self.index.globals_at(&written, &path, name.range);
        let Some(primary) = all.iter().find(|one| is_template(one)).copied() else {
            let global = self.index.global_at(&written, &path, name.range)?;
            return Some((global, outside(global)));
        };
        let rest: Vec<&'u VarDecl> = all
            .into_iter()
            .filter(|one| one.range != primary.range)
            .collect();
        let of_primary = |one: &&VarDecl| one.name == primary.name && arguments(one).is_some();
        if !rest.iter().all(of_primary) {
            return None;
        }
        let primary = match (&name.args, rest.is_empty()) {
            (Some(args), true) => self.index.variable_with(primary, args.len())?,
            _ => primary,
        };
        let mut inside = outside(primary);
        let args = match &name.args {
            Some(args) => self.template_values(&primary.template, args, &inside),
            // As it is mentioned where no value of it is wanted.
            None if rest.is_empty() => return Some((primary, inside)),
            None => return None,
        };
        let candidates: Vec<Specialisation<'u>> = rest
            .iter()
            .filter_map(|one| {
                Some(Specialisation {
                    template: &one.template,
                    args: arguments(one)?,
                    requires: None,
                })
            })
            .collect();
        match self.chosen_specialisation(&primary.template, &candidates, &args, &inside) {
            Choice::One(position, scope) => Some((rest[position], scope)),
            Choice::Primary => {
                bind(&mut inside, &primary.template, &args);
                Some((primary, inside))
            }
            Choice::Undecided => None,
        }
    }

    /// Whether a name in a local class means a variable of the function around it, which is not followed there.
    pub(crate) fn is_hidden(&self, name: &Name) -> bool {
        let simple = name.as_simple();
        let hidden = self.calls.last().map(|call| &call.types.hidden);
        hidden.is_some_and(|hidden| simple.is_some_and(|simple| hidden.contains(simple)))
    }

    /// The arguments that a name gives to a variable template.
    pub(crate) fn arguments_of(&mut self, name: &Name) -> Option<Vec<TemplateValue>> {
        let args = name.args.as_deref()?;
        let path = self.scope().path;
        let all = self
            .index
            .globals_at(&name.lookup_path(), &path, name.range);
        let primary = all.into_iter().find(|one| is_template(one))?;
        let primary = self.index.variable_with(primary, args.len())?;
        Some(self.template_values(&primary.template, args, &outside(primary)))
    }

    /// The static member or enumerator of a class or of its bases.
    pub(crate) fn static_member(&mut self, class: &Rc<StructTy>, name: &str) -> Option<Value> {
        if self.calls.len() > MAX_DEPTH {
            return None;
        }
        if let Some((value, ty)) = self.made.constant(class, name) {
            return Some(Value::Term(self.facts.terms.constant(value, ty)));
        }
        let found = self.static_member_anew(class, name);
        if let Some(Value::Term(term)) = &found
            && let Some(value) = self.facts.terms.as_const(*term)
        {
            let ty = self.facts.terms.ty(*term);
            self.made.keep_constant(class, name, (value, ty));
        }
        found
    }

    fn static_member_anew(&mut self, class: &Rc<StructTy>, name: &str) -> Option<Value> {
        let record = self.record(class)?;
        let path = format!("{}::{name}", record.name);
        let scope = self.class_scope(class);
        // Of a class and its specialisations, each has members of its own.
        let named = &self.index.named;
        let mut globals: Vec<&'u VarDecl> = named.globals(&path).to_vec();
        globals.retain(|global| !named.is_in_other_class(record, global.range));
        if !globals.is_empty() {
            let (global, scope) = self.definition(class, record, &globals)?;
            return self.constant_of(global, scope);
        }
        // Of several specialisations, that which stands in this one.
        let own = named
            .enums_in(&record.name)
            .iter()
            .find_map(|&enumeration| {
                let inside = !enumeration.scoped && record.range.contains(enumeration.range);
                let mut values = enumeration.values.iter();
                let position = values.position(|value| value.name == name)?;
                inside.then_some((enumeration, position))
            });
        if let Some((enumeration, position)) = own {
            return self.within(scope, |me| me.enumerator_value(enumeration, position));
        }
        let member = |(enumeration, _): &(&Enum, usize)| enumeration.scope == record.name;
        let enumerator = self.index.enumerator_at(&path, "", Range::default());
        if let Some((enumeration, position)) = enumerator.filter(member) {
            return self.within(scope, |me| me.enumerator_value(enumeration, position));
        }
        let bases = class.layout().map(|layout| layout.bases.clone())?;
        bases.into_iter().find_map(|(base, _)| match base {
            Ty::Struct(base) => self.static_member(&base, name),
            _ => None,
        })
    }

    /// The declaration of a static member of a class that says its value.
    fn definition(
        &mut self,
        class: &Rc<StructTy>,
        record: &'u Struct,
        globals: &[&'u VarDecl],
    ) -> Option<(&'u VarDecl, TypeScope)> {
        let given = told_arguments(class);
        let mut general = None;
        for global in globals {
            let Some(args) = owner_arguments(global) else {
                continue;
            };
            let candidate = Specialisation {
                template: &global.template,
                args,
                requires: None,
            };
            let mut inside = self.class_scope(class);
            let fits = self.fits_all(&candidate, &given, &mut inside);
            if global.template.is_empty() {
                // `template <> const int S<int>::n = 1;`, before all others.
                match fits {
                    Some(true) => return Some((*global, inside)),
                    Some(false) => continue,
                    None => return None,
                }
            }
            if defines(&candidate, record) && general.replace((*global, inside)).is_some() {
                return None;
            }
        }
        let mut own = globals
            .iter()
            .copied()
            .filter(|global| record.range.contains(global.range));
        let first = own.next();
        if own.next().is_some() {
            return None;
        }
        match (first, general) {
            (Some(first), None) if first.init == Init::None => {
                // `const int S::n = 1;` of a class that is no template.
                let mut outside = globals.iter().copied().filter(|global| {
                    owner_arguments(global).is_none() && !record.range.contains(global.range)
                });
                let one = outside.next()?;
                let alone = outside.next().is_none() && record.template.is_empty();
                alone.then(|| (one, self.class_scope(class)))
            }
            (Some(first), _) if first.init != Init::None => Some((first, self.class_scope(class))),
            (_, Some(general)) => Some(general),
            _ => None,
        }
    }

    /// The value of a constant that is declared in a scope.
    fn constant_of(&mut self, global: &'u VarDecl, scope: TypeScope) -> Option<Value> {
        let fixed = global.ty.is_const || global.storage.constexpr;
        let value = match &global.init {
            Init::Expr(value) => value,
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) => match items.as_slice() {
                [one] => one,
                _ => return None,
            },
            _ => return None,
        };
        fixed.then(|| {
            self.within(scope, |me| {
                let ty = me.resolve(&global.ty);
                let found = me.expr(value);
                me.convert(found, &ty, value.range)
            })
        })
    }
}

/// The scope that a variable is declared in.
fn outside(global: &VarDecl) -> TypeScope {
    TypeScope {
        path: enclosing(&global.name).to_owned(),
        ..TypeScope::default()
    }
}

/// Whether a variable is a template, and no specialisation of one.
fn is_template(global: &VarDecl) -> bool {
    !global.template.is_empty() && global.special.is_none()
}

/// The arguments of a specialisation of a variable template.
fn arguments(global: &VarDecl) -> Option<&[TemplateArg]> {
    global.special.as_ref()?.args.as_deref()
}

/// Those of the class in front of a static member that is defined outside of it.
fn owner_arguments(global: &VarDecl) -> Option<&[TemplateArg]> {
    let owner = global.special.as_ref()?.qualifier.last()?;
    owner.args.as_deref()
}

/// Whether what is written in front of a member that is defined outside means a class template, or one of its
/// specialisations: this one.
fn defines(definition: &Specialisation<'_>, record: &Struct) -> bool {
    if record.template_args.is_empty() {
        let mut pairs = definition.args.iter().zip(definition.template);
        let is_parameter = |(arg, parameter): (&TemplateArg, &TemplateParam)| {
            let name = super::templates::template_named(arg);
            let simple = name.and_then(Name::as_simple);
            simple.is_some() && simple == parameter.name.as_deref()
        };
        return definition.args.len() == definition.template.len()
            && definition.args.len() == record.template.len()
            && pairs.all(is_parameter);
    }
    let own = Patterns::of_specialisation(&record.template, &record.template_args);
    let written = Patterns::of_specialisation(definition.template, definition.args);
    own.takes_as_much(&written)
}
