//! Which bytes of its memory an access may be at, whichever thread makes it, in whichever round.
//!
//! `s.count++` beside `if (s.done)`, `all[w].head = …` beside `all[v].size`: a member of an object is not changed by a write of another.
//!
//! **Algorithm.** The offset of an access is a sum of multiples of numbers and a constant; modulo their greatest common divisor it is the
//! constant. Two accesses are apart if the constants are, modulo what both divisors have in common, by the sizes of the accesses: the
//! GCD test of dependence analysis (U. Banerjee, "Dependence Analysis for Supercomputing", 1988) without any equation between the
//! two, so that it holds for a thread and itself too. Or one is behind all bytes of the other, by the bounds of their offsets under the
//! guards of each.
//!
//! **Accuracy.** Sound under no assumption: an offset with an operator that is exact only because an assumption says so may be anywhere.

use std::collections::BTreeMap;

use warplog_facts::arith::gcd;
use warplog_facts::poly::Polynomials;
use warplog_facts::{AccessId, AccessRow};

use crate::context::Context;
use crate::offsets::form::Regions;

/// The first byte of an access modulo a divisor (0: exactly), its bounds, and how many follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bytes {
    rest: i128,
    divisor: i128,
    first: (i128, i128),
    count: i128,
}

impl Bytes {
    /// Whether no byte is of both.
    pub(crate) fn is_apart_from(self, other: Bytes) -> bool {
        let is_behind = |one: Bytes, other: Bytes| one.first.0 >= other.first.1 + other.count;
        if is_behind(self, other) || is_behind(other, self) {
            return true;
        }
        let between = self.rest - other.rest;
        match gcd(self.divisor, other.divisor) {
            0 => between >= other.count || -between >= self.count,
            divisor => {
                let rest = between.rem_euclid(divisor);
                rest >= other.count && divisor - rest >= self.count
            }
        }
    }
}

/// The bytes of all accesses.
pub(crate) fn of_accesses(ctx: &Context<'_>, regions: &Regions<'_>) -> Vec<(AccessId, Bytes)> {
    let mut by_region: BTreeMap<usize, Vec<&AccessRow>> = BTreeMap::new();
    for row in &ctx.facts.access {
        by_region
            .entry(regions.of(row.access))
            .or_default()
            .push(row);
    }
    let mut found = Vec::with_capacity(ctx.facts.access.len());
    for (region, rows) in by_region {
        let ranges = regions.ranges(region);
        let polynomials = Polynomials::new(&ctx.facts.terms, ranges);
        for row in rows {
            let terms = ctx.facts.terms.reachable(&[row.index]);
            let assumes = terms.into_iter().any(|id| ranges.rests_on(id).any());
            let bytes = match assumes {
                true => Bytes {
                    rest: 0,
                    divisor: 1,
                    first: (i128::from(i64::MIN), i128::from(i64::MAX)),
                    count: i128::from(row.bytes),
                },
                false => {
                    let offset = polynomials.of(row.index);
                    let strides = offset.monomials().filter(|(atoms, _)| !atoms.is_empty());
                    let range = ranges.range(row.index);
                    Bytes {
                        rest: offset.constant_part(),
                        divisor: strides.fold(0, |known, (_, stride)| gcd(known, stride)),
                        first: (range.low, range.high),
                        count: i128::from(row.bytes),
                    }
                }
            };
            found.push((row.access, bytes));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    fn bytes(rest: i128, divisor: i128, count: i128) -> Bytes {
        let first = match divisor {
            0 => (rest, rest),
            _ => (-1000, 1000),
        };
        Bytes {
            rest,
            divisor,
            first,
            count,
        }
    }

    #[test]
    fn an_array_is_behind_the_member_before_it() {
        let array = Bytes {
            first: (8, 12),
            ..bytes(8, 4, 4)
        };
        assert!(array.is_apart_from(bytes(4, 0, 4)));
        assert!(bytes(4, 0, 4).is_apart_from(array));
        assert!(!bytes(4, 0, 8).is_apart_from(array));
        assert!(!array.is_apart_from(bytes(12, 0, 4)));
        assert!(bytes(16, 0, 4).is_apart_from(array));
    }

    #[test]
    fn members_of_one_object_are_apart() {
        assert!(bytes(0, 0, 4).is_apart_from(bytes(4, 0, 4)));
        assert!(bytes(4, 0, 4).is_apart_from(bytes(0, 0, 4)));
        assert!(!bytes(0, 0, 8).is_apart_from(bytes(4, 0, 4)));
        assert!(!bytes(4, 0, 4).is_apart_from(bytes(0, 0, 8)));
        assert!(!bytes(4, 0, 4).is_apart_from(bytes(4, 0, 4)));
    }

    #[test]
    fn members_of_elements_are_apart_modulo_the_size_of_one() {
        assert!(bytes(0, 12, 4).is_apart_from(bytes(8, 24, 4)));
        assert!(bytes(0, 12, 8).is_apart_from(bytes(8, 0, 4)));
        assert!(!bytes(0, 12, 8).is_apart_from(bytes(4, 0, 4)));
        assert!(!bytes(0, 12, 4).is_apart_from(bytes(0, 12, 4)));
        // The divisors have 4 bytes in common: any element may be meant.
        assert!(!bytes(0, 12, 4).is_apart_from(bytes(4, 8, 4)));
        assert!(!bytes(0, 1, 4).is_apart_from(bytes(400, 0, 4)));
    }
}
