//! What every fact set satisfies, whoever made it: ids, types and the shape of control flow.
//!
//! Rules, solver and report index by ids and rely on the types of terms; facts that were edited
//! or made by another tool may be wrong in all of this. Facts that pass [`check`] can be used
//! without panic, and mean what the schema says as far as a check of the facts alone can tell.
//! Whether they are true of a kernel is the extractor's affair.

mod flow;
mod terms;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
use crate::ids::{AccessId, ID_KINDS, LaunchId, LoopId, PointId, TermId};
use crate::relation::{Row, Visit};
use crate::schema::AccessRow;
use crate::term::Op;
use crate::words::{AccessKind, AssertKind, BarrierKind, Dimension, PointKind};

/// What is wrong with a fact set, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{relation}, row {row}: {message}")]
pub struct Problem {
    /// Name of the relation.
    pub relation: &'static str,
    /// Index of the row in it, from 0.
    pub row: usize,
    /// What was expected, and what was found.
    pub message: String,
}

impl Problem {
    fn new(relation: &'static str, row: usize, message: impl Into<String>) -> Self {
        Problem {
            relation,
            row,
            message: message.into(),
        }
    }
}

/// Checks a fact set; the first problem found is told.
pub fn check(facts: &Facts) -> Result<(), Problem> {
    let counts = facts.id_counts().0;
    facts.relations.visit(&mut Rows { counts: &counts })?;
    let terms = terms::check(facts)?;
    launches(facts)?;
    arrays(facts)?;
    spans(facts)?;
    bodies(facts, &terms)?;
    flow::check(facts, &terms)
}

/// Checks the keys of a relation's rows, and that its ids of the kinds in `counts` exist.
pub(crate) fn rows<R: Row>(rows: &[R], counts: &[u32]) -> Result<(), Problem> {
    let info = R::INFO;
    let mut keys: FxHashSet<Vec<String>> = FxHashSet::default();
    for (index, row) in rows.iter().enumerate() {
        let mut found = Ok(());
        row.references(&mut |column, kind, id| {
            if found.is_err() {
                return;
            }
            let name = info.columns[column].name;
            if info.dense && column == 0 {
                if id as usize != index {
                    let message =
                        format!("column `{name}`: expected {index} (row n has id n), found {id}");
                    found = Err(Problem::new(info.name, index, message));
                }
            } else if counts.get(kind as usize).is_some_and(|&count| id >= count) {
                let message = format!(
                    "column `{name}`: `{}` has no row with id {id}",
                    kind.relation()
                );
                found = Err(Problem::new(info.name, index, message));
            }
        });
        found?;
        if info.key > 0 && !info.dense {
            let mut key = row.write();
            key.truncate(info.key);
            if !keys.insert(key) {
                let columns: Vec<&str> = info.columns[..info.key]
                    .iter()
                    .map(|column| column.name)
                    .collect();
                let message = format!(
                    "duplicate key ({}): an earlier row has the same",
                    columns.join(", ")
                );
                return Err(Problem::new(info.name, index, message));
            }
        }
    }
    Ok(())
}

struct Rows<'a> {
    counts: &'a [u32; ID_KINDS],
}

impl Visit for Rows<'_> {
    type Error = Problem;
    fn visit<R: Row>(&mut self, all: &[R]) -> Result<(), Problem> {
        rows(all, self.counts)
    }
}

/// What a fact set's terms are known for, by term id.
struct TermFacts {
    /// Launch whose symbols, loops, accesses or unknowns the term mentions.
    launch: Vec<Option<LaunchId>>,
    /// Last point at which a load in the term reads.
    last_load: Vec<Option<PointId>>,
    /// Loops whose current iteration (`iter`) or number of iterations (`exit`) the term mentions.
    loops: Vec<Rc<BTreeSet<(Op, LoopId)>>>,
}

