//! From candidates to formulas, staged solving, and models to replayed witnesses.
//!
//! The rules leave candidates: two accesses that some two threads may perform with no barrier in
//! between, and barriers that two threads may disagree about. Here each becomes a formula about
//! two arbitrary distinct threads of an arbitrary launch, and is decided:
//!
//! 1. [`decide`] builds the formula (`race`, `diverge`, over `encode` and `formula`), in a normal
//!    form that already decides many;
//! 2. it asks Z3 in stages, each with a budget (`solve`, `render`, `bits`);
//! 3. a model is made small and replayed with exact C arithmetic from the kernel's entry
//!    (`witness`, `replay`); what a replay finds missing is added to the formula.
//!
//! **Contract.** *Disjoint* and *uniform* hold for all executions that the facts admit, given the
//! derived relations. A race or divergence that is `exact` has been replayed with nothing assumed.
//! What is not decided is unknown, with its reason; concrete sizes that were only sampled never
//! prove anything. The answers depend on the facts alone, not on what was asked before.
//!
//! **Invariant.** Nothing of Z3 is in the interface, and no term of the source language is
//! interpreted anywhere else: evaluation for a replay is [`warplog_facts::eval`].

mod bits;
mod bounds;
mod decide;
mod defined;
mod diverge;
mod encode;
mod evaluate;
mod formula;
mod index;
mod leaves;
mod narrow;
mod outcome;
mod query;
mod race;
mod region;
mod render;
mod replay;
mod solve;
mod sums;
mod witness;

use std::time::{Duration, Instant};

use warplog_facts::words::GuardCause;
use warplog_facts::{Derived, Facts, LaunchId};

pub use outcome::*;

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
    /// Wall-clock limit of one question, a safety net.
    pub timeout: Duration,
    /// Keep the decisive formula as SMT-LIB text.
    pub keep_smt: bool,
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
            timeout: Duration::from_secs(5),
            keep_smt: false,
            sabotage: false,
        }
    }
}

/// Undecided candidates of one launch after which the others get less.
const PATIENCE: u32 = 4;

impl Options {
    /// The budget of a candidate when so many before it in its launch were left undecided: the
    /// kernel is unknown already, and what is left is to find the races that are easy to find.
    fn after(&self, undecided: u32) -> Options {
        let less = 1u32 << (undecided / PATIENCE).min(4);
        Options {
            real_steps: self.real_steps / less,
            int_steps: self.int_steps / less,
            bits_steps: self.bits_steps / less,
            concrete_steps: self.concrete_steps / less,
            quick_steps: self.quick_steps / less,
            ..self.clone()
        }
    }

    fn steps_of(&self, stage: Stage) -> u32 {
        match stage {
            Stage::Bounds | Stage::Real => self.real_steps,
            Stage::Int | Stage::IntAgain => self.int_steps,
            Stage::Bits => self.bits_steps,
            Stage::Concrete => self.concrete_steps,
        }
    }
}

/// The solver of one worker thread; make one per thread and keep it.
#[derive(Default)]
pub struct Session {
    backend: solve::Backend,
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

    /// Decides all candidates of a fact set.
    pub fn decide(&mut self, facts: &Facts, derived: &Derived, options: &Options) -> Decision {
        let index = index::Index::new(facts, derived);
        let mut decision = Decision::default();
        let launches: Vec<LaunchId> = facts.launch.iter().map(|row| row.launch).collect();
        decision.races.reserve(derived.candidate_race.len());
        let mut races: Vec<Option<RaceOutcome>> = vec![None; derived.candidate_race.len()];
        let mut divergences: Vec<Option<DivergenceOutcome>> =
            vec![None; derived.candidate_divergence.len()];
        self.times.clear();
        for launch in launches {
            let started = Instant::now();
            let own_races: Vec<usize> =
                positions(&derived.candidate_race, |row| row.launch == launch);
            let own_divergences: Vec<usize> =
                positions(&derived.candidate_divergence, |row| row.launch == launch);
            let assumes = !index.launch_assumes(launch).is_empty();
            if own_races.is_empty() && own_divergences.is_empty() && !assumes {
                continue;
            }
            let keep = (self.backend.sabotage, self.backend.keep_text);
            let (outcome, own_races, own_divergences) =
                z3::with_z3_config(&z3::Config::new(), || {
                    let mut backend = solve::Backend::default();
                    backend.sabotage = keep.0;
                    backend.keep_text = keep.1;
                    let (mut races, mut divergences) = (Vec::new(), Vec::new());
                    let ranges = query::LaunchRanges::new(&index, launch);
                    let (possible, asked) =
                        decide::possible(&mut backend, options, &index, &ranges, launch);
                    let mut outcome = LaunchOutcome {
                        launch,
                        possible,
                        queries: [0; 6],
                        decided: [0; 6],
                        undecided: 0,
                    };
                    outcome.queries[2] += asked;
                    for position in own_races {
                        let candidate = &derived.candidate_race[position];
                        let budget = options.after(outcome.undecided);
                        let decided =
                            decide::decide_race(&mut backend, &budget, &index, &ranges, candidate);
                        races.push((position, race_outcome(candidate, decided, &mut outcome)));
                    }
                    for position in own_divergences {
                        let candidate = &derived.candidate_divergence[position];
                        let budget = options.after(outcome.undecided);
                        let decided = decide::decide_divergence(
                            &mut backend,
                            &budget,
                            &index,
                            &ranges,
                            candidate,
                        );
                        let early = candidate.cause == GuardCause::Return;
                        divergences.push((
                            position,
                            divergence_outcome(candidate, decided, early, &mut outcome),
                        ));
                    }

                    (outcome, races, divergences)
                });
            for (position, outcome) in own_races {
                races[position] = Some(outcome);
            }
            for (position, outcome) in own_divergences {
                divergences[position] = Some(outcome);
            }
            decision.launches.push(outcome);
            let spent = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.times.push((launch, spent));
        }
        decision.races = races.into_iter().flatten().collect();
        decision.divergences = divergences.into_iter().flatten().collect();
        decision
    }
}

