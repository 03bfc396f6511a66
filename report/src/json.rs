//! JSON, contract `warplog/2`.
//!
//! The structs here are the contract, not the internal types: keys in this order, names as written, nothing else. The
//! committed schema `report/schema/warplog-2.schema.json` says the same, and a test holds the two together. Renaming or removing
//! a key, or giving one another meaning, asks for `warplog/3`; adding one does not, as readers pass over keys that they do not know. Times appear only in a report that carries them, the section
//! `coverage` only where it is asked for, `incomplete` only after an interruption, `reasons` of a launch only where it could not be
//! decided. A launch that contradicts its assumptions is among the errors too, as it makes a run fail like them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::causes::cause_ids;
use crate::words::{headline, note_words};
use crate::{finding, indented};

mod costs;
mod coverage;

/// The version of the contract.
pub const SCHEMA: &str = "warplog/2";

/// The JSON Schema of the contract.
pub const JSON_SCHEMA: &str = include_str!("../schema/warplog-2.schema.json");

/// Most findings in the kernels of one definition; each kernel has its surest one besides. What is left out is counted
/// (`findings_left_out`): instances of a template, of which there may be hundreds, repeat what is wrong with it.
pub const MOST_OF_DEFINITION: usize = 256;

/// Renders a report, indented, with a line end behind it.
///
/// # Errors
/// Only if serialisation itself fails, which needs memory to run out.
pub fn render(report: &finding::Report) -> Result<String, serde_json::Error> {
    indented::render(&Report::of(report))
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    kernels: Vec<Kernel<'a>>,
    unsupported: Vec<Unsupported<'a>>,
    errors: Vec<InputError<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<Incomplete>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timings: Vec<FileTimings<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<coverage::Coverage>,
}

#[derive(Serialize)]
struct Incomplete {
    files_done: usize,
    files: usize,
}

#[derive(Serialize)]
struct Kernel<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    verdict: &'static str,
    certainty: Option<&'static str>,
    launches: Vec<Launch<'a>>,
    assumptions: Vec<&'a str>,
    findings: Vec<Finding<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    findings_left_out: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note<'a>>,
    stats: Stats,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<costs::Costs<'a>>,
}

/// A remark: benign writes.
#[derive(Serialize)]
struct Note<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    text: &'a str,
}

#[derive(Serialize)]
struct Launch<'a> {
    source: &'static str,
    block: [Dim<'a>; 3],
    grid: [Dim<'a>; 3],
    arguments: BTreeMap<&'a str, Value<'a>>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
}

/// A number, or an expression over symbols.
#[derive(Serialize)]
#[serde(untagged)]
enum Dim<'a> {
    Known(u64),
    Symbolic(&'a str),
}

/// A number, or a text.
struct Value<'a>(&'a finding::Value);

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            finding::Value::Int(value) => serializer.serialize_i128(*value),
            finding::Value::Text(value) => serializer.serialize_str(value),
        }
    }
}

#[derive(Serialize)]
struct Finding<'a> {
    id: &'a str,
    cause: &'a str,
    kind: &'static str,
    severity: &'static str,
    certainty: &'static str,
    harm: &'static str,
    question: Option<String>,
    message: String,
    access: Option<&'static str>,
    scope: Option<&'static str>,
    array: Option<&'a str>,
    locations: Vec<Location<'a>>,
    interval: Option<Interval<'a>>,
    witness: Option<Witness<'a>>,
    reasons: &'a [String],
    assumptions: &'a [String],
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<Mend<'a>>,
    race_free_if: Option<&'a str>,
    hinges_on: &'a [String],
    notes: &'a [String],
    launches: &'a [usize],
    instances: u32,
    suppressed: Option<&'a str>,
}

#[derive(Serialize)]
struct Location<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#macro: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// Between which barriers two accesses meet.
#[derive(Serialize)]
struct Interval<'a> {
    from: Vec<Boundary<'a>>,
    to: Vec<Boundary<'a>>,
    carried: bool,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Boundary<'a> {
    Start,
    End,
    Barrier {
        text: &'a str,
        #[serde(flatten)]
        place: Place<'a>,
    },
}

