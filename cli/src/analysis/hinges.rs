//! What findings hang on that the caller decides: the conditions that they are asked, and what they come to.
//!
//! A finding that is exact, or that needs no more of inputs than that two values differ, is confirmed if none of the conditions of a
//! small grammar rules it out in a sane launch, and conditional else. The grammar, weakest first: one size at least another,
//! a multiple of a number of the code, a divisor of another, at least or at most what a launch has of threads, a power of two, equal
//! sizes, bounds by numbers of the code, what makes the digits of a place apart (`digits.rs`), different elements of an array of indices, sizes of
//! the block, one block. What a solver leaves open of the digits is asked of the rules (`by_rules.rs`). What host code
//! computes in a way that is not followed is asked like what the caller decides; a finding that rests on it is conditional if a
//! condition rules it out, or none of them does, and stays potential if that is not known.
//!
//! **Sane** is a launch in which sizes that bound something are at least 1, no number is negative, and none is so large that it is
//! negative as an `int`. A condition that would leave no two threads of the kind that race is not asked: one block where the
//! kernel asks for its block, one warp where it has a barrier of the block.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use warplog_facts::words::{BarrierKind, Dimension, Effect, Space, SymbolKind};
use warplog_facts::{
    ArrayExtentRow, CType, Facts, GuardAtRow, KernelId, LaunchId, Op, PointId, TermId, TermStore,
};
use warplog_report::{Certainty, Finding};
use warplog_solver_bridge::{
    Abstraction, Asked, Condition, Decision, DivergenceAnswer, Inquiry, Needs, RaceAnswer,
    RaceOutcome, Standing, Standings, Witness,
};

use super::digits::{self, Apart};
use super::preconditions::{
    Size, Worded, at_least, both, compare, index_array, multiple, power_of_two, usual,
    with_constant,
};
use super::rows::{OfLaunch, Rows};

/// Most sizes, arrays and constants that are spoken of.
const MAX_SIZES: usize = 5;
const MAX_ARRAYS: usize = 3;
const MAX_STRIDES: usize = 4;
const MAX_CONSTANTS: usize = 6;
const MAX_TILES: usize = 16;
/// Numbers of the code that are taken to say how many rows of a size there are, at most.
const MOST_FACTOR: i128 = 64;
/// How many times all else a stride is that is no small one.
const WIDE: i128 = 1024;
/// Threads of a warp, and the most of a block.
const WARP: i128 = 32;
const MOST_THREADS: i128 = 1024;
/// Numbers of the code that may be the length of a row of a block, if they are multiples of the first.
const ROWS: RangeInclusive<i128> = 8..=MOST_THREADS;

/// What is asked of a launch, in words too.
pub(super) struct Question {
    /// For the solver.
    pub inquiry: Inquiry,
    /// The conditions in words.
    words: Vec<String>,
    /// Where those begin that fix the sizes of blocks and grids.
    narrow: usize,
    /// What is taken as sane, in words.
    sane: Vec<String>,
    /// By point of the kernel's text, what is decided by the caller there.
    decided: BTreeMap<PointId, BTreeSet<String>>,
}

/// What the findings of a fact set come to.
#[derive(Default)]
pub(super) struct Hinges {
    questions: BTreeMap<LaunchId, Question>,
    /// How they stand, by position in the decision.
    races: BTreeMap<usize, Standing>,
    divergences: BTreeMap<usize, Standing>,
    /// Candidates that were decided for races between the same places, and the races whose conditions others do not share.
    uncovered: Vec<(usize, RaceOutcome)>,
    doubtful: BTreeSet<usize>,
    /// Conditions that settle a whole launch, unless they leave few launches.
    advice: BTreeMap<LaunchId, String>,
    /// Whether nothing is taken as sane.
    paranoid: bool,
}

/// What a finding comes to.
pub(super) struct Hinge {
    pub certainty: Certainty,
    /// The condition that rules it out.
    pub race_free_if: Option<String>,
    /// What the caller decides and it hangs on.
    pub hinges_on: Vec<String>,
    /// What is taken as sane and the condition rests on.
    pub assumptions: Vec<String>,
    /// A witness that is sane, if the known one is not.
    pub witness: Option<Witness>,
}

impl Hinges {
    pub(super) fn new(
        questions: Vec<Question>,
        standings: Standings,
        advice: BTreeMap<LaunchId, String>,
        paranoid: bool,
    ) -> Self {
        let by_launch = |question: Question| (question.inquiry.launch, question);
        Hinges {
            questions: questions.into_iter().map(by_launch).collect(),
            races: standings.races.into_iter().collect(),
            divergences: standings.divergences.into_iter().collect(),
            uncovered: standings.uncovered,
            doubtful: standings.doubtful.into_iter().collect(),
            advice,
            paranoid,
        }
    }

    /// The decision with what was decided besides, if anything was.
    pub(super) fn completed(&self, decision: &Decision) -> Option<Decision> {
        (!self.uncovered.is_empty()).then(|| {
            let mut decision = decision.clone();
            for (position, outcome) in &self.uncovered {
                decision.races[*position] = outcome.clone();
            }
            decision
        })
    }

    /// A race at a position of the decision, at these points.
    pub(super) fn of_race(
        &self,
        position: usize,
        needs: Needs,
        found: (LaunchId, &[PointId]),
        inputs: BTreeSet<String>,
    ) -> Hinge {
        let mut hinge = self.of(self.races.get(&position), needs, found, inputs);
        let condition = self.advice.get(&found.0);
        if self.doubtful.contains(&position) && hinge.race_free_if.as_ref() != condition {
            hinge.race_free_if = None;
        }
        hinge
    }

    /// A divergent barrier at a position of the decision.
    pub(super) fn of_divergence(
        &self,
        position: usize,
        needs: Needs,
        found: (LaunchId, &[PointId]),
        inputs: BTreeSet<String>,
    ) -> Hinge {
        self.of(self.divergences.get(&position), needs, found, inputs)
    }

