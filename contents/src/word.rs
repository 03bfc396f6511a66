//! Values of the simulated block: a number plus sums of runs of inputs.
//!
//! Inputs are numbered by source (one array in one barrier interval) and element. A run stands for the sum of the inputs of
//! consecutive elements of a source, so that a prefix sum of any length is as large as one number; sums of neighbouring runs are a
//! run again. Words are kept in one form: equal words are equal sums, whatever the inputs are. A run may also stand for the largest of its
//! inputs, or for all their bits: of these two neighbours or runs that overlap are one, as an input counts as often as it likes.

use smallvec::SmallVec;

/// The source of values of which only the computation is known: those of one number are equal.
pub const OPAQUE: u32 = u32::MAX;

/// The source of the number of a warp in a block of any size.
pub const WARP_NUMBER: u32 = u32::MAX - 1;

/// How the inputs of a run are combined. It is told by the upper bits of the source of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// Their sum.
    Sum,
    /// The largest of them.
    Largest,
    /// All their bits.
    Bits,
}

/// Where the bits of a source begin that tell how its inputs are combined; and what numbers of sources are below.
const COMBINATION_AT: u32 = 28;
const SOURCES: u32 = 1 << COMBINATION_AT;

impl Combination {
    /// That of a run of this source.
    #[must_use]
    pub fn of(source: u32) -> Self {
        match source >> COMBINATION_AT {
            1 => Combination::Largest,
            2 => Combination::Bits,
            _ => Combination::Sum,
        }
    }

    /// The source, combined in this way.
    fn within(self, source: u32) -> u32 {
        let bits = match self {
            Combination::Sum => 0,
            Combination::Largest => 1,
            Combination::Bits => 2,
        };
        source | bits << COMBINATION_AT
    }

    /// Its name in relations.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Combination::Sum => "sum",
            Combination::Largest => "max",
            Combination::Bits => "or",
        }
    }
}

/// The source whose inputs a run is made of, however they are combined.
#[must_use]
pub fn inputs_of(source: u32) -> u32 {
    match Combination::of(source) {
        Combination::Sum => source,
        _ => source % SOURCES,
    }
}

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

    /// Whether some inputs of it are not added up.
    fn is_combined(&self) -> bool {
        let mut runs = self.runs.iter();
        runs.any(|run| Combination::of(run.source) != Combination::Sum)
    }

    /// The run that it is, and nothing else, if its inputs may be taken for combined in this way.
    fn as_combined(&self, how: Combination) -> Option<Run> {
        let [run] = self.runs.as_slice() else {
            return None;
        };
        let own = Combination::of(run.source);
        let is_input = run.high == run.low + 1 && own == Combination::Sum;
        let is_alone = self.constant == 0 && run.times == 1 && inputs_of(run.source) < SOURCES;
        (is_alone && (own == how || is_input)).then_some(*run)
    }

    /// The larger of this word and another, or the bits of both, if that is a run again or one of the two.
    #[must_use]
    pub fn combined(
        &self,
        other: &Word,
        how: Combination,
        of: &dyn Fn(u32) -> (i128, i128),
    ) -> Option<Word> {
        for (one, rest) in [(self, other), (other, self)] {
            let Some(number) = one.as_number() else {
                continue;
            };
            let (least, most) = rest.bounds(of)?;
            return match how {
                Combination::Largest if number <= least => Some(rest.clone()),
                Combination::Largest if number >= most => Some(one.clone()),
                Combination::Bits if number == 0 => Some(rest.clone()),
                _ => None,
            };
        }
        let (one, two) = (self.as_combined(how)?, other.as_combined(how)?);
        let source = inputs_of(one.source);
        let touch = one.low.max(two.low) <= one.high.min(two.high);
        if source != inputs_of(two.source) || !touch {
            return None;
        }
        let (low, high) = (one.low.min(two.low), one.high.max(two.high));
        let is_input = high == low + 1;
        let run = Run {
            source: if is_input { source } else { how.within(source) },
            low,
            high,
            times: 1,
        };
        Some(Word {
            constant: 0,
            runs: SmallVec::from_slice(&[run]),
        })
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
        // The largest of one run and that of the next add up to nothing that is known.
        if self.is_combined() && other.is_combined() {
            return (self == other && times == -1).then(Word::default);
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
            let (least, mut most) = of(inputs_of(run.source));
            let inputs = match Combination::of(run.source) {
                Combination::Sum => i128::from(run.high - run.low),
                Combination::Largest => 1,
                Combination::Bits if least >= 0 => {
                    let ones = 128 - most.leading_zeros();
                    most = 1i128.checked_shl(ones)?.checked_sub(1)?;
                    1
                }
                Combination::Bits => return None,
            };
            let count = inputs.checked_mul(run.times)?;
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
    fn the_largest_of_runs_that_touch_is_that_of_one() {
        let of = |_: u32| (0, 9);
        let how = Combination::Largest;
        let both = |one: &Word, other: &Word| one.combined(other, how, &of);
        let [first, second, third] = [0, 1, 2].map(|at| Word::input(0, at));
        let pair = both(&first, &second).expect("neighbours");
        let all = both(&pair, &third).expect("neighbours");
        assert_eq!(all.runs[0].high, 3);
        assert_eq!(both(&third, &pair), Some(all.clone()));
        // Again, and what lies inside, changes nothing; with a gap it is no run.
        assert_eq!(both(&all, &second), Some(all.clone()));
        assert_eq!(both(&first, &third), None);
        // One input is the largest of itself, and a sum of two is none.
        assert_eq!(both(&first, &first), Some(first.clone()));
        let sum = first.plus(&second, 1).expect("a sum");
        assert_eq!(both(&sum, &third), None);
        assert_eq!(both(&pair, &sum), None);
        // The bits of two are not the larger of them.
        assert_eq!(pair.combined(&third, Combination::Bits, &of), None);
        // Of another source nothing is known.
        assert_eq!(both(&first, &Word::input(1, 1)), None);
        // They are not added up.
        assert_eq!(all.plus(&all, 1), None);
        assert_eq!(all.plus(&pair, -1), None);
        assert_eq!(all.plus(&all, -1), Some(Word::number(0)));
        assert_eq!(all.bounds(&of), Some((0, 9)));
        // 0 is below all, and 12 above.
        assert_eq!(both(&all, &Word::number(0)), Some(all.clone()));
        assert_eq!(both(&all, &Word::number(12)), Some(Word::number(12)));
        assert_eq!(both(&all, &Word::number(5)), None);
        let bits = first
            .combined(&second, Combination::Bits, &of)
            .expect("bits");
        assert_eq!(bits.bounds(&of), Some((0, 15)));
    }

    #[test]
    fn bounds_count_elements() {
        let sum = word(3, &[run(0, 0, 6, 1), run(1, 0, 2, -1)]);
        let of = |source: u32| if source == 0 { (0, 1) } else { (0, 10) };
        assert_eq!(sum.bounds(&of), Some((-17, 9)));
    }
}
