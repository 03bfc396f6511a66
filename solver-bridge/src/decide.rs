//! Deciding candidates: build, ask stage by stage, replay, refine.

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;

use crate::Options;
use crate::defined::Undefined;
use crate::diverge::divergence_query;
use crate::encode::Iterations;
use crate::formula::{Formula, Node, Shape};
use crate::index::Index;
use crate::outcome::*;
use crate::query::{Fixing, LaunchRanges, Pairing, Query, Refined, Refinement, launch_query};
use crate::race::race_query;
use crate::solve::{Answer, Backend, Budget, Model, Problem};
use crate::witness::{Replay, Replayed, replay_divergence, replay_race};

/// Most times that a formula is refined by what a replay found.
const MAX_REFINEMENTS: usize = 24;

/// What a step of the plan does.
#[derive(Clone, Debug)]
enum Step {
    /// The formula as it is.
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

/// What deciding one candidate cost, and the decision.
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    pub(crate) queries: [u32; 6],
    pub(crate) rests_on_global_ids: bool,
    pub(crate) smt: Option<String>,
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
    let features = features(query);
    let ask = Step::Ask;
    let probe = |fixing| Step::Probe(fixing, features.bits);
    let mut probes = probes(query, index, launch, &features);
    let late_probes = probes.split_off(probes.len().min(3));
    let mut steps = Vec::new();
    match (features.nonlinear, features.bits) {
        (false, false) => steps.extend([ask(Stage::Int), ask(Stage::IntAgain)]),
        (false, true) => steps.extend([ask(Stage::Int), ask(Stage::Bits), ask(Stage::IntAgain)]),
        (true, bits) => {
            steps.push(ask(Stage::Real));
            if bits {
                steps.push(ask(Stage::Bits));
            }
            steps.extend(probes.into_iter().map(probe));
            steps.push(ask(Stage::Int));
            steps.push(ask(Stage::IntAgain));
            if !bits {
                steps.push(ask(Stage::Bits));
            }
            steps.extend(late_probes.into_iter().map(probe));
            return steps;
        }
    }
    steps.extend(probes.into_iter().map(probe));
    steps
}

/// Concrete sizes for the dimensions that are symbolic, and for symbols in products.
fn probes(query: &Query, index: &Index, launch: LaunchId, features: &Features) -> Vec<Fixing> {
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
    if free.is_empty() && features.factors.is_empty() {
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
    let pitches: [i128; 5] = [64, 16, 100, 1, 33];
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
                symbols: features
                    .factors
                    .iter()
                    .enumerate()
                    .map(|(position, &id)| (id, pitches[(position + round) % pitches.len()]))
                    .collect(),
                defined: Vec::new(),
            };
            round += 1;
            if !result.contains(&fixing) {
                result.push(fixing);
            }
        }
    }
    result
}

/// Decides one candidate: `build` makes its query, `replay` judges a model.
fn decide_query<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &Index<'a>,
    launch: LaunchId,
    build: &dyn Fn(&Fixing, &[Refinement]) -> Query<'a>,
    replay: &dyn Fn(&Query, &Model) -> Replay,
) -> Decided {
    let mut refinements: Vec<Refinement> = Vec::new();
    let mut defined: Vec<Undefined> = Vec::new();
    let mut query = build(&Fixing::default(), &[]);
    let mut decided = Decided {
        verdict: Verdict::Unknown(String::new()),
        queries: [0; 6],
        rests_on_global_ids: query.encoder.rests_on_global_ids,
        smt: None,
    };
    if is_refuted(&query) {
        decided.verdict = Verdict::None(Stage::Bounds);
        return decided;
    }
    let steps = plan(&query, index, launch);
    let mut reasons: Vec<String> = Vec::new();
    let mut note = |reason: String| {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    };
    let mut built = (Fixing::default(), 0usize);
    'steps: for step in steps {
        let (stage, fixing) = match step {
            Step::Ask(stage) => (stage, Fixing::default()),
            Step::Probe(fixing, false) => (Stage::Concrete, fixing),
            Step::Probe(fixing, true) => (Stage::Bits, fixing),
        };
        defined.retain(|&kind| kind != Undefined::Division);
        loop {
            let fixing = Fixing {
                defined: defined.clone(),
                ..fixing.clone()
            };
            if built != (fixing.clone(), refinements.len()) {
                query = build(&fixing, &refinements);
                built = (fixing.clone(), refinements.len());
            }
            decided.rests_on_global_ids |= query.encoder.rests_on_global_ids;
            let sound = query.refined_soundly && !fixing.is_concrete();
            let answer = if is_refuted(&query) {
                Answer::Unsat
            } else {
                ask(backend, options, stage, &query, &mut decided)
            };
            match answer {
                Answer::Unsat if sound => {
                    decided.verdict = Verdict::None(stage);
                    return decided;
                }
                Answer::Unsat if fixing.is_concrete() => continue 'steps,
                Answer::Unsat => {
                    note(if defined.contains(&Undefined::Division) {
                        "only models with undefined behaviour were found".to_owned()
                    } else {
                        "no model that replays was found".to_owned()
                    });
                    break 'steps;
                }
                Answer::Unknown(reason) => {
                    if !fixing.is_concrete() {
                        note(format!("{}: {reason}", stage.name()));
                    }
                    continue 'steps;
                }
                Answer::Sat(model) => match replay(&query, &model) {
                    Replay::Good(replayed) => {
                        let stage = if fixing.is_concrete() {
                            Stage::Concrete
                        } else {
                            stage
                        };
                        decided.verdict = Verdict::Found(stage, replayed);
                        return decided;
                    }
                    Replay::Refine(refinement) => {
                        let known = match &refinement.what {
                            Refined::Defined(kind) => defined.contains(kind),
                            _ => refinements.contains(&refinement),
                        };
                        if known || refinements.len() >= MAX_REFINEMENTS {
                            note("no model that replays was found".to_owned());
                            continue 'steps;
                        }
                        match refinement.what {
                            Refined::Defined(kind) => defined.push(kind),
                            _ => refinements.push(refinement),
                        }
                    }
                    Replay::Bad(reason) => {
                        note(reason);
                        continue 'steps;
                    }
                },
            }
        }
    }
    decided.verdict = Verdict::Unknown(if reasons.is_empty() {
        "not decided in any stage".to_owned()
    } else {
        reasons.join("; ")
    });
    decided
}

