//! What reads of shared memory find: differences of prefix sums of what the threads of the block stored.
//!
//! A prefix sum S of numbers that are not negative is a function of the element, one for each block and each round of the loops around
//! it. A formula speaks of it at a few elements, and says of each two of them, l ≤ u, what holds of all sums: S(u) − S(l) is at least
//! and at most what u − l summands come to. Of the summands that the two threads stored themselves, more is known: those that lie
//! in between are part of the difference, with the value that the thread stored. So two threads that both kept an element never
//! find the same place for it.
//!
//! **Accuracy.** What is said holds in every execution: it follows from the relations `sum_at_load`, `prefix_sum` and
//! `prefix_summand`, and from arithmetic.

use std::rc::Rc;

use facts::derived::{PrefixSumRow, SumAtLoadRow};
use facts::range::Ranges;
use facts::*;
use warplog_facts as facts;

use crate::encode::{Encoder, Iterations, Side};
use crate::formula::Node;

/// Most elements at which a formula speaks of prefix sums.
const MOST_ELEMENTS: usize = 12;

/// A prefix sum at an element.
struct PrefixAt<'a> {
    row: &'a PrefixSumRow,
    side: Side,
    /// Iterations of the loops around it.
    rounds: Iterations,
    /// The element.
    at: Node,
    node: Node,
}

/// A summand that one of the two threads stored.
#[derive(Clone, Copy)]
struct Own {
    element: Node,
    value: Node,
    executed: Node,
}

impl<'a> Encoder<'a> {
    /// Says of the reads that were met what they find.
    pub(crate) fn contents(&mut self, base: &Rc<Ranges<'a>>) {
        let mut sums: Vec<PrefixAt<'a>> = Vec::new();
        let mut next = 0;
        // What threads stored may have been read by them in turn.
        while let Some(&position) = self.summed.get(next) {
            next += 1;
            self.found(position, base, &mut sums);
        }
    }

    /// What one read finds.
    fn found(&mut self, position: usize, base: &Rc<Ranges<'a>>, sums: &mut Vec<PrefixAt<'a>>) {
        let index = self.index;
        let instance = &self.instances[position];
        let (term, node, side) = (instance.term, instance.node, instance.side);
        let term = index.facts.terms.get(term);
        let (Some(access), Some(offset)) = (term.access(), instance.index) else {
            return;
        };
        let iterations = instance.iterations.clone();
        let read = &index.facts.access[access.index()];
        let whole = term.ty.bytes() == Some(read.bytes) && term.ty != CType::Bool;
        let Some(row) = index.sum_at_load(access).filter(|_| whole) else {
            return;
        };
        if term.args.as_slice() != [read.index] || sums.len() >= MOST_ELEMENTS {
            return;
        }
        let side = side.unwrap_or(Side::First);
        let context = self.context(side, iterations.clone(), base);
        let executed = self.executed(context, access);
        let bytes = i128::from(read.bytes);
        let element = self.f.floor_div(offset, bytes);
        let rest = self.f.add_scaled(offset, element, -bytes);
        let mut premise = vec![
            executed,
            self.f.eq_const(rest, 0),
            self.f.ge_const(element, row.first),
            self.f.lt_const(element, row.end),
        ];
        let line = self.f.scale(element, row.slope);
        let mut value = self.f.offset(line, row.plus);
        if row.sum.is_some() {
            let Some(sum) = index.prefix_sum(row) else {
                return;
            };
            let Some(rounds) = self.rounds_of(access, sum, &iterations) else {
                return;
            };
            let (lower, upper) = self.ends(row, element);
            premise.push(self.f.le(lower, upper));
            let high = self.prefix((sum, side, &rounds), upper, base, sums);
            let low = self.prefix((sum, side, &rounds), lower, base, sums);
            let between = self.f.sub(high, low);
            value = self.f.add(value, between);
        }
        let premise = self.f.and(&premise);
        let same = self.f.eq(node, value);
        let constraint = self.f.implies(premise, same);
        self.asserts.push(constraint);
    }

    /// The elements between which a read of this one finds a sum.
    fn ends(&mut self, row: &SumAtLoadRow, element: Node) -> (Node, Node) {
        let upper = if row.upper_moves {
            self.f.offset(element, row.upper)
        } else {
            self.f.constant(row.upper)
        };
        let lower = match row.segment {
            0 => self.f.constant(row.lower),
            segment => {
                let nth = self.f.floor_div(element, segment);
                let start = self.f.scale(nth, segment);
                self.f.offset(start, row.lower)
            }
        };
        (lower, upper)
    }

