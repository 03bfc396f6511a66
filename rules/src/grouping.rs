//! Equal accesses: accesses that no rule and no query can tell apart are represented by the one
//! with the smallest id.
//!
//! **Accuracy.** Exact: two accesses are grouped only when they are equal in memory, byte offset,
//! size, kind, operation, value, conjuncts, loops, locks around them, tickets, the bulk copies that do not see them, and place between
//! barriers (intervals, skipped barriers, and the returns that follow without a barrier). A representative still stands against
//! itself, for the same access in another thread.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{InsideRow, SameAccessRow, SkipsRow};
use warplog_facts::words::{AccessKind, Holder, Place, Scope};
use warplog_facts::{AccessId, ArrayId, LoopId, PointId, TermId};

use crate::context::{Conjunct, Context, Level, StoredPart};
use crate::flags::Flags;
use crate::locks::Locks;
use crate::phases::Phases;
use crate::proxies::Proxies;
use crate::tickets::{Order, Tickets};

type State = (Level, PointId, Option<LoopId>, bool);
type Skip = (Level, PointId, Option<LoopId>, PointId, Place);

#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    storage: ArrayId,
    index: TermId,
    bytes: u32,
    kind: AccessKind,
    operation: &'a str,
    scope: Scope,
    volatile: bool,
    stored: Vec<StoredPart>,
    guards: Vec<Conjunct>,
    /// Where the warps are in lock-step, the arms that it stands in matter.
    causes: Vec<PointId>,
    loops: &'a [LoopId],
    states: Vec<State>,
    skips: Vec<Skip>,
    exits: Vec<(Level, PointId)>,
    /// The locks around it.
    locks: &'a [(usize, Holder)],
    /// Whether it comes before the ticket of its block, or behind the last one.
    tickets: &'a [(usize, Order)],
    /// The bulk copies to which no fence of proxies stands on the way.
    unfenced: &'a [AccessId],
    /// Its place, if there are phases or flags that may order it, or a copy makes it.
    place: Option<PointId>,
}

/// The rows of `same_access`: each access with its representative, if that is another one.
pub(crate) fn same_accesses(
    ctx: &Context<'_>,
    inside: &[InsideRow],
    skips: &[SkipsRow],
    exits: &FxHashMap<PointId, Vec<(Level, PointId)>>,
    (locks, tickets, (phases, flags), proxies): (&Locks, &Tickets, (&Phases, &Flags), &Proxies),
) -> Vec<SameAccessRow> {
    let points = ctx.facts.point.len();
    let mut states: Vec<Vec<State>> = vec![Vec::new(); points];
    for row in inside {
        states[row.point.index()].push((
            (row.scope, row.groups),
            row.head,
            row.carried,
            row.repeated,
        ));
    }
    let mut skipped: Vec<Vec<Skip>> = vec![Vec::new(); points];
    for row in skips {
        skipped[row.point.index()].push((
            (row.scope, row.groups),
            row.head,
            row.carried,
            row.barrier,
            row.place,
        ));
    }
    let mut representatives: FxHashMap<Key<'_>, AccessId> = FxHashMap::default();
    let mut rows = Vec::new();
    // A read of an annotation does not speak for one of the program.
    let annotations: FxHashSet<AccessId> = ctx
        .facts
        .annotation_read
        .iter()
        .map(|row| row.access)
        .collect();
    let performed = |access: AccessId| !annotations.contains(&access);
    for row in ctx.facts.access.iter().filter(|row| performed(row.access)) {
        let mut guards = ctx.guards(row.point).to_vec();
        guards.sort_unstable();
        guards.dedup();
        let at = row.point.index();
        let causes = ctx.causes(row.point).iter().map(|cause| cause.2);
        let causes = if ctx.in_lock_step(ctx.launch_of(row.point)) {
            causes.collect()
        } else {
            Vec::new()
        };
        let key = Key {
            storage: ctx.storage(row.access),
            index: row.index,
            bytes: row.bytes,
            kind: row.kind,
            operation: &row.operation,
            scope: row.scope,
            volatile: row.volatile,
            stored: ctx.stored(row),
            guards,
            causes,
            loops: ctx.loops(row.point),
            states: std::mem::take(&mut states[at]),
            skips: std::mem::take(&mut skipped[at]),
            exits: exits.get(&row.point).cloned().unwrap_or_default(),
            locks: locks.around(row.access),
            tickets: tickets.around(row.access),
            unfenced: proxies.unfenced(row.access),
            place: {
                let launch = ctx.launch_of(row.point);
                let told = phases.has(launch) || flags.has(launch) || ctx.is_of_copy(row.access);
                told.then_some(row.point)
            },
        };
        match representatives.get(&key) {
            Some(&representative) => rows.push(SameAccessRow {
                access: row.access,
                representative,
            }),
            None => {
                representatives.insert(key, row.access);
            }
        }
    }
    rows
}
