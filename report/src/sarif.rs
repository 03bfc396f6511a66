//! SARIF 2.1.0, for code hosts and editors.
//!
//! One run. Each kind of finding is a rule with its page; a finding is a result with its first place as location, the others
//! related and linked from the message, a code flow with a thread flow for each of the two threads, and a fingerprint that
//! survives moved lines. Undecided kernels and constructs that were not understood are notifications of the tool, so that
//! nobody takes the absence of results for a proof. Columns count characters, as everywhere in warplog.
//!
//! Files are named from the root of the project, whatever folder the program ran in and however their paths were spelled: code hosts
//! look for them there. Files outside of it have absolute names.
//!
//! **Limits.** GitHub takes 25,000 results of a run and shows 5,000, those of the highest level. So there are at most
//! [`MOST_RESULTS`], the worst causes first, one finding of each cause before the others of any; a notification counts what is left out. CSV
//! has all.
//!
//! Checked against the schema that OASIS publishes (`report/tests-schemas`).

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::causes::{Cause, causes};
use crate::finding::{Finding, Kernel, Report, Thread};
use crate::findings::{FindingKind, KINDS};
use crate::indented;
use crate::judgement::{Severity, Verdict};
use crate::meeting::{Boundary, Role};
use crate::mend::Mend;
use crate::place::Place;
use crate::printable::{counted, replaced};
use crate::suppression::{SuppressedBy, Suppression};
use crate::words::{
    MEND_WORDS, finding_notes, headline, help, label, note_words, thread_words, triple,
};
use model::*;

mod costs;
mod model;
/// The name of our fingerprint; the number grows when it is computed otherwise.
pub const FINGERPRINT: &str = "warplogFinding/v2";

/// Results of a run at most: as many as GitHub shows.
pub const MOST_RESULTS: usize = 5_000;

/// The name of the folder that files are named from.
const BASE: &str = "%SRCROOT%";

/// Where files are, both absolute.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The root of the project.
    pub root: PathBuf,
    /// The folder that the names of files in the report start from.
    pub here: PathBuf,
}

/// Renders a report; `exit_status` is that of the run.
///
/// # Errors
/// Only if serialisation itself fails, which needs memory to run out.
pub fn render(
    report: &Report,
    exit_status: u8,
    folders: &Folders,
) -> Result<String, serde_json::Error> {
    let causes = causes(report);
    let (chosen, left_out) = chosen(&causes, MOST_RESULTS);
    let findings = chosen.len();
    let mut results: Vec<SarifResult> = chosen
        .into_iter()
        .map(|(cause, kernel, finding)| result(cause, kernel, finding))
        .collect();
    // What costs time comes behind what is wrong.
    results.extend(report.kernels.iter().flat_map(costs::results));
    let left_out = left_out + results.len().saturating_sub(MOST_RESULTS.max(findings));
    results.truncate(MOST_RESULTS);
    let mut notifications = notifications(report);
    if left_out > 0 {
        notifications.insert(0, too_many(left_out));
    }
    let mut log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "warplog",
                    full_name: "warplog, a static analyser for CUDA kernels",
                    version: env!("CARGO_PKG_VERSION"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: KINDS
                        .map(rule)
                        .into_iter()
                        .chain(costs::rules(report))
                        .collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: BTreeMap::from([(
                BASE,
                ArtifactLocation {
                    uri: format!(
                        "{}/",
                        uri(&folders.root.to_string_lossy()).trim_end_matches('/')
                    ),
                    uri_base_id: None,
                },
            )]),
            invocations: [Invocation {
                execution_successful: report.errors.is_empty(),
                exit_code: exit_status,
                tool_execution_notifications: notifications,
            }],
            results,
        }],
    };
    for file in log.runs.iter_mut().flat_map(Run::files) {
        *file = reference(&file.uri, folders);
    }
    indented::render(&log)
}

/// A finding with its kernel and the id of its cause.
type Chosen<'a> = (&'a str, &'a Kernel, &'a Finding);