    pub(super) fn is_paranoid(&self) -> bool {
        self.paranoid
    }

    /// Something of which no conditions are asked.
    pub(super) fn of_other(&self, needs: Needs, inputs: BTreeSet<String>) -> Hinge {
        let mut hinge = Hinge::of(Certainty::Confirmed);
        match needs {
            Needs::Nothing | Needs::Difference => {}
            Needs::Contents => hinge.certainty = Certainty::Conditional,
            Needs::Computed | Needs::Abstraction => hinge.certainty = Certainty::Potential,
        }
        if hinge.certainty == Certainty::Conditional {
            hinge.hinges_on = inputs.into_iter().collect();
        }
        hinge
    }

    fn of(
        &self,
        standing: Option<&Standing>,
        needs: Needs,
        (launch, points): (LaunchId, &[PointId]),
        inputs: BTreeSet<String>,
    ) -> Hinge {
        let mut hinge = self.of_other(needs, inputs);
        let question = self.questions.get(&launch);
        let (Some(question), Some(standing)) = (question, standing) else {
            return hinge;
        };
        if needs == Needs::Abstraction {
            return hinge;
        }
        // What rests on values of host code that is not followed is more than potential where a condition rules it out, as whoever
        // knows the host code can say whether it holds, and where none of them does: it hangs on those values alone.
        let is_known = match standing {
            Standing::Everywhere(_) | Standing::Insane | Standing::Without(_) => true,
            Standing::Open => self.told(question, standing).is_some(),
        };
        if needs == Needs::Computed && (self.paranoid || !is_known) {
            return hinge;
        }
        let conditional = |hinge: &mut Hinge| {
            if !self.paranoid {
                hinge.certainty = Certainty::Conditional;
            }
        };
        match standing {
            Standing::Everywhere(witness) => {
                hinge.witness = witness.as_deref().cloned();
                if needs == Needs::Computed {
                    conditional(&mut hinge);
                }
            }
            Standing::Insane => {
                hinge.race_free_if = Some(question.sane.join(" && "));
                conditional(&mut hinge);
            }
            Standing::Without(_) | Standing::Open if self.told(question, standing).is_some() => {
                hinge.race_free_if = self.told(question, standing);
                conditional(&mut hinge);
            }
            Standing::Without(position) => {
                let words = question.words.get(*position);
                hinge.race_free_if = words.filter(|words| !words.is_empty()).cloned();
                hinge.assumptions = question
                    .sane
                    .iter()
                    .map(|text| format!("`{text}`"))
                    .collect();
                conditional(&mut hinge);
            }
            Standing::Open => conditional(&mut hinge),
        }
        if hinge.certainty == Certainty::Conditional {
            let sizes = points
                .iter()
                .filter_map(|point| question.decided.get(point));
            let mut all: BTreeSet<String> = hinge.hinges_on.drain(..).collect();
            all.extend(sizes.flatten().cloned());
            hinge.hinges_on = all.into_iter().collect();
        }
        hinge
    }
}

impl Question {
    /// Whether something better can be said of a race than what is known.
    pub(super) fn is_open(&self, standing: &Standing) -> bool {
        match standing {
            Standing::Open => true,
            Standing::Without(place) => *place >= self.narrow,
            Standing::Everywhere(_) | Standing::Insane => false,
        }
    }
}

impl Hinges {
    /// The condition that settles the whole launch, if that says less than the one that a finding has.
    fn told(&self, question: &Question, standing: &Standing) -> Option<String> {
        let says_less = match standing {
            Standing::Without(position) => *position >= question.narrow,
            Standing::Open => true,
            Standing::Everywhere(_) | Standing::Insane => false,
        };
        let advice = self.advice.get(&question.inquiry.launch);
        advice.filter(|_| says_less).cloned()
    }
}

impl Hinge {
    fn of(certainty: Certainty) -> Self {
        Hinge {
            certainty,
            race_free_if: None,
            hinges_on: Vec::new(),
            assumptions: Vec::new(),
            witness: None,
        }
    }

    /// Puts it on a finding that has reasons of its own to be potential, or not.
    pub(super) fn put(self, finding: &mut Finding) {
        finding.certainty = self.certainty;
        if self.certainty != Certainty::Potential {
            finding.race_free_if = self.race_free_if;
            finding.hinges_on = self.hinges_on;
            finding.assumptions.extend(self.assumptions);
            finding.reasons.clear();
        }
    }
}

/// The arrays whose contents take part, as they are named: `idx[]`.
pub(super) fn inputs(facts: &Facts, abstractions: &[Abstraction]) -> BTreeSet<String> {
    let arrays = abstractions.iter().filter_map(|one| one.input);
    arrays
        .map(|array| format!("{}[]", facts.array[array.index()].name))
        .collect()
}

/// The questions about the launches of a fact set in which something was found. Their terms are added to the facts.
pub(super) fn questions(
    facts: &mut Facts,
    decision: &Decision,
    rows: &Rows<'_>,
    wants: &dyn Fn(KernelId) -> bool,
) -> Vec<Question> {
    let found = points(facts, decision);
    if found.is_empty() {
        return Vec::new();
    }
    let roots = Roots::new(facts);
    let mut questions = Vec::new();
    for (launch, points) in found {
        let is_potential = roots.potential.contains(&launch);
        if !is_potential && wants(facts.launch[launch.index()].kernel) {
            let question = Grammar::new(facts, rows, launch, (&points, &roots)).question(facts);
            questions.push(question);
        }
    }
    questions
}

