//! The leaves of terms as variables: symbols, iterations, reads, unknowns, exit counts, and
//! uninterpreted functions; and what is known of them across threads and iterations.

use std::rc::Rc;

use facts::derived::ForwardedLoadRow;
use facts::range::Ranges;
use facts::words::Scope;
use facts::*;
use smallvec::SmallVec;
use warplog_facts as facts;

use crate::bounds::Bounds;
use crate::encode::{Encoder, MAX_COMPARED};
use crate::formula::Node;
use crate::index::{Counts, Index};
use crate::instances::{Application, ContextId, FunctionKey, Instance, Iterations, Side};

impl<'a> Encoder<'a> {
    pub(crate) fn symbol(&mut self, term: &Term) -> Node {
        let Some(id) = term.symbol() else {
            return self.f.constant(0);
        };
        if let Some(&(_, node)) = self.symbols.get(&id) {
            return node;
        }
        let name = self
            .index
            .facts
            .symbol
            .get(id.index())
            .map_or("?", |row| row.name.as_str());
        let name = format!("{name}@{}", self.symbols.len());
        let fixed = self.fixed_symbols.iter().find(|(symbol, _)| *symbol == id);
        let entry = match fixed {
            Some(&(_, value)) if term.ty.is_integer() && term.ty != CType::Bool => {
                self.number(name, Bounds::new(value, value), true)
            }
            _ => self.leaf_variable(name, term.ty, true),
        };
        self.symbols.insert(id, entry);
        entry.1
    }

    pub(crate) fn iteration(&mut self, context: ContextId, term: &Term) -> Node {
        let id = term.loop_id().unwrap_or(LoopId(u32::MAX));
        let found = self
            .at(context)
            .iterations
            .iter()
            .find(|(other, _)| *other == id)
            .map(|&(_, node)| node);
        // A term outside its loop: facts made by hand may hold one. Nothing is known of it.
        found.unwrap_or_else(|| {
            let name = format!("stray_{}", self.f.variables.len());
            self.number(name, Bounds::at_least(0), false).1
        })
    }

