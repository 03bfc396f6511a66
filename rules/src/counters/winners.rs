//! Winners of atomic exchanges: `atomicCAS(&mark[v], 0, 1) == 0` holds for one execution on each element, as long as nothing
//! brings the 0 back.
//!
//! **Accuracy.** Whatever else changes the memory must be an exchange, too, of the same size and atomic for the same threads,
//! whose value is certainly another one: by its bounds where it stands. What is not atomic and concurrent is a race of its own.

use std::collections::BTreeMap;

use warplog_facts::derived::TakenOnceRow;
use warplog_facts::range::{Interval, NoWrap};
use warplog_facts::words::Scope;
use warplog_facts::{AccessId, ArrayId, AtomicExchangeRow};

use super::Counters;

/// What an exchange may leave behind.
struct Left {
    bounds: Interval,
    rests_on_ids: bool,
}

/// The exchanges of a memory, with what they leave behind.
type Exchanges<'a> = BTreeMap<AccessId, (&'a AtomicExchangeRow, Option<Left>)>;

impl Counters<'_, '_> {
    /// The rows of `taken_once`.
    pub(super) fn taken(&self) -> Vec<TakenOnceRow> {
        let ctx = self.ctx;
        let mut memories: BTreeMap<ArrayId, Exchanges<'_>> = BTreeMap::default();
        for row in &ctx.facts.atomic_exchange {
            if !ctx.has_opaque_memory(ctx.launch_of(ctx.access(row.access).point)) {
                let exchanges = memories.entry(ctx.storage(row.access)).or_default();
                exchanges.insert(row.access, (row, self.left(row)));
            }
        }
        let mut found = Vec::new();
        for (&memory, exchanges) in &memories {
            for &first in exchanges.keys() {
                let seconds = exchanges.keys().filter(|&&second| first <= second);
                let rows = seconds
                    .filter_map(|&second| self.taken_once(memory, exchanges, [first, second]));
                found.extend(rows);
            }
        }
        found.sort_unstable();
        found
    }

    /// What an exchange may leave behind, as its type has it.
    fn left(&self, row: &AtomicExchangeRow) -> Option<Left> {
        let ctx = self.ctx;
        let point = ctx.access(row.access).point;
        let ranges = ctx.ranges(ctx.launch_of(point)).assuming(ctx.guards(point));
        let mut rests_on = NoWrap::default();
        for part in ctx.facts.terms.reachable(&[row.value]) {
            rests_on |= ranges.rests_on(part);
        }
        (!rests_on.sizes && !rests_on.offsets).then(|| Left {
            bounds: ranges.range(row.value),
            rests_on_ids: rests_on.global_ids,
        })
    }

    fn taken_once(
        &self,
        memory: ArrayId,
        exchanges: &Exchanges<'_>,
        pair: [AccessId; 2],
    ) -> Option<TakenOnceRow> {
        let terms = &self.ctx.facts.terms;
        let [(one, left), (other, _)] = pair.map(|access| &exchanges[&access]);
        match (one.expected, other.expected) {
            (Some(one), Some(other)) if one != other => None,
            (Some(expected), _) | (None, Some(expected)) => {
                let value = terms.as_const(expected)?;
                self.taken_away(memory, exchanges, pair, (value, false))
            }
            // They take whatever they find: all but the one value that is stored, or what the others look for.
            (None, None) => {
                let stored = left.as_ref().and_then(|left| left.bounds.single());
                let expected = exchanges.values().filter_map(|(row, _)| row.expected);
                let expected = expected.filter_map(|term| terms.as_const(term)).min();
                let stored = stored.map(|value| (value, true));
                let values = stored
                    .into_iter()
                    .chain(expected.map(|value| (value, false)));
                let mut rows =
                    values.filter_map(|value| self.taken_away(memory, exchanges, pair, value));
                rows.next()
            }
        }
    }

    /// Whether two exchanges do not both find a value on one element, or no other one.
    fn taken_away(
        &self,
        memory: ArrayId,
        exchanges: &Exchanges<'_>,
        [first, second]: [AccessId; 2],
        (value, every): (i128, bool),
    ) -> Option<TakenOnceRow> {
        let (ctx, terms) = (self.ctx, &self.ctx.facts.terms);
        let bytes = ctx.access(first).bytes;
        let ty = terms.ty(exchanges[&first].0.value);
        let keeps = |access: AccessId, scope: Scope| {
            let Some((row, Some(left))) = exchanges.get(&access) else {
                return false;
            };
            let leaves_other = match every {
                true => left.bounds.single() == Some(value),
                false => !left.bounds.contains(value),
            };
            let access = ctx.access(access);
            let same_size = access.bytes == bytes && terms.ty(row.value) == ty;
            leaves_other && same_size && access.scope >= scope
        };
        // R49: two exchanges do not both take a value from one element that nothing brings back.
        let spoilers = |scope| -> Vec<AccessId> {
            let all = self.changes(memory, first);
            all.filter(|&access| !keeps(access, scope)).collect()
        };
        let (scope, same_rounds) = self.unspoilt(memory, [first, second], &spoilers)?;
        let mut left = exchanges.values().filter_map(|(_, left)| left.as_ref());
        Some(TakenOnceRow {
            first,
            second,
            scope,
            same_rounds,
            value,
            every,
            rests_on_ids: left.any(|left| left.rests_on_ids),
        })
    }
}
