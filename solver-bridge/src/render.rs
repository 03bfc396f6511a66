//! Formulas for Z3, over integers (exact up to bit operators) or relaxed to reals.
//!
//! **Factoring.** Products of variables are what makes index queries hard. A sum is written as
//! `u·D + r` for a shared factor u (a block size, a pitch), where `D` is a variable of its own for
//! the difference that u multiplies, with the integrality split `D ≤ −1 ∨ D = 0 ∨ D ≥ 1`; nested
//! for mixed radix (`bd·(Δb + gd·Δk) + Δt`). With it, most refutations are found over the reals.
//!
//! **Linear.** Before that, products are numbers of their own over which only their monotonicity is
//! known, `x < y → x·u + u ≤ y·u` for `u ≥ 0` (`products`; the lemmas of incremental linearisation,
//! Cimatti et al., *ACM TOCL* 2018): a question of linear integer arithmetic.
//!
//! **Accuracy.** Over reals every constraint is implied by the integer formula: UNSAT is UNSAT, SAT
//! says nothing; the same holds of the linear formula. Over integers the formula is exact, except that `a & b` with two variable
//! operands and bit counts are only bounded: UNSAT is UNSAT, and a model must be replayed.

use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int, Real};

use crate::bounds::Bounds;
use crate::formula::{Formula, Node, Shape};
use crate::products::{self, Comparison, Products, Side};
use crate::sums::{Monomial, Poly, gcd};

/// Numbers of a theory of Z3.
pub(crate) trait Number: Clone {
    /// Whether variables of it are integers.
    const INTEGRAL: bool;
    fn constant(value: i128) -> Self;
    fn variable(name: &str) -> Self;
    fn sum(parts: &[Self]) -> Self;
    fn product(a: &Self, b: &Self) -> Self;
    fn at_most(a: &Self, b: &Self) -> Bool;
    fn equal(a: &Self, b: &Self) -> Bool;
    fn choose(c: &Bool, a: &Self, b: &Self) -> Self;
}

impl Number for Int {
    const INTEGRAL: bool = true;
    fn constant(value: i128) -> Self {
        i64::try_from(value).map_or_else(|_| Int::from_i128(value), Int::from_i64)
    }
    fn variable(name: &str) -> Self {
        Int::new_const(name)
    }
    fn sum(parts: &[Self]) -> Self {
        Int::add(parts)
    }
    fn product(a: &Self, b: &Self) -> Self {
        Int::mul(&[a, b])
    }
    fn at_most(a: &Self, b: &Self) -> Bool {
        a.le(b)
    }
    fn equal(a: &Self, b: &Self) -> Bool {
        a.eq(b)
    }
    fn choose(c: &Bool, a: &Self, b: &Self) -> Self {
        c.ite(a, b)
    }
}

impl Number for Real {
    const INTEGRAL: bool = false;
    fn constant(value: i128) -> Self {
        match i32::try_from(value) {
            Ok(value) => Real::from_rational(i64::from(value), 1),
            Err(_) => Real::from_int(&Int::from_i128(value)),
        }
    }
    fn variable(name: &str) -> Self {
        Real::new_const(name)
    }
    fn sum(parts: &[Self]) -> Self {
        Real::add(parts)
    }
    fn product(a: &Self, b: &Self) -> Self {
        Real::mul(&[a, b])
    }
    fn at_most(a: &Self, b: &Self) -> Bool {
        a.le(b)
    }
    fn equal(a: &Self, b: &Self) -> Bool {
        a.eq(b)
    }
    fn choose(c: &Bool, a: &Self, b: &Self) -> Self {
        c.ite(a, b)
    }
}

/// A node as Z3 sees it.
#[derive(Clone)]
pub(crate) enum Ast<N> {
    Number(N),
    Truth(Bool),
}

/// A rendered formula.
pub(crate) struct Rendered<N> {
    /// Nodes that were reachable from the roots.
    nodes: FxHashMap<Node, Ast<N>>,
    /// Definitions and bounds, to be asserted with the roots.
    pub(crate) definitions: Vec<Bool>,
    sums: FxHashMap<Poly, N>,
    fresh: usize,
    /// The products, where these are numbers of their own.
    products: Option<Products<N>>,
}

