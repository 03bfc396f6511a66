//! Quotients and remainders of formulas in normal form.
//!
//! **Division by zero** is undefined in C, so what is computed with a quotient by 0 is never looked at: its value is arbitrary,
//! and what holds of all other divisors may be used to rewrite it. No rewriting constrains a divisor: where the division is
//! not executed it may be 0.
//!
//! **Normal form.** What a divisor divides is divided, `(m·x) / m = x`; a quotient of a quotient is that by the product, `x / m / n = x / (m·n)`
//! (both truncate towards 0); a remainder beside its quotient is the dividend, `m·(x / m) + x % m = x`. So the row and the
//! column of an index, taken apart and put together again, are that index.

use crate::formula::{Formula, Node, Shape};
use crate::sums::{Monomial, Poly, collect, gcd, merge};

/// Most remainders of a sum that are looked at.
const MAX_REMAINDERS: usize = 8;

impl Formula {
    /// ⌊a / c⌋ for c ≥ 1.
    pub(crate) fn floor_div(&mut self, a: Node, c: i128) -> Node {
        if c <= 1 {
            return a;
        }
        if let Some(value) = self.bounds(a).floor_div(c).single() {
            return self.constant(value);
        }
        if let Shape::Floor(inner, c1) = *self.shape(a)
            && let Some(product) = c1.checked_mul(c)
        {
            return self.floor_div(inner, product);
        }
        // ⌊(c·X + Y) / c⌋ = X + ⌊Y / c⌋
        let poly = self.poly(a);
        let (mut whole, mut rest) = (Poly::default(), Poly::default());
        for (monomial, coefficient) in poly.terms {
            if coefficient % c == 0 {
                whole.terms.push((monomial, coefficient / c));
            } else {
                rest.terms.push((monomial, coefficient));
            }
        }
        whole.constant = poly.constant.div_euclid(c);
        rest.constant = poly.constant.rem_euclid(c);
        // ⌊(g·Y + k) / (g·c)⌋ = ⌊Y / c⌋ for 0 ≤ k < g
        let divisor = rest.terms.iter().fold(c, |g, (_, k)| gcd(g, *k));
        for (_, coefficient) in &mut rest.terms {
            *coefficient /= divisor;
        }
        rest.constant = rest.constant.div_euclid(divisor);
        let c = c / divisor;
        let rest = self.node_of(rest);
        let floor = match self.bounds(rest).floor_div(c).single() {
            _ if c == 1 => rest,
            Some(value) => self.constant(value),
            None => self.intern(Shape::Floor(rest, c)),
        };
        let whole = self.node_of(whole);
        self.add(whole, floor)
    }

    /// a − c·⌊a / c⌋, in 0 … c − 1.
    pub(crate) fn floor_mod(&mut self, a: Node, c: i128) -> Node {
        let floor = self.floor_div(a, c);
        self.add_scaled(a, floor, -c)
    }

    /// The value modulo 2ⁿ as an unsigned or signed number of n bits.
    pub(crate) fn wrap(&mut self, a: Node, bits: u32, signed: bool) -> Node {
        let modulus = 1i128 << bits;
        let half = if signed { modulus / 2 } else { 0 };
        let shifted = self.offset(a, half);
        let low = self.floor_mod(shifted, modulus);
        self.offset(low, -half)
    }

    /// Truncating quotient; any value for divisor 0.
    pub(crate) fn quotient(&mut self, a: Node, b: Node) -> Node {
        match self.as_constant(b) {
            Some(0) | None => {}
            Some(c) if c < 0 => {
                let positive = self.constant(-c);
                let quotient = self.quotient(a, positive);
                return self.scale(quotient, -1);
            }
            Some(c) => return self.truncating(a, c),
        }
        if let Some(exact) = self.divided(a, b) {
            return exact;
        }
        if let Some(same) = self.nested(a, b) {
            return same;
        }
        self.intern(Shape::Quotient(a, b))
    }

    /// The quotient that is a / b in another form and is there already: x / m / n is x / (m·n). Which of the two forms is used
    /// is left as it was written where nothing compares them: products are costly.
    fn nested(&mut self, a: Node, b: Node) -> Option<Node> {
        if let Shape::Quotient(inner, first) = *self.shape(a) {
            let both = self.mul(first, b);
            return self.find(&Shape::Quotient(inner, both));
        }
        let divisor = self.poly(b);
        let ([(factors, coefficient)], 0) = (divisor.terms.as_slice(), divisor.constant) else {
            return None;
        };
        if factors.len() < 2 {
            return None;
        }
        for &factor in factors {
            let rest = Poly {
                terms: vec![(without_factors(factors, &[factor])?, *coefficient)],
                constant: 0,
            };
            let rest = self.node_of(rest);
            for (first, second) in [(factor, rest), (rest, factor)] {
                if let Some(inner) = self.find(&Shape::Quotient(a, first)) {
                    return Some(self.quotient(inner, second));
                }
            }
        }
        None
    }

