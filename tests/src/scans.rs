//! Random kernels whose places come from scans, against brute force: scan, then scatter.
//!
//! A kernel is a list of steps on one array in shared memory, with barriers that may be missing, followed by a store to a place that
//! is computed from it. It is printed as CUDA for the analyser, and run here with numbers: by all threads of a small block, for all
//! contents of the input that its flags can tell apart, or for many where these are too many. Whatever the analyser calls
//! `race_free` must have no race here. Racy kernels are the common ones: of two elements that are off by one, one is found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::Verdict;

use crate::random::dice::Dice;

/// Most contents that are run of one kernel.
const MOST_CONTENTS: usize = 729;

/// When a step is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// By threads from this one on.
    From(i64),
    /// By this thread.
    Only(i64),
    /// By threads whose flag is set.
    Flag,
    /// By threads whose input is above 1.
    Large,
}

/// A place in the shared array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// The own element plus a constant.
    Own(i64),
    /// Counted from the other end.
    Mirrored,
    Fixed(i64),
}

/// What the threads do between or across barriers.
#[derive(Clone, Debug)]
enum Step {
    /// `v = s[from]`, a barrier, `s[to] = …` of both.
    Combine {
        when: When,
        from: Cell,
        /// Whether what was there is kept in the sum.
        adds: bool,
        /// Whether `v` is taken away.
        subtracts: bool,
        barriers: [bool; 2],
    },
    /// The thread adds up elements one after the other.
    Serial {
        thread: i64,
        last: i64,
        barrier: bool,
    },
    /// A constant is stored.
    Set {
        when: When,
        to: Cell,
        value: i64,
        barrier: bool,
    },
    /// All steps of a scan, with distances up to this one.
    Scan { last: i64, barriers: [bool; 2] },
}

/// What scans and steps combine numbers by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Sum,
    Largest,
    Bits,
}

impl Operator {
    fn text(self, one: &str, other: &str) -> String {
        match self {
            Operator::Sum => format!("{one} + {other}"),
            Operator::Largest => format!("max({one}, {other})"),
            Operator::Bits => format!("{one} | {other}"),
        }
    }

    fn of(self, one: i64, other: i64) -> i64 {
        match self {
            Operator::Sum => one + other,
            Operator::Largest => one.max(other),
            Operator::Bits => one | other,
        }
    }
}

/// A place in the output.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// `s[t] - c`
    Own(i64),
    /// `s[t] - flag`
    LessFlag,
    /// `t > 0 ? s[t - 1] : 0`
    Before,
    /// `s[n - 1] - s[t]`
    Rest,
    /// `flag ? s[t] - 1 : s[n - 1] + t - s[t]`
    Split,
    /// `s[t ^ 1]`
    Neighbour,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    threads: i64,
    blocks: i64,
    /// What a flag counts.
    weight: i64,
    /// What all count besides.
    base: i64,
    steps: Vec<Step>,
    stores: When,
    place: Place,
    room: i64,
    /// Whether all is done in rounds, and whether a barrier ends each.
    rounds: Option<bool>,
    operator: Operator,
    /// Whether a thread stores only if its number is above all before it: then the numbers are those of the input.
    records: bool,
}

fn barrier(dice: &mut Dice) -> bool {
    !dice.chance(4)
}

fn when(dice: &mut Dice, threads: i64) -> When {
    match dice.roll(12) {
        0 => When::Flag,
        1 => When::Large,
        2 => When::Only(number(dice, threads)),
        3 => When::From(number(dice, threads)),
        _ => When::Always,
    }
}

fn number(dice: &mut Dice, below: i64) -> i64 {
    let sides = usize::try_from(below).unwrap_or(1);
    i64::try_from(dice.roll(sides)).unwrap_or(0)
}

