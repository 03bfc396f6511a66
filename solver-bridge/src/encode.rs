//! From terms to formulas: the instance of a term in one thread, at given loop iterations.
//!
//! A term has one instance per *context*: a side (first or second thread) and the iterations of
//! the loops around the place where it is evaluated. Leaves become variables; which leaves the two
//! sides share is decided here and nowhere else:
//!
//! - block and grid dimensions and symbols: always; block ids: when the pair lies in one block;
//! - reads and unknown values: one variable per thread and iteration. They are equal across
//!   threads only where `uniform` says so at equal iterations, or where `stable_load` says that
//!   equal indices read equal values; arbitrary otherwise;
//! - uninterpreted functions: equal arguments give equal results.
//!
//! **Arithmetic.** Signed operators are mathematical (an execution that overflows is no
//! execution), unsigned ones wrap: spelled out unless the interval analysis of the facts shows
//! that they cannot. Every definition introduced for a term is total, so that a term on a path not
//! taken (`w ? t / w : 0` with w = 0) excludes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use facts::range::{NoWrap, Ranges};
use facts::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warplog_facts as facts;

use super::instances::{
    Application, Context, ContextId, FunctionKey, Instance, Iterations, Relation, Side,
};
use crate::bounds::Bounds;
use crate::formula::{BitOp, Formula, Node, VarId, Variable};
use crate::index::Index;

/// How many iterations next to a known one are described one by one.
pub(crate) const UNROLLED: i128 = 6;

/// Most instances of one leaf or function that are compared with each other; more are left
/// independent, which only admits more models.
pub(crate) const MAX_COMPARED: usize = 40;

