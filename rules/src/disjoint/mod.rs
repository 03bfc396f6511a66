//! Discharge by rule: pairs of accesses that no two threads of the scope can perform on
//! overlapping bytes in one interval, shown without a solver.
//!
//! **Method.** The byte offsets of the two accesses are polynomials over atoms. An atom is *shared*
//! when both instances surely have one value for it: it is uniform in the scope, and the loops that
//! it depends on are in the same iteration for both threads. What is left are digits (thread and
//! block indices, free loop ordinals, loaded values), each with a stride. See [`radix`] for the
//! arguments on strides, [`bounds`] for those on ranges and guards, [`align`] for what is shared.
//!
//! **Accuracy.** A discharged pair has no colliding threads, under the contract of the facts and of
//! [`Ranges`](warplog_facts::range::Ranges). A pair that stays open may or may not collide.
//!
//! A pair that stays open is judged once more with sums of sizes as atoms, see [`sums`].
//!
//! The rules, by name:
//! - D1 `single-thread`, `single-warp`, `single-block`: the launch has no two threads of the scope;
//! - D2 `atomic-with-atomic`: equal sizes, both aligned to it, each atomic for the other thread;
//! - D3 `contradictory-guards`: one conjunct, shared, true for one access and false for the other,
//!   or two equalities that cannot hold both;
//! - D4 `same-value`: both write the same shared value to the same bytes;
//! - D5 `separated-residues`: all strides are multiples of c, the offsets' distance modulo c is at
//!   least the access size on both sides;
//! - D6 `disjoint-ranges`: the largest offset of one, by ranges and guards, lies below the other's
//!   smallest;
//! - D7 `same-injective-index`: overlapping bytes force equality of all digits, and these make up
//!   the identity of the thread (of the block, between blocks); in any order of the strides, see [`order`]; places of a
//!   triangle, see [`triangle`];
//! - D8 `one-thread-only`: the guards alone force that;
//! - D9 `same-trip-count`: one thread is in an iteration of a loop that the other left before it,
//!   though they share its condition, see [`trip`];
//! - D10 `exchanged-partners`: overlap would make each the other's partner `t ^ j`, but both have
//!   a guard that orders partners the same way;
//! - D11 `not-on-one-path`: control is uniform, and no path of the interval has both, see
//!   [`lockstep`];
//! - D12 `one-warp-only`, `different-warps`: the guards keep both threads in one warp of a
//!   one-dimensional block, or in two;
//! - D13 `lock-step`: in one warp of a launch with lock-step warps, see [`warps`](crate::warps);
//! - D14 `factored-residues`: D5 of what is left of the distance when a shared factor of at least 1 is taken out of it,
//!   see [`factor`];
//! - D16 `different-classes`: overlap would make the two neighbours, and the guards of both fix the same remainder, see
//!   [`classes`];
//! - D18 `all-threads-tried`: of all threads of a small block, no two have places that overlap, see [`tried`];
//! - D19 `inserted-digit`: both offsets make room in one number for the digit that tells them apart, as butterflies do, see
//!   [`inserted`];
//! - D20 `separated-magnitudes`: what is left between the two offsets is larger than what digits below it come to, by absolute
//!   values of sizes whose sign is not known, see [`magnitudes`].

pub(crate) mod align;
pub(crate) mod bounds;
mod classes;
mod factor;
mod form;
mod inserted;
mod lockstep;
mod magnitudes;
mod order;
mod radix;
mod sums;
mod triangle;
mod tried;
mod trip;
mod two;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{AffineRow, ThreadPrivateRow};
use warplog_facts::poly::{Basis, Polynomial, Polynomials};
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, PairScope, Scope, Space};
use warplog_facts::{AccessId, AccessRow, Axis, LaunchId, LoopId, Op, PointId, TermId, TermStore};

use crate::candidates::Pair;
use crate::context::{Context, Level};
use crate::uniformity::Uniform;
pub(crate) use form::Regions;
use form::{Instance, LaunchForm};
use radix::Outcome;
use two::Two;

