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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// A data member.
    Value,
    Enumerator,
    Type,
    /// Functions: whether it is only one, and no template.
    Function {
        only: bool,
    },
    /// What is not looked into.
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
        match self.is_valid_type(ty) {
            Some(true) => {}
            Some(false) => return Substituted::Nothing,
            None => return Substituted::Undecided,
        }
        // What is thrown away is `void`, whatever it was.
        let is_void = matches!(&ty.kind, TypeKind::Decltype(expr) if self.is_discarded(expr));
        if is_void && !ty.is_const && !ty.is_volatile {
            return Substituted::Type(void());
        }
        match self.identity(ty) {
            Some(ty) => Substituted::Type(ty),
            None => Substituted::Undecided,
        }
    }

    /// `(void)e`, `e, void()`
    fn is_discarded(&self, expr: &Expr) -> bool {
        let is_void = |ty: &Type| ty.scalar() == Some(Scalar::Void);
        match &expr.kind {
            ExprKind::Cast {
                style: CastStyle::C | CastStyle::Static | CastStyle::Functional,
                ty,
                ..
            } => is_void(ty),
            ExprKind::Construct { ty, args, .. } => is_void(ty) && args.is_empty(),
            ExprKind::Comma(_, second) => {
                self.index.functions("operator,").is_empty() && self.is_discarded(second)
            }
            _ => false,
        }
    }

    /// `void_t<…>` of the library, or an alias of the unit that says the same.
    pub(super) fn is_void_t(&self, name: &Name) -> bool {
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

    /// The condition of `enable_if_t<c, T>` and `typename enable_if<c, T>::type`, and the type that it guards.
    pub(super) fn enable_if(&mut self, name: &Name) -> Option<(Option<bool>, Option<Type>)> {
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

    /// The type that `declval<T>()` of the library gives, or a function of the unit that says the same: `template <class T> T &&make();`.
    pub(super) fn declval_type(&self, name: &Name) -> Option<Type> {
        let to = match name.args.as_deref()? {
            [TemplateArg::Type(ty)] => ty.clone(),
            [TemplateArg::Name(of)] => Type::new(TypeKind::Named(of.clone()), of.range),
            _ => return None,
        };
        let kind: fn(Box<Type>) -> TypeKind = match self.index.functions(&name.base) {
            [] if name.base == "declval" => TypeKind::RvalueReference,
            [one] if one.body.is_none() && one.params.is_empty() && one.owner.is_none() => {
                let [parameter] = one.template.as_deref()? else {
                    return None;
                };
                let is_plain = !parameter.pack
                    && matches!(parameter.kind, TemplateParamKind::Type { .. })
                    && one.requires.is_none();
                let given = |ty: &Type| {
                    is_plain
                        && !ty.is_const
                        && !ty.is_volatile
                        && matches!(&ty.kind, TypeKind::Named(of)
                            if of.as_simple().is_some() && of.as_simple() == parameter.name.as_deref())
                };
                match &one.ret.kind {
                    TypeKind::RvalueReference(of) if given(of) => TypeKind::RvalueReference,
                    TypeKind::Reference(of) if given(of) => TypeKind::Reference,
                    _ if given(&one.ret) => return Some(to),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Type::new(kind(Box::new(to)), name.range))
    }

    pub(super) fn is_declval(&self, name: &Name) -> bool {
        self.declval_type(name).is_some()
    }

    /// What a qualified name means in the class in front of it.
    pub(super) fn member_named(&mut self, name: &Name) -> Option<Member> {
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
    pub(super) fn member(&mut self, class: &Rc<StructTy>, name: &str) -> Option<Member> {
        let Some(record) = self.record(class) else {
            return vector_member(class, name);
        };
        let layout = class.layout()?;
        let (unit, declared) = (self.index.unit, &self.index.named);
        let within = |range: Range| record.range.contains(range);
        let is_odd = record.opaque_layout.is_some()
            || unit.unparsed.iter().any(|problem| within(problem.range))
            || declared
                .usings(name)
                .iter()
                .any(|using| using.block.is_none() && within(using.range));
        if is_odd {
            return None;
        }
        let path = format!("{}::{name}", record.name);
        // Of a class and its specialisations, each has members of its own; of what stands outside of all of them it is not known
        // here whose it is.
        let mut own: Vec<Range> = Vec::new();
        let mut others: Vec<Range> = Vec::new();
        let mut note = |range: Range| match within(range) {
            true => own.push(range),
            false => others.push(range),
        };
        let of_others = |range: Range| declared.is_in_other_class(record, range);
        let fields = layout.own_fields().iter();
        let is_field = fields.clone().any(|(field, ..)| field == name);
        let named = record.fields.iter().filter(|field| field.name == name);
        named.for_each(|field| note(field.name_range));
        let enumerations = declared.enums_in(&record.name).iter().filter(|one| {
            !one.scoped
                && !of_others(one.range)
                && one.values.iter().any(|value| value.name == name)
        });
        let mut is_enumerator = false;
        for enumeration in enumerations {
            is_enumerator = true;
            note(enumeration.range);
        }
        let globals = declared.globals(&path).iter();
        let globals = globals.filter(|global| !of_others(global.range));
        let mut is_global = false;
        for global in globals {
            is_global = true;
            // The definition of a static member outside of its class says nothing of who may use it.
            if within(global.range) {
                note(global.name_range);
            }
        }
        let mut is_type = false;
        for entry in self.index.member_types(&record.name, name) {
            let range = super::classes::range_of(&entry);
            if !of_others(range) {
                is_type = true;
                note(range);
            }
        }
        let methods = self.index.methods(&record.name, name);
        let mut functions = Vec::new();
        let mut elsewhere = false;
        for method in methods {
            if within(method.range) {
                functions.push(method);
                note(method.name_range);
            } else if !of_others(method.range)
                && !functions.iter().any(|one| is_definition(one, method))
            {
                elsewhere = true;
            }
        }
        let outside = elsewhere || !others.is_empty();
        let is_function = !functions.is_empty();
        let is_other = last_component(&record.name) == name;
        let found = match [is_field || is_global, is_enumerator, is_type, is_function] {
            _ if is_other || outside => {
                return (!own.is_empty() || is_other).then_some(Member::Other);
            }
            [false, false, false, false] => return self.inherited(class, record, name),
            [true, false, false, false] => Member::Value,
            [false, true, false, false] => Member::Enumerator,
            [false, false, true, false] => Member::Type,
            [false, false, false, true] => Member::Function {
                only: functions.len() == 1 && !is_template_of_its_own(functions[0], record),
            },
            _ => Member::Other,
        };
        // Whether everybody may use it.
        let text = self.sources.text(record.range);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let hides = record.kind == StructKind::Class
            || words
                .clone()
                .any(|word| matches!(word, "private" | "protected"));
        if !hides {
            return Some(found);
        }
        let public = own.iter().filter(|range| record.is_public(**range)).count();
        if public == own.len() {
            return Some(found);
        }
        // A friend may use it; of several functions the public ones may be meant.
        let hidden = public == 0 && !words.any(|word| word == "friend");
        hidden.then_some(Member::None)
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

/// What one of CUDA's vectors has under a name.
fn vector_member(class: &StructTy, name: &str) -> Option<Member> {
    let is_vector = class.class.is_none()
        && (class.name == "dim3" || class.name.ends_with(|last: char| last.is_ascii_digit()))
        && !class.is_of_library_template();
    let fields = class.fields();
    if !is_vector || !fields.iter().all(|(_, ty, _)| matches!(ty, Ty::Scalar(_))) {
        return None;
    }
    Some(match fields.iter().any(|(field, ..)| field == name) {
        true => Member::Value,
        false => Member::None,
    })
}

/// Whether a function that stands outside of its class may be the definition of one that is declared inside.
fn is_definition(declared: &Function, outside: &Function) -> bool {
    declared.body.is_none() && declared.params.len() == outside.params.len()
}

/// Whether a member function has template parameters besides those of its class.
fn is_template_of_its_own(function: &Function, record: &Struct) -> bool {
    function
        .template
        .as_ref()
        .is_some_and(|own| own.is_empty() || own.len() > record.template.len())
}
