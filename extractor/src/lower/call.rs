//! Calls: functions of the unit are inlined, intrinsics have their meaning, everything else is reported.
//!
//! Which function is meant is decided in [`super::overload`]; here it is entered: parameters are bound, by value or to the
//! place of the argument, the body is lowered in place of the call, and its returns are brought together. A function
//! that returns a reference gives a place.

mod inline;

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer};
use super::constness::Argument;
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
        let own = own && !self.is_nearer_in_cuda(name, &given, &found);
        if !own && let Some(place) = self.element_of_pair(name, args, range) {
            return Called::Place(place);
        }
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

    /// Whether CUDA's own `min`, `max` or `abs` takes the arguments as they are, and the function of the file, which stands beside it
    /// at global scope, converts them or is a template: of two that take them as they are, the one that is no template is meant.
    fn is_nearer_in_cuda(
        &mut self,
        name: &Name,
        given: &[Argument<'_>],
        found: &Found<'u>,
    ) -> bool {
        let is_simple = name.qualifier.is_empty() && name.args.is_none();
        let Found::One(found) = found else {
            return false;
        };
        let function = found.function;
        if !is_simple
            || !matches!(name.base.as_str(), "min" | "max" | "abs")
            || function.owner.is_some()
            || function.qualified != function.name
        {
            return false;
        }
        let types: Vec<Ty> = given.iter().map(|arg| arg.ty.clone()).collect();
        let Some(&Ty::Scalar(ty)) = types.first() else {
            return false;
        };
        let has_row = match ty {
            CType::I32 | CType::I64 | CType::F32 | CType::F64 => true,
            CType::U32 | CType::U64 => name.base != "abs",
            _ => false,
        };
        if !has_row || types.iter().any(|other| *other != Ty::Scalar(ty)) {
            return false;
        }
        function.template.is_some()
            || function.params.iter().any(|param| {
                let written = match &param.ty.kind {
                    TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
                    _ => &param.ty,
                };
                let own = self.within(TypeScope::clone(&found.scope), |me| me.resolve(written));
                own != Ty::Scalar(ty)
            })
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
}

impl Lowerer<'_, '_> {}

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