/// Every launch has its six dimensions, each at least 1 and known before the kernel starts.
fn launches(facts: &Facts) -> Result<(), Problem> {
    let mut dimensions = vec![0usize; facts.launch.len()];
    for (row, dimension) in facts.launch_dimension.iter().enumerate() {
        dimensions[dimension.launch.index()] += 1;
        let problem = |message: String| Err(Problem::new("launch_dimension", row, message));
        let ty = facts.terms.ty(dimension.term);
        if ty.bits().is_none_or(|bits| bits < 8) {
            return problem(format!(
                "expected a term of an integer type, found one of type {ty}"
            ));
        }
        if let Some(value) = facts.terms.as_const(dimension.term)
            && value < 1
        {
            return problem(format!("expected a dimension of at least 1, found {value}"));
        }
    }
    match dimensions
        .iter()
        .position(|&count| count != Dimension::ALL.len())
    {
        Some(launch) => {
            let message = format!(
                "expected {} rows of launch_dimension for launch {launch}, found {}",
                Dimension::ALL.len(),
                dimensions[launch]
            );
            Err(Problem::new("launch", launch, message))
        }
        None => Ok(()),
    }
}

/// Storage is a representative, of the same launch and space.
fn arrays(facts: &Facts) -> Result<(), Problem> {
    for (row, array) in facts.array.iter().enumerate() {
        let problem = |message: String| Err(Problem::new("array", row, message));
        let storage = &facts.array[array.storage.index()];
        if storage.storage != array.storage {
            let (storage, other) = (array.storage.0, storage.storage.0);
            return problem(format!(
                "expected a storage that is its own storage, but that of {storage} is {other}"
            ));
        }
        if storage.launch != array.launch {
            return problem(format!(
                "expected a storage of launch {}, found one of another",
                array.launch.0
            ));
        }
        if storage.space != array.space {
            return problem(format!(
                "expected a storage in {} memory, found {}",
                array.space, storage.space
            ));
        }
        if array.element_bytes == 0 {
            return problem("expected an element size of at least 1 byte".to_owned());
        }
    }
    Ok(())
}

/// Ranges of text run forwards, and places count from 1.
fn spans(facts: &Facts) -> Result<(), Problem> {
    for (row, span) in facts.span.iter().enumerate() {
        let problem = |message: &str| Err(Problem::new("span", row, message));
        if span.start > span.end || (span.line, span.column) > (span.end_line, span.end_column) {
            return problem("expected a range whose end is not before its start");
        }
        if span.line == 0 || span.column == 0 || span.end_column == 0 {
            return problem("expected lines and columns from 1");
        }
    }
    for (row, line) in facts.source_line.iter().enumerate() {
        if line.line == 0 {
            return Err(Problem::new("source_line", row, "expected lines from 1"));
        }
    }
    Ok(())
}

/// Rows about one launch mention only what is of that launch.
struct Owner<'a> {
    facts: &'a Facts,
    terms: &'a TermFacts,
}

impl Owner<'_> {
    fn of_point(&self, point: PointId) -> LaunchId {
        self.facts.point[point.index()].launch
    }

    /// The term, when given, mentions nothing of another launch.
    fn term(
        &self,
        relation: &'static str,
        row: usize,
        launch: LaunchId,
        id: crate::TermId,
    ) -> Result<(), Problem> {
        match self.terms.launch[id.index()] {
            Some(other) if other != launch => {
                let message = format!(
                    "expected a term of launch {}, found term {} of launch {}",
                    launch.0, id.0, other.0
                );
                Err(Problem::new(relation, row, message))
            }
            _ => Ok(()),
        }
    }

    /// The term is a condition, and mentions nothing of another launch.
    fn condition(
        &self,
        relation: &'static str,
        row: usize,
        launch: LaunchId,
        id: crate::TermId,
    ) -> Result<(), Problem> {
        let ty = self.facts.terms.ty(id);
        if ty != crate::CType::Bool {
            return Err(Problem::new(
                relation,
                row,
                format!("expected a term of type bool, found one of type {ty}"),
            ));
        }
        self.term(relation, row, launch, id)
    }

    fn point(
        &self,
        relation: &'static str,
        row: usize,
        launch: LaunchId,
        point: PointId,
        kinds: &[PointKind],
    ) -> Result<(), Problem> {
        let found = &self.facts.point[point.index()];
        if found.launch != launch {
            let (expected, found) = (launch.0, found.launch.0);
            let message = format!(
                "expected a point of launch {expected}, found point {} of launch {found}",
                point.0
            );
            return Err(Problem::new(relation, row, message));
        }
        if !kinds.is_empty() && !kinds.contains(&found.kind) {
            let message = format!(
                "expected a point of kind {}, found point {} of kind {}",
                kinds[0], point.0, found.kind
            );
            return Err(Problem::new(relation, row, message));
        }
        Ok(())
    }
}

