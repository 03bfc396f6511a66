//! Formulas: integers and truth values over the variables of a query, in a normal form.
//!
//! A formula is a DAG in an arena of its own, built once per query and rendered for Z3 over
//! reals, integers or bit-vectors. All numbers are mathematical integers: the wrap-around of C is
//! spelled out with floor division, `x mod 2ⁿ = x − 2ⁿ·⌊x / 2ⁿ⌋`, and vanishes where the bounds
//! of the variables show that it cannot happen.
//!
//! **Normal form.** Sums are polynomials with integer coefficients over atoms (everything that is
//! not a sum or a product), comparisons are `p ≤ 0` and `p = 0` divided by the greatest common
//! divisor of the coefficients, with the constant tightened as integers allow: so the byte
//! offsets `4·i` and `4·j + 2` never meet, and no theory has to find that out. Two terms with the
//! same normal form are one node.
//!
//! Every node is made after its children: ids are a topological order.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bounds::Bounds;
use crate::evaluate::bits_of;
pub(crate) use crate::sums::{Monomial, Poly, gcd};
use crate::sums::{collect, merge};

/// A node of the formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(u32);

impl Node {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of the formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct VarId(pub(crate) u32);

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Unique name, equal from run to run.
    pub(crate) name: String,
    /// Bounds that every model respects.
    pub(crate) bounds: Bounds,
    /// Whether it is a truth value.
    pub(crate) truth: bool,
    /// Whether both threads share it.
    pub(crate) shared: bool,
    /// Whether it counts the iterations of a loop.
    pub(crate) ordinal: bool,
}

/// Operators on bit patterns that have no arithmetic form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum BitOp {
    /// Number of one bits.
    Popc,
    /// Position of the lowest one bit plus 1.
    Ffs,
    /// Bits reversed, as an unsigned number.
    Brev,
}

/// The shapes of nodes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shape {
    /// A variable of either sort.
    Var(VarId),
    /// A polynomial that is not just one atom.
    Sum(Poly),
    /// A product too large to expand.
    Product(Node, Node),
    /// ⌊a / c⌋, c ≥ 2.
    Floor(Node, i128),
    /// Truncating quotient; any value for divisor 0.
    Quotient(Node, Node),
    /// Truncating remainder; any value for divisor 0.
    Remainder(Node, Node),
    /// Bitwise and of two's complement numbers of any length.
    BitAnd(Node, Node),
    /// An operator on the lowest bits of a number.
    Bits(BitOp, u32, Node),
    /// `c ? a : b` on numbers.
    Choose(Node, Node, Node),
    /// A truth constant.
    Truth(bool),
    /// p ≤ 0
    AtMostZero(Node),
    /// p = 0
    IsZero(Node),
    /// Conjunction, sorted, flat.
    And(Vec<Node>),
    /// Disjunction, sorted, flat.
    Or(Vec<Node>),
    /// Negation of a truth variable, an equality, a conjunction or a disjunction.
    Not(Node),
}

/// Most monomials of an expanded product.
const MAX_MONOMIALS: usize = 96;
/// Largest coefficient that is computed with; beyond it a value is over-approximated.
const MAX_COEFFICIENT: i128 = 1 << 100;

/// An arena of nodes and variables.
#[derive(Default)]
pub(crate) struct Formula {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) bounds: Vec<Bounds>,
    shared: Vec<bool>,
    known: FxHashMap<Shape, Node>,
    /// The quotient that goes with a remainder.
    pub(crate) quotients: FxHashMap<Node, Node>,
    pub(crate) variables: Vec<Variable>,
    /// Monomials and nodes handled so far, the measure of what building costs.
    pub(crate) work: u64,
    /// Something was too large to compute with and was replaced by an arbitrary value.
    pub(crate) approximated: bool,
}

impl Formula {
    pub(crate) fn shape(&self, node: Node) -> &Shape {
        &self.shapes[node.index()]
    }

    pub(crate) fn bounds(&self, node: Node) -> Bounds {
        self.bounds[node.index()]
    }

    /// Whether all variables of the node are shared by both threads.
    pub(crate) fn is_shared(&self, node: Node) -> bool {
        self.shared[node.index()]
    }

