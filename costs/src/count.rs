//! What each access costs in its worst request, by which warp, and on which sizes that depends.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{ConflictDegreeRow, DivergentAtRow, RequestSectorsRow};
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::poly::{Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, CostAnswer, Space};
use warplog_facts::{
    AccessId, ArrayId, Derived, Facts, LaunchId, Op, PointId, Term, TermId, UnknownId,
};

use crate::branches::{self, Branch};
use crate::device::{Device, LINE, WARP};
use crate::form::{Dependence, Form, Summand, unwrapped};
use crate::lanes::{Fixed, Lanes, Row};
use crate::mend::{self, Mend, Transform};
use crate::request::{Touched, Turns, most_turns, touched, turns};
use crate::rules;
use crate::shape::{Shape, Sizes, bare};
use crate::stride;
use crate::walk::{Activity, Index, LIMIT, Path, Request, Walk};
use crate::weight::{Weight, Went, Words, enclosed};

/// Requests of a launch that are looked at one by one, all accesses and all changes that might help together.
const REQUESTS: u64 = 1 << 16;

/// Requests of one access that are looked at, however many others were.
const LEAST: u64 = 64;

/// A size of a row that divides 32.
const DIVISOR: i64 = 16;
/// One that is neither a multiple nor a divisor of 32, and odd, so that blocks begin at all multiples of an element.
const NEITHER: i64 = 993;

/// Threads of a row below which a block is unusual.
const USUAL: i64 = 8;

/// Blocks that are looked at where their number is open.
const SOME_BLOCKS: i64 = 8;

/// What to count for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The device.
    pub device: Device,
}

/// The warp that shows a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warp {
    /// `blockDim`.
    pub block_dim: [i64; 3],
    /// `blockIdx`.
    pub block: [i128; 3],
    /// Its number in the block.
    pub warp: u64,
    /// Iterations of the loops around the access, by line of their heads.
    pub iterations: Vec<(u32, i128)>,
    /// The byte offset of each lane in the array, but for what all lanes share and is open; none for lanes that do not take part.
    pub lanes: Vec<Option<i64>>,
    /// Values of open strides, by their names.
    pub strides: Vec<(String, i128)>,
}

/// What the worst request of an access takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Turns of shared memory.
    Shared(Turns),
    /// Sectors of global memory.
    Global(Touched),
}

impl Takes {
    /// Turns or sectors, and the fewest possible.
    #[must_use]
    pub fn against_fewest(self) -> (u32, u32) {
        match self {
            Takes::Shared(turns) => (turns.turns, turns.parts),
            Takes::Global(touched) => (touched.sectors, touched.fewest),
        }
    }

    /// What it takes beyond the fewest.
    #[must_use]
    pub fn excess(self) -> u32 {
        let (taken, fewest) = self.against_fewest();
        taken.saturating_sub(fewest)
    }
}

/// The count of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The access.
    pub access: AccessId,
    /// Its launch.
    pub launch: LaunchId,
    /// What the count is.
    pub answer: CostAnswer,
    /// What the worst request takes; where nothing can be told, the most that one could.
    pub takes: Takes,
    /// What it takes where what is open of its address is best for it; the same, if nothing is.
    pub at_least: Takes,
    /// Whether the worst request takes more than the fewest wherever the rest of its address lies.
    pub is_excess: bool,
    /// On which sizes it depends.
    pub condition: String,
    /// How often it is requested.
    pub weight: Weight,
    /// What all requests take beyond the fewest, as far as they were gone through.
    pub excess: u64,
    /// The warp that shows it.
    pub warp: Option<Warp>,
    /// What would help, and was counted to.
    pub mend: Option<Mend>,
}

/// All that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Of accesses, in their order.
    pub counts: Vec<Count>,
    /// Of branches, in the order of their points.
    pub branches: Vec<Branch>,
}