/// Accesses, barriers, unknowns and conditions stand at points of their kind, in one launch.
fn bodies(facts: &Facts, terms: &TermFacts) -> Result<(), Problem> {
    let owner = Owner { facts, terms };
    for (row, dimension) in facts.launch_dimension.iter().enumerate() {
        owner.term("launch_dimension", row, dimension.launch, dimension.term)?;
    }
    for (row, argument) in facts.launch_argument.iter().enumerate() {
        if let Some(term) = argument.term {
            owner.term("launch_argument", row, argument.launch, term)?;
        }
    }
    for (row, assume) in facts.launch_assume.iter().enumerate() {
        owner.condition("launch_assume", row, assume.launch, assume.term)?;
    }
    for (row, unknown) in facts.unknown.iter().enumerate() {
        owner.point("unknown", row, unknown.launch, unknown.point, &[])?;
    }
    for (row, dependence) in facts.unknown_depends_on.iter().enumerate() {
        let launch = facts.unknown[dependence.unknown.index()].launch;
        owner.term("unknown_depends_on", row, launch, dependence.term)?;
    }
    for (row, control) in facts.unknown_controlled_by.iter().enumerate() {
        let launch = facts.unknown[control.unknown.index()].launch;
        owner.term("unknown_controlled_by", row, launch, control.term)?;
    }
    for (row, assume) in facts.assume.iter().enumerate() {
        owner.condition("assume", row, owner.of_point(assume.point), assume.term)?;
    }
    for (row, assert) in facts.assert_.iter().enumerate() {
        owner.condition("assert", row, owner.of_point(assert.point), assert.term)?;
        if let Some(invariant) = assert.invariant {
            let launch = facts.invariant[invariant.index()].launch;
            owner.point("assert", row, launch, assert.point, &[])?;
        }
    }
    let mut entered = vec![false; facts.invariant.len()];
    for assert in &facts.assert_ {
        let Some(invariant) = assert.invariant else {
            continue;
        };
        // What a loop keeps holds only if it held before the loop.
        let of_loop = facts.invariant[invariant.index()].loop_id.is_some();
        if assert.kind == AssertKind::Entry || !of_loop {
            entered[invariant.index()] = true;
        }
    }
    if let Some(row) = entered.iter().position(|entered| !entered) {
        let message = "expected an assertion of kind entry for the invariant, found none";
        return Err(Problem::new("invariant", row, message.to_owned()));
    }
    for (row, invariant) in facts.invariant.iter().enumerate() {
        let of_loop = invariant.loop_id.map(|id| facts.loop_[id.index()].launch);
        if of_loop.is_some_and(|launch| launch != invariant.launch) {
            let message = "expected a loop of the same launch, found one of another";
            return Err(Problem::new("invariant", row, message.to_owned()));
        }
    }
    for (row, known) in facts.invariant_at.iter().enumerate() {
        let launch = facts.invariant[known.invariant.index()].launch;
        owner.point("invariant_at", row, launch, known.point, &[])?;
        owner.condition("invariant_at", row, launch, known.term)?;
    }
    for (row, read) in facts.annotation_read.iter().enumerate() {
        if facts.access[read.access.index()].kind != AccessKind::Read {
            let message = format!("expected a read, access {} is none", read.access.0);
            return Err(Problem::new("annotation_read", row, message));
        }
    }
    for (row, step) in facts.atomic_step.iter().enumerate() {
        let problem = |message: String| Err(Problem::new("atomic_step", row, message));
        let access = &facts.access[step.access.index()];
        if access.kind != AccessKind::Atomic || step.step == 0 {
            let id = step.access.0;
            return problem(format!(
                "expected an atomic access and a step other than 0, found access {id} and {}",
                step.step
            ));
        }
        if let Some(times) = step.times {
            owner.term("atomic_step", row, owner.of_point(access.point), times)?;
            if !facts.terms.ty(times).is_integer() {
                return problem("expected a number".to_owned());
            }
        }
        let unknown = &facts.unknown[step.unknown.index()];
        let (here, there) = (owner.of_point(access.point), unknown.launch);
        if here != there || !unknown.opaque || unknown.point <= access.point {
            return problem(
                "expected an opaque unknown of the same launch, made behind the access".to_owned(),
            );
        }
    }
    for (row, carried) in facts.carried.iter().enumerate() {
        let launch = facts.unknown[carried.unknown.index()].launch;
        if facts.loop_[carried.loop_id.index()].launch != launch {
            let message = "expected a loop of the same launch".to_owned();
            return Err(Problem::new("carried", row, message));
        }
        owner.term("carried", row, launch, carried.start)?;
        owner.term("carried", row, launch, carried.next)?;
    }
    for (row, left) in facts.left_with.iter().enumerate() {
        let launch = facts.unknown[left.unknown.index()].launch;
        if facts.loop_[left.loop_id.index()].launch != launch {
            let message = "expected a loop of the same launch".to_owned();
            return Err(Problem::new("left_with", row, message));
        }
        owner.term("left_with", row, launch, left.value)?;
    }
    for (row, lane) in facts.lane_value.iter().enumerate() {
        let launch = facts.unknown[lane.unknown.index()].launch;
        for term in [lane.value, lane.from].into_iter().chain(lane.width) {
            owner.term("lane_value", row, launch, term)?;
        }
    }
    for (row, of) in facts.collective.iter().enumerate() {
        let launch = facts.unknown[of.unknown.index()].launch;
        for term in [of.value].into_iter().chain(of.lanes) {
            owner.term("collective", row, launch, term)?;
        }
    }
    for (row, operand) in facts.atomic_operand.iter().enumerate() {
        let access = &facts.access[operand.access.index()];
        if access.kind != AccessKind::Atomic {
            let message = "expected an atomic access".to_owned();
            return Err(Problem::new("atomic_operand", row, message));
        }
        owner.term(
            "atomic_operand",
            row,
            owner.of_point(access.point),
            operand.term,
        )?;
    }
    for (row, rank) in facts.vote_rank.iter().enumerate() {
        let [unknown, vote] = [rank.unknown, rank.vote].map(|id| &facts.unknown[id.index()]);
        if unknown.launch != vote.launch || unknown.point <= vote.point {
            let message = "expected a vote of the same launch before its count".to_owned();
            return Err(Problem::new("vote_rank", row, message));
        }
        owner.condition("vote_rank", row, vote.launch, rank.voted)?;
    }
    for (row, together) in facts.lanes_together.iter().enumerate() {
        let [rank, size] = [together.rank, together.size].map(|id| &facts.unknown[id.index()]);
        if rank.launch != size.launch || rank.point >= size.point {
            let message = "expected two unknowns of one launch, one behind the other".to_owned();
            return Err(Problem::new("lanes_together", row, message));
        }
        if let Some(mask) = together.mask {
            owner.term("lanes_together", row, rank.launch, mask)?;
        }
    }
    for (row, exchange) in facts.atomic_exchange.iter().enumerate() {
        let problem = |message: &str| Err(Problem::new("atomic_exchange", row, message));
        let access = &facts.access[exchange.access.index()];
        if access.kind != AccessKind::Atomic {
            let id = exchange.access.0;
            return problem(&format!("expected an atomic access, found access {id}"));
        }
        let launch = owner.of_point(access.point);
        let unknown = &facts.unknown[exchange.unknown.index()];
        if launch != unknown.launch || !unknown.opaque || unknown.point <= access.point {
            return problem(
                "expected an opaque unknown of the same launch, made behind the access",
            );
        }
        for term in exchange.expected.into_iter().chain([exchange.value]) {
            owner.term("atomic_exchange", row, launch, term)?;
        }
    }
    for (row, ticket) in facts.group_ticket.iter().enumerate() {
        let problem = |message: &str| Err(Problem::new("group_ticket", row, message));
        let access = &facts.access[ticket.access.index()];
        let launch = owner.of_point(access.point);
        let base = &facts.unknown[ticket.base.index()];
        if access.kind != AccessKind::Atomic || base.launch != launch || base.point <= access.point
        {
            return problem("expected an unknown made behind an atomic access of its launch");
        }
        for term in [ticket.rank, ticket.size] {
            owner.term("group_ticket", row, launch, term)?;
            if !facts.terms.ty(term).is_integer() {
                return problem("expected a number");
            }
        }
        if let Some(member) = ticket.member {
            owner.condition("group_ticket", row, launch, member)?;
        }
    }
    for (row, ticket) in facts.atomic_ticket.iter().enumerate() {
        let problem = |message: &str| Err(Problem::new("atomic_ticket", row, message));
        let access = &facts.access[ticket.access.index()];
        if access.kind != AccessKind::Atomic {
            let id = ticket.access.0;
            return problem(&format!("expected an atomic access, found access {id}"));
        }
        let launch = owner.of_point(access.point);
        let unknown = &facts.unknown[ticket.unknown.index()];
        if launch != unknown.launch || !unknown.opaque || unknown.point <= access.point {
            return problem(
                "expected an opaque unknown of the same launch, made behind the access",
            );
        }
        if let Some(limit) = ticket.limit {
            owner.term("atomic_ticket", row, launch, limit)?;
        }
    }
    for (row, repeated) in facts.repeats_while.iter().enumerate() {
        let launch = facts.loop_[repeated.loop_id.index()].launch;
        owner.condition("repeats_while", row, launch, repeated.term)?;
    }
    for (row, fence) in facts.fence.iter().enumerate() {
        owner.point(
            "fence",
            row,
            owner.of_point(fence.point),
            fence.point,
            &[PointKind::Fence],
        )?;
    }
    phase_steps(&owner)?;
    barriers(&owner)?;
    accesses(&owner)?;
    stored_parts(&owner)
}

