//! The pages of pairs, of conditions round barriers, of kernels, and of findings.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use warplog_facts::words::{GuardCause, PairScope};
use warplog_facts::{AccessId, LaunchId};
use warplog_report::text::options::TextOptions;
use warplog_report::text::{self, safe};
use warplog_report::words::headline;
use warplog_report::{Finding, Kernel, Report, Role};
use warplog_solver_bridge::{
    Abstraction, ClaimAnswer, ClaimOutcome, DivergenceAnswer, Failure, RaceAnswer, Witness,
};

use super::line::{from_words, interval_words, path};
use super::stages;
use super::view::{Fate, Pair, Split, View, rule_words, scope_words};
use crate::analysis::findings::access_kind;

/// What became of a pair, in a few words.
pub(super) fn answer_words(view: &View<'_>, pair: &Pair<'_>) -> String {
    match pair.fate {
        Fate::Rule(rule, evidence) => discharged(view, rule, evidence),
        Fate::Answer(outcome) => match &outcome.answer {
            RaceAnswer::Disjoint { stage } => {
                format!("they cannot meet: {}", stages::proved(*stage))
            }
            RaceAnswer::Race(race) => {
                let exact = if race.exact {
                    "a race"
                } else {
                    "a possible race"
                };
                format!("{exact}: {}", stages::found(race.stage))
            }
            RaceAnswer::Covered => {
                "not asked: an exact race between the same places is known".to_owned()
            }
            RaceAnswer::Unknown { reason } => format!("not decided: {}", stages::open(reason)),
        },
    }
}

fn discharged(view: &View<'_>, rule: &str, evidence: Option<warplog_facts::TermId>) -> String {
    let on = match evidence {
        Some(term) => format!(", by `{}`", safe(&view.show.term(term))),
        None => String::new(),
    };
    let id = warplog_rules::pages::page(rule).map_or("", |page| page.id);
    format!("discharged by {id} {rule}{on}")
}

/// What became of a condition round a barrier, in a line.
pub(super) fn split_words(view: &View<'_>, report: &Report, split: &Split<'_>) -> String {
    let line = view.line(view.point_span(split.cause_point));
    let what = match split.fate {
        Fate::Rule(rule, evidence) => discharged(view, rule, evidence),
        Fate::Answer(outcome) => match &outcome.answer {
            DivergenceAnswer::Uniform { stage } => {
                format!("all threads agree: {}", stages::proved(*stage))
            }
            DivergenceAnswer::Diverges(found) => {
                format!("threads disagree: {}", stages::found(found.stage))
            }
            DivergenceAnswer::Unknown { reason } => {
                format!("not decided: {}", stages::open(reason))
            }
        },
    };
    let barrier = &view.facts.barrier[split.barrier.index()];
    let found: String = report
        .kernels
        .iter()
        .flat_map(|kernel| &kernel.findings)
        .filter(|finding| {
            let at = |role: Role, file: &str, line: u32| {
                finding.locations.iter().any(|location| {
                    location.role == role
                        && location.place.file == file
                        && location.place.line == line
                })
            };
            let cause = view.point_span(split.cause_point);
            at(
                Role::Barrier,
                view.file(barrier.span),
                view.line(barrier.span),
            ) && at(Role::Condition, view.file(cause), view.line(cause))
        })
        .map(|finding| format!(" -> finding {}", finding.id))
        .collect();
    format!("{} at line {line}: {what}{found}", cause_words(split.cause))
}

fn cause_words(cause: GuardCause) -> &'static str {
    match cause {
        GuardCause::Branch => "branch",
        GuardCause::Loop => "trip count of the loop",
        GuardCause::Return => "return",
        GuardCause::Break => "break",
        GuardCause::Continue => "continue",
        GuardCause::Mask => "not named by the mask",
        GuardCause::Masks => "different masks",
    }
}

