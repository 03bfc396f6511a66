//! Races that the code is made to stand, told from the flow of the value that is read.
//!
//! A thread reads an element while others change it. It does no harm if what is done with the value stands any value that the element
//! had in the meantime:
//!
//! - it only decides whether an atomic operation on the same element is made that looks again: one that compares with it
//!   (`atomicCAS`, the first read of a loop around it), or one that changes nothing where it is made in vain (`atomicMin`,
//!   `atomicMax`, a bit that is tested before it is set by `atomicOr`) and does not get the value itself;
//! - it only goes into `atomicMin`, or only into `atomicMax`, and the array is changed by that operation alone: an old value makes a
//!   worse proposal, which loses (relaxation of distances);
//! - the array only ever receives one constant, and what the value guards is left out once the constant is seen: a flag that
//!   stops further work.
//!
//! **Accuracy.** A value is followed through terms and through unknowns that depend on it. Whatever else is done with it (an index, another
//! store, a barrier behind a condition) makes the race one that may do harm. That the program is right is not shown.

use std::collections::BTreeSet;

use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::AccessKind;
use warplog_facts::{AccessId, AccessRow, Facts, GuardAtRow, LaunchId, Op, Term, TermId};

use super::rows::Rows;

/// Why a race is by design, if it is.
pub(super) fn told(facts: &Facts, known: &Rows<'_>, rows: [&AccessRow; 2]) -> Option<String> {
    let (read, other) = match rows.map(|row| row.kind) {
        [AccessKind::Read, _] => (rows[0], rows[1]),
        [_, AccessKind::Read] => (rows[1], rows[0]),
        _ => return None,
    };
    let flow = Flow::of(facts, known, read);
    match other.kind {
        AccessKind::Atomic if flow.is_looked_at_again() => Some(
            "racy by design: the value that is read is looked at again by an atomic operation on the same element"
                .to_owned(),
        ),
        AccessKind::Atomic => {
            let operation = flow.is_proposed()?;
            Some(format!(
                "racy by design: the value that is read only makes proposals, of which {operation} takes the best"
            ))
        }
        AccessKind::Write => {
            let value = flow.stops_at()?;
            Some(format!(
                "racy by design: `{}` only ever receives {value}, and what the value guards is left out once that is seen",
                facts.array[read.array.index()].name
            ))
        }
        AccessKind::Read => None,
    }
}

/// Where the value of a read goes.
struct Flow<'a> {
    facts: &'a Facts,
    rows: &'a Rows<'a>,
    read: &'a AccessRow,
    launch: LaunchId,
    /// The terms of the value, and of unknowns that depend on it.
    tainted: BTreeSet<TermId>,
}

impl<'a> Flow<'a> {
    fn of(facts: &'a Facts, rows: &'a Rows<'a>, read: &'a AccessRow) -> Self {
        let launch = facts.point[read.point.index()].launch;
        let loads = rows.values().of_read(read.access);
        let mut flow = Flow {
            facts,
            rows,
            read,
            launch,
            tainted: loads.iter().copied().collect(),
        };
        loop {
            let depends = rows.values().depends(launch).iter();
            let reached: BTreeSet<_> = depends
                .filter(|&&(_, term)| flow.is_tainted(term))
                .map(|&(unknown, _)| unknown)
                .collect();
            let before = flow.tainted.len();
            for unknown in reached {
                flow.tainted.extend(rows.values().of_unknown(unknown));
            }
            // How often a loop goes round that the value decides.
            for &(exit, condition) in rows.values().exits(launch) {
                if flow.is_tainted(condition) {
                    flow.tainted.insert(exit);
                }
            }
            if flow.tainted.len() == before {
                return flow;
            }
        }
    }

    fn is_tainted(&self, root: TermId) -> bool {
        let terms = self.facts.terms.reachable(&[root]);
        terms.iter().any(|id| self.tainted.contains(id))
    }