/// By launch, the points of what was found and rests on no abstraction, and of what was not asked, for a race between the same places.
fn points(facts: &Facts, decision: &Decision) -> BTreeMap<LaunchId, Vec<PointId>> {
    let mut all: BTreeMap<LaunchId, Vec<PointId>> = BTreeMap::new();
    for outcome in &decision.races {
        let is_meant = match &outcome.answer {
            RaceAnswer::Race(race) => race.needs < Needs::Abstraction,
            RaceAnswer::Covered => true,
            RaceAnswer::Disjoint { .. } | RaceAnswer::Unknown { .. } => false,
        };
        if is_meant {
            let both = [outcome.candidate.first, outcome.candidate.second];
            let points = all.entry(outcome.candidate.launch).or_default();
            points.extend(both.map(|access| facts.access[access.index()].point));
        }
    }
    for outcome in &decision.divergences {
        if let DivergenceAnswer::Diverges(found) = &outcome.answer
            && found.needs < Needs::Abstraction
        {
            let barrier = outcome.candidate.barrier;
            let points = all.entry(outcome.candidate.launch).or_default();
            points.push(facts.barrier[barrier.index()].point);
        }
    }
    for points in all.values_mut() {
        points.sort_unstable();
        points.dedup();
    }
    all
}

/// Terms by the points that they are of, looked up once for all launches.
struct Roots {
    /// The terms that say whether and where there are accesses.
    at: Vec<Vec<TermId>>,
    /// The terms of values that are stored.
    stored: Vec<Vec<TermId>>,
    /// By launch.
    points: Vec<Vec<PointId>>,
    /// Launches of which everything is told as potential: something of them is not modelled.
    potential: BTreeSet<LaunchId>,
}

impl Roots {
    fn new(facts: &Facts) -> Self {
        let mut roots = Roots {
            at: vec![Vec::new(); facts.point.len()],
            stored: vec![Vec::new(); facts.point.len()],
            points: vec![Vec::new(); facts.launch.len()],
            potential: facts.launch_doubt.iter().map(|row| row.launch).collect(),
        };
        for row in &facts.access {
            roots.at[row.point.index()].push(row.index);
            roots.stored[row.point.index()].extend(row.value);
        }
        for row in &facts.guard_at {
            roots.at[row.point.index()].push(row.term);
        }
        for row in &facts.point {
            roots.points[row.launch.index()].push(row.point);
        }
        let not_modelled = facts.unsupported.iter();
        let not_modelled = not_modelled.filter(|row| row.effect >= Effect::Control);
        roots
            .potential
            .extend(not_modelled.filter_map(|row| row.launch));
        roots
    }

    fn of(&self, points: &[PointId]) -> Vec<TermId> {
        let all = points.iter().flat_map(|point| &self.at[point.index()]);
        all.copied().collect()
    }

    /// Whether a kernel asks in which block a thread is: it is made for several.
    fn ask_for_block(&self, facts: &Facts, launch: LaunchId) -> bool {
        let points = &self.points[launch.index()];
        let mut all = self.of(points);
        all.extend(points.iter().flat_map(|point| &self.stored[point.index()]));
        facts.terms.reachable(&all).into_iter().any(|id| {
            use Op::{BidX, BidY, BidZ, GdimX, GdimY, GdimZ};
            matches!(
                facts.terms.get(id).op,
                BidX | BidY | BidZ | GdimX | GdimY | GdimZ
            )
        })
    }
}

/// What conditions on a launch speak of.
struct Grammar {
    launch: LaunchId,
    sizes: Vec<Size>,
    /// Values of host code that no condition can name.
    others: Vec<Size>,
    /// Sizes that something is compared with.
    bounds: Vec<TermId>,
    /// Sizes that something is multiplied by.
    strides: Vec<Size>,
    /// All that is multiplied by something else than a size of the launch, with the largest number of the code that multiplies it.
    multiplied: BTreeMap<TermId, i128>,
    block: [Option<Size>; 3],
    grid: [Option<Size>; 3],
    /// Numbers by which something is multiplied or divided.
    factors: Vec<i128>,
    /// Powers of two that are added to something.
    steps: Vec<i128>,
    /// Threads of a block and of the grid along an axis, where they are known.
    threads: Vec<i128>,
    constants: Vec<i128>,
    /// Elements of arrays in shared memory, and the threads of a warp.
    extents: Vec<i128>,
    /// The same without the threads of a warp.
    of_arrays: Vec<i128>,
    arrays: Vec<Worded>,
    /// What makes digits of the places apart.
    apart: Vec<Apart>,
    asks_for_block: bool,
    has_barrier: bool,
    decided: BTreeMap<PointId, BTreeSet<String>>,
}

const BLOCK: [(Dimension, &str); 3] = [
    (Dimension::BlockX, "blockDim.x"),
    (Dimension::BlockY, "blockDim.y"),
    (Dimension::BlockZ, "blockDim.z"),
];
const GRID: [(Dimension, &str); 3] = [
    (Dimension::GridX, "gridDim.x"),
    (Dimension::GridY, "gridDim.y"),
    (Dimension::GridZ, "gridDim.z"),
];

impl Grammar {
    fn new(
        facts: &Facts,
        rows: &Rows<'_>,
        launch: LaunchId,
        (points, roots): (&[PointId], &Roots),
    ) -> Self {
        let own = rows.of(launch);
        let dimension = |(dimension, text): (Dimension, &str)| {
            let mut rows = own.dimensions.iter();
            let row = rows.find(|row| row.dimension == dimension)?;
            let term = facts.terms.get(row.term);
            let is_leaf = term.args.is_empty() && term.op != Op::Const;
            // A size that host code passes on is spoken of by the name that the kernel has for it.
            let is_open = match leaves(facts, row.term) {
                Some(symbol) => is_decided_outside(facts, symbol) && term.ty.is_integer(),
                None => is_leaf,
            };
            is_open.then(|| Size {
                text: text.to_owned(),
                term: row.term,
            })
        };
        let mut grammar = Grammar {
            launch,
            sizes: Vec::new(),
            others: Vec::new(),
            bounds: Vec::new(),
            strides: Vec::new(),
            multiplied: BTreeMap::new(),
            block: BLOCK.map(dimension),
            grid: GRID.map(dimension),
            factors: Vec::new(),
            steps: Vec::new(),
            threads: threads(facts, own),
            constants: Vec::new(),
            extents: vec![WARP],
            of_arrays: Vec::new(),
            arrays: Vec::new(),
            apart: Vec::new(),
            asks_for_block: roots.ask_for_block(facts, launch),
            has_barrier: own
                .barriers
                .iter()
                .any(|row| row.kind == BarrierKind::Block),
            decided: BTreeMap::new(),
        };
        grammar.read(facts, rows, points, roots);
        grammar.apart = grammar.digits(facts, rows, points);
        grammar
    }