/// Counts everything, and gives the relations their rows.
pub fn costs(facts: &Facts, derived: &mut Derived, options: &Options) -> Counted {
    let index = Index::new(facts);
    let mut shared: FxHashSet<TermId> = derived.uniform.iter().map(|row| row.term).collect();
    // How many lanes are together, and which they are, all of them have equal.
    let together = &facts.lanes_together;
    shared.extend(together.iter().filter_map(|row| row.mask));
    if !together.is_empty() {
        let sizes: FxHashSet<UnknownId> = together.iter().map(|row| row.size).collect();
        let is_size = |term: &Term| term.unknown().is_some_and(|own| sizes.contains(&own));
        let own = facts.terms.iter().filter(|(_, term)| is_size(term));
        shared.extend(own.map(|(id, _)| id));
    }
    let shared = Rc::new(shared);
    // Nor what stands for a copy that was counted where it is begun.
    let under_way = facts.copy_under_way.iter().map(|row| row.access);
    // Nor bulk copies, which are no requests of a warp.
    let bulk = facts.copy_access.iter().filter(|row| row.bulk);
    let annotations: FxHashSet<AccessId> = facts
        .annotation_read
        .iter()
        .map(|row| row.access)
        .chain(under_way)
        .chain(bulk.map(|row| row.access))
        .collect();
    let show = Show::new(facts);
    let launch_of = |point: PointId| facts.point[point.index()].launch;
    let mut accesses: FxHashMap<LaunchId, Vec<AccessId>> = FxHashMap::default();
    for row in &facts.access {
        let own = accesses.entry(launch_of(row.point)).or_default();
        own.push(row.access);
    }
    let mut guards: FxHashMap<LaunchId, Vec<usize>> = FxHashMap::default();
    for (nth, row) in facts.guard_at.iter().enumerate() {
        guards
            .entry(launch_of(row.cause_point))
            .or_default()
            .push(nth);
    }
    let mut counted = Counted::default();
    for launch in &facts.launch {
        let ranges = Ranges::new(facts, launch.launch);
        let polynomials = Polynomials::new(&facts.terms, &ranges);
        let words = Words {
            facts,
            show: &show,
            polynomials: &polynomials,
        };
        let shared = Rc::clone(&shared);
        let mut counter = Counter::new(facts, &index, words, shared, launch.launch, options.device);
        let own = accesses.remove(&launch.launch).unwrap_or_default();
        counter.accesses.clone_from(&own);
        for access in own {
            if !annotations.contains(&access)
                && let Some(count) = counter.count(access)
            {
                counted.counts.push(count);
            }
        }
        let own = guards.remove(&launch.launch).unwrap_or_default();
        branches::of_launch(&mut counter, &own, &mut counted.branches);
    }
    counted.counts.sort_by_key(|count| count.access);
    counted
        .branches
        .sort_by_key(|branch| (branch.point, branch.term));
    rows(&counted, derived);
    counted
}

/// The rows of the relations.
fn rows(counted: &Counted, derived: &mut Derived) {
    let joined = rules::join(counted);
    for count in &counted.counts {
        match count.takes {
            Takes::Shared(_) => derived.conflict_degree.push(ConflictDegreeRow {
                access: count.access,
                answer: count.answer,
                degree: joined.degree(count.access),
                condition: count.condition.clone(),
                weight: count.weight.text.clone(),
                requests: count.weight.requests,
            }),
            Takes::Global(touched) => derived.request_sectors.push(RequestSectorsRow {
                access: count.access,
                answer: count.answer,
                sectors: touched.sectors,
                fewest: touched.fewest,
                lines: touched.lines,
                bytes: touched.bytes,
                condition: count.condition.clone(),
                weight: count.weight.text.clone(),
                requests: count.weight.requests,
            }),
        }
    }
    for branch in &counted.branches {
        derived.divergent_at.push(DivergentAtRow {
            point: branch.point,
            term: branch.term,
            answer: branch.answer,
            divergent: branch.divergent,
            warps: branch.arriving,
            serialised: u32::try_from(branch.serialised()).unwrap_or(u32::MAX),
        });
    }
}

/// Counts the accesses of one launch.
pub(crate) struct Counter<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) index: &'a Index<'a>,
    pub(crate) words: Words<'a>,
    pub(crate) dependence: Dependence<'a>,
    pub(crate) sizes: Sizes,
    pub(crate) launch: LaunchId,
    pub(crate) device: Device,
    /// Terms that stand for a size of the block, with the axis.
    given: Vec<(TermId, usize)>,
    plans: FxHashMap<AccessId, Option<Rc<Plan>>>,
    /// How many more requests are looked at one by one.
    left: Cell<u64>,
    /// What the worst request of any access to an array takes when the program is changed.
    pub(crate) changes: FxHashMap<(ArrayId, Shape, Transform), Option<Takes>>,
    /// The accesses of the launch.
    pub(crate) accesses: Vec<AccessId>,
    /// Whether blocks may have a shape.
    allowed: FxHashMap<Shape, bool>,
}

/// What was seen of an access under one shape and one choice of strides.
#[derive(Clone, Debug)]
struct Seen {
    takes: Takes,
    /// The same where the rest of the address lies best.
    best: Takes,
    excess: u64,
    went: Went,
    shape: Shape,
    warp: Option<Warp>,
}

/// An access with what is known of it before its requests are gone through.
pub(crate) struct Plan {
    pub(crate) access: AccessId,
    space: Space,
    bytes: u32,
    atomic: bool,
    form: Form,
    pub(crate) path: Path,
}

impl Plan {
    pub(crate) fn space(&self) -> Space {
        self.space
    }

    /// What of the address is open is a multiple of so many bytes; 0 if nothing is open.
    pub(crate) fn open(&self) -> i128 {
        self.form.open
    }
}

