//! Terms cut to what a line has room for.
//!
//! A host expression of 300 characters says less than its two ends. Where a page is read and not searched, a term has at most
//! [`TERM`] characters, the middle left out, and no casts: `(unsigned)(((int)n + 255) / 256)` is `(n + 255) / 256`. Nothing here
//! changes what is exported: the formats for programs have every term whole.

use crate::printable::safe;

/// Characters that a term on a page has at most.
pub const TERM: usize = 60;

/// The text with its middle left out, if it is longer than `most` characters.
#[must_use]
pub fn middle(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let back = kept / 2;
    let front: String = text.chars().take(kept - back).collect();
    let end: String = text.chars().skip(count - back).collect();
    format!("{front}…{end}")
}

/// The text without what is behind so many characters.
#[must_use]
pub fn end(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let front: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{front}…")
}

/// A term of the host, as short as a page has it.
#[must_use]
pub fn term(text: &str) -> String {
    safe(&middle(&without_casts(text), TERM))
}

/// A sentence whose terms, which stand between backticks, are cut.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (nth, piece) in text.split('`').enumerate() {
        if nth > 0 {
            out.push('`');
        }
        out.push_str(&match nth % 2 {
            1 => middle(piece, TERM),
            _ => piece.to_owned(),
        });
    }
    safe(&out)
}

/// Types that host expressions are cast to.
const CASTS: [&str; 10] = [
    "(int)",
    "(unsigned)",
    "(unsigned int)",
    "(long)",
    "(long long)",
    "(unsigned long)",
    "(unsigned long long)",
    "(size_t)",
    "(int64_t)",
    "(uint32_t)",
];

/// The expression without casts between integer types, and without brackets round the whole of it. A cast binds closer than
/// any operator of two operands, so what is left means the same to a reader who does not ask for widths.
fn without_casts(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some((at, cast)) = CASTS
        .iter()
        .filter_map(|cast| Some((out.find(cast)?, *cast)))
        .find(|(at, cast)| is_cast(&out, *at, cast))
    {
        out.replace_range(at..at + cast.len(), "");
    }
    while let Some(inner) = bracketed(&out) {
        out = inner.to_owned();
    }
    // `((int)n)` is `(n)` by now.
    for (from, to) in simple_brackets(&out) {
        out = out.replace(&from, &to);
    }
    out
}

/// Whether a type in brackets is a cast where it stands: an operand follows, and no name comes before it, as in `sizeof(int)`.
fn is_cast(text: &str, at: usize, cast: &str) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at + cast.len()..].chars().next();
    let called = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | '>'));
    !called && behind.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '('))
}

/// What stands in brackets that enclose the whole text.
fn bracketed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i32;
    for character in inner.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then_some(inner)
}

/// Brackets round one name behind an operator, each with the name.
fn simple_brackets(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let before = rest[..open].chars().next_back();
        let behind = &rest[open + 1..];
        let end = behind.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
        let called = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '>' | ']'));
        if let Some(end) = end.filter(|end| *end > 0 && !called)
            && behind[end..].starts_with(')')
            && let Some(before) = before
        {
            let name = &behind[..end];
            let pair = (format!("{before}({name})"), format!("{before}{name}"));
            if !found.contains(&pair) {
                found.push(pair);
            }
        }
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!(middle("abcdefgh", 8), "abcdefgh");
        assert_eq!(middle("abcdefghi", 8), "abcd…ghi");
        assert_eq!(middle(&"é".repeat(99), 9).chars().count(), 9);
        assert_eq!(middle("abc", 1), "…");
    }

    #[test]
    fn casts_say_nothing_to_a_reader() {
        for (whole, short) in [
            (
                "(unsigned)(((int)B * (int)T * (int)C + 2048 - 1) / 2048)",
                "(B * T * C + 2048 - 1) / 2048",
            ),
            ("(unsigned)(T / 4)", "T / 4"),
            (
                "((unsigned)(B * NH * T) * 32 + 256 - 1) / 256",
                "((B * NH * T) * 32 + 256 - 1) / 256",
            ),
            ("n / sizeof(int)", "n / sizeof(int)"),
            ("f(int)", "f(int)"),
            ("(a) + (b)", "(a) + b"),
            ("(a + b) / (c + d)", "(a + b) / (c + d)"),
            ("f(n)", "f(n)"),
            ("2 * (n)", "2 * n"),
            ("", ""),
            ("(", "("),
        ] {
            assert_eq!(without_casts(whole), short, "{whole}");
        }
    }

    #[test]
    fn terms_of_a_sentence_are_cut() {
        let long = "x".repeat(200);
        let cut = sentence(&format!("value of `{long}`, which host code computes"));
        assert!(cut.chars().count() < 110, "{cut}");
        assert!(cut.starts_with("value of `xxx") && cut.ends_with("x`, which host code computes"));
        assert_eq!(sentence("no term"), "no term");
    }
}
