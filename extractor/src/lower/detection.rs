//! Patterns of partial specialisations that ask whether something is there: `decltype((void)T::mark)`,
//! `void_t<typename T::type>`, `enable_if_t<(N > 4)>`.
//!
//! **Contract.** That a class has no member of a name is said only of a class of which everything is known: its text was
//! understood, and so were those of its bases. That it has one is said only where everybody may use it.

use std::rc::Rc;

use super::body::Lowerer;
use super::types::{StructTy, Ty};
use super::unit::{TypeEntry, last_component};
use super::value::Value;
use crate::syntax::ast::*;

/// What a pattern is after its parameters were replaced.
pub(crate) enum Substituted {
    /// A type, by its identity.
    Type(Type),
    /// C++ allows no such substitution: the specialisation is none of these arguments.
    Nothing,
    Undecided,
}

/// What a class has under a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    /// A data member, an enumerator.
    Value,
    Type,
    /// A function, or what is not looked into.
    Other,
    None,
}

/// Whether a name is that of an alias that depends on conditions.
pub(crate) fn is_condition(name: &Name) -> bool {
    name.base.ends_with("_t") && name.base.contains("void") || name.base.starts_with("enable_if")
}

impl<'u> Lowerer<'u, '_> {
    /// What a type is in a scope where its template parameters are bound.
    pub(crate) fn substituted(&mut self, ty: &Type) -> Substituted {
        let valid = match &ty.kind {
            TypeKind::Decltype(expr) => match self.discarded(expr) {
                Some(expr) => self.is_valid(expr),
                None => None,
            },
            TypeKind::Named(name) if self.is_void_t(name) => self.are_valid(name),
            TypeKind::Named(name) => return self.substituted_name(name, ty),
            _ => None,
        };
        match valid {
            Some(true) if !ty.is_const && !ty.is_volatile => Substituted::Type(void()),
            Some(false) => Substituted::Nothing,
            _ => Substituted::Undecided,
        }
    }

    /// The expression that is thrown away in `(void)e` and `e, void()`.
    fn discarded<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let is_void = |ty: &Type| ty.scalar() == Some(Scalar::Void);
        match &expr.kind {
            ExprKind::Cast {
                style: CastStyle::C | CastStyle::Static | CastStyle::Functional,
                ty,
                arg,
            } if is_void(ty) => Some(arg),
            ExprKind::Comma(first, second) => match &second.kind {
                ExprKind::Construct { ty, args, .. } if is_void(ty) && args.is_empty() => {
                    // `operator,` of a class would be called with no `void`.
                    Some(first)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `void_t<…>` of the library, or an alias of the unit that says the same.
    fn is_void_t(&self, name: &Name) -> bool {
        if name.args.is_none() || name.base != "void_t" {
            return false;
        }
        let scope = self.scope();
        match self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range)
            .as_slice()
        {
            [] => true,
            [TypeEntry::Typedef(typedef)] => {
                typedef.ty.scalar() == Some(Scalar::Void)
                    && !typedef.ty.is_const
                    && matches!(typedef.template.as_slice(), [one] if one.pack)
            }
            _ => false,
        }
    }

    /// Whether all arguments of a name are types.
    fn are_valid(&mut self, name: &Name) -> Option<bool> {
        let mut undecided = false;
        for arg in name.args.iter().flatten() {
            let valid = match arg {
                TemplateArg::Type(ty) => self.is_valid_type(ty),
                TemplateArg::Name(name) => {
                    self.is_valid_type(&Type::new(TypeKind::Named(name.clone()), name.range))
                }
                TemplateArg::Expr(_) => None,
            };
            match valid {
                Some(true) => {}
                Some(false) => return Some(false),
                None => undecided = true,
            }
        }
        (!undecided).then_some(true)
    }

    pub(super) fn is_valid_type(&mut self, ty: &Type) -> Option<bool> {
        match &ty.kind {
            TypeKind::Scalar(_) => Some(true),
            TypeKind::Decltype(expr) => {
                let inner = self.discarded(expr).unwrap_or(expr);
                self.is_valid(inner)
            }
            TypeKind::Named(name) if name.qualifier.is_empty() => {
                self.identity(ty).is_some().then_some(true)
            }
            TypeKind::Named(name) if name.args.is_none() => match self.member_named(name)? {
                Member::Type => Some(true),
                Member::None => Some(false),
                Member::Value | Member::Other => None,
            },
            _ => None,
        }
    }

    /// `enable_if_t<c>`, `typename T::type`
    fn substituted_name(&mut self, name: &Name, ty: &Type) -> Substituted {
        if let Some((condition, then)) = self.enable_if(name) {
            return match (condition, then) {
                (Some(false), _) => Substituted::Nothing,
                (Some(true), None) => Substituted::Type(void()),
                (Some(true), Some(then)) => match self.identity(&then) {
                    Some(then) => Substituted::Type(then),
                    None => Substituted::Undecided,
                },
                (None, _) => Substituted::Undecided,
            };
        }
        if name.qualifier.is_empty() || name.args.is_some() {
            return Substituted::Undecided;
        }
        match self.member_named(name) {
            Some(Member::None) => Substituted::Nothing,
            Some(Member::Type) => match self.identity(ty) {
                Some(ty) => Substituted::Type(ty),
                None => Substituted::Undecided,
            },
            _ => Substituted::Undecided,
        }
    }

    /// The condition of `enable_if_t<c, T>` and `typename enable_if<c, T>::type`, and the type that it guards.
    fn enable_if(&mut self, name: &Name) -> Option<(Option<bool>, Option<Type>)> {
        let (trait_name, args) = match (name.base.as_str(), name.qualifier.last()) {
            ("enable_if_t", _) => ("enable_if_t", name.args.as_ref()?),
            ("type", Some(segment)) if segment.name == "enable_if" => {
                ("enable_if", segment.args.as_ref()?)
            }
            _ => return None,
        };
        // One of the unit's own may mean anything.
        if self.index.declares_type(trait_name) {
            return None;
        }
        let (condition, then) = match args.as_slice() {
            [condition] => (condition, None),
            [condition, TemplateArg::Type(then)] => (condition, Some(then.clone())),
            [condition, TemplateArg::Name(then)] => {
                let ty = Type::new(TypeKind::Named(then.clone()), then.range);
                (condition, Some(ty))
            }
            _ => return None,
        };
        let value = match condition {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name) => self.name(name),
            TemplateArg::Type(_) => return Some((None, then)),
        };
        let holds = match value {
            Value::Term(term) => self.facts.terms.as_const(term).map(|value| value != 0),
            _ => None,
        };
        Some((holds, then))
    }

    /// Whether an expression that is not evaluated is one of C++.
    fn is_valid(&mut self, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Name(name) if !name.qualifier.is_empty() && name.args.is_none() => {
                match self.member_named(name)? {
                    Member::Value => Some(true),
                    Member::None => Some(false),
                    Member::Type | Member::Other => None,
                }
            }
            ExprKind::Member {
                base,
                arrow: false,
                field,
            } if field.args.is_none() => {
                let class = self.declared_value(base)?;
                match self.member(&class, &field.base)? {
                    Member::Value => Some(true),
                    Member::None => Some(false),
                    Member::Type | Member::Other => None,
                }
            }
            _ => None,
        }
    }

    /// The class of `declval<T>()`.
    fn declared_value(&mut self, expr: &Expr) -> Option<Rc<StructTy>> {
        let ExprKind::Call { callee, args } = &expr.kind else {
            return None;
        };
        let ExprKind::Name(name) = &callee.kind else {
            return None;
        };
        if name.base != "declval" || !args.is_empty() || !self.index.functions("declval").is_empty()
        {
            return None;
        }
        let ty = match name.args.as_deref()? {
            [TemplateArg::Name(name)] => self.named_type(name),
            [TemplateArg::Type(ty)] if !super::call::is_reference(ty) => self.resolve(ty),
            _ => return None,
        };
        match ty {
            Ty::Struct(class) => Some(class),
            _ => None,
        }
    }

    /// What a qualified name means in the class in front of it.
    fn member_named(&mut self, name: &Name) -> Option<Member> {
        let (last, before) = name.qualifier.split_last()?;
        let qualifier = Name {
            global: name.global,
            qualifier: before.to_vec(),
            base: last.name.clone(),
            args: last.args.clone(),
            range: name.range,
        };
        // A number or a pointer has no members, nor has a reference, whatever it refers to.
        match self.identity_of_name(&qualifier)?.kind {
            TypeKind::Named(_) => {}
            _ => return Some(Member::None),
        }
        match self.named_type(&qualifier) {
            Ty::Struct(class) => self.member(&class, &name.base),
            _ => None,
        }
    }

    /// What a class of which all is known has under a name; `None` where that is not certain.
    fn member(&mut self, class: &Rc<StructTy>, name: &str) -> Option<Member> {
        let record = self.record(class)?;
        let layout = class.layout()?;
        let unit = self.index.unit;
        let within = |range: Range| record.range.contains(range);
        let is_odd = record.opaque_layout.is_some()
            || unit.unparsed.iter().any(|problem| within(problem.range))
            || unit.usings.iter().any(|using| {
                using.block.is_none()
                    && within(using.range)
                    && last_component(&using.target) == name
            });
        if is_odd {
            return None;
        }
        let path = format!("{}::{name}", record.name);
        let fields = layout.own_fields().iter();
        let is_field = fields.clone().any(|(field, ..)| field == name);
        let is_enumerator = unit.enums.iter().any(|enumeration| {
            enumeration.scope == record.name
                && !enumeration.scoped
                && enumeration.values.iter().any(|value| value.name == name)
        });
        let is_global = unit.globals.iter().any(|global| global.name == path);
        let is_type = !self.index.member_types(&record.name, name).is_empty();
        let is_other = !self.index.methods(&record.name, name).is_empty()
            || unit.structs.iter().any(|one| one.name == path)
            || last_component(&record.name) == name;
        let kinds = [is_field, is_enumerator || is_global, is_type, is_other];
        let found = match kinds {
            [false, false, false, false] => match self.inherited(class, record, name)? {
                Member::None => return Some(Member::None),
                found => found,
            },
            [true, false, false, false] | [false, true, false, false] => Member::Value,
            [false, false, true, false] => Member::Type,
            _ => Member::Other,
        };
        // Which of the specialisations of a class has it, and whether everybody may use it.
        let several = self
            .index
            .classes
            .iter()
            .filter(|one| one.name == record.name)
            .count();
        let text = self.sources.text(record.range);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let hides = record.kind == StructKind::Class
            || words
                .clone()
                .any(|word| matches!(word, "private" | "protected"));
        if several > 1 {
            return None;
        }
        if !hides {
            return Some(found);
        }
        let fields = record.fields.iter().filter(|field| field.name == name);
        let globals = unit.globals.iter().filter(|global| global.name == path);
        let mut own = fields.chain(globals).map(|one| one.name_range);
        // A friend may use it; of other members and those of bases it is not kept who may.
        let range = own.next().filter(|range| within(*range))?;
        if own.next().is_some() || words.any(|word| word == "friend") {
            return None;
        }
        match record.is_public(range) {
            true => Some(found),
            false => Some(Member::None),
        }
    }

    /// What the bases of a class have under a name: of several, which is meant is not decided.
    fn inherited(
        &mut self,
        class: &Rc<StructTy>,
        record: &'u Struct,
        name: &str,
    ) -> Option<Member> {
        let bases = class.layout()?.bases.clone();
        if bases.len() != record.bases.len() {
            return None;
        }
        let mut found = Member::None;
        for (base, _) in bases {
            let Ty::Struct(base) = base else { return None };
            match (found, self.member(&base, name)?) {
                (_, Member::None) => {}
                (Member::None, inherited) => found = inherited,
                _ => return None,
            }
        }
        Some(found)
    }
}

fn void() -> Type {
    Type::new(TypeKind::Scalar(Scalar::Void), Range::default())
}