    /// What the places of what was found want to be apart by their digits.
    fn digits(&self, facts: &Facts, rows: &Rows<'_>, points: &[PointId]) -> Vec<Apart> {
        let own = rows.of(self.launch);
        let accesses = own.accesses.iter();
        let mut places: Vec<(TermId, Vec<&GuardAtRow>)> = accesses
            .filter(|row| points.binary_search(&row.point).is_ok())
            .map(|row| (row.index, rows.guards(row.point).to_vec()))
            .collect();
        places.dedup_by_key(|(index, _)| *index);
        let name = |id: TermId| -> Option<Size> {
            let dimensions = self.block.iter().chain(&self.grid).flatten();
            if let Some(dimension) = dimensions.clone().find(|size| size.term == id) {
                return Some(dimension.clone());
            }
            let mut rows = own.dimensions.iter();
            if let Some(row) = rows.find(|row| row.term == id) {
                let mut all = BLOCK.iter().chain(&GRID);
                let (_, text) = all.find(|(dimension, _)| *dimension == row.dimension)?;
                let text = (*text).to_owned();
                return Some(Size { text, term: id });
            }
            match size(facts, own, leaves(facts, id)?)? {
                Named::InConditions(size) => Some(size),
                Named::InWords(_) => None,
            }
        };
        let launch = digits::Launch {
            facts,
            ranges: &rows.bases.ranges(self.launch),
            dimensions: &own.dimensions,
            name: &name,
        };
        launch.apart(&places)
    }

    fn read(&mut self, facts: &Facts, rows: &Rows<'_>, points: &[PointId], roots: &Roots) {
        let own = rows.of(self.launch);
        let mut of_points = roots.of(points);
        // The sizes of a launch may be computed from what the caller decides.
        of_points.extend(own.dimensions.iter().map(|row| row.term));
        for id in facts.terms.reachable(&of_points) {
            let term = facts.terms.get(id);
            let constants = term
                .args
                .iter()
                .filter_map(|&arg| facts.terms.as_const(arg));
            let constants = constants.filter(|value| (2..=1024).contains(value));
            if term.op == Op::Mul {
                let by = term.args.iter().filter_map(|&arg| leaves(facts, arg));
                let constants = term
                    .args
                    .iter()
                    .filter_map(|&arg| facts.terms.as_const(arg));
                let factor = constants.max().unwrap_or(1).clamp(1, MOST_FACTOR);
                for symbol in by {
                    let known = self.multiplied.entry(symbol).or_insert(1);
                    *known = factor.max(*known);
                }
            }
            match term.op {
                Op::Mul | Op::Div | Op::Rem => add(&mut self.factors, constants),
                Op::Shl => {
                    let by = term.args.get(1).and_then(|&by| facts.terms.as_const(by));
                    let factor = by.filter(|by| (1..=10).contains(by)).map(|by| 1 << by);
                    add(&mut self.factors, factor.into_iter());
                }
                Op::Add => {
                    let rows =
                        constants.filter(|&value| ROWS.contains(&value) && is_power_of_two(value));
                    add(&mut self.steps, rows);
                }
                Op::Lt | Op::Le => {
                    add(&mut self.constants, constants);
                    self.bounds
                        .extend(term.args.iter().flat_map(|&arg| leaves(facts, arg)));
                }
                Op::Symbol => match size(facts, own, id) {
                    Some(Named::InConditions(size)) if self.sizes.len() < MAX_SIZES => {
                        self.sizes.push(size);
                    }
                    Some(Named::InWords(size)) if self.others.len() < MAX_SIZES => {
                        self.others.push(size);
                    }
                    _ => {}
                },
                _ => {}
            }
            if let Some(access) = term.access()
                && let Some(array) = index_array(facts, rows, access)
                && self.arrays.len() < MAX_ARRAYS
                && !self.arrays.contains(&array)
            {
                self.arrays.push(array);
            }
        }
        // What host code computes for a parameter is a size by the name of the parameter.
        let reached = facts.terms.reachable(&of_points);
        for argument in &own.arguments {
            let is_wanted = |id: &TermId| is_computed_size(facts, *id) && reached.contains(id);
            if let Some(term) = argument.term.filter(is_wanted)
                && self.sizes.len() < MAX_SIZES
            {
                let text = argument.name.clone();
                self.sizes.push(Size { text, term });
            }
        }
        let is_stride = |size: &&Size| {
            leaves(facts, size.term).is_some_and(|symbol| self.multiplied.contains_key(&symbol))
        };
        let strides = self.sizes.iter().filter(is_stride);
        self.strides = strides.take(MAX_STRIDES).cloned().collect();
        let shared = own.arrays.iter();
        let shared = shared.filter(|row| row.space == Space::Shared);
        let extents = shared.filter_map(|row| {
            let elements = row.bytes? / u64::from(row.element_bytes.max(1));
            (2..=1024)
                .contains(&elements)
                .then_some(i128::from(elements))
        });
        add(&mut self.of_arrays, extents);
        let of_shared =
            |row: &&&ArrayExtentRow| facts.array[row.array.index()].space == Space::Shared;
        let extents = own.extents.iter().filter(of_shared);
        let extents = extents.map(|row| i128::from(row.elements));
        add(
            &mut self.of_arrays,
            extents.filter(|value| (2..=1024).contains(value)),
        );
        add(&mut self.extents, self.of_arrays.iter().copied());
        let numbers = [
            &mut self.factors,
            &mut self.steps,
            &mut self.constants,
            &mut self.extents,
            &mut self.of_arrays,
        ];
        for numbers in numbers {
            numbers.sort_unstable_by(|a, b| b.cmp(a));
            numbers.truncate(MAX_CONSTANTS);
        }
        for &point in points {
            let there = facts.terms.reachable(&roots.of(&[point]));
            let is_there = |size: &&Size| {
                let own = leaves(facts, size.term).unwrap_or(size.term);
                there.contains(&own)
            };
            let names = self.named().filter(is_there);
            let names = names.map(|size| size.text.clone()).collect();
            self.decided.insert(point, names);
        }
    }

