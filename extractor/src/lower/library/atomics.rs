//! Atomic operations: one atomic access to the object that the address names.

use warplog_facts::AtomicStepRow;
use warplog_facts::words::*;

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::pointers::Storing;
use super::super::value::*;
use super::{Call, Family, Meaning, row};
use crate::syntax::ast::Range;

pub(super) const FAMILY: Family = Family {
    subject: "Atomics",
    source: "CUDA C++ programming guide: Atomic Functions",
    namespaces: &[],
    global: true,
    rows: &[
        row(
            "atomic{Add,Sub,Exch,Min,Max,Inc,Dec,And,Or,Xor}{,_block,_system}",
            2,
            Meaning::By(atomic),
        ),
        row("atomicCAS{,_block,_system}", 3, Meaning::By(atomic)),
    ],
};

/// `atomicAdd_block` and so on.
fn atomic(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (base, scope) = match (
        call.name.strip_suffix("_block"),
        call.name.strip_suffix("_system"),
    ) {
        (Some(base), _) => (base, Scope::Block),
        (None, Some(base)) => (base, Scope::System),
        (None, None) => (call.name, Scope::Grid),
    };
    let (address, rest) = call.args.split_first()?;
    let pointer = me.expr(address);
    let operands: Vec<Value> = rest.iter().map(|arg| me.scalar_expr(arg)).collect();
    let step = me.step_of(base, operands.first());
    let stored = match base {
        "atomicExch" => operands.first(),
        "atomicCAS" => operands.get(1),
        _ => None,
    };
    Some(me.atomic_exchange(base, scope, &pointer, (step, stored), call.range))
}

impl Lowerer<'_, '_> {
    /// What an operation adds to what it finds, if that is one constant in all executions: `atomicInc` and `atomicDec` only
    /// with the limit at which they wrap as addition does.
    pub(super) fn step_of(&self, operation: &str, operand: Option<&Value>) -> Option<i128> {
        let Some(Value::Term(term)) = operand else {
            return None;
        };
        let value = self.facts.terms.as_const(*term)?;
        let whole = value == i128::from(u32::MAX) || value == -1;
        match operation {
            "atomicAdd" | "fetch_add" => Some(value),
            "atomicSub" | "fetch_sub" => Some(-value),
            "atomicInc" if whole => Some(1),
            "atomicDec" if whole => Some(-1),
            _ => None,
        }
    }

    /// An atomic access through a pointer; the value that it returns. `step` is the constant that it adds.
    pub(crate) fn atomic_access(
        &mut self,
        operation: &str,
        scope: Scope,
        pointer: &Value,
        step: Option<i128>,
        range: Range,
    ) -> Value {
        self.atomic_exchange(operation, scope, pointer, (step, None), range)
    }

    /// The same of an operation that may leave this value behind.
    fn atomic_exchange(
        &mut self,
        operation: &str,
        scope: Scope,
        pointer: &Value,
        (step, stored): (Option<i128>, Option<&Value>),
        range: Range,
    ) -> Value {
        let Value::Pointer(pointer) = pointer else {
            self.lost_access(
                range,
                "the address of an atomic operation is not understood",
            );
            return Value::Unknown;
        };
        let ty = pointer.element.clone();
        let how = How {
            kind: AccessKind::Atomic,
            operation: operation.to_owned(),
            scope,
            volatile: false,
        };
        let mut counter = None;
        for target in &pointer.targets {
            match target.base {
                Base::Array(array) => {
                    let at = target.offset;
                    let stored = stored.cloned().unwrap_or(Value::Unknown);
                    let act = |me: &mut Self| match me.storing((array, at), &ty, &stored, range) {
                        Storing::Bytes => me.access(array, at, &ty, &how, None, range),
                        _ => me.access_of_pointer(array, at, &ty, &how, None, range),
                    };
                    match target.condition {
                        None => {
                            let access = act(self);
                            counter = access.filter(|_| pointer.targets.len() == 1);
                        }
                        Some(condition) => {
                            self.guarded(condition, true, range, act);
                        }
                    }
                }
                Base::Variable(_) => {
                    let place = Lvalue::Memory {
                        targets: vec![target.clone()],
                        ty: ty.clone(),
                    };
                    let value = self.unknown_value(
                        &ty,
                        "local variable changed by an atomic operation",
                        range,
                    );
                    self.write(&place, value, range);
                }
                Base::Null => {}
                Base::Unknown => self.lost_access(
                    range,
                    "the address of an atomic operation is not understood",
                ),
            }
        }
        let result = self.unknown_value(&ty, &format!("result of {operation}"), range);
        if let (Some(access), Some(step), Value::Term(term)) = (counter, step, &result)
            && let Some(unknown) = self.facts.terms.get(*term).unknown()
            && matches!(ty.ctype().bits(), Some(32 | 64))
            && step != 0
        {
            self.facts.relations.atomic_step.push(AtomicStepRow {
                access,
                unknown,
                step,
            });
        }
        result
    }
}
