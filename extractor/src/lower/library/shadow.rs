//! Which of a library function and a function of the unit a call means, where both have the name.
//!
//! A function of the unit is visible if it stands in the global namespace, in a namespace around
//! the caller or in one that the unit uses; a method only inside its class. A visible one that
//! takes as many arguments is meant, with one exception: overloads for classes only
//! (`float4 fminf(float4, float4)`) leave calls with scalars to the library.

use warplog_facts::CType;

use super::super::body::Lowerer;
use super::super::types::Ty;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// Whether a function that the unit defines is meant by this call.
    pub(super) fn own_function_is_meant(&mut self, name: &Name, args: &[Expr]) -> bool {
        let found = self.index.functions(&name.base);
        if found.is_empty() {
            return false;
        }
        let caller = self.caller();
        let own: Vec<&'u Function> = found
            .iter()
            .copied()
            .filter(|function| function.body.is_some() && takes(function, args.len()))
            .filter(|function| self.visible(function, name, caller))
            .collect();
        if own.is_empty() {
            return false;
        }
        let for_scalars = own
            .iter()
            .any(|function| !function.params.iter().any(|param| self.is_class(&param.ty)));
        for_scalars || args.iter().any(|arg| self.is_class_value(arg))
    }

    /// The function that is being lowered, as the unit has it.
    fn caller(&self) -> Option<&'u Function> {
        let range = self.calls.last()?.function;
        let unit = self.index.unit;
        unit.functions
            .iter()
            .find(|function| function.range == range)
    }

    fn visible(&self, function: &Function, name: &Name, caller: Option<&Function>) -> bool {
        // What is for the host only cannot be called from a kernel.
        if function.quals.host && !function.quals.device {
            return false;
        }
        if !name.qualifier.is_empty() || name.global {
            return function.qualified == name.path();
        }
        if let Some(owner) = &function.owner {
            return caller.is_some_and(|caller| caller.owner.as_ref() == Some(owner));
        }
        let Some(namespace) = function
            .qualified
            .strip_suffix(&format!("::{}", function.name))
        else {
            return true;
        };
        caller.is_some_and(|caller| caller.qualified.starts_with(&format!("{namespace}::")))
            || self.index.unit.usings.iter().any(|using| {
                let target = using.target.trim_start_matches("::");
                let target = if using.namespace {
                    Some(target)
                } else {
                    target.strip_suffix(&format!("::{}", function.name))
                };
                target.is_some_and(|target| {
                    namespace == target || namespace.ends_with(&format!("::{target}"))
                })
            })
    }

    fn is_class(&mut self, ty: &Type) -> bool {
        match self.resolve(ty) {
            Ty::Struct(_) => true,
            Ty::Pointer(element) => matches!(*element, Ty::Struct(_)),
            _ => false,
        }
    }

    /// Whether an argument is a class; what evaluating it does is undone.
    fn is_class_value(&mut self, arg: &Expr) -> bool {
        let mark = self.mark();
        let saved = (
            self.frontier.clone(),
            self.env.clone(),
            self.alive,
            self.last_leaving,
            self.guards.clone(),
        );
        self.trial += 1;
        let value = self.expr(arg);
        let ty = self.type_of(&value);
        self.trial -= 1;
        self.undo(&mark);
        (
            self.frontier,
            self.env,
            self.alive,
            self.last_leaving,
            self.guards,
        ) = saved;
        match ty {
            Ty::Struct(_) => true,
            Ty::Scalar(ty) => ty == CType::Opaque,
            Ty::Pointer(element) => matches!(*element, Ty::Struct(_)),
            _ => false,
        }
    }
}

fn takes(function: &Function, count: usize) -> bool {
    let required = function
        .params
        .iter()
        .filter(|param| param.default.is_none() && !param.pack)
        .count();
    required <= count && (count <= function.params.len() || function.variadic)
}