impl<N: Number> Rendered<N> {
    pub(crate) fn new() -> Self {
        Rendered {
            nodes: FxHashMap::default(),
            definitions: Vec::new(),
            sums: FxHashMap::default(),
            fresh: 0,
            products: None,
        }
    }

    /// Products are numbers of which little is known.
    pub(crate) fn linear() -> Self {
        Rendered {
            products: Some(Products::default()),
            ..Rendered::new()
        }
    }

    /// Renders what is reachable from the roots and not rendered yet.
    pub(crate) fn render(&mut self, f: &Formula, roots: &[Node]) {
        for node in f.reachable(roots) {
            if !self.nodes.contains_key(&node) {
                let ast = self.node(f, node);
                self.nodes.insert(node, ast);
            }
        }
        if !N::INTEGRAL {
            self.split_twins(f);
        }
        if self.products.is_some() {
            self.relate_products(f);
        }
    }

    pub(crate) fn truth(&self, node: Node) -> Option<&Bool> {
        match self.nodes.get(&node) {
            Some(Ast::Truth(truth)) => Some(truth),
            _ => None,
        }
    }

    pub(crate) fn number(&self, node: Node) -> Option<&N> {
        match self.nodes.get(&node) {
            Some(Ast::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn number_of(&self, node: Node) -> N {
        match self.nodes.get(&node) {
            Some(Ast::Number(number)) => number.clone(),
            Some(Ast::Truth(truth)) => N::choose(truth, &N::constant(1), &N::constant(0)),
            None => N::constant(0),
        }
    }

    fn truth_of(&self, node: Node) -> Bool {
        match self.nodes.get(&node) {
            Some(Ast::Truth(truth)) => truth.clone(),
            _ => Bool::from_bool(false),
        }
    }

    fn fresh(&mut self, what: &str) -> N {
        self.fresh += 1;
        N::variable(&format!("{what}!{}", self.fresh))
    }

    fn bound(&mut self, variable: &N, bounds: Bounds) {
        if let Some(low) = bounds.low {
            self.definitions
                .push(N::at_most(&N::constant(low), variable));
        }
        if let Some(high) = bounds.high {
            self.definitions
                .push(N::at_most(variable, &N::constant(high)));
        }
        if let (false, Some(low), Some(high)) = (N::INTEGRAL, bounds.low, bounds.high)
            && high - low <= 3
        {
            let values: Vec<Bool> = (low..=high)
                .map(|value| N::equal(variable, &N::constant(value)))
                .collect();
            self.definitions.push(Bool::or(&values));
        }
    }

    fn node(&mut self, f: &Formula, node: Node) -> Ast<N> {
        match f.shape(node).clone() {
            Shape::Var(id) => {
                let variable = &f.variables[id.0 as usize];
                if variable.truth {
                    return Ast::Truth(Bool::new_const(variable.name.as_str()));
                }
                let number = N::variable(&variable.name);
                self.bound(&number, variable.bounds);
                Ast::Number(number)
            }
            Shape::Sum(poly) => Ast::Number(self.sum(f, &poly)),
            Shape::Product(a, b) => {
                let mut atoms = Monomial::from_slice(&[a, b]);
                atoms.sort_unstable();
                Ast::Number(self.monomial(f, &atoms))
            }
            Shape::Floor(a, c) => {
                let quotient = self.fresh("floor");
                let a = self.number_of(a);
                let multiple = N::product(&N::constant(c), &quotient);
                let last = N::sum(&[multiple.clone(), N::constant(c - 1)]);
                self.definitions.push(N::at_most(&multiple, &a));
                self.definitions.push(N::at_most(&a, &last));
                self.bound(&quotient, f.bounds(node));
                Ast::Number(quotient)
            }
            Shape::Quotient(a, b) => {
                let quotient = self.fresh("quotient");
                let remainder = match f.find(&Shape::Remainder(a, b)) {
                    Some(other) if self.nodes.contains_key(&other) => self.number_of(other),
                    _ => self.fresh("remainder"),
                };
                self.nodes.insert(node, Ast::Number(quotient.clone()));
                let product = self.times(f, b, node);
                self.division(f, (a, b), product, &remainder);
                self.bound(&quotient, f.bounds(node));
                Ast::Number(quotient)
            }
            Shape::Remainder(a, b) => {
                // The same remainder as that of the quotient, when there is one: it is a function
                // of a and b, and the division below determines it wherever b is not 0.
                let remainder = self.fresh("remainder");
                let product = if self.products.is_some() {
                    self.fresh("multiple")
                } else {
                    let quotient = self.fresh("quotient");
                    N::product(&self.number_of(b), &quotient)
                };
                self.division(f, (a, b), product, &remainder);
                Ast::Number(remainder)
            }
            Shape::BitAnd(a, b) => {
                let both = self.fresh("bit_and");
                self.bound(&both, f.bounds(node));
                for operand in [a, b] {
                    if f.bounds(operand).low.is_some_and(|low| low >= 0) {
                        let operand = self.number_of(operand);
                        self.definitions.push(N::at_most(&both, &operand));
                    }
                }
                Ast::Number(both)
            }
            Shape::Bits(..) => {
                let bits = self.fresh("bits");
                self.bound(&bits, f.bounds(node));
                Ast::Number(bits)
            }
            Shape::Choose(c, a, b) => Ast::Number(N::choose(
                &self.truth_of(c),
                &self.number_of(a),
                &self.number_of(b),
            )),
            Shape::Truth(value) => Ast::Truth(Bool::from_bool(value)),
            Shape::AtMostZero(a) => Ast::Truth(N::at_most(&self.number_of(a), &N::constant(0))),
            Shape::IsZero(a) => Ast::Truth(N::equal(&self.number_of(a), &N::constant(0))),
            Shape::And(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth_of(part)).collect();
                Ast::Truth(Bool::and(&parts))
            }
            Shape::Or(parts) => {
                let parts: Vec<Bool> = parts.iter().map(|&part| self.truth_of(part)).collect();
                Ast::Truth(Bool::or(&parts))
            }
            Shape::Not(a) => match *f.shape(a) {
                // Integers that are not 0 are at least 1 away from it; reals are not.
                Shape::IsZero(number) => {
                    let number = self.number_of(number);
                    Ast::Truth(Bool::or(&[
                        N::at_most(&number, &N::constant(-1)),
                        N::at_most(&N::constant(1), &number),
                    ]))
                }
                _ => Ast::Truth(self.truth_of(a).not()),
            },
        }
    }

    /// The product of a number and a quotient.
    fn times(&mut self, f: &Formula, number: Node, quotient: Node) -> N {
        if self.products.is_none() {
            return N::product(&self.number_of(number), &self.number_of(quotient));
        }
        let mut poly = Poly::default();
        let factor = f.poly(number);
        for (mut monomial, coefficient) in factor.terms {
            monomial.push(quotient);
            monomial.sort_unstable();
            poly.terms.push((monomial, coefficient));
        }
        if factor.constant != 0 {
            poly.terms
                .push((Monomial::from_slice(&[quotient]), factor.constant));
        }
        self.sum(f, &poly)
    }

    /// b ≠ 0 → a = b·q + r, |r| < |b|, r has the sign of a. Total: nothing is said for b = 0.
    fn division(&mut self, f: &Formula, (a, b): (Node, Node), product: N, r: &N) {
        let zero = N::constant(0);
        let one = N::constant(1);
        let (dividend, divisor) = (self.number_of(a), self.number_of(b));
        let whole = N::equal(&dividend, &N::sum(&[product, r.clone()]));
        let minus = |x: &N| N::product(&N::constant(-1), x);
        let natural = N::at_most(&zero, &dividend);
        let sign = Bool::and(&[
            natural.implies(N::at_most(&zero, r)),
            Bool::or(&[natural, N::at_most(r, &zero)]),
        ]);
        let within = |size: &N| {
            let most = N::sum(&[size.clone(), N::constant(-1)]);
            Bool::and(&[N::at_most(r, &most), N::at_most(&minus(&most), r)])
        };
        let positive = N::at_most(&one, &divisor);
        let negative = N::at_most(&divisor, &N::constant(-1));
        let mut parts = Vec::new();
        if f.bounds(b).high.is_none_or(|high| high > 0) {
            parts.push(positive.implies(Bool::and(&[
                whole.clone(),
                sign.clone(),
                within(&divisor),
            ])));
        }
        if f.bounds(b).low.is_none_or(|low| low < 0) {
            parts.push(negative.implies(Bool::and(&[whole, sign, within(&minus(&divisor))])));
        }
        self.definitions.extend(parts);
    }

    // ---- sums

    fn monomial(&mut self, f: &Formula, monomial: &Monomial) -> N {
        if monomial.len() > 1
            && let Some(products) = &mut self.products
        {
            let fresh = products.known.len();
            let number = products.known.entry(monomial.clone()).or_insert_with(|| {
                products.order.push(monomial.clone());
                N::variable(&format!("product!{fresh}"))
            });
            let number = number.clone();
            if fresh
                < self
                    .products
                    .as_ref()
                    .map_or(0, |products| products.known.len())
            {
                self.bound(&number, f.monomial_bounds(monomial));
            }
            return number;
        }
        let mut atoms = monomial.iter();
        let first = atoms
            .next()
            .map_or_else(|| N::constant(1), |&atom| self.number_of(atom));
        atoms.fold(first, |product, &atom| {
            N::product(&product, &self.number_of(atom))
        })
    }

    fn sum(&mut self, f: &Formula, poly: &Poly) -> N {
        if let Some(known) = self.sums.get(poly) {
            return known.clone();
        }
        let mut parts: Vec<N> = Vec::new();
        let mut rest = poly.clone();
        while let Some(factor) = common_factor(f, &rest).filter(|_| self.products.is_none()) {
            let mut inner = Poly::default();
            let mut outer = Poly {
                terms: Vec::new(),
                constant: rest.constant,
            };
            for (monomial, coefficient) in rest.terms {
                match monomial.iter().position(|&atom| atom == factor) {
                    Some(position) if monomial.len() > 1 => {
                        let mut left = monomial;
                        left.remove(position);
                        inner.terms.push((left, coefficient));
                    }
                    _ => outer.terms.push((monomial, coefficient)),
                }
            }
            inner.terms.sort();
            let multiplied = self.difference(f, inner);
            parts.push(N::product(&self.number_of(factor), &multiplied));
            rest = outer;
        }
        for (monomial, coefficient) in &rest.terms {
            let product = self.monomial(f, monomial);
            parts.push(match coefficient {
                1 => product,
                _ => N::product(&N::constant(*coefficient), &product),
            });
        }
        if rest.constant != 0 || parts.is_empty() {
            parts.push(N::constant(rest.constant));
        }
        let sum = match parts.as_slice() {
            [one] => one.clone(),
            _ => N::sum(&parts),
        };
        self.sums.insert(poly.clone(), sum.clone());
        sum
    }

    /// What a factor multiplies: an atom, or a variable for the sum with its integrality split.
    fn difference(&mut self, f: &Formula, mut inner: Poly) -> N {
        let content = inner.terms.iter().fold(0, |g, (_, c)| gcd(g, *c)).max(1);
        let sign = if inner.terms.first().is_some_and(|(_, c)| *c < 0) {
            -content
        } else {
            content
        };
        for (_, coefficient) in &mut inner.terms {
            *coefficient /= sign;
        }
        let scaled = |number: &N| match sign {
            1 => number.clone(),
            _ => N::product(&N::constant(sign), number),
        };
        if inner.terms.len() == 1 {
            return scaled(&self.monomial(f, &inner.terms[0].0));
        }
        let key = Poly {
            terms: inner.terms.clone(),
            constant: 0,
        };
        let defined = self.sum(f, &key);
        let marker = Poly {
            terms: inner.terms,
            constant: i128::MAX,
        };
        if let Some(known) = self.sums.get(&marker) {
            return scaled(known);
        }
        let difference = self.fresh("difference");
        self.definitions.push(N::equal(&difference, &defined));
        self.split(&difference);
        self.sums.insert(marker, difference.clone());
        scaled(&difference)
    }

    fn split(&mut self, number: &N) {
        self.definitions.push(Bool::or(&[
            N::at_most(number, &N::constant(-1)),
            N::equal(number, &N::constant(0)),
            N::at_most(&N::constant(1), number),
        ]));
    }

    /// Adds what is known of products that share factors, see [`products`].
    fn relate_products(&mut self, f: &Formula) {
        let order = self.products.as_ref().map_or(&[][..], |known| &known.order);
        for Comparison { common, sides } in products::comparisons(order) {
            let value = |rendered: &mut Self, side: &Side| -> (N, N) {
                match side {
                    Side::Factor(atom, product) => {
                        (rendered.number_of(*atom), rendered.monomial(f, product))
                    }
                    Side::One => (N::constant(1), rendered.monomial(f, &common)),
                    Side::Zero => (N::constant(0), N::constant(0)),
                }
            };
            let unit = self.monomial(f, &common);
            let (a, left) = value(self, &sides[0]);
            let (b, right) = value(self, &sides[1]);
            let natural = N::at_most(&N::constant(0), &unit);
            let one = N::constant(1);
            for ((a, left), (b, right)) in
                [((&a, &left), (&b, &right)), ((&b, &right), (&a, &left))]
            {
                let less = N::at_most(&N::sum(&[a.clone(), one.clone()]), b);
                let apart = N::at_most(&N::sum(&[left.clone(), unit.clone()]), right);
                let known = Bool::and(&[natural.clone(), less]);
                self.definitions.push(known.implies(apart));
            }
            let same = N::equal(&a, &b);
            self.definitions.push(same.implies(N::equal(&left, &right)));
        }
    }

    /// Corresponding variables and quotients of the two threads differ by an integer.
    fn split_twins(&mut self, f: &Formula) {
        let by_name: FxHashMap<&str, usize> = f
            .variables
            .iter()
            .enumerate()
            .map(|(index, variable)| (variable.name.as_str(), index))
            .collect();
        let mut nodes: Vec<Node> = self.nodes.keys().copied().collect();
        nodes.sort_unstable();
        let mut twin: FxHashMap<Node, Node> = FxHashMap::default();
        for node in nodes {
            let other = match f.shape(node) {
                _ if f.is_shared(node) => Some(node),
                Shape::Var(id) => {
                    let name = &f.variables[id.0 as usize].name;
                    let other = name
                        .strip_suffix("#1")
                        .and_then(|stem| by_name.get(format!("{stem}#2").as_str()));
                    other
                        .and_then(|&index| f.find(&Shape::Var(crate::formula::VarId(index as u32))))
                }
                Shape::Sum(poly) => {
                    twin_poly(poly, &twin).and_then(|poly| f.find(&Shape::Sum(poly)))
                }
                Shape::Floor(a, c) => twin.get(a).and_then(|&a| f.find(&Shape::Floor(a, *c))),
                Shape::Quotient(a, b) => match (twin.get(a), twin.get(b)) {
                    (Some(&a), Some(&b)) => f.find(&Shape::Quotient(a, b)),
                    _ => None,
                },
                _ => None,
            };
            let Some(other) = other.filter(|other| self.nodes.contains_key(other)) else {
                continue;
            };
            twin.insert(node, other);
            let is_atom = matches!(
                f.shape(node),
                Shape::Var(_) | Shape::Floor(..) | Shape::Quotient(..)
            );
            if is_atom && other != node {
                let minus = N::product(&N::constant(-1), &self.number_of(other));
                let difference = N::sum(&[self.number_of(node), minus]);
                self.split(&difference);
            }
        }
    }
}

fn twin_poly(poly: &Poly, twin: &FxHashMap<Node, Node>) -> Option<Poly> {
    let mut terms = Vec::new();
    for (monomial, coefficient) in &poly.terms {
        let mut image: Monomial = monomial
            .iter()
            .map(|atom| twin.get(atom).copied())
            .collect::<Option<_>>()?;
        image.sort_unstable();
        terms.push((image, *coefficient));
    }
    terms.sort();
    Some(Poly {
        terms,
        constant: poly.constant,
    })
}

/// The factor to take out of a sum: shared by both threads if possible, in most of its products.
fn common_factor(f: &Formula, poly: &Poly) -> Option<Node> {
    let mut counts: Vec<(Node, usize)> = Vec::new();
    for (monomial, _) in &poly.terms {
        if monomial.len() < 2 {
            continue;
        }
        let mut last = None;
        for &atom in monomial {
            if last == Some(atom) {
                continue;
            }
            last = Some(atom);
            match counts.iter_mut().find(|(other, _)| *other == atom) {
                Some((_, count)) => *count += 1,
                None => counts.push((atom, 1)),
            }
        }
    }
    counts
        .into_iter()
        .max_by_key(|&(node, count)| (f.is_shared(node), count, std::cmp::Reverse(node)))
        .map(|(node, _)| node)
}
