//! `warplog gate`: whether generated code may pass.
//!
//! The answer is `pass` only where every kernel is shown to be free of races and of barrier divergence, and nothing of the text was
//! left unread. It fails closed: what is not understood, what ran out of time and a text without a kernel are no pass. The reasons are
//! sentences for who wrote the code, a language model included: what is wrong, where, and what would mend it.
//!
//! **Trust.** The text is not trusted: its comments and annotations count for nothing (as with `--no-annotations`), neither does a
//! configuration beside it, and no result is kept or taken from an earlier run. That a thread traps is no pass: a text could end all
//! executions that matter so. Two things that it can say are believed, as every
//! compiler does: how its own host code launches a kernel, and what it leaves out by conditionals, which is told and no pass.
//!
//! | answer | exit status | when |
//! |---|---|---|
//! | pass | 0 | every kernel is race-free |
//! | fail | 1 | a confirmed or a conditional finding; no kernel; the text cannot be read or analysed |
//! | warn | 4 | anything else: a potential finding, a race by design, an unknown kernel, a text that is only partly known |

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use warplog_extractor::embedded;
use warplog_report::words::headline;
use warplog_report::{Certainty, Finding, Harm, Kernel, Outcome, Report, Role, Verdict};

use crate::args::{GateArgs, GateFormat};
use crate::choices::Choice;
use crate::driver::{self, RunOptions};
use crate::extraction::NO_TRAP;
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::{Streams, WRONG_USE, complain};

/// Exit status where nothing is wrong for certain, and nothing is shown.
const WARNED: u8 = 4;

/// Headers that define no kernel and are in no repository of CUDA: what is used of them is known.
const KNOWN_HEADERS: &[&str] = &["torch/", "ATen/", "c10/", "pybind11/"];

/// What may be done with the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It is race-free.
    Pass,
    /// Nothing is shown.
    Warn,
    /// It is wrong, or it is no code.
    Fail,
}

/// Why it is not a pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Reason {
    /// What follows from it.
    pub answer: Answer,
    /// The kernel, if it is about one.
    pub kernel: Option<String>,
    /// The line, from 1, if there is one.
    pub line: Option<u32>,
    /// A sentence.
    pub text: String,
}

/// The answer about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judgement {
    schema: &'static str,
    /// The worst that follows from the reasons.
    pub answer: Answer,
    /// Why it is not a pass, the worst first.
    pub reasons: Vec<Reason>,
    /// What was found out about each kernel.
    pub kernels: BTreeMap<String, &'static str>,
}

/// Runs the command.
pub(crate) fn command<P: Pipeline>(
    pipeline: &P,
    args: &GateArgs,
    mut options: AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    options.no_annotations = true;
    options.cache = None;
    if matches!(options.config, Choice::Nearest) {
        options.config = Choice::None;
    }
    options.bounds = args.bounds();
    let report = driver::check(pipeline, &args.paths, &options, run);
    let judgement = judge(&report);
    let text = match args.format {
        GateFormat::Text => text_of(&judgement),
        GateFormat::Json => match serde_json::to_string_pretty(&judgement) {
            Ok(text) => text + "\n",
            Err(error) => {
                complain(streams, &error.to_string());
                return WRONG_USE;
            }
        },
    };
    if streams.out.write_all(text.as_bytes()).is_err() {
        return crate::FAILED;
    }
    match judgement.answer {
        Answer::Pass => 0,
        Answer::Warn => WARNED,
        Answer::Fail => 1,
    }
}

/// What may be done with code of which this is the report.
#[must_use]
pub fn judge(report: &Report) -> Judgement {
    let mut reasons = Vec::new();
    let mut kernels = BTreeMap::new();
    for error in &report.errors {
        reasons.push(Reason {
            answer: Answer::Fail,
            kernel: None,
            line: error.line,
            text: format!("the code could not be analysed: {}", error.message),
        });
    }
    if report.incomplete.is_some() {
        reasons.push(about_text(
            Answer::Fail,
            "the analysis was interrupted".to_owned(),
        ));
    }
    if report.kernels.is_empty() {
        let text = "no `__global__` function with a body was found".to_owned();
        reasons.push(about_text(Answer::Fail, text));
    }
    for kernel in &report.kernels {
        let verdict = kernel.verdict();
        kernels.insert(kernel.name.clone(), verdict.as_str());
        reasons.extend(of_kernel(kernel, verdict));
    }
    let missing = report.inventory.missing.keys();
    for (name, _) in missing.filter(|(name, system)| !system && !is_known(name)) {
        let text = format!("the header `{name}` was not found: what it declares is not known");
        reasons.push(about_text(Answer::Warn, text));
    }
    for (_, line, name) in &report.inventory.inactive {
        reasons.push(Reason {
            answer: Answer::Warn,
            kernel: Some(name.clone()),
            line: Some(*line),
            text: format!("conditionals leave the kernel `{name}` out: it was not checked"),
        });
    }
    for note in report
        .notes
        .iter()
        .filter(|note| note.text.starts_with("nothing defines"))
    {
        reasons.push(Reason {
            answer: Answer::Warn,
            kernel: None,
            line: note.place.as_ref().map(|place| place.line),
            text: format!("{}: define it in the code", names_only(&note.text)),
        });
    }
    reasons.sort_by(|a, b| b.answer.cmp(&a.answer).then_with(|| a.cmp(b)));
    reasons.dedup();
    Judgement {
        schema: "warplog-gate/1",
        answer: reasons
            .iter()
            .map(|reason| reason.answer)
            .max()
            .unwrap_or(Answer::Pass),
        reasons,
        kernels,
    }
}

