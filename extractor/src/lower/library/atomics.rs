//! Atomic operations: one atomic access to the object that the address names.

use warplog_facts::words::*;
use warplog_facts::{
    AccessId, AtomicExchangeRow, AtomicOperandRow, AtomicStepRow, AtomicTicketRow, CType, TermId,
    UnknownId,
};

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::pointers::Storing;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Family, Meaning, row, rows};
use crate::syntax::ast::{ExprKind, Range};

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
        // The compiler's own, of CUDA 12.8: with an order, and perhaps a scope.
        rows("__nv_atomic_load_n", 2, 3, Meaning::By(own_atomic)),
        rows(
            "__nv_atomic_{store,exchange}_n __nv_atomic_fetch_{add,sub,and,or,xor,min,max}",
            3,
            4,
            Meaning::By(own_atomic),
        ),
        rows(
            "__nv_atomic_compare_exchange_n",
            6,
            7,
            Meaning::By(own_atomic),
        ),
    ],
};

/// What is known of the change that an atomic operation makes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// It adds a constant.
    Step(i128),
    /// It adds a number.
    Sum(TermId),
    /// It adds 1, or stores 0 if it finds this or more.
    Turn(TermId),
    /// It stores a value, if it finds the expected one or none is given.
    Exchange {
        expected: Option<TermId>,
        value: TermId,
    },
    Other,
}

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
    let change = match (base, operands.as_slice()) {
        ("atomicCAS", &[Value::Term(expected), Value::Term(value)]) => Change::Exchange {
            expected: Some(expected),
            value,
        },
        ("atomicExch", &[Value::Term(value)]) => Change::Exchange {
            expected: None,
            value,
        },
        _ => me.step_of(base, operands.first()),
    };
    let stored = match base {
        "atomicExch" => operands.first(),
        "atomicCAS" => operands.get(1),
        _ => None,
    };
    let accesses = me.facts.access.len();
    let found = me.atomic_exchange(base, scope, &pointer, (change, stored), call.range);
    if let (1, Some(&Value::Term(term))) = (me.facts.access.len() - accesses, operands.first())
        && base != "atomicCAS"
        && let Value::Pointer(Pointer { element, .. }) = &pointer
    {
        let term = me.cast_term(term, element.ctype());
        let access = AccessId::from_index(accesses);
        me.facts
            .atomic_operand
            .push(AtomicOperandRow { access, term });
    }
    Some(found)
}

/// `__nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)`: without a scope it is that of the system.
fn own_atomic(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let operation = call.name.strip_prefix("__nv_atomic_")?;
    let scope = match call.args.last().map(|last| &last.kind) {
        Some(ExprKind::Name(name)) => match name.base.strip_prefix("__NV_THREAD_SCOPE_") {
            // Other blocks of a cluster may be meant as well.
            Some("BLOCK" | "CLUSTER") => Scope::Block,
            Some("DEVICE") => Scope::Grid,
            Some("SYSTEM") => Scope::System,
            Some(_) => return None,
            None if name.base.starts_with("__NV_ATOMIC_") => Scope::System,
            None => return None,
        },
        _ => return None,
    };
    let (address, rest) = call.args.split_first()?;
    let pointer = me.expr(address);
    if operation == "compare_exchange_n" {
        let expected = me.expr(rest.first()?);
        me.load_through(&expected, call.range);
        me.scalar_expr(rest.get(1)?);
        let name = "compare_exchange";
        let seen = me.atomic_access(name, scope, &pointer, Change::Other, call.range);
        me.store_through(&expected, seen, call.range);
        let reason = format!("result of {}", call.name);
        let swapped = me.unknown(&reason, call.range, CType::Bool, true);
        return Some(Value::Term(swapped));
    }
    if operation == "load_n" {
        return Some(me.atomic_access("load", scope, &pointer, Change::Other, call.range));
    }
    let operand = me.scalar_expr(rest.first()?);
    let (name, change) = match (operation, &operand) {
        ("store_n", _) => ("store", Change::Other),
        ("exchange_n", &Value::Term(value)) => (
            "exchange",
            Change::Exchange {
                expected: None,
                value,
            },
        ),
        ("exchange_n", _) => ("exchange", Change::Other),
        (name, operand) => (name, me.step_of(name, Some(operand))),
    };
    let value = me.atomic_access(name, scope, &pointer, change, call.range);
    Some(match operation {
        "store_n" => Value::Void,
        _ => value,
    })
}

