//! References that the name of a type hides.
//!
//! A [`Ty`](super::types::Ty) keeps no references, and a declaration is taken as one by the `&` that is written in it. The type may
//! have a name, though: `Id<int &>::type`, `std::conditional_t<c, T &, T>`, `decltype((x))`, a template parameter that `int &` was
//! given for. What is declared with such a name would be taken as a copy.
//!
//! **Contract.** A type that is not written as a reference and may be one hides it. Of a name that is not followed, that is so
//! if a template argument in it is or hides a reference.

use super::body::{Binding, Lowerer};
use super::call::is_reference;
use super::classes::MAX_DEPTH;
use super::types::TypeScope;
use super::unit::{TypeEntry, enclosing, last_component};
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

/// Functions of the C++ library whose results are references.
const REFERRING: [&str; 8] = [
    "declval", "move", "forward", "get", "max", "min", "clamp", "as_const",
];

impl Lowerer<'_, '_> {
    /// Whether a type that is not written as a reference may be one.
    pub(super) fn hides_reference(&mut self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Named(name) => self.name_hides_reference(name),
            // As an argument of a template that takes it apart.
            TypeKind::Function { .. } => self.sources.text(ty.range).contains('&'),
            TypeKind::Decltype(of) => self.is_parenthesised(ty) || !self.is_no_reference(of),
            _ => false,
        }
    }

    /// Whether a template argument is a reference, however it is written.
    pub(super) fn refers(&mut self, arg: &TemplateArg) -> bool {
        match arg {
            TemplateArg::Type(ty) => {
                let mut ty = ty;
                while let TypeKind::Pointer(to) | TypeKind::Array(to, _) = &ty.kind {
                    ty = to;
                }
                is_reference(ty) || self.hides_reference(ty)
            }
            TemplateArg::Name(name)
            | TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => self.name_hides_reference(name),
            TemplateArg::Expr(_) => false,
        }
    }

    /// Refuses what is declared with a type that hides a reference.
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

    /// The same of `T(x)`, where a name means a type.
    pub(super) fn refuse_hidden_name(&mut self, name: &Name, range: Range) {
        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
        self.refuse_hidden_reference(&ty, range);
    }

    fn name_hides_reference(&mut self, name: &Name) -> bool {
        if let Some(identity) = self.identity_of_name(name) {
            return is_reference(&identity);
        }
        let before = name.qualifier.last();
        let template = match before {
            Some(segment) if name.base == "type" => segment.name.as_str(),
            _ => name.base.strip_suffix("_t").unwrap_or(&name.base),
        };
        if REMOVES.contains(&template) && !self.declares_class(template) {
            return false;
        }
        if ADDS.contains(&template)
            || REFERENCES.contains(&name.base.as_str())
            || self.typedef_hides_reference(name)
        {
            return true;
        }
        let around = name.qualifier.iter().filter_map(|one| one.args.as_ref());
        let args: Vec<&TemplateArg> = around.chain(&name.args).flatten().collect();
        args.into_iter()
            .any(|arg| self.refers(arg) || self.is_forwarded(arg))
    }

    /// Whether the unit itself declares a class of this name, which is not the one of the C++ library.
    pub(super) fn declares_class(&self, name: &str) -> bool {
        let mut classes = self.index.classes.iter();
        classes.any(|one| last_component(&one.name) == name && !one.name.starts_with("std::"))
    }

    /// Whether a typedef at namespace scope, of a type that has no identity, is of a reference.
    fn typedef_hides_reference(&mut self, name: &Name) -> bool {
        let scope = self.scope();
        if self.calls.len() > MAX_DEPTH || scope.types.contains_key(&name.base) {
            return false;
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        let Some(TypeEntry::Typedef(typedef)) = entries.first() else {
            return false;
        };
        let outside = TypeScope {
            path: enclosing(&typedef.name).to_owned(),
            ..TypeScope::default()
        };
        self.within(outside, |me| {
            is_reference(&typedef.ty) || me.hides_reference(&typedef.ty)
        })
    }

    /// Whether an argument is the template parameter of a forwarding reference, which `int &` may have been deduced for.
    fn is_forwarded(&self, arg: &TemplateArg) -> bool {
        match arg {
            TemplateArg::Type(ty) => self.may_be_reference(ty),
            TemplateArg::Name(name) => {
                self.may_be_reference(&Type::new(TypeKind::Named(name.clone()), name.range))
            }
            TemplateArg::Expr(_) => false,
        }
    }

    /// `decltype((x))`: the expression, whose parentheses are not kept, is a place.
    fn is_parenthesised(&self, ty: &Type) -> bool {
        let TypeKind::Decltype(of) = &ty.kind else {
            return false;
        };
        let is_place = matches!(of.kind, ExprKind::Name(_) | ExprKind::Member { .. });
        let text = self.sources.text(ty.range);
        let mut words = text.chars().filter(|c| !c.is_whitespace());
        is_place && words.by_ref().any(|c| c == '(') && words.next() == Some('(')
    }

    /// Whether `decltype` of an expression is the type of a value: of a variable that is no reference, a member, what is computed.
    pub(super) fn is_no_reference(&mut self, of: &Expr) -> bool {
        match &of.kind {
            ExprKind::Name(name) => match name.as_simple().and_then(|name| self.lookup(name)) {
                Some(Binding::Reference(_)) => false,
                Some(_) => true,
                None => !self.is_reference_member(&name.base) && !self.is_reference_global(name),
            },
            ExprKind::Member { field, .. } => !self.is_reference_member(&field.base),
            ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Assign { .. } => false,
            ExprKind::IncDec { prefix, .. } => !prefix,
            ExprKind::Comma(_, second) => self.is_no_reference(second),
            ExprKind::Conditional { .. } => false,
            ExprKind::Cast { ty, .. } => !is_reference(ty) && !self.hides_reference(ty),
            ExprKind::Binary(op, ..) => {
                let operator = format!("operator{}", op.text());
                !self.gives_reference(&operator)
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) => {
                    let of_library =
                        !name.qualifier.is_empty() && REFERRING.contains(&name.base.as_str());
                    // A lambda or another object that is called.
                    let is_object = name
                        .as_simple()
                        .and_then(|name| self.lookup(name))
                        .is_some();
                    name.base != "declval"
                        && !of_library
                        && !is_object
                        && !self.gives_reference(&name.base)
                }
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a function of a name returns a reference.
    fn gives_reference(&mut self, name: &str) -> bool {
        // Results may be written with calls of functions of the same name.
        if self.calls.len() > MAX_DEPTH {
            return true;
        }
        let called: Vec<&Function> = self.index.functions(name).to_vec();
        let scope = self.scope();
        self.within(scope, |me| {
            called.into_iter().any(|function| {
                is_reference(&function.ret)
                    || matches!(function.ret.kind, TypeKind::Decltype(_))
                    || me.hides_reference(&function.ret)
            })
        })
    }

    fn is_reference_member(&self, name: &str) -> bool {
        let records = self.index.classes.iter();
        let mut fields = records.flat_map(|record| &record.fields);
        fields.any(|field| field.name == name && is_reference(&field.ty))
    }

    fn is_reference_global(&self, name: &Name) -> bool {
        let globals = &self.index.unit.globals;
        globals
            .iter()
            .any(|one| last_component(&one.name) == name.base && is_reference(&one.ty))
    }
}