    /// The loops around the place where a leaf gets its value.
    fn site_loops(&self, term: &Term) -> &'a [LoopId] {
        let facts = self.index.facts;
        let point = match term.op {
            Op::Load => term
                .access()
                .and_then(|id| facts.access.get(id.index()))
                .map(|row| row.point),
            Op::Unknown => term
                .unknown()
                .and_then(|id| facts.unknown.get(id.index()))
                .map(|row| row.point),
            Op::Exit => term
                .loop_id()
                .and_then(|id| facts.loop_.get(id.index()))
                .map(|row| row.head),
            _ => None,
        };
        let index: &'a Index<'a> = self.index;
        let loops = point.map_or(&[][..], |point| index.loops(point));
        match (term.op, term.loop_id()) {
            // An exit count belongs to the iteration of the loops around the loop.
            (Op::Exit, Some(id)) => loops.split(|&other| other == id).next().unwrap_or_default(),
            _ => loops,
        }
    }

    pub(crate) fn instance(&mut self, context: ContextId, id: TermId, term: &Term) -> Node {
        let site = self.site_loops(term);
        let iterations: Iterations = self
            .at(context)
            .iterations
            .iter()
            .filter(|(loop_id, _)| site.contains(loop_id))
            .copied()
            .collect();
        let complete = iterations.len() == site.len();
        let uniform = self
            .index
            .uniform(id)
            .is_some_and(|scope| scope >= self.relation.scope);
        let shared =
            uniform && complete && iterations.iter().all(|&(_, node)| self.f.is_shared(node));
        let side = self.at(context).side;
        let side = (!shared).then_some(side);
        let key = (id, side, iterations.clone());
        if let Some(&position) = self.leaves.get(&key) {
            // It may have been met where only a possible way was asked for, of which nothing is said.
            self.tell(context, position, term);
            return self.instances[position].node;
        }
        let what = match term.op {
            Op::Load => "load",
            Op::Unknown => "unknown",
            _ => "exit",
        };
        let position = self.instances.len();
        let name = format!("{what}_{position}#{}", side.map_or(0, Side::number));
        let node = if let (Op::Exit, Some(loop_id)) = (term.op, term.loop_id()) {
            let row = self.index.loop_row(loop_id);
            let bounds = Bounds {
                low: Some(0),
                high: row.max_iterations.map(i128::from),
            };
            self.number(name, bounds, shared).1
        } else {
            self.leaf_variable(name, term.ty, shared).1
        };
        let index = (term.op == Op::Load && !term.args.is_empty()).then(|| {
            let index = self.at(context).known[&term.args[0]];
            self.number_of(term.args[0], index)
        });
        self.instances.push(Instance {
            term: id,
            side,
            iterations,
            complete,
            told: false,
            node,
            index,
            uniform,
            executed: None,
            amount: None,
            drawn_by: None,
        });
        self.leaves.insert(key, position);
        if term.op == Op::Load {
            self.bound_element(context, position, term);
        }
        self.tell(context, position, term);
        node
    }

    /// Says once what is known of a leaf, where it is met for more than a possible way.
    fn tell(&mut self, context: ContextId, position: usize, term: &Term) {
        if self.hypothetical || std::mem::replace(&mut self.instances[position].told, true) {
            return;
        }
        if let (Op::Exit, Some(loop_id)) = (term.op, term.loop_id()) {
            let row = self.index.loop_row(loop_id);
            if row.condition.is_some() && !row.has_break {
                self.pending_exits.push((position, context));
            }
        }
        if !self.instances[position].complete {
            return;
        }
        match term.op {
            Op::Load => {
                self.forward(context, position, term);
                self.settle(context, position, term);
                let access = term.access();
                if access.is_some_and(|access| self.index.sum_at_load(access).is_some()) {
                    self.summed.push(position);
                }
            }
            Op::Unknown => {
                self.count(context, position, term);
                self.take(context, position, term);
                self.rank(context, self.instances[position].node, term);
                self.append(context, position, term);
            }
            _ => {}
        }
    }

    /// What a read finds that was written before: where it is executed, since what is not executed reads nothing and
    /// would make two threads agree on what only one of them wrote.
    fn forward(&mut self, context: ContextId, position: usize, term: &Term) {
        let index = self.index;
        let Some(access) = term.access() else { return };
        for row in index.forwarded_loads(access) {
            // Of an object that is read at once, the member that was written.
            let place = index.facts.access[row.write.index()].index;
            if term.args.as_slice() == [place] && index.facts.terms.ty(row.value) == term.ty {
                self.forward_one(context, position, row);
            }
        }
    }

    fn forward_one(&mut self, context: ContextId, position: usize, row: &ForwardedLoadRow) {
        let index = self.index;
        let conditions = index.forwarded_when(row);
        let mut terms = conditions.iter().map(|when| when.term).chain([row.value]);
        if row.across_blocks && self.relation.same_block || terms.any(|term| index.is_large(term)) {
            return;
        }
        let executed = self.executed(context, row.access);
        let stored = self.value(context, row.value);
        if row.across_blocks {
            // The value is that of the thread of the block that drew it, so it was drawn.
            let side = self.at(context).side;
            let drawn = self.instances.iter().rposition(|instance| {
                instance.term == row.value && instance.node == stored && instance.side == Some(side)
            });
            if let Some(drawn) = drawn
                && let Some(itself) = self.instances[drawn].executed
            {
                let either = self.f.or(&[itself, executed]);
                self.instances[drawn].executed = Some(either);
            }
        }
        let mut premise = vec![executed];
        for when in conditions {
            let truth = self.truth(context, when.term);
            let holds = if when.polarity {
                truth
            } else {
                self.f.not(truth)
            };
            premise.push(holds);
        }
        let premise = self.f.and(&premise);
        let found = self.instances[position].node;
        let found = self.number_of(self.instances[position].term, found);
        let same = self.f.eq(found, stored);
        let constraint = self.f.implies(premise, same);
        self.asserts.push(constraint);
    }

    /// Whether an access is executed, in the iterations of the context.
    pub(crate) fn executed(&mut self, context: ContextId, access: AccessId) -> Node {
        let point = self.index.facts.access[access.index()].point;
        let guards = self.guards(context, point);
        self.f.and(&guards)
    }

    pub(crate) fn application(&mut self, context: ContextId, id: TermId, term: &Term) -> Node {
        let args: SmallVec<[Node; 4]> = term
            .args
            .iter()
            .map(|&arg| {
                let node = self.at(context).known[&arg];
                self.number_of(arg, node)
            })
            .collect();
        if !self.applied.contains(&id) {
            self.applied.push(id);
        }
        let types = term
            .args
            .iter()
            .map(|&arg| self.index.facts.terms.ty(arg))
            .collect();
        let key: FunctionKey = (term.op, term.payload, term.ty, types);
        let earlier = self.functions.entry(key.clone()).or_default();
        if let Some(application) = earlier.iter().find(|other| other.args == args) {
            return application.node;
        }
        let shared = args.iter().all(|&arg| self.f.is_shared(arg));
        let name = format!("{}_{}", term.op, self.f.variables.len());
        let node = self.leaf_variable(name, term.ty, shared).1;
        let earlier = &self.functions[&key];
        let mut equal_results = Vec::new();
        for other in earlier.iter().take(MAX_COMPARED) {
            equal_results.push((other.args.clone(), other.node));
        }
        for (other_args, other_node) in equal_results {
            let same_args: Vec<Node> = args
                .iter()
                .zip(&other_args)
                .map(|(&a, &b)| self.f.eq(a, b))
                .collect();
            let same_args = self.f.and(&same_args);
            let same = self.same(term.ty, node, other_node);
            let constraint = self.f.implies(same_args, same);
            self.asserts.push(constraint);
        }
        self.functions
            .entry(key)
            .or_default()
            .push(Application { args, node });
        node
    }

    pub(crate) fn same(&mut self, ty: CType, a: Node, b: Node) -> Node {
        if ty == CType::Bool {
            self.f.iff(a, b)
        } else {
            self.f.eq(a, b)
        }
    }

    /// Adds what is known of leaves: exit counts are where the condition fails, uniform values are
    /// equal at equal iterations, stable reads are equal at equal indices.
    pub(crate) fn finish(&mut self, base: &Rc<Ranges<'a>>) {
        while let Some((position, context)) = self.pending_exits.pop() {
            self.exit_definition(position, context, base);
        }
        self.contents(base);
        for position in 0..self.instances.len() {
            self.bound_total(position);
        }
        for second in 0..self.instances.len() {
            for first in second.saturating_sub(MAX_COMPARED)..second {
                self.compare(first, second, base);
            }
        }
    }

    fn exit_definition(&mut self, position: usize, context: ContextId, base: &Rc<Ranges<'a>>) {
        let store = &self.index.facts.terms;
        let (term, exit) = (self.instances[position].term, self.instances[position].node);
        let Some(loop_id) = store.get(term).loop_id() else {
            return;
        };
        let row = self.index.loop_row(loop_id);
        let Some(condition) = row.condition else {
            return;
        };
        let side = self.at(context).side;
        let outer = self.instances[position].iterations.clone();
        if !self.instances[position].complete {
            return;
        }
        let at = |iteration: Node| {
            let mut iterations = outer.clone();
            iterations.push((loop_id, iteration));
            iterations
        };
        let last = self.context_at_exit(side, at(exit), base, (loop_id, 1));
        let last = self.truth(last, condition);
        let fails = self.f.not(last);
        let before = self.f.offset(exit, -1);
        let before = self.context(side, at(before), base);
        let holds = self.truth(before, condition);
        let none = self.f.eq_const(exit, 0);
        let holds = self.f.or(&[none, holds]);
        // Only where the loop is reached: elsewhere the count means nothing.
        let outside = self.context(side, outer, base);
        let reached = self.reached(outside, row.head, loop_id);
        let both = self.f.and(&[fails, holds]);
        let definition = self.f.implies(reached, both);
        self.asserts.push(definition);
    }

    /// The path condition of a loop's head without the condition of the loop itself.
    pub(crate) fn reached(&mut self, context: ContextId, head: PointId, own: LoopId) -> Node {
        let index = self.index;
        let mut parts = Vec::new();
        for row in index.guards(head) {
            let mentions_own = index
                .facts
                .terms
                .reachable(&[row.term])
                .into_iter()
                .any(|id| index.facts.terms.get(id).loop_id() == Some(own));
            if !mentions_own {
                parts.push(self.conjunct(context, row));
            }
        }
        self.f.and(&parts)
    }

    fn compare(&mut self, first: usize, second: usize, base: &Rc<Ranges<'a>>) {
        self.compare_total(first, second);
        self.compare_total(second, first);
        self.compare_settled(first, second);
        let facts = self.index.facts;
        let (a, b) = (&self.instances[first], &self.instances[second]);
        let (term_a, term_b) = (facts.terms.get(a.term), facts.terms.get(b.term));
        let ty = term_a.ty;
        if ty != term_b.ty || term_a.op != term_b.op {
            return;
        }
        if term_a.op == Op::Unknown {
            self.compare_counters(first, second);
            self.compare_winners(first, second);
        }
        let (a, b) = (&self.instances[first], &self.instances[second]);
        let (node_a, node_b) = (a.node, b.node);
        let iterations: Vec<(Node, Node)> = a
            .iterations
            .iter()
            .zip(&b.iterations)
            .map(|(a, b)| (a.1, b.1))
            .collect();
        let mut premise = None;
        let same_site = a.term == b.term && a.complete && b.complete;
        if same_site && ((a.uniform && b.uniform) || a.side == b.side) {
            premise = Some(Vec::new());
        } else if let Some(depends) = self.index.depends(term_a).filter(|_| same_site) {
            // `__shfl_sync(m, v, 0)`: one value for the lanes of a warp.
            let sides = [a.side, b.side].map(|side| side.unwrap_or(Side::First));
            let contexts = sides.map(|side| self.context(side, Iterations::new(), base));
            let mut equal = Vec::new();
            for &term in depends {
                let [one, other] = contexts.map(|context| self.value(context, term));
                equal.push((one, other));
            }
            premise = Some(equal);
        } else if let (Some(access_a), Some(access_b), Some(index_a), Some(index_b)) =
            (term_a.access(), term_b.access(), a.index, b.index)
        {
            let stable = |access| self.index.stable_load(access);
            let everywhere = [access_a, access_b]
                .iter()
                .all(|&access| stable(access) >= Some(Scope::Grid))
                && self.index.storage(access_a) == self.index.storage(access_b);
            if everywhere {
                let accesses = [access_a, access_b];
                if let Some((size, counts)) = self.index.distinct_elements(accesses) {
                    let said = self.are_counted([index_a, index_b], size, counts, base);
                    self.elements_differ((index_a, index_b), (node_a, node_b), size, said);
                }
                let ordered = self.index.ordered_elements(accesses);
                if let Some((size, strictly, counts)) =
                    ordered.filter(|_| ty.is_integer() && ty != CType::Bool)
                {
                    let said = self.are_counted([index_a, index_b], size, counts, base);
                    let (a, b) = ((index_a, node_a), (index_b, node_b));
                    self.elements_follow(a, b, (size, strictly), said);
                    self.elements_follow(b, a, (size, strictly), said);
                }
                let same = self.f.eq(index_a, index_b);
                let equal = self.same(ty, node_a, node_b);
                let constraint = self.f.implies(same, equal);
                self.asserts.push(constraint);
                return;
            }
            if access_a == access_b
                && a.complete
                && b.complete
                && self.relation.same_block
                && stable(access_a) >= Some(Scope::Block)
            {
                premise = Some(vec![(index_a, index_b)]);
            }
        }
        let Some(mut pairs) = premise else { return };
        pairs.extend(iterations);
        let same: Vec<Node> = pairs.into_iter().map(|(a, b)| self.f.eq(a, b)).collect();
        let same = self.f.and(&same);
        let equal = self.same(ty, node_a, node_b);
        let constraint = self.f.implies(same, equal);
        self.asserts.push(constraint);
    }

    /// Whether elements of which something is said that is said of the first ones only are among these.
    fn are_counted(
        &mut self,
        indices: [Node; 2],
        size: u32,
        counts: Counts,
        base: &Rc<Ranges<'a>>,
    ) -> Node {
        let context = self.context(Side::First, Iterations::new(), base);
        let mut parts = Vec::new();
        for (index, count) in indices.into_iter().zip(counts) {
            if let Some(count) = count {
                parts.push(self.is_counted(index, size, count, context));
            }
        }
        self.f.and(&parts)
    }

    /// Whether the element at an offset is one of the first, as many as told.
    fn is_counted(&mut self, index: Node, size: u32, count: TermId, context: ContextId) -> Node {
        let count = self.value(context, count);
        let size = i128::from(size);
        let end = self.f.scale(count, size);
        let behind = self.f.offset(index, size);
        let zero = self.f.constant(0);
        let from = self.f.le(zero, index);
        let to = self.f.le(behind, end);
        self.f.and(&[from, to])
    }

    /// Reads of different elements of an array whose elements are pairwise different.
    fn elements_differ(
        &mut self,
        (index_a, index_b): (Node, Node),
        (node_a, node_b): (Node, Node),
        size: u32,
        said: Node,
    ) {
        let size = i128::from(size);
        let after_a = self.f.offset(index_a, size);
        let after_b = self.f.offset(index_b, size);
        let before = self.f.le(after_a, index_b);
        let behind = self.f.le(after_b, index_a);
        let apart = self.f.or(&[before, behind]);
        let apart = self.f.and(&[said, apart]);
        let differ = self.f.ne(node_a, node_b);
        let constraint = self.f.implies(apart, differ);
        self.asserts.push(constraint);
    }

    /// Reads of elements in order: with their places, and whether they grow.
    fn elements_follow(
        &mut self,
        (index_a, node_a): (Node, Node),
        (index_b, node_b): (Node, Node),
        (size, strictly): (u32, bool),
        said: Node,
    ) {
        let before = self.f.le(index_a, index_b);
        let before = self.f.and(&[said, before]);
        let follows = self.f.le(node_a, node_b);
        let constraint = self.f.implies(before, follows);
        self.asserts.push(constraint);
        if strictly {
            // As far apart as their places.
            let places = self.f.sub(index_b, index_a);
            let values = self.f.sub(node_b, node_a);
            let values = self.f.scale(values, i128::from(size));
            let apart = self.f.le(places, values);
            let constraint = self.f.implies(before, apart);
            self.asserts.push(constraint);
        }
    }

    /// What is said of all elements of an array that nothing writes.
    fn bound_element(&mut self, context: ContextId, position: usize, term: &Term) {
        let Some(access) = term.access() else { return };
        let is_number = term.ty.is_integer() && term.ty != CType::Bool;
        let is_stable = self.index.stable_load(access) >= Some(Scope::Grid);
        let whole = term.args.as_slice() == [self.index.facts.access[access.index()].index];
        if let Some((least, most, size, count)) = self.index.bounded_element(access)
            && is_number
            && is_stable
            && whole
        {
            let node = self.instances[position].node;
            let within = self.f.between(node, least, most);
            let within = match (count, self.instances[position].index) {
                (None, _) => within,
                (Some(count), Some(index)) => {
                    let said = self.is_counted(index, size, count, context);
                    self.f.implies(said, within)
                }
                (Some(_), None) => return,
            };
            self.asserts.push(within);
        }
    }

    /// All applications of uninterpreted functions: which, on what, with what result.
    pub(crate) fn applications(&self) -> impl Iterator<Item = (&FunctionKey, &[Node], Node)> {
        self.functions.iter().flat_map(|(key, all)| {
            all.iter()
                .map(move |one| (key, one.args.as_slice(), one.node))
        })
    }

    /// The nodes of all symbols met so far, by id.
    pub(crate) fn symbols_in_order(&self) -> Vec<Node> {
        let mut symbols: Vec<(SymbolId, Node)> = self
            .symbols
            .iter()
            .map(|(&id, &(_, node))| (id, node))
            .collect();
        symbols.sort_unstable();
        symbols.into_iter().map(|(_, node)| node).collect()
    }
}
