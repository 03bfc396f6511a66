//! The answer to whether two kernels leave equal contents, as plain data, and its renderers: text, JSON and HTML.
//!
//! JSON follows `schema/warplog-equal-1.schema.json`. The page stands alone: it loads nothing, and nothing of the source is markup in it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::printable::safe;

/// The schema of the JSON output.
pub const EQUAL_SCHEMA: &str = include_str!("../schema/warplog-equal-1.schema.json");

/// One side of the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The file.
    pub file: String,
    /// The kernels launched, in their order.
    pub kernels: Vec<String>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// They leave equal contents.
    Equal,
    /// An execution of each leaves different contents.
    Different,
    /// Neither is shown.
    Unknown,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

/// A launch of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// `blockDim`.
    pub block: [i128; 3],
    /// `gridDim`.
    pub grid: [i128; 3],
}

/// How an element came to hold what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The launches.
    pub launches: Vec<Launch>,
    /// What the element holds in the end.
    pub value: String,
    /// `blockIdx` of the thread that wrote it last; none if nobody did.
    pub block: Option<[i128; 3]>,
    /// `threadIdx` of it.
    pub thread: Option<[i128; 3]>,
    /// Where.
    pub place: Option<Place>,
    /// All that was stored in the element, in order; empty if that is not followed.
    pub stored: Vec<Stored>,
}

/// Something stored in an element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The kernel.
    pub kernel: String,
    /// `blockIdx`.
    pub block: [i128; 3],
    /// `threadIdx`.
    pub thread: [i128; 3],
    /// Where.
    pub place: Option<Place>,
    /// What it is made of: elements as they were before.
    pub formula: String,
}

/// Two executions that leave different contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// Scalar arguments by the name of the left side.
    pub arguments: Vec<Argument>,
    /// The array, by the name of the left side.
    pub array: String,
    /// The element.
    pub element: i128,
    /// What it holds before.
    pub before: String,
    /// The left execution.
    pub left: History,
    /// The right one.
    pub right: History,
    /// What the contents of arrays before follow from.
    pub seed: u64,
}

/// A scalar argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i128,
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The version of the format.
    pub schema: String,
    /// The left side.
    pub left: Side,
    /// The right side.
    pub right: Side,
    /// What was found.
    pub verdict: Verdict,
    /// Of which launches `equal` speaks.
    pub extent: Option<String>,
    /// How floats are compared.
    pub floats: String,
    /// The executions that refute it.
    pub counterexample: Option<Counterexample>,
    /// Why it is unknown.
    pub reasons: Vec<String>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
    /// Conditions on sizes and arguments under which the two are shown to be equal, where they are not in general.
    pub equal_if: Vec<String>,
    /// Parameters that were matched although their names differ, and what was not compared.
    pub notes: Vec<String>,
    /// Executions in which both left equal contents.
    pub runs: u32,
    /// Why: what was seen of the assignments of both, and what follows.
    pub derivation: Vec<Relation>,
}

/// A relation of the derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// Its name.
    pub relation: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl Relation {
    /// As CSV (RFC 4180).
    ///
    /// # Errors
    /// Never, but for memory.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer
            .into_inner()
            .map_err(|error| error.into_error().into())
    }
}

