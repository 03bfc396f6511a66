//! Differences between terms on one way through the body of a loop.
//!
//! A bound that is a term is kept if the new value differs from it, or from the old value, in the right direction:
//! `j + 1` is not below j, and where `j < n` it is not above n.

use warplog_facts::range::{Interval, Ranges};
use warplog_facts::*;

use super::Side;
use super::ways::Way;

/// How deep terms are looked into.
const MAX_DEPTH: u32 = 8;

/// What a term is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Term(TermId),
    Constant(i128),
}

/// Bounds of a difference of mathematical values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    pub low: Option<i128>,
    pub high: Option<i128>,
}

impl Gap {
    fn new(low: i128, high: i128) -> Gap {
        Gap {
            low: Some(low),
            high: Some(high),
        }
    }

    /// Both hold.
    fn meet(self, other: Gap) -> Gap {
        Gap {
            low: self.low.max(other.low),
            high: match (self.high, other.high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            },
        }
    }

    /// One of them holds.
    fn join(self, other: Gap) -> Gap {
        Gap {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    fn plus(self, interval: Interval) -> Gap {
        Gap {
            low: self.low.map(|low| low.saturating_add(interval.low)),
            high: self.high.map(|high| high.saturating_add(interval.high)),
        }
    }

    fn minus(self, interval: Interval) -> Gap {
        let (low, high) = (interval.low, interval.high);
        self.plus(Interval::new(high.saturating_neg(), low.saturating_neg()))
    }
}

/// `left + least <= right`
#[derive(Clone, Copy, Debug)]
struct Order {
    left: TermId,
    right: TermId,
    least: i128,
}

/// What is known of differences on one way.
pub(super) struct Gaps<'a> {
    terms: &'a TermStore,
    ranges: Ranges<'a>,
    orders: Vec<Order>,
}

impl<'a> Gaps<'a> {
    pub(super) fn new(terms: &'a TermStore, ranges: Ranges<'a>, way: &Way) -> Self {
        let mut gaps = Gaps {
            terms,
            ranges,
            orders: Vec::new(),
        };
        for &(id, polarity) in &way.conjuncts {
            gaps.orders.extend(gaps.orders_of(id, polarity));
        }
        gaps
    }

    fn orders_of(&self, id: TermId, polarity: bool) -> Vec<Order> {
        let term = self.terms.get(id);
        let &[left, right] = term.args.as_slice() else {
            return Vec::new();
        };
        if !self.terms.ty(left).is_integer() {
            return Vec::new();
        }
        let (left, right) = (self.bare(left), self.bare(right));
        let order = |left, right, least| Order { left, right, least };
        match (term.op, polarity) {
            (Op::Lt, true) => vec![order(left, right, 1)],
            (Op::Lt, false) => vec![order(right, left, 0)],
            (Op::Le, true) => vec![order(left, right, 0)],
            (Op::Le, false) => vec![order(right, left, 1)],
            (Op::Eq, true) | (Op::Ne, false) => {
                vec![order(left, right, 0), order(right, left, 0)]
            }
            _ => Vec::new(),
        }
    }

    /// The term under conversions that keep its value.
    fn bare(&self, mut id: TermId) -> TermId {
        loop {
            let term = self.terms.get(id);
            match (term.op, term.args.as_slice()) {
                (Op::Cast | Op::Fit, &[arg])
                    if self.ranges.is_exact(id) && self.terms.ty(arg).is_integer() =>
                {
                    id = arg;
                }
                _ => return id,
            }
        }
    }

    /// Whether a value is on its side of one of the anchors at least, by a margin that each has.
    pub(super) fn is_within(
        &self,
        value: TermId,
        anchors: &[(Anchor, i128)],
        side: Side,
        depth: u32,
    ) -> bool {
        if anchors
            .iter()
            .any(|&(anchor, margin)| self.is_beside(value, anchor, margin, side))
        {
            return true;
        }
        // Each arm may have an anchor of its own.
        let term = self.terms.get(value);
        match (term.op, term.args.as_slice()) {
            (Op::Min | Op::Max, &[left, right]) if depth < MAX_DEPTH => {
                let mut sides = [left, right]
                    .into_iter()
                    .map(|arg| self.is_within(arg, anchors, side, depth + 1));
                match (term.op, side) {
                    (Op::Min, Side::Low) | (Op::Max, Side::High) => sides.all(|within| within),
                    _ => sides.any(|within| within),
                }
            }
            (Op::Ite, &[_, then, otherwise]) if depth < MAX_DEPTH => [then, otherwise]
                .into_iter()
                .all(|arg| self.is_within(arg, anchors, side, depth + 1)),
            _ => false,
        }
    }

