//! References that the name of a type hides.
//!
//! A [`Ty`](super::types::Ty) keeps no references, and a declaration is taken as one by the `&` that is written in it. The type may
//! have a name, though: `Id<int &>::type`, `std::conditional_t<c, T &, T>`, `decltype((x))`, a template parameter that `int &` was
//! given for. What is declared with such a name would be taken as a copy.
//!
//! **Method.** A reference to a reference is that reference: where `T` is `int &`, so is `T &`. A type that hides a reference
//! is therefore written out with one more `&` (or `&&`), and all else sees a type that is written as one. Whether a name is that
//! of a reference its identity tells, or else the typedef that declares it.
//!
//! **Contract.** What may be a reference and may be none is [`Refers::Unknown`], and refused where something is declared with it.

use std::rc::Rc;

use super::body::Lowerer;
use super::call::is_reference;
use super::classes::{MAX_DEPTH, bind, own_parameters};
use super::constness::{Argument, Category};
use super::grown::Grown;
use super::identity::elements;
use super::types::{TemplateValue, Ty, TypeScope};
use super::unit::TypeEntry;
use crate::syntax::ast::*;
use warplog_facts::words::Effect;

/// Traits whose type is never a reference.
const REMOVES: [&str; 9] = [
    "remove_reference",
    "remove_cvref",
    "decay",
    "make_signed",
    "make_unsigned",
    "underlying_type",
    "common_type",
    "is_same",
    "integral_constant",
];

/// Traits whose type is always a reference, but for `void`, or may be one without a reference among the arguments.
const ADDS: [&str; 4] = [
    "add_lvalue_reference",
    "add_rvalue_reference",
    "invoke_result",
    "result_of",
];

/// What classes of the C++ library call the type of references to their elements.
const REFERENCES: [&str; 2] = ["reference", "const_reference"];

/// The name of the type of a template argument that is or may be a reference and has no identity.
const UNTOLD: &str = "untold reference";

/// Whether a type is a reference, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refers {
    /// It is the type of values.
    No,
    /// `T &`
    Lvalue,
    /// `T &&`
    Rvalue,
    Unknown,
}

impl Refers {
    fn of(identity: &Type) -> Refers {
        match identity.kind {
            TypeKind::Reference(_) => Refers::Lvalue,
            TypeKind::RvalueReference(_) => Refers::Rvalue,
            _ => Refers::No,
        }
    }

    /// `R &&` of this type.
    pub(super) fn collapsed(self) -> Refers {
        match self {
            Refers::No => Refers::Rvalue,
            known => known,
        }
    }

    /// Of several that must agree.
    pub(super) fn agreed(all: impl IntoIterator<Item = Refers>) -> Refers {
        let mut all = all.into_iter();
        let first = all.next().unwrap_or(Refers::Unknown);
        match all.all(|one| one == first) {
            true => first,
            false => Refers::Unknown,
        }
    }

    /// Whether it is a reference for certain.
    pub(super) fn is_told(self) -> bool {
        matches!(self, Refers::Lvalue | Refers::Rvalue)
    }
}

/// A written reference in place of one that a parameter hides: whether it is `&`, and `const` and `volatile` of what it refers to.
type Written = (bool, bool, bool);

/// Functions whose parameters were written out: by their text, the number of parameters, and what was written.
pub(crate) type WrittenReferences = Grown<(Range, Vec<Option<Written>>), Function>;

