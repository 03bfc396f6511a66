//! From candidates to formulas, staged solving, and models to replayed witnesses.
//!
//! The rules leave candidates: two accesses that some two threads may perform with no barrier in
//! between, and barriers that two threads may disagree about. Here each becomes a formula about
//! two arbitrary distinct threads of an arbitrary launch, and is decided:
//!
//! 1. [`decide`] builds the formula (`race`, `diverge`, over `encode` and `formula`), in a normal
//!    form that already decides many;
//! 2. it propagates bounds, searches for a small model, and looks at cases (`propagate`, `search`);
//! 3. it asks Z3 in stages, each with a budget (`solve`, `render`, `bits`);
//! 4. a model is made small and replayed with exact C arithmetic from the kernel's entry
//!    (`witness`, `replay`); what a replay finds missing is added to the formula.
//!
//! **Contract.** *Disjoint* and *uniform* hold for all executions that the facts admit, given the
//! derived relations. A race or divergence that is `exact` has been replayed with nothing assumed.
//! What is not decided is unknown, with its reason; concrete sizes that were only sampled never
//! prove anything. The answers depend on the facts alone, not on what was asked before.
//!
//! **Invariant.** Nothing of Z3 is in the interface, and no term of the source language is
//! interpreted anywhere else: evaluation for a replay is [`warplog_facts::eval`].

mod apart;
mod appends;
mod begun;
mod benign;
mod bits;
mod bounds;
mod certainty;
mod claim;
mod condition;
mod contents;
mod contract;
mod counters;
mod decide;
mod defined;
mod diverge;
mod division;
mod encode;
mod evaluate;
mod few_values;
mod formula;
mod index;
mod inputs;
mod instances;
mod key;
mod launch;
mod leaves;
mod memory;
mod narrow;
mod outcome;
mod passed;
mod precondition;
mod products;
mod propagate;
mod query;
mod race;
mod region;
mod render;
mod replay;
mod rounds;
mod search;
mod solve;
mod stop;
mod stored;
mod sums;
mod votes;
mod walks;
mod whereabouts;
mod witness;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;
use warplog_facts::{Derived, Facts, KernelId, LaunchId};

pub use apart::THREAD;
pub use begun::Begun;
pub use certainty::{Asked, Inquiry, Standing, Standings};
pub use condition::{Ask, Condition};
pub use outcome::*;
pub use stop::{INTERRUPTED, Stop};

/// The reason of a question that ran into its wall-clock limit: the only answer that depends on the machine.
pub const WALL_CLOCK: &str = "wall-clock limit reached";

/// The version of Z3 that is linked.
#[must_use]
pub fn z3_version() -> &'static str {
    z3::full_version()
}

/// What Z3 says of a formula in SMT-LIB, as a solver of its own would: `sat`, `unsat`, `unknown`. For tests of the formulas that
/// are kept.
#[doc(hidden)]
#[must_use]
pub fn solve_text(text: &str) -> &'static str {
    z3::with_z3_config(&z3::Config::new(), || {
        let solver = z3::Solver::new();
        solver.from_string(text);
        match solver.check() {
            z3::SatResult::Sat => "sat",
            z3::SatResult::Unsat => "unsat",
            z3::SatResult::Unknown => "unknown",
        }
    })
}

