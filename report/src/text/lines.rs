//! Lines of a page: those that stand alone, and paragraphs broken to the width.

use std::fmt::Write as _;

use super::options::TextOptions;
use super::wrap::{wrap, wrapped_behind};
use crate::judgement::Verdict;

/// Columns by which further lines of what stands alone are indented.
const HANGING: usize = 4;

/// The text in indented lines, further ones indented more.
pub(super) fn wrapped(text: &str, indent: usize, options: TextOptions) -> String {
    let mut out = String::new();
    let lines = wrap(text, options.width.saturating_sub(indent + 4));
    for (nth, line) in lines.iter().enumerate() {
        let indent = if nth == 0 { indent } else { indent + 4 };
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    out
}

/// A line that stands alone, its first word in the colour of the verdict, if one is given; further lines are indented more.
pub(super) fn standing(
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
