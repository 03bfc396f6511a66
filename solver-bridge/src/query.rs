//! What every query has in common: a launch, two distinct threads, loop iterations, assumptions.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use facts::range::{Ranges, hardware_limit};
use facts::words::*;
use facts::*;
use rustc_hash::FxHashMap;
use warplog_facts as facts;

use crate::bounds::Bounds;
use crate::defined::Undefined;
use crate::encode::Encoder;
use crate::formula::Node;
use crate::index::Index;
use crate::instances::{ContextId, Iterations, Relation, Side};

/// The bounds of one launch, and those at its points.
pub(crate) struct LaunchRanges<'a> {
    index: &'a Index<'a>,
    pub(crate) base: Rc<Ranges<'a>>,
    at_points: RefCell<FxHashMap<PointId, Rc<Ranges<'a>>>>,
    /// Invariants that hold: point and condition. In the course of proving them, those that are not refuted yet.
    pub(crate) invariants: RefCell<Vec<(PointId, TermId)>>,
    /// Atomic counters that some question took not to wrap.
    pub(crate) counters: RefCell<BTreeSet<AccessId>>,
}

impl<'a> LaunchRanges<'a> {
    pub(crate) fn new(index: &'a Index<'a>, launch: LaunchId) -> Self {
        let mut base = index.bases.ranges(launch);
        let assumed: Vec<(TermId, bool)> = index
            .launch_assumes(launch)
            .iter()
            .map(|&term| (term, true))
            .collect();
        if !assumed.is_empty() {
            base = base.assuming(&assumed);
        }
        LaunchRanges {
            index,
            base: Rc::new(base),
            at_points: RefCell::default(),
            invariants: RefCell::default(),
            counters: RefCell::default(),
        }
    }

    /// Bounds under the path condition of a point.
    pub(crate) fn at(&self, point: PointId) -> Rc<Ranges<'a>> {
        let guards = self.index.guards(point);
        if guards.is_empty() {
            return Rc::clone(&self.base);
        }
        let mut at_points = self.at_points.borrow_mut();
        let ranges = at_points.entry(point).or_insert_with(|| {
            let conjuncts: Vec<(TermId, bool)> =
                guards.iter().map(|row| (row.term, row.polarity)).collect();
            Rc::new(self.base.assuming(&conjuncts))
        });
        Rc::clone(ranges)
    }
}

/// The last iteration of a loop that counts as one of its first.
const EARLY: i128 = 64;

/// What a probe gives to dimensions and symbols, and how far it goes into loops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fixing {
    pub(crate) dimensions: Vec<(Dimension, i128)>,
    pub(crate) symbols: Vec<(SymbolId, i128)>,
    /// Loops are in one of their first iterations, so that a replay gets there.
    pub(crate) early: bool,
    /// Kinds of undefined behaviour that are ruled out in the formula.
    pub(crate) defined: Vec<Undefined>,
}

impl Fixing {
    /// Whether sizes or iterations are restricted: a proof then holds for these only.
    pub(crate) fn is_restricted(&self) -> bool {
        !self.dimensions.is_empty() || !self.symbols.is_empty() || self.early
    }
}

/// A fact about an earlier iteration that a replay found violated, to be added to the formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refinement {
    pub(crate) side: Side,
    /// What did not hold.
    pub(crate) what: Refined,
    /// Iterations at which it is asked; loops that are not listed are as in the access.
    pub(crate) at: Vec<(LoopId, i128)>,
    /// Asked only when the thread gets beyond this iteration of the loop.
    pub(crate) before: Option<(LoopId, i128)>,
    /// Asked only where the head is executed in an earlier iteration than the point, which is that of the head.
    pub(crate) behind_head: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refined {
    /// The break or return at the point was not taken.
    NotTaken(PointId),
    /// The condition of the loop held.
    Condition(LoopId),
    /// No undefined behaviour of this kind.
    Defined(Undefined),
}

