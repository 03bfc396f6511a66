//! Terms evaluated for all lanes of a warp at once, each as seldom as it changes.
//!
//! A walk evaluates the same few terms for thousands of requests. They are put in order once; a term that mentions no thread has one
//! value for all lanes, and every term is evaluated again only when something that it mentions has moved: nothing, the block, the
//! warp, or one of the loops around the point, from the outermost to the innermost.
//!
//! Where all lanes have a number of 64 bits, which is almost always, an operator is applied to all of them in one loop; what that loop does
//! not do, or would do with a result that the type does not hold, is evaluated lane by lane.
//!
//! **Accuracy.** The arithmetic is that of `warplog_facts::eval`, operator by operator. Operands that a lane does not need (the arm
//! of `?:` that is not taken) are evaluated as well, and what is wrong with them does not matter to that lane.

use rustc_hash::FxHashMap;
use warplog_facts::eval::{EvalError, operate};
use warplog_facts::{CType, LoopId, Op, TermId, TermStore};

use crate::device::WARP;
use crate::shape::{Shape, Sizes};
use crate::walk::Site;

/// Why a lane has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Something that it is made of is not known.
    Open,
    /// Its arithmetic is not defined.
    Undefined,
}

/// A value in one lane.
pub type Value = Result<i128, Fault>;

/// What a term is evaluated from.
#[derive(Clone, Debug)]
enum Source {
    /// One value for the whole walk.
    Fixed(Value),
    Thread(usize),
    Block(usize),
    /// The iteration of a loop around the point.
    Iteration(usize),
    Operator,
}

#[derive(Clone, Debug)]
struct Node {
    id: TermId,
    source: Source,
    args: Vec<usize>,
    types: Vec<CType>,
    level: usize,
    /// Whether all lanes have one value, kept as that of the first.
    same: bool,
    op: Op,
    ty: CType,
    /// The numbers of its type, as far as they have 64 bits.
    holds: (i64, i64),
}

/// Levels below those of loops: what never changes, what changes with the block, with the warp.
const BLOCK: usize = 1;
const THREAD: usize = 2;
const LOOPS: usize = 3;

/// The values of a term in the lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub enum Row<'a> {
    /// All lanes have one.
    Same(Value),
    /// By lane, each a number.
    Plain(&'a [i64; WARP]),
    /// By lane.
    Each(&'a [Value; WARP]),
}

impl Row<'_> {
    /// The value of a lane.
    pub fn at(self, lane: usize) -> Value {
        match self {
            Row::Same(value) => value,
            Row::Plain(numbers) => Ok(numbers[lane].into()),
            Row::Each(values) => values[lane],
        }
    }
}

/// Values of terms at one place of a walk.
pub struct Lanes<'a> {
    store: &'a TermStore,
    nodes: Vec<Node>,
    /// Node of each root, and the nodes that it is made of, arguments first.
    roots: FxHashMap<TermId, (usize, Vec<usize>)>,
    /// The values of each node, if they are numbers of 64 bits; else those in `others`.
    numbers: Vec<[i64; WARP]>,
    others: Vec<Option<Box<[Value; WARP]>>>,
    stamps: Vec<u64>,
    /// When something of a level last moved.
    moved: Vec<u64>,
    clock: u64,
    block: [i128; 3],
    threads: [[i128; 3]; WARP],
    iterations: Vec<Option<i128>>,
}

/// What is the same in a whole walk.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    /// `blockDim`.
    pub block_dim: [i128; 3],
    /// `gridDim`, as far as it is known.
    pub grid_dim: [Option<i128>; 3],
    /// Leaves that are given values.
    pub given: FxHashMap<TermId, i128>,
}

impl Fixed {
    /// What is known of a launch in blocks of one shape.
    #[must_use]
    pub fn new(sizes: &Sizes, shape: Shape, given: FxHashMap<TermId, i128>) -> Fixed {
        let grid = [sizes.known[3], sizes.known[4], sizes.known[5]];
        Fixed {
            block_dim: shape.block.map(i128::from),
            grid_dim: grid.map(|size| size.map(i128::from)),
            given,
        }
    }
}

