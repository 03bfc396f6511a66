//! D4 `same-value`: both threads write the same shared value to the same bytes.
//!
//! `found[0] = 1;`. The accesses may meet, and a remark says so; whichever comes last, the memory is the same. Both are of one size and
//! aligned to it, so that they write the same bytes or none in common. With `--report-benign` the pair stays open.

use warplog_facts::AccessRow;
use warplog_facts::words::AccessKind;

use super::rule::{Rule, Step};
use crate::offsets::form;
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;

/// D4.
pub(super) const RULE: Rule = Rule {
    id: "D4",
    names: &["same-value"],
    sentence: "Both write the same shared value to the same bytes.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("same_value.rs"),
    steps: &[Step::After(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    let ctx = question.judge.ctx;
    let (first, second) = (
        ctx.access(question.pair.first),
        ctx.access(question.pair.second),
    );
    let plain = |row: &AccessRow| row.kind == AccessKind::Write;
    if question.judge.given.report_benign || !plain(first) || !plain(second) {
        return Outcome::Nothing;
    }
    let (stored, other) = (ctx.stored(first), ctx.stored(second));
    let same = stored == other
        && stored
            .iter()
            .all(|&(_, _, value)| question.is_shared(value));
    match stored.first() {
        Some(&(_, _, value)) if same && form::same_or_apart(&question.first, &question.second) => {
            Outcome::apart_by("same-value", value)
        }
        _ => Outcome::Nothing,
    }
}
