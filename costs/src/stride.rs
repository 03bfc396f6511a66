//! How a count depends on a stride that is open: `width` in `tile[threadIdx.x * width]`.
//!
//! The bank of an address depends on the stride modulo the width of all banks alone, so that as many values as there are
//! remainders tell all of it; in the usual case that only the common divisor with the number of banks matters, the answer is a
//! list of conditions: *32-way if `width % 32 == 0`, none if `width` is odd*. Values are taken that are larger than a warp, so that
//! different multiples are different addresses; smaller strides may put lanes on one word, which costs less. What a request to
//! global memory touches grows with the stride up to one sector a lane: small values are tried, and one beyond.
//!
//! **Source.** The common divisor is number theory; that padding by one makes it 1 is the CUDA C++ Best Practices Guide's advice.

/// A multiple of all numbers of banks, above the lanes of a warp.
const BASE: i128 = 1024;

/// Values of a stride to try, where lanes are multiples of `step` bytes times the stride apart: one of each remainder.
#[must_use]
pub fn remainders(step: i128) -> Vec<i128> {
    let modulus = modulus(step);
    (0..modulus).map(|remainder| BASE + remainder).collect()
}

/// After how many values of a stride the banks repeat.
#[must_use]
pub fn modulus(step: i128) -> i128 {
    128 / crate::form::gcd(step, 128).max(1)
}

/// Values of a stride to try for global memory.
#[must_use]
pub fn magnitudes() -> Vec<i128> {
    let mut values: Vec<i128> = (1..=9).collect();
    values.extend([16, 32, BASE + 1]);
    values
}

/// Words for how the turns depend on a stride: `table` has the value of each remainder, in order, none where it cannot be.
#[must_use]
pub fn conflicts_in_words(name: &str, table: &[(i128, u32)], modulus: i128) -> String {
    let class = |value: i128| crate::form::gcd(value, modulus).max(1);
    let mut classes: Vec<(i128, u32)> = Vec::new();
    for &(value, degree) in table {
        let of = class(value);
        match classes.iter().find(|(known, _)| *known == of) {
            Some(&(_, known)) if known != degree => {
                let worst = table.iter().map(|(_, degree)| *degree).max().unwrap_or(1);
                let at = table.iter().find(|(_, degree)| *degree == worst);
                let remainder = at.map_or(0, |(value, _)| value % modulus);
                return format!("{worst}-way if `{name} % {modulus} == {remainder}`");
            }
            Some(_) => {}
            None => classes.push((of, degree)),
        }
    }
    classes.sort_unstable_by_key(|&(of, _)| std::cmp::Reverse(of));
    classes.dedup_by_key(|&mut (_, degree)| degree);
    // Of neighbours with one degree the largest divisor stands; the condition is that of the smallest.
    let mut words = Vec::new();
    let all: Vec<(i128, u32)> = {
        let mut all: Vec<(i128, u32)> = table.iter().map(|&(v, d)| (class(v), d)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    for &(_, degree) in &classes {
        let least = all
            .iter()
            .find(|(_, d)| *d == degree)
            .map_or(1, |(of, _)| *of);
        let what = match degree {
            0 | 1 => "none".to_owned(),
            degree => format!("{degree}-way"),
        };
        let when = match least {
            1 if classes.len() == 1 => "always".to_owned(),
            1 if classes.last().is_some_and(|last| last.0 == 1) => format!("if `{name}` is odd"),
            1 => "otherwise".to_owned(),
            least => format!("if `{name} % {least} == 0`"),
        };
        words.push(format!("{what} {when}"));
    }
    words.join(", ")
}

/// Words for how sectors depend on the size of a stride: `table` in the order of its values.
#[must_use]
pub fn sectors_in_words(name: &str, table: &[(i128, u32)]) -> String {
    let Some(&(_, worst)) = table.iter().max_by_key(|(_, sectors)| *sectors) else {
        return String::new();
    };
    let first = table.iter().find(|(_, sectors)| *sectors == worst);
    let from = first.map_or(1, |(value, _)| *value);
    match table.first() {
        Some(&(least, sectors)) if sectors < worst => {
            format!("{worst} if `{name} >= {from}`, {sectors} if `{name} == {least}`")
        }
        _ => format!("{worst} for any `{name}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stride_of_words_is_told_by_its_divisor() {
        let table: Vec<(i128, u32)> = remainders(4)
            .into_iter()
            .map(|value| {
                let gcd = crate::form::gcd(value, 32);
                (value, u32::try_from(gcd).unwrap_or(0))
            })
            .collect();
        assert_eq!(table.len(), 32);
        assert_eq!(
            conflicts_in_words("width", &table, 32),
            "32-way if `width % 32 == 0`, 16-way if `width % 16 == 0`, 8-way if `width % 8 == 0`, 4-way if `width % 4 == 0`, \
             2-way if `width % 2 == 0`, none if `width` is odd"
        );
    }

    #[test]
    fn what_does_not_follow_the_divisor_is_told_by_the_worst_remainder() {
        let table = [(1024, 1), (1025, 2), (1026, 1), (1027, 3)];
        assert_eq!(conflicts_in_words("w", &table, 4), "3-way if `w % 4 == 3`");
        let flat = [(1024, 2), (1025, 2)];
        assert_eq!(conflicts_in_words("w", &flat, 2), "2-way always");
    }

    #[test]
    fn sectors_grow_with_the_stride() {
        let table = [(1, 4), (2, 8), (4, 16), (8, 32), (1025, 32)];
        assert_eq!(
            sectors_in_words("n", &table),
            "32 if `n >= 8`, 4 if `n == 1`"
        );
        // Where one is excluded, the least that is not.
        assert_eq!(
            sectors_in_words("n", &table[1..]),
            "32 if `n >= 8`, 8 if `n == 2`"
        );
        assert_eq!(sectors_in_words("n", &table[3..]), "32 for any `n`");
    }
}
