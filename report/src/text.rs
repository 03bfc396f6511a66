//! Text for people: a verdict line a kernel, findings in the manner of rustc, a summary.
//!
//! Rendered from the report alone, source lines included, and to the same bytes everywhere: the width is an option and not
//! asked of the terminal here. Whatever comes from the analysed files goes through [`safe`] first, so that no control
//! character of theirs reaches the terminal and no name fills the screen.

mod excerpt;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{Group, Level, Renderer};

use crate::finding::{Certainty, Finding, Kernel, Outcome, Report, Severity, Sources, Verdict};
use crate::words::{counted, finding_notes, headline, launch_words, note_words, safe_list};
use excerpt::excerpts;

pub use crate::words::safe;

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colour.
    pub color: bool,
    /// Columns of the terminal; source lines are trimmed to it.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            width: 140,
        }
    }
}

/// Renders a report.
#[must_use]
pub fn render(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    let mut open = false;
    for kernel in &report.kernels {
        // A block with findings stands apart from its neighbours.
        if !out.is_empty() && (open || !kernel.findings.is_empty()) {
            out.push('\n');
        }
        open = !kernel.findings.is_empty();
        kernel_lines(&mut out, kernel, options);
        for finding in &kernel.findings {
            out.push('\n');
            finding_block(&mut out, kernel, finding, &report.sources, options);
        }
    }
    let remarks = remarks(report, options);
    if !remarks.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&remarks);
    }
    if !report.timings.is_empty() {
        out.push('\n');
        timing_lines(&mut out, report);
    }
    if report.show_coverage {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&crate::coverage::text(&crate::coverage::coverage(report)));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    summary_line(&mut out, report);
    out
}

/// The verdict line of a kernel and what stands below it: its launches if there are several, why it is undecided, notes.
fn kernel_lines(out: &mut String, kernel: &Kernel, options: TextOptions) {
    let verdict = kernel.verdict();
    let mut facts: Vec<String> = Vec::new();
    if kernel.compared_nothing() && verdict == Verdict::RaceFree {
        facts.push(if kernel.stats.accesses == 0 {
            "no shared accesses".to_owned()
        } else {
            "no shared accesses that could conflict".to_owned()
        });
    }
    match kernel.launches.as_slice() {
        [] => facts.push("no launch was analysed".to_owned()),
        [launch] => facts.push(format!("launch {}", launch_words(launch))),
        launches => facts.push(format!("{} launches", launches.len())),
    }
    let assumptions = kernel.assumptions();
    if !assumptions.is_empty() {
        facts.push(format!("assumptions: {}", safe_list(&assumptions, ", ")));
    }
    let _ = writeln!(
        out,
        "{}  {}:{} {}  ({})",
        painted(verdict, verdict.as_str(), options),
        safe(&kernel.file),
        kernel.line,
        safe(&kernel.name),
        facts.join("; ")
    );
    for (index, launch) in kernel.launches.iter().enumerate() {
        if kernel.launches.len() > 1 {
            let verdict = kernel.launch_verdict(index);
            let _ = writeln!(
                out,
                "    {}  launch {}",
                painted(verdict, verdict.as_str(), options),
                launch_words(launch)
            );
        }
        let (word, reasons) = match &launch.outcome {
            Outcome::Complete => continue,
            Outcome::Undecided(reasons) => ("undecided", reasons),
            Outcome::Contradictory(reasons) => ("contradictory", reasons),
        };
        let indent = if kernel.launches.len() > 1 { 8 } else { 4 };
        for reason in reasons {
            let _ = writeln!(out, "{:indent$}{word}: {}", "", note_words(reason));
        }
        if reasons.is_empty() {
            let _ = writeln!(out, "{:indent$}{word}: no reason was recorded", "");
        }
    }
    for note in &kernel.notes {
        let _ = writeln!(out, "    note: {}", note_words(note));
    }
}

/// One finding: headline, source lines, and the notes that explain it.
fn finding_block(
    out: &mut String,
    kernel: &Kernel,
    finding: &Finding,
    sources: &Sources,
    options: TextOptions,
) {
    let level = match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level
        .primary_title(headline(kernel, finding))
        .id(finding.kind.rule_id());
    let mut group = Group::with_title(title);
    group = excerpts(group, finding, sources);
    for note in finding_notes(kernel, finding) {
        group = group.element(Level::NOTE.message(note));
    }
    if let Some(hint) = &finding.hint {
        group = group.element(Level::HELP.message(safe(hint)));
    }
    let renderer = if options.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(options.width);
    let block = renderer.render(&[group]);
    for line in block.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Unsupported constructs, notes and errors. Equal unsupported constructs of a file share a line.
fn remarks(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
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
    for ((file, what, why), lines) in ordered {
        let (first, rest) = lines.split_first().unwrap_or((&1, &[]));
        let also = match rest {
            [] => String::new(),
            rest => {
                let shown: Vec<String> = rest.iter().take(5).map(u32::to_string).collect();
                let more = match rest.len().saturating_sub(5) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!(" (also on line {}{more})", shown.join(", "))
            }
        };
        let _ = writeln!(
            out,
            "unsupported: {}:{first}: {}: {}{also}",
            safe(file),
            safe(what),
            safe(why)
        );
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", note_words(note));
    }
    for error in &report.errors {
        let place = match (error.file.as_str(), error.line) {
            ("", _) => String::new(),
            (file, None) => format!("{}: ", safe(file)),
            (file, Some(line)) => format!("{}:{line}: ", safe(file)),
        };
        let word = painted(Verdict::Error, "error", options);
        let _ = writeln!(out, "{word}: {place}{}", safe(&error.message));
    }
    out
}

/// Milliseconds by file and phase.
fn timing_lines(out: &mut String, report: &Report) {
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
}

/// How many kernels have which verdict, and how many findings of which certainty.
fn summary_line(out: &mut String, report: &Report) {
    let _ = write!(
        out,
        "{} in {}",
        counted(report.kernels.len(), "kernel", "kernels"),
        counted(report.files, "file", "files")
    );
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
    let confirmed = findings()
        .filter(|finding| finding.certainty == Certainty::Confirmed)
        .count();
    let total = findings().count();
    let _ = write!(out, "; {}", counted(total, "finding", "findings"));
    if total > 0 {
        let _ = write!(
            out,
            " ({confirmed} confirmed, {} potential)",
            total - confirmed
        );
    }
    let suppressed = findings()
        .filter(|finding| finding.suppressed.is_some())
        .count();
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
    out.push('\n');
}

/// The text in the colour of the verdict, if colour is wanted.
fn painted(verdict: Verdict, text: &str, options: TextOptions) -> String {
    if !options.color {
        return text.to_owned();
    }
    let code = match verdict {
        Verdict::RaceFree => "1;32",
        Verdict::Unknown => "1;33",
        _ => "1;31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests;
