//! D13 `lock-step`: in a launch with lock-step warps the threads of a warp execute one instruction at a time.
//!
//! Such a launch is asked for by `--warps lock-step`. There two threads of a warp conflict only at one instruction, or in two arms of
//! one branch; which pairs are neither is told in `warps.rs`. What an asynchronous copy does is no instruction of its thread: it is done at some later
//! time, and what a bulk copy does not see of what a thread wrote, it does not see for any order of lanes.

use warplog_facts::words::{LockStep, PairScope};

use super::rule::{Rule, Step};
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;

/// D13.
pub(super) const RULE: Rule = Rule {
    id: "D13",
    names: &["lock-step"],
    sentence: "In one warp of a launch with lock-step warps, neither of one instruction nor of diverged arms.",
    origin: "the lock-step warps of devices before Volta, as P. Li, G. Li, G. Gopalakrishnan (SC 2012) take them in what they call \
             a porting race",
    module: module_path!(),
    text: include_str!("lock_step.rs"),
    steps: &[Step::Before(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let ctx = question.judge.ctx;
    Outcome::apart_if(
        question.lock_step == LockStep::Ordered
            && question.pair.scope == PairScope::Warp
            && !question.pair.lasts(ctx)
            && ![question.pair.first, question.pair.second]
                .into_iter()
                .any(|one| ctx.is_of_copy(one))
            && ctx.in_lock_step(ctx.launch_of(question.pair.head)),
        "lock-step",
    )
}
