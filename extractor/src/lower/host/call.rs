//! Calls in host code: functions of the unit are run with their arguments, those of CUDA and the
//! standard library have their meaning, all others may change whatever they can reach.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;

use super::alias::Kind;
use super::eval::unknown_type;
use super::library::{self, Effects};
use super::term::{self, Term};
use super::value::*;
use super::{Frame, Host, MAX_DEPTH, MAX_STEPS};
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
                    let operands = self.operands(args);
                    if !matches!(value, Value::Closure(_)) {
                        self.object_called("operator()", &(value.clone(), Some((place, ty))));
                    }
                    return match value {
                        Value::Closure(closure) => self.invoke(&closure, operands),
                        Value::Function(meant) => self.function(meant, None, args, operands),
                        _ => self.unknown_call(&name.base, operands),
                    };
                }
                if let Some(value) = self.launch_call(name, args, expr.range) {
                    return value;
                }
                if let Some(value) = self.library(name, args, expr) {
                    return value;
                }
                let operands = self.operands(args);
                self.function(name, None, args, operands)
            }
            ExprKind::Member { base, arrow, field } => self.method(base, *arrow, field, args),
            _ => {
                let object = self.operand(callee);
                let operands = self.operands(args);
                if !matches!(object.0, Value::Closure(_)) {
                    self.object_called("operator()", &object);
                }
                match object.0 {
                    Value::Closure(closure) => self.invoke(&closure, operands),
                    Value::Function(meant) => self.function(meant, None, args, operands),
                    _ => self.unknown_call("function pointer", operands),
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
        let (object, ty, value) = if arrow {
            let value = self.eval(base);
            match self.pointed(value.clone()) {
                Some((place, ty)) => (Some(place), ty, value),
                None => (None, unknown_type(), value),
            }
        } else {
            match self.operand(base) {
                (value, Some((place, ty))) => (Some(place), ty, value),
                (value, None) => {
                    // `o.set(4).twice()` of an unknown class: what the first call returns may be the object.
                    if matches!(base.kind, ExprKind::Call { .. }) {
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
        let owner = match (&base.kind, &ty) {
            (ExprKind::This, _) => self.frame().owner.clone(),
            (_, Ty::Opaque { name, .. }) if !name.is_empty() => Some(name.clone()),
            (_, Ty::Struct(layout)) => Some(layout.name.clone()),
            _ => None,
        };
        let defined = self.index.functions(&field.base).iter().any(|function| {
            function.body.is_some()
                && function.owner.is_some()
                && !function.quals.global
                && (owner.is_none() || self.may_be_of(function, owner.as_deref()))
        });
        if defined {
            let this = object.unwrap_or_else(|| {
                let root = self
                    .objects
                    .object(Kind::Variable, &field.base, unknown_type());
                Place::of(root)
            });
            // `o.f<double>(1)`: the arguments that are written are not bound to the member's parameters.
            if field.args.is_some() {
                for function in self.index.functions(&field.base) {
                    self.wants(function);
                }
                self.havoc(&this, BTreeSet::new());
                return self.unknown_call(&field.base, operands);
            }
            return self.function(field, Some((this, owner)), args, operands);
        }
        match field.base.as_str() {
            "data" | "get" | "begin" | "c_str" | "data_ptr" | "mutable_data" if args.is_empty() => {
                let found = match (value, object) {
                    (value @ Value::Pointer(..), _) => return value,
                    (Value::Unknown(roots), _) if !roots.is_empty() => {
                        return Value::Unknown(roots);
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
                self.made_of(&values)
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
                if let Some(place) = &object {
                    self.havoc(place, sources.clone());
                    let written = self.written.get(&place.root);
                    if place.path.is_empty()
                        && written.is_some_and(is_container)
                        && library::changes_its_object(&field.base)
                    {
                        return Value::Unknown(Rc::new(sources));
                    }
                }
                let result = self.unknown_function(&field.base, true, operands);
                sources.extend(self.roots_of(&result));
                Value::Unknown(Rc::new(sources))
            }
        }
    }

    /// A call of a function of the unit, or of one that is not in it.
    fn function(
        &mut self,
        name: &'u Name,
        object: Option<(Place, Option<String>)>,
        args: &'u [Expr],
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
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
                    Some((_, owner)) => self.may_be_of(function, owner.as_deref()),
                };
                of_class
                    && (!function.variadic || function.params.iter().any(|param| param.pack))
                    && (required..=most).contains(&operands.len())
            })
            .collect();
        if let [function] = fits.as_slice()
            && !function.quals.is_virtual
            && self.may_run(function)
        {
            let this = match object {
                Some((place, _)) => Some(place),
                None if function.owner.is_some() && function.owner == self.frame().owner => {
                    self.frame().this.clone()
                }
                None => None,
            };
            return self.run(function, operands, args, this, name.args.as_deref());
        }
        for function in all {
            self.wanted.insert(function.range);
            let mut frame = Frame::new(function, None);
            self.bind_template(function, name.args.as_deref(), args, &mut frame);
            self.instantiated(function, &frame);
        }
        let this = match object {
            Some((place, _)) => Some(place),
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
        if let Some(place) = this {
            self.havoc(&place, BTreeSet::new());
        }
        self.unknown_call(&name.base, operands)
    }

    /// Whether a function is a member of the class. Of an object whose class is not known, no function is: classes of headers
    /// that were not found have members of the same names.
    fn may_be_of(&self, function: &Function, class: Option<&str>) -> bool {
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        match (function.owner.as_deref(), class) {
            (Some(owner), Some(class)) => last(owner) == last(class),
            _ => false,
        }
    }

    /// The default of a parameter: a prototype may give it.
    fn default_of(&self, function: &'u Function, position: usize) -> Option<&'u Expr> {
        let own = function.params.get(position)?.default.as_ref();
        let same = |one: &&'u Function| {
            one.body.is_none()
                && one.qualified == function.qualified
                && one.params.len() == function.params.len()
                && one
                    .params
                    .iter()
                    .zip(&function.params)
                    .all(|(a, b)| self.text_of(a.ty.range) == self.text_of(b.ty.range))
        };
        let announced = self.index.functions(&function.name).iter().copied();
        own.or_else(|| {
            let mut defaults = announced
                .filter(same)
                .filter_map(|one| one.params[position].default.as_ref());
            defaults.next()
        })
    }

    fn may_run(&self, function: &Function) -> bool {
        self.frames.len() < MAX_DEPTH
            && self.steps - self.steps_before < MAX_STEPS / 2
            && self
                .frames
                .iter()
                .all(|frame| frame.function != function.range)
    }

    /// Runs a function with these arguments.
    fn run(
        &mut self,
        function: &'u Function,
        operands: Vec<Operand<'u>>,
        args: &'u [Expr],
        this: Option<Place>,
        given: Option<&[TemplateArg]>,
    ) -> Value<'u> {
        self.done.insert(function.range);
        let types = self.expanded(args, &mut |me, arg| me.written_type(arg));
        let mut frame = Frame::new(function, this);
        self.bind_template(function, given, args, &mut frame);
        self.instantiated(function, &frame);
        let result = self.objects.object(
            Kind::Variable,
            &format!("result of {}", function.name),
            unknown_type(),
        );
        frame.result = Some(result);
        frame.start = self.state.clone();
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

    /// Whether a class of the unit has constructors.
    pub(super) fn has_constructors(&self, ty: &Ty) -> bool {
        let Ty::Struct(class) = ty else { return false };
        let functions = self.index.functions(&class.name).iter();
        class.name != "dim3"
            && functions
                .into_iter()
                .any(|function| function.owner.is_some())
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
    fn leave(&mut self, result: Root, ret: &Ty) -> Value<'u> {
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
            for scope in &frame.scopes {
                for root in scope.values() {
                    let stays = self.statics.values().any(|kept| kept == root);
                    if !stays && !state.escaped.contains(root) {
                        state.set_entries(*root, Vec::new());
                    }
                }
            }
        }
        value
    }

    /// A lambda with the names that it sees.
    pub(super) fn closure(&mut self, lambda: &'u Lambda) -> Value<'u> {
        let mut scopes = self.frame().scopes.clone();
        let own: BTreeMap<&'u str, Root> = lambda
            .inits
            .iter()
            .flat_map(|capture| self.captured(lambda, capture))
            .collect();
        let mut copies = BTreeMap::new();
        let seen: Vec<(&'u str, Root)> = scopes
            .iter()
            .flat_map(|scope| scope.iter().map(|(name, root)| (*name, *root)))
            .collect();
        let captured: Vec<&str> = lambda.captures.split(',').map(str::trim).collect();
        let by_reference_all = captured.contains(&"&");
        let copies_all = captured.contains(&"=");
        if captured
            .iter()
            .any(|item| item.len() > 1 && item.contains('='))
        {
            return self.not_understood(lambda.body.range);
        }
        let text = self.text;
        let body = text.get(lambda.body.range.bytes()).unwrap_or("");
        let words: BTreeSet<&str> = body
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        for (name, root) in seen {
            let by_reference = captured.iter().any(|item| {
                item.strip_prefix('&')
                    .is_some_and(|rest| rest.trim() == name)
            }) || (by_reference_all && !captured.contains(&name));
            if by_reference || !words.contains(name) || !(copies_all || captured.contains(&name)) {
                continue;
            }
            let ty = self.objects.get(root).ty.clone();
            let value = self.read(&Place::of(root), &ty);
            let value = self.copied(&ty, value, false);
            let copy = self.objects.object(Kind::Variable, name, ty.clone());
            match self.references.get(&root).cloned() {
                Some(target) => {
                    self.references.insert(copy, target);
                }
                None => self.write(&Place::of(copy), &ty, value),
            }
            self.keep_copy(copy, lambda);
            copies.insert(name, copy);
        }
        scopes.push(copies);
        scopes.push(own);
        Value::Closure(Rc::new(Closure {
            lambda,
            scopes,
            this: self.frame().this.clone(),
        }))
    }

    /// `[n = 2 * size]`: a variable of the closure, whose initialiser sees the names around the lambda.
    fn captured(&mut self, lambda: &Lambda, capture: &'u VarDecl) -> BTreeMap<&'u str, Root> {
        self.frame_mut().scopes.push(BTreeMap::new());
        self.declare(capture);
        let scope = self.frame_mut().scopes.pop().unwrap_or_default();
        for root in scope.values() {
            self.keep_copy(*root, lambda);
        }
        scope
    }

    /// What a call of the lambda can change may change whenever anything is called: it is constant in one that is not `mutable`.
    fn keep_copy(&mut self, copy: Root, lambda: &Lambda) {
        if let Some(state) = &mut self.state
            && lambda.mutable
        {
            state.escape(copy);
        }
    }

    /// Runs a lambda.
    fn invoke(&mut self, closure: &Closure<'u>, operands: Vec<Operand<'u>>) -> Value<'u> {
        let range = closure.lambda.body.range;
        if self.frames.len() >= MAX_DEPTH || self.frames.iter().any(|frame| frame.function == range)
        {
            self.not_understood(range);
            return Value::unknown();
        }
        let here = self.frame();
        let mut frame = Frame {
            function: range,
            external: false,
            scopes: closure.scopes.clone(),
            this: closure.this.clone(),
            owner: here.owner.clone(),
            types: here.types.clone(),
            type_args: here.type_args.clone(),
            values: here.values.clone(),
            packs: here.packs.clone(),
            problems: here.problems,
            returns: Vec::new(),
            result: None,
            ret: Ty::Void,
            refers: None,
            start: self.state.clone(),
        };
        let result = self
            .objects
            .object(Kind::Variable, "result", unknown_type());
        frame.result = Some(result);
        frame.ret = match &closure.lambda.ret {
            Some(ret) => self.resolve(ret),
            None => unknown_type(),
        };
        frame.scopes.push(BTreeMap::new());
        let kept = frame.scopes.len() - 1;
        let exits = std::mem::take(&mut self.exits);
        self.frames.push(frame);
        let mut operands = operands.into_iter();
        for param in &closure.lambda.params {
            let (value, place) = operands.next().unwrap_or((Value::unknown(), None));
            if let Some(name) = &param.name {
                self.bind_param(name, &param.ty, value, place);
            }
        }
        self.block(&closure.lambda.body);
        // The names around it stay.
        let own = self.frame_mut().scopes.split_off(kept);
        self.frame_mut().scopes = own;
        let value = self.leave(result, &Ty::Void);
        self.exits = exits;
        value
    }

    /// A value went where it cannot be followed: kernels may be launched in any way, lambdas may
    /// be called any number of times.
    pub(super) fn lost(&mut self, value: &Value<'u>) {
        match value {
            Value::Kernels(kernels) => {
                for kernel in kernels.iter() {
                    self.arbitrary.extend(kernel.kernels.iter().copied());
                }
            }
            Value::Function(name) => self.mentioned(&name.base),
            Value::Tree(parts, _) => {
                for (_, value) in parts.iter() {
                    self.lost(&value.clone());
                }
            }
            Value::Closure(closure) => {
                let range = closure.lambda.body.range;
                if self.frames.iter().any(|frame| frame.function == range) {
                    return;
                }
                let closure = closure.clone();
                self.repeated(&mut |me| {
                    me.some_time();
                    me.invoke(&closure, Vec::new());
                });
            }
            _ => {}
        }
    }

    /// A function that is not in the unit.
    pub(super) fn unknown_call(&mut self, name: &str, operands: Vec<Operand<'u>>) -> Value<'u> {
        self.unknown_function(name, false, operands)
    }

    /// A function that is not in the unit; a member may be one of a class that is not known either.
    fn unknown_function(
        &mut self,
        name: &str,
        is_member: bool,
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        if is_query(name) {
            // They only look at the kernel.
            for (value, _) in &operands {
                if let Value::Pointer(Pointer::At(place, _), _) = value {
                    self.havoc(&place.clone(), BTreeSet::new());
                }
            }
            return Value::unknown();
        }
        for value in &values {
            self.lost(value);
        }
        if is_api(name) {
            let copies = name.contains("Memcpy") || name.contains("Memset");
            // Pointers in it: kernels write through those, wherever they are found.
            if let Some(source) = values.get(1).filter(|_| name.contains("Memcpy")) {
                let roots = self.roots_of(source);
                let roots = self.reachable(roots);
                self.copied.extend(roots);
            }
            for (position, value) in values.iter().enumerate() {
                if copies && position > 0 {
                    break;
                }
                if let Value::Pointer(Pointer::At(place, _), _) = value {
                    self.havoc(&place.clone(), BTreeSet::new());
                }
            }
            return Value::unknown();
        }
        if takes_values(name) {
            if matches!(
                name,
                "memcpy" | "memset" | "memmove" | "sprintf" | "snprintf"
            ) && let Some(Value::Pointer(Pointer::At(place, _), _)) = values.first()
            {
                let mut sources = BTreeSet::new();
                for value in &values {
                    sources.extend(self.roots_of(value));
                }
                self.havoc(&place.clone(), sources);
            }
            return match library::is_input(name) {
                true => Value::Unknown(Rc::new(BTreeSet::from([self.outside]))),
                false => Value::unknown(),
            };
        }
        let declared = self.index.functions(name);
        if declared.is_empty()
            && !is_member
            && let Some(effects) = library::effects(name)
        {
            let result = self.library_call(effects, &values);
            return match library::is_input(name) {
                true => Value::Unknown(Rc::new(BTreeSet::from([self.outside]))),
                false => result,
            };
        }
        let mut roots = BTreeSet::new();
        for value in &values {
            roots.extend(self.roots_of(value));
        }
        self.havoc_reached(&values);
        for (position, (_, place)) in operands.iter().enumerate() {
            let by_value = !declared.is_empty()
                && declared
                    .iter()
                    .all(|function| match function.params.get(position) {
                        Some(param) => match &param.ty.kind {
                            TypeKind::Reference(to) => to.is_const,
                            TypeKind::RvalueReference(_) => false,
                            _ => true,
                        },
                        None => false,
                    });
            if let Some((place, ty)) = place
                && !by_value
                && !matches!(ty, Ty::Array(..))
            {
                self.havoc(place, roots.clone());
            }
        }
        let lower = name.to_lowercase();
        if ["alloc", "create", "make", "new"]
            .iter()
            .any(|part| lower.contains(part))
        {
            let sources = self.reachable(roots.clone());
            if let Value::Pointer(Pointer::At(place, _), _) = self.allocation(name, sources) {
                return Value::Unknown(Rc::new(BTreeSet::from([place.root])));
            }
        }
        let mut roots = self.reachable(roots);
        roots.insert(self.objects.interned(Kind::Result(name.to_owned()), name));
        if library::is_input(name) {
            roots.insert(self.outside);
        }
        Value::Unknown(Rc::new(roots))
    }

    /// A call of a function of a library that is known not to touch the program's own variables.
    fn library_call(&mut self, effects: Effects, values: &[Value<'u>]) -> Value<'u> {
        let mut roots = BTreeSet::new();
        for value in values {
            roots.extend(self.roots_of(value));
        }
        match effects {
            Effects::None => return Value::unknown(),
            Effects::Into => {}
            Effects::Writes | Effects::Mixes => {
                let sources = match effects {
                    Effects::Mixes => self.reachable(roots.clone()),
                    _ => BTreeSet::new(),
                };
                let mut written = roots.clone();
                for root in &roots {
                    if let Some(version) = self.objects.found_at(*root) {
                        written.extend(self.objects.sources_of(version));
                    }
                }
                let mut heap = false;
                for root in written {
                    if self.objects.get(root).kind == Kind::Variable {
                        self.havoc(&Place::of(root), sources.clone());
                    } else {
                        heap = true;
                    }
                }
                if heap {
                    let version = self.objects.version(sources);
                    self.forget_heap(version);
                }
                return Value::unknown();
            }
        }
        Value::Unknown(Rc::new(roots))
    }

    /// An object of a class made from arguments.
    pub(super) fn construct(&mut self, written: &Type, ty: &Ty, args: &'u [Expr]) -> Value<'u> {
        let operands = self.operands(args);
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        // `std::pair<int &, int> p(n, 2)`: the variable may change through it.
        if self.text_of(written.range).contains('&') {
            for (_, place) in &operands {
                if let Some((place, _)) = place {
                    self.watch(place.root);
                }
            }
        }
        // A temporary may end with what it leads to changed.
        if self.destructor_may_write(ty) {
            for (value, place) in &operands {
                let mut roots = self.roots_of(value);
                roots.extend(place.as_ref().map(|(place, _)| place.root));
                for root in roots {
                    self.watch(root);
                }
            }
        }
        for value in &values {
            if matches!(value, Value::Function(_)) {
                self.lost(value);
            }
        }
        if let Ty::Opaque { name, .. } = ty
            && !is_container(written)
        {
            for function in self.index.functions(name) {
                self.wants(function);
            }
            let name = name.clone();
            return self.unknown_call(&name, operands);
        }
        self.initialised(ty, operands, args)
    }

    /// An object of a class by its constructor, or member by member where it has none.
    pub(super) fn initialised(
        &mut self,
        ty: &Ty,
        operands: Vec<Operand<'u>>,
        args: &'u [Expr],
    ) -> Value<'u> {
        let values = || operands.iter().map(|(value, _)| value.clone()).collect();
        let Ty::Struct(layout) = ty else {
            return self.constructed(ty, values());
        };
        let name = layout.name.clone();
        let all: Vec<&'u Function> = self
            .index
            .functions(&name)
            .iter()
            .copied()
            .filter(|function| function.owner.is_some())
            .collect();
        if all.is_empty() {
            return self.constructed(ty, values());
        }
        if let Some(constructor) = self.constructor(&all, &operands) {
            let object = self.objects.object(Kind::Variable, &name, ty.clone());
            let this = Place::of(object);
            self.default_members(&this, &name);
            self.run(constructor, operands, args, Some(this.clone()), None);
            return self.read(&this, ty);
        }
        for function in all {
            self.wants(function);
        }
        self.unknown_call(&name, operands)
    }

    /// Runs the constructor without arguments of a variable's class, in its place.
    pub(super) fn default_constructed(&mut self, class: &str, this: Place) {
        let unit = self.index.unit;
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let name = last(class);
        let derives = unit
            .structs
            .iter()
            .any(|record| last(&record.name) == name && !record.bases.is_empty());
        let fits = |function: &&&'u Function| {
            let is_member = function.owner.as_deref().map(last) == Some(name.clone());
            let mut positions = 0..function.params.len();
            is_member && positions.all(|position| self.default_of(function, position).is_some())
        };
        let mut found = self.index.functions(&name).iter().filter(fits).copied();
        if let (Some(one), None) = (found.next(), found.next())
            && one.body.is_some()
            && one.template.is_none()
            && !derives
            && self.may_run(one)
        {
            if self.keeps_address(one) {
                self.watch(this.root);
                return;
            }
            self.default_members(&this, &name);
            self.run(one, Vec::new(), &[], Some(this), None);
        }
    }

    /// The only constructor that takes so many arguments, if it can be run: nothing keeps the address of the object or of a member.
    fn constructor(&self, all: &[&'u Function], operands: &[Operand<'u>]) -> Option<&'u Function> {
        let fits = |function: &&&'u Function| {
            let required = (0..function.params.len())
                .filter(|position| self.default_of(function, *position).is_none());
            !function.variadic
                && !function.params.iter().any(|param| param.pack)
                && (required.count()..=function.params.len()).contains(&operands.len())
        };
        let mut found = all.iter().filter(fits);
        let (one, None) = (found.next()?, found.next()) else {
            return None;
        };
        let copies =
            operands.len() == 1 && matches!(operands[0].0, Value::Tree(..) | Value::Initial(..));
        (one.template.is_none()
            && one.params.iter().all(|param| param.name.is_some())
            && !copies
            && one.body.is_some()
            && !self.keeps_address(one)
            && self.may_run(one))
        .then_some(*one)
    }

    /// Whether a constructor may keep the address of the object that it makes, or of a member.
    fn keeps_address(&self, constructor: &Function) -> bool {
        constructor
            .body
            .iter()
            .flat_map(|body| &body.stmts)
            .any(|stmt| {
                let text = self.text.get(stmt.range.bytes()).unwrap_or("");
                let mut mentions = text.match_indices("this");
                text.contains('&')
                    || text.contains("[=")
                    || mentions
                        .any(|(at, this)| !text[at + this.len()..].trim_start().starts_with("->"))
            })
    }

    /// Members with a value of their own, before a constructor sets others.
    fn default_members(&mut self, this: &Place, class: &str) {
        let unit = self.index.unit;
        let Some(record) = unit
            .structs
            .iter()
            .find(|record| record.defined && record.name.rsplit("::").next() == Some(class))
        else {
            return;
        };
        for field in &record.fields {
            let value = match &field.init {
                Init::None => continue,
                Init::Expr(Expr {
                    kind: ExprKind::Int { value, ty },
                    ..
                }) => Value::Scalar(Term::Constant(
                    i128::from(*value),
                    crate::lower::types::scalar(*ty).ctype(),
                )),
                _ => Value::unknown(),
            };
            let ty = self.resolve(&field.ty);
            self.write(&this.field(&field.name), &ty, value);
        }
    }

    /// `: a(n)` of a constructor that is run; `None` if it is none, or of a base.
    pub(super) fn member_init(&mut self, member: &'u Name, init: &'u Init) -> Option<()> {
        let frame = self.frame();
        let (this, owner) = (frame.this.clone()?, frame.owner.clone()?);
        let ty = self.field_type(&owner, &member.base)?;
        let value = match init {
            Init::Expr(expr) => self.eval(expr),
            Init::List(expr) => {
                let value = self.eval(expr);
                match (&value, &ty) {
                    (Value::Tree(parts, None), Ty::Scalar(_) | Ty::Pointer(_))
                        if parts.len() == 1 =>
                    {
                        parts[0].1.clone()
                    }
                    _ => self.list_as(&ty, value),
                }
            }
            Init::Call(args) => match (args.as_slice(), &ty) {
                ([], Ty::Scalar(ctype)) => Value::Scalar(Term::Constant(0, *ctype)),
                ([one], Ty::Scalar(_) | Ty::Pointer(_)) => self.eval(one),
                (args, _) => {
                    let operands = self.operands(args);
                    self.initialised(&ty, operands, args)
                }
            },
            Init::None => Value::unknown(),
        };
        self.write(&this.field(&member.base), &ty, value);
        Some(())
    }

    /// The ends of the ways out of the loop that stands for "any number of times".
    fn some_time(&mut self) {
        if let (Some(state), Some(exits)) = (&self.state, self.exits.last_mut()) {
            exits.breaks.push(state.clone());
        }
    }

    /// Functions of CUDA and the standard library with a meaning here.
    fn library(&mut self, name: &'u Name, args: &'u [Expr], expr: &'u Expr) -> Option<Value<'u>> {
        let base = name.base.as_str();
        let own = self
            .index
            .functions(base)
            .iter()
            .any(|function| function.body.is_some() && !function.quals.global);
        if own && name.qualifier.is_empty() {
            return None;
        }
        if allocates(base) {
            let (first, rest) = args.split_first()?;
            match rest {
                [pitch, width, _] if base.ends_with("MallocPitch") => self.pitch(pitch, width),
                rest => {
                    for arg in rest {
                        self.eval(arg);
                    }
                }
            }
            self.allocate(first, base);
            return Some(Value::unknown());
        }
        match (base, args) {
            ("min" | "max" | "fmin" | "fmax" | "umin" | "umax", [left, right]) => {
                let (left, right) = (self.eval(left), self.eval(right));
                let (Value::Scalar(a), Value::Scalar(b)) = (left, right) else {
                    return Some(Value::unknown());
                };
                let less = term::binary(BinaryOp::Lt, a.clone(), b.clone());
                let (then, els) = if base.contains("min") { (a, b) } else { (b, a) };
                Some(Value::Scalar(self.bounded(term::select(less, then, els))))
            }
            ("ceil" | "ceilf" | "floor" | "floorf" | "round" | "trunc", [arg]) => {
                Some(match self.eval(arg) {
                    value @ Value::Scalar(_) => value,
                    Value::Ratio(over, under) if base == "ceil" || base == "ceilf" => {
                        let over = term::cast(CType::I64, over);
                        let under = term::cast(CType::I64, under);
                        let less = term::binary(BinaryOp::Sub, under.clone(), Term::int(1));
                        let sum = term::binary(BinaryOp::Add, over, less);
                        Value::Ratio(term::binary(BinaryOp::Div, sum, under), Term::int(1))
                    }
                    Value::Ratio(over, under) if base == "floor" => {
                        Value::Ratio(term::binary(BinaryOp::Div, over, under), Term::int(1))
                    }
                    _ => Value::unknown(),
                })
            }
            ("dim3" | "make_uint3", args) => {
                let values = args.iter().map(|arg| self.eval(arg)).collect();
                let ty = crate::lower::types::vector("dim3")?;
                Some(self.constructed(&ty, values))
            }
            ("swap", [left, right]) => {
                let (a, first) = self.operand(left);
                let (b, second) = self.operand(right);
                self.store_at(left, first, b);
                self.store_at(right, second, a);
                Some(Value::unknown())
            }
            (
                "move"
                | "forward"
                | "raw_pointer_cast"
                | "to_address"
                | "cref"
                | "device_pointer_cast"
                | "launder",
                [arg],
            ) => Some(self.eval(arg)),
            ("ref", [arg]) => {
                if let Some((place, _)) = self.place(arg) {
                    self.watch(place.root);
                }
                Some(self.eval(arg))
            }
            ("malloc" | "calloc" | "realloc" | "aligned_alloc" | "strdup", args) => {
                for arg in args {
                    self.eval(arg);
                }
                let name = self.text_of(expr.range);
                Some(self.allocation(&name, BTreeSet::new()))
            }
            // A program that goes on behind it has it hold.
            // Whether its condition is evaluated, and holds, is not known.
            ("assert", [condition]) if self.index.no_asserts => {
                self.eval(condition);
                Some(Value::unknown())
            }
            ("assert", [condition]) => {
                self.go_on_if(condition);
                Some(Value::unknown())
            }
            (
                "cudaOccupancyMaxPotentialBlockSize"
                | "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
                [blocks, threads, rest @ ..],
            ) => {
                let rest: Vec<Value<'u>> = rest.iter().map(|arg| self.eval(arg)).collect();
                // The function, its shared bytes, the largest size.
                let is_whole = rest.get(2).is_none_or(|limit| match limit {
                    Value::Scalar(limit) => {
                        limit.as_constant().is_some_and(|limit| limit % 32 == 0)
                    }
                    _ => false,
                });
                self.occupancy(blocks, threads, is_whole);
                Some(Value::unknown())
            }
            ("exit" | "abort" | "_exit" | "quick_exit" | "terminate", _) => {
                self.state = None;
                Some(Value::unknown())
            }
            ("cudaGetSymbolAddress" | "hipGetSymbolAddress", [target, symbol]) => {
                let mut symbol = symbol;
                while let ExprKind::Cast { arg, .. } | ExprKind::AddressOf(arg) = &symbol.kind {
                    symbol = arg;
                }
                // `HIP_SYMBOL(x)`
                if let ExprKind::Call { args, .. } = &symbol.kind
                    && let [inner] = args.as_slice()
                {
                    symbol = inner;
                }
                let address = match self.place(symbol) {
                    Some((place, _)) => Pointer::At(place, Term::bytes(0)),
                    None => Pointer::OneOf(Rc::default()),
                };
                self.store_through(target, Value::Pointer(address, Ty::Void));
                Some(Value::unknown())
            }
            ("cudaHostGetDevicePointer" | "hipHostGetDevicePointer", [target, host, ..]) => {
                let value = self.eval(host);
                self.store_through(target, value);
                Some(Value::unknown())
            }
            _ => None,
        }
    }

    /// Stores through a pointer argument: `f((void **)&p)`.
    fn store_through(&mut self, target: &'u Expr, value: Value<'u>) {
        let pointer = self.eval_uncast(target);
        match self.pointed(pointer.clone()) {
            Some((place, ty)) => self.write(&place, &ty, value),
            None => self.havoc_reached(&[pointer, value]),
        }
    }

    fn eval_uncast(&mut self, expr: &'u Expr) -> Value<'u> {
        let mut inner = expr;
        while let ExprKind::Cast { arg, .. } = &inner.kind {
            inner = arg;
        }
        self.eval(inner)
    }

    /// As many blocks as run at a time, and threads of a block: whole warps, where no other limit was set.
    fn occupancy(&mut self, blocks: &'u Expr, threads: &'u Expr, is_whole: bool) {
        let ty = CType::I32;
        let number = |me: &mut Self, name: &str| Term::Symbol(me.objects.input(name), ty);
        let (count, size) = (number(self, "blocks"), number(self, "threads"));
        self.store_through(blocks, Value::Scalar(count.clone()));
        self.store_through(threads, Value::Scalar(size.clone()));
        if let Some(state) = &mut self.state {
            let int = |value| Term::Constant(value, ty);
            let rest = term::binary(BinaryOp::Rem, size.clone(), int(32));
            state.assume(term::binary(BinaryOp::Ge, count, int(1)), true);
            state.assume(term::binary(BinaryOp::Ge, size.clone(), int(1)), true);
            state.assume(term::binary(BinaryOp::Le, size, int(1024)), true);
            if is_whole {
                state.assume(term::binary(BinaryOp::Eq, rest, int(0)), true);
            }
        }
    }

    /// The pitch of rows of some bytes: at least as many, a multiple of the largest element, and below 2 GiB (`memPitch`).
    fn pitch(&mut self, target: &'u Expr, width: &'u Expr) {
        let width = self.eval(width);
        let pitch = Term::Symbol(self.objects.input("pitch"), CType::U64);
        self.store_through(target, Value::Scalar(pitch.clone()));
        let Some(state) = &mut self.state else {
            return;
        };
        if let Value::Scalar(width) = width {
            let width = term::cast(CType::U64, width);
            state.assume(term::binary(BinaryOp::Ge, pitch.clone(), width), true);
        }
        let largest = Term::Constant(i128::from(i32::MAX), CType::U64);
        state.assume(term::binary(BinaryOp::Le, pitch.clone(), largest), true);
        let bytes = Term::Constant(PITCH_MULTIPLE, CType::U64);
        let rest = term::binary(BinaryOp::Rem, pitch, bytes);
        let none = Term::Constant(0, CType::U64);
        state.assume(term::binary(BinaryOp::Eq, rest, none), true);
    }

    /// `cudaMalloc((void **)&p, …)`
    fn allocate(&mut self, target: &'u Expr, name: &str) {
        let pointer = self.eval_uncast(target);
        // `cudaMalloc(p, …)` of a class that hands its address out.
        let Some((place, ty)) = self.pointed(pointer.clone()) else {
            self.havoc_reached(&[pointer]);
            return;
        };
        let Some(state) = self.state.clone() else {
            return;
        };
        // An element that nobody wrote stands for its own allocation: `cudaMalloc(&p[i], …)`.
        let indexed = matches!(self.objects.get(place.root).ty, Ty::Array(..))
            || place.path.iter().any(|step| matches!(step, Step::At(_)));
        let written = state
            .entries(place.root)
            .iter()
            .any(|(path, _)| paths(path, &place.path) != Relation::Distinct);
        drop(state);
        if indexed && !written {
            return;
        }
        let shown = self.objects.describe(&place);
        let _ = name;
        let mut allocation = self.allocation(&shown, BTreeSet::new());
        if let (Value::Pointer(pointer, _), Ty::Pointer(element)) = (&allocation, &ty) {
            allocation = Value::Pointer(pointer.clone(), (**element).clone());
        }
        self.write(&place, &ty, allocation);
    }
}

/// What the pitch of an allocation is a multiple of on all devices, at least.
const PITCH_MULTIPLE: i128 = 32;

/// Allocation functions, which set a pointer to an allocation of its own.
fn returns_reference(function: &Function) -> bool {
    matches!(function.ret.kind, TypeKind::Reference(_))
}

fn allocates(name: &str) -> bool {
    [
        "cudaMalloc",
        "hipMalloc",
        "cudaHostAlloc",
        "hipHostAlloc",
        "hipHostMalloc",
        "cuMemAlloc",
        "cudaHostMalloc",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        && !name.contains("3D")
        && !name.contains("Array")
}

fn is_api(name: &str) -> bool {
    ["cuda", "hip", "cu", "nv"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|next| next.is_ascii_uppercase())
    })
}

/// Functions that take a kernel and do not launch it.
fn is_query(name: &str) -> bool {
    is_api(name)
        && (name.contains("FuncSet")
            || name.contains("FuncGet")
            || name.contains("Occupancy")
            || name.contains("GetFuncBySymbol"))
}

/// Functions of the C library that change nothing but their first argument.
fn takes_values(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "printf",
        "fprintf",
        "sprintf",
        "snprintf",
        "free",
        "memset",
        "memcpy",
        "memmove",
        "atoi",
        "atol",
        "atoll",
        "atof",
        "assert",
        "sqrt",
        "sqrtf",
        "pow",
        "powf",
        "log2",
        "log",
        "log10",
        "exp",
        "fabs",
        "abs",
        "rand",
        "srand",
        "puts",
        "fflush",
        "fclose",
        "fopen",
        "strcmp",
        "strlen",
        "strncmp",
        "time",
        "clock",
        "cos",
        "sin",
        "floor",
        "isnan",
        "stoi",
        "to_string",
        "now",
        "static_assert",
        "__builtin_expect",
        "usleep",
    ];
    NAMES.contains(&name)
}

/// Classes of the standard library and thrust, which keep no reference to the arguments of their
/// constructors.
fn is_container(ty: &Type) -> bool {
    let name = match &ty.kind {
        TypeKind::Named(name) => name,
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => return is_container(to),
        _ => return false,
    };
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    matches!(first, Some("std" | "thrust" | "cub"))
        || matches!(
            name.base.as_str(),
            "vector" | "device_vector" | "host_vector" | "string" | "uniform_int_distribution"
        )
}