impl<'u> Lowerer<'u, '_> {
    /// Whether a type is a reference.
    pub(super) fn refers_as(&mut self, ty: &Type) -> Refers {
        match &ty.kind {
            TypeKind::Reference(_) => Refers::Lvalue,
            TypeKind::RvalueReference(to) => match to.kind {
                TypeKind::Auto => Refers::Unknown,
                _ => self.refers_as(to).collapsed(),
            },
            TypeKind::Named(name) => self.name_refers_as(name),
            TypeKind::Decltype(of) => self.decltype_refers_as(ty, of),
            TypeKind::Auto if self.sources.text(ty.range).starts_with("decltype") => {
                Refers::Unknown
            }
            _ => Refers::No,
        }
    }

    /// Whether a type that is not written as a reference is or may be one.
    fn hides_reference(&mut self, ty: &Type) -> bool {
        !is_reference(ty) && self.refers_as(ty) != Refers::No
    }

    /// The type with the reference that it hides written, if it hides one; `None`: it is as it is written.
    pub(super) fn written_out(&mut self, ty: &Type) -> Option<Type> {
        let (named, outer) = match &ty.kind {
            TypeKind::Named(_) | TypeKind::Decltype(_) => (ty, Refers::No),
            TypeKind::Reference(to) => (&**to, Refers::Lvalue),
            TypeKind::RvalueReference(to) => (&**to, Refers::Rvalue),
            _ => return None,
        };
        if !matches!(named.kind, TypeKind::Named(_) | TypeKind::Decltype(_)) {
            return None;
        }
        let is_lvalue = match (self.refers_as(named), outer) {
            (Refers::No | Refers::Unknown, _) => return None,
            (Refers::Lvalue, _) | (_, Refers::Lvalue) => true,
            (Refers::Rvalue, _) => false,
        };
        let unknown = match outer {
            Refers::No => (false, false),
            _ => (named.is_const, named.is_volatile),
        };
        let (is_const, is_volatile) = self.referent_qualifiers(named).unwrap_or(unknown);
        let out = written(named, (is_lvalue, is_const, is_volatile));
        (out.kind != ty.kind).then_some(out)
    }

    /// Whether what a type refers to is constant and volatile, where it is known which type that is.
    fn referent_qualifiers(&mut self, ty: &Type) -> Option<(bool, bool)> {
        match self.identity(ty)?.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                let of = elements(&to);
                Some((of.is_const, of.is_volatile))
            }
            _ => None,
        }
    }

    /// A function whose parameters hide no reference: where it is known to what one refers, it is written out. `T &&` of a
    /// template parameter of its `own` is chosen as that, whatever `T` is.
    pub(super) fn with_references(
        &mut self,
        function: &'u Function,
        own: &[TemplateParam],
        scope: &TypeScope,
    ) -> &'u Function {
        let may_hide = |param: &Param| {
            if forwarded(&param.ty, own).is_some() {
                return false;
            }
            let mut ty = &param.ty;
            while let TypeKind::Reference(to) | TypeKind::RvalueReference(to) = &ty.kind {
                ty = to;
            }
            !param.pack && matches!(ty.kind, TypeKind::Named(_) | TypeKind::Decltype(_))
        };
        if !function.params.iter().any(may_hide) {
            return function;
        }
        let found: Vec<Option<Written>> = self.within_declaration(function, scope, |me| {
            let params = function.params.iter();
            let told = |param: &'u Param| {
                let out = me.written_out(&param.ty).filter(|_| may_hide(param))?;
                let (TypeKind::Reference(to) | TypeKind::RvalueReference(to)) = &out.kind else {
                    return None;
                };
                let (is_const, is_volatile) = me.referent_qualifiers(to)?;
                let is_lvalue = matches!(out.kind, TypeKind::Reference(_));
                Some((is_lvalue, is_const, is_volatile))
            };
            params.map(told).collect()
        });
        if found.iter().all(Option::is_none) {
            return function;
        }
        let key = (function.range, found);
        let made = self.index.written_references.get(key, |(_, found)| {
            let mut function = function.clone();
            for (param, found) in function.params.iter_mut().zip(found) {
                if let Some(found) = found {
                    let named = match &param.ty.kind {
                        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
                        _ => &param.ty,
                    };
                    param.ty = written(named, *found);
                }
            }
            function
        });
        made.unwrap_or(function)
    }

    /// The parameters of a lambda, written out.
    pub(super) fn params_written_out(&mut self, params: &[Param], scope: &TypeScope) -> Vec<Param> {
        self.within(scope.clone(), |me| {
            let written = |param: &Param| Param {
                ty: me
                    .written_out(&param.ty)
                    .unwrap_or_else(|| param.ty.clone()),
                ..param.clone()
            };
            params.iter().map(written).collect()
        })
    }

    /// Deduces `T` of a parameter `T &&`, which is `U &` for a place of type `U`.
    pub(super) fn deduces_forwarded(
        &mut self,
        pattern: &Type,
        given: &Ty,
        parameters: &[TemplateParam],
        arg: &Argument<'_>,
        scope: &mut TypeScope,
    ) -> bool {
        let Some(name) = forwarded(pattern, parameters) else {
            return false;
        };
        if scope.types.contains_key(&name.base) {
            return false;
        }
        let category = self.known_of(arg).0;
        let identity = match category {
            Category::Place => arg
                .expr
                .and_then(|expr| self.identity_of_object(expr))
                .map(|of| Type::new(TypeKind::Reference(Box::new(of)), Range::default())),
            Category::Temporary => match arg.expr.map(|expr| &expr.kind) {
                Some(ExprKind::Call { callee, args }) if self.moves(callee) => {
                    args.first().and_then(|of| self.identity_of_object(of))
                }
                _ => self.identity_of_value(arg),
            },
            Category::Unknown => None,
        };
        let is_unsure = identity.is_none() && category != Category::Temporary;
        if identity.is_none() && !is_unsure {
            return false;
        }
        scope.bind_type(&name.base, given.clone(), identity.map(Rc::new));
        if is_unsure {
            scope.unsure.insert(name.base.clone());
        }
        true
    }

    /// A cast to a type that hides a reference, as one to the reference.
    pub(super) fn cast_written_out(&mut self, expr: &Expr) -> Option<Expr> {
        let (ty, arg, style) = match &expr.kind {
            ExprKind::Cast { ty, arg, style } => (ty, &**arg, style),
            ExprKind::Construct { ty, args, .. } => match args.as_slice() {
                [arg] if !matches!(arg.kind, ExprKind::InitList(_)) => {
                    (ty, arg, &CastStyle::Functional)
                }
                _ => return None,
            },
            _ => return None,
        };
        if *style == CastStyle::Part {
            return None;
        }
        let kind = ExprKind::Cast {
            ty: Box::new(self.written_out(ty)?),
            arg: Box::new(arg.clone()),
            style: *style,
        };
        Some(Expr {
            kind,
            range: expr.range,
        })
    }

    /// `T(x)`, where a name means a type that hides a reference: the cast that it is.
    pub(super) fn call_written_out(
        &mut self,
        name: &Name,
        args: &[Expr],
        range: Range,
    ) -> Option<Expr> {
        let [arg] = args else { return None };
        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
        let kind = ExprKind::Cast {
            ty: Box::new(self.written_out(&ty)?),
            arg: Box::new(arg.clone()),
            style: CastStyle::Functional,
        };
        Some(Expr { kind, range })
    }

    /// Whether a template argument is a reference, however it is written.
    pub(super) fn argument_refers_as(&mut self, arg: &TemplateArg) -> Refers {
        match arg {
            TemplateArg::Type(ty) => {
                let mut ty = ty;
                while let TypeKind::Pointer(to) | TypeKind::Array(to, _) = &ty.kind {
                    ty = to;
                }
                // As an argument of a template that takes it apart.
                let takes_reference = matches!(ty.kind, TypeKind::Function { .. })
                    && self.sources.text(ty.range).contains('&')
                    && self.identity(ty).is_none();
                match takes_reference {
                    true => Refers::Unknown,
                    false => self.refers_as(ty),
                }
            }
            TemplateArg::Name(name)
            | TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => self.name_refers_as(name),
            TemplateArg::Expr(_) => Refers::No,
        }
    }

    /// Whether a template argument is or may be a reference.
    pub(super) fn refers(&mut self, arg: &TemplateArg) -> bool {
        self.argument_refers_as(arg) != Refers::No
    }

    /// Whether a template argument is or may be a reference and it is not known to what.
    pub(super) fn is_untold_reference(&mut self, arg: &TemplateArg) -> bool {
        if !self.refers(arg) {
            return false;
        }
        self.identity_of_argument(arg).is_none()
    }

    /// Refuses what is declared with a type that hides a reference and was not written out.
    pub(super) fn refuse_hidden_reference(&mut self, ty: &Type, range: Range) {
        if self.hides_reference(ty) {
            self.unsupported(
                range,
                "a name for a reference type",
                "what it refers to is not followed",
                Effect::Control,
            );
        }
    }

    /// Refuses a variable at namespace scope that is or may be a reference.
    pub(super) fn refuse_global_reference(
        &mut self,
        global: &VarDecl,
        inside: &TypeScope,
        range: Range,
    ) {
        let refers = self.within(inside.clone(), |me| me.refers_as(&global.ty));
        if refers != Refers::No {
            let (what, why) = (
                "a variable that is a reference",
                "what it refers to is not followed",
            );
            self.unsupported(range, what, why, Effect::Control);
        }
    }

    /// Refuses a template whose argument is or may be a reference to what is not known.
    pub(super) fn refuse_reference_argument(&mut self, range: Range) {
        let what = "a template argument that is a reference";
        self.unsupported(
            range,
            what,
            "what it refers to is not known",
            Effect::Control,
        );
    }

    /// The same of `T(x)`, where a name means a type.
    pub(super) fn refuse_hidden_name(&mut self, name: &Name, range: Range) {
        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
        self.refuse_hidden_reference(&ty, range);
    }

    /// Whether what a name means as a type is a reference.
    pub(super) fn name_refers_as(&mut self, name: &Name) -> Refers {
        if self.calls.len() > MAX_DEPTH {
            return Refers::Unknown;
        }
        if let Some(identity) = self.identity_of_name(name) {
            return Refers::of(&identity);
        }
        let scope = self.scope();
        let is_simple = name.qualifier.is_empty() && !name.global;
        if is_simple && scope.types.contains_key(&name.base) {
            if name.args.is_none() {
                let may_be = scope.unsure.contains(&name.base)
                    || scope.types.get(&name.base).is_some_and(is_untold);
                return if may_be { Refers::Unknown } else { Refers::No };
            }
            return self.may_take_apart(name);
        }
        let before = name.qualifier.last();
        let template = match before {
            Some(segment) if name.base == "type" => segment.name.as_str(),
            _ => name.base.strip_suffix("_t").unwrap_or(&name.base),
        };
        let of_library = !self.declares_class(template);
        if REMOVES.contains(&template) && of_library {
            return Refers::No;
        }
        if let Some((entries, inside)) = self.types_meant(name) {
            return self.entries_refer_as(&entries, name, &inside);
        }
        if ADDS.contains(&template) || REFERENCES.contains(&name.base.as_str()) {
            return Refers::Unknown;
        }
        self.may_take_apart(name)
    }

    /// A type of which only the name is known may be one of its arguments.
    fn may_take_apart(&mut self, name: &Name) -> Refers {
        let around = name.qualifier.iter().filter_map(|one| one.args.as_ref());
        let mut args = around.chain(&name.args).flatten();
        match args.any(|arg| self.refers(arg)) {
            true => Refers::Unknown,
            false => Refers::No,
        }
    }

    fn entries_refer_as(
        &mut self,
        entries: &[TypeEntry<'u>],
        name: &Name,
        scope: &TypeScope,
    ) -> Refers {
        let mut all = Vec::new();
        for entry in entries {
            all.push(match entry {
                TypeEntry::Enum(_) | TypeEntry::Class(..) => Refers::No,
                TypeEntry::Typedef(typedef) => {
                    let mut inside = scope.clone();
                    let own = own_parameters(&typedef.template, scope);
                    if !own.is_empty() {
                        let args = name.args.as_deref().unwrap_or(&[]);
                        let args = self.template_values(own, args, scope);
                        bind(&mut inside, own, &args);
                    }
                    self.within(inside, |me| me.refers_as(&typedef.ty))
                }
            });
        }
        Refers::agreed(all)
    }

    /// Whether the unit itself declares a class of this name, which is not the one of the C++ library.
    pub(super) fn declares_class(&self, name: &str) -> bool {
        self.index.declares_class(name)
    }

    /// A template argument that is a type: one that may be a reference without an identity is no type that is known.
    pub(super) fn told_value(&mut self, ty: &Type, value: TemplateValue) -> TemplateValue {
        let untold = matches!(value, TemplateValue::Type(_, None))
            && self.is_untold_reference(&TemplateArg::Type(ty.clone()));
        match untold {
            true => TemplateValue::Type(untold_reference(), None),
            false => value,
        }
    }

    /// Doubts a template whose parameter is a reference to an object: what is done to that is not followed.
    pub(super) fn doubt_reference_parameter(&mut self, ty: &Type, range: Range) {
        if self.refers_as(ty) != Refers::No {
            let text = "a template parameter that is a reference".to_owned();
            self.doubts.insert(range, text);
        }
    }
}

