//! What is known of the place under the pointer: the threads of findings there, barrier interval and flow of the line, and for which
//! threads a variable has one value.

use std::ops::Range;
use std::path::Path;

use lsp_types::Position;
use warplog_report::anatomy::{Anatomy, Group, Span};
use warplog_report::printable::safe;
use warplog_report::words::{brief_notes, headline};
use warplog_report::{Kernel, Report};

use crate::places::{Text, file, near, number};
use crate::{Pointed, parts};

/// Findings that are told in full.
const FINDINGS: usize = 3;

/// The variable at a position, if a name stands there in the body of a kernel.
pub(crate) fn pointed(
    path: &Path,
    text: &std::sync::Arc<str>,
    position: Position,
) -> Option<Pointed> {
    let name = name_at(text, Text::new(text).byte(position))?;
    let kernels = parts::kernels(text);
    let kernel = kernels
        .into_iter()
        .find(|part| part.body.contains(&name.start))?;
    Some(Pointed {
        path: path.to_owned(),
        text: text.clone(),
        kernel: kernel.name,
        name: text[name.clone()].to_owned(),
        at: name.start,
    })
}

/// What CUDA calls the place of a thread, each with three parts.
const BUILTINS: [&str; 4] = ["threadIdx", "blockIdx", "blockDim", "gridDim"];

/// Words that stand where a variable may and are none.
const KEYWORDS: [&str; 8] = [
    "break", "continue", "false", "nullptr", "return", "sizeof", "this", "true",
];

/// The bytes of the variable at a byte: not of a member, a type, a function or a keyword, nor of a word in a comment.
fn name_at(text: &str, at: usize) -> Option<Range<usize>> {
    let word = word_at(text, at)?;
    let is_part = |part: &str| matches!(part, "x" | "y" | "z");
    let before = text[..word.start].trim_end();
    if let Some(of) = before.strip_suffix('.') {
        let builtin = word_at(text, of.len())?;
        let is_builtin = BUILTINS.contains(&&text[builtin.clone()]) && is_part(&text[word.clone()]);
        return is_builtin.then_some(builtin.start..word.end);
    }
    if BUILTINS.contains(&&text[word.clone()]) {
        let behind = text[word.end..].strip_prefix('.')?;
        let part = word_at(text, text.len() - behind.len())?;
        return is_part(&text[part.clone()]).then_some(word.start..part.end);
    }
    let behind = text[word.end..].trim_start();
    let is_other = before.ends_with("->")
        || before.ends_with("::")
        || behind.starts_with(|next: char| next == '_' || next == '(' || next.is_alphabetic())
        || behind.starts_with("::")
        || KEYWORDS.contains(&&text[word.clone()]);
    (!is_other && parts::is_word(text, &word)).then_some(word)
}

/// The bytes of the name at or right before a byte.
fn word_at(text: &str, at: usize) -> Option<Range<usize>> {
    let in_word = |c: &char| *c == '_' || c.is_alphanumeric();
    let before = text[..at].chars().rev().take_while(in_word);
    let start = at - before.map(char::len_utf8).sum::<usize>();
    let behind = text[at..].chars().take_while(in_word);
    let end = at + behind.map(char::len_utf8).sum::<usize>();
    let begins = |first: char| first == '_' || first.is_alphabetic();
    text.get(start..end)?
        .starts_with(begins)
        .then_some(start..end)
}

/// The text of a hover, in Markdown; nothing where there is nothing to say.
pub(crate) fn of_report(
    report: &Report,
    (path, text): (&Path, &str),
    position: Position,
    uniformity: Option<(String, String)>,
) -> Option<String> {
    let line = position.line + 1;
    let mut paragraphs = Vec::new();
    if let Some((name, words)) = uniformity {
        paragraphs.push(format!("`{name}`: {words}"));
    }
    let own = || {
        report
            .kernels
            .iter()
            .filter(|one| is_in(one, path, text, line))
    };
    let mut told = 0;
    for kernel in &report.kernels {
        for finding in &kernel.findings {
            let here = finding.locations.iter().any(|location| {
                let place = &location.place;
                file(&place.file) == path && (place.line..=place.end_line).contains(&line)
            });
            if !here {
                continue;
            }
            told += 1;
            if told <= FINDINGS {
                let notes = brief_notes(kernel, finding);
                let notes: Vec<String> = notes.iter().map(|note| format!("- {note}")).collect();
                let head = headline(kernel, finding);
                paragraphs.push(format!("**{head}**\n{}", notes.join("\n")));
            }
        }
    }
    if told > FINDINGS {
        paragraphs.push(format!("… and {} more findings here", told - FINDINGS));
    }
    let mut known: Vec<String> = Vec::new();
    for anatomy in own().flat_map(|kernel| &kernel.anatomies) {
        for words in intervals(anatomy, path, line)
            .into_iter()
            .chain(flow(anatomy, line))
        {
            if !known.contains(&words) {
                known.push(words);
            }
        }
    }
    paragraphs.extend((!known.is_empty()).then(|| known.join("\n")));
    (!paragraphs.is_empty()).then(|| near(&paragraphs.join("\n\n"), path))
}

