//! What the script of the page reads: the report in the words and shapes in which it is shown.
//!
//! Numbers that may not fit into those of the script are texts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::{Files, Made, Runs, runs};
use crate::anatomy::{Anatomy, Bound, BoundKind, Flow, Span};
use crate::causes::{causes, worst_first};
use crate::finding::{self, Iteration, Outcome, Report, Value};
use crate::findings::KINDS;
use crate::groups::groups;
use crate::judgement::Certainty;
use crate::meeting::{Boundary, Role};
use crate::printable::{safe, safe_list};
use crate::words::{MEND_WORDS, headline, interval_words, label, launch_words, note_words, triple};

/// Lanes of a warp.
const LANES: u64 = 32;
/// Numbers of the script below it are exact.
const EXACT: u64 = 1 << 53;
/// Lines between two locations up to which they are shown together, where the kernel is not known as a whole.
const GAP: u32 = 6;

#[derive(Serialize)]
pub(super) struct Page<'a> {
    version: &'static str,
    /// The command line and the time of the run, if they are known.
    made: Option<(String, String)>,
    /// Files that were analysed to the end and files that were to be, of an interrupted run.
    incomplete: Option<(usize, usize)>,
    /// How many files were analysed.
    files: usize,
    /// All files that are named below, each by its index: names and runs of lines.
    sources: Vec<(String, Runs)>,
    kinds: Vec<Kind>,
    kernels: Vec<Kernel<'a>>,
    unsupported: Vec<String>,
    errors: Vec<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Kind {
    rule: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct Kernel<'a> {
    name: String,
    file: String,
    /// Index of the file.
    key: usize,
    line: u32,
    verdict: &'static str,
    certainty: Option<&'static str>,
    /// Where it stands when the worst comes first.
    rank: usize,
    launches: Vec<Launch>,
    findings: Vec<Finding<'a>>,
    notes: Vec<String>,
    /// What it costs, the costliest first, and what was asked about; nothing where costs were not asked for.
    costs: Option<(Vec<Cost>, Vec<String>)>,
    stats: finding::Stats,
    /// One at least.
    structures: Vec<Structure<'a>>,
}

#[derive(Serialize)]
struct Cost {
    id: String,
    rule: String,
    file: usize,
    line: u32,
    words: String,
    /// The warp that shows it, in words.
    warp: Option<String>,
    /// By bank, the lanes that want each of its words; of a bank conflict.
    banks: Vec<Vec<Vec<usize>>>,
    suppressed: bool,
}

#[derive(Serialize)]
struct Structure<'a> {
    /// Indices of the launches that it is of.
    of: Vec<usize>,
    /// File, first line and last line.
    pieces: Vec<(usize, u32, u32)>,
    bounds: Vec<BoundOf<'a>>,
    intervals: Vec<IntervalOf>,
    flows: Vec<FlowOf<'a>>,
    cut: bool,
}

#[derive(Serialize)]
struct Launch {
    words: String,
    verdict: &'static str,
    assumptions: Vec<String>,
    open: Vec<String>,
}

#[derive(Serialize)]
struct Finding<'a> {
    id: &'a str,
    /// The finding of the kernel that stands for all of its cause, by its index.
    lead: usize,
    /// How many of the kernel have its cause.
    of_cause: usize,
    /// Other kernels with the cause.
    also: Vec<String>,
    rule: &'static str,
    certainty: &'static str,
    harm: &'static str,
    question: Option<String>,
    severity: &'static str,
    headline: String,
    locations: Vec<Location>,
    witness: Option<Witness>,
    interval: Option<String>,
    /// Barriers before and behind the accesses.
    between: Option<(Vec<String>, Vec<String>)>,
    /// By structure, the index of the bound at which the interval begins.
    heads: Vec<Option<usize>>,
    reasons: Vec<String>,
    assumptions: Vec<String>,
    notes: Vec<String>,
    hint: Option<String>,
    /// The lines of a change that was proved to mend the kernel, in the format of diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Vec<String>>,
    launches: Vec<usize>,
    suppressed: Option<String>,
}

