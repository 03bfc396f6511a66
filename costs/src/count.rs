//! What each access costs in its worst request, by which warp, and on which sizes that depends.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{ConflictDegreeRow, DivergentAtRow, RequestSectorsRow};
use warplog_facts::eval::Evaluator;
use warplog_facts::poly::{Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, CostAnswer, Space};
use warplog_facts::{AccessId, Derived, Facts, LaunchId, Op, TermId};

use crate::branches::{self, Branch};
use crate::device::{Device, WARP};
use crate::form::{Dependence, Form, Summand, unwrapped};
use crate::mend::{self, Mend, Transform};
use crate::request::{Touched, Turns, most_turns, touched, turns};
use crate::rules;
use crate::shape::{Shape, Sizes};
use crate::stride;
use crate::walk::{Activity, Index, LIMIT, Lane, Path, Request, Walk};
use crate::weight::{Weight, Went, Words};

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
    let shared: FxHashSet<TermId> = derived.uniform.iter().map(|row| row.term).collect();
    let annotations: FxHashSet<AccessId> =
        facts.annotation_read.iter().map(|row| row.access).collect();
    let show = Show::new(facts);
    let mut counted = Counted::default();
    for launch in &facts.launch {
        let ranges = Ranges::new(facts, launch.launch);
        let polynomials = Polynomials::new(&facts.terms, &ranges);
        let words = Words {
            facts,
            show: &show,
            polynomials: &polynomials,
        };
        let mut counter = Counter::new(
            facts,
            &index,
            words,
            shared.clone(),
            launch.launch,
            options.device,
        );
        for row in &facts.access {
            let asked = facts.point[row.point.index()].launch == launch.launch
                && !annotations.contains(&row.access);
            if asked && let Some(count) = counter.count(row.access) {
                counted.counts.push(count);
            }
        }
        branches::of_launch(&mut counter, &mut counted.branches);
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
            serialised: u32::try_from(branch.serialised.len()).unwrap_or(u32::MAX),
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
    /// Leaves that stand for a size of the block, with the axis.
    given: Vec<(TermId, usize)>,
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
    form: Rc<Form>,
    pub(crate) path: Path,
}

impl Plan {
    pub(crate) fn space(&self) -> Space {
        self.space
    }
}

