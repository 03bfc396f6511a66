//! What was found, as the editor shows it: one diagnostic for each cause, with the other places it concerns.
//!
//! A suppressed finding is none. A kernel that is not decided is a remark at its name, so that silence means that everything was decided.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
};
use serde_json::json;
use warplog_report::groups::{Group, groups};
use warplog_report::printable::safe;
use warplog_report::words::{MEND_WORDS, brief_notes, headline, label, note_words};
use warplog_report::{Boundary, Finding, Kernel, Place, Report, Severity, Verdict};

use crate::places::{Texts, file, near, uri_of};

/// Who says it.
pub(crate) const SOURCE: &str = "warplog";

/// The diagnostics of a report by file; that of the text itself is among them even if there is nothing to say.
pub(crate) fn of_report(
    report: &Report,
    path: &Path,
    text: &str,
) -> BTreeMap<PathBuf, Vec<Diagnostic>> {
    let mut texts = Texts::with(path, text);
    let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    all.insert(path.to_owned(), Vec::new());
    for kernel in &report.kernels {
        for group in groups(kernel) {
            if group.lead.suppressed.is_none() {
                let (file, diagnostic) = of_group(kernel, &group, &mut texts);
                all.entry(file).or_default().push(diagnostic);
            }
        }
        if matches!(kernel.verdict(), Verdict::Unknown | Verdict::Error) {
            let file = file(&kernel.file);
            let diagnostic = undecided(kernel, texts.get(&file).whole_line(kernel.line));
            all.entry(file).or_default().push(diagnostic);
        }
    }
    for error in &report.errors {
        let named = match error.file.as_str() {
            "" => path.to_owned(),
            name => file(name),
        };
        let range = texts.get(&named).whole_line(error.line.unwrap_or(1));
        let message = safe(&error.message);
        let one = plain(range, DiagnosticSeverity::ERROR, "input", message);
        all.entry(named).or_default().push(one);
    }
    all
}

fn plain(range: Range, severity: DiagnosticSeverity, code: &str, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        ..Diagnostic::default()
    }
}

/// The place at which a finding is shown.
pub(crate) fn place_of(kernel: &Kernel, finding: &Finding) -> Place {
    finding.locations.first().map_or_else(
        || Place {
            file: kernel.file.clone(),
            line: kernel.line,
            column: 1,
            end_line: kernel.line,
            end_column: 1,
        },
        |first| first.place.clone(),
    )
}

fn of_group(kernel: &Kernel, group: &Group<'_>, texts: &mut Texts) -> (PathBuf, Diagnostic) {
    let finding = group.lead;
    let place = place_of(kernel, finding);
    let own = file(&place.file);
    let mut related = Vec::new();
    let mut add = |place: &Place, message: String, texts: &mut Texts| {
        let path = file(&place.file);
        let Some(uri) = uri_of(&path) else {
            return;
        };
        let range = texts.get(&path).range(place);
        related.push(DiagnosticRelatedInformation {
            location: Location { uri, range },
            message,
        });
    };
    for location in &finding.locations {
        add(&location.place, label(finding, location), texts);
        for call in &location.calls {
            let message = format!("{} through this call", label(finding, location));
            add(call, message, texts);
        }
    }
    if let Some(interval) = finding.interval() {
        let from = interval.from.iter().map(|boundary| ("begins", boundary));
        let to = interval.to.iter().map(|boundary| ("ends", boundary));
        for (what, boundary) in from.chain(to) {
            if let Boundary::Barrier { place, .. } = boundary {
                let message = format!("the interval between barriers {what} here");
                add(place, message, texts);
            }
        }
    }
    let mut message = headline(kernel, finding);
    for note in brief_notes(kernel, finding) {
        message.push('\n');
        message.push_str(&note);
    }
    match group.len() - 1 {
        0 => {}
        1 => message.push_str("\none other finding has the same cause"),
        more => message.push_str(&format!("\n{more} other findings have the same cause")),
    }
    match (&finding.mend, &finding.hint) {
        (Some(mend), _) => {
            message.push_str(&format!(
                "\nhelp: {MEND_WORDS}:\n{}",
                mend.diff().trim_end()
            ));
        }
        (None, Some(hint)) => message.push_str(&format!("\nhelp (not proved): {}", safe(hint))),
        (None, None) => {}
    }
    let severity = match finding.severity() {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    };
    let range = texts.get(&own).range(&place);
    let message = near(&message, &own);
    let mut diagnostic = plain(range, severity, finding.kind().rule_id(), message);
    diagnostic.related_information = Some(related);
    diagnostic.data = Some(json!({ "id": finding.id }));
    (own, diagnostic)
}

/// Why a kernel is not decided.
pub(crate) fn reason(kernel: &Kernel) -> String {
    let launches = kernel.launches.iter();
    let mut reasons = launches.flat_map(|launch| launch.outcome.reasons());
    reasons
        .next()
        .map_or_else(|| "no launch was analysed".to_owned(), note_words)
        .replace(&format!("{}:", kernel.file), "line ")
}

fn undecided(kernel: &Kernel, range: Range) -> Diagnostic {
    let (severity, what) = match kernel.verdict() {
        Verdict::Error => (DiagnosticSeverity::ERROR, "cannot be checked"),
        _ => (DiagnosticSeverity::INFORMATION, "is not decided"),
    };
    let message = format!("`{}` {what}: {}", safe(&kernel.name), reason(kernel));
    plain(range, severity, kernel.verdict().as_str(), message)
}