#[derive(Serialize)]
struct Location {
    file: usize,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    role: &'static str,
    label: String,
}

#[derive(Serialize)]
struct Witness {
    block_dim: String,
    grid_dim: String,
    threads: Vec<Thread>,
    element: Option<String>,
    values: Vec<(String, String)>,
    /// By thread, the first byte and how many; only where the script's numbers have them.
    touched: Vec<(i64, u64)>,
}

#[derive(Serialize)]
struct Thread {
    does: String,
    block: String,
    thread: String,
    warp: u64,
    lane: u64,
    /// Loop by loop: `line 8: iteration 1, k = 3`.
    loops: Vec<String>,
}

#[derive(Serialize)]
struct BoundOf<'a> {
    what: &'a str,
    kind: &'static str,
    file: usize,
    line: u32,
}

#[derive(Serialize)]
struct IntervalOf {
    group: &'static str,
    head: usize,
    /// File, first line, last line, carried.
    stretches: Vec<(usize, u32, u32, bool)>,
    /// Bound, carried.
    tails: Vec<(usize, bool)>,
    accesses: u32,
}

#[derive(Serialize)]
struct FlowOf<'a> {
    parent: Option<usize>,
    condition: String,
    cause: &'a str,
    line: Option<u32>,
    flow: Option<u32>,
    /// Line, kind, array, and how many.
    accesses: Vec<(u32, &'a str, String, u32)>,
}

impl<'a> Page<'a> {
    pub(super) fn of(report: &'a Report, made: Option<&Made>) -> Self {
        let files = Files::of(report);
        let mut also: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for cause in causes(report).iter().filter(|cause| !cause.also.is_empty()) {
            let names: Vec<&str> = cause.kernels().map(|kernel| kernel.name.as_str()).collect();
            for finding in cause.findings() {
                also.insert(&finding.id, names.clone());
            }
        }
        let worst_first = worst_first(report);
        let ranks: HashMap<*const finding::Kernel, usize> = (0..)
            .zip(worst_first)
            .map(|(rank, kernel)| (std::ptr::from_ref(kernel), rank))
            .collect();
        Page {
            version: env!("CARGO_PKG_VERSION"),
            made: made.map(|made| (safe(&made.command), made.date.clone())),
            incomplete: report
                .incomplete
                .map(|incomplete| (incomplete.done, incomplete.files)),
            files: report.files,
            sources: files.sources(),
            kinds: KINDS
                .into_iter()
                .map(|kind| Kind {
                    rule: kind.rule_id(),
                    summary: kind.kind().summary,
                })
                .collect(),
            kernels: report
                .kernels
                .iter()
                .map(|kernel| {
                    let rank = ranks.get(&std::ptr::from_ref(kernel)).copied();
                    of_kernel(kernel, report, &files, (rank.unwrap_or(0), &also))
                })
                .collect(),
            unsupported: report
                .unsupported
                .iter()
                .map(|row| {
                    format!(
                        "{}:{}: {}: {}",
                        safe(&row.file),
                        row.line,
                        safe(&row.what),
                        safe(&row.why)
                    )
                })
                .collect(),
            errors: report
                .errors
                .iter()
                .map(|error| {
                    let place = match (error.file.as_str(), error.line) {
                        ("", _) => String::new(),
                        (file, None) => format!("{}: ", safe(file)),
                        (file, Some(line)) => format!("{}:{line}: ", safe(file)),
                    };
                    format!("{place}{}", safe(&error.message))
                })
                .collect(),
            notes: report.notes.iter().map(note_words).collect(),
        }
    }
}

/// The findings of a kernel by cause, each with the index of the one that leads and how many have its cause.
fn by_cause(kernel: &finding::Kernel) -> Vec<(&finding::Finding, usize, usize)> {
    let mut all = Vec::with_capacity(kernel.findings.len());
    for group in groups(kernel) {
        let lead = all.len();
        all.extend(group.findings().map(|finding| (finding, lead, group.len())));
    }
    all
}

