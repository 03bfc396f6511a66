//! Where a thread was that did not come to a place.
//!
//! A thread that misses a barrier has no iteration in which it executes it. What a reader wants to know of it is how far it
//! came: the iterations of the other thread as far as it began them too, and of the first loop that it left earlier, the one in
//! which it did, with the values that decided it. **Accuracy.** Both are read off a run of the thread.

use facts::eval::EvalError;
use facts::*;
use warplog_facts as facts;

use crate::index::Index;
use crate::outcome::WitnessIteration;
use crate::replay::{Left, ModelLeaves, Ordinals, Run, Target, Who, run};

/// The iterations of the loops round the target in which a thread was last that ran without executing it, outermost first.
pub(crate) fn whereabouts(
    index: &Index,
    launch: LaunchId,
    (who, leaves): (&Who, &ModelLeaves),
    run_of_it: &Run,
    target: &Target,
) -> Vec<WitnessIteration> {
    let at = nearest(index, run_of_it, target);
    let mut begun = index.loops(target.point).iter().rev();
    let Some(&innermost) = begun.find(|id| at.iter().any(|(other, _)| other == *id)) else {
        return Vec::new();
    };
    // The head is passed in each iteration, also in the one whose condition is false.
    let point = index.loop_row(innermost).head;
    let target = Target {
        point,
        at: restricted(index, &at, point),
        wanted: loop_variables(index, point).map(|row| row.term).collect(),
        to_the_end: false,
    };
    let done = run(index, launch, who, Some(leaves), &target);
    iterations(index, point, &at, &done.values)
}

/// The iterations of the target that the run began, and of the first loop that it left before, the one in which it did.
fn nearest(index: &Index, run: &Run, target: &Target) -> Ordinals {
    let mut at = Ordinals::new();
    for &id in index.loops(target.point) {
        let Some(&(_, goal)) = target.at.iter().find(|(other, _)| *other == id) else {
            break;
        };
        let left = run.left.iter().find_map(|(left, place)| {
            let together = at.iter().all(|outer| place.contains(outer));
            let own = place.iter().find(|(other, _)| *other == id)?.1;
            (together && leaves(index, left, id)).then_some((left, own))
        });
        // It may not have come to this loop.
        let Some((left, last)) = left else {
            break;
        };
        at.push((id, last.min(goal)));
        let began = last > goal || (last == goal && !matches!(left, Left::Condition(_)));
        if !began {
            break;
        }
    }
    at.sort_unstable();
    at
}

/// Whether a loop ends by this.
fn leaves(index: &Index, left: &Left, id: facts::LoopId) -> bool {
    match left {
        Left::Condition(own) => *own == id,
        Left::Taken(point) => {
            let loops = index.loops(*point);
            let place = |id| loops.iter().position(|other| *other == id);
            match index.break_of(*point) {
                // A break leaves the loops within its own too.
                Some(own) => place(own) <= place(id),
                None => true,
            }
        }
    }
}

pub(crate) fn restricted(index: &Index, all: &Ordinals, point: PointId) -> Ordinals {
    let loops = index.loops(point);
    all.iter()
        .filter(|(id, _)| loops.contains(id))
        .copied()
        .collect()
}

pub(crate) fn loop_variables<'a>(
    index: &'a Index<'a>,
    point: PointId,
) -> impl Iterator<Item = &'a LoopVariableRow> {
    let loops = index.loops(point);
    index
        .facts
        .loop_variable
        .iter()
        .filter(move |row| loops.contains(&row.loop_id))
}

pub(crate) fn iterations(
    index: &Index,
    point: PointId,
    at: &Ordinals,
    variables: &[Result<i128, EvalError>],
) -> Vec<WitnessIteration> {
    let rows: Vec<(&LoopVariableRow, &Result<i128, EvalError>)> =
        loop_variables(index, point).zip(variables).collect();
    index
        .loops(point)
        .iter()
        .filter_map(|&id| {
            let ordinal = at.iter().find(|(other, _)| *other == id)?.1;
            let variables = rows
                .iter()
                .filter(|(row, _)| row.loop_id == id)
                .filter_map(|(row, value)| Some((row.name.clone(), value.as_ref().ok().copied()?)))
                .collect();
            Some(WitnessIteration {
                loop_id: id,
                ordinal,
                variables,
            })
        })
        .collect()
}