/// The findings that a pair gave: those at its places, of its kernel.
pub(super) fn findings_of<'r>(
    report: &'r Report,
    view: &View<'_>,
    pair: &Pair<'_>,
) -> Vec<&'r Finding> {
    let Fate::Answer(outcome) = pair.fate else {
        return Vec::new();
    };
    if !matches!(outcome.answer, RaceAnswer::Race(_) | RaceAnswer::Covered) {
        return Vec::new();
    }
    let kernels = report
        .kernels
        .iter()
        .filter(|kernel| kernel.name == view.kernel(pair.launch));
    kernels
        .flat_map(|kernel| &kernel.findings)
        .filter(|finding| is_of(finding, view, pair))
        .collect()
}

/// Whether a finding is at the places of a pair, and lies as it.
fn is_of(finding: &Finding, view: &View<'_>, pair: &Pair<'_>) -> bool {
    let blocks = finding.scope() == Some(warplog_report::Scope::InterBlock);
    if blocks != (pair.scope == PairScope::Grid) {
        return false;
    }
    let at = |role: Role, access: AccessId| {
        let span = view.facts.access[access.index()].span;
        let row = &view.facts.span[span.index()];
        finding.locations.iter().any(|location| {
            location.role == role
                && location.place.line == row.line
                && location.place.column == row.column
                && location.place.file == view.file(span)
        })
    };
    let kinds = pair
        .accesses
        .map(|access| access_kind(view.facts.access[access.index()].kind));
    finding.accesses().is_none_or(|told| told == kinds)
        && at(Role::First, pair.accesses[0])
        && at(Role::Second, pair.accesses[1])
}

/// The page of a pair.
pub(super) fn pair(view: &View<'_>, report: &Report, pair: &Pair<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "pair {} of `{}`, launch {}: {}\n",
        view.pair_id(pair),
        safe(view.kernel(pair.launch)),
        view.launch(pair.launch),
        scope_words(pair.scope)
    );
    derivation(&mut out, view, pair);
    for finding in findings_of(report, view, pair) {
        let _ = writeln!(out, "\nIt is the finding {}.", finding.id);
    }
    out
}

/// From the facts to what became of a pair, step by step.
fn derivation(out: &mut String, view: &View<'_>, pair: &Pair<'_>) {
    out.push_str("Facts\n");
    for (nth, access) in (1..).zip(pair.accesses) {
        let row = &view.facts.access[access.index()];
        let _ = writeln!(
            out,
            "  ({nth}) {}\n      {}, {} bytes from byte {}",
            view.source(row.span),
            view.access(access),
            row.bytes,
            safe(&view.show.term(row.index))
        );
        let mut about = String::new();
        path(&mut about, view, row.point);
        for line in about.lines().filter(|line| !line.starts_with("  interval")) {
            let _ = writeln!(out, "    {line}");
        }
        if pair.accesses[0] == pair.accesses[1] {
            out.push_str("  (2) the same access in another thread\n");
            break;
        }
    }
    out.push_str("\nDerivation\n");
    let mut step = |id: &str, about: &str| {
        let _ = writeln!(out, "  {}\n      {about}", rule_words(id));
    };
    let interval = interval_words(view, pair);
    step(
        "R1",
        &format!("{interval}: {}", view.source(view.point_span(pair.head))),
    );
    step(
        "R2",
        "no barrier of these threads is crossed on the way to (1), nor on the way to (2)",
    );
    for row in view.derived.skips.iter().filter(|row| {
        let points = pair
            .accesses
            .map(|access| view.facts.access[access.index()].point);
        row.head == pair.head
            && points.contains(&row.point)
            && pair.carried.contains(&row.carried)
            && row.scope == super::view::interval_scope(pair.scope)
    }) {
        let id = match row.place {
            warplog_facts::words::Place::Access => "R3",
            warplog_facts::words::Place::Head => "R4",
        };
        let about = format!("passed by: {}", view.source(view.point_span(row.barrier)));
        step(id, &about);
    }
    match pair.exit {
        None => step("R26", &both(view, pair)),
        Some(exit) if exit == view.facts.access[pair.accesses[0].index()].point => {
            let own = pair.scope == warplog_facts::words::PairScope::Own;
            step(if own { "R55" } else { "R54" }, &both(view, pair));
        }
        Some(exit) => {
            step("R24", &view.source(view.point_span(exit)));
            step("R28", &both(view, pair));
        }
    }
    match pair.fate {
        Fate::Rule(rule, evidence) => {
            let on = match evidence {
                Some(term) => format!("shown by `{}`", safe(&view.show.term(term))),
                None => {
                    "shown by the launch, or by what the rule says of the two accesses".to_owned()
                }
            };
            step(rule, &on);
            out.push_str("\nDischarged: the solver was not asked.\n");
        }
        Fate::Answer(outcome) => {
            out.push_str("\nNo rule discharges it: the solver is asked (`candidate_race`)\n");
            let _ = writeln!(
                out,
                "  {}; {} put to Z3",
                answer_words(view, pair),
                questions(outcome.queries)
            );
            for assumed in outcome.rests_on.sentences() {
                let _ = writeln!(out, "  assuming that {assumed}");
            }
            if outcome.smt.is_some() {
                let _ = writeln!(
                    out,
                    "  the formula: `warplog explain {} --smt`",
                    view.pair_id(pair)
                );
            }
            if let RaceAnswer::Race(race) = &outcome.answer {
                let of = pair.accesses.map(Some);
                witness(out, view, &race.witness, &of);
                exactness(out, view, race.exact, &race.abstractions);
            }
        }
    }
}