/// A query about two threads.
pub(crate) struct Query<'a> {
    pub(crate) encoder: Encoder<'a>,
    /// What must hold.
    pub(crate) asserts: Vec<Node>,
    /// What must hold, too, but is seldom needed to refute and costs much.
    pub(crate) late: Vec<Node>,
    /// What a witness should satisfy if it can.
    pub(crate) wishes: Vec<Node>,
    /// Values to make small, most important first.
    pub(crate) small: Vec<Node>,
    pub(crate) dims: [Node; 6],
    pub(crate) tid: [[Node; 3]; 2],
    pub(crate) bid: [[Node; 3]; 2],
    /// Iterations of each side: those of the access, and of the head for other loops.
    pub(crate) iterations: [Iterations; 2],
    /// Iterations of the head.
    pub(crate) head: Iterations,
    /// Byte offsets accessed.
    pub(crate) offsets: Option<[Node; 2]>,
    /// The points that the threads get to: the accesses, or a barrier and the leaving.
    pub(crate) targets: [Option<PointId>; 2],
    /// Refinements that were added all hold in every execution that the query asks for.
    pub(crate) refined_soundly: bool,
}

/// Which pairs of threads a query is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pairing {
    /// As in a race candidate.
    Race(PairScope),
    /// Any two threads of the grid.
    AnyOfGrid,
    /// One thread: of the second nothing is asked.
    One,
}

impl Pairing {
    pub(crate) fn relation(self) -> Relation {
        match self {
            Pairing::Race(PairScope::Warp) => Relation {
                same_block: true,
                scope: Scope::Warp,
            },
            Pairing::Race(PairScope::Own | PairScope::Block | PairScope::InterWarp)
            | Pairing::One => Relation {
                same_block: true,
                scope: Scope::Block,
            },
            Pairing::Race(PairScope::Grid) | Pairing::AnyOfGrid => Relation {
                same_block: false,
                scope: Scope::Grid,
            },
        }
    }
}

const BLOCK: [Dimension; 3] = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ];
const GRID: [Dimension; 3] = [Dimension::GridX, Dimension::GridY, Dimension::GridZ];

/// Latest iteration of a passed loop that a refinement can speak of soundly.
const MAX_EARLIER: i128 = 12;

/// How many of the values read are made small in a witness.
const SMALL_LEAVES: usize = 8;

/// Most threads of a block.
pub(crate) const MAX_THREADS: i128 = 1024;

/// A query with the launch, the two threads and what makes them distinct.
pub(crate) fn launch_query<'a>(
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    launch: LaunchId,
    pairing: Pairing,
    fixing: &Fixing,
) -> Query<'a> {
    let relation = pairing.relation();
    let mut encoder = Encoder::new(index, relation);
    encoder.fixed_symbols.clone_from(&fixing.symbols);
    let mut asserts = Vec::new();
    let mut late = Vec::new();
    let dims = dimensions(
        &mut encoder,
        ranges,
        launch,
        fixing,
        &mut asserts,
        &mut late,
    );
    encoder.block = [dims[0], dims[1], dims[2]];
    let mut tid = [[dims[0]; 3]; 2];
    let mut bid = [[dims[0]; 3]; 2];
    for side in Side::BOTH {
        for axis in Axis::ALL {
            let extent = dims[axis as usize];
            let thread = position(
                &mut encoder,
                format!("threadIdx.{}#{}", axis.name(), side.number()),
                extent,
                false,
                &mut asserts,
            );
            tid[side.index()][axis as usize] = thread;
            encoder.builtins.insert((axis.tid(), side), thread);
            let extent = dims[3 + axis as usize];
            let block = if relation.same_block && side == Side::Second {
                bid[0][axis as usize]
            } else {
                let number = if relation.same_block {
                    0
                } else {
                    side.number()
                };
                position(
                    &mut encoder,
                    format!("blockIdx.{}#{number}", axis.name()),
                    extent,
                    relation.same_block,
                    &mut asserts,
                )
            };
            bid[side.index()][axis as usize] = block;
            encoder.builtins.insert((axis.bid(), side), block);
        }
    }
    let mut small: Vec<Node> = Vec::new();
    small.extend(dims);
    for side in Side::BOTH {
        small.extend(bid[side.index()]);
    }
    for side in Side::BOTH {
        small.extend(tid[side.index()].iter().rev());
    }
    distinct(&mut encoder, pairing, &dims, &tid, &bid, &mut asserts);
    let host = encoder.context(Side::First, Iterations::new(), &ranges.base);
    for &term in index.launch_assumes(launch) {
        encoder.evaluates(host, term);
        let holds = encoder.truth(host, term);
        // Powers of two and remainders that host code has cost more than they help over the reals.
        if index.is_by_host(launch, term) && index.has_bits(term) {
            late.push(holds);
        } else {
            asserts.push(holds);
        }
    }
    Query {
        encoder,
        asserts,
        late,
        wishes: Vec::new(),
        small,
        dims,
        tid,
        bid,
        iterations: Default::default(),
        head: Iterations::new(),
        offsets: None,
        targets: [None; 2],
        refined_soundly: true,
    }
}

