//! Interval propagation over a formula: what the bounds of its variables force.
//!
//! Every node of a [`Formula`] gets a [`Domain`], an interval that contains its value in all
//! models that are still possible. Narrowing a node narrows its children and its parents in turn
//! (HC4: Benhamou et al., *Revising hull and box consistency*, ICLP 1999), until nothing changes
//! or a limit is reached.
//!
//! **Contract.** A domain never loses a value that a model has: when [`Net::propagate`] fails, the
//! formula has no model with the values fixed so far. That nothing fails proves nothing.

use std::collections::VecDeque;

use smallvec::SmallVec;

use crate::bounds::Bounds;
use crate::evaluate::bits_of;
use crate::formula::{Formula, Node, Shape};
use crate::sums::{Monomial, Poly};

/// Ends at or beyond this count as open.
const OPEN: i128 = 1 << 120;

/// The integers from `low` to `high`; an end at [`OPEN`] or beyond is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Domain {
    pub(crate) low: i128,
    pub(crate) high: i128,
}

/// No value is left.
#[derive(Debug)]
pub(crate) struct Empty;

fn clamp(value: i128) -> i128 {
    value.clamp(-OPEN, OPEN)
}

/// Of ends of intervals: an open end times 0 is 0.
fn times(a: i128, b: i128) -> i128 {
    if let (Ok(a), Ok(b)) = (i64::try_from(a), i64::try_from(b)) {
        return clamp(i128::from(a) * i128::from(b));
    }
    match a.checked_mul(b) {
        Some(product) if a.abs() < OPEN && b.abs() < OPEN => clamp(product),
        _ if a == 0 || b == 0 => 0,
        _ if (a > 0) == (b > 0) => OPEN,
        _ => -OPEN,
    }
}

fn floor(a: i128, b: i128) -> i128 {
    let quotient = a.div_euclid(b);
    // `div_euclid` rounds away from the floor for negative divisors.
    if b < 0 && a.rem_euclid(b) != 0 {
        quotient - 1
    } else {
        quotient
    }
}

fn ceiling(a: i128, b: i128) -> i128 {
    floor(a, b) + i128::from(a.rem_euclid(b) != 0)
}

impl Domain {
    pub(crate) const TRUE: Domain = Domain { low: 1, high: 1 };
    pub(crate) const FALSE: Domain = Domain { low: 0, high: 0 };

    fn new(low: i128, high: i128) -> Self {
        Domain { low, high }
    }

    pub(crate) fn value(value: i128) -> Self {
        Domain::new(value, value)
    }

    fn of(bounds: Bounds) -> Self {
        Domain::new(
            bounds.low.map_or(-OPEN, clamp),
            bounds.high.map_or(OPEN, clamp),
        )
    }

    fn bounds(self) -> Bounds {
        Bounds {
            low: (self.low > -OPEN).then_some(self.low),
            high: (self.high < OPEN).then_some(self.high),
        }
    }

    pub(crate) fn single(self) -> Option<i128> {
        (self.low == self.high && self.low.abs() < OPEN).then_some(self.low)
    }

    /// How many values there are, less one.
    pub(crate) fn length(self) -> i128 {
        self.high.saturating_sub(self.low)
    }

    fn is(self, truth: bool) -> bool {
        self.single() == Some(i128::from(truth))
    }