impl Kernel {
    /// A kernel from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Kernel {
        let mut dice = Dice::new(seed);
        let dice = &mut dice;
        let threads = dice.pick(&[2, 3, 4, 4, 5, 6, 8]);
        let mut steps = Vec::new();
        for _ in 0..=dice.roll(2) {
            steps.push(Kernel::step(dice, threads));
        }
        if dice.chance(70) {
            let scan = Step::Scan {
                last: if dice.chance(85) {
                    threads
                } else {
                    threads / 2
                },
                barriers: [barrier(dice), barrier(dice)],
            };
            let at = dice.roll(steps.len() + 1);
            steps.insert(at, scan);
            if dice.chance(60) {
                steps = vec![steps.swap_remove(at)];
            }
        }
        let place = match dice.roll(12) {
            0..=3 => Place::Own(1),
            4 => Place::Own(0),
            5 => Place::LessFlag,
            6..=7 => Place::Before,
            8 => Place::Rest,
            9..=10 => Place::Split,
            _ => Place::Neighbour,
        };
        let mut kernel = Kernel {
            threads,
            blocks: dice.pick(&[1, 2, 2]),
            weight: dice.pick(&[1, 1, 1, 1, 2, 3]),
            base: dice.pick(&[0, 0, 0, 0, 1]),
            steps,
            stores: match dice.roll(8) {
                0 => When::Always,
                1 => When::Large,
                _ => When::Flag,
            },
            place,
            room: threads * dice.pick(&[1, 1, 2, 4, 8]),
            rounds: dice.chance(25).then(|| dice.chance(70)),
            operator: Operator::Sum,
            records: false,
        };
        if dice.chance(25) {
            kernel.operator = dice.pick(&[Operator::Largest, Operator::Largest, Operator::Bits]);
            kernel.records = dice.chance(70);
            if kernel.records {
                kernel.place = Place::Own(0);
                kernel.stores = When::Always;
            }
        }
        kernel
    }

    fn step(dice: &mut Dice, threads: i64) -> Step {
        match dice.roll(8) {
            0 => Step::Serial {
                thread: number(dice, threads),
                last: threads - i64::from(dice.chance(20)),
                barrier: barrier(dice),
            },
            1 => Step::Set {
                when: when(dice, threads),
                to: match dice.roll(3) {
                    0 => Cell::Fixed(number(dice, threads)),
                    1 => Cell::Mirrored,
                    _ => Cell::Own(0),
                },
                value: number(dice, 3),
                barrier: barrier(dice),
            },
            _ => {
                let distance = 1 + number(dice, threads - 1);
                let (when, from) = match dice.roll(6) {
                    0 => (When::Always, Cell::Mirrored),
                    1 => (when(dice, threads), Cell::Own(0)),
                    2 => (When::Always, Cell::Fixed(number(dice, threads))),
                    _ => (When::From(distance), Cell::Own(-distance)),
                };
                Step::Combine {
                    when,
                    from,
                    adds: !dice.chance(20),
                    subtracts: dice.chance(10),
                    barriers: [barrier(dice), barrier(dice)],
                }
            }
        }
    }

    /// The kernel as CUDA.
    #[must_use]
    pub fn text(&self) -> String {
        let n = self.threads;
        let mut text = format!("//--blockDim={n} --gridDim={}\n", self.blocks);
        let flag = format!("in[blockIdx.x * {n} + t] != 0");
        let condition = |when: When| match when {
            When::Always => String::new(),
            When::From(first) => format!("if (t >= {first}) "),
            When::Only(thread) => format!("if (t == {thread}) "),
            When::Flag => "if (flag) ".to_owned(),
            When::Large => format!("if (in[blockIdx.x * {n} + t] > 1) "),
        };
        let cell = |cell: Cell| match cell {
            Cell::Own(0) => "t".to_owned(),
            Cell::Own(by) if by < 0 => format!("t - {}", -by),
            Cell::Own(by) => format!("t + {by}"),
            Cell::Mirrored => format!("{} - t", n - 1),
            Cell::Fixed(at) => at.to_string(),
        };
        let sync = |there: bool| if there { "    __syncthreads();\n" } else { "" };
        text += "__global__ void k(const int *in, int *out, int rounds)\n{\n";
        let _ = writeln!(
            text,
            "    __shared__ int s[{n}];\n    int t = threadIdx.x, v;"
        );
        let _ = writeln!(text, "    int flag = {flag};");
        if self.rounds.is_some() {
            text += "    for (int r = 0; r < rounds; r++) {\n";
        }
        let own = match self.records {
            true => format!("in[blockIdx.x * {n} + t] & 3"),
            false => format!("{} * flag + {}", self.weight, self.base),
        };
        let _ = writeln!(
            text,
            "    int own = {own};\n    s[t] = own;\n    __syncthreads();"
        );
        for step in &self.steps {
            match step {
                Step::Combine {
                    when,
                    from,
                    adds,
                    subtracts,
                    barriers,
                } => {
                    let when = condition(*when);
                    let given = if *subtracts { "(-v)" } else { "v" };
                    let given = match *adds {
                        true => self.operator.text("s[t]", given),
                        false => given.to_owned(),
                    };
                    let _ = writeln!(text, "    v = 0;\n    {when}v = s[{}];", cell(*from));
                    text += sync(barriers[0]);
                    let _ = writeln!(text, "    {when}s[t] = {given};");
                    text += sync(barriers[1]);
                }
                Step::Serial {
                    thread,
                    last,
                    barrier,
                } => {
                    let given = self.operator.text("s[i]", "s[i - 1]");
                    let _ = writeln!(
                        text,
                        "    if (t == {thread}) for (int i = 1; i < {last}; i++) s[i] = {given};"
                    );
                    text += sync(*barrier);
                }
                Step::Set {
                    when,
                    to,
                    value,
                    barrier,
                } => {
                    let _ = writeln!(text, "    {}s[{}] = {value};", condition(*when), cell(*to));
                    text += sync(*barrier);
                }
                Step::Scan { last, barriers } => {
                    let _ = writeln!(text, "    for (int d = 1; d < {last}; d *= 2) {{");
                    text += "    v = t >= d ? s[t - d] : 0;\n";
                    text += sync(barriers[0]);
                    let given = self.operator.text("s[t]", "v");
                    let _ = writeln!(text, "    s[t] = {given};");
                    text += sync(barriers[1]);
                    text += "    }\n";
                }
            }
        }
        let place = match self.place {
            Place::Own(less) => format!("s[t] - {less}"),
            Place::LessFlag => "s[t] - flag".to_owned(),
            Place::Before => "(t > 0 ? s[t - 1] : 0)".to_owned(),
            Place::Rest => format!("s[{}] - s[t]", n - 1),
            Place::Split => format!("(flag ? s[t] - 1 : s[{}] + t - s[t])", n - 1),
            Place::Neighbour => {
                if n % 2 == 0 {
                    "s[t ^ 1]".to_owned()
                } else {
                    "s[t]".to_owned()
                }
            }
        };
        let records = match self.records {
            true => "if (own > (t > 0 ? s[t - 1] : 0)) ",
            false => "",
        };
        let _ = writeln!(
            text,
            "    {}{records}out[(int)blockIdx.x * {} + {place}] = blockIdx.x * {n} + t;",
            condition(self.stores),
            self.room
        );
        if let Some(ends) = self.rounds {
            text += sync(ends);
            text += "    }\n";
        }
        text += "}\n";
        text
    }

    /// Whether the kernel has a race with some of the contents that are tried.
    #[must_use]
    pub fn races(&self, seed: u64) -> bool {
        let n = usize::try_from(self.threads).unwrap_or(0);
        let all = 3usize.pow(u32::try_from(n).unwrap_or(0));
        let mut dice = Dice::new(seed ^ 0x5ca5);
        let mut places: BTreeSet<i64> = BTreeSet::new();
        for nth in 0..all.min(MOST_CONTENTS) {
            let mut rest = if all > MOST_CONTENTS {
                dice.roll(all)
            } else {
                nth
            };
            let mut input = Vec::with_capacity(n);
            for _ in 0..n {
                input.push(i64::try_from(rest % 3).unwrap_or(0));
                rest /= 3;
            }
            match Run::of(self, &input) {
                Some(found) => places.extend(found),
                None => return true,
            }
        }
        // Of two blocks, each with contents of its own.
        self.blocks > 1
            && places
                .iter()
                .any(|place| places.contains(&(place + self.room)))
    }
}

