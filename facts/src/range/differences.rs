//! Differences that do not fall below 0: of a number and a part of it, and of numbers that a conjunct orders.

use super::{Interval, Ranges};
use crate::{Op, Term, TermId};

impl Ranges<'_> {
    /// Bounds of `x - x % n` and `x - (x & m)`, which lie between 0 and x, and of `c * x - x % n`.
    pub(super) fn less_its_remainder(&self, term: &Term) -> Option<Interval> {
        let (Op::Sub, &[left, right]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let remainder = self.facts.terms.get(right);
        let known = |id: TermId| self.known.borrow().get(&id).copied();
        let &[first, second] = remainder.args.as_slice() else {
            return None;
        };
        match remainder.op {
            Op::Rem if first == left => {
                let x = known(left)?.interval;
                Some(Interval::new(x.low.min(0), x.high.max(0)))
            }
            Op::Rem | Op::BitAnd => {
                // Neither is more than the number, if that is not negative.
                let candidates = if remainder.op == Op::Rem {
                    vec![first]
                } else {
                    vec![first, second]
                };
                let whole = known(left)?;
                let within = |x: TermId| {
                    known(x).is_some_and(|x| x.interval.low >= 0) && self.is_multiple(left, x)
                };
                candidates
                    .into_iter()
                    .any(within)
                    .then(|| Interval::new(0, whole.interval.high))
            }
            _ => None,
        }
    }

    /// Whether a term is a number, or surely a positive multiple of it that does not wrap.
    fn is_multiple(&self, term: TermId, of: TermId) -> bool {
        let known = |id: TermId| self.known.borrow().get(&id).copied();
        let mut term = term;
        loop {
            if term == of {
                return true;
            }
            let node = self.facts.terms.get(term);
            if !known(term).is_some_and(|known| known.exact) {
                return false;
            }
            let at_least_one = |id: TermId| known(id).is_some_and(|known| known.interval.low >= 1);
            term = match (node.op, node.args.as_slice()) {
                (Op::Mul, &[a, b]) if at_least_one(b) => a,
                (Op::Mul, &[a, b]) if at_least_one(a) => b,
                (Op::Shl, &[a, _]) => a,
                (Op::Cast | Op::Fit, &[a]) => a,
                _ => return false,
            };
        }
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
    pub(super) fn stripped(&self, mut id: TermId) -> TermId {
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
}