impl<'a> Counter<'a> {
    fn new(
        facts: &'a Facts,
        index: &'a Index<'a>,
        words: Words<'a>,
        shared: Rc<FxHashSet<TermId>>,
        launch: LaunchId,
        device: Device,
    ) -> Self {
        let sizes = Sizes::of(facts, launch);
        let mut given: Vec<(TermId, usize)> = Vec::new();
        for axis in 0..3 {
            let open = sizes.terms[axis].filter(|&term| facts.terms.as_const(term).is_none());
            let Some(term) = open.map(|term| bare(&facts.terms, term)) else {
                continue;
            };
            given.push((term, axis));
        }
        let leaves = given.iter().map(|&(term, _)| term).collect();
        let rows = sizes.shapes()[0].rows_are_warps();
        Counter {
            facts,
            index,
            words,
            dependence: Dependence::new(facts, shared, leaves, rows),
            sizes,
            launch,
            device,
            given,
            plans: FxHashMap::default(),
            left: Cell::new(REQUESTS),
            changes: FxHashMap::default(),
            accesses: Vec::new(),
            allowed: FxHashMap::default(),
        }
    }

    /// What the leaves that stand for sizes are in a block.
    pub(crate) fn given(&self, shape: Shape) -> FxHashMap<TermId, i128> {
        let given = self.given.iter();
        given
            .map(|&(term, axis)| (term, i128::from(shape.block[axis])))
            .collect()
    }

    /// What is known of an access before its requests are gone through; none if it is in no memory that is counted.
    pub(crate) fn plan(&mut self, access: AccessId) -> Option<Rc<Plan>> {
        if let Some(known) = self.plans.get(&access) {
            return known.clone();
        }
        let plan = self.planned(access).map(Rc::new);
        self.plans.insert(access, plan.clone());
        plan
    }

    fn planned(&mut self, access: AccessId) -> Option<Plan> {
        let facts = self.facts;
        let row = &facts.access[access.index()];
        let space = facts.array[row.array.index()].space;
        if !matches!(space, Space::Shared | Space::Global) {
            return None;
        }
        let polynomial: Rc<Polynomial> = self.words.polynomials.of(row.index);
        let mut form = Form::of(&polynomial, &mut self.dependence);
        if !form.data.is_empty() {
            let unwrapped = unwrapped(facts, row.index);
            let other = Form::of(&unwrapped, &mut self.dependence);
            if other.data.len() < form.data.len() || other.data.is_empty() {
                form = other;
            }
        }
        let terms_of = |parts: &[Summand]| -> Vec<TermId> {
            parts.iter().flat_map(|part| part.factors.clone()).collect()
        };
        let mut terms = terms_of(&form.lanes);
        let modulus = 128;
        let moving: Vec<Summand> = form
            .shared
            .iter()
            .filter(|part| part.coefficient % modulus != 0)
            .cloned()
            .collect();
        let linear = terms.iter().all(|&term| {
            let op = facts.terms.get(term).op;
            matches!(op, Op::TidX | Op::TidY | Op::TidZ) || !self.dependence.of(term).lane
        });
        // The next warp of a row begins where banks and sectors do.
        let linear = linear
            && form.lanes.iter().all(|part| {
                let square = part
                    .factors
                    .iter()
                    .filter(|&&term| self.dependence.of(term).lane);
                square.count() == 1 && (part.coefficient * 32) % 128 == 0
            });
        if space == Space::Global || row.bytes < 4 {
            terms.extend(terms_of(&moving));
        }
        for stride in &form.strides {
            terms.extend(stride.iter().copied());
        }
        let path = self
            .index
            .path(row.point, &terms, linear, &mut self.dependence);
        Some(Plan {
            access,
            space,
            bytes: row.bytes,
            atomic: row.kind == AccessKind::Atomic,
            form,
            path,
        })
    }

    /// The count of an access.
    fn count(&mut self, access: AccessId) -> Option<Count> {
        let plan = self.plan(access)?;
        let mut count = match plan.form.data.is_empty() {
            true => self.counted(&plan),
            false => self.bounded(&plan),
        }?;
        if count.is_excess && count.answer != CostAnswer::CannotTell {
            count.mend = mend::of(self, &plan, &count);
        }
        Some(count)
    }

