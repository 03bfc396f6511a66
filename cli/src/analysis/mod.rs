//! From facts to a report: rules, solver, and the findings that they give.
//!
//! The one place where `check` (facts from source) and `solve` (facts from a folder) meet, so that
//! both say the same of the same facts. Nothing here depends on the ids of facts but through
//! places in the source.

mod anatomy;
mod assumptions;
pub(crate) mod barriers;
mod benign;
mod by_design;
mod by_rules;
pub(crate) mod costs;
pub mod derivation;
mod digits;
pub(crate) mod findings;
mod hinges;
mod hints;
mod meet;
mod places;
mod preconditions;
mod rows;
mod warps;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use warplog_database::Answer;
use warplog_extractor::preprocess::is_system_header;
use warplog_facts::range::NoWrap;
use warplog_facts::show::Show;
use warplog_facts::words::{Dimension, Effect, LaunchSource, NoteKind};
use warplog_facts::{Derived, Facts, KernelId, LaunchId, TermId};
use warplog_report as report;
use warplog_report::reasons::without_lines;
use warplog_report::{
    Dim, Gap, GapKind, InputError, Launch, Outcome, Report, Stats, Unsupported, Value,
};
use warplog_solver_bridge::{
    Begun, ClaimAnswer, Decision, DivergenceAnswer, Possibility, RaceAnswer, Session, Stage,
};

use crate::choices::Scopes;
use crate::options::AnalysisOptions;
use crate::told::Told;
use anatomy::Anatomist;
use derivation::{derive, solver_options};
use findings::Collector;
use hinges::Hinges;
use places::Places;
use rows::{OfLaunch, Rows};

thread_local! {
    /// The solver of this worker thread.
    static SESSION: std::cell::RefCell<Session> = std::cell::RefCell::new(Session::new());
}

/// How long the phases took, in microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Datalog rules.
    pub rules: u64,
    /// Solver.
    pub solve: u64,
}

/// How much is found out about a fact set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything.
    Whole,
    /// All findings, but not what they hang on.
    Findings,
    /// Whether there is a finding: what else there may be is not asked behind the first one.
    First,
}

/// The report on a text that is tried, to that extent.
pub(crate) fn tried(facts: &Facts, options: &AnalysisOptions, extent: Extent) -> (Derived, Report) {
    let (derived, decision, phases) = decide_to(facts, options, extent);
    let (report, _) = report_to(facts, &derived, &decision, phases, (options, extent));
    (derived, report)
}

/// Rules and solver over a fact set.
pub fn decide(facts: &Facts, options: &AnalysisOptions) -> (Derived, Decision, Phases) {
    decide_to(facts, options, Extent::Whole)
}

fn decide_to(
    facts: &Facts,
    options: &AnalysisOptions,
    extent: Extent,
) -> (Derived, Decision, Phases) {
    let start = Instant::now();
    options.told.tell("applying the rules");
    let derived = derive(facts, options);
    let derived_at = Instant::now();
    let solver = warplog_solver_bridge::Options {
        keep_smt: options.keep_smt,
        stop: options.stop.clone(),
        begun: begun(facts, &options.told),
        first_only: extent == Extent::First,
        ..solver_options(options)
    };
    let decision = SESSION.with_borrow_mut(|session| session.decide(facts, &derived, &solver));
    let micros =
        |duration: std::time::Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    let phases = Phases {
        rules: micros(derived_at - start),
        solve: micros(derived_at.elapsed()),
    };
    (derived, decision, phases)
}

/// Who is told which kernel the solver is asked about.
fn begun(facts: &Facts, told: &Told) -> Begun {
    let kernel =
        |launch: &warplog_facts::LaunchRow| facts.kernel[launch.kernel.index()].name.clone();
    let names: Vec<String> = facts.launch.iter().map(kernel).collect();
    let told = told.clone();
    Begun::new(move |launch| {
        let name = names.get(launch.index()).map_or("", String::as_str);
        told.tell(&format!("deciding kernel `{name}`"));
    })
}

/// The report on a fact set of which everything is known.
pub fn report_of(
    facts: &Facts,
    derived: &Derived,
    decision: &Decision,
    phases: Phases,
    options: &AnalysisOptions,
) -> (Report, Phases) {
    report_to(facts, derived, decision, phases, (options, Extent::Whole))
}

