//! What can be done about a finding: the change that was proved to mend its kernel, and a comment that suppresses it.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, NumberOrString, Position, Range,
    TextEdit, Uri, WorkspaceEdit,
};
use warplog_report::mend::Mend;
use warplog_report::{Finding, Kernel, Report};

use crate::diagnostics::{SOURCE, place_of};
use crate::places::{Text, Texts, file, uri_of};

/// What stands for the reason of a suppression until somebody writes it.
const REASON: &str = "TODO say why this is meant";

/// The actions for a range of a text. `shown` are the diagnostics that the editor has there.
pub(crate) fn of_report(
    report: &Report,
    (path, text): (&Path, &str),
    range: Range,
    shown: &[Diagnostic],
) -> Vec<CodeActionOrCommand> {
    let mut actions: Vec<CodeAction> = Vec::new();
    for kernel in &report.kernels {
        let mut findings = kernel.findings.iter();
        let mends = findings
            .by_ref()
            .filter(|one| concerns(one, kernel, (path, text), range));
        for finding in mends.filter(|one| one.suppressed.is_none()) {
            let about: Vec<Diagnostic> = shown
                .iter()
                .filter(|one| is_of(one, finding))
                .cloned()
                .collect();
            let mend = finding.mend.as_ref().and_then(|mend| {
                Some(CodeAction {
                    title: format!("Make `{}` race-free: {}", kernel.name, summary(mend)),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(about.clone()),
                    edit: Some(mended(mend, path, text)?),
                    is_preferred: Some(true),
                    ..CodeAction::default()
                })
            });
            let allow = suppression(kernel, finding, (path, text)).map(|edit| CodeAction {
                title: format!("Suppress this {} with a comment", finding.kind().rule_id()),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(about),
                edit: Some(edit),
                ..CodeAction::default()
            });
            for action in mend.into_iter().chain(allow) {
                // Findings of one cause have one mend, and those of one line one comment.
                if !actions.iter().any(|known| known.edit == action.edit) {
                    actions.push(action);
                }
            }
        }
    }
    actions
        .into_iter()
        .map(CodeActionOrCommand::CodeAction)
        .collect()
}

/// Whether a finding has one of its places in the range, up to whole lines.
fn concerns(finding: &Finding, kernel: &Kernel, (path, _): (&Path, &str), range: Range) -> bool {
    let own = place_of(kernel, finding);
    let places = finding.locations.iter().map(|location| &location.place);
    places.chain([&own]).any(|place| {
        file(&place.file) == path
            && place.line.saturating_sub(1) <= range.end.line
            && place.end_line.saturating_sub(1) >= range.start.line
    })
}

fn is_of(diagnostic: &Diagnostic, finding: &Finding) -> bool {
    let id = diagnostic.data.as_ref().and_then(|data| data.get("id"));
    let rule = Some(NumberOrString::String(finding.kind().rule_id().to_owned()));
    diagnostic.source.as_deref() == Some(SOURCE)
        && match id.and_then(|id| id.as_str()) {
            Some(id) => id == finding.id,
            None => diagnostic.code == rule,
        }
}

/// The first line that a mend adds or changes.
fn summary(mend: &Mend) -> String {
    let first = mend.edits.first();
    let line = first.and_then(|edit| {
        edit.text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
    });
    let more = match mend.edits.len() {
        0 | 1 => String::new(),
        edits => format!(" and {} more", edits - 1),
    };
    match line {
        Some(line) => format!("`{line}`{more}"),
        None => format!("a checked change{more}"),
    }
}

// The protocol's type asks for this map; it goes out as an object.
#[expect(
    clippy::mutable_key_type,
    reason = "URIs of the protocol are keys there"
)]
fn mended(mend: &Mend, path: &Path, text: &str) -> Option<WorkspaceEdit> {
    let mut texts = Texts::with(path, text);
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for edit in &mend.edits {
        let path = file(&edit.place.file);
        let range = texts.get(&path).range(&edit.place);
        let edit = TextEdit {
            range,
            new_text: edit.text.clone(),
        };
        changes.entry(uri_of(&path)?).or_default().push(edit);
    }
    Some(WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    })
}

fn suppression(
    kernel: &Kernel,
    finding: &Finding,
    (path, text): (&Path, &str),
) -> Option<WorkspaceEdit> {
    let place = place_of(kernel, finding);
    if file(&place.file) != path {
        return None;
    }
    let line = place.line.checked_sub(1)?;
    let own = Text::new(text).line(line).to_owned();
    let indent: String = own.chars().take_while(|c| c.is_whitespace()).collect();
    let rule = finding.kind().rule_id();
    let edit = TextEdit {
        range: Range::new(Position::new(line, 0), Position::new(line, 0)),
        new_text: format!("{indent}// warplog: allow {rule} because {REASON}\n"),
    };
    Some(WorkspaceEdit {
        changes: Some(HashMap::from([(uri_of(path)?, vec![edit])])),
        ..WorkspaceEdit::default()
    })
}