impl Comparison {
    /// The exit status: 0 equal, 1 different, 4 unknown.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self.verdict {
            Verdict::Equal => 0,
            Verdict::Different => 1,
            Verdict::Unknown => 4,
        }
    }

    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let word = match self.verdict {
            Verdict::Equal => "equal",
            Verdict::Different => "different",
            Verdict::Unknown => "unknown",
        };
        let side =
            |side: &Side| safe(&format!("{}:{}", side.file, side.kernels.join(","))).to_string();
        let _ = writeln!(out, "{word}  {}  {}", side(&self.left), side(&self.right));
        if let Some(extent) = &self.extent {
            let _ = writeln!(out, "  for {extent}");
        }
        if let Some(found) = &self.counterexample {
            self.text_of_difference(found, &mut out);
        }
        for reason in &self.reasons {
            let _ = writeln!(out, "  because: {}", safe(reason));
        }
        if !self.equal_if.is_empty() {
            let _ = writeln!(out, "  equal if: {}", safe(&self.equal_if.join(" and ")));
        }
        for text in &self.assumptions {
            let _ = writeln!(out, "  assumes: {}", safe(text));
        }
        for text in &self.notes {
            let _ = writeln!(out, "  note: {}", safe(text));
        }
        if self.verdict == Verdict::Unknown && self.runs > 0 {
            let _ = writeln!(
                out,
                "  {} executions of both left equal contents",
                self.runs
            );
        }
        out
    }

    fn text_of_difference(&self, found: &Counterexample, out: &mut String) {
        let arguments = found.arguments.iter();
        let arguments: Vec<String> = arguments
            .map(|one| format!("{} = {}", one.name, one.value))
            .collect();
        let with = match arguments.is_empty() {
            true => String::new(),
            false => format!(", {}", arguments.join(", ")),
        };
        let _ = writeln!(
            out,
            "  {}[{}] is {} on the left and {} on the right; it was {}",
            safe(&found.array),
            found.element,
            found.left.value,
            found.right.value,
            found.before
        );
        for (name, history) in [("left", &found.left), ("right", &found.right)] {
            for launch in &history.launches {
                let _ = writeln!(out, "  {name}: {}{}", safe(&launched(launch)), safe(&with));
            }
            match (history.block, history.thread) {
                (Some(block), Some(thread)) => {
                    let _ = writeln!(
                        out,
                        "  {name}: written last by thread {} of block {}",
                        triple(thread),
                        triple(block)
                    );
                }
                _ => {
                    let _ = writeln!(out, "  {name}: not written");
                }
            }
            if let Some(place) = &history.place {
                let _ = writeln!(out, "    {}:{}", safe(&place.file), place.line);
                let _ = writeln!(out, "      {}", safe(place.text.trim()));
            }
            if let Some(last) = history.stored.last() {
                let _ = writeln!(out, "    as {}", safe(&last.formula));
            }
        }
    }

    /// As JSON.
    ///
    /// # Errors
    /// Never, but for memory.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// As a page: both sides beside each other, with their source and what they do to the element.
    #[must_use]
    pub fn html(&self, sources: [&str; 2]) -> String {
        let mut out = String::new();
        let title = match self.verdict {
            Verdict::Equal => "equal",
            Verdict::Different => "different",
            Verdict::Unknown => "unknown",
        };
        out.push_str("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>warplog equal</title>\n<style>body{font:15px/1.4 sans-serif;margin:1.5em}main{display:grid;grid-template-columns:1fr 1fr;gap:1.5em}pre{background:#f6f6f4;padding:.6em;overflow:auto}mark{background:#fd6}</style></head><body>\n");
        let _ = writeln!(
            out,
            "<h1>{title}</h1>\n<pre>{}</pre>\n<main>",
            escaped(&self.text())
        );
        let histories = self
            .counterexample
            .as_ref()
            .map(|found| [&found.left, &found.right]);
        for (at, side) in [&self.left, &self.right].into_iter().enumerate() {
            let name = format!("{}:{}", side.file, side.kernels.join(","));
            let _ = writeln!(out, "<section><h2>{}</h2>", escaped(&name));
            let mut line_of = 0;
            if let Some(history) = histories.map(|histories| histories[at]) {
                let who = match (history.block, history.thread) {
                    (Some(block), Some(thread)) => format!(
                        "thread {} of block {} wrote {}",
                        triple(thread),
                        triple(block),
                        history.value
                    ),
                    _ => format!("nobody wrote it: {}", history.value),
                };
                let _ = writeln!(out, "<p>{}</p>", escaped(&who));
                line_of = history.place.as_ref().map_or(0, |place| place.line);
                out.push_str(&stored(history));
            }
            out.push_str("<pre>");
            for (line, number) in sources[at].lines().zip(1u32..) {
                let text = escaped(line);
                let _ = match number == line_of {
                    true => writeln!(out, "<mark>{number:4} {text}</mark>"),
                    false => writeln!(out, "{number:4} {text}"),
                };
            }
            out.push_str("</pre></section>\n");
        }
        out.push_str("</main></body></html>\n");
        out
    }
}

/// The history of an element: who stored what, in order.
fn stored(history: &History) -> String {
    let mut out = String::from("<ol>\n");
    for step in &history.stored {
        let line = step.place.as_ref().map_or(0, |place| place.line);
        let who = format!(
            "{}, thread {} of block {}, line {line}: {}",
            step.kernel,
            triple(step.thread),
            triple(step.block),
            step.formula
        );
        let _ = writeln!(out, "<li>{}</li>", escaped(&who));
    }
    out.push_str("</ol>\n");
    out
}

pub(crate) fn launched(launch: &Launch) -> String {
    format!(
        "{}<<<{}, {}>>>",
        launch.kernel,
        triple(launch.grid),
        triple(launch.block)
    )
}

pub(crate) fn triple([x, y, z]: [i128; 3]) -> String {
    format!("({x},{y},{z})")
}

fn escaped(text: &str) -> String {
    let text = safe(text).to_string();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