#[derive(Serialize)]
struct Witness<'a> {
    block_dim: [u64; 3],
    grid_dim: [u64; 3],
    threads: Vec<Thread>,
    element: Option<&'a str>,
    values: BTreeMap<&'a str, Value<'a>>,
    iterations: &'a BTreeMap<String, Vec<Option<i128>>>,
    touched: Vec<Touched>,
}

/// Bytes of the array that a thread of a race touches.
#[derive(Serialize)]
struct Touched {
    first_byte: i128,
    bytes: u64,
}

#[derive(Serialize)]
struct Thread {
    block: [u64; 3],
    thread: [u64; 3],
}

#[derive(Serialize)]
struct Stats {
    accesses: u64,
    pairs: u64,
    discharged_by_rule: u64,
    queries: u64,
    undecided: u64,
}

#[derive(Serialize)]
struct Unsupported<'a> {
    file: &'a str,
    line: u32,
    what: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct InputError<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    message: Cow<'a, str>,
}

#[derive(Serialize)]
struct FileTimings<'a> {
    file: &'a str,
    microseconds: BTreeMap<&'a str, u64>,
}

impl<'a> Report<'a> {
    fn of(report: &'a finding::Report) -> Self {
        let causes = cause_ids(report);
        let mut shown: BTreeMap<(&str, u32), usize> = BTreeMap::new();
        let kernels = report.kernels.iter().map(|kernel| {
            let shown = shown.entry((&kernel.file, kernel.line)).or_default();
            Kernel::of(kernel, shown, &causes)
        });
        Report {
            schema: SCHEMA,
            kernels: kernels.collect(),
            unsupported: report
                .unsupported
                .iter()
                .map(|entry| Unsupported {
                    file: &entry.file,
                    line: entry.line,
                    what: &entry.what,
                    why: &entry.why,
                })
                .collect(),
            errors: report
                .errors
                .iter()
                .map(|error| InputError {
                    file: (!error.file.is_empty()).then_some(error.file.as_str()),
                    line: error.line,
                    message: Cow::Borrowed(&error.message),
                })
                .chain(report.kernels.iter().filter_map(contradiction))
                .collect(),
            incomplete: report.incomplete.map(|incomplete| Incomplete {
                files_done: incomplete.done,
                files: incomplete.files,
            }),
            timings: report
                .timings
                .iter()
                .map(|times| FileTimings {
                    file: &times.file,
                    microseconds: times
                        .phases
                        .iter()
                        .map(|(phase, time)| (phase.as_str(), *time))
                        .collect(),
                })
                .collect(),
            coverage: report.show_coverage.then(|| coverage::Coverage::of(report)),
        }
    }
}

/// Whether a count is left out.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde asks for"
)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The findings of a kernel that are shown after so many of other instances of its definition.
fn chosen(kernel: &finding::Kernel, shown: usize) -> Vec<&finding::Finding> {
    let room = MOST_OF_DEFINITION.saturating_sub(shown).max(1);
    if kernel.findings.len() <= room {
        return kernel.findings.iter().collect();
    }
    // The surest, in the order in which all stand.
    let mut surest: Vec<(usize, &finding::Finding)> = kernel.findings.iter().enumerate().collect();
    surest.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.certainty));
    surest.truncate(room);
    surest.sort_by_key(|&(position, _)| position);
    surest.into_iter().map(|(_, finding)| finding).collect()
}

