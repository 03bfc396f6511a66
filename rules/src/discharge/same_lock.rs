//! D15 `same-lock`: both accesses are made under one spin lock.
//!
//! `while (atomicCAS(&lock, 0, 1)) {} __threadfence(); total += …; __threadfence(); atomicExch(&lock, 0);`. What a lock is, who holds
//! it, and why two holders are ordered is told in `locks.rs`.

use super::rule::{Rule, Step};
use crate::offsets::outcome::{Outcome, Proof};
use crate::offsets::question::Question;

/// D15.
pub(super) const RULE: Rule = Rule {
    id: "D15",
    names: &["same-lock"],
    sentence: "Both accesses are made under one spin lock, held by the thread itself or for its block, with fences.",
    origin: "our own; the argument is that of the PTX ISA, memory consistency model (release and acquire patterns, causality \
             order)",
    module: module_path!(),
    text: include_str!("same_lock.rs"),
    steps: &[Step::After(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let (judge, pair) = (question.judge, question.pair);
    let locks = judge.given.locks;
    let accesses = [pair.first, pair.second];
    let evidence = locks.excludes(judge.ctx, pair.scope, accesses);
    evidence.map_or(Outcome::Nothing, |evidence| {
        Outcome::Apart(Proof {
            rule: "same-lock",
            evidence,
        })
    })
}
