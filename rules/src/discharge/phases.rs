//! D21 `phases`: one access happens before the other by the phases of barriers.
//!
//! `if (t < 32) { s[t] = 1; bar.arrive 1, 64; } else { bar.sync 1, 64; x = s[t - 32]; }`. What phases are, and why they order, is told in
//! `phases.rs`.

use super::rule::{Rule, Step};
use crate::offsets::outcome::{Outcome, Proof};
use crate::offsets::question::Question;

/// D21.
pub(super) const RULE: Rule = Rule {
    id: "D21",
    names: &["phases"],
    sentence: "Whichever iterations the two threads are in, one access comes before an arrival at a barrier, and the other behind a wait for the phase that counts it.",
    origin: "our own; what phases order is told by the PTX ISA (*mbarrier* and *bar, barrier*)",
    module: module_path!(),
    text: include_str!("phases.rs"),
    steps: &[Step::Before(prove)],
};

pub(super) fn prove(question: &Question<'_, '_>) -> Outcome {
    let phases = question.judge.given.phases;
    if phases.orders(question.judge.ctx, question.pair) {
        return Outcome::Apart(Proof {
            rule: "phases",
            evidence: None,
        });
    }
    Outcome::Nothing
}
