//! Reasons by kind, in words for someone who did not write the analysis.
//!
//! A finding or a kernel may give thirty reasons that say one thing: thirty reads of one array. A kind has the words and the names
//! that its reasons were about. The whole reasons stay in every format for programs, and in the text with `-v`.

use std::collections::{BTreeMap, BTreeSet};

use crate::brief;

/// What reasons have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    /// The words, without names.
    pub words: String,
    /// What this one is about.
    pub subject: Option<String>,
}

/// Beginnings of reasons, with what their kind is called. What stands behind the beginning is what they are about.
const BEGINNINGS: [(&str, &str); 11] = [
    (
        "value read from local array ",
        "values in arrays of one thread",
    ),
    (
        "value read from memory of the thread",
        "values in arrays of one thread",
    ),
    ("value read from ", "contents of arrays"),
    ("index read from ", "contents of arrays"),
    ("result of floating-point ", "floating-point results"),
    ("value of floating-point ", "floating-point results"),
    ("part of a local ", "parts of local objects"),
    ("member of an object ", "members of objects that are stored"),
    ("result of ", "results of functions that are not followed"),
    ("call of ", "calls of functions that are not followed"),
    ("arguments `", "arguments that may be the same memory"),
];

/// What is in a reason, with what its kind is called.
const INSIDE: [(&str, &str); 12] = [
    ("which host code computes", "values that host code computes"),
    (
        "has no closed form",
        "variables that a loop changes in no regular way",
    ),
    (
        "has exited: since Volta",
        "threads that have left the kernel, for which a barrier does not wait since Volta",
    ),
    (
        "body is not known",
        "calls of functions that are not followed",
    ),
    (
        "host code does not come to this launch",
        "a launch that host code does not come to, as far as it is followed",
    ),
    ("replay of the witness is too long", BUDGET),
    ("budget", BUDGET),
    ("step limit", BUDGET),
    ("not decided", "a question that the solver did not decide"),
    (
        "does not replay",
        "a question that the solver did not decide",
    ),
    (
        "contradicts the launch",
        "a question that the solver did not decide",
    ),
    (
        "undefined behaviour",
        "a collision for which integers would have to overflow",
    ),
];

/// What a search that was cut off is called.
const BUDGET: &str = "the search was cut off (`--effort 5` searches five times as long)";

/// The kind of a reason.
pub(crate) fn kind(reason: &str) -> Kind {
    let reason = without_lines(reason);
    if let Some((begin, words)) = BEGINNINGS
        .iter()
        .find(|(begin, _)| reason.starts_with(begin))
    {
        // What is not known of a call stands behind a colon.
        let rest = &reason[begin.len()..];
        let end = rest.find(": ").unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches("is not modelled").trim();
        let named =
            !begin.ends_with('`') && !words.starts_with("floating") && !words.starts_with("parts");
        return Kind {
            words: (*words).to_owned(),
            subject: (named && !name.is_empty()).then(|| bare(name)),
        };
    }
    if let Some((_, words)) = INSIDE.iter().find(|(inside, _)| reason.contains(inside)) {
        let named = words.starts_with("values")
            || words.starts_with("variables")
            || words.starts_with("calls");
        let subject = match reason.split('`').nth(1) {
            Some(name) => Some(name),
            None => reason.split_once(", changed").map(|(name, _)| name),
        };
        return Kind {
            words: (*words).to_owned(),
            subject: subject.filter(|_| named).map(bare),
        };
    }
    Kind {
        words: brief::sentence(&reason),
        subject: None,
    }
}

/// A sentence without lines and without what stands between backticks: what those of several names have in common.
pub(crate) fn without_lines_and_names(text: &str) -> String {
    let text = without_lines(text);
    let pieces = text.split('`').enumerate();
    let pieces: Vec<&str> = pieces
        .map(|(nth, piece)| if nth % 2 == 1 { "" } else { piece })
        .collect();
    pieces.join("`")
}

/// A name without backticks, and without what tells two of one name apart.
fn bare(name: &str) -> String {
    let name = name.trim_matches('`');
    let name = name.split(" (").next().unwrap_or(name);
    brief::middle(name, brief::TERM)
}

/// Names that are listed.
const NAMES: usize = 4;