    fn named(&self) -> impl Iterator<Item = &Size> {
        let dimensions = self.block.iter().chain(&self.grid).flatten();
        self.sizes.iter().chain(&self.others).chain(dimensions)
    }

    fn question(self, facts: &mut Facts) -> Question {
        let mut sane: Vec<(String, TermId)> = Vec::new();
        let mut all: Vec<&Size> = self.sizes.iter().chain(&self.others).collect();
        let of_launch: Vec<TermId> = self
            .block
            .iter()
            .chain(&self.grid)
            .flatten()
            .map(|size| size.term)
            .collect();
        for size in self.apart.iter().flat_map(Apart::sizes) {
            let is_known = all.iter().any(|known| known.term == size.term);
            let of_launch = size.text.contains("Dim.") || of_launch.contains(&size.term);
            if !is_known && !of_launch {
                all.push(size);
            }
        }
        for size in all {
            let own = leaves(facts, size.term).unwrap_or(size.term);
            let factor = self.multiplied.get(&own);
            // That a signed number by which something is multiplied is not 0 is left to the conditions: a solver finds a race of
            // products more easily where one may be 0.
            let is_stride = factor.is_some() && !facts.terms.ty(size.term).is_signed();
            let least = i128::from(self.bounds.contains(&own) || is_stride);
            let terms = &mut facts.terms;
            if terms.ty(size.term).is_signed() || least > 0 {
                let (text, condition) = from_constant(terms, size, least);
                sane.extend(holds(condition).map(|term| (text, term)));
            }
            if terms.ty(size.term) == CType::U32 {
                // A place of so many rows, and the next ones, has a number that fits.
                let most = factor.map_or(i128::from(i32::MAX), |factor| (1 << 30) / factor);
                let (text, condition) = with_constant(terms, Op::Le, size, most, "<=");
                sane.extend(holds(condition).map(|term| (text, term)));
            }
        }
        let (all, wide) = self.conditions(&mut facts.terms);
        let mut narrow = 0;
        let mut asked: Vec<(String, Asked)> = Vec::new();
        for (place, (worded, kind)) in all.into_iter().enumerate() {
            if place == wide {
                narrow = asked.len();
            }
            let is_decided =
                holds(worded.1).is_some_and(|term| facts.terms.as_const(term).is_some());
            let is_known = asked.iter().any(|(_, known)| known.condition == worded.1);
            if !is_decided && !is_known {
                asked.push((worded.0, kind.of(worded.1, &self)));
            }
        }
        let terms = &mut facts.terms;
        let digits = self.apart.iter().flat_map(|apart| apart.conditions(terms));
        let digits: Vec<Condition> = digits.map(|(_, condition)| condition).collect();
        let places = asked.iter().enumerate();
        let likely = places.filter(|(_, (_, asked))| digits.contains(&asked.condition));
        let likely = likely.map(|(place, _)| place).collect();
        let (words, conditions) = asked.into_iter().unzip();
        let (sane_words, sane) = sane.into_iter().unzip();
        Question {
            inquiry: Inquiry {
                launch: self.launch,
                conditions,
                likely,
                sane,
            },
            words,
            narrow,
            sane: sane_words,
            decided: self.decided,
        }
    }

    /// The conditions, weakest first, with what they are about; and where those of blocks and grids alone begin.
    fn conditions(&self, terms: &mut TermStore) -> (Vec<(Worded, Kind)>, usize) {
        let mut all = Vec::new();
        self.of_pairs(terms, &mut all);
        self.of_threads(terms, &mut all);
        for (position, size) in self.sizes.iter().enumerate() {
            for other in &self.sizes[position + 1..] {
                all.push((compare(terms, Op::Eq, size, other, "=="), Kind::Sizes));
            }
            let numbers = self.constants.iter().chain(&self.extents);
            for &constant in numbers.chain(&self.threads) {
                all.push((from_constant(terms, size, constant), Kind::Sizes));
            }
            // Work for one warp is not what a kernel is for that asks for its block.
            let least = if self.asks_for_block { WARP + 1 } else { 0 };
            let most = self.extents.iter().chain(&self.threads);
            for &most in most.filter(|&&most| most >= least) {
                all.push((
                    with_constant(terms, Op::Le, size, most, "<="),
                    Kind::FewRounds,
                ));
            }
        }
        for apart in &self.apart {
            let conditions = apart.conditions(terms).into_iter();
            all.extend(conditions.map(|condition| (condition, Kind::Sizes)));
        }
        all.extend(
            self.arrays
                .iter()
                .cloned()
                .map(|array| (array, Kind::Sizes)),
        );
        self.of_steps(terms, &mut all);
        self.of_planes(terms, &mut all);
        self.of_wide_strides(terms, &mut all);
        let wide = all.len();
        self.of_blocks(terms, &mut all);
        (all, wide)
    }

    /// Relations of two sizes; multiples and powers of two.
    fn of_pairs(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        let pairs = || {
            let pairs = self.sizes.iter().enumerate();
            pairs.flat_map(|(nth, one)| self.sizes[nth + 1..].iter().map(move |other| (one, other)))
        };
        for (one, other) in pairs() {
            all.push((compare(terms, Op::Le, one, other, "<="), Kind::Sizes));
            all.push((compare(terms, Op::Le, other, one, "<="), Kind::Sizes));
        }
        let mut factors: BTreeSet<i128> = self.factors.iter().copied().collect();
        factors.insert(WARP);
        if let Some(block) = &self.block[0] {
            // Nobody knows his blocks to be a multiple of 9.
            for &factor in factors.iter().filter(|&&factor| is_power_of_two(factor)) {
                all.push((multiple(terms, block, factor), Kind::Sizes));
            }
        }
        for size in &self.sizes {
            for &factor in &factors {
                all.push((multiple(terms, size, factor), Kind::Sizes));
            }
        }
        for (one, other) in pairs() {
            all.push((divides(terms, one, other), Kind::Sizes));
            all.push((divides(terms, other, one), Kind::Sizes));
        }
        for size in self.block.iter().flatten().chain(&self.sizes) {
            all.push((power_of_two(terms, size), Kind::Sizes));
        }
    }

