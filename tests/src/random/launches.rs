//! Random pairs of kernels that go through an array by launches of different shapes, against a program that runs them.
//!
//! A kernel is a few choices: block, grid, how many elements a thread does and in which order, what guards them, what is read. Its
//! runs follow these choices and share nothing with the analysis. What is called equal must leave the same elements for every size
//! whose launches have blocks, what is called different must not for the size of the counterexample, and a condition under which the
//! two are called equal must be one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use warplog_equivalence::answer::Verdict;

use super::dice::Dice;
use super::equal::Pairs;
use super::suite::on_all_cores;
use crate::equal::{compare, facts};

/// The number of blocks.
#[derive(Clone, Copy, Debug)]
enum Grid {
    Number(i64),
    /// `(n + k - 1) / k`
    Above(i64),
    /// `n / k`
    Below(i64),
}

/// Which elements a thread does.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Its own.
    One,
    /// Every so many threads.
    Stride,
    /// Neighbours, so many.
    Few(i64),
    /// Neighbours by a loop.
    Loop(i64),
    /// From the last to the first.
    Backwards,
    /// So many apart.
    Apart(i64),
}

/// Which threads work.
#[derive(Clone, Copy, Debug)]
enum Lanes {
    All,
    Below(i64),
    /// One thread of a block; then elements are counted by blocks.
    Only(i64),
}

/// A kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    block: i64,
    grid: Grid,
    way: Way,
    lanes: Lanes,
    /// Elements below `n - less` are done.
    less: i64,
    guarded: bool,
    /// Of neighbours the first is guarded, and stands for all.
    by_first: bool,
    /// What is read: its own element or one that is so much further.
    pub(super) further: i64,
}

/// A shape by dice.
pub(super) fn shape(dice: &mut Dice) -> Shape {
    let block = dice.pick(&[4, 8, 16, 12]);
    let way = match dice.roll(8) {
        0 | 1 => Way::One,
        2 | 3 => Way::Stride,
        4 => Way::Few(dice.pick(&[2, 4])),
        5 => Way::Loop(dice.pick(&[2, 4, 3])),
        6 => Way::Backwards,
        _ => Way::Apart(2),
    };
    let each = match way {
        Way::Few(c) | Way::Loop(c) => c,
        _ => 1,
    };
    let grid = match way {
        Way::Stride => Grid::Number(dice.pick(&[1, 2, 3, 5])),
        _ if dice.chance(85) => Grid::Above(block * each),
        _ if dice.chance(50) => Grid::Below(block * each),
        _ => Grid::Number(dice.pick(&[2, 4])),
    };
    let lanes = match dice.roll(12) {
        0 => Lanes::Below(dice.pick(&[4, 8])),
        1 if matches!(way, Way::Stride) => Lanes::Only(dice.pick(&[0, 3, 9])),
        _ => Lanes::All,
    };
    Shape {
        block,
        grid,
        way,
        lanes,
        less: if dice.chance(12) { 1 } else { 0 },
        guarded: dice.chance(92),
        by_first: dice.chance(35),
        further: if dice.chance(10) { 1 } else { 0 },
    }
}

impl Shape {
    pub(super) fn blocks(self, n: i64) -> i64 {
        match self.grid {
            Grid::Number(blocks) => blocks,
            Grid::Above(k) => (n + k - 1) / k,
            Grid::Below(k) => n / k,
        }
    }

    /// As CUDA.
    pub(super) fn print(self, name: &str) -> String {
        let (index, stride) = match self.lanes {
            Lanes::Only(_) => ("blockIdx.x", "gridDim.x"),
            _ => (
                "(blockIdx.x * blockDim.x + threadIdx.x)",
                "(gridDim.x * blockDim.x)",
            ),
        };
        let end = match self.less {
            0 => "n".to_owned(),
            less => format!("n - {less}"),
        };
        let guard = |at: &str| match self.guarded {
            true => format!("if ({at} < {end}) "),
            false => String::new(),
        };
        let at = |at: &str| {
            let read = match self.further {
                0 => at.to_owned(),
                further => format!("{at} + {further}"),
            };
            format!("y[{at}] = 3 * x[{read}] + y[{at}];")
        };
        let body = match self.way {
            Way::One => format!("int i = {index}; {}{}", guard("i"), at("i")),
            Way::Stride => format!(
                "for (int i = {index}; i < {end}; i += {stride}) {}",
                at("i")
            ),
            Way::Few(count) => {
                let mut text = format!("int i = {count} * {index};");
                for place in 0..count {
                    let place = format!("i + {place}");
                    let own = match self.by_first {
                        true => guard("i"),
                        false => guard(&place),
                    };
                    let _ = write!(text, " {own}{}", at(&place));
                }
                text
            }
            Way::Loop(count) => format!(
                "int i = {count} * {index}; for (int j = i; j < i + {count}; j++) {}{}",
                guard("j"),
                at("j")
            ),
            Way::Backwards => {
                format!("int i = {end} - 1 - (int){index}; if (i >= 0) {}", at("i"))
            }
            Way::Apart(by) => format!("int i = {by} * {index}; {}{}", guard("i"), at("i")),
        };
        let body = match self.lanes {
            Lanes::All => body,
            Lanes::Below(most) => format!("if (threadIdx.x < {most}) {{ {body} }}"),
            Lanes::Only(lane) => format!("if (threadIdx.x == {lane}) {{ {body} }}"),
        };
        format!("__global__ void {name}(int *y, const int *x, int n)\n{{\n    {body}\n}}\n")
    }

