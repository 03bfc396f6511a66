//! The section `coverage` of the contract; only with `--coverage`.

use serde::Serialize;

use crate::coverage::{self, VERDICTS};
use crate::finding;

#[derive(Serialize)]
pub(super) struct Coverage {
    files: usize,
    headers: usize,
    kernels: usize,
    definitions: usize,
    modelled: usize,
    decided: usize,
    verdicts: Verdicts,
    launches: usize,
    launched: usize,
    bound: usize,
    reasons: Vec<Reason>,
    missing_headers: MissingHeaders,
    guessed_headers: Vec<GuessedHeader>,
    undefined_names: Vec<Counted>,
    inactive_kernels: Vec<InactiveKernel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<Times>,
}

#[derive(Serialize)]
struct Verdicts {
    race_free: usize,
    racy: usize,
    barrier_divergence: usize,
    assertion_failed: usize,
    unknown: usize,
    error: usize,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    reason: String,
    kernels: usize,
    alone: usize,
    unknown: usize,
}

#[derive(Serialize)]
struct MissingHeaders {
    own: Vec<Counted>,
    system: Vec<Counted>,
}

#[derive(Serialize)]
struct Counted {
    name: String,
    files: usize,
}

#[derive(Serialize)]
struct GuessedHeader {
    file: String,
    ambiguous: bool,
}

#[derive(Serialize)]
struct InactiveKernel {
    file: String,
    line: u32,
    name: String,
}

#[derive(Serialize)]
struct Times {
    total: u64,
    median: u64,
    max: u64,
}

impl Coverage {
    pub(super) fn of(report: &finding::Report) -> Self {
        let figures = coverage::coverage(report);
        let verdict = |verdict: crate::judgement::Verdict| {
            VERDICTS
                .iter()
                .zip(figures.verdicts)
                .find(|(other, _)| **other == verdict)
                .map_or(0, |(_, count)| count)
        };
        Coverage {
            files: figures.files,
            headers: figures.headers,
            kernels: figures.kernels,
            definitions: figures.definitions,
            modelled: figures.modelled,
            decided: figures.decided,
            verdicts: Verdicts {
                race_free: verdict(crate::judgement::Verdict::RaceFree),
                racy: verdict(crate::judgement::Verdict::Racy),
                barrier_divergence: verdict(crate::judgement::Verdict::BarrierDivergence),
                assertion_failed: verdict(crate::judgement::Verdict::AssertionFailed),
                unknown: verdict(crate::judgement::Verdict::Unknown),
                error: verdict(crate::judgement::Verdict::Error),
            },
            launches: figures.launches,
            launched: figures.launched,
            bound: figures.bound,
            reasons: figures
                .reasons
                .into_iter()
                .map(|reason| Reason {
                    kind: reason.kind.as_str(),
                    reason: reason.text,
                    kernels: reason.kernels,
                    alone: reason.alone,
                    unknown: reason.unknown,
                })
                .collect(),
            missing_headers: MissingHeaders {
                own: counted(figures.missing_own),
                system: counted(figures.missing_system),
            },
            guessed_headers: figures
                .guessed
                .into_iter()
                .map(|(file, ambiguous)| GuessedHeader { file, ambiguous })
                .collect(),
            undefined_names: counted(figures.undefined),
            inactive_kernels: figures
                .inactive
                .into_iter()
                .map(|(file, line, name)| InactiveKernel { file, line, name })
                .collect(),
            microseconds: figures.times.map(|times| Times {
                total: times.total,
                median: times.median,
                max: times.max,
            }),
        }
    }
}

fn counted(rows: Vec<(String, usize)>) -> Vec<Counted> {
    rows.into_iter()
        .map(|(name, files)| Counted { name, files })
        .collect()
}
