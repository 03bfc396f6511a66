//! Pointers to members.
//!
//! A pointer to a member is followed as a value that says which member it is. Where it is not known which one, as when
//! several ways meet or it comes from memory, what is accessed through it is reported.

use std::rc::Rc;

use warplog_facts::words::Effect;

use super::body::Lowerer;
use super::call::Called;
use super::constness::Argument;
use super::overload::Found;
use super::types::{StructTy, Ty};
use super::typing::unknown_type;
use super::value::{Callable, Lvalue, Value};
use crate::syntax::ast::*;

/// A member of a class that is not static.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    class: Rc<StructTy>,
    name: String,
    is_function: bool,
}

impl<'u> Lowerer<'u, '_> {
    /// `&C::member`
    pub(crate) fn pointer_to_member(&mut self, name: &Name) -> Option<Value> {
        if name.qualifier.is_empty() || name.args.is_some() {
            return None;
        }
        let Ty::Struct(class) = self.qualifying_class(name)? else {
            return None;
        };
        let record = self.record(&class)?;
        let methods = self.index.methods(&record.name, &name.base);
        let is_function = !methods.is_empty();
        if is_function {
            // Which of several is meant, the type of what it is assigned to says.
            let [method] = methods.as_slice() else {
                return None;
            };
            if method.quals.is_static || method.template.is_some() {
                return None;
            }
        } else {
            class.field(&name.base)?;
        }
        Some(Value::Function(Rc::new(Callable::Member(Member {
            class,
            name: name.base.clone(),
            is_function,
        }))))
    }

    /// The member that `o.*m` or `p->*m` means and the object it is one of.
    fn meant_member(
        &mut self,
        base: &Expr,
        arrow: bool,
        pointer: &Expr,
        range: Range,
    ) -> Option<(Lvalue, Member)> {
        // `operator->*` of a class.
        let is_own = arrow && matches!(self.static_type(base), Ty::Struct(_));
        let object = self.object_place(base, arrow, range);
        let member = match self.expr(pointer) {
            Value::Function(callable) => match &*callable {
                Callable::Member(member) if !is_own => Some(member.clone()),
                _ => None,
            },
            _ => None,
        };
        let found = member.map(|member| (self.as_base(object, &member.class), member));
        let found = found.filter(|(object, member)| match object {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => {
                *ty == Ty::Struct(Rc::clone(&member.class))
            }
            Lvalue::Unknown => false,
        });
        if found.is_none() {
            let why = "which member it points to is not known";
            self.unsupported(range, "a pointer to a member", why, Effect::Control);
        }
        found
    }

    /// The place of `o.*m`.
    pub(crate) fn place_through_member(
        &mut self,
        base: &Expr,
        arrow: bool,
        pointer: &Expr,
        range: Range,
    ) -> Lvalue {
        match self.meant_member(base, arrow, pointer, range) {
            Some((object, member)) if !member.is_function => {
                self.field_place(object, &member.name, range)
            }
            Some(_) => {
                let why = "a function is called, and is nothing else";
                self.unsupported(range, "a pointer to a member", why, Effect::Control);
                Lvalue::Unknown
            }
            None => Lvalue::Unknown,
        }
    }

    /// `(o.*m)(args)`
    pub(crate) fn call_through_member(
        &mut self,
        (base, arrow, pointer): (&Expr, bool, &Expr),
        args: &[Expr],
        range: Range,
    ) -> Called {
        let what = "call through a pointer to a member";
        let Some((object, member)) = self.meant_member(base, arrow, pointer, range) else {
            return self.lost_call(range, what, "which function is meant is not known", args);
        };
        let given: Vec<Argument<'_>> = self.arguments(args);
        let name = Name::simple(member.name.clone(), Range::default());
        let found = match member.is_function {
            true => self.resolve_method(&member.class, &name, None, &given),
            false => Found::None,
        };
        match found {
            Found::One(found) if !self.may_be_overridden(found.function) => {
                let this = self.as_owner(object, &found);
                self.inline(&found, Some(this), args, range)
            }
            _ => self.lost_call(range, what, "which function is meant is not known", args),
        }
    }

    /// The type of `o.*m` where a variable says which member `m` is.
    pub(crate) fn type_of_member(&mut self, pointer: &Expr) -> Ty {
        let ExprKind::Name(name) = &pointer.kind else {
            return unknown_type();
        };
        if name
            .as_simple()
            .is_none_or(|simple| self.lookup(simple).is_none())
        {
            return unknown_type();
        }
        match self.name(name) {
            Value::Function(callable) => match &*callable {
                Callable::Member(member) if !member.is_function => {
                    let field = member.class.field(&member.name);
                    field.map_or_else(unknown_type, |(ty, _)| ty)
                }
                _ => unknown_type(),
            },
            _ => unknown_type(),
        }
    }
}
