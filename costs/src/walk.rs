//! The requests that a launch makes at a point: which warps come there, in which iterations, with which lanes.
//!
//! Blocks, warps and iterations are gone through one by one, each lane with exact arithmetic. What makes no difference is gone
//! through once and counted as often as it happens: a loop whose iteration nothing mentions, blocks that nothing tells apart, warps
//! of full rows under addresses that are linear in the thread. Conditions that are open (`i < n`) are taken to let all lanes in:
//! fewer lanes never take more turns or sectors. A walk that would be longer than [`LIMIT`] is cut, and says so.
//!
//! **Accuracy.** Where [`Walk::complete`] is left true, the number of requests is exact.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::eval::{Environment, EvalError, Evaluator};
use warplog_facts::words::GuardCause;
use warplog_facts::{Facts, LoopId, Op, PointId, Term, TermId, TermStore};

use crate::device::WARP;
use crate::form::Dependence;
use crate::shape::{Shape, Sizes};

/// Most requests of one walk that are looked at.
pub const LIMIT: u64 = 4096;

/// Most iterations of a loop that are counted one by one.
const STEPS: u64 = 1 << 16;

/// Iterations that are looked at where their number is open.
const OPEN: i128 = 11;

/// Blocks that are told apart.
const BLOCKS: u64 = 64;

/// What is the same for all lanes of a request.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// `blockIdx`.
    pub block: [i128; 3],
    /// `blockDim`.
    pub block_dim: [i128; 3],
    /// `gridDim`.
    pub grid_dim: [Option<i128>; 3],
    /// Iterations by loop.
    pub iterations: FxHashMap<LoopId, i128>,
    /// Leaves that are given values.
    pub given: FxHashMap<TermId, i128>,
}

/// A lane of a request.
pub struct Lane<'a> {
    /// What it shares with the others.
    pub site: &'a Site,
    /// `threadIdx`.
    pub thread: [i128; 3],
}

impl Environment for Lane<'_> {
    fn value(&self, id: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let site = self.site;
        if let Some(&given) = site.given.get(&id) {
            return Some(given);
        }
        match term.op {
            Op::TidX => Some(self.thread[0]),
            Op::TidY => Some(self.thread[1]),
            Op::TidZ => Some(self.thread[2]),
            Op::BidX => Some(site.block[0]),
            Op::BidY => Some(site.block[1]),
            Op::BidZ => Some(site.block[2]),
            Op::BdimX => Some(site.block_dim[0]),
            Op::BdimY => Some(site.block_dim[1]),
            Op::BdimZ => Some(site.block_dim[2]),
            Op::GdimX => site.grid_dim[0],
            Op::GdimY => site.grid_dim[1],
            Op::GdimZ => site.grid_dim[2],
            Op::Iter => site.iterations.get(&term.loop_id()?).copied(),
            _ => None,
        }
    }
}

/// Whether a lane takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// It does not.
    No,
    /// It does for some values of what is open.
    Maybe,
    /// It does.
    Yes,
}

/// One request, or several that are alike.
pub struct Request<'a> {
    /// The warp.
    pub warp: u64,
    /// What its lanes share.
    pub site: &'a Site,
    /// The threads of its lanes.
    pub threads: [Option<[i128; 3]>; WARP],
    /// Which lanes take part.
    pub active: [Activity; WARP],
    /// How many requests are like this one.
    pub times: u64,
}

/// A loop around a point.
#[derive(Clone, Debug)]
struct Around {
    loop_id: LoopId,
    condition: Option<TermId>,
    /// Whether something else than its condition tells its iterations apart.
    matters: bool,
    has_break: bool,
    most: Option<u64>,
}

/// What is known of a point before its requests are gone through.
#[derive(Clone, Debug)]
pub struct Path {
    loops: Vec<Around>,
    /// Conjuncts of its guard but for the conditions of loops around it.
    guards: Vec<(TermId, bool)>,
    /// Whether lanes are let in by what may be any value.
    pub by_data: bool,
    /// Whether something open lets them in: fewer may come than are counted.
    pub by_open: bool,
    blocks_matter: bool,
    warps_are_alike: bool,
}

/// Conjuncts, those of a conjunction one by one.
fn flatten(terms: &TermStore, term: TermId, polarity: bool, into: &mut Vec<(TermId, bool)>) {
    let node = terms.get(term);
    match (node.op, polarity) {
        (Op::And, true) | (Op::Or, false) => {
            for &arg in &node.args {
                flatten(terms, arg, polarity, into);
            }
        }
        (Op::Not, _) => flatten(terms, node.args[0], !polarity, into),
        _ => into.push((term, polarity)),
    }
}

/// Indexes over the facts that all walks share.
pub struct Index<'a> {
    facts: &'a Facts,
    guards: FxHashMap<PointId, Vec<usize>>,
    loops: FxHashMap<PointId, Vec<LoopId>>,
}

