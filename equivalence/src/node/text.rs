//! Values as people read them.

use super::{Id, Leaf, Node, Pool};
use crate::float;

impl Pool {
    /// A value for people, shortened.
    #[must_use]
    pub fn shown(&self, id: Id) -> String {
        let mut text = self.text(id, 12);
        if text.len() > 2000 {
            let end = (0..=400)
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(0);
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn text(&self, id: Id, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        let all = |ids: &[Id], by: &str| {
            let parts: Vec<String> = ids.iter().map(|&id| self.text(id, depth)).collect();
            parts.join(by)
        };
        match self.node(id) {
            Node::Int(value) => value.to_string(),
            Node::Float(ty, bits) => float::as_real(*ty, *bits)
                .map_or_else(|| "?".to_owned(), |value| format!("{value:?}")),
            Node::Leaf(leaf) => {
                let axis = |axis: u8| {
                    let side = if axis < 3 { "" } else { " of the right side" };
                    format!("{}{side}", ["x", "y", "z"][usize::from(axis) % 3])
                };
                match leaf {
                    Leaf::Tid(at) => format!("threadIdx.{}", axis(*at)),
                    Leaf::Bid(at) => format!("blockIdx.{}", axis(*at)),
                    Leaf::Bdim(at) => format!("blockDim.{}", axis(*at)),
                    Leaf::Gdim(at) => format!("gridDim.{}", axis(*at)),
                    Leaf::Symbol(number, _) => format!("scalar{number}"),
                    Leaf::Iter(number) => format!("iteration{number}"),
                    Leaf::Carry(number, _) => format!("carried{number}"),
                    Leaf::Bound(height) => format!("k{height}"),
                    Leaf::BoundCarry(height, which) => format!("v{height}.{which}"),
                }
            }
            Node::Input(array, _, at) => format!("array{array}[{}]", self.text(*at, depth)),
            Node::Output(array, _, _, at) => {
                format!("array{array} afterwards[{}]", self.text(*at, depth))
            }
            Node::Poly(sum) => {
                let parts = sum
                    .iter()
                    .map(|(monomial, factor)| match monomial.is_empty() {
                        true => factor.to_string(),
                        false => format!("{factor}*{}", all(monomial, "*")),
                    });
                format!("({})", parts.collect::<Vec<String>>().join(" + "))
            }
            Node::Mod(bits, inner) => format!("u{bits}({})", self.text(*inner, depth)),
            Node::SignedMod(bits, inner) => format!("i{bits}({})", self.text(*inner, depth)),
            Node::Div(a, b) => format!("({} / {})", self.text(*a, depth), self.text(*b, depth)),
            Node::Call(name, _, args) => format!("{}({})", self.name_of(*name), all(args, ", ")),
            Node::NotNegative(p) => format!("{} >= 0", self.text(*p, depth)),
            Node::Zero(p) => format!("{} == 0", self.text(*p, depth)),
            Node::Not(inner) => format!("!({})", self.text(*inner, depth)),
            Node::And(parts) => format!("({})", all(parts, " && ")),
            Node::Or(parts) => format!("({})", all(parts, " || ")),
            Node::Ite(c, a, b) => {
                format!(
                    "({} ? {} : {})",
                    self.text(*c, depth),
                    self.text(*a, depth),
                    self.text(*b, depth)
                )
            }
            Node::Fold(fold, _) => format!(
                "fold(while {}; from {}; next {})",
                self.text(fold.condition, depth),
                all(&fold.start, ", "),
                all(&fold.next, ", ")
            ),
            Node::Trips(fold) => format!("trips(while {})", self.text(fold.condition, depth)),
        }
    }
}
