//! Which conversions a text leaves out: those that leave every value alone, and those that C makes by itself where they stand.
//!
//! Terms state each conversion, sources hardly any: `int t = threadIdx.x;` makes `(int)threadIdx.x` of every `t`. A text is read
//! as numbers, so what changes no number is left out. That is decided by the term alone, whatever the launch: builtin variables
//! keep to the limits of the hardware, and products of them are taken not to wrap. A conversion that may change a number, of
//! `(unsigned)(t - 1) < n` or `(unsigned char)x`, is shown.

use crate::ctype::CType;
use crate::ids::TermId;
use crate::range::{Interval, hardware_limit};
use crate::term::{Axis, Op};
use crate::words::Dimension;

use super::Unfolding;

/// Terms looked at for one conversion.
const MOST: u32 = 64;

impl Unfolding<'_, '_> {
    /// Whether a conversion can be left out wherever it stands.
    pub(super) fn keeps_values(&self, arg: TermId, to: CType) -> bool {
        let from = self.show.facts.terms.ty(arg);
        if !from.is_integer() || !to.is_integer() || to == CType::Bool {
            return false;
        }
        let fits = |bounds: Interval| Interval::of_type(to).covers(bounds);
        let mut fuel = MOST;
        if self.bounds(arg, &mut fuel).is_some_and(fits) {
            return true;
        }
        let wraps = matches!(self.term(arg).op, Op::Sub | Op::Neg | Op::BitNot);
        if from.is_unsigned() && wraps {
            // The difference may have wrapped.
            return false;
        }
        if fits(Interval::of_type(from)) {
            return true;
        }
        // `int i = blockIdx.x * blockDim.x + threadIdx.x;` and back: as wide, and nothing of it negative.
        let mut fuel = MOST;
        from.bits() <= to.bits() && self.is_natural(arg, &mut fuel)
    }

    /// Whether C converts an operand to the type of the other one by itself: `u < n` of an unsigned u and a signed n. It is told what
    /// is converted.
    pub(super) fn by_itself(&self, operand: TermId, other: TermId) -> Option<TermId> {
        let terms = &self.show.facts.terms;
        let term = self.term(operand);
        let (Op::Cast, &[arg]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let (from, to, beside) = (terms.ty(arg), term.ty, terms.ty(other));
        // Numbers have the type that is needed, and of two conversions each would be the other's reason.
        let beside_it = self.term(other);
        let is_plain = match (beside_it.op, beside_it.args.as_slice()) {
            (Op::Const, _) => false,
            (Op::Cast, &[arg]) => self.keeps_values(arg, beside),
            _ => true,
        };
        let same = to == beside && from.is_integer() && from.common(beside) == to;
        (is_plain && same).then_some(arg)
    }

    /// Bounds of a term that hold in every launch; none where nothing better is known than its type.
    fn bounds(&self, id: TermId, fuel: &mut u32) -> Option<Interval> {
        *fuel = fuel.checked_sub(1)?;
        let term = self.term(id);
        for axis in Axis::ALL {
            let [block, grid] = sizes(axis).map(hardware_limit);
            let found = match term.op {
                op if op == axis.tid() => Some((0, block - 1)),
                op if op == axis.bid() => Some((0, grid - 1)),
                op if op == axis.bdim() => Some((1, block)),
                op if op == axis.gdim() => Some((1, grid)),
                _ => None,
            };
            if let Some((low, high)) = found {
                return Some(Interval::new(low, high));
            }
        }
        let of_type = Interval::of_type(term.ty);
        let mut of = |id: TermId| self.bounds(id, fuel);
        let found = match (term.op, term.args.as_slice()) {
            (Op::Const, _) if term.ty.is_integer() => Interval::new(term.payload, term.payload),
            (Op::Fit | Op::Cast, &[arg]) => of(arg)?,
            (Op::Add, &[a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                Interval::new(a.low + b.low, a.high + b.high)
            }
            (Op::Sub, &[a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                Interval::new(a.low - b.high, a.high - b.low)
            }
            (Op::Mul, &[a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                if a.low < 0 || b.low < 0 {
                    return None;
                }
                Interval::new(a.low * b.low, a.high.checked_mul(b.high)?)
            }
            (Op::Rem, &[_, b]) if term.ty.is_unsigned() => {
                let b = of(b).filter(|b| b.low > 0)?;
                Interval::new(0, b.high - 1)
            }
            (Op::Rem, &[a, b]) => {
                let (a, b) = (of(a), of(b).filter(|b| b.low > 0)?);
                let low = match a {
                    Some(a) if a.low >= 0 => 0,
                    _ => 1 - b.high,
                };
                Interval::new(low, b.high - 1)
            }
            (Op::Div | Op::Shr, &[a, _]) => {
                let a = of(a).filter(|a| a.low >= 0)?;
                Interval::new(0, a.high)
            }
            (Op::BitAnd, &[a, b]) => {
                let highs = [of(a), of(b)].into_iter().flatten();
                let high = highs.filter(|x| x.low >= 0).map(|x| x.high).min()?;
                Interval::new(0, high)
            }
            (Op::BitOr | Op::BitXor, &[a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                if a.low < 0 || b.low < 0 {
                    return None;
                }
                let highest = u128::try_from(a.high.max(b.high)).ok()? + 1;
                Interval::new(0, i128::try_from(highest.next_power_of_two()).ok()? - 1)
            }
            (Op::Ite, &[_, a, b]) => {
                let (a, b) = (of(a)?, of(b)?);
                Interval::new(a.low.min(b.low), a.high.max(b.high))
            }
            _ => return None,
        };
        // What does not fit its type has wrapped.
        of_type.covers(found).then_some(found)
    }

    /// Whether a term is made of builtin variables, counts and unsigned values by operations that keep it from falling below 0,
    /// as long as nothing wraps.
    fn is_natural(&self, id: TermId, fuel: &mut u32) -> bool {
        let Some(rest) = fuel.checked_sub(1) else {
            return false;
        };
        *fuel = rest;
        let term = self.term(id);
        if let (Op::Const, value) = (term.op, term.payload) {
            return (0..1 << 31).contains(&value);
        }
        match (term.op, term.args.as_slice()) {
            (Op::Iter | Op::Exit, _) => true,
            (Op::Fit | Op::Cast, &[arg]) => self.is_natural(arg, fuel),
            (
                Op::Add | Op::Mul | Op::Div | Op::Rem | Op::Shl | Op::Shr | Op::BitOr | Op::BitXor,
                &[a, b],
            )
            | (Op::MulPow | Op::DivPow, &[a, b])
            | (Op::Ite, &[_, a, b]) => self.is_natural(a, fuel) && self.is_natural(b, fuel),
            (Op::BitAnd, &[a, b]) => self.is_natural(a, fuel) || self.is_natural(b, fuel),
            (Op::Sub | Op::Neg | Op::BitNot | Op::Not, _) => false,
            (_, args) => term.ty.is_unsigned() && (args.is_empty() || term.op == Op::Load),
        }
    }
}

/// The sizes of block and grid along an axis.
fn sizes(axis: Axis) -> [Dimension; 2] {
    match axis {
        Axis::X => [Dimension::BlockX, Dimension::GridX],
        Axis::Y => [Dimension::BlockY, Dimension::GridY],
        Axis::Z => [Dimension::BlockZ, Dimension::GridZ],
    }
}
