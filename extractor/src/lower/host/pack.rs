//! Parameter packs of host functions, and functions that are passed to others: what a benchmark
//! needs that calls `f(std::forward<Args>(args)...)`.
//!
//! **Contract.** An expansion whose packs are not known, or not of one length, is code that is not
//! understood. A function is followed from the call that names it to the parameter that it binds
//! and to calls of that parameter; wherever else it goes, it may be called with anything.

use std::collections::BTreeMap;

use super::Host;
use super::call::Operand;
use super::value::*;
use crate::lower::walk;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// What `each` makes of arguments, expansions once for each element of their packs.
    pub(super) fn expanded<T>(
        &mut self,
        args: &'u [Expr],
        each: &mut dyn FnMut(&mut Self, &'u Expr) -> T,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for arg in args {
            let ExprKind::Expand(inner) = &arg.kind else {
                found.push(each(self, arg));
                continue;
            };
            let Some(packs) = self.packs_in(inner) else {
                found.push(each(self, arg));
                continue;
            };
            let count = packs.values().next().map_or(0, Vec::len);
            for position in 0..count {
                let names: BTreeMap<&'u str, Root> = packs
                    .iter()
                    .filter_map(|(name, roots)| Some((*name, *roots.get(position)?)))
                    .collect();
                self.frame_mut().scopes.push(names);
                found.push(each(self, inner));
                self.frame_mut().scopes.pop();
            }
        }
        found
    }

    /// The packs that an expression names, all of one length.
    fn packs_in(&self, expr: &'u Expr) -> Option<BTreeMap<&'u str, Vec<Root>>> {
        let mut packs = BTreeMap::new();
        walk::sub_exprs(expr, &mut |expr| {
            if let ExprKind::Name(name) = &expr.kind
                && let Some(simple) = name.as_simple()
                && let Some((name, roots)) = self.frame().packs.get_key_value(simple)
            {
                packs.insert(*name, roots.clone());
            }
        });
        let count = packs.values().next()?.len();
        packs
            .values()
            .all(|roots| roots.len() == count)
            .then_some(packs)
    }

    /// `Args &&...args`
    pub(super) fn bind_pack(
        &mut self,
        name: &'u str,
        ty: &Type,
        operands: Vec<Operand<'u>>,
        types: &[Option<Type>],
    ) {
        let mut roots = Vec::new();
        for (position, (value, place)) in operands.into_iter().enumerate() {
            self.bind_param(name, ty, value, place);
            let scope = self.frame_mut().scopes.last_mut();
            let Some(root) = scope.and_then(|scope| scope.remove(name)) else {
                continue;
            };
            match types.get(position) {
                Some(Some(ty)) => self.written.insert(root, ty.clone()),
                _ => self.written.remove(&root),
            };
            roots.push(root);
        }
        self.frame_mut().packs.insert(name, roots);
    }

    /// The function of the unit that an argument is.
    pub(super) fn passed_function(&mut self, arg: &'u Expr) -> Option<&'u Name> {
        let arg = match &arg.kind {
            ExprKind::AddressOf(inner) => inner,
            _ => arg,
        };
        let ExprKind::Name(name) = &arg.kind else {
            return None;
        };
        if name.args.is_some()
            || self.named(name).is_some()
            || self.frame().values.contains_key(&name.base)
            || self.kernel(name).is_some()
        {
            return None;
        }
        let is_host = |function: &&Function| function.body.is_some() && !function.quals.global;
        self.index
            .functions(&name.base)
            .iter()
            .any(|function| is_host(function) && function.owner.is_none())
            .then_some(name)
    }
}