    /// The iterations that a sum belongs to, among those of a read; none where they are not known.
    fn rounds_of(
        &self,
        access: AccessId,
        sum: &PrefixSumRow,
        iterations: &Iterations,
    ) -> Option<Iterations> {
        let point = self.index.facts.access[access.index()].point;
        let loops = self.index.loops(point).get(..sum.rounds as usize)?;
        let writes = self.index.summands(sum);
        let same = writes.iter().all(|write| {
            let point = self.index.facts.access[write.index()].point;
            self.index.loops(point) == loops
        });
        let known = iterations.iter().filter(|(id, _)| loops.contains(id));
        let known: Iterations = known.copied().collect();
        (same && known.len() == loops.len()).then_some(known)
    }

    /// A prefix sum at an element, with what holds between it and those at others.
    fn prefix(
        &mut self,
        (row, side, rounds): (&'a PrefixSumRow, Side, &Iterations),
        at: Node,
        base: &Rc<Ranges<'a>>,
        sums: &mut Vec<PrefixAt<'a>>,
    ) -> Node {
        if self.f.as_constant(at) == Some(0) {
            return self.f.constant(0);
        }
        let known = sums.iter().find(|other| {
            other.row == row && other.side == side && other.rounds == *rounds && other.at == at
        });
        if let Some(known) = known {
            return known.node;
        }
        let name = format!("sum_{}", self.f.variables.len());
        let bounds = crate::bounds::Bounds::at_least(i128::MIN / 4);
        let node = self.number(name, bounds, false).1;
        let new = PrefixAt {
            row,
            side,
            rounds: rounds.clone(),
            at,
            node,
        };
        let zero = self.f.constant(0);
        let none = PrefixAt {
            row,
            side,
            rounds: rounds.clone(),
            at: zero,
            node: zero,
        };
        self.order(&none, &new, base);
        for other in sums.iter().filter(|other| other.row == row) {
            if other.side == side || self.relation.same_block {
                self.order(other, &new, base);
                self.order(&new, other, base);
            }
        }
        sums.push(new);
        node
    }

    /// What holds of a prefix sum at two elements if the first is not above the second.
    fn order(&mut self, low: &PrefixAt<'a>, high: &PrefixAt<'a>, base: &Rc<Ranges<'a>>) {
        let row = high.row;
        let mut premise = vec![self.f.le(low.at, high.at)];
        for (one, other) in low.rounds.iter().zip(&high.rounds) {
            premise.push(self.f.eq(one.1, other.1));
        }
        let sum = self.f.sub(high.node, low.node);
        let count = self.f.sub(high.at, low.at);
        let mut owns: Vec<Own> = Vec::new();
        for side in Side::BOTH {
            if side == high.side || self.relation.same_block {
                owns.extend(self.own(row, side, &high.rounds, base));
            }
        }
        self.between(&premise, (sum, count), row, &[]);
        let inside: Vec<Node> = owns
            .iter()
            .map(|own| {
                let above = self.f.le(low.at, own.element);
                let below = self.f.lt(own.element, high.at);
                self.f.and(&[own.executed, above, below])
            })
            .collect();
        for (nth, own) in owns.iter().enumerate() {
            let mut conditions = premise.clone();
            conditions.push(inside[nth]);
            self.between(&conditions, (sum, count), row, &[*own]);
            for (other, inside) in owns[nth + 1..].iter().zip(&inside[nth + 1..]) {
                let mut both = conditions.clone();
                both.extend([*inside, self.f.ne(own.element, other.element)]);
                self.between(&both, (sum, count), row, &[*own, *other]);
            }
        }
    }

    /// A sum of so many summands, some of which are known, under these conditions.
    fn between(
        &mut self,
        premise: &[Node],
        (sum, count): (Node, Node),
        row: &PrefixSumRow,
        known: &[Own],
    ) {
        let mut rest = sum;
        for own in known {
            rest = self.f.sub(rest, own.value);
        }
        let others = -i128::try_from(known.len()).unwrap_or(0);
        let others = self.f.offset(count, others);
        let (least, most) = (
            self.f.scale(others, row.least),
            self.f.scale(others, row.most),
        );
        let bounds = [self.f.le(least, rest), self.f.le(rest, most)];
        let premise = self.f.and(premise);
        let bounds = self.f.and(&bounds);
        let constraint = self.f.implies(premise, bounds);
        self.asserts.push(constraint);
    }

    /// The summands that a thread stored.
    fn own(
        &mut self,
        row: &PrefixSumRow,
        side: Side,
        rounds: &Iterations,
        base: &Rc<Ranges<'a>>,
    ) -> Vec<Own> {
        let index = self.index;
        let mut owns = Vec::new();
        for &access in index.summands(row) {
            let write = &index.facts.access[access.index()];
            let Some(value) = write.value.filter(|&value| !index.is_large(value)) else {
                continue;
            };
            let context = self.context(side, rounds.clone(), base);
            let offset = self.value(context, write.index);
            owns.push(Own {
                element: self.f.floor_div(offset, i128::from(row.bytes)),
                value: self.value(context, value),
                executed: self.executed(context, access),
            });
        }
        owns
    }
}