/// Kinds in the order of how many things have them, each thing under one: the kind that most of what is left has comes next. What
/// comes out is the words with names, and the things.
pub(crate) fn ranked<T: Copy + Ord>(things: &[(T, Vec<Kind>)]) -> Vec<(String, Vec<T>)> {
    let mut left: Vec<&(T, Vec<Kind>)> = things.iter().collect();
    let mut out = Vec::new();
    while !left.is_empty() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, kinds) in &left {
            let words: BTreeSet<&str> = kinds.iter().map(|kind| kind.words.as_str()).collect();
            for words in words {
                *counts.entry(words).or_default() += 1;
            }
        }
        // The first of equal counts in the order of the words.
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let Some(&(words, _)) = counts.first() else {
            out.push((
                "no reason was recorded".to_owned(),
                left.iter().map(|(thing, _)| *thing).collect(),
            ));
            break;
        };
        let (these, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|(_, kinds)| kinds.iter().any(|kind| kind.words == words));
        let all = these.iter().flat_map(|(_, kinds)| kinds);
        out.push((
            with_names(words, all.filter(|kind| kind.words == words)),
            these.iter().map(|(thing, _)| *thing).collect(),
        ));
        left = rest;
    }
    out
}

/// The words of a kind with the names of some of its reasons.
pub(crate) fn with_names<'a>(words: &str, kinds: impl Iterator<Item = &'a Kind>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for kind in kinds {
        if let Some(name) = &kind.subject
            && !names.contains(&name.as_str())
        {
            names.push(name);
        }
    }
    if names.is_empty() {
        return words.to_owned();
    }
    let more = names.len().saturating_sub(NAMES);
    let shown: Vec<String> = names
        .iter()
        .take(NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{words}: {}{more}", shown.join(", "))
}

/// A reason without what changes from place to place: line numbers. Names in backquotes are left as they are.
#[must_use]
pub fn without_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, piece) in text.split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        if index % 2 == 1 {
            out.push_str(piece);
            continue;
        }
        let mut rest = piece;
        while let Some(at) = ["at line ", "on line ", "in line ", "line "]
            .iter()
            .filter_map(|word| Some((rest.find(word)?, word.len())))
            .filter(|(at, length)| {
                rest[at + length..].starts_with(|digit: char| digit.is_ascii_digit())
            })
            .min()
        {
            out.push_str(rest[..at.0].trim_end());
            rest = rest[at.0 + at.1..].trim_start_matches(|digit: char| digit.is_ascii_digit());
        }
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_kinds_and_names() {
        for (reason, words, subject) in [
            (
                "value read from idx at line 3",
                "contents of arrays",
                Some("idx"),
            ),
            (
                "value of `T (2)`, which host code computes",
                "values that host code computes",
                Some("T"),
            ),
            (
                "k, changed in a loop in a way that has no closed form at line 9",
                "variables that a loop changes in no regular way",
                Some("k"),
            ),
            (
                "result of floating-point operator *",
                "floating-point results",
                None,
            ),
            (
                "call of `f` at line 5 is not modelled",
                "calls of functions that are not followed",
                Some("f"),
            ),
            (
                "call of `f`: its body is not known",
                "calls of functions that are not followed",
                Some("f"),
            ),
            (
                "arguments `a` and `b`: they may be the same allocation in a launch",
                "arguments that may be the same memory",
                None,
            ),
            (
                "real: not decided over the reals; budget of the kernel",
                BUDGET,
                None,
            ),
            ("something new at line 3", "something new", None),
        ] {
            let found = kind(reason);
            assert_eq!(
                (found.words.as_str(), found.subject.as_deref()),
                (words, subject),
                "{reason}"
            );
        }
    }

    #[test]
    fn the_kind_of_most_comes_first_and_each_thing_is_counted_once() {
        let of = |reasons: &[&str]| {
            reasons
                .iter()
                .map(|reason| kind(reason))
                .collect::<Vec<_>>()
        };
        let things = [
            (1, of(&["value read from a", "result of f"])),
            (2, of(&["value read from b"])),
            (3, of(&["result of f"])),
            (4, of(&[])),
        ];
        let ranked = ranked(&things);
        let shape: Vec<(&str, &[i32])> = ranked
            .iter()
            .map(|(words, all)| (words.as_str(), all.as_slice()))
            .collect();
        assert_eq!(
            shape,
            [
                ("contents of arrays: `a`, `b`", &[1, 2][..]),
                ("results of functions that are not followed: `f`", &[3]),
                ("no reason was recorded", &[4]),
            ]
        );
    }
}