/// Who did what in the interval: an element's readers and writers, with what they wrote.
#[derive(Default)]
struct Touched {
    readers: BTreeSet<i64>,
    writers: BTreeMap<i64, i64>,
}

/// A block that is run with numbers.
struct Run<'k> {
    kernel: &'k Kernel,
    input: &'k [i64],
    shared: Vec<i64>,
    log: BTreeMap<(bool, i64), Touched>,
    places: Vec<i64>,
}

impl<'k> Run<'k> {
    /// The places that are stored to; none if there is a race.
    fn of(kernel: &'k Kernel, input: &'k [i64]) -> Option<Vec<i64>> {
        let mut run = Run {
            kernel,
            input,
            shared: vec![0; input.len()],
            log: BTreeMap::new(),
            places: Vec::new(),
        };
        for _ in 0..if kernel.rounds.is_some() { 3 } else { 1 } {
            run.round()?;
            if kernel.rounds == Some(true) {
                run.sync(true)?;
            }
        }
        run.sync(true)?;
        Some(run.places)
    }

    fn is_there(&self, when: When, thread: i64) -> bool {
        let input = self.input[thread as usize];
        match when {
            When::Always => true,
            When::From(first) => thread >= first,
            When::Only(only) => thread == only,
            When::Flag => input != 0,
            When::Large => input > 1,
        }
    }

