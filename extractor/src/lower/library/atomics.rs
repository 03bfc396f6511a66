//! Atomic operations: one atomic access to the object that the address names.

use warplog_facts::words::*;

use super::super::body::Lowerer;
use super::super::place::How;
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
    for arg in rest {
        me.scalar_expr(arg);
    }
    Some(me.atomic_access(base, scope, &pointer, call.range))
}

impl Lowerer<'_, '_> {
    /// An atomic access through a pointer; the value that it returns.
    pub(crate) fn atomic_access(
        &mut self,
        operation: &str,
        scope: Scope,
        pointer: &Value,
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
        for target in &pointer.targets {
            match target.base {
                Base::Array(array) => {
                    let at = target.offset;
                    match target.condition {
                        None => self.access(array, at, &ty, &how, None, range),
                        Some(condition) => self.guarded(condition, true, range, |me| {
                            me.access(array, at, &ty, &how, None, range)
                        }),
                    };
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
        self.unknown_value(&ty, &format!("result of {operation}"), range)
    }
}