fn dimensions<'a>(
    encoder: &mut Encoder<'a>,
    ranges: &LaunchRanges<'a>,
    launch: LaunchId,
    fixing: &Fixing,
    asserts: &mut Vec<Node>,
    late: &mut Vec<Node>,
) -> [Node; 6] {
    let index = encoder.index;
    let mut dims = [None; 6];
    // Leaves first: other dimensions may be terms over them.
    for by_leaf in [true, false] {
        for (axis, (&block, &grid)) in Axis::ALL.into_iter().zip(BLOCK.iter().zip(&GRID)) {
            for (dimension, op) in [(block, axis.bdim()), (grid, axis.gdim())] {
                let term = index.dimension(launch, dimension);
                let is_leaf = term.is_none_or(|term| index.facts.terms.get(term).op == op);
                if is_leaf != by_leaf {
                    continue;
                }
                let limit = hardware_limit(dimension);
                let fixed = fixing.dimensions.iter().find(|(d, _)| *d == dimension);
                let node = if let (true, Some(&(_, value))) = (is_leaf, fixed) {
                    let name = dimension.name().to_owned();
                    encoder.number(name, Bounds::new(value, value), true).1
                } else if is_leaf {
                    let name = dimension.name().to_owned();
                    encoder.number(name, Bounds::new(1, limit), true).1
                } else {
                    let host = encoder.context(Side::First, Iterations::new(), &ranges.base);
                    let term = term.unwrap_or(TermId(0));
                    encoder.evaluates(host, term);
                    let mut node = encoder.value(host, term);
                    if !encoder.f.is_polynomial(node) {
                        // What it is computed from seldom matters to what the threads do.
                        let name = dimension.name().to_owned();
                        let size = encoder.number(name, Bounds::new(1, limit), true).1;
                        let computed = encoder.f.eq(size, node);
                        late.push(computed);
                        node = size;
                    }
                    let positive = encoder.f.ge_const(node, 1);
                    asserts.push(positive);
                    if encoder.f.as_constant(node).is_none() {
                        let limited = encoder.f.le_const(node, limit);
                        asserts.push(limited);
                    }
                    node
                };
                for side in Side::BOTH {
                    encoder.builtins.insert((op, side), node);
                }
                dims[dimension as usize] = Some(node);
            }
        }
    }
    let one = encoder.f.constant(1);
    let dims = dims.map(|node| node.unwrap_or(one));
    let f = &mut encoder.f;
    if dims[..3].iter().any(|&node| f.as_constant(node).is_none()) {
        let area = f.mul(dims[0], dims[1]);
        let volume = f.mul(area, dims[2]);
        let limited = f.le_const(volume, MAX_THREADS);
        late.push(limited);
    }
    dims
}