/// Decides all candidates of a fact set in a session of its own.
pub fn decide(facts: &Facts, derived: &Derived, options: &Options) -> Decision {
    Session::new().decide(facts, derived, options)
}

fn positions<R>(rows: &[R], keep: impl Fn(&R) -> bool) -> Vec<usize> {
    (0..rows.len())
        .filter(|&index| keep(&rows[index]))
        .collect()
}

fn vacuous(possible: &Possibility) -> Option<String> {
    match possible {
        Possibility::Possible => None,
        Possibility::Contradictory => {
            Some("the launch and its assumptions contradict each other".to_owned())
        }
        Possibility::Unknown { reason } => Some(format!(
            "whether the launch and its assumptions can hold together is not known: {reason}"
        )),
    }
}

fn account(outcome: &mut LaunchOutcome, decided: &decide::Decided) {
    for (sum, more) in outcome.queries.iter_mut().zip(decided.queries) {
        *sum += more;
    }
    let stage = match &decided.verdict {
        decide::Verdict::None(stage) | decide::Verdict::Found(stage, _) => Some(*stage),
        decide::Verdict::Unknown(_) => None,
    };
    match stage.and_then(|stage| Stage::ALL.iter().position(|&other| other == stage)) {
        Some(position) => outcome.decided[position] += 1,
        None => outcome.undecided += 1,
    }
}

fn race_outcome(
    candidate: &warplog_facts::derived::CandidateRaceRow,
    decided: decide::Decided,
    outcome: &mut LaunchOutcome,
) -> RaceOutcome {
    account(outcome, &decided);
    let answer = match decided.verdict {
        decide::Verdict::None(stage) => match vacuous(&outcome.possible) {
            Some(reason) => RaceAnswer::Unknown { reason },
            None => RaceAnswer::Disjoint { stage },
        },
        decide::Verdict::Found(stage, found) => RaceAnswer::Race(Box::new(Race {
            stage,
            witness: found.witness,
            exact: found.exact,
            abstractions: found.abstractions,
        })),
        decide::Verdict::Unknown(reason) => RaceAnswer::Unknown { reason },
    };
    RaceOutcome {
        candidate: candidate.clone(),
        answer,
        rests_on_global_ids: decided.rests_on_global_ids,
        queries: decided.queries.iter().sum(),
        smt: decided.smt,
    }
}

fn divergence_outcome(
    candidate: &warplog_facts::derived::CandidateDivergenceRow,
    decided: decide::Decided,
    exits_early: bool,
    outcome: &mut LaunchOutcome,
) -> DivergenceOutcome {
    account(outcome, &decided);
    let answer = match decided.verdict {
        decide::Verdict::None(stage) => match vacuous(&outcome.possible) {
            Some(reason) => DivergenceAnswer::Unknown { reason },
            None => DivergenceAnswer::Uniform { stage },
        },
        decide::Verdict::Found(stage, found) => DivergenceAnswer::Diverges(Box::new(Divergence {
            stage,
            witness: found.witness,
            exact: found.exact,
            abstractions: found.abstractions,
            exits_early,
        })),
        decide::Verdict::Unknown(reason) => DivergenceAnswer::Unknown { reason },
    };
    DivergenceOutcome {
        candidate: candidate.clone(),
        answer,
        rests_on_global_ids: decided.rests_on_global_ids,
        queries: decided.queries.iter().sum(),
        smt: decided.smt,
    }
}
