//! Random kernels whose lanes hand values to each other, against brute force: shuffles, votes and scans, then a store to a place that is
//! computed from them, or a barrier under a condition on them.
//!
//! A kernel is a list of steps on a variable of each thread of one or two warps. It is printed as CUDA for the analyser, and run here
//! with numbers, for many contents of the input. Whatever the analyser calls `race_free` must have neither a race nor a divergent
//! barrier here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::Verdict;

use crate::random::dice::Dice;
use crate::scans::Tally;

/// Lanes of a warp.
const LANES: i64 = 32;
/// Contents that are run of one kernel.
const CONTENTS: u64 = 160;

/// How a shuffle asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Up,
    Down,
    Xor,
    Lane,
}

/// What a lane makes of its number and the one that it got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Make {
    Sum,
    Most,
    Difference,
    Got,
    Bits,
}

/// Who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    All,
    /// Lanes of a segment from the distance on.
    From,
    /// Lanes whose flag is set.
    Flag,
}

#[derive(Clone, Copy, Debug)]
struct Shuffle {
    ask: Ask,
    by: i64,
    width: i64,
    make: Make,
    who: Who,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    One(Shuffle),
    /// The same for distances 1, 2, 4, … or …, 4, 2, 1, below this one.
    Loop {
        shuffle: Shuffle,
        last: i64,
        down: bool,
    },
    /// How many lanes vote by their flag, below the own one, or in all.
    Votes {
        below: bool,
    },
    /// Ranks in a vote of the block: a lane stores how many of its warp vote, and all add those of the warps before, or of the own, too.
    Ranks {
        own: bool,
    },
    /// A lane stores its number for the warp, and all add that of the warps before, or of the own.
    Warps {
        lane: i64,
        own: bool,
        barrier: bool,
    },
}

/// What is done in the end.
#[derive(Clone, Copy, Debug)]
enum End {
    /// A store of threads with a flag, or of all: to a part of the warp, of the segment of eight, or of the block; the own
    /// flag is taken away or not.
    Store {
        flagged: bool,
        part: i64,
        less: bool,
    },
    /// A barrier of the warp, or of the block, if the number is above this.
    Barrier { above: i64, block: bool },
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    warps: i64,
    /// What a flag counts.
    weight: i64,
    /// Whether all is done in rounds.
    rounds: bool,
    /// Whether the size of the block is left open.
    any_size: bool,
    steps: Vec<Step>,
    end: End,
}

fn shuffle(dice: &mut Dice) -> Shuffle {
    let ask = dice.pick(&[Ask::Up, Ask::Up, Ask::Down, Ask::Xor, Ask::Xor, Ask::Lane]);
    let by = dice.pick(&[1, 1, 2, 3, 4, 8, 16]);
    Shuffle {
        ask,
        by,
        width: dice.pick(&[32, 32, 32, 16, 8]),
        make: match ask {
            Ask::Lane => dice.pick(&[Make::Got, Make::Got, Make::Sum]),
            _ => dice.pick(&[
                Make::Sum,
                Make::Sum,
                Make::Sum,
                Make::Most,
                Make::Difference,
                Make::Bits,
            ]),
        },
        who: match ask {
            Ask::Up => dice.pick(&[Who::From, Who::From, Who::From, Who::All]),
            _ => dice.pick(&[Who::All, Who::All, Who::All, Who::All, Who::Flag]),
        },
    }
}

