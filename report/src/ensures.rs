//! Whether post-conditions hold behind launches, as plain data, and its renderers: text and JSON.
//!
//! JSON follows `schema/warplog-ensures-1.schema.json`.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::equal::{Argument, Launch, Place, Side, launched, triple};
use crate::printable::safe;

/// The schema of the JSON output.
pub const ENSURES_SCHEMA: &str = include_str!("../schema/warplog-ensures-1.schema.json");

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds behind every execution.
    Holds,
    /// It does not hold behind one.
    Fails,
    /// Neither is shown.
    Unknown,
}

/// The element on the left of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// The array.
    pub array: String,
    /// Its number.
    pub element: i128,
    /// `blockIdx` of the thread that wrote it last; none if nobody did.
    pub block: Option<[i128; 3]>,
    /// `threadIdx` of it.
    pub thread: Option<[i128; 3]>,
    /// Where.
    pub place: Option<Place>,
}

/// An execution behind which a claim does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// The claim.
    pub claim: String,
    /// The launches.
    pub launches: Vec<Launch>,
    /// Scalar arguments.
    pub arguments: Vec<Argument>,
    /// The indices.
    pub indices: Vec<Argument>,
    /// The left side of the claim.
    pub left: String,
    /// The right side; none for a condition.
    pub right: Option<String>,
    /// The element that stands alone on the left.
    pub element: Option<Element>,
    /// What the contents of arrays before follow from.
    pub seed: u64,
}

/// What is said of one post-condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// As it is written.
    pub text: String,
    /// What was found.
    pub verdict: Verdict,
    /// Of which launches `holds` speaks.
    pub extent: Option<String>,
    /// The execution that refutes it.
    pub counterexample: Option<Counterexample>,
    /// Why it is unknown.
    pub reasons: Vec<String>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
    /// Conditions under which it is shown to hold, where it does not in general.
    pub holds_if: Vec<String>,
    /// Executions behind which it held.
    pub runs: u32,
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ensured {
    /// The version of the format.
    pub schema: &'static str,
    /// The launches.
    pub launches: Side,
    /// How floats are compared.
    pub floats: &'static str,
    /// The post-conditions in their order.
    pub post_conditions: Vec<Outcome>,
}

impl Ensured {
    /// The exit status: 0 all hold, 1 one fails, 4 one is unknown.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        let is = |wanted: Verdict| self.post_conditions.iter().any(|one| one.verdict == wanted);
        match (is(Verdict::Fails), is(Verdict::Unknown)) {
            (true, _) => 1,
            (false, true) => 4,
            (false, false) => 0,
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

    /// As text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let name = format!("{}:{}", self.launches.file, self.launches.kernels.join(","));
        for one in &self.post_conditions {
            let word = match one.verdict {
                Verdict::Holds => "holds",
                Verdict::Fails => "fails",
                Verdict::Unknown => "unknown",
            };
            let _ = writeln!(out, "{word}  {}  {}", safe(&name), safe(&one.text));
            if let Some(extent) = &one.extent {
                let _ = writeln!(out, "  for {extent}");
            }
            if let Some(found) = &one.counterexample {
                text_of_failure(found, &mut out);
            }
            for reason in &one.reasons {
                let _ = writeln!(out, "  because: {}", safe(reason));
            }
            if !one.holds_if.is_empty() {
                let _ = writeln!(out, "  holds if: {}", safe(&one.holds_if.join(" and ")));
            }
            for text in &one.assumptions {
                let _ = writeln!(out, "  assumes: {}", safe(text));
            }
            if one.verdict == Verdict::Unknown && one.runs > 0 {
                let _ = writeln!(out, "  it held behind {} executions", one.runs);
            }
        }
        if self.floats == "reassociated" {
            let _ = writeln!(out, "  note: up to rounding");
        }
        out
    }
}

fn text_of_failure(found: &Counterexample, out: &mut String) {
    let named = |all: &[Argument]| -> String {
        let all = all
            .iter()
            .map(|one| format!("{} = {}", one.name, one.value));
        all.collect::<Vec<String>>().join(", ")
    };
    let at = match found.indices.is_empty() {
        true => String::new(),
        false => format!("at {}: ", named(&found.indices)),
    };
    let _ = match &found.right {
        Some(right) => writeln!(
            out,
            "  {at}{} is {} on the left and {} on the right",
            safe(&found.claim),
            found.left,
            right
        ),
        None => writeln!(out, "  {at}{} is false", safe(&found.claim)),
    };
    for launch in &found.launches {
        let with = match found.arguments.is_empty() {
            true => String::new(),
            false => format!(", {}", named(&found.arguments)),
        };
        let _ = writeln!(out, "  launch: {}{}", safe(&launched(launch)), safe(&with));
    }
    if let Some(element) = &found.element {
        let name = format!("{}[{}]", element.array, element.element);
        let _ = match (element.block, element.thread) {
            (Some(block), Some(thread)) => writeln!(
                out,
                "  {} was written last by thread {} of block {}",
                safe(&name),
                triple(thread),
                triple(block)
            ),
            _ => writeln!(out, "  {} was not written", safe(&name)),
        };
        if let Some(place) = &element.place {
            let _ = writeln!(out, "    {}:{}", safe(&place.file), place.line);
            let _ = writeln!(out, "      {}", safe(place.text.trim()));
        }
    }
}
