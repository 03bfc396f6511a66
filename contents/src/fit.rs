//! What a read finds, as a form of the element that it reads.
//!
//! Forms are tried from the plainest on, and each is checked on every execution of the read: a form that is found holds.

use rustc_hash::FxHashMap;

use crate::word::{Combination, OPAQUE, WARP_NUMBER, Word, inputs_of};

/// Largest size of segments that sums begin anew in.
const MOST_SEGMENT: i128 = 1024;

/// The sum of a source between two elements that follow from the element read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The source.
    pub source: u32,
    /// The upper end is `upper`, or, if this is not 0, `upper` plus the largest multiple of this up to the element read.
    pub upper_step: i128,
    /// See `upper_step`: the element behind the last of the sum.
    pub upper: i128,
    /// The lower end is `lower`, or, if this is not 0, `lower` plus the first element of the segment of this size of the element read.
    pub segment: i128,
    /// See `segment`.
    pub lower: i128,
}

impl Sum {
    fn ends(&self, element: i128) -> (i128, i128) {
        let start = |step: i128| match step {
            0 => 0,
            step => element - element.rem_euclid(step),
        };
        (
            start(self.segment) + self.lower,
            start(self.upper_step) + self.upper,
        )
    }
}

/// `plus + slope · element + sum`, for elements from the first to, not including, the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The sum, if there is one.
    pub sum: Option<Sum>,
    /// Factor of the element read.
    pub slope: i128,
    /// Constant.
    pub plus: i128,
    /// Smallest element read.
    pub first: i128,
    /// Element behind the largest.
    pub end: i128,
}

impl Form {
    /// Whether this is what an execution found.
    fn agrees(&self, element: i128, word: &Word) -> bool {
        if word.constant != self.plus + self.slope * element {
            return false;
        }
        let Some(sum) = &self.sum else {
            return word.runs.is_empty();
        };
        let (lower, upper) = sum.ends(element);
        match word.runs.as_slice() {
            [] => lower == upper,
            [run] => {
                let is_input = run.high == run.low + 1 && run.source == inputs_of(sum.source);
                (run.source == sum.source || is_input)
                    && run.times == 1
                    && i128::from(run.low) == lower
                    && i128::from(run.high) == upper
            }
            _ => false,
        }
    }
}

/// The form of what a read found by element, if there is one. What is not added up has no lower end but the first element: it
/// cannot be taken away again.
#[must_use]
pub fn fit(observed: &[(i128, Word)]) -> Option<Form> {
    let first = observed.iter().map(|(element, _)| *element).min()?;
    let end = 1 + observed.iter().map(|(element, _)| *element).max()?;
    let (slope, plus) = linear(observed)?;
    let form = |sum: Option<Sum>| Form {
        sum,
        slope,
        plus,
        first,
        end,
    };
    let is_combined = |word: &Word| {
        let mut runs = word.runs.iter();
        runs.any(|run| Combination::of(run.source) != Combination::Sum)
    };
    // One input alone may be combined in any way.
    let with_run = observed.iter().find(|(_, word)| is_combined(word));
    let with_run = with_run.or_else(|| observed.iter().find(|(_, word)| !word.runs.is_empty()));
    let Some((element, word)) = with_run else {
        let form = form(None);
        let agrees = observed.iter().all(|(at, word)| form.agrees(*at, word));
        return agrees.then_some(form);
    };
    let [run] = word.runs.as_slice() else {
        return None;
    };
    if matches!(run.source, OPAQUE | WARP_NUMBER) {
        return None;
    }
    let (low, high) = (i128::from(run.low), i128::from(run.high));
    let is_sum = Combination::of(run.source) == Combination::Sum;
    let segments = std::iter::successors(Some(1), |&size| Some(2 * size));
    let segments: Vec<i128> = segments.take_while(|&size| size <= MOST_SEGMENT).collect();
    let lowers = std::iter::once((0, low)).chain(
        segments
            .iter()
            .map(|&size| (size, low - (element - element.rem_euclid(size)))),
    );
    let uppers = std::iter::once((0, high));
    let uppers = uppers.chain(
        segments
            .iter()
            .map(|&step| (step, high - (element - element.rem_euclid(step)))),
    );
    let uppers: Vec<(i128, i128)> = uppers.collect();
    for (segment, lower) in lowers {
        if !is_sum && (segment, lower) != (0, 0) {
            continue;
        }
        for &(upper_step, upper) in &uppers {
            let form = form(Some(Sum {
                source: run.source,
                upper_step,
                upper,
                segment,
                lower,
            }));
            if observed.iter().all(|(at, word)| form.agrees(*at, word)) {
                return Some(form);
            }
        }
    }
    None
}