    fn place(&self, cell: Cell, thread: i64) -> i64 {
        match cell {
            Cell::Own(by) => thread + by,
            Cell::Mirrored => self.kernel.threads - 1 - thread,
            Cell::Fixed(at) => at,
        }
    }

    /// Reads; what is outside of the array is no execution, and nobody prints one.
    fn read(&mut self, thread: i64, at: i64) -> i64 {
        let touched = self.log.entry((true, at)).or_default();
        touched.readers.insert(thread);
        self.shared[at as usize]
    }

    fn write(&mut self, thread: i64, at: i64, value: i64) {
        let touched = self.log.entry((true, at)).or_default();
        touched.writers.insert(thread, value);
        self.shared[at as usize] = value;
    }

    /// A barrier, if it is there; none if the interval that it ends has a race.
    fn sync(&mut self, there: bool) -> Option<()> {
        if !there {
            return Some(());
        }
        let log = std::mem::take(&mut self.log);
        let races = log.values().any(|touched| {
            let mut writers = touched.writers.iter();
            let others = |(thread, value): (&i64, &i64)| {
                touched.readers.iter().any(|reader| reader != thread)
                    || touched.writers.values().any(|other| other != value)
            };
            writers.any(others)
        });
        (!races).then_some(())
    }

    fn round(&mut self) -> Option<()> {
        let kernel = self.kernel;
        let n = kernel.threads;
        for thread in 0..n {
            let input = self.input[thread as usize];
            let own = match kernel.records {
                true => input,
                false => kernel.weight * i64::from(input != 0) + kernel.base,
            };
            self.write(thread, thread, own);
        }
        self.sync(true)?;
        for step in &kernel.steps {
            match step {
                Step::Combine {
                    when,
                    from,
                    adds,
                    subtracts,
                    barriers,
                } => {
                    let way = (*when, *from, *adds, *subtracts);
                    self.combine(way, *barriers)?;
                }
                Step::Serial {
                    thread,
                    last,
                    barrier,
                } => {
                    for at in 1..*last {
                        let (own, before) = (self.read(*thread, at), self.read(*thread, at - 1));
                        self.write(*thread, at, kernel.operator.of(own, before));
                    }
                    self.sync(*barrier)?;
                }
                Step::Set {
                    when,
                    to,
                    value,
                    barrier,
                } => {
                    for thread in 0..n {
                        if self.is_there(*when, thread) {
                            let at = self.place(*to, thread);
                            self.write(thread, at, *value);
                        }
                    }
                    self.sync(*barrier)?;
                }
                Step::Scan { last, barriers } => {
                    let mut distance = 1;
                    while distance < *last {
                        let when = When::From(distance);
                        let mut found = vec![0; self.input.len()];
                        for thread in 0..n {
                            if self.is_there(when, thread) {
                                found[thread as usize] = self.read(thread, thread - distance);
                            }
                        }
                        self.sync(barriers[0])?;
                        for thread in 0..n {
                            let own = self.read(thread, thread);
                            let both = kernel.operator.of(own, found[thread as usize]);
                            self.write(thread, thread, both);
                        }
                        self.sync(barriers[1])?;
                        distance *= 2;
                    }
                }
            }
        }
        self.store();
        Some(())
    }