fn report_to(
    facts: &Facts,
    derived: &Derived,
    decision: &Decision,
    phases: Phases,
    (options, extent): (&AnalysisOptions, Extent),
) -> (Report, Phases) {
    let times: BTreeMap<LaunchId, u64> = if options.timings {
        SESSION.with_borrow(|session| session.times().iter().copied().collect())
    } else {
        BTreeMap::new()
    };
    let places = Places::new(facts);
    let mut report = Report::default();
    notes(facts, &mut report);
    for row in &facts.unsupported {
        let place = places.place(row.span);
        report.unsupported.push(Unsupported {
            file: place.file,
            line: place.line,
            what: row.what.clone(),
            why: row.why.clone(),
        });
    }
    report.unsupported.sort();
    report.unsupported.dedup();
    let show = Show::new(facts);
    options.told.tell("looking for conditions");
    let rows = Rows::new(facts, derived, decision);
    let advice = advice(facts, (derived, decision, &rows), options);
    let hinges = match extent {
        Extent::Whole => hinges(facts, (derived, decision, &rows), &advice, options),
        Extent::Findings | Extent::First => Hinges::default(),
    };
    let completed = hinges.completed(decision);
    let rows = match &completed {
        Some(completed) => Rows::new(facts, derived, completed),
        None => rows,
    };
    let advice: BTreeMap<LaunchId, String> = advice
        .into_iter()
        .map(|(launch, (condition, _))| (launch, condition))
        .collect();
    let benign = match extent {
        Extent::Whole => SESSION.with_borrow_mut(|session| {
            benign::remarks(session, facts, derived, decision, &places, options)
        }),
        Extent::Findings | Extent::First => BTreeMap::new(),
    };
    for row in &facts.kernel {
        if options.wants(&row.name) {
            let known = (derived, &hinges, &rows);
            let mut kernel = kernel(facts, known, &places, &show, row.kernel, options);
            let launches = rows.launches(row.kernel);
            advise(launches, &advice, &mut kernel);
            let own = launches.iter().filter_map(|launch| benign.get(launch));
            let notes: BTreeSet<&report::Note> = own.flatten().collect();
            kernel.notes.extend(notes.into_iter().cloned());
            let spent = launches.iter().filter_map(|launch| times.get(launch));
            kernel.extent.micros = spent.sum();
            report.kernels.push(kernel);
        }
    }
    report.sources = places.sources();
    (report, phases)
}

/// The anatomies of the kernels that [`report_of`] reports, in its order.
pub fn anatomies(
    facts: &Facts,
    derived: &Derived,
    options: &AnalysisOptions,
) -> Vec<Vec<report::anatomy::Anatomy>> {
    let show = Show::new(facts);
    let anatomist = Anatomist::new(facts, derived, &show);
    let kernels = facts.kernel.iter();
    let wanted = kernels.filter(|row| options.wants(&row.name));
    wanted.map(|row| anatomist.of_kernel(row.kernel)).collect()
}