/// `T` of `T &&`, which takes any place as it is.
fn forwarded<'t>(ty: &'t Type, parameters: &[TemplateParam]) -> Option<&'t Name> {
    let TypeKind::RvalueReference(to) = &ty.kind else {
        return None;
    };
    let TypeKind::Named(name) = &to.kind else {
        return None;
    };
    let simple = name
        .as_simple()
        .filter(|_| !to.is_const && !to.is_volatile)?;
    let mut names = parameters.iter().filter_map(|one| one.name.as_deref());
    names.any(|one| one == simple).then_some(name)
}

/// What stands for a type that is or may be a reference, in the names in force.
pub(super) fn untold_reference() -> Ty {
    Ty::Opaque {
        name: UNTOLD.to_owned(),
        bytes: None,
    }
}

/// Whether a type stands for one that is or may be a reference.
pub(super) fn is_untold(ty: &Ty) -> bool {
    matches!(ty, Ty::Opaque { name, bytes: None } if name == UNTOLD)
}

/// A type that hides a reference, with that written.
fn written(named: &Type, (is_lvalue, is_const, is_volatile): Written) -> Type {
    let mut inner = named.clone();
    inner.is_const = is_const;
    inner.is_volatile = is_volatile;
    let inner = Box::new(inner);
    let kind = match is_lvalue {
        true => TypeKind::Reference(inner),
        false => TypeKind::RvalueReference(inner),
    };
    Type::new(kind, named.range)
}
