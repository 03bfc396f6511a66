//! Which pairs of accesses only one barrier orders, and pairs of them that do meet: what would race if it were removed.
//!
//! **Algorithm.** The intervals that the rules derived are of the kernel with the barrier. Without it, what follows it belongs to
//! every interval that reaches it: each access of such an interval may be concurrent with each one behind the barrier. Of such a pair
//! the bytes of all threads of one block are computed, in the first iterations that the way from the head leaves, with sizes and
//! parameters that are open set to a few usual values that no assumption on the launch excludes. Two threads with a common byte, of
//! which one writes, are shown.
//!
//! **Accuracy.** A pair that is shown has threads, values and a byte of the kernel's own arithmetic; what comes from memory is known
//! in no lane and shows nothing. That none is shown says nothing: whether a barrier is redundant is proved by analysis without it.
//!
//! **Source.** Our own; that a barrier is told by the pairs that it orders follows the intervals of P. Li, G. Li and G. Gopalakrishnan.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::InsideRow;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::{AccessKind, Scope, Space};
use warplog_facts::{
    AccessId, BarrierId, Derived, Facts, LaunchId, LoopId, Op, PointId, Term, TermId,
};

use crate::lanes::{Fixed, Lanes};
use crate::shape::{Shape, Sizes, bare};
use crate::walk::Index;

/// Two accesses that a barrier orders and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered {
    /// The one before the barrier.
    pub before: AccessId,
    /// The one behind it.
    pub behind: AccessId,
    /// Two threads that come to one byte.
    pub meeting: Option<Meeting>,
}

/// Two threads of one block and a byte that both come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// `blockDim`.
    pub block_dim: [i64; 3],
    /// `threadIdx` of the thread before the barrier, and of the one behind it.
    pub threads: [[i128; 3]; 2],
    /// The byte, from the start of the array.
    pub byte: i128,
    /// Values that were chosen for what is open, in order of the terms.
    pub given: Vec<(TermId, i128)>,
}

/// What is tried for sizes and parameters that are open.
const VALUES: [i128; 7] = [1024, 64, 128, 256, 32, 8, 1];

/// Choices of values that are looked at.
const CHOICES: usize = 2;

/// Threads along an axis that is open.
const THREADS: i64 = 64;

/// Most pairs of one barrier that are looked at.
const PAIRS: usize = 512;

/// The bytes of an access with the first two threads that come to each.
type Touched = FxHashMap<i128, ([i128; 3], Option<[i128; 3]>)>;

/// Pairs by barrier, for all barriers of a launch.
pub struct Orders<'a> {
    facts: &'a Facts,
    index: &'a Index<'a>,
    launch: LaunchId,
    heads: FxHashMap<PointId, Vec<&'a InsideRow>>,
    ends: FxHashMap<PointId, Vec<&'a InsideRow>>,
    access_at: FxHashMap<PointId, AccessId>,
    sizes: Sizes,
    shape: Shape,
    given: Vec<FxHashMap<TermId, i128>>,
    touched: FxHashMap<(AccessId, Iterations, usize), Rc<Touched>>,
}

/// Iterations of loops other than the first.
type Iterations = Vec<(LoopId, i128)>;

impl<'a> Orders<'a> {
    /// Of one launch.
    #[must_use]
    pub fn new(
        facts: &'a Facts,
        derived: &'a Derived,
        index: &'a Index<'a>,
        launch: LaunchId,
    ) -> Self {
        let mut heads: FxHashMap<PointId, Vec<&InsideRow>> = FxHashMap::default();
        let mut ends: FxHashMap<PointId, Vec<&InsideRow>> = FxHashMap::default();
        for row in &derived.inside {
            let of_block = row.scope == Scope::Block && row.groups == 0;
            if of_block && facts.point[row.head.index()].launch == launch {
                heads.entry(row.head).or_default().push(row);
                ends.entry(row.point).or_default().push(row);
            }
        }
        let own = facts.access.iter();
        let access_at = own
            .filter(|row| facts.point[row.point.index()].launch == launch)
            .map(|row| (row.point, row.access))
            .collect();
        let sizes = Sizes::of(facts, launch);
        let shape = Shape {
            block: match [sizes.known[0], sizes.known[1], sizes.known[2]] {
                [Some(x), Some(y), Some(z)] => [x, y, z],
                [x, Some(1), Some(1)] => [x.unwrap_or(THREADS), 1, 1],
                [x, y, z] => [x.unwrap_or(8), y.unwrap_or(8), z.unwrap_or(1)],
            },
        };
        let mut orders = Orders {
            facts,
            index,
            launch,
            heads,
            ends,
            access_at,
            sizes,
            shape,
            given: Vec::new(),
            touched: FxHashMap::default(),
        };
        orders.given = orders.choices();
        orders
    }

