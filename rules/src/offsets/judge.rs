//! What discharge keeps between pairs: the forms of accesses and launches, and answers that pairs share.
//!
//! The byte offset of an access is a polynomial over atoms. An atom is *shared* by two threads when both surely have one value for
//! it: it is uniform in the scope, and the loops that it depends on are in the same iteration for both.
//! What is left are digits (thread and block indices, free loop ordinals, loaded values), each with a stride.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::poly::{Basis, Polynomial, Polynomials};
use warplog_facts::words::{PairScope, Scope};
use warplog_facts::{AccessId, LaunchId, LoopId, Op, PointId, TermId, TermStore};

use super::bounds;
use super::comparison::Compare;
use super::form::{self, Instance, LaunchForm, Regions};
use super::outcome::Proof;
use super::paths::{self, Node};
use super::places::Tables;
use crate::context::{Context, Level};
use crate::flags::Flags;
use crate::locks::Locks;
use crate::phases::Phases;
use crate::tickets::Tickets;
use crate::uniformity::Uniform;

/// What other analyses found, and what was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Given<'r> {
    pub(crate) regions: &'r Regions<'r>,
    pub(crate) uniform: &'r Uniform,
    /// The loops that each term depends on.
    pub(crate) term_loops: &'r [Vec<LoopId>],
    pub(crate) locks: &'r Locks,
    pub(crate) tickets: &'r Tickets,
    pub(crate) phases: &'r Phases,
    pub(crate) flags: &'r Flags,
    /// Writes of one value to the same bytes are candidates, too.
    pub(crate) report_benign: bool,
    /// The rules that are asked of two polynomials, in their order.
    pub(crate) comparisons: &'r [Compare],
}

/// What is kept between pairs.
pub(crate) struct Judge<'r> {
    pub(crate) ctx: &'r Context<'r>,
    pub(crate) given: Given<'r>,
    /// The polynomials of each region.
    pub(crate) polynomials: Vec<Polynomials<'r>>,
    /// What stands in place of atoms, for sums to be atoms, see [`sums`](super::sums): nothing, but for the judges of
    /// [`SumMemo::judges`].
    pub(crate) basis: Rc<Basis>,
    pub(crate) sums: SumMemo<'r>,
    pub(crate) tables: Tables,
    pub(crate) separated: RefCell<FxHashMap<Key, Option<Proof>>>,
    instances: Vec<OnceCell<Rc<Instance>>>,
    launches: Vec<OnceCell<Rc<LaunchForm>>>,
    /// The terms of a loop's iteration and of its exit, where both are mentioned.
    exits: FxHashMap<LoopId, (TermId, TermId)>,
    /// Quotients, by what is divided and by what.
    quotients: OnceCell<FxHashMap<[TermId; 2], TermId>>,
    shapes: RefCell<FxHashMap<Shape, u32>>,
    paths: PathMemo,
}

/// Answers about ways through the control-flow graph.
#[derive(Default)]
struct PathMemo {
    /// Back edges that can be crossed after a point without a barrier of the scope.
    crossed: RefCell<Crossed>,
    /// What follows a node of an interval, by the interval's scope and head.
    following: RefCell<Following>,
    uniform: RefCell<FxHashMap<(LaunchId, Scope), bool>>,
}

/// Back edges by the scope and the point after which they can be crossed.
type Crossed = FxHashMap<(Level, PointId), Rc<Vec<LoopId>>>;

/// Nodes by the scope, the head and the node that they follow.
type Following = FxHashMap<(Level, PointId, Node), Rc<FxHashSet<Node>>>;

/// What is known of sums that are atoms, see [`sums`](super::sums).
pub(crate) struct SumMemo<'r> {
    pub(crate) judges: RefCell<FxHashMap<Sums, Option<Rc<Judge<'r>>>>>,
    /// The sums that each access certainly computes.
    pub(crate) of_access: Vec<OnceCell<Rc<Vec<TermId>>>>,
    pub(crate) factors: OnceCell<FxHashSet<TermId>>,
}

/// The sums that are atoms for a judge, and of which launch they are.
pub(crate) type Sums = (LaunchId, Vec<TermId>);

/// What the offset of an access looks like but for its constant part: conjuncts, polynomial, size.
type Shape = (usize, Polynomial, i128);

/// What the answer about two offsets depends on: two shapes, the difference of their constant parts, the scope, the loops in the
/// same iteration.
pub(crate) type Key = (u32, u32, i128, PairScope, Vec<LoopId>);