/// Budgets and what to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Steps of Z3 for a question over reals.
    pub real_steps: u32,
    /// Steps for a question over integers.
    pub int_steps: u32,
    /// Steps for a question over bit-vectors.
    pub bits_steps: u32,
    /// Steps for a question with concrete sizes.
    pub concrete_steps: u32,
    /// Steps in the long-lived solver before a fresh one is made.
    pub quick_steps: u32,
    /// Nodes that the search for small models looks at.
    pub search_work: u64,
    /// Nodes that a refutation by cases looks at.
    pub cases_work: u64,
    /// Steps for all candidates of a kernel, in all its launches: what is left undecided then
    /// stays so.
    pub kernel_steps: u64,
    /// Steps that each candidate adds to them, up to three times as many.
    pub candidate_steps: u64,
    /// Steps that a launch has in any case, however many there are of the kernel.
    pub launch_steps: u64,
    /// Steps of the whole run for each of its kernels: what one does not need, others have. See `rounds.rs`.
    pub run_steps: u64,
    /// The least that a run has.
    pub least_run_steps: u64,
    /// Steps for looking for a condition that would settle a launch with findings, see [`Session::settle`].
    pub precondition_steps: u64,
    /// How many times the other budgets have been raised, see [`Options::with_effort`].
    pub effort: u32,
    /// Wall-clock limit of one question, a safety net.
    pub timeout: Duration,
    /// Kernels that are decided at once. The answers are the same for any number.
    pub threads: usize,
    /// Ask about every pair, also of places that are known to race.
    pub every_pair: bool,
    /// Writes that leave the same bytes are races, too.
    pub report_benign: bool,
    /// Keep the decisive formula as SMT-LIB text.
    pub keep_smt: bool,
    /// Leave what is still to ask when this is set.
    pub stop: Stop,
    /// Leave what is still to ask when anything is found: for who only wants to know whether there is something. That there is nothing
    /// is told as ever.
    pub first_only: bool,
    /// Told of each launch before it is decided.
    pub begun: Begun,
    /// Make every question fail: for tests of how a dying solver is survived.
    #[doc(hidden)]
    pub sabotage: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            real_steps: 1_000_000,
            int_steps: 2_000_000,
            bits_steps: 3_000_000,
            concrete_steps: 400_000,
            quick_steps: 300_000,
            search_work: 50_000,
            cases_work: 12_500,
            kernel_steps: 650_000,
            candidate_steps: 1_000,
            launch_steps: 120_000,
            run_steps: 800_000,
            least_run_steps: 0,
            precondition_steps: 250_000,
            effort: 1,
            timeout: Duration::from_secs(5),
            threads: 1,
            every_pair: false,
            report_benign: false,
            keep_smt: false,
            stop: Stop::default(),
            first_only: false,
            begun: Begun::default(),
            sabotage: false,
        }
    }
}

impl Options {
    /// These options with all budgets so many times as large.
    pub fn with_effort(self, effort: u32) -> Self {
        let times = u64::from(effort);
        Options {
            real_steps: self.real_steps.saturating_mul(effort),
            int_steps: self.int_steps.saturating_mul(effort),
            bits_steps: self.bits_steps.saturating_mul(effort),
            concrete_steps: self.concrete_steps.saturating_mul(effort),
            quick_steps: self.quick_steps.saturating_mul(effort),
            search_work: self.search_work.saturating_mul(times),
            cases_work: self.cases_work.saturating_mul(times),
            kernel_steps: self.kernel_steps.saturating_mul(times),
            candidate_steps: self.candidate_steps.saturating_mul(times),
            launch_steps: self.launch_steps.saturating_mul(times),
            run_steps: self.run_steps.saturating_mul(times),
            least_run_steps: self.least_run_steps.saturating_mul(times),
            precondition_steps: self.precondition_steps.saturating_mul(times),
            effort: self.effort.saturating_mul(effort),
            ..self
        }
    }

    /// These options for short questions: who waits for advice has the findings already.
    #[must_use]
    pub fn short(&self) -> Self {
        Options {
            search_work: self.search_work / 4,
            cases_work: self.cases_work / 4,
            real_steps: self.quick_steps,
            int_steps: self.quick_steps,
            bits_steps: self.quick_steps,
            concrete_steps: self.quick_steps / 4,
            quick_steps: self.quick_steps / 2,
            ..self.clone()
        }
    }

