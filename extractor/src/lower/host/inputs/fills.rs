//! Loops of host code that fill arrays: element by element from its position, or as sums that are carried on.

use super::calls::{self, Known};
use super::forms::{self, Scope};
use super::kernels::statements;
use super::mentions::words_of;
use super::numbers::keeps;
use super::{Count, Fact, Order, Walk, simple};
use crate::lower::contracts::Property;
use crate::lower::walk;
use crate::syntax::ast::*;

/// `for (int i = 0; i < n; i++)`
struct Header<'u> {
    var: &'u str,
    var_type: Scalar,
    start: i128,
    count: Count<'u>,
    /// The variables of the bound.
    names: std::collections::BTreeSet<&'u str>,
}

impl<'u> Walk<'_, 'u> {
    /// What arrays are like behind a loop that fills them.
    pub(super) fn filled_by_loop(&self, stmt: &'u Stmt) -> Vec<(&'u str, Vec<Fact<'u>>)> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return Vec::new();
        };
        let Some(header) = self.header(stmt) else {
            return Vec::new();
        };
        let mut jumps = false;
        walk::each_stmt(body, &mut |inner| {
            jumps |= matches!(
                inner.kind,
                StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)
            );
            if let StmtKind::Decl(all) = &inner.kind {
                jumps |= all.iter().any(|one| one.name == header.var);
            }
        });
        let mut changed = Vec::new();
        walk::each_expr(body, &mut |expr| {
            jumps |= matches!(expr.kind, ExprKind::StmtExpr(_));
            changed.extend(self.written(expr));
        });
        let times = |name: &str| changed.iter().filter(|one| **one == name).count();
        jumps |= !self.is_only_read(body, header.var);
        if jumps || times(header.var) > 0 || header.names.iter().any(|name| times(name) > 0) {
            return Vec::new();
        }
        let stmts = statements(body);
        let mut found = Vec::new();
        for stmt in stmts {
            let StmtKind::Expr(expr) = &stmt.kind else {
                continue;
            };
            let ExprKind::Assign { op, lhs, rhs } = &expr.kind else {
                continue;
            };
            let ExprKind::Index { base, index } = &lhs.kind else {
                continue;
            };
            let Some((name, _)) = simple(base).and_then(|name| self.followed.array(name)) else {
                continue;
            };
            if times(name) != 1
                || self.mentions_changed(rhs, name, &changed, stmts)
                || self.is_reached_in(body, name)
            {
                continue;
            }
            let properties = match op {
                None => self.stored(&header, name, index, rhs, stmts, &changed),
                Some(BinaryOp::Add) => self.added(&header, name, index, rhs),
                Some(_) => Vec::new(),
            };
            let facts: Vec<Fact<'u>> = properties
                .into_iter()
                .filter_map(|(property, count, sums)| {
                    let mut fact = self.fact(property, count, stmt.range)?;
                    fact.sums = sums;
                    Some(fact)
                })
                .collect();
            if !facts.is_empty() {
                found.push((name, facts));
            }
        }
        found
    }

    /// Whether an expression is surely a number, if a name is one.
    fn is_number_with(&self, expr: &Expr, name: &str) -> bool {
        match &expr.kind {
            ExprKind::Binary(_, left, right) => {
                self.is_number_with(left, name) && self.is_number_with(right, name)
            }
            ExprKind::Unary(_, arg) => self.is_number_with(arg, name),
            ExprKind::Call { callee, .. } => {
                calls::known(self.index, &self.followed.names, callee) == Known::ByValue
            }
            _ => simple(expr) == Some(name) || self.followed.type_of(expr).is_some(),
        }
    }

    /// Whether every word of a statement that is the name of a number stands where only its value is taken.
    fn is_only_read(&self, stmt: &'u Stmt, name: &str) -> bool {
        let is_it = |expr: &Expr| u32::from(simple(expr) == Some(name));
        let is_number = |expr: &Expr| self.is_number_with(expr, name);
        let mut read = 0;
        walk::each_expr(stmt, &mut |expr| match &expr.kind {
            ExprKind::Index { index, .. } => read += is_it(index),
            ExprKind::Unary(_, arg) => read += is_it(arg),
            ExprKind::Cast { ty, arg, .. } if ty.scalar().is_some() => read += is_it(arg),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, left, right) => {
                read += is_it(left);
                if is_number(left) {
                    read += is_it(right);
                }
            }
            // An operator of a class may take it by reference.
            ExprKind::Binary(_, left, right) if is_number(left) && is_number(right) => {
                read += is_it(left) + is_it(right);
            }
            // Of two places a condition chooses a place.
            ExprKind::Conditional { cond, then, els } => {
                let is_place =
                    |expr: &Expr| !matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Binary(..));
                read += is_it(cond);
                if !is_place(then) || !is_place(els) {
                    read += is_it(then) + is_it(els);
                }
            }
            ExprKind::Assign { rhs, .. } => read += is_it(rhs),
            ExprKind::Call { callee, args } => {
                let names = &self.followed.names;
                let parts = calls::parts_of(self.index, names, callee, args.len());
                let values = args.iter().zip(parts);
                read += values
                    .filter(|(_, part)| *part == calls::Part::Value)
                    .map(|(arg, _)| is_it(arg))
                    .sum::<u32>();
            }
            _ => {}
        });
        walk::each_stmt(stmt, &mut |inner| {
            if let StmtKind::Decl(all) = &inner.kind {
                let scalars = all.iter().filter(|one| one.ty.scalar().is_some());
                for one in scalars {
                    if let Init::Expr(init) = &one.init {
                        read += is_it(init);
                    }
                }
            }
        });
        words_of(self.text, stmt.range, name) == read
    }

    fn header(&self, stmt: &'u Stmt) -> Option<Header<'u>> {
        let StmtKind::For {
            init: Some(init),
            cond: Some(cond),
            update: Some(update),
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let (var, var_type, start) = match &init.kind {
            StmtKind::Decl(all) => match all.as_slice() {
                [one] => match &one.init {
                    Init::Expr(start) => (one.name.as_str(), one.ty.scalar()?, start),
                    _ => return None,
                },
                _ => return None,
            },
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign { op: None, lhs, rhs } => {
                    let name = simple(lhs)?;
                    (name, *self.followed.scalars.get(name)?, &**rhs)
                }
                _ => return None,
            },
            _ => return None,
        };
        if var_type.bits() < 32 || var_type.signedness().is_none() {
            return None;
        }
        let start = match &start.kind {
            ExprKind::Int { value, .. } => i128::from(*value),
            _ => return None,
        };
        let steps = match &update.kind {
            ExprKind::IncDec {
                increment: true,
                arg,
                ..
            } => simple(arg) == Some(var),
            ExprKind::Assign {
                op: Some(BinaryOp::Add),
                lhs,
                rhs,
            } => simple(lhs) == Some(var) && matches!(rhs.kind, ExprKind::Int { value: 1, .. }),
            _ => false,
        };
        let ExprKind::Binary(op, left, right) = &cond.kind else {
            return None;
        };
        let (bound, more) = match op {
            BinaryOp::Lt | BinaryOp::Ne if simple(left) == Some(var) => (right, 0),
            BinaryOp::Le if simple(left) == Some(var) => (right, 1),
            BinaryOp::Gt if simple(right) == Some(var) => (left, 0),
            BinaryOp::Ge if simple(right) == Some(var) => (left, 1),
            _ => return None,
        };
        let count = plus(self.followed.count_of(bound)?, more);
        let mut names = self.followed.names_of(count)?;
        // Elements of a vector may be set.
        names.retain(|name| self.followed.scalars.contains_key(name));
        (steps && start <= 1 && !names.contains(var)).then_some(Header {
            var,
            var_type,
            start,
            count,
            names,
        })
    }

    /// Whether a value is made of something else that the loop changes; the array itself, and a sum that is carried on, may be
    /// understood.
    fn mentions_changed(
        &self,
        rhs: &'u Expr,
        array: &str,
        changed: &[&'u str],
        stmts: &'u [Stmt],
    ) -> bool {
        let mut found = false;
        walk::sub_exprs(rhs, &mut |part| {
            if let Some(name) = simple(part).map(|name| self.followed.own_name(name)) {
                let declared = stmts.iter().any(|stmt| match &stmt.kind {
                    StmtKind::Decl(all) => all.iter().any(|one| one.name == name),
                    _ => false,
                });
                let is_carried = simple(rhs) == Some(name);
                found |= declared || changed.contains(&name) && name != array && !is_carried;
            }
        });
        found
    }

    /// `a[i] = e`, `a[i + 1] = a[i] + e`, `a[i] = a[i - 1] + e`, `a[i] = sum; sum += e`: properties, counts, and whether they rest on
    /// sums that do not wrap.
    fn stored(
        &self,
        header: &Header<'u>,
        name: &'u str,
        index: &'u Expr,
        rhs: &'u Expr,
        stmts: &'u [Stmt],
        changed: &[&'u str],
    ) -> Vec<(Property, Count<'u>, bool)> {
        let offset = |expr: &'u Expr| position(expr, header.var);
        let Some(at) = offset(index) else {
            return Vec::new();
        };
        // A sum that goes on from the element before.
        if let ExprKind::Binary(BinaryOp::Add, left, right) = &rhs.kind {
            let before = |expr: &'u Expr| match &expr.kind {
                ExprKind::Index { base, index } => {
                    self.is_name_of(base, name) && offset(index) == Some(at - 1)
                }
                _ => false,
            };
            let by = match (before(left), before(right)) {
                (true, false) => Some(&**right),
                (false, true) => Some(&**left),
                _ => None,
            };
            if let Some(by) = by {
                let reads_itself = self.mentions(by, name);
                let from_first = header.start + at == 1;
                return match self
                    .addend(header, name, by)
                    .filter(|_| from_first && !reads_itself)
                {
                    Some(property) => vec![(property, plus(header.count, at), true)],
                    None => Vec::new(),
                };
            }
        }
        if self.mentions(rhs, name) || at != 0 || header.start != 0 {
            return Vec::new();
        }
        if let Some(sum) = simple(rhs)
            && changed.contains(&sum)
        {
            return match self.carried(header, name, sum, stmts, changed) {
                Some(property) => vec![(property, header.count, true)],
                None => Vec::new(),
            };
        }
        let Some((_, told)) = self.followed.array(name) else {
            return Vec::new();
        };
        let properties = self.with_scope(header, |scope| {
            forms::properties(rhs, scope, told.element, header.count)
        });
        let properties = properties.into_iter();
        properties
            .map(|(property, count)| (property, count, false))
            .collect()
    }

    /// `a[i] += a[i - 1]`, of elements that are not negative.
    fn added(
        &self,
        header: &Header<'u>,
        name: &'u str,
        index: &'u Expr,
        rhs: &'u Expr,
    ) -> Vec<(Property, Count<'u>, bool)> {
        let Some(at) = position(index, header.var) else {
            return Vec::new();
        };
        let before = match &rhs.kind {
            ExprKind::Index { base, index } => {
                self.is_name_of(base, name) && position(index, header.var) == Some(at - 1)
            }
            _ => false,
        };
        let count = plus(header.count, at);
        let is_wide = self.followed.array(name).is_some_and(|(_, array)| {
            array.element.bits() >= 32 && array.element.signedness().is_some()
        });
        let adds = self.elements_not_negative(name, count, &Order::Program);
        match before && header.start + at == 1 && adds && is_wide {
            true => vec![(Property::Sorted, count, true)],
            false => Vec::new(),
        }
    }

    /// The order of sums to which this is added each time, if it is never negative and the elements are as wide as it.
    fn addend(&self, header: &Header<'u>, name: &str, by: &'u Expr) -> Option<Property> {
        let (_, told) = self.followed.array(name)?;
        told.element.signedness()?;
        if let Some(number) = self.followed.constant(by) {
            let grows = match number {
                0 => Property::Sorted,
                1.. => Property::StrictlyIncreasing,
                _ => return None,
            };
            return (told.element.bits() >= 32).then_some(grows);
        }
        // A conversion that keeps what is added.
        let mut added = by;
        while let ExprKind::Cast { ty, arg, .. } = &added.kind
            && let Some((from, to)) = self.followed.type_of(arg).zip(ty.scalar())
            && keeps(from, to)
        {
            added = arg;
        }
        if let ExprKind::Index { base, index } = &added.kind {
            let (from, array) = self.followed.array(simple(base)?)?;
            let offset = position(index, header.var)?;
            let read = plus(header.count, offset);
            let adds = self.elements_not_negative(from, read, &Order::Program);
            let fits = array.element.bits() <= told.element.bits();
            return (adds
                && fits
                && array.element.signedness().is_some()
                && told.element.bits() >= 32)
                .then_some(Property::Sorted);
        }
        let wide = self.widest(header, by)?;
        let adds = self.with_scope(header, |scope| forms::is_not_negative(by, scope));
        (adds && wide <= told.element.bits() && told.element.bits() >= 32)
            .then_some(Property::Sorted)
    }

    /// The width of the widest number in an expression.
    fn widest(&self, header: &Header<'u>, expr: &'u Expr) -> Option<u32> {
        let mut widest = Some(32);
        walk::sub_exprs(expr, &mut |part| {
            let bits = match &part.kind {
                ExprKind::Name(_) => match simple(part) {
                    Some(name) if name == header.var => Some(header.var_type.bits()),
                    // A function, whose type is asked of the call.
                    Some("rand") => Some(32),
                    Some(name) => self.followed.scalars.get(name).map(|ty| ty.bits()),
                    None => None,
                },
                ExprKind::Int { ty, .. } => Some(ty.bits()),
                ExprKind::Cast { ty, .. } => ty.scalar().map(Scalar::bits),
                ExprKind::Binary(..) | ExprKind::Call { .. } | ExprKind::Conditional { .. } => {
                    Some(32)
                }
                _ => None,
            };
            widest = widest.zip(bits).map(|(one, other)| one.max(other));
        });
        widest
    }

    /// A variable that is stored in each round and only grows.
    fn carried(
        &self,
        header: &Header<'u>,
        name: &str,
        sum: &'u str,
        stmts: &'u [Stmt],
        changed: &[&'u str],
    ) -> Option<Property> {
        let (_, told) = self.followed.array(name)?;
        let ty = *self.followed.scalars.get(sum)?;
        if ty.bits() > told.element.bits() || ty.signedness().is_none() {
            return None;
        }
        // A negative sum in unsigned elements is large.
        let same_sign = ty.signedness() == told.element.signedness();
        let grows: Vec<&'u Expr> = stmts
            .iter()
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Expr(expr) => match &expr.kind {
                    ExprKind::Assign {
                        op: Some(BinaryOp::Add),
                        lhs,
                        rhs,
                    } if simple(lhs) == Some(sum) => Some(&**rhs),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let once = changed.iter().filter(|one| **one == sum).count() == 1;
        let [by] = grows.as_slice() else { return None };
        let order = self.addend(header, name, by)?;
        let others =
            self.mentions(by, sum) || self.mentions(by, name) || self.mentions_any(by, changed);
        (once && same_sign && !others).then_some(order)
    }

    /// Whether an expression is a name of a variable or array, of all that it has.
    fn is_name_of(&self, expr: &Expr, name: &str) -> bool {
        simple(expr).is_some_and(|one| self.followed.own_name(one) == name)
    }

    fn mentions(&self, expr: &Expr, name: &str) -> bool {
        let mut found = false;
        walk::sub_exprs(expr, &mut |part| found |= self.is_name_of(part, name));
        found
    }

    fn mentions_any(&self, expr: &Expr, names: &[&str]) -> bool {
        names.iter().any(|name| self.mentions(expr, name))
    }

    fn with_scope<T>(&self, header: &Header<'u>, run: impl FnOnce(&Scope<'_>) -> T) -> T {
        let type_of = |name: &str| self.followed.scalars.get(name).copied();
        let constant = |expr: &Expr| self.followed.number(expr);
        let is_random = |expr: &Expr| match &expr.kind {
            ExprKind::Call { callee, args } => {
                let is_rand = calls::named(callee).is_some_and(|name| name.base == "rand");
                let known = calls::known(self.index, &self.followed.names, callee);
                is_rand && args.is_empty() && known == Known::ByValue
            }
            _ => false,
        };
        run(&Scope {
            var: header.var,
            var_type: header.var_type,
            type_of: &type_of,
            constant: &constant,
            is_random: &is_random,
        })
    }
}

/// `i`, `i + 1`, `i - 1`: how far it is from the variable.
fn position(expr: &Expr, var: &str) -> Option<i128> {
    if simple(expr) == Some(var) {
        return Some(0);
    }
    match &expr.kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let ExprKind::Int { value, .. } = &right.kind else {
                return None;
            };
            let by = i128::from(*value);
            let of = position(left, var)?;
            Some(if *op == BinaryOp::Add {
                of + by
            } else {
                of - by
            })
        }
        _ => None,
    }
}

pub(super) fn plus(count: Count<'_>, more: i128) -> Count<'_> {
    match count {
        Count::Number(number) => Count::Number(number + more),
        Count::Of(expr, plus) => Count::Of(expr, plus + more),
        Count::All(name, plus) => Count::All(name, plus + more),
        Count::Given(number, plus) => Count::Given(number, plus + more),
    }
}