    fn meets(self, other: Domain) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    fn join(self, other: Domain) -> Domain {
        Domain::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn times(self, other: Domain) -> Domain {
        if self.low >= 0 && other.low >= 0 {
            return Domain::new(times(self.low, other.low), times(self.high, other.high));
        }
        if let Some(factor) = other.single() {
            let ends = (times(self.low, factor), times(self.high, factor));
            return Domain::new(ends.0.min(ends.1), ends.0.max(ends.1));
        }
        let ends = [
            times(self.low, other.low),
            times(self.low, other.high),
            times(self.high, other.low),
            times(self.high, other.high),
        ];
        let low = ends.iter().copied().min().unwrap_or(-OPEN);
        let high = ends.iter().copied().max().unwrap_or(OPEN);
        Domain::new(low, high)
    }

    /// The numbers that this can be the product of with a number of `factor`.
    fn divided(self, factor: Domain) -> Option<Domain> {
        if let Some(value) = factor.single() {
            if value == 0 {
                return None;
            }
            let (low, high) = if value > 0 {
                (self.low, self.high)
            } else {
                (self.high, self.low)
            };
            let down = if high.abs() < OPEN {
                floor(high, value)
            } else {
                OPEN
            };
            let up = if low.abs() < OPEN {
                ceiling(low, value)
            } else {
                -OPEN
            };
            return Some(Domain::new(up, down));
        }
        // x · f ≤ high with f ≥ 1: for x ≥ 0, x ≤ high / least f; and x ≥ low / most f.
        if factor.low < 1 {
            return None;
        }
        let high = match self.high {
            OPEN.. => OPEN,
            high @ 0.. => high / factor.low,
            // Negative: the smaller the magnitude, the larger the factor.
            high if factor.high < OPEN => floor(high, factor.high).min(-1),
            _ => -1,
        };
        let low = match -self.low {
            OPEN.. => -OPEN,
            low @ 0.. => -(low / factor.low),
            low if factor.high < OPEN => -floor(low, factor.high).min(-1),
            _ => 1,
        };
        Some(Domain::new(low, high))
    }
}

/// The domains of all nodes of a formula.
pub(crate) struct Net<'f> {
    f: &'f Formula,
    parents: Vec<SmallVec<[Node; 4]>>,
    domains: Vec<Domain>,
    /// Domains as they were, to be put back.
    trail: Vec<(Node, Domain)>,
    queue: VecDeque<Node>,
    queued: Vec<bool>,
    /// Nodes looked at so far.
    pub(crate) work: u64,
}

/// Nodes that one propagation looks at, at most: intervals that shrink by one at a time are left.
const MAX_WORK: u64 = 20_000;