    /// a / b where b, one product, is a part of each summand of a.
    fn divided(&mut self, a: Node, b: Node) -> Option<Node> {
        let divisor = self.poly(b);
        let ([(factors, coefficient)], 0) = (divisor.terms.as_slice(), divisor.constant) else {
            return None;
        };
        let without = |poly: &Poly| -> Option<Poly> {
            if poly.constant != 0 || poly.terms.is_empty() {
                return None;
            }
            let terms = poly.terms.iter().map(|(monomial, of)| {
                let rest = without_factors(monomial, factors)?;
                (of % coefficient == 0).then(|| (rest, of / coefficient))
            });
            collect(terms.collect::<Option<_>>()?)
        };
        let poly = self.poly(a);
        let whole = match without(&poly) {
            Some(whole) => whole,
            None => without(&self.expanded(&poly)?)?,
        };
        Some(self.node_of(whole))
    }

    /// With `a − b·(a / b)` in place of the remainders `a % b`; none if there are none.
    fn expanded(&mut self, poly: &Poly) -> Option<Poly> {
        let mut poly = poly.clone();
        let mut any = false;
        for _ in 0..MAX_REMAINDERS {
            let remainder = poly
                .terms
                .iter()
                .flat_map(|(monomial, _)| monomial)
                .find(|atom| self.quotients.contains_key(atom));
            let Some(&remainder) = remainder else {
                return any.then_some(poly);
            };
            poly = self.without_remainder(&poly, remainder)?;
            any = true;
        }
        None
    }

    /// With `a − b·(a / b)` in place of the remainder `a % b`.
    fn without_remainder(&mut self, poly: &Poly, remainder: Node) -> Option<Poly> {
        let Shape::Remainder(a, b) = *self.shape(remainder) else {
            return None;
        };
        let quotient = *self.quotients.get(&remainder)?;
        let product = self.mul(b, quotient);
        let difference = self.sub(a, product);
        let value = self.poly(difference);
        let mut sum = Poly {
            terms: Vec::new(),
            constant: poly.constant,
        };
        for (monomial, coefficient) in &poly.terms {
            let rest = without_factors(monomial, &[remainder]);
            let rest = rest.filter(|rest| !rest.contains(&remainder));
            let Some(rest) = rest else {
                if monomial.contains(&remainder) {
                    return None;
                }
                sum.terms.push((monomial.clone(), *coefficient));
                continue;
            };
            for (factors, of) in value
                .terms
                .iter()
                .chain([&(Monomial::new(), value.constant)])
            {
                let mut monomial = rest.clone();
                monomial.extend_from_slice(factors);
                monomial.sort_unstable();
                sum.terms.push((monomial, coefficient.checked_mul(*of)?));
            }
        }
        self.work += sum.terms.len() as u64;
        let constant = sum.constant;
        let collected = collect(sum.terms)?;
        merge(
            &collected,
            &Poly {
                terms: Vec::new(),
                constant,
            },
            1,
        )
    }

    /// The same sum without the remainders that stand beside their quotients, where that rids it of both.
    pub(crate) fn recombined(&mut self, poly: Poly) -> Poly {
        if self.quotients.is_empty() || poly.terms.len() < 2 {
            return poly;
        }
        let mut poly = poly;
        for _ in 0..MAX_REMAINDERS {
            let holds = |atom: Node| poly.terms.iter().any(|(all, _)| all.contains(&atom));
            let beside = self
                .quotients_of(&poly)
                .into_iter()
                .find(|&(_, quotient)| holds(quotient));
            let Some((remainder, quotient)) = beside else {
                break;
            };
            match self.without_remainder(&poly, remainder) {
                Some(rest)
                    if !rest
                        .terms
                        .iter()
                        .any(|(all, _)| all.contains(&quotient) || all.contains(&remainder)) =>
                {
                    poly = rest;
                }
                _ => break,
            }
        }
        poly
    }

    /// The remainders of a sum, each with its quotient.
    fn quotients_of(&self, poly: &Poly) -> Vec<(Node, Node)> {
        let atoms = poly.terms.iter().flat_map(|(monomial, _)| monomial);
        let with_quotient = |atom: &Node| Some((*atom, *self.quotients.get(atom)?));
        atoms.filter_map(with_quotient).collect()
    }

    fn truncating(&mut self, a: Node, c: i128) -> Node {
        let bounds = self.bounds(a);
        if bounds.low.is_some_and(|low| low >= 0) {
            return self.floor_div(a, c);
        }
        let negative = self.scale(a, -1);
        let below = self.floor_div(negative, c);
        let below = self.scale(below, -1);
        if bounds.high.is_some_and(|high| high <= 0) {
            return below;
        }
        let above = self.floor_div(a, c);
        let is_negative = self.lt_const(a, 0);
        self.choose(is_negative, below, above)
    }

