//! Text for people: a verdict line a kernel, findings by cause in the manner of rustc, a summary.
//!
//! Rendered from the report alone, source lines included, and to the same bytes everywhere: the width is an option and not
//! asked of the terminal here. Whatever comes from the analysed files goes through [`safe`] first, so that no control
//! character of theirs reaches the terminal and no name fills the screen.

mod block;
mod costs;
mod excerpt;
mod wrap;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::finding::{
    Certainty, Finding, FindingKind, Kernel, Outcome, Place, Report, Role, Scope, Severity,
    Sources, Verdict,
};
use crate::groups::{Group, groups};
use crate::words::{
    counted, finding_notes, headline, launch_words, note_words, safe_list, scope_words,
    threads_words,
};
use excerpt::excerpts;
use wrap::{columns, wrapped_behind};

pub use crate::words::safe;
pub use wrap::wrap;

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colour.
    pub color: bool,
    /// Columns of the terminal; source lines are trimmed to it.
    pub width: usize,
    /// Whether lines that stand alone (verdicts, headlines, what could not be read) are broken to it too: on a terminal. In a file
    /// each stays a line, so that what looks for a word finds the whole of it.
    pub fit: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            width: 140,
            fit: false,
        }
    }
}

/// Columns by which further lines of what stands alone are indented.
const HANGING: usize = 4;

/// Renders a report.
#[must_use]
pub fn render(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    let mut open = false;
    let mut shown = Shown::new();
    for kernel in &report.kernels {
        // A block with findings stands apart from its neighbours.
        let shows = kernel
            .findings
            .iter()
            .any(|finding| finding.suppressed.is_none());
        if !out.is_empty() && (open || shows) {
            out.push('\n');
        }
        open = shows;
        kernel_lines(&mut out, kernel, options);
        let mut repeated: BTreeMap<&str, usize> = BTreeMap::new();
        for group in groups(kernel) {
            let key = (&kernel.file, kernel.line, places_of(&group));
            if let Some(name) = shown.get(&key) {
                *repeated.entry(name).or_default() += group.len();
                continue;
            }
            shown.insert(key, &kernel.name);
            if let Some(reason) = group.lead.suppressed_because() {
                suppressed_lines(&mut out, kernel, &group, reason, options);
                continue;
            }
            out.push('\n');
            finding_block(&mut out, kernel, &group, &report.sources, options);
        }
        for (name, count) in repeated {
            let count = counted(count, "finding", "findings");
            let line = format!("{count} as in `{}` above", safe(name));
            standing(&mut out, 4, None, &line, options);
        }
        if let Some(costs) = &kernel.costs {
            costs::lines(&mut out, costs, options);
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
    standing(&mut out, 0, None, &summary(report), options);
    out
}

/// Groups that were shown, by the place of the kernel and their own places, with the name of the instantiation that they
/// were shown for: those of other instantiations of the template need no second block.
type Shown<'a> = BTreeMap<(&'a String, u32, Vec<SpotKey<'a>>), &'a str>;

/// What makes the spot of another instantiation the same.
type SpotKey<'a> = (
    FindingKind,
    Severity,
    Option<&'a str>,
    Option<Scope>,
    Vec<(&'a Place, Role)>,
);

fn places_of<'a>(group: &Group<'a>) -> Vec<SpotKey<'a>> {
    let all = [group.lead]
        .into_iter()
        .chain(group.same_places.iter().copied())
        .chain(group.others.iter().flatten().copied());
    all.map(|finding| {
        let places = finding.locations.iter();
        (
            finding.kind,
            finding.severity(),
            finding.array.as_deref(),
            finding.scope,
            places
                .map(|location| (&location.place, location.role))
                .collect(),
        )
    })
    .collect()
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
    // Each finding says what it assumes.
    let assumed = (!assumptions.is_empty() && kernel.findings.is_empty())
        .then(|| format!("assumes: {}", safe_list(&assumptions, ", ")));
    let head = format!(
        "{}:{} {}",
        safe(&kernel.file),
        kernel.line,
        safe(&kernel.name)
    );
    let word = verdict.as_str();
    let mut line = format!("{word}  {head}  ({})", facts.join("; "));
    let mut below = None;
    if let Some(assumed) = assumed {
        let whole = format!("{word}  {head}  ({}; {assumed})", facts.join("; "));
        if columns(&whole) <= options.width {
            line = whole;
        } else {
            below = Some(assumed);
        }
    }
    standing(out, 0, Some(verdict), &line, options);
    if let Some(assumed) = below {
        out.push_str(&wrapped(&assumed, 4, options));
    }
    let mut told: BTreeSet<String> = BTreeSet::new();
    for (index, launch) in kernel.launches.iter().enumerate() {
        if kernel.launches.len() > 1 {
            let verdict = kernel.launch_verdict(index);
            let line = format!("{}  launch {}", verdict.as_str(), launch_words(launch));
            standing(out, 4, Some(verdict), &line, options);
        }
        let (word, reasons) = match &launch.outcome {
            Outcome::Complete => continue,
            Outcome::Undecided(reasons) => ("undecided", reasons),
            Outcome::Contradictory(reasons) => ("contradictory", reasons),
        };
        let indent = if kernel.launches.len() > 1 { 8 } else { 4 };
        let lines = reasons
            .iter()
            .map(|reason| format!("{word}: {}", note_words(reason)));
        let mut again = 0;
        for line in lines {
            if told.contains(&line) {
                again += 1;
                continue;
            }
            out.push_str(&wrapped(&line, indent, options));
            told.insert(line);
        }
        if again > 0 {
            let reasons = counted(again, "reason", "reasons");
            let _ = writeln!(out, "{:indent$}{word}: {reasons} as above", "");
        }
        if reasons.is_empty() {
            let _ = writeln!(out, "{:indent$}{word}: no reason was recorded", "");
        }
    }
    for note in &kernel.notes {
        out.push_str(&wrapped(&format!("note: {}", note_words(note)), 4, options));
    }
}

