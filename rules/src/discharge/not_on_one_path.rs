//! D11 `not-on-one-path`: where control is uniform, the threads of a scope take one path, so two
//! accesses of one interval lie on one path from the head without a barrier between them.
//!
//! `for (k…) { for (j…) { s[t] = …; __syncthreads(); } }`: in the interval after the barrier, one
//! thread cannot be in the next round of `j` while another has skipped the inner loop.
//!
//! **Argument.** Let all barriers, and all points by which a loop or the kernel is left, be
//! uniform in the scope: threads agree at equal iterations on reaching them. Then conditions that
//! differ between threads decide only over regions without barriers and leavings, which all
//! threads enter and leave at the same places. Call the entry of the outermost such region around
//! an access its *gate* (the access itself without one): any thread that is at the gate's place in
//! its path has company by all threads of the scope, since all conditions up to it are uniform. So
//! two accesses of one interval have their gates on one path, in one order or the other, and no
//! barrier is between the gates, as the threads are in one interval.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use warplog_facts::AccessId;

use super::rule::{Rule, Step};
use crate::offsets::common_rounds::gate;
use crate::offsets::outcome::Outcome;
use crate::offsets::paths::Node;
use crate::offsets::question::Question;

/// D11.
pub(super) const RULE: Rule = Rule {
    id: "D11",
    names: &["not-on-one-path"],
    sentence: "Control is uniform, and no path of the interval has both accesses.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("not_on_one_path.rs"),
    steps: &[Step::After(prove)],
};

fn prove(question: &Question<'_, '_>) -> Outcome {
    Outcome::apart_if(is_on_no_path(question), "not-on-one-path")
}

/// Whether the two accesses cannot be on one path of their interval.
fn is_on_no_path(question: &Question<'_, '_>) -> bool {
    let (judge, pair, scope) = (question.judge, question.pair, question.scope());
    let ctx = judge.ctx;
    if pair.exit.is_some() || !judge.has_uniform_paths(ctx.launch_of(pair.head), scope) {
        return false;
    }
    let (Some(one), Some(other)) = (
        gate(judge, scope, pair.first),
        gate(judge, scope, pair.second),
    ) else {
        return false;
    };
    let (one, other) = ((one, pair.first_state), (other, pair.second_state));
    let intervals = pair.level();
    let follows =
        |from: Node| -> Rc<FxHashSet<Node>> { judge.following(intervals, pair.head, from) };
    let interval = follows((pair.head, (None, false)));
    // The gates must be what they are taken for: passed in the interval on the way to the accesses.
    let leads = |node: Node, access: AccessId| {
        let target = (ctx.access(access).point, node.1);
        interval.contains(&node) && (node == target || follows(node).contains(&target))
    };
    leads(one, pair.first)
        && leads(other, pair.second)
        && one != other
        && !follows(one).contains(&other)
        && !follows(other).contains(&one)
}