/// A thread or block index along an axis.
fn position(
    encoder: &mut Encoder,
    name: String,
    extent: Node,
    shared: bool,
    asserts: &mut Vec<Node>,
) -> Node {
    let high = encoder.f.bounds(extent).high.map(|high| (high - 1).max(0));
    let bounds = Bounds { low: Some(0), high };
    let node = encoder.number(name, bounds, shared).1;
    let inside = encoder.f.lt(node, extent);
    asserts.push(inside);
    node
}

fn distinct(
    encoder: &mut Encoder,
    pairing: Pairing,
    dims: &[Node; 6],
    tid: &[[Node; 3]; 2],
    bid: &[[Node; 3]; 2],
    asserts: &mut Vec<Node>,
) {
    let f = &mut encoder.f;
    let differ = |f: &mut crate::formula::Formula, pair: &[[Node; 3]; 2]| -> Vec<Node> {
        (0..3)
            .map(|axis| f.ne(pair[0][axis], pair[1][axis]))
            .collect()
    };
    let mut parts = match pairing {
        Pairing::One => return,
        Pairing::Race(PairScope::Own) => {
            for [one, other] in [0, 1, 2].map(|axis: usize| [tid[0][axis], tid[1][axis]]) {
                let same = f.eq(one, other);
                asserts.push(same);
            }
            return;
        }
        Pairing::Race(PairScope::Grid) => differ(f, bid),
        Pairing::AnyOfGrid => {
            let mut all = differ(f, bid);
            all.extend(differ(f, tid));
            all
        }
        Pairing::Race(_) => differ(f, tid),
    };
    if let Pairing::Race(scope @ (PairScope::Warp | PairScope::InterWarp)) = pairing {
        // linear thread id = 32 · warp + lane
        let linear: Vec<Node> = tid
            .iter()
            .map(|tid| {
                let row = f.mul(dims[1], tid[2]);
                let row = f.add(row, tid[1]);
                let row = f.mul(row, dims[0]);
                f.add(row, tid[0])
            })
            .collect();
        let warps: Vec<Node> = linear.iter().map(|&id| f.floor_div(id, 32)).collect();
        if scope == PairScope::Warp {
            let same = f.eq(warps[0], warps[1]);
            asserts.push(same);
        } else {
            let different = f.ne(warps[0], warps[1]);
            parts = vec![different];
        }
    }
    let distinct = f.or(&parts);
    asserts.push(distinct);
}

impl<'a> Query<'a> {
    /// A new iteration variable of a loop, in an iteration of the loops outside it.
    pub(crate) fn iteration(
        &mut self,
        ranges: &LaunchRanges<'a>,
        id: LoopId,
        name: &str,
        side: Option<Side>,
        outer: &Iterations,
    ) -> Node {
        let most = self.encoder.index.loop_row(id).max_iterations;
        let most = most.map(|most| i128::from(most.max(1)) - 1);
        let found = self.last_iteration(ranges, id, side.unwrap_or(Side::First), outer);
        let bounds = Bounds {
            low: Some(0),
            high: most.into_iter().chain(found).min(),
        };
        let number = side.map_or(0, Side::number);
        // Ids depend on what else is in the fact set, and the answer must not depend on names.
        let loop_number = self.encoder.loop_number(id);
        let name = format!("iteration_{loop_number}{name}#{number}");
        let (variable, node) = self.encoder.number(name, bounds, side.is_none());
        self.encoder.f.variables[variable.0 as usize].ordinal = true;
        self.small.push(node);
        node
    }