    fn combine(
        &mut self,
        (when, from, adds, subtracts): (When, Cell, bool, bool),
        barriers: [bool; 2],
    ) -> Option<()> {
        let n = self.kernel.threads;
        let mut found = vec![0; self.input.len()];
        for thread in 0..n {
            if self.is_there(when, thread) {
                let at = self.place(from, thread);
                found[thread as usize] = self.read(thread, at);
            }
        }
        self.sync(barriers[0])?;
        for thread in 0..n {
            if self.is_there(when, thread) {
                let found = found[thread as usize];
                let found = if subtracts { -found } else { found };
                let both = match adds {
                    true => self.kernel.operator.of(self.read(thread, thread), found),
                    false => found,
                };
                self.write(thread, thread, both);
            }
        }
        self.sync(barriers[1])
    }

    /// The stores to the output.
    fn store(&mut self) {
        let kernel = self.kernel;
        let n = kernel.threads;
        for thread in 0..n {
            if !self.is_there(kernel.stores, thread) {
                continue;
            }
            if kernel.records {
                let before = match thread {
                    0 => 0,
                    _ => self.read(thread, thread - 1),
                };
                if self.input[thread as usize] <= before {
                    continue;
                }
            }
            let flag = self.input[thread as usize] != 0;
            let place = match kernel.place {
                Place::Own(less) => self.read(thread, thread) - less,
                Place::LessFlag => self.read(thread, thread) - i64::from(flag),
                Place::Before if thread == 0 => 0,
                Place::Before => self.read(thread, thread - 1),
                Place::Rest => self.read(thread, n - 1) - self.read(thread, thread),
                Place::Split if flag => self.read(thread, thread) - 1,
                Place::Split => self.read(thread, n - 1) + thread - self.read(thread, thread),
                Place::Neighbour if n % 2 == 0 => self.read(thread, thread ^ 1),
                Place::Neighbour => self.read(thread, thread),
            };
            let touched = self.log.entry((false, place)).or_default();
            touched.writers.insert(thread, thread);
            self.places.push(place);
        }
    }
}

/// How kernels were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Kernels.
    pub kernels: usize,
    /// Of these, those with a race by brute force.
    pub racy: usize,
    /// Of those without, how many are called race-free.
    pub proved: usize,
}

/// Compares the verdicts on kernels from seeds with brute force.
///
/// # Errors
/// The text of a kernel that is called race-free and has a race, or confirmed and has none.
pub fn compare(seeds: std::ops::Range<u64>) -> Result<Tally, String> {
    let mut tally = Tally::default();
    // What would rule a race out is not asked.
    let options = AnalysisOptions {
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let path = Path::new("scan.cu");
    for seed in seeds {
        let kernel = Kernel::new(seed);
        let text = kernel.text();
        let header = parse_header(&text).map_err(|error| format!("{error:?}"))?;
        let unit = Unit {
            path,
            shown: "scan.cu",
            bytes: text.as_bytes(),
            options: &UnitOptions::new(&options, &header, path),
        };
        let report = Analysis.check(&unit, &options);
        let [checked] = report.kernels.as_slice() else {
            return Err(format!("seed {seed}: {:?}\n{text}", report.errors));
        };
        let races = kernel.races(seed);
        let verdict = checked.verdict();
        tally.kernels += 1;
        tally.racy += usize::from(races);
        tally.proved += usize::from(!races && verdict == Verdict::RaceFree);
        if races && verdict == Verdict::RaceFree {
            return Err(format!("seed {seed}: race_free, and has a race\n{text}"));
        }
    }
    Ok(tally)
}