impl<'r> Judge<'r> {
    pub(crate) fn new(ctx: &'r Context<'r>, given: Given<'r>) -> Self {
        Judge::over_basis(ctx, given, Basis::default())
    }

    /// The judge to whom the sums of the basis are atoms.
    pub(crate) fn over_basis(ctx: &'r Context<'r>, given: Given<'r>, basis: Basis) -> Self {
        let basis = Rc::new(basis);
        let store = &ctx.facts.terms;
        Judge {
            ctx,
            given,
            polynomials: polynomials(&basis, store, given.regions),
            basis,
            sums: SumMemo {
                judges: RefCell::default(),
                of_access: ctx.facts.access.iter().map(|_| OnceCell::new()).collect(),
                factors: OnceCell::new(),
            },
            tables: Tables::default(),
            separated: RefCell::default(),
            instances: ctx.facts.access.iter().map(|_| OnceCell::new()).collect(),
            launches: ctx.facts.launch.iter().map(|_| OnceCell::new()).collect(),
            exits: iterations_and_exits(store),
            quotients: OnceCell::new(),
            shapes: RefCell::default(),
            paths: PathMemo::default(),
        }
    }

    /// The form of an access.
    pub(crate) fn instance(&self, access: AccessId) -> Rc<Instance> {
        let cell = &self.instances[access.index()];
        Rc::clone(cell.get_or_init(|| {
            let region = self.given.regions.of(access);
            let mut instance = Instance::new(
                self.ctx,
                access,
                self.given.regions,
                &self.polynomials[region],
            );
            instance
                .inequalities
                .extend(self.before_exits(access, &instance));
            instance.inequalities.extend(self.sizes(access));
            instance
                .inequalities
                .extend(self.bounds_of_choices(&instance));
            let constant = Polynomial::constant(instance.index.constant_part());
            let shape = (region, instance.index.minus(&constant), instance.bytes);
            let mut shapes = self.shapes.borrow_mut();
            let next = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
            instance.shape = *shapes.entry(shape).or_insert(next);
            Rc::new(instance)
        }))
    }

    /// In an iteration of a loop whose condition is true in it, and is that of all threads: `exit - iter - 1`, for each such loop,
    /// which is at least 0. Whoever left the loop did so at an iteration where its condition is false.
    fn before_exits(&self, access: AccessId, instance: &Instance) -> Vec<Polynomial> {
        let point = self.ctx.access(access).point;
        let mut found = Vec::new();
        for &loop_id in self.ctx.loops(point) {
            let (Some(condition), Some(&(iter, exit))) = (
                self.ctx.facts.loop_[loop_id.index()].condition,
                self.exits.get(&loop_id),
            ) else {
                continue;
            };
            let holds = instance.literals.contains(&(condition, true))
                || self.ctx.guards(point).contains(&(condition, true));
            let everywhere = self.given.uniform.everywhere();
            if holds
                && everywhere.is_uniform(condition, Scope::Grid)
                && everywhere.is_uniform(exit, Scope::Grid)
            {
                let less = Polynomial::atom(iter).plus(&Polynomial::constant(1));
                found.push(Polynomial::atom(exit).minus(&less));
            }
        }
        found
    }

    /// Of a smallest number that is an atom: that it is at most each of those that it was chosen from; of a largest, at least.
    fn bounds_of_choices(&self, instance: &Instance) -> Vec<Polynomial> {
        let store = &self.ctx.facts.terms;
        let ranges = self.given.regions.ranges(instance.region);
        let polynomials = &self.polynomials[instance.region];
        let mut found = Vec::new();
        for atom in instance.index.atoms() {
            let own = Polynomial::atom(atom);
            for op in [Op::Min, Op::Max] {
                for part in form::parts(store, ranges, atom, op) {
                    if part == atom {
                        continue;
                    }
                    let part = polynomials.of(part);
                    found.push(match op {
                        Op::Min => part.minus(&own),
                        _ => own.minus(&part),
                    });
                }
            }
        }
        found.retain(bounds::is_small);
        found
    }

