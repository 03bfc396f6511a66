//! `warplog ensures`: whether post-conditions hold behind a launch, or behind a sequence of launches.
//!
//! The launches are checked first: a kernel with a race leaves nothing to speak of, and the race is the answer.

pub mod ask;

use std::path::Path;

use warplog_equivalence::post::text::Condition;
use warplog_equivalence::post::{self, Answer, Verdict};
use warplog_equivalence::sides::Side;
use warplog_facts::{Facts, LaunchId};
use warplog_report::Report;
use warplog_report::ensures::{self as told, Ensured, Outcome};

use crate::args::{EnsuresArgs, EnsuresFormat, Floats};
use crate::driver::{self, RunOptions};
use crate::equal::ask::side_of;
use crate::header::parse_header;
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Pipeline};
use crate::unit::{Unit, UnitOptions};
use crate::{FAILED, Streams, WRONG_USE, complain, equal, remark};
use ask::Ask;

/// What the text that stands for a post-condition is called.
const FILE: &str = "post-condition.cu";

/// Runs the command.
pub(crate) fn command<P: Pipeline>(
    pipeline: &P,
    args: &EnsuresArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let side = args.kernel.clone();
    let mut options = options.clone();
    options.kernels.clone_from(&side.kernels);
    options.open_arguments = true;
    let paths = std::slice::from_ref(&side.path);
    let (facts, report) = match driver::extracted_of(pipeline, paths, &options, run) {
        Ok((_, report)) if !report.errors.is_empty() => {
            remark(&report, streams);
            return FAILED;
        }
        Ok(found) => found,
        Err(errors) => {
            for error in errors {
                complain(streams, &format!("{}: {}", error.file, error.message));
            }
            return FAILED;
        }
    };
    match answer(pipeline, args, &facts, &report, (&options, run)) {
        Ok(ensured) => {
            let text = match args.format {
                EnsuresFormat::Text => ensured.text(),
                EnsuresFormat::Json => ensured.json().unwrap_or_default(),
            };
            match streams.out.write_all(text.as_bytes()) {
                Ok(()) => ensured.exit_status(),
                Err(_) => FAILED,
            }
        }
        Err((status, message)) => {
            complain(streams, &message);
            status
        }
    }
}

fn answer<P: Pipeline>(
    pipeline: &P,
    args: &EnsuresArgs,
    facts: &[P::Facts],
    report: &Report,
    (options, run): (&AnalysisOptions, RunOptions),
) -> Result<Ensured, (u8, String)> {
    let side = &args.kernel;
    let doubts = equal::doubts(std::slice::from_ref(side), std::slice::from_ref(report))
        .map_err(|message| (WRONG_USE, message))?;
    let certain = doubts.iter().any(|doubt| doubt.is_race);
    let is_refused = certain || (!args.assume_race_free && !doubts.is_empty());
    let ask = Ask {
        side: side.clone(),
        texts: args.that.clone(),
        reassociates: args.float == Floats::Reassociated,
        is_refused,
    };
    let mut post_conditions = driver::ensured(pipeline, facts, &ask, options, run)?;
    if post_conditions.is_empty() {
        let message = format!(
            "{} has no post-condition: give one with --that, or write `// warplog: ensures …` at the kernel",
            side.kernels.join(",")
        );
        return Err((WRONG_USE, message));
    }
    for outcome in &mut post_conditions {
        let texts = doubts.iter().map(|doubt| doubt.text.clone());
        match is_refused {
            true => outcome.reasons = texts.collect(),
            false => {
                let texts = texts.map(|text| format!("there is no race: {text}"));
                outcome.assumptions.extend(texts);
            }
        }
    }
    Ok(Ensured {
        schema: "warplog-ensures/1",
        launches: side_of(side),
        floats: match ask.reassociates {
            true => "reassociated",
            false => "exact",
        },
        post_conditions,
    })
}

