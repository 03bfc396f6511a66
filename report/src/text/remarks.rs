//! What stands behind the verdicts: notes of kernels, what was not read or not understood, times, the summary.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::lines::standing;
use super::options::TextOptions;
use crate::finding::{Finding, InputError, Kernel, Report};
use crate::judgement::{Certainty, Verdict};
use crate::printable::{counted, safe};
use crate::words::note_words;
use crate::{brief, reasons};

/// Lines of a kind that are listed; the rest is counted.
const LISTED: usize = 6;

/// Notes of kernels, equal ones once.
pub(super) fn notes_of_kernels(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    if options.is_verbose() {
        // They stand with their kernels.
        return out;
    }
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for note in report.kernels.iter().flat_map(|kernel| &kernel.notes) {
        let text = reasons::without_lines_and_names(&note.text);
        let words = brief::sentence(&note_words(note));
        let entry = by_text.entry(text).or_default();
        if !entry.contains(&words) {
            entry.push(words);
        }
    }
    let lines: Vec<String> = by_text
        .into_values()
        .map(|all| with_count("note: ", &all))
        .collect();
    list(&mut out, lines, "notes", options);
    out
}

/// Constructs that were not understood, remarks on the input, and what could not be read.
pub(super) fn not_read(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    list(
        &mut out,
        unsupported(report, options),
        "kinds of constructs",
        options,
    );
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for note in &report.notes {
        let text = match options.is_verbose() {
            true => note_words(note),
            false => without_place(&note.text).to_owned(),
        };
        let entry = by_text.entry(text).or_default();
        entry.push(brief::sentence(&note_words(note)));
    }
    // In the order of the report.
    let mut groups: Vec<Vec<String>> = by_text.into_values().collect();
    let order = |words: &String| {
        let mut notes = report.notes.iter();
        notes.position(|note| brief::sentence(&note_words(note)) == *words)
    };
    groups.sort_by_key(|words| words.first().and_then(order));
    let lines = groups
        .iter()
        .map(|words| with_count("note: ", words))
        .collect();
    list(&mut out, lines, "notes", options);
    out.push_str(&errors(report, options));
    out
}

/// What could not be read or analysed, each: nothing of it is in the report.
pub(super) fn errors(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    for error in &report.errors {
        let line = format!("error: {}{}", place(error), safe(&error.message));
        standing(&mut out, 0, Some(Verdict::Error), &line, options);
    }
    out
}

fn place(error: &InputError) -> String {
    match (error.file.as_str(), error.line) {
        ("", _) => String::new(),
        (file, None) => format!("{}: ", safe(file)),
        (file, Some(line)) => format!("{}:{line}: ", safe(file)),
    }
}

/// Lines up to a number, and how many there are more.
fn list(out: &mut String, lines: Vec<String>, what: &str, options: TextOptions) {
    let listed = match options.is_verbose() {
        true => lines.len(),
        false => LISTED,
    };
    for line in lines.iter().take(listed) {
        standing(out, 0, None, line, options);
    }
    if lines.len() > listed {
        let line = format!("and {} more {what} (`-v` lists them)", lines.len() - listed);
        standing(out, 0, None, &line, options);
    }
}

/// The first of some sentences of one meaning, and how many there are more.
fn with_count(before: &str, all: &[String]) -> String {
    let first = all.first().map_or("", String::as_str);
    match all.len() {
        0 | 1 => format!("{before}{first}"),
        more => format!("{before}{first} (and {} like it)", more - 1),
    }
}

/// `k.cu:3: F is not defined` without the place that remarks on the input begin with.
fn without_place(text: &str) -> &str {
    let Some((place, rest)) = text.split_once(": ") else {
        return text;
    };
    let line = place.rsplit_once(':').map(|(_, line)| line);
    let is_place =
        line.is_some_and(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()));
    if is_place { rest } else { text }
}

/// Constructs that were not understood: by kind, most of them first, or each with its lines.
fn unsupported(report: &Report, options: TextOptions) -> Vec<String> {
    if options.is_verbose() {
        return every_unsupported(report);
    }
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in &report.unsupported {
        let why = format!("{}: {}", entry.what, entry.why);
        let words = format!(
            "{}:{}: {}",
            safe(&entry.file),
            entry.line,
            brief::sentence(&why)
        );
        kinds
            .entry(reasons::without_lines_and_names(&why))
            .or_default()
            .push(words);
    }
    let mut kinds: Vec<Vec<String>> = kinds.into_values().collect();
    kinds.sort_by_key(|words| std::cmp::Reverse(words.len()));
    kinds
        .iter()
        .map(|words| with_count("unsupported: ", words))
        .collect()
}