impl<'a> Lanes<'a> {
    /// What it takes to evaluate these terms below these loops, outermost first.
    #[must_use]
    pub fn new(store: &'a TermStore, roots: &[TermId], loops: &[LoopId], fixed: &Fixed) -> Self {
        let mut lanes = Lanes {
            store,
            nodes: Vec::new(),
            roots: FxHashMap::default(),
            numbers: Vec::new(),
            others: Vec::new(),
            stamps: Vec::new(),
            moved: vec![1; LOOPS + loops.len()],
            clock: 1,
            block: [0; 3],
            threads: [[0; 3]; WARP],
            iterations: vec![None; loops.len()],
        };
        let mut slots: FxHashMap<TermId, usize> = FxHashMap::default();
        for &root in roots {
            if lanes.roots.contains_key(&root) {
                continue;
            }
            let mut order = Vec::new();
            for id in store.reachable(&[root]) {
                let slot = match slots.get(&id) {
                    Some(&slot) => slot,
                    None => {
                        let node = lanes.node(id, &slots, loops, fixed);
                        lanes.nodes.push(node);
                        slots.insert(id, lanes.nodes.len() - 1);
                        lanes.nodes.len() - 1
                    }
                };
                order.push(slot);
            }
            lanes.roots.insert(root, (slots[&root], order));
        }
        lanes.numbers = vec![[0; WARP]; lanes.nodes.len()];
        lanes.others = vec![None; lanes.nodes.len()];
        lanes.stamps = vec![0; lanes.nodes.len()];
        lanes
    }

    fn node(
        &self,
        id: TermId,
        slots: &FxHashMap<TermId, usize>,
        loops: &[LoopId],
        fixed: &Fixed,
    ) -> Node {
        let term = self.store.get(id);
        let integers =
            term.ty.is_integer() && term.args.iter().all(|&arg| self.store.ty(arg).is_integer());
        let opaque = !integers || matches!(term.op, Op::Load | Op::Pure | Op::Other);
        let known = |value: Option<i128>| Source::Fixed(value.ok_or(Fault::Open));
        let iteration = |of: Option<LoopId>| loops.iter().position(|&own| Some(own) == of);
        let source = match term.op {
            _ if fixed.given.contains_key(&id) => known(Some(fixed.given[&id])),
            Op::Const => known(Some(term.payload)),
            Op::TidX => Source::Thread(0),
            Op::TidY => Source::Thread(1),
            Op::TidZ => Source::Thread(2),
            Op::BidX => Source::Block(0),
            Op::BidY => Source::Block(1),
            Op::BidZ => Source::Block(2),
            Op::BdimX => known(Some(fixed.block_dim[0])),
            Op::BdimY => known(Some(fixed.block_dim[1])),
            Op::BdimZ => known(Some(fixed.block_dim[2])),
            Op::GdimX => known(fixed.grid_dim[0]),
            Op::GdimY => known(fixed.grid_dim[1]),
            Op::GdimZ => known(fixed.grid_dim[2]),
            Op::Iter => match iteration(term.loop_id()) {
                Some(nth) => Source::Iteration(nth),
                None => known(None),
            },
            _ if term.args.is_empty() || opaque => known(None),
            _ => Source::Operator,
        };
        let args: Vec<usize> = match source {
            Source::Operator => term.args.iter().map(|arg| slots[arg]).collect(),
            _ => Vec::new(),
        };
        let of = |slot: &usize| &self.nodes[*slot];
        let level = match source {
            Source::Fixed(_) => 0,
            Source::Block(_) => BLOCK,
            Source::Thread(_) => THREAD,
            Source::Iteration(nth) => LOOPS + nth,
            Source::Operator => args.iter().map(|arg| of(arg).level).max().unwrap_or(0),
        };
        let same = match source {
            Source::Thread(_) => false,
            _ => args.iter().all(|arg| of(arg).same),
        };
        Node {
            id,
            source,
            types: term.args.iter().map(|&arg| self.store.ty(arg)).collect(),
            args,
            level,
            same,
            op: term.op,
            ty: term.ty,
            holds: (
                narrow(term.ty.min()).unwrap_or(i64::MIN),
                narrow(term.ty.max()).unwrap_or(i64::MAX),
            ),
        }
    }

    /// What mentions a level, or one inside of it, is evaluated again.
    fn touch(&mut self, level: usize) {
        self.clock += 1;
        for moved in &mut self.moved[level..] {
            *moved = self.clock;
        }
        for inner in &mut self.iterations[(level + 1).saturating_sub(LOOPS)..] {
            *inner = None;
        }
    }

    /// Goes to a block.
    pub fn set_block(&mut self, block: [i128; 3]) {
        self.touch(BLOCK);
        self.block = block;
    }

    /// Goes to a warp with these threads; what lanes without a thread have is of no matter.
    pub fn set_warp(&mut self, threads: &[Option<[i128; 3]>; WARP]) {
        self.touch(THREAD);
        self.threads = threads.map(Option::unwrap_or_default);
    }

