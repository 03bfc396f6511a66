//! Products as numbers of their own, and what is known of two that share factors.
//!
//! For a common part u ≥ 0 of two products, `x < y → x·u + u ≤ y·u` and `x = y → x·u = y·u`: over
//! integers that is all that most proofs about rows and pitches need. A product is also compared
//! with its own part (`y = 1`) and with nothing (`y = 0`).

use rustc_hash::FxHashMap;

use crate::formula::Node;
use crate::sums::Monomial;

/// The products of a formula.
pub(crate) struct Products<N> {
    pub(crate) known: FxHashMap<Monomial, N>,
    /// In the order in which they were met.
    pub(crate) order: Vec<Monomial>,
}

impl<N> Default for Products<N> {
    fn default() -> Self {
        Products {
            known: FxHashMap::default(),
            order: Vec::new(),
        }
    }
}

/// One of two products that are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The common part times an atom; the product.
    Factor(Node, Monomial),
    /// The common part.
    One,
    /// Nothing.
    Zero,
}

/// Two products with a common part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comparison {
    pub(crate) common: Monomial,
    pub(crate) sides: [Side; 2],
}

/// Most comparisons of a formula.
const MAX_COMPARISONS: usize = 160;

/// All comparisons of products by one factor.
pub(crate) fn comparisons(products: &[Monomial]) -> Vec<Comparison> {
    let mut result = Vec::new();
    let mut add = |comparison: Comparison| {
        if result.len() < MAX_COMPARISONS && !result.contains(&comparison) {
            result.push(comparison);
        }
    };
    let side =
        |without: &(Node, Monomial), product: &Monomial| Side::Factor(without.0, product.clone());
    for (position, product) in products.iter().enumerate() {
        let parts = parts(product);
        // Pairs first: they are what proofs are made of.
        for other in &products[position + 1..] {
            for part in &parts {
                for of_other in self::parts(other) {
                    if part.1 == of_other.1 && part.0 != of_other.0 {
                        add(Comparison {
                            common: part.1.clone(),
                            sides: [side(part, product), side(&of_other, other)],
                        });
                    }
                }
                if part.1 == *other {
                    add(Comparison {
                        common: other.clone(),
                        sides: [side(part, product), Side::One],
                    });
                }
            }
            for of_other in self::parts(other) {
                if of_other.1 == *product {
                    add(Comparison {
                        common: product.clone(),
                        sides: [side(&of_other, other), Side::One],
                    });
                }
            }
        }
    }
    for product in products {
        for part in parts(product) {
            let known = part.1.len() == 1 || products.contains(&part.1);
            for other in [Side::Zero, Side::One] {
                if known {
                    add(Comparison {
                        common: part.1.clone(),
                        sides: [side(&part, product), other],
                    });
                }
            }
        }
    }
    result
}

/// Each factor with the rest of the product.
fn parts(product: &Monomial) -> Vec<(Node, Monomial)> {
    let mut parts: Vec<(Node, Monomial)> = Vec::new();
    for (position, &atom) in product.iter().enumerate() {
        let mut rest = product.clone();
        rest.remove(position);
        if !parts.iter().any(|(known, _)| *known == atom) {
            parts.push((atom, rest));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::formula::{Formula, Variable};

    fn atoms(count: usize) -> Vec<Node> {
        let mut f = Formula::default();
        (0..count)
            .map(|index| {
                let variable = Variable {
                    name: format!("v{index}"),
                    bounds: Bounds::ANY,
                    truth: false,
                    shared: false,
                    ordinal: false,
                };
                f.variable(variable).1
            })
            .collect()
    }

    /// Rows and planes: w·y, w·y', w·h, w·h·z, w·h·z'.
    #[test]
    fn comparisons_hold_for_all_small_numbers() {
        let all = atoms(6);
        let [w, h, y, y2, z, z2] = all[..] else {
            panic!("six atoms");
        };
        let products: Vec<Monomial> = [
            vec![w, y],
            vec![w, y2],
            vec![w, h],
            vec![w, h, z],
            vec![w, h, z2],
            vec![y, y],
        ]
        .into_iter()
        .map(Monomial::from_vec)
        .collect();
        let found = comparisons(&products);
        let has = |common: &[Node], one: Node, other: Node| {
            found.iter().any(|comparison| {
                comparison.common.as_slice() == common
                    && matches!(&comparison.sides, [Side::Factor(a, _), Side::Factor(b, _)]
                        if (*a, *b) == (one, other) || (*b, *a) == (one, other))
            })
        };
        assert!(has(&[w], y, y2) && has(&[w], y, h) && has(&[w, h], z, z2));
        let mut checked = 0;
        for code in 0..5i128.pow(6) {
            let mut rest = code;
            let values: Vec<i128> = all
                .iter()
                .map(|_| {
                    let value = rest % 5 - 2;
                    rest /= 5;
                    value
                })
                .collect();
            let of = |atom: Node| values[all.iter().position(|&other| other == atom).unwrap_or(0)];
            let value = |product: &Monomial| product.iter().map(|&atom| of(atom)).product::<i128>();
            for comparison in &found {
                let unit = value(&comparison.common);
                let [(a, left), (b, right)] = comparison.sides.clone().map(|side| match side {
                    Side::Factor(atom, product) => (of(atom), value(&product)),
                    Side::One => (1, unit),
                    Side::Zero => (0, 0),
                });
                // What is asserted of them.
                assert!(unit < 0 || a >= b || left + unit <= right);
                assert!(unit < 0 || b >= a || right + unit <= left);
                assert!(a != b || left == right);
                checked += 1;
            }
        }
        assert!(checked > 100_000);
    }
}