/// What the rules say of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No two threads of the scope collide.
    Discharged {
        /// Name of the rule.
        rule: &'static str,
        /// A term that it rests on.
        evidence: Option<TermId>,
    },
    /// Not decided by rule.
    Open,
}

/// Back edges that can be crossed after a point without a barrier of the scope.
type Crossed = FxHashMap<(Level, PointId), Rc<Vec<LoopId>>>;

/// The discharge rules with what they keep between pairs.
pub(crate) struct Judge<'r> {
    pub(crate) ctx: &'r Context<'r>,
    regions: &'r Regions<'r>,
    polynomials: Vec<Polynomials<'r>>,
    instances: Vec<OnceCell<Rc<Instance>>>,
    /// The terms of a loop's iteration and of its exit, where both are mentioned.
    exits: FxHashMap<LoopId, (TermId, TermId)>,
    launches: Vec<OnceCell<Rc<LaunchForm>>>,
    uniform: &'r Uniform,
    term_loops: &'r [Vec<LoopId>],
    /// Writes of one value to the same bytes are candidates, too.
    report_benign: bool,
    crossed: RefCell<Crossed>,
    following: RefCell<Following>,
    uniform_paths: RefCell<FxHashMap<(LaunchId, Scope), bool>>,
    separated: RefCell<FxHashMap<Question, Answer>>,
    shapes: RefCell<FxHashMap<Shape, u32>>,
    tables: tried::Tables,
    /// What stands in place of atoms, for sums to be atoms, see [`sums`]: nothing, but for the judges of `over_sums`.
    basis: Rc<Basis>,
    over_sums: RefCell<FxHashMap<sums::Sums, Option<Rc<Judge<'r>>>>>,
    sums: Vec<OnceCell<Rc<Vec<TermId>>>>,
    factors: OnceCell<FxHashSet<TermId>>,
}

/// What follows a node of an interval, by the interval's scope and head.
type Following = FxHashMap<(Level, PointId, lockstep::Node), Rc<FxHashSet<lockstep::Node>>>;

/// What the offset of an access looks like but for its constant part: conjuncts, polynomial, size.
type Shape = (usize, Polynomial, i128);

/// What [`Judge::separate`] depends on: two shapes, the difference of their constant parts, the
/// scope, the loops in the same iteration.
type Question = (u32, u32, i128, PairScope, Vec<LoopId>);