    /// Values for what is open, as far as no assumption on the launch excludes them.
    fn choices(&self) -> Vec<FxHashMap<TermId, i128>> {
        let facts = self.facts;
        let mut roots: Vec<TermId> = self
            .access_at
            .values()
            .map(|access| facts.access[access.index()].index)
            .collect();
        let points: FxHashSet<PointId> = self.access_at.keys().copied().collect();
        let guards = facts.guard_at.iter();
        roots.extend(
            guards
                .filter(|row| points.contains(&row.point))
                .map(|row| row.term),
        );
        let assumed: Vec<TermId> = facts
            .launch_assume
            .iter()
            .filter(|row| row.launch == self.launch)
            .map(|row| row.term)
            .collect();
        roots.extend(&assumed);
        let open: Vec<TermId> = facts
            .terms
            .reachable(&roots)
            .into_iter()
            .filter(|&id| {
                let term = facts.terms.get(id);
                term.op == Op::Symbol && term.ty.is_integer()
            })
            .collect();
        let choice = |value: i128| -> FxHashMap<TermId, i128> {
            let own = open.iter().map(|&id| {
                let holds = facts.terms.ty(id).holds(value);
                (id, if holds { value } else { 1 })
            });
            let mut all: FxHashMap<TermId, i128> = own.collect();
            for axis in 0..3 {
                let Some(term) = self.sizes.terms[axis] else {
                    continue;
                };
                let term = bare(&facts.terms, term);
                if facts.terms.get(term).op == Op::Symbol {
                    all.insert(term, self.shape.block[axis].into());
                }
            }
            all
        };
        let allowed = |given: &FxHashMap<TermId, i128>| {
            let chosen = Chosen {
                given,
                block: self.shape.block,
            };
            let value = |&term: &TermId| Evaluator::new(&facts.terms, &chosen).value(term);
            assumed.iter().all(|term| value(term) != Ok(0))
        };
        let mut choices: Vec<_> = VALUES.into_iter().map(choice).filter(allowed).collect();
        choices.dedup();
        choices.truncate(CHOICES);
        choices
    }

    /// The pairs that only this barrier orders.
    pub fn of(&mut self, barrier: BarrierId) -> Vec<Ordered> {
        let at = self.facts.barrier[barrier.index()].point;
        let mut found: Vec<Ordered> = Vec::new();
        let ends = self.ends.get(&at).cloned().unwrap_or_default();
        let behind = self.heads.get(&at).cloned().unwrap_or_default();
        for end in ends {
            let first = self.carried(end.head, at, &Vec::new(), end);
            let before = self.heads.get(&end.head).cloned().unwrap_or_default();
            for (one, other) in before
                .iter()
                .flat_map(|one| behind.iter().map(move |other| (one, other)))
            {
                let pair = (
                    self.access_at.get(&one.point),
                    self.access_at.get(&other.point),
                );
                let (Some(&before), Some(&behind)) = pair else {
                    continue;
                };
                if found.len() >= PAIRS || !self.may_conflict(before, behind) {
                    continue;
                }
                let known = found
                    .iter()
                    .position(|pair| (pair.before, pair.behind) == (before, behind));
                if known.is_some_and(|known| found[known].meeting.is_some()) {
                    continue;
                }
                let iterations = [
                    self.carried(end.head, one.point, &Vec::new(), one),
                    self.carried(at, other.point, &first, other),
                ];
                let meeting = self.meeting([before, behind], iterations);
                match known {
                    Some(known) => found[known].meeting = meeting,
                    None => found.push(Ordered {
                        before,
                        behind,
                        meeting,
                    }),
                }
            }
        }
        found.sort_by_key(|pair| (pair.before, pair.behind));
        found
    }

    /// Iterations at the end of a way, from those at its head: loops around both stay, but for the one whose back edge was crossed.
    fn carried(
        &self,
        head: PointId,
        point: PointId,
        from: &Iterations,
        row: &InsideRow,
    ) -> Iterations {
        let around = self.index.loops(head);
        let mut all = Iterations::new();
        for id in self.index.loops(point) {
            let known = from.iter().find(|(own, _)| *own == id);
            let before = known
                .filter(|_| around.contains(&id))
                .map_or(0, |(_, at)| *at);
            if row.carried == Some(id) {
                all.push((id, before + 1));
                break;
            }
            if before > 0 {
                all.push((id, before));
            }
        }
        all
    }