    /// Relations of a size to the threads of a launch, along each axis.
    fn of_threads(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        for axis in 0..3 {
            let (block, grid) = (&self.block[axis], &self.grid[axis]);
            let whole = block.as_ref().zip(grid.as_ref());
            let whole = whole.map(|(block, grid)| product(terms, block, grid));
            for size in &self.sizes {
                let limits = || {
                    let whole = whole.iter().map(|whole| (whole, Kind::Sizes));
                    whole.chain(block.iter().map(|block| (block, Kind::OneBlock)))
                };
                // `n >= blockDim.x` says less than `n >= blockDim.x * gridDim.x`, and `n <= blockDim.x` more.
                for limit in block.iter().chain(&whole) {
                    all.push((at_least(terms, size, limit), Kind::Sizes));
                }
                for (limit, kind) in limits() {
                    all.push((compare(terms, Op::Le, size, limit, "<="), kind));
                }
                for (limit, kind) in limits() {
                    all.push((compare(terms, Op::Eq, size, limit, "=="), kind));
                }
                if let Some(block) = block {
                    all.push((divides(terms, size, block), Kind::Sizes));
                }
            }
        }
    }

    /// Rows as wide as what all blocks write of them: `out[row * width + blockIdx.x * 64 + column]` wants 64 columns for each block.
    fn of_steps(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        for width in &self.strides {
            let numbers = self.factors.iter().filter(|&&by| ROWS.contains(&by));
            let numbers: Vec<Size> = numbers
                .map(|&by| Size {
                    text: by.to_string(),
                    term: terms.constant(by, CType::U32),
                })
                .collect();
            let others = self.strides.iter().filter(|other| other.term != width.term);
            let steps = numbers.iter().chain(others);
            for step in steps {
                for grid in self.grid.iter().take(2).flatten() {
                    let whole = product(terms, step, grid);
                    all.push((at_least(terms, width, &whole), Kind::Sizes));
                }
            }
        }
    }

    /// Two relations at once, for places of three dimensions: `(z * height + y) * width + x` wants rows that are as wide as the threads
    /// along x, and planes that are as high as those along y; `z * plane + y * width + x` wants planes that hold such rows.
    fn of_planes(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        let axes: Vec<[Option<Size>; 3]> = (0..3)
            .map(|axis| self.extents_along(terms, axis))
            .filter(|extents| extents.iter().any(Option::is_some))
            .collect();
        let [columns, rows, ..] = axes.as_slice() else {
            return;
        };
        for width in &self.strides {
            let others = self.strides.iter();
            for high in others.filter(|other| other.term != width.term) {
                for (column, row) in columns.iter().zip(rows) {
                    let (Some(column), Some(row)) = (column, row) else {
                        continue;
                    };
                    let is_wide = at_least(terms, width, column);
                    let is_high = at_least(terms, high, row);
                    let plane = rows_of(terms, width, row);
                    let holds_rows = compare(terms, Op::Le, &plane, high, "<=");
                    for second in [is_high, holds_rows] {
                        let together = both(terms, &is_wide, &second);
                        all.extend(together.map(|together| (together, Kind::Sizes)));
                    }
                }
            }
        }
    }

    /// A stride that is far more than all else there is: what that rules out hangs on the stride, though in a way that no condition of
    /// the grammar says, as `pitch >= width * sizeof(State)`. Such a condition has no words.
    fn of_wide_strides(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        let sizes = || self.sizes.iter().chain(&self.others);
        let strides: Vec<&Size> = sizes()
            .filter(|size| {
                let symbol = symbol_of(terms, size.term);
                symbol.is_some_and(|symbol| self.multiplied.contains_key(&symbol))
            })
            .take(MAX_STRIDES)
            .collect();
        for stride in strides {
            let along = (0..2).flat_map(|axis| {
                let [block, grid, whole] = self.extents_along(terms, axis);
                whole.or(grid).or(block)
            });
            let mut others: Vec<Size> = along.collect();
            others.extend(sizes().filter(|other| other.term != stride.term).cloned());
            let wide = |terms: &mut TermStore, other: &Size| {
                let times = terms.constant(WIDE, CType::I64);
                let other = terms.cast(other.term, CType::I64);
                let most = terms.binary(Op::Mul, CType::I64, other, times);
                let stride = terms.cast(stride.term, CType::I64);
                terms.binary(Op::Le, CType::Bool, most, stride)
            };
            let mut together: Option<TermId> = None;
            for other in &others {
                let is_wide = wide(terms, other);
                together = Some(match together {
                    Some(all) => terms.and(all, is_wide),
                    None => is_wide,
                });
            }
            let condition = together.map(Condition::Holds);
            all.extend(condition.map(|condition| ((String::new(), condition), Kind::WideStride)));
        }
    }

    /// How many there are along an axis, as far as a launch leaves it open: threads of a block, blocks, and threads of the grid.
    fn extents_along(&self, terms: &mut TermStore, axis: usize) -> [Option<Size>; 3] {
        let (block, grid) = (&self.block[axis], &self.grid[axis]);
        let whole = match (block, grid) {
            (Some(block), Some(grid)) => Some(product(terms, block, grid)),
            (None, Some(grid)) => Some(grid.clone()),
            _ => None,
        };
        [block.clone(), grid.clone(), whole]
    }