/// A note on a name that nothing defines, without what the command line could do.
fn names_only(text: &str) -> &str {
    text.split(';').next().unwrap_or(text)
}

fn is_known(header: &str) -> bool {
    KNOWN_HEADERS.iter().any(|known| header.starts_with(known))
}

fn about_text(answer: Answer, text: String) -> Reason {
    Reason {
        answer,
        kernel: None,
        line: None,
        text,
    }
}

/// What keeps a kernel from passing.
fn of_kernel(kernel: &Kernel, verdict: Verdict) -> Vec<Reason> {
    let reason = |answer: Answer, line: Option<u32>, text: String| Reason {
        answer,
        kernel: Some(kernel.name.clone()),
        line,
        text,
    };
    let mut reasons = Vec::new();
    for finding in &kernel.findings {
        let answer = match (finding.harm, finding.certainty) {
            (Harm::Possible, Certainty::Confirmed | Certainty::Conditional) => Answer::Fail,
            _ => Answer::Warn,
        };
        let line = finding
            .locations
            .first()
            .map(|location| location.place.line);
        reasons.push(reason(answer, line, of_finding(kernel, finding)));
    }
    for launch in &kernel.launches {
        let (answer, what) = match &launch.outcome {
            Outcome::Complete => continue,
            Outcome::Undecided(_) => (Answer::Warn, "could not be shown to be race-free"),
            Outcome::Contradictory(_) => (Answer::Fail, "has a launch that contradicts itself"),
        };
        let why = launch.outcome.reasons();
        let line = why
            .iter()
            .find_map(|why| why.place.as_ref())
            .map(|place| place.line);
        let why: Vec<&str> = why.iter().map(|why| why.text.as_str()).collect();
        let text = format!("`{}` {what}: {}", kernel.name, why.join("; "));
        reasons.push(reason(answer, line.or(Some(kernel.line)), text));
    }
    // A verdict that none of this explains is no pass all the same.
    if verdict != Verdict::RaceFree && reasons.is_empty() {
        let text = format!("`{}` could not be shown to be race-free", kernel.name);
        reasons.push(reason(Answer::Warn, Some(kernel.line), text));
    }
    let partly = |text: &&str| {
        embedded::UNKNOWN_TEXTS
            .iter()
            .any(|words| text.ends_with(words))
            || text.contains("which nothing defines")
            || *text == NO_TRAP
            // It was checked for one block, or for blocks of one thread, as nothing tells of more.
            || (text.contains("Dim.x = 1") && text.ends_with("(never mentioned)"))
    };
    for assumption in kernel.assumptions().into_iter().filter(partly) {
        let text = format!(
            "`{}` is race-free only if this is true: {assumption}",
            kernel.name
        );
        reasons.push(reason(Answer::Warn, Some(kernel.line), text));
    }
    reasons
}

/// A finding in a few sentences.
fn of_finding(kernel: &Kernel, finding: &Finding) -> String {
    let mut text = headline(kernel, finding);
    let line = |role: Role| {
        let location = finding
            .locations
            .iter()
            .find(|location| location.role == role);
        location.map(|location| location.place.line)
    };
    if let (Some(first), Some(second)) = (line(Role::First), line(Role::Second)) {
        let _ = match first == second {
            true => write!(text, ", both in line {first}"),
            false => write!(text, ", in lines {first} and {second}"),
        };
    }
    if let Some(witness) = &finding.witness {
        let threads: Vec<String> = witness
            .threads
            .iter()
            .map(|thread| format!("{:?} of block {:?}", thread.thread, thread.block))
            .collect();
        let _ = write!(
            text,
            "; for example with blockDim {:?} and gridDim {:?}, thread {}",
            witness.block_dim,
            witness.grid_dim,
            threads.join(" and thread ")
        );
    }
    if let Some(question) = finding.question() {
        let _ = write!(text, "; {question}");
    }
    if let Some(hint) = &finding.hint {
        let _ = write!(text, "; {hint}");
    }
    text
}

/// For people, and for a model that reads plain text.
fn text_of(judgement: &Judgement) -> String {
    let answer = match judgement.answer {
        Answer::Pass => "pass",
        Answer::Warn => "warn",
        Answer::Fail => "fail",
    };
    let mut text = format!("{answer}\n");
    for reason in &judgement.reasons {
        let line = reason
            .line
            .map_or(String::new(), |line| format!("line {line}: "));
        let visible = |c: char| if c.is_control() { ' ' } else { c };
        let words: String = reason.text.chars().map(visible).collect();
        let _ = writeln!(text, "- {line}{words}");
    }
    text
}
