//! D9 `same-trip-count`: one thread is in an iteration of a loop whose condition it shares with the
//! other thread, and the other left the loop before that iteration.
//!
//! `for (k = n / 2; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); } x = s[0];`: a
//! write after the last barrier would be in an iteration whose condition was false for the reader.
//!
//! **Argument.** Let L be a loop that can be left by its condition only, around the first access
//! and not around the second, which stands behind it. Let the loops around L be in the same
//! iteration for both, and let L's back edge not be crossed twice within the interval.
//! - The head is in L, at iteration h. The second thread left L, so its condition was false at h + 1:
//!   it crossed the back edge (the only way to the condition), and not again. If the first access
//!   is in iteration h + 1, the condition was true there.
//! - The head is before L. If L is reached by both (its guard is shared), the second thread passed
//!   it in iteration 0, so the condition was false at 0; the first access is in iteration 0, so it
//!   was true.
//!
//! The condition is uniform in the scope and depends on no other loops: a contradiction.

use warplog_facts::{AccessId, TermId};

use super::rule::{Rule, Step};
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;
use crate::pair::State;

/// D9.
pub(super) const RULE: Rule = Rule {
    id: "D9",
    names: &["same-trip-count"],
    sentence: "One thread is in an iteration of a loop that the other left before it, though they share its condition.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("same_trip_count.rs"),
    steps: &[Step::Before(prove)],
};

/// An access with the state in which the interval reaches it.
type Side<'i> = (AccessId, State, &'i Instance);

fn prove(question: &Question<'_, '_>) -> Outcome {
    let pair = question.pair;
    if pair.exit.is_some() {
        return Outcome::Nothing;
    }
    let one = (pair.first, pair.first_state, &*question.first);
    let other = (pair.second, pair.second_state, &*question.second);
    let condition = behind(question, one, other).or_else(|| behind(question, other, one));
    condition.map_or(Outcome::Nothing, |condition| {
        Outcome::apart_by("same-trip-count", condition)
    })
}

/// The condition of a loop around the first access that the second thread has left.
fn behind(
    question: &Question<'_, '_>,
    (inner, inner_state, instance): Side<'_>,
    (outer, outer_state, _): Side<'_>,
) -> Option<TermId> {
    let (judge, pair, scope) = (question.judge, question.pair, question.scope());
    let (ctx, aligned) = (judge.ctx, question.aligned());
    let intervals = pair.level();
    let (inside, after) = (ctx.access(inner).point, ctx.access(outer).point);
    for (depth, &loop_id) in ctx.loops(inside).iter().enumerate() {
        if ctx.in_loop(after, loop_id) {
            continue;
        }
        let row = &ctx.facts.loop_[loop_id.index()];
        let around = &ctx.loops(inside)[..depth];
        let common = around
            .iter()
            .all(|id| aligned.binary_search(id).is_ok() && ctx.in_loop(after, *id));
        // Only the outermost loop that the second access is not in is left by it in one step.
        let condition = row.condition.filter(|_| {
            common && row.head < after && !row.has_break && ctx.leavings(loop_id).is_empty()
        })?;
        let mut same = aligned.to_vec();
        same.push(loop_id);
        same.sort_unstable();
        let shared = |term| judge.is_shared(term, scope, &same);
        let holds = instance.literals.contains(&(condition, true))
            || ctx.guards(inside).contains(&(condition, true));
        if !holds || !shared(condition) {
            return None;
        }
        let once = |start| {
            judge
                .crossed(intervals, start)
                .binary_search(&loop_id)
                .is_err()
        };
        let contradicts = if ctx.in_loop(pair.head, loop_id) {
            inner_state == (Some(loop_id), false) && outer_state == (None, false) && once(row.head)
        } else {
            let start = |state: State| state.0.map_or(pair.head, |id| ctx.loop_head(id));
            once(start(inner_state))
                && once(start(outer_state))
                && ctx
                    .guards(row.head)
                    .iter()
                    .all(|&(term, _)| judge.is_shared(term, scope, aligned))
        };
        return contradicts.then_some(condition);
    }
    None
}