impl<'a> Counter<'a> {
    fn new(
        facts: &'a Facts,
        index: &'a Index<'a>,
        words: Words<'a>,
        shared: FxHashSet<TermId>,
        launch: LaunchId,
        device: Device,
    ) -> Self {
        let sizes = Sizes::of(facts, launch);
        let mut given: Vec<(TermId, usize)> = Vec::new();
        for axis in 0..3 {
            let Some(mut term) = sizes.terms[axis].filter(|_| sizes.known[axis].is_none()) else {
                continue;
            };
            while let Op::Cast | Op::Fit = facts.terms.get(term).op {
                term = facts.terms.get(term).args[0];
            }
            if facts.terms.get(term).args.is_empty() {
                given.push((term, axis));
            }
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
    pub(crate) fn plan(&mut self, access: AccessId) -> Option<Plan> {
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
            form: Rc::new(form),
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
        let worst = all.iter().max_by_key(|seen| {
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
            worst.went,
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
        let mut shapes = self.sizes.shapes();
        let mut cut = false;
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
        let counted = all.iter().all(|seen| {
            let lies = seen.best == seen.takes;
            lies && (seen.went.complete || plan.path.by_open || seen.warp.is_some())
        });
        let answer = match cut || !counted {
            true => CostAnswer::Shown,
            false => conditional(&condition),
        };
        (all, condition, answer)
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
            return rows.collect();
        }
        shapes
    }

    /// Whether nothing that is assumed of the launch excludes this value of a stride.
    fn is_possible(&self, stride: &[TermId], value: i128) -> bool {
        let &[atom] = stride else { return true };
        let site = crate::walk::Site {
            given: [(atom, value)].into_iter().collect(),
            ..crate::walk::Site::default()
        };
        let lane = Lane {
            site: &site,
            thread: [0; 3],
        };
        let own = self.facts.launch_assume.iter();
        own.filter(|row| row.launch == self.launch)
            .all(|row| Evaluator::new(&self.facts.terms, &lane).value(row.term) != Ok(0))
    }

    fn stride_name(&self, stride: &[TermId]) -> String {
        let names: Vec<String> = stride
            .iter()
            .map(|&atom| self.words.show.term(atom))
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
            went: Went {
                complete: false,
                requests: 0,
            },
            shape,
            warp: None,
        };
        let mut walk = Walk::new(&self.facts.terms, &plan.path, shape, limit);
        let given = self.given(shape);
        walk.all(&self.sizes, &given, &mut |request| {
            let lanes = self.addresses(plan, request, strides, transform);
            let (takes, best) = self.taken(plan, &lanes);
            let excess = u64::from(best.excess()).saturating_mul(request.times);
            seen.excess = seen.excess.saturating_add(excess);
            let rank = |takes: Takes, best: Takes| (best.excess(), takes.excess(), measure(&takes));
            if seen.warp.is_none() || rank(takes, best) > rank(seen.takes, seen.best) {
                (seen.takes, seen.best) = (takes, best);
                seen.warp = Some(self.warp(request, shape, &lanes, strides));
            }
        });
        seen.went = Went {
            complete: walk.complete,
            requests: walk.requests,
        };
        seen
    }

    fn warp(
        &self,
        request: &Request<'_>,
        shape: Shape,
        lanes: &[Option<i64>; WARP],
        strides: &[i128],
    ) -> Warp {
        let mut iterations: Vec<_> = request.site.iterations.iter().collect();
        iterations.sort_unstable();
        let iterations = iterations.into_iter().map(|(id, &at)| {
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

    /// The address of each active lane.
    fn addresses(
        &self,
        plan: &Plan,
        request: &Request<'_>,
        strides: &[i128],
        transform: Transform,
    ) -> [Option<i64>; WARP] {
        std::array::from_fn(|nth| {
            let thread = request.threads[nth].filter(|_| request.active[nth] != Activity::No)?;
            let lane = Lane {
                site: request.site,
                thread: transform.thread(thread),
            };
            let mut evaluator = Evaluator::new(&self.facts.terms, &lane);
            let mut sum = |parts: &[Summand]| -> Option<i128> {
                parts.iter().try_fold(0_i128, |all, part| {
                    let mut product = part.coefficient;
                    if let Some(stride) = part.stride {
                        product = product.checked_mul(*strides.get(stride)?)?;
                    }
                    for &factor in &part.factors {
                        product = product.checked_mul(evaluator.value(factor).ok()?)?;
                    }
                    all.checked_add(product)
                })
            };
            let own = sum(&plan.form.lanes)?;
            let shared = sum(&plan.form.shared)?;
            let address = i64::try_from(own.checked_add(shared)?).ok()?;
            Some(transform.address(address))
        })
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
        let mut walk = Walk::new(&self.facts.terms, &plan.path, self.sizes.shapes()[0], 64);
        let given = self.given(self.sizes.shapes()[0]);
        let mut most = 0;
        let mut some = false;
        walk.all(&self.sizes, &given, &mut |request| {
            some = true;
            let active = request.active.iter().filter(|lane| **lane != Activity::No);
            let active = u32::try_from(active.count()).unwrap_or(32);
            let bound = if harmless && plan.form.strides.is_empty() && !plan.atomic {
                let lanes = self.addresses(plan, request, &[], Transform::None);
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
            requests: walk.requests,
        };
        let loops = self
            .index
            .loops(self.facts.access[plan.access.index()].point);
        let shape = self.sizes.shapes()[0];
        let weight = self
            .words
            .weight(went, &loops, (&self.sizes, shape), &mut self.dependence);
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
        let plan = self.plan(access)?;
        if !plan.form.data.is_empty() || plan.form.strides.len() > 1 {
            return None;
        }
        let strides: Vec<i128> = plan.form.strides.iter().map(|_| 1024).collect();
        let seen = self.seen(&plan, shape, &strides, transform, LIMIT / 4);
        seen.warp.map(|_| seen.takes)
    }
}

/// Turns of the worst part, or sectors.
fn measure(takes: &Takes) -> u32 {
    match takes {
        Takes::Shared(turns) => turns.degree,
        Takes::Global(touched) => touched.sectors,
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
    let unit = |seen: &Seen| match seen.best {
        Takes::Shared(turns) if turns.degree <= 1 => "none".to_owned(),
        Takes::Shared(turns) => format!("{}-way", turns.degree),
        Takes::Global(touched) => format!("{}", touched.sectors),
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = String::new();
    for seen in all {
        let what = unit(seen);
        if what == last {
            continue;
        }
        let x = seen.shape.block[0];
        words.push(match x % 32 == 0 {
            true => format!("{what} if `blockDim.x % 32 == 0`"),
            false => format!("{what} if `blockDim.x == {x}`"),
        });
        last = what;
        if words.len() > 4 {
            break;
        }
    }
    words.join(", ")
}
