//! Random post-conditions of kernels of many launches' shapes, against a program that runs them and looks at every element.
//!
//! A post-condition is a few choices: which indices it speaks of, which element, and what that is said to hold. What is said to hold
//! must hold behind every launch that has a block, what is said to fail must fail for the size and the index of the counterexample,
//! and a condition under which it is said to hold must be one.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use warplog_report::ensures::Verdict;

use super::dice::Dice;
use super::launches::{MOST, Shape, content, holds, shape};
use super::suite::on_all_cores;
use crate::ensures::{ask, examined};

/// What came of post-conditions.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// Asked of race-free kernels.
    pub asked: usize,
    /// Said to hold, and how often they did.
    pub held: usize,
    /// Said to fail.
    pub failed: usize,
    /// Not decided.
    pub open: usize,
    /// Those of which a condition is told.
    pub conditions: usize,
    /// Wrong answers.
    pub wrong: Vec<String>,
}

impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} post-conditions: {} hold, {} fail, {} open, {} with a condition, {} wrong",
            self.asked,
            self.held,
            self.failed,
            self.open,
            self.conditions,
            self.wrong.len()
        )
    }
}

/// The indices that a post-condition speaks of.
#[derive(Clone, Copy, Debug)]
enum Indices {
    BelowLess(i64),
    UpTo,
    Half,
    From,
    NotFirst,
}

/// The element of an index.
#[derive(Clone, Copy, Debug)]
enum Place {
    Further(i64),
    Times(i64),
    FromEnd,
}

/// What it is said to hold.
#[derive(Clone, Copy, Debug)]
enum Value {
    /// `3 * old(x[at + further]) + old(y[at]) + more`
    Made { further: i64, more: i64 },
    /// What it held.
    Same,
    /// A choice between both.
    Either,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    indices: Indices,
    place: Place,
    value: Value,
}

fn claim(dice: &mut Dice, shape: Shape) -> Claim {
    let indices = match dice.roll(8) {
        0..=2 => Indices::BelowLess(0),
        3 => Indices::BelowLess(1),
        4 => Indices::UpTo,
        5 => Indices::Half,
        6 => Indices::NotFirst,
        _ => Indices::From,
    };
    let place = match dice.roll(8) {
        0..=4 => Place::Further(0),
        5 => Place::Further(1),
        6 => Place::Times(2),
        _ => Place::FromEnd,
    };
    let value = match dice.roll(8) {
        0..=4 => Value::Made {
            further: shape.further,
            more: 0,
        },
        5 => Value::Made {
            further: 1 - shape.further,
            more: i64::from(dice.chance(50)),
        },
        6 => Value::Same,
        _ => Value::Either,
    };
    Claim {
        indices,
        place,
        value,
    }
}

impl Claim {
    fn print(self) -> String {
        let premise = match self.indices {
            Indices::BelowLess(0) => "i < n".to_owned(),
            Indices::BelowLess(less) => format!("i < n - {less}"),
            Indices::UpTo => "i <= n".to_owned(),
            Indices::Half => "2 * i < n".to_owned(),
            Indices::From => "i >= n".to_owned(),
            Indices::NotFirst => "0 < i && i < n".to_owned(),
        };
        let at = match self.place {
            Place::Further(0) => "i".to_owned(),
            Place::Further(further) => format!("i + {further}"),
            Place::Times(by) => format!("{by} * i"),
            Place::FromEnd => "n - 1 - i".to_owned(),
        };
        let premise = match self.place {
            Place::FromEnd => format!("i < n && {premise}"),
            _ => premise,
        };
        let value = match self.value {
            Value::Made { further, more } => {
                format!("3 * old(x[{at} + {further}]) + old(y[{at}]) + {more}")
            }
            Value::Same => format!("old(y[{at}])"),
            Value::Either => {
                format!("({at} < n ? 3 * old(x[{at}]) + old(y[{at}]) : old(y[{at}]))")
            }
        };
        format!("for i: {premise} => y[{at}] == {value}")
    }

