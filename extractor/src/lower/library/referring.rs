//! Functions of C++'s library that give references to what they are given: `std::get`, `std::min`, `std::max`, `std::clamp`.
//!
//! `std::get<0>(p)` is a member of `p`, to be written as well as read. `const T &r = std::min(a, b)` refers to `a` or to `b`: what
//! is stored there later shows in `r`. Where only the value is wanted, the row of the function gives it (`integer.rs`).
//!
//! Source: C++ standard, `[pair.astuple]`, `[alg.min.max]`, `[alg.clamp]`; libcu++ and Thrust declare the same.
//!
//! **Accuracy.** The layout of a tuple is left to the library: the elements of one in memory are reported.
//! CUDA's own `min` and `max`, outside all namespaces, take and give values.

use warplog_facts::{CType, TermId};

use super::super::body::Lowerer;
use super::super::overload::Found;
use super::super::types::{StructTy, Ty};
use super::super::value::*;
use super::standard;
use super::types::is_tuple;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The object that a call of a function of the library refers to; `None` when it gives a value, or is no such call.
    pub(crate) fn referred_by_library(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        range: Range,
    ) -> Option<Lvalue> {
        let ExprKind::Name(name) = &callee.kind else {
            return None;
        };
        match (name.base.as_str(), args.len()) {
            ("min" | "max", 2) | ("clamp", 3) => {}
            _ => return None,
        }
        if !self.is_referring(name, args) {
            return None;
        }
        let written = name.args.as_ref().and_then(|args| args.first());
        let ty = match written {
            Some(arg) => self.template_type(arg),
            None => self.static_type(&args[0]),
        };
        let may_refer = match ty {
            Ty::Scalar(ty) => !name.qualifier.is_empty() || !has_own_overload(ty),
            Ty::Pointer(_) => true,
            _ => false,
        };
        // What are all temporaries refers to nothing that outlives the expression.
        if !may_refer || args.iter().all(is_temporary) {
            return None;
        }
        let mut places: Vec<Lvalue> = Vec::new();
        for arg in args {
            let place = self.place(arg);
            places.push(match written {
                Some(_) => self.bound_to(place, &ty, arg.range),
                None => place,
            });
        }
        let values: Vec<Value> = places.iter().map(|place| self.read(place, range)).collect();
        let less = |me: &mut Self, left: usize, right: usize| {
            let (left, right) = (values[left].clone(), values[right].clone());
            let value = me.binary(BinaryOp::Lt, left, right, range);
            me.condition_of(&value, range)
        };
        let choice = |me: &mut Self, condition: TermId, then: Lvalue, els: Lvalue| {
            me.one_of_places(condition, then, els, range)
        };
        Some(match (name.base.as_str(), places.as_slice()) {
            ("min", [a, b]) => {
                let condition = less(self, 1, 0);
                choice(self, condition, b.clone(), a.clone())
            }
            ("max", [a, b]) => {
                let condition = less(self, 0, 1);
                choice(self, condition, b.clone(), a.clone())
            }
            (_, [value, low, high]) => {
                let (below, above) = (less(self, 0, 1), less(self, 2, 0));
                let rest = choice(self, above, high.clone(), value.clone());
                choice(self, below, low.clone(), rest)
            }
            _ => return None,
        })
    }

    /// `std::get<1>(pair)`, `std::get<int>(pair)`: the place of the element; `None` when it is no such call.
    pub(crate) fn element_of_pair(
        &mut self,
        name: &Name,
        args: &[Expr],
        range: Range,
    ) -> Option<Lvalue> {
        let [object] = args else { return None };
        if name.base != "get" || name.args.is_none() || !self.is_referring(name, args) {
            return None;
        }
        let place = self.place(object);
        let class = match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => return Some(Lvalue::Unknown),
        };
        let is_followed = !is_tuple(&class) || matches!(place, Lvalue::Variable { .. });
        let element = match &class {
            Ty::Struct(class) if class.is_of_library_template() && is_followed => {
                self.element_named(name, class)
            }
            _ => None,
        };
        Some(match element {
            Some(element) => self.member_place(place, &element, range),
            None => {
                self.lost_access(range, "an element of a class that is not understood");
                Lvalue::Unknown
            }
        })
    }

    /// The type that `std::get` gives for an object of this type.
    pub(crate) fn element_type(&mut self, name: &Name, object: &Ty) -> Option<Ty> {
        let Ty::Struct(class) = object else {
            return None;
        };
        if !class.is_of_library_template() {
            return None;
        }
        let element = self.element_named(name, class)?;
        class.field(&element).map(|(ty, _)| ty)
    }

    /// The member of a pair or tuple that a template argument names: by its position, or by a type that only one of them has.
    fn element_named(&mut self, name: &Name, class: &StructTy) -> Option<String> {
        let arg = name.args.as_ref()?.first()?;
        let fields = class.fields();
        let is_pair = matches!(fields.as_slice(), [(first, ..), (second, ..)] if first == "first" && second == "second");
        if !is_pair && !fields.first()?.0.starts_with("get<") {
            return None;
        }
        if let Some(position) = self.constant_argument(arg) {
            let position = usize::try_from(position).ok()?;
            return fields.get(position).map(|(name, ..)| name.clone());
        }
        let ty = self.template_type(arg);
        let mut found = fields.iter().filter(|(_, field, _)| *field == ty);
        let (element, ..) = found.next()?;
        (ty.is_resolved() && found.next().is_none()).then(|| element.clone())
    }

    /// A template argument as a number.
    fn constant_argument(&mut self, arg: &TemplateArg) -> Option<i128> {
        let value = match arg {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name)
                if matches!(self.named_type(name), Ty::Opaque { bytes: None, .. }) =>
            {
                self.name(name)
            }
            TemplateArg::Name(_) | TemplateArg::Type(_) => return None,
        };
        match value {
            Value::Term(term) => self.facts.terms.as_const(term),
            _ => None,
        }
    }

    /// Whether a name means the library's function, and none of the unit is meant.
    fn is_referring(&mut self, name: &Name, args: &[Expr]) -> bool {
        if let Some(simple) = name.as_simple()
            && self.lookup(simple).is_some()
        {
            return false;
        }
        let namespace = self.namespace_of(name);
        // The namespace of a class is looked into for the calls with its objects.
        let of_library = if namespace.is_empty() {
            name.base == "get" || self.uses_namespace("std") || self.uses_namespace("cuda::std")
        } else {
            standard::FAMILY.namespaces.contains(&namespace.as_str())
        };
        if !of_library {
            return false;
        }
        let given = self.arguments(args);
        matches!(self.resolve_call(name, &given), Found::None)
    }
}

/// Whether CUDA declares `min` and `max` for this type outside all namespaces: a call without one means these.
fn has_own_overload(ty: CType) -> bool {
    ty.promoted() == ty
}

/// Whether an expression cannot be the place of anything: a literal, or arithmetic of numbers.
fn is_temporary(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Int { .. }
            | ExprKind::Char { .. }
            | ExprKind::Bool(_)
            | ExprKind::Float { .. }
            | ExprKind::Binary(..)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
    )
}
