//! Deciding candidates: build, ask stage by stage, replay, refine.

use std::sync::Arc;

use facts::derived::*;
use facts::range::NoWrap;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::Options;
use crate::claim::claim_query;
use crate::defined::Undefined;
use crate::diverge::divergence_query;
use crate::formula::{Formula, Node, Shape};
use crate::index::{Index, patiently, take_replayed};
use crate::instances::Iterations;
use crate::outcome::*;
use crate::query::{Fixing, LaunchRanges, Pairing, Query, Refined, Refinement, launch_query};
use crate::race::race_query;
use crate::search::{Found, search};
use crate::solve::{
    Answer, Backend, Budget, Judge, Meter, Model, Problem, REAL_MODEL, SPENT, STEP_LIMIT, Wanted,
    text,
};
use crate::stop::INTERRUPTED;
use crate::witness::{
    Replay, Replayed, not_replayed, replay_claim, replay_divergence, replay_race,
};

/// What symbols are given where what a model gives them, or 0, leads to undefined behaviour or takes long.
const ELSEWHERE: [i128; 5] = [2, 1, 4, 16, 64];

/// Most times that a formula is refined by what a replay found.
const MAX_REFINEMENTS: usize = 24;

/// A step of the plan.
#[derive(Clone, Debug)]
enum Step {
    /// Whether the model of an equal formula replays.
    Recall(Arc<[(String, i128)]>),
    /// The formula as it is, or with concrete sizes, by propagation and search.
    Search(Fixing),
    /// From here on with Z3; all candidates of a launch come so far first.
    Solver,
    /// The formula as it is, in the living solver with a small budget.
    Quick(Stage),
    /// The formula with concrete sizes in the living solver.
    QuickProbe(Fixing),
    /// From here on with the full budget; all candidates of a launch come so far first.
    Effort,
    /// The formula as it is, in a fresh solver.
    Ask(Stage),
    /// The formula with concrete sizes, over integers or bit-vectors.
    Probe(Fixing, bool),
}

/// A decided or undecided candidate.
pub(crate) enum Verdict {
    None(Stage),
    Found(Stage, Box<Replayed>),
    Unknown(String),
}

/// What is known of a formula that was decided in another launch.
#[derive(Clone, Debug)]
pub(crate) enum Known {
    /// It has no model.
    Refuted(Stage),
    /// Values of its variables that replayed.
    Model(Arc<[(String, i128)]>),
    /// All was tried; whether more steps may decide it.
    Open(String, bool),
}

/// What deciding one candidate cost, and the decision.
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    pub(crate) queries: [u32; Stage::ALL.len()],
    pub(crate) rests_on: NoWrap,
    pub(crate) smt: Option<String>,
    /// The model that replayed, by the names of the variables.
    model: Option<Arc<[(String, i128)]>>,
    /// All that there is was tried.
    exhausted: bool,
    /// Nothing was added to the formula: what is added speaks of other facts than it does.
    plain: bool,
    /// It is undecided, and a question ran out of steps: with more of them it may be decided.
    pub(crate) wants_more: bool,
}

impl Decided {
    /// What this tells of equal formulas.
    pub(crate) fn lesson(&self) -> Option<Known> {
        match &self.verdict {
            Verdict::None(stage) => self.plain.then_some(Known::Refuted(*stage)),
            Verdict::Found(..) => self.model.clone().map(Known::Model),
            Verdict::Unknown(reason) if self.exhausted => {
                Some(Known::Open(reason.clone(), self.wants_more))
            }
            Verdict::Unknown(_) => None,
        }
    }

    /// As the answer to a question about some pairs of threads only: without a model, nothing is known of the others, for this reason.
    fn of_a_part(mut self, reason: Option<String>) -> Self {
        if let (Verdict::None(_), Some(reason)) = (&self.verdict, reason) {
            self.verdict = Verdict::Unknown(reason);
        }
        self
    }

    /// This one and another about other threads.
    pub(crate) fn joined(self, other: Decided) -> Self {
        let mut queries = self.queries;
        for (sum, more) in queries.iter_mut().zip(other.queries) {
            *sum += more;
        }
        let wants_more = self.wants_more || other.wants_more;
        let verdict = match (self.verdict, other.verdict) {
            (Verdict::None(one), Verdict::None(other)) => Verdict::None(one.max(other)),
            (_, found @ Verdict::Found(..)) | (found @ Verdict::Found(..), _) => found,
            (unknown @ Verdict::Unknown(_), _) | (_, unknown) => unknown,
        };
        Decided {
            verdict,
            queries,
            rests_on: self.rests_on | other.rests_on,
            smt: other.smt,
            plain: false,
            exhausted: false,
            model: None,
            wants_more,
        }
    }