    /// A launch with `width / n` threads or blocks, which is at least 1, has a width of at least n.
    fn sizes(&self, access: AccessId) -> Vec<Polynomial> {
        let region = self.given.regions.of(access);
        let (store, ranges) = (&self.ctx.facts.terms, self.given.regions.ranges(region));
        let launch = self.ctx.launch_of(self.ctx.access(access).point);
        let mut found = Vec::new();
        for &(_, mut term) in self.ctx.dimensions(launch) {
            while matches!(store.get(term).op, Op::Cast | Op::Fit) && ranges.is_exact(term) {
                term = store.get(term).args[0];
            }
            let node = store.get(term);
            let (Op::Div, &[of, by]) = (node.op, node.args.as_slice()) else {
                continue;
            };
            let least = ranges.range(term).low;
            let parts = store.reachable(&[of, by]);
            let assumes = parts.iter().any(|&part| ranges.rests_on(part).any());
            if ranges.range(by).low < 1 || least < 1 || assumes {
                continue;
            }
            let polynomials = &self.polynomials[region];
            let (dividend, divisor) = (polynomials.of(of), polynomials.of(by));
            if divisor.as_constant().is_none() {
                found.push(dividend.plus_scaled(&divisor, -least));
            }
        }
        found.retain(bounds::is_small);
        found
    }

    /// The term of a quotient, if there is one.
    pub(crate) fn quotient(&self, dividend: TermId, divisor: TermId) -> Option<TermId> {
        let find = || {
            let terms = self.ctx.facts.terms.iter();
            let quotients = terms.filter_map(|(id, term)| match (term.op, term.args.as_slice()) {
                (Op::Div, &[dividend, divisor]) => Some(([dividend, divisor], id)),
                _ => None,
            });
            quotients.collect()
        };
        let quotients = self.quotients.get_or_init(find);
        quotients.get(&[dividend, divisor]).copied()
    }

    /// The form of a launch.
    pub(crate) fn launch(&self, launch: LaunchId) -> Rc<LaunchForm> {
        let cell = &self.launches[launch.index()];
        Rc::clone(cell.get_or_init(|| {
            let ranges = self.given.regions.base(launch);
            let basis = Rc::clone(&self.basis);
            Rc::new(LaunchForm::new(self.ctx, launch, ranges, basis))
        }))
    }

    /// Whether control of a launch is uniform in the scope as far as barriers and leavings go.
    pub(crate) fn has_uniform_paths(&self, launch: LaunchId, scope: Scope) -> bool {
        let mut known = self.paths.uniform.borrow_mut();
        *known.entry((launch, scope)).or_insert_with(|| {
            paths::has_uniform_paths(self.ctx, self.given.uniform, launch, scope)
        })
    }

    /// What can follow a node within the interval of a head.
    pub(crate) fn following(&self, level: Level, head: PointId, from: Node) -> Rc<FxHashSet<Node>> {
        let mut known = self.paths.following.borrow_mut();
        let entry = known.entry((level, head, from));
        Rc::clone(entry.or_insert_with(|| Rc::new(paths::following(self.ctx, level, head, from))))
    }

    /// Whether two instances of a term are equal for two threads of the scope with these loops in
    /// the same iteration.
    pub(crate) fn is_shared(&self, term: TermId, scope: Scope, aligned: &[LoopId]) -> bool {
        self.given.uniform.everywhere().is_uniform(term, scope)
            && self.given.term_loops[term.index()]
                .iter()
                .all(|loop_id| aligned.binary_search(loop_id).is_ok())
    }

    /// The back edges that can be crossed after a point without a barrier of the scope.
    pub(crate) fn crossed(&self, level: Level, start: PointId) -> Rc<Vec<LoopId>> {
        let mut known = self.paths.crossed.borrow_mut();
        let entry = known.entry((level, start));
        Rc::clone(entry.or_insert_with(|| {
            Rc::new(crate::intervals::crossed_back_edges(self.ctx, level, start))
        }))
    }
}

/// The polynomials of each region over a basis.
fn polynomials<'r>(
    basis: &Rc<Basis>,
    store: &'r TermStore,
    regions: &'r Regions<'r>,
) -> Vec<Polynomials<'r>> {
    (0..regions.len())
        .map(|region| Polynomials::over(Rc::clone(basis), store, regions.ranges(region)))
        .collect()
}

/// The terms of the iteration and of the exit of each loop of which both are mentioned.
fn iterations_and_exits(store: &TermStore) -> FxHashMap<LoopId, (TermId, TermId)> {
    let mut iterations = FxHashMap::default();
    let mut exits = Vec::new();
    for (id, term) in store.iter() {
        match (term.op, term.loop_id()) {
            (Op::Iter, Some(loop_id)) => {
                iterations.insert(loop_id, id);
            }
            (Op::Exit, Some(loop_id)) => exits.push((loop_id, id)),
            _ => {}
        }
    }
    let both = exits.into_iter().filter_map(|(loop_id, exit)| {
        let iter = *iterations.get(&loop_id)?;
        Some((loop_id, (iter, exit)))
    });
    both.collect()
}