impl Kernel {
    /// A kernel from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Kernel {
        let mut dice = Dice::new(seed);
        let dice = &mut dice;
        let mut steps = Vec::new();
        for _ in 0..=dice.roll(3) {
            steps.push(match dice.roll(10) {
                0..=1 => Step::One(shuffle(dice)),
                2..=6 => {
                    let mut shuffle = shuffle(dice);
                    if shuffle.ask == Ask::Lane {
                        shuffle.ask = Ask::Xor;
                        shuffle.make = Make::Most;
                    }
                    Step::Loop {
                        shuffle,
                        last: if dice.chance(80) {
                            shuffle.width
                        } else {
                            shuffle.width / 2
                        },
                        down: dice.chance(40),
                    }
                }
                7 if dice.chance(40) => Step::Ranks {
                    own: dice.chance(25),
                },
                7 => Step::Votes {
                    below: dice.chance(75),
                },
                _ => Step::Warps {
                    lane: dice.pick(&[0, 31, 31, 7]),
                    own: dice.chance(20),
                    barrier: !dice.chance(8),
                },
            });
        }
        let end = if dice.chance(35) {
            End::Barrier {
                above: dice.pick(&[0, 1, 3]),
                block: dice.chance(30),
            }
        } else {
            End::Store {
                flagged: dice.chance(80),
                part: dice.pick(&[32, 32, 8, 1, 0]),
                less: dice.chance(70),
            }
        };
        let shares = |step: &Step| matches!(step, Step::Warps { .. } | Step::Ranks { .. });
        let alone = !steps.iter().any(shares);
        Kernel {
            warps: dice.pick(&[1, 1, 2]),
            weight: dice.pick(&[1, 1, 1, 2]),
            rounds: dice.chance(15),
            any_size: alone && dice.chance(40),
            steps,
            end,
        }
    }

    /// The kernel as CUDA.
    #[must_use]
    pub fn text(&self) -> String {
        let n = self.warps * LANES;
        let mut text = match self.any_size {
            true => String::new(),
            false => format!("//--blockDim={n} --gridDim=1\n"),
        };
        text += "__global__ void k(const int *in, int *out, int rounds)\n{\n";
        let _ = writeln!(text, "    __shared__ int total[{}];", self.warps);
        text += "    int t = threadIdx.x, lane = t % 32, warp = t / 32, got;\n";
        if self.rounds {
            text += "    for (int r = 0; r < rounds; r++) {\n";
        }
        text += "    bool flag = in[t] > 0;\n";
        let _ = writeln!(text, "    int v = flag ? {} : 0;", self.weight);
        for (nth, step) in self.steps.iter().enumerate() {
            match step {
                Step::One(shuffle) => {
                    shuffle.print(&mut text, &shuffle.by.to_string());
                }
                Step::Loop {
                    shuffle,
                    last,
                    down,
                } => {
                    let _ = if *down {
                        writeln!(text, "    for (int d = {}; d > 0; d /= 2) {{", last / 2)
                    } else {
                        writeln!(text, "    for (int d = 1; d < {last}; d *= 2) {{")
                    };
                    shuffle.print(&mut text, "d");
                    text += "    }\n";
                }
                Step::Votes { below } => {
                    let mask = if *below { " & ((1u << lane) - 1)" } else { "" };
                    let _ = writeln!(
                        text,
                        "    unsigned b{nth} = __ballot_sync(0xffffffff, flag);\n    v = __popc(b{nth}{mask});"
                    );
                }
                Step::Ranks { own } => {
                    let _ = writeln!(
                        text,
                        "    unsigned b{nth} = __ballot_sync(0xffffffff, flag);\n    __syncthreads();"
                    );
                    let _ = writeln!(text, "    if (lane == 0) total[warp] = __popc(b{nth});");
                    text += "    __syncthreads();\n    v = 0;\n";
                    let upto = if *own { "<=" } else { "<" };
                    let _ = writeln!(
                        text,
                        "    for (int w = 0; w {upto} warp; w++) v += total[w];"
                    );
                    let _ = writeln!(text, "    v += __popc(b{nth} & ((1u << lane) - 1));");
                }
                Step::Warps { lane, own, barrier } => {
                    text += "    __syncthreads();\n";
                    let _ = writeln!(text, "    if (lane == {lane}) total[warp] = v;");
                    if *barrier {
                        text += "    __syncthreads();\n";
                    }
                    if *own {
                        text += "    v += total[warp];\n";
                    } else {
                        text += "    for (int w = 0; w < warp; w++) v += total[w];\n";
                    }
                }
            }
        }
        match self.end {
            End::Store {
                flagged,
                part,
                less,
            } => {
                let when = match (flagged, self.any_size) {
                    (true, false) => "if (flag) ",
                    (false, false) => "",
                    // Of what lanes hand each other something is known in whole warps.
                    (true, true) => "if (flag && blockDim.x % 32 == 0) ",
                    (false, true) => "if (blockDim.x % 32 == 0) ",
                };
                let part = match part {
                    0 => "0".to_owned(),
                    1 => "t".to_owned(),
                    part => format!("t / {part} * {}", part * self.weight),
                };
                let less = if less { " - 1" } else { "" };
                let _ = writeln!(
                    text,
                    "    {when}out[blockIdx.x * 65536ll + 64 + {part} + v{less}] = t;"
                );
            }
            End::Barrier { above, block } => {
                let whole = if self.any_size {
                    " && blockDim.x % 32 == 0"
                } else {
                    ""
                };
                let barrier = if block { "__syncthreads" } else { "__syncwarp" };
                let _ = writeln!(text, "    if (v > {above}{whole}) {barrier}();");
            }
        }
        if self.rounds {
            text += "    __syncthreads();\n    }\n";
        }
        text += "}\n";
        text
    }

    /// Whether the kernel has a race or a divergent barrier with some of the contents that are tried.
    #[must_use]
    pub fn fails(&self, seed: u64) -> bool {
        let n = self.warps * LANES;
        let mut dice = Dice::new(seed ^ 0x1a9e);
        (0..CONTENTS).any(|nth| {
            let density = [0, 100, 50, 10, 90][usize::try_from(nth % 5).unwrap_or(0)];
            let input: Vec<i64> = (0..n).map(|_| i64::from(dice.chance(density))).collect();
            Run {
                kernel: self,
                input: &input,
            }
            .fails()
        })
    }
}