/// Equal constructs of a file share a line.
fn every_unsupported(report: &Report) -> Vec<String> {
    let mut groups: BTreeMap<(&str, &str, &str), Vec<u32>> = BTreeMap::new();
    for entry in &report.unsupported {
        let key = (entry.file.as_str(), entry.what.as_str(), entry.why.as_str());
        groups.entry(key).or_default().push(entry.line);
    }
    let mut ordered: Vec<_> = groups.into_iter().collect();
    for (_, lines) in &mut ordered {
        lines.sort_unstable();
        lines.dedup();
    }
    ordered.sort_by(
        |((file_a, what_a, why_a), a), ((file_b, what_b, why_b), b)| {
            (file_a, a.first(), what_a, why_a).cmp(&(file_b, b.first(), what_b, why_b))
        },
    );
    let line = |((file, what, why), lines): ((&str, &str, &str), Vec<u32>)| {
        let (first, rest) = lines.split_first().unwrap_or((&1, &[]));
        let also = match rest {
            [] => String::new(),
            rest => {
                let all: Vec<String> = rest.iter().map(u32::to_string).collect();
                format!(" (also on line {})", all.join(", "))
            }
        };
        let (file, what, why) = (safe(file), safe(what), safe(why));
        format!("unsupported: {file}:{first}: {what}: {why}{also}")
    };
    ordered.into_iter().map(line).collect()
}

/// Milliseconds by file and phase.
pub(super) fn times(report: &Report) -> String {
    let mut out = String::new();
    for times in &report.timings {
        let phases: Vec<String> = times
            .phases
            .iter()
            .map(|(phase, micros)| {
                format!("{} {}.{:03} ms", safe(phase), micros / 1000, micros % 1000)
            })
            .collect();
        let _ = writeln!(out, "time  {}  {}", safe(&times.file), phases.join(", "));
    }
    out
}

/// How many kernels have which verdict, and how many findings of which certainty.
pub(super) fn summary(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    standing(&mut out, 0, None, &summary_line(report), options);
    out
}

fn summary_line(report: &Report) -> String {
    let mut out = String::new();
    let kernels = counted(report.kernels.len(), "kernel", "kernels");
    let _ = match report.incomplete {
        // Kernels of files that were not analysed to the end are among them.
        Some(_) => write!(out, "{kernels} so far"),
        None => write!(
            out,
            "{kernels} in {}",
            counted(report.files, "file", "files")
        ),
    };
    let verdicts: Vec<Verdict> = report.kernels.iter().map(Kernel::verdict).collect();
    let mut parts = Vec::new();
    for verdict in [
        Verdict::Racy,
        Verdict::BarrierDivergence,
        Verdict::AssertionFailed,
        Verdict::Error,
        Verdict::Unknown,
        Verdict::RaceFree,
    ] {
        let count = verdicts.iter().filter(|other| **other == verdict).count();
        if count > 0 {
            parts.push(format!("{count} {}", verdict.as_str()));
        }
    }
    if !parts.is_empty() {
        let _ = write!(out, ": {}", parts.join(", "));
    }
    let findings = || report.kernels.iter().flat_map(|kernel| &kernel.findings);
    let of = |certainty: Certainty| {
        let of = findings().filter(|finding| finding.certainty == certainty);
        format!("{} {}", of.count(), certainty.as_str())
    };
    let total = findings().count();
    let _ = write!(out, "; {}", counted(total, "finding", "findings"));
    if total > 0 {
        let _ = write!(
            out,
            " ({}, {}, {})",
            of(Certainty::Confirmed),
            of(Certainty::Conditional),
            of(Certainty::Potential)
        );
    }
    let is_suppressed = |finding: &&Finding| finding.suppressed.is_some();
    let suppressed = findings().filter(is_suppressed).count();
    if suppressed > 0 {
        let _ = write!(out, ", {suppressed} of them suppressed");
    }
    for (count, one, many) in [
        (
            report.unsupported.len(),
            "unsupported construct",
            "unsupported constructs",
        ),
        (report.errors.len(), "error", "errors"),
    ] {
        if count > 0 {
            let _ = write!(out, "; {}", counted(count, one, many));
        }
    }
    if let Some(incomplete) = report.incomplete {
        let _ = write!(
            out,
            "; incomplete: {} of {}",
            incomplete.done,
            counted(incomplete.files, "file", "files")
        );
    }
    out
}
