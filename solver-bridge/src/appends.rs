//! Numbers that one lane draws from a counter for all that are together with it: what it found, plus the number of the thread
//! in the group.
//!
//! Threads of one group have different ranks, and what is drawn for two groups is apart by their sizes, as long as nothing but
//! atomics changes the counter that never add less than 0 (R48). So no two threads have one number.

use warplog_facts::Term;

use super::instances::Append;
use crate::encode::Encoder;
use crate::formula::Node;
use crate::instances::ContextId;

impl Encoder<'_> {
    /// Tells what is known of a leaf if it is what was drawn for a group.
    pub(crate) fn append(&mut self, context: ContextId, position: usize, term: &Term) {
        let index = self.index;
        let row = term.unknown().and_then(|base| index.group_ticket(base));
        let (Some(row), Some(side)) = (row, self.instances[position].side) else {
            return;
        };
        let access = &index.facts.access[row.access.index()];
        let terms = [Some(access.index), Some(row.rank), row.member];
        if terms.iter().flatten().any(|&term| index.is_large(term)) {
            return;
        }
        let point = index.facts.unknown[row.base.index()].point;
        let mut executed = self.guards(context, point);
        executed.extend(row.member.map(|member| self.truth(context, member)));
        let executed = self.f.and(&executed);
        let rank = self.value(context, row.rank);
        let offset = self.value(context, access.index);
        let number = self.f.add(self.instances[position].node, rank);
        let append = Append {
            access: row.access,
            side,
            executed,
            offset,
            number,
            round: 1i128 << term.ty.bits().unwrap_or(32),
        };
        let others = std::mem::take(&mut self.appends);
        for other in &others {
            self.compare_appends(other, &append);
        }
        self.appends = others;
        self.appends.push(append);
    }

    fn compare_appends(&mut self, one: &Append, other: &Append) {
        if one.side == other.side || one.round != other.round {
            return;
        }
        let rows = [(one, other), (other, one)];
        let mut rows = rows
            .iter()
            .filter_map(|(one, other)| self.index.distinct_results(one.access, other.access));
        let Some(row) = rows.next().filter(|row| row.own) else {
            return;
        };
        if row.scope < warplog_facts::words::Scope::Grid && !self.relation.same_block {
            return;
        }
        let same_place = self.f.eq(one.offset, other.offset);
        let premise = self.f.and(&[one.executed, other.executed, same_place]);
        // Nor do they come round to each other.
        let apart: Vec<Node> = [0, one.round, -one.round]
            .iter()
            .map(|&by| {
                let moved = self.f.offset(other.number, by);
                self.f.ne(one.number, moved)
            })
            .collect();
        let apart = self.f.and(&apart);
        let constraint = self.f.implies(premise, apart);
        self.asserts.push(constraint);
        self.counters.extend([one.access, other.access]);
    }
}