impl Shuffle {
    fn print(&self, text: &mut String, by: &str) {
        let name = match self.ask {
            Ask::Up => "__shfl_up_sync",
            Ask::Down => "__shfl_down_sync",
            Ask::Xor => "__shfl_xor_sync",
            Ask::Lane => "__shfl_sync",
        };
        let width = self.width;
        let _ = writeln!(text, "    got = {name}(0xffffffff, v, {by}, {width});");
        let when = match self.who {
            Who::All => String::new(),
            Who::From => format!("if (t % {width} >= {by}) "),
            Who::Flag => "if (flag) ".to_owned(),
        };
        let made = match self.make {
            Make::Sum => "v + got",
            Make::Most => "v > got ? v : got",
            Make::Difference => "v - got",
            Make::Got => "got",
            Make::Bits => "v | got",
        };
        let _ = writeln!(text, "    {when}v = {made};");
    }

    /// The numbers of a warp after it.
    fn run(&self, before: &[i64], flags: &[bool], by: i64) -> Vec<i64> {
        let lanes = 0..LANES;
        lanes
            .map(|lane| {
                let first = lane / self.width * self.width;
                let end = first + self.width;
                let other = match self.ask {
                    Ask::Up if lane - by >= first => lane - by,
                    Ask::Down if lane + by < end => lane + by,
                    Ask::Xor if lane ^ by < end => lane ^ by,
                    Ask::Lane => first + by % self.width,
                    _ => lane,
                };
                let own = before[lane as usize];
                let got = before[other as usize];
                let does = match self.who {
                    Who::All => true,
                    Who::From => lane % self.width >= by,
                    Who::Flag => flags[lane as usize],
                };
                if !does {
                    return own;
                }
                match self.make {
                    Make::Sum => own + got,
                    Make::Most => own.max(got),
                    Make::Difference => own - got,
                    Make::Got => got,
                    Make::Bits => own | got,
                }
            })
            .collect()
    }
}

/// A block that is run with numbers.
struct Run<'k> {
    kernel: &'k Kernel,
    input: &'k [i64],
}