/// At most so many findings, by cause and the worst cause first, and how many are left out. The finding that stands for a cause
/// comes before others of any cause, and what is suppressed after all.
fn chosen<'a>(causes: &[Cause<'a>], most: usize) -> (Vec<Chosen<'a>>, usize) {
    let mut all: Vec<(bool, bool, usize, Chosen<'a>)> = Vec::new();
    for (nth, cause) in causes.iter().enumerate() {
        let groups = std::iter::once((cause.kernel, &cause.group));
        let also = cause.also.iter().map(|(kernel, group)| (*kernel, group));
        for (kernel, group) in groups.chain(also) {
            for finding in group.findings() {
                let leads = std::ptr::eq(finding, cause.group.lead);
                let chosen = (cause.id(), kernel, finding);
                all.push((cause.is_suppressed(), !leads, nth, chosen));
            }
        }
    }
    let left_out = all.len().saturating_sub(most);
    if left_out > 0 {
        all.sort_by_key(|(suppressed, follows, nth, _)| (*suppressed, *follows, *nth));
        all.truncate(most);
        all.sort_by_key(|(_, follows, nth, _)| (*nth, *follows));
    }
    let chosen = all.into_iter().map(|(_, _, _, chosen)| chosen);
    (chosen.collect(), left_out)
}

/// That not all findings are results.
fn too_many(left_out: usize) -> Notification {
    Notification {
        level: "warning",
        message: Message {
            text: format!(
                "{} left out: a run has at most {MOST_RESULTS} results, the worst causes first; `--format csv` has all",
                counted(left_out, "finding is", "findings are")
            ),
        },
        locations: Vec::new(),
    }
}

/// The reference to a file, from its name in the report.
fn reference(file: &str, folders: &Folders) -> ArtifactLocation {
    let path = plain_path(&folders.here.join(file));
    match path.strip_prefix(plain_path(&folders.root)) {
        Ok(rest) => ArtifactLocation {
            uri: uri(&rest.to_string_lossy()),
            uri_base_id: Some(BASE),
        },
        Err(_) => ArtifactLocation {
            uri: uri(&path.to_string_lossy()),
            uri_base_id: None,
        },
    }
}

/// The path without `.` and `..`, by words alone. What is above the root of the system is the root.
fn plain_path(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn rule(kind: FindingKind) -> Rule {
    let text = |text: &str| Message {
        text: text.to_owned(),
    };
    // The heading repeats the id, which readers show anyway.
    let page = kind.page_alone();
    let page = page
        .split_once("\n\n")
        .map_or(page.as_str(), |(_, body)| body);
    Rule {
        id: kind.rule_id(),
        name: kind.kind().name,
        short_description: text(kind.kind().summary),
        full_description: text(
            page.split("\n\n")
                .next()
                .unwrap_or_default()
                .replace('\n', " ")
                .trim(),
        ),
        help: Help {
            text: page.to_owned(),
            markdown: page.to_owned(),
        },
        default_configuration: Configuration { level: "error" },
        properties: RuleProperties {
            tags: &["correctness", "concurrency", "cuda"],
            precision: "high",
        },
    }
}

fn result(cause: &str, kernel: &Kernel, finding: &Finding) -> SarifResult {
    let mut locations = Vec::new();
    let mut related = Vec::new();
    for (id, location) in (1u32..).zip(&finding.locations) {
        let mut entry = at(&location.place);
        entry.message = Some(Message {
            text: label(finding, location),
        });
        if id == 1 {
            let mut first = at(&location.place);
            first.logical_locations = Some([LogicalLocation {
                fully_qualified_name: kernel.name.clone(),
                kind: "function",
            }]);
            locations.push(first);
        }
        entry.id = Some(id);
        related.push(entry);
    }
    for location in &finding.locations {
        let calls = location.calls.iter().map(|call| Location {
            message: Some(Message {
                text: format!("{} through this call", label(finding, location)),
            }),
            ..at(call)
        });
        related.extend(calls);
    }
    let barriers = finding
        .interval()
        .into_iter()
        .flat_map(|interval| {
            let from = interval.from.iter().map(|boundary| ("begins", boundary));
            from.chain(interval.to.iter().map(|boundary| ("ends", boundary)))
        })
        .filter_map(|(what, boundary)| match boundary {
            Boundary::Barrier { what: text, place } => {
                let mut entry = at(place);
                entry.message = Some(Message {
                    text: format!("the interval between barriers {what} here: {text}"),
                });
                Some(entry)
            }
            Boundary::Start | Boundary::End => None,
        });
    related.extend(barriers);
    SarifResult {
        rule_id: finding.kind().rule_id(),
        rule_index: KINDS
            .iter()
            .position(|kind| *kind == finding.kind())
            .unwrap_or(0),
        level: finding.severity().as_str(),
        kind: "fail",
        message: message(kernel, finding),
        locations,
        related_locations: related,
        code_flows: code_flows(finding),
        fixes: finding.mend.iter().map(fix).collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, finding.fingerprint.clone())]),
        suppressions: suppressions(finding.suppressed.as_ref()),
        properties: ResultProperties {
            id: finding.id.clone(),
            cause: cause.to_owned(),
            certainty: finding.certainty.as_str(),
            harm: finding.harm.as_str(),
            question: finding.question(),
            kernel: kernel.name.clone(),
            verdict: kernel.verdict().as_str(),
            scope: finding.scope().map(|scope| scope.as_str()),
            array: finding.array().map(str::to_owned),
        },
    }
}