impl<'a> Index<'a> {
    /// The indexes.
    #[must_use]
    pub fn new(facts: &'a Facts) -> Self {
        let mut index = Index {
            facts,
            guards: FxHashMap::default(),
            loops: FxHashMap::default(),
        };
        for (row, guard) in facts.guard_at.iter().enumerate() {
            index.guards.entry(guard.point).or_default().push(row);
        }
        for row in &facts.loop_at {
            index.loops.entry(row.point).or_default().push(row.loop_id);
        }
        index
    }

    /// The loops around a point, outermost first.
    #[must_use]
    pub fn loops(&self, point: PointId) -> Vec<LoopId> {
        let mut loops = self.loops.get(&point).cloned().unwrap_or_default();
        loops.sort_by_key(|id| self.facts.loop_[id.index()].head);
        loops
    }

    /// What is known of a point. `terms` are those that are evaluated in its lanes; `linear` says that they are linear in the
    /// thread, so that full rows are alike.
    pub fn path(
        &self,
        point: PointId,
        terms: &[TermId],
        linear: bool,
        dependence: &mut Dependence<'_>,
    ) -> Path {
        let facts = self.facts;
        let loops = self.loops(point);
        let heads: FxHashSet<PointId> = loops
            .iter()
            .map(|id| facts.loop_[id.index()].head)
            .collect();
        let mut guards = Vec::new();
        for &row in self.guards.get(&point).map_or(&[][..], Vec::as_slice) {
            let row = &facts.guard_at[row];
            if row.cause == GuardCause::Loop && heads.contains(&row.cause_point) {
                continue;
            }
            flatten(&facts.terms, row.term, row.polarity, &mut guards);
        }
        let by_data = guards.iter().any(|&(term, _)| dependence.of(term).data);
        let all = guards.len();
        guards.retain(|&(term, _)| dependence.of(term).is_known());
        let by_open = guards.len() < all;
        let condition = |id: &LoopId| {
            let row = &facts.loop_[id.index()];
            row.condition
        };
        let mut mentioned: Vec<TermId> = terms.to_vec();
        mentioned.extend(guards.iter().map(|&(term, _)| term));
        let mut around = Vec::with_capacity(loops.len());
        let mut linear = linear && mentioned.iter().all(|&term| !dependence.of(term).row);
        let mut blocks_matter = mentioned.iter().any(|&term| dependence.of(term).block);
        for (nth, id) in loops.iter().enumerate() {
            let row = &facts.loop_[id.index()];
            let inner = loops[nth + 1..].iter().filter_map(condition);
            let others: Vec<TermId> = mentioned.iter().copied().chain(inner).collect();
            let condition = condition(id).filter(|&term| dependence.of(term).is_known());
            let needs = condition
                .map(|term| dependence.of(term))
                .unwrap_or_default();
            linear &= !needs.lane && !needs.row;
            blocks_matter |= needs.block;
            around.push(Around {
                loop_id: *id,
                condition,
                matters: needs.lane || dependence.loops(&others).contains(id),
                has_break: row.has_break,
                most: row.max_iterations,
            });
        }
        let by_lane = guards.iter().any(|&(term, _)| dependence.of(term).lane);
        Path {
            loops: around,
            warps_are_alike: linear && !by_lane,
            guards,
            by_data,
            by_open,
            blocks_matter,
        }
    }
}

/// How the requests of a path are gone through.
pub struct Walk<'a> {
    store: &'a TermStore,
    path: &'a Path,
    shape: Shape,
    /// Whether all requests were looked at or counted; of one block, where their number is open.
    pub complete: bool,
    /// Number of requests, as far as they were counted; those of one block, where the number of blocks is open.
    pub requests: u64,
    looked: u64,
    limit: u64,
}

impl<'a> Walk<'a> {
    /// A walk that has not begun.
    #[must_use]
    pub fn new(store: &'a TermStore, path: &'a Path, shape: Shape, limit: u64) -> Self {
        Walk {
            store,
            path,
            shape,
            complete: !path.by_open,
            requests: 0,
            looked: 0,
            limit,
        }
    }

