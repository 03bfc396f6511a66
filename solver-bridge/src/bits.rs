//! Formulas for Z3 over bit-vectors, for queries in which bits with variable operands matter.
//!
//! **Accuracy.** Exact both ways: the width is chosen from the bounds of all nodes so that no
//! operation of the formula can leave it, and where a bound is missing or too large the formula is
//! not rendered at all.

use rustc_hash::FxHashMap;
use z3::ast::{BV, Bool};

use crate::bounds::Bounds;
use crate::formula::{BitOp, Formula, Node, Shape};
use crate::render::Ast;

/// Largest width that is used.
const MAX_WIDTH: u32 = 80;

/// A formula over bit-vectors.
pub(crate) struct BitRendered {
    width: u32,
    nodes: FxHashMap<Node, Ast<BV>>,
    pub(crate) definitions: Vec<Bool>,
}

/// A constant that the width holds.
pub(crate) fn constant(value: i128, width: u32) -> BV {
    if let Ok(value) = i64::try_from(value) {
        return BV::from_i64(value, width);
    }
    let pattern = value & ((1i128 << width) - 1);
    BV::from_str(width, &pattern.to_string()).unwrap_or_else(|| BV::from_i64(0, width))
}

/// The width in which no node of the formula overflows, `None` when there is none.
fn width(f: &Formula, roots: &[Node]) -> Option<u32> {
    let mut width = 8;
    let mut widen = |bounds: Bounds| -> Option<()> {
        let (low, high) = (bounds.low?, bounds.high?);
        let size = |value: i128| 130 - if value < 0 { !value } else { value }.leading_zeros();
        width = width.max(size(low)).max(size(high));
        Some(())
    };
    for node in f.reachable(roots) {
        match f.shape(node) {
            Shape::Sum(poly) => {
                let mut sum = Bounds::new(0, 0);
                let constant = poly.constant;
                widen(Bounds::new(constant, constant))?;
                for (monomial, coefficient) in &poly.terms {
                    let mut product = Bounds::new(1, 1);
                    for &atom in monomial {
                        product = product.times(f.bounds(atom));
                        widen(product)?;
                    }
                    let term = product.scaled(*coefficient);
                    widen(term)?;
                    widen(Bounds::new(*coefficient, *coefficient))?;
                    sum = sum.plus(term);
                    widen(sum)?;
                    widen(sum.plus(Bounds::new(constant, constant)))?;
                }
            }
            Shape::Floor(a, c) => {
                widen(Bounds::new(*c, *c))?;
                widen(f.bounds(*a))?;
                widen(f.bounds(*a).plus(Bounds::new(-*c, *c)))?;
            }
            Shape::Bits(_, bits, _) => {
                widen(f.bounds(node))?;
                widen(Bounds::new(0, 1i128.checked_shl(*bits)?))?;
            }
            Shape::Truth(_)
            | Shape::AtMostZero(_)
            | Shape::IsZero(_)
            | Shape::And(_)
            | Shape::Or(_)
            | Shape::Not(_) => {}
            Shape::Quotient(a, b) | Shape::Remainder(a, b) => {
                widen(f.bounds(*a))?;
                widen(f.bounds(*b))?;
            }
            _ => widen(f.bounds(node))?,
        }
    }
    (width <= MAX_WIDTH).then_some(width)
}

impl BitRendered {
    pub(crate) fn new(f: &Formula, roots: &[Node]) -> Option<Self> {
        let mut this = BitRendered {
            width: width(f, roots)?,
            nodes: FxHashMap::default(),
            definitions: Vec::new(),
        };
        for node in f.reachable(roots) {
            let ast = this.node(f, node);
            this.nodes.insert(node, ast);
        }
        Some(this)
    }

    pub(crate) fn truth(&self, node: Node) -> Option<&Bool> {
        match self.nodes.get(&node) {
            Some(Ast::Truth(truth)) => Some(truth),
            _ => None,
        }
    }