    /// A last iteration of a loop whose variable is multiplied or divided: the one before the
    /// first in which the bounds alone refute the condition. An iteration is executed only after
    /// all earlier ones, so later ones, in which an unsigned power has become 0, do not count.
    fn last_iteration(
        &mut self,
        ranges: &LaunchRanges<'a>,
        id: LoopId,
        side: Side,
        outer: &Iterations,
    ) -> Option<i128> {
        let store = &self.encoder.index.facts.terms;
        let condition = self.encoder.index.loop_row(id).condition?;
        let has_power = store
            .reachable(&[condition])
            .into_iter()
            .any(|term| matches!(store.get(term).op, Op::MulPow | Op::DivPow));
        if !has_power {
            return None;
        }
        self.encoder.hypothetical = true;
        let last = (0..=66).find_map(|ordinal| {
            let mut iterations = outer.clone();
            let here = self.encoder.f.constant(ordinal);
            iterations.push((id, here));
            let context = self.encoder.context(side, iterations, &ranges.base);
            let holds = self.encoder.truth(context, condition);
            // What the condition reads, it reads when it fails, too.
            let before = i128::from(!self.encoder.index.condition_reads(id));
            (self.encoder.f.as_truth(holds) == Some(false)).then(|| (ordinal - before).max(0))
        });
        self.encoder.hypothetical = false;
        last
    }

    /// The iterations of the loops around a point, taken from a wider set; none when one is missing.
    pub(crate) fn restrict(&self, wider: &Iterations, point: PointId) -> Option<Iterations> {
        self.encoder
            .index
            .loops(point)
            .iter()
            .map(|id| wider.iter().find(|(other, _)| other == id).copied())
            .collect()
    }

    /// Asserts the path condition of a point at the iterations; returns the context.
    pub(crate) fn reach(
        &mut self,
        ranges: &LaunchRanges<'a>,
        side: Side,
        point: PointId,
        iterations: &Iterations,
    ) -> ContextId {
        let own = ranges.at(point);
        let context = self.encoder.context(side, iterations.clone(), &own);
        let guards = self.encoder.guards(context, point);
        self.asserts.extend(guards);
        // The guards are encoded as what they show lets them be: that must be said, too.
        for &term in own.not_negative() {
            let node = self.encoder.value(context, term);
            let shown = self.encoder.f.ge_const(node, 0);
            self.asserts.push(shown);
        }
        for row in self.encoder.index.guards(point) {
            self.encoder.evaluates(context, row.term);
        }
        context
    }

    /// Asserts what `assume` and the invariants that hold say of the points that the thread has passed, in these
    /// iterations, when it gets to the target. What comes behind the target may never be reached.
    pub(crate) fn assume(
        &mut self,
        ranges: &LaunchRanges<'a>,
        launch: LaunchId,
        side: Side,
        iterations: &Iterations,
        target: PointId,
    ) {
        for (point, term) in self.known(ranges, launch) {
            if point >= target || self.encoder.index.of_two(term) {
                continue;
            }
            let Some(here) = self.restrict(iterations, point) else {
                continue;
            };
            let context = self.encoder.context(side, here, &ranges.base);
            let guards = self.encoder.guards(context, point);
            let reached = self.encoder.f.and(&guards);
            let holds = self.encoder.truth(context, term);
            let assumed = self.encoder.f.implies(reached, holds);
            self.asserts.push(assumed);
        }
    }

    fn known(&self, ranges: &LaunchRanges<'a>, launch: LaunchId) -> Vec<(PointId, TermId)> {
        let mut known = ranges.invariants.borrow().clone();
        known.extend(self.encoder.index.assumes(launch));
        known
    }

