//! Stability: memory that nobody writes during an interval, so that equal offsets read equal values.
//!
//! **Accuracy.** An array is stable in an interval of a block when no access that may be in the
//! interval writes its storage; other blocks' writes to global memory would race with the reads
//! themselves and are looked for between blocks. It is stable in the whole grid when no access of
//! the kernel writes its storage. What a thread reads under a lock that it took itself may have been written by another
//! block since the last thread read it, without a race: such a read is stable in no block. What lowering does not model may write anything, except
//! constant memory. Local memory is another object in each thread and is never stable here.

use ascent::ascent;
use rustc_hash::FxHashSet;
use warplog_facts::derived::{InsideRow, StableLoadRow, StableRow};
use warplog_facts::words::{AccessKind, Scope, Space};
use warplog_facts::{AccessId, ArrayId, PointId};

use crate::bytes::{self, Bytes};
use crate::context::Context;
use crate::locks::Locks;
use crate::offsets::form::Regions;
use crate::rounds::LaterRound;

ascent! {
    struct Stability;
    /// An access that may be in the interval of a head, of block scope.
    relation in_interval(PointId, AccessId);
    /// A plain read.
    relation reads(AccessId);
    /// An access that writes.
    relation writes(AccessId);
    /// The memory that an access goes to.
    relation goes_to(AccessId, ArrayId);
    /// Memory of a launch in which something unknown may write it.
    relation volatile(ArrayId);
    /// A read under a lock that each thread takes by itself.
    relation locked(AccessId);
    /// Memory that all blocks see: not shared memory, of which each block has its own, with contents of its own where nobody has
    /// written yet.
    relation of_grid(ArrayId);

    relation written_in(PointId, ArrayId);
    relation read_in(PointId, ArrayId);
    relation written(ArrayId);
    /// Where an access may be in its memory.
    relation bytes_of(AccessId, Bytes);
    /// A write that no thread does in the intervals of a head in which the read stands, see `rounds.rs`.
    relation later_round(PointId, AccessId, AccessId);
    relation unstable_read(AccessId);
    relation written_over(AccessId);
    relation stable_in(PointId, ArrayId);
    relation block_stable_read(AccessId);
    relation grid_stable_read(AccessId);

    // R5: a storage is written in an interval by an access that may be in it.
    written_in(head, storage) <-- in_interval(head, access), writes(access), goes_to(access, storage);
    read_in(head, storage) <-- in_interval(head, access), goes_to(access, storage), reads(access);
    // R6: and written in the kernel by any access, or by what is not modelled.
    written(storage) <-- writes(access), goes_to(access, storage);
    written(storage) <-- volatile(storage);
    // R7: a storage that is read in an interval is stable there unless written there.
    stable_in(head, storage) <--
        read_in(head, storage), !written_in(head, storage), !volatile(storage);
    // R8: a read is stable within a block when its storage is in all intervals that may hold it, but for what is written in rounds
    // that nobody runs then (R50), and at other bytes (`bytes.rs`).
    unstable_read(access) <--
        reads(access), goes_to(access, storage), in_interval(head, access), written_in(head, storage),
        goes_to(write, storage), in_interval(head, write), writes(write),
        !later_round(head, access, write),
        bytes_of(access, read_at), bytes_of(write, written_at), if !read_at.is_apart_from(*written_at);
    unstable_read(access) <-- reads(access), goes_to(access, storage), volatile(storage);
    unstable_read(access) <-- locked(access);
    block_stable_read(access) <-- reads(access), goes_to(access, _), !unstable_read(access);
    // R9: and within the grid when its storage is of the grid, and never written at these bytes.
    written_over(access) <--
        reads(access), goes_to(access, storage), of_grid(storage), written(storage),
        goes_to(write, storage), writes(write),
        bytes_of(access, read_at), bytes_of(write, written_at), if !read_at.is_apart_from(*written_at);
    written_over(access) <-- reads(access), goes_to(access, storage), volatile(storage);
    grid_stable_read(access) <--
        reads(access), goes_to(access, storage), of_grid(storage), !written_over(access);
}

/// The rows of `stable` and of `stable_load`.
pub(crate) fn stability(
    ctx: &Context<'_>,
    inside: &[InsideRow],
    (locks, regions): (&Locks, &Regions<'_>),
    later_rounds: &FxHashSet<LaterRound>,
    access_at: &dyn Fn(PointId) -> Option<AccessId>,
) -> (Vec<StableRow>, Vec<StableLoadRow>) {
    let mut program = Stability {
        in_interval: inside
            .iter()
            .filter(|row| row.scope == Scope::Block && row.groups == 0)
            .filter_map(|row| Some((row.head, access_at(row.point)?)))
            .collect(),
        later_round: later_rounds.iter().copied().collect(),
        ..Stability::default()
    };
    for row in &ctx.facts.access {
        if ctx.space(row.access) == Space::Local {
            continue;
        }
        let storage = ctx.storage(row.access);
        program.goes_to.push((row.access, storage));
        if row.kind == AccessKind::Read {
            program.reads.push((row.access,));
            if locks.is_of_thread(row.access) {
                program.locked.push((row.access,));
            }
        } else {
            program.writes.push((row.access,));
        }
    }
    program.bytes_of = bytes::of_accesses(ctx, regions);
    for row in &ctx.facts.array {
        if row.space != Space::Constant && ctx.has_opaque_memory(row.launch) {
            program.volatile.push((row.storage,));
        }
        if row.space != Space::Shared {
            program.of_grid.push((row.storage,));
        }
    }
    program.run();

    let written: rustc_hash::FxHashSet<ArrayId> =
        program.written.iter().map(|&(storage,)| storage).collect();
    let mut stable: Vec<StableRow> = program
        .stable_in
        .iter()
        .map(|&(head, array)| StableRow {
            array,
            head: Some(head),
            scope: Scope::Block,
        })
        .collect();
    for row in &ctx.facts.array {
        if !matches!(row.space, Space::Local | Space::Shared) && !written.contains(&row.storage) {
            stable.push(StableRow {
                array: row.array,
                head: None,
                scope: Scope::Grid,
            });
        }
    }
    stable.sort_unstable();
    stable.dedup();

    let grid: rustc_hash::FxHashSet<AccessId> =
        program.grid_stable_read.iter().map(|&(id,)| id).collect();
    let mut loads: Vec<StableLoadRow> = program
        .block_stable_read
        .iter()
        .map(|&(access,)| StableLoadRow {
            access,
            scope: if grid.contains(&access) {
                Scope::Grid
            } else {
                Scope::Block
            },
        })
        .collect();
    loads.sort_unstable();
    (stable, loads)
}