fn both(view: &View<'_>, pair: &Pair<'_>) -> String {
    let [first, second] = pair.accesses;
    let array = &view.facts.array[view.facts.access[first.index()].array.index()];
    if first == second {
        format!(
            "of `{}`: the {}, against itself",
            safe(&array.name),
            view.access(first)
        )
    } else {
        format!(
            "of `{}`: the {} and the {}",
            safe(&array.name),
            view.access(first),
            view.access(second)
        )
    }
}

fn questions(count: u32) -> String {
    match count {
        0 => "no question".to_owned(),
        1 => "1 question".to_owned(),
        count => format!("{count} questions"),
    }
}

/// The model: sizes, inputs, and what each thread does, as far as the defect is about it; `accesses` has an entry for each that
/// is.
fn witness(out: &mut String, view: &View<'_>, witness: &Witness, accesses: &[Option<AccessId>]) {
    let triple = |[x, y, z]: [i128; 3]| format!("({x},{y},{z})");
    let _ = writeln!(
        out,
        "\nModel\n  blockDim = {}, gridDim = {}",
        triple(witness.block_dim),
        triple(witness.grid_dim)
    );
    for (name, value) in &witness.values {
        let _ = writeln!(out, "  {} = {value}", safe(name));
    }
    out.push_str("\nReplay, from the start of the kernel with the arithmetic of C\n");
    for (nth, (thread, access)) in (1..).zip(witness.threads.iter().zip(accesses)) {
        let _ = write!(
            out,
            "  ({nth}) thread {} of block {}",
            triple(thread.thread),
            triple(thread.block)
        );
        for iteration in &thread.iterations {
            let variables: String = iteration
                .variables
                .iter()
                .map(|(name, value)| format!(", {} = {value}", safe(name)))
                .collect();
            let _ = write!(
                out,
                ", iteration {} of {}{variables}",
                iteration.ordinal,
                view.loop_words(iteration.loop_id)
            );
        }
        if let (Some(offset), Some(access)) = (thread.offset, *access) {
            let row = &view.facts.access[access.index()];
            let last = offset + i128::from(row.bytes) - 1;
            let _ = write!(out, ": {}, bytes {offset}..={last}", view.access(access));
        }
        if let Some(value) = thread.written {
            let _ = write!(out, ", value {value}");
        }
        out.push('\n');
        for load in &thread.loads {
            let _ = writeln!(
                out,
                "      it has read {} at byte {} ({})",
                load.value,
                load.offset,
                view.access(load.access)
            );
        }
    }
    if let Some(element) = &witness.element {
        let array = &view.facts.array[element.array.index()];
        let index: String = element
            .index
            .iter()
            .map(|index| format!("[{index}]"))
            .collect();
        let _ = writeln!(
            out,
            "  both touch {}{index} (byte {})",
            safe(&array.name),
            element.byte
        );
    }
    for note in &witness.notes {
        let _ = writeln!(out, "  {}", safe(note));
    }
}