    /// The same for what is said of two threads: it holds when both pass the point in the same iterations. A thread that
    /// gets to its target has passed, in the same iteration of all loops but the innermost, all earlier iterations of
    /// that one.
    pub(crate) fn assume_of_two(&mut self, ranges: &LaunchRanges<'a>, launch: LaunchId) {
        let index = self.encoder.index;
        for (point, term) in self.known(ranges, launch) {
            if !index.of_two(term) {
                continue;
            }
            for (side, other) in [(Side::First, Side::Second), (Side::Second, Side::First)] {
                let [Some(target), Some(other_target)] =
                    [side, other].map(|side| self.targets[side.index()])
                else {
                    continue;
                };
                let own = self.iterations[side.index()].clone();
                let theirs = self.iterations[other.index()].clone();
                let (Some(here), Some(there)) =
                    (self.restrict(&own, point), self.restrict(&theirs, point))
                else {
                    continue;
                };
                if point >= target {
                    continue;
                }
                let mut premises = Vec::new();
                let innermost = here.len().saturating_sub(1);
                for (depth, (&(_, mine), &(_, its))) in here.iter().zip(&there).enumerate() {
                    let related = match (depth == innermost, point < other_target) {
                        (true, true) => self.encoder.f.le(mine, its),
                        (true, false) => self.encoder.f.lt(mine, its),
                        (false, _) => self.encoder.f.eq(mine, its),
                    };
                    premises.push(related);
                }
                if here.is_empty() && point >= other_target {
                    continue;
                }
                let own = self.encoder.context(side, here.clone(), &ranges.base);
                premises.extend(self.encoder.guards(own, point));
                let theirs = self.encoder.context(other, here, &ranges.base);
                premises.extend(self.encoder.guards(theirs, point));
                let both = self.encoder.f.and(&premises);
                let holds = self.encoder.truth(own, term);
                let assumed = self.encoder.f.implies(both, holds);
                self.asserts.push(assumed);
            }
        }
    }

    /// Adds facts that replays found missing.
    pub(crate) fn refine(&mut self, ranges: &LaunchRanges<'a>, refinements: &[Refinement]) {
        self.encoder.hypothetical = true;
        for refinement in refinements {
            let index = self.encoder.index;
            let (point, own) = match refinement.what {
                Refined::NotTaken(point) => (point, None),
                Refined::Condition(id) => (index.loop_row(id).head, Some(id)),
                Refined::Defined(_) => continue,
            };
            let target = self.iterations[refinement.side.index()].clone();
            let mut iterations = Iterations::new();
            let mut known = true;
            for &id in index.loops(point) {
                let given = refinement.at.iter().find(|(other, _)| *other == id);
                let node = match given {
                    Some(&(_, value)) => Some(self.encoder.f.constant(value)),
                    None => target.iter().find(|(other, _)| *other == id).map(|x| x.1),
                };
                match node {
                    Some(node) => iterations.push((id, node)),
                    None => known = false,
                }
            }
            if !known {
                self.refined_soundly = false;
                continue;
            }
            let at = iterations.clone();
            let context = self
                .encoder
                .context(refinement.side, iterations, &ranges.base);
            let holds = match (own, refinement.what.clone()) {
                (Some(id), _) => match index.loop_row(id).condition {
                    Some(condition) => self.encoder.truth(context, condition),
                    None => continue,
                },
                _ => {
                    let guards = self.encoder.guards(context, point);
                    let taken = self.encoder.f.and(&guards);
                    self.encoder.f.not(taken)
                }
            };
            let mut premises = Vec::new();
            let mut sound = index.facts.point[point.index()].kind != PointKind::Barrier;
            match refinement.before {
                Some((id, value)) => match target.iter().find(|(other, _)| *other == id) {
                    Some(&(_, node)) => {
                        premises.push(self.encoder.f.ge_const(node, value + 1));
                    }
                    None => sound = false,
                },
                // Passed as a whole before the target, in its iteration.
                None => {
                    sound &= own.is_none()
                        && !refinement.at.is_empty()
                        && self.targets[refinement.side.index()]
                            .is_some_and(|target| point < target);
                }
            }
            if refinement.behind_head {
                premises.push(self.head_before(&at));
            }
            match self.executes(ranges, refinement, point) {
                Some(executed) => premises.extend(executed),
                None => sound = false,
            }
            self.refined_soundly &= sound;
            let premise = self.encoder.f.and(&premises);
            let holds = self.encoder.f.implies(premise, holds);
            self.asserts.push(holds);
        }
        self.encoder.hypothetical = false;
    }