/// The largest groups of consecutive ranks in which the word is one: a power of two, or the number of threads for all. None where two
/// neighbours differ.
#[must_use]
pub fn equal_lanes(observed: &[(i128, Word)], threads: i128) -> Option<i128> {
    let all_equal = |lanes: i128| {
        let mut seen: FxHashMap<i128, &Word> = FxHashMap::default();
        let mut observed = observed.iter();
        observed.all(|(rank, word)| *seen.entry(rank.div_euclid(lanes)).or_insert(word) == word)
    };
    if all_equal(threads) {
        return Some(threads);
    }
    let sizes = std::iter::successors(Some(2), |&size| Some(2 * size));
    let sizes = sizes.take_while(|&size| size < threads);
    sizes.take_while(|&size| all_equal(size)).last()
}

/// The line through the constants, from the first two elements that differ.
fn linear(observed: &[(i128, Word)]) -> Option<(i128, i128)> {
    let (element, word) = observed.first()?;
    let other = observed.iter().find(|(other, _)| other != element);
    let slope = match other {
        Some((at, found)) => {
            let rise = found.constant.checked_sub(word.constant)?;
            let run = at - element;
            (rise % run == 0).then_some(rise / run)?
        }
        None => 0,
    };
    let plus = word.constant.checked_sub(slope.checked_mul(*element)?)?;
    let fits = |number: i128| i64::try_from(number).is_ok();
    (fits(slope) && fits(plus)).then_some((slope, plus))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::Run;

    fn sum(low: u32, high: u32) -> Word {
        let run = Run {
            source: 3,
            low,
            high,
            times: 1,
        };
        let runs = if low == high { vec![] } else { vec![run] };
        Word {
            constant: 0,
            runs: runs.into(),
        }
    }

    fn fitted(words: &[Word]) -> Option<Form> {
        let observed: Vec<(i128, Word)> = (0..).zip(words.iter().cloned()).collect();
        fit(&observed)
    }

    #[test]
    fn inclusive_and_exclusive_sums() {
        let inclusive: Vec<Word> = (0..8).map(|i| sum(0, i + 1)).collect();
        let form = fitted(&inclusive).and_then(|form| form.sum);
        let form = form.expect("a form");
        assert_eq!((form.upper_step, form.upper, form.segment), (1, 1, 0));
        let exclusive: Vec<Word> = (0..8).map(|i| sum(0, i)).collect();
        let form = fitted(&exclusive).and_then(|form| form.sum);
        assert_eq!(form.map(|form| (form.upper, form.lower)), Some((0, 0)));
    }

    #[test]
    fn segments_and_totals() {
        let segmented: Vec<Word> = (0..8).map(|i| sum(i / 4 * 4, i + 1)).collect();
        let form = fitted(&segmented).and_then(|form| form.sum);
        assert_eq!(form.map(|form| (form.segment, form.lower)), Some((4, 0)));
        let total: Vec<Word> = (0..8).map(|_| sum(0, 8)).collect();
        let form = fitted(&total).and_then(|form| form.sum);
        assert_eq!(form.map(|form| (form.upper_step, form.upper)), Some((0, 8)));
        let of_segments: Vec<Word> = (0..8).map(|i| sum(0, i / 4 * 4 + 4)).collect();
        let form = fitted(&of_segments).and_then(|form| form.sum);
        assert_eq!(form.map(|form| (form.upper_step, form.upper)), Some((4, 4)));
    }

    #[test]
    fn one_element_off_is_no_form() {
        let mut words: Vec<Word> = (0..8).map(|i| sum(0, i + 1)).collect();
        words[5] = sum(0, 5);
        assert_eq!(fitted(&words), None);
        words[5] = sum(1, 6);
        assert_eq!(fitted(&words), None);
        words[5] = Word::number(0);
        assert_eq!(fitted(&words), None);
        words[5] = Word {
            constant: 1,
            ..sum(0, 6)
        };
        assert_eq!(fitted(&words), None);
    }

    #[test]
    fn the_largest_so_far() {
        let of = |_: u32| (0, 9);
        let mut words: Vec<Word> = vec![Word::input(3, 0)];
        for element in 1..8 {
            let last = words.last().expect("a word");
            let next = last.combined(&Word::input(3, element), Combination::Largest, &of);
            words.push(next.expect("neighbours"));
        }
        let form = fitted(&words).and_then(|form| form.sum).expect("a form");
        assert_eq!((form.upper_step, form.upper, form.lower), (1, 1, 0));
        assert_eq!(Combination::of(form.source), Combination::Largest);
        words[5] = words[4].clone();
        assert_eq!(fitted(&words), None);
        // Those that do not begin with the first element are not told.
        let later: Vec<Word> = (1..8).map(|at| Word::input(3, at)).collect();
        let pairs: Vec<Word> = later
            .windows(2)
            .filter_map(|pair| pair[0].combined(&pair[1], Combination::Largest, &of))
            .collect();
        assert_eq!(fitted(&pairs), None);
    }

    #[test]
    fn lines() {
        let words: Vec<Word> = (0..8).map(|i| Word::number(5 - 2 * i)).collect();
        let form = fitted(&words).map(|form| (form.slope, form.plus));
        assert_eq!(form, Some((-2, 5)));
        let squares: Vec<Word> = (0..8).map(|i| Word::number(i * i)).collect();
        assert_eq!(fitted(&squares), None);
    }
}
