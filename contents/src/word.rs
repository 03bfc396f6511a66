//! Values of the simulated block: a number plus sums of runs of inputs.
//!
//! Inputs are numbered by source (one array in one barrier interval) and element. A run stands for the sum of the inputs of
//! consecutive elements of a source, so that a prefix sum of any length is as large as one number; sums of neighbouring runs are a
//! run again. Words are kept in one form: equal words are equal sums, whatever the inputs are.

use smallvec::SmallVec;

/// The source of values of which only the computation is known: those of one number are equal.
pub const OPAQUE: u32 = u32::MAX;

/// The source of the number of a warp in a block of any size.
pub const WARP_NUMBER: u32 = u32::MAX - 1;

/// Most runs of a word; a longer one is not kept.
const MOST_RUNS: usize = 32;

/// The sum of the inputs of a source from one element up to, not including, another, so many times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// The source.
    pub source: u32,
    /// First element.
    pub low: u32,
    /// Element behind the last.
    pub high: u32,
    /// How many times, never 0.
    pub times: i128,
}

/// A number plus runs, sorted, none of which overlap or could be one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    /// The number.
    pub constant: i128,
    /// The runs.
    pub runs: SmallVec<[Run; 1]>,
}

impl Word {
    /// A number.
    #[must_use]
    pub fn number(constant: i128) -> Self {
        Word {
            constant,
            runs: SmallVec::new(),
        }
    }

    /// An input.
    #[must_use]
    pub fn input(source: u32, element: u32) -> Self {
        let run = Run {
            source,
            low: element,
            high: element + 1,
            times: 1,
        };
        Word {
            constant: 0,
            runs: SmallVec::from_slice(&[run]),
        }
    }

    /// The number, if it is nothing else.
    #[must_use]
    pub fn as_number(&self) -> Option<i128> {
        self.runs.is_empty().then_some(self.constant)
    }

    /// A value that is computed in a way of this number.
    #[must_use]
    pub fn computed(number: u32) -> Self {
        Word::input(OPAQUE, number)
    }

    /// Whether a value takes part of which only the computation is known.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.runs.iter().any(|run| run.source == OPAQUE)
    }

    /// The number of the computation, if it is the value of one and nothing else.
    #[must_use]
    pub fn as_computed(&self) -> Option<u32> {
        match self.runs.as_slice() {
            [run] if run.source == OPAQUE && run.high == run.low + 1 => {
                (self.constant == 0 && run.times == 1).then_some(run.low)
            }
            _ => None,
        }
    }

    /// This word plus another, so many times; none where that is too long.
    #[must_use]
    pub fn plus(&self, other: &Word, times: i128) -> Option<Word> {
        let constant = other.constant.checked_mul(times)?;
        let constant = self.constant.checked_add(constant)?;
        if other.runs.is_empty() || times == 0 {
            let runs = self.runs.clone();
            return Some(Word { constant, runs });
        }
        let mut changes: Vec<(u32, u32, i128)> = Vec::new();
        for (word, by) in [(self, 1), (other, times)] {
            for run in &word.runs {
                let times = run.times.checked_mul(by)?;
                changes.push((run.source, run.low, times));
                changes.push((run.source, run.high, -times));
            }
        }
        changes.sort_unstable();
        let mut runs: SmallVec<[Run; 1]> = SmallVec::new();
        let (mut source, mut low, mut current) = (0, 0, 0i128);
        for (of, at, change) in changes {
            // Where a source ends, nothing of it is left.
            if current != 0 && at > low && of == source {
                match runs.last_mut() {
                    Some(last)
                        if last.source == source && last.high == low && last.times == current =>
                    {
                        last.high = at;
                    }
                    _ => runs.push(Run {
                        source,
                        low,
                        high: at,
                        times: current,
                    }),
                }
            }
            current = current.checked_add(change)?;
            (source, low) = (of, at);
        }
        (runs.len() <= MOST_RUNS).then_some(Word { constant, runs })
    }

    /// This word so many times.
    #[must_use]
    pub fn scaled(&self, times: i128) -> Option<Word> {
        Word::default().plus(self, times)
    }

    /// The smallest and largest value, given those of the inputs of each source; none where they are out of reach.
    #[must_use]
    pub fn bounds(&self, of: &dyn Fn(u32) -> (i128, i128)) -> Option<(i128, i128)> {
        let (mut low, mut high) = (self.constant, self.constant);
        for run in &self.runs {
            let (least, most) = of(run.source);
            let count = i128::from(run.high - run.low).checked_mul(run.times)?;
            let ends = [count.checked_mul(least)?, count.checked_mul(most)?];
            low = low.checked_add(ends[0].min(ends[1]))?;
            high = high.checked_add(ends[0].max(ends[1]))?;
        }
        Some((low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(source: u32, low: u32, high: u32, times: i128) -> Run {
        Run {
            source,
            low,
            high,
            times,
        }
    }

    fn word(constant: i128, runs: &[Run]) -> Word {
        Word {
            constant,
            runs: SmallVec::from_slice(runs),
        }
    }

    #[test]
    fn neighbours_become_one_run() {
        let one = word(1, &[run(0, 0, 4, 1)]);
        let other = word(2, &[run(0, 4, 6, 1)]);
        assert_eq!(one.plus(&other, 1), Some(word(3, &[run(0, 0, 6, 1)])));
        // Of another source, or with a gap, they stay two.
        let apart = word(0, &[run(0, 5, 6, 1)]);
        let runs = [run(0, 0, 4, 1), run(0, 5, 6, 1)];
        assert_eq!(one.plus(&apart, 1), Some(word(1, &runs)));
        let elsewhere = word(0, &[run(1, 4, 6, 1)]);
        let runs = [run(0, 0, 4, 1), run(1, 4, 6, 1)];
        assert_eq!(one.plus(&elsewhere, 1), Some(word(1, &runs)));
    }

    #[test]
    fn what_is_taken_away_is_gone() {
        let sum = word(0, &[run(0, 0, 6, 1)]);
        let own = Word::input(0, 5);
        assert_eq!(sum.plus(&own, -1), Some(word(0, &[run(0, 0, 5, 1)])));
        assert_eq!(sum.plus(&sum, -1), Some(Word::number(0)));
        // An element in the middle leaves two runs; one that is counted twice counts twice.
        let inner = Word::input(0, 2);
        let runs = [run(0, 0, 2, 1), run(0, 3, 6, 1)];
        assert_eq!(sum.plus(&inner, -1), Some(word(0, &runs)));
        let runs = [run(0, 0, 2, 1), run(0, 2, 3, 2), run(0, 3, 6, 1)];
        assert_eq!(sum.plus(&inner, 1), Some(word(0, &runs)));
    }

    #[test]
    fn bounds_count_elements() {
        let sum = word(3, &[run(0, 0, 6, 1), run(1, 0, 2, -1)]);
        let of = |source: u32| if source == 0 { (0, 1) } else { (0, 10) };
        assert_eq!(sum.bounds(&of), Some((-17, 9)));
    }
}
