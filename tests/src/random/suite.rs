//! Many random kernels at once, on all cores, with the same result on any number of them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use warplog::guard::STACK_SIZE;
use warplog_report::{Certainty, Verdict};

use super::grow::grow;
use super::judge::{Fault, Judgement, judge};
use super::print::print;
use super::shrink::shrink;
use super::tree::Program;

/// A disagreement, with the smallest kernel found that shows it.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The seed.
    pub seed: u64,
    /// Of what kind.
    pub fault: Fault,
    /// What it consists of, for the small kernel.
    pub told: String,
    /// The small kernel.
    pub kernel: String,
}

/// What many kernels came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Kernels judged.
    pub kernels: usize,
    /// By verdict and certainty, then by what the runs showed.
    pub answers: BTreeMap<(String, &'static str), usize>,
    /// Kernels of which no run said anything.
    pub unjudged: usize,
    /// Confirmed findings whose witness was run.
    pub replayed: usize,
    /// The seed that took longest, with its milliseconds.
    pub slowest: (u64, u128),
    /// Disagreements, by seed.
    pub faults: Vec<Disagreement>,
}

/// Calls back for each number of a range, on all cores, and gives the results in order.
pub fn on_all_cores<T: Send>(range: Range<u64>, each: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    let next = AtomicU64::new(range.start);
    let results = Mutex::new(BTreeMap::new());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= range.end {
                return;
            }
            let result = each(number);
            if let Ok(mut results) = results.lock() {
                results.insert(number, result);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..cores {
            let started = thread::Builder::new()
                .stack_size(STACK_SIZE)
                .spawn_scoped(scope, work);
            assert!(started.is_ok(), "a thread starts");
        }
    });
    results
        .into_inner()
        .map(|results| results.into_values().collect())
        .unwrap_or_default()
}

/// The most disagreements that are made small.
const SHRUNK: u64 = 12;

/// Grows and judges the kernels of seeds; disagreements are made small if that is asked for.
#[must_use]
pub fn judge_seeds(seeds: Range<u64>, small: bool) -> Tally {
    judge_grown(seeds, small, &grow)
}

/// The same with kernels that are grown in another way.
#[must_use]
pub fn judge_grown(
    seeds: Range<u64>,
    small: bool,
    grow: &(dyn Fn(u64) -> Program + Sync),
) -> Tally {
    let shrunk = AtomicU64::new(0);
    let judged = on_all_cores(seeds, &|seed| {
        let program = grow(seed);
        let start = Instant::now();
        let judgement = judge(&program);
        let took = start.elapsed().as_millis();
        let fault = judgement.fault.clone().map(|(fault, told)| {
            let wanted = small && shrunk.fetch_add(1, Ordering::Relaxed) < SHRUNK;
            disagreement(seed, &program, fault, told, wanted)
        });
        (seed, judgement, fault, took)
    });
    let mut tally = Tally::default();
    for (seed, judgement, fault, took) in judged {
        tally.count(&judgement);
        if took > tally.slowest.1 {
            tally.slowest = (seed, took);
        }
        tally.faults.extend(fault);
    }
    tally
}

fn disagreement(
    seed: u64,
    program: &Program,
    fault: Fault,
    told: String,
    small: bool,
) -> Disagreement {
    let same = |program: &Program| judge(program).fault.is_some_and(|(kind, _)| kind == fault);
    let (kernel, told) = if small {
        let program = shrink(program, &same, 800);
        let told = judge(&program).fault.map_or(told, |(_, told)| told);
        (program, told)
    } else {
        (program.clone(), told)
    };
    Disagreement {
        seed,
        fault,
        told,
        kernel: print(&kernel),
    }
}

impl Tally {
    fn count(&mut self, judgement: &Judgement) {
        self.kernels += 1;
        self.replayed += judgement.replayed;
        self.unjudged += usize::from(judgement.runs == 0);
        let certainty = match judgement.certainty {
            Some(Certainty::Confirmed) => "confirmed ",
            Some(Certainty::Conditional) => "conditional ",
            Some(Certainty::Potential) => "potential ",
            None => "",
        };
        let said = match judgement.verdict {
            Verdict::RaceFree | Verdict::Unknown | Verdict::Error => {
                judgement.verdict.as_str().to_owned()
            }
            _ => format!("{certainty}{}", judgement.verdict.as_str()),
        };
        let seen = match (judgement.runs, judgement.races, judgement.diverges) {
            (0, ..) => "undefined",
            (_, true, true) => "race, divergence",
            (_, true, false) => "race",
            (_, false, true) => "divergence",
            (_, false, false) => "nothing",
        };
        *self.answers.entry((said, seen)).or_default() += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} random kernels, {} confirmed findings run again, {} disagreements; of {} no run says anything; \
             seed {} took longest, {} ms",
            self.kernels,
            self.replayed,
            self.faults.len(),
            self.unjudged,
            self.slowest.0,
            self.slowest.1
        )?;
        for ((said, seen), count) in &self.answers {
            writeln!(f, "  {count:7}  {said:30} runs show {seen}")?;
        }
        for fault in &self.faults {
            writeln!(
                f,
                "\nseed {}: {:?}: {}\n{}",
                fault.seed, fault.fault, fault.told, fault.kernel
            )?;
        }
        Ok(())
    }
}
