//! Arrays that are set to one number, and elements that only grow from there: `count[key[i]]++`.

use super::mentions::Array;
use super::numbers::holds;
use super::{Count, Order, Property, Walk, forms, simple};
use crate::lower::contracts::MOST;
use crate::syntax::ast::*;

impl<'u> Walk<'_, 'u> {
    /// The number that all elements of a declared array are, and how many they are: `std::vector<int> v(n, 1);`, `calloc`.
    pub(super) fn made_equal(
        &self,
        declaration: &'u VarDecl,
        array: &Array<'u>,
    ) -> Option<(i128, Count<'u>)> {
        match &declaration.init {
            // On the device it may still be under way.
            Init::Call(args) if array.is_container && array.on_host => {
                let (size, value) = match args.as_slice() {
                    [size] => (size, 0),
                    [size, value] => (size, self.followed.constant(value)?),
                    _ => return None,
                };
                // Two iterators, or a vector, are no numbers.
                let ty = self.followed.type_of(size)?;
                ty.signedness()?;
                Some((value, self.followed.count_of(size)?))
            }
            Init::Expr(init) => {
                let ExprKind::Call { callee, args } = &super::uncast(init).kind else {
                    return None;
                };
                let name = super::calls::named(callee)?;
                let is_cleared = name.base == "calloc"
                    && args.len() == 2
                    && self.followed.names.is_global(self.index, name);
                // The size is known if it is that of an element.
                let extent = array.extent.filter(|_| is_cleared)?;
                Some((0, extent))
            }
            _ => None,
        }
    }

    /// Whether an expression only makes an element larger: integers of at least 32 bits, which do not overflow.
    pub(super) fn only_grows(&self, expr: &'u Expr) -> bool {
        let place = match &expr.kind {
            ExprKind::IncDec {
                increment: true,
                arg,
                ..
            } => arg,
            ExprKind::Assign {
                op: Some(BinaryOp::Add),
                lhs,
                rhs,
            } if self.followed.number(rhs).is_some_and(stays_positive) => lhs,
            _ => return false,
        };
        let ExprKind::Index { base, .. } = &place.kind else {
            return false;
        };
        let array = simple(base).and_then(|name| self.followed.array(name));
        array.is_some()
    }

    /// Elements of an array have become larger: none is less than before.
    /// Sums of the device wrap.
    pub(super) fn grown(&mut self, name: &str, order: &Order, sums: bool) {
        let wide = self.followed.array(name).is_some_and(|(_, array)| {
            array.element.bits() >= 32 && array.element.signedness() == Some(true)
        });
        let mut facts = self.ready(name, order);
        facts.retain_mut(|fact| {
            fact.sums |= sums;
            match &mut fact.property {
                Property::Bounded(_, most) => {
                    *most = MOST;
                    wide
                }
                _ => false,
            }
        });
        self.kill(name);
        if let Some((name, _)) = self.followed.array(name)
            && let Some(state) = &mut self.state
        {
            state.known.insert(name, facts);
        }
    }
}

/// Whether a number is added as one that is not negative: large ones of unsigned types become negative in the element.
fn stays_positive((value, ty): (i128, Scalar)) -> bool {
    value >= 0 && holds(Scalar::Int, value) && ty.signedness() == Some(true)
}

/// Whether all elements are told to be one number.
pub(super) fn equal<'u>(
    element: Scalar,
    value: i128,
    count: Count<'u>,
) -> Vec<(Property, Count<'u>)> {
    match forms::holds(element, value) {
        true => vec![(Property::Bounded(value, value), count)],
        false => Vec::new(),
    }
}