fn of_kernel<'a>(
    kernel: &'a finding::Kernel,
    report: &Report,
    files: &Files<'_>,
    (rank, also): (usize, &BTreeMap<&str, Vec<&str>>),
) -> Kernel<'a> {
    let launches = (0..)
        .zip(&kernel.launches)
        .map(|(index, launch)| Launch {
            words: launch_words(launch),
            verdict: kernel.launch_verdict(index).as_str(),
            assumptions: launch.assumptions.iter().map(|text| safe(text)).collect(),
            open: match &launch.outcome {
                Outcome::Complete => Vec::new(),
                Outcome::Undecided(notes) | Outcome::Contradictory(notes) => {
                    notes.iter().map(note_words).collect()
                }
            },
        })
        .collect();
    Kernel {
        name: safe(&kernel.name),
        file: safe(&kernel.file),
        key: files.at(&kernel.file),
        line: kernel.line,
        verdict: kernel.verdict().as_str(),
        certainty: kernel.certainty().map(Certainty::as_str),
        rank,
        launches,
        findings: by_cause(kernel)
            .into_iter()
            .map(|(finding, lead, of_cause)| {
                let others = also.get(finding.id.as_str()).into_iter().flatten();
                Finding {
                    lead,
                    of_cause,
                    also: others
                        .filter(|name| **name != kernel.name)
                        .map(|name| safe(name))
                        .collect(),
                    ..of_finding(kernel, finding, files)
                }
            })
            .collect(),
        notes: kernel.notes.iter().map(note_words).collect(),
        costs: kernel.costs.as_ref().map(|costs| {
            let found = costs.found.iter().map(|cost| of_cost(cost, files));
            (
                found.collect(),
                costs
                    .answers
                    .iter()
                    .map(crate::cost::Answer::words)
                    .collect(),
            )
        }),
        stats: kernel.stats,
        structures: if kernel.anatomies.is_empty() {
            vec![Structure {
                of: (0..kernel.launches.len()).collect(),
                pieces: around(kernel, report, files),
                bounds: Vec::new(),
                intervals: Vec::new(),
                flows: Vec::new(),
                cut: false,
            }]
        } else {
            let anatomies = kernel.anatomies.iter();
            anatomies
                .map(|anatomy| of_anatomy(anatomy, kernel, report, files))
                .collect()
        },
    }
}

fn of_cost(cost: &crate::cost::Cost, files: &Files<'_>) -> Cost {
    let warp = cost.measure.shown_by().map(|shown| {
        let iterations = cost.measure.warp().map_or(&[][..], |warp| &warp.iterations);
        let rounds: Vec<String> = iterations
            .iter()
            .map(|(line, at)| format!(", iteration {at} of the loop in line {line}"))
            .collect();
        format!("{shown}{}", rounds.concat())
    });
    Cost {
        id: cost.id.clone(),
        rule: cost.rule.clone(),
        file: files.at(&cost.place.file),
        line: cost.place.line,
        words: cost.line(),
        warp,
        banks: cost
            .measure
            .banks()
            .into_iter()
            .map(|words| words.into_values().collect())
            .collect(),
        suppressed: cost.suppressed.is_some(),
    }
}

fn of_anatomy<'a>(
    anatomy: &'a Anatomy,
    kernel: &finding::Kernel,
    report: &Report,
    files: &Files<'_>,
) -> Structure<'a> {
    let pieces = anatomy.pieces.iter().map(|piece| {
        let count = u32::try_from(piece.lines.len()).unwrap_or(u32::MAX);
        let last = piece.first.saturating_add(count.saturating_sub(1));
        (files.at(&piece.file), piece.first, last)
    });
    let bounds = anatomy.bounds.iter();
    let intervals = anatomy.intervals.iter();
    Structure {
        of: anatomy.launches.clone(),
        pieces: match anatomy.pieces.is_empty() {
            true => around(kernel, report, files),
            false => pieces.collect(),
        },
        bounds: bounds.map(|bound| of_bound(bound, files)).collect(),
        intervals: intervals.map(|span| of_interval(span, files)).collect(),
        flows: anatomy.flows.iter().map(of_flow).collect(),
        cut: anatomy.cut,
    }
}

