//! Alignment: the loops that are surely in the same iteration for both threads of a pair.
//!
//! **Accuracy.** Follows from `inside`: the threads share the head's instance, so
//! - loops around the head and an access and outside its carried loop are in the head's iteration;
//! - both in the next iteration of one carried loop are in the same one;
//! - a loop that was entered after the head (or anew after the carried back edge) and whose back
//!   edge cannot be crossed since without a barrier is in its first iteration.
//!
//! Between blocks without a grid barrier the head is the kernel's entry, which no loop encloses, so
//! only loops whose back edge lies behind a grid barrier are aligned.

use std::rc::Rc;

use warplog_facts::{LoopId, PointId};

use crate::context::Context;
use crate::pair::{Pair, State};

/// What is known of a loop's iteration in one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Iteration {
    /// The head's.
    Head,
    /// The one after the head's.
    Next,
    /// The first.
    First,
    /// Any.
    Free,
}

fn iteration(
    ctx: &Context<'_>,
    head: PointId,
    (carried, repeated): State,
    loop_id: LoopId,
    crossed: &dyn Fn(PointId) -> Rc<Vec<LoopId>>,
) -> Iteration {
    let around_head = ctx.in_loop(head, loop_id);
    let start = match carried {
        Some(carried) if carried == loop_id => {
            return if repeated {
                Iteration::Free
            } else {
                Iteration::Next
            };
        }
        Some(carried) if ctx.strictly_encloses(carried, loop_id) => ctx.loop_head(carried),
        _ if around_head => return Iteration::Head,
        Some(carried) => ctx.loop_head(carried),
        None => head,
    };
    if crossed(start).binary_search(&loop_id).is_ok() {
        Iteration::Free
    } else {
        Iteration::First
    }
}

/// The loops around both accesses that are in the same iteration for both threads, sorted.
pub(crate) fn aligned_loops(
    ctx: &Context<'_>,
    pair: &Pair,
    crossed: &dyn Fn(PointId) -> Rc<Vec<LoopId>>,
) -> Vec<LoopId> {
    let second = ctx.loops(ctx.access(pair.second).point);
    let mut aligned: Vec<LoopId> = ctx
        .loops(ctx.access(pair.first).point)
        .iter()
        .copied()
        .filter(|loop_id| second.contains(loop_id))
        .filter(|&loop_id| {
            let of = |state| iteration(ctx, pair.head, state, loop_id, crossed);
            let (one, other) = (of(pair.first_state), of(pair.second_state));
            one == other && one != Iteration::Free
        })
        .collect();
    aligned.sort_unstable();
    aligned
}
