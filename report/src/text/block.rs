//! The block of a finding, in the layout of rustc: headline, excerpts, notes, help.
//!
//! The excerpts are drawn by `annotate_snippets`. Headline and notes are plain lines round them, with the same styles and margin,
//! broken here, where it is known what may be broken.

use std::fmt::Write as _;

use annotate_snippets::Renderer;
use annotate_snippets::renderer::{
    DEFAULT_EMPHASIS_STYLE, DEFAULT_ERROR_STYLE, DEFAULT_LINE_NUM_STYLE, DEFAULT_NOTE_STYLE,
    DEFAULT_WARNING_STYLE,
};

use super::excerpt::{Excerpts, with_origin};
use super::options::TextOptions;
use super::wrap::wrapped_behind;
use crate::judgement::Severity;

/// Columns by which further lines of a headline are indented.
const INDENT: usize = 4;

/// Writes a text in a style, if styles are wanted.
fn styled(out: &mut String, style: impl std::fmt::Display, text: &str, options: TextOptions) {
    let _ = match options.color {
        true => write!(out, "{style}{text}{style:#}"),
        false => out.write_str(text),
    };
}

/// Writes `error[data-race]: sentence`.
pub(super) fn title(
    out: &mut String,
    severity: Severity,
    rule: &str,
    sentence: &str,
    options: TextOptions,
) {
    let style = match severity {
        Severity::Error => DEFAULT_ERROR_STYLE,
        Severity::Warning => DEFAULT_WARNING_STYLE,
        Severity::Note => DEFAULT_NOTE_STYLE,
    };
    let label = format!("{}[{rule}]", severity.as_str());
    let whole = format!("{label}: {sentence}");
    let lines = match options.fit {
        true => wrapped_behind(&whole, options.width, INDENT),
        false => vec![whole],
    };
    for (nth, line) in lines.iter().enumerate() {
        match line.strip_prefix(&label) {
            Some(rest) if nth == 0 => {
                styled(out, style, &label, options);
                styled(out, DEFAULT_EMPHASIS_STYLE, rest, options);
            }
            _ => {
                let _ = write!(out, "{:INDENT$}", "");
                styled(out, DEFAULT_EMPHASIS_STYLE, line, options);
            }
        }
        out.push('\n');
    }
}

/// Writes the excerpts, and the line that stands between them and the notes.
pub(super) fn excerpts(out: &mut String, excerpts: Excerpts<'_>, options: TextOptions) {
    let renderer = match options.color {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    let renderer = renderer.term_width(options.width);
    for line in renderer.render(&[excerpts.group]).lines() {
        out.push_str(with_origin(line, &excerpts.origins).trim_end());
        out.push('\n');
    }
}

/// Writes `= note: sentence` behind the margin of the excerpts.
pub(super) fn note(
    out: &mut String,
    label: &str,
    sentence: &str,
    margin: usize,
    options: TextOptions,
) {
    let before = margin + " = : ".len() + label.len();
    for (nth, line) in wrapped_behind(sentence, options.width.saturating_sub(before), 0)
        .iter()
        .enumerate()
    {
        if nth == 0 {
            let _ = write!(out, "{:margin$} ", "");
            styled(out, DEFAULT_LINE_NUM_STYLE, "= ", options);
            styled(out, DEFAULT_EMPHASIS_STYLE, label, options);
            out.push_str(": ");
        } else {
            let _ = write!(out, "{:before$}", "");
        }
        out.push_str(line);
        out.push('\n');
    }
}

/// Writes a line of a change: what comes and what goes in colours of their own.
pub(super) fn changed(out: &mut String, line: &str, text: &str, options: TextOptions) {
    let style = match text.chars().next() {
        Some('+') => Some("\u{1b}[32m"),
        Some('-') => Some("\u{1b}[31m"),
        _ => None,
    };
    let _ = match style.filter(|_| options.color) {
        Some(style) => writeln!(out, "{style}{}\u{1b}[0m", line.trim_end()),
        None => writeln!(out, "{}", line.trim_end()),
    };
}
