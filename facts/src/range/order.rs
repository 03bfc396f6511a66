//! What an order between two terms tells of them, and of what they are made of.
//!
//! `b + j < min(b + c, n)` tells that c is more than j, whatever b is: summands and factors that both sides have are left out.
//! **Accuracy.** Only through operators that do not wrap; what that rests on stays assumed.

use super::{Interval, Ranges};
use crate::{Op, TermId};

impl Ranges<'_> {
    /// left + gap <= right
    pub(super) fn less(&mut self, left: TermId, right: TermId, gap: i128) {
        if !self.facts.terms.ty(left).is_integer() {
            return;
        }
        if gap >= 0 {
            self.at_most.push((left, right));
        }
        self.compare(left, right, gap);
        self.less_in_parts(left, right, gap, 0);
    }

    /// Whether left + gap <= right bounds either of them.
    fn tells(&self, left: TermId, right: TermId, gap: i128) -> bool {
        let (below, above) = (self.range(left), self.range(right));
        below.high > above.high - gap || above.low < below.low + gap
    }

    /// left + gap <= right, said of both as they are.
    fn compare(&mut self, left: TermId, right: TermId, gap: i128) {
        if !self.tells(left, right, gap) {
            return;
        }
        let (below, above) = (self.range(left), self.range(right));
        let left_bounds = Interval::new(i128::MIN / 4, above.high - gap);
        let right_bounds = Interval::new(below.low + gap, i128::MAX / 4);
        self.keep_assumptions(&[left, right]);
        self.narrow(left, left_bounds, 0);
        self.narrow(right, right_bounds, 0);
    }

    /// left + gap <= right, said of the parts: `b + j < min(b + c, n)` tells j < c.
    fn less_in_parts(&mut self, left: TermId, right: TermId, gap: i128, depth: u32) {
        if depth > 8 {
            return;
        }
        let (left_term, right_term) = (self.facts.terms.get(left), self.facts.terms.get(right));
        if let Some(parts) = self.facts.terms.parts_of(right, Op::Min) {
            for part in parts {
                self.compare(left, part, gap);
                self.less_in_parts(left, part, gap, depth + 1);
            }
            return;
        }
        if let Some(parts) = self.facts.terms.parts_of(left, Op::Max) {
            for part in parts {
                self.compare(part, right, gap);
                self.less_in_parts(part, right, gap, depth + 1);
            }
            return;
        }
        let (mut below, mut above) = (self.summands(left), self.summands(right));
        below.retain(|part| match above.iter().position(|other| other == part) {
            Some(common) => {
                above.swap_remove(common);
                false
            }
            None => true,
        });
        match (below.as_slice(), above.as_slice()) {
            // Nothing in common, and nothing to look into.
            (&[a], &[b]) if a == left && b == right => {}
            (&[a], &[b]) => {
                if self.tells(a, b, gap) {
                    self.keep_assumptions(&[left, right]);
                }
                self.compare(a, b, gap);
                self.less_in_parts(a, b, gap, depth + 1);
                return;
            }
            _ => {
                let mut bounds = Vec::new();
                for (at, &part) in below.iter().enumerate() {
                    let most = self.highest(&above, None) - gap - self.lowest(&below, Some(at));
                    bounds.push((part, Interval::new(i128::MIN / 4, most)));
                }
                for (at, &part) in above.iter().enumerate() {
                    let least = self.lowest(&below, None) + gap - self.highest(&above, Some(at));
                    bounds.push((part, Interval::new(least, i128::MAX / 4)));
                }
                bounds.retain(|&(part, within)| {
                    let before = self.range(part);
                    before.meet(within) != before
                });
                if !bounds.is_empty() {
                    self.keep_assumptions(&[left, right]);
                }
                for (part, within) in bounds {
                    self.narrow(part, within, 0);
                }
                return;
            }
        }
        if let (Op::Mul, &[a, by], Op::Mul, &[b, factor]) = (
            left_term.op,
            left_term.args.as_slice(),
            right_term.op,
            right_term.args.as_slice(),
        ) && by == factor
            && let Some(times @ 1..) = self.range(by).single()
            && self.is_exact(left)
            && self.is_exact(right)
        {
            // a · c + gap <= b · c
            let gap = gap.div_euclid(times) + i128::from(gap.rem_euclid(times) != 0);
            self.compare(a, b, gap);
            self.less_in_parts(a, b, gap, depth + 1);
        }
    }

    /// The smallest sum of some terms, without the one at a place.
    fn lowest(&self, of: &[TermId], without: Option<usize>) -> i128 {
        let lows = of.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        lows.map(|(_, &id)| self.range(id).low)
            .fold(0, i128::saturating_add)
    }

    /// The largest.
    fn highest(&self, of: &[TermId], without: Option<usize>) -> i128 {
        let highs = of.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        highs
            .map(|(_, &id)| self.range(id).high)
            .fold(0, i128::saturating_add)
    }

    /// What a sum is made of, through what does not change its value.
    fn summands(&self, root: TermId) -> Vec<TermId> {
        let mut parts = Vec::new();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            let term = self.facts.terms.get(id);
            let of_numbers = |arg: &TermId| self.facts.terms.ty(*arg).is_integer();
            match term.op {
                Op::Add | Op::Fit | Op::Cast
                    if self.is_exact(id) && term.args.iter().all(of_numbers) =>
                {
                    stack.extend_from_slice(&term.args);
                }
                _ => parts.push(id),
            }
        }
        parts
    }
}
