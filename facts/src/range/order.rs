//! What an order between two terms tells of them, and of what they are made of.
//!
//! `b + j < min(b + c, n)` tells that c is more than j, whatever b is: summands and factors that both sides have are left out.
//! **Accuracy.** Only through operators that do not wrap; what that rests on stays assumed.

use super::{Interval, Ranges};
use crate::{Op, Term, TermId};

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

    /// Bounds of `a - b` where a conjunct says that b is at most something that is at most a: `if (t >= d) s[t - d]`.
    pub(super) fn ordered_difference(&self, term: &Term) -> Option<Interval> {
        let (Op::Sub, &[left, right]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let right = self.stripped(right);
        self.at_most
            .iter()
            .any(|&(less, more)| self.stripped(less) == right && self.is_at_least(left, more, 0))
            .then_some(())?;
        let known = self.known.borrow();
        let (from, less) = (known.get(&left)?.interval, known.get(&right)?.interval);
        Some(Interval::new(
            (from.low - less.high).max(0),
            (from.high - less.low).max(0),
        ))
    }

    /// A term without conversions that keep its value.
    fn stripped(&self, mut id: TermId) -> TermId {
        while let (Op::Cast | Op::Fit, &[arg]) = {
            let term = self.facts.terms.get(id);
            (term.op, term.args.as_slice())
        } {
            let known = self.known.borrow();
            let keeps = known.get(&id).is_some_and(|known| known.exact)
                && self.facts.terms.ty(arg).is_integer();
            if !keeps {
                break;
            }
            id = arg;
        }
        id
    }

    /// Whether a term is surely at least another, from what they are made of. Asked while bounds are computed: what has none
    /// yet tells nothing.
    fn is_at_least(&self, more: TermId, less: TermId, depth: u32) -> bool {
        let (more, less) = (self.stripped(more), self.stripped(less));
        if more == less {
            return true;
        }
        if depth > 6 {
            return false;
        }
        let known = |id: TermId| self.known.borrow().get(&id).copied();
        let at_least =
            |id: TermId, least: i128| known(id).is_some_and(|known| known.interval.low >= least);
        let (upper, lower) = (self.facts.terms.get(more), self.facts.terms.get(less));
        let below = match (lower.op, lower.args.as_slice()) {
            // No more than what is divided or masked.
            (Op::Rem | Op::Div | Op::Shr, &[of, by]) if at_least(of, 0) => {
                (lower.op == Op::Shr || at_least(by, 0)) && self.is_at_least(more, of, depth + 1)
            }
            (Op::BitAnd, &[one, other]) => [one, other]
                .into_iter()
                .any(|of| at_least(of, 0) && self.is_at_least(more, of, depth + 1)),
            _ => false,
        };
        if below || !known(more).is_some_and(|known| known.exact) {
            return below;
        }
        match (upper.op, upper.args.as_slice()) {
            (Op::Add, &[one, other]) => {
                (at_least(other, 0) && self.is_at_least(one, less, depth + 1))
                    || (at_least(one, 0) && self.is_at_least(other, less, depth + 1))
            }
            (Op::Mul, &[one, other]) => [(one, other), (other, one)].into_iter().any(|(of, by)| {
                at_least(of, 0) && at_least(by, 1) && self.is_at_least(of, less, depth + 1)
            }),
            (Op::Shl, &[of, _]) => at_least(of, 0) && self.is_at_least(of, less, depth + 1),
            // Twice a number, less its remainder.
            (Op::Sub, &[whole, rest]) => {
                let whole = self.stripped(whole);
                let exact = known(whole).is_some_and(|known| known.exact);
                let whole = self.facts.terms.get(whole);
                let rest = self.facts.terms.get(self.stripped(rest));
                let twice = match (whole.op, whole.args.as_slice()) {
                    (Op::Mul, &[one, other]) if at_least(one, 2) => Some(other),
                    (Op::Mul, &[one, other]) if at_least(other, 2) => Some(one),
                    (Op::Shl, &[one, by]) if at_least(by, 1) => Some(one),
                    _ => None,
                };
                let part = match rest.op {
                    Op::Rem => &rest.args[..1],
                    Op::BitAnd => &rest.args[..],
                    _ => &[],
                };
                twice.is_some_and(|of| {
                    exact
                        && at_least(of, 0)
                        && part
                            .iter()
                            .any(|&part| self.stripped(part) == self.stripped(of))
                        && self.is_at_least(of, less, depth + 1)
                })
            }
            _ => false,
        }
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
