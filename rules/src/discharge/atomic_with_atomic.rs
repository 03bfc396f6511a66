//! D2 `atomic-with-atomic`: two atomic operations on the same bytes come one after the other.
//!
//! `atomicAdd(&counters[t % 4], 1);`. They have to be of one size and aligned to it, so that they cannot overlap in part, and of a
//! scope that holds both threads: `atomicAdd_block` orders nothing between blocks.

use warplog_facts::AccessId;
use warplog_facts::words::AccessKind;

use super::rule::{Rule, Step};
use crate::offsets::form;
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;

/// D2.
pub(super) const RULE: Rule = Rule {
    id: "D2",
    names: &["atomic-with-atomic"],
    sentence: "Two atomic operations of equal size, both aligned to it, each atomic for the other thread, are ordered.",
    origin: "the PTX ISA, memory consistency model: which atomic operations are morally strong",
    module: module_path!(),
    text: include_str!("atomic_with_atomic.rs"),
    steps: &[Step::Before(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let atomic = |access: AccessId| {
        let row = question.judge.ctx.access(access);
        row.kind == AccessKind::Atomic && row.scope >= question.scope()
    };
    Outcome::apart_if(
        atomic(question.pair.first)
            && atomic(question.pair.second)
            && form::same_or_apart(&question.first, &question.second),
        "atomic-with-atomic",
    )
}