    /// Shapes of blocks and grids.
    fn of_blocks(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        if let [Some(x), Some(y), _] = &self.block {
            all.push((compare(terms, Op::Le, x, y, "<="), Kind::Sizes));
            all.push((compare(terms, Op::Le, y, x, "<="), Kind::Sizes));
            all.push((compare(terms, Op::Eq, x, y, "=="), Kind::Sizes));
        }
        self.of_rows(terms, all);
        for (op, word) in [(Op::Le, "<="), (Op::Eq, "==")] {
            for (block, along) in self.block.iter().zip(self.along()) {
                let Some(block) = block else { continue };
                for &extent in self.extents.iter().filter(|extent| along.contains(extent)) {
                    let kind = if extent <= WARP {
                        Kind::OneWarp
                    } else {
                        Kind::Sizes
                    };
                    all.push((with_constant(terms, op, block, extent, word), kind));
                }
            }
        }
        self.of_tiles(terms, all);
        let mut one: Option<Worded> = None;
        for grid in self.grid.iter().flatten() {
            let here = with_constant(terms, Op::Eq, grid, 1, "==");
            let together = one.as_ref().and_then(|one| both(terms, one, &here));
            all.push((here.clone(), Kind::OneBlockAlone));
            all.extend(together.clone().map(|both| (both, Kind::OneBlockAlone)));
            one = together.or(Some(here));
        }
    }
}

impl Grammar {
    /// Threads along the axes of a block that somebody is asked about: nobody launches blocks of 4 columns and 256 rows.
    fn along(&self) -> [RangeInclusive<i128>; 3] {
        let columns = match &self.block[1] {
            Some(_) => *ROWS.start(),
            None => WARP,
        };
        [columns..=MOST_THREADS, 2..=WARP, 2..=WARP]
    }

    /// Rows of a block that are as long as a number by which the code multiplies or divides: `16 * threadIdx.y + threadIdx.x`
    /// is written for rows of 16, `256 * blockIdx.x + threadIdx.x` for at most 256 threads.
    fn of_rows(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        let [Some(x), y, _] = &self.block else {
            return;
        };
        // A row of a block that has no others is a warp at least.
        let least = match y {
            Some(_) => *ROWS.start(),
            None => WARP + 1,
        };
        let mut rows: Vec<i128> = self.factors.clone();
        if y.is_some() {
            add(&mut rows, self.steps.iter().copied());
        }
        rows.retain(|row| {
            *row >= least
                && ROWS.contains(row)
                && row % ROWS.start() == 0
                && !self.extents.contains(row)
        });
        for &row in &rows {
            if y.is_some() {
                all.push((from_constant(terms, x, row), Kind::Sizes));
            }
            all.push((with_constant(terms, Op::Le, x, row, "<="), Kind::Sizes));
        }
        for &row in &rows {
            all.push((with_constant(terms, Op::Eq, x, row, "=="), Kind::Sizes));
        }
    }

    /// Blocks that are no wider than an array and no higher than a number of the code: `(32, 8)` of a transpose.
    fn of_tiles(&self, terms: &mut TermStore, all: &mut Vec<(Worded, Kind)>) {
        let [Some(x), Some(y), _] = &self.block else {
            return;
        };
        let mut numbers: BTreeSet<i128> = self.extents.iter().copied().collect();
        numbers.extend(&self.factors);
        numbers.extend(&self.constants);
        // A row of the tile is a row of an array; of a number by which something is multiplied, the caller knows nothing.
        let mut tiles: Vec<(i128, i128)> = self
            .of_arrays
            .iter()
            .flat_map(|&wide| numbers.iter().map(move |&high| (wide, high)))
            .filter(|(wide, high)| (WARP + 1..=MOST_THREADS).contains(&(wide * high)))
            .collect();
        // The largest say the least.
        tiles.sort_unstable_by_key(|&(wide, high)| (-wide * high, -wide));
        tiles.truncate(MAX_TILES);
        for (wide, high) in tiles {
            let within = [(x, wide), (y, high)]
                .map(|(size, most)| with_constant(terms, Op::Le, size, most, "<="));
            if let Some(tile) = both(terms, &within[0], &within[1]) {
                all.push((tile, Kind::Sizes));
            }
        }
    }
}

/// What a condition leaves of a launch.
#[derive(Clone, Copy)]
enum Kind {
    /// Threads in any number of blocks and warps.
    Sizes,
    /// Work for the threads of one block.
    OneBlock,
    /// One block: that says nothing of the threads of one block.
    OneBlockAlone,
    /// One warp a block.
    OneWarp,
    /// Sizes for which a loop over them may end after its first round.
    FewRounds,
    /// A stride that is far more than all else.
    WideStride,
}

impl Kind {
    fn of(self, condition: Condition, grammar: &Grammar) -> Asked {
        let one_block = matches!(self, Kind::OneBlock | Kind::OneBlockAlone);
        Asked {
            condition,
            not_between_blocks: one_block && grammar.asks_for_block,
            not_between_warps: matches!(self, Kind::OneWarp) && grammar.has_barrier,
            only_between_blocks: matches!(self, Kind::OneBlockAlone),
            not_round_loops: matches!(self, Kind::FewRounds),
            may_stay_open: matches!(self, Kind::WideStride),
        }
    }
}

/// The threads of a block, and those of the grid, along the axes of which host code tells them.
fn threads(facts: &Facts, own: &OfLaunch<'_>) -> Vec<i128> {
    let known = |dimension: Dimension| {
        let mut rows = own.dimensions.iter();
        let row = rows.find(|row| row.dimension == dimension)?;
        facts.terms.as_const(row.term)
    };
    let mut all = Vec::new();
    for ((block, _), (grid, _)) in BLOCK.iter().zip(&GRID).take(2) {
        if let Some(block) = known(*block).filter(|&block| block > 1) {
            let whole = known(*grid).map(|grid| block * grid);
            add(&mut all, [block].into_iter().chain(whole));
        }
    }
    all
}

