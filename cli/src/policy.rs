//! Which findings count: severities and suppressions of the configuration, comments in the source, the baseline.
//!
//! A later pass over a complete report that records and does not delete: a suppressed finding stays in every format, marked, and
//! no verdict changes. What suppresses nothing is told, unless only a part of the findings was looked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warplog_report::cost::Cost;
use warplog_report::suppression::Allow;
use warplog_report::{Finding, Kernel, Note, Report, SuppressedBy, Suppression};

use crate::choices::Scopes;
use crate::config::{Config, Level};
use crate::naming::names;
use crate::options::AnalysisOptions;

/// What suppressed something: comments by number, entries of configurations by file and line.
#[derive(Default)]
struct Used {
    comments: BTreeSet<usize>,
    entries: BTreeSet<(String, u32)>,
}

/// What the run was about.
pub(crate) struct Seen<'i> {
    /// The files and folders that were named.
    pub inputs: &'i [PathBuf],
    /// The files that were analysed.
    pub files: Vec<PathBuf>,
}

/// Applies comments and configurations to a complete report.
pub(crate) fn apply(report: &mut Report, seen: &Seen<'_>, options: &AnalysisOptions) {
    let configs = &options.scan.configs;
    let allows = std::mem::take(&mut report.allows);
    let mut used = Used::default();
    for kernel in &mut report.kernels {
        let mut findings = std::mem::take(&mut kernel.findings);
        let config = configs.of(Path::new(&kernel.file)).ok().flatten();
        for finding in &mut findings {
            let by_comment = comment(&allows, kernel, finding, &mut used);
            let by_config = config
                .as_ref()
                .and_then(|config| entry(config, kernel, finding, &mut used));
            finding.suppressed = by_comment.or(by_config);
        }
        if let Some(config) = &config {
            severities(config, kernel, &mut findings);
        }
        kernel.findings = findings;
        if let Some(mut costs) = kernel.costs.take() {
            for cost in &mut costs.found {
                cost.suppressed = of_cost(&allows, config.as_deref(), kernel, cost, &mut used);
            }
            kernel.costs = Some(costs);
        }
    }
    let everything =
        options.kernels.is_empty() && options.scopes == Scopes::All && report.incomplete.is_none();
    for (nth, allow) in allows.iter().enumerate() {
        // What is wrong with the comment is told already.
        let is_wrong = report
            .errors
            .iter()
            .any(|error| error.file == allow.file && error.line == Some(allow.line));
        let asked = allow.kind.is_some() || options.costs.is_some();
        if everything && asked && !is_wrong && !used.comments.contains(&nth) {
            report.notes.push(Note {
                place: None,
                text: format!(
                    "{}:{}: this `allow {}` suppresses nothing",
                    allow.file, allow.line, allow.rule
                ),
            });
        }
    }
    for config in configs.all() {
        for allow in &config.allows {
            let place = (config.shown.clone(), allow.line);
            let asked = allow.kind.is_some() || options.costs.is_some();
            if everything && asked && !used.entries.contains(&place) {
                report.notes.push(Note {
                    place: None,
                    text: format!(
                        "{}:{}: this [[allow]] of {} suppresses nothing",
                        config.shown, allow.line, allow.rule
                    ),
                });
            }
        }
    }
    if options.kernels.is_empty() && report.incomplete.is_none() && report.errors.is_empty() {
        without_effect(report, seen, options);
    }
}

/// Notes on what the configuration and the command line say of files and kernels that there are not.
fn without_effect(report: &mut Report, seen: &Seen<'_>, options: &AnalysisOptions) {
    let mut texts = Vec::new();
    let covered = |config: &Arc<Config>| config.is_covered(seen.inputs);
    for config in options.scan.configs.all().into_iter().filter(covered) {
        for (line, text) in config.without_effect(&seen.files, &report.kernels) {
            texts.push(format!("{}:{line}: {text}", config.shown));
        }
        for text in unused(config.assumptions(), &report.kernels) {
            texts.push(format!(
                "{}: the assumption `{text}` is about no kernel",
                config.shown
            ));
        }
    }
    for text in unused(options.assume.iter().map(String::as_str), &report.kernels) {
        texts.push(format!("the assumption `{text}` is about no kernel"));
    }
    let notes = texts.into_iter().map(|text| Note { place: None, text });
    report.notes.extend(notes);
}

