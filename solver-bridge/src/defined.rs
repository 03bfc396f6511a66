//! What undefined behaviour rules out: conditions under which the evaluated terms are defined.
//!
//! An execution with signed overflow, a bad shift count or a division by zero is no execution in
//! C. Formulas leave these open; a model whose replay stumbles over one is asked for again with
//! these conditions.

use facts::*;
use rustc_hash::FxHashMap;
use warplog_facts as facts;

use crate::encode::Encoder;
use crate::formula::Node;
use crate::instances::ContextId;

/// What an execution must not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undefined {
    /// Overflow of signed arithmetic, wrap-around of a global thread id: assumed away.
    Overflow,
    /// A shift count that is negative or not below the width.
    ShiftCount,
    /// Division by zero: no C execution either, but hardware goes on with some value, so that
    /// nothing is proved from it.
    Division,
}

impl Encoder<'_> {
    /// Asserts that the evaluated terms are defined. A term counts where it is evaluated: in the
    /// arm taken, after `&&` only when the left side holds.
    pub(crate) fn assert_defined(&mut self, what: &[Undefined]) {
        let index = self.index;
        let store = &index.facts.terms;
        for (context, root) in std::mem::take(&mut self.evaluated) {
            // Only for the values of leaves that a witness shows.
            if what.is_empty() && index.is_large(root) {
                continue;
            }
            self.encode(context, root);
            if what.is_empty() {
                continue;
            }
            let mut when: FxHashMap<TermId, Vec<Node>> = FxHashMap::default();
            let always = self.f.truth(true);
            when.insert(root, vec![always]);
            for id in store.reachable(&[root]).into_iter().rev() {
                let term = store.get(id);
                let here = when.remove(&id).unwrap_or_default();
                let here = self.f.or(&here);
                for (position, &arg) in term.args.iter().enumerate() {
                    let condition = match (term.op, position) {
                        (Op::Ite, 1) => Some((term.args[0], true)),
                        (Op::Ite, 2) => Some((term.args[0], false)),
                        (Op::And, 1) => Some((term.args[0], true)),
                        (Op::Or, 1) => Some((term.args[0], false)),
                        _ => None,
                    };
                    let mut there = here;
                    if let Some((condition, polarity)) = condition {
                        let holds = self.truth(context, condition);
                        let holds = if polarity { holds } else { self.f.not(holds) };
                        there = self.f.and(&[here, holds]);
                    }
                    when.entry(arg).or_default().push(there);
                }
                if let Some(defined) = self.defined(context, id, term, what) {
                    let constraint = self.f.implies(here, defined);
                    self.asserts.push(constraint);
                }
            }
        }
    }

    /// The condition under which an operator is defined, if it may be undefined.
    fn defined(
        &mut self,
        context: ContextId,
        id: TermId,
        term: &Term,
        what: &[Undefined],
    ) -> Option<Node> {
        let ty = term.ty;
        let (low, high) = (ty.min()?, ty.max()?);
        let integers = term
            .args
            .iter()
            .all(|&arg| self.index.facts.terms.ty(arg).is_integer());
        if !integers || ty == CType::Bool {
            return None;
        }
        match term.op {
            Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Shl | Op::MulPow | Op::Fit | Op::Cast
                if what.contains(&Undefined::Overflow) =>
            {
                let most = self.at(context).ranges.assumed_most(id);
                let assumed = most.is_some();
                let checked =
                    assumed || term.op == Op::Fit || (ty.is_signed() && term.op != Op::Cast);
                if !checked {
                    return (term.op == Op::Shl && what.contains(&Undefined::ShiftCount))
                        .then(|| self.count_in_range(context, term))?;
                }
                let (node, high) = match ty.shifted() {
                    Some(limit) if term.op == Op::Shl && !assumed => {
                        let left = self.value(context, term.args[0]);
                        let count = self.value(context, term.args[1]);
                        (self.shift(Op::Shl, ty.bits()?, left, count), limit)
                    }
                    _ => (self.value(context, id), most.unwrap_or(high)),
                };
                let above = self.f.ge_const(node, low);
                let below = self.f.le_const(node, high);
                let mut parts = vec![above, below];
                if term.op == Op::Shl && what.contains(&Undefined::ShiftCount) {
                    parts.push(self.count_in_range(context, term)?);
                }
                Some(self.f.and(&parts))
            }
            Op::Div | Op::Rem if what.contains(&Undefined::Division) => {
                let divisor = self.value(context, term.args[1]);
                let zero = self.f.eq_const(divisor, 0);
                Some(self.f.not(zero))
            }
            Op::Shr | Op::Shl if what.contains(&Undefined::ShiftCount) => {
                self.count_in_range(context, term)
            }
            _ => None,
        }
    }

    fn count_in_range(&mut self, context: ContextId, shift: &Term) -> Option<Node> {
        let count = self.value(context, shift.args[1]);
        let above = self.f.ge_const(count, 0);
        let below = self.f.lt_const(count, i128::from(shift.ty.bits()?));
        Some(self.f.and(&[above, below]))
    }
}
