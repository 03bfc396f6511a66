//! Calls whose bodies are known: arguments are bound, the body is lowered in place, and what returns give is joined.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::NOT_PARSED;
use super::super::body::{Binding, CallFrame, JumpTarget, Lowerer, Names};
use super::super::contracts::{CallContract, Signature};
use super::super::derived::derives;
use super::super::hidden::Refers;
use super::super::overload::Chosen;
use super::super::place::are_other_instances;
use super::super::types::{Ty, TypeScope};
use super::super::typing::is_unknown;
use super::super::value::*;
use super::super::virtuals::UNKNOWN_CLASS;
use super::{
    Called, Entry, MAX_CALLS, MAX_RECURSION, MAX_RECURSIONS, Passed, is_auto, is_reference,
};
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// Evaluates the arguments of a lambda whose types mean something in a scope, those of reference parameters as places.
    pub(super) fn pass(
        &mut self,
        params: &[Param],
        args: &[Expr],
        scope: &TypeScope,
    ) -> Vec<Passed> {
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
    pub(super) fn enter_call(
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
            super::super::typing::unknown_type()
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
        let refused = if nested > 0 && !decided || self.counts_down_from_unknown(entry) {
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
                    let ty = super::super::typing::decayed(ty);
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

    /// Whether the call is of another instance of a function that is being lowered, for a number that is not known: `f<N - 1>` in
    /// `f<N>`. Nothing decides which instance is the last one, so that each would call the next up to the deepest nesting, and
    /// twice as many at each level where a function calls two.
    fn counts_down_from_unknown(&self, entry: &Entry<'_>) -> bool {
        let mut around = self.calls.iter().rev();
        let Some(outer) = around.find(|call| call.function == entry.function) else {
            return false;
        };
        let is_unknown = |value: &Value| match value {
            Value::Term(term) => self.facts.terms.as_const(*term).is_none(),
            value => matches!(value, Value::Unknown),
        };
        let mut values = entry.types.values.iter();
        values.any(|(name, value)| outer.types.values.get(name) != Some(value) && is_unknown(value))
    }

    /// Refuses a number that is bound to a reference to what may be any type: then it is converted.
    pub(crate) fn doubt_converted(
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
    pub(super) fn type_of_parameter(
        &mut self,
        entry: &Entry<'_>,
        param: &Param,
        before: &Names,
    ) -> Ty {
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
    pub(super) fn finish_entry(&mut self, entry: &Entry<'_>) -> bool {
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
    pub(super) fn scalars_passed(
        &mut self,
        entry: &Entry<'_>,
        passed: &[Passed],
    ) -> Option<Vec<Value>> {
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
            // To a temporary of the type.
            _ if are_other_instances(&own, ty) => {
                let value = self.read(&place, range);
                let value = self.convert(value, ty, range);
                self.temporary(ty.clone(), value)
            }
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

    /// One of several pointers, in which rounds of a loop is not known: into any of their objects, at any place.
    pub(super) fn one_of_returned(
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
pub(super) fn is_constructor(function: &Function) -> bool {
    let class = function
        .owner
        .as_deref()
        .map(super::super::unit::last_component);
    class == Some(function.name.as_str()) && !function.quals.friend
}
