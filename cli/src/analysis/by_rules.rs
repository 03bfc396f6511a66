//! Conditions that the rules prove where a solver does not: what makes the digits of places apart.
//!
//! **Algorithm.** Of races that are open, or that a solver rules out only for blocks and grids of certain sizes, the conditions
//! that `digits` made are supposed of their launches, with what is taken as sane. The rules are run again. A race whose pair of accesses is
//! no candidate any more is ruled out by the condition. Launches know nothing of one another, so that one condition of each is supposed
//! at a time.
//!
//! **Accuracy.** It rests on the rules, which are sound under whatever is supposed of a launch. A condition that is not found to be possible
//! together with what else is assumed is not asked.

use std::collections::BTreeSet;

use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::PairScope;
use warplog_facts::{AccessId, Derived, Facts, LaunchAssumeRow, LaunchId, Op, TermId};
use warplog_solver_bridge::{Condition, Decision, Standing, Standings};

use super::SESSION;
use super::derivation::{rules, solver_options};
use super::hinges::Question;
use crate::options::AnalysisOptions;

/// Most conditions of a launch that the rules are asked about.
const MAX_ROUNDS: usize = 4;

/// A condition on a launch that is asked about, with what is supposed for it.
struct Asked {
    launch: LaunchId,
    place: usize,
    supposed: Vec<Condition>,
}

/// The standings, with what the rules show of races that a solver left open.
pub(super) fn settle(
    (facts, derived, decision): (&Facts, &Derived, &Decision),
    options: &AnalysisOptions,
    questions: &[Question],
    mut standings: Standings,
) -> Standings {
    for round in 0..MAX_ROUNDS {
        let open = |question: &&Question| {
            let launch = question.inquiry.launch;
            standings.races.iter().any(|(position, standing)| {
                decision.races[*position].candidate.launch == launch && question.is_open(standing)
            })
        };
        let mut asked: Vec<Asked> = questions
            .iter()
            .filter(|question| question.inquiry.likely.len() > round)
            .filter(open)
            .map(|question| asked(question, question.inquiry.likely[round]))
            .collect();
        keep_possible((facts, derived), options, &mut asked);
        if asked.is_empty() {
            continue;
        }
        let left = left(facts, options, &asked);
        for (position, standing) in &mut standings.races {
            let row = &decision.races[*position].candidate;
            let mut questions = questions.iter();
            let question = questions.find(|one| one.inquiry.launch == row.launch);
            let of_launch = asked.iter().find(|one| one.launch == row.launch);
            if let (Some(question), Some(of_launch)) = (question, of_launch)
                && question.is_open(standing)
                && !left.contains(&pair(row))
            {
                *standing = Standing::Without(of_launch.place);
            }
        }
    }
    standings
}

fn asked(question: &Question, place: usize) -> Asked {
    let sane = question.inquiry.sane.iter().copied();
    let mut supposed: Vec<Condition> = sane.map(Condition::Holds).collect();
    supposed.push(question.inquiry.conditions[place].condition);
    Asked {
        launch: question.inquiry.launch,
        place,
        supposed,
    }
}

/// Drops what is not found to be possible.
fn keep_possible(
    (facts, derived): (&Facts, &Derived),
    options: &AnalysisOptions,
    asked: &mut Vec<Asked>,
) {
    if asked.is_empty() {
        return;
    }
    let supposed: Vec<(LaunchId, Vec<Condition>)> = asked
        .iter()
        .map(|one| (one.launch, one.supposed.clone()))
        .collect();
    let possible = SESSION.with_borrow_mut(|session| {
        session.can_hold(facts, derived, &solver_options(options), &supposed)
    });
    let mut possible = possible.into_iter();
    asked.retain(|_| possible.next() == Some(true));
}

/// The pairs of accesses that the rules leave as candidates under what is supposed.
fn left(facts: &Facts, options: &AnalysisOptions, asked: &[Asked]) -> BTreeSet<Pair> {
    let mut supposed = facts.clone();
    for one in asked {
        for condition in &one.supposed {
            if let Condition::Holds(term) = *condition {
                let parts = conjuncts(facts, term).into_iter();
                supposed
                    .launch_assume
                    .extend(parts.map(|term| LaunchAssumeRow {
                        launch: one.launch,
                        term,
                        by_host: false,
                    }));
            }
        }
    }
    let candidates = rules(&supposed, options).candidate_race;
    candidates.iter().map(pair).collect()
}

/// What is true where a condition is, one relation each: the rules look at relations.
fn conjuncts(facts: &Facts, id: TermId) -> Vec<TermId> {
    let term = facts.terms.get(id);
    match term.op {
        Op::And => {
            let parts = term.args.iter();
            parts.flat_map(|&part| conjuncts(facts, part)).collect()
        }
        _ => vec![id],
    }
}

/// Two accesses of a launch, and of which threads.
type Pair = (LaunchId, AccessId, AccessId, PairScope);

fn pair(row: &CandidateRaceRow) -> Pair {
    let (one, other) = (row.first, row.second);
    (row.launch, one.min(other), one.max(other), row.scope)
}