impl<'a> Kernel<'a> {
    /// A kernel; of its definition so many findings have been shown.
    fn of(
        kernel: &'a finding::Kernel,
        shown: &mut usize,
        causes: &BTreeMap<&'a str, &'a str>,
    ) -> Self {
        let stats = kernel.stats;
        let findings = chosen(kernel, *shown);
        *shown += findings.len();
        Kernel {
            name: &kernel.name,
            file: &kernel.file,
            line: kernel.line,
            verdict: kernel.verdict().as_str(),
            certainty: kernel.certainty().map(crate::judgement::Certainty::as_str),
            launches: (0..)
                .zip(&kernel.launches)
                .map(|(index, launch)| Launch {
                    source: launch.source.as_str(),
                    block: dims(&launch.block),
                    grid: dims(&launch.grid),
                    arguments: values(&launch.arguments),
                    verdict: kernel.launch_verdict(index).as_str(),
                    reasons: launch.outcome.reasons().iter().map(note_words).collect(),
                })
                .collect(),
            assumptions: kernel.assumptions(),
            findings_left_out: kernel.findings.len() - findings.len(),
            findings: findings
                .into_iter()
                .map(|finding| Finding::of(kernel, finding, causes))
                .collect(),
            notes: kernel.notes.iter().map(Note::of).collect(),
            stats: Stats {
                accesses: stats.accesses,
                pairs: stats.pairs,
                discharged_by_rule: stats.discharged_by_rule,
                queries: stats.queries,
                undecided: stats.undecided,
            },
            costs: kernel.costs.as_ref().map(costs::Costs::of),
        }
    }
}

impl<'a> Note<'a> {
    fn of(note: &'a crate::place::Note) -> Self {
        Note {
            file: note.place.as_ref().map(|place| place.file.as_str()),
            line: note.place.as_ref().map(|place| place.line),
            text: &note.text,
        }
    }
}

/// That a kernel could not be checked.
fn contradiction(kernel: &finding::Kernel) -> Option<InputError<'_>> {
    if kernel.verdict() != crate::judgement::Verdict::Error {
        return None;
    }
    let outcomes = kernel.launches.iter().map(|launch| &launch.outcome);
    let reasons: Vec<String> = outcomes
        .filter(|outcome| matches!(outcome, finding::Outcome::Contradictory(_)))
        .flat_map(finding::Outcome::reasons)
        .map(note_words)
        .collect();
    Some(InputError {
        file: Some(&kernel.file),
        line: Some(kernel.line),
        message: Cow::Owned(format!(
            "`{}` cannot be checked: {}",
            kernel.name,
            reasons.join("; ")
        )),
    })
}

impl<'a> Finding<'a> {
    fn of(
        kernel: &finding::Kernel,
        finding: &'a finding::Finding,
        causes: &BTreeMap<&'a str, &'a str>,
    ) -> Self {
        let id = finding.id.as_str();
        Finding {
            id,
            cause: causes.get(id).copied().unwrap_or(id),
            kind: finding.kind().as_str(),
            severity: finding.severity().as_str(),
            certainty: finding.certainty.as_str(),
            harm: finding.harm.as_str(),
            question: finding.question(),
            message: headline(kernel, finding),
            access: finding.access_code(),
            scope: finding.scope().map(crate::meeting::Scope::as_str),
            array: finding.array(),
            locations: finding
                .locations
                .iter()
                .map(|location| Location {
                    place: Place::of(&location.place),
                    role: location.role.as_str(),
                    r#macro: location.macro_name.as_deref(),
                    calls: location.calls.iter().map(Place::of).collect(),
                })
                .collect(),
            interval: finding.interval().map(Interval::of),
            witness: finding.witness.as_ref().map(|witness| Witness {
                block_dim: witness.block_dim,
                grid_dim: witness.grid_dim,
                threads: witness
                    .threads
                    .iter()
                    .map(|thread| Thread {
                        block: thread.block,
                        thread: thread.thread,
                    })
                    .collect(),
                element: witness.element.as_deref(),
                values: witness
                    .values
                    .iter()
                    .map(|(name, value)| (name.as_str(), Value(value)))
                    .collect(),
                iterations: &witness.iterations,
                touched: witness
                    .touched
                    .iter()
                    .map(|touched| Touched {
                        first_byte: touched.first,
                        bytes: touched.bytes,
                    })
                    .collect(),
            }),
            reasons: &finding.reasons,
            assumptions: &finding.assumptions,
            hint: finding.hint.as_deref(),
            mend: finding.mend.as_ref().map(Mend::of),
            race_free_if: finding.race_free_if.as_deref(),
            hinges_on: &finding.hinges_on,
            notes: &finding.notes,
            launches: &finding.launches,
            instances: finding.instances,
            suppressed: finding.suppressed_because(),
        }
    }
}