impl Run<'_> {
    fn fails(&self) -> bool {
        let kernel = self.kernel;
        let lanes = LANES as usize;
        let flags: Vec<bool> = self.input.iter().map(|&value| value > 0).collect();
        let mut numbers: Vec<i64> = flags
            .iter()
            .map(|&flag| if flag { kernel.weight } else { 0 })
            .collect();
        for step in &kernel.steps {
            if let Step::Warps { lane, own, barrier } = *step {
                // Without a barrier, others read what is written, if there are others.
                if !barrier && (own || kernel.warps > 1) {
                    return true;
                }
                let totals: Vec<i64> = numbers
                    .chunks(lanes)
                    .map(|warp| warp[lane as usize])
                    .collect();
                for (warp, numbers) in numbers.chunks_mut(lanes).enumerate() {
                    let more: i64 = if own {
                        totals[warp]
                    } else {
                        totals[..warp].iter().sum()
                    };
                    numbers.iter_mut().for_each(|number| *number += more);
                }
                continue;
            }
            if let Step::Ranks { own } = *step {
                let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() as i64;
                let ranks = (0..flags.len()).map(|thread| {
                    let warp = thread / lanes;
                    let end = if own {
                        (warp + 1) * lanes
                    } else {
                        warp * lanes
                    };
                    count(&flags[..end]) + count(&flags[warp * lanes..thread])
                });
                numbers = ranks.collect();
                continue;
            }
            let warps = numbers.chunks(lanes).zip(flags.chunks(lanes));
            numbers = warps
                .flat_map(|(numbers, flags)| step.run(numbers, flags))
                .collect();
        }
        match kernel.end {
            End::Barrier { above, block } => {
                let group = if block { numbers.len() } else { lanes };
                let mut groups = numbers.chunks(group);
                groups.any(|group| {
                    group.iter().any(|&number| number > above)
                        && group.iter().any(|&number| number <= above)
                })
            }
            End::Store {
                flagged,
                part,
                less,
            } => {
                let mut writers: BTreeMap<i64, usize> = BTreeMap::new();
                (0..numbers.len()).any(|thread| {
                    if flagged && !flags[thread] {
                        return false;
                    }
                    let at = thread as i64;
                    let part = match part {
                        0 => 0,
                        1 => at,
                        part => at / part * part * kernel.weight,
                    };
                    let place = part + numbers[thread] - i64::from(less);
                    writers.insert(place, thread).is_some()
                })
            }
        }
    }
}

impl Step {
    /// The numbers of a warp after the step.
    fn run(&self, numbers: &[i64], flags: &[bool]) -> Vec<i64> {
        match *self {
            Step::One(shuffle) => shuffle.run(numbers, flags, shuffle.by),
            Step::Loop {
                shuffle,
                last,
                down,
            } => {
                let mut distances: Vec<i64> = Vec::new();
                let mut distance = 1;
                while distance < last {
                    distances.push(distance);
                    distance *= 2;
                }
                if down {
                    distances.reverse();
                }
                let mut numbers = numbers.to_vec();
                for by in distances {
                    numbers = shuffle.run(&numbers, flags, by);
                }
                numbers
            }
            Step::Votes { below } => {
                let count = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() as i64;
                (0..flags.len())
                    .map(|lane| count(if below { &flags[..lane] } else { flags }))
                    .collect()
            }
            Step::Warps { .. } | Step::Ranks { .. } => numbers.to_vec(),
        }
    }
}

/// Compares the verdicts on kernels from seeds with brute force.
///
/// # Errors
/// The text of a kernel that is called race-free and has a race or a divergent barrier.
pub fn compare(seeds: std::ops::Range<u64>) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let options = AnalysisOptions {
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let path = Path::new("handed.cu");
    for seed in seeds {
        let kernel = Kernel::new(seed);
        let text = kernel.text();
        let header = parse_header(&text).map_err(|error| format!("{error:?}"))?;
        let unit = Unit {
            path,
            shown: "handed.cu",
            bytes: text.as_bytes(),
            options: &UnitOptions::new(&options, &header, path),
        };
        let report = Analysis.check(&unit, &options);
        let [checked] = report.kernels.as_slice() else {
            return Err(format!("seed {seed}: {:?}\n{text}", report.errors));
        };
        let fails = kernel.fails(seed);
        let proved = checked.verdict() == Verdict::RaceFree;
        tally.kernels += 1;
        tally.racy += usize::from(fails);
        tally.proved += usize::from(!fails && proved);
        if fails && proved {
            return Err(format!("seed {seed}: race_free, and fails\n{text}"));
        }
    }
    Ok(tally)
}