    /// Goes to an iteration of a loop, counted from the outermost.
    pub fn set_iteration(&mut self, nth: usize, at: i128) {
        self.touch(LOOPS + nth);
        self.iterations[nth] = Some(at);
    }

    /// Goes to a request of another walk along the same path, with these threads.
    pub fn moved_to(&mut self, site: &Site, threads: &[Option<[i128; 3]>; WARP]) -> &mut Self {
        self.set_block(site.block);
        self.set_warp(threads);
        for (nth, &(_, at)) in site.iterations.iter().enumerate() {
            self.set_iteration(nth, at);
        }
        self
    }

    /// The value of a term in a lane; of one that was not named before, it is not known.
    pub fn value(&mut self, root: TermId, lane: usize) -> Value {
        self.row(root).at(lane)
    }

    /// The values of a term in all lanes.
    pub fn row(&mut self, root: TermId) -> Row<'_> {
        let Some(&(slot, _)) = self.roots.get(&root) else {
            return Row::Same(Err(Fault::Open));
        };
        if self.stamps[slot] < self.moved[self.nodes[slot].level] {
            self.evaluate(root);
        }
        self.known(slot)
    }

    /// The values of a node that was evaluated.
    fn known(&self, slot: usize) -> Row<'_> {
        match (self.nodes[slot].same, &self.others[slot]) {
            (true, None) => Row::Same(Ok(self.numbers[slot][0].into())),
            (true, Some(values)) => Row::Same(values[0]),
            (false, None) => Row::Plain(&self.numbers[slot]),
            (false, Some(values)) => Row::Each(values),
        }
    }

    fn evaluate(&mut self, root: TermId) {
        let Some((_, order)) = self.roots.get(&root) else {
            return;
        };
        for &slot in order {
            let node = &self.nodes[slot];
            if self.stamps[slot] >= self.moved[node.level] {
                continue;
            }
            let lanes = if node.same { 1 } else { WARP };
            let mut numbers = [0_i64; WARP];
            let plain = match &node.source {
                Source::Thread(axis) => self.coordinates(*axis, &mut numbers),
                Source::Operator if !node.same => self.together(node, &mut numbers),
                _ => false,
            };
            if plain {
                self.numbers[slot] = numbers;
                self.others[slot] = None;
                self.stamps[slot] = self.clock;
                continue;
            }
            let mut found = [Ok(0); WARP];
            for (lane, value) in found[..lanes].iter_mut().enumerate() {
                *value = match &node.source {
                    Source::Fixed(value) => *value,
                    Source::Block(axis) => Ok(self.block[*axis]),
                    Source::Iteration(nth) => self.iterations[*nth].ok_or(Fault::Open),
                    Source::Thread(axis) => Ok(self.threads[lane][*axis]),
                    Source::Operator => self.applied(node, lane),
                };
            }
            let mut pairs = numbers[..lanes].iter_mut().zip(&found);
            let is_plain = pairs.all(|(number, value)| {
                let narrowed = narrow(value.ok());
                *number = narrowed.unwrap_or(0);
                narrowed.is_some()
            });
            self.numbers[slot] = numbers;
            self.others[slot] = (!is_plain).then(|| Box::new(found));
            self.stamps[slot] = self.clock;
        }
    }

    /// A coordinate of the threads; false if it is no number of 64 bits.
    fn coordinates(&self, axis: usize, into: &mut [i64; WARP]) -> bool {
        let mut pairs = into.iter_mut().zip(&self.threads);
        pairs.all(|(number, thread)| {
            let narrowed = i64::try_from(thread[axis]);
            *number = narrowed.unwrap_or(0);
            narrowed.is_ok()
        })
    }

    /// The values of an operator in all lanes, if all that it is applied to are numbers and its type holds the results; else false.
    fn together(&self, node: &Node, into: &mut [i64; WARP]) -> bool {
        let arg = |nth: usize| -> Option<[i64; WARP]> {
            match self.known(*node.args.get(nth)?) {
                Row::Same(value) => Some([narrow(value.ok())?; WARP]),
                Row::Plain(numbers) => Some(*numbers),
                Row::Each(_) => None,
            }
        };
        let Some(a) = arg(0) else { return false };
        let one = |into: &mut [i64; WARP], apply: &dyn Fn(i64) -> (i64, bool)| {
            let mut fails = false;
            for (result, a) in into.iter_mut().zip(a) {
                let (value, failed) = apply(a);
                (*result, fails) = (value, fails | failed);
            }
            !fails
        };
        let holds = |into: &[i64; WARP]| {
            let (low, high) = node.holds;
            into.iter().all(|value| low <= *value && *value <= high)
        };
        match node.op {
            Op::Neg => return one(into, &|a| a.overflowing_neg()) && holds(into),
            Op::Not => return one(into, &|a| (i64::from(a == 0), false)),
            Op::Fit => return one(into, &|a| (a, false)) && holds(into),
            Op::Cast => return one(into, &|a| converted(node, a)),
            _ => {}
        }
        let Some(b) = arg(1) else { return false };
        if node.op == Op::Ite {
            let Some(c) = arg(2) else { return false };
            for (nth, result) in into.iter_mut().enumerate() {
                *result = if a[nth] != 0 { b[nth] } else { c[nth] };
            }
            return true;
        }
        pairwise(node, (&a, &b), into)
    }

    /// The value of an operator in a lane.
    fn applied(&self, node: &Node, lane: usize) -> Value {
        let term = self.store.get(node.id);
        let arg = |nth: usize| self.known(node.args[nth]).at(lane);
        match term.op {
            Op::Ite => return arg(if arg(0)? != 0 { 1 } else { 2 }),
            Op::And | Op::Or => {
                let decides = i128::from(term.op == Op::Or);
                return match arg(0) {
                    Ok(value) if value == decides => Ok(decides),
                    Ok(_) => arg(1),
                    Err(Fault::Open) => match arg(1) {
                        Ok(value) if value == decides => Ok(decides),
                        _ => Err(Fault::Open),
                    },
                    fault => fault,
                };
            }
            _ => {}
        }
        let mut args = [(0, CType::Bool); 4];
        let mut open = false;
        for (nth, &of) in node.types.iter().enumerate() {
            match arg(nth) {
                Ok(value) => *args.get_mut(nth).ok_or(Fault::Open)? = (value, of),
                Err(Fault::Open) => open = true,
                fault => return fault,
            }
        }
        if open {
            return Err(Fault::Open);
        }
        operate(node.id, term, &args[..term.args.len()]).map_err(|error| match error {
            EvalError::NotKnown(_) => Fault::Open,
            _ => Fault::Undefined,
        })
    }
}