/// A change that was proved to leave the kernel race-free.
#[derive(Serialize)]
struct Mend<'a> {
    edits: Vec<Edit<'a>>,
    diff: String,
}

#[derive(Serialize)]
struct Edit<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    was: &'a str,
    text: &'a str,
}

impl<'a> Mend<'a> {
    fn of(mend: &'a crate::mend::Mend) -> Self {
        let edits = mend.edits.iter().map(|edit| Edit {
            place: Place::of(&edit.place),
            was: &edit.was,
            text: &edit.text,
        });
        Mend {
            edits: edits.collect(),
            diff: mend.diff(),
        }
    }
}

impl<'a> Place<'a> {
    fn of(place: &'a crate::place::Place) -> Self {
        Place {
            file: &place.file,
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        }
    }
}

impl<'a> Interval<'a> {
    fn of(interval: &'a crate::meeting::Interval) -> Self {
        let boundaries =
            |all: &'a [crate::meeting::Boundary]| all.iter().map(Boundary::of).collect();
        Interval {
            from: boundaries(&interval.from),
            to: boundaries(&interval.to),
            carried: interval.carried,
        }
    }
}

impl<'a> Boundary<'a> {
    fn of(boundary: &'a crate::meeting::Boundary) -> Self {
        match boundary {
            crate::meeting::Boundary::Start => Boundary::Start,
            crate::meeting::Boundary::End => Boundary::End,
            crate::meeting::Boundary::Barrier { what, place } => Boundary::Barrier {
                text: what,
                place: Place::of(place),
            },
        }
    }
}

fn dims(dims: &[finding::Dim; 3]) -> [Dim<'_>; 3] {
    dims.each_ref().map(|dim| match dim {
        finding::Dim::Known(size) => Dim::Known(*size),
        finding::Dim::Symbolic(text) => Dim::Symbolic(text),
    })
}

