//! Intervals of integers, either end of which may be open.
//!
//! What would leave 128 bits becomes open: always an over-approximation.

/// All integers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
}

impl Bounds {
    pub(crate) const ANY: Bounds = Bounds {
        low: None,
        high: None,
    };

    pub(crate) fn new(low: i128, high: i128) -> Self {
        Bounds {
            low: Some(low),
            high: Some(high),
        }
    }

    pub(crate) fn at_least(low: i128) -> Self {
        Bounds {
            low: Some(low),
            high: None,
        }
    }

    pub(crate) fn single(self) -> Option<i128> {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low == high => Some(low),
            _ => None,
        }
    }

    /// The value nearest to 0.
    pub(crate) fn near_zero(self) -> i128 {
        0.max(self.low.unwrap_or(i128::MIN))
            .min(self.high.unwrap_or(i128::MAX))
    }

    pub(crate) fn contains(self, value: i128) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }

    pub(crate) fn covers(self, other: Bounds) -> bool {
        let low = match (self.low, other.low) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a <= b,
        };
        let high = match (self.high, other.high) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a >= b,
        };
        low && high
    }

    /// Values in both. An empty meet (the place is unreachable) stays at the first.
    pub(crate) fn meet(self, other: Bounds) -> Bounds {
        let low = match (self.low, other.low) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        let high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        match (low, high) {
            (Some(a), Some(b)) if a > b => self,
            _ => Bounds { low, high },
        }
    }

    pub(crate) fn join(self, other: Bounds) -> Bounds {
        Bounds {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    pub(crate) fn plus(self, other: Bounds) -> Bounds {
        let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Bounds {
            low: add(self.low, other.low),
            high: add(self.high, other.high),
        }
    }

    pub(crate) fn scaled(self, factor: i128) -> Bounds {
        let scale = |a: Option<i128>| a.and_then(|a| a.checked_mul(factor));
        match factor {
            0 => Bounds::new(0, 0),
            1.. => Bounds {
                low: scale(self.low),
                high: scale(self.high),
            },
            _ => Bounds {
                low: scale(self.high),
                high: scale(self.low),
            },
        }
    }

    pub(crate) fn times(self, other: Bounds) -> Bounds {
        if self.single() == Some(0) || other.single() == Some(0) {
            return Bounds::new(0, 0);
        }
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) {
            let products = [
                a.checked_mul(c),
                a.checked_mul(d),
                b.checked_mul(c),
                b.checked_mul(d),
            ];
            let all: Option<Vec<i128>> = products.into_iter().collect();
            if let Some(all) = all {
                return Bounds {
                    low: all.iter().copied().min(),
                    high: all.iter().copied().max(),
                };
            }
        }
        // Two numbers of known sign.
        if let (Some(a @ 0..), Some(c @ 0..)) = (self.low, other.low) {
            let high = self
                .high
                .zip(other.high)
                .and_then(|(b, d)| b.checked_mul(d));
            return Bounds {
                low: Some(a.saturating_mul(c)),
                high,
            };
        }
        Bounds::ANY
    }

    pub(crate) fn floor_div(self, c: i128) -> Bounds {
        Bounds {
            low: self.low.map(|low| low.div_euclid(c)),
            high: self.high.map(|high| high.div_euclid(c)),
        }
    }

    /// Truncating quotient. By 0 it is any value, of which these bounds exclude some: nothing looks at it.
    pub(crate) fn quotient(self, other: Bounds) -> Bounds {
        let natural = self.low.is_some_and(|low| low >= 0);
        if natural && other.low.is_some_and(|low| low >= 0) {
            let least = other.low.unwrap_or(1).max(1);
            return Bounds {
                low: Some(0),
                high: self.high.map(|high| high / least),
            };
        }
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return Bounds::ANY;
        };
        if other.low.is_some_and(|low| low >= 0) {
            return Bounds::new(low.min(0), high.max(0));
        }
        // What says little costs the solver more than it tells.
        Bounds::ANY
    }

    /// Truncating remainder. By 0 it is any value, of which these bounds exclude some: nothing looks at it.
    pub(crate) fn remainder(self, other: Bounds) -> Bounds {
        let most = match (other.low, other.high) {
            (Some(0..), Some(high)) => Some((high - 1).max(0)),
            _ => None,
        };
        let high = match (self.high, most) {
            (Some(high), Some(most)) => Some(high.max(0).min(most)),
            (a, b) => a.map(|a| a.max(0)).or(b),
        };
        let low = match (self.low, most) {
            (Some(low), Some(most)) => Some(low.min(0).max(-most)),
            (a, b) => a.map(|a| a.min(0)).or(b.map(|b| -b)),
        };
        Bounds { low, high }
    }

    /// Bitwise and of two's complement numbers.
    pub(crate) fn bit_and(self, other: Bounds) -> Bounds {
        let natural = |bounds: Bounds| bounds.low.is_some_and(|low| low >= 0);
        match (natural(self), natural(other)) {
            (true, true) => Bounds {
                low: Some(0),
                high: match (self.high, other.high) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                },
            },
            (true, false) => Bounds {
                low: Some(0),
                high: self.high,
            },
            (false, true) => Bounds {
                low: Some(0),
                high: other.high,
            },
            // Never above the larger, never below the power of two below both.
            (false, false) => Bounds {
                low: self.low.zip(other.low).map(|(a, b)| {
                    let bits = 128 - (!a.min(b).min(-1)).leading_zeros();
                    -(1i128 << bits.min(120))
                }),
                high: self.high.zip(other.high).map(|(a, b)| a.max(b).max(0)),
            },
        }
    }
}