/// A mend as what an editor or a code host applies, file by file.
fn fix(mend: &Mend) -> Fix {
    let mut changes: BTreeMap<&str, Vec<Replacement>> = BTreeMap::new();
    for edit in &mend.edits {
        let replacement = Replacement {
            deleted_region: at(&edit.place).physical_location.region,
            inserted_content: Message {
                text: edit.text.clone(),
            },
        };
        let file = edit.place.file.as_str();
        changes.entry(file).or_default().push(replacement);
    }
    let change = |(file, replacements): (&str, Vec<Replacement>)| ArtifactChange {
        // The name becomes a reference when all are known.
        artifact_location: ArtifactLocation {
            uri: file.to_owned(),
            uri_base_id: None,
        },
        replacements,
    };
    Fix {
        description: Message {
            text: plain(MEND_WORDS),
        },
        artifact_changes: changes.into_iter().map(change).collect(),
    }
}

/// The headline, where each access is, and the notes, a line each.
fn message(kernel: &Kernel, finding: &Finding) -> Message {
    let mut lines = vec![format!("{}.", headline(kernel, finding))];
    for (id, location) in (1u32..).zip(&finding.locations) {
        let place = &location.place;
        // Brackets make a link to the related location of that id; other brackets must not.
        lines.push(format!(
            "{}: [line {}]({id})",
            plain(&label(finding, location)),
            place.line
        ));
    }
    lines.extend(
        finding_notes(kernel, finding)
            .iter()
            .map(|note| plain(note)),
    );
    lines.extend(help(finding).as_deref().map(plain));
    lines[0] = plain(&lines[0]);
    Message {
        text: lines.join("\n"),
    }
}

/// The text with what SARIF takes for links or placeholders escaped.
fn plain(text: &str) -> String {
    replaced(text, |character| match character {
        '[' => Some("\\["),
        ']' => Some("\\]"),
        '\\' => Some("\\\\"),
        '{' => Some("{{"),
        '}' => Some("}}"),
        _ => None,
    })
}

/// A flow with a thread flow for each thread of the witness.
fn code_flows(finding: &Finding) -> Vec<CodeFlow> {
    let Some(witness) = &finding.witness else {
        return Vec::new();
    };
    let thread_flows: Vec<ThreadFlow> = witness
        .threads
        .iter()
        .enumerate()
        .map(|(nth, thread)| ThreadFlow {
            id: thread_words(thread),
            immutable_state: state(thread),
            locations: steps(finding, nth),
        })
        .filter(|flow| !flow.locations.is_empty())
        .collect();
    if thread_flows.is_empty() {
        return Vec::new();
    }
    vec![CodeFlow {
        message: Message {
            text: format!(
                "blockDim = {}, gridDim = {}",
                triple(witness.block_dim),
                triple(witness.grid_dim)
            ),
        },
        thread_flows,
    }]
}

fn state(thread: &Thread) -> BTreeMap<&'static str, Message> {
    BTreeMap::from([
        (
            "blockIdx",
            Message {
                text: triple(thread.block),
            },
        ),
        (
            "threadIdx",
            Message {
                text: triple(thread.thread),
            },
        ),
    ])
}