impl Lowerer<'_, '_> {
    /// What an operation adds to what it finds: a constant, or a number of the execution; `atomicDec` only with the limit at
    /// which it wraps as addition does.
    pub(crate) fn step_of(&self, operation: &str, operand: Option<&Value>) -> Change {
        let Some(Value::Term(term)) = operand else {
            return Change::Other;
        };
        let Some(value) = self.facts.terms.as_const(*term) else {
            let is_sum = matches!(operation, "atomicAdd" | "fetch_add")
                && self.facts.terms.ty(*term).is_integer();
            return match operation {
                _ if is_sum => Change::Sum(*term),
                "atomicInc" => Change::Turn(*term),
                _ => Change::Other,
            };
        };
        let whole = value == i128::from(u32::MAX) || value == -1;
        match operation {
            "atomicAdd" | "fetch_add" => Change::Step(value),
            "atomicSub" | "fetch_sub" => Change::Step(-value),
            "atomicInc" if whole => Change::Step(1),
            "atomicInc" => Change::Turn(*term),
            "atomicDec" if whole => Change::Step(-1),
            _ => Change::Other,
        }
    }

    /// An atomic access through a pointer; the value that it returns.
    pub(crate) fn atomic_access(
        &mut self,
        operation: &str,
        scope: Scope,
        pointer: &Value,
        change: Change,
        range: Range,
    ) -> Value {
        self.atomic_exchange(operation, scope, pointer, (change, None), range)
    }

    /// The same of an operation that may leave this value behind.
    fn atomic_exchange(
        &mut self,
        operation: &str,
        scope: Scope,
        pointer: &Value,
        (change, stored): (Change, Option<&Value>),
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
        let mut only = None;
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
                            only = access.filter(|_| pointer.targets.len() == 1);
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
        if let (Some(access), Value::Term(term)) = (only, &result)
            && let Some(unknown) = self.facts.terms.get(*term).unknown()
            && ty.ctype().is_integer()
            && matches!(ty.ctype().bits(), Some(32 | 64))
        {
            self.tell_change(access, unknown, change, &ty);
        }
        result
    }

    fn tell_change(&mut self, access: AccessId, unknown: UnknownId, change: Change, ty: &Ty) {
        let limit = match change {
            Change::Step(1) => Some(None),
            Change::Turn(limit) => Some(Some(self.cast_term(limit, ty.ctype()))),
            _ => None,
        };
        let counter = self.facts.relations.access[access.index()].array;
        // Tickets are counted from 0.
        let counts = !self.has_copies && !self.initialised.contains(&counter);
        if let Some(limit) = limit.filter(|_| counts) {
            self.facts.relations.atomic_ticket.push(AtomicTicketRow {
                access,
                unknown,
                limit,
            });
        }
        match change {
            Change::Step(step) if step != 0 => {
                self.facts.relations.atomic_step.push(AtomicStepRow {
                    access,
                    unknown,
                    step,
                    times: None,
                });
            }
            Change::Sum(times) => {
                let times = self.cast_term(times, ty.ctype());
                self.facts.relations.atomic_step.push(AtomicStepRow {
                    access,
                    unknown,
                    step: 1,
                    times: Some(times),
                });
            }
            Change::Exchange { expected, value } if !self.has_copies => {
                let expected = expected.map(|term| self.cast_term(term, ty.ctype()));
                let value = self.cast_term(value, ty.ctype());
                let exchanges = &mut self.facts.relations.atomic_exchange;
                exchanges.push(AtomicExchangeRow {
                    access,
                    unknown,
                    expected,
                    value,
                });
            }
            Change::Step(_) | Change::Exchange { .. } | Change::Turn(_) | Change::Other => {}
        }
    }
}
