//! What atomic counters give, and what reads find of them: values that are apart, and sums that are more than what any execution
//! found; and what exchanges take away, which no other one finds.

use facts::*;
use smallvec::SmallVec;
use warplog_facts as facts;
use warplog_facts::words::Scope;

use crate::encode::Encoder;
use crate::formula::Node;
use crate::instances::ContextId;

impl Encoder<'_> {
    /// What an atomic counter gives: which element, whether at all, and between which bounds.
    pub(crate) fn count(&mut self, context: ContextId, position: usize, term: &Term) {
        let index = self.index;
        let Some(access) = term.unknown().and_then(|unknown| index.counter(unknown)) else {
            return;
        };
        let row = &index.facts.access[access.index()];
        let executed = self.executed(context, access);
        let offset = self.value(context, row.index);
        self.instances[position].index = Some(offset);
        self.instances[position].executed = Some(executed);
        self.instances[position].amount = self.amount(context, position, access);
        let Some(counted) = index.counted_result(access) else {
            return;
        };
        let node = self.instances[position].node;
        let mut threads = self.f.constant(1);
        for size in self.block {
            threads = self.f.mul(threads, size);
        }
        let least = self.f.ge_const(node, counted.least);
        let end = self.f.scale(threads, counted.step);
        let end = self.f.offset(end, counted.least);
        let below = self.f.lt(node, end);
        let within = self.f.and(&[least, below]);
        let constraint = self.f.implies(executed, within);
        self.asserts.push(constraint);
        self.counters.insert(access);
    }

    /// What an execution of a counter adds; none where that is not told.
    fn amount(&mut self, context: ContextId, position: usize, access: AccessId) -> Option<Node> {
        let index = self.index;
        let step = index.step(access)?;
        let Some(times) = index.times(access) else {
            return Some(self.f.constant(step));
        };
        if index.is_large(times) {
            return None;
        }
        let node = self.value(context, times);
        if index.facts.terms.is_of_launch(times) {
            // One value for the grid, whatever the thread.
            self.times.insert(times, node);
        }
        // Where the value stands for the thread of the block that drew it, so do the reads by which it drew.
        let side = self.instances[position].side;
        let point = index.facts.access[access.index()].point;
        let conditions = |point: PointId| -> SmallVec<[(TermId, bool); 4]> {
            let rows = index.guards(point).iter();
            rows.map(|row| (row.term, row.polarity)).collect()
        };
        for leaf in index.facts.terms.reachable(&[times]) {
            let Some(read) = index.facts.terms.get(leaf).access() else {
                continue;
            };
            let at = index.facts.access[read.index()].point;
            if index.loops(at) == index.loops(point) && conditions(at) == conditions(point) {
                let mut instances = self.instances.iter_mut();
                let found = instances.rfind(|one| one.term == leaf && one.side == side);
                if let Some(found) = found {
                    found.drawn_by = Some(position);
                }
            }
        }
        Some(self.f.scale(node, step))
    }

    /// Whether a read is executed, where something is known of what it finds.
    pub(crate) fn settle(&mut self, context: ContextId, position: usize, term: &Term) {
        let Some(access) = term.access() else { return };
        if self.index.is_settled(access) {
            let executed = self.executed(context, access);
            self.instances[position].executed = Some(executed);
        }
    }

    /// Whether a read is executed, by the thread or by the one that drew for its block.
    fn performed(&mut self, position: usize) -> Option<Node> {
        let instance = &self.instances[position];
        let own = instance.executed?;
        let drawn = instance
            .drawn_by
            .and_then(|drawn| self.instances[drawn].executed);
        Some(match drawn {
            Some(drawn) => self.f.or(&[own, drawn]),
            None => own,
        })
    }

    /// The access of a read that is an instance, if all is known of where it stands.
    fn read_of(&self, position: usize) -> Option<AccessId> {
        let instance = &self.instances[position];
        let term = self.index.facts.terms.get(instance.term);
        let is_read = instance.complete && term.op == Op::Load;
        term.access().filter(|_| is_read)
    }

    /// Whether an instance is all that a read finds, and not a member of an object.
    fn is_whole(&self, position: usize) -> bool {
        let facts = self.index.facts;
        let term = facts.terms.get(self.instances[position].term);
        let access = term.access().map(|read| &facts.access[read.index()]);
        access.is_some_and(|row| {
            let is_number = term.ty.is_integer() && term.ty.bytes() == Some(row.bytes);
            is_number && term.args.as_slice() == [row.index]
        })
    }

    /// What a read finds of a counter is not less than what that was given.
    pub(crate) fn bound_total(&mut self, position: usize) {
        let index = self.index;
        let Some(read) = self.read_of(position) else {
            return;
        };
        let totals = index.totals(read);
        let Some(least) = totals.iter().map(|row| row.least).max() else {
            return;
        };
        if !self.is_whole(position) {
            return;
        }
        let Some(performed) = self.performed(position) else {
            return;
        };
        let node = self.instances[position].node;
        let bound = self.f.ge_const(node, least);
        let constraint = self.f.implies(performed, bound);
        self.asserts.push(constraint);
        self.counters.extend(totals.iter().map(|row| row.counter));
    }

    /// A read finds more of a counter than an execution found.
    pub(crate) fn compare_total(&mut self, read: usize, drawn: usize) {
        let index = self.index;
        let Some(access) = self.read_of(read) else {
            return;
        };
        let term = index.facts.terms.get(self.instances[drawn].term);
        let counter = term.unknown().and_then(|unknown| index.counter(unknown));
        let totals = index.totals(access).iter();
        let mut rows = totals.filter(|row| Some(row.counter) == counter && self.is_whole(read));
        let (Some(row), true) = (rows.next(), self.instances[drawn].complete) else {
            return;
        };
        let same_block =
            self.relation.same_block || self.instances[read].side == self.instances[drawn].side;
        let (true, Some(step)) = (same_block, index.step(row.counter)) else {
            return;
        };
        let (Some(performed), Some(executed)) =
            (self.performed(read), self.instances[drawn].executed)
        else {
            return;
        };
        let rounds = self.instances[drawn].iterations.iter();
        let rounds: SmallVec<[LoopId; 4]> = rounds.map(|&(id, _)| id).collect();
        let Some(mut premise) = self.equal_rounds(&rounds, [read, drawn]) else {
            return;
        };
        premise.extend([performed, executed]);
        let premise = self.f.and(&premise);
        let after = self.f.offset(self.instances[drawn].node, step);
        let bound = self.f.le(after, self.instances[read].node);
        let constraint = self.f.implies(premise, bound);
        self.asserts.push(constraint);
        self.counters.insert(row.counter);
    }

    /// Two reads of one element find the same, if nothing changes it in between.
    pub(crate) fn compare_settled(&mut self, first: usize, second: usize) {
        let index = self.index;
        let (Some(one), Some(other_read)) = (self.read_of(first), self.read_of(second)) else {
            return;
        };
        let same_block =
            self.relation.same_block || self.instances[first].side == self.instances[second].side;
        let Some(rounds) = index.settled(one, other_read).filter(|_| same_block) else {
            return;
        };
        let loops = index.loops(index.facts.access[one.index()].point).iter();
        let loops: SmallVec<[LoopId; 4]> = loops.copied().take(rounds as usize).collect();
        let (Some(performed), Some(too), Some(mut premise)) = (
            self.performed(first),
            self.performed(second),
            self.equal_rounds(&loops, [first, second]),
        ) else {
            return;
        };
        premise.extend([performed, too]);
        let (a, b) = (self.instances[first].node, self.instances[second].node);
        let terms = [first, second].map(|position| self.instances[position].term);
        let [term, other] = terms.map(|term| index.facts.terms.get(term));
        let rows = [one, other_read].map(|read| index.facts.access[read.index()].index);
        // Of objects that are read at once, the same member; of reads at open places, those of one place.
        let is_whole = [term, other]
            .iter()
            .zip(rows)
            .all(|(term, place)| term.args.as_slice() == [place]);
        let places = [first, second].map(|position| self.instances[position].index);
        if term.ty != other.ty {
            return;
        }
        if rows[0] != rows[1] || index.facts.terms.as_const(rows[0]).is_none() {
            let ([Some(here), Some(there)], true) = (places, is_whole) else {
                return;
            };
            premise.push(self.f.eq(here, there));
        } else if term.args != other.args {
            return;
        }
        let premise = self.f.and(&premise);
        let same = self.same(term.ty, a, b);
        let constraint = self.f.implies(premise, same);
        self.asserts.push(constraint);
    }

    /// That two instances stand in the same iterations of loops; none where one of these is not around both.
    fn equal_rounds(&mut self, loops: &[LoopId], instances: [usize; 2]) -> Option<Vec<Node>> {
        let mut equal = Vec::new();
        for id in loops {
            let rounds = instances.map(|position| {
                let iterations = &self.instances[position].iterations;
                let found = iterations.iter().find(|(other, _)| other == id);
                found.map(|&(_, node)| node)
            });
            let [Some(one), Some(other)] = rounds else {
                return None;
            };
            equal.push(self.f.eq(one, other));
        }
        Some(equal)
    }

    /// The unknowns that two instances are.
    fn results(&self, instances: [usize; 2]) -> [Option<UnknownId>; 2] {
        instances.map(|position| {
            let term = self.instances[position].term;
            self.index.facts.terms.get(term).unknown()
        })
    }

    /// That two executions of atomics, by different threads of the scope, are on one element; none where nothing is known of them.
    fn meeting(
        &mut self,
        [first, second]: [usize; 2],
        (scope, same_rounds): (Scope, bool),
    ) -> Option<Vec<Node>> {
        let index = self.index;
        if scope < Scope::Grid && !self.relation.same_block {
            return None;
        }
        let (a, b) = (&self.instances[first], &self.instances[second]);
        // Of one thread, two iterations may be meant, or the same one.
        if a.side.is_none() || b.side.is_none() || a.side == b.side {
            return None;
        }
        let mut premise = vec![a.executed?, b.executed?, self.f.eq(a.index?, b.index?)];
        if same_rounds {
            let rounds = a.iterations.iter().filter(|(id, _)| index.is_waiting(*id));
            for &(id, node) in rounds {
                let &(_, other) = b.iterations.iter().find(|(other, _)| *other == id)?;
                premise.push(self.f.eq(node, other));
            }
        }
        Some(premise)
    }

    /// Two executions of counters on one element find different values.
    pub(crate) fn compare_counters(&mut self, first: usize, second: usize) {
        let index = self.index;
        let [one, two] = self
            .results([first, second])
            .map(|found| index.counter(found?));
        let (Some(one), Some(two)) = (one, two) else {
            return;
        };
        let Some(row) = index.distinct_results(one, two) else {
            return;
        };
        let times = match row.times {
            Some(times) => match self.times.get(&times) {
                Some(&node) => Some(node),
                None => return,
            },
            None => None,
        };
        let Some(mut premise) = self.meeting([first, second], (row.scope, row.same_rounds)) else {
            return;
        };
        if let Some(times) = times {
            premise.push(self.f.ge_const(times, 1));
        }
        let (a, b) = (self.instances[first].node, self.instances[second].node);
        let amounts = (self.instances[first].amount, self.instances[second].amount);
        let apart = if row.apart == 1 && times.is_none() && !row.own {
            self.f.ne(a, b)
        } else {
            let (after_a, after_b) = match (times, amounts) {
                (Some(times), _) => {
                    let apart = self.f.scale(times, row.apart);
                    (self.f.add(a, apart), self.f.add(b, apart))
                }
                (None, (Some(of_a), Some(of_b))) if row.own => {
                    (self.f.add(a, of_a), self.f.add(b, of_b))
                }
                _ if row.own => return,
                _ => (self.f.offset(a, row.apart), self.f.offset(b, row.apart)),
            };
            let before = self.f.le(after_a, b);
            let behind = self.f.le(after_b, a);
            let apart = self.f.or(&[before, behind]);
            // The counter does not wrap: nor do they come round to each other, where more is added in unsigned numbers.
            let ty = index.facts.terms.ty(self.instances[first].term);
            let round = 1i128 << ty.bits().unwrap_or(32);
            let (next_a, next_b) = (self.f.offset(a, round), self.f.offset(b, round));
            let below = self.f.le(after_b, next_a);
            let above = self.f.le(after_a, next_b);
            self.f.and(&[apart, below, above])
        };
        let premise = self.f.and(&premise);
        let constraint = self.f.implies(premise, apart);
        self.asserts.push(constraint);
        self.counters.extend([one, two]);
    }

    /// What an exchange finds: on which element, and whether it is executed.
    pub(crate) fn take(&mut self, context: ContextId, position: usize, term: &Term) {
        let index = self.index;
        let Some(access) = term.unknown().and_then(|unknown| index.winner(unknown)) else {
            return;
        };
        let executed = self.executed(context, access);
        let offset = self.value(context, index.facts.access[access.index()].index);
        self.instances[position].index = Some(offset);
        self.instances[position].executed = Some(executed);
    }

    /// Two executions of exchanges on one element do not both find what they take away.
    pub(crate) fn compare_winners(&mut self, first: usize, second: usize) {
        let index = self.index;
        let [one, two] = self
            .results([first, second])
            .map(|found| index.winner(found?));
        let (Some(one), Some(two)) = (one, two) else {
            return;
        };
        let Some(row) = index.taken_once(one, two) else {
            return;
        };
        let Some(premise) = self.meeting([first, second], (row.scope, row.same_rounds)) else {
            return;
        };
        let premise = self.f.and(&premise);
        let (a, b) = (self.instances[first].node, self.instances[second].node);
        let value = self.f.constant(row.value);
        let is_value = [a, b].map(|found| self.f.eq(found, value));
        let conclusion = if row.every {
            // Two equal ones are the value.
            let differ = self.f.ne(a, b);
            self.f.or(&[differ, is_value[0]])
        } else {
            let both = self.f.and(&is_value);
            self.f.not(both)
        };
        let constraint = self.f.implies(premise, conclusion);
        self.asserts.push(constraint);
        self.rests_on.global_ids |= row.rests_on_ids;
    }
}