    /// The worst request of an access whose addresses are known but for strides.
    fn counted(&mut self, plan: &Plan) -> Option<Count> {
        let (all, condition, answer) = self.tried(plan);
        // Rows of fewer threads than anybody launches are told in the condition alone, unless there are no others.
        let is_usual = |seen: &&Seen| seen.shape.block[0] >= USUAL;
        let known = self.sizes.known[0].is_some() || !all.iter().any(|seen| is_usual(&seen));
        let told = all.iter().filter(|seen| known || is_usual(seen));
        let worst = told.max_by_key(|seen| {
            let (taken, _) = seen.takes.against_fewest();
            (seen.best.excess(), seen.takes.excess(), taken)
        })?;
        let mut worst = worst.clone();
        if worst.went.requests == 0 {
            return None;
        }
        let loops = self
            .index
            .loops(self.facts.access[plan.access.index()].point);
        let weight = self.words.weight(
            &worst.went,
            &loops,
            (&self.sizes, worst.shape),
            &mut self.dependence,
        );
        if let Some(warp) = &mut worst.warp {
            for (stride, (name, _)) in plan.form.strides.iter().zip(&mut warp.strides) {
                *name = self.stride_name(stride);
            }
        }
        Some(Count {
            access: plan.access,
            launch: self.launch,
            answer,
            takes: worst.takes,
            at_least: worst.best,
            is_excess: worst.best.excess() > 0,
            condition,
            weight,
            excess: worst.excess,
            warp: worst.warp,
            mend: None,
        })
    }

    /// What is seen under all shapes and strides that are tried, in words on which of them it depends, and what it says of all.
    fn tried(&mut self, plan: &Plan) -> (Vec<Seen>, String, CostAnswer) {
        let mut shapes = self.possible(self.sizes.shapes());
        // None of the usual shapes is possible: what is said is of the block that is.
        let mut cut = !self.sizes.shapes().contains(&shapes[0]);
        let only = cut.then(|| in_blocks(shapes[0]));
        if plan.form.of_rows {
            let before = shapes.len();
            shapes.retain(|shape| shape.rows_are_warps());
            cut = shapes.len() < before;
        }
        let conditional = |condition: &str| match condition.is_empty() {
            true => CostAnswer::Exact,
            false => CostAnswer::Conditional,
        };
        let mut all = Vec::new();
        let mut condition = String::new();
        match plan.form.strides.as_slice() {
            [] => {
                let before = shapes.len();
                let shapes = self.of_rows(plan, shapes);
                let by_size = shapes.len() > 1 && before == 1;
                for &shape in &shapes {
                    all.push(self.seen(plan, shape, &[], Transform::None, LIMIT));
                }
                if by_size && plan.space == Space::Shared {
                    let table: Vec<(i128, u32)> = all
                        .iter()
                        .map(|seen| (seen.shape.block[0].into(), measure(&seen.best)))
                        .collect();
                    condition = stride::conflicts_in_words("blockDim.x", &table, 32);
                } else if shapes.len() > 1 {
                    condition = in_words_of_shapes(&all);
                } else if all[0].best.excess() > 0 {
                    condition = self.in_other_rows(plan, &all[0]);
                }
            }
            [stride] => {
                let name = self.stride_name(stride);
                let values = match plan.space {
                    Space::Shared => stride::remainders(plan.form.step(0)),
                    _ => stride::magnitudes(),
                };
                let values: Vec<i128> = values
                    .into_iter()
                    .filter(|&value| self.is_possible(stride, value))
                    .collect();
                let mut table = Vec::new();
                for value in values {
                    let seen = self.seen(plan, shapes[0], &[value], Transform::None, 64);
                    table.push((value, measure(&seen.best)));
                    all.push(seen);
                }
                let worst = table.iter().map(|&(_, degree)| degree).max().unwrap_or(0);
                let none = table.iter().all(|&(_, degree)| degree == worst);
                if !none && plan.space == Space::Shared {
                    let modulus = stride::modulus(plan.form.step(0));
                    condition = stride::conflicts_in_words(&name, &table, modulus);
                } else if !none {
                    condition = stride::sectors_in_words(&name, &table);
                }
                cut |= shapes.len() > 1;
            }
            strides => {
                for value in [1024, 1040, 1032, 1028, 1026, 1025] {
                    let values = vec![value; strides.len()];
                    all.push(self.seen(plan, shapes[0], &values, Transform::None, 64));
                }
                let names: Vec<String> = strides
                    .iter()
                    .map(|stride| format!("`{}`", self.stride_name(stride)))
                    .collect();
                condition = format!("for some values of {}", names.join(" and "));
                cut = true;
            }
        }
        if plan.path.by_data {
            let more = "where all its lanes get there";
            condition = match condition.is_empty() {
                true => more.to_owned(),
                false => format!("{condition}; {more}"),
            };
        }
        if let Some(only) = only {
            condition = match condition.is_empty() {
                true => only,
                false => format!("{condition}; {only}"),
            };
        }
        let counted = all.iter().all(|seen| {
            let lies = seen.best == seen.takes;
            // What holds on a condition says nothing of other requests.
            lies && (seen.went.whole || !condition.is_empty())
        });
        let answer = match cut || !counted {
            true => CostAnswer::Shown,
            false => conditional(&condition),
        };
        (all, condition, answer)
    }

