//! D12 `one-warp-only`, `different-warps`: the guards keep both threads in one warp, or in two.
//!
//! `if (t < 32) s[t] += s[t + 16];`: threads of different warps are asked about, and there is one warp. In a one-dimensional block
//! the warp of a thread is `threadIdx.x / 32`, of which the ranges of `threadIdx.x` tell.

use warplog_facts::Op;
use warplog_facts::words::PairScope;

use super::rule::{Rule, Step};
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D12.
pub(super) const RULE: Rule = Rule {
    id: "D12",
    names: &["one-warp-only", "different-warps"],
    sentence: "The guards keep both threads in one warp of a one-dimensional block, or in two.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("one_warp.rs"),
    steps: &[Step::Once(prove)],
};

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    let question = two.question;
    let Some(leaf) = question.launch.leaf(Op::TidX) else {
        return Outcome::Nothing;
    };
    if !question.launch.is_one_dimensional() {
        return Outcome::Nothing;
    }
    let (one, other) = (
        two.range_in(&question.first, leaf),
        two.range_in(&question.second, leaf),
    );
    let warp = |value: i128| value.div_euclid(32);
    match question.pair.scope {
        PairScope::InterWarp => Outcome::apart_if(
            warp(one.low) == warp(one.high)
                && warp(other.low) == warp(other.high)
                && warp(one.low) == warp(other.low),
            "one-warp-only",
        ),
        PairScope::Warp => Outcome::apart_if(
            warp(one.high) < warp(other.low) || warp(other.high) < warp(one.low),
            "different-warps",
        ),
        _ => Outcome::Nothing,
    }
}
