//! Control flow: points in program order, edges, nested loops, complete guards.

use std::collections::BTreeSet;

use crate::check::{Owner, Problem, TermFacts};
use crate::facts::Facts;
use crate::ids::{LoopId, PointId, TermId};
use crate::term::Op;
use crate::words::PointKind;

/// Checks the control flow of all launches.
pub(super) fn check(facts: &Facts, terms: &TermFacts) -> Result<(), Problem> {
    let owner = Owner { facts, terms };
    points(facts)?;
    let extents = extents(&owner)?;
    nesting(facts, &extents)?;
    edges(&owner, &extents)?;
    guards(&owner)?;
    iterations(&owner, &extents)
}

/// The points of a launch are contiguous; its first is its only entry.
fn points(facts: &Facts) -> Result<(), Problem> {
    let mut entered = vec![false; facts.launch.len()];
    let mut before = None;
    for (row, point) in facts.point.iter().enumerate() {
        let launch = point.launch;
        if before != Some(launch) && entered[launch.index()] {
            let message = format!(
                "expected the points of launch {} to have consecutive ids",
                launch.0
            );
            return Err(Problem::new("point", row, message));
        }
        let first = before != Some(launch);
        if first != (point.kind == PointKind::Entry) {
            let message = format!(
                "expected the first point of launch {}, and no other, to be of kind entry",
                launch.0
            );
            return Err(Problem::new("point", row, message));
        }
        entered[launch.index()] = true;
        before = Some(launch);
    }
    match entered.iter().position(|entered| !entered) {
        Some(launch) => Err(Problem::new(
            "launch",
            launch,
            format!("expected a point of kind entry for launch {launch}"),
        )),
        None => Ok(()),
    }
}

/// First and last point of each loop; its points are contiguous and start with its head.
fn extents(owner: &Owner<'_>) -> Result<Vec<(PointId, PointId)>, Problem> {
    let facts = owner.facts;
    let mut inside: Vec<BTreeSet<PointId>> = vec![BTreeSet::new(); facts.loop_.len()];
    for (row, at) in facts.loop_at.iter().enumerate() {
        let launch = facts.loop_[at.loop_id.index()].launch;
        owner.point("loop_at", row, launch, at.point, &[])?;
        inside[at.loop_id.index()].insert(at.point);
    }
    let mut extents = Vec::with_capacity(inside.len());
    for (row, (loop_row, points)) in facts.loop_.iter().zip(&inside).enumerate() {
        owner.point(
            "loop",
            row,
            loop_row.launch,
            loop_row.head,
            &[PointKind::LoopHead],
        )?;
        if let Some(condition) = loop_row.condition {
            owner.condition("loop", row, loop_row.launch, condition)?;
        }
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
            return Err(Problem::new(
                "loop",
                row,
                "expected a row of loop_at for the head of the loop",
            ));
        };
        if first != loop_row.head {
            let message = format!(
                "expected the head {} to be the first point of the loop, found {}",
                loop_row.head.0, first.0
            );
            return Err(Problem::new("loop", row, message));
        }
        if last.index() - first.index() + 1 != points.len() {
            let message = format!(
                "expected all points from {} to {} to be in the loop",
                first.0, last.0
            );
            return Err(Problem::new("loop", row, message));
        }
        extents.push((first, last));
    }
    for (row, variable) in facts.loop_variable.iter().enumerate() {
        let launch = facts.loop_[variable.loop_id.index()].launch;
        owner.term("loop_variable", row, launch, variable.term)?;
    }
    Ok(extents)
}

/// Loops are nested by their points, and the parent is the innermost loop around.
fn nesting(facts: &Facts, extents: &[(PointId, PointId)]) -> Result<(), Problem> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    order.sort_unstable_by_key(|&row| (extents[row].0, std::cmp::Reverse(extents[row].1), row));
    let mut around: Vec<usize> = Vec::new();
    for row in order {
        let (first, last) = extents[row];
        while around.last().is_some_and(|&outer| extents[outer].1 < first) {
            around.pop();
        }
        if let Some(&outer) = around.last() {
            if extents[outer].0 == first {
                let message = format!("point {} is the head of loop {outer} already", first.0);
                return Err(Problem::new("loop", row, message));
            }
            if last > extents[outer].1 {
                let message =
                    format!("expected the loop to lie inside loop {outer} or outside of it");
                return Err(Problem::new("loop", row, message));
            }
        }
        let parent = around.last().map(|&outer| LoopId::from_index(outer));
        if facts.loop_[row].parent != parent {
            let parent = parent.map_or("none".to_owned(), |parent| parent.0.to_string());
            return Err(Problem::new(
                "loop",
                row,
                format!("expected parent {parent} (the innermost loop around)"),
            ));
        }
        around.push(row);
    }
    Ok(())
}