/// The lines that findings name, where nothing else of the kernel is known.
fn around(kernel: &finding::Kernel, report: &Report, files: &Files<'_>) -> Vec<(usize, u32, u32)> {
    let mut lines: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for location in kernel
        .findings
        .iter()
        .flat_map(|finding| &finding.locations)
    {
        let place = &location.place;
        if report
            .sources
            .contains_key(&(place.file.clone(), place.line))
        {
            lines
                .entry(files.at(&place.file))
                .or_default()
                .insert(place.line);
        }
    }
    lines
        .into_iter()
        .flat_map(|(file, lines)| {
            runs(&lines, GAP)
                .into_iter()
                .map(move |(first, last)| (file, first, last))
        })
        .collect()
}

fn of_bound<'a>(bound: &'a Bound, files: &Files<'_>) -> BoundOf<'a> {
    BoundOf {
        what: &bound.what,
        kind: match bound.kind {
            BoundKind::Start => "start",
            BoundKind::Barrier => "barrier",
            BoundKind::End => "end",
        },
        file: files.at(&bound.at.0),
        line: bound.at.1,
    }
}

fn of_interval(span: &Span, files: &Files<'_>) -> IntervalOf {
    IntervalOf {
        group: match span.group {
            crate::anatomy::Group::Warp => "warp",
            crate::anatomy::Group::Block => "block",
            crate::anatomy::Group::Grid => "grid",
        },
        head: span.head,
        stretches: span
            .stretches
            .iter()
            .map(|stretch| {
                (
                    files.at(&stretch.file),
                    stretch.first,
                    stretch.last,
                    stretch.carried,
                )
            })
            .collect(),
        tails: span
            .tails
            .iter()
            .map(|tail| (tail.bound, tail.carried))
            .collect(),
        accesses: span.accesses,
    }
}

fn of_flow(flow: &Flow) -> FlowOf<'_> {
    FlowOf {
        parent: flow.parent,
        condition: safe(&flow.condition),
        cause: &flow.cause,
        line: flow.at.as_ref().map(|(_, line)| *line),
        flow: flow.flow,
        accesses: flow
            .accesses
            .iter()
            .map(|access| {
                let array = safe(&access.array);
                (access.line, access.kind.as_str(), array, access.count)
            })
            .collect(),
    }
}

fn of_finding<'a>(
    kernel: &finding::Kernel,
    finding: &'a finding::Finding,
    files: &Files<'_>,
) -> Finding<'a> {
    let mut assumptions: Vec<&String> = finding.assumptions.iter().collect();
    let launches = finding
        .launches
        .iter()
        .filter_map(|&index| kernel.launches.get(index));
    for assumption in launches.flat_map(|launch| &launch.assumptions) {
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    let mut notes: Vec<String> = finding.notes.iter().map(|note| safe(note)).collect();
    if finding.instances > 1 {
        notes.push(format!(
            "stands for {} instances of the same cause",
            finding.instances
        ));
    }
    Finding {
        id: &finding.id,
        lead: 0,
        of_cause: 1,
        also: Vec::new(),
        rule: finding.kind().rule_id(),
        certainty: finding.certainty.as_str(),
        harm: finding.harm.as_str(),
        question: finding.question().as_deref().map(safe),
        severity: finding.severity().as_str(),
        headline: headline(kernel, finding),
        locations: finding
            .locations
            .iter()
            .map(|location| Location {
                file: files.at(&location.place.file),
                line: location.place.line,
                column: location.place.column,
                end_line: location.place.end_line,
                end_column: location.place.end_column,
                role: role(location.role),
                label: label(finding, location),
            })
            .collect(),
        witness: finding
            .witness
            .as_ref()
            .map(|witness| of_witness(finding, witness)),
        interval: finding.interval().map(interval_words),
        between: finding.interval().map(|interval| {
            let words = |all: &[Boundary]| all.iter().map(boundary_words).collect();
            (words(&interval.from), words(&interval.to))
        }),
        heads: kernel
            .anatomies
            .iter()
            .map(|anatomy| {
                let shows = anatomy.launches.iter();
                let shows = shows
                    .copied()
                    .any(|launch| finding.launches.contains(&launch));
                head(finding.interval().filter(|_| shows)?, anatomy)
            })
            .collect(),
        reasons: finding.reasons.iter().map(|reason| safe(reason)).collect(),
        assumptions: assumptions.into_iter().map(|text| safe(text)).collect(),
        notes,
        hint: match finding.mend {
            Some(_) => Some(MEND_WORDS.to_owned()),
            None => finding
                .hint
                .as_deref()
                .map(|hint| format!("not proved: {}", safe(hint))),
        },
        diff: finding.mend.as_ref().map(|mend| {
            let diff = mend.diff();
            diff.lines().map(safe).collect()
        }),
        launches: finding.launches.clone(),
        suppressed: finding.suppressed_because().map(safe),
    }
}

