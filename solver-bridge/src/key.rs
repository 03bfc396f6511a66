//! Formulas as texts, to find out that two are equal.
//!
//! Instances of a template and launches of a kernel often ask the same: their terms differ by what
//! takes no part, the normal form is the same.

use crate::formula::{BitOp, Formula, Node, Shape};

struct Writer {
    bytes: Vec<u8>,
    /// Where each node stands among those below the roots.
    places: Vec<u32>,
}

impl Writer {
    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn number(&mut self, value: i128) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn end(&mut self, end: Option<i128>) {
        self.tag(u8::from(end.is_some()));
        self.number(end.unwrap_or(0));
    }

    fn node(&mut self, node: Node) {
        self.bytes.extend(self.places[node.index()].to_le_bytes());
    }

    fn nodes(&mut self, nodes: &[Node]) {
        self.number(nodes.len() as i128);
        for &node in nodes {
            self.node(node);
        }
    }
}

impl Formula {
    /// A text of the conjunction of the roots: two formulas with the same text have the same models, for variables by name.
    pub(crate) fn key(&self, roots: &[Node]) -> Vec<u8> {
        let reachable = self.reachable(roots);
        let mut places = vec![u32::MAX; self.shapes.len()];
        for (place, node) in reachable.iter().enumerate() {
            places[node.index()] = place as u32;
        }
        let mut writer = Writer {
            bytes: Vec::with_capacity(reachable.len() * 40),
            places,
        };
        for &node in &reachable {
            match self.shape(node) {
                Shape::Var(id) => {
                    let variable = &self.variables[id.0 as usize];
                    writer.tag(0);
                    writer.number(variable.name.len() as i128);
                    writer.bytes.extend(variable.name.as_bytes());
                    writer.end(variable.bounds.low);
                    writer.end(variable.bounds.high);
                    writer.tag(u8::from(variable.truth));
                }
                Shape::Sum(poly) => {
                    writer.tag(1);
                    writer.number(poly.constant);
                    writer.number(poly.terms.len() as i128);
                    for (monomial, coefficient) in &poly.terms {
                        writer.number(*coefficient);
                        writer.nodes(monomial);
                    }
                }
                Shape::Product(a, b) => {
                    writer.tag(2);
                    writer.nodes(&[*a, *b]);
                }
                Shape::Floor(a, c) => {
                    writer.tag(3);
                    writer.node(*a);
                    writer.number(*c);
                }
                Shape::Quotient(a, b) => {
                    writer.tag(4);
                    writer.nodes(&[*a, *b]);
                }
                Shape::Remainder(a, b) => {
                    writer.tag(5);
                    writer.nodes(&[*a, *b]);
                }
                Shape::BitAnd(a, b) => {
                    writer.tag(6);
                    writer.nodes(&[*a, *b]);
                }
                Shape::Bits(op, bits, a) => {
                    writer.tag(match op {
                        BitOp::Popc => 7,
                        BitOp::Ffs => 8,
                        BitOp::Brev => 9,
                    });
                    writer.number(i128::from(*bits));
                    writer.node(*a);
                }
                Shape::Choose(c, a, b) => {
                    writer.tag(10);
                    writer.nodes(&[*c, *a, *b]);
                }
                Shape::Truth(value) => writer.tag(11 + u8::from(*value)),
                Shape::AtMostZero(a) => {
                    writer.tag(13);
                    writer.node(*a);
                }
                Shape::IsZero(a) => {
                    writer.tag(14);
                    writer.node(*a);
                }
                Shape::And(parts) => {
                    writer.tag(15);
                    writer.nodes(parts);
                }
                Shape::Or(parts) => {
                    writer.tag(16);
                    writer.nodes(parts);
                }
                Shape::Not(a) => {
                    writer.tag(17);
                    writer.node(*a);
                }
            }
        }
        writer.nodes(roots);
        writer.bytes
    }
}
