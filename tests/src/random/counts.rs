//! Random pairs of kernels that count by atomic operations, in global memory or in that of the block first, against a program that
//! runs them.
//!
//! A kernel is a few choices: who does which elements, how many counters there are, by what operation values are combined, and how a
//! block sets its own counters and hands them on. Its runs follow these choices and share nothing with the analysis. What is called
//! equal must leave the same counters for every size and all contents that are tried; what is called different must leave others for
//! some.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use super::dice::Dice;
use super::equal::Pairs;
use super::launches::{Runs, judge};
use super::suite::on_all_cores;

/// Largest size that is run.
const MOST: i64 = 70;
/// With how many contents.
const CONTENTS: i64 = 5;

/// By what values are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Max,
    Xor,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Add => "atomicAdd",
            Operation::Max => "atomicMax",
            Operation::Xor => "atomicXor",
        }
    }

    fn neutral(self) -> i32 {
        match self {
            Operation::Max => i32::MIN,
            Operation::Add | Operation::Xor => 0,
        }
    }

    fn of(self, before: i32, value: i32) -> i32 {
        match self {
            Operation::Add => before.wrapping_add(value),
            Operation::Max => before.max(value),
            Operation::Xor => before ^ value,
        }
    }
}

/// Which elements a thread does.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Its own.
    One,
    /// Every so many threads, with this number of blocks.
    Stride(i64),
    /// So many neighbours.
    Few(i64),
}

/// Counters of the block.
#[derive(Clone, Copy, Debug)]
struct Own {
    /// What they begin with.
    first: i32,
    /// How many are handed on; the number of a counter is its remainder by how many there are.
    handed: i64,
    /// Those that hold nothing are left out.
    skips: bool,
}

/// A kernel.
#[derive(Clone, Copy, Debug)]
struct Shape {
    operation: Operation,
    block: i64,
    way: Way,
    /// Elements below `n - less` are done.
    less: i64,
    /// How many counters there are, a power of two.
    counters: i64,
    /// The element itself is combined, or 1.
    by_value: bool,
    own: Option<Own>,
}

fn shape(dice: &mut Dice, operation: Operation, by_value: bool) -> Shape {
    let counters = if dice.chance(90) { 8 } else { 4 };
    let way = match dice.roll(5) {
        0 | 1 => Way::One,
        2 | 3 => Way::Stride(dice.pick(&[1, 2, 3])),
        _ => Way::Few(dice.pick(&[2, 4])),
    };
    let own = Own {
        first: match dice.chance(92) {
            true => operation.neutral(),
            false => 1,
        },
        handed: match dice.roll(16) {
            0 => counters / 2,
            1 => counters * 2,
            _ => counters,
        },
        skips: operation != Operation::Max && dice.chance(20),
    };
    Shape {
        operation,
        block: dice.pick(&[4, 8, 16]),
        way,
        less: if dice.chance(10) { 1 } else { 0 },
        counters,
        by_value,
        own: dice.chance(60).then_some(own),
    }
}

impl Shape {
    fn blocks(self, n: i64) -> i64 {
        match self.way {
            Way::One => (n + self.block - 1) / self.block,
            Way::Few(each) => (n + self.block * each - 1) / (self.block * each),
            Way::Stride(blocks) => blocks,
        }
    }

    /// As CUDA.
    fn print(self, name: &str) -> String {
        let mut body = String::new();
        let (operation, counters) = (self.operation.name(), self.counters);
        let to = if self.own.is_some() { "own" } else { "y" };
        if let Some(own) = self.own {
            let first = match own.first {
                i32::MIN => "-2147483647 - 1".to_owned(),
                first => first.to_string(),
            };
            let _ = write!(
                body,
                "    __shared__ int own[{counters}];\n    for (int k = threadIdx.x; k < {counters}; k += {})\n        own[k] = {first};\n    __syncthreads();\n",
                self.block
            );
        }
        let end = match self.less {
            0 => "n".to_owned(),
            less => format!("n - {less}"),
        };
        let one = |at: &str| {
            let value = if self.by_value {
                format!("x[{at}]")
            } else {
                "1".to_owned()
            };
            format!("{operation}(&{to}[x[{at}] & {}], {value});\n", counters - 1)
        };
        let index = format!("blockIdx.x * {} + threadIdx.x", self.block);
        match self.way {
            Way::One => {
                let _ = write!(
                    body,
                    "    int i = {index};\n    if (i < {end})\n        {}",
                    one("i")
                );
            }
            Way::Stride(blocks) => {
                let stride = self.block * blocks;
                let _ = write!(
                    body,
                    "    for (int i = {index}; i < {end}; i += {stride})\n        {}",
                    one("i")
                );
            }
            Way::Few(each) => {
                let _ = writeln!(body, "    int i = {each} * ({index});");
                for more in 0..each {
                    let at = format!("i + {more}");
                    let _ = write!(body, "    if ({at} < {end})\n        {}", one(&at));
                }
            }
        }
        if let Some(own) = self.own {
            let at = match own.handed > counters {
                true => format!("k % {counters}"),
                false => "k".to_owned(),
            };
            let skips = match own.skips {
                true => format!("if (own[{at}] != 0) "),
                false => String::new(),
            };
            let _ = write!(
                body,
                "    __syncthreads();\n    for (int k = threadIdx.x; k < {}; k += {})\n        {skips}{operation}(&y[{at}], own[{at}]);\n",
                own.handed, self.block
            );
        }
        format!("__global__ void {name}(int *y, const int *x, int n)\n{{\n{body}}}\n")
    }

