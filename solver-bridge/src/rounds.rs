//! Rounds: every kernel has a first share of steps, and what is undecided then gets four times as much, again and again, until
//! a bound on all kernels of a file.
//!
//! So a kernel that needs little leaves its share of the bound to one that needs much, and a question for which the
//! budgets of the first round are just too small is asked again with larger ones, not with the remains.
//!
//! **Algorithm.** After each round the steps that all kernels of a file spent are summed. What the bound leaves is divided by those of them that are
//! undecided for want of steps; each gets its first share times four to the power of the round, or that even part if it
//! is less. A kernel that is known to race has a part only in the least that a run has, as nothing else would be said of it. Only the candidates that are undecided for want of steps are asked again, with the budgets of a question raised alike;
//! what is claimed of a launch is proved anew.
//!
//! **Determinism.** What is summed and divided are steps, at the ends of rounds, when all kernels are done: neither
//! the machine nor the number of threads has a part in it. Files have nothing in common, so that the facts of many give what each of
//! them gives by itself.

use std::time::Instant;

use facts::{Derived, FileId, LaunchId};
use rustc_hash::FxHashMap;
use warplog_facts as facts;

use crate::index::Index;
use crate::launch::{Asked, Purse, Wanting, Work, decide};
use crate::{Options, apart};

/// Most rounds after the first.
const MOST_ROUNDS: u32 = 3;

/// How many times as much an undecided kernel gets as in the round before.
const MORE: u32 = 4;

/// What all kernels of a run have in common.
pub(crate) struct Run<'r> {
    pub(crate) derived: &'r Derived,
    pub(crate) index: &'r Index<'r>,
    pub(crate) options: &'r Options,
    /// By launch, what is to be decided.
    pub(crate) work: &'r [Work],
}

/// A launch, what was found out about it, and the microseconds that it took.
pub(crate) struct Decided {
    pub(crate) launch: LaunchId,
    pub(crate) micros: u64,
    pub(crate) asked: Asked,
}

/// A kernel on its way through the rounds.
struct Kernel {
    /// The file that it stands in.
    file: Option<FileId>,
    launches: Vec<Decided>,
    /// Its share of the first round.
    first: u64,
    /// What it has spent.
    spent: u64,
}

impl Kernel {
    /// Whether it is known to race, whatever else is found.
    fn is_racy(&self) -> bool {
        self.launches.iter().any(|one| one.asked.is_racy())
    }

    /// The launches that more steps may decide.
    fn wanting(&self) -> u64 {
        let wants = |one: &&Decided| !matches!(one.asked.wanting, Wanting::Nothing);
        self.launches.iter().filter(wants).count() as u64
    }
}

/// What is left of the steps of a file.
#[derive(Clone, Copy, Default)]
struct Left {
    /// For kernels that are known to race.
    for_racy: u64,
    for_others: u64,
    /// The kernels that may have a part of it.
    wanting: u64,
}

impl Left {
    fn may_have(&self, kernel: &Kernel) -> bool {
        kernel.wanting() > 0 && (self.for_racy > 0 || !kernel.is_racy())
    }

    /// The part of a kernel in a round; 0 if it has none.
    fn share(&self, kernel: &Kernel, factor: u32) -> u64 {
        if self.wanting == 0 || !self.may_have(kernel) {
            return 0;
        }
        let left = if kernel.is_racy() {
            self.for_racy
        } else {
            self.for_others
        };
        (left / self.wanting).min(kernel.first.saturating_mul(factor.into()))
    }
}

impl Run<'_> {
    /// Decides all launches of kernels, given with what each may spend in the first round. In no order.
    pub(crate) fn decide(&self, kernels: Vec<(Vec<LaunchId>, Purse)>) -> Vec<Decided> {
        let threads = self.options.threads;
        let mut kernels = apart::each(kernels, threads, &|(launches, purse)| {
            self.first(launches, purse)
        });
        for round in 1..=MOST_ROUNDS {
            let factor = MORE.pow(round);
            let purses = self.purses(&kernels);
            let share = |kernel: &Kernel| {
                let purse = purses.get(&kernel.file).copied().unwrap_or_default();
                purse.share(kernel, factor)
            };
            // Less than before decides nothing that was not decided before.
            let goes_on = |kernel: &Kernel| share(kernel) >= kernel.first.max(1);
            if self.options.stop.is_requested() || !kernels.iter().any(goes_on) {
                break;
            }
            let options = self.options.clone().with_effort(factor);
            kernels = apart::each(kernels, threads, &|kernel| {
                if goes_on(&kernel) {
                    let share = share(&kernel);
                    self.again(kernel, share, &options)
                } else {
                    kernel
                }
            });
        }
        kernels
            .into_iter()
            .flat_map(|kernel| kernel.launches)
            .collect()
    }

    /// What is left of the bound of each file.
    fn purses(&self, kernels: &[Kernel]) -> FxHashMap<Option<FileId>, Left> {
        let mut all: FxHashMap<Option<FileId>, (u64, u64)> = FxHashMap::default();
        for kernel in kernels {
            let (count, spent) = all.entry(kernel.file).or_default();
            *count += 1;
            *spent += kernel.spent;
        }
        let least = self.options.least_run_steps;
        let left = all.into_iter().map(|(file, (count, spent))| {
            let bound = self.options.run_steps.saturating_mul(count).max(least);
            let mut left = Left {
                for_racy: least.saturating_sub(spent),
                for_others: bound.saturating_sub(spent),
                wanting: 0,
            };
            let own = kernels.iter().filter(|kernel| kernel.file == file);
            left.wanting = own.filter(|kernel| left.may_have(kernel)).count() as u64;
            (file, left)
        });
        left.collect()
    }

    fn first(&self, launches: Vec<LaunchId>, mut purse: Purse) -> Kernel {
        let first = purse.left();
        let decide_one = |launch: LaunchId| {
            let started = Instant::now();
            self.options.begun.tell(launch);
            let work = &self.work[launch.index()];
            let (index, options) = (self.index, self.options);
            let asked = decide(
                index,
                self.derived,
                options,
                launch,
                (work, None),
                &mut purse,
            );
            Decided {
                launch,
                micros: micros_since(started),
                asked,
            }
        };
        let file = launches.first().map(|&launch| self.file_of(launch));
        Kernel {
            file,
            launches: launches.into_iter().map(decide_one).collect(),
            first,
            spent: purse.spent,
        }
    }

    fn file_of(&self, launch: LaunchId) -> FileId {
        let facts = self.index.facts;
        let kernel = facts.launch[launch.index()].kernel;
        facts.span[facts.kernel[kernel.index()].span.index()].file
    }

    /// What is undecided, with more steps.
    fn again(&self, mut kernel: Kernel, share: u64, options: &Options) -> Kernel {
        let mut purse = Purse::again(share, kernel.wanting());
        for one in &mut kernel.launches {
            let work = match &one.asked.wanting {
                Wanting::Nothing => continue,
                Wanting::Part(work) => work,
                Wanting::All => &self.work[one.launch.index()],
            };
            if purse.left() == 0 || options.stop.is_requested() {
                break;
            }
            let started = Instant::now();
            let earlier = Some(&one.asked);
            let (index, launch) = (self.index, one.launch);
            let more = decide(
                index,
                self.derived,
                options,
                launch,
                (work, earlier),
                &mut purse,
            );
            one.asked.improve(more);
            one.micros += micros_since(started);
        }
        kernel.spent += purse.spent;
        kernel
    }
}

fn micros_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}