/// Findings of one cause: headline, source lines, and the notes that explain the first; the others in a few words.
fn finding_block(
    out: &mut String,
    kernel: &Kernel,
    group: &Group<'_>,
    sources: &Sources,
    options: TextOptions,
) {
    let finding = group.lead;
    let sentence = format!("{} [{}]", headline(kernel, finding), finding.id);
    let rule = finding.kind.rule_id();
    block::title(out, finding.severity(), rule, &sentence, options);
    let mut excerpts = excerpts(finding, sources, options.fit.then_some(options.width));
    let margin = excerpts.margin;
    let cut = std::mem::take(&mut excerpts.notes);
    block::excerpts(out, excerpts, options);
    let notes = finding_notes(kernel, finding);
    for note in cut.iter().chain(&notes).chain(&group_notes(group)) {
        block::note(out, "note", note, margin, options);
    }
    if let Some(hint) = &finding.hint {
        block::note(out, "help", &safe(hint), margin, options);
    }
}

/// Findings that do not count, in one sentence.
fn suppressed_lines(
    out: &mut String,
    kernel: &Kernel,
    group: &Group<'_>,
    reason: &str,
    options: TextOptions,
) {
    let more = match group.len() {
        1 => String::new(),
        more => format!(" and {}", counted(more - 1, "other", "others")),
    };
    let place = group
        .lead
        .locations
        .first()
        .map(|location| format!("line {}: ", location.place.line))
        .unwrap_or_default();
    let text = format!(
        "suppressed: {place}{}{more}: {}",
        headline(kernel, group.lead),
        safe(reason)
    );
    out.push_str(&wrapped(&text, 4, options));
}

/// Spots of a group that are listed; the rest is counted.
const SPOTS: usize = 8;