/// How what was found hangs on what the caller decides.
fn hinges(
    facts: &Facts,
    (derived, decision, rows): (&Derived, &Decision, &Rows<'_>),
    advice: &BTreeMap<LaunchId, (String, bool)>,
    options: &AnalysisOptions,
) -> Hinges {
    let mut more = facts.clone();
    let wants = |kernel: KernelId| options.wants(&facts.kernel[kernel.index()].name);
    let questions = hinges::questions(&mut more, decision, rows, &wants);
    let inquiries: Vec<_> = questions
        .iter()
        .map(|question| question.inquiry.clone())
        .collect();
    let standings = SESSION.with_borrow_mut(|session| {
        session.standings(
            &more,
            derived,
            decision,
            &solver_options(options),
            &inquiries,
        )
    });
    let standings = by_rules::settle((&more, derived, decision), options, &questions, standings);
    let wide = advice.iter().filter(|(_, (_, is_wide))| *is_wide);
    let wide = wide.map(|(launch, (condition, _))| (*launch, condition.clone()));
    Hinges::new(questions, standings, wide.collect(), options.paranoid)
}

/// What would make launches with findings race-free, by launch, and whether that leaves launches of all sizes.
fn advice(
    facts: &Facts,
    (derived, decision, rows): (&Derived, &Decision, &Rows<'_>),
    options: &AnalysisOptions,
) -> BTreeMap<LaunchId, (String, bool)> {
    let races = decision.races.iter().map(|race| &race.answer);
    let divergences = decision.divergences.iter().map(|found| &found.answer);
    let found = races
        .into_iter()
        .any(|answer| matches!(answer, RaceAnswer::Race(_)))
        || divergences
            .into_iter()
            .any(|answer| matches!(answer, DivergenceAnswer::Diverges(_)));
    if !options.preconditions || !found {
        return BTreeMap::new();
    }
    let mut more = facts.clone();
    let wants = |kernel: KernelId| options.wants(&facts.kernel[kernel.index()].name);
    let questions = preconditions::questions(&mut more, rows, &wants);
    let (mut asks, words): (Vec<_>, Vec<_>) = questions.into_iter().unzip();
    preconditions::settle_by_rule((&more, rows), options, &mut asks);
    let answers = SESSION.with_borrow_mut(|session| {
        session.settle(&more, derived, decision, &solver_options(options), &asks)
    });
    asks.iter()
        .zip(words)
        .zip(answers)
        .filter_map(|((ask, words), answer)| {
            let answer = answer?;
            let words = words.get(answer)?.clone();
            let of_one_block = words.ends_with("<= blockDim.x");
            Some((ask.launch, (words, answer < ask.narrow && !of_one_block)))
        })
        .collect()
}

/// Puts the advice on the findings of a kernel that all show in launches with the same.
fn advise(launches: &[LaunchId], advice: &BTreeMap<LaunchId, String>, report: &mut report::Kernel) {
    for finding in &mut report.findings {
        let told: BTreeSet<Option<&String>> = finding
            .launches
            .iter()
            .map(|index| advice.get(launches.get(*index)?))
            .collect();
        let of_order = finding.kind().kind().takes_condition;
        // What rules out the finding alone says less.
        if finding.race_free_if.is_none()
            && let (true, 1, Some(Some(condition))) = (of_order, told.len(), told.first())
        {
            finding.race_free_if = Some((*condition).clone());
        }
    }
}

/// What the solver answered, as rows of the database.
pub fn answers(decision: &Decision) -> Vec<Answer> {
    let races = (1..).zip(&decision.races).map(|(candidate, outcome)| {
        let (answer, stage, reason) = match &outcome.answer {
            RaceAnswer::Disjoint { stage } => ("disjoint", Some(*stage), None),
            RaceAnswer::Race(race) => ("race", Some(race.stage), None),
            RaceAnswer::Covered => ("covered", None, None),
            RaceAnswer::Unknown { reason } => ("unknown", None, Some(reason.clone())),
        };
        Answer {
            launch: outcome.candidate.launch,
            candidate,
            race: true,
            answer,
            stage: stage.map(Stage::name),
            reason,
            queries: outcome.queries,
        }
    });
    let divergences = (1..)
        .zip(&decision.divergences)
        .map(|(candidate, outcome)| {
            let (answer, stage, reason) = match &outcome.answer {
                DivergenceAnswer::Uniform { stage } => ("uniform", Some(*stage), None),
                DivergenceAnswer::Diverges(divergence) => {
                    ("diverges", Some(divergence.stage), None)
                }
                DivergenceAnswer::Unknown { reason } => ("unknown", None, Some(reason.clone())),
            };
            Answer {
                launch: outcome.candidate.launch,
                candidate,
                race: false,
                answer,
                stage: stage.map(Stage::name),
                reason,
                queries: outcome.queries,
            }
        });
    races.chain(divergences).collect()
}

/// Notes and errors about the files of a fact set.
pub fn notes(facts: &Facts, report: &mut Report) {
    for row in &facts.note {
        if row.kind == NoteKind::Error {
            report.errors.push(InputError {
                file: row.path.clone(),
                line: (row.line > 0).then_some(row.line),
                message: row.text.clone(),
            });
            continue;
        }
        // The headers of the system are skipped on purpose; only those of the project are missed.
        let header = row
            .text
            .split_once('<')
            .and_then(|(_, rest)| rest.split_once('>'));
        if row.kind == NoteKind::MissingInclude
            && header.is_some_and(|(name, _)| is_system_header(name))
        {
            continue;
        }
        let help = match row.kind {
            NoteKind::MissingInclude => " (-I or -p says where it is)",
            _ => "",
        };
        report.notes.push(report::Note {
            place: None,
            text: format!("{}:{}: {}{help}", row.path, row.line, row.text),
        });
    }
}

fn kernel(
    facts: &Facts,
    (derived, hinges, rows): (&Derived, &Hinges, &Rows<'_>),
    places: &Places<'_>,
    show: &Show<'_>,
    kernel: KernelId,
    options: &AnalysisOptions,
) -> report::Kernel {
    let row = &facts.kernel[kernel.index()];
    let place = places.place(row.span);
    let launches = rows.launches(kernel);
    let mut collector = Collector::new((facts, derived, rows), places, hinges, options);
    let mut reports = Vec::with_capacity(launches.len());
    let mut stats = Stats::default();
    for (index, &launch) in launches.iter().enumerate() {
        collector.add(launch, index);
        let own = launch_stats(rows.of(launch));
        stats.accesses += own.accesses;
        stats.pairs += own.pairs;
        stats.discharged_by_rule += own.discharged_by_rule;
        stats.queries += own.queries;
        stats.undecided += own.undecided;
        reports.push(launch_report(facts, rows, places, show, launch, options));
    }
    let (findings, cures): (Vec<_>, Vec<_>) = collector.finish().into_iter().unzip();
    let mut kernel = report::Kernel {
        name: row.name.clone(),
        file: place.file,
        line: place.line,
        launches: reports,
        findings,
        stats,
        notes: Vec::new(),
        extent: report::Extent {
            gaps: launches
                .iter()
                .flat_map(|&launch| gaps(rows.of(launch)))
                .collect(),
            ..report::Extent::default()
        },
        anatomies: Vec::new(),
        costs: None,
    };
    hints::settle(&mut kernel, &cures, places);
    kernel
}

/// Why a question stayed open, without the stages of the solver that each said it: of `real: not decided over the reals;
/// int: budget; bits: budget` the causes `budget; not decided over the reals`.
fn causes(reason: &str) -> String {
    let causes: std::collections::BTreeSet<&str> = reason
        .split("; ")
        .map(|part| match part.split_once(": ") {
            Some((stage, cause)) if STAGES.contains(&stage) => cause,
            _ => part,
        })
        .collect();
    causes.into_iter().collect::<Vec<_>>().join("; ")
}

/// What is said of an assumption that leaves no execution behind it.
const UNSATISFIABLE: &str =
    "no thread that gets to this assumption satisfies it: nothing behind it is checked";

/// Names of the solver's stages as they stand in its reasons.
const STAGES: [&str; 8] = [
    "bounds",
    "search",
    "linear",
    "real",
    "int",
    "int_again",
    "bits",
    "concrete",
];

/// What a launch leaves open, without places.
fn gaps(own: &OfLaunch<'_>) -> Vec<Gap> {
    let gap = |kind: GapKind, reason: &str| Gap {
        kind,
        reason: without_lines(reason),
    };
    let mut gaps: Vec<Gap> = own
        .unsupported
        .iter()
        .filter(|row| row.effect != Effect::Nothing)
        .map(|row| {
            // The kernel is modelled; the host code leaves a question open.
            let kind = match row.effect {
                Effect::Alias => GapKind::Undecided,
                _ => GapKind::NotModelled,
            };
            gap(kind, &format!("{}: {}", row.what, row.why))
        })
        .collect();
    for (_, race) in &own.races {
        if let RaceAnswer::Unknown { reason } = &race.answer {
            gaps.push(gap(GapKind::Undecided, &causes(reason)));
        }
    }
    for (_, divergence) in &own.divergences {
        if let DivergenceAnswer::Unknown { reason } = &divergence.answer {
            gaps.push(gap(GapKind::Undecided, &causes(reason)));
        }
    }
    for claim in &own.claims {
        if let ClaimAnswer::Unknown { reason } = &claim.answer {
            gaps.push(gap(GapKind::Undecided, &causes(reason)));
        }
    }
    if !own.unsatisfiable.is_empty() {
        gaps.push(gap(GapKind::Undecided, UNSATISFIABLE));
    }
    gaps
}

fn launch_stats(own: &OfLaunch<'_>) -> Stats {
    let discarded = own.discarded.len();
    let outcome = own.outcome;
    let wide = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    Stats {
        accesses: wide(own.counted_accesses),
        pairs: wide(own.candidates + discarded),
        discharged_by_rule: wide(discarded),
        queries: outcome.map_or(0, |outcome| {
            outcome.queries.iter().map(|&count| u64::from(count)).sum()
        }),
        // Assumptions that contradict each other are an error, and leave no question open.
        undecided: match outcome.map(|outcome| &outcome.possible) {
            Some(Possibility::Contradictory) => 0,
            _ => undecided(own),
        },
    }
}

fn undecided(own: &OfLaunch<'_>) -> u64 {
    let races = own.races.iter();
    let races = races.filter(|(_, race)| matches!(race.answer, RaceAnswer::Unknown { .. }));
    let divergences = own
        .divergences
        .iter()
        .filter(|(_, divergence)| matches!(divergence.answer, DivergenceAnswer::Unknown { .. }));
    let claims = own.claims.iter();
    let claims = claims.filter(|claim| matches!(claim.answer, ClaimAnswer::Unknown { .. }));
    (races.count() + divergences.count() + claims.count()) as u64
}

fn launch_report(
    facts: &Facts,
    rows: &Rows<'_>,
    places: &Places<'_>,
    show: &Show<'_>,
    launch: LaunchId,
    options: &AnalysisOptions,
) -> Launch {
    let row = &facts.launch[launch.index()];
    let own = rows.of(launch);
    let mut dims: BTreeMap<Dimension, Dim> = BTreeMap::new();
    for dimension in &own.dimensions {
        let value = facts
            .terms
            .as_const(dimension.term)
            .and_then(|value| u64::try_from(value).ok());
        let dim = value.map_or_else(|| Dim::Symbolic(show.term(dimension.term)), Dim::Known);
        dims.insert(dimension.dimension, dim);
    }
    let mut dim = |dimension: Dimension| dims.remove(&dimension).unwrap_or(Dim::Known(1));
    let arguments = own
        .arguments
        .iter()
        .map(|argument| {
            let value = argument.term.and_then(|term| facts.terms.as_const(term));
            (
                argument.name.clone(),
                value.map_or_else(|| Value::Text(argument.text.clone()), Value::Int),
            )
        })
        .collect();
    let assumptions = own.assumptions.iter();
    let mut assumptions: Vec<String> = assumptions.map(|row| row.text.clone()).collect();
    let (races, divergences) = (own.races.iter(), own.divergences.iter());
    let claims = own.claims.iter();
    let rests_on: NoWrap = races
        .map(|(_, race)| race.rests_on)
        .chain(divergences.map(|(_, outcome)| outcome.rests_on))
        .chain(claims.map(|outcome| outcome.rests_on))
        .chain([indices_rest_on(facts, rows, launch)])
        .sum();
    assumptions.extend(rests_on.sentences());
    for &counter in own.outcome.iter().flat_map(|row| &row.counters) {
        assumptions.extend(assumptions::of_counter(facts, rows, counter));
    }
    assumptions.extend(assumptions::of_locks(facts, rows, launch));
    assumptions.extend(assumptions::of_tickets(facts, rows, launch));
    assumptions.extend(assumptions::of_flags(facts, rows, launch));
    if options.scopes == Scopes::IntraBlock {
        assumptions.push("blocks do not interfere (--only-intra-block)".to_owned());
    }
    if options.scopes == Scopes::InterBlock {
        assumptions.push("threads of a block do not interfere (--only-inter-block)".to_owned());
    }
    if is_never_made(own) {
        assumptions.push(NEVER_MADE.to_owned());
    }
    assumptions.sort();
    assumptions.dedup();
    Launch {
        source: match row.source {
            LaunchSource::Code => report::LaunchSource::Code,
            LaunchSource::Flag => report::LaunchSource::Flag,
            LaunchSource::Header => report::LaunchSource::Header,
            LaunchSource::Comment => report::LaunchSource::Comment,
            LaunchSource::Configuration => report::LaunchSource::Configuration,
            LaunchSource::Symbolic => report::LaunchSource::Symbolic,
        },
        place: row.span.map(|span| places.place(span)),
        block: [
            dim(Dimension::BlockX),
            dim(Dimension::BlockY),
            dim(Dimension::BlockZ),
        ],
        grid: [
            dim(Dimension::GridX),
            dim(Dimension::GridY),
            dim(Dimension::GridZ),
        ],
        arguments,
        assumptions,
        outcome: outcome(facts, own, places),
    }
}

/// What a proof rests on that says nothing but this.
const NEVER_MADE: &str = "host code does not come to this launch, as far as it is followed";

/// Whether what host code makes sure of on the way to a launch contradicts itself: such a launch is none.
fn is_never_made(own: &OfLaunch<'_>) -> bool {
    own.outcome
        .is_some_and(|outcome| outcome.possible == Possibility::Contradictory)
        && !own.assumes.is_empty()
        && own.assumes.iter().all(|row| row.by_host)
}

/// What a launch came to besides findings: reasons for not deciding, sorted, each once.
fn outcome(facts: &Facts, own: &OfLaunch<'_>, places: &Places<'_>) -> Outcome {
    let possible = own.outcome.map(|outcome| &outcome.possible);
    if possible == Some(&Possibility::Contradictory) {
        if is_never_made(own) {
            return Outcome::Complete;
        }
        let text = "the launch and its assumptions contradict each other".to_owned();
        return Outcome::Contradictory(vec![report::Note { place: None, text }]);
    }
    let mut reasons: BTreeMap<String, report::Note> = BTreeMap::new();
    let mut add = |place: Option<report::Place>, text: String| {
        let key = format!(
            "{:?}{text}",
            place
                .as_ref()
                .map(|place| (&place.file, place.line, place.column))
        );
        reasons.entry(key).or_insert(report::Note { place, text });
    };
    for row in &own.unsupported {
        if row.effect != Effect::Nothing {
            add(
                Some(places.place(row.span)),
                format!("{}: {}", row.what, row.why),
            );
        }
    }
    for (_, race) in &own.races {
        if let RaceAnswer::Unknown { reason } = &race.answer {
            let access = &facts.access[race.candidate.first.index()];
            add(Some(places.place(access.span)), reason.clone());
        }
    }
    for (_, divergence) in &own.divergences {
        if let DivergenceAnswer::Unknown { reason } = &divergence.answer {
            let barrier = &facts.barrier[divergence.candidate.barrier.index()];
            add(Some(places.place(barrier.span)), reason.clone());
        }
    }
    for claim in &own.claims {
        if let ClaimAnswer::Unknown { reason } = &claim.answer {
            let row = &facts.assert_[claim.assert.index()];
            let text = format!("whether it holds is not decided: {reason}");
            add(Some(places.place(row.span)), text);
        }
    }
    for point in &own.unsatisfiable {
        let row = &facts.point[point.index()];
        add(Some(places.place(row.span)), UNSATISFIABLE.to_owned());
    }
    if let Some(Possibility::Unknown { reason }) = possible {
        add(
            None,
            format!("whether the launch is possible is not known: {reason}"),
        );
    }
    if reasons.is_empty() {
        Outcome::Complete
    } else {
        Outcome::Undecided(reasons.into_values().collect())
    }
}

/// What the indices and guards of the launch's accesses are taken not to do where they are executed, so that a pair may have been
/// discharged by rule because of it.
fn indices_rest_on(facts: &Facts, rows: &Rows<'_>, launch: LaunchId) -> NoWrap {
    let own = rows.of(launch);
    let assumed: Vec<(TermId, bool)> = own.assumes.iter().map(|row| (row.term, true)).collect();
    let base = rows.bases.ranges(launch).assuming(&assumed);
    let mut regions: BTreeMap<Vec<(TermId, bool)>, Vec<TermId>> = BTreeMap::new();
    for access in &own.accesses {
        let guards = rows.guards(access.point).iter();
        let mut conjuncts: Vec<(TermId, bool)> =
            guards.map(|guard| (guard.term, guard.polarity)).collect();
        conjuncts.sort_unstable();
        regions.entry(conjuncts).or_default().push(access.index);
    }
    let of_region = |(conjuncts, mut roots): (Vec<(TermId, bool)>, Vec<TermId>)| {
        let ranges = base.assuming(&conjuncts);
        roots.extend(conjuncts.iter().map(|&(term, _)| term));
        let terms = facts.terms.reachable(&roots);
        let rests_on: NoWrap = terms.into_iter().map(|term| ranges.rests_on(term)).sum();
        rests_on
    };
    regions.into_iter().map(of_region).sum()
}

#[cfg(test)]
mod tests {
    use super::causes;

    #[test]
    fn causes_are_told_once_without_stages() {
        assert_eq!(
            causes("real: not decided; int: budget; int_again: budget; bits: not: this"),
            "budget; not decided; not: this"
        );
        assert_eq!(causes("f: budget"), "f: budget");
    }
}