fn is_refuted(query: &Query) -> bool {
    query
        .asserts
        .iter()
        .chain(&query.late)
        .any(|&node| query.encoder.f.as_truth(node) == Some(false))
}

/// One stage: in the living solver with a small budget, then in a fresh one.
fn ask(
    backend: &mut Backend,
    options: &Options,
    stage: Stage,
    query: &Query,
    decided: &mut Decided,
) -> Answer {
    let problem = Problem {
        f: &query.encoder.f,
        must: query.asserts.clone(),
        late: query.late.clone(),
        wishes: query.wishes.clone(),
        small: query.small.clone(),
    };
    let milliseconds = u32::try_from(options.timeout.as_millis())
        .unwrap_or(u32::MAX)
        .max(1);
    let full = Budget {
        steps: options.steps_of(stage),
        milliseconds,
        seed: if stage == Stage::IntAgain { 7 } else { 0 },
        // Every question about bit-vectors starts anew.
        smaller: if stage == Stage::Bits { 24 } else { 120 },
        smaller_steps: match stage {
            Stage::Bits => options.bits_steps / 4,
            _ => options.quick_steps / 8,
        },
    };
    let quick = Budget {
        steps: full.steps.min(options.quick_steps),
        ..full
    };
    backend.sabotage = options.sabotage;
    backend.keep_text = options.keep_smt;
    let position = Stage::ALL.iter().position(|&s| s == stage).unwrap_or(0);
    let mut count = |backend: &mut Backend| {
        decided.queries[position] += std::mem::take(&mut backend.asked);
        if let Some(text) = backend.text.take() {
            decided.smt = Some(text);
        }
    };
    let goes_fresh = matches!(stage, Stage::Bits | Stage::IntAgain);
    if !goes_fresh {
        let answer = backend.ask(stage, &problem, quick, false);
        count(backend);
        if !matches!(answer, Answer::Unknown(_)) || stage == Stage::Concrete {
            return answer;
        }
        if matches!(&answer, Answer::Unknown(reason) if reason == "not decided over the reals") {
            return answer;
        }
    }
    let answer = backend.ask(stage, &problem, full, true);
    count(backend);
    answer
}

pub(crate) fn decide_race<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateRaceRow,
) -> Decided {
    decide_query(
        backend,
        options,
        index,
        candidate.launch,
        &|fixing, refinements| race_query(index, ranges, candidate, fixing, refinements),
        &|query, model| replay_race(index, candidate, query, model),
    )
}

pub(crate) fn decide_divergence<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    candidate: &CandidateDivergenceRow,
) -> Decided {
    decide_query(
        backend,
        options,
        index,
        candidate.launch,
        &|fixing, refinements| divergence_query(index, ranges, candidate, fixing, refinements),
        &|query, model| replay_divergence(index, candidate, query, model),
    )
}

/// Whether the dimensions and assumptions of a launch can hold together.
pub(crate) fn possible<'a>(
    backend: &mut Backend,
    options: &Options,
    index: &'a Index<'a>,
    ranges: &LaunchRanges<'a>,
    launch: LaunchId,
) -> (Possibility, u32) {
    let mut query = launch_query(
        index,
        ranges,
        launch,
        Pairing::Race(PairScope::Block),
        &Fixing::default(),
    );
    query.asserts.clear();
    let host = query
        .encoder
        .context(crate::encode::Side::First, Iterations::new(), &ranges.base);
    for &term in index.launch_assumes(launch) {
        let holds = query.encoder.truth(host, term);
        query.asserts.push(holds);
    }
    for position in 0..6 {
        let positive = query.encoder.f.ge_const(query.dims[position], 1);
        query.asserts.push(positive);
    }
    query.finish(ranges, &[]);
    let mut decided = Decided {
        verdict: Verdict::Unknown(String::new()),
        queries: [0; 6],
        rests_on_global_ids: false,
        smt: None,
    };
    if is_refuted(&query) {
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
    for stage in [Stage::Int, Stage::IntAgain] {
        match ask(backend, options, stage, &query, &mut decided) {
            Answer::Unsat => return (Possibility::Contradictory, decided.queries.iter().sum()),
            Answer::Sat(_) => return (Possibility::Possible, decided.queries.iter().sum()),
            Answer::Unknown(why) => reason = why,
        }
    }
    (
        Possibility::Unknown { reason },
        decided.queries.iter().sum(),
    )
}
