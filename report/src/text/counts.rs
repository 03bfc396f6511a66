//! What is counted instead of shown: potential findings by what they hang on, questions by what they settle, what is suppressed.

use std::collections::BTreeMap;

use super::lines::wrapped;
use super::options::TextOptions;
use crate::causes::Cause;
use crate::printable::{counted, safe};
use crate::questions::questions;
use crate::reasons::{self, Kind};
use crate::words::headline;

/// Lines of a list; the rest is counted.
const LISTED: usize = 6;

/// Potential findings, by the kind of reason that most of them have.
pub(super) fn potential(causes: &[Cause<'_>], options: TextOptions) -> String {
    if causes.is_empty() {
        return String::new();
    }
    let things: Vec<(usize, Vec<Kind>)> = causes
        .iter()
        .enumerate()
        .map(|(nth, cause)| {
            let reasons = cause.group.lead.reasons.iter();
            (nth, reasons.map(|reason| reasons::kind(reason)).collect())
        })
        .collect();
    let findings: usize = causes.iter().map(Cause::len).sum();
    let kernels = kernel_names(causes);
    let head = format!(
        "potential: {} in {} (`--show potential` shows them); whether they happen depends on",
        counted(findings, "finding", "findings"),
        listed(&kernels)
    );
    let mut out = wrapped(&head, 0, options);
    let ranked = reasons::ranked(&things);
    for (words, these) in ranked.iter().take(LISTED) {
        let count: usize = these.iter().map(|nth| causes[*nth].len()).sum();
        out.push_str(&wrapped(&format!("{count:>4}  {words}"), 0, options));
    }
    rest(&mut out, ranked.len(), "kinds of reasons", options);
    out
}

/// Lines of conditional causes; the rest is counted.
const CONDITIONAL: usize = 8;

/// Conditional causes, each in a line with what rules it out.
pub(super) fn conditional(causes: &[&Cause<'_>], options: TextOptions) -> String {
    if causes.is_empty() {
        return String::new();
    }
    let count = counted(causes.len(), "cause", "causes");
    let head = format!("conditional: {count} more (`--show conditional` shows them in full)");
    let mut out = wrapped(&head, 0, options);
    for cause in causes.iter().take(CONDITIONAL) {
        let lead = cause.group.lead;
        let place = lead.locations.first();
        let place = place
            .map(|at| format!("{}:{}: ", safe(&at.place.file), at.place.line))
            .unwrap_or_default();
        let headline = headline(cause.kernel, lead);
        let headline = headline.strip_prefix("conditional ").unwrap_or(&headline);
        let question = lead.question();
        let question = question.map(|question| format!("; {}", safe(&question)));
        let text = format!(
            "{place}{headline}{} [{}]",
            question.unwrap_or_default(),
            lead.id
        );
        out.push_str(&wrapped(&text, 4, options));
    }
    if causes.len() > CONDITIONAL {
        let more = format!("and {} more causes", causes.len() - CONDITIONAL);
        out.push_str(&wrapped(&more, 4, options));
    }
    out
}

/// What to ask, if there is something.
pub(super) fn asked(causes: &[Cause<'_>], options: TextOptions) -> String {
    let questions = questions(causes);
    if questions.is_empty() {
        return String::new();
    }
    let head = "questions: a yes rules out the findings that are counted (pass the flag, or put it into warplog.toml)";
    let mut out = wrapped(head, 0, options);
    for question in questions.iter().take(LISTED) {
        out.push_str(&wrapped(&question.words(), 4, options));
    }
    rest(&mut out, questions.len(), "questions", options);
    out
}

/// Races that are meant, each in a line: they are remarks, and never hidden.
pub(super) fn by_design(causes: &[Cause<'_>], options: TextOptions) -> String {
    let mut out = String::new();
    let listed = match options.is_verbose() {
        true => causes.len(),
        false => LISTED,
    };
    for cause in causes.iter().take(listed) {
        let lead = cause.group.lead;
        let place = lead.locations.first();
        let place = place
            .map(|at| format!("{}:{}: ", safe(&at.place.file), at.place.line))
            .unwrap_or_default();
        let why = lead
            .notes
            .iter()
            .map(|note| format!(": {}", crate::brief::sentence(note)));
        let text = format!(
            "by design: {place}{} [{}]{}",
            headline(cause.kernel, lead),
            lead.id,
            why.collect::<String>()
        );
        out.push_str(&wrapped(&text, 0, options));
    }
    if causes.len() > listed {
        let more = format!(
            "and {} more that are by design (`-v` lists them)",
            causes.len() - listed
        );
        out.push_str(&wrapped(&more, 4, options));
    }
    out
}

/// Findings that do not count: by reason, or each if they are asked for.
pub(super) fn suppressed(causes: &[Cause<'_>], options: TextOptions) -> String {
    let mut out = String::new();
    if options.shows.suppressed || options.is_verbose() {
        for cause in causes {
            let lead = cause.group.lead;
            let place = lead.locations.first();
            let place = place
                .map(|at| format!("{}:{}: ", safe(&at.place.file), at.place.line))
                .unwrap_or_default();
            let more = match cause.len() {
                1 => String::new(),
                more => format!(" and {}", counted(more - 1, "other", "others")),
            };
            let reason = safe(lead.suppressed_because().unwrap_or_default());
            let text = format!(
                "suppressed: {place}{}{more}: {reason}",
                headline(cause.kernel, lead)
            );
            out.push_str(&wrapped(&text, 0, options));
        }
        return out;
    }
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for cause in causes {
        let reason = cause.group.lead.suppressed_because().unwrap_or_default();
        *by_reason.entry(reason).or_default() += cause.len();
    }
    let mut by_reason: Vec<_> = by_reason.into_iter().collect();
    by_reason.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (reason, count) in by_reason.iter().take(LISTED) {
        let findings = counted(*count, "finding", "findings");
        out.push_str(&wrapped(
            &format!("suppressed: {findings}: {}", safe(reason)),
            0,
            options,
        ));
    }
    rest(&mut out, by_reason.len(), "reasons", options);
    out
}

/// How much of a list is not shown.
fn rest(out: &mut String, all: usize, what: &str, options: TextOptions) {
    if all > LISTED {
        out.push_str(&wrapped(
            &format!("and {} more {what}", all - LISTED),
            4,
            options,
        ));
    }
}

fn kernel_names<'a>(causes: &[Cause<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = causes
        .iter()
        .flat_map(Cause::kernels)
        .map(|kernel| kernel.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The name of the one kernel, or how many there are.
fn listed(names: &[&str]) -> String {
    match names {
        [one] => format!("`{}`", crate::brief::term(one)),
        all => counted(all.len(), "kernel", "kernels"),
    }
}