    /// Words for how a count depends on the size of a block of one axis, if it is open: it was seen with a multiple of 32, and is seen
    /// with a divisor of 32, and with a size that is neither, whose blocks begin anywhere.
    fn in_other_rows(&mut self, plan: &Plan, usual: &Seen) -> String {
        let [x, y, z] = usual.shape.block;
        if self.sizes.known[0].is_some() || x % 32 != 0 || (y, z) != (1, 1) {
            return String::new();
        }
        // Of a grid that is open, a few blocks are looked at: where the second begins tells what the first does not.
        let sizes = self.sizes;
        if sizes.blocks().is_none() {
            for (known, size) in self.sizes.known[3..].iter_mut().zip([SOME_BLOCKS, 1, 1]) {
                known.get_or_insert(size);
            }
        }
        let words = self.words_of_rows(plan, usual);
        self.sizes = sizes;
        words
    }

    fn words_of_rows(&mut self, plan: &Plan, usual: &Seen) -> String {
        let row = |x: i64| Shape { block: [x, 1, 1] };
        let mut words = vec![format!("{} if `blockDim.x % 32 == 0`", in_words(usual))];
        for (x, other) in [
            (DIVISOR, "in blocks of 16 threads"),
            (
                NEITHER,
                "where it is neither a multiple nor a divisor of 32",
            ),
        ] {
            let is_possible = self.possible(vec![row(x), usual.shape]).contains(&row(x));
            let seen = self.seen(plan, row(x), &[], Transform::None, LEAST);
            if is_possible && measure(&seen.best) != measure(&usual.best) {
                words.push(format!("{} {other}", in_words(&seen)));
            }
        }
        match words.len() {
            1 => String::new(),
            _ => words.join(", "),
        }
    }

    /// The shapes to look at: more of them, if lanes are a multiple of the size of a row of any size apart.
    fn of_rows(&mut self, plan: &Plan, shapes: Vec<Shape>) -> Vec<Shape> {
        let of_size = |term: &TermId| {
            let parts = self.facts.terms.reachable(&[*term]).into_iter();
            parts
                .map(|part| self.facts.terms.get(part).op)
                .any(|op| matches!(op, Op::BdimX | Op::BdimY | Op::BdimZ))
        };
        let mut factors = plan.form.lanes.iter().flat_map(|part| &part.factors);
        if shapes.len() == 1 && self.sizes.known[0].is_none() && factors.any(of_size) {
            let rows = (0..32).map(|less| Shape {
                block: [1024 - less, shapes[0].block[1], shapes[0].block[2]],
            });
            return self.possible(rows.collect());
        }
        shapes
    }

    /// The shapes that nothing assumed of the launch excludes; the first one if all are excluded, which are then none of the launch.
    /// A shape in which a thread certainly leaves a shared array is none either.
    fn possible(&mut self, shapes: Vec<Shape>) -> Vec<Shape> {
        let first = shapes.first().copied();
        if shapes.len() == 1 && self.sizes.block_is_known() {
            return shapes;
        }
        let sizes = self.sizes;
        let mut allowed = |shape: &Shape| self.is_allowed(*shape);
        let mut left: Vec<Shape> = shapes.into_iter().filter(&mut allowed).collect();
        if left.is_empty() {
            // Smaller blocks, the largest that is allowed.
            let smaller = first.map(|first| first.smaller(&sizes));
            left.extend(smaller.into_iter().flatten().find(allowed).or(first));
        }
        left
    }

    /// Whether a block has a shape that nothing assumed excludes, and in which no thread certainly leaves a shared array.
    fn is_allowed(&mut self, shape: Shape) -> bool {
        if let Some(&known) = self.allowed.get(&shape) {
            return known;
        }
        let own = self.facts.launch_assume.iter();
        let own = own.filter(|row| row.launch == self.launch);
        let assumed: Vec<TermId> = own.map(|row| row.term).collect();
        let fixed = Fixed::new(&self.sizes, shape, self.given(shape));
        let mut lanes = Lanes::new(&self.facts.terms, &assumed, &[], &fixed);
        let holds = assumed.iter().all(|&term| lanes.value(term, 0) != Ok(0));
        let is_allowed = holds && self.fits(shape);
        self.allowed.insert(shape, is_allowed);
        is_allowed
    }

    /// Whether no thread of a block certainly leaves a shared array whose size is known.
    fn fits(&mut self, shape: Shape) -> bool {
        let accesses = self.accesses.clone();
        let mut own = accesses.into_iter();
        own.all(|access| self.stays_within(access, shape))
    }