    /// Something that its question asks in part has no model.
    pub(crate) fn refuted(stage: Stage, rests_on: NoWrap) -> Self {
        Decided {
            verdict: Verdict::None(stage),
            rests_on,
            wants_more: false,
            ..Decided::left("")
        }
    }

    /// Not even begun: for want of budget, or because the run was interrupted.
    pub(crate) fn left(reason: &str) -> Self {
        Decided {
            verdict: Verdict::Unknown(reason.to_owned()),
            queries: [0; Stage::ALL.len()],
            rests_on: NoWrap::default(),
            smt: None,
            model: None,
            exhausted: false,
            plain: false,
            wants_more: reason == SPENT,
        }
    }
}

/// What a formula consists of.
struct Features {
    nonlinear: bool,
    bits: bool,
    /// Symbols in products.
    factors: Vec<SymbolId>,
}

fn features(query: &Query) -> Features {
    let f: &Formula = &query.encoder.f;
    let mut found = Features {
        nonlinear: false,
        bits: false,
        factors: Vec::new(),
    };
    let mut atoms: Vec<Node> = Vec::new();
    for node in f.reachable(&query.asserts) {
        match f.shape(node) {
            Shape::Sum(poly) => {
                for (monomial, _) in &poly.terms {
                    if monomial.len() > 1 {
                        atoms.extend(monomial);
                    }
                }
            }
            Shape::Product(a, b) | Shape::Quotient(a, b) | Shape::Remainder(a, b) => {
                atoms.extend(f.reachable(&[*a, *b]));
                found.nonlinear = true;
            }
            Shape::BitAnd(..) | Shape::Bits(..) => found.bits = true,
            _ => {}
        }
    }
    found.nonlinear |= !atoms.is_empty();
    for (&id, &(_, node)) in &query.encoder.symbols {
        if atoms.contains(&node) {
            found.factors.push(id);
        }
    }
    found
}

fn plan(query: &Query, index: &Index, launch: LaunchId) -> Vec<Step> {
    let Features {
        nonlinear,
        bits,
        factors,
    } = features(query);
    let mut probes = probes(query, index, launch, &factors);
    let mut steps = Vec::new();
    // A size that may have few values is 1 in most launches, and with that an alarm is sure.
    let one_each = Fixing {
        symbols: index
            .computed_dimensions(launch)
            .map(|id| (id, 1))
            .collect(),
        ..Fixing::default()
    };
    if one_each.is_restricted() {
        steps.push(Step::Search(one_each.clone()));
    }
    steps.extend([Step::Search(Fixing::default()), Step::Solver]);
    if one_each.is_restricted() {
        steps.push(Step::QuickProbe(one_each));
    }
    if nonlinear {
        let late_probes = probes.split_off(probes.len().min(3));
        steps.push(Step::Quick(Stage::Linear));
        if !bits {
            steps.extend(probes.drain(..).map(Step::QuickProbe));
        }
        steps.push(Step::Quick(Stage::Int));
        steps.push(Step::Effort);
        steps.push(Step::Ask(Stage::Real));
        if bits {
            steps.push(Step::Ask(Stage::Bits));
        }
        steps.extend(probes.into_iter().map(|fixing| Step::Probe(fixing, bits)));
        steps.push(Step::Ask(Stage::Int));
        steps.push(Step::Ask(Stage::IntAgain));
        if !bits {
            steps.push(Step::Ask(Stage::Bits));
        }
        steps.extend(late_probes.into_iter().map(|f| Step::Probe(f, bits)));
    } else {
        steps.push(Step::Quick(Stage::Int));
        steps.push(Step::Effort);
        if bits {
            steps.push(Step::Ask(Stage::Bits));
        }
        steps.push(Step::Ask(Stage::Int));
        steps.push(Step::Ask(Stage::IntAgain));
        steps.extend(probes.into_iter().map(|f| Step::Probe(f, bits)));
    }
    steps
}