/// `__syncthreads(), line 9`, `the start of the kernel`.
fn boundary_words(boundary: &Boundary) -> String {
    match boundary {
        Boundary::Start => "the start of the kernel".to_owned(),
        Boundary::End => "the end of the kernel".to_owned(),
        Boundary::Barrier { what, place } => format!("{}, line {}", safe(what), place.line),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::First => "first",
        Role::Second => "second",
        Role::Barrier => "barrier",
        Role::Condition => "condition",
        Role::Assertion => "assertion",
    }
}

/// The bound at which an interval begins.
fn head(interval: &crate::meeting::Interval, anatomy: &Anatomy) -> Option<usize> {
    let from = interval.from.first()?;
    anatomy.bounds.iter().position(|bound| match from {
        Boundary::Start => bound.kind == BoundKind::Start,
        Boundary::End => bound.kind == BoundKind::End,
        Boundary::Barrier { place, .. } => {
            bound.kind == BoundKind::Barrier && bound.at == (place.file.clone(), place.line)
        }
    })
}

fn of_witness(finding: &finding::Finding, witness: &finding::Witness) -> Witness {
    let [x, y, _] = witness.block_dim;
    let threads = witness
        .threads
        .iter()
        .enumerate()
        .map(|(nth, thread)| {
            let [i, j, k] = thread.thread;
            let linear = k
                .saturating_mul(y)
                .saturating_add(j)
                .saturating_mul(x)
                .saturating_add(i);
            Thread {
                does: finding.defect.does(nth),
                block: triple(thread.block),
                thread: triple(thread.thread),
                warp: linear / LANES,
                lane: linear % LANES,
                loops: witness
                    .loops
                    .iter()
                    .filter_map(|state| {
                        let at = state.at.get(nth)?.as_ref()?;
                        Some(format!("line {}: {}", state.line, iteration(at)))
                    })
                    .collect(),
            }
        })
        .collect();
    Witness {
        block_dim: triple(witness.block_dim),
        grid_dim: triple(witness.grid_dim),
        threads,
        element: witness.element.as_deref().map(safe),
        values: witness
            .values
            .iter()
            .map(|(name, value)| {
                let value = match value {
                    Value::Int(value) => value.to_string(),
                    Value::Text(text) => safe(text),
                };
                (safe(name), value)
            })
            .collect(),
        touched: witness
            .touched
            .iter()
            .map(|touched| Some((i64::try_from(touched.first).ok()?, touched.bytes)))
            .collect::<Option<Vec<_>>>()
            .filter(|all| all.iter().all(|(first, _)| first.unsigned_abs() < EXACT))
            .unwrap_or_default(),
    }
}

fn iteration(at: &Iteration) -> String {
    let variables: Vec<String> = at
        .variables
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match variables.as_slice() {
        [] => format!("iteration {}", at.ordinal),
        some => format!("iteration {}, {}", at.ordinal, safe_list(some, ", ")),
    }
}