fn exactness(out: &mut String, view: &View<'_>, exact: bool, abstractions: &[Abstraction]) {
    if exact {
        out.push_str("  nothing was abstracted: the replay is exact\n");
    }
    for abstraction in abstractions {
        let place = match abstraction.span {
            Some(span) => format!(" ({})", view.source(span)),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "  taken as anything: {}{place}",
            safe(&abstraction.text)
        );
    }
}

/// How many threads show that a barrier is not met as it should be, and what they do.
fn parts(cause: GuardCause) -> (usize, &'static str) {
    match cause {
        GuardCause::Mask => (
            1,
            "(1) comes to the operation, and the mask does not name it",
        ),
        GuardCause::Masks => (
            2,
            "both come to the operation, and the mask of (1) names (2), which brings another",
        ),
        _ => (2, "(1) reaches the barrier, (2) does not"),
    }
}

/// The page of a condition round a barrier.
pub(super) fn split(view: &View<'_>, report: &Report, split: &Split<'_>) -> String {
    let mut out = String::new();
    let barrier = &view.facts.barrier[split.barrier.index()];
    let cause = view.point_span(split.cause_point);
    let _ = writeln!(
        out,
        "condition {} round a barrier of `{}`, launch {}\n\nFacts\n  (1) {}",
        view.split_id(split),
        safe(view.kernel(split.launch)),
        view.launch(split.launch),
        view.source(barrier.span)
    );
    let mut about = String::new();
    path(&mut about, view, barrier.point);
    for line in about.lines().filter(|line| !line.starts_with("  interval")) {
        let _ = writeln!(out, "    {line}");
    }
    let _ = writeln!(
        out,
        "  (2) {} ({})\n\nDerivation",
        view.source(cause),
        cause_words(split.cause)
    );
    let id = match split.cause {
        GuardCause::Branch | GuardCause::Loop => "R21",
        GuardCause::Return | GuardCause::Break | GuardCause::Continue => "R22",
        GuardCause::Mask => "R37",
        GuardCause::Masks => "R43",
    };
    let _ = writeln!(out, "  {}", rule_words(id));
    match split.fate {
        Fate::Rule(rule, evidence) => {
            let _ = writeln!(out, "  {}", rule_words(rule));
            if let Some(term) = evidence {
                let _ = writeln!(out, "      shown by `{}`", safe(&view.show.term(term)));
            }
            out.push_str("\nDischarged: the solver was not asked.\n");
        }
        Fate::Answer(outcome) => {
            let _ = writeln!(
                out,
                "\nNo rule discharges it: the solver is asked (`candidate_divergence`)\n  {}; {} put to Z3",
                split_words(view, report, split),
                questions(outcome.queries)
            );
            if outcome.smt.is_some() {
                let _ = writeln!(
                    out,
                    "  the formula: `warplog explain {} --smt`",
                    view.split_id(split)
                );
            }
            if let DivergenceAnswer::Diverges(found) = &outcome.answer {
                let (threads, words) = parts(split.cause);
                witness(&mut out, view, &found.witness, &[None, None][..threads]);
                let _ = writeln!(out, "  {words}");
                exactness(&mut out, view, found.exact, &found.abstractions);
            }
        }
    }
    out
}

