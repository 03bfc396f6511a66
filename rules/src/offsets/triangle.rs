//! Rows of a triangle that are stored one behind the other: `l[r * (r + 1) / 2 + c]` with 0 ≤ c ≤ r.
//!
//! **Argument.** Let T(r) = r·(r + 1) / 2. For r < r' and c ≤ r, T(r) + c < T(r) + r + 1 = T(r + 1) ≤ T(r') ≤ T(r') + c' with
//! c' ≥ 0: one place is in one row only. `r * (r - 1) / 2 + c` with c < r is T(r − 1) + c.

use std::rc::Rc;

use warplog_facts::poly::Polynomial;
use warplog_facts::{Op, TermId};

use super::bounds;
use super::form::{self, Instance};
use super::outcome::Outcome;
use super::two::Two;

impl Two<'_, '_> {
    /// What is equal in both if the accesses overlap and their offsets are places of a triangle (part of D7).
    pub(crate) fn compare_rows_of_triangles(&self) -> Outcome {
        // Offsets of which only the distance counts, as for all that is compared here.
        let apart =
            self.question.first.index.constant_part() - self.question.second.index.constant_part();
        if apart != 0 || !form::same_or_apart(&self.question.first, &self.question.second) {
            return Outcome::Nothing;
        }
        match (
            self.row_of(&self.question.first),
            self.row_of(&self.question.second),
        ) {
            (Some(one), Some(other)) => self.compare(&one, &other, (1, 1), false),
            _ => Outcome::Nothing,
        }
    }

    /// r of T(r) + c, as the offset of an instance is but for its constant part.
    fn row_of(&self, instance: &Instance) -> Option<Polynomial> {
        let index = instance.index.divided(instance.bytes)?;
        let index = index.minus(&Polynomial::constant(index.constant_part()));
        let mut monomials = index.monomials();
        let (atom, row) = monomials.find_map(|(monomial, size)| match *monomial.as_slice() {
            [atom] if size == 1 => Some((atom, self.row_before(instance, atom)?)),
            _ => None,
        })?;
        let column = index.minus(&Polynomial::atom(atom));
        let is_in_row = self.is_not_negative_in(instance, &column)
            && self.is_not_negative_in(instance, &row.minus(&column));
        is_in_row.then_some(row)
    }

    /// r of the term r·(r + 1) / 2.
    fn row_before(&self, instance: &Instance, atom: TermId) -> Option<Polynomial> {
        let store = &self.question.judge.ctx.facts.terms;
        let node = store.get(atom);
        let &[product, by] = node.args.as_slice() else {
            return None;
        };
        let halved = match node.op {
            Op::Div => store.as_const(by) == Some(2),
            Op::Shr => store.as_const(by) == Some(1),
            _ => false,
        };
        let mut factors = product;
        while matches!(store.get(factors).op, Op::Cast | Op::Fit) {
            factors = store.get(factors).args[0];
        }
        let &[left, right] = store.get(factors).args.as_slice() else {
            return None;
        };
        let of =
            |term: TermId| Rc::clone(&self.question.judge.polynomials[instance.region].of(term));
        let (left, right) = (of(left), of(right));
        if !halved || !bounds::is_small(&left) || *of(product) != left.times(&right) {
            return None;
        }
        match right.minus(&left).as_constant()? {
            1 => Some(Polynomial::clone(&left)),
            -1 => Some(Polynomial::clone(&right)),
            _ => None,
        }
    }

    /// By ranges, or by one of the instance's guards.
    fn is_not_negative_in(&self, instance: &Instance, polynomial: &Polynomial) -> bool {
        let guarded = |guard: &Polynomial| {
            let more = polynomial.minus(guard).as_constant();
            more.is_some_and(|more| more >= 0)
        };
        bounds::range_of(polynomial, &|atom| self.range_in(instance, atom)).low >= 0
            || instance.inequalities.iter().any(guarded)
    }
}
