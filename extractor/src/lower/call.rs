//! Calls: functions of the unit are inlined, intrinsics have their meaning, everything else is reported.
//!
//! Which function is meant is decided in [`super::overload`]; here it is entered: parameters are bound, by value or to the
//! place of the argument, the body is lowered in place of the call, and its returns are brought together. A function
//! that returns a reference gives a place.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::NOT_PARSED;
use super::body::{Binding, CallFrame, JumpTarget, Lowerer, Names};
use super::constness::Argument;
use super::contracts::{CallContract, Signature};
use super::derived::derives;
use super::hidden::Refers;
use super::overload::{Chosen, Found};
use super::types::{Ty, TypeScope};
use super::typing::is_unknown;
use super::value::*;
use super::virtuals::UNKNOWN_CLASS;
use crate::syntax::ast::*;

/// Deepest nesting of inlined calls.
const MAX_CALLS: usize = 40;

/// Deepest recursion with constant arguments.
const MAX_RECURSION: usize = 32;

/// Most such calls in a launch.
const MAX_RECURSIONS: u32 = 2000;

/// What a call gives.
#[derive(Clone, Debug)]
pub(crate) enum Called {
    Value(Value),
    /// The function returns a reference.
    Place(Lvalue),
}

/// An argument as it is passed.
pub(crate) enum Passed {
    Value(Value),
    Place(Lvalue),
}

/// What is called of an object that is called.
const CALL: &str = "operator()";

/// How a function is entered.
struct Entry<'p> {
    /// The function's place in the text: its identity.
    function: Range,
    types: TypeScope,
    this: Option<Lvalue>,
    /// Whether that object is constant.
    constant_this: Option<bool>,
    params: &'p [Param],
    ret: &'p Type,
    /// It is a constructor.
    constructs: bool,
}