    /// Whether the head is executed in an earlier iteration than this one of its loops.
    fn head_before(&mut self, at: &Iterations) -> Node {
        let mut before = self.encoder.f.truth(false);
        for &(id, node) in at.iter().rev() {
            let Some(&(_, head)) = self.head.iter().find(|(other, _)| *other == id) else {
                return self.encoder.f.truth(true);
            };
            let less = self.encoder.f.lt(head, node);
            let equal = self.encoder.f.eq(head, node);
            let later = self.encoder.f.and(&[equal, before]);
            before = self.encoder.f.or(&[less, later]);
        }
        before
    }

    /// The conditions under which the iterations of a refinement are executed by a thread that
    /// passes the loops as a whole; none when a break may end them before.
    fn executes(
        &mut self,
        ranges: &LaunchRanges<'a>,
        refinement: &Refinement,
        point: PointId,
    ) -> Option<Vec<Node>> {
        let index = self.encoder.index;
        let target = self.iterations[refinement.side.index()].clone();
        let mut outer = Iterations::new();
        let mut conditions = Vec::new();
        for &id in index.loops(point) {
            let given = refinement.at.iter().find(|(other, _)| *other == id);
            let Some(&(_, ordinal)) = given else {
                outer.push(*target.iter().find(|(other, _)| *other == id)?);
                continue;
            };
            if refinement.before.is_none_or(|(before, _)| before != id) && ordinal > 0 {
                let row = index.loop_row(id);
                let has_break = index.facts.break_at.iter().any(|row| {
                    index.loops(row.point).contains(&id)
                        && index.loops(index.loop_row(id).head).contains(&row.loop_id)
                });
                if has_break || ordinal > MAX_EARLIER {
                    return None;
                }
                for earlier in 0..ordinal {
                    let mut iterations = outer.clone();
                    iterations.push((id, self.encoder.f.constant(earlier)));
                    let context = self
                        .encoder
                        .context(refinement.side, iterations, &ranges.base);
                    conditions.push(self.encoder.truth(context, row.condition?));
                }
            }
            outer.push((id, self.encoder.f.constant(ordinal)));
        }
        Some(conditions)
    }

    /// Whether the two threads are both among those that a barrier is for, in one of its groups.
    pub(crate) fn both_in(&mut self, ranges: &LaunchRanges<'a>, barrier: &BarrierRow) -> Node {
        let sides =
            Side::BOTH.map(|side| self.encoder.context(side, Iterations::new(), &ranges.base));
        let mut parts = Vec::new();
        if let Some(member) = barrier.member {
            for context in sides {
                parts.push(self.encoder.truth(context, member));
            }
        }
        if let Some(key) = barrier.key {
            let [one, other] = sides.map(|context| self.encoder.value(context, key));
            parts.push(self.encoder.f.eq(one, other));
        }
        self.encoder.f.and(&parts)
    }

    /// Everything that must hold, with the definitions of the leaves.
    pub(crate) fn finish(&mut self, ranges: &LaunchRanges<'a>, fixing: &Fixing) {
        self.encoder.assert_defined(&fixing.defined);
        // Hardware goes on after a division by zero: models without one are not all models.
        self.refined_soundly &= !fixing.defined.contains(&Undefined::Division);
        if fixing.early {
            for &(_, node) in self.iterations.iter().flatten().chain(&self.head) {
                self.asserts.push(self.encoder.f.le_const(node, EARLY));
            }
        }
        self.encoder.finish(&ranges.base);
        let mut counters = ranges.counters.borrow_mut();
        counters.extend(&self.encoder.counters);
        let definitions = std::mem::take(&mut self.encoder.asserts);
        self.asserts.extend(definitions);
        let all = self.encoder.f.and(&self.asserts);
        self.asserts = vec![all];
        self.encoder.f.narrow(all);
        for symbol in self.encoder.symbols_in_order() {
            self.small.push(symbol);
        }
        let leaves: Vec<Node> = self
            .encoder
            .instances
            .iter()
            .map(|leaf| leaf.node)
            .collect();
        self.small.extend(leaves.into_iter().take(SMALL_LEAVES));
    }
}