    /// Whether it holds of an index behind a launch that wrote these.
    fn holds(self, written: &BTreeMap<i64, i64>, n: i64, i: i64) -> bool {
        let spoken_of = match self.indices {
            Indices::BelowLess(less) => i < n - less,
            Indices::UpTo => i <= n,
            Indices::Half => 2 * i < n,
            Indices::From => i >= n,
            Indices::NotFirst => 0 < i && i < n,
        };
        if !spoken_of || matches!(self.place, Place::FromEnd) && i >= n {
            return true;
        }
        let at = match self.place {
            Place::Further(further) => i + further,
            Place::Times(by) => by * i,
            Place::FromEnd => n - 1 - i,
        };
        let made = |further: i64| 3 * content(2, at + further) + content(1, at);
        let wanted = match self.value {
            Value::Made { further, more } => made(further) + more,
            Value::Either if at < n => made(0),
            Value::Same | Value::Either => content(1, at),
        };
        written.get(&at).copied().unwrap_or(content(1, at)) == wanted
    }
}

/// Asks the post-conditions of seeds.
#[must_use]
pub fn claims(seeds: Range<u64>) -> Claims {
    let mut all = Claims::default();
    for one in on_all_cores(seeds, &one) {
        all.asked += one.asked;
        all.held += one.held;
        all.failed += one.failed;
        all.open += one.open;
        all.conditions += one.conditions;
        all.wrong.extend(one.wrong);
    }
    all
}

/// Indices that are looked at: more than any launch comes to.
const INDICES: i64 = 400;

fn one(seed: u64) -> Claims {
    let mut told = Claims::default();
    let mut dice = Dice::new(seed ^ 0x5eed_c1a1);
    let shape = shape(&mut dice);
    let claim = claim(&mut dice, shape);
    let runs: Vec<Option<BTreeMap<i64, i64>>> = (0..=MOST).map(|n| shape.run(n)).collect();
    let is_racy = runs
        .iter()
        .zip(0..)
        .any(|(run, n)| run.is_none() && shape.blocks(n) > 0);
    if is_racy {
        return told;
    }
    let text = format!(
        "{}void launches(int *y, const int *x, int n)\n{{\n{}}}\n",
        shape.print("kernel"),
        shape.launch("kernel")
    );
    let post_condition = claim.print();
    let facts = examined("random.cu", &text);
    let mut wrong = |what: String| {
        told.wrong
            .push(format!("seed {seed}: {what}\n{post_condition}\n{text}"));
    };
    let outcome = match ask(&facts, "kernel", &post_condition, false) {
        Ok(outcome) => outcome,
        Err(error) => {
            wrong(format!("not asked: {error}"));
            return told;
        }
    };
    let of_size: BTreeMap<i64, bool> = runs
        .iter()
        .zip(0i64..)
        .filter_map(|(run, n)| {
            let run = run.as_ref()?;
            Some((n, (0..INDICES).all(|i| claim.holds(run, n, i))))
        })
        .collect();
    match outcome.verdict {
        Verdict::Holds => {
            if let Some((n, _)) = of_size.iter().find(|(_, held)| !**held) {
                wrong(format!("said to hold, but not of {n} elements"));
            }
        }
        Verdict::Fails => {
            let found = outcome.counterexample.as_ref();
            let number = |all: &[warplog_report::equal::Argument]| {
                all.first().and_then(|one| i64::try_from(one.value).ok())
            };
            let n = found
                .and_then(|found| number(&found.arguments))
                .unwrap_or(-1);
            let i = found.and_then(|found| number(&found.indices)).unwrap_or(-1);
            let run = usize::try_from(n).ok().and_then(|n| runs.get(n)?.as_ref());
            if run.is_none_or(|run| claim.holds(run, n, i)) {
                wrong(format!(
                    "said to fail of {n} elements at {i}, and holds there"
                ));
            }
        }
        Verdict::Unknown => {}
    }
    if !outcome.holds_if.is_empty() {
        let admitted = |n: i64| outcome.holds_if.iter().all(|condition| holds(condition, n));
        if let Some((n, _)) = of_size.iter().find(|(n, held)| !**held && admitted(**n)) {
            wrong(format!(
                "holds if {:?}, but not of {n} elements",
                outcome.holds_if
            ));
        }
    }
    told.asked = 1;
    told.held = usize::from(outcome.verdict == Verdict::Holds);
    told.failed = usize::from(outcome.verdict == Verdict::Fails);
    told.open = usize::from(outcome.verdict == Verdict::Unknown);
    told.conditions = usize::from(!outcome.holds_if.is_empty());
    told
}