    pub(crate) fn number(&self, node: Node) -> Option<&BV> {
        match self.nodes.get(&node) {
            Some(Ast::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn constant(&self, value: i128) -> BV {
        constant(value, self.width)
    }

    fn number_of(&self, node: Node) -> BV {
        match self.nodes.get(&node) {
            Some(Ast::Number(number)) => number.clone(),
            Some(Ast::Truth(truth)) => truth.ite(&self.constant(1), &self.constant(0)),
            None => self.constant(0),
        }
    }

    fn truth_of(&self, node: Node) -> Bool {
        match self.nodes.get(&node) {
            Some(Ast::Truth(truth)) => truth.clone(),
            _ => Bool::from_bool(false),
        }
    }

    fn node(&mut self, f: &Formula, node: Node) -> Ast<BV> {
        let width = self.width;
        match f.shape(node) {
            Shape::Var(id) => {
                let variable = &f.variables[id.0 as usize];
                if variable.truth {
                    return Ast::Truth(Bool::new_const(variable.name.as_str()));
                }
                let number = BV::new_const(variable.name.as_str(), width);
                if let (Some(low), Some(high)) = (variable.bounds.low, variable.bounds.high) {
                    self.definitions.push(self.constant(low).bvsle(&number));
                    self.definitions.push(number.bvsle(self.constant(high)));
                }
                Ast::Number(number)
            }
            Shape::Sum(poly) => {
                let mut sum: Option<BV> = None;
                for (monomial, coefficient) in &poly.terms {
                    let mut atoms = monomial.iter();
                    let mut product = atoms
                        .next()
                        .map_or_else(|| self.constant(1), |&atom| self.number_of(atom));
                    for &atom in atoms {
                        product = product.bvmul(self.number_of(atom));
                    }
                    if *coefficient != 1 {
                        product = product.bvmul(self.constant(*coefficient));
                    }
                    sum = Some(match sum {
                        Some(sum) => sum.bvadd(product),
                        None => product,
                    });
                }
                let constant = self.constant(poly.constant);
                Ast::Number(match sum {
                    Some(sum) if poly.constant != 0 => sum.bvadd(constant),
                    Some(sum) => sum,
                    None => constant,
                })
            }
            Shape::Product(a, b) => Ast::Number(self.number_of(*a).bvmul(self.number_of(*b))),
            Shape::Floor(a, c) => {
                let a = self.number_of(*a);
                Ast::Number(if c.count_ones() == 1 {
                    let count = self.constant(i128::from(c.trailing_zeros()));
                    a.bvashr(count)
                } else {
                    let divisor = self.constant(*c);
                    let down = a.bvsub(self.constant(c - 1));
                    let negative = a.bvslt(self.constant(0));
                    negative.ite(&down, &a).bvsdiv(divisor)
                })
            }
            Shape::Quotient(a, b) | Shape::Remainder(a, b) => {
                // Division by zero gives any value: a variable of its own.
                let (dividend, divisor) = (self.number_of(*a), self.number_of(*b));
                let is_quotient = matches!(f.shape(node), Shape::Quotient(..));
                let result = if is_quotient {
                    dividend.bvsdiv(&divisor)
                } else {
                    dividend.bvsrem(&divisor)
                };
                if !f.bounds(*b).contains(0) {
                    return Ast::Number(result);
                }
                let any = BV::new_const(format!("undefined!{}", node.index()), width);
                let bounds = f.bounds(node);
                if let (Some(low), Some(high)) = (bounds.low, bounds.high) {
                    self.definitions.push(self.constant(low).bvsle(&any));
                    self.definitions.push(any.bvsle(self.constant(high)));
                }
                let zero = divisor.eq(self.constant(0));
                Ast::Number(zero.ite(&any, &result))
            }
            Shape::BitAnd(a, b) => Ast::Number(self.number_of(*a).bvand(self.number_of(*b))),
            Shape::Bits(op, bits, a) => Ast::Number(self.bits(*op, *bits, *a)),
            Shape::Choose(c, a, b) => Ast::Number(
                self.truth_of(*c)
                    .ite(&self.number_of(*a), &self.number_of(*b)),
            ),
            Shape::Truth(value) => Ast::Truth(Bool::from_bool(*value)),
            Shape::AtMostZero(a) => Ast::Truth(self.number_of(*a).bvsle(self.constant(0))),
            Shape::IsZero(a) => Ast::Truth(self.number_of(*a).eq(self.constant(0))),
            Shape::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth_of(part)).collect();
                Ast::Truth(Bool::and(&parts))
            }
            Shape::Or(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth_of(part)).collect();
                Ast::Truth(Bool::or(&parts))
            }
            Shape::Not(a) => Ast::Truth(self.truth_of(*a).not()),
        }
    }

    /// The pattern is a number from 0 to 2^bits − 1 already.
    fn bits(&self, op: BitOp, bits: u32, a: Node) -> BV {
        let pattern = self.number_of(a);
        let one = self.constant(1);
        let bit = |position: u32| {
            pattern
                .bvlshr(self.constant(i128::from(position)))
                .bvand(&one)
        };
        match op {
            BitOp::Popc => {
                (0..bits).fold(self.constant(0), |sum, position| sum.bvadd(bit(position)))
            }
            BitOp::Ffs => (0..bits).rev().fold(self.constant(0), |rest, position| {
                let set = bit(position).eq(&one);
                set.ite(&self.constant(i128::from(position) + 1), &rest)
            }),
            BitOp::Brev => (0..bits).fold(self.constant(0), |sum, position| {
                let to = self.constant(i128::from(bits - 1 - position));
                sum.bvadd(bit(position).bvshl(to))
            }),
        }
    }
}