    /// The launch.
    pub(super) fn launch(self, name: &str) -> String {
        let grid = match self.grid {
            Grid::Number(blocks) => blocks.to_string(),
            Grid::Above(k) => format!("(n + {}) / {k}", k - 1),
            Grid::Below(k) => format!("n / {k}"),
        };
        format!("    {name}<<<{grid}, {}>>>(y, x, n);\n", self.block)
    }

    /// What a launch leaves; none if it is none, or if two threads write an element.
    pub(super) fn run(self, n: i64) -> Option<BTreeMap<i64, i64>> {
        let blocks = self.blocks(n);
        if blocks < 1 {
            return None;
        }
        let mut written: BTreeMap<i64, (i64, (i64, i64))> = BTreeMap::new();
        for block in 0..blocks {
            for thread in 0..self.block {
                let (index, stride) = match self.lanes {
                    Lanes::Below(most) if thread >= most => continue,
                    Lanes::Only(lane) if thread != lane => continue,
                    Lanes::Only(_) => (block, blocks),
                    _ => (block * self.block + thread, blocks * self.block),
                };
                let end = n - self.less;
                let inside = |at: &i64| !self.guarded || *at < end;
                let elements: Vec<i64> = match self.way {
                    Way::One => Some(index).into_iter().filter(inside).collect(),
                    Way::Stride => (0..)
                        .map(|k| index + k * stride)
                        .take_while(|at| *at < end)
                        .collect(),
                    Way::Few(count) if self.by_first => {
                        let first = count * index;
                        let all = (0..count).map(|j| first + j);
                        all.filter(|_| inside(&first)).collect()
                    }
                    Way::Few(count) | Way::Loop(count) => (0..count)
                        .map(|j| count * index + j)
                        .filter(inside)
                        .collect(),
                    Way::Backwards => Some(end - 1 - index)
                        .into_iter()
                        .filter(|at| *at >= 0)
                        .collect(),
                    Way::Apart(by) => Some(by * index).into_iter().filter(inside).collect(),
                };
                for at in elements {
                    let before = written.get(&at).map(|(value, _)| *value);
                    let before = before.unwrap_or_else(|| content(1, at));
                    let value = 3 * content(2, at + self.further) + before;
                    if let Some((_, by)) = written.insert(at, (value, (block, thread)))
                        && by != (block, thread)
                    {
                        return None;
                    }
                }
            }
        }
        Some(
            written
                .into_iter()
                .map(|(at, (value, _))| (at, value))
                .collect(),
        )
    }
}

/// Compares the pairs of seeds.
#[must_use]
pub fn pairs(seeds: Range<u64>) -> Pairs {
    let mut all = Pairs::default();
    for one in on_all_cores(seeds, &pair) {
        all.add(one);
    }
    all
}

/// What an array holds before.
pub(super) fn content(array: i64, at: i64) -> i64 {
    (at * 7919 + array * 104_729) % 1_000_003
}

/// Largest size that is run.
pub(super) const MOST: i64 = 140;

/// What each of two kernels leaves in its array, none if it is not launched.
pub(super) type Run = [Option<BTreeMap<i64, i64>>; 2];

/// The runs of two kernels.
pub(super) struct Runs {
    /// By size, from 0 on, with some contents each.
    pub(super) of_size: Vec<Vec<Run>>,
    /// Contents decide whether the two leave the same: a counterexample of one size may have others than these.
    pub(super) by_contents: bool,
}

fn pair(seed: u64) -> Pairs {
    let mut dice = Dice::new(seed ^ 0x1a7e);
    let shapes = [shape(&mut dice), shape(&mut dice)];
    let of_size = (0..=MOST).map(|n| vec![shapes.map(|shape| shape.run(n))]);
    let runs = Runs {
        of_size: of_size.collect(),
        by_contents: false,
    };
    // Two threads write an element, or there is no launch.
    let is_racy = |side: usize| {
        runs.of_size
            .iter()
            .zip(0..)
            .any(|(run, n)| run[0][side].is_none() && shapes[side].blocks(n) > 0)
    };
    if is_racy(0) || is_racy(1) {
        return Pairs::default();
    }
    let names = ["left", "right"];
    let mut text: String = [0, 1].map(|side| shapes[side].print(names[side])).concat();
    text.push_str("void launches(int *y, const int *x, int n)\n{\n");
    for side in [0, 1] {
        text.push_str(&shapes[side].launch(names[side]));
    }
    text.push_str("}\n");
    judge(seed, &text, &runs)
}