    fn steps_of(&self, stage: Stage) -> u32 {
        match stage {
            Stage::Bounds | Stage::Search | Stage::Linear | Stage::Real => self.real_steps,
            Stage::Int | Stage::IntAgain => self.int_steps,
            Stage::Bits => self.bits_steps,
            Stage::Concrete => self.concrete_steps,
        }
    }
}

/// The solver of one worker thread; make one per thread and keep it.
#[derive(Default)]
pub struct Session {
    /// Wall time of each launch of the last [`Session::decide`] that had something to decide, in microseconds.
    times: Vec<(LaunchId, u64)>,
}

impl Session {
    /// A session that has asked nothing yet.
    pub fn new() -> Self {
        Session::default()
    }

    /// How long each launch of the last [`Session::decide`] took, in microseconds; launches without candidates are left out.
    pub fn times(&self) -> &[(LaunchId, u64)] {
        &self.times
    }

    /// For each question, the position of the first condition that would settle its launch: no race, no divergent barrier.
    /// The facts are those of the decision, with more terms.
    pub fn settle(
        &mut self,
        facts: &Facts,
        derived: &Derived,
        decision: &Decision,
        options: &Options,
        asks: &[Ask],
    ) -> Vec<Option<usize>> {
        let short = options.short();
        // Look-up tables that no thread has in use.
        let indices: Mutex<Vec<index::Index<'_>>> = Mutex::default();
        let idle = || indices.lock().unwrap_or_else(PoisonError::into_inner);
        apart::each(asks.iter().collect(), options.threads, &|ask| {
            let found = idle().pop();
            let mut index = found.unwrap_or_else(|| index::Index::new(facts, derived));
            index.report_benign = options.report_benign;
            let answer = precondition::settle(&mut index, decision, &short, ask);
            idle().push(index);
            answer
        })
    }

    /// How what was found hangs on what the caller decides. The facts are those of the decision, with more terms.
    pub fn standings(
        &mut self,
        facts: &Facts,
        derived: &Derived,
        decision: &Decision,
        options: &Options,
        inquiries: &[Inquiry],
    ) -> Standings {
        let short = options.short();
        let defects = certainty::defects(decision);
        let asked: Vec<_> = inquiries
            .iter()
            .filter_map(|inquiry| Some((inquiry, defects.get(&inquiry.launch)?)))
            .collect();
        // Look-up tables that no thread has in use.
        let indices: Mutex<Vec<index::Index<'_>>> = Mutex::default();
        let idle = || indices.lock().unwrap_or_else(PoisonError::into_inner);
        let each = |(inquiry, defects): (&Inquiry, &certainty::Defects)| {
            let found = idle().pop();
            let mut index = found.unwrap_or_else(|| index::Index::new(facts, derived));
            index.report_benign = options.report_benign;
            let own =
                certainty::standings(&mut index, decision, (&short, options), inquiry, defects);
            idle().push(index);
            own
        };
        let mut all = Standings::default();
        for one in apart::each(asked, options.threads, &each) {
            all.races.extend(one.races);
            all.divergences.extend(one.divergences);
            all.uncovered.extend(one.uncovered);
            all.doubtful.extend(one.doubtful);
        }
        all
    }

    /// Whether conditions on launches can hold, together with what else is assumed of each.
    pub fn can_hold(
        &mut self,
        facts: &Facts,
        derived: &Derived,
        options: &Options,
        supposed: &[(LaunchId, Vec<Condition>)],
    ) -> Vec<bool> {
        let short = options.short();
        let mut index = index::Index::new(facts, derived);
        let each = supposed.iter();
        each.map(|(launch, conditions)| {
            index.suppose(*launch, conditions);
            let most = short.precondition_steps;
            let (can_hold, _, _) = precondition::is_possible(&index, &short, *launch, most);
            index.suppose(*launch, &[]);
            can_hold
        })
        .collect()
    }