/// Concrete sizes for the dimensions that are symbolic, and for symbols in products.
fn probes(query: &Query, index: &Index, launch: LaunchId, factors: &[SymbolId]) -> Vec<Fixing> {
    let f = &query.encoder.f;
    let symbolic = |dimension: Dimension| {
        f.as_constant(query.dims[dimension as usize]).is_none()
            && index.dimension(launch, dimension).is_none_or(|term| {
                index.facts.terms.get(term).args.is_empty()
                    && index.facts.terms.get(term).op != Op::Symbol
            })
    };
    let free: Vec<Dimension> = Dimension::ALL
        .iter()
        .copied()
        .filter(|&dimension| symbolic(dimension))
        .collect();
    if free.is_empty() && factors.is_empty() {
        return Vec::new();
    }
    let two_dimensional = free.contains(&Dimension::BlockY);
    let blocks: &[[i128; 3]] = if two_dimensional {
        &[
            [8, 4, 1],
            [16, 16, 1],
            [32, 8, 1],
            [4, 2, 2],
            [32, 32, 1],
            [6, 8, 1],
        ]
    } else {
        &[
            [64, 1, 1],
            [32, 1, 1],
            [128, 1, 1],
            [256, 1, 1],
            [1024, 1, 1],
            [48, 1, 1],
            [192, 1, 1],
        ]
    };
    // What tells numbers of a small launch apart is small.
    let pitches: [i128; 8] = if free.is_empty() {
        [2, 16, 3, 64, 100, 1, 33, 7]
    } else {
        [64, 16, 100, 1, 33, 2, 3, 7]
    };
    let mut result = Vec::new();
    let mut round = 0usize;
    for grid in [2i128, 1, 5] {
        for block in blocks {
            let value = |dimension: Dimension| match dimension {
                Dimension::BlockX => block[0],
                Dimension::BlockY => block[1],
                Dimension::BlockZ => block[2],
                Dimension::GridX => grid,
                Dimension::GridY if two_dimensional => grid,
                _ => 1,
            };
            let fixing = Fixing {
                dimensions: free.iter().map(|&d| (d, value(d))).collect(),
                symbols: factors
                    .iter()
                    .enumerate()
                    .map(|(position, &id)| (id, pitches[(position + round) % pitches.len()]))
                    .collect(),
                ..Fixing::default()
            };
            round += 1;
            if !result.contains(&fixing) {
                result.push(fixing);
            }
        }
    }
    result
}

/// The integers of the launch: those that the formula names, and the others.
fn symbols(query: &Query, index: &Index, launch: LaunchId) -> (Vec<SymbolId>, Vec<SymbolId>) {
    let rows = index.symbols(launch).iter();
    rows.filter(|row| row.ty.is_integer() && row.ty != CType::Bool)
        .map(|row| row.symbol)
        .partition(|id| query.encoder.symbols.contains_key(id))
}

/// The way from a candidate to its decision, so far.
pub(crate) struct Progress {
    steps: std::vec::IntoIter<Step>,
    refinements: Vec<Refinement>,
    defined: Vec<Undefined>,
    /// Stages that answered, if not with a decision: asking longer is of no use.
    settled: Vec<Stage>,
    reasons: Vec<String>,
    /// A model in the first iterations of loops was asked for.
    looked_early: bool,
    /// Models were asked for in which symbols have other values.
    looked_elsewhere: bool,
    /// How small the numbers of a witness are to be.
    pub(crate) wanted: Wanted,
    queries: [u32; Stage::ALL.len()],
    rests_on: NoWrap,
    smt: Option<String>,
    model: Option<Arc<[(String, i128)]>>,
    /// The first witness whose replay took too long: a finding, where no other is found and nothing refutes it.
    long: Option<(Stage, Box<Replayed>)>,
    exhausted: bool,
    /// A question ran out of its steps.
    limited: bool,
    /// The formula as a text, equal for equal formulas.
    pub(crate) key: Option<Arc<[u8]>>,
}

impl Progress {
    fn new(steps: Vec<Step>) -> Self {
        Progress {
            steps: steps.into_iter(),
            refinements: Vec::new(),
            defined: Vec::new(),
            settled: Vec::new(),
            reasons: Vec::new(),
            looked_early: false,
            looked_elsewhere: false,
            wanted: Wanted::Smallest,
            queries: [0; Stage::ALL.len()],
            rests_on: NoWrap::default(),
            smt: None,
            model: None,
            long: None,
            exhausted: false,
            limited: false,
            key: None,
        }
    }