/// Builds the formula of one query.
pub(crate) struct Encoder<'a> {
    pub(crate) index: &'a Index<'a>,
    pub(crate) relation: Relation,
    pub(crate) f: Formula,
    /// What must hold in addition to the query: definitions, bounds.
    pub(crate) asserts: Vec<Node>,
    /// Node of each builtin leaf, per side.
    pub(crate) builtins: FxHashMap<(Op, Side), Node>,
    pub(crate) symbols: BTreeMap<SymbolId, (VarId, Node)>,
    pub(crate) instances: Vec<Instance>,
    pub(crate) fixed_symbols: Vec<(SymbolId, i128)>,
    /// Sizes of the block.
    pub(crate) block: [Node; 3],
    /// Atomic counters that are taken not to wrap.
    pub(crate) counters: BTreeSet<AccessId>,
    /// By how much counters are raised, where that is no constant.
    pub(crate) times: FxHashMap<TermId, Node>,
    /// Ranks in votes, as they were met.
    pub(crate) ranks: Vec<crate::instances::Rank>,
    /// Numbers drawn for groups of lanes, as they were met.
    pub(crate) appends: Vec<crate::instances::Append>,
    /// Reads of which it is known what they find.
    pub(crate) summed: Vec<usize>,
    /// Terms of which something is known by what threads hand to each other.
    pub(crate) fitted: Vec<(ContextId, TermId)>,
    /// Some operator is taken not to wrap because global thread ids are assumed not to.
    pub(crate) rests_on: NoWrap,
    /// The global thread ids that were taken not to wrap, by axis: a term and the largest number of its type.
    pub(crate) global_ids: [Option<(TermId, i128)>; 3],
    /// By thread, the operators that were taken not to wrap under an assumption, with the largest value that it leaves.
    pub(crate) assumed_exact: [FxHashMap<TermId, i128>; 2],
    /// Unfit terms: function applications seen, by name, for reasons.
    pub(crate) applied: Vec<TermId>,
    /// The contexts being encoded may be of iterations that no execution gets to: exit counts
    /// there are not defined, since an unexecuted loop need not end.
    pub(crate) hypothetical: bool,
    /// Terms that an execution evaluates for certain.
    pub(crate) evaluated: Vec<(ContextId, TermId)>,
    contexts: Vec<Context<'a>>,
    pub(crate) leaves: FxHashMap<(TermId, Option<Side>, Iterations), usize>,
    pub(crate) functions: BTreeMap<FunctionKey, Vec<Application>>,
    /// Loops in the order in which they were met.
    loops_met: Vec<LoopId>,
    pub(crate) pending_exits: Vec<(usize, ContextId)>,
    /// Bounds that hold where the condition of a loop fails.
    at_exits: FxHashMap<(LoopId, u64), Rc<Ranges<'a>>>,
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(index: &'a Index<'a>, relation: Relation) -> Self {
        let mut f = Formula::default();
        let one = f.constant(1);
        Encoder {
            index,
            relation,
            f,
            block: [one; 3],
            counters: BTreeSet::new(),
            times: FxHashMap::default(),
            ranks: Vec::new(),
            appends: Vec::new(),
            summed: Vec::new(),
            fitted: Vec::new(),
            asserts: Vec::new(),
            builtins: FxHashMap::default(),
            symbols: BTreeMap::new(),
            instances: Vec::new(),
            fixed_symbols: Vec::new(),
            rests_on: NoWrap::default(),
            global_ids: [None; 3],
            assumed_exact: Default::default(),
            applied: Vec::new(),
            hypothetical: false,
            evaluated: Vec::new(),
            contexts: Vec::new(),
            leaves: FxHashMap::default(),
            functions: BTreeMap::new(),
            loops_met: Vec::new(),
            pending_exits: Vec::new(),
            at_exits: FxHashMap::default(),
        }
    }

    /// A context in which a loop may be in the iteration that is not executed any more, or some further.
    pub(crate) fn context_at_exit(
        &mut self,
        side: Side,
        iterations: Iterations,
        base: &Rc<Ranges<'a>>,
        (loop_id, further): (LoopId, u64),
    ) -> ContextId {
        let wider = self
            .at_exits
            .entry((loop_id, further))
            .or_insert_with(|| Rc::new(base.beyond(loop_id, further)));
        let wider = Rc::clone(wider);
        self.context(side, iterations, &wider)
    }

    /// A context: a side, iterations, and bounds that hold there.
    pub(crate) fn context(
        &mut self,
        side: Side,
        mut iterations: Iterations,
        ranges: &Rc<Ranges<'a>>,
    ) -> ContextId {
        iterations.sort_unstable();
        let found = self.contexts.iter().position(|context| {
            context.side == side
                && context.iterations == iterations
                && context.hypothetical == self.hypothetical
                && Rc::ptr_eq(&context.ranges, ranges)
        });
        let position = found.unwrap_or_else(|| {
            self.contexts.push(Context {
                side,
                iterations,
                ranges: Rc::clone(ranges),
                hypothetical: self.hypothetical,
                known: FxHashMap::default(),
            });
            self.contexts.len() - 1
        });
        ContextId(position as u32)
    }

    pub(crate) fn at(&self, context: ContextId) -> &Context<'a> {
        &self.contexts[context.0 as usize]
    }

    /// A number for a loop that depends on this query alone, not on the fact set.
    pub(crate) fn loop_number(&mut self, id: LoopId) -> usize {
        let found = self.loops_met.iter().position(|&other| other == id);
        found.unwrap_or_else(|| {
            self.loops_met.push(id);
            self.loops_met.len() - 1
        })
    }

    /// A variable for a number; its node is a constant when its bounds leave one value.
    pub(crate) fn number(&mut self, name: String, bounds: Bounds, shared: bool) -> (VarId, Node) {
        let (id, node) = self.f.variable(Variable {
            name,
            bounds,
            truth: false,
            shared,
            ordinal: false,
        });
        match bounds.single() {
            Some(value) => (id, self.f.constant(value)),
            None => (id, node),
        }
    }

    pub(crate) fn leaf_variable(&mut self, name: String, ty: CType, shared: bool) -> (VarId, Node) {
        if ty == CType::Bool {
            return self.f.variable(Variable {
                name,
                bounds: Bounds::new(0, 1),
                truth: true,
                shared,
                ordinal: false,
            });
        }
        let bounds = match (ty, ty.min(), ty.max()) {
            (_, Some(low), Some(high)) => Bounds::new(low, high),
            // Bit patterns; of other opaque values only equality matters.
            (CType::F32, ..) => Bounds::new(0, (1 << 32) - 1),
            _ => Bounds::new(0, (1 << 64) - 1),
        };
        self.number(name, bounds, shared)
    }

    /// A term as a truth value.
    pub(crate) fn truth(&mut self, context: ContextId, term: TermId) -> Node {
        let node = self.encode(context, term);
        self.truth_of(term, node)
    }

    pub(crate) fn truth_of(&mut self, term: TermId, node: Node) -> Node {
        if self.index.facts.terms.ty(term) == CType::Bool {
            node
        } else {
            let zero = self.f.eq_const(node, 0);
            self.f.not(zero)
        }
    }

    /// A term as a number.
    pub(crate) fn value(&mut self, context: ContextId, term: TermId) -> Node {
        let node = self.encode(context, term);
        self.number_of(term, node)
    }

    pub(crate) fn number_of(&mut self, term: TermId, node: Node) -> Node {
        if self.index.facts.terms.ty(term) == CType::Bool {
            let (one, zero) = (self.f.constant(1), self.f.constant(0));
            self.f.choose(node, one, zero)
        } else {
            node
        }
    }

    /// The conjunct `term == polarity`.
    pub(crate) fn conjunct(&mut self, context: ContextId, row: &GuardAtRow) -> Node {
        let truth = self.truth(context, row.term);
        if row.polarity {
            truth
        } else {
            self.f.not(truth)
        }
    }

    /// Notes that every execution that the query asks for evaluates the term.
    pub(crate) fn evaluates(&mut self, context: ContextId, term: TermId) {
        if !self.evaluated.contains(&(context, term)) {
            self.evaluated.push((context, term));
        }
    }

    /// All conjuncts of a point's path condition.
    pub(crate) fn guards(&mut self, context: ContextId, point: PointId) -> Vec<Node> {
        let index = self.index;
        index
            .guards(point)
            .iter()
            .map(|row| self.conjunct(context, row))
            .collect()
    }

    /// The node of a term: truth for `bool`, a number otherwise.
    pub(crate) fn encode(&mut self, context: ContextId, root: TermId) -> Node {
        let index = self.index;
        let store = &index.facts.terms;
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.at(context).known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let term = store.get(id);
            let before = stack.len();
            // What is the other thread's is not evaluated for this one.
            let own = term.op != Op::Other;
            for arg in term.args.iter().filter(|_| own) {
                if !self.at(context).known.contains_key(arg) {
                    stack.push(*arg);
                }
            }
            if stack.len() == before {
                let node = self.node(context, id, term);
                if !self.hypothetical && self.index.is_fitted(id) {
                    self.fitted.push((context, id));
                }
                self.contexts[context.0 as usize].known.insert(id, node);
                stack.pop();
            }
        }
        self.at(context).known[&root]
    }

    fn node(&mut self, context: ContextId, id: TermId, term: &Term) -> Node {
        let store = &self.index.facts.terms;
        match term.op {
            Op::Const if term.ty == CType::Bool => return self.f.truth(term.payload != 0),
            Op::Const => return self.f.constant(term.payload),
            Op::Symbol => return self.symbol(term),
            Op::Iter => return self.iteration(context, term),
            Op::Load | Op::Unknown | Op::Exit => return self.instance(context, id, term),
            Op::Other => return self.other(context, term),
            Op::SameBlock => return self.same_block(),
            _ => {}
        }
        if let Some(&node) = self.builtins.get(&(term.op, self.at(context).side)) {
            return node;
        }
        let known = |index: usize| self.at(context).known[&term.args[index]];
        let is_choice = term.op == Op::Ite;
        let opaque =
            !term.ty.is_integer() || term.args.iter().any(|&arg| !store.get(arg).ty.is_integer());
        if is_choice {
            let (c, a, b) = (known(0), known(1), known(2));
            let c = self.truth_of(term.args[0], c);
            if term.ty == CType::Bool {
                let (a, b) = (
                    self.truth_of(term.args[1], a),
                    self.truth_of(term.args[2], b),
                );
                let then = self.f.implies(c, a);
                let otherwise = self.f.or(&[c, b]);
                return self.f.and(&[then, otherwise]);
            }
            let (a, b) = (
                self.number_of(term.args[1], a),
                self.number_of(term.args[2], b),
            );
            return self.f.choose(c, a, b);
        }
        if opaque || term.op == Op::Pure || term.args.is_empty() {
            return self.application(context, id, term);
        }
        let args: SmallVec<[Node; 3]> = (0..term.args.len()).map(known).collect();
        match term.op {
            Op::And | Op::Or | Op::Not => {
                let args: SmallVec<[Node; 3]> = args
                    .iter()
                    .zip(&term.args)
                    .map(|(&node, &arg)| self.truth_of(arg, node))
                    .collect();
                match term.op {
                    Op::And => self.f.and(&args),
                    Op::Or => self.f.or(&args),
                    _ => self.f.not(args[0]),
                }
            }
            Op::Eq | Op::Ne
                if term
                    .args
                    .iter()
                    .all(|&arg| store.get(arg).ty == CType::Bool) =>
            {
                let same = self.f.iff(args[0], args[1]);
                if term.op == Op::Eq {
                    same
                } else {
                    self.f.not(same)
                }
            }
            _ => {
                let args: SmallVec<[Node; 3]> = args
                    .iter()
                    .zip(&term.args)
                    .map(|(&node, &arg)| self.number_of(arg, node))
                    .collect();
                let node = self.arithmetic(context, id, term, &args);
                if term.ty == CType::Bool && !is_comparison(term.op) {
                    let zero = self.f.eq_const(node, 0);
                    return self.f.not(zero);
                }
                node
            }
        }
    }

    /// A term in the other thread, in the same iterations.
    fn other(&mut self, context: ContextId, term: &Term) -> Node {
        let here = self.at(context);
        let side = match here.side {
            Side::First => Side::Second,
            Side::Second => Side::First,
        };
        let (iterations, ranges) = (here.iterations.clone(), Rc::clone(&here.ranges));
        let there = self.context(side, iterations, &ranges);
        match term.args.first() {
            Some(&arg) => self.encode(there, arg),
            None => self.f.constant(0),
        }
    }

    fn same_block(&mut self) -> Node {
        let mut same = Vec::new();
        for axis in Axis::ALL {
            let of = |side| self.builtins.get(&(axis.bid(), side)).copied();
            if let (Some(first), Some(second)) = (of(Side::First), of(Side::Second)) {
                same.push(self.f.eq(first, second));
            }
        }
        self.f.and(&same)
    }

    fn arithmetic(&mut self, context: ContextId, id: TermId, term: &Term, args: &[Node]) -> Node {
        let ty = term.ty;
        let bits = ty.bits().unwrap_or(64);
        let operand = self.index.facts.terms.ty(term.args[0]);
        let operand_bits = operand.bits().unwrap_or(64);
        let f = &mut self.f;
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        let exact = match term.op {
            Op::Eq => return f.eq(a, b),
            Op::Ne => return f.ne(a, b),
            Op::Lt => return f.lt(a, b),
            Op::Le => return f.le(a, b),
            Op::Min => {
                let c = f.le(a, b);
                return f.choose(c, a, b);
            }
            Op::Max => {
                let c = f.le(a, b);
                return f.choose(c, b, a);
            }
            Op::Fit => return a,
            Op::Div => f.quotient(a, b),
            Op::Rem => {
                let divisor = self.at(context).ranges.range(term.args[1]);
                return if divisor.contains(0) {
                    self.f.remainder(a, b)
                } else {
                    self.f.remainder_of(a, b)
                };
            }
            Op::Add => f.add(a, b),
            Op::Sub => f.sub(a, b),
            Op::Mul => f.mul(a, b),
            Op::Neg => f.scale(a, -1),
            Op::Cast => a,
            Op::BitNot => {
                // ~a = −1 − a, which is 2ⁿ − 1 − a in an unsigned type.
                let minus = f.scale(a, -1);
                let ones = if ty.is_signed() {
                    -1
                } else {
                    (1i128 << bits) - 1
                };
                f.offset(minus, ones)
            }
            Op::BitAnd => f.bit_and(a, b),
            Op::BitOr | Op::BitXor => {
                let both = f.bit_and(a, b);
                let sum = f.add(a, b);
                f.add_scaled(sum, both, if term.op == Op::BitOr { -1 } else { -2 })
            }
            Op::Shl | Op::Shr => self.shift(term.op, bits, a, b),
            Op::MulPow => return self.mul_pow(ty, term.payload, a, b),
            Op::DivPow => return self.div_pow(ty, term.payload, a, b),
            Op::Popc => f.bits(BitOp::Popc, operand_bits, a),
            Op::Ffs => f.bits(BitOp::Ffs, operand_bits, a),
            Op::Brev => f.bits(BitOp::Brev, operand_bits, a),
            Op::Clz => {
                // bits − (number of thresholds 2ᵏ that the pattern reaches)
                let pattern = f.floor_mod(a, 1i128 << operand_bits);
                let mut node = f.constant(i128::from(operand_bits));
                for k in 0..operand_bits {
                    let reached = f.ge_const(pattern, 1i128 << k);
                    let value = f.constant(i128::from(operand_bits - 1 - k));
                    node = f.choose(reached, value, node);
                }
                return node;
            }
            Op::MulHi => {
                let product = f.mul(a, b);
                f.floor_div(product, 1i128 << operand_bits)
            }
            // No other operator takes arguments; an unexpected one is an arbitrary value.
            _ => return self.application(context, id, term),
        };
        if ty == CType::Bool {
            return exact;
        }
        let wraps = match term.op {
            Op::Cast | Op::Brev | Op::MulHi | Op::Shl => true,
            Op::Add | Op::Sub | Op::Mul | Op::Neg => !ty.is_signed(),
            // Values of the type in, values of the type out.
            _ => return exact,
        };
        let ranges = Rc::clone(&self.at(context).ranges);
        if !wraps {
            return exact;
        }
        if ranges.is_exact(id) && !matches!(term.op, Op::Brev | Op::MulHi) {
            let rests_on = ranges.rests_on(id);
            self.rests_on |= rests_on;
            if let Some(most) = ranges.assumed_most(id) {
                let side = self.at(context).side;
                self.assumed_exact[side.index()].insert(id, most);
            }
            if rests_on.global_ids
                && let Some(axis) = self.axis_of_global_id(id)
                && let Some(max) = ty.max()
                && self.global_ids[axis].is_none_or(|(_, least)| max < least)
            {
                self.global_ids[axis] = Some((id, max));
            }
            return exact;
        }
        match ty.max() {
            // Beyond the sign bit it is undefined (see `defined`).
            Some(max) if term.op == Op::Shl && ty.is_signed() => {
                let f = &mut self.f;
                let fits = f.le_const(exact, max);
                let wrapped = f.offset(exact, -(1i128 << bits));
                f.choose(fits, exact, wrapped)
            }
            _ => self.f.wrap(exact, bits, ty.is_signed()),
        }
    }

    /// The axis of `blockIdx.x * blockDim.x + threadIdx.x`, or of that as an `int`.
    fn axis_of_global_id(&self, id: TermId) -> Option<usize> {
        let store = &self.index.facts.terms;
        let mut term = store.get(id);
        if term.op == Op::Cast {
            term = store.get(*term.args.first()?);
        }
        let (Op::Add, &[left, right]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let axis_of = |product: TermId, thread: TermId| {
            let thread = store.get(thread).op;
            let axis = Axis::ALL.iter().position(|axis| thread == axis.tid())?;
            let product = store.get(product);
            let is_block = |id: &TermId| store.get(*id).op == Axis::ALL[axis].bid();
            (product.op == Op::Mul && product.args.iter().any(is_block)).then_some(axis)
        };
        axis_of(left, right).or_else(|| axis_of(right, left))
    }

    /// A shift; by a variable count, a choice between all counts.
    pub(crate) fn shift(&mut self, op: Op, bits: u32, a: Node, count: Node) -> Node {
        let f = &mut self.f;
        let by = |f: &mut Formula, k: i128| match op {
            Op::Shl => f.scale(a, 1i128 << k),
            _ => f.floor_div(a, 1i128 << k),
        };
        let most = i128::from(bits) - 1;
        let bounds = f.bounds(count);
        let low = bounds.low.unwrap_or(0).clamp(0, most);
        let high = bounds.high.unwrap_or(most).clamp(low, most);
        let mut node = by(f, high);
        for k in (low..high).rev() {
            let here = f.eq_const(count, k);
            let value = by(f, k);
            node = f.choose(here, value, node);
        }
        node
    }

    /// start · baseᵏ, case by case.
    fn mul_pow(&mut self, ty: CType, base: i128, start: Node, k: Node) -> Node {
        let bits = ty.bits().unwrap_or(64);
        let f = &mut self.f;
        let steps = f
            .bounds(k)
            .high
            .map_or(i128::from(bits), |high| high.clamp(0, i128::from(bits)));
        let mut arms: Vec<Node> = Vec::new();
        let mut power: i128 = 1;
        let mut ends = false;
        for _ in 0..=steps {
            let arm = f.scale(start, power);
            let arm = if ty.is_signed() {
                arm
            } else {
                f.wrap(arm, bits, false)
            };
            arms.push(arm);
            if ends {
                break;
            }
            match power.checked_mul(base) {
                Some(next) if base >= 2 => power = next,
                _ => break,
            }
            // A signed value has overflowed by now (or is 0): no execution gets here, and the
            // large value says so in `s < n`. An unsigned power of an even base has become 0.
            ends = if ty.is_signed() {
                power > 1i128 << bits
            } else {
                power % (1i128 << bits) == 0
            };
            if !ty.is_signed() {
                power %= 1i128 << bits;
            }
        }
        let covered = f
            .bounds(k)
            .high
            .is_some_and(|high| high < arms.len() as i128);
        let mut node = if ends || covered {
            arms.pop().unwrap_or(start)
        } else {
            // Powers of an odd base never become 0: after the cases that are told apart, arbitrary but for the
            // factors 2 of the start, which the value keeps, wrapped or not.
            let name = format!("power_{}", f.variables.len());
            let modulus = 1i128 << bits;
            let factor = match f.as_constant(start).map(|start| start.rem_euclid(modulus)) {
                Some(start) if start > 0 && base % 2 == 1 => 1i128 << start.trailing_zeros(),
                _ => 0,
            };
            if factor == 0 {
                let bounds = Bounds::new(0, modulus - 1);
                self.number(name, bounds, false).1
            } else {
                let bounds = Bounds::new(0, modulus / (2 * factor) - 1);
                let odd = self.number(name, bounds, false).1;
                let value = self.f.scale(odd, 2 * factor);
                self.f.offset(value, factor)
            }
        };
        let f = &mut self.f;
        for (exponent, arm) in arms.into_iter().enumerate().rev() {
            let here = f.eq_const(k, exponent as i128);
            node = f.choose(here, arm, node);
        }
        node
    }

    /// start / baseᵏ, truncating, case by case.
    fn div_pow(&mut self, ty: CType, base: i128, start: Node, k: Node) -> Node {
        let f = &mut self.f;
        let largest = f
            .bounds(start)
            .low
            .zip(f.bounds(start).high)
            .map(|(low, high)| low.unsigned_abs().max(high.unsigned_abs()))
            .or(ty.max().map(|max| max.unsigned_abs() + 1))
            .unwrap_or(1 << 64);
        let steps = f.bounds(k).high.unwrap_or(i128::MAX);
        let mut arms = vec![start];
        let mut power: i128 = 1;
        while (arms.len() as i128) <= steps && base >= 2 {
            match power.checked_mul(base) {
                Some(next) if next.unsigned_abs() <= largest => power = next,
                _ => {
                    arms.push(f.constant(0));
                    break;
                }
            }
            let divisor = f.constant(power);
            let arm = f.quotient(start, divisor);
            arms.push(arm);
        }
        let mut node = arms.pop().unwrap_or(start);
        for (exponent, arm) in arms.into_iter().enumerate().rev() {
            let here = f.eq_const(k, exponent as i128);
            node = f.choose(here, arm, node);
        }
        node
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
}