/// A rule, and a conjunct that it rests on, if not the first access's offset.
type Answer = Option<(&'static str, Option<TermId>)>;

impl<'r> Judge<'r> {
    pub(crate) fn new(
        ctx: &'r Context<'r>,
        regions: &'r Regions<'r>,
        uniform: &'r Uniform,
        term_loops: &'r [Vec<LoopId>],
        report_benign: bool,
    ) -> Self {
        let basis = Rc::default();
        let store = &ctx.facts.terms;
        Judge {
            ctx,
            report_benign,
            regions,
            polynomials: polynomials(&basis, store, regions),
            instances: ctx.facts.access.iter().map(|_| OnceCell::new()).collect(),
            exits: iterations_and_exits(store),
            launches: ctx.facts.launch.iter().map(|_| OnceCell::new()).collect(),
            uniform,
            term_loops,
            crossed: RefCell::default(),
            following: RefCell::default(),
            uniform_paths: RefCell::default(),
            separated: RefCell::default(),
            shapes: RefCell::default(),
            tables: tried::Tables::default(),
            basis,
            over_sums: RefCell::default(),
            sums: ctx.facts.access.iter().map(|_| OnceCell::new()).collect(),
            factors: OnceCell::new(),
        }
    }

    /// The same over another basis.
    fn over(&self, basis: Basis) -> Judge<'r> {
        let plain = Judge::new(
            self.ctx,
            self.regions,
            self.uniform,
            self.term_loops,
            self.report_benign,
        );
        let basis = Rc::new(basis);
        Judge {
            polynomials: polynomials(&basis, &self.ctx.facts.terms, self.regions),
            basis,
            ..plain
        }
    }

    fn instance(&self, access: AccessId) -> Rc<Instance> {
        let cell = &self.instances[access.index()];
        Rc::clone(cell.get_or_init(|| {
            let region = self.regions.of(access);
            let mut instance = Instance::new(
                self.ctx,
                access,
                region,
                self.regions.ranges(region),
                &self.polynomials[region],
            );
            instance
                .inequalities
                .extend(self.before_exits(access, &instance));
            instance.inequalities.extend(self.sizes(access));
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
            let everywhere = self.uniform.everywhere();
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

    /// A launch with `width / n` threads or blocks, which is at least 1, has a width of at least n.
    fn sizes(&self, access: AccessId) -> Vec<Polynomial> {
        let region = self.regions.of(access);
        let (store, ranges) = (&self.ctx.facts.terms, self.regions.ranges(region));
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

    fn launch(&self, launch: LaunchId) -> Rc<LaunchForm> {
        let cell = &self.launches[launch.index()];
        Rc::clone(cell.get_or_init(|| {
            let ranges = self.regions.base(launch);
            let basis = Rc::clone(&self.basis);
            Rc::new(LaunchForm::new(self.ctx, launch, ranges, basis))
        }))
    }

    /// What the rules say of the pair.
    pub(crate) fn verdict(&self, pair: &Pair) -> Verdict {
        let launch = self.launch(self.ctx.launch_of(pair.head));
        let discharged = |rule, evidence| Verdict::Discharged { rule, evidence };
        // D1
        if let Some(rule) = launch.lacks_two_threads(pair.scope) {
            return discharged(rule, None);
        }
        let (first, second) = (self.instance(pair.first), self.instance(pair.second));
        // D2
        if self.both_atomic(pair, &first, &second) {
            return discharged("atomic-with-atomic", None);
        }
        let aligned = self.aligned_loops(pair);
        let scope = match pair.scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        };
        // D9
        if let Some(condition) =
            trip::same_trip_count(self, pair, scope, &aligned, (&first, &second))
        {
            return discharged("same-trip-count", Some(condition));
        }
        let answer = self.answer(pair, scope, &aligned).or_else(|| {
            let over = self.over_sums(pair, scope, &aligned)?;
            over.answer(pair, scope, &aligned)
        });
        if let Some((rule, conjunct)) = answer {
            let index = self.ctx.access(pair.first).index;
            return discharged(rule, conjunct.or(Some(index)));
        }
        if lockstep::is_on_no_path(self, pair, scope) {
            return discharged("not-on-one-path", None);
        }
        // D4, last: what it discharges may meet, and is remarked on.
        match self.same_value(pair, (&first, &second), scope, &aligned) {
            Some(value) if !self.report_benign => discharged("same-value", Some(value)),
            _ => Verdict::Open,
        }
    }

    /// The rule by which the offsets are apart, and what it rests on.
    fn answer(&self, pair: &Pair, scope: Scope, aligned: &[LoopId]) -> Answer {
        let launch = self.launch(self.ctx.launch_of(pair.head));
        let (first, second) = (self.instance(pair.first), self.instance(pair.second));
        let apart = first.index.constant_part() - second.index.constant_part();
        let question = (
            first.shape,
            second.shape,
            apart,
            pair.scope,
            aligned.to_vec(),
        );
        let known = self.separated.borrow().get(&question).copied();
        known.unwrap_or_else(|| {
            let mut two = Two {
                judge: self,
                launch: &launch,
                pair,
                scope,
                aligned: aligned.to_vec(),
                first: &first,
                second: &second,
                equal: Vec::new(),
                positive: None,
            };
            let answer = self.separate(&mut two);
            self.separated.borrow_mut().insert(question, answer);
            answer
        })
    }

    fn has_uniform_paths(&self, launch: LaunchId, scope: Scope) -> bool {
        let mut known = self.uniform_paths.borrow_mut();
        *known
            .entry((launch, scope))
            .or_insert_with(|| lockstep::has_uniform_paths(self.ctx, self.uniform, launch, scope))
    }

    fn following(
        &self,
        level: Level,
        head: PointId,
        from: lockstep::Node,
    ) -> Rc<FxHashSet<lockstep::Node>> {
        let mut known = self.following.borrow_mut();
        let entry = known.entry((level, head, from));
        Rc::clone(
            entry.or_insert_with(|| Rc::new(lockstep::following(self.ctx, level, head, from))),
        )
    }

    /// D3 and D5 to D8: what depends on the two offsets only by their shapes and distance.
    fn separate(&self, two: &mut Two<'_, 'r>) -> Answer {
        let (first, second) = (two.first, two.second);
        for &(term, polarity) in &first.literals {
            if second.literals.contains(&(term, !polarity)) && two.is_shared(term) {
                return Some(("contradictory-guards", Some(term)));
            }
        }
        if !bounds::is_small(&first.index) || !bounds::is_small(&second.index) {
            return None;
        }
        if let Some(rule) = two.by_warps() {
            return Some((rule, None));
        }
        if two.are_exchanged() {
            return Some(("exchanged-partners", None));
        }
        two.add_known_equalities();
        if two.is_one_thread() {
            return Some(("one-thread-only", None));
        }
        loop {
            let known = two.equal.len();
            let mut evidence = None;
            for (term, left) in &first.equalities {
                for (other, right) in &second.equalities {
                    match two.compare(left, right, (1, 1), false) {
                        Outcome::Apart(_) => return Some(("contradictory-guards", Some(*term))),
                        Outcome::Equal(atoms) if term == other => {
                            evidence = Some(*term);
                            two.add_equal(&atoms);
                        }
                        _ => {}
                    }
                }
            }
            two.close();
            if two.is_one_thread() {
                return Some(("one-thread-only", evidence));
            }
            match two.compare_by_cases(&first.index, &second.index, (first.bytes, second.bytes)) {
                Outcome::Apart(rule) => return Some((rule, None)),
                Outcome::Equal(atoms) => two.add_equal(&atoms),
                Outcome::Nothing => {}
            }
            let bytes = first.bytes.max(second.bytes);
            match two.compare_inserted(&first.index, &second.index, bytes) {
                Outcome::Apart(rule) => return Some((rule, None)),
                Outcome::Equal(atoms) => two.add_equal(&atoms),
                Outcome::Nothing => {}
            }
            match two.compare_magnitudes(&first.index, &second.index, bytes) {
                Outcome::Apart(rule) => return Some((rule, None)),
                Outcome::Equal(atoms) => two.add_equal(&atoms),
                Outcome::Nothing => {}
            }
            match two.compare_rows_of_triangles() {
                Outcome::Apart(rule) => return Some((rule, None)),
                Outcome::Equal(atoms) => two.add_equal(&atoms),
                Outcome::Nothing => {}
            }
            two.close();
            if !two.is_one_thread() && two.equal.len() == known {
                match two.compare_parts() {
                    Outcome::Apart(rule) => return Some((rule, None)),
                    Outcome::Equal(atoms) => two.add_equal(&atoms),
                    Outcome::Nothing => {}
                }
                two.close();
            }
            if two.is_one_thread() {
                return Some(("same-injective-index", None));
            }
            if two.equal.len() == known {
                if let Some(guard) = two.are_of_different_classes() {
                    return Some(("different-classes", Some(guard)));
                }
                return two
                    .are_apart_in_all_threads()
                    .then_some(("all-threads-tried", None));
            }
        }
    }

    /// D2: two atomic operations that cannot overlap partially, each atomic for the other thread.
    fn both_atomic(&self, pair: &Pair, first: &Instance, second: &Instance) -> bool {
        let needed = match pair.scope {
            PairScope::Grid => Scope::Grid,
            _ => Scope::Block,
        };
        let atomic = |access: AccessId| {
            let row = self.ctx.access(access);
            row.kind == AccessKind::Atomic && row.scope >= needed
        };
        atomic(pair.first) && atomic(pair.second) && same_or_apart(first, second)
    }

    /// D4: the value that both write to the same bytes, if it is shared.
    fn same_value(
        &self,
        pair: &Pair,
        instances: (&Instance, &Instance),
        scope: Scope,
        aligned: &[LoopId],
    ) -> Option<TermId> {
        let (first, second) = (self.ctx.access(pair.first), self.ctx.access(pair.second));
        let plain = |row: &AccessRow| row.kind == AccessKind::Write;
        if !plain(first) || !plain(second) {
            return None;
        }
        let (stored, other) = (self.ctx.stored(first), self.ctx.stored(second));
        let same = stored == other
            && stored
                .iter()
                .all(|&(_, _, value)| self.is_shared(value, scope, aligned));
        let &(_, _, value) = stored.first()?;
        (same && same_or_apart(instances.0, instances.1)).then_some(value)
    }

    /// Whether two instances of a term are equal for two threads of the scope with these loops in
    /// the same iteration.
    fn is_shared(&self, term: TermId, scope: Scope, aligned: &[LoopId]) -> bool {
        self.uniform.everywhere().is_uniform(term, scope)
            && self.term_loops[term.index()]
                .iter()
                .all(|loop_id| aligned.binary_search(loop_id).is_ok())
    }

    /// The back edges that can be crossed after a point without a barrier of the scope.
    fn crossed(&self, level: Level, start: PointId) -> Rc<Vec<LoopId>> {
        let mut known = self.crossed.borrow_mut();
        let entry = known.entry((level, start));
        Rc::clone(entry.or_insert_with(|| {
            Rc::new(crate::intervals::crossed_back_edges(self.ctx, level, start))
        }))
    }

    fn aligned_loops(&self, pair: &Pair) -> Vec<LoopId> {
        if pair.exit.is_some() {
            return Vec::new();
        }
        let level = pair.level();
        let aligned = align::aligned_loops(self.ctx, pair, &|start| self.crossed(level, start));
        lockstep::with_common_rounds(self, pair, aligned)
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

/// Whether the bytes of the two accesses are the same or do not overlap: both have one size and
/// lie at multiples of it.
fn same_or_apart(first: &Instance, second: &Instance) -> bool {
    let multiple = |polynomial: &Polynomial| {
        let mut monomials = polynomial.monomials();
        monomials.all(|(_, coefficient)| coefficient % first.bytes == 0)
    };
    first.bytes == second.bytes && multiple(&first.index) && multiple(&second.index)
}

/// The rows of `affine`: offsets with constant coefficients of the thread index and a remainder
/// that is uniform in the block.
pub(crate) fn affine(judge: &Judge<'_>) -> Vec<AffineRow> {
    let facts = judge.ctx.facts;
    let show = OnceCell::new();
    let mut rows = Vec::new();
    for row in &facts.access {
        let instance = judge.instance(row.access);
        let affine = instance.index.monomials().all(|(monomial, _)| {
            let tid = |&atom: &TermId| {
                Axis::ALL
                    .iter()
                    .any(|a| facts.terms.get(atom).op == a.tid())
            };
            matches!(monomial.as_slice(), [atom] if tid(atom))
                || monomial
                    .iter()
                    .all(|&atom| judge.uniform.everywhere().is_uniform(atom, Scope::Block))
        });
        if affine {
            rows.push(AffineRow {
                access: row.access,
                form: form::show(show.get_or_init(|| Show::new(facts)), &instance.index),
            });
        }
    }
    rows
}

/// The rows of `thread_private`.
pub(crate) fn thread_private(ctx: &Context<'_>) -> Vec<ThreadPrivateRow> {
    // R29: local memory is another object in each thread.
    let local = ctx
        .facts
        .array
        .iter()
        .filter(|row| row.space == Space::Local);
    local
        .map(|row| ThreadPrivateRow {
            array: row.array,
            rule: "local-memory".to_owned(),
        })
        .collect()
}