fn values(values: &[(String, finding::Value)]) -> BTreeMap<&str, Value<'_>> {
    values
        .iter()
        .map(|(name, value)| (name.as_str(), Value(value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::sample;
    use serde_json::{Value as Json, json};

    fn rendered(report: &finding::Report) -> Json {
        let text = render(report).expect("renders");
        assert!(text.ends_with("}\n"));
        serde_json::from_str(&text).expect("is JSON")
    }

    fn validator() -> jsonschema::Validator {
        let schema: Json = serde_json::from_str(JSON_SCHEMA).expect("the schema is JSON");
        jsonschema::meta::validate(&schema).expect("the schema is a schema");
        jsonschema::validator_for(&schema).expect("the schema compiles")
    }

    fn complaints(document: &Json) -> Vec<String> {
        validator()
            .iter_errors(document)
            .map(|error| format!("{}: {error}", error.instance_path))
            .collect()
    }

    #[test]
    fn reports_of_every_verdict_follow_the_schema() {
        let report = sample::report();
        let mut seen: Vec<Verdict> = report
            .kernels
            .iter()
            .map(finding::Kernel::verdict)
            .collect();
        seen.sort();
        seen.dedup();
        assert_eq!(
            seen,
            [
                Verdict::RaceFree,
                Verdict::Unknown,
                Verdict::Error,
                Verdict::AssertionFailed,
                Verdict::BarrierDivergence,
                Verdict::Racy
            ]
        );
        assert_eq!(complaints(&rendered(&report)), Vec::<String>::new());
        assert_eq!(
            complaints(&rendered(&finding::Report::default())),
            Vec::<String>::new()
        );
    }

    #[test]
    fn times_are_part_of_the_schema_and_absent_without() {
        let mut report = sample::report();
        assert!(rendered(&report).get("timings").is_none());
        report.timings.push(finding::FileTimings {
            file: "a.cu".to_owned(),
            phases: vec![("extract".to_owned(), 12), ("solve".to_owned(), 340)],
        });
        let document = rendered(&report);
        assert_eq!(document["timings"][0]["microseconds"]["solve"], json!(340));
        assert_eq!(complaints(&document), Vec::<String>::new());
    }

    #[test]
    fn coverage_is_part_of_the_schema_and_absent_without() {
        let mut report = crate::coverage::tests::report();
        assert!(rendered(&report).get("coverage").is_none());
        report.show_coverage = true;
        let document = rendered(&report);
        assert_eq!(document["coverage"]["kernels"], json!(7));
        assert_eq!(document["coverage"]["verdicts"]["unknown"], json!(1));
        assert_eq!(
            document["coverage"]["reasons"][0]["reason"],
            json!("inline assembly")
        );
        assert!(document["coverage"].get("microseconds").is_none());
        assert_eq!(complaints(&document), Vec::<String>::new());
        refuses_missing_and_unknown_keys(&document);

        report.timings.push(finding::FileTimings {
            file: "a.cu".to_owned(),
            phases: vec![("extract".to_owned(), 12)],
        });
        let document = rendered(&report);
        assert_eq!(document["coverage"]["microseconds"]["total"], json!(12));
        assert_eq!(complaints(&document), Vec::<String>::new());
    }

    /// Walks to every object of the document by JSON pointer.
    fn objects(value: &Json, at: &str, found: &mut Vec<String>) {
        match value {
            Json::Object(members) => {
                found.push(at.to_owned());
                for (key, member) in members {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    objects(member, &format!("{at}/{key}"), found);
                }
            }
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    objects(item, &format!("{at}/{index}"), found);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn the_schema_refuses_missing_and_unknown_keys() {
        refuses_missing_and_unknown_keys(&rendered(&sample::report()));
    }

    /// What may be left out of a report.
    const OPTIONAL: [&str; 2] = ["timings", "coverage"];

    fn refuses_missing_and_unknown_keys(document: &Json) {
        let validator = validator();
        let mut found = Vec::new();
        objects(document, "", &mut found);
        assert!(found.len() > 30);
        let open = |pointer: &str| {
            ["/values", "/arguments", "/iterations"]
                .iter()
                .any(|key| pointer.ends_with(key))
        };
        for pointer in found.iter().filter(|pointer| !open(pointer)) {
            let mut more = document.clone();
            let object = more.pointer_mut(pointer).and_then(Json::as_object_mut);
            object
                .expect("an object")
                .insert("surprise".to_owned(), json!(1));
            assert!(!validator.is_valid(&more), "accepts a key at {pointer:?}");

            let object = document.pointer(pointer).and_then(Json::as_object);
            for key in object.expect("an object").keys() {
                let told_if_any = key == "reasons" && pointer.contains("/launches/")
                    || key == "notes"
                        && pointer.starts_with("/kernels/")
                        && !pointer.contains("/findings/")
                    || key == "macro"
                    || pointer.contains("/notes/") && ["file", "line"].contains(&key.as_str());
                if pointer.is_empty() && OPTIONAL.contains(&key.as_str()) || told_if_any {
                    continue;
                }
                let mut less = document.clone();
                let object = less.pointer_mut(pointer).and_then(Json::as_object_mut);
                object.expect("an object").remove(key);
                assert!(
                    !validator.is_valid(&less),
                    "does without {key} at {pointer:?}"
                );
            }
        }
    }

    #[test]
    fn the_schema_refuses_wrong_values() {
        let document = rendered(&sample::report());
        let racy = document["kernels"]
            .as_array()
            .expect("kernels")
            .iter()
            .position(|kernel| kernel["verdict"] == "racy")
            .expect("a racy kernel");
        for (pointer, wrong) in [
            ("/schema", json!("warplog/1")),
            ("/kernels/K/verdict", json!("safe")),
            ("/kernels/K/certainty", json!("likely")),
            ("/kernels/K/line", json!(0)),
            ("/kernels/K/launches/0/source", json!("guess")),
            ("/kernels/K/launches/0/block", json!([1, 1])),
            ("/kernels/K/launches/0/block/0", json!(0)),
            ("/kernels/K/launches/0/arguments", json!({"n": 1.5})),
            ("/kernels/K/findings/0/kind", json!("race")),
            ("/kernels/K/findings/0/harm", json!("none")),
            ("/kernels/K/findings/0/hinges_on", json!("n")),
            ("/kernels/K/findings/0/question", json!("")),
            ("/kernels/K/findings/0/access", json!("rr")),
            ("/kernels/K/findings/0/scope", json!("grid")),
            ("/kernels/K/findings/0/id", json!("")),
            ("/kernels/K/findings/0/locations", json!([])),
            ("/kernels/K/findings/0/locations/0/role", json!("third")),
            ("/kernels/K/findings/0/locations/0/column", json!(0)),
            ("/kernels/K/findings/0/witness/threads", json!([])),
            ("/kernels/K/findings/0/reasons", json!([1])),
            ("/kernels/K/findings/0/severity", json!("fatal")),
            ("/kernels/K/findings/0/message", json!("")),
            ("/kernels/K/findings/0/hint", json!([])),
            ("/kernels/K/findings/0/notes", json!(null)),
            ("/kernels/K/findings/0/launches", json!([-1])),
            ("/kernels/K/findings/0/instances", json!(0)),
            ("/kernels/K/findings/0/interval/from/0/kind", json!("end")),
            ("/kernels/K/findings/0/interval/to/0/kind", json!("start")),
            ("/kernels/K/findings/0/interval/carried", json!(1)),
            ("/kernels/K/stats/queries", json!(-1)),
        ] {
            let pointer = pointer.replace('K', &racy.to_string());
            let mut document = document.clone();
            *document.pointer_mut(&pointer).expect(&pointer) = wrong;
            assert!(!validator().is_valid(&document), "accepts {pointer}");
        }
    }

    #[test]
    fn keys_keep_their_order() {
        let mut report = sample::report();
        report.kernels.truncate(0);
        report.kernels.push(sample::racy_kernel());
        report.unsupported.truncate(1);
        report.errors.truncate(1);
        crate::id::finish(&mut report);
        expect_test::expect_file!["../tests-expected/racy.json"]
            .assert_eq(&render(&report).expect("renders"));
    }

    #[test]
    fn a_kernel_without_finding_has_no_certainty() {
        let mut report = finding::Report::default();
        report.kernels.push(sample::race_free_kernel());
        assert_eq!(rendered(&report)["kernels"][0]["certainty"], Json::Null);
    }

    #[test]
    fn findings_of_many_instances_are_counted() {
        let mut report = finding::Report::default();
        let mut racy = sample::racy_kernel();
        let sure = racy.findings[0].clone();
        let less_sure = finding::Finding {
            certainty: crate::judgement::Certainty::Potential,
            ..sure.clone()
        };
        racy.findings = vec![less_sure.clone(), sure, less_sure];
        for number in 0..300 {
            report.kernels.push(finding::Kernel {
                name: format!("tile<{number}>"),
                ..racy.clone()
            });
        }
        // Another definition has room of its own.
        report.kernels.push(finding::Kernel {
            line: racy.line + 1,
            ..racy.clone()
        });
        crate::id::finish(&mut report);
        let document = rendered(&report);
        assert!(validator().is_valid(&document));
        let kernels = document["kernels"].as_array().expect("kernels");
        assert_eq!(kernels.len(), 301);
        let listed = |kernel: &Json| kernel["findings"].as_array().expect("findings").len();
        for kernel in kernels {
            let left_out = kernel["findings_left_out"].as_u64().unwrap_or(0);
            assert_eq!(listed(kernel) as u64 + left_out, 3, "{kernel}");
            // What the kernel is known by is never left out.
            let mut findings = kernel["findings"].as_array().expect("findings").iter();
            assert!(findings.any(|finding| finding["certainty"] == "confirmed"));
            assert_eq!(kernel["certainty"], "confirmed");
        }
        let instances: usize = kernels[..300].iter().map(listed).sum();
        assert_eq!(
            instances,
            MOST_OF_DEFINITION + 300 - MOST_OF_DEFINITION.div_ceil(3)
        );
        assert_eq!(listed(&kernels[300]), 3);
    }
}
