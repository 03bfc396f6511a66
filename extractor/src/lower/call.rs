//! Calls: device functions are inlined, intrinsics have their meaning, everything else is reported.

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, CallFrame, Lowerer};
use super::types::Ty;
use super::unit::TypeScope;
use super::value::*;
use crate::syntax::ast::*;

/// Deepest nesting of inlined calls.
const MAX_CALLS: usize = 40;

impl<'u> Lowerer<'u, '_> {
    /// The value of a call.
    pub(crate) fn call(&mut self, callee: &Expr, args: &[Expr], range: Range) -> Value {
        if let ExprKind::Member { base, arrow, field } = &callee.kind
            && let Some(value) = self.library_method(base, *arrow, field, args, range)
        {
            return value;
        }
        let ExprKind::Name(name) = &callee.kind else {
            self.expr_of_callee(callee);
            for arg in args {
                self.expr(arg);
            }
            self.unsupported(
                range,
                "call",
                "its callee cannot be determined",
                Effect::Control,
            );
            return Value::Unknown;
        };
        if self.lookup(&name.base).is_some() {
            for arg in args {
                self.expr(arg);
            }
            self.unsupported(
                range,
                &format!("call of `{}`", name.base),
                "a function value",
                Effect::Control,
            );
            return Value::Unknown;
        }
        if let Some(value) = self.library_call(name, args, range) {
            return value;
        }
        match self.candidate(&name.base, args.len()) {
            Candidate::One(function) => self.inline(function, name, args, range),
            Candidate::None(prototype) => self.unknown_call(name, prototype, args, range),
            Candidate::Several => {
                for arg in args {
                    self.expr(arg);
                }
                let what = format!("call of `{}`", name.path());
                self.unsupported(
                    range,
                    &what,
                    "several functions have this name and as many parameters",
                    Effect::Control,
                );
                Value::Unknown
            }
        }
    }

    fn expr_of_callee(&mut self, callee: &Expr) {
        if let ExprKind::Member {
            base, arrow: true, ..
        } = &callee.kind
        {
            self.expr(base);
        }
    }

    fn candidate(&self, name: &str, count: usize) -> Candidate<'u> {
        let fits = |function: &&&'u Function| {
            let required = function
                .params
                .iter()
                .filter(|param| param.default.is_none() && !param.pack)
                .count();
            !function.quals.global && required <= count && count <= function.params.len()
        };
        let functions = self.index.functions(name);
        let bodies: Vec<&'u Function> = functions
            .iter()
            .filter(|function| function.body.is_some())
            .filter(fits)
            .copied()
            .collect();
        // Code for the device is preferred over a host overload of the same name.
        let device: Vec<&'u Function> = bodies
            .iter()
            .filter(|function| function.quals.device)
            .copied()
            .collect();
        let found = if device.is_empty() { bodies } else { device };
        match found.as_slice() {
            [one] => Candidate::One(one),
            [] => Candidate::None(functions.iter().find(fits).copied()),
            _ => Candidate::Several,
        }
    }

    fn unknown_call(
        &mut self,
        name: &Name,
        prototype: Option<&'u Function>,
        args: &[Expr],
        range: Range,
    ) -> Value {
        for arg in args {
            self.expr(arg);
        }
        let what = format!("call of `{}`", name.path());
        self.unsupported(
            range,
            &what,
            "its body is not known: it may touch any array and wait at a barrier",
            Effect::Control,
        );
        let ty = match prototype {
            Some(prototype) => self.resolve(&prototype.ret),
            None => Ty::INT,
        };
        self.unknown_value(
            &ty,
            &format!("result of `{}`, whose body is not known", name.path()),
            range,
        )
    }

    /// Lowers the body of a function in place of its call.
    fn inline(
        &mut self,
        function: &'u Function,
        name: &Name,
        args: &[Expr],
        range: Range,
    ) -> Value {
        let what = format!("call of `{}`", name.path());
        if self
            .calls
            .iter()
            .any(|call| call.function == function.range)
        {
            self.unsupported(range, &what, "recursive", Effect::Control);
            return self.after_refusal(function, args, range);
        }
        if self.calls.len() > MAX_CALLS {
            self.unsupported(range, &what, "calls are nested too deep", Effect::Control);
            return self.after_refusal(function, args, range);
        }
        for problem in &function.parse_errors {
            self.unsupported(
                problem.range,
                &problem.what,
                "not understood by the parser",
                Effect::Control,
            );
        }
        let mut scope: FxHashMap<String, Binding> = FxHashMap::default();
        let mut types = TypeScope::default();
        let mut values = Vec::new();
        for (position, param) in function.params.iter().enumerate() {
            let Some(arg) = args.get(position).or(param.default.as_ref()) else {
                continue;
            };
            let by_reference = matches!(
                param.ty.kind,
                TypeKind::Reference(_) | TypeKind::RvalueReference(_)
            );
            let value = if by_reference {
                Passed::Place(self.place(arg))
            } else {
                Passed::Value(self.expr(arg))
            };
            values.push((param, value, arg.range));
        }
        self.template_arguments(function, name, &values, &mut types, &mut scope);
        let saved_types = self
            .calls
            .last_mut()
            .map(|call| std::mem::replace(&mut call.types, types.clone()));
        let ret = self.resolve(&function.ret);
        for (param, value, arg_range) in values {
            let Some(param_name) = &param.name else {
                continue;
            };
            let binding = match value {
                Passed::Place(place) => Binding::Reference(place),
                Passed::Value(value) => {
                    let ty = match self.resolve(&param.ty) {
                        Ty::Array(element, _) => Ty::Pointer(element),
                        ty => ty,
                    };
                    let is_auto = matches!(param.ty.kind, TypeKind::Auto);
                    let value = if is_auto {
                        value
                    } else {
                        self.convert(value, &ty, arg_range)
                    };
                    let ty = if is_auto { self.type_of(&value) } else { ty };
                    Binding::Variable(self.variable(param_name, ty, value))
                }
            };
            scope.insert(param_name.clone(), binding);
        }
        if let (Some(call), Some(saved)) = (self.calls.last_mut(), saved_types) {
            call.types = saved;
        }
        let frame = CallFrame {
            function: function.range,
            is_kernel: false,
            guards: self.guards.len(),
            jumps: self.jumps.len(),
            scopes: self.scopes.len(),
            returns: Vec::new(),
            returned_in_loop: false,
            ret: ret.clone(),
            types,
        };
        self.calls.push(frame);
        self.scopes.push(scope);
        if let Some(body) = &function.body {
            self.block(body);
        }
        self.scopes.pop();
        self.finish_call(ret, range)
    }

    /// Brings the returns of the innermost call together: its value, and the state after it.
    fn finish_call(&mut self, ret: Ty, range: Range) -> Value {
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
        let terms: Vec<TermId> = values
            .iter()
            .filter_map(|value| match value {
                Some(Value::Term(term)) => Some(*term),
                _ => None,
            })
            .collect();
        if let (Ty::Scalar(ty), true) = (&ret, terms.len() == values.len()) {
            let reason = "value returned from inside a loop";
            return Value::Term(self.unknown_of(reason, range, *ty, false, &terms, &conditions));
        }
        self.unknown_value(&ret, "value returned from inside a loop", range)
    }

    fn after_refusal(&mut self, function: &Function, args: &[Expr], range: Range) -> Value {
        for arg in args {
            self.expr(arg);
        }
        let ret = self.resolve(&function.ret);
        self.unknown_value(&ret, "result of a call that is not followed", range)
    }

    /// Template arguments of a call: those written, then types deduced from the arguments.
    fn template_arguments(
        &mut self,
        function: &Function,
        name: &Name,
        values: &[(&Param, Passed, Range)],
        types: &mut TypeScope,
        scope: &mut FxHashMap<String, Binding>,
    ) {
        let Some(parameters) = &function.template else {
            return;
        };
        for (position, parameter) in parameters.iter().enumerate() {
            let Some(parameter_name) = &parameter.name else {
                continue;
            };
            let written = name
                .args
                .as_ref()
                .and_then(|args| args.get(position))
                .cloned();
            match &parameter.kind {
                TemplateParamKind::Type { default } => {
                    let ty = match written {
                        Some(TemplateArg::Type(ty)) => Some(self.resolve(&ty)),
                        Some(TemplateArg::Name(name)) => {
                            let range = name.range;
                            Some(self.resolve(&Type::new(TypeKind::Named(name), range)))
                        }
                        _ => self
                            .deduced(parameter_name, values)
                            .or_else(|| default.as_ref().map(|default| self.resolve(default))),
                    };
                    if let Some(ty) = ty {
                        types.types.insert(parameter_name.clone(), ty);
                    }
                }
                TemplateParamKind::Value { ty, default } => {
                    let value = match written {
                        Some(TemplateArg::Expr(expr)) => self.expr(&expr),
                        Some(TemplateArg::Name(name)) => self.name(&name),
                        _ => match default {
                            Some(default) => self.expr(default),
                            None => self.unknown_value(
                                &Ty::INT,
                                "template argument that cannot be deduced",
                                function.name_range,
                            ),
                        },
                    };
                    let ty = self.resolve(ty);
                    let value = self.convert(value, &ty, function.name_range);
                    let var = self.variable(parameter_name, ty, value);
                    scope.insert(parameter_name.clone(), Binding::Variable(var));
                }
                TemplateParamKind::Template => {}
            }
        }
    }

    fn deduced(&self, parameter: &str, values: &[(&Param, Passed, Range)]) -> Option<Ty> {
        values.iter().find_map(|(param, value, _)| {
            let given = match value {
                Passed::Value(value) => self.type_of(value),
                Passed::Place(Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) => {
                    ty.clone()
                }
                Passed::Place(Lvalue::Unknown) => return None,
            };
            deduce(parameter, &param.ty, &given)
        })
    }
}

/// An argument as it is passed.
enum Passed {
    Value(Value),
    Place(Lvalue),
}

enum Candidate<'u> {
    One(&'u Function),
    Several,
    /// No body; perhaps a prototype.
    None(Option<&'u Function>),
}

/// The type that a template parameter stands for when a parameter of type `pattern` takes `given`.
fn deduce(parameter: &str, pattern: &Type, given: &Ty) -> Option<Ty> {
    match (&pattern.kind, given) {
        (TypeKind::Named(name), given) if name.as_simple() == Some(parameter) => {
            Some(given.clone())
        }
        (TypeKind::Pointer(pattern), Ty::Pointer(given) | Ty::Array(given, _))
        | (TypeKind::Array(pattern, _), Ty::Pointer(given) | Ty::Array(given, _)) => {
            deduce(parameter, pattern, given)
        }
        (TypeKind::Reference(pattern) | TypeKind::RvalueReference(pattern), given) => {
            deduce(parameter, pattern, given)
        }
        _ => None,
    }
}
