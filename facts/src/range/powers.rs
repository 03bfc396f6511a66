//! Powers of two: which numbers are surely one, and what does not wrap because of it.

use super::{Interval, Ranges};
use crate::{CType, Op, Term, TermId};

/// How deep a number is looked into.
const MAX_DEPTH: u32 = 16;

impl Ranges<'_> {
    /// Whether the value of an integer, where it is at least 1, is a power of two: shifts, products and quotients of such
    /// numbers, which stay it when they wrap, and what conjuncts say it of. What is not at least 1 may be anything, so operators
    /// that could make it positive ask for more.
    pub fn is_power_of_two(&self, term: TermId) -> bool {
        self.is_power(term, MAX_DEPTH)
    }

    fn is_power(&self, term: TermId, depth: u32) -> bool {
        let store = &self.facts.terms;
        let node = store.get(term);
        if !node.ty.is_integer() || depth == 0 {
            return false;
        }
        if let Some(value) = store.as_const(term) {
            return value < 1 || value & (value - 1) == 0;
        }
        if self.told_powers.contains(&term) {
            return true;
        }
        let is = |arg: usize| self.is_power(node.args[arg], depth - 1);
        let none_below_zero = |arg: usize| self.is_at_least_number(node.args[arg], 0);
        let base_is = || node.payload >= 1 && node.payload & (node.payload - 1) == 0;
        match node.op {
            Op::Shl => is(0) && none_below_zero(0),
            Op::MulPow => is(0) && none_below_zero(0) && base_is(),
            Op::Shr => is(0),
            Op::DivPow => is(0) && base_is(),
            Op::Mul => is(0) && is(1) && none_below_zero(0) && none_below_zero(1),
            Op::Div => is(0) && is(1) && none_below_zero(1),
            Op::Cast => {
                let from = store.ty(node.args[0]);
                from.is_integer() && is(0) && (none_below_zero(0) || widens(from, node.ty))
            }
            Op::Fit => store.ty(node.args[0]).is_integer() && is(0),
            Op::Ite => is(2) && (is(1) || self.is_below_zero_where(node.args[0], node.args[1])),
            Op::Min | Op::Max => is(0) && is(1),
            _ => false,
        }
    }

    /// Whether a term is below 0 where a condition holds: what `start >> k` rounds down to where `start < 0`,
    /// `-1 - (-1 - start) / 2ᵏ`.
    fn is_below_zero_where(&self, condition: TermId, term: TermId) -> bool {
        let store = &self.facts.terms;
        let (condition, outer) = (store.get(condition), store.get(term));
        let (&[start, zero], &[minus_one, quotient]) =
            (condition.args.as_slice(), outer.args.as_slice())
        else {
            return false;
        };
        let quotient = store.get(quotient);
        let Some(mirrored) = quotient.args.first().map(|&arg| store.get(arg)) else {
            return false;
        };
        condition.op == Op::Lt
            && store.as_const(zero) == Some(0)
            && outer.op == Op::Sub
            && store.as_const(minus_one) == Some(-1)
            && quotient.op == Op::DivPow
            && matches!((mirrored.op, mirrored.args.as_slice()), (Op::Sub, &[one, of])
                if of == start && store.as_const(one) == Some(-1))
    }

    /// Keeps what `(p & (p - 1)) == 0` tells, and that p is not negative: for the smallest number `p - 1` overflows, and all
    /// others below 0 have a bit in common with it.
    pub(super) fn tell_power(&mut self, tested: TermId, zero: TermId) {
        if self.facts.terms.as_const(zero) == Some(0)
            && let Some(power) = self.facts.terms.without_lowest_bit(tested)
        {
            self.told_powers.insert(power);
            self.narrow(power, Interval::new(0, i128::MAX / 4), 0);
        }
    }

    /// Bounds of `2 * x - (x & (s - 1)) + s` without a sign, with s a power of two: the bits of x from that of s on are moved up,
    /// and the bit of s is set. Where `2 * x` does not wrap, the highest multiple of 2s below 2ʷ leaves room for s and what is
    /// below it.
    pub(super) fn with_inserted_bit(&self, term: &Term) -> Option<Interval> {
        let (Op::Add, &[one, other]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let most = term.ty.max().filter(|_| term.ty.is_unsigned())?;
        [(one, other), (other, one)]
            .into_iter()
            .find_map(|(position, power)| {
                let store = &self.facts.terms;
                let (Op::Sub, &[whole, rest]) = ({
                    let position = store.get(position);
                    (position.op, position.args.as_slice())
                }) else {
                    return None;
                };
                let known = |id: TermId| self.known.borrow().get(&id).copied();
                let (doubled, masked) = (store.get(whole), store.get(rest));
                let of = match (doubled.op, doubled.args.as_slice()) {
                    (Op::Mul, &[two, of]) | (Op::Mul, &[of, two])
                        if store.as_const(two) == Some(2) =>
                    {
                        of
                    }
                    (Op::Shl, &[of, count]) if store.as_const(count) == Some(1) => of,
                    _ => return None,
                };
                let &[a, b] = masked.args.as_slice() else {
                    return None;
                };
                let is_mask = (a == of && store.one_less(b) == Some(power))
                    || (b == of && store.one_less(a) == Some(power));
                let exact = known(whole).filter(|known| known.exact)?;
                let size = known(power)?.interval;
                (masked.op == Op::BitAnd && is_mask && size.low >= 1 && self.is_power_of_two(power))
                    .then(|| {
                        Interval::new(
                            size.low,
                            most.min(exact.interval.high.saturating_add(size.high)),
                        )
                    })
            })
    }

    /// Asked while bounds are computed, too: what has none yet tells nothing.
    fn is_at_least_number(&self, term: TermId, least: i128) -> bool {
        self.known
            .borrow()
            .get(&term)
            .is_some_and(|known| known.interval.low >= least)
    }
}

/// Whether a conversion keeps the sign and the value.
fn widens(from: CType, to: CType) -> bool {
    matches!((from.min(), from.max(), to.min(), to.max()), (Some(least), Some(most), Some(low), Some(high))
        if low <= least && most <= high)
}