/// A number of 64 bits, if it is one.
fn narrow(value: Option<i128>) -> Option<i64> {
    i64::try_from(value?).ok()
}

/// A conversion to the type of a node, and whether it is not done here.
fn converted(node: &Node, value: i64) -> (i64, bool) {
    let (low, high) = node.holds;
    match node.ty.bits() {
        Some(1) => (i64::from(value != 0), false),
        _ if low <= value && value <= high => (value, false),
        Some(bits @ 2..=32) => {
            let pattern = value & ((1 << bits) - 1);
            let is_negative = node.ty.is_signed() && pattern >> (bits - 1) != 0;
            (pattern - (i64::from(is_negative) << bits), false)
        }
        _ => (value, true),
    }
}

/// An operator of two numbers in all lanes; false if some lane has a result that is not the exact one, or none.
fn pairwise(node: &Node, (a, b): (&[i64; WARP], &[i64; WARP]), into: &mut [i64; WARP]) -> bool {
    let (low, high) = node.holds;
    let bits = i64::from(node.ty.bits().unwrap_or(1));
    let exact = |(value, fails): (i64, bool)| (value, fails || value < low || value > high);
    let quotient = |a: i64, b: i64| match b {
        0 => (0, true),
        b => exact(a.overflowing_div(b)),
    };
    let mut each = |apply: &dyn Fn(i64, i64) -> (i64, bool)| {
        let mut fails = false;
        for (nth, result) in into.iter_mut().enumerate() {
            let (value, failed) = apply(a[nth], b[nth]);
            (*result, fails) = (value, fails | failed);
        }
        !fails
    };
    match node.op {
        Op::Add => each(&|a, b| exact(a.overflowing_add(b))),
        Op::Sub => each(&|a, b| exact(a.overflowing_sub(b))),
        Op::Mul => each(&|a, b| exact(a.overflowing_mul(b))),
        Op::Div => each(&quotient),
        Op::Rem => each(&|a, b| match quotient(a, b) {
            (_, true) => (0, true),
            _ => (a % b, false),
        }),
        Op::BitAnd => each(&|a, b| exact((a & b, false))),
        Op::BitOr => each(&|a, b| exact((a | b, false))),
        Op::BitXor => each(&|a, b| exact((a ^ b, false))),
        // Of negative numbers, and what reaches the sign, the rules are others.
        Op::Shl => each(&|a, b| match a < 0 || b < 0 || b >= bits || b > 62 {
            true => (0, true),
            false => exact(a.overflowing_mul(1 << b)),
        }),
        Op::Shr => each(&|a, b| match b < 0 || b >= bits {
            true => (0, true),
            false => (a >> b, false),
        }),
        Op::Eq => each(&|a, b| (i64::from(a == b), false)),
        Op::Ne => each(&|a, b| (i64::from(a != b), false)),
        Op::Lt => each(&|a, b| (i64::from(a < b), false)),
        Op::Le => each(&|a, b| (i64::from(a <= b), false)),
        Op::And => each(&|a, b| (i64::from(a != 0 && b != 0), false)),
        Op::Or => each(&|a, b| (i64::from(a != 0 || b != 0), false)),
        Op::Min => each(&|a, b| (a.min(b), false)),
        Op::Max => each(&|a, b| (a.max(b), false)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use warplog_facts::Term;
    use warplog_facts::eval::{Environment, Evaluator};

    use super::*;

    /// The thread of a lane.
    struct Lane(i128);

    impl Environment for Lane {
        fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
            (term.op == Op::TidX).then_some(self.0)
        }
    }

    const TYPES: [CType; 8] = [
        CType::I8,
        CType::U8,
        CType::I16,
        CType::I32,
        CType::U32,
        CType::I64,
        CType::U64,
        CType::Bool,
    ];

    /// What all lanes are evaluated to in one loop is what each is evaluated to alone, with numbers at and beyond the ends of the types.
    #[test]
    fn all_lanes_together_have_the_values_of_each_alone() {
        let ends: [i128; 12] = [
            0,
            1,
            -1,
            3,
            -128,
            40,
            1 << 31,
            -(1 << 31),
            1 << 32,
            (1 << 62) + 5,
            (1 << 63) - 9,
            -(1 << 63),
        ];
        let binary = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Div,
            Op::Rem,
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Shl,
            Op::Shr,
            Op::Eq,
            Op::Lt,
            Op::Le,
            Op::And,
            Op::Or,
            Op::Min,
            Op::Max,
        ];
        let mut store = TermStore::default();
        let tid = store.intern(Op::TidX, CType::U32, 0, &[]);
        let mut roots = Vec::new();
        for ty in TYPES {
            let mut operands = Vec::new();
            for (nth, end) in ends.into_iter().enumerate() {
                let wide = store.intern(Op::Cast, CType::I64, 0, &[tid]);
                let end = store.intern(Op::Const, CType::I64, end, &[]);
                let op = [Op::Add, Op::Sub, Op::BitXor][nth % 3];
                let sum = store.intern(op, CType::I64, 0, &[end, wide]);
                operands.push(store.intern(Op::Cast, ty, 0, &[sum]));
                roots.push(store.intern(Op::Fit, ty, 0, &[sum]));
            }
            for &one in &operands {
                let is_less = store.intern(Op::Lt, CType::Bool, 0, &[one, operands[3]]);
                roots.push(store.intern(Op::Neg, ty, 0, &[one]));
                roots.push(store.intern(Op::Not, CType::Bool, 0, &[one]));
                for &other in &operands {
                    // Truth values are those of their own type.
                    let own = binary
                        .into_iter()
                        .filter(|op| ty == CType::Bool || !matches!(op, Op::And | Op::Or));
                    roots.extend(own.map(|op| store.intern(op, ty, 0, &[one, other])));
                    roots.push(store.intern(Op::Ite, ty, 0, &[is_less, one, other]));
                }
            }
        }
        let mut lanes = Lanes::new(&store, &roots, &[], &Fixed::default());
        let threads = std::array::from_fn(|lane| Some([i128::try_from(lane).ok()?, 0, 0]));
        lanes.set_warp(&threads);
        let mut plain = 0;
        for &root in &roots {
            plain += usize::from(matches!(lanes.row(root), Row::Plain(_)));
            for lane in 0..WARP {
                let alone = Lane(i128::try_from(lane).expect("a lane"));
                let alone = Evaluator::new(&store, &alone).value(root);
                let found = lanes.value(root, lane);
                assert_eq!(
                    found.ok(),
                    alone.ok(),
                    "{:?} in lane {lane}",
                    store.get(root)
                );
            }
        }
        assert!(plain > roots.len() / 2, "{plain} of {}", roots.len());
    }
}
