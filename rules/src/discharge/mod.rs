//! Discharge by rule: pairs of accesses that no two threads of the scope can perform on
//! overlapping bytes in one interval, shown without a solver.
//!
//! One file a rule: number, names, sentence, origin, and the steps in which it is asked ([`rule::Step`]). [`RULES`] lists them
//! all; pages, documentation and tests follow from it. The machinery is in [`offsets`](crate::offsets).
//!
//! **Method.** A pair is asked about as a whole first. Then its two offsets are compared: what must be equal in both instances for
//! them to overlap is collected in rounds, until no rule tells more, a rule says that they are apart, or all that is equal makes the
//! two one thread. A pair that stays open is judged once more with sums of sizes as atoms, see `offsets/sums.rs`.
//!
//! **Accuracy.** A discharged pair has no colliding threads, under the contract of the facts and of
//! [`Ranges`](warplog_facts::range::Ranges). A pair that stays open may or may not collide.

mod all_threads_tried;
mod atomic_with_atomic;
mod contradictory_guards;
mod different_classes;
mod disjoint_ranges;
mod exchanged_partners;
mod factored_residues;
mod inserted_digit;
mod last_ticket;
mod lock_step;
mod no_two_threads;
mod not_on_one_path;
mod one_thread_only;
mod one_warp;
mod phases;
mod raised_flag;
pub(crate) mod rule;
mod same_injective_index;
mod same_lock;
mod same_trip_count;
mod same_value;
mod separated_magnitudes;
mod separated_residues;

use std::sync::LazyLock;

use warplog_facts::words::{LockStep, PairScope};

use crate::offsets::bounds;
use crate::offsets::comparison::Compare;
use crate::offsets::judge::Judge;
use crate::offsets::outcome::{Outcome, Proof};
use crate::offsets::question::Question;
use crate::offsets::two::Two;
use crate::pair::Pair;
use rule::{Ask, Rule, Step};

/// All discharge rules, in the order in which they are asked where they are asked in one step.
pub(crate) const RULES: &[&Rule] = &[
    &lock_step::RULE,
    &no_two_threads::RULE,
    &atomic_with_atomic::RULE,
    &same_trip_count::RULE,
    &contradictory_guards::RULE,
    &one_warp::RULE,
    &exchanged_partners::RULE,
    &one_thread_only::RULE,
    &separated_residues::RULE,
    &factored_residues::RULE,
    &disjoint_ranges::RULE,
    &same_injective_index::RULE,
    &inserted_digit::RULE,
    &separated_magnitudes::RULE,
    &different_classes::RULE,
    &all_threads_tried::RULE,
    &not_on_one_path::RULE,
    &same_value::RULE,
    &same_lock::RULE,
    &last_ticket::RULE,
    &phases::RULE,
    &raised_flag::RULE,
];

/// What is asked of a pair.
type AskPair = fn(&Question<'_, '_>) -> Outcome;

/// The steps of all rules, by kind.
#[derive(Default)]
struct Steps {
    before: Vec<AskPair>,
    once: Vec<Ask>,
    equalities: Vec<Ask>,
    offsets: Vec<Ask>,
    parts: Vec<Ask>,
    identity: Vec<Ask>,
    exhausted: Vec<Ask>,
    comparisons: Vec<Compare>,
    after: Vec<AskPair>,
}

static STEPS: LazyLock<Steps> = LazyLock::new(|| {
    let mut steps = Steps::default();
    for step in RULES.iter().flat_map(|rule| rule.steps) {
        match *step {
            Step::Before(ask) => steps.before.push(ask),
            Step::Once(ask) => steps.once.push(ask),
            Step::Equalities(ask) => steps.equalities.push(ask),
            Step::Offsets(ask) => steps.offsets.push(ask),
            Step::Parts(ask) => steps.parts.push(ask),
            Step::Identity(ask) => steps.identity.push(ask),
            Step::Exhausted(ask) => steps.exhausted.push(ask),
            Step::Comparison(ask) => steps.comparisons.push(ask),
            Step::After(ask) => steps.after.push(ask),
        }
    }
    steps
});

/// The rules that are asked of two polynomials, in their order.
pub(crate) fn comparisons() -> &'static [Compare] {
    &STEPS.comparisons
}

/// The rule by which a pair is discharged, and what it rests on.
pub(crate) fn discharge(judge: &Judge<'_>, pair: &Pair, lock_step: LockStep) -> Option<Proof> {
    let question = Question::new(judge, pair, lock_step);
    // What else there is is about two threads.
    if pair.scope == PairScope::Own {
        return proof(&phases::prove(&question));
    }
    let by = |rules: &[AskPair]| rules.iter().find_map(|ask| proof(&ask(&question)));
    by(&STEPS.before)
        .or_else(|| by_offsets(&question))
        .or_else(|| {
            let mut judges = judge.over_sums(&question).into_iter();
            judges.find_map(|over| by_offsets(&question.to(&over)))
        })
        .or_else(|| by(&STEPS.after))
}

fn proof(outcome: &Outcome) -> Option<Proof> {
    match outcome {
        Outcome::Apart(proof) => Some(*proof),
        Outcome::Equal(_) | Outcome::Nothing => None,
    }
}

/// The rule by which the two offsets are apart. Questions with one key have one answer.
fn by_offsets(question: &Question<'_, '_>) -> Option<Proof> {
    let (judge, key) = (question.judge, question.key());
    let known = judge.separated.borrow().get(&key).copied();
    let answer = known.unwrap_or_else(|| {
        let answer = separate(&mut Two::new(question));
        judge.separated.borrow_mut().insert(key, answer);
        answer
    });
    let index = judge.ctx.access(question.pair.first).index;
    answer.map(|proof| Proof {
        evidence: proof.evidence.or(Some(index)),
        ..proof
    })
}

/// What depends on the two offsets only by their shapes and distance.
fn separate(two: &mut Two<'_, '_>) -> Option<Proof> {
    let question = two.question;
    if !bounds::is_small(&question.first.index) || !bounds::is_small(&question.second.index) {
        return None;
    }
    two.add_known_equalities();
    if let Some(proof) = ask(two, &STEPS.once) {
        return Some(proof);
    }
    loop {
        let known = two.equal.len();
        for step in [&STEPS.equalities, &STEPS.offsets] {
            if let Some(proof) = ask(two, step) {
                return Some(proof);
            }
            two.close();
        }
        if two.equal.len() == known && !two.is_one_thread() {
            if let Some(proof) = ask(two, &STEPS.parts) {
                return Some(proof);
            }
            two.close();
        }
        if let Some(proof) = ask(two, &STEPS.identity) {
            return Some(proof);
        }
        if two.equal.len() == known {
            return ask(two, &STEPS.exhausted);
        }
    }
}

/// The first rule by which the two are apart; what others say to be equal is added to what is known.
fn ask(two: &mut Two<'_, '_>, rules: &[Ask]) -> Option<Proof> {
    for rule in rules {
        match rule(two) {
            Outcome::Apart(proof) => return Some(proof),
            Outcome::Equal(atoms) => two.add_equal(&atoms),
            Outcome::Nothing => {}
        }
    }
    None
}
