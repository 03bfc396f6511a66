//! Narrower bounds of variables from the conjuncts of a formula.
//!
//! Interval propagation over `p ≤ 0` and `p = 0`, a few rounds. It gives bounds to loop ordinals
//! (`lo + step·k < n`), without which bit-vectors have no width.

use crate::bounds::Bounds;
use crate::formula::{Formula, Node, Shape};
use crate::sums::Poly;

impl Formula {
    /// Narrows the bounds of variables by the conjuncts of a formula that must hold, and the
    /// bounds of all nodes with them. Narrowing is implied by the formula: it excludes no model.
    pub(crate) fn narrow(&mut self, root: Node) {
        let conjuncts: Vec<Node> = match self.shape(root) {
            Shape::And(parts) => parts.clone(),
            _ => vec![root],
        };
        for _ in 0..3 {
            let mut changed = false;
            for &conjunct in &conjuncts {
                let (sum, both) = match *self.shape(conjunct) {
                    Shape::AtMostZero(sum) => (sum, false),
                    Shape::IsZero(sum) => (sum, true),
                    _ => continue,
                };
                let poly = self.poly(sum);
                changed |= self.narrow_by(&poly, 1);
                if both {
                    changed |= self.narrow_by(&poly, -1);
                }
            }
            if !changed {
                break;
            }
            for index in 0..self.shapes.len() {
                let fresh = self.bounds_of(&self.shapes[index]);
                self.bounds[index] = self.bounds[index].meet(fresh);
            }
        }
    }

    /// By sign · poly ≤ 0.
    fn narrow_by(&mut self, poly: &Poly, sign: i128) -> bool {
        let mut changed = false;
        for (position, (monomial, coefficient)) in poly.terms.iter().enumerate() {
            let &[atom] = monomial.as_slice() else {
                continue;
            };
            let Shape::Var(id) = *self.shape(atom) else {
                continue;
            };
            let mut rest = Bounds::new(poly.constant, poly.constant).scaled(sign);
            for (other, (monomial, coefficient)) in poly.terms.iter().enumerate() {
                if other != position {
                    let part = self.monomial_bounds(monomial).scaled(*coefficient);
                    rest = rest.plus(part.scaled(sign));
                }
            }
            // c · x ≤ −rest
            let room = rest.low.and_then(i128::checked_neg);
            let (Some(room), Some(factor)) = (room, coefficient.checked_mul(sign)) else {
                continue;
            };
            let Some(quotient) = room.checked_div_euclid(factor.saturating_abs()) else {
                continue;
            };
            let limit = if factor > 0 {
                Bounds {
                    low: None,
                    high: Some(quotient),
                }
            } else {
                // x ≥ rest / |c|, rounded up
                match quotient.checked_neg() {
                    Some(low) => Bounds::at_least(low),
                    None => continue,
                }
            };
            let bounds = self.variables[id.0 as usize].bounds;
            let narrower = bounds.meet(limit);
            if narrower != bounds {
                self.variables[id.0 as usize].bounds = narrower;
                self.bounds[atom.index()] = narrower;
                changed = true;
            }
        }
        changed
    }
}
