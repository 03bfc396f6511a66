//! The value of a formula in a model, by exact integer arithmetic.

use rustc_hash::FxHashMap;

use crate::formula::{BitOp, Formula, Node, Shape};

impl Formula {
    /// The value of a node (truth as 0 or 1) when the variables have these values; none when a
    /// division by zero or a number beyond 128 bits is in the way.
    pub(crate) fn evaluate(&self, root: Node, model: &[i128]) -> Option<i128> {
        let known = self.evaluate_all(&[root], model);
        known.get(&root).copied().flatten()
    }

    /// Whether all roots are true in a model.
    pub(crate) fn satisfies(&self, roots: &[Node], model: &[i128]) -> bool {
        let values = self.evaluate_all(roots, model);
        roots
            .iter()
            .all(|root| values.get(root).copied().flatten() == Some(1))
    }

    /// The values of all nodes below the roots.
    fn evaluate_all(&self, roots: &[Node], model: &[i128]) -> FxHashMap<Node, Option<i128>> {
        let mut known: FxHashMap<Node, Option<i128>> = FxHashMap::default();
        for node in self.reachable(roots) {
            let get = |child: Node| known.get(&child).copied().flatten();
            let truth = |value: bool| Some(i128::from(value));
            let value = match self.shape(node) {
                Shape::Var(id) => model.get(id.0 as usize).copied(),
                Shape::Sum(poly) => {
                    poly.terms
                        .iter()
                        .try_fold(poly.constant, |sum, (monomial, coefficient)| {
                            let mut product = *coefficient;
                            for &atom in monomial {
                                product = product.checked_mul(get(atom)?)?;
                            }
                            sum.checked_add(product)
                        })
                }
                Shape::Product(a, b) => get(*a).zip(get(*b)).and_then(|(a, b)| a.checked_mul(b)),
                Shape::Floor(a, c) => get(*a).map(|a| a.div_euclid(*c)),
                Shape::Quotient(a, b) => get(*a).zip(get(*b)).and_then(|(a, b)| a.checked_div(b)),
                Shape::Remainder(a, b) => get(*a).zip(get(*b)).and_then(|(a, b)| a.checked_rem(b)),
                Shape::BitAnd(a, b) => get(*a).zip(get(*b)).map(|(a, b)| a & b),
                Shape::Bits(op, bits, a) => get(*a).map(|a| bits_of(*op, *bits, a)),
                Shape::Choose(c, a, b) => match get(*c) {
                    Some(0) => get(*b),
                    Some(_) => get(*a),
                    None => None,
                },
                Shape::Truth(value) => truth(*value),
                Shape::AtMostZero(a) => get(*a).and_then(|a| truth(a <= 0)),
                Shape::IsZero(a) => get(*a).and_then(|a| truth(a == 0)),
                Shape::Not(a) => get(*a).map(|a| 1 - a),
                Shape::And(parts) | Shape::Or(parts) => {
                    let decides = i128::from(matches!(self.shape(node), Shape::Or(_)));
                    let mut value = Some(1 - decides);
                    for &part in parts {
                        match get(part) {
                            Some(part) if part == decides => {
                                value = Some(decides);
                                break;
                            }
                            Some(_) => {}
                            None => value = None,
                        }
                    }
                    value
                }
            };
            known.insert(node, value);
        }
        known
    }
}

/// The value of an operator on the lowest bits of a number.
pub(crate) fn bits_of(op: BitOp, bits: u32, a: i128) -> i128 {
    let a = a as u128;
    match op {
        BitOp::Popc => i128::from(a.count_ones()),
        BitOp::Ffs if a == 0 => 0,
        BitOp::Ffs => i128::from(a.trailing_zeros()) + 1,
        BitOp::Brev => (a.reverse_bits() >> (128 - bits)) as i128,
    }
}