impl<'u> Lowerer<'u, '_> {
    /// A call.
    pub(crate) fn call(&mut self, callee: &Expr, args: &[Expr], range: Range) -> Called {
        // `(*f)(x)`
        if let ExprKind::Deref(inner) = &callee.kind
            && let Some(function) = self.function_held_by(inner)
        {
            return self.call_value(&function, args, range);
        }
        match &callee.kind {
            // `(f)(x)` does not look into the namespaces of its arguments.
            ExprKind::Name(name)
                if callee.range.start > range.start
                    && self.index.is_in_several_scopes(&name.base) =>
            {
                let what = format!("call of `{}`", name.path());
                let why = "a name in parentheses, of functions in several namespaces";
                self.lost_call(range, &what, why, args)
            }
            ExprKind::Name(name) if self.takes_text_of_literal(name) => {
                let what = format!("call of `{}`", name.path());
                let why = "it takes the text of the literal";
                self.lost_call(range, &what, why, args)
            }
            ExprKind::Name(name) => self.call_name(name, args, range),
            ExprKind::Member { base, arrow, field } => {
                self.call_member(base, *arrow, field, args, range)
            }
            ExprKind::MemberPointer {
                base,
                arrow,
                pointer,
            } => self.call_through_member((base, *arrow, pointer), args, range),
            _ => match self.expr(callee) {
                Value::Function(function) => self.call_value(&function, args, range),
                value @ (Value::Struct(_) | Value::Local(_)) => {
                    let ty = self.static_type(callee);
                    let place = self.temporary(ty, value);
                    let object = self.object_is_const(callee, false, CALL);
                    self.call_object(place, object, args, range)
                }
                // `Add<float>()(a, b)`: an object without members holds nothing.
                Value::Uninitialised => {
                    let ty = self.static_type(callee);
                    let place = self.temporary(ty, Value::Uninitialised);
                    let object = self.object_is_const(callee, false, CALL);
                    self.call_object(place, object, args, range)
                }
                _ => self.lost_call(range, "call", "its callee cannot be determined", args),
            },
        }
    }

    /// The function that a variable holds.
    fn function_held_by(&self, expr: &Expr) -> Option<Rc<Callable>> {
        let ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        let Binding::Variable(var) = self.lookup(name.as_simple()?)? else {
            return None;
        };
        match self.env.get(*var) {
            Value::Function(function) => Some(Rc::clone(function)),
            _ => None,
        }
    }

    /// Reports a call that cannot be followed; its arguments are evaluated.
    pub(crate) fn lost_call(
        &mut self,
        range: Range,
        what: &str,
        why: &str,
        args: &[Expr],
    ) -> Called {
        for arg in args {
            self.expr(arg);
        }
        self.unsupported(range, what, why, Effect::Control);
        Called::Value(Value::Unknown)
    }

    fn call_name(&mut self, name: &Name, args: &[Expr], range: Range) -> Called {
        let what = format!("call of `{}`", name.path());
        if let Some(simple) = name.as_simple() {
            if self.lookup(simple).is_some() {
                let place = self.name_place(name);
                return match self.read_object(&place, range) {
                    Value::Function(function) => self.call_value(&function, args, range),
                    Value::Struct(_) | Value::Local(_) => {
                        let object = self.named_object_is_const(name, CALL);
                        self.call_object(place, object, args, range)
                    }
                    _ => match self.function_object(&place, args, range) {
                        Some(value) => Called::Value(value),
                        None => self.lost_call(range, &what, "a function value", args),
                    },
                };
            }
            let scope = self.scope();
            match scope.values.get(simple) {
                Some(Value::Function(function)) => return self.call_value(function, args, range),
                Some(_) => return self.lost_call(range, &what, "a function value", args),
                None => {}
            }
            if scope.types.contains_key(simple) {
                if let Some(cast) = self.call_written_out(name, args, range) {
                    return Called::Place(self.place(&cast));
                }
                self.refuse_hidden_name(name, range);
                let ty = self.named_type(name);
                let value = self.construct_value(&ty, args, range);
                return Called::Value(value);
            }
            // A field with `operator()`.
            if let (Some(class), Some(this)) = (&scope.class, self.this_place())
                && class.field(simple).is_some()
            {
                let place = self.field_place(this, simple, range);
                let object = self.named_object_is_const(name, CALL);
                return self.call_object(place, object, args, range);
            }
        }
        let given = self.arguments(args);
        let mut found = self.resolve_call(name, &given);
        let place = super::overload::place_of(&found);
        if self.misses_enumeration(name, args, place) {
            found = Found::Several;
        }
        // A function of the unit wins, if it is for the device.
        let own = match &found {
            Found::One(found) => {
                let quals = found.function.quals;
                quals.device || quals.constexpr || !quals.host && found.function.owner.is_some()
            }
            Found::Several => true,
            Found::Prototype(_) | Found::None => false,
        };
        if !own && let Some(value) = self.library_call(name, args, range) {
            return Called::Value(value);
        }
        match found {
            Found::One(found) => {
                // A member of the class that is called from inside it is called on `this`.
                let is_member = found.function.owner.is_some() && !found.function.quals.friend;
                let this = self.this_place().filter(|_| is_member);
                let this = this.map(|this| self.as_owner(this, &found));
                self.inline(&found, this, args, range)
            }
            Found::Prototype(found) => self.unknown_call(name, Some(&found), args, range),
            Found::Several => self.lost_call(
                range,
                &what,
                "several functions have this name and take these arguments",
                args,
            ),
            Found::None if let Some(cast) = self.call_written_out(name, args, range) => {
                Called::Place(self.place(&cast))
            }
            Found::None => match self.named_type(name) {
                ty @ (Ty::Struct(_) | Ty::Scalar(_) | Ty::Pointer(_)) => {
                    self.refuse_hidden_name(name, range);
                    Called::Value(self.construct_value(&ty, args, range))
                }
                ty @ Ty::Opaque { bytes: Some(_), .. } => {
                    self.refuse_hidden_name(name, range);
                    Called::Value(self.construct_value(&ty, args, range))
                }
                _ => self.unknown_call(name, None, args, range),
            },
        }
    }

    /// A call of a function object of C++'s or CUDA's library on numbers: `op(a, b)` where `op` is a `thrust::plus<float>`.
    fn function_object(&mut self, place: &Lvalue, args: &[Expr], range: Range) -> Option<Value> {
        let (Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) = place else {
            return None;
        };
        let Ty::Opaque { name, .. } = ty else {
            return None;
        };
        let (space, simple) = name.trim_start_matches("::").rsplit_once("::")?;
        if !matches!(space, "thrust" | "std" | "cuda::std" | "cuda" | "cub") {
            return None;
        }
        let types: Vec<Ty> = self.arguments(args).into_iter().map(|arg| arg.ty).collect();
        // Of the unit's own classes it would call their operators.
        let first = types.first()?.clone();
        let plain = match &first {
            Ty::Scalar(_) => true,
            Ty::Struct(class) => class.class.is_none() && class.layout().is_some(),
            _ => false,
        };
        if !plain || types.iter().any(|ty| *ty != first) {
            return None;
        }
        let result = match (simple, args.len()) {
            (
                "plus" | "minus" | "multiplies" | "divides" | "modulus" | "minimum" | "maximum"
                | "bit_and" | "bit_or" | "bit_xor",
                2,
            )
            | ("negate" | "identity" | "square", 1) => first,
            (
                "less" | "less_equal" | "greater" | "greater_equal" | "equal_to" | "not_equal_to"
                | "logical_and" | "logical_or",
                2,
            )
            | ("logical_not", 1) => Ty::Scalar(CType::Bool),
            _ => return None,
        };
        for arg in args {
            self.expr(arg);
        }
        let reason = format!("result of `{name}`");
        Some(self.unknown_value(&result, &reason, range))
    }

    fn call_member(
        &mut self,
        base: &Expr,
        arrow: bool,
        field: &Name,
        args: &[Expr],
        range: Range,
    ) -> Called {
        let is_own = match self.object_type(base, arrow) {
            Some(class) => self.record(&class).is_some(),
            None => false,
        };
        if !is_own && let Some(value) = self.library_method(base, arrow, field, args, range) {
            return Called::Value(value);
        }
        let place = self.object_place(base, arrow, range);
        let class = match &place {
            Lvalue::Variable {
                ty: Ty::Struct(class),
                ..
            }
            | Lvalue::Memory {
                ty: Ty::Struct(class),
                ..
            } => Rc::clone(class),
            other => {
                let what = match other {
                    Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } if !is_unknown(ty) => {
                        format!("call of `{}::{}`", ty.describe(), field.base)
                    }
                    _ => format!("call of `{}`", field.base),
                };
                return self.lost_call(range, &what, "the class of its object is not known", args);
            }
        };
        let given = self.arguments(args);
        let what = format!("call of `{}::{}`", class.name, field.base);
        // `p->~T()`: members and bases end as well, and so does what lives on here.
        if field.base.starts_with('~') {
            return self.lost_call(
                range,
                &what,
                "a destructor that is called by its name",
                args,
            );
        }
        let object = self.object_is_const(base, arrow, &field.base);
        match self.resolve_method(&class, field, object, &given) {
            Found::One(found)
                if field.qualifier.is_empty() && self.may_dispatch(found.function, &place) =>
            {
                self.lost_call(range, &what, UNKNOWN_CLASS, args)
            }
            Found::One(found) => {
                let this = self.as_owner(place, &found);
                self.inline(&found, Some(this), args, range)
            }
            Found::Several => self.lost_call(
                range,
                &what,
                "several functions have this name and take these arguments",
                args,
            ),
            Found::Prototype(_) => self.lost_call(
                range,
                &what,
                "its body is not known: it may touch any array and wait at a barrier",
                args,
            ),
            Found::None if class.field(&field.base).is_some() => {
                let place = self.field_place(place, &field.base, range);
                match self.read(&place, range) {
                    Value::Function(function) => self.call_value(&function, args, range),
                    _ => self.call_object(place, None, args, range),
                }
            }
            Found::None => self.lost_call(range, &what, "the class does not declare it", args),
        }
    }

    /// The object before `.` or `->`.
    pub(crate) fn object_place(&mut self, base: &Expr, arrow: bool, range: Range) -> Lvalue {
        if arrow && base.kind == ExprKind::This {
            return self.this_place().unwrap_or(Lvalue::Unknown);
        }
        if !arrow {
            return self.place(base);
        }
        // The object itself, not a copy of it.
        if matches!(self.static_type(base), Ty::Struct(_)) {
            let place = self.place(base);
            return match self.call_operator("operator->", &[place], range) {
                Some(Called::Value(Value::Pointer(pointer))) => Lvalue::Memory {
                    targets: pointer.targets,
                    ty: pointer.element,
                },
                _ => Lvalue::Unknown,
            };
        }
        match self.expr(base) {
            Value::Pointer(pointer) => Lvalue::Memory {
                targets: pointer.targets,
                ty: pointer.element,
            },
            value @ (Value::Struct(_) | Value::Local(_)) => {
                let ty = self.static_type(base);
                let place = self.temporary(ty, value);
                match self.call_operator("operator->", &[place], range) {
                    Some(Called::Value(Value::Pointer(pointer))) => Lvalue::Memory {
                        targets: pointer.targets,
                        ty: pointer.element,
                    },
                    _ => Lvalue::Unknown,
                }
            }
            _ => Lvalue::Unknown,
        }
    }

    /// The object that the member function being lowered was called on.
    pub(crate) fn this_place(&self) -> Option<Lvalue> {
        self.calls.last().and_then(|call| call.this.clone())
    }

    /// A value as an object that nobody else sees.
    pub(crate) fn temporary(&mut self, ty: Ty, value: Value) -> Lvalue {
        let ty = if is_unknown(&ty) {
            self.type_of(&value)
        } else {
            ty
        };
        let range = self.full.root.unwrap_or_default();
        self.has_no_class(&ty, &value, range);
        let var = self.variable("temporary", ty.clone(), value);
        self.live_variable(var, range);
        Lvalue::Variable {
            var,
            path: Vec::new(),
            ty,
        }
    }

    /// The type of what an expression gives; what it does is undone.
    pub(crate) fn tried_type(&mut self, expr: &Expr) -> Ty {
        let mark = self.mark();
        let living = self.living.len();
        let saved = (
            self.frontier.clone(),
            self.env.clone(),
            self.guards.clone(),
            self.alive,
            self.last_leaving,
        );
        self.trial += 1;
        let ty = match self.place(expr) {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty,
            Lvalue::Unknown => super::typing::unknown_type(),
        };
        self.trial -= 1;
        self.living.truncate(living);
        self.undo(&mark);
        (
            self.frontier,
            self.env,
            self.guards,
            self.alive,
            self.last_leaving,
        ) = saved;
        ty
    }

    /// One of several calls of which one is meant. That they give references is not followed.
    fn call_for_value(&mut self, function: &Callable, args: &[Expr], range: Range) -> Value {
        match self.call_value(function, args, range) {
            Called::Value(value) => value,
            Called::Place(_) => {
                let why = "one of several functions that give references";
                self.unsupported(range, "call", why, Effect::Control);
                Value::Unknown
            }
        }
    }

    /// A call of a variable that holds a function.
    fn call_value(&mut self, function: &Callable, args: &[Expr], range: Range) -> Called {
        match function {
            Callable::Named(name, scope) => {
                let given = self.arguments(args);
                // Their names mean nothing where the function stands.
                let types: Vec<Ty> = given.into_iter().map(|arg| arg.ty).collect();
                let found = self.within(TypeScope::clone(scope), |me| {
                    me.resolve_call(name, &Argument::all(&types))
                });
                let what = format!("call of `{}`", name.path());
                match found {
                    Found::One(found) => self.inline(&found, None, args, range),
                    Found::Several => {
                        self.lost_call(range, &what, "several functions have this name", args)
                    }
                    // A function of CUDA, or one without a body.
                    _ => match self.library_call(name, args, range) {
                        Some(value) => Called::Value(value),
                        None => self.unknown_call(name, None, args, range),
                    },
                }
            }
            Callable::Member(_) => {
                let why = "a pointer to a member is called without an object";
                self.lost_call(range, "call", why, args)
            }
            Callable::Either(condition, then, otherwise) => {
                let (mut first, mut second) = (None, None);
                self.branch(
                    *condition,
                    range,
                    &mut |me| first = Some(me.call_for_value(then, args, range)),
                    &mut |me| second = Some(me.call_for_value(otherwise, args, range)),
                );
                Called::Value(match (first, second) {
                    (Some(first), Some(second)) => self.merge(*condition, &first, &second),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => Value::Unknown,
                })
            }
            Callable::Lambda(index) => {
                let Some(closure) = self.closures.get(*index).cloned() else {
                    return self.lost_call(range, "call", "its callee cannot be determined", args);
                };
                let params = self.params_written_out(&closure.lambda.params, &closure.types);
                let passed = self.pass(&params, args, &closure.types);
                let auto = Type::new(TypeKind::Auto, closure.lambda.body.range);
                let entry = Entry {
                    function: closure.lambda.body.range,
                    types: closure.types.clone(),
                    this: closure.this.clone(),
                    constant_this: closure.constant_this,
                    params: &params,
                    ret: closure.lambda.ret.as_ref().unwrap_or(&auto),
                    constructs: false,
                };
                let body = &closure.lambda.body;
                self.enter_call(
                    &entry,
                    passed,
                    closure.bindings.clone(),
                    body,
                    "call",
                    range,
                )
            }
        }
    }

    /// `object(args)`.
    fn call_object(
        &mut self,
        place: Lvalue,
        object: Option<bool>,
        args: &[Expr],
        range: Range,
    ) -> Called {
        let class = match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => Ty::Void,
        };
        let Ty::Struct(class) = class else {
            return self.lost_call(range, "call", "its callee cannot be determined", args);
        };
        let given = self.arguments(args);
        let what = format!("call of `{}::operator()`", class.name);
        match self.resolve_method(&class, &Name::simple(CALL, range), object, &given) {
            Found::One(found) => {
                let this = self.as_owner(place, &found);
                self.inline(&found, Some(this), args, range)
            }
            Found::Several => {
                self.lost_call(range, &what, "several operators take these arguments", args)
            }
            _ => self.lost_call(range, &what, "its body is not known", args),
        }
    }

    /// A user-defined operator on places; `None`: none is declared for them.
    pub(crate) fn call_operator(
        &mut self,
        name: &str,
        operands: &[Lvalue],
        range: Range,
    ) -> Option<Called> {
        let given: Vec<Argument<'_>> = operands
            .iter()
            .map(|place| match place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone().into(),
                Lvalue::Unknown => super::typing::unknown_type().into(),
            })
            .collect();
        let found = self.operator(name, &given, range)?;
        self.call_operator_found(&found, operands, range)
    }

    /// The same for an operator that was found.
    pub(crate) fn call_operator_found(
        &mut self,
        found: &Chosen<'u>,
        operands: &[Lvalue],
        range: Range,
    ) -> Option<Called> {
        let is_member = found.function.owner.is_some() && !found.function.quals.friend;
        let (this, rest) = if is_member {
            let (first, rest) = operands.split_first()?;
            (Some(self.as_owner(first.clone(), found)), rest)
        } else {
            (None, operands)
        };
        let mut passed = Vec::new();
        for (param, place) in found.function.params.iter().zip(rest) {
            passed.push(if is_reference(&param.ty) {
                Passed::Place(place.clone())
            } else {
                Passed::Value(self.read(place, range))
            });
        }
        Some(self.inline_passed(found, this, passed, range))
    }

    fn unknown_call(
        &mut self,
        name: &Name,
        prototype: Option<&Chosen<'u>>,
        args: &[Expr],
        range: Range,
    ) -> Called {
        for arg in args {
            self.expr(arg);
        }
        let what = format!("call of `{}`", name.path());
        let takes = super::library::arguments_of_word(&name.base);
        if let (None, Some((least, most))) = (prototype, takes) {
            let takes = match (least, most) {
                (1, 1) => "1 argument".to_owned(),
                _ if least == most => format!("{least} arguments"),
                _ => format!("{least} to {most} arguments"),
            };
            let text = format!("`{}` takes {takes}, not {}", name.base, args.len());
            self.contract_error(range, &text);
        } else if let (None, Some(word)) = (prototype, super::contracts::meant(&name.base)) {
            let text = if word == name.base {
                format!("`{word}` is a value: it takes no parentheses")
            } else {
                format!(
                    "no annotation is called `{}`: did you mean `{word}`?",
                    name.base
                )
            };
            self.contract_error(range, &text);
        }
        let path = name.path();
        // `__mbarrier_arrive`, `cuda::ptx::mbarrier_try_wait`, `cuda::ptx::barrier_cluster_wait`
        let effect = match (path.contains("cluster"), path.contains("mbarrier")) {
            (true, _) => Effect::OrderBlocks,
            (_, true) => Effect::Order,
            _ => Effect::Control,
        };
        self.unsupported(
            range,
            &what,
            "its body is not known: it may touch any array and wait at a barrier",
            effect,
        );
        let ty = match prototype {
            Some(prototype) => self.returned_type(prototype),
            None => Ty::INT,
        };
        let reason = format!("result of `{}`, whose body is not known", name.path());
        Called::Value(self.unknown_value(&ty, &reason, range))
    }

    /// Evaluates the arguments of a lambda whose types mean something in a scope, those of reference parameters as places.
    fn pass(&mut self, params: &[Param], args: &[Expr], scope: &TypeScope) -> Vec<Passed> {
        params
            .iter()
            .zip(args)
            .map(|(param, arg)| {
                if is_reference(&param.ty) {
                    Passed::Place(self.place(arg))
                } else {
                    let own = self.static_type(arg);
                    let ty = match is_auto(&param.ty) {
                        true => own.clone(),
                        false => self.within(scope.clone(), |me| me.resolve(&param.ty)),
                    };
                    // An object may be converted to what the parameter is.
                    Passed::Value(match (&own, ty) {
                        (_, Ty::Opaque { bytes: None, .. }) => self.kept(arg, &own),
                        (Ty::Struct(_), ty) if ty != own => self.initialised(arg, &ty),
                        (_, ty) => self.kept(arg, &ty),
                    })
                }
            })
            .collect()
    }

    /// Lowers the body of a function in place of its call.
    pub(crate) fn inline(
        &mut self,
        found: &Chosen<'u>,
        this: Option<Lvalue>,
        args: &[Expr],
        range: Range,
    ) -> Called {
        let fixed = found.function.params.len();
        let mut passed = Vec::new();
        for (param, arg) in found.function.params.iter().zip(args) {
            passed.push(if let ExprKind::InitList(items) = &arg.kind {
                // `f({1, 2})`: an object of the parameter's type.
                let ty = self.within(found.scope.clone(), |me| me.resolve(&param.ty));
                if is_auto(&param.ty) || is_unknown(&ty) {
                    let what = format!("call of `{}`", found.function.qualified);
                    return self.lost_call(range, &what, "a list in braces", args);
                }
                let value = self.construct_value(&ty, items, arg.range);
                if is_reference(&param.ty) {
                    Passed::Place(self.temporary(ty, value))
                } else {
                    Passed::Value(value)
                }
            } else if is_reference(&param.ty) {
                Passed::Place(self.place(arg))
            } else if is_auto(&param.ty) {
                let ty = self.static_type(arg);
                Passed::Value(self.kept(arg, &ty))
            } else if matches!(self.static_type(arg), Ty::Struct(_)) {
                // An object may be converted by a function of its own.
                let ty = self.within(found.scope.clone(), |me| me.resolve(&param.ty));
                Passed::Value(match ty {
                    Ty::Opaque { bytes: None, .. } => self.expr(arg),
                    ty => self.initialised(arg, &ty),
                })
            } else {
                Passed::Value(self.expr(arg))
            });
        }
        for arg in args.iter().skip(fixed) {
            self.expr(arg);
        }
        self.inline_passed(found, this, passed, range)
    }

    pub(crate) fn inline_passed(
        &mut self,
        found: &Chosen<'u>,
        this: Option<Lvalue>,
        mut passed: Vec<Passed>,
        range: Range,
    ) -> Called {
        let function = found.function;
        let what = format!("call of `{}`", function.qualified);
        if let Some(place) = &this
            && self.may_dispatch(function, place)
        {
            self.unsupported(range, &what, UNKNOWN_CLASS, Effect::Control);
            return Called::Value(Value::Unknown);
        }
        // Defaults are written in the scope of the declaration.
        for param in function.params.iter().skip(passed.len()) {
            let Some(default) = &param.default else { break };
            passed.push(self.within(found.scope.clone(), |me| {
                if is_reference(&param.ty) {
                    Passed::Place(me.place(default))
                } else {
                    let ty = me.resolve(&param.ty);
                    Passed::Value(me.kept(default, &ty))
                }
            }));
        }
        for problem in &function.parse_errors {
            self.unsupported(problem.range, &problem.what, NOT_PARSED, Effect::Control);
        }
        if function.params.iter().any(|param| param.pack) {
            self.unsupported(
                range,
                &what,
                "parameter packs are not modelled",
                Effect::Control,
            );
            return Called::Value(Value::Unknown);
        }
        let Some(body) = &function.body else {
            return Called::Value(Value::Unknown);
        };
        let entry = Entry {
            function: function.range,
            types: found.scope.clone(),
            constant_this: this.is_some().then_some(function.quals.is_const),
            this,
            params: &function.params,
            ret: &function.ret,
            constructs: is_constructor(function),
        };
        self.enter_call(&entry, passed, Names::default(), body, &what, range)
    }

    /// Binds parameters, lowers the body, and brings its returns together.
    fn enter_call(
        &mut self,
        entry: &Entry<'_>,
        passed: Vec<Passed>,
        outer: Names,
        body: &Block,
        what: &str,
        range: Range,
    ) -> Called {
        // `auto *f()`: what is returned tells.
        let ret = if is_auto(entry.ret) {
            super::typing::unknown_type()
        } else {
            self.within(entry.types.clone(), |me| me.resolve(entry.ret))
        };
        let nested = self
            .calls
            .iter()
            .filter(|call| call.function == entry.function && call.types == entry.types)
            .count();
        // With constants it ends, as the conditions are decided; each call is one of them.
        let decided = nested < MAX_RECURSION
            && self.recursions < MAX_RECURSIONS
            && outer.is_empty()
            && entry.this.is_none()
            && !passed.is_empty()
            && passed.iter().all(|passed| match passed {
                Passed::Value(Value::Term(term)) => self.facts.terms.as_const(*term).is_some(),
                _ => false,
            });
        self.recursions += u32::from(nested > 0 && decided);
        let refused = if nested > 0 && !decided {
            Some("recursive")
        } else if self.calls.len() > MAX_CALLS {
            Some("calls are nested too deep")
        } else {
            None
        };
        if let Some(why) = refused {
            self.unsupported(range, what, why, Effect::Control);
            return Called::Value(self.unknown_value(
                &ret,
                "result of a call that is not followed",
                range,
            ));
        }
        if let (Ty::Scalar(result), true) = (&ret, outer.is_empty() && entry.this.is_none())
            && self.within(entry.types.clone(), |me| me.refers_as(entry.ret)) == Refers::No
            && let Some(values) = self.scalars_passed(entry, &passed)
        {
            let signature = Signature {
                function: entry.function,
                types: &entry.types,
                params: entry.params,
                ret: *result,
            };
            if let Some(value) = self.call_by_contract(signature, &values, body, range) {
                return Called::Value(value);
            }
        }
        let before = self.birth();
        let mut own = Vec::new();
        let mut scope = Names::default();
        for (param, value) in entry.params.iter().zip(passed) {
            let is_auto = is_auto(&param.ty);
            let ty = self.type_of_parameter(entry, param, &scope);
            let unnamed = String::new();
            let param_name = param.name.as_ref().unwrap_or(&unnamed);
            let binding = match value {
                Passed::Place(place) => {
                    self.doubt_converted(&place, &ty, (&param.ty, param.range));
                    Binding::Reference(self.bound_to(place, &ty, param.range))
                }
                Passed::Value(value) => {
                    let ty = super::typing::decayed(ty);
                    let value = if is_auto {
                        value
                    } else {
                        self.convert(value, &ty, param.range)
                    };
                    let ty = if is_auto || is_unknown(&ty) {
                        self.type_of(&value)
                    } else {
                        ty
                    };
                    self.has_no_class(&ty, &value, param.range);
                    let var = self.variable(param_name, ty, value);
                    own.push((var, param.range));
                    Binding::Variable(var)
                }
            };
            let qualified = self.within(entry.types.clone(), |me| me.qualified(&param.ty));
            scope.insert_as(param_name.clone(), binding, qualified);
        }
        // What references are bound to ends with the full expression around the call, parameters do not.
        let bound = self.living.len();
        for (var, range) in own {
            self.live_variable(var, range);
        }
        self.sources.function(self.facts, entry.function);
        self.calls.push(CallFrame {
            function: entry.function,
            is_kernel: false,
            guards: self.guards.len(),
            jumps: self.jumps.len(),
            scopes: self.scopes.len(),
            living: self.living.len(),
            returns: Vec::new(),
            entered: self.inside_from_here(),
            returned_in_loop: false,
            ret: ret.clone(),
            by_reference: false,
            this: entry.this.clone(),
            constant_this: entry.constant_this,
            types: entry.types.clone(),
            contract: CallContract {
                call: range,
                ..CallContract::default()
            },
        });
        self.scopes.push(outer);
        self.scopes.push(scope);
        let by_reference = self.finish_entry(entry);
        if entry.constructs {
            let rest = self.construct_before(body, range);
            self.in_scope(rest);
        } else {
            self.block(body);
        }
        self.check_ensures(None, range);
        self.scopes.pop();
        self.scopes.pop();
        let ret = self.calls.last().map_or(ret, |call| call.ret.clone());
        let value = self.finish_call(ret, range);
        self.end_parameters(bound, range);
        if !by_reference {
            if matches!(value, Value::Struct(_) | Value::Local(_))
                && self.leads_behind(before, &value)
            {
                let why = "its result holds the address of what ends with it";
                self.unsupported(range, what, why, Effect::Control);
            }
            return Called::Value(value);
        }
        Called::Place(match value {
            Value::Pointer(pointer) => Lvalue::Memory {
                targets: pointer.targets,
                ty: pointer.element,
            },
            _ => Lvalue::Unknown,
        })
    }

    /// Refuses a number that is bound to a reference to what may be any type: then it is converted.
    pub(super) fn doubt_converted(
        &mut self,
        place: &Lvalue,
        ty: &Ty,
        (written, range): (&Type, Range),
    ) {
        let (Lvalue::Variable { ty: own, .. } | Lvalue::Memory { ty: own, .. }) = place else {
            return;
        };
        let converts = match &written.kind {
            TypeKind::Reference(to) => to.is_const,
            TypeKind::RvalueReference(_) => true,
            _ => false,
        };
        if converts
            && !is_auto(written)
            && matches!((own, ty), (Ty::Scalar(_), Ty::Opaque { bytes: None, .. }))
        {
            let why = format!("the type `{}` of a reference is not known", ty.describe());
            self.unsupported(range, "conversion", &why, Effect::Control);
        }
    }

    /// The type of a parameter, which may name those before it.
    fn type_of_parameter(&mut self, entry: &Entry<'_>, param: &Param, before: &Names) -> Ty {
        self.within(entry.types.clone(), |me| {
            if !matches!(param.ty.kind, TypeKind::Decltype(_)) {
                return me.resolve(&param.ty);
            }
            me.scopes.push(before.clone());
            let ty = me.resolve(&param.ty);
            me.scopes.pop();
            ty
        })
    }

    /// What shows where the parameters of a function are in force: its result if that is written with them, and whether it
    /// is a reference. Parameters and a result that are taken as copies and may be references are refused.
    fn finish_entry(&mut self, entry: &Entry<'_>) -> bool {
        for param in entry.params {
            self.refuse_hidden_reference(&param.ty, param.range);
        }
        let refers = self.refers_as(entry.ret);
        let by_reference = refers.is_told() || is_reference(entry.ret);
        if !by_reference {
            self.refuse_hidden_reference(entry.ret, entry.ret.range);
        }
        let of_parameters = matches!(entry.ret.kind, TypeKind::Decltype(_));
        let ret = of_parameters.then(|| self.resolve(entry.ret));
        if let Some(call) = self.calls.last_mut() {
            call.by_reference = by_reference;
            call.ret = ret.unwrap_or_else(|| call.ret.clone());
        }
        by_reference
    }

    /// The arguments, if the function takes nothing but scalars by value.
    fn scalars_passed(&mut self, entry: &Entry<'_>, passed: &[Passed]) -> Option<Vec<Value>> {
        if !self.index.contracts.modular || passed.len() != entry.params.len() {
            return None;
        }
        let params = entry.params.iter().zip(passed);
        params
            .map(|(param, passed)| {
                let ty = self.within(entry.types.clone(), |me| me.resolve(&param.ty));
                match (ty, passed) {
                    (Ty::Scalar(_), Passed::Value(value @ Value::Term(_))) => Some(value.clone()),
                    _ => None,
                }
            })
            .collect()
    }

    /// A place as a reference of a type: the base class part of an object, or a converted temporary.
    pub(crate) fn bound_to(&mut self, place: Lvalue, ty: &Ty, range: Range) -> Lvalue {
        let own = match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => return place,
        };
        if let Ty::Struct(from) = &own
            && own != *ty
            && !is_unknown(ty)
            && !matches!(ty, Ty::Struct(to) if derives(from, to))
            && self.has_conversions(from)
        {
            let why = "an object that an operator converts is bound to a reference";
            self.unsupported(range, "conversion of an object", why, Effect::Control);
        }
        match (&own, ty) {
            (Ty::Struct(from), Ty::Struct(to)) if from != to => {
                if self.may_convert(from, to) {
                    let why = "an object that a constructor converts is bound to a reference";
                    self.unsupported(range, "conversion to a class", why, Effect::Control);
                }
                self.as_base(place, to)
            }
            // `const float &x = 1;`: a temporary of the type.
            (Ty::Scalar(from), Ty::Scalar(to)) if from != to => {
                let value = self.read(&place, range);
                let value = self.convert(value, ty, range);
                self.temporary(ty.clone(), value)
            }
            (_, Ty::Struct(_)) if !matches!(own, Ty::Struct(_)) && !is_unknown(&own) => {
                let value = self.read(&place, range);
                let value = self.convert(value, ty, range);
                self.temporary(ty.clone(), value)
            }
            _ => place,
        }
    }

    /// Brings the returns of the innermost call together: its value, and the state after it.
    pub(crate) fn finish_call(&mut self, ret: Ty, range: Range) -> Value {
        let own = JumpTarget::Call(self.calls.len());
        self.leavings.retain(|one| one.target != own);
        let Some(call) = self.calls.pop() else {
            return Value::Unknown;
        };
        self.guards.truncate(call.guards);
        let (jumps, values): (Vec<_>, Vec<_>) = call.returns.into_iter().unzip();
        if !call.returned_in_loop {
            let mut result: Option<Value> = None;
            for (jump, value) in jumps.iter().zip(values).rev() {
                let Some(value) = value else { continue };
                result = Some(match result {
                    None => value,
                    Some(rest) => self.merge(jump.condition, &value, &rest),
                });
            }
            self.land(jumps);
            self.join(range);
            return result.unwrap_or(Value::Void);
        }
        // Whether a return inside a loop was taken is not known to what follows.
        let conditions: Vec<TermId> = jumps.iter().map(|jump| jump.condition).collect();
        let mut envs: Vec<Env> = jumps.iter().map(|jump| jump.env.clone()).collect();
        if self.alive {
            envs.push(self.env.clone());
        }
        self.frontier.extend(jumps.iter().map(|jump| jump.point));
        self.alive = true;
        self.join(range);
        self.env = envs
            .iter()
            .min_by_key(|env| env.len())
            .cloned()
            .unwrap_or_default();
        for index in 0..self.env.len() {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            if envs.iter().any(|env| env.get(var) != envs[0].get(var)) {
                let (name, ty) = self.variables[index].clone();
                let value = self.unknown_value(
                    &ty,
                    &format!("{name} after a call that returns from a loop"),
                    range,
                );
                self.env.set(var, value);
            }
        }
        let pointers: Option<Vec<Pointer>> = values
            .iter()
            .map(|value| match value {
                Some(Value::Pointer(pointer)) => Some(pointer.clone()),
                _ => None,
            })
            .collect();
        if let Some(pointers) = pointers.filter(|_| !values.is_empty())
            && let Some(pointer) = self.one_of_returned(&pointers, &conditions, range)
        {
            return Value::Pointer(pointer);
        }
        let terms: Vec<TermId> = values
            .iter()
            .filter_map(|value| match value {
                Some(Value::Term(term)) => Some(*term),
                _ => None,
            })
            .collect();
        if let (Ty::Scalar(ty), true) = (&ret, terms.len() == values.len()) {
            let returns: Vec<(TermId, TermId)> =
                conditions.iter().copied().zip(terms.clone()).collect();
            let place = (conditions.as_slice(), range);
            if let Some(value) = self.returned_in_loops(&returns, call.entered, place) {
                return Value::Term(value);
            }
            let reason = "value returned from inside a loop";
            return Value::Term(self.unknown_of(reason, range, *ty, false, &terms, &conditions));
        }
        if call.by_reference {
            self.lost_access(range, "a reference returned from inside a loop");
            return Value::Unknown;
        }
        self.unknown_value(&ret, "value returned from inside a loop", range)
    }
}

