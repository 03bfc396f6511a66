//! Terms evaluated for all lanes of a warp at once, each as seldom as it changes.
//!
//! A walk evaluates the same few terms for thousands of requests. They are put in order once; a term that mentions no thread has one
//! value for all lanes, and every term is evaluated again only when something that it mentions has moved: nothing, the block, the
//! warp, or one of the loops around the point, from the outermost to the innermost.
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
    /// By lane.
    Each(&'a [Value; WARP]),
}

impl Row<'_> {
    /// The value of a lane.
    pub fn at(self, lane: usize) -> Value {
        match self {
            Row::Same(value) => value,
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
    values: Vec<[Value; WARP]>,
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
            values: Vec::new(),
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
        lanes.values = vec![[Ok(0); WARP]; lanes.nodes.len()];
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
        match self.nodes[slot].same {
            true => Row::Same(self.values[slot][0]),
            false => Row::Each(&self.values[slot]),
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
            let mut found = [Ok(0); WARP];
            match &node.source {
                Source::Fixed(value) => found[0] = *value,
                Source::Block(axis) => found[0] = Ok(self.block[*axis]),
                Source::Iteration(nth) => found[0] = self.iterations[*nth].ok_or(Fault::Open),
                Source::Thread(axis) => {
                    for (value, thread) in found.iter_mut().zip(&self.threads) {
                        *value = Ok(thread[*axis]);
                    }
                }
                Source::Operator => {
                    for (lane, value) in found[..lanes].iter_mut().enumerate() {
                        *value = self.applied(node, lane);
                    }
                }
            }
            self.values[slot] = found;
            self.stamps[slot] = self.clock;
        }
    }

    /// The value of an operator in a lane.
    fn applied(&self, node: &Node, lane: usize) -> Value {
        let term = self.store.get(node.id);
        let arg = |nth: usize| {
            let slot = node.args[nth];
            self.values[slot][if self.nodes[slot].same { 0 } else { lane }]
        };
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
