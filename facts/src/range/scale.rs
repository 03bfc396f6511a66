//! How many times the numbers of a sum or product count in it: large multiples of an index wrap in launches of modest size.

use super::{Interval, Known, Ranges};
use crate::{Axis, CType, Op, Term};

/// The largest multiple of a block's index that is assumed not to wrap in 32 bits; of a thread's index in the grid, a part
/// of it ([`THREADS`]): 4096 elements for each.
pub const MOST_OF_AN_ID: i128 = 1 << 22;

/// Threads that a block of any size is taken to have where multiples are judged.
const THREADS: i128 = 1024;

/// The same in 64 bits.
pub(super) const MOST_OF_A_SIZE: i128 = 1 << 32;

/// How many times the numbers of a sum or product count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// The largest constant factor of a summand.
    pub(super) factor: i128,
    /// The constant summand.
    pub(super) constant: i128,
    /// Whether a size of the block is a factor.
    pub(super) threads: bool,
}

impl Scale {
    pub(super) const ONE: Scale = Scale {
        factor: 1,
        constant: 0,
        threads: false,
    };

    /// Of a number that the kernel is given: once, or as many times as it is at least.
    pub(super) fn of_size(interval: Interval) -> Self {
        Scale {
            factor: interval.low.max(1),
            ..Scale::ONE
        }
    }

    /// Of a number that lies in an interval: one that is surely smaller than the threads of a block may be many is no more than that.
    /// `for (r = threadIdx.y; r < 100; r += blockDim.y)`
    pub(super) fn within(self, interval: Interval) -> Self {
        if self.threads && interval.low >= 0 && interval.high < THREADS {
            return Scale {
                factor: 0,
                constant: interval.high,
                threads: false,
            };
        }
        self
    }

    pub(super) fn most(self) -> i128 {
        self.factor
            .saturating_mul(if self.threads { THREADS } else { 1 })
    }

    /// Whether the constant summand leaves room for the rest in a type: `(blockIdx.x + 12345u) * 1664525u` wraps in every launch.
    pub(super) fn leaves_room(self, ty: CType) -> bool {
        ty.bits()
            .is_some_and(|bits| bits >= 2 && self.constant < 1 << (bits - 2))
    }

    fn plus(self, other: Scale) -> Scale {
        Scale {
            factor: self.factor.max(other.factor),
            constant: self.constant.saturating_add(other.constant),
            threads: self.threads || other.threads,
        }
    }

    fn times(self, other: Scale) -> Scale {
        let products = [
            self.factor.saturating_mul(other.factor),
            self.factor.saturating_mul(other.constant),
            self.constant.saturating_mul(other.factor),
        ];
        Scale {
            factor: products.into_iter().max().unwrap_or(0),
            constant: self.constant.saturating_mul(other.constant),
            threads: self.threads || other.threads,
        }
    }
}

impl Ranges<'_> {
    /// How many times the numbers of a term count in it.
    pub(super) fn scale(&self, term: &Term, args: &[Known]) -> Scale {
        match (term.op, args) {
            (Op::Add | Op::Sub, [a, b]) => a.scale.plus(b.scale),
            (Op::Mul, [a, b]) => a.scale.times(b.scale),
            (Op::Shl, [a, b]) => match b.interval.single() {
                Some(count @ 0..=63) => a.scale.times(Scale {
                    factor: 0,
                    constant: 1 << count,
                    threads: false,
                }),
                // By a number that the kernel is given: a factor like others.
                _ if self.is_given(term.args[1]) => a.scale.times(Scale::ONE),
                _ => Scale {
                    factor: i128::MAX,
                    ..a.scale
                },
            },
            (Op::Fit | Op::Cast, [a]) => a.scale,
            // Not more than they are made of.
            (Op::Min | Op::Max, [a, b]) => a.scale.plus(b.scale),
            (Op::Div | Op::Rem | Op::Shr | Op::BitAnd, [a, _]) => a.scale,
            _ => Scale::ONE,
        }
    }

    pub(super) fn leaf_scale(&self, term: &Term) -> Scale {
        match term.op {
            Op::Const => Scale {
                factor: 0,
                constant: term.payload.saturating_abs(),
                threads: false,
            },
            op if Axis::ALL.into_iter().any(|axis| op == axis.bdim()) => {
                match self.leaf(term).0.and_then(Interval::single) {
                    Some(size) => Scale {
                        factor: 0,
                        constant: size,
                        threads: false,
                    },
                    None => Scale {
                        threads: true,
                        ..Scale::ONE
                    },
                }
            }
            _ => Scale::ONE,
        }
    }
}