/// The answers to post-conditions over facts.
///
/// # Errors
/// What is wrong with a post-condition, for the user.
pub fn of_facts<P: Pipeline>(
    pipeline: &P,
    facts: &[&Facts],
    ask: &Ask,
    facts_of: &dyn Fn(P::Facts) -> Facts,
    options: &AnalysisOptions,
) -> Result<Vec<Outcome>, String> {
    let steps = equal::launches_of(facts, &ask.side)?;
    let sequences = equal::sequences(&steps)?;
    let mut texts: Vec<String> = Vec::new();
    for (facts, launch) in steps.iter().flatten() {
        let rows = facts.post_condition.iter();
        for row in rows.filter(|row| row.launch == *launch) {
            if !texts.contains(&row.text) {
                texts.push(row.text.clone());
            }
        }
    }
    texts.extend(ask.texts.iter().cloned());
    let mut outcomes = Vec::new();
    for text in texts {
        let mut worst: Option<Outcome> = None;
        for launches in &sequences {
            let side = Side {
                launches: launches.clone(),
            };
            let wrong = |error: String| format!("ensures {text}: {error}");
            let condition = post::text::read(&text, &post::parameters(&side)).map_err(wrong)?;
            let claims = facts_of(extracted(pipeline, &condition, options).map_err(wrong)?);
            let launch = claims.launch.first().map(|row| row.launch);
            let launch = launch.ok_or_else(|| wrong("it is not understood".to_owned()))?;
            let outcome = match ask.is_refused {
                true => unknown(&text),
                false => {
                    let found =
                        post::ensured(&side, (&claims, launch), &condition, ask.reassociates);
                    outcome(&text, &found.map_err(wrong)?, launches)
                }
            };
            let rank = |outcome: &Outcome| match outcome.verdict {
                told::Verdict::Holds => 0,
                told::Verdict::Unknown => 1,
                told::Verdict::Fails => 2,
            };
            if worst
                .as_ref()
                .is_none_or(|other| rank(&outcome) > rank(other))
            {
                worst = Some(outcome);
            }
        }
        outcomes.extend(worst);
    }
    Ok(outcomes)
}

/// The facts of the kernel of a post-condition.
fn extracted<P: Pipeline>(
    pipeline: &P,
    condition: &Condition,
    options: &AnalysisOptions,
) -> Result<P::Facts, String> {
    let mut options = options.clone();
    options.kernels.clear();
    options.open_arguments = false;
    options.assume.clear();
    options.macros.clear();
    (options.block_dim, options.grid_dim) = (None, None);
    let header = parse_header(&condition.kernel).map_err(|error| error.message)?;
    let own = UnitOptions::new(&options, &header, Path::new(FILE));
    let unit = Unit {
        path: Path::new(FILE),
        shown: FILE,
        bytes: condition.kernel.as_bytes(),
        options: &own,
    };
    let (facts, report) = pipeline.extract(&unit, &options, Depth::Facts);
    match report.errors.first() {
        Some(error) => Err(error.message.clone()),
        None => Ok(facts),
    }
}

fn unknown(text: &str) -> Outcome {
    Outcome {
        text: text.to_owned(),
        verdict: told::Verdict::Unknown,
        extent: None,
        counterexample: None,
        reasons: Vec::new(),
        assumptions: Vec::new(),
        holds_if: Vec::new(),
        runs: 0,
    }
}

fn outcome(text: &str, answer: &Answer, launches: &[(&Facts, LaunchId)]) -> Outcome {
    let mut outcome = unknown(text);
    outcome.runs = answer.runs;
    outcome.holds_if.clone_from(&answer.holds_if);
    match &answer.verdict {
        Verdict::Holds(extent) => {
            outcome.verdict = told::Verdict::Holds;
            outcome.extent = Some(equal::extent_of(extent));
            outcome.assumptions.clone_from(&answer.assumptions);
            for (facts, launch) in launches {
                for row in facts.assumption.iter().filter(|row| row.launch == *launch) {
                    if !outcome.assumptions.contains(&row.text) {
                        outcome.assumptions.push(row.text.clone());
                    }
                }
            }
        }
        Verdict::Fails(found) => {
            outcome.verdict = told::Verdict::Fails;
            outcome.counterexample = Some(counterexample(found, launches));
        }
        Verdict::Unknown(reasons) => outcome.reasons.clone_from(reasons),
    }
    outcome
}

fn counterexample(found: &post::Failure, launches: &[(&Facts, LaunchId)]) -> told::Counterexample {
    let named = |all: &[(String, i128)]| {
        let all = all.iter();
        all.map(|(name, value)| warplog_report::equal::Argument {
            name: name.clone(),
            value: *value,
        })
        .collect()
    };
    told::Counterexample {
        claim: found.claim.clone(),
        launches: equal::launched(&found.launches, launches),
        arguments: named(&found.scalars),
        indices: named(&found.indices),
        left: found.values.0.clone(),
        right: found.values.1.clone(),
        element: found.element.as_ref().map(|element| told::Element {
            array: element.array.clone(),
            element: element.element,
            block: element.by.map(|(block, ..)| block),
            thread: element.by.map(|(_, thread, ..)| thread),
            place: element.by.and_then(|(_, _, access, step)| {
                let (facts, _) = launches.get(step)?;
                equal::place(facts, access)
            }),
        }),
        seed: found.seed,
    }
}