/// So many for each: the threads of a grid along an axis, in its blocks.
fn product(terms: &mut TermStore, block: &Size, grid: &Size) -> Size {
    let [of_block, of_grid] = [block, grid].map(|size| terms.cast(size.term, CType::U32));
    Size {
        text: format!("{} * {}", block.text, grid.text),
        term: terms.binary(Op::Mul, CType::U32, of_block, of_grid),
    }
}

/// What so many rows of this width take.
fn rows_of(terms: &mut TermStore, width: &Size, rows: &Size) -> Size {
    let ty = terms.ty(width.term);
    let many = terms.cast(rows.term, ty);
    let rows = match (
        ty.is_signed(),
        ty.bits() == Some(32),
        rows.text.contains('*'),
    ) {
        (true, true, false) => format!("(int){}", rows.text),
        (true, true, true) => format!("(int)({})", rows.text),
        (true, false, _) => format!("(long)({})", rows.text),
        (false, _, true) => format!("({})", rows.text),
        (false, _, false) => rows.text.clone(),
    };
    Size {
        text: format!("{} * {rows}", width.text),
        term: terms.binary(Op::Mul, ty, width.term, many),
    }
}

/// How a value of host code can be spoken of.
enum Named {
    /// By a name that `--assume` understands.
    InConditions(Size),
    /// In a sentence only.
    InWords(Size),
}

/// An integer that the caller or host code decides, by the name that the kernel has for it, else by that of the host, if the kernel
/// has no other meaning for it. What is no more than a size of the launch is spoken of as that size.
fn size(facts: &Facts, own: &OfLaunch<'_>, id: TermId) -> Option<Named> {
    let term = facts.terms.get(id);
    let row = &facts.symbol[term.symbol()?.index()];
    if !is_decided_outside(facts, id) || !term.ty.is_integer() || term.ty.bits() < Some(32) {
        return None;
    }
    let size = |text: &str| Size {
        text: text.to_owned(),
        term: id,
    };
    let mut arguments = own.arguments.iter();
    if let Some(argument) = arguments.find(|row| row.term == Some(id)) {
        return Some(Named::InConditions(size(&argument.name)));
    }
    if matches!(row.kind, SymbolKind::Parameter | SymbolKind::Template) {
        return Some(Named::InConditions(size(&row.name)));
    }
    // What the kernel receives of it is a number of its own: `(int)positions.size()`.
    let received = own.arguments.iter().find_map(|row| {
        let term = row.term.filter(|&term| leaves(facts, term) == Some(id))?;
        let ty = facts.terms.ty(term);
        let is_size = ty.is_integer() && ty.bits() >= Some(32);
        is_size.then(|| Size {
            text: row.name.clone(),
            term,
        })
    });
    if let Some(received) = received {
        return Some(Named::InConditions(received));
    }
    let mut dimensions = own.dimensions.iter();
    if dimensions.any(|row| leaves(facts, row.term) == Some(id)) {
        return None;
    }
    let is_plain = row
        .name
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_');
    let is_taken = own
        .arguments
        .iter()
        .any(|argument| argument.name == row.name);
    Some(match is_plain && !is_taken {
        true => Named::InConditions(size(&row.name)),
        false => Named::InWords(size(&row.name)),
    })
}

/// Whether the caller of a kernel decides a symbol, who instantiates it, or host code in whatever way.
fn is_decided_outside(facts: &Facts, id: TermId) -> bool {
    let symbol = facts.terms.get(id).symbol();
    let row = symbol.and_then(|symbol| facts.symbol.get(symbol.index()));
    row.is_some_and(|row| {
        matches!(
            row.kind,
            SymbolKind::Parameter | SymbolKind::Template | SymbolKind::Host | SymbolKind::Computed
        )
    })
}

/// Whether a term is an integer that is computed of what is decided outside of the kernel, and of nothing else.
fn is_computed_size(facts: &Facts, id: TermId) -> bool {
    let ty = facts.terms.ty(id);
    let is_outside = |&id: &TermId| {
        let term = facts.terms.get(id);
        !term.args.is_empty() || term.op == Op::Const || is_decided_outside(facts, id)
    };
    ty.is_integer()
        && ty.bits() >= Some(32)
        && leaves(facts, id).is_none()
        && facts.terms.as_const(id).is_none()
        && facts.terms.reachable(&[id]).iter().all(is_outside)
}

/// The symbol that a term is, up to conversions.
fn leaves(facts: &Facts, id: TermId) -> Option<TermId> {
    symbol_of(&facts.terms, id)
}

fn symbol_of(terms: &TermStore, mut id: TermId) -> Option<TermId> {
    while matches!(terms.get(id).op, Op::Cast | Op::Fit) {
        id = *terms.get(id).args.first()?;
    }
    (terms.get(id).op == Op::Symbol).then_some(id)
}

fn is_power_of_two(number: i128) -> bool {
    number > 0 && number & (number - 1) == 0
}

fn add(numbers: &mut Vec<i128>, more: impl Iterator<Item = i128>) {
    for number in more {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
}

fn holds(condition: Condition) -> Option<TermId> {
    match condition {
        Condition::Holds(term) => Some(term),
        Condition::Distinct(_) | Condition::Sorted(_) => None,
    }
}

/// `n >= 4`.
fn from_constant(terms: &mut TermStore, size: &Size, least: i128) -> Worded {
    let ty = terms.ty(size.term);
    let constant = terms.constant(least, ty);
    let term = terms.binary(Op::Le, CType::Bool, constant, size.term);
    (format!("{} >= {least}", size.text), Condition::Holds(term))
}

/// `n % w == 0`.
fn divides(terms: &mut TermStore, size: &Size, divisor: &Size) -> Worded {
    let (left, right) = usual(terms, size.term, divisor.term);
    let ty = terms.ty(left);
    let rest = terms.binary(Op::Rem, ty, left, right);
    let zero = terms.constant(0, ty);
    let term = terms.binary(Op::Eq, CType::Bool, rest, zero);
    let text = format!("{} % {} == 0", size.text, divisor.text);
    (text, Condition::Holds(term))
}