/// What one of the threads does, as far as the finding tells.
fn steps(finding: &Finding, nth: usize) -> Vec<ThreadFlowLocation> {
    let step = |place: &Place, text: String, importance: &'static str| ThreadFlowLocation {
        location: Location {
            message: Some(Message { text }),
            ..at(place)
        },
        importance,
    };
    let mut steps = Vec::new();
    for boundary in finding
        .interval()
        .into_iter()
        .flat_map(|interval| &interval.from)
    {
        if let Boundary::Barrier { what, place } = boundary {
            steps.push(step(place, format!("passes {what}"), "important"));
        }
    }
    for location in &finding.locations {
        let text = || label(finding, location);
        if matches!(
            (location.role, nth),
            (Role::First | Role::Barrier, 0) | (Role::Second, 1)
        ) {
            let calls = location.calls.iter();
            steps.extend(calls.map(|call| step(call, "calls".to_owned(), "important")));
        }
        match (location.role, nth) {
            (Role::First, 0) | (Role::Second, 1) | (Role::Assertion, _) => {
                steps.push(step(&location.place, text(), "essential"));
            }
            (Role::Condition, _) if !finding.kind().kind().parts_at_condition => {
                steps.push(step(&location.place, text(), "important"));
            }
            (Role::Condition, _) => {
                let goes = if nth == 0 {
                    "goes on to the barrier from here"
                } else {
                    "does not go on to the barrier from here"
                };
                steps.push(step(&location.place, goes.to_owned(), "essential"));
            }
            (Role::Barrier, 0) => {
                steps.push(step(
                    &location.place,
                    "reaches the barrier".to_owned(),
                    "essential",
                ));
            }
            (Role::First | Role::Second | Role::Barrier, _) => {}
        }
    }
    // The condition is decided before the barrier is reached, whatever the order of the locations.
    if finding.kind().kind().opposed.is_some() {
        steps.reverse();
    }
    for boundary in finding
        .interval()
        .into_iter()
        .flat_map(|interval| &interval.to)
    {
        if let Boundary::Barrier { what, place } = boundary {
            steps.push(step(place, format!("would wait at {what}"), "unimportant"));
        }
    }
    steps
}

/// What was not decided or not understood, and what could not be read.
fn notifications(report: &Report) -> Vec<Notification> {
    let mut all = Vec::new();
    for kernel in &report.kernels {
        if !matches!(kernel.verdict(), Verdict::Unknown | Verdict::Error) {
            continue;
        }
        let launches = kernel.launches.iter();
        let reasons = launches.flat_map(|launch| launch.outcome.reasons());
        let mut reasons: Vec<String> = reasons.map(note_words).collect();
        reasons.dedup();
        all.push(Notification {
            level: "warning",
            message: Message {
                text: plain(&format!(
                    "`{}` is not decided ({}): {}",
                    kernel.name,
                    kernel.verdict().as_str(),
                    if reasons.is_empty() {
                        "no launch was analysed".to_owned()
                    } else {
                        reasons.join("; ")
                    }
                )),
            },
            locations: vec![line_of(&kernel.file, kernel.line)],
        });
    }
    for entry in &report.unsupported {
        all.push(Notification {
            level: "note",
            message: Message {
                text: plain(&format!("not modelled: {}: {}", entry.what, entry.why)),
            },
            locations: vec![line_of(&entry.file, entry.line)],
        });
    }
    for note in &report.notes {
        all.push(Notification {
            level: "note",
            message: Message {
                text: plain(&note.text),
            },
            locations: note.place.iter().map(at).collect(),
        });
    }
    for error in &report.errors {
        let locations = match (error.file.as_str(), error.line) {
            ("", _) => Vec::new(),
            (file, line) => vec![line_of(file, line.unwrap_or(1))],
        };
        all.push(Notification {
            level: Severity::Error.as_str(),
            message: Message {
                text: plain(&error.message),
            },
            locations,
        });
    }
    all
}

fn line_of(file: &str, line: u32) -> Location {
    let mut location = at(&Place {
        file: file.to_owned(),
        line: line.max(1),
        column: 1,
        end_line: line.max(1),
        end_column: 1,
    });
    location.physical_location.region = Region {
        start_line: line.max(1),
        start_column: None,
        end_line: None,
        end_column: None,
    };
    location
}

fn at(place: &Place) -> Location {
    let line = place.line.max(1);
    let column = place.column.max(1);
    let end_line = place.end_line.max(line);
    let end_column = if end_line == line {
        place.end_column.max(column)
    } else {
        place.end_column.max(1)
    };
    Location {
        id: None,
        physical_location: PhysicalLocation {
            // The name becomes a reference when all are known.
            artifact_location: ArtifactLocation {
                uri: place.file.clone(),
                uri_base_id: None,
            },
            region: Region {
                start_line: line,
                start_column: Some(column),
                end_line: Some(end_line),
                end_column: Some(end_column),
            },
        },
        logical_locations: None,
        message: None,
    }
}

/// The path as a reference: relative as it stands, absolute as a `file:` URI; what is not allowed there is escaped.
pub(crate) fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'/'
            | b'+'
            | b','
            | b'='
            | b'@' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

/// Why a result does not count.
fn suppressions(of: Option<&Suppression>) -> Vec<SarifSuppression> {
    let own = of.map(|suppression| SarifSuppression {
        kind: match suppression.by {
            SuppressedBy::Comment => "inSource",
            SuppressedBy::Configuration | SuppressedBy::Baseline => "external",
        },
        justification: suppression.reason.clone(),
    });
    own.into_iter().collect()
}

#[cfg(test)]
mod tests;