/// Edges stay in their launch and go forwards, but for the back edges of loops.
fn edges(owner: &Owner<'_>, extents: &[(PointId, PointId)]) -> Result<(), Problem> {
    let facts = owner.facts;
    let all: BTreeSet<(PointId, PointId)> = facts
        .cfg_edge
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let mut back = BTreeSet::new();
    for (row, edge) in facts.back_edge.iter().enumerate() {
        let problem = |message: String| Err(Problem::new("back_edge", row, message));
        let (head, last) = extents[edge.loop_id.index()];
        if edge.to != head {
            return problem(format!(
                "expected an edge to the head {} of loop {}",
                head.0, edge.loop_id.0
            ));
        }
        if edge.from < head || last < edge.from {
            return problem(format!(
                "expected an edge from inside loop {}",
                edge.loop_id.0
            ));
        }
        if !all.contains(&(edge.from, edge.to)) {
            return problem("expected a row of cfg_edge for the same points".to_owned());
        }
        back.insert((edge.from, edge.to));
    }
    for (row, edge) in facts.cfg_edge.iter().enumerate() {
        owner.point("cfg_edge", row, owner.of_point(edge.from), edge.to, &[])?;
        if edge.to <= edge.from && !back.contains(&(edge.from, edge.to)) {
            let message =
                "expected an edge to a later point, or a row of back_edge for it".to_owned();
            return Err(Problem::new("cfg_edge", row, message));
        }
    }
    for (row, left) in facts.break_at.iter().enumerate() {
        owner.point(
            "break_at",
            row,
            owner.of_point(left.point),
            left.point,
            &[PointKind::Break],
        )?;
        let (head, last) = extents[left.loop_id.index()];
        if left.point < head || last < left.point {
            let message = format!("expected a point inside loop {}", left.loop_id.0);
            return Err(Problem::new("break_at", row, message));
        }
    }
    Ok(())
}

/// The guards of a point are conditions of its launch, numbered from 0.
fn guards(owner: &Owner<'_>) -> Result<(), Problem> {
    let facts = owner.facts;
    let mut positions: Vec<(PointId, u32, usize)> = Vec::with_capacity(facts.guard_at.len());
    for (row, guard) in facts.guard_at.iter().enumerate() {
        let launch = owner.of_point(guard.point);
        owner.condition("guard_at", row, launch, guard.term)?;
        owner.point("guard_at", row, launch, guard.cause_point, &[])?;
        positions.push((guard.point, guard.position, row));
    }
    positions.sort_unstable();
    let mut expected = (None, 0);
    for (point, position, row) in positions {
        if expected.0 != Some(point) {
            expected = (Some(point), 0);
        }
        if position != expected.1 {
            let message = format!(
                "expected position {} at point {}, found {position}",
                expected.1, point.0
            );
            return Err(Problem::new("guard_at", row, message));
        }
        expected.1 += 1;
    }
    Ok(())
}

/// What stands at a point mentions the current iterations of the loops around it only, and the
/// numbers of iterations of loops that were left before in the same iteration of those.
fn iterations(owner: &Owner<'_>, extents: &[(PointId, PointId)]) -> Result<(), Problem> {
    let facts = owner.facts;
    let contains = |loop_id: LoopId, point: PointId| {
        let (head, last) = extents[loop_id.index()];
        head <= point && point <= last
    };
    let at = |relation: &'static str, row: usize, point: PointId, term: TermId| {
        for &(op, loop_id) in owner.terms.loops[term.index()].iter() {
            let parent = facts.loop_[loop_id.index()].parent;
            let fits = match op {
                Op::Exit => {
                    extents[loop_id.index()].1 < point
                        && parent.is_none_or(|parent| contains(parent, point))
                }
                _ => contains(loop_id, point),
            };
            if !fits {
                let (term, loop_id, point) = (term.0, loop_id.0, point.0);
                let message = format!(
                    "term {term} mentions {op}({loop_id}), which has no value at point {point}"
                );
                return Err(Problem::new(relation, row, message));
            }
        }
        Ok(())
    };
    for (row, guard) in facts.guard_at.iter().enumerate() {
        at("guard_at", row, guard.point, guard.term)?;
    }
    for (row, access) in facts.access.iter().enumerate() {
        at("access", row, access.point, access.index)?;
        if let Some(value) = access.value {
            at("access", row, access.point, value)?;
        }
    }
    for (row, part) in facts.stored_part.iter().enumerate() {
        let point = facts.access[part.access.index()].point;
        at("stored_part", row, point, part.value)?;
    }
    for (row, barrier) in facts.barrier.iter().enumerate() {
        let terms = [barrier.mask, barrier.member, barrier.key];
        for term in terms.into_iter().flatten() {
            at("barrier", row, barrier.point, term)?;
        }
    }
    for (row, assume) in facts.assume.iter().enumerate() {
        at("assume", row, assume.point, assume.term)?;
    }
    for (row, assert) in facts.assert_.iter().enumerate() {
        at("assert", row, assert.point, assert.term)?;
    }
    for (row, known) in facts.invariant_at.iter().enumerate() {
        at("invariant_at", row, known.point, known.term)?;
    }
    for (row, loop_row) in facts.loop_.iter().enumerate() {
        if let Some(condition) = loop_row.condition {
            at("loop", row, loop_row.head, condition)?;
        }
    }
    Ok(())
}