/// What else is in the group of a finding.
fn group_notes(group: &Group<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let lead = group.lead;
    for other in &group.same_places {
        let scope = match other.scope {
            Some(scope) if Some(scope) != lead.scope => scope_words(scope),
            _ => "in another order",
        };
        let witness = other
            .witness
            .as_ref()
            .map(|witness| format!(": {}", threads_words(&witness.threads)))
            .unwrap_or_default();
        notes.push(format!(
            "{} at the same places {scope}{witness} [{}]",
            other.certainty.as_str(),
            other.id
        ));
    }
    if !group.others.is_empty() {
        let mut spots: Vec<String> = group
            .others
            .iter()
            .take(SPOTS)
            .map(|spot| format!("{} [{}]", spot_words(lead, spot[0]), spot[0].id))
            .collect();
        let rest = group.others.len() - spots.len();
        if rest > 0 {
            spots.push(format!("{rest} more (`--format concise` lists all)"));
        }
        notes.push(format!(
            "the same cause in {}: {}",
            counted(group.others.len(), "other place", "other places"),
            spots.join("; ")
        ));
    }
    notes
}

/// `line 5 (write) and line 9 (read)`.
fn spot_words(lead: &Finding, finding: &Finding) -> String {
    let file = lead.locations.first().map(|location| &location.place.file);
    let mut places: Vec<String> = Vec::new();
    for location in &finding.locations {
        let place = &location.place;
        let line = if Some(&place.file) == file {
            format!("line {}", place.line)
        } else {
            format!("{}:{}", safe(&place.file), place.line)
        };
        let what = match (location.role, finding.accesses) {
            (Role::First, Some([first, _])) => first.as_str(),
            (Role::Second, Some([_, second])) => second.as_str(),
            (Role::Condition, _) => continue,
            (Role::Barrier, _) => "barrier",
            _ => "assertion",
        };
        let words = format!("{line} ({what})");
        if !places.contains(&words) {
            places.push(words);
        }
    }
    places.join(" and ")
}

/// The text in indented lines, further ones indented more.
fn wrapped(text: &str, indent: usize, options: TextOptions) -> String {
    let mut out = String::new();
    let lines = wrap(text, options.width.saturating_sub(indent + 4));
    for (nth, line) in lines.iter().enumerate() {
        let indent = if nth == 0 { indent } else { indent + 4 };
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    out
}

/// A line that stands alone, its first word in the colour of the verdict, if one is given; further lines are indented more.
fn standing(
    out: &mut String,
    indent: usize,
    verdict: Option<Verdict>,
    line: &str,
    options: TextOptions,
) {
    let lines = match options.fit {
        true => wrapped_behind(line, options.width.saturating_sub(indent), HANGING),
        false => vec![line.to_owned()],
    };
    for (nth, line) in lines.iter().enumerate() {
        let word = line.find([' ', ':']).unwrap_or(line.len());
        let (word, rest) = line.split_at(word);
        let _ = match verdict {
            _ if nth > 0 => writeln!(out, "{:1$}{line}", "", indent + HANGING),
            Some(verdict) => {
                let word = painted(verdict, word, options);
                writeln!(out, "{:indent$}{word}{rest}", "")
            }
            None => writeln!(out, "{:indent$}{line}", ""),
        };
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
        let (file, what, why) = (safe(file), safe(what), safe(why));
        let line = format!("unsupported: {file}:{first}: {what}: {why}{also}");
        standing(&mut out, 0, None, &line, options);
    }
    for note in &report.notes {
        let line = format!("note: {}", note_words(note));
        standing(&mut out, 0, None, &line, options);
    }
    for error in &report.errors {
        let place = match (error.file.as_str(), error.line) {
            ("", _) => String::new(),
            (file, None) => format!("{}: ", safe(file)),
            (file, Some(line)) => format!("{}:{line}: ", safe(file)),
        };
        let line = format!("error: {place}{}", safe(&error.message));
        standing(&mut out, 0, Some(Verdict::Error), &line, options);
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
fn summary(report: &Report) -> String {
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