/// Whether a line is in the definition of a kernel.
fn is_in(kernel: &Kernel, path: &Path, text: &str, line: u32) -> bool {
    if file(&kernel.file) != path {
        return false;
    }
    let text = (Text::new(text), parts::kernels(text));
    text.1.iter().any(|part| {
        let (first, _) = text.0.line_column(part.body.start);
        let (last, _) = text.0.line_column(part.body.end);
        let name = kernel.name.split('<').next().unwrap_or_default();
        let own = name.rsplit("::").next() == Some(part.name.as_str());
        own && (kernel.line.min(first)..=last).contains(&line) && kernel.line <= last
    })
}

fn intervals(anatomy: &Anatomy, path: &Path, line: u32) -> Vec<String> {
    let covers = |span: &&Span| {
        span.stretches.iter().any(|stretch| {
            file(&stretch.file) == path && (stretch.first..=stretch.last).contains(&line)
        })
    };
    let bound = |index: usize| match anatomy.bounds.get(index) {
        Some(bound) if bound.what == "start" || bound.what == "end" => {
            format!("the {} of the kernel", bound.what)
        }
        Some(bound) => format!("`{}` in line {}", safe(&bound.what), bound.at.1),
        None => "?".to_owned(),
    };
    let own = anatomy
        .intervals
        .iter()
        .filter(|span| span.group == Group::Block);
    own.filter(covers)
        .map(|span| {
            let tails = span.tails.iter().map(|tail| {
                let carried = if tail.carried { ", round the loop" } else { "" };
                format!("{}{carried}", bound(tail.bound))
            });
            let tails: Vec<String> = tails.collect();
            format!(
                "- barrier interval: from {} to {}",
                bound(span.head),
                tails.join(" or ")
            )
        })
        .collect()
}

/// The conditions, on which threads of a block may differ, under which a line accesses memory.
fn flow(anatomy: &Anatomy, line: u32) -> Vec<String> {
    let here = anatomy
        .flows
        .iter()
        .filter(|flow| flow.accesses.iter().any(|access| access.line == line));
    here.map(|flow| {
        let mut conditions = Vec::new();
        let mut at = Some(flow);
        while let Some(flow) = at {
            if !flow.condition.is_empty() {
                conditions.push(format!("`{}`", safe(&flow.condition)));
            }
            at = flow.parent.and_then(|parent| anatomy.flows.get(parent));
            // Parents come before their children, so this ends.
            if number(conditions.len()) > 64 {
                break;
            }
        }
        conditions.reverse();
        let number = flow
            .flow
            .map_or_else(String::new, |flow| format!(" {flow}"));
        match conditions.is_empty() {
            true => format!("- flow{number}: taken by all threads of a block alike"),
            false => format!(
                "- flow{number}: taken by threads for which {}",
                conditions.join(" and ")
            ),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_told_from_other_names() {
        let text = "uint32_t i = threadIdx.x + p->x + f(n) + N::m; // i\nif (i < n) return;";
        let at = |words: &str| {
            let byte = text.find(words).expect(words);
            name_at(text, byte).map(|name| &text[name])
        };
        for (words, name) in [
            ("i =", Some("i")),
            ("n)", Some("n")),
            ("threadIdx", Some("threadIdx.x")),
            ("x +", Some("threadIdx.x")),
            ("i < n", Some("i")),
            ("uint32_t", None),
            ("x + f", None),
            ("f(", None),
            ("m;", None),
            ("N::", None),
            ("i\n", None),
            ("return", None),
        ] {
            assert_eq!(at(words), name, "{words}");
        }
        assert_eq!(name_at("threadIdx", 2), None);
        assert_eq!(name_at(" 12 ", 2), None);
    }
}
