//! What reads of shared memory find, and what threads of a block hand to each other: differences of prefix sums of what they stored or
//! handed in, the largest of what is stored below an element or all its bits, or one value in some lanes.
//!
//! A prefix sum S of numbers that are not negative is a function of the element, one for each block and each round of the loops around
//! it. A formula speaks of it at a few elements, and says of each two of them, l ≤ u, what holds of all sums: S(u) − S(l) is at least
//! and at most what u − l summands come to. Of the summands that the two threads stored themselves, more is known: those that lie
//! in between are part of the difference, with the value that the thread stored. So two threads that both kept an element never
//! find the same place for it.
//!
//! **Accuracy.** What is said holds in every execution: it follows from the relations `sum_at_load`, `sum_at_term`, `same_in_lanes`,
//! `prefix_sum`, `prefix_summand` and `prefix_handed`, and from arithmetic.

use std::rc::Rc;

use facts::derived::{PrefixSumRow, SameInLanesRow, SumAtLoadRow, SumAtTermRow};
use facts::range::Ranges;
use facts::words::PointKind;
use facts::*;
use warplog_facts as facts;

use crate::encode::Encoder;
use crate::formula::Node;
use crate::instances::{ContextId, Iterations, Side};

/// Most elements at which a formula speaks of prefix sums.
const MOST_ELEMENTS: usize = 12;

/// What is found at an element, or in a thread by its rank: `plus + slope · element + S(upper) − S(lower)`.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    launch: LaunchId,
    sum: Option<u32>,
    upper_step: i128,
    upper: i128,
    segment: i128,
    lower: i128,
    slope: i128,
    plus: i128,
    first: i128,
    end: i128,
}

/// Both relations have the same columns of a form.
macro_rules! form_of {
    ($($row:ty),+) => {$(
        impl From<&$row> for Form {
            fn from(row: &$row) -> Self {
                Form {
                    launch: row.launch,
                    sum: row.sum,
                    upper_step: row.upper_step,
                    upper: row.upper,
                    segment: row.segment,
                    lower: row.lower,
                    slope: row.slope,
                    plus: row.plus,
                    first: row.first,
                    end: row.end,
                }
            }
        }
    )+};
}

form_of!(SumAtLoadRow, SumAtTermRow);