    fn is_beside(&self, value: TermId, anchor: Anchor, margin: i128, side: Side) -> bool {
        let gap = self.gap(value, anchor, 0);
        let direct = match side {
            Side::Low => gap.low.is_some_and(|low| low >= margin),
            Side::High => gap.high.is_some_and(|high| high <= -margin),
        };
        direct
            || self.orders.iter().any(|order| {
                let (from, to) = match side {
                    // anchor <= left <= right - least <= value - least
                    Side::Low => (order.right, order.left),
                    // value <= left <= right - least <= anchor
                    Side::High => (order.left, order.right),
                };
                let first = self.gap(value, Anchor::Term(from), 0);
                let second = self.gap(to, anchor, 0);
                match side {
                    Side::Low => {
                        let sum = first.low.zip(second.low).map(|(a, b)| a + b);
                        sum.is_some_and(|sum| sum + order.least >= margin)
                    }
                    Side::High => {
                        let sum = first.high.zip(second.high).map(|(a, b)| a + b);
                        sum.is_some_and(|sum| sum - order.least <= -margin)
                    }
                }
            })
    }

    /// Bounds of a term less its anchor.
    pub(super) fn gap(&self, id: TermId, anchor: Anchor, depth: u32) -> Gap {
        let own = self.ranges.range(id);
        let base = match anchor {
            Anchor::Constant(value) => Interval::new(value, value),
            Anchor::Term(anchor) if self.bare(anchor) == self.bare(id) => return Gap::new(0, 0),
            Anchor::Term(anchor) => self.ranges.range(anchor),
        };
        let outer = Gap::new(own.low - base.high, own.high - base.low);
        if depth > MAX_DEPTH {
            return outer;
        }
        outer.meet(self.structural(id, anchor, depth))
    }

    fn structural(&self, id: TermId, anchor: Anchor, depth: u32) -> Gap {
        let term = self.terms.get(id);
        let exact = self.ranges.is_exact(id);
        let of = |arg: TermId| self.gap(arg, anchor, depth + 1);
        let range = |arg: TermId| self.ranges.range(arg);
        if let Some((one, other)) = self.middle(id) {
            let (a, b) = (of(one), of(other));
            return Gap {
                low: a.low.zip(b.low).map(|(a, b)| (a + b).div_euclid(2)),
                high: a.high.zip(b.high).map(|(a, b)| (a + b + 1).div_euclid(2)),
            };
        }
        match (term.op, term.args.as_slice()) {
            (Op::Add, &[left, right]) => {
                let sum = of(left)
                    .plus(range(right))
                    .meet(of(right).plus(range(left)));
                // An unsigned sum that wraps is smaller.
                let unsigned = term.ty.is_unsigned();
                Gap {
                    low: sum.low.filter(|_| exact),
                    high: sum.high.filter(|_| exact || unsigned),
                }
            }
            (Op::Sub, &[left, right]) => {
                let difference = of(left).minus(range(right));
                let unsigned = term.ty.is_unsigned();
                Gap {
                    low: difference.low.filter(|_| exact || unsigned),
                    high: difference.high.filter(|_| exact),
                }
            }
            (Op::Cast | Op::Fit, &[arg]) if exact && self.terms.ty(arg).is_integer() => of(arg),
            (Op::Min, &[left, right]) => {
                let (a, b) = (of(left), of(right));
                Gap {
                    low: a.join(b).low,
                    high: a.meet(b).high,
                }
            }
            (Op::Max, &[left, right]) => {
                let (a, b) = (of(left), of(right));
                Gap {
                    low: a.meet(b).low,
                    high: a.join(b).high,
                }
            }
            (Op::Ite, &[_, then, otherwise]) => of(then).join(of(otherwise)),
            // Not more than what is divided.
            (Op::Div, &[left, right]) if range(left).low >= 0 && range(right).low >= 1 => Gap {
                low: None,
                high: of(left).high,
            },
            (Op::Rem | Op::Shr, &[left, _]) if range(left).low >= 0 => Gap {
                low: None,
                high: of(left).high,
            },
            _ => Gap::default(),
        }
    }

    /// The two numbers of which a term is the middle: `(a + b) / 2`, `a + (b - a) / 2`.
    fn middle(&self, id: TermId) -> Option<(TermId, TermId)> {
        let exact = |id: TermId| self.ranges.is_exact(id);
        let term = self.terms.get(id);
        match (term.op, term.args.as_slice()) {
            (Op::Div | Op::Shr, _) => {
                let sum = self.terms.get(self.half(id)?);
                match (sum.op, sum.args.as_slice()) {
                    (Op::Add, &[one, other]) if exact(self.half(id)?) => Some((one, other)),
                    _ => None,
                }
            }
            (Op::Add, &[left, right]) if exact(id) => [(left, right), (right, left)]
                .into_iter()
                .find_map(|(one, half)| {
                    let whole = self.half(half)?;
                    let difference = self.terms.get(whole);
                    match (difference.op, difference.args.as_slice()) {
                        (Op::Sub, &[other, same]) if same == one && exact(whole) => {
                            Some((one, other))
                        }
                        _ => None,
                    }
                }),
            _ => None,
        }
    }

    /// x of `x / 2` and `x >> 1`.
    fn half(&self, id: TermId) -> Option<TermId> {
        let term = self.terms.get(id);
        let &[left, right] = term.args.as_slice() else {
            return None;
        };
        let by = self.terms.as_const(right);
        match term.op {
            Op::Div if by == Some(2) => Some(left),
            Op::Shr if by == Some(1) => Some(left),
            _ => None,
        }
    }
}