/// The page of a finding: the block of the report, and how it was found.
pub(super) fn finding(
    views: &[View<'_>],
    report: &Report,
    kernel: &Kernel,
    finding: &Finding,
    options: TextOptions,
) -> String {
    let mut out = block(report, kernel, finding, options);
    // The block fits by itself.
    out.push_str(&crate::explain::fit::fitted(
        &reasons(views, report, kernel, finding),
        options,
    ));
    out
}

/// How a finding was found.
fn reasons(views: &[View<'_>], report: &Report, kernel: &Kernel, finding: &Finding) -> String {
    let mut out = String::new();
    for view in views {
        if let Some(found) = race_of(view, finding, kernel) {
            out.push('\n');
            derivation(&mut out, view, &found);
            return out;
        }
        if let Some(found) = split_of(view, finding, kernel) {
            let page = split(view, report, &found);
            let page = page
                .split_once("\n\n")
                .map_or(page.as_str(), |(_, rest)| rest);
            out.push('\n');
            out.push_str(page);
            return out;
        }
        if let Some((outcome, failure)) = claim_of(view, finding, kernel) {
            let row = &view.facts.assert_[outcome.assert.index()];
            let _ = writeln!(
                out,
                "\nFacts\n  (1) {}\n      `{}` is to hold ({})",
                view.source(row.span),
                safe(&view.show.term(row.term)),
                row.kind
            );
            let _ = writeln!(
                out,
                "\nThere are threads for which it does not: {}; {} put to Z3",
                stages::found(failure.stage),
                questions(outcome.queries)
            );
            if outcome.smt.is_some() {
                let _ = writeln!(out, "  the formula: `warplog explain {} --smt`", finding.id);
            }
            let threads = if failure.of_two { 2 } else { 1 };
            witness(&mut out, view, &failure.witness, &[None, None][..threads]);
            exactness(&mut out, view, failure.exact, &failure.abstractions);
            return out;
        }
    }
    out
}

/// The block of a finding as the report shows it.
fn block(report: &Report, kernel: &Kernel, finding: &Finding, options: TextOptions) -> String {
    let alone = Report {
        kernels: vec![Kernel {
            findings: vec![finding.clone()],
            ..kernel.clone()
        }],
        sources: report.sources.clone(),
        files: 1,
        ..Report::default()
    };
    text::kernel_with_findings(&alone, options)
}

/// The pair that shows a finding: the one whose witness it tells, else any.
fn race_of<'a>(view: &View<'a>, finding: &Finding, kernel: &Kernel) -> Option<Pair<'a>> {
    let mut found: Option<Pair<'a>> = None;
    for pair in view.pairs() {
        let Fate::Answer(outcome) = pair.fate else {
            continue;
        };
        let RaceAnswer::Race(race) = &outcome.answer else {
            continue;
        };
        if kernel.name != view.kernel(pair.launch) || !is_of(finding, view, &pair) {
            continue;
        }
        if same_threads(finding, &race.witness) {
            return Some(pair);
        }
        found.get_or_insert(pair);
    }
    found
}

fn same_threads(finding: &Finding, witness: &Witness) -> bool {
    let natural = |sizes: [i128; 3]| sizes.map(|size| u64::try_from(size).unwrap_or(0));
    finding.witness.as_ref().is_some_and(|told| {
        told.block_dim == natural(witness.block_dim)
            && !told.threads.is_empty()
            && told
                .threads
                .iter()
                .zip(&witness.threads)
                .all(|(told, thread)| {
                    told.block == natural(thread.block) && told.thread == natural(thread.thread)
                })
    })
}

fn split_of<'a>(view: &View<'a>, finding: &Finding, kernel: &Kernel) -> Option<Split<'a>> {
    let at = |role: Role, span| {
        finding.locations.iter().any(|location| {
            location.role == role
                && location.place.line == view.line(span)
                && location.place.file == view.file(span)
        })
    };
    let mut found: Option<Split<'a>> = None;
    for split in view.splits() {
        let Fate::Answer(outcome) = split.fate else {
            continue;
        };
        let DivergenceAnswer::Diverges(divergence) = &outcome.answer else {
            continue;
        };
        let here = kernel.name == view.kernel(split.launch)
            && at(
                Role::Barrier,
                view.facts.barrier[split.barrier.index()].span,
            )
            && at(Role::Condition, view.point_span(split.cause_point));
        if here && same_threads(finding, &divergence.witness) {
            return Some(split);
        }
        if here {
            found.get_or_insert(split);
        }
    }
    found
}

/// The assertion behind a finding, and how it fails.
fn claim_of<'a>(
    view: &View<'a>,
    finding: &Finding,
    kernel: &Kernel,
) -> Option<(&'a ClaimOutcome, &'a Failure)> {
    view.decision.claims.iter().find_map(|outcome| {
        let row = &view.facts.assert_[outcome.assert.index()];
        let here = kernel.name == view.kernel(outcome.launch)
            && finding.locations.first().is_some_and(|location| {
                matches!(location.role, Role::Assertion | Role::Barrier)
                    && location.place.file == view.file(row.span)
                    && location.place.line == view.line(row.span)
            });
        match &outcome.answer {
            ClaimAnswer::Fails(failure) if here => Some((outcome, &**failure)),
            _ => None,
        }
    })
}

