//! Calls in host code: functions of the unit are run with their arguments, closures too ([`super::closures`]), those of
//! CUDA and the standard library have their meaning ([`super::runtime`]), all others may change whatever they can reach
//! ([`super::unknown`]).

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::alias::Kind;
use super::class_template::Receiver;
use super::eval::unknown_type;
use super::held::or_held;
use super::inherit::{Members, last};
use super::library::{self};
use super::tensors;
use super::term::Term;
use super::unknown::{Unknown, is_container};
use super::value::*;
use super::{Frame, Host, MAX_DEPTH, MAX_STEPS, runs_on_host};
use crate::lower::link::same_signature;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// An argument: its value, and its place when it is an lvalue.
pub(super) type Operand<'u> = (Value<'u>, Option<(Place, Ty)>);

impl<'u> Host<'_, 'u> {
    pub(super) fn call(&mut self, callee: &'u Expr, args: &'u [Expr], expr: &'u Expr) -> Value<'u> {
        match &callee.kind {
            ExprKind::Name(name) => {
                if let Some((place, ty)) = self.named(name) {
                    let value = self.read(&place, &ty);
                    let variable = place.root;
                    let operands = self.operands(args);
                    let mut held = BTreeSet::new();
                    if !matches!(value, Value::Closure(_) | Value::Function(_)) {
                        let object = (value.clone(), Some((place, ty)));
                        self.called_undetermined(&object, &operands);
                        self.object_called("operator()", &object);
                        held = self.held_by_callee(&object);
                    }
                    return match value {
                        Value::Closure(closure) => {
                            self.bound_by_params(&closure.lambda.params, &[], args);
                            self.invoke(&closure, operands)
                        }
                        Value::Function(meant) => self.function(meant, None, None, args, operands),
                        _ if !self.may_hold_closure(variable) => {
                            or_held(self.unknown_call(&name.base, operands), held)
                        }
                        _ => or_held(self.undetermined_call(&name.base, operands), held),
                    };
                }
                if self.is_vague_reference(name) {
                    let operands = self.operands(args);
                    return self.undetermined_call(&name.base, operands);
                }
                if let ("addressof", [of]) = (name.base.as_str(), args) {
                    return self.address(of);
                }
                if let Some(value) = self.launch_call(name, args, expr.range) {
                    return value;
                }
                if let Some(value) = self.library(name, args, expr) {
                    return value;
                }
                let operands = self.operands(args);
                let in_sight = self.functions_in_sight(name);
                self.function(name, Some(&in_sight), None, args, operands)
            }
            ExprKind::Member { base, arrow, field } => self.method(base, *arrow, field, args),
            _ => {
                let object = match &callee.kind {
                    ExprKind::Lambda(lambda) => (self.called_closure(lambda), None),
                    _ => self.operand(callee),
                };
                let operands = self.operands(args);
                let mut held = BTreeSet::new();
                if !matches!(object.0, Value::Closure(_) | Value::Function(_)) {
                    self.called_undetermined(&object, &operands);
                    self.object_called("operator()", &object);
                    held = self.held_by_callee(&object);
                }
                match object.0 {
                    Value::Closure(closure) => {
                        self.bound_by_params(&closure.lambda.params, &[], args);
                        self.invoke(&closure, operands)
                    }
                    Value::Function(meant) => self.function(meant, None, None, args, operands),
                    _ => or_held(self.undetermined_call("function pointer", operands), held),
                }
            }
        }
    }

    pub(super) fn operands(&mut self, args: &'u [Expr]) -> Vec<Operand<'u>> {
        self.expanded(args, &mut |me, arg| match me.passed_function(arg) {
            Some(name) => (Value::Function(name), None),
            None => me.operand(arg),
        })
    }

    fn method(
        &mut self,
        base: &'u Expr,
        arrow: bool,
        field: &'u Name,
        args: &'u [Expr],
    ) -> Value<'u> {
        if !arrow && let Some(value) = self.tensor_query(base, field, args) {
            return value;
        }
        let (object, ty, value) = if arrow {
            match self.operand(base) {
                // What an `operator->` gives that is not followed.
                (_, Some((place, ty))) if self.defines_member(&ty, "operator->") => {
                    let held = Value::Unknown(Rc::new(self.held_by(&place)));
                    (None, unknown_type(), held)
                }
                (value, _) => match self.pointed(value.clone()) {
                    Some((place, ty)) => (Some(place), ty, value),
                    None => (None, unknown_type(), value),
                },
            }
        } else {
            match self.operand(base) {
                (value, Some((place, ty))) => (Some(place), ty, value),
                (value, None) => {
                    // `o.set(4).twice()` of an unknown class: what the first call returns may be the object.
                    if !matches!(base.kind, ExprKind::Name(_) | ExprKind::Member { .. }) {
                        self.may_refer(base);
                    }
                    (None, unknown_type(), value)
                }
            }
        };
        let operands = self.operands(args);
        if let Some(place) = &object
            && let Value::Closure(closure) = self.read(&place.field(&field.base), &Ty::Void)
        {
            return self.invoke(&closure, operands);
        }
        if field.base == "operator()" {
            let held = match &object {
                Some(place) => self.read(place, &Ty::Void),
                None => value.clone(),
            };
            if let Value::Closure(closure) = held {
                return self.invoke(&closure, operands);
            }
            self.run_closures();
        }
        let owner = match (&base.kind, &ty) {
            (ExprKind::This, _) => self.frame().owner.clone(),
            (_, Ty::Opaque { name, .. }) if !name.is_empty() => Some(name.clone()),
            (_, Ty::Struct(layout)) => Some(layout.name.clone()),
            _ => None,
        };
        let exact = self.names_its_class(base, arrow);
        let members = match owner.as_deref() {
            Some(owner) => self.members(owner, field, exact),
            None => Members {
                functions: self.index.functions(&field.base).to_vec(),
                certain: false,
                open: true,
            },
        };
        let defined = members.functions.iter().any(|function| {
            function.body.is_some() && function.owner.is_some() && !function.quals.global
        });
        if members.open {
            for function in self.index.functions(&field.base) {
                self.wants(function);
            }
            if !defined {
                match &object {
                    None => self.called_for_some_object(self.index.functions(&field.base)),
                    object => self.called_elsewhere(&field.base, object.clone(), &operands),
                }
            }
        }
        if defined {
            let this = match object {
                Some(place) => place,
                None => {
                    self.store_anywhere(std::slice::from_ref(&value), &[]);
                    self.called_for_some_object(&members.functions);
                    self.object_at_hand(&field.base, value)
                }
            };
            // `o.f<double>(1)`: the arguments that are written are not bound to the member's parameters.
            if field.args.is_some() {
                for function in self.index.functions(&field.base) {
                    self.wants(function);
                }
                self.object_given(&this);
                let held = self.held_by(&this);
                let result = self.unknown_call(&field.base, operands.clone());
                self.changed_by_member(&this, &operands);
                self.given_by_member(&field.base, &operands, &held);
                return or_held(result, held);
            }
            let meant = members.functions.iter().map(|function| function.range);
            let dispatched = self.dispatched(&this, field);
            let receiver = Receiver {
                written: self.written_receiver(base, arrow),
                place: this,
                certain: members.certain || dispatched.is_some(),
                dispatched: dispatched.is_some(),
                meant: dispatched.or_else(|| (!members.open).then(|| meant.collect())),
            };
            return self.function(field, None, Some(receiver), args, operands);
        }
        match field.base.as_str() {
            method
                if args.is_empty()
                    && (matches!(method, "data" | "get" | "begin" | "c_str")
                        || tensors::gives_memory(method))
                    && !self.defines_member(&ty, method) =>
            {
                let found = match (value, object) {
                    (value @ Value::Pointer(..), _) => return value,
                    (Value::Unknown(roots), _) if !roots.is_empty() => {
                        return Value::Unknown(roots);
                    }
                    // An object with a container in it was copied, or what was in it given away.
                    (value @ Value::Initial(..), Some(own))
                        if self.copies_elements(&ty)
                            && !matches!(&value, Value::Initial(place, _) if *place == own) =>
                    {
                        return Value::Unknown(Rc::new(self.roots_of(&value)));
                    }
                    (Value::Initial(place, version), _) => Some((place, version)),
                    (_, Some(place)) => self
                        .state
                        .clone()
                        .map(|state| (place.clone(), self.version_of(&state, place.root))),
                    (other, None) => return self.made_of(&[other]),
                };
                match found {
                    Some((place, version)) => {
                        let root = self.objects.pointee(&place, version);
                        let pointer = Pointer::At(Place::of(root), Term::bytes(0));
                        Value::Pointer(pointer, unknown_type())
                    }
                    None => Value::unknown(),
                }
            }
            "size" | "length" | "count" | "numel" | "size_bytes" if args.is_empty() => match object
            {
                Some(place) => {
                    let place = place.field(&format!("{}()", field.base));
                    self.read(&place, &Ty::Scalar(CType::U64))
                }
                None => Value::unknown(),
            },
            "end" | "empty" | "capacity" | "back" | "front" | "at" | "find" => {
                let mut values = vec![value];
                if let Some(place) = object {
                    values.push(self.read(&place, &Ty::Void));
                }
                match self.made_of(&values) {
                    Value::Unknown(roots) => {
                        Value::Unknown(Rc::new(self.reachable((*roots).clone())))
                    }
                    made => made,
                }
            }
            _ => {
                let mut values: Vec<Value<'u>> =
                    operands.iter().map(|(value, _)| value.clone()).collect();
                values.push(value);
                let mut sources = BTreeSet::new();
                for value in &values {
                    self.lost(value);
                    sources.extend(self.roots_of(value));
                }
                if field.base.starts_with("emplace") && self.some_constructor_may_write() {
                    for (value, place) in &operands {
                        let mut roots = self.roots_of(value);
                        roots.extend(place.as_ref().map(|(place, _)| place.root));
                        for root in roots {
                            self.watch(root);
                        }
                    }
                }
                self.bound_by_member(object.as_ref(), args);
                for function in &members.functions {
                    self.parameters_made(function, &operands);
                }
                if let Some(place) = &object {
                    let written = self.written.get(&place.root).cloned();
                    match written.filter(is_container) {
                        // What it holds is made by it.
                        Some(written) => self.made_by(&written),
                        None => self.object_given(place),
                    }
                    self.havoc(place, sources.clone());
                    let written = self.written.get(&place.root);
                    if place.path.is_empty()
                        && written.is_some_and(is_container)
                        && library::changes_its_object(&field.base)
                    {
                        return Value::Unknown(Rc::new(sources));
                    }
                }
                if object.is_none() {
                    self.store_anywhere(&values, &[]);
                }
                let result = self.unknown_function(&field.base, Unknown::Member, operands);
                sources.extend(self.roots_of(&result));
                Value::Unknown(Rc::new(sources))
            }
        }
    }

    /// The functions, members of classes excepted, that a name may mean where it is written.
    pub(super) fn functions_in_sight(&self, name: &Name) -> Vec<&'u Function> {
        let frame = self.frame();
        let scope = frame.owner.as_deref().unwrap_or(&frame.types.path);
        self.index
            .functions_at(&name.lookup_path(), scope, name.range)
    }

    /// A call of a function of the unit, or of one that is not in it. Where the functions in sight are told, no others are meant, but
    /// for members and friends of classes, and what the types of arguments bring in.
    fn function(
        &mut self,
        name: &'u Name,
        in_sight: Option<&[&'u Function]>,
        object: Option<Receiver>,
        args: &'u [Expr],
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        let object = object.or_else(|| {
            // `f()` in a member function, of a variable of a class that overrides it.
            let this = self.frame().this.clone()?;
            let meant = self.dispatched(&this, name)?;
            Some(Receiver {
                written: self.frame().class.clone(),
                meant: Some(meant),
                certain: true,
                dispatched: true,
                ..this.into()
            })
        });
        let dispatched = object.as_ref().is_some_and(|object| object.dispatched);
        let all: Vec<&'u Function> = self
            .index
            .functions(&name.base)
            .iter()
            .copied()
            .filter(|function| {
                function.body.is_some()
                    && !function.quals.global
                    && (!function.quals.device || function.quals.host)
            })
            .collect();
        // `Engine<float>::run` is no function of another class, if it has one of the name.
        let of_named: Option<&str> = name.qualifier.last().and_then(|segment| {
            let class = segment.name.as_str();
            let is_one = self.hierarchy.records(class).len() == 1;
            let has = |one: &&'u Function| one.owner.as_deref().map(last) == Some(class);
            (is_one && all.iter().any(has)).then_some(class)
        });
        let fits: Vec<&'u Function> = all
            .iter()
            .copied()
            .filter(|function| {
                let required = (0..function.params.len())
                    .filter(|position| {
                        !function.params[*position].pack
                            && self.default_of(function, *position).is_none()
                    })
                    .count();
                let most = match function.params.last() {
                    Some(last) if last.pack => usize::MAX,
                    _ => function.params.len(),
                };
                let of_class = match &object {
                    None => true,
                    Some(object) => object.certain && object.may_mean(function),
                };
                let is_in_sight = |all: &[&Function]| {
                    let is_meant = |one: &&Function| {
                        one.range == function.range || self.announces(one, function)
                    };
                    all.iter().any(is_meant)
                };
                let is_seen = match in_sight {
                    // Functions of a namespace that the name gives are no members of a class that it gives.
                    Some(all) if !name.qualifier.is_empty() && !all.is_empty() => is_in_sight(all),
                    _ => {
                        function.owner.is_some()
                            || name.qualifier.is_empty() && !takes_numbers(function)
                            || in_sight.is_none_or(is_in_sight)
                    }
                };
                let most = if function.variadic { usize::MAX } else { most };
                let is_named =
                    of_named.is_none_or(|class| function.owner.as_deref().map(last) == Some(class));
                of_class && is_named && is_seen && (required..=most).contains(&operands.len())
            })
            .collect();
        // What runs on the device alone is not called here.
        let called = self.index.functions(&name.base).iter().copied();
        let called: Vec<&'u Function> = called.filter(|one| runs_on_host(one)).collect();
        self.bound_by_call(&called, args);
        if called.is_empty() && !makes_tensors(name) {
            self.bound_by_lists(args);
        }
        // One that is only announced may be meant as well, and `…` takes what others do not.
        let announced = in_sight.into_iter().flatten().any(|one| {
            let many = one.params.len() >= operands.len() || one.variadic;
            one.body.is_none() && many && !fits.iter().any(|function| self.announces(one, function))
        });
        if let [function] = fits.as_slice()
            && !announced
            && (!function.variadic || function.params.iter().any(|param| param.pack))
            && (dispatched || !function.quals.is_virtual)
            && self.may_run(function)
        {
            let this = match (object, &function.owner) {
                (None, Some(owner)) => Some(match self.own_object(function) {
                    Some(place) => Receiver {
                        written: self.frame().class.clone(),
                        ..place.into()
                    },
                    None => Receiver {
                        written: self.qualifying_class(name),
                        ..self.some_object(owner).into()
                    },
                }),
                (object, _) => object,
            };
            if function.owner.as_deref().map(last) == Some(&function.name) {
                self.parts_made(&function.name);
            }
            return self.run(function, operands, args, this, name.args.as_deref());
        }
        if all.is_empty() {
            self.made_by_arguments(name);
            self.made_somehow(&name.base);
        }
        for function in &called {
            self.parameters_made(function, &operands);
        }
        let may_mean = |function: &&'u Function| {
            object
                .as_ref()
                .is_none_or(|object| object.may_mean(function))
        };
        for function in all.iter().copied().filter(may_mean) {
            self.wanted.insert(function.range);
            let mut frame = Frame::new(function, None);
            self.bind_template(function, name.args.as_deref(), args, &mut frame);
            self.instantiated(function, &frame);
        }
        let receiver = object.as_ref().map(|object| object.place.clone());
        self.called_elsewhere(&name.base, receiver, &operands);
        let this = match object {
            Some(object) => Some(object.place),
            // `f()` in a member function: of the same object.
            None if self
                .index
                .functions(&name.base)
                .iter()
                .any(|one| one.owner.is_some()) =>
            {
                self.frame().this.clone()
            }
            None => None,
        };
        let mut changed = None;
        if let Some(place) = this {
            self.object_given(&place);
            let held = self.held_by(&place);
            changed = Some((place, held, operands.clone()));
        }
        let kind = match self.is_out_of_sight(name, in_sight) {
            true => Unknown::OutOfSight,
            false => Unknown::Function,
        };
        let mut result = self.unknown_function(&name.base, kind, operands);
        if let Some((place, held, operands)) = changed {
            self.changed_by_member(&place, &operands);
            self.given_by_member(&name.base, &operands, &held);
            result = or_held(result, held);
        }
        match common_number(&called).filter(|_| kind != Unknown::OutOfSight) {
            Some(ty) => self.converted(result, &Ty::Scalar(ty), &name.base),
            None => result,
        }
    }

    /// Whether an unqualified name means none of the functions that are declared: a header declares what it means that was not found.
    fn is_out_of_sight(&self, name: &Name, in_sight: Option<&[&'u Function]>) -> bool {
        let is_in_class = self.frame().owner.is_some();
        let mut declared = self.index.functions(&name.base).iter();
        in_sight.is_some_and(<[_]>::is_empty)
            && name.qualifier.is_empty()
            && !(is_in_class && declared.any(|one| one.owner.is_some()))
    }

    /// The instance of a class template whose static member a name is: `Engine<float>::run`.
    fn qualifying_class(&mut self, name: &Name) -> Option<Type> {
        let (last, before) = name.qualifier.split_last()?;
        last.args.as_ref()?;
        let class = Name {
            global: name.global,
            qualifier: before.to_vec(),
            base: last.name.clone(),
            args: last.args.clone(),
            range: name.range,
        };
        let class = self.substituted(&Type::new(TypeKind::Named(class), name.range));
        Some(self.with_numbers(class))
    }

    /// The default of a parameter: a prototype may give it.
    pub(super) fn default_of(&self, function: &'u Function, position: usize) -> Option<&'u Expr> {
        let own = function.params.get(position)?.default.as_ref();
        let same = |one: &&'u Function| one.body.is_none() && self.announces(one, function);
        let announced = self.index.functions(&function.name).iter().copied();
        own.or_else(|| {
            let mut defaults = announced
                .filter(same)
                .filter_map(|one| one.params[position].default.as_ref());
            defaults.next()
        })
    }

    /// Whether two declarations are of one function, by their types or by the texts of their parameters.
    fn announces(&self, one: &Function, function: &Function) -> bool {
        let mut types = one.params.iter().zip(&function.params);
        let mut same_texts = || {
            one.params.len() == function.params.len()
                && types.all(|(a, b)| self.text_of(a.ty.range) == self.text_of(b.ty.range))
        };
        one.qualified == function.qualified
            && (same_signature(&one.params, &function.params) || same_texts())
    }

    pub(super) fn may_run(&self, function: &Function) -> bool {
        self.frames.len() < MAX_DEPTH
            && self.steps - self.steps_before < MAX_STEPS / 2
            && self
                .frames
                .iter()
                .all(|frame| frame.function != function.range)
    }

    /// Runs a function with these arguments.
    pub(super) fn run(
        &mut self,
        function: &'u Function,
        operands: Vec<Operand<'u>>,
        args: &'u [Expr],
        this: Option<Receiver>,
        given: Option<&[TemplateArg]>,
    ) -> Value<'u> {
        self.done.insert(function.range);
        let types = self.expanded(args, &mut |me, arg| me.written_type(arg));
        let (this, class) = match this {
            Some(object) => (Some(object.place), object.written),
            None => (None, None),
        };
        let mut frame = Frame::new(function, this);
        self.bind_class(function, class, &mut frame);
        self.bind_template(function, given, args, &mut frame);
        self.instantiated(function, &frame);
        let result = self.objects.object(
            Kind::Variable,
            &format!("result of {}", function.name),
            unknown_type(),
        );
        frame.result = Some(result);
        frame.start = self.state.clone();
        frame.args = Some(args);
        let exits = std::mem::take(&mut self.exits);
        self.frames.push(frame);
        let mut operands = operands.into_iter();
        for (position, param) in function.params.iter().enumerate() {
            let Some(name) = &param.name else {
                if let Some((value, place)) = operands.next() {
                    let ty = self.resolve(&param.ty);
                    self.converted_from(&ty, &value, place.as_ref());
                }
                continue;
            };
            if param.pack {
                // Folds over it are not followed.
                let refers = matches!(
                    param.ty.kind,
                    TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                );
                if refers && self.folds(function) {
                    for (_, place) in operands.as_slice() {
                        if let Some((place, _)) = place {
                            self.watch(place.root);
                        }
                    }
                }
                let types = types.get(position..).unwrap_or_default();
                self.bind_pack(name, &param.ty, operands.by_ref().collect(), types);
                continue;
            }
            let operand = operands.next().or_else(|| {
                let default = self.default_of(function, position)?;
                Some((self.eval(default), None))
            });
            let (value, place) = operand.unwrap_or((Value::unknown(), None));
            self.bind_param(name, &param.ty, value, place);
        }
        let ret = self.resolve(&function.ret);
        let by_reference = returns_reference(function);
        if let Some(frame) = self.frames.last_mut() {
            frame.ret = ret.clone();
            frame.refers = by_reference.then(Vec::new);
        }
        if let Some(body) = &function.body {
            self.block(body);
        }
        self.scopes_left();
        let ways = self.frames.last_mut().and_then(|frame| frame.refers.take());
        let value = self.leave(result, &ret);
        self.exits = exits;
        self.came_back = match ways.unwrap_or_default().as_slice() {
            [first, rest @ ..] if rest.iter().all(|way| way == first) => first.clone(),
            _ => None,
        };
        value
    }

    pub(super) fn bind_param(
        &mut self,
        name: &'u str,
        ty: &Type,
        value: Value<'u>,
        place: Option<(Place, Ty)>,
    ) {
        let by_reference = matches!(
            ty.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        );
        let root = self.new_variable(name, ty, false);
        if by_reference && place.is_some() {
            if let TypeKind::Reference(to) | TypeKind::RvalueReference(to) = &ty.kind {
                let to = self.resolve(to);
                self.converted_from(&to, &value, place.as_ref());
            }
            self.references.insert(root, place);
            return;
        }
        let own = self.objects.get(root).ty.clone();
        self.converted_from(&own, &value, place.as_ref());
        // What the constructor makes of it is not known.
        let value = match value {
            Value::Scalar(_) | Value::Ratio(..) | Value::Pointer(..)
                if self.has_constructors(&own) =>
            {
                self.made_of(&[value])
            }
            value => self.copied(&own, value, false),
        };
        let mut resolved = match self.objects.get(root).ty.clone() {
            Ty::Array(element, _) => Ty::Pointer(element),
            ty => ty,
        };
        if let (Ty::Opaque { bytes: None, .. }, Value::Pointer(_, element)) = (&resolved, &value) {
            resolved = element.clone().pointer_to();
        }
        self.objects.get_mut(root).ty = resolved.clone();
        let is_dim3 = matches!(&resolved, Ty::Struct(layout) if layout.name == "dim3");
        let value = match value {
            Value::Scalar(term) if is_dim3 => {
                self.constructed(&resolved, vec![Value::Scalar(term)])
            }
            value => self.list_as(&resolved, value),
        };
        self.write(&Place::of(root), &resolved, value);
    }

    /// A parameter of a class takes something else: a constructor converts it.
    fn converted_from(&mut self, to: &Ty, value: &Value<'u>, place: Option<&(Place, Ty)>) {
        let is_other = place.is_none_or(|(_, from)| from != to);
        if is_other || self.index.copies_specially(to) {
            let operand = (value.clone(), place.cloned());
            self.converted_by_constructor(to, &operand);
        }
    }

    /// `return e;` goes on in the caller.
    pub(super) fn give_back(&mut self, value: Value<'u>) {
        let ret = self.frame().ret.clone();
        let value = match value {
            Value::Scalar(_) | Value::Ratio(..) | Value::Pointer(..)
                if self.has_constructors(&ret) =>
            {
                self.converted_by_constructor(&ret, &(value.clone(), None));
                self.made_of(&[value])
            }
            value => value,
        };
        if let Some(root) = self.frame().result {
            let ret = self.frame().ret.clone();
            let value = self.list_as(&ret, value);
            self.write(&Place::of(root), &ret, value);
        } else {
            self.lost(&value);
        }
        self.scopes_left();
        if let Some(state) = self.state.take() {
            self.frame_mut().returns.push(state);
        }
    }

    pub(super) fn returned(&mut self, expr: &'u Expr) -> Value<'u> {
        if self.frame().refers.is_none() {
            return self.eval(expr);
        }
        let (value, place) = self.operand(expr);
        if place.is_none() {
            self.may_refer(expr);
        }
        if let Some(ways) = &mut self.frame_mut().refers {
            ways.push(place);
        }
        value
    }

    /// Whether a call is one of a function of the unit that returns a reference.
    fn gives_reference(&mut self, callee: &'u Expr) -> bool {
        let name = match &callee.kind {
            ExprKind::Name(name) => name,
            ExprKind::Member { field, .. } => field,
            _ => return false,
        };
        let functions = self.index.functions(&name.base);
        !functions.is_empty()
            && functions.iter().all(|function| {
                returns_reference(function) && function.body.is_some() && !function.quals.global
            })
            && (matches!(callee.kind, ExprKind::Member { .. }) || self.named(name).is_none())
    }

    /// What a call refers to that returns a reference, once it has run; a new object if it is not known.
    pub(super) fn place_of_call(
        &mut self,
        callee: &'u Expr,
        call: &'u Expr,
    ) -> Option<(Place, Ty)> {
        if !self.gives_reference(callee) {
            return None;
        }
        self.came_back = None;
        let value = self.eval(call);
        if let Some(place) = self.came_back.take() {
            return Some(place);
        }
        self.may_refer(call);
        let root = self
            .objects
            .object(Kind::Variable, "what is referred to", unknown_type());
        self.write(&Place::of(root), &unknown_type(), value);
        Some((Place::of(root), unknown_type()))
    }

    /// Ends the running function: its ways meet in the caller.
    pub(super) fn leave(&mut self, result: Root, ret: &Ty) -> Value<'u> {
        let Some(frame) = self.frames.pop() else {
            return Value::unknown();
        };
        for state in frame.returns {
            let here = self.state.take();
            self.state = self.joined(here, Some(state));
        }
        let value = match &self.state {
            Some(_) => self.read(&Place::of(result), ret),
            None => Value::unknown(),
        };
        if let Some(state) = &mut self.state {
            state.set_entries(result, Vec::new());
        }
        for scope in &frame.scopes {
            self.ended(scope);
        }
        value
    }
}

fn returns_reference(function: &Function) -> bool {
    matches!(function.ret.kind, TypeKind::Reference(_))
}

/// The type of numbers that functions return, if it is one, and no address fits in it.
fn common_number(functions: &[&Function]) -> Option<CType> {
    let number = |function: &Function| {
        let ty = crate::lower::types::scalar(function.ret.scalar()?).ctype();
        let bytes = ty.bytes().filter(|bytes| *bytes < 8);
        bytes.filter(|_| ty.is_integer()).map(|_| ty)
    };
    let first = number(functions.first()?)?;
    let mut types = functions.iter().map(|function| number(function));
    types.all(|ty| ty == Some(first)).then_some(first)
}

/// Whether all parameters are numbers, so that the types of arguments do not bring a function in.
pub(super) fn takes_numbers(function: &Function) -> bool {
    function
        .params
        .iter()
        .all(|param| param.ty.scalar().is_some())
}

/// Functions of PyTorch, whose lists are sizes.
fn makes_tensors(name: &Name) -> bool {
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    matches!(first, Some("torch" | "at" | "c10"))
}