impl<'f> Net<'f> {
    /// The nodes below the roots with the bounds that the formula gives them.
    pub(crate) fn new(f: &'f Formula, roots: &[Node]) -> Self {
        let reachable = f.reachable(roots);
        let mut parents = vec![SmallVec::new(); f.shapes.len()];
        for &node in &reachable {
            let mut children = f.children(node);
            children.sort_unstable();
            children.dedup();
            for child in children {
                parents[child.index()].push(node);
            }
        }
        let mut domains: Vec<Domain> = f.bounds.iter().copied().map(Domain::of).collect();
        for &node in &reachable {
            if let Shape::Truth(value) = f.shape(node) {
                domains[node.index()] = Domain::value(i128::from(*value));
            }
        }
        let work = reachable.len() as u64;
        Net {
            f,
            parents,
            domains,
            trail: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; f.shapes.len()],
            work,
        }
    }

    pub(crate) fn domain(&self, node: Node) -> Domain {
        self.domains[node.index()]
    }

    /// What [`Net::undo`] takes to come back here.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Puts all domains back to what they were at the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        for (node, domain) in self.trail.drain(mark..).rev() {
            self.domains[node.index()] = domain;
        }
        for node in self.queue.drain(..) {
            self.queued[node.index()] = false;
        }
    }

    fn wake(&mut self, node: Node) {
        if !std::mem::replace(&mut self.queued[node.index()], true) {
            self.queue.push_back(node);
        }
    }

    /// Leaves a node only the values of a domain.
    pub(crate) fn narrow(&mut self, node: Node, to: Domain) -> Result<(), Empty> {
        let old = self.domain(node);
        let new = Domain::new(old.low.max(to.low), old.high.min(to.high));
        if new.low > new.high {
            return Err(Empty);
        }
        if new != old {
            self.trail.push((node, old));
            self.domains[node.index()] = new;
            self.wake(node);
            for position in 0..self.parents[node.index()].len() {
                self.wake(self.parents[node.index()][position]);
            }
        }
        Ok(())
    }

    /// Narrows until nothing changes.
    pub(crate) fn propagate(&mut self) -> Result<(), Empty> {
        let limit = self.work + MAX_WORK;
        while let Some(node) = self.queue.pop_front() {
            self.queued[node.index()] = false;
            if self.work < limit {
                self.revise(node)?;
            }
        }
        Ok(())
    }

    fn revise(&mut self, node: Node) -> Result<(), Empty> {
        self.work += 1;
        let f = self.f;
        let here = self.domain(node);
        match f.shape(node) {
            Shape::Var(_) | Shape::Truth(_) => Ok(()),
            Shape::Sum(poly) => self.sum(node, poly),
            Shape::Product(a, b) => {
                let product = self.domain(*a).times(self.domain(*b));
                self.narrow(node, product)?;
                self.factors(&[*a, *b], self.domain(node))
            }
            Shape::Floor(a, c) => {
                let inner = self.domain(*a);
                let quotient = Domain::of(inner.bounds().floor_div(*c));
                self.narrow(node, quotient)?;
                let here = self.domain(node);
                let low = if here.low > -OPEN {
                    times(here.low, *c)
                } else {
                    -OPEN
                };
                let high = if here.high < OPEN {
                    clamp(times(here.high, *c).saturating_add(*c - 1))
                } else {
                    OPEN
                };
                self.narrow(*a, Domain::new(low, high))
            }
            Shape::Quotient(a, b) => {
                let (a, b) = (self.domain(*a), self.domain(*b));
                let exact = a.single().zip(b.single());
                let quotient = match exact.and_then(|(a, b)| a.checked_div(b)) {
                    Some(value) => Domain::value(value),
                    None => Domain::of(a.bounds().quotient(b.bounds())),
                };
                self.narrow(node, quotient)
            }
            Shape::Remainder(a, b) => {
                let (a, b) = (self.domain(*a), self.domain(*b));
                let exact = a.single().zip(b.single());
                let rest = match exact.and_then(|(a, b)| a.checked_rem(b)) {
                    Some(value) => Domain::value(value),
                    None => Domain::of(a.bounds().remainder(b.bounds())),
                };
                self.narrow(node, rest)
            }
            Shape::BitAnd(a, b) => {
                let (a, b) = (self.domain(*a), self.domain(*b));
                let both = match a.single().zip(b.single()) {
                    Some((a, b)) => Domain::value(a & b),
                    None => Domain::of(a.bounds().bit_and(b.bounds())),
                };
                self.narrow(node, both)
            }
            Shape::Bits(op, bits, a) => match self.domain(*a).single() {
                Some(a) => self.narrow(node, Domain::value(bits_of(*op, *bits, a))),
                None => Ok(()),
            },
            Shape::Choose(c, a, b) => self.choose(node, (*c, *a, *b)),
            Shape::AtMostZero(a) => {
                let inner = self.domain(*a);
                if inner.high <= 0 {
                    self.narrow(node, Domain::TRUE)
                } else if inner.low > 0 {
                    self.narrow(node, Domain::FALSE)
                } else if here.is(true) {
                    self.narrow(*a, Domain::new(-OPEN, 0))
                } else if here.is(false) {
                    self.narrow(*a, Domain::new(1, OPEN))
                } else {
                    Ok(())
                }
            }
            Shape::IsZero(a) => {
                let inner = self.domain(*a);
                if inner.single() == Some(0) {
                    self.narrow(node, Domain::TRUE)
                } else if !inner.meets(Domain::value(0)) {
                    self.narrow(node, Domain::FALSE)
                } else if here.is(true) {
                    self.narrow(*a, Domain::value(0))
                } else if here.is(false) && inner.low == 0 {
                    self.narrow(*a, Domain::new(1, OPEN))
                } else if here.is(false) && inner.high == 0 {
                    self.narrow(*a, Domain::new(-OPEN, -1))
                } else {
                    Ok(())
                }
            }
            Shape::And(parts) => self.junction(node, parts, true),
            Shape::Or(parts) => self.junction(node, parts, false),
            Shape::Not(a) => {
                let inner = self.domain(*a);
                self.narrow(node, Domain::new(1 - inner.high, 1 - inner.low))?;
                let here = self.domain(node);
                self.narrow(*a, Domain::new(1 - here.high, 1 - here.low))
            }
        }
    }

    /// A conjunction, or the dual.
    fn junction(&mut self, node: Node, parts: &[Node], conjunction: bool) -> Result<(), Empty> {
        self.work += parts.len() as u64;
        // What each part must be for the whole to be it, too.
        let all = Domain::value(i128::from(conjunction));
        let one = Domain::value(i128::from(!conjunction));
        let mut open = None;
        let mut count = 0;
        for &part in parts {
            if self.domain(part) == one {
                return self.narrow(node, one);
            }
            if self.domain(part) != all {
                open = Some(part);
                count += 1;
            }
        }
        let Some(open) = open else {
            return self.narrow(node, all);
        };
        let here = self.domain(node);
        if here == all {
            for &part in parts {
                self.narrow(part, all)?;
            }
        } else if here == one && count == 1 {
            self.narrow(open, one)?;
        }
        Ok(())
    }

    fn choose(&mut self, node: Node, (c, a, b): (Node, Node, Node)) -> Result<(), Empty> {
        let condition = self.domain(c);
        let chosen = match condition.single() {
            Some(0) => b,
            Some(_) => a,
            None => {
                let (one, other) = (self.domain(a), self.domain(b));
                self.narrow(node, one.join(other))?;
                let here = self.domain(node);
                if !here.meets(one) {
                    self.narrow(c, Domain::FALSE)?;
                }
                if !here.meets(other) {
                    self.narrow(c, Domain::TRUE)?;
                }
                return Ok(());
            }
        };
        self.narrow(node, self.domain(chosen))?;
        self.narrow(chosen, self.domain(node))
    }

    /// The values of a product of atoms.
    fn product(&self, monomial: &Monomial) -> Domain {
        let mut product = Domain::value(1);
        let mut index = 0;
        while index < monomial.len() {
            let atom = monomial[index];
            let repeat = monomial[index..].iter().take_while(|&&m| m == atom).count();
            let mut power = self.domain(atom);
            for _ in 1..repeat {
                power = power.times(self.domain(atom));
            }
            if repeat % 2 == 0 {
                power.low = power.low.max(0);
            }
            product = product.times(power);
            index += repeat;
        }
        product
    }

    fn sum(&mut self, node: Node, poly: &Poly) -> Result<(), Empty> {
        self.work += poly.terms.len() as u64;
        let terms: SmallVec<[Domain; 8]> = poly
            .terms
            .iter()
            .map(|(monomial, coefficient)| {
                let factor = Domain::value(*coefficient);
                let product = match monomial.as_slice() {
                    [atom] => self.domain(*atom),
                    _ => self.product(monomial),
                };
                product.times(factor)
            })
            .collect();
        // Sums of the ends that are not open, and how many are.
        let (mut low, mut high) = (poly.constant, poly.constant);
        let (mut open_low, mut open_high) = (0, 0);
        for term in &terms {
            if term.low > -OPEN {
                low = low.saturating_add(term.low);
            } else {
                open_low += 1;
            }
            if term.high < OPEN {
                high = high.saturating_add(term.high);
            } else {
                open_high += 1;
            }
        }
        let total = Domain::new(
            if open_low > 0 { -OPEN } else { clamp(low) },
            if open_high > 0 { OPEN } else { clamp(high) },
        );
        self.narrow(node, total)?;
        let here = self.domain(node);
        for (term, (monomial, coefficient)) in terms.iter().zip(&poly.terms) {
            // here − the other terms
            let others_open_low = open_low - i32::from(term.low <= -OPEN);
            let others_open_high = open_high - i32::from(term.high >= OPEN);
            let least = if here.low > -OPEN && others_open_high == 0 {
                let others = high - if term.high < OPEN { term.high } else { 0 };
                clamp(here.low.saturating_sub(others))
            } else {
                -OPEN
            };
            let most = if here.high < OPEN && others_open_low == 0 {
                let others = low - if term.low > -OPEN { term.low } else { 0 };
                clamp(here.high.saturating_sub(others))
            } else {
                OPEN
            };
            if least <= term.low && most >= term.high {
                continue;
            }
            let wanted = Domain::new(least, most);
            let Some(product) = wanted.divided(Domain::value(*coefficient)) else {
                continue;
            };
            if product.low > product.high {
                return Err(Empty);
            }
            match monomial.as_slice() {
                [atom] => self.narrow(*atom, product)?,
                atoms => self.factors(atoms, product)?,
            }
        }
        Ok(())
    }

    /// Narrows the factors of a product.
    fn factors(&mut self, atoms: &[Node], product: Domain) -> Result<(), Empty> {
        for (position, &atom) in atoms.iter().enumerate() {
            if atoms.iter().filter(|&&other| other == atom).count() > 1 {
                continue;
            }
            let others = atoms
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != position)
                .fold(Domain::value(1), |all, (_, &other)| {
                    all.times(self.domain(other))
                });
            if let Some(quotient) = product.divided(others) {
                self.narrow(atom, quotient)?;
            }
        }
        Ok(())
    }
}