    /// Pairs of writes that meet and leave the same bytes, as far as that is found quickly.
    pub fn benign(
        &mut self,
        facts: &Facts,
        derived: &Derived,
        decision: &Decision,
        options: &Options,
    ) -> Vec<BenignWrites> {
        let rows = benign::questions(facts, derived, decision);
        if rows.is_empty() {
            return Vec::new();
        }
        let mut index = index::Index::new(facts, derived);
        index.report_benign = true;
        let launches: Vec<_> = rows.chunk_by(|a, b| a.launch == b.launch).collect();
        apart::each(launches, options.threads, &|rows| {
            benign::met(&index, options, rows)
        })
        .into_iter()
        .flatten()
        .collect()
    }

    /// Decides all candidates of a fact set.
    pub fn decide(&mut self, facts: &Facts, derived: &Derived, options: &Options) -> Decision {
        // What one kernel stops is this decision, not the run.
        let own = options.first_only.then(|| Options {
            stop: options.stop.within(),
            ..options.clone()
        });
        let options = own.as_ref().unwrap_or(options);
        let mut index = index::Index::new(facts, derived);
        index.report_benign = options.report_benign;
        let index = index;
        let mut work: Vec<launch::Work> = vec![launch::Work::default(); facts.launch.len()];
        for (position, row) in derived.candidate_race.iter().enumerate() {
            work[row.launch.index()].races.push(position);
        }
        for (position, row) in derived.candidate_divergence.iter().enumerate() {
            work[row.launch.index()].divergences.push(position);
        }
        for row in &facts.assert_ {
            let launch = facts.point[row.point.index()].launch;
            work[launch.index()].claims.push(row.assert);
        }
        let idle = |launch: LaunchId| {
            work[launch.index()].is_empty()
                && !index.is_empty(launch)
                && index.launch_assumes(launch).is_empty()
                && index.assumes(launch).is_empty()
        };
        // The instances of a template share one.
        let definition = |kernel: KernelId| {
            let span = &facts.span[facts.kernel[kernel.index()].span.index()];
            (span.file, span.line, span.column)
        };
        // Kernels have nothing in common, so each has a thread with a Z3 of its own.
        let mut kernels: Vec<(Vec<LaunchId>, launch::Purse)> = Vec::new();
        let mut place: FxHashMap<_, usize> = FxHashMap::default();
        for row in facts.launch.iter().filter(|row| !idle(row.launch)) {
            let definition = definition(row.kernel);
            let position = *place.entry(definition).or_insert(kernels.len());
            if position == kernels.len() {
                kernels.push((Vec::new(), launch::Purse::default()));
            }
            let (launches, purse) = &mut kernels[position];
            launches.push(row.launch);
            purse.fill(options, &work[row.launch.index()]);
        }
        let run = rounds::Run {
            derived,
            index: &index,
            options,
            work: &work,
        };
        let mut asked = run.decide(kernels);
        asked.sort_by_key(|one| one.launch);
        let mut decision = Decision::default();
        let mut races: Vec<Option<RaceOutcome>> = vec![None; derived.candidate_race.len()];
        let mut divergences: Vec<Option<DivergenceOutcome>> =
            vec![None; derived.candidate_divergence.len()];
        self.times.clear();
        for rounds::Decided {
            launch,
            micros,
            asked,
        } in asked
        {
            for (position, outcome) in asked.races {
                races[position] = Some(outcome);
            }
            for (position, outcome) in asked.divergences {
                divergences[position] = Some(outcome);
            }
            decision.claims.extend(asked.claims);
            decision.unsatisfiable.extend(asked.unsatisfiable);
            decision.launches.push(asked.outcome);
            self.times.push((launch, micros));
        }
        decision.races = races.into_iter().flatten().collect();
        decision.divergences = divergences.into_iter().flatten().collect();
        decision.claims.sort_by_key(|outcome| outcome.assert);
        decision
    }
}

/// Decides all candidates of a fact set in a session of its own.
pub fn decide(facts: &Facts, derived: &Derived, options: &Options) -> Decision {
    Session::new().decide(facts, derived, options)
}