    /// Decides as an equal formula was decided, or tries its model first.
    pub(crate) fn recall(mut self: Box<Self>, known: &Known) -> Result<Decided, Box<Self>> {
        match known {
            Known::Refuted(stage) => Ok(self.decided(Verdict::None(*stage))),
            Known::Open(reason, wants_more) => {
                let mut decided = self.decided(Verdict::Unknown(reason.clone()));
                decided.wants_more = *wants_more;
                Ok(decided)
            }
            Known::Model(model) => {
                self.put_first([Step::Recall(Arc::clone(model))]);
                Err(self)
            }
        }
    }

    fn note(&mut self, reason: String) {
        if !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }

    /// Asks next for a model in the first iterations, if that is not what was asked.
    fn look_early(&mut self, fixing: &Fixing) {
        if !fixing.early && !std::mem::replace(&mut self.looked_early, true) {
            let early = Fixing {
                early: true,
                ..fixing.clone()
            };
            let steps = [Step::Search(early.clone()), Step::QuickProbe(early)];
            self.put_first(steps);
        }
    }

    /// Asks next for models with other symbols: they may decide on the way to what is asked that something is undefined, or takes long.
    /// First what the formula does not name is not 0, then every symbol has one value.
    fn look_elsewhere(&mut self, fixing: &Fixing, named: &[SymbolId], unnamed: &[SymbolId]) {
        let none = named.is_empty() && unnamed.is_empty();
        if none || std::mem::replace(&mut self.looked_elsewhere, true) {
            return;
        }
        let with = |symbols: &[SymbolId], number: i128| {
            let is_free = |id: &&SymbolId| !fixing.symbols.iter().any(|(other, _)| other == *id);
            let mut with = fixing.clone();
            let given = symbols.iter().filter(is_free);
            with.symbols.extend(given.map(|&id| (id, number)));
            with
        };
        let all = [named, unnamed].concat();
        let mut steps = Vec::new();
        if !unnamed.is_empty() {
            steps.extend(ELSEWHERE.map(|number| Step::Search(with(unnamed, number))));
        }
        if !named.is_empty() {
            steps.extend(ELSEWHERE.map(|number| Step::Search(with(&all, number))));
            let [first, second, ..] = ELSEWHERE;
            steps.extend([first, second].map(|number| Step::QuickProbe(with(&all, number))));
        }
        self.put_first(steps);
    }

    fn put_first(&mut self, steps: impl IntoIterator<Item = Step>) {
        let rest = std::mem::take(&mut self.steps);
        let all: Vec<Step> = steps.into_iter().chain(rest).collect();
        self.steps = all.into_iter();
    }

    fn decided(&mut self, verdict: Verdict) -> Decided {
        Decided {
            verdict,
            queries: self.queries,
            rests_on: self.rests_on,
            smt: self.smt.take(),
            model: self.model.take(),
            exhausted: self.exhausted,
            plain: self.refinements.is_empty() && self.defined.is_empty(),
            wants_more: false,
        }
    }

    /// Whether no step is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.steps.as_slice().is_empty()
    }

    /// The decision if nothing more can be done.
    pub(crate) fn give_up(mut self, reason: Option<&str>) -> Decided {
        self.exhausted = reason.is_none();
        let wants_more = reason.is_some() || self.limited;
        if let Some(reason) = reason {
            self.note(reason.to_owned());
        }
        if let Some((stage, found)) = self.long.take() {
            return self.decided(Verdict::Found(stage, found));
        }
        let reason = if self.reasons.is_empty() {
            "not decided in any stage".to_owned()
        } else {
            self.reasons.join("; ")
        };
        Decided {
            wants_more,
            ..self.decided(Verdict::Unknown(reason))
        }
    }
}

/// How a candidate's query is made and a model of it judged.
struct Case<'c, 'a> {
    index: &'a Index<'a>,
    launch: LaunchId,
    build: &'c dyn Fn(&Fixing, &[Refinement]) -> Query<'a>,
    replay: &'c dyn Fn(&Query, &Model) -> Replay,
}