/// Assumptions that no kernel rests on. One about sizes alone may be settled by the launches.
fn unused<'a>(assumptions: impl Iterator<Item = &'a str>, kernels: &[Kernel]) -> Vec<&'a str> {
    let plain = |text: &str| -> String { text.chars().filter(|c| !c.is_whitespace()).collect() };
    let rests =
        |kernel: &Kernel, text: &str| kernel.assumptions().iter().any(|one| plain(one) == text);
    assumptions
        .filter(|text| {
            let text = plain(text);
            !text.contains("Dim") && !kernels.iter().any(|kernel| rests(kernel, &text))
        })
        .collect()
}

fn comment(
    allows: &[Allow],
    kernel: &Kernel,
    finding: &Finding,
    used: &mut Used,
) -> Option<Suppression> {
    let mut first = None;
    for (nth, allow) in allows.iter().enumerate() {
        if let Some(reason) = allow.suppresses(kernel, finding) {
            used.comments.insert(nth);
            first.get_or_insert_with(|| Suppression {
                by: SuppressedBy::Comment,
                reason: reason.to_owned(),
            });
        }
    }
    first
}

fn entry(
    config: &Config,
    kernel: &Kernel,
    finding: &Finding,
    used: &mut Used,
) -> Option<Suppression> {
    let mut first = None;
    for allow in &config.allows {
        let in_kernel = allow
            .kernel
            .as_ref()
            .is_none_or(|name| names(name, &kernel.name));
        let of_array = allow.array.is_none() || allow.array.as_deref() == finding.array();
        let on_memory =
            allow.shared_memory.is_none() || allow.shared_memory == finding.shared_memory();
        if allow.kind == Some(finding.kind())
            && on_memory
            && in_kernel
            && of_array
            && allow.is_about(config, Path::new(&kernel.file))
        {
            used.entries.insert((config.shown.clone(), allow.line));
            first.get_or_insert_with(|| Suppression {
                by: SuppressedBy::Configuration,
                reason: allow.because.clone(),
            });
        }
    }
    first
}

/// Who suppresses a cost, and why.
fn of_cost(
    allows: &[Allow],
    config: Option<&Config>,
    kernel: &Kernel,
    cost: &Cost,
    used: &mut Used,
) -> Option<Suppression> {
    let mut first = None;
    for (nth, allow) in allows.iter().enumerate() {
        if let Some(reason) = allow.silences(kernel, cost) {
            used.comments.insert(nth);
            first.get_or_insert_with(|| Suppression {
                by: SuppressedBy::Comment,
                reason: reason.to_owned(),
            });
        }
    }
    let Some(config) = config else {
        return first;
    };
    for allow in &config.allows {
        let in_kernel = allow
            .kernel
            .as_ref()
            .is_none_or(|name| names(name, &kernel.name));
        let of_array = allow.array.is_none() || allow.array.as_deref() == cost.measure.array();
        if allow.kind.is_none()
            && allow.rule == cost.rule
            && in_kernel
            && of_array
            && allow.is_about(config, Path::new(&kernel.file))
        {
            used.entries.insert((config.shown.clone(), allow.line));
            first.get_or_insert_with(|| Suppression {
                by: SuppressedBy::Configuration,
                reason: allow.because.clone(),
            });
        }
    }
    first
}

fn severities(config: &Config, kernel: &Kernel, findings: &mut [Finding]) {
    let settings = config.settings(Path::new(&kernel.file));
    for finding in findings {
        let kind = finding.kind();
        match settings.severity.get(&kind) {
            Some(Level::At(severity)) => finding.severity = Some(*severity),
            Some(Level::Off) => {
                finding.suppressed.get_or_insert_with(|| Suppression {
                    by: SuppressedBy::Configuration,
                    reason: format!("{} is off in {}", kind.rule_id(), config.shown),
                });
            }
            None => {}
        }
    }
}