    fn may_conflict(&self, before: AccessId, behind: AccessId) -> bool {
        let (one, other) = (
            &self.facts.access[before.index()],
            &self.facts.access[behind.index()],
        );
        let space = self.facts.array[one.array.index()].space;
        one.array == other.array
            && matches!(space, Space::Shared | Space::Global)
            && !(one.kind == AccessKind::Read && other.kind == AccessKind::Read)
            && !(one.kind == AccessKind::Atomic && other.kind == AccessKind::Atomic)
    }

    /// Two threads that come to one byte. What both only write may be one value, which shows nothing.
    fn meeting(
        &mut self,
        [before, behind]: [AccessId; 2],
        [first, second]: [Iterations; 2],
    ) -> Option<Meeting> {
        let facts = self.facts;
        let kind = |access: AccessId| facts.access[access.index()].kind;
        if kind(before) != AccessKind::Read && kind(behind) != AccessKind::Read {
            return None;
        }
        for nth in 0..self.given.len() {
            let ours = self.touched(before, &first, nth);
            let theirs = self.touched(behind, &second, nth);
            let mut bytes: Vec<&i128> = ours.keys().filter(|at| theirs.contains_key(at)).collect();
            bytes.sort_unstable();
            for byte in bytes {
                let (one, more) = ours[byte];
                let (other, others) = theirs[byte];
                let pair = if one != other {
                    Some([one, other])
                } else {
                    let two = others.map(|others| [one, others]);
                    two.or(more.map(|more| [more, other]))
                };
                if let Some(threads) = pair {
                    let mut given: Vec<(TermId, i128)> = self.given[nth]
                        .iter()
                        .map(|(&id, &value)| (id, value))
                        .collect();
                    given.sort_unstable();
                    return Some(Meeting {
                        block_dim: self.shape.block,
                        threads,
                        byte: *byte,
                        given,
                    });
                }
            }
        }
        None
    }

    /// The bytes that the threads of the first block come to in an access.
    fn touched(&mut self, access: AccessId, iterations: &Iterations, nth: usize) -> Rc<Touched> {
        let asked = (access, iterations.clone(), nth);
        if let Some(known) = self.touched.get(&asked) {
            return Rc::clone(known);
        }
        let facts = self.facts;
        let row = &facts.access[access.index()];
        let guards = self.index.guards(row.point);
        let loops = self.index.loops(row.point);
        let mut roots = vec![row.index];
        roots.extend(guards.iter().map(|&(term, _)| term));
        let given = self.given[nth].clone();
        let mut fixed = Fixed::new(&self.sizes, self.shape, given);
        fixed.grid_dim = fixed.grid_dim.map(|size| Some(size.unwrap_or(64)));
        let mut lanes = Lanes::new(&facts.terms, &roots, &loops, &fixed);
        lanes.set_block([0; 3]);
        let mut touched = Touched::default();
        for warp in 0..self.shape.warps() {
            let threads = std::array::from_fn(|lane| self.shape.thread(warp, lane));
            lanes.set_warp(&threads);
            for (level, id) in loops.iter().enumerate() {
                let at = iterations.iter().find(|(own, _)| own == id);
                lanes.set_iteration(level, at.map_or(0, |(_, at)| *at));
            }
            for (lane, thread) in threads.into_iter().enumerate() {
                let Some(thread) = thread else { continue };
                let comes = guards
                    .iter()
                    .all(|&(term, polarity)| lanes.value(term, lane) == Ok(i128::from(polarity)));
                let Some(start) = lanes.value(row.index, lane).ok().filter(|_| comes) else {
                    continue;
                };
                for byte in start..start + i128::from(row.bytes.min(64)) {
                    let known = touched.entry(byte).or_insert((thread, None));
                    if known.0 != thread && known.1.is_none() {
                        known.1 = Some(thread);
                    }
                }
            }
        }
        let touched = Rc::new(touched);
        self.touched.insert(asked, Rc::clone(&touched));
        touched
    }
}

/// The values that were chosen, for assumptions on the launch.
struct Chosen<'a> {
    given: &'a FxHashMap<TermId, i128>,
    block: [i64; 3],
}

impl Environment for Chosen<'_> {
    fn value(&self, id: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        match term.op {
            Op::BdimX => Some(self.block[0].into()),
            Op::BdimY => Some(self.block[1].into()),
            Op::BdimZ => Some(self.block[2].into()),
            _ => self.given.get(&id).copied(),
        }
    }
}