    /// Goes through all requests.
    pub fn all(
        &mut self,
        sizes: &Sizes,
        given: &FxHashMap<TermId, i128>,
        visit: &mut dyn FnMut(&Request<'_>),
    ) {
        let grid = [sizes.known[3], sizes.known[4], sizes.known[5]];
        let blocks = sizes.blocks();
        let mut site = Site {
            block: [0; 3],
            block_dim: self.shape.block.map(i128::from),
            grid_dim: grid.map(|size| size.map(i128::from)),
            iterations: FxHashMap::default(),
            given: given.clone(),
        };
        let count = blocks.unwrap_or(1);
        let looked = if self.path.blocks_matter {
            count.min(BLOCKS)
        } else {
            1
        };
        let times = if self.path.blocks_matter { 1 } else { count };
        self.complete &= !self.path.blocks_matter || (looked == count && blocks.is_some());
        let (x, y) = (grid[0].unwrap_or(1).max(1), grid[1].unwrap_or(1).max(1));
        for nth in 0..looked {
            // Of more blocks than are looked at, the last one is among them: it may be the one that a bound cuts.
            let nth = if nth + 1 == looked { count - 1 } else { nth };
            let nth = i128::from(if self.path.blocks_matter { nth } else { 0 });
            let (x, y) = (i128::from(x), i128::from(y));
            site.block = [nth % x, nth / x % y, nth / (x * y)];
            self.block(&mut site, times, visit);
        }
    }

    fn block(&mut self, site: &mut Site, times: u64, visit: &mut dyn FnMut(&Request<'_>)) {
        let warps = self.shape.warps();
        let alike = self.path.warps_are_alike && self.shape.rows_are_warps();
        let (looked, times) = match alike {
            true => (1, times.saturating_mul(warps)),
            false => (warps, times),
        };
        for warp in 0..looked {
            let threads = std::array::from_fn(|lane| self.shape.thread(warp, lane));
            let active = threads.map(|thread| match thread {
                Some(_) => Activity::Yes,
                None => Activity::No,
            });
            let request = Request {
                warp,
                site: &site.clone(),
                threads,
                active,
                times,
            };
            self.descend(0, &request, visit);
        }
    }

    fn value(&self, request: &Request<'_>, lane: usize, term: TermId) -> Result<i128, EvalError> {
        let thread = request.threads[lane].unwrap_or([0; 3]);
        let lane = Lane {
            site: request.site,
            thread,
        };
        Evaluator::new(self.store, &lane).value(term)
    }

    /// The lanes for which a condition has a value.
    fn narrowed(&self, request: &Request<'_>, term: TermId, polarity: bool) -> [Activity; WARP] {
        std::array::from_fn(|lane| match request.active[lane] {
            Activity::No => Activity::No,
            before => match self.value(request, lane, term) {
                Ok(value) if (value != 0) == polarity => before,
                Err(EvalError::NotKnown(_)) => Activity::Maybe,
                _ => Activity::No,
            },
        })
    }

    fn descend(
        &mut self,
        level: usize,
        request: &Request<'_>,
        visit: &mut dyn FnMut(&Request<'_>),
    ) {
        if self.looked >= self.limit {
            self.complete = false;
            return;
        }
        let path = self.path;
        let Some(around) = path.loops.get(level) else {
            self.arrive(request, visit);
            return;
        };
        self.complete &= !around.has_break;
        let mut site = request.site.clone();
        let Some(condition) = around.condition else {
            self.complete = false;
            let most = around.most.map_or(OPEN, i128::from).min(OPEN);
            for at in 0..if around.matters { most } else { 1 } {
                site.iterations.insert(around.loop_id, at);
                self.descend(
                    level + 1,
                    &Request {
                        site: &site,
                        ..*request
                    },
                    visit,
                );
            }
            return;
        };
        if !around.matters {
            // Its condition is the same in all lanes.
            let lane = request
                .active
                .iter()
                .position(|active| *active != Activity::No);
            let mut trips = 0;
            while trips < STEPS {
                site.iterations.insert(around.loop_id, i128::from(trips));
                let inner = Request {
                    site: &site,
                    ..*request
                };
                match lane.map(|lane| self.value(&inner, lane, condition)) {
                    Some(Ok(value)) if value != 0 => trips += 1,
                    _ => break,
                }
            }
            self.complete &= trips < STEPS;
            if trips > 0 {
                site.iterations.insert(around.loop_id, 0);
                let times = request.times.saturating_mul(trips);
                self.descend(
                    level + 1,
                    &Request {
                        site: &site,
                        times,
                        ..*request
                    },
                    visit,
                );
            }
            return;
        }
        let mut active = request.active;
        for at in 0.. {
            site.iterations.insert(around.loop_id, at);
            let inner = Request {
                site: &site,
                active,
                ..*request
            };
            active = self.narrowed(&inner, condition, true);
            if active.iter().all(|active| *active == Activity::No) {
                break;
            }
            self.descend(
                level + 1,
                &Request {
                    site: &site,
                    active,
                    ..*request
                },
                visit,
            );
            // An iteration in which nothing is requested counts too, so that every loop comes to its end.
            self.looked += 1;
            if self.looked >= self.limit {
                self.complete = false;
                break;
            }
        }
    }

    fn arrive(&mut self, request: &Request<'_>, visit: &mut dyn FnMut(&Request<'_>)) {
        let mut active = request.active;
        for &(term, polarity) in &self.path.guards {
            active = self.narrowed(&Request { active, ..*request }, term, polarity);
        }
        if active.iter().all(|active| *active == Activity::No) {
            return;
        }
        self.looked += 1;
        self.requests = self.requests.saturating_add(request.times);
        visit(&Request { active, ..*request });
    }
}