/// Judges what is said of the kernels `left` and `right` of a program by their runs.
pub(super) fn judge(seed: u64, text: &str, runs: &Runs) -> Pairs {
    let mut told = Pairs::default();
    let facts = facts("random.cu", text);
    let names = ["left", "right"].map(str::to_owned);
    let Ok(answer) = compare(&facts, &names, false) else {
        told.wrong
            .push(format!("seed {seed}: not compared\n{text}"));
        return told;
    };
    told.compared = 1;
    // Of every size for which both are launched: whether they leave the same.
    let mut same: BTreeMap<i64, bool> = BTreeMap::new();
    for (runs, n) in runs.of_size.iter().zip(0i64..) {
        for run in runs {
            if let [Some(left), Some(right)] = run {
                *same.entry(n).or_insert(true) &= left == right;
            }
        }
    }
    let mut wrong = |what: String| told.wrong.push(format!("seed {seed}: {what}\n{text}"));
    match &answer.verdict {
        Verdict::Equal(_) => {
            told.equal = (1, same.len());
            if let Some((n, _)) = same.iter().find(|(_, same)| !**same) {
                wrong(format!("equal, but not of {n} elements"));
            }
        }
        Verdict::Different(found) => {
            told.different = (1, 0);
            let n = found.scalars.iter().find(|(name, _)| name == "n");
            let n = n.and_then(|(_, n)| i64::try_from(*n).ok()).unwrap_or(-1);
            let is_seen = runs.by_contents && same.values().any(|same| !same);
            match same.get(&n) {
                Some(false) => told.different.1 = 1,
                _ if is_seen => told.different.1 = 1,
                other => wrong(format!(
                    "different of {n} elements, but the runs say {other:?}"
                )),
            }
        }
        Verdict::Unknown(_) => told.open = 1,
    }
    let mut wrong = |what: String| told.wrong.push(format!("seed {seed}: {what}\n{text}"));
    if !answer.equal_if.is_empty() {
        told.conditions += 1;
        let admitted = |n: i64| answer.equal_if.iter().all(|condition| holds(condition, n));
        if let Some((n, _)) = same.iter().find(|(n, same)| !**same && admitted(**n)) {
            wrong(format!(
                "equal if {:?}, but not of {n} elements",
                answer.equal_if
            ));
        }
        if !same.iter().any(|(n, same)| *same && admitted(*n)) {
            wrong(format!("equal if {:?}, which never holds", answer.equal_if));
        }
    }
    told
}

/// Whether a condition holds of a size: sums of products of numbers, `n` and quotients on both sides of a comparison.
///
/// # Panics
/// It is not such a condition.
#[must_use]
pub fn holds(condition: &str, n: i64) -> bool {
    if let Some((left, right)) = condition.split_once(" >= ") {
        return value(left, n) >= value(right, n);
    }
    let (left, right) = condition
        .split_once(" == ")
        .unwrap_or_else(|| panic!("{condition}"));
    match left.split_once(" % ") {
        Some((of, by)) => value(of, n) % value(by, n) == value(right, n),
        None => value(left, n) == value(right, n),
    }
}

fn value(text: &str, n: i64) -> i64 {
    let mut words: Vec<String> = Vec::new();
    for letter in text.chars() {
        match letter {
            ' ' => words.push(String::new()),
            '(' | ')' => {
                words.push(letter.to_string());
                words.push(String::new());
            }
            _ => match words.last_mut() {
                Some(last) if !matches!(last.as_str(), "(" | ")") => last.push(letter),
                _ => words.push(letter.to_string()),
            },
        }
    }
    words.retain(|word| !word.is_empty());
    let mut at = 0;
    let value = sum(&words, &mut at, n);
    assert_eq!(at, words.len(), "{text}");
    value
}

fn sum(words: &[String], at: &mut usize, n: i64) -> i64 {
    let mut all = product(words, at, n);
    while words.get(*at).is_some_and(|word| word == "+") {
        *at += 1;
        all += product(words, at, n);
    }
    all
}

fn product(words: &[String], at: &mut usize, n: i64) -> i64 {
    let mut all = atom(words, at, n);
    loop {
        match words.get(*at).map(String::as_str) {
            Some("*") => {
                *at += 1;
                all *= atom(words, at, n);
            }
            Some("/") => {
                *at += 1;
                all /= atom(words, at, n);
            }
            _ => return all,
        }
    }
}

fn atom(words: &[String], at: &mut usize, n: i64) -> i64 {
    let word = words[*at].as_str();
    *at += 1;
    match word {
        "(" => {
            let inner = sum(words, at, n);
            assert_eq!(words[*at], ")");
            *at += 1;
            inner
        }
        "n" => n,
        _ => word.parse().unwrap_or_else(|_| panic!("{word}")),
    }
}