/// The formula behind a finding.
pub(super) fn formula_of(views: &[View<'_>], kernel: &Kernel, finding: &Finding) -> Option<String> {
    views.iter().find_map(|view| {
        let race = race_of(view, finding, kernel).and_then(|pair| match pair.fate {
            Fate::Answer(outcome) => outcome.smt.clone(),
            Fate::Rule(..) => None,
        });
        let split = || {
            split_of(view, finding, kernel).and_then(|split| match split.fate {
                Fate::Answer(outcome) => outcome.smt.clone(),
                Fate::Rule(..) => None,
            })
        };
        let claim = || claim_of(view, finding, kernel).and_then(|(outcome, _)| outcome.smt.clone());
        race.or_else(split).or_else(claim)
    })
}

/// Pairs of a kernel that are listed with their ids; the rest is counted.
const PAIRS: usize = 60;

/// The page of a kernel: its verdict, and what became of every pair and condition.
pub(super) fn kernel(
    views: &[View<'_>],
    report: &Report,
    kernel: &Kernel,
    options: TextOptions,
) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  {}:{} {}",
        kernel.verdict().as_str(),
        safe(&kernel.file),
        kernel.line,
        safe(&kernel.name)
    );
    for assumption in kernel.assumptions() {
        for line in text::wrap(&format!("assumes: {}", safe(assumption)), options.width - 4) {
            let _ = writeln!(out, "    {line}");
        }
    }
    for finding in &kernel.findings {
        let _ = writeln!(
            out,
            "    finding {}: {}",
            finding.id,
            headline(kernel, finding)
        );
    }
    for view in views {
        let launches: Vec<LaunchId> = view
            .facts
            .launch
            .iter()
            .map(|row| row.launch)
            .filter(|&launch| {
                let row = &view.facts.kernel[view.facts.launch[launch.index()].kernel.index()];
                row.name == kernel.name
                    && view.file(row.span) == kernel.file
                    && view.line(row.span) == kernel.line
            })
            .collect();
        for launch in launches {
            launch_part(&mut out, view, report, launch);
        }
    }
    out
}

fn launch_part(out: &mut String, view: &View<'_>, report: &Report, launch: LaunchId) {
    let _ = writeln!(out, "\nlaunch {}", view.launch(launch));
    let pairs: Vec<Pair<'_>> = view
        .pairs()
        .into_iter()
        .filter(|pair| pair.launch == launch)
        .collect();
    let mut by_fate: BTreeMap<String, Vec<&Pair<'_>>> = BTreeMap::new();
    for pair in &pairs {
        let fate = match pair.fate {
            Fate::Rule(rule, _) => rule_words(rule),
            Fate::Answer(_) => format!("solver: {}", answer_words(view, pair)),
        };
        by_fate.entry(fate).or_default().push(pair);
    }
    let mut listed = 0;
    for (fate, pairs) in by_fate {
        let count = match pairs.len() {
            1 => "1 pair".to_owned(),
            count => format!("{count} pairs"),
        };
        let _ = writeln!(out, "  {count}: {fate}");
        for pair in pairs {
            listed += 1;
            if listed <= PAIRS {
                let [first, second] = pair.accesses;
                let with = if first == second {
                    "itself".to_owned()
                } else {
                    view.access(second)
                };
                let _ = writeln!(
                    out,
                    "    [{}] {} with {with}, {}, from {}",
                    view.pair_id(pair),
                    view.access(first),
                    scope_words(pair.scope),
                    from_words(view, pair)
                );
            }
        }
    }
    if listed > PAIRS {
        let _ = writeln!(
            out,
            "    … and {} more (`warplog query` has all)",
            listed - PAIRS
        );
    }
    if pairs.is_empty() {
        out.push_str(
            "  no pair: no two accesses to memory that threads share conflict in an interval\n",
        );
    }
    for split in view.splits().iter().filter(|split| split.launch == launch) {
        let barrier = &view.facts.barrier[split.barrier.index()];
        let _ = writeln!(
            out,
            "  barrier at line {}: [{}] {}",
            view.line(barrier.span),
            view.split_id(split),
            split_words(view, report, split)
        );
    }
}