/// A term that is one value in some lanes, in a thread.
struct Same<'a> {
    row: &'a SameInLanesRow,
    side: Side,
    rounds: Iterations,
    group: Node,
    executed: Node,
    node: Node,
}

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
        let mut same: Vec<Same<'a>> = Vec::new();
        let (mut next, mut next_term) = (0, 0);
        // What threads stored may have been read by them in turn.
        loop {
            if let Some(&position) = self.summed.get(next) {
                next += 1;
                self.found(position, base, &mut sums);
            } else if let Some(&(context, term)) = self.fitted.get(next_term) {
                next_term += 1;
                self.found_of_term((context, term), base, &mut sums);
                self.same_of_term((context, term), base, &mut same);
            } else {
                break;
            }
        }
    }

    /// The rank of a thread in its block.
    fn rank_of(&mut self, side: Side) -> Node {
        let [x, y, _] = self.block;
        let [across, down, deep] =
            [Op::TidX, Op::TidY, Op::TidZ].map(|op| self.builtins.get(&(op, side)).copied());
        let zero = self.f.constant(0);
        let layers = self.f.mul(y, deep.unwrap_or(zero));
        let rows = self.f.add(down.unwrap_or(zero), layers);
        let before = self.f.mul(x, rows);
        self.f.add(across.unwrap_or(zero), before)
    }

    /// A thread at a point, with the iterations of the loops around it: whether it comes there.
    fn comes(
        &mut self,
        (context, point): (ContextId, PointId),
        base: &Rc<Ranges<'a>>,
    ) -> Option<(Side, Iterations, Node)> {
        let loops = self.index.loops(point);
        let side = self.at(context).side;
        let around = self.at(context).iterations.iter();
        let rounds: Iterations = around
            .filter(|(id, _)| loops.contains(id))
            .copied()
            .collect();
        if rounds.len() != loops.len() {
            return None;
        }
        let there = self.context(side, rounds.clone(), base);
        let mut guards = self.guards(there, point);
        // What is known of the lanes of a block of any size is known of whole warps.
        if self.f.as_constant(self.block[0]).is_none() {
            let rank = self.rank_of(side);
            let warp = self.f.floor_div(rank, 32);
            let end = self.f.scale(warp, 32);
            let end = self.f.offset(end, 32);
            guards.push(self.f.le(end, self.block[0]));
        }
        Some((side, rounds, self.f.and(&guards)))
    }

    /// What a term is in a thread of this rank.
    fn found_of_term(
        &mut self,
        (context, term): (ContextId, TermId),
        base: &Rc<Ranges<'a>>,
        sums: &mut Vec<PrefixAt<'a>>,
    ) {
        let index = self.index;
        for &row in index.sums_at_term(term) {
            let Some((side, rounds, executed)) = self.comes((context, row.point), base) else {
                continue;
            };
            let node = self.value(context, term);
            let rank = self.rank_of(side);
            let form = Form::from(row);
            let read = (row.point, side, &rounds);
            self.follows((node, rank), form, (executed, read), base, sums);
        }
    }

    /// That a term is one value in some lanes.
    fn same_of_term(
        &mut self,
        (context, term): (ContextId, TermId),
        base: &Rc<Ranges<'a>>,
        known: &mut Vec<Same<'a>>,
    ) {
        let index = self.index;
        for &row in index.same_in_lanes(term) {
            let Some((side, rounds, executed)) = self.comes((context, row.point), base) else {
                continue;
            };
            let node = self.value(context, term);
            let rank = self.rank_of(side);
            let group = self.f.floor_div(rank, row.lanes);
            let new = Same {
                row,
                side,
                rounds,
                group,
                executed,
                node,
            };
            for other in known.iter().filter(|other| other.row == row) {
                if other.side != side && !self.relation.same_block {
                    continue;
                }
                let mut premise = vec![other.executed, executed, self.f.eq(other.group, new.group)];
                for (one, two) in other.rounds.iter().zip(&new.rounds) {
                    premise.push(self.f.eq(one.1, two.1));
                }
                let premise = self.f.and(&premise);
                let equal = self.f.eq(other.node, new.node);
                let constraint = self.f.implies(premise, equal);
                self.asserts.push(constraint);
            }
            known.push(new);
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
        if term.args.as_slice() != [read.index] {
            return;
        }
        let side = side.unwrap_or(Side::First);
        let context = self.context(side, iterations.clone(), base);
        let executed = self.executed(context, access);
        let bytes = i128::from(read.bytes);
        let element = self.f.floor_div(offset, bytes);
        let rest = self.f.add_scaled(offset, element, -bytes);
        let aligned = self.f.eq_const(rest, 0);
        let executed = self.f.and(&[executed, aligned]);
        let place = (read.point, side, &iterations);
        let form = Form::from(row);
        self.follows((node, element), form, (executed, place), base, sums);
    }

    /// That a value at an element has a form, where the thread comes to its place.
    fn follows(
        &mut self,
        (node, element): (Node, Node),
        form: Form,
        (executed, (point, side, iterations)): (Node, (PointId, Side, &Iterations)),
        base: &Rc<Ranges<'a>>,
        sums: &mut Vec<PrefixAt<'a>>,
    ) {
        if sums.len() >= MOST_ELEMENTS {
            return;
        }
        let index = self.index;
        let mut premise = vec![
            executed,
            self.f.ge_const(element, form.first),
            self.f.lt_const(element, form.end),
        ];
        let line = self.f.scale(element, form.slope);
        let mut value = self.f.offset(line, form.plus);
        if let Some(number) = form.sum {
            let Some(sum) = index.prefix_sum((form.launch, number)) else {
                return;
            };
            let Some(rounds) = self.rounds_of(point, sum, iterations) else {
                return;
            };
            let (lower, upper) = self.ends(form, element);
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

    /// The elements between which a sum is found at this one.
    fn ends(&mut self, form: Form, element: Node) -> (Node, Node) {
        let mut end = |step: i128, plus: i128| match step {
            0 => self.f.constant(plus),
            1 => self.f.offset(element, plus),
            step => {
                let nth = self.f.floor_div(element, step);
                let start = self.f.scale(nth, step);
                self.f.offset(start, plus)
            }
        };
        (
            end(form.segment, form.lower),
            end(form.upper_step, form.upper),
        )
    }

    /// The iterations that a sum belongs to, among those of a read; none where they are not known.
    fn rounds_of(
        &self,
        point: PointId,
        sum: &PrefixSumRow,
        iterations: &Iterations,
    ) -> Option<Iterations> {
        let loops = self.index.loops(point).get(..sum.rounds as usize)?;
        let writes = self.index.summands(sum);
        let same = writes.iter().all(|write| {
            let point = self.index.facts.access[write.index()].point;
            self.index.loops(point) == loops
        });
        let mut handed = self.index.handed(sum).iter();
        let same = same && handed.all(|&(_, point)| self.loops_outside(point) == loops);
        let known = iterations.iter().filter(|(id, _)| loops.contains(id));
        let known: Iterations = known.copied().collect();
        (same && known.len() == loops.len()).then_some(known)
    }

    /// The loops around a point; around a loop, if it is the head of one.
    fn loops_outside(&self, point: PointId) -> &[LoopId] {
        let loops = self.index.loops(point);
        match self.index.facts.point[point.index()].kind {
            PointKind::LoopHead => loops.split_last().map_or(loops, |(_, outside)| outside),
            _ => loops,
        }
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
        if row.operation != "sum" {
            self.order_of_combined(low, high, base);
            return;
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

    /// The same of the largest number below an element, or of all bits of those below it: both grow, and no number is above.
    fn order_of_combined(
        &mut self,
        low: &PrefixAt<'a>,
        high: &PrefixAt<'a>,
        base: &Rc<Ranges<'a>>,
    ) {
        let row = high.row;
        let most = match row.operation.as_str() {
            "max" => row.most,
            _ => (1i128 << (128 - row.most.max(0).leading_zeros()).min(100)) - 1,
        };
        let mut premise = vec![self.f.le(low.at, high.at)];
        let mut rounds = Vec::new();
        for (one, other) in low.rounds.iter().zip(&high.rounds) {
            rounds.push(self.f.eq(one.1, other.1));
        }
        premise.extend(&rounds);
        let premise = self.f.and(&premise);
        let grows = self.f.le(low.node, high.node);
        let constraint = self.f.implies(premise, grows);
        self.asserts.push(constraint);
        let some = self.f.ge_const(high.at, 1);
        let within = self.f.between(high.node, row.least, most);
        let of_some = self.f.implies(some, within);
        let nothing = self.f.eq_const(high.node, 0);
        let of_none = self.f.or(&[some, nothing]);
        self.asserts.extend([of_some, of_none]);
        for side in Side::BOTH {
            if side != high.side && !self.relation.same_block {
                continue;
            }
            for own in self.own(row, side, &high.rounds, base) {
                let below = self.f.lt(own.element, high.at);
                let is_one = self.f.ge_const(own.element, 0);
                let counts = self.f.and(&[own.executed, below, is_one]);
                let reaches = self.f.le(own.value, high.node);
                let constraint = self.f.implies(counts, reaches);
                self.asserts.push(constraint);
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
        for &(term, point) in index.handed(row) {
            if index.is_large(term) {
                continue;
            }
            let context = self.context(side, rounds.clone(), base);
            let executed = match index.loops(point).last() {
                Some(&own) if index.facts.point[point.index()].kind == PointKind::LoopHead => {
                    self.reached(context, point, own)
                }
                _ => {
                    let guards = self.guards(context, point);
                    self.f.and(&guards)
                }
            };
            owns.push(Own {
                element: self.rank_of(side),
                value: self.value(context, term),
                executed,
            });
        }
        owns
    }
}