    /// Truncating remainder; any value for divisor 0.
    pub(crate) fn remainder(&mut self, a: Node, b: Node) -> Node {
        match self.as_constant(b) {
            None if !self.bounds(b).contains(0) => self.remainder_of(a, b),
            Some(0) | None => {
                let quotient = self.quotient(a, b);
                if !matches!(self.shape(quotient), Shape::Quotient(..)) {
                    return self.remainder_of(a, b);
                }
                let remainder = self.intern(Shape::Remainder(a, b));
                self.quotients.insert(remainder, quotient);
                remainder
            }
            Some(c) => {
                let quotient = self.quotient(a, b);
                self.add_scaled(a, quotient, -c)
            }
        }
    }

    /// Truncating remainder where the divisor is not 0: a − b·q holds only where there is a quotient.
    pub(crate) fn remainder_of(&mut self, a: Node, b: Node) -> Node {
        let quotient = self.quotient(a, b);
        let product = self.mul(b, quotient);
        self.sub(a, product)
    }
}

/// A product without some of its factors, if it has them.
fn without_factors(monomial: &Monomial, factors: &[Node]) -> Option<Monomial> {
    let mut rest = monomial.clone();
    for factor in factors {
        let position = rest.iter().position(|atom| atom == factor)?;
        rest.remove(position);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::formula::Variable;

    fn variables(f: &mut Formula, names: [&str; 4]) -> [Node; 4] {
        names.map(|name| {
            let variable = Variable {
                name: name.to_owned(),
                bounds: Bounds::ANY,
                truth: false,
                shared: false,
                ordinal: false,
            };
            f.variable(variable).1
        })
    }

    /// What is divided is divided, taken apart is put together: as nodes, without a solver.
    #[test]
    fn indices_taken_apart_are_put_together() {
        let f = &mut Formula::default();
        let [x, m, n, y] = variables(f, ["x", "m", "n", "y"]);
        let (column, row) = (f.remainder(x, m), f.quotient(x, m));
        let start = f.mul(row, m);
        let sum = f.add(start, column);
        assert_eq!(sum, x);
        // (x - x % m) / m
        let without = f.sub(x, column);
        assert_eq!(f.quotient(without, m), row);
        // The same in three dimensions: x % m, x / m % n, (x - …) / (m * n)
        let middle = f.remainder(row, n);
        let plane = f.mul(m, n);
        let high = {
            let of_row = f.mul(m, middle);
            let rest = f.sub(without, of_row);
            f.quotient(rest, plane)
        };
        assert_eq!(high, f.quotient(x, plane));
        assert_eq!(high, f.quotient(row, n));
        let top = f.mul(high, plane);
        let of_row = f.mul(m, middle);
        let low = f.add(of_row, column);
        assert_eq!(f.add(top, low), x);
        // Not of another number, nor by another divisor.
        let other = f.remainder(y, m);
        assert_ne!(f.add(start, other), x);
        let other = f.remainder(x, n);
        assert_ne!(f.add(start, other), x);
    }

    /// All small numbers, of both signs, but for divisors that are 0.
    #[test]
    fn rewriting_leaves_values_alone() {
        let f = &mut Formula::default();
        let [x, m, n, y] = variables(f, ["x", "m", "n", "y"]);
        type Value = fn([i128; 4]) -> i128;
        let mut cases: Vec<(Node, Value)> = Vec::new();
        let (column, row) = (f.remainder(x, m), f.quotient(x, m));
        let start = f.mul(row, m);
        cases.push((f.add(start, column), |[x, ..]| x));
        cases.push((f.quotient(row, n), |[x, m, n, _]| x / m / n));
        cases.push((f.remainder(row, n), |[x, m, n, _]| x / m % n));
        let scaled = f.mul(y, m);
        cases.push((f.quotient(scaled, m), |[.., y]| y));
        cases.push((f.remainder(scaled, m), |_| 0));
        let sum = f.add(scaled, x);
        cases.push((f.quotient(sum, m), |[x, m, _, y]| (y * m + x) / m));
        cases.push((f.remainder(sum, m), |[x, m, _, y]| (y * m + x) % m));
        let without = f.sub(x, column);
        cases.push((f.quotient(without, m), |[x, m, ..]| x / m));
        let twice = f.scale(m, 2);
        let doubled = f.scale(without, 2);
        cases.push((f.quotient(doubled, twice), |[x, m, ..]| x / m));
        cases.push((f.quotient(without, twice), |[x, m, ..]| x / m / 2));
        let squares = f.mul(column, column);
        cases.push((f.add(squares, start), |[x, m, ..]| {
            x % m * (x % m) + x / m * m
        }));
        let mut checked = 0;
        for code in 0..9i128.pow(4) {
            let values = [0, 1, 2, 3].map(|at| code / 9i128.pow(at) % 9 - 4);
            if values[1] == 0 || values[2] == 0 {
                continue;
            }
            for (node, value) in &cases {
                assert_eq!(
                    f.evaluate(*node, &values),
                    Some(value(values)),
                    "{node:?} with {values:?}"
                );
                checked += 1;
            }
        }
        assert!(checked > 50_000);
    }
}