    fn accesses(&self) -> impl Iterator<Item = &'a AccessRow> {
        self.rows.of(self.launch).accesses.iter().copied()
    }

    fn is_of_same_memory(&self, row: &AccessRow) -> bool {
        let storage = |row: &AccessRow| self.facts.array[row.array.index()].storage;
        storage(row) == storage(self.read)
    }

    /// The conjuncts at an access that rest on the value.
    fn guards(&self, row: &AccessRow) -> impl Iterator<Item = &'a GuardAtRow> {
        let guards = self.rows.guards(row.point).iter().copied();
        guards.filter(|guard| self.is_tainted(guard.term))
    }

    /// Whether the value only goes where `may` says, besides into the conditions of reads, and no barrier hangs on it.
    fn goes_only(&self, may: &dyn Fn(&AccessRow) -> bool) -> bool {
        let guarded_barrier = self.rows.of(self.launch).barriers.iter().any(|row| {
            let mut guards = self.rows.guards(row.point).iter();
            guards.any(|guard| self.is_tainted(guard.term))
        });
        let is_fine = |row: &AccessRow| {
            let in_value = row.value.is_some_and(|value| self.is_tainted(value));
            let in_guard = self.guards(row).next().is_some();
            let in_index = self.is_tainted(row.index);
            let is_read = row.kind == AccessKind::Read;
            !in_index && (!in_value && !in_guard || is_read || may(row))
        };
        let in_part = |row: &AccessRow| {
            let mut parts = self.rows.stored_parts(row.access).iter();
            parts.any(|part| self.is_tainted(part.value))
        };
        !guarded_barrier && self.accesses().all(|row| !in_part(row) && is_fine(row))
    }

    /// Whether an access is made only after the result of an atomic operation on the memory was looked at.
    fn is_checked(&self, row: &AccessRow) -> bool {
        let results: BTreeSet<_> = self.results();
        let mut guards = self.rows.guards(row.point).iter();
        guards.any(|guard| {
            let terms = self.facts.terms.reachable(&[guard.term]);
            terms.iter().any(|id| results.contains(id))
        })
    }

    /// What atomic operations on the memory give.
    fn results(&self) -> BTreeSet<TermId> {
        let atomics: BTreeSet<_> = self
            .accesses()
            .filter(|row| row.kind == AccessKind::Atomic && self.is_of_same_memory(row))
            .map(|row| row.point)
            .collect();
        let unknowns = atomics
            .iter()
            .flat_map(|&point| self.rows.values().at(point));
        unknowns.copied().collect()
    }

    fn is_looked_at_again(&self) -> bool {
        let again = |row: &AccessRow| {
            row.kind == AccessKind::Atomic
                && self.is_of_same_memory(row)
                && row.index == self.read.index
                && row.point > self.read.point
                && self.looks_again(row)
        };
        self.accesses().any(again) && self.goes_only(&|row| again(row) || self.is_checked(row))
    }

    /// Whether an atomic operation does nothing where the element is another one than the value says, whatever it was made for.
    fn looks_again(&self, row: &AccessRow) -> bool {
        let of_name = row
            .operation
            .trim_end_matches("_block")
            .trim_end_matches("_system");
        match of_name {
            "atomicMin" | "atomicMax" | "atomicOr" | "atomicAnd" => {
                let mut operands = self.facts.atomic_operand.iter();
                let operand = operands.find(|other| other.access == row.access);
                operand.is_some_and(|operand| !self.is_tainted(operand.term))
            }
            "atomicCAS" => {
                let mut exchanges = self.facts.atomic_exchange.iter();
                let exchange = exchanges.find(|other| other.access == row.access);
                exchange.is_some_and(|exchange| {
                    let is_value = |term: TermId| self.is_value(term);
                    exchange.expected.is_some_and(is_value) || !self.is_tainted(exchange.value)
                })
            }
            _ => false,
        }
    }

    /// Whether a term is the value, or one that depends on it, as it is: in another type at the most.
    fn is_value(&self, mut term: TermId) -> bool {
        loop {
            if self.tainted.contains(&term) {
                return true;
            }
            match self.facts.terms.get(term).args.as_slice() {
                &[inner] => term = inner,
                _ => return false,
            }
        }
    }

    /// The operation that takes the best of what is proposed.
    fn is_proposed(&self) -> Option<&'static str> {
        let changes = || {
            let rows = self.accesses();
            rows.filter(|row| row.kind != AccessKind::Read && self.is_of_same_memory(row))
        };
        ["atomicMin", "atomicMax"].into_iter().find(|operation| {
            let is_it = |row: &AccessRow| {
                row.kind == AccessKind::Atomic
                    && row.operation == *operation
                    && self.is_of_same_memory(row)
            };
            let is_flag =
                |row: &AccessRow| row.kind == AccessKind::Write && self.one_constant(row).is_some();
            changes().all(is_it)
                && self.goes_only(&|row| is_it(row) || self.is_checked(row) || is_flag(row))
        })
    }

    /// The constant that all writes to the memory of an access store.
    fn one_constant(&self, row: &AccessRow) -> Option<i128> {
        let storage = self.facts.array[row.array.index()].storage;
        let mut values = BTreeSet::new();
        for other in self.accesses() {
            let same = self.facts.array[other.array.index()].storage == storage;
            match other.kind {
                AccessKind::Write if same => {
                    values.insert(self.facts.terms.as_const(other.value?)?);
                }
                AccessKind::Atomic if same => return None,
                _ => {}
            }
        }
        let mut values = values.into_iter();
        let first = values.next()?;
        values.next().is_none().then_some(first)
    }

    /// The constant that the memory receives, if what the value guards is left out once it is seen.
    fn stops_at(&self) -> Option<i128> {
        let constant = self.one_constant(self.read)?;
        let at = Seen {
            read: self.read.access,
            value: constant,
        };
        let stops = |row: &AccessRow| {
            !row.value.is_some_and(|value| self.is_tainted(value))
                && self.guards(row).all(|guard| {
                    let value = Evaluator::new(&self.facts.terms, &at).value(guard.term);
                    value == Ok(i128::from(!guard.polarity))
                })
        };
        // What is read under the condition must be left out as well: it may be what the flag announces.
        let reads_stop = self
            .accesses()
            .all(|row| row.kind != AccessKind::Read || stops(row));
        let is_used = self.accesses().any(|row| self.guards(row).next().is_some());
        (is_used && reads_stop && self.goes_only(&stops)).then_some(constant)
    }
}

/// An execution of which it is known what one read finds.
struct Seen {
    read: AccessId,
    value: i128,
}

impl Environment for Seen {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        (term.op == Op::Load && term.access() == Some(self.read)).then_some(self.value)
    }
}
