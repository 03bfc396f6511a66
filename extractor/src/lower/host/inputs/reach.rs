//! What a statement may change besides what it names: elements that the caller passed, by other ways to them.
//!
//! **Contract.** Of elements that only the function has (see [`super::mentions::Array::is_own`]) everything is seen. Elements behind a
//! parameter may also be those behind another parameter, a global variable or a member: whatever stores elsewhere than into
//! variables and own arrays, calls a function of the program, or launches a kernel ends what is known of them.

use super::calls::{self, Known};
use super::mentions::is_vector;
use super::{Walk, simple};
use crate::lower::walk;
use crate::syntax::ast::*;

/// Member functions of containers and strings that change nothing.
const READING: [&str; 9] = [
    "size", "empty", "begin", "end", "cbegin", "cend", "data", "get", "c_str",
];

/// What may be stored to of what the function does not have to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach<'u> {
    Nothing,
    /// The elements of this array, by its name.
    Array(&'u str),
    Anything,
}

impl<'u> Walk<'_, 'u> {
    /// What an expression itself may store to, its parts apart.
    pub(super) fn reach(&self, expr: &'u Expr) -> Reach<'u> {
        match &expr.kind {
            ExprKind::Assign { lhs: place, .. } | ExprKind::IncDec { arg: place, .. } => {
                self.reach_of_place(place)
            }
            ExprKind::Delete(arg) => simple(arg).map_or(Reach::Anything, |name| self.of(name)),
            ExprKind::Call { callee, args } => self.reach_of_call(callee, args),
            ExprKind::Construct { ty, .. } if self.may_run_code(ty) => Reach::Anything,
            ExprKind::Launch { .. }
            | ExprKind::Asm(_)
            | ExprKind::MemberPointer { .. }
            | ExprKind::Fold(_)
            | ExprKind::Unsupported { .. } => Reach::Anything,
            _ => Reach::Nothing,
        }
    }

    /// Whether making an object of a type may do anything.
    pub(super) fn may_run_code(&self, ty: &Type) -> bool {
        let TypeKind::Named(name) = &ty.kind else {
            return false;
        };
        let names = &self.followed.names;
        name.base != "dim3"
            && !is_vector(self.index, names, name)
            && (self.index.declares_class(&name.base) || names.own.contains(name.base.as_str()))
    }

    fn of(&self, name: &'u str) -> Reach<'u> {
        match self.followed.array(name) {
            Some((_, array)) if array.is_own => Reach::Nothing,
            Some((name, _)) => Reach::Array(name),
            None => Reach::Anything,
        }
    }

    fn reach_of_place(&self, place: &'u Expr) -> Reach<'u> {
        match &place.kind {
            ExprKind::Name(_) => match simple(place) {
                Some(name) if self.followed.scalars.contains_key(name) => Reach::Nothing,
                Some(name) => self.of(name),
                None => Reach::Anything,
            },
            ExprKind::Index { base, .. } => {
                simple(base).map_or(Reach::Anything, |name| self.of(name))
            }
            _ => Reach::Anything,
        }
    }

    fn reach_of_call(&self, callee: &'u Expr, args: &'u [Expr]) -> Reach<'u> {
        if let ExprKind::Member { base, field, .. } = &callee.kind {
            let of_own = simple(base)
                .and_then(|name| self.followed.array(name))
                .is_some_and(|(_, array)| array.is_own);
            return match of_own || READING.contains(&field.base.as_str()) && args.is_empty() {
                true => Reach::Nothing,
                false => Reach::Anything,
            };
        }
        match calls::known(self.index, &self.followed.names, callee) {
            Known::ByValue | Known::Allocates => Reach::Nothing,
            Known::Other => match calls::named(callee) {
                // What only gives another type to a pointer.
                Some(name)
                    if (name.base.ends_with("_pointer_cast") || name.base == "device_ptr")
                        && self.followed.names.is_qualified(name) =>
                {
                    Reach::Nothing
                }
                _ => Reach::Anything,
            },
            _ => {
                let mut names = calls::written(&self.followed, callee, args);
                names.retain(|name| !self.followed.scalars.contains_key(name));
                let mut reached = names.iter().map(|name| self.of(name));
                let Some(first) = reached.next() else {
                    return Reach::Anything;
                };
                reached.fold(first, |all, one| match (all, one) {
                    (Reach::Nothing, one) | (one, Reach::Nothing) => one,
                    (all, one) if all == one => one,
                    _ => Reach::Anything,
                })
            }
        }
    }

    /// Whether a statement may store to the elements of an array by another way than its name.
    pub(super) fn is_reached_in(&self, stmt: &'u Stmt, array: &str) -> bool {
        if self
            .followed
            .array(array)
            .is_some_and(|(_, one)| one.is_own)
        {
            return false;
        }
        let mut reached = false;
        walk::each_expr(stmt, &mut |expr| match self.reach(expr) {
            Reach::Nothing => {}
            Reach::Array(one) => reached |= one != array,
            Reach::Anything => reached = true,
        });
        walk::each_stmt(stmt, &mut |inner| {
            if let StmtKind::Decl(all) = &inner.kind {
                reached |= all.iter().any(|one| self.may_run_code(&one.ty));
            }
        });
        reached
    }

    /// Ends what is known of arrays that may have been reached.
    pub(super) fn reached(&mut self, reach: Reach<'u>) {
        let except = match reach {
            Reach::Nothing => return,
            Reach::Array(name) => Some(name),
            Reach::Anything => None,
        };
        let arrays = self.followed.arrays.iter();
        let passed: Vec<&'u str> = arrays
            .filter(|(name, array)| !array.is_own && Some(**name) != except)
            .map(|(name, _)| *name)
            .collect();
        for name in passed {
            self.kill(name);
        }
    }
}
