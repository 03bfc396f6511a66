//! Reads of shared memory that find the same, whatever that is.
//!
//! `if (t == 0) n = f(); __syncthreads(); … n … __syncthreads(); … n …`: what thread 0 stores is no term of the others, and
//! still all of them find the same at both places, in all iterations of a loop that leaves n alone.
//!
//! Reads that annotations speak of, as a barrier invariant behind its barrier, are compared with all reads of the memory: they find the
//! same where their places are equal, which the solver asks.
//!
//! **Accuracy.** No interval of either read holds a change of the element, and none stands on a way from the one to the other: so
//! barriers part each change from both, on the same side. Barriers are not divergent, which is told elsewhere.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{InsideRow, SettledLoadsRow};
use warplog_facts::words::{AccessKind, Scope, Space};
use warplog_facts::{AccessId, AccessRow, ArrayId, PointId};

use crate::context::Context;
use crate::forward::Between;

/// Most reads of an array that are looked at.
const MAX_READS: usize = 32;

/// The rows of `settled_loads`.
pub(crate) fn settled(
    ctx: &Context<'_>,
    inside: &[InsideRow],
    between: &Between<'_>,
) -> Vec<SettledLoadsRow> {
    let told = ctx.facts.annotation_read.iter();
    let told: FxHashSet<AccessId> = told.map(|row| row.access).collect();
    let said_of: FxHashSet<ArrayId> = told.iter().map(|&access| ctx.storage(access)).collect();
    let mut reads: BTreeMap<ArrayId, Vec<&AccessRow>> = BTreeMap::new();
    for row in &ctx.facts.access {
        let memory = ctx.storage(row.access);
        let is_shared = ctx.facts.array[memory.index()].space == Space::Shared;
        let is_scalar = ctx.facts.terms.as_const(row.index).is_some() || said_of.contains(&memory);
        if row.kind == AccessKind::Read
            && is_shared
            && is_scalar
            && !row.volatile
            && !ctx.has_opaque_memory(ctx.launch_of(row.point))
        {
            reads.entry(memory).or_default().push(row);
        }
    }
    if reads.is_empty() {
        return Vec::new();
    }
    let mut heads: FxHashMap<PointId, FxHashSet<PointId>> = FxHashMap::default();
    let of_block = |row: &&InsideRow| row.scope == Scope::Block && row.groups == 0;
    for row in inside.iter().filter(of_block) {
        heads.entry(row.point).or_default().insert(row.head);
    }
    let mut found = Vec::new();
    for (memory, reads) in reads {
        let changes = ctx.accesses_of(memory).iter();
        let changes: Vec<&AccessRow> = changes
            .map(|&access| ctx.access(access))
            .filter(|row| row.kind != AccessKind::Read)
            .collect();
        let reads = &reads[..reads.len().min(MAX_READS)];
        let memory = Memory {
            ctx,
            heads: &heads,
            changes,
            told: &told,
        };
        for (position, first) in reads.iter().enumerate() {
            for second in &reads[position..] {
                found.extend(memory.settled(first, second, between));
            }
        }
    }
    found.sort_unstable();
    found
}

struct Memory<'c, 'a> {
    ctx: &'c Context<'a>,
    /// The intervals of block scope that hold a point.
    heads: &'c FxHashMap<PointId, FxHashSet<PointId>>,
    changes: Vec<&'a AccessRow>,
    /// Reads that annotations speak of.
    told: &'c FxHashSet<AccessId>,
}

impl Memory<'_, '_> {
    fn settled(
        &self,
        first: &AccessRow,
        second: &AccessRow,
        between: &Between<'_>,
    ) -> Option<SettledLoadsRow> {
        // What an annotation says of one element is said of the others that are read: where their places are equal, which is
        // asked where it is used.
        let is_open = |read: &AccessRow| self.ctx.facts.terms.as_const(read.index).is_none();
        let is_said = [first, second]
            .iter()
            .any(|read| self.told.contains(&read.access))
            || first.access == second.access;
        let is_alike = first.index == second.index && !is_open(first);
        if first.bytes != second.bytes || !(is_alike || is_said) {
            return None;
        }
        let changes = self.changes.iter().copied();
        let changes: Vec<&AccessRow> = changes
            .filter(|change| !are_beside(self.ctx, [*change, first]))
            .collect();
        let in_one_interval = |read: &AccessRow| {
            let of_read = self.heads.get(&read.point);
            changes.iter().any(|change| {
                let of_change = self.heads.get(&change.point);
                of_read
                    .zip(of_change)
                    .is_none_or(|(one, other)| !one.is_disjoint(other))
            })
        };
        if in_one_interval(first) || in_one_interval(second) {
            return None;
        }
        // The loops that hold a change: those around them do, too.
        let rounds = |read: &AccessRow| {
            let loops = self.ctx.loops(read.point).iter();
            let holds = |id| changes.iter().any(|one| self.ctx.in_loop(one.point, id));
            loops.take_while(|&&id| holds(id)).count()
        };
        let rounds = rounds(first).max(rounds(second));
        let [one, other] = [first, second].map(|read| self.ctx.loops(read.point).get(..rounds));
        if one? != other? {
            return None;
        }
        let leads = |from: &AccessRow, to: &AccessRow| {
            let on_the_way = between.points(from.point, to.point);
            let is_on_the_way =
                |change: &&AccessRow| on_the_way.binary_search(&change.point).is_ok();
            let follows = from.point == to.point || between.follows(from.point, to.point);
            follows && !changes.iter().any(is_on_the_way)
        };
        // R47: two reads of one element between which nothing changes it find the same.
        (leads(first, second) || leads(second, first)).then(|| SettledLoadsRow {
            first: first.access,
            second: second.access,
            rounds: u32::try_from(rounds).unwrap_or(u32::MAX),
        })
    }
}

/// Whether two accesses to one memory are certainly to other bytes.
pub(crate) fn are_beside(ctx: &Context<'_>, [one, other]: [&AccessRow; 2]) -> bool {
    let store = &ctx.facts.terms;
    match (store.as_const(one.index), store.as_const(other.index)) {
        (Some(at), Some(other_at)) => {
            at + i128::from(one.bytes) <= other_at || other_at + i128::from(other.bytes) <= at
        }
        _ => false,
    }
}
