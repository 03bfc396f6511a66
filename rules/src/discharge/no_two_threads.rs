//! D1 `single-thread`, `single-warp`, `single-block`: the launch has no two threads of the scope.
//!
//! `<<<1, 1>>>`. A race is between two threads of a block, of two warps, or of two blocks; where the largest size that the
//! launch can have leaves one thread, one warp or one block, there are no two of these.

use warplog_facts::words::PairScope;

use super::rule::{Rule, Step};
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;

/// D1.
pub(super) const RULE: Rule = Rule {
    id: "D1",
    names: &["single-thread", "single-warp", "single-block"],
    sentence: "The launch has no two threads of the scope.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("no_two_threads.rs"),
    steps: &[Step::Before(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let (threads, blocks) = question.launch.most();
    match question.pair.scope {
        PairScope::Grid if blocks <= 1 => Outcome::apart("single-block"),
        PairScope::Grid => Outcome::Nothing,
        _ if threads <= 1 => Outcome::apart("single-thread"),
        PairScope::InterWarp if threads <= 32 => Outcome::apart("single-warp"),
        _ => Outcome::Nothing,
    }
}