    fn stays_within(&mut self, access: AccessId, shape: Shape) -> bool {
        let facts = self.facts;
        let row = &facts.access[access.index()];
        let array = &facts.array[row.array.index()];
        let (Space::Shared, Some(bytes)) = (array.space, array.bytes) else {
            return true;
        };
        let Some(plan) = self.plan(access) else {
            return true;
        };
        let form = &plan.form;
        let is_known = form.data.is_empty() && form.strides.is_empty() && form.open == 0;
        if !is_known || !plan.path.is_certain() {
            return true;
        }
        let size = i64::try_from(bytes).unwrap_or(i64::MAX);
        let terms = form.factors();
        let of_shape = (&self.sizes, shape);
        let terms_of = (terms.as_slice(), self.given(shape));
        let mut walk = Walk::new(&facts.terms, &plan.path, terms_of, of_shape, LEAST);
        let mut stays = true;
        walk.all(&self.sizes, &mut |request, lanes| {
            let lanes = addresses(&plan, request, &[], Transform::None, lanes);
            for (lane, active) in lanes.into_iter().zip(request.active) {
                let end = lane.map(|start| start + i64::from(plan.bytes));
                stays &= active != Activity::Yes || end.is_none_or(|end| end <= size);
            }
        });
        stays
    }

    /// Whether nothing that is assumed of the launch excludes this value of a stride.
    fn is_possible(&self, stride: &[TermId], value: i128) -> bool {
        let &[atom] = stride else { return true };
        let only = Only { atom, value };
        let own = self.facts.launch_assume.iter();
        own.filter(|row| row.launch == self.launch)
            .all(|row| Evaluator::new(&self.facts.terms, &only).value(row.term) != Ok(0))
    }

    fn stride_name(&self, stride: &[TermId]) -> String {
        let names: Vec<String> = stride
            .iter()
            .map(|&atom| self.words.show.term(atom))
            .map(enclosed)
            .collect();
        names.join("·")
    }

    /// The worst request of a plan in blocks of one shape, with these values of its strides.
    fn seen(
        &self,
        plan: &Plan,
        shape: Shape,
        strides: &[i128],
        transform: Transform,
        limit: u64,
    ) -> Seen {
        let nothing = match plan.space {
            Space::Shared => Takes::Shared(Turns::default()),
            _ => Takes::Global(Touched::default()),
        };
        let mut seen = Seen {
            takes: nothing,
            best: nothing,
            excess: 0,
            went: Went::default(),
            shape,
            warp: None,
        };
        let given = self.given(shape);
        let terms = plan.form.factors();
        let store = &self.facts.terms;
        let of_shape = (&self.sizes, shape);
        let limit = limit.min(self.left.get().max(LEAST));
        let mut walk = Walk::new(store, &plan.path, (&terms, given.clone()), of_shape, limit);
        let mut exchanged = (transform == Transform::Exchange).then(|| {
            let fixed = Fixed::new(&self.sizes, shape, given);
            Lanes::new(store, &terms, &plan.path.loops(), &fixed)
        });
        // Requests that lie alike take the same.
        let mut known: FxHashMap<[Option<i64>; WARP], (Takes, Takes)> = FxHashMap::default();
        walk.all(&self.sizes, &mut |request, lanes| {
            let lanes = match &mut exchanged {
                Some(other) => other.moved_to(request.site, &transform.threads(&request.threads)),
                None => lanes,
            };
            let lanes = addresses(plan, request, strides, transform, lanes);
            let (takes, best) = *known
                .entry(within_a_line(&lanes))
                .or_insert_with_key(|lanes| self.taken(plan, lanes));
            let excess = u64::from(best.excess()).saturating_mul(request.times);
            seen.excess = seen.excess.saturating_add(excess);
            let rank = |takes: Takes, best: Takes| (best.excess(), takes.excess(), measure(&takes));
            if seen.warp.is_none() || rank(takes, best) > rank(seen.takes, seen.best) {
                (seen.takes, seen.best) = (takes, best);
                seen.warp = Some(self.warp(request, shape, &lanes, strides));
            }
        });
        self.left.set(self.left.get().saturating_sub(walk.looked()));
        seen.went = walk.went();
        seen
    }

    fn warp(
        &self,
        request: &Request<'_>,
        shape: Shape,
        lanes: &[Option<i64>; WARP],
        strides: &[i128],
    ) -> Warp {
        let mut iterations = request.site.iterations.clone();
        iterations.sort_unstable();
        let iterations = iterations.into_iter().map(|(id, at)| {
            let head = self.facts.loop_[id.index()].head;
            let span = self.facts.point[head.index()].span;
            (self.facts.span[span.index()].line, at)
        });
        Warp {
            block_dim: shape.block,
            block: request.site.block,
            warp: request.warp,
            iterations: iterations.collect(),
            lanes: lanes.to_vec(),
            strides: strides
                .iter()
                .map(|&value| (String::new(), value))
                .collect(),
        }
    }