    fn launch(self, name: &str) -> String {
        let grid = match self.way {
            Way::One => format!("(n + {}) / {}", self.block - 1, self.block),
            Way::Few(each) => format!("(n + {}) / {}", self.block * each - 1, self.block * each),
            Way::Stride(blocks) => blocks.to_string(),
        };
        format!("    {name}<<<{grid}, {}>>>(y, x, n);\n", self.block)
    }

    /// The counters that a launch leaves; none if it is none.
    fn run(self, n: i64, contents: i64) -> Option<BTreeMap<i64, i64>> {
        let blocks = self.blocks(n);
        if blocks < 1 {
            return None;
        }
        let mut counters: Vec<i32> = (0..self.counters)
            .map(|k| content(1, contents, k))
            .collect();
        let end = n - self.less;
        for block in 0..blocks {
            let mut own = vec![self.own.map_or(0, |own| own.first); counters.len()];
            for thread in 0..self.block {
                let index = block * self.block + thread;
                let elements: Vec<i64> = match self.way {
                    Way::One => vec![index],
                    Way::Stride(_) => (0..)
                        .map(|k| index + k * self.block * blocks)
                        .take_while(|at| *at < end)
                        .collect(),
                    Way::Few(each) => (0..each).map(|more| each * index + more).collect(),
                };
                for at in elements.into_iter().filter(|at| *at < end) {
                    let element = content(2, contents, at);
                    let value = if self.by_value { element } else { 1 };
                    let place = usize::try_from(i64::from(element) & (self.counters - 1)).ok()?;
                    let to = match self.own {
                        Some(_) => &mut own[place],
                        None => &mut counters[place],
                    };
                    *to = self.operation.of(*to, value);
                }
            }
            if let Some(how) = self.own {
                for k in 0..how.handed {
                    let place = usize::try_from(k % self.counters).ok()?;
                    if !how.skips || own[place] != 0 {
                        counters[place] = self.operation.of(counters[place], own[place]);
                    }
                }
            }
        }
        // The arrays of the two may have different numbers of counters: those that one has not are left as they were.
        let left = (0..8).map(|k| {
            let value = usize::try_from(k)
                .ok()
                .and_then(|k| counters.get(k).copied());
            (
                k,
                i64::from(value.unwrap_or_else(|| content(1, contents, k))),
            )
        });
        Some(left.collect())
    }
}

fn content(array: i64, contents: i64, at: i64) -> i32 {
    let mixed = (at * 7919 + array * 104_729 + contents * 15_485_863) % 1_000_003;
    i32::try_from(mixed * 31 % 2_003 - 700).unwrap_or(0)
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

fn pair(seed: u64) -> Pairs {
    let mut dice = Dice::new(seed ^ 0xc047);
    let operation = dice.pick(&[
        Operation::Add,
        Operation::Add,
        Operation::Max,
        Operation::Xor,
    ]);
    let by_value = operation != Operation::Add || dice.chance(40);
    let shapes = [(); 2].map(|()| shape(&mut dice, operation, by_value));
    let names = ["left", "right"];
    let mut text: String = [0, 1].map(|side| shapes[side].print(names[side])).concat();
    text.push_str("void launches(int *y, const int *x, int n)\n{\n");
    for side in [0, 1] {
        text.push_str(&shapes[side].launch(names[side]));
    }
    text.push_str("}\n");
    let runs = Runs {
        of_size: (0..=MOST)
            .map(|n| {
                (0..CONTENTS)
                    .map(|contents| shapes.map(|shape| shape.run(n, contents)))
                    .collect()
            })
            .collect(),
        by_contents: true,
    };
    judge(seed, &text, &runs)
}
