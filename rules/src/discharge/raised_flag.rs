//! D22 `raised-flag`: one access comes before a flag is raised, the other behind a wait for it.
//!
//! `if (b == 0) { data[0] = x; store_release(flag, 1); } else { while (load_acquire(flag) == 0); … data[0] … }`. What a flag is, and why it
//! orders, is told in `flags.rs`.

use super::rule::{Rule, Step};
use crate::offsets::outcome::{Outcome, Proof};
use crate::offsets::question::Question;

/// D22.
pub(super) const RULE: Rule = Rule {
    id: "D22",
    names: &["raised-flag"],
    sentence: "One access comes before the only store to a flag, by the one thread that stores to it, and the other behind a loop that is left once the flag is found raised.",
    origin: "our own; the argument is that of the PTX ISA, memory consistency model (release and acquire patterns, causality order)",
    module: module_path!(),
    text: include_str!("raised_flag.rs"),
    steps: &[Step::After(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let flags = question.judge.given.flags;
    if flags.orders(question.pair).is_some() {
        return Outcome::Apart(Proof {
            rule: "raised-flag",
            evidence: None,
        });
    }
    Outcome::Nothing
}