    /// What a request takes, and what it takes where what is open of its address is best for it.
    fn taken(&self, plan: &Plan, lanes: &[Option<i64>; WARP]) -> (Takes, Takes) {
        let at = |offset: i64| -> Takes {
            let moved = lanes.map(|lane| lane.map(|address| address + offset));
            match plan.space {
                Space::Shared => Takes::Shared(turns(self.device, &moved, plan.bytes, plan.atomic)),
                _ => Takes::Global(touched(self.device, &moved, plan.bytes)),
            }
        };
        let first = at(0);
        let step = i64::try_from(plan.form.open).unwrap_or(0);
        let moves = match plan.space {
            Space::Shared => step % 4 != 0,
            _ => step % 128 != 0,
        };
        if !moves {
            return (first, first);
        }
        let (mut worst, mut best) = (first, first);
        let mut offset = step;
        while offset < 128 {
            let takes = at(offset);
            if measure(&takes) > measure(&worst) {
                worst = takes;
            }
            if measure(&takes) < measure(&best) {
                best = takes;
            }
            offset += step;
        }
        (worst, best)
    }

    /// The most that a request takes whose addresses come from memory.
    fn bounded(&mut self, plan: &Plan) -> Option<Count> {
        let width = i128::from(self.device.banks) * 4;
        let harmless = plan.form.data.iter().all(|of| of % width == 0);
        let shape = self.sizes.shapes()[0];
        let terms = plan.form.factors();
        let given = self.given(shape);
        let of_shape = (&self.sizes, shape);
        let mut walk = Walk::new(&self.facts.terms, &plan.path, (&terms, given), of_shape, 64);
        let mut most = 0;
        let mut some = false;
        walk.all(&self.sizes, &mut |request, lanes| {
            some = true;
            let active = request.active.iter().filter(|lane| **lane != Activity::No);
            let active = u32::try_from(active.count()).unwrap_or(32);
            let bound = if harmless && plan.form.strides.is_empty() && !plan.atomic {
                let lanes = addresses(plan, request, &[], Transform::None, lanes);
                most_turns(self.device, &lanes, plan.bytes)
            } else {
                active
            };
            most = most.max(bound);
        });
        if !some {
            return None;
        }
        let went = Went {
            complete: false,
            ..walk.went()
        };
        let loops = self
            .index
            .loops(self.facts.access[plan.access.index()].point);
        let weight = self
            .words
            .weight(&went, &loops, (&self.sizes, shape), &mut self.dependence);
        let takes = match plan.space {
            Space::Shared => Takes::Shared(Turns {
                degree: most,
                turns: most,
                parts: 1,
            }),
            _ => {
                let each = plan.bytes.div_ceil(32) + 1;
                Takes::Global(Touched {
                    sectors: most.saturating_mul(if plan.bytes <= 4 { 1 } else { each }),
                    lines: most,
                    fewest: 1,
                    bytes: plan.bytes,
                })
            }
        };
        let told = plan.space == Space::Shared && most <= 1;
        Some(Count {
            access: plan.access,
            launch: self.launch,
            answer: if told {
                CostAnswer::Exact
            } else {
                CostAnswer::CannotTell
            },
            takes,
            at_least: takes,
            is_excess: false,
            condition: String::new(),
            weight,
            excess: 0,
            warp: None,
            mend: None,
        })
    }

    /// What the worst request of an access takes when the program is changed, with the strides and the shape of the warp that
    /// shows a count.
    pub(crate) fn changed(
        &mut self,
        access: AccessId,
        shape: Shape,
        transform: Transform,
    ) -> Option<Takes> {
        self.seen_when(access, shape, transform)
            .map(|seen| seen.takes)
    }

    /// The addresses of the worst request of an access in blocks of one shape.
    pub(crate) fn worst(&mut self, access: AccessId, shape: Shape) -> Option<[Option<i64>; WARP]> {
        let seen = self.seen_when(access, shape, Transform::None)?;
        seen.warp?.lanes.try_into().ok()
    }

    fn seen_when(&mut self, access: AccessId, shape: Shape, transform: Transform) -> Option<Seen> {
        let plan = self.plan(access)?;
        if !plan.form.data.is_empty() || plan.form.strides.len() > 1 {
            return None;
        }
        let strides: Vec<i128> = plan.form.strides.iter().map(|_| 1024).collect();
        let seen = self.seen(&plan, shape, &strides, transform, LIMIT / 4);
        seen.warp.is_some().then_some(seen)
    }
}

/// The address of each active lane.
fn addresses(
    plan: &Plan,
    request: &Request<'_>,
    strides: &[i128],
    transform: Transform,
    lanes: &mut Lanes<'_>,
) -> [Option<i64>; WARP] {
    if let Some(sums) = numbers(plan, strides, lanes) {
        let mut at = 0;
        return request.active.map(|active| {
            at += 1;
            (active != Activity::No).then(|| transform.address(sums[at - 1]))
        });
    }
    let mut sums = request
        .active
        .map(|active| (active != Activity::No).then_some(0_i128));
    for part in plan.form.lanes.iter().chain(&plan.form.shared) {
        let stride = match part.stride {
            Some(nth) => strides.get(nth).copied(),
            None => Some(1),
        };
        let scale = stride.and_then(|stride| part.coefficient.checked_mul(stride));
        let mut products = sums.map(|sum| sum.and(scale));
        for &factor in &part.factors {
            let row = lanes.row(factor);
            for (lane, product) in products.iter_mut().enumerate() {
                *product = product.and_then(|known| known.checked_mul(row.at(lane).ok()?));
            }
        }
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum = sum.and_then(|sum| sum.checked_add(product?));
        }
    }
    sums.map(|sum| {
        let address = i64::try_from(sum?).ok()?;
        Some(transform.address(address))
    })
}

