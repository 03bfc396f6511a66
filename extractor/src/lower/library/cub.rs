//! CUB's collectives: named and reported.
//!
//! They hold barriers, and whether their temporary storage may be used again without one is the
//! caller's to see to, which cannot be checked without a model of what each does with it.

use warplog_facts::words::Effect;

use super::super::body::{Binding, Lowerer};
use super::super::types::Ty;
use super::super::value::*;
use crate::syntax::ast::*;

const WHY: &str =
    "a collective of CUB holds barriers, and reuse of its temporary storage cannot be checked";

impl Lowerer<'_, '_> {
    /// `BlockReduce(storage).Sum(v)` and the like; `None` when the object is none of CUB's.
    pub(super) fn cub_method(
        &mut self,
        base: &Expr,
        member: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        // The temporary storage is a place, not a value: it is not looked at.
        let class = match &base.kind {
            ExprKind::Construct { ty, .. } | ExprKind::Cast { ty, .. } => {
                self.resolve(ty).describe()
            }
            ExprKind::Call { callee, .. } => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                self.resolve(&ty).describe()
            }
            ExprKind::Name(name) => match self.lookup(&name.base)? {
                Binding::Variable(var) => self.variables[var.0 as usize].1.describe(),
                _ => return None,
            },
            _ => return None,
        };
        let class = class.trim_start_matches("::").to_owned();
        if !(class.starts_with("cub::") || class.starts_with("hipcub::")) {
            return None;
        }
        let values = self.values_of(args);
        let what = format!("call of `{class}::{member}`");
        self.unsupported(range, &what, WHY, Effect::Control);
        Some(match values.first() {
            Some(value @ (Value::Term(_) | Value::Struct(_))) => self.of_other_lane(value, range),
            _ => self.unknown_value(&Ty::INT, "result of a collective", range),
        })
    }
}
