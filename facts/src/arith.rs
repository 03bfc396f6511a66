//! Arithmetic that every crate needs in the same way.

/// The greatest common divisor, never negative; `gcd(0, a)` is the magnitude of a.
///
/// The one result that is no `i128`, 2¹²⁷, is 1 instead: a divisor of everything.
#[must_use]
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::gcd;

    #[test]
    fn the_greatest_common_divisor_of_edge_values() {
        assert_eq!(gcd(0, 0), 0);
        assert_eq!(gcd(0, -7), 7);
        assert_eq!(gcd(-12, 18), 6);
        assert_eq!(gcd(i128::MAX, 1), 1);
        assert_eq!(gcd(i128::MIN, 0), 1, "2^127 is no i128");
        assert_eq!(gcd(i128::MIN, 96), 32);
    }
}