/// The address in every lane, if all that it is made of are numbers of 64 bits, and so are all sums.
fn numbers(plan: &Plan, strides: &[i128], lanes: &mut Lanes<'_>) -> Option<[i64; WARP]> {
    let mut sums = [0_i64; WARP];
    let mut fails = false;
    for part in plan.form.lanes.iter().chain(&plan.form.shared) {
        let stride = match part.stride {
            Some(nth) => *strides.get(nth)?,
            None => 1,
        };
        let scale = part.coefficient.checked_mul(stride)?;
        let mut products = [i64::try_from(scale).ok()?; WARP];
        for &factor in &part.factors {
            match lanes.row(factor) {
                Row::Plain(numbers) => {
                    for (product, number) in products.iter_mut().zip(numbers) {
                        let (value, failed) = product.overflowing_mul(*number);
                        (*product, fails) = (value, fails | failed);
                    }
                }
                Row::Same(value) => {
                    let number = i64::try_from(value.ok()?).ok()?;
                    for product in &mut products {
                        let (value, failed) = product.overflowing_mul(number);
                        (*product, fails) = (value, fails | failed);
                    }
                }
                Row::Each(_) => return None,
            }
        }
        for (sum, product) in sums.iter_mut().zip(products) {
            let (value, failed) = sum.overflowing_add(product);
            (*sum, fails) = (value, fails | failed);
        }
    }
    (!fails).then_some(sums)
}

/// The addresses moved by whole lines, so that the first one lies in the first line: banks and sectors repeat with it.
fn within_a_line(lanes: &[Option<i64>; WARP]) -> [Option<i64>; WARP] {
    let first = lanes.iter().flatten().next().copied().unwrap_or(0);
    let by = first - first.rem_euclid(LINE);
    lanes.map(|lane| lane.and_then(|address| address.checked_sub(by)))
}

/// One leaf that has a value.
struct Only {
    atom: TermId,
    value: i128,
}

impl Environment for Only {
    fn value(&self, id: TermId, _: &Term, _: &[i128]) -> Option<i128> {
        (id == self.atom).then_some(self.value)
    }
}

/// Turns of the worst part, or sectors.
fn measure(takes: &Takes) -> u32 {
    match takes {
        Takes::Shared(turns) => turns.degree,
        Takes::Global(touched) => touched.sectors,
    }
}

/// What the worst request takes, in a word.
fn in_words(seen: &Seen) -> String {
    match seen.best {
        Takes::Shared(turns) if turns.degree <= 1 => "none".to_owned(),
        Takes::Shared(turns) => format!("{}-way", turns.degree),
        Takes::Global(touched) => touched.sectors.to_string(),
    }
}

/// The block that something is said of.
fn in_blocks(shape: Shape) -> String {
    let [x, y, z] = shape.block;
    match (y, z) {
        (1, 1) => format!("in blocks of {x} threads"),
        (_, 1) => format!("in blocks of {x} × {y} threads"),
        _ => format!("in blocks of {x} × {y} × {z} threads"),
    }
}

/// Words for how a count depends on the block.
fn in_words_of_shapes(all: &[Seen]) -> String {
    let worst = all
        .iter()
        .map(|seen| measure(&seen.best))
        .max()
        .unwrap_or(0);
    if all.iter().all(|seen| measure(&seen.best) == worst) {
        return String::new();
    }
    let full = |seen: &&Seen| seen.shape.block[0] % 32 == 0;
    let first = all.iter().find(full).map(in_words);
    // One count is that of all full rows, if they have one.
    let alike = all
        .iter()
        .filter(full)
        .all(|seen| Some(in_words(seen)) == first);
    let mut words: Vec<String> = Vec::new();
    let mut last = String::new();
    for seen in all {
        let what = in_words(seen);
        if what == last {
            continue;
        }
        let x = seen.shape.block[0];
        words.push(match (x % 32 == 0, alike) {
            (true, true) => format!("{what} if `blockDim.x % 32 == 0`"),
            (true, false) => format!("{what} {}", in_blocks(seen.shape)),
            (false, _) => format!("{what} if `blockDim.x == {x}`"),
        });
        last = what;
        if words.len() > 4 {
            break;
        }
    }
    words.join(", ")
}