impl<'a> Case<'_, 'a> {
    /// What becomes of a model whose replay takes too long, if no other is found: it is replayed to its end all the same, as far as
    /// that is worth it, and told as not replayed else.
    fn long(&self, meter: &mut Meter, query: &Query, model: &Model) -> Option<Box<Replayed>> {
        let patient = meter
            .may_take_long()
            .then(|| patiently(|| (self.replay)(query, model)));
        match patient {
            Some(Replay::Good(replayed)) => Some(replayed),
            _ => not_replayed(self.index, query, self.launch, model).map(Box::new),
        }
    }

    /// What a replay of the final model says; of a model on the way to it, if that replays better.
    fn judge(&self, before: Option<Replay>, query: &Query, model: &Model) -> Replay {
        match before {
            Some(replay @ (Replay::Refine(_) | Replay::Bad(_) | Replay::Long)) => replay,
            Some(Replay::Good(rough)) => match (self.replay)(query, model) {
                Replay::Good(small) if small.exact >= rough.exact => Replay::Good(small),
                _ => Replay::Good(rough),
            },
            None => (self.replay)(query, model),
        }
    }

    /// The plan of a candidate, or its decision when the formula is false by its normal form.
    fn begin(&self, backend: &mut Backend, remember: bool) -> Result<Decided, Box<Progress>> {
        let query = (self.build)(&Fixing::default(), &[]);
        backend.meter.build(query.encoder.f.work);
        let refuted = is_refuted(&query);
        let steps = if refuted {
            Vec::new()
        } else {
            plan(&query, self.index, self.launch)
        };
        let mut progress = Progress {
            rests_on: query.encoder.rests_on,
            key: (remember && !refuted).then(|| {
                let roots: Vec<Node> = query.asserts.iter().chain(&query.late).copied().collect();
                query.encoder.f.key(&roots).into()
            }),
            ..Progress::new(steps)
        };
        if refuted {
            if backend.keep_text {
                progress.smt = Some(text(&problem_of(&query)));
            }
            Ok(progress.decided(Verdict::None(Stage::Bounds)))
        } else {
            Err(Box::new(progress))
        }
    }

    /// Takes the steps up to [`Step::Solver`], [`Step::Effort`] or the end. Gives the decision, if there is one.
    fn advance(
        &self,
        backend: &mut Backend,
        options: &Options,
        progress: &mut Progress,
    ) -> Option<Decided> {
        let mut built: Option<(Fixing, usize, Query<'a>)> = None;
        'steps: while backend.meter.left > 0
            && let Some(step) = progress.steps.next()
        {
            let mut recalled = None;
            let (stage, fixing, quick) = match step {
                Step::Recall(model) => {
                    recalled = Some(model);
                    (Stage::Search, Fixing::default(), true)
                }
                Step::Solver | Step::Effort => return None,
                Step::Search(fixing) => (Stage::Search, fixing, true),
                Step::Quick(stage) => (stage, Fixing::default(), true),
                Step::QuickProbe(fixing) => (Stage::Concrete, fixing, true),
                Step::Ask(stage) => (stage, Fixing::default(), false),
                // Sizes that are given leave little to search.
                Step::Probe(fixing, false) => (Stage::Concrete, fixing, true),
                Step::Probe(fixing, true) => (Stage::Bits, fixing, false),
            };
            if !fixing.is_restricted() && progress.settled.contains(&stage) {
                continue;
            }
            progress.defined.retain(|&kind| kind != Undefined::Division);
            loop {
                let fixing = Fixing {
                    defined: progress.defined.clone(),
                    ..fixing.clone()
                };
                let refinements = progress.refinements.len();
                let query = match built.take() {
                    Some((old, count, query)) if old == fixing && count == refinements => query,
                    _ => {
                        let query = (self.build)(&fixing, &progress.refinements);
                        backend.meter.build(query.encoder.f.work);
                        query
                    }
                };
                let (_, _, query) = built.insert((fixing.clone(), refinements, query));
                progress.rests_on |= query.encoder.rests_on;
                let sound = query.refined_soundly && !fixing.is_restricted();
                let mut judged = None;
                let answer = if is_refuted(query) {
                    if options.keep_smt {
                        progress.smt = Some(text(&problem_of(query)));
                    }
                    Answer::Unsat
                } else if let Some(model) = recalled.take() {
                    recall(query, &model)
                } else {
                    let wanted = match progress.wanted {
                        Wanted::Smallest if refinements > 0 && !quick => Wanted::Rough,
                        wanted => wanted,
                    };
                    let replay = &mut |model: &Model| {
                        let replay = (self.replay)(query, model);
                        let good = match &replay {
                            Replay::Good(_) => true,
                            // What is undefined in one model is in a smaller one, too, more often than not.
                            Replay::Refine(refinement) if wanted == Wanted::Any => {
                                matches!(refinement.what, Refined::Defined(_))
                            }
                            _ => false,
                        };
                        if good || wanted != Wanted::Any {
                            judged = Some(replay);
                        }
                        good
                    };
                    let judge = quick.then_some(replay as Judge<'_>);
                    ask(backend, options, (stage, wanted, judge), query, progress)
                };
                backend.meter.replay(take_replayed());
                match answer {
                    Answer::Unsat if sound => return Some(progress.decided(Verdict::None(stage))),
                    Answer::Unsat if fixing.is_restricted() => continue 'steps,
                    Answer::Unsat => {
                        progress.note(if progress.defined.contains(&Undefined::Division) {
                            "only models with undefined behaviour were found".to_owned()
                        } else {
                            "no model that replays was found".to_owned()
                        });
                        progress.steps = Vec::new().into_iter();
                        return None;
                    }
                    Answer::Unknown(reason) => {
                        if reason == REAL_MODEL {
                            progress.settled.push(stage);
                        }
                        progress.limited |= reason == STEP_LIMIT;
                        if !fixing.is_restricted() && !quick {
                            progress.note(format!("{}: {reason}", stage.name()));
                        }
                        continue 'steps;
                    }
                    Answer::Sat(model) => match self.judge(judged, query, &model) {
                        Replay::Good(mut replayed) => {
                            progress.model = Some(named(query, &model));
                            // Models on the way need not be small, the last one should be.
                            if refinements > 0
                                && !quick
                                && progress.wanted == Wanted::Smallest
                                && let Answer::Sat(small) = ask(
                                    backend,
                                    options,
                                    (stage, Wanted::Smallest, None),
                                    query,
                                    progress,
                                )
                                && let Replay::Good(smaller) = (self.replay)(query, &small)
                                && smaller.exact >= replayed.exact
                            {
                                replayed = smaller;
                            }
                            let stage = if fixing.is_restricted() {
                                Stage::Concrete
                            } else {
                                stage
                            };
                            return Some(progress.decided(Verdict::Found(stage, replayed)));
                        }
                        Replay::Refine(refinement) => {
                            let known = match &refinement.what {
                                Refined::Defined(kind) => progress.defined.contains(kind),
                                _ => progress.refinements.contains(&refinement),
                            };
                            if known && matches!(refinement.what, Refined::Defined(_)) {
                                let (named, unnamed) = symbols(query, self.index, self.launch);
                                progress.look_elsewhere(&fixing, &named, &unnamed);
                            }
                            if known || progress.refinements.len() >= MAX_REFINEMENTS {
                                progress.note("no model that replays was found".to_owned());
                                progress.settled.push(stage);
                                continue 'steps;
                            }
                            match refinement.what {
                                Refined::Defined(kind) => progress.defined.push(kind),
                                _ => progress.refinements.push(refinement),
                            }
                        }
                        Replay::Long => {
                            progress.note("the replay of the witness is too long".to_owned());
                            if progress.long.is_none() {
                                progress.long = self
                                    .long(&mut backend.meter, query, &model)
                                    .map(|found| (stage, found));
                            }
                            progress.settled.push(stage);
                            let (named, unnamed) = symbols(query, self.index, self.launch);
                            progress.look_elsewhere(&fixing, &named, &unnamed);
                            progress.look_early(&fixing);
                            continue 'steps;
                        }
                        Replay::Bad(reason) => {
                            progress.note(reason);
                            progress.settled.push(stage);
                            continue 'steps;
                        }
                    },
                }
            }
        }
        None
    }
}

/// A model by the names of the variables.
fn named(query: &Query, model: &Model) -> Arc<[(String, i128)]> {
    let variables = query.encoder.f.variables.iter();
    variables
        .zip(model)
        .map(|(variable, &value)| (variable.name.clone(), value))
        .collect()
}

/// The model of an equal formula, if it is one of this.
fn recall(query: &Query, named: &[(String, i128)]) -> Answer {
    let f = &query.encoder.f;
    let model: Model = f
        .variables
        .iter()
        .map(|variable| {
            let known = named.iter().find(|(name, _)| *name == variable.name);
            known.map_or_else(|| variable.bounds.near_zero(), |&(_, value)| value)
        })
        .collect();
    let roots: Vec<Node> = query.asserts.iter().chain(&query.late).copied().collect();
    if f.satisfies(&roots, &model) {
        Answer::Sat(model)
    } else {
        Answer::Unknown("another model is needed".to_owned())
    }
}

fn is_refuted(query: &Query) -> bool {
    query
        .asserts
        .iter()
        .chain(&query.late)
        .any(|&node| query.encoder.f.as_truth(node) == Some(false))
}

fn problem_of<'q>(query: &'q Query<'_>) -> Problem<'q> {
    Problem {
        f: &query.encoder.f,
        must: query.asserts.clone(),
        late: query.late.clone(),
        wishes: query.wishes.clone(),
        small: query.small.clone(),
    }
}

/// One question: in the living solver with a small budget, or in a fresh one.
fn ask(
    backend: &mut Backend,
    options: &Options,
    (stage, model, judge): (Stage, Wanted, Option<Judge<'_>>),
    query: &Query,
    progress: &mut Progress,
) -> Answer {
    if options.stop.is_requested() {
        return Answer::Unknown(INTERRUPTED.to_owned());
    }
    let problem = problem_of(query);
    if stage == Stage::Search {
        if options.sabotage {
            return Answer::Unknown("the search failed".to_owned());
        }
        let (found, work) = search(&problem, options.search_work, options.cases_work);
        backend.meter.search(work);
        if options.keep_smt && !matches!(found, Found::Nothing) {
            progress.smt = Some(text(&problem));
        }
        return match found {
            Found::Refuted => Answer::Unsat,
            Found::Model(model) => Answer::Sat(model),
            Found::Nothing => Answer::Unknown("no small model was found".to_owned()),
        };
    }
    let milliseconds = u32::try_from(options.timeout.as_millis())
        .unwrap_or(u32::MAX)
        .max(1);
    let mut steps = options.steps_of(stage);
    if judge.is_some() {
        steps = steps.min(options.quick_steps);
    }
    let budget = Budget {
        steps,
        milliseconds,
        seed: if stage == Stage::IntAgain { 7 } else { 0 },
        // Every question about bit-vectors starts anew.
        smaller: if stage == Stage::Bits { 16 } else { 120 },
        smaller_steps: match stage {
            Stage::Bits => options.bits_steps / 4,
            _ => options.quick_steps / 8,
        },
        model,
    };
    backend.sabotage = options.sabotage;
    backend.keep_text = options.keep_smt;
    let answer = backend.ask(stage, &problem, budget, judge);
    progress.queries[stage.position()] += std::mem::take(&mut backend.asked);
    if let Some(text) = backend.text.take() {
        progress.smt = Some(text);
    }
    answer
}

/// How a witness with given sizes is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Probing {
    /// By a search.
    Search,
    /// By a short question to the solver.
    Solver,
}

/// A candidate of a launch.
#[derive(Clone, Copy)]
pub(crate) enum Candidate<'a> {
    Race(&'a CandidateRaceRow),
    Divergence(&'a CandidateDivergenceRow),
    Claim(&'a AssertRow, Pairing),
}

impl<'a> Candidate<'a> {
    pub(crate) fn launch(self, index: &Index) -> LaunchId {
        match self {
            Candidate::Claim(row, _) => index.facts.point[row.point.index()].launch,
            Candidate::Race(row) => row.launch,
            Candidate::Divergence(row) => row.launch,
        }
    }

    fn with<R>(
        self,
        index: &'a Index<'a>,
        ranges: &LaunchRanges<'a>,
        work: impl FnOnce(Case<'_, 'a>) -> R,
    ) -> R {
        let launch = self.launch(index);
        match self {
            Candidate::Race(row) => work(Case {
                index,
                launch,
                build: &|fixing, refinements| race_query(index, ranges, row, fixing, refinements),
                replay: &|query, model| replay_race(index, row, query, model),
            }),
            Candidate::Divergence(row) => work(Case {
                index,
                launch,
                build: &|fixing, refinements| {
                    divergence_query(index, ranges, row, fixing, refinements)
                },
                replay: &|query, model| replay_divergence(index, row, query, model),
            }),
            Candidate::Claim(row, pairing) => work(Case {
                index,
                launch,
                build: &|fixing, refinements| {
                    claim_query(index, ranges, row, pairing, fixing, refinements)
                },
                replay: &|query, model| replay_claim(index, row, pairing, query, model),
            }),
        }
    }

    /// Decides by the normal form, or plans the questions. With a key of the formula, if that is to be remembered.
    pub(crate) fn begin(
        self,
        backend: &mut Backend,
        index: &'a Index<'a>,
        ranges: &LaunchRanges<'a>,
        remember: bool,
    ) -> Result<Decided, Box<Progress>> {
        let part = self.only_in_part(index);
        // What is found out of a part is no answer to an equal formula.
        let begun = self.with(index, ranges, |case| {
            case.begin(backend, remember && part.is_none())
        });
        begun.map(|decided| decided.of_a_part(part))
    }

    /// Takes the steps that come next.
    pub(crate) fn advance(
        self,
        backend: &mut Backend,
        options: &Options,
        index: &'a Index<'a>,
        ranges: &LaunchRanges<'a>,
        progress: &mut Progress,
    ) -> Option<Decided> {
        let part = self.only_in_part(index);
        let decided = self.with(index, ranges, |case| {
            case.advance(backend, options, progress)
        });
        decided.map(|decided| decided.of_a_part(part))
    }

    /// A witness with the sizes that are given, if one is found so.
    pub(crate) fn probe(
        self,
        backend: &mut Backend,
        options: &Options,
        index: &'a Index<'a>,
        ranges: &LaunchRanges<'a>,
        fixing: &Fixing,
        how: Probing,
    ) -> Option<Box<Replayed>> {
        let step = match how {
            Probing::Search => Step::Search(fixing.clone()),
            Probing::Solver => Step::QuickProbe(fixing.clone()),
        };
        let mut progress = Progress::new(vec![step]);
        progress.wanted = Wanted::Any;
        let decided = self.with(index, ranges, |case| {
            case.advance(backend, options, &mut progress)
        });
        match decided?.verdict {
            Verdict::Found(_, found) => Some(found),
            Verdict::None(_) | Verdict::Unknown(_) => None,
        }
    }

    /// What is said of the candidate if its question, which is about some of its pairs of threads only, has no model.
    fn only_in_part(self, index: &Index) -> Option<String> {
        match self {
            Candidate::Race(row) => index.not_shown_of_one(row),
            Candidate::Divergence(_) | Candidate::Claim(..) => None,
        }
    }
}

/// Whether the dimensions and assumptions of a launch can hold together.
pub(crate) fn possible<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    launch: LaunchId,
) -> (Possibility, u32) {
    if crate::few_values::are_too_many(index, launch) {
        return (Possibility::Contradictory, 0);
    }
    let fixing = Fixing::default();
    let mut query = launch_query(
        index,
        ranges,
        launch,
        Pairing::Race(PairScope::Block),
        &fixing,
    );
    query.asserts.clear();
    let host = query.encoder.context(
        crate::instances::Side::First,
        Iterations::new(),
        &ranges.base,
    );
    for &term in index.launch_assumes(launch) {
        let holds = query.encoder.truth(host, term);
        query.asserts.push(holds);
    }
    for position in 0..6 {
        let positive = query.encoder.f.ge_const(query.dims[position], 1);
        query.asserts.push(positive);
    }
    query.finish(ranges, &fixing);
    let (possible, asked) = satisfiable(backend, options, &mut query);
    match possible {
        // What host code makes sure of can hold, or the launch is never made.
        Possibility::Unknown { .. } if index.assumes_by_host_alone(launch) => {
            (Possibility::Possible, asked)
        }
        possible => (possible, asked),
    }
}

/// Whether a query has a model at all.
pub(crate) fn satisfiable(
    backend: &mut Backend,
    options: &Options,
    query: &mut Query,
) -> (Possibility, u32) {
    let mut progress = Progress::new(Vec::new());
    if is_refuted(query) {
        return (Possibility::Contradictory, 0);
    }
    let all_true = query
        .asserts
        .iter()
        .all(|&node| query.encoder.f.as_truth(node) == Some(true));
    if all_true {
        return (Possibility::Possible, 0);
    }
    query.small.clear();
    let mut reason = String::new();
    for (stage, quick) in [
        (Stage::Search, true),
        (Stage::Int, true),
        (Stage::Int, false),
        (Stage::IntAgain, false),
    ] {
        let any = &mut |_: &Model| true;
        let judge = quick.then_some(any as Judge<'_>);
        match ask(
            backend,
            options,
            (stage, Wanted::Any, judge),
            query,
            &mut progress,
        ) {
            Answer::Unsat => return (Possibility::Contradictory, progress.queries.iter().sum()),
            Answer::Sat(_) => return (Possibility::Possible, progress.queries.iter().sum()),
            Answer::Unknown(why) => reason = why,
        }
    }
    (
        Possibility::Unknown { reason },
        progress.queries.iter().sum(),
    )
}