fn phase_steps(owner: &Owner<'_>) -> Result<(), Problem> {
    for (row, step) in owner.facts.phase_step.iter().enumerate() {
        let launch = owner.of_point(step.point);
        let kinds = [PointKind::Phase];
        owner.point("phase_step", row, launch, step.point, &kinds)?;
        for term in [Some(step.index), step.amount, step.parity] {
            let Some(term) = term else { continue };
            owner.term("phase_step", row, launch, term)?;
        }
    }
    for (row, fence) in owner.facts.proxy_fence.iter().enumerate() {
        let launch = owner.of_point(fence.point);
        owner.point("proxy_fence", row, launch, fence.point, &[PointKind::Fence])?;
    }
    for (row, copy) in owner.facts.copy_access.iter().enumerate() {
        let Some(point) = copy.completes else {
            continue;
        };
        let access = &owner.facts.access[copy.access.index()];
        let launch = owner.of_point(access.point);
        owner.point("copy_access", row, launch, point, &[PointKind::Phase])?;
    }
    Ok(())
}

fn barriers(owner: &Owner<'_>) -> Result<(), Problem> {
    let mut taken = FxHashSet::default();
    for (row, barrier) in owner.facts.barrier.iter().enumerate() {
        let launch = owner.of_point(barrier.point);
        let stands = match barrier.kind {
            BarrierKind::Meet | BarrierKind::Collective => PointKind::Meet,
            _ => PointKind::Barrier,
        };
        owner.point("barrier", row, launch, barrier.point, &[stands])?;
        if !taken.insert(barrier.point) {
            return Err(Problem::new(
                "barrier",
                row,
                format!("point {} has a barrier already", barrier.point.0),
            ));
        }
        if let Some(mask) = barrier.mask {
            owner.term("barrier", row, launch, mask)?;
            let ty = owner.facts.terms.ty(mask);
            if !ty.is_integer() {
                return Err(Problem::new(
                    "barrier",
                    row,
                    format!("expected a mask of an integer type, found {ty}"),
                ));
            }
        }
        for term in [barrier.member, barrier.key].into_iter().flatten() {
            owner.term("barrier", row, launch, term)?;
            let ty = owner.facts.terms.ty(term);
            let fits = if Some(term) == barrier.member {
                ty == crate::CType::Bool
            } else {
                ty.is_integer()
            };
            let mut parts = owner.facts.terms.reachable(&[term]).into_iter();
            let varies = parts.any(|part| {
                let op = owner.facts.terms.get(part).op;
                matches!(op, Op::Iter | Op::Exit | Op::Load | Op::Unknown | Op::Other)
            });
            if !fits || varies {
                return Err(Problem::new(
                    "barrier",
                    row,
                    "expected a group that is a function of the thread".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

fn accesses(owner: &Owner<'_>) -> Result<(), Problem> {
    let facts = owner.facts;
    let mut taken = FxHashSet::default();
    for (row, access) in facts.access.iter().enumerate() {
        let problem = |message: String| Err(Problem::new("access", row, message));
        let launch = facts.array[access.array.index()].launch;
        owner.point("access", row, launch, access.point, &[PointKind::Access])?;
        if !taken.insert(access.point) {
            return problem(format!("point {} has an access already", access.point.0));
        }
        let ty = facts.terms.ty(access.index);
        if ty != crate::CType::I64 {
            return problem(format!("expected an index of type i64, found {ty}"));
        }
        if access.bytes == 0 {
            return problem("expected a size of at least 1 byte".to_owned());
        }
        for term in [Some(access.index), access.value].into_iter().flatten() {
            accessed(owner, "access", row, access, term)?;
        }
    }
    Ok(())
}

/// A term that takes part in an access.
fn accessed(
    owner: &Owner<'_>,
    relation: &'static str,
    row: usize,
    access: &AccessRow,
    term: TermId,
) -> Result<(), Problem> {
    let launch = owner.facts.array[access.array.index()].launch;
    owner.term(relation, row, launch, term)?;
    // Else a reader that follows loads to their accesses would not come to an end.
    if let Some(last) = owner.terms.last_load[term.index()]
        && last >= access.point
    {
        let (term, point, last) = (term.0, access.point.0, last.0);
        let message =
            format!("term {term} reads at point {last}, expected one before point {point}");
        return Err(Problem::new(relation, row, message));
    }
    Ok(())
}

/// The scalars of an object that a write stores lie in it, each apart from the others.
fn stored_parts(owner: &Owner<'_>) -> Result<(), Problem> {
    let facts = owner.facts;
    let mut ends: FxHashMap<AccessId, Vec<(u64, u64)>> = FxHashMap::default();
    for (row, part) in facts.stored_part.iter().enumerate() {
        let access = &facts.access[part.access.index()];
        let start = u64::from(part.start);
        let end = start + u64::from(part.bytes);
        let others = ends.entry(part.access).or_default();
        let is_apart = others.iter().all(|&(from, to)| end <= from || to <= start);
        let is_stored = access.kind == AccessKind::Write && access.value.is_none();
        if !is_stored || part.bytes == 0 || end > u64::from(access.bytes) || !is_apart {
            let message = "expected a part of its own of an object that a write stores".to_owned();
            return Err(Problem::new("stored_part", row, message));
        }
        others.push((start, end));
        accessed(owner, "stored_part", row, access, part.value)?;
    }
    Ok(())
}