impl Lowerer<'_, '_> {
    /// One of several pointers, in which rounds of a loop is not known: into any of their objects, at any place.
    fn one_of_returned(
        &mut self,
        pointers: &[Pointer],
        conditions: &[TermId],
        range: Range,
    ) -> Option<Pointer> {
        let element = pointers.first()?.element.clone();
        let mut bases: Vec<(Base, Vec<TermId>)> = Vec::new();
        let mut controls = conditions.to_vec();
        for pointer in pointers {
            if pointer.element != element {
                return None;
            }
            for target in &pointer.targets {
                if target.base == Base::Unknown {
                    return None;
                }
                controls.extend(target.condition);
                match bases.iter_mut().find(|(base, _)| *base == target.base) {
                    Some((_, offsets)) => offsets.push(target.offset),
                    None => bases.push((target.base, vec![target.offset])),
                }
            }
        }
        let reason = "pointer returned from inside a loop";
        let depends: Vec<TermId> = bases.iter().flat_map(|(_, of)| of.clone()).collect();
        let which = self.unknown_of(reason, range, CType::I32, false, &depends, &controls);
        let last = bases.len().checked_sub(1)?;
        let mut rest = self.facts.terms.truth(true);
        let mut targets = Vec::new();
        for (position, (base, offsets)) in bases.into_iter().enumerate() {
            let offset = match offsets.as_slice() {
                [one] if self.facts.terms.as_const(*one).is_some() => *one,
                _ => self.unknown_of(reason, range, CType::I64, false, &offsets, &controls),
            };
            let number = self.int(i64::try_from(position).ok()?);
            let meant = self.facts.terms.binary(Op::Eq, CType::Bool, which, number);
            let condition = match (position, last) {
                (0, 0) => None,
                (position, last) if position == last => Some(rest),
                _ => Some(meant),
            };
            let other = self.facts.terms.not(meant);
            rest = self.facts.terms.and(rest, other);
            targets.push(Target {
                condition,
                base,
                offset,
            });
        }
        Some(Pointer { targets, element })
    }
}

/// Whether a function makes objects of its class.
fn is_constructor(function: &Function) -> bool {
    let class = function.owner.as_deref().map(super::unit::last_component);
    class == Some(function.name.as_str()) && !function.quals.friend
}

/// `T &`, `const T &`, `T &&`
pub(crate) fn is_reference(ty: &Type) -> bool {
    matches!(
        ty.kind,
        TypeKind::Reference(_) | TypeKind::RvalueReference(_)
    )
}

/// `auto`, `auto *`, `const auto &`
pub(crate) fn is_auto(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Auto => true,
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) | TypeKind::Pointer(to) => {
            is_auto(to)
        }
        _ => false,
    }
}