    /// The children of a node.
    pub(crate) fn children(&self, node: Node) -> SmallVec<[Node; 8]> {
        match self.shape(node) {
            Shape::Var(_) | Shape::Truth(_) => SmallVec::new(),
            Shape::Sum(poly) => poly
                .terms
                .iter()
                .flat_map(|(monomial, _)| monomial.iter().copied())
                .collect(),
            Shape::Product(a, b)
            | Shape::Quotient(a, b)
            | Shape::Remainder(a, b)
            | Shape::BitAnd(a, b) => SmallVec::from_slice(&[*a, *b]),
            Shape::Floor(a, _) | Shape::Bits(_, _, a) => SmallVec::from_slice(&[*a]),
            Shape::Choose(c, a, b) => SmallVec::from_slice(&[*c, *a, *b]),
            Shape::AtMostZero(a) | Shape::IsZero(a) | Shape::Not(a) => SmallVec::from_slice(&[*a]),
            Shape::And(all) | Shape::Or(all) => all.iter().copied().collect(),
        }
    }

    /// All nodes below the roots, children first.
    pub(crate) fn reachable(&self, roots: &[Node]) -> Vec<Node> {
        let mut seen = vec![false; self.shapes.len()];
        let mut stack = roots.to_vec();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) {
                stack.extend(self.children(node));
            }
        }
        (0..self.shapes.len())
            .filter(|&index| seen[index])
            .map(|index| Node(index as u32))
            .collect()
    }

    /// The node of a shape, if there is one.
    pub(crate) fn find(&self, shape: &Shape) -> Option<Node> {
        self.known.get(shape).copied()
    }

    /// Whether products of unknown numbers occur.
    pub(crate) fn is_nonlinear(&self) -> bool {
        self.shapes.iter().any(|shape| match shape {
            Shape::Product(..) => true,
            Shape::Sum(poly) => poly.terms.iter().any(|(monomial, _)| monomial.len() > 1),
            _ => false,
        })
    }

    /// Whether the node is a polynomial over variables.
    pub(crate) fn is_polynomial(&self, node: Node) -> bool {
        let is_variable = |node: &Node| matches!(self.shape(*node), Shape::Var(_));
        match self.shape(node) {
            Shape::Sum(poly) => poly
                .terms
                .iter()
                .all(|(monomial, _)| monomial.iter().all(is_variable)),
            _ => is_variable(&node),
        }
    }

    pub(crate) fn intern(&mut self, shape: Shape) -> Node {
        self.work += 1;
        if let Some(&node) = self.known.get(&shape) {
            return node;
        }
        let bounds = self.bounds_of(&shape);
        let node = Node(self.shapes.len() as u32);
        self.shapes.push(shape.clone());
        self.bounds.push(bounds);
        let shared = match &shape {
            Shape::Var(var) => self.variables[var.0 as usize].shared,
            _ => self
                .children(node)
                .iter()
                .all(|child| self.shared[child.index()]),
        };
        self.shared.push(shared);
        self.known.insert(shape, node);
        node
    }

    pub(crate) fn bounds_of(&self, shape: &Shape) -> Bounds {
        let of = |node: Node| self.bounds[node.index()];
        match shape {
            Shape::Var(var) => self.variables[var.0 as usize].bounds,
            Shape::Sum(poly) => self.poly_bounds(poly),
            Shape::Product(a, b) => of(*a).times(of(*b)),
            Shape::Floor(a, c) => of(*a).floor_div(*c),
            Shape::Quotient(a, b) => of(*a).quotient(of(*b)),
            Shape::Remainder(a, b) => of(*a).remainder(of(*b)),
            Shape::BitAnd(a, b) => of(*a).bit_and(of(*b)),
            Shape::Bits(BitOp::Popc | BitOp::Ffs, bits, _) => Bounds::new(0, i128::from(*bits)),
            Shape::Bits(BitOp::Brev, bits, _) => Bounds::new(0, (1i128 << bits) - 1),
            Shape::Choose(_, a, b) => of(*a).join(of(*b)),
            _ => Bounds::new(0, 1),
        }
    }

    pub(crate) fn poly_bounds(&self, poly: &Poly) -> Bounds {
        let mut sum = Bounds::new(poly.constant, poly.constant);
        for (monomial, coefficient) in &poly.terms {
            sum = sum.plus(self.monomial_bounds(monomial).scaled(*coefficient));
        }
        sum
    }

    pub(crate) fn monomial_bounds(&self, monomial: &Monomial) -> Bounds {
        let mut product = Bounds::new(1, 1);
        let mut index = 0;
        while index < monomial.len() {
            let atom = monomial[index];
            let repeat = monomial[index..].iter().take_while(|&&m| m == atom).count();
            let mut power = self.bounds(atom);
            for _ in 1..repeat {
                power = power.times(self.bounds(atom));
            }
            if repeat % 2 == 0 {
                power = power.meet(Bounds::at_least(0));
            }
            product = product.times(power);
            index += repeat;
        }
        product
    }

    // ---- variables and constants

    /// A new variable. Its name must be new.
    pub(crate) fn variable(&mut self, variable: Variable) -> (VarId, Node) {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(variable);
        let node = self.intern(Shape::Var(id));
        (id, node)
    }

    fn arbitrary(&mut self) -> Node {
        self.approximated = true;
        let name = format!("large_{}", self.variables.len());
        self.variable(Variable {
            name,
            bounds: Bounds::ANY,
            truth: false,
            shared: false,
            ordinal: false,
        })
        .1
    }

    pub(crate) fn constant(&mut self, value: i128) -> Node {
        self.intern(Shape::Sum(Poly {
            terms: Vec::new(),
            constant: value,
        }))
    }

    pub(crate) fn truth(&mut self, value: bool) -> Node {
        self.intern(Shape::Truth(value))
    }

    pub(crate) fn as_constant(&self, node: Node) -> Option<i128> {
        match self.shape(node) {
            Shape::Sum(poly) if poly.terms.is_empty() => Some(poly.constant),
            _ => None,
        }
    }

    pub(crate) fn as_truth(&self, node: Node) -> Option<bool> {
        match self.shape(node) {
            Shape::Truth(value) => Some(*value),
            _ => None,
        }
    }

    // ---- sums

    /// The polynomial of a number.
    pub(crate) fn poly(&self, node: Node) -> Poly {
        match self.shape(node) {
            Shape::Sum(poly) => poly.clone(),
            _ => Poly {
                terms: vec![(Monomial::from_slice(&[node]), 1)],
                constant: 0,
            },
        }
    }

    /// The node of a polynomial.
    pub(crate) fn node_of(&mut self, poly: Poly) -> Node {
        self.work += poly.terms.len() as u64;
        let poly = self.recombined(poly);
        let too_large = |value: i128| value.unsigned_abs() > MAX_COEFFICIENT.unsigned_abs();
        if too_large(poly.constant) || poly.terms.iter().any(|(_, c)| too_large(*c)) {
            return self.arbitrary();
        }
        if poly.constant == 0 && poly.terms.len() == 1 {
            let (monomial, coefficient) = &poly.terms[0];
            if *coefficient == 1 && monomial.len() == 1 {
                return monomial[0];
            }
        }
        if poly.terms.is_empty() {
            return self.constant(poly.constant);
        }
        let bounds = self.poly_bounds(&poly);
        if let Some(value) = bounds.single() {
            return self.constant(value);
        }
        self.intern(Shape::Sum(poly))
    }

    pub(crate) fn add(&mut self, a: Node, b: Node) -> Node {
        self.add_scaled(a, b, 1)
    }

    pub(crate) fn sub(&mut self, a: Node, b: Node) -> Node {
        self.add_scaled(a, b, -1)
    }

    /// a + factor · b
    pub(crate) fn add_scaled(&mut self, a: Node, b: Node, factor: i128) -> Node {
        let (left, right) = (self.poly(a), self.poly(b));
        match merge(&left, &right, factor) {
            Some(poly) => self.node_of(poly),
            None => self.arbitrary(),
        }
    }

    pub(crate) fn scale(&mut self, a: Node, factor: i128) -> Node {
        let zero = self.constant(0);
        self.add_scaled(zero, a, factor)
    }

    pub(crate) fn offset(&mut self, a: Node, value: i128) -> Node {
        let value = self.constant(value);
        self.add(a, value)
    }

    pub(crate) fn mul(&mut self, a: Node, b: Node) -> Node {
        let (left, right) = (self.poly(a), self.poly(b));
        if (left.terms.len() + 1) * (right.terms.len() + 1) > MAX_MONOMIALS {
            return match (self.as_constant(a), self.as_constant(b)) {
                (Some(factor), _) => self.scale(b, factor),
                (_, Some(factor)) => self.scale(a, factor),
                _ => self.intern(Shape::Product(a.min(b), a.max(b))),
            };
        }
        let mut terms: Vec<(Monomial, i128)> = Vec::new();
        let one = (Monomial::new(), 0);
        for (m1, c1) in left.terms.iter().chain([&(one.0.clone(), left.constant)]) {
            for (m2, c2) in right.terms.iter().chain([&(one.0.clone(), right.constant)]) {
                let Some(coefficient) = c1.checked_mul(*c2) else {
                    return self.arbitrary();
                };
                let mut monomial = m1.clone();
                monomial.extend_from_slice(m2);
                monomial.sort_unstable();
                terms.push((monomial, coefficient));
            }
        }
        match collect(terms) {
            Some(poly) => self.node_of(poly),
            None => self.arbitrary(),
        }
    }

    // ---- bits

    /// Bitwise and of two's complement numbers. Masks that are constant become arithmetic.
    pub(crate) fn bit_and(&mut self, a: Node, b: Node) -> Node {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(x), Some(y)) => return self.constant(x & y),
            (Some(mask), None) => return self.mask(b, mask),
            (None, Some(mask)) => return self.mask(a, mask),
            (None, None) => {}
        }
        if a == b {
            return a;
        }
        if self.disjoint_bits(a, b) || self.disjoint_bits(b, a) {
            return self.constant(0);
        }
        self.intern(Shape::BitAnd(a.min(b), a.max(b)))
    }

    /// Whether a is a multiple of 2ᵏ and 0 ≤ b < 2ᵏ.
    fn disjoint_bits(&self, a: Node, b: Node) -> bool {
        let poly = self.poly(a);
        let zeros = poly
            .terms
            .iter()
            .map(|(_, coefficient)| *coefficient)
            .chain((poly.constant != 0).then_some(poly.constant))
            .map(i128::trailing_zeros)
            .min()
            .unwrap_or(0)
            .min(100);
        Bounds::new(0, (1i128 << zeros) - 1).covers(self.bounds(b))
    }

    /// a & mask: the sum over the runs of one bits of the mask.
    fn mask(&mut self, a: Node, mask: i128) -> Node {
        if mask < 0 {
            // a & m = a − (a & ~m)
            let rest = self.mask(a, !mask);
            return self.sub(a, rest);
        }
        if let Bounds {
            low: Some(0..),
            high: Some(high),
        } = self.bounds(a)
        {
            let ones = 128 - high.leading_zeros();
            let all = (1i128 << ones) - 1;
            if mask & all == all {
                return a;
            }
            if mask & all != mask {
                return self.mask(a, mask & all);
            }
        }
        let mut sum = self.constant(0);
        let mut left = mask;
        while left != 0 {
            let low = left.trailing_zeros();
            let length = (left >> low).trailing_ones();
            // (⌊a / 2^low⌋ mod 2^length) · 2^low
            let shifted = self.floor_div(a, 1i128 << low);
            let part = self.floor_mod(shifted, 1i128 << length);
            sum = self.add_scaled(sum, part, 1i128 << low);
            left &= !(((1i128 << length) - 1) << low);
        }
        sum
    }

    /// An operator on the lowest `bits` bits.
    pub(crate) fn bits(&mut self, op: BitOp, bits: u32, a: Node) -> Node {
        let pattern = self.floor_mod(a, 1i128 << bits);
        if let Some(value) = self.as_constant(pattern) {
            return self.constant(bits_of(op, bits, value));
        }
        self.intern(Shape::Bits(op, bits, pattern))
    }

    // ---- truth

    /// `c ? a : b`
    pub(crate) fn choose(&mut self, c: Node, a: Node, b: Node) -> Node {
        match self.as_truth(c) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => {
                if let Shape::Not(inner) = *self.shape(c) {
                    return self.choose(inner, b, a);
                }
                self.intern(Shape::Choose(c, a, b))
            }
        }
    }

    /// a ≤ b
    pub(crate) fn le(&mut self, a: Node, b: Node) -> Node {
        let difference = self.sub(a, b);
        self.at_most_zero(difference)
    }

    /// a < b
    pub(crate) fn lt(&mut self, a: Node, b: Node) -> Node {
        let difference = self.sub(a, b);
        let difference = self.offset(difference, 1);
        self.at_most_zero(difference)
    }

    pub(crate) fn le_const(&mut self, a: Node, value: i128) -> Node {
        let difference = self.offset(a, -value);
        self.at_most_zero(difference)
    }

    pub(crate) fn lt_const(&mut self, a: Node, value: i128) -> Node {
        self.le_const(a, value - 1)
    }

    pub(crate) fn ge_const(&mut self, a: Node, value: i128) -> Node {
        let below = self.lt_const(a, value);
        self.not(below)
    }

    /// a = b
    pub(crate) fn eq(&mut self, a: Node, b: Node) -> Node {
        let difference = self.sub(a, b);
        self.is_zero(difference)
    }

    pub(crate) fn eq_const(&mut self, a: Node, value: i128) -> Node {
        let difference = self.offset(a, -value);
        self.is_zero(difference)
    }

    pub(crate) fn ne(&mut self, a: Node, b: Node) -> Node {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn content(poly: &Poly) -> i128 {
        poly.terms.iter().fold(0, |g, (_, c)| gcd(g, *c))
    }

    /// p ≤ 0
    pub(crate) fn at_most_zero(&mut self, a: Node) -> Node {
        let bounds = self.bounds(a);
        if bounds.high.is_some_and(|high| high <= 0) {
            return self.truth(true);
        }
        if bounds.low.is_some_and(|low| low > 0) {
            return self.truth(false);
        }
        let mut poly = self.poly(a);
        let divisor = Self::content(&poly);
        if divisor > 1 {
            for (_, coefficient) in &mut poly.terms {
                *coefficient /= divisor;
            }
            // g·p + k ≤ 0 ⇔ p ≤ ⌊−k / g⌋
            poly.constant = -((-poly.constant).div_euclid(divisor));
        }
        let node = self.node_of(poly);
        let bounds = self.bounds(node);
        if bounds.high.is_some_and(|high| high <= 0) {
            return self.truth(true);
        }
        if bounds.low.is_some_and(|low| low > 0) {
            return self.truth(false);
        }
        self.intern(Shape::AtMostZero(node))
    }

    /// p = 0
    pub(crate) fn is_zero(&mut self, a: Node) -> Node {
        let mut poly = self.poly(a);
        let divisor = Self::content(&poly);
        if divisor > 1 {
            if poly.constant % divisor != 0 {
                return self.truth(false);
            }
            for (_, coefficient) in &mut poly.terms {
                *coefficient /= divisor;
            }
            poly.constant /= divisor;
        }
        // One of p = 0 and −p = 0.
        if poly.terms.first().is_some_and(|(_, c)| *c < 0) {
            for (_, coefficient) in &mut poly.terms {
                *coefficient = -*coefficient;
            }
            poly.constant = -poly.constant;
        }
        let node = self.node_of(poly);
        let bounds = self.bounds(node);
        if bounds.single() == Some(0) {
            return self.truth(true);
        }
        if !bounds.contains(0) {
            return self.truth(false);
        }
        self.intern(Shape::IsZero(node))
    }

    pub(crate) fn not(&mut self, a: Node) -> Node {
        match self.shape(a).clone() {
            Shape::Truth(value) => self.truth(!value),
            Shape::Not(inner) => inner,
            // ¬(p ≤ 0) ⇔ 1 − p ≤ 0
            Shape::AtMostZero(inner) => {
                let one = self.constant(1);
                let flipped = self.sub(one, inner);
                self.at_most_zero(flipped)
            }
            _ => self.intern(Shape::Not(a)),
        }
    }

    pub(crate) fn and(&mut self, parts: &[Node]) -> Node {
        self.junction(parts, true)
    }

    pub(crate) fn or(&mut self, parts: &[Node]) -> Node {
        self.junction(parts, false)
    }

    pub(crate) fn implies(&mut self, a: Node, b: Node) -> Node {
        let not = self.not(a);
        self.or(&[not, b])
    }

    pub(crate) fn iff(&mut self, a: Node, b: Node) -> Node {
        let both = self.and(&[a, b]);
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(&[not_a, not_b]);
        self.or(&[both, neither])
    }

    fn junction(&mut self, parts: &[Node], conjunction: bool) -> Node {
        let mut flat: Vec<Node> = Vec::with_capacity(parts.len());
        for &part in parts {
            match self.shape(part) {
                Shape::Truth(value) if *value == conjunction => {}
                Shape::Truth(_) => return self.truth(!conjunction),
                Shape::And(inner) if conjunction => flat.extend(inner),
                Shape::Or(inner) if !conjunction => flat.extend(inner),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for &part in &flat {
            if let Shape::Not(inner) = self.shape(part)
                && flat.binary_search(inner).is_ok()
            {
                return self.truth(!conjunction);
            }
        }
        match flat.as_slice() {
            [] => self.truth(conjunction),
            [one] => *one,
            _ if conjunction => self.intern(Shape::And(flat)),
            _ => self.intern(Shape::Or(flat)),
        }
    }

    /// −below ≤ … : low ≤ a ≤ high, as an equality when only one value of a is possible.
    pub(crate) fn between(&mut self, a: Node, low: i128, high: i128) -> Node {
        let poly = self.poly(a);
        let divisor = Self::content(&poly);
        if divisor > 0 {
            // a = g·x + k
            let first = -((poly.constant - low).div_euclid(divisor));
            let last = (high - poly.constant).div_euclid(divisor);
            if first > last {
                return self.truth(false);
            }
            if first == last {
                return self.eq_const(a, divisor * first + poly.constant);
            }
        }
        let above = self.ge_const(a, low);
        let below = self.le_const(a, high);
        self.and(&[above, below])
    }
}
